/* SPDX-License-Identifier: Apache-2.0
 *
 * The operands of equations with special syntax: variables, literals, and refs with their indexers, and the signs
 * between them. Each function reads its text once. */
#include "base/utf8.h"
#include "base/value.h"
#include "ir/ref_text.h"
#include "parse/token_source.h"

/* the end of the number or word at p. A letter after digits is the device id of a semaphore, a variable: `1b` */
static const char *
number_end(const char *p, const char *end)
{
    p += *p == '-';
    if (p < end && is_digit(*p)) {
        while (p < end && (is_digit(*p) || *p == '.'))
            p++;
        const char *exponent = p + 1 + (p[0] == 'e' && (p[1] == '-' || p[1] == '+'));
        if (*p == 'e' && exponent < end && is_digit(*exponent))
            for (p = exponent; p < end && is_digit(*p); p++)
                ;
        return p + (p < end && *p == 'j' && !is_word_char(p[1]));
    }
    while (p < end && is_word_char(*p))
        p++;
    return p;
}

/* reads the literal at p (a number, `True`, `(1+2j)`) with its type; returns its end */
static const char *
read_number(struct token_source *f, const char *p, const char *end, atom_t *atom)
{
    const char *q = number_end(p, end), *past, *type;
    *atom = parse_literal(f, p, q, &past);
    /* a device id comes right after a semaphore's count up to 0.10.0: `2:i32[]1:i32[]` */
    for (type = q; type + 1 < past; type++)
        if (*type == ']' && (is_word_char(type[1]) || type[1] == '-')) {
            struct literal *lit = &f->m->literals.at[atom_id(*atom)];
            lit->type = types_intern(&f->m->types, (struct slice){q + 1, (size_t)(type - q)});
            return type + 1;
        }
    return past;
}

/* the end of a number without leading zeros, a word without a sign or `Literal(3)` at p; p if there is none */
static const char *
bound_end(const char *p, const char *end)
{
    bool wrapped = end - p > 8 && memcmp(p, "Literal(", 8) == 0;
    const char *from = p + (wrapped ? 8 : 0), *q = from < end && *from == '-' ? from + 1 : from;
    if (is_padded(q, end) || (q > from && is_word_start(*q))) /* `-l` was `-1` */
        return p;
    q = number_end(from, end);
    if (q == from || (q == from + 1 && *from == '-') || (wrapped && *q != ')'))
        return p;
    return q + wrapped;
}

/* the end of one index, `2`, `b`, `:`, `1:4`, `b:b+8`, `[...]`, at p; if it is invalid, the place of the error */
static const char *
index_end(const char *p, const char *end)
{
    p = skip_spaces(p);
    if (end - p >= 5 && memcmp(p, "[...]", 5) == 0)
        return skip_spaces(p + 5);
    const char *q = bound_end(p, end);
    if (*q != ':')
        return skip_spaces(q);
    struct slice start = {p, (size_t)(q - p)};
    p = bound_end(q + 1, end);
    if (p > q + 1 && *p == '+' && slice_eq(start, (struct slice){q + 1, (size_t)(p - q - 1)})) {
        q = bound_end(p + 1, end);
        p = q > p + 1 ? q : p;
    }
    return skip_spaces(p);
}

/* reports the first index of `[2,b:b+8,:]` between p and end that JAX cannot have printed; the text of a transform,
 * which has brackets of its own, may be anything */
