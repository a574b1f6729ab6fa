# SPDX-License-Identifier: Apache-2.0
"""Wrong programs that are nearly right: the second set of changes of `equations`, independent of those of `mutate.py`.

One idea: a value becomes another of the same kind, found from the value alone (a member of its enumeration, a field of
its record, a name of its mesh); or places that must agree change without the others: an operand with the arguments that
receive it, an equation without its uses, the scope that a variable is read in. Each kind is a function (rng, jaxpr or
equation, donors) -> (kind, changed) or None."""

import collections
import dataclasses
import enum

import numpy as np

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec
from jax._src import core

import live
import mutate

NAMES = """bool int2 int4 int8 int16 int32 int64 uint2 uint4 uint8 uint16 uint32 uint64 float4_e2m1fn float8_e3m4 float8_e4m3
float8_e4m3fn float8_e5m2 float8_e5m2fnuz float8_e8m0fnu bfloat16 float16 float32 float64 complex64 complex128""".split()
DTYPES = [np.dtype(getattr(jnp, n if n != "bool" else "bool_")) for n in NAMES if hasattr(jnp, n if n != "bool" else "bool_")]
KEYS = [jax.random.key(0, impl=impl).dtype for impl in ("threefry2x32", "rbg")]
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 16, 128)
DEPTH = 4  # how deep into nested values a change goes


def other(rng, items, old):
    found = [item for item in items if repr(item) != repr(old)]
    return rng.choice(found) if found else None


# -- values ----------------------------------------------------------------------------------------------------------


def whole(rng, value):
    return rng.choice([n for n in (value + 1, value - 1, -value, -1, 0, 1, 2 * value, value + 8, -value - 1) if n != value])


def sequence(rng, items, donors, key, depth):
    """A list with one change: of an element, its length or its order; None if the element cannot be changed."""
    n, how = len(items), rng.choice(("change",) * 4 + ("drop", "again", "append", "swap", "sort", "empty", "share"))
    if not n:
        given = [list(v) for v in donors.get(key, ()) if type(v) in (tuple, list) and v]
        return rng.choice(given) if given else [rng.choice((0, 1))]
    k, i = rng.randrange(n), rng.randrange(n)
    if how == "change":
        new = near(rng, items[k], donors, key, depth + 1)
        if new is None and items[k] is not None:
            return None
        items[k] = new
    elif how == "drop":
        items.pop(k)
    elif how == "again":
        items.insert(i, items[k])
    elif how == "append":
        items.append(rng.choice((0, 1, n)) if isinstance(items[k], (int, np.integer)) else items[k])
    elif how == "swap":
        items[i], items[k] = items[k], items[i]
    elif how == "share":
        items[i] = items[k]
    elif how == "sort":
        items.sort(key=repr, reverse=rng.random() < 0.5)
    else:
        items = []
    return items


def names_of(value):
    return [name for name in value if isinstance(name, str)]


def layout(rng, spec, donors):
    """Another PartitionSpec: an axis name dropped, repeated, moved or unknown; an entry more; or an axis put into, or
    taken out of, its set `unreduced` or `reduced`."""
    names, how = list(getattr(spec, "partitions", spec)), rng.choice(("drop", "double", "other", "long", "join", "swap", "unreduced", "reduced"))
    more = {key: set(getattr(spec, key)) for key in ("unreduced", "reduced") if getattr(spec, key, None)}
    over = [i for i, name in enumerate(names) if name]
    known = names_of(donors.get("<axis>", ())) + ["nowhere"]
    if how in ("unreduced", "reduced"):
        try:
            more[how] = more.get(how, set()) ^ {rng.choice(known)}
            return PartitionSpec(*names, **{key: axes for key, axes in more.items() if axes})
        except Exception:
            return None
    if how == "long" or not names:
        return PartitionSpec(*names, rng.choice(known + [None]), **more)
    k = rng.randrange(len(names))
    if how == "swap" and len(names) > 1:
        i = rng.randrange(len(names))
        names[i], names[k] = names[k], names[i]
    elif how == "join":
        names[k] = tuple(([names[k]] if isinstance(names[k], str) else list(names[k] or ())) + [rng.choice(known)])
    elif how == "double" and over:
        names[k] = names[rng.choice(over)]
    elif how == "drop" and over:
        names[rng.choice(over)] = None
    else:
        names[k] = rng.choice(known)
    return PartitionSpec(*names, **more)


