# SPDX-License-Identifier: Apache-2.0
"""The columns of `batch` and of the index of a fleet for each program of a module, as rows of Arrow tables.

A module is read once; digests are computed last, as they change it. A column is a name and a kind: "l" for 64-bit integers,
"u" for text, or, for lists of rows, the columns of these rows."""

from __future__ import annotations

import ctypes
import struct
from ctypes import byref, sizeof
from typing import Any, Dict, Iterable, Iterator, List, Tuple

from . import _library as c
from ._library import lib
from ._program import Type

Row = Tuple[Any, ...]

# the columns of a program, in the order of `_row`
COLUMNS = (
    ("program", "l"),
    ("line", "l"),
    ("digest", "u"),
    ("signature", "u"),
    ("equations", "l"),
    ("depth", "l"),
    ("constants", "l"),
    ("constant_bytes", "l"),
    ("flops", "l"),
    ("transcendentals", "l"),
    ("bytes_read", "l"),
    ("bytes_written", "l"),
    ("peak_bytes", "l"),
    ("errors", "l"),
    ("error", "u"),
)

_COSTS = tuple((name, "l") for name in ("times", "flops", "transcendentals", "bytes_read", "bytes_written"))

# the columns whose values are lists of rows, in the order of `_details`
DETAILS = (
    ("operations", (("primitive", "u"), ("type", "u"), ("dtype", "u"), ("equations", "l"))),
    ("costs", (("primitive", "u"), *_COSTS, ("unknown", "l"))),
    ("nested", (("digest", "u"), ("name", "u"), ("equations", "l"), ("copies", "l"))),
    ("findings", (("code", "u"), ("name", "u"), ("level", "u"), ("line", "l"), ("column", "l"), ("message", "u"))),
    ("lines", (("place", "u"), *_COSTS)),
)

_MOST = (1 << 63) - 1


def failed(why: str, details: bool, program: int = 0) -> Row:
    """The row of a program that could not be read."""
    return (program, *[None] * (len(COLUMNS) - 2), why, *[[] for _ in DETAILS if details])


def _layout(made: Any) -> struct.Struct:
    """The format with which `struct` reads elements of an array of structures that the library filled."""
    letters = {ctypes.c_uint32: "I", ctypes.c_size_t: "N", ctypes.c_void_p: "P", ctypes.c_double: "d"}

    def flat(structure: Any) -> str:
        return "".join(letters[kind] if kind in letters else flat(kind) for _, kind in structure._fields_)

    return struct.Struct("@" + flat(made) + "0P")


_EQUATION, _VARIABLE, _COST = _layout(c.jx_equation), _layout(c.jx_variable), _layout(c.jx_cost)


def _number(value: float) -> Any:
    """A count as a 64-bit integer, at most _MOST; None if it depends on unknown sizes."""
    return None if value != value else min(int(value), _MOST)


def _text(at: int, n: int) -> str:
    return ctypes.string_at(at, n).decode("utf-8", "replace") if n else ""


# ---- equations by primitive and type ----


def _inner(module: c.Module, first_parameter: int) -> List[int]:
    """The programs that the parameters of an equation contain or refer to."""
    parameter, found, at = c.jx_parameter(), [], first_parameter
    while at != c.NONE and lib.jx_parameter_at(module.handle, at, byref(parameter), sizeof(parameter)):
        found += [lib.jx_parameter_jaxpr(module.handle, at, k) for k in range(parameter.jaxprs)]
        at = parameter.next
    return [each for each in found if each != c.NONE]


