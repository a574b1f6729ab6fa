/* SPDX-License-Identifier: Apache-2.0
 *
 * Edit distance row by row, up to 2; exchanging two neighbours is one edit. */
#include "base/near.h"

#include "base/chars.h"
#include "base/utf8.h"

enum { LONGEST = 40, FAR = 3 };

u32
word_distance(struct slice a, struct slice b)
{
    u32 rows[3][LONGEST + 1];
    if (a.n > LONGEST || b.n > LONGEST || a.n + 2 < b.n || b.n + 2 < a.n)
        return FAR;
    for (u32 j = 0; j <= b.n; j++)
        rows[0][j] = j;
    for (u32 i = 1; i <= a.n; i++) {
        u32 *row = rows[i % 3], best = i;
        const u32 *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3]; /* the rows of i - 1 and i - 2 */
        row[0] = i;
        for (u32 j = 1; j <= b.n; j++) {
            u32 replaced = above[j - 1] + (a.at[i - 1] != b.at[j - 1]);
            u32 moved = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
            row[j] = replaced < moved ? replaced : moved;
            bool swaps = i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1];
            if (swaps && second[j - 2] + 1 < row[j])
                row[j] = second[j - 2] + 1;
            best = row[j] < best ? row[j] : best;
        }
        if (best >= FAR)
            return FAR;
    }
    u32 distance = rows[a.n % 3][b.n];
    return distance < FAR ? distance : FAR;
}

bool
word_nearer(struct slice word, struct slice candidate, u32 *least)
{
    u32 d = word_distance(word, candidate), most = word.n > 3 ? FAR : FAR - 1; /* any two short words are near each
                                                                                * other */
    if (d >= (*least ? *least - 1 : most))
        return false;
    *least = d + 1;
    return true;
}

bool
word_is_misspelled(struct slice a, struct slice b)
{
    if (a.n + 1 < b.n || b.n + 1 < a.n)
        return false;
    size_t i = 0, tail = 0;
    while (i < a.n && i < b.n && a.at[i] == b.at[i])
        i++;
    while (tail < a.n - i && tail < b.n - i && a.at[a.n - 1 - tail] == b.at[b.n - 1 - tail])
        tail++;
    size_t x = a.n - i - tail, y = b.n - i - tail;
    return (x <= 1 && y <= 1) || (x == 2 && y == 2 && a.at[i] == b.at[i + 1] && a.at[i + 1] == b.at[i]);
}

/* whether a word of a name begins or ends at s.at[i]: `dot|_|general`, `Grid|Mapping` */
static bool
is_border(struct slice s, size_t i)
{
    if (i == 0 || i == s.n || s.at[i] == '_' || s.at[i - 1] == '_')
        return true;
    return s.at[i] >= 'A' && s.at[i] <= 'Z' && s.at[i - 1] >= 'a' && s.at[i - 1] <= 'z';
}

bool
word_lost_part(struct slice a, struct slice b, bool ends)
{
    size_t head = 0, tail = 0, lost = b.n - a.n;
    if (a.n + 2 > b.n)
        return false;
    while (head < a.n && a.at[head] == b.at[head])
        head++;
    while (tail < a.n && a.at[a.n - 1 - tail] == b.at[b.n - 1 - tail])
        tail++;
    if (head + tail < a.n)
        return false;
    for (size_t i = a.n - tail; i <= head; i++) {
        size_t end = i + lost;
        bool border = is_border(b, end);
        if ((border && (!ends || is_border(b, i))) || (!ends && b.at[end] == 's' && is_border(b, end + 1)))
            return false;
    }
    return true;
}

bool
word_is_part(struct slice a, struct slice b)
{
    return a.n && a.n + 1 < b.n &&
           ((slice_starts(b, a) && b.at[a.n] == '_') || (slice_ends(b, a) && b.at[b.n - a.n - 1] == '_'));
}

