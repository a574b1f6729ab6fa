/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes behind jaxpr.h: each program of the stream is opened, rewritten, shared and named again, and printed. */
#include "api/api.h"

#include "resolve/check.h"
#include "canon/normalize.h"
#include "canon/prepare.h"
#include "canon/respell.h"
#include "print/naming.h"
#include "print/print.h"
#include "rewrite/pass_manager.h"

_Static_assert((unsigned)PASS_REPAIR == JX_PASS_REPAIR && (unsigned)PASS_SPELL == JX_PASS_SPELL,
               "passes as in jaxpr.h");

unsigned
jx_pass_find(const char *name, size_t n)
{
    return pass_find((struct slice){name, n});
}

const char *
jx_pass_at(uint32_t i)
{
    return pass_name(i);
}

struct rewriting {
    jx_module *module;
    struct jx_normal_options options;
    struct canon canon; /* of the canonical form */
    u8 *states;         /* of each program of the stream: enum prepared */
    u8 *verdicts;       /* of each program of the stream: enum program_verdict */
    u32 judged;         /* how many findings there were when the programs had been looked at */
    struct pass_manager passes;
    struct sink untouched;     /* the program as it was, where it may stay so; empty where it did not */
    struct sink before, after; /* a program with errors, and what passes made of it */
    u32 n_changed;
    u32 spliced; /* how much of the text was written */
    struct sink out;
    jx_write_fn write;
    void *user;
    int error;
    enum jx_status status; /* of reading again what passes made of a program with errors */
};

/* prints a program with the widths of the JAX that was asked for; the canonical form has one way to count them */
static void
print_as(struct rewriting *w, struct sink *out, program_t program, const struct print_options *how)
{
    enum { CODE_POINTS = 601 }; /* the last JAX that counted them */
    struct module *m = &w->module->ir;
    struct era read = m->era;
    if (w->options.jax)
        m->era = (struct era){w->options.jax, w->options.jax, w->options.jax <= CODE_POINTS};
    else if (w->options.passes == 0)
        m->era.codepoints = false;
    print_program(out, m, program, how);
    m->era = read;
}

/* the canonical form, where no pass was asked for */
static void
write_normal(struct rewriting *w, program_t program, u32 number)
{
    const struct normal_how normal = {.variables = (w->states[number] & PREPARED_VARIABLES) != 0,
                                      .share = (u8)w->options.share,
                                      .jax = w->options.jax};
    const struct print_options how = {.strip_comments = true};
    normal_program(&w->canon, program, &normal);
    print_as(w, &w->out, program, &how);
    sink_char(&w->out, '\n');
}

/* reports the argument that keeps pass_args_to_consts from its work */
static void
report_staying(struct rewriting *w, program_t program)
{
    struct module *m = &w->module->ir;
    struct diags *ds = &w->module->diags;
    jaxpr_t main = m->programs.at[program].main;
    const struct jaxpr *j = &m->jaxprs.at[main];
    u32 stays = w->passes.with.stays;
    if (stays < j->n_ins) {
        struct span s = jaxpr_binder_span(m, main, j->n_consts + stays);
        diag_add(ds, DIAG_D128, s.at, s.n, "this argument cannot become a constant before its size does");
    } else if (stays == j->n_ins) {
        diag_add(ds, DIAG_D128, j->offset, 1, "%u arguments should become constants, there are %u", w->options.count,
                 j->n_ins);
    }
}

/* runs the passes, closes the program and names its variables; false where one gets stuck. w->untouched gets the
 * program as it was where opening it was all that happened */
static bool
run_passes(struct rewriting *w, program_t program, u32 number)
{
    struct module *m = &w->module->ir;
    struct pass_manager *p = &w->passes;
    p->with.stays = NONE;
    w->untouched.n = 0;
    bool done = passes_run(p, program, w->options.passes);
    if (p->bound)
        w->verdicts[number] |= VERDICT_BOUND;
    if (!done) {
        report_staying(w, program);
        return false;
    }
    if (p->todo == PASS_DCE && !p->open && !p->renames && !w->options.jax) /* there may be nothing to eliminate */
        print_program(&w->untouched, m, program, NULL);
    if (passes_run_open(p, program))
        w->untouched.n = 0;
    if (p->todo & PASS_SPELL && w->options.jax)
        respell_program(&w->canon, program, w->options.jax);
    if (p->open) /* an open program may be far longer than its text */
        share_program(m, program, &p->with.era, false);
    if (w->untouched.n == 0 && (p->open || p->renames))
        rename_program(m, program, &p->with.era, p->with.symbols ? NAMING_SYMBOLS : 0);
    return true;
}

/* true where what passes made of a program has no errors any more */
static bool
cured(struct rewriting *w, program_t program)
{
    jx_module *printed = NULL;
    w->after.n = 0;
    print_as(w, &w->after, program, NULL);
    w->status = jx_read(w->module->context, "", w->after.at, w->after.n, &printed);
    if (w->status == JX_OK)
        w->status = jx_check(printed, NULL);
    bool clean = w->status == JX_OK && jx_diagnostic_count(printed, JX_ERROR) == 0;
    jx_module_free(printed);
    return clean;
}

