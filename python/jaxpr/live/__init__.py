# SPDX-License-Identifier: Apache-2.0
"""Live programs of JAX from text that JAX printed. Unlike the rest of the package, it needs JAX."""

from .._errors import UnsupportedJax

try:
    import numpy  # noqa: F401 - JAX installs it
except ImportError as error:
    raise UnsupportedJax(f"jaxpr.load, to_python and verify need JAX: {error}") from None

from .loaded import Loaded
from .scope import Unknown

__all__ = ["Loaded", "Unknown"]
