/* SPDX-License-Identifier: Apache-2.0
 *
 * For code scanning services: one SARIF 2.1.0 log (OASIS, 2020) with one run. Section numbers below are the
 * standard's. Columns are code points (3.14.17). A result's fingerprint is made of its code and the text around it, not
 * of its line number, so that it survives edits elsewhere in the file. Linear in what is printed. */
#include "diag/render.h"

#include "base/names.h"

/* text on either side of a finding that its fingerprint looks at */
enum { AROUND = 64 };

/* part of every fingerprint: with it changes the key, `jaxprFinding/v1` */
static const u64 fingerprint_seed = 0x6a61787072763031u;

/* The fingerprints met in one report and how often, so that equal ones can be told apart. */
struct fingerprints {
    u64 *seen;
    u32 *times;
    u32 mask;
};

static void
fingerprints_start(struct fingerprints *f, struct mem *m, u32 n)
{
    u32 size = 16;
    while (size / 2 < n && size < 1u << 31)
        size *= 2;
    f->mask = size - 1;
    f->seen = mem_alloc(m, size * sizeof *f->seen);
    f->times = mem_alloc(m, size * sizeof *f->times);
    memset(f->times, 0, size * sizeof *f->times);
}

static void
fingerprints_end(struct fingerprints *f, struct mem *m)
{
    mem_free(m, f->seen);
    mem_free(m, f->times);
    *f = (struct fingerprints){0};
}

/* how often the fingerprint was met before */
static u32
fingerprints_count(struct fingerprints *f, u64 print)
{
    u32 at = (u32)(print >> 32) & f->mask;
    while (f->times[at] && f->seen[at] != print)
        at = (at + 1) & f->mask;
    f->seen[at] = print;
    return f->times[at]++;
}

static u64
fingerprint(const struct findings *f)
{
    const struct diag *d = f->diag;
    const struct text *t = f->report->text;
    u64 print = hash_bytes(fingerprint_seed, diag_info(d->code).code, strlen(diag_info(d->code).code));
    if (!f->placed)
        return print;
    u32 from = f->place.line_start, to = f->place.line_end, at = d->at < to ? d->at : to;
    from = at - from > AROUND ? at - AROUND : from;
    to = to - at > AROUND ? at + AROUND : to;
    while (from < to && (t->at[from] == ' ' || t->at[from] == '\t'))
        from++;
    print = hash_bytes(print, t->at + from, to - from);
    return hash_bytes(print, t->at + at, at < to && d->n < to - at ? d->n : to - at);
}

/* a file name as a URI reference (3.4.3): bytes that may not stand in one are percent-encoded */
static void
put_uri(struct sink *out, struct slice name)
{
    sink_slice(out, name.n && name.at[0] == '/' ? SLICE("\"file://") : SLICE("\""));
    for (size_t i = 0; i < name.n; i++) {
        char c = name.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                     c == '.' || c == '_' || c == '~' || c == '/';
        if (plain)
            sink_char(out, c);
        else
            sink_printf(out, "%%%02X", (unsigned)(u8)c);
    }
    sink_char(out, '"');
}

static void
put_physical_location(struct sink *out, struct slice name, const struct place *p)
{
    sink_slice(out, SLICE("\"physicalLocation\":{\"artifactLocation\":{\"uri\":"));
    put_uri(out, name);
    sink_char(out, '}');
    if (p)
        sink_printf(out, ",\"region\":{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}", p->line,
                    p->column, p->end_line, p->end_column);
    sink_char(out, '}');
}

/* the message, and the notes that have no place of their own behind it */
static void
put_message(struct sink *out, struct mem *m, const struct findings *f)
{
    const struct diags *ds = f->report->diags;
    struct sink text;
    sink_init_memory(&text, m);
    sink_slice(&text, f->diag->message);
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        if (ds->notes.at[i].at != NONE)
            continue;
        sink_slice(&text, SLICE("\nnote: "));
        sink_slice(&text, ds->notes.at[i].message);
    }
    sink_slice(out, SLICE("\"message\":{\"text\":"));
    sink_json_string(out, (struct slice){text.at, text.n});
    sink_char(out, '}');
    mem_free(m, text.at);
}

static void
put_related(struct sink *out, struct findings *f)
{
    const struct diags *ds = f->report->diags;
    u32 id = 0;
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        const struct diag_note *note = &ds->notes.at[i];
        struct place p;
        if (!findings_note_place(f, note, &p))
            continue;
        sink_printf(out, "%s{\"id\":%u,", id ? "," : ",\"relatedLocations\":[", id);
        put_physical_location(out, findings_note_text(f, note)->name, &p);
        sink_slice(out, SLICE(",\"message\":{\"text\":"));
        sink_json_string(out, note->message);
        sink_slice(out, SLICE("}}"));
        id++;
    }
    if (id)
        sink_char(out, ']');
}

