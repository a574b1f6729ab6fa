/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table of the names of grammar/primitives.def. It has no pointers, which a loader would have to relocate in
 * every process: names are offsets into one block. */
#include "prims/names/prim_names.h"

#include "slot.h"

/* every name of the table, one after the other */
#define PRIM(name, also, ...) char AT_LINE(name_, __LINE__)[sizeof(name)], AT_LINE(also_, __LINE__)[sizeof(also)];
static const struct names {
#include "primitives.def"
} names = {
#undef PRIM
#define PRIM(name, also, ...) name, also,
#include "primitives.def"
};
#undef PRIM

_Static_assert(sizeof names <= UINT16_MAX, "offsets have 16 bits");

#define PRIM(...) {offsetof(struct names, AT_LINE(name_, __LINE__)), offsetof(struct names, AT_LINE(also_, __LINE__))},
static const struct {
    u16 name, also;
} rows[] = {
#include "primitives.def"
};
#undef PRIM

/* open addressing over all names: row + 1 */
static const u16 slots[SLOT_COUNT] = {
#include "slots.def"
};

const char *
prim_newest_name(u32 row)
{
    return (const char *)&names + rows[row].name;
}

const char *
prim_older_names(u32 row)
{
    return (const char *)&names + rows[row].also;
}

static bool
row_has_name(u32 row, struct slice name)
{
    return slice_eq(slice_of(prim_newest_name(row)), name) || words_have(prim_older_names(row), name);
}

u32
prim_row_named(struct slice name)
{
    if (name.n == 0)
        return NO_ROW;
    u32 slot = slot_of_name(name.at, name.n);
    while (slots[slot] && !row_has_name(slots[slot] - 1u, name))
        slot = (slot + 1) % SLOT_COUNT;
    return slots[slot] ? slots[slot] - 1u : NO_ROW;
}
