/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the hash table of all names of primitives.def, so that no process has to build it when it starts. Run while
 * building. */
#include <stdio.h>
#include <string.h>

#include "slot.h"

static const struct {
    const char *name, *also;
} rows[] = {
#define PRIM(name, also, ...) {name, also},
#include "primitives.def"
#undef PRIM
};

enum { ROWS = sizeof rows / sizeof *rows };

static unsigned slots[SLOT_COUNT]; /* row + 1 */

static void
add(const char *name, size_t n, unsigned row)
{
    uint32_t at = slot_of_name(name, n);
    while (slots[at])
        at = (at + 1) % SLOT_COUNT;
    slots[at] = row + 1;
}

int
main(void)
{
    unsigned names = 0;
    for (unsigned row = 0; row < ROWS; row++) {
        add(rows[row].name, strlen(rows[row].name), row);
        for (const char *p = rows[row].also; *(p += strspn(p, " ")); p += strcspn(p, " "), names++)
            add(p, strcspn(p, " "), row);
    }
    if (2 * (names + ROWS) > SLOT_COUNT) {
        fprintf(stderr, "slots: %u names need more SLOT_BITS\n", names + ROWS);
        return 1;
    }
    for (unsigned at = 0; at < SLOT_COUNT; at++)
        printf("%u,%c", slots[at], at % 16 == 15 ? '\n' : ' ');
    return fflush(stdout) != 0;
}
