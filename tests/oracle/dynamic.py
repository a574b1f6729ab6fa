# SPDX-License-Identifier: Apache-2.0
"""Dynamically shaped programs: JAX's `abstracted_axes`, Catalyst's loops and branches, PennyLane's captured circuits.

One idea: a spy wraps the one function that makes a Jaxpr with its in_type and out_type in all of them, so that the
recorded signature is the system's own, nested programs included. A venv with Catalyst records Catalyst's and
PennyLane's programs, any other JAX's. JAX 0.8.1 and later reject most of these, which are recorded as `skipped`.
"""

import contextlib
import random

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.interpreters import partial_eval as pe

import live
import mutate

try:
    import catalyst
    import pennylane as qml
    import quantum
except ImportError:
    catalyst = None

ones = lambda *shape: np.ones(shape, np.float32)

# name, function, arguments, abstracted axes
JAX_PROGRAMS = [
    ("identity", lambda x: x, (ones(3),), ({0: "n"},)),
    ("size_as_value", lambda x: x.shape[0] * 2, (ones(3),), ({0: "n"},)),
    ("two_sizes", lambda x: jnp.sin(x) + 1.0, (ones(3, 4),), ({0: "n", 1: "m"},)),
    ("square", lambda x: x + x.T, (ones(3, 3),), ({0: "n", 1: "n"},)),
    ("one_size_twice", lambda x, y: x * y, (ones(3), ones(3)), ({0: "n"}, {0: "n"})),
    ("sizes_of_two", lambda x, y: (x, y, x.sum()), (ones(3), ones(4)), ({0: "n"}, {0: "m"})),
    ("inner_axis", lambda x: x.sum(1), (ones(2, 5),), ({1: "m"},)),
    ("outer_product", lambda x, y: x[:, None] * y[None, :], (ones(3), ones(5)), ({0: "n"}, {0: "m"})),
    ("contraction", lambda x, y: x @ y, (ones(3, 4), ones(4, 5)), ({0: "n", 1: "k"}, {0: "k", 1: "m"})),
    ("made_inside", lambda x: jnp.zeros(x.shape) + x, (ones(3),), ({0: "n"},)),
    ("counted", lambda x: lax.iota(np.int32, x.shape[0]), (ones(3),), ({0: "n"},)),
    ("through_jit", lambda x: jax.jit(jnp.cos)(x) * 2, (ones(3),), ({0: "n"},)),
    ("jit_of_two", lambda x, y: jax.jit(lambda a, b: a + b.sum())(x, y), (ones(3), ones(4)), ({0: "n"}, {0: "m"})),
    ("scalar_beside", lambda s, x: s * x, (np.float32(2), ones(3)), ({}, {0: "n"})),
    ("rows_transposed", lambda x: x.T, (ones(2, 5),), ({0: "n", 1: "m"},)),
    ("compared", lambda x, y: jnp.where(x > y, x, y), (ones(4), ones(4)), ({0: "n"}, {0: "n"})),
    ("reduced_all", lambda x: (x.max(), x.min(0), x.sum()), (ones(3, 2),), ({0: "n"},)),
    ("gradient", lambda x: jax.grad(lambda v: (v * v).sum())(x), (ones(3),), ({0: "n"},)),
    (
        "scanned_rows",
        lambda x: lax.scan(lambda c, r: (c + r, r.sum()), jnp.zeros(x.shape[1]), x),
        (ones(2, 3),),
        ({1: "m"},),
    ),
    ("size_in_arithmetic", lambda x: x * (x.shape[0] + 1), (ones(6),), ({0: "n"},)),
    ("dictionary", lambda d: d["a"] - d["b"], ({"a": ones(3), "b": ones(3)},), ({"a": {0: "n"}, "b": {0: "n"}},)),
    (
        "three_ranks",
        lambda x, y, z: (x + y.sum(1), z.sum((0, 2))),
        (ones(2), ones(2, 3), ones(3, 2, 4)),
        ({0: "n"}, {0: "n", 1: "m"}, {0: "m", 1: "n", 2: "k"}),
    ),
]


def sized(n):
    return jnp.ones((n,))


