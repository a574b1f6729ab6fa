/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine: visits every equation once, in printed order, runs the rule of its primitive's row to compute the types
 * of results, and compares them with the binders. Cached elementwise equations cost a look-up; others, their rule. */
#include "verify/provenance.h"
#include "base/chars.h"
#include "ir/reach.h"
#include "verify/check_parts.h"
#include "verify/checker.h"
#include "verify/verify_cache.h"
#include "verify/effect_check.h"
#include "verify/infer.h"
#include "verify/ref_alias.h"
#include "verify/sharding_check.h"
#include "verify/simple_cache.h"
#include "verify/memory_space.h"
#include "verify/unknown_primitive.h"
#include "verify/varying_axes.h"

/* ---- rules of the engine itself ---- */

/* true if every operand is an array (or unknown); reports T025 otherwise */
static bool
rule_arrays(struct rule *r)
{
    for (u32 i = 0; i < r->n; i++) {
        if (r->in[i].kind != AVAL_REF && r->in[i].kind != AVAL_TOKEN && r->in[i].kind != AVAL_OTHER)
            continue;
        if (atom_kind(r->m->atoms.at[r->eqn->atoms + i]) != ATOM_REF)
            return rule_needs_array(r, i, true);
        rule_error(r, DIAG_T025, at_operand(i),
                   "the operands of `%s` must be arrays, not parts of refs: `%s` is indexed", format_prim(r),
                   format_operand(r, i));
        rule_note_operand(r, i);
        return rule_hint_read(r, i);
    }
    return true;
}

/* whether an operand's element type is in one of the classes; bounded integers are trusted */
static bool
class_fits(const struct aval *a, u32 classes)
{
    if (a->classes & classes)
        return true;
    if (a->bounded)
        return true;
    /* old versions print small floats without a point */
    return a->literal && a->dtype == NONE && (a->classes & IN_INT) && (classes & IN_FLOAT);
}

/* checks that operand 0, whose element type all operands share, has a width that the row accepts; only warns of narrow
 * floats that an older version may have printed */
static bool
width_fits(struct rule *r)
{
    const struct aval *a = &r->in[0];
    bool bytes = r->prim->is.widths == WIDTHS_BYTES;
    u32 bits = a->dtype < DT_COUNT ? dtype_bits(a->dtype) : 0;
    if (bits == 0 || bits >= (bytes ? 8 : 32) || !(a->classes & (bytes ? IN_INT : IN_FLOAT)))
        return true;
    if (bytes)
        return rule_error_operand(r, DIAG_T007, 0, "integers in `%s` must have at least 8 bits", format_prim(r));
    if (range_has(rule_versions(r), JAX_WIDE_LINALG))
        return rule_error_operand(r, DIAG_T007, 0, "floats in `%s` must have at least 32 bits", format_prim(r));
    return rule_warning(r, DIAG_T007, at_operand(0),
                        "JAX %s does not accept floats of fewer than 32 bits in `%s`: `%s` is %s; convert it first",
                        range_text(r->m->mem, range_since(JAX_WIDE_LINALG)).at, format_prim(r), format_operand(r, 0),
                        format_aval(r, a)) &&
           !rule_note_operand(r, 0);
}

/* warns of element types that JAX rejects only when it compiles the program */
static never_inline void
warn_uncompiled(struct rule *r)
{
    for (u32 i = 0; i < r->n; i++) {
        const struct aval *a = &r->in[i];
        struct aval wanted = {.dtype = NONE, .classes = (u8)prim_classes(r->prim->is.compiles, i)};
        bool own = a->classes == IN_KEY && a->dtype == NONE; /* an extended type, which only Python code defines */
        if (a->kind != AVAL_ARRAY || !a->classes || own || class_fits(a, wanted.classes))
            continue;
        rule_warning(r, DIAG_T007, at_operand(i), "`%s` can be compiled only with %s elements%s: `%s` is %s",
                     format_prim(r), format_dtype(r, &wanted),
                     r->prim->is.compiles >> 8 ? format_text(r, " in its %s operand", ordinal_of(i).text) : "",
                     format_operand(r, i), format_aval(r, a));
        rule_note_operand(r, i);
        return;
    }
}

