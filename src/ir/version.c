/* SPDX-License-Identifier: Apache-2.0
 *
 * Which JAX printed this? Spellings that only some versions print (grammar/eras.def) and the way programs are shared
 * and named narrow a range of versions; evidence that would leave it empty is ignored. Only naming, sharing, spelling
 * and widths ask. Linear in the equations with parameters; a text without any costs next to nothing. */
#include "ir/module.h"

#include "base/memo.h"

enum { FIRST = 149, LAST = 1200 };

/* how many equations of one kind, or names of one equation, are heard; how many types, and how many equations of a text
 * without parameters */
enum { WITNESSES = 64, SEARCHED = 4096 };

static const struct {
    struct slice primitive, key;
    u32 low, high, else_low, else_high;
    bool rule; /* holds where rules of printing are on */
} keys[] = {
#define ERA_KEY(primitive, key, low, high, else_low, else_high) \
    {SLICE(#primitive), SLICE(#key), low, high, else_low, else_high, false},
#define ERA_RULE(primitive, key, low, high, else_low, else_high) \
    {SLICE(#primitive), SLICE(#key), low, high, else_low, else_high, true},
#include "eras.def"
};

static const struct {
    struct slice word;
    u32 low, high;
} words[] =
    {
#define ERA_WORD(word, low, high) {SLICE(#word), low, high},
#include "eras.def"
},
  prefixes[] = {
#define ERA_TYPE(prefix, low, high) {SLICE(prefix), low, high},
#include "eras.def"
};

/* what is printed only where rules of printing are off: rows of ERA_PLAIN stand behind all those that narrow */
enum { NO_RULES = NONE };

static const struct {
    struct slice key, text;
    u32 low, high;
} values[] = {
#define ERA_VALUE(key, text, low, high) {SLICE(#key), SLICE(text), low, high},
#define ERA_PLAIN(key, text) {SLICE(#key), SLICE(text), NO_RULES, 0},
#include "eras.def"
};

enum { ROWS = countof(keys) > countof(values) ? countof(keys) : countof(values) };
_Static_assert(ROWS < UINT8_MAX, "rows are told by their number plus one");

/* The rows of a table by the name they speak of: the first by name, and behind each the next one, plus one. */
struct rows {
    struct memo first;
    u8 next[ROWS];
};

struct detective {
    const struct module *m;
    struct era era;
    name_t key[countof(keys)];
    struct rows rows, value_rows; /* by primitive; by key */
    u32 heard[countof(keys)], heard_values[countof(values)];
    bool seen[countof(keys)], missed[countof(keys)]; /* a rule's key, in some equation */
    name_t jit, pjit, name, jaxpr;
    bool hijax;            /* some primitive is called like a class */
    bool plain;            /* printed without the rules of primitives */
    bool first, later;     /* `name` stands in front of the parameters of some pjit, or does not */
    u32 aliased, distinct; /* jit equations whose body does or does not take over a name from outside */
    struct memo bodies;    /* the first names of bodies that were heard */
};

static void
narrow(struct detective *d, u32 low, u32 high)
{
    low = low > d->era.low ? low : d->era.low;
    high = high < d->era.high ? high : d->era.high;
    if (low <= high) {
        d->era.low = low;
        d->era.high = high;
    }
}

static bool
has_key(const struct module *m, const struct eqn *e, name_t key)
{
    for (param_t p = e->params; p != NONE; p = m->params.at[p].next)
        if (m->params.at[p].key == key)
            return true;
    return false;
}

/* puts a row in front of those that speak of the same name */
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
hear_keys(struct detective *d, const struct eqn *e)
{
    for (u32 row = first_row(&d->rows, e->prim); row != 0; row = d->rows.next[row - 1]) {
        u32 i = row - 1;
        if (d->heard[i]++ >= WITNESSES)
            continue;
        bool has = d->key[i] != NONE && has_key(d->m, e, d->key[i]);
        d->seen[i] |= has;
        d->missed[i] |= !has;
        if (!keys[i].rule)
            narrow(d, has ? keys[i].low : keys[i].else_low, has ? keys[i].high : keys[i].else_high);
    }
}

/* what rules of printing hid or showed, and what they made of the names of programs */
static void
hear_rules(struct detective *d)
{
    if (d->plain)
        return;
    for (u32 i = 0; i < countof(keys); i++) {
        if (keys[i].rule && d->seen[i])
            narrow(d, keys[i].low, keys[i].high);
        if (keys[i].rule && d->missed[i])
            narrow(d, keys[i].else_low, keys[i].else_high);
    }
    if (d->first)
        narrow(d, 422, 602);
    if (d->later)
        narrow(d, FIRST, 421);
    if (d->aliased > d->distinct)
        narrow(d, 503, LAST);
    else if (d->distinct > d->aliased)
        narrow(d, FIRST, 502);
}

/* addresses are masked from 0.10.1 */
static void
hear_address(struct detective *d, struct slice s)
{
    const char *at = s.n > 6 && s.at[0] == '<' ? memmem(s.at, s.n, " at 0x", 6) : NULL;
    if (at && at + 6 < s.at + s.n)
        narrow(d, at[6] == 'X' ? 1001 : FIRST, at[6] == 'X' ? LAST : 1000);
}

static void
hear_value(struct detective *d, const struct param *p)
{
    struct slice s = module_bytes(d->m, p->span);
    hear_address(d, s);
    for (u32 row = first_row(&d->value_rows, p->key); row != 0; row = d->value_rows.next[row - 1]) {
        u32 i = row - 1;
        if (d->heard_values[i]++ >= WITNESSES || !slice_contains(s, values[i].text))
            continue;
        if (values[i].low == NO_RULES)
            d->plain = true;
        else
            narrow(d, values[i].low, values[i].high);
    }
}

/* from 0.10.2 no jaxpr of more than ten equations stands inside another one */
static void
hear_nested(struct detective *d, jaxpr_t j)
{
    if (d->m->jaxprs.at[j].n_eqns > 10)
        narrow(d, FIRST, 1001);
}

/* from 0.10.1 lets may be named before they are bound */
static void
hear_shared(struct detective *d, const struct eqn *e, u32 let)
{
    if (let != NONE && let < d->m->lets.n && d->m->lets.at[let].jaxpr != NONE && e->offset < d->m->lets.at[let].offset)
        narrow(d, 1001, LAST);
}

/* true where an atom is a variable, resolved or not */
static inline bool
is_named(atom_t a)
{
    return atom_kind(a) == ATOM_NAME || atom_kind(a) == ATOM_VAR;
}

/* true where an atom is the variable called so */
static bool
is_called(const struct module *m, atom_t a, name_t name)
{
    return is_named(a) && atom_name(m, a) == name;
}

/* true for the first body that binds this name: another one is the same object, printed again with its names, or takes
 * over the same name from outside */
static bool
is_first_print(struct detective *d, const struct jaxpr *j)
{
    if (j->n_ins == 0)
        return true;
    name_t name = d->m->vars.at[jaxpr_in(j, 0)].name;
    bool first = memo_get(&d->bodies, name) == 0;
    memo_set(d->m->mem, &d->bodies, name, 1);
    return first;
}

/* from 0.5.3 the body of a jit takes over the names of operands and results */
static void
hear_jit(struct detective *d, const struct eqn *e, jaxpr_t id)
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
hear_params(struct detective *d, const struct eqn *e)
{
    const struct module *m = d->m;
    for (param_t i = e->params; i != NONE; i = m->params.at[i].next) {
        const struct param *p = &m->params.at[i];
        if (p->kind == PARAM_TEXT)
            hear_value(d, p);
        if (p->kind == PARAM_SHARED)
            hear_shared(d, e, p->a);
        if (p->kind == PARAM_JAXPR) {
            hear_nested(d, p->a);
            if (p->key == d->jaxpr)
                hear_jit(d, e, p->a);
        }
        for (u32 s = p->kind == PARAM_TUPLE ? p->a : NONE; s != NONE; s = m->segments.at[s].next) {
            if (m->segments.at[s].kind == SEGMENT_JAXPR)
                hear_nested(d, m->segments.at[s].a);
            else if (m->segments.at[s].kind == SEGMENT_SHARED)
                hear_shared(d, e, m->segments.at[s].a);
        }
    }
}

/* true where some primitive of the table can occur without parameters */
static bool
has_bare_witness(const struct detective *d)
{
    for (u32 i = 0; i < countof(keys); i++) {
        name_t primitive = names_find(&d->m->names, keys[i].primitive);
        if (primitive != NONE && primitive >= NAME_OTHER)
            return true;
    }
    return false;
}

/* primitives of hijax are called like their classes; what they hold may be shared and yet not print */
static bool
is_class(const struct module *m, name_t prim)
{
    char c = prim >= NAME_OTHER ? m->names.others.at[prim - NAME_OTHER].at[0] : 'a';
    return c == '_' || (c >= 'A' && c <= 'Z');
}

static void
hear_equations(struct detective *d)
{
    const struct module *m = d->m;
    u32 n = m->params.n > 0 || has_bare_witness(d) || m->eqns.n < SEARCHED ? m->eqns.n : SEARCHED;
    for (eqn_t i = 0; i < n; i++) {
        const struct eqn *e = &m->eqns.at[i];
        if (e->form > EQN_CALL_BARE)
            continue;
        if (e->form == EQN_CALL_BARE)
            narrow(d, FIRST, 421);
        if (e->params == NONE && e->prim < NAME_OTHER)
            continue;
        hear_keys(d, e);
        d->hijax |= is_class(m, e->prim);
        if (e->params == NONE)
            continue;
        if (e->prim == d->pjit && m->params.at[e->params].key == d->name)
            d->first = true;
        else if (e->prim == d->pjit)
            d->later = true;
        hear_params(d, e);
    }
    hear_rules(d);
}

static void
hear_lets(struct detective *d)
{
    const struct module *m = d->m;
    for (u32 i = 0; i < m->lets.n; i++) {
        const struct let *l = &m->lets.at[i];
        narrow(d, 422, LAST);
        if (l->jaxpr == NONE)
            continue;
        if (l->references == 0 && !d->hijax)
            narrow(d, 422, 1000);
        else if (l->references == 1 && m->jaxprs.at[l->jaxpr].n_eqns > 10)
            narrow(d, 1002, LAST);
    }
}

static void
hear_literals(struct detective *d)
{
    const struct module *m = d->m;
    for (u32 i = 0; i < m->literals.n && i < WITNESSES; i++)
        if (m->literals.at[i].type == NONE)
            narrow(d, FIRST, 600);
        else
            narrow(d, 601, LAST);
}

static void
hear_types(struct detective *d)
{
    for (u32 i = 0; i < d->m->types.list.n && i < SEARCHED; i++)
        for (u32 k = 0; k < countof(prefixes); k++)
            if (d->m->types.list.at[i].kind == TYPE_REF &&
                slice_starts(d->m->types.list.at[i].text, prefixes[k].word)) {
                narrow(d, prefixes[k].low, prefixes[k].high);
                break;
            }
}

static struct era
era_detect(const struct module *m)
{
    struct detective d = {.m = m, .era = {.low = FIRST, .high = LAST}};
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
    for (u32 i = 0; i < countof(words); i++)
        if (names_find(&m->names, words[i].word) != NONE)
            narrow(&d, words[i].low, words[i].high);
    hear_literals(&d);
    hear_types(&d);
    hear_equations(&d);
    hear_lets(&d);
    memo_free(m->mem, &d.bodies);
    memo_free(m->mem, &d.rows.first);
    memo_free(m->mem, &d.value_rows.first);
    if (d.era.low == 1000 && d.era.high > 1000) /* 0.10.0 differs from what follows it in names alone: not likely */
        d.era.low = 1001;
    d.era.codepoints = d.era.high <= 601;
    return d.era;
}

const struct era *
module_era(struct module *m)
{
    if (m->era.high == 0)
        m->era = era_detect(m);
    return &m->era;
}
