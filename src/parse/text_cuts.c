/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds lines at which a text may be cut. A line may not be what it looks like; reading the parts shows whether it is.
 * Linear in the text from the wanted place to the cut, and back to the head of the program. */
#include "parse/parts.h"

#include "base/lexical.h"

enum { COLUMN = 4 }; /* the column of equations in a program that no other one contains */

static bool
begins_header(const char *line)
{
    return memcmp(line, "{ lambda", 8) == 0;
}

static bool
begins_let(const char *line)
{
    return memcmp(line, "let ", 4) == 0;
}

/* the line before the one at p */
static const char *
line_before(const char *begin, const char *p)
{
    const char *newline = p - begin > 1 ? memrchr(begin, '\n', (size_t)(p - 1 - begin)) : NULL;
    return newline ? newline + 1 : begin;
}

/* whether the last line before p that is not a comment ends a program, or a shared one; *cut becomes the kind of cut at
 * p */
static bool
program_ended(const char *begin, const char *p, enum cut *cut)
{
    while (p > begin) {
        const char *last = p - 1, *line = line_before(begin, p);
        while (last > line && is_blank(last[-1]))
            last--;
        if (last > line && *line != '#') {
            bool shared = last - line >= 4 && memcmp(last - 4, "} in", 4) == 0;
            *cut = shared ? CUT_TOP : CUT_BETWEEN;
            return shared || last[-1] == '}';
        }
        p = line;
    }
    return false;
}

/* true for a line with an equation of a program that no other one contains */
static bool
is_equation(const char *line, const char *end)
{
    const char *p = skip_spaces(line), *word = p;
    while (*word >= 'a' && *word <= 'z')
        word++;
    return p - line == COLUMN && word > p && *word == ':' && !is_literal_name((struct slice){p, (size_t)(word - p)}) &&
           equation_begins(p, end);
}

/* true if the equation at p has no parameters, so that it certainly ends with its line */
static bool
is_bare(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    const char *equals = newline ? memmem(p, (size_t)(newline - p), " = ", 3) : NULL;
    return equals && *word_end(equals + 3) == ' ' && !memchr(equals, '{', (size_t)(newline - equals));
}

/* whether the last line before p that is not indented begins a program; *cut becomes the kind of cut before the
 * equation at p */
static bool
find_head(const char *begin, const char *p, enum cut *cut)
{
    do
        p = line_before(begin, p);
    while (p > begin && *p == ' ');
    *cut = begins_let(p) ? CUT_SHARED : CUT_MAIN;
    return begins_let(p) || begins_header(p);
}

const char *
find_cut(const char *begin, const char *p, const char *end, enum cut *cut)
{
    const char *before = NULL; /* the previous line, if it is an equation after which a cut is possible */
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL && ++p < end) {
        if (*p != ' ') {
            before = NULL;
            if ((begins_header(p) || begins_let(p)) && program_ended(begin, p, cut))
                return p;
            continue;
        }
        bool equation = is_equation(p, end);
        if (equation && before && find_head(begin, p, cut))
            return p;
        before = equation && is_bare(p, end) ? p : NULL;
    }
    return NULL;
}
