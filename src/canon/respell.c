/* SPDX-License-Identifier: Apache-2.0
 *
 * The inverse of the canonical spelling, by the tables of versions and spellings: parameters that a version prints with
 * their default are added, defaults that it does not print are removed; keys, words, fields and brackets become those
 * of the version. Trees of a scan are made from its counts, as flat tuples. Linear in the parameters. */
#include "canon/respell.h"

#include "base/value.h"
#include "base/decimal.h"
#include "canon/spelling.h"
#include "ir/reach.h"
#include "rewrite/copy.h"
#include "rewrite/values.h"
#include "verify/checker.h"

/* `always`: other versions print it, too, unless it is trivial; `nothing`, if not empty: the trivial value in these
 * versions */
static const struct {
    struct slice prim, key;
    struct version_range printed, otherwise;
    bool always;
    struct slice nothing;
} keys[] = {
#define KEY(primitive, key, printed, otherwise) {SLICE(#primitive), SLICE(#key), printed, otherwise, false, {"", 0}},
#define KEY_OF_RULE KEY
#define ALWAYS(primitive, key, range) {SLICE(#primitive), SLICE(#key), range, {{0}, {0}}, true, {"", 0}},
#define ALWAYS_AS(primitive, key, value, range) {SLICE(#primitive), SLICE(#key), range, {{0}, {0}}, true, SLICE(value)},
#include "versions.def"
};

static const struct {
    struct slice prim, name;
    struct version_range range;
} called[] =
    {
#define OLD_NAME(name, primitive, range) {SLICE(#primitive), SLICE(#name), range},
#include "versions.def"
},
  lists[] = {
#define LIST(primitive, key, range) {SLICE(#primitive), SLICE(#key), range},
#include "versions.def"
};

static const struct {
    struct slice key, old, now;
    struct version_range range;
} texts[] = {
#define TEXT(key, old, new, range) {SLICE(#key), SLICE(old), SLICE(new), range},
#include "versions.def"
};

static const struct {
    struct slice record, field, value;
    struct version_range range;
} fields[] = {
#define NEW_FIELD(record, field, value, range) {SLICE(#record "("), SLICE(#field "="), SLICE(value), range},
#include "versions.def"
};

