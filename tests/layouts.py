# SPDX-License-Identifier: Apache-2.0
"""Odd layouts of Jaxpr texts, seeded: the paths of a parser depend on spaces, line ends, names and missing types, not
on what programs compute.

    layout(text, dice)   a text with a few changes of its layout, its names, types or literals
    wrap(text, dice)     a text whose lines were cut, filled or joined, as terminals, fold(1) and mail do it
    program(dice)        a small program in the style of any version, or of none"""

import re
import textwrap

NAMES = """a_b aa az abcdef abcdefgh b2 cumsum i in in_ inf infx jit lambda let nan nana sin True x x1 A Ab _
é""".split()
LITERALS = """1 1.0 1.0:f32[] 2:i32[] 2: 1:i32 -1.5e-05:f32[] -inf -inf:f32[] inf:f32[] nan True True:bool[] False
(1+2j):c64[] [...] * 0x1""".split()
TYPES = "f32[] f32[8] i32[2,3] bool[] f32[n] float32[8] Ref{float32[2]} f32[8@x,2] key<fry>[] *".split()
PRIMITIVES = "add sin effect_op foo cumsum custom.prim a-b Foo convert_element_type in".split()
VARIABLE = re.compile(r"(?<![\w.=])[a-z]{1,3}(?![\w=(.'])")
TYPED = re.compile(r":[a-z][a-z0-9_]*\[[^\]]*\]")
BLANKS = ["", "  ", "   ", "    ", "      ", "\t", "\n", "\n    ", "\n      ", " \n    ", "\r\n"]
ENDS = [" ", "  ", "\t", "\r", ";", " ;", ",", "\n", "\n    ", " # a comment", " # f.py:3:4 (g)", "\n    # one"]
JOINTS = ["", " ", "    ", ";", "; ", "\n", "\n   ", "\n     ", "\n      ", "\n\t"]


def replaced(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


def any_match(pattern, text, dice):
    """one of the matches, or None"""
    found = list(re.finditer(pattern, text))
    return dice.choice(found) if found else None


# ---- changes: each takes a text and a random generator ----


def change_blank(text, dice):
    match = any_match(" ", text, dice)
    return replaced(text, match, dice.choice(BLANKS)) if match else text


def change_line_end(text, dice):
    match = any_match("\n", text, dice)
    return replaced(text, match, dice.choice(ENDS) + "\n") if match else text


def change_joint(text, dice):
    match = any_match("\n *", text, dice)
    return replaced(text, match, dice.choice(JOINTS)) if match else text


def rename(text, dice):
    words = sorted(set(VARIABLE.findall(text)) - {"let", "in"})
    if not words:
        return text
    new = dice.choice(NAMES)
    return re.sub(r"(?<![\w.=])%s(?![\w=(.'])" % dice.choice(words), new, text)


def untype(text, dice):
    if dice.random() < 0.3:
        return TYPED.sub("", text)
    match = any_match(TYPED, text, dice)
    return replaced(text, match, "") if match else text


def add_literal(text, dice):
    match = any_match(VARIABLE, text, dice)
    literal = dice.choice(LITERALS)
    return replaced(text, match, dice.choice([literal, match[0] + " " + literal])) if match else text


def change_token(text, dice):
    one, other = any_match(r"\S+", text, dice), any_match(r"\S+", text, dice)
    return replaced(text, one, dice.choice(["", one[0] + " " + one[0], other[0]])) if one else text


def change_byte(text, dice):
    at = dice.randrange(len(text) + 1)
    return text[:at] + dice.choice(" \n\t;,:=[](){}#.*-_0a1\r<+") + text[at + dice.randrange(2) :]


def indent(text, dice):
    lines, columns = text.split("\n"), dice.randrange(-4, 5)
    first = dice.randrange(len(lines))
    last = len(lines) if dice.random() < 0.3 else first + 1
    for i in range(first, last):
        blank = len(lines[i]) - len(lines[i].lstrip(" "))
        lines[i] = " " * (blank + columns) + lines[i].lstrip(" ")
    return "\n".join(lines)


def indent_all(text, dice):
    return dice.choice([re.sub(r"\n +", new, text) for new in ("\n", " ", " ; ")] + [text.replace("\n", "\n  ")])


def restyle(text, dice):
    """one trait of an old version's printer"""
    return dice.choice([
        text.replace("[\n", "[ "),
        text.replace("{ lambda ", "{ lambda  "),
        re.sub(r"\[(\w+=)", r"[ \1", text),
        re.sub(r"\n( *)\w+(?::\S+)? = ", r"\n\1 = ", text, count=1),
        re.sub(r"\n( *)\w+(?::\S+)? = (\w+) ", r"\n\1\2 ", text, count=1),
        re.sub(r" in \((\w+),?\) \}", r" in \1 }", text),
    ])


CHANGES = [change_blank, change_line_end, change_joint, rename, rename, untype, add_literal, change_token, change_byte]
CHANGES += [indent, indent_all, restyle]


def layout(text, dice, most=4):
    for _ in range(dice.randint(1, most)):
        text = dice.choice(CHANGES)(text, dice)
    return text


# ---- lines cut and joined ----


def cut(lines, width):
    return [line[i : i + width] for line in lines for i in range(0, len(line) or 1, width)]


def cut_at_blanks(lines, width):
    """like fold -s: the space stays at the end of the line"""
    for line in lines:
        while len(line) > width:
            at = line.rfind(" ", 0, width) + 1 or width
            yield line[:at]
            line = line[at:]
        yield line


def fill(lines, width):
    for line in lines:
        yield from textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]


