/* SPDX-License-Identifier: Apache-2.0
 *
 * The run: facts are computed once for the module; then each program, jaxpr and equation is passed to the rules that
 * visit it. A primitive has the set of rules that visit its equations, as bits. Linear in the module times the
 * enabled rules. */
#include "lint/facts.h"

static lint_function *const functions[RULE_COUNT] = {
#define LINT(code, name, level, at, prims, fix, title, hint, explain) lint_##code,
#include "lint.def"
#undef LINT
};

_Static_assert(RULE_COUNT <= 64, "a rule is a bit");

/* The enabled rules, by enum lint_at: what they are called for. */
struct schedule {
    u64 at[AT_EQN + 1];
};

/* texts without which a rule finds nothing, and the index of the byte of each that is rarest in programs */
static const struct {
    enum lint_rule rule;
    const char *needle;
    size_t rare_byte;
} needles[] = {
#define NEEDLE(rule, needle, rare_byte) {RULE_##rule, needle, rare_byte},
#include "lint.def"
#undef NEEDLE
};

/* bytes one of which must occur in an equation's parameters for a rule to find anything there */
static const struct {
    enum lint_rule rule;
    const char *bytes;
} marks[] = {
#define MARKS(rule, bytes) {RULE_##rule, bytes},
#include "lint.def"
#undef MARKS
};

/* true if the text contains a needle. Searches for its rare byte only, at a tenth of the cost of memmem */
static bool
holds_needle(const struct text *t, const char *needle, size_t rare_byte)
{
    size_t n = strlen(needle);
    if (t->n < n)
        return false;
    /* the range in which the byte can be */
    const char *p = t->at + rare_byte, *end = t->at + t->n - (n - rare_byte) + 1;
    for (; p < end && (p = memchr(p, needle[rare_byte], (size_t)(end - p))) != NULL; p++)
        if (memcmp(p - rare_byte, needle, n) == 0)
            return true;
    return false;
}

/* the rules without those that cannot find anything in this text */
static u64
without_idle(const struct module *m, u64 rules)
{
    for (u32 i = 0; i < countof(needles); i++)
        if (rules >> needles[i].rule & 1 && !holds_needle(&m->text, needles[i].needle, needles[i].rare_byte))
            rules &= ~(1ull << needles[i].rule);
    return rules;
}

static void
make_schedule(struct lint *l, struct schedule *s)
{
    memset(s, 0, sizeof *s);
    for (u32 r = 0; r < RULE_COUNT; r++)
        if (l->plan->on[r])
            s->at[lint_rows[r].at] |= 1ull << r;
    for (u32 r = 0; r < RULE_COUNT; r++) {
        const char *p = lint_rows[r].prims;
        l->known.letters[r] = *p ? 0 : UINT32_MAX;
        for (; *p && l->plan->on[r]; p++)
            l->known.letters[r] |= p == lint_rows[r].prims || p[-1] == ' ' ? 1u << (*p & 31) : 0;
    }
    l->known.wanted = s->at[AT_EQN] = without_idle(l->m, s->at[AT_EQN]);
    for (u32 i = 0; i < LINT_SLOTS; i++)
        l->known.slots[i].name = NONE;
    for (u32 i = 0; i < countof(marks); i++) {
        u64 rule = 1ull << marks[i].rule & l->known.wanted;
        l->marks.all |= rule;
        for (const char *byte = marks[i].bytes; *byte; byte++)
            l->marks.rules[(u8)*byte] |= rule;
    }
}

/* the rules without marks, and those of which an equation's parameters contain a mark */
static u64
marked_rules(const struct lint *l, eqn_t e)
{
    const struct module *m = l->m;
    u64 rules = ~l->marks.all;
    for (param_t p = m->eqns.at[e].params; p != NONE; p = m->params.at[p].next) {
        struct span at = m->params.at[p].span;
        if (m->params.at[p].kind == PARAM_TEXT && at.at < m->text.n)
            for (const char *c = m->text.at + at.at, *end = c + at.n; c < end; c++)
                rules |= l->marks.rules[(u8)*c];
    }
    return rules;
}

