/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as Python's repr writes them. */
#ifndef JX_DECIMAL_H
#define JX_DECIMAL_H

#include "base/mem.h"

/* the text of a number with the fewest digits that read back the same, in the arena of mem: `1.0`, `1e-05`, `inf` */
struct slice decimal_text(struct mem *mem, double value);

/* reads a text of fewer than 64 bytes that is a number and nothing else; false if it is not one */
bool decimal_read(struct slice text, double *value);

/* Writes a number for people, NUL-terminated: exactly if it is whole and below 10,000, else three digits and an SI
 * prefix, `24.1 M`, or from 10^21 a power of ten, `1.50e24`; `?` for NaN. Returns the length, at most 31. */
u32 decimal_write_short(double value, char into[32]);

/* The word for the element at an index: `first` for 0, .., `tenth`, `11th`, `21st`. */
struct ordinal {
    char text[24];
};
struct ordinal ordinal_of(u64 index);

#endif
