# SPDX-License-Identifier: Apache-2.0
"""The functions of the package that lint programs, check contracts, count, and find programs in other text."""

from __future__ import annotations

import ctypes
import io
import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from . import _library as c
from ._errors import Error, UsageError
from ._findings import Finding, Findings, Span, findings_of, raise_errors
from ._library import lib
from ._source import Source, source
from ._verbs import _DIALECTS, _DIMS, Words, _commas, _index, _version

# ---- lint ----

# a fix may make another one possible, so fixes are applied in rounds, at most this many
_MOST_ROUNDS = 100


class LintFindings(Findings):
    """The result of `lint`: `Findings`, and the text with all fixes applied."""

    suppressed: int = 0
    """The number of findings that comments in the text or the baseline suppress."""
    _text: Any = None
    _run: Any = None

    def _all(self) -> Tuple[Finding, ...]:
        fresh = self._items is None
        items = super()._all()
        for item in items if fresh else ():
            item._fix = self._fix_one
        return items

    def _fix_one(self, finding: Finding) -> Optional[str]:
        if finding.span is None:
            return None
        only = f"{finding.code}@{finding.span.line}:{finding.span.column}"
        unused = ctypes.create_string_buffer(1)
        if not lib.jx_lint_validate(ctypes.byref(c.jx_lint_options(only=c.word(only))), unused, len(unused)):
            return None  # a finding of check
        with self._text.open() as file:
            written = self._fix_once(file.read(), only)
        return written.decode("utf-8", "replace") if written is not None else None

    def _fix_once(self, text: bytes, only: Optional[str] = None) -> Optional[bytes]:
        """The text after one round of fixes; None if nothing can be fixed."""
        module, linting = self._run(True, text, only)
        with linting as made:
            if not lib.jx_lint_fixes(made):
                return None
            return c.write(lib.jx_write_fixed, made, context=module.context)

    @property
    def fixed(self) -> str:
        """The text with all fixes applied, as by `jaxpr lint --fix`; the unchanged text if there are none. A fix never
        changes what a program computes."""
        with self._text.open() as file:
            written = file.read()
        for _ in range(_MOST_ROUNDS):
            fixed = self._fix_once(written)
            if fixed is None:
                break
            written = fixed
        return bytes(written).decode("utf-8", "replace")


def _settings(settings: Union[str, Mapping[str, object], None]) -> Optional[bytes]:
    if settings is None or isinstance(settings, str):
        return c.word(settings) if settings else None
    return c.word(",".join(f"{key}={value}" for key, value in settings.items()))


def _config(config: Any) -> c.Config:
    """Reads a configuration: YAML as str or bytes, a file, or a mapping."""
    text = Source("<config>", json.dumps(config)) if isinstance(config, Mapping) else source(config, None)
    if text.name == "<text>":
        text = Source("<config>", text.data)
    with text.open() as file:
        made = c.Config(text.name, file)
    found = findings_of(made.module())
    if not found.ok:
        raise UsageError(str(found))
    return made


