/* SPDX-License-Identifier: Apache-2.0
 *
 * Which jaxprs are hoisted: those that a breadth-first walk, which follows every parameter at each visit, visits
 * twice (two visits of a jaxpr suffice); from 0.10.2 also those of more than ten equations. A let is named by the
 * `name` of the first equation with its jaxpr, and numbered where that is taken. Up to 0.10.0 names are registered
 * one by one, so that what is hoisted later is printed in full inside earlier ones. Linear except for those copies,
 * which are bounded. */
#include "rewrite/copy.h"
#include "ir/reach.h"
#include "prims/prims.h"
#include "rewrite/rewrite.h"

#include "base/chars.h"
#include "base/lexical.h"
#include "base/memo.h"

enum { COPIES = 16 };

struct sharing {
    struct module *m;
    bool legible; /* names programs only where the name can be read back */
    bool every;   /* hoists all jaxprs except the main one */
    struct version_range versions;
    program_t program;
    jaxpr_t main;
    struct memo visits; /* by jaxpr: the number of its occurrences, at most 2 */
    struct memo names;  /* by jaxpr: the index of its name in spans, plus one */
    struct memo lets;   /* by hoisted jaxpr: its let, plus one, once it is registered */
    VEC(struct span) spans;
    VEC(jaxpr_t) queue, reached, hoisted;
    VEC(u32) unused_lets; /* unused lets of the text */
};

/* whether a jaxpr is long enough to be hoisted although it occurs once */
static bool
is_long(const struct sharing *s, jaxpr_t j)
{
    return range_has(s->versions, JAX_LONG_JAXPRS_HOISTED) && s->m->jaxprs.at[j].n_eqns > LONG_JAXPR;
}

static struct slice
strip_angles(struct slice s)
{
    while (s.n && (s.at[0] == '<' || s.at[0] == '>')) {
        s.at++;
        s.n--;
    }
    while (s.n && (s.at[s.n - 1] == '<' || s.at[s.n - 1] == '>'))
        s.n--;
    return s;
}

/* whether `let NAME = {` would be read as a definition, and `jaxpr=NAME` as its use: values, such as `f(x=[1])`, True
 * and numbers, would not, nor would what does not begin like a word */
static bool
can_be_bound(struct slice name)
{
    if (name.n == 0 || !(is_word_start(name.at[0]) || (u8)name.at[0] >= 0x80) || is_python_constant(name))
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (memchr("={}()[],;'\"\n", name.at[i], 12))
            return false;
    return true;
}

/* the index of the equation's `name` among the spans plus one, or 0. The `name` that custom derivatives print is not a
 * parameter */
static u64
eqn_name(struct sharing *s, eqn_t e)
{
    struct module *m = s->m;
    param_t p = eqn_param(m, e, SLICE("name"));
    if (p == NONE || m->params.at[p].kind != PARAM_TEXT || prim_is(m, e, SLICE("custom_jvp_call")) ||
        prim_is(m, e, SLICE("custom_vjp_call")))
        return 0;
    struct span span = m->params.at[p].span;
    struct slice whole = module_bytes(m, span), name = strip_angles(whole);
    if (!can_be_bound(name))
        return 0;
    *vec_push(m->mem, &s->spans) = (struct span){span.at + (u32)(name.at - whole.at), (u32)name.n};
    return s->spans.n;
}

/* whether names of an equation's programs can be read back: a word is read as the name of a program only under some
 * keys, see parse/build_value.c; JAX prints them under any */
static bool
is_legible(const struct module *m, eqn_t e)
{
    struct name_buffer buffer;
    struct slice prim = module_name(m, m->eqns.at[e].prim, &buffer);
    if (prim.n && prim.at[0] >= 'A' && prim.at[0] <= 'Z')
        return true;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        if (param->kind != PARAM_JAXPR && (param->kind != PARAM_TUPLE || param->a == NONE))
            continue;
        if (!key_holds_programs(module_name(m, param->key, &buffer)))
            return false;
    }
    return true;
}

static void
push_held(struct sharing *s, eqn_t e)
{
    struct module *m = s->m;
    u32 first = s->queue.n;
    u64 name = 0;
    /* a pasted print has shared programs of its own */
    struct nested h = nested_start(m, e);
    for (jaxpr_t j; (j = nested_unpasted(m, &h)) != NONE;) {
        if (s->queue.n == first)
            name = eqn_name(s, e);
        *vec_push(m->mem, &s->queue) = j;
        if (name && !memo_get(&s->names, j))
            memo_set(m->mem, &s->names, j, name);
    }
    if (s->queue.n == first + 2 &&
        eqn_columns(m, e)->control == CONTROL_WHILE) { /* JAX has cond_jaxpr before body_jaxpr */
        jaxpr_t body = s->queue.at[first];
        s->queue.at[first] = s->queue.at[first + 1];
        s->queue.at[first + 1] = body;
    }
}

