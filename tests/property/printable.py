# SPDX-License-Identifier: Apache-2.0
"""Whether a damaged text is itself a program that JAX prints, so that no reader can know that it is another one.

It is where its programs differ from the right ones only in what their authors chose, and one version prints each of
its equations with these parameters. Authors choose primitives without a row, with all their parameters, the text of
parameters that hold text, the number that a gather fills in, the names of functions, the numbers in operands, values
and indices, of the same kind and as many, the memory of refs, the order of equations, which equations without results
or with `_` alone there are, and whether JAX prints types (`print_shapes`): a program without any has none to compare.
What versions print is taken from the recorded programs, not from the checker; the canonical form, which `norm` prints,
is a version, too."""

import json
import os
import re
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "grammar", "primitives.def")


def read_rows():
    """by primitive: its keys with their roles"""
    rows = {}
    with open(SOURCE, encoding="utf-8") as f:
        for row in re.findall(r'(?ms)^PRIM\("(.*?)\)$', f.read()):
            name, also, *rest = re.findall(r'(?:^|")([^"]*)"', row)
            texts = re.findall(r'"([^"]*)"', row.split(",", 2)[2])
            roles = {}
            for param in "".join(texts[:-1]).replace("/", " ").split():
                key, _, role = param.partition("=")
                roles[key.rstrip("?!")] = re.split("[|:]", role)[0]
            for each in [name, *also.split()]:
                rows[each] = roles
    return rows


def shown_type(binder):
    """the type of a binder, of a ref without its memory"""
    return re.sub(r"\bRef<\w+>", "Ref", binder.get("type") or "")


def types_in(tree):
    """the types of binders in a program and those inside of it"""
    if isinstance(tree, dict):
        for part in ("constvars", "invars", "outvars") if "equations" in tree else ("outvars",) * ("primitive" in tree):
            yield from (v["type"] for v in tree[part] if "name" in v and "type" in v)
        tree = tree.values()
    elif not isinstance(tree, list):
        return
    for part in tree:
        yield from types_in(part)


def ordered(equations):
    """equations without their places, sorted: the same for programs that differ in their order alone"""
    return sorted(json.dumps({k: v for k, v in e.items() if k not in ("line", "column")}) for e in equations)


def skeleton(value):
    """a value without what its author chose: the names of functions, and numbers as Python prints them"""
    value = re.sub(r"<function (?:[^\W\d]\w*|<\w+>)(?:\.(?:[^\W\d]\w*|<\w+>))* at 0x[0-9a-fX]+>", "<function>", value)
    value = re.sub(r"(?<![\w.])-?(?:\d+\.\d*(?:e[+-]\d+)?|\d+e[+-]\d+)(?![\w.])", "0.0", value)
    return re.sub(r"(?<![\w.])-?(?:0|[1-9]\d*)(?![\w.])", "0", value)


class Judge:
    def __init__(self, jaxpr, recorded):
        """`recorded`: programs that JAX printed, by version"""
        self.jaxpr, self.recorded = jaxpr, recorded
        self.rows = read_rows()
        self.printed = None
        self.typed = True

    def load(self, text, verb=("json",)):
        done = subprocess.run([self.jaxpr, *verb, "-"], input=text, capture_output=True, encoding="utf-8")
        return done.stdout

    def programs(self, text):
        programs = json.loads(self.load(text) or "[]")
        return [program["jaxpr"] for program in programs] + [each["jaxpr"] for program in programs
                                                             for each in program["shared"]]

    def equations(self, tree):
        """of a program and those inside of it: what each prints, where a row knows it"""
        if isinstance(tree, dict):
            if tree.get("primitive") in self.rows and "form" not in tree:
                yield tree["primitive"], frozenset(tree["params"])
            tree = tree.values()
        elif not isinstance(tree, list):
            return
        for part in tree:
            yield from self.equations(part)

    def versions(self):
        if self.printed is None:
            texts = {version: "\n".join(texts) for version, texts in self.recorded.items()}
            forms = [self.load(text, ("norm", "--force")) for text in texts.values()]
            texts["canonical"] = "\n".join(forms)
            self.printed = {version: set(self.equations(self.programs(text))) for version, text in texts.items()}
        return self.printed

    def chosen(self, primitive, key):
        """whether the value of a parameter is its author's"""
        return primitive not in self.rows or self.rows[primitive].get(key) in ("TEXT", "FILL")

    def same_atoms(self, names, left, right):
        if len(left) != len(right):
            return False
        for a, b in zip(left, right):
            if "name" in a and "name" in b:
                if names.get(a["name"], a["name"]) != b["name"]:
                    return False
                if not self.same_value(names, a.get("index"), b.get("index")):
                    return False
            elif "name" in a or "name" in b or self.typed and a.get("type") != b.get("type"):
                return False
        return True

    def same_binders(self, names, left, right):
        for a, b in zip(left, right):
            names[a.get("name")] = b.get("name")
        if not self.typed:
            return len(left) == len(right)
        return [shown_type(a) for a in left] == [shown_type(b) for b in right]

    def same_value(self, names, a, b):
        if isinstance(a, str) and isinstance(b, str):
            return skeleton(a) == skeleton(b)
        if isinstance(a, dict) and isinstance(b, dict) and "equations" in a and "equations" in b:
            return self.same_program(dict(names), a, b)
        if isinstance(a, list) and isinstance(b, list):
            return len(a) == len(b) and all(self.same_value(names, x, y) for x, y in zip(a, b))
        return a == b

    def same_equation(self, names, a, b):
        one, other = a["primitive"], b["primitive"]
        unknown = one not in self.rows and other not in self.rows
        if (one != other and not unknown) or a.get("form") != b.get("form"):
            return False
        if not self.same_atoms(names, a["invars"], b["invars"]) or "form" in a and (
                skeleton(a.get("text") or "") != skeleton(b.get("text") or "")):
            return False
        left, right = a["params"], b["params"]
        if not unknown:
            if not right.keys() <= left.keys():
                return False
            if not all(self.chosen(one, k) or self.same_value(names, left[k], right[k]) for k in right):
                return False
        return self.same_binders(names, a["outvars"], b["outvars"])

    def without_unseen(self, equations, others):
        """equations without those that no result of theirs shows, and that the other program does not have, or not as
        often"""
        others, kept = ordered(others), []
        for e in equations:
            text = ordered([e])[0]
            if text in others:
                others.remove(text)
            elif all(v.get("name") == "_" for v in e["outvars"]):
                continue
            kept.append(e)
        return kept

    def same_program(self, names, a, b):
        for part in ("constvars", "invars"):
            if not self.same_binders(names, a[part], b[part]):
                return False
        left, right = a["equations"], b["equations"]
        if len(left) < len(right):
            right = self.without_unseen(right, left)
        elif len(left) > len(right):
            left = self.without_unseen(left, right)
        if len(left) != len(right):
            return False
        if ordered(left) != ordered(right) and not all(self.same_equation(names, x, y) for x, y in zip(left, right)):
            return False
        return self.same_atoms(names, a["outvars"], b["outvars"])

    def could_be_printed(self, right, damaged):
        right, damaged = self.programs(right), self.programs(damaged)
        self.typed = any(types_in(damaged))
        if len(right) != len(damaged) or not all(self.same_program({}, a, b) for a, b in zip(right, damaged)):
            return False
        equations = set(self.equations(damaged))
        return any(equations <= printed for printed in self.versions().values())
