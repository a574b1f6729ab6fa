/* SPDX-License-Identifier: Apache-2.0
 *
 * Differences behind jaxpr.h: which program of one stream is compared with which of the other, and what is written of
 * all of them. The streams go side by side; where one is longer, equal programs are found first. */
#include "lib.h"

#include "check/check.h"
#include "diff/compare.h"

/* Two programs that were compared: numbers in their streams, NONE for one that only one side has. */
struct comparison {
    u32 a, b;
    u32 pair; /* NONE where they are the same */
};

struct diffing {
    jx_module *a, *b;
    struct jx_diff_options options;
    struct jx_diff_counts *counts;
    struct diff diff;
    struct sink out;
    VEC(struct comparison) list;
    jx_write_fn write;
    void *user;
    int error;
};

static bool
is_readable(const jx_module *module, u32 i)
{
    const struct program *p = &module->ir.programs.at[module->stream.at[i]];
    return !p->broken && p->main != NONE;
}

/* ---- which with which ------------------------------------------------------------------------------------------- */

static void
add_comparison(struct diffing *w, u32 a, u32 b)
{
    *vec_push(&w->a->mem, &w->list) = (struct comparison){a, b, NONE};
}

/* Two streams being brought into line, and how far. */
struct streams {
    struct diffing *w;
    u32 a, b;
};

/* what lies between two programs that are equal: one with the other as long as there are two */
static void
add_between(struct streams *s, u32 end_a, u32 end_b)
{
    while (s->a < end_a || s->b < end_b) {
        bool left = s->a < end_a, right = s->b < end_b;
        add_comparison(s->w, left ? s->a : NONE, right ? s->b : NONE);
        s->a += left;
        s->b += right;
    }
}

static void
take_equal(void *arg, u32 a, u32 b)
{
    struct streams *s = arg;
    add_between(s, a, b);
    add_between(s, a + 1, b + 1);
}

static u64 *
hash_stream(struct diffing *w, jx_module *module, struct diff_side *side)
{
    u64 *hashes = mem_alloc(&w->a->mem, (module->stream.n + 1) * sizeof *hashes);
    for (u32 i = 0; i < module->stream.n; i++) {
        hashes[i] = i;
        if (!is_readable(module, i))
            continue;
        diff_side_program(side, module->stream.at[i]);
        hashes[i] = side->program[side->main];
    }
    return hashes;
}

static void
pair_streams(struct diffing *w)
{
    u32 n = w->a->stream.n, m = w->b->stream.n;
    struct streams s = {.w = w};
    if (n != m && n > 0 && m > 0) {
        u64 *a = hash_stream(w, w->a, &w->diff.a), *b = hash_stream(w, w->b, &w->diff.b);
        diff_align(&w->a->mem, a, n, b, m, take_equal, &s);
        mem_free(&w->a->mem, a);
        mem_free(&w->a->mem, b);
    }
    add_between(&s, n, m);
}

/* ---- what is written -------------------------------------------------------------------------------------------- */

static void
put_json_counts(struct diffing *w)
{
    const struct jx_diff_counts *n = w->counts;
    sink_printf(
        &w->out,
        "{\"changed\":%llu,\"added\":%llu,\"removed\":%llu,\"moved\":%llu,\"interface\":%llu,\"programs\":%llu,",
        (unsigned long long)n->changed, (unsigned long long)n->added, (unsigned long long)n->removed,
        (unsigned long long)n->moved, (unsigned long long)n->interface, (unsigned long long)n->programs);
}

static void
put_json(struct diffing *w)
{
    bool first = true;
    put_json_counts(w);
    sink_printf(&w->out, "\"hunks\":[");
    for (u32 i = 0; i < w->list.n && !(w->options.first && !first); i++) {
        const struct comparison *c = &w->list.at[i];
        if (c->a == NONE || c->b == NONE) {
            sink_printf(&w->out, "%s\n{\"kind\":\"%s\",\"program\":%u}", first ? "" : ",",
                        c->a == NONE ? "program-added" : "program-removed", c->a == NONE ? c->b : c->a);
            first = false;
        } else if (c->pair != NONE) {
            diff_put_json(&w->out, &w->diff, c->pair, c->a, &first, w->options.first);
        }
    }
    sink_printf(&w->out, "%s]}\n", first ? "" : "\n");
}

static void
put_stat(struct diffing *w)
{
    const struct jx_diff_counts *n = w->counts;
    sink_printf(&w->out, "%llu changed, %llu added, %llu removed, %llu moved", (unsigned long long)n->changed,
                (unsigned long long)n->added, (unsigned long long)n->removed, (unsigned long long)n->moved);
    if (n->interface > 0)
        sink_printf(&w->out, "; %llu argument%s or result%s", (unsigned long long)n->interface,
                    n->interface == 1 ? "" : "s", n->interface == 1 ? "" : "s");
    if (n->programs > 0)
        sink_printf(&w->out, "; %llu program%s on one side only", (unsigned long long)n->programs,
                    n->programs == 1 ? "" : "s");
    sink_char(&w->out, '\n');
}