def wrap(text, dice):
    width = dice.choice([40, 60, 72, 76, 78, 79, 80, 100, 120, 132, dice.randrange(38, 140)])
    text = layout(text, dice, 1) if dice.random() < 0.3 else text
    text = re.sub(r"\n +", " ", text) if dice.random() < 0.2 else text
    lines = [" ".join(text.split())] if dice.random() < 0.2 else text.split("\n")
    return "\n".join(dice.choice([cut, cut_at_blanks, fill])(lines, width))


# ---- programs ----


def equation(dice, names, bound, binder, column):
    """the text of an equation; its results are taken from names and added to bound"""
    results = [names.pop(0) for _ in range(min(dice.choice([0, 1, 1, 1, 1, 2, 3]), len(names)))]
    operand = lambda: dice.choice(bound) if bound and dice.random() < 0.85 else dice.choice(LITERALS)
    operands = [operand() for _ in range(dice.randrange(4))]
    form = dice.random()
    if form < 0.05 and bound:
        return "%s[...] <- %s" % (dice.choice(bound), dice.choice(bound))
    if form < 0.1 and bound and results:
        text = "%s <- %s[0,:]" % (" ".join(map(binder, results)), dice.choice(bound))
    else:
        inside = "\n" + column + "  "
        params = ["", "", "", "[k=1]", " [k=1]", "[ k=1 ]", "[axes=(0,) b=x]", "[k=True name=f]"]
        params += ["[%sk=1\n%s]" % (inside, column), "[ k=1%s   z=(2, 3) ]" % inside, "[k={ lambda ; z. let in (z,) }]"]
        text = " ".join([dice.choice(PRIMITIVES) + dice.choice(params), *operands])
        text = " ".join(map(binder, results)) + " = " + text if results else dice.choice(["", " = "]) + text
    bound += results
    return text + dice.choice(["", "", "", "", " ", " # c", "  # f.py:3:4 (g)"])


def program(dice):
    names = dice.sample(NAMES, dice.randrange(5)) + list("abcdefgh")
    if dice.random() < 0.5:
        dice.shuffle(names)
    typed = dice.random() < 0.6
    binder = lambda name: name + ":" + dice.choice(TYPES) if typed and dice.random() < 0.95 else name
    bound = [names.pop(0) for _ in range(dice.randrange(4))]
    consts = dice.randint(0, len(bound))
    before, column = dice.choice([(" let\n    ", " " * 4), (" let\n  ", "  "), ("\n  let ", " " * 6)])
    sections = "".join(binder(n) + " " for n in bound[:consts]), " ".join(map(binder, bound[consts:]))
    text = "{ lambda %s; %s." % sections + before
    equations = [equation(dice, names, bound, binder, column) for _ in range(dice.randrange(6))]
    text += dice.choice(["\n" + column] * 6 + [" ", ";", " ; ", "\n", "\n " + column]).join(equations)
    results = [dice.choice(bound + LITERALS[:5]) for _ in range(dice.randrange(3))]
    listed = ["(%s)" % ", ".join(results + [""] * (len(results) == 1)).rstrip(" ")] * 5 + ["[%s]" % " ".join(results)]
    text += dice.choice(["\n  in ", "\n  in ", " in ", "\n%sin " % column])
    return text + dice.choice(listed + results[:1]) + " }"
