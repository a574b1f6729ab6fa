# SPDX-License-Identifier: Apache-2.0
"""Wrong programs whose mistakes agree with one another: the third set of changes of `equations`.

One idea: two places change together, so that comparing them does not show the mistake, and only a third one disagrees:
a nested program is traced again for other arguments, two counts keep their sum, an operand changes with an argument but
without a result. Each kind is a function (rng, equation, donors) -> (kind, changed) or None."""

import numpy as np

import jax
from jax._src import core

import live
import mutate
import nearby


def bodies(eqn):
    return [(key, index, program, live.open_of(program)) for key, index, program in live.nested(eqn.params)]


def with_body(eqn, key, index, program, jaxpr):
    return live.with_nested(eqn, key, index, live.close_again(program, jaxpr))


def traced_again(jaxpr, old, new):
    """The program with the argument `new` for `old` and the results that JAX then computes; None if their number
    changes. Raises what JAX raises if it rejects that."""
    now = {old: new}
    at = lambda a: a if live.is_literal(a) else now.get(a, a)
    eqns = []
    for eqn in jaxpr.eqns:
        changed = live.computed(eqn.replace(invars=[at(a) for a in eqn.invars]))
        if changed is None or len(changed.outvars) != len(eqn.outvars):
            return None
        outs = [live.drop(v.aval) if live.is_dropped(o) else v for o, v in zip(eqn.outvars, changed.outvars)]
        now.update({o: v for o, v in zip(eqn.outvars, outs) if not live.is_dropped(o)})
        eqns.append(changed.replace(outvars=outs))
    args = [at(v) for v in jaxpr.invars]
    return live.renewed(jaxpr.replace(eqns=eqns), args, [at(a) for a in jaxpr.outvars])


def retyped_body(rng, eqn):
    """(key, index, program, number of the argument, old argument, program traced again), or None."""
    found = [each for each in bodies(eqn) if each[3].invars]
    if not found:
        return None
    key, index, program, jaxpr = rng.choice(found)
    k = rng.randrange(len(jaxpr.invars))
    aval = nearby.retyped(rng, jaxpr.invars[k].aval)
    again = aval is not None and traced_again(jaxpr, jaxpr.invars[k], live.fresh(aval))
    return (key, index, program, k, jaxpr.invars[k], again) if again else None


def body_again(rng, eqn, donors):
    """A nested program is traced again, correctly, for another argument than it receives."""
    made = retyped_body(rng, eqn)
    return made and ("body-again", with_body(eqn, *made[:3], made[5]))


def body_and_operand(rng, eqn, donors):
    """The same, and the operand it receives changes too: only the results, other programs or slices may disagree."""
    made = retyped_body(rng, eqn)
    if not made:
        return None
    key, index, program, k, old, again = made
    alike = [i for i, a in enumerate(eqn.invars) if live.short(a.aval) == live.short(old.aval)]
    if not alike:
        return None
    i = rng.choice(alike)
    atoms = [live.fresh(again.invars[k].aval) if n == i else a for n, a in enumerate(eqn.invars)]
    return "body-and-operand", with_body(eqn, key, index, program, again).replace(invars=atoms)


def body_and_binder(rng, eqn, donors):
    """The same, and the results of the equation take the new types: only the operands disagree."""
    made = retyped_body(rng, eqn)
    if not made or len(made[5].outvars) != len(eqn.outvars):
        return None
    key, index, program, _, _, again = made
    outs = [v if live.short(v.aval) == live.short(a.aval) else live.fresh(a.aval) for v, a in zip(eqn.outvars, again.outvars)]
    return "body-and-binder", with_body(eqn, key, index, program, again).replace(outvars=outs)


def all_bodies_again(rng, eqn, donors):
    """Every nested program is traced again with another type for all arguments of one type, sometimes operands too."""
    found = bodies(eqn)
    types = [v.aval for _, _, _, jaxpr in found for v in jaxpr.invars]
    if not types:
        return None
    old = rng.choice(types)
    aval = nearby.retyped(rng, old)
    if aval is None:
        return None
    for key, index, program, jaxpr in found:
        for var in [v for v in jaxpr.invars if live.short(v.aval) == live.short(old)]:
            jaxpr = traced_again(jaxpr, var, live.fresh(aval))
            if jaxpr is None:
                return None
        eqn = with_body(eqn, key, index, program, jaxpr)
    if rng.random() < 0.5:
        atoms = [live.fresh(aval) if not live.is_literal(a) and live.short(a.aval) == live.short(old) else a for a in eqn.invars]
        eqn = eqn.replace(invars=atoms)
    return "all-bodies", eqn


