/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of modules, so that passes do not change the programs that were read. Arrays and tables are copied; the
 * bytes they refer to are shared. Linear in the arrays, at the speed of memcpy. */
#include "ir/module.h"

/* gives an array its own storage with the same elements */
#define OWN(mem, vec) own((mem), (void **)&(vec).at, (vec).n, &(vec).cap, sizeof *(vec).at)

static void
own(struct mem *mem, void **at, u32 n, u32 *cap, size_t size)
{
    void *copy = n > 0 ? mem_alloc(mem, n * size) : NULL;
    if (n > 0)
        memcpy(copy, *at, n * size);
    *at = copy;
    *cap = n;
}

static void
own_slots(struct mem *mem, u32 **slots, u32 mask)
{
    u32 *copy = mem_alloc(mem, ((size_t)mask + 1) * sizeof *copy);
    *slots = memcpy(copy, *slots, ((size_t)mask + 1) * sizeof *copy);
}

static void
own_arrays(struct module *m, struct mem *mem)
{
    OWN(mem, m->text.lines);
    OWN(mem, m->names.others);
    OWN(mem, m->types.list);
    OWN(mem, m->types.dims);
    OWN(mem, m->extra);
    OWN(mem, m->vars);
    OWN(mem, m->atoms);
    OWN(mem, m->uses);
    OWN(mem, m->pieces);
    OWN(mem, m->literals);
    OWN(mem, m->refs);
    OWN(mem, m->eqns);
    OWN(mem, m->params);
    OWN(mem, m->segments);
    OWN(mem, m->joined);
    OWN(mem, m->jaxprs);
    OWN(mem, m->lets);
    OWN(mem, m->programs);
    OWN(mem, m->comments);
    OWN(mem, m->origins);
}

void
module_view(struct module *view, struct mem *mem, const struct module *of)
{
    *view = *of;
    view->mem = view->types.mem = mem;
    view->types.names = &view->names;
    OWN(mem, view->text.lines);
    OWN(mem, view->names.others);
    OWN(mem, view->types.list);
    OWN(mem, view->types.dims);
    OWN(mem, view->programs);
    own_slots(mem, &view->names.slots, view->names.slot_mask);
    own_slots(mem, &view->types.slots, view->types.slot_mask);
    view->text.parts = mem_zeroed(mem, PART_TABLES * PART_SLOTS * sizeof *view->text.parts);
}

void
module_copy(struct module *to, struct mem *mem, const struct module *from)
{
    *to = *from;
    to->mem = to->types.mem = mem;
    to->types.names = &to->names;
    to->types.variables = NULL;
    to->types.view = NULL;
    own_arrays(to, mem);
    own_slots(mem, &to->names.slots, to->names.slot_mask);
    own_slots(mem, &to->types.slots, to->types.slot_mask);
    to->text.parts = mem_zeroed(mem, PART_TABLES * PART_SLOTS * sizeof *to->text.parts);
    to->dim_names = (struct memo){0};
    struct memo *memos[] = {&to->statements, &to->comment_of, &to->effects, &to->copied,
                            &to->unprinted,  &to->damaged,    &to->likes};
    for (u32 i = 0; i < countof(memos); i++)
        memo_copy(mem, memos[i], memos[i]);
}
