/* SPDX-License-Identifier: Apache-2.0
 *
 * Source comments. JAX hangs them on equations, pads every line that has one to the width of the longest line of the
 * document and lets further ones follow below (source_info=True, name_stack=True). A program with comments is
 * therefore printed into memory first, with a list of its lines. Linear. */
#include "print/printer.h"

#include <stdlib.h>

/* blanks in front of comments at most: a value of many lines is one to the layout, and each of its comments could ask
 * for as many */
enum { PADDING = 1 << 27 };

/* how far back the equation is looked for that a line closes */
enum { CLOSES = 1000 };

/* A line: where its text ends, how wide it is, and how many comments stand at it and the lines before. */
struct note_line {
    size_t end, width;
    u32 marks;
};

/* An equation and where its text begins. `until` is the end of the value it is pasted into, as a program of its own on
 * which JAX hangs no comments; 0 where there is none. */
struct place {
    u32 offset, column;
    eqn_t eqn;
    u32 until;
};

/* A value of several lines: to the layout they are one. */
struct lines {
    u32 at, end;
};

struct places {
    VEC(struct place) list;
    VEC(struct lines) values; /* apart from each other */
};

struct notes {
    struct memo first; /* an equation: its first comment, plus one */
    u32 low;           /* the program's first comment */
    bool piled;        /* some comment stands on a line of its own */
    VEC(u32) next;     /* the next comment of the same equation, plus one; by comment - low */
    VEC(struct note_line) lines;
    VEC(u32) marks; /* comments in the order of printing */
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

/* true for a comment that stands below the one before it, on a line of its own */
static bool
is_piled(const struct module *m, u32 comment)
{
    return only_blanks(m, comment_end(&m->comments.at[comment - 1]), m->comments.at[comment].offset);
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
    u32 end = m->programs.at[program].end, seen = first > 0 ? comment_end(&m->comments.at[first - 1]) : 0;
    if (first == m->comments.n || !stands_alone(m, &m->comments.at[first]) ||
        !only_blanks(m, seen > end ? seen : end, m->comments.at[first].offset)) /* another program's */
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

static int
compare_lines(const void *a, const void *b)
{
    u32 x = ((const struct lines *)a)->at, y = ((const struct lines *)b)->at;
    return (x > y) - (x < y);
}

/* the values of several lines among an equation's parameters */
static void
collect_values(const struct module *m, eqn_t e, struct places *places)
{
    for (param_t v = m->eqns.at[e].params; v != NONE; v = m->params.at[v].next) {
        const struct param *p = &m->params.at[v];
        struct lines lines = {p->span.at, p->span.at + p->span.n};
        if (p->kind == PARAM_MIXED) {
            lines = (struct lines){m->text.n, 0};
            for (u32 i = p->a; i != NONE; i = m->segments.at[i].next) {
                const struct segment *s = &m->segments.at[i];
                bool program = s->kind == SEGMENT_PROGRAM;
                u32 at = program ? m->programs.at[s->a].offset : s->span.at;
                u32 end = program ? m->programs.at[s->a].end : s->span.at + s->span.n;
                lines.at = at < lines.at ? at : lines.at;
                lines.end = end > lines.end ? end : lines.end;
            }
        }
        if ((p->kind == PARAM_MIXED || p->kind == PARAM_TEXT) && lines.at < lines.end && lines.end <= m->text.n &&
            memchr(m->text.at + lines.at, '\n', lines.end - lines.at))
            *vec_push(m->mem, &places->values) = lines;
    }
}

/* values inside values are dropped: the outermost says where a line begins */
static void
order_values(struct places *places)
{
    u32 n = 0;
    if (places->values.n == 0)
        return;
    qsort(places->values.at, places->values.n, sizeof *places->values.at, compare_lines);
    for (u32 i = 0; i < places->values.n; i++)
        if (n == 0 || places->values.at[i].at >= places->values.at[n - 1].end)
            places->values.at[n++] = places->values.at[i];
    places->values.n = n;
}

/* the value of several lines that begins last before an offset, or NULL */
static const struct lines *
value_before(const struct places *places, u32 offset)
{
    u32 n = vec_before(&places->values, offset);
    return n > 0 ? &places->values.at[n - 1] : NULL;
}

/* the equations of a program as they stand in the text */
static void
collect_places(struct printer *p, const struct program *g, struct places *places)
{
    struct module *m = p->m;
    struct walk w;
    walk_start_program(&w, m, g);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;)
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            collect_values(m, e, places);
            if (m->eqns.at[e].offset < m->text.n)
                *vec_push(m->mem, &places->list) = (struct place){m->eqns.at[e].offset, 0, e, 0};
        }
    walk_end(&w);
    order_values(places);
    if (places->list.n == 0)
        return;
    qsort(places->list.at, places->list.n, sizeof *places->list.at, compare_places);
    u32 line = text_position(m->mem, &m->text, places->list.at[0].offset).line_start;
    for (u32 i = 0, at = line; i < places->list.n; i++) {
        struct place *place = &places->list.at[i];
        const struct lines *value = value_before(places, place->offset);
        for (; at < place->offset; at++)
            line = m->text.at[at] == '\n' ? at + 1 : line;
        place->column = at - line;
        place->until = value && value->end > at ? value->end : 0;
    }
}

/* where the line begins that an offset stands on, as the layout counts lines */
static u32
line_start(struct module *m, const struct places *places, u32 offset)
{
    u32 at = text_position(m->mem, &m->text, offset).line_start;
    for (const struct lines *v; (v = value_before(places, at)) != NULL && v->end >= at && v->end <= offset;)
        at = text_position(m->mem, &m->text, v->at).line_start;
    return at;
}

