# SPDX-License-Identifier: Apache-2.0
"""Primitives that few programs reach, one function each, so that a version without one loses that function alone."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from functions import current_mesh, explicit_mesh, mesh, program, shard_map


@program("f32[3]")
def rare_after_all(x):
    token = lax.after_all(lax.create_token(), lax.create_token())
    return x, token


@program("f32[5]", "i32[2]")
def rare_scatter_sub(x, i):
    return x.at[i].subtract(1.0) if hasattr(x.at[i], "subtract") else x.at[i].add(-1.0)


@program("f32[4,3]")
def rare_geqrf(a):
    from jax._src.lax.linalg import geqrf

    return geqrf(a)


@program("f32[4,3]", "f32[3]", "f32[4,2]")
def rare_ormqr(a, taus, c):
    return lax.linalg.ormqr(a, taus, c)


@program("f32[1,6,6,1]", "f32[1,3,3,1]")
def rare_select_and_scatter(x, g):
    from jax._src.lax.windowed_reductions import _select_and_scatter as scatter

    return scatter(x, lax.ge, (1, 2, 2, 1), (1, 2, 2, 1), ((0, 0),) * 4, g, jnp.float32(0), lax.add)


@program("f32[3]")
def rare_check_left(x):
    from jax.experimental import checkify

    checkify.check(x.sum() > 0, "sum {s}", s=x.sum())
    return x


@program("f32[8,4]")
def rare_layout_constraint(x):
    from jax.experimental.layout import Layout, with_layout_constraint

    return with_layout_constraint(x, Layout(major_to_minor=(1, 0)))


@program("f32[8]")
def rare_inspect_sharding(x):
    jax.debug.inspect_array_sharding(x, callback=lambda s: None)
    return x


@program("f32[8]")
def rare_axis_size(x):
    return shard_map(lambda v: v * lax.axis_size("x"), mesh(("x", 8)), P("x"), P("x"))(x)


@program("f32[8]")
def rare_all_gather_invariant(x):
    try:
        from jax._src.lax.parallel import all_gather_invariant as gather
    except ImportError:
        gather = functools.partial(lax.all_gather, to="invariant")
    return shard_map(lambda v: gather(v, "x", tiled=True), mesh(("x", 8)), P("x"), P())(x)


@program("f32[8@x,4]", context=explicit_mesh)
def rare_unreduced(x):
    return jnp.einsum("xy,xz->yz", x, x, out_sharding=P(None, None, unreduced={"x"}))


@program("f32[8]")
def rare_pbroadcast(x):
    return shard_map(lambda v: lax.pbroadcast(v, "x", 0), mesh(("x", 8)), P("x"), P("x"), check=False)(x)


@program("f32[8]")
def rare_empty_reference(x):
    ref = jax.empty_ref(jax.ShapeDtypeStruct((8,), np.float32))
    ref[...] = x
    return ref[...]


@program("f32[8]")
def rare_free_reference(x):
    ref = jax.new_ref(x)
    y = ref[...]
    jax.free_ref(ref)
    return y


@program("f32[8]")
def rare_empty(x):
    return lax.empty((8,), jnp.float32) + x


@program("f32[3]")
def rare_optimised_remat(x):
    @jax.custom_vjp
    def f(v):
        return jnp.sin(v)

    f.defvjp(lambda v: (jnp.sin(v), v), lambda res, g: (g * jnp.cos(res),), optimize_remat=True)
    return jax.linearize(f, x)[1](x)


@program("f32[2,4,8]", "f32[2,8,8]")
def rare_scaled_matmul(a, b):
    return jax.nn.scaled_matmul(a, b, jnp.ones((2, 4, 2), jnp.float8_e8m0fnu), jnp.ones((2, 8, 2), jnp.float8_e8m0fnu))


@program("f32[4]")
def rare_metadata(x):
    from jax.experimental.xla_metadata import set_xla_metadata

    with set_xla_metadata(own="yes"):
        return set_xla_metadata(jnp.sin(x), kind="value")


@program("f32[4]", "f32[4]")
def rare_shard_alike(x, y):
    from jax.experimental.shard_alike import shard_alike

    return shard_alike(x, y)


@program("f32[4]")
def rare_buffer_callback(x):
    from jax.experimental.buffer_callback import buffer_callback

    return buffer_callback(lambda *_: None, jax.ShapeDtypeStruct((4,), np.float32))(x)


@program("f32[8,128]")
def rare_kernel_primitives(x):
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o, sem):
        pltpu.prng_seed(3)
        o[...] = a[...] * pl.num_programs(0)
        o[0:1, :] = pltpu.repeat(a[0:1, 0:64], 2, 1) if hasattr(pltpu, "repeat") else a[1:2, :]
        pl.delay(8)
        pltpu.semaphore_read(sem) if hasattr(pltpu, "semaphore_read") else pl.semaphore_read(sem)

    space = pl.BlockSpec(memory_space=pltpu.VMEM)
    return pl.pallas_call(
        kernel,
        grid=(2,),
        in_specs=[space],
        out_specs=space,
        scratch_shapes=[pltpu.SemaphoreType.REGULAR],
        out_shape=jax.ShapeDtypeStruct((8, 128), np.float32),
    )(x)


@program("f32[16,128]")
def rare_kernel_pipeline(x):
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o):
        def body(p, q):
            q[...] = p[...] + 1.0

        spec = pl.BlockSpec((8, 128), lambda i: (i, 0))
        pltpu.emit_pipeline(body, grid=(2,), in_specs=[spec], out_specs=[spec])(a, o)

    anywhere = pl.BlockSpec(memory_space=getattr(pl, "ANY", None) or pltpu.ANY)
    return pl.pallas_call(
        kernel, in_specs=[anywhere], out_specs=anywhere, out_shape=jax.ShapeDtypeStruct((16, 128), np.float32)
    )(x)


@program("f32[8]")
def rare_gpu_kernel(x):
    from jax.experimental import pallas as pl

    def kernel(a, o):
        i = pl.program_id(0)
        mask = jnp.arange(4) + i * 4 < 7
        index = pl.ds(i * 4, 4)
        o[index] = jnp.where(mask, a[index], 0.0)
        pl.atomic_add(o, (0,), 1.0) if hasattr(pl, "atomic_add") else None

    return pl.pallas_call(kernel, grid=(2,), out_shape=jax.ShapeDtypeStruct((8,), np.float32))(x)


@program("f32[8@x,4@y]", context=explicit_mesh)
def rare_mesh_cast(x):
    from jax._src.pjit import mesh_cast

    auto = jax.sharding.AxisType.Auto
    free = current_mesh[-1].abstract_mesh.update_axis_types({"y": auto})
    return mesh_cast(x, jax.sharding.NamedSharding(free, P("x", None)))
