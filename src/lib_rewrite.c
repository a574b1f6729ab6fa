/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes behind jaxpr.h: each program of the stream is opened, rewritten, shared and named again, and printed. */
#include "lib.h"

#include "check/check.h"
#include "check/resolve.h"
#include "diff/normal.h"
#include "diff/prepare.h"
#include "diff/respell.h"
#include "ir/reach.h"
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
    {"annotate", JX_PASS_ANNOTATE},
    {"pad-branches", JX_PASS_PAD_BRANCHES},
    {"inline", JX_PASS_INLINE},
    {"spell", JX_PASS_SPELL},
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
    u8 *states;         /* of each program of the stream: enum prepared */
    struct binders scopes[2];
    bool dynamic;       /* some type has a size that is no number */
    unsigned passes;    /* for the program at hand */
    bool changed;       /* a pass over types did something .. */
    bool renames;       /* .. and there are new variables, which want names */
    struct sink untouched; /* the program as it was, where it may stay so; empty where it did not */
    u32 n_changed;
    u32 spliced;        /* how much of the text was written */
    struct sink out;
    jx_write_fn write;
    void *user;
    int error;
};

u8 *
lib_broken(jx_module *module, bool unbound)
{
    u32 n = module->stream.n;
    u8 *broken = mem_zeroed(&module->mem, n + 1);
    for (u32 i = 0; i < module->diags.list.n; i++) {
        const struct diag *d = &module->diags.list.at[i];
        bool stands = diag_info(d->code).code[0] == 'S'; /* what rules and contracts find breaks no program */
        if (stands && d->level == LEVEL_ERROR && d->program < n &&
            !(unbound && (d->code == DIAG_S016 || d->code == DIAG_S012)))
            broken[d->program] = 1;
    }
    for (u32 i = 0; i < n; i++)
        broken[i] |= module->ir.programs.at[module->stream.at[i]].main == NONE;
    return broken;
}

/* takes back what check_scopes found and a pass has cured: variables that nested programs capture, and sizes that
 * nobody binds */
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
    ds->total -= ds->list.n - kept;
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

/* notes what a pass did; false where it could not do its work, which the findings tell */
static bool
note(struct rewriting *w, enum outcome did)
{
    w->changed |= did != PASS_NOTHING;
    w->renames |= did == PASS_RENAMES;
    return did != PASS_STUCK;
}

/* the passes over sizes, captures and types; false where one cannot do its work */
static bool
rewrite_types(struct rewriting *w, program_t program)
{
    struct module *m = &w->module->ir;
    unsigned todo = w->passes;
    if (todo & JX_PASS_REPAIR)
        note(w, pass_repair(m, program));
    if (todo & JX_PASS_CAPTURES) {
        enum outcome did = pass_captures(m, program);
        if (!note(w, did))
            return false;
        if (did != PASS_NOTHING && todo & JX_PASS_REPAIR) /* a reference may count what is passed only now */
            note(w, pass_repair(m, program));
    }
    if (todo & JX_PASS_PAD_BRANCHES)
        note(w, pass_pad_branches(m, program));
    if (todo & JX_PASS_ANNOTATE)
        note(w, pass_annotate(m, program));
    if (todo & JX_PASS_COLLAPSE)
        pass_collapse(m, program);
    if (todo & JX_PASS_EXPAND)
        pass_expand(m, program);
    /* who unbound names were forgiven has bound them */
    return !(todo & (JX_PASS_REPAIR | JX_PASS_CAPTURES | JX_PASS_EXPAND)) || resolved_program(m, program);
}

/* How much there is of a program: what passes that only take away make smaller. */
struct extent {
    u64 jaxprs, binders, equations, results, operands;
};

