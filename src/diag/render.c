/* SPDX-License-Identifier: Apache-2.0
 *
 * What the renderers share. Finding a place is O(log lines) and counts at most a KiB of characters; printing text is
 * linear. */
#include "diag/render.h"

#include "base/utf8.h"

enum { MARK_BYTES = 1024, LONG_LINE = 4 * MARK_BYTES };

static void
place_index_start(struct place_index *r, struct mem *m, struct text *t)
{
    *r = (struct place_index){.mem = m, .text = t};
}

static void
place_index_end(struct place_index *r)
{
    vec_free(r->mem, &r->marks);
}

/* how many code points begin in text[from .. to) */
static u32
count_points(const struct text *t, u32 from, u32 to)
{
    u32 count = 0;
    for (u32 i = from; i < to; i++)
        count += begins_point(t->at[i]);
    return count;
}

static void
set_marks(struct place_index *r)
{
    u32 count = 0, n = r->text->n;
    for (u32 at = 0;; at += MARK_BYTES) {
        *vec_push(r->mem, &r->marks) = count;
        if (n - at <= MARK_BYTES)
            return;
        count += count_points(r->text, at, at + MARK_BYTES);
    }
}

static u32
points_before(const struct place_index *r, u32 offset)
{
    u32 mark = offset / MARK_BYTES;
    if (mark >= r->marks.n)
        mark = r->marks.n - 1;
    return r->marks.at[mark] + count_points(r->text, mark * MARK_BYTES, offset);
}

/* the column in the file of text[at .. at + n), whose line begins at line_start */
static u32
find_column(struct place_index *r, u32 line_start, u32 at, u32 n)
{
    struct text_base base = text_base(r->text, at, line_start);
    int more = base.column + text_more_points(r->text, at, n);
    if (at - base.at <= LONG_LINE)
        return (u32)(more + (int)count_points(r->text, base.at, at));
    if (r->marks.n == 0)
        set_marks(r);
    return (u32)(more + (int)(points_before(r, at) - points_before(r, base.at)));
}

/* the location of text[at .. at + n), cut at the end of the text */
static struct place
place_index_find(struct place_index *r, u32 at, u32 n)
{
    struct text *t = r->text;
    if (t->lines.n == 0)
        text_position(r->mem, t, 0); /* builds the table of lines */
    if (at > t->n)
        at = t->n;
    u32 end = n > t->n - at ? t->n : at + n;
    u32 final = text_last_character(t, at, end), first = text_line(t, at), last = first;
    if (first + 1 < t->lines.n && final >= t->lines.at[first + 1])
        last = text_line(t, final);
    struct place p = {.line = first + 1, .end_line = last + 1, .line_start = t->lines.at[first]};
    p.line_end = first + 1 < t->lines.n ? t->lines.at[first + 1] - 1 : t->n;
    if (p.line_end > p.line_start && t->at[p.line_end - 1] == '\r')
        p.line_end--;
    p.column = find_column(r, p.line_start, at, end - at);
    p.end_column = find_column(r, t->lines.at[last], final, end - at) + (final < end);
    if (t->origins) {
        p.line = text_origin(t, at)->line;
        p.end_line = text_origin(t, final)->line;
    }
    return p;
}

const char *
level_word(enum diag_level level)
{
    return level == LEVEL_ERROR ? "error" : level == LEVEL_WARNING ? "warning" : "note";
}

struct rendering *
document_begin(const struct renderer *form, struct sink *out, struct mem *m, const struct render *how)
{
    struct rendering *d = mem_alloc(m, sizeof *d);
    *d = (struct rendering){.form = form, .out = out, .mem = m, .how = *how};
    d->left = how->max_findings ? how->max_findings : NONE;
    if (form->begin)
        form->begin(d);
    return d;
}

void
begin_array(struct rendering *d)
{
    sink_char(d->out, '[');
}

void
next_of_array(struct rendering *d)
{
    sink_slice(d->out, d->any ? SLICE(",\n") : SLICE("\n"));
    d->any = true;
}

void
end_array(struct rendering *d)
{
    sink_slice(d->out, d->any ? SLICE("\n]\n") : SLICE("]\n"));
}

static void
write_each(struct rendering *d, const struct report *report)
{
    struct findings f;
    for (findings_start(&f, d, report); findings_next(&f);)
        d->form->finding(d, &f);
    findings_end(&f);
    if (d->form->unverified && (report->diags->equations.total || report->diags->types.total))
        d->form->unverified(d, report);
}

void
document_add(struct rendering *d, const struct report *report)
{
    const struct diags *ds = report->diags;
    u32 shown = ds->list.n < d->left ? ds->list.n : d->left;
    d->tally.errors += ds->errors;
    d->tally.warnings += ds->warnings;
    d->tally.notes += ds->total - ds->errors - ds->warnings;
    d->tally.omitted += ds->total - shown;
    d->unverified += ds->equations.total;
    d->unknown_types += ds->types.total;
    (d->form->report ? d->form->report : write_each)(d, report);
}

void
document_end(struct rendering *d)
{
    struct mem *m = d->mem;
    if (d->form->end)
        d->form->end(d);
    mem_free_all(m, d->prints.seen, d->prints.times, d->rules, d);
}

void
findings_start(struct findings *f, struct rendering *d, const struct report *report)
{
    *f = (struct findings){.document = d, .report = report};
    place_index_start(&f->place_index, d->mem, report->text);
}

bool
findings_next(struct findings *f)
{
    if (f->document->left == 0 || f->next_diag == f->report->diags->list.n)
        return false;
    f->document->left -= f->document->how.max_findings != 0;
    f->diag = &f->report->diags->list.at[f->next_diag++];
    f->placed = f->diag->at != NONE;
    f->place = f->placed ? place_index_find(&f->place_index, f->diag->at, f->diag->n) : (struct place){0};
    return true;
}

void
findings_end(struct findings *f)
{
    place_index_end(&f->place_index);
    if (f->other.text)
        place_index_end(&f->other);
}

const struct text *
findings_note_text(const struct findings *f, const struct diag_note *note)
{
    return note->text ? note->text : f->report->text;
}

bool
findings_note_place(struct findings *f, const struct diag_note *note, struct place *place)
{
    if (note->at == NONE)
        return false;
    if (note->text && f->other.text != note->text) {
        if (f->other.text)
            place_index_end(&f->other);
        place_index_start(&f->other, f->document->mem, note->text);
    }
    *place = place_index_find(note->text ? &f->other : &f->place_index, note->at, note->n);
    return true;
}
