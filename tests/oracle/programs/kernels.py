# SPDX-License-Identifier: Apache-2.0
"""Pallas kernels, interpreted: blocks, grids, scratch memory, masks, scalar prefetch and kernel-side control flow."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl

from functions import program

call = functools.partial(pl.pallas_call, interpret=True)


def block(shape, index_map):
    """BlockSpec took its two arguments the other way round until 0.4.30."""
    try:
        return pl.BlockSpec(block_shape=shape, index_map=index_map)
    except TypeError:
        return pl.BlockSpec(index_map, shape)


out = lambda *shape: jax.ShapeDtypeStruct(shape, np.float32)


@program("f32[8]", "f32[8]")
def kernel_add(x, y):
    def kernel(a, b, o):
        o[...] = a[...] + b[...]

    return call(kernel, out_shape=out(8))(x, y)


@program("f32[16,8]")
def kernel_blocks(x):
    def kernel(a, o):
        o[...] = a[...] * 2 + pl.program_id(0)

    spec = block((4, 8), lambda i: (i, 0))
    return call(kernel, grid=(4,), in_specs=[spec], out_specs=spec, out_shape=out(16, 8))(x)


@program("f32[8,6]", "f32[6,4]")
def kernel_product(x, y):
    def kernel(a, b, o):
        @pl.when(pl.program_id(1) == 0)
        def _():
            o[...] = jnp.zeros_like(o)

        o[...] += a[...] @ b[...]

    return call(
        kernel,
        grid=(2, 1),
        in_specs=[block((4, 6), lambda i, j: (i, 0)), block((6, 4), lambda i, j: (0, 0))],
        out_specs=block((4, 4), lambda i, j: (i, 0)),
        out_shape=out(8, 4),
    )(x, y)


@program("f32[8]")
def kernel_loops(x):
    def kernel(a, o):
        o[...] = jnp.zeros(8)

        def body(i, c):
            o[i] = a[i] * c
            return c + 1

        lax.fori_loop(0, 8, body, 1.0)
        o[0] = lax.cond(a[0] > 0, lambda: a[1], lambda: a[2])

    return call(kernel, out_shape=out(8))(x)


@program("f32[8]", "i32[]")
def kernel_slices(x, i):
    def kernel(a, n, o):
        k = n[()] if n.shape == () else n[0]
        o[pl.ds(0, 4)] = a[pl.ds(k, 4)]
        o[pl.ds(4, 4)] = a[4:] + a[-1]

    return call(kernel, out_shape=out(8))(x, i)


@program("f32[8]")
def kernel_two_results(x):
    def kernel(a, o, p):
        o[...] = jnp.sin(a[...])
        p[...] = (a[...] > 0).astype(jnp.int32)

    return call(kernel, out_shape=[out(8), jax.ShapeDtypeStruct((8,), np.int32)])(x)


@program("f32[8]")
def kernel_aliased(x):
    def kernel(a, o):
        o[...] = o[...] + 1

    return call(kernel, out_shape=out(8), input_output_aliases={0: 0})(x)


@program("f32[8]")
def kernel_masked(x):
    def kernel(a, o):
        m = jnp.arange(8) < 5
        if hasattr(pl, "load"):
            pl.store(o, (slice(None),), pl.load(a, (slice(None),), mask=m, other=0.0), mask=m)
        else:
            o[...] = jnp.where(m, a[...], 0.0)

    return call(kernel, out_shape=out(8))(x)


@program("f32[4,8]")
def kernel_batched(x):
    def kernel(a, o):
        o[...] = a[...] + 1

    return jax.vmap(call(kernel, out_shape=out(8)))(x)


@program("f32[8]")
def kernel_debug(x):
    def kernel(a, o):
        o[...] = jax.jit(jnp.tanh)(a[...])
        pl.debug_print("value {}", a[0])

    return call(kernel, out_shape=out(8), name="own_kernel")(x)


@program("i32[2]", "f32[8,4]")
def kernel_prefetched(idx, x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(s, a, o, scratch):
        scratch[...] = a[...]
        o[...] = scratch[...] * s[0]

    spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1,
        grid=(2,),
        in_specs=[block((4, 4), lambda i, s: (s[i], 0))],
        out_specs=block((4, 4), lambda i, s: (i, 0)),
        scratch_shapes=[pltpu.VMEM((4, 4), jnp.float32)],
    )
    return call(kernel, grid_spec=spec, out_shape=out(8, 4))(idx, x)


@program("f32[8,128]")
def kernel_copies(x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o, sem):
        copy = pltpu.make_async_copy(a, o, sem)
        copy.start()
        copy.wait()

    anywhere = pl.BlockSpec(memory_space=getattr(pl, "ANY", None) or pltpu.ANY)
    return call(
        kernel, in_specs=[anywhere], out_specs=anywhere, out_shape=out(8, 128), scratch_shapes=[pltpu.SemaphoreType.DMA]
    )(x)


@program("f32[8,128]")
def kernel_scoped(x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o):
        def body(tmp, sem):
            tmp[...] = a[...] * 2
            pltpu.sync_copy(tmp, o) if hasattr(pltpu, "sync_copy") else None
            o[...] = tmp[...]

        pl.run_scoped(body, pltpu.VMEM((8, 128), jnp.float32), pltpu.SemaphoreType.REGULAR)

    return call(kernel, out_shape=out(8, 128))(x)


@program("f32[8,128]")
def kernel_semaphores(x):
    from jax.experimental.pallas import tpu as pltpu

    signal = getattr(pl, "semaphore_signal", None) or pltpu.semaphore_signal
    wait = getattr(pl, "semaphore_wait", None) or pltpu.semaphore_wait

    def kernel(a, o, sem):
        signal(sem, 2)
        wait(sem, 2)
        o[...] = a[...]

    return call(kernel, out_shape=out(8, 128), scratch_shapes=[pltpu.SemaphoreType.REGULAR])(x)


@program("f32[16,128]")
def kernel_for_tpu(x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o, acc):
        acc[...] = pltpu.roll(a[...], 1, 0) + jnp.broadcast_to(a[0:1, :], (16, 128))
        o[...] = acc[...].astype(jnp.float32)
        o[pl.ds(pl.program_id(0), 1), :] = acc[0:1, :] * pl.num_programs(0)

    space = pl.BlockSpec(memory_space=pltpu.VMEM)
    return pl.pallas_call(
        kernel,
        grid=(2,),
        in_specs=[space],
        out_specs=space,
        out_shape=out(16, 128),
        scratch_shapes=[pltpu.VMEM((16, 128), jnp.float32)],
    )(x)


@program("i32[4]", "f32[8,128]")
def kernel_scalar_memory(n, x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(s, a, o):
        o[...] = a[...] * s[1].astype(jnp.float32)

        @pl.when(s[0] > 0)
        def _():
            o[0, :] = a[1, :]

    return pl.pallas_call(
        kernel,
        in_specs=[pl.BlockSpec(memory_space=pltpu.SMEM), pl.BlockSpec(memory_space=pltpu.VMEM)],
        out_specs=pl.BlockSpec(memory_space=pltpu.VMEM),
        out_shape=out(8, 128),
    )(n, x)


@program("f32[8,128]")
def kernel_remote_copy(x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o, send, receive):
        kind = getattr(pl, "DeviceIdType", None) or pltpu.DeviceIdType
        copy = pltpu.make_async_remote_copy(a, o, send, receive, device_id=(1,), device_id_type=kind.MESH)
        copy.start()
        copy.wait()

    anywhere = pl.BlockSpec(memory_space=getattr(pl, "ANY", None) or pltpu.ANY)
    return pl.pallas_call(
        kernel,
        in_specs=[anywhere],
        out_specs=anywhere,
        out_shape=out(8, 128),
        scratch_shapes=[pltpu.SemaphoreType.DMA] * 2,
    )(x)


@program("f32[8,128]")
def kernel_partial_copies(x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o, tmp, sem):
        def body(i, c):
            pltpu.make_async_copy(a.at[pl.ds(i * 2, 2)], tmp, sem).start()
            pltpu.make_async_copy(tmp, o.at[pl.ds(0, 2), :], sem).wait()
            return c

        lax.fori_loop(0, 4, body, 0)

    anywhere = pl.BlockSpec(memory_space=getattr(pl, "ANY", None) or pltpu.ANY)
    return pl.pallas_call(
        kernel,
        in_specs=[anywhere],
        out_specs=anywhere,
        out_shape=out(8, 128),
        scratch_shapes=[pltpu.VMEM((2, 128), jnp.float32), pltpu.SemaphoreType.DMA],
    )(x)


@program("f32[8,128]")
def kernel_reference_transforms(x):
    from jax.experimental.pallas import tpu as pltpu

    def kernel(a, o):
        o[...] = a.bitcast(jnp.int32)[...].astype(jnp.float32) + a.reshape(4, 256)[0:1, 0:128]

    space = pl.BlockSpec(memory_space=pltpu.VMEM)
    return pl.pallas_call(kernel, in_specs=[space], out_specs=space, out_shape=out(8, 128))(x)
