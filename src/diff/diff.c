/* SPDX-License-Identifier: Apache-2.0
 *
 * Hunks out of matches. A pair of equations that differ says what differs about the equation itself; types that only
 * follow from an operand whose type changed are no change of their own, and a pair whose nested programs differ sends
 * those to the list of pairs to look at, so nothing recurses. Linear in what is compared. */
#include "diff/diff.h"

#include "diff/match.h"
#include "diff/show.h"

/* Two jaxprs to compare, and how to call them: the equation of a that holds them. */
struct diff_pair {
    jaxpr_t a, b;
    eqn_t holder; /* NONE: the programs themselves */
    struct slice path;
};

static void
add_pair(struct differ *d, jaxpr_t a, jaxpr_t b, eqn_t holder, struct slice path)
{
    if (memcmp(canon_digest(d->a, a), canon_digest(d->b, b), sizeof(struct digest)) == 0)
        return;
    if (memo_get(&d->pairs, a) == (u64)b + 1)
        return;
    memo_set(d->a->m->mem, &d->pairs, a, (u64)b + 1);
    struct name_buffer buffer;
    if (holder != NONE) {
        struct module *m = d->a->m;
        struct slice prim = module_name(m, m->eqns.at[holder].prim, &buffer);
        param_t name = eqn_param(m, holder, SLICE("name"));
        struct slice called = name == NONE ? (struct slice){"", 0} : module_bytes(m, m->params.at[name].span);
        if (path.n < 200)
            path = arena_printf(m->mem, "%.*s%s%.*s%s%.*s", (int)path.n, path.at, path.n ? " / " : "", (int)prim.n, prim.at,
                                called.n ? " " : "", (int)called.n, called.at);
    }
    *vec_push(d->a->m->mem, &d->todo) = (struct diff_pair){a, b, holder, path};
}

/* ---- one pair of equations -------------------------------------------------------------------------------------- */

static type_t
type_of(const struct module *m, atom_t a)
{
    if (atom_kind(a) == ATOM_REF)
        a = m->refs.at[atom_id(a)].ref;
    return atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].type
           : atom_kind(a) == ATOM_LIT ? m->literals.at[atom_id(a)].type
                                      : NONE;
}

static bool
types_same(struct differ *d, type_t a, type_t b)
{
    if (a == NONE || b == NONE)
        return a == b;
    return slice_eq(type_get(&d->a->m->types, a)->text, type_get(&d->b->m->types, b)->text);
}

/* true where an operand of b is what an operand of a is, by the pairs made so far */
static bool
atoms_same(struct differ *d, atom_t a, eqn_t ea, atom_t b, eqn_t eb, u32 i)
{
    struct canon *ca = d->a, *cb = d->b;
    if (atom_kind(a) != atom_kind(b))
        return false;
    if (atom_kind(a) == ATOM_VAR)
        return d->names[atom_id(b)] == atom_id(a);
    if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *x = &ca->m->refs.at[atom_id(a)], *y = &cb->m->refs.at[atom_id(b)];
        if (!atoms_same(d, x->ref, ea, y->ref, eb, i) || x->n_uses != y->n_uses)
            return false;
        for (u32 k = 0; k < x->n_uses; k++)
            if (!atoms_same(d, ca->m->uses.at[x->uses + k], ea, cb->m->uses.at[y->uses + k], eb, i))
                return false;
        return show_index_same(d, x, y);
    }
    if (atom_kind(a) == ATOM_NAME)
        return true;
    ca->key.n = cb->key.n = 0;
    canon_atom(ca, &ca->key, a, ea, i);
    canon_atom(cb, &cb->key, b, eb, i);
    return slice_eq((struct slice){ca->key.at, ca->key.n}, (struct slice){cb->key.at, cb->key.n});
}

