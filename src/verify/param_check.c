/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks parameters against the columns of their row: required ones must be printed, and each value must be of the kind
 * of its role. The rule of the row checks values against operands. Linear in the bytes of the parameters. */
#include "verify/checker.h"

#include "base/chars.h"
#include "base/near.h"
#include "verify/value_kinds.h"

/* whether a key is a misspelling of a known one: with wrong, lost or similar letters, written twice, or in capitals */
static bool
is_misspelled_key(struct slice key, struct slice known)
{
    return word_lost_part(key, known, false) || word_is_replaced(key, known) || word_is_garbled(key, known) ||
           word_is_misspelled(key, known) || word_is_doubled(key, known) || word_is_capital(key, known);
}

u32
misspelled_param(const struct prim *prim, struct slice key, u64 seen)
{
    for (u32 i = 0; key.n && i < prim->n_listed && i < MOST_LISTED; i++)
        if (!(seen >> i & 1) && is_misspelled_key(key, prim->listed[i].key))
            return i;
    return NONE;
}

/* reports unknown keys that are misspellings of a key of the row that is not printed */
static void
report_misspellings(struct rule *r, u64 seen)
{
    struct name_buffer buffer;
    const struct prim *prim = r->prim;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        struct slice key = unlisted_key(r, p, &buffer);
        u32 i = misspelled_param(prim, key, seen);
        if (i == NONE)
            continue;
        struct span at = param_key_span(r->m, p);
        r->names_reported = true;
        rule_unread(r, DIAG_T010, at_text(at.at, at.n), PARAM_IS_MISSPELLED, format_prim(r), format_slice(r, key),
                    format_slice(r, prim->listed[i].key), prim->needed >> i & 1 ? ", which is missing" : "");
    }
}

/* true for a program that follows an equation, which check_no_program reports */
static bool
is_appended(const struct param *p, struct slice key)
{
    return p->kind == PARAM_JAXPR && slice_eq(key, SLICE("call_jaxpr"));
}

/* Reports, once per program, or with --strict in each equation, keys that the primitive's row does not list. As the row
 * lists the keys of all known versions of JAX, the key is damaged, or of a later release */
static void
report_unlisted(struct rule *r)
{
    struct name_buffer buffer;
    struct checker *c = r->c;
    if (r->probe || r->prim->is.keywords)
        return;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        const struct param *param = &r->m->params.at[p];
        struct slice key = unlisted_key(r, p, &buffer);
        u32 id = (u32)(hash_seeded(r->eqn->prim, param->key) >> 33);
        bool again = memo_get(&c->unlisted, id) == c->program + 1ull && !r->options->strict;
        if (key.n == 0 || again || is_appended(param, key))
            continue;
        memo_set(r->m->mem, &c->unlisted, id, c->program + 1ull);
        struct span at = param_key_span(r->m, p);
        rule_unread(r, DIAG_T010, at_text(at.at, at.n),
                    "`%s` has no parameter `%s` in any known version of JAX, so its value is not checked",
                    format_prim(r), format_slice(r, key));
        r->names_reported = true;
    }
}

/* what is wrong with a truncated value of a parameter that may be `None`; NULL for other values */
static const char *
lost_of_constant(const struct prim_param *param, struct slice text)
{
    return !param->nullable || !value_is_cut(text) ? NULL
           : slice_starts(SLICE("None"), text)     ? "truncated: it is the beginning of `None`"
                                                   : "truncated: its end is missing";
}

/* what is wrong with the text of a parameter that may contain any character; NULL for nothing. Names of functions are
 * not empty, nor do they begin with a sign of the syntax */
static const char *
fault_of_text(struct rule *r, const struct prim_param *param, struct slice text)
{
    bool name = slice_eq(param->key, SLICE("name"));
    if (name && text.n == 0)
        return "truncated: it is empty";
    if (name && strchr("=,;:()[]{}", text.at[0]))
        return format_text(r, "damaged: no name begins with `%c`", text.at[0]);
    return text_is_cut(text) ? "truncated: it ends with `>` but contains no `<`" : lost_of_constant(param, text);
}

/* reports that a required parameter is missing; false after an error. An abridged print, which contains only programs,
 * is checked as far as these show */
static bool
report_missing(struct rule *r, u32 i, bool unknown_keys, bool abridged)
{
    if (unknown_keys) {
        rule_unlike(r);
        return true;
    }
    const char *keys = r->probe ? "" : missing_keys(r->c->ds, r->prim, i, checker_shown(r->c));
    if (!abridged)
        return rule_error(r, DIAG_T010, at_prim(), PARAM_IS_MISSING, format_prim(r), keys);
    rule_trust(r, at_prim(), "`%s` is printed without %s, so its results are not verified", format_prim(r), keys);
    if (!r->options->strict)
        rule_warning(r, DIAG_T010, at_prim(), PARAM_IS_MISSING, format_prim(r), keys);
    return true;
}

