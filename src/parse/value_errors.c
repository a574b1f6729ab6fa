/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with the text of a value whose end was found. Strings are printed without quotes, so any text may be
 * one; but under a key that has numbers, axes or shapes in JAX's own primitives, a value that begins like a Python
 * container is one, and its brackets balance; and a required program must be there. One pass over such values. */
#include "base/chars.h"
#include "base/value.h"
#include "parse/token_source.h"

void
mark_damaged(struct token_source *f)
{
    f->errors++;
    if (last_eqn(f) != NONE)
        f->m->eqns.at[last_eqn(f)].form = EQN_DAMAGED;
}

static char
closing(char open)
{
    return open == '(' ? ')' : (char)(open + 2);
}

/* the word before the value's `=` */
static struct slice
key_of(const struct token_source *f, const char *from)
{
    const char *end = from, *p;
    if (end > f->begin && end[-1] == '=')
        end--;
    for (p = end; p > f->begin && is_word_char(p[-1]); p--)
        ;
    return (struct slice){p, (size_t)(end - p)};
}

static bool
key_ends_in(struct slice key, struct slice suffix)
{
    return key.n >= suffix.n && memcmp(key.at + key.n - suffix.n, suffix.at, suffix.n) == 0;
}

/* the parameters of JAX's primitives and the kinds of their values: `axes=AXES dimension=AXIS length?=INT` */
#define PRIM(name, also, min, max, in, shape, dtype, params, ...) params " "
static const char known_keys[] = " "
#include "primitives.def"
    ;
#undef PRIM

/* whether the role at the beginning of a text is that of values that may be text, or objects of any kind */
static bool
role_is_loose(struct slice role)
{
    return slice_starts(role, SLICE("TEXT")) || slice_starts(role, SLICE("OBJECT")) ||
           slice_starts(role, SLICE("VALUES")) || slice_starts(role, SLICE("ATTRIBUTES")) ||
           slice_starts(role, SLICE("ITEMS")) || slice_starts(role, SLICE("REPR"));
}

/* true for keys whose values are not text in JAX's own primitives */
static bool
find_key(struct slice key)
{
    const char *p = known_keys, *end = known_keys + sizeof known_keys - 1;
    while (key.n && (p = memmem(p, (size_t)(end - p), key.at, key.n)) != NULL) {
        const char *after = p + key.n, *role = after + 1 + (*after != '=');
        if ((p[-1] == ' ' || p[-1] == '/') && after + 1 < end &&
            (*after == '=' || (strchr("?!", *after) && after[1] == '=')) &&
            !role_is_loose((struct slice){role, (size_t)(end - role)}))
            return true;
        p = after;
    }
    return false;
}

static bool
key_is_structural(struct token_source *f, struct slice key)
{
    name_t name = names_find(&f->m->names, key);
    u64 known = name == NONE ? 0 : memo_get(&f->checks.structural, name);
    if (known == 0) {
        known = find_key(key) ? 2 : 1;
        if (name != NONE)
            memo_set(f->m->mem, &f->checks.structural, name, known);
    }
    return known == 2;
}

/* true for keys whose values are text written by people */
static bool
key_is_string(struct slice key)
{
    return slice_eq(key, SLICE("fmt")) || key_ends_in(key, SLICE("message"));
}

/* true if an element of a container, as Python prints it, begins at p */
static bool
element_begins(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    if (p == end || strchr("'\"([{)]}<", *p))
        return true;
    const char *from = p;
    while (p < end && (is_word_char(*p) || *p == '.' || *p == '-' || *p == '+'))
        p++;
    return p > from && (p == end || strchr(",)]}=(:", *p) || (*p == ' ' && is_digit(p[-1])));
}

/* whether a value is a Python container, `(0, 1)`, `{'a': 1}`; the repr of an object, `GridMapping(..)`, and a
 * PyTreeDef node may contain any text */
static bool
is_structure(const char *from, const char *end)
{
    if (from == end || bracket_step(*from) <= 0 || !element_begins(from + 1, end))
        return false;
    return memmem(from, (size_t)(end - from), "PyTreeDef", 9) == NULL;
}

/* the first of the closing brackets after a number or constant, `3)`, if nothing else follows it; else NULL */
static const char *
closers_begin(const char *from, const char *end)
{
    const char *p = end;
    while (p > from && bracket_step(p[-1]) < 0)
        p--;
    return p < end && p > from && !strchr("([{", *from) && value_is_whole(from, p) ? p : NULL;
}

/* reports the closing bracket at p, which may have been typed instead of the `]` before operands */
static void
report_closer(struct token_source *f, const char *p)
{
    diag_add(f->diags, DIAG_S001, offset_of(f, p), 1, "unexpected `%c`: it closes no bracket of this value", *p);
    if (p[1] == ' ' && is_word_start(p[2]) && *word_end(p + 2) != '=')
        diag_note(f->diags, NONE, 0, "a parameter list ends with `]`, followed by the operands");
}