/* calls the rules of a set of bits */
static void
call_rules(struct lint *l, u64 rules, u32 id)
{
    for (; rules; rules &= rules - 1) {
        l->rule = (enum lint_rule)__builtin_ctzll(rules);
        functions[l->rule](l, id);
        if (l->last.hint)
            lint_end_finding(l);
    }
}

/* ---- facts ---- */

static void *
zeroed(struct lint *l, size_t n, size_t size)
{
    return mem_zeroed(l->m->mem, (n + 1) * size);
}

static void
read_atom(struct lint *l, atom_t a)
{
    const struct module *m = l->m;
    if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *ref = &m->refs.at[atom_id(a)];
        for (u32 i = 0; i < ref->n_uses; i++)
            if (atom_kind(m->uses.at[ref->uses + i]) == ATOM_VAR) {
                l->facts.uses[atom_id(m->uses.at[ref->uses + i])]++;
                l->facts.sizes[atom_id(m->uses.at[ref->uses + i])] = 1;
            }
        a = ref->ref;
    }
    if (atom_kind(a) == ATOM_VAR)
        l->facts.uses[atom_id(a)]++;
    l->fix.unresolved |= atom_kind(a) == ATOM_NAME;
}

/* counts a read of every `_` of a jaxpr: the text does not determine which one is read */
static void
read_underscores(struct lint *l, const struct jaxpr *j)
{
    const struct module *m = l->m;
    name_t name = names_find(&m->names, SLICE("_"));
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        l->facts.uses[j->vars + i] += m->vars.at[j->vars + i].name == name;
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (var_t v = m->eqns.at[e].vars, end = v + m->eqns.at[e].n_vars; v < end; v++)
            l->facts.uses[v] += m->vars.at[v].name == name;
}

/* counts the reads of variables that the sizes of a type refer to by name */
static void
read_sizes(struct lint *l, struct binders *names, var_t v)
{
    const struct module *m = l->m;
    const struct type *t = type_array(m, m->vars.at[v].type);
    for (u32 i = 0; t && t->dynamic && i < t->rank; i++) {
        const struct dim *d = &type_dims(&m->types, t)[i];
        var_t size = d->kind == DIM_NAME ? binders_find(names, d->name) : NONE;
        if (size != NONE) {
            l->facts.uses[size]++;
            l->facts.sizes[size] = 1;
        }
    }
    if (l->facts.dynamic)
        binders_bind(names, v);
}

/* true if an equation's primitive has no effect and contains no program */
static bool
is_plain(struct lint *l, eqn_t e)
{
    const struct prim *row = lint_prim_of(l, e)->row;
    return !l->facts.holds[e] && row && !row->effects[0];
}

static void
read_jaxpr(struct lint *l, struct binders *names, jaxpr_t id)
{
    struct module *m = l->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    bool plain = true;
    l->fix.unresolved = false;
    binders_open(names);
    for (u32 i = 0; i < jaxpr_binders(j); i++)
        read_sizes(l, names, j->vars + i);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next)
            l->facts.holds[e] |= m->params.at[p].kind != PARAM_TEXT;
        plain = plain && is_plain(l, e);
        for (u32 i = 0; i < eqn->n_atoms; i++)
            read_atom(l, m->atoms.at[eqn->atoms + i]);
        for (u32 i = 0; i < eqn->n_vars; i++) {
            l->facts.producer[eqn->vars + i] = e;
            read_sizes(l, names, eqn->vars + i);
        }
    }
    for (u32 i = 0; i < j->n_outs; i++)
        read_atom(l, m->atoms.at[j->outs + i]);
    if (l->fix.unresolved)
        read_underscores(l, j);
    if (!plain) /* unknown primitives are taken to have no effects */
        effects_add(&l->effects, id);
}

