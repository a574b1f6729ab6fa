/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking the program through ids. Every answer is O(1) but places (O(log lines + line)) and jx_parameter_jaxpr, which
 * counts. Names that are numerals (a .. z, ba ..) have no bytes of their own in a module, so the first answer that
 * needs one spells them all out. */
#include "api/api.h"

static void
spell_numeral(u32 value, char spelling[8])
{
    char reversed[8];
    size_t n = 0;
    do
        reversed[n++] = (char)('a' + value % 26);
    while ((value /= 26) != 0);
    for (size_t i = 0; i < n; i++)
        spelling[i] = reversed[n - 1 - i];
    spelling[n] = 0;
}

static u32
largest_numeral(const struct module *m)
{
    u32 largest = 0;
    for (u32 i = 0; i < m->vars.n; i++)
        if (m->vars.at[i].name < NAME_OTHER && m->vars.at[i].name > largest)
            largest = m->vars.at[i].name;
    for (u32 i = 0; i < m->atoms.n; i++)
        if (atom_kind(m->atoms.at[i]) == ATOM_NAME && atom_id(m->atoms.at[i]) < NAME_OTHER &&
            atom_id(m->atoms.at[i]) > largest)
            largest = atom_id(m->atoms.at[i]);
    for (u32 i = 0; i < m->eqns.n; i++)
        if (m->eqns.at[i].prim < NAME_OTHER && m->eqns.at[i].prim > largest)
            largest = m->eqns.at[i].prim;
    for (u32 i = 0; i < m->params.n; i++)
        if (m->params.at[i].key < NAME_OTHER && m->params.at[i].key > largest)
            largest = m->params.at[i].key;
    for (u32 i = 0; i < m->refs.n; i++)
        if (atom_kind(m->refs.at[i].ref) == ATOM_NAME && atom_id(m->refs.at[i].ref) < NAME_OTHER &&
            atom_id(m->refs.at[i].ref) > largest)
            largest = atom_id(m->refs.at[i].ref);
    return largest;
}

static void
work_spell(void *arg)
{
    jx_module *module = arg;
    u32 n = largest_numeral(&module->ir) + 1;
    module->numerals = arena_alloc(&module->mem, n * sizeof *module->numerals);
    for (u32 i = 0; i < n; i++)
        spell_numeral(i, module->numerals[i]);
    module->n_numerals = n;
}

/* The spelling of a name; empty where memory ran out. */
static struct jx_string
spelling(jx_module *module, name_t name)
{
    if (module->n_numerals == 0 && api_run(module, work_spell, module) != JX_OK)
        return (struct jx_string){"", 0};
    if (name < module->n_numerals)
        return (struct jx_string){module->numerals[name], strlen(module->numerals[name])};
    struct name_buffer buffer;
    struct slice text = module_name(&module->ir, name, &buffer);
    return text.at == buffer.at ? (struct jx_string){"", 0} : api_string(text);
}

static struct jx_string
type_text(const struct module *m, type_t type)
{
    return api_string(type == NONE ? (struct slice){"", 0} : type_get(&m->types, type)->text);
}

uint32_t
jx_program_count(jx_module *module)
{
    return module == NULL ? 0 : module->stream.n;
}

bool
jx_program_at(jx_module *module, uint32_t program, struct jx_program *answer)
{
    if (module == NULL || program >= module->stream.n)
        return false;
    const struct program *p = &module->ir.programs.at[module->stream.at[program]];
    *answer = (struct jx_program){
        .jaxpr = p->main,
        .first_shared = p->lets,
        .shared = p->n_lets,
        .broken = p->broken,
        .excerpt = p->excerpt,
    };
    return api_find_place(module, p->offset, p->end - p->offset, &answer->place) == JX_OK;
}

bool
jx_shared_at(jx_module *module, uint32_t shared, struct jx_string *name, uint32_t *jaxpr)
{
    const struct module *m = api_ir(module);
    if (m == NULL || shared >= m->lets.n)
        return false;
    *name = api_string(module_bytes(m, m->lets.at[shared].name));
    *jaxpr = m->lets.at[shared].jaxpr;
    return true;
}

bool
jx_jaxpr_at(jx_module *module, uint32_t jaxpr, struct jx_jaxpr *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || jaxpr >= m->jaxprs.n)
        return false;
    const struct jaxpr *j = &m->jaxprs.at[jaxpr];
    struct span printed = jaxpr_effects(m, jaxpr);
    struct slice effects = printed.at != NONE ? module_bytes(m, printed) : SLICE("");
    *answer = (struct jx_jaxpr){j->n_consts, j->n_ins, j->n_outs, j->n_eqns, j->eqns, api_string(effects)};
    return true;
}

