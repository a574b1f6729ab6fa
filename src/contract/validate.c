/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each kind of value. Messages show what was found and what was expected. Linear, except that an
 * unknown name is compared with every known one. */
#include "contract/validate.h"

#include "base/digest.h"
#include "base/value.h"
#include "contract/bounds.h"
#include "lint/select.h"

void
validator_start(struct validator *j, const struct config *c, struct diags *ds)
{
    *j = (struct validator){.c = c, .ds = ds};
}

const char *
validator_kind_word(struct validator *j, const struct tree_node *node)
{
    if (node->kind == TREE_MAP)
        return "a map";
    if (node->kind == TREE_LIST)
        return "a list";
    if (node->quoted || !node->word.n)
        return node->quoted ? "a string" : "no value";
    return arena_printf(j->ds->mem, "`%s`", diag_quote(j->ds, node->word)).at;
}

static void
report_kind(struct validator *j, u32 value, struct slice key, const char *must, const char *wanted, const char *verb)
{
    const struct tree_node *node = config_node(j->c, value);
    /* the beginning of a long value is enough */
    const char *line = memchr(j->c->text->at + node->at, '\n', node->n);
    u32 n = line ? (u32)(line - j->c->text->at) - node->at : node->n;
    diag_add(j->ds, DIAG_K822, node->at, n, "`%s` must %s %s, but %s %s", diag_quote(j->ds, key), must, wanted, verb,
             validator_kind_word(j, node));
}

/* true if the value of a key is missing */
static bool
is_missing(const struct tree_node *node)
{
    return node->kind == TREE_WORD && !node->quoted && node->word.n == 0;
}

void
validate_kind(struct validator *j, u32 value, struct slice key, const char *wanted)
{
    report_kind(j, value, key, "be", wanted, is_missing(config_node(j->c, value)) ? "has" : "is");
}

void
validate_item_kind(struct validator *j, u32 value, struct slice key, const char *wanted)
{
    report_kind(j, value, key, "list", wanted, is_missing(config_node(j->c, value)) ? "an item has" : "an item is");
}

/* reports an invalid word; `what` is the message */
static void
validate_value(struct validator *j, const struct tree_node *node, const char *what)
{
    if (node->word.n == 0)
        diag_add(j->ds, DIAG_K823, node->at, node->n, "%s", what);
    else
        diag_add(j->ds, DIAG_K823, node->at, node->n, "`%s`: %s", diag_quote(j->ds, node->word), what);
}

/* the word at a node, or NULL after a report */
static const struct tree_node *
word_at(struct validator *j, u32 value, struct slice key, const char *wanted)
{
    const struct tree_node *node = config_node(j->c, value);
    if (node->kind == TREE_WORD && (node->quoted || node->word.n > 0))
        return node;
    validate_kind(j, value, key, wanted);
    return NULL;
}

/* checks one word or each of a list; `fault` returns what is wrong with one, or NULL */
static void
validate_words(struct validator *j, u32 value, struct slice key, const char *wanted,
               const char *(*fault)(struct validator *, const struct tree_node *))
{
    const struct tree_node *node = config_node(j->c, value);
    if (node->kind == TREE_MAP) {
        report_kind(j, value, key, "list", wanted, "is");
        return;
    }
    for (u32 i = 0; i < config_count(j->c, value); i++) {
        u32 item = config_word(j->c, value, i);
        const struct tree_node *word = config_node(j->c, item);
        if (word->kind != TREE_WORD || is_missing(word)) { /* a word alone is a list of one */
            if (node->kind == TREE_LIST)
                validate_item_kind(j, item, key, wanted);
            else
                report_kind(j, item, key, "list", wanted, "has");
            continue;
        }
        const char *wrong = word->word.n ? fault(j, word)
                                         : arena_printf(j->ds->mem, "`%s` must list %s, but contains an empty string",
                                                        diag_quote(j->ds, key), wanted)
                                               .at;
        if (wrong)
            validate_value(j, word, wrong);
    }
}

static const char *
no_fault(struct validator *j, const struct tree_node *word)
{
    (void)j;
    (void)word;
    return NULL;
}

void
validate_globs(struct validator *j, u32 value, struct slice key)
{
    validate_words(j, value, key, "patterns of paths", no_fault);
}

/* ---- rules ---- */

static const char *
rule_fault(struct validator *j, const struct tree_node *word)
{
    if (word->word.n > 0 && lint_selector_known(word->word))
        return NULL;
    validate_value(j, word, "no rule has this code, prefix or name");
    const char *near = lint_suggest(word->word);
    if (near)
        diag_note(j->ds, NONE, 0, "did you mean `%s`?", near);
    else if (memchr(word->word.at, ',', word->word.n) || memchr(word->word.at, ' ', word->word.n))
        diag_note(j->ds, NONE, 0, "to name more than one, write a list, such as `[N201, P]`");
    return NULL;
}

