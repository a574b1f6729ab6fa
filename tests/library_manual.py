#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libjaxpr(3) contains every function and every structure of the headers, as they are declared there.

    library_manual.py [--update] SOURCE_ROOT

--update rewrites its SYNOPSIS and its section TYPES from the headers."""

import os
import re
import sys
import textwrap

WIDTH = 73  # of code on a page that is printed for 80 columns
FIXED = "\u00a0"
HEADERS = ("jaxpr.h", "jaxpr_change.h", "jaxpr_tools.h", "jaxpr_walk.h")
FUNCTION = re.compile(r"^JX_API (?:JX_CHECKED )?([^;]*?)\b(jx_\w+)\(([^;]*)\);", re.M)
BODY = r"\{(?:[^\n]*\};$|[\s\S]*?^\};)"
# with the comment before it
TYPE = re.compile(r"(?:^/\*(?:(?!\*/)[\s\S])*?\*/\n)?^(?:(?:enum|struct) jx_\w+ %s|typedef [^;]*;)" % BODY, re.M)


def synopsis(text):
    """the prototypes of a header"""
    for result, name, arguments in FUNCTION.findall(text):
        yield '.Ft "%s"' % result.strip() if " " in result.strip() else ".Ft " + result.strip()
        yield ".Fo " + name
        for argument in re.sub(r"\s+", " ", arguments).split(", "):
            yield '.Fa "%s"' % argument if " " in argument else ".Fa " + argument
        yield ".Fc"


def wrap(text, first, others):
    """the lines of a text, which begin with `first` and `others`, and do not end at a FIXED space"""
    lines = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=others,
                          break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return [line.replace(FIXED, " ") for line in lines]


def narrow(declared):
    """the lines of a declaration, at most WIDTH wide: a comment that does not fit is put on lines of its own, before
    the code that it follows"""
    # a comment and its continuation lines are one line
    declared = re.sub(r"/\*[\s\S]*?\*/", lambda m: re.sub(r"\n *\*(?!/) ?| *\n *(?=\*/)", " ", m[0]), declared)
    for line in declared.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        code, comment = re.fullmatch(r"\s*(.*?)\s*(/\*.*\*/)?", line).groups()
        if len(line) <= WIDTH:
            yield line
            continue
        if comment:
            yield from wrap(comment.replace(" */", FIXED + "*/"), indent, indent + " * ")
        if code:
            yield from wrap(re.sub(r"(?<!,) ", FIXED, code), indent, indent + "    ")


def types(text):
    """the structures, enumerations and typedefs that a header declares, with their comments"""
    for declared in TYPE.findall(text):
        yield ".Bd -literal"
        for line in narrow(declared):
            line = line.replace("\\", "\\e")
            yield "\\&" + line if line[:1] in (".", "'") else line
        yield ".Ed"


def main():
    root = sys.argv[-1]
    path = os.path.join(root, "man", "libjaxpr.3")
    with open(path, encoding="utf-8") as file:
        was = page = file.read()
    headers = [open(os.path.join(root, "src", name), encoding="utf-8").read() for name in HEADERS]
    prototypes = [line for text in headers for line in synopsis(text)]
    declared = [line for text in headers for line in types(text)]
    page = re.sub(r"(?<=\.In jaxpr\.h\n)[\s\S]*?(?=\.Sh DESCRIPTION\n)", lambda m: "\n".join(prototypes) + "\n", page, count=1)
    page = re.sub(r"\.Sh TYPES\n[\s\S]*?(?=\.Sh RETURN VALUES\n)", "", page, count=1)
    page = page.replace(".Sh RETURN VALUES\n", ".Sh TYPES\n" + "\n".join(declared) + "\n.Sh RETURN VALUES\n", 1)
    missing = [name for text in headers for name in re.findall(r"^(?:enum|struct) (jx_\w+) \{", text, re.M)
               if not re.search(r"(?:enum|struct) %s \{" % name, page)]  # fmt: skip
    if missing:
        sys.exit("declarations that this script does not recognize: " + " ".join(missing))
    if page == was:
        return 0
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        return 0
    print(f"{path} is not what the headers declare: run {sys.argv[0]} --update {root}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