/* true if a program is pasted into a parameter of the equation: JAX visits the jaxprs in it, and hoists those that
 * occur twice, even if unused */
static bool
holds_print(const struct module *m, eqn_t e)
{
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next)
        for (u32 s = m->params.at[p].kind == PARAM_MIXED ? m->params.at[p].a : NONE; s != NONE;
             s = m->segments.at[s].next)
            if (m->segments.at[s].kind == SEGMENT_PROGRAM)
                return true;
    return false;
}

/* the name of a let without the number that JAX appended to a duplicate */
static struct span
let_stem(const struct module *m, const struct program *p, const struct let *let)
{
    struct slice name = module_bytes(m, let->name);
    size_t n = name.n;
    while (n > 1 && name.at[n - 1] >= '0' && name.at[n - 1] <= '9')
        n--;
    for (u32 i = 0; i < p->opened && n < name.n; i++)
        if (slice_eq(module_bytes(m, m->lets.at[p->lets + i].name), (struct slice){name.at, n}))
            return (struct span){let->name.at, (u32)n};
    return let->name;
}

/* visits lets that are unused in the text with the programs of the first pasted print: once if that is enough to hoist
 * them, else twice */
static void
push_unused_lets(struct sharing *s)
{
    struct module *m = s->m;
    for (u32 i = 0; i < s->unused_lets.n; i++) {
        const struct let *let = &m->lets.at[s->unused_lets.at[i]];
        *vec_push(m->mem, &s->spans) = let_stem(m, &m->programs.at[s->program], let);
        memo_set(m->mem, &s->names, let->jaxpr, s->spans.n);
        *vec_push(m->mem, &s->queue) = let->jaxpr;
        if (!is_long(s, let->jaxpr))
            *vec_push(m->mem, &s->queue) = let->jaxpr;
    }
    s->unused_lets.n = 0;
}

static void
count_visits(struct sharing *s)
{
    struct module *m = s->m;
    s->queue.n = s->reached.n = 0;
    memo_free(m->mem, &s->visits);
    *vec_push(m->mem, &s->queue) = s->main;
    for (u32 head = 0; head < s->queue.n; head++) {
        jaxpr_t j = s->queue.at[head];
        u64 visits = j == NONE ? 2 : memo_get(&s->visits, j);
        if (j == NONE)
            push_unused_lets(s);
        if (visits == 2)
            continue;
        if (visits == 0)
            *vec_push(m->mem, &s->reached) = j;
        memo_set(m->mem, &s->visits, j, visits + 1);
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            if (m->eqns.at[e].params != NONE)
                push_held(s, e);
            if (s->unused_lets.n && holds_print(m, e))
                *vec_push(m->mem, &s->queue) = NONE; /* marks where the programs of the pasted print are visited */
        }
    }
}

/* decides which of the visited jaxprs are hoisted */
static void
choose(struct sharing *s)
{
    struct module *m = s->m;
    for (u32 i = 0; i < s->reached.n; i++) {
        jaxpr_t j = s->reached.at[i];
        if (memo_get(&s->visits, j) == 2 || (j != s->main && (s->every || is_long(s, j))))
            *vec_push(m->mem, &s->hoisted) = j;
    }
}

struct counts {
    u32 *at;
    u32 n, cap;
};

/* a counter of the lets with this name */
static u32 *
count_of(struct module *m, struct names *table, struct counts *counts, struct slice name)
{
    name_t id = names_intern_other(m->mem, table, name) - NAME_OTHER;
    if (id == counts->n)
        *vec_push(m->mem, counts) = 0;
    return &counts->at[id];
}

/* makes the lets, with their names; none is registered yet */
static void
make_shared(struct sharing *s)
{
    struct module *m = s->m;
    struct names table;
    struct counts counts = {0};
    names_init(m->mem, &table, 0);
    for (u32 i = 0; i < s->hoisted.n; i++) {
        u64 named = memo_get(&s->names, s->hoisted.at[i]);
        struct slice name = named ? module_bytes(m, s->spans.at[named - 1]) : SLICE("jaxpr");
        u32 count = *count_of(m, &table, &counts, name);
        ++*count_of(m, &table, &counts, name);
        if (count > 0) {
            name = arena_printf(m->mem, "%.*s%u", (int)name.n, name.at, count);
            ++*count_of(m, &table, &counts, name);
        }
        struct span span = module_add_bytes(m, name);
        *vec_push(m->mem, &m->lets) = (struct let){.name = span, .jaxpr = s->hoisted.at[i], .offset = NONE};
    }
    mem_free_all(m->mem, counts.at, table.others.at, table.slots);
}

