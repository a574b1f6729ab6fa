/* SPDX-License-Identifier: Apache-2.0
 *
 * Dead code elimination, backwards through each jaxpr: the rule of an equation decides whether a needed result or an
 * effect keeps it, and which operands are then needed. The rule of an equation with nested programs requests versions
 * of these with fewer results; a request without an answer is computed first, on an explicit stack, and the rule is
 * called again. Answers are cached by (jaxpr, masks), as in JAX, so that sharing is kept. Loops with long carries, and
 * calls that need different results, could make too many requests: after BUDGET_PER_ITEM times the size of the module,
 * needed equations are kept unchanged. */
#include "rewrite/dce.h"

#include "base/memo.h"

/* A query or its result. Masks are in d->bits: results that are needed, arguments that stay, refs that are read
 * later. */
struct dce_request {
    jaxpr_t jaxpr;
    u32 masks;
    u32 ins;        /* the result: arguments that stay, in d->bits */
    jaxpr_t result; /* NONE while it is computed */
    u32 next;       /* the next request with the same hash */
};

/* What is done with one equation. */
struct dce_plan {
    eqn_t e;
    u32 results, ins; /* masks in d->bits; NONE: all */
    param_t params;
};

/* A jaxpr being processed: equations order[first .. first + left) are still to be visited. */
struct dce_frame {
    u32 request, first, left, plans;
    bool begun; /* begin was called: only when the frame is on top, as frames share the marks of variables */
    bool same;  /* nothing has changed so far */
    bool dead_refs;
};

enum { BUDGET_PER_ITEM = 64, LEAST_BUDGET = 1 << 20 };

static void
spend(struct dce *d, u64 n)
{
    d->budget = n < d->budget ? d->budget - n : 0;
}

static u32
add_bits(struct dce *d, const u8 *bits, u32 n)
{
    u32 at = d->bits.n;
    u8 *to = vec_push_n(d->m->mem, &d->bits, n + 1);
    if (bits)
        memcpy(to, bits, n);
    else
        memset(to, 0, n);
    return at;
}

static void
begin(struct dce *d)
{
    struct module *m = d->m;
    u32 request = d->frames.at[d->frames.n - 1].request;
    const struct dce_request *r = &d->requests.at[request];
    const struct jaxpr *j = &m->jaxprs.at[r->jaxpr];
    struct dce_frame f = {.request = request, .first = d->order.n, .plans = d->plans.n, .begun = true, .same = true};
    const u8 *outs = d->bits.at + r->masks, *inst = outs + j->n_outs, *live = inst + j->n_ins;
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        d->needed[j->vars + i] = d->live[j->vars + i] = 0;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        *vec_push(m->mem, &d->order) = e;
        spend(d, 1 + m->eqns.at[e].n_vars + m->eqns.at[e].n_atoms);
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            d->needed[m->eqns.at[e].vars + i] = d->live[m->eqns.at[e].vars + i] = 0;
    }
    f.dead_refs = range_has(d->version, JAX_DCE_DEAD_REFS) && (effects_of(&d->effects, r->jaxpr)->flags & EFFECT_LOCAL);
    for (u32 i = 0; i < j->n_ins; i++) {
        f.dead_refs |= range_has(d->version, JAX_DCE_DEAD_REFS) && !live[i];
        d->live[jaxpr_in(j, i)] = live[i];
    }
    for (u32 i = 0; i < j->n_consts; i++)
        d->live[jaxpr_const(j, i)] = 1;
    f.left = d->order.n - f.first;
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = m->atoms.at[j->outs + i];
        if (outs[i] && atom_kind(a) == ATOM_VAR)
            d->needed[atom_id(a)] = 1;
        f.same &= outs[i] != 0;
    }
    d->frames.at[d->frames.n - 1] = f;
}