/* checks the number and classes of operands against the row */
static bool
check_operands(struct rule *r)
{
    const struct prim *p = r->prim;
    if (r->n < p->min || (p->max != ANY_COUNT && r->n > p->max)) {
        u32 wanted = r->n < p->min ? p->min : p->max;
        return rule_error(r, DIAG_T005, r->n > wanted ? at_operand(wanted) : at_prim(),
                          "`%s` takes %s%s, but %u %s given", format_prim(r),
                          p->min == p->max ? "" : (r->n < p->min ? "at least " : "at most "),
                          format_count(r, wanted, "operand", "operands"), r->n, r->n == 1 ? "is" : "are");
    }
    if (unlikely(p->is.compiles))
        warn_uncompiled(r);
    if (!p->in)
        return true;
    for (u32 i = 0; i < r->n; i++) {
        u32 classes = prim_classes(p->in, i);
        const struct aval *a = &r->in[i];
        if (a->kind == AVAL_REF || a->kind == AVAL_TOKEN || a->kind == AVAL_OTHER)
            return p->is.passes_refs && a->kind == AVAL_REF ? rule_needs_array(r, i, false) : rule_arrays(r);
        if (i == 0 && p->is.widths && a->kind == AVAL_ARRAY && class_fits(a, classes) && !width_fits(r))
            return false;
        if (a->kind != AVAL_ARRAY || class_fits(a, classes))
            continue;
        struct aval wanted = {.dtype = NONE, .classes = (u8)classes};
        rule_error_operand(r, DIAG_T007, i, "`%s` requires %s elements%s", format_prim(r), format_dtype(r, &wanted),
                           p->in >> 8 ? format_text(r, " in its %s operand", ordinal_of(i).text) : "");
        if (r->n == 2 && !r->in[1 - i].literal)
            rule_hint_literal(r, i, &r->in[1 - i]);
        if (!a->literal && a->classes && !(a->classes & IN_KEY) && classes & (IN_FLOAT | IN_INT))
            rule_hint_convert(r, i);
        return false;
    }
    return true;
}

/* ---- one equation ---- */

/* the type of an indexed ref, `a[0]`, among the operands of a call: a view of the ref, which JAX prints for
 * `jaxpr_call` */
static struct aval
read_view(struct rule *r, u32 i)
{
    struct aval of = aval_here(r, r->m->refs.at[atom_id(r->m->atoms.at[r->eqn->atoms + i])].ref);
    if (!aval_may_be_ref(&of)) {
        rule_error(r, DIAG_T025, at_operand(i), "only a ref can be indexed: `%s` is %s", format_operand(r, i),
                   format_aval(r, &of));
        rule_note_operand(r, i);
        r->c->already_reported = true;
        return aval_unknown();
    }
    of.ranked = false;
    of.type = NONE;
    return of;
}

/* reads the types of the operands. Sets c->already_reported if something that the equation reads was reported, and
 * c->doubtful if that is the printed type of an operand. Trial runs for what else is wrong trust all other operands:
 * such an equation reads nothing that was reported before */
static void
read_operands(struct checker *c, struct rule *r, struct aval *in)
{
    const atom_t *atoms = &c->m->atoms.at[r->eqn->atoms];
    c->already_reported = c->doubtful = false;
    for (u32 i = 0; i < r->n; i++) {
        atom_t a = atoms[i];
        in[i] = unlikely(c->inferred != NULL) ? aval_here(r, a) : aval_of_atom(c->m, a);
        switch (atom_kind(a)) {
        case ATOM_VAR:
            c->doubtful |= var_reported(c, atom_id(a)) && !(r->probe && r->probe->unread);
            break;
        case ATOM_NAME:
            c->already_reported = true;
            break;
        case ATOM_LIT:
            if (!(r->probe ? literal_fits(c->m, &c->m->literals.at[atom_id(a)])
                           : check_literal(c, &c->m->literals.at[atom_id(a)]))) {
                in[i].dtype = NONE;
                in[i].classes = IN_ANY;
                c->already_reported = true;
            }
            break;
        default:
            if (r->eqn->form == EQN_CALL && !r->probe)
                in[i] = read_view(r, i);
            break;
        }
    }
    c->already_reported |= c->doubtful;
    if (unlikely(r->probe != NULL))
        probe_operands(r, in);
    r->in = in;
}

