# SPDX-License-Identifier: Apache-2.0
"""Equivalent programs in eight languages, from one seed: the same operations on the same operands, in the layout of each
language's tools. They are written to a stream, so a million equations need no memory.

Shapes of programs: `straight` (elementwise equations), `mixed` (half elementwise; literals, parameters over several
lines, nested programs), `nested` (bodies inside bodies), `small` (a folder of files of ten equations), `cases` (programs
of tests/oracle/cases, repeated). Only Jaxpr has all of them; peers read `straight`. real.py has programs of real
libraries."""

import glob
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
import harness  # noqa: E402

OPS = ["add", "sub", "mul", "div", "max", "min", "neg", "sqrt"]


def name(i):
    """The i-th name that JAX prints: a .. z, ba, bb .."""
    text = ""
    while True:
        text = chr(97 + i % 26) + text
        i //= 26
        if i == 0:
            return text


def steps(n, seed=1):
    """n operations (result, operation, operand, operand or None) on numbered values; 0 and 1 are the inputs."""
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


def jaxpr_edited(n, out):
    """The straight program with another operation in every thousandth equation."""
    out.write("{ lambda ; a:f32[8,16] b:f32[8,16]. let\n")
    for k, op, x, y in steps(n):
        if k % 1000 == 0:
            op = "tanh" if y is None else "atan2"
        operands = name(x) if y is None else f"{name(x)} {name(y)}"
        out.write(f"    {name(k)}:f32[8,16] = {op} {operands}\n")
    out.write(f"  in ({name(n + 1)},) }}\n")


def edit(lines, out):
    """Writes lines with some additions replaced by subtractions."""
    for i, line in enumerate(lines):
        out.write(line.replace(" = add ", " = sub ") if i % 1000 < 10 else line)


def jaxpr_small(n, folder):
    """Writes n equations in files of ten; returns their paths."""
    os.makedirs(folder, exist_ok=True)
    paths = [os.path.join(folder, f"{i:05}.jaxpr") for i in range(max(1, n // 10))]
    for path in paths:
        if not os.path.exists(path):
            with open(path, "w", encoding="ascii") as out:
                jaxpr_straight(10, out)
    return paths


def real_programs(versions="*"):
    """The programs of the oracle's cases, in the order of versions and of their files."""
    for path in sorted(glob.glob(os.path.join(harness.CASES, versions + ".jsonl.xz"))):
        yield from (row["text"] for row in harness.rows(path, kind="program") if row["valid"])


def jaxpr_cases(n, out):
    """Programs of the cases, at least 50 * n bytes; without those that read a `_`, which norm may reject."""
    texts, size = [text for text in real_programs() if not re.search(r"[ (]_[ ,)\n]", text)], 0
    while size < 50 * n:
        for text in texts:
            out.write(text + "\n")
            size += len(text) + 1
            if size >= 50 * n:
                break


MLIR = dict(add="arith.addf", sub="arith.subf", mul="arith.mulf", div="arith.divf", max="arith.maximumf", min="arith.minimumf",
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


SPIRV = dict(add="OpFAdd %f", sub="OpFSub %f", mul="OpFMul %f", div="OpFDiv %f", max="OpExtInst %f %std FMax",
             min="OpExtInst %f %std FMin", neg="OpFNegate %f", sqrt="OpExtInst %f %std Sqrt")


def spirv(n, out):
    out.write("OpCapability Shader\nOpCapability Linkage\n%std = OpExtInstImport \"GLSL.std.450\"\n"
              "OpMemoryModel Logical GLSL450\n%f = OpTypeFloat 32\n%t = OpTypeFunction %f %f %f\n"
              "%main = OpFunction %f None %t\n%v0 = OpFunctionParameter %f\n%v1 = OpFunctionParameter %f\n%l = OpLabel\n")
    for k, op, x, y in steps(n):
        out.write(f"%v{k} = {SPIRV[op]} %v{x}{'' if y is None else f' %v{y}'}\n")
    out.write(f"OpReturnValue %v{n + 1}\nOpFunctionEnd\n")


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


def python(n, out):
    out.write("def f(v0, v1):\n")
    for k, op, x, y in steps(n):
        out.write(f"    v{k} = {op}(v{x}{'' if y is None else f', v{y}'})\n")
    out.write(f"    return v{n + 1}\n")
