/* SPDX-License-Identifier: Apache-2.0
 *
 * Which equation a comment is about. JAX prints ` # file.py:3:6 (f)` on the line where its layout ends an equation,
 * which need not be the line on which the equation begins, and puts several equations on one line. Computed at the
 * first use. Linear. */
#include "ir/module.h"

#include "base/chars.h"
#include "base/lexical.h"

#include <stdlib.h>

/* how many equations back to search for the one that a line closes */
enum { CLOSES = 1000 };

/* An equation and where its text begins. `until` is the end of the value into which its program is pasted, where JAX
 * adds no comments; 0 if there is none. */
struct place {
    u32 offset, column;
    eqn_t eqn;
    jaxpr_t jaxpr; /* the one that contains it */
    u32 until;
};

/* A value that spans several lines, which the layout treats as one line. */
struct lines {
    u32 at, end;
};

struct places {
    VEC(struct place) list;
    VEC(struct lines) values; /* disjoint */
};

bool
module_blank(const struct module *m, u32 from, u32 to)
{
    for (; from < to; from++)
        if (!strchr(" \t\r\n", m->text.at[from]))
            return false;
    return true;
}

bool
comment_is_alone(const struct module *m, const struct comment *c)
{
    return c->offset == 0 || m->text.at[c->offset - 1] == '\n';
}

u32
comment_end(const struct comment *c)
{
    return c->text.at + c->text.n;
}

/* the number of comments up to the last of those that follow an offset on its line, one below the other */
static u32
comments_beside(const struct module *m, u32 end)
{
    u32 n = comment_at(m, end);
    for (; n < m->comments.n; end = comment_end(&m->comments.at[n++]))
        if (comment_is_alone(m, &m->comments.at[n]) || !module_blank(m, end, m->comments.at[n].offset))
            break;
    return n;
}

u32
comments_end(const struct module *m, const struct program *g)
{
    return comments_beside(m, g->end);
}

bool
comment_is_stacked(const struct module *m, u32 comment)
{
    return module_blank(m, comment_end(&m->comments.at[comment - 1]), m->comments.at[comment].offset);
}

struct slice
comment_ignore(const struct module *m, const struct comment *c)
{
    struct slice text = module_bytes(m, c->text), word = SLICE("jaxpr: ignore");
    const char *p = memmem(text.at, text.n, word.at, word.n);
    return p ? (struct slice){p, (size_t)(text.at + text.n - p)} : SLICE("");
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

/* collects the parameter values of an equation that span several lines */
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

/* drops values inside other values: the outermost one determines where a line begins */
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

/* the last value of several lines that begins before an offset, or NULL */
static const struct lines *
value_before(const struct places *places, u32 offset)
{
    u32 n = vec_before(&places->values, offset);
    return n > 0 ? &places->values.at[n - 1] : NULL;
}

/* collects the equations of a program in the order of the text */
static void
collect_places(struct module *m, const struct program *g, struct places *places)
{
    struct walk w;
    walk_start_program(&w, m, g);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;)
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next) {
            collect_values(m, e, places);
            if (m->eqns.at[e].offset < m->text.n)
                *vec_push(m->mem, &places->list) = (struct place){m->eqns.at[e].offset, 0, e, j, 0};
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

/* the start of the line of an offset, as the layout counts lines */
static u32
line_start(struct module *m, const struct places *places, u32 offset)
{
    u32 at = text_position(m->mem, &m->text, offset).line_start;
    for (const struct lines *v; (v = value_before(places, at)) != NULL && v->end >= at && v->end <= offset;)
        at = text_position(m->mem, &m->text, v->at).line_start;
    return at;
}

/* whether a comment at this offset may belong to the equation of a place */
static bool
place_holds(const struct place *place, u32 comment)
{
    return place->until == 0 || comment < place->until;
}

/* the last equation before index `low` that a comment may belong to and that begins no further right than `column`;
 * NONE if it is not among the last CLOSES */
static eqn_t
closed_equation(const struct places *places, u32 low, u32 column, u32 comment)
{
    for (u32 tries = 0; low > 0 && tries < CLOSES; tries++)
        if (places->list.at[--low].column <= column && place_holds(&places->list.at[low], comment))
            return places->list.at[low].eqn;
    return NONE;
}

/* the equation of a comment: the last one that begins before it; but on a line of closing brackets (`] a # ..`) the one
 * in the column of that line, if there is one */
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
    eqn_t closed = i < c->offset && (in || m->text.at[i] == ']' || m->text.at[i] == ')')
                       ? closed_equation(places, low, i - start + (in ? 2 : 0), c->offset)
                       : NONE;
    return closed != NONE ? closed : begun;
}

/* To how many equations the comments on one line may belong: to calls only, as reads and writes of refs had none up to
 * 0.9.0; to all. `results`: the calls that have results, which may have two comments each */
struct sharers {
    u32 calls, all, results;
};

/* how many of `count` comments of one line belong to an equation: one or two each (source and scope), one fewer without
 * results; 0 if the numbers do not fit */
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

/* finds the equations of `count` comments on one line, the first of which is c */
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

u32
jaxpr_head_end(const struct module *m, jaxpr_t j)
{
    const struct jaxpr *jaxpr = &m->jaxprs.at[j];
    if (jaxpr->eqns != NONE)
        return m->eqns.at[jaxpr->eqns].offset;
    u32 after = (u32)(skip_blanks(m->text.at + jaxpr->end) - m->text.at);
    if (!word_at(m->text.at + after, SLICE("in")))
        return jaxpr->end;
    after += 2; /* of a shared program, whose line it may end */
    u32 n = comments_beside(m, after);
    return n > comment_at(m, after) ? comment_end(&m->comments.at[n - 1]) : jaxpr->end;
}

