# SPDX-License-Identifier: Apache-2.0
"""Contracts in place of assertions: Python tests are parsed, not run, to find what they assert about the text of a program.

A text is `str(x)`, `repr(x)`, an f-string or `x.pretty_print()`, if the name of x contains `jaxpr` or make_jaxpr returned x; the
result of a function whose name contains `jaxpr` and a word for text, such as `jaxpr_text`; or a name that was assigned such a
text. Assertions about names of primitives become `forbid`, `require` and `count`, with `*` at a side of the name that the
assertion leaves open, as `"select" in text` is true for `select_n`; those about element types and shapes become `dtypes` and
`shapes`. Assertions that no contract can express are listed with their lines. Linear in the size of the sources.
"""

from __future__ import annotations

import ast
import ctypes
import pathlib
import re
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

from ._library import lib, jx_primitive
from ._snapshots import SUFFIX, test_name

OPERATORS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
COMPARED = {"Equal": "==", "NotEqual": "!=", "Less": "<", "LessEqual": "<=", "Greater": ">", "GreaterEqual": ">="}
DTYPE = re.compile(r"((?:b?f|i|u|c)\d+(?:_\w+)?|bool|bfloat16|(?:float|u?int|complex)\d+\w*)(\[.*)?$")
WORD = re.compile(r"([=\s]*)([A-Za-z_][\w-]*)([\[\s]*)$")
PRINTING = re.compile(r"str|repr|text|txt|print|dump|format")  # in names of functions that return the text of a program


class Asserted(NamedTuple):
    """An assertion that the number of occurrences of a word in the text of a program compares with a number. `word` is None if
    the word is unknown."""

    program: str  # the source of the expression for the program, and how often each name in it had been assigned
    word: Optional[str]
    operator: str
    number: int
    line: int


class Proposal(NamedTuple):
    """The contract for what one test asserts about one program: its keys and the assertions that it replaces (`lines`), and
    those that no contract can express (`left`)."""

    path: str
    files: List[str]  # patterns for the path of the program's snapshot
    keys: Dict[str, Any]
    lines: List[Tuple[int, str]]
    left: List[Tuple[int, str]]


def is_primitive(word: str) -> bool:
    """Whether some version of JAX has a primitive of that name."""
    written = word.encode("utf-8", "surrogatepass")
    answer = jx_primitive()
    return bool(lib.jx_primitive_find(written, len(written), ctypes.byref(answer), ctypes.sizeof(answer)))


