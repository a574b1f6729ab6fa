# SPDX-License-Identifier: Apache-2.0
"""The DuckDB database of an index, whose tables schema.sql documents. All rows are added by the transaction of `Store.add`, so
that the database is consistent whenever the process ends."""

from __future__ import annotations

import os
from typing import Any, Dict, List

import duckdb
import pyarrow

from .._facts import COLUMNS, DETAILS
from ._worker import rows_schema

_SCALARS = ", ".join(name for name, _ in (("source", "u"), *COLUMNS))
_LISTED = pyarrow.schema([("source", pyarrow.string()), ("size", pyarrow.int64()), ("modified", pyarrow.int64())])
BY_DIGEST = ("operations", "costs", "nested")  # tables with rows for each digest; the others have rows for each program

# `pending_rows` and `pending_texts` are the results of workers, `listing` is the current contents of the directory
_FRESH = """
CREATE OR REPLACE TEMP TABLE fresh AS
SELECT * FROM pending_rows WHERE digest IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY digest ORDER BY source, program) = 1"""
_KNOWN = """
DELETE FROM fresh WHERE digest IN (
    SELECT digest FROM programs WHERE digest IN (SELECT digest FROM fresh)
    UNION ALL SELECT digest FROM history WHERE digest IN (SELECT digest FROM fresh))"""
_KEPT = """
CREATE OR REPLACE TEMP TABLE kept AS
SELECT source, program, p.run FROM programs p JOIN pending_rows r USING (source, program)
WHERE p.digest IS NOT DISTINCT FROM r.digest"""
_CHANGED = "source IN (SELECT source FROM pending_texts WHERE NOT same)"
_ENDED = f"""
INSERT INTO history SELECT source, program, digest, p.run, $run FROM programs p
WHERE {_CHANGED} AND (source, program) NOT IN (SELECT (source, program) FROM kept)"""
_GONE = "source NOT IN (SELECT source FROM listing)"


def _inserted(table: str, rows: str) -> str:
    """A query that inserts the rows in a column of lists into the table of that name."""
    key = "digest" if table in BY_DIGEST else "source, program, digest"
    fields = ", ".join(f'it."{name}"' for name, _ in dict(DETAILS)[table])
    return f"INSERT INTO {table} SELECT {key}, {fields} FROM (SELECT {key}, unnest({table}) AS it FROM {rows})"


class Store:
    """An open database, to which rows are added."""

    def __init__(self, path: str, version: str, directory: str, workers: int) -> None:
        self._database = duckdb.connect(path)
        with open(os.path.join(os.path.dirname(__file__), "schema.sql"), encoding="utf-8") as schema:
            self._database.execute(schema.read())
        self._version = version
        row = self._one(
            "INSERT INTO runs (run, started, version, directory, workers, files, unchanged, bytes, programs, failed, equations) "
            "SELECT coalesce(max(run), 0) + 1, make_timestamp(epoch_us(now())), $version, $directory, $workers, 0, 0, 0, 0, 0, 0 FROM runs RETURNING run",
            version=version,
            directory=directory,
            workers=workers,
        )
        self.run: int = row["run"]

    def _one(self, query: str, **values: Any) -> Dict[str, Any]:
        done = self._database.execute(query, values) if values else self._database.execute(query)
        names = [column[0] for column in done.description]
        return dict(zip(names, done.fetchone()))

    def list(self, listing: List[Any]) -> Any:
        """Records the current files, given as tables with the columns _LISTED, and returns a table of those to read, with the
        columns `source`, `size` and `known`."""
        listed = pyarrow.concat_tables(listing) if listing else _LISTED.empty_table()
        self._database.register("listed", listed)
        self._database.execute("CREATE OR REPLACE TEMP TABLE listing AS SELECT * FROM listed")
        self._database.unregister("listed")
        found = self._database.sql(
            """
            SELECT l.source, l.size, CASE WHEN f.version = $version THEN f.content END AS known
            FROM listing l LEFT JOIN files f USING (source)
            WHERE f.source IS NULL OR f.size <> l.size OR f.modified <> l.modified OR f.version <> $version
            ORDER BY l.source""",
            params={"version": self._version},
        )
        # named to_arrow_table since DuckDB 1.4
        pending = found.to_arrow_table() if hasattr(found, "to_arrow_table") else found.fetch_arrow_table()
        self._database.execute(
            "UPDATE runs SET files = $files, unchanged = $files - $pending WHERE run = $run",
            {"files": listed.num_rows, "pending": pending.num_rows, "run": self.run},
        )
        return pending

    def add(self, rows: List[Any], texts: List[Any]) -> None:
        """Adds the results of workers for some files in a transaction: tables of rows, and of TEXTS."""
        database = self._database
        read = pyarrow.concat_tables(texts)
        database.register("pending_texts", read)
        database.register("pending_rows", pyarrow.concat_tables(rows) if rows else rows_schema().empty_table())
        database.execute("BEGIN")
        try:
            if rows:
                self._add_rows()
            database.execute("DELETE FROM files WHERE source IN (SELECT source FROM pending_texts)")
            database.execute(
                "INSERT INTO files SELECT source, l.size, l.modified, t.content, $version, $run "
                "FROM pending_texts t JOIN listing l USING (source)",
                {"version": self._version, "run": self.run},
            )
            database.execute(
                """
                UPDATE runs SET bytes = runs.bytes + t.bytes, unchanged = unchanged + t.same,
                    programs = runs.programs + r.programs, failed = runs.failed + r.failed,
                    equations = least(runs.equations + r.equations, 9223372036854775807)
                FROM (SELECT sum(bytes) AS bytes, count(*) FILTER (WHERE same) AS same FROM pending_texts) t,
                    (SELECT count(*) AS programs, count(error) AS failed, coalesce(sum(equations), 0) AS equations
                     FROM pending_rows) r
                WHERE run = $run""",
                {"run": self.run},
            )
            database.execute("COMMIT")
        except BaseException:
            database.execute("ROLLBACK")
            raise
        finally:
            database.unregister("pending_texts")
            database.unregister("pending_rows")

    def _add_rows(self) -> None:
        database = self._database
        database.execute(_FRESH)
        database.execute(_KNOWN)
        database.execute(_KEPT)
        database.execute(_ENDED, {"run": self.run})
        for table in ("programs", "findings", "lines"):
            database.execute(f"DELETE FROM {table} WHERE {_CHANGED}")
        database.execute(
            f"INSERT INTO programs SELECT {_SCALARS}, coalesce(k.run, $run) "
            "FROM pending_rows LEFT JOIN kept k USING (source, program)",
            {"run": self.run},
        )
        for table, _ in DETAILS:
            database.execute(_inserted(table, "fresh" if table in BY_DIGEST else "pending_rows"))

    def finish(self, complete: bool, seconds: float) -> Dict[str, Any]:
        """Ends the run; if the listing was complete, removes programs whose files are not in it. Returns the row of the run."""
        database = self._database
        database.execute("BEGIN")
        if complete:
            database.execute(
                f"INSERT INTO history SELECT source, program, digest, run, $run FROM programs WHERE {_GONE}", {"run": self.run}
            )
            for table in ("programs", "findings", "lines", "files"):
                database.execute(f"DELETE FROM {table} WHERE {_GONE}")
        row = self._one(
            "UPDATE runs SET finished = make_timestamp(epoch_us(now())), seconds = $seconds WHERE run = $run RETURNING *", run=self.run, seconds=seconds
        )
        database.execute("COMMIT")
        return row

    def close(self) -> None:
        """Closes the database."""
        self._database.close()
