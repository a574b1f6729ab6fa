/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes before the canonical order. Most programs need none: only the outermost program has constants, and every size
 * is a number. The others are ordered twice, before and after, because a pass adds things in the order in which it
 * visits equations. Tables as large as the module are made once for all programs. */
#include "canon/prepare.h"

#include "resolve/broken.h"
#include "resolve/check.h"
#include "verify/infer.h"
#include "canon/canon.h"
#include "ir/reach.h"
#include "rewrite/rewrite.h"

void
canon_relink(struct canon *c, jaxpr_t id, bool finish)
{
    struct module *m = c->m;
    if (c->jaxprs.at[id].linked)
        return;
    if (c->at.jaxpr != id || c->at.reads) { /* otherwise c->at still has the order in which it was digested */
        c->keep_reads = true;
        canon_order(c, id);
        c->keep_reads = false;
    }
    if (finish && canon_relayout(c, id))
        return;
    struct jaxpr *j = &m->jaxprs.at[id];
    j->eqns = j->last = NONE;
    for (u32 i = 0; i < c->at.order.n; i++) {
        canon_fetch(c, i);
        eqn_t e = c->at.order.at[i];
        m->eqns.at[e].next = NONE;
        if (j->last == NONE)
            j->eqns = e;
        else
            m->eqns.at[j->last].next = e;
        j->last = e;
    }
    c->jaxprs.at[id].linked = true;
}

/* Which programs of a stream may contain a nested constant that could be lifted; most contain none. */
struct holders {
    const struct module *m;
    const program_t *programs; /* in the order of the text */
    u32 n;
    u8 *may; /* of each program */
    bool any, all;
};

/* records a constant at an offset of the text; if a pass made it, any program may contain it */
static void
note_constant(struct holders *h, u32 offset)
{
    u32 i = program_around(h->m, h->programs, h->n, offset);
    h->any = true;
    if (i == NONE)
        h->all = true;
    else
        h->may[i] = 1;
}

/* finds which of n programs (n >= 1) may contain such constants; the caller frees `may` */
static struct holders
holders_find(const struct module *m, const program_t *programs, u32 n)
{
    struct holders h = {.m = m, .programs = programs, .n = n, .may = mem_zeroed(m->mem, n)};
    for (u32 i = 0; i < m->jaxprs.n; i++)
        if (m->jaxprs.at[i].n_consts > 0 && m->jaxprs.at[i].parent != NONE)
            note_constant(&h, m->jaxprs.at[i].offset);
    for (u32 i = 0; i < m->lets.n; i++)
        if (m->lets.at[i].jaxpr != NONE && m->jaxprs.at[m->lets.at[i].jaxpr].n_consts > 0)
            note_constant(&h, m->lets.at[i].offset);
    for (u32 i = 0; i < m->literals.n; i++)
        if (m->literals.at[i].kind == LIT_ARRAY)
            note_constant(&h, m->literals.at[i].value.at);
    if (h.all)
        memset(h.may, 1, n);
    return h;
}

u8 *
prepare_due(struct module *m, const program_t *programs, u32 n, const struct diags *ds)
{
    u8 *due = mem_zeroed(m->mem, n + 1ull);
    bool all = m->types.dynamic;
    for (u32 i = 0; i < ds->list.n && !all; i++)
        all = reports_unbound(&ds->list.at[i]);
    if (all)
        memset(due, PREPARING_ALL, n);
    if (all || n == 0)
        return due;
    struct holders h = holders_find(m, programs, n);
    for (u32 i = 0; i < n && h.any; i++)
        if (h.may[i] && m->programs.at[programs[i]].main != NONE && lift_due(m, programs[i]))
            due[i] = PREPARING_LIFTS;
    mem_free(m->mem, h.may);
    return due;
}

static void
order_program(struct canon *c, program_t program, struct canon_mode mode)
{
    struct module *m = c->m;
    struct jaxprs all = {0};
    canon_inside(c, program, mode);
    reach_unpasted(m, program, &all);
    for (u32 i = 0; i < all.n; i++)
        if (c->jaxprs.at[all.at[i]].entered)
            canon_relink(c, all.at[i], false);
    vec_free(m->mem, &all);
}