def catalyst_programs():
    """(name, function, arguments) for Catalyst; the functions are traced, not compiled."""
    from catalyst import cond, for_loop, while_loop

    def grown(n):
        return jnp.zeros((n,)) + 1.0

    def pair_of_sizes(n, m):
        return jnp.ones((n, m)), n * m

    def loop_keeps_size(n):
        @for_loop(0, 5, 1)
        def loop(i, a):
            return a * i

        return loop(sized(n))

    def loop_uses_outer(n):
        outer = sized(n)

        @for_loop(0, n, 1)
        def loop(i, a):
            return a + outer

        return loop(outer)

    def loop_two_arrays(n, m):
        @for_loop(0, 3, 1)
        def loop(i, a, b):
            return a + 1.0, b * 2.0

        return loop(sized(n), sized(m))

    def loop_of_one_size(n):
        @for_loop(0, 3, 1)
        def loop(i, a, b):
            return b, a

        return loop(sized(n), sized(n))

    def loop_resizes(n):
        @for_loop(0, 3, 1, allow_array_resizing=True)
        def loop(i, a):
            return jnp.ones((i + 1,))

        return loop(sized(n))

    def loop_resizes_captured(n):
        factor = n * 2

        @for_loop(0, 3, 1, allow_array_resizing=True)
        def loop(i, a):
            return a * factor

        return loop(sized(n))

    def loop_in_loop(n):
        @for_loop(0, 3, 1)
        def outer(i, a):
            @for_loop(0, 2, 1)
            def inner(j, b):
                return b + a

            return inner(a)

        return outer(sized(n))

    def while_keeps_size(n):
        @while_loop(lambda a, i: i < 4)
        def loop(a, i):
            return a * 2, i + 1

        return loop(sized(n), 0)

    def while_resizes(n):
        @while_loop(lambda a, i: i < 4, allow_array_resizing=True)
        def loop(a, i):
            return jnp.ones((i,)), i + 1

        return loop(sized(n), 0)

    def branches_agree(n, p):
        a = sized(n)

        @cond(p)
        def choose():
            return a + 1

        @choose.otherwise
        def choose():
            return a * 2

        return choose()

    def branches_differ(n, p):
        @cond(p)
        def choose():
            return jnp.ones((n,))

        @choose.otherwise
        def choose():
            return jnp.zeros((n + 1,))

        return choose()

    def branches_three(n, k):
        a = sized(n)

        @cond(k == 0)
        def choose():
            return a

        @choose.else_if(k == 1)
        def choose():
            return a + 1

        @choose.otherwise
        def choose():
            return a - 1

        return choose()

    def circuit_of_loop(n, angle):
        @qml.qnode(qml.device("lightning.qubit", wires=2))
        def circuit(n, angle):
            @for_loop(0, n, 1)
            def loop(i):
                qml.RX(angle * i, wires=0)

            loop()
            qml.CNOT(wires=[0, 1])
            return qml.expval(qml.PauliZ(1)), qml.probs(wires=[0])

        return circuit(n, angle)

    def circuit_of_dynamic_shots(n):
        @qml.qnode(qml.device("lightning.qubit", wires=1))
        def circuit(x):
            qml.RY(x.sum(), wires=0)
            return qml.state()

        return circuit(sized(n))

    return [
        (f.__name__, f, args)
        for f, args in (
            (grown, (3,)),
            (pair_of_sizes, (2, 3)),
            (loop_keeps_size, (3,)),
            (loop_uses_outer, (3,)),
            (loop_two_arrays, (2, 3)),
            (loop_of_one_size, (3,)),
            (loop_resizes, (3,)),
            (loop_resizes_captured, (3,)),
            (loop_in_loop, (3,)),
            (while_keeps_size, (3,)),
            (while_resizes, (3,)),
            (branches_agree, (3, True)),
            (branches_differ, (3, True)),
            (branches_three, (3, 1)),
            (circuit_of_loop, (3, 0.5)),
            (circuit_of_dynamic_shots, (3,)),
        )
    ]


