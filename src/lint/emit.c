/* SPDX-License-Identifier: Apache-2.0
 *
 * Reporting: findings that a comment or the baseline suppresses are counted but not reported. The key of a finding
 * in a baseline is a hash of its code, where its jaxpr is nested, and its equation, without names, so that names and
 * other equations do not change it. O(log comments) for each finding, and the length of the equation for the first
 * one of a rule. */
#include "lint/facts.h"

#include <stdlib.h>

/* ---- comments ---- */

_Static_assert(RULE_COUNT <= 64, "a set of rules is a word");

/* the rules that a word selects, by a prefix of their codes or by name */
static u64
rules_called(struct slice word)
{
    u64 set = 0;
    for (u32 i = 0; i < RULE_COUNT; i++) {
        struct diag_info info = diag_info(lint_rows[i].code);
        if (slice_starts(slice_of(info.code), word) || slice_eq(word, slice_of(info.name)))
            set |= 1ull << i;
    }
    return set;
}

/* reads the part after `jaxpr: ignore`: the rules of `[P304,N]`, or all if it lists none */
static u64
read_rules(const char *p, const char *end)
{
    const char *close = p < end && *p == '[' ? memchr(p, ']', (size_t)(end - p)) : NULL;
    u64 set = 0;
    if (!close || close == p + 1)
        return ~0ull;
    for (p++; p < close; p++) {
        const char *word = p;
        while (p < close && *p != ',' && *p != ' ')
            p++;
        if (p > word)
            set |= rules_called((struct slice){word, (size_t)(p - word)});
    }
    return set;
}

/* records what a comment suppresses: findings of its line, its equation, or, with `ignore-file`, the whole file */
static void
read_comment(struct lint *l, const struct comment *c)
{
    struct module *m = l->m;
    struct slice text = comment_ignore(m, c), file = SLICE("-file");
    if (!text.n)
        return;
    const char *end = text.at + text.n, *p = text.at + strlen("jaxpr: ignore");
    bool whole = (size_t)(end - p) >= file.n && memcmp(p, file.at, file.n) == 0;
    u64 rules = read_rules(p + (whole ? file.n : 0), end);
    if (whole) {
        l->suppressed.file |= rules;
        return;
    }
    u32 line = c->offset;
    while (line > 0 && m->text.at[line - 1] != '\n')
        line--;
    *vec_push(m->mem, &l->suppressed.ignores) = (struct ignore){c->offset + c->text.n, line, rules};
    if (c->eqn != NONE)
        memo_set(m->mem, &l->suppressed.eqns, c->eqn, l->suppressed.ignores.n);
}

