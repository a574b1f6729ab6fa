# SPDX-License-Identifier: Apache-2.0
"""Builds live programs of JAX from the output of `jaxpr json`: types, literals, equations, nested programs.

There is no list of supported primitives: an equation gets the primitive of its name, parameters built by parameters.py, and the
effects that the primitive's own typing rule returns. Linear in the text, apart from what JAX does.
"""

import contextlib
import inspect
import math
import re
from typing import NamedTuple

import numpy as np

from .._errors import Missing, NotLoadable
from . import hi, indexers, rules
from .fields import printed_meshes, sharded, symbols, type_fields, unreduced_kind, vary_axes, varying, walk
from .parameters import Opaque, Parameters, Unbuildable
from .registry import Registry
from .scope import Placeholder, Scope, Unknown, only_value, scalar
from .versions import BOUND, KEYS, LAZY, OMITTED, OMITTED_WHERE_NONE, OPEN, PRINTED_AS, RENAMED, TEXT, Names


class Options(NamedTuple):
    consts: object = None
    mesh: object = None
    axis_env: dict = {}
    rules: dict = {}
    exported: tuple = ()
    outs: tuple = ()  # the expected types of results, for those that the text prints without a type
    sizes: dict = {}  # numbers for symbols in types
    unknown: bool = False  # whether constants remain placeholders even if their values can be found


class Equation:
    """What is known about an equation while its parameters are built; ins and outs are types."""

    def __init__(self, names, field):
        self.names, self.name, self.field = names, field["primitive"], field
        self.key = ""  # the parameter whose programs are being built
        self.rules, self.named_rules = {}, {}  # rules of its derivative by parameter: those given, and the text of others
        self.ins, self.outs, self.unknown, self.foreign, self.primitive, self.line = [], [], False, False, None, field.get("line") or 0

    def sharding(self):
        """The sharding of the first result if its type has an explicit one, else None."""
        found = getattr(self.outs[0], "sharding", None) if self.outs else None
        mesh = getattr(found, "mesh", None)
        return None if mesh is None or getattr(mesh, "empty", True) or not getattr(mesh, "_any_axis_explicit", True) else found


