# SPDX-License-Identifier: Apache-2.0
"""Seeded edits of a text that `check` accepts: other operands, primitives, literals, results and names."""

import random
import re

GROUPS = [["add", "sub", "mul", "max", "min"], ["sin", "cos", "neg", "abs", "tanh", "sign", "floor"], ["lt", "gt", "le", "ge", "eq", "ne"],
          ["and", "or", "xor"], ["reduce_sum", "reduce_max", "reduce_min"], ["jit", "closed_call"], ["reverse=True", "reverse=False"],
          ["False:bool[]", "True:bool[]"]]
BINDER = re.compile(r"(?<![\w.-])(?!nan:|inf:)([a-z]{1,3}|_):([a-z]\w*\[[^\]]*\])")
NAME = re.compile(r"(?<=[ (,])[a-z]{1,2}(?=[ ,)\n;\]]|$)", re.M)


def operand(text, draw):
    """Another variable of the same type in the place of one that is read."""
    types = dict(BINDER.findall(text))
    places = [each for each in NAME.finditer(text) if each.group() in types and text[each.end() : each.end() + 1] != ":"]
    if not places:
        return text
    place = draw.choice(places)
    near = [name for name, of in BINDER.findall(text[: place.start()])[-30:] if of == types[place.group()] and name != "_"]
    return text[: place.start()] + draw.choice(near or [place.group()]) + text[place.end() :]


def word(text, draw):
    group = draw.choice(GROUPS)
    places = list(re.finditer(r"(?<=[ =])(?:" + "|".join(map(re.escape, group)) + r")(?=[\[ \n])", text))
    if not places:
        return text
    place = draw.choice(places)
    return text[: place.start()] + draw.choice(group) + text[place.end() :]


def literal(text, draw):
    places = list(re.finditer(r"(?<= )-?\d+\.\d+(?=:[a-z])", text))
    if not places:
        return text
    place = draw.choice(places)
    return text[: place.start()] + draw.choice(["0.0", "-0.0", "1.5", "-2.0", "nan", "1e-40"]) + text[place.end() :]


def unread(text, draw):
    """A binder is named `_`, which `check` rejects if something reads it."""
    places = [each for each in BINDER.finditer(text) if each.group(1) != "_"]
    if not places:
        return text
    place = draw.choice(places)
    return text[: place.start()] + "_:" + place.group(2) + text[place.end() :]


def renamed(text, draw):
    """One name is replaced by another in the whole text, so that more scopes use the same name."""
    names = sorted({name for name, _ in BINDER.findall(text) if name != "_"})
    if len(names) < 2:
        return text
    one, two = draw.sample(names, 2)
    return re.sub(rf"(?<=[ (,\[]){one}(?=[ ,):\n;\]\[])", two, text)


def swapped(text, draw):
    """Two successive equations of the same depth change places."""
    lines = text.split("\n")
    places = [at for at in range(len(lines) - 1) if " = " in lines[at] and " = " in lines[at + 1] and lines[at][-1:] not in "[{" and
              len(lines[at]) - len(lines[at].lstrip()) == len(lines[at + 1]) - len(lines[at + 1].lstrip())]
    if places:
        at = draw.choice(places)
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)


EDITS = [operand, operand, operand, word, literal, unread, renamed, renamed, swapped]


def changed(text, seed, jaxpr):
    """The text after one to four edits, each of which `check` accepts; None when none is found."""
    draw, before, wanted = random.Random(seed), text, random.Random(seed).randint(1, 4)
    for _ in range(14):
        after = draw.choice(EDITS)(text, draw)
        if after != text and jaxpr.check(after).ok:
            text, wanted = after, wanted - 1
        if not wanted:
            break
    return text if text != before else None
