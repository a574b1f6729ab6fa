/* SPDX-License-Identifier: Apache-2.0
 *
 * How rules report: every finding about types is made here, so that messages of all primitives are worded alike.
 * Nothing below runs on a program without errors; a table of where each variable is bound is made once, by the first
 * message. */
#include "verify/provenance.h"
#include "resolve/enclosing_notes.h"
#include "verify/call_check.h"
#include "verify/checker.h"

#include "ir/reach.h"

#include <stdio.h>

enum { MOST_BESIDE = 16 }; /* findings of an equation after its first */

jaxpr_t
rule_jaxpr_of_eqn(struct rule *r)
{
    r->wide = true;
    find_eqn_jaxprs(r->c);
    return r->c->eqn_jaxprs[r->e];
}

/* ---- findings ---- */

/* always false. With -DFINDING_DEBUG=1, prints what became of a finding: why it is reported where it is, or why it is
 * not */
static bool
trace(const struct rule *r, enum diag_code code, struct where where, const char *outcome)
{
#if FINDING_DEBUG
    struct span s = where_span(r->m, r->e, where);
    fprintf(stderr, "%s of `%s` (equation %u, bytes %u to %u): %s\n", diag_info(code).code, r->prim->name, r->e, s.at,
            s.at + s.n, outcome);
#else
    (void)r, (void)code, (void)where, (void)outcome;
#endif
    return false;
}

void
end_finding(struct checker *c)
{
    if (c->finding.e == NONE)
        return;
    find_eqn_jaxprs(c);
    if (!c->finding.hinted && !hint_swapped(c, c->finding.e) && c->finding.unconverted != NONE) {
        struct rule r = rule_of(c, c->finding.e, NULL);
        struct span made = conversion_of(c, c->m->atoms.at[r.eqn->atoms + c->finding.unconverted]);
        if (made.at != NONE)
            diag_note(c->ds, made.at, made.n, "is this `new_dtype` wrong?");
        else
            diag_note(c->ds, NONE, 0, "is a `convert_element_type` of `%s` missing?",
                      format_operand(&r, c->finding.unconverted));
    }
    note_enclosing(c->m, c->ds, c->eqn_jaxprs, c->eqn_jaxprs[c->finding.e]);
    c->finding.e = NONE;
    c->finding.noted = c->finding.hinted = false;
}

bool
row_complete(struct rule *r)
{
    struct prim_param param;
    bool any = false;
    for (const char *at = r->prim->params; prim_param_next(&at, &param);) {
        any |= param.optional || eqn_param(r->m, r->e, param.key) != NONE;
        if (!any && !param.more)
            return false;
        any &= param.more;
    }
    return true;
}

/* false if the row marks parameters as identifying and the equation has none of them: it is another primitive of this
 * name */
static bool
row_meant(struct rule *r)
{
    struct prim_param param;
    bool marked = false;
    for (const char *at = r->prim->params; prim_param_next(&at, &param); marked |= param.identifying)
        if (param.identifying && eqn_param(r->m, r->e, param.key) != NONE)
            return true;
    return !marked;
}

struct slice
unlisted_key(const struct rule *r, param_t p, struct name_buffer *buffer)
{
    name_t name = r->m->params.at[p].key;
    struct slice key = name == NONE ? SLICE("") : module_name(r->m, name, buffer);
    return key.n && prim_role(r->prim, key).n ? SLICE("") : key;
}

/* the first parameter of an equation that its row does not list, or NONE */
static param_t
first_unlisted(const struct rule *r)
{
    struct name_buffer buffer;
    param_t p = r->eqn->params;
    while (p != NONE && !unlisted_key(r, p, &buffer).n)
        p = r->m->params.at[p].next;
    return p;
}

bool
row_fits(struct rule *r)
{
    return first_unlisted(r) != NONE ? r->prim->params[0] && row_complete(r) : row_meant(r);
}

bool
holds_damaged(const struct rule *r)
{
    struct nested held = nested_start(r->m, r->e);
    for (jaxpr_t j = nested_next(r->m, &held); j != NONE; j = nested_next(r->m, &held))
        if (memo_get(&r->m->damaged, j))
            return true;
    return false;
}

/* the message about the type of a result if an operand is the cause */
static const char *
format_disagreement(struct rule *r, u32 operand, u32 result)
{
    struct aval binder = rule_binder(r, result);
    return format_text(r, "`%s` is bound as %s, but `%s`, which `%s` computes from it, is %s",
                       format_operand(r, operand), format_aval(r, &r->in[operand]), format_result(r, result),
                       format_prim(r), format_aval(r, &binder));
}

