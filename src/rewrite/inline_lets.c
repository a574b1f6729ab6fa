/* SPDX-License-Identifier: Apache-2.0
 *
 * Removes lets. Up to 0.10.0 JAX registers shared jaxprs one by one while it prints them, so that one printed early
 * contains later ones in full, under the same variable names: a jaxpr inside a let with the text of a later let,
 * including names, is that let; where the later one names a let registered in between, the earlier one has it in
 * full. Copies inside lets that no let matches any more, because the text was edited, are one jaxpr, too: otherwise
 * each would become a let. Comparing texts is bounded by a multiple of the program's length. */
#include "ir/reach.h"
#include "rewrite/copy.h"
#include "rewrite/rewrite.h"

#include "base/chars.h"
#include "base/memo.h"

enum { WORK = 8, STEP = 8 };

/* A let: the next one with the same head, NONE if it is the last, and how many parameters name it. */
struct candidate {
    u32 after, named;
};

/* A jaxpr inside a let that no let matches: the one before with the same head, NONE if it is the first. */
struct unmatched {
    jaxpr_t jaxpr;
    u32 before;
};

struct opening {
    struct module *m;
    struct memo heads;            /* by the hash of a beginning: the first let that begins so, plus one */
    VEC(struct candidate) lets;   /* from the last to the first */
    struct memo copied;           /* by the hash of a beginning: the last such jaxpr in `copies`, plus one */
    VEC(struct unmatched) copies; /* all different */
    struct memo names;            /* by the hash of a name: a let, plus one */
    VEC(struct slice) after;      /* the rests of the texts that name the lets being compared */
    u32 last;                     /* the index of the program's last let */
    u32 latest;                   /* the offset at which the last of their programs begins */
    u32 end;                      /* the offset of the main program */
    u64 work;                     /* how many more bytes may be compared, and lets tried */
};

static u32
head_of(const struct module *m, jaxpr_t id)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    u32 vars = jaxpr_binders(j);
    u32 name = vars ? m->vars.at[j->vars].name : 0;
    return ((name * 31 + vars) * 31 + j->n_eqns) & 0x7FFFFFFF;
}

static u32
name_key(struct slice name)
{
    return (u32)hash_slice(0, name) & 0x7FFFFFFF;
}

/* continues in the let that q names, where p prints a program in full; false if it names none */
static bool
enter_named(struct opening *o, const char *p, const char **q, const char **q_end)
{
    const struct module *m = o->m;
    struct slice name = {*q, 0};
    while (name.at + name.n < *q_end && is_word_char(name.at[name.n]))
        name.n++;
    u64 let = *p == '{' && name.n ? memo_get(&o->names, name_key(name)) : 0;
    if (!let || !slice_eq(module_bytes(m, m->lets.at[let - 1].name), name))
        return false;
    const struct jaxpr *named = &m->jaxprs.at[m->lets.at[let - 1].jaxpr];
    const char *after = name.at + name.n;
    *vec_push(m->mem, &o->after) = (struct slice){after, (size_t)(*q_end - after)};
    *q = m->text.at + named->offset;
    *q_end = m->text.at + named->end;
    return true;
}

/* returns to where a let that ends at q was named; false if q is not in one, or it goes on */
static bool
leave_named(struct opening *o, const char **q, const char **q_end)
{
    if (*q < *q_end || !o->after.n)
        return false;
    struct slice after = o->after.at[--o->after.n];
    *q = after.at;
    *q_end = after.at + after.n;
    return true;
}

/* whether a `:` begins a type, `:f32[3]`: `a[0:1,:]` is another index than `a[0,:]`, and `cpu:0` another device than
 * `cpu` */
static bool
begins_type(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && is_word_char(*q))
        q++;
    return q > p + 1 && q < end && !is_digit(p[1]) && memchr("[{<", *q, 3);
}

/* skips a comment or a type in one text, which an edit added or removed in one of two copies; false if there is none */
static bool
skip_edited(const char **p, const char *end)
{
    int depth = 0;
    if (**p == '#' && is_blank((*p)[-1])) {
        const char *line_end = memchr(*p, '\n', (size_t)(end - *p));
        *p = line_end ? line_end : end;
        return true;
    }
    if (**p != ':' || !begins_type(*p, end))
        return false;
    for (; *p < end && (depth > 0 || !memchr(" \n;,.)", **p, 6)); ++*p)
        depth += bracket_step(**p) + (**p == '<') - (**p == '>');
    return true;
}

/* true if two jaxprs have the same text, ignoring whitespace, semicolons, comments and types that one of them lacks;
 * the second one may name lets that the first one prints in full */
