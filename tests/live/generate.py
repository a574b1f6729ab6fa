# SPDX-License-Identifier: Apache-2.0
"""Random programs as JAX 0.12 prints them: nested programs, shared ones, constants, refs, dead equations, reused names.

Names are drawn from few, so that scopes that must not see each other use the same ones. Unused results are mostly `_`,
and so are, as in JAX, results of a called program that the call drops."""

import random

F0, F3, F23, I0, I3, B0, B3 = "f32[]", "f32[3]", "f32[2,3]", "i32[]", "i32[3]", "bool[]", "bool[3]"
TYPES = [F0, F0, F3, F3, F23, I0, I3, B0, B3]
NAMES = [chr(97 + i) for i in range(26)] + ["b" + chr(97 + i) for i in range(26)] + ["c" + chr(97 + i) for i in range(26)]
FLOAT1 = ["sin", "cos", "neg", "abs", "sign", "floor", "tanh", "square"]
FLOAT2 = ["add", "sub", "mul", "max", "min", "div"]
INT2 = ["add", "sub", "mul", "max", "min", "and", "or", "xor"]
COMPARE = ["lt", "gt", "le", "ge", "eq", "ne"]
LITERALS = {F0: ["0.0", "1.0", "-2.5", "0.5", "nan", "inf"], I0: ["0", "1", "-1", "2", "7"], B0: ["True", "False"]}


class Var:
    def __init__(self, of):
        self.type, self.name, self.reads = of, None, 0


class Jaxpr:
    def __init__(self):
        self.consts, self.args, self.equations, self.outs = [], [], [], []