static void
name_params(struct sharing *s, eqn_t e)
{
    struct module *m = s->m;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct param *param = &m->params.at[p];
        u64 let = param->kind == PARAM_JAXPR ? memo_get(&s->lets, param->a) : 0;
        if (let) {
            param->kind = PARAM_SHARED;
            param->a = (u32)let - 1;
            param->span = m->lets.at[let - 1].name;
            m->lets.at[let - 1].references++;
        }
        for (u32 i = param->kind == PARAM_TUPLE ? param->a : NONE; i != NONE; i = m->segments.at[i].next) {
            struct segment *segment = &m->segments.at[i];
            let = segment->kind == SEGMENT_JAXPR ? memo_get(&s->lets, segment->a) : 0;
            if (!let)
                continue;
            segment->kind = SEGMENT_SHARED;
            segment->a = (u32)let - 1;
            segment->span = m->lets.at[let - 1].name;
            m->lets.at[let - 1].references++;
        }
    }
}

/* replaces every use of a hoisted jaxpr by its name */
static void
name_everywhere(struct sharing *s, u32 lets)
{
    struct module *m = s->m;
    for (u32 i = 0; i < s->hoisted.n; i++)
        memo_set(m->mem, &s->lets, s->hoisted.at[i], (u64)lets + i + 1);
    for (u32 i = 0; i < s->reached.n; i++)
        for (eqn_t e = m->jaxprs.at[s->reached.at[i]].eqns; e != NONE; e = m->eqns.at[e].next)
            if (m->eqns.at[e].params != NONE && (!s->legible || is_legible(m, e)))
                name_params(s, e);
}

/* removes lets that are used only where their names would not be read as names of programs */
static void
drop_unnamed(struct sharing *s, u32 lets)
{
    struct module *m = s->m;
    struct memo moved = {0};
    u32 kept = lets;
    for (u32 i = lets; i < m->lets.n; i++)
        if (m->lets.at[i].references > 0) {
            memo_set(m->mem, &moved, i, kept);
            m->lets.at[kept++] = m->lets.at[i];
        }
    bool gone = kept < m->lets.n;
    m->lets.n = kept;
    for (u32 i = 0; i < s->reached.n && gone; i++)
        for (eqn_t e = m->jaxprs.at[s->reached.at[i]].eqns; e != NONE; e = m->eqns.at[e].next)
            for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
                struct param *param = &m->params.at[p];
                if (param->kind == PARAM_SHARED && param->a >= lets && param->a != NONE)
                    param->a = (u32)memo_get(&moved, param->a);
                for (u32 k = param->kind == PARAM_TUPLE ? param->a : NONE; k != NONE; k = m->segments.at[k].next)
                    if (m->segments.at[k].kind == SEGMENT_SHARED && m->segments.at[k].a >= lets &&
                        m->segments.at[k].a != NONE)
                        m->segments.at[k].a = (u32)memo_get(&moved, m->segments.at[k].a);
            }
    memo_free(m->mem, &moved);
}

/* ---- up to 0.10.0 ---- */

struct unfolding {
    struct sharing *s;
    struct copier copier;
    VEC(jaxpr_t) fresh; /* copies whose parameters still point at the originals */
    u64 budget;         /* equations that may still be copied */
    bool stop;
};

static jaxpr_t
copy_jaxpr(void *user, jaxpr_t from)
{
    struct unfolding *u = user;
    struct module *m = u->s->m;
    if (memo_get(&u->s->lets, from) || u->stop)
        return from;
    u32 n = m->jaxprs.at[from].n_eqns + 1;
    if (n > u->budget) {
        u->stop = true;
        return from;
    }
    u->budget -= n;
    jaxpr_t to = copy_begin(&u->copier, from, NULL);
    for (eqn_t e = m->jaxprs.at[from].eqns; e != NONE; e = m->eqns.at[e].next) {
        param_t first = NONE, last = NONE;
        for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
            param_t copy = copy_param(m, p, &last);
            first = first == NONE ? copy : first;
        }
        copy_eqn(&u->copier, to, e, NULL, NULL, first);
    }
    copy_outs(&u->copier, to, from, NULL);
    *vec_push(m->mem, &u->fresh) = to;
    *vec_push(m->mem, &u->s->reached) = to;
    return to;
}

