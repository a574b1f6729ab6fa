# SPDX-License-Identifier: Apache-2.0
"""`batch`: a table with a row for each program, which other packages read through Arrow's PyCapsule interface.

The structures are those of Arrow's C data and stream interfaces; nothing but ctypes is needed. What a consumer holds is kept in
_HELD until it calls the release function, which may happen in any thread."""

from __future__ import annotations

import ctypes
import itertools
import struct
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Dict, Iterable, List, Optional, Tuple

from ._errors import Error
from ._program import programs
from ._tools import sig
from ._verbs import check
from ._verbs import hash as digest_of

# name, format of Arrow: `u` text, `l` 64-bit integers
COLUMNS = (
    ("source", "l"),
    ("name", "u"),
    ("line", "l"),
    ("digest", "u"),
    ("signature", "u"),
    ("equations", "l"),
    ("depth", "l"),
    ("constants", "l"),
    ("constant_bytes", "l"),
    ("flops", "l"),
    ("transcendentals", "l"),
    ("bytes_read", "l"),
    ("bytes_written", "l"),
    ("peak_bytes", "l"),
    ("errors", "l"),
    ("error", "u"),
)


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


def _released(pointer: Any) -> None:
    """The release function of all structures: lets go of what they point to. A child that was moved out is not ours."""
    it = pointer.contents
    for at in range(getattr(it, "n_children", 0)):
        child = it.children[at].contents
        if child.release:
            child.release(it.children[at])
    _HELD.pop(it.private_data or 0, None)
    it.release = type(it.release)()


_schema_released = _release_schema(_released)
_array_released = _release_array(_released)
_stream_released = _release_stream(_released)


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


def _write_schema(schema: Any) -> None:
    children = [_Schema() for _ in COLUMNS]
    for child, (name, kind) in zip(children, COLUMNS):
        _fill_schema(child, kind.encode(), name.encode(), [])
    _fill_schema(schema, b"+s", b"", children)


def _column(array: Any, kind: str, values: List[Any]) -> None:
    nulls = sum(each is None for each in values)
    valid = bytearray((len(values) + 7) // 8)
    for at, each in enumerate(values):
        valid[at // 8] |= (each is not None) << at % 8
    mask = ctypes.create_string_buffer(bytes(valid) or b"\0") if nulls else None
    if kind == "l":
        data = ctypes.create_string_buffer(struct.pack(f"={len(values)}q", *(each or 0 for each in values)) or b"\0")
        _fill_array(array, len(values), nulls, [mask, data], [])
        return
    texts = [(each or "").encode("utf-8", "replace") for each in values]
    ends = list(itertools.accumulate(map(len, texts), initial=0))
    if ends[-1] >= 1 << 31:
        raise Error("the texts of a batch have more than 2 GiB")
    offsets = ctypes.create_string_buffer(struct.pack(f"={len(ends)}i", *ends))
    _fill_array(array, len(values), nulls, [mask, offsets, ctypes.create_string_buffer(b"".join(texts) or b"\0")], [])


def _write_array(array: Any, rows: List[Tuple[Any, ...]]) -> None:
    children = [_Array() for _ in COLUMNS]
    for at, (child, (_, kind)) in enumerate(zip(children, COLUMNS)):
        _column(child, kind, [row[at] for row in rows])
    _fill_array(array, len(rows), 0, [None], children)


_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_destructor = ctypes.PYFUNCTYPE(None, c_void_p)
_CAPSULES: Dict[int, Any] = {}


def _capsule(structure: Any, name: bytes) -> Any:
    """A capsule that owns a structure, and releases it where nobody has taken what it holds."""
    address = ctypes.addressof(structure)
    _CAPSULES[address] = structure
    return _new(address, name, ctypes.cast(_DESTRUCTORS[name], c_void_p))


def _destructor_of(name: bytes, release: Any) -> Any:
    @_destructor
    def destroy(capsule: int) -> None:
        structure = _CAPSULES.pop(_pointer_of(capsule, name), None)
        if structure is not None and structure.release:
            release(ctypes.pointer(structure))

    return destroy


_DESTRUCTORS = {
    b"arrow_schema": _destructor_of(b"arrow_schema", _released),
    b"arrow_array": _destructor_of(b"arrow_array", _released),
    b"arrow_array_stream": _destructor_of(b"arrow_array_stream", _released),
}


class Batch:
    """A table with a row for each program. `pyarrow.table(batch)`, `polars.DataFrame(batch)` and DuckDB's `FROM batch` read it
    without a copy; iterating yields the rows as dicts."""

    def __init__(self, rows: List[Tuple[Any, ...]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Any:
        names = [name for name, _ in COLUMNS]
        return (dict(zip(names, row)) for row in self._rows)

    def __arrow_c_schema__(self) -> Any:
        schema = _Schema()
        _write_schema(schema)
        return _capsule(schema, b"arrow_schema")

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        array = _Array()
        _write_array(array, self._rows)
        return self.__arrow_c_schema__(), _capsule(array, b"arrow_array")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        stream, pending = _Stream(), [self._rows]

        @_get_schema
        def get_schema(_: Any, out: Any) -> int:
            _write_schema(out.contents)
            return 0

        @_get_next
        def get_next(_: Any, out: Any) -> int:
            if pending:
                _write_array(out.contents, pending.pop())
            else:
                out.contents.release = _release_array()
            return 0

        @_get_last_error
        def get_last_error(_: Any) -> Optional[int]:
            return None

        stream.get_schema, stream.get_next, stream.get_last_error = get_schema, get_next, get_last_error
        stream.release, stream.private_data = _stream_released, _hold((get_schema, get_next, get_last_error))
        return _capsule(stream, b"arrow_array_stream")


def _row(at: int, program: Any) -> Tuple[Any, ...]:
    text, stats, cost, span = program.text, program.stats, program.cost(), program.span
    findings = check(text)
    counted = [cost.flops, cost.transcendentals, cost.bytes_read, cost.bytes_written, cost.peak_bytes]
    return (
        at,
        span.file,
        span.line,
        digest_of(text),
        sig(text).strip(),
        stats.equations,
        stats.depth,
        stats.constants,
        stats.constant_bytes,
        *counted,
        sum(each.level == "error" for each in findings),
        None,
    )


def batch(iterable: Iterable[Any]) -> Batch:
    """Returns a table with a row for each program of many texts, files and live objects, as for `check`.

    Columns: `source` (which of the iterable, from 0), `name`, `line`, `digest`, `signature`, `equations`, `depth`,
    `constants`, `constant_bytes`, `flops`, `transcendentals`, `bytes_read`, `bytes_written`, `peak_bytes`, `errors`, and
    `error`: why a text has no program that could be read, where the other columns are null. The table has Arrow's
    PyCapsule interface, so that pyarrow, polars, DuckDB and others read it.

    >>> [row["equations"] for row in jaxpr.batch(["{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }"])]
    [1]"""
    rows: List[Tuple[Any, ...]] = []
    for at, x in enumerate(iterable):
        try:
            rows += [_row(at, program) for program in programs(x)]
        except Error as error:
            rows.append((at, *[None] * (len(COLUMNS) - 2), str(error)))
    return Batch(rows)