class Maker:
    def __init__(self, seed):
        self.draw, self.shared, self.left = random.Random(seed), [], 40
        self.odds = {"refs": self.draw.random() < 0.35, "consts": self.draw.random() < 0.3, "old": self.draw.random() < 0.25,
                     "again": self.draw.random(), "named": 0}

    def chance(self, odds):
        return self.draw.random() < odds

    def jaxpr(self, types, outs, depth, top=False):
        """A program of these argument types and, unless `outs` is None, these result types."""
        made = Jaxpr()
        made.args = [Var(of) for of in types]
        if self.odds["consts"] and self.chance(0.6):
            made.consts = [Var(self.draw.choice([F0, F3, I0])) for _ in range(self.draw.randint(1, 2))]
        scope = made.consts + made.args
        for _ in range(self.draw.randint(0 if depth else 3, 9 if top else 4)):
            self.left -= 1
            self.equation(made, scope, depth)
        if outs is None:
            plain = [each.type for each in scope if "Ref" not in each.type] or [F0]
            outs = [self.draw.choice(plain) for _ in range(self.draw.randint(1, 4))]
        made.outs = [self.operand(made, scope, of) for of in outs]
        return made

    def operand(self, made, scope, of, literals=True):
        """An operand of the type: a variable in scope, often the last, a literal, or the result of a new equation."""
        found = [each for each in scope if each.type == of]
        if found and not (literals and of in LITERALS and self.chance(0.12)):
            return found[-1] if self.chance(0.4) else self.draw.choice(found)
        if of.startswith("Ref"):
            return self.add(made, scope, [of], "new_ref", [("kind", "None"), ("memory_space", "None"), ("pin", "False")],
                            [self.operand(made, scope, of[4:-1], False)])[0]
        if of in LITERALS:
            return self.draw.choice(LITERALS[of]) + ":" + of
        scalar = {F3: F0, F23: F0, I3: I0, B3: B0}[of]
        return self.add(made, scope, [of], "broadcast_in_dim", [], [self.operand(made, scope, scalar)])[0]

    def add(self, made, scope, types, name, params, ins, form=None):
        outs = [Var(of) for of in types]
        made.equations.append((outs, name, params, ins, form))
        scope.extend(outs)
        return outs

    def equation(self, made, scope, depth):
        get = lambda of: self.operand(made, scope, of)
        if depth < 3 and self.left > 0 and self.chance(0.45 if depth == 0 else 0.3):
            return self.draw.choice([self.call, self.call, self.call, self.scan, self.scan, self.loop, self.branch])(made, scope, depth)
        if self.odds["refs"] and self.chance(0.35):
            return self.access(made, scope)
        of = self.draw.choice([F0, F3, F3, F23])
        plain = {
            "one": lambda: (of, self.draw.choice(FLOAT1), [], [get(of)]),
            "two": lambda: (of, self.draw.choice(FLOAT2), [], [get(of), get(of)]),
            "int": lambda: (I0, self.draw.choice(INT2), [], [get(I0), get(I0)]),
            "ints": lambda: (I3, self.draw.choice(INT2), [], [get(I3), get(I3)]),
            "less": lambda: (B3, self.draw.choice(COMPARE), [], [get(F3), get(F3)]),
            "less0": lambda: (B0, self.draw.choice(COMPARE), [], [get(F0), get(F0)]),
            "pick": lambda: (F3, "select_n", [], [get(B3), get(F3), get(F3)]),
            "pick0": lambda: (F0, "select_n", [], [get(B0), get(F0), get(F0)]),
            "power": lambda: (of, "integer_pow", [("y", "2")], [get(of)]),
            "to": lambda: (F3, "convert_element_type", [("new_dtype", "float32"), ("weak_type", "False")], [get(I3)]),
            "from": lambda: (I0, "convert_element_type", [("new_dtype", "int32"), ("weak_type", "False")], [get(B0)]),
            "sum": lambda: (F0, "reduce_sum", [("axes", "(0,)"), ("out_sharding", "None")], [get(F3)]),
            "any": lambda: (B0, "reduce_or", [("axes", "(0,)")], [get(B3)]),
            "sums": lambda: (F3, "cumsum", [("axis", "0"), ("reverse", "False")], [get(F3)]),
            "rows": lambda: (F3, "reduce_max", [("axes", "(0,)"), ("out_sharding", "None")], [get(F23)]),
            "rev": lambda: (F3, "rev", [("dimensions", "(0,)")], [get(F3)]),
            "iota": lambda: (I3, "iota", [("dimension", "0"), ("dtype", "int32"), ("shape", "(3,)"), ("sharding", "None")], []),
            "dot": lambda: (F0, "dot_general", [("dimension_numbers", "(([0], [0]), ([], []))"), ("preferred_element_type", "float32")],
                            [get(F3), get(F3)]),
            "best": lambda: (I0, "argmax", [("axes", "(0,)"), ("index_dtype", "int32")], [get(F3)]),
            "write": lambda: (F3, "dynamic_update_slice", [], [get(F3), get(F3), get(I0)]),
            "wide": lambda: (F23, "broadcast_in_dim", [("broadcast_dimensions", "(1,)")], [get(F3)]),
        }
        result, name, params, ins = plain[self.draw.choice(list(plain))]()
        if self.chance(0.1) and made.equations and made.equations[-1][4] is None:
            again = self.draw.choice(made.equations)  # the same equation again
            if not again[4] and again[1] != "new_ref":
                self.add(made, scope, [each.type for each in again[0]], *again[1:4])
        self.add(made, scope, [result], name, params, ins)

    def access(self, made, scope):
        of = self.draw.choice([F0, F3])
        ref = self.operand(made, scope, f"Ref{{{of}}}")
        index = "[...]" if of == F0 or self.chance(0.4) else self.draw.choice(["[0]", "[2]", "var", "[:2]", "[1:]", "[:]"])
        inner = of if index in ("[...]", "[:]") else "f32[2]" if ":" in index else F0
        extra = [self.operand(made, scope, I0, False)] if index == "var" else []
        if any(isinstance(each, str) for each in extra):
            index, extra = "[1]", []
        form = self.draw.choice(["get", "store", "swap", "addupdate"])
        if form != "get" and inner == "f32[2]":
            form = "get"
        value = [self.operand(made, scope, inner)] if form != "get" else []
        types = [inner] if form in ("get", "swap") and inner != "f32[2]" else []
        if inner == "f32[2]":
            made.equations.append(([Var(inner)], "get", [], [ref] + extra, ("get", index)))
            return
        self.add(made, scope, types, form, [], [ref] + extra + value, (form, index))

    def passed(self, made, scope, most=3):
        ins = [self.operand(made, scope, self.draw.choice(TYPES)) for _ in range(self.draw.randint(0, most))]
        refs = [each for each in scope if each.type.startswith("Ref") and each not in ins]
        if refs and self.chance(0.5):
            ins.append(self.draw.choice(refs))
        return ins

    @staticmethod
    def typed(ins):
        return [each.split(":", 1)[1] if isinstance(each, str) else each.type for each in ins]

    def body(self, types, outs, depth, again=False):
        """(name, program): a shared program, or a new one, whose name is None unless it becomes shared."""
        if self.chance(self.odds["again"]) and again:
            for name, one in self.shared:
                if [each.type for each in one.args] == types and (outs is None or one.types == outs) and self.chance(0.7):
                    return name, one
        one = self.jaxpr(types, outs, depth + 1)
        one.types = self.typed(one.outs)
        if again and self.chance(0.4) and not any("Ref" in of for of in types):
            self.odds["named"] += 1
            self.shared.append((f"g{self.odds['named']}" if self.odds["named"] > 1 else "g", one))
            return self.shared[-1]
        return None, one

    def call(self, made, scope, depth):
        if self.shared and self.chance(0.4):
            ins = [self.operand(made, scope, each.type) for each in self.draw.choice(self.shared)[1].args]
        else:
            ins = self.passed(made, scope)
        name, one = self.body(self.typed(ins), None, depth, True)
        kind = self.draw.choice(["jit", "jit", "jit", "custom_jvp_call", "custom_vjp_call", "remat2", "eval_jaxpr"])
        value = name or one
        params = {"jit": [("name", name or "f"), ("jaxpr", value)],
                  "custom_jvp_call": [("name", "f"), ("call_jaxpr", value), ("jvp", "f_jvp"), ("symbolic_zeros", "False")],
                  "custom_vjp_call": [("name", "f"), ("bwd", "f_bwd"), ("call_jaxpr", value), ("fwd", "f_fwd"), ("symbolic_zeros", "False")],
                  "remat2": [("differentiated", "False"), ("jaxpr", value), ("policy", "None"), ("prevent_cse", "True")],
                  "eval_jaxpr": [("call_jaxpr", value)]}[kind]
        self.add(made, scope, one.types, kind, params, ins)

    def scan(self, made, scope, depth):
        consts = self.passed(made, scope, 2)
        carry = [self.operand(made, scope, self.draw.choice([F0, F3, I0, B0])) for _ in range(self.draw.randint(0, 3))]
        xs = [self.operand(made, scope, self.draw.choice([F3, I3, B3])) for _ in range(self.draw.randint(0, 2))]
        types = self.typed(consts + carry) + [{F3: F0, I3: I0, B3: B0}[of] for of in self.typed(xs)]
        ys = [self.draw.choice([F0, I0]) for _ in range(self.draw.randint(0, 2))]
        name, body = self.body(types, self.typed(carry) + ys, depth, True)
        tree = lambda n: "(" + "None, " * n + ")" if n != 1 else "(None,)"
        flat = lambda *ns: "(" + ", ".join(tree(n).replace(", )", ")") for n in ns) + ")"
        tail = [("jaxpr", name or body), ("length", "3"), ("reverse", self.draw.choice(["True", "False"])), ("unroll", "1")]
        if self.odds["old"]:
            tail[2:2] = [("num_carry", str(len(carry))), ("num_consts", str(len(consts)))]
            params = tail
        else:
            params = [("ft_in", flat(len(consts), len(carry), len(xs))), ("ft_out", flat(len(carry), len(ys)))] + tail
        self.add(made, scope, self.typed(carry) + [{F0: F3, I0: I3}[of] for of in ys], "scan", params, consts + carry + xs)

    def loop(self, made, scope, depth):
        tests, consts = [self.operand(made, scope, I0)] if self.chance(0.4) else [], self.passed(made, scope, 2)
        carry = [self.operand(made, scope, self.draw.choice([F0, F3, I0])) for _ in range(self.draw.randint(0, 3))]
        state = [I0] + self.typed(carry)
        test, body = Jaxpr(), self.jaxpr(self.typed(consts) + state, self.typed(carry), depth + 1)
        test.args = [Var(of) for of in self.typed(tests) + state]
        less = Var(B0)
        test.equations, test.outs = [([less], "lt", [], [test.args[len(tests)], "3:i32[]"], None)], [less]
        count = Var(I0)
        body.equations.append(([count], "add", [], [body.args[len(consts)], "1:i32[]"], None))
        body.outs.insert(0, count)
        params = [("body_jaxpr", body), ("body_nconsts", str(len(consts))), ("cond_jaxpr", test), ("cond_nconsts", str(len(tests)))]
        self.add(made, scope, state, "while", params, tests + consts + ["0:i32[]"] + carry)

    def branch(self, made, scope, depth):
        ins = self.passed(made, scope)
        outs = [self.draw.choice(TYPES) for _ in range(self.draw.randint(0, 2))]
        branches = [self.jaxpr(self.typed(ins), outs, depth + 1) for _ in range(self.draw.randint(1, 3))]
        self.add(made, scope, outs, "cond", [("branches", branches)], [self.operand(made, scope, I0)] + ins)


