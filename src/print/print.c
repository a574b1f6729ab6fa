/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry points of src/print: one program, or all of a stream. It computes what layout needs: the unit of width,
 * the widths of pasted programs, comments, and the maximum indentation. Linear. */
#include "print/printer.h"

/* Indentation grows with nesting, so hostile text could require quadratic output. It stops growing at a column that
 * depends only on the size of the program, not on the text's layout: 1024 columns up to 100 000 lines, never below
 * SHALLOWEST. Programs that JAX can trace and print need far less. */
enum { DEEPEST = 1024, BLANKS = 1 << 27 };

enum { WIDEST = 1 << 27 };

/* true if a program may contain non-ASCII bytes: only then code points and bytes differ */
static bool
has_wide_bytes(const struct module *m, const struct program *g)
{
    if (m->extra.n > 0 || g->end > m->text.n || g->offset > g->end)
        return true;
    const char *at = m->text.at + g->offset;
    size_t i = 0, n = g->end - g->offset;
    u64 all = 0, word;
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, at + i, 8);
        all |= word;
    }
    for (; i < n; i++)
        all |= (u8)at[i];
    return (all & 0x8080808080808080u) != 0;
}

u32
deepest_column(struct printer *p)
{
    const struct module *m = p->m;
    const struct program *g = &m->programs.at[p->program];
    u64 lines = 1;
    struct walk w;
    walk_start_program(&w, m, g);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE; lines += 4)
        for (eqn_t e = m->jaxprs.at[j].eqns; e != NONE; e = m->eqns.at[e].next, lines++)
            for (param_t v = m->eqns.at[e].params; v != NONE; v = m->params.at[v].next)
                lines++;
    walk_end(&w);
    u64 column = BLANKS / lines;
    return column > DEEPEST ? DEEPEST : column < SHALLOWEST ? SHALLOWEST : (u32)column;
}

/* The two layout engines: one counts code points, the other bytes, and only one keeps groups with comments from being
 * flat. */
enum engine { ENGINE_PYTHON, ENGINE_C };

/* the versions whose layout is used for a program */
static struct version_range
laid_out_as(const struct module *m, program_t program, const struct print_options *options)
{
    return options && range_given(options->versions) ? options->versions : m->programs.at[program].versions;
}

static void
printer_init(struct printer *p, struct sink *out, struct module *m, program_t program,
             const struct print_options *options, enum engine engine)
{
    *p = (struct printer){.out = out, .m = m, .program = program, .width = PRINT_WIDTH};
    p->versions = laid_out_as(m, program, options);
    if (options && options->width)
        p->width = options->width < WIDEST ? options->width : WIDEST;
    p->widest = p->width > PRINT_WIDTH ? p->width : PRINT_WIDTH;
    p->sparse = engine == ENGINE_PYTHON;
    p->codepoints = engine == ENGINE_PYTHON && has_wide_bytes(m, &m->programs.at[program]);
}

void
printer_end(struct printer *p)
{
    struct mem *mem = p->m->mem;
    mem_free_all(mem, p->stack.at, p->measuring.at, p->programs.at, p->flat.slots, p->lengths.slots);
}

/* adds the programs pasted into parameters of a jaxpr and its nested jaxprs, outer before inner */
static void
collect_pasted(struct printer *p, jaxpr_t root)
{
    struct module *m = p->m;
    struct walk w;
    walk_start(&w, m, root);
    for (jaxpr_t j; (j = walk_next(&w)) != NONE;)
        for (eqn_t e = m->jaxprs.at[j].eqns; (e = eqn_with_params(m, e)) != NONE; e = m->eqns.at[e].next)
            for (param_t v = m->eqns.at[e].params; v != NONE; v = m->params.at[v].next)
                for (u32 s = m->params.at[v].kind == PARAM_MIXED ? m->params.at[v].a : NONE; s != NONE;
                     s = m->segments.at[s].next)
                    if (m->segments.at[s].kind == SEGMENT_PROGRAM)
                        *vec_push(m->mem, &p->programs) = m->segments.at[s].a;
    walk_end(&w);
}

static void
collect_program(struct printer *p, program_t program)
{
    const struct program *g = &p->m->programs.at[program];
    for (u32 i = 0; i < g->n_lets; i++)
        if (p->m->lets.at[g->lets + i].jaxpr != NONE)
            collect_pasted(p, p->m->lets.at[g->lets + i].jaxpr);
    if (g->main != NONE)
        collect_pasted(p, g->main);
}

