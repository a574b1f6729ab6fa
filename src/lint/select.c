/* SPDX-License-Identifier: Apache-2.0
 *
 * From selectors to a plan. The specificity of a selector is how many letters of a code it has; a whole name is the
 * most specific. O(words times rules), once for each run. */
#include "lint/select.h"

#include "base/near.h"
#include "base/value.h"

enum fix { NO_FIX, SOME_FIX, FIX };

#define FIX_HINT_LEVEL_NOTE(code) LINT_FIX_HINT_OF(code) /* rules of this level do not run by default */
#define FIX_HINT_LEVEL_WARNING(code) LINT_FIX_HINT
#define HINT_NO_FIX(hint, fix) hint
#define HINT_SOME_FIX(hint, fix) hint
#define HINT_FIX(hint, fix) hint fix

const struct lint_row lint_rows[RULE_COUNT] = {
#define LINT(code, name, level, at, prims, fix, title, hint, explain) \
    {DIAG_##code, AT_##at, fix != NO_FIX, fix == FIX, prims, HINT_##fix(hint, FIX_HINT_##level(#code))},
#include "lint.def"
#undef LINT
};

const struct lint_setting_row lint_settings[SET_COUNT] = {
#define SETTING(id, code, key, value, help) {DIAG_##code, key, value, help},
#include "lint.def"
#undef SETTING
};

/* the codes of contracts have this letter; their levels are set by the configuration */
#define CONTRACT_LETTER 'K'

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' ? '-' : c;
}

/* the length of the common prefix of two words, ignoring case */
static size_t
common(struct slice a, struct slice b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && lower(a.at[n]) == lower(b.at[n]))
        n++;
    return n;
}

static bool
same_word(struct slice a, struct slice b)
{
    return a.n == b.n && common(a, b) == a.n;
}

/* the default rules; the others are the selector PEDANTIC */
static bool
is_default(enum diag_code code)
{
    return diag_info(code).level >= LEVEL_WARNING;
}

/* how specifically a selector names a rule; 0 if it does not */
static u32
exactness(struct slice selector, enum diag_code code)
{
    struct slice text = slice_of(diag_info(code).code);
    if (same_word(selector, SLICE("ALL")))
        return 1;
    if (same_word(selector, SLICE("PEDANTIC")))
        return is_default(code) ? 0 : 1;
    if (selector.n && selector.n <= text.n && common(selector, text) == selector.n)
        return 1 + (u32)selector.n;
    return same_word(selector, slice_of(diag_info(code).name)) ? 9 : 0;
}

/* removes the next word from a list; false at its end */
static bool
next_word(struct slice *list, struct slice *word)
{
    struct cursor c = cursor_of(*list);
    bool found = value_item(&c, word);
    *list = (struct slice){c.p, (size_t)(c.end - c.p)};
    return found;
}

/* the largest exactness() of a word of a list for a rule; 0 if no word selects it */
static u32
most_exact(struct slice list, enum diag_code code)
{
    u32 most = 0;
    for (struct slice word; next_word(&list, &word);) {
        u32 one = exactness(word, code);
        most = one > most ? one : most;
    }
    return most;
}

/* settings whose default is not a number are text */
static bool
is_number(enum lint_setting s)
{
    return is_digit(lint_settings[s].value[0]);
}

/* true if a setting belongs to the rule of this code or name */
static bool
is_setting_of(u32 s, struct slice code)
{
    struct diag_info rule = diag_info(lint_settings[s].code);
    return same_word(code, slice_of(rule.code)) || same_word(code, slice_of(rule.name));
}

static enum lint_setting
find_setting(struct slice code, struct slice key)
{
    u32 s = 0;
    while (s < SET_COUNT && !(is_setting_of(s, code) && same_word(key, slice_of(lint_settings[s].key))))
        s++;
    return (enum lint_setting)s;
}

bool
lint_plan_set(struct lint_plan *plan, struct slice code, struct slice key, struct slice value)
{
    enum lint_setting s = find_setting(code, key);
    if (s == SET_COUNT || (is_number(s) && !value_size(value, &plan->number[s])))
        return false;
    plan->text[s] = value;
    return true;
}

/* parses `P303.bytes=1M` */
static bool
split_setting(struct slice word, struct slice *code, struct slice *key, struct slice *value)
{
    const char *equals = memchr(word.at, '=', word.n);
    size_t left = equals ? (size_t)(equals - word.at) : word.n;
    const char *dot = memchr(word.at, '.', left);
    if (!equals || !dot)
        return false;
    *code = (struct slice){word.at, (size_t)(dot - word.at)};
    *key = (struct slice){dot + 1, (size_t)(equals - dot - 1)};
    *value = (struct slice){equals + 1, word.n - left - 1};
    return true;
}

