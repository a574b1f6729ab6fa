/* SPDX-License-Identifier: Apache-2.0
 *
 * Which JAX printed a program? Spellings that only some versions print (grammar/versions.def) and the way programs are
 * shared and named narrow a range of versions; evidence that would make it empty is ignored. Other programs of the text
 * are not evidence, so that the result for a program does not depend on them. Linear in the equations with parameters;
 * a program without any costs next to nothing. */
#include "ir/module.h"

#include "base/memo.h"

/* how many equations of one kind, literals, or names of one equation are inspected */
enum { WITNESSES = 64 };

/* releases that are never inferred, each with the one inferred instead */
static const enum jax_change unlikely[][2] = {
#define UNLIKELY(release, next) {JAX_##release, JAX_##next},
#include "versions.def"
};

static const struct {
    struct slice primitive, key;
    struct version_range printed, otherwise;
    bool rule; /* printed so only if printing rules are enabled (custom_pp_eqn_rules) */
} keys[] = {
#define KEY(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, otherwise, false},
#define KEY_OF_RULE(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, otherwise, true},
#include "versions.def"
};

static const struct {
    struct slice word;
    struct version_range range;
} words[] =
    {
#define WORD(word, range) {SLICE(#word), range},
#define OLD_NAME(name, primitive, range) {SLICE(#name), range},
#include "versions.def"
},
  prefixes[] = {
#define TYPE(prefix, range) {SLICE(prefix), range},
#include "versions.def"
};

/* `plain`: printed only if printing rules are disabled */
static const struct {
    struct slice key, text;
    struct version_range range;
    bool plain;
} values[] = {
#define VALUE(key, text, range) {SLICE(#key), SLICE(text), range, false},
#define KEY_WITHOUT_RULES(key, text) {SLICE(#key), SLICE(text), ALL, true},
#include "versions.def"
};

enum { ROWS = countof(keys) > countof(values) ? countof(keys) : countof(values) };
_Static_assert(ROWS < UINT8_MAX, "rows are stored as their number plus one");

/* The rows of a table by name: the first row of each name, and by row the next one of the same name; both plus one. */
struct rows {
    struct memo first;
    u8 next[ROWS];
};

/* The names that are evidence, as ids of a module. */
struct evidence_names {
    name_t key[countof(keys)];
    struct rows rows, value_rows; /* by primitive; by key */
    struct memo words;            /* by primitive: its row in `words`, plus one */
    name_t jit, pjit, name, jaxpr;
    struct memo types; /* by type_t: its row in `prefixes`, plus one */
    bool bare;         /* an equation without parameters may be evidence */
};

/* The evidence of one program. */
struct version_inference {
    const struct module *m;
    const struct evidence_names *names;
    struct version_range range;
    eqn_t first_eqn, end_eqn; /* what was read from the program: adjacent elements of the arrays */
    u32 first_literal, end_literal;
    jaxpr_t first_jaxpr, end_jaxpr;
    u32 first_let, end_let;
    u32 observed[countof(keys)], observed_values[countof(values)];
    bool seen[countof(keys)], missed[countof(keys)]; /* whether the key of a rule was present, or absent, in some
                                                      * equation */
    bool hijax;                                      /* some primitive has the name of a class */
    bool plain;                                      /* printed with printing rules disabled */
    bool first, later;     /* `name` comes before the parameters of some pjit, or after them */
    u32 aliased, distinct; /* jit equations whose body does or does not take over a name from outside */
    struct memo bodies;    /* the first names of the inspected bodies */
};

static void
narrow(struct version_inference *d, struct version_range range)
{
    if (range.first.encoded < d->range.first.encoded)
        range.first = d->range.first;
    if (range.last.encoded > d->range.last.encoded)
        range.last = d->range.last;
    if (range.first.encoded <= range.last.encoded)
        d->range = range;
}

/* narrows to versions with a change */
static void
narrow_since(struct version_inference *d, enum jax_change change)
{
    narrow(d, (struct version_range){{change}, ALL_VERSIONS.last});
}

/* narrows to versions without a change */
static void
narrow_before(struct version_inference *d, enum jax_change change)
{
    narrow(d, (struct version_range){{0}, {change - 1u}});
}

static bool
has_key(const struct module *m, const struct eqn *e, name_t key)
{
    for (param_t p = e->params; p != NONE; p = m->params.at[p].next)
        if (m->params.at[p].key == key)
            return true;
    return false;
}

/* adds a row before the others of the same name */
static void
add_row(const struct module *m, struct rows *r, name_t name, u32 row)
{
    if (name == NONE)
        return;
    r->next[row] = (u8)memo_get(&r->first, name);
    memo_set(m->mem, &r->first, name, row + 1);
}

