/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences of jaxpr_change.h: the programs of two streams, their keys, and the output for all of them. */
#include "api/closed.h"

#include "base/visible.h"
#include "diff/diff.h"

/* Two compared programs: their numbers in their streams, NONE if only the other side has the program. */
struct comparison {
    u32 a, b;
    bool equal, moved;
    u32 pair; /* NONE if they are equal */
};

struct jx_differences {
    jx_module *a, *b;
    struct jx_diff_counts counts;
    VEC(struct jx_difference) list;
    VEC(struct jx_change) changes;
};

struct diffing {
    jx_module *a, *b;
    struct closed closed_a, closed_b;
    u32 *same_a, *same_b; /* see find_same */
    bool all_same;
    jx_differences *result;
    struct jx_diff_options options;
    struct diff diff;
    struct sink out;
    VEC(struct comparison) list;
    enum jx_status status; /* of making and digesting the copies */
};

/* ---- what the text shows ---- */

/* the bytes a program was read from */
static struct slice
text_of(const jx_module *module, u32 i)
{
    const struct program *p = &module->ir.programs.at[module->stream.at[i]];
    return (struct slice){module->ir.text.at + p->offset, p->end - p->offset};
}

/* notes that program i of one side is program k of the other, if they have the same text; returns whether they have */
static bool
note_same(struct diffing *w, u32 i, u32 k)
{
    if (!slice_eq(text_of(w->a, i), text_of(w->b, k)) || !api_is_readable(w->a, i) || !api_is_readable(w->b, k))
        return false;
    w->same_a[i] = k;
    w->same_b[k] = i;
    return true;
}

/* Finds programs with the same text on both sides, of which nothing is computed: in the same place, or, if one side has
 * more programs, before the first and after the last difference. Other pairs would be wrong: eq compares programs in
 * order, and a program must keep an equal partner with another text. None after passes or errors. */
static void
find_same(struct diffing *w)
{
    u32 n = w->a->stream.n, m = w->b->stream.n, least = n < m ? n : m, i = 0;
    w->same_a = mem_nones(&w->a->mem, n + 1ull);
    w->same_b = mem_nones(&w->a->mem, m + 1ull);
    if (w->options.passes != 0 || w->a->diags.errors > 0 || w->b->diags.errors > 0)
        return;
    u32 found = 0;
    for (; i < least && (note_same(w, i, i) || n == m); i++)
        found += w->same_a[i] != NONE;
    for (u32 k = 1; k <= least - i && note_same(w, n - k, m - k);)
        k++;
    w->all_same = n == m && found == n;
}

/* ---- what eq knows ---- */

static struct jx_compare_options
compare_options(const struct diffing *w)
{
    return (struct jx_compare_options){
        .dce = w->options.dce, .commute = w->options.commute, .without = w->options.without};
}

/* makes copies of programs that eq would have to change before it compares their digests; few are, and all are also
 * compared as printed */
static void
close_copies(struct diffing *w)
{
    const struct jx_compare_options how = compare_options(w);
    if (w->options.passes != 0 ||
        !closed_due(&w->closed_a, &w->closed_b, w->a, w->b, (const u32 *const[]){w->same_a, w->same_b}, &how))
        return;
    w->status = closed_make(&w->closed_a, w->a, &how);
    if (w->status == JX_OK)
        w->status = closed_make(&w->closed_b, w->b, &how);
}

/* needed: see closed_digest */
static void
digest_copies(struct diffing *w, const u8 *const needed[2])
{
    const struct jx_compare_options how = compare_options(w);
    if (w->closed_a.module != NULL)
        w->status = closed_digest(&w->closed_a, &w->closed_b, needed, &how);
}

static bool
is_left_out(const struct closed *closed, u32 i)
{
    return closed->module != NULL && closed->left_out[i];
}

