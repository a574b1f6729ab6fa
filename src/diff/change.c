/* SPDX-License-Identifier: Apache-2.0
 *
 * What differs between two matched equations: primitive, parameters, operands, types. A type that differs because that
 * of an operand does, or because a nested program does, is not a separate difference. Linear in both equations. */
#include "diff/diff.h"

void
diff_add_change(struct diff *d, enum diff_what what, u32 index, struct slice key, struct slice from, struct slice to)
{
    *vec_push(d->mem, &d->changes) =
        (struct diff_change){.what = what, .index = index, .key = key, .from = from, .to = to};
}

static const struct slice nothing = {"", 0};

/* an operand or output as a change prints it, with its type if only types are compared */
static struct slice
shown(const struct diff *d, struct diff_side *s, atom_t a)
{
    if (a == NONE)
        return nothing;
    return d->interface && atom_kind(a) == ATOM_VAR ? diff_binder_text(s, atom_id(a)) : diff_atom_text(s, a);
}

/* adds a pair of operands or outputs; NONE if only one side has it */
static void
change_atom(struct diff *d, enum diff_what what, u32 index, atom_t a, atom_t b)
{
    diff_add_change(d, what, index, nothing, shown(d, &d->a, a), shown(d, &d->b, b));
    u32 *literals = d->changes.at[d->changes.n - 1].literals;
    literals[0] = a != NONE && atom_kind(a) == ATOM_LIT ? atom_id(a) + 1 : 0;
    literals[1] = b != NONE && atom_kind(b) == ATOM_LIT ? atom_id(b) + 1 : 0;
}

bool
diff_same_type(struct diff *d, type_t a, type_t b)
{
    return diff_type(&d->a, a) == diff_type(&d->b, b);
}

static type_t
operand_type(const struct module *m, atom_t a)
{
    return atom_type(m, atom_without_index(m, a));
}

/* true if two literals have the same text and type, as most do */
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

static struct diff_operands
operands_of(const struct diff_side *s, eqn_t e)
{
    return (struct diff_operands){e, s->m->eqns.at[e].atoms, s->m->eqns.at[e].n_atoms};
}

/* the hash of an operand that is not a variable */
static u64
operand_hash(struct diff_side *s, const struct diff_operands *of, u32 i)
{
    return diff_other_atom(s, s->m->atoms.at[of->first + i], of->e, of->e == NONE ? NONE : i);
}

/* true if an operand of the right corresponds to that of the left */
static bool
diff_same_atom(struct diff *d, const struct diff_operands *of_a, u32 i, const struct diff_operands *of_b, u32 k)
{
    atom_t a = d->a.m->atoms.at[of_a->first + i], b = d->b.m->atoms.at[of_b->first + k];
    type_t of = d->interface ? operand_type(d->a.m, a) : NONE, to = d->interface ? operand_type(d->b.m, b) : NONE;
    if (of != NONE || to != NONE)
        return diff_same_type(d, of, to);
    if (atom_kind(a) == ATOM_VAR && atom_kind(b) == ATOM_VAR) {
        bool unnamed_a = d->a.m->vars.at[atom_id(a)].name == d->a.c.underscore,
             unnamed_b = d->b.m->vars.at[atom_id(b)].name == d->b.c.underscore;
        return d->a.partner[atom_id(a)] == atom_id(b) && unnamed_a == unnamed_b;
    }
    var_t x = diff_captured(&d->a, a), y = diff_captured(&d->b, b);
    if (x != NONE && y != NONE)
        return d->a.partner[x] == y;
    if (atom_kind(a) == ATOM_LIT && atom_kind(b) == ATOM_LIT && is_same_literal(d, atom_id(a), atom_id(b)))
        return true;
    return atom_kind(a) == atom_kind(b) && operand_hash(&d->a, of_a, i) == operand_hash(&d->b, of_b, k);
}

/* ---- operands --------------------------------------------------------------------------------------------------- */

static u64
atom_key(const struct diff *d, struct diff_side *s, const struct diff_operands *of, u32 i)
{
    atom_t a = s->m->atoms.at[of->first + i];
    type_t t = d->interface ? operand_type(s->m, a) : NONE;
    if (t != NONE)
        return diff_type(s, t);
    return atom_kind(a) == ATOM_VAR ? s->c.number[atom_id(a)] : operand_hash(s, of, i);
}

/* Lists of operands being aligned. */
struct aligning {
    struct diff *d;
    u32 first_a, first_b, next_a, next_b;
    enum diff_what what;
};

static void
line_up(struct aligning *l, u32 end_a, u32 end_b)
{
    struct diff *d = l->d;
    bool even = end_a - l->next_a == end_b - l->next_b;
    while (l->next_a < end_a || l->next_b < end_b) {
        bool left = l->next_a < end_a, right = l->next_b < end_b;
        change_atom(d, l->what, left ? l->next_a : l->next_b, left ? d->a.m->atoms.at[l->first_a + l->next_a] : NONE,
                    right ? d->b.m->atoms.at[l->first_b + l->next_b] : NONE);
        if (even && l->what == WHAT_OPERAND)
            *vec_push(d->mem, &d->aligned) = (struct diff_place){l->next_a, l->next_b};
        l->next_a += left;
        l->next_b += right;
    }
}

