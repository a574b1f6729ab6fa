# SPDX-License-Identifier: Apache-2.0
"""References: reads, writes and accumulation through every indexer, inside loops, branches and run_state."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


def make_ref(value):
    """A mutable array under whichever name this JAX gives its maker."""
    for maker in ("new_ref", "array_ref"):
        if hasattr(jax, maker):
            return getattr(jax, maker)(value)
    from jax._src import core

    return (getattr(core, "mutable_array", None) or core.array_ref)(value)


def freeze(ref):
    if hasattr(jax, "freeze"):
        return jax.freeze(ref)
    from jax._src import core

    return core.freeze(ref)


def run_state(body):
    from jax._src.state.discharge import run_state as run

    return run(body)


@program("f32[4]")
def ref_whole(x):
    r = make_ref(x)
    r[...] = r[...] * 2
    r[...] += 1.0
    return r[...]


@program("f32[4,6]", "i32[]", "i32[3]")
def ref_indexers(x, i, many):
    r = make_ref(x)
    a, b, c, d = r[0], r[i], r[i, 2], r[:, 1:3]
    e, f, g, h = r[many, 0], r[-1], r[2:, i], r[::2]
    r[i] = f * 2
    r[many, 1] = a[:3]
    r[0, 0] = c
    r[:, 2:5] += 1.0
    return b, d, e, g, h, r[...]


@program("f32[]")
def ref_scalar(x):
    r = make_ref(x)
    r[...] = r[...] + 1
    r[()] = jnp.sin(r[()])
    return freeze(r)


@program("f32[5,3]")
def ref_in_scan(xs):
    r = make_ref(jnp.zeros(3))

    def step(c, x):
        r[...] += x
        r[0] = c
        return c + 1, r[1]

    return lax.scan(step, 0.0, xs), r[...]


@program("f32[3]", "bool[]")
def ref_in_cond(x, p):
    r = make_ref(x)

    def yes():
        r[...] = r[...] * 2

    lax.cond(p, yes, lambda: None)
    return r[...]


@program("f32[3]")
def ref_in_while(x):
    r = make_ref(x)

    def body(i):
        r[i] += 1.0
        return i + 1

    lax.while_loop(lambda i: i < 3, body, 0)
    return r[...]


@program("f32[3]")
def ref_in_jit(x):
    r = make_ref(x)

    @jax.jit
    def poke(v):
        r[...] = v
        return r[0]

    return poke(x + 1), r[...]


@program("f32[4]")
def state_run(x):
    def body(ref):
        ref[1] = ref[0] * 2
        ref[...] = jnp.cos(ref[...])

    return run_state(body)(x)


@program("f32[4]", "i32[4]")
def state_run_pair(x, n):
    def body(refs):
        a, b = refs
        a[...] = a[...] + b[...].astype(jnp.float32)
        b[2] = 7

    return run_state(body)((x, n))


@program("f32[3]")
def state_gradient(x):
    def f(v):
        def body(ref):
            ref[...] = jnp.sin(ref[...])

        return run_state(body)(v).sum()

    return jax.grad(f)(x)


@program("f32[3]")
def state_loop(x):
    from jax._src.lax.control_flow.for_loop import for_loop

    def body(i, ref):
        ref[i] = ref[i] * 2

    return for_loop(3, body, x)


@program("f32[3]")
def state_swap_kept(x):
    r = make_ref(x)
    swap = getattr(jax.ref, "swap", None) if hasattr(jax, "ref") else None
    if swap is None:
        from jax._src.state.primitives import ref_swap as swap
    old = swap(r, (0,), 5.0)
    return old, r[...]


@program("f32[2,3]")
def ref_accumulate(x):
    r = make_ref(jnp.zeros((2, 3)))
    add = getattr(jax.ref, "addupdate", None) if hasattr(jax, "ref") else None
    if add is None:
        from jax._src.state.primitives import ref_addupdate as add
    add(r, (slice(0, 1),), x[:1])
    add(r, (1, slice(None)), x[1])
    return r[...]
