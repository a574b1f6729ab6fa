/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of base/vec.h. Ids are 32 bits: an array that would need more counts as a failed allocation. */
#include "base/vec.h"

void *
vec_grow(struct mem *m, void *at, u32 n, u32 *cap, size_t more, size_t size)
{
    size_t want = (size_t)n + more, cap_new = *cap ? (size_t)*cap * 2 : 16;
#ifdef ADDRESS_SANITIZER
    if (want * size < 1 << 14) /* each push moves a short array, so that any use of its old address is an error */
        cap_new = want;
#endif
    if (cap_new < want)
        cap_new = want;
    cap_new = mem_block_size(m, cap_new * size) / size;
    if (cap_new >= NONE) {
        cap_new = NONE - 1;
        if (want > cap_new)
            longjmp(*m->oom, 1);
    }
    at = mem_resize(m, at, cap_new * size);
    *cap = (u32)cap_new;
    return at;
}

u32
before_key(const void *at, u32 n, size_t size, u32 key)
{
    u32 low = 0, high = n;
    while (low < high) {
        u32 middle = low + (high - low) / 2, found;
        memcpy(&found, (const char *)at + middle * size, sizeof found);
        if (found < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
