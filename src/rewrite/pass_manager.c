/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of passes, and the loop that runs them over one program. */
#include "rewrite/pass_manager.h"

#include "diag/diag.h"
#include "ir/reach.h"
#include "verify/infer.h"

/* A pass: if it changed something, the earlier passes `again` run again. */
struct pass_row {
    const char *name;
    enum outcome (*run)(struct passes *p, program_t program);
    unsigned again;
};

/* row i describes the pass of bit i */
static const struct pass_row rows[] = {
    {"repair", pass_repair, 0},
    {"captures", pass_captures, PASS_REPAIR}, /* a reference may count a newly passed value */
    {"pad-branches", pass_pad_branches, 0},
    {"annotate", pass_annotate, 0},
    {"collapse", pass_collapse, 0},
    {"expand", pass_expand, PASS_ANNOTATE}, /* names that had no binder have types now */
    {"lift", pass_lift, 0},
    {"nested-constants", pass_nested_constants, 0},
    {"constants", pass_constants, 0},
    {"args-to-consts", pass_args_to_consts, 0},
    /* types of results that calls hid are known now; less reads the sizes that collapse removes */
    {"inline", pass_inline, PASS_ANNOTATE | PASS_COLLAPSE | PASS_EXPAND},
    {"dce", pass_dce, PASS_COLLAPSE | PASS_EXPAND},
    {"spell", NULL, 0},
};
_Static_assert(PASS_SPELL == 1 << (countof(rows) - 1), "a row for each pass");

unsigned
pass_find(struct slice name)
{
    for (u32 i = 0; i < countof(rows); i++)
        if (slice_eq(slice_of(rows[i].name), name))
            return 1u << i;
    return 0;
}

const char *
pass_name(u32 i)
{
    return i < countof(rows) ? rows[i].name : NULL;
}

bool
passes_may_break(const struct module *m, unsigned passes)
{
    bool untyped = false;
    for (var_t v = 0; v < m->vars.n && passes & PASS_ANNOTATE && !untyped; v++)
        untyped = m->vars.at[v].type == NONE;
    return m->types.dynamic || untyped;
}

void
passes_init(struct pass_manager *p, struct module *m)
{
    *p =
        (struct pass_manager){.with = {.m = m, .rules = inferrer_new(m), .unshare = true}, .dynamic = m->types.dynamic};
    for (u32 i = 0; i < countof(p->scopes); i++)
        binders_init(&p->scopes[i], m);
}

void
passes_end(struct pass_manager *p)
{
    for (u32 i = 0; i < countof(p->scopes); i++)
        binders_drop(&p->scopes[i]);
    inferrer_free(p->with.rules);
}

bool
passes_find_symbols(struct pass_manager *p, program_t program)
{
    struct module *m = p->with.m;
    return !p->dynamic || !dims_are_variables(m, &m->programs.at[program], p->scopes);
}

bool
passes_show_symbols(struct pass_manager *p, program_t program)
{
    struct version_range versions = program_versions(p->with.m, program);
    p->with.m->programs.at[program].versions = ALL_VERSIONS;
    bool symbols = passes_find_symbols(p, program);
    p->with.m->programs.at[program].versions = versions;
    return symbols;
}

static enum outcome
run_row(struct pass_manager *p, program_t program, const struct pass_row *row)
{
    enum outcome did = row->run(&p->with, program);
    p->changed |= did != OUTCOME_NOTHING;
    p->expanded |= row->run == pass_expand && did != OUTCOME_NOTHING;
    p->renames |= did == OUTCOME_RENAMES;
    return did;
}

/* expands before sizes are captured: otherwise those that a loop carries would become its constants */
static void
expand_first(struct pass_manager *p, program_t program)
{
    p->with.captures = true;
    run_row(p, program, &rows[__builtin_ctz(PASS_EXPAND)]);
    p->with.captures = false;
    p->with.symbols = passes_find_symbols(p, program);
}

/* runs a set of passes in order; false if one fails */
static bool
run_rows(struct pass_manager *p, program_t program, unsigned passes)
{
    for (u32 i = 0; passes >> i; i++) {
        if (!(passes >> i & 1))
            continue;
        if (PASSES_OPENING >> i & 1 && !p->open) {
            open_program(p->with.m, program);
            p->open = true;
        }
        if (1u << i == PASS_CAPTURES && passes & PASS_EXPAND)
            expand_first(p, program);
        enum outcome did = rows[i].run ? run_row(p, program, &rows[i]) : OUTCOME_NOTHING;
        if (did == OUTCOME_STUCK)
            return false;
        unsigned again = did != OUTCOME_NOTHING ? rows[i].again & p->wanted : 0;
        for (; again; again &= again - 1)
            run_row(p, program, &rows[__builtin_ctz(again)]);
    }
    return true;
}

bool
passes_run(struct pass_manager *p, program_t program, unsigned passes)
{
    struct module *m = p->with.m;
    if (m->programs.at[program].excerpt)
        passes &= PASSES_EXCERPT;
    p->changed = p->renames = p->bound = p->open = p->expanded = false;
    p->todo = 0;
    p->wanted = passes;
    p->with.symbols = passes_find_symbols(p, program);
    if (!run_rows(p, program, passes & (PASS_LIFT - 1)))
        return false;
    if (passes & PASSES_BINDING && !resolved_program(m, program))
        return false;
    p->bound = passes & PASSES_BINDING;
    if (passes & PASS_EXPAND)
        p->with.symbols = passes_find_symbols(p, program);
    if (passes & PASS_LIFT && !lift_due(m, program))
        passes &= ~(unsigned)PASS_LIFT;
    if ((passes & (PASS_LIFT | PASS_INLINE)) == PASS_INLINE && !inline_due(m, program, p->with.symbols))
        passes &= ~(unsigned)PASS_INLINE;
    p->todo = passes & ~(PASS_INLINE - 1u);
    return run_rows(p, program, passes & (PASS_INLINE - 1) & ~(PASS_LIFT - 1u));
}

bool
passes_run_open(struct pass_manager *p, program_t program)
{
    bool before = p->changed;
    p->changed = false;
    run_rows(p, program, p->todo);
    bool did = p->changed;
    p->changed |= before;
    return did;
}

void
passes_report_staying(const struct pass_manager *p, program_t program, struct diags *ds)
{
    struct module *m = p->with.m;
    jaxpr_t main = m->programs.at[program].main;
    const struct jaxpr *j = &m->jaxprs.at[main];
    u32 stays = p->with.stays;
    if (stays < j->n_ins) {
        struct span s = jaxpr_binder_span(m, main, j->n_consts + stays);
        var_t v = jaxpr_in(j, stays), size = p->with.size;
        struct span there = jaxpr_binder_span(m, main, size - j->vars);
        struct name_buffer buffer;
        const char *sized = diag_quote(ds, module_name(m, m->vars.at[size].name, &buffer));
        diag_add(ds, DIAG_D128, s.at, s.n,
                 "`%s`, which is %s, cannot become a constant while its size `%s` is an argument",
                 diag_quote(ds, module_name(m, m->vars.at[v].name, &buffer)),
                 diag_quote(ds, type_get(&m->types, m->vars.at[v].type)->text), sized);
        diag_note(ds, there.at, there.n, "`%s` is bound here; make it a constant, too", sized);
    } else if (stays == j->n_ins) {
        diag_add(ds, DIAG_D128, j->offset, 1, "cannot turn %u arguments into constants: the program has only %u",
                 p->with.count, j->n_ins);
    }
}
