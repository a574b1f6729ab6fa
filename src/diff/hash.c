/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashes of one side. The kind of an equation is the hash of its canonical bytes without operands; equal parameter
 * lists are parsed once. The hash of a value combines those of its equation and of its operands, so equal hashes mean
 * equal computations. Neither contains types: a changed size must not hide what did not change. Hashes decide which
 * equations are compared; only digests decide that two programs are the same. Linear. */
#include "diff/diff.h"

#include "canon/prepare.h"
#include "ir/identity.h"
#include "ir/reach.h"

enum { INPUT = 1, RESULT, LITERAL, OUTPUT, ORDERED };

/* flags of a program: it was hashed, and is symmetric. Hashes by digest are computed on demand */
enum { HASHED = 1, HASHED_SYMMETRIC = 2 };

/* flags in the low bits of a primitive's hash */
enum { PRIM_KNOWN = 1, PRIM_EFFECTS = 2 };

static u64 *
words(struct mem *mem, u32 n)
{
    return mem_zeroed(mem, (n + 1) * sizeof(u64));
}

void
diff_side_init(struct diff_side *s, struct module *m, unsigned ignored, struct slice without, u64 seed)
{
    struct mem *mem = m->mem;
    *s = (struct diff_side){.m = m, .seed = seed};
    classes_unfold(m, NO_VERSION);
    canon_init(&s->c, m, ignored, without);
    s->kind = words(mem, m->eqns.n);
    s->whole = words(mem, m->eqns.n);
    s->value = words(mem, m->vars.n);
    s->program = words(mem, m->jaxprs.n);
    s->producer = mem_nones(mem, m->vars.n + 1);
    s->rank = mem_nones(mem, m->eqns.n + 1);
    s->match = mem_nones(mem, m->eqns.n + 1);
    s->partner = mem_nones(mem, m->vars.n + 1);
    s->users = mem_nones(mem, m->vars.n + 1);
    s->known.flags = mem_alloc(mem, m->eqns.n + 1);
    s->dead = mem_zeroed(mem, m->eqns.n + 1);
    s->known.hashed = mem_zeroed(mem, m->programs.n + 1);
    s->key = mem_alloc(mem, (m->eqns.n + 1ull) * sizeof *s->key);
    s->known.n_types = m->types.list.n;
    s->known.types = mem_zeroed(mem, (s->known.n_types + 1ull) * sizeof *s->known.types);
    s->known.n_literals = m->literals.n;
    s->known.literals = mem_zeroed(mem, (s->known.n_literals + 1ull) * sizeof *s->known.literals);
    s->dynamic = m->types.dynamic;
    for (u32 i = 0; i < 2 && s->dynamic; i++)
        binders_init(&s->scopes[i], m);
    sink_init_memory(&s->out, mem);
}

void
diff_side_end(struct diff_side *s)
{
    struct mem *mem = s->m->mem;
    void *blocks[] = {s->kind,        s->whole,   s->value,       s->program,      s->producer,        s->rank,
                      s->match,       s->partner, s->users,       s->out.at,       s->known.values.at, s->key,
                      s->known.flags, s->dead,    s->known.types, s->known.hashed, s->known.literals};
    canon_end(&s->c);
    if (s->exact.m != NULL)
        canon_end(&s->exact);
    for (u32 i = 0; i < 2 && s->dynamic; i++)
        binders_drop(&s->scopes[i]);
    if (s->printing)
        printer_end(&s->printer);
    for (u32 i = 0; i < countof(blocks); i++)
        mem_free(mem, blocks[i]);
    mem_free_all(mem, s->uses.at, s->eqns.at, s->unmatched.at, s->shown.at, s->known.prims.slots, s->around.slots);
}

static u64
hash_out(const struct diff_side *s)
{
    return hash_bytes(s->seed, s->out.n > 0 ? s->out.at : "", s->out.n);
}

/* ---- what is understood once ------------------------------------------------------------------------------------ */

static struct diff_cached *
cache_slot(struct diff_cache *t, u64 raw)
{
    u32 i = (u32)(raw >> 32) & t->mask;
    while (t->at[i].raw != 0 && t->at[i].raw != raw)
        i = (i + 1) & t->mask;
    return &t->at[i];
}

