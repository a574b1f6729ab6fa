# SPDX-License-Identifier: Apache-2.0
"""Gather and scatter: modes, dimension numbers, batching dimensions, and the indexing that makes them."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


@program("f32[10]", "i32[4]")
def take_one_axis(x, i):
    return (
        x[i],
        jnp.take(x, i, mode="clip"),
        jnp.take(x, i, mode="fill", fill_value=-1.0),
        x.at[i].get(mode="promise_in_bounds"),
    )


@program("f32[5,6,7]", "i32[2,3]")
def take_inner_axis(x, i):
    return jnp.take(x, i, axis=1), x[:, i], x[..., i], x[i, :, 2]


@program("f32[5,6]", "i32[3]", "i32[3]")
def take_points(x, i, j):
    return x[i, j], x[i, 1:4], x[i[:, None], j]


@program("f32[4,6]", "i32[4,2]")
def take_along(x, i):
    return jnp.take_along_axis(x, i, axis=1), jax.vmap(lambda r, k: r[k])(x, i)


@program("f32[8,5]", "i32[3,1]")
def gather_by_hand(x, i):
    dims = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,))
    return (
        lax.gather(x, i, dims, (1, 4)),
        lax.gather(x, i, dims, (1, 2), mode="clip", indices_are_sorted=True, unique_indices=True),
    )


@program("f32[3,8,5]", "i32[3,2,1]")
def gather_with_batch(x, i):
    dims = lax.GatherDimensionNumbers(
        offset_dims=(2,),
        collapsed_slice_dims=(1,),
        start_index_map=(1,),
        operand_batching_dims=(0,),
        start_indices_batching_dims=(0,),
    )
    return lax.gather(x, i, dims, (1, 1, 5))


@program("f32[10]", "i32[4]", "f32[4]")
def scatter_updates(x, i, u):
    return (
        x.at[i].set(u),
        x.at[i].add(u),
        x.at[i].mul(u),
        x.at[i].min(u),
        x.at[i].max(u),
        x.at[i].set(0.0, mode="drop"),
        x.at[i].add(1.0, unique_indices=True, indices_are_sorted=True),
    )


@program("f32[6,7]", "i32[2]", "f32[2,7]")
def scatter_rows(x, i, u):
    return x.at[i].set(u), x.at[i, 3].add(1.0), x.at[:, i].mul(2.0), x.at[2:4].set(u), x.at[i].power(2)


@program("f32[8,5]", "i32[3,1]", "f32[3,2]")
def scatter_by_hand(x, i, u):
    dims = lax.ScatterDimensionNumbers(
        update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)
    )
    return lax.scatter(x, i, u, dims), lax.scatter_add(x, i, u, dims), lax.scatter_max(x, i, u, dims)


@program("f32[3,8]", "i32[3,2,1]", "f32[3,2]")
def scatter_with_batch(x, i, u):
    dims = lax.ScatterDimensionNumbers(
        update_window_dims=(),
        inserted_window_dims=(1,),
        scatter_dims_to_operand_dims=(1,),
        operand_batching_dims=(0,),
        scatter_indices_batching_dims=(0,),
    )
    return lax.scatter_add(x, i, u, dims)


@program("f32[8]", "i32[2,1]", "f32[2]")
def scatter_apply_function(x, i, u):
    dims = lax.ScatterDimensionNumbers(
        update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,)
    )
    return lax.scatter_apply(x, i, jnp.cos, dims, update_shape=(2,))


@program("f32[8]", "i32[2]")
def gradient_of_gather(x, i):
    return jax.grad(lambda x: (x[i] ** 2).sum())(x)


@program("f32[4,4]", "bool[4,4]")
def masked_access(x, m):
    return jnp.where(m, x, 0.0), x.at[0].set(jnp.where(m[1], x[2], x[3])), jnp.place(x, m, 1.0, inplace=False)


@program("i32[20]")
def counted_bins(x):
    return jnp.bincount(x, length=5), jnp.unique(x, size=4), jnp.nonzero(x, size=3)


@program("f32[9]", "f32[4]")
def search_sorted(x, q):
    return jnp.searchsorted(x, q), jnp.searchsorted(x, q, side="right", method="compare_all"), jnp.digitize(q, x)


@program("f32[9]", "f32[9]", "f32[4]")
def interpolate(x, y, q):
    return jnp.interp(q, x, y)


@program("i32[6]")
def one_hot(x):
    return jax.nn.one_hot(x, 4), jax.nn.one_hot(x, 3, dtype=jnp.bfloat16)


@program("f32[6,2]", "i32[6]")
def segments(x, s):
    return jax.ops.segment_sum(x, s, num_segments=3), jax.ops.segment_max(x[:, 0], s, 4)


@program("f32[3,5]", "i32[]")
def scalar_index(x, i):
    return x[i], x[-1], x[i, 2], x.at[i, 0].set(7.0), x.at[-1].add(1.0)


@program("f32[3,9]", "f32[4]", "f32[3,4]")
def search_sorted_in_rows(x, q, rows):
    search = lambda row, wanted: jnp.searchsorted(row, wanted)
    return jax.vmap(search, (0, None))(x, q), jax.vmap(search)(x, rows), jax.vmap(search, (None, 0))(x[0], rows)
