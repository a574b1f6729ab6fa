# SPDX-License-Identifier: Apache-2.0
"""Traces every registered program under the JAX of this interpreter and writes facts about it, one JSON row per line.

One idea: a row is a fact from JAX, and its `row` is the kind of fact:
  program    id jax fn family valid prims eqns text      a printed program; equal `eqns` mean equal equations
  mutant     base jax n kind verdict complete msg text   one change and the verdict of JAX's checker (+ equation)
  pair       base jax how text                           another print of the same program
  variant    base jax how text                           a print with other options: no shapes, effects, no rules
  rewrite    base jax how text                           the result of JAX's conversion of constants, or of its DCE
  signature  id jax jaxpr in_type out_type note          a dynamically shaped program and its types
  skipped    fn jax why                                  a function this JAX cannot trace
Usage (by `record`): trace.py OUTPUT [--mutants N] [--only PART-OF-NAME|dynamic]
"""

import json
import os
import random
import re
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import warnings

import jax

warnings.filterwarnings("ignore")
import functions
import live
import mutate

WIDEST = 10**6
LONGEST = 200_000  # characters; longer prints are not recorded


def prints_of(rng, closed, base):
    """Yields (how, text) for other prints of the program that differ from `base`."""
    jaxpr = live.open_of(closed)
    makers = {
        "oneline": lambda: live.text(jaxpr, width=WIDEST),
        "narrow": lambda: live.text(jaxpr, width=40),
        "annotated": lambda: live.text(jaxpr, source_info=True),
        "shuffle": lambda: live.text(live.shuffled(rng, closed)),
        "unshare": lambda: live.text(live.unshared(closed)) if base.startswith("let ") else base,
    }
    for how, make in makers.items():
        try:
            printed = make()
        except Exception:
            continue
        if printed != base and len(printed) < LONGEST:
            yield how, printed


def variants_of(closed, base):
    """Yields (how, text) for prints with other options, each of which makes a language of its own."""
    options = {
        "unshaped": dict(print_shapes=False),
        "effects": dict(print_effects=True),
        "generic": dict(custom_pp_eqn_rules=False),
    }
    for how, option in options.items():
        try:
            printed = live.text(live.open_of(closed), **option)
        except Exception:
            continue
        if printed != base and len(printed) < 10_000:
            yield how, printed


def rewrites_of(closed, base):
    for how, make in (("convert_constvars", live.converted_constants), ("dce", live.without_dead_code)):
        try:
            made = make(closed)
        except Exception:
            continue
        if made is not None:
            printed = live.text(made)
            if how != "dce" or printed != base:
                yield how, printed


def rows_of(program, mutants):
    version = jax.__version__
    rng = random.Random(program.name)
    with program.settings():
        closed = jax.make_jaxpr(program.fn)(*program.arguments())
        base = live.text(closed)
        if len(base) > LONGEST:
            raise ValueError("the print is too long to record")
        name = "%s-%s" % (program.name, version)
        good, message, _ = live.judge(closed)
        yield dict(
            row="program",
            id=name,
            jax=version,
            fn=program.name,
            family=program.family,
            valid=good if program.judged else None,
            **({} if good else {"msg": message}),
            prims=dict(sorted(live.count(closed).items())),
            eqns=live.fingerprint(closed),
            text=base,
        )
        if not program.judged:
            return
        for how, printed in variants_of(closed, base):
            yield dict(row="variant", base=name, jax=version, how=how, text=printed)
        for how, printed in prints_of(rng, closed, base):
            yield dict(row="pair", base=name, jax=version, how=how, text=printed)
        for how, printed in rewrites_of(closed, base):
            yield dict(row="rewrite", base=name, jax=version, how=how, text=printed)
        if good and not any(
            re.match("own|RaiseOwn", prim) for prim in live.count(closed)
        ):  # only the primitives themselves know their types
            for row in mutate.mutants(random.Random(name), closed, base, mutants):
                yield dict(row="mutant", base=name, jax=version, **row)


def main(argv):
    output, mutants, only = argv[0], 6, None
    for flag, value in zip(argv[1::2], argv[2::2]):
        if flag == "--mutants":
            mutants = int(value)
        elif flag == "--only":
            only = value
    import dynamic

    register, broken = functions.load() if only != "dynamic" else ({}, {})
    with open(output, "w", encoding="utf-8") as out:
        put = lambda row: out.write(json.dumps(row, ensure_ascii=False) + "\n")
        for family, why in broken.items():
            put(dict(row="skipped", fn="(family) " + family, jax=jax.__version__, why=why[:300]))
        for name, program in register.items():
            if only and only not in name:
                continue
            try:
                for row in rows_of(program, mutants):
                    put(row)
            except Exception as error:
                put(
                    dict(
                        row="skipped",
                        fn=name,
                        jax=jax.__version__,
                        why=("%s: %s" % (type(error).__name__, error))[:300],
                    )
                )
        if only in (None, "dynamic"):
            for row in dynamic.rows(mutants):
                put(row)


if __name__ == "__main__":
    main(sys.argv[1:])