bool
word_is_within(struct slice a, struct slice b)
{
    struct slice less = a.n < b.n ? a : b, more = a.n < b.n ? b : a;
    size_t matched = 0;
    if (less.n == 0 || *less.at != *more.at || less.at[less.n - 1] != more.at[more.n - 1])
        return false;
    for (size_t i = 0; i < more.n && matched < less.n; i++)
        matched += more.at[i] == less.at[matched];
    return matched == less.n;
}

bool
word_is_replaced(struct slice a, struct slice b)
{
    enum { LONGEST_NAME = 4 };
    size_t i = 0, n = 0, kept = 0;
    if (a.n < b.n)
        return false;
    while (i < a.n && i < b.n && a.at[i] == b.at[i])
        i++;
    for (size_t k = 0; i < b.n && k < b.n; k++)
        n += b.at[k] == b.at[i];
    size_t longer = n ? (a.n - b.n) / n : LONGEST_NAME;
    if (longer >= LONGEST_NAME || a.n != b.n + longer * n)
        return false;
    for (size_t k = 0, at = 0; k < b.n; k++) {
        bool same = b.at[k] != b.at[i];
        if (memcmp(a.at + at, same ? b.at + k : a.at + i, same ? 1 : longer + 1) != 0)
            return false;
        at += same ? 1 : longer + 1;
        kept += same;
    }
    return kept > n * (longer + 1);
}

const struct confusable confusables[256] = {
    ['0'] = {.as = 'o'},     ['O'] = {.as = 'o'}, ['1'] = {.as = 'l'},   ['I'] = {.as = 'l'},
    ['5'] = {.as = 's'},     ['8'] = {.as = 'b'}, ['r'] = {0, 'n', 'm'}, ['c'] = {0, 'l', 'd'},
    ['v'] = {'u', 'v', 'w'}, ['e'] = {.as = 'c'}, ['q'] = {.as = 'g'},
};

/* the next letter or digit from *i on, replaced by the letter it may be misread as, and moves *i past it; 0 at the end,
 * 1 for a non-ASCII character. Skips accents that are characters of their own, U+0300 to U+036F */
static char
next_letter(struct slice s, size_t *i)
{
    u32 code;
    while (*i < s.n) {
        char c = s.at[*i];
        if ((u8)c >= 0x80) {
            size_t n = utf8_decode(s.at + *i, s.n - *i, &code);
            *i += n ? n : 1;
            if (n && code >= 0x300 && code < 0x370)
                continue;
            return 1;
        }
        ++*i;
        if (!is_word_char(c) || c == '_')
            continue;
        const struct confusable *look = &confusables[(u8)c];
        if (look->second && *i < s.n && s.at[*i] == look->second) {
            ++*i;
            return look->pair;
        }
        return look->as ? look->as : c;
    }
    return 0;
}

/* the end of the ligature that begins at s.at[i], which PDF fonts may lose; i if there is none */
static size_t
ligature_end(struct slice s, size_t i)
{
    static const char *const ligatures[] = {"ffi", "ffl", "fi", "fl", "ff"};
    for (u32 k = 0; k < countof(ligatures); k++)
        if (slice_starts((struct slice){s.at + i, s.n - i}, slice_of(ligatures[k])))
            return i + strlen(ligatures[k]);
    return i;
}

bool
word_is_garbled(struct slice a, struct slice b)
{
    enum { LONG = 4 };
    size_t i = 0, j = 0, same = 0;
    for (;;) {
        while (j < b.n && b.at[j] == '_')
            j++;
        size_t lost = a.n >= LONG ? ligature_end(b, j) : j, from = j;
        char x = next_letter(a, &i), y = next_letter(b, &j);
        if (x != y && lost > from) {
            j = lost;
            y = next_letter(b, &j);
        }
        size_t two = j, next = i;
        if (x == 1 && y && next_letter(a, &next) != next_letter(b, &two)) /* it replaces two letters, `ađ` of `add` */
            j = two;
        if (x != y && !(x == 1 && y))
            return false;
        if (!x)
            return same > 0;
        same += x == y;
    }
}