bool
dce_ask(struct dce *d, jaxpr_t id, const u8 *outs, const u8 *inst, const u8 *live, struct dced *answer)
{
    struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    u32 n = j->n_outs + 2 * j->n_ins, masks = add_bits(d, NULL, n);
    u8 *bits = d->bits.at + masks;
    spend(d, 1 + n);
    if (j->n_outs)
        memcpy(bits, outs, j->n_outs);
    for (u32 i = 0; i < j->n_ins; i++) {
        bits[j->n_outs + i] = inst && inst[i];
        bits[j->n_outs + j->n_ins + i] = !live || live[i];
    }
    u32 hash = (u32)hash_bytes(m->mem->secret ^ id, (const char *)bits, n) & 0x7FFFFFFF;
    u64 head = memo_get(d->table, hash);
    for (u32 r = head ? (u32)head - 1 : NONE; r != NONE; r = d->requests.at[r].next) {
        const struct dce_request *request = &d->requests.at[r];
        if (request->jaxpr != id || memcmp(d->bits.at + request->masks, bits, n) != 0)
            continue;
        d->bits.n = masks;
        if (request->result == NONE)
            return false;
        *answer =
            (struct dced){request->result, d->bits.at + request->ins, effects_of(&d->effects, request->result)->flags};
        return true;
    }
    u32 request = d->requests.n;
    *vec_push(m->mem, &d->requests) =
        (struct dce_request){.jaxpr = id, .masks = masks, .result = NONE, .next = head ? (u32)head - 1 : NONE};
    memo_set(m->mem, d->table, hash, (u64)request + 1);
    *vec_push(m->mem, &d->frames) = (struct dce_frame){.request = request};
    return false;
}

static bool
all_set(const u8 *bits, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (!bits[i])
            return false;
    return true;
}

static void
need(struct dce *d, atom_t a)
{
    if (atom_kind(a) == ATOM_VAR) {
        d->needed[atom_id(a)] = 1;
    } else if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *ref = &d->m->refs.at[atom_id(a)];
        if (atom_kind(ref->ref) == ATOM_VAR)
            d->needed[atom_id(ref->ref)] = 1;
        for (u32 i = 0; i < ref->n_uses; i++)
            if (atom_kind(d->m->uses.at[ref->uses + i]) == ATOM_VAR)
                d->needed[atom_id(d->m->uses.at[ref->uses + i])] = 1;
    }
}

/* true if the contents of a ref operand may be read after the equation */
static bool
is_live(const struct dce *d, const struct dce_frame *f, atom_t a)
{
    const struct module *m = d->m;
    a = atom_without_index(m, a);
    if (!f->dead_refs || atom_kind(a) != ATOM_VAR)
        return true;
    type_t t = m->vars.at[atom_id(a)].type;
    return d->needed[atom_id(a)] || d->live[atom_id(a)] || t == NONE || type_get(&m->types, t)->kind != TYPE_REF;
}

/* true if the equation's effects prevent its removal (jax/_src/interpreters/partial_eval.py, has_effects) */
static bool
has_effects(struct dce *d, eqn_t e, const u8 *live)
{
    u8 flags = effects_eqn(&d->effects, e), removable = EFFECT_AXIS | EFFECT_UNKNOWN;
    if (range_has(d->version, JAX_DCE_READS))
        removable |= EFFECT_READ;
    if (range_has(d->version, JAX_DCE_REFS_MADE))
        removable |= EFFECT_LOCAL;
    if (flags & EFFECT_WRITE) {
        bool lasting = false;
        for (u32 i = 0; i < d->effects.written.n; i++)
            lasting |= d->effects.written.at[i] && live[i];
        if (!lasting)
            removable |= EFFECT_WRITE;
    }
    return (flags & ~removable) != 0;
}

