/* SPDX-License-Identifier: Apache-2.0
 *
 * Primitives that are objects of a class. Some versions print the one that calls them, `call_hi_primitive[_prim=Scale[
 * {'by': 3}]]`, later ones the class, `Scale[by=3]` (jax/_src/hijax.py 0.10.2 and 0.11.0). Which primitives these are
 * is in versions.def. Values of the dict may be programs; if one has `let`s of its own, or is in a tuple, the equation
 * is not changed. Linear in the equations; free if a text has no such word. */
#include "canon/prepare.h"

#include "canon/canon.h"

#include "base/chars.h"
#include "rewrite/copy.h"
#include "rewrite/values.h"

static const struct {
    struct slice prim;
    struct version_range range;
} classed[] = {
#define CLASSED(prim, range) {SLICE(prim), range},
#include "versions.def"
};

/* writes the form in which a value prints as a parameter of its own: a string without quotes unless that would be read
 * differently; numpy types and numbers as plain values */
static void
write_bare(struct mem *mem, struct sink *out, struct slice value)
{
    struct slice inside = {value.at + 1, value.n - 2};
    bool quoted = value.n > 2 && value.at[0] == '\'' && value.at[value.n - 1] == '\'' && inside.at[0] != ' ';
    for (size_t i = 0; quoted && i < inside.n; i++)
        quoted = is_word_char(inside.at[i]) || inside.at[i] == ' ';
    if (slice_starts(value, SLICE("dtype(")) || slice_starts(value, SLICE("np.")))
        canon_value(mem, out, value);
    else
        sink_slice(out, quoted ? inside : value);
}

/* A dict that is expanded into parameters. */
struct dict {
    struct slices items;
    struct slice text;
    u32 at;      /* offset of the text in that of the module */
    u32 segment; /* the next part of its value that may contain a program, or NONE */
    param_t first, last;
};

/* the first segment from s on that contains a program, or NONE */
static u32
next_program(const struct module *m, u32 s)
{
    while (s != NONE && m->segments.at[s].kind != SEGMENT_PROGRAM)
        s = m->segments.at[s].next;
    return s;
}

/* makes a value that is the next program of the dict the value of a parameter; false if it is not */
static bool
take_program(struct module *m, struct dict *d, struct slice value, struct param *p)
{
    u32 s = d->segment, at = d->at + (u32)(value.at - d->text.at);
    const struct program *g = s == NONE ? NULL : &m->programs.at[m->segments.at[s].a];
    if (g == NULL || g->n_lets || g->main == NONE || g->offset != at || g->end != at + value.n)
        return false;
    p->kind = PARAM_JAXPR;
    p->a = g->main;
    p->span = (struct span){g->offset, g->end - g->offset};
    d->segment = next_program(m, m->segments.at[s].next);
    return true;
}

/* appends the parameter for the item `'k': v` of the dict; false if it is not an item */
static bool
add_item(struct module *m, struct dict *d, struct slice item)
{
    static const struct slice colon = SLICE("': ");
    struct slice key = {item.at + 1, item.n < 2 ? 0 : word_until((struct slice){item.at + 1, item.n - 1}, 0)};
    if (item.n < key.n + 1 + colon.n || item.at[0] != '\'' || key.n == 0 ||
        memcmp(key.at + key.n, colon.at, colon.n) != 0)
        return false;
    const char *from = key.at + key.n + colon.n;
    struct slice value = {from, (size_t)(item.at + item.n - from)};
    struct param p = {.key = module_intern(m, key)};
    bool program = take_program(m, d, value, &p);
    param_t id = param_append(m, p, &d->last);
    if (d->first == NONE)
        d->first = id;
    if (!program) {
        struct sink text;
        sink_init_memory(&text, m->mem);
        write_bare(m->mem, &text, value);
        param_set_text(m, id, sink_take(&text));
    }
    return true;
}

/* turns an equation whose only parameter is `Name[{'k': v}]` into `Name[k=v]`; class names begin with a capital letter,
 * unlike the names of JAX's own primitives */
static void
unfold(struct module *m, eqn_t e, struct dict *d)
{
    param_t only = m->eqns.at[e].params;
    u32 kind = only == NONE ? PARAM_SHARED : m->params.at[only].kind;
    if ((kind != PARAM_TEXT && kind != PARAM_MIXED) || m->params.at[only].next != NONE)
        return;
    struct slice value = param_bytes(m, &m->params.at[only]);
    struct slice name = {value.at, word_until(value, 0)};
    if (name.n == 0 || name.at[0] < 'A' || name.at[0] > 'Z' || value.n < name.n + 4 || value.at[name.n] != '[' ||
        value.at[name.n + 1] != '{' || value.at[value.n - 1] != ']')
        return;
    d->text = (struct slice){value.at + name.n + 1, value.n - name.n - 2};
    d->at = m->params.at[only].span.at + (u32)name.n + 1;
    d->segment = kind == PARAM_MIXED ? next_program(m, m->params.at[only].a) : NONE;
    d->first = d->last = NONE;
    bool good = items_split(m->mem, d->text, &d->items);
    for (u32 i = 0; i < d->items.n && good; i++)
        good = add_item(m, d, d->items.at[i]);
    if (!good || d->segment != NONE)
        return;
    name_t prim = module_intern(m, name);
    m->eqns.at[e].prim = prim;
    m->eqns.at[e].params = d->first;
}

void
classes_unfold(struct module *m, struct version_range version)
{
    struct dict dict = {0};
    for (u32 i = 0; i < countof(classed); i++) {
        name_t prim = names_find(&m->names, classed[i].prim);
        if (prim == NONE || (range_given(version) && !range_within(version, classed[i].range)))
            continue;
        module_date(m); /* while the module is unchanged */
        for (eqn_t e = 0; e < m->eqns.n; e++)
            if (m->eqns.at[e].prim == prim && m->eqns.at[e].form <= EQN_CALL_BARE)
                unfold(m, e, &dict);
    }
    vec_free(m->mem, &dict.items);
}
