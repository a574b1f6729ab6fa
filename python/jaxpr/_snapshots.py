# SPDX-License-Identifier: Apache-2.0
"""Snapshots: printed programs in files beside the tests that made them.

A snapshot is the text that JAX printed, preceded by comments with the test, the version of JAX and the digest. If a test
fails, the text that it printed instead is pending: it is kept beside the snapshot, in a file whose name ends in `.new`, until
it is accepted or rejected. The plugin for pytest, `jaxpr-review` and the extension for syrupy use these functions."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._diff import Diff
from ._errors import UnsupportedObject
from ._source import print_live, source
from ._verbs import diff, hashes, norm

DIRECTORY = "__jaxpr__"
SUFFIX = ".jaxpr"
PENDING = ".new"

_KEYS = ("test", "jax", "digest")  # of the header, in this order; only the last one is required
_SOURCES = "# with source lines, which are not kept:"
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]{5,}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.,=+-]+")
_LONGEST = 160


class Printed(NamedTuple):
    """A program that a test printed."""

    text: str
    """The text that a snapshot contains."""
    sources: str
    """The same with source lines, if it has any."""
    jax: Optional[str]
    """The version of JAX, if JAX is imported."""
    digest: str
    """The digests of all programs in the text, separated by spaces."""


class Snapshot(NamedTuple):
    """The contents of a file."""

    header: Dict[str, str]
    text: str
    sources: str


# ---- what a test prints ----


def print_program(
    x: Any, args: Tuple[Any, ...] = (), kwargs: Optional[Dict[str, Any]] = None, root: str = ""
) -> Printed:
    """Prints what a test passed: text, a file, a live object of JAX, or a function and the arguments to trace it with.

    Paths below the directory `root` become relative in source lines. Raises InvalidProgram if the text has errors of
    syntax or scope, or no program, and UnsupportedObject for other objects."""
    if isinstance(x, (str, bytes, bytearray, memoryview, os.PathLike)):
        if args or kwargs:
            raise UnsupportedObject(f"a {type(x).__name__} takes no arguments; only functions are traced")
        data = source(x).keep().data
        text = sources = data if isinstance(data, str) else bytes(data).decode("utf-8", "surrogateescape")
    else:
        live = x
        plain = print_live(x, source_info=False)
        if plain is None or args or kwargs:
            if not callable(x):
                source(x)  # raises the error that lists the accepted objects
                raise UnsupportedObject(f"a {type(x).__name__} cannot be traced; pass a function and its arguments")
            live = trace(x, args, kwargs or {})
            plain = print_live(live, source_info=False)
        text, sources = plain or "", print_live(live) or ""
        if root:
            sources = sources.replace("# " + os.path.join(root, ""), "# ")
    text, sources = _clean(text), _clean(sources)
    return Printed(text, sources, _jax_version(), " ".join(hashes(text)))


def trace(function: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    """Traces a function: a jitted one with its method `trace`, so that its static arguments stay static, others with
    `jax.make_jaxpr`. JAX is imported only here."""
    tracer = getattr(function, "trace", None)
    if callable(tracer) and hasattr(function, "lower"):
        return tracer(*args, **kwargs)
    import jax

    return jax.make_jaxpr(function)(*args, **kwargs)


def _clean(text: str) -> str:
    """A text without colours, with zeros for addresses, which differ in each run, and with one newline at its end."""
    return _ADDRESS.sub(" at 0x000000000000", _ESCAPE.sub("", text)).replace("\r\n", "\n").strip("\n") + "\n"


def _jax_version() -> Optional[str]:
    return getattr(sys.modules.get("jax"), "__version__", None)


# ---- files ----


def write(path: str, printed: Printed, test: str, pending: bool = False) -> None:
    """Writes a snapshot, or, if `pending`, its file with `.new`."""
    values = {"test": " ".join(test.split()), "jax": printed.jax, "digest": printed.digest}
    text = "".join(f"# {key}: {values[key]}\n" for key in _KEYS if values[key]) + printed.text
    if pending and printed.sources != printed.text:
        text += _SOURCES + "\n" + "".join(f"# {line}\n" for line in printed.sources.splitlines())
    write_file(path + PENDING if pending else path, text)


def write_file(path: str, text: str) -> None:
    """Writes a file atomically: other processes read the old file or the new one. Creates its directory."""
    directory = os.path.dirname(path) or "."
    os.makedirs(directory, exist_ok=True)
    number, temporary = tempfile.mkstemp(dir=directory, prefix=".jaxpr-")
    try:
        with open(number, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        remove(temporary)
        raise


def _mode(path: str) -> int:
    """The permissions of a file, or those that a new one would get."""
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def read(path: str) -> Optional[Snapshot]:
    """Reads a snapshot, or a file with `.new`; None if it does not exist."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    header, text = _split_header(text)
    at = text.find("\n" + _SOURCES + "\n")
    if at < 0:
        return Snapshot(header, text, text)
    lines = text[at + len(_SOURCES) + 2 :].splitlines()
    return Snapshot(header, text[: at + 1], "".join(line[2:] + "\n" for line in lines))


