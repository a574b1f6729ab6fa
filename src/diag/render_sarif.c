/* SPDX-License-Identifier: Apache-2.0
 *
 * For code scanning services: one SARIF 2.1.0 log (OASIS, 2020) with one run. Section numbers below are the
 * standard's. Columns are code points (3.14.17). The rules follow the results, because only then is it known which
 * rules have findings; the members of a JSON object have no order. Linear in what is printed. */
#include "diag/render.h"

#include "base/chars.h"

/* a file name as a URI reference (3.4.3): other bytes are percent-encoded */
static void
write_uri(struct sink *out, struct slice name)
{
    sink_slice(out, name.n && name.at[0] == '/' ? SLICE("\"file://") : SLICE("\""));
    for (size_t i = 0; i < name.n; i++) {
        char c = name.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '.' ||
                     c == '_' || c == '~' || c == '/';
        if (plain)
            sink_char(out, c);
        else
            sink_printf(out, "%%%02X", (unsigned)(u8)c);
    }
    sink_char(out, '"');
}

static void
write_physical_location(struct sink *out, struct slice name, const struct place *p)
{
    sink_slice(out, SLICE("\"physicalLocation\":{\"artifactLocation\":{\"uri\":"));
    write_uri(out, name);
    sink_char(out, '}');
    if (p)
        sink_printf(out, ",\"region\":{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}", p->line,
                    p->column, p->end_line, p->end_column);
    sink_char(out, '}');
}

/* the message, followed by the notes without a place */
static void
write_message(struct sink *out, struct mem *m, const struct findings *f)
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
write_related(struct sink *out, struct findings *f)
{
    const struct diags *ds = f->report->diags;
    u32 id = 0;
    for (u32 i = f->diag->notes; i != NONE; i = ds->notes.at[i].next) {
        const struct diag_note *note = &ds->notes.at[i];
        struct place p;
        if (!findings_note_place(f, note, &p))
            continue;
        sink_printf(out, "%s{\"id\":%u,", id ? "," : ",\"relatedLocations\":[", id);
        write_physical_location(out, findings_note_text(f, note)->name, &p);
        sink_slice(out, SLICE(",\"message\":{\"text\":"));
        sink_json_string(out, note->message);
        sink_slice(out, SLICE("}}"));
        id++;
    }
    if (id)
        sink_char(out, ']');
}

/* the index of a code's rule: rules are numbered in the order of their first finding */
static u32
rule_index(struct rendering *d, enum diag_code code)
{
    if (d->rules[code] == 0)
        d->rules[code] = ++d->n_rules;
    return d->rules[code] - 1;
}

static void
write_result(struct rendering *document, struct findings *f)
{
    struct sink *out = document->out;
    const struct diag *d = f->diag;
    next_of_array(document);
    sink_printf(out, "{\"ruleId\":\"%s\",\"ruleIndex\":%u,\"level\":\"%s\",", diag_info(d->code).code,
                rule_index(document, d->code), level_word(d->level));
    write_message(out, document->mem, f);
    sink_slice(out, SLICE(",\"locations\":[{"));
    write_physical_location(out, f->report->text->name, f->placed ? &f->place : NULL);
    sink_slice(out, SLICE("}]"));
    write_related(out, f);
    sink_slice(out, SLICE(",\"partialFingerprints\":{\"jaxprFinding/v1\":\""));
    write_fingerprint(f, (struct slice){0});
    sink_slice(out, SLICE("\"}"));
    if (d->program != NONE)
        sink_printf(out, ",\"properties\":{\"program\":%u}", d->program + f->report->first_program);
    sink_char(out, '}');
}

/* writes `key`: {"text":"..."} with all of a text, or with its first paragraph on one line */
static void
write_rule_text(struct sink *out, struct mem *m, const char *key, struct slice text, bool paragraph)
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

/* the rules with findings, in the order of their indices */
static void
write_rules(struct rendering *d)
{
    struct sink *out = d->out;
    struct mem *m = d->mem;
    enum diag_code *order = mem_alloc(m, (d->n_rules + 1) * sizeof *order);
    for (u32 i = 0; i < DIAG_COUNT; i++)
        if (d->rules[i])
            order[d->rules[i] - 1] = (enum diag_code)i;
    sink_slice(out, SLICE("\"rules\":["));
    for (u32 i = 0; i < d->n_rules; i++) {
        struct diag_info info = diag_info(order[i]);
        sink_printf(out, "%s\n{\"id\":\"%s\",\"name\":\"%s\"", i ? "," : "", info.code, info.name);
        write_rule_text(out, m, "shortDescription", slice_of(info.title), false);
        write_rule_text(out, m, "fullDescription", slice_of(info.explain), true);
        write_rule_text(out, m, "help", slice_of(info.explain), false);
        sink_printf(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}}", level_word(info.level));
    }
    sink_char(out, ']');
    mem_free(m, order);
}

static void
begin(struct rendering *d)
{
    d->rules = mem_zeroed(d->mem, DIAG_COUNT * sizeof *d->rules);
    sink_slice(
        d->out,
        SLICE(
            "{\"$schema\":\"https://json.schemastore.org/"
            "sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":["));
}

static void
end(struct rendering *d)
{
    sink_slice(d->out, SLICE("],"));
    if (d->unverified || d->unknown_types)
        sink_printf(d->out, "\"properties\":{\"equationsNotVerified\":%llu,\"typesUnknown\":%llu},",
                    (unsigned long long)d->unverified, (unsigned long long)d->unknown_types);
    sink_slice(d->out, SLICE("\"tool\":{\"driver\":{\"name\":\"jaxpr\","));
#ifdef JX_VERSION
    sink_slice(d->out, SLICE("\"semanticVersion\":\"" JX_VERSION "\","));
#endif
    write_rules(d);
    sink_slice(d->out, SLICE("}}}]}\n"));
}

const struct renderer render_sarif = {.begin = begin, .finding = write_result, .end = end};
