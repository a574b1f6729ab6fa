/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds parameters that an equation lacks, although the JAX version that printed the program always prints them: a line
 * was lost. The text shows which versions may have printed it, and whether JAX printed it or it is the canonical form,
 * which drops parameters that have their default. Linear in the program, once per program in which something is
 * missing. */
#include "regions/span.h"
#include "verify/checker.h"

/* parameters that the canonical form drops if they have one of these values, however many operands there are */
static const struct {
    struct slice prim, key, value;
} defaults[] = {
#define SILENT(prim, key, value) {SLICE(prim), SLICE(key), SLICE(value)},
#include "spellings.def"
#undef SILENT
};

/* parameters that say nothing: the canonical form prints some of them to show which versions printed a program */
static const struct {
    struct slice prim, key;
} left_out[] = {
#define LEFT_OUT(prim, key) {SLICE(prim), SLICE(key)},
#include "spellings.def"
#undef LEFT_OUT
};

/* fields of records that the canonical form drops */
static const struct slice fields[] = {
#define FIELD(name, value) SLICE(name "=" value),
#include "spellings.def"
#undef FIELD
};

/* what a value shows about its text: nothing, that JAX probably printed it, or that JAX surely did, as every version
 * prints the value and the canonical form drops it */
enum evidence { SHOWS_NOTHING, SHOWS_PRINT, SHOWS_NONE };

/* the end of what repeats an element of a tuple from p on: `, Auto, Auto` and the comma of a single one */
static const char *
repeated_end(const char *p, const char *end, struct slice element)
{
    for (; p < end && (*p == ',' || *p == ' '); p++)
        if (element.n && slice_starts((struct slice){p + 1, (size_t)(end - p - 1)}, element))
            p += element.n;
    return p;
}

/* whether a text contains a field of fields[]; a tuple is printed with an element for each axis, `(Auto, Auto)` */
static bool
has_field(struct slice text, struct slice value)
{
    bool tuple = value.at[value.n - 1] == ')';
    const char *end = text.at + text.n, *p = memmem(text.at, text.n, value.at, value.n - tuple);
    const char *open = tuple ? memchr(value.at, '(', value.n) : NULL;
    if (p == NULL || !tuple)
        return p != NULL;
    struct slice element = {open + 1, (size_t)(value.at + value.n - 1 - (open + 1))};
    p = repeated_end(p + value.n - 1, end, element);
    return p < end && *p == ')';
}

/* whether a text is a value of defaults[] */
static bool
is_default(struct slice text, struct slice value)
{
    bool tuple = value.n > 2 && *value.at == '(' && text.n && *text.at == '(';
    if (!tuple)
        return slice_eq(text, value);
    return slice_starts(text, (struct slice){value.at, value.n - 1}) &&
           repeated_end(text.at + value.n - 1, text.at + text.n, (struct slice){value.at + 1, value.n - 2}) ==
               text.at + text.n - 1;
}

/* whether an equation is a reshape that changes the number of elements, of which the canonical form prints
 * `sharding=None` */
static bool
keeps_none(const struct module *m, const struct eqn *e, const struct prim *prim)
{
    if (prim->is.sharding != SHARD_RESHAPED || e->n_atoms != 1 || e->n_vars != 1)
        return false;
    type_t from = atom_type(m, m->atoms.at[e->atoms]), to = m->vars.at[e->vars].type;
    return from != NONE && to != NONE && element_counts_differ(m, type_get(&m->types, from), type_get(&m->types, to));
}

/* what the value of a parameter, the i-th of the row, shows: `None`, a default, and a field that the canonical form
 * drops */
static enum evidence
param_shows(struct checker *c, const struct eqn *e, const struct prim *prim, const struct param *param, u32 i)
{
    struct slice text = param_bytes(c->m, param);
    const struct prim_param *listed = &prim->listed[i];
    if (slice_eq(text, SLICE("None"))) {
        bool every = prim->dropped >> i & 1 && listed->nullable && !(listed->optional && keeps_none(c->m, e, prim));
        return prim->always_printed >> i & 1 ? SHOWS_NOTHING : every ? SHOWS_NONE : SHOWS_PRINT;
    }
    for (u32 k = 0; k < countof(left_out); k++)
        if (slice_eq(left_out[k].key, listed->key) && slice_eq(left_out[k].prim, slice_of(prim->name)))
            return SHOWS_NOTHING;
    for (u32 k = 0; k < countof(defaults); k++)
        if (is_default(text, defaults[k].value) && slice_eq(defaults[k].key, listed->key) &&
            slice_eq(defaults[k].prim, slice_of(prim->name)))
            return SHOWS_NONE;
    for (u32 k = 0; text.n && text.at[text.n - 1] == ')' && k < countof(fields); k++)
        if (has_field(text, fields[k]))
            return SHOWS_NONE;
    return SHOWS_NOTHING;
}