static u32
first_row(const struct rows *r, name_t name)
{
    return (u32)memo_get(&r->first, name);
}

static void
observe_keys(struct version_inference *d, const struct eqn *e)
{
    for (u32 row = first_row(&d->names->rows, e->prim); row != 0; row = d->names->rows.next[row - 1]) {
        u32 i = row - 1;
        if (d->observed[i]++ >= WITNESSES)
            continue;
        bool has = d->names->key[i] != NONE && has_key(d->m, e, d->names->key[i]);
        d->seen[i] |= has;
        d->missed[i] |= !has;
        if (!keys[i].rule)
            narrow(d, has ? keys[i].printed : keys[i].otherwise);
    }
}

/* narrows by what printing rules hid or showed, and by their effect on the names of programs */
static void
observe_rules(struct version_inference *d)
{
    if (d->plain)
        return;
    for (u32 i = 0; i < countof(keys); i++) {
        if (keys[i].rule && d->seen[i])
            narrow(d, keys[i].printed);
        if (keys[i].rule && d->missed[i])
            narrow(d, keys[i].otherwise);
    }
    if (d->first)
        narrow_since(d, JAX_JIT_NAME_FIRST);
    if (d->later)
        narrow_before(d, JAX_JIT_NAME_FIRST);
    if (d->aliased > d->distinct)
        narrow_since(d, JAX_JIT_NAMES_PASS_INWARD);
    else if (d->distinct > d->aliased)
        narrow_before(d, JAX_JIT_NAMES_PASS_INWARD);
}

static void
observe_address(struct version_inference *d, struct slice s)
{
    const char *at = s.n > 6 && s.at[0] == '<' ? memmem(s.at, s.n, " at 0x", 6) : NULL;
    if (at && at + 6 < s.at + s.n)
        (at[6] == 'X' ? narrow_since : narrow_before)(d, JAX_ADDRESSES_MASKED);
}

static void
observe_value(struct version_inference *d, const struct param *p)
{
    struct slice s = param_bytes(d->m, p);
    observe_address(d, s);
    for (u32 row = first_row(&d->names->value_rows, p->key); row != 0; row = d->names->value_rows.next[row - 1]) {
        u32 i = row - 1;
        if (d->observed_values[i]++ >= WITNESSES || !slice_contains(s, values[i].text))
            continue;
        d->plain |= values[i].plain;
        narrow(d, values[i].range);
    }
}

static void
observe_nested(struct version_inference *d, jaxpr_t j)
{
    if (d->m->jaxprs.at[j].n_eqns > LONG_JAXPR)
        narrow_before(d, JAX_LONG_JAXPRS_HOISTED);
}

/* since JAX_NAMES_AHEAD, lets may be mentioned before they are bound */
static void
observe_shared(struct version_inference *d, const struct eqn *e, u32 let)
{
    if (let != NONE && let < d->m->lets.n && d->m->lets.at[let].jaxpr != NONE && e->offset < d->m->lets.at[let].offset)
        narrow_since(d, JAX_NAMES_AHEAD);
}

/* true if an atom is a variable, resolved or not */
static inline bool
is_named(atom_t a)
{
    return atom_kind(a) == ATOM_NAME || atom_kind(a) == ATOM_VAR;
}

/* true if an atom is the variable with this name */
static bool
is_called(const struct module *m, atom_t a, name_t name)
{
    return is_named(a) && atom_name(m, a) == name;
}

/* true for the first body that binds this name: a later one is the same object printed again, or takes the same name
 * from outside */
static bool
is_first_print(struct version_inference *d, const struct jaxpr *j)
{
    if (j->n_ins == 0)
        return true;
    name_t name = d->m->vars.at[jaxpr_in(j, 0)].name;
    bool first = memo_get(&d->bodies, name) == 0;
    memo_set(d->m->mem, &d->bodies, name, 1);
    return first;
}

/* counts whether the body of a jit has the names of its operands and results */
static void
observe_jit(struct version_inference *d, const struct eqn *e, jaxpr_t id)
{
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    bool aliased = false, could = false;
    if ((e->prim != d->names->jit && e->prim != d->names->pjit) || j->n_ins != e->n_atoms || j->n_outs != e->n_vars ||
        !is_first_print(d, j))
        return;
    for (u32 i = 0; i < j->n_ins && i < WITNESSES; i++) {
        could |= is_named(m->atoms.at[e->atoms + i]);
        aliased |= is_called(m, m->atoms.at[e->atoms + i], m->vars.at[jaxpr_in(j, i)].name);
    }
    for (u32 i = 0; i < j->n_outs && i < WITNESSES; i++) {
        could |= j->n_eqns > 0 && is_named(m->atoms.at[j->outs + i]);
        aliased |= is_called(m, m->atoms.at[j->outs + i], m->vars.at[e->vars + i].name);
    }
    d->aliased += aliased;
    d->distinct += could && !aliased;
}

