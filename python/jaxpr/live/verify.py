# SPDX-License-Identifier: Apache-2.0
"""`verify`: two programs are run op by op on random inputs, and the bits of their results compared."""

from typing import NamedTuple, Tuple

import numpy as np

from .._errors import NotLoadable
from .evaluate import Machine, TooLong, bits
from .inputs import NoValue, seed_of, value
from .loaded import Loaded, load


class Verified(NamedTuple):
    """What `verify` found: true where nothing differs. `runs` is how often both ran, `differences` a sentence for each result
    that differs."""

    runs: int
    differences: Tuple[str, ...]

    def __bool__(self):
        return not self.differences

    def __str__(self):
        return "\n".join(self.differences) or f"the same bits in {self.runs} runs"


def loaded(x):
    return x if isinstance(x, Loaded) else load(x, None, None, None, None, (), False)


def filled(program, seed):
    """The program with values for its unknown constants, by type and order."""
    types = program.constants
    if not types:
        return program
    made = {name: value(program.names, aval, seed_of(seed, "constant", at, aval.str_short(True))) for at, (name, aval) in enumerate(types.items())}
    return load(program.text, made, None, None, None, (), False)


def verify(a, b, seeds, steps):
    """See `jaxpr.verify`."""
    one, two = loaded(a), loaded(b)
    types = [[each.str_short(True) for each in program.jaxpr.in_avals] for program in (one, two)]
    if types[0] != types[1]:
        return Verified(0, (f"the arguments differ: {', '.join(types[0])} and {', '.join(types[1])}",))
    runs, differences = 0, []
    for seed in range(seeds):
        found = []
        for program in (one, two):
            program = filled(program, seed)
            with program.context(), np.errstate(all="ignore"):
                given, machine = program.random_inputs(seed, special=bool(seed % 2)), Machine(program.names, steps)
                try:
                    outs = machine.run(program.sized(given), given)
                except TooLong as error:
                    raise NotLoadable(f"{error}: it cannot be verified") from None
                found.append(([bits(program.names, each) for each in outs], machine.effects))
        runs += 1
        if len(found[0][0]) != len(found[1][0]):
            return Verified(runs, (f"{len(found[0][0])} results and {len(found[1][0])}",))
        differences += [f"result {at} differs for seed {seed}" for at, (x, y) in enumerate(zip(found[0][0], found[1][0])) if x != y]
        if found[0][1] != found[1][1]:
            differences.append(f"the effects differ for seed {seed}: {len(found[0][1])} and {len(found[1][1])}")
    return Verified(runs, tuple(differences))


__all__ = ["NoValue", "Verified", "verify"]