/* sets PREPARED_VARIABLES if names of dims are variables, read as `reading` says */
static void
find_dim_variables(struct module *m, program_t program, const struct dim_words *words, struct binders scopes[2],
                   u8 *state, enum dim_reading reading)
{
    bool named;
    *state &= (u8)~PREPARED_VARIABLES;
    if (m->types.dynamic && dims_score(m, words, &m->programs.at[program], scopes, reading, &named))
        *state |= PREPARED_VARIABLES;
}

/* repairs sizes and passes captured variables */
static void
size_program(struct passes *with, program_t program, const struct dim_words *words, struct binders scopes[2], u8 *state)
{
    struct module *m = with->m;
    bool variables = *state & PREPARED_VARIABLES;
    with->symbols = !variables;
    if (variables)
        pass_repair(with, program);
    enum outcome did = pass_captures(with, program);
    if (did == OUTCOME_STUCK)
        return;
    if (did != OUTCOME_NOTHING && variables)
        pass_repair(with, program);
    if (variables) {
        pass_expand(with, program);
        pass_repair(with, program); /* references that count arguments may now refer to others */
    }
    if (resolved_program(m, program))
        *state &= (u8)~PREPARED_UNBOUND;
    find_dim_variables(m, program, words, scopes, state, DIMS_CLOSED);
}

static void
prepare(struct module *m, const program_t *programs, u32 n, u8 *states)
{
    struct canon c = {.m = NULL}; /* created for the first program that needs it */
    struct binders scopes[2];
    struct dim_words words = dim_words_find(m);
    if (n == 0)
        return;
    struct holders h = holders_find(m, programs, n);
    struct passes with = {.m = m, .rules = inferrer_new(m), .excused = true}; /* a program with other sizes would be
                                                                               * another program */
    for (u32 i = 0; i < 2; i++)
        binders_init(&scopes[i], m);
    for (u32 i = 0; i < n; i++) {
        if (states[i] & PREPARED_SKIP)
            continue;
        bool lift = h.may[i] && lift_due(m, programs[i]);
        find_dim_variables(m, programs[i], &words, scopes, &states[i], DIMS_OPEN);
        if (!lift && !(states[i] & (PREPARED_VARIABLES | PREPARED_UNBOUND))) {
            states[i] |= PREPARED_SKIP | PREPARED_NOTHING;
            continue;
        }
        pass_constants(&with, programs[i]);
        if (c.m == NULL) {
            module_date(m); /* while the module is unchanged */
            canon_init(&c, m, 0, (struct slice){"", 0});
        }
        order_program(&c, programs[i], (struct canon_mode){.variables = (states[i] & PREPARED_VARIABLES) != 0});
    }
    if (c.m != NULL)
        canon_end(&c);
    for (u32 i = 0; i < n; i++) {
        if (states[i] & PREPARED_SKIP || m->programs.at[programs[i]].excerpt)
            continue;
        if (states[i] & (PREPARED_VARIABLES | PREPARED_UNBOUND))
            size_program(&with, programs[i], &words, scopes, &states[i]);
        if (states[i] & PREPARED_UNBOUND || !h.may[i] || !lift_due(m, programs[i]))
            continue;
        open_program(m, programs[i]);
        pass_lift(&with, programs[i]);
        pass_constants(&with, programs[i]);
        if (states[i] & PREPARED_VARIABLES) /* lifted constants may have sizes */
            size_program(&with, programs[i], &words, scopes, &states[i]);
    }
    for (u32 i = 0; i < 2; i++)
        binders_drop(&scopes[i]);
    inferrer_free(with.rules);
    mem_free(m->mem, h.may);
}

/* ---- sizes without a binder ---- */

/* Programs whose sizes are variables by some, although others are not bound, and what was reported of them. Unless the
 * passes bind these, too, the canonical form would read all names in shapes as symbols, and not contain which argument
 * is a size. */
