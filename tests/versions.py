#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no version of JAX is named outside grammar/versions.def. Since a version is a struct, C does not allow
comparing it with a number; this finds what C allows: the name of a release, a version made of digits, a number in the
place of a change, digits in other tables. It also reports rows of versions.def that nothing uses.

    versions.py SOURCE_ROOT
"""
import collections
import os
import re
import sys

HOME = ("grammar/versions.def", "src/ir/version.h", "src/ir/version.c")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
CODE = [
    (r"\bJAX_\d+_\d+_\d+\b", "a release: name the change"),
    (r"\.encoded\b", "use the functions of src/ir/version.h"),
    (r"struct (?:jax_version|version_range)(?:\)| \w+(?:\[\w*\])? =)\s*\{[^;]*?\b[1-9]\d*\b", "a version made of a number"),
    (r"\brange_(?:has|lacks|at)\((?:[^;,]*(?:\([^;()]*\))?,)?\s*\d", "a number in the place of a change"),
    (r"(?:jax|versions?)\b\s*(?:[<>]=?|[=!]=)\s*[1-9]\d{2}", "a version compared with a number"),
    (r"\b[1-9]\d{2,4}\s*(?:[<>]=?|[=!]=)\s*[\w.>-]*(?:jax|versions?)\b", "a version compared with a number"),
]
TABLES = [
    (r"\b\d+_\d+_\d+\b", "a release outside of versions.def"),
    (r"\b(?:SINCE|BEFORE|BETWEEN)\(", "a range outside of versions.def"),
]


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S)


def main(root):
    count = 0
    used = ""
    for room in ("src", "grammar"):
        for directory, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(directory, name), root)
                if not name.endswith((".c", ".h", ".l", ".y", ".def")):
                    continue
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    text = without_comments(file.read())
                used += STRING.sub('""', text)
                if path in HOME:
                    continue
                found = [(m, "the text of a version") for m in re.finditer(r'"v?0\.\d+\.\d+"', text)]
                rules = TABLES if name.endswith(".def") else CODE
                code = STRING.sub(lambda m: '"' + "_" * (len(m[0]) - 2) + '"', text)
                found += [(m, what) for rule, what in rules for m in re.finditer(rule, code)]
                if name == "spellings.def":
                    found += [(m, "a number in spellings.def") for m in re.finditer(r"\b\d{3,}\b", code)]
                for m, what in found:
                    count += 1
                    print(f"{path}:{text.count(chr(10), 0, m.start()) + 1}: {what}: {m[0]}")
    with open(os.path.join(root, HOME[0]), encoding="utf-8") as file:
        table = STRING.sub('""', without_comments(file.read()))
    releases = ["_".join(numbers) for numbers in re.findall(r"^RELEASE\((\d+), (\d+), (\d+)\)", table, re.M)]
    changes = re.findall(r"^CHANGE\((\w+),", table, re.M)
    asked, listed = set(re.findall(r"\bJAX_(\w+)", used)), collections.Counter(re.findall(r"\w+", table))
    for name in releases:
        if name not in listed:
            count += 1
            print(f"{HOME[0]}: nothing changed at {name}")
    for name in changes:
        if name not in asked and listed[name] == 1:
            count += 1
            print(f"{HOME[0]}: nothing asks for {name}")
    if releases != sorted(releases, key=lambda release: [int(number) for number in release.split("_")]):
        count += 1
        print(f"{HOME[0]}: releases are out of order")
    print(f"{len(releases)} releases, {len(changes)} changes, {count} things wrong")
    return 1 if count or not changes else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
