/* SPDX-License-Identifier: Apache-2.0
 *
 * The walks over one program. Nested programs form a graph, as a shared one is used in several places; it is sorted
 * topologically, outer programs first. Forwards, sizes are passed to nested programs; backwards, costs and peaks are
 * added to the outer ones; forwards again, the number of runs of each is computed, and every equation is added to
 * its row. Linear. Recursive uses are not followed. */
#include "cost/costing.h"

#include "regions/dead.h"

#include <stdlib.h>

/* ---- equations whose results nothing reads ---- */

static void
count_var(const struct readers *readers, var_t v)
{
    u32 *reads = readers_of(readers, v);
    if (reads)
        ++*reads;
}

static void
count_read(const struct readers *readers, atom_t a)
{
    if (atom_kind(a) == ATOM_VAR)
        count_var(readers, atom_id(a));
}

static void
count_reader(const struct module *m, const struct readers *readers, atom_t a)
{
    if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *r = &m->refs.at[atom_id(a)];
        for (u32 i = 0; i < r->n_uses; i++)
            count_read(readers, m->uses.at[r->uses + i]);
        a = r->ref;
    }
    count_read(readers, a);
}

/* Counts the reads of each variable in a jaxpr. A type may read any variable that is a size, so those count as read. */
static void
count_readers(const struct module *m, const struct readers *readers, jaxpr_t id)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        for (u32 i = 0; i < eqn->n_atoms; i++)
            count_reader(m, readers, m->atoms.at[eqn->atoms + i]);
        for (u32 i = 0; i < eqn->n_vars; i++)
            if (type_is_dim(m, m->vars.at[eqn->vars + i].type))
                count_var(readers, eqn->vars + i);
    }
    for (u32 i = 0; i < j->n_outs; i++)
        count_reader(m, readers, m->atoms.at[j->outs + i]);
}

/* the counts of reads, initially 0, of the results in all jaxprs of one program: its cost must not depend on other
 * programs */
