/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the cause of a conflict of types. Rules determine the types of most binders in conflict; a binder whose type no
 * rule determines (the shape of broadcast_in_dim, which newer JAX does not print; the element type of untyped literals;
 * results of a primitive without a rule) may be wrong. What a rule determines is found by checking the equation again
 * without reporting. Used for findings only, at the cost of a few equations each. */
#include "verify/provenance.h"
#include "resolve/enclosing_notes.h"
#include "verify/checker.h"

enum { OPERANDS_ASKED = 16, PASSED_ASKED = 64, USES_ASKED = 4, USES_AHEAD = 64, BINDERS_READ = 512 };

/* ---- def_sites ---- */

/* builds the table of where each variable is bound, once. Linear */
static void
find_def_sites(struct checker *c)
{
    struct module *m = c->m;
    if (c->def_sites)
        return;
    c->def_sites = mem_alloc(m->mem, ((size_t)m->vars.n + 1) * sizeof *c->def_sites);
    for (u32 v = 0; v < m->vars.n; v++)
        c->def_sites[v].owner = NONE;
    for (u32 j = 0; j < m->jaxprs.n; j++)
        for (u32 i = 0; i < jaxpr_binders(&m->jaxprs.at[j]); i++)
            c->def_sites[m->jaxprs.at[j].vars + i] = (struct def_site){j | DEF_SITE_JAXPR, i};
    for (u32 e = 0; e < m->eqns.n; e++)
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            c->def_sites[m->eqns.at[e].vars + i] = (struct def_site){e, i};
}

void
find_eqn_jaxprs(struct checker *c)
{
    if (!c->eqn_jaxprs)
        c->eqn_jaxprs = eqns_to_jaxprs(c->m);
}

struct def_site
def_site_of(struct checker *c, atom_t a)
{
    find_def_sites(c);
    return atom_kind(a) == ATOM_VAR ? c->def_sites[atom_id(a)] : (struct def_site){NONE, 0};
}

struct span
def_site_span(struct checker *c, var_t v)
{
    struct def_site b = def_site_of(c, atom_make(ATOM_VAR, v));
    /* locating a binder reads the list of binders again: too expensive at the end of a long one */
    if (b.owner == NONE || b.i > BINDERS_READ)
        return (struct span){NONE, 0};
    if (b.owner & DEF_SITE_JAXPR)
        return jaxpr_binder_span(c->m, b.owner & ~DEF_SITE_JAXPR, b.i);
    return eqn_result_span(c->m, b.owner, b.i);
}

struct span
conversion_of(struct checker *c, atom_t a)
{
    struct def_site b = def_site_of(c, a);
    param_t p = b.owner == NONE || b.owner & DEF_SITE_JAXPR ? NONE : eqn_param(c->m, b.owner, SLICE("new_dtype"));
    return p == NONE ? (struct span){NONE, 0} : c->m->params.at[p].span;
}

/* ---- what an equation knows ---- */

/* finds which part of an operand's printed type its own equation determines; false if its binder cannot be the cause:
 * it prints no type, is not a result, was reported, or its equation has an error or cannot be checked */
static bool
ask_def_site(struct rule *r, atom_t a, struct probe *p)
{
    struct checker *c = r->c;
    if (atom_kind(a) != ATOM_VAR || r->m->vars.at[atom_id(a)].type == NONE)
        return false;
    struct def_site b = c->def_sites[atom_id(a)];
    *p = (struct probe){.result = b.i};
    if (b.owner == NONE || b.owner & DEF_SITE_JAXPR || var_reported(c, atom_id(a)))
        return false;
    const struct eqn *eqn = &r->m->eqns.at[b.owner];
    const struct prim *prim = prims_find(&c->prims, r->m, eqn->prim);
    if (eqn->form == EQN_RAW || eqn->form == EQN_ELLIPSIS || eqn->form == EQN_DAMAGED)
        return false;
    if (!prim || prim->is.trusted)
        return prim || (eqn_param(r->m, b.owner, SLICE("out_avals")) == NONE &&
                        eqn_param(r->m, b.owner, SLICE("result_avals")) == NONE);
    if (eqn->n_atoms > LARGEST_ASKED || eqn->n_vars > LARGEST_ASKED)
        return false;
    probe_equation(c, b.owner, prim, p);
    p->rank_known &= p->compared;
    return !p->wrong && (p->compared || prim->is.lists_types);
}