u64 *
diff_cache_find(struct mem *mem, struct diff_cache *t, u64 raw)
{
    if (t->at == NULL || 2 * t->n > t->mask) {
        struct diff_cache old = *t;
        t->mask = old.at ? 2 * old.mask + 1 : 63;
        t->at = mem_zeroed(mem, ((size_t)t->mask + 1) * sizeof *t->at);
        for (u32 i = 0; old.at && i <= old.mask; i++)
            if (old.at[i].raw)
                *cache_slot(t, old.at[i].raw) = old.at[i];
        mem_free(mem, old.at);
    }
    struct diff_cached *slot = cache_slot(t, raw);
    if (slot->raw == 0) {
        *slot = (struct diff_cached){raw, 0};
        t->n++;
    }
    return &slot->known;
}

u64
diff_type(struct diff_side *s, type_t t)
{
    if (t == NONE)
        return 0;
    bool local = s->c.mode.variables && type_get(&s->m->types, t)->dynamic;
    if (!local && t < s->known.n_types && s->known.types[t])
        return s->known.types[t];
    s->out.n = 0;
    canon_type(&s->c, &s->out, t);
    u64 h = hash_out(s) | 1;
    if (!local && t < s->known.n_types)
        s->known.types[t] = h;
    return h;
}

/* the hash of a primitive, and in its low bits whether equations without parameters may have effects */
static u64
prim_hash(struct diff_side *s, eqn_t e)
{
    name_t prim = s->m->eqns.at[e].prim;
    u64 h = memo_get(&s->known.prims, prim);
    if (h == 0) {
        struct name_buffer buffer;
        struct slice name = canon_prim(&s->c, prim, &buffer);
        h = (hash_slice(s->seed, name) & ~(u64)3) | PRIM_KNOWN;
        const struct prim *row = prims_find(&s->c.prims, s->m, prim);
        if (row == NULL || (row->effects != NULL && row->effects[0] != 0))
            h |= PRIM_EFFECTS;
        memo_set(s->m->mem, &s->known.prims, prim, h);
    }
    return h;
}

static u64
result_type(const void *side, var_t v)
{
    return ((const struct diff_side *)side)->m->vars.at[v].type;
}

static u64
part_program(const void *side, const struct segment *part)
{
    const struct diff_side *s = side;
    jaxpr_t j = segment_jaxpr(s->m, part);
    return j == NONE ? 0 : s->program[j];
}

/* a hash of the bytes of an equation's parameters, with hashes in place of programs */
static u64
raw_params(const struct diff_side *s, const struct eqn *e)
{
    const struct identity k = {.m = s->m, .user = s, .result = result_type, .part = part_program};
    u64 h = identity_vars(&k, hash_seeded(s->seed, e->prim), e->vars, e->n_vars);
    return identity_params(&k, h | 1, e->params) | 1;
}

static u64
kind_of(struct diff_side *s, eqn_t id, u64 prim)
{
    const struct eqn *e = &s->m->eqns.at[id];
    if (e->form > EQN_CALL_BARE && e->params != NONE) {
        s->out.n = 0;
        canon_operation(&s->c, &s->out, id);
        return hash_out(s);
    }
    prim += (u64)e->n_vars << 32;
    if (e->params == NONE)
        return hash_seeded(prim, e->form > EQN_CALL_BARE);
    u64 *known = diff_cache_find(s->m->mem, &s->known.values, raw_params(s, e));
    if (*known == 0) {
        s->out.n = 0;
        canon_params(&s->c, &s->out, id);
        *known = hash_out(s) | 1;
        if (s->out.n == 0)
            *known = 0;
    }
    return hash_seeded(prim, *known);
}

/* ---- one jaxpr -------------------------------------------------------------------------------------------------- */

/* notes the effects of an equation, and counts its writes of refs; returns how many precede it if it reads refs, else
 * 0 */
static u32
take_effects(struct diff_side *s, eqn_t id, bool may_have)
{
    const struct eqn *e = &s->m->eqns.at[id];
    s->known.flags[id] = 0;
    if (e->form == EQN_CALL && e->params == NONE && !may_have)
        return 0;
    s->known.flags[id] = effects_eqn(&s->c.effects, id);
    u32 seen = s->known.flags[id] ? canon_count_writes(&s->c, id, s->known.flags[id]) : 0;
    return s->known.flags[id] & EFFECT_READ ? seen : 0;
}

/* true for equations whose relative order matters */
static bool
diff_is_ordered(const struct diff_side *s, eqn_t e)
{
    u32 form = s->m->eqns.at[e].form;
    return form == EQN_RAW || form == EQN_ELLIPSIS || (s->known.flags[e] & (u8) ~(EFFECT_AXIS | EFFECT_READ)) != 0;
}