def _split_header(text: str) -> Tuple[Dict[str, str], str]:
    header: Dict[str, str] = {}
    at = 0
    for key in _KEYS:
        start = f"# {key}: "
        if text.startswith(start, at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            header[key] = text[at + len(start) : end]
            at = end + 1
    return (header, text[at:]) if "digest" in header else ({}, text)


def accept(path: str) -> None:
    """Replaces a snapshot by its pending text; raises FileNotFoundError if there is none."""
    new = read(path + PENDING)
    if new is None:
        raise FileNotFoundError(path + PENDING)
    header = "".join(f"# {key}: {new.header[key]}\n" for key in _KEYS if key in new.header)
    write_file(path, header + new.text)
    remove(path + PENDING)


def remove(path: str) -> None:
    """Removes a file, if it exists."""
    try:
        os.unlink(path)
    except (FileNotFoundError, NotADirectoryError):
        pass


def remove_empty(directory: str) -> None:
    """Removes a directory of snapshots, and then the `__jaxpr__` that contains it, if they are empty."""
    for each in (directory, os.path.dirname(directory)):
        try:
            os.rmdir(each)
        except OSError:
            return


def snapshot_of(path: str) -> str:
    """The path of the snapshot of a file with `.new`; other paths unchanged."""
    return path[: -len(PENDING)] if path.endswith(SUFFIX + PENDING) else path


def find_pending(root: str) -> Iterator[str]:
    """The paths of pending snapshots below a directory, in order."""
    for directory, below, files in os.walk(root):
        below[:] = sorted(d for d in below if not d.startswith(".") and d not in ("node_modules", "site-packages"))
        if DIRECTORY in os.path.abspath(directory).split(os.sep)[-2:]:
            for name in sorted(files):
                if name.endswith(SUFFIX + PENDING):
                    yield os.path.join(directory, snapshot_of(name))


# ---- names ----


def safe_name(name: str) -> str:
    """A text as part of a file name, with a hash if characters had to be replaced, so that different texts have different
    names."""
    safe = _UNSAFE.sub("_", name)
    if safe == name and len(name) <= _LONGEST:
        return name
    return f"{safe[: _LONGEST - 9]}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def owner_of(file: str) -> str:
    """The name of the test that a file of snapshots belongs to, as `test_name` returns it."""
    return snapshot_of(file)[: -len(SUFFIX)].split("@")[0]


def test_name(classes: List[str], function: str, parameters: str) -> str:
    """The name of a test's files before `@2` or `@NAME` and `.jaxpr`: its classes, its function and, if it has
    parameters, their id."""
    name = safe_name(".".join([*classes, function]))
    return f"{name}-{safe_name(parameters)}" if parameters else name


# ---- comparing ----


def compare(old: Snapshot, printed: Printed, **options: Any) -> str:
    """How a program compares with its snapshot: "same", byte for byte; "respelled", equal but printed differently; or
    "changed".

    Options are those of `jaxpr.eq`. Raises InvalidProgram if the snapshot has errors of syntax or scope."""
    if old.text.rstrip("\n") == printed.text.rstrip("\n"):
        return "same"
    left = hashes(old.text, **options)
    right = hashes(printed.text, **options) if options else tuple(printed.digest.split())
    return "respelled" if left == right else "changed"


def difference(old: Snapshot, new: str, name_a: str, name_b: str, **options: Any) -> Tuple[str, Diff]:
    """The differences between a snapshot and a text: a phrase such as "2 equations changed", and a Diff."""
    found = diff(old.text, new, name_a=name_a, name_b=name_b, **options)
    return counted(found), found


def canonical_difference(old: str, new: str) -> str:
    """A unified diff of two canonical forms, for programs that are not equal although `diff` finds no differences."""
    import difflib

    lines = difflib.unified_diff(norm(old).splitlines(), norm(new).splitlines(), "old", "new", lineterm="", n=1)
    return "\n".join(lines)


def counted(found: Diff) -> str:
    """The counts of differences as a phrase."""
    words = [
        (found.changed, "equation", "changed"),
        (found.added, "equation", "added"),
        (found.removed, "equation", "removed"),
        (found.moved, "equation", "moved"),
        (found.signature, "argument or result list", "changed"),
        (found.programs, "program", "on one side only"),
    ]
    parts: List[str] = []
    before = ""
    for n, what, how in words:
        if n:
            noun = "" if before == what else f" {what}" + ("" if n == 1 else "s")
            parts.append(f"{n}{noun} {how}")
            before = what
    return ", ".join(parts) or "not equal"
