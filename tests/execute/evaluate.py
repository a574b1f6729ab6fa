# SPDX-License-Identifier: Apache-2.0
"""Runs a loaded program by binding JAX's primitives one by one, so that no fusion can change a bit of a float.

Calls, loops and branches are run here, on values; every other equation is bound to the primitive of that name that the installed
JAX has. A parameter that a JAX does not print gets the value that not printing it stands for."""

import gc
import re

import jax
import jax._src.core
import jax.numpy as jnp
import numpy as np
from jax import lax

import load
import values
from load import IllFormed, Literal, NotLoadable

CALLS = {"jit", "pjit", "closed_call", "core_call", "xla_call", "eval_jaxpr", "call", "remat2", "remat", "checkpoint", "named_call",
         "custom_jvp_call", "custom_vjp_call", "custom_jvp_call_jaxpr", "custom_vjp_call_jaxpr", "CustomVJPTraced", "CustomJVPTraced",
         "RematTraced", "xla_metadata_call", "composite", "custom_vmap_call"}
BODIES = ("jaxpr", "call_jaxpr", "fun_jaxpr", "call")
# what JAX calls now what older versions, and the canonical form, called otherwise
RENAMED = {"mutable_array": "new_ref", "array_ref": "new_ref"}
SAME = {"device_put", "name", "copy_p"}
PRINTS = {"debug_print", "debug_callback"}
DTYPES = {"new_dtype", "preferred_element_type", "dtype", "index_dtype", "out_dtype", "input_dtype"}
CLASSES = {"GatherDimensionNumbers": lax.GatherDimensionNumbers, "ScatterDimensionNumbers": lax.ScatterDimensionNumbers,
           "ConvDimensionNumbers": lax.ConvDimensionNumbers, "RaggedDotDimensionNumbers": getattr(lax, "RaggedDotDimensionNumbers", None)}
SPACES = getattr(jax._src.core, "MemorySpace", None)
ENUMS = {"MemorySpace": SPACES, "GatherScatterMode": lax.GatherScatterMode, "Precision": lax.Precision,
         "RandomAlgorithm": lax.RandomAlgorithm}
BARE = {"HIGHEST": lax.Precision.HIGHEST, "HIGH": lax.Precision.HIGH, "DEFAULT": lax.Precision.DEFAULT,
        "RNG_DEFAULT": lax.RandomAlgorithm.RNG_DEFAULT, "RNG_PHILOX": lax.RandomAlgorithm.RNG_PHILOX,
        "RNG_THREE_FRY": lax.RandomAlgorithm.RNG_THREE_FRY}
# what stands for a parameter that is not printed, or that this JAX takes and the text's does not
DEFAULTS = {"is_stable": True, "pivoting": False, "transpose_a": False, "conjugate_a": False, "unit_diagonal": False, "weak_type": False,
            "reverse": False, "unique_indices": False, "indices_are_sorted": False, "broadcast_dimensions": (), "update_consts": (),
            "feature_group_count": 1, "batch_group_count": 1, "dimensions": None}
# parameters that a rule takes out of a dictionary, so that no signature names them
HIDDEN = {"broadcast_in_dim": ["broadcast_dimensions", "sharding"], "reshape": ["dimensions", "sharding"], "iota": ["sharding"],
          "mul": ["out_dtype"],
          "convert_element_type": ["sharding", "weak_type"]}


class TooLong(NotLoadable):
    """Takes more steps than it may."""


class Ref:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


REGISTRY = {}


def registry():
    if not REGISTRY:
        import importlib

        for name in ("lax.lax", "lax.linalg", "random", "callback", "ad_checkpoint", "debugging", "state.primitives", "custom_derivatives"):
            try:
                importlib.import_module("jax._src." + name)
            except ImportError:
                pass
        from jax.extend import core

        for each in gc.get_objects():
            if isinstance(each, core.Primitive):
                REGISTRY.setdefault(each.name, each)
    return REGISTRY