struct open_sizes {
    u8 *may;  /* of each program: whether it may be one */
    u8 *open; /* those of which check_dims has reported it */
    const u8 *states;
    u32 from, to; /* the findings */
};

static bool
is_unbound_size(const struct diag *d)
{
    return d->code == DIAG_D101 || d->code == DIAG_D102;
}

static struct open_sizes
check_open_sizes(struct module *m, const program_t *programs, u32 n, const u8 *states, struct diags *ds)
{
    u8 *marks = mem_zeroed(m->mem, 2 * ((size_t)n + 1));
    struct open_sizes o = {marks, marks + n + 1, states, ds->list.n, ds->list.n};
    struct resolution found = {0};
    struct binders scopes[2];
    bool any = false, named;
    if (!m->types.dynamic)
        return o;
    struct dim_words words = dim_words_find(m);
    for (u32 i = 0; i < 2; i++)
        binders_init(&scopes[i], m);
    for (u32 i = 0; i < n; i++) {
        const struct program *p = &m->programs.at[programs[i]];
        o.may[i] = !(states[i] & PREPARED_SKIP) && !dims_score(m, &words, p, scopes, DIMS_CLOSED, &named) && named &&
                   dims_score(m, &words, p, scopes, DIMS_CHECKED, &named);
        any |= o.may[i];
    }
    for (u32 i = 0; i < 2; i++)
        binders_drop(&scopes[i]);
    for (u32 i = 0; i < ds->list.n; i++) {
        u32 program = ds->list.at[i].program;
        if (is_unbound_size(&ds->list.at[i]) && program < n && o.may[program]) {
            o.may[program] = 0;
            o.open[program] = 1;
        }
    }
    if (!any)
        return o;
    check_dims(m, &(struct check_options){.only = o.may}, &found, ds);
    memo_free(m->mem, &found.unsized);
    mem_free(m->mem, m->types.variables);
    m->types.variables = NULL;
    o.to = ds->list.n;
    return o;
}

/* whether a finding of check_open_sizes is about something else, or a pass fixed it */
static bool
is_closed(const struct diag *d, u32 i, const void *user)
{
    const struct open_sizes *o = user;
    return i >= o->from && i < o->to && (!is_unbound_size(d) || o->states[d->program] & PREPARED_VARIABLES);
}

static void
report_open_sizes(struct module *m, struct open_sizes *o, u8 *states, u32 n, struct diags *ds)
{
    for (u32 i = 0; i < n; i++)
        if (o->open[i] && !(states[i] & PREPARED_VARIABLES))
            states[i] |= PREPARED_OPEN;
    if (o->to > o->from) {
        diags_drop(ds, is_closed, o);
        for (u32 i = o->from; i < ds->list.n; i++)
            states[ds->list.at[i].program] |= PREPARED_OPEN;
        diags_sort(ds);
    }
    mem_free(m->mem, o->may);
}

u8 *
prepare_programs(struct module *m, const program_t *programs, u32 n, const u8 *due, struct diags *ds)
{
    u8 *states = broken_programs(m, programs, n, ds, true), *unbound = broken_programs(m, programs, n, ds, false);
    for (u32 i = 0; i < n; i++)
        states[i] = states[i]                                    ? PREPARED_SKIP
                    : due != NULL && due[i] == PREPARING_NOTHING ? PREPARED_SKIP | PREPARED_NOTHING
                    : unbound[i]                                 ? PREPARED_UNBOUND
                                                                 : 0;
    struct open_sizes open = check_open_sizes(m, programs, n, states, ds);
    prepare(m, programs, n, states);
    report_open_sizes(m, &open, states, n, ds);
    u8 *verdicts = unbound; /* names that were unbound are bound now unless the state says otherwise */
    for (u32 i = 0; i < n; i++) {
        bool bound = unbound[i] && !(states[i] & (PREPARED_SKIP | PREPARED_UNBOUND));
        verdicts[i] = VERDICT_KEPT | (bound ? VERDICT_BOUND : 0);
    }
    drop_fixed_findings(ds, verdicts, ds->list.n);
    mem_free(m->mem, unbound);
    return states;
}
