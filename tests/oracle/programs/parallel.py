# SPDX-License-Identifier: Apache-2.0
"""Many devices: pmap, shard_map, every collective, shardings as parameters and shardings in types."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec as P

from functions import current_mesh, explicit_mesh, mesh, program, shard_map


@program("f32[8,4]")
def pmap_sum(x):
    return jax.pmap(lambda v: v / lax.psum(v, "i"), axis_name="i")(x)


@program("f32[8,4]", "f32[4]")
def pmap_broadcast(x, w):
    return jax.pmap(lambda v, w: (v * w, lax.axis_index("d")), in_axes=(0, None), axis_name="d")(x, w)


@program("f32[8,4]")
def shard_reductions(x):
    over = mesh(("x", 8))

    def f(v):
        return lax.psum(v, "x"), lax.pmax(v, "x"), lax.pmin(v, "x"), lax.pmean(v, "x")

    return shard_map(f, over, P("x"), P())(x)


@program("f32[8,4]")
def shard_exchanges(x):
    over = mesh(("x", 8))

    def f(v):
        ring = [(i, (i + 1) % 8) for i in range(8)]
        return (
            lax.ppermute(v, "x", ring),
            lax.all_gather(v, "x", tiled=True),
            lax.axis_index("x")[None],
            lax.pshuffle(v, "x", list(range(8))[::-1]),
        )

    return shard_map(f, over, P("x"), (P("x"), P("x"), P("x"), P("x")), check=False)(x)


@program("f32[64,8]")
def shard_scatter_and_transposition(x):
    over = mesh(("x", 8))

    def f(v):
        return (
            lax.psum_scatter(v, "x", scatter_dimension=0, tiled=True),
            lax.psum_scatter(v, "x"),
            lax.all_to_all(v, "x", 1, 0, tiled=True),
            lax.all_to_all(v, "x", 1, 1),
        )

    return shard_map(f, over, P("x", None), (P("x"), P("x"), P("x"), P("x")), check=False)(x)


@program("f32[8,16]", "f32[16,4]")
def shard_matrix_product(a, b):
    over = mesh(("x", 4), ("y", 2))
    f = lambda a, b: lax.psum(a @ b, "y")
    return shard_map(f, over, (P("x", "y"), P("y", None)), P("x", None))(a, b)


@program("f32[8,4]", "f32[4]")
def shard_gradient(x, w):
    over = mesh(("x", 8))
    loss = shard_map(lambda x, w: lax.psum((x * w).sum(), "x"), over, (P("x"), P()), P())
    return jax.grad(loss, 1)(x, w)


@program("f32[64,8]")
def shard_results_of_one(x):
    over = mesh(("x", 8))

    def f(v):
        low, high = lax.split(v, (4, 4))
        values, places = lax.top_k(v, 2)
        ordered, moved = lax.sort((v, v * 2), dimension=0, num_keys=1)
        q, r = lax.linalg.qr(v, full_matrices=False)
        summed, most = lax.reduce((v, v), (0.0, 0.0), lambda a, b: (a[0] + 2 * b[0], lax.max(a[1], b[1])), (1,))
        return low, high, values, places, ordered, moved, q, r, summed, most, *lax.optimization_barrier((v, low))

    return shard_map(f, over, P("x"), (P("x"),) * 12)(x)


@program("f32[8]")
def shard_with_scan(x):
    over = mesh(("x", 4), ("y", 2))

    def f(v):
        return lax.scan(lambda c, _: (c * 2, c.sum()), v, None, length=3)

    return shard_map(f, over, P(("x", "y")), (P(("x", "y")), P(None)), check=False)(x)


@program("f32[8,2]")
def shard_some_axes(x):
    over = mesh(("x", 4), ("y", 2))
    return shard_map(lambda v: lax.psum(v, "x"), over, P("x"), P(), axis_names={"x"})(x)


@program("f32[4,6]")
def mapped_axis_collectives(x):
    f = lambda v: (lax.psum(v, "i"), lax.axis_index("i"), lax.all_gather(v, "i"), lax.psum(1, "i"))
    return jax.vmap(f, axis_name="i")(x)


@program("f32[8,4]")
def constrained_sharding(x):
    over = mesh(("x", 8))
    s = NamedSharding(over, P("x", None))
    return (
        lax.with_sharding_constraint(x, s),
        jax.jit(jnp.sin, in_shardings=s, out_shardings=s)(x),
        jax.device_put(x, s),
    )


@program("f32[8@x,4]", context=explicit_mesh)
def sharded_type_elementwise(x):
    return jnp.sin(x) * 2 + x, x.sum(), x.sum(1), x.astype(jnp.bfloat16), x > 0


@program("f32[8@x,4@y]", context=explicit_mesh)
def sharded_type_movers(x):
    return x.T, x[None], jnp.broadcast_to(x, (3, 8, 4)), jnp.concatenate([x, x], 1) if False else x * 1, x.max(0)


@program("f32[8@x,6]", "f32[6,4@y]", context=explicit_mesh)
def sharded_type_product(a, b):
    return a @ b, jnp.einsum("ij,jk->ki", a, b)


@program("f32[8@x,4]", context=explicit_mesh)
def sharded_type_resharded(x):
    reshard = getattr(jax.sharding, "reshard", None) or jax.reshard
    return reshard(x, P(None, "y")), reshard(x, P())


@program("f32[8@x,4]", context=explicit_mesh)
def sharded_type_scan(x):
    return lax.scan(lambda c, _: (c + x, c.sum()), x, None, length=2), lax.cond(True, jnp.sin, jnp.cos, x)


@program("f32[8@x,4]", context=explicit_mesh)
def sharded_type_gradient(x):
    return jax.grad(lambda v: jnp.sum(jnp.tanh(v) ** 2))(x), jax.jit(lambda v: v * 2)(x)


@program("f32[8@x,4]", context=explicit_mesh)
def sharded_type_to_manual(x):
    return shard_map(lambda v: lax.psum(v * 2, "x"), current_mesh[-1], P("x", None), P(None, None))(x)


@program("f32[8]")
def varying_values(x):
    over = mesh(("x", 4), ("y", 2))

    def f(v):
        cast = (lambda a, n: lax.pcast(a, n, to="varying")) if hasattr(lax, "pcast") else lax.pvary
        return cast(jnp.ones(2), ("y",)) * v, cast(v, ("y",))

    return shard_map(f, over, P("x"), (P(("x", "y")), P(("x", "y"))))(x)


@program("f32[8,3]")
def ragged_exchange(x):
    over = mesh(("x", 8))

    def f(v):
        n = jnp.ones((8,), jnp.int32)
        return lax.ragged_all_to_all(v, jnp.zeros((8, 3)), n, n, n, n, axis_name="x")

    return shard_map(f, over, P("x"), P("x"), check=False)(x)


@program("f32[8]")
def memory_spaces(x):
    over = mesh(("x", 8))
    host = NamedSharding(over, P("x"), memory_kind="pinned_host")
    return jax.device_put(x, host)


@program("f32[8]")
def memory_space_of_type(x):
    return jax.device_put(x, jax.memory.Space.Host)


@program("f32[8]")
def compute_elsewhere(x):
    from jax.experimental.compute_on import compute_on

    def f(v):
        return v * 2

    try:
        return compute_on(f, compute_type="device_host", out_memory_spaces=jax.memory.Space.Device)(x)
    except (AttributeError, TypeError):  # the older form is a context
        with compute_on("device_host"):
            return jax.jit(f)(x)


def two_specs(check):
    def fn(x, w):
        over = mesh(("x", 2), ("y", 4))
        f = lambda x, w: (lax.psum(x @ w, "y"), lax.psum_scatter(x @ w, "y", scatter_dimension=1, tiled=True))
        return shard_map(f, over, (P("x", "y"), P("y")), (P("x"), P("x", "y")), check=check)(x, w)

    fn.__name__ = "shard_two_specs_%schecked" % ("" if check else "un")
    return program("f32[4,8]", "f32[8,12]")(fn)


two_specs(True), two_specs(False)
