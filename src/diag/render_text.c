/* SPDX-License-Identifier: Apache-2.0
 *
 * For people: the finding, its source line, carets under the exact token, then its notes in the same form.
 *
 *     f.jaxpr:2:17: error: `x` is not bound [S012 unbound-variable]
 *        2 |     b:f32[] = sin x
 *          |                   ^
 *
 * and the one-line form of compilers, which editors and grep can parse. A finding costs O(message + WINDOW) whatever
 * the length of its line: a long line is cut around the span. */
#include "diag/render.h"

#include "base/utf8.h"
#include "highlight/highlight.h"

/* at most WINDOW cells of a source line are shown, CONTEXT of them before a long span; a tab has TAB */
enum { WINDOW = 120, CONTEXT = 24, TAB = 8 };

/* words are classified up to this many bytes outside the window, so that the time does not depend on the line's
 * length */
enum { FAR = 512 };

/* the width of line numbers, unless they need more */
enum { LEAST_MARGIN = 4 };

/* how many findings of a summarized rule are written in full */
enum { SHOWN_OF_MANY = 3 };

struct style {
    const char *place, *gutter, *escaped, *escaped_end, *message, *code, *end;
    const char *level[LEVEL_ERROR + 1];
};

static const struct style plain_style = {"", "", "", "", "", "", "", {"", "", ""}};
static const struct style color_style = {
    .place = "\033[1m",
    .gutter = "\033[34m",
    .escaped = "\033[7m",
    .escaped_end = "\033[27m",
    .message = "\033[1m",
    .code = "\033[2m",
    .end = "\033[0m",
    .level = {[LEVEL_NOTE] = "\033[1;36m", [LEVEL_WARNING] = "\033[1;35m", [LEVEL_ERROR] = "\033[1;31m"},
};

static void
put(struct sink *out, const char *string)
{
    sink_write(out, string, strlen(string));
}

/* writes three strings; with printf, this would be half of the time of a finding */
static void
write_three(struct sink *out, const char *first, const char *second, const char *third)
{
    put(out, first);
    put(out, second);
    put(out, third);
}

/* The line of a span, bytes [start, end), and the span [s, e) in it. */
struct excerpt {
    const char *base;
    u32 start, end, s, e;
    bool inside; /* the line begins inside a line of the file */
};

/* The part of a line that is shown: bytes [from, to), the span [s, e) in it, and whether text was cut off on either
 * side. */
struct window {
    u32 s, e, from, to;
    bool cut_left, cut_right;
};

/* The first cell of the carets under a line, and their number. */
struct carets {
    u32 cell, n;
};

/* the cells of the character at `at`, at least 1, so that walks are bounded */
static u32
glyph_cost(const char *base, u32 at, u32 end, size_t *length)
{
    struct glyph g;
    *length = glyph_read(&g, (struct slice){base, end}, at);
    if (base[at] == '\t')
        return TAB;
    return g.cells ? g.cells : 1;
}

/* the end of the characters from `at` on, before `end`, that fit in *room cells; subtracts their cells from *room */
static u32
walk_right(const char *base, u32 at, u32 end, u32 *room)
{
    while (at < end) {
        size_t length = plain_length(base + at, end - at < *room ? end - at : *room);
        u32 cost = length ? (u32)length : glyph_cost(base, at, end, &length);
        if (cost > *room)
            break;
        *room -= cost;
        at += (u32)length;
    }
    return at;
}

/* the start of the character before `at`, not before `start` */
static u32
previous_character(const char *base, u32 start, u32 at)
{
    u32 p = at - 1;
    while (p > start && at - p < 4 && !begins_point(base[p]))
        p--;
    return utf8_length(base + p, at - p) == at - p ? p : at - 1;
}

static u32
walk_left(const char *base, u32 start, u32 at, u32 *room)
{
    while (at > start) {
        size_t length;
        u32 before = previous_character(base, start, at), cost = glyph_cost(base, before, at, &length);
        if (cost > *room)
            break;
        *room -= cost;
        at = before;
    }
    return at;
}

