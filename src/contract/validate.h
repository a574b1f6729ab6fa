/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the values of a configuration are valid for their keys. Private to contract/config.c. */
#ifndef JX_VALIDATE_H
#define JX_VALIDATE_H

#include "prims/prims.h"
#include "contract/config.h"

struct validator {
    const struct config *c;
    struct diags *ds;
};

/* initializes a validator of a configuration, which reports to ds */
void validator_start(struct validator *j, const struct config *c, struct diags *ds);

/* what a value is, for a message: `a list` */
const char *validator_kind_word(struct validator *j, const struct tree_node *node);

/* reports that the value of a key, or an item of it, is of the wrong kind */
void validate_kind(struct validator *j, u32 value, struct slice key, const char *wanted);
void validate_item_kind(struct validator *j, u32 value, struct slice key, const char *wanted);

/* validate a value, one function for each kind of config.def: they report K822 for a wrong kind of value, K823 for
 * an invalid value */
void validate_globs(struct validator *j, u32 value, struct slice key);
void validate_rules(struct validator *j, u32 value, struct slice key);
void validate_levels(struct validator *j, u32 value, struct slice key);
void validate_settings(struct validator *j, u32 value, struct slice key);
void validate_name(struct validator *j, u32 value, struct slice key);
void validate_index(struct validator *j, u32 value, struct slice key);
void validate_prims(struct validator *j, u32 value, struct slice key);
void validate_counts(struct validator *j, u32 value, struct slice key);
void validate_size(struct validator *j, u32 value, struct slice key);
void validate_bytes(struct validator *j, u32 value, struct slice key);
void validate_shapes(struct validator *j, u32 value, struct slice key);
void validate_dtypes(struct validator *j, u32 value, struct slice key);
void validate_types(struct validator *j, u32 value, struct slice key);
void validate_digest(struct validator *j, u32 value, struct slice key);

/* reads the name of a level; false if it is another word */
bool validate_level(struct slice word, enum diag_level *level);

#endif
