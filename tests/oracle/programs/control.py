# SPDX-License-Identifier: Apache-2.0
"""Control flow: scan, while, fori, cond and switch, nested in each other, closed over, batched and differentiated."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


@program("f32[]", "f32[5,3]", "f32[3]")
def scan_all_parts(c, xs, w):
    def step(carry, x):
        n, acc = carry
        return (n + 1, acc + (x * w).sum()), (acc, x * n)

    return lax.scan(step, (0, c), xs)


@program("f32[4]")
def scan_forms(x):
    add = lambda c, v: (c + v, c)
    return (
        lax.scan(add, 0.0, x, reverse=True),
        lax.scan(add, 1.0, x, unroll=2),
        lax.scan(lambda c, _: (c * 2, None), x, None, length=3),
        lax.map(jnp.sin, x),
        lax.scan(lambda c, v: (None, v + 1), None, x)[1],
    )


@program("f32[3]", "f32[6,3]")
def scan_inside_scan(c, xs):
    inner = lambda c, x: (c * x, c)
    outer = lambda c, x: (lax.scan(inner, c.sum(), x)[0] + c, x.sum())
    return lax.scan(outer, c, xs)


@program("f32[3]", "f32[4,3]")
def scan_gradient(c, xs):
    return jax.grad(lambda c: lax.scan(lambda c, x: (jnp.sin(c) * x, c), c, xs)[0].sum())(c)


@program("f32[2,3]", "f32[2,4,3]")
def scan_batched(c, xs):
    return jax.vmap(lambda c, xs: lax.scan(lambda c, x: (c + x, (c * x).sum()), c, xs))(c, xs)


@program("i32[]", "f32[4]")
def while_all_parts(n, x):
    limit, scale = n * 2, jnp.cos(x)
    return lax.while_loop(lambda s: (s[0] < limit) & (s[1].sum() < 100.0), lambda s: (s[0] + 1, s[1] * scale), (0, x))


@program("f32[]")
def while_scalar(x):
    return lax.while_loop(lambda c: c > 1.0, lambda c: c / 2, x)


@program("f32[3]", "i32[3]")
def while_batched(x, n):
    return jax.vmap(lambda x, n: lax.while_loop(lambda s: s[1] > 0, lambda s: (s[0] * 2, s[1] - 1), (x, n)))(x, n)


@program("f32[3]", "i32[]")
def counted_loops(x, n):
    body = lambda i, c: c * i + x
    return lax.fori_loop(0, 4, body, x), lax.fori_loop(0, n, body, x), lax.fori_loop(n, 10, lambda i, c: c + i, 0)


@program("f32[3]")
def counted_loop_tangent(x):
    return jax.jvp(lambda x: lax.fori_loop(0, 4, lambda i, c: jnp.sin(c) * x, x), (x,), (x,))


@program("bool[]", "f32[3]", "f32[3]")
def cond_forms(p, x, y):
    return (
        lax.cond(p, jnp.sin, jnp.cos, x),
        lax.cond(p, lambda: x, lambda: y),
        lax.cond(x.sum() > 0, lambda v: (v, 1), lambda v: (v * 2, 0), y),
        lax.cond(p, lambda x, y: x + y, lambda x, y: x, x, y),
    )


@program("i32[]", "f32[3]")
def switch_forms(i, x):
    return lax.switch(i, [jnp.sin, lambda v: v * 2 + x.sum(), lambda v: jnp.zeros(3)], x), lax.switch(
        i, [lambda: 1, lambda: 2]
    )


@program("i32[4]", "f32[4,3]")
def switch_batched(i, x):
    return jax.vmap(lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.tanh], x))(i, x)


@program("bool[]", "f32[2]")
def cond_gradient(p, x):
    return jax.grad(lambda x: lax.cond(p, lambda v: (v**3).sum(), lambda v: jnp.exp(v).sum(), x))(x)


@program("f32[]", "f32[]")
def cond_inside_while_inside_scan(x, y):
    def step(c, _):
        c = lax.while_loop(lambda v: v < 3.0, lambda v: lax.cond(v > y, lambda u: u + 1, lambda u: u * 2, v), c)
        return c, c * y

    return lax.scan(step, x, None, length=2)


@program("f32[]")
def jit_forms(x):
    @jax.jit
    def inner(a, b=2.0):
        return a * b, a + 1

    def named(a):
        return jnp.sin(a)

    return (
        inner(x),
        inner(x)[1],
        jax.jit(named, inline=True)(x),
        jax.jit(named, keep_unused=True)(x),
        jax.jit(lambda: 3.0)(),
    )


@program("f32[3]", "f32[3]")
def jit_static_and_donated(x, y):
    f = jax.jit(lambda n, a, b: a * n + b, static_argnums=0, donate_argnums=1)
    return f(3, x, y) + f(2, x, y)


@program("f32[4]")
def remat_forms(x):
    f = lambda v: jnp.sin(jnp.cos(v)).sum()
    save = jax.checkpoint_policies.dots_saveable
    return (
        jax.checkpoint(f)(x),
        jax.grad(jax.checkpoint(f))(x),
        jax.grad(jax.remat(f, policy=save, prevent_cse=False))(x),
    )


@program("f32[4]")
def remat_of_named_values(x):
    from jax.ad_checkpoint import checkpoint_name

    keep = jax.checkpoint_policies.save_only_these_names("kept")
    return jax.grad(jax.checkpoint(lambda v: jnp.cos(checkpoint_name(jnp.sin(v), "kept")).sum(), policy=keep))(x)


@program("f32[3]")
def derivative_towers(x):
    f = lambda v: (v**3 * jnp.exp(v)).sum()
    return jax.grad(f)(x), jax.hessian(f)(x), jax.jacrev(jnp.sin)(x), jax.jacfwd(jnp.tan)(x), jax.jvp(f, (x,), (x,))


@program("f32[3]")
def linearised(x):
    y, pull = jax.vjp(lambda v: jnp.sin(v) * v, x)
    _, push = jax.linearize(lambda v: jnp.cos(v).sum(), x)
    return pull(y), push(x), jax.linear_transpose(lambda v: 3 * v, x)(y)


@program("i32[]", "i32[]")
def greatest_common_divisor(a, b):
    return lax.while_loop(lambda s: s[1] != 0, lambda s: (s[1], s[0] % s[1]), (a, b))[0], jnp.gcd(a, b), jnp.lcm(a, b)


@program("f32[8]")
def platforms(x):
    return lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos)


@program("f32[3]")
def evaluated_closures(x):
    closed = jax.make_jaxpr(lambda v: jnp.sin(v) + 1)(x)
    return (
        jax.core.jaxpr_as_fun(closed)(x)
        if hasattr(jax.core, "jaxpr_as_fun")
        else jax.extend.core.jaxpr_as_fun(closed)(x)
    )


@program("f32[]")
def carry_of_many_types(x):
    start = (jnp.int8(0), jnp.bfloat16(1.0), x, True, jnp.zeros((2, 0)), {"a": jnp.uint32(3)})

    def step(c, i):
        a, b, x, p, z, d = c
        return (a + jnp.int8(1), b * b, x + i, ~p, z, {"a": d["a"] ^ 1}), (a, p)

    return lax.scan(step, start, jnp.arange(3.0))
