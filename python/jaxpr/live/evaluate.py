# SPDX-License-Identifier: Apache-2.0
"""Runs a live program equation by equation, so that no fusion can change a bit of a float.

Calls, loops and branches are run here; every other equation is bound by itself. What the text does not contain, has an effect
outside or cannot run here is an uninterpreted function: its results are values that depend on its name, parameters and operands."""

import contextlib

import numpy as np

from .._errors import Error
from .._verbs import hash
from .inputs import NoValue, seed_of, value
from .parameters import Given, Opaque
from .scope import Placeholder
from .versions import CALLED, CALLS


SILENT = {"NamedAxisEffect", "ReadEffect", "InternalMutableArrayEffect"}  # classes of effects for which JAX keeps no equation


class TooLong(Exception):
    """The program takes more steps than it may."""


class Ambiguous(Exception):
    """What is computed depends on which of several variables called `_` is read."""


class Unclear:
    """What a result reads where several variables are called `_`, and all that is computed from it."""

    def __repr__(self):
        return "_"


UNCLEAR = Unclear()


def clear(x):
    """`x`; raises Ambiguous if it is unclear."""
    if x is UNCLEAR:
        raise Ambiguous("it depends on which of several variables `_` a result reads")
    return x


def is_ref(x):
    return type(x).__name__ in ("ArrayRef", "MutableArray", "Ref", "ArrayRefImpl")


def is_key(names, x):
    return hasattr(x, "dtype") and names.jax.dtypes.issubdtype(x.dtype, names.jax.dtypes.prng_key)


def bits(names, x):
    """The bits of a value; all NaNs are equal."""
    if is_ref(clear(x)):
        x = x[...]
    if is_key(names, x):
        x = names.jax.random.key_data(x)
    array = np.asarray(x)
    if array.dtype.kind == "c":
        return bits(names, array.real.copy()) + bits(names, array.imag.copy())
    if array.dtype.kind not in "biu" and array.dtype != names.dtypes.float0 and "int" not in array.dtype.name:
        wide = array.astype(np.float32) if array.dtype.itemsize < 4 else array
        array = np.where(np.isnan(wide), np.array(np.nan, array.dtype), array)
    return array.dtype.name.encode() + repr(array.shape).encode() + array.tobytes()


def programs(params):
    """The programs in the parameters of an equation, in order."""
    for each in params.values():
        yield from (inner for inner in (each if isinstance(each, (tuple, list)) else (each,)) if hasattr(inner, "eqns"))


def nested_constants(jaxpr, top=True):
    """The constants of the programs inside a program, and its array literals, in the order in which `norm -p lift` lifts them."""
    opened = getattr(jaxpr, "jaxpr", jaxpr)
    out = [] if top else [each for each in getattr(jaxpr, "consts", ()) if isinstance(each, Placeholder)]
    for eqn in opened.eqns:
        out += [each.val for each in eqn.invars if isinstance(getattr(each, "val", None), Placeholder)]
        for inner in programs(eqn.params):
            out += nested_constants(inner, False)
    return out


class Memory:
    """What was computed from the same inputs, so that a program that is compared does not run again what is the same.

    Values of the same bits are one object, and results are kept by primitive, parameters and the very operands. Unknown constants
    have a value by their type, or the one in `apart` for that object."""

    def __init__(self, names, seed, apart=None):
        self.names, self.seed, self.apart = names, seed, apart or {}
        self.values, self.results, self.constants = {}, {}, {}

    def one(self, x):
        if x is UNCLEAR or is_ref(x) or is_key(self.names, x) or len(getattr(getattr(x, "sharding", None), "device_set", ())) > 1:
            return x
        array = np.asarray(x)
        return self.values.setdefault((array.dtype, array.shape, array.tobytes()), x)

    def constant(self, x):
        """A constant of a program, or the value of one that is not in the text."""
        if not isinstance(x, Placeholder):
            return x
        if id(x) in self.apart:
            return self.apart[id(x)]
        text = x.aval.str_short(True)
        if text not in self.constants:
            self.constants[text] = value(self.names, x.aval, seed_of(self.seed, "constant", text))
        return self.constants[text]

    def result(self, key, ins, make):
        """What `make` returns, made once for a key and operands; the key is None where it must be made each time."""
        if key is None or any(map(is_ref, ins)):
            return list(map(self.one, make()))
        key = (key, tuple(map(id, ins)))
        if key not in self.results:
            self.results[key] = (list(map(self.one, make())), ins)
        return self.results[key][0]


def acts(eqn):
    """Whether an equation has an effect for which JAX keeps it though nothing reads its results."""
    return any(type(each).__name__ not in SILENT for each in eqn.effects)


