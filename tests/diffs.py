#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the differences of ten ordinary code changes are: `diffs.py JAXPR` prints the table of doc/diffs.md.

`diffs.py --trace [CHANGE]` prints one training step of a small Flax model, with one thing changed, as this JAX traces
it (`--trace small`: without attention, as in samples/step_jax_*.jaxpr); `diffs.py --keep FOLDER JAXPR` keeps the
traces, so that the differences can be read; `diffs.py --check JAXPR` fails if a difference is longer than that of `diff
-u`, or a summary longer than a screen. Needs jax, flax and optax, and is skipped without them."""

import os
import subprocess
import sys
import tempfile

SCREEN = 40
CHANGES = {
    "epsilon": "epsilon of LayerNorm 1e-6 → 1e-5",
    "loss": "mean of the loss → sum",
    "dropout": "dropout of 0.1 after each MLP",
    "relu": "GELU → ReLU",
    "batch": "batch of 8 → 16",
    "bf16": "modules compute in bfloat16",
    "sgd": "AdamW → SGD",
    "clip": "gradients are clipped by their norm",
    "layers": "two layers → three",
    "swapped": "MLP before attention",
}


def step(change):
    """The training step and its arguments."""
    import flax.linen as nn
    import jax
    import jax.numpy as jnp
    import optax

    dtype = jnp.bfloat16 if change == "bf16" else jnp.float32
    batch, layers = (16 if change == "batch" else 8), {"layers": 3, "small": 1}.get(change, 2)
    epsilon = 1e-5 if change == "epsilon" else 1e-6

    class Attention(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.LayerNorm(epsilon=epsilon, dtype=dtype)(x)
            q, k, v = (nn.Dense(16, dtype=dtype, name=name)(y) for name in ("q", "k", "v"))
            weights = jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k) / 4.0)
            return x + nn.Dense(16, dtype=dtype, name="out")(jnp.einsum("bqk,bkd->bqd", weights, v))

    class Mlp(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.LayerNorm(epsilon=epsilon, dtype=dtype)(x)
            y = nn.Dense(32, dtype=dtype)(y)
            y = nn.relu(y) if change == "relu" else nn.gelu(y)
            y = nn.Dense(16, dtype=dtype)(y)
            if change == "dropout":
                y = nn.Dropout(0.1, deterministic=False)(y)
            return x + y

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x):
            for i in range(layers):
                blocks = [Attention(name=f"attention{i}"), Mlp(name=f"mlp{i}")][change == "small" :]
                for block in reversed(blocks) if change == "swapped" else blocks:
                    x = block(x)
            return nn.Dense(4, dtype=dtype, name="head")(x.mean(axis=1))

    model = Model()
    optimizer = optax.sgd(0.1) if change in ("sgd", "small") else optax.adamw(1e-3)
    if change == "clip":
        optimizer = optax.chain(optax.clip_by_global_norm(1.0), optimizer)
    x, labels = jnp.zeros((batch, 6, 16)), jnp.zeros(batch, jnp.int32)
    rngs = {"params": jax.random.key(0), "dropout": jax.random.key(1)}
    params = model.init(rngs, x)
    state = optimizer.init(params)

    def train_step(params, state, x, labels, key):
        def loss(params):
            logits = model.apply(params, x, rngs={"dropout": key})
            each = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
            return each.sum() if change == "loss" else each.mean()

        value, grads = jax.value_and_grad(loss)(params)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    return train_step, (params, state, x, labels, jax.random.key(2))


def trace(change, source_info=False):
    import jax

    function, arguments = step(change)
    closed = jax.make_jaxpr(function)(*arguments)
    return closed.pretty_print(use_color=False, source_info=source_info) + "\n"


def lines(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit("%s: exit %d: %s" % (command[0], done.returncode, done.stderr))
    return done.stdout.count("\n")


def table(jaxpr, folder):
    """Prints a row for each change: the lines of each way to compare. Returns how many changes have too many."""
    paths, long = {}, 0
    os.makedirs(folder, exist_ok=True)
    for change in ("", *CHANGES):
        paths[change] = os.path.join(folder, (change or "before") + ".jaxpr")
        with open(paths[change], "w", encoding="utf-8") as f:
            f.write(trace(change, True))
    print("| change | `diff -u` | `jaxpr diff` | `--summary` |\n|---|--:|--:|--:|")
    for change, text in CHANGES.items():
        a, b = paths[""], paths[change]
        counts = lines("diff", "-u", a, b), lines(jaxpr, "diff", a, b), lines(jaxpr, "diff", "--summary", a, b)
        print("| %s | %d | %d | %d |" % (text, *counts))
        long += counts[1] > counts[0] or counts[2] > SCREEN
    return long


def main(arguments):
    try:
        import flax, jax, optax  # noqa: F401, E401
    except ImportError as error:
        print("skipped: %s; pip install jax flax optax" % error)
        return 77
    if arguments[0] == "--trace":
        sys.stdout.write(trace(arguments[1] if len(arguments) > 1 else ""))
        return 0
    if arguments[0] == "--keep":
        table(arguments[2], arguments[1])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        long = table(arguments[-1], folder)
    return 1 if long and arguments[0] == "--check" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