def lint(
    x: Any,
    *,
    select: Words = None,
    extend_select: Words = None,
    ignore: Words = None,
    settings: Union[str, Mapping[str, object], None] = None,
    baseline: Union[str, bytes, None] = None,
    config: Any = None,
    name: Optional[str] = None,
) -> LintFindings:
    """Finds suspicious patterns: wide floats, duplicates, dead code, callbacks, reused random keys, and more.

    `x` is text, a file or a live object, as for `check`. Programs with syntax or scope errors are skipped, and these errors
    are among the findings; types are not checked.

    >>> found = jaxpr.lint("{ lambda ; a:f32[4]. let b:f32[4] = sin a; c:f32[4] = cos a in (b,) }", extend_select="P308")
    >>> [f.code for f in found], found.fixed
    (['P308'], '{ lambda ; a:f32[4]. let b:f32[4] = sin a in (b,) }')

    select: rules to run instead of those that run by default: codes ("N201"), prefixes of codes ("N"), names
        ("has-f64"), "PEDANTIC" or "ALL"; a list, or a string with commas. jaxpr-rules(7) describes them.
    extend_select, ignore: rules to run in addition, and rules to skip.
    settings: settings of rules, such as {"P303.bytes": "1G"}.
    baseline: the output of `jaxpr lint --write-baseline`; findings in it are not reported.
    config: a configuration, jaxpr.yaml(5): a file, text, or a mapping. By default, none is read.

    The manual is jaxpr-lint(1)."""
    text = source(x, name).keep()
    kept = baseline.encode("utf-8", "surrogatepass") if isinstance(baseline, str) else baseline
    made = _config(config) if config is not None else None
    options = c.jx_lint_options(
        select=_commas(select),
        extend_select=_commas(extend_select),
        ignore=_commas(ignore),
        set=_settings(settings),
        baseline=ctypes.cast(ctypes.c_char_p(kept), ctypes.c_void_p) if kept else None,
        baseline_size=len(kept) if kept else 0,
        config=made.handle if made else None,
        config_path=c.file_name(os.path.basename(text.name)) if made else None,
    )
    message = ctypes.create_string_buffer(400)
    if not lib.jx_lint_validate(ctypes.byref(options), message, len(message)):
        raise UsageError(message.value.decode("utf-8", "replace"))

    def run(fixes: bool, written: Optional[bytes] = None, only: Optional[str] = None) -> Tuple[c.Module, Any]:
        module = (text if written is None else Source(text.name, written)).read()
        options.fixes, options.only = fixes, c.word(only) if only else None
        linting = c.result(
            lib.jx_lint, lib.jx_lint_free, module.handle, ctypes.byref(options), context=module.context
        )
        return module, linting

    module, linting = run(False)
    with linting as made_findings:
        suppressed = lib.jx_lint_suppressed(made_findings)
    plain = findings_of(module, keep=(made, kept))
    counts = plain._count, plain._errors, plain.unverified, plain.unknown_types
    found = LintFindings(plain._modules, *counts, plain._keep)
    found.suppressed = suppressed
    found._text, found._run = text, run
    return found


# ---- contracts ----


def contract(
    x: Any,
    config: Any = None,
    *,
    path: Optional[str] = None,
    name: Optional[str] = None,
    **rules: object,
) -> Findings:
    """Checks programs against contracts, and returns the violations.

    `x` is text, a file or a live object, as for `check`. The contracts are those of a configuration, jaxpr.yaml(5): a
    file, its text, or a mapping; or one contract is given by its keys: forbid, allow, require, count, max_elements,
    max_bytes, shapes, dtypes, signature, hash.

    >>> program = "{ lambda ; a:f32[4]. let b:f32[4] = sin a in (b,) }"
    >>> jaxpr.contract(program, forbid=["cos"], count={"equations": "<= 2"}).ok
    True
    >>> print(jaxpr.contract(program, forbid="s*")[0].message)
    the contract forbids `sin` (matches `s*`)

    path: the path that is matched with the patterns of `files` in a configuration, with `/` between its parts. By default,
        the name of the text; if the configuration is a file, relative to its directory.

    `.raise_if_error()` raises an exception for violations. The manual is jaxpr-contract(1)."""
    if (config is None) == (not rules):
        raise UsageError("expected either a configuration or the keys of one contract, such as forbid=[\"scan\"]")
    made = _config(config if config is not None else {"contracts": [rules]})
    text = source(x, name)
    if path is None:
        path = text.name
        if isinstance(config, os.PathLike):
            path = os.path.relpath(path, os.path.dirname(os.path.abspath(config)))
    module = text.read()
    c.ok(lib.jx_contract_check(module.handle, made.handle, c.file_name(path)), module.context)
    return findings_of(module, keep=made)


# ---- signatures ----


def sig(
    x: Any,
    *,
    in_type: bool = False,
    nested: bool = False,
    dims: str = "auto",
    dialect: str = "auto",
    jax: Optional[str] = None,
    name: Optional[str] = None,
) -> str:
    """Returns the types of arguments and results, a line for each program.

    `x` is text, a file or a live object, as for `check`. A text with errors of syntax or scope raises InvalidProgram.

    >>> jaxpr.sig("{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b, 1.0:f32[]) }")
    '(f32[8]) -> (f32[8], f32[])'

    in_type: two lines, JAX's in_type and out_type, as for programs whose sizes are variables.
    nested: also nested programs.
    dims, dialect: as for `check`.
    jax: number results as this version of JAX does, such as "0.4.28".

    The manual is jaxpr-sig(1)."""
    module = source(x, name).read()
    options = c.jx_signature_options(
        dims=_index(_DIMS, dims, "dims"),
        dialect=_index(_DIALECTS, dialect, "dialect"),
        jax=_version(jax),
        nested=nested,
        arrow=not in_type,
    )
    first = ctypes.c_bool(True)
    written = c.write(
        lib.jx_write_signatures,
        module.handle,
        ctypes.byref(options),
        b"",
        ctypes.byref(first),
        context=module.context,
    )
    raise_errors(module)
    return written.decode("utf-8", "replace").rstrip("\n")


