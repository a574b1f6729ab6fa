# SPDX-License-Identifier: Apache-2.0
"""More ways in which text is damaged by tools: those that scan pages, ship logs, translate, format, compare, sort and
filter text, spreadsheets and keyboards."""

import html
import json
import re
import textwrap
import urllib.parse

from pastings import EDITS, WAYS, each_line, fold, if_changed, numbered, put_line, replaced, some_lines, way


def some(pattern, share, change):
    """a way that changes a share of the places that match, one at least; None if none matches"""
    def damage(text, dice):
        found = list(re.finditer(pattern, text))
        if not found:
            return None
        sure = dice.randrange(len(found))
        out, at = [], 0
        for i, m in enumerate(found):
            if i == sure or dice.random() < share:
                new = change(m, dice) if callable(change) else change
                out += [text[at:m.start()], new]
                at = m.end()
        return "".join(out) + text[at:]

    return damage


def every(pattern, change):
    return lambda text, dice: re.sub(pattern, change, text) if re.search(pattern, text) else None


# ---- scanned pages ----

for name, pattern, table in [
    ("digits as letters", "[0158]", {"0": "O", "1": "l", "5": "S", "8": "B"}),
    ("letters as digits", "[lOSIB]", {"l": "1", "O": "0", "S": "5", "I": "1", "B": "8"}),
    ("letters run together", "rn|cl|vv|m|d", {"rn": "m", "cl": "d", "vv": "w", "m": "rn", "d": "cl"}),
    ("commas as full stops", ",", {",": "."}),
    ("full stops as commas", r"\.", {".": ","}),
    ("full stops lost", r"\.", {".": ""}),
    ("colons as semicolons", ":", {":": ";"}),
    ("colons as full stops", ":", {":": "."}),
    ("colons lost", ":", {":": ""}),
    ("colons as blanks", ":", {":": " "}),
    ("semicolons as colons", ";", {";": ":"}),
    ("brackets as parentheses", r"[\[\]]", {"[": "(", "]": ")"}),
    ("brackets as letters", r"[\[\]]", {"[": "l", "]": "J"}),
    ("braces as parentheses", r"[{}]", {"{": "(", "}": ")"}),
    ("equals as dashes", " = ", {" = ": " - "}),
    ("underscores as blanks", "_", {"_": " "}),
    ("underscores as dashes", "_", {"_": "-"}),
    ("minus signs lost", r"-(?=\d)", {"-": ""}),
    ("minus signs as tildes", r"-(?=\d)", {"-": "~"}),
    ("blanks lost", r"(?<=\S) (?=\S)", {" ": ""}),
    ("quotes as backquotes", "'", {"'": "`"}),
]:
    WAYS["read from a picture: " + name] = some(pattern, 0.03, lambda m, dice, table=table: table[m[0]])

WAYS["read from a picture: blanks within words"] = some(r"(?<=\w)(?=\w)", 0.005, " ")
WAYS["read from a picture: all equals as dashes"] = replaced(" = ", " \u2014 ")
WAYS["ligatures lost"] = some("ffi|ffl|ff|fi|fl", 0.5, "")
WAYS["minus signs lost"] = every(r"-(?=\d)", "")
WAYS["decimal points lost"] = some(r"(?<=\d)\.(?=\d)", 0.2, "")


