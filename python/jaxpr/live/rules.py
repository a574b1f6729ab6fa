# SPDX-License-Identifier: Apache-2.0
"""Restores rules of custom derivatives and constants of jitted functions, which a text does not contain, from functions of modules.

A function of an imported module is used if it has the printed name and traces, with the types of the operands, to the equation
of the text: its program and the names of its rules print the same. Each different equation is traced once. The user may also
give rules.
"""

import itertools
import sys

from .parameters import Unbuildable
from .values import printed

PRIMITIVES = {"custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr"}
JITTED = {"jit", "pjit"}
MOST = 2  # the most operands for which all combinations of weak types and batched axes are tried
NUMBERS = 4  # the values that are tried for an argument that is not differentiated, from 0
WRAPPED = 4  # the most decorators, such as jit, that are removed


def functions(registry):
    """The custom_jvp, custom_vjp and jitted functions of the imported modules, as lists by name."""
    if registry.rules_of != len(sys.modules):
        registry.rules_of, registry.rules = len(sys.modules), {}
        names, seen = registry.names, set()
        kinds = (names.custom_jvp, names.custom_vjp, jitted(names))
        for _, module in sorted(sys.modules.items()):
            for value in list(getattr(module, "__dict__", {}).values()):
                for _ in range(WRAPPED):
                    if type(value) in kinds and id(value) not in seen:
                        seen.add(id(value))
                        registry.rules.setdefault(getattr(value, "__name__", ""), []).append(value)
                    value = vars(value).get("__wrapped__") if callable(value) and hasattr(type(value), "__dict__") and hasattr(value, "__dict__") else None
    return registry.rules


def known(builder, eqn):
    """The functions of modules that have the name that an equation prints; imports more of JAX's modules if there are none."""
    name, registry = eqn.field["params"].get("name"), builder.registry
    if eqn.name not in PRIMITIVES and eqn.name not in JITTED or not isinstance(name, str):
        return ()
    if name not in functions(registry):
        registry.grow()
    return [each for each in functions(registry).get(name, ()) if (type(each) is jitted(builder.names)) == (eqn.name in JITTED)]


def jitted(names):
    """The class of what jax.jit returns."""
    return type(names.jax.jit(lambda: None))


def constants(builder, eqn, program):
    """The constants of a module's jitted function that traces to the program of an equation; None if there is none."""
    if eqn is None or eqn.name not in JITTED:
        return None
    text = printed(str(program))
    key = eqn.name, eqn.field["params"].get("name"), text
    if key not in builder.restored:
        builder.restored[key] = None
        for traced in traces(builder, eqn, program.in_avals):
            found = traced.params.get("jaxpr")
            if found is not None and printed(str(found)) == text:
                builder.restored[key] = list(found.consts)
                break
    return builder.restored[key]


def restored(builder, eqn, params, atoms):
    """The parameters of a module's function that traces to the equation, with its rules; None if there is none."""
    key = eqn.name, str(eqn.field["params"]), tuple(map(str, eqn.ins)), builder.meshes[-1]
    if key not in builder.restored:
        builder.restored[key] = None
        text = alone(builder, eqn.primitive, params, atoms)
        for traced in traces(builder, eqn, eqn.ins):
            if printed(alone(builder, traced.primitive, traced.params, traced.invars)) == printed(text):
                builder.restored[key] = rules_in(traced)
                break
    return builder.restored[key]


def traces(builder, eqn, avals):
    """The equations to which the functions that `eqn` may call trace, for arguments of those types."""
    owns = [each for own in known(builder, eqn) for each in variants(own)]
    for own, (weak, axes) in itertools.product(owns, forms(avals)):
        try:
            yield trace(builder, eqn, builder.names.jax.vmap(own, axes) if any(each == 0 for each in axes) else own, avals, weak)
        except Exception:  # whatever a function raises for types it does not accept
            pass


def variants(own):
    """A function; if it has one argument that is not differentiated, which no text shows, also with small numbers for it."""
    at, *more = getattr(own, "nondiff_argnums", ()) or (None,)
    if at is None or more:
        return [own]
    return [own, *(lambda *args, number=number: own(*args[:at], number, *args[at:]) for number in range(NUMBERS))]


def forms(avals):
    """Combinations of what no text shows of a call, likely ones first: which operands have weak types, and which are batched along
    axis 0."""
    count = len(avals)
    if count > MOST:
        return [((False,) * count, ()), ((True,) * count, ())]
    weak = list(itertools.product((False, True), repeat=count))
    batched = list(itertools.product(*((None, 0) if getattr(each, "shape", ()) else (None,) for each in avals)))
    return itertools.chain(((each, ()) for each in weak), itertools.product(weak, batched[1:]))


def given(builder, eqn, params):
    """The parameters for the rules that the user gave, taken from a trace of a function that is defined with these rules."""
    jax, program, name = builder.names.jax, params["call_jaxpr"], eqn.field["params"].get("name", "f")
    own = builder.options.rules.get(name)
    if not hasattr(own, "defjvp") and not hasattr(own, "defvjp"):
        single = len(program.out_avals) == 1
        run = lambda *args: builder.names.core.jaxpr_as_fun(program)(*args)[0] if single else tuple(builder.names.core.jaxpr_as_fun(program)(*args))
        run.__name__ = name
        if "jvp" in eqn.rules:
            own = jax.custom_jvp(run)
            own.defjvp(eqn.rules["jvp"])
        elif {"fwd", "bwd"} <= set(eqn.rules):
            own = jax.custom_vjp(run)
            own.defvjp(eqn.rules["fwd"], eqn.rules["bwd"])
        else:
            raise Unbuildable("both the rules fwd and bwd must be given")
    return rules_in(trace(builder, eqn, own, program.in_avals))


def trace(builder, eqn, own, avals, weak=()):
    """The equation to which a call of a function traces; raises Unbuildable if there is none of this primitive."""
    jax = builder.names.jax
    weak = weak or (False,) * len(avals)
    plain = lambda aval: getattr(getattr(getattr(aval, "sharding", None), "mesh", None), "empty", True)
    shape = lambda aval, one: jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=one) if plain(aval) else aval.update(weak_type=one)
    made = jax.make_jaxpr(own)(*map(shape, avals, weak))
    for traced in getattr(made, "jaxpr", made).eqns:
        if traced.primitive.name == eqn.primitive.name:
            return traced
    raise Unbuildable(f"the rules of {getattr(own, '__name__', 'a function')} do not trace to a {eqn.name}")


def rules_in(eqn):
    """The parameters of a live equation except its program."""
    return {key: value for key, value in eqn.params.items() if key not in ("call_jaxpr", "fun_jaxpr")}


def alone(builder, primitive, params, atoms):
    """The text that JAX prints for a program that consists of one equation."""
    core, names = builder.names.core, builder.names
    program = params.get("call_jaxpr", params.get("fun_jaxpr"))
    ins, outs = ([builder.variable(each) for each in avals] for avals in ([each.aval for each in atoms], program.out_avals))
    made = core.new_jaxpr_eqn(ins, outs, primitive, params, set(), builder.source_info)
    return str(core.Jaxpr([], ins, outs, [made], set(), names.debug_info("alone", len(ins), len(outs))))
