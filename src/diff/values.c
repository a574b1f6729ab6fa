/* SPDX-License-Identifier: Apache-2.0
 *
 * Values too long for a line are broken over lines, with changes marked as `[-old-]{+new+}` and long equal parts left
 * out. Words are aligned as equations are (anchors.c). Otherwise linear. */
#include "diff/diff.h"

#include "base/chars.h"
#include "base/decimal.h"
#include "base/utf8.h"
#include "base/visible.h"

/* columns of a line; bytes that are printed around a change */
enum { WIDTH = 96, KEPT = 32 };

enum state { SAME, GONE, NEW };

struct words {
    struct slice *at;
    u64 *key;
    u32 *to; /* the partner of each word, NONE if it has none */
    u32 n;
};

struct breaking {
    struct sink *out;
    bool color;
    enum state state;
    size_t column;
    bool blank; /* a space precedes the next word, if it is on this line */
};

/* the length of the first word of a text: letters and digits, or one character, and the spaces after it */
static size_t
word_length(struct slice text)
{
    size_t n = 1;
    bool word = is_word_char(text.at[0]) || text.at[0] == '.';
    while (word && n < text.n && (is_word_char(text.at[n]) || text.at[n] == '.'))
        n++;
    while (!word && n < text.n && !begins_point(text.at[n])) /* the rest of a character */
        n++;
    while (n < text.n && (text.at[n] == ' ' || text.at[n] == '\n'))
        n++;
    return n;
}

static struct words
words_split(struct mem *mem, struct slice text)
{
    struct words w = {mem_alloc(mem, (text.n + 1) * sizeof *w.at), mem_alloc(mem, (text.n + 1) * sizeof *w.key),
                      mem_nones(mem, text.n + 1), 0};
    while (text.n > 0) {
        size_t n = word_length(text);
        w.key[w.n] = hash_slice(mem->secret, (struct slice){text.at, n});
        w.at[w.n++] = (struct slice){text.at, n};
        text = (struct slice){text.at + n, text.n - n};
    }
    return w;
}

static void
words_free(struct mem *mem, struct words *w)
{
    mem_free_all(mem, w->at, w->key, w->to);
}

static void
set_state(struct breaking *b, enum state state)
{
    static const struct slice open[] = {{"", 0}, {"[-", 2}, {"{+", 2}}, ends[] = {{"", 0}, {"-]", 2}, {"+}", 2}};
    static const char *const colors[] = {"\033[33m", "\033[31m", "\033[32m"};
    if (state == b->state)
        return;
    sink_slice(b->out, ends[b->state]);
    if (b->color)
        sink_slice(b->out, slice_of(colors[state]));
    sink_slice(b->out, open[state]);
    b->column += open[state].n + ends[b->state].n;
    b->state = state;
}

static void
put_word(struct breaking *b, enum state state, struct slice word)
{
    size_t n = word.n;
    while (n > 0 && (word.at[n - 1] == ' ' || word.at[n - 1] == '\n'))
        n--;
    bool full = b->column > 0 && b->column + b->blank + n > WIDTH;
    if (full || state != b->state)
        set_state(b, SAME);
    if (full)
        sink_char(b->out, '\n');
    else if (b->blank)
        sink_char(b->out, ' ');
    b->column = full ? 0 : b->column + b->blank;
    set_state(b, state);
    write_visible(b->out, (struct slice){word.at, n});
    b->blank = n < word.n;
    b->column += n;
}

struct pairing {
    struct words *a, *b;
};

static void
pair_words(void *arg, u32 i, u32 k)
{
    struct pairing *p = arg;
    p->a->to[i] = k;
    p->b->to[k] = i;
}

/* writes the words from i on that are equal on both sides; `..` replaces those in a long stretch that are far from any
 * change. Returns the index after them */
