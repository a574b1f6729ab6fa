# SPDX-License-Identifier: Apache-2.0
"""The inputs of `growth`: each family repeats n times a piece of text that some loop of the program iterates over."""

import glob
import os
import random

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = "{ lambda ; a:f32[]. let "
UNIT = "{ lambda ; a:f32[]. let  in (a,) }"

family = {}  # name -> (verbs or None for all, function of n)


def of(*verbs):
    def take(f):
        family[f.__name__.replace("_", " ")] = (verbs or None, f)
        return f

    return take


def nest(before, after):
    return lambda n: (HEAD + "b:f32[] = f[" + before) * n + UNIT + (after + "] a in (b,) }") * n


family["nested flat"] = (None, nest("jaxpr=", ""))
family["nested tuples"] = (None, nest("branches=(", ")"))
family["nested lists"] = (None, nest("branches=[", "]"))
family["nested broken"] = (
    None,
    lambda n: (HEAD + "\n    b:f32[] = f[\n      jaxpr=") * n + UNIT + "\n    ] a\n  in (b,) }" * n,
)
family["nested calls"] = (
    None,
    lambda n: (HEAD + "b:f32[] = pjit[name=f jaxpr=") * n + UNIT + "] a in (b,) }" * n,
)
family["nested without results"] = (
    None,
    lambda n: "{ lambda ; . let run[jaxpr=" * n + "{ lambda ; . let in () }" + "] in () }" * n,
)
family["nested never closed"] = (None, lambda n: (HEAD + "b:f32[] = f[jaxpr=") * n)
family["nested strings"] = (None, lambda n: HEAD + "b:f32[] = f[x=" + "('" * n + "] a in (b,) }")


@of()
def operands(n):
    return HEAD + "b:f32[] = f " + "a " * n + "in (b,) }"


@of()
def binders(n):
    return "{ lambda ; " + " ".join("x%d:f32[]" % i for i in range(n)) + ". let  in () }"


@of()
def results(n):
    return HEAD + " ".join("x%d:f32[]" % i for i in range(n)) + " = f a in (x0,) }"


@of()
def equations_without_results_in_a_line(n):
    """only the names of primitives show where an equation begins"""
    return "{ lambda ; a. let " + "optimization_barrier a " * n + "in (a,) }"


@of()
def outputs(n):
    return HEAD + " in (" + "a, " * n + "a) }"


@of()
def parameters(n):
    return HEAD + "b:f32[] = f[" + " ".join("k%08d=1" % i for i in range(n)) + "] a in (b,) }"


@of()
def parameters_called_alike(n):
    """fmt moves each `name` before the other parameters"""
    return HEAD + "b:f32[] = f[" + " ".join("k%08d=1 name=1" % i for i in range(n)) + "] a in (b,) }"


@of()
def equations(n):
    return HEAD + "\n" + "".join("    x%d:f32[] = sin a\n" % i for i in range(n)) + "  in (a,) }"


@of()
def chain_of_equations(n):
    body = "".join("    x%d:f32[] = add x%d x%d\n" % (i, i - 1, i - 1) for i in range(1, n))
    return "{ lambda ; x0:f32[]. let\n" + body + "  in (x%d,) }" % (n - 1)


@of()
def equations_with_programs(n):
    inner = "{ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }"
    body = "".join("    x%d:f32[] = pjit[name=f jaxpr=%s] a\n" % (i, inner) for i in range(n))
    return HEAD + "\n" + body + "  in (a,) }"


@of()
def programs_by_line(n):
    return (UNIT + "\n") * n


@of()
def programs_of_types_of_their_own(n):
    one = "{ lambda ; a:f32[%d,%d]. let b:f32[%d,%d] = jit[name=f%d jaxpr={ lambda ; c:f32[%d,%d]. let d:f32[%d,%d] = sin c in (d,) }] a in (b,) }\n"
    return "".join(one % (i + 1, i % 97 + 1, i + 1, i % 97 + 1, i % 50, i + 1, i % 97 + 1, i + 1, i % 97 + 1) for i in range(n))


