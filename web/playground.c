/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions for the playground. playground_run computes a view of a text, or of two; its output, in HTML, text or JSON,
 * remains valid until the next call. Each call reads its texts again, so no state of earlier calls remains. */
#include "jaxpr.h"
#include "jaxpr_tools.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#else
#define EMSCRIPTEN_KEEPALIVE /* tests/web/speed calls it without a browser */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The output of the last call. */
struct answer {
    char *at;
    size_t n, cap;
};

static struct answer answer;

static int
append(void *user, const char *bytes, size_t n)
{
    struct answer *a = user;
    if (a->cap - a->n < n) {
        size_t cap = 2 * a->cap + n;
        char *at = realloc(a->at, cap);
        if (at == NULL)
            return 1;
        a->at = at;
        a->cap = cap;
    }
    memcpy(a->at + a->n, bytes, n);
    a->n += n;
    return 0;
}

/* The unread part of a file in memory, which jx_extract_begin reads with take. */
struct bytes {
    const char *at;
    size_t n;
};

static ptrdiff_t
take(void *user, char *into, size_t room)
{
    struct bytes *b = user;
    size_t n = b->n < room ? b->n : room;
    memcpy(into, b->at, n);
    b->at += n;
    b->n -= n;
    return (ptrdiff_t)n;
}

/* Writes the programs of a log or a notebook, with an empty line between them. */
static enum jx_status
extract(jx_context *context, const char *name, const char *text, size_t n)
{
    struct bytes bytes = {text, n};
    struct jx_found found;
    jx_extract *all;
    jx_module *module;
    enum jx_status status = jx_extract_begin(context, name, take, &bytes, &all);
    if (status != JX_OK)
        return status;
    while ((status = jx_extract_next(all, &module, &found)) == JX_OK && module != NULL) {
        if ((answer.n > 0 && append(&answer, "\n", 1)) || append(&answer, found.text.at, found.text.n) ||
            append(&answer, "\n", 1))
            status = JX_OUT_OF_MEMORY;
        jx_module_free(module);
        if (status != JX_OK)
            break;
    }
    jx_extract_end(all);
    return status;
}

static enum jx_status
normalize(jx_module *module, const char *passes)
{
    struct jx_normal_options how = {.size = sizeof how};
    for (const char *p = passes; *p != 0; p += strspn(p, ",")) {
        size_t n = strcspn(p, ",");
        how.passes |= jx_pass_find(p, n);
        p += n;
    }
    return jx_normalize(module, &how, append, &answer, NULL);
}

static enum jx_status
render(jx_context *context, jx_module *module, enum jx_render_format format)
{
    struct jx_render_options how = {.size = sizeof how, .format = format};
    return jx_render(context, &module, 1, &how, append, &answer);
}

/* ---- places, for the editors ---- */

static bool
append_place(const char *before, const char *kind, const struct jx_place *p)
{
    char text[160];
    int n =
        snprintf(text, sizeof text, "%s{\"kind\":\"%s\",\"line\":%u,\"column\":%u,\"end_line\":%u,\"end_column\":%u}",
                 before, kind, p->line, p->column, p->end_line, p->end_column);
    return append(&answer, text, (size_t)n) == 0;
}

/* Writes the place of the equation or variable that pages call `m1e12` or `m1v3`; nothing for an unknown name. */
static enum jx_status
find(jx_module *module, const char *name)
{
    enum jx_status status = jx_resolve(module);
    struct jx_site site = {.part = JX_PART_EQUATION};
    struct jx_span span;
    size_t page = strspn(name, "m0123456789");
    char kind = name[page];
    if (status != JX_OK || kind == 0)
        return status;
    uint32_t id = (uint32_t)strtoul(name + page + 1, NULL, 10);
    site.id = id;
    if ((kind == 'e' || (kind == 'v' && jx_definition(module, id, &site))) && jx_span_at(module, &site, &span) &&
        !append_place("", kind == 'e' ? "equation" : "binder", &span.place))
        return JX_OUT_OF_MEMORY;
    return JX_OK;
}

/* Writes two JSON lists, with the places of the equations of each text that differ. */
static enum jx_status
write_marks(jx_module *const both[2], const jx_differences *differences)
{
    static const char *const kinds[] = {
        [JX_DIFFERENCE_CHANGED] = "changed", [JX_DIFFERENCE_INSIDE] = "inside", [JX_DIFFERENCE_ADDED] = "added",
        [JX_DIFFERENCE_REMOVED] = "removed", [JX_DIFFERENCE_MOVED] = "moved",   [JX_DIFFERENCE_RETYPED] = "retyped",
    };
    bool room = append(&answer, "[[", 2) == 0;
    for (int side = 0; side < 2; side++) {
        struct jx_difference d;
        const char *before = "";
        for (uint32_t i = 0; room && jx_difference_at(differences, i, &d); i++) {
            struct jx_site site = {.part = JX_PART_EQUATION, .id = d.equation[side]};
            struct jx_span span;
            if (d.kind < JX_DIFFERENCE_CHANGED || site.id == JX_NONE || !jx_span_at(both[side], &site, &span))
                continue;
            room = append_place(before, kinds[d.kind], &span.place);
            before = ",";
        }
        room = room && append(&answer, side ? "]]" : "],[", side ? 2 : 3) == 0;
    }
    return room ? JX_OK : JX_OUT_OF_MEMORY;
}

