/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins lines that were cut at the width of a terminal, possibly in the middle of words, as fold(1) does, or filled
 * with as many words as fit, as mail programs do: a line that continues at the margin has no room for the
 * continuation. Origins record the place of each piece. Printed programs do not look like this, since every line of
 * a body is indented; in a text that lost its indentation, lines of any width are followed by lines at the margin.
 * Two passes over the lines, made only if one of the first continues at the margin. */
#include "preprocess/preprocess.h"

#include "base/chars.h"
#include "base/lexical.h"
#include "base/utf8.h"

#include <string.h>

enum {
    NARROWEST = 40, /* the minimum width of wrapped lines */
    SURE = 3,       /* this many cuts need no evidence other than their width */
    LONGEST_WORD = 256,
};

struct fold {
    const char *begin, *end; /* the text */
    u32 width; /* of the widest line, in characters; width_of_words: of the widest with more than one word */
    u32 width_of_words;
};

static const char *
line_end(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

static u32
line_width(const char *p, const char *end)
{
    u32 width = 0;
    for (; p < end; p++)
        width += begins_point(*p);
    return width;
}

static u32
word_width(const char *p)
{
    const char *end = p;
    while (*end && !is_blank(*end))
        end++;
    return line_width(p, end);
}

/* true if the line at p continues another one: it is at the margin, or one space from it, and begins neither a program
 * nor a comment */
static bool
at_margin(const char *p)
{
    const char *q = p + (*p == ' ');
    return !is_blank(*q) && *q && *q != '#' && memcmp(p, "{ lambda", 8) != 0 && memcmp(p, "let ", 4) != 0;
}

/* true if a program may end with the line from p to `last`, so that the next line begins another one */
static bool
is_over(const char *p, const char *last)
{
    if (memmem(p, (size_t)(last - p), " # ", 3))
        return true;
    while (last > p && last[-1] == ' ')
        last--;
    size_t n = (size_t)(last - p);
    return n == 0 || last[-1] == '}' || (n > 1 && last[-1] == 'n' && last[-2] == 'i');
}

/* true if the line from p to `last` continues on the next line: it is full, or, as after `fold -s`, it ends with a
 * space and the next word did not fit. The continuation is at the margin, or is a comment for which the line was
 * padded */
static bool
is_cut(const struct fold *f, const char *p, const char *last)
{
    if (last == f->end || last < p + 2 || (last[-1] != ' ' && f->width > (size_t)(last - p)))
        return false;
    const char *q = last + 1;
    u32 width = line_width(p, last);
    if (at_margin(q))
        return width == f->width || (last[-1] == ' ' && width + word_width(q) > f->width);
    if (width < f->width || is_blank(*q))
        return width == f->width && last[-1] == ' ' && q[0] == ' ' && q[1] == ' ' && *skip_blanks(q) == '#';
    return *q == '#' ? last[-1] == ' ' : !is_over(p, last);
}

/* true if the word of n bytes occurs elsewhere as a whole word, not at the beginning of a line */
static bool
word_repeats(const struct fold *f, const char *p, size_t n)
{
    for (const char *q = f->begin; (q = memmem(q, (size_t)(f->end - q), p, n)) != NULL; q++)
        if (q > f->begin && q[-1] != '\n' && !is_word_char(q[n]) && !is_word_char(q[-1]))
            return true;
    return false;
}

/* true if the line end at `last` certainly replaced a space: before or after a `=`, after a program or a type */
static bool
parts_blank(const char *last)
{
    const char *p = last + 1;
    char before = last[-1];
    return (*p == '=' && p[1] == ' ' && !is_blank(before)) || (before == '=' && last[-2] == ' ' && !is_blank(*p)) ||
           ((before == '}' || before == ']') && is_word_start(*p));
}

/* true if adjacent punctuation shows that the line end at `last` did not replace a space */
static bool
parts_punctuation(const char *last)
{
    const char *p = last + 1;
    char before = last[-1];
    bool word = is_word_char(last[-2]);
    if (before == '#' || (before == ' ' && last[-2] == '#') || before == '(' || before == '[' ||
        (before == '=' && word))
        return true;
    if (is_blank(before))
        return false;
    if (strchr(",)]", *p) || (*p == '-' && is_word_start(p[1])) || (*p == '\'' && !strchr(",:", before)))
        return true;
    if (is_word_char(before))
        return strchr(":=[./>", *p) != NULL;
    return is_word_char(*p) && !word_at(p, SLICE("let")) && (strchr("/.@", before) || (word && strchr(":-", before)));
}

/* true for widths that people choose */
static bool
is_usual(u32 width)
{
    return width % 10 == 0 || width == 72 || width == 76 || width == 78 || width == 79 || width == 132;
}

/* true if the text around the line end at `last`, or elsewhere, shows that it splits a word */
static bool
parts_word(const struct fold *f, const char *last)
{
    const char *p = last + 1, *q = p, *from = last;
    q = word_end(q);
    while (from > f->begin && is_word_char(from[-1]))
        from--;
    if (q == p || from == last || from == f->begin)
        return false;
    if (*q == '=')
        return from[-1] == ' ' || from[-1] == '[';
    if (is_digit(*p) && *q == ':') /* JAX prints types for all literals or for none */
        return is_digit(*from);
    if (last - from == 2 && memcmp(from, "at", 2) == 0 && memcmp(p, "0x", 2) == 0) /* an object: `f at 0x7f` */
        return false;
    if (is_digit(*p))
        return (!is_blank(*q) && *q != '.') || (is_digit(last[-1]) && !is_digit(*from));
    if (*q == '[' && from[-1] == ':')
        return true;
    char whole[LONGEST_WORD];
    size_t left = (size_t)(last - from), right = (size_t)(q - p);
    if (left + right > sizeof whole)
        return true;
    memcpy(whole, from, left);
    memcpy(whole + left, p, right);
    bool in = left == 1 && right == 1 && *from == 'i' && *p == 'n' && *q == ' ' && q[1] == '(';
    struct slice joined = {whole, left + right};
    if (in || is_literal_name(joined) || is_primitive(joined) || word_repeats(f, whole, left + right))
        return true;
    /* lines that were broken on purpose, as in values, have a usual width only by chance */
    if (*q == ':' || *q == '[' || (*q == ' ' && q[1] == '='))
        return false;
    return is_usual(f->width) && (strchr("]),/", *q) || !(word_at(p, SLICE("in")) || word_repeats(f, p, right)));
}

/* true if the line end at `last` is inside a token: it was not added by hand */
static bool
parts_token(const struct fold *f, const char *last)
{
    return (u8)last[1] < 0x80 && (parts_punctuation(last) || parts_word(f, last));
}

/* true if one of the first lines continues at the margin */
static bool
may_be_folded(const struct fold *f)
{
    const char *far = f->end - f->begin < FIRST_LOOK ? f->end : f->begin + FIRST_LOOK;
    for (const char *p = f->begin, *last; (last = memchr(p, '\n', (size_t)(far - p))) != NULL; p = last + 1)
        if (last > p && at_margin(last + 1))
            return true;
    return false;
}

static void
measure(struct fold *f)
{
    for (const char *p = f->begin, *last; p < f->end; p = last + 1) {
        last = line_end(p, f->end);
        u32 width = line_width(p, last);
        f->width = width > f->width ? width : f->width;
        if (width > f->width_of_words && memchr(p, ' ', (size_t)(last - p)))
            f->width_of_words = width;
    }
}

/* true if a line may begin at p: an equation, a parameter, the end of a list or of a body */
static bool
begins_line(const struct fold *f, const char *p)
{
    const char *q = p;
    if (equation_begins(p, f->end) || word_at(p, SLICE("in")) || *p == ']' || key_end(p))
        return true;
    while (is_word_char(*q) || (*q == ' ' && is_word_start(q[1])))
        q++;
    return q > p && (memcmp(q, " = ", 3) == 0 || memcmp(q, " <-", 3) == 0);
}

/* true if all lines that continue at the margin are full, and there is other evidence that they were cut */
static bool
is_folded(const struct fold *f)
{
    u32 cuts = 0, lines = 0, tokens = 0; /* cuts before what looks like the beginning of a line; cuts within a token */
    for (const char *p = f->begin, *last; p < f->end; p = last + 1) {
        last = line_end(p, f->end);
        const char *q = last + 1;
        if (!is_cut(f, p, last)) {
            if (last > p && last < f->end && at_margin(q))
                return false;
            continue;
        }
        if (parts_blank(last))
            return false;
        if (tokens == 0 && cuts < SURE)
            tokens += parts_token(f, last);
        cuts++;
        lines += is_blank(*q) || begins_line(f, q);
    }
    return f->width >= NARROWEST && (tokens || (cuts >= SURE && lines < cuts));
}

/* true if a text without comments is filled: lines that continue at the margin are full, except before what begins a
 * line anyway */
static bool
is_filled(const struct fold *f)
{
    u32 wraps = 0;
    if (memchr(f->begin, '#', (size_t)(f->end - f->begin)))
        return false;
    for (const char *p = f->begin, *last; p < f->end; p = last + 1) {
        last = line_end(p, f->end);
        if (last == f->end || last == p || !at_margin(last + 1) || begins_line(f, last + 1))
            continue;
        if (last[1] == ' ' || last[-1] == ' ' || line_width(p, last) + 1 + word_width(last + 1) <= f->width_of_words)
            return false;
        wraps++;
    }
    return f->width_of_words >= NARROWEST && wraps >= SURE;
}

/* replaces line ends by spaces in filled text */
static void
unfill(struct text *t)
{
    char *last = t->at, *end = t->at + t->n;
    while ((last = memchr(last, '\n', (size_t)(end - last))) != NULL) {
        if (last > t->at && last[-1] != '\n' && last + 1 < end && at_margin(last + 1)) {
            text_repaired(t, REPAIR_FILLED, (u32)(last - t->at));
            *last = ' ';
        }
        last++;
    }
}

/* The records of bytes that were removed from a text, and the next one to be recorded again once bytes have moved. */
struct old_joins {
    const struct join *at;
    u32 n, next;
};

/* records the removed bytes again, up to offset `until`, now `moved` bytes earlier */
static void
move_joins(struct mem *m, struct text *t, struct old_joins *old, u32 until, u32 moved)
{
    for (; old->next < old->n && old->at[old->next].at <= until; old->next++) {
        const struct join *j = &old->at[old->next];
        struct join last = old->next > 0 ? j[-1] : (struct join){0};
        u32 kept = j->kept - last.kept, others = j->skipped - last.skipped - kept;
        text_left_out(m, t, j->at - moved, (struct left_out){kept, true, j->points - last.points});
        text_left_out(m, t, j->at - moved, (struct left_out){others, false, 0});
    }
}

/* true if the line end at `last`, of the line from p on, replaced a space: Python prints one after a comma in
 * parentheses, and between the words of an object's text, `f at 0x7f` */
static bool
had_blank(const char *p, const char *last)
{
    u32 depth = 0;
    if (last - p > 3 && memcmp(last - 3, " at", 3) == 0 && memcmp(last + 1, "0x", 2) == 0)
        return true;
    if (last[-1] != ',' || !is_word_char(last[1]))
        return false;
    for (const char *q = last; q-- > p;) {
        if (bracket_step(*q) < 0)
            depth++;
        else if (bracket_step(*q) > 0 && depth-- == 0)
            return *q == '(';
    }
    return false;
}

/* joins cut lines, in place; the origin of each line moves with it */
static void
join(struct mem *m, struct text *t, const struct fold *f)
{
    char *to = t->at;
    struct origin *o = t->origins, *past = o + t->n_origins;
    struct join *joins = t->joins.at;
    struct old_joins old = {joins, t->joins.n, 0};
    memset(&t->joins, 0, sizeof t->joins);
    for (const char *p = f->begin, *last; p < f->end; p = last + 1) {
        last = line_end(p, f->end);
        for (; o < past && t->at + o->at <= last; o++)
            o->at -= (u32)(p - to);
        move_joins(m, t, &old, (u32)(last - t->at), (u32)(p - to));
        bool cut = is_cut(f, p, last);
        size_t n = (size_t)(last - p) + (last < f->end && !cut);
        memmove(to, p, n);
        to += n;
        if (cut) {
            text_repaired(t, REPAIR_CUT, (u32)(to - t->at));
            if (had_blank(p, last))
                *to++ = ' ';
            else
                text_left_out(m, t, (u32)(to - t->at), (struct left_out){1, true, 1});
        }
    }
    move_joins(m, t, &old, (u32)(f->end - t->at), (u32)(f->end - to));
    mem_free(m, joins);
    memset(to, 0, (size_t)(f->end - to));
    t->n = (u32)(to - t->at);
}

void
unwrap_lines(struct mem *m, struct text *t)
{
    struct fold f = {.begin = t->at, .end = t->at + t->n};
    if (!may_be_folded(&f))
        return;
    measure(&f);
    bool folded = is_folded(&f);
    if (!folded && !is_filled(&f))
        return;
    text_keep_original(m, t);
    text_keep_lines(m, t);
    t->cut_at = f.width;
    if (folded)
        join(m, t, &f);
    else
        unfill(t);
}