def key_of(eqn):
    """What the results of an equation depend on beside its operands; None where its parameters do not show all of that."""
    if any(type(each).__name__ != "NamedAxisEffect" for each in eqn.effects):  # a new ref is one of its own
        return None
    for inner in programs(eqn.params):
        opened = getattr(inner, "jaxpr", inner)
        if opened.constvars or any(True for each in opened.eqns for _ in programs(each.params)) or nested_constants(inner):
            return None
    return eqn.primitive, tuple(sorted((key, str(each)) for key, each in eqn.params.items()))


class Machine:
    """Runs programs of `loaded`; `effects` records in order what has an effect outside, each after whether that is sure: an
    equation without results of a primitive that declares no effect may have one, but JAX removes it as dead."""

    def __init__(self, loaded, steps, memory):
        self.names, self.left, self.memory, self.unclear, self.effects = loaded.names, steps, memory, loaded.unclear, []
        self.variable, self.mesh, self.digests, self.alone = loaded.variable, loaded.mesh, {}, False

    def run(self, jaxpr, args, consts=None):
        """The results of a closed program, a list; `consts` are its constants where they are not its own."""
        opened = getattr(jaxpr, "jaxpr", jaxpr)
        consts = [self.memory.constant(each) for each in getattr(jaxpr, "consts", ())] if consts is None else consts
        env = dict(zip(map(id, opened.constvars), consts))
        env.update(zip(map(id, opened.invars), args))
        read = lambda atom: self.literal(atom) if hasattr(atom, "val") else env[id(atom)]
        for eqn in opened.eqns:
            self.step()
            env.update(zip(map(id, eqn.outvars), self.equation(eqn, list(map(read, eqn.invars)))))
        unclear = self.unclear.get(id(opened), ())
        return [UNCLEAR if at in unclear else read(each) for at, each in enumerate(opened.outvars)]

    def step(self):
        self.left -= 1
        if self.left < 0:
            raise TooLong("too many steps")

    def literal(self, atom):
        if isinstance(atom.val, Placeholder):
            return self.memory.constant(atom.val)
        dtype = getattr(atom.aval, "dtype", None)
        return self.memory.one(np.asarray(atom.val, dtype)) if isinstance(dtype, np.dtype) else atom.val

    def equation(self, eqn, ins):
        name, params = eqn.primitive.name, eqn.params
        special = getattr(self, "do_" + name.replace("-", "_"), None)
        if special:
            return special(params, ins)
        inner = self.called(eqn) if name in CALLS else None
        if inner is not None:
            return self.run(inner, ins)
        if name == "shard_map" and not self.outside(eqn):
            from .shards import Shards

            shards = Shards(self, eqn)
            if shards.can(ins):
                return self.sharded(shards, eqn, ins)
        if any(each is UNCLEAR for each in ins):
            if eqn.effects or any(map(is_ref, ins)):
                clear(UNCLEAR)
            return [UNCLEAR for _ in eqn.outvars]
        if self.outside(eqn):
            return self.uninterpreted(eqn, ins)
        return self.memory.result(key_of(eqn), ins, lambda: self.bound(eqn, ins))

    def sharded(self, shards, eqn, ins):
        """The results of a `shard_map`, in whose program no mesh is set."""
        hold, self.alone = self.alone, True
        try:
            return shards.equations([each.aval for each in eqn.outvars], ins)
        finally:
            self.alone = hold

    @staticmethod
    def called(eqn):
        """The program that a call calls."""
        return next((eqn.params[key] for key in CALLED if hasattr(eqn.params.get(key), "eqns") or hasattr(eqn.params.get(key), "jaxpr")), None)

    def bound(self, eqn, ins):
        """The results of the primitive; where it cannot run here, those of an uninterpreted function."""
        interpreted = {"interpret": True} if "interpret" in eqn.params else {}  # a kernel
        try:
            found = eqn.primitive.get_bind_params({**eqn.params, **interpreted})
            functions, params = found if isinstance(found, tuple) else ((), found)
            run = lambda *args: eqn.primitive.bind(*functions, *args, **params)
            with contextlib.nullcontext() if self.alone else eqn.ctx.manager:
                try:
                    out = run(*ins)
                except NotImplementedError:
                    out = self.names.jax.jit(run)(*ins)
        except Exception:  # whatever JAX raises for what it or this machine cannot run
            if any(map(is_ref, ins)):
                raise
            return self.uninterpreted(eqn, ins)
        return list(out) if eqn.primitive.multiple_results else [out]

    def outside(self, eqn):
        """Whether an equation does something that is not in the text or not in the program."""
        if "callback" in eqn.primitive.name or eqn.primitive.name in ("debug_print", "ffi_call", "check"):
            return True
        if any(isinstance(each, (Opaque, Given)) for each in eqn.params.values()) and not hasattr(eqn.params.get("jaxpr"), "eqns"):
            return True
        return getattr(eqn.primitive, "uninterpreted", False)

    def said(self, eqn, ins):
        """All that the results of an uninterpreted function depend on."""
        return self.digest(eqn), [self.fingerprint(each) for each in programs(eqn.params)], [bits(self.names, each) for each in ins]

    def uninterpreted(self, eqn, ins):
        said = self.said(eqn, ins)
        if acts(eqn) or not eqn.outvars:
            self.effects.append((acts(eqn), said))
        return [self.memory.one(value(self.names, each.aval, seed_of(said, at))) for at, each in enumerate(eqn.outvars)]

    def digest(self, eqn):
        """The primitive and parameters of an equation but for programs in them, as `eq` compares them."""
        if id(eqn) not in self.digests:
            params = {key: each for key, each in eqn.params.items() if not any(programs({key: each}))}
            ins, outs = ([self.variable(each.aval) for each in these] for these in (eqn.invars, eqn.outvars))
            alone = eqn.replace(invars=ins, outvars=outs, params=params)
            info = self.names.debug_info("alone", len(ins), len(outs))
            text = str(self.names.core.Jaxpr([], ins, outs, [alone], eqn.effects, info))
            try:
                self.digests[id(eqn)] = hash(text)
            except Error:
                self.digests[id(eqn)] = text
        return self.digests[id(eqn)]

    def fingerprint(self, program):
        """What a program computes from one random input: all that can be compared of one whose caller is not known."""
        hold, self.effects = self.effects, []
        try:
            args = [value(self.names, each, seed_of(self.memory.seed, "inside", at)) for at, each in enumerate(program.in_avals)]
            return [bits(self.names, each) for each in self.run(program, args)], [each for each in self.effects if each[0]]
        except (NoValue, AttributeError):
            return None
        finally:
            self.effects = hold

    def do_scan(self, params, ins):
        empty = lambda aval: self.names.jax.numpy.zeros((0, *aval.shape), aval.dtype)
        return self.scanned(params, ins, self.run, self.row, self.stack, empty)

    @staticmethod
    def scanned(params, ins, run, row, stack, empty):
        """The results of a scan: `run` runs its program, `row` takes one of an operand, `stack` puts rows together, `empty` none."""
        body = params["jaxpr"]
        if "ft_in" in params:
            consts, carry = (len(each) for each in params["ft_in"].unpack()[:2])
        else:
            consts, carry = params["num_consts"], params["num_carry"]
        state, xs, rows = ins[consts : consts + carry], ins[consts + carry :], []
        order = range(params["length"])
        for at in reversed(order) if params["reverse"] else order:
            outs = run(body, ins[:consts] + state + [row(each, at) for each in xs])
            state = outs[:carry]
            rows.append(outs[carry:])
        rows = rows[::-1] if params["reverse"] else rows
        if not rows:
            return state + [empty(each.aval) for each in getattr(body, "jaxpr", body).outvars[carry:]]
        return state + [stack(column) for column in zip(*rows)]

    def row(self, x, at):
        if x is UNCLEAR:
            return x
        return self.memory.result(("row", at), [x], lambda: [self.names.jax.numpy.asarray(x)[at] if not hasattr(x, "at") else x[at]])[0]

    def stack(self, column):
        if any(each is UNCLEAR for each in column):
            return UNCLEAR
        jnp = self.names.jax.numpy
        return self.memory.result("stack", list(column), lambda: [jnp.stack(list(map(jnp.asarray, column)))])[0]

    def do_while(self, params, ins):
        test, body = params["cond_nconsts"], params["body_nconsts"]
        state, jnp = ins[test + body :], self.names.jax.numpy
        while True:
            goes_on = np.asarray(clear(self.run(params["cond_jaxpr"], ins[:test] + state)[0]))
            if not goes_on.any():
                return state
            after = self.run(params["body_jaxpr"], ins[test : test + body] + state)
            if goes_on.ndim:  # finished lanes keep their values
                lanes = lambda new: goes_on.reshape(goes_on.shape + (1,) * (np.ndim(new) - goes_on.ndim))
                after = [new if new is UNCLEAR else self.memory.one(jnp.where(lanes(new), new, old)) for new, old in zip(after, state)]
            state = after

    def do_cond(self, params, ins):
        branches = params["branches"]
        return self.run(branches[min(max(int(clear(ins[0])), 0), len(branches) - 1)], ins[1:])

    def do_custom_linear_solve(self, params, ins):
        lengths, solve = params["const_lengths"], params["jaxprs"].solve
        first = lengths.matvec + lengths.vecmat
        constants = sum(each for each in lengths if each)
        return self.run(solve, ins[first : first + lengths.solve] + ins[constants:])

    def do_call_hi_primitive(self, params, ins):
        """A class-named primitive: its traced program where it has one."""
        inner = next((each for each in vars(params["_prim"]).values() if hasattr(each, "jaxpr") and hasattr(each.jaxpr, "eqns")), None)
        if inner is not None and len(inner.jaxpr.in_avals) == len(ins):
            return self.run(inner.jaxpr, ins)
        out = self.names.apply_hi.bind(*map(clear, ins), **params)
        return list(out) if isinstance(out, (tuple, list)) else [out]
