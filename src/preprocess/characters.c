/* SPDX-License-Identifier: Apache-2.0
 *
 * Restores the characters that JAX printed from those that editors, chats, browsers and terminals made of them: one
 * pass in place, made only if a byte is neither printable ASCII nor a line end. Byte order marks, colours and the
 * carriage returns of line ends are removed silently; every other change is a repair. Punctuation of ordinary text,
 * an apostrophe in a word or a dash between spaces, is unchanged. */
#include "preprocess/preprocess.h"

#include "base/chars.h"
#include "base/utf8.h"
#include "base/visible.h"

#include <string.h>

/* the length of the colour code at p (`ESC [ 1 ; 34 m`), with `lost` also of one without its ESC, or 0 */
static size_t
color_length(const char *p, const char *end, bool lost)
{
    const char *q = p;
    if (*q == '\x1b')
        q++;
    else if (!lost)
        return 0;
    if (q >= end || *q != '[')
        return 0;
    for (q++; q < end && (is_digit(*q) || *q == ';'); q++)
        ;
    return q < end && *q == 'm' && (*p == '\x1b' || q > p + 1) ? (size_t)(q + 1 - p) : 0;
}

/* whether a `lambda` directly follows the rest of a colour code that lost its ESC, such as `[1m` or `[34;1m` */
static bool
has_lost_escapes(const char *text, size_t n)
{
    static const char word[] = "mlambda";
    for (const char *p = text, *end = text + n; (p = memmem(p, (size_t)(end - p), word, sizeof word - 1)) != NULL;
         p++) {
        const char *q = p;
        while (q > text && (is_digit(q[-1]) || q[-1] == ';'))
            q--;
        if (q < p && q > text && q[-1] == '[')
            return true;
    }
    return false;
}

/* ---- does a text need repairs? ---- */

enum { LOOK_STEP = 64, LOOK_PART = 1 << 18 };

typedef unsigned char bytes16 __attribute__((vector_size(16)));
typedef signed char signed16 __attribute__((vector_size(16)));

/* true if LOOK_STEP bytes are printable ASCII or line ends */
static inline bool
step_is_plain(const char *p)
{
    signed16 odd = {0};
    u64 words[2];
    for (size_t i = 0; i < LOOK_STEP; i += sizeof odd) {
        bytes16 v;
        memcpy(&v, p + i, sizeof v);
        odd |= ((signed16)(v + 1) <= ' ') & (v != '\n');
    }
    memcpy(words, &odd, sizeof words);
    return (words[0] | words[1]) == 0;
}

/* the length of the run of printable ASCII and line ends at the start of n bytes */
static size_t
plain_run(const char *p, size_t n)
{
    size_t at = 0;
    while (n - at >= LOOK_STEP && step_is_plain(p + at))
        at += LOOK_STEP;
    while (at < n && ((p[at] >= ' ' && p[at] < 0x7f) || p[at] == '\n'))
        at++;
    return at;
}

/* the flags of enum text_look for n bytes */
static u32
look_at(const char *p, size_t n)
{
    return plain_run(p, n) < n ? LOOK_ODD | LOOK_HASHES : memchr(p, '#', n) ? LOOK_HASHES : 0;
}

struct look {
    const struct text *text;
    u32 *found; /* by part: its flags */
};

static u32
look_at_part(const struct text *t, u32 i)
{
    u32 at = i * LOOK_PART, left = t->n - at;
    return look_at(t->at + at, left < LOOK_PART ? left : LOOK_PART);
}

static void
note_part(void *arg, u32 i)
{
    const struct look *look = arg;
    look->found[i] = look_at_part(look->text, i);
}

u32
look_at_characters(struct mem *m, const struct text *t, const struct executor *executor)
{
    u32 n = t->n / LOOK_PART + 1, found = 0;
    if (!executor_is_parallel(executor) || n < 3) {
        for (u32 i = 0; i < n; i++)
            found |= look_at_part(t, i);
        return found;
    }
    struct look look = {t, mem_zeroed(m, n * sizeof *look.found)};
    executor->run(executor->user, note_part, &look, n);
    for (u32 i = 0; i < n; i++)
        found |= look.found[i];
    mem_free(m, look.found);
    return found;
}

/* ---- the meaning of characters ---- */

/* The meaning of a character in printed text. */
struct cleaned {
    const char *as; /* what replaces it; NULL: it is unchanged */
    enum repair repair;
};

static const struct cleaned itself = {NULL, 0};

