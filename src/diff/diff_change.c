/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between two equations that are partners: primitive, parameters, operands, types. A type that differs
 * because an operand's does, or because a nested program does, is no difference of its own. Linear in the two. */
#include "diff/compare.h"

static void
add_change(struct diff *d, enum diff_what what, u32 index, struct slice key, struct slice from, struct slice to)
{
    *vec_push(d->mem, &d->changes) = (struct diff_change){what, index, key, from, to};
}

static const struct slice nothing = {"", 0};

bool
diff_same_type(struct diff *d, type_t a, type_t b)
{
    return diff_type(&d->a, a) == diff_type(&d->b, b);
}

/* true where two literals read the same, which most do */
static bool
is_same_literal(const struct diff *d, u32 a, u32 b)
{
    const struct literal *x = &d->a.m->literals.at[a], *y = &d->b.m->literals.at[b];
    if (!slice_eq(module_bytes(d->a.m, x->value), module_bytes(d->b.m, y->value)))
        return false;
    if (x->type == NONE || y->type == NONE)
        return x->type == y->type;
    return slice_eq(type_get(&d->a.m->types, x->type)->text, type_get(&d->b.m->types, y->type)->text);
}

/* true where an operand of the right stands for that of the left */
static bool
diff_same_atom(struct diff *d, atom_t a, eqn_t ea, u32 i, atom_t b, eqn_t eb, u32 k)
{
    if (atom_kind(a) == ATOM_VAR && atom_kind(b) == ATOM_VAR)
        return d->a.twin[atom_id(a)] == atom_id(b) || (d->a.c.number[atom_id(a)] == CANON_UNTOLD &&
                                                       d->b.c.number[atom_id(b)] == CANON_UNTOLD);
    var_t x = diff_captured(&d->a, a), y = diff_captured(&d->b, b);
    if (x != NONE && y != NONE)
        return d->a.twin[x] == y;
    if (atom_kind(a) == ATOM_LIT && atom_kind(b) == ATOM_LIT && is_same_literal(d, atom_id(a), atom_id(b)))
        return true;
    return atom_kind(a) == atom_kind(b) && diff_other_atom(&d->a, a, ea, i) == diff_other_atom(&d->b, b, eb, k);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static u64
atom_key(struct diff *d, bool left, atom_t a, eqn_t e, u32 i)
{
    struct diff_side *s = left ? &d->a : &d->b;
    if (atom_kind(a) == ATOM_VAR)
        return s->c.number[atom_id(a)];
    return diff_other_atom(s, a, e, i);
}

/* Lists of operands being brought into line. */
struct lining {
    struct diff *d;
    u32 first_a, first_b, next_a, next_b;
    enum diff_what what;
};

static void
line_up(struct lining *l, u32 end_a, u32 end_b)
{
    struct diff *d = l->d;
    bool even = end_a - l->next_a == end_b - l->next_b;
    while (l->next_a < end_a || l->next_b < end_b) {
        bool left = l->next_a < end_a, right = l->next_b < end_b;
        struct slice from = left ? diff_atom_text(&d->a, d->a.m->atoms.at[l->first_a + l->next_a]) : nothing;
        struct slice to = right ? diff_atom_text(&d->b, d->b.m->atoms.at[l->first_b + l->next_b]) : nothing;
        add_change(d, l->what, left ? l->next_a : l->next_b, nothing, from, to);
        if (even && l->what == WHAT_OPERAND)
            *vec_push(d->mem, &d->lined) = (struct diff_place){l->next_a, l->next_b};
        l->next_a += left;
        l->next_b += right;
    }
}

static void
take_line(void *arg, u32 a, u32 b)
{
    struct lining *l = arg;
    line_up(l, a, b);
    if (l->what == WHAT_OPERAND)
        *vec_push(l->d->mem, &l->d->lined) = (struct diff_place){a, b};
    l->next_a = a + 1;
    l->next_b = b + 1;
}

void
diff_atoms(struct diff *d, enum diff_what what, u32 first_a, u32 n_a, eqn_t ea, u32 first_b, u32 n_b, eqn_t eb)
{
    struct lining l = {.d = d, .first_a = first_a, .first_b = first_b, .what = what};
    const struct module *ma = d->a.m, *mb = d->b.m;
    if (n_a == n_b) {
        for (u32 i = 0; i < n_a; i++) {
            atom_t x = ma->atoms.at[first_a + i], y = mb->atoms.at[first_b + i];
            if (!diff_same_atom(d, x, ea, ea == NONE ? NONE : i, y, eb, eb == NONE ? NONE : i))
                add_change(d, what, i, nothing, diff_atom_text(&d->a, x), diff_atom_text(&d->b, y));
        }
        return;
    }
    u64 *a = mem_alloc(d->mem, (n_a + 1) * sizeof *a), *b = mem_alloc(d->mem, (n_b + 1) * sizeof *b);
    for (u32 i = 0; i < n_a; i++)
        a[i] = atom_key(d, true, ma->atoms.at[first_a + i], ea, ea == NONE ? NONE : i);
    for (u32 i = 0; i < n_b; i++)
        b[i] = atom_key(d, false, mb->atoms.at[first_b + i], eb, eb == NONE ? NONE : i);
    diff_align(d->mem, a, n_a, b, n_b, take_line, &l);
    line_up(&l, n_a, n_b);
    mem_free(d->mem, a);
    mem_free(d->mem, b);
}

/* ---- parameters ------------------------------------------------------------------------------------------------- */

/* the programs of one parameter; pasted ones are text */
static u32
programs_of(const struct diff_side *s, param_t p, struct jaxprs *list)
{
    const struct module *m = s->m;
    const struct param *v = &m->params.at[p];
    list->n = 0;
    if (v->kind == PARAM_JAXPR)
        *vec_push(m->mem, list) = v->a;
    else if (v->kind == PARAM_SHARED && v->a != NONE)
        *vec_push(m->mem, list) = m->lets.at[v->a].jaxpr;
    for (u32 i = v->kind == PARAM_TUPLE ? v->a : NONE; i != NONE; i = m->segments.at[i].next) {
        const struct segment *g = &m->segments.at[i];
        if (g->kind == SEGMENT_JAXPR)
            *vec_push(m->mem, list) = g->a;
        else if (g->kind == SEGMENT_SHARED && g->a != NONE)
            *vec_push(m->mem, list) = m->lets.at[g->a].jaxpr;
    }
    return list->n;
}

/* the key that a parameter of a sorted list was printed with */
static struct slice
param_key(const struct diff_side *s, eqn_t e, param_t p)
{
    const struct module *m = s->m;
    struct name_buffer buffer;
    name_t key = m->params.at[p].key;
    for (param_t q = m->eqns.at[e].params; q != NONE; q = m->params.at[q].next)
        if (m->params.at[q].span.at == m->params.at[p].span.at && m->params.at[q].kind == m->params.at[p].kind)
            key = m->params.at[q].key;
    return arena_copy(m->mem, module_name(m, key, &buffer));
}

/* a value as it was printed, on one line */
static struct slice
param_text(const struct diff_side *s, param_t p)
{
    return text_joined(&s->printer, module_bytes(s->m, s->m->params.at[p].span));
}

static u64
param_hash(struct diff_side *s, eqn_t e, param_t p)
{
    s->out.n = 0;
    canon_spell(&s->c, &s->out, e, p);
    return hash_bytes(s->seed, s->out.at, s->out.n);
}

/* Programs of one parameter being brought into line. */
struct programs {
    struct diff *d;
    struct slice key;
    const struct jaxprs *a, *b;
    u32 *from; /* of each on the right: the one on the left, NONE for a new one */
    u32 next_a, next_b;
};

/* those between two that are equal: one with the other as long as there are two */
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

/* finds a permutation: each on the right is one on the left; false where that is not so */
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
tell_program(struct programs *p, const struct diff_side *s, bool left, u32 i)
{
    const struct jaxpr *j = &s->m->jaxprs.at[(left ? p->a : p->b)->at[i]];
    struct slice text = text_joined(&s->printer, module_bytes(s->m, (struct span){j->offset, j->end - j->offset}));
    add_change(p->d, WHAT_PROGRAM, i, p->key, left ? text : nothing, left ? nothing : text);
}

/* tells those that only one side has */
static void
tell_programs(struct programs *p)
{
    struct diff *d = p->d;
    u8 *stays = mem_zeroed(d->mem, p->a->n + 1ull);
    for (u32 i = 0; i < p->b->n; i++)
        if (p->from[i] != NONE)
            stays[p->from[i]] = 1;
    for (u32 i = 0; i < p->a->n; i++)
        if (!stays[i])
            tell_program(p, &d->a, true, i);
    for (u32 i = 0; i < p->b->n; i++)
        if (p->from[i] == NONE)
            tell_program(p, &d->b, false, i);
    mem_free(d->mem, stays);
}

/* tells the programs on the right by their numbers on the left */
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
    add_change(d, WHAT_PROGRAM, 0, p->key, arena_copy(d->mem, (struct slice){from.at, from.n}),
               arena_copy(d->mem, (struct slice){to.at, to.n}));
    mem_free(d->mem, from.at);
    mem_free(d->mem, to.at);
    tell_programs(p);
}