@of()
def programs_with_lets_of_their_own(n):
    let = "let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n"
    return (let + "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a; c:f32[] = jit[name=f jaxpr=f] b in (c,) }\n") * n


@of("check", "lint")
def programs_whose_lists_use_lets(n):
    """which programs in lists cannot do: each is an error, with a note about the let"""
    let = "let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b,) } in\n"
    listed = "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=f] a in (b,) }"
    return (let + HEAD + "b:f32[] = g[jaxprs=(" + listed + ",)] a in (b,) }\n") * n


@of()
def programs_in_a_line(n):
    return (UNIT + " ") * n


# constants lifted out of nested programs: the operands that pass them grow with the square of the text, or double
LIFTS = ("hash", "norm", "norm lift", "norm all", "eq", "diff", "dups", "norm constants")
KEEPS = "{ lambda k:f32[]; a:f32[]. let "
CONSTANT = KEEPS + "b:f32[] = add a k in (b,) }"
family["nested constants"] = (
    LIFTS,
    lambda n: (KEEPS + "b:f32[] = pjit[name=f jaxpr=") * n + CONSTANT + "] a in (b,) }" * n,
)
family["constants of branches"] = (
    LIFTS,
    lambda n: "{ lambda ; i:i32[] a:f32[]. let b:f32[] = cond[branches=(" + (CONSTANT + " ") * n + ")] i a in (b,) }",
)


def let_line(i, inside):
    return "let f%d = { lambda ; a:f32[]. let %s in (b,) } in\n" % (i, inside)


@of()
def lets_chained(n):
    lets = "".join(let_line(i, "b:f32[] = jit[name=f%d jaxpr=f%d] a" % (i - 1, i - 1)) for i in range(1, n))
    main = HEAD + "b:f32[] = jit[name=f%d jaxpr=f%d] a in (b,) }" % (n - 1, n - 1)
    return let_line(0, "b:f32[] = sin a") + lets + main


@of()
def lets_forward(n):
    lets = "".join(let_line(i, "b:f32[] = jit[name=f%d jaxpr=f%d] a" % (i + 1, i + 1)) for i in range(n))
    return lets + let_line(n, "b:f32[] = sin a") + HEAD + "b:f32[] = jit[name=f0 jaxpr=f0] a in (b,) }"


@of()
def lets_doubling(n):
    """expands to 2^n equations"""
    twice = "c:f32[] = jit[name=g jaxpr=f%d] a; b:f32[] = jit[name=g jaxpr=f%d] c"
    lets = "".join(let_line(i, twice % (i + 1, i + 1)) for i in range(n))
    return lets + let_line(n, "b:f32[] = sin a") + HEAD + "b:f32[] = jit[name=g jaxpr=f0] a in (b,) }"


@of(*LIFTS)
def lets_doubling_a_constant(n):
    return lets_doubling(n).replace(UNIT, CONSTANT)


@of()
def lets_doubled(n):
    """the same, each let before those that call it"""
    lets = "".join(let_line(i, "c:f32[] = jit[name=g jaxpr=f%d] a; b:f32[] = jit[name=g jaxpr=f%d] c" % (i - 1, i - 1))
                   for i in range(1, n))
    return let_line(0, "b:f32[] = sin a") + lets + HEAD + "b:f32[] = jit[name=g jaxpr=f%d] a in (b,) }" % (n - 1)


@of()
def let_of_900_equations_called_by_all(n):
    steps = "".join("b%d:f32[] = sin a; " % i for i in range(900))
    calls = "; ".join("c%d:f32[] = jit[name=g jaxpr=f0] a" % i for i in range(n))
    return let_line(0, steps + "b:f32[] = cos a") + HEAD + calls + " in (a,) }"


