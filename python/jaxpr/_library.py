# SPDX-License-Identifier: Apache-2.0
"""The shared library libjaxpr through ctypes: its structures, its functions, and objects for texts that were read.

Names are those of the headers jaxpr.h, jaxpr_change.h, jaxpr_tools.h and jaxpr_walk.h, which document them. The library
beside this module is loaded, unless the environment variable JAXPR_LIBRARY names another file, such as that of a build
directory. Calls release the GIL. Only one thread at a time may use a context: `Module.lock` is held during calls on modules
that threads may share."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from ctypes import (
    POINTER,
    byref,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_uint,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)
from typing import Any, Iterator, List, Optional

from ._errors import LibraryError, UsageError

NONE = 0xFFFFFFFF  # JX_NONE
OK, OUT_OF_MEMORY, READ_FAILED, WRITE_FAILED, MISUSE, UNSUPPORTED, CANCELLED = range(7)  # enum jx_status
LEVELS = ("note", "warning", "error")  # enum jx_level
VERSION = (0, 2)  # of the headers that this module matches


# ---- structures ----


def _structure(name: str, /, **fields: Any) -> Any:
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


def _options(name: str, /, **fields: Any) -> Any:
    """A structure that begins with its own size."""
    made = _structure(name, size=c_size_t, **fields)

    def begin(self: Any, **given: Any) -> None:
        ctypes.Structure.__init__(self, size=ctypes.sizeof(made), **given)
        for key, value in given.items():  # ctypes cuts off the bits that do not fit
            if isinstance(value, int) and getattr(self, key) != value:
                most = 2 ** (8 * getattr(made, key).size) - 1
                raise UsageError(f"`{key}` must be a number from 0 to {most}, got {value}")

    made.__init__ = begin
    return made


jx_string = _structure("jx_string", at=c_void_p, n=c_size_t)
jx_place = _structure("jx_place", line=c_uint32, column=c_uint32, end_line=c_uint32, end_column=c_uint32)
jx_code = _structure("jx_code", code=c_char_p, name=c_char_p, level=c_int, title=c_char_p, explain=c_char_p)
jx_diagnostic = _structure(
    "jx_diagnostic", code=jx_code, level=c_int, message=jx_string, place=jx_place, program=c_uint32, notes=c_uint32
)
jx_diff_counts = _structure(
    "jx_diff_counts",
    changed=c_uint64,
    added=c_uint64,
    removed=c_uint64,
    moved=c_uint64,
    signature=c_uint64,
    programs=c_uint64,
    unequal=c_uint64,
)

jx_check_options = _options(
    "jx_check_options", strict=c_bool, as_jax=c_bool, dialect=c_int, dims=c_int, explain=c_bool
)
jx_format_options = _options("jx_format_options", width=c_uint32, strip_comments=c_bool, only=c_uint32)
jx_render_options = _options(
    "jx_render_options",
    format=c_int,
    color=c_bool,
    max_findings=c_uint32,
    rules_fail=c_bool,
    fold=c_uint32,
    link=c_char_p,
)
jx_normal_options = _options(
    "jx_normal_options",
    passes=c_uint,
    count=c_uint32,
    jax=c_uint32,
    share=c_int,
    splice=c_bool,
    in_place=c_bool,
    max_output=c_uint64,
    dialect=c_int,
)
jx_compare_options = _options(
    "jx_compare_options", dce=c_bool, commute=c_bool, without=c_char_p, functions=c_bool, in_place=c_bool
)
jx_diff_options = _options(
    "jx_diff_options",
    format=c_int,
    color=c_bool,
    first=c_bool,
    signature=c_bool,
    columns=c_uint32,
    context=c_uint32,
    without=c_char_p,
    dce=c_bool,
    commute=c_bool,
    all=c_bool,
    passes=c_uint,
    in_place=c_bool,
)
jx_signature_options = _options(
    "jx_signature_options",
    dims=c_int,
    dialect=c_int,
    jax=c_uint32,
    nested=c_bool,
    inputs=c_char_p,
    outputs=c_char_p,
    json=c_bool,
    expand=c_char_p,
    arrow=c_bool,
)
jx_stats = _structure(
    "jx_stats",
    equations=c_uint64,
    primitives=c_uint32,
    depth=c_uint32,
    constants=c_uint64,
    constant_bytes=c_uint64,
)
jx_amount = _structure("jx_amount", text=jx_string, value=c_double)
jx_cost = _structure(
    "jx_cost",
    name=jx_string,
    times=jx_amount,
    flops=jx_amount,
    transcendentals=jx_amount,
    read=jx_amount,
    written=jx_amount,
    unknown=c_uint32,
)
jx_costs = _structure(
    "jx_costs",
    total=jx_cost,
    peak=jx_amount,
    peak_at=jx_place,
    rows=c_uint32,
    programs=c_uint32,
    dead=c_uint32,
)
jx_lint_options = _options(
    "jx_lint_options",
    select=c_char_p,
    extend_select=c_char_p,
    ignore=c_char_p,
    set=c_char_p,
    baseline=c_void_p,
    baseline_size=c_size_t,
    path=c_char_p,
    keys=c_bool,
    fixes=c_bool,
    extracted=c_bool,
    why=c_char_p,
    only=c_char_p,
    config=c_void_p,
    config_path=c_char_p,
)
jx_graph_options = _options(
    "jx_graph_options", depth=c_uint32, focus=c_char_p, radius=c_uint32, other=c_void_p, nodes=c_uint32
)
jx_function = _structure(
    "jx_function",
    name=jx_string,
    digest=jx_string,
    program=c_uint32,
    line=c_uint32,
    equations=c_uint64,
    whole=c_bool,
)
jx_found = _structure("jx_found", text=jx_string, offset=c_uint64, place=jx_place)

jx_program = _structure(
    "jx_program",
    jaxpr=c_uint32,
    first_shared=c_uint32,
    shared=c_uint32,
    place=jx_place,
    broken=c_bool,
    elided=c_bool,
)
jx_jaxpr = _structure(
    "jx_jaxpr",
    constants=c_uint32,
    inputs=c_uint32,
    outputs=c_uint32,
    equations=c_uint32,
    first_equation=c_uint32,
    parent=c_uint32,
    effects=jx_string,
)
jx_variable = _structure("jx_variable", name=jx_string, type=jx_string, id=c_uint32, type_id=c_uint32)
jx_operand = _structure(
    "jx_operand",
    kind=c_int,
    text=jx_string,
    type=jx_string,
    index=jx_string,
    variable=c_uint32,
    type_id=c_uint32,
)
jx_equation = _structure(
    "jx_equation",
    primitive=jx_string,
    results=c_uint32,
    operands=c_uint32,
    first_parameter=c_uint32,
    next=c_uint32,
    id=c_uint32,
)
jx_primitive = _structure("jx_primitive", name=c_char_p, meaning=c_char_p, least_operands=c_uint32, most_operands=c_uint32)
jx_parameter = _structure(
    "jx_parameter", key=jx_string, value=jx_string, jaxprs=c_uint32, next=c_uint32
)
jx_type = _structure(
    "jx_type",
    kind=c_int,
    text=jx_string,
    dtype=jx_string,
    dtype_kind=c_int,
    bits=c_uint32,
    rank=c_uint32,
    inner=c_uint32,
    memory_space=jx_string,
    varying=jx_string,
)
jx_dim = _structure(
    "jx_dim", kind=c_int, value=c_int64, text=jx_string, sharding=jx_string, terms=c_uint32
)
jx_value = _structure(
    "jx_value",
    kind=c_int,
    text=jx_string,
    key=jx_string,
    word=jx_string,
    integer=c_int64,
    number=c_double,
    exact=c_bool,
    items=c_uint32,
    jaxpr=c_uint32,
    type_id=c_uint32,
    reason=c_char_p,
    parameter=c_uint32,
    segment=c_uint32,
)


# ---- functions ----

# Receives output: `user` is a list to which the bytes are appended.
jx_write_fn = ctypes.CFUNCTYPE(c_int, py_object, c_void_p, c_size_t)


def _collect(chunks: List[bytes], at: int, n: int) -> int:
    chunks.append(ctypes.string_at(at, n))
    return 0


collect = jx_write_fn(_collect)  # the jx_write_fn of all calls


# Supplies a text: `user` is a list with a file; if reading fails, the exception is appended.
jx_read_fn = ctypes.CFUNCTYPE(ctypes.c_ssize_t, py_object, c_void_p, c_size_t)


def _fetch(user: List[Any], at: int, room: int) -> int:
    try:
        n: int = user[0].readinto((c_char * room).from_address(at)) or 0
        return n
    except BaseException as error:
        user.append(error)
        return -1


fetch = jx_read_fn(_fetch)  # the jx_read_fn of all calls


handle = _handle = c_void_p

# by name: the types of the result and of the arguments
_FUNCTIONS = {
    "jx_version": (c_char_p,),
    "jx_version_number": (c_uint32,),
    "jx_status_text": (c_char_p, c_int),
    "jx_misuse_text": (c_char_p, _handle),
    "jx_context_new": (_handle, c_void_p),
    "jx_context_free": (None, _handle),
    "jx_read": (c_int, _handle, c_char_p, c_void_p, c_size_t, POINTER(_handle)),
    "jx_read_from": (c_int, _handle, c_char_p, jx_read_fn, py_object, c_size_t, POINTER(_handle)),
    "jx_check": (c_int, _handle, c_void_p),
    "jx_format": (c_int, _handle, POINTER(jx_format_options), jx_write_fn, py_object),
    "jx_normalize": (c_int, _handle, POINTER(jx_normal_options), jx_write_fn, py_object, POINTER(_handle)),
    "jx_digests": (c_int, _handle, POINTER(jx_compare_options), POINTER(_handle)),
    "jx_digest_list_free": (None, _handle),
    "jx_digest_at": (jx_string, _handle, c_uint32),
    "jx_function_at": (c_bool, _handle, c_uint32, POINTER(jx_function), c_size_t),
    "jx_program_count": (c_uint32, _handle),
    "jx_pass_find": (c_uint, c_char_p, c_size_t),
    "jx_pass_at": (c_char_p, c_uint32),
    "jx_nearest": (c_char_p, c_char_p, POINTER(c_char_p), c_size_t),
    "jx_diff": (
        c_int,
        _handle,
        _handle,
        POINTER(jx_diff_options),
        jx_write_fn,
        py_object,
        POINTER(_handle),
    ),
    "jx_differences_counts": (c_bool, _handle, POINTER(jx_diff_counts), c_size_t),
    "jx_differences_free": (None, _handle),
    "jx_diagnostic_count": (c_uint32, _handle, c_int),
    "jx_diagnostic_at": (c_bool, _handle, c_uint32, POINTER(jx_diagnostic), c_size_t),
    "jx_diagnostic_note": (c_bool, _handle, c_uint32, c_uint32, POINTER(jx_string), POINTER(jx_place)),
    "jx_diagnostic_note_file": (jx_string, _handle, c_uint32, c_uint32),
    "jx_unknown_type": (jx_string, _handle, c_uint32),
    "jx_unknown_type_count": (c_uint32, _handle),
    "jx_unverified_count": (c_uint32, _handle),
    "jx_unverified_primitive": (jx_string, _handle, c_uint32),
    "jx_code_at": (c_bool, c_uint32, POINTER(jx_code)),
    "jx_code_find": (c_bool, c_char_p, POINTER(jx_code)),
    "jx_read_config": (c_int, _handle, c_char_p, jx_read_fn, py_object, c_size_t, POINTER(_handle)),
    "jx_config_module": (_handle, _handle),
    "jx_write_signatures": (
        c_int,
        _handle,
        POINTER(jx_signature_options),
        c_char_p,
        POINTER(c_bool),
        jx_write_fn,
        py_object,
    ),
    "jx_primitive_find": (c_bool, c_char_p, c_size_t, POINTER(jx_primitive), c_size_t),
    "jx_write_json": (c_int, _handle, POINTER(c_bool), jx_write_fn, py_object),
    "jx_stats": (c_int, _handle, c_uint32, POINTER(_handle)),
    "jx_stats_free": (None, _handle),
    "jx_stats_counts": (c_bool, _handle, POINTER(jx_stats), c_size_t),
    "jx_stats_primitive": (jx_string, _handle, c_uint32, POINTER(c_uint64)),
    "jx_cost": (c_int, _handle, c_uint32, c_int, POINTER(_handle)),
    "jx_cost_free": (None, _handle),
    "jx_cost_total": (c_bool, _handle, POINTER(jx_costs), c_size_t),
    "jx_cost_row": (c_bool, _handle, c_uint32, POINTER(jx_cost), c_size_t),
    "jx_lint": (c_int, _handle, POINTER(jx_lint_options), POINTER(_handle)),
    "jx_lint_free": (None, _handle),
    "jx_lint_validate": (c_bool, POINTER(jx_lint_options), c_char_p, c_size_t),
    "jx_lint_fixes": (c_uint32, _handle),
    "jx_lint_suppressed": (c_uint32, _handle),
    "jx_write_fixed": (c_int, _handle, jx_write_fn, py_object),
    "jx_contract_check": (c_int, _handle, _handle, c_char_p),
    "jx_write_graph": (
        c_int,
        _handle,
        POINTER(jx_graph_options),
        POINTER(c_bool),
        jx_write_fn,
        py_object,
    ),
    "jx_extract_begin": (c_int, _handle, c_char_p, jx_read_fn, py_object, POINTER(_handle)),
    "jx_extract_next": (c_int, _handle, POINTER(_handle), POINTER(jx_found)),
    "jx_extract_end": (None, _handle),
    "jx_page_begin": (c_int, c_char_p, jx_write_fn, py_object),
    "jx_page_add": (c_int, _handle, c_uint32, jx_write_fn, py_object),
    "jx_page_add_changes": (c_int, _handle, _handle, c_uint32, c_uint, jx_write_fn, py_object),
    "jx_page_add_parts": (c_int, _handle, c_uint32, c_uint, jx_write_fn, py_object),
    "jx_page_end": (c_int, jx_write_fn, py_object),
    "jx_program_at": (c_bool, _handle, c_uint32, POINTER(jx_program), c_size_t),
    "jx_shared_at": (c_bool, _handle, c_uint32, POINTER(jx_string), POINTER(c_uint32)),
    "jx_jaxpr_at": (c_bool, _handle, c_uint32, POINTER(jx_jaxpr), c_size_t),
    "jx_binder_at": (c_bool, _handle, c_uint32, c_uint32, POINTER(jx_variable), c_size_t),
    "jx_output_at": (c_bool, _handle, c_uint32, c_uint32, POINTER(jx_operand), c_size_t),
    "jx_equations": (c_uint32, _handle, c_uint32, POINTER(jx_equation), c_uint32, c_size_t),
    "jx_results": (c_uint32, _handle, c_uint32, c_uint32, POINTER(jx_variable), c_uint32, c_size_t),
    "jx_operands": (c_uint32, _handle, c_uint32, c_uint32, POINTER(jx_operand), c_uint32, c_size_t),
    "jx_parameter_at": (c_bool, _handle, c_uint32, POINTER(jx_parameter), c_size_t),
    "jx_parameter_jaxpr": (c_uint32, _handle, c_uint32, c_uint32),
    "jx_resolve": (c_int, _handle),
    "jx_equation_place": (c_bool, _handle, c_uint32, POINTER(jx_place)),
    "jx_equation_source": (jx_string, _handle, c_uint32),
    "jx_type_at": (c_bool, _handle, c_uint32, POINTER(jx_type), c_size_t),
    "jx_dim_at": (c_bool, _handle, c_uint32, c_uint32, POINTER(jx_dim), c_size_t),
    "jx_parameter_value": (c_bool, _handle, c_uint32, POINTER(jx_value), c_size_t),
    "jx_value_of": (c_bool, _handle, jx_string, POINTER(jx_value), c_size_t),
    "jx_value_items": (
        c_uint32,
        _handle,
        POINTER(jx_value),
        POINTER(jx_value),
        POINTER(jx_value),
        c_uint32,
        c_size_t,
    ),
    "jx_render": (
        c_int,
        _handle,
        POINTER(_handle),
        c_size_t,
        POINTER(jx_render_options),
        jx_write_fn,
        py_object,
    ),
}


def _library_path() -> str:
    """The file to load."""
    given = os.environ.get("JAXPR_LIBRARY")
    if given:
        return given
    name = {"darwin": "libjaxpr.dylib", "win32": "jaxpr.dll"}.get(sys.platform, "libjaxpr.so")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    if not os.path.exists(path):
        raise LibraryError(
            f"{path} does not exist: the package is installed by `pip install`; to use its sources, build the library and "
            "set JAXPR_LIBRARY to its path, such as build/src/libjaxpr.so"
        )
    return path


def _load() -> Any:
    path = _library_path()
    try:
        library = ctypes.CDLL(path)
        number = library.jx_version_number()
    except (OSError, AttributeError) as error:
        raise LibraryError(f"{path} cannot be used: {error}") from error
    if (number // 10000, number // 100 % 100) != VERSION:
        raise LibraryError(
            f"{path} is version {number // 10000}.{number // 100 % 100} of libjaxpr; this package needs "
            f"{VERSION[0]}.{VERSION[1]}"
        )
    for name, (result, *arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _load()


# ---- calls ----


def text(string: Any) -> str:
    """A struct jx_string as str."""
    return ctypes.string_at(string.at, string.n).decode("utf-8", "replace") if string.n else ""


def ok(status: int, context: Optional[int] = None) -> None:
    """Raises the exception for a status other than JX_OK."""
    if status == OK:
        return
    if status == OUT_OF_MEMORY:
        raise MemoryError("libjaxpr: out of memory")
    if status == MISUSE:
        raise UsageError(lib.jx_misuse_text(context).decode())
    raise LibraryError(lib.jx_status_text(status).decode())


@contextlib.contextmanager
def result(make: Any, free: Any, *arguments: Any, context: Optional[int] = None) -> Iterator[Any]:
    """The object that a function returns through its last parameter, freed at the end of the block."""
    made = handle()
    ok(make(*arguments, ctypes.byref(made)), context)
    try:
        yield made
    finally:
        free(made)


def write(function: Any, *arguments: Any, context: Optional[int] = None) -> bytes:
    """The bytes that a function writes; its last two parameters are a jx_write_fn and its user."""
    chunks: List[bytes] = []
    ok(function(*arguments, collect, chunks), context)
    return b"".join(chunks)


def word(text: str) -> bytes:
    """A str as an argument of the library, which ends strings at NUL."""
    try:
        written = text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"expected text without lone surrogates, got `{text}`") from None
    if b"\0" in written:
        raise UsageError(f"expected text without NUL, got `{text}`")
    return written


def file_name(name: Any) -> bytes:
    """The path or name of a file as an argument of the library."""
    try:
        written = os.fsencode(name)
    except UnicodeEncodeError:
        raise UsageError(f"expected the name of a file, got `{name}`") from None
    if b"\0" in written:
        raise UsageError(f"expected the name of a file, got `{os.fsdecode(name)}`")
    return written


def _new_context() -> int:
    context: Optional[int] = lib.jx_context_new(None)
    if not context:
        raise MemoryError("libjaxpr: out of memory")
    return context


class Module:
    """A text that was read: a module in its own context, or in that of `owner`, to which it keeps a reference."""

    __slots__ = ("context", "handle", "lock", "name", "owner")

    def __init__(self, name: str, bytes_or_address: Any, n: int, file: Any = None) -> None:
        """Reads n bytes, which the library copies, or, if `file` is given, a raw binary file of about n bytes. `name` is
        the name of the text in findings. Raises the exception that reading the file raised."""
        self.lock = threading.RLock()
        self.name = name
        self.owner = None
        self.context = context = _new_context()
        handle = c_void_p()
        if file is None:
            status = lib.jx_read(context, file_name(name), bytes_or_address, n, byref(handle))
        else:
            user = [file]
            status = lib.jx_read_from(context, file_name(name), fetch, user, n, byref(handle))
            if status == READ_FAILED:
                raise user[1]
        ok(status, context)
        self.handle = handle.value

    @classmethod
    def made(cls, owner: Any, handle: Optional[int], name: str) -> Module:
        """A module that the library made in the context of `owner`, a Module, Config or Extraction."""
        module = cls.__new__(cls)
        module.lock = owner.lock
        module.name = name
        module.owner = owner
        module.context = owner.context
        module.handle = handle
        return module

    def __del__(self) -> None:
        context = getattr(self, "context", None)
        if context and self.owner is None:
            lib.jx_context_free(context)

    def errors(self) -> int:
        """The number of errors among the module's diagnostics so far."""
        count: int = lib.jx_diagnostic_count(self.handle, 2)
        return count


