# SPDX-License-Identifier: Apache-2.0
"""Ways in which text is damaged where people who work on compilers exchange it: reviews, issues, chats and office
programs, terminals, test reports, logs, shells, notebooks and scripts that rewrite text."""

import html
import json
import pprint
import re
import textwrap
import unicodedata

from pastings import EDITS, WAYS, each_line, fold, if_changed, numbered, put_line, refilled, replaced, some_lines, way
from pastings_tools import every, one_line, some


def lines_of(change):
    """a way that changes the list of lines; None if `change` returns none"""
    return lambda text, dice: (lambda new: "\n".join(new) if new else None)(change(text.split("\n"), dice))


# ---- reviews and issues ----

WAYS["reply to a comment, wrapped"] = if_changed(lambda text, dice: "\n".join(
    "> " + piece for line in text.split("\n") for piece in (textwrap.wrap(line, 76) or [""])))
WAYS["reply between lines"] = lambda text, dice: put_line(
    "\n".join("> " + line for line in text.split("\n")), dice, "why is this not fused?")
WAYS["diff without colours, new side"] = lines_of(lambda lines, dice: [
    ("+ " if dice.random() < 0.3 else "  ") + line for line in lines])
WAYS["diff of diff(1)"] = lambda text, dice: one_line(text, dice, lambda lines, i: [
    f"{i}c{i}", "< " + lines[i], "---", "> " + re.sub(r"\d", "7", lines[i], count=1)])
WAYS["marks of sdiff"] = lines_of(lambda lines, dice: [
    f"{line[:90]:90} {dice.choice('  |<')}" for line in lines] if max(map(len, lines)) <= 90 else None)
WAYS["numbers of a blame"] = numbered("^8f3c2a1 {0:3}) {1}")
WAYS["strikethrough"] = lambda text, dice: one_line(text, dice, lambda lines, i: ["~~" + lines[i] + "~~"])
WAYS["a checked list"] = each_line(lambda line: "- [x] " + line)
WAYS["stars around words"] = some(r"\b[a-z_]{3,}\b(?=\[)", 0.2, lambda m, dice: "**" + m[0] + "**")
WAYS["code spans for words"] = some(r"\b[a-z_]{3,}\b(?=\[)", 0.2, lambda m, dice: "`" + m[0] + "`")
WAYS["mentions"] = replaced("@", "@\u200b")
WAYS["footnotes"] = some(r"(?<=\S)(?=\n)", 0.05, "[1]")

# ---- chats and office programs ----


@way("a word processor's corrections")
def _(text, dice):
    text = re.sub(r"'([^'\n]*)'", "\u2018\\1\u2019", text).replace("...", "\u2026").replace("->", "\u2192")
    return re.sub(r"(?m)^( *)([a-z])", lambda m: m[1].replace("  ", "\u00a0 ") + m[2].upper(), text)


WAYS["mail of Outlook"] = lambda text, dice: text.replace("  ", "\u00a0 ").replace("\n", "\n\n").replace(" - ", " \u2013 ")
WAYS["two capitals corrected"] = every(r"\b([A-Z])([A-Z])([a-z])", lambda m: m[1] + m[2].lower() + m[3])
WAYS["words corrected"] = some(r"\b(iota|jit|pjit|perm|mul|pow|exp|tanh|rsqrt|dtype|axes|argmax|cumsum|jaxpr|lt|eq|ge)\b", 0.3,
                               lambda m, dice: {
    "iota": "Iota", "jit": "git", "pjit": "pit", "perm": "perm.", "mul": "mull", "pow": "pow!", "exp": "exp.",
    "tanh": "than", "rsqrt": "sqrt", "dtype": "type", "axes": "axis", "argmax": "Argmax", "cumsum": "cum sum",
    "jaxpr": "jasper", "lt": "It", "eq": "eq.", "ge": "he"}[m[0]])
