# SPDX-License-Identifier: Apache-2.0
"""shard_map over axes of all kinds, with other programs inside: seeds of `equations`, which `record` does not trace.

One idea: {V:..}, {U:..} and {R:..} in types are created, passed on and removed by every operation that can do so: a
changed type or spec is wrong in one place.
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from functions import current_mesh, explicit_mesh, mesh, program, shard_map

try:
    from jax._src.core import reduced_vary_cast
    from jax._src.lax import parallel
except ImportError:  # before 0.9
    parallel = None

ROWS = (("x", 4), ("y", 2))


def over(in_specs, out_specs, explicit=True, **more):
    """Registers the decorated body under shard_map, which takes `more`, except `specs`, the argument types."""
    specs = more.pop("specs", ("f32[8@x,4]",) if explicit else ("f32[8,4]",))

    def register(body):
        def whole(*args):
            return shard_map(body, current_mesh[-1] if explicit else mesh(*ROWS), in_specs, out_specs, **more)(*args)

        whole.__name__, whole.__module__ = body.__name__, __name__
        return program(*specs, context=explicit_mesh if explicit else None)(whole)

    return register


@over(P("x"), (P(), P("x")))
def axes_sums(a):
    return lax.psum(a, "x"), lax.pmax(a, "x") * a


@over(P("x"), P("x"), explicit=False)
def axes_moves(a):
    a = lax.ppermute(lax.all_gather(a, "x", tiled=True), "x", [(0, 1), (1, 0)])
    return lax.psum_scatter(a, "x", tiled=True) + lax.axis_index("x")


@over(P("x"), P("x"))
def axes_exchange(a):
    return lax.all_to_all(a, "x", 1, 0, tiled=True)


@over(P("x"), P("x"))
def axes_scan(a):
    def body(c, row):
        return c + lax.psum(row, "x"), c * row

    return lax.scan(body, lax.pcast(jnp.zeros((4,)), ("x",), to="varying"), a)[1]


@over(P("x"), P("x"), explicit=False)
def axes_branches(a):
    return lax.cond(lax.psum(a.sum(), "x") > 0, lambda v: v * 2, jnp.cos, a)


@over(P("x"), P("x"))
def axes_loop(a):
    return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, jax.jit(jnp.sin)(c[1])), (0, a))[1]


@over(P("x"), P("x"), axis_names={"x"}, specs=("f32[8@x,4@y]",))
def axes_left(a):
    return jnp.tanh(a) * 2


@over(P("x"), P("x"), specs=("f32[8@x,4]{U:y}",), axis_names={"x"})
def axes_left_unreduced(a):
    return -a + a


@over(P("x"), P("x"), explicit=False, axis_names={"x"})
def axes_nested(a):
    return jax.shard_map(lambda b: lax.psum(b, "y") * 2, in_specs=P(None, "y"), out_specs=P(), axis_names={"y"})(jnp.sin(a))


@over(P("x", unreduced={"y"}), (P("x"), P("x", unreduced={"y"})), specs=("f32[8@x,4]{U:y}",))
def axes_given_unreduced(a):
    return parallel.unreduced_psum(a, "y"), -a


@over(P("x", reduced={"y"}), (P(("x", "y")), P("x", reduced={"y"})), specs=("f32[8@x,4]{R:y}",))
def axes_given_reduced(a):
    return reduced_vary_cast(a, "y"), jnp.sin(a)


@over(P("x"), (P(), P("x"), P(unreduced={"x"})))
def axes_unreduced(a):
    u = parallel.vary_unreduced_cast(a, "x")
    return parallel.unreduced_psum(u + u, "x"), parallel.unreduced_psum_scatter(-u, "x", scatter_dimension=1, tiled=True), u.T


@over(P("x"), P("x"))
def axes_reduced(a):
    r = parallel.all_gather_reduced(a, "x", tiled=True)
    return reduced_vary_cast(jnp.exp(r) * parallel.preduced(jnp.ones((8, 4)), "x"), "x")


@over((P("x"), P("x")), P())
def axes_product(a):
    return parallel.unreduced_psum(parallel.vary_unreduced_cast(a, "x") * parallel.preduced(jnp.ones((2, 4)), "x"), "x")


@over(P("x"), P())
def axes_unreduced_scan(a):
    def body(c, _):
        return jax.jit(lambda v: v + v)(c), None

    return parallel.unreduced_psum(lax.scan(body, parallel.vary_unreduced_cast(a, "x"), None, length=2)[0], "x")


@over(P("x"), P("x", "y"), check=False)
def axes_unchecked(a):
    return lax.psum(lax.all_gather(a, "x"), "x")[0]


@program("f32[8@x]", "f32[5,8@x]", context=explicit_mesh)
def axes_scan_of_sharded(a, b):
    return lax.scan(lambda c, row: (c * row, jnp.sin(row)), a, b)


@program("f32[8@x]{U:y}", "f32[5,8@x]{U:y}", context=explicit_mesh)
def axes_scan_of_unreduced(a, b):
    return lax.scan(lambda c, row: (c + row, -row), a, b)


@program("f32[8@x,4@y]", "f32[4@y,6]", context=explicit_mesh)
def axes_unreduced_product(a, b):
    return jax.sharding.reshard(jnp.einsum("ab,bc->ac", a, b, out_sharding=P("x", unreduced={"y"})), P("x"))


@program("f32[8@x,4]{U:y}", context=explicit_mesh)
def axes_unreduced_shapes(a):
    a = jnp.concatenate([a, lax.pad(a, 0.0, [(0, 0, 0), (1, 1, 0)])], 1)
    return lax.split(a, (6, 4), 1), a.reshape(80, out_sharding=P("x", unreduced={"y"})), a.sum(1)


@program("f32[8@x,4]", context=explicit_mesh)
def axes_asked_for(a):
    b = lax.broadcasted_iota(jnp.float32, (8, 4), 0, out_sharding=P("x", unreduced={"y"}))
    return b, jax.device_put(a, P("y")), jnp.arange(8.0, out_sharding=P("x"))
