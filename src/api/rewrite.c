/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes of jaxpr_change.h: each program of the stream is opened, rewritten, closed, renamed and printed. */
#include "api/api.h"

#include "canon/normalize.h"
#include "canon/prepare.h"
#include "resolve/broken.h"
#include "canon/respell.h"
#include "canon/not_in_version.h"
#include "print/naming.h"
#include "ir/stats.h"
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

/* A program with errors, or that may get some, printed before and after the passes: offsets into `texts`. */
struct attempt {
    u32 number; /* in the stream */
    size_t before, after, end;
    bool changed, refused;
    struct refusal refusal;
};

/* The state of a rewritten program. */
struct rewritten {
    struct jx_rewritten answer;
    var_t vars; /* its binders as read */
    u32 consts, ins, outs;
    u32 first; /* the first of its current binders in `binders`, which has their original variables */
};

struct jx_rewrite {
    jx_module *module;
    u32 n_changed;
    u32 known;                      /* the number of original variables */
    VEC(struct rewritten) programs; /* of the stream */
    VEC(var_t) binders;
};

struct rewriting {
    jx_module *module;
    struct jx_rewrite *result; /* NULL: not recorded */
    struct jx_normal_options options;
    struct version_range jax;     /* the version in the options */
    struct canon canon;           /* of the canonical form, and of PASS_SPELL */
    struct not_in_version absent; /* what the requested version does not print */
    struct sink out;
    /* for the canonical form, of each program of the stream: */
    u8 *states;       /* enum prepared */
    const u8 *broken; /* not 0 if it is left out */
    /* of passes */
    u8 *verdicts; /* of each program of the stream: enum program_verdict */
    u32 checked;  /* the number of findings after the programs were inspected */
    struct pass_manager passes;
    struct sink untouched;        /* the original text of the program if it may be kept; else empty */
    struct sink texts;            /* of the attempts */
    VEC(struct attempt) attempts; /* in the order of the stream */
    u32 spliced;                  /* the length of the text written so far */
    u32 n_doubtful;
    u8 *doubtful; /* whose results are checked: unusual text, or the rules of another version apply */
};

/* prints a program with the column widths of the requested JAX version; the canonical form always uses the same */
static void
print_as(struct rewriting *w, struct sink *out, struct module *m, program_t program, enum print_comments comments)
{
    const struct version_range versions = api_printed_as(w->module, &w->options, program);
    print_program(out, m, program, &(struct print_options){.comments = comments, .versions = versions});
}

/* records the state of the programs before any change */
static void
note_programs(struct rewriting *w)
{
    const struct module *m = &w->module->ir;
    if (w->result == NULL)
        return;
    w->result->known = m->vars.n;
    for (u32 i = 0; i < w->module->stream.n; i++) {
        jaxpr_t main = m->programs.at[w->module->stream.at[i]].main;
        struct rewritten r = {.vars = NONE};
        if (main != NONE) {
            const struct jaxpr *j = &m->jaxprs.at[main];
            r = (struct rewritten){.vars = j->vars, .consts = j->n_consts, .ins = j->n_ins, .outs = j->n_outs};
        }
        *vec_push(m->mem, &w->result->programs) = r;
    }
}

/* records how a program is written; `as_read`: unchanged, `refused`: because a rewrite was refused */
static void
note_written(struct rewriting *w, u32 number, bool as_read, bool refused, bool changed)
{
    const struct module *m = &w->module->ir;
    if (w->result == NULL)
        return;
    struct rewritten *r = &w->result->programs.at[number];
    const struct jaxpr *j = &m->jaxprs.at[m->programs.at[w->module->stream.at[number]].main];
    r->answer = (struct jx_rewritten){.written = true, .refused = refused, .changed = changed};
    r->answer.constants = as_read ? r->consts : j->n_consts;
    r->answer.inputs = as_read ? r->ins : j->n_ins;
    r->answer.outputs = as_read ? r->outs : j->n_outs;
    r->first = w->result->binders.n;
    for (u32 i = 0; i < r->answer.constants + r->answer.inputs; i++)
        *vec_push(m->mem, &w->result->binders) = var_read(m, (as_read ? r->vars : j->vars) + i, w->result->known);
    w->result->n_changed += changed;
}

static void *
canonical_begin(void *rewriting, struct module *m)
{
    struct rewriting *w = rewriting;
    struct canon *c = m == &w->module->ir ? &w->canon : mem_alloc(m->mem, sizeof *c);
    canon_init(c, m, 0, (struct slice){"", 0});
    return c;
}

/* records how a program is written; if its text is doubtful, and has errors that the program has not, *text becomes the
 * program as it was read. Returns whether the text is that of a changed program */
