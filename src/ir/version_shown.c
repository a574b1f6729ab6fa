/* SPDX-License-Identifier: Apache-2.0
 *
 * What is printed shows which versions may have printed a program, and so which parameters an equation must have. Only
 * what is present is evidence, never what is missing, so that a lost line does not hide its loss; contradictory
 * evidence shows nothing. Linear in the program, and called once for each program in which something is missing. The
 * same rows answer whether a version prints something. */
#include "ir/module.h"

enum { KEYS_SEEN = 4096 }; /* at most this many equations are inspected */

static const struct {
    struct slice primitive, key;
    struct version_range printed, otherwise; /* versions of `otherwise` print it only with some values */
    bool rule;
} keys[] = {
#define KEY(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, otherwise, false},
#define KEY_OF_RULE(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, otherwise, true},
#include "versions.def"
};

static const struct {
    struct slice primitive, key;
    struct version_range range;
} only[] = {
#define ONLY(primitive, key, range) {SLICE(#primitive), SLICE(#key), range},
#include "versions.def"
};

static const struct {
    struct slice primitive;
    const char *others, *keys; /* separated by spaces */
    struct version_range range;
    bool canonical;
} always[] = {
#define ALWAYS(primitive, key, range) {SLICE(#primitive), NULL, #key, range, false},
#define ALWAYS_AS(primitive, key, value, range) {SLICE(#primitive), NULL, #key, range, false},
#define ALWAYS_BESIDE(primitive, key, others, range) {SLICE(#primitive), #others, #key, range, false},
#define PRINTED(primitive, key, range) {SLICE(#primitive), NULL, #key, range, true},
#define PRINTED_BESIDE(primitive, key, others, range) {SLICE(#primitive), #others, #key, range, true},
#define BESIDE(primitive, others, keys, range) {SLICE(#primitive), #others, keys, range, true},
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

static const struct {
    struct slice primitive, from, to;
    bool replaced;
} renamed[] = {
#define KEYED(primitive, from, to, range) {SLICE(primitive), SLICE(from), SLICE(to), false},
#define TUPLED(primitive, from, to, quote, range) {SLICE(primitive), SLICE(from), SLICE(to), false},
#define REPLACED(primitive, from, to) {SLICE(primitive), SLICE(from), SLICE(to), true},
#include "versions.def"
};

u32
versions_row(struct slice primitive, u32 row)
{
    for (; row < countof(always); row++)
        if (always[row].primitive.n == primitive.n && *always[row].primitive.at == *primitive.at &&
            slice_eq(always[row].primitive, primitive))
            return row;
    for (; row < countof(always) + countof(keys); row++)
        if (slice_eq(keys[row - countof(always)].primitive, primitive))
            return row;
    return NONE;
}

void
versions_add(u32 row, struct slice key, struct key_printing *out)
{
    if (row >= countof(always)) {
        row -= (u32)countof(always);
        if (!out->canonical && !out->others && !keys[row].rule && slice_eq(keys[row].key, key)) /* printing rules may be
                                                                                                 * disabled */
            range_join(&out->always, range_without(keys[row].printed, keys[row].otherwise));
        return;
    }
    if (!words_have(always[row].keys, key) || (out->canonical && !always[row].canonical))
        return;
    if (always[row].canonical && !out->canonical)
        *out = (struct key_printing){always[row].others ? out->always : NO_VERSION, NO_VERSION, NULL, true};
    if (!always[row].others) {
        range_join(&out->always, always[row].range);
        return;
    }
    out->others = always[row].others;
    range_join(&out->beside, always[row].range);
}

/* ---- whether a version prints something ---- */

struct slice
versions_key(struct slice primitive, struct slice key)
{
    for (u32 i = 0; i < countof(renamed); i++)
        if (slice_eq(renamed[i].from, key) && slice_eq(renamed[i].primitive, primitive))
            return renamed[i].to;
    return key;
}

bool
versions_rename_key(struct slice primitive, struct slice key)
{
    for (u32 i = 0; i < countof(renamed); i++)
        if (!renamed[i].replaced && slice_eq(renamed[i].from, key) && slice_eq(renamed[i].primitive, primitive))
            return !slice_eq(renamed[i].from, renamed[i].to);
    return false;
}

bool
versions_renamed_key(u32 row, struct slice *from, struct slice *to)
{
    if (row >= countof(renamed))
        return false;
    *from = renamed[row].from;
    *to = renamed[row].to;
    return true;
}

bool
versions_print_word(struct version_range v, struct slice word)
{
    for (u32 i = 0; i < countof(words); i++)
        if (slice_eq(words[i].word, word) && !range_within(v, words[i].range))
            return false;
    return true;
}

bool
versions_print_key(struct version_range v, struct slice name, struct slice primitive, struct slice key)
{
    bool listed = false;
    for (u32 i = 0; i < countof(keys); i++) {
        if (!slice_eq(keys[i].key, key) ||
            !(slice_eq(keys[i].primitive, primitive) || slice_eq(keys[i].primitive, name)))
            continue;
        if (range_within(v, keys[i].printed))
            return true;
        listed = true;
    }
    for (u32 i = 0; i < countof(only) && !listed; i++)
        listed =
            slice_eq(only[i].key, key) && slice_eq(only[i].primitive, primitive) && !range_within(v, only[i].range);
    return !listed;
}

bool
versions_print_value(struct version_range v, struct slice key, struct slice value, struct slice *part)
{
    for (u32 i = 0; i < countof(values); i++)
        if (slice_eq(values[i].key, key) && !range_within(v, values[i].range) &&
            slice_contains(value, values[i].text)) {
            *part = values[i].text;
            return false;
        }
    return true;
}

/* ---- what a text shows ---- */

static void
meet(struct version_range *all, struct version_range range)
{
    *all = range_given(*all) ? range_meet(*all, range) : *all;
}

/* What the presence of a primitive's key shows or, with the key NONE, the name of the primitive. */
struct shown_key {
    name_t prim, key; /* both plus one; 0: the slot is free */
    struct version_range range;
    bool values; /* the value of the key may be evidence, too */
};

enum { SLOT_BITS = 9 };

static void
find_word(struct shown_key *s, struct slice prim)
{
    for (u32 k = 0; k < countof(words); k++)
        if (slice_eq(words[k].word, prim))
            meet(&s->range, words[k].range);
}

static void
find_key(struct shown_key *s, struct slice prim, struct slice key)
{
    for (u32 k = 0; k < countof(keys); k++)
        if (slice_eq(keys[k].key, key) && slice_eq(keys[k].primitive, prim))
            meet(&s->range, keys[k].rule ? (struct version_range){keys[k].printed.first, ALL_VERSIONS.last}
                                         : keys[k].printed); /* without printing rules, later ones print it, too */
    for (u32 k = 0; k < countof(only); k++)
        if (slice_eq(only[k].key, key) && slice_eq(only[k].primitive, prim))
            meet(&s->range, only[k].range);
    for (u32 k = 0; k < countof(values); k++)
        s->values |= slice_eq(values[k].key, key);
}

/* what a key or a name shows: computed from the rows once in a module, unless another one takes its slot */
static const struct shown_key *
shown_key(struct module *m, name_t prim, name_t key)
{
    if (m->shown_keys == NULL)
        m->shown_keys = mem_zeroed(m->mem, sizeof *m->shown_keys << SLOT_BITS);
    struct shown_key *s = &m->shown_keys[(prim * 0x9E3779B1u ^ key * 0x85EBCA6Bu) >> (32 - SLOT_BITS)];
    struct name_buffer buffer, prim_buffer;
    if (s->prim == prim + 1 && s->key == key + 1)
        return s;
    *s = (struct shown_key){prim + 1, key + 1, ALL_VERSIONS, false};
    if (key == NONE)
        find_word(s, module_name(m, prim, &prim_buffer));
    else
        find_key(s, module_name(m, prim, &prim_buffer), module_name(m, key, &buffer));
    return s;
}

/* notes that only a range of versions prints something */
static void
show(struct versions_shown *s, struct version_range range, struct version_evidence sign)
{
    struct version_range before = s->all;
    meet(&s->all, range);
    if (range_lost_first(before, s->all))
        s->since = sign;
    if (range_lost_last(before, s->all))
        s->until = sign;
}

static void
show_params(struct module *m, eqn_t e, struct versions_shown *s)
{
    struct name_buffer buffer;
    for (param_t i = m->eqns.at[e].params; i != NONE; i = m->params.at[i].next) {
        const struct param *p = &m->params.at[i];
        if (p->key == NONE)
            continue;
        const struct shown_key *key = shown_key(m, m->eqns.at[e].prim, p->key);
        show(s, key->range, (struct version_evidence){e, i, NONE, SLICE("")});
        for (u32 k = 0; k < countof(values) && key->values && p->kind == PARAM_TEXT; k++)
            if (slice_eq(values[k].key, module_name(m, p->key, &buffer)) &&
                slice_contains(param_bytes(m, p), values[k].text))
                show(s, values[k].range, (struct version_evidence){e, i, NONE, values[k].text});
    }
}

/* the index of the first literal operand of an equation that has a type, or has none; NONE if there is none */
static u32
literal_of(const struct module *m, const struct eqn *e, bool typed)
{
    for (u32 i = 0; i < e->n_atoms; i++) {
        atom_t a = m->atoms.at[e->atoms + i];
        if (atom_kind(a) == ATOM_LIT && (m->literals.at[atom_id(a)].type != NONE) == typed)
            return i;
    }
    return NONE;
}

eqn_t
module_first_eqn(const struct module *m, u32 offset)
{
    return vec_before(&m->eqns, offset);
}

var_t
program_untyped(const struct module *m, const struct program *p)
{
    if (p->main == NONE)
        return NONE;
    const struct jaxpr *j = &m->jaxprs.at[p->main];
    var_t v = jaxpr_binders(j)                                ? j->vars
              : j->eqns != NONE && m->eqns.at[j->eqns].n_vars ? m->eqns.at[j->eqns].vars
                                                              : NONE;
    return v != NONE && m->vars.at[v].type == NONE ? v : NONE;
}

/* whether an equation prints the types of its results; the types of its literals may be unknown otherwise */
static bool
prints_types(const struct module *m, const struct eqn *e)
{
    return e->n_vars == 0 || m->vars.at[e->vars].type != NONE;
}

struct versions_shown
versions_shown(struct module *m, u32 begin, u32 end)
{
    struct version_evidence none = {NONE, NONE, NONE, SLICE("")}, untyped = none, typed = none;
    struct versions_shown s = {range_meet(range_since(JAX_OLDEST), range_until(JAX_NEWEST)), none, none};
    eqn_t first = module_first_eqn(m, begin);
    for (eqn_t e = first; e < m->eqns.n && m->eqns.at[e].offset < end && e - first < KEYS_SEEN; e++) {
        const struct eqn *eqn = &m->eqns.at[e];
        if (eqn->form > EQN_CALL_BARE)
            continue;
        if (typed.e == NONE && (typed.literal = literal_of(m, eqn, true)) != NONE)
            typed.e = e;
        else if (typed.e == NONE && untyped.e == NONE && prints_types(m, eqn) &&
                 (untyped.literal = literal_of(m, eqn, false)) != NONE)
            untyped.e = e;
        show(&s, shown_key(m, eqn->prim, NONE)->range, (struct version_evidence){e, NONE, NONE, SLICE("")});
        show_params(m, e, &s);
    }
    if (typed.e != NONE) /* a literal without a type lost it */
        show(&s, range_since(JAX_LITERALS_TYPED), typed);
    else if (untyped.e != NONE)
        show(&s, range_before(JAX_LITERALS_TYPED), untyped);
    return s;
}
