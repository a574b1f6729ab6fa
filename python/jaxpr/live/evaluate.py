# SPDX-License-Identifier: Apache-2.0
"""Runs a live program equation by equation, so that no fusion can change a bit of a float.

Calls, loops and branches are run here; every other equation is bound by itself. An equation that is not in the text, has an
external effect or cannot run is an uninterpreted function: its results depend only on its name, parameters and operands."""

import contextlib

import numpy as np

from .._errors import Error
from .._verbs import hash
from .inputs import NoValue, seed_of, value
from .parameters import Given, Opaque
from .scope import Placeholder
from .versions import CALLED, CALLS


SILENT = {"NamedAxisEffect", "ReadEffect", "InternalMutableArrayEffect"}  # effects that do not keep an unused equation in JAX


class TooLong(Exception):
    """The program takes more steps than allowed."""


class Ambiguous(Exception):
    """What is computed depends on which of several variables `_` is read."""


class Unclear:
    """The value of a result that reads one of several variables `_`, and of all that is computed from it."""

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
    """The placeholders for constants of nested programs and for array literals, in the order in which `norm -p lift` lifts them."""
    opened = getattr(jaxpr, "jaxpr", jaxpr)
    out = [] if top else [each for each in getattr(jaxpr, "consts", ()) if isinstance(each, Placeholder)]
    for eqn in opened.eqns:
        out += [each.val for each in eqn.invars if isinstance(getattr(each, "val", None), Placeholder)]
        for inner in programs(eqn.params):
            out += nested_constants(inner, False)
    return out


class Memory:
    """The values computed from some inputs, so that a program that is compared does not compute the same values again.

    Values with the same bits are one object, and results are stored by primitive, parameters and operand objects. An unknown
    constant has a value that depends on its type, or the one that `apart` has for its id."""

    def __init__(self, names, seed, apart=None):
        self.names, self.seed, self.apart = names, seed, apart or {}
        self.values, self.results, self.constants = {}, {}, {}

    def one(self, x):
        if x is UNCLEAR or is_ref(x) or is_key(self.names, x) or len(getattr(getattr(x, "sharding", None), "device_set", ())) > 1:
            return x
        array = np.asarray(x)
        return self.values.setdefault((array.dtype, array.shape, array.tobytes()), x)

    def constant(self, x):
        """A constant of a program; for one that is not in the text, a random value."""
        if not isinstance(x, Placeholder):
            return x
        if id(x) in self.apart:
            return self.apart[id(x)]
        text = x.aval.str_short(True)
        if text not in self.constants:
            self.constants[text] = value(self.names, x.aval, seed_of(self.seed, "constant", text))
        return self.constants[text]

    def result(self, key, ins, make):
        """What `make` returns, called once for a key and operands, or each time if the key is None."""
        if key is None or any(map(is_ref, ins)):
            return list(map(self.one, make()))
        key = (key, tuple(map(id, ins)))
        if key not in self.results:
            self.results[key] = (list(map(self.one, make())), ins)
        return self.results[key][0]


def acts(eqn):
    """Whether an equation has an effect for which JAX keeps it, even if its results are not used."""
    return any(type(each).__name__ not in SILENT for each in eqn.effects)


def key_of(eqn):
    """What the results of an equation depend on besides its operands; None if the text of its parameters does not show all."""
    if any(type(each).__name__ != "NamedAxisEffect" for each in eqn.effects):  # such as making a new ref
        return None
    for inner in programs(eqn.params):
        opened = getattr(inner, "jaxpr", inner)
        if opened.constvars or any(True for each in opened.eqns for _ in programs(each.params)) or nested_constants(inner):
            return None
    return eqn.primitive, tuple(sorted((key, str(each)) for key, each in eqn.params.items()))


class Machine:
    """Runs programs of `loaded`. `effects` lists external effects in order, as pairs (certain, what was done): an equation without
    results whose primitive declares no effect may have one, but JAX removes it as dead."""

    def __init__(self, loaded, steps, memory):
        self.names, self.left, self.memory, self.unclear, self.effects = loaded.names, steps, memory, loaded.unclear, []
        self.variable, self.mesh, self.digests, self.alone = loaded.variable, loaded.mesh, {}, False

    def run(self, jaxpr, args, consts=None):
        """The results of a closed program, as a list; `consts`, if given, replaces its constants."""
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
        """The results of a `shard_map`, whose equations run without a mesh that is set."""
        hold, self.alone = self.alone, True
        try:
            return shards.equations([each.aval for each in eqn.outvars], ins)
        finally:
            self.alone = hold

    @staticmethod
    def called(eqn):
        """The program that an equation calls, or None."""
        return next((eqn.params[key] for key in CALLED if hasattr(eqn.params.get(key), "eqns") or hasattr(eqn.params.get(key), "jaxpr")), None)

    def bound(self, eqn, ins):
        """The results of binding the primitive; if it cannot run, those of an uninterpreted function."""
        interpreted = {"interpret": True} if "interpret" in eqn.params else {}  # of a kernel
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
        """Whether an equation has an external effect, or needs something that the text does not contain."""
        if "callback" in eqn.primitive.name or eqn.primitive.name in ("debug_print", "ffi_call", "check"):
            return True
        if any(isinstance(each, (Opaque, Given)) for each in eqn.params.values()) and not hasattr(eqn.params.get("jaxpr"), "eqns"):
            return True
        return getattr(eqn.primitive, "uninterpreted", False)

    def said(self, eqn, ins):
        """Everything that the results of an uninterpreted function depend on."""
        return self.digest(eqn), [self.fingerprint(each) for each in programs(eqn.params)], [bits(self.names, each) for each in ins]

    def uninterpreted(self, eqn, ins):
        said = self.said(eqn, ins)
        if acts(eqn) or not eqn.outvars:
            self.effects.append((acts(eqn), said))
        return [self.memory.one(value(self.names, each.aval, seed_of(said, at))) for at, each in enumerate(eqn.outvars)]

    def digest(self, eqn):
        """A digest of the primitive and the parameters of an equation, except programs, so that `eq` decides which are equal."""
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
        """What a program computes from one random input, to compare programs that an unknown primitive calls; None if it cannot
        run."""
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
        """The results of a scan: `run` runs its program, `row` takes a row of an operand, `stack` joins rows, and `empty` makes a
        result without rows."""
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
        """Runs a class-named primitive: its traced program if it has one."""
        inner = next((each for each in vars(params["_prim"]).values() if hasattr(each, "jaxpr") and hasattr(each.jaxpr, "eqns")), None)
        if inner is not None and len(inner.jaxpr.in_avals) == len(ins):
            return self.run(inner.jaxpr, ins)
        out = self.names.apply_hi.bind(*map(clear, ins), **params)
        return list(out) if isinstance(out, (tuple, list)) else [out]
