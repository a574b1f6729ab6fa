/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters, for digests and canonical text: sorted by key, in canonical spelling, without those that mean the
 * same as none, or that types determine. Linear in the values, n log n in the parameters. */
#include "canon/spelling.h"

#include "base/chars.h"
#include "verify/rule.h"
#include "types/dims.h"
#include "regions/region_map.h"
#include "rewrite/copy.h"
#include "rewrite/values.h"

#include <stdlib.h>

/* the number in a parameter, however it is spelled; negative if it is not a number */
static i64
param_number(struct canon *c, param_t p)
{
    size_t from = c->scratch.n;
    canon_value_again(c, &c->scratch, param_bytes(c->m, &c->m->params.at[p]));
    return text_int(canon_cut(c, from));
}

static bool
is_scan(struct canon *c, eqn_t e)
{
    const struct prim *row = prims_find(&c->prims, c->m, c->m->eqns.at[e].prim);
    return row != NULL && row->is.control == CONTROL_SCAN;
}

/* writes the numbers of constants and carried values of a scan, from whichever parameters contain them; false if they
 * are not counts: then the parameters are also written, so that different wrong counts differ */
static bool
write_scan_counts(struct canon *c, struct sink *out, eqn_t e)
{
    struct scan_counts counts;
    param_t consts = eqn_param(c->m, e, SLICE("num_consts")), carry = eqn_param(c->m, e, SLICE("num_carry"));
    if (scan_counts(c->m, e, &counts)) {
        sink_printf(out, " counts=%u %u", counts.consts, counts.carry);
        return true;
    }
    if (consts == NONE || carry == NONE)
        return false;
    i64 n_consts = param_number(c, consts), n_carry = param_number(c, carry);
    sink_printf(out, " counts=%lld %lld", (long long)n_consts, (long long)n_carry);
    return n_consts >= 0 && n_carry >= 0;
}

/* ---- parameters ------------------------------------------------------------------------------------------------ */

static void
write_digest(struct canon *c, struct sink *out, jaxpr_t j)
{
    char hex[64];
    if (j == NONE)
        return;
    digest_hex(canon_digest(c, j), hex, sizeof hex);
    sink_write(out, hex, sizeof hex);
}

static void
write_segments(struct canon *c, struct sink *out, const struct param *p)
{
    const struct module *m = c->m;
    if (p->kind == PARAM_TUPLE)
        sink_char(out, '(');
    for (u32 s = p->a; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        if (p->kind == PARAM_TUPLE && s != p->a)
            sink_char(out, ' ');
        jaxpr_t j = segment_jaxpr(m, segment);
        if (j != NONE)
            write_digest(c, out, j);
        else
            canon_value(m->mem, out, segment_bytes(m, segment));
    }
    if (p->kind == PARAM_TUPLE)
        sink_char(out, ')');
}

static void
write_value(struct canon *c, struct sink *out, const struct param *p)
{
    jaxpr_t j = jaxpr_in_param(c->m, p);
    if (j != NONE)
        write_digest(c, out, j);
    else if (p->kind == PARAM_TUPLE || p->kind == PARAM_MIXED)
        write_segments(c, out, p);
    else
        canon_value_again(c, out, param_bytes(c->m, p));
}

static int
compare_params(const void *a, const void *b)
{
    const struct canon_param *x = a, *y = b;
    return slice_order(&x->key.newest, &y->key.newest);
}

/* true for a reshape that orders its dimensions: its canonical form must not depend on the version that printed it */
static bool
reorders(const struct module *m, eqn_t id)
{
    param_t order = eqn_param(m, id, SLICE("dimensions"));
    return order != NONE && !slice_eq(param_bytes(m, &m->params.at[order]), SLICE("None"));
}

/* true for a reshape that changes the number of elements, which versions that accept it print with `sharding=None` */
static bool
is_free_reshape(struct canon *c, eqn_t id)
{
    const struct eqn *e = &c->m->eqns.at[id];
    atom_t a = e->n_atoms == 1 ? c->m->atoms.at[e->atoms] : ATOM_NAME;
    const struct type *to = canon_result_type(c, e), *from = NULL;
    if (atom_kind(a) == ATOM_VAR)
        from = canon_var_type(c, atom_id(a));
    else if (atom_type(c->m, a) != NONE)
        from = type_get(&c->m->types, atom_type(c->m, a));
    return from && to && element_counts_differ(c->m, from, to) &&
           (reshape_is_free(c->m, id, canon_versions(c)) || reorders(c->m, id));
}

/* true for a parameter that only shows which version printed it, if the checker depends on that */
static bool
is_printed_param(struct canon *c, eqn_t id, struct slice prim, struct slice key)
{
    if (slice_eq(prim, SLICE("reshape")))
        return slice_eq(key, SLICE("sharding")) && is_free_reshape(c, id);
    if (!slice_eq(key, SLICE("linear")) || !is_scan(c, id))
        return false;
    param_t unroll = eqn_param(c->m, id, SLICE("unroll"));
    return unroll != NONE && !slice_eq(param_bytes(c->m, &c->m->params.at[unroll]), SLICE("None")) &&
           param_number(c, unroll) < 1 && scan_limits_unroll(c->m, id, canon_versions(c));
}

