# SPDX-License-Identifier: Apache-2.0
"""The functions of the package that need JAX, which is imported when one of them is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional

if TYPE_CHECKING:
    from .live import Loaded
    from .live.verify import Verified


def load(
    x: Any,
    *,
    consts: Any = None,
    mesh: Any = None,
    axis_env: Optional[Mapping[str, int]] = None,
    rules: Optional[Mapping[str, Any]] = None,
    exported: Iterable[Any] = (),
    strict: bool = False,
) -> Loaded:
    """Returns the program of a text as a function of JAX, which can be called, jitted, vmapped and differentiated.

    `x` is text, a file or a live object, as for `check`, with exactly one program. The function takes an array for each
    argument and returns a tuple with an array for each result. If the program has 64-bit types, x64 is enabled for the call.

        f = jaxpr.load(open("bug.txt").read())
        f(x, y)                     the results
        jax.grad(lambda x: f(x)[0])(x)
        f.missing                   what the text does not contain: tuples, each of which prints as a sentence
        f.exact                     whether JAX prints the live program byte for byte as the text
        f.jaxpr                     the live program; `f.check()` runs JAX's checker on it

    Using what the text does not contain raises Missing; in a callback, it raises an error of JAX that quotes the message. If
    something is assumed instead, `f.missing` lists it, marked as assumed. Some of it is restored: rules of derivatives, if
    a function of an imported module, such as jax.nn.relu, has the printed name and traces to the same equation;
    constants of jitted functions that are found in the same way, and of types with only one value, such as `f32[0]`;
    and policies of jax.checkpoint_policies. A primitive of a library is known after its module is imported. No part of
    the text is evaluated, imported or unpickled.

    A text that is not one complete program, or that the installed JAX cannot express, raises NotLoadable or InvalidProgram;
    an unsupported version of JAX raises UnsupportedJax.

    consts: the values of constants, in order, or as a dict by name.
    mesh: the mesh of shardings and of shard_map. By default it consists of the first devices, with the sizes that the text
        prints. If the text does not print the size of an axis (types do not), a call uses the mesh of its arguments, or
        the one set with jax.set_mesh; in `f.jaxpr` the size is then 1, and `f.mesh_axes` lists the axis.
    axis_env: the sizes of named axes around the program.
    rules: a dict from names in the text to functions: rules of derivatives (which take flat arguments), callbacks and
        policies; or from the name of a custom_jvp or custom_vjp function to that function.
    exported: the objects of jax.export that the program calls.
    strict: raise NotLoadable if the text does not contain all of the program."""
    from .live.loaded import load as run

    loaded: Loaded = run(x, consts, mesh, axis_env, rules, exported, strict)
    return loaded


def to_python(x: Any) -> str:
    """Returns the source of a function `program` of JAX that traces to a program equal to `x`, as `jaxpr.eq` defines it.

    `x` is text, a file, a live object or the result of `load`. The source also defines ARGUMENTS, types to trace it with.
    Comments at its top list what the text does not contain: a function that it only names, such as the rule of a
    derivative, and a primitive that the installed JAX does not define become placeholders that raise when they are called.
    A constant becomes an array of its type that raises when it is read; `to_python(load(x, consts=..))` writes the values
    of small constants. A program that source code cannot express raises NotLoadable."""
    from .live.loaded import Loaded as loaded
    from .live.to_python import to_python as run

    written: str = run(x if isinstance(x, loaded) else load(x))
    return written


def verify(a: Any, b: Any, *, seeds: int = 3, steps: int = 100000) -> Verified:
    """Runs two programs op by op on random inputs and compares the bits of their results and their effects in order.

    `a` and `b` are text, files, live objects or results of `load`. The result is true if nothing differs; its text lists
    the differences. What a text does not contain, such as a callback, is an unknown function, of which only one fact is
    used: equal operands give equal results. This finds differences; it does not prove that there are none. A program that
    runs more than `steps` equations, or that JAX cannot run, raises NotLoadable.

    >>> bool(jaxpr.verify("{ lambda ; a:f32[]. let in (a,) }", "{ lambda ; b:f32[]. let in (b,) }"))  # doctest: +SKIP
    True

    seeds: the number of random inputs to try; every second one contains special values, such as infinities and NaNs."""
    from .live.verify import verify as run

    verified: Verified = run(a, b, seeds, steps)
    return verified