class Config:
    """A configuration, jaxpr.yaml(5), in its own context."""

    __slots__ = ("context", "handle", "lock", "name")

    def __init__(self, name: str, file: Any) -> None:
        """Reads a raw binary file."""
        self.lock = threading.RLock()
        self.name = name
        self.context = context = _new_context()
        handle = c_void_p()
        user = [file]
        status = lib.jx_read_config(context, file_name(name), fetch, user, 0, byref(handle))
        if status == READ_FAILED:
            raise user[1]
        ok(status, context)
        self.handle = handle.value

    def module(self) -> Module:
        """The module with the diagnostics of the configuration."""
        return Module.made(self, lib.jx_config_module(self.handle), self.name)

    def __del__(self) -> None:
        context = getattr(self, "context", None)
        if context:
            lib.jx_context_free(context)


class Extraction:
    """A search for programs in other text, in its own context; its modules keep a reference to it."""

    __slots__ = ("context", "handle", "lock", "name", "_user")

    def __init__(self, name: str, file: Any) -> None:
        """Begins to search a raw binary file."""
        self.lock = threading.RLock()
        self.name = name
        self.context = context = _new_context()
        self._user = user = [file]
        handle = c_void_p()
        ok(lib.jx_extract_begin(context, file_name(name), fetch, user, byref(handle)), context)
        self.handle = handle.value

    def next(self) -> Any:
        """The next program as a Module and a jx_found, or None at the end."""
        handle, found = c_void_p(), jx_found()
        with self.lock:
            status = lib.jx_extract_next(self.handle, byref(handle), byref(found))
        if status == READ_FAILED:
            raise self._user[1]
        ok(status, self.context)
        return (Module.made(self, handle.value, self.name), found) if handle.value else None

    def __del__(self) -> None:
        context = getattr(self, "context", None)
        if context:
            lib.jx_context_free(context)
