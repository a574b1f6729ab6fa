/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes behind jaxpr.h: each program of the stream is opened, rewritten, shared and named again, and printed. */
#include "lib.h"

#include "check/check.h"
#include "check/resolve.h"
#include "diff/normal.h"
#include "print/naming.h"
#include "print/print.h"
#include "rewrite/rewrite.h"

static const struct {
    const char *name;
    enum jx_pass pass;
} passes[] = {
    {"constants", JX_PASS_CONSTANTS},
    {"dce", JX_PASS_DCE},
    {"repair", JX_PASS_REPAIR},
    {"captures", JX_PASS_CAPTURES},
    {"collapse", JX_PASS_COLLAPSE},
    {"expand", JX_PASS_EXPAND},
    {"lift", JX_PASS_LIFT},
    {"args-to-consts", JX_PASS_ARGS_TO_CONSTS},
};

unsigned
jx_pass_find(const char *name, size_t n)
{
    for (size_t i = 0; i < countof(passes); i++)
        if (slice_eq(slice_of(passes[i].name), (struct slice){name, n}))
            return passes[i].pass;
    return 0;
}

struct rewriting {
    jx_module *module;
    struct jx_normal_options options;
    struct canon canon; /* of the canonical form */
    struct binders scopes[2];
    bool dynamic;       /* some type has a size that is no number */
    struct sink out;
    jx_write_fn write;
    void *user;
    int error;
};

u8 *
lib_broken(jx_module *module, bool unbound)
{
    u32 n = module->stream.n;
    u8 *broken = mem_alloc(&module->mem, n + 1);
    memset(broken, 0, n + 1);
    for (u32 i = 0; i < module->diags.list.n; i++) {
        const struct diag *d = &module->diags.list.at[i];
        if (d->level == LEVEL_ERROR && d->program < n && !(unbound && (d->code == DIAG_S016 || d->code == DIAG_S012)))
            broken[d->program] = 1;
    }
    for (u32 i = 0; i < n; i++)
        broken[i] |= module->ir.programs.at[module->stream.at[i]].main == NONE;
    return broken;
}

/* takes back what check_scopes found and a pass has cured: variables that nested programs capture, and sizes that nobody
 * binds */
static void
forget_unbound(struct diags *ds, u32 number)
{
    u32 kept = 0;
    for (u32 i = 0; i < ds->list.n; i++) {
        struct diag d = ds->list.at[i];
        if ((d.code == DIAG_S016 || d.code == DIAG_S012) && d.program == number)
            ds->errors--;
        else
            ds->list.at[kept++] = d;
    }
    ds->list.n = kept;
}

/* whether sizes are symbols, by the names as they are before passes change them */
static bool
has_symbols(struct rewriting *w, program_t program)
{
    struct module *m = &w->module->ir;
    return !w->dynamic || !dims_are_variables(m, &m->programs.at[program], w->scopes);
}

/* sizes are looked up in tables as large as the module: made once, and only where a type has any */
static void
scopes_init(struct rewriting *w)
{
    struct module *m = &w->module->ir;
    for (u32 i = 0; i < m->types.list.n && !w->dynamic; i++)
        w->dynamic = m->types.list.at[i].dynamic;
    for (u32 i = 0; i < 2 && w->dynamic; i++)
        binders_init(&w->scopes[i], m);
}

static void
scopes_drop(struct rewriting *w)
{
    for (u32 i = 0; i < 2 && w->dynamic; i++)
        binders_drop(&w->scopes[i]);
}

