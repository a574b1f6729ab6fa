# SPDX-License-Identifier: Apache-2.0
"""Reads the text of a parameter as a Python value, without evaluating it.

Tuples and lists are tuples, `np.int64(3)` is 3, and what has a name of its own is a Name or a Call for the loader to know."""

import ast
import re
from typing import NamedTuple


class Unknown(Exception):
    """A text that is no value this module knows."""


class Name(NamedTuple):
    text: str


class Call(NamedTuple):
    name: str
    positional: tuple
    named: tuple

    def get(self, key):
        return dict(self.named)[key]


TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
  | (?P<special>[+-](?:inf|nan)\b)
  | (?P<string>b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*")
  | (?P<name>[A-Za-z_][\w.]*|\*)
  | (?P<class><class\ '(?P<of>[\w.]+)'>)
  | (?P<mark>[()\[\]{},:=])
)""",
    re.X,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
WORDS = {"None": None, "True": True, "False": False, "nan": float("nan"), "inf": float("inf")}


def tokens(text):
    at, out = 0, []
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Unknown(text[at : at + 20])
        kind = match.lastgroup if match.lastgroup != "of" else "class"
        out.append((kind, match.group("of") if kind == "class" else match.group(kind)))
        at = match.end()
    return out


class Reader:
    def __init__(self, text):
        self.tokens, self.at = tokens(text), 0

    def peek(self, mark):
        return self.at < len(self.tokens) and self.tokens[self.at] == ("mark", mark)

    def next(self):
        if self.at == len(self.tokens):
            raise Unknown("the text ends early")
        self.at += 1
        return self.tokens[self.at - 1]

    def items(self, close):
        """What stands up to `close`: positional values, and (key, value) of `key=value` and `key: value`."""
        positional, named = [], []
        while not self.peek(close):
            value = self.value()
            if self.peek("=") or self.peek(":"):
                self.next()
                named.append((value.text if isinstance(value, Name) else value, self.value()))
            else:
                positional.append(value)
            if self.peek(","):
                self.next()
            elif not self.peek(close):
                raise Unknown("a comma is missing")
        self.next()
        return tuple(positional), tuple(named)

    def value(self):
        kind, text = self.next()
        if kind == "number":
            return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)
        if kind == "special":
            return float(text)
        if kind == "string":
            return ast.literal_eval(text)
        if kind == "class":
            return Name(text.rsplit(".", 1)[-1])
        if kind == "name":
            return self.called(text)
        if text not in CLOSING:
            raise Unknown(text)
        positional, named = self.items(CLOSING[text])
        if text == "{":
            return frozenset(positional) if positional else named
        if named:
            raise Unknown("a key in a tuple")
        if text == "(" and len(positional) == 1 and self.tokens[self.at - 2] != ("mark", ","):
            return positional[0]
        return positional

    def called(self, name):
        if not self.peek("("):
            return WORDS[name] if name in WORDS else Name(name)
        self.next()
        positional, named = self.items(")")
        if re.fullmatch(r"np\.(u?int|float)\d+|np\.bool_?", name):
            return positional[0]
        if name == "dtype":
            return Name(str(positional[0].text if isinstance(positional[0], Name) else positional[0]))
        if name == "frozenset":
            return positional[0] if positional else frozenset()
        return Call(name, positional, named)


def parse(text):
    """The value of a parameter; a text that is no value is a Name, as JAX prints strings without quotes."""
    try:
        reader = Reader(text)
        value = reader.value()
        if reader.at == len(reader.tokens):
            return value
    except Unknown:
        pass
    return Name(text)


def rights(found):
    return [leaf.positional[0] for leaf in found if isinstance(leaf, Call) and leaf.name == "Right"]


def leaves(tree):
    """The leaves of a FlatTree as JAX prints it: RightsOnly keeps those in Right and takes Right away."""
    if isinstance(tree, Call):
        if tree.name == "RightsOnly":
            return rights(leaves(tree.positional[0]))
        if tree.name in ("Right", "Left"):
            return [tree]
        if tree.name == "Pytree":
            return list(tree.get("vals"))
        if tree.name == "Static":
            return []
    elif isinstance(tree, tuple) and not isinstance(tree, Name):
        return [leaf for part in tree for leaf in leaves(part)]
    elif tree is None or tree == Name("*"):
        return [None]
    raise Unknown(f"tree {tree}")


def parts(tree):
    """The leaves of each part of a tree that is a tuple of trees."""
    if isinstance(tree, Call):
        if tree.name == "RightsOnly":
            return [rights(each) for each in parts(tree.positional[0])]
        if tree.name == "Pytree":
            left = list(tree.get("vals"))
            return [[left.pop(0) for _ in each] for each in parts(tree.get("tree").positional[0])]
    elif isinstance(tree, tuple) and not isinstance(tree, Name):
        return [leaves(each) for each in tree]
    raise Unknown(f"tree {tree}")


def groups(text, count):
    """How many leaves each of the `count` parts of a FlatTree has."""
    found = [len(each) for each in parts(parse(text))]
    if len(found) != count:
        raise Unknown(f"tree {text}")
    return found