/* checks where arrays are, in memory and on a mesh; most programs show neither */
static inline bool
results_placed(struct rule *r, const struct aval *out)
{
    return (likely(!r->m->types.reducing) || rule_reduces(r)) && (likely(!r->prim->is.moved.need) || rule_moves(r)) &&
           ((likely(!r->c->spaced) && r->prim->is.space != SPACE_PUT) || rule_spaces(r)) &&
           (likely(!r->c->placed) || rule_shards(r, out));
}

/* runs the row's rule; true if it found no error, nor would in another equation with the same key */
static inline bool
run_rule(struct rule *r)
{
    const struct prim *prim = r->prim;
    struct aval out = aval_unknown();
    bool operands = check_operands(r), params = !prim->listed || rule_params(r);
    if (!operands || !params || !prim_shape(r, &out) || r->failed)
        return !r->failed && results_placed(r, &out);
    return (prim->dtype == DTYPE_own || compare_result(r, &out)) && rule_varies(r) && results_placed(r, &out);
}

static void
count_unverified(struct checker *c, name_t prim)
{
    struct name_buffer buffer;
    diags_unverified(c->ds, module_name(c->m, prim, &buffer));
}

static never_inline void
results_trusted(struct rule *r)
{
    if (!r->trusted && !r->failed)
        rule_trust_results(r);
    if (r->trusted)
        count_unverified(r->c, r->eqn->prim);
}

/* the argument of rules for an equation, with the types of its operands. `p`: the trial run; NULL if the equation is
 * checked */
static inline struct rule
rule_read(struct checker *c, eqn_t e, const struct prim *prim, struct probe *p)
{
    struct rule r = rule_of(c, e, prim);
    r.probe = p;
    scratch_reset(c);
    read_operands(c, &r, scratch_alloc(c, (r.n + 1u) * sizeof(struct aval)));
    return r;
}

/* checks an equation against the row of its primitive; returns true as run_rule does */
static bool
check_row(struct checker *c, eqn_t e, const struct prim *prim)
{
    struct rule r = rule_read(c, e, prim, NULL);
    bool right = (likely(c->ended.n == 0) || refs_live(&r)) && run_rule(&r);
    if (unlikely(r.failed))
        check_beside(&r);
    if (unlikely(r.computed < r.n_results || r.trusted) && prim->row != NO_ROW)
        results_trusted(&r);
    bool untyped = !right || !r.one_dtype || c->already_reported || check_untyped(c, r.eqn);
    return right && untyped && !r.wide && !c->already_reported;
}

static inline bool
validator(struct checker *c, eqn_t e, const struct prim *prim)
{
    c->own_program = false;
    bool clean = check_row(c, e, prim);
    if (unlikely(c->finding.e != NONE))
        end_finding(c);
    return clean;
}

void
check_operand_types(struct rule *r)
{
    struct aval out = aval_unknown();
    if (check_operands(r) && prim_shape(r, &out) && !r->failed && r->prim->dtype != DTYPE_own)
        compare_result(r, &out);
}

/* the steps of run_rule that concern element types and shapes: a probe does not compare varying axes, memory spaces and
 * shardings, nor parameters unless operands have the types that rules computed */
void
probe_equation(struct checker *c, eqn_t e, const struct prim *prim, struct probe *p)
{
    struct scratch kept = c->scratch;
    bool already_reported = c->already_reported, doubtful = c->doubtful;
    c->probing = true;
    c->scratch = c->aside;
    p->rank_known = true;
    struct rule r = rule_read(c, e, prim, p);
    r.again = p->unread != NULL;
    r.unread = p->unread ? *p->unread : r.unread;
    r.passed_before = p->passed_before;
    p->ran = p->computed || !c->already_reported;
    if (p->ran && (!p->computed || !prim->listed || rule_params(&r)))
        check_operand_types(&r);
    c->probing = false;
    c->aside = c->scratch;
    c->scratch = kept;
    c->already_reported = already_reported;
    c->doubtful = doubtful;
}

