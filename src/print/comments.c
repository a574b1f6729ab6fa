/* SPDX-License-Identifier: Apache-2.0
 *
 * Source comments. JAX prints them after equations, pads every line that has one to the width of the longest line of
 * the document, and prints further ones on the lines below (source_info=True, name_stack=True). So a program with
 * comments is first printed into memory, with a list of its lines. Linear. */
#include "print/printer.h"

/* the maximum number of spaces before comments: a value of many lines counts as one wide line, to which every
 * comment could be padded */
enum { PADDING = 1 << 27 };

/* A line: where its text ends, its width, and the number of comments on it and on earlier lines. */
struct note_line {
    size_t end, width;
    u32 marks;
};

struct notes {
    enum print_comments kept;
    bool stacked; /* some comment is below another one, on a line of its own */
    VEC(struct note_line) lines;
    VEC(u32) marks; /* comments in the order of printing */
    u32 next, high; /* those of heads that are not printed yet are among these */
};

static bool
is_kept(const struct module *m, u32 i, enum print_comments kept)
{
    return kept == COMMENTS_ALL || comment_ignore(m, &m->comments.at[i]).n > 0;
}

static struct slice
kept_text(const struct module *m, u32 i, enum print_comments kept)
{
    const struct comment *c = &m->comments.at[i];
    return kept == COMMENTS_ALL ? module_bytes(m, c->text) : comment_ignore(m, c);
}

static void
write_comment(struct sink *out, const struct module *m, u32 i, enum print_comments kept)
{
    struct slice text = kept_text(m, i, kept);
    sink_write(out, "# ", text.n ? 2 : 1);
    sink_slice(out, text);
}

/* the first of the comments on lines of their own above a program, and where it begins: that of the program if there is
 * none */
static u32
first_above(const struct module *m, program_t program, u32 *offset)
{
    u32 first = comment_at(m, m->programs.at[program].offset);
    *offset = m->programs.at[program].offset;
    while (first > 0 && comment_is_alone(m, &m->comments.at[first - 1]) &&
           module_blank(m, comment_end(&m->comments.at[first - 1]), *offset))
        *offset = m->comments.at[--first].offset;
    return first;
}

u32
notes_begin(const struct module *m, program_t program)
{
    u32 offset;
    first_above(m, program, &offset);
    return offset;
}

void
notes_above(struct sink *out, const struct module *m, program_t program, enum print_comments kept)
{
    u32 offset, end = comment_at(m, m->programs.at[program].offset), first = first_above(m, program, &offset);
    for (; first < end; first++) {
        if (!is_kept(m, first, kept))
            continue;
        write_comment(out, m, first, kept);
        sink_char(out, '\n');
    }
}

/* how many comments on lines of their own follow a program, if it is the last one; else 0 */
static u32
count_below(const struct module *m, program_t program)
{
    u32 first = comments_end(m, &m->programs.at[program]), last = first;
    u32 end = m->programs.at[program].end, seen = first > 0 ? comment_end(&m->comments.at[first - 1]) : 0;
    if (first == m->comments.n || !comment_is_alone(m, &m->comments.at[first]) ||
        !module_blank(m, seen > end ? seen : end, m->comments.at[first].offset)) /* they belong to another program */
        return 0;
    while (last + 1 < m->comments.n && comment_is_alone(m, &m->comments.at[last + 1]) &&
           module_blank(m, comment_end(&m->comments.at[last]), m->comments.at[last + 1].offset))
        last++;
    if (last + 1 < m->comments.n || !module_blank(m, comment_end(&m->comments.at[last]), m->text.n))
        return 0;
    return last + 1 - first;
}

u32
notes_end(const struct module *m, program_t program)
{
    u32 end = m->programs.at[program].end;
    u32 n = comments_end(m, &m->programs.at[program]) + count_below(m, program);
    u32 seen = n > 0 ? comment_end(&m->comments.at[n - 1]) : 0;
    return seen > end ? seen : end;
}