/* ---- views ---- */

/* Writes the differences of two texts: as text, as a page, or as places. */
static enum jx_status
compare(jx_context *context, jx_module *module, const char *name, const char *other, size_t n)
{
    struct jx_diff_options how = {.size = sizeof how};
    jx_module *b;
    enum jx_status status = jx_read(context, "other", other, n, &b);
    jx_differences *differences = NULL;
    if (status != JX_OK)
        return status;
    if (strcmp(name, "changes") == 0)
        return jx_page_add_changes(module, b, 1, JX_PAGE_PICTURES | JX_PAGE_LISTING, append, &answer);
    bool marks = strcmp(name, "marks") == 0;
    status = jx_diff(module, b, &how, marks ? NULL : append, &answer, &differences);
    if (status == JX_OK && marks)
        status = write_marks((jx_module *const[]){module, b}, differences);
    jx_differences_free(differences);
    return status;
}

static enum jx_status
view(jx_context *context, jx_module *module, const char *name, const char *other, size_t n)
{
    static const struct {
        const char *name;
        bool lints;
        unsigned parts;
    } pages[] = {
        {"summary", true, JX_PAGE_SUMMARY | JX_PAGE_FINDINGS | JX_PAGE_COSTS},
        {"check", false, JX_PAGE_FINDINGS | JX_PAGE_LISTING},
        {"lint", true, JX_PAGE_FINDINGS | JX_PAGE_LISTING},
        {"list", false, JX_PAGE_FINDINGS}, /* for a text that is too large for a listing */
        {"graph", false, JX_PAGE_PICTURES},
    };
    bool first = true;
    enum jx_status status = JX_OK;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(name, pages[i].name) != 0)
            continue;
        status = pages[i].lints ? jx_lint(module, NULL, NULL) : JX_OK;
        return status == JX_OK ? jx_page_add_parts(module, 1, pages[i].parts, append, &answer) : status;
    }
    if (strcmp(name, "fmt") == 0)
        return jx_format(module, NULL, append, &answer);
    if (strcmp(name, "norm") == 0)
        return normalize(module, other);
    if (strcmp(name, "diff") == 0 || strcmp(name, "changes") == 0 || strcmp(name, "marks") == 0)
        return compare(context, module, name, other, n);
    if (strcmp(name, "find") == 0)
        return find(module, other);
    if (strcmp(name, "sig") == 0)
        status = jx_write_signatures(module, NULL, "program", &first, append, &answer);
    if (strcmp(name, "findings") == 0) {
        status = jx_check(module, NULL);
        return status == JX_OK ? render(context, module, JX_RENDER_JSON) : status;
    }
    return status;
}

/* Computes the view `name` of n bytes of text, which playground_answer then returns. `other` is the second text of a
 * comparison, the passes of norm, the name of the file for extract, or the name to find. Returns a status of the
 * library. */
EMSCRIPTEN_KEEPALIVE int
playground_run(const char *name, const char *text, size_t n, const char *other, size_t other_n)
{
    free(answer.at);
    answer = (struct answer){0};
    jx_context *context = jx_context_new(NULL);
    jx_module *module;
    if (context == NULL)
        return JX_OUT_OF_MEMORY;
    enum jx_status status;
    if (strcmp(name, "extract") == 0) {
        status = extract(context, other, text, n);
    } else {
        status = jx_read(context, "program", text, n, &module);
        if (status == JX_OK)
            status = view(context, module, name, other, other_n);
        /* a view that is empty because of errors shows them */
        if (status == JX_OK && answer.n == 0 && jx_diagnostic_count(module, JX_NOTE) > 0)
            status = render(context, module, JX_RENDER_TEXT);
    }
    jx_context_free(context);
    return (int)status;
}

/* The output, which may be NULL if it is empty; its size; the text of a status; the name of a pass, or NULL after the
 * last. */
EMSCRIPTEN_KEEPALIVE const char *
playground_answer(void)
{
    return answer.at;
}

EMSCRIPTEN_KEEPALIVE size_t
playground_size(void)
{
    return answer.n;
}

EMSCRIPTEN_KEEPALIVE const char *
playground_status(int status)
{
    return jx_status_text((enum jx_status)status);
}

EMSCRIPTEN_KEEPALIVE const char *
playground_pass(int i)
{
    return jx_pass_at((uint32_t)i);
}

/* Outputs the beginning of a page, with the style sheet of reports. Returns a status of the library. */
EMSCRIPTEN_KEEPALIVE int
playground_page(void)
{
    free(answer.at);
    answer = (struct answer){0};
    return (int)jx_page_begin("", append, &answer);
}