def pennylane_programs():
    """(name, function, arguments) for PennyLane's program capture."""
    device = qml.device("default.qubit", wires=3)

    @qml.qnode(device)
    def plain(x):
        qml.Hadamard(0)
        qml.RX(x, wires=1)
        qml.adjoint(qml.S(2))
        qml.ctrl(qml.RZ(x, wires=2), control=0)
        return qml.expval(qml.PauliZ(0) @ qml.PauliX(1)), qml.probs(wires=[0, 1]), qml.var(qml.PauliY(2))

    @qml.qnode(device)
    def looping(n):
        @qml.for_loop(0, n, 1)
        def loop(i, x):
            qml.RX(x, wires=0)
            return x * 2

        loop(0.5)
        return qml.expval(qml.PauliZ(0))

    @qml.qnode(device)
    def choosing(p, x):
        def yes(x):
            qml.RX(x, wires=0)

        def no(x):
            qml.RY(x, wires=1)

        qml.cond(p, yes, no)(x)
        return qml.expval(qml.PauliZ(0))

    @qml.qnode(device)
    def measuring(x):
        qml.RX(x, wires=0)
        m = qml.measure(0)
        qml.cond(m, qml.PauliX)(1)
        return qml.expval(qml.PauliZ(1))

    def sized_loop(n):
        @qml.for_loop(0, 3, 1)
        def loop(i, a):
            return a * 2

        return loop(jnp.ones((n,)))

    def sized_while(n):
        @qml.while_loop(lambda a, i: i < 4)
        def loop(a, i):
            return a + 1.0, i + 1

        return loop(jnp.ones((n,)), 0)

    def sized_cond(n, p):
        return qml.cond(p, lambda a: a + 1, lambda a: a * 2)(jnp.ones((n,)))

    def gradient_of_circuit(x):
        return qml.grad(looping_free)(x)

    @qml.qnode(device)
    def looping_free(x):
        qml.RX(x, wires=0)
        return qml.expval(qml.PauliZ(0))

    return [
        ("plain_circuit", plain, (0.5,)),
        ("looping_circuit", looping, (3,)),
        ("choosing_circuit", choosing, (True, 0.1)),
        ("measuring_circuit", measuring, (0.3,)),
        ("sized_loop", sized_loop, (3,)),
        ("sized_while", sized_while, (3,)),
        ("sized_cond", sized_cond, (3, True)),
        ("gradient_of_circuit", gradient_of_circuit, (0.5,)),
    ]


@contextlib.contextmanager
def spy(seen):
    """While the block runs, each (in_type, out_type, jaxpr) that is made is appended to `seen`, innermost first."""
    places = [pe]
    if catalyst:
        from catalyst.jax_extras import tracing

        places.append(tracing)
    original = pe.trace_to_jaxpr_dynamic2

    def watched(fun, *more, **named):
        made = original(fun, *more, **named)
        try:  # some nested programs have tracers in their types, whose text is useless later
            seen.append((str(fun.in_type), str(made[1]), live.text(made[0])))
        except Exception:
            pass
        return made

    for place in places:
        place.trace_to_jaxpr_dynamic2 = watched
    try:
        yield
    finally:
        for place in places:
            place.trace_to_jaxpr_dynamic2 = original


@contextlib.contextmanager
def dynamic_shapes(on=True):
    old = jax.config.jax_dynamic_shapes
    jax.config.update("jax_dynamic_shapes", on)
    try:
        yield
    finally:
        jax.config.update("jax_dynamic_shapes", old)


def signature_rows(name, seen, whole, more):
    """A row for each recorded program; the last one is the outermost if tracing finished (`whole`)."""
    for i, (in_type, out_type, text) in enumerate(seen):
        place = "outermost" if whole and i == len(seen) - 1 else "nested program %d, innermost first" % i
        yield dict(
            row="signature",
            id="%s-%d-%s" % (name, i, more.get("catalyst") or jax.__version__),
            jax=jax.__version__,
            jaxpr=text,
            in_type=in_type,
            out_type=out_type,
            note=place,
            **more
        )


