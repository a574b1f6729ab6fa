# SPDX-License-Identifier: Apache-2.0
"""Readable JAX source that traces to an equal program.

An equation becomes a call of a function of `lax` if tracing that call gives the same equation, and binds the primitive otherwise.
Nested programs become functions. A function or primitive that the text only names becomes a placeholder, which prints the same
and raises when it is used, and a constant becomes a deleted array, which has a type and raises when it is read; NotLoadable
names what has no source form.
"""

import inspect
import keyword
import re

import numpy as np

from .hi import manual_mesh
from .parameters import Opaque
from .source_values import Values
from .versions import CALLED
from .weak import weak

# classes and functions that the written source may contain, by name
PLACEHOLDERS = {
    "NotInText": """class NotInText:
    \"\"\"A function that is not in the text: prints as in the text, and raises when it is called.\"\"\"

    def __init__(self, text):
        self.text = self.__name__ = self.__qualname__ = text

    def __repr__(self):
        return self.text

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"{self.text} is not in the text")
""",
    "undefined": """def undefined(name, *results):
    \"\"\"A primitive that this JAX does not define, with results of these types: it can be traced, but not run.\"\"\"
    made = Primitive(name)
    made.multiple_results = made.uninterpreted = True
    made.def_abstract_eval(lambda *_, **__: list(results))
    return made
""",
    "on_grid": """def on_grid(grid, trace):
    \"\"\"The result of `trace`, called as inside a kernel with that grid.\"\"\"
    with tracing_grid_env(grid, ()):
        return trace()
""",
    "deleted": """def deleted(array):
    \"\"\"An array that is not in the text: it has the type of `array`, and raises when it is read.\"\"\"
    array.delete()
    return array
""",
}
TAKEN = {"jax", "jnp", "lax", "np", "program", "ARGUMENTS", "MESH", "SIZES", *PLACEHOLDERS} | set(keyword.kwlist)


def letters(at):
    """The name with index `at`: `a`, `b`, .. `z`, `aa`."""
    out = ""
    while True:
        out = chr(97 + at % 26) + out
        at = at // 26 - 1
        if at < 0:
            return out