/* computes paths, loops and repeats of the jaxprs nested in one, whose own are known: outer jaxprs come first */
static void
read_holders(struct lint *l, jaxpr_t id)
{
    struct module *m = l->m;
    u32 nth[2] = {0, 0}; /* pasted programs are counted separately: baselines contain the paths of the others */
    for (eqn_t e = m->jaxprs.at[id].eqns; e != NONE; e = m->eqns.at[e].next) {
        if (!l->facts.holds[e])
            continue;
        struct nested h = nested_start(m, e);
        u8 loop = l->facts.loops[id];
        eqn_t repeats = l->facts.repeats[id];
        bool known = false;
        for (jaxpr_t inner; (inner = nested_next(m, &h)) != NONE;) {
            const struct prim *row = known ? NULL : lint_prim_of(l, e)->row;
            loop |= row && row->is.kernel ? LOOP_KERNEL : 0;
            repeats = row && row->is.loops ? e + 1 : repeats;
            known = true;
            if (l->facts.repeats[inner] == 0)
                l->facts.repeats[inner] = repeats;
            l->facts.loops[inner] |= (u8)(loop | (h.pasted ? LOOP_PASTED : 0));
            if (l->facts.paths[inner] == 0)
                l->facts.paths[inner] = hash_number(hash_number(l->facts.paths[id], ++nth[h.pasted]), 7 + h.pasted);
        }
    }
}

static void
find_facts(struct lint *l)
{
    struct module *m = l->m;
    struct binders names;
    l->facts.uses = zeroed(l, m->vars.n, sizeof *l->facts.uses);
    l->facts.sizes = zeroed(l, m->vars.n, sizeof *l->facts.sizes);
    l->facts.holds = zeroed(l, m->eqns.n, sizeof *l->facts.holds);
    l->facts.producer = mem_nones(m->mem, m->vars.n + 1ull);
    l->facts.loops = zeroed(l, m->jaxprs.n, sizeof *l->facts.loops);
    l->facts.repeats = zeroed(l, m->jaxprs.n, sizeof *l->facts.repeats);
    l->facts.paths = zeroed(l, m->jaxprs.n, sizeof *l->facts.paths);
    effects_init(&l->effects, m, &l->known.table, NO_VERSION);
    l->facts.dynamic = m->types.dynamic;
    binders_init(&names, m);
    for (u32 i = 0; i < l->facts.order.n; i++) {
        l->effects.version = program_versions(m, l->facts.programs[i]);
        read_jaxpr(l, &names, l->facts.order.at[i]);
    }
    binders_drop(&names);
    l->facts.readers = mem_alloc(m->mem, (m->vars.n + 1ull) * sizeof *l->facts.readers);
    memcpy(l->facts.readers, l->facts.uses, (m->vars.n + 1ull) * sizeof *l->facts.readers);
    for (u32 i = l->facts.order.n; i-- > 0;)
        read_holders(l, l->facts.order.at[i]);
}

static void
drop_facts(struct lint *l)
{
    struct mem *mem = l->m->mem;
    mem_free_all(mem, l->facts.uses, l->facts.readers, l->facts.sizes, l->facts.holds, l->bytes, l->known.all.at,
                 l->known.index.slots, l->facts.producer, l->facts.loops, l->facts.repeats, l->facts.paths,
                 l->facts.programs, l->read, l->small, l->numbers.leaders, l->wide.origins, l->wide.n_widened,
                 l->wide.joined, l->wide.states, l->wide.all.at, l->numbers.places, l->keys.holder, l->keys.consumer,
                 l->keys.events.at, l->wrapped.slots, l->numbers.shapes, l->numbers.jaxpr_leaders);
    if (l->effects.m)
        effects_end(&l->effects);
    region_map_free(l->m, &l->map);
    mem_free_all(mem, l->facts.order.at, l->suppressed.ignores.at, l->suppressed.baseline.at, l->suppressed.matched.at,
                 l->fix.edits.at, l->fix.replacements.at, l->fix.dropped.at, l->fix.dead.at, l->suppressed.eqns.slots,
                 l->fix.replaced.slots);
    prims_free(&l->known.table);
}

/* ---- the run ---- */