/* the row of unknown primitives: types listed in a parameter are those of the results */
static const struct prim unknown_row = {
    .name = "", .also = "", .params = "out_avals?=AVALS", .effects = "", .max = ANY_COUNT, .row = NO_ROW};

static void
unknown_primitive(struct checker *c, eqn_t e)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    bool lists = eqn_param(c->m, e, SLICE("out_avals")) != NONE || eqn_param(c->m, e, SLICE("result_avals")) != NONE;
    if (lists)
        validator(c, e, &unknown_row);
    else
        rule_read(c, e, &unknown_row, NULL); /* this checks literals and indexed refs */
    if (unlikely(c->finding.e != NONE))
        end_finding(c);
    if (!makes_operator(c->m, e))
        count_unverified(c, eqn->prim);
    report_unknown_primitive(c, e);
    report_unknown_values(c, e);
}

/* an equation that was not read into parameters and operands; kernels have special syntax only without results */
static never_inline void
check_raw(struct checker *c, eqn_t e)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    const struct prim *prim = prims_find(&c->prims, c->m, eqn->prim);
    struct slice text = value_trim(module_bytes(c->m, c->m->params.at[eqn->params].span));
    struct slice rest = after_primitive(c->m, e);
    struct name_buffer buffer;
    /* if the name is a variable, it is an operand of the equation above */
    bool abridged = slice_starts(rest, SLICE("[...]")) && !is_named_as_variable(c->m, e);
    bool empty = list_is_empty(c->m, e, rest);
    /* a word replaces the parameters, as in `semaphore_wait[dec] a`, which its row knows */
    bool worded = prim && slice_starts(rest, SLICE("[")) && !abridged && !memchr(rest.at, '=', bracket_end(rest, 0)) &&
                  !(prim->is.notation && slice_starts(rest, SLICE("[dec]")));
    if (!prim && !empty) {
        if (abridged)
            report_omitted(c, dots_span(c->m, e, rest));
        unknown_primitive(c, e);
        if (abridged || eqn->n_vars == 0)
            return;
    }
    if (prim && eqn->n_vars == 0 && !empty && !abridged) {
        struct rule r = rule_read(c, e, prim, NULL);
        check_notation(&r, rest);
        if (c->finding.e != NONE)
            end_finding(c);
    }
    struct span s = where_span(c->m, e, at_prim());
    if (prim && (abridged || (slice_contains(text, SLICE("...")) && eqn->n_vars > 0))) {
        struct span dots = dots_span(c->m, e, abridged ? rest : text);
        count_unverified(c, eqn->prim);
        if (c->options->strict)
            diag_add(c->ds, DIAG_T026, dots.at, dots.n, "this equation is abbreviated, so it is not verified");
        if (!prim->is.abridged)
            report_omitted(c, dots);
        return;
    }
    if (eqn->n_vars == 0 && !empty && !worded)
        return;
    s = empty ? (struct span){s.at + s.n, strlen("[]")}
              : value_span(c->m, &c->m->params.at[eqn->params],
                           worded ? (struct slice){rest.at, bracket_end(rest, 0) + 1} : value_trim(rest));
    diag_add(c->ds, DIAG_T010, s.at, s.n,
             empty    ? LIST_IS_EMPTY
             : worded ? "expected `key=value` in the parameters of `%s`; this equation is not checked"
                      : "the text after `%s` is neither parameters nor operands, so this equation is not checked",
             diag_quote(c->ds, module_name(c->m, eqn->prim, &buffer)));
    if (!prim && !empty)
        diag_relevel(c->ds, LEVEL_WARNING);
}

/* whether parameters of an equation before the i-th are programs */
static bool
has_program_before(const struct module *m, eqn_t e, param_t i)
{
    param_t p = m->eqns.at[e].params;
    while (p != i && (m->params.at[p].kind == PARAM_TEXT || m->params.at[p].a == NONE))
        p = m->params.at[p].next;
    return p != i;
}