/* chooses the part of the line to show */
static struct window
choose_window(const struct excerpt *x)
{
    const char *base = x->base;
    u32 room = WINDOW, start = x->start, end = x->end, s = x->s, e = x->e;
    if (walk_right(base, start, end, &room) == end)
        return (struct window){s, e, start, end, x->inside, false};
    u32 span_room = WINDOW - 2 * CONTEXT;
    walk_right(base, s, e, &span_room);
    room = CONTEXT + span_room / 2; /* half of the space that the span leaves */
    u32 given = room;
    u32 from = walk_left(base, start, s, &room);
    u32 rest = WINDOW - (given - room);
    u32 to = walk_right(base, s, end, &rest);
    if (to == end)
        from = walk_left(base, start, from, &rest);
    return (struct window){s, e, from, to, x->inside || from > start, to < end};
}

/* prints the character at an offset of a text into a line of `cell` cells so far; returns its bytes and its number of
 * cells */
static size_t
write_glyph(struct sink *out, const struct style *style, struct slice text, u32 at, u32 cell, u32 *width)
{
    struct glyph g;
    size_t length = glyph_read(&g, text, at);
    bool tab = text.at[at] == '\t';
    *width = tab ? TAB - cell % TAB : g.cells;
    if (tab) {
        sink_blanks(out, *width);
    } else {
        put(out, g.escaped ? style->escaped : "");
        sink_write(out, g.at, g.n);
        put(out, g.escaped ? style->escaped_end : "");
    }
    return length;
}

/* The state of colouring the words of a line. */
struct word_colors {
    struct highlight words;
    u32 end;   /* the end of the current word; NONE: no colours */
    bool open; /* the current word is coloured */
};

/* starts colouring for a window, from the beginning of its line or a space at most FAR bytes before it */
static struct word_colors
word_colors_start(const struct style *style, const struct excerpt *x, struct window w)
{
    const char *base = x->base;
    u32 from = w.from - x->start > FAR ? w.from - FAR : x->start;
    while (from > x->start && from < w.from && base[from] != ' ')
        from++;
    u32 end = x->end - w.to > FAR ? w.to + FAR : x->end;
    return (struct word_colors){{base + from, base + from, base + end}, style == &color_style ? w.from : NONE, false};
}

/* if the current word ends before or at `at`, ends its colour and begins that of the next one; returns the end of
 * the current word */
static u32
word_colors_next(struct word_colors *c, struct sink *out, const char *base, u32 at)
{
    struct slice word;
    enum word_class class;
    if (at < c->end)
        return c->end;
    put(out, c->open ? color_style.end : "");
    c->open = false;
    c->end = NONE;
    while (highlight_next(&c->words, &word, &class)) {
        if (word.at + word.n <= base + at)
            continue;
        c->end = (u32)(word.at + word.n - base);
        c->open = *class_style(class) != 0;
        if (c->open)
            write_three(out, "\033[", class_style(class), "m");
        break;
    }
    return c->end;
}

/* prints the window's characters */
static struct carets
write_source(struct sink *out, const struct style *style, const char *base, struct window w,
             struct word_colors word_colors)
{
    struct carets carets = {0, 0};
    u32 at_cell = 0;
    bool started = false;
    if (w.cut_left) {
        put(out, "...");
        at_cell = 3;
    }
    for (u32 at = w.from; at < w.to;) {
        /* stop at the ends of the span and of the current word */
        u32 stop = at < w.s && w.s < w.to ? w.s : at < w.e && w.e < w.to ? w.e : w.to;
        u32 word = word_colors_next(&word_colors, out, base, at);
        stop = word < stop ? word : stop;
        size_t length = plain_length(base + at, stop - at);
        u32 width = (u32)length;
        if (length)
            sink_write(out, base + at, length);
        else
            length = write_glyph(out, style, (struct slice){base, w.to}, at, at_cell, &width);
        if (!started && at + length > w.s) {
            carets.cell = at_cell;
            started = true;
        }
        if (started && at < w.e)
            carets.n += width;
        at_cell += width;
        at += (u32)length;
    }
    put(out, word_colors.open ? style->end : "");
    if (!started)
        carets.cell = at_cell;
    else if (w.e > w.s && carets.n == 0) {
        /* only combining marks: they combine with the preceding cell */
        carets.cell -= carets.cell > 0;
        carets.n = 1;
    }
    if (w.cut_right)
        put(out, "...");
    return carets;
}