WAYS["times signs"] = every(r"\*", "\u00d7")
WAYS["stars of a formula"] = every(r"\*", "\u2217")
WAYS["middle dots"] = every(r"\*", "\u00b7")
WAYS["quotes of another language"] = every(r"'([^'\n]*)'", "\u00ab\\1\u00bb")
WAYS["quotes of another language, low"] = every(r"'([^'\n]*)'", "\u201a\\1\u2018")
WAYS["primes for quotes"] = every("'", "\u2032")
WAYS["emoji of colons"] = some(r":(f32|i32|bool|f64)", 0.1, lambda m, dice: "\U0001f171" + m[1])
WAYS["stars and underscores of a chat eaten"] = every(r"([*_~])(\S[^*_~\n]*?\S)\1", r"\2")
WAYS["a spoiler"] = lambda text, dice: "||" + text + "||"
WAYS["bullets of an office program"] = each_line(lambda line: re.sub("^ +", lambda m: "\u25aa" + m[0][1:], line))
WAYS["numbers as dates"] = some(r"(?<=\()(\d{1,2}), (\d{1,2})(?=\))", 0.2, lambda m, dice: f"{m[1]}/{m[2]}/2026")
WAYS["parentheses as minus"] = every(r"\((\d+)\)", r"-\1")
WAYS["cells that begin with a sign"] = each_line(lambda line: re.sub(r"^( *)(?=[=+\-@])", r"\1'", line))
WAYS["a column too narrow"] = some(r"(?<=[\[,])\d{3,}(?=[\],])", 0.3, "###")
WAYS["long numbers rounded"] = some(r"\d+\.\d{9,}", 0.5, lambda m, dice: repr(round(float(m[0]), 7)))

# ---- letters ----

WAYS["all full-width"] = lambda text, dice: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
WAYS["full-width digits"] = every(r"\d", lambda m: chr(ord(m[0]) + 0xFEE0))
WAYS["some full-width digits"] = some(r"\d", 0.05, lambda m, dice: chr(ord(m[0]) + 0xFEE0))
WAYS["Arabic digits"] = every(r"\d", lambda m: chr(0x660 + int(m[0])))
WAYS["Chinese stops"] = every(r"\. |, ", lambda m: {". ": "\u3002", ", ": "\uff0c"}[m[0]])
WAYS["ideographic spaces"] = replaced("  ", "\u3000")
WAYS["thin spaces"] = some(" ", 0.05, "\u2009")
WAYS["word joiners"] = some(r"(?<=\w)(?=[\[(])", 0.1, "\u2060")
WAYS["marks of byte order inside"] = some("\n", 0.1, "\n\ufeff")
WAYS["decomposed"] = lambda text, dice: (lambda new: new if new != text else None)(
    unicodedata.normalize("NFKD", text.replace("fi", "\ufb01")).replace("fi", "f\u0069"))
WAYS["letters of mathematics"] = some(r"\b[a-z]\b", 0.05, lambda m, dice: chr(0x1D44E + ord(m[0]) - 97) if m[0] != "h" else "\u210e")
WAYS["all capitals"] = lambda text, dice: text.upper()
WAYS["all small letters"] = if_changed(lambda text, dice: text.lower())
WAYS["words with capitals"] = lambda text, dice: text.title()
WAYS["question marks for letters"] = some(r"[\u0080-\uffff]|'", 0.5, "?")
WAYS["Greek for Latin"] = some(r"\b[ovabe]\b", 0.1, lambda m, dice: {"o": "\u03bf", "v": "\u03bd", "a": "\u03b1",
                                                                      "b": "\u03b2", "e": "\u03b5"}[m[0]])

# ---- terminals and pagers ----


def wrapped_numbers(text, dice):
    """`less -N` and editors: numbers, and continued lines without one"""
    out = []
    for i, line in enumerate(text.split("\n")):
        pieces = [line[j:j + 72] for j in range(0, len(line), 72)] or [""]
        out += [f"{i + 1:7} {pieces[0]}"] + ["        " + piece for piece in pieces[1:]]
    return "\n".join(out) if max(map(len, text.split("\n"))) > 72 else None


WAYS["numbers of less, wrapped"] = wrapped_numbers
WAYS["numbers, then cut at 80"] = if_changed(lambda text, dice: fold(numbered("{0:4} {1}")(text, dice), 80))
WAYS["showbreak of vim"] = lambda text, dice: "\n".join(
    "\n\u21aa ".join([line[j:j + 78] for j in range(0, len(line), 78)] or [""]) for line in text.split("\n"))
WAYS["a letter lost at each cut"] = lambda text, dice: "\n".join(
    "\n".join([line[j:j + 79] for j in range(0, len(line), 80)] or [""]) for line in text.split("\n")) \
    if max(map(len, text.split("\n"))) > 80 else None
WAYS["a letter twice at each cut"] = lambda text, dice: "\n".join(
    "\n".join([line[j:j + 81] for j in range(0, len(line), 80)] or [""]) for line in text.split("\n")) \
    if max(map(len, text.split("\n"))) > 81 else None
