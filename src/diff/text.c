/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences as text: hunks with a few equations around them, a mark in the first column (- removed, + added, !
 * changed, > moved), and below an equation only what changed in it. Nested programs are hunks inside hunks. A stack
 * holds the unfinished pairs; no recursion. Linear in the items. */
#include "diff/diff.h"

#include "base/visible.h"

/* STEP: columns for each level; DEEPEST: levels that are indented; LONG: bytes of a change on one line; JOINED: of an
 * equation joined to one line; BREAKABLE: of values compared by words */
enum { STEP = 4, DEEPEST = 20, LONG = 100, JOINED = 100, BREAKABLE = 1 << 20 };

/* A pair being printed. */
struct text_frame {
    u32 pair, item, inner;
};

struct text_writer {
    struct sink *out;
    struct diff *d;
    const struct diff_style *style;
    VEC(struct text_frame) stack;
    bool done; /* the one requested difference was printed */
};

static const struct slice nothing = {"", 0};

static const char *
color_of(char mark)
{
    switch (mark) {
    case '-':
        return "\033[31m";
    case '+':
        return "\033[32m";
    case '!':
        return "\033[33m";
    case '>':
        return "\033[35m";
    case '@':
        return "\033[36m";
    default:
        return NULL;
    }
}

static u32
indent_of(const struct text_writer *w, u32 more)
{
    u32 depth = w->stack.n - 1 < DEEPEST ? w->stack.n - 1 : DEEPEST;
    return depth * STEP + more;
}

static void
begin_line(struct text_writer *w, char mark, u32 more)
{
    if (w->style->color && color_of(mark))
        sink_slice(w->out, slice_of(color_of(mark)));
    if (mark != '@')
        sink_char(w->out, mark);
    sink_blanks(w->out, indent_of(w, more));
}

static void
end_line(struct text_writer *w, char mark)
{
    if (w->style->color && color_of(mark))
        sink_write(w->out, "\033[m", 3);
    sink_char(w->out, '\n');
}

/* writes the source location of an equation, in the form of JAX's comments */
static void
write_source(struct text_writer *w, struct slice source)
{
    if (source.n == 0)
        return;
    sink_write(w->out, "  # ", 4);
    write_visible(w->out, source);
}

static struct slice
source_of(const struct diff_side *side, eqn_t e)
{
    return e == NONE ? nothing : equation_source(side->m, e);
}

/* the source location of an item: that of the right equation, if there is one */
static struct slice
source_of_item(const struct text_writer *w, const struct diff_item *item)
{
    return item->b != NONE ? source_of(&w->d->b, item->b) : source_of(&w->d->a, item->a);
}

/* joins parameters that were printed on separate lines, if the result is short: `[shape=(8,) sharding=None]` */
static struct slice
join_params(struct text_writer *w, struct slice text)
{
    char line[JOINED], last = 0;
    size_t n = 0;
    if (text.n > 2 * JOINED || memchr(text.at, '{', text.n) != NULL || memchr(text.at, '\n', text.n) == NULL)
        return text;
    for (size_t i = 0; i < text.n; i++) {
        bool blank = text.at[i] == '\n';
        while (blank && i + 1 < text.n && text.at[i + 1] == ' ')
            i++;
        char c = blank ? ' ' : text.at[i];
        if (blank && (last == '[' || (i + 1 < text.n && text.at[i + 1] == ']')))
            continue;
        if (n == sizeof line)
            return text;
        line[n++] = last = c;
    }
    return arena_copy(w->d->mem, (struct slice){line, n});
}

/* writes a text of one or more lines, with its source location after the first */
static void
write_lines(struct text_writer *w, char mark, struct slice text, struct slice source)
{
    text = join_params(w, text);
    for (size_t i = 0; i <= text.n;) {
        const char *end = i < text.n ? memchr(text.at + i, '\n', text.n - i) : NULL;
        size_t n = end ? (size_t)(end - text.at) - i : text.n - i;
        begin_line(w, mark, 2);
        write_visible(w->out, (struct slice){text.at + i, n});
        write_source(w, i == 0 ? source : nothing);
        end_line(w, mark);
        i += n + 1;
    }
}

/* ---- one difference --------------------------------------------------------------------------------------------- */

/* writes long values on several lines, with differences marked */
static void
write_broken(struct text_writer *w, const struct diff_change *c, char mark, u32 more)
{
    struct sink lines;
    sink_init_memory(&lines, w->d->mem);
    if (mark == '!')
        diff_break_change(&lines, w->d->mem, c->from, c->to, w->style->color);
    else
        diff_break_value(&lines, c->from.n > 0 ? c->from : c->to);
    for (size_t i = 0; i < lines.n;) {
        const char *end = memchr(lines.at + i, '\n', lines.n - i);
        size_t n = end ? (size_t)(end - lines.at) - i : lines.n - i;
        begin_line(w, mark, more);
        sink_write(w->out, lines.at + i, n);
        end_line(w, mark);
        i += n + 1;
    }
    sink_close(&lines);
}

