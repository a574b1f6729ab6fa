# SPDX-License-Identifier: Apache-2.0
"""Reading the arguments of the package's functions: text, a file, or a live object of JAX.

JAX is never imported here: live objects print themselves. Large ASCII texts are passed to the library without a copy."""

from __future__ import annotations

import ctypes
import io
import os
from typing import Any, Optional

from ._errors import UnsupportedObject
from ._library import Module

# a str of at least this many characters is passed without a copy if it is ASCII; copying a shorter one is faster
_LARGE = 1 << 16


class _Buffer(ctypes.Structure):
    """struct Py_buffer of CPython."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


_utf8_of: Any = None  # None on a Python without CPython's functions, where texts are copied
try:
    _utf8_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyUnicode_AsUTF8AndSize", ctypes.pythonapi)
    )
    _get_buffer = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(_Buffer), ctypes.c_int)(
        ("PyObject_GetBuffer", ctypes.pythonapi)
    )
    _release_buffer = ctypes.PYFUNCTYPE(None, ctypes.POINTER(_Buffer))(("PyBuffer_Release", ctypes.pythonapi))
except AttributeError:
    pass


_PIECE = 8192  # characters of a text that are encoded at a time


def _encode(text: str) -> bytes:
    """A str in UTF-8. Lone surrogates become bytes that are not UTF-8, so that findings show where they are."""
    try:
        if text.isascii() or len(text) < _PIECE:
            return text.encode()
        # an ASCII slice is copied; CPython inspects each character of a non-ASCII str
        return b"".join([text[at : at + _PIECE].encode() for at in range(0, len(text), _PIECE)])
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _read_buffer(name: str, buffer: Any) -> Module:
    """Reads the bytes of an object with the buffer protocol."""
    if _utf8_of is None:
        data = bytes(buffer)
        return Module(name, data, len(data))
    view = _Buffer()
    _get_buffer(buffer, ctypes.byref(view), 0)  # PyBUF_SIMPLE; raises BufferError for a buffer with gaps
    try:
        return Module(name, view.buf, view.len)
    finally:
        _release_buffer(ctypes.byref(view))


class Source:
    """A text that can be read any number of times.

    `name` is its name in findings; `data` is str, bytes or another buffer, or None to read the file `name`."""

    __slots__ = ("name", "data")

    def __init__(self, name: str, data: Any) -> None:
        self.name = name
        self.data = data

    def read(self) -> Module:
        """Reads the text into a module."""
        data = self.data
        if isinstance(data, str):
            if len(data) < _LARGE or _utf8_of is None or not data.isascii():
                data = _encode(data)
            else:
                return Module(self.name, _utf8_of(data, None), len(data))
        if isinstance(data, bytes):
            return Module(self.name, data, len(data))
        if data is not None:
            return _read_buffer(self.name, data)
        with open(self.name, "rb", buffering=0) as file:
            return Module(self.name, None, os.fstat(file.fileno()).st_size, file)

    def open(self) -> Any:
        """The bytes of the text as a binary file, which the caller closes."""
        if self.data is None:
            return open(self.name, "rb", buffering=0)
        return io.BytesIO(_encode(self.data) if isinstance(self.data, str) else self.data)

    def keep(self) -> Source:
        """This source, or, for a file, one with the bytes that the file has now."""
        if self.data is not None:
            return self
        with open(self.name, "rb") as file:
            return Source(self.name, file.read())


def print_live(x: Any, source_info: bool = True) -> Optional[str]:
    """The text of a live object: a Jaxpr, a ClosedJaxpr, or an object with one in `.jaxpr`, such as the result of
    `jax.jit(f).trace(*args)`, with source lines if `source_info`; or an object with its text in `__jaxpr_text__`, such as a
    Program of this package. None for other objects."""
    printed = getattr(x, "__jaxpr_text__", None)
    if isinstance(printed, str):
        return printed
    for _ in range(4):  # a traced function, its ClosedJaxpr, its Jaxpr
        printer = getattr(x, "pretty_print", None)
        if printer is not None and hasattr(x, "eqns"):
            return _pretty(printer, source_info)
        x = getattr(x, "jaxpr", None)
        if x is None:
            return None
    return None


def _pretty(printer: Any, source_info: bool) -> str:
    """The result of the method `pretty_print` of a Jaxpr, with those of the options that this JAX supports."""
    for wanted in ({"source_info": source_info, "use_color": False}, {"source_info": source_info}, {}):
        try:
            return str(printer(**wanted))
        except TypeError:
            continue
    return str(printer())


def source(x: Any, name: Optional[str] = None) -> Source:
    """The Source for an argument of the package's functions; `name`, if given, is its name in findings. Raises
    UnsupportedObject for objects without text."""
    if isinstance(x, str):
        return Source(name or "<text>", x)
    if isinstance(x, (bytes, bytearray, memoryview)):
        return Source(name or "<text>", x)
    if isinstance(x, os.PathLike):
        path = os.fsdecode(x)
        return Source(path, None) if name is None else Source(name, Source(path, None).keep().data)
    printed = print_live(x)
    if printed is not None:
        return Source(name or "<jaxpr>", printed)
    if callable(x):
        raise UnsupportedObject(
            f"a function has a Jaxpr only once it is traced: pass `jax.make_jaxpr({_name_of(x)})(*args)`"
        )
    try:
        return Source(name or "<text>", memoryview(x))  # mmap, array
    except TypeError:
        raise UnsupportedObject(
            f"expected str, bytes, an os.PathLike or an object with a Jaxpr, got {type(x).__name__}"
        ) from None


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", "f")
    return name if name.isidentifier() else "f"