def key_impl(tag):
    """The name jax.random knows a key type by, of the tag that is printed."""
    names = {"fry": "threefry2x32", "rbg": "rbg", "urbg": "unsafe_rbg"}
    if tag not in names:
        raise NotLoadable(f"key type {tag}")
    return names[tag]


def convert(key, value):
    """A parameter as JAX holds it."""
    if isinstance(value, values.Call):
        if value.name in CLASSES and CLASSES[value.name]:
            return CLASSES[value.name](*value.positional, **{k: convert(k, v) for k, v in value.named})
        raise NotLoadable(f"value {value.name}")
    if isinstance(value, values.Name):
        if key in DTYPES:
            return load.dtype_of(value.text)
        head, _, tail = value.text.partition(".")
        if ENUMS.get(head) and hasattr(ENUMS[head], tail):
            return getattr(ENUMS[head], tail)
        if value.text in BARE:
            return BARE[value.text]
        if key == "impl":
            return jax.random.key_impl(jax.random.key(0, impl=key_impl(value.text))) and impl_object(value.text)
        if key in ("name", "jvp", "fwd", "bwd", "computation"):
            return value.text
        raise NotLoadable(f"value {re.sub(r'[^A-Za-z_. ]+', '..', value.text)[:40]}")
    if isinstance(value, tuple):
        return tuple(convert(key, each) for each in value)
    if key == "fft_type":
        return lax.FftType(value) if hasattr(lax, "FftType") else value
    if key == "rounding_method":
        return lax.RoundingMethod(value)
    return value


def impl_object(tag):
    return jax.random.key(0, impl=key_impl(tag)).dtype._impl


def default(key, args):
    return np.ndim(args[0]) - 1 if key == "axis" else DEFAULTS.get(key)


class Binding:
    """One equation made ready: its primitive and parameters, which do not depend on the values."""

    adjusted = {}

    def __init__(self, equation, machine):
        self.name = RENAMED.get(equation.name, equation.name)
        self.primitive = registry().get(self.name)
        if self.primitive is None:
            raise NotLoadable(f"primitive {equation.name}")
        self.params = {}
        for key, text in equation.params.items():
            self.params[key] = convert(key, values.parse(text))
        if self.name == "broadcast_in_dim":
            self.params.setdefault("shape", equation.types[0].shape)
        if self.name == "scaled_matmul":
            self.params.setdefault("preferred_element_type", equation.types[0].dtype)
        for key in HIDDEN.get(self.name, ()):
            self.params.setdefault(key, DEFAULTS.get(key))
        if self.name == "dot_general":
            self.params["dimension_numbers"] = tuple(tuple(map(tuple, part)) for part in self.params["dimension_numbers"])
        if self.name.startswith("scatter"):
            self.combine(equation, machine)
        elif equation.programs:
            raise NotLoadable(f"programs of {equation.name}")

        self.key = (self.name, repr(sorted((key, str(value)) for key, value in self.params.items() if value is not None)))

    def combine(self, equation, machine):
        self.params.setdefault("update_jaxpr", None)
        self.params["update_consts"] = ()
        body = equation.programs.get("update_jaxpr")
        if body is not None:
            shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in body.args]
            self.params["update_jaxpr"] = jax.make_jaxpr(lambda *args: machine.body(body, args))(*shapes).jaxpr

    def __call__(self, args):
        """Bound with what it says; parameters that are missing or unknown are put right as the error asks."""
        for drop, fill in (self.adjusted.setdefault(self.name, [(set(), set())])):
            params = {key: value for key, value in self.params.items() if key not in drop}
            params.update({key: default(key, args) for key in fill if key not in params})
            for _ in range(8):
                try:
                    out = self.primitive.bind(*args, **params)
                    return list(out) if self.primitive.multiple_results else [out]
                except TypeError as error:
                    missing = re.search(r"missing \d+ required (?:keyword-only|positional) arguments?: (.*)", str(error))
                    extra = re.search(r"unexpected keyword argument '(\w+)'", str(error))
                    if missing:
                        names = set(re.findall(r"'(\w+)'", missing.group(1)))
                        fill |= names
                        params.update({key: default(key, args) for key in names})
                    elif extra and extra.group(1) in params:
                        drop.add(extra.group(1))
                        del params[extra.group(1)]
                    else:
                        raise
        raise NotLoadable(f"parameters of {self.name}")