static void
write_change(struct text_writer *w, const struct diff_change *c, u32 more)
{
    char mark = c->from.n == 0 ? '+' : c->to.n == 0 ? '-' : '!';
    bool large = c->from.n + c->to.n > BREAKABLE;
    begin_line(w, mark, more);
    diff_write_what(w->out, c);
    sink_char(w->out, ':');
    if (c->from.n + c->to.n > LONG && !large) {
        end_line(w, mark);
        write_broken(w, c, mark, more + STEP);
        return;
    }
    sink_char(w->out, ' ');
    diff_write_values(w->out, w->d, c);
    end_line(w, mark);
}

/* how many one-sided arguments or results follow from the i-th change on */
static u32
count_single(const struct text_writer *w, const struct diff_item *item, u32 i)
{
    const struct diff_change *c = &w->d->changes.at[item->changes];
    u32 n = 0;
    bool interface = item->kind == DIFF_INPUTS || item->kind == DIFF_OUTPUTS, gone = c[i].to.n == 0;
    while (interface && i + n < item->n_changes && (gone ? c[i + n].to.n == 0 : c[i + n].from.n == 0) &&
           c[i + n].index == c[i].index + n)
        n++;
    return n;
}

static void
write_changes(struct text_writer *w, const struct diff_item *item, u32 more)
{
    for (u32 i = 0; i < item->n_changes; i++) {
        const struct diff_change *c = &w->d->changes.at[item->changes + i];
        u32 n = w->style->all ? 0 : count_single(w, item, i);
        write_change(w, c, more);
        if (n <= 2)
            continue;
        char mark = c->to.n == 0 ? '-' : '+';
        begin_line(w, mark, more);
        sink_printf(w->out, "%s %u-%u: %u more", c->what == WHAT_BINDER ? "arguments" : "results", c->index + 2,
                    c->index + n, n - 1);
        end_line(w, mark);
        i += n - 1;
    }
}

static void
write_row(struct text_writer *w, char mark, const char *color, struct slice left, struct slice right)
{
    diff_write_columns(w->out, w->style, (struct diff_row){left, right, indent_of(w, 0), mark, color});
}

/* writes an item in two columns */
static void
write_row_item(struct text_writer *w, const struct diff_item *item)
{
    switch (item->kind) {
    case DIFF_INPUTS:
    case DIFF_OUTPUTS:
        for (u32 i = 0; i < item->n_changes; i++) {
            const struct diff_change *c = &w->d->changes.at[item->changes + i];
            char mark = c->from.n == 0 ? '>' : c->to.n == 0 ? '<' : '|';
            write_row(w, mark, color_of(mark == '>' ? '+' : mark == '<' ? '-' : '!'), c->from, c->to);
        }
        break;
    case DIFF_CHANGED:
        write_row(w, '|', color_of('!'), item->n_inners ? item->head : item->from,
                  item->n_inners ? item->head : item->to);
        if (item->n_inners > 0)
            write_changes(w, item, 2 + STEP);
        break;
    case DIFF_ADDED:
        write_row(w, '>', color_of('+'), nothing, item->to);
        break;
    case DIFF_REMOVED:
        write_row(w, '<', color_of('-'), item->from, nothing);
        break;
    case DIFF_MOVED:
        write_row(w, '~', color_of('>'), nothing, item->head);
        break;
    case DIFF_RETYPED:
    case DIFF_INSIDE:
    case DIFF_SAME:
        write_row(w, ' ', NULL, item->head, item->head);
        break;
    }
}

static void
write_changed(struct text_writer *w, const struct diff_item *item)
{
    write_lines(w, '!', item->head, source_of_item(w, item));
    write_changes(w, item, 2 + STEP);
    if (item->elsewhere) {
        begin_line(w, '!', 2 + STEP);
        sink_printf(w->out, "moved from line %u", item->line_a);
        end_line(w, '!');
    }
}

/* writes a block that moved: its lines on the left, its first and its last equation */
static void
write_block(struct text_writer *w, const struct diff_item *item)
{
    const struct diff_item *last = item;
    for (u32 n = item->block; n > 1;)
        n -= (++last)->fold == FOLD_BLOCK;
    if (item->line_a != 0)
        sink_printf(w->out, "lines %u-%u moved here: ", item->line_a, last->line_a);
    sink_printf(w->out, "%u equations, ", item->block);
    write_visible(w->out, item->head);
    sink_slice(w->out, SLICE(" .. "));
    write_visible(w->out, last->head);
    end_line(w, '>');
}

static void
write_item(struct text_writer *w, const struct diff_item *item)
{
    if (w->style->width) {
        write_row_item(w, item);
        return;
    }
    switch (item->kind) {
    case DIFF_INPUTS:
    case DIFF_OUTPUTS:
        write_changes(w, item, 2);
        break;
    case DIFF_CHANGED:
        write_changed(w, item);
        break;
    case DIFF_INSIDE:
        write_lines(w, item->elsewhere ? '>' : ' ', item->head, nothing);
        break;
    case DIFF_ADDED:
        write_lines(w, '+', item->to, source_of_item(w, item));
        break;
    case DIFF_REMOVED:
        write_lines(w, '-', item->from, source_of_item(w, item));
        break;
    case DIFF_MOVED:
        begin_line(w, '>', 2);
        if (item->block > 0) {
            write_block(w, item);
            break;
        }
        write_visible(w->out, item->head);
        sink_printf(w->out, "  (from line %u)", item->line_a);
        write_source(w, source_of_item(w, item));
        end_line(w, '>');
        break;
    case DIFF_RETYPED:
    case DIFF_SAME:
        write_lines(w, ' ', item->head, nothing);
        break;
    }
}

