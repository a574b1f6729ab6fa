/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/documentSymbol: the tree of programs. textDocument/foldingRange: programs and equations over several
 * lines. textDocument/selectionRange: the sites around a position. Linear in the text. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* SymbolKinds of the protocol */
enum { SYMBOL_MODULE = 2, SYMBOL_FUNCTION = 12, SYMBOL_EVENT = 24 };

int
symbol_kind(const struct visit *v)
{
    return v->let.n > 0 ? SYMBOL_FUNCTION : v->equation == JX_NONE ? SYMBOL_MODULE : SYMBOL_EVENT;
}

void
write_jaxpr_types(struct output *o, jx_module *module, uint32_t jaxpr)
{
    struct jx_variable v;
    struct jx_operand out;
    struct jx_type type;
    struct jx_jaxpr j = {0};
    jx_jaxpr_at(module, jaxpr, &j);
    output_puts(o, "(");
    for (uint32_t i = j.constants; i < j.constants + j.inputs && jx_binder_at(module, jaxpr, i, &v); i++) {
        output_puts(o, i > j.constants ? ", " : "");
        output_write(o, v.type.n > 0 ? v.type.at : "?", v.type.n > 0 ? v.type.n : 1);
    }
    output_puts(o, j.outputs == 1 ? ") -> " : ") -> ("); /* the form of `jaxpr sig` */
    for (uint32_t i = 0; i < j.outputs && jx_output_at(module, jaxpr, i, &out); i++) {
        bool known = out.type_id != JX_NONE && jx_type_at(module, out.type_id, &type);
        output_puts(o, i > 0 ? ", " : "");
        output_write(o, known ? type.text.at : "?", known ? type.text.n : 1);
    }
    output_puts(o, j.outputs == 1 ? "" : ")");
}

/* the first character of a place */
static struct jx_place
first_character(struct jx_place place)
{
    place.end_line = place.line;
    place.end_column = place.column + 1;
    return place;
}

static void
write_symbols(struct request *r, jx_module *module, uint32_t *written)
{
    struct output *o = &r->out;
    struct outline walk;
    struct visit v;
    struct jx_place place;
    outline_begin(&walk, module);
    while (outline_next(&walk, &v)) {
        if (v.leave) {
            output_puts(o, "]}");
            *written = 1;
            continue;
        }
        char *name = visit_name(module, &v);
        if (!site_place(module, &(struct jx_site){JX_PART_JAXPR, v.jaxpr, 0, 0}, &place))
            place = (struct jx_place){1, 1, 1, 1};
        output_puts(o, *written > 0 ? ",{\"name\":" : "{\"name\":");
        output_json(o, name, strlen(name));
        output_puts(o, ",\"detail\":");
        struct output types = {.fd = -1};
        write_jaxpr_types(&types, module, v.jaxpr);
        output_json(o, types.at, types.n < 200 ? types.n : 200);
        output_free(&types);
        output_printf(o, ",\"kind\":%d,", symbol_kind(&v));
        write_range(o, r->document, place);
        output_puts(o, ",\"selectionRange\":{");
        struct output range = {.fd = -1};
        write_range(&range, r->document, first_character(place));
        output_write(o, range.at + strlen("\"range\":{"), range.n - strlen("\"range\":{"));
        output_free(&range);
        output_puts(o, ",\"children\":[");
        *written = 0;
        free(name);
    }
    outline_end(&walk);
}

bool
on_symbols(struct request *r)
{
    uint32_t written = 0;
    output_puts(&r->out, "[");
    if (document_read(r->document))
        for (size_t i = 0; i < r->document->n_parts; i++)
            if (part_resolve(&r->document->parts[i]))
                write_symbols(r, r->document->parts[i].module, &written);
    output_puts(&r->out, "]");
    return true;
}

/* ---- folding ---- */

static void
write_fold(struct request *r, struct jx_place place, uint32_t *written)
{
    struct position from = place_position(r->document, place.line, place.column),
                    to = place_position(r->document, place.end_line, place.end_column);
    if (to.line > from.line)
        output_printf(&r->out, "%s{\"startLine\":%" PRIu32 ",\"endLine\":%" PRIu32 "}", (*written)++ > 0 ? "," : "",
                      from.line, to.line);
}

/* writes folds of programs, and of equations whose parameters take several lines */
static void
write_folds(struct request *r, jx_module *module, uint32_t *written)
{
    struct outline walk;
    struct visit v;
    struct jx_place place;
    struct jx_jaxpr j;
    struct jx_equation e;
    outline_begin(&walk, module);
    while (outline_next(&walk, &v)) {
        if (v.leave || !jx_jaxpr_at(module, v.jaxpr, &j))
            continue;
        if (site_place(module, &(struct jx_site){JX_PART_JAXPR, v.jaxpr, 0, 0}, &place))
            write_fold(r, place, written);
        for (uint32_t id = j.first_equation; jx_equation_at(module, id, &e); id = e.next)
            if (e.first_parameter != JX_NONE &&
                site_place(module, &(struct jx_site){JX_PART_EQUATION, id, 0, 0}, &place))
                write_fold(r, place, written);
    }
    outline_end(&walk);
}

bool
on_folding(struct request *r)
{
    uint32_t written = 0;
    output_puts(&r->out, "[");
    if (document_read(r->document))
        for (size_t i = 0; i < r->document->n_parts; i++)
            write_folds(r, r->document->parts[i].module, &written);
    output_puts(&r->out, "]");
    return true;
}

/* ---- selections ---- */

/* writes the SelectionRange of a position: the innermost site, whose parents are the sites around it; an empty range
 * outside of programs */
static bool
write_selection(struct request *r, const struct json *value)
{
    struct position position;
    struct target t;
    struct jx_span span;
    struct output *o = &r->out;
    uint32_t open = 0;
    if (!position_read(value, &position))
        return request_fail(r, RPC_PARAMS, "`positions` needs `line` and `character`");
    size_t at = position_offset(r->document, position);
    target_at(r->document, at, &t);
    for (uint32_t i = 0; i < t.n; i++) {
        if (!jx_span_at(t.part->module, &t.sites[i], &span))
            continue;
        output_puts(o, open++ > 0 ? ",\"parent\":{" : "{");
        write_range(o, r->document, span.place);
    }
    if (open == 0) {
        output_puts(o, "{");
        write_byte_range(o, r->document, at, at);
        open++;
    }
    while (open-- > 0)
        output_puts(o, "}");
    return true;
}

bool
on_selection(struct request *r)
{
    const struct json *positions = json_get(r->params, "positions");
    output_puts(&r->out, "[");
    for (const struct json *one = positions != NULL ? positions->child : NULL; one != NULL; one = one->next) {
        if (!write_selection(r, one))
            return false;
        output_puts(&r->out, one->next != NULL ? "," : "");
    }
    output_puts(&r->out, "]");
    return true;
}