u64
diff_other_atom(struct diff_side *s, atom_t a, eqn_t e, u32 i)
{
    bool literal = atom_kind(a) == ATOM_LIT && atom_id(a) < s->known.n_literals;
    struct diff_literal *known = literal ? &s->known.literals[atom_id(a)] : NULL;
    if (literal && known->hash != 0 && known->e == e && known->i == i)
        return known->hash;
    s->out.n = 0;
    canon_atom(&s->c, &s->out, a, e, i);
    u64 hash = hash_seeded(hash_out(s), LITERAL);
    if (literal)
        *known = (struct diff_literal){hash, e, i};
    return hash;
}

static void
set_value(struct diff_side *s, var_t v, u64 value)
{
    s->value[v] = value;
    s->c.number[v] = (u32)value & INT32_MAX; /* refs and dims are hashed with this number of a variable */
}

/* the value of operand i of an equation */
static inline u64
atom_value(struct diff_side *s, eqn_t e, u32 i)
{
    atom_t a = s->m->atoms.at[s->m->eqns.at[e].atoms + i];
    return atom_kind(a) == ATOM_VAR ? s->value[atom_id(a)] : diff_other_atom(s, a, e, i);
}

/* fills kind and whole of an equation */
static void
hash_eqn(struct diff_side *s, eqn_t id)
{
    const struct module *m = s->m;
    const struct eqn e = m->eqns.at[id];
    u64 prim = prim_hash(s, id);
    s->kind[id] = kind_of(s, id, prim & ~(u64)3);
    u64 h = s->kind[id] + take_effects(s, id, prim & PRIM_EFFECTS);
    u64 swapped = h;
    bool commutes = s->c.ignored != 0 && canon_commutes(&s->c, id);
    for (u32 i = 0; i < e.n_atoms; i++)
        h = hash_seeded(h, atom_value(s, id, i));
    for (u32 i = e.n_atoms; i-- > 0 && commutes;)
        swapped = hash_seeded(swapped, atom_value(s, id, i));
    s->whole[id] = commutes && swapped < h ? swapped : h;
}

static void
add_use(const struct diff_side *s, u64 *uses, u64 use, atom_t a)
{
    a = atom_without_index(s->m, a);
    if (atom_kind(a) == ATOM_VAR && s->producer[atom_id(a)] != NONE)
        uses[s->rank[s->producer[atom_id(a)]]] += hash_seeded(use, s->value[atom_id(a)]);
}

/* whether equations with equal hashes use each other's results: then one ring of six has the same hash as two rings of
 * three */
static bool
is_symmetric(const struct diff_side *s)
{
    const struct module *m = s->m;
    struct diff_cache seen = {0};
    bool several = false, found = false;
    for (u32 k = 0; k < s->eqns.n; k++)
        several |= ++*diff_cache_find(m->mem, &seen, s->key[s->eqns.at[k]] | 1) > 1;
    for (u32 k = 0; k < s->eqns.n && several && !found; k++) {
        const struct eqn *e = &m->eqns.at[s->eqns.at[k]];
        u32 like = 0;
        if (*diff_cache_find(m->mem, &seen, s->key[s->eqns.at[k]] | 1) > 1)
            for (u32 i = 0; i < e->n_atoms; i++) {
                eqn_t producer = diff_producer(s, m->atoms.at[e->atoms + i]);
                like += producer != NONE && *diff_cache_find(m->mem, &seen, s->key[producer] | 1) > 1;
            }
        found = like > 1;
    }
    mem_free(m->mem, seen.at);
    return found;
}

/* combines the hashes of a jaxpr's equations: what they are, their uses, the uses of these, and their order if it
 * matters */
