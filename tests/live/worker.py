# SPDX-License-Identifier: Apache-2.0
"""Loads the programs that arrive as JSON lines, and answers each with what works, and why the rest does not.

With the argument `given`, the modules whose functions were recorded are imported first, as a user's modules would be;
the answer is then only whether nothing is missing, given values for the constants and the mesh."""

import importlib
import json
import os
import pkgutil
import re
import resource
import signal
import sys
import warnings

warnings.filterwarnings("ignore")
sys.setrecursionlimit(10000)
most = resource.getrlimit(resource.RLIMIT_STACK)[1]  # programs nested deeply need a large stack
resource.setrlimit(resource.RLIMIT_STACK, (1 << 29 if most == resource.RLIM_INFINITY else most, most))

import jax
import numpy as np
from jax.experimental import checkify

import jaxpr
from jaxpr.live.inputs import NoValue
from jaxpr.live.loaded import comparable


def reason(error):
    """The class of an error: its message without numbers, names of variables and addresses."""
    text = f"{type(error).__name__}: {error}".split("\n")[0]
    return re.sub(r"0x[0-9a-fX]+|\bline \d+: |\d+", "", text)[:110]


SORTS = {"the constant": "values of constants", "the array": "values of array literals", "which of": "which `_` is read",
         "the installed JAX does not define": "a primitive that JAX does not define"}  # fmt: skip


def sort_of(unknown):
    """The class of one part that a text does not contain: what kind of value, or which parameter."""
    found = next((sort for start, sort in SORTS.items() if unknown.what.startswith(start)), None)
    return found or f"{unknown.primitive} {unknown.parameter or unknown.what}".strip()


def listed(missing):
    """The classes of what a text does not contain."""
    return ", ".join(sorted(set(map(sort_of, missing))))


def unlike(text, loaded):
    """The first line of a text that the live program prints differently."""
    lines = [comparable(each).split("\n") for each in (text, loaded.pretty())]
    words = next((pair for pair in zip(*lines) if pair[0] != pair[1]), ("more lines", "fewer"))
    at = next((at for at, (one, two) in enumerate(zip(*words)) if one != two), 0)
    here = [re.sub(r"\d+", "", each[max(0, at - 20) :].strip())[:50] for each in words]
    return f"it prints `{here[1]}` for `{here[0]}`"


def mesh_for(loaded):
    """The mesh of the oracle's programs with sharded types, if the text has no sizes."""
    axes = list(loaded.mesh_axes)
    if not axes:
        return None
    from jax.sharding import AxisType

    return jax.make_mesh((4, 2) if len(axes) > 1 or axes == ["y"] else (8,), ("x", "y") if len(axes) > 1 or axes == ["y"] else ("x",),
                         axis_types=(AxisType.Explicit,) * (2 if len(axes) > 1 or axes == ["y"] else 1))  # fmt: skip


def constants(loaded):
    """Values for the constants that the text does not show."""
    draw = np.random.default_rng(1)
    return {name: np.asarray(draw.integers(0, 2, aval.shape)).astype(aval.dtype) for name, aval in loaded.constants.items()}


def complete(loaded):
    """(the program with values for its constants and a mesh, these values and mesh)"""
    more = {"consts": constants(loaded), "mesh": mesh_for(loaded)}
    if not more["consts"] and more["mesh"] is None:
        return loaded, more
    return jaxpr.load(loaded.text, **more), more


def judge_given(row):
    """Whether nothing is missing if the user passes all that can be passed."""
    try:
        given, _ = complete(jaxpr.load(row["text"]))
    except Exception as error:
        return {"why": {"given": reason(error)}}
    return {"given": not given.missing, "why": {"given": listed(given.missing)} if given.missing else {}}


def runnable(text, given, options):
    """The program to run: array literals become arguments, and kernels run in interpret mode."""
    changed = text.replace("interpret=False", "interpret=True")
    if any(each.what.startswith("the array [...]") for each in given.missing):
        changed = jaxpr.norm(changed, passes="lift,constants")
    return given if changed == text else jaxpr.load(changed, mesh=options["mesh"])


def with_values(text, loaded):
    """The program to run, with values for what the user can pass, if these can be invented."""
    given, more = loaded, {"consts": {}, "mesh": None}
    try:
        given, more = complete(loaded)
    except Exception:  # judge_given reports why
        pass
    try:
        return runnable(text, given, more)
    except jaxpr.Error:
        return given


def run(loaded):
    """Evaluates a program on random inputs, under jit if a primitive cannot run by itself; checks may fail."""
    function = checkify.checkify(loaded) if re.search(r"\bcheck\[", loaded.text) else loaded
    try:
        jax.block_until_ready(function(*loaded.random_inputs(1)))
    except (NotImplementedError, RuntimeError) as error:
        if isinstance(error, jaxpr.Missing):
            raise
        jax.block_until_ready(jax.jit(loaded)(*loaded.random_inputs(1)))
    return True


def retraces(text, loaded):
    """Whether the source of a program traces to an equal one."""
    space = {"__name__": "source"}
    written = jaxpr.to_python(loaded)
    with loaded.context():
        for line in ('jax.config.update("jax_enable_x64", True)', "jax.set_mesh(MESH)"):  # as the context does
            written = written.replace(line, "")
        exec(compile(written, "source", "exec"), space)  # this is source that this project wrote
        made = jax.make_jaxpr(space["program"])(*space["ARGUMENTS"])
    return jaxpr.eq(str(made), text)


def judge(row):
    out, why, text = {}, {}, row["text"]

    def attempt(column, action):
        if column not in row["columns"]:
            return
        try:
            out[column] = bool(action())
            if not out[column]:
                why[column] = "it prints differently" if column == "exact" else "it is not equal"
        except Exception as error:
            why[column] = "no value: " + str(error) if isinstance(error, NoValue) else reason(error)

    try:
        loaded = jaxpr.load(text)
        out["loads"] = True
    except Exception as error:
        return {"why": {"loads": reason(error)}}
    attempt("check", lambda: loaded.check() or True)
    if not row["older"]:
        attempt("exact", lambda: loaded.exact)
        if "exact" in row["columns"] and not out.get("exact"):
            why["exact"] = unlike(text, loaded)
    out["strict"], out["assumed"] = not loaded.missing, any(each.assumed for each in loaded.missing)
    if loaded.missing:
        why["strict"] = listed(loaded.missing)
    if "runs" in row["columns"]:
        program = with_values(text, loaded)
        with program.context():
            attempt("runs", lambda: run(program))
    out["defined"] = not any("does not define this primitive" in each.what for each in loaded.missing)
    attempt("python", lambda: retraces(text, loaded))
    return {**out, "why": why}


def late(*_):
    raise TimeoutError("takes more than 60 seconds of processor time")


signal.signal(signal.SIGPROF, late)
judged = judge
if "given" in sys.argv:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "oracle"))
    for each in pkgutil.iter_modules([os.path.join(sys.path[0], "programs")]):
        try:
            importlib.import_module("programs." + each.name)
        except Exception:  # a module that needs another JAX
            pass
    judged = judge_given
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    signal.setitimer(signal.ITIMER_PROF, 60, 1)  # repeats, since an error in a callback of the garbage collector is lost
    try:
        answer = judged(json.loads(line))
    except TimeoutError as error:
        answer = {"why": {"loads": str(error)}}
    signal.setitimer(signal.ITIMER_PROF, 0)
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
