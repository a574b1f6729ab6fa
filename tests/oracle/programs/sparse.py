# SPDX-License-Identifier: Apache-2.0
"""Sparse arrays and the rarer primitives that ordinary programs seldom reach."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import sparse

from functions import program


@program("f32[4,5]", "f32[5,3]")
def sparse_batched_coordinates(a, b):
    m = sparse.BCOO.fromdense(a, nse=6)
    return m.todense(), (m @ b), m.T.todense(), m.sort_indices().data


@program("f32[6]", "i32[6,2]", "f32[5]")
def sparse_of_parts(data, indices, v):
    m = sparse.BCOO((data, indices), shape=(4, 5))
    return m @ v, m.sum_duplicates(nse=6).data, m.sum(0).todense()


@program("f32[4,5]", "f32[5]")
def sparse_rows(a, v):
    m = sparse.CSR.fromdense(a, nse=6)
    return m @ v, m.todense(), sparse.COO.fromdense(a, nse=6) @ v


@program("f32[4,5]", "f32[5,2]")
def sparse_batched_rows(a, b):
    m = sparse.BCSR.fromdense(a, nse=6)
    return m.todense(), m @ b


@program("u32[]", "u32[]", "u32[4]", "u32[4]")
def counter_cipher(a, b, x, y):
    try:
        from jax._src.prng import threefry2x32_p
    except ImportError:
        from jax._src.random.threefry2x32 import threefry2x32_p
    return threefry2x32_p.bind(jnp.broadcast_to(a, (4,)), jnp.broadcast_to(b, (4,)), x, y)


@program("f32[4,4]", "f32[4]")
def updates_of_factors(a, v):
    return lax.linalg.cholesky_update(a, v), lax.linalg.symmetric_product(a, a)


@program("f32[1,6,6,1]", "f32[1,3,3,1]")
def scatter_of_selection(x, g):
    from jax._src.lax.windowed_reductions import _select_and_scatter_add as scatter

    return scatter(g, x, lax.ge_p, (1, 2, 2, 1), (1, 2, 2, 1), ((0, 0),) * 4)


@program("f32[4]")
def tokens(x):
    t = lax.create_token()
    return lax.optimization_barrier((x, t))[0] if hasattr(lax, "optimization_barrier") else x


@program("f32[6,4]")
def pivoted_factors(a):
    return jax.scipy.linalg.qr(a, pivoting=True)


@program("f32[5,5]")
def ordered_eigenvalues(a):
    return jax.scipy.linalg.eigh(a + a.T, eigvals_only=True), jax.scipy.linalg.sqrtm(a), jax.scipy.linalg.polar(a)


@program("f32[8]", "f32[8]")
def partitioned_operation(x, y):
    from jax.experimental.custom_partitioning import custom_partitioning

    @custom_partitioning
    def f(a, b):
        return jnp.sin(a) + b

    f.def_partition(
        infer_sharding_from_operands=lambda mesh, args, out: args[0].sharding,
        partition=lambda mesh, args, out: (mesh, f, out, args),
        sharding_rule="i, i -> i",
    )
    return f(x, y)


@program("f32[3,4]")
def closed_calls(x):
    from jax._src import core

    body = jax.make_jaxpr(lambda v: jnp.cos(v) * 2)(x)
    return core.closed_call_p.bind(x, call_jaxpr=body) if hasattr(core, "closed_call_p") else x


@program("f32[16]")
def signal_processing(x):
    return jax.scipy.signal.convolve(x, x[:3]), jnp.unwrap(x), jnp.gradient(x), jnp.convolve(x, x[:4], mode="same")


@program("f32[5]")
def distributions(x):
    stats = jax.scipy.stats
    return stats.norm.logpdf(x), stats.norm.cdf(x), stats.gamma.logpdf(x, 2.0), jax.scipy.special.ndtri(x)


@program("u8[2,3]", "i32[5]")
def bits_packed(x, n):
    return jnp.packbits(x), jnp.unpackbits(x), jnp.bitwise_count(n), jnp.invert(n), jnp.left_shift(n, 3)
