# SPDX-License-Identifier: Apache-2.0
"""The texts that JAX printed, for the tests of editors."""

import glob
import json
import lzma
import os

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle", "cases")


def texts(limit=None, rows=("program", "variant", "pair", "mutant", "rewrite")):
    """every recorded text of these rows, or `limit` of them, evenly spread; yields (what names it, text)"""
    found = []
    for path in sorted(glob.glob(os.path.join(CASES, "*.jsonl.xz"))):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                case = json.loads(line)
                if case.get("row") in rows and "text" in case:
                    found.append((f"{os.path.basename(path)}:{number}", case["text"]))
    step = max(1, len(found) / limit) if limit else 1
    for i in range(int(len(found) / step)):
        yield found[int(i * step)]