static void
put_result(struct sink *out, struct mem *m, struct findings *f, u32 rule, struct fingerprints *prints)
{
    const struct diag *d = f->diag;
    u64 print = fingerprint(f);
    sink_printf(out, "\n{\"ruleId\":\"%s\",\"ruleIndex\":%u,\"level\":\"%s\",", diag_info(d->code).code, rule,
                level_word(d->level));
    put_message(out, m, f);
    sink_slice(out, SLICE(",\"locations\":[{"));
    put_physical_location(out, f->report->text->name, f->placed ? &f->place : NULL);
    sink_slice(out, SLICE("}]"));
    put_related(out, f);
    sink_printf(out, ",\"partialFingerprints\":{\"jaxprFinding/v1\":\"%016llx:%u\"}", (unsigned long long)print,
                fingerprints_count(prints, print) + 1);
    if (d->program != NONE)
        sink_printf(out, ",\"properties\":{\"program\":%u}", d->program);
    sink_char(out, '}');
}

/* {"text":"..."} of the first paragraph, as one line, or of all */
static void
put_rule_text(struct sink *out, struct mem *m, const char *key, struct slice text, bool paragraph)
{
    struct slice shown = text;
    if (paragraph) {
        shown = arena_copy(m, text);
        char *p = (char *)shown.at;
        size_t i = 0;
        for (; i < text.n && !(p[i] == '\n' && (i + 1 == text.n || p[i + 1] == '\n')); i++)
            if (p[i] == '\n')
                p[i] = ' ';
        shown.n = i;
    }
    sink_printf(out, ",\"%s\":{\"text\":", key);
    sink_json_string(out, shown);
    sink_char(out, '}');
}

/* the rules that the findings name, in the order of their codes; rules[code] becomes the rule's index, or NONE */
static void
put_rules(struct sink *out, struct mem *m, const struct report *reports, u32 n, u64 most, u32 *rules)
{
    for (u32 i = 0; i < DIAG_COUNT; i++)
        rules[i] = NONE;
    for (u32 i = 0; i < n; i++)
        for (u32 k = 0; k < reports[i].diags->list.n && most; k++, most--)
            rules[reports[i].diags->list.at[k].code] = 0;
    sink_slice(out, SLICE("\"rules\":["));
    u32 count = 0;
    for (u32 i = 0; i < DIAG_COUNT; i++) {
        if (rules[i] == NONE)
            continue;
        struct diag_info info = diag_info((enum diag_code)i);
        rules[i] = count++;
        sink_printf(out, "%s\n{\"id\":\"%s\",\"name\":\"%s\"", rules[i] ? "," : "", info.code, info.name);
        put_rule_text(out, m, "shortDescription", slice_of(info.title), false);
        put_rule_text(out, m, "fullDescription", slice_of(info.explain), true);
        put_rule_text(out, m, "help", slice_of(info.explain), false);
        sink_printf(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}}", level_word(info.level));
    }
    sink_char(out, ']');
}

void
render_sarif(struct sink *out, struct mem *m, const struct report *reports, u32 n, const struct render *how)
{
    u32 rules[DIAG_COUNT];
    sink_slice(out, SLICE("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{"
                          "\"tool\":{\"driver\":{\"name\":\"jaxpr\","));
#ifdef JX_VERSION
    sink_slice(out, SLICE("\"semanticVersion\":\"" JX_VERSION "\","));
#endif
    put_rules(out, m, reports, n, how->max_findings ? how->max_findings : UINT64_MAX, rules);
    sink_slice(out, SLICE("}},\"columnKind\":\"unicodeCodePoints\",\"results\":["));
    struct fingerprints prints = {0};
    const struct report *of = NULL;
    const char *between = "";
    struct findings f;
    for (findings_start(&f, m, reports, n, how); findings_next(&f); between = ",") {
        if (f.report != of) {
            fingerprints_end(&prints, m);
            fingerprints_start(&prints, m, f.report->diags->list.n);
            of = f.report;
        }
        sink_slice(out, slice_of(between));
        put_result(out, m, &f, rules[f.diag->code], &prints);
    }
    findings_end(&f);
    fingerprints_end(&prints, m);
    sink_slice(out, SLICE("]}]}\n"));
}
