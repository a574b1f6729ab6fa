/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of lint: options become a plan, the rules run, and their results are kept for the caller. */
#include "api/api.h"
#include "base/chars.h"
#include "lint/select.h"
#include "print/print.h"

struct jx_lint_result {
    jx_module *module;
    struct lint_result found;
    struct slice path; /* the name of the text in a baseline */
};

struct linting {
    jx_module *module;
    struct jx_lint_options options;
    jx_lint_result *result;
};

static struct slice
word_list(const char *words)
{
    return words ? slice_of(words) : (struct slice){NULL, 0};
}

static struct lint_words
lint_words_of(const struct jx_lint_options *o)
{
    return (struct lint_words){word_list(o->select), word_list(o->extend_select), word_list(o->ignore),
                               word_list(o->set)};
}

/* ---- what a configuration says ---- */

static void
write_words(struct sink *out, const struct slice *words, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        sink_slice(out, words[i]);
        sink_char(out, ',');
    }
}

static struct slice
end_words(struct sink *out, bool any)
{
    return (struct slice){any ? out->at != NULL ? out->at : "" : NULL, out->n};
}

/* the selectors of a configuration for one file, in the form of an option; their bytes belong to the module */
static struct lint_words
config_words(struct mem *mem, const struct config_rules *rules)
{
    struct sink select, extend, ignore;
    sink_init_memory(&select, mem);
    sink_init_memory(&extend, mem);
    sink_init_memory(&ignore, mem);
    write_words(&select, rules->select.at, rules->select.n);
    write_words(&extend, rules->extend_select.at, rules->extend_select.n);
    write_words(&ignore, rules->ignore.at, rules->ignore.n);
    return (struct lint_words){.select = end_words(&select, rules->has_select),
                               .extend_select = end_words(&extend, rules->extend_select.n > 0),
                               .ignore = end_words(&ignore, rules->ignore.n > 0)};
}

/* makes a plan from the options, after those of a configuration, if there is one */
static void
make_plan(struct linting *g, struct lint_plan *plan)
{
    jx_module *module = g->module;
    const jx_config *config = g->options.config;
    struct lint_words words[2] = {{{NULL, 0}}, lint_words_of(&g->options)};
    struct config_rules rules = {0};
    if (config != NULL && !config->parsed.broken) {
        const char *path = g->options.config_path;
        config_rules(&config->parsed, path ? slice_of(path) : module->ir.text.name, &module->mem, &rules);
        words[0] = config_words(&module->mem, &rules);
    }
    lint_plan_make(plan, words, 2);
    for (u32 i = 0; i < rules.settings.n; i++) {
        const struct config_setting *s = &rules.settings.at[i];
        lint_plan_set(plan, s->rule, s->key, arena_copy(&module->mem, s->value));
    }
    lint_plan_settings(plan, words[1].set);
    for (u32 i = 0; i < rules.levels.n; i++)
        lint_plan_level(plan, rules.levels.at[i].rule, rules.levels.at[i].level);
    config_rules_free(&module->mem, &rules);
}

/* The finding to explain: its rule, line and column (0: any). */
struct wanted {
    enum lint_rule rule; /* RULE_COUNT: none */
    u32 line, column;
};

/* Printed output that is compared with a text instead of being kept. */
struct matching {
    jx_module *module;
    struct wanted only;
    struct sink out;
    struct slice left; /* the part of the text not yet compared */
};

static int
match_bytes(void *user, const char *bytes, size_t n)
{
    struct matching *c = user;
    size_t same = n <= c->left.n && memcmp(bytes, c->left.at, n) == 0 ? n : 0;
    while (same < n && same < c->left.n && bytes[same] == c->left.at[same])
        same++;
    c->left.at += same;
    c->left.n -= same;
    return same < n; /* stops the printer */
}

/* the first byte of a program that fmt would change, or NONE */
static u32
layout_change(void *user, program_t program)
{
    struct matching *c = user;
    struct module *m = &c->module->ir;
    const struct program *p = &m->programs.at[program];
    struct print_options options = {0};
    if (c->module->laid_out)
        return NONE;
    c->out.n = 0;
    c->out.error = 0;
    c->left = (struct slice){m->text.at + p->offset, p->end - p->offset};
    print_program(&c->out, m, program, &options);
    return sink_flush(&c->out) == 0 && c->left.n == 0 ? NONE : (u32)(c->left.at - m->text.at);
}

