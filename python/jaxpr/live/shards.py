# SPDX-License-Identifier: Apache-2.0
"""Runs the program of a `shard_map` equation by equation, on all shards in parallel.

An equation that names no axis of the mesh runs on each shard separately, as outside of a shard_map. One that does runs on all
shards in a separate shard_map; if JAX cannot run it, it is an uninterpreted function of the values on all shards."""

import itertools

import numpy as np

from .evaluate import UNCLEAR, acts, bits, clear, is_key, is_ref, key_of, programs
from .inputs import placed, seed_of, value
from .versions import CALLS


def dims(spec):
    """The axes that split each dimension, according to a PartitionSpec or, in older JAX, a dict."""
    if isinstance(spec, dict):
        return {at: tuple(axes) for at, axes in spec.items() if axes}
    return {at: axes if isinstance(axes, tuple) else (axes,) for at, axes in enumerate(spec) if axes}


class Shards:
    """The shards of one `shard_map`; a value computed on them is a list with an element for each shard."""

    def __init__(self, machine, eqn):
        self.machine, self.names, self.params, self.named = machine, machine.names, eqn.params, {}
        mesh, params = eqn.params["mesh"], eqn.params
        axes = params.get("newly_manual_axes", params.get("manual_axes", set(mesh.axis_names) - set(params.get("auto", ()))))
        self.mesh, self.sizes = mesh, {each: mesh.shape[each] for each in mesh.axis_names if axes is None or each in axes}
        self.places = [dict(zip(self.sizes, at)) for at in itertools.product(*map(range, self.sizes.values()))]
        self.ins = [dims(each) for each in params.get("in_specs", params.get("in_names", ()))]
        self.outs = [dims(each) for each in params.get("out_specs", params.get("out_names", ()))]

    def can(self, ins):
        """Whether shards of these operands can run: no operand is a ref, and, on a mesh with explicit axes, all axes are manual."""
        open_axes = getattr(self.mesh, "_any_axis_explicit", False) and set(self.mesh.axis_names) != set(self.sizes)
        return not open_axes and not any(map(is_ref, ins)) and all(hasattr(each, "shape") or each is UNCLEAR for each in ins)

    def equations(self, avals, ins):
        """The results of the shard_map."""
        outs = self.run(self.params["jaxpr"], [self.split(x, of) for x, of in zip(ins, self.ins)])
        return [self.join(column, of, aval) for column, of, aval in zip(outs, self.outs, avals)]

    # ---- from arrays to shards, and back

    def part(self, shape, of, place):
        """The slices of an array of that shape that belong to the shard at `place`."""
        out = []
        for at, size in enumerate(shape):
            shard, count = 0, 1
            for axis in of.get(at, ()):
                shard, count = shard * self.sizes[axis] + place[axis], count * self.sizes[axis]
            out.append(slice(shard * (size // count), (shard + 1) * (size // count)))
        return tuple(out)

    def plain(self, x):
        """A value as a numpy array; for keys, their data."""
        return np.asarray(self.names.jax.random.key_data(x) if is_key(self.names, x) else x)

    def like(self, x, array):
        """`array` as an array of JAX, or as keys if `x` is keys."""
        random, jnp = self.names.jax.random, self.names.jax.numpy
        made = random.wrap_key_data(jnp.asarray(array), impl=random.key_impl(x)) if is_key(self.names, x) else jnp.asarray(array)
        return self.machine.memory.one(made)

    def split(self, x, of):
        if x is UNCLEAR:
            return [x] * len(self.places)
        whole = self.plain(x)
        return [self.like(x, whole[self.part(np.shape(x), of, place)]) for place in self.places]

    def join(self, column, of, aval):
        if any(each is UNCLEAR for each in column):
            return UNCLEAR
        first = self.plain(column[0])
        extra = first.shape[np.ndim(column[0]) :]
        whole = np.zeros((*aval.shape, *extra), first.dtype)
        for each, place in reversed(list(zip(column, self.places))):
            whole[self.part(aval.shape, of, place)] = self.plain(each)
        return self.machine.memory.one(placed(self.names, self.like(column[0], whole), aval, self.machine.mesh))

    # ---- programs

    def run(self, jaxpr, args):
        """The results of a program on each shard."""
        opened, machine = getattr(jaxpr, "jaxpr", jaxpr), self.machine
        consts = [[machine.memory.constant(each)] * len(self.places) for each in getattr(jaxpr, "consts", ())]
        env = dict(zip(map(id, opened.constvars), consts))
        env.update(zip(map(id, opened.invars), args))
        read = lambda atom: [machine.literal(atom)] * len(self.places) if hasattr(atom, "val") else env[id(atom)]
        for eqn in opened.eqns:
            machine.step()
            env.update(zip(map(id, eqn.outvars), self.equation(eqn, list(map(read, eqn.invars)))))
        unclear = machine.unclear.get(id(opened), ())
        return [[UNCLEAR] * len(self.places) if at in unclear else read(each) for at, each in enumerate(opened.outvars)]

    def names_axis(self, eqn):
        """Whether an equation, or one in a nested program, names an axis that splits the shards."""
        if id(eqn) not in self.named:
            inside = (each for inner in programs(eqn.params) for each in getattr(inner, "jaxpr", inner).eqns)
            words = itertools.chain.from_iterable(each if isinstance(each, (tuple, list, set, frozenset)) else (each,) for each in eqn.params.values())
            self.named[id(eqn)] = any(isinstance(each, str) and each in self.sizes for each in words) or any(map(self.names_axis, inside))
        return self.named[id(eqn)]

    def equation(self, eqn, ins):
        if not self.names_axis(eqn):
            return self.turned([self.machine.equation(eqn, list(row)) for row in self.rows(ins)], len(eqn.outvars))
        inner = self.machine.called(eqn) if eqn.primitive.name in CALLS else None
        if inner is not None:
            return self.run(inner, ins)
        special = getattr(self, "do_" + eqn.primitive.name, None)
        return special(eqn.params, ins) if special else self.together(eqn, ins)

    def rows(self, columns):
        """Transposes values by variable to values by shard."""
        return list(zip(*columns)) if columns else [()] * len(self.places)

    @staticmethod
    def turned(rows, count):
        """Transposes values by shard to values by variable."""
        return [[row[at] for row in rows] for at in range(count)]

    def do_scan(self, params, ins):
        """Machine.do_scan with a list of the values of all shards in place of each value."""
        machine, count = self.machine, len(self.places)
        row = lambda column, at: [machine.row(each, at) for each in column]
        stack = lambda columns: [machine.stack(list(each)) for each in zip(*columns)]
        empty = lambda aval: [self.names.jax.numpy.zeros((0, *aval.shape), aval.dtype)] * count
        return machine.scanned(params, ins, self.run, row, stack, empty)

    def do_cond(self, params, ins):
        branches, last = params["branches"], len(params["branches"]) - 1
        taken = [min(max(int(clear(each)), 0), last) for each in ins[0]]
        outs = {each: self.run(branches[each], ins[1:]) for each in sorted(set(taken))}
        return [[outs[branch][at][shard] for shard, branch in enumerate(taken)] for at in range(len(outs[taken[0]]))]

    def do_while(self, params, ins):
        """Runs until no shard continues; shards that have ended keep their values."""
        test, body = params["cond_nconsts"], params["body_nconsts"]
        state = ins[test + body :]
        while True:
            goes_on = [bool(clear(each)) for each in self.run(params["cond_jaxpr"], ins[:test] + state)[0]]
            if not any(goes_on):
                return state
            after = self.run(params["body_jaxpr"], ins[test : test + body] + state)
            state = [[n if on else o for on, n, o in zip(goes_on, new, old)] for new, old in zip(after, state)]

    # ---- equations that name an axis

    def together(self, eqn, ins):
        flat = [each for column in ins for each in column]
        if any(each is UNCLEAR for each in flat):
            return [[UNCLEAR] * len(self.places) for _ in eqn.outvars]
        key = key_of(eqn)
        key = None if key is None else ("together", tuple(self.sizes.items()), key)
        out = self.machine.memory.result(key, flat, lambda: self.flat(eqn, ins))
        count = len(self.places)
        return [out[at * count : (at + 1) * count] for at in range(len(eqn.outvars))]

    def flat(self, eqn, ins):
        """The results of an equation as one list: the first result on every shard, then the second, and so on."""
        if not self.machine.outside(eqn):
            try:
                return [each for whole in self.mapped(eqn, ins) for each in self.shards_of(whole)]
            except Exception:  # whatever JAX raises for what it cannot run
                pass
        said = (self.machine.said(eqn, [each for column in ins for each in column]),)
        if acts(eqn) or not eqn.outvars:
            self.machine.effects.append((acts(eqn), said))
        return [value(self.names, each.aval, seed_of(said, at, shard)) for at, each in enumerate(eqn.outvars) for shard in range(len(self.places))]

    def shards_of(self, whole):
        array = self.plain(whole)
        return [self.like(whole, array[tuple(place.values())]) for place in self.places]

    def mapped(self, eqn, ins):
        """The results of one equation in a shard_map; their first axes are the axes of the mesh."""
        jax, jnp, first = self.names.jax, self.names.jax.numpy, tuple(self.sizes.values())
        found = eqn.primitive.get_bind_params(eqn.params)
        functions, params = found if isinstance(found, tuple) else ((), found)
        spec = jax.sharding.PartitionSpec(*self.sizes)

        def one(_, *shards):
            out = eqn.primitive.bind(*functions, *(each.reshape(each.shape[len(first) :]) for each in shards), **params)
            return [each.reshape((1,) * len(first) + each.shape) for each in (out if eqn.primitive.multiple_results else [out])]

        stacked = [np.stack(list(map(self.plain, column))) for column in ins]
        stacked = [self.like(column[0], each.reshape(*first, *each.shape[1:])) for each, column in zip(stacked, ins)]
        whole = jax.device_put([jnp.zeros(first, bool), *stacked], self.names.NamedSharding(self.mesh, spec))
        checked = bool(self.params.get("check_vma", self.params.get("check_rep")))
        run = lambda check: jax.jit(self.names.shard_mapped(one, self.mesh, spec, frozenset(self.sizes), check))(*whole)
        try:
            return run(checked)
        except Exception:  # here all operands vary along all axes, which JAX may reject with or without its check
            return run(not checked)
