# SPDX-License-Identifier: Apache-2.0
"""The build backend: meson-python, but wheels are tagged py3-none-PLATFORM.

meson-python tags a wheel that contains a library for one version of Python. This library is loaded through ctypes, so the
wheel works with every Python 3 of its platform."""

import os
import subprocess
import sys

from mesonpy import (  # noqa: F401 - the hooks of PEP 517
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)
from mesonpy import build_wheel as _build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds a wheel into a directory, and returns its file name."""
    name = _build_wheel(wheel_directory, config_settings, metadata_directory)
    tags = [sys.executable, "-m", "wheel", "tags", "--remove", "--python-tag=py3", "--abi-tag=none"]
    printed = subprocess.run(tags + [os.path.join(wheel_directory, name)], check=True, stdout=subprocess.PIPE)
    return os.path.basename(printed.stdout.decode().split()[-1])
