# SPDX-License-Identifier: Apache-2.0
"""Whether JAX itself accepts what an edit made of a program, and prints it so: then it is another valid program.

A worker of tests/live in each venv with JAX that exists loads the text, and core.check_jaxpr must accept it. Either
that JAX prints it byte for byte; or, as other versions of JAX print otherwise, it has the binders and parameters of the
text that JAX printed, in the same order, its layout is JAX's, and no more binders are unread, which JAX prints as `_`.
Each primitive must be defined there, except where the edit changed none. Without a venv no text is.

A program that JAX does not load as a whole, such as one with a kernel or a mesh, is another valid one if JAX accepts
each equation that the edit changed (edited.py). Binders may be unread there: JAX 0.7 prints them by their names."""

import collections
import json
import os
import re
import subprocess
import sys

LIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "live")
sys.path.insert(0, LIVE)
from edited import Edit  # noqa: E402
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
        """what the worker says of a text; nothing if the text ends it"""
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

    def prints(self, text):
        """whether some JAX accepts a text, and prints it byte for byte"""
        answers = (self.answer(python, text) for python in self.pythons)
        return any(said.get("check") and said.get("defined") and said.get("exact") for said in answers)

    def programs(self, text):
        done = subprocess.run([self.jaxpr, "json", "-"], input=text, capture_output=True, encoding="utf-8")
        found = json.loads(done.stdout or "[]")
        return [program["jaxpr"] for program in found] + [each["jaxpr"] for program in found
                                                          for each in program["shared"]]  # fmt: skip

    def accepts(self, text):
        """whether JAX accepts a program, all of whose primitives it defines"""
        answers = (self.answer(python, text) for python in self.pythons)
        return any(said.get("check") and said.get("defined") for said in answers)

    def is_edited(self, right, text):
        """whether a text is `right` with some equations replaced by others, each of which JAX accepts"""
        if frame(right) != frame(text) or not self.laid_out(text):
            return False
        edit = Edit(self.programs(right), self.programs(text))
        return edit.alike and all(self.accepts(each) for each in edit.changed)

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
        return self.is_edited(right, text)

    def close(self):
        for worker in self.workers.values():
            worker.stdin.close()
            worker.wait()
