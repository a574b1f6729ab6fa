/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps: a function for each group of the headers. They check no results, but follow every id and write every text
 * that is returned, so that all memory that results point to is read. */
#include "tour.h"

#include "unit.h"

#include <string.h>

const char tour_text[] =
    "let f = { lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = mul b 2.0:f32[] in (b, c) } in\n"
    "{ lambda a:f32[3]; n:i32[] d:f32[3] r:Ref{f32[4]} u:f32[n,2*m+1]. let\n"
    "    e:f32[3] g:f32[3] = jit[name=f jaxpr=f] d # t.py:3:6 (f)\n"
    "    h:f32[3] = cond[branches=({ lambda ; i:f32[3]. let j:f32[3] = neg i in (j,) }\n"
    "                              { lambda ; i:f32[3]. let  in (i,) })] n e\n"
    "    k:f32[] <- r[0]\n"
    "    r[1] <- 2.0:f32[]\n"
    "    o:f64[4] = add h a\n"
    "    p:f32[3] = unknown_thing[x={'a': [1, 2.5, None]} y=Record(z=(True,))] h\n"
    "    q:f32[] = neg nowhere\n"
    "  in (o, h, k) }\n";

static const char other_text[] = "{ lambda a:f32[3]; n:i32[] d:f32[3]. let\n"
                                 "    o:f32[3] = sub d a\n"
                                 "  in (o, d) }\n";

static const char contracts[] = "contracts:\n"
                                "  - {files: '*', forbid: [sin], count: {neg: 9}}\n"
                                "  - {name: never, files: '*', forbid: [add]}\n";

static const char signature[] = "in_type ((i64[],False),(f64[DBIdx(0)],True))\nout_type ((f64[InDBIdx(0)],True),)\n";

static void
say(struct tour *t, struct jx_string text)
{
    if (text.n > 0)
        t->write(t->user, text.at, text.n);
}

static void
say_word(struct tour *t, const char *word)
{
    say(t, (struct jx_string){word, word != NULL ? strlen(word) : 0});
}

static void
say_number(struct tour *t, uint64_t number)
{
    char digits[24];
    say(t, (struct jx_string){digits, jx_amount_short((double)number, digits, sizeof digits)});
}

static void
say_place(struct tour *t, struct jx_place place)
{
    say_number(t, place.line);
    say_number(t, place.end_column);
}

/* stores the result of a call; true for JX_OK */
static bool
did(struct tour *t, enum jx_status status)
{
    if (t->status == JX_OK)
        t->status = status;
    say_word(t, jx_status_text(status));
    return status == JX_OK;
}

static jx_module *
read_other(struct tour *t)
{
    jx_module *module = NULL;
    did(t, jx_read(t->context, "other", other_text, sizeof other_text - 1, &module));
    return module;
}

/* ---- tables, which need no program ---- */

static void
visit_tables(struct tour *t)
{
    struct jx_code code;
    struct jx_rule rule;
    struct jx_setting setting;
    struct jx_primitive primitive;
    const char *const words[] = {"inline", "dce"};
    say_word(t, jx_version());
    say_number(t, jx_version_number());
    for (uint32_t i = 0; jx_code_at(i, &code); i++)
        say_word(t, code.title);
    if (jx_code_find("unbound-variable", &code))
        say_word(t, code.code);
    for (uint32_t i = 0; jx_rule_at(i, &rule); i++)
        say_word(t, rule.group);
    for (uint32_t i = 0; jx_setting_at(i, &setting); i++)
        say_word(t, setting.key);
    for (uint32_t i = 0; jx_pass_at(i) != NULL; i++)
        say_number(t, jx_pass_find(jx_pass_at(i), strlen(jx_pass_at(i))));
    say_word(t, jx_nearest("inlin", words, 2));
    if (jx_primitive_find("scan", 4, &primitive))
        say_word(t, primitive.meaning);
    say_word(t, jx_parameter_meaning("scan", "unroll", 6));
    say_word(t, jx_misuse_text(t->context));
}