static bool
prints_alike(struct opening *o, jaxpr_t a, jaxpr_t b)
{
    const struct jaxpr *x = &o->m->jaxprs.at[a], *y = &o->m->jaxprs.at[b];
    const char *p = o->m->text.at + x->offset, *p_end = o->m->text.at + x->end;
    const char *q = o->m->text.at + y->offset, *q_end = o->m->text.at + y->end;
    const char *from = p;
    o->after.n = 0;
    for (;;) {
        while (p_end - p >= STEP && q_end - q >= STEP && memcmp(p, q, STEP) == 0) { /* most of the text is compared
                                                                                     * here */
            p += STEP;
            q += STEP;
        }
        while (p < p_end && (*p == ' ' || *p == '\n' || *p == ';'))
            p++;
        while (q < q_end && (*q == ' ' || *q == '\n' || *q == ';'))
            q++;
        if (leave_named(o, &q, &q_end))
            continue;
        if (p >= p_end || q >= q_end)
            break;
        if (*p == *q) {
            p++;
            q++;
        } else if (!enter_named(o, p, &q, &q_end) && !skip_edited(&p, p_end) && !skip_edited(&q, q_end)) {
            break;
        }
    }
    u64 spent = (u64)(p - from);
    o->work = o->work > spent ? o->work - spent : 0;
    return p >= p_end && q >= q_end;
}

/* The later let with the same text as a jaxpr, or the jaxpr itself. If there are several: the first that is named once,
 * since it would not be a let if it did not occur a second time, here; else the first of all. */
static jaxpr_t
original(void *user, jaxpr_t j)
{
    struct opening *o = user;
    struct module *m = o->m;
    u64 head = memo_get(&o->heads, head_of(m, j));
    u32 found = NONE;
    if (m->jaxprs.at[j].offset > o->latest)
        return j;
    for (u32 let = head ? (u32)head - 1 : NONE; let != NONE && o->work; o->work -= o->work > 0) {
        struct candidate c = o->lets.at[o->last - let];
        jaxpr_t shared = m->lets.at[let].jaxpr;
        if (shared == j)
            return j;
        bool may_be = m->jaxprs.at[shared].offset > m->jaxprs.at[j].offset && (found == NONE || c.named < 2);
        if (may_be && prints_alike(o, j, shared))
            found = let;
        let = found == let && c.named < 2 ? NONE : c.after;
    }
    if (found == NONE)
        return j;
    m->lets.at[found].references++; /* it occurs here, see share.c */
    return m->lets.at[found].jaxpr;
}

/* the first jaxpr inside a let with the same text as j, which no let matches, or j itself */
static jaxpr_t
first_copy(void *user, jaxpr_t j)
{
    struct opening *o = user;
    struct module *m = o->m;
    u32 head = head_of(m, j);
    u64 last = memo_get(&o->copied, head);
    if (m->jaxprs.at[j].offset >= o->end)
        return j;
    for (u32 i = last ? (u32)last - 1 : NONE; i != NONE; i = o->copies.at[i].before, o->work -= o->work > 0) {
        jaxpr_t copy = o->copies.at[i].jaxpr;
        bool later = m->jaxprs.at[copy].offset > m->jaxprs.at[j].offset;
        if (copy == j || !o->work || prints_alike(o, later ? j : copy, later ? copy : j))
            return copy == j || o->work ? copy : j;
    }
    *vec_push(m->mem, &o->copies) = (struct unmatched){j, last ? (u32)last - 1 : NONE};
    memo_set(m->mem, &o->copied, head, o->copies.n);
    return j;
}

/* makes copies inside lets one jaxpr, beginning with those that contain others; those that only unused lets contain
 * stay apart from those of the main program, since passes change these */
static void
merge_unmatched(struct opening *o, const struct program *p)
{
    struct module *m = o->m;
    struct jaxprs list = {0};
    struct memo seen = {0};
    *vec_push(m->mem, &list) = p->main;
    for (u32 i = 0, let = 0; i < list.n || let < p->n_lets; i++) {
        if (i == list.n) {
            *vec_push(m->mem, &list) = m->lets.at[p->lets + let++].jaxpr;
            if (let == 1)
                memo_free(m->mem, &o->copied);
        }
        if (memo_get(&seen, list.at[i]))
            continue;
        memo_set(m->mem, &seen, list.at[i], 1);
        for (eqn_t e = m->jaxprs.at[list.at[i]].eqns; (e = eqn_with_params(m, e)) != NONE; e = m->eqns.at[e].next) {
            for (param_t v = m->eqns.at[e].params; v != NONE; v = m->params.at[v].next)
                param_change(m, v, first_copy, o);
            struct nested held = nested_start(m, e);
            for (jaxpr_t j; (j = nested_unpasted(m, &held)) != NONE;)
                *vec_push(m->mem, &list) = j;
        }
    }
    mem_free_all(m->mem, list.at, seen.slots);
}