/* the rule of a code or name, or RULE_COUNT */
static enum lint_rule
find_rule(struct slice code_or_name)
{
    enum diag_code code = diag_find(code_or_name);
    u32 r = 0;
    while (r < RULE_COUNT && lint_rows[r].code != code)
        r++;
    return (enum lint_rule)r;
}

/* reads a number at *p, which moves past it; 0 if there is none below 2^31 */
static u32
read_number(const char **p)
{
    u64 value = 0;
    for (; is_digit(**p) && value <= INT32_MAX; ++*p)
        value = value * 10 + (u64)(**p - '0');
    return value <= INT32_MAX ? (u32)value : 0;
}

/* reads `N201@12` or `N201@12:5`; the rule is RULE_COUNT if it is malformed */
static struct wanted
read_wanted(const char *text)
{
    struct wanted w = {RULE_COUNT, 0, 0};
    const char *at = text ? strchr(text, '@') : NULL, *p = at;
    if (!at)
        return w;
    p++;
    w.line = read_number(&p);
    bool column = *p == ':';
    p += column;
    w.column = column ? read_number(&p) : 0;
    if (*p == '\0' && w.line > 0 && (w.column > 0 || !column))
        w.rule = find_rule((struct slice){text, (size_t)(at - text)});
    return w;
}

/* whether a finding is among those requested */
static bool
is_wanted(void *user, enum diag_code code, u32 at, u32 n)
{
    struct matching *c = user;
    if (lint_rows[c->only.rule].code != code)
        return false;
    struct jx_place place = api_place(c->module, at, n);
    return place.line == c->only.line && (c->only.column == 0 || place.column == c->only.column);
}

/* finds the offsets in the text of a line of the file */
static void
find_line(const struct text *t, u32 line, struct lint_why *why)
{
    u32 at = 0;
    why->from = NONE;
    for (u32 i = 0; i < t->n_origins; i++)
        if (t->origins[i].line == line) {
            why->from = why->from == NONE ? t->origins[i].at : why->from;
            why->to = i + 1 < t->n_origins ? t->origins[i + 1].at : t->n;
        }
    if (t->n_origins)
        return;
    for (const char *end; line > 1 && (end = memchr(t->at + at, '\n', t->n - at)) != NULL; line--)
        at = (u32)(end - t->at) + 1;
    const char *end = memchr(t->at + at, '\n', t->n - at);
    why->from = line == 1 ? at : NONE;
    why->to = end ? (u32)(end - t->at) : t->n;
}

/* enables the rule of the finding to explain; false if there can be no such finding */
static bool
read_why(jx_module *module, const char *text, struct lint_plan *plan, struct lint_why *why)
{
    struct wanted w = read_wanted(text);
    if (w.rule == RULE_COUNT)
        return false;
    plan->on[w.rule] = true;
    why->code = lint_rows[w.rule].code;
    find_line(&module->ir.text, w.line, why);
    return true;
}

/* finds out whether fmt would leave the whole text unchanged */
static void
find_layout(struct matching *c)
{
    struct module *m = &c->module->ir;
    struct print_options options = {0};
    c->left = (struct slice){m->text.at, m->text.n};
    api_format(&c->out, c->module, &options);
    c->module->laid_out = sink_flush(&c->out) == 0 && c->left.n == 0;
}

/* A module as fmt prints it. */
struct kept {
    struct sink out;
    jx_module *module;
    struct diags damaged; /* values for which fmt refuses programs */
};

static void
work_keep(void *arg)
{
    struct kept *k = arg;
    jx_module *module = k->module;
    struct print_options options = {0};
    diags_init(&k->damaged, &module->mem);
    if (module->ir.text.repairs && !module->context->parse_options.force)
        check_params(&module->ir, module->stream.at, module->stream.n, true, false, &k->damaged);
    sink_init_memory(&k->out, module->ir.mem);
    api_format(&k->out, module, &options);
}

/* a changed layout is not a fix if the text has errors, since it would lose what is not a program, or if the result
 * would be read differently: an unbalanced value may end elsewhere */
