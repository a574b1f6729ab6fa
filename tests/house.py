#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the house rules that a script can check.

    house.py SOURCE_ROOT

C files have at most 600 lines of at most 120 columns, and functions at most 60 lines, from brace to brace; every file
states its license and its one idea at its head; no line ends in blanks; no function calls itself, directly or through
others of its file, unless BOUNDED states what bounds its depth; no file is called util; every declaration of a header
has a comment, its own or that of its group; the guard of a header of src/ ends in the file's name and is unique; every
path that a document of DOCUMENTS names exists; no text that people read has a word of ODD, no name in code a word of
ODD_NAMES, and no subject of a commit since RULED more than 72 characters; module_copy and module_append treat every
array and table of struct module. Text that people read is whole documents, and comments and strings of code."""

import glob
import os
import re
import shlex
import subprocess
import sys

MOST_LINES, MOST_COLUMNS, MOST_FUNCTION, MOST_SUBJECT = 600, 120, 60, 72
DOCUMENTS = ["CONTRIBUTING.md", "NEWS.md", "README.md", "RELEASING.md", "SECURITY.md", "doc/diffs.md", "doc/editors.md", "doc/fleet.md", "doc/performance.md",
             "doc/playground.md"]
PATH = re.compile(r"(?<![\w./-])(?:src|tests|grammar|samples|man|doc|debian|editors|python|\.ci)/[\w.*/-]*[\w*/]")

# Words that read as if translated; write after, before, is, reports, unused, unknown, depends on, "is not a" instead.
ODD = re.compile(
    r"\b(behind|stands?|told|tells?|nobody|hangs\s+on|in\s+front\s+of|wherever\s+it)\b"
    r"|(?<!\bthere )\bis\s+no\b(?!\s+(?:longer|such)\b)",
    re.I,
)
# the same for names, and other words that describe programs as if they were people
ODD_NAMES = re.compile(r"(?<![a-z])(behind|stands?|told|tells?|nobody|(?:un)?heard|hears?|married|lends?)(?![a-z])", re.I)
# the first commit under the rule for subjects; a clone that lacks it is not checked
RULED = "8f3f37704aaf78f38f6a379adc03ee5f914933fa"
# printed text is checked where it is written; texts of JAX and recorded inputs are excluded
EXEMPT = r"\.(out|jaxpr|xz|png|svg)$|^tests/.*\.jsonl?$|package-lock\.json$|^tests/house\.py$|^LICENSE|/corpus/|^tests/fuzz/(seeds|frozen)"
# of these kinds of files the whole text is for people; of others, comments and strings
PROSE = (".md", ".1", ".5", ".7", ".3", ".def", ".html", ".log", ".tsv", ".yaml", ".yml", ".toml", ".rst")
CODE = {
    (".lua", ".el", ".scm", ".vim", ".txt", ".ipynb", ".json"): r".+",
    (".c", ".h", ".l", ".y", ".js", ".ts", ".mjs", ".css"): r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    ("",): r"\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|(?<![\w$])\#[^\n]*",
}

# functions that call themselves to a depth that does not depend on the input, and its bound
BOUNDED = {
    "with_arguments": "DEPTH calls of a size",
    "with_bound": "DEPTH calls of a size",
    "with_call": "DEPTH calls of a size",
    "atom_hash": "a ref's own atom is a variable",
    "atoms_same": "a ref's own atom is a variable",
    "copy_atom": "a ref's own atom is a variable",
    "mark": "a ref's own atom is a variable",
    "mark_used": "a ref's own atom is a variable",
    "memo_grow": "a table that has grown has room",
    "memo_set": "a table that has grown has room",
    "output_puts": "what is written before the rest has nothing before it",
    "output_write": "what is written before the rest has nothing before it",
    "intern_inner": "REF_DEPTH",
    "is_natural": "DEPTH calls of a size",
    "never_negative": "DEPTH calls of a size",
    "put_atom": "a ref's own atom is a variable",
    "read_ref": "REF_DEPTH",
    "read_digits": "the level of escapes, at most 2",
    "read_unit": "the level of escapes, at most 2",
    "read_utf16": "the level of escapes, at most 2",
    "type_read": "REF_DEPTH",
    "types_intern": "REF_DEPTH",
}


def functions(lines):
    """name, first and last line of each function definition: braces in the first column, as the house writes them"""
    start = None
    for i, line in enumerate(lines):
        if line == "{" and start is None:
            start = i
        elif line == "}" and start is not None:
            name = None
            for j in range(start - 1, max(start - 12, -1), -1):
                # functions that a macro of their name calls are defined as `bool(jx_type_at)(`
                found = re.match(r"[a-z_0-9 ]+\((jx_\w+)\)\(", lines[j]) or re.match(r"([a-z_]\w*)\(", lines[j])
                if found:
                    name = found[1]
                    break
            if name:
                yield name, start, i
            start = None


def calls(body, names):
    text = re.sub(r'"(\\.|[^"\\])*"|/\*.*?\*/|//[^\n]*', "", body, flags=re.S)
    return {word for word in re.findall(r"\b([a-z_][A-Za-z0-9_]*)\(", text) if word in names}


def cycles(graph):
    """functions that reach themselves"""
    wrong = []
    for start in graph:
        seen, todo = set(), list(graph[start])
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo.extend(graph[name])
        if start in seen:
            wrong.append(start)
    return wrong


def uncommented(lines):
    """line numbers of declarations of functions in a header without a comment"""
    for i, line in enumerate(lines):
        if not re.match(r"(JX_API |static inline )?[a-z][A-Za-z0-9_ ]*[ *]([a-z_][a-z0-9_]*)\(", line) or "=" in line or "*/" in line:
            continue
        above = lines[i - 1].strip()
        # one comment may precede a group of declarations without a blank line between
        j = i - 1
        while j > 0 and lines[j].strip() and not lines[j].rstrip().endswith("*/"):
            j -= 1
        if not above or not lines[j].rstrip().endswith("*/"):
            yield i + 1


def judge(path, wrong):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")
    if lines[-1] != "" or lines[-2:-1] == [""]:
        wrong(len(lines), "the file does not end with one newline")
    if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(lines[:3]):
        wrong(1, "no SPDX line at the head")
    for i, line in enumerate(lines, 1):
        if line != line.rstrip():
            wrong(i, "blanks at the end")
        if "\t" in line:
            wrong(i, "a tab")
    if not path.endswith((".c", ".h", ".l", ".y")):
        return
    for i, line in enumerate(lines, 1):
        if len(line) > MOST_COLUMNS:
            wrong(i, f"{len(line)} columns")
    if len(lines) - 1 > MOST_LINES:
        wrong(MOST_LINES, f"{len(lines) - 1} lines in one file")
    if os.path.basename(path).startswith("util"):
        wrong(1, "a file called util")
    if not re.match(r"(%option.*\n)*/\* SPDX[^\n]*\n \*\n \* \w", text):
        wrong(1, "the head does not say the file's idea")
    if path.endswith(".h"):
        for line in uncommented(lines):
            wrong(line, "a declaration without a comment")
    found = list(functions(lines))
    for name, first, last in found:
        if last - first + 1 > MOST_FUNCTION:
            wrong(first + 1, f"{name} has {last - first + 1} lines")
    if os.sep + "src" + os.sep in path:
        names = {name for name, _, _ in found}
        graph = {name: calls("\n".join(lines[first:last]), names) for name, first, last in found}
        for name in cycles(graph):
            if name not in BOUNDED:
                wrong(1, f"{name} calls itself")


def odd_words(path, wrong):
    """reports words of ODD in the text of a file that people read"""
    with open(path, "rb") as file:
        data = file.read()
    if b"\0" in data:
        return
    text = data.decode("utf-8", "replace")
    extension = os.path.splitext(path)[1]
    pieces = [(0, text)]
    if extension not in PROSE:
        pattern = next(p for kinds, p in CODE.items() if extension in kinds or kinds == ("",))
        pieces = [(m.start(), m[0]) for m in re.finditer(pattern, text, re.S)]
    for start, piece in pieces:
        for found in ODD.finditer(piece):
            wrong(text.count("\n", 0, start + found.start()) + 1, f"`{' '.join(found[0].split())}` in what people read")
    if extension not in PROSE:
        for found in ODD_NAMES.finditer(text):
            wrong(text.count("\n", 0, found.start()) + 1, f"`{found[0]}` in a name or what people read")


def tracked(root, *arguments):
    """the lines that git prints; none without git or outside of a repository"""
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    except FileNotFoundError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def missing(path, root):
    """whether nothing has this path: that of a file or directory, or the beginning of golden cases' names"""
    where = os.path.join(root, path)
    below = os.path.join(os.path.dirname(where), "**", os.path.basename(where) + "*")
    return not (glob.glob(where) or glob.glob(where + ".*") or "/golden/" in where and glob.glob(below, recursive=True))