static struct readers
make_readers(struct module *m, const struct jaxprs *all)
{
    u32 first = NONE, end = 0;
    for (u32 i = 0; i < all->n; i++)
        for (eqn_t e = m->jaxprs.at[all->at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            const struct eqn *eqn = &m->eqns.at[e];
            if (eqn->n_vars == 0)
                continue;
            first = eqn->vars < first ? eqn->vars : first;
            end = eqn->vars + eqn->n_vars > end ? eqn->vars + eqn->n_vars : end;
        }
    u32 n = end > first ? end - first : 0;
    return (struct readers){mem_zeroed(m->mem, (n + 1ull) * sizeof(u32)), first, n};
}

/* finds the equations of a program that no result depends on */
static void
find_dead(struct costing *c, program_t program)
{
    struct module *m = c->m;
    struct jaxprs all = {0};
    struct eqns dead = {0};
    struct effects effects;
    effects_init(&effects, m, &c->prims, program_versions(m, program));
    reach_all(m, program, &all);
    const struct readers readers = make_readers(m, &all);
    for (u32 i = 0; i < all.n; i++) {
        effects_add(&effects, all.at[i]);
        count_readers(m, &readers, all.at[i]);
    }
    for (u32 i = 0; i < all.n; i++)
        dead_equations(m, &effects, &readers, all.at[i], &dead);
    for (u32 i = 0; i < dead.n; i++)
        memo_set(m->mem, &c->dead, dead.at[i], 1);
    c->out->dead = dead.n;
    vec_free(m->mem, &dead);
    vec_free(m->mem, &all);
    effects_end(&effects);
    mem_free(m->mem, readers.at);
}

static eqn_t
counted(const struct costing *c, eqn_t e)
{
    while (c->live && e != NONE && memo_get(&c->dead, e))
        e = c->m->eqns.at[e].next;
    return e;
}

eqn_t
cost_first(const struct costing *c, jaxpr_t j)
{
    return counted(c, c->m->jaxprs.at[j].eqns);
}

eqn_t
cost_next(const struct costing *c, eqn_t e)
{
    return counted(c, c->m->eqns.at[e].next);
}

/* ---- the graph ---- */

static u32
node_of(struct costing *c, jaxpr_t j)
{
    return (u32)memo_get(&c->node_of, j) - 1;
}

/* the entry of a jaxpr, created if necessary */
static u32
meet(struct costing *c, jaxpr_t j, eqn_t holder)
{
    u64 known = memo_get(&c->node_of, j);
    if (known)
        return (u32)known - 1;
    *vec_push(c->m->mem, &c->out->jaxprs) =
        (struct cost_jaxpr){.jaxpr = j, .holder = holder, .peak_at = NONE, .idle = true, .applied = true};
    *vec_push(c->m->mem, &c->nodes) = (struct node){0};
    memo_set(c->m->mem, &c->node_of, j, c->nodes.n);
    return c->nodes.n - 1;
}

/* finds every jaxpr that runs, in printed order except for shared ones, and counts its callers */
static void
find_jaxprs(struct costing *c, jaxpr_t main)
{
    meet(c, main, NONE);
    for (u32 i = 0; i < c->nodes.n; i++) {
        jaxpr_t j = c->out->jaxprs.at[i].jaxpr;
        for (eqn_t e = cost_first(c, j); e != NONE; e = cost_next(c, e)) {
            cost_sites(c, e);
            for (u32 k = 0; k < c->sites.n; k++) {
                u32 to = meet(c, c->sites.at[k].jaxpr, e);
                c->nodes.at[to].waiting++;
            }
        }
    }
}

/* callers before callees; recursive programs last */
static void
write_in_order(struct costing *c)
{
    struct mem *mem = c->m->mem;
    u8 *placed = mem_zeroed(mem, c->nodes.n);
    for (u32 start = 0, done = 0; start < c->nodes.n; start++) {
        if (placed[start])
            continue;
        placed[start] = 1;
        *vec_push(mem, &c->order) = start;
        for (; done < c->order.n; done++) {
            jaxpr_t j = c->out->jaxprs.at[c->order.at[done]].jaxpr;
            for (eqn_t e = cost_first(c, j); e != NONE; e = cost_next(c, e)) {
                cost_sites(c, e);
                for (u32 k = 0; k < c->sites.n; k++) {
                    u32 to = node_of(c, c->sites.at[k].jaxpr);
                    if (placed[to] || --c->nodes.at[to].waiting > 0)
                        continue;
                    placed[to] = 1;
                    *vec_push(mem, &c->order) = to;
                }
            }
        }
    }
    mem_free(mem, placed);
}

/* ---- sizes, passed to nested programs ---- */

/* records the value of a variable of program `inner`; if callers give it different values, a symbol of its own */
static void
set_inner_value(struct costing *c, var_t v, jaxpr_t inner, const struct amount *value)
{
    struct amount before;
    u64 known = memo_get(&c->values, v);
    if (!known) {
        *vec_push(c->m->mem, &c->env) = (struct amount_kept){0};
        amount_keep(c->t, &c->env.at[c->env.n - 1], value);
        memo_set(c->m->mem, &c->values, v, c->env.n);
        return;
    }
    amount_load(c->t, &before, &c->env.at[known - 1]);
    if (amount_equal(&before, value))
        return;
    memo_set(c->m->mem, &c->values, v, 0);
    cost_variable(c, inner, v, &before);
}

/* passes sizes to the programs that one equation runs */
static void
pass_sizes(struct costing *c, jaxpr_t j, eqn_t e)
{
    const struct module *m = c->m;
    struct amount value;
    const struct eqn *eqn = &m->eqns.at[e];
    region_map_read(m, e, &c->map);
    for (u32 k = 0; k < c->sites.n; k++) {
        const struct jaxpr *inner = &m->jaxprs.at[c->sites.at[k].jaxpr];
        const struct region *in = region_of(&c->map, c->sites.at[k].jaxpr);
        for (u32 b = 0; b < jaxpr_binders(inner); b++) {
            u32 operand = in ? region_operand(in, b) : b < inner->n_consts ? NONE : b - inner->n_consts;
            if (operand == NONE || operand >= eqn->n_atoms || !type_is_dim(m, m->vars.at[inner->vars + b].type))
                continue;
            atom_t a = m->atoms.at[eqn->atoms + operand];
            i64 number = 0;
            if (atom_kind(a) == ATOM_VAR)
                cost_variable(c, j, atom_id(a), &value);
            else if (atom_kind(a) == ATOM_LIT && cost_literal(m, atom_id(a), &number))
                amount_set(&value, (double)number);
            else
                continue;
            set_inner_value(c, inner->vars + b, c->sites.at[k].jaxpr, &value);
        }
    }
}

static void
hand_all_sizes(struct costing *c)
{
    const struct module *m = c->m;
    for (u32 i = 0; i < c->order.n; i++) {
        jaxpr_t j = c->out->jaxprs.at[c->order.at[i]].jaxpr;
        if (memo_get(&m->dim_names, j) != NAMES_VARIABLES)
            continue;
        for (eqn_t e = cost_first(c, j); e != NONE; e = cost_next(c, e)) {
            cost_sites(c, e);
            if (c->sites.n)
                pass_sizes(c, j, e);
        }
    }
}

/* ---- costs, added to the outer programs ---- */

static void
load_cost(const struct costing *c, struct eqn_cost *to, const struct cost *from)
{
    amount_load(c->t, &to->flops, &from->flops);
    amount_load(c->t, &to->transcendentals, &from->transcendentals);
    amount_load(c->t, &to->read, &from->read);
    amount_load(c->t, &to->written, &from->written);
}

/* the index in c->sites of the most expensive branch, which alone counts; NONE if there are no branches */
static u32
find_most_expensive(const struct costing *c)
{
    double most = -1, moved = -1;
    u32 most_expensive = NONE;
    for (u32 k = 0; k < c->sites.n; k++) {
        struct eqn_cost eqn_cost;
        u64 node = memo_get(&c->node_of, c->sites.at[k].jaxpr);
        if (c->sites.at[k].run != RUN_BRANCHES || !node)
            continue;
        load_cost(c, &eqn_cost, &c->out->jaxprs.at[node - 1].cost);
        double flops = amount_guess(c->t, &eqn_cost.flops) + amount_guess(c->t, &eqn_cost.transcendentals);
        double bytes = amount_guess(c->t, &eqn_cost.read) + amount_guess(c->t, &eqn_cost.written);
        if (flops > most || (flops == most && bytes > moved)) {
            most = flops;
            moved = bytes;
            most_expensive = k;
        }
    }
    return most_expensive;
}

/* removes all branches but the most expensive one from c->sites */
static void
keep_most_expensive(struct costing *c)
{
    u32 most_expensive = c->sites.n ? find_most_expensive(c) : NONE, kept = 0;
    for (u32 k = 0; k < c->sites.n; k++)
        if (c->sites.at[k].run != RUN_BRANCHES || k == most_expensive)
            c->sites.at[kept++] = c->sites.at[k];
    c->sites.n = kept;
}

/* sum += *eqn_cost, with operations multiplied by `times` and bytes by `moving`; *eqn_cost becomes the product */
static void
collect(struct costing *c, struct cost *sum, struct eqn_cost *eqn_cost, const struct amount *times,
        const struct amount *moving)
{
    amount_multiply(c->t, &eqn_cost->flops, times);
    amount_multiply(c->t, &eqn_cost->transcendentals, times);
    amount_collect(c->t, &sum->flops, &eqn_cost->flops);
    amount_collect(c->t, &sum->transcendentals, &eqn_cost->transcendentals);
    amount_multiply(c->t, &eqn_cost->read, moving);
    amount_multiply(c->t, &eqn_cost->written, moving);
    amount_collect(c->t, &sum->read, &eqn_cost->read);
    amount_collect(c->t, &sum->written, &eqn_cost->written);
}

/* sum += *eqn_cost */
static void
collect_once(struct costing *c, struct cost *sum, struct eqn_cost *eqn_cost)
{
    struct amount one;
    amount_set(&one, 1);
    collect(c, sum, eqn_cost, &one, &one);
}

/* adds the entry of an equation */
static struct cost_equation *
list_equation(struct costing *c, eqn_t e, bool unknown)
{
    struct cost_equations *all = c->equations;
    *vec_push(c->m->mem, &all->each) = (struct cost_equation){.unknown = unknown};
    memo_set(c->m->mem, &all->index, e, all->each.n);
    return &all->each.at[all->each.n - 1];
}

/* computes the cost of one run of a program, including the programs it runs, whose costs are known */
static void
add_up(struct costing *c, u32 program)
{
    const struct module *m = c->m;
    jaxpr_t j = c->out->jaxprs.at[program].jaxpr;
    struct eqn_cost eqn_cost;
    struct amount times, moving, none;
    struct cost sum = {0};
    amount_set(&none, 0);
    for (eqn_t e = cost_first(c, j); e != NONE; e = cost_next(c, e)) {
        mem_poll(m->mem);
        cost_sites(c, e);
        cost_equation(c, j, e, &eqn_cost);
        struct cost_equation *own = c->equations ? list_equation(c, e, eqn_cost.unknown) : NULL;
        collect_once(c, &sum, &eqn_cost);
        if (own)
            collect_once(c, &own->cost, &eqn_cost);
        keep_most_expensive(c);
        const struct op_view q = {c, j, e, &m->eqns.at[e]};
        for (u32 k = 0; k < c->sites.n; k++) {
            const struct site *site = &c->sites.at[k];
            cost_times(&q, site, &times);
            amount_copy(&moving, site_applies(site) ? &none : &times);
            load_cost(c, &eqn_cost, &c->out->jaxprs.at[node_of(c, site->jaxpr)].cost);
            collect(c, &sum, &eqn_cost, &times, &moving);
            if (own) /* eqn_cost is multiplied already */
                collect_once(c, &own->cost, &eqn_cost);
        }
    }
    c->out->jaxprs.at[program].cost = sum;
}

/* ---- rows ---- */

static u32
key_of(struct costing *c, eqn_t e)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    if (c->by == COST_BY_PRIMITIVE)
        return eqn->prim;
    if (c->by == COST_BY_SHAPE)
        return eqn->n_vars ? c->m->vars.at[eqn->vars].type : NONE;
    u32 source = source_comment(c->m, e), comment = source ? source : comment_of(c->m, e);
    if (!comment)
        return NONE;
    struct slice text = module_bytes(c->m, c->m->comments.at[comment - 1].text);
    u32 met = c->sources.owners.n;
    u32 symbol = amounts_symbol(&c->sources, text, comment - 1, text);
    /* the source of a text is the first comment with it */
    return symbol == met ? comment - 1 : c->sources.owners.at[symbol];
}

