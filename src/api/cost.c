/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs of jaxpr_tools.h: amounts become numbers where they are, and text. */
#include "api/api.h"

#include "base/decimal.h"

#include <math.h>

uint32_t
jx_amount_short(double value, char *into, uint32_t room)
{
    char text[JX_AMOUNT_SHORT];
    u32 n = decimal_write_short(value, text);
    if (room > 0 && into != NULL) {
        u32 kept = n < room ? n : room - 1;
        memcpy(into, text, kept);
        into[kept] = '\0';
    }
    return n;
}

struct costing_call {
    jx_module *module;
    u32 i;
    struct jx_costs *costs;
    struct jx_cost *row;
    struct jx_cost_program *inner;
};

static struct jx_amount
amount_of(jx_module *module, const struct amount_kept *a)
{
    struct sink text;
    sink_init_memory(&text, &module->mem);
    amount_write_whole(&text, &module->costs.amounts, a);
    struct slice kept = sink_take(&text);
    bool open = a->n > 0 || a->more || a->constant >= AMOUNT_LIMIT;
    return (struct jx_amount){api_string(kept), open ? (double)NAN : a->constant};
}

static void
write_cost(jx_module *module, struct jx_cost *to, const struct amount_kept *times, const struct cost *cost)
{
    to->times = amount_of(module, times);
    to->flops = amount_of(module, &cost->flops);
    to->transcendentals = amount_of(module, &cost->transcendentals);
    to->read = amount_of(module, &cost->read);
    to->written = amount_of(module, &cost->written);
}

static struct jx_place
equation_place(jx_module *module, eqn_t e)
{
    u32 offset = e == NONE ? NONE : module->ir.eqns.at[e].offset;
    return offset == NONE ? (struct jx_place){0} : api_place(module, offset, 1);
}

static void
work_read(void *arg)
{
    jx_module *module = arg;
    if (module->costs.amounts.mem)
        costs_drop(&module->costs);
    costs_read(&module->ir, module->stream.at[module->costed - 1],
               (enum cost_by)(module->cost_by & ~(unsigned)JX_COST_LIVE), module->cost_by & JX_COST_LIVE, NONE,
               &module->costs);
}

/* works the costs of a program out, unless they were the last; `by` counts where rows do */
static enum jx_status
read_costs(jx_module *module, u32 program, enum jx_cost_by by)
{
    enum jx_status status = api_intact(module);
    if (status == JX_OK)
        status = api_enum(module->context, by & ~(unsigned)JX_COST_LIVE, JX_COST_BY_SOURCE,
                          "`by` is not an enum jx_cost_by");
    if (status == JX_OK)
        status = api_checked(module);
    if (status != JX_OK || program >= module->stream.n || (module->costed == program + 1 && module->cost_by == by))
        return status;
    module->costed = program + 1;
    module->cost_by = by;
    return api_run(module, work_read, module);
}

static void
work_cost(void *arg)
{
    struct costing_call *call = arg;
    jx_module *module = call->module;
    const struct costs *all = &module->costs;
    struct jx_costs *answer = call->costs;
    answer->rows = all->rows.n;
    answer->programs = all->programs.n;
    answer->dead = all->dead;
    const struct cost_program nothing = {.peak_at = NONE}, *outer = all->programs.n ? all->programs.at : &nothing;
    write_cost(module, &answer->total, &outer->times, &outer->cost);
    answer->total.unknown = all->unknown;
    answer->peak = amount_of(module, &outer->peak);
    answer->peak_at = equation_place(module, outer->peak_at);
}

