# SPDX-License-Identifier: Apache-2.0
"""Rules of custom derivatives, of which a text shows names: those that the user gave, and those of functions that modules have.

A function of an imported module is taken where it has the printed name and traces, at the types of the operands, to the very
equation of the text: its program and the names of its rules print alike. Each such equation is traced once.
"""

import itertools
import sys

from .parameters import Unbuildable
from .values import printed

PRIMITIVES = {"custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr"}
MOST = 2  # how many operands may be tried as those of one kind
WRAPPED = 4  # how many decorators, such as jit, are removed


def functions(registry):
    """The custom_jvp and custom_vjp functions of the modules that are imported, in lists by name."""
    if registry.rules_of != len(sys.modules):
        registry.rules_of, registry.rules = len(sys.modules), {}
        kinds, seen = (registry.names.custom_jvp, registry.names.custom_vjp), set()
        for _, module in sorted(sys.modules.items()):
            for value in list(getattr(module, "__dict__", {}).values()):
                for _ in range(WRAPPED):
                    if type(value) in kinds and id(value) not in seen:
                        seen.add(id(value))
                        registry.rules.setdefault(value.__name__, []).append(value)
                    value = vars(value).get("__wrapped__") if callable(value) and hasattr(type(value), "__dict__") and hasattr(value, "__dict__") else None
    return registry.rules


def known(builder, eqn):
    """The functions that may be the one of an equation, JAX's own modules imported."""
    name, registry = eqn.field["params"].get("name"), builder.registry
    if eqn.name not in PRIMITIVES or not isinstance(name, str):
        return ()
    if name not in functions(registry):
        registry.grow()
    return functions(registry).get(name, ())


def restored(builder, eqn, params, atoms):
    """The parameters for the rules of the function that the equation calls; None where no module has it."""
    key = eqn.name, str(eqn.field["params"]), tuple(map(str, eqn.ins)), builder.meshes[-1]
    if key not in builder.restored:
        builder.restored[key] = None
        text = alone(builder, eqn.primitive, params, atoms)
        for own, (weak, axes) in itertools.product(known(builder, eqn), forms(eqn.ins)):
            try:
                traced = trace(builder, eqn, builder.names.jax.vmap(own, axes) if any(each == 0 for each in axes) else own, eqn.ins, weak)
            except Exception:  # whatever a function raises for types it does not accept
                continue
            if printed(alone(builder, traced.primitive, traced.params, traced.invars)) == printed(text):
                builder.restored[key] = rules_in(traced)
                break
    return builder.restored[key]


def forms(avals):
    """What no text shows of a call, likely ones first: which operands have weak types, and which are batched along axis 0."""
    count = len(avals)
    if count > MOST:
        return [((False,) * count, ()), ((True,) * count, ())]
    weak = list(itertools.product((False, True), repeat=count))
    batched = list(itertools.product(*((None, 0) if getattr(each, "shape", ()) else (None,) for each in avals)))
    return itertools.chain(((each, ()) for each in weak), itertools.product(weak, batched[1:]))


def given(builder, eqn, params):
    """The parameters for the rules that the user gave: those of the same function, defined with them and traced."""
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
    """The equation that calling a function makes."""
    jax = builder.names.jax
    weak = weak or (False,) * len(avals)
    made = jax.make_jaxpr(own)(*(jax.ShapeDtypeStruct(each.shape, each.dtype, weak_type=one) for each, one in zip(avals, weak)))
    for traced in getattr(made, "jaxpr", made).eqns:
        if traced.primitive.name == eqn.primitive.name:
            return traced
    raise Unbuildable(f"the rules of {getattr(own, '__name__', 'a function')} do not trace to a {eqn.name}")


def rules_in(eqn):
    """The parameters of a live equation but for its program."""
    return {key: value for key, value in eqn.params.items() if key not in ("call_jaxpr", "fun_jaxpr")}


def alone(builder, primitive, params, atoms):
    """What JAX prints for a program of one equation."""
    core, names = builder.names.core, builder.names
    program = params.get("call_jaxpr", params.get("fun_jaxpr"))
    ins, outs = ([builder.variable(each) for each in avals] for avals in ([each.aval for each in atoms], program.out_avals))
    made = core.new_jaxpr_eqn(ins, outs, primitive, params, set(), builder.source_info)
    return str(core.Jaxpr([], ins, outs, [made], set(), names.debug_info("alone", len(ins), len(outs))))
