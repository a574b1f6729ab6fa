/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking the program through ids. Every call is O(1), except places (O(log lines + line)) and jx_parameter_jaxpr,
 * which counts. Names that are numerals (a .. z, ba ..) have no bytes of their own in a module, so that the first
 * call that needs one spells all of them. */
#include "api/api.h"

#include "ir/reach.h"

static void
spell_numeral(u32 value, char spelling[8])
{
    *numeral_write(spelling, value) = 0;
}

static void
take_name(u32 *largest, name_t name)
{
    *largest = name < NAME_OTHER && name > *largest ? name : *largest;
}

static void
take_atom(u32 *largest, atom_t a)
{
    if (atom_kind(a) == ATOM_NAME)
        take_name(largest, atom_id(a));
}

static u32
largest_numeral(const struct module *m)
{
    u32 largest = 0;
    for (u32 i = 0; i < m->vars.n; i++)
        take_name(&largest, m->vars.at[i].name);
    for (u32 i = 0; i < m->atoms.n; i++)
        take_atom(&largest, m->atoms.at[i]);
    for (u32 i = 0; i < m->eqns.n; i++)
        take_name(&largest, m->eqns.at[i].prim);
    for (u32 i = 0; i < m->params.n; i++)
        take_name(&largest, m->params.at[i].key);
    for (u32 i = 0; i < m->refs.n; i++)
        take_atom(&largest, m->refs.at[i].ref);
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

/* The spelling of a name; empty if memory ran out. */
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

bool(jx_program_at)(jx_module *module, uint32_t program, struct jx_program *answer, size_t size)
{
    if (api_ir(module) == NULL || program >= module->stream.n)
        return false;
    const struct program *p = &module->ir.programs.at[module->stream.at[program]];
    struct jx_program all = {
        .jaxpr = p->main,
        .first_shared = p->lets,
        .shared = p->n_lets,
        .broken = p->broken,
        .elided = p->excerpt,
    };
    return api_find_place(module, p->offset, p->end - p->offset, &all.place) == JX_OK &&
           api_answer(answer, size, &all, sizeof all);
}

bool
jx_shared_at(jx_module *module, uint32_t shared, struct jx_string *name, uint32_t *jaxpr)
{
    const struct module *m = api_ir(module);
    if (m == NULL || shared >= m->lets.n || name == NULL || jaxpr == NULL)
        return false;
    *name = api_string(module_bytes(m, m->lets.at[shared].name));
    *jaxpr = m->lets.at[shared].jaxpr;
    return true;
}

bool(jx_jaxpr_at)(jx_module *module, uint32_t jaxpr, struct jx_jaxpr *answer, size_t size)
{
    const struct module *m = api_ir(module);
    if (m == NULL || jaxpr >= m->jaxprs.n)
        return false;
    const struct jaxpr *j = &m->jaxprs.at[jaxpr];
    struct span printed = jaxpr_effects(m, jaxpr);
    struct jx_jaxpr all = {
        .constants = j->n_consts,
        .inputs = j->n_ins,
        .outputs = j->n_outs,
        .equations = j->n_eqns,
        .first_equation = j->eqns,
        .parent = j->parent,
        .effects = api_string(printed.at != NONE ? module_bytes(m, printed) : SLICE("")),
    };
    return api_answer(answer, size, &all, sizeof all);
}

static struct jx_variable
variable_of(jx_module *module, var_t v)
{
    const struct var *var = &module->ir.vars.at[v];
    return (struct jx_variable){spelling(module, var->name), type_text(&module->ir, var->type), v, var->type};
}

static struct jx_operand
operand_of(jx_module *module, atom_t a)
{
    const struct module *m = &module->ir;
    struct jx_operand o = {.kind = JX_VARIABLE, .type = {"", 0}, .index = {"", 0}, .variable = NONE};
    atom_t read = atom_without_index(m, a);
    if (atom_kind(a) == ATOM_LIT) {
        const struct literal *l = &m->literals.at[atom_id(a)];
        o.kind = JX_LITERAL;
        o.text = api_string(module_bytes(m, l->value));
        o.type = type_text(m, l->type);
    } else {
        o.text = spelling(module, atom_name(m, read));
    }
    if (atom_kind(a) == ATOM_REF) {
        o.kind = JX_REFERENCE;
        o.index = api_string(module_bytes(m, m->refs.at[atom_id(a)].index));
    }
    if (atom_kind(read) == ATOM_VAR)
        o.variable = atom_id(read);
    o.type_id = atom_type(m, read);
    return o;
}

static struct jx_equation
equation_of(jx_module *module, eqn_t id)
{
    const struct eqn *e = &module->ir.eqns.at[id];
    return (struct jx_equation){spelling(module, e->prim), e->n_vars, e->n_atoms, e->params, e->next, id};
}

bool(jx_binder_at)(jx_module *module, uint32_t jaxpr, uint32_t i, struct jx_variable *answer, size_t size)
{
    const struct module *m = api_ir(module);
    if (m == NULL || jaxpr >= m->jaxprs.n || i >= jaxpr_binders(&m->jaxprs.at[jaxpr]))
        return false;
    struct jx_variable all = variable_of(module, m->jaxprs.at[jaxpr].vars + i);
    return !module->lost && api_answer(answer, size, &all, sizeof all);
}

bool(jx_output_at)(jx_module *module, uint32_t jaxpr, uint32_t i, struct jx_operand *answer, size_t size)
{
    const struct module *m = api_ir(module);
    if (m == NULL || jaxpr >= m->jaxprs.n || i >= m->jaxprs.at[jaxpr].n_outs)
        return false;
    struct jx_operand all = operand_of(module, m->atoms.at[m->jaxprs.at[jaxpr].outs + i]);
    return !module->lost && api_answer(answer, size, &all, sizeof all);
}

uint32_t(jx_equations)(jx_module *module, uint32_t equation, struct jx_equation *into, uint32_t room, size_t size)
{
    const struct module *m = api_ir(module);
    u32 n = 0;
    for (eqn_t e = equation; m != NULL && into != NULL && n < room && e < m->eqns.n; e = m->eqns.at[e].next) {
        struct jx_equation all = equation_of(module, e);
        if (module->lost)
            break;
        api_answer((char *)into + n++ * size, size, &all, sizeof all);
    }
    return n;
}

uint32_t(jx_results)(jx_module *module, uint32_t equation, uint32_t first, struct jx_variable *into, uint32_t room,
                     size_t size)
{
    const struct module *m = api_ir(module);
    u32 n = 0;
    if (m == NULL || into == NULL || equation >= m->eqns.n)
        return 0;
    for (u32 i = first; i < m->eqns.at[equation].n_vars && n < room && !module->lost; i++) {
        struct jx_variable all = variable_of(module, m->eqns.at[equation].vars + i);
        if (!module->lost)
            api_answer((char *)into + n++ * size, size, &all, sizeof all);
    }
    return n;
}

uint32_t(jx_operands)(jx_module *module, uint32_t equation, uint32_t first, struct jx_operand *into, uint32_t room,
                      size_t size)
{
    const struct module *m = api_ir(module);
    u32 n = 0;
    if (m == NULL || into == NULL || equation >= m->eqns.n)
        return 0;
    for (u32 i = first; i < m->eqns.at[equation].n_atoms && n < room && !module->lost; i++) {
        struct jx_operand all = operand_of(module, m->atoms.at[m->eqns.at[equation].atoms + i]);
        if (!module->lost)
            api_answer((char *)into + n++ * size, size, &all, sizeof all);
    }
    return n;
}

bool(jx_equation_at)(jx_module *module, uint32_t equation, struct jx_equation *answer, size_t size)
{
    return (jx_equations)(module, equation, answer, 1, size) == 1;
}

bool(jx_result_at)(jx_module *module, uint32_t equation, uint32_t i, struct jx_variable *answer, size_t size)
{
    return (jx_results)(module, equation, i, answer, 1, size) == 1;
}

bool(jx_operand_at)(jx_module *module, uint32_t equation, uint32_t i, struct jx_operand *answer, size_t size)
{
    return (jx_operands)(module, equation, i, answer, 1, size) == 1;
}

bool(jx_parameter_at)(jx_module *module, uint32_t parameter, struct jx_parameter *answer, size_t size)
{
    const struct module *m = api_ir(module);
    if (m == NULL || parameter >= m->params.n)
        return false;
    const struct param *p = &m->params.at[parameter];
    struct jx_parameter all = {.value = api_string(module_bytes(m, p->span)), .next = p->next};
    all.key = p->key == NONE ? (struct jx_string){"", 0} : spelling(module, p->key);
    for (struct nested nested = nested_in_param(parameter); nested_next(m, &nested) != NONE;)
        all.jaxprs++;
    return !module->lost && api_answer(answer, size, &all, sizeof all);
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
