# SPDX-License-Identifier: Apache-2.0
"""`batch`: a table with a row for each program, which other packages read through Arrow's PyCapsule interface.

The structures are those of Arrow's C data and stream interfaces; they need only ctypes. Memory that a consumer uses is kept in
_HELD until the consumer calls the release function, in any thread."""

from __future__ import annotations

import ctypes
import itertools
import struct
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Dict, Iterable, List, Optional, Tuple

from ._errors import Error
from ._facts import COLUMNS as FACTS
from ._facts import DETAILS, Row, failed, rows_of
from ._library import Extraction
from ._source import source

# names and kinds of columns, as in _facts: a kind is Arrow's format ("u" text, "l" 64-bit integers), or, for lists of rows,
# the columns of these rows
COLUMNS: Tuple[Tuple[str, Any], ...] = (("source", "l"), ("name", "u"), *FACTS)


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_release_schema = ctypes.CFUNCTYPE(None, POINTER(_Schema))
_release_array = ctypes.CFUNCTYPE(None, POINTER(_Array))
_release_stream = ctypes.CFUNCTYPE(None, POINTER(_Stream))
_get_schema = ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))
_get_next = ctypes.CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))
_get_last_error = ctypes.CFUNCTYPE(c_void_p, POINTER(_Stream))

_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(_Schema))),
    ("dictionary", c_void_p),
    ("release", _release_schema),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_Array))),
    ("dictionary", c_void_p),
    ("release", _release_array),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _get_schema),
    ("get_next", _get_next),
    ("get_last_error", _get_last_error),
    ("release", _release_stream),
    ("private_data", c_void_p),
]

_HELD: Dict[int, Any] = {}
_NUMBERS = itertools.count(1)
_NULLABLE = 2


def _hold(things: Any) -> int:
    number = next(_NUMBERS)
    _HELD[number] = things
    return number


def _released(pointer: Any, held: Dict[int, Any] = _HELD) -> None:
    """The release function of all structures: frees what they point to, except children that were moved out."""
    it = pointer.contents
    for at in range(getattr(it, "n_children", 0)):
        child = it.children[at].contents
        if child.release:
            child.release(it.children[at])
    held.pop(it.private_data or 0, None)
    it.release = type(it.release)()


_schema_released = _release_schema(_released)
_array_released = _release_array(_released)
_stream_released = _release_stream(_released)
for _each in (_schema_released, _array_released, _stream_released):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_each))  # called even at exit, when modules are already deleted


def _fill_schema(schema: Any, kind: bytes, name: bytes, children: List[Any]) -> None:
    pointers = (POINTER(_Schema) * max(1, len(children)))(*map(ctypes.pointer, children))
    schema.format, schema.name, schema.metadata, schema.flags = kind, name, None, 0 if children else _NULLABLE
    schema.n_children, schema.children, schema.dictionary = len(children), pointers, None
    schema.release, schema.private_data = _schema_released, _hold((kind, name, children, pointers))


def _fill_array(array: Any, length: int, nulls: int, buffers: List[Any], children: List[Any]) -> None:
    addresses = (c_void_p * max(1, len(buffers)))(*(ctypes.cast(each, c_void_p) if each is not None else None for each in buffers))
    pointers = (POINTER(_Array) * max(1, len(children)))(*map(ctypes.pointer, children))
    array.length, array.null_count, array.offset, array.n_buffers = length, nulls, 0, len(buffers)
    array.n_children, array.buffers, array.children, array.dictionary = len(children), addresses, pointers, None
    array.release, array.private_data = _array_released, _hold((buffers, addresses, children, pointers))


def _fill_column_schema(schema: Any, name: str, kind: Any) -> None:
    if isinstance(kind, str):
        _fill_schema(schema, kind.encode(), name.encode(), [])
        return
    rows = _Schema()
    _write_schema(rows, kind, b"item")
    _fill_schema(schema, b"+l", name.encode(), [rows])


def _write_schema(schema: Any, columns: Any, name: bytes = b"") -> None:
    children = [_Schema() for _ in columns]
    for child, (each, kind) in zip(children, columns):
        _fill_column_schema(child, each, kind)
    _fill_schema(schema, b"+s", name, children)


def _offsets(lengths: Iterable[int]) -> Any:
    ends = list(itertools.accumulate(lengths, initial=0))
    if ends[-1] >= 1 << 31:
        raise Error("the texts or rows of a column of a batch have more than 2 GiB")
    return ctypes.create_string_buffer(struct.pack(f"={len(ends)}i", *ends))


