# SPDX-License-Identifier: Apache-2.0
"""Elementwise primitives: every arithmetic, transcendental, bitwise, comparing and casting one, on every kind of type.

One idea: unary and binary primitives are registered from tables, so that a new one is one word.
"""

import jax.numpy as jnp
from jax import lax

from functions import dtype, program

UNARY_REAL = (
    "neg sign floor ceil round exp exp2 expm1 log log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh sqrt rsqrt cbrt logistic abs is_finite erf erfc erf_inv lgamma digamma square bessel_i0e "
    "bessel_i1e reciprocal"
).split()
UNARY_COMPLEX = "neg exp log sin cos tanh sqrt abs real imag conj sign".split()
UNARY_INTEGER = "neg sign abs population_count clz bitwise_not".split()
BINARY_REAL = "add sub mul div rem max min pow atan2 nextafter igamma igammac eq ne lt le gt ge".split()
BINARY_INTEGER = (
    "add sub mul div rem max min bitwise_and bitwise_or bitwise_xor shift_left shift_right_logical "
    "shift_right_arithmetic eq lt ge"
).split()
BINARY_COMPLEX = "add mul div pow eq".split()


def register(name, op, specs):
    fn = lambda *xs: op(*xs)
    fn.__name__, fn.__module__ = name, __name__
    program(*specs)(fn)


for _op in UNARY_REAL:
    if hasattr(lax, _op):
        register("%s_f32" % _op, getattr(lax, _op), ["f32[5]"])
for _op in ("exp", "tanh", "neg", "rsqrt", "erf", "is_finite"):
    register("%s_bf16" % _op, getattr(lax, _op), ["bf16[2,3]"])
for _op in UNARY_COMPLEX:
    register("%s_c64" % _op, getattr(lax, _op), ["c64[3]"])
for _op in UNARY_INTEGER:
    register("%s_i32" % _op, getattr(lax, _op), ["i32[4,1]"])
for _op in BINARY_REAL:
    register("%s_pair_f32" % _op, getattr(lax, _op), ["f32[3,2]", "f32[3,2]"])
for _op in BINARY_INTEGER:
    register("%s_pair_u8" % _op, getattr(lax, _op), ["u8[7]", "u8[7]"])
for _op in BINARY_COMPLEX:
    register("%s_pair_c64" % _op, getattr(lax, _op), ["c64[2]", "c64[2]"])


@program("f32[4]", "f32[4]", "f32[4]")
def clamp_bounds(lo, x, hi):
    return lax.clamp(lo, x, hi), lax.clamp(-1.0, x, 1.0)


@program("bool[3]", "i16[3]", "i16[3]")
def choose_boolean(p, x, y):
    return lax.select(p, x, y), lax.select_n(p, y, x)


@program("i32[3]", "f32[3]", "f32[3]", "f32[3]")
def choose_many(which, x, y, z):
    return lax.select_n(which, x, y, z)


@program("f32[6]")
def integer_powers(x):
    return x**2 + x**3, lax.integer_pow(x, -2), x**7


@program("f32[]", "f32[3]")
def powers_of_integers(x, y):
    return lax.pow(x, jnp.int32(3)), jnp.power(y, 2.5), 2.0**y


@program("f32[5]")
def round_trip_precision(x):
    return lax.reduce_precision(x, exponent_bits=5, mantissa_bits=10)


@program("f32[4]", "f32[4]")
def make_complex(re, im):
    z = lax.complex(re, im)
    return z * lax.conj(z), lax.real(z), lax.imag(z)


@program("f32[2,3]")
def cast_around(x):
    return [x.astype(dtype(d)) for d in ("f16", "bf16", "i8", "u32", "bool", "c64", "f8_e4m3fn", "f8_e5m2")]


@program("i32[4]", "u8[4]", "f32[4]")
def bit_patterns(x, y, z):
    return (
        lax.bitcast_convert_type(x, jnp.float32),
        lax.bitcast_convert_type(x, jnp.uint8),
        lax.bitcast_convert_type(y, jnp.uint32),
        lax.bitcast_convert_type(z, jnp.int16),
    )


@program("f64[3]", "i64[3]", x64=True)
def wide_numbers(x, n):
    return x * 0.1 + n.astype(jnp.float64), n // 3, x.astype(jnp.float32), jnp.exp(x).astype(jnp.complex128)


@program("i32[5]", "i32[5]")
def python_arithmetic(a, b):
    return a // b, a % b, divmod(a, b), -a, ~b, a << 2, a >> b, abs(a) ^ b


@program("f32[3]", "i32[3]", "bool[3]")
def promote_kinds(x, n, p):
    return x + n, n + p, x * p, x + 1, n * 2.0, p & True


@program("f32[8]")
def smooth_units(x):
    return (
        jnp.tanh(x) * jnp.sinh(x / 4),
        jnp.hypot(x, 3.0),
        jnp.log2(x),
        jnp.log10(x),
        jnp.exp2(x),
        jnp.sinc(x),
        jnp.logaddexp(x, 0.5),
        jnp.cbrt(x),
        jnp.deg2rad(x),
    )


@program("f32[3]", "f32[3]")
def float_parts(x, y):
    m, e = jnp.frexp(x)
    return m, e, jnp.ldexp(m, e), jnp.copysign(x, y), jnp.modf(y), jnp.nextafter(x, y), jnp.signbit(x)


@program("f32[4]", "f32[4]", "f32[4]")
def special_functions(a, b, x):
    return (
        lax.betainc(a, b, x),
        lax.zeta(a, b),
        lax.polygamma(a, x),
        lax.igamma_grad_a(a, x),
        lax.random_gamma_grad(a, x),
    )


@program("f32[3]")
def cleaned_of_nans(x):
    return jnp.nan_to_num(x), jnp.where(jnp.isnan(x), 0.0, x), jnp.isinf(x)


@program("f32[3]", "f32[3]")
def totally_ordered(x, y):
    return lax.sort((x, y), num_keys=2), lax.eq(x, y)
