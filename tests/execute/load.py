# SPDX-License-Identifier: Apache-2.0
"""Programs from `jaxpr json`: names become slots, parameters values. What cannot be loaded raises NotLoadable with a reason,
what no JAX would bind raises IllFormed: the one is a limit of this script, the other an error of the text."""

import math
import re

import jax.numpy as jnp
import numpy as np
from jax import dtypes

import values

MOST = 1 << 20  # elements of an array


class NotLoadable(Exception):
    """The reason is the argument."""


class IllFormed(Exception):
    """What is wrong is the argument."""


class Type:
    __slots__ = ("dtype", "shape", "ref", "key")

    def __init__(self, field):
        text = field.get("dtype")
        if text is None or field.get("type") is None:
            raise NotLoadable("type " + re.sub(r"[^A-Za-z].*", "", str(field.get("type"))))
        if any(not isinstance(size, int) for size in field["shape"]):
            raise NotLoadable("symbolic sizes")
        if any(field.get("sharding") or ()) or field.get("vary") or field.get("space") not in (None, "default"):
            raise NotLoadable("shardings in types")
        self.shape, self.ref = tuple(field["shape"]), bool(field.get("ref"))
        if math.prod(self.shape) > MOST:
            raise NotLoadable("a large array")
        self.key = text[4:-1] if text.startswith("key<") else None
        self.dtype = text if self.key else dtype_of(text)

    def element(self):
        """The type of what stands along the first dimension."""
        of = Type.__new__(Type)
        of.dtype, of.key, of.ref, of.shape = self.dtype, self.key, self.ref, self.shape[1:]
        return of

    def text(self):
        return ("Ref " if self.ref else "") + f"{self.dtype}{list(self.shape)}"


def dtype_of(text):
    if text == "float0":
        return dtypes.float0
    try:
        return jnp.dtype(text)
    except TypeError:
        raise NotLoadable(f"dtype {text}") from None


class Literal:
    """A scalar among operands; `array` when only `[...]` was printed, and its value is an argument like any constant."""

    def __init__(self, field):
        text = self.text = field["literal"]
        self.type = Type(field) if field.get("type") else None
        self.array = text.startswith("[")
        if self.array and not self.type:
            raise NotLoadable("array without a type")
        self.value = None if self.array else literal(text, self.type) if self.type else number(text)


def literal(text, of):
    if of.dtype == dtypes.float0:
        return np.zeros(of.shape, dtypes.float0)
    if of.key or of.shape:
        raise NotLoadable("literal of type " + of.text())
    value = number(text)
    with np.errstate(all="ignore"):
        if isinstance(value, int) and jnp.issubdtype(of.dtype, jnp.integer):
            bits = of.dtype.itemsize * 8
            value &= (1 << bits) - 1
            if jnp.issubdtype(of.dtype, jnp.signedinteger) and value >> (bits - 1):
                value -= 1 << bits
        return np.asarray(value).astype(of.dtype)


def number(text):
    if text in ("True", "False"):
        return text == "True"
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    try:
        return complex(text) if "j" in text else float(text)
    except ValueError:
        raise NotLoadable(f"literal {text[:20]}") from None


class Equation:
    __slots__ = ("name", "form", "ins", "outs", "types", "params", "programs", "index", "where", "bound", "untyped")

    def __init__(self):
        self.form, self.index, self.bound = None, None, None


class Program:
    """Variables are slots: constants first, then arguments, then results in order. What reads `_` where several are called so, as JAX
    prints the unused results of a call in the program that it calls, has None for a slot."""

    def __init__(self):
        self.consts, self.args, self.equations, self.outs, self.slots = [], [], [], [], 0
        self.types = []

    def settle(self, types):
        """Gives results that were printed without a type the type that is expected."""
        for out, of in zip(self.outs, types):
            if isinstance(out, Literal) and out.type is None and of and not of.ref:
                out.type, out.value = of, literal(out.text, of)

    def out_types(self):
        return [out.type if isinstance(out, Literal) else out if out is None else self.types[out] for out in self.outs]


