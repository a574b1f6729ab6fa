/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of correct equations, one per slot, which are found by a hash of types and parameter bytes and compared in
 * full. Equations with nested programs, refs, untyped results or findings are not cached, nor those whose rule read
 * more than the equation (rule.wide). Linear in the bytes of the parameters. */
#include "verify/verify_cache.h"
#include "ir/identity.h"
#include "verify/checker.h"

enum { MOST_OPERANDS = 16, LONGEST_VALUE = 512 };

static inline u64
type_of(const void *checker, var_t v)
{
    type_t type = ((const struct checker *)checker)->m->vars.at[v].type;
    return type == NONE ? SAME_AS_NOTHING : type;
}

static inline u64
type_of_operand(const void *checker, var_t v)
{
    const struct checker *c = checker;
    return var_reported(c, v) ? SAME_AS_NOTHING : type_of(c, v);
}

static inline u64
short_text(const void *checker, const struct segment *part)
{
    (void)checker;
    return part->kind == SEGMENT_TEXT && part->span.n <= LONGEST_VALUE ? 0 : SAME_AS_NOTHING;
}

u64
verified_hash(const struct checker *c, const struct eqn *eqn)
{
    const struct identity k = {c->m, c, type_of_operand, type_of, short_text, .types = true};
    if (eqn->n_atoms > MOST_OPERANDS || eqn->n_vars > MOST_OPERANDS || eqn->form > EQN_CALL_BARE)
        return 0;
    u64 h = identity_head(&k, (u64)(uintptr_t)c->m->types.view, eqn);
    return h == 0 ? 0 : identity_params(&k, h, eqn->params);
}

/* true for a literal whose own type says whether it fits, or which is the same as that of a correct equation; of
 * floats, both have `.0`, as the numbers of some types lack it, or neither has */
static bool
literal_known(const struct module *m, atom_t a, atom_t correct)
{
    const struct literal *l = &m->literals.at[atom_id(a)];
    if (l->type != NONE || (l->kind != LIT_INT && l->kind != LIT_FLOAT))
        return true;
    if (atom_kind(correct) != ATOM_LIT)
        return false;
    struct slice text = module_bytes(m, l->value), other = module_bytes(m, m->literals.at[atom_id(correct)].value);
    return l->kind == LIT_FLOAT ? slice_ends(text, SLICE(".0")) == slice_ends(other, SLICE(".0"))
                                : slice_eq(text, other);
}

bool
verified_before(struct checker *c, const struct eqn *eqn, u64 hash)
{
    const struct identity k = {c->m, c, type_of, type_of, short_text, .types = true};
    const struct verified *slot = &c->verified[hash >> c->verified_shift];
    if (slot->hash != hash || slot->view != c->m->types.view || !same_eqn(&k, eqn, &c->m->eqns.at[slot->e]))
        return false;
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = c->m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_LIT && !literal_known(c->m, a, c->m->atoms.at[c->m->eqns.at[slot->e].atoms + i]))
            return false;
    }
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = c->m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_LIT)
            check_literal(c, &c->m->literals.at[atom_id(a)]);
    }
    return true;
}

void
verified_keep(struct checker *c, eqn_t e, u64 hash)
{
    c->verified[hash >> c->verified_shift] = (struct verified){hash, c->m->types.view, e};
}
