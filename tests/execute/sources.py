# SPDX-License-Identifier: Apache-2.0
"""Where programs come from: recorded, made up, or changed; each has a name by which it is found again."""

import glob
import itertools
import json
import lzma
import os
import random

import generate
import mutate


def recorded(files, installed):
    """(identity, text) of every recorded program of the JAX that is installed."""
    out = []
    for path in files:
        opened = lzma.open(path, "rt") if path.endswith(".xz") else open(path)
        with opened as lines:
            for number, line in enumerate(lines):
                row = json.loads(line)
                if row.get("row", "program") == "program" and row.get("jax") == installed and row.get("valid", True) and len(row["text"]) < 20000:
                    out.append((f"recorded:{row.get('id') or row.get('name') or number}", row["text"]))
    return out


def kept():
    """What was found once, as small as it could be made."""
    for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kept", "*.jaxpr"))):
        with open(path) as file:
            yield "kept:" + os.path.basename(path)[: -len(".jaxpr")], file.read()


def programs(given, judge, installed):
    kinds = given.only.split(":")[0].split(",") if given.only else given.kinds.split(",")
    texts = recorded(given.programs, installed) if {"recorded", "mutated"} & set(kinds) else []
    by_name, order = dict(texts), list(texts)
    random.Random(given.seed).shuffle(order)

    def made(seed):
        return f"random:{seed}", generate.program(seed)

    def changed(base, seed):
        text = by_name.get(base) if base in by_name else made(int(base.split(":", 1)[1]))[1]
        return f"mutated:{seed}:{base}", mutate.changed(text, seed, judge)

    if given.only:
        kind, rest = given.only.split(":", 1)
        if kind == "random":
            yield made(int(rest))
        elif kind == "mutated":
            seed, base = rest.split(":", 1)
            yield changed(base, int(seed))
        else:
            yield given.only, {**by_name, **dict(kept())}[given.only]
        return
    if "kept" in kinds:
        yield from kept()
    streams = []
    if "recorded" in kinds:
        streams.append(iter(order))
    if "random" in kinds:
        streams.append(made(given.seed * 1000000 + at) for at in itertools.count())
    if "mutated" in kinds:

        def base(at):
            return f"random:{given.seed * 1000000 + at}" if at % 2 or not order else order[at // 2 % len(order)][0]

        streams.append(changed(base(at), given.seed * 1000000 + at) for at in itertools.count())
    while streams:
        for stream in list(streams):
            try:
                yield next(stream)
            except StopIteration:
                streams.remove(stream)
