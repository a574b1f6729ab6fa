/* SPDX-License-Identifier: Apache-2.0
 *
 * Dimension variables. A name in a shape must be bound to the left to an integer scalar (jax/_src/core.py, check_type,
 * 0.2.28 to 0.8.1); a de Bruijn reference belongs in a signature; in a binder, where some printers leave it, it is an
 * error, and the message says what it refers to, if anything. Scopes are walked once; of programs whose sizes are all
 * numbers only the types of binders are visited. */
#include "base/value.h"
#include "types/dims.h"
#include "resolve/dim_check.h"
#include "resolve/enclosing_notes.h"
#include "resolve/wrong_types.h"
#include "base/chars.h"
#include "base/lexical.h"
#include "base/utf8.h"

/* ---- words ---- */

const char *
dyn_name(struct dynamics *d, var_t v)
{
    return quote_name(d->m, d->ds, d->m->vars.at[v].name);
}

const char *
dyn_size(struct dynamics *d, struct size size)
{
    if (size.kind == SIZE_VAR)
        return dyn_name(d, size.var);
    if (size.kind == SIZE_INT)
        return arena_printf(d->m->mem, "%lld", (long long)size.value).at;
    return diag_quote(d->ds, size.text);
}

const char *
dyn_type(struct dynamics *d, type_t type)
{
    return type == NONE ? "?" : diag_quote(d->ds, type_get(&d->m->types, type)->text);
}

struct span
dim_span(const struct module *m, struct span binder, const struct type *array, const struct dim *d)
{
    if (binder.at == NONE || binder.at + (u64)binder.n > m->text.n)
        return binder;
    const char *at = memmem(m->text.at + binder.at, binder.n, array->text.at, array->text.n);
    if (!at || d->text.at < array->text.at || d->text.at + d->text.n > array->text.at + array->text.n)
        return binder;
    return (struct span){(u32)(at - m->text.at) + (u32)(d->text.at - array->text.at), (u32)d->text.n};
}

/* ---- one dim ---- */

/* The position of a dim: in binder i of jaxpr j, or, if e is not NONE, in result i of equation e. */
struct site {
    const struct type *array;
    const struct dim *dim;
    jaxpr_t j;
    eqn_t e;
    u32 i;
};

static struct span
site_span(struct dynamics *d, const struct site *at)
{
    struct span binder = binder_span(d->m, at->j, at->e, at->i);
    return dim_span(d->m, binder, at->array, at->dim);
}

/* sizes called `_` are unused results, all distinct */
static bool
is_underscore(const struct dim *d)
{
    return d->text.n == 1 && d->text.at[0] == '_';
}

/* whether the name of a size that the program binds is bound in a program around the nested one that reads it, and
 * before it; *there becomes that binder. Inside shared programs, and after EXPLAINED searches, which keeps the cost
 * linear, this is assumed without a search */
static bool
bound_outside(struct dynamics *d, jaxpr_t j, name_t name, struct span *there)
{
    jaxpr_t outer;
    *there = (struct span){NONE, 0};
    if (d->shared || d->searched++ >= EXPLAINED)
        return true;
    if (!d->eqn_jaxprs)
        d->eqn_jaxprs = eqns_to_jaxprs(d->m);
    var_t v = find_enclosing(d->m, d->eqn_jaxprs, j, name, &outer);
    if (v != NONE)
        *there = var_span(d->m, outer, v);
    return v != NONE;
}

