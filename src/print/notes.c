/* SPDX-License-Identifier: Apache-2.0
 *
 * Source comments. JAX hangs them on equations, pads every line that has one to the width of the longest line of the
 * document and lets further ones follow below (source_info=True, name_stack=True). A program with comments is
 * therefore printed into memory first, with a list of its lines. Linear. */
#include "print/printer.h"

#include <stdlib.h>

/* how far back the equation is looked for that a line closes */
enum { CLOSES = 1000 };

/* A line: where its text ends, how wide it is, and how many comments stand at it and the lines before. */
struct note_line {
    size_t end, width;
    u32 marks;
};

/* An equation and where its text begins. */
struct place {
    u32 offset, column;
    eqn_t eqn;
};

struct places {
    VEC(struct place) list;
};

struct notes {
    struct memo first; /* an equation: its first comment, plus one */
    u32 low;           /* the program's first comment */
    VEC(u32) next;     /* the next comment of the same equation, plus one; by comment - low */
    VEC(struct note_line) lines;
    VEC(u32) marks;    /* comments in the order of printing */
};

/* true where nothing but blanks and line ends stands in text[from .. to) */
static bool
only_blanks(const struct module *m, u32 from, u32 to)
{
    for (; from < to; from++)
        if (!strchr(" \t\r\n", m->text.at[from]))
            return false;
    return true;
}

/* true for a comment that begins its line: JAX never prints one */
static bool
stands_alone(const struct module *m, const struct comment *c)
{
    return c->offset == 0 || m->text.at[c->offset - 1] == '\n';
}

static u32
comment_end(const struct comment *c)
{
    return c->text.at + c->text.n;
}

/* just past the last comment of a program: those inside, one behind it, and those that pile up below that one */
static u32
comments_end(const struct module *m, const struct program *g)
{
    u32 n = comment_at(m, g->end);
    for (u32 end = g->end; n < m->comments.n; end = comment_end(&m->comments.at[n++]))
        if (stands_alone(m, &m->comments.at[n]) || !only_blanks(m, end, m->comments.at[n].offset))
            break;
    return n;
}

static void
put_comment(struct sink *out, const struct module *m, const struct comment *c)
{
    sink_put(out, "# ", c->text.n ? 2 : 1);
    sink_slice(out, module_bytes(m, c->text));
}

void
notes_above(struct sink *out, const struct module *m, program_t program)
{
    u32 end = comment_at(m, m->programs.at[program].offset), first = end, next = m->programs.at[program].offset;
    while (first > 0 && stands_alone(m, &m->comments.at[first - 1]) &&
           only_blanks(m, comment_end(&m->comments.at[first - 1]), next))
        next = m->comments.at[--first].offset;
    for (; first < end; first++) {
        put_comment(out, m, &m->comments.at[first]);
        sink_char(out, '\n');
    }
}

void
notes_below(struct sink *out, const struct module *m, program_t program)
{
    u32 first = comments_end(m, &m->programs.at[program]), last = first;
    if (first == m->comments.n || !stands_alone(m, &m->comments.at[first]))
        return;
    while (last + 1 < m->comments.n && stands_alone(m, &m->comments.at[last + 1]) &&
           only_blanks(m, comment_end(&m->comments.at[last]), m->comments.at[last + 1].offset))
        last++;
    if (last + 1 < m->comments.n || !only_blanks(m, comment_end(&m->comments.at[last]), m->text.n))
        return;
    for (; first <= last; first++) {
        sink_char(out, '\n');
        put_comment(out, m, &m->comments.at[first]);
    }
}

/* what the table of first comments calls an equation; NONE is the head of the program */
static u32
anchor(const struct module *m, eqn_t e)
{
    return e == NONE ? m->eqns.n : e;
}

static int
compare_places(const void *a, const void *b)
{
    u32 x = ((const struct place *)a)->offset, y = ((const struct place *)b)->offset;
    return (x > y) - (x < y);
}

/* the equations of a program as they stand in the text */
static void
collect_places(struct printer *p, const struct program *g, struct places *places)
{
    struct module *m = p->m;
    struct walk w;
    walk_start_program(&w, m, g);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;)
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next)
            if (m->eqns.at[e].offset < m->text.n)
                *vec_push(m->mem, &places->list) = (struct place){m->eqns.at[e].offset, 0, e};
    walk_end(&w);
    if (places->list.n == 0)
        return;
    qsort(places->list.at, places->list.n, sizeof *places->list.at, compare_places);
    u32 line = text_position(m->mem, &m->text, places->list.at[0].offset).line_start;
    for (u32 i = 0, at = line; i < places->list.n; i++) {
        for (; at < places->list.at[i].offset; at++)
            line = m->text.at[at] == '\n' ? at + 1 : line;
        places->list.at[i].column = at - line;
    }
}