def record(rng, value, donors, depth):
    """A copy of a named tuple or dataclass with one field changed; None if no field can be."""
    if hasattr(value, "_replace"):
        fields = list(value._fields)
    else:
        fields = [f.name for f in dataclasses.fields(value) if f.init]
    for field in rng.sample(fields, len(fields)):
        old = getattr(value, field)
        new = near(rng, old, donors, field, depth + 1)
        if new is not None:
            return value._replace(**{field: new}) if hasattr(value, "_replace") else dataclasses.replace(value, **{field: new})
    return None


def mesh(rng, value):
    sizes, names = list(value.axis_sizes), list(value.axis_names)
    k, how = rng.randrange(len(names)), rng.choice(("size", "name", "drop", "swap"))
    if how == "size":
        sizes[k] = rng.choice([n for n in (1, 2, 3, 4, 8) if n != sizes[k]])
    elif how == "name":
        names[k] = "nowhere"
    elif how == "drop":
        sizes.pop(k), names.pop(k)
    else:
        names.reverse()
    kinds = getattr(value, "axis_types", None)
    more = {"axis_types": tuple(kinds)[: len(names)]} if kinds else {}
    return jax.sharding.AbstractMesh(tuple(sizes), tuple(names), **more)


def near(rng, value, donors, key, depth=0):
    """Another value of the same kind, or None."""
    if depth > DEPTH or value is None and not donors.get(key):
        return None
    if value is None or type(value) in (str,):
        return other(rng, [v for v in donors.get(key, ()) if type(v) in (type(value), str, np.dtype)] + names_of(donors.get("<axis>", ())) * (key.find("ax") >= 0), value)
    if isinstance(value, enum.Enum):
        return other(rng, list(type(value)), value)
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, np.integer)):
        return type(value)(whole(rng, int(value)))
    if isinstance(value, float):
        return rng.choice((value + 0.5, -value - 1, float("inf")))
    if isinstance(value, np.dtype) or value in KEYS:
        return other(rng, DTYPES + KEYS, value)
    if isinstance(value, PartitionSpec):
        return layout(rng, value, donors)
    if isinstance(value, jax.sharding.AbstractMesh):
        return mesh(rng, value)
    if isinstance(value, jax.sharding.NamedSharding):
        return jax.sharding.NamedSharding(value.mesh, layout(rng, value.spec, donors))
    if isinstance(value, core.AbstractValue):
        return retyped(rng, value)
    if hasattr(value, "_replace") or dataclasses.is_dataclass(value) and not isinstance(value, type):
        return record(rng, value, donors, depth)
    if isinstance(value, (tuple, list)):
        items = sequence(rng, list(value), donors, key, depth)
        return None if items is None else type(value)(items)
    if isinstance(value, (set, frozenset)):
        names = sorted(value, key=repr)
        if names and rng.random() < 0.6:
            names.pop(rng.randrange(len(names)))
        else:
            names.append(rng.choice(names_of(donors.get("<axis>", ())) + ["nowhere"]))
        return type(value)(names)
    if isinstance(value, dict) and value:
        found = dict(value)
        k = rng.choice(sorted(found, key=repr))
        if rng.random() < 0.3:
            found.pop(k)
            return found
        found[k] = near(rng, found[k], donors, key, depth + 1)
        return None if found[k] is None else found
    return None


# -- types -----------------------------------------------------------------------------------------------------------