static void
visit_text(struct tour *t)
{
    struct jx_string line = {tour_text, sizeof tour_text - 1}, other = {other_text, sizeof other_text - 1};
    struct jx_word word;
    size_t at = 0;
    bool differ;
    while (jx_word_next(line, &at, &word))
        say_word(t, word.kind);
    did(t, jx_write_colored(line.at, line.n, t->write, t->user));
    did(t, jx_write_visible("\033[1m\xff", 5, true, t->write, t->user));
    did(t, jx_write_json_string("\"\xff", 2, t->write, t->user));
    did(t, jx_write_line_diff("--- a\n+++ b\n", line, other, &differ, t->write, t->user));
}

/* ---- contexts and reading ---- */

static void
visit_contexts(struct tour *t)
{
    struct jx_parse_options how = {.size = sizeof how, .no_fast_path = true};
    jx_module *module = NULL;
    struct pieces slow = {tour_text, sizeof tour_text - 1, 7};
    did(t, jx_set_parse_options(t->context, &how));
    if (did(t, jx_read_from(t->context, "slow", read_pieces, &slow, 0, &module)))
        did(t, jx_format(module, NULL, t->write, t->user));
    jx_module_free(module);
    did(t, jx_set_parse_options(t->context, NULL));
    did(t, jx_set_progress(t->context, NULL, NULL));
    did(t, jx_set_threads(t->context, NULL, NULL, 1));
    jx_context *own = jx_context_new(NULL);
    jx_context_free(own);
}

static void
visit_diagnostics(struct tour *t)
{
    struct jx_diagnostic d;
    struct jx_string message;
    struct jx_place place;
    jx_report *report = NULL;
    did(t, jx_check(t->module, NULL));
    say_number(t, jx_diagnostic_count(t->module, JX_NOTE));
    say_number(t, jx_unverified_count(t->module));
    say(t, jx_unverified_primitive(t->module, 0));
    say_number(t, jx_unknown_type_count(t->module));
    say(t, jx_unknown_type(t->module, 0));
    for (uint32_t i = 0; jx_diagnostic_at(t->module, i, &d); i++) {
        say(t, d.message);
        for (uint32_t k = 0; jx_diagnostic_note(t->module, i, k, &message, &place); k++) {
            say(t, message);
            say(t, jx_diagnostic_note_file(t->module, i, k));
        }
    }
    did(t, jx_render(t->context, &t->module, 1, NULL, t->write, t->user));
    if (did(t, jx_report_begin(t->context, NULL, t->write, t->user, &report)))
        did(t, jx_report_add(report, t->module));
    did(t, report != NULL ? jx_report_end(report) : JX_OK);
}

static void
visit_output(struct tour *t)
{
    bool first = true;
    did(t, jx_format(t->module, NULL, t->write, t->user));
    did(t, jx_write_json(t->module, &first, t->write, t->user));
    did(t, jx_write_signatures(t->module, NULL, "t", &first, t->write, t->user));
    did(t, jx_write_graph(t->module, NULL, &first, t->write, t->user));
    did(t, jx_contract_write(t->module, "t", true, &first, t->write, t->user));
}

/* ---- walking ---- */

static void
visit_value(struct tour *t, const struct jx_value *value)
{
    struct jx_value items[8], again;
    say(t, value->text);
    say_word(t, value->reason);
    uint32_t n = jx_value_items(t->module, value, NULL, items, 8);
    for (uint32_t i = 0; i < n; i++) {
        say(t, items[i].key);
        if (jx_value_of(t->module, items[i].text, &again))
            say(t, again.word);
    }
}

static void
visit_type(struct tour *t, uint32_t id)
{
    struct jx_type type;
    struct jx_dim dim;
    struct jx_term term;
    if (!jx_type_at(t->module, id, &type))
        return;
    say(t, type.dtype);
    for (uint32_t i = 0; jx_dim_at(t->module, id, i, &dim); i++) {
        say(t, dim.text);
        for (uint32_t k = 0; jx_term_at(t->module, id, i, k, &term); k++)
            say(t, term.factors > 0 ? term.factor[0] : dim.text);
    }
}