static void
lint_jaxpr(struct lint *l, const struct schedule *s, jaxpr_t j)
{
    struct module *m = l->m;
    l->jaxpr = j;
    if (s->at[AT_EQN])
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            const struct lint_prim *prim = lint_prim_of(l, e);
            mem_poll(m->mem);
            l->row = prim->row;
            u64 rules = prim->rules;
            if (rules & l->marks.all)
                rules &= marked_rules(l, e);
            if (rules)
                call_rules(l, rules, e);
        }
    call_rules(l, s->at[AT_JAXPR], j);
    if (l->run->edits)
        lint_make_edits(l, j);
}

/* by program: nonzero if it is linted, as it has no syntax error and all its names are bound */
static u8 *
valid_programs(const struct module *m, const struct diags *ds)
{
    u8 *sound = mem_alloc(m->mem, m->programs.n + 1ull);
    VEC(program_t) stream = {0}; /* diagnostics number only the programs of the text, not pasted ones */
    for (program_t p = 0; p < m->programs.n; p++) {
        const struct program *program = &m->programs.at[p];
        sound[p] = !program->pasted && !program->broken && program->main != NONE;
        if (!program->pasted)
            *vec_push(m->mem, &stream) = p;
    }
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        if (d->level == LEVEL_ERROR && d->program < stream.n && diag_info(d->code).code[0] == 'S')
            sound[stream.at[d->program]] = 0;
    }
    vec_free(m->mem, &stream);
    return sound;
}

/* appends the jaxprs of each valid program to the order; returns the index at which those of each program end */
static u32 *
find_order(struct lint *l, const u8 *sound)
{
    struct module *m = l->m;
    u32 *ends = mem_alloc(m->mem, (m->programs.n + 1ull) * sizeof *ends);
    for (program_t p = 0; p < m->programs.n; p++) {
        if (sound[p])
            reach_all(m, p, &l->facts.order);
        ends[p] = l->facts.order.n;
    }
    l->facts.programs = mem_alloc(m->mem, (l->facts.order.n + 1ull) * sizeof *l->facts.programs);
    for (u32 p = 0, i = 0; p < m->programs.n; p++)
        while (i < ends[p])
            l->facts.programs[i++] = p;
    return ends;
}

void
lint_module(struct module *m, const struct lint_run *run, struct diags *ds, struct lint_result *result)
{
    struct lint l = {
        .m = m, .run = run, .plan = run->plan, .ds = ds, .result = result, .why = {NONE, NONE, NONE}, .jaxpr = NONE};
    struct schedule s;
    u8 *sound = valid_programs(m, ds);
    prims_init(m->mem, &l.known.table);
    make_schedule(&l, &s);
    u32 *ends = find_order(&l, sound);
    bool facts = (s.at[AT_PROGRAM] | s.at[AT_JAXPR] | s.at[AT_EQN]) != 0 || run->why;
    if (facts)
        find_facts(&l);
    lint_read_ignores(&l);
    l.program = NONE;
    ds->program = NONE;
    call_rules(&l, s.at[AT_TEXT], NONE);
    for (program_t p = 0, nth = 0; p < m->programs.n; p++) {
        if (m->programs.at[p].pasted)
            continue;
        ds->program = nth++;
        l.program = p;
        l.first = p ? ends[p - 1] : 0;
        l.n = ends[p] - l.first;
        if (!sound[p])
            continue;
        for (u32 i = l.n; i-- > 0 && (s.at[AT_JAXPR] | s.at[AT_EQN]);)
            lint_jaxpr(&l, &s, l.facts.order.at[l.first + i]);
        l.jaxpr = m->programs.at[p].main;
        call_rules(&l, s.at[AT_PROGRAM], p);
        if (run->edits && facts)
            lint_make_edits(&l, l.jaxpr);
        if (l.why.program == p && !result->explained) {
            lint_explain(&l);
            result->explained = true;
        }
    }
    ds->program = NONE;
    lint_edits_choose(&l);
    mem_free(m->mem, sound);
    mem_free(m->mem, ends);
    drop_facts(&l);
}
