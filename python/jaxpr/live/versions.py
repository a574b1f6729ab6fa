# SPDX-License-Identifier: Apache-2.0
"""Tables of the differences between JAX versions, and of every private name of JAX that loading needs.

A row of NAMES is a name used here and its places: (first version, module, attribute), newest first. The tables below NAMES have
facts that no text shows, mostly about parameters. A JAX before OLDEST or from NEWEST on raises UnsupportedJax; functions on text
do not need JAX.
"""

import contextlib
import importlib
import inspect
import re

from .._errors import UnsupportedJax

OLDEST, NEWEST = (0, 4, 38), (0, 13)  # the first supported version, and the first newer one that is not supported


NAMES = {
    "core": [((0,), "jax._src.core", None)],
    "partial_eval": [((0,), "jax._src.interpreters.partial_eval", None)],
    "linear_util": [((0,), "jax._src.linear_util", None)],
    "dtypes": [((0,), "jax._src.dtypes", None)],
    "mesh": [((0,), "jax._src.mesh", None)],
    "source_info": [((0,), "jax._src.source_info_util", None)],
    "HiPrim": [((0, 12), "jax._src.hijax", "HiPrim"), ((0, 8), "jax._src.hijax", "VJPHiPrimitive")],
    "apply_hi": [((0, 12), "jax._src.hijax", "call_hi_primitive_p"), ((0, 8), "jax._src.hijax", "call_hi_primitive_p")],
    "flat_trees": [((0, 12), "jax._src.flattree", None)],
    "typed_literals": [((0, 9), "jax._src.literals", None)],
    "AbstractRef": [((0,), "jax._src.state.types", "AbstractRef")],
    "indexing": [((0,), "jax._src.state.indexing", None)],
    "KernelRef": [((0,), "jax._src.pallas.core", "AbstractMemoryRef")],
    "checkify": [((0,), "jax._src.checkify", None)],
    "kernels": [((0,), "jax._src.pallas.core", None)],
    "interpret_kernel": [((0, 5), "jax._src.pallas.hlo_interpreter", "pallas_call_hlo_interpret")],
    "lowering": [((0,), "jax._src.interpreters.mlir", None)],
    "check_vma": [((0, 6), "jax._src.config", "_check_vma")],
    "Traced": [((0,), "jax._src.stages", "Traced")],
    "Effect": [((0,), "jax._src.effects", "Effect")],
    "Inline": [((0,), "jax._src.api", "Inline")],
    "custom_jvp": [((0,), "jax", "custom_jvp")],
    "vjp_node": [((0, 12), "jax._src.interpreters.ad", "vjp_node")],
    "custom_vjp": [((0,), "jax", "custom_vjp")],
    "shard_map": [((0, 6, 1), "jax._src.shard_map", None), ((0,), "jax.experimental.shard_map", None)],
    "enable_x64": [((0, 8), "jax", "enable_x64"), ((0,), "jax.experimental", "enable_x64")],
    "NamedSharding": [((0,), "jax.sharding", "NamedSharding")],
    "UNSPECIFIED": [((0,), "jax._src.sharding_impls", "UNSPECIFIED")],
    "AUTO": [((0,), "jax._src.sharding_impls", "AUTO")],
    "symbolic_shape": [((0,), "jax.export", "symbolic_shape")],
    "SymbolicScope": [((0,), "jax.export", "SymbolicScope")],
}

# modules that define primitives, classes of parameters, memory spaces and effects; imported when a word is unknown
LAZY = [
    "jax._src.lax.lax", "jax._src.lax.linalg", "jax._src.lax.parallel", "jax._src.lax.control_flow", "jax._src.lax.fft",
    "jax._src.random", "jax._src.prng", "jax._src.callback", "jax._src.debugging", "jax._src.ad_checkpoint", "jax._src.checkify",
    "jax._src.state.primitives", "jax._src.custom_derivatives", "jax._src.custom_batching", "jax._src.custom_transpose",
    "jax._src.custom_partitioning", "jax._src.custom_partitioning_sharding_rule", "jax._src.ffi", "jax._src.hijax", "jax._src.numpy.hijax", "jax._src.pjit",
    "jax._src.export._export", "jax._src.export.shape_poly", "jax._src.compute_on", "jax._src.buffer_callback", "jax._src.xla_metadata",
    "jax._src.cudnn.scaled_matmul_stablehlo", "jax._src.layout", "jax._src.tpu_custom_call", "jax._src.interpreters.ad",
    "jax._src.xla_bridge", "jax.experimental.custom_partitioning", "jax.experimental.layout", "jax.experimental.sparse", "jax.experimental.sparse.bcoo",
    "jax.experimental.sparse.bcsr", "jax.experimental.sparse.coo", "jax.experimental.sparse.csr", "jax.experimental.shard_map",
    "jax._src.shard_map", "jax._src.state.discharge", "jax._src.pallas.core", "jax._src.pallas.primitives",
    "jax._src.pallas.pallas_call", "jax._src.pallas.mosaic.core", "jax._src.pallas.mosaic.primitives",
    "jax._src.pallas.mosaic_gpu.core", "jax._src.pallas.mosaic_gpu.primitives", "jax.experimental.pallas", "jax.experimental.pallas.tpu",
    "jax.nn", "jax.scipy.special", "jax.scipy.linalg", "jax.experimental.ode", "jax.experimental.buffer_callback", "jax.experimental.key_reuse", "jax._src.cudnn.fused_attention_stablehlo",
]  # fmt: skip

