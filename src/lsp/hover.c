/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/hover, in Markdown: for a variable its type, size and definition; for an equation the meaning of its
 * primitive, its cost, the bytes live while it runs and its line of Python; for a parameter its meaning; for a
 * program its signature. Computed costs are kept with the module. */
#include "lsp/features.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

struct hovering {
    struct request *request;
    const struct target *target;
    jx_module *module;
    struct output *out;
};

static void
put(struct output *o, struct jx_string s)
{
    output_write(o, s.at, s.n);
}

void
write_amount(struct output *o, const struct jx_amount *a)
{
    char text[JX_AMOUNT_SHORT];
    if (isnan(a->value)) {
        put(o, a->text);
        return;
    }
    jx_amount_short(a->value, text, sizeof text);
    output_puts(o, text);
}

void
write_amount_of_bytes(struct output *o, const struct jx_amount *a)
{
    size_t before = o->n;
    write_amount(o, a);
    bool unit = !isnan(a->value) && o->n > before && isalpha((unsigned char)o->at[o->n - 1]);
    output_puts(o, unit ? "B" : " B"); /* 5.24 MB */
}

/* the id of the innermost site of a kind, or JX_NONE */
static uint32_t
enclosing(const struct target *t, enum jx_part part)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->sites[i].part == part)
            return t->sites[i].id;
    return JX_NONE;
}

/* the equation that a site belongs to, or JX_NONE */
static uint32_t
equation_of(const struct jx_site *site)
{
    bool own = site->part == JX_PART_EQUATION || site->part == JX_PART_PRIMITIVE || site->part == JX_PART_RESULT ||
               site->part == JX_PART_OPERAND || site->part == JX_PART_INDEXER;
    return own ? site->id : JX_NONE;
}

/* ---- costs ---- */

static void
write_cost(struct hovering *h, uint32_t equation)
{
    struct jx_equation_cost c;
    uint32_t program = enclosing(h->target, JX_PART_PROGRAM);
    struct output *o = h->out;
    if (program == JX_NONE || jx_equation_cost(h->module, program, equation, &c) != JX_OK || !c.known)
        return;
    output_puts(o, "\n\nOne run: ");
    write_amount(o, &c.cost.flops);
    output_puts(o, c.cost.flops.value == 1 ? " operation" : " operations");
    if (c.cost.transcendentals.value != 0) {
        output_puts(o, ", ");
        write_amount(o, &c.cost.transcendentals);
        output_puts(o, " transcendental");
    }
    output_puts(o, "; ");
    write_amount_of_bytes(o, &c.cost.read);
    output_puts(o, " read, ");
    write_amount_of_bytes(o, &c.cost.written);
    output_puts(o, " written; ");
    write_amount_of_bytes(o, &c.live);
    output_puts(o, " live");
    if (c.cost.unknown > 0)
        output_puts(o, " (operations or sizes are unknown)");
}

/* ---- parts ---- */

static void
write_meaning(struct output *o, const char *meaning)
{
    if (meaning[0] != 0)
        output_printf(o, "\n\n%s", meaning);
}

/* writes the signatures of the programs nested in an equation */
static void
write_programs(struct hovering *h, const struct jx_equation *e)
{
    struct jx_parameter p;
    uint32_t shown = 0;
    for (uint32_t id = e->first_parameter, left = 64; left > 0 && jx_parameter_at(h->module, id, &p);
         id = p.next, left--)
        for (uint32_t k = 0; k < p.jaxprs && shown < 8; k++, shown++) {
            output_puts(h->out, "\n\n`");
            put(h->out, p.key);
            if (p.jaxprs > 1)
                output_printf(h->out, "[%" PRIu32 "]", k);
            output_puts(h->out, "`: `");
            write_jaxpr_types(h->out, h->module, jx_parameter_jaxpr(h->module, id, k));
            output_puts(h->out, "`");
        }
}

static void
write_equation(struct hovering *h, uint32_t id)
{
    struct jx_equation e;
    struct jx_primitive about;
    if (!jx_equation_at(h->module, id, &e))
        return;
    output_puts(h->out, "**");
    put(h->out, e.primitive);
    output_puts(h->out, "**");
    if (jx_primitive_find(e.primitive.at, e.primitive.n, &about))
        write_meaning(h->out, about.meaning);
    else
        output_puts(h->out, "\n\nThis primitive has no typing rule; the printed types of its results are trusted.");
    write_programs(h, &e);
    write_cost(h, id);
    struct jx_string source = jx_equation_source(h->module, id);
    if (source.n > 0) {
        output_puts(h->out, "\n\nFrom `");
        put(h->out, source);
        output_puts(h->out, "`");
    }
}

