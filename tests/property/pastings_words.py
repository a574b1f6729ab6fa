# SPDX-License-Identifier: Apache-2.0
"""Ways in which one word, value or bracket of a text is changed: styles of names, text recognition, editors with
completion and several cursors, shells, notations of other languages, and people who tidy a text up. Ways that make
another valid program, such as `True` for `False`, are not here."""

import re

from pastings import WAYS, each_line, if_changed, put_line, replaced, some_lines
from pastings_teams import lines_of
from pastings_tools import every, some

WAYS.clear()  # those of the other modules

KEY = r"(?<=[\[ (,])[a-z]\w{2,}(?==)"
FIELD = r"(?<=\()[a-z]\w+(?==)|(?<=, )[a-z]\w+(?==)"
CLASS = r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b"
PRIMITIVE = r"(?<= = )[a-z]+_\w+(?=[\[ ])"


def camel(word):
    return re.sub(r"_(\w)", lambda m: m[1].upper(), word)


def without_letter(m, dice):
    i = dice.randrange(len(m[0]))
    return m[0][:i] + m[0][i + 1:]


def parted(m, dice):
    i = dice.randrange(1, len(m[0]))
    return m[0][:i] + " " + m[0][i:]


def misread(m, dice):
    found = [pair for pair in ("l1", "o0", "il", "ec", "s5") if pair[0] in m[0]]
    pairs = [(pair[0], pair[1]) for pair in found] + [(a, b) for a, b in (("m", "rn"), ("rn", "m"), ("w", "vv")) if a in m[0]]
    return m[0].replace(*dice.choice(pairs), 1) if pairs else m[0] + "."


# ---- styles of names ----

WAYS["a field with a capital"] = some(FIELD, 0, lambda m, dice: m[0].capitalize())
WAYS["a key with a capital"] = some(KEY, 0, lambda m, dice: m[0].capitalize())
WAYS["a key with humps"] = some(r"(?<=[\[ (,])[a-z]+_\w+(?==)", 0, lambda m, dice: camel(m[0]))
WAYS["any class in snake case"] = some(CLASS, 0, lambda m, dice: re.sub(r"(?<=[a-z])(?=[A-Z])", "_", m[0]).lower())
WAYS["any class in small letters"] = some(CLASS, 0, lambda m, dice: m[0].lower())
WAYS["any class in capitals"] = some(CLASS, 0, lambda m, dice: m[0].upper())
WAYS["a primitive as a class"] = some(PRIMITIVE, 0, lambda m, dice: camel("_" + m[0]))
WAYS["a primitive in one word"] = some(r"(?<= = )(?!erf_inv|is_finite)[a-z]+_\w+(?=[\[ ])", 0, lambda m, dice: m[0].replace("_", ""))
WAYS["a primitive with hyphens"] = some(PRIMITIVE, 0, lambda m, dice: m[0].replace("_", "-"))
WAYS["a reduction with its words exchanged"] = some(r"(?<= = )(reduce)_(\w+)(?=\[)", 0, lambda m, dice: m[2] + "_" + m[1])

# ---- letters ----

WAYS["a letter of a key lost"] = some(KEY, 0, without_letter)
WAYS["a letter of a field lost"] = some(FIELD, 0, without_letter)
WAYS["a letter of a class lost"] = some(CLASS, 0, without_letter)
WAYS["a key misread"] = some(KEY, 0, misread)
WAYS["a class misread"] = some(CLASS, 0, misread)
WAYS["a value misread"] = some(r"(?<==)[A-Za-z]\w{3,}\b", 0, misread)
WAYS["a key in two words"] = some(KEY, 0, parted)
WAYS["a value in two words"] = some(r"(?<==)[A-Za-z]\w{3,}\b", 0, parted)
WAYS["a platform in two words"] = some(r"(?<=\(')\w{3,}(?=',\))", 0, parted)
WAYS["a plural or a singular"] = some(r"(?<=[\[ ])[a-z]\w{2,}(?==)", 0, lambda m, dice: m[0][:-1] if m[0][-1] == "s" else m[0] + "s")
WAYS["a key that a terminal shows"] = some(r"(?<=\w)(?=\w)", 0, lambda m, dice: "x^H")

# ---- brackets, quotes and values ----