void
notes_below(struct sink *out, const struct module *m, program_t program, enum print_comments kept)
{
    u32 first = comments_end(m, &m->programs.at[program]), end = first + count_below(m, program);
    for (; first < end; first++) {
        if (!is_kept(m, first, kept))
            continue;
        sink_char(out, '\n');
        write_comment(out, m, first, kept);
    }
}

struct notes *
notes_collect(struct printer *p, program_t program, enum print_comments kept)
{
    struct module *m = p->m;
    const struct program *g = &m->programs.at[program];
    if (m->comments.n == 0)
        return NULL;
    u32 low = comment_at(m, g->offset), high = comments_end(m, g);
    while (low < high && !is_kept(m, low, kept))
        low++;
    if (low >= high)
        return NULL;
    struct notes *n = mem_zeroed(m->mem, sizeof *n);
    n->kept = kept;
    comments_anchor(m);
    for (u32 i = low + 1; i < high && !n->stacked; i++)
        n->stacked = comment_is_stacked(m, i);
    p->notes = n;
    n->next = low;
    n->high = high;
    return n;
}

void
notes_free(struct printer *p)
{
    struct mem *mem = p->m->mem;
    mem_free_all(mem, p->notes->lines.at, p->notes->marks.at, p->notes);
    p->notes = NULL;
}

u32
notes_count(const struct printer *p, eqn_t e)
{
    u32 count = 0;
    for (u32 i = comment_of(p->m, e); i != 0; i = p->m->comments.at[i - 1].next)
        count += is_kept(p->m, i - 1, p->notes->kept);
    return count;
}

bool
notes_suppress(const struct printer *p, eqn_t e, bool first)
{
    const struct module *m = p->m;
    u32 i = comment_of(m, e), line = m->eqns.at[e].offset;
    while (i != 0 && comment_ignore(m, &m->comments.at[i - 1]).n == 0)
        i = m->comments.at[i - 1].next;
    for (; !first && i != 0 && line > 0 && line <= m->text.n && m->text.at[line - 1] != '\n'; line--)
        if (m->text.at[line - 1] == ';') /* another equation precedes it */
            return false;
    return i != 0;
}

void
notes_mark(struct printer *p, eqn_t e)
{
    for (u32 i = comment_of(p->m, e); i != 0; i = p->m->comments.at[i - 1].next)
        if (is_kept(p->m, i - 1, p->notes->kept))
            *vec_push(p->m->mem, &p->notes->marks) = i - 1;
}

void
notes_head(struct printer *p, jaxpr_t j)
{
    struct notes *n = p->notes;
    const struct module *m = p->m;
    u32 end = j == NONE ? NONE : jaxpr_head_end(m, j);
    for (; n->next < n->high && m->comments.at[n->next].offset < end; n->next++)
        if (m->comments.at[n->next].eqn == NONE && is_kept(m, n->next, n->kept))
            *vec_push(m->mem, &n->marks) = n->next;
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
    bool in_one_line = range_has(p->versions, JAX_COMMENTS_IN_ONE_LINE) &&
                       range_lacks(p->versions, JAX_COMMENTS_IN_LINES) && !n->stacked;
    size_t start = 0, widest = 0;
    u32 mark = 0;
    for (u32 i = 0; i < n->lines.n; i++)
        widest = n->lines.at[i].width > widest ? n->lines.at[i].width : widest;
    if (widest * n->marks.n > PADDING)
        widest = 0;
    for (u32 i = 0; i < n->lines.n; i++) {
        const struct note_line *line = &n->lines.at[i];
        sink_write(out, p->out->at + start, line->end - start);
        for (u32 first = mark; mark < line->marks; mark++) {
            if (mark > first && !in_one_line)
                sink_char(out, '\n');
            sink_blanks(out, mark > first ? widest : widest > line->width ? widest - line->width : 0);
            sink_write(out, " # ", 3);
            sink_slice(out, kept_text(p->m, n->marks.at[mark], n->kept));
        }
        start = line->end;
    }
}