class Memory:
    """What primitives gave, so that no rewrite of a program runs again what is the same: by name, parameters and the very operands.
    Values of the same bits are one object."""

    def __init__(self):
        self.values, self.results, self.constants, self.apart, self.risen = {}, {}, {}, {}, []

    def one(self, value):
        if value is UNCLEAR or isinstance(value, (Ref, jax.core.Tracer)) or jax.dtypes.issubdtype(value.dtype, jax.dtypes.extended):
            return value
        array = np.asarray(value)
        return self.values.setdefault((array.dtype, array.shape, array.tobytes()), value)

    def result(self, key, operands, make):
        key = (key, tuple(map(id, operands)))
        if key not in self.results:
            outs = [self.one(each) for each in make()]
            if any(isinstance(each, jax.core.Tracer) for each in outs + list(operands)):
                return outs
            self.results[key] = (outs, operands)
        return self.results[key][0]


class Unclear:
    """What reads `_` where several are called so, and all that is made of it: nobody may need it."""


UNCLEAR = Unclear()


def clear(value):
    if value is UNCLEAR:
        raise IllFormed("a live equation or result reads `_`, and several are called so")
    return value


class Machine:
    """Runs programs; `constant(type)` gives the value of a constant that no text shows, `prints` what was printed."""

    def __init__(self, steps, constant, memory):
        self.left, self.constant, self.prints, self.memory = steps, constant, [], memory

    def run(self, program, consts, args):
        slots = list(consts) + list(args) + [None] * (program.slots - len(consts) - len(args))
        for equation in program.equations:
            self.left -= 1
            if self.left < 0:
                raise TooLong("too many steps")
            ins = [self.read(each, slots) for each in equation.ins]
            if equation.untyped:
                ins = [self.memory.one(each) for each in typed(equation, ins)]
            if any(each is UNCLEAR for each in ins) and not equation.programs:
                outs = [UNCLEAR for _ in equation.outs]
                if equation.form or equation.name in PRINTS or any(isinstance(each, Ref) for each in ins):
                    clear(UNCLEAR)
            else:
                outs = self.equation(equation, ins, slots)
            if len(outs) != len(equation.types):
                raise IllFormed(f"{equation.name} gives {len(outs)} results at {equation.where}")
            for value, slot, of in zip(outs, equation.outs, equation.types):
                check(value, of, equation)
                slots[slot] = value
        return [self.read(each, slots) for each in program.outs]

    def read(self, operand, slots):
        if isinstance(operand, Literal):
            if operand.array:
                return self.constant(operand)
            return self.memory.one(operand.value) if operand.type else operand.value
        return UNCLEAR if operand is None else slots[operand]

    def body(self, program, args):
        if len(args) != len(program.args):
            raise IllFormed(f"{len(args)} arguments for {len(program.args)}")
        for value, of in zip(args, program.args):
            check(value, of, None)
        return self.run(program, [self.constant(each, program, at) for at, each in enumerate(program.consts)], args)

    def equation(self, equation, ins, slots):
        name = equation.name
        if equation.form:
            return access(equation, ins, slots)
        if name in CALLS:
            found = [equation.programs[key] for key in BODIES if key in equation.programs]
            if not found:
                raise NotLoadable(f"{name} without a program")
            return self.body(found[0], ins)
        special = getattr(self, "do_" + name.replace("-", "_"), None)
        if special:
            return special(equation, ins)
        if name in SAME:
            return ins
        if name in PRINTS:
            self.prints.append((name, equation.params.get("fmt"), [bits(each) for each in ins]))
            return []
        if any(isinstance(each, Ref) for each in ins):
            raise NotLoadable(f"refs of {name}")
        if equation.bound is None:
            equation.bound = Binding(equation, self)
        return self.memory.result(equation.bound.key, ins, lambda: equation.bound(ins))

    def do_scan(self, equation, ins):
        params, body = equation.params, equation.programs["jaxpr"]
        if "ft_in" in params:
            try:
                consts, carry, _ = values.groups(params["ft_in"], 3)
            except values.Unknown as error:
                raise NotLoadable(str(error)) from None
        else:
            consts, carry = int(params["num_consts"]), int(params["num_carry"])
        length, reverse = int(params["length"]), params.get("reverse") == "True"
        state, xs, rows = ins[consts : consts + carry], ins[consts + carry :], []
        for at in range(length)[:: -1 if reverse else 1]:
            outs = self.body(body, ins[:consts] + state + [self.row(each, at) for each in xs])
            state = outs[:carry]
            rows.append(outs[carry:])
        rows = rows[::-1] if reverse else rows
        if not length:
            return state + [jnp.zeros(of.shape, of.dtype) for of in equation.types[carry:]]
        return state + [self.stack(column) for column in zip(*rows)]

    def row(self, value, at):
        if isinstance(value, Ref):
            raise NotLoadable("refs of scan")
        return value if value is UNCLEAR else self.memory.result(("row", at), [value], lambda: [jnp.asarray(value)[at]])[0]

    def stack(self, column):
        if any(each is UNCLEAR for each in column):
            return UNCLEAR
        return self.memory.result("stack", column, lambda: [jnp.stack(column)])[0]

    def do_while(self, equation, ins):
        test, body = int(equation.params["cond_nconsts"]), int(equation.params["body_nconsts"])
        state = ins[test + body :]
        while True:
            goes_on = clear(self.body(equation.programs["cond_jaxpr"], ins[:test] + state)[0])
            if np.ndim(goes_on):
                raise NotLoadable("a loop for several lanes")
            if not goes_on:
                break
            state = self.body(equation.programs["body_jaxpr"], ins[test : test + body] + state)
        return state

    def do_cond(self, equation, ins):
        branches = equation.programs["branches"]
        return self.body(branches[min(max(int(clear(ins[0])), 0), len(branches) - 1)], ins[1:])

    def do_custom_linear_solve(self, equation, ins):
        lengths, programs = values.parse(equation.params["const_lengths"]), equation.programs["jaxprs"]
        if len(programs) != 4 or not isinstance(lengths, values.Call):
            raise NotLoadable("custom_linear_solve without a transpose")
        of = [lengths.get(key) for key in ("matvec", "vecmat", "solve", "transpose_solve")]
        return self.body(programs[2], ins[of[0] + of[1] : sum(of[:3])] + ins[sum(of) :])

    def do_platform_index(self, equation, ins):
        platforms = values.parse(equation.params["platforms"])
        return [jnp.int32(next(at for at, each in enumerate(platforms) if each is None or "cpu" in each))]

    def do_new_ref(self, equation, ins):
        return [Ref(jnp.asarray(ins[0]))]

    do_mutable_array = do_array_ref = do_new_ref

    def do_freeze(self, equation, ins):
        return [ins[0].value]

    def do_free_ref(self, equation, ins):
        return []

    def do_empty_ref(self, equation, ins):
        return [Ref(jnp.zeros(equation.types[0].shape, equation.types[0].dtype))]

    def do_reduce(self, equation, ins):
        half, body = len(ins) // 2, equation.programs["jaxpr"]
        several = lambda a, b: tuple(self.body(body, list(a) + list(b)))
        dimensions = values.parse(equation.params["dimensions"])
        return list(lax.reduce(tuple(map(jnp.asarray, ins[:half])), tuple(ins[half:]), several, dimensions))

    def do_reduce_window(self, equation, ins):
        half, body = len(ins) // 2, equation.programs["jaxpr"]
        several = lambda a, b: tuple(self.body(body, list(a) + list(b)))
        of = {key: values.parse(text) for key, text in equation.params.items()}
        return list(lax.reduce_window(tuple(map(jnp.asarray, ins[:half])), tuple(ins[half:]), several, of["window_dimensions"],
                                      of["window_strides"], of["padding"], of["base_dilation"], of["window_dilation"]))