static u64
hash_equations(struct diff_side *s, jaxpr_t id, u32 n)
{
    struct module *m = s->m;
    const struct jaxpr j = m->jaxprs.at[id];
    u64 *uses = words(m->mem, n), h = hash_seeded(s->seed, jaxpr_binders(&j)), sum = 0;
    if (id != s->main) /* constants of the main jaxpr are equivalent to arguments */
        h = hash_seeded(h, j.n_consts);
    for (u32 i = 0; i < jaxpr_binders(&j); i++)
        h = hash_seeded(h, diff_type(s, m->vars.at[j.vars + i].type));
    for (u32 i = 0; i < j.n_outs; i++) {
        atom_t a = m->atoms.at[j.outs + i];
        add_use(s, uses, hash_seeded(s->seed + OUTPUT, i), a);
        h = hash_seeded(h, atom_kind(a) == ATOM_VAR ? s->value[atom_id(a)] : diff_other_atom(s, a, NONE, NONE));
    }
    for (u32 k = n; k-- > 0;) { /* users first */
        eqn_t e = s->eqns.at[k];
        const struct eqn q = m->eqns.at[e];
        u64 own = hash_seeded(s->whole[e], uses[k]);
        bool commutes = s->c.ignored != 0 && canon_commutes(&s->c, e);
        /* otherwise the types are part of kind */
        for (u32 i = 0; i < q.n_vars && (q.form <= EQN_CALL_BARE || q.params == NONE); i++)
            own = hash_seeded(own, diff_type(s, m->vars.at[q.vars + i].type));
        for (u32 i = 0; i < q.n_atoms; i++)
            add_use(s, uses, hash_seeded(own, commutes ? 0 : i), m->atoms.at[q.atoms + i]);
        sum += own;
        s->key[e] = own;
        if (diff_is_ordered(s, e))
            h = hash_seeded(hash_seeded(h, ORDERED), own);
    }
    mem_free(m->mem, uses);
    s->symmetric |= id != s->main && is_symmetric(s);
    return hash_seeded(h, sum);
}

/* the hash of a jaxpr whose equations, in s->eqns, are hashed */
static u64
hash_jaxpr(struct diff_side *s, jaxpr_t id)
{
    if (s->by_digest && id != s->main && canon_known(&s->exact, id)) {
        const struct digest *d = canon_digest(&s->exact, id);
        return hash_bytes(s->seed, (const char *)d->bytes, sizeof d->bytes);
    }
    return hash_equations(s, id, s->eqns.n);
}

static void
need(const struct diff_side *s, atom_t a)
{
    eqn_t e = diff_producer(s, a);
    if (e != NONE)
        s->dead[e] = 0;
}

/* removes unused equations from s->eqns, and marks them in s->dead */
static void
leave_dead(struct diff_side *s, const struct jaxpr *j)
{
    const struct module *m = s->m;
    u32 n = 0;
    for (u32 k = 0; k < s->eqns.n; k++)
        s->dead[s->eqns.at[k]] = !diff_is_ordered(s, s->eqns.at[k]);
    for (u32 i = 0; i < j->n_outs; i++)
        need(s, m->atoms.at[j->outs + i]);
    for (u32 k = s->eqns.n; k-- > 0;)
        for (u32 i = 0; i < m->eqns.at[s->eqns.at[k]].n_atoms && !s->dead[s->eqns.at[k]]; i++)
            need(s, m->atoms.at[m->eqns.at[s->eqns.at[k]].atoms + i]);
    for (u32 k = 0; k < s->eqns.n; k++)
        if (!s->dead[s->eqns.at[k]]) {
            s->rank[s->eqns.at[k]] = n;
            s->eqns.at[n++] = s->eqns.at[k];
        }
    s->eqns.n = n;
}

void
diff_side_jaxpr(struct diff_side *s, jaxpr_t id, const u64 *inputs)
{
    struct module *m = s->m;
    const struct jaxpr j = m->jaxprs.at[id];
    s->c.at.jaxpr = id;
    s->eqns.n = 0;
    memo_free(m->mem, &s->c.dims);
    memo_free(m->mem, &s->c.writes);
    for (u32 i = 0; i < jaxpr_binders(&j); i++) {
        set_value(s, j.vars + i, inputs ? inputs[i] : hash_seeded(s->seed + INPUT, i));
        s->producer[j.vars + i] = NONE;
    }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++) {
            s->producer[m->eqns.at[e].vars + i] = e;
            s->c.number[m->eqns.at[e].vars + i] = NONE;
        }
    for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next) {
        mem_poll(m->mem);
        s->rank[e] = s->eqns.n;
        *vec_push(m->mem, &s->eqns) = e;
        hash_eqn(s, e);
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            set_value(s, m->eqns.at[e].vars + i, hash_seeded(hash_seeded(s->whole[e], RESULT), i));
    }
    if (s->c.ignored & CANON_DCE)
        leave_dead(s, &j);
    if (inputs)
        return;
    s->program[id] = hash_jaxpr(s, id) | 1;
    struct canon_jaxpr *known = &s->c.jaxprs.at[id];
    *known = (struct canon_jaxpr){.entered = true, .known = true};
    memcpy(known->digest.bytes, &s->program[id], sizeof s->program[id]);
}