/* compares two programs that can be read: the number of their pair, NONE if eq finds them equal */
static u32
compare_programs(struct diffing *w, const struct comparison *c)
{
    program_t a = w->a->stream.at[c->a], b = w->b->stream.at[c->b];
    if (w->same_a[c->a] != NONE)
        return NONE;
    struct slice x = closed_digest_of(&w->closed_a, c->a), y = closed_digest_of(&w->closed_b, c->b);
    bool known = x.n && y.n;
    bool apart = (x.n && is_left_out(&w->closed_b, c->b)) || (y.n && is_left_out(&w->closed_a, c->a));
    if (known ? slice_eq(x, y) : c->equal && diff_same(&w->diff, a, b))
        return NONE;
    const struct diff_counts before = w->diff.counts;
    u32 n = w->diff.pairs.n, pair = diff_programs(&w->diff, a, b, known || apart || c->equal);
    bool counted = memcmp(&before, &w->diff.counts, sizeof before) != 0;
    if (pair == NONE || counted || known || apart || c->equal || !diff_same(&w->diff, a, b))
        return pair;
    w->diff.pairs.n = n; /* the hashes distinguished what eq finds equal */
    return NONE;
}

/* ---- which with which ---- */

/* the name of the function called by a program that is a single call, as jitted functions print; else empty */
static struct slice
name_of(const jx_module *module, u32 i)
{
    const struct module *m = &module->ir;
    if (!api_is_readable(module, i))
        return (struct slice){"", 0};
    const struct jaxpr *main = &m->jaxprs.at[m->programs.at[module->stream.at[i]].main];
    param_t name = main->n_eqns == 1 ? eqn_param(m, main->eqns, SLICE("name")) : NONE;
    return name == NONE ? (struct slice){"", 0} : module_bytes(m, m->params.at[name].span);
}

/* Contents of programs without a hash: of those that both sides have, by number on the first, and of those that cannot
 * be read, by number on their side. */
enum { SAME = 1, ALONE_A, ALONE_B };

/* The keys by which the programs of a module are found. */
struct known {
    struct diff_stream stream;
    u8 *symmetric; /* of each program: set if its hash may be too coarse */
};

/* fills the keys that need no digest. `same`: see find_same; `first`: whether the module is the first */
static void
know_stream(struct known *known, jx_module *module, struct diff_side *side, const u32 *same, bool first,
            struct mem *mem)
{
    u32 n = module->stream.n;
    u64 *content = mem_alloc(mem, (n + 1) * sizeof *content), *name = mem_alloc(mem, (n + 1) * sizeof *name);
    *known = (struct known){{content, name, n, first ? same : NULL}, mem_zeroed(mem, n + 1ull)};
    for (u32 i = 0; i < n; i++) {
        u32 key = first || same[i] == NONE ? i : same[i];
        content[i] = hash_seeded(side->seed + (same[i] != NONE ? SAME : first ? ALONE_A : ALONE_B), key) | 1;
        name[i] = 0;
        if (!api_is_readable(module, i))
            continue;
        if (same[i] == NONE) {
            diff_side_program(side, module->stream.at[i]);
            content[i] = side->program[side->main] | 1;
            known->symmetric[i] = side->symmetric;
        }
        struct slice called = name_of(module, i);
        name[i] = called.n > 0 ? hash_slice(side->seed, called) | 1 : 0;
    }
}

/* replaces hashes by digests where these were computed, as they are more exact */
static void
know_digests(const struct known *known, const struct closed *closed, u64 seed)
{
    for (u32 i = 0; i < known->stream.n; i++) {
        struct slice digest = closed_digest_of(closed, i);
        if (digest.n > 0)
            known->stream.content[i] = hash_slice(seed, digest) | 1;
    }
}

static void
forget_known(struct known *known, struct mem *mem)
{
    mem_free_all(mem, known->stream.content, known->stream.name, known->symmetric);
}

