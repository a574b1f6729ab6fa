/* SPDX-License-Identifier: Apache-2.0
 *
 * The short way: a line that is `a:f32[8] b:f32[] = prim c 1.0:f32[]` from end to end, or up to the `[` of its
 * parameters, is one token, and so are operands that end a line. Most of a large program are such lines. What is not,
 * to the byte, is left to the scanner, which reads it from its start: nothing is decided here that body.c decides
 * otherwise. Linear: a line is looked at once more at most. */
#include "parse/feed.h"

#include "grammar.tab.h"

/* a name of lower-case letters and `_` at *p; false where none stands, or one that may be more than a name */
static inline bool
read_name(struct feed *f, const char **p, name_t *name)
{
    const char *start = *p, *q = start;
    u32 numeral = 0, digit;
    while ((digit = (u32)(u8)*q - 'a') < 26) {
        numeral = numeral * 26 + digit;
        q++;
    }
    size_t n = (size_t)(q - start);
    *p = q;
    if ((n == 2 && memcmp(start, "in", 2) == 0) || (n == 3 && (memcmp(start, "inf", 3) == 0 || memcmp(start, "nan", 3) == 0)))
        return false;
    if (likely(n && n <= 5 && (*start != 'a' || n == 1) && numeral < f->m->names.numeral_limit)) {
        *name = numeral;
        return true;
    }
    while ((u32)(u8)*q - 'a' < 26 || *q == '_')
        q++;
    *p = q;
    *name = q > start ? names_intern(f->m->mem, &f->m->names, (struct slice){start, (size_t)(q - start)}) : 0;
    return q > start;
}

/* the end of the type `f32[8,n]` at p, or NULL where there is none, or one of another form */
static inline const char *
plain_type_end(const char *p)
{
    if ((u32)(u8)*p - 'a' >= 26)
        return NULL;
    while ((u32)(u8)*p - 'a' < 26 || (u32)(u8)*p - '0' < 10 || *p == '_')
        p++;
    if (*p++ != '[')
        return NULL;
    while ((u32)(u8)*p - 'a' < 26 || (u32)(u8)*p - '0' < 10 || *p == ',')
        p++;
    return *p == ']' ? p + 1 : NULL;
}

/* the number at *p with its type, if it has one */
static bool
read_literal(struct feed *f, const char **p, atom_t *atom)
{
    const char *q = *p + (**p == '-');
    if ((u32)(u8)*q - '0' >= 10)
        return false;
    while (*q != ' ' && *q != '\n' && *q != ':' && *q)
        q++;
    enum literal_kind kind = literal_kind(*p, q);
    if (kind == LIT_OTHER)
        return false;
    struct literal lit = {feed_span(f, *p, q), NONE, kind};
    if (*q == ':') {
        const char *end = plain_type_end(q + 1);
        if (!end)
            return false;
        lit.type = types_intern(&f->m->types, (struct slice){q + 1, (size_t)(end - q - 1)});
        q = end;
    }
    *vec_push(f->m->mem, &f->m->literals) = lit;
    *atom = atom_make(ATOM_LIT, f->m->literals.n - 1);
    *p = q;
    return true;
}

/* reads operands, a blank before each, into f->operands; returns the end of their line, or NULL */
static inline const char *
read_operands(struct feed *f, const char *p)
{
    f->operands.n = 0;
    while (*p == ' ') {
        p++;
        atom_t atom;
        name_t name;
        if ((u32)(u8)*p - 'a' < 26) {
            if (!read_name(f, &p, &name))
                return NULL;
            atom = atom_make(ATOM_NAME, name);
        } else if (!read_literal(f, &p, &atom)) {
            return NULL;
        }
        *vec_push(f->m->mem, &f->operands) = atom;
    }
    return *p == '\n' ? p : NULL;
}

/* reads binders, a blank behind each, into the module's variables; returns the place of their `=`, or NULL */
static inline const char *
read_binders(struct feed *f, const char *p)
{
    struct module *m = f->m;
    do {
        struct var var;
        if (!read_name(f, &p, &var.name) || *p != ':')
            return NULL;
        const char *type = p + 1;
        p = plain_type_end(type);
        if (!p || *p != ' ')
            return NULL;
        var.type = types_intern(&m->types, (struct slice){type, (size_t)(p - type)});
        *vec_push(m->mem, &m->vars) = var;
        p++;
    } while (*p != '=');
    return p;
}

/* where the scanner goes on, and what it would have left behind */
static void
go_on(struct feed *f, const char *p)
{
    scan_seek(&f->scan, p);
    f->scan.at = p;
    f->scan.n = 0;
    f->scan.first = false;
    f->resume = p;
}

/* reads the equation at p; see plain_equation */
static int
read_equation(struct feed *f, const char *p, union token_value *value)
{
    p = read_binders(f, p);
    if (!p || p[1] != ' ')
        return FEED_AGAIN;
    const char *prim = p += 2;
    if (!is_word_start(*p) || *p == '*')
        return FEED_AGAIN;
    while (is_word_char(*p) || *p == '.' || *p == '-')
        p++;
    value->id = prim_name(f, prim, (u32)(p - prim));
    if (*p == '[') {
        if (!bracket_opens_params(p))
            return FEED_AGAIN;
        feed_frame(f)->state = FEED_RHS;
        params_open(f, p + 1, prim_is_class(prim));
        return TOK_EQUATION_OPEN;
    }
    p = read_operands(f, p);
    if (!p)
        return FEED_AGAIN;
    feed_frame(f)->state = FEED_RHS;
    go_on(f, p);
    return TOK_EQUATION;
}

int
plain_equation(struct feed *f, const char *p, union token_value *value)
{
    struct module *m = f->m;
    u32 vars = m->vars.n, literals = m->literals.n;
    const char *line = f->scan.line;
    f->scan.line = p - feed_frame(f)->column;
    int token = read_equation(f, p, value);
    if (token == FEED_AGAIN) {
        m->vars.n = vars;
        m->literals.n = literals;
        f->scan.line = line;
        return token;
    }
    f->results = vars;
    f->starting = false;
    f->equation_at = f->token_at = feed_offset(f, p);
    f->token_n = 1;
    return token;
}

int
plain_next(struct feed *f, union token_value *value)
{
    const char *p = f->resume;
    struct frame *frame = feed_frame(f);
    f->resume = NULL;
    if (frame->state != FEED_RHS)
        return FEED_AGAIN;
    if (*p == ' ') {
        u32 literals = f->m->literals.n;
        f->token_at = feed_offset(f, p) + 1;
        f->token_n = 1;
        p = read_operands(f, p);
        if (p) {
            go_on(f, p);
            return TOK_OPERANDS;
        }
        f->m->literals.n = literals;
        return FEED_AGAIN;
    }
    if (*p != '\n')
        return FEED_AGAIN;
    const char *line = ++p;
    while (*p == ' ')
        p++;
    return (u32)(p - line) == frame->column ? plain_equation(f, p, value) : FEED_AGAIN;
}
