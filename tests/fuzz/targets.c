/* SPDX-License-Identifier: Apache-2.0
 *
 * What must hold for any bytes, verb by verb. A property of programs is not tested for texts with errors, but every
 * verb is run on them, too. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- parse: the module can be walked, counted and written; the pieces in which a text is read do not matter ---- */

static struct written
json_of(jx_module *module)
{
    struct written out = {0};
    bool first = true;
    must_be_ok(jx_write_json(module, &first, keep_written, &out), "json");
    return out;
}

static void
walk_equation(jx_module *module, uint32_t equation, const struct jx_equation *e)
{
    struct jx_variable v;
    struct jx_operand o;
    struct jx_parameter p;
    struct jx_place place;
    struct jx_jaxpr inner;
    for (uint32_t i = 0; i < e->results; i++)
        if (!jx_result_at(module, equation, i, &v))
            broken_promise("every result can be read", "", 0);
    for (uint32_t i = 0; i < e->operands; i++)
        if (!jx_operand_at(module, equation, i, &o))
            broken_promise("every operand can be read", "", 0);
    for (uint32_t q = e->first_parameter; q != JX_NONE; q = p.next) {
        if (!jx_parameter_at(module, q, &p))
            broken_promise("every parameter can be read", "", 0);
        for (uint32_t k = 0; k < p.jaxprs; k++)
            jx_jaxpr_at(module, jx_parameter_jaxpr(module, q, k), &inner);
    }
    if (!jx_equation_place(module, equation, &place) || place.line == 0)
        broken_promise("every equation has a place", "", 0);
}

static void
walk(jx_module *module)
{
    for (uint32_t i = 0; i < jx_program_count(module); i++) {
        struct jx_program program;
        struct jx_jaxpr jaxpr;
        struct jx_variable v;
        struct jx_operand o;
        struct jx_equation e;
        jx_program_stats *made;
        struct jx_stats stats = {0};
        uint64_t count;
        must_be_ok(jx_stats(module, i, &made), "stats");
        jx_stats_counts(made, &stats);
        for (uint32_t k = 0; k < stats.primitives; k++)
            if ((jx_stats_primitive(made, k, &count).n == 0 && jx_diagnostic_count(module, JX_ERROR) == 0) ||
                count == 0)
                broken_promise("a primitive that is counted has a name and a count", "", 0);
        if (!jx_program_at(module, i, &program))
            continue;
        if (program.broken && jx_diagnostic_count(module, JX_ERROR) == 0)
            broken_promise("an error is reported for a program that cannot be read", "", 0);
        if (!jx_jaxpr_at(module, program.jaxpr, &jaxpr))
            continue;
        for (uint32_t k = 0; k < jaxpr.constants + jaxpr.inputs; k++)
            if (!jx_binder_at(module, program.jaxpr, k, &v))
                broken_promise("every binder can be read", "", 0);
        for (uint32_t k = 0; k < jaxpr.outputs; k++)
            if (!jx_output_at(module, program.jaxpr, k, &o))
                broken_promise("every output can be read", "", 0);
        for (uint32_t q = jaxpr.first_equation; q != JX_NONE; q = e.next) {
            if (!jx_equation_at(module, q, &e))
                broken_promise("every equation can be read", "", 0);
            walk_equation(module, q, &e);
        }
    }
}

void
target_parse(const char *bytes, size_t n)
{
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n), *pieced;
    struct pieces p = {bytes, n, n};
    walk(module);
    struct written json = json_of(module);
    must_be_ok(jx_read_from(context, "fuzz.jaxpr", read_piece, &p, n / 2, &pieced), "read_from");
    struct written again = json_of(pieced);
    must_equal("a text is the same program in any pieces", &json, &again);
    must_be_json("the output of json is JSON for any text", &json, JSON_ITEMS);
    free(json.at);
    free(again.at);
    jx_context_free(context);
}

/* ---- check ---- */

enum { FINDING = sizeof "2 0000000000 S012" }; /* the length of a line of findings, including its end */

static int
compare_findings(const void *a, const void *b)
{
    return memcmp(a, b, FINDING);
}

/* The findings of a text as lines `2 0000000000 S012` (level, program, code), sorted, since their order may depend on
 * the layout. */
static struct written
findings(const char *bytes, size_t n, const struct jx_check_options *options)
{
    struct written out = {0};
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    must_be_ok(jx_check(module, options), "check");
    struct jx_diagnostic d;
    for (uint32_t i = 0; jx_diagnostic_at(module, i, &d); i++) {
        char line[FINDING + 16];
        snprintf(line, sizeof line, "%d %010u %s\n", (int)d.level, d.program, d.code.code);
        keep_written(&out, line, FINDING);
        if (d.place.line > 0 && (d.place.end_line < d.place.line ||
                                 (d.place.end_line == d.place.line && d.place.end_column < d.place.column)))
            broken_promise("a place ends after its beginning", d.message.at, d.message.n);
    }
    jx_context_free(context);
    if (out.n)
        qsort(out.at, out.n / FINDING, FINDING, compare_findings);
    return out;
}

