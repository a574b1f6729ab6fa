# SPDX-License-Identifier: Apache-2.0
"""The programs of a fleet as tables in existing engines; the extra `fleet` installs the requirements.

    jaxpr.fleet.index(directory, "fleet.duckdb")    tables in DuckDB; `python -m jaxpr index` does the same
    jaxpr.fleet.rows(batches)                       rows for any engine that uses Arrow's batches
    jaxpr.fleet.schema()                            the columns of these rows
    jaxpr.fleet.spark                               the same tables in Spark

doc/fleet.md is the manual; schema.sql beside this file defines the tables, with a comment on each."""

from typing import Any, Dict, Iterable, Iterator

import pyarrow as _pyarrow
from pyarrow.compute import binary_length as _binary_length

from ._worker import REQUEST as _REQUEST
from ._worker import rows_schema as _rows_schema
from ._workers import borrowed as _borrowed
from ._workers import parts as _parts

__all__ = ["index", "rows", "schema"]


def index(directory: Any, database: Any, **options: Any) -> Dict[str, Any]:
    """Reads the programs of all files below a directory into a DuckDB database, and returns the row of this run in `runs`.

    Files that have not changed since the last run are skipped; `history` records the earlier digests of programs that changed
    or were removed. An interrupted run keeps what it has read, and the next run continues from there. A file or a program that
    cannot be read gets a row with an `error`.

    jobs: the number of processes that read files; 0, the default: one per processor.
    extract: read all files, and find programs in other text, such as logs; by default, only files named NAME.jaxpr,
        NAME.jaxpr.txt, NAME.jaxpr.gz and so on are read, which contain only programs.
    add: keep the programs of files that are not in the directory.
    progress: show a progress bar on standard error if it is a terminal."""
    from ._index import index as run  # imports DuckDB, which worker processes do not need

    return run(directory, database, **options)


def schema() -> Any:
    """The columns of `rows` as a pyarrow.Schema: those of `jaxpr.batch(texts, details=True)`, but `source` is text and
    `name` is left out."""
    return _rows_schema()


def rows(batches: Iterable[Any], *, extract: bool = False) -> Iterator[Any]:
    """Reads texts, and yields pyarrow.RecordBatches of `schema()` with a row for each program.

    `batches` are pyarrow.RecordBatches with the columns `source`, the name of a text, and `text`, its bytes or characters, which
    may be compressed by gzip. Texts are read in a separate process; a text that kills it gets a row with an `error`.

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