/* makes constants of the first arguments, or says which of them leaves its size behind */
static bool
args_to_consts(struct rewriting *w, program_t program)
{
    struct module *m = &w->module->ir;
    struct diags *ds = &w->module->diags;
    u32 stays = pass_args_to_consts(m, program, w->options.count);
    if (stays == NONE)
        return true;
    jaxpr_t main = m->programs.at[program].main;
    u32 n_ins = m->jaxprs.at[main].n_ins;
    struct span s = jaxpr_binder_span(m, main, m->jaxprs.at[main].n_consts + (stays < n_ins ? stays : 0));
    if (stays < n_ins)
        diag_add(ds, DIAG_D128, s.at, s.n, "this argument cannot become a constant before its size does");
    else
        diag_add(ds, DIAG_D128, m->jaxprs.at[main].offset, 1, "%u arguments should become constants, there are %u",
                 w->options.count, n_ins);
    return false;
}

static void
rewrite(struct rewriting *w, program_t program, u32 number)
{
    struct module *m = &w->module->ir;
    struct era era = *module_era(m);
    if (w->options.passes == 0) {
        normal_program(&w->canon, program, w->options.never_share ? SHARE_NEVER : SHARE_AUTO);
        struct print_options how = {.strip_comments = true};
        print_program(&w->out, m, program, &how);
        sink_char(&w->out, '\n');
        return;
    }
    if (w->options.jax)
        era.low = era.high = w->options.jax;
    bool symbols = has_symbols(w, program);
    bool named = w->options.passes & JX_PASS_REPAIR && pass_repair(m, program);
    if (w->options.passes & JX_PASS_CAPTURES) {
        if (!pass_captures(m, program))
            return;
        forget_unbound(&w->module->diags, number);
        named = true;
    }
    if (w->options.passes & JX_PASS_COLLAPSE)
        pass_collapse(m, program);
    if (w->options.passes & JX_PASS_EXPAND) {
        if (!pass_expand(m, program))
            return;
        forget_unbound(&w->module->diags, number);
        symbols = has_symbols(w, program);
    }
    bool open = w->options.passes & (JX_PASS_LIFT | JX_PASS_DCE);
    if (open)
        open_program(m, program);
    if (w->options.passes & JX_PASS_LIFT)
        pass_lift(m, program);
    if (w->options.passes & JX_PASS_CONSTANTS)
        pass_constants(m, program);
    if (w->options.passes & JX_PASS_ARGS_TO_CONSTS && !args_to_consts(w, program))
        return;
    if (open) {
        if (w->options.passes & JX_PASS_DCE)
            pass_dce(m, program, &era, symbols);
        share_program(m, program, &era, false);
        rename_program(m, program, &era, symbols);
    } else if (named) {
        rename_program(m, program, &era, symbols);
    }
    print_program(&w->out, m, program, NULL);
    sink_char(&w->out, '\n');
}

static void
work_normalize(void *arg)
{
    struct rewriting *w = arg;
    jx_module *module = w->module;
    check_scopes(&module->ir, &module->diags);
    module_era(&module->ir); /* while it is as it was read */
    diags_sort(&module->diags);
    u8 *broken = lib_broken(module, w->options.passes & (JX_PASS_CAPTURES | JX_PASS_EXPAND));
    sink_init_writer(&w->out, &module->mem, w->write, w->user);
    if (w->options.passes == 0)
        canon_init(&w->canon, &module->ir, 0, (struct slice){"", 0});
    else
        scopes_init(w);
    for (u32 i = 0; i < module->stream.n && w->out.error == 0; i++)
        if (!broken[i])
            rewrite(w, module->stream.at[i], i);
    if (w->options.passes == 0)
        canon_end(&w->canon);
    else
        scopes_drop(w);
    mem_free(&module->mem, broken);
    w->error = sink_flush(&w->out);
    mem_free(&module->mem, w->out.at);
}

enum jx_status
jx_normalize(jx_module *module, const struct jx_normal_options *options, jx_write_fn write, void *user)
{
    struct rewriting w = {.module = module, .write = write, .user = user};
    lib_options(&w.options, sizeof w.options, options);
    enum jx_status status = lib_run(module, work_normalize, &w);
    return status == JX_OK && w.error != 0 ? JX_WRITE_FAILED : status;
}
