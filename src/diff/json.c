/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences as JSON: an object for each item, with nested ones inside. `old` and `new`, or the changes and nested
 * changes, contain all that turns the left side into the right one (jaxpr-diff(1)). An explicit stack; no recursion. */
#include "diff/diff.h"

struct json_frame {
    u32 pair, item, inner;
    bool any; /* an item was written */
};

struct json_writer {
    struct sink *out;
    struct diff *d;
    bool first_only, done;
    VEC(struct json_frame) stack;
};

static const char *const kinds[] = {
    [DIFF_INPUTS] = "inputs", [DIFF_OUTPUTS] = "outputs", [DIFF_CHANGED] = "changed",
    [DIFF_INSIDE] = "inside", [DIFF_ADDED] = "added",     [DIFF_REMOVED] = "removed",
    [DIFF_MOVED] = "moved",   [DIFF_RETYPED] = "retyped", [DIFF_SAME] = "same",
};

static const char *const whats[] = {
    [WHAT_PRIMITIVE] = "primitive", [WHAT_PARAMETER] = "parameter", [WHAT_OPERAND] = "operand",  [WHAT_TYPE] = "type",
    [WHAT_BINDER] = "input",        [WHAT_OUTPUT] = "output",       [WHAT_PROGRAM] = "programs",
};

static void
write_string(struct json_writer *w, const char *key, struct slice value)
{
    sink_printf(w->out, ",\"%s\":", key);
    sink_json_string(w->out, value);
}

static void
write_place(struct json_writer *w, const char *side, u32 at, u32 line)
{
    if (at == NONE)
        return;
    sink_printf(w->out, ",\"%s\":{\"equation\":%u", side, at);
    if (line)
        sink_printf(w->out, ",\"line\":%u", line);
    sink_char(w->out, '}');
}

static void
write_changes(struct json_writer *w, const struct diff_item *item)
{
    sink_printf(w->out, ",\"changes\":[");
    for (u32 i = 0; i < item->n_changes + (item->to.n ? 0 : item->n_echoes); i++) {
        const struct diff_change *c = &w->d->changes.at[item->changes + i];
        sink_printf(w->out, "%s{\"what\":\"%s\"", i > 0 ? "," : "", whats[c->what]);
        bool param = c->what == WHAT_PARAMETER || c->what == WHAT_PROGRAM;
        if (param)
            write_string(w, "key", c->key);
        if (diff_reports_program(c) || (!param && c->what != WHAT_PRIMITIVE))
            sink_printf(w->out, ",\"index\":%u", c->index);
        if (c->from.n)
            write_string(w, "from", c->from);
        if (c->to.n)
            write_string(w, "to", c->to);
        sink_char(w->out, '}');
    }
    sink_char(w->out, ']');
}

struct slice
diff_json_results(struct diff *d, eqn_t e)
{
    const struct eqn *eqn = &d->b.m->eqns.at[e];
    struct sink out;
    sink_init_memory(&out, d->mem);
    for (u32 i = 0; i < eqn->n_vars; i++) {
        sink_char(&out, i > 0 ? ',' : '[');
        sink_json_string(&out, diff_binder_text(&d->b, eqn->vars + i));
    }
    sink_slice(&out, eqn->n_vars ? SLICE("]") : SLICE("[]"));
    return sink_take(&out);
}

/* writes an item up to its nested programs */
static void
begin_item(struct json_writer *w, const struct diff_item *item, u32 program)
{
    sink_printf(w->out, "\n{\"kind\":\"%s\"",
                item->kind == DIFF_INPUTS && item->retyped ? "retyped-inputs" : kinds[item->kind]);
    if (w->stack.n == 1)
        sink_printf(w->out, ",\"program\":%u", program);
    write_place(w, "a", item->at_a, item->line_a);
    write_place(w, "b", item->at_b, item->line_b);
    if (item->elsewhere)
        sink_printf(w->out, ",\"moved\":true");
    if (item->block)
        sink_printf(w->out, ",\"block\":%u", item->block);
    if (item->head.n)
        write_string(w, "head", item->head);
    if (item->from.n)
        write_string(w, "old", item->from);
    if (item->to.n)
        write_string(w, "new", item->to);
    if (item->n_changes + item->n_echoes)
        write_changes(w, item);
    if (item->results.n)
        sink_printf(w->out, ",\"results\":%.*s", (int)item->results.n, item->results.at);
}

static void
push_pair(struct json_writer *w, u32 pair)
{
    *vec_push(w->d->mem, &w->stack) = (struct json_frame){pair, w->d->pairs.at[pair].items, 0, false};
}

/* writes the shared programs that new equations name */
static void
write_shared(struct json_writer *w, const struct diff_pair *pair, u32 program, bool *first_hunk)
{
    for (u32 i = 0; i < pair->n_lets; i++) {
        sink_printf(w->out, "%s\n{\"kind\":\"shared\",\"program\":%u", *first_hunk ? "" : ",", program);
        write_string(w, "new", w->d->lets.at[pair->lets + i]);
        sink_char(w->out, '}');
        *first_hunk = false;
    }
}

static void
step(struct json_writer *w, u32 program, bool *first_hunk)
{
    struct json_frame *f = &w->stack.at[w->stack.n - 1];
    const struct diff_pair *pair = &w->d->pairs.at[f->pair];
    bool nested = w->stack.n > 1;
    if (f->item == pair->items + pair->n_items) {
        if (nested)
            sink_printf(w->out, "]}");
        else
            write_shared(w, pair, program, first_hunk);
        w->stack.n--;
        return;
    }
    const struct diff_item *item = &w->d->items.at[f->item];
    if (f->inner == 0) {
        if (item->kind == DIFF_SAME || w->done) {
            f->item++;
            return;
        }
        bool *first = nested ? &f->any : first_hunk;
        if (nested ? *first : !*first)
            sink_char(w->out, ',');
        *first = nested;
        begin_item(w, item, program);
        w->done = w->first_only && item->kind != DIFF_INSIDE && item->kind != DIFF_RETYPED;
        if (item->n_inners > 0)
            sink_printf(w->out, ",\"programs\":[");
    }
    if (f->inner < item->n_inners) {
        const struct diff_inner *inner = &w->d->inners.at[item->inners + f->inner];
        sink_printf(w->out, "%s{\"parameter\":", f->inner++ > 0 ? "," : "");
        sink_json_string(w->out, inner->key);
        sink_printf(w->out, ",\"index\":%u", inner->index);
        if (w->d->pairs.at[inner->pair].shown) {
            sink_printf(w->out, ",\"pair\":%u}", inner->pair);
        } else {
            w->d->pairs.at[inner->pair].shown = true;
            sink_printf(w->out, ",\"pair\":%u,\"hunks\":[", inner->pair);
            push_pair(w, inner->pair);
        }
        return;
    }
    sink_printf(w->out, item->n_inners > 0 ? "]}" : "}");
    f->item++;
    f->inner = 0;
}

void
diff_write_json(struct sink *out, struct diff *d, u32 pair, u32 program, bool *first_hunk, bool first_only)
{
    struct json_writer w = {.out = out, .d = d, .first_only = first_only};
    push_pair(&w, pair);
    while (w.stack.n > 0)
        step(&w, program, first_hunk);
    vec_free(d->mem, &w.stack);
}
