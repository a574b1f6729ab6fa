# SPDX-License-Identifier: Apache-2.0
"""Random values for a type of JAX: small numbers, or with special ones, such as infinities."""

import zlib

import numpy as np

SPECIAL = [0.0, -0.0, 1.0, -1.0, float("nan"), float("inf"), float("-inf"), 1e-40, 3e38, 1e-3, 0.5, -2.5]
MOST = 1 << 24  # the most elements of an array


class NoValue(Exception):
    """No value of this type can be made; the argument names it."""


def seed_of(*parts):
    """A number that depends on all parts, and is the same in every run."""
    return zlib.crc32(repr(parts).encode())


def array(shape, dtype, draw, special):
    """A random numpy array of a numpy dtype, with special values if `special`."""
    name = np.dtype(dtype).name
    if name == "bool":
        return draw.integers(0, 2, shape).astype(bool)
    if name.startswith(("int", "uint")):
        bits = int(name.lstrip("uint"))
        low = 0 if name.startswith("u") or draw.integers(2) else -3
        made = draw.integers(low, 120 if special and draw.integers(2) else 5, shape)
        return np.clip(made, 0 if name.startswith("u") else -(1 << (bits - 1)), (1 << (bits - (not name.startswith("u")))) - 1).astype(dtype)
    made = np.round(draw.normal(0, 1.5, shape), 3)
    if special:
        made = np.where(draw.random(shape) < 0.3, draw.choice(SPECIAL, shape), made)
    elif draw.integers(3) == 0:
        made = np.abs(made)
    if name.startswith("complex"):
        made = made + 1j * np.round(draw.normal(0, 1.5, shape), 3)
    with np.errstate(all="ignore"):
        return np.asarray(made).astype(dtype)


def value(names, aval, seed, special=False, mesh=None):
    """A random value of the type `aval`: an array of JAX, or a ref or key array if the type is one; raises NoValue."""
    jax = names.jax
    if isinstance(aval, names.AbstractRef):
        inner = value(names, aval.inner_aval, seed, special, mesh)
        new = getattr(jax, "new_ref", None) or getattr(jax, "array_ref", None) or getattr(names.core, "mutable_array", None)
        if new is None:
            raise NoValue("a ref")
        return new(inner)
    if not hasattr(aval, "dtype"):
        raise NoValue(f"a value of type {aval}")
    draw, shape = np.random.default_rng(seed), tuple(aval.shape)
    if any(not isinstance(size, (int, np.integer)) for size in shape):
        raise NoValue("symbolic sizes")
    if int(np.prod(shape, dtype=np.int64)) > MOST:
        raise NoValue("a large array")
    if aval.dtype == names.dtypes.float0:
        return np.zeros(shape, aval.dtype)
    if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
        keys = jax.random.key(int(draw.integers(1 << 30)), impl=key_name(names, aval.dtype))
        return keys if shape == () else jax.random.split(keys, shape)
    if not isinstance(aval.dtype, np.dtype):
        raise NoValue(f"a value of type {aval.dtype}")
    return placed(names, array(shape, aval.dtype, draw, special), aval, mesh)


def placed(names, made, aval, mesh):
    """An array with the sharding of its type, if that has an explicit one."""
    sharding = getattr(aval, "sharding", None)
    if sharding is not None and getattr(sharding.mesh, "_any_axis_explicit", False):
        return names.jax.device_put(made, names.NamedSharding(mesh if mesh is not None else sharding.mesh, sharding.spec))
    return names.jax.numpy.asarray(made)


def key_name(names, dtype):
    """The name in jax.random of the implementation of a key type."""
    from .versions import KEYS

    tag = dtype._impl.tag
    if tag not in KEYS:
        raise NoValue(f"a key of type {tag}")
    return KEYS[tag]