static void
pair_streams(struct diffing *w)
{
    struct mem *mem = &w->a->mem;
    if (w->a->stream.n == 1 && w->b->stream.n == 1) {
        digest_copies(w, NULL);
        *vec_push(mem, &w->list) = (struct comparison){0, 0, false, false, NONE};
        return;
    }
    struct known a, b;
    know_stream(&a, w->a, &w->diff.a, w->same_a, true, mem);
    know_stream(&b, w->b, &w->diff.b, w->same_b, false, mem);
    digest_copies(w, (const u8 *const[]){a.symmetric, b.symmetric});
    if (w->status == JX_OK) {
        know_digests(&a, &w->closed_a, w->diff.a.seed);
        know_digests(&b, &w->closed_b, w->diff.b.seed);
    }
    struct diff_partners partners = {0};
    diff_streams(mem, &a.stream, &b.stream, &partners);
    for (u32 i = 0; i < partners.n; i++) {
        const struct diff_partner *p = &partners.at[i];
        *vec_push(mem, &w->list) = (struct comparison){p->a, p->b, p->equal, p->moved, NONE};
    }
    vec_free(mem, &partners);
    forget_known(&a, mem);
    forget_known(&b, mem);
}

/* ---- what is written ---- */

static void
write_json_counts(struct diffing *w)
{
    const struct jx_diff_counts *n = &w->result->counts;
    sink_printf(
        &w->out,
        "{\"changed\":%llu,\"added\":%llu,\"removed\":%llu,\"moved\":%llu,\"interface\":%llu,\"programs\":%llu,",
        (unsigned long long)n->changed, (unsigned long long)n->added, (unsigned long long)n->removed,
        (unsigned long long)n->moved, (unsigned long long)n->signature, (unsigned long long)n->programs);
}

static void
write_json(struct diffing *w)
{
    bool first = true;
    write_json_counts(w);
    sink_printf(&w->out, "\"hunks\":[");
    for (u32 i = 0; i < w->list.n && !(w->options.first && !first); i++) {
        const struct comparison *c = &w->list.at[i];
        if (c->a == NONE || c->b == NONE) {
            sink_printf(&w->out, "%s\n{\"kind\":\"%s\",\"program\":%u}", first ? "" : ",",
                        c->a == NONE ? "program-added" : "program-removed", c->a == NONE ? c->b : c->a);
            first = false;
            continue;
        }
        if (c->moved) {
            sink_printf(&w->out, "%s\n{\"kind\":\"program-moved\",\"program\":%u,\"to\":%u}", first ? "" : ",", c->a,
                        c->b);
            first = false;
        }
        if (c->pair != NONE && !(w->options.first && !first))
            diff_write_json(&w->out, &w->diff, c->pair, c->a, &first, w->options.first);
    }
    sink_printf(&w->out, "%s]}\n", first ? "" : "\n");
}

static void
write_stat(struct diffing *w)
{
    const struct jx_diff_counts *n = &w->result->counts;
    sink_printf(&w->out, "%llu changed, %llu added, %llu removed, %llu moved", (unsigned long long)n->changed,
                (unsigned long long)n->added, (unsigned long long)n->removed, (unsigned long long)n->moved);
    if (n->signature > 0)
        sink_printf(&w->out, "; %llu argument or result list%s", (unsigned long long)n->signature,
                    n->signature == 1 ? "" : "s");
    if (n->programs > 0)
        sink_printf(&w->out, "; %llu program%s added, removed or moved", (unsigned long long)n->programs,
                    n->programs == 1 ? "" : "s");
    sink_char(&w->out, '\n');
}

/* a line about files or programs */
static void
write_note(struct diffing *w, const char *color, struct slice text)
{
    if (w->options.color)
        sink_slice(&w->out, slice_of(color));
    write_visible(&w->out, text);
    sink_slice(&w->out, w->options.color ? SLICE("\033[m\n") : SLICE("\n"));
}

/* writes which programs differ, and the name of the first */
static void
write_heading(struct diffing *w, const struct comparison *c)
{
    bool left = c->a != NONE;
    u32 i = left ? c->a : c->b;
    struct slice name = name_of(left ? w->a : w->b, i);
    struct mem *mem = &w->a->mem;
    struct slice text = arena_printf(mem, "%sprogram %u%s%.*s%s",
                                     !left          ? "+"
                                     : c->b == NONE ? "-"
                                                    : "",
                                     i + 1, name.n > 0 ? " (" : "", (int)name.n, name.at, name.n > 0 ? ")" : "");
    if (left && c->b != NONE && (c->a != c->b || c->moved))
        text = arena_printf(mem, "%.*s, %s %u", (int)text.n, text.at, c->moved ? "moved to" : "now", c->b + 1);
    write_note(w, !left ? "\033[32m" : c->b == NONE ? "\033[31m" : "\033[1m", text);
}

