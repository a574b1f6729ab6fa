/* SPDX-License-Identifier: Apache-2.0
 *
 * Binders, literals and other atoms: their texts become ids. Tokens that the scanner matched completely take a fast
 * path; others are read by hand. Linear in the token. */
#include "parse/text_part.h"

#include "base/value.h"

#include "grammar.tab.h"

const char *
open_bracket(const char *start, const char *end)
{
    const char *open[8], *p;
    u32 depth = 0;
    for (p = start; p < end; p++) {
        if (bracket_step(*p) > 0) {
            if (depth < countof(open))
                open[depth] = p;
            depth++;
        } else if (bracket_step(*p) < 0 && depth) {
            if (depth <= countof(open) && *p != *open[depth - 1] + (*p == ')' ? 1 : 2))
                break; /* `[` is not closed by `}` */
            depth--;
        }
    }
    return depth && depth <= countof(open) ? open[depth - 1] : NULL;
}

/* the end of a type that lacks a bracket: before the ` = ` of its equation if it is the last type there, else at the
 * first space */
static const char *
broken_type_end(const char *start, const char *end, const char *text_end)
{
    const char *blank = start;
    while (blank < text_end && !is_blank(*blank) && !(strchr(".;", *blank) && is_blank(blank[1])))
        blank++;
    for (const char *p = blank; p < end && *p != '\n' && *p != ':'; p++)
        if (p[0] == ' ' && p[1] == '=' && p[2] == ' ')
            return p;
    return blank;
}

/* the end of a type whose brackets are balanced; otherwise reports it and returns the end of what is readable */
static const char *
check_type(struct token_source *f, const char *start, const char *end)
{
    const char *bracket = open_bracket(start, end);
    if (!bracket && end > start && end[-1] == '>' && !memchr(start, '<', (size_t)(end - start))) {
        diag_add(f->diags, DIAG_S001, offset_of(f, end - 1), 1, "unexpected `>`: this type has no `<`");
        f->errors++;
    }
    if (!bracket)
        return end;
    const char *broken = broken_type_end(start, end, f->end), *own = open_bracket(start, broken);
    diag_add(f->diags, DIAG_S002, offset_of(f, own ? own : bracket), 1, "this bracket in a type is never closed");
    f->errors++;
    return broken;
}

name_t
intern_bound(struct token_source *f, struct slice name)
{
    if (name.n == 3) {
        bool inf = memcmp(name.at, "inf", 3) == 0, nan = memcmp(name.at, "nan", 3) == 0;
        f->bound_inf |= inf;
        f->bound_nan |= nan;
        if (unlikely((inf || nan) && f->part))
            part_keep_length(f, inf ? &f->part->binds_inf : &f->part->binds_nan);
    }
    return names_intern(f->m->mem, &f->m->names, name);
}

/* a copy of a type without the spaces that JAX does not print: next to brackets, around the commas of a shape, and
 * repeated ones; `start`: where it begins in the source, from which its lines were joined */
never_inline static struct slice
close_up(struct token_source *f, struct slice text, const char *start)
{
    char *to = arena_alloc(f->m->mem, text.n + 1), kinds[32];
    size_t n = 0, removed = text.n;
    u32 depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i], last = n ? to[n - 1] : 0;
        bool shape = depth && depth <= countof(kinds) && kinds[depth - 1] == '[';
        if (strchr("([{", c) && depth++ < countof(kinds))
            kinds[depth - 1] = c;
        if (strchr(")]}", c) && depth)
            depth--;
        bool odd = c == ' ' && (last == ' ' || strchr("([{", last) || (last == ',' && shape));
        bool before = last == ' ' && (strchr(")]}", c) != NULL || (c == ',' && shape));
        if ((odd || before) && removed == text.n)
            removed = i - before;
        n -= before;
        if (!odd)
            to[n++] = c;
    }
    if (n == text.n)
        return text;
    text_repaired(&f->m->text, REPAIR_TYPES, offset_of(f, text.at == start ? text.at + removed : start));
    return (struct slice){to, n};
}