/* ---- conflicts ---- */

/* whether two shapes differ in a part of the first that its rule does not determine */
static bool
shapes_conflict(const struct aval *a, const struct probe *p, const struct aval *b)
{
    if (!a->ranked || !b->ranked)
        return false;
    if (a->rank != b->rank)
        return !p->rank_known;
    for (u32 d = 0; d < a->rank; d++)
        if ((d > 63 || !(p->dims_known >> d & 1)) && dim_equal(&a->dims[d], &b->dims[d]) == NO)
            return true;
    return false;
}

enum { EXTENTS = 2, RANKS = 4, TWO_RANKS = 2 * RANKS };

/* how much an operand conflicts with another type: ranks count more than extents */
static u32
count_support(const struct aval *a, const struct probe *p, const struct aval *b, bool dtype)
{
    if (dtype)
        return !p->dtype_known && dtypes_agree(a, b) == NO ? EXTENTS : 0;
    return !shapes_conflict(a, p, b) ? 0 : a->rank != b->rank ? RANKS : EXTENTS;
}

/* whether later equations accept the bound type of a result; at least one must have a rule that determines its
 * result */
static bool
uses_agree(struct rule *r, var_t v, bool dtype)
{
    u32 agreed = 0, ahead = 0;
    for (eqn_t e = r->eqn->next; e != NONE && ahead < USES_AHEAD && agreed < USES_ASKED; ahead++) {
        const struct eqn *eqn = &r->m->eqns.at[e];
        bool uses = false;
        for (u32 i = 0; i < eqn->n_atoms && i < LARGEST_ASKED; i++)
            uses |= r->m->atoms.at[eqn->atoms + i] == atom_make(ATOM_VAR, v);
        const struct prim *prim = uses ? prims_find(&r->c->prims, r->m, eqn->prim) : NULL;
        if (prim && !prim->is.trusted && eqn->n_vars == 1 && eqn->n_atoms <= LARGEST_ASKED) {
            struct probe p = {0};
            probe_equation(r->c, e, prim, &p);
            if (p.wrong)
                return false;
            agreed += p.compared && (dtype ? p.dtype_known : p.rank_known);
        }
        e = eqn->next;
    }
    return agreed > 0;
}

/* whether the bound type of a result is right, though `operand` implies another: most other operands, or later
 * equations, agree with the bound type */
static bool
result_is_right(struct rule *r, const struct aval *result, u32 operand, bool dtype, u32 i)
{
    int votes = 0;
    for (u32 k = 0; k < r->n && k < OPERANDS_ASKED; k++) {
        const struct aval *other = &r->in[k];
        if (k == operand || other->kind != AVAL_ARRAY || other->literal)
            continue;
        votes += (dtype ? dtypes_agree(other, result) : shapes_agree(other, result)) == YES;
        votes -= (dtype ? dtypes_agree(other, &r->in[operand]) : shapes_agree(other, &r->in[operand])) == YES;
    }
    return votes > 0 || (votes == 0 && uses_agree(r, r->eqn->vars + i, dtype));
}

/* by code: which aspects of types are in conflict, as bits */
enum { CONFLICT_SHAPE = 1, CONFLICT_DTYPE = 2 };
static const u8 conflicts[DIAG_COUNT] = {
#define CONFLICT(code, aspects) [DIAG_##code] = aspects,
#include "diagnostics.def"
#undef CONFLICT
};