static void
check_indices(struct token_source *f, const char *p, const char *end)
{
    for (; p < end && *p == '['; p++) {
        const char *close = index_close(p, end), *from = p + 1, *q = from;
        bool plain = close && !memchr(p, '{', (size_t)(close - p)) &&
                     (!memchr(p, '(', (size_t)(close - p)) || memmem(p, (size_t)(close - p), "Literal(", 8));
        if (!plain)
            return;
        bool whole = q == close || (close - q == 3 && memcmp(q, "...", 3) == 0);
        for (; !whole; from = q + 1) {
            q = index_end(from, close);
            whole = q == close && skip_spaces(from) < q;
            if (whole || (*q == ',' && skip_spaces(from) < q))
                continue;
            const char *stop = q < close ? q : close;
            while (stop < close && *stop != ',')
                stop++;
            if (stop == from)
                diag_add(f->diags, DIAG_S001, offset_of(f, from), 1, "an index is missing before `%c`", *from);
            else {
                struct slice index = {from, (size_t)(stop - from)};
                diag_add(
                    f->diags, DIAG_S001, offset_of(f, from), (u32)index.n,
                    has_padded_number(index)
                        ? "`%s` is not an index: a number must not have a leading zero"
                        : "`%s` is not an index; expected an integer, a variable, a slice such as `b:b+8`, or `...`",
                    diag_quote(f->diags, index));
            }
            f->errors++;
            return;
        }
        p = close;
    }
}

const char *
ref_indexers(struct token_source *f, const char *p, const char *end, struct refexpr *ref)
{
    struct module *m = f->m;
    struct index_words w = index_words(p, end);
    struct slice word;
    ref->uses = m->uses.n;
    while (index_next(&w, &word))
        *vec_push(m->mem, &m->uses) = atom_make(ATOM_NAME, names_intern(m->mem, &m->names, word));
    ref->n_uses = m->uses.n - ref->uses;
    check_indices(f, p, w.p);
    ref->index = span_of(f, p, w.p);
    return w.p;
}

void
ref_mention(struct token_source *f, const char *p, const char *end, u32 operand)
{
    *vec_push(f->m->mem, &f->m->pieces) = (struct piece){span_of(f, f->ref_form.pieced, p), operand};
    f->ref_form.pieced = end;
}

/* what precedes an operand: brackets around some of them, and signs */
struct between {
    u32 depth;         /* the open brackets */
    bool raw;          /* the equation is none of `<-` and `+=` alone */
    bool begun;        /* an operand precedes, after which a sign may come */
    struct slice sign; /* the sign or `using` that the next operand must follow; empty if there is none */
};

/* the length of the sign at p; 0 if there is none */
static size_t
sign_length(const char *p)
{
    bool arrow = memcmp(p, "->", 2) == 0 || memcmp(p, "<-", 2) == 0;
    return arrow ? 2 : *p == '@';
}

/* reports a text in place of an operand or of the equation's end, unless the equation has another error */
static void
report_stray(struct token_source *f, struct slice text)
{
    if (f->errors == f->ref_form.errors)
        diag_add(f->diags, DIAG_S001, offset_of(f, text.at), (u32)text.n,
                 "unexpected `%s`; expected an operand or the end of the equation", diag_quote(f->diags, text));
    f->errors++;
}

/* passes the sign at p, a bracket, `->`, `<-`, `@` or `,`; returns its length, or 0 if it is another one or in a wrong
 * place. Device ids have any signs in brackets, `{('x', 'y'): a}` */
static size_t
pass_sign(struct between *b, const char *p, const char *end)
{
    int step = bracket_step(*p);
    if (step != 0) {
        bool opens = step > 0, right = opens ? !b->sign.n || *p == '(' : b->depth > 0 && b->begun;
        b->depth += right ? (u32)step : 0;
        b->begun = !opens;
        return right;
    }
    if (b->depth > 0 && b->raw && *p == '\'') {
        const char *past = quoted_end(p, end);
        b->begun = true;
        return past > p + 1 && past[-1] == '\'' ? (size_t)(past - p) : 0;
    }
    if (b->depth > 0 && b->begun && (*p == ',' || (b->raw && *p == ':'))) {
        b->begun = false;
        return 1;
    }
    size_t n = sign_length(p);
    if (!b->raw || b->depth > 0 || !b->begun)
        return 0;
    b->begun = n == 0;
    b->sign = (struct slice){p, n};
    return n;
}

