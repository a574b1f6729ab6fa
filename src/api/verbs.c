/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions on whole modules: check, write, count. */
#include "api/api.h"

#include "base/visible.h"
#include "highlight/highlight.h"
#include "print/print.h"
#include "report/json.h"
#include "resolve/scope_parts.h"

/* checks parameters, unless jx_check did. At LEVEL_ERROR, unreadable values in repaired text are errors unless the
 * context sets `force` */
static void
api_check_values(jx_module *module, enum diag_level level)
{
    const struct module *m = &module->ir;
    bool refuse = level == LEVEL_ERROR && m->text.repairs && !module->context->parse_options.force;
    u8 level_checked = refuse ? VALUES_REFUSED : VALUES_WARNED;
    if (module->values_checked >= level_checked || (module->checked && !refuse))
        return;
    u64 before = module->diags.total;
    bool missing = module->values_checked == VALUES_UNREAD && !module->checked;
    module->values_checked = level_checked;
    check_params(&module->ir, module->stream.at, module->stream.n, refuse, missing, &module->diags);
    module->values_fit = module->diags.total == before;
}

void
api_resolve(jx_module *module, enum diag_level level)
{
    module->diags.stage = STAGE_NAMES;
    check_scopes_parts(&module->ir, &module->found, api_executor(module->context));
    check_scopes(&module->ir, &module->found, &module->diags);
    check_underscores(&module->ir, &module->found, level, &module->diags);
    module->diags.stage = STAGE_LATER;
    if (level == LEVEL_ERROR)
        diags_relevel(&module->diags, DIAG_S022, level); /* they may be findings of another verb */
    api_check_values(module, level);
}

struct checking {
    jx_module *module;
    struct jx_check_options options;
};

static void
work_check(void *arg)
{
    struct checking *c = arg;
    const struct check_options how = {
        .strict = c->options.strict,
        .as_jax = c->options.as_jax,
        .dialect = (enum dialect)c->options.dialect,
        .dims = (enum dims_mode)c->options.dims,
        .executor = api_executor(c->module->context),
    };
    jx_module *module = c->module;
    api_resolve(module, LEVEL_WARNING);
    check_dims(&module->ir, &how, &module->found, &module->diags);
    if (c->options.explain)
        check_dialect(&module->ir, &how, &module->diags);
    check_types(&module->ir, &how, &module->found, &module->diags);
    api_sort_diagnostics(module);
}

enum jx_status
jx_check(jx_module *module, const struct jx_check_options *options)
{
    struct checking c = {.module = module};
    struct jx_check_options *how = &c.options;
    jx_context *context = module == NULL ? NULL : module->context;
    enum jx_status status = module == NULL ? JX_MISUSE : api_intact(module);
    if (status == JX_OK)
        status = api_options(context, how, sizeof *how, options);
    if (status == JX_OK)
        status = api_enum(context, how->dialect, JX_DIALECT_PENNYLANE, "`dialect` is not an enum jx_dialect");
    if (status == JX_OK)
        status = api_enum(context, how->dims, JX_DIMS_SYMBOLIC, "`dims` is not an enum jx_dims");
    if (status != JX_OK || module->lost)
        return status != JX_OK ? status : api_left(&module->mem);
    const struct jx_check_options *ran = &module->check_options;
    if (module->checked)
        return ran->strict == how->strict && ran->as_jax == how->as_jax && ran->dialect == how->dialect &&
                       ran->dims == how->dims && ran->explain == how->explain
                   ? JX_OK
                   : api_misuse(context, "the module was checked with other options; read it again");
    module->checked = true;
    module->check_options = *how;
    return api_run(module, work_check, &c);
}

enum jx_status
api_checked(jx_module *module)
{
    if (module == NULL || !module->checked)
        return jx_check(module, NULL);
    return module->lost ? api_left(&module->mem) : JX_OK;
}

struct writing {
    jx_module *module;
    struct sink out;
    struct print_options options;
    u32 only; /* of format: the only program to print, counted from 1; 0: all */
    bool *first;
    struct slice text;
};

