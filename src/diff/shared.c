/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared programs that a difference names: if an equation that only the right has contains `jaxpr=clip`, the left may
 * not have that `let`. Linear in the new equations and their nested programs. */
#include "diff/diff.h"

#include "ir/reach.h"

/* The lets of the right by their programs, and those that are to be printed. */
struct sharing {
    struct diff *d;
    struct memo lets;        /* by jaxpr: its let, plus one; without lets that the left has, too */
    struct diff_cache known; /* lets of the left, by name and content */
    struct memo shown;       /* lets */
    VEC(jaxpr_t) todo;       /* jaxprs whose equations may name more lets */
};

static u64
let_key(const struct diff_side *s, const struct let *l)
{
    return hash_slice(s->program[l->jaxpr], module_bytes(s->m, l->name)) | 1;
}

static void
find_lets(struct sharing *w, program_t a, program_t b)
{
    struct diff *d = w->d;
    const struct program *left = &d->a.m->programs.at[a], *right = &d->b.m->programs.at[b];
    for (u32 i = 0; i < left->n_lets; i++) {
        const struct let *l = &d->a.m->lets.at[left->lets + i];
        if (l->jaxpr != NONE)
            *diff_cache_find(d->mem, &w->known, let_key(&d->a, l)) = 1;
    }
    for (u32 i = 0; i < right->n_lets; i++) {
        const struct let *l = &d->b.m->lets.at[right->lets + i];
        if (l->jaxpr != NONE && !*diff_cache_find(d->mem, &w->known, let_key(&d->b, l)))
            memo_set(d->mem, &w->lets, l->jaxpr, right->lets + i + 1ull);
    }
}

/* marks the lets among the programs of an equation as printed, and queues all its programs for the search */
static void
take_equation(struct sharing *w, eqn_t e)
{
    const struct module *m = w->d->b.m;
    struct nested h = nested_start(m, e);
    for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;) {
        u64 let = memo_get(&w->lets, j);
        if (let != 0 && memo_get(&w->shown, (u32)let - 1))
            continue;
        if (let != 0)
            memo_set(w->d->mem, &w->shown, (u32)let - 1, 1);
        if (let != 0 || m->jaxprs.at[j].parent != NONE)
            *vec_push(w->d->mem, &w->todo) = j;
    }
}

/* whether the equation of the right was added, has another primitive, or has programs that the left lacks */
static bool
holds_new(const struct diff *d, const struct diff_item *item)
{
    bool new = item->kind == DIFF_ADDED;
    for (u32 i = 0; i < item->n_changes && item->kind == DIFF_CHANGED; i++) {
        enum diff_what what = d->changes.at[item->changes + i].what;
        new |= what == WHAT_PRIMITIVE || what == WHAT_PROGRAM;
    }
    return new;
}

/* the equation of the first visible difference, if only the right has it, or has something in it; else NONE */
static eqn_t
first_added(const struct diff *d, u32 pair)
{
    u32 i = 0;
    while (i < d->pairs.at[pair].n_items) {
        const struct diff_item *item = &d->items.at[d->pairs.at[pair].items + i++];
        if (item->quiet)
            continue;
        if (item->kind == DIFF_INSIDE) {
            pair = d->inners.at[item->inners].pair;
            i = 0;
        } else if (item->kind != DIFF_SAME && item->kind != DIFF_RETYPED) {
            return holds_new(d, item) ? item->b : NONE;
        }
    }
    return NONE;
}

void
diff_shared(struct diff *d, program_t a, program_t b, u32 pair, u32 first)
{
    struct sharing w = {.d = d};
    const struct program *right = &d->b.m->programs.at[b];
    d->pairs.at[pair].lets = d->lets.n;
    if (right->n_lets == 0)
        return;
    find_lets(&w, a, b);
    eqn_t only = d->first ? first_added(d, pair) : NONE;
    if (only != NONE)
        take_equation(&w, only);
    for (u32 i = first; i < d->items.n && !d->first; i++)
        if (holds_new(d, &d->items.at[i]))
            take_equation(&w, d->items.at[i].b);
    while (w.todo.n > 0) {
        jaxpr_t j = w.todo.at[--w.todo.n];
        for (eqn_t e = d->b.m->jaxprs.at[j].eqns; e != NONE; e = d->b.m->eqns.at[e].next)
            take_equation(&w, e);
    }
    for (u32 i = 0; i < right->n_lets; i++)
        if (memo_get(&w.shown, right->lets + i))
            *vec_push(d->mem, &d->lets) = diff_let_text(&d->b, right->lets + i);
    d->pairs.at[pair].n_lets = d->lets.n - d->pairs.at[pair].lets;
    mem_free_all(d->mem, w.lets.slots, w.known.at, w.shown.slots, w.todo.at);
}