class _Walk:
    """The equations of a module; each program is read once."""

    def __init__(self, module: c.Module) -> None:
        self.module = module
        self.types: Dict[int, Tuple[str, str]] = {c.NONE: ("", "")}
        self.primitives: Dict[Tuple[int, int], str] = {}
        self.bodies: Dict[int, Tuple[Dict[Tuple[str, int], int], List[int]]] = {}

    def body(self, jaxpr: int) -> Tuple[Dict[Tuple[str, int], int], List[int]]:
        """How often each (primitive, type id of the first result) occurs in a program, without nested programs; and its
        nested programs, once for each use."""
        known = self.bodies.get(jaxpr)
        if known is None:
            known = self.bodies[jaxpr] = self._read(jaxpr)
        return known

    def _read(self, jaxpr: int) -> Tuple[Dict[Tuple[str, int], int], List[int]]:
        handle, row = self.module.handle, c.jx_jaxpr()
        counts: Dict[Tuple[str, int], int] = {}
        inner: List[int] = []
        lib.jx_jaxpr_at(handle, jaxpr, byref(row), sizeof(row))
        into, result = (c.jx_equation * row.equations)(), c.jx_variable()
        n = lib.jx_equations(handle, row.first_equation, into, row.equations, sizeof(c.jx_equation))
        for at in range(n):
            name, length, results, _, parameter, _, equation = _EQUATION.unpack_from(into, at * _EQUATION.size)
            type_id = c.NONE
            if results and lib.jx_results(handle, equation, 0, byref(result), 1, sizeof(result)):
                type_id = result.type_id
            key = (self._primitive(name, length), type_id)
            counts[key] = counts.get(key, 0) + 1
            if parameter != c.NONE:
                inner += _inner(self.module, parameter)
        return counts, inner

    def _primitive(self, at: int, n: int) -> str:
        known = self.primitives.get((at, n))
        if known is None:
            known = self.primitives[at, n] = _text(at, n)
        return known

    def type(self, type_id: int) -> Tuple[str, str]:
        """The text of a type, and its element type; for a ref, the element type of what it refers to."""
        known = self.types.get(type_id)
        if known is None:
            it = Type(self.module, type_id)
            known = self.types[type_id] = (it.text, (it.inner or it).dtype)
        return known

    def order(self, main: int) -> List[int]:
        """A program and its nested programs, each once, and before the programs that it contains."""
        done, after, stack = set(), [], [(main, False)]
        while stack:
            jaxpr, left = stack.pop()
            if left:
                after.append(jaxpr)
            elif jaxpr not in done:
                done.add(jaxpr)
                stack.append((jaxpr, True))
                stack += [(each, False) for each in self.body(jaxpr)[1] if each not in done]
        return after[::-1]

    def operations(self, main: int) -> List[Row]:
        """The number of equations for each primitive and type of the first result, most frequent first. Equations of nested
        programs are included, those of a shared program once per use."""
        times, sums = {main: 1}, {}  # type: Dict[int, int], Dict[Tuple[str, int], int]
        for jaxpr in self.order(main):
            often = times[jaxpr]
            counts, inner = self.body(jaxpr)
            for key, n in counts.items():
                sums[key] = sums.get(key, 0) + n * often
            for each in inner:
                times[each] = times.get(each, 0) + often
        merged: Dict[Row, int] = {}  # different type ids may have the same text
        for (primitive, type_id), n in sums.items():
            row = (primitive, *self.type(type_id))
            merged[row] = merged.get(row, 0) + n
        rows = [(*row, min(n, _MOST)) for row, n in merged.items() if row[0] != "..."]  # `...` in place of equations
        return sorted(rows, key=lambda row: (-row[3], row[:3]))


# ---- costs, findings, nested programs ----


def _costs(module: c.Module, program: int, by: int) -> Any:
    return c.result(lib.jx_cost, lib.jx_cost_free, module.handle, program, by, context=module.context)


def _cost_rows(costs: Any) -> List[Row]:
    row = c.jx_cost()
    rows: List[Row] = []
    while lib.jx_cost_row(costs, len(rows), byref(row), sizeof(row)):
        # a text (address and length), then for each amount a text and a number
        name, n, *amounts, unknown = _COST.unpack(row)
        rows.append((_text(name, n), *map(_number, amounts[2::3]), unknown))
    return rows


def _all_findings(module: c.Module) -> Dict[int, List[Row]]:
    """The findings of a module, by program."""
    found, all_found = c.jx_diagnostic(), {}  # type: Any, Dict[int, List[Row]]
    for i in range(lib.jx_diagnostic_count(module.handle, 0)):
        lib.jx_diagnostic_at(module.handle, i, byref(found), sizeof(found))
        place, code = found.place, found.code
        row = (code.code.decode(), code.name.decode(), c.LEVELS[found.level], place.line, place.column, c.text(found.message))
        all_found.setdefault(found.program, []).append(row)
    return all_found


def _functions(digests: Any) -> Dict[int, List[Row]]:
    """For each program, the digests of its nested programs, equal ones once, the largest first."""
    function, counted = c.jx_function(), {}  # type: Any, Dict[int, Dict[str, List[Any]]]
    at = 0
    while lib.jx_function_at(digests, at, byref(function), sizeof(function)):
        at += 1
        if function.whole or not function.equations:
            continue
        digest = c.text(function.digest)
        row = counted.setdefault(function.program, {}).setdefault(digest, [c.text(function.name), function.equations, 0])
        row[2] += 1
    return {
        program: sorted(
            ((digest, name, min(equations, _MOST), copies) for digest, (name, equations, copies) in rows.items()),
            key=lambda row: (-row[2], row[0]),
        )
        for program, rows in counted.items()
    }


# ---- a module ----

_ARROW = c.jx_signature_options(arrow=True)
# Computing digests changes the module, whose programs cannot be used afterwards: see rows_of.
_WHOLE = c.jx_compare_options(in_place=True)
_FUNCTIONS = c.jx_compare_options(functions=True, in_place=True)
_BROKEN = "S"  # prefixes of the codes of syntax and scope errors


