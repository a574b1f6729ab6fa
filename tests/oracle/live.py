# SPDX-License-Identifier: Apache-2.0
"""Live Jaxpr objects of any JAX version: reading, rebuilding, printing, judging.

One idea: what differs between versions of JAX's private interface is here, so that a release that moves a name breaks
one small function. Runs inside a venv with JAX; costs are those of JAX itself.
"""

import collections
import hashlib
import itertools
import re

import jax
import jax.experimental
import numpy as np
from jax._src import core
from jax._src.interpreters import partial_eval as pe

CLOSED = (core.ClosedJaxpr,) if hasattr(core, "ClosedJaxpr") else ()
ALIASES = {"pjit": "jit", "custom_vjp_call_jaxpr": "custom_vjp_call", "psum2": "psum", "psum_invariant": "psum"}
HIDDEN_EFFECTS = re.compile("effects do not match|effect not present|JaxprInputEffect|input effect", re.I)


def version():
    return tuple(int(n) for n in re.findall(r"\d+", jax.__version__)[:3])


def is_program(value):
    return isinstance(value, (core.Jaxpr,) + CLOSED)


def open_of(value):
    """The open Jaxpr of a closed one; from 0.11 on the two are one class."""
    return value.jaxpr if CLOSED and isinstance(value, CLOSED) else value


def close_again(like, opened):
    """`opened`, closed with the constants of `like` if that is closed."""
    return like.replace(jaxpr=opened) if CLOSED and isinstance(like, CLOSED) else opened


def parameters(eqn):
    """An equation's parameters as printed: from 0.12 on, a hijax primitive holds its own in `_prim`."""
    own = eqn.params.get("_prim")
    if own is None or version() < (0, 12):
        return eqn.params
    shown = {k: v for k, v in getattr(own, "params", {}).items() if not k.startswith("_")}
    return {k: v.jaxpr if type(v).__name__ == "Traced" else v for k, v in shown.items()}


def nested(params):
    """Yields (key, index, program) for programs in parameters; index is None outside a tuple or list."""
    for key in sorted(params):
        value = params[key]
        if is_program(value):
            yield key, None, value
        elif isinstance(value, (tuple, list)):
            for i, item in enumerate(value):
                if is_program(item):
                    yield key, i, item


def with_nested(eqn, key, index, new):
    """The equation with one nested program replaced."""
    if index is None:
        return eqn.replace(params={**eqn.params, key: new})
    items = list(eqn.params[key])
    items[index] = new
    return eqn.replace(params={**eqn.params, key: type(eqn.params[key])(items)})


def fresh(aval):
    return core.gensym()(aval)


def drop(aval):
    return core.DropVar(aval)


def debug_info(args, outs):
    if version() < (0, 6):
        return {}
    try:
        info = core.DebugInfo("equation", None, ("a",) * len(args), ("",) * len(outs))
    except Exception:
        return {}
    return {"debug_info": info}


def renewed(jaxpr, args, outs):
    """`jaxpr` with other arguments and results, and debug info that fits them."""
    return jaxpr.replace(invars=args, outvars=outs, **debug_info(args, outs))


def computed(eqn):
    """The equation with the results that JAX computes for it, or None if its rule does not return them. Raises what JAX
    raises if it rejects the operands."""
    avals = [a.aval for a in eqn.invars]
    prim = eqn.primitive
    rule = getattr(core, "custom_typechecks", {}).get(prim)
    if rule:
        context = lambda: (core.JaxprPpContext(), core.JaxprPpSettings())
        found = rule(context, *eqn.invars, **eqn.params)
    else:
        found = prim.abstract_eval(*avals, **eqn.params)
    if not (isinstance(found, tuple) and len(found) == 2):
        return None
    outs, effects = found
    outs = list(outs) if isinstance(outs, (list, tuple)) else [outs]
    return eqn.replace(outvars=[fresh(a) for a in outs], effects=effects)


def is_literal(atom):
    return isinstance(atom, core.Literal)


def is_dropped(var):
    return isinstance(var, core.DropVar)


