# SPDX-License-Identifier: Apache-2.0
"""Reductions, windows, cumulative sums, sorting and selection."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


@program("f32[2,3,4]")
def reduce_axes(x):
    return x.sum(), x.sum(1), x.max((0, 2)), x.min(-1), x.prod(0), x.mean(), x.var(1), x.std(ddof=1)


@program("bool[3,4]", "i32[3,4]")
def reduce_logic(p, n):
    return p.all(), p.any(0), lax.reduce(n, 0, lax.bitwise_xor, (1,)), lax.reduce(n, 7, lax.bitwise_and, (0,))


@program("f32[3,4]", "i32[3,4]")
def reduce_with_program(x, n):
    first = lambda a, b: (jnp.maximum(a[0], b[0]), a[1] + b[1])
    return lax.reduce((x, n), (-jnp.inf, 0), first, (1,)), lax.reduce(x, 1.0, lambda a, b: a * b + 0.5, (0, 1))


@program("f32[5,7]")
def argument_of_extremes(x):
    return jnp.argmax(x), jnp.argmin(x, axis=0), lax.argmax(x, 1, jnp.uint8), jnp.nanargmax(x)


@program("f32[4,6]")
def cumulative(x):
    return (
        jnp.cumsum(x, 0),
        jnp.cumprod(x, 1),
        lax.cummax(x, axis=0, reverse=True),
        lax.cummin(x),
        lax.cumlogsumexp(x, 1),
        jnp.cumsum(x.ravel()),
    )


@program("f32[1,8,8,3]")
def windows_over_images(x):
    dims, strides = (1, 2, 2, 1), (1, 2, 2, 1)
    return (
        lax.reduce_window(x, -jnp.inf, lax.max, dims, strides, "VALID"),
        lax.reduce_window(x, 0.0, lax.add, dims, strides, "SAME"),
        lax.reduce_window(
            x,
            jnp.inf,
            lax.min,
            (1, 3, 3, 1),
            (1, 1, 1, 1),
            ((0, 0), (1, 1), (1, 1), (0, 0)),
            window_dilation=(1, 2, 2, 1),
        ),
    )


@program("f32[10]", "i32[10]")
def windows_with_program(x, n):
    def both(a, b):
        return a[0] * b[0], a[1] + b[1]

    return (
        lax.reduce_window((x, n), (1.0, 0), both, (3,), (2,), "SAME"),
        lax.reduce_window(x, 1.0, lambda a, b: a * jnp.cos(b), (2,), (1,), ((1, 0),), base_dilation=(2,)),
    )


@program("f32[1,6,6,2]")
def gradient_of_max_pool(x):
    pool = lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()
    return jax.grad(pool)(x)


@program("f32[7]", "f32[7]")
def tangent_of_max_pool(x, t):
    return jax.jvp(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (3,), (1,), "SAME"), (x,), (t,))


@program("f32[5,6]", "i32[5,6]")
def sort_forms(x, n):
    return (
        lax.sort(x),
        lax.sort((x, n), dimension=0, num_keys=2),
        lax.sort((n, x), num_keys=1, is_stable=False),
        jnp.sort(x, axis=0, descending=True),
        jnp.argsort(n),
    )


@program("f32[3,10]")
def top_forms(x):
    return lax.top_k(x, 4), lax.approx_max_k(x, 3), lax.approx_min_k(x, 2, recall_target=0.8)


@program("f32[20]")
def order_statistics(x):
    return jnp.median(x), jnp.quantile(x, 0.3), jnp.percentile(x, 90.0), jnp.histogram(x, bins=4), jnp.ptp(x)


@program("f32[4,8]")
def normalisers(x):
    return (
        jax.nn.softmax(x),
        jax.nn.log_softmax(x, axis=0),
        jax.nn.logsumexp(x, axis=-1, keepdims=True),
        jax.nn.standardize(x),
    )


@program("f32[4,8]")
def norms(x):
    return jnp.linalg.norm(x), jnp.linalg.norm(x, axis=1), jnp.linalg.norm(x[0], ord=1), jnp.linalg.norm(x, ord=jnp.inf)


@program("f32[16]")
def associative_scan(x):
    return lax.associative_scan(jnp.add, x), lax.associative_scan(lambda a, b: a * b + b, x, reverse=True)


@program("c64[4]", "i8[4]")
def reduce_other_types(z, n):
    return z.sum(), n.sum(), n.sum(dtype=jnp.int8), n.max(), z.mean(), n.astype(bool).sum()


@program("bf16[8,8]")
def reduce_bfloat(x):
    return x.sum(0), x.mean(), jnp.max(x), x.sum(dtype=jnp.float32), jax.nn.softmax(x)
