# SPDX-License-Identifier: Apache-2.0
"""Wrong programs: one change to a live program, for JAX's own checker to judge.

One idea: each kind of change is a small function (rng, jaxpr) -> changed jaxpr or None, found by its name; a change
inside a nested program is the same function applied further in, and its kind is then `in-PRIMITIVE/KIND`. Everything
is drawn from a seeded generator, so that a recording is the same each time.
"""

import numpy as np

import jax.numpy as jnp
from jax.sharding import PartitionSpec
from jax._src import core

import live

DTYPES = [np.dtype(d) for d in ("float32", "float16", "int32", "bool", "uint8", "complex64")] + [np.dtype(jnp.bfloat16)]
UNARY = ["sin", "neg", "exp", "sign", "floor", "is_finite", "not", "population_count", "real", "sqrt", "abs"]
BINARY = ["add", "mul", "sub", "max", "and", "eq", "lt", "shift_left", "atan2", "rem", "pow", "complex"]
SKIPPED_KEYS = set(
    """bwd call_jaxpr callback ctx_mesh debug_info fwd fwd_jaxpr_thunk in_tree jvp jvp_jaxpr_fun jvp_jaxpr_thunk mesh name
name_and_src_info out_tree out_trees source_info tree""".split()
)
# primitives whose rule JAX applies in full, so that accepting a changed program is meaningful
THOROUGH = set(
    """neg sin cos tan exp log tanh sqrt rsqrt floor ceil round sign abs add sub mul div max min pow atan2 rem and or
xor not eq ne lt le gt ge select_n clamp integer_pow is_finite convert_element_type broadcast_in_dim reshape transpose
squeeze slice pad concatenate rev reduce_sum reduce_max reduce_min reduce_prod reduce_and reduce_or argmax argmin
cumsum cumprod cummax cummin dot_general iota sort exp2 log1p expm1 logistic erf real imag conj complex square""".split()
)
COMPLETE_KINDS = set(
    """invar-dtype invar-rank invar-shape literal-dtype operand-replace operand-swap param-is_stable param-weak_type
param-y primitive""".split()
)


def substitute(jaxpr, old, new, start=0):
    """Every use of `old` from equation `start` on becomes `new`."""
    change = lambda atoms: [new if a is old else a for a in atoms]
    eqns = [e if i < start else e.replace(invars=change(e.invars)) for i, e in enumerate(jaxpr.eqns)]
    return jaxpr.replace(eqns=eqns, outvars=change(jaxpr.outvars))


def put(jaxpr, i, eqn):
    return jaxpr.replace(eqns=list(jaxpr.eqns[:i]) + [eqn] + list(jaxpr.eqns[i + 1 :]))


def is_array(aval):
    return (
        type(aval) is core.ShapedArray
        and isinstance(aval.dtype, np.dtype)
        and all(isinstance(d, int) for d in aval.shape)
    )


def with_shape(aval, shape):
    try:
        return aval.update(shape=tuple(shape))
    except Exception:
        return core.ShapedArray(tuple(shape), aval.dtype)


def names_over(aval):
    """The mesh axes that shard each axis of an array, or None: ["x", None] for f32[8@x,4]."""
    spec = getattr(getattr(aval, "sharding", None), "spec", ())
    return (list(getattr(spec, "partitions", spec)) + [None] * len(aval.shape))[: len(aval.shape)]


def lies_on_mesh(jaxpr):
    variables = list(jaxpr.invars) + [v for e in jaxpr.eqns for v in e.outvars]
    return any(is_array(v.aval) and any(names_over(v.aval)) for v in variables)