class Writer(Values):
    """Writes the source of one loaded program."""

    def __init__(self, loaded):
        super().__init__(loaded)
        self.functions, self.given, self.count, self.grids = {}, {}, 0, []

    def fresh(self):
        while True:
            name = letters(self.count)
            self.count += 1
            if name not in TAKEN:
                return name

    def function(self, jaxpr, name, indent):
        """The lines of a function that computes a program; functions defined inside it are not used outside."""
        opened, env, outer = getattr(jaxpr, "jaxpr", jaxpr), {}, self.given
        self.given = dict(outer)
        args = [self.fresh() for _ in opened.invars]
        env.update({id(var): arg for var, arg in zip(opened.invars, args)})
        env.update({id(var): self.constant(var.aval, value) for var, value in zip(opened.constvars, getattr(jaxpr, "consts", ()))})
        lines = [f"{indent}def {name}({', '.join(args)}):"]
        inner = indent + "    "
        for eqn in opened.eqns:
            lines += self.equation(eqn, env, inner)
        self.given = outer
        outs = ", ".join(self.read(each, env, "a result") for each in opened.outvars)
        lines.append(f"{inner}return ({outs}{',' if len(opened.outvars) == 1 else ''})")
        return lines

    def read(self, atom, env, where):
        return self.literal(atom, where) if hasattr(atom, "val") else env[id(atom)]

    def named(self, word):
        """A unique name for a function, made from `word`."""
        base = re.sub(r"\W+", "_", word).strip("_") or "f"
        base = base if not base[0].isdigit() and base not in TAKEN and not re.fullmatch(r"[a-z]{1,3}", base) else "f_" + base
        self.functions[base] = self.functions.get(base, 0) + 1
        return base if self.functions[base] == 1 else f"{base}_{self.functions[base]}"

    def shapes(self, jaxpr, where):
        """The source of the types of a program's arguments, for make_jaxpr."""
        weakly = set(weak(jaxpr))
        return [self.shape(each, where, at in weakly) for at, each in enumerate(jaxpr.in_avals)]

    def shape(self, aval, where, weakly=False):
        """The source of an argument's type for make_jaxpr."""
        if self.spaced(aval):
            return self.value(aval, where, "type")
        if type(aval) is not self.loaded.names.core.ShapedArray or getattr(getattr(aval, "vma", None), "__len__", int)():
            self.refuse(where, f"an argument of type {aval.str_short(True)} has no source form")
        sizes = ", ".join(str(each) if isinstance(each, (int, np.integer)) else f"SIZES[{str(each)!r}]" for each in aval.shape)
        shape = f"({sizes}{',' if len(aval.shape) == 1 else ''})"
        self.sizes.update(str(each) for each in aval.shape if not isinstance(each, (int, np.integer)))
        jax = self.jax
        if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
            return f"jax.eval_shape(lambda: {self.keys(aval)})"
        if not isinstance(aval.dtype, np.dtype):
            self.refuse(where, f"an argument of type {aval.str_short(True)} has no source form")
        weak = ", weak_type=True" if weakly else ""
        if not self.sharded(aval):
            return f"jax.ShapeDtypeStruct({shape}, {self.value(aval.dtype, where, 'dtype')}{weak})"
        if self.loaded.mesh is None or any(each.name == "Manual" for each in aval.sharding.mesh.axis_types):
            self.refuse(where, f"an argument of type {aval.str_short(True)} has no source form")
        sharding = f"jax.sharding.NamedSharding({self.mesh(self.loaded.mesh)}, {self.value(aval.sharding.spec, where, 'sharding')})"
        return f"jax.ShapeDtypeStruct({shape}, {self.value(aval.dtype, where, 'dtype')}, sharding={sharding}{weak})"

    def spaced(self, aval):
        """Whether a type is a ref or has a memory space, so that a shape and an element type do not describe it."""
        names = self.loaded.names
        plain = getattr(names.core.ShapedArray((), np.dtype("float32")), "memory_space", None)
        return isinstance(aval, names.AbstractRef) or getattr(aval, "memory_space", plain) != plain and not self.sharded(aval)

    def program_value(self, jaxpr, where):
        """The source of a nested program as a value: a trace of a function, which is written before."""
        if not hasattr(jaxpr, "in_avals"):
            jaxpr = self.loaded.names.core.ClosedJaxpr(jaxpr, ())
            return self.program_value(jaxpr, where) + ".jaxpr"
        key = id(jaxpr)
        if key not in self.given:
            name = self.named("body")
            self.before += self.function(jaxpr, name, self.indent)
            made = f"jax.make_jaxpr({name})({', '.join(self.shapes(jaxpr, where))})"
            self.given[key] = (jaxpr, f"on_grid({self.grids[-1]}, lambda: {made})" if self.grids else made)
        return self.given[key][1]

    def equation(self, eqn, env, indent):
        where = eqn.primitive.name
        ins = [self.read(each, env, where) for each in eqn.invars]
        hold = getattr(self, "before", None), getattr(self, "indent", None)
        self.before, self.indent = [], indent
        try:
            special = getattr(self, "write_" + where.replace("-", "_"), None)
            call, several = special(eqn, ins, env) if special else self.call(eqn, ins, where)
            lines = self.before
        finally:
            self.before, self.indent = hold
        outs = [self.fresh() for _ in eqn.outvars]
        env.update({id(var): name for var, name in zip(eqn.outvars, outs)})
        left = "" if not outs else f"{outs[0]}, = " if len(outs) == 1 and several else f"{', '.join(outs)} = "
        return lines + [f"{indent}{left}{call}"]

    def placeholder(self, eqn, ins, where):
        """A call of a primitive that JAX does not define; a parameter of which only the text is known is passed as that text."""
        self.placeholders.add("undefined")
        self.imports["Primitive"] = "from jax.extend.core import Primitive"
        results = "".join(", " + self.value(each.aval, where, "a result") for each in eqn.outvars)
        of = lambda key, each: repr(each.text) if isinstance(each, Opaque) else self.value(each, where, key)
        named = ", ".join(f"{key!r}: {of(key, each)}" for key, each in eqn.params.items())
        return f"undefined({where!r}{results}).bind({', '.join([*ins, f'**{{{named}}}' if named else ''])})".replace(", )", ")"), True

    def call(self, eqn, ins, where):
        """`lax.name(a, b, key=value)` if tracing this gives the equation, else `name_p.bind(..)`; and whether it returns a list."""
        if getattr(eqn.primitive, "uninterpreted", False):
            return self.placeholder(eqn, ins, where)
        readable = self.readable(eqn)
        if readable is not None:
            named = [f"{key}={self.value(value, where, key)}" for key, value in readable.items()]
            return f"lax.{where}({', '.join(ins + named)})", eqn.primitive.multiple_results
        named = [f"{key}={self.value(value, where, key)}" for key, value in eqn.params.items()]
        return f"{self.primitive(eqn.primitive, where)}.bind({', '.join(ins + named)})", eqn.primitive.multiple_results

    def readable(self, eqn):
        """The keyword arguments with which jax.lax's function of the same name traces to this equation; None if there are none."""
        function = getattr(self.jax.lax, eqn.primitive.name, None)
        if function is None or any(hasattr(each, "eqns") for each in eqn.params.values()) or eqn.primitive.multiple_results:
            return None
        if any(type(each.aval) is not self.loaded.names.core.ShapedArray for each in eqn.invars):
            return None
        try:
            known = inspect.signature(function).parameters
            named = {key: value for key, value in eqn.params.items() if key in known and value is not None and value is not known[key].default}
            shapes = [self.jax.ShapeDtypeStruct(each.aval.shape, each.aval.dtype) for each in eqn.invars]
            fixed = {at: each.val for at, each in enumerate(eqn.invars) if hasattr(each, "val")}
            rest = [each for at, each in enumerate(shapes) if at not in fixed]
            made = self.jax.make_jaxpr(lambda *args: function(*merged(args, fixed, len(shapes)), **named))(*rest)
        except Exception:  # whatever lax rejects
            return None
        made = getattr(made, "jaxpr", made)
        same = len(made.eqns) == 1 and made.eqns[0].primitive is eqn.primitive and made.outvars == list(made.eqns[0].outvars)
        return named if same and alike(made.eqns[0].params, eqn.params) else None

    def write_pallas_call(self, eqn, ins, env):
        """A kernel; its programs are traced with the grid."""
        grid, module = eqn.params["grid_mapping"].grid, self.loaded.names.kernels
        known = hasattr(module, "tracing_grid_env") and all(isinstance(each, int) for each in grid)
        if known:
            self.placeholders.add("on_grid")
            self.import_of(module.__name__, "tracing_grid_env")
            self.grids.append(tuple(grid))
        call = self.call(eqn, ins, "pallas_call")
        if known:
            self.grids.pop()
        return call

    def write_jit(self, eqn, ins, env):
        params = eqn.params
        key = id(params["jaxpr"]), params["name"], tuple(params["donated_invars"]), params.get("keep_unused")
        if key not in self.given:
            made = self.named(params["name"])
            options = [f"donate_argnums={tuple(at for at, each in enumerate(params['donated_invars']) if each)}"] if any(params["donated_invars"]) else []
            options += ["keep_unused=True"] if params.get("keep_unused") else []
            for given in ("in_shardings", "out_shardings"):
                if any(each is not self.loaded.names.UNSPECIFIED for each in params.get(given, ())):
                    options.append(f"{given}={self.value(tuple(params[given]), 'jit', given)}")
            lines = self.function(params["jaxpr"], made, self.indent)
            decorator = f"{self.indent}@jax.jit" if not options else f"{self.indent}@lambda f: jax.jit(f, {', '.join(options)})"
            self.before += [decorator, *lines]
            self.given[key] = (params["jaxpr"], made)
        return f"{self.given[key][1]}({', '.join(ins)})", True

    write_pjit = write_jit

    def write_custom_jvp_call(self, eqn, ins, env):
        jvp = eqn.params.get("jvp_jaxpr_fun")
        zeros = ", symbolic_zeros=True" if eqn.params.get("symbolic_zeros") else ""
        return self.custom(eqn, ins, "jax.custom_jvp", f"defjvp({{}}{zeros})", [jvp])

    def write_custom_vjp_call(self, eqn, ins, env):
        rules = eqn.params.get("fwd_jaxpr_thunk", eqn.params.get("fwd")), eqn.params.get("bwd")
        zeros = ", symbolic_zeros=True" if eqn.params.get("symbolic_zeros") else ""
        return self.custom(eqn, ins, "jax.custom_vjp", f"defvjp({{}}, {{}}{zeros})", rules)

    write_custom_vjp_call_jaxpr = write_custom_vjp_call

    def custom(self, eqn, ins, decorator, define, rules):
        """A call of a function with placeholders for the rules of its derivative."""
        program = next((eqn.params[key] for key in CALLED if hasattr(eqn.params.get(key), "in_avals")), None)
        if program is None or eqn.params.get("num_consts"):
            self.refuse(eqn.primitive.name, "its constants have no source form")
        key = id(program), "custom"
        if key not in self.given:
            made = self.named(self.printed(eqn, "name") or "custom")
            placeholders = [self.missing(Opaque(self.printed_rule(each), "")) for each in rules]
            self.before += [f"{self.indent}@{decorator}", *self.function(program, made, self.indent), f"{self.indent}{made}.{define.format(*placeholders)}"]
            self.given[key] = (program, made)
        return f"{self.given[key][1]}({', '.join(ins)})", True

    @staticmethod
    def printed(eqn, key):
        """A parameter if it is a str, else None."""
        found = eqn.params.get(key)
        return found if isinstance(found, str) else None

    @staticmethod
    def printed_rule(rule):
        """The text of a rule; for a wrapped function, that of the function inside."""
        inner = getattr(rule, "f", rule)
        return getattr(inner, "text", None) or getattr(inner, "__name__", None) or "a rule"

    def write_shard_map(self, eqn, ins, env):
        params, where = eqn.params, "shard_map"
        if not hasattr(self.jax, "shard_map") or "check_vma" not in params:
            return self.call(eqn, ins, where)
        made, value = self.named("shard"), lambda key: self.value(params[key], where, key)
        manual = params.get("newly_manual_axes", params.get("manual_axes"))
        self.inside.append(manual_mesh(self.loaded, params["mesh"], frozenset(manual or params["mesh"].axis_names)))
        self.before += self.function(params["jaxpr"], made, self.indent)
        self.inside.pop()
        axes = "" if manual is None or frozenset(manual) == frozenset(params["mesh"].axis_names) else f", axis_names={set(sorted(manual))!r}"
        check = "" if params["check_vma"] else ", check_vma=False"
        options = f"mesh={value('mesh')}, in_specs={value('in_specs')}, out_specs={value('out_specs')}{axes}{check}"
        return f"jax.shard_map({made}, {options})({', '.join(ins)})", True

    def write_while(self, eqn, ins, env):
        params, where = eqn.params, "while"
        if params["cond_jaxpr"].out_avals[0].shape:
            return self.call(eqn, ins, where)
        tests, bodies = params["cond_nconsts"], params["body_nconsts"]
        if not distinct(params["cond_jaxpr"], ins, tests) or not distinct(params["body_jaxpr"], ins[tests:], bodies):
            return self.call(eqn, ins, where)
        cond, body = self.named("cond"), self.named("body")
        for name, jaxpr, consts in ((cond, params["cond_jaxpr"], ins[:tests]), (body, params["body_jaxpr"], ins[tests : tests + bodies])):
            self.before += self.with_consts(jaxpr, name, consts, "state", where)
        return f"lax.while_loop({cond}, {body}, ({''.join(each + ', ' for each in ins[tests + bodies:])}))", True

    def with_consts(self, jaxpr, name, consts, argument, where):
        """The lines of a function of one tuple, whose program takes `consts` of the enclosing scope as its first arguments."""
        opened = getattr(jaxpr, "jaxpr", jaxpr)
        lines = self.function(jaxpr, name, self.indent)
        args = re.match(r"\s*def \w+\((.*)\):", lines[0]).group(1)
        args = args.split(", ") if args else []
        head = [f"{self.indent}def {name}({argument}):"]
        if len(args) > len(consts):
            head.append(f"{self.indent}    {', '.join(args[len(consts):])}{',' if len(args) - len(consts) == 1 else ''} = {argument}")
        head += [f"{self.indent}    {arg} = {const}" for arg, const in zip(args, consts)]
        if name.startswith("cond") and len(opened.outvars) == 1:
            lines[-1] = re.sub(r"return \((.*),\)$", r"return \1", lines[-1])
        return head + lines[1:]

    def write_scan(self, eqn, ins, env):
        params, where = eqn.params, "scan"
        if "num_consts" in params:
            consts, carry = params["num_consts"], params["num_carry"]
        else:
            consts, carry = (len(each) for each in params["ft_in"].unpack()[:2])
        name, jaxpr = self.named("step"), params["jaxpr"]
        if not distinct(jaxpr, ins, consts):
            return self.call(eqn, ins, where)
        lines = self.function(jaxpr, name, self.indent)
        args = re.match(r"\s*def \w+\((.*)\):", lines[0]).group(1)
        args = args.split(", ") if args else []
        head = [f"{self.indent}def {name}(carry, row):"]
        for names, of in ((args[consts : consts + carry], "carry"), (args[consts + carry :], "row")):
            if names:
                head.append(f"{self.indent}    {', '.join(names)}{',' if len(names) == 1 else ''} = {of}")
        head += [f"{self.indent}    {arg} = {const}" for arg, const in zip(args, ins[:consts])]
        outs = [self.read_out(each) for each in re.match(r"\s*return \((.*)\)$", lines[-1]).group(1).split(", ") if each.strip(",")]
        tuple_of = lambda these: f"({''.join(each + ', ' for each in these)})"
        lines[-1] = f"{self.indent}    return {tuple_of(outs[:carry])}, {tuple_of(outs[carry:])}"
        self.before += head + lines[1:]
        options = f"length={params['length']}" + (", reverse=True" if params["reverse"] else "") + (f", unroll={params['unroll']}" if params["unroll"] != 1 else "")
        call = f"lax.scan({name}, {tuple_of(ins[consts : consts + carry])}, {tuple_of(ins[consts + carry:])}, {options})"
        return f"jax.tree_util.tree_leaves({call})", True

    @staticmethod
    def read_out(text):
        return text.strip().rstrip(",")


