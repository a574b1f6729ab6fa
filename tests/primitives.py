#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must be known of a primitive is in its row: finds code of src/ that identifies one, and rows with nested
programs that do not say how operands reach them, or a parameter without a role. Also checks that
grammar/meanings.def explains every row.

    primitives.py SOURCE_ROOT

Outside src/verify/rules, a string that is a primitive's name, the function of a shape or element type rule, and a
comparison of rows are findings. COMPARED lists those that are accepted, with the reason why no column says it; WORDS
what only looks like a primitive; UNMAPPED rows that do not say how operands reach their programs. All are exact: a line
that is no longer needed is an error. COMPARED may not grow beyond MOST."""

import collections
import glob
import os
import re
import sys

MOST = 34

# file, the names compared or created there, reason
COMPARED = [
    ("canon/literal.c", "random_fold_in", "only its second operand has a fixed type"),
    ("canon/params.c", "reshape shard_map shard_map", "parameters whose canonical value only this primitive's rule knows"),
    ("canon/respell.c", "jit", "the name of the program is added"),
    ("canon/shard_map.c", "shard_map", "the file is about its parameters"),
    ("canon/spelling.c", "sharding_constraint", "one that shards nothing means that every device has the whole value"),
    ("contract/inventory.c", "row", "whether two names are of one primitive"),
    ("ir/version.c", "jit pjit", "which of the two names a text uses shows its version"),
    ("lint/effects.c", "debug_print ffi_call", "the rule E401 is about what these two reach"),
    ("lint/numerics.c", "reduce_window", "the beginning of a family's names"),
    ("lint/randomness.c", "random_seed random_unwrap", "the rule R503 is about this pair"),
    ("parse/ref_syntax.c", "addupdate get masked_load masked_swap swap", "what `a <- b[..]` and its like mean"),
    ("print/layout.c", "jaxpr_call", "how it is printed; print knows no rows"),
    ("print/naming.c", "jit pjit", "JAX names variables in their programs differently; print knows no rows"),
    ("resolve/dialect.c", "func quantum_kernel", "their names identify Catalyst"),
    ("resolve/dim_check.c", "for_loop while_loop", "words that a module is searched for, parameters among them"),
    ("resolve/dim_resolve.c", "dim_as_value dimension_size shape_assertion", "words that a module is searched for"),
    ("rewrite/share.c", "custom_jvp_call custom_vjp_call", "their `name` is not that of the program"),
    ("signature/signature.c", "jit pjit", "in JAX, a size in a type of their results is another tracer than the result"),
]

# rows that contain programs but not how operands are passed to them (the column `control`), with the reason
UNMAPPED = [
    ("reduce reduce_window select_and_scatter", "scalar programs"),
    ("scatter scatter-add scatter-sub scatter-mul scatter-min scatter-max", "scalar programs"),
    ("pallas_call mpmd_map core_map custom_fusion emit_pipeline pipeline_body parallel_loop", "grids and trees divide operands"),
    ("dot_product_attention_fwd dot_product_attention_bwd", "a program for scores, which the device runs"),
    ("custom_transpose_call jaxpr_call custom_ivjp OptRemat dxla_call fusible", "no rule compares their operands"),
    ("remat_opt", "its program returns residuals as well"),
    ("compute_on", "moves its results to other memory"),
    ("run_scoped", "operands become the constvars of its program; its arguments are new refs"),
    ("grad value_and_grad jvp vjp jacobian", "arguments are counted, and derivatives added"),
    ("zne adjoint ctrl_transform adjoint_transform transform decomposition_rule qnode", "operands are in trees of Catalyst's or PennyLane's"),
    ("thunky.async_start thunky.call_thunky_nested thunky.collective_group thunky.cond thunky.while", "nothing is known of them"),
]

NAME = "the parameter `name`"
# file, words, what they are
WORDS = [
    ("api/compare.c", "name", NAME),
    ("api/cost.c", "name", NAME),
    ("verify/unread_values.c", "slice", "a class of Python"),
    ("api/diff.c", "name", NAME),
    ("api/signature.c", "cond for while", "ways to expand dims"),
    ("canon/params.c", "name", NAME),
    ("canon/respell.c", "name name name", NAME),
    ("command/compare.c", "name", NAME),
    ("command/contract.c", "check", "an action of `jaxpr contract`"),
    ("command/cost.c", "name", "a key of JSON"),
    ("command/rules.c", "name", "a key of JSON"),
    ("command/sig.c", "cond for while", "ways to expand dims"),
    ("contract/contract.c", "name", NAME),
    ("diff/rename.c", "name name", NAME),
    ("diff/similar.c", "name", NAME),
    ("ir/module.h", "call", "a parameter that holds a program"),
    ("ir/version.c", "name", NAME),
    ("lsp/outline.c", "name", NAME),
    ("lsp/tokens.c", "operator", "a token of the protocol"),
    ("parse/build_value.c", "jvp name", "parameters that hold no program"),
    ("base/value.c", "name", NAME),
    ("regions/region_plxpr.c", "slice", "Python's"),
    ("report/graph.c", "name", NAME),
    ("report/source_path.c", "name", NAME),
    ("report/json.c", "addupdate get store swap", "names of the forms of equations"),
    ("resolve/dim_resolve.c", "max min", "functions of sizes"),
    ("rewrite/share.c", "name", NAME),
    ("signature/read.c", "complex", "an element type of Python"),
    ("verify/format_operand.c", "complex", "a class of element types"),
    ("types/type_names.c", "barrier", "an element type of kernels"),
    ("verify/param_check.c", "name", NAME),
    ("types/poly_bounds.c", "max min", "calls in sizes"),
]


def table(root):
    """The names of primitives and the functions of their rules."""
    with open(os.path.join(root, "grammar/primitives.def"), encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    names, rules = set(), {"shape_trusted"}
    for name, also, row in re.findall(r'^(?:PRIM|TRUSTED)\("([^"]+)", "([^"]*)",([^"]*)"', text, re.M):
        names |= {name, *also.split()}
        columns = row.strip().rstrip(",").split(",")
        if len(columns) > 2:
            rules |= {"shape_" + columns[-2].strip(), "dtype_" + columns[-1].strip()}
    return names, rules


def found_in(text, names, rules):
    """How often each primitive, rule or comparison of rows occurs in a file."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)
    found = collections.Counter(s for s in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) if s in names)
    code = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    found.update(w for w in re.findall(r"\b(?:shape|dtype)_\w+", code) if w in rules)
    found["row"] = len(re.findall(r"(?:\.|->)row\s*[!=]=\s*(?!NULL|NONE|NO_ROW)\w|\brow\s*[!=]=\s*[\w.>-]*prims_find", code))
    return +found


