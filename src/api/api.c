/* SPDX-License-Identifier: Apache-2.0
 *
 * Contexts, and texts that are read into them. Each call that may allocate runs in api_guard, to which a failed
 * allocation at any depth jumps; the module of the call is then lost and can only be freed. */
#include "api/api.h"

#include "extract/window.h"
#include "parse/parse.h"

/* the most bytes of a text: higher offsets are those of bytes that are added later */
#define LARGEST_TEXT ((size_t)INT32_MAX - (1u << 16))

/* the initial capacity for a text of unknown length */
enum { FIRST_FETCH = 4 << 10 };

const char *
jx_version(void)
{
    return JX_VERSION;
}

uint32_t
jx_version_number(void)
{
    return JX_VERSION_NUMBER;
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
    case JX_MISUSE:
        return "invalid argument";
    case JX_CANCELLED:
        return "cancelled";
    case JX_UNSUPPORTED:
        return tree_supported() ? "built without yajl, which is needed to read notebooks"
               : notebook_supported()
                   ? "built without libyaml, which is needed to read configurations"
                   : "built without libyaml and yajl, which are needed to read configurations and notebooks";
    }
    return "unknown status";
}

const char *
jx_misuse_text(const jx_context *context)
{
    return context == NULL ? "a handle or a pointer is NULL" : context->misuse != NULL ? context->misuse : "";
}

enum jx_status
api_misuse(jx_context *context, const char *sentence)
{
    if (context != NULL)
        context->misuse = sentence;
    return JX_MISUSE;
}

enum jx_status
api_intact(jx_module *module)
{
    return module == NULL   ? JX_MISUSE
           : !module->spent ? JX_OK
                            : api_misuse(module->context, "the programs of the module were changed in place by an "
                                                          "earlier call; read the text again");
}

enum jx_status
api_enum(jx_context *context, unsigned value, unsigned last, const char *sentence)
{
    return value <= last ? JX_OK : api_misuse(context, sentence);
}

bool
api_guard(struct mem *mem, void (*work)(void *), void *arg)
{
    jmp_buf out;
    if (setjmp(out) != 0) {
        mem->oom = NULL;
        mem->cancelled = mem->watch != NULL && mem->watch->cancelled;
        return false;
    }
    mem->oom = &out;
    mem->steps = 0;
    if (mem->watch != NULL)
        mem->watch->cancelled = false;
    work(arg);
    mem->oom = NULL;
    return true;
}

enum jx_status
api_run(jx_module *module, void (*work)(void *), void *arg)
{
    if (module == NULL)
        return JX_MISUSE;
    if (!module->lost && !api_guard(&module->mem, work, arg))
        module->lost = true;
    return module->lost ? api_left(&module->mem) : JX_OK;
}

enum jx_status
api_write(jx_module *module, struct sink *out, jx_write_fn write, void *user, void (*work)(void *), void *arg)
{
    if (module == NULL || write == NULL)
        return api_misuse(module == NULL ? NULL : module->context, "`write` is NULL");
    sink_init_writer(out, &module->mem, write, user);
    enum jx_status status = api_run(module, work, arg);
    return status == JX_OK && sink_close(out) != 0 ? JX_WRITE_FAILED : status;
}

int
api_discard(void *user, const char *bytes, size_t n)
{
    (void)user;
    (void)bytes;
    (void)n;
    return 0;
}

enum jx_status
api_write_alone(struct sink *out, jx_write_fn write, void *user, void (*work)(void *), void *arg)
{
    struct mem mem;
    if (write == NULL)
        return JX_MISUSE;
    mem_init(&mem, NULL);
    sink_init_writer(out, &mem, write, user);
    bool done = api_guard(&mem, work, arg);
    bool written = done && sink_flush(out) == 0;
    mem_drop(&mem);
    return written ? JX_OK : done ? JX_WRITE_FAILED : JX_OUT_OF_MEMORY;
}

enum jx_status
api_options(jx_context *context, void *options, size_t size, const void *given)
{
    memset(options, 0, size);
    if (given == NULL)
        return JX_OK;
    size_t known = *(const size_t *)given;
    if (known < sizeof known)
        return api_misuse(context, "the `size` of the options is not set");
    for (size_t i = size; i < known; i++)
        if (((const char *)given)[i] != 0)
            return api_misuse(context, "the options set a member that this version of the library does not support");
    memcpy(options, given, known < size ? known : size);
    return JX_OK;
}

