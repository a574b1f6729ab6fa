# SPDX-License-Identifier: Apache-2.0
"""The register of programs the oracle traces.

One idea: a program is a small Python function under a decorator that spells its arguments as Jaxpr spells types,
`@program("f32[3,4]", "i32[]")`. The families are the files of `programs/`; importing them fills the register. Every
program is written for this purpose, is deterministic, and may fail to trace: a version of JAX that cannot trace it
gets a `skipped` row, so that `report` lists what a new version lost.

The section `compat` below hides which public functions moved between versions.
"""

import contextlib
import importlib
import re

import jax
import jax.numpy as jnp
import numpy as np

REGISTER = {}
FAMILIES = (
    "elementwise",
    "shape",
    "index",
    "reduce",
    "contract",
    "linalg",
    "randomness",
    "control",
    "custom",
    "state",
    "parallel",
    "sparse",
    "dtypes",
    "symbolic",
    "printing",
    "models",
    "kernels",
    "newest",
    "rarities",
    "unwanted",
    "sharded",
)


class Program:
    """A function, its argument types and the settings it is traced under."""

    def __init__(self, fn, specs, x64, context, family, flags, judged):
        self.fn, self.specs, self.x64, self.context, self.family, self.flags = fn, specs, x64, context, family, flags
        self.judged = judged
        self.name = fn.__name__

    @contextlib.contextmanager
    def settings(self):
        """Enters the configuration and mesh the program needs, and leaves them as they were."""
        with contextlib.ExitStack() as stack:
            if self.x64:
                stack.enter_context(enable_x64())
            for key, value in self.flags.items():
                old = getattr(jax.config, key)
                jax.config.update(key, value)
                stack.callback(jax.config.update, key, old)
            if self.context:
                stack.enter_context(self.context())
            yield

    def arguments(self):
        return [argument(s) if isinstance(s, str) else s for s in self.specs]


def program(*specs, x64=False, context=None, flags=None, judged=True):
    """Registers the decorated function; `specs` are types in Jaxpr's notation or plain Python values.

    `judged` is False if its print is ambiguous (a string parameter that looks like syntax): then JAX's verdict is not
    recorded, and no mutants or other prints are made of it."""

    def register(fn):
        assert fn.__name__ not in REGISTER, fn.__name__
        REGISTER[fn.__name__] = Program(fn, specs, x64, context, fn.__module__.split(".")[-1], flags or {}, judged)
        return fn

    return register


def load(*more):
    """Imports FAMILIES and `more`; returns the register, in a fixed order, and {family: error} of failed imports."""
    broken = {}
    for family in FAMILIES + more:
        try:
            importlib.import_module("programs." + family)
        except Exception as error:  # a family may need a module this JAX lacks
            broken[family] = "%s: %s" % (type(error).__name__, error)
    return REGISTER, broken


# -- types in Jaxpr's notation ---------------------------------------------------------------------------------------

LONG = {"f": "float", "i": "int", "u": "uint", "c": "complex", "bf": "bfloat"}


def dtype(short):
    """`f32` -> float32, `bf16` -> bfloat16, `f8_e4m3fn` -> float8_e4m3fn, `key<fry>` -> the key dtype."""
    m = re.fullmatch(r"key<(\w+)>", short)
    if m:
        impl = {"fry": "threefry2x32", "rbg": "rbg", "urbg": "unsafe_rbg"}[m[1]]
        return jax.random.key(0, impl=impl).dtype
    if short == "bool":
        return np.dtype(bool)
    if short == "float0":
        return np.dtype([("float0", np.void, 0)])
    m = re.fullmatch(r"(bf|f|i|u|c)(\d.*)", short)
    return np.dtype(getattr(jnp, LONG[m[1]] + m[2]))


def argument(spec):
    """`f32[3,4]`, `~f32[]` (weak), `f32[8@x,2]{U:y}` (laid out over the mesh of the context), `f32[b,2*b]` (symbolic)."""
    m = re.fullmatch(r"(~?)([^\[]+)\[(.*)\](?:\{([UR]):(\w+)\})?", spec)
    weak, short, dims = m[1] == "~", m[2], m[3]
    if re.search(r"[a-z]", re.sub(r"@\w+", "", dims)):
        shape = exporting().symbolic_shape(dims, scope=symbol_scope())
        return jax.ShapeDtypeStruct(shape, dtype(short))
    parts = [d.split("@") for d in dims.split(",") if d]
    shape = tuple(int(p[0]) for p in parts)
    more = {}
    if "@" in dims:
        names = [p[1] if len(p) > 1 else None for p in parts]
        over = {"unreduced" if m[4] == "U" else "reduced": {m[5]}} if m[4] else {}
        more["sharding"] = jax.sharding.NamedSharding(current_mesh[-1], jax.sharding.PartitionSpec(*names, **over))
    if weak:
        more["weak_type"] = True
    return jax.ShapeDtypeStruct(shape, dtype(short), **more)


scope = []


def symbol_scope():
    if not scope:
        scope.append(exporting().SymbolicScope())
    return scope[0]


# -- compat: one name for moved functions ---------------------------------------------------------------------------

current_mesh = []


def exporting():
    """jax.export, or the experimental module it was until 0.4.29."""
    try:
        return importlib.import_module("jax.export")
    except ImportError:
        return importlib.import_module("jax.experimental.export")


def enable_x64():
    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    from jax.experimental import enable_x64 as enable

    return enable()


def mesh(*axes):
    """A mesh over the eight simulated devices: mesh(("x", 4), ("y", 2))."""
    sizes, names = tuple(n for _, n in axes), tuple(a for a, _ in axes)
    devices = np.array(jax.devices()[: int(np.prod(sizes))]).reshape(sizes)
    return jax.sharding.Mesh(devices, names)


def shard_map(f, over, in_specs, out_specs, check=None, **more):
    """shard_map under whichever name and keyword this JAX has; `check` False turns replication checking off."""
    if hasattr(jax, "shard_map"):
        if check is not None:
            more["check_vma"] = check
        return jax.shard_map(f, mesh=over, in_specs=in_specs, out_specs=out_specs, **more)
    from jax.experimental.shard_map import shard_map as old

    if check is not None:
        more["check_rep"] = check
    return old(f, mesh=over, in_specs=in_specs, out_specs=out_specs, **more)


@contextlib.contextmanager
def explicit_mesh():
    """A context with a 4 x 2 mesh of explicit axes, in which types show shardings."""
    kind = jax.sharding.AxisType.Explicit
    made = jax.make_mesh((4, 2), ("x", "y"), axis_types=(kind, kind))
    enter = getattr(jax, "set_mesh", None) or jax.sharding.use_mesh
    current_mesh.append(made)
    try:
        with enter(made):
            yield
    finally:
        current_mesh.pop()