/* the jaxprs of a parameter in order, NONE at the end */
static jaxpr_t
param_jaxpr(const struct module *m, param_t p, u32 i)
{
    const struct param *param = &m->params.at[p];
    if (param->kind == PARAM_JAXPR)
        return i == 0 ? param->a : NONE;
    if (param->kind == PARAM_SHARED)
        return i == 0 && param->a != NONE ? m->lets.at[param->a].jaxpr : NONE;
    if (param->kind != PARAM_TUPLE && param->kind != PARAM_MIXED)
        return NONE;
    for (u32 s = param->a; s != NONE; s = m->segments.at[s].next) {
        const struct segment *segment = &m->segments.at[s];
        jaxpr_t j = segment->kind == SEGMENT_JAXPR    ? segment->a
                    : segment->kind == SEGMENT_PROGRAM ? m->programs.at[segment->a].main
                    : segment->kind == SEGMENT_SHARED && segment->a != NONE ? m->lets.at[segment->a].jaxpr
                                                                            : NONE;
        if (j != NONE && i-- == 0)
            return j;
    }
    return NONE;
}

/* compares the programs of two parameters pairwise; false where their numbers differ */
static bool
pair_jaxprs(struct differ *d, param_t a, param_t b, eqn_t holder, struct slice path)
{
    for (u32 i = 0; i < 4096; i++) {
        jaxpr_t x = param_jaxpr(d->a->m, a, i), y = param_jaxpr(d->b->m, b, i);
        if (x == NONE || y == NONE)
            return x == y;
        add_pair(d, x, y, holder, path);
    }
    return true;
}

static struct slice
key_of(const struct module *m, param_t p, struct name_buffer *buffer)
{
    return module_name(m, m->params.at[p].key, buffer);
}

static param_t
find_key(const struct module *m, param_t list, struct slice key)
{
    struct name_buffer buffer;
    for (param_t p = list; p != NONE; p = m->params.at[p].next)
        if (slice_eq(key_of(m, p, &buffer), key))
            return p;
    return NONE;
}

static struct slice
spelled(struct canon *c, eqn_t e, param_t p)
{
    c->value.n = 0;
    canon_spell(c, &c->value, e, p);
    return arena_copy(c->m->mem, (struct slice){c->value.at, c->value.n});
}

/* compares parameters; adds what differs to the change */
static void
compare_params(struct differ *d, eqn_t ea, eqn_t eb, struct slice path, struct change *change)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    struct name_buffer buffer;
    param_t pa = canon_sorted(d->a, ea, false), pb = canon_sorted(d->b, eb, false);
    for (param_t p = pa; p != NONE; p = ma->params.at[p].next) {
        struct slice key = arena_copy(ma->mem, key_of(ma, p, &buffer));
        param_t q = find_key(mb, pb, key);
        bool nested = param_jaxpr(ma, p, 0) != NONE;
        if (q == NONE) {
            change_add(d, change, "parameter", key, spelled(d->a, ea, p), (struct slice){"", 0});
        } else if (nested && pair_jaxprs(d, p, q, ea, path)) {
            continue;
        } else {
            struct slice x = spelled(d->a, ea, p), y = spelled(d->b, eb, q);
            if (!slice_eq(x, y))
                change_add(d, change, "parameter", key, x, y);
        }
    }
    for (param_t q = pb; q != NONE; q = mb->params.at[q].next) {
        struct slice key = arena_copy(mb->mem, key_of(mb, q, &buffer));
        if (find_key(ma, pa, key) == NONE)
            change_add(d, change, "parameter", key, (struct slice){"", 0}, spelled(d->b, eb, q));
    }
}

static void
compare_operands(struct differ *d, eqn_t ea, eqn_t eb, struct change *change)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    const struct eqn x = ma->eqns.at[ea], y = mb->eqns.at[eb];
    u32 n = x.n_atoms > y.n_atoms ? x.n_atoms : y.n_atoms;
    for (u32 i = 0; i < n; i++) {
        bool both = i < x.n_atoms && i < y.n_atoms;
        if (both && atoms_same(d, ma->atoms.at[x.atoms + i], ea, mb->atoms.at[y.atoms + i], eb, i))
            continue;
        struct slice number = arena_printf(ma->mem, "%u", i + 1);
        struct slice from = i < x.n_atoms ? show_atom_a(d, ma->atoms.at[x.atoms + i]) : (struct slice){"", 0};
        struct slice to = i < y.n_atoms ? show_atom_b(d, mb->atoms.at[y.atoms + i]) : (struct slice){"", 0};
        change_add(d, change, "operand", number, from, to);
    }
}