static int
compare_keys(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

/* reads the next word of a line */
static struct slice
next_field(const char **p, const char *end)
{
    while (*p < end && **p == ' ')
        ++*p;
    struct slice word = {*p, 0};
    while (*p < end && **p != ' ') {
        word.n++;
        ++*p;
    }
    return word;
}

/* A line of a baseline, as lint_write_key writes it; the path is empty in blank lines and comments. */
struct baseline_line {
    struct slice text, path;
    u64 key;
    bool fine; /* it is a valid entry, blank or a comment */
};

/* reads 16 hexadecimal digits; false if the word is something else */
static bool
read_key(struct slice word, u64 *key)
{
    *key = 0;
    for (u32 i = 0; i < word.n; i++) {
        char c = word.at[i];
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f'))
            return false;
        *key = *key << 4 | (u64)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return word.n == 16;
}

/* reads the line at p, and moves p after it */
static struct baseline_line
next_line(const char **p, const char *end)
{
    const char *line_end = memchr(*p, '\n', (size_t)(end - *p));
    line_end = line_end ? line_end : end;
    struct baseline_line line = {.text = {*p, (size_t)(line_end - *p)}};
    struct slice code = next_field(p, line_end), key = next_field(p, line_end);
    while (*p < line_end && **p == ' ')
        ++*p;
    line.fine = code.n == 0 || code.at[0] == '#' || slice_eq(code, SLICE("\r"));
    if (!line.fine && read_key(key, &line.key)) {
        line.path = (struct slice){*p, (size_t)(line_end - *p)};
        line.fine = line.path.n > 0;
    }
    *p = line_end + (line_end < end);
    return line;
}

bool
lint_validate_baseline(struct sink *out, struct slice baseline)
{
    const char *p = baseline.at, *end = p + baseline.n;
    for (u32 n = 1; p < end; n++) {
        struct baseline_line line = next_line(&p, end);
        if (line.fine)
            continue;
        int shown = line.text.n < 60 ? (int)line.text.n : 60;
        sink_printf(
            out, "line %u of the baseline is `%.*s%s`; expected `CODE KEY PATH`, where KEY has 16 digits, 0-9 and a-f",
            n, shown, line.text.at, line.text.n > 60 ? ".." : "");
        return false;
    }
    return true;
}

/* whether a line of a baseline has the path of this text; a carriage return after it may belong to the line */
static bool
has_path(const struct lint *l, struct slice path)
{
    struct slice text = l->run->path, bare = {path.at, path.n - slice_ends(path, SLICE("\r"))};
    return path.n > 0 && (slice_eq(path, text) || slice_eq(bare, text));
}

/* stores the keys of the baseline's lines that have the path of this text, sorted */
static void
read_baseline(struct lint *l)
{
    const char *p = l->run->baseline.at, *end = p + l->run->baseline.n;
    while (p < end) {
        struct baseline_line line = next_line(&p, end);
        if (has_path(l, line.path))
            *vec_push(l->m->mem, &l->suppressed.baseline) = line.key;
    }
    if (l->suppressed.baseline.n) {
        qsort(l->suppressed.baseline.at, l->suppressed.baseline.n, sizeof *l->suppressed.baseline.at, compare_keys);
        memset(vec_push_n(l->m->mem, &l->suppressed.matched, l->suppressed.baseline.n), 0, l->suppressed.baseline.n);
    }
}

void
lint_read_ignores(struct lint *l)
{
    struct module *m = l->m;
    comments_anchor(m);
    for (u32 i = 0; i < m->comments.n; i++)
        read_comment(l, &m->comments.at[i]);
    read_baseline(l);
}

/* true if a comment of the equation, the line or the file suppresses the rule */
static bool
is_ignored(const struct lint *l, eqn_t e, u32 at)
{
    u64 own = e == NONE ? 0 : memo_get(&l->suppressed.eqns, e), ignored = l->suppressed.file;
    if (own)
        ignored |= l->suppressed.ignores.at[own - 1].rules;
    u32 i = vec_before(&l->suppressed.ignores, at); /* the first comment that ends at or after the location */
    if (i < l->suppressed.ignores.n && l->suppressed.ignores.at[i].line <= at)
        ignored |= l->suppressed.ignores.at[i].rules;
    return ignored >> l->rule & 1;
}

/* ---- keys ---- */

/* how much of a type is part of a key: many short equations may refer to one long type */
enum { KEY_BYTES = 4096, KEY_AXES = 1024 };

/* mixes a type into a hash, without the names in its sizes */
static u64
mix_type(const struct lint *l, u64 h, type_t type)
{
    const struct module *m = l->m;
    if (type == NONE)
        return hash_number(h, 1);
    const struct type *t = type_get(&m->types, type);
    const struct type *array = type_array(m, type);
    if (!array || !array->dynamic)
        return hash_bytes(h, t->text.at, t->text.n < KEY_BYTES ? t->text.n : KEY_BYTES);
    h = hash_slice(hash_number(h, t->kind), dtype_text(&m->names, array->dtype));
    for (u32 i = 0; i < array->rank && i < KEY_AXES; i++) {
        const struct dim *d = &type_dims(&m->types, array)[i];
        h = hash_number(h, d->kind == DIM_INT ? (u64)d->value : (u64)d->kind << 40);
    }
    return h;
}

/* true if some size in an equation is not a number: its parameters may then contain names */
static bool
is_dynamic(const struct lint *l, const struct eqn *eqn)
{
    const struct module *m = l->m;
    for (u32 i = 0; i < eqn->n_atoms + eqn->n_vars; i++) {
        type_t type = i < eqn->n_atoms ? lint_atom_type(l, m->atoms.at[eqn->atoms + i])
                                       : m->vars.at[eqn->vars + i - eqn->n_atoms].type;
        const struct type *t = type_array(m, type);
        if (t && t->dynamic)
            return true;
    }
    return false;
}

/* mixes the bytes of a text into a hash, without lower-case letters, and so without names */
static u64
mix_signs(u64 h, struct slice s)
{
    for (size_t i = 0; i < s.n; i++)
        h = s.at[i] >= 'a' && s.at[i] <= 'z' ? h : hash_number(h, (u8)s.at[i]);
    return h;
}

/* mixes an equation into a hash, without names, addresses and nested programs */
static u64
mix_eqn(const struct lint *l, u64 h, eqn_t e)
{
    const struct module *m = l->m;
    const struct eqn *eqn = &m->eqns.at[e];
    struct name_buffer buffer;
    bool dynamic = is_dynamic(l, eqn);
    h = hash_slice(h, module_name(m, eqn->prim, &buffer));
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        h = mix_type(l, hash_number(h, atom_kind(a)), lint_atom_type(l, a));
        if (atom_kind(a) == ATOM_LIT)
            h = hash_slice(h, module_bytes(m, m->literals.at[atom_id(a)].value));
    }
    for (u32 i = 0; i < eqn->n_vars; i++)
        h = mix_type(l, h, m->vars.at[eqn->vars + i].type);
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        if (param->key == NONE)
            continue;
        h = hash_slice(h, module_name(m, param->key, &buffer));
        struct slice value = param_bytes(m, param);
        if (param->kind == PARAM_TEXT && !memmem(value.at, value.n, "0x", 2))
            h = dynamic ? mix_signs(h, value) : hash_slice(h, value);
    }
    return h;
}

