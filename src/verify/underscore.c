/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the variable that a `_` refers to where it is read. From 0.5.3 on, JAX prints the program of a jit with the
 * names of the jit's results for the variables that it returns: `_` for results that are dropped, although the program
 * may read these variables (jax/_src/pjit.py, _pjit_pp_rule). So a `_` that is read is an argument, or has the type of
 * a result of the program called `_`. The rule of the equation decides which of these types are correct. If one
 * variable remains, `_` is that; if not, it is ambiguous. Linear, except that an equation is checked for each of up to
 * TRIALS readings. */
#include "verify/checker.h"
#include "verify/provenance.h"
#include "regions/region_map.h"
#include "resolve/enclosing_notes.h"

enum { TRIALS = 64 };

/* The last two variables called `_` bound so far; NONE if there are fewer. */
struct latest {
    u32 n; /* their number */
    var_t last, before;
};

/* The variables called `_` of one type. */
struct pool {
    struct latest vars;
    u32 returned;  /* how many results of the program are called `_` and have this type outside */
    var_t known;   /* the one that was found to be read last; NONE if none was */
    bool argument; /* one is an argument */
};

struct reading {
    atom_t *at;
    u32 operand;
    u32 pool, other; /* the first and another pool that it may refer to; the same if all possible readings agree */
};

struct underscores {
    struct module *m;
    struct diags *ds;
    enum diag_level level;
    name_t name;
    struct checker *c; /* NULL until an equation has several readings */
    struct diags unobserved;
    jaxpr_t *eqn_jaxprs; /* computed when a message needs it */
    u32 refused;         /* the last program for which S012 was reported */

    const struct underscored *at;
    const struct eqn *call; /* the equation whose results are exactly those of the program; or NULL */
    struct latest vars;
    VEC(struct pool) pools;
    struct memo pool_of;       /* a type: its index in `pools`, plus one */
    struct memo below;         /* a variable: the previous one of its type, plus one */
    struct memo read;          /* variables called `_` that are read, of all programs */
    VEC(struct reading) reads; /* of the current equation */
    VEC(u32) choices;          /* the pools that each of them may refer to */
};

static struct pool *
pool_find(struct underscores *s, type_t type)
{
    u32 id = type == NONE ? NONE - 1 : type;
    u64 at = memo_get(&s->pool_of, id);
    if (at == 0) {
        *vec_push(s->m->mem, &s->pools) = (struct pool){.known = NONE};
        at = s->pools.n;
        memo_set(s->m->mem, &s->pool_of, id, at);
    }
    return &s->pools.at[at - 1];
}

static void
add_latest(struct latest *l, var_t v)
{
    *l = (struct latest){l->n + 1, v, l->last};
}

static void
bind(struct underscores *s, var_t first, u32 n, bool argument)
{
    for (var_t v = first; v < first + n; v++) {
        if (s->m->vars.at[v].name != s->name)
            continue;
        struct pool *p = pool_find(s, s->m->vars.at[v].type);
        if (p->vars.n)
            memo_set(s->m->mem, &s->below, v, (u64)p->vars.last + 1);
        add_latest(&p->vars, v);
        add_latest(&s->vars, v);
        p->argument |= argument;
    }
}

/* the variable of a pool to which a `_` refers, or NONE if it is ambiguous: if the type is returned once, all variables
 * but the known one were dropped */
static var_t
pool_var(const struct underscores *s, const struct pool *p)
{
    if (p->vars.n == 1)
        return p->vars.last;
    return s->call && !p->argument && p->returned == 1 ? p->known : NONE;
}

/* ---- messages ---- */

/* where a variable is bound, and its equation; NONE for an argument */
static struct span
find_binder(const struct module *m, jaxpr_t id, var_t v, eqn_t *producer)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    *producer = NONE;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        if (v >= m->eqns.at[e].vars && v < m->eqns.at[e].vars + m->eqns.at[e].n_vars) {
            *producer = e;
            return eqn_result_span(m, e, v - m->eqns.at[e].vars);
        }
    return jaxpr_binder_span(m, id, v - j->vars);
}