def typed(equation, ins):
    """Literals that were printed without a type get that of an operand, or a result, they can go with; as calls do not change
    the types of what they pass on, that of the argument."""
    ins = list(ins)
    bodies = [equation.programs[key] for key in BODIES + ("body_jaxpr",) if key in equation.programs]
    inner = [each.dtype for each in bodies[0].args] if bodies and len(bodies[0].args) == len(ins) else None
    if isinstance(equation.programs.get("branches"), list):
        inner = [np.dtype("int32")] + [each.dtype for each in equation.programs["branches"][0].args]
    others = [each.dtype for each in ins if hasattr(each, "dtype") and not isinstance(each, Ref)] + [each.dtype for each in equation.types]
    for at, each in enumerate(ins):
        if isinstance(each, (bool, int, float, complex)):
            fits = [inner[at]] if inner else [of for of in others if not isinstance(of, str) and goes(each, of)]
            default = np.dtype("bool" if isinstance(each, bool) else "int32" if isinstance(each, int) else "float32")
            with np.errstate(all="ignore"):
                ins[at] = np.asarray(each).astype(fits[0] if fits else default)
    return ins


def goes(number, dtype):
    kind = jnp.bool_ if isinstance(number, bool) else jnp.integer if isinstance(number, int) else jnp.inexact
    return jnp.issubdtype(dtype, jnp.complexfloating if isinstance(number, complex) else kind)


