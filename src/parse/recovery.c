/* SPDX-License-Identifier: Apache-2.0
 *
 * Where reading continues after a syntax error. Damage hides nothing beyond itself: a program whose `{ lambda` or
 * `. let` is damaged is read, and so are the programs in the parameters of an equation whose binders are damaged.
 * Linear: lookahead stays within one line, or is counted. */
#include "grammar.tab.h"
#include "parse/build.h"
#include "parse/token_source.h"

/* the end of the unreadable equation: a line that begins in the column of the body's equations, a `;` or the results.
 * Brackets that open after p contain nested programs, whose ends are skipped; unclosed ones are ignored, and all are
 * after too much text was searched in vain */
static const char *
equation_end(struct token_source *f, const char *p, u32 column)
{
    const char *first = NULL;
    for (u32 depth = 0; p < f->end; p++) {
        depth = bracket_depth(depth, *p);
        if (*p == ';' || (word_at(p, SLICE("in")) && is_blank(p[-1]) && in_begins_results(p))) {
            if (depth == 0 || f->once.unbalanced || f->lookahead == 0)
                return p;
            first = first ? first : p;
        }
        if (*p != '\n')
            continue;
        const char *q = skip_indent(p + 1);
        if ((u32)(q - p - 1) == column && is_word_start(*q))
            return q;
    }
    f->once.unbalanced |= first != NULL;
    f->lookahead -= first ? ((u64)(p - first) < f->lookahead ? (u64)(p - first) : f->lookahead) : 0;
    return first ? first : p;
}

/* how far to search for the end of a header and of the binders of an equation */
enum { LONGEST_HEADER = 1 << 16, LONGEST_LEFT = 4096 };

/* the end of the line at p, if it is no longer than that; else NULL */
static const char *
line_end(const struct token_source *f, const char *p, u32 longest)
{
    size_t n = (size_t)(f->end - p);
    return memchr(p, '\n', n < longest ? n : longest);
}

bool
equation_line(const struct token_source *f, const char *p)
{
    size_t n = f->end - p < LONGEST_LEFT ? (size_t)(f->end - p) : LONGEST_LEFT;
    const char *equals = memmem(p, n, " = ", 3);
    bool header = memmem(p, equals ? (size_t)(equals - p) : n, ". let", 5) != NULL;
    return !header && (equation_begins(p, f->end) || (is_word_start(*p) && line_binds(p)));
}

const char *
header_end(const struct token_source *f, const char *p)
{
    for (; p < f->end; p++)
        if (*p == '.' ? is_blank(p[1]) && word_at(skip_blanks(p + 1), SLICE("let"))
                      : *p == '\n' && equation_line(f, skip_indent(p + 1)))
            break;
    return p;
}

const char *
damaged_lambda(const struct token_source *f, const char *p)
{
    enum { NEAR = 12 };
    const char *line = line_end(f, p, LONGEST_HEADER), *brace = *p == '{' ? p + 1 : p, *last = line;
    if (!line || word_at(p, SLICE("let")) || !equation_line(f, skip_blanks(line)))
        return NULL;
    if (*p == '{' && word_at(skip_blanks(brace), SLICE("lambda")))
        return skip_blanks(brace) + strlen("lambda");
    while (last > p && is_blank(last[-1]))
        last--;
    const char *semicolon = memchr(p, ';', (size_t)(line - p)), *let = last - strlen(". let");
    if (!semicolon || let < semicolon || memcmp(let, ". let", 5) != 0)
        return NULL;
    const char *lambda = memmem(p, (size_t)(line - p), "lambda", 6), *end = brace = skip_spaces(brace);
    if (lambda)
        return lambda - p < NEAR && !memchr(p, '=', (size_t)(lambda - p)) ? word_end(lambda) : NULL;
    while (end < semicolon && !is_blank(*end) && *end != ':')
        end++;
    return *end == ':' && end > brace ? brace : end + (end == brace && *end == ':');
}

bool
damaged_program(const struct token_source *f, const char *p)
{
    const char *line = p;
    while (line > f->begin && line[-1] == ' ')
        line--;
    if (is_blank(*p) || (line > f->begin && line[-1] != '\n'))
        return false;
    const char *binders = damaged_lambda(f, p);
    return binders && !memmem(p, (size_t)(binders + 9 - p), "{ lambda", 8);
}

/* the primitive of an equation with parameters on lines of their own, `jit[`, at the end of the line with the last
 * error, which is in its binders; NULL if there is none */