bool
word_is_doubled(struct slice a, struct slice b)
{
    return b.n && a.n == 2 * b.n && slice_starts(a, b) && memcmp(a.at + b.n, b.at, b.n) == 0;
}

bool
word_is_overstruck(struct slice a, struct slice b)
{
    size_t i = 0;
    while (i < b.n && a.n == 2 * b.n && a.at[2 * i + 1] == b.at[i] && (a.at[2 * i] == b.at[i] || a.at[2 * i] == '_'))
        i++;
    return b.n > 1 && i == b.n;
}

bool
word_is_capital(struct slice a, struct slice b)
{
    size_t i = 0;
    while (i < a.n && i < b.n && (a.at[i] >= 'A' && a.at[i] <= 'Z' ? a.at[i] + 'a' - 'A' : a.at[i]) == b.at[i])
        i++;
    return a.n == b.n && i == a.n;
}

static char
to_capital(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

bool
word_is_camel(struct slice a, struct slice b, bool first)
{
    size_t i = 0, humps = 0;
    for (size_t j = 0; j < b.n; j++, i++) {
        bool hump = j + 1 < b.n && b.at[j] == '_' && b.at[j + 1] >= 'a' && b.at[j + 1] <= 'z';
        j += hump;
        humps += hump;
        if (i == a.n || a.at[i] != (hump || (first && j == 0) ? to_capital(b.at[j]) : b.at[j]))
            return false;
    }
    return humps && i == a.n;
}

bool
word_is_reordered(struct slice a, struct slice b)
{
    const char *end = b.at + b.n;
    if (a.n != b.n || slice_eq(a, b) || a.n == 0)
        return false;
    for (size_t i = 0, n; i < a.n; i += n + 1) {
        const char *part = a.at + i, *stop = memchr(part, '_', a.n - i), *p = b.at;
        n = stop ? (size_t)(stop - part) : a.n - i;
        while (p && (p + n > end || memcmp(p, part, n) != 0 || (p + n < end && p[n] != '_'))) {
            p = memchr(p, '_', (size_t)(end - p));
            p = p ? p + 1 : NULL;
        }
        if (n == 0 || !p)
            return false;
    }
    return true;
}

bool
word_is_recased(struct slice a, struct slice b)
{
    size_t i = 0, j = 0;
    while (i < a.n || j < b.n) {
        if (i < a.n && a.at[i] == '_')
            i++;
        else if (j < b.n && b.at[j] == '_')
            j++;
        else if (i < a.n && j < b.n && (a.at[i] | 0x20) == (b.at[j] | 0x20))
            i++, j++;
        else
            return false;
    }
    return !slice_eq(a, b);
}

bool
word_resembles(struct slice a, struct slice b)
{
    return word_is_misspelled(a, b) || word_is_garbled(a, b) || word_is_recased(a, b) || word_lost_part(a, b, true);
}

bool
word_is_extended(struct slice a, struct slice b)
{
    size_t digits = 0, letters = 0, same = 0, vowels = 0, n = a.n - b.n;
    if (a.n <= b.n || !slice_starts(a, b))
        return false;
    for (size_t i = b.n; i < a.n; i++) {
        digits += is_digit(a.at[i]) || a.at[i] == '.';
        letters += a.at[i] >= 'a' && a.at[i] <= 'z';
        same += a.at[i] == a.at[b.n];
        vowels += strchr("aeiouy", a.at[i]) != NULL;
    }
    return digits == n || (letters == n && same < n && vowels);
}

bool
word_swaps_letters(struct slice a, struct slice b)
{
    size_t i = 0;
    while (i < a.n && a.at[i] == b.at[i])
        i++;
    return i + 1 < a.n && a.at[i] == b.at[i + 1] && a.at[i + 1] == b.at[i];
}
