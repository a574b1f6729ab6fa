# SPDX-License-Identifier: Apache-2.0
"""Builds the objects of parameters from their text, as the installed JAX takes them.

The form of a text decides how it is read; the class of a record is found by its name. An object that the text only names becomes
an Opaque, which prints the same and raises Missing when it is used.
"""

import re

import numpy as np

from .._errors import Missing
from . import values
from .values import Call, Name, Thing, Type
from .versions import TRACED

DTYPE = re.compile(r"dtype|element_type")
NUMBERED = {"rounding_method": "RoundingMethod", "fft_type": "FftType"}  # enums printed as a number, or by older JAX as a word


class Opaque:
    """A placeholder for an object that the text only names: prints as this text, and raises Missing when it is called."""

    def __init__(self, text, hint):
        self.text, self.hint = text, hint
        self.__name__ = values.function_name(text)
        self.__qualname__ = self.__name__

    def __repr__(self):
        return self.text

    def __eq__(self, other):
        return isinstance(other, Opaque) and other.text == self.text

    def __hash__(self):
        return hash(self.text)

    def missing(self):
        return Missing(f"{self.text} is not in the text: {self.hint}")

    def __call__(self, *_, **__):
        raise self.missing()


class NoAttribute(Missing, AttributeError):
    """Missing, and an AttributeError, so that hasattr() and getattr() work."""


class Absent(Opaque):
    """A placeholder for an object whose attributes JAX reads: reading one raises Missing."""

    def __getattr__(self, name):
        raise AttributeError(name) if name.startswith("__") else NoAttribute(str(self.missing()))


class Given:
    """A function that the user gave for one that the text only names: calls the function, and prints as the text."""

    def __init__(self, text, function):
        self.text, self.function = text, function
        self.__name__ = values.function_name(text)

    def __repr__(self):
        return self.text

    def __call__(self, *args, **kwargs):
        return self.function(*args, **kwargs)


class Unbuildable(Exception):
    """No object could be built; the argument is the reason."""


