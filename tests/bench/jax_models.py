# SPDX-License-Identifier: Apache-2.0
"""A realistic program, traced with the JAX of this Python."""

import jax
import jax.numpy as jnp
from jax import lax


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
