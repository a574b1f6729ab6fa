# SPDX-License-Identifier: Apache-2.0
"""Reads the text of a parameter as a Python value, without evaluating it.

Numbers, strings, tuples, lists, sets and dicts become Python values; other text becomes a Name, a Call, a Type or a Thing, which
the caller interprets. One pass over the text; nesting is limited by Python's recursion limit.
"""

import ast
import re
from typing import NamedTuple

import numpy as np


class Unreadable(Exception):
    """The text is not a value in this notation."""


class Name(NamedTuple):
    """A bare word: `float32`, `GatherScatterMode.CLIP`."""

    text: str


class Call(NamedTuple):
    """`NAME(positional.., key=value ..)`; `key: value` is read like `key=value`."""

    name: str
    positional: tuple
    named: tuple

    def get(self, key, default=None):
        return dict(self.named).get(key, default)


class Type(NamedTuple):
    """`float32[8,n]` or `Ref{f32[8]}`, as printed."""

    text: str


class Thing(NamedTuple):
    """`<function f at 0x7f..>`, or other text in angle brackets."""

    text: str


TOKEN = re.compile(
    r"""\s*(?:
    (?P<complex>\(?[+-]?(?:\d+\.?\d*|\.\d+|inf|nan)?(?:[eE][+-]?\d+)?[+-]?(?:\d+\.?\d*|inf|nan)(?:[eE][+-]?\d+)?j\)?)
  | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
  | (?P<special>[+-](?:inf|nan)\b)
  | (?P<string>b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*")
  | (?P<name>[A-Za-z_][\w.]*|\*)
  | (?P<thing><)
  | (?P<mark>[()\[\]{},:=])
)""",
    re.X,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
WORDS = {"None": None, "True": True, "False": False, "nan": float("nan"), "inf": float("inf")}
ADDRESS = re.compile(r" at 0x[0-9a-fA-FX]+")


def angle(text, at):
    """The index after the `>` that matches the `<` at `at`; the `>` of `->` does not count."""
    depth = 0
    for end in range(at, len(text)):
        if text[end] == "<":
            depth += 1
        elif text[end] == ">" and text[end - 1] != "-":
            depth -= 1
            if not depth:
                return end + 1
    raise Unreadable(text[at : at + 20])


class Reader:
    def __init__(self, text):
        self.text, self.at, self.end, self.ahead = text, 0, len(text.rstrip()), None

    def token(self):
        if self.ahead is None:
            match = TOKEN.match(self.text, self.at)
            if not match or self.at >= self.end:
                raise Unreadable(self.text[self.at : self.at + 20] or "the text ends early")
            kind, end = match.lastgroup, match.end()
            if kind == "thing":
                end = angle(self.text, match.start(kind))
            self.ahead = (kind, self.text[match.start(kind) : end], end)
        return self.ahead

    def peek(self, mark):
        try:
            return self.token()[:2] == ("mark", mark)
        except Unreadable:
            return False

    def next(self):
        kind, text, self.at = self.token()
        self.ahead = None
        return kind, text

    def items(self, close):
        """The items before `close`: positional values, pairs (key, value) for `key=value` and `key: value`, and whether a comma
        follows the last item."""
        positional, named, comma = [], [], False
        while not self.peek(close):
            value, comma = self.value(), False
            if self.peek("=") or self.peek(":"):
                self.next()
                named.append((value.text if isinstance(value, Name) else value, self.value()))
            else:
                positional.append(value)
            if self.peek(","):
                self.next()
                comma = True
            elif not self.peek(close):
                raise Unreadable("a comma is missing")
        self.next()
        return tuple(positional), tuple(named), comma

    def value(self):
        kind, text = self.next()
        if kind == "number":
            return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
        if kind == "complex":
            return complex(text)
        if kind == "special":
            return float(text)
        if kind == "string":
            return ast.literal_eval(text)
        if kind == "thing":
            return Thing(text)
        if kind == "name":
            return self.called(text)
        if text not in CLOSING:
            raise Unreadable(text)
        positional, named, comma = self.items(CLOSING[text])
        if text == "{":
            return dict(named) if named or not positional else frozenset(positional)
        if named:
            raise Unreadable("a key in a tuple")
        if text == "[":
            return list(positional)
        return positional[0] if len(positional) == 1 and not comma else positional

    def called(self, name):
        at = self.at
        if self.text.startswith(("[", "{", "<"), at) and name != "*":
            return self.type(name)
        if not self.peek("("):
            return WORDS[name] if name in WORDS else Name(name)
        self.next()
        if self.peek(","):  # `Mesh(, axis_types=())`, a mesh without axes
            self.next()
        positional, named, _ = self.items(")")
        if re.fullmatch(r"np\.(u?int|float|complex|bool)\d*_?", name) and len(positional) == 1:
            return getattr(np, name[3:])(positional[0])
        if name == "dtype" and len(positional) == 1:
            return Name(getattr(positional[0], "text", positional[0]))
        if name == "frozenset":
            return frozenset(positional[0]) if positional else frozenset()
        if name == "range" and not named:
            return range(*positional)
        return Call(name, positional, named)

    def type(self, name):
        """`float32[8,n]{V:x}`: a name and the bracketed groups that follow it immediately."""
        start, at = self.at - len(name), self.at
        while self.text.startswith(("[", "{", "<"), at):
            depth = 0
            for at in range(at, self.end):
                depth += self.text[at] in "[{<("
                depth -= self.text[at] in "]}>)"
                if not depth:
                    break
            else:
                raise Unreadable(name)
            at += 1
        self.at, self.ahead = at, None
        return Type(self.text[start:at])


def parse(text):
    """The value of a parameter; a text that is not a value is a Name, as JAX prints strings without quotes."""
    try:
        reader = Reader(text)
        value = reader.value()
        if not text[reader.at :].strip():
            return value
    except (Unreadable, ValueError, SyntaxError, RecursionError):
        pass
    return Name(text)


def printed(text):
    """The text of an object without addresses, which differ in each run."""
    return ADDRESS.sub("", text)


def function_name(text):
    """`f` for `<function f at 0x..>`, `<bound method A.f of ..>` or `f`: the last part of the qualified name."""
    match = re.match(r"<(?:function|bound method|built-in function|cyfunction) (.*?)(?: at 0x| of |>$)", text)
    name = match.group(1) if match else text
    return name.rsplit(".", 1)[-1] or name