class Printer:
    def __init__(self, draw):
        self.draw, self.dropped = draw, draw.choice([0.9, 0.9, 0.3, 0.0])

    def names(self, one, drop=()):
        """Names the binders of a program; `drop` are numbers of results that its call drops: one may become `_`."""
        read = set()
        for _, _, _, ins, _ in one.equations:
            read.update(id(each) for each in ins)
        read.update(id(each) for each in one.outs)
        pool = NAMES[: len(one.consts) + len(one.args) + sum(len(each[0]) for each in one.equations) + 4]
        taken, bound = set(), [each for equation in one.equations for each in equation[0]]
        blank = [each for at, each in enumerate(one.outs) if at in drop and isinstance(each, Var) and each in bound]
        for each in one.consts + one.args:
            self.name(each, pool, taken)
        for each in bound:
            if id(each) not in read and not blank and self.draw.random() < self.dropped:
                each.name = "_"
            else:
                self.name(each, pool, taken)
        if blank and self.draw.random() < 0.7:
            blank[0].name = "_"

    def name(self, var, pool, taken):
        free = [each for each in pool if each not in taken]
        var.name = free[0] if self.draw.random() < 0.4 else self.draw.choice(free)
        taken.add(var.name)

    def text(self, one, column, drop=()):
        if one.consts or one.args or one.equations:
            self.names(one, drop)
        binders = lambda these: " ".join(f"{each.name}:{each.type}" for each in these)
        atom = lambda each: each if isinstance(each, str) else each.name
        lines = [f"{{ lambda {binders(one.consts)}{' ' if not one.consts else ''}; {binders(one.args)}. let".replace("lambda  ;", "lambda ;")]
        for outs, name, params, ins, form in one.equations:
            pad = " " * (column + 4)
            if form:
                lines.append(pad + self.access(outs, ins, form, atom))
                continue
            head = pad + (binders(outs) + " = " if outs else "") + name
            unread = [at for at, each in enumerate(outs) if each.name == "_"]
            if params:
                head += "["
                for key, value in params:
                    head += f"\n{pad}  {key}=" + self.value(value, column + 6, unread if name == "jit" else ())
                head += f"\n{pad}]"
            lines.append(head + " " + " ".join(map(atom, ins)))
        outs = ", ".join(map(atom, one.outs)) + ("," if len(one.outs) == 1 else "")
        lines.append(" " * (column + 2) + f"in ({outs}) }}")
        return "\n".join(lines)

    def value(self, value, column, drop):
        if isinstance(value, Jaxpr):
            return self.text(value, column, drop)
        if isinstance(value, list):
            return "(\n" + "\n".join(" " * (column + 2) + self.text(each, column + 2) for each in value) + "\n" + " " * column + ")"
        return value

    @staticmethod
    def access(outs, ins, form, atom):
        kind, index = form
        rest = list(ins[1:])
        if index == "var":
            index = f"[{atom(rest.pop(0))}]"
        ref = atom(ins[0]) + index
        binder = " ".join(f"{each.name}:{each.type}" for each in outs)
        value = atom(rest[0]) if rest else ""
        return {"get": f"{binder} <- {ref}", "store": f"{ref} <- {value}", "swap": f"{binder}, {ref} <- {ref}, {value}",
                "addupdate": f"{ref} += {value}"}[kind]


def program(seed):
    """The text of random program number `seed`."""
    maker = Maker(seed)
    refs = [f"Ref{{{maker.draw.choice([F0, F3])}}}" for _ in range(maker.draw.randint(1, 2))] if maker.odds["refs"] else []
    types = [maker.draw.choice(TYPES) for _ in range(maker.draw.randint(1, 5))] + refs
    top = maker.jaxpr(types, None, 0, True)
    printer = Printer(maker.draw)
    lets = "".join(f"let {name} = {printer.text(one, 0)} in\n" for name, one in maker.shared)
    return lets + printer.text(top, 0) + "\n"