WAYS["times on the right"] = lambda text, dice: "\n".join(f"{line:100}[21:07:{i % 60:02}]" for i, line in enumerate(text.split("\n")))
WAYS["a bar of progress inside"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: line[:len(line) // 2] + " 42%|####      | 42/100 [00:03<00:04, 13.5it/s]" + line[len(line) // 2:])
WAYS["a bar of progress and CR"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: " 42%|####      | 42/100\r" + line)
WAYS["backspaces"] = lambda text, dice: some_lines(text, dice, 0.1, lambda line: line + "x\b \b")
WAYS["a prompt in the middle"] = lambda text, dice: put_line(text, dice, "me@host:~/jax$ ")
WAYS["percent of zsh at the end"] = lambda text, dice: text + "%"
WAYS["control letters shown"] = lambda text, dice: text.replace("\n", "^J\n")
WAYS["tabs of 1"] = lambda text, dice: re.sub(r"(?m)^ +", lambda m: " " * ((len(m[0]) + 7) // 8), text)
WAYS["shown by cat -A"] = lambda text, dice: "\n".join(line.replace("\t", "^I") + "$" for line in text.split("\n"))

# ---- test reports and logs ----

WAYS["difference of pytest"] = lines_of(lambda lines, dice: [
    "E     " + dice.choice(["  ", "  ", "  ", "+ "]) + line for line in lines])
WAYS["both sides of pytest"] = lambda text, dice: one_line(text, dice, lambda lines, i: [
    "E     - " + lines[i], "E     + " + re.sub(r"\d", "7", lines[i], count=1)])
WAYS["truncated by pytest"] = lines_of(lambda lines, dice: ["E       " + line for line in lines[:8]] + [
    f"E       ...Full output truncated ({len(lines) - 8} lines hidden), use '-vv' to show"] if len(lines) > 9 else None)
WAYS["section of GitLab"] = lambda text, dice: "section_start:1732:x\r\x1b[0K" + text + "\nsection_end:1732:x\r\x1b[0K"
WAYS["times of Buildkite"] = each_line(lambda line: "\x1b_bk;t=1732040101\x07" + line)
WAYS["times and colours of CI"] = numbered("2026-11-20T21:07:08.{0:03}Z \x1b[36;1m{1}\x1b[0m")
WAYS["log of Kubernetes CRI"] = numbered("2026-11-20T21:07:08.{0:09}Z stdout F {1}")
WAYS["pieces of Kubernetes CRI"] = if_changed(lambda text, dice: "\n".join(
    "2026-11-20T21:07:08.1Z stdout " + ("P " if len(line) > 60 and j + 60 < len(line) else "F ") + line[j:j + 60]
    for line in text.split("\n") for j in range(0, max(1, len(line)), 60)))
WAYS["log of Android"] = numbered("11-20 21:07:08.{0:03}  1234  1234 I jax     : {1}")
WAYS["log of journald"] = numbered("Nov 20 21:07:08 host python[1234]: {1}")
WAYS["two ranks in turn"] = lines_of(lambda lines, dice: [f"[rank{r}]: {line}" for line in lines for r in (0, 1)])
WAYS["a line of stderr inside a line"] = lambda text, dice: some_lines(text, dice, 0, lambda line: (
    lambda i: line[:i] + "W0000 00:00:17 gpu.cc:42] retry\n" + line[i:])(dice.randrange(len(line) + 1)))
WAYS["a message of 1024 bytes"] = lambda text, dice: text[:1024] + "...<truncated>" if len(text) > 1024 else None
WAYS["messages of 512 bytes"] = lambda text, dice: "\n".join(
    "INFO:root:" + text[i:i + 512] for i in range(0, len(text), 512)) if len(text) > 512 else None
WAYS["an object of Loki"] = lambda text, dice: "\n".join(
    json.dumps({"ts": str(i), "line": line}) for i, line in enumerate(text.split("\n")))
WAYS["counts of uniq"] = each_line(lambda line: "      1 " + line)

# ---- shells and scripts ----

WAYS["here document"] = lambda text, dice: (lambda new: new if new != text else None)(
    re.sub(r"`[^`\n]*`|\$\w+", "", text.replace("\\\\", "\\")))
WAYS["echo with escapes"] = every(r"\\[nt\\]", lambda m: {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}[m[0]])
WAYS["repeated letters squeezed"] = if_changed(lambda text, dice: re.sub(r"([a-z0-9])\1+", r"\1", text))
WAYS["repeated signs squeezed"] = if_changed(lambda text, dice: re.sub(r"([\])(\[.,:}{])\1+", r"\1", text))
WAYS["first words of lines"] = each_line(lambda line: " ".join(line.split(" ")[:12]))
WAYS["words of awk"] = each_line(lambda line: " ".join(line.split()))
WAYS["cut at a comment sign"] = if_changed(each_line(lambda line: line.split("#")[0]))
WAYS["cut at a quote"] = if_changed(each_line(lambda line: line.split("'")[0]))
WAYS["all spaces removed"] = replaced(" ", "")
WAYS["every second line lost"] = lines_of(lambda lines, dice: lines[::2])
WAYS["the first line lost"] = lines_of(lambda lines, dice: lines[1:])
WAYS["the last line lost"] = lines_of(lambda lines, dice: lines[:-1])
WAYS["first and last line lost"] = lines_of(lambda lines, dice: lines[1:-1])
WAYS["the line of results lost"] = lines_of(lambda lines, dice: [l for l in lines if not re.match(r" +in \(", l)])
WAYS["lines without letters lost"] = if_changed(lines_of(lambda lines, dice: [l for l in lines if re.search("[a-z]", l)]))
WAYS["lines of equations only"] = lines_of(lambda lines, dice: [l for l in lines if " = " in l])
WAYS["binders lost"] = every(r"(?m)^( +)[^=\n]* = ", r"\1")
WAYS["types lost"] = every(r":[a-z]+\d*\[[^]\n]*\]", "")
WAYS["types of operands lost"] = every(r"(?<=\d):[a-z]+\d*\[\]", "")
WAYS["a name replaced within words"] = lambda text, dice: (lambda a, b: text.replace(a, b))(
    dice.choice(["b", "c", "d", "e"]), dice.choice(["x", "bb", "arg"]))
WAYS["names with a prefix"] = every(r"\b([a-z])(?=:)", r"v_\1")
WAYS["one type replaced"] = some(r"\bf32\b", 0, "bf16")
WAYS["one name replaced"] = some(r"(?<= )[a-z](?= |$)", 0, lambda m, dice: dice.choice("abcdefg"))
WAYS["a number replaced"] = some(r"(?<=[\[,(])\d+(?=[\],)])", 0, lambda m, dice: str(int(m[0]) + dice.choice([1, 2, 8])))
WAYS["a dimension added"] = some(r"(?<=:f32)\[(?=\d)", 0, "[1,")
WAYS["underscores as hyphens everywhere"] = replaced("_", "-")
WAYS["in lines of 72 by fmt"] = if_changed(lambda text, dice: refilled(text, 72))
WAYS["Python's shorten"] = lambda text, dice: textwrap.shorten(text, 400, placeholder=" [...]") if len(text) > 500 else None
WAYS["textwrap with its defaults"] = if_changed(lambda text, dice: textwrap.fill(text, 70))
WAYS["textwrap of each line"] = if_changed(each_line(lambda line: textwrap.fill(
    line.strip(), 70, initial_indent=line[:len(line) - len(line.lstrip())], subsequent_indent=line[:len(line) - len(line.lstrip())])))

EDITS.update([
    "a name replaced within words", "names with a prefix", "one type replaced", "one name replaced", "a number replaced",
    "a dimension added", "an equation moved to the end", "two parameter lines exchanged", "a parameter in another equation",
    "a selection lost", "a selection pasted twice", "a selection moved", "a selection copied elsewhere"])

# ---- documents and source ----

WAYS["literal block of reStructuredText"] = lambda text, dice: "The jaxpr is::\n\n" + textwrap.indent(text, "    ") + "\n\nand so on."
WAYS["code block of Sphinx"] = lambda text, dice: ".. code-block:: text\n   :linenos:\n\n" + textwrap.indent(text, "   ")
WAYS["line block of reStructuredText"] = each_line(lambda line: "| " + line)
WAYS["escaped for reStructuredText"] = every(r"[*_`|]", lambda m: "\\" + m[0])
WAYS["doctest"] = lambda text, dice: ">>> print(jaxpr)\n" + text + "\n>>> "
WAYS["listing of LaTeX"] = lambda text, dice: "\\begin{lstlisting}\n" + text + "\n\\end{lstlisting}"
WAYS["typewriter of LaTeX"] = lambda text, dice: "\n".join(
    "\\texttt{" + re.sub(r"[_{}#&%$]", lambda m: "\\" + m[0], line) + "}\\\\" for line in text.split("\n"))
WAYS["quotes of a PDF"] = every("['-]", lambda m: {"'": "\u2019", "-": "\u2010"}[m[0]])
WAYS["a PDF without indentation, ligatures and hyphens"] = lambda text, dice: (lambda new: new if new != text else None)(
    re.sub(r"(?m)^ +", "", re.sub("fi|fl|ff", lambda m: {"fi": "\ufb01", "fl": "\ufb02", "ff": "\ufb00"}[m[0]],
                                  re.sub(r"(.{70}\w)(?=\w\w)", "\\1-\n", text))))
WAYS["HTML of Jupyter, tags dropped"] = lambda text, dice: re.sub("<[^<>]+>", "", html.escape(text).replace("\n", "<br>"))
WAYS["HTML once unescaped too often"] = lambda text, dice: (lambda new: new if new != text else None)(html.unescape(text.replace("<", "&lt")))
WAYS["pretty-printed string"] = lambda text, dice: pprint.pformat(text, width=80)
WAYS["raw string of C"] = lambda text, dice: 'const char *j = R"(' + text + ')";'
WAYS["template of JavaScript"] = lambda text, dice: "const j = `" + text + "`;"
WAYS["string of TOML"] = lambda text, dice: 'jaxpr = """\n' + text + '"""'
WAYS["folded block of YAML"] = lambda text, dice: "jaxpr: >-\n" + textwrap.indent(" ".join(text.split()), "  ")
WAYS["cell of pandas"] = lambda text, dice: repr(text)[:50] + "..." if len(text) > 60 else None
WAYS["abridged by VS Code"] = lambda text, dice: put_line(text, dice, "Output is truncated. View as a scrollable element or open in a text editor.")
WAYS["hints of an editor"] = every(r"(?m) = ([a-z_]+)\[", r" = \1[params: ")
WAYS["closing brackets of an editor"] = lambda text, dice: text + "]" * text.count("[") if "[" in text else None
WAYS["formatted by black"] = every(r"(?<=[\w\]])\)(?=\n)", ",)")
WAYS["both columns of a review"] = lambda text, dice: "\n".join(
    f"{i + 1}\t{line}\t{i + 1}\t{line}" for i, line in enumerate(text.split("\n")))
WAYS["middle of long lines cut"] = if_changed(each_line(
    lambda line: line if len(line) < 90 else line[:40] + "..." + line[-40:]))
WAYS["middle of long values cut"] = some(r"=\([^()\n]{12,}\)", 0.5, lambda m, dice: m[0][:6] + " ... " + m[0][-4:])
WAYS["lines sorted within programs"] = lines_of(lambda lines, dice: lines[:1] + sorted(lines[1:-1]) + lines[-1:])
WAYS["an equation moved to the end"] = lines_of(lambda lines, dice: (lambda at: None if len(at) < 2 else (
    lambda i: lines[:i] + lines[i + 1:-1] + [lines[i]] + lines[-1:])(dice.choice(at[:-1])))(
        [i for i, l in enumerate(lines) if re.match(r" {4}\S+:\S+ = .*[^\[({]$", l)]))
WAYS["two parameter lines exchanged"] = lines_of(lambda lines, dice: (lambda at: None if not at else (
    lambda i: lines[:i] + [lines[i + 1], lines[i]] + lines[i + 2:])(dice.choice(at)))(
        [i for i in range(len(lines) - 1) if all(re.match(r" +\w+=[^{]*$", l) for l in lines[i:i + 2])]))
WAYS["a parameter in another equation"] = lines_of(lambda lines, dice: (lambda at: None if len(at) < 2 else (
    lambda i, j: [l for k, l in enumerate(lines) if k != i][:j] + [lines[i]] + [l for k, l in enumerate(lines) if k != i][j:])(
        *sorted(dice.sample(at, 2))))([i for i, l in enumerate(lines) if re.match(r" +\w+=[^{]*$", l)]))


# ---- selections of an editor ----


def selected(change, most=40):
    """the text with `change` made to what a mouse selected: up to `most` bytes, over line ends too"""
    def damage(text, dice):
        if len(text) < 2 * most:
            return None
        at = dice.randrange(1, len(text) - most)
        return change(text, at, at + dice.randrange(2, most), dice)
    return if_changed(damage)


WAYS["a selection lost"] = selected(lambda text, i, j, dice: text[:i] + text[j:])
WAYS["a selection pasted twice"] = selected(lambda text, i, j, dice: text[:j] + text[i:])
WAYS["a selection moved"] = selected(lambda text, i, j, dice: (lambda rest, k: rest[:k] + text[i:j] + rest[k:])(
    text[:i] + text[j:], dice.randrange(len(text) - (j - i))))
WAYS["a selection copied elsewhere"] = selected(lambda text, i, j, dice: (lambda k: text[:k] + text[i:j] + text[k:])(
    dice.randrange(len(text))))
WAYS["a selection of columns lost"] = lines_of(lambda lines, dice: None if len(lines) < 4 else (
    lambda i, n, a, b: lines[:i] + [line[:a] + line[b:] for line in lines[i:i + n]] + lines[i + n:])(
        dice.randrange(len(lines) - 2), dice.randrange(2, 4), *sorted(dice.sample(range(4, 40), 2))))
