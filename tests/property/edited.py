# SPDX-License-Identifier: Apache-2.0
"""What an edit changed in a program: its equations, each as a program of its own, for which JAX can be asked.

JAX loads few programs with kernels, meshes or callbacks as a whole, but it verifies each equation by itself: a program
that JAX printed and of which some equations were replaced by others that JAX accepts for the same types is another
valid program, if its nested programs have the same signatures as before."""


def programs_in(value):
    """the programs that a parameter has, and what remains of it"""
    if isinstance(value, dict) and "equations" in value:
        return [value], None
    if isinstance(value, list):
        parts = [programs_in(each) for each in value]
        return [program for found, _ in parts for program in found], [rest for _, rest in parts]
    return [], value


def names_of(binders):
    return [binder.get("name") for binder in binders]


class Edit:
    """two programs, as `jaxpr json` prints them; `changed`: equations of the second that the first does not have, as
    texts of programs. `alike` is false if they differ in more, or in an equation with nested programs"""

    def __init__(self, right, text):
        self.changed = []
        self.alike = len(right) == len(text) and all(
            self.compare(a, b, i == 0) for i, (a, b) in enumerate(zip(right, text)))  # fmt: skip

    def compare(self, a, b, outermost):
        left, types = {}, {}
        for part in ("constvars", "invars"):
            if names_of(a[part]) != names_of(b[part]) or not outermost and a[part] != b[part]:
                return False
            left.update((v["name"], v.get("type")) for v in a[part])
            types.update((v["name"], v.get("type")) for v in b[part])
        if len(a["equations"]) != len(b["equations"]):
            return False
        for x, y in zip(a["equations"], b["equations"]):
            if not self.compare_equations(x, y, left, types):
                return False
        results = [[types.get(v.get("name"), v.get("type")) for v in b["outvars"]],
                   [left.get(v.get("name"), v.get("type")) for v in a["outvars"]]]  # fmt: skip
        return outermost or results[0] == results[1]

    def compare_equations(self, x, y, left, types):
        if names_of(x["outvars"]) != names_of(y["outvars"]) or list(x["params"]) != list(y["params"]):
            return False
        nested, rest = programs_in(list(x["params"].values()))
        nested_now, rest_now = programs_in(list(y["params"].values()))
        if len(nested) != len(nested_now) or not all(self.compare(*each, False) for each in zip(nested, nested_now)):
            return False
        read = [left.get(v.get("name")) for v in x["invars"]], [types.get(v.get("name")) for v in y["invars"]]
        same = all(x.get(key) == y.get(key) for key in ("primitive", "invars", "outvars", "form"))
        if not same or rest != rest_now or read[0] != read[1]:
            if nested:
                return False
            self.changed.append(self.alone(y, types))
        left.update((v["name"], v.get("type")) for v in x["outvars"])
        types.update((v["name"], v.get("type")) for v in y["outvars"])
        return True

    def alone(self, equation, types):
        """an equation as a program of its own"""
        operands = dict.fromkeys(v["name"] for v in equation["invars"] if "name" in v)
        results = [f"{v['name']}:{v['type']}" for v in equation["outvars"]]
        if "form" in equation:
            line = " ".join(results) + equation["text"]
        else:
            params = " ".join(f"{key}={value}" for key, value in equation["params"].items())
            read = [v["name"] if "name" in v else v["literal"] + (":" + v["type"] if v.get("type") else "")
                    for v in equation["invars"]]  # fmt: skip
            line = (" ".join(results) + " = ") * bool(results) + equation["primitive"] + f"[{params}]" * bool(params)
            line += " " + " ".join(read)
        shown = [v["name"] for v in equation["outvars"] if v["name"] != "_"]
        last = ", ".join(shown) + "," * (len(shown) == 1)
        return "{ lambda ; %s. let\n    %s\n  in (%s) }" % (
            " ".join(f"{name}:{types.get(name)}" for name in operands), line, last)  # fmt: skip