static void
write_text(struct diffing *w)
{
    struct mem *mem = &w->a->mem;
    struct slice name_a = w->a->ir.text.name, name_b = w->b->ir.text.name;
    struct diff_style style = {
        .color = w->options.color, .first = w->options.first, .all = w->options.all, .width = w->options.columns};
    bool any = false;
    for (u32 i = 0; i < w->list.n && !(w->options.first && any); i++) {
        const struct comparison *c = &w->list.at[i];
        if (c->a != NONE && c->b != NONE && c->pair == NONE && !c->moved)
            continue;
        if (!any) {
            write_note(w, "\033[1m", arena_printf(mem, "--- %.*s", (int)name_a.n, name_a.at));
            write_note(w, "\033[1m", arena_printf(mem, "+++ %.*s", (int)name_b.n, name_b.at));
        }
        any = true;
        if (w->list.n > 1 || c->pair == NONE)
            write_heading(w, c);
        if (c->pair != NONE)
            diff_write_text(&w->out, &w->diff, c->pair, &style);
    }
}

static void
compare_all(struct diffing *w)
{
    struct jx_diff_counts *n = &w->result->counts;
    for (u32 i = 0; i < w->list.n; i++) {
        struct comparison *c = &w->list.at[i];
        n->programs += c->a == NONE || c->b == NONE || c->moved;
        if (c->a != NONE && c->b != NONE && api_is_readable(w->a, c->a) && api_is_readable(w->b, c->b))
            c->pair = compare_programs(w, c);
        if (c->pair != NONE && w->options.signature && w->diff.pairs.at[c->pair].n_items == 0)
            c->pair = NONE; /* arguments and results do not differ */
        n->unequal += c->pair != NONE;
    }
    const struct diff_counts *k = &w->diff.counts;
    n->changed = k->changed;
    n->added = k->added;
    n->removed = k->removed;
    n->moved = k->moved;
    n->signature = k->interface;
}

/* ---- what is reported of all differences ---- */

static const u8 kinds[] = {
    [DIFF_INPUTS] = JX_DIFFERENCE_INPUTS,   [DIFF_OUTPUTS] = JX_DIFFERENCE_OUTPUTS,
    [DIFF_CHANGED] = JX_DIFFERENCE_CHANGED, [DIFF_INSIDE] = JX_DIFFERENCE_INSIDE,
    [DIFF_ADDED] = JX_DIFFERENCE_ADDED,     [DIFF_REMOVED] = JX_DIFFERENCE_REMOVED,
    [DIFF_MOVED] = JX_DIFFERENCE_MOVED,     [DIFF_RETYPED] = JX_DIFFERENCE_RETYPED,
};

static const u8 parts[] = {
    [WHAT_PRIMITIVE] = JX_CHANGE_PRIMITIVE, [WHAT_PARAMETER] = JX_CHANGE_PARAMETER, [WHAT_OPERAND] = JX_CHANGE_OPERAND,
    [WHAT_TYPE] = JX_CHANGE_TYPE,           [WHAT_BINDER] = JX_CHANGE_BINDER,       [WHAT_OUTPUT] = JX_CHANGE_OUTPUT,
    [WHAT_PROGRAM] = JX_CHANGE_PROGRAM,
};

static void
list_changes(struct diffing *w, const struct diff_item *item)
{
    for (u32 i = 0; i < item->n_changes; i++) {
        const struct diff_change *c = &w->diff.changes.at[item->changes + i];
        *vec_push(&w->a->mem, &w->result->changes) = (struct jx_change){
            .part = (enum jx_change_part)parts[c->what],
            .index = c->index,
            .key = api_string(c->key),
            .from = api_string(c->from),
            .to = api_string(c->to),
        };
    }
}