def retyped(rng, aval):
    """A type with one property changed: element type, a size, rank, order of axes, layout, varying axes, memory."""
    inner = getattr(aval, "inner_aval", None)
    if inner is not None:
        if rng.random() < 0.3:
            return inner
        changed = retyped(rng, inner)
        return None if changed is None else aval.update(inner_aval=changed)
    if type(aval) is not core.ShapedArray:
        return None
    shape = list(aval.shape)
    how = rng.choice(("dtype", "dtype", "size", "size", "swap", "axis", "flat", "vma", "memory", "key", "sharding", "alike"))
    k = rng.randrange(len(shape)) if shape else None
    if getattr(getattr(getattr(aval, "sharding", None), "mesh", None), "axis_names", ()) and rng.random() < 0.5:
        how = rng.choice(("vma", "vma", "sharding"))
    if how == "dtype":
        return aval.update(dtype=other(rng, DTYPES, aval.dtype), weak_type=False)
    if how == "key":
        return aval.update(dtype=other(rng, KEYS, aval.dtype), weak_type=False)
    if how == "alike":  # the same bits, read as another type
        same = [d for d in DTYPES if d.itemsize == getattr(aval.dtype, "itemsize", 0)]
        new = other(rng, same, aval.dtype)
        return None if new is None else aval.update(dtype=new, weak_type=False)
    if how == "vma" or how == "memory" or how == "sharding":
        return placed(rng, aval, how)
    if how == "size" and shape:
        shape[k] = rng.choice([n for n in SIZES if n != shape[k]])
    elif how == "swap" and len(shape) > 1:
        i = rng.randrange(len(shape))
        shape[i], shape[k] = shape[k], shape[i]
    elif how == "flat" and len(shape) > 1 and all(isinstance(n, int) for n in shape):
        shape = [int(np.prod(shape))]
    else:
        shape.insert(rng.randrange(len(shape) + 1), 1) if rng.random() < 0.5 or not shape else shape.pop(k)
    return None if tuple(shape) == aval.shape else mutate.with_shape(aval, shape)


def toggled(kind, field, change):
    """`kind` with the axes of `change` put into, or taken out of, its set `field`; an axis is in one set only."""
    sets = {name: getattr(kind, name) - (change if name != field else frozenset()) for name in ("varying", "unreduced", "reduced")}
    sets[field] ^= change
    return kind.update(**sets, unreduced_kind=kind.unreduced_kind if sets["unreduced"] else None)


def placed(rng, aval, how):
    """A type that varies over other axes of the mesh, is in another memory, or has another sharding."""
    if how == "sharding":
        return mutate.other_sharding(rng, aval)
    if how == "memory":
        space = getattr(aval, "memory_space", None)
        return None if not isinstance(space, enum.Enum) else aval.update(memory_space=other(rng, list(type(space)), space))
    over = getattr(getattr(aval, "sharding", None), "mesh", None)
    if not getattr(over, "axis_names", ()):
        return None
    change = {rng.choice(over.axis_names)}
    if hasattr(aval, "manual_axis_type") and str(over._name_to_type[min(change)]) == "Explicit":
        spec, field = aval.sharding.spec, rng.choice(("unreduced", "reduced"))
        sets = {name: set(getattr(spec, name)) ^ (change if name == field else set()) for name in ("unreduced", "reduced")}
        return aval.update(sharding=aval.sharding.update(spec=PartitionSpec(*spec.partitions, **{key: axes for key, axes in sets.items() if axes})))
    if hasattr(aval, "manual_axis_type"):
        kind, field = aval.manual_axis_type, rng.choice(("varying", "varying", "unreduced", "reduced"))
        return aval.update(manual_axis_type=toggled(kind, field, frozenset(change)))
    return aval.update(vma=aval.vma ^ frozenset(change)) if hasattr(aval, "vma") else None


# -- equations -------------------------------------------------------------------------------------------------------


def keys_of(eqn):
    return sorted(k for k in set(eqn.params) - mutate.SKIPPED_KEYS - {"_prim"} if not k.endswith("thunk"))


def value_near(rng, eqn, donors):
    keys = [k for k in keys_of(eqn) if not any(k == key for key, _, _ in live.nested(eqn.params))]
    if not keys:
        return None
    key = rng.choice(keys)
    new = near(rng, eqn.params[key], donors, key)
    return None if new is None else ("near-" + key, eqn.replace(params={**eqn.params, key: new}))