static bool
settle(struct rewriting *w, u32 number, struct slice *text, bool changed)
{
    bool refused = w->doubtful[number] && api_refuses(w->module, number, text, passes_unbind(w->options.passes));
    note_written(w, number, refused, refused, changed && !refused);
    return changed && !refused;
}

/* writes the canonical form of a program, which is used if no pass is requested */
static void
write_normal(void *rewriting, void *own, u32 number, struct sink *out)
{
    struct rewriting *w = rewriting;
    struct canon *c = own;
    program_t program = w->module->stream.at[number];
    if (w->broken[number])
        return;
    const struct normal_how normal = {
        .variables = (w->states[number] & PREPARED_VARIABLES) != 0, .share = (u8)w->options.share, .jax = w->jax};
    normal_program(c, program, &normal);
    if (w->options.jax)
        report_not_in_version(&w->absent, program);
    struct sink printed;
    sink_init_memory(&printed, c->m->mem);
    print_as(w, w->doubtful[number] ? &printed : out, c->m, program, COMMENTS_NONE);
    struct slice text = {printed.at, printed.n};
    settle(w, number, &text, true);
    sink_slice(out, text);
    sink_char(out, '\n');
    mem_free(c->m->mem, printed.at);
}

static void
canonical_end(void *own)
{
    canon_end(own);
}

/* gives the variables of a program the names that JAX gives them, except that none gets the name of a symbol if the
 * text would then be read as if the symbol were a variable, or if collapse leaves such names, and that none loses it if
 * expand takes it for a symbol therefore */
static void
name_variables(struct rewriting *w, program_t program)
{
    struct pass_manager *p = &w->passes;
    struct module *m = p->with.m;
    bool expand = p->wanted & PASS_EXPAND, apart = passes_unbind(p->wanted);
    unsigned how = (p->with.symbols ? NAMING_SYMBOLS : 0) | (apart ? NAMING_APART : 0) | (expand ? NAMING_CLASHES : 0);
    rename_program(m, program, p->with.versions, how);
    if (p->with.symbols && !apart && !passes_show_symbols(p, program))
        rename_program(m, program, p->with.versions, how | NAMING_APART);
}

/* runs the passes, closes the program and names its variables; false if a pass fails. If only opening changed the
 * program, w->untouched gets the original */
static bool
run_passes(struct rewriting *w, program_t program, u32 number)
{
    struct module *m = &w->module->ir;
    struct pass_manager *p = &w->passes;
    p->with.versions = api_printed_as(w->module, &w->options, program);
    p->with.stays = NONE;
    w->untouched.n = 0;
    bool done = passes_run(p, program, w->options.passes);
    if (p->bound)
        w->verdicts[number] |= VERDICT_BOUND;
    if (!done) {
        passes_report_staying(p, program, &w->module->diags);
        return false;
    }
    if (p->todo == PASS_DCE && !p->open && !p->renames && !w->options.jax) /* elimination may have nothing to do */
        print_program(&w->untouched, m, program, NULL);
    if (passes_run_open(p, program))
        w->untouched.n = 0;
    if (p->todo & PASS_SPELL && w->options.jax) {
        respell_program(&w->canon, program, w->jax);
        report_not_in_version(&w->absent, program);
    }
    if (p->open) /* without sharing, inlining might make a program far longer than its text */
        share_program(m, program, p->with.versions, false, false);
    if (w->untouched.n == 0 && (p->open || p->renames)) {
        /* what showed variables may be gone; expand may have bound symbols */
        p->with.symbols = (p->with.symbols && !p->expanded) || passes_find_symbols(p, program);
        name_variables(w, program);
    }
    return true;
}

/* whether passes changed the program: being opened does where that is printed */
static bool
is_changed(const struct rewriting *w)
{
    return w->passes.changed || (w->passes.open && !w->untouched.n);
}

/* prints what passes made of a program */
static void
write_program(struct rewriting *w, struct sink *out, program_t program)
{
    if (w->untouched.n)
        sink_write(out, w->untouched.at, w->untouched.n);
    else
        print_as(w, out, &w->module->ir, program, COMMENTS_ALL);
}

/* checks sizes and types, which only passes that depend on types need; the module must be unchanged */
static void
find_errors(struct rewriting *w)
{
    struct module *m = &w->module->ir;
    struct diags *ds = &w->module->diags;
    u8 *wrong = mem_zeroed(m->mem, w->module->stream.n + 1);
    verify_programs(m, &w->module->found, NULL, wrong, ds);
    for (u32 i = 0; i < w->module->stream.n; i++)
        w->verdicts[i] = wrong[i] ? VERDICT_ILL_TYPED : 0;
    mem_free(m->mem, wrong);
    diags_sort(ds);
}