/* changes the value in out from `at` on to its newest spelling; respell_program does the reverse */
static void
modernize(struct canon *c, struct sink *out, size_t at, eqn_t e, struct slice prim, const struct canon_param *cp)
{
    spelling_modernize(c, out, at, prim, &cp->key);
    if (slice_eq(prim, SLICE("shard_map")))
        shard_modernize(c, out, at, e, cp);
}

/* whether a parameter with this canonical value means the same as none. A default does, unless the checker depends on
 * which versions print it; a value that follows from types does */
static bool
is_trivial(struct canon *c, eqn_t id, struct slice prim, const struct canon_key *key, struct slice value)
{
    const struct eqn *e = &c->m->eqns.at[id];
    if (key->typed && !spelling_nothing(value))
        return typed_is(c, e, key->typed, value);
    return spelling_is_default(e, prim, key, value) && !is_printed_param(c, id, prim, key->newest);
}

static void
write_param(struct canon *c, struct sink *out, eqn_t id, struct slice prim, const struct canon_param *cp)
{
    size_t from = out->n;
    sink_char(out, ' ');
    sink_slice(out, cp->key.newest);
    sink_char(out, '=');
    size_t at = out->n;
    write_value(c, out, &c->m->params.at[cp->param]);
    if (is_trivial(c, id, prim, &cp->key, (struct slice){out->at + at, out->n - at}))
        out->n = from;
    else
        modernize(c, out, at, id, prim, cp);
}

/* gives the listed parameters of an old shard_map their current names */
static void
rename_shard(struct canon *c)
{
    u32 kept = 0;
    for (u32 i = 0; i < c->params.n; i++) {
        struct canon_param cp = c->params.at[i];
        struct slice now = shard_key(cp.key.newest);
        cp.key.renamed |= now.at != cp.key.newest.at;
        cp.key.newest = now;
        if (!slice_eq(now, SLICE("rewrite")))
            c->params.at[kept++] = cp;
    }
    c->params.n = kept;
}

/* lists the parameters of an equation, sorted by key, in c->params; with `all`, also those left out of the identity;
 * with `counted`, without the counts of a scan */
static void
list_params(struct canon *c, eqn_t id, struct slice prim, bool all, bool counted)
{
    struct module *m = c->m;
    name_t primitive = m->eqns.at[id].prim;
    bool old_shard = shard_is_old(c, id, prim);
    c->params.n = 0;
    for (param_t p = m->eqns.at[id].params; p != NONE; p = m->params.at[p].next) {
        if (m->params.at[p].key == NONE)
            continue;
        const struct canon_key *key = spelling_key(c, primitive, prim, m->params.at[p].key);
        struct name_buffer buffer;
        if ((all || !(key->spelling_of_key & KEY_LEFT_OUT)) &&
            !(counted && scan_is_count(module_name(m, m->params.at[p].key, &buffer))))
            *vec_push(m->mem, &c->params) = (struct canon_param){*key, p};
    }
    if (old_shard)
        rename_shard(c);
    bool sorted = true; /* as JAX prints them, except for renamed ones */
    for (u32 i = 1; i < c->params.n && sorted; i++)
        sorted = compare_params(&c->params.at[i - 1], &c->params.at[i]) <= 0;
    if (!sorted)
        qsort(c->params.at, c->params.n, sizeof *c->params.at, compare_params);
}

void
canon_params(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn *e = &c->m->eqns.at[id];
    struct name_buffer buffer;
    if (e->params == NONE)
        return;
    struct slice prim = canon_prim(c, e->prim, &buffer);
    bool counted = is_scan(c, id) && write_scan_counts(c, out, id);
    list_params(c, id, prim, false, counted);
    for (u32 i = 0; i < c->params.n; i++)
        write_param(c, out, id, prim, &c->params.at[i]);
}

void
canon_spell(struct canon *c, struct sink *out, eqn_t e, param_t p)
{
    struct name_buffer buffer;
    name_t primitive = c->m->eqns.at[e].prim;
    struct slice prim = canon_prim(c, primitive, &buffer);
    const struct canon_param cp = {*spelling_key(c, primitive, prim, c->m->params.at[p].key), p};
    size_t at = out->n;
    if (cp.key.spelling_of_key & KEY_LEFT_OUT) { /* it is printed verbatim, without addresses */
        struct slice text = param_bytes(c->m, &c->m->params.at[p]);
        for (size_t i = 0; i < text.n; i++) {
            sink_char(out, text.at[i]);
            if (i >= 5 && memcmp(text.at + i - 5, " at 0x", 6) == 0)
                while (i + 1 < text.n && is_word_char(text.at[i + 1]))
                    i++;
        }
        return;
    }
    write_value(c, out, &c->m->params.at[p]);
    modernize(c, out, at, e, prim, &cp);
}

