# SPDX-License-Identifier: Apache-2.0
"""Small whole computations, as users write them: networks with their gradients, solvers, simulations."""

import jax
import jax.numpy as jnp
from jax import lax

from functions import program


def attention(x, wq, wk, wv):
    q, k, v = (jnp.einsum("btd,dhe->bhte", x, w) for w in (wq, wk, wv))
    scores = jnp.einsum("bhse,bhte->bhst", q, k) / jnp.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhst,bhte->bshe", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


@program("f32[2,5,8]", "f32[8,2,4]", "f32[8,2,4]", "f32[8,2,4]")
def attention_forward(x, wq, wk, wv):
    return attention(x, wq, wk, wv)


@program("f32[2,5,8]", "f32[8,2,4]", "f32[8,2,4]", "f32[8,2,4]")
def attention_gradient(x, wq, wk, wv):
    return jax.grad(lambda *w: (attention(x, *w) ** 2).mean(), (0, 1, 2))(wq, wk, wv)


def perceptron(params, x):
    for w, b in params[:-1]:
        x = jax.nn.gelu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


@program("f32[8,3]", "i32[8]", "f32[3,16]", "f32[16]", "f32[16,5]", "f32[5]")
def train_step(x, y, w1, b1, w2, b2):
    def loss(params):
        logits = jax.nn.log_softmax(perceptron(params, x))
        return -jnp.take_along_axis(logits, y[:, None], 1).mean()

    params = ((w1, b1), (w2, b2))
    value, grads = jax.value_and_grad(loss)(params)
    return value, jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, grads)


@program("f32[6,3]", "f32[4]", "f32[3,4]", "f32[4,4]")
def recurrent_gradient(xs, h, wx, wh):
    run = lambda wh: lax.scan(lambda h, x: (jnp.tanh(x @ wx + h @ wh),) * 2, h, xs)[1].sum()
    return jax.grad(run)(wh)


@program("f32[2,8,8,3]", "f32[3,3,3,4]", "f32[4]", "f32[64,10]")
def convolutional(x, k, scale, w):
    y = lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y = (y - y.mean((0, 1, 2))) * lax.rsqrt(y.var((0, 1, 2)) + 1e-5) * scale
    return jax.nn.relu(y).reshape(2, -1) @ w


@program("f32[4]", "f32[]")
def runge_kutta(y, dt):
    f = lambda y: jnp.stack([y[1], -y[0], y[3], -jnp.sin(y[2])])

    def step(y, _):
        k1 = f(y)
        k2 = f(y + dt / 2 * k1)
        k3 = f(y + dt / 2 * k2)
        k4 = f(y + dt * k3)
        return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), y[0]

    return lax.scan(step, y, None, length=20)


@program("f32[5]", "f32[5]")
def newton_until_converged(x, a):
    def body(s):
        x, i = s
        return x - (x * x - a) / (2 * x), i + 1

    return lax.while_loop(lambda s: (jnp.abs(s[0] ** 2 - a).max() > 1e-6) & (s[1] < 20), body, (x, 0))


@program("f32[16,16]")
def heat_equation(u):
    def lap(u):
        return sum(jnp.roll(u, s, a) for s in (1, -1) for a in (0, 1)) - 4 * u

    return lax.fori_loop(0, 10, lambda i, u: u + 0.1 * lap(u), u)


@program("bool[8,8]")
def game_of_life(board):
    n = lax.conv(board[None, None].astype(jnp.float32), jnp.ones((1, 1, 3, 3)), (1, 1), "SAME")[0, 0] - board
    return (n == 3) | (board & (n == 2))


@program("key<fry>[]", "f32[]")
def monte_carlo(k, r):
    def one(k):
        x, y = jax.random.uniform(k, (2,))
        return (x * x + y * y < r).astype(jnp.float32)

    return jax.vmap(one)(jax.random.split(k, 100)).mean()


@program("f32[7]", "f32[7]")
def kalman_like(z, r):
    def step(s, zr):
        m, p = s
        g = p / (p + zr[1])
        return (m + g * (zr[0] - m), (1 - g) * p + 0.01), m

    return lax.scan(step, (z[0], jnp.float32(1)), (z, r))


@program("f32[10,2]", "f32[3,2]")
def k_means(points, centres):
    def step(c, _):
        near = jnp.argmin(((points[:, None] - c) ** 2).sum(-1), 1)
        return (
            jnp.stack(
                [jnp.where((near == i)[:, None], points, 0).sum(0) / ((near == i).sum() + 1e-6) for i in range(3)]
            ),
            near,
        )

    return lax.scan(step, centres, None, length=4)


@program("f32[6,6]", "f32[6]")
def power_iteration(a, v):
    return lax.scan(lambda v, _: ((lambda w: w / jnp.linalg.norm(w))(a @ v), v @ a @ v), v, None, length=5)


@program("f32[9]", "f32[3]")
def adam(theta, t):
    loss = lambda th: jnp.sum((jnp.polyval(th, t) - jnp.cos(t)) ** 2)

    def step(s, i):
        th, m, v = s
        g = jax.grad(loss)(th)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return (th - 0.01 * m / (jnp.sqrt(v) + 1e-8), m, v), loss(th)

    return lax.scan(step, (theta, jnp.zeros(9), jnp.zeros(9)), jnp.arange(3))
