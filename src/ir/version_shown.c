/* SPDX-License-Identifier: Apache-2.0
 *
 * What is printed shows which versions may have printed a program, and so which parameters an equation must have.
 * Only what is there is evidence, never what is missing, so that a lost line does not hide itself; evidence that
 * disagrees shows nothing. Linear in the program, and called once a program in which something is missing. */
#include "ir/module.h"

enum { KEYS_SEEN = 4096 }; /* the number of equations inspected */

static const struct {
    struct slice primitive, key;
    struct version_range range;
    struct slice beside; /* not empty: only if it is printed, since the canonical form drops both */
} keys[] =
    {
#define KEY(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, {0}},
#define KEY_OF_RULE(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, {0}},
#include "versions.def"
},
  usual[] = {
#define PRINTED(primitive, key, range) {SLICE(#primitive), SLICE(#key), range, {0}},
#define PRINTED_BESIDE(primitive, key, other, range) {SLICE(#primitive), SLICE(#key), range, SLICE(#other)},
#include "versions.def"
};

static const struct {
    struct slice word;
    struct version_range range;
} words[] = {
#define WORD(word, range) {SLICE(#word), range},
#define OLD_NAME(name, primitive, range) {SLICE(#name), range},
#include "versions.def"
};

static const struct {
    struct slice key, text;
    struct version_range range;
} values[] = {
#define VALUE(key, text, range) {SLICE(#key), SLICE(text), range},
#include "versions.def"
};

struct version_range
versions_printing(struct slice primitive, struct slice key, struct slice *beside)
{
    for (u32 i = 0; i < countof(usual); i++)
        if (slice_eq(usual[i].key, key) && slice_eq(usual[i].primitive, primitive)) {
            *beside = usual[i].beside;
            return usual[i].range;
        }
    return NO_VERSION;
}

static void
meet(struct version_range *all, struct version_range range)
{
    *all = range_given(*all) ? range_meet(*all, range) : *all;
}

/* words and keys already seen in the program, a slot each: each counts once */
struct shown {
    struct version_range all;
    struct {
        name_t prim, key; /* both plus one; 0: no key, a word */
        bool values;      /* the value of the key is evidence, too */
    } met[256];
};

/* the slot of a word or key, and whether it was seen before */
static u32
shown_slot(struct shown *s, name_t prim, name_t key, bool *before)
{
    u32 at = ((prim * 0x9E3779B1u) ^ (key * 0x85EBCA6Bu)) >> 24;
    *before = s->met[at].prim == prim + 1 && s->met[at].key == key + 1;
    s->met[at].prim = prim + 1;
    s->met[at].key = key + 1;
    return at;
}

static void
meet_params(const struct module *m, const struct eqn *e, struct shown *s)
{
    struct name_buffer buffer, prim_buffer;
    for (param_t i = e->params; i != NONE; i = m->params.at[i].next) {
        const struct param *p = &m->params.at[i];
        bool before;
        if (p->key == NONE)
            continue;
        u32 slot = shown_slot(s, e->prim, p->key, &before);
        if (before && !s->met[slot].values)
            continue;
        struct slice key = module_name(m, p->key, &buffer), text = {NULL, 0};
        for (u32 k = 0; k < countof(keys); k++)
            if (!before && slice_eq(keys[k].key, key) &&
                slice_eq(keys[k].primitive, module_name(m, e->prim, &prim_buffer)))
                meet(&s->all, keys[k].range);
        s->met[slot].values = false;
        for (u32 k = 0; k < countof(values); k++) {
            if (!slice_eq(values[k].key, key))
                continue;
            s->met[slot].values = true;
            if (p->kind != PARAM_TEXT)
                continue;
            text = text.at ? text : param_bytes(m, p);
            if (slice_contains(text, values[k].text))
                meet(&s->all, values[k].range);
        }
    }
}

static void
meet_equation(const struct module *m, const struct eqn *e, struct shown *s)
{
    struct name_buffer buffer;
    bool before;
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t a = m->atoms.at[e->atoms + i];
        if (atom_kind(a) != ATOM_LIT)
            continue;
        bool typed = m->literals.at[atom_id(a)].type != NONE;
        meet(&s->all, typed ? range_since(JAX_LITERALS_TYPED) : range_before(JAX_LITERALS_TYPED));
    }
    shown_slot(s, e->prim, NONE, &before);
    struct slice prim = before ? SLICE("") : module_name(m, e->prim, &buffer);
    for (u32 k = 0; k < countof(words) && !before; k++)
        if (slice_eq(words[k].word, prim))
            meet(&s->all, words[k].range);
    meet_params(m, e, s);
}

eqn_t
module_first_eqn(const struct module *m, u32 offset)
{
    u32 low = 0, high = m->eqns.n;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (m->eqns.at[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct version_range
versions_shown(const struct module *m, u32 begin, u32 end)
{
    struct shown s = {.all = range_meet(range_since(JAX_OLDEST), range_until(JAX_NEWEST))};
    u32 n = 0;
    for (eqn_t e = module_first_eqn(m, begin); e < m->eqns.n && m->eqns.at[e].offset < end && n < KEYS_SEEN; e++, n++)
        if (m->eqns.at[e].form <= EQN_CALL_BARE)
            meet_equation(m, &m->eqns.at[e], &s);
    return s.all;
}
