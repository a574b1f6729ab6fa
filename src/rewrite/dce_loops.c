/* SPDX-License-Identifier: Apache-2.0
 *
 * Dead code in loops and branches (jax/_src/lax/control_flow, _scan_dce_rule, _while_dce_rule, _cond_dce_rule). A
 * carried value is needed where a needed one depends on it, which is found by requests for the body with more
 * results until nothing is added; each request of a loop has more than the one before, so that their number is
 * bounded by the length of the carry. */
#include "rewrite/dce_rules.h"

#include "regions/region_map.h"

struct replacing {
    jaxpr_t *fresh;
    u32 next;
};

static jaxpr_t
next_fresh(void *user, jaxpr_t old)
{
    struct replacing *r = user;
    (void)old;
    return r->fresh[r->next++];
}

/* whether the value of a parameter is a program of its own, so that it can be replaced */
static bool
holds_own(const struct dce *d, const struct dce_visit *t, const char *key)
{
    param_t p = params_find(d, t, slice_of(key));
    return p != NONE && d->m->params.at[p].kind == PARAM_JAXPR;
}

/* the bytes of a parameter; empty if there is none, or if it contains programs */
static struct slice
param_text(const struct dce *d, const struct dce_visit *t, const char *key)
{
    param_t p = params_find(d, t, slice_of(key));
    if (p == NONE || d->m->params.at[p].kind != PARAM_TEXT)
        return (struct slice){"", 0};
    return param_bytes(d->m, &d->m->params.at[p]);
}

static void
set_jaxpr(struct dce *d, struct dce_visit *t, const char *key, jaxpr_t j)
{
    struct replacing one = {&j, 0};
    param_change(d->m, params_find(d, t, slice_of(key)), next_fresh, &one);
}

/* reads how the operands of a loop or branch of JAX are passed to its programs; false if counts, operands or results do
 * not fit. Linear in the regions */
static bool
regions_read(struct dce *d, const struct dce_visit *t, enum region_kind kind)
{
    const struct region_map *map = &d->map;
    if (!region_map_read(d->m, t->e, &d->map) || map->kind != kind || map->system != SYSTEM_JAX ||
        map->operands != t->n_ins || map->n_carry > t->n_outs)
        return false;
    for (u32 k = 0; k < map->regions.n; k++) {
        bool condition = kind == REGION_WHILE && k == WHILE_CONDITION;
        if (map->regions.at[k].jaxpr == NONE)
            return false;
        const struct jaxpr *j = &d->m->jaxprs.at[map->regions.at[k].jaxpr];
        if (j->n_outs != (condition ? 1 : t->n_outs) ||
            (kind == REGION_BRANCH && j->n_ins + map->selectors != t->n_ins))
            return false;
    }
    return map->regions.n > 0;
}

enum dce_answer
dce_scan(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    struct module *m = d->m;
    if (!t->any_out && !t->effects)
        return dce_drop(t);
    if (!holds_own(d, t, "jaxpr") || !regions_read(d, t, REGION_SCAN))
        return DCE_KEEP;
    const jaxpr_t body = d->map.regions.at[0].jaxpr;
    const u32 consts = d->map.regions.at[0].n_consts, carry = d->map.n_carry;
    struct dced new;
    u8 *inst = mem_alloc(m->mem, 2 * (size_t)t->n_ins + 1), *live = inst + t->n_ins;
    memcpy(t->results, t->outs, t->n_outs);
    memcpy(live, t->live, t->n_ins);
    for (bool stable = false; !stable;) {
        memset(inst, 0, t->n_ins);
        memcpy(inst + consts, t->results, carry);
        if (!dce_ask(d, body, t->results, inst, live, &new)) {
            mem_free(m->mem, inst);
            return DCE_WAIT;
        }
        stable = true;
        for (u32 i = 0; i < carry; i++)
            if (new.ins[consts + i] && !t->results[i]) {
                t->results[i] = 1;
                stable = false;
            }
        for (u32 i = 0; i < t->n_ins; i++)
            if (new.ins[i] && !live[i]) {
                live[i] = 1;
                stable = false;
            }
    }
    mem_free(m->mem, inst);
    memcpy(t->ins, new.ins, t->n_ins);
    struct slice in = param_text(d, t, "ft_in"), out = param_text(d, t, "ft_out");
    bool again = !range_has(d->version, JAX_DCE_KEEPS_SCANS) && in.n;
    bool whole = mask_all(t->ins, t->n_ins) && mask_all(t->results, t->n_outs);
    if (!again && new.jaxpr == body && whole)
        return DCE_KEEP;
    params_copy(d, t);
    set_jaxpr(d, t, "jaxpr", new.jaxpr);
    params_filter(d, t, row->ins, t->ins, t->n_ins);
    params_set_int(d, t, "num_consts", mask_count(t->ins, consts));
    params_set_int(d, t, "num_carry", mask_count(t->ins + consts, carry));
    if (in.n && out.n && !(whole && flat_filtered(in))) { /* JAX wraps the tree again each time */
        struct slice filtered = flat_filter(m->mem, in, t->ins, t->n_ins);
        d->respelled |= !slice_eq(filtered, in);
        param_set_text(m, params_find(d, t, SLICE("ft_in")), filtered);
        param_set_text(m, params_find(d, t, SLICE("ft_out")), flat_filter(m->mem, out, t->results, t->n_outs));
    }
    return DCE_KEEP;
}