/* whether a word between operands belongs to the notation: `mask=`, `using`, the None of a device id */
static bool
is_between(struct between *b, struct slice word, char next)
{
    if (next == '=')
        return !b->raw && (slice_eq(word, SLICE("mask")) || slice_eq(word, SLICE("other")));
    bool using = slice_eq(word, SLICE("using"));
    if (using && b->begun)
        b->sign = word;
    b->begun = !using;
    return b->raw && (using ? b->sign.at == word.at : slice_eq(word, SLICE("None")));
}

/* the end of the complex number `(1+2j)` at p; NULL if there is none */
static const char *
complex_end(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && !is_blank(*q) && *q != ',' && bracket_step(*q) == 0)
        q++;
    bool number = is_digit(p[1]) || memchr("-in", p[1], 3);
    return q < end && *q == ')' && q[-1] == 'j' && number ? q + 1 : NULL;
}

/* reads the variable or ref at p, which is `name`, as an operand; returns its end */
static const char *
read_variable(struct token_source *f, struct slice name, const char *end)
{
    struct module *m = f->m;
    const char *p = name.at + name.n;
    atom_t atom = atom_make(ATOM_NAME, names_intern(m->mem, &m->names, name));
    if (*p == '[' || *p == '{') {
        struct refexpr ref = {.ref = atom};
        p = ref_indexers(f, p, end, &ref);
        *vec_push(m->mem, &m->refs) = ref;
        atom = atom_make(ATOM_REF, m->refs.n - 1);
    }
    *vec_push(m->mem, &f->operands) = atom;
    ref_mention(f, name.at, p, f->operands.n - 1);
    return p;
}

/* reads the number at p, to q or to where it ends, as an operand; returns the end of its type */
static const char *
read_value(struct token_source *f, const char *p, const char *q, const char *end)
{
    const char *past;
    atom_t *atom = vec_push(f->m->mem, &f->operands);
    if (q)
        *atom = parse_literal(f, p, q, &past);
    else
        past = read_number(f, p, end, atom);
    ref_mention(f, p, past, f->operands.n - 1);
    return past;
}

void
ref_operands(struct token_source *f, const char *p, const char *end)
{
    struct between between = {.raw = f->ref_form.form == EQN_RAW};
    while (p < end) {
        const char *number = *p == '(' ? complex_end(p, end) : NULL;
        if (is_blank(*p)) {
            p++;
            continue;
        }
        if (is_word_start(*p) && *p != '*') {
            struct slice name = {p, (size_t)(word_end(p) - p)};
            const char *next = p + name.n;
            if (*next == '=' || slice_eq(name, SLICE("using")) || slice_eq(name, SLICE("None"))) {
                if (!is_between(&between, name, *next))
                    report_stray(f, (struct slice){p, name.n + (*next == '=')});
                p = next + (*next == '=');
                continue;
            }
            if (*next == ':' && next + 1 < end && next[1] == ' ' && between.depth > 0) { /* an axis, `{x: b}` */
                between.begun = false;
                p = next + 1;
                continue;
            }
            p = is_literal_word(f, name) || (*next == ':' && is_literal_name(name)) ? read_value(f, p, NULL, end)
                                                                                    : read_variable(f, name, end);
        } else if (number || is_digit(*p) || (*p == '-' && p[1] != '>' && p[-1] != '<')) {
            p = read_value(f, p, number, end);
        } else if (end - p >= 5 && memcmp(p, "[...]", 5) == 0) {
            p = p[5] == ':' ? read_value(f, p, p + 5, end) : type_scan(p, end);
        } else {
            size_t sign = pass_sign(&between, p, end), stray = sign_length(p);
            if (sign == 0) {
                sign = stray ? stray : utf8_length(p, (size_t)(end - p));
                report_stray(f, (struct slice){p, sign});
            }
            p += sign;
            continue;
        }
        between.begun = true;
        between.sign = SLICE("");
    }
    if (between.sign.n)
        report_stray(f, between.sign);
}