/* reports the program of an equation whose primitive takes none, or that follows an equation whose parameters have
 * programs; up to 0.1.62, programs of calls followed equations */
static never_inline void
check_no_program(struct checker *c, eqn_t e, const struct prim *prim)
{
    const struct module *m = c->m;
    struct slice key = SLICE("call_jaxpr");
    param_t i = eqn_param(m, e, key);
    if (i == NONE || m->params.at[i].kind != PARAM_JAXPR || prim_role(prim, key).n)
        return;
    bool takes = slice_contains(slice_of(prim->params), SLICE("JAXPR"));
    if (takes && !has_program_before(m, e, i))
        return;
    struct span s = m->params.at[i].span;
    diag_add(c->ds, DIAG_T010, s.at, s.n,
             takes ? "the nested programs of `%s` must be in its parameters" : "`%s` takes no nested program",
             prim->name);
}

/* true if the verdict of the last equation holds in all programs of the module */
static bool
is_lasting(const struct checker *c)
{
    return !c->own_program || c->m->programs.n == 1;
}

/* checks an equation that check_one did not find in its cache */
static never_inline void
check_new(struct checker *c, eqn_t e, struct simple *slots, const struct simple *key)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    if (unlikely(eqn->form == EQN_RAW || eqn->form == EQN_ELLIPSIS || eqn->form == EQN_DAMAGED)) {
        if (eqn->form == EQN_RAW)
            check_raw(c, e);
        else if (eqn->form == EQN_ELLIPSIS)
            count_unverified(c, eqn->prim); /* S018 reports it, too */
        if (eqn->form == EQN_ELLIPSIS && c->options->strict)
            diag_add(c->ds, DIAG_T026, eqn->offset, 3, "equations are omitted here, so they are not verified");
        return;
    }
    const struct prim *prim = prims_find(&c->prims, c->m, eqn->prim);
    if (!prim) {
        unknown_primitive(c, e);
        return;
    }
    if (unlikely(eqn_holding(c->m, e) != NONE))
        check_no_program(c, e, prim);
    if (slots) {
        if (validator(c, e, prim) && is_lasting(c)) {
            slots[1] = slots[0];
            slots[0] = *key;
        }
        return;
    }
    u64 hash = verified_hash(c, eqn);
    if (hash && verified_before(c, eqn, hash))
        return;
    if (validator(c, e, prim) && hash && is_lasting(c))
        verified_keep(c, e, hash);
}

static inline void
check_one(struct checker *c, eqn_t e)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    struct simple key, *slots = NULL;
    if (eqn->params == NONE && memo_key(c, eqn, &key)) {
        slots = memo_slots(c, &key);
        if (likely(memo_holds(slots, &key))) {
            if (unlikely(key.literals))
                check_numbers(c, eqn, &key);
            return;
        }
    }
    check_new(c, e, slots, &key);
}

void
check_equation(struct checker *c, eqn_t e)
{
    check_one(c, e);
}

/* ---- programs ---- */

static void
check_outs(struct checker *c, const struct jaxpr *j)
{
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = c->m->atoms.at[j->outs + i];
        if (atom_kind(a) == ATOM_LIT)
            check_literal(c, &c->m->literals.at[atom_id(a)]);
    }
}

/* checks that a program that prints its effects prints those of its equations */
static void
check_effects(struct checker *c, jaxpr_t j)
{
    static const struct prim no_row = {.name = "", .also = "", .params = "", .effects = ""};
    for (eqn_t e = c->m->jaxprs.at[j].eqns; e != NONE; e = c->m->eqns.at[e].next) {
        const struct prim *prim = prims_find(&c->prims, c->m, c->m->eqns.at[e].prim);
        struct rule r = rule_of(c, e, prim ? prim : &no_row);
        scratch_reset(c);
        c->already_reported = false;
        rule_effects(&r, j);
        end_finding(c);
    }
}