def _mask(values: List[Any], nulls: int) -> Any:
    if not nulls:
        return None
    valid = bytearray((len(values) + 7) // 8)
    for at, each in enumerate(values):
        valid[at // 8] |= (each is not None) << at % 8
    return ctypes.create_string_buffer(bytes(valid))


def _column(array: Any, kind: Any, values: List[Any]) -> None:
    nulls = values.count(None)
    mask = _mask(values, nulls)
    if kind == "l":
        data = ctypes.create_string_buffer(struct.pack(f"={len(values)}q", *(each or 0 for each in values)) or b"\0")
        _fill_array(array, len(values), nulls, [mask, data], [])
    elif kind == "u":
        texts = [(each or "").encode("utf-8", "replace") for each in values]
        data = ctypes.create_string_buffer(b"".join(texts) or b"\0")
        _fill_array(array, len(values), nulls, [mask, _offsets(map(len, texts)), data], [])
    else:
        rows = _Array()
        _write_array(rows, kind, list(itertools.chain.from_iterable(each or () for each in values)))
        _fill_array(array, len(values), nulls, [mask, _offsets(len(each or ()) for each in values)], [rows])


def _write_array(array: Any, columns: Any, rows: List[Row]) -> None:
    children = [_Array() for _ in columns]
    values = [list(column) for column in zip(*rows)] if rows else [[] for _ in columns]
    for child, (_, kind), column in zip(children, columns, values):
        _column(child, kind, column)
    _fill_array(array, len(rows), 0, [None], children)


_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_destructor = ctypes.PYFUNCTYPE(None, c_void_p)
_CAPSULES: Dict[int, Any] = {}


def _capsule(structure: Any, name: bytes) -> Any:
    """A capsule that owns a structure, and releases it unless a consumer has moved its contents."""
    address = ctypes.addressof(structure)
    _CAPSULES[address] = structure
    return _new(address, name, ctypes.cast(_DESTRUCTORS[name], c_void_p))


def _destructor_of(name: bytes, release: Any) -> Any:
    def destroy(capsule: int) -> None:
        structure = _CAPSULES.pop(_pointer_of(capsule, name), None)
        if structure is not None and structure.release:
            release(ctypes.pointer(structure))

    return _destructor(destroy)


_DESTRUCTORS = {
    b"arrow_schema": _destructor_of(b"arrow_schema", _released),
    b"arrow_array": _destructor_of(b"arrow_array", _released),
    b"arrow_array_stream": _destructor_of(b"arrow_array_stream", _released),
}


def _dict(columns: Any, row: Row) -> Dict[str, Any]:
    return {
        name: value if isinstance(kind, str) else [_dict(kind, each) for each in value]
        for (name, kind), value in zip(columns, row)
    }


class Batch:
    """A table with a row for each program. `pyarrow.table(batch)`, `polars.DataFrame(batch)` and DuckDB's `FROM batch` read it
    without a copy; iterating yields the rows as dicts."""

    def __init__(self, rows: List[Row], columns: Any = COLUMNS) -> None:
        self._rows, self._columns = rows, columns

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Any:
        return (_dict(self._columns, row) for row in self._rows)

    def __arrow_c_schema__(self) -> Any:
        schema = _Schema()
        _write_schema(schema, self._columns)
        return _capsule(schema, b"arrow_schema")

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        array = _Array()
        _write_array(array, self._columns, self._rows)
        return self.__arrow_c_schema__(), _capsule(array, b"arrow_array")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        stream, pending, columns = _Stream(), [self._rows], self._columns

        def get_schema(_: Any, out: Any) -> int:
            _write_schema(out.contents, columns)
            return 0

        def get_next(_: Any, out: Any) -> int:
            if pending:
                _write_array(out.contents, columns, pending.pop())
            else:
                out.contents.release = _release_array()
            return 0

        def get_last_error(_: Any) -> Optional[int]:
            return None

        functions = (_get_schema(get_schema), _get_next(get_next), _get_last_error(get_last_error))
        stream.get_schema, stream.get_next, stream.get_last_error = functions
        stream.release, stream.private_data = _stream_released, _hold(functions)
        return _capsule(stream, b"arrow_array_stream")


def read_rows(x: Any, details: bool, extract: bool) -> List[Row]:
    """The rows of the programs of a text, a file or a live object, without the columns before FACTS. A text without a program
    gets one row with the error; with `extract`, it gets none."""
    text = source(x)
    if not extract:
        return rows_of(text.read(), details)
    rows: List[Row] = []
    with text.open() as file:
        extraction = Extraction(text.name, file)
        for module, found in iter(extraction.next, None):
            for row in rows_of(module, details):
                rows.append((len(rows), row[1] or found.place.line, *row[2:]))
    return rows


def batch(iterable: Iterable[object], *, details: bool = False, extract: bool = False) -> Batch:
    """Returns a table with a row for each program of many texts, files and live objects, as for `check`.

    Columns: `source` (the index of the text in the iterable), `name` (the name of the text in findings), `program` (the
    index of the program in the text), `line`, `digest`, `signature`, `equations`, `depth`, `constants`, `constant_bytes`,
    `flops`, `transcendentals`, `bytes_read`, `bytes_written`, `peak_bytes`, `errors`, and `error`. Indices are from 0. If
    a program cannot be read, `error` is the reason, and columns about the program are null. Costs that depend on unknown
    sizes are null, and no number exceeds 2^63 - 1. The table has Arrow's PyCapsule interface, so that pyarrow, polars,
    DuckDB and others read it.

    >>> [row["equations"] for row in jaxpr.batch(["{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"])]
    [1]

    details: also columns whose values are lists of rows: `operations` (equations by primitive and type of the first
        result), `costs` (by primitive), `nested` (digests of nested programs), `findings` (of `check` and `lint`) and
        `lines` (costs by line of Python). `jaxpr.fleet` makes tables of them.
    extract: find the programs in other text, such as logs, as `extract` does."""
    rows: List[Row] = []
    for at, x in enumerate(iterable):
        name = source(x).name
        try:
            rows += [(at, name, *row) for row in read_rows(x, details, extract)]
        except Error as error:
            rows.append((at, name, *failed(str(error), details)))
    return Batch(rows, COLUMNS + DETAILS if details else COLUMNS)
