/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the values of a configuration are what their keys take. Private to contract/config.c. */
#ifndef JX_JUDGE_H
#define JX_JUDGE_H

#include "prims/prims.h"
#include "contract/config.h"

struct judge {
    const struct config *c;
    struct mem *mem;
    struct diags *ds;
};

/* makes ready */
void judge_start(struct judge *j, const struct config *c, struct mem *m, struct diags *ds);

/* reports that the value of a key is not of the kind wanted */
void judge_kind(struct judge *j, u32 value, struct slice key, const char *wanted);

/* the kinds of config.def: each reports K822 for another kind of value, K823 for a value that means nothing */
void judge_globs(struct judge *j, u32 value, struct slice key);
void judge_rules(struct judge *j, u32 value, struct slice key);
void judge_levels(struct judge *j, u32 value, struct slice key);
void judge_settings(struct judge *j, u32 value, struct slice key);
void judge_name(struct judge *j, u32 value, struct slice key);
void judge_index(struct judge *j, u32 value, struct slice key);
void judge_prims(struct judge *j, u32 value, struct slice key);
void judge_counts(struct judge *j, u32 value, struct slice key);
void judge_size(struct judge *j, u32 value, struct slice key);
void judge_shapes(struct judge *j, u32 value, struct slice key);
void judge_dtypes(struct judge *j, u32 value, struct slice key);
void judge_types(struct judge *j, u32 value, struct slice key);
void judge_digest(struct judge *j, u32 value, struct slice key);

/* the level a word names; false where it names none */
bool judge_level(struct slice word, enum diag_level *level);

#endif
