/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/rename and prepareRename. The edits are at the definition of the variable, at its uses, and at sizes
 * of that name in types. They are tested on a copy: if any variable then has other uses, renaming is refused. Linear
 * in the text. */
#include "lsp/features.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* An occurrence of the name, in bytes of the document. */
struct mention {
    size_t from, to;
};

struct renaming {
    struct request *request;
    struct target *target;
    struct jx_string old;
    char *old_name;
    const char *name;
    struct mention *mentions;
    size_t n, cap;
};

static void
mention(struct renaming *g, size_t from, size_t to)
{
    if (g->n == g->cap) {
        g->cap = g->cap > 0 ? g->cap * 2 : 16;
        g->mentions = must_resize(g->mentions, g->cap * sizeof *g->mentions);
    }
    g->mentions[g->n++] = (struct mention){from, to};
}

static bool
is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t
place_offset(struct document *d, uint32_t line, uint32_t column)
{
    return position_offset(d, place_position(d, line, column));
}

/* adds the occurrences of the old name as a size in the type of a binder or result */
static void
mention_sizes(struct renaming *g, const struct jx_site *site)
{
    struct document *d = g->request->document;
    struct jx_string text = jx_document_text(d->text);
    struct jx_span span;
    if (!jx_span_at(g->target->part->module, site, &span))
        return;
    size_t at = place_offset(d, span.place.line, span.place.column),
           end = place_offset(d, span.place.end_line, span.place.end_column);
    const char *colon = memchr(text.at + at, ':', end - at);
    if (colon == NULL || memchr(colon, '[', (size_t)(text.at + end - colon)) == NULL)
        return;
    for (size_t i = (size_t)(colon - text.at); i + g->old.n <= end; i++) {
        bool word = memcmp(text.at + i, g->old.at, g->old.n) == 0 && !is_word(text.at[i - 1]) &&
                    (i + g->old.n == end || !is_word(text.at[i + g->old.n]));
        if (word)
            mention(g, i, i + g->old.n);
    }
}

/* adds the occurrences in the types of all binders and results of a jaxpr, the one that binds the variable */
static void
mention_types(struct renaming *g, uint32_t jaxpr)
{
    jx_module *module = g->target->part->module;
    struct jx_jaxpr j;
    struct jx_equation e;
    if (!jx_jaxpr_at(module, jaxpr, &j))
        return;
    for (uint32_t i = 0; i < j.constants + j.inputs; i++)
        mention_sizes(g, &(struct jx_site){JX_PART_BINDER, jaxpr, i, 0});
    for (uint32_t id = j.first_equation; jx_equation_at(module, id, &e); id = e.next)
        for (uint32_t i = 0; i < e.results; i++)
            mention_sizes(g, &(struct jx_site){JX_PART_RESULT, id, i, 0});
}

