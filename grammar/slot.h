/* SPDX-License-Identifier: Apache-2.0
 *
 * The slots of names of primitives.def in the table that slots.c prints during the build and that
 * src/prims/names/prim_names.c reads.
 */
#ifndef JX_SLOT_H
#define JX_SLOT_H

#include <stddef.h>
#include <stdint.h>

/* names fill at most half of the slots */
enum { SLOT_BITS = 11, SLOT_COUNT = 1 << SLOT_BITS };

/* The first slot in which a name of n > 0 bytes is searched; the next ones follow. Three letters and the length
 * distinguish the names of this fixed table well enough. */
static inline uint32_t
slot_of_name(const char *name, size_t n)
{
    const uint8_t *at = (const uint8_t *)name;
    uint32_t h = at[0] | (uint32_t)at[n - 1] << 8 | (uint32_t)at[n / 2] << 16;
    return (uint32_t)((h ^ (uint32_t)n << 24) * 0x9e3779b1u) >> (32 - SLOT_BITS);
}

#endif