static u64
make_key(const struct lint *l, eqn_t e)
{
    u64 path = l->facts.paths && l->jaxpr != NONE ? l->facts.paths[l->jaxpr] : 0;
    u64 h = hash_slice(hash_number(path, 0x6a78), slice_of(diag_info(lint_rows[l->rule].code).code));
    if (e != NONE)
        return mix_eqn(l, h, e);
    for (u32 i = 0; l->jaxpr != NONE && i < l->m->jaxprs.at[l->jaxpr].n_ins; i++)
        h = mix_type(l, h, l->m->vars.at[jaxpr_in(&l->m->jaxprs.at[l->jaxpr], i)].type);
    return h;
}

static u64
find_key(struct lint *l, eqn_t e)
{
    struct known_key *k = &l->suppressed.last_key;
    if (!k->known || k->rule != l->rule || k->jaxpr != l->jaxpr || k->e != e)
        *k = (struct known_key){make_key(l, e), l->rule, l->jaxpr, e, true};
    return k->key;
}

/* uses up one entry of the baseline with this key; false if none is left */
static bool
consume_baseline_entry(struct lint *l, u64 key)
{
    u32 lo = 0, hi = l->suppressed.baseline.n;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (l->suppressed.baseline.at[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == l->suppressed.baseline.n || l->suppressed.baseline.at[lo] != key)
        return false;
    /* the byte of the first of equal keys counts how many were used; after 255, all findings use the same entry */
    u32 taken = l->suppressed.matched.at[lo];
    if (lo + taken >= l->suppressed.baseline.n || l->suppressed.baseline.at[lo + taken] != key)
        return false;
    l->suppressed.matched.at[lo] = (u8)(taken < 255 ? taken + 1 : taken);
    return true;
}

void
lint_write_key(struct sink *out, const struct lint_key *key, struct slice path)
{
    sink_printf(out, "%s %016llx ", diag_info(key->code).code, (unsigned long long)key->key);
    sink_slice(out, path);
    sink_char(out, '\n');
}

/* ---- reporting ---- */

bool
lint_report(struct lint *l, eqn_t e, struct span at, const char *text, ...)
{
    enum diag_code code = lint_rows[l->rule].code;
    u64 key = 0;
    lint_end_finding(l);
    l->last.reported = false;
    if (l->run->wanted && !l->run->wanted(l->run->user, code, at.at, at.n))
        return false;
    if (is_ignored(l, e, at.at)) {
        l->result->suppressed++;
        return false;
    }
    if (l->run->keys || l->suppressed.baseline.n)
        key = find_key(l, e);
    if (l->suppressed.baseline.n && consume_baseline_entry(l, key)) {
        l->result->suppressed++;
        return false;
    }
    if (l->run->keys)
        *vec_push(l->m->mem, &l->result->keys) = (struct lint_key){key, code};
    va_list args;
    va_start(args, text);
    diag_add_args(l->ds, code, at.at, at.n, text, args);
    va_end(args);
    if (l->plan->level[l->rule] != diag_info(code).level)
        diag_relevel(l->ds, (enum diag_level)l->plan->level[l->rule]);
    lint_note_why(l, e, at);
    l->result->findings++;
    l->fix.groups++;
    l->last.reported = true;
    l->last.hint = lint_rows[l->rule].hint;
    l->last.offers_fix = lint_rows[l->rule].offers_fix;
    return true;
}

void
lint_note(struct lint *l, struct span at, const char *text, ...)
{
    if (!l->last.reported)
        return;
    va_list args;
    va_start(args, text);
    diag_note_args(l->ds, at.at, at.n, text, args);
    va_end(args);
}

void
lint_note_sizes(struct lint *l, bool known)
{
    if (!known)
        lint_note(l, lint_nowhere(), "a size that is not a number counts as 1");
}

void
lint_hint(struct lint *l, const char *text, bool offers_fix)
{
    if (!l->last.reported)
        return;
    l->last.hint = text;
    l->last.offers_fix = offers_fix;
}

void
lint_end_finding(struct lint *l)
{
    struct slice hint = slice_of(l->last.hint ? l->last.hint : "");
    if (l->last.offers_fix && l->run->extracted)
        hint.n =
            (size_t)((char *)memmem(hint.at, hint.n, LINT_FIX_HINT_BEGINS, strlen(LINT_FIX_HINT_BEGINS)) - hint.at);
    if (hint.n)
        diag_note_fixed(l->ds, hint);
    l->last.hint = NULL;
    l->last.offers_fix = false;
}

/* ---- words ---- */

const char *
lint_slice(struct lint *l, struct slice text)
{
    return diag_quote(l->ds, text);
}

const char *
lint_var(struct lint *l, var_t v)
{
    return quote_name(l->m, l->ds, l->m->vars.at[v].name);
}

const char *
lint_type(struct lint *l, type_t type)
{
    return type == NONE ? "a type that is not printed" : lint_slice(l, type_get(&l->m->types, type)->text);
}

const char *
lint_prim(struct lint *l, eqn_t e)
{
    return quote_name(l->m, l->ds, l->m->eqns.at[e].prim);
}

const char *
lint_key(struct lint *l, param_t p)
{
    return quote_name(l->m, l->ds, l->m->params.at[p].key);
}

struct span
lint_binder(struct lint *l, jaxpr_t home, var_t v)
{
    const struct module *m = l->m;
    eqn_t e = l->facts.producer[v];
    return e != NONE ? eqn_result_span(m, e, v - m->eqns.at[e].vars)
                     : jaxpr_binder_span(m, home, v - m->jaxprs.at[home].vars);
}

const char *
lint_bytes(struct lint *l, u64 bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    u32 unit = 0;
    if (bytes == 1)
        return "1 byte";
    for (; value >= 1024 && unit + 1 < countof(units); unit++)
        value /= 1024;
    return arena_printf(l->m->mem, value == (double)(u64)value ? "%.0f %s" : "%.1f %s", value, units[unit]).at;
}
