# SPDX-License-Identifier: Apache-2.0
"""The programs of `rewrites`: recorded, random or mutated ones, and pairs of them; each can be made again from its
name."""

import glob
import itertools
import os
import random

import generate
import mutate
from installed import HERE, rows

LONGEST = 20000  # bytes of a text
OPTIONS = ({}, {"dce": True}, {"commute": True})


def recorded(texts):
    """(identity, text) of every recorded program of these versions."""
    return [(f"recorded:{version}:{row['fn']}:{at}", row["text"])
            for version in texts for at, row in enumerate(rows(version)) if len(row["text"]) < LONGEST]  # fmt: skip


def kept():
    """Yields (identity, text) of the regressions: programs that failed once, reduced."""
    for path in sorted(glob.glob(os.path.join(HERE, "kept", "*.jaxpr"))):
        with open(path) as file:
            yield "kept:" + os.path.basename(path)[: -len(".jaxpr")], file.read()


def digests(jaxpr, text):
    """The digests of a text with each of the options of `eq`; none if it has errors."""
    try:
        return [jaxpr.hashes(text, **options) for options in OPTIONS]
    except jaxpr.Error:
        return []


def same(jaxpr, texts):
    """Pairs of recorded programs, of any function and version, that `eq` finds equal though their texts differ."""
    first, out = {}, []
    for identity, text in texts:
        for at, digest in enumerate(digests(jaxpr, text)):
            other = first.setdefault((at, digest), (identity, text))
            if other[1].strip() != text.strip():
                out.append((f"pairs:{other[0]}={identity}", other[1], text))
                break
    return out


class Sources:
    def __init__(self, given, jaxpr):
        self.given, self.jaxpr = given, jaxpr
        self.kinds = (given.only.split(":")[0] if given.only else given.kinds).split(",")
        self.texts = recorded(given.texts) if {"recorded", "mutated", "pairs"} & set(self.kinds) else []
        self.by_name, self.order = dict(self.texts), list(self.texts)
        random.Random(given.seed).shuffle(self.order)

    def base(self, at):
        """The name of a program to change: every second one is random."""
        if at % 2 or not self.order:
            return f"random:{self.given.seed * 1000000 + at}"
        return self.order[at // 2 % len(self.order)][0]

    def text(self, name):
        return self.by_name[name] if name in self.by_name else generate.program(int(name.split(":", 1)[1]))

    def changed(self, name, seed):
        return mutate.changed(self.text(name), seed, self.jaxpr)

    def pair(self, name, seed):
        """A program and its mutant if `eq`, with one of its options, finds them equal; else None."""
        one = self.text(name)
        two = mutate.changed(one, seed, self.jaxpr)
        if two is None:
            return None
        alike = any(a == b for a, b in zip(digests(self.jaxpr, one), digests(self.jaxpr, two)))
        return (f"pairs:{seed}:{name}", one, two) if alike else None

    def one(self, identity):
        """The program, or pair, of that name; None of a pair that `eq` does not find equal any more."""
        kind, rest = identity.split(":", 1)
        if kind == "random":
            return identity, self.text(identity)
        if kind == "mutated":
            seed, name = rest.split(":", 1)
            return identity, self.changed(name, int(seed))
        if kind == "pairs" and "=" in rest:
            return (identity, *map(self.by_name.get, rest.split("=")))
        if kind == "pairs":
            seed, name = rest.split(":", 1)
            return self.pair(name, int(seed))
        return identity, {**self.by_name, **dict(kept())}[identity]

    def streams(self):
        """An iterator over each kind except `kept`; those that generate or change programs do not end."""
        first = self.given.seed * 1000000
        if "recorded" in self.kinds:
            yield iter(self.order)
        if "random" in self.kinds:
            yield ((f"random:{first + at}", generate.program(first + at)) for at in itertools.count())
        if "mutated" in self.kinds:
            made = ((f"mutated:{first + at}:{self.base(at)}", self.changed(self.base(at), first + at)) for at in itertools.count())
            yield (each for each in made if each[1] is not None)
        if "pairs" in self.kinds:
            pairs = same(self.jaxpr, self.texts)
            random.Random(self.given.seed).shuffle(pairs)
            made = (self.pair(self.base(at), first + at) for at in itertools.count())
            yield itertools.chain(pairs, (each for each in made if each is not None))


def programs(given, jaxpr):
    """(identity, text) of programs, and (identity, text, text) of pairs, in turn from each kind."""
    made = Sources(given, jaxpr)
    if given.only:
        yield from filter(None, [made.one(given.only)])
        return
    if "kept" in made.kinds:
        yield from kept()
    streams = list(made.streams())
    while streams:
        for stream in list(streams):
            try:
                yield next(stream)
            except StopIteration:
                streams.remove(stream)