/* ---- context and modules ---- */

void
api_own(jx_context *context, struct api_owned *owned, struct mem *mem)
{
    mem_init(mem, &context->mem.hooks);
    mem->watch = &context->watch;
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
        context->watch = (struct mem_watch){.ask = NULL};
        context->executor = (struct executor){.threads = 1};
        context->misuse = NULL;
    }
    return context;
}

enum jx_status
jx_set_parse_options(jx_context *context, const struct jx_parse_options *options)
{
    struct jx_parse_options given;
    enum jx_status status = context == NULL ? JX_MISUSE : api_options(context, &given, sizeof given, options);
    if (status == JX_OK)
        context->parse_options = given;
    return status;
}

enum jx_status
jx_set_progress(jx_context *context, jx_progress_fn progress, void *user)
{
    if (context == NULL)
        return JX_MISUSE;
    context->watch = (struct mem_watch){.ask = progress, .user = user};
    return JX_OK;
}

enum jx_status
jx_set_threads(jx_context *context, jx_run_fn run, void *user, uint32_t threads)
{
    if (context == NULL || (run == NULL && threads > 1))
        return api_misuse(context, "`run` is NULL");
    context->executor = (struct executor){run, user, threads};
    return JX_OK;
}

const struct executor *
api_executor(const jx_context *context)
{
    bool alone = context->watch.ask != NULL || context->mem.hooks.resize != mem_libc.resize;
    return alone ? NULL : &context->executor;
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
    if (module != NULL && !module->owned_elsewhere)
        api_free_module(module);
}

void
jx_config_free(jx_config *config)
{
    if (config != NULL)
        api_free_module(config->module);
}

void
jx_signatures_free(jx_signatures *signatures)
{
    if (signatures != NULL)
        api_free_module(signatures->module);
}

jx_module *
jx_config_module(jx_config *config)
{
    return config == NULL ? NULL : config->module;
}

jx_module *
jx_signatures_module(jx_signatures *signatures)
{
    return signatures == NULL ? NULL : signatures->module;
}

struct reading {
    jx_context *context;
    jx_module *module;
    const char *name, *bytes;
    size_t n;
    jx_signatures **signatures; /* NULL, or the text holds signatures: nothing is parsed yet */
    jx_config **config;         /* NULL, or the text is a configuration: YAML */
    struct tree_source yaml;
    u32 lines;       /* how many lines precede the text in its file */
    jx_read_fn read; /* the callback that supplies the bytes; NULL once they are read */
    void *user;
    enum jx_status status;
};

struct making {
    jx_context *context;
    jx_module *module;
};

static void
work_make(void *arg)
{
    struct making *m = arg;
    m->module = mem_zeroed(&m->context->mem, sizeof *m->module);
    m->module->context = m->context;
    api_own(m->context, &m->module->owned, &m->module->mem);
}

jx_module *
api_new_module(jx_context *context)
{
    struct making m = {context, NULL};
    return api_guard(&context->mem, work_make, &m) ? m.module : NULL;
}

/* Reads a text into a block of the module; NULL (see status) if that fails or the text is too large. `n` is the
 * expected number of bytes. */