/* compares the programs of two parameters: which differ, and whether some are gone, new or elsewhere */
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
        diff_align(d->mem, a, x->n, b, y->n, take_program, &p);
        pair_programs(&p, x->n, y->n);
        change_order(&p);
    }
    mem_free(d->mem, p.from);
    mem_free(d->mem, a);
    mem_free(d->mem, b);
}

/* a parameter that one side leaves out, or prints where, beside its types, it says nothing: no change when both print
 * the same */
static void
change_silent(struct diff *d, bool left, eqn_t ea, eqn_t eb, param_t p)
{
    struct diff_side *s = left ? &d->a : &d->b, *other = left ? &d->b : &d->a;
    eqn_t e = left ? ea : eb, eo = left ? eb : ea;
    struct name_buffer buffer;
    param_t q = eqn_param(other->m, eo, module_name(s->m, s->m->params.at[p].key, &buffer));
    if (q != NONE && param_hash(s, e, p) == param_hash(other, eo, q))
        return;
    struct slice own = param_text(s, p), opposite = q == NONE ? nothing : param_text(other, q);
    add_change(d, WHAT_PARAMETER, 0, param_key(s, e, p), left ? own : opposite, left ? opposite : own);
}

static void
change_params(struct diff *d, eqn_t ea, eqn_t eb)
{
    struct memo by_name = {0};
    struct jaxprs x = {0}, y = {0};
    struct module *ma = d->a.m, *mb = d->b.m;
    struct name_buffer buffer;
    param_t first_a = canon_sorted(&d->a.c, ea, false), first_b = canon_sorted(&d->b.c, eb, false);
    for (param_t p = first_a; p != NONE; p = ma->params.at[p].next)
        memo_set(d->mem, &by_name, ma->params.at[p].key, (u64)p + 2);
    for (param_t q = first_b; q != NONE; q = mb->params.at[q].next) {
        name_t name = names_find(&ma->names, module_name(mb, mb->params.at[q].key, &buffer));
        u64 found = name == NONE ? 0 : memo_get(&by_name, name);
        if (found < 2) {
            change_silent(d, false, ea, eb, q);
            continue;
        }
        param_t p = (param_t)(found - 2);
        memo_set(d->mem, &by_name, name, 1);
        if (programs_of(&d->a, p, &x) > 0 && programs_of(&d->b, q, &y) > 0)
            change_programs(d, param_key(&d->a, ea, p), &x, &y);
        else if (param_hash(&d->a, ea, p) != param_hash(&d->b, eb, q))
            add_change(d, WHAT_PARAMETER, 0, param_key(&d->a, ea, p), param_text(&d->a, p), param_text(&d->b, q));
    }
    for (param_t p = first_a; p != NONE; p = ma->params.at[p].next)
        if (memo_get(&by_name, ma->params.at[p].key) > 1)
            change_silent(d, true, ea, eb, p);
    memo_free(d->mem, &by_name);
    vec_free(ma->mem, &x);
    vec_free(mb->mem, &y);
}