/* a copy of a jaxpr in which registered programs are named and others printed in full */
static jaxpr_t
unfold(struct unfolding *u, jaxpr_t root)
{
    struct module *m = u->s->m;
    jaxpr_t copy = copy_jaxpr(u, root);
    while (u->fresh.n) {
        jaxpr_t j = u->fresh.at[--u->fresh.n];
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next)
                param_change(m, p, copy_jaxpr, u);
            if (!u->s->legible || is_legible(m, e))
                name_params(u->s, e);
        }
    }
    return copy;
}

/* makes lets as if names were registered one by one; false if the text would be too long */
static bool
name_one_by_one(struct sharing *s, u32 lets)
{
    struct module *m = s->m;
    struct unfolding u = {.s = s};
    const u32 reached = s->reached.n;
    u64 size = 4096;
    for (u32 i = 0; i < reached; i++)
        size += (u64)COPIES * (m->jaxprs.at[s->reached.at[i]].n_eqns + 1);
    u.budget = size;
    copier_init(&u.copier, m);
    VEC(jaxpr_t) copies = {0};
    for (u32 i = 0; i < s->hoisted.n && !u.stop; i++) {
        jaxpr_t copy = unfold(&u, s->hoisted.at[i]);
        *vec_push(m->mem, &copies) = copy;
        memo_set(m->mem, &s->lets, s->hoisted.at[i], (u64)lets + i + 1);
    }
    if (!u.stop) {
        jaxpr_t main = unfold(&u, s->main);
        for (u32 i = 0; i < copies.n && !u.stop; i++)
            m->lets.at[lets + i].jaxpr = copies.at[i];
        if (!u.stop)
            s->main = main;
    }
    bool done = !u.stop;
    s->reached.n = done ? s->reached.n : reached;
    for (u32 i = 0; i < s->hoisted.n && !done; i++) {
        memo_set(m->mem, &s->lets, s->hoisted.at[i], 0);
        m->lets.at[lets + i] =
            (struct let){.name = m->lets.at[lets + i].name, .jaxpr = s->hoisted.at[i], .offset = NONE};
    }
    copier_end(&u.copier);
    vec_free(m->mem, &u.fresh);
    vec_free(m->mem, &copies);
    return done;
}

void
share_program(struct module *m, program_t program, struct version_range versions, bool legible, bool every)
{
    struct sharing s = {.m = m,
                        .legible = legible,
                        .every = every,
                        .versions = versions,
                        .program = program,
                        .main = m->programs.at[program].main};
    u32 lets = m->lets.n;
    if (s.main == NONE || range_lacks(versions, JAX_JAXPRS_SHARED))
        return;
    count_visits(&s);
    const struct program *before = &m->programs.at[program];
    for (u32 i = 0; i < before->opened && !legible; i++)
        if (m->lets.at[before->lets + i].references == 0 && !memo_get(&s.visits, m->lets.at[before->lets + i].jaxpr))
            *vec_push(m->mem, &s.unused_lets) = before->lets + i;
    if (s.unused_lets.n)
        count_visits(&s);
    choose(&s);
    if (s.hoisted.n) {
        make_shared(&s);
        if (range_has(versions, JAX_NAMES_AHEAD) || !name_one_by_one(&s, lets))
            name_everywhere(&s, lets);
        if (legible)
            drop_unnamed(&s, lets);
    }
    struct program *p = &m->programs.at[program];
    p->main = s.main;
    p->lets = lets;
    p->n_lets = m->lets.n - lets;
    mem_free_all(m->mem, s.visits.slots, s.names.slots, s.lets.slots, s.spans.at, s.unused_lets.at, s.queue.at,
                 s.reached.at, s.hoisted.at);
}

bool
unshare_program(struct module *m, program_t program)
{
    struct sharing s = {.m = m, .main = m->programs.at[program].main};
    struct unfolding u = {.s = &s, .budget = (u64)COPIES * (m->eqns.n + 1) + 4096};
    if (s.main == NONE)
        return true;
    copier_init(&u.copier, m);
    jaxpr_t main = unfold(&u, s.main);
    if (!u.stop)
        m->programs.at[program].main = main;
    copier_end(&u.copier);
    vec_free(m->mem, &u.fresh);
    return !u.stop;
}
