/* SPDX-License-Identifier: Apache-2.0
 *
 * Mutations, under the names that libFuzzer expects. Lengths and capacities are in bytes; every function returns the
 * new length. */
#ifndef MUTATOR_H
#define MUTATOR_H

#include <stddef.h>
#include <stdint.h>

/* the words inserted by mutations; the program that links mutator.c defines them */
struct word_list {
    const char *const *at;
    size_t n;
};
extern struct word_list mutator_words;

/* changes bytes in place, regardless of their meaning; defined by libFuzzer, or by inputs.c without it */
size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max);

/* changes a text in place, once or several times; the same text and seed give the same result */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed);

/* writes one text with a piece of another to `out`, which has space for `max` bytes */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t n_one, const uint8_t *other, size_t n_other, uint8_t *out,
                                 size_t max, unsigned seed);

#endif