/* How many lines of findings are errors. */
static size_t
errors_in(const struct written *lines)
{
    size_t errors = 0;
    for (size_t i = 0; i < lines->n; i++)
        errors += (i == 0 || lines->at[i - 1] == '\n') && lines->at[i] == '0' + (int)JX_ERROR;
    return errors;
}

/* Whether an error is about sizes: its code begins with `D`. */
static bool
errs_in_sizes(const struct written *lines)
{
    for (size_t at = 0; at < lines->n; at += FINDING)
        if (lines->at[at] == '0' + (int)JX_ERROR && lines->at[at + sizeof "2 0000000000 " - 1] == 'D')
            return true;
    return false;
}

/* Fails if output for terminals has control characters except newlines, tabs and colours (escapes that end in m). */
static void
look_for_controls(const struct written *out)
{
    for (size_t i = 0; i < out->n; i++) {
        unsigned char c = (unsigned char)out->at[i];
        if (c == '\033' && i + 1 < out->n && out->at[i + 1] == '[') {
            i += 1 + strspn(out->at + i + 2, "0123456789;") + 1;
            if (i < out->n && out->at[i] == 'm')
                continue;
        }
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            broken_promise("diagnostics have no control characters", out->at, out->n);
    }
}

void
target_check(const char *bytes, size_t n)
{
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    must_be_ok(jx_check(module, NULL), "check");
    for (int format = JX_RENDER_TEXT; format <= JX_RENDER_JSONL; format++) {
        struct written out = {0};
        render(context, module, (enum jx_render_format)format, &out);
        keep_written(&out, "", 1);
        out.n--;
        if (format == JX_RENDER_TEXT || format == JX_RENDER_GCC)
            look_for_controls(&out);
        bool lines = format == JX_RENDER_JSONL;
        if (format == JX_RENDER_JSON || format == JX_RENDER_SARIF || format == JX_RENDER_GITLAB || lines)
            must_be_json("diagnostics are JSON for any text", &out, lines ? JSON_LINES : JSON_VALUE);
        bool document = format == JX_RENDER_JSON || format == JX_RENDER_SARIF || format == JX_RENDER_GITLAB ||
                        format == JX_RENDER_JUNIT; /* not empty without findings */
        bool summary = lines && (jx_unverified_count(module) > 0 || jx_unknown_type_count(module) > 0);
        if ((out.n == 0) != (jx_diagnostic_count(module, JX_NOTE) == 0 && !summary) && !document)
            broken_promise("output is empty exactly if nothing is found and all is verified", out.at, out.n);
        free(out.at);
    }
    jx_context_free(context);

    struct jx_check_options plain = {.size = sizeof plain}, strict = plain, as_jax = plain, other = plain;
    strict.strict = true;
    as_jax.as_jax = true;
    other.dims = JX_DIMS_VARIABLES;
    other.dialect = n % 2 ? JX_DIALECT_CATALYST : JX_DIALECT_PENNYLANE;
    struct written first = findings(bytes, n, &plain), second = findings(bytes, n, &plain);
    must_equal("check finds the same twice", &first, &second);
    struct written more = findings(bytes, n, &strict), less = findings(bytes, n, &as_jax);
    if (errors_in(&more) < errors_in(&first))
        broken_promise("--strict removes no error", bytes, n);
    if (errors_in(&less) > 0 && errors_in(&first) == 0) /* without one error, others that follow may be reported */
        broken_promise("--as-jax adds no error to a correct program", bytes, n);
    struct written dialect = findings(bytes, n, &other);
    free(first.at);
    free(second.at);
    free(more.at);
    free(less.at);
    free(dialect.at);
}

/* ---- fmt: its output is a fixed point, for any width before; check finds the same in it ---- */

void
target_fmt(const char *bytes, size_t n)
{
    struct written once = formatted(bytes, n, 0);
    if (!can_be_laid_out(bytes, n)) {
        free(once.at);
        return;
    }
    struct written twice = formatted(once.at, once.n, 0);
    must_equal("fmt of fmt is fmt", &once, &twice);
    struct jx_check_options plain = {.size = sizeof plain};
    struct written before = findings(bytes, n, &plain), after = findings(once.at, once.n, &plain);
    must_equal("check finds the same before and after fmt", &before, &after);
    /* unknown text may be divided differently when lines are joined, and a comment moved away from its equation */
    static const uint32_t widths[] = {1000000, 40};
    struct jx_check_options strict = {.size = sizeof strict, .strict = true};
    struct written doubts = findings(bytes, n, &strict);
    bool known = errors_in(&doubts) == 0 && memchr(once.at, '#', once.n) == NULL;
    for (size_t i = 0; known && i < sizeof widths / sizeof *widths; i++) {
        struct written other = formatted(bytes, n, widths[i]), back = formatted(other.at, other.n, 0);
        must_equal("fmt of another width's layout is fmt", &once, &back);
        free(other.at);
        free(back.at);
    }
    free(doubts.at);
    free(once.at);
    free(twice.at);
    free(before.at);
    free(after.at);
}