def _signatures(module: c.Module, count: int) -> Dict[int, str]:
    """The signatures of the programs that have one, by index. The library writes a line `#NUMBER`, from 1, before each if there
    are several programs."""
    first = ctypes.c_bool(True)
    written = c.write(lib.jx_write_signatures, module.handle, byref(_ARROW), b"", byref(first), context=module.context)
    texts = written.decode("utf-8", "replace").rstrip("\n")
    if count == 1:
        return {0: texts} if texts else {}
    found = (text.partition("\n") for text in texts.split("\n\n") if text)
    return {int(number[1:]) - 1: signature for number, _, signature in found}


def _reason(findings: Iterable[Row], codes: str = "") -> str:
    """The first error whose code begins with `codes`, as text; an empty text if there is none."""
    for code, _, level, line, column, message in findings:
        if level == "error" and code.startswith(codes):
            return f"{line}:{column}: {message} [{code}]"
    return ""


class _Facts:
    """The facts about all programs of a module: the constructor computes those that must precede the digests."""

    def __init__(self, module: c.Module, details: bool) -> None:
        self.module, self.details = module, details
        c.ok(lib.jx_check(module.handle, None), module.context)
        self.checked = _all_findings(module)
        self.count = lib.jx_program_count(module.handle)
        self.programs = [c.jx_program() for _ in range(self.count)]
        for i, row in enumerate(self.programs):
            lib.jx_program_at(module.handle, i, byref(row), sizeof(row))
        self.why = [self._broken(i) for i in range(self.count)]
        self.signatures = _signatures(module, self.count)
        self.found = self.checked
        walk = _Walk(module)
        self.rest = {i: self._before_digests(i, walk) for i in range(self.count) if not self.why[i]}

    def _broken(self, i: int) -> str:
        """The reason why a program cannot be read, or an empty text."""
        why = _reason(self.checked.get(i, ()), _BROKEN)
        return why or ("syntax errors" if self.programs[i].broken or self.programs[i].jaxpr == c.NONE else "")

    def _before_digests(self, i: int, walk: _Walk) -> Tuple[Row, List[List[Row]]]:
        module, stats, costs = self.module, c.jx_stats(), c.jx_costs()
        with c.result(lib.jx_stats, lib.jx_stats_free, module.handle, i, context=module.context) as counted:
            lib.jx_stats_counts(counted, byref(stats), sizeof(stats))
        with _costs(module, i, 0) as made:
            lib.jx_cost_total(made, byref(costs), sizeof(costs))
            by_primitive = _cost_rows(made) if self.details else []
        total = costs.total
        amounts = (total.flops, total.transcendentals, total.read, total.written, costs.peak)
        counts = (stats.equations, stats.depth, stats.constants, stats.constant_bytes)
        row = (*(min(n, _MOST) for n in counts), *(_number(each.value) for each in amounts))
        if not self.details:
            return row, []
        with _costs(module, i, 2) as made:
            lines = [each[:-1] for each in _cost_rows(made) if each[0]]
        return row, [walk.operations(self.programs[i].jaxpr), by_primitive, lines]

    def lint(self) -> None:
        """Adds the findings of the rules that run by default."""
        c.ok(lib.jx_lint(self.module.handle, None, None), self.module.context)
        self.found = _all_findings(self.module)

    def rows(self) -> Iterator[Row]:
        """The rows; computes the digests."""
        module = self.module
        how = byref(_FUNCTIONS if self.details else _WHOLE)
        with c.result(lib.jx_digests, lib.jx_digest_list_free, module.handle, how, context=module.context) as made:
            digests = [c.text(lib.jx_digest_at(made, i)) for i in range(self.count)]
            nested = _functions(made) if self.details else {}
        if not all(digests):
            now = _all_findings(module)  # includes errors of values that have no digest
            self.why = [why or ("" if digest else _reason(now.get(i, ())) or "no digest")
                        for i, (why, digest) in enumerate(zip(self.why, digests))]
        for i, program in enumerate(self.programs):
            errors = sum(row[2] == "error" for row in self.checked.get(i, ()))
            findings = [self.found.get(i, [])] if self.details else []
            if self.why[i]:
                none = [None] * (len(COLUMNS) - 5)
                yield (i, program.place.line, None, *none, errors, self.why[i], *([[], [], [], *findings, []] if findings else []))
                continue
            row, lists = self.rest[i]
            more = (*lists[:2], nested.get(i, []), *findings, *lists[2:])
            yield (i, program.place.line, digests[i], self.signatures.get(i), *row, errors, None, *more)


def rows_of(module: c.Module, details: bool) -> List[Row]:
    """The rows of all programs of a module, with the lists of DETAILS if `details`; one row with an error if there is no
    program. Afterwards, only the diagnostics of the module may be used."""
    with module.lock:
        facts = _Facts(module, details)
        if details:
            facts.lint()
        rows = list(facts.rows())
    if rows:
        return rows
    why = [_reason(found) for found in facts.found.values()]
    return [failed(next(filter(None, why), "no program"), details)]
