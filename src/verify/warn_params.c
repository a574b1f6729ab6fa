/* SPDX-License-Identifier: Apache-2.0
 *
 * Warns, for verbs that do not check types, of missing parameters and of values that do not fit their role, once for
 * each program, primitive and key. Linear in the bytes of the parameters. */
#include "verify/checker.h"

struct checking {
    struct module *m;
    const program_t *programs; /* of the stream */
    u32 n;
    bool refuse, missing;
    bool misfits; /* some value did not fit or was missing, or its equation was damaged and not checked */
    struct diags *ds;
    struct prims prims;
    struct sound_values sound;
    struct memo seen;  /* by primitive and key, or, if `refuse`, by program: the last program reported, plus one */
    struct memo lacks; /* by primitive and place of the key in its row: the same */
    struct version_range shown; /* see versions_around */
    u32 shown_of;               /* the number of that program, plus one; 0: none */
};

/* identifies an equation's primitive and one of its keys */
static u32
key_id(const struct checking *w, eqn_t e, u32 key)
{
    return key ^ w->m->eqns.at[e].prim * 0x9E3779B1u;
}

/* whether a finding is the first of its kind in its program; if so, makes that the program of the next diagnostic */
static bool
begin_report(struct checking *w, struct memo *reported, u32 id, u32 program)
{
    if (memo_get(reported, id) == program + 1ull)
        return false;
    memo_set(w->m->mem, reported, id, program + 1ull);
    w->ds->program = program;
    return true;
}

/* `word` is empty if the value is of another kind, else a misspelling of `meant` in it */
static void
report_value(struct checking *w, eqn_t e, const struct param *p, const struct prim_param *param, struct slice word,
             struct slice meant)
{
    struct diags *ds = w->ds;
    const struct eqn *eqn = &w->m->eqns.at[e];
    struct span at = p->span.at == NONE ? where_span(w->m, e, at_prim()) : p->span;
    u32 program = program_around(w->m, w->programs, w->n, at.at);
    if (!begin_report(w, &w->seen, w->refuse ? program : key_id(w, e, p->key), program))
        return;
    struct slice text = p->span.at == NONE ? SLICE("a program") : value_trim(param_bytes(w->m, p));
    const char *key_text = diag_quote(ds, param->key), *prim = quote_name(w->m, ds, eqn->prim);
    enum diag_code code = w->refuse ? DIAG_S023 : DIAG_T010;
    struct slice odd;
    const char *malformed = !word.n && p->kind == PARAM_TEXT
                                ? value_malformed(ds, text, SLICE(""), value_may_be_angled(param), &odd)
                                : NULL;
    if (malformed)
        at = value_span(w->m, p, odd);
    if (malformed)
        diag_add(ds, code, at.at, at.n, VALUE_IS_MALFORMED, key_text, prim, malformed);
    else if (word.n)
        diag_add(ds, code, at.at, at.n, VALUE_HAS_MISSPELLING, key_text, prim, format_misspelling(ds, word, meant));
    else
        diag_add(ds, code, at.at, at.n, VALUE_OF_OTHER_KIND, key_text, prim, param->nullable ? "None or " : "",
                 param_noun(ds, param), value_got(ds, text, SLICE(""), p->kind == PARAM_TEXT));
    if (w->refuse)
        diag_note(ds, NONE, 0,
                  "the text was repaired, which may have damaged this value; `--force` keeps the value as it is");
    else
        diag_relevel(ds, LEVEL_WARNING);
    ds->program = NONE;
}

/* ---- parameters that are missing ---- */

struct slice
after_primitive(const struct module *m, eqn_t e)
{
    const struct eqn *eqn = &m->eqns.at[e];
    struct slice text = value_trim(module_bytes(m, m->params.at[eqn->params].span));
    size_t i = 0;
    if (eqn->n_vars > 0) {
        const char *equals = memmem(text.at, text.n, "= ", 2);
        i = equals ? (size_t)(equals + 2 - text.at) : text.n;
    }
    i = dotted_until(text, i);
    return (struct slice){text.at + i, text.n - i};
}

bool
list_is_empty(const struct module *m, eqn_t e, struct slice rest)
{
    struct name_buffer buffer;
    return slice_starts(rest, SLICE("[]")) && dtype_find(module_name(m, m->eqns.at[e].prim, &buffer)) == NONE;
}

/* begin_report for the i-th key of a primitive, which is missing */
static bool
begin_missing(struct checking *w, eqn_t e, u32 i, struct span at)
{
    return begin_report(w, &w->lacks, key_id(w, e, i), program_around(w->m, w->programs, w->n, at.at));
}

static void
end_missing(struct checking *w)
{
    diag_relevel(w->ds, LEVEL_WARNING);
    w->ds->program = NONE;
}

/* warns of `prim[] a` */
static void
warn_empty(struct checking *w, eqn_t e)
{
    struct span at = where_span(w->m, e, at_prim());
    at = (struct span){at.at + at.n, strlen("[]")};
    if (!list_is_empty(w->m, e, after_primitive(w->m, e)) || !begin_missing(w, e, MOST_LISTED, at))
        return;
    diag_add(w->ds, DIAG_T010, at.at, at.n, LIST_IS_EMPTY, quote_name(w->m, w->ds, w->m->eqns.at[e].prim));
    end_missing(w);
}

/* the parameter whose key is a misspelling of a required key of the row, whose index is *meant; NONE if there is
 * none */
