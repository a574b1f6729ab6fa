/* SPDX-License-Identifier: Apache-2.0
 *
 * The part, the sites and the variable at a position of a document. */
#include "lsp/features.h"

#include <string.h>

/* the first part that does not end before a place, which may be before the part; NULL if there is none */
static struct part *
part_at(struct document *d, uint32_t line, uint32_t column)
{
    size_t lo = 0, hi = d->n_parts;
    while (lo < hi) { /* the first that does not end before it */
        size_t mid = lo + (hi - lo) / 2;
        const struct jx_place *p = &d->parts[mid].is.place;
        bool before = p->line > 0 && (p->end_line < line || (p->end_line == line && p->end_column < column));
        if (before)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < d->n_parts ? &d->parts[lo] : NULL;
}

static bool
is_name(const struct jx_site *site)
{
    return site->part == JX_PART_BINDER || site->part == JX_PART_OUTPUT || site->part == JX_PART_RESULT ||
           site->part == JX_PART_OPERAND || site->part == JX_PART_INDEXER;
}

/* finds the sites at a place; returns 0 if there are none, 3 on a name, 2 on a primitive, else 1 */
static int
look(struct target *t, uint32_t line, uint32_t column)
{
    t->n = jx_sites_at(t->part->module, line, column, t->sites, SITES);
    t->variable = t->n > 0 ? jx_site_variable(t->part->module, t->sites) : JX_NONE;
    return t->n == 0 ? 0 : is_name(t->sites) ? 3 : t->sites[0].part == JX_PART_PRIMITIVE ? 2 : 1;
}

bool
target_at(struct document *d, size_t offset, struct target *t)
{
    uint32_t line, column;
    offset_place(d, offset, &line, &column);
    t->n = 0;
    t->part = document_read(d) ? part_at(d, line, column) : NULL;
    if (t->part == NULL || !part_resolve(t->part))
        return false;
    int found = look(t, line, column);
    /* the position after the last character of a name is part of the name */
    if (found < 3 && column > 1) {
        struct target before = {.part = t->part};
        if (look(&before, line, column - 1) > found)
            *t = before;
    }
    return t->n > 0;
}

bool
target_read(struct request *r, struct target *t)
{
    struct position position;
    t->n = 0;
    if (!position_read(json_get(r->params, "position"), &position))
        return request_fail(r, RPC_PARAMS, "`position` needs `line` and `character`");
    target_at(r->document, position_offset(r->document, position), t);
    return true;
}

/* the binder or result at a site; false for other sites */
static bool
bound_at(jx_module *module, const struct jx_site *site, struct jx_variable *v)
{
    if (site->part == JX_PART_BINDER)
        return jx_binder_at(module, site->id, site->index, v);
    return site->part == JX_PART_RESULT && jx_result_at(module, site->id, site->index, v);
}

bool
variable_find(jx_module *module, uint32_t variable, struct jx_variable *answer)
{
    struct jx_site site;
    return variable != JX_NONE && jx_definition(module, variable, &site) && bound_at(module, &site, answer);
}

struct jx_string
site_name(jx_module *module, const struct jx_site *site)
{
    struct jx_variable v;
    struct jx_operand o;
    if (bound_at(module, site, &v) || variable_find(module, jx_site_variable(module, site), &v))
        return v.name;
    bool reads = site->part == JX_PART_OUTPUT    ? jx_output_at(module, site->id, site->index, &o)
                 : site->part == JX_PART_OPERAND ? jx_operand_at(module, site->id, site->index, &o)
                                                 : false;
    return reads && o.kind != JX_LITERAL ? o.text : (struct jx_string){"", 0};
}

bool
site_place(jx_module *module, const struct jx_site *site, struct jx_place *place)
{
    struct jx_span span;
    if (!jx_span_at(module, site, &span))
        return false;
    *place = span.place;
    struct jx_string name = site_name(module, site);
    uint32_t columns = 0;
    for (size_t i = 0; i < name.n; i++)
        columns += ((unsigned char)name.at[i] & 0xC0) != 0x80;
    if (columns > 0 && (place->end_line > place->line || place->end_column > place->column + columns)) {
        place->end_line = place->line;
        place->end_column = place->column + columns;
    }
    return true;
}

struct jx_site *
variable_sites(jx_module *module, uint32_t variable, bool definition, uint32_t *n)
{
    uint32_t room = 16, got = 0;
    struct jx_site *all = must_allocate(room * sizeof *all);
    if (definition && jx_definition(module, variable, all))
        got++;
    for (uint32_t first = 0, more; (more = jx_uses(module, variable, first, all + got, room - got)) > 0;) {
        got += more;
        first += more;
        if (got == room) {
            room *= 2;
            all = must_resize(all, room * sizeof *all);
        }
    }
    *n = got;
    return all;
}
