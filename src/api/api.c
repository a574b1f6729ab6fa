/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's verbs. Each call that may allocate goes through api_guard, where a failed allocation ends up however
 * deep it happened; what the call was working on is then lost and can only be freed. Nothing here does work of its
 * own. */
#include "api/api.h"

#include "base/visible.h"
#include "parse/parse.h"
#include "report/json.h"
#include "print/print.h"

#include <stdlib.h>

/* texts keep their offsets below this, so that bytes added behind them have offsets too */
#define LARGEST_TEXT ((size_t)INT32_MAX - (1u << 16))

/* bytes of room for a text whose length nobody knows */
enum { FIRST_FETCH = 4 << 10 };

const char *
jx_version(void)
{
    return JX_VERSION;
}

const char *
jx_status_text(enum jx_status status)
{
    switch (status) {
    case JX_OK:
        return "success";
    case JX_OUT_OF_MEMORY:
        return "out of memory";
    case JX_READ_FAILED:
        return "read failed";
    case JX_WRITE_FAILED:
        return "write failed";
    }
    return "unknown status";
}

bool
api_guard(struct mem *mem, void (*work)(void *), void *arg)
{
    jmp_buf out;
    if (setjmp(out) != 0) {
        mem->oom = NULL;
        return false;
    }
    mem->oom = &out;
    work(arg);
    mem->oom = NULL;
    return true;
}

enum jx_status
api_run(jx_module *module, void (*work)(void *), void *arg)
{
    if (!module->lost && !api_guard(&module->mem, work, arg))
        module->lost = true;
    return module->lost ? JX_OUT_OF_MEMORY : JX_OK;
}

enum jx_status
api_write(jx_module *module, struct sink *out, jx_write_fn write, void *user, void (*work)(void *), void *arg)
{
    sink_init_writer(out, &module->mem, write, user);
    enum jx_status status = api_run(module, work, arg);
    return status == JX_OK && sink_close(out) != 0 ? JX_WRITE_FAILED : status;
}

enum jx_status
api_write_alone(struct sink *out, jx_write_fn write, void *user, void (*work)(void *), void *arg)
{
    struct mem mem;
    mem_init(&mem, NULL);
    sink_init_writer(out, &mem, write, user);
    bool done = api_guard(&mem, work, arg);
    bool written = done && sink_flush(out) == 0;
    mem_drop(&mem);
    return written ? JX_OK : done ? JX_WRITE_FAILED : JX_OUT_OF_MEMORY;
}

void
api_options(void *options, size_t size, const void *given)
{
    memset(options, 0, size);
    if (given != NULL) {
        size_t known = *(const size_t *)given;
        memcpy(options, given, known < size ? known : size);
    }
}

/* ---- context and modules ---- */

void
api_own(jx_context *context, struct api_owned *owned, struct mem *mem)
{
    mem_init(mem, &context->mem.hooks);
    *owned = (struct api_owned){.next = context->owned, .mem = mem};
    if (owned->next != NULL)
        owned->next->previous = owned;
    context->owned = owned;
}

void
api_disown(jx_context *context, struct api_owned *owned)
{
    if (owned->previous != NULL)
        owned->previous->next = owned->next;
    else
        context->owned = owned->next;
    if (owned->next != NULL)
        owned->next->previous = owned->previous;
    mem_drop(owned->mem);
}

jx_context *
jx_context_new(const struct jx_allocator *allocator)
{
    struct mem_hooks hooks = mem_libc;
    if (allocator != NULL)
        hooks = (struct mem_hooks){allocator->resize, allocator->user};
    jx_context *context = hooks.resize(hooks.user, NULL, sizeof *context);
    if (context != NULL) {
        mem_init(&context->mem, &hooks);
        context->owned = NULL;
        context->parse_options = (struct jx_parse_options){0};
    }
    return context;
}

void
jx_set_parse_options(jx_context *context, const struct jx_parse_options *options)
{
    api_options(&context->parse_options, sizeof context->parse_options, options);
}

void
jx_context_free(jx_context *context)
{
    if (context == NULL)
        return;
    for (struct api_owned *owned = context->owned; owned != NULL; owned = owned->next)
        mem_drop(owned->mem);
    mem_drop(&context->mem);
    context->mem.hooks.resize(context->mem.hooks.user, context, 0);
}

void
jx_module_free(jx_module *module)
{
    if (module == NULL)
        return;
    api_disown(module->context, &module->owned);
    mem_free(&module->context->mem, module);
}

struct reading {
    jx_context *context;
    jx_module *module;
    const char *name, *bytes;
    size_t n;
    bool signatures; /* of programs, not programs: nothing is parsed yet */
    bool config;     /* a configuration: YAML */
    struct tree_source yaml;
    jx_read_fn read; /* where the bytes come from when they are not there yet */
    void *user;
    enum jx_status status;
};

