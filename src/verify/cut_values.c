/* SPDX-License-Identifier: Apache-2.0
 *
 * Values whose end is lost with the end of their line: what is left of a constant, an object or a member of an
 * enumeration may read as a word. Linear in the value. */
#include "verify/checker.h"

#include "base/chars.h"

bool
member_is_cut(struct slice s)
{
    static const struct {
        struct slice name, members;
    } known[] = {
#define ENUMERATION(class, members) {SLICE(class "."), SLICE(" " members " ")},
#include "enumerations.def"
#undef ENUMERATION
    };
    if (s.n > 1 && s.at[s.n - 1] == '.')
        return true;
    for (u32 i = 0; i < countof(known); i++) {
        size_t n = known[i].name.n;
        if (s.n > 3 && s.n < n)
            return slice_starts(known[i].name, s) && s.n + 1 < n;
        char word[64];
        if (!slice_starts(s, known[i].name) || s.n - n + 2 > sizeof word)
            continue;
        word[0] = word[s.n - n + 1] = ' ';
        memcpy(word + 1, s.at + n, s.n - n);
        return !slice_contains(known[i].members, (struct slice){word, s.n - n + 2});
    }
    return false;
}

bool
text_is_cut(struct slice s)
{
    return s.n > 1 && s.at[s.n - 1] == '>' && is_word_char(s.at[s.n - 2]) && !memchr(s.at, '<', s.n);
}

bool
value_ends_twice(struct slice s)
{
    const char *end = s.at;
    while (end < s.at + s.n && *end != '\'' && *end != '"')
        end++;
    return value_find(s.at, end, ")]}") < end;
}

bool
value_is_cut(struct slice s)
{
    static const char *const constants[] = {"None", "True", "False"};
    for (u32 i = 0; i < countof(constants); i++)
        if (s.n && s.n < strlen(constants[i]) && memcmp(constants[i], s.at, s.n) == 0)
            return true;
    return s.n > 1 && s.at[0] == '<' && s.at[s.n - 1] != '>';
}