def other_sharding(rng, aval):
    """`aval` with a mesh axis dropped, moved to another axis of the array, or added; None if that is impossible."""
    names = names_over(aval)
    sizes = dict(aval.sharding.mesh.shape) if any(names) else {}
    over = [i for i, name in enumerate(names) if name]
    free = [i for i, name in enumerate(names) if not name]
    others = [n for n in sizes if not any(n == name or n in (name or ()) for name in names)]
    how = rng.choice(("drop", "move", "put"))
    if how == "drop" and over:
        names[rng.choice(over)] = None
    elif how == "move" and over and free:
        i, k = rng.choice(over), rng.choice(free)
        names[i], names[k] = names[k], names[i]
    elif how == "put" and others and free:
        names[rng.choice(free)] = rng.choice(others)
    else:
        return None
    if any(isinstance(name, str) and size % sizes[name] for size, name in zip(aval.shape, names)):
        return None
    more = {key: getattr(aval.sharding.spec, key) for key in ("unreduced", "reduced") if getattr(aval.sharding.spec, key, None)}
    return aval.update(sharding=aval.sharding.update(spec=PartitionSpec(*names, **more)))


def other_type(rng, aval, how):
    """`aval` with another dtype, size, rank or sharding; None if that is impossible."""
    if not is_array(aval):
        return None
    if how == "sharding":
        return other_sharding(rng, aval)
    if how == "dtype":
        return aval.update(dtype=rng.choice([d for d in DTYPES if d != aval.dtype]), weak_type=False)
    shape = list(aval.shape)
    if how == "rank":
        if shape and rng.random() < 0.4:
            shape.pop(rng.randrange(len(shape)))
        else:
            shape.insert(rng.randrange(len(shape) + 1), rng.choice((1, 2)))
    elif shape:
        shape[rng.randrange(len(shape))] += rng.choice((1, 1, 2))
    else:
        return None
    return with_shape(aval, shape)


def pick_equation(rng, jaxpr, want=lambda e: True):
    found = [i for i, e in enumerate(jaxpr.eqns) if want(e)]
    return rng.choice(found) if found else None


def binder(how):
    def change(rng, jaxpr):
        i = pick_equation(rng, jaxpr, lambda e: any(is_array(v.aval) for v in e.outvars))
        if i is None:
            return None
        eqn = jaxpr.eqns[i]
        k = rng.choice([k for k, v in enumerate(eqn.outvars) if is_array(v.aval)])
        old, aval = eqn.outvars[k], other_type(rng, eqn.outvars[k].aval, how)
        if aval is None:
            return None
        new = live.drop(aval) if live.is_dropped(old) else live.fresh(aval)
        outs = list(eqn.outvars)
        outs[k] = new
        return substitute(put(jaxpr, i, eqn.replace(outvars=outs)), old, new)

    return change


def invar(how):
    def change(rng, jaxpr):
        found = [k for k, v in enumerate(jaxpr.invars) if is_array(v.aval)]
        if not found:
            return None
        k = rng.choice(found)
        aval = other_type(rng, jaxpr.invars[k].aval, how)
        if aval is None:
            return None
        old, new = jaxpr.invars[k], live.fresh(aval)
        args = list(jaxpr.invars)
        args[k] = new
        return substitute(jaxpr.replace(invars=args), old, new)

    return change


def scope_at(jaxpr, i):
    seen = list(jaxpr.constvars) + list(jaxpr.invars)
    for e in jaxpr.eqns[:i]:
        seen += [v for v in e.outvars if not live.is_dropped(v)]
    return seen


def change_operands(edit):
    def change(rng, jaxpr):
        i = pick_equation(rng, jaxpr, lambda e: e.invars)
        if i is None:
            return None
        atoms = edit(rng, list(jaxpr.eqns[i].invars), scope_at(jaxpr, i))
        return None if atoms is None else put(jaxpr, i, jaxpr.eqns[i].replace(invars=atoms))

    return change


def replace_operand(rng, atoms, scope):
    k = rng.randrange(len(atoms))
    others = [v for v in scope if v is not atoms[k]]
    if not others:
        return None
    atoms[k] = rng.choice(others)
    return atoms


def drop_operand(rng, atoms, scope):
    atoms.pop(rng.randrange(len(atoms)))
    return atoms


def repeat_operand(rng, atoms, scope):
    atoms.insert(rng.randrange(len(atoms) + 1), rng.choice(atoms))
    return atoms


