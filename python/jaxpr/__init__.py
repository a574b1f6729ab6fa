# SPDX-License-Identifier: Apache-2.0
"""A type checker, formatter and differ for Jaxprs, the programs that `jax.make_jaxpr` returns.

    import jaxpr

    jaxpr.check(text)           every error, reported once
    jaxpr.fmt(text)             the layout that JAX prints
    jaxpr.norm(text)            the canonical form, or the text after passes
    jaxpr.hash(text)            a digest that is the same for equal programs
    jaxpr.eq(a, b)              whether programs are equal, whatever their names, layout or JAX version
    jaxpr.diff(a, b)            what changed, equation by equation
    jaxpr.lint(text)            suspicious patterns
    jaxpr.contract(text, ..)    violations of a contract
    jaxpr.sig(text)             the types of arguments and results
    jaxpr.stats(text)           equations, primitives, nesting, constants
    jaxpr.cost(text)            operations, bytes moved, peak memory
    jaxpr.extract(log)          programs in other text
    jaxpr.program(text)         the program as objects: equations, operands, types, parameters
    jaxpr.assert_eq(a, b)       an assertion for tests; also `assert_contract(f, *args, forbid=["scan"])`
    jaxpr.batch(texts)          a table of many programs, for pyarrow, polars and DuckDB
    jaxpr.fleet                 databases of such tables; needs the extra `fleet` and an import
    jaxpr.explain(code)         what a finding means
    jaxpr.load(text)            the program as a JAX function
    jaxpr.to_python(text)       source of such a function
    jaxpr.verify(a, b)          whether both compute the same bits from random inputs

A `str` or a buffer such as `bytes` is text, an `os.PathLike` is a file, and anything else is a live object of JAX: a
Jaxpr, a ClosedJaxpr, or what `jax.jit(f).trace(*args)` returns. Only `load`, `to_python`, `verify`, and `assert_contract`
with a function import JAX.

All functions are thread-safe and release the GIL. The exceptions of the package are `Error` and its subclasses."""

from ._arrow import Batch, batch
from ._assert import assert_contract, assert_eq
from ._diff import Diff
from ._errors import Error, InvalidProgram, LibraryError, Missing, NotLoadable, UnsupportedJax, UnsupportedObject, UsageError
from ._findings import Finding, Findings, Note, Span
from ._library import lib as _lib
from ._live import load, to_python, verify
from ._program import Equation, Jaxpr, Operand, Program, Record, Text, Type, Variable, program, programs
from ._tools import Cost, CostRow, Found, LintFindings, Stats, contract, cost, explain, extract, lint, sig, stats
from ._verbs import check, diff, eq, fmt, hash, hashes, norm, passes

__version__ = _lib.jx_version().decode()

__all__ = [
    "Batch",
    "Cost",
    "CostRow",
    "Diff",
    "Equation",
    "Error",
    "Finding",
    "Findings",
    "Found",
    "InvalidProgram",
    "Jaxpr",
    "LibraryError",
    "LintFindings",
    "Missing",
    "NotLoadable",
    "Note",
    "Operand",
    "Program",
    "Record",
    "Span",
    "Stats",
    "Text",
    "Type",
    "UnsupportedJax",
    "UnsupportedObject",
    "UsageError",
    "Variable",
    "assert_contract",
    "assert_eq",
    "batch",
    "check",
    "contract",
    "cost",
    "diff",
    "eq",
    "explain",
    "extract",
    "fmt",
    "hash",
    "hashes",
    "lint",
    "load",
    "norm",
    "passes",
    "program",
    "programs",
    "sig",
    "stats",
    "to_python",
    "verify",
]
