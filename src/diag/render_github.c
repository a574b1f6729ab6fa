/* SPDX-License-Identifier: Apache-2.0
 *
 * For GitHub's pull requests: a workflow command for each finding, which becomes an annotation of its line. The
 * runner reads a line as `::level key=value,key=value::message`, so what would end a line, a value or a command is
 * percent-encoded (the runner decodes %25, %0D, %0A, and in values %3A and %2C too). Linear. */
#include "diag/render.h"

#include <stdio.h>

/* appends a message or, with `property`, a value: what would end it is encoded, other control characters are shown
 * as text */
static void
write_data(struct sink *out, struct slice s, bool property)
{
    for (size_t i = 0; i < s.n;) {
        char c = s.at[i];
        if (c == '%' || c == '\n' || c == '\r' || (property && (c == ':' || c == ','))) {
            sink_printf(out, "%%%02X", (unsigned)(u8)c);
            i++;
            continue;
        }
        struct glyph g;
        i += glyph_read(&g, s, i);
        sink_write(out, g.at, g.n);
    }
}

static const char *
command_word(enum diag_level level)
{
    return level == LEVEL_NOTE ? "notice" : level_word(level);
}

/* annotations have columns only if they begin and end on one line */
static void
write_place(struct sink *out, const struct place *p)
{
    if (p->line != p->end_line)
        sink_printf(out, ",line=%u,endLine=%u", p->line, p->end_line);
    else
        sink_printf(out, ",line=%u,col=%u,endColumn=%u", p->line, p->column, p->end_column);
}

static void
write_notes(struct sink *out, struct findings *f)
{
    const struct diags *ds = f->report->diags;
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        struct place p;
        sink_slice(out, SLICE("%0A"));
        if (findings_note_place(f, &ds->notes.at[i], &p)) {
            if (ds->notes.at[i].text) {
                write_data(out, ds->notes.at[i].text->name, false);
                sink_char(out, ':');
            }
            sink_printf(out, "%u:%u: ", p.line, p.column);
        }
        sink_slice(out, SLICE("note: "));
        write_data(out, ds->notes.at[i].message, false);
    }
}

static void
write_finding(struct rendering *document, struct findings *f)
{
    struct sink *out = document->out;
    const struct diag *d = f->diag;
    sink_printf(out, "::%s file=", command_word(d->level));
    write_data(out, f->report->text->name, true);
    if (f->placed)
        write_place(out, &f->place);
    sink_printf(out, ",title=%s %s::", diag_info(d->code).code, diag_info(d->code).name);
    write_data(out, d->message, false);
    write_notes(out, f);
    sink_char(out, '\n');
}

static void
end(struct rendering *d)
{
    if (d->tally.omitted)
        sink_printf(d->out, "::notice::%llu findings not shown\n", (unsigned long long)d->tally.omitted);
}

const struct renderer render_github = {.finding = write_finding, .end = end};
