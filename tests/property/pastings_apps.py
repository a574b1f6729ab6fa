# SPDX-License-Identifier: Apache-2.0
"""Ways in which text is damaged by applications: notebooks, test reports, reviews, chats, word processors, loggers,
containers, terminals, mail, and writing from right to left."""

import html
import json
import re
import textwrap

from pastings import EDITS, WAYS, each_line, fold, if_changed, numbered, put_line, replaced, some_lines
from pastings_teams import lines_of
from pastings_tools import every, one_line, some

WAYS.clear()  # those of the other modules


def interleaved(change):
    """each line, after what `change` makes of its number"""
    return lambda text, dice: "\n".join(part for i, line in enumerate(text.split("\n")) for part in (change(i), line))


def first_then(first, rest):
    return lambda text, dice: first + text.replace("\n", "\n" + rest)


# ---- notebooks and interactive shells ----

WAYS["a cell as HTML with no-break spaces"] = each_line(
    lambda line: re.sub(" +", lambda m: "\u00a0" * (len(m[0]) - 1) + " ", line))
WAYS["a cell with entities for spaces"] = each_line(lambda line: re.sub("^ +", lambda m: "&nbsp;" * len(m[0]), line))
WAYS["prompts of IPython"] = lambda text, dice: "In [3]: print(jaxpr)\n" + text + "\n\nIn [4]: "
WAYS["continued prompts of IPython"] = first_then("In [3]: ", "   ...: ")
WAYS["a debugger"] = lambda text, dice: "(Pdb) p jaxpr\n" + text + "\n(Pdb) "
WAYS["a stream of JSON lines of a notebook"] = lambda text, dice: json.dumps(text.splitlines(keepends=True), indent=1)
WAYS["a tool tip cut in the middle"] = lambda text, dice: (lambda lines: None if len(lines) < 12 else "\n".join(
    lines[:6] + ["\u22ee"] + lines[-4:]))(text.split("\n"))
WAYS["sticky lines of an editor"] = lines_of(lambda lines, dice: None if len(lines) < 8 else (
    lambda i: lines[:i] + lines[:2] + lines[i:])(dice.randrange(4, len(lines) - 1)))

# ---- test reports and differences ----


def marks_of_pytest(text, dice):
    """an assertion that compares two texts: each changed line twice, and marks below"""
    lines, out = text.split("\n"), []
    sure = dice.randrange(len(lines))
    for i, line in enumerate(lines):
        number = re.search(r"\b\d+\b", line)
        if number and (i == sure or dice.random() < 0.1):
            other = line[:number.start()] + str(int(number[0]) + 1) + line[number.end():]
            mark = " " * number.start() + "^" * len(number[0])
            out += ["E     - " + other, "E     ? " + mark, "E     + " + line, "E     ? " + mark]
        else:
            out.append("E       " + line)
    return "\n".join(out)


def unified(text, dice):
    """what `git diff` prints of a change of one line"""
    lines = text.split("\n")
    at = [i for i, line in enumerate(lines) if re.search(r"\b\d+\b", line)]
    if not at:
        return None
    i = dice.choice(at)
    other = re.sub(r"\b\d+\b", lambda m: str(int(m[0]) + 1), lines[i], count=1)
    head = ["diff --git a/f.jaxpr b/f.jaxpr", "index 8f3c2a1..1c2d3e4 100644", "--- a/f.jaxpr", "+++ b/f.jaxpr",
            f"@@ -1,{len(lines)} +1,{len(lines)} @@"]
    return "\n".join(head + [" " + line for line in lines[:i]] + ["-" + lines[i], "+" + other] +
                     [" " + line for line in lines[i + 1:]])


WAYS["marks of pytest below lines"] = marks_of_pytest
WAYS["git diff of one line"] = unified
WAYS["git diff of one line, without its head"] = lambda text, dice: (
    lambda new: new and "\n".join(new.split("\n")[5:]))(unified(text, dice))
WAYS["git diff of words"] = some(r"(?<=[\[,(])\d+(?=[\],)])", 0, lambda m, dice: "[-" + m[0] + "-]{+" + m[0] + "1+}")
WAYS["git log with a patch"] = lambda text, dice: "    trace f\n\n" + "\n".join(
    "    +" + line for line in text.split("\n"))
WAYS["no newline at the end"] = lambda text, dice: text + "\n\\ No newline at end of file"
WAYS["suggestion inside of a review"] = lambda text, dice: one_line(text, dice, lambda lines, i: [
    "```suggestion", lines[i], "```"])
