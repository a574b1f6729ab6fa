# SPDX-License-Identifier: Apache-2.0
"""A client of the package, which mypy accepts with all checks (tests/python/types), and which runs: every function on text
has known types."""

import os
import tempfile
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import jaxpr

TEXT = "{ lambda ; a:f32[8] b:f32[8]. let c:f32[8] = add a b; d:f32[8] = sin c in (d,) }\n"
OTHER = TEXT.replace("sin", "cos")
WRONG = "{ lambda ; a:f32[8] b:f32[4]. let c:f32[8] = add a b in (c,) }"


def where(span: Optional[jaxpr.Span]) -> str:
    return "" if span is None else f"{span.file}:{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def explain(findings: jaxpr.Findings) -> List[str]:
    lines: List[str] = []
    for finding in findings:
        lines.append(f"{where(finding.span)} {finding.level} {finding.code} {finding.name} {finding.message}")
        lines += [f"{note.message} {where(note.span)}" for note in finding.notes]
        lines += finding.fixes
    lines.append(f"{len(findings)} {findings.ok} {findings.unverified} {len(findings.errors)} {len(findings.warnings)}")
    lines += [findings.render("gcc"), findings.text(color=True), str(findings)]
    return lines


def refuse(text: str) -> str:
    try:
        jaxpr.check(text, strict=True, dims="vars", name="report").raise_if_error()
    except jaxpr.InvalidProgram as error:
        return "\n".join(explain(error.findings))
    return ""


def describe(program: jaxpr.Program) -> Tuple[Dict[str, int], List[str]]:
    lines: List[str] = [f"{variable.name} {variable.id}" for variable in program.constants + program.inputs]
    for equation in program.walk():
        types: List[Optional[jaxpr.Type]] = [result.type for result in equation.outputs]
        shapes = [of.shape for of in types if of is not None]
        read = [operand.text for operand in equation.inputs if not operand.is_literal]
        lines.append(f"{equation.primitive} {shapes} {read} {equation.source} {where(equation.span)}")
        lines.append(f"{len(equation.jaxprs)} programs inside")
    return program.stats.primitives, lines


def compare(a: str, b: str) -> str:
    found: jaxpr.Diff = jaxpr.diff(a, b, passes=["inline", "dce"], context=0)
    counts: Tuple[int, ...] = (found.changed, found.added, found.removed, found.moved, found.signature)
    return found.text(columns=100) + found.summary() + str(counts) if found else ""


def measure(text: str) -> List[str]:
    cost: jaxpr.Cost = jaxpr.cost(text, by="shape")
    rows = [f"{row.name} {row.flops} {row.bytes_read}" for row in cost.rows]
    return rows + [f"{cost.flops} {cost.peak_bytes} {cost.peak_line}", f"{jaxpr.stats(text).depth}"]


def edit(text: str) -> str:
    linted: jaxpr.LintFindings = jaxpr.lint(text, select="ALL", settings={"P303.bytes": "1G"})
    kept: bool = jaxpr.contract(text, forbid=["scan"], count={"add": 1}).ok
    return f"{linted.fixed} {linted.suppressed} {kept}"


def main() -> None:
    assert jaxpr.check(TEXT).ok and not jaxpr.check(TEXT.encode())
    assert "T008" in refuse(WRONG) and refuse(TEXT) == ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(os.path.join(folder, "step.jaxpr"))
        path.write_text(TEXT, encoding="utf-8")
        assert jaxpr.eq(path, TEXT) and jaxpr.hash(path) == jaxpr.hashes(TEXT)[0]
    assert jaxpr.norm(TEXT, passes="dce") == jaxpr.fmt(TEXT, width=100) and "dce" in jaxpr.passes()
    assert describe(jaxpr.program(TEXT))[0] == {"add": 1, "sin": 1} and len(jaxpr.programs(TEXT + OTHER)) == 2
    assert "sin" in compare(TEXT, OTHER) and compare(TEXT, TEXT) == ""
    assert measure(TEXT) and edit(TEXT) and jaxpr.sig(TEXT) == "(f32[8], f32[8]) -> f32[8]"
    found: Tuple[jaxpr.Found, ...] = jaxpr.extract("log\n" + TEXT)
    assert len(found) == 1 and found[0].span.line == 2 and found[0].findings.ok
    assert len(jaxpr.batch([TEXT, OTHER])) == 2 and "T008" in jaxpr.explain("T008")
    jaxpr.assert_eq(TEXT, TEXT)
    jaxpr.assert_contract(TEXT, require=["sin"])


if __name__ == "__main__":
    main()
