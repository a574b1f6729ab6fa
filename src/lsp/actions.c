/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/codeAction: fixes of one finding or of all findings of its rule, comments that ignore a finding, repairs
 * of errors, programs rewritten by passes, and a program extracted to a file. Fixes are computed on a copy of the
 * module, only for findings in the requested range. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct action_list {
    struct request *request;
    size_t from, to; /* the range, in bytes */
    uint32_t written;
};

static void
begin_action(struct action_list *a, const char *title, const char *kind)
{
    struct output *o = &a->request->out;
    output_puts(o, a->written++ > 0 ? ",{\"title\":" : "{\"title\":");
    output_json(o, title, strlen(title));
    output_printf(o, ",\"kind\":\"%s\"", kind);
}

/* writes a disabled action with its reason, for clients with disabledSupport */
static void
write_disabled_action(struct action_list *a, const char *title, const char *kind, const char *why)
{
    if (!a->request->server->disabled)
        return;
    begin_action(a, title, kind);
    output_puts(&a->request->out, ",\"disabled\":{\"reason\":");
    output_json(&a->request->out, why, strlen(why));
    output_puts(&a->request->out, "}}");
}

/* writes an action with a WorkspaceEdit, or a disabled one if a part was rejected; nothing if nothing changes */
static void
write_edits_action(struct action_list *a, const char *title, const char *kind, const struct edits *edits)
{
    if (edits->written == 0 && edits->why != NULL)
        write_disabled_action(a, title, kind, edits->why);
    if (edits->written == 0)
        return;
    begin_action(a, title, kind);
    output_puts(&a->request->out, ",\"edit\":");
    output_write(&a->request->out, edits->out->at, edits->out->n);
    output_puts(&a->request->out, "}");
}

/* writes a quick fix that replaces the text of a part (NULL: of the document); nothing if nothing changes */
static void
write_text_fix(struct action_list *a, const char *title, const struct part *part, const struct output *text)
{
    struct output edit = {.fd = -1};
    struct edits e;
    edits_begin(&e, &edit, a->request->document);
    edits_add(&e, part, output_string(text));
    edits_end(&e);
    write_edits_action(a, title, "quickfix", &e);
    output_free(&edit);
}

static void
write_command_action(struct action_list *a, const char *title, const char *kind, const char *command,
                     const char *argument)
{
    struct output *o = &a->request->out;
    struct document *d = a->request->document;
    begin_action(a, title, kind);
    output_puts(o, ",\"command\":{\"title\":");
    output_json(o, title, strlen(title));
    output_printf(o, ",\"command\":\"%s\",\"arguments\":[", command);
    output_json(o, d->uri, strlen(d->uri));
    output_printf(o, ",%s]}}", argument);
}

/* ---- rules ---- */

/* finds the rule of a code; false if the code belongs to another finding */
static bool
rule_of(const char *code, struct jx_rule *rule)
{
    for (uint32_t i = 0; jx_rule_at(i, rule); i++)
        if (strcmp(rule->code.code, code) == 0)
            return true;
    return false;
}

/* the number of findings of a rule in a part; 0 if the rules have not been run on it */
static size_t
count_in(const struct part *p, const char *code)
{
    struct jx_diagnostic found;
    size_t n = 0;
    for (uint32_t i = 0; jx_diagnostic_at(p->module, i, &found); i++)
        n += strcmp(found.code.code, code) == 0;
    return n;
}

static size_t
count_findings(const struct document *d, const char *code)
{
    size_t n = 0;
    for (size_t part = 0; part < d->n_parts; part++)
        n += count_in(&d->parts[part], code);
    return n;
}

/* writes the text of a part (NULL: of the document) with the finding `only` of a rule fixed, or all of its findings
 * if `only` is NULL; false if there is no fix */
static bool
fix_findings(struct document *d, const struct part *p, const char *code, const char *only, struct output *out)
{
    struct jx_string text = jx_document_text(d->text);
    struct jx_lint_options how = {.size = sizeof how, .select = code, .fixes = true, .only = only};
    how.extracted = d->kind != DOCUMENT_JAXPR;
    jx_module *module = NULL;
    jx_lint_result *result = NULL;
    how.config = settings_config(d, &how.config_path);
    enum jx_status read = p != NULL ? jx_document_part_copy(d->text, (uint32_t)(p - d->parts), &module)
                                    : jx_read(d->context, "", text.at, text.n, &module);
    bool fine = read == JX_OK && jx_lint(module, &how, &result) == JX_OK && jx_lint_fixes(result) > 0 &&
                jx_write_fixed(result, output_write, out) == JX_OK;
    jx_lint_free(result);
    jx_module_free(module);
    return fine;
}

