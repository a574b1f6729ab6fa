/* SPDX-License-Identifier: Apache-2.0
 *
 * From matches to items. Pairs of jaxprs that differ are put in a list, since nested ones are found while an outer
 * pair is processed; each pair is processed once, however many equations share it. Linear in the pairs, but n log n
 * for moves. */
#include "diff/diff.h"

void
diff_init(struct diff *d, struct mem *mem, struct module *a, struct module *b, unsigned ignored, struct slice without)
{
    *d = (struct diff){.mem = mem, .context = 3};
    diff_side_init(&d->a, a, ignored, without, mem->secret);
    diff_side_init(&d->b, b, ignored, without, mem->secret);
}

void
diff_end(struct diff *d)
{
    diff_side_end(&d->a);
    diff_side_end(&d->b);
    mem_free_all(d->mem, d->fresh.at, d->candidates.at, d->pairs.at, d->items.at, d->changes.at, d->inners.at,
                 d->aligned.at, d->lets.at, d->steps.at, d->odd.at, d->known.slots, d->sizes.slots);
}

u32
diff_add_pair(struct diff *d, jaxpr_t a, jaxpr_t b)
{
    u32 id = (u32)(hash_seeded(hash_seeded(d->a.seed, a), b) >> 33);
    for (u64 found; (found = memo_get(&d->known, id)) != 0; id = (id + 1) & INT32_MAX) {
        struct diff_pair *p = &d->pairs.at[found - 1];
        if (p->a == a && p->b == b)
            return (u32)found - 1;
    }
    *vec_push(d->mem, &d->pairs) = (struct diff_pair){.a = a, .b = b, .follows = d->following, .aligned = d->operands};
    memo_set(d->mem, &d->known, id, d->pairs.n);
    return d->pairs.n - 1;
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* the line of an equation, without its column, which would cost time proportional to the line */
static u32
line_of(struct diff_side *s, eqn_t e)
{
    struct text *text = &s->m->text;
    u32 offset = s->m->eqns.at[e].offset;
    if (offset == NONE)
        return 0;
    if (text->lines.n == 0)
        text_position(s->m->mem, text, 0);
    return text_line(text, offset) + 1;
}

static struct diff_item *
push_item(struct diff *d, struct diff_pair *pair, const struct diff_item *item)
{
    struct diff_item *added = vec_push(d->mem, &d->items);
    *added = *item;
    pair->n_items++;
    return added;
}

/* fills in the texts of an item and its location */
static void
finish_item(struct diff *d, struct diff_item *item)
{
    bool whole = item->kind != DIFF_SAME && item->kind != DIFF_INSIDE && item->kind != DIFF_MOVED &&
                 item->kind != DIFF_RETYPED && item->n_inners == 0;
    if (item->a != NONE) {
        item->at_a = d->a.rank[item->a];
        item->line_a = line_of(&d->a, item->a);
    }
    if (item->b != NONE) {
        item->at_b = d->b.rank[item->b];
        item->line_b = line_of(&d->b, item->b);
    }
    if (whole && item->a != NONE)
        item->from = diff_text(&d->a, item->a);
    if (whole && item->b != NONE)
        item->to = diff_text(&d->b, item->b);
    if (item->a != NONE && item->b != NONE && (item->retyped || item->kind == DIFF_MOVED))
        item->results = diff_json_results(d, item->b);
    item->head = item->a != NONE && !item->named ? diff_head(&d->a, item->a) : diff_head(&d->b, item->b);
}

/* whether an unnamed (`_`) result is named now, or the reverse */
static bool
gets_name(const struct diff *d, eqn_t b)
{
    const struct eqn *e = &d->b.m->eqns.at[b];
    for (var_t v = e->vars; v < e->vars + e->n_vars; v++) {
        var_t partner = d->b.partner[v];
        if (partner != NONE &&
            (d->a.m->vars.at[partner].name == d->a.c.underscore) != (d->b.m->vars.at[v].name == d->b.c.underscore))
            return true;
    }
    return false;
}

/* true if two partners are trivially equal, as most are: the same kind, and variables of the same type that are
 * partners; if false, they must be compared */
static bool
is_trivially_equal(const struct diff *d, eqn_t a, eqn_t b)
{
    const struct module *ma = d->a.m, *mb = d->b.m;
    const struct eqn *ea = &ma->eqns.at[a], *eb = &mb->eqns.at[b];
    if (d->a.c.mode.variables || d->b.c.mode.variables || d->a.reads_unnamed || d->b.reads_unnamed)
        return false;
    if (d->a.kind[a] != d->b.kind[b] || ea->n_atoms != eb->n_atoms || ea->n_vars != eb->n_vars)
        return false;
    for (u32 i = 0; i < ea->n_atoms; i++) {
        atom_t x = ma->atoms.at[ea->atoms + i], y = mb->atoms.at[eb->atoms + i];
        if (atom_kind(x) != ATOM_VAR || atom_kind(y) != ATOM_VAR || d->a.partner[atom_id(x)] != atom_id(y))
            return false;
    }
    for (u32 i = 0; i < ea->n_vars; i++) {
        const struct var *x = &ma->vars.at[ea->vars + i], *y = &mb->vars.at[eb->vars + i];
        if (x->type >= d->a.known.n_types || y->type >= d->b.known.n_types || d->a.known.types[x->type] == 0 ||
            d->a.known.types[x->type] != d->b.known.types[y->type] || x->name == d->a.c.underscore)
            return false;
    }
    return true;
}

/* compares two partners: the kind of their item, and its differences */
static struct diff_item
check_partners(struct diff *d, eqn_t a, eqn_t b, bool kept)
{
    struct diff_item item = {.kind = DIFF_SAME, .a = a, .b = b, .at_a = NONE, .at_b = NONE};
    if (kept && is_trivially_equal(d, a, b))
        return item;
    bool follows = diff_changes(d, a, b, &item), named = gets_name(d, b);
    if (item.n_changes > 0)
        item.kind = DIFF_CHANGED;
    else if (item.n_inners > 0)
        item.kind = DIFF_INSIDE;
    else if (follows)
        item.kind = DIFF_RETYPED;
    item.named = named && item.kind != DIFF_CHANGED;
    item.retyped = follows || named;
    if (item.named && item.kind == DIFF_SAME)
        item.kind = DIFF_RETYPED;
    if (!kept && (item.kind == DIFF_SAME || item.kind == DIFF_RETYPED))
        item.kind = DIFF_MOVED;
    item.elsewhere = !kept;
    return item;
}

/* adds an equation, or two partners, to the steps; differences become an item */
static void
add_step(struct diff *d, const struct diff_item *item)
{
    *vec_push(d->mem, &d->steps) = (struct diff_step){item->a, item->b, item->kind == DIFF_SAME ? NONE : d->odd.n};
    if (item->kind != DIFF_SAME)
        *vec_push(d->mem, &d->odd) = *item;
}

static void
add_single(struct diff *d, enum diff_kind kind, eqn_t a, eqn_t b)
{
    add_step(d, &(struct diff_item){.kind = kind, .a = a, .b = b, .at_a = NONE, .at_b = NONE});
}

static void
add_partners(struct diff *d, eqn_t a, eqn_t b, bool kept)
{
    struct diff_item item = check_partners(d, a, b, kept);
    add_step(d, &item);
}

/* merges the equations of both sides into one list: between partners in the same order come the removed equations of
 * the left, then the added ones of the right */
static void
make_steps(struct diff *d)
{
    u8 *line = diff_in_line(d);
    u32 n = d->a.eqns.n, m = d->b.eqns.n;
    d->steps.n = d->odd.n = 0;
    for (u32 i = 0, a = 0, b = 0; i <= n; i++) {
        if (i < n && !line[i])
            continue;
        u32 end = i < n ? d->b.rank[d->a.match[d->a.eqns.at[i]]] : m;
        for (; a < i; a++)
            if (d->a.match[d->a.eqns.at[a]] == NONE)
                add_single(d, DIFF_REMOVED, d->a.eqns.at[a], NONE);
        for (; b < end; b++) {
            eqn_t e = d->b.eqns.at[b];
            if (d->b.match[e] == NONE)
                add_single(d, DIFF_ADDED, NONE, e);
            else
                add_partners(d, d->b.match[e], e, false);
        }
        if (i < n)
            add_partners(d, d->a.eqns.at[a++], d->b.eqns.at[b++], true);
    }
    mem_free(d->mem, line);
}

static void
count(struct diff *d, enum diff_kind kind, bool elsewhere)
{
    d->counts.changed += kind == DIFF_CHANGED;
    d->counts.interface += kind == DIFF_INPUTS || kind == DIFF_OUTPUTS;
    d->counts.added += kind == DIFF_ADDED;
    d->counts.removed += kind == DIFF_REMOVED;
    d->counts.moved += kind == DIFF_MOVED || (elsewhere && kind != DIFF_MOVED);
}

/* adds a step to the items of the pair */
static void
take_step(struct diff *d, u32 pair, u32 i)
{
    const struct diff_step *step = &d->steps.at[i];
    struct diff_item item = {.kind = DIFF_SAME, .a = step->a, .b = step->b, .at_a = NONE, .at_b = NONE};
    if (step->odd != NONE)
        item = d->odd.at[step->odd];
    finish_item(d, &item);
    push_item(d, &d->pairs.at[pair], &item);
}

/* adds the steps that differ, and their context, to the items */
static void
take_steps(struct diff *d, u32 pair)
{
    u32 next = 0; /* earlier steps are items already, or too far away */
    for (u32 i = 0; i < d->steps.n; i++) {
        if (d->steps.at[i].odd == NONE)
            continue;
        const struct diff_item *odd = &d->odd.at[d->steps.at[i].odd];
        count(d, odd->kind, odd->elsewhere);
        u32 around = odd->kind == DIFF_RETYPED && !odd->named ? 0 : d->context;
        for (u32 k = i > around && i - around > next ? i - around : next; k < i; k++)
            if (around > 0)
                take_step(d, pair, k);
        take_step(d, pair, i);
        next = i + 1;
        while (next < d->steps.n && next - i <= around && d->steps.at[next].odd == NONE)
            take_step(d, pair, next++);
    }
}

/* ---- binders and outputs ---------------------------------------------------------------------------------------- */

static void
change_binder(struct diff *d, u32 i, var_t a, var_t b)
{
    struct slice from = {"", 0}, to = {"", 0};
    if (a != NONE)
        from = diff_binder_text(&d->a, a);
    if (b != NONE)
        to = diff_binder_text(&d->b, b);
    diff_add_change(d, WHAT_BINDER, i, (struct slice){"", 0}, from, to);
}

static struct diff_item
interface_item(enum diff_kind kind)
{
    return (struct diff_item){.kind = kind, .a = NONE, .b = NONE, .at_a = NONE, .at_b = NONE};
}

/* adds an item for binders that differ; constants of the main program are equivalent to arguments */
static void
compare_inputs(struct diff *d, u32 pair)
{
    const struct jaxpr *ja = &d->a.m->jaxprs.at[d->pairs.at[pair].a], *jb = &d->b.m->jaxprs.at[d->pairs.at[pair].b];
    struct diff_item item = interface_item(DIFF_INPUTS);
    u32 n = jaxpr_binders(ja), m = jaxpr_binders(jb);
    bool types = true;
    item.changes = d->changes.n;
    for (u32 i = 0; i < n; i++) {
        var_t a = ja->vars + i, b = d->a.partner[a];
        if (b == NONE || !diff_same_type(d, d->a.m->vars.at[a].type, d->b.m->vars.at[b].type)) {
            change_binder(d, i, a, b);
            types = types && b != NONE;
        }
    }
    for (u32 i = 0; i < m; i++)
        if (d->b.partner[jb->vars + i] == NONE) {
            change_binder(d, i, NONE, jb->vars + i);
            types = false;
        }
    item.n_changes = d->changes.n - item.changes;
    bool counts = !d->pairs.at[pair].main && ja->n_consts != jb->n_consts && n == m;
    if (item.n_changes == 0 && !counts)
        return;
    if (types && !counts && d->pairs.at[pair].follows)
        item.retyped = true;
    else
        count(d, DIFF_INPUTS, false);
    item.from = diff_binders_text(&d->a, d->pairs.at[pair].a);
    item.to = diff_binders_text(&d->b, d->pairs.at[pair].b);
    push_item(d, &d->pairs.at[pair], &item);
}

static void
compare_outputs(struct diff *d, u32 pair)
{
    const struct jaxpr *ja = &d->a.m->jaxprs.at[d->pairs.at[pair].a], *jb = &d->b.m->jaxprs.at[d->pairs.at[pair].b];
    struct diff_item item = interface_item(DIFF_OUTPUTS);
    item.changes = d->changes.n;
    diff_atoms(d, WHAT_OUTPUT, &(struct diff_operands){NONE, ja->outs, ja->n_outs},
               &(struct diff_operands){NONE, jb->outs, jb->n_outs});
    item.n_changes = d->changes.n - item.changes;
    if (item.n_changes == 0)
        return;
    count(d, DIFF_OUTPUTS, false);
    item.from = diff_outputs_text(&d->a, d->pairs.at[pair].a);
    item.to = diff_outputs_text(&d->b, d->pairs.at[pair].b);
    push_item(d, &d->pairs.at[pair], &item);
}

/* ---- what goes without saying ----------------------------------------------------------------------------------- */

/* whether an item, including its nested programs, consists only of types that follow from others */
static bool
is_suppressed(const struct diff *d, const struct diff_item *item)
{
    if (item->elsewhere || item->named)
        return false;
    if (item->kind != DIFF_INSIDE)
        return item->kind == DIFF_RETYPED || (item->kind == DIFF_INPUTS && item->retyped);
    for (u32 i = 0; i < item->n_inners; i++)
        if (!d->pairs.at[d->inners.at[item->inners + i].pair].quiet)
            return false;
    return true;
}

/* walks the items of a pair in one direction: context is hidden unless a visible change is near */
static void
suppress_context(struct diff *d, const struct diff_pair *pair, bool forward)
{
    u32 far = d->context;
    for (u32 k = 0; k < pair->n_items; k++) {
        struct diff_item *item = &d->items.at[pair->items + (forward ? k : pair->n_items - 1 - k)];
        if (item->kind != DIFF_SAME)
            far = item->quiet || item->head.n == 0 ? d->context : 0;
        else if (far < d->context)
            item->quiet = false, far++;
        else if (forward)
            item->quiet = true;
    }
}

/* finds the items to hide: nested pairs come after those that contain them, so the last pair is processed first */
static void
suppress(struct diff *d, u32 first)
{
    for (u32 i = d->pairs.n; i-- > first;) {
        struct diff_pair *pair = &d->pairs.at[i];
        pair->quiet = true;
        for (u32 k = pair->items; k < pair->items + pair->n_items; k++) {
            struct diff_item *item = &d->items.at[k];
            item->quiet = is_suppressed(d, item);
            pair->retyped += item->quiet && item->kind != DIFF_INPUTS;
            pair->quiet &= item->quiet || item->kind == DIFF_SAME;
        }
        suppress_context(d, pair, true);
        suppress_context(d, pair, false);
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void
compare_pair(struct diff *d, u32 pair)
{
    jaxpr_t a = d->pairs.at[pair].a, b = d->pairs.at[pair].b;
    struct diff_alignment operands = d->pairs.at[pair].aligned;
    diff_match(d, a, b, &operands);
    diff_rename(d, a, b);
    d->pairs.at[pair].items = d->items.n;
    compare_inputs(d, pair);
    if (!d->interface) {
        make_steps(d);
        diff_show_captured(&d->b);
        take_steps(d, pair);
        diff_hide_captured(&d->b);
    }
    compare_outputs(d, pair);
}

bool
diff_same(struct diff *d, program_t a, program_t b)
{
    struct digest x = diff_side_digest(&d->a, a), y = diff_side_digest(&d->b, b);
    return memcmp(x.bytes, y.bytes, sizeof x.bytes) == 0;
}

/* hashes two programs; true if the hashes are equal */
static bool
hash_both(struct diff *d, program_t a, program_t b)
{
    diff_side_program(&d->a, a);
    diff_side_program(&d->b, b);
    return d->a.program[d->a.main] == d->b.program[d->b.main];
}

u32
diff_programs(struct diff *d, program_t a, program_t b, bool differ)
{
    d->a.by_digest = d->b.by_digest = false;
    bool alike = hash_both(d, a, b);
    if (alike || (d->a.symmetric && d->b.symmetric)) {
        if (diff_same(d, a, b) && !differ)
            return NONE;
        d->a.by_digest = d->b.by_digest = true;
        hash_both(d, a, b);
    }
    diff_side_print(&d->a, a);
    diff_side_print(&d->b, b);
    d->following = false;
    d->operands = (struct diff_alignment){0};
    u32 first = d->pairs.n, items = d->items.n, pair = diff_add_pair(d, d->a.main, d->b.main);
    d->pairs.at[pair].main = true;
    for (u32 i = first; i < d->pairs.n; i++)
        compare_pair(d, i);
    suppress(d, first);
    diff_shared(d, a, b, pair, items);
    return pair;
}