static bool
variable_at(jx_module *module, var_t v, struct jx_variable *answer)
{
    const struct var *var = &module->ir.vars.at[v];
    *answer = (struct jx_variable){spelling(module, var->name), type_text(&module->ir, var->type)};
    return !module->lost;
}

static struct jx_string
atom_spelling(jx_module *module, atom_t a)
{
    return spelling(module, atom_name(&module->ir, a));
}

static bool
operand_of_atom(jx_module *module, atom_t a, struct jx_operand *answer)
{
    const struct module *m = &module->ir;
    struct jx_string empty = {"", 0};
    if (atom_kind(a) == ATOM_LIT) {
        const struct literal *l = &m->literals.at[atom_id(a)];
        *answer = (struct jx_operand){JX_LITERAL, api_string(module_bytes(m, l->value)), type_text(m, l->type), empty};
    } else if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *r = &m->refs.at[atom_id(a)];
        *answer = (struct jx_operand){JX_REFERENCE, atom_spelling(module, r->ref), empty,
                                      api_string(module_bytes(m, r->index))};
    } else {
        *answer = (struct jx_operand){JX_VARIABLE, atom_spelling(module, a), empty, empty};
    }
    return !module->lost;
}

bool
jx_binder_at(jx_module *module, uint32_t jaxpr, uint32_t i, struct jx_variable *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || jaxpr >= m->jaxprs.n || i >= m->jaxprs.at[jaxpr].n_consts + m->jaxprs.at[jaxpr].n_ins)
        return false;
    return variable_at(module, m->jaxprs.at[jaxpr].vars + i, answer);
}

bool
jx_output_at(jx_module *module, uint32_t jaxpr, uint32_t i, struct jx_operand *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || jaxpr >= m->jaxprs.n || i >= m->jaxprs.at[jaxpr].n_outs)
        return false;
    return operand_of_atom(module, m->atoms.at[m->jaxprs.at[jaxpr].outs + i], answer);
}

bool
jx_equation_at(jx_module *module, uint32_t equation, struct jx_equation *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || equation >= m->eqns.n)
        return false;
    const struct eqn *e = &m->eqns.at[equation];
    *answer = (struct jx_equation){spelling(module, e->prim), e->n_vars, e->n_atoms, e->params, e->next};
    return !module->lost;
}

bool
jx_result_at(jx_module *module, uint32_t equation, uint32_t i, struct jx_variable *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || equation >= m->eqns.n || i >= m->eqns.at[equation].n_vars)
        return false;
    return variable_at(module, m->eqns.at[equation].vars + i, answer);
}

bool
jx_operand_at(jx_module *module, uint32_t equation, uint32_t i, struct jx_operand *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || equation >= m->eqns.n || i >= m->eqns.at[equation].n_atoms)
        return false;
    return operand_of_atom(module, m->atoms.at[m->eqns.at[equation].atoms + i], answer);
}

bool
jx_parameter_at(jx_module *module, uint32_t parameter, struct jx_parameter *answer)
{
    const struct module *m = api_ir(module);
    if (m == NULL || parameter >= m->params.n)
        return false;
    const struct param *p = &m->params.at[parameter];
    *answer = (struct jx_parameter){.value = api_string(module_bytes(m, p->span)), .next = p->next};
    answer->key = p->key == NONE ? (struct jx_string){"", 0} : spelling(module, p->key);
    for (struct nested nested = nested_in_param(parameter); nested_next(m, &nested) != NONE;)
        answer->jaxprs++;
    return !module->lost;
}

uint32_t
jx_parameter_jaxpr(jx_module *module, uint32_t parameter, uint32_t k)
{
    const struct module *m = api_ir(module);
    if (m == NULL || parameter >= m->params.n)
        return NONE;
    struct nested nested = nested_in_param(parameter);
    jaxpr_t found = nested_next(m, &nested);
    for (; k > 0 && found != NONE; k--)
        found = nested_next(m, &nested);
    return found;
}

bool
jx_equation_place(jx_module *module, uint32_t equation, struct jx_place *place)
{
    const struct module *m = api_ir(module);
    if (m == NULL || equation >= m->eqns.n || m->eqns.at[equation].offset == NONE)
        return false;
    u32 at = m->eqns.at[equation].offset;
    const char *end = memchr(m->text.at + at, '\n', m->text.n - at);
    return api_find_place(module, at, (end != NULL ? (u32)(end - m->text.at) : m->text.n) - at, place) == JX_OK;
}