WAYS["numbers of a page on lines of their own"] = interleaved(lambda i: str(i + 1))
WAYS["numbers of nl"] = numbered("{0:6}\t{1}")
WAYS["numbers with dots"] = numbered("{0}.\t{1}")
WAYS["coverage marks"] = lines_of(lambda lines, dice: [dice.choice(">!  ") + " " + line for line in lines])

# ---- loggers and containers ----

LOGURU = "2026-11-20 21:07:08.{0:03} | INFO     | __main__:main:{0} - {1}"
WAYS["loguru before each line"] = numbered(LOGURU)
WAYS["loguru before the first line"] = lambda text, dice: LOGURU.format(7, text)
WAYS["logging before each line"] = numbered("2026-11-20 21:07:08,{0:03} - jax - DEBUG - {1}")
WAYS["docker compose"] = numbered("trainer-1  | {1}")
WAYS["docker compose, two services"] = lines_of(lambda lines, dice: [
    part for line in lines
    for part in ["trainer-1  | " + line] + (["db-1       | ready"] if dice.random() < 0.2 else [])])
WAYS["srun labels"] = numbered("0: {1}")
WAYS["mpirun tags"] = numbered("[1,0]<stdout>: {1}")
WAYS["ray workers"] = numbered("(train pid=4242) {1}")
WAYS["a logger's level in colour"] = each_line(lambda line: "\x1b[32mINFO\x1b[0m " + line)
WAYS["a record of structlog"] = lambda text, dice: "2026-11-20 [info     ] traced  jaxpr=" + json.dumps(text)
WAYS["key and value of logfmt"] = lambda text, dice: "level=info jaxpr=" + json.dumps(text)
WAYS["set -x"] = lambda text, dice: "+ cat f.jaxpr\n" + text + "\n+ exit 0"
WAYS["bytes of strace"] = lambda text, dice: 'write(1, "' + text.replace("\n", "\\n") + '", 512) = 512'

# ---- chats and word processors ----

WAYS["emoji of letters"] = some(r":[DPpob](?=\W)", 1, "\U0001f603")
WAYS["emoji of words"] = some(r":[a-z]\d+\[", 0.05, lambda m, dice: "\U0001f171[")
WAYS["Word: dots, dashes, arrows and quotes"] = if_changed(lambda text, dice: re.sub(
    r"'([^'\n]*)'", "\u2018\\1\u2019", text.replace("...", "\u2026").replace("--", "\u2013").replace("->", "\u2192")))
WAYS["Word: signs in parentheses"] = every(r"\(([cr])\)", lambda m: {"c": "\u00a9", "r": "\u00ae"}[m[1]])
WAYS["Word: superscripts and fractions"] = some(
    r"\b1/2\b|\b2(?=\])", 0.2, lambda m, dice: "\u00bd" if "/" in m[0] else "\u00b2")
WAYS["Slack: quotes and no-break spaces"] = if_changed(lambda text, dice: re.sub(
    r"'([^'\n]*)'", "\u2018\\1\u2019", text).replace("  ", " \u00a0"))
WAYS["Slack: links of addresses"] = some(r"\b[a-z_]+\.py\b", 1, lambda m, dice: f"<http://{m[0]}|{m[0]}>")
WAYS["Teams: one paragraph a line"] = replaced("\n", "\n\u200b\n")
WAYS["Jira: code"] = lambda text, dice: "{code:python}\n" + text + "\n{code}"
WAYS["Jira: no format"] = lambda text, dice: "{noformat}" + text + "{noformat}"
WAYS["a cell of a Markdown table"] = lambda text, dice: "| jaxpr |\n|---|\n| " + text.replace("\n", "<br>") + " |"
WAYS["Google Docs: visible spaces"] = lambda text, dice: text.replace("  ", "\u2002\u2002")
WAYS["visible spaces of LaTeX"] = replaced(" ", "\u2423")
WAYS["spelling corrected"] = some(r"\b(let|lambda|in|sin|cos|tan|exp|neg|sub|div)\b", 0.05, lambda m, dice: {
    "let": "Let", "lambda": "Lambda", "in": "In", "sin": "son", "cos": "cost", "tan": "ran", "exp": "ext", "neg": "beg",
    "sub": "Sub", "div": "dive"}[m[0]])

# ---- colours and terminals ----

WAYS["colours of rich"] = lambda text, dice: re.sub(r"(?<![\w.])\d+(?![\w.])", "\x1b[1;36m\\g<0>\x1b[0m", re.sub(
    r"[\[\](){}]", "\x1b[1m\\g<0>\x1b[0m", text))
