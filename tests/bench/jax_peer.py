# SPDX-License-Identifier: Apache-2.0
"""What JAX itself needs for a program: run by a Python that has JAX.

    python jax_peer.py SHAPE EQUATIONS RUNS TEXT

Builds the program of programs.py's `straight` or `mixed` by tracing it, or `gpt`, a training step of a transformer that
has a layer for each 400 equations asked for, writes its print to the file TEXT, and prints
one line of JSON: the JAX version, the number of equations, and seconds of a processor for each run of core.check_jaxpr
and of printing. Only that is measured: no import, no tracing."""

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
    """broadcast_in_dim that changes nothing, which only the primitive itself does; its parameters have grown."""
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


def gpt(layers):
    """A training step: the loss of a transformer without dropout, its gradient, and Adam."""
    width, heads, words, length, batch = 256, 4, 1000, 64, 2
    shapes = dict(qkv=(width, 3 * width), out=(width, width), up=(width, 4 * width), down=(4 * width, width),
                  first=(width,), second=(width,))
    weights = {"embed": (words, width), "place": (length, width), "last": (width,),
               **{f"{name}{i}": shape for i in range(layers) for name, shape in shapes.items()}}

    def norm(x, scale):
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale

    def attend(x, qkv, out):
        parts = (x @ qkv).reshape(batch, length, 3, heads, width // heads)
        q, k, v = (parts[:, :, i].transpose(0, 2, 1, 3) for i in range(3))
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), q @ k.swapaxes(-1, -2) / 8.0, -1e9)
        return (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(batch, length, width) @ out

    def loss(w, tokens, targets):
        x = w["embed"][tokens] + w["place"]
        for i in range(layers):
            x = x + attend(norm(x, w[f"first{i}"]), w[f"qkv{i}"], w[f"out{i}"])
            x = x + jax.nn.gelu(norm(x, w[f"second{i}"]) @ w[f"up{i}"]) @ w[f"down{i}"]
        logits = norm(x, w["last"]) @ w["embed"].T
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1).mean()

    def step(w, mean, square, tokens, targets):
        value, grad = jax.value_and_grad(loss)(w, tokens, targets)
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grad)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, grad)
        return value, jax.tree.map(lambda x, m, s: x - 1e-3 * m / (jnp.sqrt(s) + 1e-8), w, mean, square), mean, square

    w = {name: jax.ShapeDtypeStruct(shape, jnp.float32) for name, shape in weights.items()}
    tokens = jax.ShapeDtypeStruct((batch, length), jnp.int32)
    return jax.make_jaxpr(step)(w, w, w, tokens, tokens)


def trace(shape, n):
    if shape == "gpt":
        return gpt(max(1, n // 400))
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
