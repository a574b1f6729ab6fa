# SPDX-License-Identifier: Apache-2.0
"""Arrays whose types say how their axes lie on a mesh (from 0.6 on): what each kind of primitive makes of that.

One idea: a small program for each rule that places its results, so that its mutants change one sharding at a time.
"""

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from functions import explicit_mesh, program


def sharded(*specs):
    return program(*specs, context=explicit_mesh)


@sharded("f32[8@x,4]", "f32[4,6@y]")
def sharded_product(a, b):
    return lax.dot_general(a, b, (((1,), (0,)), ((), ())))


@sharded("f32[8@x,4,2]", "f32[8@x,2,6@y]")
def sharded_batched_product(a, b):
    return lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,))))


@sharded("f32[8@x,4]", "f32[4,6@y]")
def sharded_einsum(a, b):
    return jnp.einsum("ab,bc->ac", a, b, out_sharding=P("x", None))


@sharded("f32[8@x,8]")
def sharded_splitting_reshape(x):
    return x.reshape(8, 2, 4)


@sharded("f32[8@x,8@y]")
def sharded_leading_reshape(x):
    return x.reshape(1, 8, 8, 1)


@sharded("f32[8@x,8@y]")
def sharded_broadcast(x):
    return lax.broadcast_in_dim(x, (2, 8, 8), (1, 2))


@sharded("f32[8@x,8@y]")
def sharded_extrema(x):
    return x.max(1), x.min(0)


@sharded("f32[8@x,8@y]")
def sharded_sums(x):
    return x.sum(0), x.sum((0, 1))


@sharded("f32[8@x,8]")
def sharded_arguments(x):
    return jnp.argmax(x, 1), lax.argmin(x, 1, jnp.int32)


@sharded("f32[4@x,8@y,2]")
def sharded_transpose(x):
    return jnp.transpose(x, (2, 0, 1))


@sharded("f32[8@x,8]")
def sharded_concatenate(x):
    return jnp.concatenate([x, x], 1)


@sharded("f32[8@x,8]")
def sharded_windows(x):
    return lax.slice(x, (0, 1), (8, 5)), lax.pad(x, 0.0, [(0, 0, 0), (1, 1, 0)]), lax.rev(x, (1,))


@sharded("f32[8@x,8]")
def sharded_scans_of_an_axis(x):
    return jnp.cumsum(x, 1), jnp.sort(x, 1)


@sharded("f32[8@x,1,8@y]")
def sharded_squeeze(x):
    return lax.squeeze(x, (1,))


@sharded("f32[8@x,8@y]", "f32[8@x,8@y]")
def sharded_choices(a, b):
    return lax.select(a > 0, a, b), lax.clamp(0.0, a, 1.0), a + b


@sharded("f32[8@x,8]", "f32[8@x,4]")
def sharded_dynamic_slices(x, u):
    return lax.dynamic_slice(x, (0, 1), (8, 4)), lax.dynamic_update_slice(x, u, (0, 1))


@sharded("f32[8,8@x]")
def sharded_scan(x):
    return lax.scan(lambda c, v: (c + v.sum(), v * 2), 0.0, x)


@sharded("f32[8@y,8@x]")
def sharded_branches(x):
    return lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x)


@sharded("f32[8@y,8@x]")
def sharded_loop(x):
    return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x))


@sharded("f32[8@y,8@x]")
def sharded_calls(x):
    return jax.jit(lambda v: jnp.sin(v) * 2)(x), jax.checkpoint(lambda v: jnp.cos(v) * 2)(x)


@sharded("f32[8@x,8]")
def sharded_softmax(x):
    return jax.nn.softmax(x, -1)


@sharded("f32[8@x,8@y]")
def sharded_gradient(x):
    return jax.grad(lambda v: (jnp.sin(v) * 2).sum())(x)


@sharded("f32[8@x,8@y]")
def sharded_views(x):
    return lax.bitcast_convert_type(x, jnp.int32), lax.optimization_barrier(x), lax.stop_gradient(x) * x


@sharded("f32[8@x,8@y]")
def sharded_call_of_a_maximum(x):
    return jax.jit(lambda v: v.max(1))(x), jax.jit(lambda v: v.min(0))(x)


@sharded("f32[8@x]", "f32[8@x]", "f32[8@x]")
def sharded_stack(a, b, c):
    return lax.stack([a, b, c], axis=1)


@sharded("f32[8@x,4]", "f32[8@x,2]", "f32[8@x,6]")
def sharded_concatenate_of_three(a, b, c):
    return lax.concatenate([a, b, c], 1)


@sharded("i32[8@x,8]", "f32[8@x,8]", "f32[8@x,8]", "f32[8@x,8]")
def sharded_choices_of_three(which, a, b, c):
    return lax.select_n(which, a, b, c), lax.clamp(a, b, c)


@sharded("u32[8@x,2]", "i32[8@x]")
def sharded_keys(words, data):
    keys = jax.random.wrap_key_data(words, impl="threefry2x32")
    bits = jax.random.bits(keys[0], (4,))
    return jax.random.key_data(jax.vmap(jax.random.fold_in)(keys, data)), jax.vmap(lambda k: jax.random.split(k, 3))(keys), bits


@sharded("u32[4@x]")
def sharded_generator(key):
    return lax.rng_bit_generator(key, (4, 8))


@sharded("f32[8@x,8]", "f32[8@x,8]")
def sharded_reduction_of_two(a, b):
    return lax.reduce((a, b), (0.0, 1.0), lambda x, y: (x[0] + 2 * y[0], x[1] * y[1]), (1,))


@sharded("f32[8@x,8]")
def sharded_windows_of_a_function(x):
    return lax.reduce_window(x, 1.0, lambda a, b: a * b + 1, (1, 2), (1, 1), "SAME")


@sharded("bool[]", "f32[8@x,8]", "f32[8@x,8]")
def sharded_branches_of_two(p, a, b):
    return lax.cond(p, lambda x, y: x + y, lambda x, y: y, a, b)
