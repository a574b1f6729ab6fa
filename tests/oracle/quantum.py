# SPDX-License-Identifier: Apache-2.0
"""Circuits that Catalyst captures: instructions, measurements and derivatives.

One idea: Catalyst's primitives compute their types for JAX's checker, so that circuits have a verdict and mutants, as
other programs do. Shapes are static here; dynamic.py has the others."""

import numpy as np
import pennylane as qml
from catalyst import adjoint, cond, ctrl, for_loop, grad, jacobian, jvp, measure, vjp, while_loop


def circuit(wires, **device):
    """A decorator that makes a circuit of a function, on Catalyst's simulator with that number of wires."""
    return lambda fn: qml.qnode(qml.device("lightning.qubit", wires=wires, **device))(fn)


def programs():
    """(name, function, arguments)"""

    @circuit(2)
    def gates(x):
        qml.Hadamard(wires=0)
        qml.RX(x, wires=1)
        qml.CRZ(x * 2, wires=[0, 1])
        qml.Rot(x, 0.1, 0.2, wires=0)
        return qml.expval(qml.PauliZ(0)), qml.var(qml.PauliX(1))

    @circuit(2)
    def matrices(x):
        qml.QubitUnitary(np.array([[0, 1], [1, 0]]), wires=0)
        ctrl(qml.QubitUnitary, control=[1])(np.eye(2), wires=0)
        return qml.expval(qml.Hermitian(np.eye(4), wires=[0, 1]))

    @circuit(3)
    def observables(x):
        qml.RY(x, wires=2)
        sum_of = qml.Hamiltonian([0.5, 1.5], [qml.PauliZ(0), qml.PauliX(1) @ qml.PauliY(2)])
        return qml.expval(sum_of), qml.expval(qml.PauliZ(0) @ qml.PauliZ(1) @ qml.PauliZ(2))

    @circuit(3)
    def distributions(x):
        qml.RX(x, wires=0)
        return qml.probs(wires=[0, 2])

    @circuit(2)
    def state_vector(x):
        qml.RX(x, wires=0)
        return qml.state()

    @circuit(2)
    def measured(x):
        qml.RX(x, wires=0)
        outcome = measure(0)

        @cond(outcome)
        def flip():
            qml.PauliX(wires=1)

        flip()
        measure(1, postselect=1)
        return qml.expval(qml.PauliZ(1))

    @circuit(3)
    def controlled(x):
        ctrl(qml.RX, control=[0, 1], control_values=[True, False])(x, wires=2)
        adjoint(qml.RZ)(x, wires=0)
        return qml.probs(wires=[2])

    @circuit(2)
    def adjoint_of_loop(x, n):
        def inside():
            @for_loop(0, n, 1)
            def loop(i):
                qml.RY(x * i, wires=1)

            loop()

        adjoint(inside)()
        return qml.expval(qml.PauliZ(1))

    @circuit(2)
    def loop_of_gates(x):
        @while_loop(lambda i, y: i < 3)
        def loop(i, y):
            qml.RX(y, wires=0)
            return i + 1, y * 2.0

        loop(0, x)
        return qml.expval(qml.PauliY(0))

    @circuit(1)
    def rotated(x):
        qml.RX(x, wires=0)
        return qml.expval(qml.PauliZ(0))

    @circuit(2)
    def rotated_by_both(x, y):
        qml.RX(x, wires=0)
        qml.RY(y[0], wires=1)
        return qml.probs(wires=[0, 1])

    def polynomial(x):
        return x @ x, x * 2.0

    pair = np.array([0.3, 0.4])
    return [
        ("gates", gates, (0.5,)),
        ("matrices", matrices, (0.5,)),
        ("observables", observables, (0.5,)),
        ("distributions", distributions, (0.5,)),
        ("state_vector", state_vector, (0.5,)),
        ("measured", measured, (0.5,)),
        ("controlled", controlled, (0.5,)),
        ("adjoint_of_loop", adjoint_of_loop, (0.5, 2)),
        ("loop_of_gates", loop_of_gates, (0.5,)),
        ("gradient", lambda x: grad(rotated, method="fd")(x), (0.5,)),
        ("jacobian_of_both", lambda x, y: jacobian(rotated_by_both, argnums=[0, 1], method="fd")(x, y), (0.5, pair)),
        ("forward", lambda x: jvp(polynomial, [x], [x]), (pair,)),
        ("backward", lambda x: vjp(polynomial, [x], [x[0], x]), (pair,)),
    ]