static u32
put_same(struct breaking *b, const struct words *w, u32 i, bool first)
{
    u32 end = i, from, to;
    size_t before = 0, after = 0;
    while (end < w->n && w->to[end] != NONE && (end == i || w->to[end] == w->to[end - 1] + 1))
        end++;
    for (from = i; from < end && !first && before + w->at[from].n <= KEPT; from++)
        before += w->at[from].n;
    for (to = end; to > from && end < w->n && after + w->at[to - 1].n <= KEPT; to--)
        after += w->at[to - 1].n;
    for (u32 k = i; k < end; k++) {
        if (k >= from && k < to && to - from > 3) {
            put_word(b, SAME, SLICE(".. "));
            k = to - 1;
        } else {
            put_word(b, SAME, w->at[k]);
        }
    }
    return end;
}

void
diff_break_change(struct sink *out, struct mem *mem, struct slice from, struct slice to, bool color)
{
    struct words a = words_split(mem, from), b = words_split(mem, to);
    struct pairing p = {&a, &b};
    struct breaking w = {.out = out, .color = color};
    diff_anchor(mem, (struct diff_keys){a.key, a.n}, (struct diff_keys){b.key, b.n}, pair_words, &p);
    for (u32 i = 0, k = 0; i < a.n || k < b.n;) {
        u32 start = i;
        while (i < a.n && a.to[i] == NONE)
            put_word(&w, GONE, a.at[i++]);
        while (k < b.n && b.to[k] == NONE)
            put_word(&w, NEW, b.at[k++]);
        if (i < a.n) {
            u32 end = put_same(&w, &a, i, start == 0 && i == 0 && k == 0);
            k += end - i;
            i = end;
        }
    }
    set_state(&w, SAME);
    words_free(mem, &a);
    words_free(mem, &b);
}

void
diff_break_value(struct sink *out, struct slice text)
{
    struct breaking w = {.out = out};
    while (text.n > 0) {
        size_t n = word_length(text);
        put_word(&w, SAME, (struct slice){text.at, n});
        text = (struct slice){text.at + n, text.n - n};
    }
}

/* ---- one change on one line ------------------------------------------------------------------------------------- */

void
diff_write_what(struct sink *out, const struct diff_change *c)
{
    switch (c->what) {
    case WHAT_PRIMITIVE:
        sink_write(out, "primitive", 9);
        break;
    case WHAT_PARAMETER:
    case WHAT_PROGRAM:
        if (c->key.n)
            write_visible(out, c->key);
        else
            sink_write(out, "text", 4);
        if (diff_reports_program(c))
            sink_printf(out, ", program %u", c->index + 1);
        break;
    case WHAT_OPERAND:
        sink_printf(out, "operand %u", c->index + 1);
        break;
    case WHAT_TYPE:
        sink_printf(out, c->from.n && c->to.n ? "type of result %u" : "result %u", c->index + 1);
        break;
    case WHAT_BINDER:
        sink_printf(out, "argument %u", c->index + 1);
        break;
    case WHAT_OUTPUT:
        sink_printf(out, "result %u", c->index + 1);
        break;
    }
}

/* writes a value; for a literal also the shortest equal number, ` (1e-06)`, if it is shorter */
static void
write_value(struct sink *out, struct diff_side *s, struct slice text, u32 literal)
{
    dtype_t dtype;
    double value;
    write_visible(out, text);
    if (literal == 0 || s->m->literals.at[literal - 1].type == NONE ||
        !canon_literal_value(&s->c, literal - 1, NONE, NONE, &dtype, &value) || dtype >= DT_COUNT)
        return;
    struct slice brief = decimal_text(s->m->mem, canon_fewest_digits(value, dtype));
    if (brief.n < module_bytes(s->m, s->m->literals.at[literal - 1].value).n)
        sink_printf(out, " (%.*s)", (int)brief.n, brief.at);
}

void
diff_write_values(struct sink *out, struct diff *d, const struct diff_change *c)
{
    if (c->from.n > 0)
        write_value(out, &d->a, c->from, c->literals[0]);
    if (c->from.n > 0 && c->to.n > 0)
        sink_slice(out, SLICE(" -> "));
    if (c->to.n > 0)
        write_value(out, &d->b, c->to, c->literals[1]);
}