/* whether a parameter is a text, or `()` */
static bool
shows_value(const struct param *p)
{
    return p->kind == PARAM_TEXT || (p->kind == PARAM_TUPLE && p->a == NONE);
}

/* the index of a key in a row; MOST_LISTED if it is not listed */
static u32
listed_as(const struct prim *prim, name_t key)
{
    u32 i = listed_place(prim, key, 0);
    return i < MOST_LISTED ? i : MOST_LISTED;
}

/* the first equation of the current program that is inspected; *end is the one after the last */
static eqn_t
inspected(const struct checker *c, eqn_t *end)
{
    enum { MOST = 4096 };
    const struct program *p = &c->m->programs.at[c->program];
    eqn_t first = module_first_eqn(c->m, p->offset);
    *end = module_first_eqn(c->m, p->end);
    *end = *end > first + MOST ? first + MOST : *end;
    return first;
}

/* the row of an equation that prints parameters, or NULL */
static const struct prim *
row_of_params(struct checker *c, const struct eqn *e)
{
    return e->form <= EQN_CALL_BARE && e->params != NONE ? prims_find(&c->prims, c->m, e->prim) : NULL;
}

/* adds to c->shown what the parameters of an equation show, and its name: the canonical form prints that of the row */
static void
eqn_shows(struct checker *c, const struct eqn *e)
{
    struct name_buffer buffer;
    const struct prim *prim = row_of_params(c, e);
    c->shown.print |= prim && !slice_eq(module_name(c->m, e->prim, &buffer), slice_of(prim->name));
    for (param_t p = prim ? e->params : NONE; p != NONE; p = c->m->params.at[p].next) {
        const struct param *param = &c->m->params.at[p];
        c->shown.none |=
            param->key != NONE && versions_rename_key(slice_of(prim->name), module_name(c->m, param->key, &buffer));
        u32 i = shows_value(param) ? listed_as(prim, param->key) : MOST_LISTED;
        if (i == MOST_LISTED)
            continue;
        enum evidence shows = param_shows(c, e, prim, param, i);
        c->shown.print |= shows != SHOWS_NOTHING;
        c->shown.none |= shows == SHOWS_NONE;
    }
}

struct versions_shown
program_shown(struct module *m, program_t g)
{
    const struct program *p = &m->programs.at[g];
    struct versions_shown shown = versions_shown(m, p->offset, p->end);
    if (program_untyped(m, p) != NONE)
        shown.all = NO_VERSION;
    return shown;
}

/* evidence in the current program for what printed it, computed once per program */
static void
find_shown(struct checker *c)
{
    struct module *m = c->m;
    c->own_program = true;
    if (c->shown.program == c->program + 1)
        return;
    c->shown.program = c->program + 1;
    c->shown.versions = program_shown(m, c->program);
    c->shown.print = c->shown.none = false;
    eqn_t end;
    for (eqn_t e = inspected(c, &end); e < end && !c->shown.none; e++)
        eqn_shows(c, &m->eqns.at[e]);
}

struct version_range
checker_shown(struct checker *c)
{
    find_shown(c);
    return c->shown.versions.all;
}

/* whether JAX prints a parameter even if its value is `None`. People omit such a parameter, so more evidence is needed
 * that JAX printed a program without it */
static bool
printed_even_as_none(const struct prim_param *param)
{
    return param->nullable && !param->optional;
}

/* the printed parameter together with which JAX prints the i-th one; NULL if there is none, if it has a value and the
 * canonical form may print it alone, or if sizes are operands, which follow the others */
static const struct prim_param *
printed_other(struct rule *r, u64 seen, u32 i)
{
    const struct prim *prim = r->prim;
    struct slice text;
    u64 others = prim->listed[i].beside & seen;
    if (others == 0 || (prim->min > 0 && r->eqn->n_atoms > prim->min))
        return NULL;
    const struct prim_param *other = &prim->listed[__builtin_ctzll(others)];
    bool has_value = other->nullable && !(eqn_value(r->m, r->e, other->key, &text) && slice_eq(text, SLICE("None")));
    return prim->dropped >> i & 1 && has_value ? NULL : other;
}

