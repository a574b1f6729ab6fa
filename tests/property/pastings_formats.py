# SPDX-License-Identifier: Apache-2.0
"""Ways in which text is damaged by markup, serialized data, corrections of phones and office programs, terminals, logs,
comparisons and merges, one-line scripts, language models and mixed output."""

import csv
import html
import io
import json
import re
import textwrap
import urllib.parse

from pastings import EDITS, WAYS, each_line, fold, if_changed, numbered, put_line, replaced, some_lines
from pastings_teams import lines_of
from pastings_tools import every, one_line, some

WAYS.clear()  # those of the other modules


def before(prefix):
    return each_line(lambda line: (prefix + line).rstrip())


def signs(table):
    """every sign of a table, replaced"""
    return every("[" + "".join(re.escape(c) for c in table) + "]", lambda m: table[m[0]])


def other_sizes(line):
    return re.sub(r"(?<=[\[,])\d+(?=[\],])", lambda m: str(int(m[0]) + 1), line)


# ---- markup ----

WAYS["spans of a highlighted page"] = lambda text, dice: re.sub(
    r"\b(lambda|let|in)\b", r'<span class="pl-k">\1</span>', html.escape(text, quote=False))
WAYS["entities by number"] = signs({c: f"&#{ord(c)};" for c in "[]{}()=:;,'_<>"})
WAYS["entities by name"] = signs({"[": "&lbrack;", "]": "&rbrack;", "=": "&equals;", "_": "&lowbar;", ":": "&colon;"})
WAYS["one entity"] = some(r"[\[\]=:_,]", 0, lambda m, dice: f"&#{ord(m[0])};")
WAYS["an entity without its sign"] = some(r"[\[\]=:,]", 0, lambda m, dice: f"#{ord(m[0])};")
WAYS["braces escaped by Jira"] = signs({"{": "\\{", "}": "\\}", "[": "\\[", "]": "\\]"})
WAYS["dashes struck out by Jira"] = if_changed(lambda text, dice: re.sub(r"-(\S[^-\n]*)-", r"\1", text))
WAYS["MediaWiki"] = lambda text, dice: " <nowiki>" + text.replace("\n", "\n ") + "</nowiki>"
WAYS["italics of MediaWiki"] = every("''+", "")
WAYS["code of BBCode"] = lambda text, dice: "[code]" + text + "[/code]"
WAYS["styles of BBCode eaten"] = every(r"\[/?[biuscq]\]", "")
WAYS["code of Trac"] = lambda text, dice: "{{{\n" + text + "\n}}}"
WAYS["callouts of AsciiDoc"] = some(r"(?<=\S)(?=\n)", 0.2, lambda m, dice: f" <{dice.randrange(1, 9)}>")
WAYS["subscripts of org"] = every(r"(?<=\w)_(\w+)", r"<sub>\1</sub>")
WAYS["subscripts lost with their underscore"] = some(r"(?<=[a-z])_([a-z]+)\b", 0, "")
WAYS["macros of Pygments"] = signs({"_": r"\PYGZus{}", "[": r"\PYGZob{}", "{": r"\PYGZob{}", "}": r"\PYGZcb{}"})
WAYS["lines broken by listings"] = if_changed(lambda text, dice: fold(text, 72).replace("\n", "\n    \u21aa "))
WAYS["lines broken by listings, at both ends"] = if_changed(lambda text, dice: "\n".join(
    fold(line, 72).replace("\n", " \u21a9\n\u21aa ") for line in text.split("\n")))
WAYS["angle brackets of a TeX font"] = signs({"<": "\u00a1", ">": "\u00bf", "|": "\u2014"})
WAYS["dashes of TeX"] = signs({"-": "\u2013", "'": "\u2019", "~": "\u00a0"})
WAYS["a footnote on a page"] = lambda text, dice: put_line(text, dice, "1 See Section 3 for the loss.")

# ---- comments and source ----

for language, prefix in {"SQL": "-- ", "TeX": "% ", "Fortran": "! ", "BASIC": "REM ", "Vim": '" ', "Rust": "/// ",
                         "Doxygen": "//! ", "M4": "dnl ", "troff": '.\\" '}.items():
    WAYS["comment of " + language] = before(prefix)
