/* SPDX-License-Identifier: Apache-2.0
 *
 * Each value has a set of mesh axes, those over which it is replicated. All operands of an ordinary primitive must have
 * the same set, which its results have, too; collectives add or remove axes; nested programs are visited with the sets
 * of their operands, on an explicit stack. Primitives without a rule in JAX have unknown sets, which are not
 * checked. */
#include "verify/replication.h"

#include "verify/call_check.h"
#include "verify/checker.h"
#include "verify/provenance.h"

/* bits beside the axes: the set of a literal, which is compatible with any other; an unknown set */
#define REP_ANY (1ull << 63)
#define REP_OPEN (1ull << 62)

enum { STEP_LIMIT = 64 };

/* A program being walked, and the equation that calls it. */
struct frame {
    jaxpr_t j;
    eqn_t next;
    eqn_t caller;                 /* NONE: the shard_map itself */
    const struct region_map *map; /* the caller's programs, */
    u32 branch;                   /* and which of them it is */
};

struct replicas {
    struct rule *r;
    const struct mesh *mesh;
    jaxpr_t root; /* the program of the shard_map */
    u64 all;
    u64 *of; /* by var_t: the checker's */
    VEC(struct frame) frames;
};

/* ---- sets ---- */

static u64
atom_set(const struct replicas *w, atom_t a)
{
    if (atom_kind(a) == ATOM_VAR)
        return w->of[atom_id(a)];
    return atom_kind(a) == ATOM_LIT ? REP_ANY : REP_OPEN;
}

static u64
operand_set(const struct replicas *w, const struct rule *e, u32 i)
{
    return atom_set(w, w->r->m->atoms.at[e->eqn->atoms + i]);
}

static void
record_sets(struct replicas *w, const struct rule *e, u32 i, u64 set)
{
    w->of[e->eqn->vars + i] = set;
}

static void
record_all(struct replicas *w, const struct rule *e, u64 set)
{
    for (u32 i = 0; i < e->n_results; i++)
        record_sets(w, e, i, set);
}

static const char *
format_axes(struct rule *e, const struct mesh *mesh, u64 set)
{
    const char *text = "";
    if (set & REP_ANY)
        return "any axis";
    for (u32 i = 0; i < mesh->n; i++)
        if (set >> i & 1)
            text = format_text(e, "%s%s`%s`", text, *text ? " and " : "", format_slice(e, mesh->axes[i].name));
    return *text ? text : "no axis";
}

/* the axes of a collective; false if one is not an axis of the mesh. *tuple: they are in brackets */
static bool
named_axes(const struct replicas *w, const struct rule *e, const char *key, u64 *set, bool *tuple)
{
    struct slice text, name;
    bool position;
    if (!param_text(e, key, &text))
        return false;
    struct axis_names names = axis_names_of(text);
    *tuple = names.listed;
    *set = 0;
    while (axis_names_next(&names, &name, &position)) {
        u32 axis = mesh_find(w->mesh, name);
        if (axis == NONE)
            return false;
        *set |= 1ull << axis;
    }
    return true;
}

/* reads the types of an equation's operands, for messages */
static void
read_types(struct rule *e)
{
    struct aval *in = rule_alloc(e, (e->n + 1u) * sizeof *in);
    for (u32 i = 0; i < e->n; i++)
        in[i] = aval_of_atom(e->m, e->m->atoms.at[e->eqn->atoms + i]);
    e->in = in;
}

/* ---- rules ---- */

static struct rule
rule_at(const struct replicas *w, eqn_t e)
{
    struct checker *c = w->r->c;
    struct rule at = rule_of(c, e, prims_find(&c->prims, c->m, c->m->eqns.at[e].prim));
    at.probe = w->r->probe;
    return at;
}

/* adds a note at what determines the set of a value: the entry of the shard_map for its operand, or the equation whose
 * result does not have the set of an operand */
