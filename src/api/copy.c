/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules that calls may change: copies, so that the caller's is not changed, or, by an option, the caller's own,
 * which saves the copy. */
#include "api/api.h"

struct copying {
    jx_module *from, *to;
};

static void
copy_resolution(struct resolution *to, struct mem *mem, const struct resolution *from)
{
    to->scopes = from->scopes;
    memo_copy(mem, &to->unbound, &from->unbound);
    memo_copy(mem, &to->rebound, &from->rebound);
    vec_append(mem, &to->underscored, from->underscored.at, from->underscored.n);
}

static void
work_copy(void *arg)
{
    struct copying *c = arg;
    const jx_module *from = c->from;
    jx_module *to = c->to;
    struct mem *mem = &to->mem;
    module_copy(&to->ir, mem, &from->ir);
    diags_copy_read(&to->diags, mem, &from->diags);
    to->diags.stage = STAGE_LATER;
    to->values_checked = from->values_fit ? from->values_checked : VALUES_UNREAD;
    copy_resolution(&to->found, mem, &from->found);
    vec_append(mem, &to->stream, from->stream.at, from->stream.n);
    to->first_program = from->first_program;
}

enum jx_status
api_copy(jx_module *module, jx_module **copy)
{
    *copy = NULL;
    if (module->lost)
        return api_left(&module->mem);
    struct copying c = {module, api_new_module(module->context)};
    if (c.to == NULL)
        return JX_OUT_OF_MEMORY;
    c.to->original = module;
    c.to->owned_elsewhere = c.to->spent = true;
    module->held++;
    if (!api_guard(&c.to->mem, work_copy, &c)) {
        enum jx_status left = api_left(&c.to->mem);
        api_free_module(c.to);
        return left;
    }
    *copy = c.to;
    return JX_OK;
}

enum jx_status
api_changeable(jx_module *module, bool in_place, jx_module **changed)
{
    *changed = NULL;
    enum jx_status status = api_intact(module);
    if (status != JX_OK || !in_place)
        return status != JX_OK ? status : api_copy(module, changed);
    module->spent = true;
    module->held++;
    *changed = module;
    return JX_OK;
}

void
api_free_module(jx_module *module)
{
    module->freed = true;
    while (module != NULL && module->freed && module->held == 0) {
        jx_module *original = module->original;
        api_disown(module->context, &module->owned);
        mem_free(&module->context->mem, module);
        if (original != NULL)
            original->held--;
        module = original;
    }
}

void
api_let_go(jx_module *module)
{
    module->held--;
    if (module->freed)
        api_free_module(module);
}

void
api_release(jx_module *changed)
{
    if (changed == NULL)
        return;
    if (changed->original == NULL)
        api_let_go(changed);
    else
        api_free_module(changed);
}

struct making {
    struct mem *mem;
    size_t n;
    void *made;
};

static void
work_result(void *arg)
{
    struct making *making = arg;
    making->made = memset(arena_alloc(making->mem, making->n), 0, making->n);
}

enum jx_status
api_result(jx_module *module, size_t n, void **result)
{
    struct making making = {&module->mem, n, NULL};
    enum jx_status status = api_run(module, work_result, &making);
    *result = making.made;
    return status;
}

enum jx_status
api_make(jx_module *module, const void *first, size_t n, void (*work)(void *), void **result)
{
    void *made;
    *result = NULL;
    enum jx_status status = api_result(module, n, &made);
    if (status != JX_OK)
        return status;
    memcpy(made, first, n);
    status = api_run(module, work, made);
    if (status != JX_OK)
        return status;
    module->held++;
    *result = made;
    return JX_OK;
}