static bool
report_kind(struct rule *r, const struct prim_param *param, const struct param *p)
{
    const char *key = format_slice(r, param->key);
    struct slice text = p->span.at == NONE ? SLICE("a program") : value_trim(param_bytes(r->m, p));
    bool word = text.n && is_word_start(text.at[0]) && !slice_eq(text, SLICE("None")) &&
                !slice_eq(text, SLICE("True")) && !slice_eq(text, SLICE("False"));
    bool object = param->kind == ROLE_RECORD || param->kind == ROLE_SET || param->kind == ROLE_TREE, truth,
         minor = role_is_unread(param->kind) || (object && word); /* not read by rules, or from a later release */
    if (param->kind == ROLE_BOOL) /* JAX takes numbers and None by their truth, and truths as integers */
        minor = value_truth(text, &truth);
    else if (param->kind == ROLE_INT || param->kind == ROLE_AXIS) /* and some numbers such as 3.0 */
        minor = is_bool(text) || (text.n > 2 && is_digit(text.at[0]) && slice_ends(text, SLICE(".0")));
    struct slice odd;
    char wanted = 0;
    if (p->kind == PARAM_TEXT)
        value_stop(text, &wanted);
    minor = minor || wanted == FIELD_UNKNOWN; /* a later release may print more */
    struct slice entry = p->kind == PARAM_TEXT && (param->of.n == 0 || param->kind == ROLE_ITEMS)
                             ? value_odd_entry(r->m->mem, param, text)
                             : SLICE("");
    const char *malformed =
        p->kind == PARAM_TEXT ? value_malformed(r->c->ds, text, entry, value_may_be_angled(param), &odd) : NULL;
    struct slice of_spec = param->kind == ROLE_SPECS && entry.n ? value_odd_spec_entry(entry) : SLICE("");
    if (of_spec.n) {
        odd = of_spec;
        malformed = format_text(r, "`%s`: an entry of a spec must be None, a mesh axis or a tuple of mesh axes",
                                format_slice(r, of_spec));
    }
    if (malformed)
        return (minor ? rule_warning : rule_stricter)(r, DIAG_T010, at_slice(r, key, odd), VALUE_IS_MALFORMED, key,
                                                      format_prim(r), malformed);
    const char *lost = p->kind == PARAM_TEXT ? lost_of_constant(param, text) : NULL;
    if (lost)
        return rule_warning(r, DIAG_T010, at_slice(r, key, text), "`%s` of `%s` seems %s", key, format_prim(r), lost);
    if (param->kind == ROLE_PLATFORMS && slice_eq(text, SLICE("()")))
        return rule_warning(r, DIAG_T010, at_slice(r, key, text), "`%s` of `%s` must not be empty", key,
                            format_prim(r));
    const char *got = value_got(r->c->ds, text, entry, p->kind == PARAM_TEXT);
    return (minor ? rule_warning : rule_stricter)(r, DIAG_T010, at_slice(r, key, entry), VALUE_OF_OTHER_KIND, key,
                                                  format_prim(r), param->nullable ? "None or " : "",
                                                  param_noun(r->c->ds, param), got);
}

static void
report_misspelling(struct rule *r, const struct prim_param *param, struct slice word, struct slice meant)
{
    const char *key = format_slice(r, param->key);
    rule_warning(r, DIAG_T010, at_slice(r, key, word), VALUE_HAS_MISSPELLING, key, format_prim(r),
                 format_misspelling(r->c->ds, word, meant));
}

u32
listed_param(const struct module *m, const struct prim *prim, name_t key, u32 guess)
{
    u32 place = listed_place(prim, key, guess);
    if (likely(place != NONE))
        return place;
    struct name_buffer buffer;
    return prim_listed(prim, module_name(m, key, &buffer));
}

/* whether the i-th parameter of a row, or another spelling of it, was seen; *last is its last spelling */
static bool
is_printed(const struct prim *prim, u64 seen, u32 i, u32 *last)
{
    bool printed = seen >> i & 1;
    for (*last = i; prim->listed[*last].more && *last + 1u < prim->n_listed; ++*last)
        printed |= seen >> (*last + 1) & 1;
    return printed;
}

u32
missing_param(const struct prim *prim, u64 seen, bool *abridged)
{
    u32 missing = 0, first = NONE, last;
    bool programs = seen != 0; /* something is printed, and only programs */
    for (u32 i = 0; i < prim->n_listed && i < MOST_LISTED; i = last + 1) {
        if (!is_printed(prim, seen, i, &last) && (prim->needed >> i & 1) && missing++ == 0)
            first = i;
        programs &= !(seen >> i & 1) || prim->listed[i].kind == ROLE_JAXPR;
    }
    *abridged = missing > 1 && programs;
    return first;
}

