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
    u32 n, room;             /* how many have a value; how many slots there are */
    u32 odd, shift;          /* the slot of an id is id * odd >> shift */
};

/* the value of an id, or 0 when it has none */
u64 memo_get(const struct memo *t, u32 id);

/* sets the value of an id (not NONE) */
void memo_set(struct mem *m, struct memo *t, u32 id, u64 value);

/* makes a table with the same values; `to` may be `from` itself, which is then forgotten, not freed */
void memo_copy(struct mem *m, struct memo *to, const struct memo *from);

/* frees the memory; the table is empty again */
void memo_free(struct mem *m, struct memo *t);

#endif