/* writes an action that fixes all findings of a rule in a document; in other text, only in programs that can be
 * replaced */
static void
write_all_fixes(struct action_list *a, const char *title, const char *code)
{
    struct document *d = a->request->document;
    struct output edit = {.fd = -1};
    struct edits e;
    bool found = d->kind != DOCUMENT_JAXPR;
    edits_begin(&e, &edit, d);
    for (size_t i = 0; i < (found ? d->n_parts : 1); i++) {
        struct output text = {.fd = -1};
        const struct part *part = found ? &d->parts[i] : NULL;
        if ((!found || count_in(part, code) > 0) && fix_findings(d, part, code, NULL, &text))
            edits_add(&e, part, output_string(&text));
        output_free(&text);
    }
    edits_end(&e);
    write_edits_action(a, title, "quickfix", &e);
    output_free(&edit);
}

static void
write_rule_fixes(struct action_list *a, struct part *p, const struct jx_diagnostic *found, const struct jx_rule *rule)
{
    struct document *d = a->request->document;
    const char *code = rule->code.code;
    struct output one = {.fd = -1};
    char title[200], only[64];
    snprintf(only, sizeof only, "%s@%" PRIu32 ":%" PRIu32, code, found->place.line, found->place.column);
    snprintf(title, sizeof title, "Fix this finding of %s %s", code, rule->code.name);
    if (fix_findings(d, p, code, only, &one))
        write_text_fix(a, title, p, &one);
    snprintf(title, sizeof title, "Fix all findings of %s %s", code, rule->code.name);
    if (count_findings(d, code) > 1)
        write_all_fixes(a, title, code);
    output_free(&one);
}

/* the offset in the line that contains `at` at which to insert the code of an ignored finding: in its `ignore[..]`
 * (*more becomes true), else before its last comment, which is the source of the equation, else at its end */
static size_t
ignore_place(struct jx_string text, size_t at, bool *more)
{
    static const char mark[] = "jaxpr: ignore[";
    size_t end = at;
    while (at > 0 && text.at[at - 1] != '\n')
        at--;
    while (end < text.n && text.at[end] != '\n' && text.at[end] != '\r')
        end++;
    const char *list = memmem(text.at + at, end - at, mark, sizeof mark - 1), *comment = text.at + end;
    for (const char *p = text.at + at; (p = memmem(p, (size_t)(text.at + end - p), " # ", 3)) != NULL; p++)
        comment = p;
    *more = list != NULL;
    return (size_t)((list != NULL ? list + sizeof mark - 1 : comment) - text.at);
}

/* writes an action that adds an `ignore[..]` comment to the line of a finding, or its rule to an existing one */
static void
write_ignore(struct action_list *a, const struct part *p, const struct jx_diagnostic *found)
{
    struct document *d = a->request->document;
    bool programs = d->kind == DOCUMENT_JAXPR, more;
    struct jx_string text = programs ? part_text(d, p) : jx_module_text(p->module);
    size_t at = programs ? position_offset(d, place_position(d, found->place.line, 1)) - p->is.from
                         : jx_offset_at(p->module, found->place.line, found->place.column);
    struct output now = {.fd = -1};
    char title[100];
    if (at >= text.n)
        return;
    at = ignore_place(text, at, &more);
    output_write(&now, text.at, at);
    output_printf(&now, more ? "%s," : " # jaxpr: ignore[%s]", found->code.code);
    output_write(&now, text.at + at, text.n - at);
    snprintf(title, sizeof title, "Ignore this finding of %s %s", found->code.code, found->code.name);
    write_text_fix(a, title, p, &now);
    output_free(&now);
}

/* ---- errors ---- */