def two_values(rng, eqn, donors):
    """Two parameters changed at once: one may be the length of the other."""
    first = value_near(rng, eqn, donors)
    second = first and value_near(rng, first[1], donors)
    return second and ("two-values", second[1])


def operand_near(rng, eqn, donors):
    """One operand gets another type: in all places of the equation that read the variable, or in one."""
    if not eqn.invars:
        return None
    k = rng.randrange(len(eqn.invars))
    old = eqn.invars[k]
    aval = retyped(rng, old.aval)
    if aval is None:
        return None
    new = live.fresh(aval)
    alone = rng.random() < 0.5
    return "operand-near", eqn.replace(invars=[new if (i == k if alone else a is old) else a for i, a in enumerate(eqn.invars)])


def operands_alike(rng, eqn, donors):
    """All array operands get the same element type, first axis or last size: only some primitives allow that."""
    how, dtype, size = rng.choice(("dtype", "axis", "last")), rng.choice(DTYPES), rng.choice(SIZES)
    made = {}

    def change(atom):
        aval = atom.aval
        if live.is_literal(atom) or type(aval) is not core.ShapedArray:
            return atom
        if atom not in made:
            shape = [size] + list(aval.shape) if how == "axis" else list(aval.shape)
            shape[-1:] = [size] if how == "last" and shape else shape[-1:]
            made[atom] = live.fresh(mutate.with_shape(aval.update(dtype=dtype, weak_type=False) if how == "dtype" else aval, shape))
        return made[atom]

    atoms = [change(a) for a in eqn.invars]
    return ("operands-" + how, eqn.replace(invars=atoms)) if made else None


def rotated(rng, eqn, donors):
    """The operands or the results are rotated, cut short or one more at the end; or one operand replaces all."""
    part = rng.choice(("invars", "invars", "outvars"))
    atoms, how = list(getattr(eqn, part)), rng.choice(("rotate", "same", "end", "all"))
    if len(atoms) < 2 and how != "end" or not atoms:
        return None
    if how == "rotate":
        atoms = atoms[1:] + atoms[:1]
    elif how == "end":
        atoms.append(live.fresh(atoms[-1].aval))
    elif how == "all":
        atoms = atoms[: rng.randrange(len(atoms))]
    elif part == "invars":
        atoms = [rng.choice(atoms)] * len(atoms)
    else:
        return None
    return f"{part}-{how}", eqn.replace(**{part: atoms})


def literal_near(rng, eqn, donors):
    """A scalar becomes a literal, or a new variable of shape () or (1,), of a random element type."""
    found = [k for k, a in enumerate(eqn.invars) if getattr(a.aval, "shape", None) == () and isinstance(getattr(a.aval, "dtype", None), np.dtype)]
    if not found:
        return None
    k, atoms = rng.choice(found), list(eqn.invars)
    dtype = rng.choice([d for d in DTYPES if d.kind in "fiub" and d.itemsize <= 4] + [atoms[k].aval.dtype])
    if rng.random() < 0.3:
        atoms[k] = live.fresh(core.ShapedArray(() if rng.random() < 0.5 else (1,), dtype))
    else:
        atoms[k] = core.Literal(np.asarray(rng.choice((0, 1, 1, 2, 3))).astype(dtype)[()], core.ShapedArray((), dtype))
    return "literal-near", eqn.replace(invars=atoms)


def binder_near(rng, eqn, donors):
    if not eqn.outvars:
        return None
    k = rng.randrange(len(eqn.outvars))
    aval = retyped(rng, eqn.outvars[k].aval)
    if aval is None:
        return None
    return "binder-near", eqn.replace(outvars=[live.fresh(aval) if i == k else v for i, v in enumerate(eqn.outvars)])


def other_primitive(rng, eqn, donors):
    """Another primitive with the same parameter names."""
    keys = frozenset(eqn.params)
    found = [p for p in donors["<primitives>"].get(keys, ()) if p is not eqn.primitive and not p.name.lower().startswith("own")]
    if not found or "_prim" in keys:
        return None
    new = rng.choice(found)
    return "primitive-" + new.name, eqn.replace(primitive=new)