static struct canon_mode
mode_of(struct diff_side *s, program_t program)
{
    bool variables = s->dynamic && dims_are_variables(s->m, &s->m->programs.at[program], s->scopes);
    return (struct canon_mode){.variables = variables};
}

struct digest
diff_side_digest(struct diff_side *s, program_t program)
{
    jaxpr_t main = s->m->programs.at[program].main;
    if (s->exact.m == NULL)
        canon_init(&s->exact, s->m, s->c.ignored, s->c.without);
    if (canon_known(&s->exact, main))
        return *canon_digest(&s->exact, main);
    return canon_open(&s->exact, program, mode_of(s, program));
}

/* hashes pasted programs by their text, which is how they are compared */
static void
hash_pasted(struct diff_side *s, jaxpr_t j)
{
    struct module *m = s->m;
    for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
        for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next)
            for (u32 i = m->params.at[p].kind == PARAM_MIXED ? m->params.at[p].a : NONE; i != NONE;
                 i = m->segments.at[i].next) {
                program_t g = m->segments.at[i].a;
                if (m->segments.at[i].kind != SEGMENT_PROGRAM || m->programs.at[g].main == NONE ||
                    s->c.jaxprs.at[m->programs.at[g].main].known)
                    continue;
                canon_open(&s->c, g, mode_of(s, g));
            }
}

/* finds what names that a jaxpr does not bind may refer to: the variables of the program, outermost first */
static void
find_around(struct diff_side *s, const struct jaxprs *list)
{
    struct module *m = s->m;
    bool any = false;
    memo_free(m->mem, &s->around);
    for (u32 i = 0; i < list->n && !any; i++)
        any = !resolved_jaxpr(m, list->at[i]);
    for (u32 i = list->n; i-- > 0 && any;) {
        const struct jaxpr *j = &m->jaxprs.at[list->at[i]];
        eqn_t e = NONE; /* the binders, then the results of each equation */
        do {
            u32 vars = e == NONE ? j->vars : m->eqns.at[e].vars;
            u32 n = e == NONE ? jaxpr_binders(j) : m->eqns.at[e].n_vars;
            for (u32 k = 0; k < n; k++)
                if (memo_get(&s->around, m->vars.at[vars + k].name) == 0)
                    memo_set(m->mem, &s->around, m->vars.at[vars + k].name, vars + k + 1ull);
            e = e == NONE ? j->eqns : m->eqns.at[e].next;
        } while (e != NONE);
    }
}

var_t
diff_captured(const struct diff_side *s, atom_t a)
{
    return atom_kind(a) == ATOM_NAME ? (var_t)memo_get(&s->around, atom_id(a)) - 1 : NONE;
}

/* hashes the jaxprs of a program, inner ones first */
static void
hash_program(struct diff_side *s, program_t program, const struct jaxprs *list)
{
    s->symmetric = false;
    if (s->m->programs.n > 1)
        for (u32 i = 0; i < list->n; i++)
            hash_pasted(s, list->at[i]);
    canon_enter(&s->c, program, mode_of(s, program));
    for (u32 i = 0; i < list->n; i++) {
        if (list->at[i] != s->main)
            effects_add(&s->c.effects, list->at[i]);
        diff_side_jaxpr(s, list->at[i], NULL);
    }
    s->known.hashed[program] = s->by_digest ? 0 : HASHED | (s->symmetric ? HASHED_SYMMETRIC : 0);
}

void
diff_side_program(struct diff_side *s, program_t program)
{
    struct jaxprs list = {0};
    s->main = s->m->programs.at[program].main;
    reach_unpasted(s->m, program, &list);
    find_around(s, &list);
    if (s->by_digest || !s->known.hashed[program]) {
        hash_program(s, program, &list);
    } else {
        s->symmetric = (s->known.hashed[program] & HASHED_SYMMETRIC) != 0;
        canon_enter(&s->c, program, mode_of(s, program));
    }
    vec_free(s->m->mem, &list);
}

void
diff_side_print(struct diff_side *s, program_t program)
{
    if (s->printing)
        printer_end(&s->printer);
    printer_begin(&s->printer, &s->out, s->m, program);
    s->printing = true;
}