/* true where some operand has another type now, or a nested program changed: result types follow then */
static bool
follows(struct differ *d, eqn_t ea, eqn_t eb)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    const struct eqn *x = &ma->eqns.at[ea], *y = &mb->eqns.at[eb];
    for (u32 i = 0; i < x->n_atoms && i < y->n_atoms; i++)
        if (!types_same(d, type_of(ma, ma->atoms.at[x->atoms + i]), type_of(mb, mb->atoms.at[y->atoms + i])))
            return true;
    return false;
}

static void
compare_results(struct differ *d, eqn_t ea, eqn_t eb, bool silent, struct change *change)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    const struct eqn x = ma->eqns.at[ea], y = mb->eqns.at[eb];
    u32 n = x.n_vars > y.n_vars ? x.n_vars : y.n_vars;
    bool store = x.form == EQN_STORE || y.form == EQN_STORE;
    for (u32 i = 0; i < n && !store; i++) {
        bool both = i < x.n_vars && i < y.n_vars;
        type_t from = i < x.n_vars ? ma->vars.at[x.vars + i].type : NONE, to = i < y.n_vars ? mb->vars.at[y.vars + i].type : NONE;
        if (both && (types_same(d, from, to) || silent))
            continue;
        struct slice number = arena_printf(ma->mem, "%u", i + 1);
        change_add(d, change, "result", number, i < x.n_vars ? show_type(ma, from) : (struct slice){"", 0},
                   i < y.n_vars ? show_type(mb, to) : (struct slice){"", 0});
    }
}

static void
compare_equations(struct differ *d, eqn_t ea, eqn_t eb, struct slice path)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    struct change change = {0};
    struct name_buffer first, second;
    struct slice x = canon_prim(d->a, ma->eqns.at[ea].prim, &first), y = canon_prim(d->b, mb->eqns.at[eb].prim, &second);
    if (!slice_eq(x, y))
        change_add(d, &change, "primitive", (struct slice){"", 0}, arena_copy(ma->mem, x), arena_copy(ma->mem, y));
    u32 nested = d->todo.n;
    compare_params(d, ea, eb, path, &change);
    compare_operands(d, ea, eb, &change);
    bool silent = change.n > 0 || d->todo.n > nested || follows(d, ea, eb);
    compare_results(d, ea, eb, silent, &change);
    if (change.n > 0) {
        d->counts.changed++;
        show_change(d, ea, eb, path, &change);
    }
    change_end(d, &change);
}

/* ---- one pair of jaxprs ------------------------------------------------------------------------------------------ */

static void
compare_interface(struct differ *d, const struct diff_pair *p)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    const struct jaxpr x = ma->jaxprs.at[p->a], y = mb->jaxprs.at[p->b];
    u32 nx = x.n_consts + x.n_ins, ny = y.n_consts + y.n_ins, n = nx > ny ? nx : ny;
    for (u32 i = 0; i < n; i++) {
        type_t from = i < nx ? ma->vars.at[x.vars + i].type : NONE, to = i < ny ? mb->vars.at[y.vars + i].type : NONE;
        if (i < nx && i < ny && types_same(d, from, to))
            continue;
        struct slice number = arena_printf(ma->mem, "%u", i + 1);
        show_interface(d, p->path, "argument", number, i < nx ? show_type(ma, from) : (struct slice){"", 0},
                       i < ny ? show_type(mb, to) : (struct slice){"", 0});
    }
    n = x.n_outs > y.n_outs ? x.n_outs : y.n_outs;
    for (u32 i = 0; i < n; i++) {
        atom_t from = i < x.n_outs ? ma->atoms.at[x.outs + i] : 0, to = i < y.n_outs ? mb->atoms.at[y.outs + i] : 0;
        if (i < x.n_outs && i < y.n_outs && atoms_same(d, from, NONE, to, NONE, NONE))
            continue;
        struct slice number = arena_printf(ma->mem, "%u", i + 1);
        show_interface(d, p->path, "result", number, i < x.n_outs ? show_atom_a(d, from) : (struct slice){"", 0},
                       i < y.n_outs ? show_atom_b(d, to) : (struct slice){"", 0});
    }
}