/* An unreadable program is copied unchanged, without trailing whitespace. */
static void
write_verbatim(struct sink *out, const struct module *m, const struct program *p)
{
    struct slice text = {m->text.at + p->offset, p->end - p->offset};
    while (text.n > 0 && strchr(" \t\r\n", text.at[text.n - 1]) != NULL)
        text.n--;
    sink_slice(out, text);
}

/* a byte for each program of the stream, nonzero for those whose values S023 rejects; NULL if there are none */
static u8 *
find_damaged(jx_module *module)
{
    u8 *damaged = NULL;
    for (u32 i = 0; i < module->diags.list.n; i++) {
        const struct diag *d = &module->diags.list.at[i];
        if (d->code != DIAG_S023 || d->program >= module->stream.n)
            continue;
        damaged = damaged ? damaged : mem_zeroed(&module->mem, module->stream.n);
        damaged[d->program] = 1;
    }
    return damaged;
}

/* How programs of a stream are formatted. */
struct formatting {
    const jx_module *module;
    const struct print_options *options;
    u8 *damaged;
};

static void *
formatting_begin(void *formatting, struct module *m)
{
    (void)formatting;
    return m;
}

/* Writes a program of the stream as JAX prints it, or unchanged if it is unreadable or damaged. */
static void
format_program(void *formatting, void *own, u32 number, struct sink *out)
{
    const struct formatting *f = formatting;
    struct module *m = own;
    program_t program = f->module->stream.at[number];
    const struct program *p = &m->programs.at[program];
    if (p->broken || p->main == NONE || (f->damaged && f->damaged[number]))
        write_verbatim(out, m, p);
    else
        print_program(out, m, program, f->options);
    sink_char(out, '\n');
}

static void
formatting_end(void *own)
{
    (void)own;
}

/* only: the number of the only program to format, from 1, or 0 */
static void
format_programs(struct sink *out, jx_module *module, u32 only, const struct print_options *options)
{
    struct formatting f = {module, options, find_damaged(module)};
    const struct program_work work = {formatting_begin, format_program, formatting_end, &f, false};
    module_date(&module->ir);
    if (only == 0) {
        comments_anchor(&module->ir); /* threads share the result */
        api_each_program(module, api_executor(module->context), &work, out);
    } else if (only <= module->stream.n) {
        format_program(&f, &module->ir, only - 1, out);
    }
    mem_free(module->ir.mem, f.damaged);
}

void
api_format(struct sink *out, jx_module *module, const struct print_options *options)
{
    format_programs(out, module, 0, options);
}

static void
work_format(void *arg)
{
    struct writing *w = arg;
    api_check_values(w->module, LEVEL_ERROR);
    api_sort_diagnostics(w->module);
    format_programs(&w->out, w->module, w->only, &w->options);
}

enum jx_status
jx_format(jx_module *module, const struct jx_format_options *options, jx_write_fn write, void *user)
{
    struct jx_format_options given;
    if (api_intact(module) != JX_OK || api_options(module->context, &given, sizeof given, options) != JX_OK)
        return JX_MISUSE;
    struct writing w = {
        .module = module,
        .options = {.width = given.width, .comments = given.strip_comments ? COMMENTS_IGNORE : COMMENTS_ALL},
        .only = given.only};
    return api_write(module, &w.out, write, user, work_format, &w);
}

static void
work_json(void *arg)
{
    struct writing *w = arg;
    api_check_values(w->module, LEVEL_WARNING);
    if (json_module(&w->out, &w->module->ir, *w->first) > 0)
        *w->first = false;
}