/* writes the text of a part with its errors repaired where possible; returns the number of changed programs */
static uint32_t
repair(const struct part *p, struct output *out)
{
    struct jx_normal_options how = cure_options();
    jx_rewrite *rewrite = NULL;
    bool fine = jx_normalize(p->module, &how, output_write, out, &rewrite) == JX_OK;
    uint32_t changed = jx_rewrite_changed(rewrite);
    jx_rewrite_free(rewrite);
    return fine ? changed : 0;
}

static bool
touches(const struct action_list *a, struct jx_place place)
{
    struct document *d = a->request->document;
    size_t from = position_offset(d, place_position(d, place.line, place.column)),
           to = position_offset(d, place_position(d, place.end_line, place.end_column));
    return place.line > 0 && from <= a->to && to >= a->from;
}

static void
write_fixes(struct action_list *a, struct part *p)
{
    struct jx_diagnostic found;
    struct jx_rule rule;
    bool broken = false;
    if (!part_check(p) || (!a->request->server->no_lint && !part_lint(a->request->server, a->request->document, p)))
        return;
    for (uint32_t i = 0; jx_diagnostic_at(p->module, i, &found); i++) {
        if (!touches(a, found.place))
            continue;
        if (!rule_of(found.code.code, &rule)) {
            broken |= found.level != JX_NOTE;
            continue;
        }
        if (rule.fixable)
            write_rule_fixes(a, p, &found, &rule);
        write_ignore(a, p, &found);
    }
    struct output text = {.fd = -1};
    if (broken && repair(p, &text) > 0)
        write_text_fix(a, "Repair what can be repaired", p, &text);
    output_free(&text);
}

/* ---- rewriting ---- */

static void
write_passes(struct action_list *a, struct position at)
{
    char title[100], argument[160], place[60] = "";
    const char *name;
    if (a->request->document->kind != DOCUMENT_JAXPR) /* only the program at this position */
        snprintf(place, sizeof place, ",{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "}", at.line, at.character);
    for (uint32_t i = 0; (name = jx_pass_at(i)) != NULL; i++) {
        if (strcmp(name, "args-to-consts") == 0) /* it needs a number */
            continue;
        snprintf(title, sizeof title, "Rewrite: %s", name);
        snprintf(argument, sizeof argument, "\"%s\"%s", name, place);
        write_command_action(a, title, "refactor.rewrite", "jaxpr.norm", argument);
    }
    snprintf(argument, sizeof argument, "\"\"%s", place);
    write_command_action(a, "Rewrite: canonical form", "refactor.rewrite", "jaxpr.norm", argument);
}

static bool
wanted(const struct json *only, const char *kind)
{
    const struct json *one = only != NULL ? only->child : NULL;
    if (one == NULL)
        return true;
    for (; one != NULL; one = one->next) {
        size_t n = strlen(one->text);
        if (strncmp(kind, one->text, n) == 0 && (kind[n] == 0 || kind[n] == '.'))
            return true;
    }
    return false;
}

bool
on_actions(struct request *r)
{
    struct position from, to;
    struct target t;
    struct action_list a = {.request = r};
    struct document *d = r->document;
    const struct json *only = json_get(r->params, "context.only");
    if (!position_read(json_get(r->params, "range.start"), &from) ||
        !position_read(json_get(r->params, "range.end"), &to))
        return request_fail(r, RPC_PARAMS, "`range` needs `start` and `end`");
    a.from = position_offset(d, from);
    a.to = position_offset(d, to);
    output_puts(&r->out, "[");
    bool read = document_read(d);
    for (size_t i = 0; read && i < d->n_parts && wanted(only, "quickfix"); i++)
        if (d->parts[i].is.from <= a.to && d->parts[i].is.to >= a.from)
            write_fixes(&a, &d->parts[i]);
    bool inside = target_at(d, a.from, &t);
    if (inside && wanted(only, "refactor.extract")) {
        char argument[100];
        snprintf(argument, sizeof argument, "{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "}", from.line,
                 from.character);
        write_command_action(&a, "Extract the program to a file", "refactor.extract", "jaxpr.extract", argument);
    }
    if (wanted(only, "refactor.rewrite") && inside && part_check(t.part) &&
        jx_diagnostic_count(t.part->module, JX_ERROR) == 0)
        write_passes(&a, from);
    output_puts(&r->out, "]");
    return true;
}