WAYS["comment of HTML"] = lambda text, dice: "<!--\n" + text + "\n-->"
WAYS["a repr of a record"] = lambda text, dice: "Traced(name='f', jaxpr=" + repr(text) + ", step=3)"
WAYS["a repr of a repr"] = lambda text, dice: repr(repr(text))
WAYS["a list of lines of bytes"] = lambda text, dice: repr(text.encode().splitlines(True))
WAYS["lines that are added in Java"] = lambda text, dice: "\n    + ".join(json.dumps(line + "\n") for line in text.split("\n"))
WAYS["a line without its quotes"] = lambda text, dice: (lambda at, lines: "\n".join(
    line if i == at else json.dumps(line + "\n") for i, line in enumerate(lines)))(
        dice.randrange(1, text.count("\n") + 1), text.split("\n")) if "\n" in text else None

# ---- data ----

WAYS["JSON of Go"] = lambda text, dice: json.dumps({"j": text}).replace("<", "\\u003c").replace(">", "\\u003e")
WAYS["JSON with every sign escaped"] = lambda text, dice: '"' + re.sub(
    r"[^\w ]", lambda m: f"\\u{ord(m[0]):04x}", text, flags=re.A) + '"'
WAYS["URL encoded twice"] = lambda text, dice: urllib.parse.quote(urllib.parse.quote(text))
WAYS["spaces of a URL"] = replaced(" ", "%20")
WAYS["a column of CSV"] = lambda text, dice: (lambda out: (csv.writer(out).writerows(
    [line] for line in text.split("\n")), out.getvalue())[1])(io.StringIO())
WAYS["a row of TSV"] = lambda text, dice: "f\t" + text.replace("\\", "\\\\").replace("\n", "\\n") + "\t3"
WAYS["a list of YAML"] = lambda text, dice: "jaxpr:\n" + "\n".join("- '" + line.replace("'", "''") + "'" for line in text.split("\n"))
WAYS["a quoted scalar of YAML"] = lambda text, dice: "jaxpr: '" + text.replace("'", "''").replace("\n", "\n\n  ") + "'"
WAYS["octal escapes of lines"] = replaced("\n", "\\012")
WAYS["values of INI"] = lambda text, dice: "jaxpr = " + text.replace("\n", "\n    ") + "\nstep = 3"
WAYS["values of an env file"] = lambda text, dice: "JAXPR=" + json.dumps(text).replace("$", "\\$")

# ---- phones, keyboards and office programs ----

WAYS["two spaces as a full stop"] = some(r"(?<=\S) {2}(?=\S)", 0, ". ")
WAYS["indentation as full stops"] = every(r"(?<=\n)  ", ". ")
WAYS["a keycap for a digit"] = some(r"\d", 0, lambda m, dice: m[0] + "\ufe0f\u20e3")
WAYS["circled digits"] = some("[1-9]", 0.1, lambda m, dice: chr(0x2460 + int(m[0]) - 1))
WAYS["emoticons of numbers"] = some(r"8\)|:[/3()]", 0.5, "\U0001f60e")
WAYS["a colour after a hash"] = some(r"\b\d{3,6}\b", 0, lambda m, dice: "#" + m[0])
WAYS["digits of a French keyboard"] = some(r"\d", 0, lambda m, dice: "\u00e0&\u00e9\"'(-\u00e8_\u00e7"[int(m[0])])
WAYS["brackets of a German keyboard"] = some(r"[\[\]{}]", 0, lambda m, dice: {"[": "\u00fc", "]": "+", "{": "\u00e4", "}": "#"}[m[0]])
WAYS["a number as a word"] = some(r"\b\d\b", 0, lambda m, dice: "zero one two three four five six seven eight nine".split()[int(m[0])])
WAYS["a number of Rome"] = some(r"\b[1-9]\b", 0, lambda m, dice: "I II III IV V VI VII VIII IX".split()[int(m[0]) - 1])
WAYS["an ordinal"] = some(r"\b\d\b", 0, lambda m, dice: m[0] + {"1": "st", "2": "nd", "3": "rd"}.get(m[0], "th"))
WAYS["filled down in a spreadsheet"] = lines_of(lambda lines, dice: (lambda at: None if not at else (
    lambda i: lines[:i + 1] + [re.sub(r"\d+", lambda m: str(int(m[0]) + 1), lines[i], count=1)] + lines[i + 2:])(
        dice.choice(at)))([i for i in range(len(lines) - 2) if re.search(r"\d", lines[i])]))
WAYS["words of Chinese"] = some(r"\b(True|False|None|lambda|let|in)\b", 0.5, lambda m, dice: {
    "True": "\u771f", "False": "\u5047", "None": "\u65e0", "lambda": "\u03bb", "let": "\u8ba9", "in": "\u5728"}[m[0]])