/* reports an unbound size; true if it is an error, not a warning */
static bool
report_unbound(struct dynamics *d, const struct site *at)
{
    struct span s = site_span(d, at), there;
    const char *text = diag_quote(d->ds, at->dim->text);
    var_t around = binders_find(&d->around, at->dim->name);
    if (is_underscore(at->dim)) {
        diag_add(d->ds, DIAG_D101, s.at, s.n, "the size `_` does not refer to a variable: `_` is a dropped result");
        return true;
    }
    var_t later = d->ds->errors < EXPLAINED ? binder_named(d->m, at->j, NONE, at->dim->name) : NONE;
    if (later != NONE) {
        there = var_span(d->m, at->j, later);
        diag_add(d->ds, DIAG_D102, s.at, s.n, "the size `%s` is used before it is bound", text);
        diag_note(d->ds, there.at, there.n, "`%s` is bound here", text);
        diag_note(d->ds, NONE, 0, "a variable in a shape must be bound before it, in the same program");
        return true;
    }
    if (around != NONE && bound_outside(d, at->j, at->dim->name, &there)) {
        diag_add(d->ds, DIAG_D107, s.at, s.n,
                 "a nested program cannot use the size `%s`, which is bound in an enclosing program", text);
        diag_note(d->ds, there.at, there.n, "%spass it as an operand, as `jaxpr norm -p captures` does",
                  there.at == NONE ? "" : "it is bound here; ");
        if (d->options->strict)
            diag_relevel(d->ds, LEVEL_ERROR);
        return d->options->strict;
    }
    diag_add(d->ds, DIAG_D101, s.at, s.n, "the size `%s` is not bound", text);
    diag_note(d->ds, NONE, 0, "a variable in a shape must be bound before it, in the same program");
    return true;
}

static void
report_wrong_type(struct dynamics *d, const struct site *at, var_t v)
{
    const struct type *t = type_get(&d->m->types, d->m->vars.at[v].type);
    const char *why = t->kind != TYPE_ARRAY ? "an array" : t->rank ? "a scalar" : "an integer";
    struct span s = site_span(d, at);
    diag_add(d->ds, DIAG_D103, s.at, s.n, "the size `%s` must be %s, but is %s", dyn_name(d, v), why,
             dyn_type(d, d->m->vars.at[v].type));
    if (d->ds->errors >= EXPLAINED)
        return;
    struct span there = var_span(d->m, at->j, v);
    diag_note(d->ds, there.at, there.n, "`%s` is bound here", dyn_name(d, v));
}

/* the target of a reference; SIZE_LOOSE if it is not an earlier size */
static struct size
followed(struct dynamics *d, const struct site *at)
{
    struct size size = size_of_dim(d->m, &d->scope, at->dim, at->j, at->e);
    bool left = (at->dim->kind != DIM_DBIDX && at->dim->kind != DIM_OUTDBIDX) || at->dim->value < at->i;
    if (!left)
        size.kind = SIZE_LOOSE;
    return size;
}

/* how many operands, results or binders there are of the kind that a reference counts, in the equation or header */
static u32
counted_by(const struct dynamics *d, const struct site *at)
{
    const struct eqn *eqn = at->e != NONE ? &d->m->eqns.at[at->e] : NULL;
    return eqn == NULL                    ? jaxpr_binders(&d->m->jaxprs.at[at->j])
           : at->dim->kind == DIM_INDBIDX ? eqn->n_atoms
                                          : eqn->n_vars;
}

static void
report_reference(struct dynamics *d, const struct site *at)
{
    static const char *const counted[] = {[DIM_DBIDX] = "binder", [DIM_INDBIDX] = "operand", [DIM_OUTDBIDX] = "result"};
    static const char *const wanted[] = {
        [DIM_DBIDX] = "earlier binder", [DIM_INDBIDX] = "operand", [DIM_OUTDBIDX] = "earlier result"};
    struct size size = followed(d, at);
    struct span s = site_span(d, at);
    const char *text = diag_quote(d->ds, at->dim->text);
    if (size.kind == SIZE_LOOSE) {
        bool here = at->e == NONE ? at->dim->kind == DIM_DBIDX : at->dim->kind != DIM_DBIDX;
        const char *which = ordinal_of((u64)at->dim->value).text, *noun = counted[at->dim->kind];
        u32 n = counted_by(d, at);
        if (here && (u64)at->dim->value < n)
            diag_add(d->ds, DIAG_D106, s.at, s.n,
                     "`%s` must refer to an %s that is an integer scalar, but the %s %s is not one", text,
                     wanted[at->dim->kind], which, noun);
        else if (here)
            diag_add(d->ds, DIAG_D106, s.at, s.n, "`%s` refers to the %s %s, but there %s only %u", text, which, noun,
                     n == 1 ? "is" : "are", n);
        else
            diag_add(d->ds, DIAG_D106, s.at, s.n, "`%s` is not allowed here: the %s %s does not exist", text, which,
                     noun);
        return;
    }
    diag_add(d->ds, DIAG_D105, s.at, s.n,
             "`%s` belongs in a signature; in a program, a size is a number, a variable or an expression", text);
    struct name_buffer buffer;
    bool nameless =
        size.kind == SIZE_VAR && slice_eq(module_name(d->m, d->m->vars.at[size.var].name, &buffer), SLICE("_"));
    if (nameless)
        diag_note(d->ds, NONE, 0, "it refers to the %s %s, which has no name; `jaxpr norm -p repair` adds one",
                  ordinal_of((u64)at->dim->value).text, counted[at->dim->kind]);
    else
        diag_note(d->ds, NONE, 0, "it refers to `%s`; `jaxpr norm -p repair` replaces it", dyn_size(d, size));
}