/* true if a later name was reported as unbound, which is the same mistake as too few results: adds `text` to that
 * finding as a note */
static bool
note_unbound(struct rule *r, struct span here, const char *text)
{
    struct diags *ds = r->c->ds;
    u64 record = memo_get(&r->c->found->unbound, rule_jaxpr_of_eqn(r)) - 1;
    if (record >= ds->list.n || ds->list.at[record].code != DIAG_S012 || ds->list.at[record].at < here.at)
        return false;
    diag_note_to(ds, (u32)record, here.at, here.n, slice_of(text));
    return true;
}

/* adds a finding that may get notes; end_finding then adds the notes for enclosing programs */
static void
begin_finding(struct rule *r, enum diag_code code, struct span s, const char *text)
{
    struct checker *c = r->c;
    u32 before = c->ds->list.n;
    end_finding(c);
    diag_add(c->ds, code, s.at, s.n, "%s", text);
    c->finding.noted = c->ds->list.n > before;
    c->finding.n_vars = 0;
    c->finding.unconverted = NONE;
    if (c->finding.noted)
        c->finding.e = r->e;
}

/* reports a finding at the place that the rule named */
static void
report_here(struct rule *r, enum diag_code code, struct where where, const char *text)
{
    struct span s = where_span(r->m, r->e, where);
    if (code != DIAG_T006 || where.kind == AT_RESULT || !note_unbound(r, s, text))
        begin_finding(r, code, s, text);
}

/* reports a finding at the operand's binder that causes it; false if the binder has no location */
static bool
report_culprit(struct rule *r, enum diag_code code, struct where where, const char *text, struct culprit culprit)
{
    struct checker *c = r->c;
    u32 i = culprit.operand;
    var_t v = atom_id(r->m->atoms.at[r->eqn->atoms + i]);
    struct span binder = def_site_span(c, v), use = where_span(r->m, r->e, at_operand(i));
    if (binder.at > r->m->text.n)
        return false;
    if (code == DIAG_T003)
        text = format_disagreement(r, i, where.i);
    else if (where.kind != AT_OPERAND || where.i != i)
        text = format_text(r, "`%s` is bound as %s, but %s", format_operand(r, i), format_aval(r, &r->in[i]), text);
    else
        text = format_of_binder(r, text, i);
    begin_finding(r, code, binder, text);
    if (!c->finding.noted)
        return true;
    if (culprit.readers)
        diag_note(c->ds, use.at, use.n, "%u equations that read `%s` would be correct if it were %s", culprit.readers,
                  format_operand(r, i), format_aval(r, &culprit.wanted));
    else
        diag_note(c->ds, use.at, use.n, "`%s` is read here; its %s is known only from its binder, which may be wrong",
                  format_operand(r, i), culprit.dtype ? "element type" : "shape");
    c->finding.hinted = true; /* the binder is to be changed, not the equation */
    c->finding.vars[c->finding.n_vars++] = v;
    var_doubt(c, v, culprit.readers ? &culprit.wanted : NULL);
    c->already_reported = c->doubtful = true; /* other findings of the equation may follow from it */
    return true;
}

/* whether a finding would repeat one reported for a call, a nested program or a name bound twice */
static bool
already_noted(struct rule *r, struct where where)
{
    if (where.kind == AT_RESULT && var_reported(r->c, r->eqn->vars + where.i))
        return true;
    if (where.kind == AT_RESULT && memo_get(&r->c->found->rebound, r->eqn->vars + where.i))
        return true; /* the type is that of the other binder of the name */
    /* what is found again is not explained by another type of an operand (beside.c) */
    return (!r->again && repeats_operand(r, where)) || repeats_call(r, where) ||
           (where.kind == AT_OUT && repeats_result(r, where.j, where.i));
}

/* marks the results that a finding makes doubtful: the one it is about, all after T006, and those without a printed
 * type */
static void
doubt_results(struct rule *r, enum diag_code code, struct where where)
{
    for (u32 i = 0; i < r->n_results; i++) {
        bool about = where.kind == AT_RESULT && where.i == i;
        if (about || code == DIAG_T006 || r->m->vars.at[r->eqn->vars + i].type == NONE)
            var_doubt(r->c, r->eqn->vars + i, about && !r->again ? r->given : NULL);
    }
}

