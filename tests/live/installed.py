# SPDX-License-Identifier: Apache-2.0
"""The versions of JAX that loading supports, each in a venv made on demand, and the programs that they printed."""

import importlib.machinery
import importlib.util
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import harness  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PLACE = os.path.join(os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "jaxpr")
# the requirements of each besides jax itself, and Pythons, best first
NEEDS = {
    "0.4.38": (["absl-py"], ["3.11", "3.12", "3.10", "3.13"]),
    "0.5.3": (["absl-py"], ["3.11", "3.12", "3.10", "3.13"]),
    "0.6.2": ([], ["3.11", "3.12", "3.13", "3.10"]),
    "0.7.1": ([], ["3.11", "3.12", "3.13"]),
    "0.8.1": ([], ["3.11", "3.12", "3.13"]),
    "0.9.2": ([], ["3.11", "3.12", "3.13"]),
    "0.10.2": ([], ["3.11", "3.12", "3.13"]),
    "0.12.0.1": ([], ["3.12", "3.13"]),
}


def python_of(version, place):
    """The Python of a venv in `place` with that JAX; None where none can be made."""
    loader = importlib.machinery.SourceFileLoader("record", os.path.join(ROOT, "tests", "oracle", "record"))
    record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record", loader))
    loader.exec_module(record)
    more, pythons = NEEDS[version]
    os.makedirs(place, exist_ok=True)
    return record.venv(version, ["jax==" + version, *more], pythons, place, "import jax")


def environment():
    """The environment of a process that loads programs: eight CPU devices, and the package of this checkout."""
    made = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"), JAX_PLATFORMS="cpu", PYTHONDONTWRITEBYTECODE="1",
                XLA_FLAGS="--xla_force_host_platform_device_count=8", TF_CPP_MIN_LOG_LEVEL="3")  # fmt: skip
    made.setdefault("JAXPR_LIBRARY", os.path.join(ROOT, "build", "src", "libjaxpr.so"))
    return made


def numbers(version):
    return tuple(map(int, version.split(".")))


def recorded(version):
    """The newest version up to `version` whose programs are recorded, or None."""
    names = [each[: -len(".jsonl.xz")] for each in os.listdir(harness.CASES) if each[0].isdigit()]
    return max((each for each in names if numbers(each) <= numbers(version)), key=numbers, default=None)


def rows(version, path=None):
    """The programs that the JAX of that version printed, as dicts with `fn` and `text`: of the oracle, or of the file `path`."""
    path = path or os.path.join(harness.CASES, version + ".jsonl.xz")
    if not os.path.exists(path):
        return []
    found = [row for row in harness.rows(path, kind="program") if row.get("valid") is not False and row.get("jax", version) == version]
    return [{**row, "fn": row.get("fn") or row["id"]} for row in found]