void
validate_rules(struct validator *j, u32 value, struct slice key)
{
    validate_words(j, value, key, "rule codes, code prefixes or rule names", rule_fault);
}

bool
validate_level(struct slice word, enum diag_level *level)
{
    *level = slice_eq(word, SLICE("error"))     ? LEVEL_ERROR
             : slice_eq(word, SLICE("warning")) ? LEVEL_WARNING
                                                : LEVEL_NOTE;
    return *level != LEVEL_NOTE || slice_eq(word, SLICE("note"));
}

/* the number of keys of a map; 0, with a finding, for other nodes */
static u32
map_size(struct validator *j, u32 value, struct slice key, const char *wanted)
{
    const struct tree_node *node = config_node(j->c, value);
    if (node->kind != TREE_MAP)
        validate_kind(j, value, key, wanted);
    return node->kind == TREE_MAP ? node->count / 2 : 0;
}

void
validate_levels(struct validator *j, u32 value, struct slice key)
{
    const struct tree *t = &j->c->tree;
    for (u32 i = 0, n = map_size(j, value, key, "a map from rules to `error`, `warning` or `note`"); i < n; i++) {
        const struct tree_node *rule = &t->nodes.at[tree_key(t, value, i)];
        rule_fault(j, rule);
        const struct tree_node *level = word_at(j, tree_value(t, value, i), rule->word, "`error`, `warning` or `note`");
        enum diag_level ignored;
        if (level && !validate_level(level->word, &ignored))
            validate_value(j, level, "expected `error`, `warning` or `note`");
    }
}

/* reports an unknown setting of a rule, with the known ones */
static void
report_setting(struct validator *j, struct slice rule, const struct tree_node *setting)
{
    const char *near = lint_suggest_setting(rule, setting->word), *name = diag_quote(j->ds, rule), *known, *list = "";
    for (u32 s = 0; (known = lint_next_setting(rule, &s));)
        list = arena_printf(j->ds->mem, "%s%s`%s`", list, *list ? ", " : "", known).at;
    if (!*list)
        diag_add(j->ds, DIAG_K821, setting->at, setting->n, "`%s` has no settings", name);
    else
        diag_add(j->ds, DIAG_K821, setting->at, setting->n, "unknown setting `%s` of `%s`",
                 diag_quote(j->ds, setting->word), name);
    if (near)
        diag_note(j->ds, NONE, 0, "did you mean `%s`?", near);
    else if (*list)
        diag_note(j->ds, NONE, 0, "settings of `%s`: %s", name, list);
}

/* reports a setting of a rule if it is unknown or its value is invalid */
static void
validate_setting(struct validator *j, const struct tree_node *rule, u32 key, u32 value)
{
    const struct tree_node *setting = config_node(j->c, key);
    struct lint_plan plan;
    if (lint_selector_known(rule->word) && !lint_setting_known(rule->word, setting->word)) {
        report_setting(j, rule->word, setting);
        return;
    }
    const struct tree_node *word = word_at(j, value, setting->word, "a word or a number");
    if (!word || !lint_setting_known(rule->word, setting->word))
        return;
    lint_plan_make(&plan, NULL, 0);
    if (!lint_plan_set(&plan, rule->word, setting->word, word->word))
        validate_value(j, word,
                       value_size_too_large(word->word)
                           ? "a number must be below 2^64"
                           : "expected a whole number, optionally followed by K, M, G or T");
}

void
validate_settings(struct validator *j, u32 value, struct slice key)
{
    const struct tree *t = &j->c->tree;
    for (u32 i = 0, n = map_size(j, value, key, "a map from rules to maps of their settings"); i < n; i++) {
        const struct tree_node *rule = &t->nodes.at[tree_key(t, value, i)];
        u32 settings = tree_value(t, value, i);
        rule_fault(j, rule);
        for (u32 k = 0, many = map_size(j, settings, rule->word, "a map of settings"); k < many; k++)
            validate_setting(j, rule, tree_key(t, settings, k), tree_value(t, settings, k));
    }
}

/* ---- contracts ---- */

void
validate_name(struct validator *j, u32 value, struct slice key)
{
    word_at(j, value, key, "the name of a program, or a pattern of names");
}

void
validate_index(struct validator *j, u32 value, struct slice key)
{
    const struct tree_node *word = word_at(j, value, key, "a positive integer");
    u64 n;
    if (word && (!value_size(word->word, &n) || n == 0 || n >= NONE))
        validate_value(j, word, "expected the number of a program in its file, counted from 1");
}

