/* SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing, load at most a half. Ids are dense and we choose them, so a multiplication is hash enough. */
#include "base/memo.h"

u64
memo_get(const struct memo *t, u32 id)
{
    if (t->n == 0)
        return 0;
    u32 at = (id * 0x9E3779B1u) & t->mask;
    for (; t->slots[at].id != 0; at = (at + 1) & t->mask)
        if (t->slots[at].id == id + 1)
            return t->slots[at].value;
    return 0;
}

static void
memo_grow(struct mem *m, struct memo *t)
{
    struct memo old = *t;
    u32 count = old.slots ? (old.mask + 1) * 2 : 64;
    *t = (struct memo){.slots = mem_alloc(m, count * sizeof *t->slots), .mask = count - 1};
    memset(t->slots, 0, count * sizeof *t->slots);
    for (u32 i = 0; old.slots && i <= old.mask; i++)
        if (old.slots[i].id != 0)
            memo_set(m, t, old.slots[i].id - 1, old.slots[i].value);
    mem_free(m, old.slots);
}

void
memo_set(struct mem *m, struct memo *t, u32 id, u64 value)
{
    if (!t->slots || t->n * 2 > t->mask)
        memo_grow(m, t);
    u32 at = (id * 0x9E3779B1u) & t->mask;
    while (t->slots[at].id != 0 && t->slots[at].id != id + 1)
        at = (at + 1) & t->mask;
    t->n += t->slots[at].id == 0;
    t->slots[at].id = id + 1;
    t->slots[at].value = value;
}

void
memo_free(struct mem *m, struct memo *t)
{
    mem_free(m, t->slots);
    *t = (struct memo){0};
}
