# SPDX-License-Identifier: Apache-2.0
"""Ways in which text is damaged between the program that printed it and the one that reads it: each takes a text and a
random generator, and returns the damaged text, or None if the text has nothing that it damages."""

import html
import json
import re
import textwrap

WAYS = {}
# ways in which a person edits a program, which may make another valid one
EDITS = {"two lines swapped", "an equation doubled", "a parameter line doubled"}


def way(name):
    def add(function):
        WAYS[name] = function
        return function

    return add


def each_line(change):
    return lambda text, dice: "\n".join(change(line) for line in text.split("\n"))


def some_lines(text, dice, share, change, first=1):
    """the text with `change` made to a share of its lines from `first` on, one at least; None if it has too few
    lines"""
    lines = text.split("\n")
    if len(lines) <= first + 1:
        return None
    sure = dice.randrange(first, len(lines) - 1)
    return "\n".join(change(line) if i == sure or (i >= first and dice.random() < share) else line
                     for i, line in enumerate(lines))


def put_line(text, dice, line, indented=False):
    """the text with `line` inserted before a random line; None if it has too few lines"""
    lines = text.split("\n")
    if len(lines) < 3:
        return None
    at = dice.randrange(1, len(lines))
    indent = re.match(" *", lines[at])[0] if indented else ""
    return "\n".join(lines[:at] + [indent + line] + lines[at:])


def replaced(old, new):
    return lambda text, dice: text.replace(old, new) if old in text else None


# ---- text around lines ----

PREFIXES = {
    "line numbers": lambda i: f"{i + 1:4}  ",
    "grep": lambda i: f"train.log:{i + 17}:",
    "grep context": lambda i: f"train.log{':' if i % 3 == 0 else '-'}{i + 17}{':' if i % 3 == 0 else '-'}",
    "log": lambda i: f"I1120 21:07:08.{100000 + 37 * i} 140735 train.py:41] ",
    "log of Python": lambda i: "INFO:root:",
    "rank": lambda i: "[rank0]: ",
    "box": lambda i: "\u2502 ",
    "table": lambda i: "| ",
    "mail": lambda i: "> ",
    "comment": lambda i: "# ",
    "comment of C": lambda i: "// ",
    "prompt": lambda i: ">>> " if i == 0 else "... ",
    "notebook": lambda i: "Out[3]: " if i == 0 else "        ",
    "indented": lambda i: "    ",
    "indented by a tab": lambda i: "\t",
    "added": lambda i: "+",
    "removed": lambda i: "-",
    "diff of git": lambda i: "+ ",
    "pytest": lambda i: "E       ",
}


def prefixed(before):
    return lambda text, dice: "\n".join(before(i) + line for i, line in enumerate(text.split("\n")))


for kind, before in PREFIXES.items():
    WAYS["before lines: " + kind] = prefixed(before)

WAYS["fenced"] = lambda text, dice: "```\n" + text + "\n```"
WAYS["fenced in a list"] = lambda text, dice: "- this:\n\n  ```\n" + textwrap.indent(text, "  ") + "\n  ```"
WAYS["repr"] = lambda text, dice: repr(text)
WAYS["JSON"] = lambda text, dice: json.dumps({"jaxpr": text})
WAYS["quotes of three"] = lambda text, dice: '"""' + text + '"""'
WAYS["box all around"] = lambda text, dice: "\n".join(
    ["\u250c" + "\u2500" * 120 + "\u2510"] + ["\u2502" + line.ljust(120) + "\u2502" for line in text.split("\n")] +
    ["\u2514" + "\u2500" * 120 + "\u2518"]) if max(map(len, text.split("\n"))) <= 120 else None
WAYS["padded to a width"] = lambda text, dice: "\n".join(line.ljust(100) for line in text.split("\n"))


@way("colours")
def _(text, dice):
    text = re.sub(r"\b(lambda |let\b|in(?= \())", "\x1b[34m\x1b[1m\\1\x1b[22m\x1b[39m", text)
    return re.sub(r":([a-z]\w*\[[^]]*\])", ":\x1b[35m\\1\x1b[39m", text)


