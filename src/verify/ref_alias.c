/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports refs that would have two names, refs that a program returns, and refs that are used after their end. Linear
 * in the operands of equations that have refs, and in the results of programs. */
#include "verify/ref_alias.h"

#include "resolve/enclosing_notes.h"
#include "verify/checker.h"

bool
refs_distinct(struct rule *r, u32 first)
{
    u32 refs = 0, i = first, earlier = 0;
    struct memo seen = {0}; /* by atom_t: the first operand that it is, plus one */
    for (u32 k = first; k < r->n; k++)
        refs += r->in[k].kind == AVAL_REF;
    for (; i < r->n && refs > 1; i++) {
        atom_t a = r->m->atoms.at[r->eqn->atoms + i];
        if (r->in[i].kind != AVAL_REF)
            continue;
        if ((earlier = (u32)memo_get(&seen, a)) > 0)
            break;
        memo_set(r->m->mem, &seen, a, i + 1);
    }
    memo_free(r->m->mem, &seen);
    if (earlier == 0)
        return true;
    bool jax = range_has(rule_versions(r), JAX_REFS_DISTINCT) && !r->prim->is.uncompared;
    (jax ? rule_error : rule_stricter)(r, DIAG_T023, at_operand(i),
                                       "`%s` receives the ref `%s` twice, as its %s and its %s operand", format_prim(r),
                                       format_operand(r, i), ordinal_of(earlier - 1).text, ordinal_of(i).text);
    rule_note_operand(r, i);
    return rule_hint(r, "pass the ref once and use that one argument in the program");
}

void
refs_stay(struct checker *c, jaxpr_t j)
{
    struct module *m = c->m;
    const struct jaxpr *program = &m->jaxprs.at[j];
    for (u32 i = 0; i < program->n_outs; i++) {
        atom_t a = m->atoms.at[program->outs + i];
        type_t type = atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].type : NONE;
        if (type == NONE || type_get(&m->types, type)->kind != TYPE_REF ||
            range_lacks(checker_versions(c), JAX_REFS_STAY_INSIDE) || var_reported(c, atom_id(a)))
            continue;
        struct span s = jaxpr_out_span(m, j, i);
        diag_add(c->ds, DIAG_T023, s.at, s.n, "`%s` is a ref (%s), and a program must not return a ref",
                 quote_name(m, c->ds, m->vars.at[atom_id(a)].name), diag_quote(c->ds, type_get(&m->types, type)->text));
        diag_relevel(c->ds, LEVEL_WARNING);
        s = var_span(m, j, atom_id(a));
        diag_note(c->ds, s.at, s.n,
                  jaxpr_binds(program, atom_id(a)) ? "it is bound here; read it, and return its value"
                                                   : "it is bound here; read or `freeze` it, and return its value");
    }
}

/* the variable of operand i, also if it is indexed; NONE for a literal */
static var_t
ref_operand(const struct rule *r, u32 i)
{
    atom_t a = atom_without_index(r->m, r->m->atoms.at[r->eqn->atoms + i]);
    return atom_kind(a) == ATOM_VAR ? atom_id(a) : NONE;
}

void
ref_ends(struct rule *r)
{
    var_t v = ref_operand(r, 0);
    r->wide = true;
    if (v != NONE && !r->probe && !memo_get(&r->c->ended, v))
        memo_set(r->m->mem, &r->c->ended, v, r->e + 1ull);
}

bool
refs_live(struct rule *r)
{
    for (u32 i = 0; i < r->n; i++) {
        var_t v = ref_operand(r, i);
        u64 end = v == NONE ? 0 : memo_get(&r->c->ended, v);
        if (end == 0 || end > r->e)
            continue;
        struct span s = eqn_prim_span(r->m, (eqn_t)(end - 1));
        rule_stricter(r, DIAG_T025, at_operand(i), "`%s` uses the ref `%s`, which no longer exists", format_prim(r),
                      format_operand(r, i));
        if (r->c->finding.noted)
            diag_note(r->c->ds, s.at, s.n, "this equation ends it and returns its last value");
        return false;
    }
    return true;
}
