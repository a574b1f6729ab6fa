/* SPDX-License-Identifier: Apache-2.0
 *
 * The sites at a place of the text: from the program down to the innermost jaxpr, then the equation, then its part.
 * The equations of each jaxpr on the path are visited one by one; binders and operands are found by binary search. */
#include "api/api.h"

#include "ir/reach.h"

struct seeking {
    jx_module *module;
    VEC(struct jx_site) path; /* from the program inwards */
    u32 line, column, at;     /* the location; at: NONE if it is not in the text */
    struct jx_site *into;
    u32 room, n;
};

static void
find_offset(struct seeking *s)
{
    s->at = s->column == 0 ? NONE : text_offset(&s->module->mem, &s->module->ir.text, s->line, s->column);
}

static bool
covers(struct span span, u32 at)
{
    return span.at != NONE && span.at <= at && at - span.at < span.n;
}

static void
enter(struct seeking *s, struct jx_site site)
{
    *vec_push(&s->module->mem, &s->path) = site;
}

static bool
take(struct seeking *s, struct jx_site site)
{
    if (!covers(api_site_span(s->module, &site), s->at))
        return false;
    enter(s, site);
    return true;
}

/* takes the one of n parts, in textual order, that contains the location; false if none does */
static bool
take_part(struct seeking *s, enum jx_part part, u32 id, u32 n)
{
    u32 lo = 0, hi = n;
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;
        struct jx_site site = {part, id, mid, 0};
        struct span span = api_site_span(s->module, &site);
        if (span.at == NONE || span.at > s->at)
            hi = mid;
        else if (take(s, site))
            return true;
        else
            lo = mid + 1;
    }
    return false;
}

/* takes the operand at the location, or the variable in its indexers; equations with special syntax have operands in
 * any order */
static bool
take_operand(struct seeking *s, eqn_t e)
{
    const struct module *m = &s->module->ir;
    const struct eqn *eqn = &m->eqns.at[e];
    bool found = false;
    if (eqn->form == EQN_CALL || eqn->form == EQN_CALL_BARE)
        found = take_part(s, JX_PART_OPERAND, e, eqn->n_atoms);
    else
        for (u32 i = 0; i < eqn->n_atoms && !found; i++)
            found = take(s, (struct jx_site){JX_PART_OPERAND, e, i, 0});
    if (!found)
        return false;
    u32 i = s->path.at[s->path.n - 1].index;
    atom_t a = m->atoms.at[eqn->atoms + i];
    u32 uses = atom_kind(a) == ATOM_REF ? m->refs.at[atom_id(a)].n_uses : 0;
    for (u32 k = 0; k < uses; k++)
        if (take(s, (struct jx_site){JX_PART_INDEXER, e, i, k}))
            break;
    return true;
}

/* the program inside an equation at the location; NONE if none */
static jaxpr_t
nested_at(const struct seeking *s, eqn_t e)
{
    const struct module *m = &s->module->ir;
    struct nested h = nested_start(m, e);
    for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;)
        if (m->jaxprs.at[j].offset <= s->at && s->at < m->jaxprs.at[j].end)
            return j;
    return NONE;
}

/* finds the part of an equation at the location, or returns the nested program there; else NONE */
static jaxpr_t
seek_in_equation(struct seeking *s, eqn_t e)
{
    const struct module *m = &s->module->ir;
    const struct eqn *eqn = &m->eqns.at[e];
    if (!take(s, (struct jx_site){JX_PART_EQUATION, e, 0, 0}))
        return NONE;
    if (take_part(s, JX_PART_RESULT, e, eqn->n_vars) || take_operand(s, e) ||
        take(s, (struct jx_site){JX_PART_PRIMITIVE, e, 0, 0}))
        return NONE;
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next)
        if (take(s, (struct jx_site){JX_PART_PARAMETER, p, 0, 0}))
            return nested_at(s, e);
    return NONE;
}

/* finds the part of a jaxpr at the location, or returns the nested program there; else NONE */
static jaxpr_t
seek_in_jaxpr(struct seeking *s, jaxpr_t id)
{
    const struct module *m = &s->module->ir;
    const struct jaxpr *j = &m->jaxprs.at[id];
    eqn_t last = NONE;
    enter(s, (struct jx_site){JX_PART_JAXPR, id, 0, 0});
    u32 depth = s->path.n;
    for (eqn_t e = j->eqns; e != NONE && m->eqns.at[e].offset <= s->at; e = m->eqns.at[e].next)
        last = e;
    if (last != NONE) {
        jaxpr_t inner = seek_in_equation(s, last);
        if (s->path.n > depth)
            return inner;
    }
    if (last != NONE || !take_part(s, JX_PART_BINDER, id, jaxpr_binders(j)))
        take_part(s, JX_PART_OUTPUT, id, j->n_outs);
    return NONE;
}

/* the whole or shared program of a text that contains the location, else NONE */
static jaxpr_t
seek_in_program(struct seeking *s, u32 program)
{
    const struct module *m = &s->module->ir;
    const struct program *p = &m->programs.at[s->module->stream.at[program]];
    enter(s, (struct jx_site){JX_PART_PROGRAM, program, 0, 0});
    for (u32 i = 0; i < p->n_lets; i++) {
        jaxpr_t j = m->lets.at[p->lets + i].jaxpr;
        if (j != NONE && m->jaxprs.at[j].offset <= s->at && s->at < m->jaxprs.at[j].end)
            return j;
    }
    bool main = p->main != NONE && m->jaxprs.at[p->main].offset <= s->at && s->at < m->jaxprs.at[p->main].end;
    return main ? p->main : NONE;
}

static void
work_seek(void *arg)
{
    struct seeking *s = arg;
    const struct module *m = &s->module->ir;
    find_offset(s);
    u32 i = s->at == NONE ? NONE : program_around(m, s->module->stream.at, s->module->stream.n, s->at);
    if (i == NONE)
        return;
    for (jaxpr_t j = seek_in_program(s, i); j != NONE;)
        j = seek_in_jaxpr(s, j);
    for (; s->n < s->path.n && s->n < s->room; s->n++)
        s->into[s->n] = s->path.at[s->path.n - 1 - s->n];
    vec_free(&s->module->mem, &s->path);
}

uint32_t
jx_sites_at(jx_module *module, uint32_t line, uint32_t column, struct jx_site *into, uint32_t room)
{
    struct seeking s = {.module = module, .line = line, .column = column, .into = into, .room = room};
    if (api_ir(module) == NULL || module->lost || into == NULL)
        return 0;
    return api_run(module, work_seek, &s) == JX_OK ? s.n : 0;
}

struct jx_string
jx_module_text(const jx_module *module)
{
    return module == NULL ? (struct jx_string){"", 0} : (struct jx_string){module->ir.text.at, module->ir.text.n};
}

static void
work_offset(void *arg)
{
    find_offset(arg);
}

uint32_t
jx_offset_at(jx_module *module, uint32_t line, uint32_t column)
{
    struct seeking s = {.module = module, .line = line, .column = column, .at = NONE};
    return module != NULL && api_run(module, work_offset, &s) == JX_OK && s.at != NONE ? s.at : JX_NONE;
}
