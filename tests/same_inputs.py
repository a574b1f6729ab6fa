# SPDX-License-Identifier: Apache-2.0
"""The texts on which `same` compares two builds: by family, each text once, with pairs of related texts."""

import collections
import glob
import hashlib
import json
import os
import random
import re
import tarfile

import harness
import layouts

Input = collections.namedtuple("Input", "name text digest")


class Inputs:
    """The texts by family, and the pairs of a text and what was made from it."""

    def __init__(self):
        self.families = collections.defaultdict(list)
        self.by_digest, self.related = {}, []

    def add(self, family, name, text):
        text = text if isinstance(text, bytes) else (text + "\n").encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(text).hexdigest()[:16]
        if digest not in self.by_digest:
            self.by_digest[digest] = Input(family + "/" + name, text, digest)
            self.families[family].append(self.by_digest[digest])
        return self.by_digest[digest]

    def add_files(self, family, folder, pattern="**", skip=()):
        found = sorted(p for p in glob.glob(os.path.join(folder, pattern), recursive=True) if os.path.isfile(p))
        if not found:
            print("%s: skipped, no %s" % (family, os.path.join(folder, pattern)))
        for path in found:
            if not path.endswith(skip):
                with open(path, "rb") as f:
                    self.add(family, os.path.relpath(path, folder), f.read())

    def add_rows(self, family, pattern):
        """adds the programs and pairs of types of files of JSON lines; a row with a base is related to the base"""
        found = sorted(glob.glob(pattern))
        if not found:
            print("%s: skipped, no %s" % (family, pattern))
        programs, derived = {}, []
        for path in found:
            stem = os.path.basename(path).replace(".xz", "").replace(".jsonl", "")
            for number, row in enumerate(harness.rows(path), 1):
                for key in ("text", "jaxpr", "before", "after"):
                    if isinstance(row.get(key), str):
                        name = "%d%s.jaxpr" % (number, "" if key == "text" else key)
                        one = self.add(family + "/" + stem, name, row[key])
                        programs.setdefault(row.get("id"), one)
                        derived.append((row.get("base"), one))
                if isinstance(row.get("in_type"), str):
                    types = "in_type %s\nout_type %s" % (row["in_type"], row.get("out_type"))
                    self.add("types/" + stem, "%d.txt" % number, types)
        self.related += [(programs[b], one) for b, one in derived if b in programs and programs[b] is not one]

    def add_frozen(self, path):
        with tarfile.open(path) as archive:
            for member in archive:
                folder, _, name = member.name.partition("/")
                if member.isfile() and not name.startswith("."):
                    folder = {"read_sig": "types/frozen", "contract": "configurations/frozen"}.get(folder, folder)
                    self.add(folder if "/" in folder else "fuzz/" + folder, name, archive.extractfile(member).read())

    def add_statements(self, path):
        """the indented blocks of the table of dynamic shapes"""
        with open(path, encoding="utf-8") as f:
            blocks = re.split(r"\n(?! {4})", f.read())
        for number, block in enumerate(blocks, 1):
            text = re.findall(r"^ {4}(.*)$", block, re.M)
            if text:
                self.add("dynamic", "%d.jaxpr" % number, "\n".join(text))

    def add_mutants(self, share):
        """adds edits of a share of the texts; the digest of a text alone decides whether and how it is edited"""
        bases = [one for inputs in self.programs().values() for one in inputs if 0 < len(one.text) <= 20000]
        for base in bases:
            dice = random.Random(base.digest)
            if dice.random() < share:
                one = self.add("mutants", base.digest + ".jaxpr", edited(base.text, dice) or b"\n")
                self.related.append((base, one))

    def add_layouts(self, share):
        """adds odd layouts of a share of the short programs, and of the same share of 25000 generated ones"""
        bases = [one for inputs in self.programs().values() for one in inputs if 0 < len(one.text) <= 3000]
        for name, text in [(one.digest, one.text) for one in bases] + [(str(n), None) for n in range(25000)]:
            dice = random.Random("layout " + name)
            if dice.random() < share:
                text = layouts.program(dice) if text is None else text.decode("utf-8", "surrogateescape")
                text = layouts.layout(text, dice) if dice.random() < 0.7 else layouts.wrap(text, dice)
                self.add("layouts", name + ".jaxpr", text.encode("utf-8", "surrogateescape"))

    def programs(self):
        """the families that are not configurations, command lines or types"""
        apart = ("types/", "configurations/", "fuzz/options")
        return {f: inputs for f, inputs in self.families.items() if not f.startswith(apart)}

    def apart(self, prefix):
        return [one for f, inputs in self.families.items() if f.startswith(prefix) for one in inputs]