WAYS["one word of Spanish"] = some(r"\b(True|False|None|axes|name|length|shape|index|mode|limit|slice|sort|max|min)\b", 0, lambda m, dice: {
    "True": "Verdadero", "False": "Falso", "None": "Ninguno", "axes": "ejes", "name": "nombre", "length": "longitud",
    "shape": "forma", "index": "\u00edndice", "mode": "modo", "limit": "l\u00edmite", "slice": "rebanada",
    "sort": "ordenar", "max": "m\u00e1x", "min": "m\u00edn"}[m[0]])

# ---- right to left ----

MIRROR = str.maketrans("[](){}<>", "][)(}{><")
WAYS["brackets of a line mirrored"] = lambda text, dice: some_lines(text, dice, 0, lambda line: line.translate(MIRROR))
WAYS["words of a line in reverse"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: " ".join(reversed(line.strip().split(" "))))
WAYS["one pair of brackets in reverse"] = some(r"\[([\w,]+)\]", 0, lambda m, dice: "[" + ",".join(reversed(m[1].split(","))) + "]")

# ---- terminals ----

for width in (60, 80, 100, 120):
    WAYS[f"copied from {width} columns, blanks at ends lost"] = if_changed(
        lambda text, dice, width=width: "\n".join(line.rstrip() for line in fold(text, width).split("\n"))
        if max(map(len, text.split("\n"))) > width else text)
    WAYS[f"copied from {width} columns, blanks at both ends lost"] = if_changed(
        lambda text, dice, width=width: "\n".join("\n".join(
            piece.strip() if i else piece.rstrip() for i, piece in enumerate(fold(line, width).split("\n")))
            for line in text.split("\n")) if max(map(len, text.split("\n"))) > width else text)
WAYS["scrolled to the right"] = each_line(lambda line: line[20:])
WAYS["scrolled to the right, with signs"] = each_line(lambda line: "<" + line[9:] if len(line) > 8 else line)
WAYS["colours of less"] = every(r"\b(lambda |let\b|in(?= \())", "ESC[34m\\1ESC[39m")
WAYS["addressed by the cursor"] = lambda text, dice: "".join(
    f"\x1b[{i + 1};1H{line}\x1b[K" for i, line in enumerate(text.split("\n")))
WAYS["moved to by columns"] = each_line(lambda line: re.sub("^ +", lambda m: f"\x1b[{len(m[0])}C", line))
WAYS["lines that do not fit"] = lines_of(lambda lines, dice: lines[:-3] + ["@"] * 3 if len(lines) > 5 else None)
WAYS["recorded by script"] = lambda text, dice: "Script started on 2026-11-20\n$ cat j\n" + text + "\n$ exit\n\nScript done\n"
WAYS["a status bar inside"] = lambda text, dice: put_line(text, dice, '[0] 0:bash* "host" 21:07 20-Nov-26')
WAYS["a search mark of vim"] = lambda text, dice: put_line(text, dice, "/reduce_sum")
WAYS["a line typed over, with CR"] = lambda text, dice: some_lines(text, dice, 0, lambda line: line[:12] + "\r" + line[12:])

# ---- logs ----

LOGS = {
    "kubectl": "[pod/trainer-0/main] {1}", "airflow": "[2026-11-20, 21:07:08 UTC] {{train.py:41}} INFO - {1}",
    "torchrun": "[default0]:{1}", "wandb": "wandb: {1}", "pm2": "0|train  | {1}", "Heroku": "2026-11-20T21:07:08+00:00 app[web.1]: {1}",
    "journald, exported": "MESSAGE={1}", "XLA": "2026-11-20 21:07:08.{0:06}: I xla/service/service.cc:145] {1}",
    "Azure": "##[debug]{1}", "Ansible": '        "{1}",', "logrus": 'time="21:07:08" level=info msg="{1}"',
    "an epoch": "1732136828.{0:03} {1}", "a level in brackets": "[INFO] {1}", "a thread": "[MainThread] {1}",
    "a step": "step {0}: {1}", "a tree": "\u251c\u2500\u2500 {1}", "Bazel": "(21:07:08) INFO: From Testing //a:b: {1}",
}
for kind, pattern in LOGS.items():
    WAYS["lines of a log: " + kind] = numbered(pattern)
WAYS["repeated across a cluster"] = lambda text, dice: some_lines(
    text, dice, 0.2, lambda line: line + " [repeated 3x across cluster]")
