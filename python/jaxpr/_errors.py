# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package: one family, whose root is Error."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._findings import Findings


def visible(text: object) -> str:
    """A text with control characters and characters that hide or reorder text escaped, except tabs and line ends."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in str(text))


class Error(Exception):
    """The base of all exceptions that this package defines.

    A file that cannot be opened raises OSError, and memory that runs out raises MemoryError, as everywhere in Python."""

    def __init__(self, *words: object) -> None:
        super().__init__(*(visible(word) for word in words))


class InvalidProgram(Error):
    """A text has errors, so that the function has no result, or `Findings.raise_if_error` found errors.

    `findings` contains the findings; the message is what `jaxpr check` prints."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(str(findings))
        self.findings = findings


class UsageError(Error, ValueError):
    """An argument has an invalid value, such as the name of an unknown pass."""


class UnsupportedObject(Error, TypeError):
    """An object is neither text nor a file, and has no Jaxpr."""


class LibraryError(Error):
    """The shared library of the package is missing, has the wrong version, or failed unexpectedly."""


class NotLoadable(Error, ValueError):
    """A text cannot become a program of the installed JAX; the message says where and why."""


class Missing(Error, RuntimeError):
    """A loaded program used something that its text does not contain; the message says what to pass to `load`."""


class UnsupportedJax(Error, ImportError):
    """JAX is not installed, or its version is not supported."""
