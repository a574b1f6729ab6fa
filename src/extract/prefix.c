/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefixes are compared by character, except for the digits of stamps (`21:07:08.123456`, a process id), which
 * differ from line to line, and FileCheck's `CHECK:`, whose next lines have `CHECK-NEXT:`. Before a line number (cat
 * -n, grep -n, git blame) any text is possible, as long as the number is in the same columns. O(prefix) for each
 * line. */
#include "extract/prefix.h"

#include "base/chars.h"

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool
of_stamp(char c)
{
    return is_digit(c) || (c && strchr(":.,-+TZ/", c));
}

/* Marks the digits of timestamps: words with at least three numbers, or with six digits. */
static void
mark_stamps(struct prefix *prefix)
{
    const char *p = prefix->at;
    for (u32 from = 0, to; from < prefix->n; from = to + 1) {
        u32 numbers = 0, digits = 0;
        for (to = from; to < prefix->n && of_stamp(p[to]); to++) {
            digits += is_digit(p[to]);
            numbers += is_digit(p[to]) && (to == from || !is_digit(p[to - 1]));
        }
        for (u32 i = from; i < to; i++)
            prefix->stamp[i] = is_digit(p[i]) && (numbers >= 3 || digits >= 6);
    }
}

/* how many of the first n bytes of the prefix the line begins with; *taken becomes their length in the line */
static u32
agree(const struct prefix *prefix, u32 n, const char *line, u32 size, u32 *taken)
{
    u32 i = 0, k = 0;
    const char *p = prefix->at;
    while (i < n && k < size) {
        if (prefix->stamp[i] && is_digit(line[k])) {
            while (i < n && is_digit(p[i]))
                i++;
            while (k < size && is_digit(line[k]))
                k++;
        } else if (p[i] == line[k]) {
            i++;
            k++;
        } else if (p[i] == ':' && line[k] == '-' && i > 0 && is_upper(p[i - 1])) {
            u32 end = k + 1;
            while (end < size && is_upper(line[end]))
                end++;
            if (end == size || line[end] != ':')
                break;
            k = end;
        } else {
            break;
        }
    }
    *taken = k;
    return i;
}

static u32
visible_length(const char *p, u32 n)
{
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == '\t'))
        n--;
    return n;
}

/* how far JAX indents a program's second line, whose text is at p: 4 for an equation or a binder, 2 for results, and
 * for `let`, which begins a line in the oldest versions */
static u32
indent_of(const char *p, u32 n)
{
    return n > 2 && (memcmp(p, "in ", 3) == 0 || (n > 3 && memcmp(p, "let ", 4) == 0)) ? 2 : 4;
}

/* the number whose last digit is before `end`; 0 if there is none, or it is part of a word or a fraction */
static u64
number_before(const char *p, u32 end, u32 *from)
{
    u64 value = 0, unit = 1;
    *from = end;
    while (*from > 0 && is_digit(p[*from - 1]) && end - *from < 9) {
        value += unit * (u64)(p[--*from] - '0');
        unit *= 10;
    }
    return *from > 0 && strchr("._0123456789", p[*from - 1]) ? 0 : value;
}

/* the length of a prefix with a line number in a line, NONE if the line does not have it; *value becomes the number */
static u32
skip_numbered(const struct prefix *prefix, const char *line, u32 n, u64 *value)
{
    const char *sign = prefix->at + prefix->number_end;
    u32 signs = prefix->n - prefix->number_end, seen = visible_length(sign, signs), end = prefix->number_end, from;
    *value = end <= n ? number_before(line, end, &from) : 0;
    if (*value == 0 || (end < n && is_digit(line[end]))) { /* the number may have got more digits */
        for (end = from = prefix->number; end < n && is_digit(line[end]); end++)
            ;
        if (from > n || memcmp(line, prefix->at, from) != 0)
            return NONE;
        *value = number_before(line, end, &from);
    }
    if (*value == 0 || n - end < seen || memcmp(line + end, sign, seen) != 0)
        return NONE;
    return end + signs < n ? end + signs : n;
}

/* true if the prefix ends with a line number and the next line has the next number; records where it is */
static bool
learn_number(struct prefix *prefix, const char *line, u32 n)
{
    u32 end = prefix->n;
    while (end > 0 && ((u8)prefix->at[end - 1] >= 0x80 || strchr(" \t|:).>#-", prefix->at[end - 1])))
        end--;
    u64 first = number_before(prefix->at, end, &prefix->number), next;
    prefix->number_end = end;
    if (first > 0 && skip_numbered(prefix, line, n, &next) != NONE && next == first + 1)
        return true;
    prefix->number = prefix->number_end = 0;
    return false;
}

/* true if the prefix is a diff marker: the next line begins with one, too, followed by JAX's indentation */
static bool
learn_marker(struct prefix *prefix, const char *line, u32 n, bool let)
{
    u32 text = 1;
    if (prefix->n != 1 || !strchr("+- ", *prefix->at) || n == 0 || !strchr("+- ", *line))
        return false;
    while (text < n && (line[text] == ' ' || line[text] == '\t'))
        text++;
    return text < n && text - 1 == (let ? 0 : indent_of(line + text, n - text));
}

bool
prefix_learn(struct prefix *prefix, const char *line, u32 n, bool let)
{
    mark_stamps(prefix);
    bool numbered = learn_number(prefix, line, n);
    prefix->signs = !numbered && learn_marker(prefix, line, n, let);
    if (numbered || prefix->signs) {
        prefix->known = true;
        prefix->visible = numbered || *prefix->at != ' ';
        return prefix_skip(prefix, line, n) != NONE;
    }
    u32 taken, most = agree(prefix, prefix->n, line, n, &taken);
    bool whole = most == prefix->n;
    /* part of a word may agree by chance */
    if (!whole)
        while (most > 0 && prefix->at[most - 1] != ' ' && prefix->at[most - 1] != '\t')
            most--;
    agree(prefix, most, line, n, &taken);
    u32 visible = visible_length(prefix->at, most), blanks = most - visible, text = taken;
    while (text < n && (line[text] == ' ' || line[text] == '\t'))
        text++;
    u32 indent = let ? 0 : indent_of(line + text, n - text);
    /* of the spaces that both have, those beyond JAX's indentation belong to the prefix */
    if (text < n && text >= indent && text - indent <= taken && text - indent + blanks >= taken)
        most -= taken - (text - indent);
    else if (!whole && visible == 0)
        most = 0;
    prefix->n = most;
    mark_stamps(prefix);
    prefix->visible = visible > 0;
    prefix->known = true;
    u32 skip = prefix_skip(prefix, line, n);
    return skip != NONE && text < n && text - skip == indent;
}

u32
prefix_skip(const struct prefix *prefix, const char *line, u32 n)
{
    u64 number;
    if (prefix->number_end)
        return skip_numbered(prefix, line, n, &number);
    if (prefix->signs) /* in a diff, the new text is used, unless the program begins with a line of the old text */
        return n == 0 ? 0 : *line == (*prefix->at == '-' ? '+' : '-') ? NONE : strchr("+- ", *line) != NULL;
    u32 taken, reached = agree(prefix, prefix->n, line, n, &taken);
    /* trailing spaces of a prefix are often omitted on empty lines; a block may be indented less than its beginning */
    if (reached == prefix->n || !prefix->visible)
        return taken;
    return taken == n && reached >= visible_length(prefix->at, prefix->n) ? taken : NONE;
}
