/* SPDX-License-Identifier: Apache-2.0
 *
 * For programs: one JSON array over all inputs, with an object on a line for each finding, and one for each input with
 * equations or types that are not verified; or, to be read as a stream, only these lines. Field names are stable.
 * Linear in what is printed. */
#include "diag/render.h"

/* `"line":1,"column":2,"end_line":1,"end_column":3`; nulls if p is NULL */
static void
write_place(struct sink *out, const struct place *p)
{
    if (p)
        sink_printf(out, "\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u", p->line, p->column, p->end_line,
                    p->end_column);
    else
        sink_slice(out, SLICE("\"line\":null,\"column\":null,\"end_line\":null,\"end_column\":null"));
}

static void
write_notes(struct sink *out, struct findings *f)
{
    const struct diags *ds = f->report->diags;
    sink_slice(out, SLICE(",\"notes\":["));
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        const struct diag_note *note = &ds->notes.at[i];
        struct place p;
        sink_slice(out, i == f->diag->notes ? SLICE("{") : SLICE(",{"));
        write_place(out, findings_note_place(f, note, &p) ? &p : NULL);
        if (note->text) {
            sink_slice(out, SLICE(",\"file\":"));
            sink_json_string(out, note->text->name);
        }
        sink_slice(out, SLICE(",\"message\":"));
        sink_json_string(out, note->message);
        sink_char(out, '}');
    }
    sink_char(out, ']');
}

static void
write_finding(struct sink *out, struct findings *f)
{
    const struct diag *d = f->diag;
    sink_slice(out, SLICE("{\"file\":"));
    sink_json_string(out, f->report->text->name);
    sink_char(out, ',');
    write_place(out, f->placed ? &f->place : NULL);
    sink_printf(out, ",\"code\":\"%s\",\"name\":\"%s\",\"level\":\"%s\",\"message\":", diag_info(d->code).code,
                diag_info(d->code).name, level_word(d->level));
    sink_json_string(out, d->message);
    if (d->program == NONE)
        sink_slice(out, SLICE(",\"program\":null"));
    else
        sink_printf(out, ",\"program\":%u", d->program + f->report->first_program);
    write_notes(out, f);
    sink_char(out, '}');
}

static void
write_names(struct sink *out, const struct unverified *of)
{
    for (u32 i = 0; i < of->n; i++) {
        sink_char(out, i == 0 ? '[' : ',');
        sink_json_string(out, of->names[i]);
    }
    sink_slice(out, of->n ? SLICE("]") : SLICE("[]"));
}

/* the summary of an input with equations or types that are not verified: the fields of a finding without a code and a
 * place, the number of such equations and the names of their primitives, and the number and the names of the types */
static void
write_unverified(struct sink *out, const struct report *report)
{
    const struct diags *ds = report->diags;
    sink_slice(out, SLICE("{\"file\":"));
    sink_json_string(out, report->text->name);
    sink_char(out, ',');
    write_place(out, NULL);
    sink_printf(out,
                ",\"code\":\"\",\"name\":\"equations-not-verified\",\"level\":\"note\","
                "\"message\":\"%u equation%s not verified",
                ds->equations.total, ds->equations.total == 1 ? "" : "s");
    if (ds->types.total)
        sink_printf(out, ", %u type%s unknown", ds->types.total, ds->types.total == 1 ? "" : "s");
    sink_slice(out, SLICE("\",\"program\":null,\"notes\":[],\"primitives\":"));
    write_names(out, &ds->equations);
    sink_printf(out, ",\"equations_not_verified\":%u,\"types\":", ds->equations.total);
    write_names(out, &ds->types);
    sink_printf(out, ",\"types_unknown\":%u}", ds->types.total);
}

static void
write_element(struct rendering *d, struct findings *f)
{
    next_of_array(d);
    write_finding(d->out, f);
}

static void
write_last_element(struct rendering *d, const struct report *report)
{
    next_of_array(d);
    write_unverified(d->out, report);
}

const struct renderer render_json = {
    .begin = begin_array, .finding = write_element, .unverified = write_last_element, .end = end_array};

static void
write_object_line(struct rendering *d, struct findings *f)
{
    write_finding(d->out, f);
    sink_char(d->out, '\n');
}

static void
write_last_line(struct rendering *d, const struct report *report)
{
    write_unverified(d->out, report);
    sink_char(d->out, '\n');
}

const struct renderer render_jsonl = {.finding = write_object_line, .unverified = write_last_line};