static enum jx_status
check_layout(jx_lint_result *result, bool broken)
{
    jx_module *module = result->module;
    struct kept k = {.module = module};
    jx_module *again = NULL;
    if (broken) {
        result->found.unformatted = false;
        return JX_OK;
    }
    enum jx_status status = api_run(module, work_keep, &k);
    if (status != JX_OK)
        return status;
    if (k.damaged.errors ||
        slice_eq((struct slice){k.out.at, k.out.n}, (struct slice){module->ir.text.at, module->ir.text.n})) {
        result->found.unformatted = false;
    } else {
        status = jx_read(module->context, "", k.out.at ? k.out.at : "", k.out.n, &again);
        if (status == JX_OK && jx_diagnostic_count(again, JX_ERROR) > 0)
            result->found.unformatted = false;
        jx_module_free(again);
    }
    mem_free(module->ir.mem, k.out.at);
    return status;
}

static void
work_lint(void *arg)
{
    struct linting *g = arg;
    jx_module *module = g->module;
    jx_lint_result *result = g->result;
    struct lint_plan plan;
    const char *path = g->options.path;
    struct matching matching = {.module = module, .only = read_wanted(g->options.only)};
    sink_init_writer(&matching.out, &module->mem, match_bytes, &matching);
    result->path = path ? arena_copy(&module->mem, slice_of(path)) : module->ir.text.name;
    struct lint_run run = {
        .plan = &plan,
        .keys = g->options.keys,
        .edits = g->options.fixes,
        .extracted = g->options.extracted,
        .baseline = {g->options.baseline, g->options.baseline ? g->options.baseline_size : 0},
        .path = result->path,
        .layout_change = layout_change,
        .wanted = matching.only.rule != RULE_COUNT ? is_wanted : NULL,
        .user = &matching,
    };
    struct lint_why why;
    make_plan(g, &plan);
    run.why = read_why(module, g->options.why, &plan, &why) ? &why : NULL;
    api_resolve(module, LEVEL_WARNING);
    if (plan.on[RULE_G606])
        find_layout(&matching);
    result->found.fixing = g->options.fixes;
    lint_module(&module->ir, &run, &module->diags, &result->found);
    mem_free(&module->mem, matching.out.at);
    api_sort_diagnostics(module);
}

enum jx_status
jx_lint(jx_module *module, const struct jx_lint_options *options, jx_lint_result **result)
{
    struct linting g = {.module = module};
    if (result != NULL)
        *result = NULL;
    enum jx_status status = api_intact(module);
    if (status == JX_OK)
        status = api_options(module->context, &g.options, sizeof g.options, options);
    if (status == JX_OK && module->linted && !module->lost)
        status = api_misuse(module->context, "the module was linted before; read it again");
    if (status == JX_OK)
        status = api_result(module, sizeof *g.result, (void **)&g.result);
    if (status != JX_OK)
        return status;
    g.result->module = module;
    module->linted = true;
    module->held++;
    const bool broken = jx_diagnostic_count(module, JX_ERROR) > 0;
    status = api_run(module, work_lint, &g);
    if (status == JX_OK && g.result->found.fixing && g.result->found.unformatted)
        status = check_layout(g.result, broken);
    if (status == JX_OK && result != NULL)
        *result = g.result;
    else
        jx_lint_free(g.result);
    return status;
}

void
jx_lint_free(jx_lint_result *result)
{
    if (result == NULL)
        return;
    struct mem *mem = &result->module->mem;
    mem_free_all(mem, result->found.edits.at, result->found.keys.at, result->found.steps.at);
    api_let_go(result->module);
}

struct validating {
    struct jx_lint_options options;
    struct sink out;
    bool fine;
};

static void
work_validate(void *arg)
{
    struct validating *j = arg;
    struct lint_words words = lint_words_of(&j->options);
    const char *asked[] = {j->options.why, j->options.only};
    j->fine = lint_validate_words(&j->out, &words);
    for (u32 i = 0; i < countof(asked) && j->fine; i++) {
        j->fine = !asked[i] || read_wanted(asked[i]).rule != RULE_COUNT;
        if (!j->fine)
            sink_printf(&j->out, "expected CODE@LINE, such as N201@12, got `%s`", asked[i]);
    }
    if (j->fine && j->options.baseline)
        j->fine = lint_validate_baseline(&j->out, (struct slice){j->options.baseline, j->options.baseline_size});
}