/* ---- norm: a correct program stays correct, and passes are idempotent ---- */

static struct written
normalized(const char *bytes, size_t n, unsigned passes, uint32_t *errors)
{
    struct written out = {0};
    struct jx_normal_options how = {.size = sizeof how, .passes = passes};
    jx_rewrite *rewrite;
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    must_be_ok(jx_normalize(module, &how, keep_written, &out, &rewrite), "normalize");
    *errors = jx_diagnostic_count(jx_rewrite_module(rewrite), JX_ERROR);
    jx_context_free(context);
    return out;
}

/* Whether a byte is not ASCII: its printed width depends on the version, of which a pass may remove the evidence; the
 * normal form has no version. */
static bool
has_wide_bytes(const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((bytes[i] & 0x80) != 0)
            return true;
    return false;
}

static bool
has_word(const char *bytes, size_t n, const char *word)
{
    return memmem(bytes, n, word, strlen(word)) != NULL;
}

void
target_norm(const char *bytes, size_t n)
{
    static const unsigned passes[] = {JX_PASS_CONSTANTS,
                                      JX_PASS_DCE,
                                      JX_PASS_REPAIR,
                                      JX_PASS_CAPTURES,
                                      JX_PASS_COLLAPSE,
                                      JX_PASS_EXPAND,
                                      JX_PASS_LIFT,
                                      JX_PASS_NESTED_CONSTANTS,
                                      0};
    struct jx_check_options plain = {.size = sizeof plain}, strict = {.size = sizeof strict, .strict = true};
    struct written before = findings(bytes, n, &strict); /* --strict: trusted results are errors */
    bool certain = can_be_laid_out(bytes, n), wide = has_wide_bytes(bytes, n);
    /* the meaning of a name in a shape that is not a size, or in text that is not a type, is unknown */
    bool sized = !errs_in_sizes(&before);
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        uint32_t errors, later;
        struct written once = normalized(bytes, n, passes[i], &errors);
        if (errors == 0 && certain && !(wide && passes[i] != 0)) {
            struct written twice = normalized(once.at, once.n, passes[i], &later);
            if (later != 0 && passes[i] == JX_PASS_COLLAPSE) { /* sizes in its output may have no binders */
                free(once.at);
                free(twice.at);
                continue;
            }
            if (later != 0)
                broken_promise("the output of norm has no errors", once.at, once.n);
            if (sized)
                must_equal("norm of norm is norm", &once, &twice);
            struct written after = findings(once.at, once.n, &plain);
            /* the normal form renames mutable_array to its new name, whose refs may not be results */
            bool refs = passes[i] == 0 && has_word(bytes, n, "mutable_array");
            if (before.n == 0 && passes[i] != JX_PASS_COLLAPSE && !refs &&
                errors_in(&after) != 0) /* warnings may depend on the version of the text, which norm removes */
                broken_promise("a correct program stays correct", once.at, once.n);
            free(after.at);
            free(twice.at);
        }
        free(once.at);
    }
    free(before.at);
}

/* ---- eq: digests are deterministic, and do not depend on the layout ---- */

struct written
digests(const char *bytes, size_t n, const struct jx_compare_options *how, uint32_t *errors)
{
    struct written out = {0};
    jx_context *context = must_make_context();
    jx_module *module = must_read(context, bytes, n);
    jx_digest_list *list;
    must_be_ok(jx_digests(module, how, &list), "digests");
    *errors = jx_diagnostic_count(jx_digest_list_module(list), JX_ERROR);
    for (uint32_t i = 0; i < jx_program_count(module); i++) {
        struct jx_string digest = jx_digest_at(list, i);
        keep_written(&out, digest.at, digest.n);
        keep_written(&out, "\n", 1);
    }
    jx_context_free(context);
    return out;
}