static const char *
producer_text(struct underscores *s, var_t v, eqn_t producer)
{
    const struct jaxpr *j = &s->m->jaxprs.at[s->at->jaxpr];
    if (producer == NONE)
        return v - j->vars < j->n_consts ? "a constant of this program" : "an argument of this program";
    return arena_printf(s->m->mem, "a result of `%s`", quote_name(s->m, s->ds, s->m->eqns.at[producer].prim)).at;
}

/* reports that `_` at a position may be either of two variables */
static void
report(struct underscores *s, struct span here, var_t a, var_t b)
{
    struct module *m = s->m;
    jaxpr_t j = s->at->jaxpr;
    eqn_t producers[2];
    if (s->at->excerpt || s->refused == s->at->program)
        return;
    bool explain = s->ds->total < EXPLAINED;
    if (explain) {
        struct span first = find_binder(m, j, a < b ? a : b, &producers[0]),
                    second = find_binder(m, j, a < b ? b : a, &producers[1]);
        const char *one = producer_text(s, a < b ? a : b, producers[0]),
                   *other = producer_text(s, a < b ? b : a, producers[1]);
        diag_add(s->ds, DIAG_S022, here.at, here.n,
                 strcmp(one, other) == 0 ? "`_` is ambiguous: two variables may be meant, each %s"
                                         : "`_` is ambiguous: it may be %s or %s",
                 one, other);
        diag_note(s->ds, first.at, first.n, "it may be this `_`");
        diag_note(s->ds, second.at, second.n, "or this `_`: give the one that is meant a name");
        if (!s->eqn_jaxprs)
            s->eqn_jaxprs = eqns_to_jaxprs(m);
        note_enclosing(m, s->ds, s->eqn_jaxprs, j);
    } else {
        diag_add(s->ds, DIAG_S022, here.at, here.n, "`_` is ambiguous: it may be one of several variables");
    }
    diag_relevel(s->ds, s->level);
}

/* ---- operands ---- */

static void
add_read(struct underscores *s, atom_t *a, u32 operand)
{
    if (*a == atom_make(ATOM_NAME, s->name))
        *vec_push(s->m->mem, &s->reads) = (struct reading){.at = a, .operand = operand};
}

static void
collect_reads(struct underscores *s, const struct eqn *e)
{
    struct module *m = s->m;
    s->reads.n = 0;
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t *a = &m->atoms.at[e->atoms + i];
        struct refexpr *ref = atom_kind(*a) == ATOM_REF ? &m->refs.at[atom_id(*a)] : NULL;
        add_read(s, ref ? &ref->ref : a, i);
        for (u32 k = 0; ref && k < ref->n_uses; k++)
            add_read(s, &m->uses.at[ref->uses + k], i);
    }
}

/* collects the pools whose variables may be read, or all pools; true if some are left out */
static bool
collect_choices(struct underscores *s, bool all)
{
    bool left_out = false;
    s->choices.n = 0;
    for (u32 i = 0; i < s->pools.n; i++) {
        const struct pool *p = &s->pools.at[i];
        bool may = all || !s->call || p->returned || p->argument;
        if (p->vars.n && may)
            *vec_push(s->m->mem, &s->choices) = i;
        left_out |= p->vars.n && !may;
    }
    return left_out;
}

/* whether the rule of an equation accepts its operands as they are */
static bool
equation_fits(struct underscores *s, eqn_t e)
{
    static const struct check_options options = {.dims = DIMS_VARS};
    static const struct resolution nothing;
    if (!s->c)
        s->c = checker_new(s->m, &options, &nothing, &s->unobserved);
    const struct prim *prim = prims_find(&s->c->prims, s->m, s->m->eqns.at[e].prim);
    struct probe probe = {.result = NONE};
    if (!prim || s->m->eqns.at[e].form >= EQN_RAW)
        return true;
    probe_equation(s->c, e, prim, &probe);
    return !probe.wrong;
}

/* tries all combinations of choices, up to TRIALS, and stores in s->reads what they may refer to; returns the number of
 * those that fit. `sure`: a single combination fits without a check */
