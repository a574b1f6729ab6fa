/* SPDX-License-Identifier: Apache-2.0
 *
 * The comments JAX prints, `# FILE:LINE:COLUMN (FUNCTION)` and `# [NAMES]` (jax/_src/core.py, source_info and
 * name_stack), end with their line; wrapping or joining lines moves that end. Here it is restored: a space becomes a
 * line end, or a line end a space, so that all bytes keep their offsets and the rest of the line is read. The form
 * of 0.1.71 to 0.2.21, ` [FILE:LINE (FUNCTION)]`, becomes today's, which has the same length. One pass over what
 * follows each `#`; at most SEARCHES_PER_BYTE times the text if comments seem to be nested. */
#include "preprocess/preprocess.h"

#include "base/chars.h"

#include <string.h>

enum {
    LONGEST = 4096, /* the maximum length of a comment */
    SEARCHES_PER_BYTE = 32,
};

struct sources {
    struct mem *mem;
    struct text *text;
    size_t budget; /* the number of bytes that may still be searched */
    bool others;   /* some comments are not JAX's own */
    bool flat;     /* program text follows a comment on its line: empty comments may be JAX's own, too */
};

/* the bracket that closes the one at p, on its line; NULL if there is none */
static const char *
brackets_end(struct sources *s, const char *p, const char *far)
{
    u32 depth = 0;
    for (; p < far && *p != '\n' && s->budget > 0; p++, s->budget--) {
        depth += *p == '(' || *p == '[';
        depth -= *p == ')' || *p == ']';
        if (depth == 0)
            return p + 1;
    }
    return NULL;
}

/* the end of `FILE:LINE:COLUMN (FUNCTION)` at p, where whitespace may precede the bracket; NULL if there is none */
static const char *
place_end(struct sources *s, const char *p, const char *far)
{
    for (const char *q = p; q < far && *q != '\n' && *q != '#' && s->budget > 0; q++, s->budget--) {
        const char *digits = q + 1;
        while (*q == ':' && is_digit(*digits))
            digits++;
        if (digits > q + 1 && q > p && is_blank(*digits) && *skip_blanks(digits) == '(')
            return brackets_end(s, skip_blanks(digits), far);
    }
    return NULL;
}

/* the end of JAX's comment that begins at p, after its `#`; NULL if it is empty or not JAX's */
static const char *
comment_end(struct sources *s, const char *p, const char *end)
{
    const char *far = end - p < LONGEST ? end : p + LONGEST;
    const char *q = skip_blanks(p), *close = *q == '[' ? brackets_end(s, q, far) : place_end(s, q, far);
    bool next = *q == '[' && memchr(p, '\n', (size_t)(q - p)); /* the names are on the next line */
    return close && !next && (close == end || is_blank(*close)) ? close : NULL;
}

/* called before lines change: keeps the original text and its lines */
static void
keep(struct sources *s)
{
    text_keep_original(s->mem, s->text);
    text_keep_lines(s->mem, s->text);
}

/* replaces the space at p by a line end */
static void
end_line(struct sources *s, const char *p)
{
    keep(s);
    s->text->at[p - s->text->at] = '\n';
}

/* writes the text from p to `close` on one line, with single spaces; the remaining spaces follow it */
static void
join_lines(struct sources *s, const char *p, const char *close)
{
    if (!memchr(p, '\n', (size_t)(close - p)))
        return;
    keep(s);
    char *to = s->text->at + (p - s->text->at);
    for (const char *q = p; q < close; q++) {
        if (!is_blank(*q))
            *to++ = *q;
        else if (to == p || to[-1] != ' ')
            *to++ = ' ';
    }
    if (to < close) {
        memset(to, ' ', (size_t)(close - to));
        *to = '\n';
    }
}

/* whether the text at p, up to the next comment, can be a line of a program that was joined to the comment before
 * it, rather than words that a person added to that comment, which must not become operands */