static void
take_line(void *arg, u32 a, u32 b)
{
    struct aligning *l = arg;
    line_up(l, a, b);
    if (l->what == WHAT_OPERAND)
        *vec_push(l->d->mem, &l->d->aligned) = (struct diff_place){a, b};
    l->next_a = a + 1;
    l->next_b = b + 1;
}

void
diff_atoms(struct diff *d, enum diff_what what, const struct diff_operands *of_a, const struct diff_operands *of_b)
{
    struct aligning l = {.d = d, .first_a = of_a->first, .first_b = of_b->first, .what = what};
    const struct module *ma = d->a.m, *mb = d->b.m;
    u32 n_a = of_a->n, n_b = of_b->n;
    if (n_a == n_b) {
        for (u32 i = 0; i < n_a; i++)
            if (!diff_same_atom(d, of_a, i, of_b, i))
                change_atom(d, what, i, ma->atoms.at[of_a->first + i], mb->atoms.at[of_b->first + i]);
        return;
    }
    u64 *a = mem_alloc(d->mem, (n_a + 1) * sizeof *a), *b = mem_alloc(d->mem, (n_b + 1) * sizeof *b);
    for (u32 i = 0; i < n_a; i++)
        a[i] = atom_key(d, &d->a, of_a, i);
    for (u32 i = 0; i < n_b; i++)
        b[i] = atom_key(d, &d->b, of_b, i);
    diff_anchor(d->mem, (struct diff_keys){a, n_a}, (struct diff_keys){b, n_b}, take_line, &l);
    line_up(&l, n_a, n_b);
    mem_free(d->mem, a);
    mem_free(d->mem, b);
}

/* ---- types ------------------------------------------------------------------------------------------------------ */

/* whether some operand has another type; literals do not count */
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

/* whether some result has another type, was removed or was added */
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

/* reports the results with another type, then those that only one side has */
static void
change_types(struct diff *d, const struct eqn *a, const struct eqn *b)
{
    for (u32 i = 0; i < a->n_vars; i++) {
        var_t v = a->vars + i, partner = d->a.partner[v];
        type_t x = d->a.m->vars.at[v].type, y = partner == NONE ? NONE : d->b.m->vars.at[partner].type;
        if (partner != NONE && !diff_same_type(d, x, y))
            diff_add_change(d, WHAT_TYPE, i, nothing, diff_type_text(&d->a, x), diff_type_text(&d->b, y));
        else if (partner == NONE)
            diff_add_change(d, WHAT_TYPE, i, nothing, diff_binder_text(&d->a, v), nothing);
    }
    for (u32 i = 0; i < b->n_vars; i++)
        if (d->b.partner[b->vars + i] == NONE)
            diff_add_change(d, WHAT_TYPE, i, nothing, nothing, diff_binder_text(&d->b, b->vars + i));
}

/* reports literals that print differently because their position has another type */
static void
echo_literals(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct diff_operands a = operands_of(&d->a, ea), b = operands_of(&d->b, eb);
    for (u32 i = 0; i < a.n && a.n == b.n; i++) {
        atom_t x = d->a.m->atoms.at[a.first + i], y = d->b.m->atoms.at[b.first + i];
        if (atom_kind(x) == ATOM_LIT && atom_kind(y) == ATOM_LIT && !is_same_literal(d, atom_id(x), atom_id(y)) &&
            diff_same_atom(d, &a, i, &b, i))
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

/* whether the two operands of a commutative operation correspond in exchanged order */
static bool
is_swapped(struct diff *d, eqn_t ea, eqn_t eb)
{
    const struct diff_operands a = operands_of(&d->a, ea), b = operands_of(&d->b, eb);
    return canon_commutes(&d->a.c, ea) && b.n == 2 && diff_same_atom(d, &a, 0, &b, 1) &&
           diff_same_atom(d, &a, 1, &b, 0);
}

bool
diff_changes(struct diff *d, eqn_t ea, eqn_t eb, struct diff_item *item)
{
    const struct eqn a = d->a.m->eqns.at[ea], b = d->b.m->eqns.at[eb];
    const struct diff_operands of_a = operands_of(&d->a, ea), of_b = operands_of(&d->b, eb);
    bool same_kind = d->a.kind[ea] == d->b.kind[eb];
    item->changes = d->changes.n;
    item->inners = d->inners.n;
    if (!same_kind)
        change_primitive(d, &a, &b);
    bool replaced = d->changes.n > item->changes;
    d->operands = (struct diff_alignment){.first = d->aligned.n};
    if (!is_swapped(d, ea, eb))
        diff_atoms(d, WHAT_OPERAND, &of_a, &of_b);
    if (a.n_atoms != b.n_atoms)
        d->operands =
            (struct diff_alignment){d->operands.first, d->aligned.n - d->operands.first, a.n_atoms, b.n_atoms};
    bool retyped = results_retyped(d, &a, &b);
    d->following = (retyped || !same_kind) && operands_retyped(d, &a, &b);
    bool plain = a.form <= EQN_CALL_BARE && b.form <= EQN_CALL_BARE;
    if (!same_kind && plain)
        diff_params(d, ea, eb, replaced);
    item->n_inners = d->inners.n - item->inners;
    if (item->n_inners == 0)
        d->aligned.n = d->operands.first;
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