# (primitive, parameter): its value if it is not printed, or a function of the equation that returns it. Each is a value that a
# rule in JAX's core.pp_eqn_rules omits, or that the type of the result repeats.
UNSPECIFIED = object()
OMITTED = {
    ("jit", "inline"): lambda eqn: eqn.names.not_inline(),
    ("jit", "keep_unused"): False,
    ("jit", "donated_invars"): lambda eqn: (False,) * len(eqn.ins),
    ("jit", "in_shardings"): lambda eqn: (eqn.names.UNSPECIFIED,) * len(eqn.ins),
    ("jit", "out_shardings"): lambda eqn: (eqn.names.UNSPECIFIED,) * len(eqn.outs),
    ("jit", "in_layouts"): lambda eqn: (None,) * len(eqn.ins),
    ("jit", "out_layouts"): lambda eqn: (None,) * len(eqn.outs),
    ("jit", "ctx_mesh"): lambda eqn: eqn.names.mesh.empty_abstract_mesh if hasattr(eqn.names.mesh, "empty_abstract_mesh") else eqn.names.mesh.AbstractMesh(()),
    ("jit", "compiler_options_kvs"): (),
    ("*", "accuracy"): None,
    ("*", "out_dtype"): None,
    ("convert_element_type", "sharding"): None,
    ("dot_general", "precision"): None,
    ("dot_general", "preferred_element_type"): None,
    ("dot_general", "out_sharding"): lambda eqn: eqn.sharding(),
    ("broadcast_in_dim", "shape"): lambda eqn: eqn.outs[0].shape,
    ("broadcast_in_dim", "broadcast_dimensions"): (),
    ("broadcast_in_dim", "sharding"): lambda eqn: eqn.sharding(),
    ("reshard", "dst_sharding"): lambda eqn: eqn.sharding(),
    ("reshard", "concrete_mesh"): None,
    ("custom_jvp_call", "num_consts"): 0,
    ("custom_vjp_call", "num_consts"): 0,
    ("custom_lin", "out_avals"): lambda eqn: list(eqn.outs),
}

# rows of OMITTED whose parameter the print rule does not name, because it omits all parameters, or all that are None
OMITTED_WHERE_NONE = {("dot_general", "precision"), ("dot_general", "preferred_element_type"), ("reshard", "dst_sharding"), ("reshard", "concrete_mesh")}

# the names of primitives in other versions
RENAMED = {
    "jit": ("pjit",), "pjit": ("jit",), "mutable_array": ("new_ref", "array_ref"), "array_ref": ("new_ref", "mutable_array"),
    "new_ref": ("array_ref", "mutable_array"), "remat2": ("checkpoint",), "checkpoint": ("remat2",), "psum2": ("psum_invariant",),
    "psum_invariant": ("psum2",), "pbroadcast": ("pvary",), "core_call": ("closed_call", "eval_jaxpr"), "closed_call": ("eval_jaxpr", "core_call"),
    "eval_jaxpr": ("closed_call",), "custom_vjp_call_jaxpr": ("custom_vjp_call",), "copy_p": ("copy",),
}  # fmt: skip

# primitives that call a program with their operands and return its results, and the parameters with this program
CALLS = {
    "jit", "pjit", "closed_call", "core_call", "eval_jaxpr", "remat2", "checkpoint", "remat", "custom_jvp_call", "custom_vjp_call",
    "custom_vjp_call_jaxpr", "custom_vmap_call", "composite", "custom_lin", "custom_partitioning", "xla_metadata_call",
}  # fmt: skip
CALLED = ("jaxpr", "call_jaxpr", "fun_jaxpr", "call")

# (primitive, printed parameter): the name of the actual parameter
PRINTED_AS = {
    ("custom_jvp_call", "jvp"): "jvp_jaxpr_fun",
    ("custom_vjp_call", "fwd"): "fwd_jaxpr_thunk",
}

# the order in which JAX binds parameters, if it affects the names of shared programs
BOUND = {"while": ("cond_nconsts", "cond_jaxpr", "body_nconsts", "body_jaxpr")}

# (primitive, parameter with a function): the parameter with the program of this function, which replaces it
TRACED = {("reduce", "computation"): "jaxpr"}

