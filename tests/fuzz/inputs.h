/* SPDX-License-Identifier: Apache-2.0
 *
 * Damaged seeds, the same on every machine: an input depends only on the target's name, its index, the seeds and the
 * words beside them, not on earlier inputs. */
#ifndef INPUTS_H
#define INPUTS_H

#include "target.h"

#include <stdint.h>

enum { LONGEST_INPUT = 4096 }; /* bytes */

struct seeds {
    struct written *at; /* in the order of their names */
    size_t n;
    struct written words;   /* words that mutations insert, each followed by a byte 0 */
    const char **word_list; /* the beginning of each word in `words` */
};

/* reads the files of a directory, except empty ones and those longer than an input, and the words in its file .words;
 * exits with status 2 and a message if one cannot be read. seeds_drop frees them */
void seeds_read(struct seeds *seeds, const char *directory);
void seeds_drop(struct seeds *seeds);

/* writes input number `index` of a target into LONGEST_INPUT bytes and returns its length; there must be a seed */
size_t input_make(char *into, const struct seeds *seeds, const char *target, uint64_t index);

#endif