/* reports an unmatched bracket of a container; false if all are matched */
static bool
check_brackets(struct token_source *f, const char *from, const char *end)
{
    bool angles = true; /* `<` and `>` are matched as far as known: a failed search is not repeated */
    f->checks.brackets.n = 0;
    for (const char *p = from; p < end; p++) {
        if (bracket_step(*p) > 0) {
            *vec_push(f->m->mem, &f->checks.brackets) = offset_of(f, p);
        } else if (bracket_step(*p) < 0) {
            if (f->checks.brackets.n == 0) {
                report_closer(f, p);
                return true;
            }
            const char *open = f->begin + f->checks.brackets.at[--f->checks.brackets.n];
            if (closing(*open) != *p) {
                diag_add(f->diags, DIAG_S002, offset_of(f, open), 1, "this bracket is never closed");
                diag_note(f->diags, offset_of(f, p), 1, "unexpected `%c`; expected `%c`", *p, closing(*open));
                return true;
            }
        } else if ((*p == '\'' || *p == '"') && quote_opens(p, from)) {
            p = skip_string(p, end) - 1;
        } else if (*p == '<' && angles && !is_word_char(p[-1])) {
            const char *after = skip_angles(p, end);
            angles = after > p;
            p = angles ? after - 1 : p;
        }
    }
    if (f->checks.brackets.n == 0)
        return false;
    diag_add(f->diags, DIAG_S002, f->checks.brackets.at[f->checks.brackets.n - 1], 1, "this bracket is never closed");
    return true;
}

bool
value_is_program(const struct token_source *f, const char *from)
{
    return from - f->begin > 6 && memcmp(from - 6, "jaxpr=", 6) == 0;
}

/* true if the program whose `{` is at p closes after results, `in (b,) }`, and inside the list that contains it */
static bool
program_closes(struct token_source *f, const char *p)
{
    const char *results = NULL;
    for (u32 depth = 0, square = 0; p < f->end && f->lookahead; p++) {
        f->lookahead--;
        depth += *p == '{';
        square += *p == '[';
        if (*p == ']' && square-- == 0)
            return false;
        if (*p == 'i' && depth == 1 && is_blank(p[-1]) && word_at(p, SLICE("in")))
            results = skip_blanks(p + 2);
        if (*p == '}' && --depth == 0)
            return results && *results == '(';
    }
    return p < f->end;
}

bool
value_begins_program(struct token_source *f, const char *from, const char *p)
{
    if (!lambda_begins(f, p))
        return false;
    struct slice key = key_of(f, from);
    return key_holds_programs(key) || (!key_is_string(key) && key_is_structural(f, key)) || program_closes(f, p);
}

bool
value_is_structural(struct token_source *f, const char *p)
{
    return key_is_structural(f, key_of(f, p));
}

bool
value_is_string(const struct token_source *f, const char *from)
{
    return key_is_string(key_of(f, from));
}

bool
report_lambda(struct token_source *f, const char *from, const char *end)
{
    const char *p = *from == '{' ? skip_blanks(from + 1) : from;
    u32 n = 1;
    while (p + n < end && is_word_char(p[n]))
        n++;
    if (*from == '{' && is_word_char(*p))
        diag_add(f->diags, DIAG_S001, offset_of(f, p), n, "unexpected `%s`; expected `lambda`",
                 diag_quote(f->diags, (struct slice){p, n}));
    else if (*from == '{' && p < end && *p != '\'' && *p != '"' && *p != '}')
        diag_add(f->diags, DIAG_S001, offset_of(f, p), 1, "unexpected `%c`; expected `lambda`", *p);
    else if (word_at(from, SLICE("lambda")) && from + 6 < end)
        diag_add(f->diags, DIAG_S001, offset_of(f, from), 6, "`{` is missing before `lambda`");
    else
        return false;
    return true;
}

/* reports text other than a program where one is required, `{ : lambda ; ..` and `lambda ; ..`; false if nothing is
 * wrong */
static bool
check_program(struct token_source *f, struct slice key, const char *from, const char *end)
{
    if (!key_ends_in(key, SLICE("jaxpr")) || from == end)
        return false;
    const char *p = *from == '{' ? skip_blanks(from + 1) : from;
    u32 n = 1;
    while (p + n < end && is_word_char(p[n]))
        n++;
    if (*from == '{' && word_at(p, SLICE("lambda"))) {
        const char *dot = value_find(p + n, end, ".");
        if (dot + 1 < end && is_blank(dot[1]))
            diag_add(f->diags, DIAG_S001, offset_of(f, dot), 1, "`let` is missing after this `.`");
        else
            diag_add(f->diags, DIAG_S001, offset_of(f, from), (u32)(p - from) + n,
                     "`. let` is missing after the inputs of this program");
    } else if (!report_lambda(f, from, end)) {
        return false;
    }
    diag_note(f->diags, NONE, 0,
              "the value of `%s` must be a program, such as `{ lambda a:f32[]; b:f32[]. let .. in (c,) }`",
              diag_quote(f->diags, key));
    return true;
}

bool
value_check(struct token_source *f, const char *from, const char *end)
{
    const char *closers;
    struct slice key = key_of(f, from);
    while (end > from && is_blank(end[-1]))
        end--;
    while (from < end && *from == ' ')
        from++;
    bool wrong = check_program(f, key, from, end), text = !wrong && !key_is_structural(f, key);
    if (text)
        return false;
    if (!wrong && is_structure(from, end)) {
        wrong = check_brackets(f, from, end);
    } else if (!wrong && (closers = closers_begin(from, end)) != NULL) {
        report_closer(f, closers);
        wrong = true;
    }
    if (!wrong && end > from + 1 && end[-1] == ',' && value_is_whole(from, end - 1)) {
        diag_add(f->diags, DIAG_S001, offset_of(f, end - 1), 1, "unexpected `,`; expected `]` or a parameter");
        diag_note(f->diags, NONE, 0, "parameters are separated by spaces: `[axes=(0,) keepdims=False]`");
        wrong = true;
    }
    if (wrong)
        mark_damaged(f);
    return wrong;
}