static bool
begins_line(struct sources *s, const char *p, const char *end)
{
    const char *far = end - p < LONGEST ? end : p + LONGEST, *word = word_end(p);
    const char *newline = memchr(p, '\n', (size_t)(far - p));
    far = newline ? newline : far;
    const char *hash = memchr(p, '#', (size_t)(far - p));
    struct slice text = {p, (size_t)((hash ? hash : far) - p)};
    if (word == p)
        return *p && strchr("[](){}", *p);
    struct slice first = {p, (size_t)(word - p)};
    return *word == '=' || *word == '[' || (*word == ':' && is_word_start(word[1])) || slice_eq(first, SLICE("in")) ||
           slice_eq(first, SLICE("let")) || slice_contains(text, SLICE(" = ")) || slice_contains(text, SLICE(" <- ")) ||
           slice_contains(text, SLICE(" += ")) || (hash && comment_end(s, hash + 1, end));
}

/* puts the comment from p to `close` on one line, and ends the line after it unless another comment follows: up to
 * 0.10.0, JAX prints several on a line */
static void
end_comment(struct sources *s, const char *p, const char *close, const char *end)
{
    join_lines(s, p, close);
    const char *next = skip_spaces(close);
    bool another = *next == '#' && next == close + 1 && comment_end(s, next + 1, end);
    if (another || (!is_blank(*next) && *next && *next != '#' && begins_line(s, next, end))) {
        end_line(s, close);
        s->flat = true;
    }
}

/* ` [FILE:LINE (FUNCTION)]` becomes ` # FILE:LINE (FUNCTION)`; false if the text cannot have any */
static bool
respell_old(struct sources *s)
{
    char *p = s->text->at, *end = p + s->text->n;
    if (!memmem(p, s->text->n < LONGEST ? s->text->n : LONGEST, "lambda  ;", 9))
        return false;
    while ((p = memmem(p, (size_t)(end - p), " [", 2)) != NULL) {
        p += 2;
        const char *far = end - p < LONGEST ? end : p + LONGEST;
        const char *close = is_word_start(*p) || *p == '/' || *p == '<' || *p == '.' ? place_end(s, p, far) : NULL;
        if (!close || *close != ']' || !is_blank(close[1]))
            continue;
        text_keep_original(s->mem, s->text);
        memmove(p + 1, p, (size_t)(close - p));
        p[-1] = '#';
        *p = ' ';
    }
    return true;
}

static void
end_comments(struct sources *s)
{
    const char *p = s->text->at, *end = p + s->text->n;
    while ((p = memchr(p, '#', (size_t)(end - p))) != NULL) {
        const char *hash = p++, *close = hash == s->text->at || is_blank(hash[-1]) ? comment_end(s, p, end) : NULL;
        s->others |= !close && is_blank(hash[-(hash > s->text->at)]);
        if (close)
            end_comment(s, p, close, end);
        else if (s->flat && *p == ' ' && is_blank(hash[-1]) && begins_line(s, p + 1, end))
            end_line(s, p);
        p = close ? close : p;
    }
}

/* a comment in the syntax of C, Rust or JavaScript, ` // here`, becomes one in Python's; false if the text cannot
 * have any */
static bool
respell_slashes(struct sources *s)
{
    char *p = s->text->at, *end = p + s->text->n;
    if (!memmem(p, s->text->n < FIRST_LOOK ? s->text->n : FIRST_LOOK, "  // ", 5))
        return false;
    while ((p = memmem(p, (size_t)(end - p), "  // ", 5)) != NULL) {
        text_keep_original(s->mem, s->text);
        p[2] = '#';
        p[3] = ' ';
        text_repaired(s->text, REPAIR_COMMENTS, (u32)(p + 2 - s->text->at));
    }
    return true;
}

bool
restore_comment_ends(struct mem *m, struct text *t, u32 look)
{
    struct sources s = {.mem = m, .text = t, .budget = (size_t)SEARCHES_PER_BYTE * t->n};
    bool respelled = respell_old(&s);
    respelled |= respell_slashes(&s);
    if (!respelled && !(look & LOOK_HASHES))
        return false;
    if (!memchr(t->at, '#', t->n < FIRST_LOOK ? t->n : FIRST_LOOK))
        return memchr(t->at, '#', t->n) != NULL;
    end_comments(&s);
    if (s.flat)
        end_comments(&s); /* ends the empty comments before the first such text */
    return s.others;
}
