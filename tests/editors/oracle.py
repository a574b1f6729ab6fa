# SPDX-License-Identifier: Apache-2.0
"""The texts that JAX printed, for the tests of editors."""

import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness  # noqa: E402


def texts(limit=None, rows=("program", "variant", "pair", "mutant", "rewrite")):
    """yields (`FILE:LINE`, text) for every recorded text of these kinds of rows, or for `limit` of them, evenly spread"""
    found = []
    for path in sorted(glob.glob(os.path.join(harness.CASES, "*.jsonl.xz"))):
        for number, case in enumerate(harness.rows(path), 1):
            if case.get("row") in rows and "text" in case:
                found.append((f"{os.path.basename(path)}:{number}", case["text"]))
    step = max(1, len(found) / limit) if limit else 1
    for i in range(int(len(found) / step)):
        yield found[int(i * step)]