class Loader:
    def __init__(self, shared):
        self.shared, self.loaded = {each["name"]: each["jaxpr"] for each in shared}, {}

    def named(self, name):
        if name not in self.shared:
            raise IllFormed(f"no program is called {name}")
        if name not in self.loaded:
            self.loaded[name] = self.program(self.shared[name])
        return self.loaded[name]

    def nested(self, field):
        if "equations" in field:
            return self.program(field)
        if isinstance(field["shared"], list):
            return Loader(field["shared"]).program(field["jaxpr"])
        return self.named(field["shared"])

    def program(self, field):
        program, scope, twice = Program(), {}, set()

        def bind(binder):
            of = Type(binder)
            if binder["name"] in scope:
                twice.add(binder["name"])
            scope[binder["name"]] = program.slots
            program.slots += 1
            program.types.append(of)
            return program.slots - 1, of

        def read(operand):
            if "literal" in operand:
                return Literal(operand)
            if operand["name"] not in scope:
                raise IllFormed(f"{operand['name']} is not bound")
            if operand["name"] in twice:
                if operand["name"] != "_":
                    raise IllFormed(f"{operand['name']} is read and bound twice")
                return None
            return scope[operand["name"]]

        program.consts = [bind(each)[1] for each in field["constvars"]]
        program.args = [bind(each)[1] for each in field["invars"]]
        for each in field["equations"]:
            program.equations.append(self.equation(each, read, bind))
        program.outs = [read(each) for each in field["outvars"]]
        return program

    def equation(self, field, read, bind):
        equation = Equation()
        equation.name, equation.form = field["primitive"], field.get("form")
        if equation.form in ("raw", "ellipsis"):
            raise NotLoadable(f"form of {equation.name}")
        equation.where = f"{field['line']}:{field['column']}"
        equation.ins = [read(each) for each in field["invars"]]
        equation.untyped = any(isinstance(each, Literal) and each.type is None for each in equation.ins)
        if any("index" in each for each in field["invars"]):
            equation.index = subscript(field["invars"][0].get("index"), read)
        equation.params, equation.programs = {}, {}
        for key, value in field["params"].items():
            if isinstance(value, str) or value == []:
                equation.params[key] = value if value != [] else "()"
            elif isinstance(value, list):
                equation.programs[key] = [self.nested(each) for each in value]
            elif "pieces" in value:
                equation.params[key] = "".join(each for each in value["pieces"] if isinstance(each, str))
                equation.programs[key] = [self.nested(each) for each in value["pieces"] if not isinstance(each, str)]
            else:
                equation.programs[key] = self.nested(value)
        bound = [bind(each) for each in field["outvars"]]
        equation.outs, equation.types = [slot for slot, _ in bound], [of for _, of in bound]
        for each in nested_programs(equation):
            each.settle(expected(equation, len(each.outs)))
        return equation


def expected(equation, count):
    """The types of the results that a program of an equation has, as far as literals among them need it."""
    if equation.name == "scan":
        of = {key: equation.params.get(key) for key in ("ft_out", "num_carry")}
        try:
            carry = values.groups(of["ft_out"], 2)[0] if of["ft_out"] else int(of["num_carry"])
        except values.Unknown as error:
            raise NotLoadable(f"{error}") from None
        return equation.types[:carry] + [each.element() for each in equation.types[carry:]]
    return equation.types if count == len(equation.types) else []


def subscript(text, read):
    """`[a,1:3,:]` as a list of ints, slots and (start, size), None for all; `[...]` is the empty list."""
    if text is None or not text.startswith("[") or text.count("[") != 1 or "{" in text:
        raise NotLoadable("index of a ref")
    inside = text[1:-1]

    def part(word):
        return int(word) if re.fullmatch(r"-?\d+", word) else read({"name": word})

    out = []
    for word in inside.split(",") if inside not in ("...", "") else ():
        if ":" not in word:
            found = part(word)
            out.append(("literal", found) if re.fullmatch(r"-?\d+", word) else ("slot", found))
            continue
        start, stop = word.split(":", 1)
        if re.fullmatch(r"\d*", start) and re.fullmatch(r"\d*", stop):
            out.append(("slice", int(start or 0), int(stop) if stop else None))
        elif stop.startswith(start + "+") and stop[len(start) + 1 :].isdigit():
            out.append(("window", part(start), int(stop[len(start) + 1 :])))
        else:
            raise NotLoadable("index of a ref")
    return out


def load(field):
    """The program of one object that `jaxpr json` prints."""
    if field.get("broken") or field.get("excerpt") or not field.get("jaxpr"):
        raise NotLoadable("broken or an excerpt")
    return Loader(field["shared"]).program(field["jaxpr"])


def nested_programs(equation):
    for each in equation.programs.values():
        yield from each if isinstance(each, list) else [each]


def risen(program, top=True):
    """The constants that `lift` takes up, in its order: those of a program, then of its equations; arrays among operands too."""
    out = [] if top else list(program.consts)
    for equation in program.equations:
        out += [each for each in equation.ins if isinstance(each, Literal) and each.array]
        for each in nested_programs(equation):
            out += risen(each, False)
    return out


def holders(program):
    """The names of the equations whose programs, or operands, are constants."""
    found = set()
    for equation in program.equations:
        for each in nested_programs(equation):
            found |= holders(each) | ({equation.name} if each.consts else set())
        if any(isinstance(each, Literal) and each.array for each in equation.ins):
            found.add(equation.name)
    return found