static int
compare_mentions(const void *a, const void *b)
{
    const struct mention *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* the jaxpr that binds the variable: the innermost one around its definition */
static uint32_t
binding_jaxpr(const struct target *t)
{
    struct jx_site site, path[SITES];
    struct jx_span span;
    if (!jx_definition(t->part->module, t->variable, &site))
        return JX_NONE;
    if (site.part == JX_PART_BINDER)
        return site.id;
    uint32_t n = jx_span_at(t->part->module, &site, &span)
                     ? jx_sites_at(t->part->module, span.place.line, span.place.column, path, SITES)
                     : 0;
    for (uint32_t i = 0; i < n; i++)
        if (path[i].part == JX_PART_JAXPR)
            return path[i].id;
    return JX_NONE;
}

/* finds all occurrences, sorted and without duplicates */
static void
find_mentions(struct renaming *g)
{
    uint32_t n;
    struct jx_site *sites = variable_sites(g->target->part->module, g->target->variable, true, &n);
    struct jx_place place;
    struct jx_variable v;
    struct jx_type type;
    jx_module *module = g->target->part->module;
    for (uint32_t i = 0; i < n; i++)
        if (site_place(module, &sites[i], &place))
            mention(g, place_offset(g->request->document, place.line, place.column),
                    place_offset(g->request->document, place.end_line, place.end_column));
    free(sites);
    bool sizes = variable_find(module, g->target->variable, &v) &&
                 (v.type_id == JX_NONE || (jx_type_at(module, v.type_id, &type) && type.rank == 0));
    uint32_t jaxpr = sizes ? binding_jaxpr(g->target) : JX_NONE;
    if (jaxpr != JX_NONE)
        mention_types(g, jaxpr);
    if (g->n > 0)
        qsort(g->mentions, g->n, sizeof *g->mentions, compare_mentions);
    size_t kept = 0;
    for (size_t i = 0; i < g->n; i++)
        if (i == 0 || g->mentions[i].from >= g->mentions[kept - 1].to)
            g->mentions[kept++] = g->mentions[i];
    g->n = kept;
}

/* ---- validation ---- */

/* a copy of the document, with the new name if `renamed`, checked and resolved; NULL on out of memory. Of a Jaxpr
 * file, it contains only the part with the variable */
static struct document *
copy_document(const struct renaming *g, bool renamed)
{
    struct document *d = g->request->document, *copy;
    bool programs = d->kind == DOCUMENT_JAXPR; /* the scope of a name is its program, and so within its part */
    struct jx_string text = programs ? part_text(d, g->target->part) : jx_document_text(d->text);
    size_t first = programs ? (size_t)g->target->part->is.from : 0, at = 0;
    struct output out = {.fd = -1};
    for (size_t i = 0; renamed && i < g->n; i++) {
        output_write(&out, text.at + at, g->mentions[i].from - first - at);
        output_puts(&out, g->name);
        at = g->mentions[i].to - first;
    }
    output_write(&out, text.at + at, text.n - at);
    copy = document_new(d->uri, d->kind == DOCUMENT_JAXPR ? "jaxpr" : "", (struct jx_string){out.at, out.n}, d->utf8);
    output_free(&out);
    if (copy != NULL)
        copy->whole = programs;
    bool fine = copy != NULL && document_read(copy);
    for (size_t i = 0; fine && i < copy->n_parts; i++)
        fine = part_check(&copy->parts[i]) && part_resolve(&copy->parts[i]);
    if (fine)
        return copy;
    document_free(copy);
    return NULL;
}

/* true if two variables have uses at the same sites */
static bool
same_uses(jx_module *a, uint32_t of_a, jx_module *b, uint32_t of_b)
{
    struct jx_site in_a[64], in_b[64];
    uint32_t n = 64;
    for (uint32_t first = 0; n == 64; first += n) {
        n = jx_uses(a, of_a, first, in_a, 64);
        if (jx_uses(b, of_b, first, in_b, 64) != n || memcmp(in_a, in_b, n * sizeof *in_a) != 0)
            return false;
    }
    return true;
}

/* true if two modules have as many findings, and every binder and result has uses at the same sites */
static bool
means_the_same(jx_module *a, jx_module *b)
{
    struct jx_jaxpr j;
    struct jx_equation e;
    struct jx_variable of_a, of_b;
    if (jx_diagnostic_count(a, JX_NOTE) != jx_diagnostic_count(b, JX_NOTE))
        return false;
    for (uint32_t id = 0; jx_jaxpr_at(a, id, &j); id++) {
        for (uint32_t i = 0; jx_binder_at(a, id, i, &of_a); i++)
            if (!jx_binder_at(b, id, i, &of_b) || !same_uses(a, of_a.id, b, of_b.id))
                return false;
        for (uint32_t eqn = j.first_equation; jx_equation_at(a, eqn, &e); eqn = e.next)
            for (uint32_t i = 0; jx_result_at(a, eqn, i, &of_a); i++)
                if (!jx_result_at(b, eqn, i, &of_b) || !same_uses(a, of_a.id, b, of_b.id))
                    return false;
    }
    return true;
}

static bool
may_rename(struct renaming *g)
{
    struct document *renamed = copy_document(g, true), *before = copy_document(g, false);
    bool read = renamed != NULL && before != NULL, same = read && renamed->n_parts == before->n_parts;
    for (size_t i = 0; same && i < before->n_parts; i++)
        same = means_the_same(before->parts[i].module, renamed->parts[i].module);
    document_free(renamed);
    document_free(before);
    if (!read)
        return request_fail(g->request, RPC_INTERNAL, "%s", jx_status_text(JX_OUT_OF_MEMORY));
    if (!same)
        return request_fail(g->request, RPC_FAILED,
                            "cannot rename `%.60s` to `%.60s`: the name is already used, so the program would change",
                            g->old_name, g->name);
    return true;
}

/* true if a word can be the name of a variable: letters, digits and `_`, and not a keyword */
static bool
is_variable_name(const char *name)
{
    static const char *const taken[] = {"lambda", "let", "in", "_"};
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (const char *p = name; *p != 0; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return false;
    return true;
}

/* finds the variable at the position and its name; false, after request_fail, if it cannot be renamed */
static bool
begin(struct request *r, struct target *t, struct jx_string *old)
{
    if (!target_read(r, t))
        return false;
    if (t->n == 0 || t->variable == JX_NONE)
        return request_fail(r, RPC_FAILED, "there is no variable here");
    *old = site_name(t->part->module, t->sites);
    if (old->n == 0 || (old->n == 1 && *old->at == '_'))
        return request_fail(r, RPC_FAILED, "`_` is not a name: the value is dropped");
    return true;
}

bool
on_prepare_rename(struct request *r)
{
    struct target t;
    struct jx_string old = {"", 0};
    struct jx_place place;
    if (!begin(r, &t, &old))
        return false;
    if (!site_place(t.part->module, t.sites, &place))
        return request_fail(r, RPC_FAILED, "there is no variable here");
    output_puts(&r->out, "{");
    write_range(&r->out, r->document, place);
    output_puts(&r->out, ",\"placeholder\":");
    output_json(&r->out, old.at, old.n);
    output_puts(&r->out, "}");
    return true;
}

static void
write_edits_of(struct renaming *g)
{
    struct document *d = g->request->document;
    struct output *o = &g->request->out;
    output_puts(o, "{\"changes\":{");
    output_json(o, d->uri, strlen(d->uri));
    output_puts(o, ":[");
    for (size_t i = 0; i < g->n; i++) {
        output_puts(o, i > 0 ? ",{" : "{");
        write_byte_range(o, d, g->mentions[i].from, g->mentions[i].to);
        output_puts(o, ",\"newText\":");
        output_json(o, g->name, strlen(g->name));
        output_puts(o, "}");
    }
    output_puts(o, "]}}");
}

bool
on_rename(struct request *r)
{
    struct target t;
    struct renaming g = {.request = r, .target = &t, .name = json_string(r->params, "newName")};
    if (g.name == NULL)
        return request_fail(r, RPC_PARAMS, "`newName` is missing");
    if (!begin(r, &t, &g.old))
        return false;
    if (!is_variable_name(g.name))
        return request_fail(r, RPC_FAILED,
                            "`%.60s` is not a variable name: use letters, digits and `_`, and no digit first", g.name);
    g.old_name = must_copy(g.old.at, g.old.n);
    find_mentions(&g);
    bool fine = may_rename(&g);
    if (fine)
        write_edits_of(&g);
    free(g.mentions);
    free(g.old_name);
    return fine;
}