/* visits the last remaining equation; false if its rule has to wait */
static bool
step(struct dce *d)
{
    struct module *m = d->m;
    u32 at = d->frames.n - 1;
    eqn_t e = d->order.at[d->frames.at[at].first + d->frames.at[at].left - 1];
    const struct eqn eqn = m->eqns.at[e];
    u8 *scratch = mem_alloc(m->mem, 2 * ((size_t)eqn.n_vars + eqn.n_atoms) + 1);
    u8 *outs = scratch, *results = outs + eqn.n_vars, *live = results + eqn.n_vars, *ins = live + eqn.n_atoms;
    struct dce_visit t = {.e = e,
                          .n_outs = eqn.n_vars,
                          .n_ins = eqn.n_atoms,
                          .outs = outs,
                          .live = live,
                          .ins = ins,
                          .results = results,
                          .params = eqn.params};
    for (u32 i = 0; i < eqn.n_vars; i++) {
        outs[i] = d->needed[eqn.vars + i];
        t.any_out |= outs[i] != 0;
    }
    for (u32 i = 0; i < eqn.n_atoms; i++)
        live[i] = is_live(d, &d->frames.at[at], m->atoms.at[eqn.atoms + i]);
    memset(results, 1, eqn.n_vars);
    memset(ins, 1, eqn.n_atoms);
    t.effects = has_effects(d, e, live);
    const struct dce_row *row = dce_row_find(d, e);
    bool exhausted = d->budget == 0 && (t.any_out || t.effects);
    enum dce_answer answer = exhausted ? DCE_KEEP : row->rule(d, &t, row);
    if (answer != DCE_WAIT) {
        struct dce_frame *f = &d->frames.at[at];
        f->left--;
        f->same &= answer == DCE_KEEP && !t.changed && !row->recreates;
        if (answer == DCE_KEEP) {
            bool whole = all_set(results, eqn.n_vars), all = all_set(ins, eqn.n_atoms);
            struct dce_plan plan = {e, whole ? NONE : add_bits(d, results, eqn.n_vars),
                                    all ? NONE : add_bits(d, ins, eqn.n_atoms), t.params};
            *vec_push(m->mem, &d->plans) = plan;
        }
        for (u32 i = 0; i < eqn.n_atoms && answer == DCE_KEEP; i++)
            if (ins[i])
                need(d, m->atoms.at[eqn.atoms + i]);
        for (u32 i = 0; i < eqn.n_vars && answer == DCE_KEEP && d->sizes.n; i++)
            if (results[i])
                dce_sizes_need(d, eqn.vars + i);
    }
    mem_free(m->mem, scratch);
    return answer != DCE_WAIT;
}

static const u8 *
mask(const struct dce *d, u32 at)
{
    return at == NONE ? NULL : d->bits.at + at;
}

/* makes the new jaxpr after all equations of the old one were visited */
static void
finish(struct dce *d)
{
    struct module *m = d->m;
    struct dce_frame f = d->frames.at[d->frames.n - 1];
    struct dce_request r = d->requests.at[f.request];
    const struct jaxpr j = m->jaxprs.at[r.jaxpr];
    r.ins = add_bits(d, NULL, j.n_ins);
    for (u32 i = j.n_ins; i-- > 0;) { /* backwards, as sizes come before the arrays that have them */
        d->bits.at[r.ins + i] = d->bits.at[r.masks + j.n_outs + i] | d->needed[jaxpr_in(&j, i)];
        f.same &= d->bits.at[r.ins + i] != 0;
        if (d->sizes.n && d->bits.at[r.ins + i])
            dce_sizes_need(d, jaxpr_in(&j, i));
    }
    if (f.same && range_has(d->version, JAX_DCE_KEEPS_OBJECTS)) {
        r.result = r.jaxpr;
    } else {
        r.result = copy_begin(&d->copier, r.jaxpr, d->bits.at + r.ins);
        for (u32 i = d->plans.n; i > f.plans; i--) {
            const struct dce_plan *p = &d->plans.at[i - 1];
            copy_eqn(&d->copier, r.result, p->e, mask(d, p->results), mask(d, p->ins), p->params);
        }
        copy_outs(&d->copier, r.result, r.jaxpr, d->bits.at + r.masks);
        effects_add(&d->effects, r.result);
    }
    d->requests.at[f.request] = r;
    d->plans.n = f.plans;
    d->order.n = f.first;
    d->frames.n--;
}

static void
run(struct dce *d)
{
    while (d->frames.n) {
        const struct dce_frame *f = &d->frames.at[d->frames.n - 1];
        if (!f->begun)
            begin(d);
        else if (f->left == 0)
            finish(d);
        else
            step(d);
    }
}

/* the version whose rules apply if several are possible: the newest that the text allows, as those differ little; among
 * older ones, the common behaviour: reads of refs are removed; assertions on keys are kept if hashes are printed; local
 * refs are removed if there is a `jit` */
static struct version_range
likely_version(struct version_range versions)
{
    enum jax_change change = JAX_DCE_READS;
    if (range_has(versions, JAX_PJIT_CALLED_JIT))
        change = JAX_DCE_REFS_MADE;
    else if (range_has(versions, JAX_CONSTANTS_HASHED) && !range_lacks(versions, JAX_ADDRESSES_MASKED))
        change = JAX_KEY_REUSE_EFFECTS;
    if (range_has(versions, JAX_ADDRESSES_MASKED) || range_lacks(versions, change))
        return (struct version_range){versions.last, versions.last};
    return range_has(versions, change) ? (struct version_range){versions.first, versions.first} : range_at(change);
}

/* The size of a program, which elimination reduces. */
struct extent {
    u64 jaxprs, binders, equations, results, operands;
};