@of()
def lets_of_one_cycle(n):
    lets = "".join(let_line(i, "b:f32[] = jit[jaxpr=f%d] a" % ((i + 1) % n)) for i in range(n))
    return lets + HEAD + "b:f32[] = jit[jaxpr=f0] a in (b,) }"


@of()
def name_of_a_variable(n):
    return HEAD + "x" * n + ":f32[] = sin a in (" + "x" * n + ",) }"


@of()
def name_of_a_primitive(n):
    return HEAD + "b:f32[] = " + "x" * n + " a in (b,) }"


@of()
def value(n):
    return HEAD + "b:f32[] = f[x=" + "y" * n + "] a in (b,) }"


@of()
def number(n):
    return HEAD + "b:f32[] = f " + "1" * n + ":f32[] in (b,) }"


@of()
def type_of_many_dims(n):
    return "{ lambda ; a:f32[" + ",".join("2" for _ in range(n)) + "]. let b = sin a in (b,) }"


@of()
def type_that_nests(n):
    return "{ lambda ; a:" + "Ref{" * n + "f32[]" + "}" * n + ". let  in (a,) }"


@of()
def type_of_dim_names(n):
    return "{ lambda ; " + " ".join("n%d:i32[]" % i for i in range(n)) + " a:f32[n0]. let b:f32[n1] = sin a in (b,) }"


@of()
def brackets_open(n):
    return HEAD + "b:f32[] = f[x=" + "[" * n


@of()
def brackets_open_and_closed(n):
    return HEAD + "b:f32[] = f[x=" + "[" * n + "]" * n + "] a in (b,) }"


@of()
def brackets_closed(n):
    return HEAD + "]" * n


@of()
def parentheses(n):
    return "(" * n


@of()
def braces(n):
    return "{ " * n


@of()
def lambdas(n):
    return "{ lambda " * n


@of()
def let_words(n):
    return "let " * n


@of()
def let_heads(n):
    return "let f = " * n


@of()
def in_words(n):
    return "in (" * n


@of()
def newlines_in_a_value(n):
    return HEAD + "\n    b:f32[] = f[\n      x=" + "\n" * n + "\n    ] a\n  in (b,) }"


@of()
def lines_in_a_value(n):
    return HEAD + "\n    b:f32[] = f[\n      x=[" + "[1 2]\n   " * n + "]\n    ] a\n  in (b,) }"


@of()
def blanks(n):
    return HEAD + " " * n + "b:f32[] = sin a in (b,) }"


@of()
def empty_lines(n):
    return "\n" * n


@of()
def characters_of_many_bytes(n):
    return HEAD + "b:f32[] = f[x=" + "\u4e2d" * n + "] a in (b,) }"


@of()
def combining_characters(n):
    return HEAD + "b:f32[] = sin c # " + "e\u0301" * n + "\n  in (b,) }"


@of()
def quotes(n):
    return HEAD + "b:f32[] = f[x=('" + "'" * n + "] a in (b,) }"


@of()
def quotes_and_parentheses(n):
    return HEAD + "b:f32[] = f[x=(" + "\"'(" * n + "] a in (b,) }"


@of()
def nuls(n):
    return HEAD + "b:f32[] = f[x=" + "\0" * n + "] a in (b,) }"


@of()
def bytes_that_are_no_utf8(n):
    return (HEAD + "b:f32[] = f[x=").encode() + b"\xff\xc3" * n + b"] a in (b,) }"


@of()
def escapes_of_colour(n):
    return "\x1b[1m" * n + UNIT


@of()
def escapes_never_ended(n):
    return "\x1b[" * n


@of()
def carriage_returns(n):
    return ("\r" * 3 + "\n") * n + UNIT


@of()
def comments(n):
    return HEAD + "\n" + "    # x\n" * n + "  in (a,) }"