def text(jaxpr, **how):
    """JAX's print, with the digits of addresses replaced by zeros, so that each run records the same. From 0.10.1 on
    JAX itself replaces some by X, so that X would hide which are its own."""
    printed = str(jaxpr) if not how else jaxpr.pretty_print(use_color=False, **how)
    return re.sub(r"0x([0-9a-f]{6,})", lambda m: "0x" + "0" * len(m[1]), printed)


def judge(jaxpr):
    """JAX's verdict: (True, "", None); (False, message, place); or (None, message, None) if it rejects what the print
    does not show. `place` is (first printed line of the equation that JAX names, number of lines after it), or None."""
    try:
        core.check_jaxpr(open_of(jaxpr))
        return True, "", None
    except Exception as error:
        whole = "%s: %s" % (type(error).__name__, error)
    if HIDDEN_EFFECTS.search(whole):
        return None, whole, None
    message = whole.split("\n\nin equation:")[0].split("\n\nwhile checking")[0]
    places = re.findall(r"in equation:\n\n(.*?)\n\nfrom source", whole, re.S)
    named = (places[0].split("\n")[0], places[0].count("\n")) if len(places) == 1 else None
    message = re.sub(r"Var\(id=\d+\)", "Var(id=..)", message)  # ids are addresses too
    return False, re.sub(r"0x[0-9a-f]{6,}", "0x..", message)[:600], named


def with_literals(jaxpr, change, count=None):
    """The program with each of its scalar literals n, nested ones included, replaced by change(n, literal)."""
    count = count or iter(range(1 << 30))
    atom = lambda a: change(next(count), a) if is_literal(a) and not getattr(a.aval, "shape", (0,)) else a
    eqns = []
    for eqn in jaxpr.eqns:
        eqn = eqn.replace(invars=[atom(a) for a in eqn.invars])
        for key, index, inner in list(nested(eqn.params)):
            eqn = with_nested(eqn, key, index, close_again(inner, with_literals(open_of(inner), change, count)))
        eqns.append(eqn)
    return jaxpr.replace(eqns=eqns, outvars=[atom(a) for a in jaxpr.outvars])


def unpointed(printed, dtype):
    """The text without the `.0` of numbers if this is a small float, whose numbers old versions of ml_dtypes print so."""
    return re.sub(r"(?<=\d)\.0\b", "", printed) if dtype.kind == "V" or dtype.name.startswith(("bf", "float8")) else printed


def same_text(jaxpr):
    """Yields programs that print the same text: with literals of another type, where JAX prints no types of literals."""
    literals, types, todo, printed = [], {}, [jaxpr], text(jaxpr)
    with_literals(jaxpr, lambda n, old: literals.append(n) or types.update({old.aval.dtype: True}) or old)
    types.update({np.dtype("int32"): True, np.dtype("float32"): True})
    while todo and literals:
        inner = todo.pop()
        todo += [open_of(each) for eqn in inner.eqns for _, _, each in nested(eqn.params)]
        for var in list(inner.invars) + [v for eqn in inner.eqns for v in eqn.outvars]:
            if isinstance(getattr(var.aval, "dtype", None), np.dtype):
                types[var.aval.dtype] = True
    for dtype in types:
        other = lambda old: core.Literal(np.asarray(old.val).astype(dtype)[()], core.ShapedArray((), dtype))
        for only in [set(literals)] + [{n} for n in literals] * (1 < len(literals) < 9):
            try:
                changed = with_literals(jaxpr, lambda n, old: other(old) if n in only else old)
                if unpointed(text(changed), dtype) == unpointed(printed, dtype):
                    yield changed
            except Exception:  # no such literal can be made
                continue


def accepted_alike(jaxpr):
    """Whether JAX accepts a program that prints the same text as this one, or accepts this one with 64-bit types."""
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        return any(judge(each)[0] for each in itertools.chain((jaxpr,), same_text(jaxpr)))


