# SPDX-License-Identifier: Apache-2.0
"""Assertions for tests."""

from __future__ import annotations

import os
from typing import Any, Dict

from ._tools import contract
from ._verbs import diff, eq


def assert_eq(a: Any, b: Any, *, dce: bool = False, commute: bool = False, ignore_params: Any = None) -> None:
    """Raises AssertionError, with the differences, unless two texts, files or live objects contain equal programs.

        jaxpr.assert_eq(jax.make_jaxpr(f)(x), jax.make_jaxpr(rewrite(f))(x))

    The options are those of `eq`."""
    __tracebackhide__ = True
    from ._snapshots import canonical_difference, counted, print_program

    if not eq(a, b, dce=dce, commute=commute, ignore_params=ignore_params):
        left, right = (print_program(x, root=os.getcwd()).sources for x in (a, b))
        found = diff(left, right, dce=dce, commute=commute, ignore_params=ignore_params, name_a="a", name_b="b")
        shown = str(found) or canonical_difference(left, right)
        raise AssertionError(f"the programs are not equal: {counted(found)}\n{shown}")


def assert_contract(x: Any, /, *args: Any, config: Any = None, **rules: object) -> None:
    """Raises AssertionError if a program violates a contract.

        jaxpr.assert_contract(step, params, batch, forbid=["*_callback", "scan"], count={"dot_general": "<= 5"})
        jaxpr.assert_contract(jax.make_jaxpr(step)(params, batch), dtypes={"forbid": ["f64"]}, max_elements=4096)

    `x` is a function, which is traced with `args` as `jax.make_jaxpr` does, or text, a file or a live object, as for
    `check`. Pass keyword arguments of the function with `functools.partial`. The contract is given by its keys, as for
    `contract`: forbid, allow, require, count, max_elements, max_bytes, shapes, dtypes, signature, hash; or by `config`.

    Unlike `assert "scan" not in str(jaxpr)`, a contract counts equations, not words: a variable named `scan` does not
    count, a primitive counts under all names that it has in different JAX versions, and nested programs are included.
    The message lists each equation that violates the contract, with its line of Python."""
    __tracebackhide__ = True
    from ._snapshots import print_program

    printed = print_program(x, args, {}, os.getcwd())
    keys: Dict[str, Any] = rules
    found = contract(printed.sources, config, name="<jaxpr>", **keys)
    if not found.ok:
        raise AssertionError("the program violates its contract:\n" + str(found))