@of()
def comments_of_equations(n):
    return HEAD + "\n" + "".join("    x%d:f32[] = sin a  # f.py:%d (f)\n" % (i, i) for i in range(n)) + "  in (a,) }"


@of()
def keys_after_open_brackets(n):
    return HEAD + "\n    b:f32[] = f[\n" + "".join("      k%07d=[\n" % i for i in range(n)) + "    ] a\n  in (b,) }"


@of()
def closing_brackets_in_values(n):
    return HEAD + "b:f32[] = f[" + " ".join("k%07d=]" % i for i in range(n)) + "] a in (b,) }"


@of()
def semicolons(n):
    return HEAD + ";" * n + " in (a,) }"


@of()
def commas(n):
    return HEAD + " in (" + "," * n + "a,) }"


@of()
def junk_between_programs(n):
    return (UNIT + "\nINFO compiling step 17: cache miss\n") * n


@of()
def excerpts(n):
    return HEAD + "\n" + "    ...\n    b:f32[] = sin a\n" * n + "  in (b,) }"


@of()
def ref_forms(n):
    return "{ lambda ; a:Ref{f32[4]} b:f32[]. let\n" + "    a[0] += b\n    a[1] <- b\n" * n + "  in () }"


@of()
def unread_equations(n):
    body = "".join("    x%d:f32[] = sin x%d\n" % (i, i - 1) for i in range(1, n))
    return "{ lambda ; x0:f32[]. let\n" + body + "  in (x0,) }"


@of()
def constants(n):
    return "{ lambda " + " ".join("x%d:f32[]" % i for i in range(n)) + "; a:f32[]. let  in (a,) }"


# names: six letters that are read as a numeral; names that differ only at the end; names of the same letters
@of()
def names_of_large_numerals(n):
    r = random.Random(1)
    return "{ lambda ; " + " ".join("z" + "".join(r.choices("abcxyz", k=5)) + ":f32[]" for i in range(n)) + ". let in () }"


@of()
def names_of_one_beginning(n):
    body = "".join("    %s%d:f32[] = sin a\n" % ("x" * 64, i) for i in range(n))
    return HEAD + "\n" + body + "  in (a,) }"


@of()
def names_of_one_hash_by_sum(n):
    names = set()
    r = random.Random(2)
    while len(names) < n:  # one multiset of letters each: sums and xors of characters are equal
        letters = list("AbCdEfGhIjKlMn")
        r.shuffle(letters)
        names.add("".join(letters))
    return "{ lambda ; " + " ".join(x + ":f32[]" for x in sorted(names)) + ". let in () }"


# sizes that are variables
def loop(consts, implicit, carried, results, operands, bound):
    """a loop of Catalyst whose body returns its arguments"""
    body = "{ lambda ; %s i:i64[] %s. let  in (%s,) }" % (" ".join(consts + implicit), " ".join(carried), ", ".join(results))
    return "%s = for_loop[body_jaxpr=%s body_nconsts=%d nimplicit=%d preserve_dimensions=%s] %s" % (
        bound, body, len(consts), len(implicit), not implicit, operands)


@of("check", "sig", "sig nested", "hash", "norm", "norm all", "norm expand", "norm collapse", "norm repair", "norm annotate")
def sizes_of_arguments(n):
    binders = " ".join("a%d:i64[] b%d:f64[a%d]" % (i, i, i) for i in range(n))
    return "{ lambda ; %s. let  in (%s,) }" % (binders, ", ".join("b%d" % i for i in range(n)))


@of("check variables", "check", "sig", "norm", "norm expand", "norm collapse", "norm repair")
def sizes_unbound(n):
    binders = " ".join("b%d:f64[a%d]" % (i, i) for i in range(n))
    return "{ lambda ; %s. let  in (%s,) }" % (binders, ", ".join("b%d" % i for i in range(n)))


