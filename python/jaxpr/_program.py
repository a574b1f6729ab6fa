# SPDX-License-Identifier: Apache-2.0
"""Programs as objects: equations, operands, types and parameters, read from the library when they are used."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, sizeof
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _library as c
from ._errors import Error
from ._findings import Findings, Span, findings_of, raise_errors
from ._library import lib
from ._source import source
from ._tools import Cost, Stats, read_cost, read_stats

_TYPE_KINDS = ("array", "ref", "token", "unit", "opaque")  # enum jx_type_kind
_DTYPE_KINDS = ("bool", "signed", "unsigned", "float", "complex", "float0", "extended", "")  # enum jx_dtype_kind
_VARIABLE, _LITERAL, _REFERENCE = range(3)  # enum jx_operand_kind
_DIM_INTEGER = 0  # enum jx_dim_kind
# enum jx_value_kind
(
    _NONE,
    _BOOL,
    _INTEGER,
    _FLOAT,
    _STRING,
    _DTYPE,
    _NAME,
    _ENUM,
    _TYPE,
    _TUPLE,
    _LIST,
    _SET,
    _DICT,
    _RECORD,
    _PROGRAM,
    _TEXT,
) = range(16)


class Type:
    """A type as printed, such as `f32[8,n]` or `Ref{f32[4]}`. Two types are equal if their texts are."""

    __slots__ = ("text", "kind", "dtype", "dtype_kind", "bits", "shape", "sharding", "inner", "memory_space", "varying")

    def __init__(self, module: c.Module, type_id: int) -> None:
        t = c.jx_type()
        lib.jx_type_at(module.handle, type_id, byref(t), sizeof(t))
        self.text = c.text(t.text)
        """As printed."""
        self.kind = _TYPE_KINDS[t.kind]
        """"array", "ref", "token", "unit", or "opaque": any other type, known only by its text."""
        self.dtype = c.text(t.dtype)
        """The element type, such as "f32"; empty if it is not an array."""
        self.dtype_kind = _DTYPE_KINDS[t.dtype_kind]
        """"bool", "signed", "unsigned", "float", "complex", "float0" or "extended"; empty if it is not an array."""
        self.bits = t.bits
        """The bits of an element; 0 if unknown."""
        shape: List[Union[int, str]] = []
        sharding: List[str] = []
        d = c.jx_dim()
        for i in range(t.rank):
            lib.jx_dim_at(module.handle, type_id, i, byref(d), sizeof(d))
            shape.append(d.value if d.kind == _DIM_INTEGER else c.text(d.text))
            sharding.append(c.text(d.sharding))
        self.shape = tuple(shape)
        """The sizes: numbers, or text for sizes that are not numbers."""
        self.sharding = tuple(sharding)
        """The mesh axes of each dimension, such as "x" for `8@x`; empty if none are printed."""
        self.inner: Optional[Type] = Type(module, t.inner) if t.inner != c.NONE else None
        """The type that a ref refers to; None if it is not a ref."""
        self.memory_space = c.text(t.memory_space)
        """The memory space, such as "host" for `f32<host>[8]`; empty if none is printed."""
        self.varying = c.text(t.varying)
        """The varying axes, such as "x,y" for `f32[8]{V:(x,y)}`; empty if none are printed."""

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Type) else self.text == other

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Type({self.text!r})"


class Variable(NamedTuple):
    """A binder of a program, or a result of an equation."""

    name: str
    """As printed; `_` for a result that is not used."""
    type: Optional[Type]
    """None if none is printed."""
    id: int
    """The number of this variable, which is the `variable` of operands that read it."""

    def __str__(self) -> str:
        return f"{self.name}:{self.type}" if self.type else self.name


class Operand(NamedTuple):
    """An operand of an equation, or an output of a program."""

    text: str
    """The name of a variable, or the value of a literal."""
    type: Optional[Type]
    """The type of the literal, or of the binder of the variable; None if unknown."""
    variable: Optional[int]
    """The id of the variable; None for literals and unbound names."""
    index: str  # type: ignore[assignment]  # replaces the method of tuples
    """The index of a ref, such as "[0,:]" of `a[0,:]`; otherwise empty."""

    @property
    def is_literal(self) -> bool:
        """Whether it is a literal, such as `2.0:f32[]`."""
        return self.variable is None and not (self.text[:1].isalpha() and self.text.isidentifier())

    def __str__(self) -> str:
        return f"{self.text}:{self.type}" if self.is_literal and self.type else self.text + self.index


class Record(NamedTuple):
    """A value of a parameter such as `GatherDimensionNumbers(offset_dims=(0,))`."""

    name: str
    fields: Tuple[Tuple[str, Any], ...]
    """Names and values; the name is empty if none is printed."""

    def __getattr__(self, field: str) -> Any:
        for name, value in self.fields:
            if name == field:
                return value
        raise AttributeError(f"{self.name} has no field `{field}`")


class Text(str):
    """A parameter's value that is not a Python value: a bare word, an element type, an enumerator, or any other text, as
    printed."""

    __slots__ = ()


def _variable(module: c.Module, v: Any) -> Variable:
    type_id = v.type_id
    return Variable(c.text(v.name), Type(module, type_id) if type_id != c.NONE else None, v.id)


def _operand(module: c.Module, o: Any) -> Operand:
    type_id = o.type_id
    return Operand(
        c.text(o.text),
        Type(module, type_id) if type_id != c.NONE else None,
        None if o.variable == c.NONE else o.variable,
        c.text(o.index),
    )


class Equation:
    """One equation: `primitive`, applied to `inputs`, computes `outputs`."""

    __slots__ = ("_module", "_id", "_first_parameter", "_counts", "primitive")

    def __init__(self, module: c.Module, e: Any) -> None:
        self._module = module
        self._id = e.id
        self._first_parameter = e.first_parameter
        self._counts = (e.results, e.operands)
        self.primitive: str = c.text(e.primitive)
        """The name of the primitive, as printed."""

    @property
    def outputs(self) -> Tuple[Variable, ...]:
        """The results."""
        n, module = self._counts[0], self._module
        into = (c.jx_variable * n)()
        with module.lock:
            n = lib.jx_results(module.handle, self._id, 0, into, n, sizeof(c.jx_variable))
            return tuple(_variable(module, into[i]) for i in range(n))

    @property
    def inputs(self) -> Tuple[Operand, ...]:
        """The operands."""
        n, module = self._counts[1], self._module
        into = (c.jx_operand * n)()
        with module.lock:
            n = lib.jx_operands(module.handle, self._id, 0, into, n, sizeof(c.jx_operand))
            return tuple(_operand(module, into[i]) for i in range(n))

    @property
    def params(self) -> Dict[str, Any]:
        """The parameters by name: Python values, or `Jaxpr` for nested programs, `Type` for types, `Record` for objects, and
        `Text` for other text."""
        module, found = self._module, {}
        parameter, value = c.jx_parameter(), c.jx_value()
        at = self._first_parameter
        with module.lock:
            while at != c.NONE and lib.jx_parameter_at(module.handle, at, byref(parameter), sizeof(parameter)):
                lib.jx_parameter_value(module.handle, at, byref(value), sizeof(value))
                found[c.text(parameter.key)] = _value(module, value)
                at = parameter.next
        return found

    @property
    def jaxprs(self) -> Tuple[Jaxpr, ...]:
        """The programs that its parameters contain or refer to."""
        module, found = self._module, []
        parameter = c.jx_parameter()
        at = self._first_parameter
        with module.lock:
            while at != c.NONE and lib.jx_parameter_at(module.handle, at, byref(parameter), sizeof(parameter)):
                for k in range(parameter.jaxprs):
                    jaxpr = lib.jx_parameter_jaxpr(module.handle, at, k)
                    if jaxpr != c.NONE:
                        found.append(Jaxpr(module, jaxpr))
                at = parameter.next
        return tuple(found)

    @property
    def span(self) -> Span:
        """Its place in the text: from its first character to the end of the line."""
        place = c.jx_place()
        with self._module.lock:
            lib.jx_equation_place(self._module.handle, self._id, byref(place))
        return Span(self._module.name, place.line, place.column, place.end_line, place.end_column)

    @property
    def source(self) -> str:
        """The source line that JAX printed for it, such as `step.py:3:6 (f)`; empty if none is printed."""
        with self._module.lock:
            return c.text(lib.jx_equation_source(self._module.handle, self._id))

    def __repr__(self) -> str:
        return f"<Equation {' '.join(map(str, self.outputs))} = {self.primitive} {' '.join(map(str, self.inputs))}>"


# values nested deeper than this are kept as text
_DEEPEST = 100


def _raw_items(module: c.Module, value: Any) -> List[Any]:
    into = (c.jx_value * value.items)()
    n = lib.jx_value_items(module.handle, byref(value), None, into, value.items, sizeof(c.jx_value))
    return [into[i] for i in range(n)]


def _items(module: c.Module, value: Any, depth: int) -> List[Tuple[str, Any]]:
    return [(c.text(item.key), _value(module, item, depth + 1)) for item in _raw_items(module, value)]


def _dict_items(module: c.Module, value: Any, depth: int) -> Iterator[Tuple[Any, Any]]:
    for item in _raw_items(module, value):
        key = c.jx_value()
        lib.jx_value_of(module.handle, item.key, byref(key), sizeof(key))
        read = _value(module, key, depth + 1)
        try:
            hash(read)
        except TypeError:  # such as a list, which cannot be a key in Python
            read = Text(c.text(item.key))
        yield read, _value(module, item, depth + 1)


def _value(module: c.Module, v: Any, depth: int = 0) -> Any:
    """A value as a Python object."""
    kind = v.kind if depth < _DEEPEST else _TEXT
    if kind == _NONE:
        return None
    if kind == _BOOL:
        return bool(v.integer)
    if kind == _INTEGER:
        return v.integer if v.exact else int(c.text(v.text), 0)
    if kind == _FLOAT:
        return v.number
    if kind == _STRING:
        return c.text(v.word)
    if kind in (_DTYPE, _NAME, _ENUM):
        return Text(c.text(v.word))
    if kind == _TYPE and v.type_id != c.NONE:
        return Type(module, v.type_id)
    if kind == _PROGRAM and v.jaxpr != c.NONE:
        return Jaxpr(module, v.jaxpr)
    if kind in (_TUPLE, _LIST, _SET):
        items = [item for _, item in _items(module, v, depth)]
        return items if kind == _LIST else tuple(items) if kind == _TUPLE else _frozen(items)
    if kind == _DICT:
        return dict(_dict_items(module, v, depth))
    if kind == _RECORD:
        return Record(c.text(v.word), tuple(_items(module, v, depth)))
    return Text(c.text(v.text))


def _frozen(items: List[Any]) -> Any:
    try:
        return frozenset(items)
    except TypeError:  # a member is not hashable
        return tuple(items)


class Jaxpr:
    """`{ lambda constants ; inputs . let equations in outputs }`: a program, or one nested in an equation."""

    __slots__ = ("_module", "_id", "_row", "_equations")

    def __init__(self, module: c.Module, jaxpr: int) -> None:
        self._module = module
        self._id = jaxpr
        self._row = row = c.jx_jaxpr()
        self._equations: Optional[Tuple[Equation, ...]] = None
        with module.lock:
            lib.jx_jaxpr_at(module.handle, jaxpr, byref(row), sizeof(row))

    def _binders(self, first: int, n: int) -> Tuple[Variable, ...]:
        v, module = c.jx_variable(), self._module
        found = []
        with module.lock:
            for i in range(first, first + n):
                lib.jx_binder_at(module.handle, self._id, i, byref(v), sizeof(v))
                found.append(_variable(module, v))
        return tuple(found)

    @property
    def constants(self) -> Tuple[Variable, ...]:
        """The binders before the semicolon."""
        return self._binders(0, self._row.constants)

    @property
    def inputs(self) -> Tuple[Variable, ...]:
        """The arguments."""
        return self._binders(self._row.constants, self._row.inputs)

    @property
    def outputs(self) -> Tuple[Operand, ...]:
        """The results."""
        o, module = c.jx_operand(), self._module
        found = []
        with module.lock:
            for i in range(self._row.outputs):
                lib.jx_output_at(module.handle, self._id, i, byref(o), sizeof(o))
                found.append(_operand(module, o))
        return tuple(found)

    @property
    def effects(self) -> str:
        """The effects, such as "Debug" for ` : { Debug }`; empty if none are printed."""
        return c.text(self._row.effects)

    @property
    def equations(self) -> Tuple[Equation, ...]:
        """The equations, without those of nested programs; see `walk`."""
        if self._equations is None:
            module, n = self._module, self._row.equations
            into = (c.jx_equation * n)()
            with module.lock:
                n = lib.jx_equations(module.handle, self._row.first_equation, into, n, sizeof(c.jx_equation))
                self._equations = tuple(Equation(module, into[i]) for i in range(n))
        return self._equations

    def walk(self) -> Iterator[Equation]:
        """All equations: those of nested programs after the equation that contains them, and those of a shared program once
        per use."""
        stack = [iter(self.equations)]
        while stack:
            equation = next(stack[-1], None)
            if equation is None:
                stack.pop()
                continue
            yield equation
            stack.extend(iter(inner.equations) for inner in reversed(equation.jaxprs))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._row.equations} equations>"


class Program(Jaxpr):
    """One program of a text: a `Jaxpr` with the methods that apply to a whole program."""

    __slots__ = ("_index", "_program")

    def __init__(self, module: c.Module, index: int) -> None:
        self._index = index
        self._program = row = c.jx_program()
        lib.jx_program_at(module.handle, index, byref(row), sizeof(row))
        super().__init__(module, row.jaxpr)

    @property
    def shared(self) -> Dict[str, Jaxpr]:
        """The shared programs before it, `let f = { .. } in`, by name."""
        name, jaxpr, module = c.jx_string(), ctypes.c_uint32(), self._module
        found = {}
        first = self._program.first_shared
        for i in range(first, first + self._program.shared):
            with module.lock:
                lib.jx_shared_at(module.handle, i, byref(name), byref(jaxpr))
            found[c.text(name)] = Jaxpr(module, jaxpr.value)
        return found

    @property
    def span(self) -> Span:
        """Its place in the text."""
        place = self._program.place
        return Span(self._module.name, place.line, place.column, place.end_line, place.end_column)

    @property
    def stats(self) -> Stats:
        """The numbers of its equations, primitives, nested programs and constants."""
        return read_stats(self._module, self._index)

    @property
    def primitives(self) -> Dict[str, int]:
        """How often each primitive occurs, nested programs included, most frequent first."""
        return self.stats.primitives

    def cost(self, *, by: str = "primitive", model: str = "printed") -> Cost:
        """Its FLOPs and bytes; see `jaxpr.cost`."""
        return read_cost(self._module, self._index, by, model)

    def check(self) -> Findings:
        """The findings of `jaxpr.check` in the whole text, with default options."""
        with self._module.lock:
            c.ok(lib.jx_check(self._module.handle, None), self._module.context)
            return findings_of(self._module)

    def to_json(self) -> Any:
        """The program as `jaxpr json` prints it, as Python objects; jaxpr-json(5) describes them."""
        first, module = ctypes.c_bool(True), self._module
        with module.lock:
            written = c.write(lib.jx_write_json, module.handle, byref(first), context=module.context)
        return json.loads(b"[" + written + b"]")[self._index]

    def graph(self, *, depth: int = 0, focus: Optional[str] = None, radius: int = 0, nodes: int = 0) -> str:
        """Returns a graph of the whole text for Graphviz.

        depth: the number of levels of nested programs to draw; 0: all.
        focus: draw only equations near variables of this name.
        radius: the distance from these variables, in arrows; 0: the default, 2.
        nodes: fold programs with more equations than this into about this many boxes; 0: fold nothing.

        The manual is jaxpr-graph(1)."""
        module, found = self._module, ctypes.c_bool()
        options = c.jx_graph_options(depth=depth, focus=c.word(focus) if focus is not None else None, radius=radius, nodes=nodes)
        with module.lock:
            written = c.write(
                lib.jx_write_graph, module.handle, byref(options), byref(found), context=module.context
            )
        return written.decode("utf-8", "replace")

    def report(self, path: Any = None, *, title: Optional[str] = None) -> str:
        """Returns an HTML page about the whole text: findings, costs, graphs, and the text with every name linked to its
        binder. If `path` is given, also writes it to this file. The manual is jaxpr-report(1)."""
        module = self._module
        with module.lock:
            page = b"".join(
                [
                    c.write(lib.jx_page_begin, c.word(title) if title else c.file_name(module.name)),
                    c.write(lib.jx_page_add, module.handle, 0, context=module.context),
                    c.write(lib.jx_page_end),
                ]
            )
        if path is not None:
            with open(path, "wb") as file:
                file.write(page)
        return page.decode("utf-8", "replace")

    @property
    def text(self) -> str:
        """The program laid out as JAX prints it, without a newline at the end."""
        options = c.jx_format_options(only=self._index + 1)
        with self._module.lock:
            written = c.write(
                lib.jx_format, self._module.handle, byref(options), context=self._module.context
            )
        return written.decode("utf-8", "replace").rstrip("\n")

    __jaxpr_text__ = text  # the functions of the package read this attribute of a Program

    def __str__(self) -> str:
        return self.text


def programs(x: Any, *, name: Optional[str] = None) -> Tuple[Program, ...]:
    """Returns the programs of a text as objects.

    `x` is text, a file or a live object, as for `check`. A text with errors of syntax or scope raises InvalidProgram.

    >>> [one.inputs[0].name for one in jaxpr.programs("{ lambda ; a:f32[]. let in (a,) } { lambda ; b:f32[]. let in (b,) }")]
    ['a', 'b']"""
    module = source(x, name).read()
    c.ok(lib.jx_resolve(module.handle), module.context)
    raise_errors(module)
    return tuple(Program(module, i) for i in range(lib.jx_program_count(module.handle)))


def program(x: Any, *, name: Optional[str] = None) -> Program:
    """Returns the one program of a text as an object; `programs` takes any number.

    `x` is text, a file or a live object, as for `check`. A text with errors of syntax or scope raises InvalidProgram.

    >>> p = jaxpr.program("{ lambda ; a:f32[8,n]. let b:f32[n] = reduce_sum[axes=(0,)] a in (b,) }")
    >>> p.equations[0].primitive, p.equations[0].params
    ('reduce_sum', {'axes': (0,)})
    >>> p.inputs[0].type.shape
    (8, 'n')"""
    found = programs(x, name=name)
    if len(found) != 1:
        raise Error(f"expected a text with one program, found {len(found)}; `jaxpr.programs` returns all")
    return found[0]