def distinct(jaxpr, ins, count):
    """Whether the first `count` operands are distinct variables that the body reads in this order: then JAX hoists them in the same
    order when it traces the function."""
    opened = getattr(jaxpr, "jaxpr", jaxpr)
    read = dict.fromkeys(id(each) for atoms in [*(eqn.invars for eqn in opened.eqns), opened.outvars] for each in atoms)
    consts = [id(each) for each in opened.invars[:count]]
    first = ins[:count]
    return len(set(first)) == count and all(map(str.isidentifier, first)) and [each for each in read if each in consts] == consts


def merged(args, fixed, count):
    """Arguments in order: the fixed ones at their indices, the others between them."""
    rest = iter(args)
    return [fixed[at] if at in fixed else next(rest) for at in range(count)]


def alike(one, two):
    return set(one) == set(two) and all(str(one[key]) == str(two[key]) for key in one)


def to_python(loaded):
    """The source of a loaded program; raises NotLoadable, which names what has no source form."""
    writer = Writer(loaded)
    with loaded.context():
        arguments = writer.shapes(loaded.jaxpr, "the program")
        lines = writer.function(loaded.jaxpr, "program", "")
    constants = [f"{name} = {source}" for _, name, source in writer.constants.values()]
    return "\n".join(head_of(writer, lines + arguments + constants)) + "\n\n\n" + "\n\n\n".join(body_of(writer, constants, lines, arguments))