def indexer(rng, eqn, donors):
    """Another index of a ref: an axis more or less, another start, size or stride."""
    tree = next((eqn.params[k] for k in ("tree", "args_tree") if k in eqn.params), None)
    lead = {"get": 1, "swap": 2, "addupdate": 2}.get(eqn.primitive.name)
    if tree is None or lead is None:
        return None
    places = jax.tree_util.tree_unflatten(tree, list(eqn.invars[lead:]))
    if not places:
        return None
    k = rng.randrange(len(places))
    place = places[k]
    if not hasattr(place, "indices"):
        return None
    indices, shape, how = list(place.indices), place.shape, rng.choice(("drop", "more", "change", "change", "shape"))
    if not indices:
        return None
    i = rng.randrange(len(indices))
    if how == "drop":
        indices.pop(i)
    elif how == "more":
        indices.insert(i, indices[i])
    elif how == "shape":
        shape = tuple(near(rng, tuple(shape), {}, "shape") or ())
    elif hasattr(indices[i], "size"):
        field = rng.choice(("start", "size", "stride"))
        value = getattr(indices[i], field)
        if not isinstance(value, int):
            return None
        indices[i] = dataclasses.replace(indices[i], **{field: whole(rng, value)})
    else:
        value = rng.choice((-1, 0, 1, shape[i], shape[i] + 1))
        indices[i] = core.Literal(np.int32(value), core.ShapedArray((), np.dtype("int32")))
    new = dataclasses.replace(place, indices=tuple(indices), shape=shape)
    flat, tree = jax.tree_util.tree_flatten(tuple(places[:k]) + (new,) + tuple(places[k + 1 :]))
    key = "tree" if "tree" in eqn.params else "args_tree"
    return "indexer-" + how, eqn.replace(invars=list(eqn.invars[:lead]) + flat, params={**eqn.params, key: tree})


def receives(eqn, key, index, program):
    """Numbers (operand, argument) of equal types, paired from the end as calls pass them; slices of loops differ."""
    jaxpr = live.open_of(program)
    pairs = list(zip(reversed(range(len(eqn.invars))), reversed(range(len(jaxpr.invars)))))
    return [(i, k) for i, k in pairs if live.short(eqn.invars[i].aval) == live.short(jaxpr.invars[k].aval)]


def through(rng, eqn, donors):
    """An operand and the arguments of nested programs that receive it get another type: then a nested program is wrong,
    or a result, or nothing."""
    found = list(live.nested(eqn.params))
    pairs = found and receives(eqn, *found[0])
    if not pairs:
        return None
    i, _ = rng.choice(pairs)
    old = eqn.invars[i]
    aval = retyped(rng, old.aval)
    if aval is None or live.is_literal(old):
        return None
    for key, index, program in found:
        for at, k in receives(eqn, key, index, program):
            if at == i:
                jaxpr = live.open_of(program)
                inner, new = jaxpr.invars[k], live.fresh(aval)
                jaxpr = mutate.substitute(jaxpr, inner, new)
                args = [new if n == k else v for n, v in enumerate(jaxpr.invars)]
                eqn = live.with_nested(eqn, key, index, live.close_again(program, jaxpr.replace(invars=args)))
    new = live.fresh(aval)
    return "through", eqn.replace(invars=[new if n == i else a for n, a in enumerate(eqn.invars)])


def body_results(rng, eqn, donors):
    """A result of a nested program becomes another value of its scope, or a literal."""
    found = list(live.nested(eqn.params))
    if not found:
        return None
    key, index, program = rng.choice(found)
    jaxpr = live.open_of(program)
    if not jaxpr.outvars:
        return None
    outs, k = list(jaxpr.outvars), rng.randrange(len(jaxpr.outvars))
    if rng.random() < 0.2:
        outs[k] = core.Literal(np.float32(1), core.ShapedArray((), np.dtype("float32")))
    else:
        outs[k] = rng.choice(mutate.scope_at(jaxpr, len(jaxpr.eqns)) or [None])
    if outs[k] is None:
        return None
    return "body-result", live.with_nested(eqn, key, index, live.close_again(program, jaxpr.replace(outvars=outs)))


