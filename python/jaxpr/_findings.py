# SPDX-License-Identifier: Apache-2.0
"""Findings, one by one and as a document."""

from __future__ import annotations

import contextlib
import ctypes
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

from . import _library as c
from ._errors import InvalidProgram, UsageError, visible
from ._library import lib
from ._terminal import interactive, to_html

if TYPE_CHECKING:
    from ._library import Module

# in the order of enum jx_render_format
_FORMATS = ("text", "gcc", "json", "sarif", "github", "gitlab", "junit", "jsonl")


class Span(NamedTuple):
    """A range of a text: lines and columns from 1, columns in code points, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Note(NamedTuple):
    """A note of a finding; `span` is its position, or None."""

    message: str
    span: Optional[Span]


class _Fields(NamedTuple):
    code: str
    """A stable code, such as "T008"."""
    name: str
    """The name of the code, such as "operand-types"."""
    level: str
    """"error", "warning" or "note"."""
    message: str
    """One line, without a full stop."""
    span: Optional[Span]
    """Its position; None for the text as a whole."""
    notes: Tuple[Note, ...]
    """Notes about the origin of the other side, and about what to do."""
    program: Optional[int]
    """The index of its program in the text, from 0; None for the text as a whole."""


class Finding(_Fields):
    """One finding. `jaxpr explain CODE` and `jaxpr.explain(CODE)` explain its code with an example."""

    _fix: Optional[Callable[[Finding], Optional[str]]] = None

    @property
    def fixes(self) -> Tuple[str, ...]:
        """The text with only this finding fixed, in a tuple that is empty if it has no fix. A fix never changes what a
        program computes. Only findings of `lint` have fixes; they are computed when this property is read."""
        text = self._fix(self) if self._fix else None
        return () if text is None else (text,)

    def __str__(self) -> str:
        return visible(f"{self.span}: {self.level}: {self.message} [{self.code} {self.name}]")


def _span(file: str, place: Any) -> Optional[Span]:
    return Span(file, place.line, place.column, place.end_line, place.end_column) if place.line else None


def findings_of(*modules: Module, keep: Any = None) -> Findings:
    """The current diagnostics of modules, in order; the result keeps references to the modules and to `keep`."""
    count = errors = unverified = 0
    types: List[str] = []
    for module in modules:
        found = lib.jx_diagnostic_count(module.handle, 0)
        if found:
            count += found
            errors += lib.jx_diagnostic_count(module.handle, 2)
        unverified += lib.jx_unverified_count(module.handle)
        kept = min(lib.jx_unknown_type_count(module.handle), 9)
        types += (c.text(lib.jx_unknown_type(module.handle, i)) for i in range(kept))
    return Findings(modules, count, errors, unverified, tuple(dict.fromkeys(types)), keep)


def raise_errors(module: Module) -> None:
    """Raises InvalidProgram if the module has errors."""
    if module.errors():
        raise InvalidProgram(findings_of(module))


def _read_finding(module: Module, i: int) -> Finding:
    d = c.jx_diagnostic()
    lib.jx_diagnostic_at(module.handle, i, ctypes.byref(d), ctypes.sizeof(d))
    notes = []
    for k in range(d.notes):
        message, place = c.jx_string(), c.jx_place()
        lib.jx_diagnostic_note(module.handle, i, k, ctypes.byref(message), ctypes.byref(place))
        file = c.text(lib.jx_diagnostic_note_file(module.handle, i, k)) or module.name
        notes.append(Note(c.text(message), _span(file, place)))
    return Finding(
        d.code.code.decode(),
        d.code.name.decode(),
        c.LEVELS[d.level],
        c.text(d.message),
        _span(module.name, d.place),
        tuple(notes),
        None if d.program == c.NONE else d.program,
    )


class Findings(Sequence[Finding]):
    """A sequence of `Finding`, in the order of the text.

    It is false if there are no findings. `print(findings)` prints what the program `jaxpr` prints; a notebook shows the
    same in colour."""

    def __init__(
        self,
        modules: Tuple[Module, ...],
        count: int,
        errors: int,
        unverified: int,
        unknown_types: Tuple[str, ...],
        keep: Any = None,
    ) -> None:
        self._modules = modules
        self._items: Optional[Tuple[Finding, ...]] = None if count else ()
        self._count = count
        self._errors = errors
        self._keep = keep
        self.unverified = unverified
        """The number of equations that could not be verified, whose printed result types were trusted."""
        self.unknown_types = unknown_types
        """Types that JAX, PennyLane and Catalyst are not known to print, at most nine of each program: only their texts
        were compared."""

    @property
    def ok(self) -> bool:
        """Whether there is no error; there may be warnings and notes."""
        return self._errors == 0

    @property
    def errors(self) -> Tuple[Finding, ...]:
        """The findings of level "error"."""
        return tuple(f for f in self._all() if f.level == "error")

    @property
    def warnings(self) -> Tuple[Finding, ...]:
        """The findings of level "warning"."""
        return tuple(f for f in self._all() if f.level == "warning")

    def _all(self) -> Tuple[Finding, ...]:
        if self._items is None:
            items = []
            for module in self._modules:
                with module.lock:
                    count = lib.jx_diagnostic_count(module.handle, 0)
                    items += [_read_finding(module, i) for i in range(count)]
            self._items = tuple(items)
        return self._items

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, i: int) -> Finding: ...
    @overload
    def __getitem__(self, i: slice) -> Tuple[Finding, ...]: ...
    def __getitem__(self, i: Union[int, slice]) -> Any:
        return self._all()[i]

    def raise_if_error(self) -> Findings:
        """Raises InvalidProgram if there is an error; otherwise returns these findings."""
        if self._errors:
            raise InvalidProgram(self)
        return self

    def render(self, format: str = "text", *, color: bool = False, max_findings: int = 0) -> str:
        """The findings as a document.

        `format` is one of "text", "gcc", "json", "sarif", "github", "gitlab", "junit" and "jsonl", as for
        `jaxpr check --format`; `color` applies to "text". At most `max_findings` are written; 0: all."""
        if format not in _FORMATS:
            raise UsageError(f"unknown format `{format}`; expected one of {', '.join(_FORMATS)}")
        modules = self._modules
        options = c.jx_render_options(format=_FORMATS.index(format), color=color, max_findings=max_findings)
        handles = (ctypes.c_void_p * len(modules))(*(module.handle for module in modules))
        with contextlib.ExitStack() as locks:
            for lock in sorted({module.lock for module in modules}, key=id):  # in the same order in all threads
                locks.enter_context(lock)
            context = modules[0].context
            written = c.write(
                lib.jx_render, context, handles, len(modules), ctypes.byref(options), context=context
            )
        return written.decode("utf-8", "replace")

    def text(self, *, color: bool = False) -> str:
        """What `jaxpr check` prints; empty if there are no findings."""
        return self.render("text", color=color) if self._count else ""

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return self.text(color=interactive()).rstrip("\n") or "no findings"

    def _repr_html_(self) -> str:
        if not self._count:
            return "<p>no findings</p>"
        return to_html(self.text(color=True))