@of()
def sizes_a_loop_carries(n):
    r = range(n)
    text = loop([], ["e%d:i64[]" % i for i in r], ["f%d:f64[e%d]" % (i, i) for i in r], ["e%d" % i for i in r] +
                ["f%d" % i for i in r], " ".join(["a"] * n + ["0 3 1 0"] + ["b"] * n),
                " ".join("c%d:i64[]" % i for i in r) + " " + " ".join("d%d:f64[c%d]" % (i, i) for i in r))
    return "{ lambda ; a:i64[] b:f64[a]. let %s in (c0, d0) }" % text


@of()
def sizes_a_loop_is_given(n):
    r = range(n)
    text = loop(["e%d:i64[]" % i for i in r], [], ["f%d:f64[e%d]" % (i, i) for i in r], ["f%d" % i for i in r],
                " ".join(["a"] * n + ["0 3 1 0"] + ["b"] * n), " ".join("c%d:f64[a]" % i for i in r))
    return "{ lambda ; a:i64[] b:f64[a]. let %s in (c0,) }" % text


@of("check", "sig nested", "hash", "norm", "norm all", "norm inline", "norm dce", "norm repair")
def sizes_passed_inwards(n):
    start = "{ lambda ; a:i64[] b:f64[a]. let c:f64[a] = pjit[name=f jaxpr="
    return start * n + "{ lambda ; a:i64[] b:f64[a]. let  in (b,) }" + "] a b in (c,) }" * n


@of("check", "hash", "norm captures")
def sizes_captured_inwards(n):  # formatted, it is far longer
    start = "{ lambda ; . let c:f64[a] = pjit[name=f jaxpr="
    return ("{ lambda ; a:i64[] b:f64[a]. let c:f64[a] = pjit[name=f jaxpr=" + start * n + "{ lambda ; . let  in (b,) }" +
            "] in (c,) }" * n + "] in (c,) }")


@of()
def sizes_leaked(n):
    call = "    c%d:f64[%s(val=0)] = jit[name=f jaxpr={ lambda ; a:i64[] b:f64[a]. let  in (b,) }] a b\n"
    return "{ lambda ; a:i64[] b:f64[a]. let\n" + "".join(call % (i, "InDBIdx") for i in range(n)) + "  in (c0,) }"


@of()
def sizes_leaked_by_nameless_results(n):
    call = "    _:i64[] c%d:f64[OutDBIdx(val=0)] = f a\n"
    outs = ", ".join("c%d" % i for i in range(n))
    return "{ lambda ; a:i64[]. let\n" + "".join(call % i for i in range(n)) + "  in (%s,) }" % outs


@of("check", "hash", "norm", "norm nested-constants", "norm lift", "norm captures", "sig nested")
def sizes_of_branches(n):  # without pad-branches, after which each branch takes the operands of all
    branches = ", ".join("{ lambda a:i64[] b:f64[a]; . let  in (a, b) }" for i in range(n))
    return ("{ lambda ; p:bool[] a:i64[] b:f64[a]. let c:i64[] d:f64[c] = cond[branch_jaxprs=[%s] nimplicit_outputs=1] %s in (c, d) }"
            % (branches, "p " * (n - 1) + "a b " * n))


@of()
def sizes_of_programs_by_line(n):
    text = "{ lambda ; x%d:f64[n%d]. let y%d:f64[n%d] = sin x%d; c%d:f64[q%d] = sin y%d in (c%d,) }\n"
    return "".join(text % ((i,) * 9) for i in range(n))


@of()
def sizes_leaked_by_line(n):
    text = "{ lambda ; x%d:i64[]. let _:i64[] y%d:f64[OutDBIdx(val=0)] = f x%d in (y%d,) }\n"
    return "".join(text % ((i,) * 4) for i in range(n))


@of()
def types_left_out_by_line(n):
    return "".join("{ lambda ; a%d:f64[3]. let b%d = sin a%d; c%d = add b%d a%d in (c%d,) }\n" % ((i,) * 7) for i in range(n))


