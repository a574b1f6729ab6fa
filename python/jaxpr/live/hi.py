# SPDX-License-Identifier: Apache-2.0
"""What some primitives need besides their printed parameters: contexts of nested programs, class-named primitives, kernels.

Each function handles one way of printing, such as parameters that a print rule of JAX omits or renames.
"""

import contextlib
import functools
import inspect
import re

import numpy as np

from . import checks, rules, values
from .parameters import Given, Opaque, Unbuildable
from .versions import CALLS, TRACED

# printed among the parameters, but not one of them: JAX takes it from the debug record of the nested program
DROPPED = {("custom_jvp_call", "name"), ("custom_vjp_call", "name")}

# values of parameters that this JAX requires and the text does not have, because older JAX did not have them
DEFAULTS = {
    "is_stable": True, "pivoting": False, "transpose_a": False, "conjugate_a": False, "unit_diagonal": False, "weak_type": False,
    "reverse": False, "unique_indices": False, "indices_are_sorted": False, "update_consts": (), "feature_group_count": 1,
    "batch_group_count": 1, "inline": False, "keep_unused": False, "symbolic_zeros": False, "ordered": False, "partitioned": False,
    "check_vma": True, "check_rep": True, "pin": False, "subset_by_index": None, "full_matrices": True, "debug": False, "unroll": 1,
    "input_output_aliases": (), "static_args": (), "_split_transpose": False, "has_placeholders": False, "enable_eigvec_derivs": False, "tiled": False,
}  # fmt: skip

# newer parameters for which None means the old behaviour
NONE = {"sharding", "out_sharding", "accuracy", "precision", "preferred_element_type", "out_dtype", "use_magma", "axis_index_groups", "layout",
        "implementation", "algorithm", "memory_space", "kind", "metadata", "mesh", "backend", "cost_estimate", "name", "resource_env", "out_type", "compiler_params"}  # fmt: skip


@contextlib.contextmanager
def inside(builder, eqn, params):
    """The context in which programs in parameters are built: the mesh of types, and named axes."""
    names = builder.names
    with contextlib.ExitStack() as stack:
        mesh = params.get("mesh") if eqn.name == "shard_map" else params.get("ctx_mesh")
        if eqn.name == "shard_map" and mesh is not None:
            manual = params.get("newly_manual_axes", params.get("manual_axes"))
            if manual is None:
                auto = params.get("auto", frozenset())
                manual = frozenset(mesh.axis_names) - frozenset(auto)
            manual = frozenset(manual)
            sizes = {name: size for name, size in mesh.shape.items() if name in manual}
            stack.enter_context(names.axes(sizes))
            inner = manual_mesh(builder, mesh, manual)
            stack.enter_context(names.use_mesh(inner))
            if names.has("check_vma") and "check_vma" in params:
                stack.enter_context(names.check_vma(params["check_vma"]))
            builder.meshes.append(inner)
            stack.callback(builder.meshes.pop)
        elif mesh is not None and getattr(mesh, "shape", None):
            inner = getattr(mesh, "abstract_mesh", mesh)
            stack.enter_context(names.use_mesh(inner))
            builder.meshes.append(inner)
            stack.callback(builder.meshes.pop)
        grid = params.get("grid_mapping")
        if eqn.name == "pallas_call" and isinstance(grid, values.Call):
            numbers = [each for each in as_tuple(grid.get("grid"))]
            core = builder.names.kernels
            if hasattr(core, "tracing_grid_env") and all(isinstance(each, int) for each in numbers):
                stack.enter_context(core.tracing_grid_env(tuple(numbers), ()))
        yield