/* runs the passes on the programs with errors, and on those that they may break, and verifies the results at once: of
 * those without errors, the ones that were changed */
static void
rewrite_and_verify(struct rewriting *w, const u8 *broken)
{
    struct module *m = &w->module->ir;
    struct diags unreported;
    const bool breaks = passes_may_break(m, w->options.passes);
    u8 *again = mem_zeroed(m->mem, w->module->stream.n + 1), *wrong = mem_zeroed(m->mem, w->module->stream.n + 1);
    for (u32 i = 0; i < w->module->stream.n; i++) {
        program_t program = w->module->stream.at[i];
        bool wrong_before = w->verdicts[i] & VERDICT_ILL_TYPED;
        if (broken[i] || !(wrong_before || breaks) || m->programs.at[program].excerpt)
            continue;
        struct attempt a = {.number = i, .before = w->texts.n};
        print_program(&w->texts, m, program, NULL);
        a.after = w->texts.n;
        bool done = run_passes(w, program, i);
        a.refusal = (struct refusal){i, w->checked, w->passes.expanded, w->passes.renames};
        a.changed = is_changed(w);
        if (done && (wrong_before || a.changed))
            again[i] = !wrong_before && passes_unbind(w->options.passes) ? VERIFY_UNBOUND : VERIFY_ALL;
        if (done)
            write_program(w, &w->texts, program);
        else
            w->verdicts[i] = VERDICT_KEPT;
        a.end = w->texts.n;
        *vec_push(m->mem, &w->attempts) = a;
    }
    diags_init(&unreported, m->mem);
    if (w->attempts.n)
        verify_programs(m, &w->module->found, again, wrong, &unreported);
    for (u32 i = 0; i < w->attempts.n; i++) {
        struct attempt *a = &w->attempts.at[i];
        if (!wrong[a->number])
            continue;
        a->refused = !(w->verdicts[a->number] & VERDICT_ILL_TYPED);
        if (a->refused || a->refusal.expanded)
            report_refusal(&w->module->diags, &a->refusal, &unreported);
        w->verdicts[a->number] = VERDICT_KEPT;
    }
    mem_free(m->mem, again);
    mem_free(m->mem, wrong);
}

/* copies the text between the last replaced program and this one */
static void
splice(struct rewriting *w, program_t program)
{
    const struct module *m = &w->module->ir;
    u32 until = notes_begin(m, program);
    if (until > w->spliced)
        sink_write(&w->out, m->text.at + w->spliced, until - w->spliced);
    w->spliced = notes_end(m, program);
}

/* writes a program after an attempted repair: unchanged if errors remain */
static void
write_attempt(struct rewriting *w, const struct attempt *a)
{
    bool kept = w->verdicts[a->number] & VERDICT_KEPT;
    size_t from = kept ? a->before : a->after, to = kept ? a->after : a->end;
    struct slice text = {w->texts.at + from, to - from};
    bool changed = !kept && settle(w, a->number, &text, a->changed);
    if (kept)
        note_written(w, a->number, true, a->refused, false);
    if (w->options.splice && !changed)
        return;
    if (w->options.splice)
        splice(w, w->module->stream.at[a->number]);
    sink_slice(&w->out, text);
    if (!w->options.splice)
        sink_char(&w->out, '\n');
}

static void
rewrite(struct rewriting *w, program_t program, u32 number)
{
    if (!run_passes(w, program, number))
        return;
    struct sink printed;
    sink_init_memory(&printed, w->module->ir.mem);
    if (w->doubtful[number])
        write_program(w, &printed, program);
    struct slice text = {printed.at, printed.n};
    bool changed = settle(w, number, &text, is_changed(w));
    if (changed && w->options.splice)
        splice(w, program);
    if (changed || !w->options.splice) {
        if (text.n)
            sink_slice(&w->out, text);
        else
            write_program(w, &w->out, program);
    }
    if (!w->options.splice)
        sink_char(&w->out, '\n');
    mem_free(w->module->ir.mem, printed.at);
}

/* a byte for each program, and one more: not 0 if check warns about it, or another version is requested */
static u8 *
find_doubtful(struct rewriting *w)
{
    const struct module *m = &w->module->ir;
    const struct diag *d = w->module->diags.list.at, *end = d + w->module->diags.list.n;
    u32 n = w->module->stream.n;
    u8 *doubtful = mem_zeroed(m->mem, n + 1);
    for (; d < end; d++)
        doubtful[d->program < n ? d->program : n] |= d->level >= LEVEL_WARNING;
    for (u32 i = 0; i < n; i++)
        w->n_doubtful += doubtful[i] |= w->options.jax || m->programs.at[w->module->stream.at[i]].unusual;
    return doubtful;
}