/* ---- types ------------------------------------------------------------------------------------------------------ */

static type_t
operand_type(const struct module *m, atom_t a)
{
    return atom_type(m, atom_without_index(m, a));
}

/* whether some operand is the same value of another type */
static bool
operands_retyped(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    for (u32 i = 0; i < a->n_atoms && i < b->n_atoms; i++) {
        atom_t x = d->a.m->atoms.at[a->atoms + i], y = d->b.m->atoms.at[b->atoms + i];
        if (atom_kind(x) == atom_kind(y) && atom_kind(x) != ATOM_LIT &&
            !diff_same_type(d, operand_type(d->a.m, x), operand_type(d->b.m, y)))
            return true;
    }
    return false;
}

static bool
results_retyped(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    for (u32 i = 0; i < a->n_vars && i < b->n_vars; i++)
        if (!diff_same_type(d, d->a.m->vars.at[a->vars + i].type, d->b.m->vars.at[b->vars + i].type))
            return true;
    return false;
}

static void
change_types(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    for (u32 i = 0; i < a->n_vars || i < b->n_vars; i++) {
        type_t x = i < a->n_vars ? d->a.m->vars.at[a->vars + i].type : NONE;
        type_t y = i < b->n_vars ? d->b.m->vars.at[b->vars + i].type : NONE;
        if (i >= a->n_vars)
            add_change(d, WHAT_TYPE, i, nothing, nothing, diff_binder_text(&d->b, b->vars + i));
        else if (i >= b->n_vars)
            add_change(d, WHAT_TYPE, i, nothing, diff_binder_text(&d->a, a->vars + i), nothing);
        else if (!diff_same_type(d, x, y))
            add_change(d, WHAT_TYPE, i, nothing, diff_type_text(&d->a, x), diff_type_text(&d->b, y));
    }
}

