/* SPDX-License-Identifier: Apache-2.0
 *
 * Which primitives eliminate dead code in their nested programs (the dce_rules of jax/_src: pjit, ad_checkpoint,
 * custom_derivatives, shard_map, lax/control_flow, interpreters/partial_eval, compute_on, xla_metadata, hijax; 0.4.28
 * to 0.12). A row of the table has the key of the program and of the tuples that depend on operands and results; loops
 * and branches have rules of their own in dce_loops.c. */
#include "rewrite/dce_rules.h"

#include "base/lexical.h"

bool
mask_all(const u8 *bits, u32 n)
{
    return mask_count(bits, n) == n;
}

static bool
mask_any(const u8 *bits, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (bits[i])
            return true;
    return false;
}

u32
mask_count(const u8 *bits, u32 n)
{
    u32 count = 0;
    for (u32 i = 0; i < n; i++)
        count += bits[i] != 0;
    return count;
}

enum dce_answer
dce_drop(struct dce_visit *t)
{
    memset(t->ins, 0, t->n_ins);
    return DCE_DROP;
}

void
params_copy(struct dce *d, struct dce_visit *t)
{
    param_t last = NONE, first = NONE;
    for (param_t p = d->m->eqns.at[t->e].params; p != NONE; p = d->m->params.at[p].next) {
        param_t copy = copy_param(d->m, p, &last);
        first = first == NONE ? copy : first;
    }
    t->params = first;
    t->changed = true;
}

param_t
params_find(const struct dce *d, const struct dce_visit *t, struct slice key)
{
    struct name_buffer buffer;
    for (param_t p = t->params; p != NONE; p = d->m->params.at[p].next)
        if (d->m->params.at[p].key != NONE && slice_eq(module_name(d->m, d->m->params.at[p].key, &buffer), key))
            return p;
    return NONE;
}

static void
params_remove(struct dce *d, struct dce_visit *t, param_t gone)
{
    param_t *link = &t->params;
    while (*link != gone)
        link = &d->m->params.at[*link].next;
    *link = d->m->params.at[gone].next;
}

/* true if every element of a tuple is the word */
static bool
tuple_is_all(struct dce *d, struct slice text, struct slice word)
{
    struct slices elements = {0};
    bool all = tuple_split(d->m->mem, text, &elements);
    for (u32 i = 0; i < elements.n; i++)
        all &= slice_eq(elements.at[i], word);
    vec_free(d->m->mem, &elements);
    return all;
}

/* keeps the marked elements of a tuple parameter; jit omits trivial tuples */
static void
filter(struct dce *d, struct dce_visit *t, const char *key, const char *default_value, const u8 *keep, u32 n)
{
    struct module *m = d->m;
    param_t p = params_find(d, t, slice_of(key));
    if (p == NONE)
        return;
    struct slice text = tuple_filter(m->mem, param_bytes(m, &m->params.at[p]), keep, n);
    if (*default_value && tuple_is_all(d, text, slice_of(default_value)))
        params_remove(d, t, p);
    else
        param_set_text(m, p, text);
}

void
params_filter(struct dce *d, struct dce_visit *t, const char *keys, const u8 *keep, u32 n)
{
    char key[64], default_value[64];
    while (keys && *keys) {
        u32 k = 0, s = 0;
        while (*keys == ' ')
            keys++;
        while (*keys && *keys != ' ' && *keys != '?' && k < sizeof key - 1)
            key[k++] = *keys++;
        if (*keys == '?')
            for (keys++; *keys && *keys != ' ' && s < sizeof default_value - 1;)
                default_value[s++] = *keys++;
        key[k] = default_value[s] = 0;
        if (k)
            filter(d, t, key, default_value, keep, n);
    }
}

void
params_set_int(struct dce *d, struct dce_visit *t, const char *key, u32 value)
{
    param_t p = params_find(d, t, slice_of(key));
    if (p != NONE)
        param_set_text(d->m, p, arena_printf(d->m->mem, "%u", value));
}

/* ---- rules ---- */

/* jax/_src/interpreters/partial_eval.py, _default_dce_rule */
static enum dce_answer
rule_default(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    (void)d;
    (void)row;
    return t->any_out || t->effects ? DCE_KEEP : dce_drop(t);
}

static enum dce_answer
rule_never(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    (void)d;
    (void)t;
    (void)row;
    return DCE_KEEP;
}