static bool
report(struct rule *r, enum diag_code code, struct where where, const char *format, va_list args)
{
    struct checker *c = r->c;
    bool marked = r->failed, beside = where.kind == AT_RESULT || r->several,
         first = !marked || (beside && !(r->several && rule_text_is_broken(r)) && r->n_reported++ < MOST_BESIDE);
    c->finding.noted = false;
    r->failed = true;
    r->passed_before = marked || r->again ? r->passed_before : c->wrong.passed.n;
    bool meant = (r->probe || first) && row_fits(r);
    if (r->probe) {
        if (!r->probe->wrong) {
            r->probe->at = where;
            r->probe->code = code;
        }
        r->probe->wrong |= meant;
        r->probe->mismatch |= r->probe->wrong && code == DIAG_T003;
        return trace(r, code, where, "not reported: this is a trial run");
    }
    if (!first)
        return trace(r, code, where, "not reported: another finding of the equation was");
    if (holds_damaged(r))
        return trace(r, code, where, "not reported: a nested program could not be read");
    if (!meant) {
        rule_unlike(r);
        c->finding.noted = false; /* notes that follow are not for its finding */
        return trace(r, code, where, "not reported: the parameters are not those of the row");
    }
    struct culprit culprit = c->already_reported ? (struct culprit){.operand = NONE} : find_culprit(r, code, where);
    if (already_noted(r, where))
        return trace(r, code, where, "not reported: it repeats an earlier finding");
    if (culprit.operand == NONE)
        doubt_results(r, code, where);
    const char *text = format_args(r, format, args);
    r->at_binder = culprit.operand != NONE && report_culprit(r, code, where, text, culprit);
    if (!r->at_binder)
        report_here(r, code, where, text);
    r->doubted = parts_at(r, code, where);
    if (r->at_binder)
        parts_add(&r->doubted, &(struct parts){.operands = 1ull << culprit.operand});
    r->elsewhere |= code == DIAG_T005 || code == DIAG_T006 || code == DIAG_T018 || parts_empty(&r->doubted);
    parts_add(&r->reported, &r->doubted);
    return trace(r, code, where, r->at_binder ? "reported at the binder of an operand" : "reported at its place");
}

bool
rule_error(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, code, where, format, args);
    va_end(args);
    return false;
}

bool
rule_error_operand(struct rule *r, enum diag_code code, u32 i, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *words = format_args(r, format, args);
    va_end(args);
    rule_error(r, code, at_operand(i), "%s: `%s` is %s", words, format_operand(r, i), format_aval(r, &r->in[i]));
    return rule_note_operand(r, i);
}

bool
rule_error_pair(struct rule *r, enum diag_code code, u32 other, u32 i, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *words = format_args(r, format, args);
    va_end(args);
    const char *(*is)(struct rule *, const struct aval *) = code == DIAG_T007 ? format_dtype : format_aval;
    if (r->m->atoms.at[r->eqn->atoms + other] == r->m->atoms.at[r->eqn->atoms + i]) {
        rule_error(r, code, at_operand(i), "%s: both operands are `%s`, which is %s", words, format_operand(r, i),
                   is(r, &r->in[i]));
        return rule_note_operand(r, i);
    }
    rule_error(r, code, at_operand(i), "%s: `%s` is %s, `%s` is %s", words, format_operand(r, other),
               is(r, &r->in[other]), format_operand(r, i), is(r, &r->in[i]));
    rule_note_operand(r, other);
    rule_note_operand(r, i);
    return code == DIAG_T007 && !r->in[other].literal && rule_hint_literal(r, i, &r->in[other]);
}

bool
rule_stricter(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, code, where, format, args);
    va_end(args);
    if (r->c->finding.noted && r->options->as_jax)
        diag_relevel(r->c->ds, LEVEL_WARNING);
    r->elsewhere |= r->options->as_jax;
    return false;
}

bool
rule_repeats(struct rule *r)
{
    r->failed = true;
    r->c->finding.noted = false;
    return false;
}

/* adds a finding beside those of the rule, which does not fail; a warning unless `error` */
static void
report_beside(struct rule *r, enum diag_code code, bool error, struct where where, const char *format, va_list args)
{
    r->wide = true;
    r->c->finding.noted = false;
    if (r->c->already_reported || r->probe)
        return;
    begin_finding(r, code, where_span(r->m, r->e, where), format_args(r, format, args));
    if (r->c->finding.noted && !error)
        diag_relevel(r->c->ds, LEVEL_WARNING);
}

