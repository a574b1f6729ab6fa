# SPDX-License-Identifier: Apache-2.0
"""Live programs of JAX from the text that JAX prints. It needs JAX, unlike the rest of the package."""

from .._errors import UnsupportedJax

try:
    import numpy  # noqa: F401, which comes with JAX
except ImportError as error:
    raise UnsupportedJax(f"jaxpr.load, to_python and verify need JAX: {error}") from None

from .loaded import Loaded
from .scope import Unknown

__all__ = ["Loaded", "Unknown"]