/* the id of a type; one with spaces, `f32[b - 1]`, may have been wrapped by hand */
static type_t
intern_type(struct token_source *f, const char *start, const char *end)
{
    struct slice text = {start, (size_t)(end - start)};
    struct line_ends ends = {0};
    if (unlikely(memchr(start, '\n', text.n) != NULL))
        text = value_unwrap(f->m->mem, text, VALUE_TYPE, &ends);
    if (unlikely(memchr(text.at, ' ', text.n) != NULL) && start >= f->begin && start < f->end)
        text = close_up(f, text, start);
    return types_intern(&f->m->types, text);
}

/* reports that the text after the colon of a name or number cannot be a type */
static void
report_no_type(struct token_source *f, const char *word, const char *colon)
{
    diag_add(f->diags, DIAG_S001, offset_of(f, colon), 1, "expected a type after `%s:`",
             diag_quote(f->diags, (struct slice){word, (size_t)(colon - word)}));
    f->errors++;
    f->once.unexpected = colon + 1;
}

struct var
parse_binder(struct token_source *f, const char *name, const char *colon, const char **type_end)
{
    struct var v = {intern_bound(f, (struct slice){name, (size_t)(colon - name)}), NONE};
    if (*colon != ':') {
        *type_end = colon;
        return v;
    }
    const char *start = colon + 1 + (colon[1] == ' '); /* people may write a space here */
    u32 errors = f->errors;
    const char *end = *start == '=' ? start : check_type(f, start, type_scan(start, f->end));
    *type_end = end;
    if (unlikely(f->errors > errors))
        return v;
    if (end > start) {
        v.type = intern_type(f, start, end);
        return v;
    }
    report_no_type(f, name, colon);
    return v;
}

/* the kind of the number between p and end in the form that Python prints, `1`, `-1.5e+03`, `2j`, `inf`; LIT_OTHER if
 * it is not one */
static enum literal_kind
number_kind(const char *p, const char *end)
{
    enum literal_kind kind = LIT_INT;
    p += p < end && (*p == '-' || *p == '+');
    struct slice word = {p, (size_t)(end - p)};
    if (slice_eq(word, SLICE("inf")) || slice_eq(word, SLICE("nan")))
        return LIT_FLOAT;
    u32 digits = 0;
    if (is_padded(p, end)) /* Python does not print `007` */
        return LIT_OTHER;
    for (; p < end; p++) {
        if (is_digit(*p))
            digits++;
        else if (*p == '.' && kind == LIT_INT)
            kind = LIT_FLOAT;
        else if (*p == 'e' && digits && p + 1 < end && (p[1] == '+' || p[1] == '-' || is_digit(p[1])))
            kind = LIT_FLOAT, p++;
        else if (*p == 'j' && p + 1 == end)
            kind = LIT_COMPLEX;
        else
            return LIT_OTHER;
    }
    return digits ? kind : LIT_OTHER;
}

/* whether a text is a complex number as Python prints it in parentheses: `1-2j`, `-0+infj`, `1e-05+2j` */
static bool
is_complex(const char *p, const char *end)
{
    const char *sign = end;
    while (sign > p && (sign == end || (*sign != '+' && *sign != '-') || (sign[-1] == 'e' && is_digit(sign[1]))))
        sign--;
    return sign > p && end[-1] == 'j' && number_kind(p, sign) <= LIT_FLOAT && number_kind(sign, end - 1) <= LIT_FLOAT;
}

enum literal_kind
literal_kind(const char *p, const char *end)
{
    struct slice text = {p, (size_t)(end - p)};
    if (slice_eq(text, SLICE("True")) || slice_eq(text, SLICE("False")))
        return LIT_BOOL;
    if (slice_eq(text, SLICE("*")))
        return LIT_UNIT;
    if (slice_eq(text, SLICE("[...]")))
        return LIT_ARRAY;
    if (slice_eq(text, SLICE("(b'',)")))
        return LIT_FLOAT0;
    if (*p != '(')
        return number_kind(p, end);
    return is_complex(p + 1, end - 1) ? LIT_COMPLEX : LIT_OTHER;
}