def manual_mesh(builder, mesh, manual):
    """The mesh of types inside a shard_map; None in versions of JAX whose types have none."""
    module = builder.names.shard_map
    if hasattr(module, "_as_manual_mesh"):
        try:
            return module._as_manual_mesh(mesh, manual)
        except TypeError:
            return module._as_manual_mesh(mesh, frozenset(mesh.axis_names) - manual)
    return None


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def pieces(builder, eqn, key, parts):
    """The value of a parameter whose text contains programs, such as a named tuple of programs."""
    programs, text = {}, ""
    for each in parts:
        if isinstance(each, str):
            text += each
        else:
            word = f"program__{len(programs)}"
            programs[word] = each
            text += word
    value = values.parse(text)
    if isinstance(value, values.Name):
        raise Unbuildable(f"the value of {key}")

    def filled(value):
        if isinstance(value, values.Name):
            return programs[value.text] if value.text in programs else builder.parameters.name(eqn, key, value.text)
        if isinstance(value, values.Call):
            named = {k: filled(v) for k, v in value.named}
            for each in builder.registry.records(value.name):
                return each(*map(filled, value.positional), **named)
            raise Unbuildable(f"{value.name} in {key}")
        if isinstance(value, (tuple, list)):
            return type(value)(map(filled, value))
        if isinstance(value, dict):
            return {k: filled(v) for k, v in value.items()}
        return value

    return filled(value)


def rules_of(builder, primitive):
    """The functions of JAX that take the parameters of a primitive: its typing rules and its lowering, without their wrappers."""
    mlir = builder.names.lowering
    pending = [builder.names.core.custom_typechecks.get(primitive), primitive.abstract_eval]
    pending, found = [(each, 0) for each in pending if each is not None], []
    for table in (getattr(mlir, "_lowerings", {}), getattr(mlir, "_platform_specific_lowerings", {}).get("cpu", {})):
        if primitive in table:
            found.append(getattr(table[primitive], "rule", table[primitive]))
            found += lowered(found[-1])
    if primitive.name == "pallas_call":
        found += [builder.names.interpret_kernel] if builder.names.has("interpret_kernel") else []
    while pending:
        each, depth = pending.pop()
        found.append(each)
        inner = [getattr(each, "__wrapped__", None)]
        if isinstance(each, functools.partial):
            inner += [each.func, *each.args]
        inner += [cell.cell_contents for cell in getattr(each, "__closure__", None) or () if filled(cell)]
        pending += [(one, depth + 1) for one in inner if callable(one) and not isinstance(one, type) and depth < 4]
    return found


def lowered(rule):
    """A list with the function that a lowering rule of mlir.lower_fun lowers; empty for other rules."""
    names = getattr(getattr(rule, "__code__", None), "co_freevars", ())
    return [cell.cell_contents for name, cell in zip(names, rule.__closure__ or ()) if name == "fun" and filled(cell)] if names else []