def rows_of(root):
    """names of the rows of primitives.def"""
    with open(os.path.join(root, "grammar/primitives.def"), encoding="utf-8") as f:
        return set(re.findall(r'^[A-Z_]+\("([^"]+)"', f.read(), re.M))


def parameters(root):
    """the words in the strings of primitives.def, which include the keys of parameters"""
    with open(os.path.join(root, "grammar/primitives.def"), encoding="utf-8") as f:
        return {word for text in re.findall(r'"([^"]*)"', f.read()) for word in re.findall(r"\w+", text)}


def unmapped(root):
    """rows with a parameter that contains a program, and without the column for its operands"""
    with open(os.path.join(root, "grammar/primitives.def"), encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    rows = re.findall(r'^(?:PRIM|TRUSTED)\("([^"]+)"(.*?)(?=^(?:PRIM|TRUSTED|#)|\Z)', text, re.M | re.S)
    return {name for name, row in rows if "=JAXPR" in row and not re.search(r"\.control = |CALLED|UNCOMPARED_CALL", row)}


def roleless(root):
    """(row, parameter) for each parameter without a role, or with one that does not exist"""
    with open(os.path.join(root, "src/prims/prims.h"), encoding="utf-8") as f:
        roles = set(re.findall(r"ROLE\((\w+), \"", f.read()))
    with open(os.path.join(root, "grammar/primitives.def"), encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    for name, params in re.findall(r'^(?:PRIM|TRUSTED)\("([^"]+)", "[^"]*",[^"]*((?:"[^"]*"\s*)+), "', text, re.M):
        for word in re.split(r"[ /]", "".join(re.findall(r'"([^"]*)"', params))):
            role = re.fullmatch(r"\w+[?!]?=(\w+)(:[^|]+)?(\|\w+)?", word)
            if word and not (role and role[1] in roles):
                yield name, word


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = sys.argv[1]
    names, rules = table(root)
    listed = collections.defaultdict(collections.Counter)
    for file, words, _ in COMPARED + WORDS:
        listed[file].update(words.split())
    wrong = []
    seen = set()
    for path in sorted(glob.glob(os.path.join(root, "src/**/*.[ch]"), recursive=True)):
        file = os.path.relpath(path, os.path.join(root, "src"))
        if file == "highlight/words.h":
            continue  # made from the rows by editors/generate
        if file.startswith("verify/rules/"):
            continue
        with open(path, encoding="utf-8") as f:
            found = found_in(f.read(), names, rules)
        seen.add(file)
        wrong += [f"src/{file}: knows `{word}` by name: make it a column of primitives.def" for word in found - listed[file]]
        wrong += [f"src/{file}: `{word}` is listed, but does not occur" for word in listed[file] - found]
    wrong += [f"src/{file}: is listed, but does not exist" for file in listed if file not in seen]
    known = {word for words, _ in UNMAPPED for word in words.split()}
    wrong += [f"grammar/primitives.def: `{name}` contains a program: state in `.control` how operands reach it"
              for name in unmapped(root) - known]
    wrong += [f"grammar/primitives.def: UNMAPPED does not need `{name}`" for name in known - unmapped(root)]
    wrong += [f"grammar/primitives.def: `{word}` of `{name}` lacks a role: OBJECT is that of any object" for name, word in roleless(root)]
    compared = sum(len(words.split()) for _, words, _ in COMPARED)
    if compared > MOST:
        wrong.append(f"{compared} primitives are known by name, at most {MOST} may be")
    with open(os.path.join(root, "grammar/meanings.def"), encoding="utf-8") as f:
        text = f.read()
    keys = parameters(root)
    explained = set(re.findall(r'^MEANING\("([^"]+)"', text, re.M))
    wrong += [f"grammar/meanings.def: does not say what `{name}` means" for name in rows_of(root) if name not in explained]
    for name, key in re.findall(r'^(?:MEANING\("([^"]+)"|PARAMETER\("[^"]*", "([^"]+)")', text, re.M):
        if (name and name not in rows_of(root)) or (key and key not in keys):
            wrong.append(f"grammar/meanings.def: no row of primitives.def has `{name or key}`")
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))


main()
