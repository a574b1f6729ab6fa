/* SPDX-License-Identifier: Apache-2.0
 *
 * How values go into nested programs: which operand a binder receives, and whether it is the same one in every round of
 * a loop. O(parameters) an equation. */
#include "lint/facts.h"

#include "prims/trees.h"

/* how many constants a scan has: `num_consts`, or the first of the trees `ft_in` since 0.11; NONE where none is told */
static u32
scan_consts(const struct lint *l, eqn_t e)
{
    u32 counts[3];
    struct slice tree;
    i64 told = eqn_int(l->m, e, SLICE("num_consts"), -1);
    if (told >= 0)
        return (u32)told;
    return lint_param(l, e, SLICE("ft_in"), &tree) && flat_tree_counts(tree, counts, 3) ? counts[0] : NONE;
}

/* scan: constants, carry and slices of the operands, one for each binder */
static bool
read_scan(struct lint *l, eqn_t e)
{
    struct module *m = l->m;
    jaxpr_t id = eqn_jaxpr(m, e, SLICE("jaxpr"));
    u32 consts = scan_consts(l, e), n = m->eqns.at[e].n_atoms;
    if (id == NONE || consts == NONE || consts > n || m->jaxprs.at[id].n_ins != n)
        return false;
    struct inner *in = vec_push(m->mem, &l->layout.inners);
    *in = (struct inner){.jaxpr = id, .n_runs = 1, .runs = {{m->jaxprs.at[id].n_consts, n, 0}}};
    l->layout.kind = LAYOUT_LOOP;
    l->layout.carry = consts;
    return true;
}

bool
lint_flow(struct lint *l, eqn_t e)
{
    struct name_buffer buffer;
    if (layout_read(l->m, e, &l->layout))
        return true;
    l->layout.inners.n = 0;
    return slice_eq(module_name(l->m, l->m->eqns.at[e].prim, &buffer), SLICE("scan")) && read_scan(l, e);
}

bool
lint_flow_repeats(const struct lint *l, u32 operand)
{
    if (l->layout.kind != LAYOUT_LOOP && l->layout.kind != LAYOUT_WHILE)
        return false;
    return operand < l->layout.carry;
}