enum jx_status(jx_cost)(jx_module *module, uint32_t program, enum jx_cost_by by, struct jx_costs *costs, size_t size)
{
    struct jx_costs all = {0};
    if (module == NULL || costs == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`costs` is NULL");
    enum jx_status status = read_costs(module, program, by);
    if (status == JX_OK && program < module->stream.n)
        status = api_run(module, work_cost, &(struct costing_call){.module = module, .costs = &all});
    api_answer(costs, size, &all, sizeof all);
    return status;
}

struct focusing {
    jx_module *module;
    u32 program;
    eqn_t equation;
    struct jx_equation_cost *answer;
};

static void
work_equation(void *arg)
{
    struct focusing *f = arg;
    jx_module *module = f->module;
    const struct cost_focus *focus = &module->costs.focus;
    if (module->costs.amounts.mem)
        costs_drop(&module->costs);
    module->costed = 0; /* rows are those of no program that can be asked about */
    costs_read(&module->ir, module->stream.at[f->program], COST_BY_PRIMITIVE, false, f->equation, &module->costs);
    if (!focus->found)
        return;
    const struct amount_kept once = {.constant = 1};
    write_cost(module, &f->answer->cost, &once, &focus->cost);
    f->answer->cost.unknown = focus->unknown;
    f->answer->live = amount_of(module, &focus->live);
    f->answer->known = true;
}

enum jx_status(jx_equation_cost)(jx_module *module, uint32_t program, uint32_t equation,
                                 struct jx_equation_cost *answer, size_t size)
{
    struct jx_equation_cost all = {0};
    struct focusing f = {module, program, equation, &all};
    if (answer == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`answer` is NULL");
    enum jx_status status = api_intact(module);
    if (status == JX_OK)
        status = api_checked(module);
    if (status == JX_OK && program < module->stream.n && equation < module->ir.eqns.n)
        status = api_run(module, work_equation, &f);
    api_answer(answer, size, &all, sizeof all);
    return status;
}

static struct slice
row_name(jx_module *module, u32 key)
{
    struct module *m = &module->ir;
    struct name_buffer buffer;
    unsigned by = module->cost_by & ~(unsigned)JX_COST_LIVE;
    if (by == JX_COST_BY_PRIMITIVE)
        return arena_copy(&module->mem, module_name(m, key, &buffer));
    if (key == NONE)
        return (struct slice){"", 0};
    return by == JX_COST_BY_SHAPE ? type_get(&m->types, key)->text : module_bytes(m, m->comments.at[key].text);
}

static void
work_row(void *arg)
{
    struct costing_call *call = arg;
    const struct cost_row *row = &call->module->costs.rows.at[call->i];
    write_cost(call->module, call->row, &row->times, &row->cost);
    call->row->unknown = row->unknown;
    call->row->name = api_string(row_name(call->module, row->key));
}

bool
jx_cost_row(jx_module *module, uint32_t program, enum jx_cost_by by, uint32_t i, struct jx_cost *row)
{
    if (row == NULL || module == NULL || program >= module->stream.n || read_costs(module, program, by) != JX_OK)
        return false;
    memset(row, 0, sizeof *row);
    return i < module->costs.rows.n &&
           api_run(module, work_row, &(struct costing_call){.module = module, .i = i, .row = row}) == JX_OK;
}

/* what a program is called: by its `let`, else the `name` of the equation that holds it */
static struct slice
program_name(const struct module *m, eqn_t holder, jaxpr_t j)
{
    if (holder == NONE)
        return (struct slice){"", 0};
    u32 left = MOST_KEYS;
    for (param_t p = m->eqns.at[holder].params; p != NONE && left > 0; p = m->params.at[p].next, left--)
        if (m->params.at[p].kind == PARAM_SHARED && jaxpr_in_param(m, &m->params.at[p]) == j)
            return module_bytes(m, m->params.at[p].span);
    param_t name = eqn_param(m, holder, SLICE("name"));
    return name == NONE ? (struct slice){"", 0} : module_bytes(m, m->params.at[name].span);
}

static void
work_program(void *arg)
{
    struct costing_call *call = arg;
    jx_module *module = call->module;
    const struct cost_program *p = &module->costs.programs.at[call->i];
    struct jx_cost_program *to = call->inner;
    struct name_buffer buffer;
    write_cost(module, &to->cost, &p->times, &p->cost);
    to->cost.name = api_string(program_name(&module->ir, p->holder, p->jaxpr));
    if (p->holder != NONE)
        to->primitive =
            api_string(arena_copy(&module->mem, module_name(&module->ir, module->ir.eqns.at[p->holder].prim, &buffer)));
    else
        to->primitive = (struct jx_string){"", 0};
    to->jaxpr = p->jaxpr;
    to->place = api_place(module, module->ir.jaxprs.at[p->jaxpr].offset, 1);
    to->peak = amount_of(module, &p->peak);
    to->peak_at = equation_place(module, p->peak_at);
    to->idle = p->idle;
    to->applied = p->applied;
}

bool(jx_cost_program)(jx_module *module, uint32_t program, uint32_t i, struct jx_cost_program *answer, size_t size)
{
    struct jx_cost_program all = {0};
    if (module == NULL || program >= module->stream.n || read_costs(module, program, module->cost_by) != JX_OK ||
        i >= module->costs.programs.n)
        return false;
    return api_run(module, work_program, &(struct costing_call){.module = module, .i = i, .inner = &all}) == JX_OK &&
           api_answer(answer, size, &all, sizeof all);
}