/* The state of a while loop: masks over its operands (constants of the condition, of the body, carried values). */
struct loop {
    struct loop_part {
        jaxpr_t jaxpr;
        u32 first, consts; /* its constants among the operands */
        struct dced new;
    } cond, body;
    u32 carry;
    u8 *live; /* operands whose contents are read in the loop or later */
    u8 *inst;
};

static bool
while_read(struct dce *d, const struct dce_visit *t, struct loop *l)
{
    if (!holds_own(d, t, "cond_jaxpr") || !holds_own(d, t, "body_jaxpr") || !regions_read(d, t, REGION_WHILE))
        return false;
    const struct region *body = &d->map.regions.at[WHILE_BODY], *cond = &d->map.regions.at[WHILE_CONDITION];
    l->cond = (struct loop_part){.jaxpr = cond->jaxpr, .consts = cond->n_consts};
    l->body = (struct loop_part){.jaxpr = body->jaxpr, .first = cond->n_consts, .consts = body->n_consts};
    l->carry = d->map.n_carry;
    return l->carry == t->n_outs && d->m->jaxprs.at[cond->jaxpr].n_ins == cond->n_consts + l->carry;
}

/* marks an operand, and others that are the same ref, as live */
static void
mark_live(const struct dce *d, const struct dce_visit *t, struct loop *l, u32 operand)
{
    const struct module *m = d->m;
    const atom_t *atoms = m->atoms.at + m->eqns.at[t->e].atoms;
    for (u32 i = 0; i < t->n_ins; i++)
        if (atoms[i] == atoms[operand])
            l->live[i] = 1;
}

/* requests the condition or the body */
static bool
ask_part(struct dce *d, struct loop *l, struct loop_part *p, const u8 *outs, const u8 *carry)
{
    u8 *inst = l->inst, *live = inst + p->consts + l->carry;
    memset(inst, 0, p->consts);
    memset(live, 1, p->consts + l->carry);
    memcpy(live, l->live + p->first, p->consts);
    for (u32 i = 0; i < l->carry; i++)
        inst[p->consts + i] = carry != NULL && carry[i];
    return dce_ask(d, p->jaxpr, outs, inst, live, &p->new);
}

/* one round; false if it has to wait. *stable becomes whether nothing was added */
static bool
while_round(struct dce *d, struct dce_visit *t, struct loop *l, bool *stable)
{
    static const u8 one = 1;
    *stable = true;
    if (!ask_part(d, l, &l->cond, &one, NULL))
        return false;
    for (u32 i = 0; i < l->cond.consts; i++)
        if (l->cond.new.ins[i] && !l->live[i]) {
            mark_live(d, t, l, i);
            *stable = false;
        }
    for (u32 i = 0; i < l->carry; i++)
        t->results[i] |= l->cond.new.ins[l->cond.consts + i];
    if (!ask_part(d, l, &l->body, t->results, t->results))
        return false;
    for (u32 i = 0; i < l->body.consts + l->carry; i++)
        if (l->body.new.ins[i] && i < l->body.consts && !l->live[l->cond.consts + i]) {
            mark_live(d, t, l, l->cond.consts + i);
            *stable = false;
        } else if (l->body.new.ins[i] && i >= l->body.consts && !t->results[i - l->body.consts]) {
            t->results[i - l->body.consts] = 1;
            *stable = false;
        }
    return true;
}

