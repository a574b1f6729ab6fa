/* SPDX-License-Identifier: Apache-2.0
 *
 * A cache of parameter lists: nine of ten lists of a real program are byte-equal to a recent list of the same
 * primitive. The parameters of a list depend only on its bytes, the primitive and the column of its equation, so they
 * are copied. Lists with programs or findings are not cached, nor those with unbalanced brackets, whose end depends on
 * what follows. A table with one list in each slot; a look-up is linear in the bytes of the list. */
#include "parse/param_lists.h"

#include "base/value.h"
#include "parse/build.h"

enum { LONGEST_HEAD = 512, LONGEST_LIST = 4096, MOST_PARAMS = 32, LEAST_BITS = 4, MOST_BITS = 12 };

/* a list, from its `[` to its `]`; its parameters are copied, since passes may edit those of the module */
struct param_list {
    u64 hash;
    u32 at, n; /* n is 0: an empty slot */
    name_t prim;
    u32 column;          /* the column of its equation */
    u32 first, n_params; /* in param_lists.params */
    u32 shared;          /* the parameter that may name a shared program, or NONE */
    bool lines;          /* it contains line ends */
};

/* a hash of the list's bytes up to its first `]`, and of its primitive; 0 if that is too far away */
static u64
list_hash(const struct token_source *f, name_t prim, const char *open)
{
    size_t left = (size_t)(f->end - open);
    const char *close = memchr(open, ']', left < LONGEST_HEAD ? left : LONGEST_HEAD);
    return close ? hash_bytes(f->m->names.seed ^ prim, open, (size_t)(close - open)) | 1 : 0;
}

void
param_list_open(struct token_source *f, name_t prim, const char *open)
{
    const struct module *m = f->m;
    f->lists.begun = (struct list_begun){
        list_hash(f, prim, open), offset_of(f, open), prim,     m->params.n, m->segments.n, m->jaxprs.n, m->comments.n,
        f->diags->total,          f->build.shared.n,  f->errors};
}

/* makes an empty table, as large as the text may need */
static void
make_table(struct token_source *f)
{
    struct param_lists *t = &f->lists;
    u32 bits = LEAST_BITS;
    while (bits < MOST_BITS && f->m->text.n >> (bits + 8))
        bits++;
    t->slots = mem_zeroed(f->m->mem, sizeof *t->slots << bits);
    t->shift = 64 - bits;
}

/* true if the list that closes before `end` contains only text values */
static bool
is_plain(const struct token_source *f, const struct list_begun *b)
{
    const struct module *m = f->m;
    u32 n = m->params.n - b->params;
    if (b->hash == 0 || n == 0 || n > MOST_PARAMS || m->eqns.at[last_eqn(f)].params != b->params ||
        m->eqns.at[last_eqn(f)].form != EQN_CALL || m->segments.n != b->segments || m->jaxprs.n != b->jaxprs ||
        m->comments.n != b->comments || f->diags->total != b->findings || f->errors != b->errors ||
        f->build.shared.n > b->shared + 1)
        return false;
    for (param_t p = b->params; p < m->params.n; p++)
        if (m->params.at[p].a != NONE)
            return false;
    return true;
}

void
param_list_close(struct token_source *f)
{
    struct module *m = f->m;
    struct param_lists *t = &f->lists;
    const struct list_begun *b = &f->lists.begun;
    u32 end = offset_of(f, f->resume), n = m->params.n - b->params;
    if (last_eqn(f) == NONE || !f->resume || !is_plain(f, b))
        return;
    if (f->build.shared.n == b->shared)
        m->eqns.at[last_eqn(f)].list = LIST_TEXTS;
    if (end - b->at > LONGEST_LIST || f->begin[end - 1] != ']' ||
        value_find(f->begin + b->at + 1, f->begin + end, "]") != f->begin + end - 1)
        return;
    if (!t->slots)
        make_table(f);
    struct param_list *slot = &t->slots[b->hash >> t->shift];
    bool fits = slot->n && slot->n_params >= n;
    u32 first = fits ? slot->first : t->params.n;
    if (!fits)
        (void)vec_push_n(m->mem, &t->params, n);
    *slot = (struct param_list){b->hash,
                                b->at,
                                end - b->at,
                                b->prim,
                                top_frame(f)->column,
                                first,
                                n,
                                f->build.shared.n > b->shared ? f->build.shared.at[b->shared].param - b->params : NONE,
                                memchr(f->begin + b->at, '\n', end - b->at) != NULL};
    memcpy(&t->params.at[first], &m->params.at[b->params], n * sizeof *m->params.at);
}

const char *
param_list_before(struct token_source *f, name_t prim, const char *open)
{
    const struct param_lists *t = &f->lists;
    u64 hash = t->slots ? list_hash(f, prim, open) : 0;
    const struct param_list *slot = hash ? &t->slots[hash >> t->shift] : NULL;
    if (!slot || slot->hash != hash || slot->n > (size_t)(f->end - open) || slot->prim != prim ||
        slot->column != top_frame(f)->column || memcmp(open, f->begin + slot->at, slot->n) != 0)
        return NULL;
    f->lists.found = slot;
    f->lists.found_at = offset_of(f, open);
    return open + slot->n;
}

const char *
param_list_line(const struct param_list *list, const char *open)
{
    return list->lines ? (const char *)memrchr(open, '\n', list->n) + 1 : NULL;
}

void
param_list_build(struct token_source *f)
{
    struct module *m = f->m;
    const struct param_list *list = f->lists.found;
    const struct param *from = &f->lists.params.at[list->first];
    u32 first = m->params.n, moved = f->lists.found_at - list->at;
    struct param *to = vec_push_n(m->mem, &m->params, list->n_params);
    for (u32 i = 0; i < list->n_params; i++) {
        to[i] = from[i];
        to[i].span.at += moved;
        to[i].next = first + i + 1;
    }
    to[list->n_params - 1].next = NONE;
    m->eqns.at[last_eqn(f)].params = first;
    if (unlikely(list->shared != NONE))
        remember_shared(f, first + list->shared, NONE);
    else
        m->eqns.at[last_eqn(f)].list = LIST_REPEATED;
    f->lists.found = NULL;
}

void
param_lists_free(struct token_source *f)
{
    mem_free(f->m->mem, f->lists.slots);
    vec_free(f->m->mem, &f->lists.params);
}