/* true if the line is only spaces and tabs, so that carets would be useless; long lines are not tested, to save time */
static bool
line_blank(const struct excerpt *x)
{
    if (x->end - x->start > WINDOW)
        return false;
    for (u32 i = x->start; i < x->end; i++)
        if (x->base[i] != ' ' && x->base[i] != '\t')
            return false;
    return true;
}

/* whether the line of a place in an extracted text begins inside a line of the file */
static bool
begins_inside(const struct text *t, const struct place *p)
{
    if (!t->origins)
        return false;
    u32 line = last_until(&t->origins->line, t->n_origins, sizeof *t->origins, p->line - 1);
    const struct origin *o = text_origin(t, p->line_start), *first = t->origins + line;
    while (first->line < p->line)
        first++;
    o = o > first ? o : first;
    return o->inside;
}

/* the line that contains text[at .. at + n), as it is in the file if that is known */
static struct excerpt
find_excerpt(const struct text *t, const struct place *p, u32 at, u32 n)
{
    struct excerpt x = {t->at, p->line_start, p->line_end, at, at + n, begins_inside(t, p)};
    if (t->original) {
        struct slice words = text_original(t, at, n);
        x.base = t->original;
        x.s = (u32)(words.at - x.base);
        x.e = x.s + (u32)words.n;
        struct slice line = text_original_line(t, x.s);
        x.start = (u32)(line.at - x.base);
        x.end = x.start + (u32)line.n;
    }
    x.s = x.s < x.end ? x.s : x.end;
    x.e = x.e < x.end ? x.e : x.end;
    return x;
}

static u32
count_digits(u32 number)
{
    u32 n = 1;
    while ((number /= 10))
        n++;
    return n;
}

/* writes the source line of a place and carets under text[at .. at + n); nothing if the line is blank */
static void
write_snippet(struct sink *out, const struct style *style, const struct text *t, const struct place *p, u32 at, u32 n,
              enum diag_level level)
{
    struct excerpt x = find_excerpt(t, p, at, n);
    if (line_blank(&x))
        return;
    u32 digits = count_digits(p->line), margin = digits < LEAST_MARGIN ? LEAST_MARGIN - digits : 0;
    put(out, style->gutter);
    sink_blanks(out, margin);
    sink_number(out, p->line);
    write_three(out, " |", style->end, " ");
    struct window w = choose_window(&x);
    struct carets carets = write_source(out, style, x.base, w, word_colors_start(style, &x, w));
    sink_char(out, '\n');
    put(out, style->gutter);
    sink_blanks(out, margin + digits);
    write_three(out, " |", style->end, " ");
    sink_blanks(out, carets.cell);
    put(out, style->level[level]);
    sink_char(out, '^');
    for (u32 i = 1; i < carets.n; i++)
        sink_char(out, '~');
    put(out, style->end);
    sink_char(out, '\n');
}

/* writes `FILE:LINE:COL: level: `, or `FILE: level: ` without a place */
static void
write_head(struct sink *out, const struct style *style, struct slice name, const struct place *p, enum diag_level level)
{
    put(out, style->place);
    write_visible(out, name);
    if (p) {
        sink_char(out, ':');
        sink_number(out, p->line);
        sink_char(out, ':');
        sink_number(out, p->column);
    }
    write_three(out, ":", style->end, " ");
    write_three(out, style->level[level], level_word(level), ":");
    put(out, style->end);
    sink_char(out, ' ');
}