static const struct {
    struct slice record, field, before, text;
} besides[] = {
#define BESIDE_FIELD(record, field, before, value) \
    {SLICE(#record "("), SLICE(#field "="), SLICE(#before "="), SLICE(#before "=" value ", ")},
#include "versions.def"
};

struct respelling {
    struct canon *c;
    struct module *m;
    struct version_range version;
    struct literal_style literals;
    struct slices elements;
    VEC(param_t) added; /* to the equation */
};

/* the element of a pattern `(X)` as a Python tuple of n copies; other values stay */
static struct slice
repeated(struct mem *mem, struct slice pattern, u32 n)
{
    struct slices each = {0};
    if (pattern.n <= 2 || pattern.at[0] != '(')
        return pattern;
    for (u32 i = 0; i < n; i++)
        *vec_push(mem, &each) = (struct slice){pattern.at + 1, pattern.n - 2};
    pattern = tuple_join(mem, each.at, n);
    vec_free(mem, &each);
    return pattern;
}

/* whether the row of an equation's primitive lets a parameter be None, which the canonical form then omits */
static bool
may_be_none(struct respelling *r, const struct eqn *e, struct slice key)
{
    const struct prim *row = prims_find(&r->c->prims, r->m, e->prim);
    u32 i = row ? prim_listed(row, key) : NONE;
    return i != NONE && row->listed[i].nullable && !(i < MOST_LISTED && row->always_printed >> i & 1);
}

/* the value of a missing parameter, empty if it is unknown; `None` if versions are known to print it always */
static struct slice
default_value(struct respelling *r, const struct eqn *e, struct slice prim, struct slice key, bool always)
{
    struct slice value;
    enum typed what = spelling_typed(prim, key);
    if (slice_eq(key, SLICE("sharding")) || slice_eq(key, SLICE("out_sharding")))
        return SLICE("None");
    value = typed_value(r->c, e, what);
    if (value.n > 0)
        return value;
    if (what != TYPED_NOT) /* any default would be a guess */
        return may_be_none(r, e, key) ? SLICE("None") : SLICE("");
    if (!spelling_default(prim, key, &value))
        return always || may_be_none(r, e, key) ? SLICE("None") : SLICE("");
    bool index = e->n_atoms > 0 && prim_columns(prim)->control == CONTROL_COND; /* the index is not passed on */
    return repeated(r->m->mem, value, e->n_atoms - index);
}

/* inserts a parameter at the position of its key in the order; a leading `name` is not part of that order */
static void
insert_param(struct module *m, eqn_t e, param_t id, struct slice key)
{
    struct name_buffer buffer;
    param_t before = NONE;
    for (param_t i = m->eqns.at[e].params; i != NONE; i = m->params.at[i].next) {
        struct slice other = m->params.at[i].key == NONE ? SLICE("") : module_name(m, m->params.at[i].key, &buffer);
        if (slice_order(&other, &key) > 0 && !(before == NONE && slice_eq(other, SLICE("name"))))
            break;
        before = i;
    }
    m->params.at[id].next = before == NONE ? m->eqns.at[e].params : m->params.at[before].next;
    if (before == NONE)
        m->eqns.at[e].params = id;
    else
        m->params.at[before].next = id;
}

static void
add_param(struct respelling *r, eqn_t e, struct slice key, struct slice value)
{
    struct module *m = r->m;
    struct param p = {.key = module_intern(m, key), .kind = PARAM_TEXT, .a = NONE, .next = NONE};
    param_t id = m->params.n;
    *vec_push(m->mem, &m->params) = p;
    *vec_push(m->mem, &r->added) = id;
    param_set_text(m, id, value);
    insert_param(m, e, id, key);
}

/* removes a parameter from its equation's list */
static void
remove_param(struct module *m, eqn_t e, param_t gone)
{
    param_t before = NONE;
    for (param_t i = m->eqns.at[e].params; i != gone; i = m->params.at[i].next)
        before = i;
    if (before == NONE)
        m->eqns.at[e].params = m->params.at[gone].next;
    else
        m->params.at[before].next = m->params.at[gone].next;
}

/* true for a parameter that is not part of a program's identity */
static bool
is_left_out(struct respelling *r, eqn_t id, struct slice prim, param_t p)
{
    return spelling_key(r->c, r->m->eqns.at[id].prim, prim, r->m->params.at[p].key)->spelling_of_key & KEY_LEFT_OUT;
}

/* whether some row lists versions that print a key; with `now`, whether r->version is among them */
static bool
key_has_row(const struct respelling *r, struct slice prim, struct slice key, bool now)
{
    for (u32 i = 0; i < countof(keys); i++)
        if (slice_eq(keys[i].prim, prim) && slice_eq(keys[i].key, key) &&
            (!now || range_within(r->version, keys[i].printed)))
            return true;
    return false;
}

/* whether an equation has a parameter under the name that other versions give it, as this one cannot print its value */
static bool
keeps_other_name(struct respelling *r, eqn_t id, struct slice prim, struct slice key)
{
    const struct renamed_key *row;
    for (u32 i = 0; (row = spelling_renamed(i)) != NULL; i++) {
        bool to = slice_eq(row->to, key), from = slice_eq(row->from, key);
        if (to != from && slice_eq(row->prim, prim) && eqn_param(r->m, id, to ? row->from : row->to) != NONE)
            return true;
    }
    return false;
}

/* adds the key of a row if the version prints it, or removes it if it is trivial */
static void
respell_param(struct respelling *r, eqn_t id, struct slice prim, u32 row)
{
    const struct eqn e = r->m->eqns.at[id];
    struct slice key = keys[row].key, nothing = keys[row].nothing;
    bool printed = range_within(r->version, keys[row].printed),
         optional = range_within(r->version, keys[row].otherwise);
    param_t p = eqn_param(r->m, id, key);
    if (e.n_atoms != 1 && spelling_has_one_value(prim, key, r->version))
        return; /* these versions do not print such an equation */
    if (p == NONE && printed && !optional && !keeps_other_name(r, id, prim, key)) {
        struct slice value = nothing.n ? nothing : default_value(r, &e, prim, key, keys[row].always);
        if (value.n)
            add_param(r, id, key, value);
    } else if (p != NONE && printed && nothing.n && canon_is_default(r->c, id, p)) {
        param_set_text(r->m, p, nothing);
    } else if (p != NONE && !key_has_row(r, prim, key, true)) {
        /* others omit what is not part of the identity, whatever its value */
        if (canon_is_default(r->c, id, p) || (keys[row].always && is_left_out(r, id, prim, p)))
            remove_param(r->m, id, p);
    }
}

/* `name` of a jit is its first parameter, or, in older versions, where its key sorts */
static void
respell_name(struct respelling *r, eqn_t id)
{
    struct module *m = r->m;
    param_t name = eqn_param(m, id, SLICE("name")), first = m->eqns.at[id].params;
    bool leads = range_has(r->version, JAX_JIT_NAME_FIRST);
    if (name == NONE || (name == first) == leads)
        return;
    remove_param(m, id, name);
    if (leads) {
        m->params.at[name].next = m->eqns.at[id].params;
        m->eqns.at[id].params = name;
    } else {
        insert_param(m, id, name, SLICE("name"));
    }
}

/* turns a single value into a tuple of one, or the reverse; other tuples stay */
static struct slice
tuple_of_one(struct respelling *r, struct slice value, struct slice quote, bool tuple)
{
    bool held = tuple_split(r->m->mem, value, &r->elements);
    if (tuple && !held && (quote.n == 0 || spelling_is_word(value)))
        return arena_printf(r->m->mem, "(%.*s%.*s%.*s,)", (int)quote.n, quote.at, (int)value.n, value.at, (int)quote.n,
                            quote.at);
    if (tuple || !held || r->elements.n != 1 || r->elements.at[0].n < 2 * quote.n)
        return value;
    struct slice one = {r->elements.at[0].at + quote.n, r->elements.at[0].n - 2 * quote.n};
    bool word = quote.n == 0 || (slice_starts(r->elements.at[0], quote) && spelling_is_word(one));
    return word ? one : value;
}

/* gives parameters their names in this version; no two get the same name */
static void
respell_keys(struct respelling *r, eqn_t id, struct slice prim)
{
    struct module *m = r->m;
    const struct renamed_key *row;
    for (u32 i = 0; (row = spelling_renamed(i)) != NULL; i++) {
        bool now = range_within(r->version, row->range);
        struct slice key = now ? row->to : row->from, other = now ? row->from : row->to;
        param_t p = slice_eq(row->prim, prim) ? eqn_param(m, id, other) : NONE;
        if (p == NONE || (!slice_eq(key, other) && eqn_param(m, id, key) != NONE))
            continue;
        struct slice value = param_bytes(m, &m->params.at[p]);
        if (row->quote.at != NULL && m->params.at[p].kind == PARAM_TEXT) {
            struct slice spelled = tuple_of_one(r, value, row->quote, now);
            if (!now && spelled.at == value.at && !slice_eq(value_trim(value), SLICE("None")))
                continue; /* older versions did not have such a parameter */
            if (spelled.at != value.at)
                param_set_text(m, p, spelled);
        }
        remove_param(m, id, p);
        m->params.at[p].key = module_intern(m, key);
        insert_param(m, id, p, key);
    }
}

/* a record, `(a, b)` of `Mesh(a, b)`, with or, if it is trivial, without the field of a row */
static struct slice
respell_record(struct respelling *r, struct slice record, u32 row)
{
    struct mem *mem = r->m->mem;
    struct slice value = fields[row].value, field = fields[row].field;
    if (!tuple_split(mem, record, &r->elements) || r->elements.n == 0)
        return record;
    u32 n = r->elements.n, at = 0;
    while (at < n && !slice_starts(r->elements.at[at], field))
        at++;
    value = repeated(mem, value, n - (at < n));
    struct slice text = arena_printf(mem, "%.*s%.*s", (int)field.n, field.at, (int)value.n, value.at);
    bool now = range_within(r->version, fields[row].range);
    if (now == (at < n) || (!now && !(at + 1 == n && slice_eq(r->elements.at[at], text))))
        return record;
    if (now)
        return arena_printf(mem, "%.*s, %.*s)", (int)record.n - 1, record.at, (int)text.n, text.at);
    return arena_printf(mem, "%.*s)", (int)(r->elements.at[n - 2].at + r->elements.at[n - 2].n - record.at), record.at);
}

/* a record that has the field of a row without the field before it, with that added */
static struct slice
respell_beside(struct respelling *r, struct slice record, u32 row)
{
    struct mem *mem = r->m->mem;
    if (!tuple_split(mem, record, &r->elements))
        return record;
    for (u32 i = 0; i < r->elements.n; i++) {
        struct slice element = r->elements.at[i], text = besides[row].text;
        if (!slice_starts(element, besides[row].field) ||
            (i > 0 && slice_starts(r->elements.at[i - 1], besides[row].before)))
            continue;
        size_t head = (size_t)(element.at - record.at);
        return arena_printf(mem, "%.*s%.*s%.*s", (int)head, record.at, (int)text.n, text.at, (int)(record.n - head),
                            element.at);
    }
    return record;
}

/* a value in which each record of a name is respelled by a row */
static struct slice
respell_records(struct respelling *r, struct slice value, struct slice name, u32 row,
                struct slice (*respelled)(struct respelling *r, struct slice record, u32 row))
{
    size_t at = spelling_find(value, 0, name), copied = 0;
    if (at == value.n)
        return value;
    struct sink out;
    sink_init_memory(&out, r->m->mem);
    for (; at < value.n; at = spelling_find(value, copied, name)) {
        size_t open = at + name.n - 1, end = bracket_end(value, open);
        if (end == value.n)
            break;
        sink_write(&out, value.at + copied, open - copied);
        sink_slice(&out, respelled(r, (struct slice){value.at + open, end + 1 - open}, row));
        copied = end + 1;
    }
    sink_write(&out, value.at + copied, value.n - copied);
    struct slice now = {out.at, out.n};
    if (!slice_eq(now, value))
        value = arena_copy(r->m->mem, now);
    mem_free(r->m->mem, out.at);
    return value;
}

/* `{'x'}`, the canonical form of a set, as a frozenset, which all versions print for a parameter that is a set */
static struct slice
frozen_set(struct respelling *r, eqn_t id, struct slice key, struct slice value)
{
    const struct prim *row = prims_find(&r->c->prims, r->m, r->m->eqns.at[id].prim);
    if (row == NULL || value.n < 2 || value.at[0] != '{' || !slice_eq(prim_role(row, key), SLICE("SET")))
        return value;
    return value.n == 2 && !range_has(r->version, JAX_SETS_BRACED)
               ? SLICE("frozenset()")
               : arena_printf(r->m->mem, "frozenset(%.*s)", (int)value.n, value.at);
}

/* respells a value for this version: its words and fields, and lists for tuples */
static void
respell_value(struct respelling *r, eqn_t id, struct slice prim, param_t p)
{
    struct module *m = r->m;
    struct name_buffer buffer;
    if (m->params.at[p].kind != PARAM_TEXT || m->params.at[p].key == NONE)
        return;
    struct slice key = module_name(m, m->params.at[p].key, &buffer);
    struct slice was = param_bytes(m, &m->params.at[p]), value = was;
    for (u32 i = 0; i < countof(texts); i++) {
        bool now = range_within(r->version, texts[i].range);
        if (slice_eq(texts[i].key, SLICE("any")) || slice_eq(texts[i].key, key))
            value =
                spelling_replace(m->mem, value, now ? texts[i].old : texts[i].now, now ? texts[i].now : texts[i].old);
    }
    for (u32 i = 0; i < countof(fields); i++)
        if (range_within(r->version, fields[i].range))
            value = respell_records(r, value, fields[i].record, i, respell_record);
    for (u32 i = countof(fields); i-- > 0;) /* the last field is removed first */
        if (!range_within(r->version, fields[i].range))
            value = respell_records(r, value, fields[i].record, i, respell_record);
    for (u32 i = 0; i < countof(besides); i++)
        value = respell_records(r, value, besides[i].record, i, respell_beside);
    for (u32 i = 0; i < countof(lists); i++) {
        if (!slice_eq(lists[i].prim, prim) || !slice_eq(lists[i].name, key) ||
            !tuple_split(m->mem, value, &r->elements))
            continue;
        struct slice tuple = tuple_join(m->mem, r->elements.at, r->elements.n);
        if (range_within(r->version, lists[i].range))
            tuple = arena_printf(m->mem, "[%.*s]", (int)(tuple.n - 2 - (r->elements.n == 1)), tuple.at + 1);
        value = slice_eq(tuple, value) ? value : tuple;
    }
    value = frozen_set(r, id, key, value);
    if (value.at != was.at)
        param_set_text(m, p, value);
}

/* adds the parameters that every version, or this one, always prints, and that the canonical form omits if they are
 * None or follow from types */
static void
respell_nones(struct respelling *r, eqn_t id, struct slice prim)
{
    const struct eqn e = r->m->eqns.at[id];
    const struct prim *row = prims_find(&r->c->prims, r->m, e.prim);
    for (u32 i = 0; row && i < row->n_listed; i++) {
        const struct prim_param *param = &row->listed[i];
        bool instead = param->more || (i && param[-1].more), none = param->nullable || role_may_lack(param->kind);
        bool every =
            none && !param->optional && !param->identifying && !instead && !key_has_row(r, prim, param->key, false) &&
            !(param->nullable && i < MOST_LISTED && row->always_printed >> i & 1); /* the canonical form has it */
        if (every && eqn_param(r->m, id, param->key) == NONE)
            add_param(r, id, param->key, default_value(r, &e, prim, param->key, true));
    }
}

/* reads the count in a parameter; false if it is missing or its value is not a count */
static bool
read_count(const struct module *m, eqn_t id, struct slice key, u32 *count)
{
    struct slice text;
    i64 value = 0;
    if (!eqn_value(m, id, key, &text))
        return false;
    struct cursor c = cursor_of(text);
    if (!value_int(&c, &value) || !value_done(&c))
        return false;
    *count = (u32)value;
    return value >= 0 && value <= UINT16_MAX;
}

/* the trees of a scan that prints counts: `ft_in=((None,), (None, None), ())` of constants, carry and the rest */
static void
respell_counts(struct respelling *r, eqn_t id)
{
    struct module *m = r->m;
    struct mem *mem = m->mem;
    u32 consts, carry, operands = m->eqns.at[id].n_atoms, results = m->eqns.at[id].n_vars;
    if (!read_count(m, id, SLICE("num_consts"), &consts) || !read_count(m, id, SLICE("num_carry"), &carry) ||
        consts + carry > operands || carry > results)
        return;
    struct slice leaf = SLICE("(None)");
    struct slice in[] = {repeated(mem, leaf, consts), repeated(mem, leaf, carry),
                         repeated(mem, leaf, operands - consts - carry)},
                 out[] = {repeated(mem, leaf, carry), repeated(mem, leaf, results - carry)};
    remove_param(m, id, eqn_param(m, id, SLICE("num_carry")));
    remove_param(m, id, eqn_param(m, id, SLICE("num_consts")));
    add_param(r, id, SLICE("ft_in"), tuple_join(mem, in, countof(in)));
    add_param(r, id, SLICE("ft_out"), tuple_join(mem, out, countof(out)));
}

/* whether an equation has all parameters that its row requires or that this version prints whatever their values are,
 * and no unknown ones */
static bool
is_complete(struct respelling *r, eqn_t id)
{
    const struct prim *row = prims_find(&r->c->prims, r->m, r->m->eqns.at[id].prim);
    bool abridged;
    u64 seen = 0;
    for (param_t p = r->m->eqns.at[id].params; row && p != NONE; p = r->m->params.at[p].next) {
        name_t key = r->m->params.at[p].key;
        u32 i = key == NONE ? NONE : listed_param(r->m, row, key, 0);
        if (i == NONE)
            return false;
        seen |= i < MOST_LISTED ? 1ull << i : 0;
    }
    for (u64 left = row ? row->always_printed & ~seen : 0; left; left &= left - 1)
        if (range_within(r->version, row->listed[__builtin_ctzll(left)].printed.always))
            return false;
    return !row || missing_param(row, seen, &abridged) == NONE;
}

/* adds no defaults to an equation that still lacks a parameter: what an abridged print or that of another primitive
 * lacks is unknown */
static void
drop_added(struct respelling *r, eqn_t id)
{
    if (r->added.n > 0 && !is_complete(r, id))
        for (u32 i = 0; i < r->added.n; i++)
            remove_param(r->m, id, r->added.at[i]);
    r->added.n = 0;
}

static void
respell_params(struct respelling *r, eqn_t id, struct slice prim)
{
    struct version_range v = r->version;
    respell_keys(r, id, prim);
    if (range_has(v, JAX_SCAN_TREES) && prim_columns(prim)->control == CONTROL_SCAN)
        respell_counts(r, id);
    if (!range_has(v, JAX_SCAN_TREES) && prim_columns(prim)->control == CONTROL_SCAN &&
        eqn_param(r->m, id, SLICE("ft_in")) != NONE) {
        param_t counted = canon_sorted(r->c, id, true);
        r->m->eqns.at[id].params = counted;
    }
    r->added.n = 0; /* counts are not defaults */
    for (u32 i = 0; i < countof(keys); i++)
        if (slice_eq(keys[i].prim, prim))
            respell_param(r, id, prim, i);
    respell_nones(r, id, prim);
    drop_added(r, id);
    for (param_t p = r->m->eqns.at[id].params; p != NONE; p = r->m->params.at[p].next)
        respell_value(r, id, prim, p);
    if (slice_eq(prim, SLICE("jit")))
        respell_name(r, id);
}

static void
respell_literals(struct respelling *r, eqn_t id)
{
    for (u32 i = 0; i < r->m->eqns.at[id].n_atoms; i++)
        respell_literal(&r->literals, r->m->atoms.at[r->m->eqns.at[id].atoms + i], id, i);
}

static void
respell_eqn(struct respelling *r, eqn_t id)
{
    struct module *m = r->m;
    struct name_buffer buffer;
    respell_literals(r, id);
    if (m->eqns.at[id].form > EQN_CALL_BARE)
        return;
    struct slice prim = arena_copy(m->mem, canon_prim(r->c, m->eqns.at[id].prim, &buffer)), name = {"", 0};
    bool known = false;
    for (u32 i = 0; i < countof(called); i++) {
        if (!slice_eq(called[i].prim, prim))
            continue;
        known = true;
        if (range_within(r->version, called[i].range))
            name = called[i].name;
    }
    respell_params(r, id, prim);
    if (known) {
        name_t spelled = module_intern(m, name.n ? name : prim);
        m->eqns.at[id].prim = spelled;
    }
}

void
respell_program(struct canon *c, program_t program, struct version_range version)
{
    c->program = program; /* some parameters depend on its versions */
    struct module *m = c->m;
    struct respelling r = {.c = c, .m = m, .version = version, .literals = {c, version, false}};
    struct jaxprs all = {0};
    reach_all(m, program, &all);
    r.literals.typed = literals_typed(&r.literals, &all);
    for (u32 i = 0; i < all.n; i++) {
        const struct jaxpr j = m->jaxprs.at[all.at[i]];
        bool main = all.at[i] == m->programs.at[program].main;
        for (eqn_t e = j.eqns; e != NONE; e = m->eqns.at[e].next)
            respell_eqn(&r, e);
        for (u32 k = 0; k < j.n_outs; k++)
            respell_literal(&r.literals, m->atoms.at[j.outs + k], NONE, main ? k : NONE);
    }
    vec_free(m->mem, &r.elements);
    vec_free(m->mem, &r.added);
    vec_free(m->mem, &all);
}
