/* SPDX-License-Identifier: Apache-2.0
 *
 * A cut is made before `{ lambda` or `let f =` at the beginning of a line, if the program before it certainly ended:
 * its last line is indented, begins with `in` and ends with `}`, or is a whole program. Texts that lost their
 * indentation, or were wrapped, have no such place and stay in one piece, as do texts with other line ends than \n
 * and \r\n. Each line is examined by itself, so that half-typed text in one program does not move the cuts between
 * others. */
#include "extract/divide.h"

#include "base/chars.h"
#include "base/utf8.h"

static bool
begins(const char *p, const char *end, struct slice word)
{
    return slice_starts((struct slice){p, (size_t)(end - p)}, word);
}

/* whether a line that begins a program closes all its brackets and so is the whole program */
static bool
is_whole(const char *p, const char *end)
{
    i64 depth = 0;
    for (; p < end; p++) {
        depth += bracket_step(*p);
        if (*p == '"' || *p == '\'' || (depth == 0 && p + 1 < end))
            return false;
    }
    return depth == 0;
}

/* whether a program has ended after a line; blank lines and comment lines leave that as it was `before` */
static bool
ends_program(const char *p, const char *end, bool before)
{
    const char *first = p;
    while (end > p && is_blank(end[-1]))
        end--;
    while (first < end && is_blank(*first))
        first++;
    if (first == end || *first == '#')
        return before;
    if (end[-1] != '}')
        return false;
    if (first > p)
        return begins(first, end, SLICE("in "));
    return before && begins(p, end, SLICE("{ lambda ")) && is_whole(p, end);
}

/* whether a line begins a program, or the shared programs before it */
static bool
begins_program(const char *p, const char *end)
{
    static const char binds[] = " = { lambda ";
    return begins(p, end, SLICE("{ lambda ")) ||
           (begins(p, end, SLICE("let ")) && memmem(p, (size_t)(end - p), binds, sizeof binds - 1) != NULL);
}

/* whether the text has line ends other than \n and \r\n, which repairs replace by \n */
static bool
has_other_line_ends(struct slice text)
{
    const char *p = text.at, *end = text.at + text.n;
    while ((p = memchr(p, '\r', (size_t)(end - p))) != NULL && p + 1 < end && p[1] == '\n')
        p++;
    return p != NULL || has_line_end(text);
}

void
divide_programs(struct mem *m, struct slice text, struct divisions *all)
{
    const char *end = text.at + text.n, *last = text.at;
    bool ended = false, other = has_other_line_ends(text);
    u32 line = 1;
    *vec_push(m, all) = (struct division){0, 1};
    for (const char *p = text.at, *stop; p < end; p = stop + 1, line++) {
        stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop != NULL ? stop : end;
        if (ended && !other && p - last >= DIVIDE_LEAST && begins_program(p, stop)) {
            *vec_push(m, all) = (struct division){(u64)(p - text.at), line};
            last = p;
        }
        ended = ends_program(p, stop, ended || p == text.at);
    }
    *vec_push(m, all) = (struct division){text.n, other ? UINT32_MAX : line};
}