static void
visit_site(struct tour *t, const struct jx_site *site)
{
    struct jx_span span;
    struct jx_site sites[6];
    if (!jx_span_at(t->module, site, &span))
        return;
    say_number(t, span.to - span.from);
    uint32_t n = jx_sites_at(t->module, span.place.line, span.place.column, sites, 6);
    for (uint32_t i = 0; i < n; i++)
        say_number(t, jx_site_variable(t->module, &sites[i]));
}

static void
visit_variable(struct tour *t, const struct jx_variable *v)
{
    struct jx_site sites[4];
    say(t, v->name);
    visit_type(t, v->type_id);
    if (jx_definition(t->module, v->id, &sites[0]))
        visit_site(t, &sites[0]);
    uint32_t n = jx_uses(t->module, v->id, 0, sites, 4);
    for (uint32_t i = 0; i < n; i++)
        visit_site(t, &sites[i]);
}

static void
visit_equation(struct tour *t, uint32_t id)
{
    struct jx_variable results[4], result;
    struct jx_operand operands[4], operand;
    struct jx_parameter p;
    struct jx_value value;
    struct jx_place place;
    struct jx_equation e;
    if (!jx_equation_at(t->module, id, &e))
        return;
    say(t, e.primitive);
    say_number(t, jx_results(t->module, id, 0, results, 4) + jx_operands(t->module, id, 0, operands, 4));
    for (uint32_t i = 0; jx_result_at(t->module, id, i, &result); i++)
        visit_variable(t, &result);
    for (uint32_t i = 0; jx_operand_at(t->module, id, i, &operand); i++)
        say(t, operand.index);
    for (uint32_t i = e.first_parameter; jx_parameter_at(t->module, i, &p); i = p.next) {
        say_number(t, jx_parameter_jaxpr(t->module, i, 0));
        if (jx_parameter_value(t->module, i, &value))
            visit_value(t, &value);
    }
    if (jx_equation_place(t->module, id, &place))
        say_place(t, place);
    say(t, jx_equation_source(t->module, id));
}

static void
visit_programs(struct tour *t)
{
    struct jx_program program;
    struct jx_jaxpr jaxpr;
    struct jx_string name;
    struct jx_variable binder;
    struct jx_operand output;
    struct jx_equation equations[2];
    uint32_t shared;
    did(t, jx_resolve(t->module));
    say_number(t, jx_program_count(t->module));
    for (uint32_t i = 0; jx_program_at(t->module, i, &program); i++)
        if (jx_shared_at(t->module, program.first_shared, &name, &shared))
            say(t, name);
    for (uint32_t i = 0; jx_jaxpr_at(t->module, i, &jaxpr); i++) {
        for (uint32_t k = 0; jx_binder_at(t->module, i, k, &binder); k++)
            visit_variable(t, &binder);
        for (uint32_t k = 0; jx_output_at(t->module, i, k, &output); k++)
            say(t, output.text);
        say_number(t, jx_equations(t->module, jaxpr.first_equation, equations, 2));
    }
    for (uint32_t i = 0; i < 12; i++)
        visit_equation(t, i);
}

/* ---- rewriting and comparing ---- */

static void
visit_rewrite(struct tour *t)
{
    struct jx_normal_options how = {.size = sizeof how, .passes = JX_PASS_CONSTANTS | JX_PASS_INLINE | JX_PASS_DCE};
    struct jx_rewritten program;
    struct jx_origin origin;
    jx_rewrite *rewrite = NULL;
    did(t, jx_normalize(t->module, NULL, t->write, t->user, NULL));
    if (did(t, jx_normalize(t->module, &how, t->write, t->user, &rewrite)))
        did(t, jx_render(t->context, (jx_module *[]){jx_rewrite_module(rewrite)}, 1, NULL, t->write, t->user));
    say_number(t, jx_rewrite_changed(rewrite));
    for (uint32_t i = 0; jx_rewritten_at(rewrite, i, &program); i++) {
        for (uint32_t k = 0; jx_rewritten_binder(rewrite, i, k, &origin); k++)
            say_number(t, origin.index);
        for (uint32_t k = 0; jx_rewritten_output(rewrite, i, k, &origin); k++)
            say_number(t, origin.kind);
    }
    jx_rewrite_free(rewrite);
}