static bool
is_default_param(struct canon *c, eqn_t e, struct slice prim, const struct canon_param *cp)
{
    const struct param *p = &c->m->params.at[cp->param];
    if (p->kind != PARAM_TEXT && (p->kind != PARAM_TUPLE || p->a != NONE))
        return false; /* programs are never trivial */
    if (p->kind == PARAM_TEXT && !(cp->key.spelling_of_key & KEY_SILENT) && !cp->key.typed) {
        const struct canon_spelled *known = canon_remembered(c, param_bytes(c->m, p));
        if (known != NULL && !known->nothing)
            return false;
    }
    size_t from = c->scratch.n;
    write_value(c, &c->scratch, p);
    struct slice value = {c->scratch.at + from, c->scratch.n - from};
    bool trivial = is_trivial(c, e, prim, &cp->key, value);
    canon_cut(c, from);
    return trivial;
}

bool
canon_is_default(struct canon *c, eqn_t e, param_t p)
{
    struct name_buffer buffer;
    name_t primitive = c->m->eqns.at[e].prim;
    struct slice prim = canon_prim(c, primitive, &buffer);
    const struct canon_param cp = {*spelling_key(c, primitive, prim, c->m->params.at[p].key), p};
    return is_default_param(c, e, prim, &cp);
}

static param_t
add_count(struct module *m, const char *key, u32 value, param_t *last)
{
    struct slice text = arena_printf(m->mem, "%u", value);
    struct param p = {.key = module_intern(m, slice_of(key)), .kind = PARAM_TEXT, .a = NONE, .next = NONE};
    p.span = module_add_bytes(m, text);
    return param_append(m, p, last);
}

/* removes trivial parameters from c->params, and moves `name` to the front; several called `name` stay together */
static void
keep_printed(struct canon *c, eqn_t id, struct slice prim)
{
    u32 kept = 0, names = 0, first = 0;
    for (u32 i = 0; i < c->params.n; i++) {
        struct canon_param cp = c->params.at[i];
        if (is_default_param(c, id, prim, &cp))
            continue;
        if (slice_eq(cp.key.newest, SLICE("name")) && names++ == 0)
            first = kept;
        c->params.at[kept++] = cp;
    }
    c->params.n = kept;
    if (first == 0)
        return;
    vec_reserve(c->m->mem, &c->params, names);
    struct canon_param *all = c->params.at;
    memcpy(all + kept, all + first, names * sizeof *all);
    memmove(all + names, all, first * sizeof *all);
    memcpy(all, all + kept, names * sizeof *all);
}

/* sets the value of a parameter that was copied under another name, as this may change the value, too */
static void
modernize_copy(struct canon *c, eqn_t e, struct slice prim, const struct canon_param *cp, param_t copy)
{
    if (!slice_eq(prim, SLICE("shard_map")) || c->m->params.at[copy].kind != PARAM_TEXT)
        return;
    size_t from = c->scratch.n;
    write_value(c, &c->scratch, &c->m->params.at[copy]);
    shard_modernize(c, &c->scratch, from, e, cp);
    param_set_text(c->m, copy, canon_cut(c, from));
}

/* true if c->params are the equation's parameters, in order and under the same names */
static bool
are_as_listed(const struct canon *c, eqn_t id)
{
    const struct module *m = c->m;
    param_t p = m->eqns.at[id].params;
    u32 i = 0;
    for (; i < c->params.n && c->params.at[i].param == p && !c->params.at[i].key.renamed; i++)
        p = m->params.at[p].next;
    return i == c->params.n && p == NONE;
}

param_t
canon_sorted(struct canon *c, eqn_t id, bool all)
{
    struct module *m = c->m;
    struct name_buffer buffer;
    struct slice prim = canon_prim(c, m->eqns.at[id].prim, &buffer);
    struct scan_counts counts; /* counts have the names used before 0.10.2, when trees replaced them */
    bool counted = is_scan(c, id) && scan_counts(m, id, &counts) && counts.trees;
    list_params(c, id, prim, all, counted);
    keep_printed(c, id, prim);
    if (!counted && are_as_listed(c, id))
        return m->eqns.at[id].params;
    param_t first = NONE, last = NONE;
    for (u32 i = 0; i < c->params.n; i++) {
        const struct canon_param *cp = &c->params.at[i];
        if (counted && slice_starts(cp->key.newest, SLICE("reverse"))) {
            param_t carry = add_count(m, "num_carry", counts.carry, &last);
            first = first == NONE ? carry : first;
            add_count(m, "num_consts", counts.consts, &last);
        }
        param_t copy = copy_param(m, cp->param, &last);
        if (cp->key.renamed) {
            name_t key = module_intern(m, cp->key.newest);
            modernize_copy(c, id, prim, cp, copy);
            m->params.at[copy].key = key;
        }
        first = first == NONE ? copy : first;
    }
    return first;
}
