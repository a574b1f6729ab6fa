# SPDX-License-Identifier: Apache-2.0
"""Equivalent programs in six languages, from one seed: the same operations on the same operands, printed as each
language's own tools would print them. Written as streams, so a million equations need no memory.

Shapes of programs: `straight` (elementwise equations), `mixed` (half elementwise; literals, parameters over several
lines, nested programs), `nested` (bodies inside bodies). Only Jaxpr has all three; peers get `straight`."""

import random

OPS = ["add", "sub", "mul", "div", "max", "min", "neg", "sqrt"]


def name(i):
    """The i-th variable of a print: a .. z, ba, bb .."""
    text = ""
    while True:
        text = chr(97 + i % 26) + text
        i //= 26
        if i == 0:
            return text


def steps(n, seed=1):
    """n operations: (operation, operand, operand or None); operands are numbers of values, 0 and 1 are the inputs."""
    rng = random.Random(seed)
    for k in range(2, n + 2):
        op = rng.choice(OPS)
        x, y = rng.randrange(max(0, k - 50), k), rng.randrange(max(0, k - 50), k)
        yield k, op, x, None if op in ("neg", "sqrt") else y


def jaxpr_straight(n, out):
    out.write("{ lambda ; a:f32[8,16] b:f32[8,16]. let\n")
    for k, op, x, y in steps(n):
        operands = name(x) if y is None else f"{name(x)} {name(y)}"
        out.write(f"    {name(k)}:f32[8,16] = {op} {operands}\n")
    out.write(f"  in ({name(n + 1)},) }}\n")


def jaxpr_mixed(n, out):
    rng = random.Random(2)
    out.write("{ lambda ; a:f32[8,16] b:f32[8,16]. let\n")
    for k, op, x, y in steps(n):
        result, left = f"    {name(k)}:f32[8,16]", name(x)
        kind = rng.random()
        if kind < 0.55:
            out.write(f"{result} = {op} {left if y is None else left + ' ' + name(y)}\n")
        elif kind < 0.75:
            out.write(f"{result} = mul {left} {rng.random() * 10 + 1:.6f}:f32[]\n")
        elif kind < 0.85:
            out.write(f"{result} = transpose[permutation=(0, 1)] {left}\n")
        elif kind < 0.95:
            out.write(f"{result} = broadcast_in_dim[\n      broadcast_dimensions=(0, 1)\n      shape=(8, 16)\n      sharding=None\n    ] {left}\n")
        else:
            out.write(
                f"{result} = jit[\n      name=relu\n      jaxpr={{ lambda ; a:f32[8,16]. let b:f32[8,16] = max a 0.0:f32[] in (b,) }}\n    ] {left}\n")
    out.write(f"  in ({name(n + 1)},) }}\n")


def jaxpr_nested(n, out):
    for _ in range(n):
        out.write("{ lambda ; a:f32[8,16]. let b:f32[8,16] = jit[name=f jaxpr=")
    out.write("{ lambda ; a:f32[8,16]. let  in (a,) }")
    out.write("] a in (b,) }" * n + "\n")


MLIR = dict(add="arith.addf", sub="arith.subf", mul="arith.mulf", div="arith.divf", max="arith.maxf", min="arith.minf",
            neg="arith.negf", sqrt="math.sqrt")


def mlir(n, out):
    kind = "tensor<8x16xf32>"
    out.write(f"func.func @f(%0: {kind}, %1: {kind}) -> {kind} {{\n")
    for k, op, x, y in steps(n):
        out.write(f"  %{k} = {MLIR[op]} %{x}{'' if y is None else f', %{y}'} : {kind}\n")
    out.write(f"  return %{n + 1} : {kind}\n}}\n")


LLVM = dict(add="fadd", sub="fsub", mul="fmul", div="fdiv")


def llvm(n, out):
    kind = "<16 x float>"
    calls = dict(max="llvm.maxnum", min="llvm.minnum", sqrt="llvm.sqrt")
    for call in calls.values():
        out.write(f"declare {kind} @{call}.v16f32({kind}{', ' + kind if call != 'llvm.sqrt' else ''})\n")
    out.write(f"define {kind} @f({kind} %v0, {kind} %v1) {{\n")
    for k, op, x, y in steps(n):
        if op == "neg":
            out.write(f"  %v{k} = fneg {kind} %v{x}\n")
        elif op in LLVM:
            out.write(f"  %v{k} = {LLVM[op]} {kind} %v{x}, %v{y}\n")
        else:
            operands = f"{kind} %v{x}" + ("" if y is None else f", {kind} %v{y}")
            out.write(f"  %v{k} = call {kind} @{calls[op]}.v16f32({operands})\n")
    out.write(f"  ret {kind} %v{n + 1}\n}}\n")


def wat(n, out):
    out.write("(module (func (param f32 f32) (result f32)\n")
    out.write("".join("  (local f32)\n" for _ in range(n)))
    for k, op, x, y in steps(n):
        operands = f"(local.get {x})" + ("" if y is None else f" (local.get {y})")
        out.write(f"  (local.set {k} (f32.{op} {operands}))\n")
    out.write(f"  (local.get {n + 1})))\n")


def json(n, out):
    out.write('{"inputs": ["v0", "v1"], "equations": [\n')
    for k, op, x, y in steps(n):
        operands = f'"v{x}"' + ("" if y is None else f', "v{y}"')
        out.write(f'{{"r": "v{k}", "op": "{op}", "in": [{operands}]}},\n')
    out.write('null]}\n')


def c(n, out):
    out.write("float f(float v0, float v1) {\n")
    for k, op, x, y in steps(n):
        out.write(f"  float v{k} = {op}f(v{x}{'' if y is None else f', v{y}'});\n")
    out.write(f"  return v{n + 1};\n}}\n")
