/* SPDX-License-Identifier: Apache-2.0
 *
 * What the renderers share. Places are O(log lines) plus at most a KiB of counting; showing text is linear. */
#include "diag/render.h"

#include "base/utf8.h"

#include <stdio.h>

enum { MARK_BYTES = 1024, LONG_LINE = 4 * MARK_BYTES };

void
ruler_start(struct ruler *r, struct mem *m, struct text *t)
{
    *r = (struct ruler){.mem = m, .text = t};
}

void
ruler_end(struct ruler *r)
{
    vec_free(r->mem, &r->marks);
}

/* code points that begin in text[from .. to) */
static u32
count_points(const struct text *t, u32 from, u32 to)
{
    u32 count = 0;
    for (u32 i = from; i < to; i++)
        count += ((u8)t->at[i] & 0xC0) != 0x80;
    return count;
}

static void
set_marks(struct ruler *r)
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
points_before(const struct ruler *r, u32 offset)
{
    u32 mark = offset / MARK_BYTES;
    if (mark >= r->marks.n)
        mark = r->marks.n - 1;
    return r->marks.at[mark] + count_points(r->text, mark * MARK_BYTES, offset);
}

/* the index of the line that holds the offset */
static u32
find_line(const struct text *t, u32 offset)
{
    u32 lo = 0, hi = t->lines.n;
    while (hi - lo > 1) {
        u32 mid = lo + (hi - lo) / 2;
        if (t->lines.at[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static u32
find_column(struct ruler *r, u32 line_start, u32 offset)
{
    if (offset - line_start <= LONG_LINE)
        return count_points(r->text, line_start, offset) + 1;
    if (r->marks.n == 0)
        set_marks(r);
    return points_before(r, offset) - points_before(r, line_start) + 1;
}

struct place
ruler_place(struct ruler *r, u32 at, u32 n)
{
    struct text *t = r->text;
    if (t->lines.n == 0)
        text_position(r->mem, t, 0); /* indexes the lines */
    if (at > t->n)
        at = t->n;
    u32 end = n > t->n - at ? t->n : at + n;
    u32 first = find_line(t, at), last = first;
    if (first + 1 < t->lines.n && end >= t->lines.at[first + 1])
        last = find_line(t, end);
    struct place p = {.line = first + 1, .end_line = last + 1, .line_start = t->lines.at[first]};
    p.line_end = first + 1 < t->lines.n ? t->lines.at[first + 1] - 1 : t->n;
    if (p.line_end > p.line_start && t->at[p.line_end - 1] == '\r')
        p.line_end--;
    p.column = find_column(r, p.line_start, at);
    p.end_column = find_column(r, t->lines.at[last], end);
    return p;
}

/* controls, and characters that reorder or hide the text around them */
static bool
must_escape(u32 code)
{
    if (code < 0x7f)
        return code < 0x20;
    if (code < 0xA0)
        return true;
    return code == 0x061C || code == 0x200B || (code >= 0x200E && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

size_t
glyph_read(struct glyph *g, const char *p, size_t n)
{
    u32 code = 0;
    size_t length = utf8_decode(p, n, &code);
    if (length && !must_escape(code)) {
        g->at = p;
        g->n = (u8)length;
        g->cells = (u8)utf8_cells(code);
        g->escaped = false;
        return length;
    }
    int wrote;
    if (length && (code == '\n' || code == '\r' || code == '\t'))
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\%c", code == '\n' ? 'n' : code == '\r' ? 'r' : 't');
    else if (length == 1 || length == 0)
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\x%02x", (unsigned)(u8)*p);
    else
        wrote = snprintf(g->buffer, sizeof g->buffer, "\\u{%x}", code);
    g->at = g->buffer;
    g->n = g->cells = (u8)wrote;
    g->escaped = true;
    return length ? length : 1;
}

void
put_visible(struct sink *out, struct slice text)
{
    struct glyph g;
    for (size_t i = 0; i < text.n; ) {
        size_t run = i;
        while (run < text.n && (u8)text.at[run] >= 0x20 && (u8)text.at[run] < 0x7f)
            run++;
        sink_put(out, text.at + i, run - i);
        i = run;
        if (i < text.n) {
            i += glyph_read(&g, text.at + i, text.n - i);
            sink_put(out, g.at, g.n);
        }
    }
}

const char *
level_word(enum diag_level level)
{
    return level == LEVEL_ERROR ? "error" : level == LEVEL_WARNING ? "warning" : "note";
}

void
findings_start(struct findings *f, struct mem *m, const struct report *reports, u32 n, const struct render *how)
{
    *f = (struct findings){.reports = reports, .n_reports = n, .mem = m};
    f->left = how->max_findings ? how->max_findings : NONE;
}

/* goes to the next report that has findings; false where there is none */
static bool
next_report(struct findings *f)
{
    while (f->next_report < f->n_reports) {
        const struct report *r = &f->reports[f->next_report++];
        if (r->diags->list.n == 0)
            continue;
        if (f->report)
            ruler_end(&f->ruler);
        ruler_start(&f->ruler, f->mem, r->text);
        f->report = r;
        f->next_diag = 0;
        return true;
    }
    return false;
}

bool
findings_next(struct findings *f)
{
    if (f->left == 0)
        return false;
    if ((!f->report || f->next_diag == f->report->diags->list.n) && !next_report(f))
        return false;
    f->left--;
    f->diag = &f->report->diags->list.at[f->next_diag++];
    f->placed = f->diag->at != NONE;
    f->place = f->placed ? ruler_place(&f->ruler, f->diag->at, f->diag->n) : (struct place){0};
    return true;
}

void
findings_end(struct findings *f)
{
    if (f->report)
        ruler_end(&f->ruler);
    if (f->other.text)
        ruler_end(&f->other);
    f->report = NULL;
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
            ruler_end(&f->other);
        ruler_start(&f->other, f->mem, note->text);
    }
    *place = ruler_place(note->text ? &f->other : &f->ruler, note->at, note->n);
    return true;
}

struct tally
findings_tally(const struct report *reports, u32 n, const struct render *how)
{
    struct tally t = {0};
    u64 kept = 0, total = 0;
    for (u32 i = 0; i < n; i++) {
        const struct diags *ds = reports[i].diags;
        t.errors += ds->errors;
        t.warnings += ds->warnings;
        total += ds->total;
        kept += ds->list.n;
    }
    if (how->max_findings && kept > how->max_findings)
        kept = how->max_findings;
    t.notes = total - t.errors - t.warnings;
    t.omitted = total - kept;
    return t;
}
