/* SPDX-License-Identifier: Apache-2.0
 *
 * Making and walking modules. The walk keeps its own stack, so depth costs memory and nothing else. */
#include "ir/module.h"

#include "base/chars.h"
#include "base/value.h"

void
module_init(struct module *m, struct mem *mem, struct text text)
{
    *m = (struct module){.mem = mem, .text = text};
    /* the limit of arrays indexed by numerals: half the size of the text, plus all names of up to two letters */
    u32 limit = m->text.n / 2 + 26 * 26;
    names_init(mem, &m->names, limit);
    types_init(&m->types, mem, &m->names);
}

void
module_reset(struct module *m)
{
    struct text text = m->text;
    bool no_fast_path = m->no_fast_path;
    mem_free_all(m->mem, m->vars.at, m->atoms.at, m->uses.at, m->pieces.at, m->literals.at, m->refs.at, m->eqns.at,
                 m->params.at, m->segments.at, m->jaxprs.at, m->comments.at, m->statements.slots);
    module_init(m, m->mem, text);
    m->no_fast_path = no_fast_path;
}

u32
module_count_programs(const struct module *m)
{
    u32 n = 0;
    for (program_t p = 0; p < m->programs.n; p++)
        n += !m->programs.at[p].pasted;
    return n;
}

struct span
module_add_bytes(struct module *m, struct slice bytes)
{
    struct span s = {m->text.n + TEXT_PADDING + m->extra.n, (u32)bytes.n};
    if (m->extra.cap - m->extra.n < bytes.n) {
        const char *before = m->extra.at; /* not freed: slices of it stay valid, and `bytes` may be one */
        m->extra.at = vec_grow(m->mem, NULL, m->extra.n, &m->extra.cap, bytes.n, 1);
        if (m->extra.n > 0)
            memcpy(m->extra.at, before, m->extra.n);
    }
    vec_append(m->mem, &m->extra, bytes.at, bytes.n);
    return s;
}

name_t
module_intern(struct module *m, struct slice name)
{
    name_t id = names_find(&m->names, name);
    return id != NONE ? id : names_intern_other(m->mem, &m->names, arena_copy(m->mem, name));
}

void
jaxpr_copied_from(struct module *m, jaxpr_t copy, jaxpr_t from)
{
    struct span effects = jaxpr_effects(m, from);
    jaxpr_t origin = jaxpr_origin(m, from);
    memo_set(m->mem, &m->copied, copy, (u64)(origin == NONE ? from : origin) + 1);
    if (effects.at != NONE)
        jaxpr_set_effects(m, copy, effects);
    if (memo_get(&m->dim_names, from))
        memo_set(m->mem, &m->dim_names, copy, memo_get(&m->dim_names, from));
    if (memo_get(&m->unprinted, from))
        memo_set(m->mem, &m->unprinted, copy, 1);
}

var_t
var_read(const struct module *m, var_t v, u32 known)
{
    while (v >= known) {
        var_t origin = var_origin(m, v), like = (var_t)memo_get(&m->likes, v) - 1, before = origin != v ? origin : like;
        if (before >= v) /* including NONE */
            return NONE;
        v = before;
    }
    return v;
}

param_t
eqn_param(const struct module *m, eqn_t e, struct slice key)
{
    struct name_buffer buffer;
    u32 left = MOST_KEYS;
    for (param_t p = m->eqns.at[e].params; p != NONE && left > 0; p = m->params.at[p].next, left--)
        if (m->params.at[p].key != NONE && slice_eq(module_name(m, m->params.at[p].key, &buffer), key))
            return p;
    return NONE;
}

bool
eqn_value(const struct module *m, eqn_t e, struct slice key, struct slice *value)
{
    param_t p = eqn_param(m, e, key);
    if (p != NONE)
        *value = value_trim(param_bytes(m, &m->params.at[p]));
    return p != NONE;
}

const char *
raw_params_end(const char *p, const char *end)
{
    enum { LONGEST = 4096 }; /* limited so that text that is not such a list costs linear time */
    if (p == end || *p != '[')
        return p;
    const char *key = p + 1;
    while (key < end && is_blank(*key))
        key++;
    const char *q = key;
    while (q < end && is_word_char(*q))
        q++;
    if (q == key || q == end || *q != '=')
        return p;
    struct slice list = {p, (size_t)(end - p < LONGEST ? end - p : LONGEST)};
    size_t close = bracket_end(list, 0);
    return close < list.n && !memchr(p, '{', close) ? p + close + 1 : p;
}

u32
vars_numerals(struct module *m)
{
    for (; m->counted < m->vars.n; m->counted++)
        if (m->vars.at[m->counted].name < NAME_OTHER && m->vars.at[m->counted].name >= m->top_numeral)
            m->top_numeral = m->vars.at[m->counted].name + 1;
    return m->top_numeral;
}