const char *
missing_keys(struct diags *ds, const struct prim *prim, u32 i, struct version_range shown)
{
    const char *keys = NULL;
    for (u32 k = i; k == i || (k < prim->n_listed && prim->listed[k - 1].more); k++) {
        struct version_range printing = range_meet(prim->listed[k].printed.always, shown);
        const char *key = diag_quote(ds, prim->listed[k].key);
        if (range_given(printing))
            keys = keys ? arena_printf(ds->mem, "%s or `%s`", keys, key).at : arena_printf(ds->mem, "`%s`", key).at;
    }
    return keys ? keys : arena_printf(ds->mem, "`%s`", diag_quote(ds, prim->listed[i].key)).at;
}

/* whether the value of a parameter contains a key, or is damaged and contains the `=` of one, which it has swallowed */
static bool
has_swallowed(const struct rule *r, struct slice key)
{
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        struct slice text = param_bytes(r->m, &r->m->params.at[p]);
        if (slice_contains(text, key) || (memchr(text.at, '=', text.n) && !value_is_object(text)))
            return true;
    }
    return false;
}

/* the text of an equation that has a syntax error, on whose line the keys in it cannot be read; empty for others */
static struct slice
unreadable_text(struct rule *r)
{
    return rule_text_is_broken(r) ? module_bytes(r->m, rule_text(r)) : SLICE("");
}

/* the bits of `lacking` without those of unreadable parameters */
static u64
lacking_readable(struct rule *r, u64 lacking)
{
    struct slice text = unreadable_text(r);
    for (u32 i = 0; text.n && i < r->prim->n_listed && i < MOST_LISTED && lacking >> i; i++)
        if (lacking >> i & 1 && slice_contains(text, r->prim->listed[i].key))
            lacking &= ~(1ull << i);
    return lacking;
}

/* false if a required parameter was reported as missing: only the first of several is reported. `sound`: no value was
 * reported, which may be damaged */
static bool
all_printed(struct rule *r, u64 seen, bool unknown_keys, bool sound)
{
    bool abridged;
    u32 i = missing_param(r->prim, seen, &abridged);
    return i == NONE || slice_contains(unreadable_text(r), r->prim->listed[i].key) ||
           (!sound && has_swallowed(r, r->prim->listed[i].key)) || report_missing(r, i, unknown_keys, abridged);
}

/* whether `...` replaces a value, or elements of a tuple or list, as in `(1, ..., 0)` */
static inline bool
has_omission(struct slice text)
{
    const char *dots = memchr(text.at, '.', text.n);
    if (likely(dots == NULL))
        return false;
    dots = memmem(dots, (size_t)(text.at + text.n - dots), "...", 3);
    return dots && (text.n == 3 || (dots > text.at && strchr("([ ,", dots[-1]) && strchr(",)]", dots[3])));
}

/* whether values that the rule reads are omitted; Python's repr of an object may contain `...`, but not in place of all
 * entries of a tuple, `axis_types=(...)` */
static bool
is_omitted(const struct rule *r, const struct prim_param *listed, struct slice text)
{
    if (listed->kind == ROLE_RECORD)
        return !r->probe && slice_contains(text, SLICE("=(...)"));
    return !r->probe && listed->kind != ROLE_TEXT && listed->kind != ROLE_OBJECT && listed->kind != ROLE_REPR &&
           listed->kind != ROLE_TREE;
}

struct span
dots_span(const struct module *m, eqn_t e, struct slice part)
{
    struct span all = m->params.at[m->eqns.at[e].params].span;
    const char *at = memmem(part.at, part.n, "...", 3);
    if (!at || all.at >= m->text.n)
        return eqn_prim_span(m, e);
    return (struct span){all.at + (u32)(at - module_bytes(m, all).at), 3};
}

void
report_omitted(struct checker *c, struct span s)
{
    if (!c->omitted && !c->options->strict)
        diag_add(c->ds, DIAG_S018, s.at, s.n,
                 "`...` replaces parameters or values, so this equation cannot be checked");
    c->omitted = true;
}

struct span
aligned_line(const struct module *m, const struct param *p)
{
    const char *text = m->text.at, *at = text + p->span.at, *end = at + p->span.n, *line = at;
    if (p->kind != PARAM_TEXT || p->span.at + p->span.n > m->text.n || !memchr(at, '\n', p->span.n))
        return (struct span){0, 0};
    while (line > text && line[-1] != '\n')
        line--;
    size_t indent = (size_t)(skip_spaces(line) - line);
    for (const char *q = at; (q = memchr(q, '\n', (size_t)(end - q))) != NULL;) {
        q++;
        if (indent == 0 || (size_t)(skip_spaces(q) - q) != indent || q + indent >= end || strchr("([{ \n", q[indent]))
            continue;
        const char *stop = memchr(q, '\n', (size_t)(end - q));
        return (struct span){(u32)(q + indent - text), (u32)((stop ? stop : end) - q - (ptrdiff_t)indent)};
    }
    return (struct span){0, 0};
}