def swap_operands(rng, atoms, scope):
    if len(atoms) < 2:
        return None
    i, k = rng.sample(range(len(atoms)), 2)
    atoms[i], atoms[k] = atoms[k], atoms[i]
    return atoms


def literal_dtype(rng, jaxpr):
    if live.version() < (0, 6, 1):  # literals are printed without their types, so the change would not show
        return None
    i = pick_equation(rng, jaxpr, lambda e: any(live.is_literal(a) and is_array(a.aval) for a in e.invars))
    if i is None:
        return None
    atoms = list(jaxpr.eqns[i].invars)
    k = rng.choice([k for k, a in enumerate(atoms) if live.is_literal(a) and is_array(a.aval)])
    dtype = rng.choice([d for d in DTYPES if d != atoms[k].aval.dtype and d.kind in "fiub"])
    value = np.asarray(atoms[k].val).real.astype(dtype)[()]
    atoms[k] = core.Literal(value, core.ShapedArray((), dtype))
    return put(jaxpr, i, jaxpr.eqns[i].replace(invars=atoms))


def primitive(rng, jaxpr):
    table = {1: UNARY, 2: BINARY}
    i = pick_equation(
        rng,
        jaxpr,
        lambda e: len(e.outvars) == 1 and len(e.invars) in table and not e.params or e.primitive.name in UNARY + BINARY,
    )
    if i is None or len(jaxpr.eqns[i].invars) not in table:
        return None
    from jax._src.lax import lax

    eqn = jaxpr.eqns[i]
    name = rng.choice([n for n in table[len(eqn.invars)] if n != eqn.primitive.name])
    prim = getattr(lax, {"and": "and_p", "not": "not_p"}.get(name, name + "_p"))
    params = {"accuracy": None} if name in ("sin", "exp", "sqrt") and live.version() >= (0, 6) else {}
    return put(jaxpr, i, eqn.replace(primitive=prim, params=params))


def result_drop(rng, jaxpr):
    i = pick_equation(rng, jaxpr, lambda e: e.outvars)
    if i is None:
        return None
    outs = list(jaxpr.eqns[i].outvars)
    outs.pop(rng.randrange(len(outs)))
    return put(jaxpr, i, jaxpr.eqns[i].replace(outvars=outs))


def result_extra(rng, jaxpr):
    i = pick_equation(rng, jaxpr, lambda e: e.outvars)
    if i is None:
        return None
    outs = list(jaxpr.eqns[i].outvars)
    return put(jaxpr, i, jaxpr.eqns[i].replace(outvars=outs + [live.fresh(outs[0].aval)]))


def out_unbound(rng, jaxpr):
    found = [k for k, a in enumerate(jaxpr.outvars) if not live.is_literal(a)]
    if not found:
        return None
    outs = list(jaxpr.outvars)
    k = rng.choice(found)
    outs[k] = live.fresh(outs[k].aval)
    return jaxpr.replace(outvars=outs)


def rebind(rng, jaxpr):
    i = pick_equation(rng, jaxpr, lambda e: any(not live.is_dropped(v) for v in e.outvars))
    if i is None:
        return None
    eqn = jaxpr.eqns[i]
    old = rng.choice([v for v in eqn.outvars if not live.is_dropped(v)])
    same = [v for v in scope_at(jaxpr, i) if live.short(v.aval) == live.short(old.aval)]
    if not same:
        return None
    new = rng.choice(same)
    return substitute(
        put(jaxpr, i, eqn.replace(outvars=[new if v is old else v for v in eqn.outvars])), old, new, i + 1
    )


def order(rng, jaxpr):
    pairs = [
        (i, k)
        for k, e in enumerate(jaxpr.eqns)
        for i in range(k)
        if set(map(id, jaxpr.eqns[i].outvars)) & set(map(id, e.invars))
    ]
    if not pairs:
        return None
    i, k = rng.choice(pairs)
    eqns = list(jaxpr.eqns)
    eqns.insert(i, eqns.pop(k))
    return jaxpr.replace(eqns=eqns)


