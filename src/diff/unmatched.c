/* SPDX-License-Identifier: Apache-2.0
 *
 * Matches that are in order divide both sides into ranges, which are searched first for similar equations. Linear if
 * all matches are in order, as is usual, else n log n. */
#include "diff/diff.h"

/* calls work for the unmatched equations before the pair (end_a, end_b), and begins the range after it */
static void
gap_run(struct diff *d, struct diff_unmatched_range *gap, u32 end_a, u32 end_b,
        void (*work)(struct diff *, const struct diff_unmatched_range *))
{
    gap->a.n = gap->b.n = 0;
    for (u32 i = gap->first_b; i < end_b; i++)
        if (d->b.match[d->b.eqns.at[i]] == NONE)
            *vec_push(d->mem, &gap->b) = i;
    for (u32 i = gap->first_a; i < end_a && gap->b.n > 0; i++)
        if (d->a.match[d->a.eqns.at[i]] == NONE)
            *vec_push(d->mem, &gap->a) = i;
    if (gap->a.n > 0 && gap->b.n > 0)
        work(d, gap);
    gap->first_a = end_a + 1;
    gap->first_b = end_b + 1;
}

/* true if partners are in the same order on both sides, as they usually are */
static bool
is_straight(const struct diff *d)
{
    u32 next = 0;
    for (u32 i = 0; i < d->a.eqns.n; i++) {
        eqn_t match = d->a.match[d->a.eqns.at[i]];
        if (match == NONE)
            continue;
        if (d->b.rank[match] < next)
            return false;
        next = d->b.rank[match] + 1;
    }
    return true;
}

u8 *
diff_in_line(struct diff *d)
{
    VEC(u32) at = {0}, rank = {0};
    u8 *line = mem_zeroed(d->mem, d->a.eqns.n + 1ull);
    bool straight = is_straight(d);
    for (u32 i = 0; i < d->a.eqns.n; i++) {
        eqn_t match = d->a.match[d->a.eqns.at[i]];
        line[i] = match != NONE;
        if (straight || match == NONE)
            continue;
        *vec_push(d->mem, &at) = i;
        *vec_push(d->mem, &rank) = d->b.rank[match];
    }
    u8 *keep = mem_alloc(d->mem, at.n + 1);
    diff_ascending(d->mem, rank.at, rank.n, keep);
    for (u32 i = 0; i < at.n; i++)
        line[at.at[i]] = keep[i];
    mem_free_all(d->mem, keep, at.at, rank.at);
    return line;
}

void
diff_match_unmatched(struct diff *d, void (*work)(struct diff *, const struct diff_unmatched_range *))
{
    struct diff_unmatched_range gap = {0};
    u8 *line = diff_in_line(d);
    for (u32 i = 0; i < d->a.eqns.n; i++)
        if (line[i])
            gap_run(d, &gap, i, d->b.rank[d->a.match[d->a.eqns.at[i]]], work);
    gap_run(d, &gap, d->a.eqns.n, d->b.eqns.n, work);
    mem_free_all(d->mem, line, gap.a.at, gap.b.at);
}
