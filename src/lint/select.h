/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rules run. A selector is a code (N201), the beginning of one (N, N2), a name (has-f64), ALL or PEDANTIC; the
 * most specific one that selects a rule decides. */
#ifndef JX_SELECT_H
#define JX_SELECT_H

#include "lint/lint.h"

/* What one source of options, such as the command line, selects: words separated by commas or spaces.
 */
struct lint_words {
    struct slice select, extend_select, ignore; /* `at` is NULL if it is not given */
    struct slice set;                           /* CODE.KEY=VALUE, separated by commas outside of brackets */
};

/* makes the plan of n sources, of increasing priority: the default of every setting and, unless a source has
 * `select`, the rules that run by default. Unknown words are ignored */
void lint_plan_make(struct lint_plan *plan, const struct lint_words *words, u32 n);

/* changes one setting of the plan. False if there is no such setting, or if it needs a number and the value is not
 * one */
bool lint_plan_set(struct lint_plan *plan, struct slice code, struct slice key, struct slice value);

/* changes the settings of a list, as in lint_words; unknown ones are ignored */
void lint_plan_settings(struct lint_plan *plan, struct slice list);

/* sets the level of the rules of a selector */
void lint_plan_level(struct lint_plan *plan, struct slice selector, enum diag_level level);

/* true if a selector selects a code, of a rule or a contract */
bool lint_selector_names(struct slice selector, enum diag_code code);

/* true if a selector selects at least one rule, or is the letter of contracts */
bool lint_selector_known(struct slice selector);

/* true if a rule, by code or name, has a setting of this name (`max_elements` and `max-elements` are equal) */
bool lint_setting_known(struct slice code, struct slice key);

/* the code or name nearest to an unknown word, or NULL */
const char *lint_suggest(struct slice selector);

/* the setting of a rule, by code or name, that is nearest to an unknown word; NULL if none is near */
const char *lint_suggest_setting(struct slice code, struct slice key);

/* the first setting of a rule, by code or name, from index *next on; *next becomes the index after it. NULL at the
 * end */
const char *lint_next_setting(struct slice code, u32 *next);

/* validates the words; false, with an error message in `out`, if one is wrong */
bool lint_validate_words(struct sink *out, const struct lint_words *words);

#endif