static struct cost_row *
row_of(struct costing *c, u32 key)
{
    u32 id = key == NONE ? NONE - 1 : key;
    u64 known = memo_get(&c->row_of, id);
    if (!known) {
        *vec_push(c->m->mem, &c->out->rows) = (struct cost_row){.key = key};
        known = c->out->rows.n;
        memo_set(c->m->mem, &c->row_of, id, known);
    }
    return &c->out->rows.at[known - 1];
}

/* adds how often a program runs because of one equation */
static void
run(struct costing *c, u32 to, const struct amount *times, const struct amount *moving)
{
    struct cost_jaxpr *p = &c->out->jaxprs.at[to];
    double number;
    amount_collect(c->t, &p->times, times);
    amount_collect(c->t, &c->nodes.at[to].moving, moving);
    p->idle &= amount_number(times, &number) && number == 0;
    p->applied &= amount_number(moving, &number) && number == 0;
}

/* adds the cost of every equation of a program to its row, and the runs of nested programs to their counts */
static void
eqn_cost_rows(struct costing *c, u32 program)
{
    const struct module *m = c->m;
    jaxpr_t j = c->out->jaxprs.at[program].jaxpr;
    struct eqn_cost eqn_cost;
    struct amount times, moving, each, each_moving;
    amount_load(c->t, &times, &c->out->jaxprs.at[program].times);
    amount_load(c->t, &moving, &c->nodes.at[program].moving);
    for (eqn_t e = cost_first(c, j); e != NONE; e = cost_next(c, e)) {
        mem_poll(m->mem);
        cost_sites(c, e);
        cost_equation(c, j, e, &eqn_cost);
        struct cost_row *row = row_of(c, key_of(c, e));
        amount_collect(c->t, &row->times, &times);
        row->unknown += eqn_cost.unknown;
        c->out->unknown += eqn_cost.unknown;
        collect(c, &row->cost, &eqn_cost, &times, &moving);
        if (c->detail)
            *vec_push(m->mem, &c->detail->charges) = (struct cost_charge){
                e, program, amount_guess(c->t, &eqn_cost.flops) + amount_guess(c->t, &eqn_cost.transcendentals),
                amount_guess(c->t, &eqn_cost.read) + amount_guess(c->t, &eqn_cost.written)};
        keep_most_expensive(c);
        const struct op_view q = {c, j, e, &m->eqns.at[e]};
        for (u32 k = 0; k < c->sites.n; k++) {
            const struct site *site = &c->sites.at[k];
            cost_times(&q, site, &each);
            amount_copy(&each_moving, &each);
            amount_multiply(c->t, &each, &times);
            amount_multiply(c->t, &each_moving, &moving);
            if (site_applies(site))
                amount_set(&each_moving, 0);
            run(c, node_of(c, site->jaxpr), &each, &each_moving);
        }
    }
}