def pages(text, dice):
    """a document of pages, with a footer between the last line of one and the first line of the next"""
    lines = text.split("\n")
    size = dice.randrange(3, 20)
    foot = dice.choice(["{0}", "Page {0} of 9", "- {0} -", "Appendix A. Programs    {0}", "\f{0}", "\nJ. Doe et al.    {0}\n"])
    out = []
    for i, line in enumerate(lines):
        if i and i % size == 0:
            out.append(foot.format(i // size + 3))
        out.append(line)
    return "\n".join(out) if len(lines) > size else None


def two_columns(text, dice):
    """a page of two columns, read across"""
    lines = text.split("\n")
    if len(lines) < 6:
        return None
    half = (len(lines) + 1) // 2
    left, right = lines[:half], lines[half:] + [""]
    width = max(map(len, left)) + 4
    return "\n".join((a.ljust(width) + b).rstrip() for a, b in zip(left, right))


WAYS["pages with feet"] = pages
WAYS["two columns read across"] = two_columns
WAYS["hyphenated, indented"] = if_changed(lambda text, dice: "\n".join(
    re.sub(r"(.{50}\S*?[a-z])(?=[a-z]{2})", "\\1-\n" + re.match(" *", line)[0], line, count=1) for line in text.split("\n")))
WAYS["hyphenated with soft hyphens"] = if_changed(lambda text, dice: "\n".join(
    re.sub(r"(.{50}\S*?[a-z])(?=[a-z]{2})", "\\1\u00ad\n", line, count=1) for line in text.split("\n")))
WAYS["numbers of lines on the right"] = lambda text, dice: "\n".join(
    f"{line:100}{i + 1}" for i, line in enumerate(text.split("\n")))
WAYS["every fifth line numbered"] = lambda text, dice: "\n".join(
    ("     " if i % 5 else f"{i + 1:4} ") + line for i, line in enumerate(text.split("\n")))

# ---- keyboards and typing ----

WAYS["a character lost"] = lambda text, dice: (lambda i: text[:i] + text[i + 1:])(dice.randrange(len(text)))
WAYS["a character twice"] = lambda text, dice: (lambda i: text[:i] + text[i] + text[i:])(dice.randrange(len(text)))
WAYS["two characters swapped"] = lambda text, dice: (
    lambda i: text[:i] + text[i + 1] + text[i] + text[i + 2:])(dice.randrange(len(text) - 1))
WAYS["a character in place of another"] = lambda text, dice: (
    lambda i: text[:i] + dice.choice("abcdefijklmnxyz0123456789[](){}=:;,._- '") + text[i + 1:])(dice.randrange(len(text)))
WAYS["a character more"] = lambda text, dice: (
    lambda i: text[:i] + dice.choice("abcdefijklmnxyz0123456789[](){}=:;,._- '") + text[i:])(dice.randrange(len(text)))
TOKEN = r"[A-Za-z_]\w*|\d+(?:\.\d*)?|\S"
WAYS["a token lost"] = some(TOKEN, 0, "")
WAYS["a word twice"] = some(r"(?<= )\w+(?= |$)", 0, lambda m, dice: m[0] + " " + m[0])
WAYS["a token twice"] = some(TOKEN, 0, lambda m, dice: m[0] + m[0])
WAYS["two words swapped"] = some(r"(?<= )(\w+) (\w+)(?= |$)", 0, lambda m, dice: m[2] + " " + m[1])
WAYS["letters of another keyboard"] = lambda text, dice: text.translate(str.maketrans("yzYZ", "zyZY"))
WAYS["shift held"] = some("[-;,.']", 0, lambda m, dice: {"-": "_", ";": ":", ",": "<", ".": ">", "'": '"'}[m[0]])
WAYS["caps lock"] = lambda text, dice: some_lines(text, dice, 0, str.upper)
WAYS["a bracket closed twice"] = some(r"[\])}]", 0, lambda m, dice: m[0] * 2)
WAYS["a line joined with the next"] = some(r"\n *", 0, " ")
WAYS["a line joined with the next, no blank"] = some(r"\n *", 0, "")
WAYS["a line broken"] = some(r"(?<=\S) (?=\S)", 0, "\n")
WAYS["a line broken, indented"] = some(r"(?<=\S) (?=\S)", 0, "\n        ")
WAYS["first characters lost"] = lambda text, dice: text[dice.randrange(1, 12):]
WAYS["a name replaced everywhere"] = lambda text, dice: (
    lambda found: (lambda a, b: re.sub(rf"\b{a}\b", b, text))(*dice.sample(found, 2)) if len(found) > 1 else None)(
        sorted(set(re.findall(r"\b[a-z]{1,2}(?=:)", text))))

EDITS.update([
    "a character lost", "a character twice", "two characters swapped", "a character in place of another",
    "a character more", "a token lost", "a word twice", "a token twice", "two words swapped", "letters of another keyboard",
    "a name replaced everywhere", "a line lost", "a line twice", "a line emptied", "a moved line", "a block moved"])

# ---- editors ----


def staircase(text, dice):
    """pasted into an editor that indents each line like the one before"""
    out, before = [], ""
    for line in text.split("\n"):
        out.append(before + line)
        before = re.match(" *", out[-1])[0][:60]
    return "\n".join(out)


def one_line(text, dice, change):
    lines = text.split("\n")
    if len(lines) < 4:
        return None
    i = dice.randrange(1, len(lines) - 1)
    return "\n".join(lines[:i] + change(lines, i) + lines[i + 1:])


def folded(text, dice):
    """copied from an editor that shows a block as its first line and dots"""
    lines = text.split("\n")
    opening = [i for i, line in enumerate(lines) if i and re.search(r"[\[{(]$|let$", line)]
    if not opening:
        return None
    i = dice.choice(opening)
    indent = len(re.match(" *", lines[i])[0])
    last = next((j for j in range(i + 1, len(lines)) if len(re.match(" *", lines[j])[0]) <= indent), len(lines) - 1)
    return "\n".join(lines[:i] + [lines[i] + dice.choice(["...", " ... ", "\u2026", "..."]) + lines[last].strip()] +
                     lines[last + 1:])


WAYS["staircase"] = staircase
WAYS["a line as a comment"] = lambda text, dice: one_line(text, dice, lambda lines, i: [re.sub(r"(?=\S)", "# ", lines[i], count=1)])
WAYS["a line as a comment at the margin"] = lambda text, dice: one_line(text, dice, lambda lines, i: ["# " + lines[i]])
WAYS["a line as a comment of C"] = lambda text, dice: one_line(text, dice, lambda lines, i: ["// " + lines[i]])
WAYS["a line as a comment of SQL"] = lambda text, dice: one_line(text, dice, lambda lines, i: ["-- " + lines[i]])
WAYS["a line lost"] = lambda text, dice: one_line(text, dice, lambda lines, i: [])
WAYS["a line twice"] = lambda text, dice: one_line(text, dice, lambda lines, i: [lines[i]] * 2)
WAYS["a line emptied"] = lambda text, dice: one_line(text, dice, lambda lines, i: [""])
WAYS["folded in an editor"] = folded
WAYS["shown with signs for blanks"] = lambda text, dice: text.replace(" ", "\u00b7").replace("\n", "\u00b6\n")
WAYS["shown with line ends"] = lambda text, dice: "\n".join(line + "$" for line in text.split("\n"))
WAYS["shown with tabs"] = lambda text, dice: text.replace("    ", "^I")
WAYS["commas at the end of lists"] = every(r"(?<=\w)(?=[)\]])", ",")
WAYS["blanks around operators"] = every(r"(?<=\w)([:=])(?=\w)", r" \1 ")
WAYS["blanks around brackets"] = every(r"(?<=\w)([\[(])|([\])])(?=\w)", r" \1\2 ")
WAYS["a blank before brackets"] = every(r"(?<=\w)(?=\[)", " ")
WAYS["needless blanks removed"] = every(r" *\n *|(?<=\W) +| +(?=\W)", lambda m: "\n" if "\n" in m[0] else "")
WAYS["needless blanks and line ends removed"] = lambda text, dice: re.sub(r"(?<=\W)\s+|\s+(?=\W)", "", text)
WAYS["one parameter a line"] = every(r"(?<=[\w)\]}]) (?=[a-z_]\w*=)", "\n        ")
WAYS["double quotes for single ones"] = replaced("'", '"')
WAYS["a moved line"] = lambda text, dice: (lambda lines: None if len(lines) < 5 else (
    lambda i, j: "\n".join(lines[:i] + lines[i + 1:j + 1] + [lines[i]] + lines[j + 1:]))(
        *sorted(dice.sample(range(1, len(lines) - 1), 2))))(text.split("\n"))
WAYS["a block moved"] = lambda text, dice: (lambda lines: None if len(lines) < 8 else (
    lambda i, j, k: "\n".join(lines[:i] + lines[j:k] + lines[i:j] + lines[k:]))(
        *sorted(dice.sample(range(1, len(lines)), 3))))(text.split("\n"))

# ---- filters ----

WAYS["sorted"] = lambda text, dice: "\n".join(sorted(text.split("\n")))
WAYS["reversed"] = lambda text, dice: "\n".join(reversed(text.split("\n")))
WAYS["repeated lines once"] = if_changed(lambda text, dice: "\n".join(
    line for i, line in enumerate(text.split("\n")) if i == 0 or line != text.split("\n")[i - 1]))
WAYS["every line once"] = if_changed(lambda text, dice: "\n".join(dict.fromkeys(text.split("\n"))))
WAYS["short lines dropped"] = if_changed(lambda text, dice: "\n".join(
    line for line in text.split("\n") if len(line.strip()) >= 4))
WAYS["lines with None dropped"] = if_changed(lambda text, dice: "\n".join(
    line for line in text.split("\n") if "None" not in line))
WAYS["lines with False dropped"] = if_changed(lambda text, dice: "\n".join(
    line for line in text.split("\n") if "False" not in line))
WAYS["only lines with signs"] = if_changed(lambda text, dice: "\n".join(
    line for line in text.split("\n") if re.search("[={}]| in ", line)))
WAYS["words of xargs"] = lambda text, dice: " ".join(text.replace("'", "").replace('"', "").replace("\\", "").split())
WAYS["lines joined by tabs"] = lambda text, dice: re.sub(r"\n(.*)\n(.*)\n", "\n\\1\t\\2\t", text)
WAYS["aligned in columns"] = lambda text, dice: re.sub(r"(?m)^( +\S+) = ", lambda m: m[1].ljust(36) + " = ", text)
WAYS["cut before column 5"] = each_line(lambda line: line[4:])
WAYS["lines of a part"] = lambda text, dice: (lambda lines: None if len(lines) < 8 else (
    lambda i, j: "\n".join(lines[i:j + 1]))(*sorted(dice.sample(range(len(lines)), 2))))(text.split("\n"))

# ---- spreadsheets and translators ----

WAYS["cells of a table"] = lambda text, dice: "\n".join("\t".join(line.split(" ")) for line in text.split("\n"))
WAYS["cells of commas"] = lambda text, dice: "\n".join('"' + line.replace('"', '""') + '"' for line in text.split("\n"))
WAYS["truths of a spreadsheet"] = every(r"\b(True|False)\b", lambda m: m[0].upper())
WAYS["truths of JSON"] = every(r"\b(True|False|None)\b", lambda m: {"True": "true", "False": "false", "None": "null"}[m[0]])
WAYS["None left empty"] = every(r"=None\b", "=")
WAYS["decimal commas"] = every(r"(?<=\d)\.(?=\d)", ",")
WAYS["numbers in groups"] = every(r"(?<![\w.])\d{4,}(?![\w.])", lambda m: f"{int(m[0]):,}")
WAYS["numbers in groups of blanks"] = every(r"(?<![\w.])\d{4,}(?![\w.])", lambda m: f"{int(m[0]):,}".replace(",", " "))
WAYS["numbers in groups of underscores"] = every(r"(?<![\w.])\d{4,}(?![\w.])", lambda m: f"{int(m[0]):_}")
WAYS["large numbers as powers"] = every(r"(?<![\w.])\d{3,}(?![\w.])", lambda m: f"{int(m[0]):.2E}")
WAYS["numbers as fractions"] = every(r"(?<![\w.])\d+(?![\w.])", lambda m: m[0] + ".0")
WAYS["fractions as whole numbers"] = every(r"(?<=\d)\.0(?!\d)", "")
WAYS["fractions rounded"] = every(r"\d+\.\d{3,}", lambda m: f"{float(m[0]):.2f}")
WAYS["full-width punctuation"] = some(r"[:,()\[\]=;]", 0.05, lambda m, dice: chr(ord(m[0]) + 0xFEE0))
WAYS["all full-width punctuation"] = every(r"[:,()\[\]=;]", lambda m: chr(ord(m[0]) + 0xFEE0))
WAYS["a language's words"] = every(r"\b(let|in|name|True|False|None)\b", lambda m: {
    "let": "soit", "in": "dans", "name": "nom", "True": "Vrai", "False": "Faux", "None": "Aucun"}[m[0]])
WAYS["let with a capital"] = every(r"\. let", ". Let")
WAYS["i with a capital"] = every(r"\bi\b", "I")
WAYS["arrows as one sign"] = every("->|<-", lambda m: {"->": "\u2192", "<-": "\u2190"}[m[0]])
WAYS["direction marks"] = some(r"[\[(]", 0.1, lambda m, dice: m[0] + dice.choice("\u200e\u200f\u202a\u202c"))
WAYS["joiners of no width"] = some(r"(?<=\w)(?=\w)", 0.02, "\u200d")
WAYS["blanks read as another encoding"] = replaced("  ", "\u00c2\u00a0 ")
WAYS["subscripts"] = some(r"_\d", 0.5, lambda m, dice: chr(0x2080 + int(m[0][1])))

# ---- markup ----

WAYS["brackets eaten"] = every(r"\[([^\[\]\n]*)\]", r"\1")
WAYS["empty brackets eaten"] = replaced("[]", "")
WAYS["brackets of a link eaten"] = some(r"\[([^\[\]\n]*)\]", 0.05, lambda m, dice: m[1])
WAYS["double brackets eaten"] = every(r"\[\[|\]\]", "")
WAYS["braces eaten"] = every(r"[{}]", "")
WAYS["entities half undone"] = lambda text, dice: html.escape(html.escape(text)) if html.escape(text) != text else None
WAYS["escaped for LaTeX"] = every(r"[_{}#&]", lambda m: "\\" + m[0])
WAYS["ties for blanks"] = replaced(" ", "~")
WAYS["code of Jira"] = lambda text, dice: "{code:python}\n" + text + "\n{code}"
WAYS["CDATA"] = lambda text, dice: "<![CDATA[" + text + "]]>"
WAYS["a paragraph a line"] = lambda text, dice: "\n".join("<p>" + html.escape(line) + "</p>" for line in text.split("\n"))
WAYS["percent encoded"] = lambda text, dice: urllib.parse.quote(text)
WAYS["form encoded"] = lambda text, dice: urllib.parse.quote_plus(text)
WAYS["comment of Java"] = lambda text, dice: "/**\n" + "\n".join(" * " + line for line in text.split("\n")) + "\n */"
WAYS["comment of Lisp"] = lambda text, dice: textwrap.indent(text, ";; ")
WAYS["org's example"] = lambda text, dice: textwrap.indent(text, ": ")

# ---- source, logs and terminals ----

WAYS["strings of C"] = lambda text, dice: "\n".join(json.dumps(line + "\n") for line in text.split("\n"))
WAYS["strings of Python"] = lambda text, dice: "(" + "\n ".join(repr(line + "\n") for line in text.split("\n")) + ")"
WAYS["list of lines"] = lambda text, dice: repr(text.split("\n"))
WAYS["JSON twice"] = lambda text, dice: json.dumps(json.dumps({"text": text}))
WAYS["quotes doubled"] = replaced("'", "''")
WAYS["log of Docker"] = lambda text, dice: "\n".join(
    json.dumps({"log": line + "\n", "stream": "stdout"}) for line in text.split("\n"))
WAYS["log of syslog"] = replaced("\n", "#012")
WAYS["colours as text"] = every(r"\b(lambda |let\b|in(?= \())", "^[[34m\\1^[[39m")
WAYS["colours as escapes"] = every(r"\b(lambda |let\b|in(?= \())", "\\\\x1b[34m\\1\\\\x1b[39m")
WAYS["colours of syslog"] = every(r"\b(lambda |let\b|in(?= \())", "#033[34m\\1#033[39m")
WAYS["lines cleared"] = each_line(lambda line: line + "\x1b[K")
WAYS["bracketed paste"] = lambda text, dice: "\x1b[200~" + text + "\x1b[201~"
WAYS["links of a terminal"] = every(r"\b([a-z]\w*)(?=\[)", "\x1b]8;;http://x/\\1\x1b\\\\\\1\x1b]8;;\x1b\\\\")
WAYS["struck over"] = every(r"\b(lambda|let)\b", lambda m: "".join(c + "\b" + c for c in m[0]))
WAYS["log of Ray"] = numbered("(train pid={0}, ip=10.0.0.1) {1}")
WAYS["log of MPI"] = numbered("[1,0]<stdout>:{1}")
WAYS["log of Compose"] = numbered("web_1  | {1}")
WAYS["log of Slurm"] = numbered("0: {1}")
WAYS["session of IPython"] = lambda text, dice: "In [1]: print(j)\n" + text + "\n\nIn [2]: "
WAYS["session of pdb"] = lambda text, dice: "(Pdb) p j\n" + text + "\n(Pdb) "
WAYS["session of a shell"] = lambda text, dice: "$ cat a.jaxpr\n" + text + "\n$ "
WAYS["no line end at the end of file"] = lambda text, dice: "\n".join(
    "+" + line for line in text.split("\n")) + "\n\\ No newline at end of file"
WAYS["prefix on some lines"] = lambda text, dice: some_lines(text, dice, 0.5, lambda line: "[rank0]: " + line, 0)
WAYS["prefix, then cut"] = if_changed(lambda text, dice: fold("\n".join(
    "INFO:root:" + line for line in text.split("\n")), 80))
WAYS["prefix on pieces"] = if_changed(lambda text, dice: "\n".join(
    "INFO:root:" + line for line in fold(text, 80).split("\n")))
WAYS["indented, then cut"] = if_changed(lambda text, dice: fold(textwrap.indent(text, "        "), 80))
WAYS["pieces indented"] = if_changed(lambda text, dice: textwrap.indent(fold(text, 80), "    "))
WAYS["quoted, cut and quoted"] = if_changed(lambda text, dice: textwrap.indent(fold(textwrap.indent(text, "> "), 72, True), "> "))
WAYS["words of a diff"] = some(r"(?<=[\[,])\d+(?=[\],])", 0, lambda m, dice: f"[-{m[0]}-]{{+{int(m[0]) + 1}+}}")
WAYS["some lines of a log lost"] = lambda text, dice: (lambda lines: "\n".join(
    line for line in lines if dice.random() > 0.1))(text.split("\n"))
WAYS["lines of a log in disorder"] = lambda text, dice: (lambda lines: "\n".join(
    line for _, line in sorted((i + dice.random() * 2, line) for i, line in enumerate(lines))))(text.split("\n"))
WAYS["some lines twice"] = lambda text, dice: some_lines(text, dice, 0.05, lambda line: line + "\n" + line)
WAYS["said to be repeated"] = lambda text, dice: put_line(text, dice, "last message repeated 3 times")
WAYS["head lost"] = lambda text, dice: text[dice.randrange(1, max(2, len(text) // 2)):]
WAYS["middle of the bytes lost"] = lambda text, dice: (
    lambda i, j: text[:i] + text[j:])(*sorted(dice.sample(range(len(text)), 2)))
WAYS["middle of the bytes as dots"] = lambda text, dice: (
    lambda i, j: text[:i] + " [...] " + text[j:])(*sorted(dice.sample(range(len(text)), 2)))


@way("both sides of a conflict")
def _(text, dice):
    return one_line(text, dice, lambda lines, i: ["<<<<<<< ours", lines[i], "||||||| base", lines[i], "=======",
                                                  re.sub(r"\d", "7", lines[i]), ">>>>>>> theirs"])


@way("two programs in halves of lines")
def _(text, dice):
    lines, out = text.split("\n"), []
    for line in lines:
        at = dice.randrange(len(line) + 1)
        out.append(line[:at] + line + line[at:] if dice.random() < 0.1 else line)
    return "\n".join(out) if out != lines else None

# ---- documents, chats, mail and other programs that change what is pasted into them ----

WAYS["LaTeX listings"] = every(r"['\-\"]", lambda m: {"'": "\u2019", "-": "\u2212", '"': "\u201d"}[m[0]])
WAYS["LaTeX listings with blanks shown"] = replaced(" ", "\u2423")
WAYS["LaTeX in OT1"] = every("[<>|]", lambda m: {"<": "\u00a1", ">": "\u00bf", "|": "\u2014"}[m[0]])
WAYS["commas before a parenthesis lost"] = every(r",\)", ")")
WAYS["list of Python in JSON"] = every(r"[()]|'", lambda m: {"(": "[", ")": "]", "'": '"'}[m[0]])
WAYS["two blanks as a full stop"] = replaced("  ", ". ")
WAYS["sentences with a capital"] = every(r"(?m)(?:^ *|\. )[a-z]", lambda m: m[0].upper())
WAYS["words of a telephone"] = some(r"\b(let|sin|exp|mul|neg|cond|sub|eq|lt)\b", 0.3, lambda m, dice: {
    "let": "get", "sin": "sun", "exp": "ex", "mul": "mil", "neg": "beg", "cond": "fond", "sub": "sun", "eq": "e.g.",
    "lt": "it"}[m[0]])
WAYS["signs of a word processor"] = every(r"\(c\)|->|\.\.\.|--|1/2", lambda m: {
    "(c)": "\u00a9", "->": "\u2192", "...": "\u2026", "--": "\u2013", "1/2": "\u00bd"}[m[0]])
WAYS["pictures of a chat"] = every(r"8\)|:\)|:\(|:D|:x:", lambda m: {
    "8)": "\U0001f60e", ":)": "\U0001f642", ":(": "\U0001f641", ":D": "\U0001f600", ":x:": "\u274c"}[m[0]])
WAYS["a message in two"] = lambda text, dice: put_line(text, dice, "J. Doe  10:42 AM")
WAYS["a message shortened"] = lambda text, dice: put_line(text, dice, "Show more")
WAYS["patch by mail"] = lambda text, dice: (
    "From 8f3c2a1d Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Add a jaxpr\n\n--- /dev/null\n+++ b/a.jaxpr\n"
    f"@@ -0,0 +1,{text.count(chr(10)) + 1} @@\n" + "\n".join("+" + line for line in text.split("\n")) + "\n-- \n2.39.2")
WAYS["log of git with a graph"] = lambda text, dice: "\n".join("| +" + line for line in text.split("\n"))
WAYS["a difference with hints"] = lambda text, dice: one_line(text, dice, lambda lines, i: [
    "- " + lines[i], "?" + " " * (len(lines[i]) // 2) + "^", "+ " + re.sub(r"\d", "7", lines[i])])
WAYS["group of exceptions"] = lambda text, dice: textwrap.indent(text, "  | ")
WAYS["panel of rich"] = lambda text, dice: "\n".join(
    ["\u256d" + "\u2500" * 78 + "\u256e"] + ["\u2502 " + line.ljust(76) + " \u2502" for line in fold(text, 76).split("\n")] +
    ["\u2570" + "\u2500" * 78 + "\u256f"])
WAYS["guides of indentation"] = each_line(lambda line: re.sub("^ +", lambda m: ("\u2502   " * 30)[: len(m[0])], line))
WAYS["numbers of lines glued"] = numbered("{0}{1}")
WAYS["carriage returns shown"] = lambda text, dice: "\n".join(line + "^M" for line in text.split("\n"))
WAYS["tabs of commas"] = every(", ?", "\t")
WAYS["numbers in groups of apostrophes"] = every(r"(?<![\w.])\d{4,}(?![\w.])", lambda m: f"{int(m[0]):,}".replace(",", "'"))
WAYS["small numbers written out"] = every(r"\d(?:\.\d+)?e-\d+", lambda m: f"{float(m[0]):.6f}")
WAYS["bytes of UTF-16"] = lambda text, dice: "\0".join(text)
WAYS["attribute of XML"] = lambda text, dice: html.escape(text).replace("\n", "&#10;")
WAYS["HTML of a notebook"] = lambda text, dice: "<pre>" + re.sub(
    r"\b(lambda|let|in)\b", '<span class="ansi-blue-fg">\\1</span>', html.escape(text)) + "</pre>"
WAYS["text of a page"] = lambda text, dice: re.sub(r"<[a-zA-Z/][^<>]*>", "", re.sub(r"[ \n]+", " ", text))
WAYS["macro of C"] = replaced("\n", " \\\n")
WAYS["YAML folded"] = lambda text, dice: re.sub(r"(?m)(?<=\S)\n(?=\S)", " ", text)
WAYS["YAML in double quotes"] = lambda text, dice: '"' + re.sub("(.{60} )", r"\1\\\n  ", text.replace("\\", "\\\\").replace(
    '"', '\\"').replace("\n", "\\n")) + '"'
WAYS["screens of a pager"] = lambda text, dice: put_line(text, dice, "--More--(42%)")
WAYS["bar of a terminal"] = lambda text, dice: put_line(text, dice, '[0] 0:bash*                    "host" 21:07 20-Nov-26')
WAYS["cut by Emacs"] = if_changed(lambda text, dice: "\n".join(
    line if len(line) <= 80 else line[:79] + "$" for line in text.split("\n")))
WAYS["blanks of a proportional font"] = each_line(lambda line: re.sub("^ +", lambda m: "\u2003" * (len(m[0]) // 2), line))
WAYS["lines read in another order of columns"] = lambda text, dice: (lambda lines: None if len(lines) < 6 else "\n".join(
    lines[::2] + lines[1::2]))(text.split("\n"))
WAYS["brackets mirrored"] = some(r"[\[\](){}]", 0.02, lambda m, dice: "][)(}{"["[](){}".index(m[0])])
WAYS["a word translated"] = some(r"\b(name|shape|axes|axis|dimension|length|body|cond|index|size)(?==)", 0, lambda m, dice: {
    "name": "nom", "shape": "forme", "axes": "haches", "axis": "axe", "dimension": "taille", "length": "longueur",
    "body": "corps", "cond": "condition", "index": "indice", "size": "taille"}[m[0]])