/* puts a program into the text in the place of what it was */
static void
splice(struct rewriting *w, program_t program)
{
    struct module *m = &w->module->ir;
    const struct program *p = &m->programs.at[program];
    u32 until = p->offset;
    for (u32 i = m->comments.n; i-- > 0 && m->comments.at[i].offset >= w->spliced;)
        if (m->comments.at[i].offset < until) /* print_program prints them */
            until = m->comments.at[i].offset;
    sink_put(&w->out, m->text.at + w->spliced, until - w->spliced);
    print_program(&w->out, m, program, NULL);
    w->spliced = p->end;
}

static void
rewrite(struct rewriting *w, program_t program, u32 number)
{
    struct module *m = &w->module->ir;
    bool ill =
        w->verdicts[number] & VERDICT_ILL_TYPED && w->options.passes & PASSES_TYPED && !m->programs.at[program].excerpt;
    w->before.n = 0;
    if (ill)
        print_program(&w->before, m, program, NULL);
    bool done = run_passes(w, program, number), changed = w->passes.open || w->passes.changed;
    if (ill && (!done || !cured(w, program))) {
        w->verdicts[number] = VERDICT_STANDS;
        if (w->options.splice)
            return;
        w->untouched.n = 0;
        sink_put(&w->untouched, w->before.at, w->before.n);
    } else if (!done) {
        return;
    }
    if (w->untouched.n) {
        sink_put(&w->out, w->untouched.at, w->untouched.n);
        sink_char(&w->out, '\n');
        return;
    }
    w->n_changed += changed;
    if (!w->options.splice) {
        print_as(w, &w->out, program, NULL);
        sink_char(&w->out, '\n');
    } else if (changed) {
        splice(w, program);
    }
}

/* looks for errors of sizes and types, which only passes that go by types are kept from; the module must be as it was
 * read */
static void
judge(struct rewriting *w)
{
    static const struct check_options plain;
    struct diags *ds = &w->module->diags;
    check_dims(&w->module->ir, &plain, ds);
    check_types(&w->module->ir, &plain, ds);
    diags_sort(ds);
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        if (d->level == LEVEL_ERROR && d->program < w->module->stream.n)
            w->verdicts[d->program] |= VERDICT_ILL_TYPED;
    }
}

/* makes programs ready for their canonical form; those whose names could not all be bound stay as broken as they are */
static void
prepare(struct rewriting *w, u8 *broken)
{
    w->states = lib_prepare(w->module);
    for (u32 i = 0; i < w->module->stream.n; i++)
        broken[i] = broken[i] && w->states[i] & (PREPARED_SKIP | PREPARED_UNBOUND);
    canon_init(&w->canon, &w->module->ir, 0, (struct slice){"", 0});
}

static void
work_normalize(void *arg)
{
    struct rewriting *w = arg;
    jx_module *module = w->module;
    check_scopes(&module->ir, &module->diags);
    struct era era = *module_era(&module->ir); /* while it is as it was read */
    if (w->options.jax)
        era.low = era.high = w->options.jax;
    diags_sort(&module->diags);
    u8 *broken = lib_broken(module, w->options.passes & PASSES_BINDING);
    sink_init_writer(&w->out, &module->mem, w->write, w->user);
    sink_init_memory(&w->untouched, &module->mem);
    sink_init_memory(&w->before, &module->mem);
    sink_init_memory(&w->after, &module->mem);
    if (w->options.passes == 0 || w->options.passes & PASS_SPELL)
        classes_unfold(&module->ir, w->options.jax);
    if (w->options.passes == 0)
        prepare(w, broken);
    else
        passes_init(&w->passes, &module->ir);
    w->passes.with.era = era;
    w->passes.with.count = w->options.count;
    w->verdicts = mem_zeroed(&module->mem, module->stream.n + 1);
    if (w->options.passes & PASSES_TYPED && !module->rewritten)
        judge(w);
    module->rewritten = true;
    w->judged = module->diags.list.n;
    if (w->options.passes & PASS_SPELL)
        canon_init(&w->canon, &module->ir, 0, (struct slice){"", 0});
    for (u32 i = 0; i < module->stream.n && w->out.error == 0 && w->status == JX_OK; i++) {
        if (!broken[i] && w->options.passes == 0)
            write_normal(w, module->stream.at[i], i);
        else if (!broken[i])
            rewrite(w, module->stream.at[i], i);
    }
    if (w->options.passes)
        lib_forget_cured(&module->diags, w->verdicts, w->judged);
    if (w->options.splice)
        sink_put(&w->out, module->ir.text.at + w->spliced, module->ir.text.n - w->spliced);
    if (w->options.changed)
        *w->options.changed = w->n_changed;
    if (w->options.passes == 0) {
        canon_end(&w->canon);
        mem_free(&module->mem, w->states);
    } else {
        passes_end(&w->passes);
        if (w->options.passes & PASS_SPELL)
            canon_end(&w->canon);
    }
    mem_free(&module->mem, broken);
    mem_free(&module->mem, w->verdicts);
    w->error = sink_flush(&w->out);
    mem_free(&module->mem, w->out.at);
    mem_free(&module->mem, w->untouched.at);
    mem_free(&module->mem, w->before.at);
    mem_free(&module->mem, w->after.at);
}

enum jx_status
jx_normalize(jx_module *module, const struct jx_normal_options *options, jx_write_fn write, void *user)
{
    struct rewriting w = {.module = module, .write = write, .user = user};
    lib_options(&w.options, sizeof w.options, options);
    enum jx_status status = lib_run(module, work_normalize, &w);
    if (status == JX_OK)
        status = w.status;
    return status == JX_OK && w.error != 0 ? JX_WRITE_FAILED : status;
}