struct sorted {
    struct cost_row row;
    double work, bytes;
    u32 i;
};

static int
by_cost_descending(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->work != y->work)
        return x->work < y->work ? 1 : -1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return x->i < y->i ? -1 : x->i > y->i;
}

static void
sort_rows(struct costing *c)
{
    struct costs *out = c->out;
    struct sorted *all = mem_alloc(c->m->mem, (out->rows.n + 1) * sizeof *all);
    for (u32 i = 0; i < out->rows.n; i++) {
        struct eqn_cost eqn_cost;
        load_cost(c, &eqn_cost, &out->rows.at[i].cost);
        all[i] = (struct sorted){out->rows.at[i],
                                 amount_guess(c->t, &eqn_cost.flops) + amount_guess(c->t, &eqn_cost.transcendentals),
                                 amount_guess(c->t, &eqn_cost.read) + amount_guess(c->t, &eqn_cost.written), i};
    }
    if (out->rows.n)
        qsort(all, out->rows.n, sizeof *all, by_cost_descending);
    for (u32 i = 0; i < out->rows.n; i++)
        out->rows.at[i] = all[i].row;
    mem_free(c->m->mem, all);
}

/* how often each program runs, and the rows */
static void
count_runs(struct costing *c)
{
    struct amount one;
    amount_set(&one, 1);
    run(c, 0, &one, &one);
    for (u32 i = 0; i < c->order.n; i++)
        eqn_cost_rows(c, c->order.at[i]);
    sort_rows(c);
}