def trace_abstracted(fn, args, axes):
    """The outermost Jaxpr, as make_jaxpr(abstracted_axes=..) returned it before JAX removed that option."""
    from jax._src import api, api_util, linear_util

    flat, tree = jax.tree_util.tree_flatten((args, {}))
    in_type = pe.infer_lambda_input_type(api._flat_axes_specs(axes, *args), flat)
    named = {}
    if live.version() >= (0, 5):
        named["debug_info"] = api_util.debug_info("oracle", fn, args, {})
    wrapped, _ = api_util.flatten_fun(linear_util.wrap_init(fn, **named), tree)
    return pe.trace_to_jaxpr_dynamic2(linear_util.annotate(wrapped, in_type))[0]


def jax_rows():
    for name, fn, args, axes in JAX_PROGRAMS:
        seen, whole = [], False
        with spy(seen), dynamic_shapes():
            try:
                jaxpr = trace_abstracted(fn, args, axes)
                whole = True
                good, message, _ = live.judge(jaxpr)
                full = "dynamic_%s-%s" % (name, jax.__version__)
                yield dict(
                    row="program",
                    id=full,
                    jax=jax.__version__,
                    fn="dynamic_" + name,
                    family="dynamic",
                    valid=good,
                    prims=dict(sorted(live.count(jaxpr).items())),
                    text=live.text(jaxpr),
                    **({} if good else {"msg": message})
                )
            except Exception as error:
                yield skipped("dynamic_" + name, error)
        yield from signature_rows("jax_" + name, seen, whole, {})


def skipped(name, error):
    return dict(row="skipped", fn=name, jax=jax.__version__, why=("%s: %s" % (type(error).__name__, error))[:300])


def system_rows(system, programs, trace, more, mutants=0):
    """Rows of programs of Catalyst or PennyLane, which do not run JAX's checker: `valid` is null. Mutants are made of
    those that the checker accepts."""
    for name, fn, args in programs:
        seen, whole = [], False
        try:
            with spy(seen):
                closed = trace(fn, args)
            whole = True
            base = "%s_%s-%s" % (system, name, list(more.values())[0])
            text = live.text(closed)
            yield dict(
                row="program",
                id=base,
                jax=jax.__version__,
                fn=system + "_" + name,
                family=system,
                valid=None,
                prims=dict(sorted(live.count(closed).items())),
                text=text,
                **more
            )
            if mutants and live.judge(closed)[0]:
                for row in mutate.mutants(random.Random(base), closed, text, mutants):
                    yield dict(row="mutant", base=base, jax=jax.__version__, **row)
        except Exception as error:
            yield skipped(system + "_" + name, error)
        yield from signature_rows(system + "_" + name, seen, whole, more)


def pennylane_patches():
    """PennyLane's patches for JAX's dynamic shapes, if it has them."""
    try:
        from pennylane.capture.jax_patches import get_jax_patches
        from pennylane.capture.patching import Patcher
    except ImportError:
        return contextlib.nullcontext()
    return Patcher(*get_jax_patches())


def catalyst_rows(mutants):
    from catalyst import qjit

    def by_catalyst(fn, args):
        return qjit(fn, target="mlir").capture(args)[0]

    def by_capture(fn, args):
        with pennylane_patches():
            return jax.make_jaxpr(fn)(*args)

    version = {"catalyst": catalyst.__version__}
    yield from system_rows("catalyst", catalyst_programs(), by_catalyst, version)
    yield from system_rows("circuit", quantum.programs(), by_catalyst, version, mutants)
    if hasattr(qml, "capture"):
        qml.capture.enable()
        try:
            for on in (False, True):
                programs = [p for p in pennylane_programs() if p[0].startswith("sized") == on]
                with dynamic_shapes(on):
                    yield from system_rows("pennylane", programs, by_capture, {"pennylane": qml.__version__})
        finally:
            qml.capture.disable()


def rows(mutants):
    """All rows that this venv can make, with `mutants` of each circuit; one `skipped` row without dynamic shapes."""
    if not hasattr(pe, "trace_to_jaxpr_dynamic2") or not hasattr(jax.config, "jax_dynamic_shapes"):
        yield skipped("(family) dynamic", NotImplementedError("this JAX has no dynamic shapes"))
        return
    if catalyst:
        yield from catalyst_rows(mutants)
    else:
        yield from jax_rows()