void
target_eq(const char *bytes, size_t n)
{
    struct jx_compare_options ways[4] = {
        {.size = sizeof *ways}, {.dce = true}, {.commute = true}, {.without = "name,jaxpr,shape"}};
    for (int i = 0; i < 4; i++) {
        uint32_t errors, later;
        ways[i].size = sizeof *ways;
        struct written one = digests(bytes, n, &ways[i], &errors), again = digests(bytes, n, &ways[i], &later);
        must_equal("a text has the same digests twice", &one, &again);
        if (errors == 0 && can_be_laid_out(bytes, n)) {
            struct written text = formatted(bytes, n, i % 2 ? 1000000 : 0);
            struct written other = digests(text.at, text.n, &ways[i], &later);
            must_equal("digests do not depend on the layout", &one, &other);
            free(text.at);
            free(other.at);
        }
        free(one.at);
        free(again.at);
    }
}

/* ---- diff: a text does not differ from itself, nor from itself in another layout ---- */

static struct written
differences(const char *bytes, size_t n, const char *other, size_t n_other, enum jx_diff_form form, bool *same)
{
    struct written out = {0};
    struct jx_diff_counts counts;
    struct jx_diff_options how = {.size = sizeof how, .format = form};
    jx_context *context = must_make_context();
    jx_module *a = must_read(context, bytes, n), *b = must_read(context, other, n_other);
    jx_differences *found;
    must_be_ok(jx_diff(a, b, &how, keep_written, &out, &found), "diff");
    must_be_ok(jx_differences_counts(found, &counts) ? JX_OK : JX_MISUSE, "counts");
    *same = counts.changed + counts.added + counts.removed + counts.moved + counts.signature == 0;
    jx_context_free(context);
    return out;
}

void
target_diff(const char *bytes, size_t n)
{
    bool same, certain = can_be_laid_out(bytes, n);
    const enum jx_diff_form form = JX_DIFF_TEXT + n % (JX_DIFF_STAT + 1 - JX_DIFF_TEXT);
    struct written text = formatted(bytes, n, 1000000);
    struct written self = differences(bytes, n, bytes, n, form, &same);
    if (!same && certain)
        broken_promise("a text does not differ from itself", self.at, self.n);
    struct written laid = differences(bytes, n, text.at, text.n, form, &same);
    if (!same && certain)
        broken_promise("layout is not a difference", laid.at, laid.n);
    /* halves of a text: the results may differ, but nothing may fail */
    struct written halves = differences(bytes, n / 2, bytes, n, form, &same);
    free(halves.at);
    free(text.at);
    free(self.at);
    free(laid.at);
}

/* ---- sig ---- */

static struct written
signatures(const char *bytes, size_t n, bool json, bool nested)
{
    struct written out = {0};
    bool first = true;
    struct jx_signature_options how = {.size = sizeof how, .json = json, .nested = nested};
    jx_context *context = must_make_context();
    must_be_ok(jx_write_signatures(must_read(context, bytes, n), &how, "fuzz", &first, keep_written, &out), "sig");
    jx_context_free(context);
    return out;
}

void
target_sig(const char *bytes, size_t n)
{
    bool readable = can_be_laid_out(bytes, n);
    for (int json = 0; json < 2; json++) {
        struct written inside = signatures(bytes, n, json == 1, true); /* its line numbers depend on the layout */
        struct written one = signatures(bytes, n, json == 1, false);
        if (json == 1)
            must_be_json("signatures are JSON for any text", &one, JSON_ITEMS);
        free(inside.at);
        if (readable) {
            struct written text = formatted(bytes, n, 0), other = signatures(text.at, text.n, json == 1, false);
            must_equal("signatures do not depend on the layout", &one, &other);
            free(text.at);
            free(other.at);
        }
        free(one.at);
    }
}

/* ---- sig --read: valid signatures are written so that reading them gives the same ---- */

static struct written
signatures_again(const char *bytes, size_t n, uint32_t *errors)
{
    struct written out = {0};
    bool first = true;
    jx_signatures *read;
    struct pieces p = {bytes, n, n};
    struct jx_read_signature_options how = {.size = sizeof how}, build = how;
    build.binders = true;
    build.results = "a:f64[n] n:i64[]";
    build.implicit = "a:f64[3]";
    jx_context *context = must_make_context();
    must_be_ok(jx_read_signatures(context, "fuzz", read_piece, &p, n, &read), "read_signatures");
    must_be_ok(jx_write_read_signatures(read, &how, "fuzz", &first, keep_written, &out), "sig");
    *errors = jx_diagnostic_count(jx_signatures_module(read), JX_ERROR);
    struct written built = {0};
    must_be_ok(jx_write_read_signatures(read, &build, "fuzz", &first, keep_written, &built), "sig");
    free(built.at);
    jx_context_free(context);
    return out;
}

void
target_read_sig(const char *bytes, size_t n)
{
    uint32_t errors, later;
    struct written once = signatures_again(bytes, n, &errors);
    if (errors == 0) {
        struct written twice = signatures_again(once.at, once.n, &later);
        must_equal("sig of sig is sig", &once, &twice);
        free(twice.at);
    }
    free(once.at);
}