static struct extent
extent_of(struct module *m, program_t program)
{
    struct jaxprs list = {0};
    struct extent x = {0};
    reach_jaxprs(m, program, &list);
    x.jaxprs = list.n;
    for (u32 i = 0; i < list.n; i++) {
        const struct jaxpr *j = &m->jaxprs.at[list.at[i]];
        x.binders += j->n_consts + j->n_ins + j->n_outs;
        for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
            x.equations++;
            x.results += m->eqns.at[e].n_vars;
            x.operands += m->eqns.at[e].n_atoms;
        }
    }
    vec_free(m->mem, &list);
    return x;
}

/* leaves out what nobody needs; true where that was anything */
static bool
eliminate(struct rewriting *w, program_t program, const struct era *era, bool symbols)
{
    struct module *m = &w->module->ir;
    struct extent before = extent_of(m, program);
    bool respelled = pass_dce(m, program, era, symbols);
    struct extent after = extent_of(m, program);
    return respelled || memcmp(&before, &after, sizeof before) != 0;
}

/* the passes over equations; false where one cannot do its work, which the findings tell. A program none of them has
 * anything to do for is not opened, and keeps its names */
static bool
rewrite_equations(struct rewriting *w, program_t program, const struct era *era, bool symbols, bool *opened)
{
    struct module *m = &w->module->ir;
    unsigned todo = w->passes;
    bool lift = todo & JX_PASS_LIFT && lift_due(m, program);
    bool inlines = todo & JX_PASS_INLINE && inline_due(m, program, symbols);
    *opened = lift || inlines || todo & (JX_PASS_DCE | JX_PASS_SPELL);
    w->untouched.n = 0;
    if (lift) {
        open_program(m, program);
        pass_lift(m, program);
    }
    if (todo & JX_PASS_CONSTANTS)
        pass_constants(m, program);
    if (todo & JX_PASS_ARGS_TO_CONSTS && !args_to_consts(w, program))
        return false;
    bool plain = !(todo & JX_PASS_SPELL) && !w->options.jax && !w->renames;
    if (*opened && !lift && !inlines && plain) /* it may turn out that there was nothing to do */
        print_program(&w->untouched, m, program, NULL);
    if (*opened && !lift)
        open_program(m, program);
    if (inlines || (lift && todo & JX_PASS_INLINE))
        pass_inline(m, program, symbols);
    if (todo & JX_PASS_DCE && (eliminate(w, program, era, symbols) || lift || inlines))
        w->untouched.n = 0;
    if (todo & JX_PASS_SPELL && w->options.jax)
        respell_program(&w->canon, program, w->options.jax);
    return true;
}

/* prints a program with the widths of the JAX that was asked for; the canonical form has one way to count them */
static void
print_as(struct rewriting *w, program_t program, const struct print_options *how)
{
    enum { CODE_POINTS = 601 }; /* the last JAX that counted them */
    struct module *m = &w->module->ir;
    struct era read = m->era;
    if (w->options.jax)
        m->era = (struct era){w->options.jax, w->options.jax, w->options.jax <= CODE_POINTS};
    else if (w->options.passes == 0)
        m->era.codepoints = false;
    print_program(&w->out, m, program, how);
    m->era = read;
}