def one_more(rng, eqn, donors):
    """A nested program and the equation take one more argument and operand; parameters that count them stay."""
    found = bodies(eqn)
    if not found:
        return None
    key, index, program, jaxpr = rng.choice(found)
    like = rng.choice([v.aval for v in jaxpr.invars] or [core.ShapedArray((), np.dtype("float32"))])
    args, atoms = list(jaxpr.invars), list(eqn.invars)
    args.insert(rng.choice((0, len(args), rng.randrange(len(args) + 1))), live.fresh(like))
    atoms.insert(rng.choice((0, len(atoms), rng.randrange(len(atoms) + 1))), live.fresh(like))
    return "one-more", with_body(eqn, key, index, program, live.renewed(jaxpr, args, jaxpr.outvars)).replace(invars=atoms)


def one_result_more(rng, eqn, donors):
    """A nested program and the equation return one value more, or one fewer."""
    found = [each for each in bodies(eqn) if each[3].outvars]
    if not found or not eqn.outvars:
        return None
    key, index, program, jaxpr = rng.choice(found)
    outs, binders = list(jaxpr.outvars), list(eqn.outvars)
    k = rng.choice((0, len(outs) - 1, rng.randrange(len(outs))))
    if rng.random() < 0.6:
        outs.insert(k, outs[k])
        binders.insert(min(k, len(binders)), live.fresh(outs[k].aval))
    else:
        outs.pop(k)
        binders.pop(min(k, len(binders) - 1))
    return "one-result", with_body(eqn, key, index, program, live.renewed(jaxpr, jaxpr.invars, outs)).replace(outvars=binders)


def recounted(rng, eqn, donors):
    """Two counts of one equation, or of one record, change by one and keep their sum."""
    counts = [k for k in nearby.keys_of(eqn) if isinstance(eqn.params[k], int) and not isinstance(eqn.params[k], bool)]
    if len(counts) > 1 and rng.random() < 0.7:
        more, less = rng.sample(counts, 2)
        step = rng.choice((1, 1, 2))
        return "recounted", eqn.replace(params={**eqn.params, more: eqn.params[more] + step, less: eqn.params[less] - step})
    records = [k for k in nearby.keys_of(eqn) if hasattr(eqn.params[k], "_replace") or type(eqn.params[k]) in (tuple, list)]
    records = [k for k in records if sum(isinstance(x, int) for x in eqn.params[k]) > 1]
    if not records:
        return None
    key = rng.choice(records)
    items = list(eqn.params[key])
    more, less = rng.sample([i for i, x in enumerate(items) if isinstance(x, int)], 2)
    items[more], items[less] = items[more] + 1, items[less] - 1
    value = eqn.params[key]._replace(**dict(zip(eqn.params[key]._fields, items))) if hasattr(eqn.params[key], "_replace") else type(eqn.params[key])(items)
    return "recounted-" + key, eqn.replace(params={**eqn.params, key: value})


def regrouped(rng, eqn, donors):
    """Two elements of a list of lists change places, or the last item of one of its lists moves to another."""
    found = [k for k in nearby.keys_of(eqn) if type(eqn.params[k]) in (tuple, list) and any(type(x) in (tuple, list) for x in eqn.params[k])]
    if not found:
        return None
    key = rng.choice(found)
    items = list(eqn.params[key])
    i, k = rng.randrange(len(items)), rng.randrange(len(items))
    parts = [n for n, x in enumerate(items) if type(x) in (tuple, list)]
    if rng.random() < 0.5 and len(parts) > 1:
        i, k = rng.sample(parts, 2)
        a, b = list(items[i]), list(items[k])
        if not a:
            return None
        b.append(a.pop())
        items[i], items[k] = type(items[i])(a), type(items[k])(b)
    else:
        items[i], items[k] = items[k], items[i]
    return "regrouped-" + key, eqn.replace(params={**eqn.params, key: type(eqn.params[key])(items)})