def other_spec(rng, spec):
    """A PartitionSpec with one entry dropped, moved to the next axis, or repeated there; None if it names no axis."""
    names = list(spec)
    over = [i for i, name in enumerate(names) if name]
    if not over:
        return None
    i, how = rng.choice(over), rng.choice(("drop", "move", "double"))
    name, names[i] = names[i], names[i] if how == "double" else None
    if how != "drop":
        names[i + 1 : i + 1] = [] if i + 1 < len(names) else [None]
        names[i + 1] = name
    return PartitionSpec(*names)


def other_names(rng, names):
    """The same for the dict of axis to names that specs were up to 0.6: {0: ('x',)}."""
    spec = [names.get(i) for i in range(max(names, default=-1) + 1)]
    spec = other_spec(rng, spec)
    lists = lambda name: (name,) if isinstance(name, str) else tuple(name)
    return None if spec is None else {i: lists(name) for i, name in enumerate(spec) if name}


def other_value(rng, value):
    """A value near `value` of the same kind; None if its kind is unknown."""
    if value is None or isinstance(value, str):
        return None
    if isinstance(value, PartitionSpec):
        return other_spec(rng, value)
    if isinstance(value, dict) and value and all(isinstance(k, int) for k in value):
        return other_names(rng, value)
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, np.integer)):
        return type(value)(value + rng.choice((1, 1, -1, 2)))
    if isinstance(value, float):
        return value + 1.0
    if isinstance(value, np.dtype):
        return rng.choice([d for d in DTYPES if d != value])
    if isinstance(value, (tuple, list)):
        items = list(value)
        how = rng.choice(("change", "change", "drop", "repeat", "swap"))
        if not items:
            return type(value)([0]) if type(value) in (tuple, list) else None
        k = rng.randrange(len(items))
        if hasattr(value, "_replace") or how == "change":
            items[k] = other_value(rng, items[k])
            if items[k] is None:
                return None
        elif how == "drop":
            items.pop(k)
        elif how == "repeat":
            items.insert(k, items[k])
        else:
            items.reverse()
        return type(value)(*items) if hasattr(value, "_replace") else type(value)(items)
    if isinstance(value, core.ShapedArray):
        return other_type(rng, value, rng.choice(("dtype", "shape", "rank")))
    if type(value).__name__ in ("GatherDimensionNumbers", "ScatterDimensionNumbers", "ConvDimensionNumbers"):
        fields = dict(vars(value)) if hasattr(value, "__dict__") else value._asdict()
        key = rng.choice(sorted(fields))
        fields[key] = other_value(rng, fields[key])
        return None if fields[key] is None else type(value)(**fields)
    return None


def parameter(rng, jaxpr):
    """The changed program and the key of the parameter, which becomes part of the kind; or None."""
    i = pick_equation(rng, jaxpr, lambda e: set(e.params) - SKIPPED_KEYS)
    if i is None:
        return None
    eqn = jaxpr.eqns[i]
    key = rng.choice(sorted(set(eqn.params) - SKIPPED_KEYS))
    value = eqn.params[key]
    if live.is_program(value):
        return None
    new = other_value(rng, value)
    if new is None:
        return None
    return put(jaxpr, i, eqn.replace(params={**eqn.params, key: new})), key


def specs(rng, jaxpr):
    """Another spec of an operand or, more often, a result of a shard_map: the changed program and the key, or None."""
    i = pick_equation(rng, jaxpr, lambda e: e.primitive.name == "shard_map")
    if i is None:
        return None
    params = jaxpr.eqns[i].params
    key = rng.choice([k for k in ("in_specs", "in_names", "out_specs", "out_names", "out_specs", "out_names") if k in params])
    new = other_value(rng, params[key])
    return None if new is None else (put(jaxpr, i, jaxpr.eqns[i].replace(params={**params, key: new})), key)