/* the ASCII characters of the full-width forms of Chinese and Japanese text, from U+FF01 on */
static const char *const full_width[] = {
    "!", "\"", "#",  "$", "%", "&", "'", "(", ")", "*", "+", ",", "-", ".", "/", "0", "1", "2", "3",
    "4", "5",  "6",  "7", "8", "9", ":", ";", "<", "=", ">", "?", "@", "A", "B", "C", "D", "E", "F",
    "G", "H",  "I",  "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y",
    "Z", "[",  "\\", "]", "^", "_", "`", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l",
    "m", "n",  "o",  "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "{", "|", "}", "~"};

/* the zeros of Arabic, Persian, Devanagari and other scripts, whose digits follow them */
static const u16 zeros[] = {0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66,  0xAE6,  0xB66,  0xBE6, 0xC66,
                            0xCE6, 0xD66, 0xE50, 0xED0, 0xF20, 0x1040, 0x17E0, 0x1810, 0x19D0};

/* the ASCII sign or digit that office programs, input methods or PDFs replaced by `code` */
static struct cleaned
clean_symbol(u32 code, char before, const char *after)
{
    bool word = is_word_char(before), next = (u8)*after < 0x80 && is_word_char(*after);
    bool star = code == 0xD7 || code == 0xB7 || code == 0x2217 || code == 0x2219 || code == 0x22C6;
    if (star && ((word && next) || (*after && strchr(",)]}", *after) && !is_blank(*after))))
        return (struct cleaned){"*", REPAIR_CHARACTERS};
    bool left = code == 0x2039 || code == 0x3008 || code == 0x27E8,
         right = code == 0x203A || code == 0x3009 || code == 0x27E9;
    if (left && word && next) /* `key‹fry›[2]` */
        return (struct cleaned){"<", REPAIR_CHARACTERS};
    if (right && word && (*after == '[' || *after == '{'))
        return (struct cleaned){">", REPAIR_CHARACTERS};
    bool quote = code == 0xAB || code == 0xBB || code == 0x2018 || code == 0x2019 || code == 0x201A || code == 0x201B ||
                 code == 0x2032 || code == 0x2035 || code == 0x2039 || code == 0x203A;
    if (quote && !(word && is_word_char(*after)))
        return (struct cleaned){"'", REPAIR_CHARACTERS};
    if (code == 0x201C || code == 0x201D || code == 0x201E || code == 0x2033)
        return (struct cleaned){"\"", REPAIR_CHARACTERS};
    if ((u8)before >= 0x80)
        return itself;
    if (code >= 0xFF01 && code < 0xFF01 + countof(full_width))
        return (struct cleaned){full_width[code - 0xFF01], REPAIR_CHARACTERS};
    for (u32 i = 0; i < countof(zeros); i++)
        if (code >= zeros[i] && code < zeros[i] + 10u)
            return (struct cleaned){full_width['0' - '!' + code - zeros[i]], REPAIR_CHARACTERS};
    return itself;
}

/* whether the text before p ends with a name or a call in the brackets of a shape, of which JAX prints a power */
static bool
ends_in_base(const char *from, const char *p)
{
    enum { FAR = 256 };
    const char *far = p - from > FAR ? p - FAR : from, *word = p;
    while (word > far && is_word_char(word[-1]))
        word--;
    size_t at;
    u32 code;
    if (word == p ? p == far || p[-1] != ')'
                  : is_digit(*word) || find_symbol((struct slice){word, (size_t)(p - word)}, &at, &code))
        return false;
    for (; p > far && p[-1] != '['; p--)
        if (strchr("\n=;{}]'\"", p[-1]))
            return false;
    const char *bracket = p;
    if (p == far)
        return false;
    do
        p--;
    while (p > far && (is_word_char(p[-1]) || p[-1] == '<' || p[-1] == '>'));
    return p > far && p + 1 < bracket && (p[-1] == ':' || p[-1] == '{'); /* `a:f32[`, `Ref{f32[` */
}

static bool
is_superscript(u32 code)
{
    return code == 0xB2 || code == 0xB3 || code == 0xB9 || code == 0x2070 || (code >= 0x2074 && code <= 0x2079);
}

/* the superscript digit `code` in a size: `n^2`, as it is printed, for the power that an editor sets. `to` is the end
 * of the text before it */
static struct cleaned
clean_power(u32 code, const char *from, const char *to, const char *after)
{
    static const char *const powers[] = {"^0", "^1", "^2", "^3", "^4", "^5", "^6", "^7", "^8", "^9"};
    u32 digit = code == 0xB2 || code == 0xB3 ? code - 0xB0 : code == 0xB9 ? 1 : code - 0x2070;
    bool ends = strchr(",])+-*", *after) || (*after == ' ' && (after[1] == '+' || after[1] == '-'));
    bool marked = to > from && to[-1] == '^';
    if (digit >= countof(powers) || digit < 2 || !ends || !*after || !ends_in_base(from, to - marked))
        return itself;
    return (struct cleaned){powers[digit] + marked, REPAIR_CHARACTERS};
}

/* the replacement of a non-ASCII character between the byte `before` and the text at `after` */
static struct cleaned
clean_wide(u32 code, char before, const char *after)
{
    bool follows = is_word_char(*after) || *after == '.' || *after == '>';
    bool quoted = (before == '\'' || before == '"') && *after == before;
    if (quoted && code == 0x2026) /* `SdyShardingRule((('…', 'i'),))` */
        return itself;
    bool narrow = code == 0xA0 || code == 0x202F;
    if (narrow && (before == '\'' || memcmp(after, "\xC2\xBB", 2) == 0)) /* `« x »` of French, for `'x'` */
        return (struct cleaned){"", REPAIR_CHARACTERS};
    if (code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x202F || code == 0x205F ||
        code == 0x3000)
        return (struct cleaned){" ", REPAIR_BLANKS};
    bool ascii = (u8)before < 0x80 && (u8)*after < 0x80; /* otherwise it may join letters of another script */
    /* bidirectional controls in names are not removed but reported, as they are seldom an accident */
    bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    bool invisible = (code >= 0x200C && code <= 0x200F) || (code >= 0x2061 && code <= 0x2064) || code == 0x61C ||
                     code == 0xFFFC || (turns && !is_word_char(before));
    if (code == 0xAD || code == 0x200B || code == 0x2060 || code == 0xFEFF || (invisible && ascii))
        return (struct cleaned){"", REPAIR_INVISIBLE};
    if (is_line_end(code))
        return (struct cleaned){"\n", REPAIR_LINE_ENDS};
    if ((follows || quoted || before == '<') && (code == 0x2212 || (code >= 0x2010 && code <= 0x2013)))
        return (struct cleaned){"-", REPAIR_CHARACTERS};
    static const char *const ligatures[] = {"ff", "fi", "fl", "ffi", "ffl"}; /* in text copied from a PDF */
    if (code >= 0xFB00 && code < 0xFB00 + countof(ligatures))
        return (struct cleaned){ligatures[code - 0xFB00], REPAIR_CHARACTERS};
    return code == 0x2026 ? (struct cleaned){"...", REPAIR_CHARACTERS} : clean_symbol(code, before, after);
}

/* whether a character before the text of its line is an indentation guide, not the left side of a box */
static bool
is_guide(u32 code, const char *p, const char *end)
{
    static const char side[] = "\xE2\x94\x82";
    if (!(code >= 0x2502 && code <= 0x250B) && code != 0x254E && code != 0x254F && !(code >= 0x258E && code <= 0x258F))
        return false;
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    const char *last = newline ? newline : end;
    while (last > p && is_blank(last[-1]))
        last--;
    return last - p > 3 && memcmp(last - 3, side, 3) != 0;
}

/* the replacement of the control character at p, which is not a newline; with `indent`, a tab is indentation */
static struct cleaned
clean_control(const char *p, const char *end, bool indent)
{
    const char *q = p;
    while (q < end && *q == '\r')
        q++;
    if (*p == '\t')
        return indent ? itself : (struct cleaned){" ", REPAIR_BLANKS};
    if (*p == '\f')
        return (struct cleaned){"", REPAIR_BLANKS};
    if (q > p && (q == end || *q == '\n'))
        return (struct cleaned){"", 0};
    return *p == '\r' || is_line_end((u8)*p) ? (struct cleaned){"\n", REPAIR_LINE_ENDS} : itself;
}

/* whether the last line of the n bytes at p is blank so far; `indent`: whether the first one is blank before p */
static bool
run_is_blank(const char *p, size_t n, bool indent)
{
    const char *line = memrchr(p, '\n', n);
    if (!line && !indent)
        return false;
    const char *q = skip_spaces(line ? line + 1 : p);
    return q >= p + n;
}

/* The origins of a text whose bytes move. */
struct moving {
    struct text *text;
    struct origin *next, *past; /* origins from `next` on are not moved yet */
};

/* moves the origins that begin before p back by n bytes */
static void
move_origins(struct moving *o, const char *p, size_t n)
{
    for (; o->next < o->past && o->text->at + o->next->at < p; o->next++)
        o->next->at -= (u32)n;
}

/* records what was left out after text[0 .. at); adjusts the column of a part of the file that begins there */
static void
leave_out(struct mem *m, struct moving *o, u32 at, struct left_out what)
{
    text_left_out(m, o->text, at, what);
    for (struct origin *begins = o->next; o->past && begins > o->text->origins && begins[-1].at == at; begins--)
        begins[-1].column += (u32)what.points;
}

/* records the places of the `size` bytes at `at` that replaced a character of n bytes of the file */
static void
place_clean(struct mem *m, struct moving *o, u32 at, size_t size, size_t n, struct cleaned c)
{
    for (u32 i = 1; c.as && i < size; i++) /* they all have the column of the character */
        leave_out(m, o, at + i, (struct left_out){0, false, -1});
    if (size < n)
        leave_out(m, o, at + (u32)size, (struct left_out){(u32)(n - size), c.repair != 0, size == 0 && c.repair});
}

/* writes the replacement of the character `code`, n bytes at p, to `to`; returns the end */
static char *
put_clean(struct mem *m, struct moving *o, char *to, const char *p, size_t n, u32 code, struct cleaned c)
{
    struct text *t = o->text;
    size_t size = c.as ? strlen(c.as) : n;
    t->symbols |= !c.as && n > 1 && is_symbol(code);
    if (c.repair && !t->original)
        text_begin_original(m, t, (u32)(to - t->at));
    if (t->original && (c.repair || !c.as))
        text_append_original(t, p, n);
    if (c.repair) {
        u32 *first = &t->repaired_code[__builtin_ctz(c.repair)];
        *first = *first ? *first : code;
        t->repaired_others |= *first == code ? 0 : c.repair;
        text_repaired(t, c.repair, (u32)(to - t->at));
    }
    memmove(to, c.as ? c.as : p, size);
    move_origins(o, p + 1, (size_t)(p - to));
    place_clean(m, o, (u32)(to - t->at), size, n, c);
    return to + size;
}

bool
clean_characters(struct mem *m, struct text *t, u32 look)
{
    char *text = t->at;
    u32 n = t->n, code, odd;
    /* lost ESCs occur before the first `lambda`; the rest of a large text is not searched for them */
    bool lost = has_lost_escapes(text, n < 4096 ? n : 4096) && !memchr(text, '\x1b', n);
    if (!(look & LOOK_ODD) && !lost)
        return true;
    size_t run = plain_run(text, n);
    bool bom = n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    const char *p = text + (bom ? 3 : 0), *end = text + n;
    char *to = text;
    struct moving o = {t, t->origins, t->origins ? t->origins + t->n_origins : NULL};
    if (bom)
        text_left_out(m, t, 0, (struct left_out){3, false, 0});
    size_t at;
    bool indent = true, whole = true;      /* the line is blank so far; no byte was invalid */
    bool ascii = p < end && (u8)*p < 0x80; /* the text does not begin with the side of a box */
    while (p < end) {
        if (!lost && (run > 0 || (run = plain_run(p, (size_t)(end - p))) > 0)) {
            indent = run_is_blank(p, run, indent);
            if (t->original)
                text_append_original(t, p, run);
            if (to < p)
                memmove(to, p, run);
            move_origins(&o, p + run, (size_t)(p - to));
            to += run;
            p += run;
            run = 0;
            continue;
        }
        size_t color = color_length(p, end, lost), wide = 1;
        struct cleaned c = itself;
        code = (u8)*p;
        if (color) {
            move_origins(&o, p + 1, (size_t)(p - to));
            leave_out(m, &o, (u32)(to - text), (struct left_out){(u32)color, false, (int)color});
            p += color;
            t->colored = true;
            continue;
        }
        if ((u8)*p >= 0x80 && (wide = utf8_decode(p, (size_t)(end - p), &code)) > 1)
            c = is_superscript(code)                        ? clean_power(code, text, to, p + wide)
                : indent && ascii && is_guide(code, p, end) ? (struct cleaned){" ", REPAIR_BLANKS}
                                                            : clean_wide(code, to > text ? to[-1] : 0, p + wide);
        else if ((u8)*p < ' ' && *p != '\n')
            c = clean_control(p, end, indent);
        whole &= wide > 0 && *p;
        wide += wide == 0;
        t->may_hide |= !c.as && find_hidden((struct slice){p, wide}, &at, &odd);
        to = put_clean(m, &o, to, p, wide, code, c);
        p += wide;
        indent = to > text && (to[-1] == '\n' || (indent && is_blank(to[-1])));
    }
    move_origins(&o, end + 1, (size_t)(end - to));
    memset(to, 0, (size_t)(end - to));
    t->n = (u32)(to - text);
    if (t->original)
        text_end_original(m, t);
    return whole;
}
