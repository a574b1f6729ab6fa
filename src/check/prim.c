/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of grammar/primitives.def behind a hash of their names, and a small cache keyed by a module's name ids, so
 * that an equation finds its row with one comparison. */
#include "check/prim.h"

#include "base/near.h"

#define PRIM(name, also, min, max, in, shape, dtype, params, effects) \
    {name, also, min, max, in, shape_##shape, dtype_##dtype, params, effects},
const struct prim prim_table[] = {
#include "primitives.def"
};
#undef PRIM

const u32 prim_count = countof(prim_table);

/* the next blank-separated word at *p, empty at the end */
static struct slice
next_word(const char **p)
{
    while (**p == ' ')
        ++*p;
    const char *start = *p;
    while (**p && **p != ' ')
        ++*p;
    return (struct slice){start, (size_t)(*p - start)};
}

static bool
row_has_name(const struct prim *row, struct slice name)
{
    if (slice_eq(slice_of(row->name), name))
        return true;
    const char *p = row->also;
    for (struct slice word = next_word(&p); word.n; word = next_word(&p))
        if (slice_eq(word, name))
            return true;
    return false;
}

static void
add_name(struct prims *p, struct slice name, u32 row)
{
    u32 at = (u32)hash_bytes(1, name.at, name.n) & p->slot_mask;
    while (p->slots[at])
        at = (at + 1) & p->slot_mask;
    p->slots[at] = (u16)(row + 1);
}

void
prims_init(struct mem *mem, struct prims *p)
{
    u32 count = 1024;
    while (count < prim_count * 3)
        count *= 2;
    p->slots = mem_alloc(mem, count * sizeof *p->slots);
    memset(p->slots, 0, count * sizeof *p->slots);
    p->slot_mask = count - 1;
    for (u32 row = 0; row < prim_count; row++) {
        add_name(p, slice_of(prim_table[row].name), row);
        const char *also = prim_table[row].also;
        for (struct slice word = next_word(&also); word.n; word = next_word(&also))
            add_name(p, word, row);
    }
    for (u32 i = 0; i < countof(p->cached); i++)
        p->cached[i] = NONE;
}

const struct prim *
prims_find(struct prims *p, const struct module *m, name_t name)
{
    u32 at = (name * 0x9e3779b1u) >> 23;
    if (unlikely(p->cached[at] != name)) {
        struct name_buffer buffer;
        struct slice text = module_name(m, name, &buffer);
        u32 slot = (u32)hash_bytes(1, text.at, text.n) & p->slot_mask;
        while (p->slots[slot] && !row_has_name(&prim_table[p->slots[slot] - 1], text))
            slot = (slot + 1) & p->slot_mask;
        p->cached[at] = name;
        p->rows[at] = p->slots[slot];
    }
    return p->rows[at] ? &prim_table[p->rows[at] - 1] : NULL;
}

const char *
prims_suggest(struct slice name)
{
    const char *nearest = NULL;
    u32 least = 0;
    for (u32 i = 0; i < prim_count; i++)
        if (word_nearer(name, slice_of(prim_table[i].name), &least))
            nearest = prim_table[i].name;
    return nearest;
}

struct slice
prim_role(const struct prim *p, struct slice param)
{
    const char *at = p->params;
    for (struct slice word = next_word(&at); word.n; word = next_word(&at)) {
        const char *equals = memchr(word.at, '=', word.n);
        size_t n = equals ? (size_t)(equals - word.at) : word.n;
        struct slice role = {word.at + n + 1, equals ? word.n - n - 1 : 0};
        if (n && word.at[n - 1] == '?')
            n--;
        if (slice_eq((struct slice){word.at, n}, param))
            return equals ? role : SLICE("TEXT");
    }
    return (struct slice){"", 0};
}
