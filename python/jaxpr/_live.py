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

    `x` is text, a file or a live object, as for `check`, with exactly one program. The function takes an
    array for each argument and returns a tuple with an array for each result. 64-bit types enable x64 for the call.

        f = jaxpr.load(open("bug.txt").read())
        f(x, y)                     the results
        jax.grad(lambda x: f(x)[0])(x)
        f.missing                   what the text does not contain, each as a tuple that prints as a sentence
        f.exact                     whether JAX prints it byte for byte as the text
        f.jaxpr                     the live program, which `f.check()` lets JAX check

    What the text does not contain raises Missing when it is used; in a callback, as an error of JAX that quotes it. If
    something is assumed instead, `f.missing` lists it, marked as assumed. Some of it is restored: rules of derivatives,
    where a function of an imported module, such as jax.nn.relu, has the printed name and traces to the same equation;
    constants of jitted functions that are found in the same way, and of types that have one value, such as `f32[0]`;
    and policies of jax.checkpoint_policies. A primitive of a library is known once its module is imported. Nothing of
    the text is evaluated, imported or unpickled.

    A text that is not one whole program, or that the installed JAX cannot express, raises NotLoadable or InvalidProgram; a
    JAX that is not supported raises UnsupportedJax.

    consts: the values of constants, in order, or as a dict by name.
    mesh: the mesh of shardings and of shard_map. By default it consists of the first devices, in the sizes that the text
        prints. If the text does not print the size of an axis (types do not), the mesh is that of the arguments of a call,
        or the one set with jax.set_mesh; in `f.jaxpr` the size is then 1, and `f.mesh_axes` lists the axis.
    axis_env: the sizes of named axes around the program.
    rules: functions by the name that the text prints for them: rules of derivatives (of flat arguments), callbacks,
        policies; or by the name of a custom_jvp or custom_vjp function, that function.
    exported: objects of jax.export that the program calls.
    strict: raise NotLoadable if the text does not contain all of the program."""
    from .live.loaded import load as run

    loaded: Loaded = run(x, consts, mesh, axis_env, rules, exported, strict)
    return loaded


def to_python(x: Any) -> str:
    """Returns the source of a function `program` of JAX that traces to a program equal to `x`, as `jaxpr.eq` defines it.

    `x` is text, a file, a live object or the result of `load`. The source also has ARGUMENTS, types to trace it with.
    What the text does not contain is listed at its top: a function that it only names, such as the rule of a derivative,
    is a placeholder that raises when it is called, and so is a primitive that the installed JAX does not define. A constant
    is an array of its type that raises when it is read; `to_python(load(x, consts=..))` writes the values of small ones.
    NotLoadable is raised for what source code cannot express."""
    from .live.loaded import Loaded as loaded
    from .live.to_python import to_python as run

    written: str = run(x if isinstance(x, loaded) else load(x))
    return written


def verify(a: Any, b: Any, *, seeds: int = 3, steps: int = 100000) -> Verified:
    """Runs two programs op by op on random inputs and compares the bits of their results and their effects in order.

    `a` and `b` are text, files, live objects or results of `load`. The result is true if nothing differs; printed, it
    shows what differs. What a text does not contain, such as a callback, is an unknown function: only that equal operands give
    equal results is assumed. This finds differences; it proves nothing. NotLoadable is raised for a program that
    takes more than `steps` equations or that JAX cannot run.

    >>> bool(jaxpr.verify("{ lambda ; a:f32[]. let in (a,) }", "{ lambda ; b:f32[]. let in (b,) }"))  # doctest: +SKIP
    True

    seeds: how many random inputs to try; every second one contains infinities, NaNs and the like."""
    from .live.verify import verify as run

    verified: Verified = run(a, b, seeds, steps)
    return verified
