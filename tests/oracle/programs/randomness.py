# SPDX-License-Identifier: Apache-2.0
"""Random keys of every implementation, raw and typed, and the samplers built on them."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


@program("key<fry>[]")
def threefry_key(k):
    a, b = jax.random.split(k)
    return jax.random.bits(a, (3,)), jax.random.fold_in(b, 7), jax.random.key_data(a), jax.random.split(b, (2, 3))


@program("key<rbg>[]")
def rbg_key(k):
    a, b = jax.random.split(k)
    return jax.random.uniform(a, (3,)), jax.random.fold_in(b, 1), jax.random.clone(a)


@program("key<urbg>[2]")
def unsafe_rbg_keys(ks):
    return jax.vmap(lambda k: jax.random.normal(k, (2,)))(ks), ks[0], ks.reshape(2, 1)


@program("u32[2]")
def raw_key(k):
    a, b = jax.random.split(k)
    return jax.random.uniform(a, (2, 2)), jax.random.normal(b), jax.random.wrap_key_data(a)


@program("i32[]")
def key_from_seed(n):
    k = jax.random.key(n)
    return k, jax.random.PRNGKey(n), jax.random.key_data(jax.random.key(3, impl="rbg"))


@program("key<fry>[]", "f32[4]")
def samplers(k, p):
    ks = jax.random.split(k, 8)
    return (
        jax.random.bernoulli(ks[0], 0.3, (4,)),
        jax.random.categorical(ks[1], p),
        jax.random.randint(ks[2], (2,), 0, 9),
        jax.random.truncated_normal(ks[3], -1.0, 1.0, (3,)),
        jax.random.exponential(ks[4]),
        jax.random.gumbel(ks[5], (2,)),
        jax.random.laplace(ks[6], (2,)),
        jax.random.cauchy(ks[7]),
    )


@program("key<fry>[]", "f32[3]")
def heavy_samplers(k, a):
    return (
        jax.random.gamma(k, a),
        jax.random.beta(k, a, a),
        jax.random.dirichlet(k, a),
        jax.random.poisson(k, 3.0, (2,)),
    )


@program("key<fry>[]", "f32[6]")
def shuffles(k, x):
    return jax.random.permutation(k, x), jax.random.permutation(k, 5), jax.random.choice(k, x, (3,), replace=False)


@program("u32[4]")
def bit_generator(state):
    return lax.rng_bit_generator(state, (5,)), lax.rng_bit_generator(state, (2, 2), dtype=jnp.uint16)


@program("f32[]", "f32[]")
def stateful_uniform(a, b):
    return lax.rng_uniform(a, b, (3,))


@program("key<fry>[4]")
def keys_as_arrays(ks):
    return ks[1:3], jnp.concatenate([ks, ks]), ks.T, jnp.where(jnp.arange(4) > 1, ks, ks[::-1]), jnp.stack([ks, ks])


@program("key<fry>[]")
def keys_in_scan(k):
    def step(k, _):
        k, s = jax.random.split(k)
        return k, jax.random.normal(s)

    return lax.scan(step, k, None, length=5)


@program("key<fry>[]", "f32[3,4]")
def dropout(k, x):
    keep = jax.random.bernoulli(k, 0.9, x.shape)
    return jax.grad(lambda x: jnp.where(keep, x / 0.9, 0.0).sum())(x)


@program("key<fry>[]", "f32[2]", "f32[2,2]")
def multivariate(k, m, c):
    return jax.random.multivariate_normal(k, m, c), jax.random.orthogonal(k, 3), jax.random.t(k, 4.0, (2,))