/* how much operand i conflicts with the rest of its equation, in one aspect; 0 if it is not the cause */
static u32
count_against(struct rule *r, u32 i, const struct probe *p, enum diag_code code, struct where where, bool dtype)
{
    const struct aval *a = &r->in[i];
    bool here = where.kind == AT_OPERAND && where.i == i;
    u64 dims = a->rank < 64 ? (1ull << a->rank) - 1 : ~0ull;
    u32 against = here;
    if (dtype ? p->dtype_known : p->rank_known && (p->dims_known & dims) == dims)
        return 0;
    if (code == DIAG_T003) {
        struct aval result = rule_binder(r, where.i);
        if (!r->given || (dtype ? dtypes_agree(a, r->given) : shapes_agree(a, r->given)) != YES)
            return 0;
        return count_support(a, p, &result, dtype) && result_is_right(r, &result, i, dtype, where.i) ? EXTENTS : 0;
    }
    if (dtype && !here)
        return where.kind == AT_OPERAND && where.i < r->n ? count_support(a, p, &r->in[where.i], true) : 0;
    for (u32 k = 0; k < r->n && k < OPERANDS_ASKED; k++)
        if (k != i && (dtype || r->in[k].rank))
            against += count_support(a, p, &r->in[k], dtype);
    struct aval result = r->n_results == 1 ? rule_binder(r, 0) : aval_unknown();
    if (!dtype && result.rank)
        against += count_support(a, p, &result, false);
    if (here || (!dtype && (where.kind == AT_PARAM || where.kind == AT_TEXT)))
        return against + 1;
    return code == DIAG_T008 || (code == DIAG_T005 && against >= TWO_RANKS) ? against : 0;
}

struct culprit
find_culprit(struct rule *r, enum diag_code code, struct where where)
{
    struct culprit found = {.operand = NONE};
    u32 most = 0;
    if (!conflicts[code] || r->shape_from_binder || where.sure || (code == DIAG_T003 && where.kind != AT_RESULT))
        return found;
    find_def_sites(r->c);
    for (u32 i = 0; i < r->n && i < OPERANDS_ASKED; i++) {
        struct probe p;
        if (r->in[i].kind != AVAL_ARRAY || !ask_def_site(r, r->m->atoms.at[r->eqn->atoms + i], &p))
            continue;
        for (u32 dtype = 0; dtype < 2; dtype++) {
            if (!(conflicts[code] & (dtype ? CONFLICT_DTYPE : CONFLICT_SHAPE)))
                continue;
            u32 against = count_against(r, i, &p, code, where, dtype);
            if (against > most) {
                most = against;
                found = (struct culprit){.operand = i, .dtype = dtype};
            }
        }
    }
    if (found.operand == NONE)
        find_culprit_argument(r, &found);
    return found;
}

/* ---- what a call that was reported explains ---- */

/* a copy of a type that outlives the current equation */
static struct aval
keep_aval(struct checker *c, const struct aval *a)
{
    struct aval kept = *a;
    kept.dims = NULL;
    kept.rank = a->ranked ? a->rank : 0;
    if (!kept.rank)
        return kept;
    struct dim *dims = arena_alloc(c->m->mem, a->rank * sizeof *dims);
    memcpy(dims, a->dims, a->rank * sizeof *dims);
    kept.dims = dims;
    return kept;
}

void
rule_passed(struct rule *r, var_t v, const struct aval *have)
{
    struct checker *c = r->c;
    if (!c->finding.noted || c->ds->last_level != LEVEL_ERROR || have->kind != AVAL_ARRAY || !have->ranked)
        return; /* a warning does not replace the errors that follow from it */
    struct passed *p = vec_push(c->m->mem, &c->wrong.passed);
    *p = (struct passed){v, keep_aval(c, have)};
}

void
var_doubt(struct checker *c, var_t v, const struct aval *computed)
{
    if (c->probing)
        return;
    var_report(c, v);
    if (!computed)
        return;
    *vec_push(c->m->mem, &c->wrong.computed) = keep_aval(c, computed);
    memo_set(c->m->mem, &c->wrong.computed_of, v, c->wrong.computed.n);
}