static jaxpr_t
replace_jaxpr(void *user, jaxpr_t old)
{
    (void)old;
    return *(jaxpr_t *)user;
}

/* the name of an equation's primitive; a vjp node has that of its function */
static struct slice
prim_of(const struct dce *d, eqn_t e, struct name_buffer *buffer)
{
    struct slice prim = module_name(d->m, d->m->eqns.at[e].prim, buffer), node = SLICE("vjp_node[");
    if (slice_starts(prim, node) && prim.at[prim.n - 1] == ']')
        prim = (struct slice){prim.at + node.n, prim.n - node.n - 1};
    return prim;
}

/* the parameter that contains the program of a call, or NONE */
static param_t
find_program(const struct dce *d, const struct dce_visit *t)
{
    struct name_buffer buffer;
    struct prim row;
    struct prim_param param;
    param_t p = NONE;
    if (prim_named(prim_of(d, t->e, &buffer), &row))
        for (const char *at = row.params; p == NONE && prim_param_next(&at, &param);)
            if (slice_eq(param.role, SLICE("JAXPR")))
                p = params_find(d, t, param.key);
    return p;
}

static enum dce_answer
rule_call(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    struct module *m = d->m;
    param_t p = find_program(d, t);
    if (!t->any_out && !t->effects)
        return dce_drop(t);
    if (p == NONE || m->params.at[p].kind != PARAM_JAXPR)
        return DCE_KEEP;
    jaxpr_t old = m->params.at[p].a;
    if (m->jaxprs.at[old].n_ins != t->n_ins || m->jaxprs.at[old].n_outs != t->n_outs)
        return DCE_KEEP;
    struct dced new;
    if (!dce_ask(d, old, t->outs, row->instantiate ? t->ins : NULL, row->instantiate ? NULL : t->live, &new))
        return DCE_WAIT;
    memcpy(t->ins, new.ins, t->n_ins);
    memcpy(t->results, t->outs, t->n_outs);
    if (!t->any_out && !mask_any(t->ins, t->n_ins) && !new.effects)
        return DCE_DROP;
    if (new.jaxpr == old && mask_all(t->ins, t->n_ins) && mask_all(t->outs, t->n_outs))
        return DCE_KEEP;
    params_copy(d, t);
    param_change(m, find_program(d, t), replace_jaxpr, &new.jaxpr);
    params_filter(d, t, row->ins, t->ins, t->n_ins);
    params_filter(d, t, row->outs, t->outs, t->n_outs);
    param_t bwd = params_find(d, t, SLICE("fun_jaxpr")) != NONE ? params_find(d, t, SLICE("bwd")) : NONE;
    if (bwd != NONE && slice_starts(param_bytes(m, &m->params.at[bwd]), SLICE(WRAPPED_FUNCTION)))
        param_set_text(m, bwd, SLICE(WRAPPED_FUNCTION "\n\nCore: dce_bwd\n"));
    return DCE_KEEP;
}

/* jax/_src/hijax.py, _call_hi_primitive_linearized_dce (0.12): removed results are marked in nz_out_flat */
static enum dce_answer
rule_linearized(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    struct module *m = d->m;
    (void)row;
    if (!t->any_out && !t->effects)
        return dce_drop(t);
    param_t p = params_find(d, t, SLICE("nz_out_flat"));
    if (mask_all(t->outs, t->n_outs) || p == NONE)
        return DCE_KEEP;
    memcpy(t->results, t->outs, t->n_outs);
    struct slices flags = {0};
    u32 at = 0;
    if (tuple_split(m->mem, param_bytes(m, &m->params.at[p]), &flags)) {
        for (u32 i = 0; i < flags.n; i++)
            if (slice_eq(flags.at[i], SLICE("True")) && at < t->n_outs && !t->outs[at++])
                flags.at[i] = SLICE("False");
        params_copy(d, t);
        param_set_text(m, params_find(d, t, SLICE("nz_out_flat")), tuple_join(m->mem, flags.at, flags.n));
    }
    vec_free(m->mem, &flags);
    return DCE_KEEP;
}

/* jax/_src/custom_derivatives.py, _remat_opt_dce (since 0.4.29). If no residual is needed, JAX calls the function
 * itself, which is not printed and may compute differently: then nothing changes */