static char *
fetch_bytes(struct reading *r)
{
    struct mem *mem = &r->module->mem;
    if (r->n > LARGEST_TEXT)
        return NULL;
    /* one byte more than expected, so that the end is found without another block */
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

/* A text that is too large becomes an empty module with one diagnostic. */
static void
read_nothing(struct reading *r, struct slice name)
{
    jx_module *module = r->module;
    struct text text;
    text_init(&module->mem, &text, name, "", 0);
    module_init(&module->ir, &module->mem, text);
    diag_add(&module->diags, DIAG_S020, NONE, 0, "the text has 2 GiB or more and was not read");
}

/* A text that is not a program is kept unchanged; it may be a signature. */
static void
read_other(struct reading *r, struct slice name, char *bytes)
{
    jx_module *module = r->module;
    struct text text = {0};
    text_adopt(&module->mem, &text, name, bytes, r->n);
    module_init(&module->ir, &module->mem, text);
    if (r->config != NULL)
        config_read(&(*r->config)->parsed, &module->mem, &module->ir.text, &r->yaml, &module->diags);
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
    if (r->lines > 0)
        text_begin_at(&module->mem, &text, r->lines);
    const struct parse_how how = {r->context->parse_options.no_fast_path, api_executor(r->context)};
    parse_module(&module->ir, &module->mem, text, &how, &module->diags);
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
    module->diags.stage = STAGE_LATER;
    api_sort_diagnostics(module);
}

/* makes the owner of the module if its text contains no programs */
static void
make_owner(struct reading *r)
{
    struct mem *mem = &r->module->mem;
    r->module->owned_elsewhere = r->signatures != NULL || r->config != NULL;
    if (r->signatures != NULL) {
        *r->signatures = arena_alloc(mem, sizeof **r->signatures);
        **r->signatures = (struct jx_signatures){r->module};
    }
    if (r->config != NULL) {
        *r->config = arena_alloc(mem, sizeof **r->config);
        **r->config = (struct jx_config){.module = r->module};
    }
}

static void
work_read(void *arg)
{
    struct reading *r = arg;
    jx_module *module = r->module;
    struct mem *mem = &module->mem;
    diags_init(&module->diags, mem);
    make_owner(r);
    struct slice name = arena_copy(mem, slice_of(r->name));
    char *fetched = r->read != NULL ? fetch_bytes(r) : NULL;
    if (r->status != JX_OK)
        return;
    if (r->n > LARGEST_TEXT)
        read_nothing(r, name);
    else if (module->owned_elsewhere)
        read_other(r, name, fetched);
    else
        read_programs(r, name, fetched);
    api_list_programs(module);
}

static enum jx_status
read_module(struct reading *r, jx_module **module)
{
    *module = NULL;
    if (r->context == NULL || r->name == NULL)
        return api_misuse(r->context, "the text has no name: `name` is NULL");
    if (r->read == NULL && r->bytes == NULL && r->n > 0)
        return api_misuse(r->context, "there is no text: `bytes` or `read` is NULL");
    if (r->config != NULL && !tree_supported())
        return JX_UNSUPPORTED;
    r->module = api_new_module(r->context);
    if (r->module == NULL)
        return JX_OUT_OF_MEMORY;
    if (!api_guard(&r->module->mem, work_read, r))
        r->status = api_left(&r->module->mem);
    tree_source_close(&r->yaml);
    if (r->status == JX_OK)
        *module = r->module;
    else
        api_free_module(r->module);
    return r->status;
}

enum jx_status
jx_read(jx_context *context, const char *name, const char *bytes, size_t n, jx_module **module)
{
    if (module == NULL)
        return api_misuse(context, "`module` is NULL");
    return read_module(&(struct reading){.context = context, .name = name, .bytes = bytes, .n = n}, module);
}

enum jx_status
api_read_range(jx_context *context, const char *name, const char *bytes, size_t n, u32 lines, jx_module **module)
{
    return read_module(&(struct reading){.context = context, .name = name, .bytes = bytes, .n = n, .lines = lines},
                       module);
}

/* reads through a callback, which must not be NULL */
static enum jx_status
read_through(struct reading *r, jx_module **module)
{
    *module = NULL;
    return r->read != NULL ? read_module(r, module) : api_misuse(r->context, "`read` is NULL");
}

enum jx_status
jx_read_from(jx_context *context, const char *name, jx_read_fn read, void *user, size_t expected, jx_module **module)
{
    struct reading r = {.context = context, .name = name, .read = read, .user = user, .n = expected};
    return module != NULL ? read_through(&r, module) : api_misuse(context, "`module` is NULL");
}

enum jx_status
jx_read_signatures(jx_context *context, const char *name, jx_read_fn read, void *user, size_t expected,
                   jx_signatures **signatures)
{
    jx_module *module;
    if (signatures == NULL)
        return api_misuse(context, "`signatures` is NULL");
    enum jx_status status = read_through(
        &(struct reading){
            .context = context, .name = name, .read = read, .user = user, .n = expected, .signatures = signatures},
        &module);
    *signatures = status == JX_OK ? *signatures : NULL;
    return status;
}

enum jx_status
jx_read_config(jx_context *context, const char *name, jx_read_fn read, void *user, size_t expected, jx_config **config)
{
    jx_module *module;
    if (config == NULL)
        return api_misuse(context, "`config` is NULL");
    enum jx_status status = read_through(
        &(struct reading){
            .context = context, .name = name, .read = read, .user = user, .n = expected, .config = config},
        &module);
    *config = status == JX_OK ? *config : NULL;
    return status;
}
