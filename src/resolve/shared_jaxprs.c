/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of shared programs, `let f = { lambda .. } in`: finds unknown and duplicate names, and programs that contain
 * themselves. Linear; what only messages need is computed for an error. */
#include "resolve/shared_jaxprs.h"

#include "base/near.h"

/* ---- references ---- */

/* Iterates over the names of shared programs in the parameters of one jaxpr's equations. */
struct let_uses {
    eqn_t eqn;
    param_t param;
    u32 segment;
};

struct let_use {
    u32 let; /* NONE: no let has this name */
    struct span span;
};

static struct let_uses
let_uses_start(const struct module *m, jaxpr_t j)
{
    eqn_t e = m->jaxprs.at[j].eqns;
    return (struct let_uses){e, e == NONE ? NONE : m->eqns.at[e].params, NONE};
}

static bool
let_uses_next(const struct module *m, struct let_uses *u, struct let_use *use)
{
    while (u->eqn != NONE) {
        if (u->segment != NONE) {
            const struct segment *s = &m->segments.at[u->segment];
            u->segment = s->next;
            *use = (struct let_use){s->a, s->span};
            if (s->kind == SEGMENT_SHARED)
                return true;
        } else if (u->param != NONE) {
            const struct param *p = &m->params.at[u->param];
            u->param = p->next;
            u->segment = p->kind == PARAM_TUPLE ? p->a : NONE;
            *use = (struct let_use){p->a, p->span};
            if (p->kind == PARAM_SHARED)
                return true;
        } else {
            u->eqn = m->eqns.at[u->eqn].next;
            u->param = u->eqn == NONE ? NONE : m->eqns.at[u->eqn].params;
        }
    }
    return false;
}

/* adds a note with the let whose name differs by one letter, or with the one that has the name, but that the program,
 * which is printed inside of a value, cannot use; false if there is none */
static bool
note_similar_let(const struct module *m, struct diags *ds, const struct program *around, struct slice name)
{
    for (u32 i = 0; i < m->lets.n && i < 4096; i++) {
        struct span there = m->lets.at[i].name;
        struct slice other = module_bytes(m, there);
        bool same = slice_eq(name, other);
        if (same && i - around->lets < around->n_lets)
            diag_note(ds, there.at, there.n,
                      "a program in a list or in other text cannot use this one: JAX prints it with its own `let`s");
        else if (!same && word_is_misspelled(name, other))
            diag_note(ds, there.at, there.n, "did you mean `%s`?", diag_quote(ds, other));
        else
            continue;
        return true;
    }
    return false;
}

void
check_let_uses(const struct module *m, struct diags *ds, const struct program *p, jaxpr_t j)
{
    struct let_uses uses = let_uses_start(m, j);
    struct slice last = SLICE("");
    for (struct let_use use; let_uses_next(m, &uses, &use);) {
        struct slice name = module_bytes(m, use.span);
        if (use.let != NONE || slice_eq(name, last))
            continue; /* branches=(f, f, f) is one mistake */
        last = name;
        bool constant =
            slice_eq(name, SLICE("None")) || slice_eq(name, SLICE("True")) || slice_eq(name, SLICE("False"));
        diag_add(ds, DIAG_S013, use.span.at, use.span.n,
                 constant ? "expected a program, got `%s`" : "unknown shared program `%s`", diag_quote(ds, name));
        if (!constant && !note_similar_let(m, ds, p, name))
            diag_note(ds, NONE, 0, "define it before the program that uses it: `let %s = { lambda .. } in`",
                      diag_quote(ds, name));
    }
}

/* ---- cycles ---- */

/* pushes the lets that the jaxprs of let `from` refer to */
static void
push_references(struct module *m, u32 from, void *list)
{
    VEC(u32) *stack = list;
    struct walk w;
    walk_start(&w, m, m->lets.at[from].jaxpr);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;) {
        struct let_uses uses = let_uses_start(m, j);
        for (struct let_use use; let_uses_next(m, &uses, &use);)
            if (use.let != NONE)
                *vec_push(m->mem, stack) = use.let;
    }
    walk_end(&w);
}

