/* SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing, load at most a half. A product with a secret odd number spreads ids that an attacker chose (as
 * parts of hashes may be) as well as others. */
#include "base/memo.h"

static void
memo_grow(struct mem *m, struct memo *t)
{
    struct memo old = *t;
    u32 room = old.room ? old.room * 2 : 16;
    *t = (struct memo){.slots = mem_zeroed(m, room * sizeof *t->slots),
                       .n = old.n,
                       .room = room,
                       .odd = (u32)m->secret | 1,
                       .shift = (u32)__builtin_clz(room) + 1};
    for (u32 i = 0; i < old.room; i++)
        if (old.slots[i].id != 0)
            *memo_slot(t, old.slots[i].id - 1) = old.slots[i];
    mem_free(m, old.slots);
}

void
memo_set(struct mem *m, struct memo *t, u32 id, u64 value)
{
    if (t->n >= t->room / 2)
        memo_grow(m, t);
    struct memo_slot *slot = memo_slot(t, id);
    t->n += slot->id == 0;
    *slot = (struct memo_slot){id + 1, value};
}

void
memo_free(struct mem *m, struct memo *t)
{
    mem_free(m, t->slots);
    *t = (struct memo){0};
}

void
memo_copy(struct mem *m, struct memo *to, const struct memo *from)
{
    struct memo copy = *from;
    if (copy.slots != NULL)
        copy.slots = memcpy(mem_alloc(m, copy.room * sizeof *copy.slots), from->slots, copy.room * sizeof *copy.slots);
    *to = copy;
}