static const char *
call_after_error(const struct token_source *f)
{
    const char *from = f->recovery.failed, *line = line_end(f, from, LONGEST_LEFT), *p = line;
    if (!line || line == from || line[-1] != '[' || !key_end(skip_blanks(line)))
        return NULL;
    while (--p > from && is_word_char(p[-1]))
        ;
    return p + 1 < line && is_word_start(*p) && is_blank(p[-1]) ? p : NULL;
}

/* begins to read the parameters of an equation whose binders are damaged */
static void
read_call(struct token_source *f, const char *p)
{
    union token_value value;
    f->equation_at = offset_of(f, p);
    scan_seek(&f->scan, p);
    int token = prim_token(f, p, word_end(p), true, false, &value);
    value.id |= PRIM_DAMAGED;
    queue_token(f, token, value);
}

/* the position after the results whose `}` is missing or another character: the error is on a later line than their
 * `)`, or their line has no `}`; else NULL */
static const char *
unclosed_results(const struct token_source *f)
{
    const char *p = f->recovery.failed, *end = p, *line = line_end(f, p, LONGEST_LEFT);
    while (p > f->begin && is_blank(p[-1]))
        p--;
    if (p > f->begin && p[-1] == ')' && memchr(p, '\n', (size_t)(end - p)))
        return p;
    return line && !memchr(end, '}', (size_t)(line - end)) ? line : NULL;
}

/* the position after the `}` that ends the line with the last error, if results end there, `(a,) }`; else NULL */
static const char *
damaged_results(const struct token_source *f)
{
    const char *p = f->recovery.failed, *line = line_end(f, p, LONGEST_LEFT), *brace = line;
    while (brace && brace > p && *brace != '}' && (brace == line || is_blank(*brace)))
        brace--;
    if (!brace || *brace != '}' || memchr(p, '=', (size_t)(brace - p)) || memchr(p, '{', (size_t)(brace - p)))
        return NULL;
    const char *paren = brace;
    while (paren > p && is_blank(paren[-1]))
        paren--;
    return paren > p && paren[-1] == ')' ? brace + 1 : NULL;
}

/* closes the program that is being read at p, where its results are damaged or its `}` is missing */
static void
close_at(struct token_source *f, const char *p, bool results)
{
    const union token_value none = {0}, end = {.id = offset_of(f, p)};
    if (!results) {
        build_outs_error(f);
        queue_token(f, TOK_IN, none);
        queue_token(f, TOK_RPAREN, none);
    }
    queue_token(f, TOK_CLOSE, end);
    scan_seek(&f->scan, p);
}

void
skip_to_recovery(struct token_source *f)
{
    f->recovery.wanted = false;
    f->resume = NULL;
    f->pending = -1;
    scan_release(&f->scan);
    const char *p = f->scan.at, *call;
    struct frame *frame = top_frame(f);
    /* a `=` that begins a body is not in the column of its equations, only in that of the damaged one */
    if (f->build.open.n && last_eqn(f) == NONE && f->begin[f->equation_at] == '=')
        frame->column = column_at(f, f->begin + f->equation_at);
    if (frame->state == STATE_TOP || frame->state == STATE_TOP_IN || frame->state == STATE_DONE) {
        frame->state = STATE_DONE;
        scan_seek(&f->scan, p);
        return;
    }
    bool nested = f->build.open.n > 1;
    const char *end;
    if (nested && frame->state == STATE_CLOSE && (end = unclosed_results(f)) != NULL) {
        close_at(f, end, true);
        return;
    }
    if (frame->state == STATE_OUTS || frame->state == STATE_CLOSE) {
        while (p < f->end && *p != '}')
            p++;
        frame->state = STATE_CLOSE;
    } else if (frame->state == STATE_CONSTS || frame->state == STATE_INS) {
        p = header_end(f, p);
        frame->state = STATE_INS;
        if (*p == '\n') {
            queue_token(f, TOK_LET, (union token_value){0});
            begin_body(f, p + 1);
            return;
        }
    } else if ((call = call_after_error(f)) != NULL) {
        read_call(f, call);
        return;
    } else if (nested && (end = damaged_results(f)) != NULL) {
        close_at(f, end, false);
        return;
    } else {
        p = equation_end(f, p, frame->column);
        if (p == f->recovery.continued) /* the text here could not be read either */
            p = equation_end(f, p + 1, frame->column);
        f->recovery.continued = p;
        p += *p == ';';
        frame->state = STATE_BODY;
        f->starting = true;
    }
    scan_seek(&f->scan, p);
    f->scan.line = p - column_at(f, p);
}