static void
visit_digests(struct tour *t)
{
    struct jx_compare_options how = {.size = sizeof how, .functions = true};
    struct jx_function function;
    jx_digest_list *list = NULL;
    did(t, jx_digests(t->module, &how, &list));
    say(t, jx_digest_at(list, 0));
    for (uint32_t i = 0; jx_function_at(list, i, &function); i++)
        say(t, function.digest);
    say_number(t, jx_diagnostic_count(jx_digest_list_module(list), JX_NOTE));
    jx_digest_list_free(list);
}

static void
visit_differences(struct tour *t)
{
    struct jx_diff_counts counts;
    struct jx_difference difference;
    struct jx_change change;
    jx_differences *differences = NULL;
    jx_module *other = read_other(t);
    did(t, jx_diff(t->module, other, NULL, t->write, t->user, &differences));
    if (jx_differences_counts(differences, &counts))
        say_number(t, counts.changed);
    for (uint32_t i = 0; jx_difference_at(differences, i, &difference); i++) {
        say(t, difference.head);
        for (uint32_t k = 0; jx_change_at(differences, i, k, &change); k++)
            say(t, change.to);
    }
    say_number(t, jx_diagnostic_count(jx_differences_module(differences, true), JX_NOTE));
    jx_module_free(other);
    jx_differences_free(differences);
}

/* ---- tools ---- */

static void
visit_lint(struct tour *t)
{
    struct jx_lint_options how = {
        .size = sizeof how, .select = "ALL", .fixes = true, .keys = true, .why = "N201@9", .path = "t"};
    struct jx_step step;
    char message[64];
    jx_lint_result *lint = NULL;
    say_number(t, jx_lint_validate(&how, message, sizeof message));
    if (did(t, jx_lint(t->module, &how, &lint))) {
        did(t, jx_write_fixed(lint, t->write, t->user));
        did(t, jx_write_baseline(lint, t->write, t->user));
    }
    say_number(t, jx_lint_findings(lint) + jx_lint_fixes(lint) + jx_lint_suppressed(lint) + jx_lint_causes(lint));
    for (uint32_t i = 0; jx_lint_step_at(lint, i, &step); i++)
        say(t, step.message);
    jx_lint_free(lint);
}

static void
visit_costs(struct tour *t)
{
    jx_program_stats *stats = NULL;
    jx_program_costs *costs = NULL;
    struct jx_stats counts;
    struct jx_costs total;
    struct jx_cost row;
    struct jx_cost_program inner;
    struct jx_equation_cost one;
    uint64_t n;
    did(t, jx_stats(t->module, 0, &stats));
    if (jx_stats_counts(stats, &counts))
        say_number(t, counts.equations);
    say(t, jx_stats_primitive(stats, 0, &n));
    jx_stats_free(stats);
    did(t, jx_cost(t->module, 0, JX_COST_BY_SOURCE, &costs));
    if (jx_cost_total(costs, &total))
        say(t, total.peak.text);
    for (uint32_t i = 0; jx_cost_row(costs, i, &row); i++)
        say(t, row.name);
    for (uint32_t i = 0; jx_cost_program(costs, i, &inner); i++)
        say(t, inner.peak.text);
    jx_cost_free(costs);
    if (did(t, jx_equation_cost(t->module, 0, 2, &one)))
        say(t, one.live.text);
}