/* checks a named size; an error is reported once for each program. True if it is an error */
static bool
check_name(struct dynamics *d, const struct site *at)
{
    var_t v = binders_find(&d->scope, at->dim->name);
    bool wrong = v != NONE && !var_may_be_dim(d->m, v);
    if (v != NONE && !wrong)
        return false;
    u64 record = memo_get(&d->reported, at->dim->name);
    if (record >> 1 == (u64)at->j + 1 && !is_underscore(at->dim))
        return record & 1;
    bool error = true;
    if (wrong) {
        report_wrong_type(d, at, v);
        memo_set(d->m->mem, &d->found->unsized, v, 1);
    } else {
        error = report_unbound(d, at);
    }
    memo_set(d->m->mem, &d->reported, at->dim->name, ((u64)at->j + 1) << 1 | error);
    return error;
}

/* true for an array with a size 0: whatever its other sizes, it is empty */
static bool
is_empty(const struct types *types, const struct type *array)
{
    const struct dim *dims = type_dims(types, array);
    for (u32 i = 0; i < array->rank; i++)
        if (dims[i].kind == DIM_INT && dims[i].value == 0)
            return true;
    return false;
}

/* a sign in a size that neither its name nor its expression has, as `n½`. True if it was reported */
static bool
report_symbol(struct dynamics *d, const struct site *at)
{
    size_t offset;
    u32 code;
    if (!d->m->text.symbols || find_symbol(at->dim->text, &offset, &code) == 0)
        return false;
    struct span s = site_span(d, at);
    diag_add(d->ds, DIAG_D104, s.at, s.n, "`%s` is not a size: it contains the character U+%04X, which no size has",
             diag_quote(d->ds, at->dim->text), code);
    return true;
}

static void
report_no_size(struct dynamics *d, const struct site *at)
{
    struct span s = site_span(d, at);
    struct slice text = at->dim->text, large = large_integer(text);
    if (large.n && s.n == text.n)
        s = (struct span){s.at + (u32)(large.at - text.at), (u32)large.n};
    diag_add(d->ds, DIAG_D104, s.at, s.n,
             large.n                            ? "`%s` contains a number larger than 2^63-1"
             : has_padded_number(at->dim->text) ? "`%s` is not a size: a number must not have a leading zero"
                                                : NO_SIZE,
             diag_quote(d->ds, text));
    if (d->options->strict || !is_empty(&d->m->types, at->array))
        return;
    diag_relevel(d->ds, LEVEL_WARNING);
    diag_note(d->ds, NONE, 0, "the array is empty in any case, so this is treated as an unknown size");
}

/* `-7`, or digits that are not a DIM_INT, such as 2^63 (but not `03`): reports a number that cannot be a size. True if
 * it was one */
static bool
report_out_of_range(struct dynamics *d, const struct site *at)
{
    struct slice text = at->dim->text;
    bool negative = text.n > 1 && text.at[0] == '-';
    if (slice_eq(text, SLICE("-9223372036854775808"))) /* MLIR's mark of a dynamic size, as PennyLane prints it */
        return true;
    size_t digits = negative;
    while (digits < text.n && is_digit(text.at[digits]))
        digits++;
    struct span s = site_span(d, at);
    if (digits == text.n && is_padded(text.at, text.at + text.n))
        return false;
    if (digits < text.n) {
        bool product =
            digits > negative && text.at[digits] != '*' && is_word_start(text.at[digits]); /* `2b`: a `*` is missing */
        if (product)
            diag_add(d->ds, DIAG_D104, s.at, s.n, "`%s` is not a size; write a product with `*`, as in 2*b",
                     diag_quote(d->ds, text));
        return product;
    }
    diag_add(d->ds, DIAG_D104, s.at, s.n,
             negative ? "the size `%s` is negative" : "the size `%s` is larger than 2^63-1", diag_quote(d->ds, text));
    return true;
}

