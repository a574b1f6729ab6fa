/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the one mistake that explains why several values do not fit their places: two are swapped, or some are shifted
 * by one, since a value is missing or repeated. Used only after an error. */
#include "verify/displaced.h"

enum { MOST_PLACES = 64, LEAST_SHIFTED = 3 };

/* the mismatches, as bits, of the values from i on in their own places */
static u64
wrong_from(const struct order *order, u32 i)
{
    u64 wrong = 0;
    for (; i < order->n && i < MOST_PLACES; i++)
        wrong |= order->fits(order, i, i) ? 0 : 1ull << i;
    return wrong;
}

/* whether the values in [from, end) fit the places after their own (`by` 1), or before (-1); the last one may go
 * anywhere */
static bool
fits_shifted(const struct order *order, u32 from, u32 end, int by)
{
    for (u32 i = by > 0 ? from : from + 1; i + (by > 0) < end; i++)
        if (!order->fits(order, i, by > 0 ? i + 1 : i - 1))
            return false;
    return true;
}

struct displaced
order_displaced(const struct order *order, u64 explained, u32 i)
{
    if (i >= MOST_PLACES)
        return (struct displaced){0};
    u64 later = wrong_from(order, i + 1) & ~explained;
    for (u32 k = i + 1; k < MOST_PLACES; k++)
        if ((later >> k & 1) && order->fits(order, i, k) && order->fits(order, k, i))
            return (struct displaced){1ull << k, k, false};
    for (u32 end = MOST_PLACES; end >= i + LEAST_SHIFTED; end--)
        if ((later >> (end - 1) & 1) && (fits_shifted(order, i, end, 1) || fits_shifted(order, i, end, -1)))
            return (struct displaced){later & ((2ull << (end - 1)) - 1), end - 1, true};
    return (struct displaced){0};
}

bool
rule_hint_displaced(struct rule *r, const struct displaced *d, const char *one, const char *other)
{
    return d->places && rule_hint(r,
                                  d->shifted ? "are the values from `%s` to `%s` shifted by one place?"
                                             : "are `%s` and `%s` swapped?",
                                  one, other);
}