/* reads what passes and the canonical form need to know about programs before they change. Returns a byte for each
 * program of the stream, nonzero for those that are not rewritten; to be freed by mem_free */
static u8 *
rewriting_begin(struct rewriting *w)
{
    jx_module *module = w->module;
    note_programs(w);
    api_resolve(module, LEVEL_ERROR);
    module_date(&module->ir);
    w->jax = (struct version_range){{w->options.jax}, {w->options.jax}};
    w->doubtful = find_doubtful(w);
    w->absent = (struct not_in_version){.c = &w->canon, .ds = &module->diags, .version = w->jax};
    api_sort_diagnostics(module);
    return broken_programs(&module->ir, module->stream.at, module->stream.n, &module->diags,
                           w->options.passes & PASSES_BINDING);
}

/* ends the list of what was reported, and sorts the findings in the order of the text */
static void
reports_end(struct rewriting *w)
{
    if (w->n_doubtful)
        diags_sort(&w->module->diags);
    vec_free(&w->module->mem, &w->absent.reported);
    mem_free(&w->module->mem, w->doubtful);
}

/* writes the canonical form of all programs; those with names that cannot be bound stay invalid */
static void
work_canonical(void *arg)
{
    struct rewriting *w = arg;
    jx_module *module = w->module;
    u8 *broken = rewriting_begin(w);
    classes_unfold(&module->ir, w->jax);
    w->states = prepare_programs(&module->ir, module->stream.at, module->stream.n, NULL, &module->diags);
    for (u32 i = 0; i < module->stream.n; i++)
        broken[i] = (broken[i] && w->states[i] & (PREPARED_SKIP | PREPARED_UNBOUND)) || w->states[i] & PREPARED_OPEN;
    api_refuse_long(module, &w->options, broken);
    w->broken = broken;
    /* records and reports are about the module, not a thread's copy */
    const bool alone = w->result != NULL || w->options.jax || w->n_doubtful;
    const struct program_work work = {canonical_begin, write_normal, canonical_end, w, true};
    api_each_program(module, alone ? NULL : api_executor(module->context), &work, &w->out);
    reports_end(w);
    mem_free(&module->mem, w->states);
    mem_free(&module->mem, broken);
}

static void
passing_end(struct rewriting *w)
{
    struct mem *mem = &w->module->mem;
    if (w->options.passes & PASS_SPELL)
        canon_end(&w->canon);
    passes_end(&w->passes);
    mem_free_all(mem, w->verdicts, w->untouched.at, w->texts.at, w->attempts.at);
}

/* runs the requested passes on all programs, and writes what they make of them */
static void
work_passes(void *arg)
{
    struct rewriting *w = arg;
    jx_module *module = w->module;
    bool typed = w->options.passes & PASSES_TYPED, spells = w->options.passes & PASS_SPELL;
    if (typed && module->values_checked == VALUES_UNREAD)
        module->values_checked = VALUES_WARNED; /* find_errors reports them */
    u8 *broken = rewriting_begin(w);
    sink_init_memory(&w->untouched, &module->mem);
    sink_init_memory(&w->texts, &module->mem);
    if (spells && w->options.jax)
        classes_unfold(&module->ir, w->jax);
    passes_init(&w->passes, &module->ir);
    w->passes.with.count = w->options.count;
    w->passes.with.dialect = (enum dialect)w->options.dialect;
    api_refuse_long(module, &w->options, broken);
    w->verdicts = mem_zeroed(&module->mem, module->stream.n + 1);
    if (typed)
        find_errors(w);
    w->checked = module->diags.list.n;
    if (spells)
        canon_init(&w->canon, &module->ir, 0, (struct slice){"", 0});
    if (typed)
        rewrite_and_verify(w, broken);
    const struct attempt *a = w->attempts.at, *end = a + w->attempts.n;
    for (u32 i = 0; i < module->stream.n && w->out.error == 0; i++) {
        if (a < end && a->number == i)
            write_attempt(w, a++);
        else if (!broken[i])
            rewrite(w, module->stream.at[i], i);
    }
    drop_fixed_findings(&module->diags, w->verdicts, w->checked);
    diags_sort(&module->diags);
    reports_end(w);
    if (w->options.splice)
        sink_write(&w->out, module->ir.text.at + w->spliced, module->ir.text.n - w->spliced);
    mem_free(&module->mem, broken);
    passing_end(w);
}