WAYS["a bracket closed by the editor"] = some(r"[\[({]", 0, lambda m, dice: m[0] + "])}"["[({".index(m[0])])
WAYS["a quote closed by the editor"] = some("'", 0, "''")
WAYS["quotes around a value"] = some(r"(?<==)\w+(?=[\s\]])", 0, lambda m, dice: "'" + m[0] + "'")
WAYS["quotes of a string removed"] = some(r"'([^'\n]*)'", 0, lambda m, dice: m[1])
WAYS["a tuple of a mesh as a list"] = some(r"(?<=axis_types=)\(([^()\n]*)\)", 0, lambda m, dice: "[" + m[1].rstrip(",") + "]")
WAYS["a tuple as an array"] = some(r"\((\d+(?:, \d+)+)\)", 0, lambda m, dice: "[" + m[1].replace(",", "") + "]")
WAYS["a tuple as a range"] = some(r"\((\d+), (\d+)(?:, \d+)*, (\d+)\)", 0, lambda m, dice: f"({m[1]}..{m[3]})")
WAYS["a size of a mesh masked"] = some(r"(?<=': )\d+", 0, "<N>")
WAYS["a size of a mesh as a fraction"] = some(r"(?<=': )\d+(?=[,)])", 0, lambda m, dice: m[0] + ".0")
WAYS["an element type of NumPy"] = some(r"(?<=dtype=)(float32|int32|uint8|bool)\b", 0, lambda m, dice: dice.choice(["np.", "jnp."]) + m[0])
WAYS["an element type without its width"] = some(r"(?<=:)[fiu](\d+)(?=\[)", 0, lambda m, dice: m[0][0] + dice.choice(["", "<N>"]))
WAYS["a truth of YAML"] = some(r"(?<==)(True|False|None)\b", 0, lambda m, dice: {"True": "on", "False": "off", "None": "null"}[m[0]])
WAYS["a truth abbreviated"] = some(r"\b(True|False|None)\b", 0, lambda m, dice: m[0][0])
WAYS["one comma lost from a tuple of one"] = some(r"\((\w+),\)", 0, lambda m, dice: "(" + m[1] + ")")
WAYS["a field of numbers lost"] = some(r"(?:, (?:operand_batching_dims|num_scratch_operands)=[^=]*)(?=\)|, \w+=)", 0, "")
WAYS["a key's sign lost"] = some(r"(?<=[\[ ])(\w+)=", 0, lambda m, dice: m[1] + " ")
WAYS["a value removed"] = some(r"(?<=[\[ ])(\w+=)[^\[\](){}\s]+", 0, lambda m, dice: m[1])
WAYS["a comma between parameters"] = some(r"(?<=\S) (?=[a-z_]\w*=)", 0, ", ")
WAYS["a redacted word"] = some(r"\b\w{4,}\b", 0, "[REDACTED]")

# ---- tidied up ----

WAYS["None and False left out"] = if_changed(lambda text, dice: re.sub(
    r"(?<=\[)\w+=(?:None|False) |(?<=\[)\w+=(?:None|False)(?=\])| \w+=(?:None|False)(?=[ \]])|\n *\w+=(?:None|False)(?=\n)", "", text))
WAYS["calls of Python"] = every(r"(?m) = (\w+) ([a-z]{1,2}) ([a-z]{1,2})$", r" = \1(\2, \3)")
WAYS["operators"] = every(r"(?m) = (add|mul|sub) (\w+) (\w+)$", lambda m: f" = {m[2]} {dict(add='+', mul='*', sub='-')[m[1]]} {m[3]}")
WAYS["names of MLIR"] = every(r"\b([a-z]{1,2})(?=:[a-z])", r"%\1")
WAYS["types at the end"] = every(r"(?m)^( +)(\w+):(\S+) = (.*[^\[{])$", r"\1\2 = \4 : \3")
WAYS["results returned"] = every(r"(?m)^( *)in \(", r"\1return (")
WAYS["lambda as a letter"] = every(r"\blambda\b", "\u03bb")
WAYS["semicolons at the ends"] = each_line(lambda line: line + ";" if " = " in line and line[-1] not in "[{(" else line)

# ---- editors, terminals and shells ----


def cursors(text, dice):
    """what is typed at several cursors, one below the other"""
    lines = text.split("\n")
    if len(lines) < 3:
        return None
    first, column, typed = dice.randrange(1, len(lines) - 1), dice.randrange(4, 30), dice.choice(["x", ",", " ", "0"])
    return "\n".join(line[:column] + typed + line[column:] if first <= i < first + 3 and len(line) >= column else line
                     for i, line in enumerate(lines))


WAYS["typed at several cursors"] = if_changed(cursors)
WAYS["a killed line yanked twice"] = lines_of(lambda lines, dice: None if len(lines) < 5 else (
    lambda i, j, rest: rest[:j] + [lines[i]] * 2 + rest[j:])(
        *(lambda i: (i, dice.randrange(1, len(lines) - 1), lines[:i] + lines[i + 1:]))(dice.randrange(1, len(lines) - 1))))
WAYS["two blocks of lines exchanged"] = lines_of(lambda lines, dice: None if len(lines) < 9 else (
    lambda i: lines[:i] + lines[i + 2:i + 4] + lines[i:i + 2] + lines[i + 4:])(dice.randrange(1, len(lines) - 4)))
WAYS["two blocks of bytes exchanged"] = lambda text, dice: (
    lambda i: text[:i] + text[i + 32:i + 64] + text[i:i + 32] + text[i + 64:])(dice.randrange(1, len(text) - 64)) if len(text) > 140 else None
