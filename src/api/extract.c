/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of extraction: each program found becomes a module whose places are those of the file. */
#include "api/api.h"

#include "extract/extract.h"
#include "extract/classify.h"
#include "parse/parse.h"

struct jx_extract {
    jx_context *context;
    struct api_owned owned, owned_scratch;
    struct mem mem, scratch;
    struct extract *work;
    struct extract_source source;
    bool lost; /* out of memory during a search: it can only be freed */
    bool found;
    u32 programs; /* found so far */
    struct find find;
    struct verdict verdict;
    jx_module *module;
};

static void
work_new(void *arg)
{
    jx_extract **answer = arg;
    jx_context *context = (*answer)->context;
    jx_extract *x = mem_alloc(&context->mem, sizeof *x);
    *x = **answer;
    api_own(context, &x->owned, &x->mem);
    api_own(context, &x->owned_scratch, &x->scratch);
    *answer = x;
}

static void
work_start(void *arg)
{
    jx_extract *x = arg;
    x->source.name = arena_copy(&x->mem, x->source.name);
    x->source.no_fast_path = x->context->parse_options.no_fast_path;
    x->work = extract_start(&x->mem, &x->scratch, &x->source);
}

enum jx_status
api_extract_begin(jx_context *context, const struct extract_source *source, jx_extract **extract)
{
    jx_extract *x = &(jx_extract){.context = context, .source = *source};
    *extract = NULL;
    if (!api_guard(&context->mem, work_new, &x))
        return JX_OUT_OF_MEMORY;
    bool started = api_guard(&x->mem, work_start, x);
    if (!started || extract_unsupported(x->work)) {
        enum jx_status left = started ? JX_UNSUPPORTED : api_left(&x->mem);
        jx_extract_end(x);
        return left;
    }
    *extract = x;
    return JX_OK;
}

enum jx_status
jx_extract_begin(jx_context *context, const char *name, jx_read_fn read, void *user, jx_extract **extract)
{
    if (context == NULL || name == NULL || read == NULL || extract == NULL)
        return api_misuse(context, "`name`, `read` or `extract` is NULL");
    return api_extract_begin(context, &(struct extract_source){slice_of(name), read, user}, extract);
}

struct extract_state
api_extract_state(const jx_extract *x)
{
    return extract_state(x->work);
}

struct surroundings
api_extract_surroundings(const jx_extract *x)
{
    return x->find.around;
}

void
jx_extract_end(jx_extract *x)
{
    if (x == NULL)
        return;
    api_disown(x->context, &x->owned);
    api_disown(x->context, &x->owned_scratch);
    mem_free(&x->context->mem, x);
}

static void
work_find(void *arg)
{
    jx_extract *x = arg;
    x->found = extract_next(x->work, &x->find);
}

static void
work_again(void *arg)
{
    jx_extract *x = arg;
    x->found = extract_again(x->work, &x->verdict, &x->find);
}

/* reads a text with origins into a new module */
static void
parse_found(jx_module *module, struct slice name, struct slice bytes, const struct origin *origins, u32 n)
{
    struct mem *mem = &module->mem;
    diags_init(&module->diags, mem);
    struct text text;
    text_init(mem, &text, name, bytes.at, bytes.n);
    text.origins = mem_alloc(mem, n * sizeof *origins);
    memcpy(text.origins, origins, n * sizeof *origins);
    text.n_origins = n;
    bool plain = module->context->parse_options.no_fast_path;
    parse_module(&module->ir, mem, text, &(struct parse_how){.no_fast_path = plain}, &module->diags);
}

static void
work_parse(void *arg)
{
    jx_extract *x = arg;
    jx_module *module = x->module;
    parse_found(module, x->source.name, x->find.text, x->find.origins, x->find.n_origins);
    module->first_program = x->programs;
    api_list_programs(module);
    x->verdict = classify_module(&module->ir, &module->diags);
}

/* Reads the found program into a module. */
static bool
read_find(jx_extract *x)
{
    x->module = api_new_module(x->context);
    return x->module != NULL && api_guard(&x->module->mem, work_parse, x);
}

enum jx_status
jx_extract_next(jx_extract *x, jx_module **module, struct jx_found *found)
{
    if (x == NULL || module == NULL)
        return api_misuse(x == NULL ? NULL : x->context, "`module` is NULL");
    *module = NULL;
    if (x->lost || !api_guard(&x->mem, work_find, x)) {
        x->lost = true;
        return api_left(&x->mem);
    }
    if (!x->found)
        return extract_failed(x->work) ? JX_READ_FAILED : JX_OK;
    do {
        if (!read_find(x) || !api_guard(&x->mem, work_again, x)) {
            x->mem.cancelled = x->context->watch.cancelled;
            jx_module_free(x->module);
            x->lost = true;
            return api_left(&x->mem);
        }
        if (x->found)
            jx_module_free(x->module);
    } while (x->found);
    x->programs += x->module->stream.n > 0 ? x->module->stream.n : 1;
    *module = x->module;
    if (found != NULL) {
        found->text = (struct jx_string){x->module->ir.text.at, x->module->ir.text.n};
        found->offset = x->find.place.offset;
        return api_find_place(x->module, 0, x->module->ir.text.n, &found->place);
    }
    return JX_OK;
}

struct reading_again {
    const jx_module *like;
    jx_module *module;
};

static void
work_parse_again(void *arg)
{
    struct reading_again *r = arg;
    const struct text *t = &r->like->ir.text;
    parse_found(r->module, t->name, (struct slice){t->at, t->n}, t->origins, t->n_origins);
    r->module->first_program = r->like->first_program;
    api_list_programs(r->module);
}

enum jx_status
api_read_found(const jx_module *like, jx_module **module)
{
    struct reading_again r = {like, api_new_module(like->context)};
    if (r.module == NULL)
        return JX_OUT_OF_MEMORY;
    if (!api_guard(&r.module->mem, work_parse_again, &r)) {
        enum jx_status left = api_left(&r.module->mem);
        jx_module_free(r.module);
        return left;
    }
    *module = r.module;
    return JX_OK;
}