/* the computed type of a variable whose binder was reported; unknown if no rule computed one */
static struct aval
computed_aval(const struct checker *c, var_t v)
{
    u64 at = memo_get(&c->wrong.computed_of, v);
    return at ? c->wrong.computed.at[at - 1] : aval_unknown();
}

bool
repeats_operand(struct rule *r, struct where where)
{
    bool wrong = r->c->doubtful;
    for (u32 i = 0; wrong && i <= r->n && i <= OPERANDS_ASKED; i++) { /* all of them, then each alone */
        atom_t a = i ? r->m->atoms.at[r->eqn->atoms + i - 1] : 0;
        if (i && (atom_kind(a) != ATOM_VAR || !var_reported(r->c, atom_id(a))))
            continue;
        struct probe p = {.result = where.kind == AT_RESULT ? where.i : NONE, .computed = true, .alone = i};
        probe_equation(r->c, r->e, r->prim, &p);
        wrong = p.wrong;
    }
    return r->c->doubtful && !wrong;
}

static const struct aval *
passed_aval(const struct checker *c, var_t v)
{
    for (u32 n = 0; n < c->wrong.passed.n && n < PASSED_ASKED; n++)
        if (c->wrong.passed.at[c->wrong.passed.n - 1 - n].binder == v)
            return &c->wrong.passed.at[c->wrong.passed.n - 1 - n].have;
    return NULL;
}

bool
var_is_passed(const struct rule *r, var_t v, const struct aval *type)
{
    const struct likely_wrong *wrong = &r->c->wrong;
    for (u32 n = r->passed_before; after_finding(r) && n < wrong->passed.n && n - r->passed_before < PASSED_ASKED;
         n++) {
        const struct passed *p = &wrong->passed.at[n];
        if (p->binder == v && avals_agree(&p->have, type) != NO)
            return true;
    }
    return false;
}

bool
type_is_passed(const struct rule *r, jaxpr_t j, const struct aval *printed, const struct aval *type)
{
    const struct likely_wrong *wrong = &r->c->wrong;
    const struct jaxpr *jaxpr = &r->m->jaxprs.at[j];
    for (u32 n = r->passed_before; after_finding(r) && n < wrong->passed.n && n - r->passed_before < PASSED_ASKED;
         n++) {
        const struct passed *p = &wrong->passed.at[n];
        if (p->binder - jaxpr->vars >= jaxpr_binders(jaxpr))
            continue;
        struct aval binder = aval_elsewhere(r, atom_make(ATOM_VAR, p->binder));
        if ((avals_agree(&p->have, type) != NO && avals_agree(&binder, printed) == YES) ||
            (avals_agree(&p->have, printed) != NO && avals_agree(&binder, type) == YES))
            return true;
    }
    return false;
}

bool
computed_fits(const struct checker *c, atom_t a, const struct aval *type)
{
    if (atom_kind(a) != ATOM_VAR || !var_reported(c, atom_id(a)))
        return false;
    struct aval computed = computed_aval(c, atom_id(a));
    return avals_agree(&computed, type) != NO;
}

bool
repeats_call(struct rule *r, struct where where)
{
    bool passed = false;
    for (u32 i = 0; i < r->n && r->c->wrong.passed.n && !passed; i++) {
        atom_t a = r->m->atoms.at[r->eqn->atoms + i];
        passed = atom_kind(a) == ATOM_VAR && passed_aval(r->c, atom_id(a)) != NULL;
    }
    if (!passed)
        return false;
    struct probe p = {.result = where.kind == AT_RESULT ? where.i : 0, .passed = true};
    probe_equation(r->c, r->e, r->prim, &p);
    return p.ran && !p.wrong;
}

bool
repeats_result(struct rule *r, jaxpr_t j, u32 k)
{
    struct checker *c = r->c;
    atom_t a = r->m->atoms.at[r->m->jaxprs.at[j].outs + k];
    struct def_site b = def_site_of(c, a);
    if (r->probe || b.owner == NONE || b.owner & DEF_SITE_JAXPR)
        return false;
    const struct prim *prim = prims_find(&c->prims, r->m, r->m->eqns.at[b.owner].prim);
    return prim && !prim->is.trusted && is_result_wrong(c, b.owner, prim, b.i);
}