static void
merge_copies(struct module *m, const struct program *p, const struct jaxprs *all)
{
    struct opening o = {.m = m,
                        .last = p->lets + p->n_lets - 1,
                        .end = m->jaxprs.at[p->main].offset,
                        .work = (u64)WORK * (p->end - p->offset) + 4096};
    for (u32 i = p->n_lets; i-- > 0;) {
        jaxpr_t j = m->lets.at[p->lets + i].jaxpr;
        u32 head = head_of(m, j), offset = m->jaxprs.at[j].offset;
        o.latest = offset > o.latest ? offset : o.latest;
        u64 later = memo_get(&o.heads, head);
        *vec_push(m->mem, &o.lets) =
            (struct candidate){later ? (u32)later - 1 : NONE, m->lets.at[p->lets + i].references};
        memo_set(m->mem, &o.heads, head, (u64)p->lets + i + 1);
        memo_set(m->mem, &o.names, name_key(module_bytes(m, m->lets.at[p->lets + i].name)), (u64)p->lets + i + 1);
    }
    for (u32 i = 0; i < all->n; i++)
        for (eqn_t e = m->jaxprs.at[all->at[i]].eqns; (e = eqn_with_params(m, e)) != NONE; e = m->eqns.at[e].next)
            for (param_t v = m->eqns.at[e].params; v != NONE; v = m->params.at[v].next)
                param_change(m, v, original, &o);
    if (!m->types.dynamic) /* names of sizes may mean different variables */
        merge_unmatched(&o, p);
    mem_free_all(m->mem, o.heads.slots, o.lets.at, o.copied.slots, o.copies.at, o.names.slots, o.after.at);
}

static void
open_params(struct module *m, eqn_t e)
{
    for (param_t v = m->eqns.at[e].params; v != NONE; v = m->params.at[v].next) {
        struct param *param = &m->params.at[v];
        if (param->kind == PARAM_SHARED && param->a != NONE) {
            param->kind = PARAM_JAXPR;
            param->a = m->lets.at[param->a].jaxpr;
        }
        for (u32 s = param->kind == PARAM_TUPLE ? param->a : NONE; s != NONE; s = m->segments.at[s].next)
            if (m->segments.at[s].kind == SEGMENT_SHARED && m->segments.at[s].a != NONE) {
                m->segments.at[s].kind = SEGMENT_JAXPR;
                m->segments.at[s].a = m->lets.at[m->segments.at[s].a].jaxpr;
            }
    }
}

/* Variables called `_` that are read are renamed: `_` means that a value is dropped. */
static void
name_read(struct module *m, const struct jaxpr *j, name_t underscore, name_t read)
{
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
            atom_t a = atom_without_index(m, m->atoms.at[m->eqns.at[e].atoms + i]);
            if (atom_kind(a) == ATOM_VAR && m->vars.at[atom_id(a)].name == underscore)
                m->vars.at[atom_id(a)].name = read;
        }
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = m->atoms.at[j->outs + i];
        if (atom_kind(a) == ATOM_VAR && m->vars.at[atom_id(a)].name == underscore)
            m->vars.at[atom_id(a)].name = read;
    }
}

void
open_program(struct module *m, program_t program)
{
    struct program *p = &m->programs.at[program];
    struct jaxprs all = {0};
    if (p->main == NONE)
        return;
    reach_unpasted(m, program, &all);
    if (p->n_lets > 0 && !range_has(program_versions(m, program), JAX_NAMES_AHEAD))
        merge_copies(m, p, &all);
    for (u32 i = 0; i < all.n; i++)
        for (eqn_t e = m->jaxprs.at[all.at[i]].eqns; (e = eqn_with_params(m, e)) != NONE; e = m->eqns.at[e].next)
            open_params(m, e);
    name_t underscore = names_find(&m->names, SLICE("_"));
    for (u32 i = 0; i < all.n && underscore != NONE; i++)
        name_read(m, &m->jaxprs.at[all.at[i]], underscore, module_intern(m, SLICE("_used")));
    vec_free(m->mem, &all);
    p->opened = p->n_lets;
    p->n_lets = 0;
}