/* The state of a writer that only counts columns. */
struct counter {
    const struct printer *p;
    size_t columns;
};

static int
count_columns(void *user, const char *bytes, size_t n)
{
    struct counter *c = user;
    c->columns += text_width(c->p, (struct slice){bytes, n});
    return 0;
}

/* computes the widths of the programs pasted into parameters of a program, innermost first */
static void
size_pasted(struct printer *p, program_t program)
{
    struct sink *out = p->out, sink;
    u32 width = p->width;
    struct notes *notes = p->notes;
    collect_program(p, program);
    p->sizing = true;
    p->width = PRINT_WIDTH;
    p->notes = NULL;
    p->out = &sink;
    for (u32 i = p->programs.n; i-- > 0;) {
        struct counter counter = {p, 0};
        sink_init_writer(&sink, p->m->mem, count_columns, &counter);
        p->skipped = 0;
        layout_program(p, p->programs.at[i]);
        sink_flush(&sink);
        mem_free(p->m->mem, sink.at);
        memo_set(p->m->mem, &p->lengths, p->programs.at[i], counter.columns + p->skipped);
    }
    p->sizing = false;
    p->width = width;
    p->notes = notes;
    p->out = out;
}

void
printer_begin(struct printer *p, struct sink *out, struct module *m, program_t program)
{
    bool python = range_lacks(m->programs.at[program].versions, JAX_PRINTER_IN_CPP);
    printer_init(p, out, m, program, NULL, python ? ENGINE_PYTHON : ENGINE_C);
    if (m->programs.n > 1)
        size_pasted(p, program);
}

/* prints a program with its comments in the layout of an engine */
static void
print_by(struct sink *out, struct module *m, program_t program, const struct print_options *options, enum engine engine)
{
    struct printer p;
    printer_init(&p, out, m, program, options, engine);
    enum print_comments kept = options ? options->comments : COMMENTS_ALL;
    if (kept != COMMENTS_NONE)
        p.notes = notes_collect(&p, program, kept);
    if (m->programs.n > 1)
        size_pasted(&p, program);
    if (p.notes) {
        struct sink text;
        sink_init_memory(&text, m->mem);
        p.out = &text;
        layout_program(&p, program);
        notes_line(&p);
        notes_merge(&p, out);
        mem_free(m->mem, text.at);
        notes_free(&p);
    } else {
        layout_program(&p, program);
    }
    printer_end(&p);
}

/* If the version is unknown and the engines differ, the layout of the text decides: the engine whose output equals
 * the text printed it. Writes the output and returns true if there is such an engine */
static bool
print_as_found(struct sink *out, struct module *m, program_t program, const struct print_options *options)
{
    const struct program *g = &m->programs.at[program];
    bool found = false;
    if (m->extra.n > 0 || g->end > m->text.n)
        return false;
    for (enum engine engine = ENGINE_PYTHON; engine <= ENGINE_C && !found; engine++) {
        struct sink text;
        sink_init_memory(&text, m->mem);
        print_by(&text, m, program, options, engine);
        found = text.n <= m->text.n - g->offset && memcmp(text.at, m->text.at + g->offset, text.n) == 0;
        if (found)
            sink_write(out, text.at, text.n);
        mem_free(m->mem, text.at);
    }
    return found;
}

/* true if the text of a program has several lines, so that comments can show the engine */
static bool
lines_are_apart(const struct module *m, const struct program *g)
{
    return g->end <= m->text.n && g->end > g->offset && memchr(m->text.at + g->offset, '\n', g->end - g->offset);
}

void
print_program(struct sink *out, struct module *m, program_t program, const struct print_options *options)
{
    const struct program *g = &m->programs.at[program];
    enum print_comments kept = options ? options->comments : COMMENTS_ALL;
    bool comments = m->comments.n > 0 && kept == COMMENTS_ALL;
    struct version_range versions = laid_out_as(m, program, options);
    bool python = range_lacks(versions, JAX_PRINTER_IN_CPP);
    bool open = !python && !range_has(versions, JAX_PRINTER_IN_CPP);
    if (kept != COMMENTS_NONE)
        notes_above(out, m, program, kept);
    if (!(open && (comments || has_wide_bytes(m, g))) || !print_as_found(out, m, program, options)) {
        python |= open && comments && lines_are_apart(m, g);
        print_by(out, m, program, options, python ? ENGINE_PYTHON : ENGINE_C);
    }
    if (kept != COMMENTS_NONE)
        notes_below(out, m, program, kept);
}
