/* SPDX-License-Identifier: Apache-2.0
 *
 * A long difference on one screen: how many equations of each source line, or of each function if no lines are printed,
 * were removed, added, changed or moved, the largest numbers first. n log n in the items. */
#include "diff/diff.h"

#include "base/visible.h"

#include <stdlib.h>

enum { ROWS = 24, PRIMITIVES = 4, WIDEST = 72, LONGEST_CHANGE = 100 };

enum { GONE, NEW, CHANGED, MOVED, COLUMNS };

/* The equations of one source line. */
struct row {
    struct slice source, scope;
    u32 counts[COLUMNS], total, order;
    const struct diff_change *change; /* the change that its equations have in common, unless changes_differ */
    u64 change_key;
    bool changes_differ;
    VEC(u32) prims; /* indices into the table of primitives */
};

/* How often a primitive occurs in a row. */
struct occurrence {
    struct slice name;
    u32 count, order;
};

struct summary {
    struct diff *d;
    struct slice *scopes; /* by pair: the name of the call that contains it */
    VEC(struct row) rows;
    VEC(struct occurrence) occurrences;
    struct diff_cache by_place, by_primitive;
};

/* a source location without its column: `file:line (function)` */
static struct slice
source_line(struct mem *mem, struct slice source)
{
    const char *open = source.n > 0 ? memmem(source.at, source.n, " (", 2) : NULL;
    size_t at = open ? (size_t)(open - source.at) : 0, colons = 0, cut = at;
    for (size_t i = at; i > 0 && colons < 2; i--)
        if (source.at[i - 1] == ':' && ++colons == 1)
            cut = i - 1;
    if (at == 0 || colons < 2)
        return source;
    return arena_printf(mem, "%.*s%.*s", (int)cut, source.at, (int)(source.n - at), source.at + at);
}

static struct slice
primitive_of(struct diff *d, const struct diff_side *s, eqn_t e)
{
    struct name_buffer buffer;
    return arena_copy(d->mem, module_name(s->m, s->m->eqns.at[e].prim, &buffer));
}

static struct row *
row_of(struct summary *w, struct slice source, struct slice scope)
{
    u64 key = hash_slice(hash_slice(w->d->a.seed, source), scope) | 1;
    u64 *at = diff_cache_find(w->d->mem, &w->by_place, key);
    if (*at == 0) {
        *vec_push(w->d->mem, &w->rows) = (struct row){.source = source, .scope = scope, .order = w->rows.n};
        *at = w->rows.n;
    }
    return &w->rows.at[*at - 1];
}

static void
count_primitive(struct summary *w, struct row *row, struct slice name)
{
    u64 key = hash_seeded(hash_slice(w->d->a.seed, name), row->order) | 1;
    u64 *at = diff_cache_find(w->d->mem, &w->by_primitive, key);
    if (*at == 0) {
        *vec_push(w->d->mem, &row->prims) = w->occurrences.n;
        *vec_push(w->d->mem, &w->occurrences) = (struct occurrence){name, 0, w->occurrences.n};
        *at = w->occurrences.n;
    }
    w->occurrences.at[*at - 1].count++;
}

/* notes the change of an item: a row whose equations all changed alike prints it */
static void
take_change(struct summary *w, struct row *row, const struct diff_item *item)
{
    const struct diff_change *c = &w->d->changes.at[item->changes];
    u64 key = hash_slice(hash_slice(hash_seeded(hash_slice(w->d->a.seed, c->key), c->what), c->from), c->to);
    if (item->n_changes != 1 || (row->change != NULL && key != row->change_key))
        row->changes_differ = true;
    row->change = c;
    row->change_key = key;
}

static void
take_item(struct summary *w, const struct diff_item *item, struct slice scope)
{
    struct diff *d = w->d;
    bool gone = item->b == NONE;
    const struct diff_side *s = gone ? &d->a : &d->b;
    eqn_t e = gone ? item->a : item->b;
    bool moved = item->kind == DIFF_MOVED || (item->kind == DIFF_INSIDE && item->elsewhere);
    if (item->kind != DIFF_ADDED && item->kind != DIFF_REMOVED && item->kind != DIFF_CHANGED && !moved)
        return;
    struct row *row = row_of(w, source_line(d->mem, equation_source(s->m, e)), scope);
    row->counts[moved ? MOVED : item->kind == DIFF_CHANGED ? CHANGED : gone ? GONE : NEW]++;
    row->total++;
    if (item->kind == DIFF_CHANGED)
        take_change(w, row, item);
    count_primitive(w, row, primitive_of(d, s, e));
}

/* names the nested pairs of an equation: by the called function, else by its primitive */
static void
name_scopes(struct summary *w, const struct diff_item *item)
{
    struct diff *d = w->d;
    for (u32 i = 0; i < item->n_inners; i++) {
        struct slice *scope = &w->scopes[d->inners.at[item->inners + i].pair];
        struct slice name = diff_call_name(&d->b, item->b);
        if (scope->n == 0)
            *scope = name.n > 0 ? name : primitive_of(d, &d->b, item->b);
    }
}

