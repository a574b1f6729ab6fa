#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of ROOT/man/jaxpr-check.1: every code, and every message of `check` where it is stricter than JAX's own checker.

    stricter.py [--update] ROOT

The codes are those of grammar/diagnostics.def; --update writes them anew. The messages are calls of rule_stricter,
rule_warning and bind_error below ROOT/src/verify. Each must have an example in the table of its kind, which a person
writes: `.It CODE`, a line with the fact that is checked, and a line `.D1 MESSAGE` for each example. An example must be
what a case of ROOT/tests/golden prints, with this code and at the level of its table."""

import glob
import os
import re
import shlex
import sys

# the kinds of calls, in the order of their tables, and what each reports
KINDS = {"rule_stricter": "error", "bind_error": "error", "newer": "error", "rule_warning": "warning"}
CODES = '.\\" the codes are written by tests/stricter.py --update', '.\\" end of the codes'
MESSAGES = '.\\" tests/stricter.py compares these tables with the source', '.\\" end of the tables'
GROUPS = {"S": "Syntax and scopes", "T": "Types", "D": "Dynamic shapes"}
# a call, or the choice of its function, before it: `(jax ? rule_error : rule_stricter)(r, ..`, `report = ..; report(r`
CALL = re.compile(r"\b(rule_stricter|rule_warning|rule_unread|bind_error|report_sharding)\b(?=([^;{}]*?(?:;\n\s*report)?)\(\s*&?[re],\s)")
ROW = re.compile(r'^DIAG\((\w\d{3}), "([^"]*)", LEVEL_(\w+), "((?:[^"\\]|\\.)*)"', re.M)
PRINTED = re.compile(r"\S+?:\d+:\d+: (error|warning): (.*) \[(\w\d{3})(?: [\w-]+)?\]$", re.M)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8", errors="replace") as file:
        return file.read()


def arguments(text, at):
    """The source of a call from `at`, within its parentheses, to the one that closes it."""
    depth, i = 1, at
    while depth:
        if text[i] == '"':
            i = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, i).end() - 1
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        i += 1
    return text[at : i - 1]


def messages(root):
    """the codes and texts of the calls of each kind, `...` for what is filled in"""
    found = {kind: set() for kind in KINDS}
    named = dict(re.findall(r'#define ([A-Z_]+) ("(?:[^"\\]|\\.)*")\n', read(root, "src/verify/checker.h")))
    for path in sorted(glob.glob(os.path.join(root, "src/verify/**/*.c"), recursive=True)):
        if os.path.basename(path) == "rule_diag.c":
            continue
        text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)
        text = re.sub(r"\b[A-Z_]+\b", lambda m: named.get(m[0], m[0]), text)
        for call in CALL.finditer(text):
            inside = arguments(text, text.index("(", call.end() + len(call[2])) + 1)
            strings = [s for s in re.findall(r'((?:"(?:[^"\\]|\\.)*"\s*)+)', inside) if " " in s]
            if not strings:
                continue  # passes on its caller's level
            code = re.search(r"DIAG_(T\d{3})", inside)
            words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', strings[0]))
            words = re.sub(r"(?:`?%[-\d.*]*(?:ll|z)?[a-z]`?)+", "...", words)
            newer = re.match(r"\s*&?r, (newer|AS_NEWER_JAX)\b", inside)
            kinds = ("newer", "rule_warning") if call[1] == "report_sharding" else ("newer",) if newer else (call[1].replace("unread", "warning"),)
            for kind in kinds:
                found[kind].add((code[1] if code else "-", words))
    return found


def pattern(words):
    """matches what a text prints once it is filled in; a noun after a count may be singular"""
    return re.compile(re.sub(r"(\\\.){3}(\\ \w+?)s\b", r"...\2s?", re.escape(words)).replace(r"\.\.\.", "...").replace("...", ".*"))


def between(page, marks):
    start = page.index(marks[0]) + len(marks[0]) + 1
    return start, page.index(marks[1])


def plain(text):
    return re.sub(r"\\([-&e])", lambda m: {"-": "-", "&": "", "e": "\\"}[m[1]], text)


def rows(page):
    """the code and an example, for each example of each table"""
    start, end = between(page, MESSAGES)
    tables = [[] for _ in KINDS]
    table = code = None
    for line in page[start:end].split("\n"):
        if line.startswith(".Ss "):
            table = 0 if table is None else table + 1
        elif line.startswith(".It "):
            code = line[4:]
        elif line.startswith(".D1 "):
            tables[table].append((code, plain(line[4:])))
    return dict(zip(KINDS, tables))


def wrong_rows(root, page):
    """what is wrong with the tables of messages"""
    printed = {(m[1], m[3], m[2]) for path in glob.glob(os.path.join(root, "tests/golden/**/*.out"), recursive=True)
               for m in PRINTED.finditer(read(path))}
    listed, wanted = rows(page), messages(root)
    for kind, level in KINDS.items():
        texts = [(code, words, pattern(words)) for code, words in sorted(wanted[kind])]
        if not texts:
            yield f"no call of {kind} found"
        for code, words, form in texts:
            if not any(form.fullmatch(example) and code in ("-", row) for row, example in listed[kind]):
                known = min((text for at, of, text in printed if at == level and form.fullmatch(text) and code in ("-", of)),
                            key=len, default="none: write one")
                yield f"no example of {code} `{words}`; a golden case prints: {known}"
        for row, example in listed[kind]:
            if not any(form.fullmatch(example) and code in ("-", row) for code, _, form in texts):
                yield f"no longer printed from the source: {row} {example}"
            if (level, row, example) not in printed:
                yield f"printed by no golden case as {level}: {row} {example}"


def table_of_codes(root):
    lines = []
    found = ROW.findall(read(root, "grammar/diagnostics.def"))
    for letter, title in GROUPS.items():
        lines += [".Ss " + title, '.Bl -column "T000" "unknown-shared-program"']
        for code, name, level, title in sorted(found):
            if code[0] == letter:
                level = "" if level == "ERROR" else f" ({level.lower()})"
                lines.append(f".It {code} Ta {name} Ta {title.replace('-', chr(92) + '-')}{level}")
        lines.append(".El")
    return "\n".join(lines) + "\n"


def main(arguments):
    update = "--update" in arguments
    root = [a for a in arguments if a != "--update"][0]
    path = os.path.join(root, "man/jaxpr-check.1")
    page = read(path)
    start, end = between(page, CODES)
    codes = table_of_codes(root)
    wrong = [] if update or page[start:end] == codes else ["the codes are not what --update would write"]
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page[:start] + codes + page[end:])
    wrong += wrong_rows(root, page)
    total = sum(len(table) for table in rows(page).values())
    print("\n".join("man/jaxpr-check.1: " + line for line in wrong) + "\n" * bool(wrong) + f"{total} examples, {len(wrong)} things wrong")
    if wrong:
        print("repeat:", shlex.join(sys.argv))
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
