/* SPDX-License-Identifier: Apache-2.0
 *
 * Costs of jaxpr_tools.h: amounts are converted to text, and to numbers if they are constant. */
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

struct jx_program_costs {
    jx_module *module;
    u32 program;
    enum jx_cost_by by;
    struct costs found;
};

/* A request for a part of the costs of a program. */
struct cost_request {
    jx_program_costs *costs;
    u32 i;
    struct jx_costs *total;
    struct jx_cost *row;
    struct jx_cost_program *inner;
};

static struct jx_amount
amount_of(jx_program_costs *costs, const struct amount_kept *a)
{
    struct sink text;
    sink_init_memory(&text, &costs->module->mem);
    amount_write_whole(&text, &costs->found.amounts, a);
    struct slice kept = sink_take(&text);
    bool open = a->n > 0 || a->more || a->constant >= AMOUNT_LIMIT;
    return (struct jx_amount){api_string(kept), open ? (double)NAN : a->constant};
}

static void
write_cost(jx_program_costs *costs, struct jx_cost *to, const struct amount_kept *times, const struct cost *cost)
{
    to->times = amount_of(costs, times);
    to->flops = amount_of(costs, &cost->flops);
    to->transcendentals = amount_of(costs, &cost->transcendentals);
    to->read = amount_of(costs, &cost->read);
    to->written = amount_of(costs, &cost->written);
}

static struct jx_place
equation_place(jx_module *module, eqn_t e)
{
    u32 offset = e == NONE ? NONE : module->ir.eqns.at[e].offset;
    return offset == NONE ? (struct jx_place){0} : api_place(module, offset, 1);
}

static enum jx_status
check_cost_options(jx_module *module, enum jx_cost_by by)
{
    enum jx_status status = api_intact(module);
    if (status == JX_OK)
        status = api_enum(module->context, by & ~(unsigned)JX_COST_LIVE, JX_COST_BY_SOURCE,
                          "`by` is not an enum jx_cost_by");
    return status == JX_OK ? api_checked(module) : status;
}

static void
work_costs(void *arg)
{
    jx_program_costs *costs = arg;
    jx_module *module = costs->module;
    if (costs->program < module->stream.n)
        costs_read(&module->ir, module->stream.at[costs->program], (enum cost_by)(costs->by & ~(unsigned)JX_COST_LIVE),
                   costs->by & JX_COST_LIVE, &costs->found);
}

