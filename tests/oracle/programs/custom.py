# SPDX-License-Identifier: Apache-2.0
"""Custom rules: derivative rules, batching rules, transposition, dead code, callbacks and composite operations."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from functions import program


@jax.custom_jvp
def squash(x):
    return x / (1 + jnp.abs(x))


@squash.defjvp
def squash_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return squash(x), t / (1 + jnp.abs(x)) ** 2


@jax.custom_vjp
def clipped(x, y):
    return x * y


clipped.defvjp(lambda x, y: (x * y, (x, y)), lambda res, g: (jnp.clip(g, -1, 1) * res[1], jnp.clip(g, -1, 1) * res[0]))


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def scaled(n, x):
    return n * x


scaled.defvjp(lambda n, x: (n * x, None), lambda n, _, g: (g / n,))


@program("f32[3]")
def custom_jvp_forms(x):
    return squash(x), jax.jvp(squash, (x,), (x,)), jax.grad(lambda v: squash(v).sum())(x), jax.vmap(squash)(x)


@program("f32[3]", "f32[3]")
def custom_vjp_forms(x, y):
    return clipped(x, y), jax.grad(lambda a: clipped(a, y).sum())(x), scaled(3, x), jax.vmap(clipped)(x, y)


@program("f32[3]", "f32[3]")
def custom_vjp_under_jit_scan(x, y):
    return jax.jit(clipped)(x, y), lax.scan(lambda c, _: (clipped(c, y), c), x, None, length=2)


@program("f32[3]", "f32[3]")
def custom_vjp_tangents_left_open(x, y):
    return jax.linearize(lambda a: clipped(a, y), x)[1](y)


@program("f32[4]")
def relu_family(x):
    return (
        jax.nn.relu(x),
        jax.nn.relu6(x),
        jax.nn.elu(x),
        jax.nn.silu(x),
        jax.nn.gelu(x),
        jax.nn.softplus(x),
        jax.nn.leaky_relu(x),
    )


@program("f32[3]")
def custom_batching(x):
    @jax.custom_batching.custom_vmap
    def f(v):
        return v * 2

    @f.def_vmap
    def rule(size, batched, v):
        return v + v, batched[0]

    return f(x[0]), jax.vmap(f)(x)


@program("f32[3]", "f32[]")
def custom_dead_code(x, y):
    from jax.experimental.custom_dce import custom_dce

    @custom_dce
    def f(a, b):
        return jnp.sin(a), jnp.cos(b)

    @f.def_dce
    def rule(used, a, b):
        return tuple(v if u else None for u, v in zip(used, (jnp.sin(a), jnp.cos(b))))

    return f(x, y)[0]


@program("f32[3]", "f32[3]")
def custom_transposition(x, r):
    from jax._src.core import ShapedArray
    from jax._src.custom_transpose import custom_transpose

    @custom_transpose
    def f(r, v):
        return v / r

    f.def_transpose(lambda r, ct: ct / r)
    return f(ShapedArray((3,), np.dtype("float32")), r, x)


@program("f32[3]")
def call_linear(x):
    from jax.custom_derivatives import linear_call

    return linear_call(lambda r, v: r * v, lambda r, g: r * g, x, x + 1)


@program("f32[3]", "i32[]")
def callbacks(x, n):
    shape = jax.ShapeDtypeStruct((3,), np.float32)
    y = jax.pure_callback(lambda v: np.sin(v), shape, x)
    jax.debug.print("x is {x}, n = [{}], ->", n, x=x)
    jax.debug.callback(lambda v: None, y, ordered=True)
    return y


@program("f32[3]", judged=False)
def callback_unbalanced(x):
    jax.debug.print("a bracket [ and {}", x)


@program("f32[3]")
def callbacks_io(x):
    from jax.experimental import io_callback

    y = io_callback(lambda v: v, jax.ShapeDtypeStruct((3,), np.float32), x, ordered=True)
    io_callback(lambda v: None, None, y)
    return lax.scan(lambda c, v: (c + io_callback(lambda a: a, jax.ShapeDtypeStruct((), np.float32), v), None), 0.0, y)


@program("f32[3]")
def callback_only(x):
    jax.debug.print("")


@program("f32[3]")
def callbacks_in_branches(x):
    return lax.cond(x[0] > 0, lambda v: (jax.debug.print("{}", v), v)[1], lambda v: v, x)


@program("f32[3]")
def checked_errors(x):
    from jax.experimental import checkify

    def f(v):
        checkify.check(v[0] > 0, "must be positive: {v}", v=v[0])
        return jnp.log(v)

    return checkify.checkify(f)(x)[1], checkify.checkify(f, errors=checkify.float_checks)(x)


@program("f32[3]")
def composite_operation(x):
    @functools.partial(lax.composite, name="own.softsign", version=2)
    def softsign(v, *, scale):
        return v / (scale + jnp.abs(v))

    return softsign(x, scale=np.float32(2.0))


@program("f32[3]")
def derivatives_of_integers(x):
    n = jnp.arange(3)
    return jax.jvp(lambda n: n * 2, (n,), (np.zeros(3, jax.dtypes.float0),)), jax.vjp(lambda a, n: a * n, x, n)[1](x)


@program("f32[4]")
def foreign_call(x):
    ffi = getattr(jax, "ffi", None) or jax.extend.ffi
    call = ffi.ffi_call("own_target", jax.ShapeDtypeStruct((4,), np.float32), vmap_method="sequential")
    return call(x, alpha=np.int32(3))


@program("f32[2,2]")
def numpy_as_constant(x):
    table = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    return x + table, jnp.asarray(table) @ x, lax.scan(lambda c, v: (c + v.sum(), v @ table), 0.0, x[None])


@program("f32[3,4]", "f32[4,5]")
def remat_to_the_host(x, w):
    from jax.ad_checkpoint import checkpoint_name

    keep = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=["product"],
        names_which_can_be_offloaded=["bent"],
        offload_src="device",
        offload_dst="pinned_host",
    )

    def layer(x, w):
        return checkpoint_name(jnp.tanh(checkpoint_name(x @ w, "product")), "bent") @ w.T

    layer = jax.checkpoint(layer, policy=keep)
    return jax.grad(lambda x, w: layer(layer(x, w), w).sum(), (0, 1))(x, w)