void
enter_jaxpr(struct checker *c, jaxpr_t j)
{
    struct types *t = &c->m->types;
    u64 names = memo_get(&c->m->dim_names, j);
    t->view = names == NAMES_SYMBOLS ? c->symbols : names == NAMES_VARIABLES ? t->variables : NULL;
}

void
leave_jaxpr(struct checker *c, jaxpr_t j)
{
    check_outs(c, &c->m->jaxprs.at[j]);
    refs_stay(c, j);
    if (unlikely(jaxpr_effects(c->m, j).at != NONE))
        check_effects(c, j);
}

static void
check_under(struct checker *c, jaxpr_t root)
{
    struct walk w;
    jaxpr_t j;
    for (walk_start(&w, c->m, root); (j = walk_next(&w)) != NONE;) {
        enter_jaxpr(c, j);
        for (eqn_t e = c->m->jaxprs.at[j].eqns; e != NONE; e = c->m->eqns.at[e].next) {
            mem_poll(c->m->mem);
            check_one(c, e);
        }
        leave_jaxpr(c, j);
    }
    c->m->types.view = NULL;
    walk_end(&w);
}

void
report_left_open(struct checker *c)
{
    if (c->untyped.n == 1)
        diag_add(c->ds, DIAG_T026, c->untyped.first.at, c->untyped.first.n,
                 "the type of this result is not printed and cannot be inferred, so it is not checked");
    else if (c->untyped.n)
        diag_add(c->ds, DIAG_T026, c->untyped.first.at, c->untyped.first.n,
                 "the types of %u results, beginning with this one, are not printed and cannot be inferred, so "
                 "they are not checked",
                 c->untyped.n);
    c->untyped.n = 0;
}

void
check_programs(struct checker *c)
{
    const struct module *m = c->m;
    u32 program = c->ds->program;
    for (u32 p = 0, n = 0; p < m->programs.n; p++) {
        const struct program *text = &m->programs.at[p];
        if (text->pasted)
            continue; /* visited with the program it is pasted into */
        c->ds->program = n++;
        c->program = p;
        if (c->options->only && !c->options->only[c->ds->program])
            continue;
        /* callers before callees: findings of a call are not repeated inside (rule_passed) */
        if (text->main != NONE)
            check_under(c, text->main);
        for (u32 l = text->n_lets; l-- > 0;)
            if (m->lets.at[text->lets + l].jaxpr != NONE)
                check_under(c, m->lets.at[text->lets + l].jaxpr);
        report_left_open(c);
    }
    c->ds->program = program;
}

void
check_types(struct module *m, const struct check_options *options, const struct resolution *found, struct diags *ds)
{
    if (executor_is_parallel(options->executor) && check_parts(m, options, found, ds))
        return;
    struct checker *c = check_begin(m, options, found, ds);
    check_programs(c);
    checker_free(c);
}

/* whether a jaxpr of a program contains an unbound name, as found by check_scopes */
static bool
has_unbound(const struct module *m, const struct program *p)
{
    bool found = false;
    struct walk w;
    walk_start_program(&w, m, p);
    for (jaxpr_t j; !found && (j = walk_next(&w)) != NONE;)
        found = !resolved_jaxpr(m, j) && !memo_get(&m->unprinted, j);
    walk_end(&w);
    return found;
}

void
verify_programs(struct module *m, struct resolution *found, const u8 *which, u8 *wrong, struct diags *ds)
{
    const struct check_options options = {.only = which};
    u32 n = 0;
    check_dims(m, &options, found, ds);
    check_types(m, &options, found, ds);
    for (u32 p = 0; p < m->programs.n; p++) {
        if (m->programs.at[p].pasted)
            continue;
        if (which == NULL || which[n])
            wrong[n] = has_unbound(m, &m->programs.at[p]);
        n++;
    }
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        u8 mode = d->level != LEVEL_ERROR || d->program >= n ? VERIFY_NOTHING : which ? which[d->program] : VERIFY_ALL;
        if (mode == VERIFY_ALL || (mode == VERIFY_UNBOUND && d->code != DIAG_D101))
            wrong[d->program] = 1;
    }
}