bool
vars_dynamic(const struct module *m, var_t first, u32 n)
{
    for (u32 i = 0; i < n && m->types.dynamic; i++) {
        type_t type = m->vars.at[first + i].type;
        if (type != NONE && type_get(&m->types, type)->dynamic)
            return true;
    }
    return false;
}

u32
comment_at(const struct module *m, u32 offset)
{
    return vec_before(&m->comments, offset);
}

u32
program_around(const struct module *m, const program_t *programs, u32 n, u32 offset)
{
    u32 low = 0, high = n;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (m->programs.at[programs[middle]].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && m->programs.at[programs[low]].offset <= offset ? low : NONE;
}

static void
push_program(struct walk *w, const struct program *p)
{
    for (u32 i = 0; i < p->n_lets; i++)
        *vec_push(w->mem, &w->stack) = w->m->lets.at[p->lets + i].jaxpr;
    *vec_push(w->mem, &w->stack) = p->main;
}

/* reverses the entries pushed since the stack had `base` entries */
static void
turn_over(struct walk *w, u32 base)
{
    for (u32 lo = base, hi = w->stack.n; lo + 1 < hi; lo++, hi--) {
        jaxpr_t swap = w->stack.at[lo];
        w->stack.at[lo] = w->stack.at[hi - 1];
        w->stack.at[hi - 1] = swap;
    }
}

void
walk_start(struct walk *w, const struct module *m, jaxpr_t root)
{
    *w = (struct walk){.m = m, .mem = m->mem};
    *vec_push(w->mem, &w->stack) = root;
}

void
walk_start_program(struct walk *w, const struct module *m, const struct program *p)
{
    *w = (struct walk){.m = m, .mem = m->mem};
    push_program(w, p);
    turn_over(w, 0);
}

static void
push_param(struct walk *w, const struct param *p)
{
    if (p->kind == PARAM_JAXPR)
        *vec_push(w->mem, &w->stack) = p->a;
    if (p->kind != PARAM_TUPLE && p->kind != PARAM_MIXED)
        return;
    for (u32 s = p->a; s != NONE; s = w->m->segments.at[s].next) {
        const struct segment *segment = &w->m->segments.at[s];
        if (segment->kind == SEGMENT_JAXPR)
            *vec_push(w->mem, &w->stack) = segment->a;
        else if (segment->kind == SEGMENT_PROGRAM)
            push_program(w, &w->m->programs.at[segment->a]);
    }
}

jaxpr_t
walk_next(struct walk *w)
{
    jaxpr_t j = NONE;
    mem_poll(w->mem);
    while (j == NONE) {
        if (w->stack.n == 0)
            return NONE;
        j = w->stack.at[--w->stack.n];
    }
    u32 base = w->stack.n;
    for (eqn_t e = w->m->jaxprs.at[j].eqns; (e = eqn_with_params(w->m, e)) != NONE; e = w->m->eqns.at[e].next)
        for (param_t p = w->m->eqns.at[e].params; p != NONE; p = w->m->params.at[p].next)
            push_param(w, &w->m->params.at[p]);
    turn_over(w, base);
    return j;
}

void
walk_end(struct walk *w)
{
    vec_free(w->mem, &w->stack);
}

bool
swap_has_type(const struct module *m, const struct eqn *e, type_t type)
{
    atom_t value = e->n_atoms > 1 ? m->atoms.at[e->atoms + 1] : ATOM_NAME;
    type_t put = atom_type(m, value);
    if (type == NONE || put == type)
        return true;
    if (atom_kind(value) != ATOM_LIT || put != NONE)
        return false;
    const struct type *out = type_array(m, type),
                      *ref = type_array(m, atom_type(m, atom_without_index(m, m->atoms.at[e->atoms])));
    return out == NULL || ref == NULL || (out->rank == 0 && out->dtype == ref->dtype); /* a number is stored in one
                                                                                        * element */
}

struct span
param_key_span(const struct module *m, param_t p)
{
    const struct param *param = &m->params.at[p];
    struct span value = param->span;
    struct name_buffer buffer;
    struct slice key = param->key == NONE ? SLICE("") : module_name(m, param->key, &buffer);
    if (!key.n || value.at > m->text.n)
        return value;
    const char *at = m->text.at + value.at;
    while (at > m->text.at && (is_blank(at[-1]) || at[-1] == '='))
        at--;
    if ((size_t)(at - m->text.at) < key.n || memcmp(at - key.n, key.at, key.n) != 0)
        return value;
    return (struct span){(u32)(at - key.n - m->text.at), (u32)key.n};
}
