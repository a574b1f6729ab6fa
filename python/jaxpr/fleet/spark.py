# SPDX-License-Identifier: Apache-2.0
"""The tables of a fleet in Spark: `programs`, `operations`, `costs`, `nested`, `findings` and `lines`, as in schema.sql.

    tables = spark.write(spark.texts(session, "dumps"), "fleet")

Each executor needs jaxpr and pyarrow. `mapInArrow` reads texts on the executors that have them; only rows by digest are
shuffled, once."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator
from urllib.parse import unquote, urlparse

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from .._facts import COLUMNS, DETAILS
from ._store import BY_DIGEST
from ._worker import ROWS

_TYPES = {"u": "string", "l": "bigint"}


def _ddl(kind: Any) -> str:
    if isinstance(kind, str):
        return _TYPES[kind]
    return "array<struct<" + ", ".join(f"`{name}`: {_ddl(each)}" for name, each in kind) + ">>"


SCHEMA = ", ".join(f"`{name}` {_ddl(kind)}" for name, kind in ROWS)


def texts(session: SparkSession, directory: str, extract: bool = False) -> DataFrame:
    """The files below a directory, which every executor must be able to read: `source`, the path in the directory, and `text`."""
    reader = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    if not extract:
        reader = reader.option("pathGlobFilter", "*.jaxpr{,.*}")
    root = directory if urlparse(directory).scheme else "file:" + os.path.abspath(directory)
    below = f.udf(lambda path: _below(path, root), "string")
    return reader.load(root).select(below("path").alias("source"), f.col("content").alias("text"))


def _below(path: str, root: str) -> str:
    path, root = (unquote(urlparse(each).path) for each in (path, root))
    return os.path.relpath(path, root)


def rows(frame: DataFrame, extract: bool = False) -> DataFrame:
    """A frame with a row for each program in a frame with the columns `source` and `text`; see `jaxpr.fleet.rows`."""

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        from jaxpr import fleet

        return fleet.rows(batches, extract=extract)

    return frame.select("source", "text").mapInArrow(read, SCHEMA)


def tables(frame: DataFrame) -> Dict[str, DataFrame]:
    """The tables, by name, of a frame that `rows` returned. Spark computes the frame again for each table: persist it, or use
    `write`."""
    keys = ["source", "program", "digest"]
    made = {"programs": frame.select("source", *[name for name, _ in COLUMNS])}
    first = (
        frame.where("digest IS NOT NULL")
        .groupBy("digest")
        .agg(f.min_by(f.struct(*BY_DIGEST), f.struct("source", "program")).alias("it"))
        .select("digest", "it.*")
    )
    for table, _ in DETAILS:
        base, key = (first, ["digest"]) if table in BY_DIGEST else (frame, keys)
        made[table] = base.select(*(f.col(each) for each in key), f.inline(table))
    made["nested"] = made["nested"].toDF("digest", "nested", "name", "equations", "copies")
    return made


def write(frame: DataFrame, path: str, extract: bool = False) -> Dict[str, DataFrame]:
    """Writes the tables of a frame of texts as Parquet below a path, and returns them by name. Existing tables are replaced."""
    session = frame.sparkSession
    rows(frame, extract).write.mode("overwrite").parquet(f"{path}/rows", compression="zstd")
    read = session.read.schema(SCHEMA).parquet(f"{path}/rows")
    made = tables(read)
    for name, table in made.items():
        table.write.mode("overwrite").parquet(f"{path}/{name}", compression="zstd")
    return {name: session.read.parquet(f"{path}/{name}") for name in made}