def body_changed(rng, eqn, donors):
    """One of the changes of `anywhere`, in a nested program."""
    found = [(key, i, p) for key, i, p in live.nested(eqn.params) if live.open_of(p).eqns]
    if not found:
        return None
    key, index, program = rng.choice(found)
    changed = anywhere(rng, live.open_of(program), donors)
    return changed and ("in-" + changed[0], live.with_nested(eqn, key, index, live.close_again(program, changed[1])))


# -- programs --------------------------------------------------------------------------------------------------------


def anywhere(rng, jaxpr, donors):
    """An equation of a program changes in one of the ways above, or the program does in one of those below."""
    if not jaxpr.eqns:
        return None
    if rng.random() < 0.35:
        return rng.choices([c for c, _ in PROGRAMS], [w for _, w in PROGRAMS])[0](rng, jaxpr, donors)
    i = rng.randrange(len(jaxpr.eqns))
    found = rng.choices([c for c, _ in EQUATIONS], [w for _, w in EQUATIONS])[0](rng, jaxpr.eqns[i], donors)
    if found is None:
        return None
    kind, eqn = found
    outs = dict(zip(jaxpr.eqns[i].outvars, eqn.outvars))
    jaxpr = mutate.put(jaxpr, i, eqn)
    for old, new in outs.items():
        jaxpr = jaxpr if old is new else mutate.substitute(jaxpr, old, new)
    return kind, jaxpr


def without(rng, jaxpr, donors):
    """An equation is left out, and its operands are read in the place of its results."""
    i = rng.randrange(len(jaxpr.eqns))
    eqn = jaxpr.eqns[i]
    atoms = [a for a in eqn.invars if not live.is_literal(a)]
    if not atoms or not eqn.outvars:
        return None
    new = jaxpr.replace(eqns=list(jaxpr.eqns[:i]) + list(jaxpr.eqns[i + 1 :]))
    for var in eqn.outvars:
        new = mutate.substitute(new, var, rng.choice(atoms))
    return "without-" + live.name_of(eqn), new


def captured(rng, jaxpr, donors):
    """A nested program reads a variable of the program around it."""
    found = [(i, key, index, p) for i, e in enumerate(jaxpr.eqns) for key, index, p in live.nested(e.params) if live.open_of(p).eqns]
    if not found:
        return None
    i, key, index, program = rng.choice(found)
    scope, inner = mutate.scope_at(jaxpr, i), live.open_of(program)
    k = rng.randrange(len(inner.eqns))
    atoms = list(inner.eqns[k].invars)
    if not atoms or not scope:
        return None
    at = rng.randrange(len(atoms))
    alike = [v for v in scope if live.short(v.aval) == live.short(atoms[at].aval)]
    atoms[at] = rng.choice(alike or scope)
    inner = mutate.put(inner, k, inner.eqns[k].replace(invars=atoms))
    return "captured", mutate.put(jaxpr, i, live.with_nested(jaxpr.eqns[i], key, index, live.close_again(program, inner)))


def escaped(rng, jaxpr, donors):
    """A variable that a nested program binds is read after it."""
    found = [(i, v) for i, e in enumerate(jaxpr.eqns) for _, _, p in live.nested(e.params) for x in live.open_of(p).eqns for v in x.outvars if not live.is_dropped(v)]
    if not found:
        return None
    i, var = rng.choice(found)
    uses = [(k, n) for k, e in enumerate(jaxpr.eqns) if k > i for n, a in enumerate(e.invars)]
    if not uses or rng.random() < 0.3:
        outs = list(jaxpr.outvars)
        if not outs:
            return None
        outs[rng.randrange(len(outs))] = var
        return "escaped", jaxpr.replace(outvars=outs)
    k, n = rng.choice(uses)
    atoms = list(jaxpr.eqns[k].invars)
    atoms[n] = var
    return "escaped", mutate.put(jaxpr, k, jaxpr.eqns[k].replace(invars=atoms))