def name_of(eqn):
    """The primitive's name as printed."""
    if "_prim" in eqn.params and version() >= (0, 12):
        return type(eqn.params["_prim"]).__name__ + (".linearized" if eqn.primitive.name.endswith("linearized") else "")
    name = eqn.primitive.name
    return "jit" if name == "pjit" and version() >= (0, 7) else name


def count(jaxpr, into=None):
    """How often each primitive occurs, nested programs in parameters (tuples and lists included) counted too."""
    into = collections.Counter() if into is None else into
    for eqn in open_of(jaxpr).eqns:
        into[name_of(eqn)] += 1
        for _, _, inner in nested(parameters(eqn)):
            count(inner, into)
    return into


def short(aval):
    try:
        return aval.str_short(short_dtypes=True)
    except TypeError:
        return aval.str_short()


def fingerprint(jaxpr):
    """A digest of primitives, types and dataflow in order, equal when two versions traced the same equations."""
    lines = []

    def walk(jaxpr):
        number = {}
        name = lambda v: number.setdefault(v, len(number))
        opened = open_of(jaxpr)
        lines.append("%s;%s" % ([short(v.aval) for v in opened.constvars], [short(v.aval) for v in opened.invars]))
        for v in list(opened.constvars) + list(opened.invars):
            name(v)
        for eqn in opened.eqns:
            prim = ALIASES.get(name_of(eqn), name_of(eqn))
            operands = [str(a.val) if is_literal(a) else name(a) for a in eqn.invars]
            lines.append("%s %s %s" % (prim, operands, [short(v.aval) for v in eqn.outvars]))
            for v in eqn.outvars:
                name(v)
            for _, _, inner in nested(parameters(eqn)):
                walk(inner)
        lines.append("out %s" % [str(a.val) if is_literal(a) else name(a) for a in opened.outvars])

    walk(jaxpr)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


# -- other prints and JAX's own rewrites -----------------------------------------------------------------------------

ORDERED = {"rng_uniform", "infeed", "outfeed", "create_token", "get", "swap", "addupdate", "freeze"}


def is_ordered(eqn):
    """Whether the equation must keep its order among all such equations: it has effects, refs, no results, or a
    primitive that is not JAX's."""
    return (
        bool(eqn.effects)
        or eqn.primitive.name in ORDERED
        or eqn.primitive.name.startswith("own")
        or not eqn.outvars
        or any("Ref" in type(a.aval).__name__ for a in list(eqn.invars) + list(eqn.outvars))
        or any(is_ordered(e) for _, _, inner in nested(parameters(eqn)) for e in open_of(inner).eqns)
    )


def shuffled(rng, closed):
    """The same program with its outermost equations in another order that respects dataflow and effects."""
    jaxpr = open_of(closed)
    eqns = list(jaxpr.eqns)
    maker = {v: i for i, e in enumerate(eqns) for v in e.outvars}
    needs = [{maker[a] for a in e.invars if not is_literal(a) and a in maker} for e in eqns]
    last = None
    for i, e in enumerate(eqns):
        if is_ordered(e):
            if last is not None:
                needs[i].add(last)
            last = i
    order, left = [], set(range(len(eqns)))
    while left:
        ready = sorted(i for i in left if not needs[i] & left)
        pick = rng.choice(ready)
        order.append(pick)
        left.remove(pick)
    return close_again(closed, jaxpr.replace(eqns=[eqns[i] for i in order]))


def unshared(closed):
    """The same program with every nested program a separate object, so that none prints as a shared `let`."""

    def rebuild(closed):
        jaxpr = open_of(closed)
        eqns = []
        for eqn in jaxpr.eqns:
            for key, index, _ in list(nested(eqn.params)):
                value = eqn.params[key] if index is None else eqn.params[key][index]
                eqn = with_nested(eqn, key, index, rebuild(value))
            eqns.append(eqn)
        return close_again(closed, jaxpr.replace(eqns=eqns))

    return rebuild(closed)


def converted_constants(closed):
    jaxpr = open_of(closed)
    return pe.convert_constvars_jaxpr(jaxpr) if jaxpr.constvars else None


def without_dead_code(closed):
    jaxpr = open_of(closed)
    return pe.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)[0]  # all arguments stay
