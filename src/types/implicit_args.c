/* SPDX-License-Identifier: Apache-2.0
 *
 * The inverse of expansion: with m values in front taken for sizes, what is asked for is `asked` without the names of
 * the others in front, and that must be the m names in order. So the places of the m names among what is asked for
 * rise, none of them comes again after the m, and nothing else is asked for. Linear. */
#include "types/implicit_args.h"

#include "base/memo.h"

u32
leading_sizes(struct mem *mem, const name_t *page_front, u32 n, const name_t *op_view, u32 k)
{
    struct memo last = {0};  /* by name: its last place among the first, plus one */
    struct memo place = {0}; /* by name: its place among what is asked for, plus one */
    bool all = true;
    for (u32 i = 0; i < n; i++)
        memo_set(mem, &last, page_front[i], (u64)i + 1);
    for (u32 i = 0; i < k; i++) {
        memo_set(mem, &place, op_view[i], (u64)i + 1);
        all &= memo_get(&last, op_view[i]) != 0;
    }
    u64 before = 0, until = 0;
    u32 answer = 0;
    for (u32 i = 0; i < n && all && memo_get(&place, page_front[i]) > before; i++) {
        before = memo_get(&place, page_front[i]);
        until = memo_get(&last, page_front[i]) > until ? memo_get(&last, page_front[i]) : until;
        if (until == (u64)i + 1)
            answer = i + 1;
    }
    memo_free(mem, &last);
    memo_free(mem, &place);
    return answer;
}