def early(rng, jaxpr, donors):
    """An equation moves to the end, after the equations that read its results."""
    found = [i for i, e in enumerate(jaxpr.eqns[:-1]) if any(set(map(id, e.outvars)) & set(map(id, x.invars)) for x in jaxpr.eqns[i + 1 :])]
    if not found:
        return None
    eqns = list(jaxpr.eqns)
    eqns.append(eqns.pop(rng.choice(found)))
    return "early", jaxpr.replace(eqns=eqns)


def crossed(rng, jaxpr, donors):
    """Two equations exchange their operands, or an operand becomes another variable of the same rank."""
    i, k = rng.randrange(len(jaxpr.eqns)), rng.randrange(len(jaxpr.eqns))
    first, second = jaxpr.eqns[min(i, k)], jaxpr.eqns[max(i, k)]
    if i == k or len(first.invars) != len(second.invars):
        atoms = list(first.invars)
        if not atoms:
            return None
        n = rng.randrange(len(atoms))
        rank = len(getattr(atoms[n].aval, "shape", ()))
        alike = [v for v in mutate.scope_at(jaxpr, min(i, k)) if len(getattr(v.aval, "shape", ())) == rank and v is not atoms[n]]
        if not alike:
            return None
        atoms[n] = rng.choice(alike)
        return "operand-alike", mutate.put(jaxpr, min(i, k), first.replace(invars=atoms))
    return "crossed", mutate.put(mutate.put(jaxpr, min(i, k), first.replace(invars=second.invars)), max(i, k), second.replace(invars=first.invars))


def argument(rng, jaxpr, donors):
    """An argument or a constant gets another type in all its uses, or is bound twice."""
    part = "constvars" if jaxpr.constvars and rng.random() < 0.3 else "invars"
    binders = list(getattr(jaxpr, part))
    if not binders:
        return None
    k = rng.randrange(len(binders))
    old = binders[k]
    if rng.random() < 0.15:
        binders.append(old)
        return "bound-twice", jaxpr.replace(**{part: binders})
    aval = retyped(rng, old.aval)
    if aval is None:
        return None
    binders[k] = live.fresh(aval)
    return "argument-near", mutate.substitute(jaxpr.replace(**{part: binders}), old, binders[k])


def exchanged(rng, jaxpr, donors):
    """The nested programs of two equations change places."""
    found = [(i, key, index, p) for i, e in enumerate(jaxpr.eqns) for key, index, p in live.nested(e.params)]
    if len(found) < 2:
        return None
    (i, key, index, p), (k, key2, index2, p2) = rng.sample(found, 2)
    jaxpr = mutate.put(jaxpr, i, live.with_nested(jaxpr.eqns[i], key, index, p2))
    return "exchanged", mutate.put(jaxpr, k, live.with_nested(jaxpr.eqns[k], key2, index2, p))


EQUATIONS = [(value_near, 10), (two_values, 1), (operand_near, 5), (operands_alike, 2), (rotated, 2), (literal_near, 2)]
EQUATIONS += [(binder_near, 3), (other_primitive, 3), (indexer, 4), (through, 4), (body_results, 2), (body_changed, 4)]
PROGRAMS = [(without, 4), (captured, 3), (escaped, 1), (early, 1), (crossed, 4), (argument, 4), (exchanged, 1)]


def donate(jaxpr, donors):
    """Adds to `donors` what else the changes above draw from: axis names, and primitives by parameter names."""
    axes, primitives = donors.setdefault("<axis>", []), donors.setdefault("<primitives>", collections.defaultdict(list))
    for eqn in jaxpr.eqns:
        found = primitives[frozenset(eqn.params)]
        if eqn.primitive not in found:
            found.append(eqn.primitive)
        for key in ("axes", "axis_name", "axis", "axis_index_groups"):
            names = eqn.params.get(key)
            for name in (names,) if isinstance(names, str) else names if isinstance(names, tuple) else ():
                if isinstance(name, str) and name not in axes:
                    axes.append(name)
        for _, _, inner in live.nested(eqn.params):
            donate(live.open_of(inner), donors)