bool
rule_warning(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report_beside(r, code, false, where, format, args);
    va_end(args);
    return true;
}

bool
rule_unread(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
{
    bool strict = r->options->strict;
    va_list args;
    va_start(args, format);
    report_beside(r, strict ? DIAG_T026 : code, strict, where, format, args);
    va_end(args);
    return true;
}

/* records that the equation is trusted; true if this is to be reported */
static bool
reports_trust(struct rule *r)
{
    if (r->c->already_reported || r->probe)
        return false;
    r->wide = r->trusted = true;
    return r->options->strict;
}

bool
rule_left_open(struct rule *r, struct where where)
{
    struct checker *c = r->c;
    if (reports_trust(r) && (c->untyped.n++ == 0 || r->e < c->untyped.e)) {
        c->untyped.first = where_span(r->m, r->e, where);
        c->untyped.e = r->e;
    }
    return true;
}

/* reports that trusted results are not verified */
static void
report_trust(struct rule *r, struct where where, const char *text)
{
    begin_finding(r, DIAG_T026, where_span(r->m, r->e, where), text);
    r->c->finding.hinted = r->c->finding.noted; /* nothing is known to be wrong */
}

bool
rule_trust(struct rule *r, struct where where, const char *format, ...)
{
    bool again = r->trusted;
    r->c->finding.noted = false;
    if (!reports_trust(r) || again)
        return true;
    va_list args;
    va_start(args, format);
    report_trust(r, where, format_args(r, format, args));
    va_end(args);
    return true;
}

/* whether an equation prints some parameter of its row */
static bool
prints_listed(const struct rule *r)
{
    struct name_buffer buffer;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        name_t key = r->m->params.at[p].key;
        if (key != NONE && prim_role(r->prim, module_name(r->m, key, &buffer)).n)
            return true;
    }
    return false;
}

/* the first required parameter of the row that an equation lacks; empty if it lacks none */
static struct slice
first_lacking(struct rule *r)
{
    for (u32 i = 0; i < r->prim->n_listed && i < MOST_LISTED; i++) {
        const struct prim_param *param = &r->prim->listed[i];
        if (r->prim->needed >> i & 1 && !param->more && eqn_param(r->m, r->e, param->key) == NONE)
            return param->key;
    }
    return SLICE("");
}

void
rule_unlike(struct rule *r)
{
    static const char text[] =
        "the parameters of `%s` are not those of JAX's primitive of this name%s, so its results are not verified";
    bool again = r->trusted, reports = reports_trust(r) && !again && !r->names_reported;
    bool quiet =
        r->options->strict || r->names_reported || !row_meant(r) ||
        (!prints_listed(r) && eqn_nests(r->m, r->e)); /* loops and calls of other systems have such names, too */
    if (quiet && !reports)
        return;
    struct name_buffer buffer;
    struct slice lacking = first_lacking(r);
    param_t other = first_unlisted(r);
    struct span key = other == NONE ? (struct span){0, 0} : param_key_span(r->m, other);
    struct where where = key.n ? at_text(key.at, key.n) : at_prim();
    const char *has = lacking.n ? format_text(r, "`%s`", format_slice(r, lacking)) : "",
               *no = other == NONE ? "" : format_text(r, "no `%s`", format_slice(r, unlisted_key(r, other, &buffer)));
    const char *which = *has || *no ? format_text(r, ", which has %s%s%s", has, *has && *no ? " and " : "", no) : "";
    if (reports)
        report_trust(r, where, format_text(r, text, format_prim(r), which));
    else
        rule_warning(r, DIAG_T010, where, text, format_prim(r), which);
    r->names_reported = true;
}

bool
rule_note_operand(struct rule *r, u32 i)
{
    return rule_note_atom(r, r->m->atoms.at[r->eqn->atoms + i]);
}

