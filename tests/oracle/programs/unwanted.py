# SPDX-License-Identifier: Apache-2.0
"""Correct programs that most people do not want, which rules of lint report, and similar ones that they do not."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from functions import program


@program("bf16[4096]", "f16[16,512]", "bf16[200]", "f32[4096]")
def narrow_sums(a, b, c, d):
    """N203: sums in 16 bits; the third is short, the last is wide."""
    add = lambda x, axes: lax.reduce(x, np.array(0, x.dtype), lax.add, axes)
    return add(a, (0,)), add(b, (1,)), add(c, (0,)), add(d, (0,)), jnp.sum(a)


@program("bf16[8,1024]", "f16[1024]")
def narrow_running_sums(a, b):
    """N203: each element of a running sum adds up all before it."""
    return lax.cumsum(a, axis=1), lax.cumsum(b, axis=0), lax.cumsum(a, axis=0), lax.cummax(b, axis=0)


@program("f8_e5m2[1024]", "bf16[64,64]")
def narrow_means(a, b):
    """N203: an average computed in the type of the data."""
    return lax.reduce(a, np.array(0, a.dtype), lax.add, (0,)), jnp.mean(b), jnp.var(b, axis=0)


@program("bf16[32,64]")
def narrow_window(x):
    """N203: sums of windows, small and large."""
    return lax.reduce_window(x, np.array(0, x.dtype), lax.add, (1, 32), (1, 1), "SAME")


@program("f32[600]")
def captured_weights(x):
    """P301: a matrix the function closes over."""
    return jnp.asarray(np.full((600, 600), 0.5, np.float32)) @ x


@program("f32[4,4]")
def captured_table(x):
    """Near P301: a small constant, and a small one in a loop."""
    w = jnp.asarray(np.arange(16, dtype=np.float32).reshape(4, 4))
    return lax.fori_loop(0, 3, lambda i, y: y @ w, x)


@program("i32[]")
def captured_embedding(i):
    """P301: a table of integers, looked up."""
    return jnp.asarray(np.arange(1 << 19, dtype=np.int32).reshape(-1, 8))[i]


@program("f32[1024]", flags={"jax_use_simplified_jaxpr_constants": True})
def literal_array(x):
    """P302: constants that are literals of the equation that reads them."""
    return x + np.arange(1024, dtype=np.float32), x * np.full((1024,), 0.5, np.float32)


@program("f32[8]", flags={"jax_use_simplified_jaxpr_constants": True})
def literal_small_array(x):
    """Near P302: eight numbers."""
    return x * np.arange(8, dtype=np.float32), jax.jit(lambda y: y + np.arange(8, dtype=np.float32))(x)


@program("f32[]")
def many_equations(x):
    """P307: nested shared programs; each call counts all of its equations again."""
    f = lambda y: jnp.sin(jnp.cos(y) * 2.0) + y
    for _ in range(4):
        f = jax.jit(lambda y, g=f: [y := g(y) for _ in range(9)][-1])
    return f(x)


@program("f32[128]", "f32[128]", "f32[]")
def donated_for_nothing(a, b, c):
    """P310: no result has the type of the donated operand; then one donor too many; then one that fits."""
    one = jax.jit(lambda x: jnp.sum(x), donate_argnums=(0,))
    two = jax.jit(lambda x, y: x + y, donate_argnums=(0, 1))
    three = jax.jit(lambda x: x * 2, donate_argnums=(0,))
    return one(a), two(a * 1, b), three(c)


@program("f32[16]", "bf16[16]", "i32[16]")
def donated_and_cast(a, b, i):
    """P310: the result has another type than what was donated."""
    return (
        jax.jit(lambda x: x.astype(jnp.bfloat16), donate_argnums=0)(a),
        jax.jit(lambda x, y: (x + 1, y), donate_argnums=0)(b, i),
        jax.jit(lambda x: x.reshape(4, 4), donate_argnums=0)(i),
    )


@program("f32[8192,8192]")
def large_results(x):
    """P303, P315: products of all pairs of rows."""
    return (x[:, None, :64] * x[None, :, :64]).sum()


@program("f32[256,512]", "f32[512,256]")
def casts_there_and_back(a, b):
    """N205: to 16 bits and back loses, to 64 and back does not; P311, P312 beside."""
    return a.astype(jnp.bfloat16).astype(jnp.float32), b.astype(jnp.float16).astype(jnp.float32).T.T


@program("f32[16]", "bf16[16]", x64=True)
def casts_wider_and_back(a, b):
    """N205: widening and back changes nothing."""
    return a.astype(jnp.float64).astype(jnp.float32), b.astype(jnp.float32).astype(jnp.bfloat16) + 1


@program("f32[4,6]", "i32[5]", "c64[3]", "bool[4]")
def undone(a, i, c, p):
    """P311, P312: reversals of reversals, and near ones."""
    return (
        lax.rev(lax.rev(a, (0,)), (0,)),
        lax.rev(lax.rev(a, (0,)), (1,)),
        lax.transpose(lax.transpose(a, (1, 0)), (1, 0)),
        lax.neg(lax.neg(i)),
        lax.neg(lax.neg(c)),
        lax.bitwise_not(lax.bitwise_not(p)),
        lax.reshape(lax.reshape(a, (24,)), (4, 6)),
        lax.reduce(i, np.int32(0), lax.add, ()),
    )