static void
list_pair(struct diffing *w, const struct diff_pair *pair)
{
    for (u32 i = pair->items; i < pair->items + pair->n_items; i++) {
        const struct diff_item *item = &w->diff.items.at[i];
        if (item->kind == DIFF_SAME)
            continue;
        struct jx_difference d = {
            .kind = (enum jx_difference_kind)kinds[item->kind],
            .program = {NONE, NONE},
            .jaxpr = {pair->a, pair->b},
            .equation = {item->a, item->b},
            .moved = item->elsewhere || item->kind == DIFF_MOVED,
            .head = api_string(item->head),
            .from = api_string(item->from),
            .to = api_string(item->to),
            .changes = item->n_changes,
            .first = w->result->changes.n,
        };
        if (item->kind == DIFF_INPUTS || item->kind == DIFF_OUTPUTS)
            d.equation[0] = d.equation[1] = NONE;
        list_changes(w, item);
        *vec_push(&w->a->mem, &w->result->list) = d;
    }
}

/* lists programs that only one side has or that moved, then the differences inside the others, including nested ones */
static void
list_differences(struct diffing *w)
{
    static const struct jx_string none = {"", 0};
    for (u32 i = 0; i < w->list.n; i++) {
        const struct comparison *c = &w->list.at[i];
        if (c->a != NONE && c->b != NONE && !c->moved)
            continue;
        *vec_push(&w->a->mem, &w->result->list) = (struct jx_difference){
            .kind = c->a == NONE   ? JX_DIFFERENCE_PROGRAM_ADDED
                    : c->b == NONE ? JX_DIFFERENCE_PROGRAM_REMOVED
                                   : JX_DIFFERENCE_PROGRAM_MOVED,
            .program = {c->a, c->b},
            .jaxpr = {NONE, NONE},
            .equation = {NONE, NONE},
            .moved = c->moved,
            .head = none,
            .from = none,
            .to = none,
        };
    }
    for (u32 i = 0; i < w->diff.pairs.n; i++)
        list_pair(w, &w->diff.pairs.at[i]);
}

static void
write_all(struct diffing *w)
{
    bool json = w->options.format == JX_DIFF_JSON, text = w->options.format == JX_DIFF_TEXT;
    if (json || (text && !w->options.all && !w->options.first))
        diff_fold(&w->diff, json);
    if (w->options.format == JX_DIFF_STAT || w->options.format == JX_DIFF_SUMMARY)
        write_stat(w);
    if (json)
        write_json(w);
    else if (text)
        write_text(w);
    else if (w->options.format == JX_DIFF_SUMMARY && w->result->counts.unequal > 0)
        diff_write_summary(&w->out, &w->diff);
}

static void
diff_modules(struct diffing *w)
{
    unsigned ignored = (w->options.dce ? CANON_DCE : 0) | (w->options.commute ? CANON_COMMUTE : 0);
    struct slice without = slice_of(w->options.without != NULL ? w->options.without : "");
    diff_init(&w->diff, &w->a->mem, &w->a->ir, &w->b->ir, ignored, without);
    w->diff.interface = w->options.signature;
    w->diff.first = w->options.first;
    w->diff.context = w->options.context ? w->options.context - 1 : 3;
    if (!w->all_same) {
        pair_streams(w);
        if (w->status == JX_OK) {
            compare_all(w);
            list_differences(w);
        }
    }
    if (w->status == JX_OK)
        write_all(w);
    diff_end(&w->diff);
    vec_free(&w->a->mem, &w->list);
}

/* both modules allocate: if either runs out of memory, the comparison stops */
static void
work_diff(void *arg)
{
    struct diffing *w = arg;
    w->b->mem.oom = w->a->mem.oom;
    api_resolve(w->a, LEVEL_ERROR);
    api_resolve(w->b, LEVEL_ERROR);
    api_sort_diagnostics(w->a);
    api_sort_diagnostics(w->b);
    comments_anchor(&w->a->ir);
    comments_anchor(&w->b->ir);
    find_same(w);
    if (!w->all_same)
        close_copies(w);
    if (w->status == JX_OK)
        diff_modules(w);
}

