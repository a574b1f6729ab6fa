/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces of Jaxpr text that are recognized by their own bytes, anywhere in a program. Searches that may be long have a
 * limit, so that repeated searches stay linear. */
#include "base/lexical.h"

#include "base/chars.h"

#include <string.h>

/* true if a type continues after the line end at p, because it was wrapped at a space in a sum or between arguments */
static bool
is_wrapped(const char *from, const char *p, u32 depth)
{
    enum { DEEP = 256 }; /* spaces that indent a line */
    const char *before = p, *after = p + 1;
    while (before > from && p - before < DEEP && is_blank(before[-1]))
        before--;
    while (after - p < DEEP && is_blank(*after))
        after++;
    if (depth == 0 || before - from < 2)
        return false;
    bool sum = strchr("+-*", before[-1]) && before[-2] == ' ';
    return sum || (before[-1] == ',' && depth > 1) || ((*after == '+' || *after == '-') && after[1] == ' ');
}

/* whether the type before the dots at *p ends there, because a blank, a line end, `;`, `,`, a closing bracket or the
 * end of the text follows them; if not, *p becomes the last of them */
static bool
dots_end(const char **p, const char *end)
{
    const char *q = *p;
    while (q < end && *q == '.')
        q++;
    if (q == end || strchr(" \n\t\r;,)]}", *q))
        return true;
    *p = q - 1;
    return false;
}

const char *
type_scan(const char *p, const char *end)
{
    enum { LINES = 8 }; /* how many lines of a wrapped type are searched, so that unclosed brackets cost linear time */
    const char *from = p;
    u32 depth = 0, lines = 0;
    for (; p < end; p++)
        switch (*p) {
        case '(':
        case '[':
        case '{':
            depth++;
            break;
        case ')':
        case ']':
        case '}':
            if (depth == 0)
                return p;
            depth--;
            break;
        case '\n':
        case '\r':
            if (lines++ == LINES || !is_wrapped(from, p, depth))
                return p;
            break;
        case ' ':
        case '\t':
        case ';':
        case ',':
            if (depth == 0)
                return p;
            break;
        case '.':
            if (depth == 0 && dots_end(&p, end))
                return p;
            break;
        default:
            break;
        }
    return p;
}

bool
word_at(const char *p, struct slice word)
{
    return memcmp(p, word.at, word.n) == 0 && !is_word_char(p[word.n]);
}

const char *
key_end(const char *p)
{
    if (!is_word_start(*p) || *p == '*')
        return NULL;
    p = word_end(p);
    return *p == '=' && p[1] != '=' ? p : NULL;
}

struct slice
large_integer(struct slice text)
{
    u64 value = 0;
    size_t start = 0;
    bool word = false; /* the digits belong to a name, or follow a point */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        bool number = is_digit(c) && !word;
        start = number && i > 0 && is_digit(text.at[i - 1]) ? start : i;
        if (number && (__builtin_mul_overflow(value, 10ull, &value) ||
                       __builtin_add_overflow(value, (u64)(c - '0'), &value) || value > INT64_MAX)) {
            while (i < text.n && is_digit(text.at[i]))
                i++;
            return (struct slice){text.at + start, i - start};
        }
        if (!number) {
            value = 0;
            word = is_word_char(c) || c == '.';
        }
    }
    return (struct slice){"", 0};
}

bool
integers_fit(struct slice text)
{
    return large_integer(text).n == 0;
}

bool
has_padded_number(struct slice text)
{
    for (size_t i = 0; i + 1 < text.n; i++)
        if (is_padded(text.at + i, text.at + text.n) &&
            (i == 0 || (!is_word_char(text.at[i - 1]) && text.at[i - 1] != '.')) &&
            !(i > 1 && strchr("+-", text.at[i - 1]) && strchr("eE", text.at[i - 2]))) /* `1e-06` */
            return true;
    return false;
}

bool
is_literal_name(struct slice name)
{
    return slice_eq(name, SLICE("inf")) || slice_eq(name, SLICE("nan")) || slice_eq(name, SLICE("True")) ||
           slice_eq(name, SLICE("False"));
}

bool
bracket_opens_params(const char *p)
{
    const char *q = skip_indent(p + 1);
    if (*q == '\n' || *q == '\r' || *q == '#')
        return true;
    if (!is_word_start(*q))
        return false;
    q = word_end(q);
    return *q == '=' && q[1] != '=';
}

/* how far to search for the `=` of an equation, so that other text costs linear time */
enum { LONGEST = 1024 };

bool
equation_begins(const char *p, const char *end)
{
    bool typed = false;
    for (const char *from = p; is_word_start(*p) && p - from < LONGEST;) {
        const char *q = p;
        while (is_word_char(*q) || *q == '*')
            q++;
        if (*q == '[' && !typed) {
            const char *after = skip_blanks(type_scan(q, end));
            return bracket_opens_params(q) || memcmp(after, "<-", 2) == 0 || memcmp(after, "+=", 2) == 0;
        }
        if (*q != ':')
            return false;
        typed = true;
        p = skip_blanks(type_scan(q + 1, end));
    }
    return typed && ((*p == '=' && p[1] != '=') || (*p == '<' && p[1] == '-') || *p == ',');
}

bool
quote_opens(const char *p, const char *from)
{
    if (p == from)
        return false;
    char before = p[-1] == ' ' && p - 1 > from ? p[-2] : p[-1];
    return before == '(' || before == '[' || before == '{' || before == ',' || before == ':' || before == '=' ||
           p[-1] == 'b';
}

const char *
skip_string(const char *p, const char *end)
{
    char quote = *p;
    for (const char *q = p + 1; q < end && *q != '\n'; q++) {
        if (*q == '\\')
            q++;
        else if (*q == quote)
            return q + 1;
    }
    return p + 1;
}

const char *
skip_angles(const char *p, const char *end)
{
    u32 depth = 0;
    for (const char *q = p; q < end && *q != '\n';) {
        if (*q == '\'' || *q == '"') {
            q = skip_string(q, end);
            continue;
        }
        depth += *q == '<';
        if (*q == '>' && q[-1] != '-' && --depth == 0)
            return q + 1;
        q++;
    }
    return p;
}
