# SPDX-License-Identifier: Apache-2.0
"""What tests share: recorded programs, running jaxpr, writing files for it, skips, and how to repeat a failure.

A script in a folder of tests puts this folder first: sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))."""

import collections
import glob
import json
import lzma
import os
import re
import shlex
import shutil
import subprocess
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(TESTS)
CASES = os.path.join(TESTS, "oracle", "cases")
Done = collections.namedtuple("Done", "status out err")


def rows(*paths, kind=None):
    """yields the rows of files of JSON lines, packed with xz or not, and of the packed files of folders, by name.
    `kind` is the `row` of the wanted ones, or several; a row without one is a program"""
    kinds = (kind,) if isinstance(kind, str) else kind
    for path in paths:
        for name in sorted(glob.glob(os.path.join(path, "*.jsonl.xz"))) if os.path.isdir(path) else [path]:
            with (lzma.open if name.endswith(".xz") else open)(name, "rt", encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    if kinds is None or row.get("row", "program") in kinds:
                        yield row


def programs(*paths, below=float("inf")):
    """the rows of programs that JAX accepts, with fewer than `below` characters"""
    return [row for row in rows(*paths, kind="program") if row.get("valid", True) and len(row["text"]) < below]


def shared():
    """the folder of recordings: $JAXPR_SHARED, or `shared` beside the checkout or the repository of its work tree"""
    beside = ROOT
    if os.path.isfile(os.path.join(ROOT, ".git")):
        with open(os.path.join(ROOT, ".git"), encoding="utf-8") as file:
            beside = re.sub(r"^gitdir: |/\.git/worktrees/.*", "", file.read().strip())
    own, other = (os.path.join(os.path.dirname(top), "shared") for top in (ROOT, beside))
    return os.environ.get("JAXPR_SHARED") or (own if os.path.isdir(own) else other)


def reasons(path):
    """the lines of a table of exceptions, whose last column is the reason; none if the file does not exist"""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]


def run(program, *words, text=None, statuses=None, timeout=60, **more):
    """runs a program with `text` as its input, and returns status, output and messages, in which bytes that are not
    UTF-8 are surrogates. Raises AssertionError if `statuses` is given and does not contain the status"""
    given = {"stdin": subprocess.DEVNULL} if text is None else {"input": bytes_of(text)}
    done = subprocess.run([program, *words], capture_output=True, timeout=timeout, **given, **more)
    found = Done(done.returncode, *(part.decode("utf-8", "surrogateescape") for part in (done.stdout, done.stderr)))
    if statuses and found.status not in statuses:
        raise AssertionError(f"{shlex.join(map(str, words))[:500]}: exit {found.status} {found.err[-500:]}")
    return found


def instructions(program, *words, **more):
    """(number of instructions that valgrind counts, or None if it cannot; status; messages)"""
    if not shutil.which("valgrind"):
        return None, None, "valgrind is not installed"
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*tool, program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace", **more)  # fmt: skip
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found else None, done.returncode, done.stderr


def bytes_of(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def put(folder, name, text):
    """writes a file byte for byte, and returns its path"""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(bytes_of(text))
    return path


def rounds(text):
    """the numbers that a command line selects: N for the first N, or FIRST:END"""
    first, _, end = text.rpartition(":")
    return range(int(first or 0), int(end))


def repeat(*words):
    """prints the command that repeats a failure: this one, unless words are given"""
    print("repeat:", shlex.join(map(str, words or sys.argv)), flush=True)


def skip(why):
    """ends the script as skipped"""
    print("%s: skipped, %s" % (os.path.basename(sys.argv[0]), why))
    sys.exit(77)