/* warns if text, or the value of an unknown key, seems damaged */
static void
report_damage(struct rule *r, const struct param *p, const struct prim_param *listed)
{
    struct slice text = value_trim(param_bytes(r->m, p));
    /* other texts may contain any character */
    const char *close = listed ? NULL : stray_close(text);
    bool odd = !listed && begins_with_sign(text);
    const char *what = close    ? format_text(r, "damaged: no bracket is open before this `%c`", *close)
                       : odd    ? format_text(r, "damaged: no value begins with `%c`", *text.at)
                       : listed ? fault_of_text(r, listed, text)
                                : NULL;
    if (likely(what == NULL))
        return;
    struct span at = close ? value_span(r->m, p, (struct slice){close, 1}) : p->span;
    rule_warning(r, DIAG_T010, at_text(at.at, at.n), "`%s` of `%s` seems %s", quote_name(r->m, r->c->ds, p->key),
                 format_prim(r), what);
    r->names_reported |= listed == NULL;
}

/* checks the value of a parameter against its row, whose parameter it is */
static bool
param_fits(struct rule *r, const struct param *param, const struct prim_param *listed)
{
    struct slice word, meant;
    if (listed->kind == ROLE_TEXT || likely(value_is_sound(&r->c->sound, r->m, param, listed)))
        return (param->kind != PARAM_TEXT || rule_param_names(r, param, listed)) &&
               (listed->kind != ROLE_RECORD || rule_spec(r, param, listed));
    bool member = listed->kind == ROLE_MEMBER || listed->kind == ROLE_PRECISION || listed->kind == ROLE_ACCURACY;
    if (!(member || value_fits(r->m, param, listed)) ||
        !value_has_misspelling(&r->c->sound, r->m, param, listed, &word, &meant))
        return report_kind(r, listed, param);
    report_misspelling(r, listed, word, meant);
    return true;
}

bool
rule_params(struct rule *r)
{
    const struct prim *prim = r->prim;
    u64 seen = 0;
    u32 guess = 0;
    bool unknown_keys = false, right = true, failed = r->failed;
    const struct parts doubted = r->doubted;
    if (r->eqn->form > EQN_CALL_BARE || (failed && r->eqn->params == NONE))
        return true; /* `a <- b[..]` shows no parameters; those of damaged text are lost */
    r->several = true;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        const struct param *param = &r->m->params.at[p];
        if (param->key == NONE)
            continue;
        u32 i = listed_param(r->m, r->prim, param->key, guess);
        unknown_keys |= i == NONE;
        bool text = param->kind == PARAM_TEXT, opaque = i >= MOST_LISTED || prim->listed[i].kind == ROLE_TEXT;
        struct span line = opaque ? aligned_line(r->m, param) : (struct span){0, 0};
        if (unlikely(line.n))
            rule_warning(r, DIAG_T010, at_text(line.at, line.n), LINE_IN_VALUE, quote_name(r->m, r->c->ds, param->key));
        if (text && opaque && right)
            report_damage(r, param, i == NONE ? NULL : &prim->listed[i]);
        if (i >= MOST_LISTED)
            continue;
        if (text && unlikely(has_omission(param_bytes(r->m, param))) &&
            is_omitted(r, &prim->listed[i], param_bytes(r->m, param)))
            report_omitted(r->c, where_span(r->m, r->e, (struct where){.kind = AT_PARAM, .i = p}));
        seen |= 1ull << i;
        guess = i + 1;
        if (unlikely(!param_fits(r, param, &prim->listed[i]))) {
            r->unread.params |= p - r->eqn->params < 64 ? 1ull << (p - r->eqn->params) : 0;
            r->doubted = doubted;
            right = false;
        }
    }
    if (unlikely(unknown_keys) && !failed && !r->names_reported)
        report_misspellings(r, seen);
    if (failed && r->n == 0)
        seen = ~0ull; /* some may be lost with the operands */
    if (unlikely((prim->needed & ~seen) != 0) && !all_printed(r, seen, unknown_keys, right))
        right = false;
    r->several = false;
    if (unlikely(unknown_keys) && !r->names_reported && !failed && right)
        report_unlisted(r);
    u64 lacking = prim->expected & ~seen;
    bool reported = r->trusted || (unknown_keys && r->names_reported);
    return right && (likely(lacking == 0) || reported || rule_lost_params(r, seen, lacking_readable(r, lacking)));
}
