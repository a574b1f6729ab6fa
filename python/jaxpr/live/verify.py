# SPDX-License-Identifier: Apache-2.0
"""`verify`: runs two programs op by op on random inputs, and compares the bits of their results."""

from typing import NamedTuple, Tuple

import numpy as np

from .._errors import Error, NotLoadable
from .evaluate import Ambiguous, Machine, Memory, TooLong, bits, is_ref, nested_constants
from .inputs import NoValue, seed_of, value
from .loaded import Loaded, load, sized
from .scope import Placeholder


class Verified(NamedTuple):
    """The result of `verify`: true if nothing differs. `runs` is the number of runs of both programs, `differences` has a sentence
    for each difference."""

    runs: int
    differences: Tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        return "\n".join(self.differences) or f"the same bits in {self.runs} runs"


class Run(NamedTuple):
    """One run of a reference program: its inputs, the values computed from them, the bits of its results, and its effects."""

    seed: int
    inputs: list
    lifted: list  # the values of constants of nested programs, if each has a different one; else None
    memory: Memory
    found: tuple


def inputs_of(program, jaxpr):
    """The types of a program's inputs: constants that the text does not contain, then arguments."""
    opened = getattr(jaxpr, "jaxpr", jaxpr)
    unknown = [var.aval for var, held in zip(opened.constvars, jaxpr.consts) if isinstance(held, Placeholder) or held is None]
    return unknown + [each.aval for each in opened.invars]


def sizes_of(program):
    """A number for each symbol in the types of a program."""
    return {symbol: 3 + at for at, symbol in enumerate(sorted(program.symbols))}


def arguments_of_sizes(program, types):
    """The values of inputs whose names are sizes in types, such as `a` in `a:i32[] c:f32[a]`, by index in `types`."""
    sizes, names = sizes_of(program), program.arguments[-len(types) :] if types else []
    return {at: sizes[name] for at, name in enumerate(names) if name in sizes and not types[at].shape}


def short(avals):
    return [each.str_short(True) for each in avals]


