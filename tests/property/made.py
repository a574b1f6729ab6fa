# SPDX-License-Identifier: Apache-2.0
"""Programs that are made from a random.Random, `dice`: well typed ones, ones whose sizes have names, damaged ones."""

import re


def generated(dice):
    """a program of arithmetic, calls, branches and loops, well typed by construction, printed on one line"""
    n = [0]

    def name():
        i, text = n[0], ""
        n[0] += 1
        while True:
            text = chr(97 + i % 26) + text
            i //= 26
            if i == 0:
                return text

    def jaxpr(types, depth, results=None):
        binders = [(name(), t) for t in types]
        known = list(binders)
        equations = []
        for _ in range(dice.randrange(1, 7)):
            kind = dice.randrange(8)
            x, t = dice.choice(known)
            r = name()
            if kind < 3:
                same = [v for v, u in known if u == t] + (["2.0:f32[]"] if t == "f32[]" else [])
                equations.append("%s:%s = %s %s %s" % (r, t, dice.choice(["add", "mul", "max"]), x, dice.choice(same)))
            elif kind < 5:
                equations.append("%s:%s = %s %s" % (r, t, dice.choice(["neg", "sin", "exp"]), x))
            elif kind == 5 and t != "f32[]":
                t = "f32[]"
                equations.append("%s:f32[] = reduce_sum[axes=(0,) out_sharding=None] %s" % (r, x))
            elif kind == 6 and depth:
                inner = jaxpr([t], depth - 1, [t])
                equations.append("%s:%s = jit[name=%s jaxpr=%s] %s" % (r, t, dice.choice("fgh"), inner, x))
            elif kind == 7 and depth:
                one, two = jaxpr([t], depth - 1, [t]), jaxpr([t], depth - 1, [t])
                equations.append("%s:%s = cond[branches=(%s %s)] 1:i32[] %s" % (r, t, one, two, x))
            else:
                continue
            known.append((r, t))
        if results is None:
            out = [v for v, _ in dice.sample(known, min(len(known), dice.randrange(1, 4)))]
        else:
            out = [dice.choice([v for v, u in known if u == t]) for t in results]
        outs = "(%s,)" % out[0] if len(out) == 1 else "(%s)" % ", ".join(out)
        ins = " ".join("%s:%s" % b for b in binders)
        return "{ lambda ; %s. let %s in %s }" % (ins, "; ".join(equations), outs)

    return jaxpr([dice.choice(["f32[]", "f32[3]", "f32[7]"]) for _ in range(dice.randrange(1, 4))], 3)


def sized(dice, prefix=""):
    """a program whose sizes are random names: of integers, other variables, later ones, themselves, unbound ones;
    nested programs have other names"""
    names, prefixes = [prefix + c for c in "abcdefghijkl"], iter("mnopqrst")
    free = dice.sample(names, len(names))

    def shape(rank):
        return "[%s]" % ",".join(dice.choice(names[:9] + ["z", "3"]) for _ in range(rank))

    def binder():
        kind = dice.randrange(10)
        size = "i64[]" if kind < 4 else "f64[]" if kind == 4 else "f64" + shape(dice.choice([1, 1, 2]))
        return "%s:%s" % (free.pop(), "Ref{%s}" % size if kind == 9 else size)

    binders = [binder() for _ in range(dice.randrange(1, 4))]
    known, lines = [b[0] for b in binders], []
    for _ in range(dice.randrange(1, 5)):
        kind, atoms = dice.randrange(6), [dice.choice(known) for _ in range(2)]
        if kind == 0:
            right = "broadcast_in_dim[%sshape=(None,)] 1.0 %s" % (dice.choice(["broadcast_dimensions=() ", ""]), atoms[0])
        elif kind == 1:
            right = "iota[dimension=0 dtype=float64 shape=(None,)] " + atoms[0]
        elif kind == 2 and not prefix:
            right = "pjit[name=f jaxpr=%s] %s" % (sized(dice, next(prefixes)), " ".join(atoms))
        elif kind == 3 and not prefix:
            branches = " ".join(sized(dice, next(prefixes)) for _ in range(2))
            right = "cond[branches=(%s)] 1 %s" % (branches, " ".join(atoms))
        else:
            right = dice.choice(["add %s %s", "mystery %s %s", "mul 2.0 %s"]).replace("%s", "{}").format(*atoms)
        results = [binder() for _ in range(dice.choice([1, 1, 2]))]
        lines.append("%s = %s" % (" ".join(results), right))
        known += [b[0] for b in results]
    return "{ lambda ; %s. let %s in (%s,) }" % (" ".join(binders), "; ".join(lines), dice.choice(known))


NAMED_SIZE = r"(?<=[a-z]\d\d\[)[a-z]\w*|(?<=,)[a-z]\w*(?=\])"
EDITS = [(r"\b([a-z]{1,2}):[a-z]+\d+\[[^\]]*\]", r"\1"), (r"\b([a-z]{1,2}):i(?:32|64)\[\]", r"\1"),  # a type is lost
         (r"\b[a-z]{1,2}(?=:)", None), (NAMED_SIZE, None),  # another name
         (r" (broadcast_dimensions|shape|axes|sharding|n\w*implicit\w*)=(\([^)]*\)|\w+)", ""),  # a parameter is lost
         (r"(?<= )[a-z]{1,2}\n", r"\n"), (r"\b\d\b", "1")]  # an operand, a number


def resized(dice, text):
    """a program with one to three edits of sizes, of types, or of names, each in one place or in about half of all"""
    names = re.findall(r"\b([a-z]{1,2})(?=:)", text) + ["n", "_"]
    for _ in range(dice.choice([1, 1, 2, 3])):
        pattern, new = dice.choice(EDITS)
        name, everywhere, found = dice.choice(names), dice.random() < 0.5, list(re.finditer(pattern, text))
        at = dice.choice(found) if found else None
        text = re.sub(pattern, lambda m: m.expand(name if new is None else new) if m.start() == at.start() or
                      (everywhere and (m[0] == at[0] or dice.random() < 0.5)) else m[0], text)
    return text


def damaged(dice, texts):
    text = dice.choice(texts)
    for _ in range(dice.randrange(1, 5)):
        words = re.findall(r"\w+|\s+|.", text, re.S)
        i, j = dice.randrange(len(words) + 1), dice.randrange(len(words) + 1)
        kind = dice.randrange(4)
        if kind == 0:
            words[i : i + dice.randrange(1, 5)] = []
        elif kind == 1:
            words[i:i] = words[j : j + dice.randrange(1, 9)]
        elif kind == 2:
            words[i:i] = [dice.choice(["\0", "\x1b[31m", '"', "\\", "é", "\udcff", "{", "]", " = ", "\u2028", "</script>"])]
        else:
            words[i:] = []
        text = "".join(words)
        if not text:
            return " "
    return text
