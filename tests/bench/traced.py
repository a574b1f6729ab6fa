# SPDX-License-Identifier: Apache-2.0
"""Traces programs that are in no recorded set, with the JAX of this Python, and prints them:

    python traced.py > TEXT

training steps of a transformer and of a convolutional network, a recurrence, a solver, a sampler, a filter, simulations."""

import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax, random  # noqa: E402

import jax_models  # noqa: E402


def array(*shape, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def lstm(w, u, x):
    """A recurrence over time, its loss and its gradient."""
    def loss(w, u):
        def cell(carry, x):
            h, c = carry
            i, f, g, o = jnp.split(x @ w + h @ u, 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), h
        start = jnp.zeros((x.shape[1], u.shape[0]))
        (h, _), _ = lax.scan(cell, (start, start), x)
        return (h ** 2).mean()
    return jax.value_and_grad(loss, (0, 1))(w, u)


def convolutions(weights, images, labels):
    """A residual network with batch normalization, its gradient and a step of gradient descent."""
    def normal(x):
        return (x - x.mean((0, 1, 2))) * lax.rsqrt(x.var((0, 1, 2)) + 1e-5)

    def loss(weights):
        x = images
        for i, w in enumerate(weights[:-1]):
            y = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.relu(normal(y)) + (x if i and x.shape == y.shape else 0)
        logits = x.mean((1, 2)) @ weights[-1]
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean()
    value, grads = jax.value_and_grad(loss)(weights)
    return value, [w - 0.05 * g for w, g in zip(weights, grads)]


def adaptive(y, end):
    """Dormand and Prince's method with adaptive steps, for many systems at once."""
    stages = [[0.2], [0.075, 0.225], [44 / 45, -56 / 15, 32 / 9],
              [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
              [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]]

    def lorenz(y):
        return jnp.stack([10.0 * (y[1] - y[0]), y[0] * (28.0 - y[2]) - y[1], y[0] * y[1] - 2.6666667 * y[2]])

    def solve(y, end):
        def step(state):
            t, y, h = state
            slopes = [lorenz(y)]
            for row in stages:
                slopes.append(lorenz(y + h * sum(a * k for a, k in zip(row, slopes))))
            wrong = h * jnp.linalg.norm(slopes[0] * 0.00123 - slopes[2] * 0.00425 + slopes[-1] * 0.025)
            fine = wrong < 1e-5
            return (jnp.where(fine, t + h, t), jnp.where(fine, y + h * slopes[-1], y),
                    h * jnp.clip(0.9 * (1e-5 / (wrong + 1e-12)) ** 0.2, 0.2, 5.0))
        return lax.while_loop(lambda s: s[0] < end, step, (0.0, y, 0.01))[1]
    return jax.vmap(solve, (0, None))(y, end)


def process(x, y, logs):
    """The marginal likelihood of a Gaussian process, with its gradient and Hessian."""
    def likelihood(logs):
        length, scale, noise = jnp.exp(logs)
        kernel = scale * jnp.exp(-0.5 * ((x[:, None] - x[None]) ** 2).sum(-1) / length ** 2)
        factor = jnp.linalg.cholesky(kernel + noise * jnp.eye(x.shape[0]))
        half = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
        return -0.5 * half @ half - jnp.log(jnp.diagonal(factor)).sum()
    return jax.value_and_grad(likelihood)(logs), jax.hessian(likelihood)(logs)


def sampler(key, start):
    """Hamiltonian Monte Carlo on a curved density, several chains."""
    def density(x):
        return -0.5 * (x[0] ** 2 / 4.0 + (x[1] - 0.25 * x[0] ** 2) ** 2) - 0.5 * (x[2:] ** 2).sum()

    def one(state, key):
        first, second = random.split(key)
        momentum = random.normal(first, state.shape)

        def leap(_, carry):
            x, p = carry
            p = p + 0.05 * jax.grad(density)(x)
            x = x + 0.1 * p
            return x, p + 0.05 * jax.grad(density)(x)
        x, p = lax.fori_loop(0, 20, leap, (state, momentum))
        ratio = density(x) - density(state) - 0.5 * (p @ p - momentum @ momentum)
        state = jnp.where(jnp.log(random.uniform(second)) < ratio, x, state)
        return state, state
    return jax.vmap(lambda key, x: lax.scan(one, x, random.split(key, 50)))(random.split(key, 8), start)


def filtering(means, observed, a, c, q, r):
    """Kalman's filter and its smoother."""
    def forward(carry, y):
        m, p = carry
        m, p = a @ m, a @ p @ a.T + q
        gain = jnp.linalg.solve(c @ p @ c.T + r, c @ p).T
        m, p = m + gain @ (y - c @ m), p - gain @ c @ p
        return (m, p), (m, p)

    def backward(carry, both):
        m, p = both
        ahead = a @ p @ a.T + q
        gain = jnp.linalg.solve(ahead, a @ p).T
        m, p = m + gain @ (carry[0] - a @ m), p + gain @ (carry[1] - ahead) @ gain.T
        return (m, p), m
    last, all_of = lax.scan(forward, (means, jnp.eye(means.shape[0])), observed)
    return lax.scan(backward, last, all_of, reverse=True)[1]


def bodies(place, speed, mass):
    """Gravity among many bodies, unrolled, and the gradient of the final energy."""
    def energy(place, speed):
        for _ in range(12):
            apart = place[:, None] - place[None]
            pull = -(apart * (mass[None, :, None] / ((apart ** 2).sum(-1, keepdims=True) + 0.01) ** 1.5)).sum(1)
            speed = speed + 0.01 * pull
            place = place + 0.01 * speed
        return 0.5 * (mass[:, None] * speed ** 2).sum()
    return jax.grad(energy, (0, 1))(place, speed)


def transport(cost, left, right):
    """Sinkhorn's iterations, differentiated through all of them."""
    def plan(cost):
        f, g = jnp.zeros_like(left), jnp.zeros_like(right)
        for _ in range(20):
            f = 0.1 * (jnp.log(left) - jax.nn.logsumexp((g[None] - cost) / 0.1, axis=1))
            g = 0.1 * (jnp.log(right) - jax.nn.logsumexp((f[:, None] - cost) / 0.1, axis=0))
        return (jnp.exp((f[:, None] + g[None] - cost) / 0.1) * cost).sum()
    return jax.value_and_grad(plan)(cost)


KEY = jax.eval_shape(lambda: random.PRNGKey(0))
WEIGHTS = [array(3, 3, 3, 32)] + [array(3, 3, 32, 32)] * 8 + [array(32, 10)]
PROGRAMS = [
    (lstm, array(64, 256), array(64, 256), array(30, 8, 64)),
    (convolutions, WEIGHTS, array(16, 32, 32, 3), array(16, dtype=jnp.int32)),
    (adaptive, array(100, 3), array()),
    (process, array(50, 3), array(50), array(3)),
    (sampler, KEY, array(8, 5)),
    (filtering, array(4), array(100, 2), array(4, 4), array(2, 4), array(4, 4), array(2, 2)),
    (bodies, array(64, 3), array(64, 3), array(64)),
    (transport, array(20, 30), array(20), array(30)),
]


def main():
    print(jax_models.gpt(12))
    for function, *arguments in PROGRAMS:
        print(jax.make_jaxpr(function)(*arguments))


main()