# parameters whose programs JAX before 0.11 keeps open, without constants; programs in others are closed
OPEN = {
    ("remat2", "jaxpr"), ("checkpoint", "jaxpr"), ("remat", "jaxpr"), ("shard_map", "jaxpr"), ("pallas_call", "jaxpr"),
    ("run_scoped", "jaxpr"), ("run_state", "jaxpr"), ("for", "jaxpr"), ("core_call", "call_jaxpr"), ("xla_pmap", "call_jaxpr"),
    ("*", "update_jaxpr"), ("select_and_scatter", "select_jaxpr"),
    ("select_and_scatter", "scatter_jaxpr"), ("core_map", "jaxpr"), ("mpmd_map", "jaxpr"), ("call", "call_jaxpr"),
}  # fmt: skip

# parameters whose value is unquoted text, even if it looks like another value
TEXT = {
    "fmt", "target_name", "side", "method", "compute_type", "direction", "comparator", "api_version_name", "vmap_method", "traceback",
    "msg", "message", "error_message", "compiler_options_json", "legacy_backend_config",
}  # fmt: skip

# classes that print as `Name(field=.., ..)`, besides named tuples and data classes
RECORDS = {"Layout", "DeviceLocalLayout"}

# names of key implementations by the tag in printed types
KEYS = {"fry": "threefry2x32", "rbg": "rbg", "urbg": "unsafe_rbg"}


def version(text):
    """(0, 12, 0) of `0.12.0.1` and `0.12.0.dev1`."""
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


class Names:
    """The objects that NAMES lists, as attributes; each is looked up in the installed JAX when it is first used."""

    def __init__(self):
        try:
            import jax
        except ImportError as error:
            raise UnsupportedJax(f"jaxpr.load, to_python and verify need JAX: {error}") from None
        self.jax, self.version = jax, version(jax.__version__)
        if not OLDEST <= self.version < NEWEST:
            known = ".".join(map(str, OLDEST)), ".".join(map(str, NEWEST))
            raise UnsupportedJax(f"JAX {jax.__version__} is not supported: expected a version from {known[0]} to before {known[1]}; "
                                 "the functions on text work with any version")  # fmt: skip

    def __getattr__(self, name):
        for since, module, attribute in NAMES[name]:
            if self.version >= since:
                found = importlib.import_module(module)
                found = getattr(found, attribute) if attribute else found
                setattr(self, name, found)
                return found
        raise AttributeError(name)

    def has(self, name):
        try:
            return getattr(self, name) is not None
        except (AttributeError, ImportError):
            return False

    def new_ref(self, aval, *space):
        """The type of a ref; older versions of JAX have another class for refs with a memory space, `space`."""
        takes = "memory_space" in inspect.signature(self.AbstractRef.__init__).parameters
        return (self.AbstractRef if takes or not space else self.KernelRef)(aval, *space)

    @property
    def one_class(self):
        """Whether open and closed programs have the same class, as since 0.11."""
        return self.version >= (0, 11)

    def use_mesh(self, mesh):
        """A context in which the abstract mesh `mesh`, unless it is None, is the mesh of types."""
        if mesh is None or not hasattr(self.mesh, "use_abstract_mesh") and not hasattr(self.mesh, "set_abstract_mesh"):
            return contextlib.nullcontext()
        use = getattr(self.mesh, "use_abstract_mesh", None) or self.mesh.set_abstract_mesh
        return use(mesh)

    def axes(self, sizes):
        """A context that binds the named axes of `sizes`."""
        if not sizes:
            return contextlib.nullcontext()
        return self.core.extend_axis_env_nd(list(sizes.items()))

    def shard_mapped(self, function, mesh, spec, axes, check):
        """A function that runs `function` on shards; `spec` splits all arguments and results."""
        make = self.shard_map.shard_map
        known = inspect.signature(make).parameters
        some = {"axis_names": set(axes)} if "axis_names" in known else {"auto": frozenset(mesh.axis_names) - axes}
        return make(function, mesh=mesh, in_specs=spec, out_specs=spec, **{"check_vma" if "check_vma" in known else "check_rep": check}, **some)

    def primal_context(self):
        """A context without tracing, in which equations are made."""
        return self.core.eval_context() if hasattr(self.core, "eval_context") else contextlib.nullcontext()

    def debug_info(self, name, ins=0, outs=0):
        """A debug record that prints as `name`, for a program with `ins` arguments and `outs` results; None in older JAX."""
        kind = getattr(self.linear_util, "DebugInfo", None)
        if kind is None:
            return None
        return kind("jaxpr.load", name, ("",) * ins, ("",) * outs) if self.version >= (0, 5, 2) else None

    def not_inline(self):
        """The value of jit's `inline` that means False."""
        return self.Inline.AUTO if self.has("Inline") else False

    def omits(self, primitive, key):
        """Whether the print rule of a primitive contains the name of a parameter, as rules do that omit the parameter."""
        rule = self.core.pp_eqn_rules.get(primitive)
        return rule is not None and key in getattr(getattr(rule, "__code__", None), "co_consts", ())

    def wrapped(self, function, name):
        """`function` wrapped in the class that JAX uses for rules of custom derivatives."""
        info = self.debug_info(name)
        if info is None:
            return self.linear_util.wrap_init(function)
        return self.linear_util.wrap_init(function, debug_info=info)
