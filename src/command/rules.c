/* SPDX-License-Identifier: Apache-2.0
 *
 * jaxpr rules: the rules of lint and their settings, for people or as JSON. */
#include "command/command.h"

#include <string.h>

static const char *const layouts[] = {"text", "json"};

static void
write_text(struct output *o)
{
    struct jx_rule rule;
    struct jx_setting setting;
    for (uint32_t i = 0; jx_rule_at(i, &rule); i++) {
        output_printf(o, "%s %-22s %-7s %c%c  %s\n", rule.code.code, rule.code.name, level_name(rule.code.level),
                      rule.standard ? '*' : ' ', rule.fixable ? '+' : ' ', rule.code.title);
        for (uint32_t k = 0; jx_setting_at(k, &setting); k++)
            if (strcmp(setting.code, rule.code.code) == 0)
                output_printf(o, "     --set %s.%s=%s  %s\n", setting.code, setting.key, setting.value, setting.help);
    }
    output_puts(o, "\n* enabled by default   + some findings can be fixed by --fix\n");
}

static void
write_word(struct output *o, const char *key, const char *value)
{
    output_printf(o, "\"%s\":", key);
    output_json(o, value, strlen(value));
}

static void
write_settings(struct output *o, const char *code)
{
    struct jx_setting setting;
    bool begun = false;
    for (uint32_t k = 0; jx_setting_at(k, &setting); k++) {
        if (strcmp(setting.code, code) != 0)
            continue;
        output_puts(o, begun ? ",{" : "{");
        begun = true;
        write_word(o, "key", setting.key);
        output_puts(o, ",");
        write_word(o, "value", setting.value);
        output_puts(o, ",");
        write_word(o, "help", setting.help);
        output_puts(o, "}");
    }
}

static void
write_json(struct output *o)
{
    struct jx_rule rule;
    output_puts(o, "[\n");
    for (uint32_t i = 0; jx_rule_at(i, &rule); i++) {
        output_puts(o, i > 0 ? ",\n{" : "{");
        write_word(o, "code", rule.code.code);
        output_puts(o, ",");
        write_word(o, "name", rule.code.name);
        output_puts(o, ",");
        write_word(o, "group", rule.group);
        output_puts(o, ",");
        write_word(o, "level", level_name(rule.code.level));
        output_printf(o, ",\"default\":%s,\"fix\":%s,", rule.standard ? "true" : "false",
                      rule.fixable ? "true" : "false");
        write_word(o, "title", rule.code.title);
        output_puts(o, ",");
        write_word(o, "page", rule.code.explain);
        output_puts(o, ",\"settings\":[");
        write_settings(o, rule.code.code);
        output_puts(o, "]}");
    }
    output_puts(o, "\n]\n");
}

int
command_rules(const struct invocation *in)
{
    int layout = option_word(in, OPTION_layout, layouts, 2);
    if (layout < 0)
        return EXIT_TROUBLE;
    if (in->files != in->no_files) {
        complain("rules takes no files or codes; `jaxpr explain CODE` describes a rule");
        return EXIT_TROUBLE;
    }
    (layout == 1 ? write_json : write_text)(&standard_output);
    return EXIT_CLEAN;
}