# one error, many times in one program
@of("check", "fmt", "check sarif")
def errors_unbound(n):
    return HEAD + "b:f32[] = f " + " ".join("x%d" % i for i in range(n)) + " in (b,) }"


@of("check")
def errors_unbound_close_to_a_name(n):
    return HEAD + "length:f32[] = sin a; b:f32[] = f " + " ".join("lengt%d" % i for i in range(n)) + " in (b,) }"


@of("check")
def errors_unbound_same(n):
    return HEAD + "b:f32[] = f " + "x " * n + " in (b,) }"


@of("check")
def errors_rebound_same(n):
    return HEAD + "\n" + "    b:f32[] = sin a\n" * n + "  in (b,) }"


@of("check")
def errors_rebound_on_a_line(n):
    return HEAD + "b:f32[] = sin a; " * n + " in (b,) }"


@of("check", "check sarif")
def errors_of_type(n):
    return HEAD + "\n" + "".join("    x%d:f32[3] = sin a\n" % i for i in range(n)) + "  in (a,) }"


@of("check")
def errors_of_type_on_a_line(n):
    return HEAD + "".join("x%d:f32[3] = sin a; " % i for i in range(n)) + " in (a,) }"


@of("check", "fmt")
def errors_of_syntax(n):
    return HEAD + "\n" + "    b:f32[] sin a\n" * n + "  in (b,) }"


@of("check", "fmt")
def errors_of_syntax_on_a_line(n):
    return HEAD + "".join("x%d:f32[] = sin ) a; " % i for i in range(n)) + " in (b,) }"


@of("check", "fmt")
def errors_of_parameters(n):
    return HEAD + "b:f32[] = f[a=1 " + "? " * n + "] a in (b,) }"


@of("check")
def errors_of_unknown_lets(n):
    return HEAD + "".join("x%d:f32[] = jit[jaxpr=g%d] a; " % (i, i) for i in range(n)) + " in (a,) }"


@of("check")
def errors_of_lets_bound_twice(n):
    return let_line(0, "b:f32[] = sin a") * n + UNIT


# read only by `extract`
@of("extract", "check extract")
def lines_of_a_log(n):
    return "2024-01-02 03:04:05,678 INFO trace.py:12] step\n" * n


@of("extract", "check extract")
def programs_after_prefixes(n):
    text = "".join("[rank%d] %s\n" % (i % 8, line) for i in range(n) for line in (HEAD, "    b:f32[] = sin a", "  in (b,) }"))
    return text


@of("extract", "check extract")
def programs_never_ended_in_a_log(n):
    return ("INFO " + HEAD + "\nINFO     b:f32[] = sin a\n") * n


@of("extract", "check extract")
def a_notebook(n):
    cell = '{"cell_type":"code","outputs":[{"text":["%s\\n"]}],"source":[]}' % UNIT
    return '{"nbformat":4,"cells":[' + ",".join([cell] * n) + "]}"


@of("extract", "check extract")
def a_notebook_that_nests(n):
    return '{"nbformat":4,"cells":' + "[" * n


@of("extract", "check extract")
def strings_that_are_escaped(n):
    return '"' + (UNIT + "\\n") * n + '"'


# signatures that are read back
@of("sig read")
def arguments_of_a_signature(n):
    return "in_type (" + "(i64[],False)," * n + ")"


@of("sig read")
def sizes_of_a_signature(n):
    return "in_type ((i64[],False),(f64[" + "DBIdx(0)," * n + "3],True))"


@of("sig read")
def signatures(n):
    return "in_type ((i64[],False),(f64[DBIdx(0)],True))\nout_type ((f64[InDBIdx(0)],True),)\n" * n


@of("sig read")
def references_out_of_range(n):
    return "in_type (" + "".join("(f64[DBIdx(%d)],True)," % i for i in range(n)) + ")"


