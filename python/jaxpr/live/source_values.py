# SPDX-License-Identifier: Apache-2.0
"""Python source for values: literals, parameters, types, meshes, constants; raises NotLoadable for values without source."""

import enum
import math
import re
import sys

import numpy as np

from .._errors import NotLoadable
from .inputs import key_name
from .parameters import Given, Opaque
from .scope import Placeholder
from .versions import KEYS

LARGEST = 1000  # the most elements of a constant that is written as source


def number_source(number):
    """The source of a number; complex numbers are not written as sums, which would lose the sign of a zero."""
    if isinstance(number, complex):
        return f'complex("{number}")'
    if isinstance(number, float):
        return repr(float(number)) if math.isfinite(number) else f'float("{number}")'
    return repr(number)


class Values:
    """Writes values of one loaded program; the base class of Writer, which writes programs."""

    def __init__(self, loaded):
        self.loaded, self.jax = loaded, loaded.names.jax
        self.imports, self.found, self.sizes, self.placeholders, self.meshes, self.constants = {}, {}, set(), set(), False, {}
        self.inside = []  # the meshes of types in the shard_maps that are being written

    def refuse(self, eqn, what):
        raise NotLoadable(f"{eqn}: {what}")

    def scalar(self, value, dtype):
        name = np.dtype(dtype).name
        text = number_source(np.asarray(value).item())
        if name == "bool":
            return f"np.bool_({text})"
        return f"np.{name}({text})" if hasattr(np, name) else f"jnp.{name}({text})"

    def literal(self, atom, where):
        if isinstance(atom.val, Placeholder):
            self.refuse(where, atom.val.message)
        dtype = getattr(atom.aval, "dtype", None)
        if dtype == self.loaded.names.dtypes.float0:
            return f"np.zeros({tuple(atom.aval.shape)}, jax.dtypes.float0)"
        if not isinstance(dtype, np.dtype):
            self.refuse(where, f"a literal of type {atom.aval.str_short(True)} has no source form")
        if atom.aval.shape:
            flat = ", ".join(self.scalar(each, dtype) for each in np.asarray(atom.val).reshape(-1))
            return f"np.array([{flat}]).reshape({tuple(atom.aval.shape)})"
        number = np.asarray(atom.val).item()
        if self.jax.dtypes.canonicalize_dtype(type(number)) == dtype and repr(number) == str(number):
            return number_source(number)
        return self.scalar(atom.val, dtype)

    def value(self, value, where, key):
        """The source of a parameter."""
        if value is None or isinstance(value, (bool, str, bytes)):
            return repr(value)
        if type(value) in (int, complex) or isinstance(value, float):
            return number_source(value)
        if str(value) in self.loaded.symbols or hasattr(value, "_evaluate"):
            self.sizes.add(str(value))
            return f"SIZES[{str(value)!r}]"
        if isinstance(value, np.dtype):
            return f'np.dtype("{value.name}")' if hasattr(np, value.name) else f"jnp.dtype(jnp.{value.name})"
        if isinstance(value, np.generic):
            return self.scalar(value, value.dtype)
        if isinstance(value, type) and issubclass(value, np.generic):
            return f"np.{value.__name__}"
        if isinstance(value, type(self.jax.numpy.float32)):
            return f"jnp.{value.dtype.name}"
        if isinstance(value, enum.Enum):
            return f"{self.imported(type(value), where, key)}.{value.name}"
        if isinstance(value, self.jax.sharding.PartitionSpec):
            written = f"jax.sharding.{value!r}".replace("jax.sharding.P(", "jax.sharding.PartitionSpec(")
            return re.sub(r"unreduced_kind=(\w+)", r"unreduced_kind=jax.sharding.UnreducedKind.\1", written)
        if isinstance(value, (self.jax.sharding.Mesh, self.jax.sharding.AbstractMesh)):
            return self.mesh(value)
        if isinstance(value, self.jax.sharding.NamedSharding):
            kind = f", memory_kind={value.memory_kind!r}" if f"memory_kind={value.memory_kind}" in repr(value) else ""
            return f"jax.sharding.NamedSharding({self.mesh(value.mesh)}, {self.value(value.spec, where, key)}{kind})"
        if isinstance(value, self.jax.tree_util.PyTreeDef if hasattr(self.jax.tree_util, "PyTreeDef") else ()):
            example = self.jax.tree_util.tree_unflatten(value, [0] * value.num_leaves)
            return f"jax.tree_util.tree_structure({self.value(example, where, key)})"
        if getattr(value, "tag", None) in KEYS and hasattr(value, "seed"):
            return f'jax.eval_shape(lambda: jax.random.key(0, impl="{KEYS[value.tag]}")).dtype._impl'
        if isinstance(value, (Opaque, Given)):
            return self.missing(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{self.imported(type(value), where, key)}({', '.join(f'{k}={self.value(v, where, key)}' for k, v in zip(value._fields, value))})"
        if isinstance(value, (tuple, list)):
            inner = ", ".join(self.value(each, where, key) for each in value)
            return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
        if isinstance(value, frozenset):
            return f"frozenset(({''.join(self.value(each, where, key) + ', ' for each in sorted(value, key=str))}))"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k!r}: {self.value(v, where, key)}" for k, v in value.items()) + "}"
        if hasattr(value, "eqns"):
            return self.program_value(value, where)
        if isinstance(value, self.loaded.names.core.Primitive):
            return self.primitive(value, where)
        if isinstance(value, self.loaded.names.core.ShapedArray) and not self.sharded(value):
            return self.aval(value, where, key)
        if isinstance(value, self.loaded.names.AbstractRef):
            space = getattr(value, "memory_space", None)
            inner = self.value(value.inner_aval, where, key)
            return f"{self.imported(type(value), where, key)}({inner}{'' if space is None else ', ' + self.value(space, where, key)})"
        if hasattr(value, "__dataclass_fields__"):
            fields = ", ".join(f"{name}={self.value(getattr(value, name), where, key)}" for name in value.__dataclass_fields__)
            return f"{self.imported(type(value), where, key)}({fields})"
        if type(value).__name__.startswith("FT"):
            return self.flat(value, where, key)
        if hasattr(value, "arguments_from_text"):
            args, named = value.arguments_from_text
            listed = [self.value(each, where, key) for each in args] + [f"{k}={self.value(v, where, k)}" for k, v in named.items()]
            return f"{self.imported(type(value), where, key)}({', '.join(listed)})"
        if hasattr(type(value), "__members__") and hasattr(value, "name"):
            return f"{self.imported(type(value), where, key)}.{value.name}"
        if isinstance(value, range):
            return repr(value)
        return self.attribute(value, where, f"{key}={str(value)[:60]} has no source form")

    def aval(self, value, where, key):
        """The source of an array type without sharding."""
        space = getattr(value, "memory_space", None)
        default = getattr(self.loaded.names.core.ShapedArray((), np.dtype("float32")), "memory_space", None)
        weak = ", weak_type=True" if value.weak_type else ""
        space = "" if space == default else f", memory_space={self.value(space, where, key)}"
        return f"{self.imported(type(value), where, key)}({self.value(tuple(value.shape), where, key)}, {self.dtype(value.dtype, where)}{weak}{space})"

    def dtype(self, dtype, where):
        """The source of an element type, including those of keys."""
        if self.jax.dtypes.issubdtype(dtype, self.jax.dtypes.prng_key):
            return f'jax.eval_shape(lambda: jax.random.key(0, impl="{key_name(self.loaded.names, dtype)}")).dtype'
        if dtype == self.loaded.names.dtypes.float0:
            return "jax.dtypes.float0"
        return self.value(dtype, where, "dtype")

    def missing(self, value):
        """A placeholder for a function that the text only names."""
        self.placeholders.add("NotInText")
        return f"NotInText({value.text!r})"

    def mesh(self, mesh):
        if mesh is self.loaded.mesh:
            self.meshes = True
            return "MESH"
        if mesh == getattr(self.loaded.mesh, "abstract_mesh", None):
            self.meshes = True
            return "MESH.abstract_mesh"
        abstract = isinstance(mesh, self.jax.sharding.AbstractMesh)
        if abstract and self.inside and same_axes(mesh, self.inside[-1]):
            return "jax.sharding.get_abstract_mesh()"
        kinds = [each.name for each in getattr(mesh, "axis_types", None) or ()]
        types = f", axis_types=({''.join(f'jax.sharding.AxisType.{each}, ' for each in kinds)})" if kinds and hasattr(self.jax.sharding, "AxisType") else ""
        made = "jax.sharding.AbstractMesh" if abstract else "jax.make_mesh"
        return f"{made}({tuple(mesh.shape.values())}, {tuple(mesh.axis_names)}{types})"

    def flat(self, tree, where, key):
        """The source of a FlatTree of JAX."""
        kind, name = self.imported(type(tree), where, key), type(tree).__name__
        source = lambda each: self.flat(each, where, key) if type(each).__name__.startswith("FT") else self.either(each, where, key)
        if name == "FTTuple":
            return f"{kind}({', '.join(map(source, tree.elts))})"
        if name in ("FTFiltered", "FTSingleton"):
            return f"{kind}({source(tree.val)})"
        if name == "FTPyTree":
            return f"{kind}([{', '.join(map(source, tree.xs))}], {self.value(tree.tree, where, key)})"
        self.refuse(where, f"{key}={tree} has no source form")

    def either(self, leaf, where, key):
        """The source of a leaf, which may be an Either."""
        kind = self.loaded.names.flat_trees.Either
        if not isinstance(leaf, kind):
            return self.value(leaf, where, key)
        side = "right" if leaf.is_right else "left"
        return f"{self.imported(kind, where, key)}.{side}({self.either(leaf.val, where, key)})"

    def sharded(self, aval):
        mesh = getattr(getattr(aval, "sharding", None), "mesh", None)
        return mesh is not None and not getattr(mesh, "empty", True)

    def imported(self, kind, where, key):
        """The expression for a class: an attribute of `lax`, or a name that the source imports from its module."""
        if getattr(self.jax.lax, kind.__name__, None) is kind:
            return f"lax.{kind.__name__}"
        module = kind.__module__
        if getattr(sys.modules.get(module), kind.__name__, None) is not kind:
            self.refuse(where, f"{key} is of a class that no module has")
        return self.import_of(module, kind.__name__)

    def import_of(self, module, attribute):
        """The name under which the source imports an attribute of a module: its own, with `_` added if it is taken."""
        name, line = attribute, f"from {module} import {attribute}"
        while self.imports.setdefault(name, line) != line:
            name += "_"
            line = f"from {module} import {attribute} as {name}"
        return name

    def primitive(self, primitive, where):
        """The expression for a primitive."""
        return self.attribute(primitive, where, "no module that is imported has this primitive")

    def attribute(self, value, where, otherwise):
        """The expression for an object that is an attribute of a module; raises an error with the message `otherwise` if none is."""
        if id(value) not in self.found:
            self.found[id(value)] = value, None
            order = lambda name: (not name.startswith("jax."), not name.startswith("jax"), name)  # public names of JAX first
            others = [(None, sys.modules[name]) for name in sorted(sys.modules, key=order) if hasattr(sys.modules[name], "__dict__")]
            for alias, module in [("lax", self.jax.lax), *others]:
                attribute = next((name for name, each in list(vars(module).items()) if each is value), None)
                if attribute:
                    self.found[id(value)] = value, (alias, module.__name__, attribute)
                    break
        if self.found[id(value)][1] is None:
            self.refuse(where, otherwise)
        alias, module, attribute = self.found[id(value)][1]
        if alias:
            return f"{alias}.{attribute}"
        return self.import_of(module, attribute)

    def constant(self, aval, value):
        """The name of a constant, which is a variable of the module that is written."""
        if id(value) not in self.constants:
            unknown = isinstance(value, Placeholder)
            source = self.unknown(aval, value.message) if unknown else self.array(value)
            self.constants[id(value)] = (value, self.named(value.name if unknown else "constant"), source)
        return self.constants[id(value)][1]

    def unknown(self, aval, message):
        """The source of a constant whose value is unknown."""
        jax = self.jax
        if not all(isinstance(each, (int, np.integer)) for each in aval.shape) or isinstance(aval, self.loaded.names.AbstractRef) or self.sharded(aval):
            self.refuse("the program", message)
        if aval.dtype == self.loaded.names.dtypes.float0:
            return f"np.zeros({tuple(aval.shape)}, jax.dtypes.float0)"
        self.placeholders.add("deleted")
        if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
            return f"deleted({self.keys(aval)})"
        if not isinstance(aval.dtype, np.dtype):
            self.refuse("the program", message)
        return f"deleted(jnp.zeros({tuple(aval.shape)}, {self.value(aval.dtype, 'the program', 'dtype')}))"

    def array(self, value):
        """The source of a constant whose value is known."""
        if not isinstance(getattr(value, "dtype", None), np.dtype) or value.size > LARGEST:
            self.refuse("the program", "a constant is part of it: make it an argument with `jaxpr norm -p lift`")
        flat = ", ".join(self.scalar(each, value.dtype) for each in np.asarray(value).reshape(-1))
        return f"jnp.asarray([{flat}], {self.value(value.dtype, 'the program', 'dtype')}).reshape({tuple(value.shape)})"

    def keys(self, aval):
        """The source of a value of a key type."""
        key = f'jax.random.key(0, impl="{key_name(self.loaded.names, aval.dtype)}")'
        return key if not aval.shape else f"jax.random.split({key}, {tuple(aval.shape)})"


def same_axes(one, two):
    """Whether two meshes have the same axes, even if their devices differ; false if the second is None."""
    axes = lambda mesh: (dict(mesh.shape), tuple(map(str, getattr(mesh, "axis_types", None) or ())))
    return two is not None and axes(one) == axes(two)