/* whether another equation of the current program prints the i-th parameter of a row */
static bool
prints_elsewhere(struct checker *c, const struct prim *prim, u32 i)
{
    const struct module *m = c->m;
    u64 *keys = c->shown.keys;
    if (keys == NULL)
        keys = c->shown.keys = arena_alloc(m->mem, prims_count() * sizeof *keys);
    if (c->shown.keys_of == c->program + 1)
        return keys[prim->row] >> i & 1;
    c->shown.keys_of = c->program + 1;
    memset(keys, 0, prims_count() * sizeof *keys);
    eqn_t end;
    for (eqn_t e = inspected(c, &end); e < end; e++) {
        const struct prim *row = row_of_params(c, &m->eqns.at[e]);
        for (param_t at = row ? m->eqns.at[e].params : NONE; at != NONE; at = m->params.at[at].next) {
            u32 k = listed_as(row, m->params.at[at].key);
            keys[row->row] |= k < MOST_LISTED ? 1ull << k : 0;
        }
    }
    return keys[prim->row] >> i & 1;
}

/* whether another spelling of the i-th parameter of the row is printed */
static bool
prints_spelling(struct rule *r, u32 i)
{
    const struct prim *prim = r->prim;
    for (; prim->listed[i].more && i + 1u < prim->n_listed; i++)
        if (eqn_param(r->m, r->e, prim->listed[i + 1].key) != NONE)
            return true;
    return false;
}

/* whether another equation prints the i-th parameter of a row, which only some versions print, but then in each
 * equation: neither they nor the canonical form drop it */
static bool
all_print(struct checker *c, const struct prim *prim, u32 i)
{
    if (!(prim->flags >> i & 1) || !prints_elsewhere(c, prim, i))
        return false;
    for (u32 k = 0; k < countof(defaults); k++)
        if (slice_eq(defaults[k].key, prim->listed[i].key) && slice_eq(defaults[k].prim, slice_of(prim->name)))
            return false;
    return true;
}

/* the parameters in `lacking` that some version always prints, or prints beside one in `seen`, or that another equation
 * prints, and of which no other spelling is printed */
static u64
may_lack(struct rule *r, u64 seen, u64 lacking)
{
    const struct prim *prim = r->prim;
    for (u64 left = lacking; left; left &= left - 1) {
        u32 i = (u32)__builtin_ctzll(left);
        const struct prim_param *param = &prim->listed[i];
        bool printed = range_given(param->printed.always) || (param->beside & seen) ||
                       (r->eqn->params != NONE && all_print(r->c, prim, i));
        if (!printed || (param->more && prints_spelling(r, i)))
            lacking &= ~(1ull << i);
    }
    return lacking;
}

/* whether one of `lacking` is always printed by the versions among `likely_ones` that are older than those that always
 * print a parameter, and only by them: no version prints neither */
static bool
replaces_other(const struct prim *prim, u64 lacking, struct version_range likely_ones, struct version_range always)
{
    struct version_range older = range_without(likely_ones, always);
    for (; lacking && range_given(older) && range_lost_last(likely_ones, older); lacking &= lacking - 1) {
        struct version_range other = prim->listed[__builtin_ctzll(lacking)].printed.always;
        if (range_within(older, other) && !range_within(likely_ones, other))
            return true;
    }
    return false;
}

/* whether the i-th parameter, one of `lacking`, which may_lack() returned, was lost, if the versions `likely_ones` may
 * have printed the program: all of them print it, always (*other is NULL) or beside *other. The canonical form may have
 * dropped it because of its value, or because of the version that printed the program */
static bool
is_lost(struct rule *r, u64 seen, u64 lacking, u32 i, struct version_range likely_ones, const struct prim_param **other)
{
    const struct prim_param *param = &r->prim->listed[i];
    struct checker *c = r->c;
    struct version_range always = param->printed.always;
    bool dropped = r->prim->dropped >> i & 1,
         elsewhere = range_given(always) && !range_within(range_since(JAX_JAXPRS_SHARED), always);
    bool print = c->shown.none || (c->shown.print && (!printed_even_as_none(param) || prints_elsewhere(c, r->prim, i)));
    *other = NULL;
    if (r->prim->flags >> i & 1)
        return true;
    if (!range_given(likely_ones))
        return false;
    if ((print || !(dropped || elsewhere)) && range_within(likely_ones, always))
        return true;
    if (print && replaces_other(r->prim, lacking, likely_ones, always))
        return true;
    *other = print || !dropped ? printed_other(r, seen, i) : NULL;
    return *other && (range_within(likely_ones, param->printed.beside) || prints_elsewhere(c, r->prim, i));
}

