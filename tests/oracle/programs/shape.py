# SPDX-License-Identifier: Apache-2.0
"""Primitives that only move or make elements: broadcast, reshape, transpose, slice, pad, concatenate, iota and kin."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from functions import program


@program("f32[3]", "f32[]")
def broadcast_forms(x, s):
    return (
        lax.broadcast_in_dim(x, (2, 3, 4), (1,)),
        lax.broadcast(s, (2, 2)),
        lax.broadcast_in_dim(x, (3,), (0,)),
        jnp.broadcast_to(s, (0, 3)),
    )


@program("f32[1,3,1]")
def broadcast_of_ones(x):
    return lax.broadcast_in_dim(x, (2, 3, 5), (0, 1, 2))


@program("f32[2,3,4]")
def reshape_forms(x):
    return (x.reshape(24), x.reshape(4, 6), lax.reshape(x, (4, 3, 2), (2, 1, 0)), x.reshape(2, 1, 12), x.ravel()[None])


@program("f32[1,4,1]")
def squeeze_and_expand(x):
    return lax.squeeze(x, (0, 2)), jnp.expand_dims(x, (1, 4)), lax.expand_dims(x, (0,))


@program("f32[2,3,4]")
def transpose_forms(x):
    return x.T, jnp.swapaxes(x, 0, 1), lax.transpose(x, (2, 0, 1)), jnp.moveaxis(x, -1, 0)


@program("i32[10,6]")
def slice_forms(x):
    return x[2:8], x[1:9:3, ::2], lax.slice(x, (0, 1), (10, 5), (2, 2)), lax.slice_in_dim(x, 1, 4, axis=1), x[:, 3:3]


@program("f32[8,8]", "i32[]", "i32[]")
def slice_dynamically(x, i, j):
    return lax.dynamic_slice(x, (i, j), (3, 2)), lax.dynamic_slice_in_dim(x, i, 4), lax.dynamic_index_in_dim(x, j, 1)


@program("f32[8,8]", "f32[2,3]", "i32[]")
def update_dynamically(x, u, i):
    y = lax.dynamic_update_slice(x, u, (i, 0))
    return lax.dynamic_update_index_in_dim(y, jnp.ones(8), i, 0), lax.dynamic_update_slice_in_dim(
        y, u[:, :1].repeat(8, 1), 2, 0
    )


@program("f32[3,4]")
def pad_forms(x):
    return (
        lax.pad(x, 0.0, ((1, 2, 0), (0, 0, 1))),
        lax.pad(x, -jnp.inf, ((-1, 0, 0), (0, -2, 3))),
        jnp.pad(x, 1),
        jnp.pad(x, ((0, 1), (2, 0)), mode="edge"),
    )


@program("f32[2,3]", "f32[2,1]", "f32[2,5]")
def concatenate_forms(x, y, z):
    return lax.concatenate([x, y, z], 1), jnp.stack([x, x + 1]), jnp.hstack([x, z]), jnp.vstack([x, x])


@program("f32[9,4]")
def split_forms(x):
    return jnp.split(x, 3), jnp.split(x, [2, 5]), jnp.array_split(x, 4, axis=1)


@program("f32[2,3,4]")
def reverse_forms(x):
    return lax.rev(x, (0,)), jnp.flip(x), jnp.flip(x, (1, 2)), jnp.rot90(x[0])


@program()
def iota_forms():
    return (
        lax.iota(jnp.int32, 5),
        lax.broadcasted_iota(jnp.float32, (2, 3), 1),
        jnp.arange(2, 9, 3),
        jnp.eye(3),
        jnp.linspace(0.0, 1.0, 7),
        jnp.tri(4),
    )


@program("f32[2,3]")
def tile_and_repeat(x):
    return jnp.tile(x, (2, 2)), jnp.repeat(x, 3, axis=1), jnp.repeat(x, np.array([1, 2]), axis=0, total_repeat_length=3)


@program("f32[4,4]")
def triangles(x):
    return jnp.triu(x), jnp.tril(x, -1), jnp.diag(x), jnp.diag(x[0]), jnp.trace(x)


@program("f32[3]", "f32[4]")
def outer_grids(x, y):
    return jnp.meshgrid(x, y), jnp.outer(x, y), jnp.kron(x, y)


@program("f32[4,6]", "f32[]")
def roll_and_shift(x, s):
    return jnp.roll(x, 2), jnp.roll(x, (1, -1), (0, 1)), jnp.diff(x, n=2), jnp.append(x.ravel(), s)


@program("f32[0,3]")
def empty_arrays(x):
    return x.sum(0), jnp.concatenate([x, jnp.ones((2, 3))]), x.reshape(3, 0), jnp.zeros((0,))


@program("f32[2]", "i32[3]")
def same_in_same_out(x, n):
    return x, n, x


@program("f32[3,5]")
def copies(x):
    return jnp.copy(x), lax.stop_gradient(x), lax.optimization_barrier((x, x + 1))


@program("f32[2,3,5]")
def einops_like(x):
    b, h, w = x.shape
    return jnp.reshape(jnp.transpose(jnp.reshape(x, (b, h, 1, w)), (0, 2, 1, 3)), (b, -1))


@program("f32[6]", "f32[6]")
def interleave(x, y):
    return jnp.stack([x, y], -1).reshape(-1)


@program("f32[5,3]")
def batched_movers(x):
    return jax.vmap(lambda r: (jnp.flip(r), jnp.pad(r, 1), r[None, :, None], jnp.concatenate([r, r])))(x)
