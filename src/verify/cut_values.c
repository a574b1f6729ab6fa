/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that lost their end, as their line was cut: what is left of a constant, an object or a member of an
 * enumeration may look like a word. Linear in the value. */
#include "verify/checker.h"

#include "base/chars.h"

static const struct {
    struct slice name, members;
    u32 numbers;
} known[] = {
#define ENUMERATION(class, members, numbers) {SLICE(class "."), SLICE(" " members " "), numbers},
#include "enumerations.def"
#undef ENUMERATION
};

/* whether a word is a member of the i-th enumeration */
static bool
has_member(u32 i, struct slice word)
{
    char spaced[64];
    if (word.n + 2 > sizeof spaced)
        return false;
    spaced[0] = spaced[word.n + 1] = ' ';
    memcpy(spaced + 1, word.at, word.n);
    return slice_contains(known[i].members, (struct slice){spaced, word.n + 2});
}

bool
member_is_cut(struct slice s)
{
    if (s.n > 1 && s.at[s.n - 1] == '.')
        return true;
    for (u32 i = 0; i < countof(known); i++) {
        size_t n = known[i].name.n;
        if (s.n > 3 && s.n + 1 < n && slice_starts(known[i].name, s))
            return true;
        if (slice_starts(s, known[i].name))
            return !has_member(i, (struct slice){s.at + n, s.n - n});
    }
    return false;
}

bool
is_member_of(struct slice class, struct slice s)
{
    u32 i = 0;
    i64 number;
    while (i < countof(known) && (!slice_starts(known[i].name, class) || known[i].name.n != class.n + 1))
        i++;
    if (i == countof(known))
        return true;
    struct cursor c = cursor_of(s);
    if (value_int(&c, &number))
        return value_done(&c) && number >= 0 && number < known[i].numbers;
    const char *end = s.at + s.n, *word = end;
    if (*s.at == '<') { /* `<FftType.FFT: 0>` */
        s.at++;
        end = word = value_find(s.at, end, ":>");
    }
    while (word > s.at && is_word_char(word[-1]))
        word--;
    struct slice before = {s.at, (size_t)(word - s.at)};
    bool named = before.n > class.n && memcmp(word - class.n - 1, known[i].name.at, class.n + 1) == 0 &&
                 (before.n == class.n + 1 || word[-(ptrdiff_t) class.n - 2] == '.');
    return (named || before.n == 0) && has_member(i, (struct slice){word, (size_t)(end - word)});
}

bool
text_is_cut(struct slice s)
{
    return s.n > 1 && s.at[s.n - 1] == '>' && is_word_char(s.at[s.n - 2]) && !memchr(s.at, '<', s.n);
}

bool
begins_with_sign(struct slice s)
{
    return s.n && memchr("=%&^|!?,;>)]}`$", *s.at, 15) != NULL;
}

const char *
stray_close(struct slice s)
{
    const char *end = s.at;
    while (end < s.at + s.n && *end != '\'' && *end != '"')
        end++;
    const char *close = value_find(s.at, end, ")]}");
    return close < end ? close : NULL;
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