/* ---- what goes with types ---------------------------------------------------------------------------------------- */

/* whether a parameter is not compared as it stands: it says nothing beside types, or is a tree of a scan, of which
 * counts are told */
static bool
is_untold(struct diff_side *s, eqn_t e, param_t p)
{
    struct name_buffer buffer;
    if (s->m->params.at[p].key == NONE)
        return false;
    struct slice key = module_name(s->m, s->m->params.at[p].key, &buffer);
    return slice_eq(key, SLICE("ft_in")) || slice_eq(key, SLICE("ft_out")) || canon_is_silent(&s->c, e, p);
}

/* parameters that go without saying, and are printed otherwise on the right */
static void
echo_params(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct module *ma = d->a.m, *mb = d->b.m;
    struct name_buffer buffer;
    for (param_t p = ma->eqns.at[ea].params; p != NONE; p = ma->params.at[p].next) {
        if (!is_untold(&d->a, ea, p))
            continue;
        struct slice key = arena_copy(d->mem, module_name(ma, ma->params.at[p].key, &buffer));
        param_t q = eqn_param(mb, eb, key);
        struct slice from = param_text(&d->a, p), to = q == NONE ? nothing : param_text(&d->b, q);
        if (!slice_eq(from, to) && (q == NONE || is_untold(&d->b, eb, q)))
            add_change(d, WHAT_PARAMETER, 0, key, from, to);
    }
    for (param_t q = mb->eqns.at[eb].params; q != NONE; q = mb->params.at[q].next) {
        if (!is_untold(&d->b, eb, q))
            continue;
        struct slice key = arena_copy(d->mem, module_name(mb, mb->params.at[q].key, &buffer));
        if (eqn_param(ma, ea, key) == NONE)
            add_change(d, WHAT_PARAMETER, 0, key, nothing, param_text(&d->b, q));
    }
}

