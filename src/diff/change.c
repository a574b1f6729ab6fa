/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between two matched equations: primitive, parameters, operands, types. A type that differs because
 * an operand's does, or because a nested program does, is not a difference of its own. Linear in the two. */
#include "diff/diff.h"

void
diff_add_change(struct diff *d, enum diff_what what, u32 index, struct slice key, struct slice from, struct slice to)
{
    *vec_push(d->mem, &d->changes) =
        (struct diff_change){.what = what, .index = index, .key = key, .from = from, .to = to};
}

/* adds a pair of operands or outputs; NONE for what only one side has */
static void
change_atom(struct diff *d, enum diff_what what, u32 index, atom_t a, atom_t b)
{
    struct slice none = {"", 0};
    diff_add_change(d, what, index, none, a != NONE ? diff_atom_text(&d->a, a) : none,
                    b != NONE ? diff_atom_text(&d->b, b) : none);
    u32 *literals = d->changes.at[d->changes.n - 1].literals;
    literals[0] = a != NONE && atom_kind(a) == ATOM_LIT ? atom_id(a) + 1 : 0;
    literals[1] = b != NONE && atom_kind(b) == ATOM_LIT ? atom_id(b) + 1 : 0;
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

/* true where an operand of the right corresponds to that of the left */
static bool
diff_same_atom(struct diff *d, atom_t a, eqn_t ea, u32 i, atom_t b, eqn_t eb, u32 k)
{
    if (atom_kind(a) == ATOM_VAR && atom_kind(b) == ATOM_VAR) {
        bool unnamed_a = d->a.m->vars.at[atom_id(a)].name == d->a.c.underscore,
             unnamed_b = d->b.m->vars.at[atom_id(b)].name == d->b.c.underscore;
        return d->a.twin[atom_id(a)] == atom_id(b) && unnamed_a == unnamed_b;
    }
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
        change_atom(d, l->what, left ? l->next_a : l->next_b, left ? d->a.m->atoms.at[l->first_a + l->next_a] : NONE,
                    right ? d->b.m->atoms.at[l->first_b + l->next_b] : NONE);
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
                change_atom(d, what, i, x, y);
        }
        return;
    }
    u64 *a = mem_alloc(d->mem, (n_a + 1) * sizeof *a), *b = mem_alloc(d->mem, (n_b + 1) * sizeof *b);
    for (u32 i = 0; i < n_a; i++)
        a[i] = atom_key(d, true, ma->atoms.at[first_a + i], ea, ea == NONE ? NONE : i);
    for (u32 i = 0; i < n_b; i++)
        b[i] = atom_key(d, false, mb->atoms.at[first_b + i], eb, eb == NONE ? NONE : i);
    diff_anchor(d->mem, a, n_a, b, n_b, take_line, &l);
    line_up(&l, n_a, n_b);
    mem_free(d->mem, a);
    mem_free(d->mem, b);
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

/* whether some result is of another type, gone or new */
static bool
results_retyped(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    if (a->n_vars != b->n_vars)
        return true;
    for (u32 i = 0; i < a->n_vars; i++)
        if (!diff_same_type(d, d->a.m->vars.at[a->vars + i].type, d->b.m->vars.at[b->vars + i].type))
            return true;
    return false;
}

/* reports the results that are of another type, then those that only one side has */
static void
change_types(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    for (u32 i = 0; i < a->n_vars; i++) {
        var_t v = a->vars + i, twin = d->a.twin[v];
        type_t x = d->a.m->vars.at[v].type, y = twin == NONE ? NONE : d->b.m->vars.at[twin].type;
        if (twin != NONE && !diff_same_type(d, x, y))
            diff_add_change(d, WHAT_TYPE, i, nothing, diff_type_text(&d->a, x), diff_type_text(&d->b, y));
        else if (twin == NONE)
            diff_add_change(d, WHAT_TYPE, i, nothing, diff_binder_text(&d->a, v), nothing);
    }
    for (u32 i = 0; i < b->n_vars; i++)
        if (d->b.twin[b->vars + i] == NONE)
            diff_add_change(d, WHAT_TYPE, i, nothing, nothing, diff_binder_text(&d->b, b->vars + i));
}

/* reports literals that are printed otherwise since their place has another type */
static void
echo_literals(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct eqn a = d->a.m->eqns.at[ea], b = d->b.m->eqns.at[eb];
    for (u32 i = 0; i < a.n_atoms && a.n_atoms == b.n_atoms; i++) {
        atom_t x = d->a.m->atoms.at[a.atoms + i], y = d->b.m->atoms.at[b.atoms + i];
        if (atom_kind(x) == ATOM_LIT && atom_kind(y) == ATOM_LIT && !is_same_literal(d, atom_id(x), atom_id(y)) &&
            diff_same_atom(d, x, ea, i, y, eb, i))
            diff_add_change(d, WHAT_OPERAND, i, nothing, diff_atom_text(&d->a, x), diff_atom_text(&d->b, y));
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
        diff_add_change(d, WHAT_PRIMITIVE, 0, nothing, from, to);
}

/* whether two operands, whose order does not count, correspond to each other in the other order */
static bool
is_swapped(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct eqn *a = &d->a.m->eqns.at[ea], *b = &d->b.m->eqns.at[eb];
    if (!canon_commutes(&d->a.c, ea) || b->n_atoms != 2)
        return false;
    const atom_t *x = &d->a.m->atoms.at[a->atoms], *y = &d->b.m->atoms.at[b->atoms];
    return diff_same_atom(d, x[0], ea, 0, y[1], eb, 1) && diff_same_atom(d, x[1], ea, 1, y[0], eb, 0);
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
    bool replaced = d->changes.n > item->changes;
    d->operands = (struct diff_lined){.first = d->lined.n};
    if (!is_swapped(d, ea, eb))
        diff_atoms(d, WHAT_OPERAND, a.atoms, a.n_atoms, ea, b.atoms, b.n_atoms, eb);
    if (a.n_atoms != b.n_atoms)
        d->operands = (struct diff_lined){d->operands.first, d->lined.n - d->operands.first, a.n_atoms, b.n_atoms};
    bool retyped = results_retyped(d, &a, &b);
    d->following = (retyped || !same_kind) && operands_retyped(d, &a, &b);
    bool plain = a.form <= EQN_CALL_BARE && b.form <= EQN_CALL_BARE;
    if (!same_kind && plain)
        diff_params(d, ea, eb, replaced);
    item->n_inners = d->inners.n - item->inners;
    if (item->n_inners == 0)
        d->lined.n = d->operands.first;
    if (!same_kind && !plain && item->changes == d->changes.n)
        diff_add_change(d, WHAT_PARAMETER, 0, nothing, diff_text(&d->a, ea), diff_text(&d->b, eb));
    bool follows = a.n_vars == b.n_vars && (d->following || (item->changes == d->changes.n && item->n_inners > 0));
    if (retyped && !follows)
        change_types(d, &a, &b);
    item->n_changes = d->changes.n - item->changes;
    bool alike = item->n_changes == 0 && !retyped, echoing = !alike || operands_retyped(d, &a, &b);
    if (echoing || item->n_inners > 0)
        echo_literals(d, ea, eb);
    if (echoing)
        diff_echo_params(d, ea, eb, item->changes);
    item->n_echoes = d->changes.n - item->changes - item->n_changes;
    return (retyped && follows) || (alike && item->n_inners == 0 && item->n_echoes > 0);
}
