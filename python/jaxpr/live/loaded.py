# SPDX-License-Identifier: Apache-2.0
"""`load`: makes a JAX function from the text of a program."""

import contextlib
import re
from typing import AbstractSet, Any, Dict, Tuple

import numpy as np

from .._errors import Error, Missing, NotLoadable
from .._source import source
from .._verbs import fmt
from .build import Builder, Options
from .fields import fields_of, walk
from .inputs import seed_of, value
from .scope import Placeholder, Unknown
from .versions import Names

WIDE = re.compile(r"(?:float64|u?int64|complex128)$")
WIDE_WORD = re.compile(r"\b(?:float64|u?int64|complex128)\b(?!\()")  # `np.int64(1)` is a number, not an array


class Loaded:
    """A program that was loaded from text: a function that takes an array for each argument, and returns a tuple with an array for
    each result. It can be jitted, vmapped and differentiated.

    `jaxpr` is the live program (a ClosedJaxpr, or since JAX 0.11 a Jaxpr), `text` the text from which it was loaded. `missing`
    lists what the text does not contain, as tuples (line, primitive, parameter, what, hint, assumed) that print as sentences;
    using something that is listed and not `assumed` raises Missing.
    """

    jaxpr: Any
    text: str
    missing: Tuple[Unknown, ...]

    def __init__(self, builder, jaxpr, text, wide):
        self.jaxpr, self.text, self._builder, self.wide, self.names = jaxpr, text, builder, wide, builder.names
        self.missing = tuple(dict.fromkeys(builder.missing))
        self.refused, self.options, self.mesh, self.unclear = tuple(builder.checks), builder.options, builder.mesh, builder.unclear
        self.variable = builder.variable  # makes a variable of a type
        self._exact, self._by_size, self._by_mesh = None, {}, {}
        self._unread = list(placeholders(jaxpr))[:1]

    @property
    def symbols(self) -> AbstractSet[str]:
        """The symbols in sizes of its types."""
        return self._builder.symbols

    @property
    def arguments(self):
        """The names of its constants and arguments in the text."""
        return [each["name"] for key in ("constvars", "invars") for each in self._builder.field["jaxpr"][key]]

    def context(self):
        """The context in which calls run: with 64-bit types and the mesh, if the program needs them."""
        stack = contextlib.ExitStack()
        if self.wide:
            stack.enter_context(self._builder.names.enable_x64(True))
        mesh = self._builder.mesh
        if isinstance(mesh, self._builder.names.jax.sharding.Mesh):
            if getattr(mesh, "_any_axis_explicit", False) and hasattr(self._builder.names.jax, "set_mesh"):
                outside = self._builder.names.core.trace_state_clean()  # inside jit and the like, JAX allows no set_mesh
                stack.enter_context(self._builder.names.jax.set_mesh(mesh) if outside else self._builder.names.use_mesh(mesh.abstract_mesh))
        return stack

    @property
    def constants(self) -> Dict[str, Any]:
        """The types of the constants that were not given, by name."""
        return dict(self._builder.constant_types)

    @property
    def mesh_axes(self) -> Tuple[str, ...]:
        """The mesh axes that types name and whose sizes the text does not show. In `jaxpr` their size is 1."""
        return self._builder.open_axes

    def on_mesh(self, args):
        """This program, loaded with the mesh that has its `mesh_axes`: that of an argument, or the current one; self if there is
        none."""
        if not self.mesh_axes:
            return self
        core, sharding = self.names.core, self.names.jax.sharding
        placed = [each.aval if isinstance(each, core.Tracer) else each for each in args]
        found = [getattr(getattr(each, "sharding", None), "mesh", None) for each in placed]
        current = "get_mesh" if core.trace_state_clean() else "get_abstract_mesh"
        for mesh in [*found, *([getattr(sharding, current)()] if hasattr(sharding, current) else [])]:
            axes = getattr(mesh, "axis_names" if getattr(mesh, "_any_axis_explicit", False) else "manual_axes", ())
            if set(self.mesh_axes) <= set(axes):
                if mesh not in self._by_mesh:
                    self._by_mesh[mesh] = load(self.text, *self.options._replace(mesh=mesh)[:5], False, self.options.outs, self.options.unknown)
                return self._by_mesh[mesh]
        return self

    def __call__(self, *args: Any) -> Tuple[Any, ...]:
        other = self.on_mesh(args)
        if other is not self:
            return other(*args)
        with self.context():
            core, jaxpr = self._builder.names.core, self.jaxpr
            if len(args) != len(jaxpr.in_avals):
                raise TypeError(f"the program takes {len(jaxpr.in_avals)} arguments, {len(args)} were given")
            jaxpr = self.sized(args)
            closed = getattr(jaxpr, "jaxpr", jaxpr)
            for each in self._unread:
                raise Missing(each.message)
            return tuple(core.eval_jaxpr(closed, jaxpr.consts, *args))

    def sized(self, args):
        """The live program; if its types have symbols, with the sizes of the arguments in their place."""
        if not self._builder.symbols or self._builder.options.sizes:
            return self.jaxpr
        sizes, pairs = {}, []
        for aval, arg in zip(self.jaxpr.in_avals, args):
            pairs += zip(getattr(aval, "shape", ()), np.shape(arg))
        for size, actual in pairs:
            if str(size) in self._builder.symbols and sizes.setdefault(str(size), actual) != actual:
                raise TypeError(f"the size {size} is both {sizes[str(size)]} and {actual}")
        for size, actual in pairs:
            solved(size, actual, self._builder.symbols, sizes)
        unknown = self._builder.symbols - set(sizes)
        if unknown:
            raise NotLoadable(f"the sizes of the arguments do not determine {', '.join(sorted(unknown))}")
        key = tuple(sorted(sizes.items()))
        if key not in self._by_size:
            builder = Builder(self._builder.field, self._builder.options._replace(sizes=sizes), self._builder.names)
            self._by_size[key] = builder.whole()
            self.unclear.update(builder.unclear)
        return self._by_size[key]

    @property
    def exact(self) -> bool:
        """Whether JAX prints the live program as the text that was loaded, byte for byte except for addresses."""
        if self._exact is None:
            self._exact = comparable(self.pretty()) == comparable(self.text)
        return self._exact

    def pretty(self) -> str:
        """What JAX prints for the live program."""
        with self.context():
            return str(self.jaxpr)

    def check(self) -> None:
        """Runs JAX's checker on the live program; raises what it raises."""
        core = self._builder.names.core
        with self.context(), self._builder.context():
            core.check_jaxpr(getattr(self.jaxpr, "jaxpr", self.jaxpr))

    def random_inputs(self, seed=0, special=False):
        """Random arguments of the right types; with `special`, some are infinities, NaNs and the like. Raises NoValue for types
        without such values."""
        with self.context():
            sizes = {symbol: 3 + at for at, symbol in enumerate(sorted(self._builder.symbols))}
            of = lambda at, aval: value(self._builder.names, sized(aval, sizes), seed_of(seed, at), special, self._builder.mesh)
            return [of(at, aval) for at, aval in enumerate(self.jaxpr.in_avals)]

    def __repr__(self):
        return self.pretty()