# ---- statistics and costs ----


class Stats(NamedTuple):
    """The counts of a program. Nested programs are included, a shared one once per use."""

    equations: int
    """The number of equations."""
    primitives: Dict[str, int]
    """How often each primitive occurs, most frequent first."""
    depth: int
    """The depth of nesting; 1 if no program is nested."""
    constants: int
    """The number of constants; those of a shared program count once."""
    constant_bytes: int
    """The bytes of the constants whose sizes are known."""


Amount = Union[int, float, str]
"""A number, or a polynomial as text if it depends on unknown sizes, such as "2*n^2 + 5"."""


class CostRow(NamedTuple):
    """The cost of all equations of one primitive, shape or source line."""

    name: str
    times: Amount
    flops: Amount
    transcendentals: Amount
    bytes_read: Amount
    bytes_written: Amount
    unknown: int


class Cost(NamedTuple):
    """The cost of running a program. jaxpr-stats(1) describes how primitives count."""

    flops: Amount
    """Elementary operations, without transcendental ones."""
    transcendentals: Amount
    """Transcendental operations, such as exp."""
    bytes_read: Amount
    """The bytes that equations read, if each runs by itself."""
    bytes_written: Amount
    """The bytes that they write."""
    peak_bytes: Amount
    """The largest number of bytes live at one time, arguments included."""
    peak_line: int
    """The line of the first equation at which the peak is reached; 0 if it is reached before the first equation."""
    unknown: int
    """The number of equations of unknown cost or size, which count as zero."""
    dead: int
    """The number of equations that no result depends on; `model="live"` ignores them."""
    rows: Tuple[CostRow, ...]
    """The cost by primitive, shape or source line, most expensive first."""


def _amount(amount: Any) -> Amount:
    written = c.text(amount.text)
    if written.isdigit():
        return int(written)
    return written if amount.value != amount.value else amount.value


_COST_BY = ("primitive", "shape", "source")  # enum jx_cost_by
_COST_MODELS = ("printed", "live")
_COST_LIVE = 1 << 8


def read_stats(module: c.Module, program: int) -> Stats:
    """Counts one program of a module."""
    counted, count = c.jx_stats(), ctypes.c_uint64()
    with module.lock:
        with c.result(lib.jx_stats, lib.jx_stats_free, module.handle, program, context=module.context) as made:
            lib.jx_stats_counts(made, ctypes.byref(counted), ctypes.sizeof(counted))
            primitives = {}
            for i in range(counted.primitives):
                primitive = c.text(lib.jx_stats_primitive(made, i, ctypes.byref(count)))
                primitives[primitive] = count.value
    return Stats(counted.equations, primitives, counted.depth, counted.constants, counted.constant_bytes)


def read_cost(module: c.Module, program: int, by: str, model: str) -> Cost:
    """Computes the cost of one program of a module."""
    key = _index(_COST_BY, by, "kind of row") | (_COST_LIVE if _index(_COST_MODELS, model, "model") else 0)
    costs, row = c.jx_costs(), c.jx_cost()
    rows: List[CostRow] = []
    with module.lock, c.result(
        lib.jx_cost, lib.jx_cost_free, module.handle, program, key, context=module.context
    ) as made:
        lib.jx_cost_total(made, ctypes.byref(costs), ctypes.sizeof(costs))
        total = costs.total
        flops, transcendentals, read, written, peak = (
            _amount(a) for a in (total.flops, total.transcendentals, total.read, total.written, costs.peak)
        )
        for i in range(costs.rows):
            lib.jx_cost_row(made, i, ctypes.byref(row), ctypes.sizeof(row))
            numbers = (row.times, row.flops, row.transcendentals, row.read, row.written)
            rows.append(CostRow._make((c.text(row.name), *map(_amount, numbers), row.unknown)))
    return Cost(
        flops, transcendentals, read, written, peak, costs.peak_at.line, total.unknown, costs.dead, tuple(rows)
    )


