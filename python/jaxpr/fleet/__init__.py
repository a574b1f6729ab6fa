# SPDX-License-Identifier: Apache-2.0
"""The programs of a fleet as tables, on engines that exist; the extra `fleet` installs what it needs.

    jaxpr.fleet.index(directory, "fleet.duckdb")    the tables in DuckDB; `python -m jaxpr index` does the same
    jaxpr.fleet.rows(batches)                       rows for any engine that has Arrow's batches
    jaxpr.fleet.schema()                            their columns
    jaxpr.fleet.spark                               the same tables in Spark

doc/fleet.md is the manual; schema.sql beside this file has the tables, with a comment on each."""

from typing import Any, Dict, Iterable, Iterator

import pyarrow as _pyarrow
from pyarrow.compute import binary_length as _binary_length

from ._worker import REQUEST as _REQUEST
from ._worker import rows_schema as _rows_schema
from ._workers import borrowed as _borrowed
from ._workers import parts as _parts

__all__ = ["index", "rows", "schema"]


def index(directory: Any, database: Any, **options: Any) -> Dict[str, Any]:
    """Reads the programs of all files below a directory into a database of DuckDB, and returns the row of `runs` about it.

    Files that have not changed since the last run are skipped; `history` keeps the earlier rows of files that changed or were
    removed. A run that is interrupted keeps what it read, and the next run continues from there. A file that cannot be
    read, or a program in it, is a row with an `error`.

    jobs: how many processes read; 0, the default: as many as there are processors.
    extract: read every file, and find programs in other text, such as logs; else files called NAME.jaxpr, NAME.jaxpr.txt,
        NAME.jaxpr.gz and so on, which contain nothing else.
    add: keep the programs of files that are not in the directory.
    progress: show a progress bar on standard error where that is a terminal."""
    from ._index import index as run  # with DuckDB, which processes that only read do not need

    return run(directory, database, **options)


def schema() -> Any:
    """The columns of `rows` as a pyarrow.Schema: those of `jaxpr.batch(texts, details=True)`, but `source` is text and
    `name` is left out."""
    return _rows_schema()


def rows(batches: Iterable[Any], *, extract: bool = False) -> Iterator[Any]:
    """Reads texts, and yields a row for each program as pyarrow.RecordBatches of `schema()`.

    `batches` are pyarrow.RecordBatches with the columns `source`, what to call a text, and `text`, bytes or text, as they
    are or compressed by gzip. Texts are read in a process of their own: one that kills it is a row with an `error`.

    extract: find the programs in other text, such as logs."""
    with _borrowed(extract) as worker:
        for batch in batches:
            sources = batch.column("source").cast(_pyarrow.string())
            texts = batch.column("text").cast(_pyarrow.binary())
            nulls = _pyarrow.nulls(len(sources), _pyarrow.string())
            request = _pyarrow.table([sources, nulls, texts, nulls], schema=_REQUEST)
            for first, n in _parts(_binary_length(texts).fill_null(0).to_pylist()):
                for table in worker.ask(request.slice(first, n))[0]:
                    yield from table.to_batches()