static u32
try_readings(struct underscores *s, eqn_t e, bool sure)
{
    u32 total = s->choices.n > 0, fit = 0;
    for (u32 i = 0; i < s->reads.n && total <= TRIALS; i++)
        total *= s->choices.n;
    for (u32 trial = 0; trial < total && total <= TRIALS; trial++) {
        u32 rest = trial;
        for (u32 i = 0; i < s->reads.n; i++, rest /= s->choices.n)
            *s->reads.at[i].at = atom_make(ATOM_VAR, s->pools.at[s->choices.at[rest % s->choices.n]].vars.last);
        if (!(sure && total == 1) && !equation_fits(s, e))
            continue;
        rest = trial;
        for (u32 i = 0; i < s->reads.n; i++, rest /= s->choices.n) {
            struct reading *r = &s->reads.at[i];
            u32 pool = s->choices.at[rest % s->choices.n];
            r->pool = fit ? r->pool : pool;
            r->other = fit && pool == r->pool ? r->other : pool;
        }
        fit++;
    }
    for (u32 i = 0; i < s->reads.n && total > TRIALS; i++) {
        s->reads.at[i].pool = s->choices.at[0];
        s->reads.at[i].other = s->choices.at[s->choices.n - 1];
    }
    return total > TRIALS ? total : fit;
}

/* resolves the operands of an equation, or leaves them and reports it once */
static void
resolve_reads(struct underscores *s, eqn_t e)
{
    bool reported = false;
    collect_reads(s, &s->m->eqns.at[e]);
    if (s->reads.n == 0 || s->vars.n == 0)
        return;
    bool left_out = collect_choices(s, false);
    u32 fit = try_readings(s, e, !left_out);
    if (fit == 0 && left_out) {
        collect_choices(s, true);
        fit = try_readings(s, e, false);
    }
    if (fit == 0)
        return; /* invalid for every reading: the rule reports it */
    for (u32 i = 0; i < s->reads.n; i++) {
        const struct reading *r = &s->reads.at[i];
        struct pool *p = &s->pools.at[r->pool];
        var_t v = r->pool == r->other ? pool_var(s, p) : NONE;
        if (v != NONE) {
            *r->at = atom_make(ATOM_VAR, v);
            p->known = v;
            memo_set(s->m->mem, &s->read, v, 1);
            continue;
        }
        *r->at = atom_make(ATOM_NAME, s->name);
        if (!reported)
            report(s, eqn_operand_span(s->m, e, r->operand), p->vars.last,
                   r->pool == r->other ? p->vars.before : s->pools.at[r->other].vars.last);
        reported = true;
    }
}

/* ---- results ---- */

/* the type of result i in the enclosing equation, NONE if there is none */
static type_t
outer_type(const struct underscores *s, u32 i)
{
    return s->call ? s->m->vars.at[s->call->vars + i].type : NONE;
}

/* whether the enclosing equation drops result i */
static bool
is_dropped(const struct underscores *s, u32 i)
{
    return s->call && s->m->vars.at[s->call->vars + i].name == s->name && !memo_get(&s->read, s->call->vars + i);
}

/* the only variable of a type that no result has in the enclosing equation, NONE if there are more */
static var_t
left_over(const struct underscores *s)
{
    var_t found = NONE;
    for (u32 i = 0; i < s->pools.n; i++) {
        const struct pool *p = &s->pools.at[i];
        if (p->vars.n == 0 || p->returned)
            continue;
        if (found != NONE || p->vars.n > 1)
            return NONE;
        found = p->vars.last;
    }
    return found;
}

/* resolves `in (_, a, _)`: of several variables of one type, if it does not matter which, to the last ones in order */
static void
resolve_results(struct underscores *s, const struct jaxpr *j)
{
    for (u32 i = j->n_outs; i-- > 0 && s->vars.n;) {
        atom_t *a = &s->m->atoms.at[j->outs + i];
        if (*a != atom_make(ATOM_NAME, s->name))
            continue;
        struct pool *p = pool_find(s, outer_type(s, i));
        struct latest *vars = s->call && p->vars.n ? &p->vars : &s->vars;
        var_t v = vars->n == 1 ? vars->last : vars == &p->vars ? pool_var(s, p) : NONE;
        if (v == NONE && !is_dropped(s, i)) {
            report(s, jaxpr_out_span(s->m, s->at->jaxpr, i), vars->last, vars->before);
            continue;
        }
        if (v == NONE && vars == &s->vars)
            v = left_over(s);
        *a = atom_make(ATOM_VAR, v == NONE ? vars->last : v);
        u64 below = memo_get(&s->below, atom_id(*a));
        if (below && v == NONE)
            vars->last = (var_t)below - 1;
    }
}

