# SPDX-License-Identifier: Apache-2.0
"""Values for a type: small numbers, or with the ones that are special."""

import zlib

import jax
import jax.numpy as jnp
import numpy as np

import evaluate

SPECIAL = [0.0, -0.0, 1.0, -1.0, float("nan"), float("inf"), float("-inf"), 1e-40, 3e38, 1e-3, 0.5, -2.5]


def seed_of(*parts):
    return zlib.crc32(repr(parts).encode())


def value(of, seed, kind):
    """A value of type `of`; kind 0 draws small numbers, kind 1 also special ones."""
    draw = np.random.default_rng(seed)
    shape = of.shape
    if of.key:
        keys = jax.random.key(int(draw.integers(1 << 30)), impl=evaluate.key_impl(of.key))
        made = keys if shape == () else jax.random.split(keys, shape)
        return evaluate.Ref(made) if of.ref else made
    dtype = of.dtype
    if dtype == jax.dtypes.float0:
        return np.zeros(shape, dtype)
    if jnp.issubdtype(dtype, jnp.bool_):
        made = draw.integers(0, 2, shape).astype(bool)
    elif jnp.issubdtype(dtype, jnp.integer):
        low = 0 if jnp.issubdtype(dtype, jnp.unsignedinteger) or draw.integers(2) else -3
        made = draw.integers(low, 5, shape) if kind == 0 or draw.integers(2) else draw.integers(low, 120, shape)
        made = np.clip(made, int(jnp.iinfo(dtype).min), int(jnp.iinfo(dtype).max))
    else:
        made = np.round(draw.normal(0, 1.5, shape), 3)
        if kind == 1:
            made = np.where(draw.random(shape) < 0.3, draw.choice(SPECIAL, shape), made)
        elif draw.integers(3) == 0:
            made = np.abs(made)
        if jnp.issubdtype(dtype, jnp.complexfloating):
            made = made + 1j * np.round(draw.normal(0, 1.5, shape), 3)
    with np.errstate(all="ignore"):
        made = jnp.asarray(np.asarray(made).astype(dtype))
    return evaluate.Ref(made) if of.ref else made
