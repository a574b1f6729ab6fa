# SPDX-License-Identifier: Apache-2.0
"""`python -m jaxpr index`: writes the programs of a directory to a database for queries."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import sys
import threading
import time
from typing import Any, Dict, Iterator, List, Tuple

import duckdb
import pyarrow
from tqdm import tqdm

from .. import __version__
from ._store import _LISTED, Store
from ._worker import REQUEST
from ._workers import Workers, parts

_ROWS, _SECONDS = 20000, 10  # the most files, and the most seconds, of a transaction
_LISTED_AT_ONCE = 10000
# names of JAX's dumps of programs: NAME.jaxpr, NAME.jaxpr.txt, NAME.jaxpr.gz
_PROGRAMS = re.compile(r"^[^.].*\.jaxpr(\.|$)")


class _Listing:
    """The files below a directory. `complete` becomes false if a directory could not be read."""

    def __init__(self, directory: str, every: bool) -> None:
        self.directory, self.every, self.complete = directory, every, True
        self._rows: List[Tuple[str, int, int]] = []

    def _unreadable(self, error: OSError) -> None:
        print(f"jaxpr: index: {error}", file=sys.stderr)
        self.complete = False

    def _files(self) -> Iterator[Tuple[str, int, int]]:
        for folder, folders, names in os.walk(self.directory, onerror=self._unreadable):
            below = os.path.relpath(folder, self.directory)
            if not self.every:  # the program `jaxpr` also skips hidden directories
                folders[:] = [each for each in folders if not each.startswith(".")]
            for name in names:
                path = os.path.join(folder, name)
                if not os.path.isfile(path) or os.path.islink(path) or not (self.every or _PROGRAMS.search(name)):
                    continue
                status = os.stat(path)
                source = name if below == "." else os.path.join(below, name)
                yield os.fsencode(source).decode("utf-8", "backslashreplace"), status.st_size, status.st_mtime_ns

    def tables(self) -> Iterator[Any]:
        """The files, as tables for Store.list."""
        for row in self._files():
            self._rows.append(row)
            if len(self._rows) == _LISTED_AT_ONCE:
                yield self._table()
        yield self._table()

    def _table(self) -> Any:
        rows, self._rows = self._rows, []
        return pyarrow.table([list(column) for column in zip(*rows)] or [[], [], []], schema=_LISTED)


def _requests(directory: str, pending: Any) -> Iterator[Any]:
    """The files to read, as tables of REQUEST with a few files each."""
    for first, n in parts(pending.column("size").to_pylist()):
        part = pending.slice(first, n)
        sources = part.column("source").to_pylist()
        columns = [sources, [os.path.join(directory, each) for each in sources], [None] * n]
        yield pyarrow.table([*columns, part.column("known").combine_chunks()], schema=REQUEST)


@contextlib.contextmanager
def _interrupts() -> Iterator[List[int]]:
    """A list to which the first Ctrl-C appends its signal, instead of interrupting a query of the database; a second one has the
    usual effect. In threads other than the main one, nothing is changed."""
    got: List[int] = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, _: Any) -> None:
        got.append(number)
        signal.signal(signal.SIGINT, before)

    if main and callable(before):
        signal.signal(signal.SIGINT, note)
    try:
        yield got
    finally:
        if main and callable(before):
            signal.signal(signal.SIGINT, before)


def _read(store: Store, answers: Any, bar: Any, interrupted: List[int]) -> None:
    rows: List[Any] = []
    texts: List[Any] = []
    added, count = time.monotonic(), 0
    for more, known in answers:
        rows += more
        texts += known
        bar.update(sum(each.num_rows for each in known))
        count += sum(each.num_rows for each in known)
        if count >= _ROWS or time.monotonic() - added > _SECONDS or interrupted:
            store.add(rows, texts)
            rows, texts, added, count = [], [], time.monotonic(), 0
        if interrupted:
            raise KeyboardInterrupt
    if texts:
        store.add(rows, texts)


def index(
    directory: Any, database: Any, *, jobs: int = 0, extract: bool = False, add: bool = False, progress: bool = False
) -> Dict[str, Any]:
    """See `jaxpr.fleet.index`."""
    directory = os.fsdecode(directory)
    if not os.path.isdir(directory):
        raise NotADirectoryError(f"{directory} is not a directory")
    started, number = time.monotonic(), jobs or os.cpu_count() or 1
    with _interrupts() as interrupted:
        store = Store(os.fsdecode(database), __version__, os.path.abspath(directory), number)
        workers = Workers(number, extract)
        try:
            listing = _Listing(directory, extract)
            pending = store.list(list(listing.tables()))
            with tqdm(total=pending.num_rows, unit=" files", disable=None if progress else True) as bar:
                _read(store, workers.answers(_requests(directory, pending)), bar, interrupted)
            return store.finish(listing.complete and not add, time.monotonic() - started)
        finally:
            workers.close()
            store.close()


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _print(row: Dict[str, Any], database: str) -> None:
    read = row["files"] - row["unchanged"]
    seconds = row["seconds"] or 1
    print(
        f"{_counted(row['files'], 'file')}, {read:,} of them new or changed: {_counted(row['programs'], 'program')}, "
        f"{row['failed']:,} failed"
    )
    print(
        f"{row['seconds']:.1f} s with {_counted(row['workers'], 'worker')}: {row['programs'] / seconds:,.0f} programs and "
        f"{row['equations'] / seconds:,.0f} equations per second; run {row['run']} of {database}"
    )


def main(words: List[str]) -> int:
    """Runs the command; returns its exit status: 0, 130 if it was interrupted, or 2 on errors."""
    parser = argparse.ArgumentParser(prog="python -m jaxpr index", description="Index the programs of a directory.")
    parser.add_argument("directory", metavar="DIR")
    parser.add_argument("-o", "--output", metavar="FILE", default="fleet.duckdb", help="the database (default: %(default)s)")
    parser.add_argument("-j", "--jobs", metavar="N", type=int, default=0, help="use N processes (default: one per processor)")
    parser.add_argument("--extract", action="store_true", help="read all files, and find programs in other text")
    parser.add_argument("--add", action="store_true", help="keep programs of files that are not in DIR")
    parser.add_argument("-q", "--quiet", action="store_true", help="print neither progress nor a summary")
    given = parser.parse_args(words)
    if given.jobs < 0:
        parser.error("--jobs must be at least 1")
    try:
        row = index(
            given.directory, given.output, jobs=given.jobs, extract=given.extract, add=given.add, progress=not given.quiet
        )
    except KeyboardInterrupt:
        print("jaxpr: index: interrupted; the same command continues from here", file=sys.stderr)
        return 130
    except (OSError, duckdb.Error) as error:
        print(f"jaxpr: index: {error}", file=sys.stderr)
        return 2
    if not given.quiet:
        _print(row, given.output)
    return 0
