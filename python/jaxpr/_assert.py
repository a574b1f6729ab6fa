# SPDX-License-Identifier: Apache-2.0
"""Assertions for tests."""

from __future__ import annotations

import os
from typing import Any

from ._tools import contract


def assert_contract(x: Any, /, *args: Any, config: Any = None, **rules: Any) -> None:
    """Raises AssertionError unless a program keeps a contract.

        jaxpr.assert_contract(step, params, batch, forbid=["*_callback", "scan"], count={"dot_general": "<= 5"})
        jaxpr.assert_contract(jax.make_jaxpr(step)(params, batch), dtypes={"forbid": ["f64"]}, max_elements=4096)

    `x` is a function, which is traced with `args` as `jax.make_jaxpr` does, or text, a file or a live object, as for
    `check`. Arguments of the function by name go into `functools.partial`. The contract is given by its keys, as for
    `contract`: forbid, allow, require, count, max_elements, max_bytes, shapes, dtypes, signature, hash; or by `config`.

    Unlike `assert "scan" not in str(jaxpr)` a contract counts equations, not words: a variable called `scan` is not one,
    a primitive is found under each of its names in the versions of JAX, and nested programs are looked through. The
    message has each equation that breaks the contract, with its line of Python."""
    __tracebackhide__ = True
    from ._snapshots import print_program

    printed = print_program(x, args, {}, os.getcwd())
    found = contract(printed.sources, config, name="<jaxpr>", **rules)
    if not found.ok:
        raise AssertionError("the program breaks its contract:\n" + str(found))