@way("colours without escapes")
def _(text, dice):
    return re.sub(r"\b(lambda |let\b|in(?= \())", "[34m[1m\\1[22m[39m", text)


# ---- spaces and line ends ----

WAYS["CRLF"] = replaced("\n", "\r\n")
WAYS["CR CR LF"] = replaced("\n", "\r\r\n")
WAYS["lone CR"] = replaced("\n", "\r")
WAYS["some CR"] = lambda text, dice: "".join(
    "\r" if c == "\n" and dice.random() < 0.3 else c for c in text) if "\n" in text else None
WAYS["some CRLF"] = lambda text, dice: "".join(
    "\r\n" if c == "\n" and dice.random() < 0.3 else c for c in text) if "\n" in text else None
WAYS["byte order mark"] = lambda text, dice: "\ufeff" + text
WAYS["line separators"] = replaced("\n", "\u2028")
WAYS["next line"] = replaced("\n", "\u0085")
WAYS["form feeds"] = lambda text, dice: some_lines(text, dice, 0.1, lambda line: "\f" + line)
WAYS["vertical tabs"] = replaced("\n", "\v")
WAYS["blank lines"] = lambda text, dice: some_lines(text, dice, 0.3, lambda line: "\n" + line)
WAYS["double spaced"] = replaced("\n", "\n\n")
WAYS["blanks as tabs"] = replaced(" ", "\t")
WAYS["some blanks as tabs"] = lambda text, dice: "".join(
    "\t" if c == " " and dice.random() < 0.1 else c for c in text)
