# SPDX-License-Identifier: Apache-2.0
"""Makes many programs out of some by seeded edits: other numbers, primitives, sizes (often wrong ones) or layout, source
lines, or a missing end; many are copies. As a script:

    edits.py NUMBER SEED INTO FILE...      FILE: lines of JSON with a `text`, compressed by xz
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness  # noqa: E402

ALIKE = (("sin", "cos", "tanh", "exp", "log", "logistic"), ("add", "sub", "mul", "max", "min"))
WORD = re.compile(r"= (" + "|".join(word for words in ALIKE for word in words) + r") ")
NUMBER = re.compile(r"\b\d+\.\d+(?=:f)")
SIZE = re.compile(r"(?<=[\[,])\d+(?=[,\]])")
EQUATION = re.compile(r"^ +\w+:[^\n]* = \w+[^\n\[{#]*(?:\[[^\n\[{#]*\][^\n\[{#]*)?$", re.M)  # on one line


def put(found, text, new):
    return text[: found.start(1 if found.re is WORD else 0)] + new + text[found.end(1 if found.re is WORD else 0) :]


def edit(text, chance):
    """a text with one change, or unchanged if nothing can be changed"""
    kind = chance.random()
    if kind < 0.02:
        return text[: chance.randrange(max(1, len(text)))]
    if kind < 0.05:
        return text.replace("\n", "\n ")
    if kind < 0.1:  # source lines, as JAX prints them with source_info=True
        return EQUATION.sub(lambda found: f"{found.group()} # model.py:{chance.randrange(1, 40)}:4 (step)", text)
    pattern = NUMBER if kind < 0.5 else WORD if kind < 0.9 else SIZE
    found = list(pattern.finditer(text))
    if not found:
        return text
    at = chance.choice(found)
    if pattern is NUMBER:
        return put(at, text, repr(round(chance.uniform(0, 100), 6)))
    if pattern is SIZE:
        return put(at, text, str(int(at.group()) + 1))
    return put(at, text, chance.choice(next(words for words in ALIKE if at.group(1) in words)))


def programs(texts, number, seed):
    """yields the names and texts of edited programs"""
    chance = random.Random(seed)
    for i in range(number):
        text = chance.choice(texts)
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            text = edit(text, chance)
        yield f"{i // 1000:04d}/{i:07d}.jaxpr", text + "\n"


def read(*paths):
    """the programs of files"""
    return [row["text"] for row in harness.rows(*map(str, paths), kind="program")]


def write(texts, number, seed, into):
    """writes edited programs as files"""
    for name, text in programs(texts, number, seed):
        if name.endswith("000.jaxpr"):
            os.makedirs(os.path.join(into, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(into, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    write(read(*sys.argv[4:]), int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