static void
observe_params(struct version_inference *d, const struct eqn *e)
{
    const struct module *m = d->m;
    for (param_t i = e->params; i != NONE; i = m->params.at[i].next) {
        const struct param *p = &m->params.at[i];
        if (p->kind == PARAM_TEXT)
            observe_value(d, p);
        if (p->kind == PARAM_SHARED)
            observe_shared(d, e, p->a);
        if (p->kind == PARAM_JAXPR) {
            observe_nested(d, p->a);
            if (p->key == d->names->jaxpr)
                observe_jit(d, e, p->a);
        }
        for (u32 s = p->kind == PARAM_TUPLE ? p->a : NONE; s != NONE; s = m->segments.at[s].next) {
            if (m->segments.at[s].kind == SEGMENT_JAXPR)
                observe_nested(d, m->segments.at[s].a);
            else if (m->segments.at[s].kind == SEGMENT_SHARED)
                observe_shared(d, e, m->segments.at[s].a);
        }
    }
}

/* primitives of hijax have the names of their classes; their programs may be shared but not printed as shared */
static bool
is_class(const struct module *m, name_t prim)
{
    char c = prim >= NAME_OTHER ? m->names.others.at[prim - NAME_OTHER].at[0] : 'a';
    return c == '_' || (c >= 'A' && c <= 'Z');
}

static void
observe_equations(struct version_inference *d)
{
    const struct module *m = d->m;
    bool bare = d->names->bare || d->first_let < d->end_let;
    for (eqn_t i = d->first_eqn; i < d->end_eqn; i++) {
        const struct eqn *e = &m->eqns.at[i];
        if (e->params == NONE && e->form == EQN_CALL && (!bare || e->prim < NAME_OTHER))
            continue;
        if (e->form > EQN_CALL_BARE)
            continue;
        if (e->form == EQN_CALL_BARE)
            narrow_before(d, JAX_NO_RESULTS_NO_EQUALS);
        d->hijax |= is_class(m, e->prim);
        u64 word = memo_get(&d->names->words, e->prim);
        if (word)
            narrow(d, words[word - 1].range);
        observe_keys(d, e);
        if (e->params == NONE)
            continue;
        if (e->prim == d->names->pjit && m->params.at[e->params].key == d->names->name)
            d->first = true;
        else if (e->prim == d->names->pjit)
            d->later = true;
        observe_params(d, e);
    }
    observe_rules(d);
}

static void
observe_lets(struct version_inference *d)
{
    const struct module *m = d->m;
    for (u32 i = d->first_let; i < d->end_let; i++) {
        const struct let *l = &m->lets.at[i];
        narrow_since(d, JAX_JAXPRS_SHARED);
        if (l->jaxpr == NONE)
            continue;
        if (l->references == 0 && !d->hijax)
            narrow_before(d, JAX_NAMES_AHEAD);
        else if (l->references == 1 && m->jaxprs.at[l->jaxpr].n_eqns > LONG_JAXPR)
            narrow_since(d, JAX_LONG_JAXPRS_HOISTED);
    }
}

static void
observe_literals(struct version_inference *d)
{
    const struct module *m = d->m;
    for (u32 i = d->first_literal; i < d->end_literal && i - d->first_literal < WITNESSES; i++)
        (m->literals.at[i].type == NONE ? narrow_before : narrow_since)(d, JAX_LITERALS_TYPED);
}

static void
observe_types(struct version_inference *d, var_t first, u32 n)
{
    for (var_t v = first; v < first + n; v++) {
        type_t type = d->m->vars.at[v].type;
        u64 prefix = type == NONE ? 0 : memo_get(&d->names->types, type);
        if (prefix)
            narrow(d, prefixes[prefix - 1].range);
    }
}

static void
observe_binders(struct version_inference *d)
{
    for (jaxpr_t j = d->first_jaxpr; j < d->end_jaxpr; j++)
        observe_types(d, d->m->jaxprs.at[j].vars, d->m->jaxprs.at[j].n_consts + d->m->jaxprs.at[j].n_ins);
    for (eqn_t e = d->first_eqn; e < d->end_eqn; e++)
        observe_types(d, d->m->eqns.at[e].vars, d->m->eqns.at[e].n_vars);
}

