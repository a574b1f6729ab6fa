/* SPDX-License-Identifier: Apache-2.0
 *
 * R: random keys. Each jaxpr is visited once, after its nested ones, and summarized by which of its binders it
 * consumes; a `cond` consumes each key once, however many of its branches do. Linear. */
#include "lint/facts.h"

/* the key in a variable, as the first variable that contains it */
static var_t
key_of(const struct lint *l, var_t v)
{
    return l->keys.holder[l->numbers.leaders[v]];
}

static void
add_event(struct lint *l, enum key_event what, eqn_t e, eqn_t before, var_t key, jaxpr_t home)
{
    *vec_push(l->m->mem, &l->keys.events) = (struct key_use){l->program, what, e, before, key, home};
}

/* records that equation e consumes the key in a variable */
static void
consume(struct lint *l, jaxpr_t home, eqn_t e, var_t v)
{
    var_t key = key_of(l, v);
    u32 *first = &l->keys.consumer[key];
    if (*first)
        add_event(l, KEY_AGAIN, e, *first - 1, v, home);
    else
        *first = e + 1;
}

/* true if another program of the same equation consumed the key first, and only one of the two runs */
static bool
is_taken_elsewhere(struct lint *l, struct memo *by, var_t key, u32 inner)
{
    u64 first = memo_get(by, key);
    if (first == 0)
        memo_set(l->m->mem, by, key, inner + 1ull);
    return first != 0 && first != inner + 1ull && l->map.kind != REGION_WHILE;
}

/* records the keys that the programs of an equation consume, once for all branches */
static void
consume_inside(struct lint *l, jaxpr_t home, eqn_t e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    VEC(u8) taken = {0};
    struct memo by = {0}; /* a key: the program that consumes it first, plus one */
    if (!region_map_read(l->m, e, &l->map) || eqn->n_atoms == 0)
        return;
    memset(vec_push_n(m->mem, &taken, eqn->n_atoms), 0, eqn->n_atoms);
    for (u32 k = 0; k < l->map.regions.n; k++) {
        const struct region *in = &l->map.regions.at[k];
        if (in->jaxpr == NONE)
            continue;
        const struct jaxpr *j = &m->jaxprs.at[in->jaxpr];
        for (u32 b = 0; b < jaxpr_binders(j); b++) {
            u32 operand = l->keys.consumer[j->vars + b] ? region_operand(in, b) : NONE;
            if (operand == NONE || operand >= eqn->n_atoms || taken.at[operand])
                continue;
            taken.at[operand] = 1;
            var_t v = lint_operand(l, e, operand);
            if (v == NONE || is_taken_elsewhere(l, &by, key_of(l, v), k))
                continue;
            if (operand < l->map.carry)
                add_event(l, KEY_IN_LOOP, e, l->keys.consumer[j->vars + b] - 1, v, home);
            consume(l, home, e, v);
        }
    }
    vec_free(m->mem, &taken);
    memo_free(m->mem, &by);
}

/* finds keys that a jaxpr both creates from literals and consumes */
static void
find_literal_keys(struct lint *l, jaxpr_t id)
{
    const struct module *m = l->m;
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        const struct prim *row = lint_prim_of(l, e)->row;
        if (!row || !row->is.seeds_key || eqn->n_vars != 1 || eqn->n_atoms != 1)
            continue;
        u32 consumer = l->keys.consumer[key_of(l, eqn->vars)];
        if (atom_kind(m->atoms.at[eqn->atoms]) == ATOM_LIT && consumer)
            add_event(l, KEY_CONSTANT, e, consumer - 1, eqn->vars, id);
    }
}

static void
follow_jaxpr(struct lint *l, jaxpr_t id)
{
    const struct module *m = l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        l->keys.holder[j->vars + i] = j->vars + i;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        for (u32 i = 0; i < eqn->n_vars; i++)
            l->keys.holder[eqn->vars + i] = eqn->vars + i;
        const struct prim *row = lint_prim_of(l, e)->row;
        var_t v = lint_operand(l, e, 0);
        if (v != NONE && eqn->n_vars == 1 && row && row->is.forwards_key)
            l->keys.holder[eqn->vars] = key_of(l, v);
        else if (v != NONE && row && row->is.consumes_key)
            consume(l, id, e, v);
        else if (l->facts.holds[e])
            consume_inside(l, id, e);
    }
    for (u32 i = 0; i < j->n_consts; i++)
        if (l->keys.consumer[j->vars + i])
            add_event(l, KEY_CONSTANT, NONE, l->keys.consumer[j->vars + i] - 1, j->vars + i, id);
    find_literal_keys(l, id);
}