class Reader(ast.NodeVisitor):
    """Reads one test: assignments and assertions in order."""

    def __init__(self, module: Dict[str, ast.expr]) -> None:
        self.values, self.found, self.rest = dict(module), [], []  # type: Dict[str, ast.expr], List[Asserted], List[int]
        self.texts: Dict[str, str] = {}  # names bound to the text of a program, with the source of the program
        self.programs: Set[str] = set()  # names bound to a program
        self.times: Dict[str, int] = {}  # how often names were assigned

    # ---- the values of names

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)  # before the assignment: its right side uses the old values
        for target in node.targets:
            self.assign(target, node.value)

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        """Records the value of a name, or of each name of a tuple; several results of a call are distinguished by index."""
        if isinstance(target, (ast.Tuple, ast.List)):
            given = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
            for at, each in enumerate(target.elts):
                self.assign(each, given[at] if given else ast.Subscript(value, ast.Constant(at), ast.Load()))
        if not isinstance(target, ast.Name):
            return
        program, made = self.text(value), self.is_program(value)
        self.times[target.id] = self.times.get(target.id, 0) + 1
        self.values[target.id] = value
        self.texts.pop(target.id, None)
        (self.programs.add if made else self.programs.discard)(target.id)
        if program is not None:
            self.texts[target.id] = program

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """A function inside a test has names of its own."""
        outer = dict(self.values), dict(self.texts), set(self.programs)
        self.generic_visit(node)
        self.values, self.texts, self.programs = outer

    def visit_For(self, node: ast.For) -> None:
        words = self.constants(node.iter)
        if words is None or not isinstance(node.target, ast.Name):
            self.generic_visit(node)
            return
        for word in words:
            self.values[node.target.id] = ast.Constant(word)
            for each in node.body:
                self.visit(each)
        return None

    def constants(self, node: ast.expr) -> Optional[List[Any]]:
        """The values of a tuple, list or set of constants."""
        node = self.values.get(node.id, node) if isinstance(node, ast.Name) else node
        if not isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return None
        out = [self.constant(each) for each in node.elts]
        return None if None in out else out

    def constant(self, node: ast.expr) -> Any:
        """The value of an expression that is a number or string; None for others."""
        node = self.values.get(node.id, node) if isinstance(node, ast.Name) else node
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, (str, int)) else None

    def text(self, node: ast.expr) -> Optional[str]:
        """The source of the program whose text an expression is; None if the expression is not the text of a program."""
        if isinstance(node, ast.Name):
            return self.texts.get(node.id)
        inner: Optional[ast.expr] = None
        if isinstance(node, ast.JoinedStr) and len(node.values) == 1 and isinstance(node.values[0], ast.FormattedValue):
            inner = node.values[0].value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "format") and node.args:
            inner = node.args[0]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method = node.func.attr
            if method in ("lower", "strip", "replace"):
                return self.text(node.func.value)
            inner = node.func.value if method == "pretty_print" else None
        if inner is None:
            return self.source(node) if self.prints(node) else None
        return self.source(inner) if self.is_program(inner) else None

    def source(self, node: ast.expr) -> str:
        """The source of an expression, and how often each name in it was assigned, as it means another program afterwards."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return " ".join([ast.unparse(node), *(f"{name}:{self.times[name]}" for name in sorted(names & set(self.times)))])

    @staticmethod
    def prints(node: ast.expr) -> bool:
        """Whether an expression is a call, or an item of its result, of a function whose name contains `jaxpr` and a word for text."""
        call = node.value if isinstance(node, ast.Subscript) else node
        name = last_name(call.func) if isinstance(call, ast.Call) else ""
        return "jaxpr" in name and bool(PRINTING.search(name.replace("jaxpr", " ")))

    def is_program(self, node: ast.expr) -> bool:
        """Whether an expression is a program, judged by its last word or by what was assigned to its name."""
        if isinstance(node, ast.Name) and node.id in self.programs:
            return True
        if isinstance(node, ast.Call):
            inside = isinstance(node.func, ast.Call) and self.is_program(node.func)  # `make_jaxpr(f)(x)`
            return inside or "jaxpr" in last_name(node.func) or any(map(self.is_program, node.args))
        if isinstance(node, ast.Subscript):
            place = node.slice.value if isinstance(node.slice, ast.Constant) else 0
            return "jaxpr" in place if isinstance(place, str) else self.is_program(node.value)
        return "jaxpr" in last_name(node)

    # ---- assertions

    def visit_Assert(self, node: ast.Assert) -> None:
        self.holds(node.test, True)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in ("assertIn", "assertNotIn") and len(node.args) > 1:
            self.contains(node.args[0], node.args[1], name == "assertIn", node)
        elif name in ("assertTrue", "assertFalse") and node.args:
            self.holds(node.args[0], name == "assertTrue")
        elif name.startswith("assert") and name[6:] in COMPARED and len(node.args) > 1:
            self.compares(node.args[0], COMPARED[name[6:]], node.args[1], True, node)
        else:
            self.generic_visit(node)

    def holds(self, test: ast.expr, true: bool) -> None:
        """Reads an expression that is asserted to be true or, if not `true`, false."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.holds(test.operand, not true)
        elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if true else ast.Or):
            for each in test.values:
                self.holds(each, true)
        elif isinstance(test, ast.Compare) and len(test.ops) == 1:
            operator = test.ops[0]
            if isinstance(operator, (ast.In, ast.NotIn)):
                self.contains(test.left, test.comparators[0], isinstance(operator, ast.In) == true, test)
            elif type(operator) in OPERATORS:
                self.compares(test.left, OPERATORS[type(operator)], test.comparators[0], true, test)
        elif self.mentions(test):
            self.rest.append(test.lineno)

    def mentions(self, node: ast.expr) -> bool:
        """Whether the text of a program is part of an expression."""
        return any(self.text(each) is not None for each in ast.walk(node) if isinstance(each, ast.expr))

    def contains(self, word: ast.expr, text: ast.expr, true: bool, node: ast.expr) -> None:
        program, written = self.text(text), self.constant(word)
        if program is not None:
            self.found.append(Asserted(program, written if isinstance(written, str) else None, ">" if true else "==", 0, node.lineno))

    def compares(self, left: ast.expr, operator: str, right: ast.expr, true: bool, node: ast.expr) -> None:
        """Reads a comparison such as `text.count(word) == 2` or `2 == text.count(word)`."""
        if not self.counted(left):
            left, operator, right = right, MIRRORED[operator], left
        call, number = self.counted(left), self.constant(right)
        if call is not None and isinstance(number, int):
            written = self.constant(call[1])
            operator = operator if true else OPPOSITE[operator]
            self.found.append(Asserted(call[0], written if isinstance(written, str) else None, operator, number, node.lineno))
        elif self.mentions(node):
            self.rest.append(node.lineno)

    def counted(self, node: ast.expr) -> Optional[Tuple[str, ast.expr]]:
        """The program and the word of `text.count(word)`; None for other expressions."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "count" and node.args):
            return None
        program = self.text(node.func.value)
        return None if program is None else (program, node.args[0])


def last_name(node: ast.expr) -> str:
    """The last word of `a.b.c` in lower case; empty for other expressions."""
    return (node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "").lower()


def keys_of(each: Asserted) -> Dict[str, Any]:
    """The keys of a contract that replace one assertion; empty if no contract can."""
    operator, number = each.operator, each.number
    if (operator, number) in ((">=", 1), ("!=", 0)):
        operator, number = ">", 0
    if (operator, number) in (("<", 1), ("<=", 0)):
        operator, number = "==", 0
    absent, present = (operator, number) == ("==", 0), (operator, number) == (">", 0)
    word = WORD.match(each.word or "")
    if word and is_primitive(word.group(2)):
        name = ("" if word.group(1) else "*") + word.group(2) + ("" if word.group(3) else "*")
        if absent or present:
            return {"forbid" if absent else "require": [name]}
        return {} if operator == "!=" else {"count": {name: number if operator == "==" else f"{operator} {number}"}}
    dtype = DTYPE.match((each.word or "").strip())
    if absent and dtype and (dtype.group(2) or "[") == "[":
        return {"dtypes": {"forbid": [dtype.group(1)]}}
    shape = re.match(r"((?:[a-z]+\d*\w*)?)\[?(\d+(?:,\d+)+)(\]?)$", each.word or "")
    if absent and shape:
        sizes, open_end = shape.group(2), not shape.group(3)
        first = [f"[{sizes}]"] if not open_end else [f"[{sizes},...]"] if "[" in (each.word or "") else [f"[...,{sizes}]", f"[{sizes},...]"]
        return {"shapes": {"forbid": [shape.group(1) + one for one in first]}}
    return {}


def merge(keys: Dict[str, Any], more: Dict[str, Any]) -> bool:
    """Adds the keys of one assertion to those of a contract; false if they contradict each other."""
    opposite = {"forbid": "require", "require": "forbid"}
    for key, value in more.items():
        if key == "count" and set(value) & set(keys.get("forbid", ())) or key in opposite and set(value) & set(keys.get(opposite[key], ())):
            return False
        if key == "forbid" and set(value) & set(keys.get("count", ())):
            return False
        if isinstance(value, list):
            listed = keys.setdefault(key, [])
            listed += [each for each in value if each not in listed]
        elif key == "count" and any(keys.get(key, {}).get(name, each) != each for name, each in value.items()):
            return False
        else:
            inner = keys.setdefault(key, {})
            for name, each in value.items():
                if isinstance(each, list):
                    inner[name] = inner.get(name, []) + [one for one in each if one not in inner.get(name, [])]
                else:
                    inner[name] = each
    return True


def tests_of(tree: ast.Module) -> Iterator[Tuple[List[str], Any]]:
    """The functions of a module that are tests, each with the names of its classes."""
    stack: List[Tuple[List[str], ast.AST]] = [([], tree)]
    while stack:
        classes, node = stack.pop()
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.ClassDef):
                stack.append(([*classes, each.name], each))
            elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and "test" in each.name.lower():
                yield classes, each


def proposals(path: str, source: str) -> List[Proposal]:
    """The proposals for the tests of a module: one for each test and program."""
    tree = ast.parse(source, path)
    lines = source.splitlines()
    module = {each.targets[0].id: each.value for each in tree.body if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)}
    out: List[Proposal] = []
    for classes, function in tests_of(tree):
        reader = Reader(module)
        made: Dict[str, Proposal] = {}
        for each in function.body:
            reader.visit(each)
        name, several = test_name(classes, function.name, ""), len({each.program for each in reader.found}) > 1

        def shown(line: int) -> Tuple[int, str]:
            return line, lines[line - 1].strip()

        for asserted in reader.found:
            files = [name + (f"@{len(made) + 1}" if made else "") + SUFFIX] + ([] if several else [name + "[-@]*" + SUFFIX])
            one = made.setdefault(asserted.program, Proposal(path, files, {}, [], []))
            keys = keys_of(asserted)
            (one.lines if keys and merge(one.keys, keys) else one.left).append(shown(asserted.line))
        if reader.rest:
            made.setdefault("", Proposal(path, [], {}, [], [])).left.extend(map(shown, reader.rest))
        out += made.values()
    return out


def scalar(value: Any) -> str:
    """A value in YAML; words that YAML would read as another value are quoted."""
    text = str(value)
    plain = isinstance(value, int) or re.fullmatch(r"[A-Za-z_][\w-]*", text) and text.lower() not in ("null", "true", "false", "yes", "no", "on", "off")
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def flow(value: Any) -> str:
    """A value in YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(map(scalar, value)) + "]" if isinstance(value, list) else scalar(value)