static void
write_finding(struct sink *out, struct findings *f, const struct style *style)
{
    const struct diag *d = f->diag;
    const struct diags *ds = f->report->diags;
    const struct text *t = f->report->text;
    write_head(out, style, t->name, f->placed ? &f->place : NULL, d->level);
    put(out, style->message);
    write_visible(out, d->message);
    struct diag_info info = diag_info(d->code);
    write_three(out, style->end, " ", style->code);
    write_three(out, "[", info.code, " ");
    write_three(out, info.name, "]", style->end);
    sink_char(out, '\n');
    if (f->placed)
        write_snippet(out, style, t, &f->place, d->at, d->n, d->level);
    for (u32 i = d->notes; i != NONE; i = ds->notes.at[i].next) {
        const struct diag_note *note = &ds->notes.at[i];
        struct place p;
        if (findings_note_place(f, note, &p)) {
            const struct text *of = findings_note_text(f, note);
            write_head(out, style, of->name, &p, LEVEL_NOTE);
            write_visible(out, note->message);
            sink_char(out, '\n');
            write_snippet(out, style, of, &p, note->at, note->n, LEVEL_NOTE);
        } else {
            write_three(out, "     ", style->gutter, "=");
            write_three(out, style->end, " ", style->level[LEVEL_NOTE]);
            write_three(out, "note:", style->end, " ");
            write_visible(out, note->message);
            sink_char(out, '\n');
        }
    }
}

static void
write_count(struct sink *out, u64 n, const char *word, bool *first)
{
    if (n == 0)
        return;
    sink_printf(out, "%s%llu %s%s", *first ? "" : ", ", (unsigned long long)n, word, n == 1 ? "" : "s");
    *first = false;
}

/* writes a summary line if there is more than one finding */
static void
write_tally(struct sink *out, struct tally t)
{
    if (t.errors + t.warnings + t.notes < 2)
        return;
    bool first = true;
    write_count(out, t.errors, "error", &first);
    write_count(out, t.warnings, "warning", &first);
    write_count(out, t.notes, "note", &first);
    if (t.omitted)
        sink_printf(out, " (%llu not shown)", (unsigned long long)t.omitted);
    sink_char(out, '\n');
}

/* The findings of one rule that are summarized. */
struct folded {
    u32 n, from, to; /* their number, and the first and last line */
};

/* counts a finding of a summarized rule; false for the first few, which are written */
static bool
fold_finding(const struct findings *f, struct folded *folded, u32 *shown)
{
    if (folded->n == 0 || (*shown)++ < SHOWN_OF_MANY)
        return false;
    folded->from = *shown == SHOWN_OF_MANY + 1 ? f->place.line : folded->from;
    folded->to = f->place.line;
    return true;
}

static void
write_folded(struct sink *out, const struct style *style, struct slice name, const struct folded *folded)
{
    for (u32 code = 0; code < DIAG_COUNT; code++) {
        if (folded[code].n == 0)
            continue;
        struct diag_info info = diag_info((enum diag_code)code);
        write_head(out, style, name, NULL, LEVEL_NOTE);
        sink_printf(
            out, "%u more findings of %s %s, on lines %u to %u; --format=gcc prints all, --ignore=%s hides them\n",
            folded[code].n - SHOWN_OF_MANY, info.code, info.name, folded[code].from, folded[code].to, info.code);
    }
}

/* counts a file that no contract applies to; false for the first, which is written */
static bool
fold_file(struct rendering *d, const struct findings *f)
{
    if (d->how.fold == 0 || f->diag->code != DIAG_K812 || d->uncovered++ == 0)
        return false;
    struct sink *names = &d->uncovered_names;
    if (d->uncovered == 2) {
        sink_init_memory(names, d->mem);
        d->uncovered_level = f->diag->level;
    }
    d->uncovered_level = f->diag->level > d->uncovered_level ? f->diag->level : d->uncovered_level;
    if (d->uncovered > 1 + SHOWN_OF_MANY)
        return true;
    put(names, d->uncovered == 2 ? "" : ", ");
    write_visible(names, f->report->text->name);
    return true;
}