FAR = (2, 3, 1000, 1000003)  # values at which nonlinear sizes, such as mod(b, 2), are not linear


def solved(size, actual, symbols, sizes):
    """If exactly one symbol of `size` is not in `sizes`, and `size` is linear in that symbol, adds the symbol to `sizes` with the
    natural number, if any, for which `size` is `actual`."""
    unknown = (symbols & set(re.findall(r"[A-Za-z_]\w*", str(size)))) - set(sizes)
    if len(unknown) != 1:
        return
    (symbol,) = unknown
    zero, one, *more = (int(size._evaluate({**sizes, symbol: at})) for at in (0, 1, *FAR))
    linear = one != zero and more == [zero + at * (one - zero) for at in FAR]
    found, rest = divmod(actual - zero, one - zero) if linear else (0, 1)
    if not rest and found >= 0 and int(size._evaluate({**sizes, symbol: found})) == actual:
        sizes[symbol] = found


def sized(aval, sizes):
    """A type with numbers for its symbolic sizes."""
    shape = getattr(aval, "shape", ())
    if all(isinstance(each, (int, np.integer)) for each in shape):
        return aval
    return aval.update(shape=tuple(each if isinstance(each, (int, np.integer)) else int(each._evaluate(sizes)) for each in shape))


def placeholders(jaxpr):
    """The placeholders for missing arrays that an equation or a result of a program or of a nested program reads."""
    seen, stack = set(), [jaxpr]
    while stack:
        each = stack.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        opened = getattr(each, "jaxpr", each)
        held = {id(var): value for var, value in zip(opened.constvars, getattr(each, "consts", ())) if isinstance(value, Placeholder)}
        for atom in [atom for eqn in opened.eqns for atom in eqn.invars] + list(opened.outvars):
            if id(atom) in held:
                yield held[id(atom)]
            elif isinstance(getattr(atom, "val", None), Placeholder):
                yield atom.val
        for eqn in opened.eqns:
            for value in eqn.params.values():
                stack += [inner for inner in (value if isinstance(value, (tuple, list)) else [value]) if hasattr(inner, "eqns")]