/* adds a note at the place that shows that only a range of versions prints the program, if there is one */
static void
note_version_evidence(struct rule *r, const struct version_evidence *evidence, struct version_range range)
{
    struct module *m = r->m;
    const char *versions = range_text(m->mem, range_meet(range, range_since(JAX_OLDEST))).at;
    if (evidence->e == NONE)
        return;
    if (evidence->param != NONE) {
        const struct param *p = &m->params.at[evidence->param];
        struct slice value = param_bytes(m, p);
        const char *part = evidence->part.n ? memmem(value.at, value.n, evidence->part.at, evidence->part.n) : NULL;
        struct span s =
            part ? value_span(m, p, (struct slice){part, evidence->part.n}) : param_key_span(m, evidence->param);
        const char *prim = quote_name(m, r->c->ds, m->eqns.at[evidence->e].prim);
        if (part)
            rule_note(r, at_text(s.at, s.n), "`%s` in `%s` of `%s` is printed only by JAX %s",
                      format_slice(r, evidence->part), quote_name(m, r->c->ds, p->key), prim, versions);
        else
            rule_note(r, at_text(s.at, s.n), "`%s` with this parameter is printed only by JAX %s", prim, versions);
    } else if (evidence->literal != NONE) {
        atom_t a = m->atoms.at[m->eqns.at[evidence->e].atoms + evidence->literal];
        struct span s = eqn_operand_span(m, evidence->e, evidence->literal);
        rule_note(r, at_text(s.at, s.n), "a literal %s a type is printed only by JAX %s",
                  m->literals.at[atom_id(a)].type == NONE ? "without" : "with", versions);
    } else {
        struct span s = eqn_prim_span(m, evidence->e);
        rule_note(r, at_text(s.at, s.n), "this primitive is printed only by JAX %s", versions);
    }
}

/* adds notes at what shows that no version that prints shared programs and is outside of `always` printed the program;
 * `all`: at everything that shows its version. Always false */
static bool
note_versions(struct rule *r, struct version_range always, bool all)
{
    const struct versions_shown *s = &r->c->shown.versions;
    struct version_range since = {s->all.first, ALL_VERSIONS.last}, until = {{0}, s->all.last},
                         newer = range_since(JAX_JAXPRS_SHARED);
    if (all || !range_within(range_meet(until, newer), always))
        note_version_evidence(r, &s->since, since);
    if (all || !range_within(range_meet(since, newer), always))
        note_version_evidence(r, &s->until, until);
    return false;
}

/* reports the i-th parameter as lost: the versions that may have printed the program print it beside `other` or, if
 * that is NULL, always. False after an error */
static bool
report_lost(struct rule *r, u32 i, const struct prim_param *other)
{
    const struct prim_param *param = &r->prim->listed[i];
    struct version_range always = param->printed.always, shown = r->c->shown.versions.all;
    const char *key = format_slice(r, param->key);
    if (r->prim->flags >> i & 1) {
        rule_warning(r, DIAG_T010, at_prim(), "`%s` lacks the parameter `%s`, which other equations of `%s` print",
                     format_prim(r), key, format_prim(r));
        return true;
    }
    bool sure = !(r->prim->dropped >> i & 1) || (printed_even_as_none(param) && r->c->shown.none);
    if (sure && range_within(shown, always)) {
        rule_error(r, DIAG_T010, at_prim(),
                   "`%s` lacks the parameter `%s`, which the JAX version of this program (%s) prints", format_prim(r),
                   key, range_text(r->m->mem, shown).at);
        return note_versions(r, always, true);
    }
    if (other) {
        rule_warning(r, DIAG_T010, at_prim(), "`%s` lacks the parameter `%s`, which is printed together with `%s`",
                     format_prim(r), key, format_slice(r, other->key));
        return true;
    }
    rule_warning(r, DIAG_T010, at_prim(), "`%s` lacks the parameter `%s`, which JAX %s always prints", format_prim(r),
                 key, range_text(r->m->mem, range_meet(always, range_since(JAX_JAXPRS_SHARED))).at);
    note_versions(r, always, false);
    return true;
}

bool
rule_lost_params(struct rule *r, u64 seen, u64 lacking)
{
    enum { MOST_LOST = 3 };
    struct checker *c = r->c;
    if (c->infers || r->eqn->offset == NONE || (lacking = may_lack(r, seen, lacking)) == 0)
        return true;
    find_shown(c);
    struct version_range shown = c->shown.versions.all, likely_ones = range_meet(shown, range_since(JAX_JAXPRS_SHARED));
    u64 all = lacking;
    u32 lost[MOST_LOST], n = 0;
    const struct prim_param *others[MOST_LOST], *other;
    for (; lacking; lacking &= lacking - 1) {
        u32 i = (u32)__builtin_ctzll(lacking);
        if (!is_lost(r, seen, all, i, likely_ones, &other))
            continue;
        if (n == MOST_LOST) /* another program or a person wrote this text */
            return true;
        lost[n] = i;
        others[n++] = other;
    }
    for (u32 k = 0; k < n; k++)
        if (!report_lost(r, lost[k], others[k]))
            return false;
    return true;
}
