/* SPDX-License-Identifier: Apache-2.0
 *
 * Each looks at one word, with what surrounds it. Linear in it. */
#include "base/object_words.h"

bool
number_fits(struct slice s, size_t i)
{
    size_t from = i, end = i + 1;
    while (from && is_word_char(s.at[from - 1]))
        from--;
    struct slice name = {s.at + from, i - from};
    if (from < 3 || memcmp(name.at - 3, "np.", 3) != 0)
        return true;
    while (end < s.n && (is_digit(s.at[end]) || s.at[end] == '-'))
        end++;
    bool whole = end < s.n && s.at[end] == ')';
    if (slice_starts(name, SLICE("float")))
        return !whole;
    return (!slice_starts(name, SLICE("int")) && !slice_starts(name, SLICE("uint"))) || (whole && end > i + 1);
}

bool
is_foreign_word(struct slice s, size_t from, size_t end)
{
    static const char *const constants[] = {"TRUE",  "FALSE", "NONE",       "NULL",     "true",
                                            "false", "null",  "FalseFalse", "TrueTrue", "NoneNone"};
    struct slice word = {s.at + from, end - from};
    for (u32 i = 0; i < countof(constants); i++)
        if (slice_eq(word, slice_of(constants[i])))
            return true;
    if (!is_digit(word.at[0]))
        return false;
    bool hex = word.n > 2 && word.at[1] == 'x';
    size_t i = hex ? 2 : 0;
    for (; hex && i < word.n; i++)
        if (!is_digit(word.at[i]) && !strchr("abcdefABCDEFX", word.at[i]))
            return true;
    while (i < word.n && (is_digit(word.at[i]) || word.at[i] == '.'))
        i++;
    bool power = i + 1 < word.n && word.at[i] == 'e' && is_digit(word.at[i + 1]);
    bool after = from && (s.at[from - 1] == '-' || s.at[from - 1] == '+') && from > 1 && s.at[from - 2] == 'e';
    bool zeros = word.n > 1 && word.at[0] == '0' && is_digit(word.at[1]) && i == word.n && !after;
    bool rest = i < word.n && !(i + 1 == word.n && strchr("ej", word.at[i]));
    return power || zeros || rest;
}

bool
is_lower_word(struct slice s, size_t from, size_t end)
{
    struct slice word = {s.at + from, end - from};
    while (from < end && (s.at[from] == '_' || (s.at[from] >= 'a' && s.at[from] <= 'z')))
        from++;
    return from == end && !slice_eq(word, SLICE("nan")) && !slice_eq(word, SLICE("inf"));
}

size_t
origin_end(struct slice s, size_t i)
{
    for (size_t k = i; k + 2 < s.n; k++)
        if (s.at[k] == ',' && s.at[k + 1] == ' ' && is_word_start(s.at[k + 2])) {
            size_t end = word_until(s, k + 2);
            if (end < s.n && s.at[end] == '=')
                return k;
        }
    return i;
}

bool
is_bare_string(struct slice s, size_t i)
{
    i = word_until(s, i);
    size_t index = i + (i < s.n && s.at[i] == '['), end = index;
    while (end < s.n && is_digit(s.at[end]))
        end++;
    i = index > i && end > index && end < s.n && s.at[end] == ']' ? end + 1 : i;
    return i < s.n && strchr(",)", s.at[i]);
}
