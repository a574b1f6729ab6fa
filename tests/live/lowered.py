# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: `check` reports nothing about the programs that JAX lowers, or that jax.make_jaxpr returns, while
tests run. The tests of JAX itself, in a clone of it, trace thousands that no generator has thought of:

    JAXPR=$PWD/build/jaxpr PYTHONPATH=$PWD/tests/live \\
        PYTHON -m pytest -p lowered -q .../jax/tests/shard_map_test.py

PYTHON has jax, pytest and what the tests import. At the end each finding is printed with the test and the file of its
program, in a new directory below that for temporary files; pytest fails if there are any. Some tests make programs that
are wrong on purpose."""

import collections
import json
import os
import re
import subprocess
import tempfile

import jax
from jax._src.interpreters import mlir

LONGEST = 100_000  # characters of a program

programs = {}  # by text without addresses: the text, and the name of the test


def keep(jaxpr):
    text = jaxpr.pretty_print(use_color=False)
    if len(text) <= LONGEST:
        test = os.environ.get("PYTEST_CURRENT_TEST", "?").split("\n")[0]
        programs.setdefault(re.sub("0x[0-9a-f]+", "", text), (text, test))


def kept_when_lowered(lower):
    def lower_and_keep(name, jaxpr, *rest, **named):
        module = lower(name, jaxpr, *rest, **named)  # what cannot be lowered raises
        keep(jaxpr)
        return module

    return lower_and_keep


def kept_when_made(make_jaxpr):
    def make(fun, *rest, **named):
        traced = make_jaxpr(fun, *rest, **named)

        def trace(*arguments, **keywords):
            result = traced(*arguments, **keywords)
            keep(result[0] if isinstance(result, tuple) else result)
            return result

        return trace

    return make


def pytest_configure(config):
    mlir.lower_jaxpr_to_module = kept_when_lowered(mlir.lower_jaxpr_to_module)
    jax.make_jaxpr = kept_when_made(jax.make_jaxpr)


def pytest_sessionfinish(session, exitstatus):
    directory = tempfile.mkdtemp(prefix="lowered-")
    tests, paths = {}, []
    for number, (text, test) in enumerate(programs.values()):
        paths.append(os.path.join(directory, f"{number}.jaxpr"))
        tests[paths[-1]] = test
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(text)
    findings = collections.defaultdict(list)
    for at in range(0, len(paths), 500):
        run = subprocess.run(
            [os.environ["JAXPR"], "check", "-q", "--format=jsonl", *paths[at : at + 500]], capture_output=True, text=True
        )
        for line in run.stdout.splitlines():
            finding = json.loads(line)
            if finding["level"] != "note":
                findings[finding["level"], finding["code"], finding["message"]].append(finding["file"])
    for (level, code, message), files in findings.items():
        print(f"\n{level} {code}: {message}\n    {files[0]}: {tests[files[0]]}, and {len(files) - 1} more", end="")
    print(f"\n{len(programs)} programs, {sum(map(len, findings.values()))} findings")
    if findings:
        session.exitstatus = 1