static struct version_range
infer_versions(struct version_inference *d)
{
    d->range = (struct version_range){{JAX_OLDEST}, {JAX_NEWEST}};
    observe_literals(d);
    if (d->names->types.n > 0)
        observe_binders(d);
    observe_equations(d);
    observe_lets(d);
    memo_free(d->m->mem, &d->bodies);
    for (u32 i = 0; i < countof(unlikely); i++)
        if (d->range.first.encoded == unlikely[i][0])
            narrow_since(d, unlikely[i][1]);
    return d->range;
}

static void
find_names(const struct module *m, struct evidence_names *names)
{
    names->jit = names_find(&m->names, SLICE("jit"));
    names->pjit = names_find(&m->names, SLICE("pjit"));
    names->name = names_find(&m->names, SLICE("name"));
    names->jaxpr = names_find(&m->names, SLICE("jaxpr"));
    for (u32 i = countof(keys); i-- > 0;) {
        names->key[i] = names_find(&m->names, keys[i].key);
        add_row(m, &names->rows, names_find(&m->names, keys[i].primitive), i);
    }
    for (u32 i = countof(values); i-- > 0;)
        add_row(m, &names->value_rows, names_find(&m->names, values[i].key), i);
    for (u32 i = 0; i < countof(words); i++) {
        name_t word = names_find(&m->names, words[i].word);
        if (word != NONE && word >= NAME_OTHER)
            memo_set(m->mem, &names->words, word, i + 1);
    }
    names->bare = names->words.n > 0;
    for (u32 i = 0; i < countof(keys) && !names->bare; i++) {
        name_t primitive = names_find(&m->names, keys[i].primitive);
        names->bare = primitive != NONE && primitive >= NAME_OTHER;
    }
    for (type_t type = 0; type < m->types.list.n; type++)
        for (u32 k = countof(prefixes); m->types.list.at[type].kind == TYPE_REF && k-- > 0;)
            if (slice_starts(m->types.list.at[type].text, prefixes[k].word))
                memo_set(m->mem, &names->types, type, k + 1);
}

/* the ids of the names that are evidence in a module, found once */
static const struct evidence_names *
evidence_of(struct module *m)
{
    if (m->evidence == NULL) {
        struct evidence_names *names = mem_zeroed(m->mem, sizeof *names);
        find_names(m, names);
        m->evidence = names;
    }
    return m->evidence;
}

/* infers the versions of a program, and of those pasted into its values, which come before it */
static void
date_program(struct module *m, program_t program)
{
    program_t first = program;
    while (first > 0 && m->programs.at[first - 1].pasted)
        first--;
    const struct program *text = &m->programs.at[program], *before = first > 0 ? &m->programs.at[first - 1] : NULL;
    struct version_inference d = {.m = m,
                                  .names = evidence_of(m),
                                  .first_let = before ? before->lets + before->n_lets : 0,
                                  .end_let = text->lets + text->n_lets};
    d.first_eqn = module_first_eqn(m, text->offset);
    d.end_eqn = module_first_eqn(m, text->end);
    d.first_literal = vec_before(&m->literals, text->offset);
    d.end_literal = vec_before(&m->literals, text->end);
    d.first_jaxpr = vec_before(&m->jaxprs, text->offset);
    d.end_jaxpr = vec_before(&m->jaxprs, text->end);
    struct version_range versions = infer_versions(&d);
    for (; first <= program; first++) {
        m->programs.at[first].versions = versions;
        m->programs.at[first].dated = true;
    }
}

void
module_date(struct module *m)
{
    for (program_t p = 0; p < m->programs.n; p++)
        if (!m->programs.at[p].pasted && !m->programs.at[p].dated)
            date_program(m, p);
}

struct version_range
program_versions(struct module *m, program_t program)
{
    if (!m->programs.at[program].dated) {
        program_t around = program;
        while (around < m->programs.n && m->programs.at[around].pasted)
            around++;
        if (around < m->programs.n)
            date_program(m, around);
    }
    return m->programs.at[program].versions;
}

struct slice
version_text(struct mem *mem, struct jax_version v)
{
    return arena_printf(mem, "%u.%u.%u", v.encoded / 10000, v.encoded / 100 % 100, v.encoded % 100);
}

struct slice
range_text(struct mem *mem, struct version_range range)
{
    const char *first = version_text(mem, range.first).at,
               *end = version_text(mem, (struct jax_version){range.last.encoded + 1}).at;
    if (range.first.encoded == range.last.encoded)
        return version_text(mem, range.first);
    if (range.last.encoded >= JAX_NEWEST)
        return arena_printf(mem, "%s or later", first);
    if (range.first.encoded == JAX_OLDEST)
        return arena_printf(mem, "before %s", end);
    return arena_printf(mem, "%s or later but before %s", first, end);
}