static void
name_vars(struct differ *d, u32 a, u32 n_a, u32 b, u32 n_b)
{
    for (u32 i = 0; i < n_a && i < n_b; i++)
        d->names[b + i] = a + i;
}

/* marks the pairs that keep their order: the longest rising run of partners; the others have moved */
static u8 *
find_moved(struct mem *mem, const struct match_side *a)
{
    u32 n = a->eqns.n, length = 0;
    u32 *tails = mem_alloc(mem, (n + 1) * sizeof *tails), *before = mem_alloc(mem, (n + 1) * sizeof *before);
    u8 *moved = mem_alloc(mem, n + 1);
    memset(moved, 1, n + 1);
    for (u32 i = 0; i < n; i++) {
        if (a->partner.at[i] == NONE)
            continue;
        u32 low = 0, high = length;
        while (low < high) {
            u32 middle = (low + high) / 2;
            if (a->partner.at[tails[middle]] < a->partner.at[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? tails[low - 1] : NONE;
        tails[low] = i;
        length = low == length ? length + 1 : length;
    }
    for (u32 i = length ? tails[length - 1] : NONE; i != NONE; i = before[i])
        moved[i] = 0;
    mem_free(mem, tails);
    mem_free(mem, before);
    return moved;
}

static void
compare_jaxprs(struct differ *d, const struct diff_pair *p)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    struct match_side a, b;
    const struct jaxpr x = ma->jaxprs.at[p->a], y = mb->jaxprs.at[p->b];
    match_jaxprs(&a, &b, d->a, p->a, d->b, p->b);
    name_vars(d, x.vars, x.n_consts + x.n_ins, y.vars, y.n_consts + y.n_ins);
    for (u32 i = 0; i < a.eqns.n; i++)
        if (a.partner.at[i] != NONE) {
            const struct eqn *e = &ma->eqns.at[a.eqns.at[i]], *f = &mb->eqns.at[b.eqns.at[a.partner.at[i]]];
            name_vars(d, e->vars, e->n_vars, f->vars, f->n_vars);
        }
    compare_interface(d, p);
    u8 *moved = find_moved(ma->mem, &a);
    for (u32 i = 0, k = 0; i < a.eqns.n || k < b.eqns.n;) {
        if (d->first_only && d->hunks > 0)
            break;
        if (i < a.eqns.n && a.partner.at[i] == NONE) {
            d->counts.removed++;
            show_removed(d, a.eqns.at[i++], p->path);
        } else if (k < b.eqns.n && b.partner.at[k] == NONE) {
            d->counts.added++;
            show_added(d, b.eqns.at[k++], p->path);
        } else if (k < b.eqns.n && moved[b.partner.at[k]]) {
            k++; /* shown where it stood */
        } else if (i < a.eqns.n) {
            u32 partner = a.partner.at[i];
            if (moved[i]) {
                d->counts.moved++;
                show_moved(d, a.eqns.at[i], b.eqns.at[partner], p->path);
            } else {
                k++;
            }
            compare_equations(d, a.eqns.at[i], b.eqns.at[partner], p->path);
            i++;
        } else {
            break;
        }
    }
    mem_free(ma->mem, moved);
    match_end(&a, &b);
}

void
diff_programs(struct differ *d, program_t a, program_t b)
{
    struct module *ma = d->a->m, *mb = d->b->m;
    d->n_names = mb->vars.n;
    d->names = mem_alloc(ma->mem, (mb->vars.n + 1) * sizeof *d->names);
    memset(d->names, 0xFF, (mb->vars.n + 1) * sizeof *d->names);
    memo_free(ma->mem, &d->pairs);
    add_pair(d, ma->programs.at[a].main, mb->programs.at[b].main, NONE, (struct slice){"", 0});
    for (u32 i = 0; i < d->todo.n && !(d->first_only && d->hunks > 0); i++) {
        struct diff_pair p = d->todo.at[i];
        compare_jaxprs(d, &p);
    }
    d->todo.n = 0;
    memo_free(ma->mem, &d->pairs);
    mem_free(ma->mem, d->names);
}