def donor_body(rng, eqn, donors):
    """A nested program becomes that of another equation, with as many arguments and results."""
    found = bodies(eqn)
    if not found:
        return None
    key, index, program, jaxpr = rng.choice(found)
    size = (len(jaxpr.invars), len(jaxpr.outvars))
    others = donors.setdefault("<bodies>", {})
    if not others:
        for each in donors["<program>"]:
            opened = live.open_of(each)
            others.setdefault((len(opened.invars), len(opened.outvars)), []).append(opened)
    given = [j for j in others.get(size, ()) if not j.constvars]
    if not given:
        return None
    return "donor-body", with_body(eqn, key, index, program, rng.choice(given))


def own_bodies(rng, eqn, donors):
    """Two nested programs of one equation change places."""
    found = bodies(eqn)
    if len(found) < 2:
        return None
    (key, index, program, first), (key2, index2, program2, second) = rng.sample(found, 2)
    return "own-bodies", with_body(with_body(eqn, key, index, program, second), key2, index2, program2, first)


def types_exchanged(rng, eqn, donors):
    """Two operands, two results, or an operand and a result exchange their types."""
    atoms, outs = list(eqn.invars), list(eqn.outvars)
    places = [(atoms, i) for i, a in enumerate(atoms) if not live.is_literal(a)] + [(outs, i) for i in range(len(outs))]
    if len(places) < 2:
        return None
    (part, i), (other, k) = rng.sample(places, 2)
    if live.short(part[i].aval) == live.short(other[k].aval):
        return None
    part[i], other[k] = live.fresh(other[k].aval), live.fresh(part[i].aval)
    return "types-exchanged", eqn.replace(invars=atoms, outvars=outs)


def as_ref(rng, eqn, donors):
    """An array operand becomes a ref, or a ref its array; sometimes arguments of the same type do too."""
    if not eqn.invars:
        return None
    i = rng.randrange(len(eqn.invars))
    aval = eqn.invars[i].aval
    if hasattr(aval, "inner_aval"):
        new = aval.inner_aval
    elif mutate.is_array(aval):
        refs = [a for a in donors["<type>"] if hasattr(a, "inner_aval") and hasattr(a, "update") and type(a).__name__ == "AbstractRef"]
        if not refs:
            return None
        new = rng.choice(refs).update(inner_aval=aval)
    else:
        return None
    kind = "unref" if hasattr(aval, "inner_aval") else "ref"
    for key, index, program, jaxpr in bodies(eqn) if rng.random() < 0.6 else ():
        args = [live.fresh(new) if live.short(v.aval) == live.short(aval) else v for v in jaxpr.invars]
        for old, now in zip(jaxpr.invars, args):
            jaxpr = jaxpr if old is now else mutate.substitute(jaxpr, old, now)
        eqn = with_body(eqn, key, index, program, live.renewed(jaxpr, args, jaxpr.outvars))
    return kind, eqn.replace(invars=[live.fresh(new) if n == i else a for n, a in enumerate(eqn.invars)])


def renamed_axis(rng, eqn, donors):
    """All axis names in one parameter, of a mesh or of a collective, become one other name."""
    found = [k for k in nearby.keys_of(eqn) if "'" in repr(eqn.params[k]) and not live.is_program(eqn.params[k])]
    names = nearby.names_of(donors.get("<axis>", ()))
    if not found or not names:
        return None
    key, new = rng.choice(found), rng.choice(names + ["nowhere"])

    def change(value):
        if isinstance(value, str):
            return new if value in names else value
        if type(value) in (tuple, list, frozenset, set):
            return type(value)(change(x) for x in value)
        if isinstance(value, dict):
            return {change(k): change(v) for k, v in value.items()}
        if isinstance(value, jax.sharding.PartitionSpec):
            return jax.sharding.PartitionSpec(*[change(x) for x in value])
        if isinstance(value, jax.sharding.AbstractMesh):
            more = {"axis_types": value.axis_types} if getattr(value, "axis_types", None) else {}
            return jax.sharding.AbstractMesh(value.axis_sizes, tuple(change(n) for n in value.axis_names), **more)
        return value

    return "renamed-" + key, eqn.replace(params={**eqn.params, key: change(eqn.params[key])})


EQUATIONS = [(body_again, 4), (body_and_operand, 4), (body_and_binder, 3), (all_bodies_again, 3), (one_more, 2), (one_result_more, 2)]
EQUATIONS += [(recounted, 3), (regrouped, 3), (donor_body, 3), (own_bodies, 1), (types_exchanged, 4), (as_ref, 3), (renamed_axis, 2)]
