/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of constants, family by family (check/layout.h), and the edits that hand on more of them. Each edit costs
 * its equation or its jaxpr. */
#include "rewrite/hand.h"

#include "rewrite/copy.h"
#include "ir/reach.h"
#include "rewrite/retype.h"

/* `num_consts` of scan; its operands begin with them */
static bool
post_of_scan(const struct module *m, eqn_t e, struct post *out)
{
    *out = (struct post){0, SLICE("num_consts")};
    return eqn_param(m, e, out->count) != NONE;
}

bool
post_find(const struct module *m, eqn_t e, jaxpr_t j, struct layout *l, struct post *out)
{
    u32 binders = m->jaxprs.at[j].n_ins + m->jaxprs.at[j].n_consts;
    if (prim_is(m, e, SLICE("scan")))
        return post_of_scan(m, e, out);
    *out = (struct post){0, {NULL, 0}};
    if (!layout_read(m, e, l)) /* a primitive that calls its one program */
        return m->eqns.at[e].params != NONE && m->jaxprs.at[j].n_ins == m->eqns.at[e].n_atoms;
    bool cond = l->kind == LAYOUT_WHILE && l->inners.n == 2 && l->inners.at[1].jaxpr == j;
    switch (l->kind) {
    case LAYOUT_CALL:
        if (eqn_param(m, e, SLICE("n_consts")) != NONE)
            *out = (struct post){m->eqns.at[e].n_atoms - binders, SLICE("n_consts")};
        return true;
    case LAYOUT_LOOP:
        *out = (struct post){l->system == SYSTEM_CATALYST_G0 ? 3 : 0, SLICE("body_nconsts")};
        break;
    case LAYOUT_WHILE:
        out->operand = cond ? 0 : (u32)eqn_int(m, e, SLICE("cond_nconsts"), 0);
        out->count = cond ? SLICE("cond_nconsts") : SLICE("body_nconsts");
        break;
    default:
        out->operand = l->selectors;
        return l->system != SYSTEM_PENNYLANE;
    }
    return l->system != SYSTEM_PENNYLANE && eqn_param(m, e, out->count) != NONE;
}

static u32
elements_of(const char *text, size_t n)
{
    u32 elements = 1;
    for (size_t i = 0; i < n; i++)
        elements += text[i] == ',';
    return elements;
}

/* `linear` and `donated_invars` say something of each operand; what is new is not so */
static void
flags_insert(struct module *m, eqn_t e, u32 at, u32 n)
{
    static const struct slice keys[] = {SLICE("linear"), SLICE("donated_invars")};
    for (size_t k = 0; k < countof(keys); k++) {
        param_t p = eqn_param(m, e, keys[k]);
        if (p == NONE)
            continue;
        struct slice text = module_bytes(m, m->params.at[p].span);
        size_t i = text.n > 0, elements = 0;
        while (i < text.n && elements < at)
            elements += text.at[i++] == ',';
        if (elements < at && i < text.n)
            continue; /* not a flag for each */
        struct sink out;
        sink_init_memory(&out, m->mem);
        sink_put(&out, text.at, i);
        if (elements == at && i > 0 && text.at[i - 1] == ',')
            sink_char(&out, ' ');
        for (u32 j = 0; j < n; j++)
            sink_put(&out, "False, ", 7);
        while (i < text.n && text.at[i] == ' ')
            i++;
        sink_put(&out, text.at + i, text.n - i);
        while (out.n > 1 && (out.at[out.n - 1] == ')' || out.at[out.n - 1] == ' ' || out.at[out.n - 1] == ','))
            out.n--;
        sink_put(&out, elements_of(out.at, out.n) > 1 ? ")" : ",)", elements_of(out.at, out.n) > 1 ? 1 : 2);
        param_set_text(m, p, arena_copy(m->mem, (struct slice){out.at, out.n}));
        mem_free(m->mem, out.at);
    }
}

void
operands_insert(struct module *m, eqn_t e, u32 at, const atom_t *atoms, u32 n)
{
    struct eqn eqn = m->eqns.at[e];
    u32 first = m->atoms.n;
    for (u32 i = 0; i < eqn.n_atoms + n; i++) {
        atom_t a = i < at ? m->atoms.at[eqn.atoms + i] : i < at + n ? atoms[i - at] : m->atoms.at[eqn.atoms + i - n];
        *vec_push(m->mem, &m->atoms) = a;
    }
    flags_insert(m, e, at, n);
    m->eqns.at[e].atoms = first;
    m->eqns.at[e].n_atoms = (eqn.n_atoms + n) & ((1u << 28) - 1);
}

void
count_add(struct module *m, eqn_t e, struct slice key, u32 n)
{
    param_t p = key.n ? eqn_param(m, e, key) : NONE;
    i64 count = p == NONE ? -1 : eqn_int(m, e, key, -1);
    if (count >= 0)
        param_set_text(m, p, arena_printf(m->mem, "%lld", (long long)(count + n)));
}

static void
follow(struct module *m, atom_t *a, u32 from, u32 n, u32 to, u32 at, u32 shift)
{
    if (atom_kind(*a) != ATOM_VAR || atom_id(*a) < from || atom_id(*a) - from >= n)
        return;
    u32 i = atom_id(*a) - from;
    *a = atom_make(ATOM_VAR, to + i + (i >= at ? shift : 0));
    (void)m;
}

u32
binders_insert(struct module *m, jaxpr_t id, u32 at, const var_t *binders, u32 n, bool constants)
{
    struct jaxpr j = m->jaxprs.at[id];
    u32 old = j.n_consts + j.n_ins, to = m->vars.n;
    for (u32 i = 0; i < old + n; i++) {
        bool made = i >= at && i < at + n;
        var_t like = i < at ? j.vars + i : made ? binders[i - at] : j.vars + i - n;
        var_append(m, like, made ? m->vars.at[like].name : NONE);
    }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++) {
            atom_t *a = &m->atoms.at[m->eqns.at[e].atoms + i];
            if (atom_kind(*a) != ATOM_REF) {
                follow(m, a, j.vars, old, to, at, n);
                continue;
            }
            struct refexpr *ref = &m->refs.at[atom_id(*a)];
            follow(m, &ref->ref, j.vars, old, to, at, n);
            for (u32 k = 0; k < ref->n_uses; k++)
                follow(m, &m->uses.at[ref->uses + k], j.vars, old, to, at, n);
        }
    for (u32 i = 0; i < j.n_outs; i++)
        follow(m, &m->atoms.at[j.outs + i], j.vars, old, to, at, n);
    struct jaxpr *jaxpr = &m->jaxprs.at[id];
    jaxpr->vars = to;
    if (constants)
        jaxpr->n_consts += n;
    else
        jaxpr->n_ins += n;
    return to + at;
}
