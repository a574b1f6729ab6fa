/* SPDX-License-Identifier: Apache-2.0
 *
 * A configuration, .jaxpr.yaml: which rules to run where, and contracts (grammar/config.def). It is read and
 * validated once, and immutable afterwards, so that any number of threads may use it. */
#ifndef JX_CONFIG_H
#define JX_CONFIG_H

#include "contract/yaml.h"

enum config_section {
#define SECTION(id, what) SECTION_##id,
#include "config.def"
#undef SECTION
    SECTION_COUNT,
    SECTION_none = SECTION_COUNT
};

enum config_key {
#define KEY(section, key, kind, of, help) KEY_##section##_##key,
#include "config.def"
#undef KEY
    KEY_COUNT
};

/* A map of the configuration: its values by key, as nodes of the tree, NONE if a key is not given. Values of an
 * inner section (shapes, dtypes, signature) belong to the map that contains it. */
struct config_map {
    u32 node;
    u32 value[KEY_COUNT];
};

/* What each contract has matched so far. */
enum contract_state { CONTRACT_UNUSED, CONTRACT_MATCHED_FILE, CONTRACT_CHECKED };

struct config {
    struct text *text;
    struct tree tree;
    struct config_map top;
    VEC(struct config_map) overrides, contracts;
    _Atomic u8 *state; /* of each contract: enum contract_state. Threads write to nothing else */
    bool broken;       /* it has errors, which were reported, and may not be used */
};

/* reads and validates a text; reports K820 (not YAML), K821 (key), K822 (kind of value), K823 (value). Linear */
void config_read(struct config *c, struct mem *m, struct text *text, struct tree_source *source, struct diags *ds);

/* the number of words of a value, which is a word or a list of words, and the node of the i-th */
u32 config_count(const struct config *c, u32 value);
u32 config_word(const struct config *c, u32 value, u32 i);

/* the node of a value */
static inline const struct tree_node *
config_node(const struct config *c, u32 node)
{
    return &c->tree.nodes.at[node];
}

/* true if a path, relative to the configuration's directory, matches the `files` of an override or a contract. A
 * pattern without `/` is compared with the last part of the path; `**` matches any number of directories */
bool config_for_path(const struct config *c, u32 files, struct slice path);

/* A rule and the level of its findings. */
struct rule_level {
    struct slice rule;
    enum diag_level level;
};

struct config_setting {
    struct slice rule, key, value;
};

/* The settings of rules for one file, in the order in which they are applied. */
struct config_rules {
    bool has_select;
    VEC(struct slice) select, extend_select, ignore;
    VEC(struct rule_level) levels;
    VEC(struct config_setting) settings;
};

/* collects the settings for a path: those of the top level, then those of each override that matches; a later
 * `select` replaces an earlier one. The lists belong to pool m; config_rules_free frees them */
void config_rules(const struct config *c, struct slice path, struct mem *m, struct config_rules *out);
void config_rules_free(struct mem *m, struct config_rules *rules);

enum { CONFIG_IGNORED = 255 };

/* the enum diag_level of findings about contracts with a code, where later settings take precedence; CONFIG_IGNORED if
 * they are not reported */
u8 config_level(const struct config_rules *rules, enum diag_code code);

/* gives the findings with a code, which are about the configuration, the level that its top says, or removes them */
void config_relevel(const struct config *c, struct diags *ds, enum diag_code code);

/* true if a word contains `*`, `?` or `[` */
bool glob_is_pattern(struct slice word);

/* true if the whole of a text matches a pattern with `*`, `?` and `[a-z]`; with `path`, only `**` matches `/`.
 * O(pattern times text) at worst */
bool glob_match(struct slice pattern, struct slice text, bool path);

/* the pattern that matches a text, and nothing else unless some of its bytes are not UTF-8: `?` matches each of them */
struct slice glob_literal(struct mem *m, struct slice text);

#endif