/* The jaxpr of a program that comments are in, in the order of the text, and the number of the next one. */
struct own {
    jaxpr_t in;
    u32 next;
};

/* whether a comment is about the head of a jaxpr of a program: it is before its first equation, after its beginning or
 * on a line of its own above it */
static bool
is_of_head(const struct module *m, const struct program *g, const struct comment *c, struct own *own)
{
    for (; own->next <= g->n_lets; own->next++) {
        jaxpr_t j = program_jaxpr(m, g, own->next);
        if (j != NONE && m->jaxprs.at[j].offset > c->offset)
            break;
        own->in = j != NONE ? j : own->in;
    }
    if (own->in == NONE)
        return false;
    bool above = comment_is_alone(m, c) && c->offset >= m->jaxprs.at[own->in].end && own->next <= g->n_lets;
    return above || c->offset < jaxpr_head_end(m, own->in);
}

/* assigns the comments of a program to equations */
static void
anchor_program(struct module *m, const struct program *g)
{
    u32 low = comment_at(m, g->offset), high = comments_end(m, g);
    struct places places = {0};
    if (low >= high)
        return;
    collect_places(m, g, &places);
    u32 *anchors = mem_nones(m->mem, high - low);
    struct own own = {.in = NONE};
    for (u32 i = low, next; i < high; i = next) {
        next = i + 1;
        if (is_of_head(m, g, &m->comments.at[i], &own))
            continue;
        while (next < high && comment_is_stacked(m, next) && !is_of_head(m, g, &m->comments.at[next], &own))
            next++;
        anchor_line(m, &places, &m->comments.at[i], next - i, anchors + (i - low));
    }
    for (u32 i = high; i-- > low;) {
        struct comment *c = &m->comments.at[i];
        c->eqn = anchors[i - low];
        if (c->eqn == NONE)
            continue;
        c->next = (u32)memo_get(&m->comment_of, c->eqn);
        memo_set(m->mem, &m->comment_of, c->eqn, i + 1);
    }
    mem_free_all(m->mem, anchors, places.list.at, places.values.at);
}

void
comments_anchor(struct module *m)
{
    if (m->anchored)
        return;
    m->anchored = true;
    for (program_t g = 0; m->comments.n > 0 && g < m->programs.n; g++)
        if (!m->programs.at[g].pasted)
            anchor_program(m, &m->programs.at[g]);
}

/* ---- where JAX says an equation comes from ---- */

/* true for `FILE:LINE (FUNCTION)` and `FILE:LINE:COLUMN (FUNCTION)` */
static bool
is_source(struct slice text)
{
    const char *p = text.n > 0 && text.at[text.n - 1] == ')' ? memmem(text.at, text.n, " (", 2) : NULL;
    const char *digits = p;
    while (digits && digits > text.at && is_digit(digits[-1]))
        digits--;
    return digits && digits < p && digits > text.at + 1 && digits[-1] == ':' && text.at[0] != '[';
}

u32
source_comment(const struct module *m, eqn_t e)
{
    u32 i = comment_of(m, e);
    while (i > 0 && !is_source(module_bytes(m, m->comments.at[i - 1].text)))
        i = m->comments.at[i - 1].next;
    return i;
}

struct slice
equation_source(const struct module *m, eqn_t e)
{
    u32 i = source_comment(m, e);
    if (i == 0)
        return (struct slice){"", 0};
    struct slice text = module_bytes(m, m->comments.at[i - 1].text), packages = SLICE("-packages/");
    const char *p = memmem(text.at, text.n, packages.at, packages.n);
    size_t skipped = p ? (size_t)(p - text.at) + packages.n : 0;
    return (struct slice){text.at + skipped, text.n - skipped};
}

/* the innermost equation whose text contains an offset; the results of a nested program belong to the equation that
 * contains the program. NONE if there is none */
static eqn_t
equation_at(struct module *m, const struct places *places, u32 offset)
{
    const char *line = m->text.at + text_position(m->mem, &m->text, offset).line_start;
    line = skip_spaces(line);
    bool results = line <= m->text.at + offset && memcmp(line, "in ", 3) == 0;
    for (u32 tries = 0, at = offset; tries < CLOSES; tries++) {
        u32 n = vec_before(&places->list, at + 1);
        if (n == 0 || !places->list.at)
            return NONE;
        const struct place *place = &places->list.at[n - 1];
        if (offset < m->jaxprs.at[place->jaxpr].end && !results)
            return place->eqn;
        results &= offset >= m->jaxprs.at[place->jaxpr].end;
        eqn_t parent = m->jaxprs.at[place->jaxpr].parent;
        if (parent == NONE)
            return NONE;
        at = m->eqns.at[parent].offset;
    }
    return NONE;
}

void
module_equations_at(struct module *m, program_t program, const u32 *offsets, u32 n, eqn_t *found)
{
    struct places places = {0};
    collect_places(m, &m->programs.at[program], &places);
    for (u32 i = 0; i < n; i++)
        found[i] = equation_at(m, &places, offsets[i]);
    vec_free(m->mem, &places.list);
    vec_free(m->mem, &places.values);
}