WAYS["a bit flipped"] = some("[!-~]", 0, lambda m, dice: chr(ord(m[0]) ^ 1 << dice.randrange(7)))
WAYS["a block of zeros"] = lambda text, dice: (
    lambda i: text[:i] + "\0" * 16 + text[i + 16:])(dice.randrange(1, len(text) - 16)) if len(text) > 40 else None
WAYS["a longer line under a shorter one"] = lines_of(lambda lines, dice: None if len(lines) < 4 else (
    lambda i: lines[:i] + [lines[i + 1] + lines[i][len(lines[i + 1]):]] + lines[i + 2:])(dice.randrange(1, len(lines) - 2)))
WAYS["status over a line"] = lambda text, dice: some_lines(text, dice, 0, lambda line: "step 3/10" + line[9:])
WAYS["lenses of an editor"] = lambda text, dice: put_line(text, dice, "1 reference | 0 changes", True)
WAYS["groups of grep"] = lines_of(lambda lines, dice: None if len(lines) < 9 else (
    lambda i: lines[:i] + ["--"] + lines[i + 2:])(dice.randrange(2, len(lines) - 3)))
WAYS["greedy brackets of sed"] = lambda text, dice: some_lines(text, dice, 0, lambda line: re.sub(r"\[.*\]", "", line))
WAYS["first commas of sed"] = each_line(lambda line: line.replace(",", "", 1))
WAYS["commas as semicolons"] = replaced(",", ";")
WAYS["renamed from a place on"] = lambda text, dice: (lambda names: None if not names else (
    lambda name, i: text[:i] + re.sub(rf"(?<=[ (]){name}(?=[ :,)\n])", name + "1", text[i:]))(
        dice.choice(names), dice.randrange(len(text))))(re.findall(r"(?<=[ ;])([a-z]):", text))

# ---- types and values in other notations ----


def one_of(*choices):
    """a replacement by one of some, in which `{}` is the text that it replaces"""
    return lambda m, dice: dice.choice(choices).replace("{}", m[0])


WAYS["a type of an array in another notation"] = some(r"(?<=ShapedArray\()(?:float32|int32)\b", 0, one_of(
    "f32", "'{}'", "dtype('{}')", "<class 'jax.numpy.{}'>", "float", "np.{}", "torch.{}", "@{}", "Float32"))
WAYS["a dtype in another notation"] = some(r"(?<=dtype=)(?:float32|int32)\b", 0, one_of(
    "f32", "i32", "'{}'", "float", "np.{}", "Float32", "float_32", "float23"))
WAYS["an unknown size"] = some(r"(?<=[\[,])\d+(?=[,\]])", 0, one_of("?", "None", "-1", "*", ":", "...", "?1", "{}//1"))
WAYS["a shape lost before axes"] = some(r"(?<=f32)\[[\d,]+\](?=\{)", 0, one_of("a", "\u2084", ""))
WAYS["a memory space in another notation"] = some(r"(?<=Ref<)\w+(?=>)", 0, lambda m, dice: dice.choice(
    [m[0].capitalize(), "MemorySpace." + m[0].upper(), f"'{m[0]}'", m[0] + ".", "tpu." + m[0], "N/A"]))
WAYS["a spec in another notation"] = some(r"\b(?:P|PartitionSpec)\(", 0, one_of("(", "PS(", "p(", "Spec(", "[", "P["))
WAYS["an enumeration in another notation"] = some(r"\bPrecision\.([A-Z]+)\b", 0, lambda m, dice: dice.choice(
    [f"Precision::{m[1]}", m[0].title(), f"Precision[{m[1]}]", m[0] + ".value", f"Precision {m[1]}"]))
WAYS["a record in another notation"] = some(
    r"\b(?:(?:Gather|Scatter)DimensionNumbers|NamedSharding|GridMapping|BlockMapping)(?=\()", 0,
    one_of("{}:", "{} ", "jax.{}", "<{}"))
WAYS["a record in other brackets"] = some(
    r"\b((?:Gather|Scatter)DimensionNumbers|NamedSharding|GridMapping|BlockMapping|Mesh)\(", 0,
    lambda m, dice: m[1] + dice.choice("[{"))
WAYS["a tuple in other brackets"] = some(r"(?<==)\((\d+(?:, \d+)+)\)", 0, lambda m, dice: dice.choice(
    ["{%s}", "<%s>", "|%s|", "[%s)", "((%s))", "%s"]) % m[1])
WAYS["None in angle brackets"] = some(r"(?<==)None\b", 0, "<none>")
WAYS["a word before a tuple of programs"] = some(r"(?<=branches=)\(", 0, one_of("jj{}", "x{}", "np{}"))
WAYS["a token misspelled"] = some(r"(?<=:)Tok(?= = )", 0, one_of("To", "Tak", "tok", "Token"))
WAYS["a local function without its object"] = some(
    r"(?<==)<function (\w+\.<locals>\.\w+) at 0x[0-9a-fX]+>", 0, lambda m, dice: dice.choice([m[1], f"<{m[1]}>"]))