def sample(inputs, size, seed):
    """inputs in their order: all, or random runs of eight neighbours until there are enough"""
    if sum(len(one.text) for one in inputs) <= size.whole:
        return list(inputs)
    runs = list(range(0, len(inputs), 8))
    random.Random(seed).shuffle(runs)
    taken, left = set(), size.bytes
    for run in runs:
        weight = sum(len(one.text) for one in inputs[run : run + 8])
        if len(taken) * 8 < max(size.least, size.share * len(inputs)) and weight <= left:
            taken.add(run)
            left -= weight
    return [one for run in sorted(taken) for one in inputs[run : run + 8]]


TOKEN = re.compile(rb"\w+|[^\w\s]|\s+")
ODD = b"{ } ] ( : -> ... \" ' 0x1f -1".split() + [b"\0", b"\xff", b"\t", b"\r\n", b"\xc2\xa0"]
WRAPPED = [
    lambda t: t.replace(b"\n", b"\r\n"),
    lambda t: b"> " + t.replace(b"\n", b"\n> "),
    lambda t: b"INFO 12:03:44 step " + t.replace(b"\n", b"\nINFO 12:03:44 "),
    lambda t: b"Some text.\n\n```\n" + t + b"```\nMore of it, { and }.\n",
    lambda t: json.dumps(t.decode("utf-8", "replace")).encode(),
    lambda t: b"\n".join(line[i : i + 80] for line in t.split(b"\n") for i in range(0, len(line) or 1, 80)),
    lambda t: t.replace(b"<", b"&lt;").replace(b">", b"&gt;"),
    lambda t: t.replace(b"let", b"\x1b[34m\x1b[22m\x1b[1mlet\x1b[0m"),
    lambda t: b" ".join(t.split()),
    lambda t: t + b"\n" + t,
]


def edited(text, dice):
    """a text with one edit: of a token, of a line, or of how all lines are wrapped"""
    if dice.random() < 0.15:
        return dice.choice(WRAPPED)(text)
    if dice.random() < 0.15:
        lines = text.split(b"\n")
        at = dice.randrange(len(lines))
        lines[at : at + 1] = dice.choice([[], [lines[at]] * 2, [lines[at], dice.choice(lines)]])
        return b"\n".join(lines)
    start = dice.randrange(len(text))
    tokens = [found.span() for found in TOKEN.finditer(text, start, min(start + 200, len(text)))]
    (a, b), (c, d) = dice.choice(tokens), dice.choice(tokens)
    digit = re.compile(rb"\d+").search(text, start)
    if digit and dice.random() < 0.3:
        other = dice.choice([b"0", b"1", b"2", b"7", b"16", b"64", b"4294967296", b"18446744073709551616"])
        return text[: digit.start()] + other + text[digit.end() :]
    return dice.choice([
        text[:a] + text[b:],
        text[:b] + text[a:],
        text[:a] + text[c:d] + text[b:],
        text[:a] + dice.choice(ODD) + text[a:],
        text[:a] + dice.choice(ODD) + text[b:],
        text[:b],
    ])


def gather(tests, top):
    found, shared = Inputs(), harness.shared()
    found.add_files("configurations", os.path.join(tests, "golden"), "**/*.yaml")
    found.add_files("golden", os.path.join(tests, "golden"), skip=("meson.build", ".yaml"))
    found.add_files("samples", os.path.join(top, "samples"), skip=("meson.build", ".yaml"))
    found.add_files("manual", top, "man/*")
    found.add_files("contracts", os.path.join(tests, "contracts"), "*.jaxpr")
    found.add_files("regressions", os.path.join(tests, "fuzz", "regressions"))
    found.add_frozen(os.path.join(tests, "fuzz", "frozen.tar.xz"))
    found.add_statements(os.path.join(tests, "dynamic", "rows"))
    found.add_files("rows", os.path.join(tests, "oracle"), "*.jaxpr")
    found.add_rows("lint", os.path.join(tests, "lint", "*.jsonl.xz"))
    found.add_rows("cases", os.path.join(tests, "oracle", "cases", "*.jsonl.xz"))
    found.add_rows("oracle", os.path.join(shared, "oracle", "*.jsonl*"))
    found.add_rows("ecosystem", os.path.join(shared, "ecosystem", "*.jsonl.xz"))
    found.add_files("corpus", os.path.join(shared, "corpus"), "*.jaxpr")
    found.add_files("dynamic-examples", os.path.join(shared, "dynamic-examples"), "*.jaxpr")
    found.add_files("seeds", os.path.join(shared, "seeds"), "*.txt")
    return found
