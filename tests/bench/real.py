# SPDX-License-Identifier: Apache-2.0
"""Programs of real libraries, repeated until they are long enough. Each copy has other literals, sizes and variable
names, from a fixed seed, so that no program repeats as a whole.

The programs are those of ecosystem/large.jsonl.xz in the folder JAXPR_SHARED (default: ../shared beside the checkout). A
size is replaced only if `check` still accepts the program, which is run once for each size of each program."""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import harness  # noqa: E402
from programs import name as numeral  # noqa: E402

LITERAL = re.compile(r"(?<![\w.\[(,=-])-?\d+\.(\d+)(?=:| |\n)")
BINDER = re.compile(r"(?<![\w.'\"=\[(])[a-z]+(?=:(?:[a-z]+\d*|\w+<\w+>)\[)")
WORD = re.compile(r"(?<![\w.'\"=\[:])[a-z]+(?=[:\s,)\]};]|$)")
PRIMITIVE = re.compile(r" = [a-z]\w*")
TYPE = re.compile(r"(?<=\[)\d+(?:,\d+)*(?=\])")
SIZES = re.compile(r"(?:shape|new_sizes|limit_indices|slice_sizes|length|limit_indices)=\(?[\d, ]*")
RESERVED = {"let", "in", "lambda", "inf", "nan", "of"}


def place():
    """The file of the programs, or None."""
    path = os.path.join(harness.shared(), "ecosystem", "large.jsonl.xz")
    return path if os.path.exists(path) else None


def number(name):
    value = 0
    for letter in name:
        value = value * 26 + ord(letter) - 97
    return value


def rename(text, by):
    """Renames every variable to the name `by` places later in JAX's order."""
    binders = set(BINDER.findall(text)) - RESERVED
    parts, at = [], 0
    for word in WORD.finditer(text):
        name, start = word[0], word.start()
        if name in binders and text[start - 2:start] != "= ":
            to = numeral(number(name) + by)
            parts += [text[at:start], to + "_" if to in RESERVED else to]
            at = word.end()
    return "".join(parts) + text[at:]


def resize(text, sizes):
    """The text with the sizes in types and parameters replaced according to the dict `sizes`."""
    def other(found):
        return re.sub(r"\d+", lambda size: sizes.get(size[0], size[0]), found[0])
    return SIZES.sub(other, TYPE.sub(other, text))


def correct(jaxpr, text):
    found = harness.run(jaxpr, "check", "--format=gcc", text=text).out
    return ": warning: " not in found and ": error: " not in found


def read(jaxpr, path):
    """(text, sizes that may be replaced), for each program."""
    programs = []
    for text in (row["text"] for row in harness.rows(path)):
        found = sorted({size for shape in TYPE.findall(text) for size in shape.split(",")} - {"0", "1", "2"}, key=int)
        free = []
        for size in found[-6:]:
            if correct(jaxpr, resize(text, {s: str(int(s) + 100) for s in [*free, size]})):
                free.append(size)
        programs.append((text, free))
    return programs


def write(jaxpr, size, out):
    """Writes edited copies of all programs until there are `size` bytes; returns the number of copies not edited."""
    rng, written, programs, plain = random.Random(23), 0, read(jaxpr, place()), 0
    while written < size:
        for text, free in programs:
            sizes = {s: str(int(s) + rng.randrange(1, 900)) for s in free}
            edited = LITERAL.sub(lambda found: f"{float(found[0]) * (1 + rng.random()):.{len(found[1])}f}", text)
            edited = rename(resize(edited, sizes), rng.randrange(1, 5000))
            if not correct(jaxpr, edited):
                edited, plain = text, plain + 1
            out.write(edited + "\n")
            written += len(edited) + 1
    return plain