atom_t
parse_literal(struct token_source *f, const char *p, const char *end, const char **past)
{
    struct literal lit = {.value = span_of(f, p, end), .type = NONE, .kind = literal_kind(p, end)};
    *past = end;
    if (*end == ':') {
        *past = check_type(f, end + 1, type_scan(end + 1, f->end));
        if (*past == end + 1 && lit.kind != LIT_OTHER)
            report_no_type(f, p, end);
        if (*past > end + 1)
            lit.type = intern_type(f, end + 1, *past);
    }
    if (lit.kind == LIT_OTHER && (is_word_char(*p) || *p == '-' || *p == '(') && *end != '(' && end[-1] != '.' &&
        !(is_word_start(*p) && end[-1] == ')')) {
        diag_add(f->diags, DIAG_S008, lit.value.at, lit.value.n, "`%s` is not a number as Python prints it",
                 diag_quote(f->diags, (struct slice){p, (size_t)(end - p)}));
        if (has_padded_number((struct slice){p, (size_t)(end - p)}))
            diag_note(f->diags, NONE, 0, "Python prints numbers without leading zeros");
        else if (*p == '(')
            diag_note(f->diags, NONE, 0, "a complex number is printed as `(1+2j)`");
        f->errors++;
    }
    *vec_push(f->m->mem, &f->m->literals) = lit;
    return atom_make(ATOM_LIT, f->m->literals.n - 1);
}

static bool
has_digit(const char *p, const char *end)
{
    for (; p < end; p++)
        if (is_digit(*p))
            return true;
    return false;
}

/* reads a literal operand or result; p is the scanner's token */
static int
literal_token(struct token_source *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    const char *p = s->at, *end = p + s->n, *past;
    scan_release(s);
    if (kind == SCAN_LPAREN || kind == SCAN_LBRACKET) {
        const char *close = type_scan(p, f->end);
        if (close == p)
            return TOK_BAD;
        end = close;
        for (const char *q = p; q < close; q++)
            if ((*q == ')' || *q == ']') && (q[1] == ':' || q + 1 == close)) {
                end = q + 1;
                break;
            }
        struct slice text = {p, (size_t)(end - p)};
        bool whole = bracket_end(text, 0) + 1 == text.n; /* unlike `[...].f32[8]` */
        if (!whole || end[-1] != (kind == SCAN_LPAREN ? ')' : ']') ||
            (literal_kind(p, end) == LIT_OTHER && !has_digit(p, end)))
            return TOK_BAD;
    } else if (kind == SCAN_WORD && *end == '(') {
        end = type_scan(end, f->end);
    } else {
        const char *colon = memchr(p, ':', s->n);
        end = colon ? colon : end;
        if (end == p + 1 && *p == '-')
            return TOK_BAD;
    }
    value->id = parse_literal(f, p, end, &past);
    scan_seek(s, past);
    return TOK_ATOM;
}

int
atom_token(struct token_source *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    switch (kind) {
    case SCAN_WORD:
        if (unlikely(s->after == '[')) {
            const char *p = s->at;
            scan_release(s);
            scan_seek(s, ref_read(f, p, &value->id));
            return TOK_ATOM;
        }
        if (is_literal_word(f, (struct slice){s->at, s->n}) || s->after == '(' || (s->n == 1 && s->at[0] == '*'))
            return literal_token(f, kind, value);
        value->id = atom_make(ATOM_NAME, names_intern(f->m->mem, &f->m->names, (struct slice){s->at, s->n}));
        return TOK_ATOM;
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
        return is_literal_name(token_name(s)) ? literal_token(f, kind, value) : TOK_BAD;
    case SCAN_LITERAL:
    case SCAN_NUMBER:
    case SCAN_LPAREN:
    case SCAN_LBRACKET:
        return literal_token(f, kind, value);
    default:
        return TOK_BAD;
    }
}
