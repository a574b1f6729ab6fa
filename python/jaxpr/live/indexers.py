# SPDX-License-Identifier: Apache-2.0
"""Reads and writes of refs, for which JAX prints an index: `b <- r[i:i+4,0]`, `r[...] += v`.

The index becomes the tree of indexers that the primitive takes; its variables become further operands.
"""

import re

import numpy as np

from .parameters import Unbuildable

PART = re.compile(r"[^,]+")


def split(text):
    """`[a:a+4,0][...]` as ["a:a+4,0", "..."]."""
    out, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char == "[":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif char == "]":
            depth -= 1
            if not depth:
                out.append(text[start:at])
        elif not depth:
            raise Unbuildable(f"index {text}")
    if depth:
        raise Unbuildable(f"index {text}")
    return out


def index(builder, text, shape, scope):
    """The indexer that a text denotes for an array of `shape`; None for `...`, which is not an indexer."""
    if text == "...":
        return None
    indexing = builder.names.indexing
    parts = [each.strip() for each in text.split(",")] if text.strip() else []
    if len(parts) != len(shape):
        raise Unbuildable(f"index [{text}] of {len(shape)} dimensions")
    read = lambda word: number(builder, int(word)) if re.fullmatch(r"-?\d+", word) else scope.variable(word.split(":")[0])
    indices = [part(builder, each, size, read, indexing) for each, size in zip(parts, shape)]
    shapes = {tuple(getattr(getattr(each, "aval", None), "shape", ())) for each in indices if not isinstance(each, indexing.Slice)}
    inner = max(shapes, key=len) if shapes else ()
    return indexing.NDIndexer(tuple(indices), tuple(shape), inner)


def part(builder, text, size, read, indexing):
    if ":" not in text:
        return read(text)
    words = text.split(":")
    if len(words) == 3 and re.fullmatch(r"\d*", words[0]) and words[1].isdigit() and words[2].isdigit():
        start, stop, stride = int(words[0] or 0), int(words[1]), int(words[2])
        return indexing.Slice(start, -(-(stop - start) // stride), stride)
    start, stop = text.split(":", 1)
    if re.fullmatch(r"\d*", start) and re.fullmatch(r"\d*", stop):
        first = int(start or 0)
        return indexing.Slice(first, (int(stop) if stop else size) - first)
    match = re.fullmatch(re.escape(start) + r"\+(\w+)", stop)
    if match:
        length = match.group(1)
        return indexing.Slice(read(start), int(length) if length.isdigit() else read(length))
    if not start and re.fullmatch(r"\w+", stop):
        return indexing.Slice(0, read(stop))
    raise Unbuildable(f"index {text}")


def number(builder, value):
    from .scope import python_scalar

    core = builder.names.core
    aval = core.ShapedArray((), np.dtype("int32"), weak_type=True)
    return core.Literal(python_scalar(builder, value, aval, np.int32(value)) if builder.names.has("typed_literals") else np.int32(value), aval)


def transforms(builder, text, aval, scope):
    """The indexers of `[..][..]`, as a tuple."""
    out = []
    inner = getattr(aval, "inner_aval", aval)
    for each in split(text or "[...]"):
        made = index(builder, each, inner.shape, scope)
        if made is not None:
            out.append(made)
            inner = inner.update(shape=made.get_indexer_shape()) if hasattr(inner, "update") else inner
    return tuple(out)


def access(builder, eqn, field, atoms, scope):
    """The parameters and operands of a `get`, `swap` or `addupdate` that is printed in its special form."""
    if eqn.field["form"] == "raw":
        raise Unbuildable(f"the printed form of {eqn.name}")
    ref = field["invars"][0]
    made = transforms(builder, ref.get("index"), atoms[0].aval, scope)
    if len(field["invars"]) > 1 and any("index" in each for each in field["invars"][1:]):
        raise Unbuildable("a reference as a value")
    jax = builder.names.jax
    flat, tree = jax.tree_util.tree_flatten(made)
    value = [each if not isinstance(each, tuple) or not hasattr(each, "number") else retyped(builder, each, atoms[0].aval) for each in atoms[1:2]]
    if len(atoms) > 2:
        raise Unbuildable("a mask of a reference")
    name = {"get": "get", "store": "swap", "swap": "swap", "addupdate": "addupdate"}[eqn.field["form"]]
    eqn.primitive = builder.registry.primitive(name)
    if eqn.field["form"] == "store" and not field["outvars"]:
        stored = value[0].aval
        field["outvars"] = [{"name": None, "type": None}]
        eqn.outs = [stored]
    return {"tree": tree}, [atoms[0], *value, *flat]


def retyped(builder, untyped, aval):
    from .scope import scalar

    inner = getattr(aval, "inner_aval", aval)
    return scalar(builder, untyped.number, untyped.text, builder.names.core.ShapedArray((), inner.dtype))