class Reference:
    """A program with which others are compared: it runs once for each seed, and the others run on the same inputs."""

    def __init__(self, x, seeds=3, steps=100000):
        self.program, self.steps, self.seeds, self.apart = loaded(x), steps, seeds, None
        with self.program.context(), np.errstate(all="ignore"):
            self.jaxpr = self.sizes(self.program)
            self.types = inputs_of(self.program, self.jaxpr)
            self.numbers = arguments_of_sizes(self.program, self.types)
            self.nested = nested_constants(self.jaxpr)
            self.runs = [self.start(seed) for seed in range(seeds)]

    @staticmethod
    def sizes(program):
        """The live program with numbers in place of symbolic sizes."""
        numbers = sizes_of(program)
        return program.sized([np.empty(sized(each, numbers).shape, bool) if hasattr(each, "shape") else None for each in program.jaxpr.in_avals])

    def start(self, seed, apart=None, lifted=None):
        names, memory = self.program.names, Memory(self.program.names, seed, apart)
        make = lambda at, of: value(names, of, seed_of(seed, len(self.types) - at), bool(seed % 2), self.program.mesh)
        inputs = [np.asarray(self.numbers[at], of.dtype) if at in self.numbers else make(at, of) for at, of in enumerate(self.types)]
        try:
            return Run(seed, inputs, lifted, memory, self.execute(self.program, self.jaxpr, inputs, memory))
        except (Ambiguous, TooLong) as error:
            raise NotLoadable(f"{error}: it cannot be verified") from None

    def execute(self, program, jaxpr, inputs, memory):
        """The bits of the results and of refs among the inputs, and the external effects."""
        machine, opened = Machine(program, self.steps, memory), getattr(jaxpr, "jaxpr", jaxpr)
        inputs = [fresh(program.names, each) for each in inputs]
        unknown, consts = list(inputs[: len(inputs) - len(opened.invars)]), []
        for held in jaxpr.consts:
            consts.append(unknown.pop(0) if isinstance(held, Placeholder) or held is None else held)
        outs = machine.run(jaxpr, inputs[len(inputs) - len(opened.invars) :], consts)
        refs = [each for each in inputs if is_ref(each)]
        return [bits(program.names, each) for each in outs + refs], machine.effects

    def runs_apart(self):
        """Runs in which each constant of a nested program has a different value, for programs whose first inputs are these
        constants."""
        if self.apart is None:
            self.apart = []
            with self.program.context(), np.errstate(all="ignore"):
                for seed in range(min(1, self.seeds)):
                    own = {}
                    for at, each in enumerate(self.nested):
                        own.setdefault(id(each), value(self.program.names, each.aval, seed_of(seed, "apart", at)))
                    self.apart.append(self.start(seed, own, [own[id(each)] for each in self.nested]))
        return self.apart

    def load(self, text):
        """The program of a text to compare, loaded with the options and the mesh of the reference."""
        options = self.program.options
        return load(text, None, self.program.mesh, options.axis_env, options.rules, options.exported, False, self.program.jaxpr.out_avals,
                    options.unknown)  # fmt: skip

    def compare(self, x, lifted=False):
        """Runs `x` on the same inputs as the reference, and returns the differences. Its inputs may begin with lifted constants of
        nested programs; with `lifted`, these are all such constants, in order."""
        two = x if isinstance(x, Loaded) else self.load(x)
        with two.context(), np.errstate(all="ignore"):
            jaxpr = self.sizes(two)
            types = inputs_of(two, jaxpr)
            taken, implied = list(range(len(self.types))), arguments_of_sizes(two, types)
            if len(implied) != len(self.numbers):  # `collapse` or `expand` changed the arguments that are sizes
                taken = [at for at in taken if at not in self.numbers]
            else:
                implied = {}
            types = [each for at, each in enumerate(types) if at not in implied]
            extra, own = len(types) - len(taken), short([self.types[at] for at in taken])
            if extra < 0 or short(types[extra:]) != own or extra and not self.nested:
                return Verified(0, (f"the arguments differ: {', '.join(short(self.types))} and {', '.join(short(types))}",))
            if lifted and short(types[:extra]) != short([each.aval for each in self.nested]):
                wanted = ", ".join(short([each.aval for each in self.nested]))
                return Verified(0, (f"the constants of nested programs are {wanted}; lifted are {', '.join(short(types[:extra]))}",))
        differences = []
        for run in self.runs + (self.runs_apart() if lifted and self.nested else []):
            with two.context(), np.errstate(all="ignore"):
                more = run.lifted or [run.memory.constant(Placeholder(each, "", "")) for each in types[:extra]]
                inputs = more + [run.inputs[at] for at in taken]
                for at in sorted(implied):
                    inputs.insert(at, np.asarray(implied[at], "int32"))
                try:
                    found = self.execute(two, jaxpr, inputs, run.memory)
                except Ambiguous as error:
                    return Verified(len(self.runs), (str(error),))
                except TooLong as error:
                    raise NotLoadable(f"{error}: it cannot be verified") from None
            differences += compared(run, found)
        return Verified(len(self.runs), tuple(differences))


def fresh(names, x):
    """A new ref with the same value, if an input is a ref; other inputs unchanged."""
    if not is_ref(x):
        return x
    jax = names.jax
    new = getattr(jax, "new_ref", None) or getattr(jax, "array_ref", None) or names.core.mutable_array
    return new(x[...])


def compared(run, found):
    """A sentence for each difference between a run and the results of another program."""
    if len(run.found[0]) != len(found[0]):
        return [f"{len(run.found[0])} results and {len(found[0])}"]
    out = [f"result {at} differs for seed {run.seed}" for at, (one, two) in enumerate(zip(run.found[0], found[0])) if one != two]
    if not same_effects(run.found[1], found[1]):
        out.append(f"the effects differ for seed {run.seed}: {len(run.found[1])} and {len(found[1])}")
    return out


def same_effects(one, two):
    """Whether effects are the same in the same order, except for uncertain ones that only one program has."""
    short, rest = (one, iter(two)) if len(one) < len(two) else (two, iter(one))
    return all(each in rest for each in short) and [each for each in one if each[0]] == [each for each in two if each[0]]


def loaded(x, unknown=True):
    """`x` as a Loaded. With `unknown`, constants are inputs even if their values could be found, since rewrites move constants."""
    return x if isinstance(x, Loaded) else load(x, None, None, None, None, (), False, (), unknown)


def verify(a, b, seeds, steps):
    """See `jaxpr.verify`."""
    unknown = not isinstance(a, Loaded) and not isinstance(b, Loaded)
    one, two = loaded(a, unknown), loaded(b, unknown)
    if len(inputs_of(one, one.jaxpr)) > len(inputs_of(two, two.jaxpr)):
        one, two = two, one
    return Reference(one, seeds, steps).compare(two)


__all__ = ["Error", "NoValue", "Reference", "Verified", "verify"]
