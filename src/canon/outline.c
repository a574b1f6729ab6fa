/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes that are equal if digests are, and much cheaper: how often a program has each primitive, nested programs
 * included once for each use, independent of sharing and of lifted constants. Linear in the jaxprs, each of which is
 * summed once. */
#include "canon/outline.h"

#include "canon/spelling.h"
#include "ir/reach.h"

struct outlining {
    struct module *m;
    struct prims prims;
    struct slice without;
    u64 *sums; /* of each jaxpr; 0 if it is not computed yet */
};

/* the sum over the programs nested in an equation, without those in parameters that digests ignore */
static u64
sum_of_nested(const struct outlining *o, eqn_t e, struct slice prim)
{
    const struct module *m = o->m;
    struct nested held = nested_start(m, e);
    struct name_buffer buffer;
    u64 sum = 0;
    for (jaxpr_t j; (j = nested_next(m, &held)) != NONE;) {
        name_t key = m->params.at[held.param].key;
        if (key != NONE && !spelling_left_out(o->without, prim, module_name(m, key, &buffer)))
            sum += o->sums[j];
    }
    return sum;
}

static u64
sum_of(struct outlining *o, jaxpr_t j)
{
    const struct module *m = o->m;
    u64 sum = m->jaxprs.at[j].n_outs;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
        struct name_buffer buffer;
        const struct eqn *eqn = &m->eqns.at[e];
        const struct prim *row = prims_find(&o->prims, m, eqn->prim);
        sum += row != NULL ? hash_number(1, row->row) : hash_slice(2, module_name(m, eqn->prim, &buffer));
        if (eqn_holding(m, e) != NONE && eqn->form <= EQN_CALL_BARE)
            sum += sum_of_nested(o, e, row != NULL ? slice_of(row->name) : module_name(m, eqn->prim, &buffer));
    }
    return sum;
}

u32 *
canon_outlines(struct module *m, const program_t *programs, u32 n, unsigned ignored, struct slice without)
{
    struct outlining o = {.m = m, .without = without};
    struct jaxprs list = {0};
    u32 *outlines = mem_zeroed(m->mem, (n + 1ull) * sizeof *outlines);
    o.sums = mem_zeroed(m->mem, (m->jaxprs.n + 1ull) * sizeof *o.sums);
    prims_init(m->mem, &o.prims);
    for (u32 i = 0; i < n; i++) {
        jaxpr_t main = m->programs.at[programs[i]].main;
        if (main == NONE)
            continue;
        list.n = 0;
        if (!(ignored & CANON_DCE)) /* with CANON_DCE, digests ignore unused equations */
            reach_all(m, programs[i], &list);
        for (u32 k = 0; k < list.n; k++)
            o.sums[list.at[k]] = sum_of(&o, list.at[k]);
        outlines[i] = (u32)hash_number(o.sums[main], m->jaxprs.at[main].n_outs) & INT32_MAX;
    }
    prims_free(&o.prims);
    vec_free(m->mem, &list);
    mem_free(m->mem, o.sums);
    return outlines;
}