WAYS["indentation as tabs of 8"] = lambda text, dice: re.sub(
    r"(?m)^ {8,}", lambda m: "\t" * (len(m[0]) // 8) + " " * (len(m[0]) % 8), text)
WAYS["indentation as tabs of 4"] = lambda text, dice: re.sub(
    r"(?m)^ {4,}", lambda m: "\t" * (len(m[0]) // 4) + " " * (len(m[0]) % 4), text)
WAYS["indentation as tabs of 2"] = lambda text, dice: re.sub(
    r"(?m)^ {2,}", lambda m: "\t" * (len(m[0]) // 2) + " " * (len(m[0]) % 2), text)
WAYS["runs of 8 as tabs"] = lambda text, dice: textwrap_unexpand(text)
WAYS["indentation lost"] = each_line(lambda line: line.lstrip(" "))
WAYS["indentation of some lines lost"] = lambda text, dice: some_lines(text, dice, 0.2, lambda line: line.lstrip(" "))
WAYS["indentation of one"] = each_line(lambda line: re.sub("^ +", " ", line))
WAYS["indentation halved"] = each_line(lambda line: re.sub("^ +", lambda m: m[0][: len(m[0]) // 2], line))
WAYS["indentation shaken"] = lambda text, dice: some_lines(
    text, dice, 0.2, lambda line: " " * dice.randrange(12) + line.lstrip(" "))
WAYS["runs of blanks as one"] = each_line(lambda line: re.sub(" +", " ", line))
WAYS["blanks doubled"] = replaced(" ", "  ")
WAYS["trailing blanks"] = lambda text, dice: some_lines(text, dice, 0.5, lambda line: line + " " * dice.randrange(1, 4))
WAYS["trailing tabs"] = lambda text, dice: some_lines(text, dice, 0.5, lambda line: line + "\t")
WAYS["no-break blanks"] = replaced(" ", "\u00a0")
WAYS["no-break indentation"] = each_line(lambda line: re.sub("^ +", lambda m: "\u00a0" * len(m[0]), line))
WAYS["every second blank no-break"] = replaced("  ", " \u00a0")
WAYS["some no-break blanks"] = lambda text, dice: "".join(
    "\u00a0" if c == " " and dice.random() < 0.05 else c for c in text)
WAYS["narrow no-break blanks"] = replaced(" ", "\u202f")
WAYS["zero width spaces"] = lambda text, dice: re.sub(
    r"[\[(,=]", lambda m: m[0] + ("\u200b" if dice.random() < 0.3 else ""), text)
WAYS["soft hyphens"] = lambda text, dice: re.sub(
    r"\B_", lambda m: ("\u00ad" if dice.random() < 0.5 else "") + m[0], text) if "_" in text else None


def textwrap_unexpand(text):
    """what unexpand(1) does with -a"""
    out = []
    for line in text.split("\n"):
        pieces = [line[i:i + 8] for i in range(0, len(line), 8)]
        out.append("".join(re.sub("  +$", "\t", p) if len(p) == 8 else p for p in pieces))
    return "\n".join(out) if any("\t" in line for line in out) else None


# ---- characters ----

WAYS["minus sign"] = replaced("-", "\u2212")
WAYS["en dash"] = replaced("-", "\u2013")
WAYS["smart quotes"] = lambda text, dice: re.sub(
    r"'([^'\n]*)'", "\u2018\\1\u2019", text) if "'" in text else None
WAYS["double smart quotes"] = lambda text, dice: re.sub(
    r'"([^"\n]*)"', "\u201c\\1\u201d", text) if '"' in text else None
WAYS["ellipsis"] = replaced("...", "\u2026")
WAYS["underscores eaten"] = lambda text, dice: re.sub(
    r"_(\S(?:.*?\S)?)_", r"\1", text, flags=re.S) if re.search(r"_\S.*?\S_", text, re.S) else None
WAYS["underscores of words eaten"] = lambda text, dice: re.sub(
    r"(?<=\w)_(?=\w)", "", text) if re.search(r"\w_\w", text) else None
WAYS["some underscores eaten"] = lambda text, dice: re.sub(
    r"_", lambda m: "" if dice.random() < 0.2 else "_", text) if "_" in text else None
WAYS["underscores escaped"] = replaced("_", "\\_")
WAYS["some underscores escaped"] = lambda text, dice: re.sub(
    r"_", lambda m: "\\_" if dice.random() < 0.2 else "_", text) if "_" in text else None
WAYS["Markdown escaped"] = lambda text, dice: re.sub(r"([_*\[\]#])", r"\\\1", text)
WAYS["brackets escaped"] = lambda text, dice: re.sub(r"([\[\]])", r"\\\1", text)
WAYS["links of Markdown"] = lambda text, dice: re.sub(r"\[([^\[\]\n]*)\]\(([^()\n]*)\)", r"\1", text) \
    if re.search(r"\[([^\[\]\n]*)\]\(", text) else None
WAYS["stars eaten"] = lambda text, dice: text.replace("*", "") if "*" in text else None
WAYS["HTML escaped"] = lambda text, dice: html.escape(text) if html.escape(text) != text else None
WAYS["tags dropped"] = lambda text, dice: re.sub(r"<[a-zA-Z][^<>]*>", "", text) if re.search("<[a-zA-Z]", text) else None
WAYS["quotes lost"] = lambda text, dice: text.replace("'", "") if "'" in text else None
WAYS["backslashes doubled"] = replaced("\\", "\\\\")
WAYS["capitals"] = each_line(lambda line: re.sub("^( *)([a-z])", lambda m: m[1] + m[2].upper(), line))
WAYS["commas spaced out"] = lambda text, dice: re.sub(r",(?=\S)", ", ", text)
WAYS["colons spaced out"] = lambda text, dice: re.sub(r":(?=\S)", ": ", text)
WAYS["equals spaced out"] = lambda text, dice: re.sub(r"(?<=\w)=(?=\S)", " = ", text) if re.search(r"\w=\S", text) else None
WAYS["blanks after brackets"] = lambda text, dice: re.sub(r"([\[(])(?=\S)", r"\1 ", text)
WAYS["parentheses for brackets"] = lambda text, dice: some_lines(
    text, dice, 0.1, lambda line: re.sub(r":([a-z]\w*)\[([\w,]*)\]", r":\1(\2)", line))
WAYS["accents"] = lambda text, dice: some_lines(text, dice, 0.1, lambda line: line.replace("a", "\u0430"))

# ---- lines of other programs ----

WORDS = "note done here step hello loss jit add todo training finished okay Output".split()
NOTES = ["# sum over rows", "# note", "# why?", "# TODO check this", "#", "# here a b"]
LOGS = ["INFO:root:step 3 loss 0.25", "I1120 21:07:08.123456 140735 train.py:41] step 3", "step 17: loss=0.25",
        "2026-11-20 21:07:08,123 INFO compiling f", "[1/3] compiling", "Finished tracing + transforming f in 0.01 sec",
        "100%|##########| 10/10 [00:01<00:00,  9.99it/s]", "Epoch 1/3", "loss 0.25 accuracy 0.9"]
WARNINGS = ["WARNING: no GPU found", "WARNING:absl:No GPU/TPU found, falling back to CPU.", "Warning: deprecated",
            "/usr/lib/python3/site.py:3: UserWarning: explicitly requested dtype float64"]
PAGER = ["--More--", "--More--(50%)", ":", "(END)", "\x1b[7m--More--\x1b[m", "lines 1-23", "^C", "~", "\f", "Page 2 of 3"]

WAYS["notes after lines"] = lambda text, dice: some_lines(text, dice, 0.3, lambda line: line + "  " + dice.choice(NOTES), 0)
WAYS["a note after a line"] = lambda text, dice: some_lines(text, dice, 0, lambda line: line + " " + dice.choice(NOTES), 0)
WAYS["notes on lines"] = lambda text, dice: put_line(text, dice, dice.choice(NOTES), dice.random() < 0.5)
WAYS["notes of C after lines"] = lambda text, dice: some_lines(text, dice, 0.2, lambda line: line + "  // here")
WAYS["arrows after lines"] = lambda text, dice: some_lines(text, dice, 0, lambda line: line + "   <-- here")
WAYS["a word on a line"] = lambda text, dice: put_line(text, dice, dice.choice(WORDS))
WAYS["a word on an indented line"] = lambda text, dice: put_line(text, dice, dice.choice(WORDS), True)
WAYS["two words on an indented line"] = lambda text, dice: put_line(
    text, dice, dice.choice(WORDS) + " " + dice.choice(WORDS), True)
WAYS["a letter on a line"] = lambda text, dice: put_line(text, dice, dice.choice("abcdexyz"), dice.random() < 0.5)
WAYS["a number on a line"] = lambda text, dice: put_line(text, dice, dice.choice(["3", "17", "0.25"]), dice.random() < 0.5)
WAYS["a word after a line"] = lambda text, dice: some_lines(text, dice, 0, lambda line: line + " " + dice.choice(WORDS))
WAYS["a sentence on a line"] = lambda text, dice: put_line(text, dice, "this is where it fails", dice.random() < 0.5)
WAYS["a log line"] = lambda text, dice: put_line(text, dice, dice.choice(LOGS))
WAYS["an indented log line"] = lambda text, dice: put_line(text, dice, dice.choice(LOGS), True)
WAYS["a warning"] = lambda text, dice: put_line(text, dice, dice.choice(WARNINGS))
WAYS["a pager's line"] = lambda text, dice: put_line(text, dice, dice.choice(PAGER))
WAYS["a pager's line left over"] = lambda text, dice: some_lines(text, dice, 0, lambda line: "--More--" + line)
WAYS["dots for lines"] = lambda text, dice: put_line(text, dice, dice.choice(["...", "[...]", "(...)", "\u2026", "..."]),
                                                     dice.random() < 0.5)
WAYS["printed by two threads"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: line[: len(line) // 2] + "step 3 done\n" + line[len(line) // 2:])

# ---- diffs ----

WAYS["signs of a diff on some lines"] = lambda text, dice: "\n".join(
    dice.choice("+   ") + line for line in text.split("\n"))
WAYS["one plus"] = lambda text, dice: some_lines(text, dice, 0, lambda line: "+" + line)
WAYS["one plus in place of a blank"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: "+" + line[1:] if line.startswith(" ") else "+" + line)
WAYS["one minus"] = lambda text, dice: some_lines(text, dice, 0, lambda line: "-" + line)


def other_number(line, dice):
    numbers = list(re.finditer(r"\b\d+\b", line))
    m = dice.choice(numbers) if numbers else None
    return line[: m.start()] + str(int(m[0]) + 1) + line[m.end():] if m else None


@way("both sides of a diff")
def _(text, dice):
    out, changed = [], False
    for line in text.split("\n"):
        other = other_number(line, dice) if dice.random() < 0.3 else None
        changed |= other is not None
        out += ["-" + line, "+" + other] if other else [" " + line]
    return "\n".join(out) if changed else None


@way("both sides without signs")
def _(text, dice):
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if i and re.search(r"\b\d+\b", line)]
    if not at:
        return None
    i = dice.choice(at)
    return "\n".join(lines[:i] + [other_number(lines[i], dice)] + lines[i:])


@way("conflict")
def _(text, dice):
    lines = text.split("\n")
    if len(lines) < 4:
        return None
    i = dice.randrange(1, len(lines) - 1)
    return "\n".join(lines[:i] + ["<<<<<<< HEAD", lines[i], "=======", lines[i], ">>>>>>> branch"] + lines[i + 1:])


# ---- lost text ----

for width in (60, 80, 100, 120):
    WAYS[f"screen cut at {width}"] = lambda text, dice, width=width: "\n".join(
        line[:width] for line in text.split("\n")) if max(map(len, text.split("\n"))) > width else None
    WAYS[f"screen cut at {width} with a sign"] = lambda text, dice, width=width: "\n".join(
        line if len(line) <= width else line[:width - 1] + ">" for line in text.split("\n")) \
        if max(map(len, text.split("\n"))) > width else None
WAYS["first column lost"] = each_line(lambda line: line[1:])


def drop_line(text, dice, wanted):
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if i and wanted(line)]
    if not at:
        return None
    i = dice.choice(at)
    return "\n".join(lines[:i] + lines[i + 1:])


WAYS["a parameter line lost"] = lambda text, dice: drop_line(text, dice, lambda l: re.match(r" *[a-z_]+=", l))
WAYS["the end of a line lost"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: line[: dice.randrange(len(line) // 2, len(line))] if len(line) > 8 else line)
WAYS["the last lines lost"] = lambda text, dice: "\n".join(text.split("\n")[: -dice.randrange(1, 4)]) or None
WAYS["a bracket lost"] = lambda text, dice: drop_character(text, dice, "[](){}")
WAYS["a comma lost"] = lambda text, dice: drop_character(text, dice, ",")
WAYS["a colon or a sign lost"] = lambda text, dice: drop_character(text, dice, ":=;.")
WAYS["a line end lost"] = lambda text, dice: drop_character(text, dice, "\n")
WAYS["a parameter line doubled"] = lambda text, dice: double_line(text, dice, lambda l: re.match(r" *[a-z_]+=", l))
WAYS["an equation doubled"] = lambda text, dice: double_line(text, dice, lambda l: re.match(r" +\S+:\S+ = ", l))


def drop_character(text, dice, characters):
    at = [i for i, c in enumerate(text) if c in characters]
    if not at:
        return None
    i = dice.choice(at)
    return text[:i] + text[i + 1:]


def double_line(text, dice, wanted):
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if wanted(line)]
    if not at:
        return None
    i = dice.choice(at)
    return "\n".join(lines[:i + 1] + lines[i:])


# ---- wrapped lines ----


def fold(text, width, words=False):
    out = []
    for line in text.split("\n"):
        while len(line) > width:
            at = line.rfind(" ", 0, width) + 1 if words else width
            at = at if at > 0 else width
            out.append(line[:at])
            line = line[at:]
        out.append(line)
    return "\n".join(out)


def wrapped(text, width, indent):
    out = []
    for line in text.split("\n"):
        before = re.match(" *", line)[0]
        out += textwrap.wrap(line.strip(), width, initial_indent=before, subsequent_indent=indent(before),
                             break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(out)


def refilled(text, width):
    """what vim's gq does: lines of one indentation are a paragraph, which keeps its indentation"""
    out, words, indent = [], [], ""

    def flush():
        nonlocal words
        if words:
            out.extend(textwrap.wrap(" ".join(words), width, initial_indent=indent, subsequent_indent=indent,
                                     break_long_words=False, break_on_hyphens=False))
        words = []

    for line in text.split("\n"):
        before = re.match(" *", line)[0]
        if before != indent:
            flush()
        indent = before
        words.append(line.strip())
    flush()
    return "\n".join(out)


def if_changed(change):
    return lambda text, dice: (lambda new: new if new != text else None)(change(text, dice))


for width in (40, 72, 80, 100, 120):
    for kind, change in {
        "fold": lambda text, dice, width=width: fold(text, width),
        "fold -s": lambda text, dice, width=width: fold(text, width, True),
        "words, indented": lambda text, dice, width=width: wrapped(text, width, lambda before: before),
        "words, hanging": lambda text, dice, width=width: wrapped(text, width, lambda before: before + "    "),
        "words, not indented": lambda text, dice, width=width: wrapped(text, width, lambda before: ""),
        "refilled": lambda text, dice, width=width: refilled(text, width),
        "filled": lambda text, dice, width=width: "\n".join(
            textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)),
        "with a mark": lambda text, dice, width=width: fold(text, width).replace("\n", "\\\n"),
        "indented fold": lambda text, dice, width=width: "\n".join(
            re.match(" *", line)[0] * (i > 0) + piece for line in text.split("\n")
            for i, piece in enumerate([line[j:j + width] for j in range(0, len(line), width)] or [""])),
    }.items():
        WAYS[f"wrapped at {width}: {kind}"] = if_changed(change)

WAYS["one line"] = lambda text, dice: " ".join(text.split())
WAYS["one line, gaps kept"] = replaced("\n", " ")
WAYS["one line, line ends dropped"] = replaced("\n", "")
WAYS["joined in pairs"] = lambda text, dice: re.sub(r"\n(.*)\n *", r"\n\1 ", text)
WAYS["some line ends lost"] = lambda text, dice: "".join(
    " " if c == "\n" and dice.random() < 0.2 else c for c in text) if "\n" in text else None
WAYS["quoted-printable"] = lambda text, dice: "=\n".join(
    text.replace("=", "=3D")[i:i + 75] for i in range(0, len(text.replace("=", "=3D")), 75))
WAYS["broken anywhere"] = lambda text, dice: re.sub(
    " ", lambda m: "\n" if dice.random() < 0.03 else " ", text)
WAYS["broken anywhere, indented"] = lambda text, dice: re.sub(
    "(?<=[^ ]) ", lambda m: "\n      " if dice.random() < 0.03 else " ", text)
WAYS["broken after commas"] = lambda text, dice: re.sub(
    ", ", lambda m: ",\n    " if dice.random() < 0.2 else ", ", text) if ", " in text else None

# ---- chats and word processors ----

WAYS["ligatures"] = lambda text, dice: re.sub("fi|fl", lambda m: {"fi": "\ufb01", "fl": "\ufb02"}[m[0]], text) \
    if re.search("fi|fl", text) else None
WAYS["bullets"] = each_line(lambda line: "\u2022 " + line)

@way("two lines swapped")
def _(text, dice):
    lines = text.split("\n")
    if len(lines) < 3:
        return None
    i = dice.randrange(len(lines) - 1)
    lines[i], lines[i + 1] = lines[i + 1], lines[i]
    return "\n".join(lines)


WAYS["wrapped by a terminal with arrows"] = lambda text, dice: fold(text, 80).replace("\n", "\u21aa\n") \
    if max(map(len, text.split("\n"))) > 80 else None
WAYS["escapes of strings"] = lambda text, dice: text.replace("\n", "\\n")

# ---- forums, mail, terminals, logs and documents, as people copy from them ----


def numbered(pattern):
    return lambda text, dice: "\n".join(pattern.format(i + 1, line) for i, line in enumerate(text.split("\n")))


def mail_reply(text, dice):
    """a reply to a mail: quoted, and what exceeds 72 columns goes on a line of its own, quoted or not"""
    out = []
    for line in text.split("\n"):
        quoted = "> " + line
        while len(quoted) > 72 and quoted.rfind(" ", 8, 72) > 0:
            at = quoted.rfind(" ", 8, 72)
            out.append(quoted[:at])
            quoted = quoted[at + 1:]
        out.append(quoted)
    return "On Monday, somebody wrote:\n" + "\n".join(out)


def tmux_panes(text, dice):
    """what a selection across two panes copies: lines of the left one, a border, what the right one shows"""
    right = ["$ nvidia-smi", "step 3 loss 0.25", "", "Every 2.0s: ls"]
    return "\n".join(line[:79].ljust(79) + "\u2502" + dice.choice(right) for line in text.split("\n"))


def hyphenated(text, dice):
    """a page of a PDF: long words are broken with a hyphen at the end of the line"""
    out = []
    for line in text.split("\n"):
        while len(line) > 70:
            at = next((i for i in range(69, 40, -1) if line[i - 1].isalpha() and line[i].isalpha()), 69)
            out.append(line[:at] + "-")
            line = line[at:]
        out.append(line)
    return "\n".join(out)


def justified(text, dice):
    """a page of a PDF: spaces between words are stretched to the width of the column"""
    return re.sub(r"(?<=\S) (?=\S)", lambda m: " " * dice.choice([1, 1, 1, 2, 3]), text)


def doubled(text, dice):
    """two processes print the same program at once, each line twice"""
    return "\n".join(line for line in text.split("\n") for line in (line, line))


def middle_cut(text, dice):
    """a log viewer that shows only the first and last lines"""
    lines = text.split("\n")
    if len(lines) < 8:
        return None
    return "\n".join(lines[:3] + [f"... {len(lines) - 6} lines omitted ..."] + lines[-3:])


def tail_cut(mark):
    def cut(text, dice):
        return text[: dice.randrange(len(text) // 2, len(text))] + mark if len(text) > 40 else None

    return cut


def scrolled(text, dice):
    """two screens copied one after the other: the last lines of the first are the first of the second"""
    lines = text.split("\n")
    if len(lines) < 8:
        return None
    at = dice.randrange(3, len(lines) - 2)
    return "\n".join(lines[:at] + lines[at - 2:])


def long_lines_cut(text, dice):
    """a forum that cuts lines at 60 characters, and adds dots"""
    return "\n".join(line if len(line) <= 60 else line[:57] + "..." for line in text.split("\n")) \
        if max(map(len, text.split("\n"))) > 60 else None


def jupyter_output(text, dice):
    return "Out[12]: " + text.replace("\n", "\n         ")


def traceback(text, dice):
    return "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\nTypeError: bad jaxpr:\n" + text + \
        "\nThe above exception was the direct cause of the following exception:\n"


STAMP = "2026-11-20T21:07:08.{0:03}Z {1}"
PASTES = {
    "GitHub: suggestion": lambda text, dice: "```suggestion\n" + text + "\n```",
    "GitHub: details": lambda text, dice: "<details>\n<summary>jaxpr</summary>\n\n```python\n" + text + "\n```\n</details>",
    "GitHub: blame": numbered("8f3c2a1d (J. Doe 2026-11-20 {0:4}) {1}"),
    "GitHub: quoted comment": lambda text, dice: "\n".join("> > " + line for line in text.split("\n")),
    "GitHub Actions": numbered(STAMP),
    "Slack: quoted": lambda text, dice: "\n".join("&gt; " + html.escape(line, quote=False) for line in text.split("\n")),
    "Slack: line breaks": lambda text, dice: text.replace("\n", "  \n").replace("    ", " \u00a0 \u00a0"),
    "Slack: one code span a line": lambda text, dice: "\n".join("`" + line + "`" for line in text.split("\n")),
    "mail: reply": mail_reply,
    "mail: format flowed": lambda text, dice: fold(text, 72, True).replace("\n ", "\n  "),
    "mail: quoted-printable soft breaks": lambda text, dice: re.sub("(.{75})", "\\1=\n", text.replace("=", "=3D")),
    "terminal of 132 columns": if_changed(lambda text, dice: fold(text, 132)),
    "terminal of 66 columns": if_changed(lambda text, dice: fold(text, 66)),
    "terminal of 50 columns": if_changed(lambda text, dice: fold(text, 50)),
    "tmux: two panes": tmux_panes,
    "tmux: padded copy": lambda text, dice: "\n".join(line.ljust(211) for line in text.split("\n")),
    "line numbers of cat -n": numbered("{0:6}\t{1}"),
    "line numbers with a bar": numbered("{0:4} | {1}"),
    "line numbers with a colon": numbered("{0}:{1}"),
    "diff with a context": lambda text, dice: "@@ -1,3 +1,4 @@\n" + "\n".join(
        dice.choice("   +") + line for line in text.split("\n")),
    "diff side by side": lambda text, dice: "\n".join(f"{line:100}   {line}" for line in text.split("\n")),
    "log of absl": numbered("I1120 21:07:08.{0:06} 140735 train.py:41] {1}"),
    "log with a pid": numbered("[pid 4242] {1}"),
    "log: only the first line": lambda text, dice: "INFO:root:" + text,
    "kubectl logs": numbered("trainer-0 worker {1}"),
    "colours of 256": lambda text, dice: re.sub(r":([a-z]\w*\[[^]]*\])", ":\x1b[38;5;141m\\1\x1b[0m", text),
    "list of Markdown": lambda text, dice: "\n".join("- " + line for line in text.split("\n")),
    "numbered list of Markdown": numbered("{0}. {1}"),
    "HTML: breaks and entities": lambda text, dice: html.escape(text).replace("\n", "<br>\n").replace("  ", "&nbsp; "),
    "PDF: hyphenated": if_changed(hyphenated),
    "PDF: justified": justified,
    "every line doubled": doubled,
    "middle lines omitted": middle_cut,
    "tail cut with dots": tail_cut("..."),
    "tail cut with a sign": tail_cut("\u2026"),
    "long lines cut with dots": long_lines_cut,
    "two screens that overlap": scrolled,
    "repr of bytes": lambda text, dice: repr(text.encode()),
    "repr within a dict": lambda text, dice: repr({"jaxpr": text, "step": 3}),
    "f-string source": lambda text, dice: 'f"""' + text.replace("{", "{{").replace("}", "}}") + '"""',
    "JSON log line": lambda text, dice: json.dumps({"level": "INFO", "message": "jaxpr:\n" + text}),
    "YAML block": lambda text, dice: "jaxpr: |\n" + textwrap.indent(text, "  "),
    "CSV cell": lambda text, dice: '1,"' + text.replace('"', '""') + '",ok',
    "notebook output": jupyter_output,
    "after a traceback": traceback,
}
WAYS.update(PASTES)


@way("two programs line by line")
def _(text, dice):
    other = ["{ lambda ; a:f32[3]. let", "    b:f32[3] = sin a", "  in (b,) }"]
    lines = text.split("\n")
    at = sorted(dice.randrange(len(lines) + 1) for _ in other)
    for i, line in reversed(list(zip(at, other))):
        lines.insert(i, line)
    return "\n".join(lines)