static void
visit_contracts(struct tour *t)
{
    struct pieces whole = {contracts, sizeof contracts - 1, 9};
    struct jx_contract_change change;
    jx_config *config = NULL;
    jx_refresh *refresh = NULL;
    enum jx_status status = jx_read_config(t->context, "jaxpr.yaml", read_pieces, &whole, 0, &config);
    if (status == JX_UNSUPPORTED)
        return;
    did(t, status);
    did(t, jx_contract_check(t->module, config, "t"));
    did(t, jx_contract_cover(t->module, config, "t"));
    if (did(t, jx_refresh_begin(config, &refresh)) && did(t, jx_refresh_add(refresh, t->module, "t")))
        did(t, jx_refresh_write(refresh, t->write, t->user));
    for (uint32_t i = 0; jx_refresh_change_at(refresh, i, &change); i++)
        say(t, change.now);
    jx_refresh_free(refresh);
    did(t, jx_contract_report_unused(config));
    say_number(t, jx_diagnostic_count(jx_config_module(config), JX_NOTE));
    jx_config_free(config);
}

static void
visit_signatures(struct tour *t)
{
    struct pieces whole = {signature, sizeof signature - 1, 9};
    jx_signatures *signatures = NULL;
    bool first = true;
    if (did(t, jx_read_signatures(t->context, "s", read_pieces, &whole, 0, &signatures)))
        did(t, jx_write_read_signatures(signatures, NULL, "s", &first, t->write, t->user));
    say_number(t, jx_diagnostic_count(jx_signatures_module(signatures), JX_NOTE));
    jx_signatures_free(signatures);
}

static void
visit_extract(struct tour *t)
{
    struct pieces whole = {tour_text, sizeof tour_text - 1, 9};
    struct jx_found found;
    jx_extract *extract = NULL;
    jx_module *module;
    did(t, jx_extract_begin(t->context, "log", read_pieces, &whole, &extract));
    while (extract != NULL && did(t, jx_extract_next(extract, &module, &found)) && module != NULL) {
        say(t, found.text);
        jx_module_free(module);
    }
    jx_extract_end(extract);
}

static void
visit_document(struct tour *t)
{
    jx_document *document = NULL;
    jx_module *module = NULL;
    struct jx_document_part part;
    uint32_t n;
    did(t, jx_document_new(t->context, "d", tour_text, sizeof tour_text - 1, &document));
    did(t, jx_document_module(document, &module));
    did(t, jx_edit(document, 0, 0, other_text, sizeof other_text - 1));
    say(t, jx_document_text(document));
    if (did(t, jx_document_module(document, &module)))
        say_number(t, jx_program_count(module));
    for (int found = 0; found < 2; found++) {
        const char *why;
        if (did(t, jx_document_read(document, found == 1, &n)))
            for (uint32_t i = 0; jx_document_part_at(document, i, &part); i++) {
                say_number(t, part.to + jx_program_count(part.module));
                if (!did(t, jx_document_part_copy(document, i, &module)))
                    continue;
                say(t, jx_module_text(module));
                say_number(t, jx_offset_at(module, part.place.line, 3));
                did(t, jx_document_embed(document, i, jx_module_text(module), t->write, t->user, &why));
                jx_module_free(module);
            }
        jx_document_forget(document);
    }
    jx_document_free(document);
}

static void
visit_pages(struct tour *t)
{
    jx_module *other = read_other(t);
    did(t, jx_page_begin("tour", t->write, t->user));
    did(t, jx_page_add(t->module, 1, t->write, t->user));
    did(t, jx_page_add_parts(t->module, 2, JX_PAGE_COSTS, t->write, t->user));
    did(t, jx_page_add_changes(t->module, other, 3, JX_PAGE_LISTING, t->write, t->user));
    did(t, jx_page_end(t->write, t->user));
    jx_module_free(other);
}

const struct station stations[] = {
    {"tables", visit_tables},
    {"text", visit_text},
    {"contexts", visit_contexts},
    {"diagnostics", visit_diagnostics},
    {"output", visit_output},
    {"programs", visit_programs},
    {"rewrite", visit_rewrite},
    {"digests", visit_digests},
    {"differences", visit_differences},
    {"lint", visit_lint},
    {"costs", visit_costs},
    {"contracts", visit_contracts},
    {"signatures", visit_signatures},
    {"extract", visit_extract},
    {"document", visit_document},
    {"pages", visit_pages},
    {NULL, NULL},
};
