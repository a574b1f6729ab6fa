# SPDX-License-Identifier: Apache-2.0
"""Finds arguments of a program that must have a weak type, which JAX does not print: those that an equation converts to their own
type.

JAX omits a conversion that changes nothing, so the operand of a printed one was weakly typed; and a result is weakly typed if all
operands of its equation are. One pass from the end of each program to its start."""

import numpy as np

from .versions import CALLED


def weak(jaxpr, results=()):
    """The indices of the arguments of a program that must be weakly typed; `results` are the indices of results that must be."""
    opened = getattr(jaxpr, "jaxpr", jaxpr)
    marked = {id(opened.outvars[at]) for at in results}
    for eqn in reversed(opened.eqns):
        for atom in wanted(eqn, [at for at, each in enumerate(eqn.outvars) if id(each) in marked]):
            marked.add(id(atom))
    return [at for at, each in enumerate(opened.invars) if id(each) in marked]


def wanted(eqn, results):
    """The operands of an equation that must be weakly typed if the results with these indices are, or if it is a conversion to its
    operand's type."""
    ins = eqn.invars
    inner = next((eqn.params[key] for key in CALLED if hasattr(eqn.params.get(key), "in_avals") and len(eqn.params[key].in_avals) == len(ins)), None)
    if inner is not None:
        return [ins[at] for at in weak(inner, results)]
    if eqn.primitive.name == "convert_element_type" and not eqn.params["weak_type"]:
        return ins if converts_nothing(eqn) else []
    kinds = {dtype(eqn.outvars[at]) for at in results}
    compared = kinds == {np.dtype(bool)} and len({dtype(each) for each in ins}) == 1
    return [each for each in ins if not hasattr(each, "val") and (compared or dtype(each) in kinds)]


def converts_nothing(eqn):
    """Whether a conversion is to the element type of its operand."""
    return dtype(eqn.invars[0]) == eqn.params["new_dtype"] and eqn.params.get("sharding") is None


def dtype(atom):
    return getattr(atom.aval, "dtype", None)