/* ---- printing --------------------------------------------------------------------------------------------------- */

static int
by_total(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    return a->total != b->total ? (a->total > b->total ? -1 : 1) : (a->order > b->order) - (a->order < b->order);
}

static int
by_count(const void *x, const void *y)
{
    const struct occurrence *a = x, *b = y;
    return a->count != b->count ? (a->count > b->count ? -1 : 1) : (a->order > b->order) - (a->order < b->order);
}

static void
write_counts(struct sink *out, const u32 *counts)
{
    for (u32 i = 0; i < COLUMNS; i++)
        if (counts[i] > 0)
            sink_printf(out, "%8u", counts[i]);
        else
            sink_blanks(out, 8);
    sink_slice(out, SLICE("  "));
}

static void
write_primitives(struct summary *w, struct sink *out, const struct row *row)
{
    struct occurrence *list = mem_alloc(w->d->mem, (row->prims.n + 1) * sizeof *list);
    for (u32 i = 0; i < row->prims.n; i++)
        list[i] = w->occurrences.at[row->prims.at[i]];
    qsort(list, row->prims.n, sizeof *list, by_count);
    for (u32 i = 0; i < row->prims.n && i < PRIMITIVES; i++) {
        sink_slice(out, i > 0 ? SLICE(", ") : SLICE(": "));
        write_visible(out, list[i].name);
        if (list[i].count > 1)
            sink_printf(out, " x%u", list[i].count);
    }
    if (row->prims.n > PRIMITIVES)
        sink_slice(out, SLICE(", .."));
    mem_free(w->d->mem, list);
}

static void
write_row(struct summary *w, struct sink *out, const struct row *row)
{
    struct slice place = row->source;
    write_counts(out, row->counts);
    if (place.n > WIDEST)
        place.n = WIDEST;
    write_visible(out, place);
    if (place.n < row->source.n)
        sink_slice(out, SLICE(".."));
    if (row->scope.n > 0) {
        sink_slice(out, place.n > 0 ? SLICE(" in ") : SLICE("in "));
        write_visible(out, row->scope);
    } else if (place.n == 0) {
        sink_slice(out, SLICE("outermost program"));
    }
    write_primitives(w, out, row);
    sink_char(out, '\n');
    const struct diff_change *c = row->change;
    if (c == NULL || row->changes_differ || c->from.n + c->to.n > LONGEST_CHANGE)
        return;
    sink_blanks(out, 8 * COLUMNS + 4);
    diff_write_what(out, c);
    sink_slice(out, SLICE(": "));
    diff_write_values(out, w->d, c);
    sink_char(out, '\n');
}

static void
write_interface(struct sink *out, const struct diff *d, const struct diff_item *item)
{
    u32 counts[COLUMNS] = {0};
    for (u32 i = 0; i < item->n_changes; i++) {
        const struct diff_change *c = &d->changes.at[item->changes + i];
        counts[c->to.n == 0 ? GONE : c->from.n == 0 ? NEW : CHANGED]++;
    }
    write_counts(out, counts);
    sink_slice(out, item->kind == DIFF_INPUTS ? SLICE("arguments\n") : SLICE("results\n"));
}

static void
write_rows(struct summary *w, struct sink *out)
{
    u32 rest[COLUMNS] = {0};
    if (w->rows.n > 0)
        qsort(w->rows.at, w->rows.n, sizeof *w->rows.at, by_total);
    for (u32 i = 0; i < w->rows.n; i++) {
        if (i < ROWS || w->rows.n == ROWS + 1)
            write_row(w, out, &w->rows.at[i]);
        for (u32 k = 0; k < COLUMNS && i >= ROWS; k++)
            rest[k] += w->rows.at[i].counts[k];
    }
    if (w->rows.n > ROWS + 1) {
        write_counts(out, rest);
        sink_printf(out, "in %u more places\n", w->rows.n - ROWS);
    }
}

void
diff_write_summary(struct sink *out, struct diff *d)
{
    struct summary w = {.d = d, .scopes = mem_zeroed(d->mem, (d->pairs.n + 1ull) * sizeof(struct slice))};
    sink_printf(out, "%8s%8s%8s%8s\n", "removed", "added", "changed", "moved");
    for (u32 i = 0; i < d->pairs.n; i++)
        for (u32 k = d->pairs.at[i].items; k < d->pairs.at[i].items + d->pairs.at[i].n_items; k++) {
            const struct diff_item *item = &d->items.at[k];
            if (d->pairs.at[i].main && (item->kind == DIFF_INPUTS || item->kind == DIFF_OUTPUTS))
                write_interface(out, d, item);
            else if (!item->quiet)
                take_item(&w, item, w.scopes[i]);
            name_scopes(&w, item);
        }
    write_rows(&w, out);
    for (u32 i = 0; i < w.rows.n; i++)
        vec_free(d->mem, &w.rows.at[i].prims);
    mem_free_all(d->mem, w.rows.at, w.occurrences.at, w.by_place.at, w.by_primitive.at, w.scopes);
}
