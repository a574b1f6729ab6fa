/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of a checker: made for a module, extended when passes have appended to it, and freed. What only
 * messages and rare rules need is made at the first use. */
#include "verify/checker.h"

#include "verify/sharding_check.h"
#include "verify/memory_space.h"

/* makes c->symbols, a copy of all dims in which names are marked as symbols, for programs in which check_dims did not
 * find that names are variables */
static void
mark_symbols(struct checker *c)
{
    const struct types *t = &c->m->types;
    bool named = false;
    for (u32 i = 0; i < t->dims.n && !named; i++)
        named = t->dims.at[i].kind == DIM_NAME;
    if (!named)
        return;
    c->symbols = mem_alloc(c->m->mem, t->dims.n * sizeof *c->symbols);
    memcpy(c->symbols, t->dims.at, t->dims.n * sizeof *c->symbols);
    for (u32 i = 0; i < t->dims.n; i++)
        if (c->symbols[i].kind == DIM_NAME)
            c->symbols[i].value = DIM_SYMBOL;
}

void *
scratch_alloc(struct checker *c, size_t size)
{
    enum { BLOCK = 1 << 14 };
    struct scratch *s = &c->scratch;
    size = (size + 15) & ~(size_t)15;
    while (s->block < s->blocks.n && s->blocks.at[s->block].n - s->used < size) {
        s->block++;
        s->used = 0;
    }
    if (s->block == s->blocks.n) {
        size_t room = size > BLOCK ? size : BLOCK;
        char *block = mem_alloc(s->mem, room);
        *vec_push(s->mem, &s->blocks) = (struct slice){block, room};
        mem_poison(block, room);
        s->used = 0;
    }
    char *at = (char *)(uintptr_t)s->blocks.at[s->block].at + s->used;
    mem_unpoison(at, size);
    s->used += size;
    return at;
}

void
scratch_reset(struct checker *c)
{
    struct scratch *s = &c->scratch;
    for (u32 i = 0; i <= s->block && i < s->blocks.n; i++)
        mem_poison(s->blocks.at[i].at, s->blocks.at[i].n);
    s->block = 0;
    s->used = 0;
}

void *
rule_alloc(struct rule *r, size_t size)
{
    return scratch_alloc(r->c, size);
}

static void
scratch_free(struct scratch *s)
{
    for (u32 i = 0; i < s->blocks.n; i++)
        mem_free(s->mem, (void *)(uintptr_t)s->blocks.at[i].at);
    vec_free(s->mem, &s->blocks);
}

/* a zeroed table of 1 << bits slots, at most 1 << most; *shift becomes 64 - bits */
static void *
make_slots(const struct module *m, u32 most, size_t size, u32 *shift)
{
    u32 bits = 3;
    while (bits < most && m->eqns.n >> bits)
        bits++;
    void *slots = mem_zeroed(m->mem, size << bits);
    *shift = 64 - bits;
    return slots;
}

/* the number of words for a bit per variable */
static size_t
reported_words(u32 vars)
{
    return ((size_t)vars >> 6) + 1;
}

struct checker *
checker_new(struct module *m, const struct check_options *options, const struct resolution *found, struct diags *ds)
{
    struct checker *c = mem_zeroed(m->mem, sizeof *c);
    c->m = m;
    c->options = options;
    c->found = found;
    c->ds = ds;
    c->finding.e = NONE;
    c->scratch.mem = c->aside.mem = m->mem;
    prims_init(m->mem, &c->prims);
    c->simple = make_slots(m, MEMO_BITS, sizeof *c->simple, &c->simple_shift);
    memset(c->simple, 0xff, sizeof *c->simple << (64 - c->simple_shift));
    c->verified = make_slots(m, VERIFIED_BITS, sizeof *c->verified, &c->verified_shift);
    mark_symbols(c);
    c->placed = types_placed(m);
    c->spaced = spaces_shown(m);
    c->room = m->vars.n;
    c->known = m->vars.n + m->eqns.n;
    c->reported = mem_zeroed(m->mem, reported_words(c->room) * sizeof *c->reported);
    return c;
}

/* drops data that is recomputed on demand */
static void
forget_places(struct checker *c)
{
    struct mem *mem = c->m->mem;
    mem_free_all(mem, c->def_sites, c->eqn_jaxprs, c->replicated);
    c->def_sites = NULL;
    c->eqn_jaxprs = NULL;
    c->replicated = NULL;
}

void
checker_extend(struct checker *c)
{
    const struct module *m = c->m;
    u32 old = c->room;
    if (c->known == m->vars.n + m->eqns.n)
        return;
    c->known = m->vars.n + m->eqns.n;
    forget_places(c);
    if (m->vars.n <= old)
        return;
    c->room = m->vars.n + m->vars.n / 2;
    size_t had = reported_words(old), words = reported_words(c->room);
    c->reported = mem_resize(m->mem, c->reported, words * sizeof *c->reported);
    memset(c->reported + had, 0, (words - had) * sizeof *c->reported);
    if (!c->inferred)
        return;
    c->inferred = mem_resize(m->mem, c->inferred, (size_t)c->room * sizeof *c->inferred);
    for (u32 v = old; v < c->room; v++)
        c->inferred[v] = aval_unknown();
}

void
checker_free(struct checker *c)
{
    struct mem *mem = c->m->mem;
    scratch_free(&c->scratch);
    scratch_free(&c->aside);
    forget_places(c);
    mem_free_all(mem, c->inferred, c->conflicting.slots, c->symbols, c->unknown_prims.slots, c->unlisted.slots,
                 c->size_names.words.slots, c->effects.slots);
    region_map_free(c->m, &c->map);
    mem_free_all(mem, c->mesh_axes.by_eqn.slots, c->mesh_axes.bound.at, c->mesh_axes.all.at, c->wrong.passed.at,
                 c->wrong.computed.at, c->wrong.computed_of.slots, c->wrong.asked_of.slots, c->reported);
    prims_free(&c->prims);
    mem_free_all(mem, c->simple, c->verified, c);
}

static bool
vars_show(const struct module *m, var_t first, u32 n, bool (*is)(const struct type *))
{
    for (var_t v = first; v < first + n; v++)
        if (m->vars.at[v].type != NONE && is(type_get(&m->types, m->vars.at[v].type)))
            return true;
    return false;
}

bool
program_shows(struct checker *c, struct type_shown *shown, bool (*is)(const struct type *))
{
    const struct module *m = c->m;
    struct walk w;
    if (shown->program == c->program + 1)
        return shown->is;
    *shown = (struct type_shown){c->program + 1, false};
    walk_start_program(&w, m, &m->programs.at[c->program]);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;) {
        shown->is |= vars_show(m, m->jaxprs.at[j].vars, jaxpr_binders(&m->jaxprs.at[j]), is);
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE && !shown->is; e = m->eqns.at[e].next)
            shown->is |= vars_show(m, m->eqns.at[e].vars, m->eqns.at[e].n_vars, is);
    }
    walk_end(&w);
    return shown->is;
}

static bool
is_object(const struct type *t)
{
    return t->kind == TYPE_OPAQUE;
}

bool
rule_objects(struct rule *r)
{
    r->c->own_program = true;
    return program_shows(r->c, &r->c->objects, is_object);
}
