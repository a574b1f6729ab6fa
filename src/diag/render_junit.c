/* SPDX-License-Identifier: Apache-2.0
 *
 * For tools that show test results: JUnit's XML, as Jenkins and GitLab read it. An input is a suite. A program is a
 * case, with its findings as text, which fails if they make the exit status 1; findings about the whole input are a
 * case of their own. So a correct program is a test that passes, with the same name in every run. Linear. */
#include "diag/render.h"

/* appends text as XML character data or an attribute value. XML cannot represent control characters: they are shown as
 * in text output */
static void
write_xml(struct sink *out, struct slice s)
{
    for (size_t i = 0; i < s.n;) {
        char c = s.at[i];
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\n') {
            sink_slice(out, c == '&'   ? SLICE("&amp;")
                            : c == '<' ? SLICE("&lt;")
                            : c == '>' ? SLICE("&gt;")
                            : c == '"' ? SLICE("&quot;")
                                       : SLICE("&#10;"));
            i++;
            continue;
        }
        struct glyph g;
        i += glyph_read(&g, s, i);
        sink_write(out, g.at, g.n);
    }
}

/* the case of a finding: 0 is that of the whole input, n + 1 that of program n */
static u32
test_of(const struct diag *d, u32 programs)
{
    return d->program < programs ? d->program + 1 : 0;
}

static void
write_line(struct sink *out, struct slice name, const struct place *p, enum diag_level level, struct slice message)
{
    write_xml(out, name);
    if (p)
        sink_printf(out, ":%u:%u", p->line, p->column);
    sink_printf(out, ": %s: ", level_word(level));
    write_xml(out, message);
}

static void
write_finding(struct sink *out, struct findings *f)
{
    const struct diags *ds = f->report->diags;
    struct slice name = f->report->text->name;
    write_line(out, name, f->placed ? &f->place : NULL, f->diag->level, f->diag->message);
    sink_printf(out, " [%s %s]\n", diag_info(f->diag->code).code, diag_info(f->diag->code).name);
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        const struct diag_note *note = &ds->notes.at[i];
        struct place p;
        bool placed = findings_note_place(f, note, &p);
        write_line(out, findings_note_text(f, note)->name,
                   placed      ? &p
                   : f->placed ? &f->place
                               : NULL,
                   LEVEL_NOTE, note->message);
        sink_char(out, '\n');
    }
}

/* begins a case and, if it has findings, the element that contains them: <failure> with the message of the first
 * failure, or <system-out> */
static void
open_test(struct sink *out, const struct report *report, u32 test, const struct diag *failure, bool findings)
{
    sink_slice(out, SLICE("<testcase classname=\""));
    write_xml(out, report->text->name);
    if (test)
        sink_printf(out, "\" name=\"program %u\"", test + report->first_program);
    else
        sink_slice(out, SLICE("\" name=\"text\""));
    if (failure) {
        sink_printf(out, ">\n<failure type=\"%s\" message=\"", diag_info(failure->code).code);
        write_xml(out, failure->message);
        sink_slice(out, SLICE("\">"));
    } else {
        sink_slice(out, findings ? SLICE(">\n<system-out>") : SLICE("/>\n"));
    }
}

/* the findings of a report sorted by case: order[start[t] .. start[t + 1]) are those of case t */
static void
sort_by_test(struct mem *m, const struct diags *ds, u32 programs, u32 **start, u32 **order)
{
    u32 *at = mem_zeroed(m, (programs + 3) * sizeof *at);
    for (u32 i = 0; i < ds->list.n; i++)
        at[test_of(&ds->list.at[i], programs) + 2]++;
    for (u32 t = 1; t < programs + 3; t++)
        at[t] += at[t - 1];
    *order = mem_alloc(m, (ds->list.n + 1) * sizeof **order);
    for (u32 i = 0; i < ds->list.n; i++)
        (*order)[at[test_of(&ds->list.at[i], programs) + 1]++] = i;
    *start = at;
}

/* the first of n findings that fails a test, or NULL: an error or, with rules_fail, a finding of a rule or contract */
static const struct diag *
first_failure(const struct rendering *d, const struct diags *ds, const u32 *order, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const struct diag *found = &ds->list.at[order[i]];
        bool judged = strchr("STD", diag_info(found->code).code[0]) != NULL;
        if (found->level == LEVEL_ERROR || (d->how.rules_fail && !judged))
            return found;
    }
    return NULL;
}

static void
write_test(struct rendering *d, const struct report *report, u32 test, const u32 *order, u32 n)
{
    const struct diags *ds = report->diags;
    const struct diag *failure = first_failure(d, ds, order, n);
    open_test(d->out, report, test, failure, n > 0);
    if (n == 0)
        return;
    struct findings f;
    findings_start(&f, d, report);
    for (u32 i = 0; i < n; i++) {
        f.next_diag = order[i];
        if (findings_next(&f))
            write_finding(d->out, &f);
    }
    findings_end(&f);
    sink_slice(d->out, failure ? SLICE("</failure>\n</testcase>\n") : SLICE("</system-out>\n</testcase>\n"));
}

static void
begin(struct rendering *d)
{
    sink_slice(d->out, SLICE("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jaxpr\">\n"));
}

static void
report(struct rendering *d, const struct report *report)
{
    const struct diags *ds = report->diags;
    u32 *start, *order, failures = 0, programs = report->programs;
    sort_by_test(d->mem, ds, programs, &start, &order);
    bool whole = start[1] > 0 || programs == 0;
    for (u32 t = 0; t <= programs; t++)
        failures += first_failure(d, ds, order + start[t], start[t + 1] - start[t]) != NULL;
    sink_slice(d->out, SLICE("<testsuite name=\""));
    write_xml(d->out, report->text->name);
    sink_printf(d->out, "\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"0\">\n", programs + whole, failures);
    if (ds->equations.total || ds->types.total)
        sink_printf(d->out,
                    "<properties>\n<property name=\"equationsNotVerified\" value=\"%u\"/>\n"
                    "<property name=\"typesUnknown\" value=\"%u\"/>\n</properties>\n",
                    ds->equations.total, ds->types.total);
    for (u32 t = !whole; t <= programs; t++)
        write_test(d, report, t, order + start[t], start[t + 1] - start[t]);
    sink_slice(d->out, SLICE("</testsuite>\n"));
    mem_free(d->mem, start);
    mem_free(d->mem, order);
}

static void
end(struct rendering *d)
{
    sink_slice(d->out, SLICE("</testsuites>\n"));
}

const struct renderer render_junit = {.begin = begin, .report = report, .end = end};
