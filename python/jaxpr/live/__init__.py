# SPDX-License-Identifier: Apache-2.0
"""Live programs of JAX from the text that JAX prints. It needs JAX, unlike the rest of the package."""

from .build import Unknown
from .loaded import Loaded

__all__ = ["Loaded", "Unknown"]