static void
note_origin(struct replicas *w, struct rule *e, atom_t a)
{
    struct rule *r = w->r;
    const struct jaxpr *root = &r->m->jaxprs.at[w->root];
    for (u32 n = 0; n < STEP_LIMIT && atom_kind(a) == ATOM_VAR; n++) {
        u32 k = atom_id(a) - root->vars - root->n_consts, i = 0;
        if (k < root->n_ins) {
            rule_note(e, at_item(r, rule_param(r, "in_specs") != NONE ? "in_specs" : "in_names", k),
                      "the spec of `%s` is here; `%s` is replicated over the axes that the spec does not name",
                      format_atom(e, a), format_atom(e, a));
            return;
        }
        struct def_site site = def_site_of(r->c, a);
        if (site.owner == NONE || site.owner & DEF_SITE_JAXPR)
            return;
        struct rule by = rule_at(w, site.owner);
        while (i < by.n && operand_set(w, &by, i) != atom_set(w, a))
            i++;
        if (i == by.n) {
            struct span s = where_span(r->m, by.e, at_prim());
            rule_note(e, at_text(s.at, s.n), "`%s`, a result of `%s`, is replicated over %s", format_atom(e, a),
                      format_prim(&by), format_axes(e, w->mesh, atom_set(w, a)));
            return;
        }
        a = r->m->atoms.at[by.eqn->atoms + i];
    }
}

/* adds notes where operand i is bound, and at what determines its set */
static void
note_replicated(struct replicas *w, struct rule *e, u32 i)
{
    rule_note_operand(e, i);
    note_origin(w, e, w->r->m->atoms.at[e->eqn->atoms + i]);
}

/* ordinary primitives: all operands must have the same set (_standard_check) */
static bool
ordinary(struct replicas *w, struct rule *e)
{
    u64 set = REP_ANY;
    u32 first = 0;
    for (u32 i = 0; i < e->n; i++) {
        u64 have = operand_set(w, e, i);
        if (have & REP_OPEN) {
            record_all(w, e, REP_OPEN);
            return true;
        }
        if (have & REP_ANY || have == set)
            continue;
        if (set != REP_ANY) {
            read_types(e);
            rule_error(e, DIAG_T030, at_operand(i),
                       "`%s` requires operands replicated over the same axes (check_rep=True): `%s` is replicated over "
                       "%s, but `%s` over %s",
                       format_prim(e), format_operand(e, first), format_axes(e, w->mesh, set), format_operand(e, i),
                       format_axes(e, w->mesh, have));
            note_replicated(w, e, first);
            note_replicated(w, e, i);
            return rule_hint(e, "`pbroadcast` turns a replicated value into a varying one");
        }
        set = have;
        first = i;
    }
    record_all(w, e, set);
    return true;
}

/* psum2 and pbroadcast, pmin and pmax: how each operand must vary over the axes, and which axes are added or removed */
static bool
cast(struct replicas *w, struct rule *e, bool adds, bool strict)
{
    u64 axes;
    bool tuple;
    if (!named_axes(w, e, "axes", &axes, &tuple) || e->n != e->n_results) {
        record_all(w, e, REP_OPEN);
        return true;
    }
    for (u32 i = 0; i < e->n; i++) {
        u64 set = operand_set(w, e, i);
        bool wrong = set & REP_ANY ? strict : adds ? (set & axes) != 0 : (set & axes) == 0;
        if (wrong && !(set & REP_OPEN)) {
            read_types(e);
            rule_error(e, DIAG_T030, at_operand(i),
                       "`%s` requires operands that %s over %s (check_rep=True): `%s` is replicated %sover %s",
                       format_prim(e), adds ? "vary" : "are replicated", format_axes(e, w->mesh, axes),
                       format_operand(e, i), adds || !set ? "" : "only ", format_axes(e, w->mesh, set));
            note_replicated(w, e, i);
            if (adds)
                rule_hint(e, "`pbroadcast` turns a replicated value into a varying one");
            return false;
        }
        set = set & REP_ANY ? w->all : set;
        record_sets(w, e, i, set & REP_OPEN ? set : adds ? set | axes : set & ~axes);
    }
    return true;
}

/* all_gather and similar primitives: the value varies over the axis, before and after; JAX does not find a tuple of
 * axes in the set (_standard_collective_check) */
static bool
moving(struct replicas *w, struct rule *e)
{
    u64 axes, set = e->n ? operand_set(w, e, 0) : REP_OPEN;
    bool tuple;
    record_all(w, e, set);
    if (set & REP_OPEN || !named_axes(w, e, "axis_name", &axes, &tuple))
        return true;
    if (!(set & REP_ANY) && (tuple || !(set & axes)))
        return true;
    read_types(e);
    rule_error(e, DIAG_T030, at_operand(0),
               "`%s` requires an operand that varies over %s (check_rep=True): `%s` is replicated over %s",
               format_prim(e), format_axes(e, w->mesh, axes), format_operand(e, 0), format_axes(e, w->mesh, set));
    note_replicated(w, e, 0);
    return rule_hint(e, "`pbroadcast` turns a replicated value into a varying one");
}