# members of struct module that are filled after reading: by findings and passes, or on first use
GIVEN_LATER = {"extra", "comment_of", "copied", "unprinted", "damaged", "dim_names", "likes", "origins"}


def wrong_guards(root):
    """(path, what) for each header of src/ whose guard does not contain the file's name, or is another header's too"""
    owner = {}
    for path in sorted(glob.glob(os.path.join(root, "src", "**", "*.h"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            found = re.search(r"#ifndef (\w+)\n#define \1\n", file.read())
        name = re.sub(r"\W", "_", os.path.basename(path)).upper()
        if not found or not re.fullmatch(rf"(JX_([A-Z]+_)?)?{name}", found[1]):
            yield path, f"the guard is not that of {name}"
        elif owner.setdefault(found[1], path) != path:
            yield path, f"the guard is also that of {os.path.relpath(owner[found[1]], root)}"


def members_left_out(root):
    """(function, member) for the arrays and tables of struct module that module_copy does not copy, and for those that
    module_append does not append, or appends though they are in GIVEN_LATER"""
    def text(name):
        with open(os.path.join(root, "src/ir", name), encoding="utf-8") as file:
            return file.read()
    members = text("module.h").split("struct module {", 1)[1].split("\n};", 1)[0]
    names = re.findall(r"(?:VEC\(.*?\)|struct memo)\s+(\w+);", members)
    copy, append = text("module_copy.c"), text("module_append.c")
    return ([("module_copy", name) for name in names if not re.search(rf"(?:m|to)->{name}\b", copy)] +
            [("module_append", name) for name in names
             if (name in GIVEN_LATER) == bool(re.search(rf"MAKE_ROOM\(a, {name}\)|from->{name}\b", append))])


def main(root):
    count = 0

    def report(path):
        def wrong(line, what):
            nonlocal count
            count += 1
            print(f"{os.path.relpath(path, root)}:{line}: {what}")
        return wrong

    files = 0
    for room in ("src", "grammar", "tests", "python"):
        for directory, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".l", ".y", ".def", ".py")):
                    files += 1
                    judge(os.path.join(directory, name), report(os.path.join(directory, name)))
    for name in DOCUMENTS:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for path in PATH.findall(line):
                    if missing(path, root):
                        report(os.path.join(root, name))(number, f"{path} does not exist")
    for name in tracked(root, "ls-files"):
        path = os.path.join(root, name)
        if not re.search(EXEMPT, name) and os.path.isfile(path) and not os.path.islink(path):
            odd_words(path, report(path))
    for subject in tracked(root, "log", "--no-merges", "--format=%h %s", RULED + "..HEAD"):
        commit, words = subject.split(" ", 1)
        if len(words) > MOST_SUBJECT:
            count += 1
            print(f"{commit}: the subject has {len(words)} characters, {MOST_SUBJECT} are allowed")
    for path, what in wrong_guards(root):
        report(path)(1, what)
    for function, name in members_left_out(root):
        report(os.path.join(root, f"src/ir/{function}.c"))(1, f"`{name}` of struct module is left out")
    print(f"{files} files, {count} things wrong")
    if count:
        print("repeat:", shlex.join(sys.argv))
    return 1 if count or not files else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1])))