/* checks a dim; true if its name was reported not to be a size: then it is unknown what the type matches */
static bool
check_dim(struct dynamics *d, const struct site *at)
{
    switch (at->dim->kind) {
    case DIM_NAME:
        if (unlikely(is_python_constant(at->dim->text))) /* `f32[None]` of Keras */
            report_no_size(d, at);
        return report_symbol(d, at) || (d->variables && check_name(d, at));
    case DIM_DBIDX:
    case DIM_INDBIDX:
    case DIM_OUTDBIDX:
        report_reference(d, at);
        return false;
    case DIM_EXPR:
        if (!report_symbol(d, at) && !report_out_of_range(d, at) &&
            (!dim_expression(at->dim->text) || !integers_fit(at->dim->text)))
            report_no_size(d, at);
        return false;
    default:
        return false;
    }
}

static void
check_dims_of(struct dynamics *d, var_t v, jaxpr_t j, eqn_t e, u32 i)
{
    type_t id = d->m->vars.at[v].type;
    if (id == NONE || !d->concerns[id])
        return;
    if (!type_text_fits(&d->unknown, d->m, d->ds, id, j, e, i))
        return;
    const struct type *t = type_array(d->m, id);
    bool unsized = false;
    for (u32 k = 0; t && k < t->rank; k++)
        unsized |= check_dim(d, &(struct site){t, &type_dims(&d->m->types, t)[k], j, e, i});
    if (unsized)
        memo_set(d->m->mem, &d->found->unsized, v, 1);
}

/* ---- programs ---- */

static inline void
bind(struct dynamics *d, var_t v)
{
    if (!d->named)
        return;
    binders_bind(&d->scope, v);
    binders_bind(&d->around, v);
}

static void
check_scope(struct dynamics *d, jaxpr_t id)
{
    struct module *m = d->m;
    enum dim_names names = !d->variables ? NAMES_SYMBOLS : d->aliased[id] ? NAMES_SAME_VARIABLES : NAMES_VARIABLES;
    if (names != memo_get(&m->dim_names, id))
        memo_set(m->mem, &m->dim_names, id, names);
    const struct jaxpr j = m->jaxprs.at[id];
    binders_open(&d->scope);
    for (u32 i = 0; i < jaxpr_binders(&j); i++) {
        check_dims_of(d, j.vars + i, id, NONE, i);
        bind(d, j.vars + i);
    }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn eqn = m->eqns.at[e];
        for (u32 i = 0; i < eqn.n_vars; i++) {
            check_dims_of(d, eqn.vars + i, id, e, i);
            bind(d, eqn.vars + i);
        }
        if (eqn.params != NONE)
            check_nested(d, e);
    }
}

static void
check_program(struct dynamics *d, const struct program *p)
{
    struct module *m = d->m;
    for (u32 i = 0; i <= p->n_lets; i++) {
        jaxpr_t root = program_jaxpr(m, p, i);
        if (root == NONE)
            continue;
        struct walk w;
        d->shared = i < p->n_lets;
        binders_open(&d->around);
        walk_start(&w, m, root);
        for (jaxpr_t j; (j = walk_next(&w)) != NONE;)
            check_scope(d, j);
        walk_end(&w);
    }
}

/* see dynamics.words */
static const struct slice words[] = {SLICE("for_loop"), SLICE("while_loop"), SLICE("branch_jaxprs"),
                                     SLICE("jaxpr_branches"), SLICE("n_consts")};
_Static_assert(countof(words) == countof(((struct dynamics *)NULL)->words), "a name for each word");

/* finds the types and words that these checks cover; false if the module has none */
static bool
find_concerns(struct dynamics *d)
{
    const struct module *m = d->m;
    bool any = false;
    d->concerns = mem_alloc(m->mem, m->types.list.n + 1);
    for (type_t i = 0; i < m->types.list.n; i++) {
        const struct type *array = type_array(m, i);
        d->concerns[i] = (array && array->dynamic) || type_is_odd(m, i);
        any |= d->concerns[i];
    }
    for (size_t i = 0; i < countof(words); i++) {
        d->words[i] = names_find(&m->names, words[i]);
        any |= d->words[i] != NONE;
    }
    return any;
}