class Parameters:
    """Builds parameters for one Builder, whose `report` is called for what the text does not contain."""

    def __init__(self, loader):
        self.loader, self.names, self.registry, self.options = loader, loader.names, loader.registry, loader.options

    def value(self, eqn, key, text):
        """The object of parameter `key` that was printed as `text`."""
        if eqn.foreign:
            return text if key == "name" else self.foreign(text)  # JAX uses `name` as the name of a program
        if (eqn.name, key) in TRACED and values.function_name(text) not in self.options.rules:
            return Given(text, None)  # `hi.finish` sets its function
        special = getattr(self, "key_" + key, None)
        if special:
            return special(eqn, key, text)
        if key in self.loader.TEXT:
            return None if text == "None" else text
        if not text:
            return text
        symbolic = self.symbolic(text) if self.loader.symbols and text.startswith("(") else None
        return self.build(eqn, key, values.parse(text), text) if symbolic is None else symbolic

    @staticmethod
    def foreign(text):
        """A parameter of a primitive that JAX does not define: a value that prints as the text, or an Opaque."""
        value = values.parse(text)
        return value if str(value) == text and not isinstance(value, (Name, Call, Type, Thing)) else Opaque(text, "")

    def build(self, eqn, key, value, text):
        if isinstance(value, Name):
            return self.name(eqn, key, value.text)
        if isinstance(value, Thing):
            return self.thing(eqn, key, value.text)
        if isinstance(value, Type) and value.text.startswith("key<") and "[" not in value.text:
            return self.loader.dtype(value.text)
        if isinstance(value, Type):
            return self.loader.aval_of_text(value.text)
        if isinstance(value, Call):
            return self.call(eqn, key, value, text)
        if isinstance(value, (tuple, list)):
            return type(value)(self.build(eqn, key, each, None) for each in value)
        if isinstance(value, dict):
            return {k: self.build(eqn, key, v, None) for k, v in value.items()}
        if isinstance(value, frozenset):
            return frozenset(self.build(eqn, key, each, None) for each in value)
        if text is not None and type(value) in (int, float) and key not in ("fill_value", "alpha", "beta"):
            member = self.numbered(eqn, key, value)
            return value if member is None else member
        return value

    def numbered(self, eqn, key, value):
        """The member of an enum whose members print as numbers; None if the parameter has no such enum."""
        kind = NUMBERED.get(key)
        for each in self.registry.found(kind, lambda cls: True) if kind else ():
            try:
                return each(value)
            except (TypeError, ValueError):
                pass
        return None

    def name(self, eqn, key, text):
        """The object of a bare word: a dtype, a member of an enum, a primitive, an effect, or the text itself."""
        if DTYPE.search(key) or key in ("kind",):
            found = self.registry.dtype(text)
            if found is not None:
                return found
        if "." in text or text.isupper() or text.startswith("RNG_"):
            found = self.registry.member(text)
            if found is not None and key in NUMBERED:
                return found
            if found is not None and str(found) == text:
                return found
            if found is not None and repr(found) == text:
                return found
        if key.endswith("_prim"):
            return self.registry.primitive(text)
        if key == "effect":
            found = self.registry.effect(text)
            if found is not None:
                return found
        if text == str(self.names.UNSPECIFIED):
            return self.names.UNSPECIFIED
        if key == "impl" and text in self.loader.KEYS:
            return self.loader.key_impl(text)
        symbolic = self.symbolic(text)
        if symbolic is not None:
            return symbolic
        if text.startswith("PyTreeDef"):
            return self.opaque(eqn, key, text)
        if not re.fullmatch(r"[\w.<>-]+", text) and not eqn.unknown:
            return self.opaque(eqn, key, text)
        return text

    def symbolic(self, text):
        """Sizes with symbols that occur in types: `b`, `(b*h, 1)` or `((0, n - 1),)`; None for other text."""
        words = set(re.findall(r"[A-Za-z_]\w*", text))
        if not words & self.loader.symbols or not words <= self.loader.symbols | {"floordiv", "mod", "max", "min", "None"}:
            return None
        if not text.startswith("("):
            return None if text == "None" else self.loader.dimension(text)
        if not enclosed(text):
            return self.loader.dimension(text)
        parts = [each.strip() for each in commas(text[1:-1])]
        found = [self.symbolic(each) if set(re.findall(r"[A-Za-z_]\w*", each)) & self.loader.symbols else values.parse(each) for each in parts if each]
        return None if any(isinstance(each, Name) for each in found) else tuple(found)

    def thing(self, eqn, key, text):
        if text.startswith("<class '"):
            found = self.registry.dtype(text[8:-2].rsplit(".", 1)[-1])
            word = text[8:-2]
            if found is not None and word.startswith("numpy."):
                return found.type
            if found is not None and word.startswith("jax.numpy."):
                return getattr(self.names.jax.numpy, word.rsplit(".", 1)[-1], found)
            if found is not None:
                return found.type
        member = re.match(r"<([\w.]+): ", text)  # of an enum
        found = self.registry.member(member.group(1)) if member else None
        return found if found is not None and repr(found) == text else self.opaque(eqn, key, text)

    def opaque(self, eqn, key, text):
        """The object that the user gave for this text, or a placeholder that prints the same, which is reported."""
        name = values.function_name(text)
        rules = self.options.rules
        for known in (text, values.printed(text), name):
            if known in rules:
                return rules[known] if str(rules[known]) == text else Given(text, rules[known])
        hint = self.hint(text)
        self.loader.report(eqn, key, f"{key}={text} is a Python object that the text only names", hint)
        return Opaque(text, hint)

    @staticmethod
    def hint(text):
        """How to pass an object that the text only names."""
        return f'pass rules={{"{values.function_name(text)}": ...}} to load'

    def call(self, eqn, key, value, text):
        """The object of `Mesh('x': 4)`, `P('x',)` or `ShapedArray(..)`, or a data class that is found by its name."""
        special = getattr(self, "call_" + value.name.rsplit(".", 1)[-1], None)
        if special:
            return special(eqn, key, value, text)
        found = self.flat(value) if self.names.has("flat_trees") and value.name in ("RightsOnly", "Right", "Left", "Pytree", "Static") else None
        if found is not None:
            return found
        positional = [self.build(eqn, key, each, None) for each in value.positional]
        named = {k: self.build(eqn, k, v, None) for k, v in value.named}
        for each in self.registry.records(value.name.rsplit(".", 1)[-1]):
            try:
                return each(*positional, **named)
            except (TypeError, ValueError, AssertionError):
                continue
        if text is None:
            raise Unbuildable(f"{value.name} in {key}")
        return self.opaque(eqn, key, text)

    def call_P(self, eqn, key, value, text):
        named = {k: self.build(eqn, k, v, None) for k, v in value.named}
        if "unreduced_kind" in named:
            named["unreduced_kind"] = self.names.jax.sharding.UnreducedKind[named["unreduced_kind"]]
        return self.names.jax.sharding.PartitionSpec(*(self.plain(each) for each in value.positional), **named)

    call_PartitionSpec = call_P

    def plain(self, value):
        if isinstance(value, Name):
            spec = self.names.jax.sharding.PartitionSpec
            return getattr(spec, value.text, value.text)
        return tuple(map(self.plain, value)) if isinstance(value, (tuple, list)) else value

    def call_ShapedArray(self, eqn, key, value, text):
        aval = self.loader.aval_of_text(value.positional[0].text)
        return aval.update(weak_type=True) if value.get("weak_type") else aval

    def mesh_parts(self, value):
        """The sizes of a mesh's axes by name, and the words for their kinds."""
        axes = [(k, v) for k, v in value.named if isinstance(k, str) and isinstance(v, int) and k not in ("num_cores", "num_tpu_cores")]
        kinds = value.get("axis_types", ())
        kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        return dict(axes), [getattr(each, "text", str(each)) for each in kinds]

    def call_Mesh(self, eqn, key, value, text):
        return self.loader.concrete_mesh(*self.mesh_parts(value))

    def call_AbstractMesh(self, eqn, key, value, text):
        return self.loader.abstract_mesh(*self.mesh_parts(value), device=value)

    def call_NamedSharding(self, eqn, key, value, text):
        mesh, spec = (self.build(eqn, key, value.get(each), None) for each in ("mesh", "spec"))
        kind = value.get("memory_kind")
        more = {"memory_kind": getattr(kind, "text", kind)} if kind is not None else {}
        made = self.names.NamedSharding(mesh, spec, **more)
        if kind is not None and repr(made) != text:
            plain = self.names.NamedSharding(mesh, spec)
            return plain if text is not None and repr(plain) == text else made
        return made

    def call_PyTreeDef(self, eqn, key, value, text):
        return self.names.jax.tree_util.tree_structure(self.example(value.positional[0]))

    def example(self, tree):
        """A tree with the structure that PyTreeDef prints, whose leaves are `*`."""
        if tree == Name("*"):
            return 0
        if isinstance(tree, Name) or isinstance(tree, (Call, Thing)):
            raise Unbuildable("the class of a tree node")
        if isinstance(tree, dict):
            return {k: self.example(v) for k, v in tree.items()}
        return type(tree)(map(self.example, tree)) if isinstance(tree, (tuple, list)) else tree

    def flat(self, tree):
        """A FlatTree of JAX from its text; a bare None is an empty leaf."""
        flat = self.names.flat_trees
        if isinstance(tree, Call) and not isinstance(tree, Name):
            if tree.name == "RightsOnly":
                return flat.FTFiltered(self.flat(tree.positional[0]))
            if tree.name in ("Right", "Left"):
                return flat.FTSingleton(self.either(tree))
            if tree.name == "Pytree":
                structure = self.call_PyTreeDef(None, None, tree.get("tree"), None)
                return flat.FTPyTree([self.either(each) for each in tree.get("vals")], structure)
            if tree.name == "Static":
                return flat.FTStatic(self.leaf(tree.positional[0]))
        elif isinstance(tree, tuple) and not isinstance(tree, Name):
            return flat.FTTuple(*map(self.flat, tree))
        elif isinstance(tree, dict):
            return flat.FTDict(tuple(tree), tuple(map(self.flat, tree.values())))
        elif tree is None or isinstance(tree, (int, bool)):
            return flat.FTSingleton(tree)
        raise Unbuildable(f"tree {tree}")

    def either(self, tree):
        if isinstance(tree, Call) and tree.name in ("Right", "Left"):
            return getattr(self.names.flat_trees.Either, tree.name.lower())(self.either(tree.positional[0]))
        return self.leaf(tree)

    @staticmethod
    def leaf(value):
        if value is None or isinstance(value, (int, bool, float, str)):
            return value
        raise Unbuildable(f"tree leaf {value}")

    def int32(self, value):
        return np.int32(value)

    def call_GridMapping(self, eqn, key, value, text):
        return value if eqn.name == "pallas_call" else self.opaque(eqn, key, text)

    def key_ft_in(self, eqn, key, text):
        return self.flat(values.parse(text))

    key_ft_out = key_ft_in

    def key_name(self, eqn, key, text):
        return None if text == "None" and eqn.name != "name" else text

    def key_dimension_numbers(self, eqn, key, text):
        found = self.build(eqn, key, values.parse(text), text)
        return tuples(found) if type(found) in (tuple, list) else found

    def key_dim(self, eqn, key, text):
        return self.loader.dimension(text)

    def key_exported(self, eqn, key, text):
        for each in self.options.exported:
            if str(each) == text:
                return each
        self.loader.report(eqn, key, f"{text} is not in the text", "pass exported=[...] to load")
        return Absent(text, "pass exported=[...] to load")

    def key_callback(self, eqn, key, text):
        value = values.parse(text)
        if isinstance(value, Call):
            function = self.build(eqn, key, value.get("callback_func"), None)
            tree = self.build(eqn, key, value.get("in_tree"), None)
            for each in self.registry.records(value.name):
                return each(function, tree)
        return self.opaque(eqn, key, text)

    def key_policy(self, eqn, key, text):
        """The policy of a checkpoint: the one that the user gave, or one of jax.checkpoint_policies with its name."""
        mine = values.function_name(text) in self.options.rules or values.printed(text) in self.options.rules
        for each in () if mine else vars(self.names.jax.checkpoint_policies).values():
            if callable(each) and values.printed(str(each)) == values.printed(text):
                return each
        return None if text == "None" else self.opaque(eqn, key, text)

    def key_jvp(self, eqn, key, text):
        """A placeholder for the rule of a derivative; the rule that the user gave is stored in `eqn.rules`, for `hi.finish`."""
        own = self.options.rules.get(eqn.field["params"].get("name"))
        for known in (text, values.function_name(text)):
            if known in self.options.rules and not hasattr(own, "defjvp") and not hasattr(own, "defvjp"):
                eqn.rules[key] = self.options.rules[known]
                return self.names.wrapped(Given(text, eqn.rules[key]), text)
        if hasattr(own, "defjvp") or hasattr(own, "defvjp"):
            eqn.rules[key] = None
            return self.names.wrapped(Opaque(text, ""), text)
        if self.loader.known(eqn):
            eqn.named_rules[key] = text
            return self.names.wrapped(Opaque(text, self.hint(text)), text)
        return self.names.wrapped(self.opaque(eqn, key, text), text)

    key_fwd = key_bwd = key_jvp


def enclosed(text):
    """Whether the last character of `text` closes the bracket with which it begins."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if not depth:
            return at == len(text) - 1
    return False


def commas(text):
    """`text`, split at commas outside of brackets."""
    out, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            out.append(text[start:at])
            start = at + 1
    return out + [text[start:]]


def tuples(value):
    """`value` with lists turned into tuples: dot_general prints its tuples as lists."""
    return tuple(map(tuples, value)) if isinstance(value, (tuple, list)) else value
