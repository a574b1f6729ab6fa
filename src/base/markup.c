/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass for each kind of markup: each starts at a rare character and looks only at its surroundings. */
#include "base/markup.h"

#include "base/chars.h"

/* the longest address that is compared */
enum { LONGEST = 512 };

/* whether a code of a colour without its escape character is at the `[` at s.at[i]: `[0m`, `[38;5;208m`; a string of a
 * user may contain the whole code, `\x1b[0m` */
static bool
is_colour(struct slice s, size_t i)
{
    size_t end = i + 1;
    while (end < s.n && (is_digit(s.at[end]) || (s.at[end] == ';' && is_digit(s.at[end - 1]))))
        end++;
    bool escaped = i >= 3 && (memcmp(s.at + i - 3, "x1b", 3) == 0 || memcmp(s.at + i - 3, "x1B", 3) == 0 ||
                              memcmp(s.at + i - 3, "033", 3) == 0 || memcmp(s.at + i - 3, "01b", 3) == 0);
    return end > i + 1 && end < s.n && s.at[end] == 'm' && !escaped && (i == 0 || s.at[i - 1] != 0x1b);
}

/* whether the `://` at s.at[i] is in a link whose shown text is its address */
static bool
is_link(struct slice s, size_t i)
{
    size_t from = i, end = i + 3;
    while (from && s.at[from - 1] >= 'a' && s.at[from - 1] <= 'z')
        from--;
    while (end < s.n && end - i < LONGEST && !strchr("|)>] '\"", s.at[end]))
        end++;
    struct slice address = {s.at + i + 3, end - i - 3}, before = {s.at, from}, after = {s.at + end, s.n - end};
    if (from == i || address.n < 3 || from == 0)
        return false;
    if (s.at[from - 1] == '<') /* `<http://a.py|a.py>` */
        return after.n > address.n + 1 && *after.at == '|' && after.at[address.n + 1] == '>' &&
               memcmp(after.at + 1, address.at, address.n) == 0;
    bool label = slice_ends(before, SLICE("](")), noted = slice_ends(before, SLICE(" ("));
    if (!after.n || *after.at != ')' || (!label && !noted) || before.n < address.n + 2)
        return false;
    return memcmp(before.at + before.n - 2 - address.n, address.at, address.n) == 0;
}

bool
has_markup(struct slice s)
{
    u32 colours = 0; /* one alone may be a user's, `'[3m'`; a colour has an end, `[0m` */
    for (size_t i = 0; i + 2 < s.n; i++) {
        colours += s.at[i] == '[' && is_digit(s.at[i + 1]) && is_colour(s, i);
        if (colours > 1 || (s.at[i] == ':' && s.at[i + 1] == '/' && s.at[i + 2] == '/' && is_link(s, i)))
            return true;
    }
    return false;
}

bool
path_fits(struct slice s)
{
    return !has_markup(s) && !slice_contains(s, SLICE("/<"));
}
