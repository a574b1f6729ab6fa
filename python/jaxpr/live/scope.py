# SPDX-License-Identifier: Apache-2.0
"""The variables and literals of one program, and the objects in place of values that the text does not contain."""

from typing import NamedTuple

import numpy as np

from .._errors import Missing, NotLoadable
from . import hi, values
from .parameters import Unbuildable


class Unknown(NamedTuple):
    """Something that the text does not contain, or that was assumed."""

    line: int
    primitive: str
    parameter: str
    what: str
    hint: str
    assumed: bool  # whether a value is assumed, which may be wrong; otherwise using it raises Missing

    def __str__(self):
        of = f"{self.primitive}: " if self.primitive else ""
        return f"line {self.line}: {of}{self.what}" + (f" ({self.hint})" if self.hint else "")


class Placeholder:
    """A placeholder for an array that the text does not contain: it has a type, and raises Missing when it is read."""

    def __init__(self, aval, what, hint, name="constant"):
        self.aval, self.message, self.name = aval, f"{what} is not in the text: {hint}", f"constant_{name}"
        self.shape, self.dtype, self.ndim = aval.shape, aval.dtype, len(aval.shape)
        self.nbytes = self.size = 0

    def __array__(self, *_, **__):
        raise Missing(self.message)

    def __repr__(self):
        return "[...]"


class Scope:
    """The variables of one program by name; a name that is bound several times, such as `_`, has several. The result of a store has
    no name, as nothing reads it."""

    def __init__(self, builder, field, parent):
        self.builder, self.names, self.unclear = builder, {}, set()
        self.read_later = {each["name"] for each in field["outvars"] if "name" in each}
        for eqn in field["equations"]:
            self.read_later.update(each["name"] for each in eqn["invars"] if "name" in each)

    def bind(self, binder, aval=None):
        core = self.builder.names.core
        aval = aval if aval is not None else self.builder.aval(binder)
        if binder["name"] is None or binder["name"] == "_" and "_" not in self.read_later:
            return core.DropVar(aval)
        var = self.builder.variable(aval)
        self.names.setdefault(binder["name"], []).append(var)
        return var

    def read(self, operand):
        if "literal" in operand:
            return literal(self.builder, operand)
        return self.variable(operand["name"])

    def variable(self, name):
        found = self.names.get(name)
        if not found:
            raise Unbuildable(f"{name} is not bound")
        if len(found) > 1:
            self.builder.missing.append(Unknown(*self.builder.place, name, f"which of {len(found)} variables {name} is read", "the last one is assumed", True))
        return found[-1]

    def results(self, operands, expected):
        """The results of a program; one that reads `_` takes the first variable `_` of the expected type that is not taken yet."""
        expected = expected if len(expected) == len(operands) else [None] * len(operands)
        out, free = [], list(self.names.get("_", ()))
        for at, (operand, aval) in enumerate(zip(operands, expected)):
            if operand.get("name") == "_" and len(self.names.get("_", ())) > 1:
                goes = lambda these: [each for each in these if aval is None or each.aval.str_short(True) == aval.str_short(True)]
                fits = goes(free) or goes(self.names["_"])
                if not fits:
                    raise NotLoadable("a result reads `_`, and no variable of that name has its type")
                if len(goes(self.names["_"])) > 1:
                    what = f"which of {len(goes(self.names['_']))} variables `_` a result reads"
                    self.builder.missing.append(Unknown(*self.builder.place, "_", what, "the first is assumed", True))
                    self.unclear.add(at)
                free = [each for each in free if each is not fits[0]]
                out.append(fits[0])
            else:
                atom = self.read(operand)
                out.append(self.untyped(operand, atom, aval) if isinstance(atom, Untyped) else atom)
        return out

    def untyped(self, operand, atom, aval):
        """A result that is a literal without a type: it gets the expected type, or else the default type of its number."""
        if aval is None:
            aval = self.builder.names.core.ShapedArray((), self.builder.registry.dtype(DEFAULT[type(atom.number)]))
            what = f"the type of the result {atom.text}"
            self.builder.missing.append(Unknown(*self.builder.place, "", what, f"assumed {aval.str_short(True)}", True))
        return literal(self.builder, operand, aval)

    def typed(self, atoms, params, eqn):
        """Gives literals without a type the type of the argument to which they are passed, or else of an operand or result that can
        have their value."""
        if not any(isinstance(each, Untyped) for each in atoms):
            return atoms
        inner = hi.argument_avals(self.builder, eqn, params, len(atoms))
        others = [each.aval for each in atoms if not isinstance(each, Untyped)] + [each for each in eqn.outs if each is not None]
        out = []
        for at, each in enumerate(atoms):
            if isinstance(each, Untyped):
                typed = [(getattr(aval, "dtype", None), aval) for aval in others]
                fits = [inner[at]] if inner else [aval for narrow in (False, True) for dtype, aval in typed if goes(each.number, dtype, narrow)]
                dtype = fits[0].dtype if fits else self.builder.registry.dtype(DEFAULT[type(each.number)])
                out.append(scalar(self.builder, each.number, each.text, self.builder.names.core.ShapedArray((), dtype)))
            else:
                out.append(each)
        return out