static enum dce_answer
while_finish(struct dce *d, struct dce_visit *t, struct loop *l)
{
    static const u8 one = 1;
    u32 all = l->cond.consts + l->body.consts;
    memcpy(t->ins + l->cond.consts, l->body.new.ins, l->body.consts);
    if (!ask_part(d, l, &l->cond, &one, t->results))
        return DCE_WAIT;
    memcpy(t->ins, l->cond.new.ins, l->cond.consts);
    memcpy(t->ins + all, t->results, l->carry);
    if (l->cond.new.jaxpr == l->cond.jaxpr && l->body.new.jaxpr == l->body.jaxpr &&mask_all(t->ins, t->n_ins))
        return DCE_KEEP;
    params_copy(d, t);
    set_jaxpr(d, t, "cond_jaxpr", l->cond.new.jaxpr);
    set_jaxpr(d, t, "body_jaxpr", l->body.new.jaxpr);
    params_set_int(d, t, "cond_nconsts", mask_count(t->ins, l->cond.consts));
    params_set_int(d, t, "body_nconsts", mask_count(t->ins + l->cond.consts, l->body.consts));
    return DCE_KEEP;
}

enum dce_answer
dce_while(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    struct loop l = {0};
    (void)row;
    if (!t->any_out && !t->effects)
        return dce_drop(t);
    if (!while_read(d, t, &l))
        return DCE_KEEP;
    u8 *scratch = mem_alloc(d->m->mem, 3 * (size_t)t->n_ins + 1);
    l.live = scratch;
    l.inst = scratch + t->n_ins;
    memcpy(l.live, t->live, t->n_ins);
    memcpy(t->results, t->outs, t->n_outs);
    enum dce_answer answer = DCE_KEEP;
    for (bool stable = false; !stable && answer == DCE_KEEP;)
        if (!while_round(d, t, &l, &stable))
            answer = DCE_WAIT;
    if (answer == DCE_KEEP)
        answer = while_finish(d, t, &l);
    mem_free(d->m->mem, scratch);
    return answer;
}

/* The branches of a cond and what becomes of them. */
struct branches {
    VEC(jaxpr_t) at;
    jaxpr_t *fresh;
    u8 *ins; /* arguments that any of them needs */
};

/* requests every branch, the first one last, so that it is computed first; false if one has to wait */
static bool
ask_branches(struct dce *d, const struct dce_visit *t, struct branches *b, const u8 *inst)
{
    bool known = true;
    for (u32 i = b->at.n; i-- > 0;) {
        struct dced new;
        if (!dce_ask(d, b->at.at[i], t->outs, inst, t->live + 1, &new)) {
            known = false;
            continue;
        }
        b->fresh[i] = new.jaxpr;
        for (u32 k = 0; k + 1 < t->n_ins; k++)
            b->ins[k] |= new.ins[k];
    }
    return known;
}

enum dce_answer
dce_cond(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    struct module *m = d->m;
    param_t p = params_find(d, t, SLICE("branches"));
    struct branches b = {0};
    if (!t->any_out && !t->effects)
        return dce_drop(t);
    if (p == NONE || m->params.at[p].kind != PARAM_TUPLE)
        return DCE_KEEP;
    bool fits = regions_read(d, t, REGION_BRANCH);
    for (u32 s = m->params.at[p].a; s != NONE && fits; s = m->segments.at[s].next)
        fits = m->segments.at[s].kind == SEGMENT_JAXPR;
    for (u32 k = 0; k < d->map.regions.n && fits; k++)
        *vec_push(m->mem, &b.at) = d->map.regions.at[k].jaxpr;
    u32 n = b.at.n;
    b.ins = mem_zeroed(m->mem, t->n_ins + 1);
    b.fresh = mem_alloc(m->mem, (n + 1) * sizeof *b.fresh);
    enum dce_answer answer = DCE_KEEP;
    if (fits && !ask_branches(d, t, &b, NULL))
        answer = DCE_WAIT;
    /* all branches take what one of them needs; an argument may need others, its sizes */
    for (u32 before = NONE, taken = mask_count(b.ins, t->n_ins); fits && answer == DCE_KEEP && before != taken;) {
        before = taken;
        answer = ask_branches(d, t, &b, b.ins) ? DCE_KEEP : DCE_WAIT;
        taken = mask_count(b.ins, t->n_ins);
    }
    bool changed = fits && answer == DCE_KEEP;
    if (changed) {
        memcpy(t->ins + 1, b.ins, t->n_ins - 1);
        memcpy(t->results, t->outs, t->n_outs);
        changed = !mask_all(b.ins, t->n_ins - 1) || !mask_all(t->outs, t->n_outs) ||
                  memcmp(b.fresh, b.at.at, n * sizeof *b.fresh) != 0;
    }
    if (changed) {
        struct replacing r = {b.fresh, 0};
        params_copy(d, t);
        param_change(m, params_find(d, t, SLICE("branches")), next_fresh, &r);
        params_filter(d, t, row->ins, b.ins, t->n_ins - 1);
    }
    mem_free_all(m->mem, b.ins, b.fresh, b.at.at);
    return answer;
}