static bool
concerns_vars(const struct dynamics *d, u32 first, u32 n)
{
    for (var_t v = first; v < first + n; v++)
        if (d->m->vars.at[v].type != NONE && d->concerns[d->m->vars.at[v].type])
            return true;
    return false;
}

static bool
concerns_name(const struct dynamics *d, name_t name)
{
    for (size_t i = 0; i < countof(d->words); i++)
        if (d->words[i] == name)
            return name != NONE;
    return false;
}

static bool
concerns_eqn(const struct dynamics *d, const struct eqn *e)
{
    bool ours = concerns_vars(d, e->vars, e->n_vars) || concerns_name(d, e->prim);
    for (param_t p = e->params; p != NONE && !ours; p = d->m->params.at[p].next)
        ours = concerns_name(d, d->m->params.at[p].key);
    return ours;
}

/* whether these checks cover some type or equation of a program: for most programs of a stream they do not */
static bool
concerns_program(const struct dynamics *d, const struct program *p)
{
    const struct module *m = d->m;
    bool ours = false;
    struct walk w;
    walk_start_program(&w, m, p);
    for (jaxpr_t j; !ours && (j = walk_next(&w)) != NONE;) {
        ours = concerns_vars(d, m->jaxprs.at[j].vars, jaxpr_binders(&m->jaxprs.at[j]));
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE && !ours; e = m->eqns.at[e].next)
            ours = concerns_eqn(d, &m->eqns.at[e]);
    }
    walk_end(&w);
    return ours;
}

/* recomputes the dims of all types, with names marked as variables, for check_types */
static void
mark_variables(struct types *t)
{
    size_t size = (t->dims.n + 1) * sizeof *t->variables;
    t->variables = mem_alloc(t->mem, size);
    if (t->dims.n > 0)
        memcpy(t->variables, t->dims.at, t->dims.n * sizeof *t->variables);
    for (u32 i = 0; i < t->dims.n; i++)
        if (t->variables[i].kind == DIM_NAME)
            t->variables[i].value = DIM_VARIABLE;
}

void
check_dims(struct module *m, const struct check_options *options, struct resolution *found, struct diags *ds)
{
    mem_free(m->mem, m->types.variables); /* drops those of an earlier check: passes may have made types since */
    m->types.variables = NULL;
    memo_free(m->mem, &found->unsized);
    struct dynamics d = {.m = m, .options = options, .found = found, .ds = ds, .unknown.strict = options->strict};
    if (!find_concerns(&d)) {
        mem_free(m->mem, d.concerns);
        return;
    }
    struct dim_words hints = dim_words_find(m);
    binders_init(&d.scope, m);
    binders_init(&d.around, m);
    binders_init(&d.inner, m);
    prims_init(m->mem, &d.prims);
    d.aliased = mem_zeroed(m->mem, m->jaxprs.n + 1);
    for (program_t p = 0, n = 0; p < m->programs.n; p++) {
        const struct program *program = &m->programs.at[p];
        if (program->pasted)
            continue;
        ds->program = n++;
        if ((options->only && !options->only[ds->program]) || program->broken || program->excerpt ||
            !concerns_program(&d, program))
            continue;
        struct binders scopes[2] = {d.scope, d.around};
        bool variables = dims_score(m, &hints, program, scopes, DIMS_CHECKED, &d.named);
        d.variables = options->dims == DIMS_VARS || (options->dims == DIMS_AUTO && variables);
        d.scope = scopes[0];
        d.around = scopes[1];
        if (d.variables && !m->types.variables)
            mark_variables(&m->types);
        check_program(&d, program);
    }
    ds->program = NONE;
    mem_free_all(m->mem, d.aliased, d.concerns, d.eqn_jaxprs);
    prims_free(&d.prims);
    region_map_free(m, &d.map);
    binders_drop(&d.scope);
    binders_drop(&d.around);
    binders_drop(&d.inner);
    memo_free(m->mem, &d.reported);
    memo_free(m->mem, &d.unknown.seen);
}