/* ---- programs inside ---- */

/* enters a program of an equation with the sets of its operands; false if there is none, or the counts do not match */
static bool
enter(struct replicas *w, const struct rule *e, const struct region_map *map, u32 branch)
{
    if (branch >= map->regions.n || map->regions.at[branch].jaxpr == NONE)
        return false;
    const struct region *in = &map->regions.at[branch];
    const struct jaxpr *inner = &w->r->m->jaxprs.at[in->jaxpr];
    if (inner->n_ins + map->selectors != e->n || inner->n_outs != e->n_results)
        return false;
    for (u32 i = 0; i < jaxpr_binders(inner); i++) {
        u32 operand = region_operand(in, i);
        w->of[inner->vars + i] = operand == NONE ? w->all : operand_set(w, e, operand);
    }
    *vec_push(w->r->m->mem, &w->frames) = (struct frame){in->jaxpr, inner->eqns, e->e, map, branch};
    return true;
}

/* the result of a loop's body must be replicated like its argument */
static bool
carry_kept(struct replicas *w, struct rule *e, const struct region_map *map, jaxpr_t j)
{
    const struct jaxpr *body = &w->r->m->jaxprs.at[j];
    for (u32 i = 0; i < map->n_carry && i < body->n_outs; i++) {
        u64 in = operand_set(w, e, map->carry + i), back = atom_set(w, w->r->m->atoms.at[body->outs + i]);
        if ((in | back) & REP_OPEN || in == back)
            continue;
        read_types(e);
        rule_error(e, DIAG_T030, at_out(j, i),
                   "the %s carried value of `%s` must stay replicated over the same axes (check_rep=True): `%s` is "
                   "replicated over %s, but the body returns `%s`, replicated over %s",
                   ordinal_of(i).text, format_prim(e), format_operand(e, map->carry + i), format_axes(e, w->mesh, in),
                   format_out(e, j, i), format_axes(e, w->mesh, back));
        note_replicated(w, e, map->carry + i);
        note_origin(w, e, w->r->m->atoms.at[body->outs + i]);
        return false;
    }
    return true;
}

/* gives the results of the equation the sets of its program's results; the branches of cond must agree */
static bool
leave(struct replicas *w, struct frame done)
{
    struct rule e = rule_at(w, done.caller);
    const struct jaxpr *inner = &w->r->m->jaxprs.at[done.j];
    for (u32 i = 0; i < inner->n_outs; i++) {
        u64 set = atom_set(w, w->r->m->atoms.at[inner->outs + i]), before = w->of[e.eqn->vars + i];
        if (done.branch && set != before && !((set | before) & REP_OPEN)) {
            jaxpr_t zero = done.map->regions.at[0].jaxpr;
            rule_error(&e, DIAG_T030, at_out(done.j, i),
                       "the branches of `%s` differ (check_rep=True): the %s result of branch 0 is "
                       "replicated over %s, but that of branch %u over %s",
                       format_prim(&e), ordinal_of(i).text, format_axes(&e, w->mesh, before), done.branch,
                       format_axes(&e, w->mesh, set));
            note_origin(w, &e, w->r->m->atoms.at[inner->outs + i]);
            rule_note(&e, at_out(zero, i), "branch 0 returns `%s` here", format_out(&e, zero, i));
            note_origin(w, &e, w->r->m->atoms.at[w->r->m->jaxprs.at[zero].outs + i]);
            return false;
        }
        record_sets(w, &e, i, set);
    }
    if (e.prim->is.replication == REP_SCAN)
        return carry_kept(w, &e, done.map, done.j);
    u32 next = done.branch + 1;
    if (next < done.map->regions.n && !enter(w, &e, done.map, next))
        record_all(w, &e, REP_OPEN);
    return true;
}

/* whether JAX does not check an equation: it has a program, but is not known as a call, loop or branch */
static bool
is_open(const struct replicas *w, const struct rule *e)
{
    for (param_t p = e->eqn->params; p != NONE; p = w->r->m->params.at[p].next)
        if (w->r->m->params.at[p].kind == PARAM_JAXPR && e->prim->dtype == DTYPE_own)
            return true;
    return false;
}