/* the last equation begun before place `low` that stands no further right than column */
static eqn_t
closed_equation(const struct places *places, u32 low, u32 column)
{
    for (u32 tries = 0; low > 0 && tries < CLOSES; tries++)
        if (places->list.at[--low].column <= column)
            return places->list.at[low].eqn;
    return NONE;
}

/* the equation a comment stands at: the last one begun before it; on a line that closes something (`] a # ..`) the one
 * that has its column; alone on a line, that of the comment above */
static eqn_t
anchor_of(struct module *m, const struct places *places, const struct comment *c, eqn_t above)
{
    struct position at = text_position(m->mem, &m->text, c->offset);
    u32 low = 0, high = places->list.n;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (places->list.at[middle].offset < c->offset)
            low = middle + 1;
        else
            high = middle;
    }
    eqn_t begun = low > 0 ? places->list.at[low - 1].eqn : NONE;
    if (low > 0 && places->list.at[low - 1].offset >= at.line_start)
        return begun;
    u32 i = at.line_start;
    while (i < c->offset && (m->text.at[i] == ' ' || m->text.at[i] == '\t'))
        i++;
    if (i >= c->offset || m->text.at[i] == '#')
        return above;
    bool in = memcmp(m->text.at + i, "in ", 3) == 0;
    return in || m->text.at[i] == ']' || m->text.at[i] == ')'
               ? closed_equation(places, low, i - at.line_start + (in ? 2 : 0))
               : begun;
}

struct notes *
notes_collect(struct printer *p, program_t program)
{
    struct module *m = p->m;
    const struct program *g = &m->programs.at[program];
    if (m->comments.n == 0)
        return NULL;
    u32 low = comment_at(m, g->offset), high = comments_end(m, g);
    if (low >= high)
        return NULL;
    struct notes *n = mem_alloc(m->mem, sizeof *n);
    struct places places = {0};
    VEC(u32) anchors = {0};
    *n = (struct notes){.low = low};
    collect_places(p, g, &places);
    for (u32 i = low, above = NONE; i < high; i++)
        *vec_push(m->mem, &anchors) = above = anchor_of(m, &places, &m->comments.at[i], above);
    memset(vec_push_n(m->mem, &n->next, high - low), 0, (high - low) * sizeof *n->next.at);
    for (u32 i = high; i-- > low;) {
        u32 at = anchor(m, anchors.at[i - low]);
        n->next.at[i - low] = (u32)memo_get(&n->first, at);
        memo_set(m->mem, &n->first, at, i + 1);
    }
    vec_free(m->mem, &anchors);
    vec_free(m->mem, &places.list);
    p->notes = n;
    notes_mark(p, NONE);
    return n;
}

void
notes_free(struct printer *p)
{
    struct mem *mem = p->m->mem;
    memo_free(mem, &p->notes->first);
    vec_free(mem, &p->notes->next);
    vec_free(mem, &p->notes->lines);
    vec_free(mem, &p->notes->marks);
    mem_free(mem, p->notes);
    p->notes = NULL;
}

u32
notes_count(const struct printer *p, eqn_t e)
{
    const struct notes *n = p->notes;
    u32 count = 0;
    for (u32 i = (u32)memo_get(&n->first, anchor(p->m, e)); i != 0; i = n->next.at[i - 1 - n->low])
        count++;
    return count;
}

void
notes_mark(struct printer *p, eqn_t e)
{
    struct notes *n = p->notes;
    for (u32 i = (u32)memo_get(&n->first, anchor(p->m, e)); i != 0; i = n->next.at[i - 1 - n->low])
        *vec_push(p->m->mem, &n->marks) = i - 1;
}

void
notes_line(struct printer *p)
{
    *vec_push(p->m->mem, &p->notes->lines) = (struct note_line){p->out->n, p->k, p->notes->marks.n};
}

/* 0.6.2 to 0.10.0 forgot the newline between the comments of one line */
static bool
stacks_sideways(const struct era *era)
{
    return era->low >= 602 && era->high <= 1000;
}

void
notes_merge(struct printer *p, struct sink *out)
{
    const struct notes *n = p->notes;
    bool sideways = stacks_sideways(&p->m->era);
    size_t start = 0, widest = 0;
    u32 mark = 0;
    for (u32 i = 0; i < n->lines.n; i++)
        widest = n->lines.at[i].width > widest ? n->lines.at[i].width : widest;
    for (u32 i = 0; i < n->lines.n; i++) {
        const struct note_line *line = &n->lines.at[i];
        sink_put(out, p->out->at + start, line->end - start);
        for (u32 first = mark; mark < line->marks; mark++) {
            if (mark > first && !sideways)
                sink_char(out, '\n');
            sink_blanks(out, mark > first ? widest : widest - line->width);
            sink_put(out, " # ", 3);
            sink_slice(out, module_bytes(p->m, p->m->comments.at[n->marks.at[mark]].text));
        }
        start = line->end;
    }
}