class Builder:
    """Builds the programs of one text; `missing` lists what it does not contain."""

    TEXT, KEYS = TEXT, KEYS

    def __init__(self, field, options, names=None):
        self.names = names or Names()
        self.options, self.field, self.missing = options, field, []
        self.registry = registry(self.names)
        self.shared = [{each["name"]: each["jaxpr"] for each in field["shared"]}]
        self.built, self.avals, self.meshes, self.scopes, self.checks, self.constant_types = {}, {}, [], None, [], {}
        self.place = (1, "")  # the line and primitive of the equation that is being built
        self.restored = {}  # rules of derivatives, and constants, by the text of their equation
        self.unclear, self.programs = {}, []  # by id of a program: its results that may read one of several variables `_`
        self.parameters = Parameters(self)
        self.source_info = self.names.source_info.new_source_info()
        self.symbols = symbols(field)
        self.mesh_of_text()

    # ---- what the text omits

    def report(self, eqn, key, what, hint, assumed=False):
        self.missing.append(Unknown(eqn.line if eqn else 1, eqn.name if eqn else "", key or "", what, hint, assumed))

    # ---- meshes

    def devices(self, count):
        try:
            found = self.names.jax.devices()
        except RuntimeError:
            return None
        return found[:count] if len(found) >= count else None

    def axis_types(self, kinds):
        found = getattr(self.names.mesh, "AxisType", None) or getattr(self.names.mesh, "AxisTypes", None)
        return tuple(getattr(found, each, None) or getattr(found, each.capitalize()) for each in kinds) if found and kinds else None

    def abstract_mesh(self, sizes, kinds, device=None):
        kind, types = self.names.mesh.AbstractMesh, self.axis_types(kinds)
        first = list(inspect.signature(kind).parameters)[0]
        if first == "shape_tuple":
            return kind(tuple(sizes.items()))
        more = {"axis_types": types} if types else {}
        if device is not None and device.get("device_kind") is not None and "abstract_device" in inspect.signature(kind).parameters:
            known = inspect.signature(self.names.mesh.AbstractDevice).parameters
            more["abstract_device"] = self.names.mesh.AbstractDevice(**{key: getattr(device.get(key), "text", device.get(key)) for key in known})
        return kind(tuple(sizes.values()), tuple(sizes), **more)

    def concrete_mesh(self, sizes, kinds):
        """The given mesh if it has these sizes, else a mesh of the first devices, or an abstract one if there are too few."""
        given = self.options.mesh
        if given is not None and dict(given.shape) == sizes:
            return given
        devices = self.devices(math.prod(sizes.values()))
        if devices is None:
            hint = "pass mesh=, or start JAX with more devices (XLA_FLAGS=--xla_force_host_platform_device_count=N)"
            self.missing.append(Unknown(1, "", "mesh", f"a mesh {sizes} needs {math.prod(sizes.values())} devices", hint, False))
            return self.abstract_mesh(sizes, kinds)
        mesh = self.names.jax.sharding.Mesh
        types, shaped = self.axis_types(kinds), np.array(devices).reshape(tuple(sizes.values()))
        if not sizes and hasattr(self.names.mesh, "empty_concrete_mesh"):
            return self.names.mesh.empty_concrete_mesh
        return mesh(shaped, tuple(sizes), axis_types=types) if types and "axis_types" in inspect.signature(mesh.__new__).parameters else mesh(shaped, tuple(sizes))

    def mesh_of_text(self):
        """Sets the mesh whose axes the types of the whole program name; axes whose sizes the text does not show have size 1."""
        self.mesh, self.open_axes, self.axis_env, self.inside = self.options.mesh, (), self.options.axis_env, False
        given = self.mesh
        if given is not None:
            self.meshes.append(getattr(given, "abstract_mesh", given))
            return
        axes, manual = tuple(sorted(sharded(self.field))), sorted(varying(self.field))
        if manual and not axes and "sharding" in self.aval_parameters():
            self.open_axes = tuple(manual)
            self.axis_env, self.inside = {**dict.fromkeys(manual, 1), **self.axis_env}, True
            self.meshes.append(self.abstract_mesh({each: self.axis_env[each] for each in manual}, ["Manual"] * len(manual)))
            return
        if not axes:
            self.meshes.append(None)
            return
        for value in printed_meshes(self.field):
            sizes, kinds = self.parameters.mesh_parts(value)
            if set(axes) <= set(sizes):
                self.meshes.append(self.mesh_of_types(sizes, ["Explicit" if each != "Manual" else each for each in kinds]))
                return
        self.open_axes = axes
        self.meshes.append(self.mesh_of_types(dict.fromkeys(axes, 1), ["Explicit"] * len(axes)))

    def mesh_of_types(self, sizes, kinds):
        """Sets `mesh` to a concrete mesh, and returns the abstract mesh for types."""
        self.mesh = made = self.concrete_mesh(sizes, kinds)
        return getattr(made, "abstract_mesh", made)

    # ---- types

    def aval_of_text(self, text):
        """The type printed as `text`."""
        key = (text, self.meshes[-1])
        if key not in self.avals:
            self.avals[key] = self.aval(type_fields(text))
        return self.avals[key]

    def aval(self, field):
        text = field.get("type")
        if text is None:
            raise Unbuildable("a binder without a type")
        key = (text, self.meshes[-1])
        if key not in self.avals:
            self.avals[key] = self.new_aval(field, text)
        return self.avals[key]

    def variable(self, aval):
        """A new variable of a type."""
        core = self.names.core
        if self.names.version >= (0, 7, 2):
            return core.Var(aval)
        self.count = getattr(self, "count", -1) + 1
        return core.Var("", aval) if "suffix" in inspect.signature(core.Var.__init__).parameters else core.Var(aval)

    def new_aval(self, field, text):
        core = self.names.core
        if text == "Tok":
            return core.abstract_token
        if field.get("dtype") is None:
            raise Unbuildable(f"type {text}")
        dtype, shape = self.dtype(field["dtype"]), tuple(each if isinstance(each, int) else self.dimension(each) for each in field["shape"])
        more = {}
        mesh = self.meshes[-1]
        spec = field.get("sharding") or ()
        if mesh is not None and not getattr(mesh, "empty", False) and "sharding" in self.aval_parameters():
            parts = [self.axes_of(each) for each in spec] or [None] * len(shape)
            manual = frozenset(getattr(mesh, "manual_axes", ()))
            kinds = {key: vary_axes(field.get("vary"), letter) - manual for key, letter in (("unreduced", "U"), ("reduced", "R"))}
            kinds = {key: axes for key, axes in kinds.items() if axes}
            if "unreduced" in kinds:
                kinds.update(self.unreduced_kind(field.get("vary")))
            pspec = self.names.jax.sharding.PartitionSpec(*parts, **kinds)
            more["sharding"] = self.names.NamedSharding(mesh, pspec)
            self.vary(field.get("vary"), more, manual)
        elif field.get("vary"):
            raise Unbuildable(f"the mesh of type {text}")
        space = field.get("space")
        if space and not field.get("ref"):
            more["memory_space"] = self.space(space, getattr(core, "MemorySpace", None))
        made = core.ShapedArray(shape, dtype, **more)
        if not field.get("ref"):
            return made
        return self.names.new_ref(made, *([self.space(space)] if space else []))

    def aval_parameters(self):
        kind = self.names.core.ShapedArray
        return max((inspect.signature(each).parameters for each in (kind.__new__, kind.__init__)), key=len)  # JAX 0.10 moved them to `__new__`

    def vary(self, text, more, manual):
        varying, reduced, unreduced = (vary_axes(text, each) & manual for each in "VRU")
        known = self.aval_parameters()
        if "manual_axis_type" in known:
            if varying or reduced or unreduced:
                more["manual_axis_type"] = self.names.core.ManualAxisType(varying=varying, reduced=reduced, unreduced=unreduced,
                                                                           **(self.unreduced_kind(text) if unreduced else {}))  # fmt: skip
        elif varying and "vma" in known:
            more["vma"] = varying
        elif varying:
            raise Unbuildable("varying axes")

    def unreduced_kind(self, text):
        """The argument of ManualAxisType for the kind of reduction that a type prints, such as `U_min`; empty for others."""
        word = unreduced_kind(text)
        return {"unreduced_kind": self.names.jax.sharding.UnreducedKind[word]} if word else {}

    @staticmethod
    def axes_of(text):
        if text is None:
            return None
        found = tuple(each.strip() for each in text.strip("()").split(",") if each.strip())
        return found if text.startswith("(") else found[0]

    def dtype(self, text):
        if text.startswith("key<"):
            return self.key_dtype(text[4:-1])
        found = self.registry.dtype(text)
        if found is not None:
            return found
        base = self.names.dtypes.ExtendedDType
        self.registry.grow()
        for classes in self.registry.classes.values():
            for each in classes:
                if issubclass(each, base) and getattr(each, "name", None) == text:
                    return each()
        raise Unbuildable(f"dtype {text}")

    def key_dtype(self, tag):
        jax = self.names.jax
        if tag not in KEYS:
            raise Unbuildable(f"key type {tag}")
        return jax.eval_shape(lambda: jax.random.key(0, impl=KEYS[tag])).dtype

    def key_impl(self, tag):
        return self.key_dtype(tag)._impl

    def space(self, text, first=None):
        """The memory space of that name: a member of the enum `first` if it has one, else of the enums of kernels."""
        if text == "None":
            return None
        for member in getattr(first, "__members__", {}).values():
            if text in (str(member), member.name.lower()):
                return member
        for name in ("MemorySpace", "TPUMemorySpace", "GPUMemorySpace", "CoreMemorySpace"):
            for each in self.registry.found(name, lambda cls: hasattr(cls, "__members__")) + (self.registry.grow() and self.registry.found(name, lambda cls: hasattr(cls, "__members__")) or []):
                for member in each.__members__.values():
                    if text in (str(member), member.name.lower()):
                        return member
        raise Unbuildable(f"memory space {text}")

    def dimension(self, text):
        """A symbolic size; all sizes of a text have the same scope."""
        if re.fullmatch(r"-?\d+", text):
            return int(text)
        if self.scopes is None:
            self.scopes = self.names.SymbolicScope()
        size = self.names.symbolic_shape(text, scope=self.scopes)[0]
        return int(size._evaluate(self.options.sizes)) if self.options.sizes and not isinstance(size, int) else size

    # ---- programs

    @contextlib.contextmanager
    def context(self):
        """The context in which JAX's rules for equations of the whole program run: the mesh of types, named axes, and whether
        varying axes are checked."""
        with self.names.use_mesh(self.meshes[0]), self.names.axes(self.axis_env):
            with self.names.check_vma(True) if self.inside and self.names.has("check_vma") else contextlib.nullcontext():
                yield

    def whole(self):
        """The live program of the text, with constants where JAX keeps them."""
        with self.context():
            return self.guarded(lambda: self.program(self.field["jaxpr"], None, consts=self.options.consts, top=True))

    def named(self, name, eqn):
        for depth in range(len(self.shared) - 1, -1, -1):
            if name in self.shared[depth]:
                key = (depth, id(self.shared[depth]), name)
                if key not in self.built:
                    hold, self.shared = self.shared, self.shared[: depth + 1]
                    self.built[key] = self.program(self.shared[depth][name], eqn)
                    self.shared = hold
                return self.built[key]
        raise NotLoadable(f"line {eqn.line}: no program is called {name}")

    def nested(self, field, eqn):
        if "equations" in field:
            return self.program(field, eqn)
        if isinstance(field["shared"], list):
            self.shared.append({each["name"]: each["jaxpr"] for each in field["shared"]})
            self.programs.append(self.shared[-1])  # kept, as its id is a key of `built`
            try:
                return self.program(field["jaxpr"], eqn)
            finally:
                self.shared.pop()
        return self.named(field["shared"], eqn)

    def program(self, field, parent, consts=None, top=False):
        core = self.names.core
        scope = Scope(self, field, parent)
        constvars = [scope.bind(each) for each in field["constvars"]]
        invars = [scope.bind(each) for each in field["invars"]]
        eqns = [self.equation(each, scope) for each in field["equations"]]
        self.place = max(self.place[0], field.get("line") or 1), ""
        outvars = scope.results(field["outvars"], self.options.outs if parent is None else hi.result_avals(parent, parent.key))
        before = len(self.missing)
        held = self.constants(field, constvars, consts, top)
        try:
            effects = self.names.partial_eval.make_jaxpr_effects(constvars, invars, outvars, eqns)
        except (ValueError, AttributeError):
            effects = {each for eqn in eqns for each in eqn.effects}
        name = parent.field["params"].get("name") if parent and isinstance(parent.field["params"].get("name"), str) else "loaded"
        info = self.names.debug_info(name, len(invars), len(outvars))

        def closed(values):
            if self.names.one_class:
                return core.Jaxpr(constvars, invars, outvars, eqns, effects, info, is_high=any(map(high, eqns)), consts=values)
            return core.ClosedJaxpr(core.Jaxpr(constvars, invars, outvars, eqns, effects, info), values)

        made = closed(held)
        if len(self.missing) > before and not self.options.unknown:
            made = self.with_restored(parent, made, closed, held, before)
        opened = getattr(made, "jaxpr", made)
        if scope.unclear:
            self.programs.append(opened)  # kept, as its id is
            self.unclear[id(opened)] = scope.unclear
        return made

    def with_restored(self, parent, made, closed, held, before):
        """The program with the constants of a module's function that traces to it, or unchanged if there is none; `missing` had
        `before` items before the constants of the program."""
        found = rules.constants(self, parent, made)
        if found is None:
            return made
        for unknown in self.missing[before:]:
            self.constant_types.pop(unknown.parameter, None)
        del self.missing[before:]
        return closed([theirs if isinstance(mine, Placeholder) else mine for mine, theirs in zip(held, found)])

    def constants(self, field, constvars, given, top):
        """Values for the constants of a program: the given ones, the only value of a type that has one, or placeholders."""
        out, by_name = [], given if isinstance(given, dict) else {}
        listed = list(given) if given is not None and not isinstance(given, dict) else None
        names = list(map(printed_name, field["constvars"]))
        if listed is not None and len(listed) != len(names):
            raise NotLoadable(f"{len(listed)} constants were given, and the program has {len(names)}: {', '.join(names) or 'none'}")
        if not top:
            by_name, listed = self.options.consts if isinstance(self.options.consts, dict) else {}, None
        for unknown in set(by_name) - {printed_name(each) for one in walk(self.field) for each in one.get("constvars", ())} if top else ():
            raise NotLoadable(f"no constant is called {unknown}; the program has {', '.join(names) or 'none'}")
        for at, (name, var) in enumerate(zip(names, constvars)):
            if listed is not None or name in by_name:
                out.append(self.checked(name, listed[at] if listed is not None else by_name[name], var.aval))
                continue
            value = None if self.options.unknown else only_value(self, var.aval)
            if value is not None:
                out.append(value)
                continue
            self.constant_types[name] = var.aval
            line, text = field.get("line", 1), f"the constant {name} of type {var.aval.str_short(True)}"
            self.missing.append(Unknown(line, "", name, text, "pass consts= to load", False))
            out.append(Placeholder(var.aval, text, "pass consts= to load", name) if hasattr(var.aval, "dtype") else None)
        return out

    def checked(self, name, value, aval):
        if not hasattr(value, "dtype"):
            value = np.asarray(value, getattr(aval, "dtype", None))
        if tuple(np.shape(value)) != tuple(aval.shape) or value.dtype != aval.dtype:
            raise NotLoadable(f"the constant {name} must be {aval.str_short(True)}, but {value.dtype}{list(np.shape(value))} was given")
        return value

    # ---- equations

    def equation(self, field, scope):
        eqn = Equation(self.names, field)
        self.place = eqn.line, eqn.name
        try:
            return self.build(eqn, field, scope)
        except (NotLoadable, RecursionError):
            raise
        except Unbuildable as error:
            raise NotLoadable(f"line {eqn.line}: {eqn.name}: {error}") from error
        except Exception as error:  # whatever classes of JAX raise
            raise NotLoadable(f"line {eqn.line}: {eqn.name}: {type(error).__name__}: {error}") from error

    def guarded(self, make):
        """What `make` returns; raises NotLoadable if it fails."""
        try:
            return make()
        except (NotLoadable, RecursionError):
            raise
        except Unbuildable as error:
            raise NotLoadable(str(error)) from error
        except Exception as error:  # whatever classes of JAX raise
            raise NotLoadable(f"{type(error).__name__}: {error}") from error

    def build(self, eqn, field, scope):
        form = field.get("form")
        if form == "ellipsis":
            raise Unbuildable("`...` in place of equations")
        eqn.primitive, eqn.hi = self.primitive(eqn)
        atoms = [scope.read(each) for each in field["invars"]]
        printed = [self.aval(each) if each.get("type") is not None else None for each in field["outvars"]]
        eqn.ins, eqn.outs = [getattr(each, "aval", None) for each in atoms], printed
        if form:
            params, atoms = indexers.access(self, eqn, field, atoms, scope)
            eqn.ins = [each.aval for each in atoms]
        else:
            params = self.params(eqn, field, atoms)
            atoms = scope.typed(atoms, params, eqn)
            eqn.ins = [each.aval for each in atoms]
        primitive = eqn.primitive
        if eqn.name == "dim_as_value" and self.options.sizes:  # JAX cannot evaluate it
            primitive = self.registry.primitive("convert_element_type")
            atoms = [scalar(self, params["dim"], str(params["dim"]), eqn.outs[0])]
            params = {"new_dtype": eqn.outs[0].dtype, "weak_type": False, "sharding": None}
        elif eqn.hi is not None:
            primitive, params = hi.build(self, eqn, params)
        elif primitive is None:
            primitive = self.unknown_primitive(eqn)
        refused = len(self.checks)
        avals, effects, params = self.infer(eqn, primitive, atoms, params)
        if eqn.foreign and not eqn.unknown and len(self.checks) > refused:  # a library's rule rejects text in place of objects
            del self.checks[refused:]
            primitive = self.unknown_primitive(eqn, "its parameters are Python objects that the text only names", "")
        outs = [scope.bind(each, aval) for each, aval in zip(field["outvars"], avals)]
        return self.names.core.new_jaxpr_eqn(atoms, outs, primitive, params, effects, self.source_info)

    def primitive(self, eqn):
        found = self.registry.primitive(eqn.name)
        for other in RENAMED.get(eqn.name, ()) if found is None else ():
            found = found or self.registry.primitive(other)
        found = self.fitting(eqn, found)
        if found is None and "-" not in eqn.name:
            made = self.registry.hi(eqn.name)
            if made is not None:
                return None, made
        eqn.unknown = found is None
        eqn.foreign = found is None or found not in self.registry.own
        return found, None

    def fitting(self, eqn, found):
        """The primitive `found`, or another one with this name or a name of it in other versions, if the text lacks fewer of the
        parameters that its rules require."""
        lacks = lambda each: len(hi.wanted(self, each) - set(eqn.field["params"]))
        if found is None or found not in self.registry.own or not lacks(found):
            return found
        self.registry.grow()
        names = eqn.name, *RENAMED.get(eqn.name, ())
        return min([found, *(each for name in names for each in self.registry.same.get(name, ()))], key=lacks)

    def known(self, eqn):
        """The functions of modules that may be the one that an equation calls; see rules.known."""
        return rules.known(self, eqn)

    def unknown_primitive(self, eqn, what="the installed JAX does not define this primitive", hint="import the module that defines it"):
        """A placeholder for a primitive that the installed JAX does not define: it has the printed types, and raises if it runs."""
        primitive = self.names.core.Primitive(eqn.name)
        primitive.multiple_results = primitive.uninterpreted = True
        outs, name = list(eqn.outs), eqn.name
        if any(each is None for each in outs):
            raise Unbuildable("an unknown primitive whose results have no types")
        primitive.def_abstract_eval(lambda *_, **__: outs)

        def run(*_, **__):
            raise Missing(f"the primitive {name} cannot run: {what}")

        primitive.def_impl(run)
        self.report(eqn, "", what, hint)
        return primitive

    def params(self, eqn, field, atoms):
        """Parameters as objects: those with programs last, since types in programs depend on the meshes in the others."""
        out, programs = {}, {}
        for key, value in field["params"].items():
            if isinstance(value, str):
                out[key] = self.parameter(eqn, key, value)
            elif value == []:
                out[key] = ()
            else:
                programs[key] = value
        with hi.inside(self, eqn, out):
            for key, value in programs.items():
                out[key] = self.holding(eqn, key, value)
        out = {**{key: out[key] for key in BOUND.get(eqn.name, ()) if key in out}, **out}
        if eqn.unknown or eqn.hi is not None:
            return out
        out = {PRINTED_AS.get((eqn.name, key), key): value for key, value in out.items()}
        for (primitive, key), value in OMITTED.items():
            same = primitive in ("*", "jit" if eqn.name == "pjit" else eqn.name)
            if same and key not in out and (self.names.omits(eqn.primitive, key) or (primitive, key) in OMITTED_WHERE_NONE):
                out[key] = value(eqn) if callable(value) else value
        return hi.finish(self, eqn, out, atoms)

    def parameter(self, eqn, key, text):
        try:
            return self.parameters.value(eqn, key, text)
        except Unbuildable as error:
            if eqn.unknown:
                return Opaque(text, "")
            self.report(eqn, key, f"{key}={text} cannot be built: {error}", "")
            return Opaque(text, f"{error}")

    def holding(self, eqn, key, value):
        """A parameter with programs."""
        close, eqn.key = lambda program: self.opened(eqn, key, program), key
        if isinstance(value, list):
            return tuple(close(self.nested(each, eqn)) for each in value)
        if "pieces" in value:
            return hi.pieces(self, eqn, key, [each if isinstance(each, str) else close(self.nested(each, eqn)) for each in value["pieces"]])
        return close(self.nested(value, eqn))

    def opened(self, eqn, key, program):
        if self.names.one_class or not {(eqn.name, key), ("*", key)} & OPEN:
            return program
        return program.jaxpr

    def infer(self, eqn, primitive, atoms, params):
        """The types of the results, the effects, and the parameters, by JAX's own rule; parameters that it requires are added, and
        those that it does not have removed."""
        typecheck = self.names.core.custom_typechecks.get(primitive)
        for _ in range(8):
            try:
                if typecheck is not None:
                    avals, effects = typecheck(lambda: (None, None), *(atoms if self.names.version >= (0, 4, 30) else atoms), **params)
                else:
                    avals, effects = primitive.abstract_eval(*(each.aval for each in atoms), **params)
                    avals = avals if primitive.multiple_results else [avals]
                break
            except TypeError as error:
                if not hi.repaired(self, eqn, params, str(error)):
                    return self.trusted(eqn, error, params)
            except KeyError as error:
                if not hi.repaired(self, eqn, params, f"missing 1 required keyword-only argument: {error}"):
                    return self.trusted(eqn, error, params)
            except Exception as error:  # whatever JAX's rules raise
                return self.trusted(eqn, error, params)
        avals = list(avals)
        if len(avals) != len(eqn.field["outvars"]):
            return self.trusted(eqn, f"{len(avals)} results instead of {len(eqn.field['outvars'])}", params)
        for aval, printed in zip(avals, eqn.outs):
            if printed is not None and aval.str_short(True) != printed.str_short(True):
                return self.trusted(eqn, f"a result of type {aval.str_short(True)} instead of {printed.str_short(True)}", params)
        return avals, effects, params

    def trusted(self, eqn, error, params):
        """The printed types, for an equation that JAX's rule rejects, as check_jaxpr will, too; records the error in `checks`."""
        if any(each is None for each in eqn.outs):
            raise Unbuildable(f"{type(error).__name__}: {error}" if isinstance(error, Exception) else error)
        said = re.sub(r"\s+", " ", str(error))[:300]
        self.checks.append(f"line {eqn.line}: {eqn.name}: {type(error).__name__ + ': ' if isinstance(error, Exception) else ''}{said}")
        return eqn.outs, set(), params


def printed_name(var):
    """The name of a constant in the user's text."""
    return var.get("printed", var["name"])


def high(eqn):
    """Whether an equation must be expanded before it is compiled."""
    try:
        return eqn.primitive.is_high(*(each.aval for each in eqn.invars), **eqn.params)
    except (AttributeError, KeyError, TypeError):  # it has parameters of another version
        return False


REGISTRIES = {}


def registry(names):
    """The registry of the installed JAX, created once."""
    if names.jax not in REGISTRIES:
        names.core.pytype_aval_mappings[Placeholder] = lambda each: each.aval
        REGISTRIES[names.jax] = Registry(names, LAZY)
    return REGISTRIES[names.jax]
