/* SPDX-License-Identifier: Apache-2.0
 *
 * Which JAX printed this? Spellings that only some versions print (grammar/versions.def) and the way programs are
 * shared and named narrow a range of versions; evidence that would leave it empty is ignored. Only naming, sharing,
 * spelling and widths depend on it. Linear in the equations with parameters; a text without any costs next to
 * nothing. */
#include "ir/module.h"

#include "base/memo.h"

/* how many equations of one kind, or names of one equation, are inspected; how many types, and how many equations of a
 * text without parameters */
enum { WITNESSES = 64, SEARCHED = 4096 };

/* releases that are never inferred, each with the one used instead */
static const enum jax_change unlikely[][2] = {
#define UNLIKELY(release, next) {JAX_##release, JAX_##next},
#include "versions.def"
};

static const struct {
    struct slice primitive, key;
    struct version_range printed, otherwise;
    bool rule; /* holds if rules of printing are on */
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

/* `plain`: printed only if rules of printing are off */
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

/* The rows of a table by name: the first row of each name, then the next one of each row, plus one. */
struct rows {
    struct memo first;
    u8 next[ROWS];
};

struct version_inference {
    const struct module *m;
    struct version_range range;
    name_t key[countof(keys)];
    struct rows rows, value_rows; /* by primitive; by key */
    u32 observed[countof(keys)], observed_values[countof(values)];
    bool seen[countof(keys)], missed[countof(keys)]; /* a rule's key, in some equation */
    name_t jit, pjit, name, jaxpr;
    bool hijax;            /* some primitive has the name of a class */
    bool plain;            /* printed without the rules of primitives */
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

/* the text shows a change */
static void
narrow_since(struct version_inference *d, enum jax_change change)
{
    narrow(d, (struct version_range){{change}, ALL_VERSIONS.last});
}

/* the text shows that a change was not made */
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

/* puts a row before those that refer to the same name */
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
    for (u32 row = first_row(&d->rows, e->prim); row != 0; row = d->rows.next[row - 1]) {
        u32 i = row - 1;
        if (d->observed[i]++ >= WITNESSES)
            continue;
        bool has = d->key[i] != NONE && has_key(d->m, e, d->key[i]);
        d->seen[i] |= has;
        d->missed[i] |= !has;
        if (!keys[i].rule)
            narrow(d, has ? keys[i].printed : keys[i].otherwise);
    }
}

/* what rules of printing hid or showed, and their effect on the names of programs */
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
    for (u32 row = first_row(&d->value_rows, p->key); row != 0; row = d->value_rows.next[row - 1]) {
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

/* lets may be mentioned before they are bound */
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

/* true for the first body that binds this name: another one is the same object printed again, or takes over the same
 * name from outside */
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

/* the body of a jit may have the names of operands and results */
static void
observe_jit(struct version_inference *d, const struct eqn *e, jaxpr_t id)
{
    const struct module *m = d->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    bool aliased = false, could = false;
    if ((e->prim != d->jit && e->prim != d->pjit) || j->n_ins != e->n_atoms || j->n_outs != e->n_vars ||
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
            if (p->key == d->jaxpr)
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

/* true if some primitive of the table can occur without parameters */
static bool
has_bare_witness(const struct version_inference *d)
{
    for (u32 i = 0; i < countof(keys); i++) {
        name_t primitive = names_find(&d->m->names, keys[i].primitive);
        if (primitive != NONE && primitive >= NAME_OTHER)
            return true;
    }
    return false;
}

/* primitives of hijax have the names of their classes; their programs may be shared without being printed so */
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
    u32 n = m->params.n > 0 || has_bare_witness(d) || m->eqns.n < SEARCHED ? m->eqns.n : SEARCHED;
    for (eqn_t i = 0; i < n; i++) {
        const struct eqn *e = &m->eqns.at[i];
        if (e->form > EQN_CALL_BARE)
            continue;
        if (e->form == EQN_CALL_BARE)
            narrow_before(d, JAX_NO_RESULTS_NO_EQUALS);
        if (e->params == NONE && e->prim < NAME_OTHER)
            continue;
        observe_keys(d, e);
        d->hijax |= is_class(m, e->prim);
        if (e->params == NONE)
            continue;
        if (e->prim == d->pjit && m->params.at[e->params].key == d->name)
            d->first = true;
        else if (e->prim == d->pjit)
            d->later = true;
        observe_params(d, e);
    }
    observe_rules(d);
}

static void
observe_lets(struct version_inference *d)
{
    const struct module *m = d->m;
    for (u32 i = 0; i < m->lets.n; i++) {
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
    for (u32 i = 0; i < m->literals.n && i < WITNESSES; i++)
        (m->literals.at[i].type == NONE ? narrow_before : narrow_since)(d, JAX_LITERALS_TYPED);
}

static void
observe_types(struct version_inference *d)
{
    for (u32 i = 0; i < d->m->types.list.n && i < SEARCHED; i++)
        for (u32 k = 0; k < countof(prefixes); k++)
            if (d->m->types.list.at[i].kind == TYPE_REF &&
                slice_starts(d->m->types.list.at[i].text, prefixes[k].word)) {
                narrow(d, prefixes[k].range);
                break;
            }
}

static struct version_range
infer_versions(const struct module *m)
{
    struct version_inference d = {.m = m, .range = {{JAX_OLDEST}, {JAX_NEWEST}}};
    d.jit = names_find(&m->names, SLICE("jit"));
    d.pjit = names_find(&m->names, SLICE("pjit"));
    d.name = names_find(&m->names, SLICE("name"));
    d.jaxpr = names_find(&m->names, SLICE("jaxpr"));
    for (u32 i = countof(keys); i-- > 0;) {
        d.key[i] = names_find(&m->names, keys[i].key);
        add_row(m, &d.rows, names_find(&m->names, keys[i].primitive), i);
    }
    for (u32 i = countof(values); i-- > 0;)
        add_row(m, &d.value_rows, names_find(&m->names, values[i].key), i);
    for (u32 i = 0; i < countof(words); i++) {
        name_t word = names_find(&m->names, words[i].word);
        if (word != NONE && word >= NAME_OTHER)
            narrow(&d, words[i].range);
    }
    observe_literals(&d);
    observe_types(&d);
    observe_equations(&d);
    observe_lets(&d);
    memo_free(m->mem, &d.bodies);
    memo_free(m->mem, &d.rows.first);
    memo_free(m->mem, &d.value_rows.first);
    for (u32 i = 0; i < countof(unlikely); i++)
        if (d.range.first.encoded == unlikely[i][0])
            narrow_since(&d, unlikely[i][1]);
    return d.range;
}

struct version_range
module_versions(struct module *m)
{
    if (m->versions.last.encoded == ALL_VERSIONS.last.encoded)
        m->versions = infer_versions(m);
    return m->versions;
}