static struct extent
extent_of(const struct module *m, const struct jaxprs *list)
{
    struct extent x = {.jaxprs = list->n};
    for (u32 i = 0; i < list->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        x.binders += jaxpr_binders(j) + j->n_outs;
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            x.equations++;
            x.results += m->eqns.at[e].n_vars;
            x.operands += m->eqns.at[e].n_atoms;
        }
    }
    return x;
}

/* The variables seen so far, by name; both tables hold numbers plus one. */
struct namesakes {
    struct memo firsts; /* the first variable with this name */
    struct memo within; /* the last jaxpr that binds it, by index */
};

static void
join_run(struct module *m, struct namesakes *x, u32 jaxpr, u32 vars, u32 n, name_t underscore)
{
    for (u32 v = vars; v < vars + n; v++) {
        name_t name = m->vars.at[v].name;
        u64 first = memo_get(&x->firsts, name);
        if (name == underscore)
            continue;
        bool twice = memo_get(&x->within, name) == jaxpr;
        memo_set(m->mem, &x->within, name, jaxpr);
        if (first == 0)
            memo_set(m->mem, &x->firsts, name, (u64)v + 1);
        else if (!twice && m->vars.at[first - 1].type == m->vars.at[v].type)
            m->origins.at[v] = (var_t)first - 1;
    }
}

/* Makes variables of one name and type in different jaxprs copies of the first: up to 0.5.2 JAX uses no name twice, so
 * equal names are one object, shared by programs derived from one another. A name that one jaxpr binds twice, after
 * inlining calls, belongs to several. Linear */
static void
join_namesakes(struct module *m, const struct jaxprs *list, name_t underscore)
{
    struct namesakes x = {0};
    for (var_t self = m->origins.n; self < m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    for (u32 i = 0; i < list->n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        join_run(m, &x, i + 1, j->vars, jaxpr_binders(j), underscore);
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
            join_run(m, &x, i + 1, m->eqns.at[e].vars, m->eqns.at[e].n_vars, underscore);
    }
    memo_free(m->mem, &x.firsts);
    memo_free(m->mem, &x.within);
}

enum outcome
pass_dce(struct passes *p, program_t program)
{
    struct module *m = p->m;
    struct memo table = {0};
    struct dce d = {.m = m, .version = likely_version(p->versions), .table = &table};
    struct jaxprs all = {0};
    jaxpr_t main = m->programs.at[program].main;
    if (main == NONE)
        return OUTCOME_NOTHING;
    d.budget = LEAST_BUDGET + BUDGET_PER_ITEM * ((u64)m->eqns.n + m->vars.n + m->atoms.n);
    prims_init(m->mem, &d.prims);
    effects_init(&d.effects, m, &d.prims, d.version);
    copier_init(&d.copier, m);
    d.needed = mem_alloc(m->mem, m->vars.n + 1);
    d.live = mem_alloc(m->mem, m->vars.n + 1);
    reach_from(m, main, &all);
    for (u32 i = 0; i < all.n; i++)
        effects_add(&d.effects, all.at[i]);
    all.n = 0;
    reach_unpasted(m, program, &all); /* a pasted program is unchanged */
    struct extent before = extent_of(m, &all);
    if (range_lacks(p->versions, JAX_JIT_NAMES_PASS_INWARD))
        join_namesakes(m, &all, module_intern(m, SLICE("_")));
    if (!p->symbols)
        dce_sizes_find(&d, &all);
    u32 n = m->jaxprs.at[main].n_outs + m->jaxprs.at[main].n_ins;
    u8 *every = mem_alloc(m->mem, n + 1);
    memset(every, 1, n + 1);
    struct dced answer;
    while (!dce_ask(&d, main, every, every, NULL, &answer))
        run(&d);
    m->programs.at[program].main = answer.jaxpr;
    all.n = 0;
    reach_unpasted(m, program, &all);
    struct extent after = extent_of(m, &all);
    mem_free_all(m->mem, every, d.needed, d.live, d.sizes_of.slots, d.sizes.at);
    region_map_free(m, &d.map);
    prims_free(&d.prims);
    effects_end(&d.effects);
    copier_end(&d.copier);
    mem_free_all(m->mem, table.slots, all.at, d.requests.at, d.frames.at, d.bits.at, d.order.at, d.plans.at);
    return d.respelled || memcmp(&before, &after, sizeof before) != 0 ? OUTCOME_DONE : OUTCOME_NOTHING;
}
