/* SPDX-License-Identifier: Apache-2.0
 *
 * For GitLab's merge requests: the code quality report, a JSON array with an object for each finding. GitLab
 * compares the fingerprints of two reports, so a fingerprint must be unique in its report: the file's name is part
 * of it. The words of severity are those of Code Climate's issues. Linear in what is printed. */
#include "diag/render.h"

static const char *
severity(enum diag_level level)
{
    return level == LEVEL_ERROR ? "major" : level == LEVEL_WARNING ? "minor" : "info";
}

/* the message and its notes, since GitLab shows nothing else */
static void
write_description(struct findings *f)
{
    const struct diags *ds = f->report->diags;
    struct sink text;
    sink_init_memory(&text, f->document->mem);
    sink_slice(&text, f->diag->message);
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        struct place p;
        sink_slice(&text, SLICE("; "));
        sink_slice(&text, ds->notes.at[i].message);
        if (findings_note_place(f, &ds->notes.at[i], &p))
            sink_printf(&text, " (line %u)", p.line);
    }
    sink_json_string(f->document->out, sink_take(&text));
    mem_free(f->document->mem, text.at);
}

static void
write_finding(struct rendering *document, struct findings *f)
{
    struct sink *out = document->out;
    const struct diag *d = f->diag;
    struct slice name = f->report->text->name;
    next_of_array(document);
    sink_slice(out, SLICE("{\"description\":"));
    write_description(f);
    sink_printf(out, ",\"check_name\":\"%s %s\",\"fingerprint\":\"", diag_info(d->code).code, diag_info(d->code).name);
    write_fingerprint(f, name);
    sink_printf(out, "\",\"severity\":\"%s\",\"location\":{\"path\":", severity(d->level));
    /* paths are relative to the repository and do not begin with `./` */
    while (name.n > 2 && name.at[0] == '.' && name.at[1] == '/')
        name = (struct slice){name.at + 2, name.n - 2};
    sink_json_string(out, name);
    if (f->placed)
        sink_printf(out, ",\"lines\":{\"begin\":%u,\"end\":%u}}}", f->place.line, f->place.end_line);
    else
        sink_slice(out, SLICE(",\"lines\":{\"begin\":1}}}"));
}

const struct renderer render_gitlab = {.begin = begin_array, .finding = write_finding, .end = end_array};
