# SPDX-License-Identifier: Apache-2.0
"""The differences between two texts."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, List, Tuple

from . import _library as c
from ._findings import raise_errors
from ._library import lib
from ._source import Source
from ._terminal import interactive, to_html

_TEXT, _JSON, _STAT, _SUMMARY = range(4)  # enum jx_diff_form


class Diff:
    """The differences between two texts. It is false if there are none.

    `print(diff)` shows the differences as `jaxpr diff` does; an interactive Python on a terminal and a notebook show them
    in colour."""

    changed: int
    """The number of equations that are in both and differ."""
    added: int
    """The number of equations that are only in the second text."""
    removed: int
    """The number of equations that are only in the first text."""
    moved: int
    """The number of equations that moved."""
    signature: int
    """The number of lists of arguments or results that differ."""
    programs: int
    """The number of programs that only one of the texts contains, or that moved."""
    unequal: int
    """The number of programs that are compared with one that is not equal."""

    def __init__(self, a: Source, b: Source, options: Dict[str, Any]) -> None:
        self._a, self._b, self._options = a, b, options
        text, counts = self._run(format=_TEXT)
        self._text = text
        for name, _ in c.jx_diff_counts._fields_:
            setattr(self, name, getattr(counts, name))

    def _run(self, **options: Any) -> Tuple[str, Any]:
        a, b = self._a.read(), self._b.read()
        counts = c.jx_diff_counts()
        how = c.jx_diff_options(**{**self._options, **options}, in_place=True)
        chunks: List[bytes] = []
        arguments = (a.handle, b.handle, ctypes.byref(how), c.collect, chunks)
        with c.result(lib.jx_diff, lib.jx_differences_free, *arguments, context=a.context) as found:
            lib.jx_differences_counts(found, ctypes.byref(counts), ctypes.sizeof(counts))
        for module in (a, b):
            raise_errors(module)
        return b"".join(chunks).decode("utf-8", "replace"), counts

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name, _ in c.jx_diff_counts._fields_)

    def text(self, *, color: bool = False, columns: int = 0, all: bool = False) -> str:
        """The differences as `jaxpr diff` prints them, with a newline at the end; empty if nothing changed.

        color: with the escapes of a terminal.
        columns: print both sides next to each other in this many columns; 0: one below the other.
        all: also print repeated changes, and each equation of a moved block."""
        if not self:
            return ""
        if not (color or columns or all):
            return self._text
        return self._run(format=_TEXT, color=color, columns=columns, all=all)[0]

    def summary(self) -> str:
        """The counts, in total and by source line or function, as `jaxpr diff --summary` prints them."""
        return self._run(format=_SUMMARY)[0]

    def json(self) -> Any:
        """The counts and hunks as `jaxpr diff --format=json` prints them, as Python objects; jaxpr-diff(1) describes them."""
        return json.loads(self._run(format=_JSON)[0])

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return self.text(color=interactive()).rstrip("\n") or "no differences"

    def _repr_html_(self) -> str:
        return to_html(self.text(color=True)) if self else "<p>no differences</p>"
