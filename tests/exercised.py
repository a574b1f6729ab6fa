#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every public function is called in tests/unit/tour.c, which the tests `misuse` and `threads` run without enough
memory, on unusable modules, and on several threads at a time.

    exercised.py TOUR HEADER..."""

import re
import sys


def main():
    tour, *headers = [open(path, encoding="utf-8").read() for path in sys.argv[1:]]
    declared = {m for text in headers for m in re.findall(r"(?m)^JX_API .*\b(jx_[a-z_]+)\(", text)}
    left = sorted(declared - set(re.findall(r"\b(jx_[a-z_]+)\(", tour)))
    if not declared or left:
        print(f"{sys.argv[1]} does not call: {' '.join(left)}")
        print("repeat:", " ".join(sys.argv))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
