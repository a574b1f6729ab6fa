/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines that were cut where they were full, in the middle of words too, as terminals and fold(1) do: every line that
 * goes on at the margin is exactly as wide as the widest of all. Such a text is joined before it is read, and its
 * origins say where each piece stood. Printed programs do not look like this, since every line of a body is indented;
 * a text whose indentation is lost has lines at the margin behind lines of any width. One pass over the lines, made
 * only when one of the first goes on at the margin. */
#include "parse/feed.h"

enum {
    LOOK = 1 << 16, /* a text that was cut shows it in its first bytes */
    NARROWEST = 40, /* nobody cuts lines shorter */
    SURE = 3,       /* so many cuts need no other sign than their width */
};

struct fold {
    const char *begin, *end; /* the text */
    u32 width;               /* of the widest line, in characters */
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
        width += ((u8)*p & 0xC0) != 0x80;
    return width;
}

/* true where a line at p goes on with something else: it stands at the margin, or one blank from it, and begins no
 * program and no comment */
static bool
at_margin(const char *p)
{
    const char *q = p + (*p == ' ');
    return !is_blank(*q) && *q && *q != '#' && memcmp(p, "{ lambda", 8) != 0 && memcmp(p, "let ", 4) != 0;
}

/* true where a program may be over with the line from p to `last`: another one stands behind it */
static bool
is_over(const char *p, const char *last)
{
    if (memmem(p, (size_t)(last - p), " # ", 3))
        return true;
    while (last[-1] == ' ')
        last--;
    return last[-1] == '}' || last[-1] == '\n' || (last[-1] == 'n' && last[-2] == 'i');
}

/* true where the line from p to `last` goes on behind its end: it is full, or ends in a blank, which `fold -s` leaves,
 * and the next word found no room. What goes on stands at the margin, or is the comment that the line was padded for */
static bool
is_cut(const struct fold *f, const char *p, const char *last)
{
    if (last == f->end || last == p || (last[-1] != ' ' && f->width > (size_t)(last - p)))
        return false;
    const char *q = last + 1, *word = q;
    u32 width = line_width(p, last);
    while (*word && !is_blank(*word))
        word++;
    if (at_margin(q))
        return width == f->width || (last[-1] == ' ' && width + line_width(q, word) > f->width);
    if (width < f->width || is_blank(*q))
        return width == f->width && last[-1] == ' ' && q[0] == ' ' && q[1] == ' ' && *skip_blanks(q) == '#';
    return *q == '#' ? last[-1] == ' ' : !is_over(p, last);
}

/* true where the word from p to end stands somewhere else too, but where lines were cut */
static bool
word_repeats(const struct fold *f, const char *p, const char *end)
{
    size_t n = (size_t)(end - p);
    for (const char *q = f->begin; (q = memmem(q, (size_t)(f->end - q), p, n)) != NULL; q++)
        if (q > f->begin && q[-1] != '\n' && !is_word_char(q[n]) && !is_word_char(q[-1]))
            return true;
    return false;
}

/* true where the line end at `last` parts what no blank can: no hand broke the line there */
static bool
parts_token(const struct fold *f, const char *last)
{
    const char *p = last + 1, *q = p, *before = last;
    char l = last[-1];
    if ((u8)*p >= 0x80)
        return false;
    if (l == '#' || (l == ' ' && last[-2] == '#') || (l == '=' && is_word_char(last[-2])) || (!is_blank(l) && strchr(",)]}", *p)) || (is_word_char(l) && strchr(":=[.'/", *p)) ||
        (*p == '-' && is_word_start(p[1])))
        return true;
    while (is_word_char(*q))
        q++;
    if (!is_word_char(l))
        return q > p && !word_at(p, SLICE("let")) && (strchr("/.@", l) || (is_word_char(last[-2]) && strchr(":-", l)));
    while (is_word_char(before[-1]))
        before--;
    if (q == p || *q == ':' || *q == '[' || (*q == ' ' && q[1] == '='))
        return is_digit(*p) && *q == '[';
    if (*q == '=')
        return before[-1] == ' ' || before[-1] == '[';
    if (is_digit(*p))
        return !is_blank(*q) && *q != '.';
    return !word_at(p, SLICE("in")) && !word_repeats(f, p, q);
}

/* true where one of the first lines goes on at the margin */
static bool
may_be_folded(const struct fold *f)
{
    const char *far = f->end - f->begin < LOOK ? f->end : f->begin + LOOK;
    for (const char *p = f->begin, *last; (last = memchr(p, '\n', (size_t)(far - p))) != NULL; p = last + 1)
        if (last > p && at_margin(last + 1))
            return true;
    return false;
}

/* takes the width of the widest line; true where those that go on at the margin have no room for more, and there is
 * some other sign that they were cut */
static bool
is_folded(struct fold *f)
{
    const char *p, *last;
    u32 cuts = 0, lines = 0, tokens = 0; /* those that look like the beginning of a line; those within a token */
    for (p = f->begin; p < f->end; p = last + 1) {
        last = line_end(p, f->end);
        u32 width = line_width(p, last);
        f->width = width > f->width ? width : f->width;
    }
    for (p = f->begin; p < f->end; p = last + 1) {
        const char *q;
        last = line_end(p, f->end);
        q = last + 1;
        if (!is_cut(f, p, last)) {
            if (last > p && last < f->end && at_margin(q))
                return false;
            continue;
        }
        if (tokens == 0 && cuts < SURE)
            tokens += parts_token(f, last);
        cuts++;
        lines += equation_begins(q, f->end) || word_at(q, SLICE("in")) || *q == ']' || is_blank(*q);
    }
    return f->width >= NARROWEST && (tokens || (cuts >= SURE && lines < cuts));
}

/* joins what was cut, in place; each line's origin moves with it */
static void
join(struct mem *m, struct text *t, const struct fold *f)
{
    char *to = t->at;
    struct origin *o = t->origins, *past = o + t->n_origins;
    for (const char *p = f->begin, *last; p < f->end; p = last + 1) {
        last = line_end(p, f->end);
        for (; o < past && t->at + o->at <= last; o++)
            o->at -= (u32)(p - to);
        bool cut = is_cut(f, p, last);
        size_t n = (size_t)(last - p) + (last < f->end && !cut);
        memmove(to, p, n);
        to += n;
        if (cut)
            *vec_push(m, &t->joins) = (u32)(to - t->at);
    }
    memset(to, 0, (size_t)(f->end - to));
    t->n = (u32)(to - t->at);
}

void
text_unfold(struct mem *m, struct text *t)
{
    struct fold f = {.begin = t->at, .end = t->at + t->n};
    if (!may_be_folded(&f) || !is_folded(&f))
        return;
    text_keep_lines(m, t);
    join(m, t, &f);
}