@of("sig read")
def wrappers_of_a_type(n):
    return "in_type ((" + "ShapedArray(" * n + "f32[]" + ")" * n + ",True),)"


@of("sig read")
def a_word_of_a_signature(n):
    return "in_type ((" + "x" * n + ",True),)"


# configurations, against which one small program is checked
@of("contract by")
def keys_of_a_contract(n):
    return "contracts:\n  - count:\n" + "".join("      p%d: %d\n" % (i, i) for i in range(n))


@of("contract by")
def unknown_keys(n):
    return "".join("k%d: 1\n" % i for i in range(n))


@of("contract by")
def keys_of_one_hash_by_sum(n):
    return "contracts:\n  - count:\n" + "".join("      %s: 1\n" % x[:-8] for x in names_of_one_hash_by_sum(n).split()[3:-4])


@of("contract by")
def contracts(n):
    return "contracts:\n" + "  - forbid: [cos]\n" * n


@of("contract by", "contract renew")
def counts_that_moved(n):
    return "contracts:\n" + "  - count: {sin: 7}\n" * n


@of("contract by")
def contracts_that_are_broken(n):
    return "contracts:\n" + "  - forbid: [sin]\n" * n


@of("contract by")
def patterns_of_a_contract(n):
    return "contracts:\n  - forbid: [" + ", ".join('"*a%d*"' % i for i in range(n)) + "]\n"


@of("contract by")
def stars_of_a_pattern(n):
    return 'contracts:\n  - forbid: ["' + "*n" * n + '"]\n'


@of("contract by")
def anchors_that_double(n):
    return "a0: &a0 [sin]\n" + "".join("a%d: &a%d [*a%d, *a%d]\n" % (i, i, i - 1, i - 1) for i in range(1, n))


@of("contract by")
def anchors_that_double_in_a_contract(n):
    lists = "".join(", &a%d [*a%d, *a%d]" % (i, i - 1, i - 1) for i in range(1, n))
    return "contracts:\n  - forbid: [&a0 [sin]" + lists + "]\n"


@of("contract by")
def anchors_of_one_word(n):
    return "contracts:\n  - forbid: [&a cos" + ", *a" * n + "]\n"


@of("contract by")
def lists_of_yaml(n):
    return "contracts: " + "[" * n


@of("contract by")
def lists_of_yaml_closed(n):
    return "contracts: " + "[" * n + "]" * n


@of("contract by")
def maps_of_yaml(n):
    return "contracts: " + "{a: " * n + "}" * n


@of("contract by")
def dashes_of_yaml(n):
    return "- " * n


@of("contract by")
def a_word_of_yaml(n):
    return "contracts:\n  - forbid: [" + "x" * n + "]\n"


@of("contract by")
def a_quoted_word_of_yaml(n):
    return 'contracts:\n  - forbid: ["' + "\\u4e2d" * n + '"]\n'


@of("contract by")
def comments_of_yaml(n):
    return "# x\n" * n + "contracts: []\n"


@of("contract by")
def documents_of_yaml(n):
    return "---\n" * n


@of("contract by")
def tags_of_yaml(n):
    return "contracts:\n  - forbid: [" + "!x " * n + "]\n"


@of("contract by")
def lines_of_a_block_of_yaml(n):
    return "contracts: |\n" + "  x\n" * n


@of("contract by")
def characters_of_yaml(n):
    return "contracts:\n  - forbid: [" + ", ".join("\u4e2d" for i in range(n)) + "]\n"


# every golden case of a diagnostic, repeated
for path in sorted(glob.glob(os.path.join(ROOT, "tests/golden/check/**/*.jaxpr"), recursive=True)):
    with open(path, "rb") as opened:
        case = opened.read()
    if 0 < len(case) < 20000:
        name = "case " + os.path.basename(path)[: -len(".jaxpr")]
        family[name] = (("check",), lambda n, case=case.rstrip(b"\n") + b"\n": case * n)