/* the same of literals, whose own type is that of their place */
static void
echo_literals(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct eqn a = d->a.m->eqns.at[ea], b = d->b.m->eqns.at[eb];
    for (u32 i = 0; i < a.n_atoms && a.n_atoms == b.n_atoms; i++) {
        atom_t x = d->a.m->atoms.at[a.atoms + i], y = d->b.m->atoms.at[b.atoms + i];
        if (atom_kind(x) == ATOM_LIT && atom_kind(y) == ATOM_LIT && !is_same_literal(d, atom_id(x), atom_id(y)) &&
            diff_same_atom(d, x, ea, i, y, eb, i))
            add_change(d, WHAT_OPERAND, i, nothing, diff_atom_text(&d->a, x), diff_atom_text(&d->b, y));
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void
change_primitive(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    struct name_buffer x, y;
    if (a->form == b->form && slice_eq(canon_prim(&d->a.c, a->prim, &x), canon_prim(&d->b.c, b->prim, &y)))
        return;
    struct slice from = arena_copy(d->mem, module_name(d->a.m, a->prim, &x)),
                 to = arena_copy(d->mem, module_name(d->b.m, b->prim, &y));
    if (!slice_eq(from, to))
        add_change(d, WHAT_PRIMITIVE, 0, nothing, from, to);
}

bool
diff_changes(struct diff *d, eqn_t ea, eqn_t eb, struct diff_item *item)
{
    const struct eqn a = d->a.m->eqns.at[ea], b = d->b.m->eqns.at[eb];
    bool same_kind = d->a.kind[ea] == d->b.kind[eb];
    item->changes = d->changes.n;
    item->inners = d->inners.n;
    if (!same_kind)
        change_primitive(d, &a, &b);
    d->operands = (struct diff_lined){.first = d->lined.n};
    diff_atoms(d, WHAT_OPERAND, a.atoms, a.n_atoms, ea, b.atoms, b.n_atoms, eb);
    if (a.n_atoms != b.n_atoms)
        d->operands = (struct diff_lined){d->operands.first, d->lined.n - d->operands.first, a.n_atoms, b.n_atoms};
    bool retyped = a.n_vars != b.n_vars || results_retyped(d, &a, &b);
    d->following = (retyped || !same_kind) && operands_retyped(d, &a, &b);
    bool plain = a.form <= EQN_CALL_BARE && b.form <= EQN_CALL_BARE;
    if (!same_kind && plain)
        change_params(d, ea, eb);
    item->n_inners = d->inners.n - item->inners;
    if (item->n_inners == 0)
        d->lined.n = d->operands.first;
    if (!same_kind && !plain && item->changes == d->changes.n)
        add_change(d, WHAT_PARAMETER, 0, nothing, diff_text(&d->a, ea), diff_text(&d->b, eb));
    bool follows = a.n_vars == b.n_vars && item->changes == d->changes.n &&
                   (item->n_inners > 0 || d->following);
    if (retyped && !follows)
        change_types(d, &a, &b);
    item->n_changes = d->changes.n - item->changes;
    bool same = item->n_changes == 0 && item->n_inners == 0, alike = same && !retyped;
    if (alike ? operands_retyped(d, &a, &b) : same || retyped || item->n_changes > 0) {
        echo_literals(d, ea, eb);
        echo_params(d, ea, eb);
    }
    item->n_echoes = d->changes.n - item->changes - item->n_changes;
    return (retyped && follows) || (alike && item->n_echoes > 0);
}