jx_module *
api_new_module(jx_context *context)
{
    jx_module *module = mem_zeroed(&context->mem, sizeof *module);
    module->context = context;
    api_own(context, &module->owned, &module->mem);
    return module;
}

static void
work_new_module(void *arg)
{
    struct reading *r = arg;
    r->module = api_new_module(r->context);
}

/* Fetches a text into a block of the module; NULL (see status) when that failed, and when it is too large. `n` is how
 * many bytes are expected. */
static char *
fetch_bytes(struct reading *r)
{
    struct mem *mem = &r->module->mem;
    if (r->n > LARGEST_TEXT)
        return NULL;
    /* more than expected, so that the end shows without another block */
    size_t cap = r->n + FIRST_FETCH, n = 0;
    char *bytes = mem_alloc(mem, cap + TEXT_PADDING);
    ptrdiff_t got;
    while ((got = r->read(r->user, bytes + n, cap - n)) > 0) {
        n += (size_t)got;
        if (n == cap && n <= LARGEST_TEXT) {
            cap *= 2;
            bytes = mem_resize(mem, bytes, cap + TEXT_PADDING);
        } else if (n > LARGEST_TEXT) {
            break;
        }
    }
    r->n = n;
    if (got >= 0 && n <= LARGEST_TEXT)
        return bytes;
    if (got < 0)
        r->status = JX_READ_FAILED;
    mem_free(mem, bytes);
    return NULL;
}

/* What is too large to be read is a module with nothing in it but the word about that. */
static void
read_nothing(struct reading *r, struct slice name)
{
    jx_module *module = r->module;
    struct text text;
    text_init(&module->mem, &text, name, "", 0);
    module_init(&module->ir, &module->mem, text);
    diag_add(&module->diags, DIAG_S020, NONE, 0, "the text has 2 GiB or more and was not read");
}

/* A text that is no program is kept as it is; who writes signatures reads them. */
static void
read_other(struct reading *r, struct slice name, char *bytes)
{
    jx_module *module = r->module;
    struct text text = {0};
    text_adopt(&module->mem, &text, name, bytes, r->n);
    module_init(&module->ir, &module->mem, text);
    module->signatures = r->signatures;
    if (!r->config)
        return;
    module->config = arena_alloc(&module->mem, sizeof *module->config);
    config_read(module->config, &module->mem, &module->ir.text, &r->yaml, &module->diags);
}

static void
read_programs(struct reading *r, struct slice name, char *fetched)
{
    jx_module *module = r->module;
    struct text text;
    if (fetched != NULL)
        text_adopt(&module->mem, &text, name, fetched, r->n);
    else
        text_init(&module->mem, &text, name, r->bytes, r->n);
    parse_module(&module->ir, &module->mem, text, r->context->parse_options.no_fast_path, &module->diags);
}

bool
api_is_readable(const jx_module *module, u32 i)
{
    const struct program *p = i < module->stream.n ? &module->ir.programs.at[module->stream.at[i]] : NULL;
    return p && !p->broken && p->main != NONE;
}

void
api_list_programs(jx_module *module)
{
    for (program_t i = 0; i < module->ir.programs.n; i++)
        if (!module->ir.programs.at[i].pasted)
            *vec_push(&module->mem, &module->stream) = i;
    api_sort_diagnostics(module);
}

static void
work_read(void *arg)
{
    struct reading *r = arg;
    jx_module *module = r->module;
    struct mem *mem = &module->mem;
    diags_init(&module->diags, mem);
    struct slice name = arena_copy(mem, slice_of(r->name));
    char *fetched = r->read != NULL ? fetch_bytes(r) : NULL;
    if (r->status != JX_OK)
        return;
    if (r->n > LARGEST_TEXT)
        read_nothing(r, name);
    else if (r->signatures || r->config)
        read_other(r, name, fetched);
    else
        read_programs(r, name, fetched);
    api_list_programs(module);
}

static enum jx_status
read_module(struct reading *r, jx_module **module)
{
    *module = NULL;
    if (!api_guard(&r->context->mem, work_new_module, r))
        return JX_OUT_OF_MEMORY;
    if (!api_guard(&r->module->mem, work_read, r))
        r->status = JX_OUT_OF_MEMORY;
    tree_source_close(&r->yaml);
    if (r->status == JX_OK)
        *module = r->module;
    else
        jx_module_free(r->module);
    return r->status;
}

enum jx_status
jx_read(jx_context *context, const char *name, const char *bytes, size_t n, jx_module **module)
{
    return read_module(&(struct reading){.context = context, .name = name, .bytes = bytes, .n = n}, module);
}

enum jx_status
jx_read_from(jx_context *context, const char *name, jx_read_fn read, void *user, size_t expected, jx_module **module)
{
    struct reading r = {.context = context, .name = name, .read = read, .user = user, .n = expected};
    return read_module(&r, module);
}