WAYS["a traceback inside"] = lambda text, dice: put_line(
    text, dice, "Traceback (most recent call last):\n  File \"train.py\", line 3, in f\n    g()\nValueError: bad")
WAYS["a table of a step inside"] = lambda text, dice: put_line(text, dice, "| loss | 0.25 |\n| step | 3    |")
WAYS["an array inside"] = lambda text, dice: put_line(text, dice, dice.choice(["[0.1 0.2 0.3]", "Array([1, 2], dtype=int32)", "(4, 8)"]))
WAYS["a value inside"] = lambda text, dice: put_line(text, dice, dice.choice(["None", "True", "()", "f32[4]", "nan"]), dice.random() < 0.5)

# ---- comparisons and merges ----


def context_diff(text, dice):
    """what `diff -c` prints of a change of one line"""
    def change(lines, i):
        return ["! " + lines[i], "--- 1,9 ----", "! " + other_sizes(lines[i])]
    return one_line(text, dice, change)


WAYS["context diff"] = context_diff
WAYS["combined diff of a merge"] = lambda text, dice: "\n".join(
    dice.choice(["  ", "  ", "++", "+ ", " +"]) + line for line in text.split("\n"))
WAYS["conflict, first sign alone"] = lambda text, dice: put_line(text, dice, "<<<<<<< HEAD")
WAYS["conflict, last sign alone"] = lambda text, dice: put_line(text, dice, ">>>>>>> 8f3c2a1 (trace)")
WAYS["conflict, line between alone"] = lambda text, dice: put_line(text, dice, "=======")
WAYS["conflict, our side removed with the signs"] = lambda text, dice: one_line(
    text, dice, lambda lines, i: [lines[i], "=======", other_sizes(lines[i])])
WAYS["hunks only"] = lines_of(lambda lines, dice: None if len(lines) < 14 else (
    lambda i: ["@@ -1,3 +1,3 @@"] + [" " + l for l in lines[:4]] + ["@@ -9,3 +9,3 @@"] + [" " + l for l in lines[i:]])(
        dice.randrange(6, len(lines) - 4)))
WAYS["a hunk applied at another place"] = lines_of(lambda lines, dice: None if len(lines) < 9 else (
    lambda i: (lambda rest: rest[:i + 2] + lines[i:i + 2] + rest[i + 2:])(lines[:i] + lines[i + 2:]))(
        dice.randrange(1, len(lines) - 5)))

# ---- scripts of one line ----

WAYS["first equals of lines lost"] = each_line(lambda line: line.replace("=", "", 1))
WAYS["first blank of words lost"] = each_line(lambda line: re.sub(r"(?<=\S) ", "", line, count=1))
WAYS["all digits lost"] = every(r"\d", "")
WAYS["digits of one type lost"] = some(r"(?<=:[fiu])\d+(?=\[)", 0, "")
WAYS["all parentheses lost"] = every("[()]", "")
WAYS["all commas lost"] = replaced(",", "")
WAYS["commas as blanks"] = replaced(",", " ")
WAYS["cut at colons"] = each_line(lambda line: line.split(":")[0])
WAYS["cut at equals"] = each_line(lambda line: line.split("=")[-1])
WAYS["last words lost"] = lambda text, dice: some_lines(text, dice, 0, lambda line: line.rsplit(" ", 1)[0])
WAYS["second words lost"] = lambda text, dice: some_lines(text, dice, 0, lambda line: re.sub(r"^( *\S+) \S+", r"\1", line))
WAYS["three lines lost"] = lines_of(lambda lines, dice: None if len(lines) < 8 else (
    lambda i: lines[:i] + lines[i + 3:])(dice.randrange(1, len(lines) - 4)))
WAYS["every tenth line lost"] = lines_of(lambda lines, dice: [l for i, l in enumerate(lines) if i % 10 != 7] if len(lines) > 7 else None)
WAYS["lines that occur once"] = if_changed(lines_of(lambda lines, dice: [l for l in lines if lines.count(l) == 1]))
WAYS["sorted, each once"] = lines_of(lambda lines, dice: sorted(set(lines)))
WAYS["lines in a random order"] = lines_of(lambda lines, dice: lines[:1] + dice.sample(lines[1:-1], len(lines) - 2) + lines[-1:]
                                           if len(lines) > 4 else None)
