/* SPDX-License-Identifier: Apache-2.0
 *
 * Definitions, uses and places of jaxpr_walk.h. jx_resolve makes one table of both, linear in the module; places
 * are found by reading the equation again, when they are needed. */
#include "api/api.h"

#include "ir/ref_text.h"
#include "regions/span.h"

struct api_uses {
    struct jx_site *definitions; /* by var_t; id is NONE if no program binds the variable */
    u32 *first;                  /* by var_t, with one more entry at the end: offsets into sites */
    struct jx_site *sites;
};

/* A visit of all uses, in textual order within an equation. */
struct visit {
    struct module *m;
    struct api_uses *uses;
    u32 *next; /* by var_t: the number of uses, then the next free index */
    bool keep;
};

static void
visit_use(struct visit *v, atom_t a, struct jx_site site)
{
    if (atom_kind(a) != ATOM_VAR)
        return;
    u32 at = v->next[atom_id(a)]++;
    if (v->keep)
        v->uses->sites[at] = site;
}

static void
visit_atoms(struct visit *v, u32 first, u32 n, enum jx_part part, u32 id)
{
    for (u32 i = 0; i < n; i++) {
        atom_t a = v->m->atoms.at[first + i];
        visit_use(v, atom_without_index(v->m, a), (struct jx_site){part, id, i, 0});
        if (atom_kind(a) != ATOM_REF || part != JX_PART_OPERAND)
            continue;
        const struct refexpr *r = &v->m->refs.at[atom_id(a)];
        for (u32 k = 0; k < r->n_uses; k++)
            visit_use(v, v->m->uses.at[r->uses + k], (struct jx_site){JX_PART_INDEXER, id, i, k});
    }
}

static void
visit_all(struct visit *v)
{
    struct module *m = v->m;
    for (jaxpr_t j = 0; j < m->jaxprs.n; j++) {
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
            visit_atoms(v, m->eqns.at[e].atoms, m->eqns.at[e].n_atoms, JX_PART_OPERAND, e);
        visit_atoms(v, m->jaxprs.at[j].outs, m->jaxprs.at[j].n_outs, JX_PART_OUTPUT, j);
    }
}

static void
define(struct api_uses *uses, u32 first, u32 n, enum jx_part part, u32 id)
{
    for (u32 i = 0; i < n; i++)
        uses->definitions[first + i] = (struct jx_site){part, id, i, 0};
}

static void
define_all(struct api_uses *uses, const struct module *m)
{
    for (var_t v = 0; v < m->vars.n; v++)
        uses->definitions[v].id = NONE;
    for (jaxpr_t j = 0; j < m->jaxprs.n; j++) {
        define(uses, m->jaxprs.at[j].vars, jaxpr_binders(&m->jaxprs.at[j]), JX_PART_BINDER, j);
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
            define(uses, m->eqns.at[e].vars, m->eqns.at[e].n_vars, JX_PART_RESULT, e);
    }
}

static void
work_resolve(void *arg)
{
    jx_module *module = arg;
    struct module *m = &module->ir;
    struct mem *mem = &module->mem;
    api_resolve(module, LEVEL_WARNING);
    api_sort_diagnostics(module);
    struct api_uses *uses = mem_zeroed(mem, sizeof *uses);
    struct visit v = {.m = m, .uses = uses, .next = mem_zeroed(mem, ((size_t)m->vars.n + 1) * sizeof *v.next)};
    uses->definitions = mem_alloc(mem, ((size_t)m->vars.n + 1) * sizeof *uses->definitions);
    uses->first = mem_alloc(mem, ((size_t)m->vars.n + 1) * sizeof *uses->first);
    define_all(uses, m);
    visit_all(&v);
    u32 n = 0;
    for (var_t i = 0; i < m->vars.n; i++) {
        uses->first[i] = n;
        n += v.next[i];
        v.next[i] = uses->first[i];
    }
    uses->first[m->vars.n] = n;
    uses->sites = mem_alloc(mem, ((size_t)n + 1) * sizeof *uses->sites);
    v.keep = true;
    visit_all(&v);
    mem_free(mem, v.next);
    module->uses = uses;
}