def head_of(writer, lines):
    """The lines before the functions: comments with what is missing, imports and the configuration."""
    loaded = writer.loaded
    head = [f"# Not in the text: {re.sub(chr(10), ' ', str(each))}" for each in loaded.missing]
    short = {"import jax.numpy as jnp": "jnp.", "import numpy as np": "np.", "from jax import lax": "lax."}
    head += ["import jax"] + [each for each, word in short.items() if word in "\n".join(lines)] + sorted(writer.imports.values())
    head += ["from jax import export"] if writer.sizes else []
    head += ["", 'jax.config.update("jax_enable_x64", True)'] if loaded.wide else []
    if writer.meshes:
        mesh, loaded.mesh = loaded.mesh, None
        head += ["", f"MESH = {writer.mesh(mesh)}"]
        loaded.mesh = mesh
        if getattr(mesh, "_any_axis_explicit", False) and hasattr(loaded.names.jax, "set_mesh"):
            head.append("jax.set_mesh(MESH)")
    return head


def body_of(writer, constants, lines, arguments):
    """The parts of the source after its head: placeholders, constants, the program, its arguments."""
    out = [PLACEHOLDERS[each].rstrip() for each in sorted(writer.placeholders)]
    if writer.sizes:
        names = sorted(writer.sizes)
        out.append(f"SIZES = dict(zip({names!r}, export.symbolic_shape({', '.join(names)!r})))")
    listed = "ARGUMENTS = [" + ", ".join(arguments) + "]"
    out += ["\n".join(constants)] if constants else []
    return out + ["\n".join(lines), f'{listed}\n\nif __name__ == "__main__":\n    print(jax.make_jaxpr(program)(*ARGUMENTS))\n']
