/* SPDX-License-Identifier: Apache-2.0
 *
 * Value numbers: each variable has a leader, the first variable of its jaxpr that is computed by the same primitive
 * from the same operands with the same parameters. Operands, literals and parameters are compared byte for byte;
 * each nested program has a leader, the first program that is equal except for names. Hash matches are compared; what
 * is not printed, constants and elided elements, is equal to nothing. From the inside out, with one hash for each
 * equation: operands are identified by the position of their leader's binder, not by name. */
#include "ir/identity.h"
#include "lint/facts.h"

struct numbering {
    struct lint *l;
    struct memo by_hash; /* a hash: the last equation with it, plus one */
    struct memo jaxprs;  /* a hash: the last jaxpr with it, plus one */
};

/* the tables use 31 bits of a hash, since entries are compared */
static u32
key_of(u64 hash)
{
    return (u32)(hash >> 32) & 0x7fffffff;
}

/* ---- what is compared ---- */

static u64
leader_of(const void *lint, var_t v)
{
    return ((const struct lint *)lint)->numbers.leaders[v];
}

static u64
leader_place(const void *lint, var_t v)
{
    const struct lint *l = lint;
    return l->numbers.places[l->numbers.leaders[v]];
}

static u64
place_of(const void *lint, var_t v)
{
    return ((const struct lint *)lint)->numbers.places[v];
}

static u64
type_of(const void *lint, var_t v)
{
    return ((const struct lint *)lint)->m->vars.at[v].type;
}

/* a type and, for a variable that sizes refer to, its name: types are compared as text */
static u64
type_and_size(const void *lint, var_t v)
{
    const struct lint *l = lint;
    return type_of(l, v) | (l->facts.sizes[v] ? (u64)l->m->vars.at[v].name + 1 : 0) << 32;
}

static u64
shape_of_part(const void *lint, const struct segment *part)
{
    const struct lint *l = lint;
    jaxpr_t j = segment_jaxpr(l->m, part);
    return j == NONE ? 0 : l->numbers.shapes[j];
}

/* the leader of a program: programs with the same one are equal. Absent lets are equal, too */
static u64
part_leader(const void *lint, const struct segment *part)
{
    const struct lint *l = lint;
    jaxpr_t j = segment_jaxpr(l->m, part);
    if (j == NONE)
        return part->kind == SEGMENT_SHARED || part->kind == SEGMENT_JAXPR ? SAME_AS_NOTHING : 0;
    return l->numbers.jaxpr_leaders[j] == NONE ? SAME_AS_NOTHING : l->numbers.jaxpr_leaders[j] + 1ull;
}

/* ---- leaders of variables ---- */

/* makes each of n variables its own leader */
static void
make_leaders(struct lint *l, var_t first, u32 n, u32 *place)
{
    for (u32 i = 0; i < n; i++) {
        l->numbers.leaders[first + i] = first + i;
        l->numbers.places[first + i] = (*place)++;
    }
}

/* finds the leaders of an equation's results, given its hash */
static void
number_equation(struct numbering *n, eqn_t e, u64 hash)
{
    struct lint *l = n->l;
    const struct module *m = l->m;
    const struct identity k = {m, l, leader_of, type_of, part_leader};
    const struct eqn *eqn = &m->eqns.at[e];
    u64 by_hash = memo_get(&n->by_hash, key_of(hash));
    if (by_hash == 0 || !same_eqn(&k, &m->eqns.at[by_hash - 1], eqn))
        memo_set(m->mem, &n->by_hash, key_of(hash), e + 1ull);
    else
        for (u32 i = 0; i < eqn->n_vars; i++)
            l->numbers.leaders[eqn->vars + i] = m->eqns.at[by_hash - 1].vars + i;
}

/* numbers the values of a jaxpr and hashes it; one with refs, whose indices are not compared, equals no other */
static u64
number_jaxpr(struct numbering *n, jaxpr_t id)
{
    struct lint *l = n->l;
    const struct module *m = l->m;
    const struct identity k = {m, l, leader_place, type_of, shape_of_part};
    const struct jaxpr *j = &m->jaxprs.at[id];
    u32 place = 0;
    u64 h = identity_vars(&k, hash_seeded(j->n_consts, j->n_ins), j->vars, jaxpr_binders(j));
    make_leaders(l, j->vars, jaxpr_binders(j), &place);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        u64 hash = identity_head(&k, identity_params(&k, 1, eqn->params), eqn);
        h = h == 0 || hash == 0 ? 0 : hash_seeded(h, hash);
        make_leaders(l, eqn->vars, eqn->n_vars, &place);
        if (hash != 0 && eqn->n_vars && lint_is_repeatable(l, e))
            number_equation(n, e, hash);
    }
    memo_free(m->mem, &n->by_hash); /* leaders are within one jaxpr */
    h = h == 0 ? 0 : identity_atoms(&k, h, j->outs, j->n_outs);
    return (h == 0 ? hash_seeded(id, 0) : h) | 1;
}

/* ---- leaders of programs ---- */

static bool
same_jaxpr(const struct lint *l, const struct jaxpr *a, const struct jaxpr *b)
{
    const struct module *m = l->m;
    const struct identity k = {m, l, place_of, type_and_size, part_leader};
    eqn_t e = a->eqns, f = b->eqns;
    if (a->n_ins != b->n_ins || a->n_outs != b->n_outs || a->n_eqns != b->n_eqns ||
        !same_vars(&k, a->vars, b->vars, a->n_ins))
        return false;
    for (; e != NONE && f != NONE; e = m->eqns.at[e].next, f = m->eqns.at[f].next)
        if (!same_eqn(&k, &m->eqns.at[e], &m->eqns.at[f]))
            return false;
    return e == f && same_atoms(&k, a->outs, b->outs, a->n_outs);
}

/* the first jaxpr that computes the same; NONE if it has constants, which are not printed */
static jaxpr_t
jaxpr_leader(struct numbering *n, jaxpr_t id)
{
    const struct lint *l = n->l;
    const struct jaxpr *jaxprs = l->m->jaxprs.at;
    u32 key = key_of(l->numbers.shapes[id]);
    if (jaxprs[id].n_consts)
        return NONE;
    u64 by_hash = memo_get(&n->jaxprs, key);
    if (by_hash && same_jaxpr(l, &jaxprs[by_hash - 1], &jaxprs[id]))
        return (jaxpr_t)(by_hash - 1);
    memo_set(l->m->mem, &n->jaxprs, key, id + 1ull);
    return id;
}

void
lint_number_values(struct lint *l)
{
    struct module *m = l->m;
    if (l->numbers.leaders)
        return;
    struct numbering n = {.l = l};
    l->numbers.leaders = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->numbers.leaders);
    l->numbers.shapes = mem_zeroed(m->mem, (m->jaxprs.n + 1ull) * sizeof *l->numbers.shapes);
    l->numbers.jaxpr_leaders = mem_alloc(m->mem, (m->jaxprs.n + 1ull) * sizeof *l->numbers.jaxpr_leaders);
    memset(l->numbers.jaxpr_leaders, 0xff, (m->jaxprs.n + 1ull) * sizeof *l->numbers.jaxpr_leaders);
    l->numbers.places = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->numbers.places);
    for (u32 i = 0; i < l->facts.order.n; i++) {
        jaxpr_t id = l->facts.order.at[i];
        l->numbers.shapes[id] = number_jaxpr(&n, id);
        l->numbers.jaxpr_leaders[id] = jaxpr_leader(&n, id);
    }
    memo_free(m->mem, &n.jaxprs);
}
