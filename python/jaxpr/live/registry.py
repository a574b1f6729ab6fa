# SPDX-License-Identifier: Apache-2.0
"""Finds the object that a printed word names in the installed JAX: primitives, enum members, classes of records, effects.

Words are looked up among the objects of imported modules; no word is imported or evaluated.
"""

import dataclasses
import enum
import gc
import importlib
import re
import sys

import numpy as np

from .versions import RECORDS


class Registry:
    def __init__(self, names, lazy):
        self.names, self.lazy, self.everything = names, lazy, False
        self.primitives, self.classes, self.own, self.wanted = {}, {}, set(), {}
        self.same = {}  # by name, all primitives of JAX with this name, in order
        self.rules, self.rules_of = {}, 0  # see rules.functions
        self.scan()

    def scan(self):
        """Records the primitives and classes of JAX's imported modules; the first primitive with a name is kept."""
        core = self.names.core
        for module in [each for name, each in sorted(sys.modules.items()) if name.split(".")[0] in ("jax", "jaxlib") and each]:
            for value in list(vars(module).values()):
                if isinstance(value, core.Primitive):
                    self.primitives.setdefault(value.name, value)
                    self.same.setdefault(value.name, {})[value] = None
                    self.own.add(value)
                elif isinstance(value, type) and str(getattr(value, "__module__", "")).split(".")[0] in ("jax", "jaxlib", "builtins"):
                    found = self.classes.setdefault(value.__name__, [])
                    if value not in found:
                        found.append(value)

    def grow(self):
        """Imports the modules of `lazy`, which `import jax` does not import; False if that was done before."""
        if self.everything:
            return False
        self.everything = True
        for name in self.lazy:
            try:
                importlib.import_module(name)
            except Exception:  # this version or platform does not have the module
                pass
        self.scan()
        return True

    def primitive(self, name):
        """The primitive of that name: of JAX, or of any other object in memory; None if there is none."""
        if name in self.primitives or self.grow() and name in self.primitives:
            return self.primitives[name]
        within = re.fullmatch(r"vjp_node\[(.+)\]", name)
        if within and self.names.has("vjp_node") and within.group(1) in self.primitives:
            self.primitives[name] = self.names.vjp_node(self.primitives[within.group(1)])
            self.own.add(self.primitives[name])
            return self.primitives[name]
        for each in gc.get_objects():
            if isinstance(each, self.names.core.Primitive) and not getattr(each, "uninterpreted", False):  # a placeholder of another program
                self.primitives.setdefault(each.name, each)
        return self.primitives.get(name)

    def found(self, name, wanted):
        """The classes of that name for which `wanted` holds."""
        out = [each for each in self.classes.get(name, ()) if wanted(each)]
        if not out and self.grow():
            out = [each for each in self.classes.get(name, ()) if wanted(each)]
        return out

    def member(self, text):
        """The member of an enum with that name, such as `GatherScatterMode.CLIP` or a bare `CLIP`; None if there is none."""
        head, _, tail = text.rpartition(".")
        if head:
            for each in self.found(head.rsplit(".", 1)[-1], lambda cls: hasattr(cls, tail)):
                value = getattr(each, tail)
                if issubclass(each, enum.Enum) or type(value) is each:
                    return value
            return None
        for classes in self.classes.values():
            for each in classes:
                if issubclass(each, enum.Enum) and hasattr(each, "__members__"):
                    for value in each.__members__.values():
                        if str(value) == text:
                            return value
        return self.native(text)

    def native(self, text):
        """The member of that name of an enum written in C++, which may print as the bare word; None if there is none."""
        for classes in self.classes.values():
            for each in classes:
                members = getattr(each, "__members__", None)
                if isinstance(members, dict) and text in members:
                    return members[text]
        return None

    def records(self, name):
        """The classes of that name that are named tuples, data classes, or listed in RECORDS."""
        return self.found(name, lambda cls: name in RECORDS or dataclasses.is_dataclass(cls) or issubclass(cls, tuple) and hasattr(cls, "_fields"))

    def hi(self, name):
        """The class of a class-named primitive; None if there is none."""
        if not self.names.has("HiPrim"):
            return None
        base = self.names.HiPrim
        self.found(name, lambda cls: issubclass(cls, base))
        pending = list(base.__subclasses__())
        while pending:
            each = pending.pop()
            if each.__name__ == name:
                return each
            pending += each.__subclasses__()
        return None

    def effect(self, text):
        """The effect that prints as `text`; None if there is none."""
        base = self.names.Effect
        self.grow()
        for each in gc.get_objects():
            if isinstance(each, base) and not isinstance(each, type):
                try:
                    if str(each) == text:
                        return each
                except Exception:  # printing another library's effect fails
                    pass
        return None

    def dtype(self, text):
        """The dtype of that name; None if there is none."""
        if text in ("float0", "void"):  # as older versions print it
            return self.names.dtypes.float0
        try:
            return np.dtype(self.names.jax.numpy.dtype(text))
        except TypeError:
            return None