def text_of(x):
    """The text of `x` as str."""
    kept = source(x).keep().data
    return kept if isinstance(kept, str) else bytes(kept).decode("utf-8", "replace")


def comparable(text):
    """A text without trailing space and with every address masked, as newer JAX prints them."""
    return re.sub(r" at 0x([0-9a-fA-FX]+)", lambda match: " at 0x" + "X" * len(match.group(1)), text.strip())


def load(x, consts, mesh, axis_env, rules, exported, strict, outs=(), unknown=False):
    """See `jaxpr.load`; `outs` are the expected types of results, for those printed without a type; with `unknown`, no constant is
    restored."""
    text, names = text_of(x), Names()
    options = Options(consts, mesh, dict(axis_env or {}), dict(rules or {}), tuple(exported or ()), outs, unknown=unknown)
    spelled, why = respelled(text, names), None
    made = attempt(spelled, text, options, names)[0] if spelled != text else None
    if made is None or made.refused or made.missing:
        other, why = attempt(text, text, options, names)
        made = better(made, other)
    if made is None:
        raise why
    if strict and made.missing:
        raise NotLoadable("the text does not contain all of the program:\n  " + "\n  ".join(map(str, made.missing)))
    return made


def attempt(text, printed, options, names):
    """(Loaded, None) for the program of `text`, or (None, error); `printed` is the text that the user gave."""
    fields = fields_of(text)
    if printed != text:
        take_lines(fields, fields_of(printed))
    if len(fields) != 1 or not fields[0].get("jaxpr"):
        raise NotLoadable(f"expected a text with one program, found {len(fields)}")
    if fields[0].get("broken") or fields[0].get("excerpt"):
        reason = "it has syntax errors" if fields[0].get("broken") else "`...` replaces equations"
        raise NotLoadable(f"the program is incomplete: {reason}")
    wide = any(WIDE.match(str(each.get("dtype"))) for each in walk(fields[0])) or bool(WIDE_WORD.search(text))
    with names.enable_x64(True) if wide else contextlib.nullcontext(), np.errstate(all="ignore"):
        builder = Builder(fields[0], options, names)
        try:
            return Loaded(builder, builder.whole(), printed, wide), None
        except NotLoadable as error:
            return None, error
        except RecursionError:
            return None, NotLoadable("programs are nested too deeply for Python's recursion limit")


def take_lines(fields, printed):
    """Gives the programs of a text the lines and the names of constants of another text of them, and removes types of literal
    results that the other text does not show."""
    here, there = ([each for each in walk(program) if "line" in each] for program in (fields, printed))
    if len(here) == len(there):
        for one, two in zip(here, there):
            one["line"] = two["line"]
    here, there = ([each["constvars"] for each in walk(program) if "constvars" in each] for program in (fields, printed))
    for one, two in zip(here, there) if list(map(len, here)) == list(map(len, there)) else ():
        for var, shown in zip(one, two):
            var["printed"] = shown["name"]
    here, there = ([each["outvars"] for each in walk(program) if "equations" in each] for program in (fields, printed))
    for one, two in zip(here, there):
        for result, shown in zip(one, two):
            if result.get("literal") is not None and shown.get("literal") is not None and shown.get("type") is None:
                result["type"] = None


def respelled(text, names):
    """The text as the installed JAX prints it, with the parameters of this JAX and no others; `text` itself if it is printed so
    already, or has errors."""
    try:
        spelled = fmt(text, jax=".".join(map(str, names.version)))
        return text if spelled == fmt(text) else spelled
    except Error:
        return text


def better(one, two):
    """One of two Loaded, either of which may be None: the one in which JAX rejects less, less is assumed, and less is missing."""
    if one is None or two is None:
        return one or two
    doubts = lambda each: (
        len(each.refused),
        sum(item.assumed or not item.parameter for item in each.missing),
        len(each.missing),
    )
    return two if doubts(two) < doubts(one) else one
