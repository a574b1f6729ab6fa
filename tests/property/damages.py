# SPDX-License-Identifier: Apache-2.0
"""One damaged line hides no unbound name on other lines: see `planted`."""

import random
import re

TOKEN = r"[A-Za-z_]\w*|\d+(?:\.\d*)?|\S"
CHARACTERS = "abcxyz019[](){}=:;,._- '#<>*+$"
UNBOUND = ("S012", "S011", "S016")
TYPE = r"(?<![\w.])([a-z]{1,3}):(?:Ref\{)?[a-z]\w*(?:<\w+>)?\[[^\]]*\]\}?"
USE = r"(?<=[\])\w] )([a-z]{1,2})$"  # the last operand of an equation on one line
HIDDEN = 0.03  # the part of damages that may hide the name: they lose a binder's name, or the end of a program


def damaged(dice, line):
    """a line with one edit of its binders, header, `=` or brackets"""
    equals = re.search(" = | <- ", line)
    first, end = len(line) - len(line.lstrip()), equals.end() if equals else len(line)
    brackets = [m.start() for m in re.finditer(r"[][(){}]", line)]
    words = [m for m in re.finditer(TOKEN, line) if m.start() < end]
    if end <= first or not words:
        return line
    at = dice.choice(brackets) if brackets and dice.random() < 0.2 else dice.randrange(first, end)
    word, other, character = dice.choice(words), dice.choice(words)[0], dice.choice(CHARACTERS)
    return dice.choice([
        lambda: line[:at] + line[at + 1:],
        lambda: line[:at] + character + line[at:],
        lambda: line[:at] + character + line[at + 1:],
        lambda: line[:word.start()] + line[word.end():],
        lambda: line[:word.start()] + other + " " + line[word.start():],
        lambda: line[:word.start()] + other + line[word.end():],
    ])()  # fmt: skip


def damages(dice, text, n):
    """yields up to n tuples: the words of a line before and after damage, and the text with an operand of another line
    renamed to `nowhere`, with the damage, and with both"""
    lines = text.split("\n")
    uses = [(i, m.start()) for i, line in enumerate(lines) if " = " in line for m in re.finditer(USE, line)]
    for _ in range(n):
        i = dice.randrange(len(lines))
        new, others = damaged(dice, lines[i]), [use for use in uses if use[0] != i]
        if new == lines[i] or not others:
            continue
        k, at = dice.choice(others)
        renamed = [line[:at] + "nowhere" if j == k else line for j, line in enumerate(lines)]
        texts = ["\n".join(new if j == i else line for j, line in enumerate(x)) for x in (lines, renamed)]
        yield set(re.findall(r"\w+", lines[i] + " " + new)), ["\n".join(renamed), *texts]


def unbound(errors):
    """the names that errors report as unbound, in their order"""
    return [re.search("`([^`]*)`", e)[1] for e in errors if e[:4] in UNBOUND]


def hides_nothing(texts, check, seed, show):
    """whether, in damaged programs, names are reported that only the renaming unbinds, and no others; prints what is
    wrong. `check` returns the errors of texts, as `CODE message`"""
    dice, tried, hidden, wrong = random.Random(seed), 0, 0, 0
    texts = [re.sub(TYPE, r"\1", text) if i % 4 == 0 else text for i, text in enumerate(texts)]
    jobs = [job for text in texts for job in damages(dice, text, 6)]
    found = check([text for _, three in jobs for text in three])
    for i, (words, three) in enumerate(jobs):
        renamed, alone, both = found[3 * i : 3 * i + 3]
        syntax = [e for e in alone if e[0] == "S" and e[:4] not in UNBOUND]
        if [e[:4] for e in renamed] != ["S012"] or not syntax:
            continue
        tried += 1
        names = unbound(both)
        hidden += "nowhere" not in names
        if names.count("nowhere") > 1 or set(unbound(alone)) - words or set(names) - words - {"nowhere"}:
            wrong += 1
            if wrong <= show:
                print("---- %s\nreported: %s; without `nowhere`: %s" % (three[2], both, alone))
    print("%d programs with a syntax error on one line and an unbound name on another: %d have reports of other names, and "
          "in %d the name is not reported" % (tried, wrong, hidden))
    return tried > 0 and wrong == 0 and hidden < HIDDEN * tried
