#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes xla.tsv: XLA's cost analysis of small programs, one primitive each, for tests/cost/run to compare.

    PYTHON record.py > xla.tsv

PYTHON has JAX (0.12.0.1 wrote the file that is here). A line contains which figures both sides define in the same way
(f flops, t transcendentals, b bytes), the three figures that `jax.jit(f).lower(..).cost_analysis()` returns for the
program before any optimization, and the Jaxpr on one line. Other figures are not compared, since definitions differ:
XLA counts a read of the initial value of a reduction, two reads for the product of x with itself, and so on."""

import sys

import jax
import jax.numpy as jnp
from jax import lax

jax.config.update("jax_platforms", "cpu")


def array(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


A, ROW, INTS, SCALAR = array(8, 16), array(16), array(8, 16, dtype=jnp.int32), array()
INDEX = array(dtype=jnp.int32)
unary = ("neg sign floor ceil round is_finite exp expm1 log log1p tanh sin cos tan sqrt rsqrt cbrt erf abs "
         "reduce_precision").split()
binary = "add sub mul div max min rem pow atan2 eq ne lt le gt ge complex".split()
integer = "and or xor shift_left shift_right_logical shift_right_arithmetic".split()
names = {"and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor,
         "reduce_precision": lambda x: lax.reduce_precision(x, 5, 10)}


def cases():
    """yields (figures to compare, function, arguments)"""
    for name in unary:
        yield "ftb", names.get(name) or getattr(lax, name), (A,)
    for name in binary:
        yield "ftb", getattr(lax, name), (A, A)
    for name in integer:
        yield "ftb", names.get(name) or getattr(lax, name), (INTS, INTS)
    for f in lax.bitwise_not, lax.clz, lax.population_count:
        yield "ftb", f, (INTS,)
    for power in 2, 3, 7, 12:
        yield "ft", lambda x, power=power: lax.integer_pow(x, power), (A,)
    yield "ft", lax.square, (A,)
    yield "ftb", lambda c, x, y: lax.select_n(c, x, y), (array(8, 16, dtype=jnp.bool_), A, A)
    yield "ftb", lax.clamp, (A, A, A)
    yield "ftb", lambda x: lax.convert_element_type(x, jnp.bfloat16), (A,)
    yield "ftb", lambda x: lax.bitcast_convert_type(x, jnp.int32), (A,)
    yield from shapes()
    yield from reductions()
    yield from products()


def shapes():
    yield "ftb", lambda x: lax.broadcast_in_dim(x, (8, 16), (1,)), (ROW,)
    yield "ftb", lambda x: lax.reshape(x, (16, 8)), (A,)
    yield "ftb", lambda x: lax.slice(x, (0, 0), (4, 4)), (A,)
    yield "ftb", lambda x, y: lax.concatenate([x, y], 0), (A, A)
    yield "ftb", lambda x, y: lax.pad(x, y, ((1, 1, 0), (0, 2, 1))), (A, SCALAR)
    yield "ftb", lambda x: lax.rev(x, (0,)), (A,)
    yield "ftb", lambda: lax.iota(jnp.int32, 16), ()
    yield "ftb", lambda x, i: lax.dynamic_slice_p.bind(x, i, slice_sizes=(4,)), (ROW, INDEX)
    yield "ftb", lambda x, u, i: lax.dynamic_update_slice_p.bind(x, u, i), (ROW, array(4), INDEX)
    dims = lax.ScatterDimensionNumbers((), (0,), (0,))
    args = (array(8), array(4, 1, dtype=jnp.int32), array(4))
    for scatter in lax.scatter, lax.scatter_add, lax.scatter_mul, lax.scatter_min, lax.scatter_max:
        yield "ftb", lambda x, i, u, f=scatter: f(x, i, u, dims), args
    dims = lax.GatherDimensionNumbers((1,), (0,), (0,))
    yield "ftb", lambda x, i: lax.gather(x, i, dims, (1, 16), mode="clip"), (A, array(4, 1, dtype=jnp.int32))


def reductions():
    for bind in lax.reduce_sum_p, lax.reduce_max_p, lax.reduce_min_p:
        yield "ft", lambda x, bind=bind: bind.bind(x, axes=(1,), out_sharding=None), (A,)
    yield "ft", lambda x: lax.reduce_prod_p.bind(x, axes=(0, 1)), (A,)
    yield "ft", lambda x: lax.reduce_xor_p.bind(x, axes=(0,)), (INTS,)
    yield "ft", lambda x, y: lax.reduce(x, y, lambda a, b: a * b + a, (1,)), (A, SCALAR)
    yield "ft", lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (2, 2), "VALID"), (A,)
    yield "ft", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (3, 1), (1, 2), "VALID"), (A,)
    yield "ft", lambda x, y: lax.reduce_window(x, y, lambda a, b: a * b + a, (2, 2), (1, 1), "VALID"), (A, SCALAR)
    yield "ft", lax.sort, (array(128, dtype=jnp.int32),)


def products():
    for left, right, dims in [
        ((8, 16), (16, 4), (((1,), (0,)), ((), ()))),
        ((16,), (16,), (((0,), (0,)), ((), ()))),
        ((3, 8, 16), (3, 16, 4), (((2,), (1,)), ((0,), (0,)))),
        ((8, 4, 16), (16, 4, 2), (((1, 2), (1, 0)), ((), ()))),
    ]:
        yield "ftb", lambda x, y, dims=dims: lax.dot_general(x, y, dims), (array(*left), array(*right))
    image, kernel = array(2, 4, 9, 8), array(6, 4, 3, 2)
    for stride, padding, base, dilation in [
        ((1, 1), ((0, 0), (0, 0)), (1, 1), (1, 1)),
        ((1, 1), ((1, 1), (1, 0)), (1, 1), (1, 1)),
        ((2, 3), ((1, 2), (0, 1)), (1, 1), (1, 1)),
        ((1, 2), ((2, 1), (0, 3)), (2, 3), (1, 1)),
        ((2, 1), ((-1, 3), (4, 1)), (3, 2), (2, 3)),
    ]:
        yield "ftb", lambda x, k, a=(stride, padding, base, dilation): lax.conv_general_dilated(x, k, *a), (image, kernel)
    yield "ftb", lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", feature_group_count=2), (
        image, array(6, 2, 3, 2))
    yield "ftb", lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", batch_group_count=2), (image, kernel)
    yield "ftb", lambda x: lax.fft(x, "fft", (16,)), (array(8, 16, dtype=jnp.complex64),)
    yield "ftb", lambda x: lax.fft(x, "rfft", (16,)), (A,)
    yield "ftb", lambda x: lax.fft(x, "irfft", (16,)), (array(8, 9, dtype=jnp.complex64),)


def main():
    print(f"# jax {jax.__version__}\n# compared\tflops\ttranscendentals\tbytes\tprogram")
    for compared, f, args in cases():
        found = jax.jit(f).lower(*args).cost_analysis()
        text = " ".join(str(jax.make_jaxpr(f)(*args)).split())
        figures = [found.get(key, 0) for key in ("flops", "transcendentals", "bytes accessed")]
        print(compared, *(f"{x:.0f}" for x in figures), text, sep="\t")


sys.exit(main())
