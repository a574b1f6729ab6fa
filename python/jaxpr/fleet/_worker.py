# SPDX-License-Identifier: Apache-2.0
"""A worker process, which reads texts, so that a text that kills it does no other harm: `main`, with the argument `extract` or
none.

A frame on standard input or output is a length of 8 bytes and a stream in Arrow's IPC format. A request is a table with the
columns of REQUEST; the response is any number of tables of rows, an empty frame, and a table with the columns of TEXTS."""

from __future__ import annotations

import gzip
import hashlib
import os
import struct
import sys
from typing import Any, Iterator, List, Optional, Tuple

import pyarrow

from .._arrow import Batch, read_rows
from .._facts import COLUMNS, DETAILS, failed

# `source` is the name of a text; either `path` is its file, or `text` the text itself; `known` is the hash of its last content
REQUEST = pyarrow.schema(
    [
        ("source", pyarrow.string()),
        ("path", pyarrow.string()),
        ("text", pyarrow.binary()),
        ("known", pyarrow.string()),
    ]
)
# a row for each text: `content` is the hash of its content, or null if it could not be read; if `same`, the content is that of
# `known`, and the text has no rows
TEXTS = pyarrow.schema(
    [("source", pyarrow.string()), ("content", pyarrow.string()), ("bytes", pyarrow.int64()), ("same", pyarrow.bool_())]
)
ROWS = (("source", "u"), *COLUMNS, *DETAILS)
_MOST_ROWS = 2000  # of a table in a response

_LENGTH = struct.Struct("=q")


def write_frame(file: Any, table: Any) -> None:
    """Writes a table; None as an empty frame."""
    data = b""
    if table is not None:
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        data = sink.getvalue()
    file.write(_LENGTH.pack(len(data)))
    file.write(data)


def read_frame(file: Any) -> Any:
    """Reads a table, or None for an empty frame; raises EOFError if a frame is incomplete."""
    head = file.read(_LENGTH.size)
    data = file.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else None
    if data is None or len(data) != _LENGTH.unpack(head)[0]:
        raise EOFError
    return pyarrow.ipc.open_stream(data).read_all() if data else None


def failure(source: str, why: str) -> Tuple[Any, ...]:
    """The row of a text that could not be read."""
    return (source, *failed(why, True))


def rows_schema() -> Any:
    """The columns ROWS as a pyarrow.Schema."""
    return pyarrow.schema(Batch([], ROWS))


def table_of(rows: List[Tuple[Any, ...]]) -> Any:
    """Rows as a table."""
    return pyarrow.table(Batch(rows, ROWS))


def _bytes_of(path: Optional[str], text: Optional[bytes]) -> bytes:
    if text is None:
        with open(path or "", "rb") as file:
            text = file.read()
    return gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text


def _rows(source: str, text: bytes, extract: bool) -> Iterator[Tuple[Any, ...]]:
    try:
        for row in read_rows(text, True, extract):
            yield (source, *row)
    except Exception as error:  # any error is the result for this text
        yield failure(source, f"{type(error).__name__}: {error}")


def _answer(request: Any, extract: bool, out: Any) -> None:
    rows: List[Tuple[Any, ...]] = []
    texts: List[Tuple[Any, ...]] = []
    for source, path, text, known in zip(*(request.column(name).to_pylist() for name in REQUEST.names)):
        try:
            data = _bytes_of(path, text)
        except (OSError, EOFError, MemoryError) as error:
            rows.append(failure(source, f"{type(error).__name__}: {error}"))
            texts.append((source, None, 0, False))
            continue
        content = hashlib.sha256(data).hexdigest()
        texts.append((source, content, len(data), content == known))
        if content == known:
            continue
        for row in _rows(source, data, extract):
            rows.append(row)
            if len(rows) >= _MOST_ROWS:
                write_frame(out, table_of(rows))
                rows = []
    if rows:
        write_frame(out, table_of(rows))
    write_frame(out, None)
    write_frame(out, pyarrow.table([list(column) for column in zip(*texts)], schema=TEXTS))
    out.flush()


def main() -> None:
    """Responds to requests until the input ends, or no process reads the responses."""
    extract = sys.argv[1:] == ["extract"]
    try:
        while True:
            _answer(read_frame(sys.stdin.buffer), extract, sys.stdout.buffer)
    except EOFError:
        return
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for buffered output
