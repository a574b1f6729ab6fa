# SPDX-License-Identifier: Apache-2.0
"""Dense linear algebra, its decompositions and their derivatives, and the iterative solvers built on them."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy import linalg as slinalg

from functions import program


@program("f32[4,4]")
def decompose(a):
    s = a @ a.T + 4 * jnp.eye(4)
    return jnp.linalg.cholesky(s), jnp.linalg.qr(a), jnp.linalg.svd(a), jnp.linalg.eigh(s), slinalg.lu(a)


@program("f32[3,5,2]")
def decompose_batched(a):
    return (
        jnp.linalg.qr(a, mode="complete"),
        jnp.linalg.svd(a, full_matrices=False),
        jnp.linalg.svd(a, compute_uv=False),
    )


@program("f32[3,3]")
def decompose_general(a):
    return jnp.linalg.eig(a), jnp.linalg.eigvals(a), slinalg.schur(a), slinalg.hessenberg(a)


@program("f32[3,3]", "f32[3]", "f32[3,2]")
def solve_systems(a, v, b):
    return (
        jnp.linalg.solve(a, v),
        jnp.linalg.solve(a, b),
        slinalg.solve_triangular(a, b, lower=True),
        slinalg.cho_solve((a, True), v),
        slinalg.lu_solve(slinalg.lu_factor(a), b),
    )


@program("f32[3,3]", "f32[3,2]")
def triangular_by_hand(a, b):
    return (
        lax.linalg.triangular_solve(a, b, left_side=True, lower=True, unit_diagonal=True),
        lax.linalg.triangular_solve(a, b.T, transpose_a=True),
        lax.linalg.cholesky(a, symmetrize_input=False),
    )


@program("f32[4,4]")
def scalars_of_matrix(a):
    return jnp.linalg.det(a), jnp.linalg.slogdet(a), jnp.linalg.matrix_rank(a), jnp.linalg.inv(a), jnp.linalg.cond(a)


@program("f32[3,3]")
def functions_of_matrix(a):
    return slinalg.expm(a), jnp.linalg.matrix_power(a, 3), jnp.linalg.pinv(a)


@program("f32[3,3]")
def gradients_of_decompositions(a):
    s = lambda a: a @ a.T + jnp.eye(3)
    return (
        jax.grad(lambda a: jnp.linalg.cholesky(s(a)).sum())(a),
        jax.grad(lambda a: jnp.linalg.eigh(s(a))[0].sum())(a),
        jax.grad(lambda a: jnp.linalg.slogdet(a)[1])(a),
        jax.grad(lambda a: jnp.linalg.qr(a)[1].sum())(a),
    )


@program("f32[5,5]", "f32[5]")
def conjugate_gradients(a, b):
    return jax.scipy.sparse.linalg.cg(lambda v: a @ v, b, maxiter=3)[0]


@program("f32[4,4]", "f32[4]")
def linear_solve_custom(a, b):
    return lax.custom_linear_solve(
        lambda v: a @ v, b, lambda mv, y: jnp.linalg.solve(a, y), transpose_solve=lambda mv, y: jnp.linalg.solve(a.T, y)
    )


@program("f32[]")
def root_custom(x):
    f = lambda y: y**3 - x
    return lax.custom_root(
        f, 1.0, lambda f, y0: lax.fori_loop(0, 5, lambda i, y: y - f(y) / (3 * y * y), y0), lambda g, y: y / g(1.0)
    )


@program("f32[6,6]")
def householder(a):
    h, taus = lax.linalg.geqrf(a) if hasattr(lax.linalg, "geqrf") else (a, a[0])
    return lax.linalg.householder_product(h, taus), lax.linalg.lu(a)


@program("f32[5]", "f32[5]", "f32[5]", "f32[5,2]")
def tridiagonal(dl, d, du, b):
    return lax.linalg.tridiagonal_solve(dl, d, du, b)


@program("c64[3,3]")
def decompose_complex(a):
    return jnp.linalg.qr(a), jnp.linalg.cholesky(a @ a.conj().T), jnp.linalg.eigvalsh(a + a.conj().T)


@program("f32[4,3]", "f32[4]")
def least_squares(a, b):
    return jnp.linalg.lstsq(a, b)[0]


@program("f32[6,2]")
def statistics(x):
    return jnp.cov(x, rowvar=False), jnp.corrcoef(x.T), jnp.polyfit(x[:, 0], x[:, 1], 2), jnp.polyval(x[0], 2.0)