enum jx_status
jx_resolve(jx_module *module)
{
    if (api_intact(module) != JX_OK)
        return JX_MISUSE;
    if (module->uses == NULL || module->lost)
        return api_run(module, work_resolve, module);
    return JX_OK;
}

bool
jx_definition(jx_module *module, uint32_t variable, struct jx_site *site)
{
    if (api_ir(module) == NULL || module->uses == NULL || site == NULL || variable >= module->ir.vars.n)
        return false;
    *site = module->uses->definitions[variable];
    return site->id != NONE;
}

uint32_t
jx_uses(jx_module *module, uint32_t variable, uint32_t first, struct jx_site *into, uint32_t room)
{
    if (api_ir(module) == NULL || module->uses == NULL || into == NULL || variable >= module->ir.vars.n)
        return 0;
    const u32 *bounds = &module->uses->first[variable];
    u32 n = bounds[1] - bounds[0] > first ? bounds[1] - bounds[0] - first : 0;
    n = n < room ? n : room;
    memcpy(into, module->uses->sites + bounds[0] + (n ? first : 0), n * sizeof *into);
    return n;
}

/* the variable that an operand, output or indexer reads */
static u32
variable_read(const struct module *m, const struct jx_site *s)
{
    const struct jaxpr *j = s->part == JX_PART_OUTPUT && s->id < m->jaxprs.n ? &m->jaxprs.at[s->id] : NULL;
    const struct eqn *e = s->part != JX_PART_OUTPUT && s->id < m->eqns.n ? &m->eqns.at[s->id] : NULL;
    if (s->index >= (j != NULL ? j->n_outs : e != NULL ? e->n_atoms : 0))
        return JX_NONE;
    atom_t whole = m->atoms.at[(j != NULL ? j->outs : e->atoms) + s->index], a = atom_without_index(m, whole);
    if (s->part == JX_PART_INDEXER) {
        const struct refexpr *r = atom_kind(whole) == ATOM_REF ? &m->refs.at[atom_id(whole)] : NULL;
        if (r == NULL || s->inner >= r->n_uses)
            return JX_NONE;
        a = m->uses.at[r->uses + s->inner];
    }
    return atom_kind(a) == ATOM_VAR ? atom_id(a) : JX_NONE;
}

uint32_t
jx_site_variable(jx_module *module, const struct jx_site *site)
{
    const struct module *m = api_ir(module);
    if (m == NULL || module->uses == NULL || site == NULL)
        return JX_NONE;
    if (site->part == JX_PART_BINDER) {
        const struct jaxpr *j = site->id < m->jaxprs.n ? &m->jaxprs.at[site->id] : NULL;
        return j != NULL && site->index < jaxpr_binders(j) ? j->vars + site->index : JX_NONE;
    }
    if (site->part == JX_PART_RESULT) {
        const struct eqn *e = site->id < m->eqns.n ? &m->eqns.at[site->id] : NULL;
        return e != NULL && site->index < e->n_vars ? e->vars + site->index : JX_NONE;
    }
    bool reads = site->part == JX_PART_OUTPUT || site->part == JX_PART_OPERAND || site->part == JX_PART_INDEXER;
    return reads ? variable_read(m, site) : JX_NONE;
}

/* ---- places ---- */

static const struct span nowhere = {NONE, 0};

/* the k-th variable in the indexers of an operand */
static struct span
indexer_span(const struct module *m, eqn_t id, u32 i, u32 k)
{
    const struct eqn *e = &m->eqns.at[id];
    if (i >= e->n_atoms || atom_kind(m->atoms.at[e->atoms + i]) != ATOM_REF)
        return nowhere;
    struct span index = m->refs.at[atom_id(m->atoms.at[e->atoms + i])].index;
    struct slice text = module_bytes(m, index), word;
    struct index_words w = index_words(text.at, text.at + text.n);
    while (index_next(&w, &word))
        if (k-- == 0)
            return (struct span){index.at + (u32)(word.at - text.at), (u32)word.n};
    return nowhere;
}