/* runs the requested passes on a side */
static enum jx_status
rewrite(const struct diffing *w, jx_module *side)
{
    const struct jx_normal_options how = {.passes = w->options.passes};
    struct jx_rewrite *result;
    enum jx_status status = api_result(side, api_rewrite_size(), (void **)&result);
    return status == JX_OK ? api_normalize(side, &how, api_discard, NULL, result) : status;
}

/* compares two modules that may be changed */
static enum jx_status
compare(struct diffing *w, jx_write_fn write, void *user)
{
    jx_module *a = w->a, *b = w->b;
    enum jx_status status = api_result(a, sizeof *w->result, (void **)&w->result);
    if (status == JX_OK && w->options.passes != 0)
        status = rewrite(w, a);
    if (status == JX_OK && w->options.passes != 0)
        status = rewrite(w, b);
    if (status != JX_OK)
        return status;
    *w->result = (jx_differences){.a = a, .b = b};
    if (b->lost)
        return api_left(&b->mem);
    status = api_write(a, &w->out, write, user, work_diff, w);
    b->mem.oom = NULL;
    b->lost |= a->lost;
    api_release(w->closed_a.module);
    api_release(w->closed_b.module);
    return status == JX_OK ? w->status : status;
}

static enum jx_status
read_options(jx_module *a, jx_module *b, const struct jx_diff_options *given, struct jx_diff_options *options)
{
    enum jx_status status = api_options(a->context, options, sizeof *options, given);
    if (status == JX_OK)
        status = api_enum(a->context, options->format, JX_DIFF_SUMMARY, "`format` is not an enum jx_diff_form");
    if (status == JX_OK && api_intact(b) != JX_OK)
        status = api_misuse(a->context, "the programs of `b` were changed in place by an earlier call; read its text "
                                        "again");
    return status;
}

enum jx_status
jx_diff(jx_module *a, jx_module *b, const struct jx_diff_options *options, jx_write_fn write, void *user,
        jx_differences **differences)
{
    struct diffing w = {.result = NULL};
    if (a == NULL || b == NULL || differences == NULL || a == b)
        return api_misuse(a == NULL ? NULL : a->context,
                          a == b ? "a module is compared with itself" : "`b` or `differences` is NULL");
    *differences = NULL;
    enum jx_status status = read_options(a, b, options, &w.options);
    if (status == JX_OK)
        status = api_changeable(a, w.options.in_place, &w.a);
    if (status == JX_OK)
        status = api_changeable(b, w.options.in_place, &w.b);
    if (status == JX_OK)
        status = compare(&w, write != NULL ? write : api_discard, user);
    if (status == JX_OK) {
        *differences = w.result;
        return JX_OK;
    }
    api_release(w.a);
    api_release(w.b);
    return status;
}

jx_module *
jx_differences_module(jx_differences *differences, bool second)
{
    return differences == NULL ? NULL : second ? differences->b : differences->a;
}

void
jx_differences_free(jx_differences *differences)
{
    if (differences == NULL)
        return;
    jx_module *a = differences->a;
    api_release(differences->b);
    api_release(a);
}

bool(jx_differences_counts)(const jx_differences *differences, struct jx_diff_counts *counts, size_t size)
{
    return differences != NULL && api_answer(counts, size, &differences->counts, sizeof differences->counts);
}

bool(jx_difference_at)(const jx_differences *differences, uint32_t i, struct jx_difference *answer, size_t size)
{
    return differences != NULL && i < differences->list.n &&
           api_answer(answer, size, &differences->list.at[i], sizeof *differences->list.at);
}

bool(jx_change_at)(const jx_differences *differences, uint32_t i, uint32_t k, struct jx_change *answer, size_t size)
{
    const struct jx_difference *d = differences != NULL && i < differences->list.n ? &differences->list.at[i] : NULL;
    return d != NULL && k < d->changes &&
           api_answer(answer, size, &differences->changes.at[d->first + k], sizeof *differences->changes.at);
}