enum jx_status
jx_read_signatures(jx_context *context, const char *name, jx_read_fn read, void *user, size_t expected,
                   jx_module **module)
{
    struct reading r = {
        .context = context, .name = name, .read = read, .user = user, .n = expected, .signatures = true};
    return read_module(&r, module);
}

enum jx_status
jx_read_config(jx_context *context, const char *name, jx_read_fn read, void *user, size_t expected, jx_module **config)
{
    struct reading r = {.context = context, .name = name, .read = read, .user = user, .n = expected, .config = true};
    return read_module(&r, config);
}

/* ---- the verbs ---- */

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
    };
    jx_module *module = c->module;
    check_scopes(&module->ir, &module->found, &module->diags);
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
    api_options(&c.options, sizeof c.options, options);
    if (module->checked)
        return module->lost ? JX_OUT_OF_MEMORY : JX_OK;
    module->checked = true;
    return api_run(module, work_check, &c);
}

struct writing {
    jx_module *module;
    struct sink out;
    struct print_options options;
    bool *first;
    struct slice text;
};

/* A program that could not be read is kept as it stood, without the blanks behind it. */
static void
write_verbatim(struct sink *out, const struct module *m, const struct program *p)
{
    struct slice text = {m->text.at + p->offset, p->end - p->offset};
    while (text.n > 0 && strchr(" \t\r\n", text.at[text.n - 1]) != NULL)
        text.n--;
    sink_slice(out, text);
}

void
api_format(struct sink *out, jx_module *module, const struct print_options *options)
{
    struct module *m = &module->ir;
    module_versions(m);
    for (u32 i = 0; i < module->stream.n && out->error == 0; i++) {
        program_t program = module->stream.at[i];
        const struct program *p = &m->programs.at[program];
        if (p->broken || p->main == NONE)
            write_verbatim(out, m, p);
        else
            print_program(out, m, program, options);
        sink_char(out, '\n');
    }
}

static void
work_format(void *arg)
{
    struct writing *w = arg;
    api_format(&w->out, w->module, &w->options);
}

enum jx_status
jx_format(jx_module *module, const struct jx_format_options *options, jx_write_fn write, void *user)
{
    struct jx_format_options given;
    api_options(&given, sizeof given, options);
    struct writing w = {.module = module, .options = {.width = given.width, .strip_comments = given.strip_comments}};
    return api_write(module, &w.out, write, user, work_format, &w);
}

static void
work_json(void *arg)
{
    struct writing *w = arg;
    if (json_module(&w->out, &w->module->ir, *w->first) > 0)
        *w->first = false;
}

enum jx_status
jx_write_json(jx_module *module, bool *first, jx_write_fn write, void *user)
{
    struct writing w = {.module = module, .first = first};
    return api_write(module, &w.out, write, user, work_json, &w);
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
    struct writing w = {.text = {bytes, n}};
    return api_write_alone(&w.out, write, user, work_json_string, &w);
}

enum jx_status
jx_write_visible(const char *bytes, size_t n, bool lines, jx_write_fn write, void *user)
{
    struct glyph g;
    int error = 0;
    for (size_t i = 0, run; i < n && error == 0; i += run) {
        run = plain_length(bytes + i, n - i);
        while (lines && i + run < n && (bytes[i + run] == '\n' || bytes[i + run] == '\t'))
            run += 1 + plain_length(bytes + i + run + 1, n - i - run - 1);
        if (run > 0) {
            error = write(user, bytes + i, run);
        } else {
            run = glyph_read(&g, bytes + i, n - i);
            error = write(user, g.at, g.n);
        }
    }
    return error == 0 ? JX_OK : JX_WRITE_FAILED;
}

/* ---- counts ---- */

struct counting {
    jx_module *module;
    u32 program;
};

static void
work_stats(void *arg)
{
    struct counting *c = arg;
    vec_free(&c->module->mem, &c->module->stats.prims);
    stats_program(&c->module->ir, c->program, &c->module->stats);
}

enum jx_status
jx_stats(jx_module *module, uint32_t program, struct jx_stats *stats)
{
    memset(stats, 0, sizeof *stats);
    if (program >= module->stream.n)
        return JX_OK;
    struct counting c = {module, module->stream.at[program]};
    enum jx_status status = api_run(module, work_stats, &c);
    if (status == JX_OK) {
        const struct stats *s = &module->stats;
        *stats = (struct jx_stats){s->equations, s->prims.n, s->depth, s->constants, s->constant_bytes};
    }
    return status;
}

struct jx_string
jx_stats_primitive(jx_module *module, uint32_t i, uint64_t *count)
{
    if (i >= module->stats.prims.n) {
        *count = 0;
        return (struct jx_string){"", 0};
    }
    *count = module->stats.prims.at[i].n;
    return api_string(module_name(&module->ir, module->stats.prims.at[i].prim, &module->numeral));
}