static struct span
equation_span(const struct module *m, eqn_t e)
{
    u32 at = m->eqns.at[e].offset, end = eqn_end(m, e);
    return end == NONE || end < at ? nowhere : (struct span){at, end - at};
}

static struct span
jaxpr_span(const struct module *m, const struct jx_site *s)
{
    const struct jaxpr *j = s->id < m->jaxprs.n ? &m->jaxprs.at[s->id] : NULL;
    if (j == NULL)
        return nowhere;
    if (s->part == JX_PART_JAXPR)
        return (struct span){j->offset, j->end - j->offset};
    if (s->part == JX_PART_BINDER)
        return s->index < jaxpr_binders(j) ? jaxpr_binder_span(m, s->id, s->index) : nowhere;
    return s->index < j->n_outs ? jaxpr_out_span(m, s->id, s->index) : nowhere;
}

struct span
api_site_span(const jx_module *module, const struct jx_site *s)
{
    const struct module *m = &module->ir;
    switch (s->part) {
    case JX_PART_PROGRAM:
        if (s->id >= module->stream.n)
            return nowhere;
        const struct program *p = &m->programs.at[module->stream.at[s->id]];
        return (struct span){p->offset, p->end - p->offset};
    case JX_PART_PARAMETER:
        return s->id < m->params.n ? m->params.at[s->id].span : nowhere;
    case JX_PART_JAXPR:
    case JX_PART_BINDER:
    case JX_PART_OUTPUT:
        return jaxpr_span(m, s);
    default:
        break;
    }
    if (s->id >= m->eqns.n || m->eqns.at[s->id].offset >= m->text.n)
        return nowhere;
    return s->part == JX_PART_EQUATION    ? equation_span(m, s->id)
           : s->part == JX_PART_PRIMITIVE ? eqn_prim_span(m, s->id)
           : s->part == JX_PART_RESULT
               ? s->index < m->eqns.at[s->id].n_vars ? eqn_result_span(m, s->id, s->index) : nowhere
           : s->part == JX_PART_OPERAND
               ? s->index < m->eqns.at[s->id].n_atoms ? eqn_operand_span(m, s->id, s->index) : nowhere
           : s->part == JX_PART_INDEXER ? indexer_span(m, s->id, s->index, s->inner)
                                        : nowhere;
}

bool
jx_span_at(jx_module *module, const struct jx_site *site, struct jx_span *span)
{
    if (api_ir(module) == NULL || module->lost || site == NULL || span == NULL)
        return false;
    struct span s = api_site_span(module, site);
    const struct text *t = &module->ir.text;
    if (s.at >= t->n || s.n > t->n - s.at)
        return false;
    span->from = text_source(t, s.at);
    span->to = s.n == 0 ? span->from : text_source(t, s.at + s.n - 1) + 1;
    return api_find_place(module, s.at, s.n, &span->place) == JX_OK;
}

bool
jx_equation_place(jx_module *module, uint32_t equation, struct jx_place *place)
{
    const struct module *m = api_ir(module);
    if (m == NULL || place == NULL || equation >= m->eqns.n || m->eqns.at[equation].offset == NONE)
        return false;
    u32 at = m->eqns.at[equation].offset;
    const char *end = memchr(m->text.at + at, '\n', m->text.n - at);
    return api_find_place(module, at, (end != NULL ? (u32)(end - m->text.at) : m->text.n) - at, place) == JX_OK;
}

static void
work_anchor(void *arg)
{
    jx_module *module = arg;
    comments_anchor(&module->ir);
}

struct jx_string
jx_equation_source(jx_module *module, uint32_t equation)
{
    struct jx_string none = {"", 0};
    if (api_ir(module) == NULL || equation >= module->ir.eqns.n || module->ir.comments.n == 0)
        return none;
    if (!module->ir.anchored && api_run(module, work_anchor, module) != JX_OK)
        return none;
    return api_string(equation_source(&module->ir, equation));
}