# the type of a number if nothing else determines it
DEFAULT = {bool: "bool", int: "int32", float: "float32", complex: "complex64"}


class Untyped(NamedTuple):
    """A literal that was printed without a type."""

    number: object
    text: str
    aval: None = None


def goes(number, dtype, narrow=False):
    """Whether a number may be of a numpy type or, with `narrow`, of one that JAX adds, whose floats may print as integers."""
    if dtype is None or not isinstance(dtype, np.dtype):
        return False
    if narrow:
        return dtype.kind == "V" and ("float" in dtype.name or isinstance(number, int) and "int" in dtype.name)
    kind = "b" if isinstance(number, bool) else "iu" if isinstance(number, int) else "c" if isinstance(number, complex) else "fcV"
    return dtype.kind in kind or isinstance(number, float) and "float" in dtype.name


def literal(builder, field, aval=None):
    """A live literal that prints as the text, or an Untyped if no type is known."""
    text = field["literal"]
    if field.get("type") is not None:
        aval = builder.aval(field)
    if text.startswith("["):
        if aval is None:
            raise Unbuildable("an array literal without a type")
        only = None if builder.options.unknown else only_value(builder, aval)
        if only is not None:
            return builder.names.core.Literal(only, aval)
        what, hint = f"the array {text} of type {aval.str_short(True)}", "make it an argument with `jaxpr norm -p lift,constants`"
        builder.missing.append(Unknown(*builder.place, "", what, hint, False))
        return builder.names.core.Literal(Placeholder(aval, what, hint), aval)
    if text == "(b'',)":  # a float0, as JAX before 0.5 prints it
        zero = builder.names.dtypes.float0
        return builder.names.core.Literal(np.zeros((), zero), builder.names.core.ShapedArray((), zero))
    value = values.parse(text)
    if isinstance(value, values.Name) or not isinstance(value, (bool, int, float, complex)):
        if aval is not None and aval.dtype == builder.names.dtypes.float0:
            return builder.names.core.Literal(np.zeros(aval.shape, aval.dtype), aval)
        raise Unbuildable(f"literal {text[:40]}")
    return Untyped(value, text) if aval is None else scalar(builder, value, text, aval)


def only_value(builder, aval):
    """The value of a type that has only one: an array without elements, or of float0; None for other types."""
    if type(aval) is not builder.names.core.ShapedArray:
        return None
    sizes = [each for each in aval.shape if isinstance(each, int)]
    if len(sizes) != len(aval.shape) or aval.dtype != builder.names.dtypes.float0 and not (isinstance(aval.dtype, np.dtype) and 0 in sizes):
        return None
    return np.zeros(aval.shape, aval.dtype)


def scalar(builder, value, text, aval):
    core = builder.names.core
    if aval.dtype == builder.names.dtypes.float0:
        return core.Literal(np.zeros(aval.shape, aval.dtype), aval)
    if not isinstance(aval.dtype, np.dtype):
        raise Unbuildable(f"literal {text[:40]} of type {aval.str_short(True)}")
    with np.errstate(all="ignore"):
        try:
            array = np.asarray(value).astype(aval.dtype)
        except (OverflowError, ValueError, TypeError):
            raise Unbuildable(f"literal {text[:40]} of type {aval.str_short(True)}") from None
    made = array[()] if not aval.shape else np.broadcast_to(array, aval.shape)
    if not aval.shape and str(np.asarray(made).item()) != text:
        made = python_scalar(builder, value, aval, made)
    return core.Literal(made, aval)


def python_scalar(builder, value, aval, made):
    """A Python number of the given type, which JAX keeps for numbers written in Python and prints without rounding; `made` if JAX
    would give the number another type."""
    if isinstance(value, bool) or not builder.names.has("typed_literals"):
        return value if builder.names.jax.dtypes.result_type(value) == aval.dtype else made
    kind = {int: "TypedInt", float: "TypedFloat", complex: "TypedComplex"}[type(value)]
    return getattr(builder.names.typed_literals, kind)(value, aval.dtype)