def access(equation, ins, slots):
    """A read or write of a ref, whose index is cut to its bounds."""
    if not isinstance(ins[0], Ref):
        raise IllFormed(f"no ref is read at {equation.where}")
    ref, index = ins[0], []
    for dimension, part in enumerate(equation.index):
        size = ref.value.shape[dimension] if dimension < ref.value.ndim else 0
        number = lambda each: int(np.clip(np.asarray(each), -size, size - 1))
        if part[0] == "literal":
            index.append(part[1])
        elif part[0] == "slot":
            if np.ndim(slots[part[1]]):
                raise NotLoadable("index of a ref")
            index.append(number(slots[part[1]]))
        elif part[0] == "slice":
            index.append(slice(part[1], part[2]))
        else:
            start = int(np.clip(np.asarray(slots[part[1]]), 0, size - part[2]))
            index.append(slice(start, start + part[2]))
    index = tuple(index)
    old = ref.value[index]
    if equation.name == "get":
        return [old]
    if len(ins) != 2:
        raise NotLoadable("mask of a ref")
    if np.shape(ins[1]) != old.shape or ins[1].dtype != old.dtype:
        raise IllFormed(f"a value of another type is stored at {equation.where}")
    ref.value = ref.value.at[index].add(ins[1]) if equation.form == "addupdate" else ref.value.at[index].set(ins[1])
    return [old] if equation.form == "swap" else []


def check(value, of, equation):
    if value is UNCLEAR:
        return
    if isinstance(value, Ref) != of.ref:
        raise IllFormed("a ref is no value")
    value = value.value if of.ref else value
    dtype = f"key<{value.dtype._impl.tag}>" if of.key and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key) else value.dtype
    if tuple(value.shape) != of.shape or dtype != of.dtype:
        where = f" of {equation.name} at {equation.where}" if equation else " of an argument"
        raise IllFormed(f"type{where}: {value.dtype}{list(value.shape)} for {of.text()}")


def bits(value):
    """The bits of a value, every NaN alike."""
    clear(value)
    if isinstance(value, Ref):
        value = value.value
    if hasattr(value, "dtype") and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    array = np.asarray(value)
    if array.dtype == jax.dtypes.float0:
        return b"float0"
    if array.dtype.kind == "c":
        return bits(array.real.copy()) + bits(array.imag.copy())
    if array.dtype.kind not in "biu" and array.dtype.name not in ("int4", "uint4", "int2", "uint2"):
        array = np.where(np.isnan(array.astype(np.float32) if array.dtype.itemsize < 4 else array), np.array(np.nan, array.dtype), array)
    return array.dtype.name.encode() + repr(array.shape).encode() + array.tobytes()
