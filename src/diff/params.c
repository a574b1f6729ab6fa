/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between the parameters of two matched equations: values, and the programs among them. Values that jaxpr
 * eq takes as equal are not a difference, however they are spelled; next to a difference they are reported, too, so
 * that hunks contain what the right prints. Linear in the parameters. */
#include "diff/diff.h"

static const struct slice nothing = {"", 0};

/* The printed parameters of an equation. */
struct printed {
    struct diff_side *s;
    eqn_t e;
    struct memo by_key, by_place; /* plus one; by_place: by offset of the value */
};

static struct printed
printed_list(struct diff_side *s, eqn_t e)
{
    struct printed list = {.s = s, .e = e};
    const struct module *m = s->m;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        if (m->params.at[p].key == NONE)
            continue;
        if (memo_get(&list.by_key, m->params.at[p].key) == 0)
            memo_set(m->mem, &list.by_key, m->params.at[p].key, (u64)p + 1);
        memo_set(m->mem, &list.by_place, m->params.at[p].span.at, (u64)p + 1);
    }
    return list;
}

static void
printed_drop(struct printed *list)
{
    memo_free(list->s->m->mem, &list->by_key);
    memo_free(list->s->m->mem, &list->by_place);
}

/* the parameter printed with this key, NONE if there is none */
static param_t
printed_find(const struct printed *list, struct slice key)
{
    name_t name = names_find(&list->s->m->names, key);
    return name == NONE ? NONE : (param_t)memo_get(&list->by_key, name) - 1;
}

/* the key with which a parameter, or its copy in a sorted list, was printed */
static struct slice
printed_key(const struct printed *list, param_t p)
{
    const struct module *m = list->s->m;
    struct name_buffer buffer;
    param_t q = (param_t)memo_get(&list->by_place, m->params.at[p].span.at) - 1;
    bool same = q != NONE && m->params.at[q].kind == m->params.at[p].kind;
    return arena_copy(m->mem, module_name(m, m->params.at[same ? q : p].key, &buffer));
}

/* lists the programs of one parameter, and returns their number; pasted ones are text */
static u32
programs_of(const struct diff_side *s, param_t p, struct jaxprs *list)
{
    const struct module *m = s->m;
    struct nested nested = nested_in_param(p);
    list->n = 0;
    for (jaxpr_t j; (j = nested_unpasted(m, &nested)) != NONE;)
        *vec_push(m->mem, list) = j;
    return list->n;
}

/* the printed value of a parameter, on one line */
static struct slice
param_text(const struct diff_side *s, param_t p)
{
    return text_joined(&s->printer, param_bytes(s->m, &s->m->params.at[p]));
}