static param_t
misspelling(const struct rule *r, u64 seen, u32 *meant)
{
    struct name_buffer buffer;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        *meant = misspelled_param(r->prim, unlisted_key(r, p, &buffer), seen);
        if (*meant != NONE && r->prim->needed >> *meant & 1)
            return p;
    }
    return NONE;
}

/* the versions that may have printed the program with this number; no version outside of programs. Linear in the
 * program, unless it was asked for last */
static struct version_range
versions_around(struct checking *w, u32 program)
{
    if (program >= w->n)
        return NO_VERSION;
    if (w->shown_of != program + 1)
        w->shown = program_shown(w->m, w->programs[program]).all;
    w->shown_of = program + 1;
    return w->shown;
}

/* warns if a required parameter is not in the set `seen`, unless the print is abridged or is that of another primitive
 * of the same name */
static void
warn_missing(struct checking *w, struct rule *r, u64 seen)
{
    struct diags *ds = w->ds;
    bool abridged;
    u32 meant, i = missing_param(r->prim, seen, &abridged);
    w->misfits |= i != NONE;
    if (i == NONE || holds_damaged(r))
        return;
    param_t p = misspelling(r, seen, &meant);
    i = p == NONE ? i : meant;
    struct span at = p == NONE ? where_span(w->m, r->e, at_prim()) : param_key_span(w->m, p);
    if ((p == NONE && (abridged || !row_fits(r))) || !begin_missing(w, r->e, i, at))
        return;
    const char *prim = quote_name(w->m, ds, r->eqn->prim);
    if (p == NONE) {
        diag_add(ds, DIAG_T010, at.at, at.n, PARAM_IS_MISSING, prim,
                 missing_keys(ds, r->prim, i, versions_around(w, ds->program)));
    } else {
        diag_add(ds, DIAG_T010, at.at, at.n, PARAM_IS_MISSPELLED, prim, quote_name(w->m, ds, w->m->params.at[p].key),
                 diag_quote(ds, r->prim->listed[i].key), ", which is missing");
    }
    end_missing(w);
}

/* notes the program of an equation that has unusual parameters, such as those without a place in its row, or lacks some
 * of which every version prints one whatever its value is */
static void
note_unusual(struct checking *w, eqn_t e, const struct prim *prim, bool unusual, u64 lacking)
{
    u32 program = program_around(w->m, w->programs, w->n, w->m->eqns.at[e].offset);
    for (; lacking && !unusual; lacking &= lacking - 1)
        unusual = range_within(range_since(JAX_JAXPRS_SHARED), prim->listed[__builtin_ctzll(lacking)].printed.always);
    if (unusual && program < w->n)
        w->m->programs.at[w->programs[program]].unusual = true;
}

/* ---- equations ---- */

/* checks the parameters of an equation, which are usually printed in the order of the row */
static void
check_parameters(struct checking *w, eqn_t e, const struct prim *prim)
{
    struct rule r = {.m = w->m, .e = e, .eqn = &w->m->eqns.at[e], .prim = prim};
    u32 guess = 0;
    u64 seen = 0;
    bool strange = false; /* some value is of another kind; it may contain the missing parameters */
    bool unusual = false;
    for (param_t p = r.eqn->params; p != NONE; p = w->m->params.at[p].next) {
        const struct param *param = &w->m->params.at[p];
        u32 i = param->key == NONE ? NONE : listed_place(prim, param->key, guess);
        if (i == NONE) {
            unusual = true;
            continue;
        }
        guess = i + 1;
        seen |= i < MOST_LISTED ? 1ull << i : 0;
        struct slice word = SLICE(""), meant = SLICE("");
        if (prim->listed[i].kind == ROLE_TEXT) {
            /* it may be a function, and rewrites take it for nothing; kernels without a name have `name=None` */
            unusual |= slice_eq(param_bytes(w->m, param), SLICE("None")) && !prim->is.kernel;
            continue;
        }
        if (likely(value_is_sound(&w->sound, w->m, param, &prim->listed[i])))
            continue;
        if (prim->listed[i].kind == ROLE_MEMBER || value_fits(w->m, param, &prim->listed[i]))
            value_has_misspelling(&w->sound, w->m, param, &prim->listed[i], &word, &meant);
        w->misfits = true;
        strange |= word.n == 0;
        if (row_fits(&r))
            report_value(w, e, param, &prim->listed[i], word, meant);
    }
    if (unlikely(unusual || (prim->always_printed & ~seen) != 0))
        note_unusual(w, e, prim, unusual, prim->always_printed & ~seen);
    if (unlikely((prim->needed & ~seen) != 0) && w->missing && !strange)
        warn_missing(w, &r, seen);
}

void
check_params(struct module *m, const program_t *programs, u32 n, bool refuse, bool missing, struct diags *ds)
{
    struct checking w = {.m = m, .programs = programs, .n = n, .refuse = refuse, .missing = missing, .ds = ds};
    prims_init(m->mem, &w.prims);
    for (eqn_t e = 0; e < m->eqns.n; e++) {
        const struct eqn *eqn = &m->eqns.at[e];
        w.misfits = w.misfits || eqn->form == EQN_DAMAGED;
        if (unlikely(eqn->form == EQN_RAW && missing))
            warn_empty(&w, e);
        if (eqn->form > EQN_CALL_BARE || (eqn->list == LIST_REPEATED && !w.misfits))
            continue;
        const struct prim *prim = prims_find(&w.prims, m, eqn->prim);
        if (prim && (eqn->params != NONE || prim->needed))
            check_parameters(&w, e, prim);
    }
    prims_free(&w.prims);
    memo_free(m->mem, &w.seen);
    memo_free(m->mem, &w.lacks);
}