/* adds a note where a variable is bound, with its type; `meant` is the probable intended element type, or empty */
static void
note_bound(struct rule *r, struct span s, var_t v, const struct aval *is, struct slice meant)
{
    if (s.at > r->m->text.n || !r->c->finding.noted)
        return;
    if (r->m->vars.at[v].type == NONE && is->kind != AVAL_UNKNOWN)
        diag_note(r->c->ds, s.at, s.n, "`%s` is bound here; its type is not printed, but inferred to be %s",
                  format_var(r, v), format_aval(r, is));
    else if (is->kind == AVAL_UNKNOWN)
        diag_note(r->c->ds, s.at, s.n, "`%s` is bound here%s", format_var(r, v),
                  r->m->vars.at[v].type == NONE ? ", without a type" : "");
    else
        diag_note(r->c->ds, s.at, s.n, "`%s` is %s, bound here%s%.*s%s", format_var(r, v), format_aval(r, is),
                  meant.n ? "; did you mean `" : "", (int)meant.n, meant.at, meant.n ? "`?" : "");
}

bool
rule_note_atom(struct rule *r, atom_t a)
{
    if (!r->c->finding.noted)
        return false;
    a = atom_without_index(r->m, a);
    if (atom_kind(a) != ATOM_VAR)
        return false;
    for (u32 k = 0; k < r->c->finding.n_vars; k++)
        if (r->c->finding.vars[k] == atom_id(a))
            return false;
    if (r->c->finding.n_vars < countof(r->c->finding.vars))
        r->c->finding.vars[r->c->finding.n_vars++] = atom_id(a);
    struct span s = def_site_span(r->c, atom_id(a));
    struct aval printed = aval_of_atom(r->m, a), inferred = aval_here(r, a);
    struct slice meant = SLICE("");
    if (printed.dtype != NONE && dtype_class(printed.dtype) == CLASS_EXTENDED)
        meant = dtype_meant(dtype_text(&r->m->names, printed.dtype));
    note_bound(r, s, atom_id(a), printed.kind == AVAL_UNKNOWN ? &inferred : &printed, meant);
    return false;
}

static void
note_list(struct rule *r, struct span s, const char *format, va_list args)
{
    if (r->c->finding.noted)
        diag_note(r->c->ds, s.at, s.n, "%s", format_args(r, format, args));
}

bool
rule_note(struct rule *r, struct where where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_list(r, where_span(r->m, r->e, where), format, args);
    va_end(args);
    return false;
}

bool
rule_hint(struct rule *r, const char *format, ...)
{
    va_list args;
    if (r->c->finding.hinted)
        return false;
    va_start(args, format);
    note_list(r, (struct span){NONE, 0}, format, args);
    va_end(args);
    r->c->finding.hinted |= r->c->finding.noted;
    return false;
}

bool
rule_hint_read(struct rule *r, u32 i)
{
    return rule_hint(r, "read `%s` first, with `<-`",
                     format_slice(r, module_bytes(r->m, where_span(r->m, r->e, at_operand(i)))));
}

bool
rule_hint_convert(struct rule *r, u32 i)
{
    atom_t a = r->m->atoms.at[r->eqn->atoms + i];
    bool blamed = atom_kind(a) == ATOM_VAR && var_reported(r->c, atom_id(a));
    if (r->c->finding.noted && !blamed && r->in[i].classes != IN_FLOAT0) /* float0 has no values to convert */
        r->c->finding.unconverted = i;
    return false;
}

bool
rule_hint_literal(struct rule *r, u32 i, const struct aval *wanted)
{
    if (r->in[i].literal && wanted->dtype != NONE && dtypes_agree(&r->in[i], wanted) == NO)
        rule_hint(r, "should the literal be %s?", format_dtype(r, wanted));
    return false;
}

bool
rule_note_result(struct rule *r, u32 i)
{
    struct aval binder = rule_binder(r, i);
    note_bound(r, where_span(r->m, r->e, at_result(i)), r->eqn->vars + i, &binder, SLICE(""));
    return false;
}

bool
rule_note_binder(struct rule *r, jaxpr_t j, u32 k)
{
    struct span s = jaxpr_binder_span(r->m, j, k);
    struct aval printed = aval_elsewhere(r, atom_make(ATOM_VAR, r->m->jaxprs.at[j].vars + k));
    note_bound(r, s, r->m->jaxprs.at[j].vars + k, &printed, SLICE(""));
    return false;
}

bool
rule_note_out(struct rule *r, jaxpr_t j, u32 k)
{
    struct span s = jaxpr_out_span(r->m, j, k);
    struct aval given = jaxpr_out_aval(r, j, k);
    if (r->c->finding.noted && s.at <= r->m->text.n)
        diag_note(r->c->ds, s.at, s.n, "`%s`, which is %s, is returned here", format_out(r, j, k),
                  format_aval(r, &given));
    return false;
}