enum jx_status
jx_write_json(jx_module *module, bool *first, jx_write_fn write, void *user)
{
    struct writing w = {.module = module, .first = first};
    if (module == NULL || first == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`first` is NULL");
    if (api_intact(module) != JX_OK)
        return JX_MISUSE;
    return api_write(module, &w.out, write, user, work_json, &w);
}

/* writes bytes as `work` transforms them; `work` gets a struct writing with the text */
static enum jx_status
write_bytes(struct slice bytes, void (*work)(void *), jx_write_fn write, void *user)
{
    struct writing w = {.text = bytes};
    if (bytes.at == NULL && bytes.n > 0)
        return JX_MISUSE;
    return api_write_alone(&w.out, write, user, work, &w);
}

static void
work_json_string(void *arg)
{
    struct writing *w = arg;
    sink_json_string(&w->out, w->text);
}

enum jx_status
jx_write_json_string(const char *bytes, size_t n, jx_write_fn write, void *user)
{
    return write_bytes((struct slice){bytes, n}, work_json_string, write, user);
}

enum jx_status
jx_write_visible(const char *bytes, size_t n, bool lines, jx_write_fn write, void *user)
{
    struct glyph g;
    int error = 0;
    if (write == NULL || (bytes == NULL && n > 0))
        return JX_MISUSE;
    for (size_t i = 0, run; i < n && error == 0; i += run) {
        run = plain_length(bytes + i, n - i);
        while (lines && i + run < n && (bytes[i + run] == '\n' || bytes[i + run] == '\t'))
            run += 1 + plain_length(bytes + i + run + 1, n - i - run - 1);
        if (run > 0) {
            error = write(user, bytes + i, run);
        } else {
            run = glyph_read(&g, (struct slice){bytes, n}, i);
            error = write(user, g.at, g.n);
        }
    }
    return error == 0 ? JX_OK : JX_WRITE_FAILED;
}

/* ---- counts ---- */

struct jx_program_stats {
    jx_module *module;
    u32 program;
    struct stats found;
};

static void
work_stats(void *arg)
{
    jx_program_stats *stats = arg;
    jx_module *module = stats->module;
    api_check_values(module, LEVEL_WARNING);
    if (stats->program < module->stream.n)
        stats_program(&module->ir, module->stream.at[stats->program], &stats->found);
}

enum jx_status
jx_stats(jx_module *module, uint32_t program, jx_program_stats **stats)
{
    jx_program_stats first = {.module = module, .program = program};
    if (module == NULL || stats == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`stats` is NULL");
    enum jx_status status = api_intact(module);
    void *made = NULL;
    if (status == JX_OK)
        status = api_make(module, &first, sizeof first, work_stats, &made);
    *stats = made;
    return status;
}

void
jx_stats_free(jx_program_stats *stats)
{
    if (stats == NULL)
        return;
    vec_free(&stats->module->mem, &stats->found.prims);
    api_let_go(stats->module);
}

bool(jx_stats_counts)(const jx_program_stats *stats, struct jx_stats *counts, size_t size)
{
    if (stats == NULL)
        return false;
    const struct stats *s = &stats->found;
    struct jx_stats all = {s->equations, s->prims.n, s->depth, s->constants, s->constant_bytes};
    return api_answer(counts, size, &all, sizeof all);
}

struct jx_string
jx_stats_primitive(const jx_program_stats *stats, uint32_t i, uint64_t *number)
{
    bool known = stats != NULL && number != NULL && i < stats->found.prims.n;
    if (number != NULL)
        *number = known ? stats->found.prims.at[i].n : 0;
    return known ? api_string(module_name(&stats->module->ir, stats->found.prims.at[i].prim, &stats->module->numeral))
                 : (struct jx_string){"", 0};
}

static void
work_colored(void *arg)
{
    struct writing *w = arg;
    write_highlighted(&w->out, w->text);
}

enum jx_status
jx_write_colored(const char *bytes, size_t n, jx_write_fn write, void *user)
{
    return write_bytes((struct slice){bytes, n}, work_colored, write, user);
}

bool(jx_word_next)(struct jx_string line, size_t *at, struct jx_word *word, size_t size)
{
    static const char *const names[][2] = {
#define CLASS(id, style, capture, helix, scope, vim, emacs, token, semantic) {#id, semantic},
#include "classes.def"
#undef CLASS
        {"", ""},
    };
    struct slice text;
    enum word_class class;
    if (line.at == NULL || at == NULL || *at > line.n)
        return false;
    struct highlight h = {line.at, line.at + *at, line.at + line.n};
    if (!highlight_next(&h, &text, &class))
        return false;
    *at = (size_t)(h.at - line.at);
    struct jx_word all = {api_string(text), names[class][0], names[class][1]};
    return api_answer(word, size, &all, sizeof all);
}