/* a line about files or programs */
static void
put_note(struct diffing *w, const char *color, struct slice text)
{
    if (w->options.color)
        sink_slice(&w->out, slice_of(color));
    sink_slice(&w->out, text);
    sink_slice(&w->out, w->options.color ? SLICE("\033[m\n") : SLICE("\n"));
}

static void
put_text(struct diffing *w)
{
    struct mem *mem = &w->a->mem;
    struct slice name_a = w->a->ir.text.name, name_b = w->b->ir.text.name;
    struct diff_style style = {.color = w->options.color, .first = w->options.first, .width = w->options.columns};
    bool any = false;
    for (u32 i = 0; i < w->list.n && !(w->options.first && any); i++) {
        const struct comparison *c = &w->list.at[i];
        if (c->a != NONE && c->b != NONE && c->pair == NONE)
            continue;
        if (!any) {
            put_note(w, "\033[1m", arena_printf(mem, "--- %.*s", (int)name_a.n, name_a.at));
            put_note(w, "\033[1m", arena_printf(mem, "+++ %.*s", (int)name_b.n, name_b.at));
        }
        any = true;
        if (c->a == NONE)
            put_note(w, "\033[32m", arena_printf(mem, "+program %u", c->b + 1));
        else if (c->b == NONE)
            put_note(w, "\033[31m", arena_printf(mem, "-program %u", c->a + 1));
        else if (c->a != c->b)
            put_note(w, "\033[1m", arena_printf(mem, "program %u, now %u", c->a + 1, c->b + 1));
        else if (w->list.n > 1)
            put_note(w, "\033[1m", arena_printf(mem, "program %u", c->a + 1));
        if (c->pair != NONE)
            diff_put_text(&w->out, &w->diff, c->pair, &style);
    }
}

static void
compare_all(struct diffing *w)
{
    struct jx_diff_counts *n = w->counts;
    for (u32 i = 0; i < w->list.n; i++) {
        struct comparison *c = &w->list.at[i];
        if (c->a == NONE || c->b == NONE)
            n->programs++;
        else if (is_readable(w->a, c->a) && is_readable(w->b, c->b))
            c->pair = diff_programs(&w->diff, w->a->stream.at[c->a], w->b->stream.at[c->b]);
        if (c->pair != NONE && w->options.interface && w->diff.pairs.at[c->pair].n_items == 0)
            c->pair = NONE; /* differs inside only */
        n->unequal += c->pair != NONE;
    }
    const struct diff_counts *k = &w->diff.counts;
    n->changed = k->changed;
    n->added = k->added;
    n->removed = k->removed;
    n->moved = k->moved;
    n->interface = k->interface;
}

static void
diff_streams(struct diffing *w)
{
    diff_init(&w->diff, &w->a->mem, &w->a->ir, &w->b->ir, slice_of(w->options.without ? w->options.without : ""));
    w->diff.interface = w->options.interface;
    w->diff.context = w->options.context ? w->options.context - 1 : 3;
    pair_streams(w);
    compare_all(w);
    sink_init_writer(&w->out, &w->a->mem, w->write, w->user);
    if (w->options.format == JX_DIFF_JSON)
        put_json(w);
    else if (w->options.format == JX_DIFF_STAT)
        put_stat(w);
    else
        put_text(w);
    diff_end(&w->diff);
    w->error = sink_flush(&w->out);
    mem_free(&w->a->mem, w->out.at);
    vec_free(&w->a->mem, &w->list);
}

/* both modules allocate: whichever runs out of memory ends the work of both */
static void
work_diff(void *arg)
{
    struct diffing *w = arg;
    w->b->mem.oom = w->a->mem.oom;
    check_scopes(&w->a->ir, &w->a->diags);
    check_scopes(&w->b->ir, &w->b->diags);
    diags_sort(&w->a->diags);
    diags_sort(&w->b->diags);
    diff_streams(w);
}

enum jx_status
jx_diff(jx_module *a, jx_module *b, const struct jx_diff_options *options, struct jx_diff_counts *counts,
        jx_write_fn write, void *user)
{
    struct diffing w = {.a = a, .b = b, .counts = counts, .write = write, .user = user};
    lib_options(&w.options, sizeof w.options, options);
    *counts = (struct jx_diff_counts){0};
    if (b->lost)
        return JX_OUT_OF_MEMORY;
    enum jx_status status = lib_run(a, work_diff, &w);
    b->mem.oom = NULL;
    b->lost |= a->lost;
    return status == JX_OK && w.error != 0 ? JX_WRITE_FAILED : status;
}