/* whether a comment may stand at the equation of a place */
static bool
place_holds(const struct place *place, u32 comment)
{
    return place->until == 0 || comment < place->until;
}

/* the last equation begun before place `low` that a comment may stand at, no further right than column */
static eqn_t
closed_equation(const struct places *places, u32 low, u32 column, u32 comment)
{
    for (u32 tries = 0; low > 0 && tries < CLOSES; tries++)
        if (places->list.at[--low].column <= column && place_holds(&places->list.at[low], comment))
            return places->list.at[low].eqn;
    return NONE;
}

/* the equation a comment stands at: the last one begun before it; on a line that closes something (`] a # ..`) the one
 * that has its column */
static eqn_t
anchor_of(struct module *m, const struct places *places, const struct comment *c)
{
    u32 i = line_start(m, places, c->offset), start = i, low = vec_before(&places->list, c->offset);
    eqn_t begun = closed_equation(places, low, NONE, c->offset);
    if (begun != NONE && m->eqns.at[begun].offset >= start)
        return begun;
    while (i < c->offset && (m->text.at[i] == ' ' || m->text.at[i] == '\t'))
        i++;
    bool in = memcmp(m->text.at + i, "in ", 3) == 0;
    return i < c->offset && (in || m->text.at[i] == ']' || m->text.at[i] == ')')
               ? closed_equation(places, low, i - start + (in ? 2 : 0), c->offset)
               : begun;
}

/* the equations that may have comments of one line, by how many: 1 where they begin on it, 2 where they also have
 * results, 0 where they are reads and writes of refs, which had none up to 0.9.0 */
struct sharers {
    u32 calls, all, results;
};

/* how many of `count` comments of one line belong to an equation: one or two each (where from, in which scope), one
 * less without results; 0 where they do not add up */
static u32
share_of(const struct module *m, eqn_t e, u32 count, const struct sharers *s)
{
    bool call = m->eqns.at[e].form <= EQN_CALL_BARE;
    if (count % s->all == 0 && count / s->all <= 2)
        return count / s->all;
    if (count == s->all + s->results)
        return 1 + (m->eqns.at[e].n_vars > 0);
    return call && s->calls > 0 && count % s->calls == 0 && count / s->calls <= 2 ? count / s->calls
           : call && count == s->calls + s->results                               ? 1 + (m->eqns.at[e].n_vars > 0)
                                                                                  : 0;
}

/* the equations that `count` comments of one line, the first of them c, stand at */
static void
anchor_line(struct module *m, const struct places *places, const struct comment *c, u32 count, u32 *anchors)
{
    u32 high = vec_before(&places->list, c->offset), n = 0;
    u32 low = vec_before(&places->list, line_start(m, places, c->offset));
    struct sharers s = {0};
    for (u32 i = low; i < high; i++)
        if (place_holds(&places->list.at[i], c->offset)) {
            const struct eqn *e = &m->eqns.at[places->list.at[i].eqn];
            s.all++;
            s.calls += e->form <= EQN_CALL_BARE;
            s.results += e->form <= EQN_CALL_BARE && e->n_vars > 0;
        }
    for (u32 i = s.all > 1 ? low : high; i < high; i++)
        if (place_holds(&places->list.at[i], c->offset))
            for (u32 k = share_of(m, places->list.at[i].eqn, count, &s); k > 0 && n < count; k--)
                anchors[n++] = places->list.at[i].eqn;
    for (eqn_t e = n < count ? anchor_of(m, places, c) : NONE; n < count; n++)
        anchors[n] = e;
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
    u32 *anchor_list = vec_push_n(m->mem, &anchors, high - low);
    for (u32 i = low, next; i < high; i = next) {
        for (next = i + 1; next < high && is_piled(m, next); next++)
            n->piled = true;
        anchor_line(m, &places, &m->comments.at[i], next - i, anchor_list + (i - low));
    }
    memset(vec_push_n(m->mem, &n->next, high - low), 0, (high - low) * sizeof *n->next.at);
    for (u32 i = high; i-- > low;) {
        u32 at = anchor(m, anchors.at[i - low]);
        n->next.at[i - low] = (u32)memo_get(&n->first, at);
        memo_set(m->mem, &n->first, at, i + 1);
    }
    vec_free(m->mem, &anchors);
    vec_free(m->mem, &places.list);
    vec_free(m->mem, &places.values);
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

void
notes_merge(struct printer *p, struct sink *out)
{
    const struct notes *n = p->notes;
    struct version_range versions = p->m->versions;
    bool sideways =
        range_has(versions, JAX_COMMENTS_IN_ONE_LINE) && range_lacks(versions, JAX_COMMENTS_IN_LINES) && !n->piled;
    size_t start = 0, widest = 0;
    u32 mark = 0;
    for (u32 i = 0; i < n->lines.n; i++)
        widest = n->lines.at[i].width > widest ? n->lines.at[i].width : widest;
    if (widest * n->marks.n > PADDING)
        widest = 0;
    for (u32 i = 0; i < n->lines.n; i++) {
        const struct note_line *line = &n->lines.at[i];
        sink_put(out, p->out->at + start, line->end - start);
        for (u32 first = mark; mark < line->marks; mark++) {
            if (mark > first && !sideways)
                sink_char(out, '\n');
            sink_blanks(out, mark > first ? widest : widest > line->width ? widest - line->width : 0);
            sink_put(out, " # ", 3);
            sink_slice(out, module_bytes(p->m, p->m->comments.at[n->marks.at[mark]].text));
        }
        start = line->end;
    }
}