enum jx_status
api_normalize(jx_module *changed, const struct jx_normal_options *options, jx_write_fn write, void *user,
              jx_rewrite *result)
{
    struct rewriting w = {.module = changed, .options = *options, .result = result};
    return api_write(changed, &w.out, write, user, w.options.passes ? work_passes : work_canonical, &w);
}

static enum jx_status
read_options(jx_context *context, const struct jx_normal_options *given, struct jx_normal_options *options)
{
    const unsigned last = JX_PASS_SPELL, all = 2 * last - 1;
    enum jx_status status = api_options(context, options, sizeof *options, given);
    if (status == JX_OK)
        status = api_enum(context, options->share, JX_SHARE_ALWAYS, "`share` is not an enum jx_share");
    if (status == JX_OK)
        status = api_enum(context, options->dialect, JX_DIALECT_PENNYLANE, "`dialect` is not an enum jx_dialect");
    if (status == JX_OK && options->passes & ~all)
        status = api_misuse(context, "`passes` has bits that are not an enum jx_pass");
    return status;
}

enum jx_status
jx_normalize(jx_module *module, const struct jx_normal_options *options, jx_write_fn write, void *user,
             jx_rewrite **rewrite)
{
    struct jx_normal_options how;
    jx_module *changed = NULL;
    if (rewrite != NULL)
        *rewrite = NULL;
    if (module == NULL)
        return JX_MISUSE;
    enum jx_status status = read_options(module->context, options, &how);
    if (status == JX_OK)
        status = api_changeable(module, how.in_place, &changed);
    if (status != JX_OK)
        return status;
    jx_rewrite *result = NULL;
    status = api_result(changed, sizeof *result, (void **)&result);
    if (status == JX_OK) {
        result->module = changed;
        status =
            api_normalize(changed, &how, write != NULL ? write : api_discard, user, rewrite != NULL ? result : NULL);
    }
    if (status != JX_OK || rewrite == NULL)
        api_release(changed);
    else
        *rewrite = result;
    return status;
}

jx_module *
jx_rewrite_module(jx_rewrite *rewrite)
{
    return rewrite == NULL ? NULL : rewrite->module;
}

void
jx_rewrite_free(jx_rewrite *rewrite)
{
    if (rewrite != NULL)
        api_release(rewrite->module);
}

uint32_t
jx_rewrite_changed(const jx_rewrite *rewrite)
{
    return rewrite == NULL ? 0 : rewrite->n_changed;
}

size_t
api_rewrite_size(void)
{
    return sizeof(jx_rewrite);
}

static const struct rewritten *
rewritten_at(const jx_rewrite *rewrite, u32 program)
{
    return rewrite != NULL && program < rewrite->programs.n ? &rewrite->programs.at[program] : NULL;
}

bool(jx_rewritten_at)(const jx_rewrite *rewrite, uint32_t program, struct jx_rewritten *answer, size_t size)
{
    const struct rewritten *r = rewritten_at(rewrite, program);
    return r != NULL && api_answer(answer, size, &r->answer, sizeof r->answer);
}

bool
jx_rewritten_binder(const jx_rewrite *rewrite, uint32_t program, uint32_t i, struct jx_origin *origin)
{
    const struct rewritten *r = rewritten_at(rewrite, program);
    if (r == NULL || origin == NULL || i >= r->answer.constants + r->answer.inputs)
        return false;
    var_t v = rewrite->binders.at[r->first + i];
    u32 at = v - r->vars;
    bool own = v != NONE && v >= r->vars && at < r->consts + r->ins, constant = own && at < r->consts;
    *origin = (struct jx_origin){
        .kind = constant    ? JX_ORIGIN_CONSTANT
                : own       ? JX_ORIGIN_INPUT
                : v != NONE ? JX_ORIGIN_NESTED
                            : JX_ORIGIN_NEW,
        .index = constant ? at
                 : own    ? at - r->consts
                          : JX_NONE,
        .variable = v,
    };
    return true;
}

bool
jx_rewritten_output(const jx_rewrite *rewrite, uint32_t program, uint32_t i, struct jx_origin *origin)
{
    const struct rewritten *r = rewritten_at(rewrite, program);
    if (r == NULL || origin == NULL || i >= r->answer.outputs)
        return false;
    /* passes add and remove outputs only before the others */
    i64 at = (i64)i + r->outs - r->answer.outputs;
    *origin = (struct jx_origin){at < 0 ? JX_ORIGIN_NEW : JX_ORIGIN_OUTPUT, at < 0 ? JX_NONE : (u32)at, JX_NONE};
    return true;
}
