# SPDX-License-Identifier: Apache-2.0
"""Worker processes. If one dies, the texts of its request are read again, in halves, until a single text has killed two
workers; this text gets a row with an error."""

from __future__ import annotations

import atexit
import collections
import contextlib
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Deque, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import pyarrow

from ._worker import TEXTS, failure, read_frame, table_of, write_frame

CODE = "from jaxpr.fleet._worker import main; main()"  # of a worker
Answer = Tuple[List[Any], List[Any]]  # tables of rows, tables of texts


_FILES, _BYTES = 200, 4 << 20  # the most files and bytes of a request, except that a single text may be larger


def parts(sizes: Sequence[int]) -> Iterator[Tuple[int, int]]:
    """Divides texts of these sizes into requests: the index of the first text of each, and their number."""
    first, size = 0, 0
    for at, each in enumerate(sizes):
        size += each
        if size >= _BYTES or at + 1 - first >= _FILES or at + 1 == len(sizes):
            yield first, at + 1 - first
            first, size = at + 1, 0


class _Died(Exception):
    """A worker ended; the argument is a phrase that describes how."""


class Worker:
    """A process, started for the first request, and for the next one after it died."""

    def __init__(self, extract: bool) -> None:
        self._words = [sys.executable, "-c", CODE] + ["extract"] * extract
        self._process: Optional[Any] = None

    def _ask(self, request: Any) -> Answer:
        if self._process is None:
            self._process = subprocess.Popen(
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        process: Any = self._process
        tables: List[Any] = []
        try:
            write_frame(process.stdin, request)
            process.stdin.flush()
            for table in iter(lambda: read_frame(process.stdout), None):
                tables.append(table)
            return tables, [read_frame(process.stdout)]
        except (EOFError, OSError, pyarrow.ArrowException):
            raise _Died(self._ending()) from None

    def _ending(self) -> str:
        """Ends the process, if it still runs, and returns a phrase that describes how it ended."""
        process: Any = self._process
        self._process = None
        for stream in (process.stdin, process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        try:
            status = process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        if status >= 0:
            return f"ended with status {status}"
        try:
            return f"was killed by {signal.Signals(-status).name}"
        except ValueError:
            return f"was killed by signal {-status}"

    def ask(self, request: Any) -> Answer:
        """The response to a request, even if workers die."""
        tables: List[Any] = []
        texts: List[Any] = []
        waiting = [(request, 2)]  # with the number of tries left if it is a single text
        while waiting:
            part, tries = waiting.pop()
            try:
                more, known = self._ask(part)
            except _Died as death:
                half = part.num_rows // 2
                if half:
                    waiting += [(part.slice(half), 2), (part.slice(0, half), 2)]
                    continue
                if tries > 1:
                    waiting.append((part, tries - 1))
                    continue
                source = part.column("source")[0].as_py()
                more = [table_of([failure(source, f"the process that read it {death}, twice")])]
                known = [pyarrow.table([[source], [None], [0], [False]], schema=TEXTS)]
            tables += more
            texts += known
        return tables, texts

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()


# idle workers, which are kept since starting one takes longer than many requests; they end with this process
_IDLE: Dict[bool, List[Worker]] = {}


@atexit.register
def _end_idle() -> None:
    for worker in _IDLE.pop(False, []) + _IDLE.pop(True, []):
        worker.close()


@contextlib.contextmanager
def borrowed(extract: bool) -> Iterator[Worker]:
    """A worker, kept for the next use unless this use fails."""
    idle = _IDLE.setdefault(extract, [])
    worker = idle.pop() if idle else Worker(extract)
    try:
        yield worker
    except BaseException:
        worker.close()
        raise
    idle.append(worker)


class Workers:
    """Several workers, whose responses are returned in the order of the requests."""

    def __init__(self, number: int, extract: bool) -> None:
        self._number, self._extract = number, extract
        self._mine = threading.local()
        self._all: List[Worker] = []
        self._threads = ThreadPoolExecutor(number)

    def _ask(self, request: Any) -> Answer:
        worker = getattr(self._mine, "worker", None)
        if worker is None:
            worker = self._mine.worker = Worker(self._extract)
            self._all.append(worker)
        return worker.ask(request)

    def answers(self, requests: Iterable[Any]) -> Iterator[Answer]:
        """The responses in the order of the requests; a few requests are sent in advance."""
        waiting: Deque[Future[Answer]] = collections.deque()
        for request in requests:
            waiting.append(self._threads.submit(self._ask, request))
            if len(waiting) > 3 * self._number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def close(self) -> None:
        """Ends the processes; requests without a response are dropped."""
        self._number = 0
        for worker in self._all:
            worker.close()
        self._threads.shutdown(wait=False)