/* writes the size in bytes of an array type; nothing if a dimension is not a number */
static void
write_bytes(struct hovering *h, uint32_t type_id)
{
    struct jx_type type;
    struct jx_dim dim;
    if (!jx_type_at(h->module, type_id, &type) || type.kind != JX_TYPE_ARRAY || type.bits == 0)
        return;
    uint32_t element = (type.bits + 7) / 8;
    double bytes = element;
    for (uint32_t i = 0; i < type.rank; i++) {
        if (!jx_dim_at(h->module, type_id, i, &dim) || dim.kind != JX_DIM_INTEGER)
            return;
        bytes *= (double)dim.value;
    }
    char text[JX_AMOUNT_SHORT];
    jx_amount_short(bytes, text, sizeof text);
    output_printf(h->out, ", %s B", text);
}

static void
write_variable(struct hovering *h)
{
    struct jx_variable v;
    struct jx_site site, use;
    uint32_t uses = 0;
    struct jx_place place;
    if (!variable_find(h->module, h->target->variable, &v) || !jx_definition(h->module, h->target->variable, &site))
        return;
    while (jx_uses(h->module, v.id, uses, &use, 1) > 0 && uses < 1000)
        uses++;
    output_puts(h->out, "```jaxpr\n");
    put(h->out, v.name);
    struct jx_string type = v.type.n > 0 ? v.type : annotated_type(h->request->document, h->target->part, &site);
    if (type.n > 0) {
        output_puts(h->out, ":");
        put(h->out, type);
    }
    output_puts(h->out, "\n```\n");
    output_puts(h->out, site.part == JX_PART_BINDER ? "argument or constant" : "result");
    if (site_place(h->module, &site, &place))
        output_printf(h->out, " on line %" PRIu32, place.line);
    output_printf(h->out, ", read %s%" PRIu32 " time%s", uses == 1000 ? "at least " : "", uses, plural(uses));
    if (v.type_id != JX_NONE)
        write_bytes(h, v.type_id);
    if (v.type.n == 0 && type.n > 0)
        output_puts(h->out, "; the type is inferred, not printed");
    if (site.part == JX_PART_RESULT) {
        output_puts(h->out, "\n\n");
        write_equation(h, site.id);
    }
}

static void
write_parameter(struct hovering *h, uint32_t id)
{
    struct jx_parameter p;
    struct jx_equation e = {.primitive = {"", 0}};
    struct jx_primitive about;
    if (!jx_parameter_at(h->module, id, &p))
        return;
    jx_equation_at(h->module, enclosing(h->target, JX_PART_EQUATION), &e);
    output_puts(h->out, "**");
    put(h->out, e.primitive);
    output_puts(h->out, "** `");
    put(h->out, p.key);
    output_puts(h->out, "`");
    bool known = jx_primitive_find(e.primitive.at, e.primitive.n, &about);
    write_meaning(h->out, jx_parameter_meaning(known ? about.name : "", p.key.at, p.key.n));
    struct jx_value value;
    if (jx_parameter_value(h->module, id, &value) && value.kind == JX_VALUE_TEXT && value.reason[0] != 0)
        output_printf(h->out, "\n\nThe value could not be parsed: %s", value.reason);
    for (uint32_t k = 0; k < p.jaxprs && k < 8; k++) {
        output_puts(h->out, "\n\n`");
        write_jaxpr_types(h->out, h->module, jx_parameter_jaxpr(h->module, id, k));
        output_puts(h->out, "`");
    }
}

static void
write_program(struct hovering *h, uint32_t jaxpr)
{
    struct jx_jaxpr j;
    if (!jx_jaxpr_at(h->module, jaxpr, &j))
        return;
    output_puts(h->out, "```jaxpr\n");
    write_jaxpr_types(h->out, h->module, jaxpr);
    output_printf(h->out, "\n```\n%" PRIu32 " equation%s", j.equations, plural(j.equations));
    if (j.constants > 0)
        output_printf(h->out, ", %" PRIu32 " constant%s", j.constants, plural(j.constants));
}

bool
on_hover(struct request *r)
{
    struct target t;
    struct output text = {.fd = -1};
    struct jx_place place;
    if (!target_read(r, &t))
        return false;
    if (t.n == 0 || !part_check(t.part))
        return true;
    struct hovering h = {r, &t, t.part->module, &text};
    if (t.variable != JX_NONE)
        write_variable(&h);
    else if (t.sites[0].part == JX_PART_PARAMETER)
        write_parameter(&h, t.sites[0].id);
    else if (equation_of(t.sites) != JX_NONE)
        write_equation(&h, equation_of(t.sites));
    else if (t.sites[0].part == JX_PART_JAXPR)
        write_program(&h, t.sites[0].id);
    if (text.n > 0) {
        output_puts(&r->out, "{\"contents\":{\"kind\":\"markdown\",\"value\":");
        output_json(&r->out, text.at, text.n);
        output_puts(&r->out, "}");
        bool whole = t.sites[0].part == JX_PART_JAXPR || t.sites[0].part == JX_PART_EQUATION;
        if (!whole && site_place(t.part->module, &t.sites[0], &place)) {
            output_puts(&r->out, ",");
            write_range(&r->out, r->document, place);
        }
        output_puts(&r->out, "}");
    }
    output_free(&text);
    return true;
}
