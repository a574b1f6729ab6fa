/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rules run. A selector is a code (N201), the beginning of one (N, N2), a name (has-f64) or ALL; of two that
 * select a rule the more exact one counts. */
#ifndef JX_SELECT_H
#define JX_SELECT_H

#include "lint/lint.h"

/* What a user said, from the least to the most important place; texts are words with commas or blanks between. */
struct lint_words {
    struct slice select, extend_select, ignore; /* at NULL: not said */
    struct slice set;                           /* CODE.KEY=VALUE, with commas outside of brackets between */
};

/* the plan of words: without `select`, what runs by default. Words that name nothing are left out */
void lint_plan_make(struct lint_plan *plan, const struct lint_words *words, u32 n);

/* makes one setting: `value` replaces what the plan has. False where there is no such setting, or the value is not a
 * number where one is asked */
bool lint_plan_set(struct lint_plan *plan, struct slice code, struct slice key, struct slice value);

/* gives the rules of a selector another level */
void lint_plan_level(struct lint_plan *plan, struct slice selector, enum diag_level level);

/* true where a selector names a code of this program, be it that of a rule or of a contract */
bool lint_selector_names(struct slice selector, enum diag_code code);

/* true where a selector names at least one rule, or a letter that contracts have */
bool lint_selector_known(struct slice selector);

/* true where a rule, by code or name, has a setting of this name (`max_elements` and `max-elements` are one) */
bool lint_setting_known(struct slice code, struct slice key);

/* the code or name nearest to a word that names nothing, or NULL */
const char *lint_suggest(struct slice selector);

/* the setting of a rule, by code or name, that is nearest to a word that is none; NULL where none is near */
const char *lint_suggest_setting(struct slice code, struct slice key);

/* says on `out` what is wrong with the words; false where something is */
bool lint_validate_words(struct sink *out, const struct lint_words *words);

#endif
