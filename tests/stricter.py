#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where `check` says more than JAX's own checker, the manual lists it, in the words of the source.

    stricter.py [--update] ROOT

Every call of rule_stricter, rule_warning and bind_error below ROOT/src/verify is one row of the list between the marks in
ROOT/man/jaxpr-check.1: its code and its message, `...` for what is filled in. --update writes the list anew."""

import glob
import os
import re
import shlex
import sys
import textwrap

KINDS = {
    "rule_stricter": "An error, and a warning under --as-jax",
    "bind_error": "The same, for the calls, loops and branches whose programs JAX does not compare",
    "newer": "An error, and a warning under --as-jax where JAX before 0.7.2 may have printed the program: shardings",
    "rule_warning": "A warning",
}
BEGIN, END = '.\\" what follows is written by tests/stricter.py --update', '.\\" end of the list'
# a call, or the choice of what is called, before it: `(jax ? rule_error : rule_stricter)(r, ..`, `report = ..; report(r, ..`
CALL = re.compile(r"\b(rule_stricter|rule_warning|bind_error)\b(?=([^;{}]*?(?:;\n\s*report)?)\(\s*&?[re],\s)")


def arguments(text, at):
    """The source of a call from `at`, within its parentheses, to the one that closes it."""
    depth, i = 1, at
    while depth:
        if text[i] == '"':
            i = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, i).end() - 1
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        i += 1
    return text[at : i - 1]


def rows(root):
    found = {kind: set() for kind in KINDS}
    for path in sorted(glob.glob(os.path.join(root, "src/verify/**/*.c"), recursive=True)):
        if os.path.basename(path) == "rule_diag.c":
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        for call in CALL.finditer(text):
            inside = arguments(text, text.index("(", call.end() + len(call[2])) + 1)
            strings = [s for s in re.findall(r'((?:"(?:[^"\\]|\\.)*"\s*)+)', inside) if " " in s]
            if not strings:
                continue  # passes on what its caller says
            code = re.search(r"DIAG_(T\d{3})", inside)
            words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings[0]))
            words = re.sub(r"(?:`?%[-\d.*]*(?:ll|z)?[a-z]`?)+", "...", words)
            newer = re.match(r"&?r, (newer|AS_NEWER_JAX)\b", inside)
            found["newer" if newer else call[1]].add((code[1] if code else "-", words))
    return found


def list_of(found):
    lines = [BEGIN]
    for kind, title in KINDS.items():
        lines += [".Ss " + title.replace("-", "\\-"), ".Bl -tag -width T000"]
        for code, words in sorted(found[kind]):
            lines.append(".It " + (code if code != "-" else "T012, T016"))
            for line in textwrap.wrap(words, 76, break_on_hyphens=False):
                lines.append(("\\&" if line[0] in ".'" else "") + line)
        lines.append(".El")
    return "\n".join(lines + [END])


def main(arguments):
    update = "--update" in arguments
    root = [a for a in arguments if a != "--update"][0]
    path = os.path.join(root, "man/jaxpr-check.1")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    start, end = page.index(BEGIN), page.index(END) + len(END)
    found = rows(root)
    wanted = list_of(found)
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page[:start] + wanted + page[end:])
    elif page[start:end] != wanted:
        missing = set(wanted.split("\n")) - set(page[start:end].split("\n"))
        print("man/jaxpr-check.1 does not list what the source says:", *sorted(missing)[:20], sep="\n  ")
    total = sum(len(f) for f in found.values())
    print("%d places where check is stricter than JAX, %s" % (total, "written" if update else "listed" if page[start:end] == wanted else "not all listed"))
    good = update or (page[start:end] == wanted and all(found.values()))
    if not good:
        print("repeat:", shlex.join(sys.argv))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