static enum dce_answer
rule_remat_opt(struct dce *d, struct dce_visit *t, const struct dce_row *row)
{
    struct module *m = d->m;
    (void)row;
    param_t p = find_program(d, t), consts = params_find(d, t, SLICE("num_consts")),
            res = params_find(d, t, SLICE("num_res"));
    if (!t->any_out && !t->effects)
        return dce_drop(t);
    if (p == NONE || m->params.at[p].kind != PARAM_JAXPR || consts == NONE || res == NONE)
        return DCE_KEEP;
    i64 n_consts = text_int(param_bytes(m, &m->params.at[consts])),
        n_res = text_int(param_bytes(m, &m->params.at[res]));
    jaxpr_t old = m->params.at[p].a;
    if (m->jaxprs.at[old].n_ins != t->n_ins || m->jaxprs.at[old].n_outs != t->n_outs || n_consts < 0 || n_res < 0 ||
        n_consts > t->n_ins || n_res > t->n_outs)
        return DCE_KEEP;
    if (!mask_any(t->outs, (u32)n_res))
        return DCE_KEEP;
    u8 *inst = mem_alloc(m->mem, t->n_ins + 1);
    memset(inst, 1, t->n_ins);
    memset(inst, 0, (size_t)n_consts);
    struct dced new;
    bool known = dce_ask(d, old, t->outs, inst, NULL, &new);
    mem_free(m->mem, inst);
    if (!known)
        return DCE_WAIT;
    memcpy(t->ins, new.ins, t->n_ins);
    memcpy(t->results, t->outs, t->n_outs);
    params_copy(d, t);
    param_change(m, find_program(d, t), replace_jaxpr, &new.jaxpr);
    params_set_int(d, t, "num_consts", mask_count(t->ins, (u32)n_consts));
    params_set_int(d, t, "num_res", mask_count(t->outs, (u32)n_res));
    return DCE_KEEP;
}

static const struct dce_row rows[DCE_OF_END] = {
    [DCE_OF_OTHERS] = {.rule = rule_default},
    [DCE_OF_NEVER] = {.rule = rule_never},
    [DCE_OF_CALL] = {.rule = rule_call},
    [DCE_OF_JIT] = {.rule = rule_call,
                    .ins = "donated_invars?False in_shardings?UnspecifiedValue in_layouts?None",
                    .outs = "out_shardings?UnspecifiedValue out_layouts?None"},
    [DCE_OF_PROGRAM_ORDER] = {JAX_DCE_PROGRAM_ORDER, rule_call, .ins = "exclude_mask"},
    [DCE_OF_REMAT] = {.rule = rule_call, .ins = "prevent_cse"},
    [DCE_OF_REMAT_OPT] = {JAX_DCE_REMAT_OPT, rule_remat_opt},
    [DCE_OF_CUSTOM_CALL] = {JAX_DCE_CUSTOM_CALLS, rule_call, .instantiate = true, .recreates = true},
    [DCE_OF_SHARD_MAP] = {.rule = rule_call,
                          .ins = "in_specs in_names",
                          .outs = "out_specs out_names",
                          .recreates = true},
    [DCE_OF_PMAP] = {.rule = rule_call, .ins = "donated_invars in_axes", .outs = "out_axes"},
    [DCE_OF_COMPUTE_ON] = {JAX_DCE_COMPUTE_ON, rule_call, .outs = "out_memory_spaces", .recreates = true},
    [DCE_OF_XLA_METADATA] = {JAX_DCE_XLA_METADATA, rule_call, .recreates = true},
    [DCE_OF_SCAN] = {.rule = dce_scan, .ins = "linear"},
    [DCE_OF_WHILE] = {JAX_DCE_WHILE, dce_while},
    [DCE_OF_COND] = {.rule = dce_cond, .ins = "linear"},
    [DCE_OF_PALLAS] = {JAX_DCE_KEEPS_PALLAS, rule_never},
};

static const struct dce_row linearized_row = {.rule = rule_linearized};

const struct dce_row *
dce_row_find(struct dce *d, eqn_t e)
{
    struct name_buffer buffer;
    struct slice prim = module_name(d->m, d->m->eqns.at[e].prim, &buffer), linear = SLICE(".linearized");
    if (prim.n > linear.n && memcmp(prim.at + prim.n - linear.n, linear.at, linear.n) == 0)
        return &linearized_row;
    const struct dce_row *row = &rows[prim_columns(prim_of(d, e, &buffer))->dce];
    return range_has(d->version, row->since) ? row : &rows[DCE_OF_OTHERS];
}