/* reports an unknown primitive only if its name is similar to a known one, and so probably misspelled */
static const char *
prim_fault(struct validator *j, const struct tree_node *word)
{
    const char *near = NULL;
    struct prim row;
    if (!glob_is_pattern(word->word) && !prim_named(word->word, &row))
        near = prims_suggest(word->word);
    if (near) {
        diag_add(j->ds, DIAG_K811, word->at, word->n, "JAX has no primitive named `%s`", diag_quote(j->ds, word->word));
        diag_note(j->ds, NONE, 0, "did you mean `%s`?", near);
    }
    return NULL;
}

void
validate_prims(struct validator *j, u32 value, struct slice key)
{
    validate_words(j, value, key, "primitive names or patterns that match them", prim_fault);
}

void
validate_counts(struct validator *j, u32 value, struct slice key)
{
    const struct tree *t = &j->c->tree;
    static const char noun[] = "a map from primitives to numbers or bounds, such as `{scan: \"<= 18\"}`";
    for (u32 i = 0, n = map_size(j, value, key, noun); i < n; i++) {
        const struct tree_node *prim = &t->nodes.at[tree_key(t, value, i)];
        struct bounds bounds;
        if (!slice_eq(prim->word, SLICE("equations")))
            prim_fault(j, prim);
        const struct tree_node *bound =
            word_at(j, tree_value(t, value, i), prim->word, "a number or bounds such as `<= 18`");
        const char *fault = bound ? bounds_read(bound->word, &bounds) : NULL;
        if (fault)
            validate_value(j, bound, fault);
    }
}

/* checks a size; `expected` is the message about other words */
static void
check_size(struct validator *j, u32 value, struct slice key, const char *expected)
{
    const struct tree_node *word = word_at(j, value, key, "a number");
    u64 n;
    if (word && !value_size(word->word, &n))
        validate_value(j, word,
                       value_size_too_large(word->word) ? "a size must be below 2^64 bytes (16777216 TiB)" : expected);
}

void
validate_size(struct validator *j, u32 value, struct slice key)
{
    check_size(j, value, key, "expected a non-negative number, such as 4096, 1e6 or 16M");
}

void
validate_bytes(struct validator *j, u32 value, struct slice key)
{
    check_size(j, value, key, "expected a non-negative number of bytes, such as 4096, 1e6 or 16 MiB");
}

/* reports the place of the fault in the pattern, or the whole pattern if the text spells it with escapes */
static const char *
shape_fault(struct validator *j, const struct tree_node *word)
{
    size_t place;
    const char *fault = shape_pattern_fault(word->word, &place);
    u32 at = word->at + word->quoted;
    if (!fault)
        return NULL;
    if (place > 0 && slice_starts((struct slice){j->c->text->at + at, j->c->text->n - at}, word->word))
        diag_add(j->ds, DIAG_K823, at + (u32)place, 0, "`%s`: %s", diag_quote(j->ds, word->word), fault);
    else
        validate_value(j, word, fault);
    return NULL;
}

void
validate_shapes(struct validator *j, u32 value, struct slice key)
{
    /* `forbid: [n,n]` is a list of two words in YAML: the pattern needs quotes */
    validate_words(j, value, key, "patterns of shapes in quotes, such as \"[n,n]\"", shape_fault);
}

static const char *
dtype_fault(struct validator *j, const struct tree_node *word)
{
    (void)j;
    bool known =
        glob_is_pattern(word->word) || memchr(word->word.at, '<', word->word.n) || dtype_find(word->word) != NONE;
    return known ? NULL : "unknown element type; expected one such as f32 or float32";
}

void
validate_dtypes(struct validator *j, u32 value, struct slice key)
{
    validate_words(j, value, key, "names of element types", dtype_fault);
}

void
validate_types(struct validator *j, u32 value, struct slice key)
{
    const struct tree_node *word =
        word_at(j, value, key, "a string of types; `jaxpr sig --in-type` prints in_type and out_type");
    if (!word)
        return;
    struct slice s = word->word;
    if (s.n < 2 || s.at[0] != '(' || s.at[s.n - 1] != ')' || bracket_end(s, 0) != s.n - 1)
        validate_value(
            j, word,
            "expected types such as ((f32[3],True),(f32[],True)); `jaxpr sig --in-type` prints in_type and out_type");
}

void
validate_digest(struct validator *j, u32 value, struct slice key)
{
    const struct tree_node *word = word_at(j, value, key, "a digest, as `jaxpr hash` prints it");
    if (!word)
        return;
    struct slice s = word->word;
    size_t prefix = digest_version(s), digits = 0;
    while (prefix && prefix + digits < s.n && strchr("0123456789abcdef", s.at[prefix + digits]))
        digits++;
    if (digits != DIGEST_DIGITS || s.n != prefix + DIGEST_DIGITS)
        validate_value(j, word, "expected `" DIGEST_PREFIX "` and 64 hexadecimal digits, as `jaxpr hash` prints them");
}
