# SPDX-License-Identifier: Apache-2.0
"""Runs a live program equation by equation, so that no fusion can change a bit of a float.

Calls, loops and branches are run here; every other equation is bound by itself. What the text does not contain, and what has an
effect outside, is an uninterpreted function: its results are values that depend on its parameters and operands alone."""

import numpy as np

from .inputs import seed_of, value
from .parameters import Given, Opaque

CALLS = ("jaxpr", "call_jaxpr", "fun_jaxpr", "call")
INLINE = {
    "jit", "pjit", "closed_call", "core_call", "eval_jaxpr", "remat2", "checkpoint", "remat", "custom_jvp_call", "custom_vjp_call",
    "custom_vjp_call_jaxpr", "custom_vmap_call", "composite", "custom_lin",
}  # fmt: skip


class TooLong(Exception):
    """The program takes more steps than it may."""


def is_ref(x):
    return type(x).__name__ in ("ArrayRef", "MutableArray", "Ref", "ArrayRefImpl")


def bits(names, x):
    """The bits of a value, every NaN alike."""
    jax = names.jax
    if is_ref(x):
        x = x[...]
    if hasattr(x, "dtype") and jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key):
        x = jax.random.key_data(x)
    array = np.asarray(x)
    if array.dtype.kind == "c":
        return bits(names, array.real.copy()) + bits(names, array.imag.copy())
    if array.dtype.kind not in "biu" and array.dtype != names.dtypes.float0 and "int" not in array.dtype.name:
        wide = array.astype(np.float32) if array.dtype.itemsize < 4 else array
        array = np.where(np.isnan(wide), np.array(np.nan, array.dtype), array)
    return array.dtype.name.encode() + repr(array.shape).encode() + array.tobytes()


class Machine:
    """Runs programs; `effects` records in order what has an effect outside."""

    def __init__(self, names, steps):
        self.names, self.left, self.effects = names, steps, []

    def run(self, jaxpr, args):
        """The results of a closed program, a list."""
        opened = getattr(jaxpr, "jaxpr", jaxpr)
        env = dict(zip(map(id, opened.constvars), getattr(jaxpr, "consts", ())))
        env.update(zip(map(id, opened.invars), args))
        read = lambda atom: self.literal(atom) if hasattr(atom, "val") else env[id(atom)]
        for eqn in opened.eqns:
            self.left -= 1
            if self.left < 0:
                raise TooLong("too many steps")
            env.update(zip(map(id, eqn.outvars), self.equation(eqn, list(map(read, eqn.invars)))))
        return list(map(read, opened.outvars))

    def literal(self, atom):
        dtype = getattr(atom.aval, "dtype", None)
        return np.asarray(atom.val, dtype) if isinstance(dtype, np.dtype) else atom.val

    def equation(self, eqn, ins):
        name, params = eqn.primitive.name, eqn.params
        special = getattr(self, "do_" + name.replace("-", "_"), None)
        if special:
            return special(params, ins)
        if name in INLINE:
            for key in CALLS:
                if hasattr(params.get(key), "eqns") or hasattr(params.get(key), "jaxpr"):
                    inner = params[key]
                    return self.run(inner, ins)
        if self.outside(eqn):
            return self.uninterpreted(eqn, ins)
        try:
            out = eqn.primitive.bind(*ins, **params)
        except NotImplementedError:
            out = self.names.jax.jit(lambda *a: eqn.primitive.bind(*a, **params))(*ins)
        return list(out) if eqn.primitive.multiple_results else [out]

    def outside(self, eqn):
        """Whether an equation does something that is not in the text or not in the program."""
        if "callback" in eqn.primitive.name or eqn.primitive.name in ("debug_print", "custom_partitioning", "ffi_call", "check"):
            return True
        if any(isinstance(each, (Opaque, Given)) for each in eqn.params.values()) and not hasattr(eqn.params.get("jaxpr"), "eqns"):
            return True
        return getattr(eqn.primitive, "uninterpreted", False)

    def uninterpreted(self, eqn, ins):
        shown = sorted((key, str(each)) for key, each in eqn.params.items() if not key.startswith("np_"))
        said = (eqn.primitive.name, shown, [bits(self.names, each) for each in ins])
        if eqn.effects or not eqn.outvars:
            self.effects.append(said)
        return [value(self.names, each.aval, seed_of(said, at)) for at, each in enumerate(eqn.outvars)]

    def do_scan(self, params, ins):
        jnp, body = self.names.jax.numpy, params["jaxpr"]
        if "ft_in" in params:
            consts, carry = (len(each) for each in params["ft_in"].unpack()[:2])
        else:
            consts, carry = params["num_consts"], params["num_carry"]
        state, xs, rows = ins[consts : consts + carry], ins[consts + carry :], []
        order = range(params["length"])
        for at in reversed(order) if params["reverse"] else order:
            outs = self.run(body, ins[:consts] + state + [jnp.asarray(each)[at] if not hasattr(each, "at") else each[at] for each in xs])
            state = outs[:carry]
            rows.append(outs[carry:])
        rows = rows[::-1] if params["reverse"] else rows
        opened = getattr(body, "jaxpr", body)
        if not rows:
            return state + [jnp.zeros((0, *each.aval.shape), each.aval.dtype) for each in opened.outvars[carry:]]
        return state + [jnp.stack(list(map(jnp.asarray, column))) for column in zip(*rows)]

    def do_while(self, params, ins):
        test, body = params["cond_nconsts"], params["body_nconsts"]
        state = ins[test + body :]
        while True:
            goes_on = self.run(params["cond_jaxpr"], ins[:test] + state)[0]
            if np.ndim(goes_on):
                raise TooLong("a loop for several lanes")
            if not goes_on:
                return state
            state = self.run(params["body_jaxpr"], ins[test : test + body] + state)

    def do_cond(self, params, ins):
        branches = params["branches"]
        return self.run(branches[min(max(int(ins[0]), 0), len(branches) - 1)], ins[1:])