/* the span where the programs of let `from` refer to let `to`; linear in them, for messages only */
static struct span
reference_span(const struct module *m, u32 from, u32 to)
{
    struct walk w;
    struct span span = {NONE, 0};
    walk_start(&w, m, m->lets.at[from].jaxpr);
    for (jaxpr_t j; span.at == NONE && (j = walk_next(&w)) != NONE;) {
        struct let_uses uses = let_uses_start(m, j);
        for (struct let_use use; span.at == NONE && let_uses_next(m, &uses, &use);)
            if (use.let == to)
                span = use.span;
    }
    walk_end(&w);
    return span;
}

/* adds notes for the lets of a cycle, each of which refers to the next, and the last to the first */
static void
note_cycle(const struct module *m, struct diags *ds, const u32 *lets, u32 n)
{
    if (ds->errors >= EXPLAINED)
        return;
    for (u32 i = 0; i < n && i < 8; i++) {
        u32 to = lets[i + 1 < n ? i + 1 : 0];
        struct span here = reference_span(m, lets[i], to);
        diag_note(ds, here.at, here.n, "`%s` uses `%s` here", diag_quote(ds, module_bytes(m, m->lets.at[lets[i]].name)),
                  diag_quote(ds, module_bytes(m, m->lets.at[to].name)));
    }
}

/* finds lets that refer to themselves, directly or not: a depth-first search with its own stack, in which NONE marks
 * the end of a let's references */
static void
check_cycles(struct module *m, struct diags *ds, const struct program *p)
{
    enum { WHITE, GREY, BLACK };
    u8 *color = mem_alloc(m->mem, p->n_lets + 1);
    VEC(u32) stack = {0}, path = {0};
    memset(color, WHITE, p->n_lets + 1);
    for (u32 root = 0; root < p->n_lets; root++) {
        *vec_push(m->mem, &stack) = p->lets + root;
        while (stack.n) {
            u32 let = stack.at[--stack.n];
            if (let == NONE) {
                color[path.at[--path.n] - p->lets] = BLACK;
                continue;
            }
            if (let < p->lets || let >= p->lets + p->n_lets)
                continue;
            if (color[let - p->lets] == GREY) {
                struct slice name = module_bytes(m, m->lets.at[let].name);
                diag_add(ds, DIAG_S014, m->lets.at[let].name.at, m->lets.at[let].name.n,
                         "shared program `%s` refers to itself", diag_quote(ds, name));
                u32 from = path.n;
                while (from && path.at[from - 1] != let)
                    from--;
                note_cycle(m, ds, path.at + (from ? from - 1 : 0), path.n - (from ? from - 1 : 0));
                color[let - p->lets] = BLACK;
            }
            if (color[let - p->lets] != WHITE)
                continue;
            color[let - p->lets] = GREY;
            *vec_push(m->mem, &path) = let;
            *vec_push(m->mem, &stack) = NONE;
            push_references(m, let, &stack);
        }
    }
    mem_free_all(m->mem, color, stack.at, path.at);
}

void
check_shared_jaxprs(struct module *m, struct diags *ds, const struct program *p)
{
    struct names table;
    VEC(u32) first = {0};
    names_init(m->mem, &table, 0);
    for (u32 i = p->lets; i < p->lets + p->n_lets; i++) {
        struct slice name = module_bytes(m, m->lets.at[i].name);
        u32 id = names_intern_other(m->mem, &table, name) - NAME_OTHER;
        if (id == first.n) {
            *vec_push(m->mem, &first) = i;
            continue;
        }
        struct span there = m->lets.at[first.at[id]].name;
        diag_add(ds, DIAG_S015, m->lets.at[i].name.at, m->lets.at[i].name.n, "two shared programs are named `%s`",
                 diag_quote(ds, name));
        diag_note(ds, there.at, there.n, "the first is defined here");
    }
    mem_free_all(m->mem, first.at, table.others.at, table.slots);
    check_cycles(m, ds, p);
}
