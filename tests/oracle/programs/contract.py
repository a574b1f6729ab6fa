# SPDX-License-Identifier: Apache-2.0
"""Contractions: dot_general in all its dimension numbers, ragged dots, convolutions, Fourier transforms."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


@program("f32[3,4]", "f32[4,5]", "f32[4]")
def matrix_products(a, b, v):
    return a @ b, a @ v, jnp.dot(v, v), jnp.vdot(a, a), jnp.inner(a, a), jnp.matmul(v, b)


@program("f32[2,3,4]", "f32[2,4,5]")
def batched_products(a, b):
    return (
        a @ b,
        lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,)))),
        lax.batch_matmul(a, b),
        jnp.einsum("bij,bjk->bik", a, b),
        jnp.tensordot(a, b, ((0, 2), (0, 1))),
    )


@program("f32[2,3,4,5]", "f32[5,4,3]")
def einsum_many(a, b):
    return jnp.einsum("abcd,dcb->a", a, b), jnp.einsum("abcd,dcb->ab", a, b), jnp.einsum("...d,d->...", a, b[:, 0, 0])


@program("i8[4,8]", "i8[8,4]", "bf16[4,8]", "bf16[8,4]")
def preferred_types(a, b, x, y):
    dims = (((1,), (0,)), ((), ()))
    return (
        lax.dot_general(a, b, dims, preferred_element_type=jnp.int32),
        lax.dot_general(x, y, dims, preferred_element_type=jnp.float32),
        lax.dot(x, y, precision="highest"),
        lax.dot_general(x, y, dims, precision=(lax.Precision.HIGH, lax.Precision.DEFAULT)),
    )


@program("f8_e4m3fn[4,8]", "f8_e5m2[8,4]")
def mixed_eights(a, b):
    return lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)


@program("f32[6,4]", "f32[3,4,5]", "i32[3]")
def ragged_product(a, b, groups):
    return lax.ragged_dot(a, b, groups)


@program("f32[1,3,8,8]", "f32[6,3,3,3]")
def convolve_nchw(x, w):
    return (
        lax.conv(x, w, (1, 1), "SAME"),
        lax.conv_with_general_padding(x, w, (2, 2), ((1, 1), (0, 2)), (1, 1), (2, 2)),
        lax.conv_general_dilated(x, w, (1, 1), ((0, 1), (2, 0)), lhs_dilation=(2, 1)),
    )


@program("f32[2,8,8,4]", "f32[3,3,2,6]")
def convolve_grouped(x, w):
    return lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=2
    )


@program("f32[4,8,3]", "f32[3,3,6]")
def convolve_batch_groups(x, w):
    return lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"), batch_group_count=2)


@program("f32[2,5,5,3]", "f32[3,3,3,4]")
def gradient_of_convolution(x, w):
    def loss(x, w):
        y = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return (y * y).sum()

    return jax.grad(loss, (0, 1))(x, w)


@program("f32[1,4,4,2]", "f32[2,2,2,3]")
def convolve_transposed(x, w):
    return lax.conv_transpose(x, w, (2, 2), "SAME"), jnp.convolve(x[0, 0, :, 0], w[:, 0, 0, 0])


@program("c64[4,8]", "f32[4,8]")
def fourier(z, x):
    return (
        jnp.fft.fft(z),
        jnp.fft.ifft(z),
        jnp.fft.rfft(x),
        jnp.fft.irfft(z),
        jnp.fft.fft2(z),
        jnp.fft.rfftn(x),
        lax.fft(z, "fft", (8,)),
        jnp.fft.fftshift(x),
    )


@program("f32[8,16]", "f32[16,4]", "f32[4]")
def dense_gradient(x, w, b):
    loss = lambda w, b: jnp.mean((jax.nn.relu(x @ w + b)) ** 2)
    return jax.value_and_grad(loss, (0, 1))(w, b)


@program("f32[3,4]", "f32[5,4,2]")
def products_under_vmap(a, b):
    return jax.vmap(lambda m: a @ m)(b), jax.vmap(jnp.dot, (None, 0))(a, b), jax.vmap(jnp.outer, (0, None))(a, a[0])