enum jx_status
jx_cost(jx_module *module, uint32_t program, enum jx_cost_by by, jx_program_costs **costs)
{
    jx_program_costs first = {.module = module, .program = program, .by = by};
    if (module == NULL || costs == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`costs` is NULL");
    enum jx_status status = check_cost_options(module, by);
    void *made = NULL;
    if (status == JX_OK)
        status = api_make(module, &first, sizeof first, work_costs, &made);
    *costs = made;
    return status;
}

void
jx_cost_free(jx_program_costs *costs)
{
    if (costs == NULL)
        return;
    if (costs->found.amounts.mem != NULL)
        costs_drop(&costs->found);
    api_let_go(costs->module);
}

static void
work_total(void *arg)
{
    const struct cost_request *request = arg;
    jx_program_costs *costs = request->costs;
    const struct costs *all = &costs->found;
    struct jx_costs *answer = request->total;
    if (all->amounts.mem == NULL)
        return; /* past the last program */
    answer->rows = all->rows.n;
    answer->programs = all->jaxprs.n;
    answer->dead = all->dead;
    const struct cost_jaxpr nothing = {.peak_at = NONE}, *outer = all->jaxprs.n ? all->jaxprs.at : &nothing;
    write_cost(costs, &answer->total, &outer->times, &outer->cost);
    answer->total.unknown = all->unknown;
    answer->peak = amount_of(costs, &outer->peak);
    answer->peak_at = equation_place(costs->module, outer->peak_at);
}

bool(jx_cost_total)(jx_program_costs *costs, struct jx_costs *total, size_t size)
{
    struct jx_costs all = {0};
    return costs != NULL &&
           api_run(costs->module, work_total, &(struct cost_request){.costs = costs, .total = &all}) == JX_OK &&
           api_answer(total, size, &all, sizeof all);
}

/* The costs of all equations of one program. */
struct api_equations {
    u32 program;
    jx_program_costs costs;
    struct cost_equations of;
};

struct equation_request {
    jx_module *module;
    u32 program;
    eqn_t equation;
    struct jx_equation_cost *answer;
};

/* reads the costs of a program, unless they are those that the module keeps */
static struct api_equations *
read_equations(jx_module *module, u32 program)
{
    struct api_equations *kept = module->equations;
    if (kept != NULL && kept->program == program)
        return kept;
    if (kept != NULL) {
        cost_equations_drop(&module->mem, &kept->of);
        costs_drop(&kept->costs.found);
    } else {
        kept = mem_alloc(&module->mem, sizeof *kept);
    }
    *kept = (struct api_equations){.program = program, .costs.module = module};
    costs_read_equations(&module->ir, module->stream.at[program], &kept->costs.found, &kept->of);
    module->equations = kept;
    return kept;
}

static void
work_equation(void *arg)
{
    struct equation_request *request = arg;
    const struct amount_kept once = {.constant = 1};
    struct api_equations *all = read_equations(request->module, request->program);
    const struct cost_equation *one = cost_equations_find(&all->of, request->equation);
    if (one == NULL)
        return;
    write_cost(&all->costs, &request->answer->cost, &once, &one->cost);
    request->answer->cost.unknown = one->unknown;
    request->answer->live = amount_of(&all->costs, &one->live);
    request->answer->known = true;
}

enum jx_status(jx_equation_cost)(jx_module *module, uint32_t program, uint32_t equation,
                                 struct jx_equation_cost *answer, size_t size)
{
    struct jx_equation_cost all = {0};
    struct equation_request request = {module, program, equation, &all};
    if (answer == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`answer` is NULL");
    enum jx_status status = api_intact(module);
    if (status == JX_OK)
        status = api_checked(module);
    if (status == JX_OK && program < module->stream.n && equation < module->ir.eqns.n)
        status = api_run(module, work_equation, &request);
    api_answer(answer, size, &all, sizeof all);
    return status;
}

static struct slice
row_name(const jx_program_costs *costs, u32 key)
{
    struct module *m = &costs->module->ir;
    struct name_buffer buffer;
    unsigned by = costs->by & ~(unsigned)JX_COST_LIVE;
    if (by == JX_COST_BY_PRIMITIVE)
        return arena_copy(m->mem, module_name(m, key, &buffer));
    if (key == NONE)
        return (struct slice){"", 0};
    return by == JX_COST_BY_SHAPE ? type_get(&m->types, key)->text : module_bytes(m, m->comments.at[key].text);
}

static void
work_row(void *arg)
{
    const struct cost_request *request = arg;
    const struct cost_row *row = &request->costs->found.rows.at[request->i];
    write_cost(request->costs, request->row, &row->times, &row->cost);
    request->row->unknown = row->unknown;
    request->row->name = api_string(row_name(request->costs, row->key));
}

bool(jx_cost_row)(jx_program_costs *costs, uint32_t i, struct jx_cost *row, size_t size)
{
    struct jx_cost all = {0};
    return costs != NULL && i < costs->found.rows.n &&
           api_run(costs->module, work_row, &(struct cost_request){.costs = costs, .i = i, .row = &all}) == JX_OK &&
           api_answer(row, size, &all, sizeof all);
}

/* the name of a program: that of its `let`, else the `name` of the equation that contains it */
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
    const struct cost_request *request = arg;
    jx_module *module = request->costs->module;
    const struct cost_jaxpr *p = &request->costs->found.jaxprs.at[request->i];
    struct jx_cost_program *to = request->inner;
    struct name_buffer buffer;
    write_cost(request->costs, &to->cost, &p->times, &p->cost);
    to->cost.name = api_string(program_name(&module->ir, p->holder, p->jaxpr));
    if (p->holder != NONE)
        to->primitive =
            api_string(arena_copy(&module->mem, module_name(&module->ir, module->ir.eqns.at[p->holder].prim, &buffer)));
    else
        to->primitive = (struct jx_string){"", 0};
    to->jaxpr = p->jaxpr;
    to->place = api_place(module, module->ir.jaxprs.at[p->jaxpr].offset, 1);
    to->peak = amount_of(request->costs, &p->peak);
    to->peak_at = equation_place(module, p->peak_at);
    to->idle = p->idle;
    to->applied = p->applied;
}

bool(jx_cost_program)(jx_program_costs *costs, uint32_t i, struct jx_cost_program *answer, size_t size)
{
    struct jx_cost_program all = {0};
    return costs != NULL && i < costs->found.jaxprs.n &&
           api_run(costs->module, work_program, &(struct cost_request){.costs = costs, .i = i, .inner = &all}) ==
               JX_OK &&
           api_answer(answer, size, &all, sizeof all);
}
