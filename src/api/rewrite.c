/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes behind jaxpr.h: each program of the stream is opened, rewritten, shared and named again, and printed. */
#include "api/api.h"

#include "resolve/check.h"
#include "verify/infer.h"
#include "resolve/dim_resolve.h"
#include "canon/normalize.h"
#include "canon/prepare.h"
#include "canon/respell.h"
#include "ir/reach.h"
#include "print/naming.h"
#include "print/print.h"
#include "rewrite/rewrite.h"

static const struct {
    const char *name;
    enum jx_pass pass;
} passes[] = {
    {"constants", JX_PASS_CONSTANTS},
    {"nested-constants", JX_PASS_NESTED_CONSTANTS},
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

const char *
jx_pass_at(uint32_t i)
{
    return i < countof(passes) ? passes[i].name : NULL;
}

struct rewriting {
    jx_module *module;
    struct jx_normal_options options;
    struct canon canon; /* of the canonical form */
    u8 *states;         /* of each program of the stream: enum prepared */
    u8 *verdicts;       /* of each program of the stream: enum program_verdict */
    u32 judged;         /* how many findings there were when the programs had been looked at */
    struct binders scopes[2];
    struct inferrer *rules;
    bool dynamic;              /* some type has a size that is no number */
    unsigned passes;           /* for the program at hand */
    bool changed;              /* a pass over types did something .. */
    bool renames;              /* .. and there are new variables, which want names */
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

/* Passes that go by types: what they are given must have no errors but those that they cure. */
enum { TYPED_PASSES = JX_PASS_REPAIR | JX_PASS_ANNOTATE | JX_PASS_COLLAPSE | JX_PASS_EXPAND };

/* whether sizes are symbols, by the names as they are before passes change them */
static bool
has_symbols(struct rewriting *w, program_t program)
{
    struct module *m = &w->module->ir;
    return !w->dynamic || !dims_are_variables(m, &m->programs.at[program], w->scopes);
}

/* what all programs of the stream are passed with */
static void
passes_begin(struct rewriting *w)
{
    struct module *m = &w->module->ir;
    w->dynamic = types_dynamic(&m->types);
    w->rules = inferrer_new(m);
    for (u32 i = 0; i < 2; i++)
        binders_init(&w->scopes[i], m);
}

static void
passes_end(struct rewriting *w)
{
    for (u32 i = 0; i < 2; i++)
        binders_drop(&w->scopes[i]);
    inferrer_free(w->rules);
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
rewrite_types(struct rewriting *w, program_t program, bool symbols)
{
    struct module *m = &w->module->ir;
    unsigned todo = w->passes;
    if (todo & JX_PASS_REPAIR)
        note(w, pass_repair(m, program, w->rules));
    if (todo & JX_PASS_CAPTURES) {
        enum outcome did = pass_captures(m, program, symbols);
        if (!note(w, did))
            return false;
        if (did != PASS_NOTHING && todo & JX_PASS_REPAIR) /* a reference may count what is passed only now */
            note(w, pass_repair(m, program, w->rules));
    }
    if (todo & JX_PASS_PAD_BRANCHES)
        note(w, pass_pad_branches(m, program));
    if (todo & JX_PASS_ANNOTATE)
        note(w, pass_annotate(m, program, w->rules));
    if (todo & JX_PASS_COLLAPSE && !symbols)
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
    if (todo & JX_PASS_NESTED_CONSTANTS)
        note(w, pass_nested_constants(m, program));
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

/* does the passes, and gives names to what they leave. False where one cannot do its work, which the findings tell;
 * *opened says whether the program was open meanwhile */
static bool
run_passes(struct rewriting *w, program_t program, u32 number, bool *opened)
{
    struct module *m = &w->module->ir;
    struct era era = *module_era(m);
    if (w->options.jax)
        era.low = era.high = w->options.jax;
    bool symbols = has_symbols(w, program);
    w->changed = w->renames = false;
    if (!rewrite_types(w, program, symbols))
        return false;
    if (w->passes & (JX_PASS_REPAIR | JX_PASS_CAPTURES | JX_PASS_EXPAND))
        w->verdicts[number] |= VERDICT_BOUND;
    if (w->passes & JX_PASS_EXPAND)
        symbols = has_symbols(w, program);
    if (!rewrite_equations(w, program, &era, symbols, opened))
        return false;
    if (*opened) /* an open program may be far longer than its text: leave none behind */
        share_program(m, program, &era, false);
    if (w->untouched.n == 0 && (*opened || w->renames))
        rename_program(m, program, &era, symbols ? NAMING_SYMBOLS : 0);
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
    bool opened = false;
    /* of an excerpt most equations are not there: only its binders can be moved */
    w->passes = w->options.passes;
    if (m->programs.at[program].excerpt)
        w->passes &= JX_PASS_CONSTANTS | JX_PASS_ARGS_TO_CONSTS;
    bool ill = w->verdicts[number] & VERDICT_ILL_TYPED && w->passes & TYPED_PASSES;
    w->before.n = 0;
    if (ill)
        print_program(&w->before, m, program, NULL);
    bool done = run_passes(w, program, number, &opened);
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
    w->n_changed += opened || w->changed;
    if (!w->options.splice) {
        print_as(w, &w->out, program, NULL);
        sink_char(&w->out, '\n');
    } else if (opened || w->changed) {
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
    module_era(&module->ir); /* while it is as it was read */
    diags_sort(&module->diags);
    u8 *broken = lib_broken(module, w->options.passes & (JX_PASS_CAPTURES | JX_PASS_EXPAND | JX_PASS_REPAIR));
    sink_init_writer(&w->out, &module->mem, w->write, w->user);
    sink_init_memory(&w->untouched, &module->mem);
    sink_init_memory(&w->before, &module->mem);
    sink_init_memory(&w->after, &module->mem);
    if (w->options.passes == 0 || w->options.passes & JX_PASS_SPELL)
        classes_unfold(&module->ir, w->options.jax);
    if (w->options.passes == 0)
        prepare(w, broken);
    else
        passes_begin(w);
    w->verdicts = mem_zeroed(&module->mem, module->stream.n + 1);
    if (w->options.passes & TYPED_PASSES && !module->rewritten)
        judge(w);
    module->rewritten = true;
    w->judged = module->diags.list.n;
    if (w->options.passes & JX_PASS_SPELL)
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
        passes_end(w);
        if (w->options.passes & JX_PASS_SPELL)
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