def _only_program(x: Any, name: Optional[str], plural: str) -> c.Module:
    module = source(x, name).read()
    raise_errors(module)
    count = lib.jx_program_count(module.handle)
    if count != 1:
        raise Error(f"expected a text with one program, found {count}; {plural}")
    return module


def stats(x: Any, *, name: Optional[str] = None) -> Stats:
    """Counts equations, primitives, nested programs and constants of a program.

    `x` is text, a file or a live object, as for `check`, with exactly one program; `programs` takes any number. A text
    with syntax errors raises InvalidProgram.

    >>> jaxpr.stats("{ lambda ; a:f32[4]. let b:f32[4] = sin a; c:f32[4] = sin b in (c,) }").primitives
    {'sin': 2}

    The manual is jaxpr-stats(1)."""
    return read_stats(_only_program(x, name, "`jaxpr.programs` has the `stats` of each"), 0)


def cost(x: Any, *, by: str = "primitive", model: str = "printed", name: Optional[str] = None) -> Cost:
    """Computes the cost of running a program: operations, bytes moved, and bytes live.

    `x` is text, a file or a live object, as for `check`, with exactly one program; `programs` takes any number. A text
    with syntax errors raises InvalidProgram. With unknown sizes, an amount is a polynomial as text.

    >>> program = "{ lambda ; a:f32[4,8] b:f32[8,2]. let c:f32[4,2] = dot_general[dimension_numbers=(([1], [0]), ([], []))] a b in (c,) }"
    >>> jaxpr.cost(program).flops
    128

    by: what the rows of the result are for: "primitive", "shape" or "source".
    model: "printed", or "live", which ignores equations that no result depends on.

    The manual is jaxpr-stats(1)."""
    return read_cost(_only_program(x, name, "`jaxpr.programs` has the `cost` of each"), 0, by, model)


# ---- programs in other text ----


class Found(NamedTuple):
    """A program that was found in other text, or text that looks like one."""

    text: str
    """The program as JAX printed it, without prefixes of lines, colours and escapes."""
    span: Span
    """Its place in the text that was searched."""
    offset: int
    """The offset of its beginning in that text, in bytes."""
    findings: Findings
    """The findings of `check`, with places in the text that was searched."""


def extract(x: Any, *, check: bool = True, name: Optional[str] = None) -> Tuple[Found, ...]:
    """Finds the programs in other text, such as a log, a traceback, a notebook or a source file.

    `x` is text or a file, as for `check`.

    >>> log = "I1123 step 4\\nI1123 { lambda ; a:f32[4]. let\\nI1123     b:f32[4] = sin a\\nI1123   in (b,) }\\nI1123 done\\n"
    >>> for found in jaxpr.extract(log):
    ...     print(found.span, jaxpr.sig(found.text))
    <text>:2:7 (f32[4]) -> f32[4]

    check: check each program; otherwise `findings` contains only syntax errors.

    The manual is jaxpr-extract(1)."""
    text = source(x, name)
    all_found = []
    with text.open() as file:
        extraction = c.Extraction(text.name, file)
        for module, found in iter(extraction.next, None):
            if check:
                c.ok(lib.jx_check(module.handle, None), module.context)
            place = found.place
            span = Span(text.name, place.line, place.column, place.end_line, place.end_column)
            all_found.append(Found(c.text(found.text), span, found.offset, findings_of(module)))
    return tuple(all_found)


# ---- codes ----


def explain(code: str) -> str:
    """Returns the explanation of a code ("T008") or its name: why it is reported, an example, and how to fix it.

    >>> print(jaxpr.explain("S012").splitlines()[0])
    S012 unbound-variable (error): a variable is used but never bound

    The manual is jaxpr-explain(1)."""
    row = c.jx_code()
    if not lib.jx_code_find(c.word(code), ctypes.byref(row)):
        raise UsageError(f"unknown code `{code}`")
    head = f"{row.code.decode()} {row.name.decode()} ({c.LEVELS[row.level]}): {row.title.decode()}"
    return f"{head}\n\n{row.explain.decode()}".rstrip("\n")