/* ---- hunks ------------------------------------------------------------------------------------------------------ */

static void
write_header(struct text_writer *w, const struct text_frame *f)
{
    const struct diff_pair *pair = &w->d->pairs.at[f->pair];
    const struct diff_item *item = &w->d->items.at[f->item];
    u32 a = 0, b = 0;
    for (u32 i = f->item; i < pair->items + pair->n_items && i < f->item + 8 && (a == 0 || b == 0); i++) {
        a = a ? a : w->d->items.at[i].line_a;
        b = b ? b : w->d->items.at[i].line_b;
    }
    begin_line(w, '@', 0);
    sink_write(w->out, "@@", 2);
    if (item->kind == DIFF_INPUTS || item->kind == DIFF_OUTPUTS) {
        sink_slice(w->out, item->kind == DIFF_INPUTS ? SLICE(" arguments") : SLICE(" results"));
        a = b = 0;
    }
    if (a)
        sink_printf(w->out, " -%u", a);
    if (b)
        sink_printf(w->out, " +%u", b);
    sink_write(w->out, " @@", 3);
    if (w->stack.n > 1) {
        const struct text_frame *outer = &w->stack.at[w->stack.n - 2];
        const struct diff_inner *inner = &w->d->inners.at[w->d->items.at[outer->item].inners + outer->inner - 1];
        sink_printf(w->out, " in %.*s", (int)inner->key.n, inner->key.at);
        if (inner->index > 0)
            sink_printf(w->out, " %u", inner->index + 1);
    }
    end_line(w, '@');
}

static void
push_pair(struct text_writer *w, u32 pair)
{
    w->d->pairs.at[pair].shown = true;
    *vec_push(w->d->mem, &w->stack) = (struct text_frame){pair, w->d->pairs.at[pair].items, 0};
}

/* writes the shared programs that new equations name */
static void
write_lets(struct text_writer *w, const struct diff_pair *pair)
{
    if (pair->n_lets == 0)
        return;
    begin_line(w, '@', 0);
    sink_write(w->out, "@@ shared @@", 12);
    end_line(w, '@');
    for (u32 i = 0; i < pair->n_lets; i++) {
        struct slice text = w->d->lets.at[pair->lets + i];
        if (w->style->width)
            write_row(w, '>', color_of('+'), nothing, text);
        else
            write_lines(w, '+', text, nothing);
    }
}

static void
end_pair(struct text_writer *w, const struct diff_pair *pair)
{
    if (pair->retyped > 0 && !w->done) {
        begin_line(w, ' ', 2);
        sink_printf(w->out, "(%u equation%s only in types)", pair->retyped,
                    pair->retyped == 1 ? " differs" : "s differ");
        end_line(w, ' ');
    }
    write_lets(w, pair);
    w->stack.n--;
}

/* continues with the top pair: with an item, or a nested program */
static void
step(struct text_writer *w)
{
    struct text_frame *f = &w->stack.at[w->stack.n - 1];
    const struct diff_pair *pair = &w->d->pairs.at[f->pair];
    if (f->item == pair->items + pair->n_items || w->done) {
        end_pair(w, pair);
        return;
    }
    const struct diff_item *item = &w->d->items.at[f->item];
    if (item->quiet || item->fold != FOLD_NONE) {
        f->item++;
        return;
    }
    if (f->inner == 0) {
        bool equation = item->kind != DIFF_INPUTS && item->kind != DIFF_OUTPUTS;
        if (!equation || !diff_goes_on(w->d, pair, f->item))
            write_header(w, f);
        write_item(w, item);
        if (w->style->first && item->kind != DIFF_SAME && item->kind != DIFF_INSIDE && item->kind != DIFF_RETYPED) {
            w->done = true;
            return;
        }
    }
    if (f->inner < item->n_inners) {
        const struct diff_inner *inner = &w->d->inners.at[item->inners + f->inner++];
        if (!w->d->pairs.at[inner->pair].shown) {
            push_pair(w, inner->pair);
        } else {
            begin_line(w, ' ', 2 + STEP);
            sink_printf(w->out, "(%.*s: as above)", (int)inner->key.n, inner->key.at);
            end_line(w, ' ');
        }
        return;
    }
    if (item->more > 0) {
        begin_line(w, ' ', 2);
        sink_printf(w->out, "(and %u more like this)", item->more);
        end_line(w, ' ');
    }
    f->item++;
    f->inner = 0;
}

void
diff_write_text(struct sink *out, struct diff *d, u32 pair, const struct diff_style *style)
{
    struct text_writer w = {.out = out, .d = d, .style = style};
    push_pair(&w, pair);
    while (w.stack.n > 0)
        step(&w);
    vec_free(d->mem, &w.stack);
}