WAYS["true colours"] = lambda text, dice: re.sub(r"\b[a-z_]+(?=\[)", "\x1b[38;2;102;217;239m\\g<0>\x1b[39m", text)
WAYS["colours without escapes, of rich"] = every(r"(?<![\w.])\d+(?![\w.])", "[1;36m\\g<0>[0m")
WAYS["links of a terminal"] = lambda text, dice: re.sub(
    r"\b[a-z_]+(?=\[)", "\x1b]8;;http://jax.dev\x1b\\\\\\g<0>\x1b]8;;\x1b\\\\", text)
WAYS["scrollback, padded and wrapped"] = lambda text, dice: "\n".join(
    line.ljust(80) for line in fold(text, 80).split("\n"))
WAYS["scrollback, wrapped inside of a border"] = lambda text, dice: "\n".join(
    "\u2502" + line.ljust(78) + "\u2502" for line in fold(text, 78).split("\n"))
WAYS["redrawn lines"] = lambda text, dice: some_lines(text, dice, 0.1, lambda line: line + "\r" + line)
WAYS["bracketed paste"] = lambda text, dice: "\x1b[200~" + text + "\x1b[201~"
WAYS["typed by a recorder"] = lambda text, dice: text.replace("\n", "\x1b[K\r\n")
WAYS["cut at the width of a pane"] = if_changed(lambda text, dice: (lambda width: "\n".join(
    line[:width] for line in text.split("\n")))(dice.choice([70, 90, 110])))
WAYS["a message over the last columns"] = lambda text, dice: some_lines(
    text, dice, 0, lambda line: (line[:len(line) - 12] if len(line) > 30 else line) + "[1] + Done ")

# ---- mail and files ----


def flowed(text, dice):
    """a reply with format=flowed: quoted, and lines that go on end with a space"""
    out = []
    for line in text.split("\n"):
        pieces = textwrap.wrap(line, 70, drop_whitespace=False, break_long_words=False, break_on_hyphens=False) or [""]
        out += ["> " + piece.rstrip() + " " for piece in pieces[:-1]] + ["> " + pieces[-1]]
    return "\n".join(out)


WAYS["quoted and flowed"] = flowed
WAYS["quoted twice and flowed"] = lambda text, dice: "\n".join("> " + line for line in flowed(text, dice).split("\n"))
WAYS["lines that begin with From"] = each_line(lambda line: " " + line)
WAYS["dots doubled"] = if_changed(each_line(lambda line: re.sub(r"^\.", "..", line)))
WAYS["signature of a mail"] = lambda text, dice: text + "\n-- \nJ. Doe"
WAYS["UTF-16 as bytes"] = lambda text, dice: "".join(c + "\0" for c in text)
WAYS["UTF-8 as Latin-1"] = lambda text, dice: text.replace("'", "\u00e2\u20ac\u2122") if "'" in text else None
WAYS["marks of direction"] = some(r"[\[(]", 0.1, lambda m, dice: m[0] + dice.choice("\u200e\u200f"))
WAYS["isolated lines"] = each_line(lambda line: "\u2066" + line + "\u2069")
WAYS["embedded lines"] = each_line(lambda line: "\u202b" + line + "\u202c")
WAYS["brackets of another direction"] = some(r"\[([\w,]*)\]", 0.05, lambda m, dice: "]" + m[1] + "[")
WAYS["a heredoc with tabs"] = lambda text, dice: "cat <<-END\n" + textwrap.indent(text, "\t") + "\n\tEND"
WAYS["a docstring"] = lambda text, dice: 'def f(x):\n    """Traces to\n\n' + textwrap.indent(text, "    ") + '\n    """'
WAYS["a comment of a file"] = lambda text, dice: "\n".join(("# " + line).rstrip() for line in text.split("\n"))
WAYS["XML of a report"] = lambda text, dice: "<failure><![CDATA[" + text + "]]></failure>"
WAYS["XML, escaped"] = lambda text, dice: "<system-out>" + html.escape(text) + "</system-out>"
WAYS["a page saved as text"] = lambda text, dice: put_line(text, dice, "Skip to content")

# ---- edits by hand ----

WAYS["an operand exchanged for a number"] = some(r"(?<= )[a-z](?=\n)", 0, lambda m, dice: "2.0:f32[]")
WAYS["a result of another equation"] = if_changed(lines_of(lambda lines, dice: lines[:-1] + [
    re.sub(r"\b([a-z])(?=,?\))", lambda m: chr(max(97, ord(m[1]) - 1)), lines[-1], count=1)]))
WAYS["one primitive replaced"] = some(r"(?<= = )(sin|cos|mul|add|sub|neg|exp)(?= )", 0, lambda m, dice: {
    "sin": "cos", "cos": "sin", "mul": "add", "add": "mul", "sub": "add", "neg": "exp", "exp": "log"}[m[1]])