static bool
step(struct replicas *w, eqn_t at)
{
    struct rule e = rule_at(w, at);
    struct region_map *map;
    u64 axes, set = REP_OPEN;
    bool tuple;
    if (!e.prim || e.prim->is.trusted || e.eqn->form != EQN_CALL || e.n_results == 0 ||
        var_reported(w->r->c, e.eqn->vars)) {
        record_all(w, &e, REP_OPEN);
        return true;
    }
    switch ((enum replication)e.prim->is.replication) {
    case REP_ORDINARY:
        if (!is_open(w, &e))
            return ordinary(w, &e);
        break;
    case REP_EACH:
        for (u32 i = 0; i < e.n_results && i < e.n; i++)
            record_sets(w, &e, i, operand_set(w, &e, i));
        return true;
    case REP_CALL:
    case REP_COND:
    case REP_SCAN:
        map = rule_alloc(&e, sizeof *map);
        if (rule_regions(&e, map) && enter(w, &e, map, 0))
            return true;
        break;
    case REP_UNVARIED:
        if (named_axes(w, &e, "axis_name", &axes, &tuple))
            set = w->all & ~axes;
        break;
    case REP_EVERYWHERE:
        set = w->all;
        break;
    case REP_NOWHERE:
        set = 0;
        break;
    case REP_ADDS:
        return cast(w, &e, true, false);
    case REP_ADDS_STRICTLY:
        return cast(w, &e, true, true);
    case REP_DROPS:
        return cast(w, &e, false, false);
    case REP_MOVES:
        return moving(w, &e);
    case REP_REFUSED:
        return rule_error(&e, DIAG_T030, at_prim(),
                          "`psum` is not allowed if replication is checked (check_rep=True); use `psum2`") ||
               rule_note(&e, at_param(w->r, "check_rep"), "replication is checked because of this");
    }
    record_all(w, &e, set);
    return true;
}

bool
rule_replicates(struct rule *r, jaxpr_t j, const struct mesh *mesh, const u64 *ins, const u64 *outs, const char *specs)
{
    struct module *m = r->m;
    const struct jaxpr *root = &m->jaxprs.at[j];
    struct replicas w = {.r = r, .mesh = mesh, .root = j, .all = mesh_all(mesh)};
    bool right = true;
    r->wide = true;
    if (!r->c->replicated) {
        r->c->replicated = mem_alloc(m->mem, ((size_t)m->vars.n + 1) * sizeof *w.of);
        for (u32 v = 0; v < m->vars.n; v++)
            r->c->replicated[v] = REP_OPEN;
    }
    w.of = r->c->replicated;
    for (u32 i = 0; i < root->n_consts; i++)
        w.of[root->vars + i] = w.all;
    for (u32 i = 0; i < root->n_ins; i++)
        w.of[root->vars + root->n_consts + i] = ins[i];
    *vec_push(m->mem, &w.frames) = (struct frame){.j = j, .next = root->eqns, .caller = NONE};
    while (w.frames.n) {
        struct frame *top = &w.frames.at[w.frames.n - 1];
        eqn_t e = top->next;
        bool fine = true;
        if (e == NONE) {
            struct frame done = w.frames.at[--w.frames.n];
            e = done.caller;
            fine = e == NONE || leave(&w, done);
        } else if (r->c->followed++ > (u64)STEP_LIMIT * m->eqns.n) {
            break;
        } else {
            top->next = m->eqns.at[e].next;
            fine = step(&w, e);
        }
        right &= fine;
        for (u32 i = 0; !fine && i < m->eqns.at[e].n_vars; i++)
            w.of[m->eqns.at[e].vars + i] = REP_OPEN;
    }
    bool walked = !w.frames.n;
    for (u32 i = 0; i < root->n_outs && walked; i++) {
        u64 set = atom_set(&w, m->atoms.at[root->outs + i]);
        if (set & (REP_OPEN | REP_ANY) || !(outs[i] & ~set))
            continue;
        right = rule_error(r, DIAG_T030, at_out(j, i),
                           "the %s result of `%s` must be replicated over %s, which its entry in `%s` does not name, "
                           "but is replicated %sover %s (check_rep=True)",
                           ordinal_of(i).text, format_prim(r), format_axes(r, mesh, outs[i]), specs, set ? "only " : "",
                           format_axes(r, mesh, set));
        rule_note(r, at_item(r, specs, i), "this is the entry for the %s result", ordinal_of(i).text);
        note_origin(&w, r, m->atoms.at[root->outs + i]);
    }
    vec_free(m->mem, &w.frames);
    return right;
}