/* follows the keys of all programs, once */
static void
follow(struct lint *l)
{
    struct module *m = l->m;
    program_t program = l->program;
    if (l->keys.holder)
        return;
    lint_number_values(l);
    l->keys.holder = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->keys.holder);
    l->keys.consumer = mem_zeroed(m->mem, (m->vars.n + 1ull) * sizeof *l->keys.consumer);
    for (u32 i = 0; i < l->facts.order.n; i++) {
        l->program = l->facts.programs[i];
        follow_jaxpr(l, l->facts.order.at[i]);
    }
    l->program = program;
}

/* the next event of one kind in the current program, from index *at on, NONE for its first; *at becomes the index
 * after it; NULL if there is none */
static const struct key_use *
next_event(struct lint *l, u32 *at, enum key_event what)
{
    follow(l);
    u32 first = *at == NONE ? vec_before(&l->keys.events, l->program) : *at; /* they are sorted by program */
    for (u32 i = first; i < l->keys.events.n && l->keys.events.at[i].program == l->program; i++)
        if (l->keys.events.at[i].what == what) {
            *at = i + 1;
            l->jaxpr = l->keys.events.at[i].home;
            return &l->keys.events.at[i];
        }
    return NULL;
}

/* the operand of an equation that is the same key as a variable; the variable itself if there is none */
static var_t
consumed_as(const struct lint *l, eqn_t e, var_t key)
{
    for (u32 i = 0; i < l->m->eqns.at[e].n_atoms; i++) {
        var_t v = lint_operand(l, e, i);
        if (v != NONE && key_of(l, v) == key_of(l, key))
            return v;
    }
    return key;
}

static void
report_again(struct lint *l, const struct key_use *u)
{
    var_t before = consumed_as(l, u->before, u->key);
    const char *prim = lint_prim(l, u->eqn), *key = lint_var(l, u->key);
    struct span at = eqn_prim_span(l->m, u->eqn);
    if (before == u->key)
        lint_report(l, u->eqn, at, "`%s` consumes the key `%s`, which was consumed before", prim, key);
    else
        lint_report(l, u->eqn, at, "`%s` consumes the key `%s`, which has the same value as `%s`, consumed before",
                    prim, key, lint_var(l, before));
}

static void
report_uses(struct lint *l, enum key_event what)
{
    u32 at = NONE;
    for (const struct key_use *u; (u = next_event(l, &at, what)) != NULL;) {
        if (what == KEY_CONSTANT)
            lint_report(l, u->eqn, u->eqn == NONE ? lint_binder(l, u->home, u->key) : eqn_prim_span(l->m, u->eqn),
                        "the key `%s` is a constant: every call consumes it again", lint_var(l, u->key));
        else if (what == KEY_AGAIN)
            report_again(l, u);
        else
            lint_report(l, u->eqn, eqn_prim_span(l->m, u->eqn), "every iteration of `%s` consumes the same key `%s`",
                        lint_prim(l, u->eqn), lint_var(l, u->key));
        lint_note(l, eqn_prim_span(l->m, u->before),
                  what == KEY_AGAIN ? "the same key was consumed here, by `%s`" : "it is consumed here, by `%s`",
                  lint_prim(l, u->before));
    }
}

void
lint_R501(struct lint *l, u32 program)
{
    (void)program;
    report_uses(l, KEY_AGAIN);
}

void
lint_R502(struct lint *l, u32 program)
{
    (void)program;
    report_uses(l, KEY_CONSTANT);
}

void
lint_R504(struct lint *l, u32 program)
{
    (void)program;
    report_uses(l, KEY_IN_LOOP);
}

/* true if the first operand of an equation is a result of this primitive; *by is the equation that computes it */
static bool
is_of(const struct lint *l, eqn_t e, struct slice prim, eqn_t *by)
{
    var_t v = lint_operand(l, e, 0);
    struct name_buffer buffer;
    *by = v == NONE ? NONE : l->facts.producer[v];
    return *by != NONE && slice_eq(module_name(l->m, l->m->eqns.at[*by].prim, &buffer), prim);
}

void
lint_R503(struct lint *l, u32 e)
{
    const struct module *m = l->m;
    var_t raw = lint_operand(l, e, 0);
    eqn_t unwrap, seed;
    if (raw == NONE)
        return;
    /* words of a key that was an argument are not reported; PRNGKey reads the words of a key that it made itself */
    if (is_of(l, e, SLICE("random_unwrap"), &unwrap) && !is_of(l, unwrap, SLICE("random_seed"), &seed))
        return;
    if (memo_get(&l->wrapped, raw))
        return;
    memo_set(m->mem, &l->wrapped, raw, 1);
    lint_report(l, e, eqn_operand_span(m, e, 0),
                "`%s`, %s, is a legacy key: its type does not distinguish it from data", lint_var(l, raw),
                lint_type(l, m->vars.at[raw].type));
}