/* ---- the whole ---- */

static void
costing_drop(struct costing *c)
{
    struct mem *mem = c->m->mem;
    struct memo *memos[] = {&c->elements, &c->values, &c->trips, &c->node_of, &c->last, &c->row_of, &c->dead};
    for (size_t i = 0; i < countof(memos); i++)
        memo_free(mem, memos[i]);
    mem_free_all(mem, c->env.at, c->nodes.at, c->order.at, c->sites.at);
    amounts_drop(&c->sources);
    region_map_free(c->m, &c->map);
    prims_free(&c->prims);
    if (c->scope_made)
        binders_drop(&c->scope);
}

/* `like` contains the options and the addresses of the results */
static void
read_costs(struct module *m, program_t program, const struct costing *like)
{
    const struct program *p = &m->programs.at[program];
    struct costs *costs = like->out;
    *costs = (struct costs){0};
    amounts_init(&costs->amounts, m->mem);
    struct costing *c = mem_alloc(m->mem, sizeof *c);
    *c = *like;
    c->m = m;
    c->t = &costs->amounts;
    c->scope_of = NONE;
    amounts_init(&c->sources, m->mem);
    prims_init(m->mem, &c->prims);
    if (p->main != NONE) {
        if (c->by == COST_BY_SOURCE)
            comments_anchor(c->m);
        if (!c->equations)
            find_dead(c, program);
        find_jaxprs(c, p->main);
        write_in_order(c);
        hand_all_sizes(c);
        for (u32 i = c->order.n; i-- > 0;) {
            add_up(c, c->order.at[i]);
            cost_peak(c, c->order.at[i]);
        }
        if (c->detail)
            cost_held_at_peak(c);
        if (!c->equations)
            count_runs(c);
    }
    costing_drop(c);
    mem_free(m->mem, c);
}

void
costs_read(struct module *m, program_t program, enum cost_by by, bool live, struct costs *costs)
{
    const struct costing like = {.out = costs, .by = by, .live = live};
    read_costs(m, program, &like);
}

void
costs_read_equations(struct module *m, program_t program, struct costs *costs, struct cost_equations *equations)
{
    const struct costing like = {.out = costs, .equations = equations};
    *equations = (struct cost_equations){0};
    read_costs(m, program, &like);
}

void
cost_equations_drop(struct mem *mem, struct cost_equations *equations)
{
    memo_free(mem, &equations->index);
    vec_free(mem, &equations->each);
}

void
costs_read_detail(struct module *m, program_t program, struct costs *costs, struct cost_detail *detail)
{
    const struct costing like = {.out = costs, .detail = detail, .by = COST_BY_PRIMITIVE};
    *detail = (struct cost_detail){0};
    read_costs(m, program, &like);
}

void
cost_detail_drop(struct mem *mem, struct cost_detail *detail)
{
    mem_free_all(mem, detail->charges.at, detail->moments.at, detail->held.at);
}

void
costs_drop(struct costs *costs)
{
    struct mem *mem = costs->amounts.mem;
    vec_free(mem, &costs->jaxprs);
    vec_free(mem, &costs->rows);
    amounts_drop(&costs->amounts);
}
