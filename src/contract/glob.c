/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns with stars. If the pattern does not match after a star, the last star matches one more byte; in paths, if
 * that fails, the last `**` does. */
#include "contract/config.h"

#include "base/utf8.h"

bool
glob_is_pattern(struct slice word)
{
    return memchr(word.at, '*', word.n) || memchr(word.at, '?', word.n) || memchr(word.at, '[', word.n);
}

/* the end of the set whose `[` is pattern[at - 1]: after its `]`, or `at` if it is not closed */
static size_t
set_end(struct slice pattern, size_t at)
{
    size_t p = at;
    if (p < pattern.n && (pattern.at[p] == '!' || pattern.at[p] == '^'))
        p++;
    if (p < pattern.n && pattern.at[p] == ']')
        p++;
    while (p < pattern.n && pattern.at[p] != ']')
        p++;
    return p < pattern.n ? p + 1 : at;
}

static bool
set_holds(struct slice pattern, size_t at, size_t end, u8 c)
{
    bool outside = pattern.at[at] == '!' || pattern.at[at] == '^', held = false;
    for (size_t p = at + outside; p + 1 < end; p++) {
        u8 from = (u8)pattern.at[p], to = from;
        if (p + 3 < end && pattern.at[p + 1] == '-') {
            to = (u8)pattern.at[p + 2];
            p += 2;
        }
        held |= from <= c && c <= to;
    }
    return held != outside;
}

/* true if c matches the character or set at *p of the pattern, which is not a star; advances *p past it */
static bool
match_one(struct slice pattern, size_t *p, char c, bool path)
{
    char want = pattern.at[*p];
    ++*p;
    if (want == '?')
        return !(path && c == '/');
    size_t end = want == '[' ? set_end(pattern, *p) : *p;
    if (end == *p)
        return want == c;
    size_t at = *p;
    *p = end;
    return set_holds(pattern, at, end, (u8)c) && !(path && c == '/');
}

/* A star already seen. */
struct star {
    size_t p, t; /* the position after it in the pattern, and the end of its match in the text; p is SIZE_MAX if there
                    was no star */
    bool whole;  /* two stars and a slash: it matches whole directories */
};

/* extends the match of a star by one byte or directory, and continues after it; false if it cannot be extended */
static bool
star_grow(struct star *s, struct slice text, size_t *p, size_t *t)
{
    if (s->p == SIZE_MAX || s->t >= text.n)
        return false;
    if (s->whole) {
        const char *slash = memchr(text.at + s->t, '/', text.n - s->t);
        if (!slash)
            return false;
        s->t = (size_t)(slash - text.at);
    }
    *t = ++s->t;
    *p = s->p;
    return true;
}

bool
glob_match(struct slice pattern, struct slice text, bool path)
{
    size_t p = 0, t = 0;
    struct star one = {.p = SIZE_MAX}, any = {.p = SIZE_MAX}; /* does not match slashes; matches slashes */
    while (t < text.n || p < pattern.n) {
        size_t next = p;
        if (p < pattern.n && pattern.at[p] == '*') {
            bool all = !path || (p + 1 < pattern.n && pattern.at[p + 1] == '*');
            while (p < pattern.n && pattern.at[p] == '*')
                p++;
            bool whole = all && path && p < pattern.n && pattern.at[p] == '/' && (t == 0 || text.at[t - 1] == '/');
            p += whole;
            *(all ? &any : &one) = (struct star){p, t, whole};
            if (all)
                one.p = SIZE_MAX;
        } else if (p < pattern.n && t < text.n && match_one(pattern, &next, text.at[t], path)) {
            p = next;
            t++;
        } else if (one.t < text.n && text.at[one.t] != '/' && star_grow(&one, text, &p, &t)) {
            continue;
        } else if (star_grow(&any, text, &p, &t)) {
            one.p = SIZE_MAX;
        } else {
            return false;
        }
    }
    return true;
}

struct slice
glob_literal(struct mem *m, struct slice text)
{
    struct sink out;
    sink_init_memory(&out, m);
    for (size_t i = 0; i < text.n; i++) {
        size_t n = utf8_length(text.at + i, text.n - i);
        if (n == 0)
            sink_char(&out, '?');
        else if (memchr("*?[", text.at[i], 3))
            sink_printf(&out, "[%c]", text.at[i]);
        else
            sink_write(&out, text.at + i, n);
        i += n > 0 ? n - 1 : 0;
    }
    return sink_take(&out);
}