void
probe_operands(const struct rule *r, struct aval *in)
{
    const struct probe *p = r->probe;
    for (u32 i = 0; p->passed && i < r->n; i++) {
        atom_t a = r->m->atoms.at[r->eqn->atoms + i];
        const struct aval *passed = atom_kind(a) == ATOM_VAR ? passed_aval(r->c, atom_id(a)) : NULL;
        if (passed)
            in[i] = *passed;
    }
    for (u32 i = 0; p->assumed && i < r->n; i++)
        if (r->m->atoms.at[r->eqn->atoms + i] == atom_make(ATOM_VAR, p->assumed_of))
            in[i] = *p->assumed;
    for (u32 i = 0; p->computed && i < r->n; i++) {
        atom_t a = r->m->atoms.at[r->eqn->atoms + i];
        if (atom_kind(a) == ATOM_VAR && var_reported(r->c, atom_id(a)) && (!p->alone || p->alone == i + 1))
            in[i] = computed_aval(r->c, atom_id(a));
    }
    if (p->unread)
        forget_operands(r, p->unread, in);
    struct aval other = in[p->swap[0]];
    in[p->swap[0]] = in[p->swap[1]];
    in[p->swap[1]] = other;
}

/* ---- operands in each other's place ---- */

/* whether an equation is valid, as far as its rule can decide, with operands i and k exchanged */
static bool
fits_swapped(struct checker *c, eqn_t e, const struct prim *prim, u32 i, u32 k)
{
    struct probe p = {.result = NONE, .swap = {i, k}};
    const atom_t *atoms = &c->m->atoms.at[c->m->eqns.at[e].atoms];
    if (i != k && (atoms[i] == atoms[k] || atom_kind(atoms[i]) == ATOM_REF || atom_kind(atoms[k]) == ATOM_REF))
        return false;
    probe_equation(c, e, prim, &p);
    return !p.ran || !p.wrong;
}

bool
hint_swapped(struct checker *c, eqn_t e)
{
    enum { OPERANDS_TRIED = 6 };
    const struct eqn *eqn = &c->m->eqns.at[e];
    const struct prim *prim = prims_find(&c->prims, c->m, eqn->prim);
    enum diag_code code = c->ds->list.at[c->ds->list.n - 1].code;
    bool counts = code == DIAG_T005 || code == DIAG_T006, tried = eqn->n_atoms > 1 && eqn->n_atoms <= OPERANDS_TRIED;
    u32 pairs = 0, one = 0, other = 0;
    bool called = eqn->form <= EQN_CALL_BARE; /* in other syntax an operand says what it is: `mask=d` */
    if (!prim || !called || prim->is.elementwise || counts || !tried || fits_swapped(c, e, prim, 0, 0))
        return false;
    for (u32 k = 1; k < eqn->n_atoms; k++)
        for (u32 i = 0; i < k; i++)
            if (fits_swapped(c, e, prim, i, k)) {
                one = i;
                other = k;
                pairs++;
            }
    if (pairs != 1)
        return false;
    struct rule r = rule_of(c, e, prim);
    const char *first = format_operand(&r, one), *second = format_operand(&r, other);
    bool repeated = false; /* then the names alone are ambiguous */
    for (u32 k = 0; k < eqn->n_atoms; k++)
        repeated |= (k != one && c->m->atoms.at[eqn->atoms + k] == c->m->atoms.at[eqn->atoms + one]) ||
                    (k != other && c->m->atoms.at[eqn->atoms + k] == c->m->atoms.at[eqn->atoms + other]);
    if (repeated)
        diag_note(c->ds, NONE, 0, "are the %s operand, `%s`, and the %s, `%s`, swapped?", ordinal_of(one).text, first,
                  ordinal_of(other).text, second);
    else
        diag_note(c->ds, NONE, 0, "are `%s` and `%s` swapped?", first, second);
    return true;
}
