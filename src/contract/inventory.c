/* SPDX-License-Identifier: Apache-2.0
 *
 * One walk over the jaxprs of a program, each once. For each primitive and type, its first SHOWN places in the text
 * are kept; an equation costs two look-ups. */
#include "contract/inventory.h"

#include "base/memo.h"
#include "resolve/check.h"
#include "ir/stats.h"
#include "contract/config.h"

struct gathering {
    struct module *m;
    struct prims *prims;
    struct inventory *out;
    struct memo prim_at, type_at; /* index into the lists, plus one */
};

/* counts an equation of a primitive, and keeps it if it is one of the first in the text */
static void
keep_eqn(const struct module *m, struct used_prim *p, eqn_t e)
{
    u32 i = p->places < SHOWN ? p->places : SHOWN;
    p->places++;
    if (i == SHOWN && m->eqns.at[p->first[--i]].offset <= m->eqns.at[e].offset)
        return;
    for (; i > 0 && m->eqns.at[p->first[i - 1]].offset > m->eqns.at[e].offset; i--)
        p->first[i] = p->first[i - 1];
    p->first[i] = e;
}

static void
keep_place(struct type_place *first, u32 *places, struct type_place place)
{
    u32 i = *places < SHOWN ? *places : SHOWN;
    ++*places;
    if (i == SHOWN && first[--i].at <= place.at)
        return;
    for (; i > 0 && first[i - 1].at > place.at; i--)
        first[i] = first[i - 1];
    first[i] = place;
}

static void
gather_prim(struct gathering *g, eqn_t e)
{
    const struct module *m = g->m;
    name_t name = m->eqns.at[e].prim;
    u64 at = memo_get(&g->prim_at, name);
    if (at == 0) {
        *vec_push(m->mem, &g->out->prims) = (struct used_prim){.name = name, .row = prims_find(g->prims, m, name)};
        at = g->out->prims.n;
        memo_set(m->mem, &g->prim_at, name, at);
    }
    keep_eqn(m, &g->out->prims.at[at - 1], e);
}

static void
gather_type(struct gathering *g, type_t type, struct type_place place, bool made)
{
    if (type == NONE)
        return;
    u64 at = memo_get(&g->type_at, type);
    if (at == 0) {
        *vec_push(g->m->mem, &g->out->types) = (struct used_type){.type = type};
        at = g->out->types.n;
        memo_set(g->m->mem, &g->type_at, type, at);
    }
    struct used_type *t = &g->out->types.at[at - 1];
    keep_place(t->first, &t->places, place);
    if (made)
        keep_place(t->first_made, &t->made, place);
}

static void
gather_eqn(struct gathering *g, eqn_t e)
{
    const struct module *m = g->m;
    const struct eqn *eqn = &m->eqns.at[e];
    if (eqn->form == EQN_ELLIPSIS || eqn->form == EQN_DAMAGED)
        return;
    gather_prim(g, e);
    for (u32 i = 0; i < eqn->n_vars; i++)
        gather_type(g, m->vars.at[eqn->vars + i].type, (struct type_place){PLACE_RESULT, e, i, eqn->offset}, true);
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_LIT)
            gather_type(g, m->literals.at[atom_id(a)].type, (struct type_place){PLACE_OPERAND, e, i, eqn->offset},
                        false);
    }
}

void
inventory_collect(struct module *m, struct prims *prims, jaxpr_t root, struct inventory *out)
{
    struct gathering g = {.m = m, .prims = prims, .out = out};
    struct jaxprs all = {0};
    struct stats stats;
    *out = (struct inventory){.root = root};
    stats_jaxpr(m, root, &stats);
    out->equations = stats.equations;
    reach_from(m, root, &all);
    for (u32 k = all.n; k-- > 0;) {
        const struct jaxpr *j = &m->jaxprs.at[all.at[k]];
        for (u32 i = 0; i < jaxpr_binders(j); i++)
            gather_type(&g, m->vars.at[j->vars + i].type, (struct type_place){PLACE_BINDER, all.at[k], i, j->offset},
                        i < j->n_consts);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            gather_eqn(&g, e);
    }
    for (u32 i = 0; i < stats.prims.n; i++) {
        u64 at = memo_get(&g.prim_at, stats.prims.at[i].prim);
        if (at != 0)
            out->prims.at[at - 1].count = stats.prims.at[i].n;
    }
    mem_free_all(m->mem, stats.prims.at, all.at, g.prim_at.slots, g.type_at.slots);
}

void
inventory_drop(struct module *m, struct inventory *inventory)
{
    vec_free(m->mem, &inventory->prims);
    vec_free(m->mem, &inventory->types);
}

struct span
type_place_span(const struct module *m, const struct type_place *place)
{
    bool result = place->kind == PLACE_RESULT;
    return typed_part(m, place->kind == PLACE_OPERAND
                             ? eqn_operand_span(m, place->of, place->i)
                             : binder_span(m, result ? NONE : place->of, result ? place->of : NONE, place->i));
}

struct slice
prim_matched_name(const struct used_prim *prim, struct slice pattern)
{
    struct slice name = slice_of(prim->row->name);
    if (glob_match(pattern, name, false))
        return name;
    for (const char *p = prim->row->also; *p != 0; p += strcspn(p, " "), p += strspn(p, " ")) {
        name = (struct slice){p, strcspn(p, " ")};
        if (glob_match(pattern, name, false))
            return name;
    }
    return SLICE("");
}

bool
prim_is_meant(const struct module *m, const struct used_prim *prim, struct slice pattern)
{
    struct name_buffer buffer;
    struct prim row;
    if (glob_match(pattern, module_name(m, prim->name, &buffer), false))
        return true;
    if (!prim->row)
        return false;
    if (prim_named(pattern, &row) && row.row == prim->row->row)
        return true;
    return glob_is_pattern(pattern) && prim_matched_name(prim, pattern).n > 0;
}