static u64
param_hash(struct diff_side *s, eqn_t e, param_t p)
{
    s->out.n = 0;
    canon_spell(&s->c, &s->out, e, p);
    return hash_bytes(s->seed, s->out.at, s->out.n);
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

/* Programs of one parameter being aligned. */
struct programs {
    struct diff *d;
    struct slice key;
    const struct jaxprs *a, *b;
    u32 *from; /* of each program on the right: its partner on the left, NONE if it was added */
    u32 next_a, next_b;
};

/* pairs programs before end_a and end_b, while both sides have some */
static void
pair_programs(struct programs *p, u32 end_a, u32 end_b)
{
    struct diff *d = p->d;
    for (; p->next_a < end_a && p->next_b < end_b; p->next_a++, p->next_b++) {
        u32 pair = diff_add_pair(d, p->a->at[p->next_a], p->b->at[p->next_b]);
        *vec_push(d->mem, &d->inners) = (struct diff_inner){p->key, p->next_a, pair};
        p->from[p->next_b] = p->next_a;
    }
    p->next_a = end_a;
    p->next_b = end_b;
}

static void
take_program(void *arg, u32 a, u32 b)
{
    struct programs *p = arg;
    pair_programs(p, a, b);
    p->from[b] = a;
    p->next_a = a + 1;
    p->next_b = b + 1;
}

/* finds a permutation: each program on the right equals one on the left; false if there is none */
static bool
find_order(struct programs *p)
{
    struct diff_cache seen = {0};
    struct diff *d = p->d;
    bool all = p->a->n == p->b->n;
    for (u32 i = 0; i < p->a->n && all; i++)
        *diff_cache_find(d->mem, &seen, d->a.program[p->a->at[i]]) = (u64)i + 1;
    for (u32 i = 0; i < p->b->n && all; i++) {
        u64 *found = diff_cache_find(d->mem, &seen, d->b.program[p->b->at[i]]);
        all = *found != 0;
        p->from[i] = (u32)*found - 1;
        *found = 0;
    }
    mem_free(d->mem, seen.at);
    return all;
}

static void
report_program(struct programs *p, const struct diff_side *s, bool left, u32 i)
{
    const struct jaxpr *j = &s->m->jaxprs.at[(left ? p->a : p->b)->at[i]];
    struct slice text = text_joined(&s->printer, module_bytes(s->m, (struct span){j->offset, j->end - j->offset}));
    diff_add_change(p->d, WHAT_PROGRAM, i, p->key, left ? text : nothing, left ? nothing : text);
}

/* reports the programs that only one side has */
static void
report_programs(struct programs *p)
{
    struct diff *d = p->d;
    u8 *stays = mem_zeroed(d->mem, p->a->n + 1ull);
    for (u32 i = 0; i < p->b->n; i++)
        if (p->from[i] != NONE)
            stays[p->from[i]] = 1;
    for (u32 i = 0; i < p->a->n; i++)
        if (!stays[i])
            report_program(p, &d->a, true, i);
    for (u32 i = 0; i < p->b->n; i++)
        if (p->from[i] == NONE)
            report_program(p, &d->b, false, i);
    mem_free(d->mem, stays);
}

/* reports the order of the programs on the right by their numbers on the left */
static void
change_order(struct programs *p)
{
    struct diff *d = p->d;
    struct sink from, to;
    sink_init_memory(&from, d->mem);
    sink_init_memory(&to, d->mem);
    for (u32 i = 0; i < p->a->n; i++)
        sink_printf(&from, "%s%u", i > 0 ? ", " : "programs ", i + 1);
    for (u32 i = 0; i < p->b->n; i++) {
        sink_printf(&to, i > 0 ? ", " : "programs ");
        sink_printf(&to, p->from[i] == NONE ? "new" : "%u", p->from[i] + 1);
    }
    diff_add_change(d, WHAT_PROGRAM, 0, p->key, sink_take(&from), sink_take(&to));
    report_programs(p);
}

/* compares the programs of two parameters: which differ, and whether some were removed, added or moved */
static void
change_programs(struct diff *d, struct slice key, const struct jaxprs *x, const struct jaxprs *y)
{
    struct programs p = {.d = d, .key = key, .a = x, .b = y, .from = mem_nones(d->mem, y->n + 1ull)};
    u64 *a = mem_alloc(d->mem, (x->n + 1) * sizeof *a), *b = mem_alloc(d->mem, (y->n + 1) * sizeof *b);
    u32 alike = 0;
    for (u32 i = 0; i < x->n; i++)
        a[i] = d->a.program[x->at[i]];
    for (u32 i = 0; i < y->n; i++)
        b[i] = d->b.program[y->at[i]];
    for (u32 i = 0; i < x->n && i < y->n; i++)
        alike += a[i] == b[i];
    bool same = x->n == y->n && alike == x->n;
    if (!same && find_order(&p)) {
        change_order(&p);
    } else if (x->n == y->n) {
        for (u32 i = 0; i < x->n; i++)
            if (a[i] == b[i])
                take_program(&p, i, i);
        pair_programs(&p, x->n, y->n);
    } else {
        memset(p.from, 0xFF, (y->n + 1) * sizeof *p.from);
        diff_anchor(d->mem, (struct diff_keys){a, x->n}, (struct diff_keys){b, y->n}, take_program, &p);
        pair_programs(&p, x->n, y->n);
        change_order(&p);
    }
    mem_free_all(d->mem, p.from, a, b);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

/* reports a parameter that one side omits, or that is trivial given its types, unless both print the same; with
 * `replaced`, the text must be the same, as another primitive may interpret it differently */
static void
change_silent(struct diff *d, const struct printed *own, param_t p, const struct printed *other, bool replaced)
{
    struct name_buffer buffer;
    bool left = own->s == &d->a;
    param_t q = printed_find(other, module_name(own->s->m, own->s->m->params.at[p].key, &buffer));
    struct slice text = param_text(own->s, p), opposite = q == NONE ? nothing : param_text(other->s, q);
    bool same = replaced ? slice_eq(text, opposite)
                         : q != NONE && param_hash(own->s, own->e, p) == param_hash(other->s, other->e, q);
    if (same)
        return;
    diff_add_change(d, WHAT_PARAMETER, 0, printed_key(own, p), left ? text : opposite, left ? opposite : text);
}

static void
compare_params(struct diff *d, const struct printed *a, const struct printed *b, bool replaced)
{
    struct memo by_name = {0};
    struct jaxprs x = {0}, y = {0};
    struct module *ma = d->a.m, *mb = d->b.m;
    struct name_buffer buffer;
    param_t first_a = canon_sorted(&d->a.c, a->e, replaced), first_b = canon_sorted(&d->b.c, b->e, replaced);
    for (param_t p = first_a; p != NONE; p = ma->params.at[p].next)
        memo_set(d->mem, &by_name, ma->params.at[p].key, (u64)p + 2);
    for (param_t q = first_b; q != NONE; q = mb->params.at[q].next) {
        name_t name = names_find(&ma->names, module_name(mb, mb->params.at[q].key, &buffer));
        u64 found = name == NONE ? 0 : memo_get(&by_name, name);
        if (found < 2) {
            change_silent(d, b, q, a, replaced);
            continue;
        }
        param_t p = (param_t)(found - 2);
        memo_set(d->mem, &by_name, name, 1);
        if (programs_of(&d->a, p, &x) > 0 && programs_of(&d->b, q, &y) > 0)
            change_programs(d, printed_key(a, p), &x, &y);
        else if (replaced ? !slice_eq(param_text(&d->a, p), param_text(&d->b, q))
                          : param_hash(&d->a, a->e, p) != param_hash(&d->b, b->e, q))
            diff_add_change(d, WHAT_PARAMETER, 0, printed_key(a, p), param_text(&d->a, p), param_text(&d->b, q));
    }
    for (param_t p = first_a; p != NONE; p = ma->params.at[p].next)
        if (memo_get(&by_name, ma->params.at[p].key) > 1)
            change_silent(d, a, p, b, replaced);
    memo_free(d->mem, &by_name);
    vec_free(ma->mem, &x);
    vec_free(mb->mem, &y);
}

void
diff_params(struct diff *d, eqn_t ea, eqn_t eb, bool replaced)
{
    struct printed a = printed_list(&d->a, ea), b = printed_list(&d->b, eb);
    compare_params(d, &a, &b, replaced);
    printed_drop(&a);
    printed_drop(&b);
}

/* ---- other parameters -------------------------------------------------------------------------------------------- */

/* whether a parameter contains programs, which are compared in hunks of their own */
static bool
holds_programs(const struct printed *list, param_t p)
{
    struct jaxprs found = {0};
    u32 n = programs_of(list->s, p, &found);
    vec_free(list->s->m->mem, &found);
    return n > 0;
}

/* whether a parameter is missing from the other equation (`None` counts as missing) or has another value there; *both
 * is set if it is a program on both sides, which can be compared */
static bool
is_other_param(const struct printed *own, param_t p, const struct printed *other, bool *both)
{
    struct name_buffer buffer;
    const struct module *m = own->s->m;
    if (m->params.at[p].key == NONE)
        return true;
    struct slice text = param_text(own->s, p);
    param_t q = printed_find(other, module_name(m, m->params.at[p].key, &buffer));
    if (q == NONE)
        return !slice_eq(text, SLICE("None"));
    *both |= holds_programs(own, p) && holds_programs(other, q);
    return !slice_eq(text, param_text(other->s, q));
}

bool
diff_is_replaced(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct eqn *x = &d->a.m->eqns.at[ea], *y = &d->b.m->eqns.at[eb];
    if (x->form > EQN_CALL_BARE || y->form > EQN_CALL_BARE)
        return true;
    if (x->params == NONE && y->params == NONE)
        return false;
    struct printed a = printed_list(&d->a, ea), b = printed_list(&d->b, eb);
    bool other = false, both = false;
    for (param_t p = x->params; p != NONE && !both; p = d->a.m->params.at[p].next)
        other |= is_other_param(&a, p, &b, &both);
    for (param_t q = y->params; q != NONE && !both; q = d->b.m->params.at[q].next)
        other |= is_other_param(&b, q, &a, &both);
    printed_drop(&a);
    printed_drop(&b);
    return other && !both;
}

/* ---- what goes with them ---------------------------------------------------------------------------------------- */

/* whether a parameter is not compared as text: it is trivial given the types, or a tree of a scan, which is reported as
 * counts */
static bool
is_unreported(struct diff_side *s, eqn_t e, param_t p)
{
    struct name_buffer buffer;
    if (s->m->params.at[p].key == NONE)
        return false;
    struct slice key = module_name(s->m, s->m->params.at[p].key, &buffer);
    return slice_eq(key, SLICE("ft_in")) || slice_eq(key, SLICE("ft_out")) || canon_is_default(&s->c, e, p);
}

/* reports a parameter that can be omitted (with `all`: any) if the other side prints it differently or omits it; one
 * that is printed on both sides is reported for the left only */
static void
echo_param(struct diff *d, const struct printed *own, param_t p, const struct printed *other, bool all)
{
    bool left = own->s == &d->a;
    if (own->s->m->params.at[p].key == NONE || (all ? holds_programs(own, p) : !is_unreported(own->s, own->e, p)))
        return;
    struct slice key = printed_key(own, p), text = param_text(own->s, p);
    param_t q = printed_find(other, key);
    struct slice opposite = q == NONE ? nothing : param_text(other->s, q);
    if (q == NONE || (left && !slice_eq(text, opposite) && (all || is_unreported(other->s, other->e, q))))
        diff_add_change(d, WHAT_PARAMETER, 0, key, left ? text : opposite, left ? opposite : text);
}

/* whether the changes from `first` on do not describe the printed parameters of `own`: some were renamed, or are
 * omitted on the other side. Counts of a scan follow from trees, which are reported */
static bool
is_respelled(const struct diff *d, u32 first, const struct printed *own, const struct printed *other)
{
    const struct module *m = own->s->m;
    struct memo printed = {0};
    bool left = own->s == &d->a, trees = printed_find(own, SLICE("ft_in")) != NONE, more = false;
    for (u32 i = first; i < d->changes.n; i++) {
        const struct diff_change *c = &d->changes.at[i];
        name_t name = names_find(&m->names, c->key);
        if (name != NONE)
            memo_set(m->mem, &printed, name, 1);
        more |= c->what == WHAT_PARAMETER && (left ? c->from : c->to).n > 0 && !trees && c->key.n > 0 &&
                printed_find(own, c->key) == NONE;
    }
    for (param_t p = m->eqns.at[own->e].params; p != NONE && !more; p = m->params.at[p].next) {
        name_t key = m->params.at[p].key;
        more = key != NONE && memo_get(&printed, key) == 0 && printed_find(other, printed_key(own, p)) == NONE;
    }
    memo_free(m->mem, &printed);
    return more;
}

static void
echo_params(struct diff *d, const struct printed *a, const struct printed *b, bool all)
{
    const struct module *ma = d->a.m, *mb = d->b.m;
    for (param_t p = ma->eqns.at[a->e].params; p != NONE; p = ma->params.at[p].next)
        echo_param(d, a, p, b, all);
    for (param_t p = mb->eqns.at[b->e].params; p != NONE; p = mb->params.at[p].next)
        echo_param(d, b, p, a, all);
}

void
diff_echo_params(struct diff *d, eqn_t ea, eqn_t eb, u32 first)
{
    struct printed a = printed_list(&d->a, ea), b = printed_list(&d->b, eb);
    u32 before = d->changes.n;
    bool any = false;
    echo_params(d, &a, &b, false);
    for (u32 i = first; i < d->changes.n && !any; i++)
        any = d->changes.at[i].what == WHAT_PARAMETER;
    if (any && (is_respelled(d, first, &a, &b) || is_respelled(d, first, &b, &a))) {
        d->changes.n = before;
        echo_params(d, &a, &b, true);
    }
    printed_drop(&a);
    printed_drop(&b);
}
