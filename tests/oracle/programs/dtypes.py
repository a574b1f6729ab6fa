# SPDX-License-Identifier: Apache-2.0
"""Element types: the small floats and integers, complex, float0, 64-bit, and literals of each kind."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from functions import dtype, program

EIGHTS = ("f8_e4m3fn f8_e5m2 f8_e4m3b11fnuz f8_e4m3fnuz f8_e5m2fnuz f8_e3m4 f8_e4m3 f8_e8m0fnu f4_e2m1fn").split()


def converter(short):
    fn = lambda x: (x.astype(dtype(short)), x.astype(dtype(short)).astype(jnp.float32))
    fn.__name__, fn.__module__ = "through_" + short, __name__
    program("f32[3]")(fn)


for _short in EIGHTS:
    converter(_short)


@program("i4[4]", "u4[4]")
def four_bits(a, b):
    return a + a, b.astype(jnp.int8), a.astype(jnp.uint4), a > 0


@program("f32[4]")
def two_bits(x):
    return x.astype(jnp.int2), x.astype(jnp.uint2).astype(jnp.int32)


@program("f32[]", "f16[]", "bf16[]")
def float_literals(x, h, b):
    return (
        x * 0.1,
        x * jnp.float32(0.1),
        h * jnp.float16(0.1),
        b * jnp.bfloat16(0.1),
        x + 1e-30,
        x + 1e30,
        x * -0.0,
        x + jnp.inf,
        x - jnp.inf,
        x * jnp.nan,
        h + jnp.float16(65504),
        b + 1,
        x + 16777216.0,
        x * np.float32(1) / 3,
        x + np.pi,
    )


@program("i32[]", "u32[]", "i8[]", "bool[]")
def integer_literals(i, u, b, p):
    return i + 2147483647, i - 1, u + jnp.uint32(4294967295), b * jnp.int8(-128), p & True, p | False, i * np.int32(7)


@program("i64[]", "f64[]", "u64[]", x64=True)
def wide_literals(i, x, u):
    return i + 9223372036854775807, x * 0.1, x + 1e308, u + jnp.uint64(18446744073709551615), x * np.float64(1) / 3


@program("c64[]")
def complex_literals(z):
    return z + 2j, z * (1 - 0.5j), z - jnp.complex64(complex(0, -0.0)), z * complex(jnp.inf, 1)


@program("f32[2]", "i32[2]")
def zero_byte_cotangents(x, n):
    return jax.vjp(lambda x, n: x * n, x, n)[1](x)


@program("f32[2]")
def literal_results(x):
    return 1.0, True, 7, 2j, np.float32(0.5), jnp.bfloat16(3), x


@program("~f32[]", "~i32[]", "f32[3]")
def weak_arguments(s, n, x):
    return s * x, n * x, s + 1, n + s, jnp.asarray(s), lax.convert_element_type(s, jnp.float32)


@program("f16[3]", "bf16[3]", "f32[3]")
def half_types(h, b, x):
    return h + x, b + x, h * b, jnp.dot(h, h), b.sum(), jnp.exp(h), (b > 0).astype(h.dtype)


@program("u8[4]", "i16[4]", "u16[4]")
def short_integers(a, b, c):
    return a + 200, b * b, c // 3, a.astype(jnp.int16) - b, c.sum(), jnp.mean(a), b.astype(jnp.float16)


@program("c128[2]", x64=True)
def double_complex(z):
    return jnp.abs(z), z.conj() * z, jnp.angle(z), jnp.fft.fft(z), z.real.astype(jnp.float32)


@program("key<fry>[2]", "f32[2]")
def keys_beside_numbers(k, x):
    return {"key": k, "x": x * 2, "empty": (), "none": None}


@program("i4[3,4]", "f8_e5m2[3,2]")
def bits_of_less_than_a_byte(x, y):
    return lax.bitcast_convert_type(x, dtype("u4")), lax.bitcast_convert_type(y, dtype("i4"))
