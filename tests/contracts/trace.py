#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces the programs in this directory anew, with the JAX of this Python, into another directory.

    trace.py DIRECTORY

JAX 0.7.1 made all but inlined_0.6.jaxpr, which is from 0.6.2."""

import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec


def double_outside(x):
    return jax.pure_callback(lambda v: np.asarray(v) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def probabilities(x):
    y = double_outside(x)
    return y / jnp.sum(y)


def logged(x):
    jax.debug.print("x {x}", x=x)
    return jnp.sin(x)


def logged_outside(x):
    jax.debug.print("x {x}", x=x)
    return double_outside(x)


def nearest(x):
    d = jnp.abs(x[:, None] - x[None, :])
    return jnp.min(jnp.where(d == 0, jnp.inf, d), axis=1)


def unrolled(x):
    for _ in range(3):
        x, _ = lax.scan(lambda c, _: (jnp.tanh(c), None), x, None, length=4)
    return x


def rolled(x):
    return lax.scan(lambda c, _: (jnp.tanh(c), None), x, None, length=12)[0]


def set_and_add(x, i):
    return x.at[i].set(0.0).at[i + 1].add(1.0)


def set_twice(x, i):
    return x.at[i].set(0.0).at[i + 1].set(1.0)


def block(w, x):
    return jnp.tanh(jnp.tanh(x @ w) @ w)


def exchange(w, x):
    y = x @ lax.all_gather(w, "i", tiled=True)
    z = lax.ppermute(y, "i", [(0, 1), (1, 2), (2, 3), (3, 0)])
    return lax.psum(y.sum(), "i"), lax.psum(z, "i")


@jax.jit
def loss(w, x):
    return ((x @ w) ** 2).mean()


def main(directory):
    def save(name, f, *args):
        with open(os.path.join(directory, name + ".jaxpr"), "w", encoding="utf-8") as file:
            file.write(f"{jax.make_jaxpr(f)(*args)}\n")

    x, w, v = jnp.ones(8, jnp.float32), jnp.ones((4, 4)), jnp.ones((2, 4))
    inlined = lambda x: jax.jit(lambda y: jnp.tanh(y) * 2)(x)
    if jax.__version__.startswith("0.6"):
        return save("inlined_0.6", inlined, x)
    save("inlined_0.7", inlined, x)
    save("probabilities", probabilities, x)
    save("logged", logged, x)
    save("logged_outside", logged_outside, x)
    with jax.experimental.enable_x64():
        save("widened", lambda x: jnp.mean(x.astype(jnp.float64)).astype(jnp.float32), x)
    save("nearest", nearest, jnp.ones(96, jnp.float32))
    save("unrolled", unrolled, x)
    save("rolled", rolled, x)
    save("set_and_add", set_and_add, x, 2)
    save("set_twice", set_twice, x, 2)
    save("power", lambda x: x**2.5 + x, x)
    save("square", lambda x: x**2 + x, x)
    save("rematerialized", jax.grad(lambda w, x: jax.checkpoint(block)(w, x).sum()), w, v)
    save("kept", jax.grad(lambda w, x: block(w, x).sum()), w, v)
    save("median", jnp.median, x)
    save("factored", lambda a: jnp.diagonal(jax.scipy.linalg.cho_factor(a)[0]), w)
    mesh = jax.make_mesh((4,), ("i",))
    specs = PartitionSpec("i"), PartitionSpec(None)
    save("exchange", jax.shard_map(exchange, mesh=mesh, in_specs=specs, out_specs=(PartitionSpec(), PartitionSpec()),
                                   check_vma=False), jnp.ones((8, 4)), jnp.ones((3, 8)))
    gradient = jax.make_jaxpr(jax.value_and_grad(loss))(jnp.ones((8, 4)), jnp.ones((3, 8)))
    for name, color in (("gradient", False), ("gradient_coloured", True)):
        with open(os.path.join(directory, name + ".jaxpr"), "w", encoding="utf-8") as file:
            file.write(gradient.pretty_print(use_color=color) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