EDITS.update(["an operand exchanged for a number", "a result of another equation", "one primitive replaced"])

# ---- one place of a text, and cells ----

WAYS["an accent of its own"] = some("[aeiou]", 0, lambda m, dice: m[0] + "\u0301")
WAYS["a hyphen at the end of a line"] = some("(?<=[a-z]{2})(?=[a-z]{2})", 0, lambda m, dice: "-\n")
WAYS["a replacement character"] = some(r"\S", 0, lambda m, dice: "\ufffd")
WAYS["a command of vi"] = some(r"(?<=\S)(?=\S)", 0, lambda m, dice: dice.choice(":w :wq jj dd ZZ gg iii".split()))
WAYS["output of a process inside a line"] = some(
    "(?<=.)(?=.)", 0, lambda m, dice: dice.choice(["done", "ready", "0.5\n", "True\n", "\nCompiling f\n", "Epoch 1\n"]))
WAYS["one mention"] = some(r"\b[a-z]\w+\b", 0, lambda m, dice: "@" + m[0])
WAYS["one entry deleted"] = some(r"\b\w+\b *", 0, lambda m, dice: "")
WAYS["values that are not available"] = every(r"\bNone\b", "N/A")
WAYS["powers of a spreadsheet"] = every(r"\d+(?:\.\d+)?e[+-]\d+", lambda m: f"{float(m[0]):.2E}")

# ---- other notations and styles ----

for script, zero in (("Devanagari", 0x966), ("Thai", 0xE50), ("Bengali", 0x9E6)):
    WAYS["digits of " + script] = every(r"\d", lambda m, zero=zero: chr(zero + int(m[0])))
WAYS["angle brackets of Chinese"] = every("[<>]", lambda m: {"<": "\u3008", ">": "\u3009"}[m[0]])
WAYS["quotes of French"] = every(r"'([^'\n]*)'", "\u00ab\u00a0\\1\u00a0\u00bb")
WAYS["pictures lost"] = some(r"(?<=\w)(?=\W)", 0, "\ufffc")
WAYS["layouts of XLA"] = every(
    r":([a-z]\w*)\[(\d+(?:,\d+)*)\]", lambda m: m[0] + "{" + ",".join(map(str, range(m[2].count(","), -1, -1))) + "}")
WAYS["tensors of MLIR"] = every(
    r":([a-z]+\d+)\[(\d+(?:,\d+)*)\]", lambda m: ":tensor<" + m[2].replace(",", "x") + "x" + m[1] + ">")
WAYS["a primitive with humps"] = some(r"(?<== )([a-z]+)_([a-z]+)(?=\[)", 0, lambda m, dice: m[1] + m[2].capitalize())
WAYS["a primitive in two words"] = some(r"(?<== )([a-z]+)_([a-z]+)(?=\[)", 0, lambda m, dice: m[1] + " " + m[2])
WAYS["a primitive of its module"] = some(r"(?<== )[a-z]\w+(?= )", 0, lambda m, dice: "lax." + m[0])
WAYS["a primitive with a mark of a note"] = some(r"(?<== )[a-z]\w+", 0, lambda m, dice: m[0] + "\u00b9")
WAYS["a primitive with the number of a note"] = some(r"(?<== )[a-z]\w+(?=\[)", 0, lambda m, dice: m[0] + "[1]")
WAYS["a class in snake case"] = some(
    r"\b(Named|Partition|Abstract|Shaped)(Sharding|Spec|Mesh|Array)\b", 0,
    lambda m, dice: m[1].lower() + "_" + m[2].lower())
WAYS["a class in small letters"] = some(
    r"\b(?:NamedSharding|PartitionSpec|AbstractMesh|ShapedArray)\b", 0, lambda m, dice: m[0].lower())
WAYS["secrets masked"] = every(r"\bp?jit\b", "***")
WAYS["addresses masked"] = every("0x[0-9a-f]+", "0x***")
WAYS["letters of Vietnamese"] = every("dd|ee|ow", lambda m: {"dd": "\u0111", "ee": "\u00ea", "ow": "\u01a1"}[m[0]])
WAYS["None as pandas prints it"] = every(r"\bNone\b", "NaN")
WAYS["the space of a repr lost"] = every(" at 0x", "at0x")
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
WAYS["dates of a spreadsheet"] = every(
    r"(?<=\[)(\d{1,2}),(\d{1,2})(?=\])", lambda m: MONTHS[(int(m[1]) - 1) % 12] + "-" + m[2])
WAYS["redirections eaten"] = every(r"\s?<\S+|>\S+", "")
