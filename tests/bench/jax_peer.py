# SPDX-License-Identifier: Apache-2.0
"""Measures JAX's own checker and printer; run by a Python with JAX.

    python jax_peer.py SHAPE EQUATIONS RUNS TEXT

Traces the program `straight` or `mixed` of programs.py, or `gpt`, a training step of a transformer with a layer for each
400 of EQUATIONS, writes its text to the file TEXT, and prints a line of JSON: the JAX version, the number of equations,
and the seconds of CPU time of each run of core.check_jaxpr and of printing, without import and tracing."""

import json
import os
import random
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.setrecursionlimit(100000)

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

import jax_models  # noqa: E402
import programs  # noqa: E402

try:
    from jax._src.core import check_jaxpr  # noqa: E402
except ImportError:
    from jax.core import check_jaxpr  # noqa: E402

OPS = dict(add=lax.add, sub=lax.sub, mul=lax.mul, div=lax.div, max=lax.max, min=lax.min, neg=lax.neg, sqrt=lax.sqrt)


@jax.jit
def relu(x):
    return lax.max(x, 0.0)


def broadcast(x):
    """broadcast_in_dim to the same shape, which lax.broadcast_in_dim omits; newer versions require `sharding`."""
    try:
        return lax.broadcast_in_dim_p.bind(x, shape=(8, 16), broadcast_dimensions=(0, 1), sharding=None)
    except TypeError:
        return lax.broadcast_in_dim_p.bind(x, shape=(8, 16), broadcast_dimensions=(0, 1))


def build(shape, n):
    """The function whose trace is programs.jaxpr_straight or jaxpr_mixed."""
    def f(a, b):
        rng, values = random.Random(2), [a, b]
        for _, op, x, y in programs.steps(n):
            kind, left = 0.0 if shape == "straight" else rng.random(), values[x]
            if kind < 0.55:
                values.append(OPS[op](left) if y is None else OPS[op](left, values[y]))
            elif kind < 0.75:
                values.append(lax.mul(left, rng.random() * 10 + 1))
            elif kind < 0.85:
                values.append(lax.transpose_p.bind(left, permutation=(0, 1)))
            elif kind < 0.95:
                values.append(broadcast(left))
            else:
                values.append(relu(left))
        return values[-1]
    return f


def trace(shape, n):
    if shape == "gpt":
        return jax_models.gpt(max(1, n // 400))
    argument = jnp.zeros((8, 16), jnp.float32)
    return jax.make_jaxpr(build(shape, n))(argument, argument)


def main():
    shape, n, runs, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    closed = trace(shape, n)
    checks, prints, text = [], [], ""
    for _ in range(runs):
        start = time.process_time()
        check_jaxpr(closed.jaxpr)
        checks.append(time.process_time() - start)
        start = time.process_time()
        text = str(closed)
        prints.append(time.process_time() - start)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text + "\n")
    print(json.dumps({"jax": jax.__version__, "equations": len(closed.jaxpr.eqns), "check": checks, "print": prints}))


main()