bool
jx_lint_validate(const struct jx_lint_options *options, char *message, size_t room)
{
    struct mem mem;
    struct validating j = {.fine = false};
    if (message == NULL || api_options(NULL, &j.options, sizeof j.options, options) != JX_OK)
        return false;
    mem_init(&mem, NULL);
    sink_init_memory(&j.out, &mem);
    api_guard(&mem, work_validate, &j);
    size_t n = j.out.n < room ? j.out.n : room ? room - 1 : 0;
    if (n)
        memcpy(message, j.out.at, n);
    if (room)
        message[n] = 0;
    mem_drop(&mem);
    return j.fine;
}

uint32_t
jx_lint_findings(const jx_lint_result *result)
{
    return result == NULL ? 0 : result->found.findings;
}

uint32_t
jx_lint_fixes(const jx_lint_result *result)
{
    const struct lint_result *found = result == NULL ? NULL : &result->found;
    return found && found->fixing ? found->edits.n + found->uncoloured + found->unformatted : 0;
}

uint32_t
jx_lint_suppressed(const jx_lint_result *result)
{
    return result == NULL ? 0 : result->found.suppressed;
}

bool(jx_lint_step_at)(const jx_lint_result *result, uint32_t i, struct jx_step *step, size_t size)
{
    if (result == NULL || result->module->lost || i >= result->found.steps.n)
        return false;
    const struct lint_step *one = &result->found.steps.at[i];
    struct jx_step all = {.path = one->path, .message = api_string(one->text)};
    return api_find_place(result->module, one->at, one->n, &all.place) == JX_OK &&
           api_answer(step, size, &all, sizeof all);
}

uint32_t
jx_lint_causes(const jx_lint_result *result)
{
    return result != NULL && result->found.explained ? result->found.causes : JX_NONE;
}

struct lint_writing {
    const jx_lint_result *result;
    struct sink out;
};

static void
work_cured(void *arg)
{
    struct lint_writing *w = arg;
    lint_apply(&w->out, &w->result->module->ir.text, &w->result->found);
}

static void
work_baseline(void *arg)
{
    struct lint_writing *w = arg;
    for (u32 i = 0; i < w->result->found.keys.n; i++)
        lint_write_key(&w->out, &w->result->found.keys.at[i], w->result->path);
}

enum jx_status
jx_write_fixed(const jx_lint_result *result, jx_write_fn write, void *user)
{
    if (result == NULL)
        return JX_MISUSE;
    const struct lint_result *found = &result->found;
    /* the layout is fixed last, after all other fixes */
    if (found->edits.n == 0 && !found->uncoloured && found->unformatted)
        return jx_format(result->module, NULL, write, user);
    struct lint_writing w = {.result = result};
    return api_write(result->module, &w.out, write, user, work_cured, &w);
}

enum jx_status
jx_write_baseline(const jx_lint_result *result, jx_write_fn write, void *user)
{
    struct lint_writing w = {.result = result};
    return api_write(result == NULL ? NULL : result->module, &w.out, write, user, work_baseline, &w);
}

/* ---- the rules as data ---- */

bool(jx_rule_at)(uint32_t i, struct jx_rule *rule, size_t size)
{
    static const char *const groups[][2] = {
        {"N", "numerics"},
        {"P", "performance"},
        {"E", "effects"},
        {"R", "randomness"},
        {"G", "stability of golden files"},
        {"H", "hygiene"},
    };
    if (i >= RULE_COUNT)
        return false;
    struct lint_plan plan;
    lint_plan_make(&plan, NULL, 0);
    struct jx_rule all = {.standard = plan.on[i], .fixable = lint_rows[i].fixable, .group = ""};
    jx_code_at((uint32_t)lint_rows[i].code, &all.code);
    for (u32 g = 0; g < countof(groups); g++)
        if (groups[g][0][0] == all.code.code[0])
            all.group = groups[g][1];
    return api_answer(rule, size, &all, sizeof all);
}

bool(jx_setting_at)(uint32_t i, struct jx_setting *setting, size_t size)
{
    if (i >= SET_COUNT)
        return false;
    const struct lint_setting_row *row = &lint_settings[i];
    struct jx_setting all = {diag_info(row->code).code, row->key, row->value, row->help};
    return api_answer(setting, size, &all, sizeof all);
}