def written(found: Iterable[Proposal]) -> str:
    """The text of a `.jaxpr.yaml` with a contract for each proposal, and comments with the assertions that remain."""
    out, left = ["contracts:"], []  # type: List[str], List[str]
    for each in found:
        if each.keys:
            out += [f"  # {each.path}:{line}: {text}" for line, text in dict.fromkeys(each.lines)]
            out.append("  - files: " + flow(each.files))
            out += [f"    {key}: {flow(value)}" for key, value in each.keys.items()]
        left += [f"# {each.path}:{line}: {text}" for line, text in dict.fromkeys(each.left)]
    out = out if len(out) > 1 else []
    return "\n".join(out + (["# no contract can express:"] if left else []) + left) + ("\n" if out or left else "")


def contracts_from(paths: Iterable[str], skipped: List[str]) -> str:
    """The text of a `.jaxpr.yaml` whose contracts for snapshots replace what tests assert about the text of programs.

    `paths` are Python files, or directories whose Python files are read; nothing is imported or run. For each file that
    cannot be parsed, a message is added to `skipped`. A path that cannot be read raises OSError."""
    found: List[Proposal] = []
    for path in map(pathlib.Path, paths):
        for each in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            try:
                found += proposals(str(each), each.read_text(encoding="utf-8"))
            except UnicodeDecodeError:
                skipped.append(f"{each}: not text in UTF-8")
            except (SyntaxError, ValueError, RecursionError) as error:  # ValueError: null bytes
                skipped.append(f"{each}:{getattr(error, 'lineno', None) or 1}: {getattr(error, 'msg', error)}")
    return written(found)
