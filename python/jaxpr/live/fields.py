# SPDX-License-Identifier: Apache-2.0
"""The output of `jaxpr json` for a program, and facts about the whole program that are needed before it is built."""

import ctypes
import json
import re

from .. import _library as c
from .._findings import raise_errors
from .._source import source
from . import values
from .parameters import Unbuildable


def vary_axes(text, letter):
    """The axes of a letter in `{V:(x,y), U_min:z}`; JAX before 0.8 prints those of V as `{x,y}`."""
    if ":" not in (text or ":"):
        return frozenset(each.strip() for each in text.strip("{}").split(",")) if letter == "V" else frozenset()
    match = re.search(letter + r"(?:_\w+)?:(\([^)]*\)|[^,}\s]+)", text or "")
    return frozenset(each.strip() for each in match.group(1).strip("()").split(",") if each.strip()) if match else frozenset()


def unreduced_kind(text):
    """`min` for `{U_min:z}`; None if no word is printed, as for sums."""
    match = re.search(r"U_(\w+):", text or "")
    return match.group(1) if match else None


def walk(field):
    stack = [field]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            yield each
            stack.extend(each.values())
        elif isinstance(each, list):
            stack.extend(each)


def symbols(field):
    """The symbols in symbolic sizes of types."""
    out = set()
    for each in walk(field):
        if isinstance(each.get("shape"), list):
            for size in each["shape"]:
                out.update(re.findall(r"[A-Za-z_]\w*", size) if isinstance(size, str) else ())
    return out - {"floordiv", "mod", "max", "min"}


def sharded(field):
    """The mesh axes that types name in shardings, or arguments of the whole program as reduced or unreduced."""
    out = set()
    for each in field["jaxpr"]["invars"]:
        out |= vary_axes(each.get("vary"), "U") | vary_axes(each.get("vary"), "R")
    for each in walk(field):
        if isinstance(each.get("sharding"), list):
            for axes in each["sharding"]:
                out.update(part.strip() for part in (axes or "").strip("()").split(",") if part.strip())
    return out


def varying(field):
    """The mesh axes along which values of the whole program vary: the program was printed inside a shard_map over these axes."""
    program = field["jaxpr"]
    binders = [*program["constvars"], *program["invars"], *(each for eqn in program["equations"] for each in eqn["outvars"])]
    return set().union(*(vary_axes(each.get("vary"), "V") for each in binders))


def printed_meshes(field):
    """The meshes in parameters, as Calls."""
    for each in walk(field):
        for value in (each.get("params") or {}).values():
            if isinstance(value, str) and "Mesh(" in value:
                yield from calls(values.parse(value), ("Mesh", "AbstractMesh"))


def calls(value, wanted):
    if isinstance(value, values.Call):
        if value.name in wanted:
            yield value
        value = value.positional + tuple(each for _, each in value.named)
    if isinstance(value, (tuple, list, frozenset)) and not isinstance(value, values.Name):
        for each in value:
            yield from calls(each, wanted)


def fields_of(x):
    """The objects of jaxpr-json(5), one for each program of `x`: text, a file or a live object."""
    module = source(x).read()
    written = c.write(c.lib.jx_write_json, module.handle, ctypes.byref(ctypes.c_bool(True)), context=module.context)
    raise_errors(module)
    return json.loads("[" + written.decode("utf-8", "replace") + "]")


def type_fields(text):
    """The fields of a type as `jaxpr json` prints them."""
    found = fields_of(f"{{ lambda ; a:{text}. let  in () }}")
    if len(found) != 1 or not found[0].get("jaxpr"):
        raise Unbuildable(f"type {text}")
    return found[0]["jaxpr"]["invars"][0]
