#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces programs that rules of lint must report, and similar ones that they must not, with the JAX of this Python.

    trace.py [FILE]

Appends a row for each program to FILE, or prints them: `{"id", "fires", "silent", "text"}`, where `fires` are the rules
that must report the text, and `silent` those that must not. traced.jsonl.xz has the rows of JAX 0.4.28 to 0.12.0. A
function that a version cannot trace is left out; `since` and `before` are the versions that print it as the rules expect."""

import functools
import importlib
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

VERSION = tuple(int(n) for n in jax.__version__.split(".")[:3])
REGISTER = []
F = np.float32


def traced(fires="", silent="", since=(0,), before=(99,), x64=False, color=False, literals=False):
    """registers a function that returns the arguments of make_jaxpr: a function and its arguments"""

    def register(make):
        if since <= VERSION < before:
            REGISTER.append((make, fires.split(), silent.split(), x64, color, literals))
        return make

    return register


def ones(*shape, dtype="float32"):
    return jnp.ones(shape, jnp.dtype(dtype))


def scaled(x, by):
    return np.asarray(x) * by


class Model:
    def scale(self, x):
        return np.asarray(x) * 2


# ---- G601: addresses; JAX hides them from 0.10 on ----


def call_out(callback, x):
    return jax.pure_callback(callback, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


@traced(fires="G601 G605 E401", before=(0, 10))
def address_of_lambda():
    return lambda x: call_out(lambda v: np.asarray(v) + 1, x), ones(3)


@traced(fires="G601 E401", before=(0, 10))
def address_of_method():
    return lambda x: call_out(Model().scale, x), ones(3)


@traced(fires="G601 E401", before=(0, 10))
def address_of_partial():
    return lambda x: call_out(functools.partial(scaled, by=3), x), ones(3)


@traced(fires="G601 E402", before=(0, 8))
def address_of_print():
    return lambda x: (jax.debug.print("x {}", x), jnp.sin(x))[1], ones()


@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, 0, 1)


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (g * (x > 0),))


@traced(fires="G601", before=(0, 6))
def address_of_rule():
    return lambda x: clipped(x) * 2, ones(4)


@traced(silent="G601", since=(0, 10))
def address_hidden():
    return lambda x: call_out(Model().scale, x) + clipped(x), ones(3)


@traced(silent="G601")
def no_address():
    return jax.jit(lambda x: jnp.sin(x) * 16), ones(0x10)


# ---- G602: colours ----


def block(x, w):
    return jnp.tanh(x @ w) + 1.0


@traced(fires="G602", color=True, since=(0, 6))
def coloured_block():
    return block, ones(2, 3), ones(3, 3)


@traced(fires="G602", color=True, since=(0, 6))
def coloured_scan():
    return lambda x: lax.scan(lambda c, y: (c + y, c * y), 0.0, x), ones(8)


@traced(fires="G602", color=True, since=(0, 6))
def coloured_gradient():
    return jax.grad(lambda w, x: jax.jit(block)(x, w).sum()), ones(3, 3), ones(2, 3)


@traced(fires="G602", color=True, since=(0, 6))
def coloured_branches():
    return lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x), ones(3)


@traced(silent="G602")
def plain_block():
    return block, ones(2, 3), ones(3, 3)


# ---- R502, R504: keys ----


@traced(fires="R502", silent="R501 R503 R504")
def captured_key():
    key = jax.random.key(7)
    return lambda x: x + jax.random.normal(key, x.shape), ones(4)


@traced(fires="R502", silent="R501")
def captured_key_split():
    key = jax.random.key(1)
    return lambda x: x * jax.random.uniform(jax.random.split(key)[0], x.shape), ones(4)


@traced(fires="R502 R504")
def captured_key_in_loop():
    key = jax.random.key(2)
    return lambda x: lax.fori_loop(0, 5, lambda i, c: c + jax.random.normal(key, c.shape), x), ones(4)


@traced(silent="R502 R504")
def captured_key_folded():
    """the key itself is never consumed: each number that is folded in gives another key"""
    key = jax.random.key(2)
    return lambda i, x: x + jax.random.normal(jax.random.fold_in(key, i), x.shape), 3, ones(4)


@traced(silent="R502 R503")
def passed_key():
    return lambda key, x: x + jax.random.normal(key, x.shape), jax.random.key(0), ones(4)


@traced(fires="R504", silent="R502")
def key_in_scan():
    return (
        lambda key, x: lax.scan(lambda c, y: (c + jax.random.normal(key) * y, None), 0.0, x)[0],
        jax.random.key(0),
        ones(6),
    )


@traced(fires="R504", silent="R502")
def key_in_while():
    def f(key, x):
        return lax.while_loop(lambda c: c.sum() < 9.0, lambda c: c + jax.random.uniform(key, c.shape), x)

    return f, jax.random.key(0), ones(4)


@traced(fires="R504")
def key_in_map():
    return lambda key, x: lax.map(lambda y: y * jax.random.bernoulli(key, 0.5), x), jax.random.key(0), ones(8)


@traced(silent="R504 R501")
def keys_scanned():
    def f(key, x):
        step = lambda c, kx: (c + jax.random.normal(kx[0]) * kx[1], None)
        return lax.scan(step, 0.0, (jax.random.split(key, 6), x))[0]

    return f, jax.random.key(0), ones(6)


@traced(silent="R504 R501")
def key_carried():
    def step(carry, y):
        key, now = jax.random.split(carry[0])
        return (key, carry[1] + jax.random.normal(now) * y), None

    return lambda key, x: lax.scan(step, (key, 0.0), x)[0][1], jax.random.key(0), ones(6)


@traced(silent="R504")
def key_folded_in_loop():
    def f(key, x):
        return lax.fori_loop(0, 5, lambda i, c: c + jax.random.normal(jax.random.fold_in(key, i), c.shape), x)

    return f, jax.random.key(0), ones(4)


@traced(silent="R501")
def key_in_branches():
    f = lambda key, i, x: lax.cond(i, lambda: jax.random.normal(key, x.shape), lambda: jax.random.uniform(key, x.shape))
    return f, jax.random.key(0), True, ones(3)


@traced(fires="R501")
def key_used_twice():
    return lambda k: (jax.random.normal(k, (3,)), jax.random.uniform(k, (3,))), jax.random.key(0)


@traced(fires="R501")
def key_split_late():
    def f(key, x):
        y = x + jax.jit(lambda k: jax.random.normal(k, (4,)))(key)
        return y * jax.random.uniform(jax.random.split(key)[1], (4,))

    return f, jax.random.key(0), ones(4)


@traced(fires="R501")
def key_folded_alike():
    def f(key, i):
        one, two = jax.random.fold_in(key, i), jax.random.fold_in(key, i)
        return jax.random.normal(one, (2,)) + jax.random.normal(two, (2,))

    return f, jax.random.key(0), 7


@traced(silent="R501")
def key_folded_otherwise():
    f = lambda key: [jax.random.normal(jax.random.fold_in(key, i), (2,)) for i in range(3)]
    return f, jax.random.key(0)


@traced(silent="R501")
def key_split_and_mapped():
    def f(key):
        one, two = jax.random.split(key)
        return jax.vmap(lambda k: jax.random.normal(k))(jax.random.split(one, 4)), jax.random.bits(two)

    return f, jax.random.key(0)


@traced(fires="R501")
def key_in_condition_and_body():
    cond = lambda k, c: jax.random.uniform(k) > c
    f = lambda key, x: lax.while_loop(lambda c: cond(key, c), lambda c: c + jax.random.normal(key), x)
    return f, jax.random.key(0), jnp.float32(0)


@traced(fires="R503")
def legacy_key_split():
    f = lambda k: [jax.random.normal(one, (2,)) for one in jax.random.split(k, 2)]
    return f, jax.random.PRNGKey(0)


@traced(fires="R503")
def legacy_key():
    return lambda k, x: x + jax.random.normal(k, x.shape), jax.random.PRNGKey(0), ones(4)


@traced(fires="R502 R503")
def legacy_key_made_inside():
    return lambda x: x * jax.random.bernoulli(jax.random.PRNGKey(3), 0.9, x.shape), ones(4)


# ---- P301, P302: what was captured ----


@traced(fires="P302", silent="P301", literals=True, since=(0, 7))
def literal_table():
    table = np.linspace(0, 1, 2048, dtype=F)
    return lambda x: x * table + jnp.sin(table), ones(2048)


@traced(fires="P302", literals=True, since=(0, 7))
def literal_in_call():
    weights = np.full((64, 64), 0.1, F)
    return lambda x: jax.jit(lambda y: y @ weights)(x) + x @ weights, ones(64)


@traced(fires="P302", literals=True, since=(0, 7))
def literal_in_loop():
    weights = np.full((32, 32), 0.1, F)
    mask = np.arange(1024) % 3 == 0
    return lambda x: (lax.fori_loop(0, 4, lambda i, y: jnp.tanh(y @ weights), x), jnp.where(mask, 0.0, 1.0)), ones(32)


@traced(silent="P302", literals=True, since=(0, 7))
def literal_small():
    return lambda x: x * np.arange(256, dtype=F), ones(256)


@traced(silent="P302 P301")
def made_inside():
    return lambda x: x * jnp.linspace(0, 1, 2048) + jnp.zeros(2048), ones(2048)


@traced(fires="P301", silent="P302", before=(0, 9))
def captured_weights():
    a, b = np.full((600, 600), 0.5, F), np.arange(1 << 19, dtype=np.int32)
    return lambda x: (jnp.asarray(a) @ x, jnp.asarray(b).sum()), ones(600)


@traced(fires="P301", silent="P302", before=(0, 9))
def captured_in_loop():
    w = np.full((512, 520), 0.5, F)
    return lambda x: lax.fori_loop(0, 4, lambda i, y: (y @ jnp.asarray(w))[:512], x), ones(512)


@traced(silent="P304 P305")
def two_captured():
    """two programs of equal text with different constants"""
    a, b = np.arange(16, dtype=F), np.arange(16, dtype=F) * 2
    one, two = (jax.jit(functools.partial(lambda c, x: jnp.sin(x) * c, c)) for c in (a, b))
    return lambda x: (one(x), two(x)), ones(16)


# ---- N203, N204: narrow sums ----


@traced(fires="N203")
def narrow_sum():
    return lambda x: lax.reduce(x, np.array(0, x.dtype), lax.add, (0,)), ones(1024, dtype="bfloat16")


@traced(fires="N203")
def narrow_sum_of_gradient():
    """the gradient of a broadcast adds up in the type of its operand"""
    f = lambda b, x: (x * lax.broadcast(b, (512,))).astype(jnp.float32).sum()
    return jax.grad(f), ones(4, dtype="bfloat16"), ones(512, 4, dtype="bfloat16")


@traced(fires="N203")
def narrow_running_sum():
    return lambda x: lax.cumsum(x, axis=1), ones(2, 300, dtype="float16")


@traced(fires="N203")
def narrow_window():
    zero = np.array(0, jnp.bfloat16)
    return lambda x: lax.reduce_window(x, zero, lax.add, (16, 32), (1, 1), "SAME"), ones(64, 64, dtype="bfloat16")


@traced(silent="N203")
def narrow_small_window():
    zero = np.array(0, jnp.bfloat16)
    return lambda x: lax.reduce_window(x, zero, lax.add, (8, 8), (8, 8), "VALID"), ones(64, 64, dtype="bfloat16")


@traced(silent="N203 N202")
def wide_sum():
    return lambda x: (jnp.sum(x), jnp.mean(x), x.max()), ones(1024, dtype="bfloat16")


@traced(silent="N203")
def narrow_short_sum():
    return lambda x: lax.reduce(x, np.array(0, x.dtype), lax.add, (1,)), ones(1024, 8, dtype="bfloat16")


@traced(fires="N204", silent="N203")
def open_accumulation():
    return lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ()))), *(ones(4, 4, dtype="bfloat16"),) * 2


@traced(fires="N204")
def open_convolution():
    f = lambda x, w: lax.conv(x, w, (1, 1), "SAME")
    return f, ones(1, 3, 8, 8, dtype="float16"), ones(2, 3, 3, 3, dtype="float16")


@traced(fires="N204")
def open_batched_accumulation():
    dims = (((2,), (1,)), ((0,), (0,)))
    return lambda a: lax.dot_general(a, a, dims), ones(2, 4, 4, dtype="bfloat16")


@traced(silent="N204")
def pinned_accumulation():
    f = lambda a, b: (a @ b, jnp.dot(a, b, preferred_element_type=jnp.float32))
    return f, *(ones(4, 4, dtype="bfloat16"),) * 2


@traced(fires="N205")
def round_trip():
    return lambda x: x.astype(jnp.bfloat16).astype(jnp.float32) + 1, ones(4)


@traced(fires="N205", silent="N202", x64=True)
def round_trip_widening():
    f = lambda x, i: (x.astype(jnp.float64).astype(jnp.float32), i.astype(jnp.int64).astype(jnp.int32))
    return f, ones(4), ones(4, dtype="int32")


@traced(silent="N205")
def round_trip_with_work():
    return lambda x: jnp.sin(x.astype(jnp.bfloat16)).astype(jnp.float32), ones(4)


# ---- P303 to P315 ----


@traced(fires="P303")
def outer_product():
    return lambda x: jnp.exp(-((x[:, None] - x[None, :]) ** 2)).sum(1), ones(10000)


@traced(silent="P303")
def outer_product_in_blocks():
    return lambda x: lax.map(lambda y: jnp.exp(-((y - x) ** 2)).sum(), x), ones(10000)


@traced(fires="P307")
def called_often():
    def repeated(f, n):
        return jax.jit(lambda x: functools.reduce(lambda y, _: f(y), range(n), x))

    return repeated(repeated(repeated(lambda x: jnp.cos(jnp.sin(x)), 8), 40), 20), ones()


@traced(fires="P307")
def called_in_batches():
    step = jax.jit(lambda x: x + lax.fori_loop(0, 9, lambda i, y: jnp.tanh(y * 2), x))
    twenty = jax.jit(lambda x: functools.reduce(lambda y, _: step(y), range(20), x))
    return jax.vmap(lambda x: functools.reduce(lambda y, _: twenty(y) * x, range(120), x)), ones(3)


@traced(fires="P307")
def called_for_gradients():
    layer = jax.jit(lambda x: jnp.sin(x * 2) + jnp.exp(-x) * jnp.tanh(x))
    ten = jax.jit(lambda x: functools.reduce(lambda y, _: layer(y), range(10), x))
    return jax.grad(lambda x: functools.reduce(lambda y, _: ten(y), range(100), x)), jnp.float32(1)


@traced(silent="P307")
def rolled_far():
    return lambda x: lax.fori_loop(0, 20000, lambda i, y: jnp.cos(jnp.sin(y)), x), ones()


@traced(silent="P308 P304")
def unused_calls():
    def f(x):
        noted(x)
        noted(x)
        jax.debug.print("{}", x)
        jax.debug.print("{}", x)
        return x

    return f, ones(2)


@traced(fires="P308")
def unread_in_branch():
    """results that are never used, which lax.cond and jit keep in their programs"""
    f = lambda x: jax.jit(lambda y: (jnp.exp(y), y * 2)[1])(x)
    return lambda x: lax.cond(x.sum() > 0, f, lambda x: (jnp.tan(x), x)[1], x), ones(2)


@traced(fires="P304")
def computed_twice():
    return lambda x, y: (jnp.sin(x) * y + jnp.sin(x), jnp.cumsum(x) - lax.cumsum(x, axis=0)), ones(4), ones(4)


@traced(silent="P304")
def computed_alike():
    return lambda x: (x[0:2] + x[1:3], jnp.sum(x) + jnp.max(x), x.astype(jnp.int32), x.astype(jnp.int16)), ones(4)


@traced(fires="P309")
def unread_argument():
    return lambda x, y, z: (jnp.sin(x), jax.jit(lambda a, b: a * 2, keep_unused=True)(x, z)), ones(), ones(3), ones(2)


@traced(fires="P309")
def unread_by_scan():
    return lambda x, y: lax.scan(lambda c, v: (c * v, None), 1.0, x)[0], ones(5), ones(5)


@traced(silent="P309")
def read_late():
    return lambda x, y: lax.cond(x.sum() > 0, lambda a: a, lambda a: a * 2, y), ones(3), ones(2)


@traced(fires="P310")
def donated_scalar():
    return lambda a: jax.jit(lambda x: x.sum(), donate_argnums=0)(a), ones(128)


@traced(silent="P310")
def donated_well():
    return lambda a: jax.jit(lambda x: (x * 2, x.sum()), donate_argnums=0)(a), ones(128)


@traced(fires="P312")
def transposed_twice():
    return lambda x: (x.T.T, lax.rev(lax.rev(x, (1,)), (1,)), -(-x)), ones(3, 4)


@traced(silent="P312 P311")
def transposed_once():
    return lambda x: (lax.transpose(x, (1, 0, 2)), lax.rev(lax.rev(x, (1,)), (0,)), -jnp.sin(-x)), ones(3, 4, 5)


@traced(fires="P313")
def power_of_two():
    return lambda x: lax.pow(x, F(2.0)) + x ** jnp.float32(3.0), ones(4)


@traced(fires="P313")
def power_minus_two():
    return lambda x: lax.pow(x, F(-2)), ones(4)


@traced(silent="P313")
def power_half():
    return lambda x: x**2 + x**2.5 + x ** x.sum(), ones(4)


@traced(fires="P315")
def large_live():
    return lambda x: (lambda y: y.T @ y)(jnp.outer(x, x) + 1.0).sum(), ones(40000)


@traced(fires="P315 P303")
def large_live_gradient():
    f = lambda x: lax.scan(lambda c, _: (jnp.tanh(c), c), x, None, length=300)[0].sum()
    return jax.grad(f), ones(1 << 24)


@traced(fires="P315")
def large_live_inside():
    return lambda x: jax.jit(lambda y: jnp.sin(y) * jnp.cos(y))(x[:, None] * x[None, :]).sum(), ones(50000)


@traced(silent="P315")
def small_live():
    return jax.grad(lambda x: lax.scan(lambda c, _: (jnp.tanh(c), c), x, None, length=300)[0].sum()), ones(1 << 16)


@traced(fires="P305")
def equal_branches():
    f = lambda x: jnp.sin(x) * 2
    return lambda i, x: lax.switch(i, [lambda x: f(x), lambda x: x + 1, lambda x: f(x)], x), 1, ones(4)


@traced(silent="P305")
def unequal_branches():
    return lambda i, x: lax.switch(i, [lambda x, k=k: jnp.sin(x) * k for k in range(4)], x), 1, ones(4)


@traced(fires="P306")
def unrolled_layers():
    return lambda x, *ws: functools.reduce(lambda y, w: jnp.tanh(y @ w + 1), ws, x), ones(2, 4), *(ones(4, 4),) * 6


@traced(silent="P306")
def rolled_layers():
    return lambda x, ws: lax.scan(lambda y, w: (jnp.tanh(y @ w + 1), None), x, ws)[0], ones(2, 4), ones(6, 4, 4)


# ---- E403 to E405 ----


def noted(x):
    return jax.experimental.io_callback(lambda v: np.asarray(v), jax.ShapeDtypeStruct(x.shape, x.dtype), x)


@traced(fires="E403 E402")
def print_in_scan():
    def step(c, y):
        jax.debug.print("{}", c)
        return c + y, None

    return lambda x: lax.scan(step, 0.0, x), ones(4)


@traced(fires="E403 E401")
def callback_in_while():
    f = lambda x: lax.while_loop(lambda c: c < 9.0, lambda c: c + call_out(lambda v: np.asarray(v), c), x)
    return f, jnp.float32(0)


@traced(fires="E403")
def callback_in_map():
    return lambda x: lax.map(lambda y: jax.jit(lambda z: call_out(np.sin, z))(y), x), ones(3)


@traced(silent="E403")
def print_after_scan():
    def f(x):
        y, _ = lax.scan(lambda c, v: (c + v, None), 0.0, x)
        jax.debug.print("{}", y)
        return y

    return f, ones(4)


@traced(fires="E404 E401")
def unordered_calls():
    return lambda x: (noted(x), noted(x * 2)), ones(2)


@traced(fires="E404")
def unordered_call_in_jit():
    return lambda x: jax.jit(lambda y: noted(y) + 1)(x), ones(2)


@traced(silent="E404")
def ordered_call():
    shape = jax.ShapeDtypeStruct((2,), F)
    return lambda x: jax.experimental.io_callback(lambda v: np.asarray(v), shape, x, ordered=True), ones(2)


@traced(fires="E405")
def print_in_one_branch():
    f = lambda x: (jax.debug.print("negative {}", x), -x)[1]
    return lambda x: lax.cond(x < 0, f, lambda x: x, x), jnp.float32(1)


@traced(fires="E405")
def write_in_one_of_three():
    g = lambda x: x * 2
    return lambda i, x: lax.switch(i, [g, lambda x: noted(x) + 1, lambda x: x], x), 1, ones(2)


@traced(fires="E405")
def print_deep_in_a_branch():
    f = lambda x: jax.jit(lambda y: (jax.debug.print("{}", y), y * 3)[1])(x)
    return lambda x: lax.cond(x.sum() > 0, f, lambda x: jax.jit(jnp.sin)(x), x), ones(2)


@traced(silent="E405")
def print_in_both_branches():
    f = lambda k: lambda x: (jax.debug.print("{}", x), x * k)[1]
    return lambda x: lax.cond(x < 0, f(-1.0), f(1.0), x), jnp.float32(1)


@traced(silent="E405 E401 E403")
def pure_in_one_branch():
    return lambda x: lax.cond(x[0] < 0, lambda x: jnp.sort(x), lambda x: x, x), ones(3)


# ---- G603 to G607, H703 ----


def on_axes(f, spec):
    """JAX sorts the names of axes since 0.10; before, five of them are printed in sorted order once in 120 times"""
    mesh = jax.make_mesh((1,) * 5, tuple("vwxyz"))
    home = jax if hasattr(jax, "shard_map") else importlib.import_module("jax.experimental.shard_map")
    return home.shard_map(f, mesh=mesh, in_specs=spec, out_specs=spec)


@traced(fires="G603", since=(0, 6), before=(0, 10))
def set_of_axes():
    return on_axes(jnp.sin, jax.sharding.PartitionSpec("v")), ones(4)


@traced(fires="G603", since=(0, 6), before=(0, 10))
def set_of_axes_in_jit():
    return jax.jit(on_axes(lambda x: x + lax.psum(x, "w"), jax.sharding.PartitionSpec())), ones(4)


@traced(fires="G603", since=(0, 6), before=(0, 10))
def set_of_axes_in_loop():
    f = on_axes(lambda x: x * 2, jax.sharding.PartitionSpec("z"))
    return lambda x: lax.fori_loop(0, 3, lambda i, y: f(y), x), ones(4)


@traced(silent="G603", since=(0, 10))
def set_of_axes_sorted():
    return on_axes(jnp.cos, jax.sharding.PartitionSpec()), ones(4)


@traced(fires="G607", literals=True, since=(0, 7))
def elided_literal():
    return lambda x: x + np.arange(64, dtype=F), ones(64)


@traced(silent="G607 G604 G605 H703", since=(0, 7), before=(0, 12))
def plainly_printed():
    return lambda x: jax.jit(jnp.sin)(x) + lax.slice(x, (0,), (3,)).sum(), ones(64)


@traced(fires="H703", before=(0, 7))
def printed_pjit():
    return lambda x: jax.jit(jnp.sin)(x) + jax.jit(jnp.cos)(x), ones(3)


def trace(make, x64, color, literals):
    jax.config.update("jax_enable_x64", x64)
    if literals:
        jax.config.update("jax_use_simplified_jaxpr_constants", True)
    try:
        function, *arguments = make()
        closed = jax.make_jaxpr(function)(*arguments)
        return closed.pretty_print(use_color=color)
    finally:
        jax.config.update("jax_enable_x64", False)
        if literals:
            jax.config.update("jax_use_simplified_jaxpr_constants", False)


def main(paths):
    out = open(paths[0], "a", encoding="utf-8") if paths else sys.stdout
    for make, fires, silent, *how in REGISTER:
        try:
            text = trace(make, *how)
        except Exception as error:
            print(f"{jax.__version__} {make.__name__}: {type(error).__name__}: {str(error)[:100]}", file=sys.stderr)
            continue
        row = {"id": f"{jax.__version__}/{make.__name__}", "fires": fires, "silent": silent, "text": text}
        print(json.dumps(row, ensure_ascii=False), file=out)


if __name__ == "__main__":
    main(sys.argv[1:])