static void
rewrite(struct rewriting *w, program_t program, u32 number)
{
    struct module *m = &w->module->ir;
    struct era era = *module_era(m);
    if (w->options.passes == 0) {
        const struct normal_how normal = {.variables = (w->states[number] & PREPARED_VARIABLES) != 0,
                                          .share = (u8)w->options.share, .jax = w->options.jax};
        normal_program(&w->canon, program, &normal);
        struct print_options how = {.strip_comments = true};
        print_as(w, program, &how);
        sink_char(&w->out, '\n');
        return;
    }
    if (w->options.jax)
        era.low = era.high = w->options.jax;
    /* of an excerpt most equations are not there: only its binders can be moved */
    w->passes = w->options.passes;
    if (m->programs.at[program].excerpt)
        w->passes &= JX_PASS_CONSTANTS | JX_PASS_ARGS_TO_CONSTS;
    bool symbols = has_symbols(w, program), opened = false;
    w->changed = w->renames = false;
    if (!rewrite_types(w, program))
        return;
    if (w->passes & (JX_PASS_REPAIR | JX_PASS_CAPTURES | JX_PASS_EXPAND))
        forget_unbound(&w->module->diags, number);
    if (w->passes & JX_PASS_EXPAND)
        symbols = has_symbols(w, program);
    if (!rewrite_equations(w, program, &era, symbols, &opened))
        return;
    if (w->untouched.n) {
        sink_put(&w->out, w->untouched.at, w->untouched.n);
        sink_char(&w->out, '\n');
        share_program(m, program, &era, false); /* an open program may be far longer than its text: leave none behind */
        return;
    }
    if (opened)
        share_program(m, program, &era, false);
    if (opened || w->renames)
        rename_program(m, program, &era, symbols ? NAMING_SYMBOLS : 0);
    w->n_changed += opened || w->changed;
    if (!w->options.splice) {
        print_as(w, program, NULL);
        sink_char(&w->out, '\n');
    } else if (opened || w->changed) {
        const struct program *p = &m->programs.at[program];
        u32 until = p->offset;
        for (u32 i = m->comments.n; i-- > 0 && m->comments.at[i].offset >= w->spliced;)
            if (m->comments.at[i].offset < until) /* print_program prints them */
                until = m->comments.at[i].offset;
        sink_put(&w->out, m->text.at + w->spliced, until - w->spliced);
        print_program(&w->out, m, program, NULL);
        w->spliced = p->end;
    }
}

u8 *
lib_prepare(jx_module *module)
{
    u32 n = module->stream.n;
    u8 *states = lib_broken(module, true), *strict = lib_broken(module, false);
    for (u32 i = 0; i < n; i++)
        states[i] = states[i] ? PREPARED_SKIP : strict[i] ? PREPARED_UNBOUND : 0;
    prepare_programs(&module->ir, module->stream.at, n, states);
    for (u32 i = 0; i < n; i++)
        if (strict[i] && !(states[i] & (PREPARED_SKIP | PREPARED_UNBOUND)))
            forget_unbound(&module->diags, i);
    mem_free(&module->mem, strict);
    return states;
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
    module_era(&module->ir); /* while it is as it was read */
    diags_sort(&module->diags);
    u8 *broken = lib_broken(module, w->options.passes & (JX_PASS_CAPTURES | JX_PASS_EXPAND | JX_PASS_REPAIR));
    sink_init_writer(&w->out, &module->mem, w->write, w->user);
    sink_init_memory(&w->untouched, &module->mem);
    if (w->options.passes == 0)
        prepare(w, broken);
    else
        scopes_init(w);
    if (w->options.passes & JX_PASS_SPELL)
        canon_init(&w->canon, &module->ir, 0, (struct slice){"", 0});
    for (u32 i = 0; i < module->stream.n && w->out.error == 0; i++)
        if (!broken[i])
            rewrite(w, module->stream.at[i], i);
    if (w->options.splice)
        sink_put(&w->out, module->ir.text.at + w->spliced, module->ir.text.n - w->spliced);
    if (w->options.changed)
        *w->options.changed = w->n_changed;
    if (w->options.passes == 0) {
        canon_end(&w->canon);
        mem_free(&module->mem, w->states);
    } else {
        scopes_drop(w);
        if (w->options.passes & JX_PASS_SPELL)
            canon_end(&w->canon);
    }
    mem_free(&module->mem, broken);
    w->error = sink_flush(&w->out);
    mem_free(&module->mem, w->out.at);
    mem_free(&module->mem, w->untouched.at);
}

enum jx_status
jx_normalize(jx_module *module, const struct jx_normal_options *options, jx_write_fn write, void *user)
{
    struct rewriting w = {.module = module, .write = write, .user = user};
    lib_options(&w.options, sizeof w.options, options);
    enum jx_status status = lib_run(module, work_normalize, &w);
    return status == JX_OK && w.error != 0 ? JX_WRITE_FAILED : status;
}