KINDS = {
    "binder-dtype": binder("dtype"),
    "binder-shape": binder("shape"),
    "binder-rank": binder("rank"),
    "invar-dtype": invar("dtype"),
    "invar-shape": invar("shape"),
    "invar-rank": invar("rank"),
    "operand-replace": change_operands(replace_operand),
    "operand-drop": change_operands(drop_operand),
    "operand-dup": change_operands(repeat_operand),
    "operand-swap": change_operands(swap_operands),
    "literal-dtype": literal_dtype,
    "primitive": primitive,
    "result-drop": result_drop,
    "result-extra": result_extra,
    "out-unbound": out_unbound,
    "rebind": rebind,
    "order": order,
    "param": parameter,
}
# drawn only if types contain axes of the mesh, so that the recorded changes of other programs stay the same
ON_MESH = {"binder-sharding": binder("sharding"), "invar-sharding": invar("sharding")}
# the same for programs with a shard_map
ON_SHARDS = {"specs": specs}
WEIGHTS = {"specs": 8, "binder-sharding": 8, "invar-sharding": 8, "param": 6, "binder-dtype": 2, "binder-shape": 2, "operand-replace": 2, "out-unbound": 0.4, "rebind": 0.5}


def change_once(rng, jaxpr):
    """One change, outermost or further in: (kind, changed program) or None."""
    inner = [
        (i, key, index, program) for i, e in enumerate(jaxpr.eqns) for key, index, program in live.nested(e.params)
    ]
    if inner and rng.random() < 0.4:
        i, key, index, program = rng.choice(inner)
        found = change_once(rng, live.open_of(program))
        if found is None:
            return None
        kind, changed = found
        eqn = jaxpr.eqns[i]
        return "in-%s/%s" % (live.name_of(eqn), kind), put(
            jaxpr, i, live.with_nested(eqn, key, index, live.close_again(program, changed))
        )
    kinds = {**KINDS, **ON_MESH} if lies_on_mesh(jaxpr) else KINDS
    if any(e.primitive.name == "shard_map" for e in jaxpr.eqns):
        kinds = {**kinds, **ON_SHARDS}
    kind = rng.choices(list(kinds), [WEIGHTS.get(k, 1) for k in kinds])[0]
    changed = kinds[kind](rng, jaxpr)
    if changed is None:
        return None
    return ("param-" + changed[1], changed[0]) if kind in ("param", "specs") else (kind, changed)


def is_thorough(jaxpr):
    """Whether JAX applies a full rule to every equation, so that what it accepts is right; before 0.5 many elementwise
    primitives took operands of different dtypes (naryop without require_same_dtypes, jax/_src/lax/lax.py)."""
    return live.version() >= (0, 5) and all(e.primitive.name in THOROUGH and not e.effects for e in jaxpr.eqns)


def mutants(rng, closed, base_text, wanted):
    """Yields up to `wanted` changed programs with JAX's verdict, as rows without their base."""
    jaxpr, seen, n = live.open_of(closed), {base_text}, 0
    alone = live.text(live.unshared(jaxpr))
    for _ in range(wanted * 4):
        if n == wanted or not jaxpr.eqns:
            return
        try:
            found = change_once(rng, jaxpr)
            printed = live.text(found[1]) if found else base_text
        except Exception:  # the change cannot be built or JAX cannot print it
            continue
        if printed in seen:
            continue
        seen.add(printed)
        kind, changed = found
        # the program is equal if the parameter is not printed and only stops a nested program from being shared
        if "param-" in kind and live.text(live.unshared(changed)) == alone:
            continue
        good, message, named = live.judge(changed)
        if good is None:
            continue
        row = dict(
            n=n,
            kind=kind,
            verdict="ok" if good else "error",
            complete=good and kind in COMPLETE_KINDS and is_thorough(changed),
            msg=message,
        )
        if (
            named
            and kind.startswith("binder-")
            and any(
                l.strip().startswith(named[0].split(" = ")[0] + " =") or (" " + named[0].split(" = ")[0] + " = ") in l
                for l in printed.split("\n")
            )
        ):
            row.update(equation=named[0], equation_lines=named[1])
        row["text"] = printed
        n += 1
        yield row
