/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table from ids to numbers. Its size follows the number of entries, not the size of the module, so that
 * work on one small program of a long stream stays small. */
#ifndef JX_MEMO_H
#define JX_MEMO_H

#include "base/mem.h"

struct memo_slot {
    u32 id; /* the id plus one; 0 is an empty slot */
    u64 value;
};

struct memo {
    struct memo_slot *slots; /* NULL while the table is empty */
    u32 n, room;             /* how many ids have a value; how many slots there are */
    u32 odd, shift;          /* of the hash function in memo_slot */
};

/* the slot that holds the id, or the empty one where it would go, in a table that has slots. The first product alone
 * would put consecutive ids next to each other for some odd numbers */
static inline struct memo_slot *
memo_slot(const struct memo *t, u32 id)
{
    u32 product = id * t->odd, at = (product ^ product >> 16) * 0x9e3779b1u >> t->shift;
    while (t->slots[at].id != 0 && t->slots[at].id != id + 1)
        at = (at + 1) & (t->room - 1);
    return &t->slots[at];
}

/* the value of an id, or 0 when it has none */
static inline u64
memo_get(const struct memo *t, u32 id)
{
    return t->n == 0 ? 0 : memo_slot(t, id)->value;
}

/* sets the value of an id (not NONE) */
void memo_set(struct mem *m, struct memo *t, u32 id, u64 value);

/* makes `to` a copy of a table; it may be `from` itself, whose old memory is then forgotten, not freed */
void memo_copy(struct mem *m, struct memo *to, const struct memo *from);

/* frees the memory; the table is empty again */
void memo_free(struct mem *m, struct memo *t);

#endif