WAYS["lines with 0 dropped"] = if_changed(lines_of(lambda lines, dice: [l for l in lines if not re.search(r"=0$|=\(0,\)$", l)]))
WAYS["a digit replaced everywhere"] = every("1", "2")
WAYS["a size replaced everywhere"] = lambda text, dice: (lambda found: found and re.sub(
    rf"(?<=[\[(, ]){found[0]}(?=[\],)])", str(int(found[0]) + 1), text))(
        [dice.choice(each) for each in [re.findall(r"(?<=[\[,])\d+(?=[\],])", text)] if each]) or None
WAYS["a short name replaced everywhere"] = lambda text, dice: re.sub(r"\ba\b", "in_0", text)
WAYS["a keyword replaced everywhere"] = replaced("in", "of")
WAYS["element types replaced everywhere"] = if_changed(replaced("f32", "f16"))
EDITS.update(["a size replaced everywhere", "a digit replaced everywhere", "element types replaced everywhere",
              "words of a line in reverse", "one pair of brackets in reverse", "lines in a random order", "three lines lost",
              "a hunk applied at another place", "last words lost", "filled down in a spreadsheet"])

# ---- language models ----

WAYS["a model: parameters as dots"] = some(r"(?<=\w)\[\w+=[^\[\]{}\n]*\]", 0, "[...]")
WAYS["a model: all parameters dropped"] = some(r"(?<=\w)\[\w+=[^\[\]{}\n]*\]", 0, "")
WAYS["a model: a nested program as dots"] = every(r"\{ lambda ;[^{}]*\}(?= *\n)", "{ ... }")
WAYS["a model: equations as a comment"] = lines_of(lambda lines, dice: None if len(lines) < 7 else (
    lambda i: lines[:i] + [dice.choice(["    # ... same for the other layers", "    # (similar equations omitted)", "    # ..."])] +
    lines[i + 3:])(dice.randrange(2, len(lines) - 4)))
WAYS["a model: equations as a sentence"] = lines_of(lambda lines, dice: None if len(lines) < 7 else (
    lambda i: lines[:i] + ["    (3 more equations)"] + lines[i + 3:])(dice.randrange(2, len(lines) - 4)))
WAYS["a model: a list of sizes shortened"] = some(r"\[(\d+),(\d+)(?:,\d+)+\]", 0, lambda m, dice: f"[{m[1]},...]")
WAYS["a model: letters for sizes"] = some(r"(?<=[\[,])\d+(?=[\],])", 0, lambda m, dice: dice.choice("NDBHT"))
WAYS["a model: comments after equations"] = if_changed(each_line(
    lambda line: line + "  # compute" if re.search(r" = \w+ \w+( \w+)?$", line) else line))
WAYS["a model: words in bold"] = some(r"(?<= = )\w+", 0.5, lambda m, dice: "**" + m[0] + "**")
WAYS["a model: an equation explained below"] = lambda text, dice: one_line(
    text, dice, lambda lines, i: [lines[i], "    ^ this computes the sum of squares"])
WAYS["a model: numbers rounded to 3 digits"] = some(r"\d+\.\d{4,}(?:e-?\d+)?", 1, lambda m, dice: f"{float(m[0]):.3g}")
WAYS["a model: two equations as one"] = every(r"(?m)^( +\w+:\S+) = (\w+) (\w+)\n +\w+:\S+ = (\w+) \w+$", r"\1 = \4 (\2 \3)")
WAYS["a model: quoted with a bar"] = lambda text, dice: "Here is the jaxpr:\n\n" + textwrap.indent(text, "> ") + "\n\nIt is correct."

# ---- mixed output ----


def mixed(text, change, dice):
    """the lines of two processes that print at once, each in its order"""
    left, right = text.split("\n"), change(text).split("\n")
    out = []
    while left or right:
        side = left if not right or left and dice.random() < 0.5 else right
        out.append(side.pop(0))
    return "\n".join(out)


WAYS["the same program printed twice at once"] = lambda text, dice: mixed(text, lambda t: t, dice)
WAYS["a program and one of other sizes at once"] = lambda text, dice: mixed(text, other_sizes, dice)
WAYS["a program inside of another"] = lambda text, dice: put_line(
    text, dice, "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }")
WAYS["the beginning of another program"] = lambda text, dice: put_line(text, dice, "{ lambda ; a:f32[3]. let")
WAYS["a line of another program"] = lambda text, dice: put_line(text, dice, "    b:f32[3] = sin a")
WAYS["the end of another program"] = lambda text, dice: put_line(text, dice, "  in (b,) }")
WAYS["two programs without a line end"] = lambda text, dice: text + "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"