/* writes one line for the files that fold_file counted */
static void
write_files(struct rendering *d, const struct style *style)
{
    u32 n = d->uncovered > 1 ? d->uncovered - 1 : 0;
    if (n == 0)
        return;
    struct diag_info info = diag_info(DIAG_K812);
    write_three(d->out, style->level[d->uncovered_level], level_word(d->uncovered_level), ":");
    write_three(d->out, style->end, " ", style->message);
    sink_printf(d->out, "no contract applies to %u more file%s: ", n, n == 1 ? "" : "s");
    sink_write(d->out, d->uncovered_names.at, d->uncovered_names.n);
    write_three(d->out, n > SHOWN_OF_MANY ? ", .." : "", style->end, " ");
    write_three(d->out, style->code, "[", info.code);
    write_three(d->out, " ", info.name, "]");
    write_three(d->out, style->end, n > SHOWN_OF_MANY ? "; --format=gcc prints all" : "", "\n");
    mem_free(d->mem, d->uncovered_names.at);
}

enum { LINKED = 48 << 10 }; /* the maximum text in a URL: browsers accept at least 64 KiB */

/* writes a note with the URL that opens the text of a report in the playground */
static void
write_link(struct rendering *d, const struct report *report)
{
    if (d->how.link == NULL || report->diags->list.n == 0 || report->text->n > LINKED)
        return;
    write_head(d->out, &plain_style, report->text->name, NULL, LEVEL_NOTE);
    sink_printf(d->out, "open in the playground: %s#t=", d->how.link);
    sink_base64(d->out, report->text->at, report->text->n, true);
    sink_char(d->out, '\n');
}

static void
report_text(struct rendering *d, const struct report *report)
{
    const struct style *style = d->how.color ? &color_style : &plain_style;
    struct folded folded[DIAG_COUNT] = {0};
    u32 shown[DIAG_COUNT] = {0};
    for (u32 i = 0; i < report->diags->list.n && d->how.fold; i++)
        folded[report->diags->list.at[i].code].n++;
    for (u32 code = 0; code < DIAG_COUNT; code++)
        if (folded[code].n <= d->how.fold || !strchr("NPERGH", *diag_info((enum diag_code)code).code))
            folded[code].n = 0;
    struct findings f;
    for (findings_start(&f, d, report); findings_next(&f);)
        if (!fold_finding(&f, &folded[f.diag->code], &shown[f.diag->code]) && !fold_file(d, &f))
            write_finding(d->out, &f, style);
    findings_end(&f);
    write_folded(d->out, style, report->text->name, folded);
    write_link(d, report);
}

static void
end_text(struct rendering *d)
{
    write_files(d, d->how.color ? &color_style : &plain_style);
    write_tally(d->out, d->tally);
}

const struct renderer render_text = {.report = report_text, .end = end_text};

static void
write_gcc(struct rendering *document, struct findings *f)
{
    struct sink *out = document->out;
    const struct diag *d = f->diag;
    const struct diags *ds = f->report->diags;
    const struct place *place = f->placed ? &f->place : NULL;
    write_head(out, &plain_style, f->report->text->name, place, d->level);
    write_visible(out, d->message);
    write_three(out, " [", diag_info(d->code).code, "]\n");
    for (u32 i = d->notes; i != NONE; i = ds->notes.at[i].next) {
        const struct diag_note *note = &ds->notes.at[i];
        struct place p;
        /* a note without a location is printed at that of its finding: every line of this format has one */
        bool placed = findings_note_place(f, note, &p);
        write_head(out, &plain_style, findings_note_text(f, note)->name, placed ? &p : place, LEVEL_NOTE);
        write_visible(out, note->message);
        sink_char(out, '\n');
    }
}

static void
end_gcc(struct rendering *d)
{
    if (d->tally.omitted)
        sink_printf(d->out, "note: %llu findings not shown\n", (unsigned long long)d->tally.omitted);
}

const struct renderer render_gcc = {.finding = write_gcc, .end = end_gcc};