void
lint_plan_make(struct lint_plan *plan, const struct lint_words *words, u32 n)
{
    memset(plan, 0, sizeof *plan);
    for (u32 s = 0; s < SET_COUNT; s++) {
        plan->text[s] = slice_of(lint_settings[s].value);
        if (is_number(s))
            value_size(plan->text[s], &plan->number[s]);
    }
    for (u32 r = 0; r < RULE_COUNT; r++) {
        enum diag_code code = lint_rows[r].code;
        u32 yes = is_default(code), no = 0;
        plan->level[r] = (u8)diag_info(code).level;
        for (u32 i = 0; i < n; i++)
            if (words[i].select.at)
                yes = most_exact(words[i].select, code);
        for (u32 i = 0; i < n; i++) {
            u32 more = most_exact(words[i].extend_select, code), less = most_exact(words[i].ignore, code);
            yes = more > yes ? more : yes;
            no = less > no ? less : no;
        }
        plan->on[r] = yes > no;
    }
}

void
lint_plan_settings(struct lint_plan *plan, struct slice list)
{
    for (struct slice word, code, key, value; next_word(&list, &word);)
        if (split_setting(word, &code, &key, &value))
            lint_plan_set(plan, code, key, value);
}

void
lint_plan_level(struct lint_plan *plan, struct slice selector, enum diag_level level)
{
    for (u32 r = 0; r < RULE_COUNT; r++)
        if (exactness(selector, lint_rows[r].code))
            plan->level[r] = (u8)level;
}

bool
lint_selector_names(struct slice selector, enum diag_code code)
{
    return exactness(selector, code) > 0;
}

bool
lint_selector_known(struct slice selector)
{
    for (u32 r = 0; r < RULE_COUNT; r++)
        if (exactness(selector, lint_rows[r].code))
            return true;
    for (u32 c = 0; c < DIAG_COUNT; c++)
        if (diag_info(c).code[0] == CONTRACT_LETTER && exactness(selector, (enum diag_code)c))
            return true;
    return false;
}

bool
lint_setting_known(struct slice code, struct slice key)
{
    return find_setting(code, key) != SET_COUNT;
}

const char *
lint_suggest(struct slice selector)
{
    const char *nearest = NULL;
    u32 least = 0;
    for (u32 r = 0; r < RULE_COUNT; r++) {
        struct diag_info info = diag_info(lint_rows[r].code);
        if (word_nearer(selector, slice_of(info.code), &least))
            nearest = info.code;
        if (word_nearer(selector, slice_of(info.name), &least))
            nearest = info.name;
    }
    return nearest;
}

const char *
lint_suggest_setting(struct slice code, struct slice key)
{
    const char *nearest = NULL;
    u32 least = 0;
    for (u32 s = 0; s < SET_COUNT; s++)
        if (is_setting_of(s, code) && word_nearer(key, slice_of(lint_settings[s].key), &least))
            nearest = lint_settings[s].key;
    return nearest;
}

const char *
lint_next_setting(struct slice code, u32 *next)
{
    while (*next < SET_COUNT && !is_setting_of(*next, code))
        ++*next;
    return *next < SET_COUNT ? lint_settings[(*next)++].key : NULL;
}

static bool
validate_selectors(struct sink *out, struct slice list)
{
    for (struct slice word; next_word(&list, &word);) {
        if (lint_selector_known(word))
            continue;
        enum diag_code code = diag_find(word);
        const char *near = lint_suggest(word);
        sink_printf(out, code != DIAG_COUNT ? "`%.*s` is not a rule" : "unknown rule `%.*s`", (int)word.n, word.at);
        if (code != DIAG_COUNT)
            sink_printf(out, ": `jaxpr check` always reports it");
        else if (near)
            sink_printf(out, "; did you mean `%s`?", near);
        else
            sink_printf(out, "; `jaxpr rules` lists all rules");
        return false;
    }
    return true;
}

static bool
validate_settings(struct sink *out, struct slice list)
{
    for (struct slice word, code, key, value; next_word(&list, &word);) {
        struct lint_plan scratch;
        if (!split_setting(word, &code, &key, &value)) {
            sink_printf(out, "expected CODE.KEY=VALUE, such as P303.bytes=1G, got `%.*s`", (int)word.n, word.at);
            return false;
        }
        if (!lint_setting_known(code, key)) {
            const char *near = lint_suggest_setting(code, key);
            sink_printf(out, "no rule has a setting `%.*s.%.*s`; ", (int)code.n, code.at, (int)key.n, key.at);
            if (near)
                sink_printf(out, "did you mean `%s`?", near);
            else
                sink_printf(out, "`jaxpr rules` lists all settings");
            return false;
        }
        if (!lint_plan_set(&scratch, code, key, value)) {
            sink_printf(out,
                        value_size_too_large(value)
                            ? "%.*s: `%.*s` is too large: a number must be below 2^64"
                            : "%.*s: expected a whole number, optionally followed by K, M, G or T, got `%.*s`",
                        (int)(key.at + key.n - code.at), code.at, (int)value.n, value.at);
            return false;
        }
    }
    return true;
}

bool
lint_validate_words(struct sink *out, const struct lint_words *words)
{
    return validate_selectors(out, words->select) && validate_selectors(out, words->extend_select) &&
           validate_selectors(out, words->ignore) && validate_settings(out, words->set);
}
