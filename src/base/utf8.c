/* SPDX-License-Identifier: Apache-2.0
 *
 * The first scan of an input tests 32 ASCII bytes at a time, and is slower only for other characters. */
#include "base/utf8.h"

#include "base/vec.h"

size_t
utf8_decode(const char *p, size_t n, u32 *code)
{
    if (n == 0)
        return 0;
    u8 c = (u8)p[0];
    if (c < 0x80) {
        *code = c;
        return 1;
    }
    size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    if (c < 0xC2 || c > 0xF4 || n < length)
        return 0;
    u32 v = c & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (begins_point(p[i]))
            return 0;
        v = v << 6 | ((u8)p[i] & 0x3Fu);
    }
    if ((length == 3 && v < 0x800) || (length == 4 && (v < 0x10000 || v > 0x10FFFF)) || (v >= 0xD800 && v < 0xE000))
        return 0;
    *code = v;
    return length;
}

size_t
utf8_length(const char *p, size_t n)
{
    u32 code;
    return utf8_decode(p, n, &code);
}

enum { STEP = 32 };

/* whether the next bytes are all ASCII, and none is NUL */
static inline bool
is_plain_step(const char *p)
{
    const u64 ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    u64 words[STEP / 8], odd = 0;
    memcpy(words, p, STEP);
    for (u32 k = 0; k < countof(words); k++)
        odd |= words[k] | (words[k] - ones);
    return (odd & tops) == 0;
}

size_t
utf8_first_bad(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        while (n - i >= STEP && is_plain_step(p + i))
            i += STEP;
        for (size_t stop = n - i < STEP ? n : i + STEP; i < stop;) {
            size_t length = p[i] == 0 ? 0 : utf8_length(p + i, n - i);
            if (length == 0)
                return i;
            i += length;
        }
    }
    return n;
}

/* [first, last] ranges of characters that take two cells (Unicode 15, East_Asian_Width W and F, merged) */
static const u32 wide[][2] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF}, {0x1AFF0, 0x1B2FF}, {0x1F004, 0x1F004},
    {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335},
    {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
    {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4},
    {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF},
    {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

/* ranges of characters that take no cell: the combining marks and joiners that occur in practice */
static const u32 narrow[][2] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F},   {0x0900, 0x0902},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E},   {0x2060, 0x2064},   {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF},
};

static bool
in_ranges(u32 code, const u32 (*ranges)[2], size_t n)
{
    u32 i = before_key(&ranges[0][1], (u32)n, sizeof *ranges, code);
    return i < n && code >= ranges[i][0];
}

int
utf8_cells(u32 code)
{
    if (code < 0x300)
        return 1;
    if (in_ranges(code, narrow, countof(narrow)))
        return 0;
    return in_ranges(code, wide, countof(wide)) ? 2 : 1;
}

size_t
utf8_encode(char *p, u32 code)
{
    if (code < 0x80) {
        p[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; code >>= 6)
        p[i] = (char)(0x80 | (code & 0x3F));
    p[0] = (char)((0xF00u >> n) | code);
    return n;
}

/* the ranges of is_symbol, ascending */
static const u32 symbols[][2] = {
    {0xA1, 0xA9},     {0xAB, 0xAC},     {0xAE, 0xB4},     {0xB6, 0xB6},     {0xB8, 0xB9},      {0xBB, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2010, 0x2027}, {0x2030, 0x203E}, {0x2041, 0x2053},  {0x2055, 0x205E},
    {0x2070, 0x2070}, {0x2074, 0x207E}, {0x2080, 0x208E}, {0x20A0, 0x20C0}, {0x2100, 0x2101},  {0x2103, 0x2106},
    {0x2108, 0x2109}, {0x2114, 0x2114}, {0x2116, 0x2117}, {0x211E, 0x2123}, {0x2125, 0x2125},  {0x2127, 0x2127},
    {0x2129, 0x2129}, {0x213A, 0x213B}, {0x2140, 0x2144}, {0x214A, 0x214D}, {0x214F, 0x215F},  {0x2189, 0x2BFF},
    {0x3001, 0x3004}, {0x3008, 0x3020}, {0x3200, 0x33FF}, {0xFFFD, 0xFFFD}, {0x1F000, 0x1FBEF}};

bool
is_line_end(u32 code)
{
    switch (code) {
#define LINE_END(bytes, code) case code:
#include "line_ends.def"
#undef LINE_END
        return true;
    default:
        return false;
    }
}

bool
has_line_end(struct slice text)
{
    static const struct slice ends[] = {
#define LINE_END(bytes, code) {bytes, sizeof bytes - 1},
#include "line_ends.def"
#undef LINE_END
    };
    for (u32 i = 0; i < countof(ends); i++)
        if (slice_contains(text, ends[i]))
            return true;
    return false;
}

bool
is_symbol(u32 code)
{
    return in_ranges(code, symbols, countof(symbols));
}

size_t
find_symbol(struct slice text, size_t *at, u32 *code)
{
    for (size_t i = 0, n; i < text.n; i += n) {
        n = (u8)text.at[i] < 0x80 ? 1 : utf8_decode(text.at + i, text.n - i, code);
        if (n > 1 && is_symbol(*code)) {
            *at = i;
            return n;
        }
        n += n == 0;
    }
    return 0;
}

const char *
text_encoding(struct slice s)
{
    if (s.n >= 4 && (memcmp(s.at, "\xff\xfe\0\0", 4) == 0 || memcmp(s.at, "\0\0\xfe\xff", 4) == 0))
        return "UTF-32";
    return s.n >= 2 && (memcmp(s.at, "\xff\xfe", 2) == 0 || memcmp(s.at, "\xfe\xff", 2) == 0) ? "UTF-16" : NULL;
}