def filled(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def wanted(builder, primitive):
    """The names of the parameters that the rules of a primitive require."""
    if primitive not in builder.registry.wanted:
        out = set()
        for rule in rules_of(builder, primitive):
            try:
                signature = inspect.signature(rule)
            except (TypeError, ValueError):
                continue
            out.update(each.name for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY and each.default is each.empty)
        builder.registry.wanted[primitive] = out
    return builder.registry.wanted[primitive]


def translate(builder, eqn, params):
    """Replaces parameters of an older JAX by those that the installed one takes."""
    for key in ("copy_semantics", "devices", "srcs") if eqn.name == "device_put" else ():
        if isinstance(params.get(key), tuple) and len(params[key]) == 1:  # one value for all operands
            params[key] *= len(eqn.ins)
    if not eqn.primitive or not {"num_consts", "in_names", "fun_jaxpr", "jaxpr"} & set(params):
        return
    takes = wanted(builder, eqn.primitive)
    for old in ("fun_jaxpr", "jaxpr"):
        if "call_jaxpr" in takes and "call_jaxpr" not in params and old in params and old not in takes:
            params["call_jaxpr"] = params.pop(old)
    if "ft_in" in takes and "ft_in" not in params and "num_carry" in params:
        consts, carry = params.pop("num_consts"), params.pop("num_carry")
        tree = lambda *counts: builder.parameters.flat(tuple((None,) * count for count in counts))
        params["ft_in"] = tree(consts, carry, len(eqn.ins) - consts - carry)
        params["ft_out"] = tree(carry, len(eqn.field["outvars"]) - carry)
        for old in ("linear", "_split_transpose"):
            params.pop(old, None)
    if "in_specs" in takes and "in_names" in params:
        spec = lambda names, rank: builder.names.jax.sharding.PartitionSpec(*(single(names.get(at)) for at in range(max(names, default=-1) + 1)))
        params["in_specs"] = tuple(spec(each, 0) for each in params.pop("in_names"))
        params["out_specs"] = tuple(spec(each, 0) for each in params.pop("out_names"))
        if "check_rep" in params:
            params["check_vma"] = params.pop("check_rep")
        if "auto" in params:
            manual = frozenset(params["mesh"].axis_names) - params.pop("auto")
            params.update((key, manual) for key in ("newly_manual_axes", "manual_axes") if key in takes)
        params.pop("rewrite", None)


def single(axes):
    return axes[0] if isinstance(axes, tuple) and len(axes) == 1 else axes


def finish(builder, eqn, params, atoms):
    """The parameters in the form that the primitive takes, with rules of derivatives, and with parameters that it requires."""
    translate(builder, eqn, params)
    for key in [key for key in params if (eqn.name, key) in DROPPED]:
        del params[key]
    if eqn.name == "custom_vjp_call":
        hint = "pass rules= to load"
        params.setdefault("out_trees", Opaque("out_trees", hint))
    for key in [key for key, each in params.items() if isinstance(each, Given) and (eqn.name, key) in TRACED and each.function is None]:
        params[key].function = builder.names.core.jaxpr_as_fun(params[TRACED[eqn.name, key]])
    if eqn.rules and eqn.name in ("custom_jvp_call", "custom_vjp_call"):
        params.update(rules.given(builder, eqn, params))
    if eqn.named_rules:
        found = rules.restored(builder, eqn, params, atoms)
        params.update(found or {})
        for key, text in eqn.named_rules.items() if found is None else ():
            builder.parameters.opaque(eqn, key, text)
    if eqn.name == "check" and "err_tree" not in params:
        builder.report(eqn, "err_tree", "the errors that it checks are not in the text", "")
        tree = checks.error_tree(builder.names, atoms)
        params["err_tree"] = builder.names.jax.tree_util.tree_structure(()) if tree is None else tree
    if eqn.name == "pallas_call" and isinstance(params.get("grid_mapping"), values.Call):
        params["grid_mapping"] = grid_mapping(builder, eqn, params)
    for key in sorted(wanted(builder, eqn.primitive) - set(params)):
        add(builder, eqn, params, key)
    return params


def add(builder, eqn, params, key):
    """Adds a parameter that the text does not have, with the value that its absence means, or None, which is then reported."""
    params[key] = DEFAULTS.get(key)
    if key not in DEFAULTS and key not in NONE:
        builder.report(eqn, key, f"the text has no parameter {key}", f"assumed {params[key]}", True)


def repaired(builder, eqn, params, said):
    """Adds or removes the parameters that a TypeError of JAX names; False if it names none."""
    missing = re.search(r"missing \d+ required (?:keyword-only|positional) arguments?: (.*)", said)
    if missing:
        keys = [key for key in re.findall(r"'(\w+)'", missing.group(1)) if key not in params]
        for key in keys:
            add(builder, eqn, params, key)
        return bool(keys)
    extra = re.search(r"unexpected keyword argument '(\w+)'", said)
    if extra and extra.group(1) in params:
        if eqn.field["params"].get(extra.group(1), "None") != "None":  # None: as in a JAX without the parameter
            builder.report(eqn, extra.group(1), "the installed JAX has no such parameter", "left out", True)
        del params[extra.group(1)]
        return True
    return False


def result_avals(eqn, key):
    """The types of the results of the program in an equation's parameter `key`, according to the equation's results: None for each
    without a type; an empty list if they do not determine the types."""
    outs = eqn.outs
    if eqn.name in CALLS or eqn.name == "cond" or (eqn.name, key) == ("while", "body_jaxpr"):
        return outs
    if eqn.name != "scan" or None in outs:
        return []
    found = re.search(r"^\d+$", eqn.field["params"].get("num_carry", ""))
    first = re.match(r"\(\(((?:None|,|\s)*)\)", eqn.field["params"].get("ft_out", ""))
    if not found and not first:
        return []
    carry = int(found.group()) if found else first.group(1).count("None")
    row = lambda each: each.update(shape=each.shape[1:]) if each.shape else None
    return [*outs[:carry], *map(row, outs[carry:])] if not any(getattr(each, "sharding", None) and not each.sharding.mesh.empty for each in outs) else []


def argument_avals(builder, eqn, params, count):
    """The types of the arguments of the program to which an equation passes all its operands; None if it has no such program."""
    for key in ("jaxpr", "call_jaxpr", "fun_jaxpr", "call", "body_jaxpr"):
        if hasattr(params.get(key), "in_avals") and len(params[key].in_avals) == count:
            return params[key].in_avals
    branches = params.get("branches")
    if branches and len(branches[0].in_avals) == count - 1:
        return [builder.names.core.ShapedArray((), np.dtype("int32")), *branches[0].in_avals]
    return None


# ---- class-named primitives


def build(builder, eqn, params):
    """The primitive and parameters of an equation `Name[..] a b`, where `Name` is a class."""
    special = globals().get("new_" + eqn.hi.__name__)
    try:
        made = special(builder, eqn, params) if special else constructed(eqn.hi, eqn, params)
    except Unbuildable:
        raise
    except Exception as error:  # whatever the class's own checks raise
        raise Unbuildable(f"{type(error).__name__}: {error}") from error
    return builder.names.apply_hi, {"_prim": made}


def constructed(kind, eqn, params):
    """An instance of a class whose constructor takes types of operands by position, and parameters by name."""
    ins, given = list(eqn.ins), dict(params)
    args, named = [], {}
    for name, each in list(inspect.signature(kind.__init__).parameters.items())[1:]:
        if each.kind is each.VAR_POSITIONAL:
            args += ins
            ins = []
        elif name in given:
            (named.__setitem__(name, given.pop(name)) if each.kind is each.KEYWORD_ONLY or ins != list(eqn.ins) or args == [] else args.append(given.pop(name)))
        elif name in ("in_avals", "avals"):
            named[name] = tuple(eqn.ins)
        elif each.kind is not each.KEYWORD_ONLY and ins and each.default is each.empty:
            args.append(ins.pop(0))
        elif "dtype" in name and each.default is each.empty:
            named[name] = eqn.outs[0].dtype
        elif each.default is each.empty:
            raise Unbuildable(f"the parameter {name} of {eqn.name}")
    made = kind(*args, **named)
    object.__setattr__(made, "arguments_from_text", (tuple(args), named))  # for to_python
    return made


def traced(builder, program, name, skip=0):
    """A traced function whose program is `program`; it takes `skip` empty arguments first."""
    jax = builder.names.jax
    avals = tuple(program.in_avals)
    _, in_tree = jax.tree_util.tree_flatten((tuple(() for _ in range(skip)) + tuple(0 for _ in avals), {}))
    outs = tuple(0 for _ in program.out_avals)
    out_tree = jax.tree_util.tree_structure(outs if len(outs) != 1 else 0)
    return builder.names.Traced(list(avals), {"jaxpr": program, "name": name, "donated_invars": (False,) * len(avals)}, in_tree, out_tree, [], None)


def rule(function):
    """The function inside a wrapped rule."""
    return getattr(function, "f", function)


def new_CustomJVPTraced(builder, eqn, params):
    made = traced(builder, params["call_jaxpr"], params["name"])
    return eqn.hi(made, rule(params["jvp"]), tuple(eqn.ins), params["symbolic_zeros"])


def new_CustomVJPTraced(builder, eqn, params):
    made = traced(builder, params["call_jaxpr"], params["name"], 1)
    more = {key: params[key] for key in ("with_logs", "generic_batching") if key in params}
    return eqn.hi(made, rule(params["fwd"]), rule(params["bwd"]), ((), (), *eqn.ins), params["symbolic_zeros"], params.get("optimize_remat", False), **more)


def new_CustomRoot(builder, eqn, params):
    solve, count = params["solve_jaxpr"], len(params["solve_jaxpr"].in_avals)
    guesses = len(solve.out_avals)
    rest = eqn.ins[count:]
    builder.report(eqn, "f", "the function and the tangent's solver are not in the text", "pass no derivative through it")
    avals = (tuple(solve.in_avals[: count - guesses]), tuple(solve.in_avals[count - guesses :]), tuple(rest), ())
    made = traced(builder, solve, "solve")
    single = lambda value: value[0] if len(value) == 1 else value
    run = lambda consts, guess: single(tuple(builder.names.core.jaxpr_as_fun(solve)(*consts, *guess)))
    opaque = Opaque("f", "custom_root's functions are not in the text")
    return eqn.hi(opaque, run, opaque, made, avals, params["has_aux"])


# ---- kernels


def grid_mapping(builder, eqn, params):
    """The grid of a kernel: its blocks are those of the text; an index map is certain only if a block is a whole array."""
    text, core, jax = params["grid_mapping"], builder.names.kernels, builder.names.jax
    grid = tuple(each if isinstance(each, int) else None for each in as_tuple(text.get("grid")))
    if None in grid:
        raise Unbuildable("a grid of dynamic size")
    mappings, outs = as_tuple(text.get("block_mappings")), tuple(params["out_avals"])
    inputs = len(mappings) - len(outs)
    first = len(eqn.ins) - inputs
    if inputs < 0 or first < 0:
        raise Unbuildable("a grid mapping whose blocks do not fit the operands")
    refs = [each.aval for each in params["jaxpr"].invars]
    arrays = [*eqn.ins[first:], *outs]
    index_avals = tuple(refs[:first])
    scalar = builder.names.core.ShapedArray((), np.dtype("int32"))
    avals = (*(scalar for _ in grid), *index_avals)
    _, tree = jax.tree_util.tree_flatten((tuple(0 for _ in avals), {}))
    blocks, guessed = [], False
    for at, (mapping, array) in enumerate(zip(mappings, arrays)):
        shape = tuple(block(builder, each) for each in as_tuple(mapping.get("block_shape")))
        program, sure = index_map(builder, avals, shape, array, grid)
        guessed |= not sure
        ref = refs[first + at]
        blocks.append(core.BlockMapping(block_shape=shape, transformed_block_aval=ref, index_map_jaxpr=program,
                                        index_map_out_tree=jax.tree_util.tree_structure(tuple(0 for _ in shape)),
                                        origin="args" if at < inputs else "outputs", **of_array(core, jax, array)))  # fmt: skip
    if guessed:
        builder.report(eqn, "grid_mapping", "the index maps of its blocks are not in the text", "assumed from the shapes", True)
    rest = tuple(refs[first + len(mappings) :])
    scratch = {"scratch_avals": rest} if "scratch_avals" in core.GridMapping.__dataclass_fields__ else {"num_scratch_operands": len(rest)}
    return core.GridMapping(grid=grid, grid_names=None, block_mappings=tuple(blocks), index_map_tree=tree, index_map_avals=avals, vmapped_dims=(),
                            num_index_operands=first, num_inputs=inputs, num_outputs=len(outs), **scratch)  # fmt: skip


def of_array(core, jax, array):
    """The argument of BlockMapping for the type of a whole array, which older JAX takes as shape and dtype."""
    if "array_aval" in core.BlockMapping.__dataclass_fields__:
        return {"array_aval": array}
    return {"array_shape_dtype": jax.ShapeDtypeStruct(array.shape, array.dtype)}


def block(builder, value):
    if isinstance(value, values.Call):
        for each in builder.registry.records(value.name):
            return each(*value.positional, **dict(value.named))
    if isinstance(value, (int, type(None))):
        return value
    raise Unbuildable(f"block {value}")


def index_map(builder, avals, shape, array, grid):
    """A program from a step of the grid to the index of a block, and whether it is the only possible one."""
    core, sure, used = builder.names.core, True, set()
    variables = [builder.variable(each) for each in avals]
    zero, out = core.Literal(builder.parameters.int32(0), avals[0] if avals else core.ShapedArray((), np.dtype("int32"))), []
    for size, each in zip(array.shape, shape):
        length = getattr(each, "block_size", each if isinstance(each, int) else 1)
        steps = -(-size // length) if length else 1
        if steps == 1 or not grid or all(one == 1 for one in grid):
            out.append(zero)
            continue
        sure = False
        free = [at for at, count in enumerate(grid) if count == steps and at not in used] or [at for at, count in enumerate(grid) if at not in used]
        if free:
            used.add(free[0])
        out.append(variables[free[0]] if free else zero)
    made = core.Jaxpr([], variables, out, [], set(), builder.names.debug_info("index_map", len(variables), len(out)))
    return (made if builder.names.one_class else core.ClosedJaxpr(made, [])), sure
