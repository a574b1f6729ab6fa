/* SPDX-License-Identifier: Apache-2.0
 *
 * Opt-in rules about correct programs that may not be as intended: which rules run, and their findings.
 * grammar/lint.def has one row for each rule; src/lint/facts.h is for their functions. */
#ifndef JX_LINT_H
#define JX_LINT_H

#include "diag/diag.h"
#include "ir/module.h"

enum lint_rule {
#define LINT(code, name, level, at, prims, fix, title, hint, explain) RULE_##code,
#include "lint.def"
#undef LINT
    RULE_COUNT
};

enum lint_setting {
#define SETTING(id, code, key, value, help) SET_##id,
#include "lint.def"
#undef SETTING
    SET_COUNT
};

enum lint_at { AT_TEXT, AT_PROGRAM, AT_JAXPR, AT_EQN };

/* the end of a hint of a rule whose findings --fix fixes: LINT_FIX_HINT if it runs by default, else LINT_FIX_HINT_OF;
 * omitted if the text is not fixed in place */
#define LINT_FIX_HINT_BEGINS ": `jaxpr lint"
#define LINT_FIX_HINT LINT_FIX_HINT_BEGINS " --fix`"
#define LINT_FIX_HINT_OF(code) LINT_FIX_HINT_BEGINS " --select=" code " --fix`"

/* One row of lint.def. */
struct lint_row {
    enum diag_code code;
    u8 at;             /* enum lint_at */
    bool fixable;      /* `lint --fix` fixes some of its findings */
    bool offers_fix;   /* .. all of them: `hint` ends in LINT_FIX_HINT or LINT_FIX_HINT_OF */
    const char *prims; /* AT_EQN: only for equations of these rows of primitives.def; empty: for all */
    const char *hint;  /* what to do about a finding, in one line */
};

/* One SETTING row. */
struct lint_setting_row {
    enum diag_code code;            /* the rule it belongs to */
    const char *key, *value, *help; /* value: the default, a number with an optional suffix K, M, G or T, or text */
};

extern const struct lint_row lint_rows[RULE_COUNT];
extern const struct lint_setting_row lint_settings[SET_COUNT];

/* Which rules run, and their settings. */
struct lint_plan {
    bool on[RULE_COUNT];
    u8 level[RULE_COUNT];         /* enum diag_level */
    u64 number[SET_COUNT];        /* of settings that are numbers; 0: no limit */
    struct slice text[SET_COUNT]; /* by setting: its value as given */
};

/* An edit of the text that fixes a finding: text[at .. at + n) becomes `text`. */
struct lint_edit {
    u32 at, n;
    struct slice text;
};

/* The key of a finding in a baseline. */
struct lint_key {
    u64 key;
    enum diag_code code;
};

/* The finding to explain: of this code, beginning in text[from .. to). */
struct lint_why {
    enum diag_code code;
    u32 from, to;
};

/* A step on the path from a finding back to one of its causes. */
struct lint_step {
    u32 path;  /* the number of the cause, from 1 on; the nearest is first */
    u32 at, n; /* its place in the text */
    struct slice text;
};

/* The results of a run other than diagnostics. */
struct lint_result {
    VEC(struct lint_edit) edits; /* in the order of the text, without overlaps */
    VEC(struct lint_key) keys;   /* of every reported finding, in the order of the text; only with lint_run.keys */
    VEC(struct lint_step) steps; /* the steps of the first paths; there may be more causes */
    u32 causes;
    bool explained; /* the finding to explain exists */
    u32 findings, suppressed;
    bool fixing;      /* fixes were wanted: the members below are computed, too */
    bool uncoloured;  /* removing colour codes fixes a finding */
    bool unformatted; /* formatting fixes a finding */
};

struct lint_run {
    const struct lint_plan *plan;
    bool edits;                 /* compute edits */
    bool extracted;             /* the text is not fixed in place: hints do not mention `lint --fix` */
    bool keys;                  /* compute the keys of findings */
    struct slice baseline;      /* the lines of a baseline, whose findings are not reported; empty: none */
    struct slice path;          /* the path of the text in the baseline */
    const struct lint_why *why; /* the finding to explain, or NULL */
    u32 (*layout_change)(void *user,
                         program_t program); /* the first byte that fmt would change, or NONE; NULL: unknown */
    bool (*wanted)(void *user, enum diag_code code, u32 at, u32 n); /* false: not reported; NULL: all are */
    void *user;
};

/* runs the rules on every program without syntax or scope errors, after check_scopes; initializes *result. Linear in
 * the module */
void lint_module(struct module *m, const struct lint_run *run, struct diags *ds, struct lint_result *result);

/* writes the text with the edits of a result applied */
void lint_apply(struct sink *out, const struct text *t, const struct lint_result *result);

/* writes the line of a finding in a baseline: `P304 0123456789abcdef path` */
void lint_write_key(struct sink *out, const struct lint_key *key, struct slice path);

/* false, with an error message in `out`, if a text is not a baseline; blank lines and comments (`#`) are allowed */
bool lint_validate_baseline(struct sink *out, struct slice baseline);

#endif
