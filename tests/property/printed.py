# SPDX-License-Identifier: Apache-2.0
"""Whether JAX itself accepts an edited program and prints it so: then the edit made another valid program.

A worker of tests/live in each existing venv with JAX loads the text, and core.check_jaxpr must accept it. Then either
that JAX prints it byte for byte; or, since versions of JAX print differently, it has the binders and parameters of the
original in the same order, JAX's layout, and no other unread binders, which JAX would print as `_`. Each primitive must
be defined in that JAX, unless the edit changed none. Without a venv, nothing is accepted."""

import collections
import json
import os
import re
import subprocess
import sys

LIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live")
sys.path.insert(0, LIVE)
from installed import PLACE, environment  # noqa: E402


def has_jax(python):
    return os.path.exists(python) and subprocess.run([python, "-c", "import jax"], capture_output=True).returncode == 0


def frame(text):
    """the names of binders and parameters, in their order"""
    return re.findall(r"([^\W\d]\w*):[A-Za-z]|([^\W\d]\w*)=", text)


def unread(text):
    """the names of binders that occur nowhere else"""
    words = collections.Counter(re.findall(r"[^\W\d]\w*", text))
    return {name for name, _ in frame(text) if name and words[name] == 1}


def primitives(text):
    return re.findall(r"(?: = |\n *)([^\W\d][\w.-]*)(?=[\[ \n])", text)


class Printer:
    def __init__(self, jaxpr):
        self.jaxpr = jaxpr
        names = sorted(os.listdir(PLACE)) if os.path.isdir(PLACE) else []
        pythons = [os.path.join(PLACE, name, "bin", "python") for name in names if name.startswith("venv-")]
        self.pythons = [python for python in pythons if has_jax(python)]
        self.workers = {}

    def answer(self, python, text):
        """the worker's answer for a text; {} if the text ends the worker"""
        if self.workers.get(python) is None or self.workers[python].poll() is not None:
            self.workers[python] = subprocess.Popen(
                [python, os.path.join(LIVE, "worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, env=environment())  # fmt: skip
        worker = self.workers[python]
        try:
            worker.stdin.write(json.dumps({"text": text, "columns": ["check", "exact"], "older": False}) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line.strip() else {}

    def laid_out(self, text):
        done = subprocess.run([self.jaxpr, "fmt", "--check", "-q", "-"], input=text + "\n", capture_output=True,
                              encoding="utf-8")  # fmt: skip
        return done.returncode == 0

    def is_another(self, right, text):
        """whether a text that an edit made of `right` is a program that JAX accepts, printed as JAX does"""
        same = frame(right) == frame(text) and unread(text) <= unread(right) and self.laid_out(text)
        for python in self.pythons:
            said = self.answer(python, text)
            known = said.get("defined") or primitives(right) == primitives(text)
            if said.get("check") and known and (said.get("exact") or same):
                return True
        return False

    def close(self):
        for worker in self.workers.values():
            worker.stdin.close()
            worker.wait()
