# SPDX-License-Identifier: Apache-2.0
"""Symbolic dimensions as jax.export makes them: sums, products, quotients, and their use in every kind of shape."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


@program("f32[b,3]")
def symbol_elementwise(x):
    return jnp.sin(x) * 2, x.sum(), x.T, x.mean(0)


@program("f32[b,4]", "f32[b,2]")
def symbol_concatenated(x, y):
    return jnp.concatenate([x, y], 1), jnp.concatenate([x, x], 0), jnp.concatenate([x, x[1:]], 0)


@program("f32[b,h]")
def symbol_reshaped(x):
    b, h = x.shape
    return x.reshape(-1), x.reshape(h, b), x[None], jnp.tile(x, (2, 1)), x.reshape(b * h, 1)


@program("f32[b,8]", "f32[8,c]", "f32[b]")
def symbol_contracted(x, w, v):
    return x @ w, v @ x, jnp.einsum("bi,ic,b->c", x, w, v)


@program("f32[n]")
def symbol_arithmetic(x):
    n = x.shape[0]
    return (
        jnp.pad(x, (1, 2)),
        jnp.zeros((2 * n + 1, n * n)),
        x[: n // 2],
        x[::2],
        jnp.arange(n),
        jnp.ones((n % 3,)),
        jnp.ones((jax.core.max_dim(n, 4) if hasattr(jax.core, "max_dim") else n,)),
    )


@program("f32[n,n + 2]", "i32[]")
def symbol_as_value(x, i):
    return x.shape[0] * i, lax.dynamic_slice_in_dim(x, i, x.shape[0], 1), x.shape[1] + jnp.float32(1), x / x.shape[0]


@program("f32[b,5]", "f32[5]")
def symbol_in_control(x, w):
    step = lambda c, r: (c + r, (c * r).sum())
    return (
        lax.scan(step, w, x),
        lax.fori_loop(0, x.shape[0], lambda i, c: c + 1, w),
        lax.cond(True, jnp.sin, jnp.cos, x),
    )


@program("f32[b,4]")
def symbol_gradient(x):
    return jax.grad(lambda v: (v**2).mean())(x), jax.vmap(jnp.cumsum)(x), jax.nn.softmax(x)


@program("f32[b,2*h,2*w,3]", "f32[3,3,3,8]")
def symbol_convolved(x, k):
    return (
        lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")),
        lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
    )


@program("f32[b,7]", "i32[k]")
def symbol_indexed(x, i):
    return x[i], x[:, 2], jnp.take(x, i, axis=1), x.at[i].add(1.0), jnp.sort(x, 0)


@program("f32[a,b]", "f32[a,b]")
def symbol_jit(x, y):
    f = jax.jit(lambda u, v: u * v.sum(0))
    return f(x, y), f(y, x)


@program("i32[m]", "f32[max(m, 3),floordiv(m, 2) + 1,mod(m, 2)]")
def symbol_operations_in_types(n, x):
    return x * 2, n + 1