/* ---- programs ---- */

/* whether a variable called `_` can be read: an argument or a result of the program is called `_`; in the outermost
 * program, only if no equation binds `_`, as in text written by hand */
static bool
may_read(const struct underscores *s, const struct jaxpr *j)
{
    const struct module *m = s->m;
    bool may = false;
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        may |= m->vars.at[j->vars + i].name == s->name;
    for (u32 i = 0; i < j->n_outs; i++)
        may |= m->atoms.at[j->outs + i] == atom_make(ATOM_NAME, s->name);
    for (eqn_t e = s->at->outermost ? j->eqns : NONE; e != NONE && may; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            may &= m->vars.at[m->eqns.at[e].vars + i].name != s->name;
    return may;
}

/* true, after a report, if an equation reads `_` as an operand, not as a ref with an index, where no such variable can
 * be read */
static bool
refuse(struct underscores *s, eqn_t e)
{
    const struct eqn *eqn = &s->m->eqns.at[e];
    u32 operand = 0;
    while (operand < eqn->n_atoms && s->m->atoms.at[eqn->atoms + operand] != atom_make(ATOM_NAME, s->name))
        operand++;
    if (operand == eqn->n_atoms || s->vars.n == 0)
        return false;
    struct span here = eqn_operand_span(s->m, e, operand);
    if (s->refused != s->at->program && !s->at->excerpt) {
        diag_add(s->ds, DIAG_S012, here.at, here.n,
                 "`_` cannot be an operand: JAX prints it in place of the names of unused variables");
        diag_note(s->ds, NONE, 0, "give the intended variable a name, where it is bound and here");
    }
    s->refused = s->at->program;
    return true;
}

static void
resolve_jaxpr(struct underscores *s)
{
    const struct module *m = s->m;
    const struct jaxpr *j = &m->jaxprs.at[s->at->jaxpr];
    const struct param *called = NULL;
    bool inlined, may = may_read(s, j);
    if (j->parent != NONE && m->eqns.at[j->parent].n_vars == j->n_outs)
        called = call_find(m, j->parent, &inlined);
    s->call = called && called->kind == PARAM_JAXPR && called->a == s->at->jaxpr ? &m->eqns.at[j->parent] : NULL;
    s->vars = (struct latest){.n = 0};
    s->pools.n = 0;
    memo_free(m->mem, &s->pool_of);
    memo_free(m->mem, &s->below);
    for (u32 i = 0; i < j->n_outs; i++)
        if (m->atoms.at[j->outs + i] == atom_make(ATOM_NAME, s->name))
            pool_find(s, outer_type(s, i))->returned++;
    bind(s, j->vars, jaxpr_binders(j), true);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        if (may || !refuse(s, e))
            resolve_reads(s, e);
        bind(s, m->eqns.at[e].vars, m->eqns.at[e].n_vars, false);
    }
    resolve_results(s, j);
}

void
check_underscores(struct module *m, struct resolution *found, enum diag_level level, struct diags *ds)
{
    struct underscores s = {.m = m, .ds = ds, .level = level, .refused = NONE};
    if (found->underscored.n == 0)
        return;
    s.name = names_find(&m->names, SLICE("_"));
    diags_init(&s.unobserved, m->mem);
    s.unobserved.limit = 1;
    for (u32 i = 0; i < found->underscored.n; i++) {
        s.at = &found->underscored.at[i];
        ds->program = s.at->program;
        resolve_jaxpr(&s);
    }
    ds->program = NONE;
    vec_free(m->mem, &found->underscored);
    if (s.c)
        checker_free(s.c);
    mem_free_all(m->mem, s.eqn_jaxprs, s.pool_of.slots, s.below.slots, s.read.slots, s.pools.at, s.reads.at,
                 s.choices.at);
}
