/* SPDX-License-Identifier: Apache-2.0
 *
 * A text without a program is recognized by its beginning: StableHLO, Python source, a traceback. Linear. */
#include "parse/other_text.h"

#include "base/value.h"

#define PRINT "print the Jaxpr: `print(jax.make_jaxpr(f)(x))`"
#define ADD "add `print(jax.make_jaxpr(f)(x))` to it, run it, and pass the output"
#define PRINT_NOT(call) PRINT ", not `" call "`"
#define PRINT_CATALYST "print the Jaxpr: `print(f.jaxpr)` for a function `f` under `qjit`, not `f.mlir`"

/* The first row whose words both occur applies: `head` begins the text, `inside` is anywhere in its first bytes. */
static const struct row {
    struct slice head, inside;
    struct other_text text;
} rows[] = {
    {SLICE("module"), SLICE("quantum."), {"Catalyst MLIR", PRINT_CATALYST}},
    {SLICE("module"), SLICE("catalyst."), {"Catalyst MLIR", PRINT_CATALYST}},
    {SLICE("module"), SLICE("stablehlo."), {"StableHLO", PRINT_NOT("jax.jit(f).lower(x).as_text()")}},
    {SLICE("module"), SLICE("mhlo."), {"MHLO", PRINT_NOT("jax.jit(f).lower(x).as_text()")}},
    {SLICE("module"), SLICE("func.func"), {"MLIR", PRINT}},
    {SLICE("module @"), SLICE(""), {"MLIR", PRINT}},
    {SLICE("\"builtin.module\""), SLICE(""), {"MLIR", PRINT}},
    {SLICE("func.func"), SLICE("stablehlo."), {"StableHLO", PRINT_NOT("jax.jit(f).lower(x).as_text()")}},
    {SLICE("func.func"), SLICE(""), {"MLIR", PRINT}},
    {SLICE("HloModule"), SLICE(""), {"HLO", PRINT_NOT("jax.jit(f).lower(x).compile().as_text()")}},
    {SLICE("ENTRY %"), SLICE(""), {"HLO", PRINT_NOT("jax.jit(f).lower(x).compile().as_text()")}},
    {SLICE("; ModuleID"), SLICE(""), {"LLVM IR", PRINT}},
    {SLICE("define "), SLICE(""), {"LLVM IR", PRINT}},
    {SLICE("Traceback (most"), SLICE(""), {"a Python traceback", "an error was raised before a Jaxpr was printed"}},
    {SLICE("import "), SLICE(""), {"Python source", ADD}},
    {SLICE("from "), SLICE("import "), {"Python source", ADD}},
    {SLICE("def "), SLICE("("), {"Python source", ADD}},
    {SLICE("class "), SLICE(":"), {"Python source", ADD}},
    {SLICE("@"), SLICE("def "), {"Python source", ADD}},
    {SLICE("\"\"\""), SLICE("import "), {"Python source", ADD}},
    {SLICE("lambda "), SLICE(": "), {"a Python function", PRINT}},
    {SLICE("<!DOCTYPE"), SLICE(""), {"HTML", "save the text of the page"}},
    {SLICE("<html"), SLICE(""), {"HTML", "save the text of the page"}},
    {SLICE("<"), SLICE(" at 0x"), {"the repr of a Python object", PRINT}},
    {SLICE("in_type"), SLICE("("), {"a signature", "read it with `jaxpr sig --read`"}},
    {SLICE("("), SLICE("]) -> "), {"a signature", "read it with `jaxpr sig --read`"}},
    {SLICE("diff --git "), SLICE(""), {"a patch", "pass the files that it changes; see `jaxpr diff --git`"}},
    {SLICE("jx2:"), SLICE(""), {"a list of digests", "compare it with `jaxpr hash -c`"}},
    {SLICE("digraph "), SLICE(""), {"a graph for Graphviz", PRINT}},
};

/* whether a line is an equation printed alone, `b:f32[8] = sin a`, or in a list */
static bool
is_equation(struct slice line)
{
    size_t n = 0;
    while (n < line.n && (*line.at == '[' || *line.at == ' '))
        line = (struct slice){line.at + 1, line.n - 1};
    while (n < line.n && ((line.at[n] | 32) >= 'a' && (line.at[n] | 32) <= 'z'))
        n++;
    return n && n + 1 < line.n && line.at[n] == ':' && line.at[n + 1] != ' ' && slice_contains(line, SLICE(" = "));
}

/* whether a bracket is followed by a quoted key and a colon, as in a Python dict or a JSON object */
static bool
is_dict(struct slice line, char quote)
{
    if (line.n < 3 || *line.at != '{')
        return false;
    struct cursor c = {line.at + 1, line.at + line.n};
    value_blanks(&c);
    if (c.p == c.end || *c.p != quote)
        return false;
    const char *close = memchr(c.p + 1, quote, (size_t)(c.end - c.p - 1));
    return close && close + 1 < c.end && close[1] == ':';
}

struct other_text
other_text_of(struct slice text)
{
    struct slice first = {text.at, text.n < 16384 ? text.n : 16384};
    const char *end = memchr(first.at, '\n', first.n);
    struct slice line = {first.at, end ? (size_t)(end - first.at) : first.n};
    for (size_t i = 0; i < countof(rows); i++)
        if (slice_starts(first, rows[i].head) && slice_contains(first, rows[i].inside))
            return rows[i].text;
    if (is_equation(line))
        return (struct other_text){*line.at == '[' ? "a list of equations" : "an equation",
                                   PRINT "; equations alone do not show the types of their operands"};
    if (is_dict(first, '\''))
        return (struct other_text){"a Python dict", PRINT};
    if (is_dict(first, '"') && slice_contains(text, SLICE("\"nbformat\"")))
        return (struct other_text){"a notebook", "`jaxpr extract` finds the programs in its outputs"};
    if (is_dict(first, '"'))
        return (struct other_text){"JSON", PRINT};
    return (struct other_text){NULL, NULL};
}
