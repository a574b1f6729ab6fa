# SPDX-License-Identifier: Apache-2.0
"""Traps of the printer: names that are keywords, unused results, shared programs, widths at the edge, odd texts.

One idea: each function aims at one peculiarity of layout or naming, several through a primitive of its own that carries
parameters no JAX primitive has.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from functions import program

try:
    from jax.extend.core import Primitive
except ImportError:
    from jax.core import Primitive

own_p = Primitive("own")
own_p.def_abstract_eval(lambda *xs, **_: xs[0])
pair_p = Primitive("own_pair")
pair_p.multiple_results = True
pair_p.def_abstract_eval(lambda *xs, **_: [xs[0], xs[-1]])
none_p = Primitive("own-nothing.v2")
none_p.multiple_results = True
none_p.def_abstract_eval(lambda *xs, **_: [])


@program()
def nothing_at_all():
    return ()


@program("f32[]")
def no_equations(x):
    return x, 1.0, x


@program("f32[]", "i32[2]", "bool[]")
def arguments_unused(x, n, p):
    return jnp.sin(x)


@program(*["f32[]"] * 30)
def many_arguments(*xs):
    return functools.reduce(jnp.add, xs), xs[3] * xs[29]


@program("f32[]")
def names_past_the_keywords(x):
    for _ in range(245):
        x = lax.neg(x)
    return x


@program(*["f32[123,456,789]"] * 9)
def header_past_the_edge(*xs):
    return xs


@program("f32[12345,67890]")
def many_results_broken(x):
    return tuple(lax.neg(x) for _ in range(12))


@program("f32[]")
def results_unused(x):
    def two(v):
        jnp.sin(v)
        return v * 2, lax.top_k(v[None], 1)[1]

    a, _ = jax.jit(two)(x)
    lax.cos(x)
    return a, lax.top_k(x[None], 1)[0]


def own_layer(v):
    for _ in range(3):
        v = jnp.tanh(v) * 2 + 1
    return v


@program("f32[4]")
def shared_program(x):
    f = jax.jit(own_layer)
    return f(f(f(x)))


@program("f32[4]", "f32[2,2]")
def shared_programs_of_two_shapes(x, y):
    f = jax.jit(own_layer)
    return f(x), f(y), f(x * 2), f(y * 2)


@program("f32[4]")
def shared_inside_shared(x):
    f = jax.jit(own_layer)
    g = jax.jit(lambda v: f(v) + f(v))
    return g(x), g(g(x))


@program("f32[4]")
def shared_in_branches(x):
    f = jax.jit(own_layer)
    return lax.cond(x[0] > 0, f, lambda v: f(v) * 2, x), lax.scan(lambda c, _: (f(c), None), x, None, length=2)


@program("f32[3]")
def long_body_hoisted(x):
    def chain(v):
        for _ in range(11):
            v = jnp.sin(v)
        return v

    return jax.jit(chain)(x), lax.cond(x[0] > 0, chain, jnp.cos, x)


@program("f32[3]")
def ten_equations_not_hoisted(x):
    def chain(v):
        for _ in range(10):
            v = lax.sin(v)
        return v

    return jax.jit(chain)(x)


@program("f32[]")
def same_name_other_body(x):
    def g(v):
        return v + 1

    first = jax.jit(g)

    def g(v):
        return v * 2

    second = jax.jit(g)
    return first(x), first(x), second(x), second(x)


@program("f32[]")
def odd_function_names(x):
    def make(name, f):
        f.__name__ = name
        return jax.jit(f)

    lam = jax.jit(lambda v: v * 2)
    keyword = make("in", lambda v: v - 1)
    clash = make("a", lambda v: v + 3)
    return lam(x), lam(x), keyword(x), keyword(x), clash(x), clash(x), jax.jit(functools.partial(jnp.add, 1.0))(x)


@program("f32[]")
def alias_of_operands(x):
    f = jax.jit(lambda a, b, c: jax.jit(jnp.sin)(a) * b + c)
    return f(x, x, x), f(x, 2.0, x)


@program("f32[]")
def parameters_plain(x):
    return (
        own_p.bind(x, none=None, yes=True, number=-3, real=1e-05, text="plain", empty="", nothing=()),
        own_p.bind(x, name="has blanks", tup=(1, 2), one=(1,), nested=((1, "a"), ("it's", None))),
        own_p.bind(x, kind=np.dtype("float32"), inner=(np.dtype("int8"),), cls=np.float32),
    )


@program("f32[]")
def parameters_unhashable(x):
    return (
        own_p.bind(x, sl=slice(0, 2, None)),
        own_p.bind(x, a=[1, 2], d={"k": 1}),
        own_p.bind(x, table=np.arange(4).reshape(2, 2)),
    )


@program("f32[]")
def parameters_programs_in_lists(x):
    closed = jax.make_jaxpr(lambda v: v * 2)(x)
    return own_p.bind(x, bodies=[closed, closed], flag=True)


@program("f32[]")
def parameters_odd_strings(x):
    return (
        own_p.bind(x, fmt="two words = three"),
        own_p.bind(x, fmt="# not a comment"),
        own_p.bind(x, quote="it's"),
        own_p.bind(x, fmt="x < 1 -> y", z=1),
        own_p.bind(x, fmt="a: {}; b: [{}]"),
    )


@program("f32[]", judged=False)
def parameters_without_end(x):
    return (
        own_p.bind(x, fmt="a]b[", z=1),
        own_p.bind(x, fmt="{ lambda", kind=2),
        own_p.bind(x, fmt="three; in ("),
        own_p.bind(x, fmt="line\nbreak", k=0),
        own_p.bind(x, name="has name=x"),
    )


@program("f32[]")
def parameters_objects(x):
    return (
        own_p.bind(x, mode=lax.GatherScatterMode.CLIP, precision=lax.Precision.HIGH, pair=(lax.Precision.HIGH,)),
        own_p.bind(x, tree=jax.tree_util.tree_structure({"a": (1, [2]), "b": None})),
        own_p.bind(
            x, frozen=frozenset({"x"}), rng=range(3), b=b"bytes", big=10**20, scalar=np.int32(3), scalars=(np.int64(4),)
        ),
    )


@program("f32[]")
def parameters_with_programs(x):
    closed = jax.make_jaxpr(lambda v: v + 1)(x)
    return (
        own_p.bind(x, body=closed, tail=1),
        own_p.bind(x, bodies=(closed, closed), z=0),
        own_p.bind(x, single=(closed,)),
        own_p.bind(x, mixed=(closed, None)),
        own_p.bind(x, a=(), b=closed.jaxpr),
    )


@program("f32[]")
def parameters_many_programs_deep(x):
    one = jax.make_jaxpr(
        lambda v: lax.cond(v > 0, lambda u: own_p.bind(u, body=jax.make_jaxpr(jnp.sin)(1.0)), jnp.cos, v)
    )(x)
    return own_p.bind(x, first=one, second=(one, jax.make_jaxpr(jnp.tan)(x)))


def edge_of(width):
    fn = lambda x: own_p.bind(x, text="w" * width)
    fn.__name__, fn.__module__ = "edge_of_line_%d" % width, __name__
    program("f32[]")(fn)


for _width in (33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59):
    edge_of(_width)


def edge_of_tuple(width):
    fn = lambda x: own_p.bind(x, aaa="w" * width, empty=())
    fn.__name__, fn.__module__ = "edge_of_tuple_%d" % width, __name__
    program("f32[]")(fn)


for _width in (60, 66, 67, 68, 70):
    edge_of_tuple(_width)


@program("f32[]")
def wide_characters(x):
    return own_p.bind(x, text="é" * 22), own_p.bind(x, text="≤" * 18), own_p.bind(x, text="é" * 26)


@program("f32[1234,5678]", "f32[1234,5678]")
def equation_past_the_edge(x, y):
    return pair_p.bind(
        x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, long_parameter_name=3
    )


@program("f32[]")
def equations_without_results(x):
    none_p.bind()
    none_p.bind(x)
    none_p.bind(x, k=3)
    return jax.jit(lambda v: none_p.bind(v) and None)(x)


@program("f32[]")
def only_effects(x):
    none_p.bind(x, long_parameter="p" * 70)


@program("i32[]")
def constants_captured(n):
    a, b = jnp.arange(3), np.array([1.5, 2.5], np.float32)
    return a + n, jnp.sin(b), jax.jit(lambda v: v + a)(n), lax.scan(lambda c, v: (c + v, b), 0, a)


@program("f32[]")
def constants_in_nested(x):
    table = jnp.arange(4.0)
    return lax.cond(x > 0, lambda v: v * table, lambda v: v + table, x), lax.fori_loop(
        0, 3, lambda i, c: c + table, table
    )


@program("f32[3]", flags={"jax_use_simplified_jaxpr_constants": True})
def constants_in_line(x):
    return x + np.arange(3.0, dtype=np.float32), x * jnp.ones(3)


@program("f32[]")
def literals_everywhere(x):
    f = jax.jit(lambda a, b: (a, b, a * 2.0, 5))
    return f(x, 3.0), f(1.0, x), lax.cond(x > 0, lambda: 1.0, lambda: 2.0), -0.0


@program("f32[2]")
def named_scopes(x):
    with jax.named_scope("outer [a]"):
        y = jnp.sin(x)
        with jax.named_scope("inner"):
            y = jax.vmap(jnp.cos)(y)
    return y


@program("f32[2,3]", "i32[]")
def dictionary_of_results(x, n):
    return {"z": x, "a": [n, (x.sum(), None)], "m": {}}


@program("f32[8]")
def deep_nesting(x):
    def wrap(f, depth):
        return f if depth == 0 else wrap(jax.jit(lambda v: f(v) * 1.5), depth - 1)

    return wrap(jnp.sin, 12)(x)


@program("f32[8]")
def deep_branches(x):
    def grow(depth):
        if depth == 0:
            return jnp.sin
        return lambda v: lax.cond(v[0] > depth, grow(depth - 1), lambda u: u * depth, v)

    return grow(6)(x)


@program("f32[3]")
def numpy_integers(x):
    n = np.int64(2)
    return (
        jnp.broadcast_to(x, (n, 3)),
        lax.slice(x, (np.int32(0),), (n,)),
        x.reshape(np.int64(3), 1),
        lax.iota(np.float32, np.int64(4)),
    )
