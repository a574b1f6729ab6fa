/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program has that a JAX version does not print, by the rows that infer versions. Newer parameters often have no
 * older spelling, so respelling keeps them: this says which. Linear in the program. */
#include "canon/not_in_version.h"

#include "base/value.h"
#include "canon/spelling.h"
#include "ir/reach.h"
#include "regions/span.h"

/* whether a primitive and a key (or NONE) are reported for the first time */
static bool
is_first(struct not_in_version *u, name_t prim, name_t key)
{
    for (u32 i = 0; i < u->reported.n; i++)
        if (u->reported.at[i].prim == prim && u->reported.at[i].key == key)
            return false;
    *vec_push(u->c->m->mem, &u->reported) = (struct absent_name){prim, key};
    return true;
}

static const char *
quote_version(struct not_in_version *u)
{
    return version_text(u->c->m->mem, u->version.first).at;
}

/* the key of a parameter in the text of its equation, or the primitive if the text has another key. Linear in the text
 */
static struct span
written_key(const struct module *m, eqn_t e, struct slice key)
{
    struct span prim = eqn_prim_span(m, e);
    size_t open = prim.at + prim.n;
    const char *p = m->text.at + open + 1, *end;
    if (open >= m->text.n || p[-1] != '[')
        return prim;
    end = m->text.at + bracket_end((struct slice){m->text.at, m->text.n}, open);
    for (; p < end; p = value_find(p, end, " \n") + 1)
        if (slice_starts((struct slice){p, (size_t)(end - p)}, key) && p[key.n] == '=')
            return (struct span){(u32)(p - m->text.at), (u32)key.n};
    return prim;
}

/* the span of a parameter as it was read, of its key if `whole` is set, else of its value; if a pass changed its value,
 * of its key */
static struct span
param_place(const struct module *m, eqn_t e, param_t p, struct slice key, bool whole)
{
    const struct span *s = &m->params.at[p].span;
    if (s->at + s->n > m->text.n)
        return written_key(m, e, key);
    return whole ? param_key_span(m, p) : *s;
}

static void
report_param(struct not_in_version *u, eqn_t e, param_t p, struct slice name, struct slice prim)
{
    const struct module *m = u->c->m;
    struct name_buffer buffer;
    const struct param *param = &m->params.at[p];
    struct slice key = module_name(m, param->key, &buffer), part = key, value = {"", 0};
    if (param->kind == PARAM_TEXT)
        value = param_bytes(m, param);
    bool printed = versions_print_key(u->version, name, prim, key);
    if ((printed && versions_print_value(u->version, key, value, &part)) ||
        !is_first(u, m->eqns.at[e].prim, param->key))
        return;
    struct span s = param_place(m, e, p, key, !printed);
    if (printed)
        diag_add(u->ds, DIAG_D131, s.at, s.n, "JAX %s does not print `%s` in `%s` of `%s`; it is kept",
                 quote_version(u), diag_quote(u->ds, part), diag_quote(u->ds, key), diag_quote(u->ds, name));
    else
        diag_add(u->ds, DIAG_D131, s.at, s.n, "JAX %s does not print the parameter `%s` of `%s`; it is kept",
                 quote_version(u), diag_quote(u->ds, key), diag_quote(u->ds, name));
}

/* reports that a literal keeps its type: the operand of an equation or, if e is NONE, the result of a program */
static void
report_literal(struct not_in_version *u, jaxpr_t j, eqn_t e, u32 i)
{
    struct module *m = u->c->m;
    atom_t a = m->atoms.at[e != NONE ? m->eqns.at[e].atoms + i : m->jaxprs.at[j].outs + i];
    if (u->literal || atom_kind(a) != ATOM_LIT || m->literals.at[atom_id(a)].type == NONE)
        return;
    struct slice type = type_get(&m->types, m->literals.at[atom_id(a)].type)->text;
    struct span s = typed_part(m, e != NONE ? eqn_operand_span(m, e, i) : jaxpr_out_span(m, j, i));
    if (!slice_eq(module_bytes(m, s), type)) /* a pass moved it */
        s = e != NONE ? eqn_prim_span(m, e) : (struct span){m->jaxprs.at[j].offset, 1};
    u->literal = true;
    diag_add(u->ds, DIAG_D131, s.at, s.n, "JAX %s does not print the type of a literal, such as %s; it is kept",
             quote_version(u), diag_quote(u->ds, type));
}

static void
report_eqn(struct not_in_version *u, jaxpr_t j, eqn_t e)
{
    struct module *m = u->c->m;
    const struct eqn eqn = m->eqns.at[e];
    struct name_buffer name_buffer, prim_buffer;
    for (u32 i = 0; i < eqn.n_atoms && range_lacks(u->version, JAX_LITERALS_TYPED); i++)
        report_literal(u, j, e, i);
    if (eqn.form > EQN_CALL_BARE)
        return;
    struct slice name = module_name(m, eqn.prim, &name_buffer), prim = canon_prim(u->c, eqn.prim, &prim_buffer);
    if (!versions_print_word(u->version, name)) {
        if (!is_first(u, eqn.prim, NONE))
            return;
        struct span s = eqn_prim_span(m, e);
        diag_add(u->ds, DIAG_D131, s.at, s.n, "JAX %s does not print the primitive `%s`; it is kept", quote_version(u),
                 diag_quote(u->ds, name));
        return;
    }
    if (eqn.n_atoms > 1 && spelling_has_one_value(prim, SLICE(""), u->version) && is_first(u, eqn.prim, NONE)) {
        struct span s = eqn_prim_span(m, e);
        diag_add(u->ds, DIAG_D131, s.at, s.n,
                 "JAX %s prints `%s` with only 1 operand, but this equation has %u; it is kept", quote_version(u),
                 diag_quote(u->ds, name), eqn.n_atoms);
    }
    for (param_t p = eqn.params; p != NONE; p = m->params.at[p].next)
        if (m->params.at[p].key != NONE)
            report_param(u, e, p, name, prim);
}

void
report_not_in_version(struct not_in_version *u, program_t program)
{
    const struct module *m = u->c->m;
    struct jaxprs all = {0};
    reach_all(u->c->m, program, &all);
    for (u32 i = 0; i < all.n; i++) {
        jaxpr_t j = all.at[i];
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
            report_eqn(u, j, e);
        for (u32 k = 0; k < m->jaxprs.at[j].n_outs && range_lacks(u->version, JAX_LITERALS_TYPED); k++)
            report_literal(u, j, NONE, k);
    }
    vec_free(u->c->m->mem, &all);
}
