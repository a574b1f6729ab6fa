/* SPDX-License-Identifier: Apache-2.0
 *
 * The inverse of the expansion that puts the sizes in types before the values that have these types. If the first m
 * values only provide sizes, their names occur in `used` in order. So the places of the m names in `used` increase,
 * none of the names occurs again after the first m values, and nothing else is used. Linear. */
#include "types/implicit_args.h"

#include "base/memo.h"

u32
leading_sizes(struct mem *mem, const name_t *names, u32 n, const name_t *used, u32 k)
{
    struct memo last = {0};  /* by name: its last position among the first, plus one */
    struct memo place = {0}; /* by name: its position in `used`, plus one */
    bool all = true;
    for (u32 i = 0; i < n; i++)
        memo_set(mem, &last, names[i], (u64)i + 1);
    for (u32 i = 0; i < k; i++) {
        memo_set(mem, &place, used[i], (u64)i + 1);
        all &= memo_get(&last, used[i]) != 0;
    }
    u64 before = 0, until = 0;
    u32 answer = 0;
    for (u32 i = 0; i < n && all && memo_get(&place, names[i]) > before; i++) {
        before = memo_get(&place, names[i]);
        until = memo_get(&last, names[i]) > until ? memo_get(&last, names[i]) : until;
        if (until == (u64)i + 1)
            answer = i + 1;
    }
    memo_free(mem, &last);
    memo_free(mem, &place);
    return answer;
}
