/* SPDX-License-Identifier: Apache-2.0
 *
 * The tools of libjaxpr on top of jaxpr.h: lint rules, contracts, costs, graphs, programs in other text, and HTML
 * pages. jaxpr.h includes this header and describes calls in general. */
#ifndef JAXPR_TOOLS_H
#define JAXPR_TOOLS_H

#include "jaxpr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- lint ---- */

struct jx_lint_options {
    size_t size;
    /* Rules by code (N201), the beginning of one (N), name (has-f64), PEDANTIC (those that do not run by default) or
     * ALL, separated by commas: those to run instead of the default ones, those to run in addition, and those not to
     * run. If two words match a rule, the more specific one counts. */
    const char *select, *extend_select, *ignore;
    const char *set;      /* settings of rules, `P303.bytes=1G,P303.shape=[n,n]` */
    const char *baseline; /* lines of jx_write_baseline, whose findings are not reported; NULL: none */
    size_t baseline_size;
    const char *path;  /* what the baseline calls the text; NULL: its name */
    bool keys;         /* prepare jx_write_baseline */
    bool fixes;        /* prepare jx_write_fixed */
    bool extracted;    /* the text was found in other text: hints do not suggest repairs */
    const char *why;   /* prepare jx_lint_step_at for a finding, `N201@12`: code or name, and line; its rule runs */
    const char *only;  /* report and fix only the findings at one place, `N201@12:5`: code or name, line and column */
    jx_config *config; /* of jx_read_config; `select`, `ignore` and so on take precedence; NULL: none */
    const char *config_path; /* the file, relative to the directory of the configuration; NULL: the module's name */
};

/* What jx_lint returns in addition to diagnostics. */
typedef struct jx_lint_result jx_lint_result;

/* Runs the rules, and adds what they find to the module's diagnostics; programs with errors of syntax or scope are
 * skipped, and types are not checked. Words of the options that name nothing are ignored. A module is linted once: a
 * second call is JX_MISUSE. Free *result with jx_lint_free; it is NULL unless JX_OK is returned. `result` may be NULL
 * if only diagnostics are needed. */
JX_API JX_CHECKED enum jx_status jx_lint(jx_module *module, const struct jx_lint_options *options,
                                         jx_lint_result **result);

/* Frees what jx_lint made, before or after its module; NULL is allowed. Diagnostics stay. */
JX_API void jx_lint_free(jx_lint_result *result);

/* False if a rule or setting in the options is unknown, or a value or the baseline is invalid: `message` then describes
 * the first, cut to `room` bytes, its NUL included. */
JX_API bool jx_lint_validate(const struct jx_lint_options *options, char *message, size_t room);

/* What jx_lint found: how many findings, how many changes of the text fix some of them (0 without `fixes`), and how
 * many findings comments or the baseline suppressed. */
JX_API uint32_t jx_lint_findings(const jx_lint_result *result);
JX_API uint32_t jx_lint_fixes(const jx_lint_result *result);
JX_API uint32_t jx_lint_suppressed(const jx_lint_result *result);

/* A step from the finding in the option `why` back to one of its causes. */
struct jx_step {
    uint32_t path; /* the number of its cause, from 1; the nearest cause is first */
    struct jx_string message;
    struct jx_place place;
};

/* The i-th step, paths one after another, each from the finding on; false past the last. */
JX_API bool jx_lint_step_at(const jx_lint_result *result, uint32_t i, struct jx_step *step, size_t size);

/* How many causes the finding has, including those whose paths are not printed; JX_NONE if there is no such finding. */
JX_API uint32_t jx_lint_causes(const jx_lint_result *result);

/* Writes the text with every finding fixed that has a fix; needs the option `fixes`. A fix never changes what a program
 * computes. It may enable others: read the text again and lint it until there are none. */
JX_API JX_CHECKED enum jx_status jx_write_fixed(const jx_lint_result *result, jx_write_fn write, void *user);

/* Writes a line `CODE KEY PATH` for each finding that jx_lint reported with `keys`. Keys survive the renaming of
 * variables and changes of other equations. */
JX_API JX_CHECKED enum jx_status jx_write_baseline(const jx_lint_result *result, jx_write_fn write, void *user);

/* A rule of jx_lint; strings are static. */
struct jx_rule {
    struct jx_code code;
    const char *group; /* `numerics` */
    bool standard;     /* runs by default */
    bool fixable;      /* some of its findings have a fix */
};

/* A setting of a rule; strings are static. */
struct jx_setting {
    const char *code, *key, *value, *help; /* value: the default; empty: none */
};

/* The i-th rule or setting; false past the last. */
JX_API bool jx_rule_at(uint32_t i, struct jx_rule *rule, size_t size);
JX_API bool jx_setting_at(uint32_t i, struct jx_setting *setting, size_t size);

/* ---- contracts ---- */

/* Checks every program against the contracts of a configuration that apply to `path` (relative to the directory of the
 * configuration, `/` between its parts), and adds violations to the module's diagnostics (K801 to K809), whose notes
 * refer to the configuration. */
JX_API JX_CHECKED enum jx_status jx_contract_check(jx_module *module, jx_config *config, const char *path);

/* Adds a warning (K812) to the module's diagnostics if no contract of the configuration applies to `path`, so that
 * jx_contract_check would check nothing. */
JX_API JX_CHECKED enum jx_status jx_contract_cover(jx_module *module, jx_config *config, const char *path);

/* Adds an error (K810) to the diagnostics of a configuration for each contract that applied to a checked file, but to
 * no program in it. Call it once, when no other thread uses the configuration. */
JX_API JX_CHECKED enum jx_status jx_contract_report_unused(jx_config *config);

/* The current values of what contracts record about programs. */
typedef struct jx_refresh jx_refresh;

/* Begins to collect them; no other thread may use the configuration until jx_refresh_free. *refresh is NULL unless
 * JX_OK is returned. */
JX_API JX_CHECKED enum jx_status jx_refresh_begin(jx_config *config, jx_refresh **refresh);

/* Like jx_contract_check, but what a contract records (exact counts, the signature, the digest) is collected, not
 * checked. Call it once for each file of the configuration. */
JX_API JX_CHECKED enum jx_status jx_refresh_add(jx_refresh *refresh, jx_module *module, const char *path);

/* Frees what jx_refresh_begin made, before or after its configuration; NULL is allowed. Texts of changes live as long
 * as the configuration. */
JX_API void jx_refresh_free(jx_refresh *refresh);

/* A recorded value that programs no longer have. */
struct jx_contract_change {
    struct jx_place place;
    struct jx_string key; /* `hash`, `in_type`, or what is counted */
    struct jx_string was, now;
    struct jx_string other; /* the value of another program; if not empty, nothing is written */
};

/* The i-th record to be changed, in the order of the text; false past the last. */
JX_API bool jx_refresh_change_at(jx_refresh *refresh, uint32_t i, struct jx_contract_change *change, size_t size);

/* Writes the text of a configuration with its records changed; every other byte stays. */
JX_API JX_CHECKED enum jx_status jx_refresh_write(jx_refresh *refresh, jx_write_fn write, void *user);

/* Writes, for each program of a module, a contract that it fulfils now, as an item of the list `contracts:`. That key
 * is written before the first item if *first is set, which is cleared when something was written. `path` becomes the
 * value of `files`. With `counts` the contract records the number of equations of each primitive, and the digest. */
JX_API JX_CHECKED enum jx_status jx_contract_write(jx_module *module, const char *path, bool counts, bool *first,
                                                   jx_write_fn write, void *user);

/* ---- costs ---- */

/* A number, `4096`, or a polynomial such as `2*n^2*while@12 + 5`, whose symbols are unknown sizes and the iteration
 * count of the loop on a line. */
struct jx_amount {
    struct jx_string text;
    double value; /* NaN if the text is not a plain number */
};

/* Writes a number for people: whole numbers below 10,000 exactly, else three digits and an SI prefix: `24.1 M`. Returns
 * its length; what exceeds `room` with its NUL is cut. JX_AMOUNT_SHORT bytes are enough. */
enum { JX_AMOUNT_SHORT = 32 };
JX_API uint32_t jx_amount_short(double value, char *into, uint32_t room);

/* The cost of running something: elementary operations (transcendental ones separately) and bytes moved, in all runs
 * together, or in one run of a program. jaxpr-stats(1) describes how each primitive counts. */
struct jx_cost {
    struct jx_string name;  /* of a row: primitive, shape or source; of a program: its `let` or `name`. May be empty */
    struct jx_amount times; /* how often it runs */
    struct jx_amount flops, transcendentals, read, written;
    uint32_t unknown; /* equations whose operations or sizes are not known, and count as nothing */
};

/* What a program costs. */
struct jx_costs {
    struct jx_cost total;
    struct jx_amount peak;   /* most bytes live at one time, arguments included */
    struct jx_place peak_at; /* the first equation with this peak; line 0: at the binders */
    uint32_t rows, programs; /* how many jx_cost_row and jx_cost_program have */
    uint32_t dead;           /* equations that no result depends on; counted unless JX_COST_LIVE is set */
};

/* A nested program, or (the first) the program itself; cost is that of one run. */
struct jx_cost_program {
    struct jx_cost cost;
    struct jx_string primitive; /* of the equation that runs it */
    uint32_t jaxpr;             /* for jx_jaxpr_at */
    struct jx_place place, peak_at;
    struct jx_amount peak;
    bool idle;    /* a branch that is not counted, because another is more expensive */
    bool applied; /* run element by element, such as the program of a reduction: moves no bytes of its own */
};

enum jx_cost_by {
    JX_COST_BY_PRIMITIVE,
    JX_COST_BY_SHAPE,
    JX_COST_BY_SOURCE,
    JX_COST_LIVE = 1 << 8, /* with one of them: leave out equations that no result depends on */
};

/* The costs of a program, with a row for each primitive, shape or source line. */
typedef struct jx_program_costs jx_program_costs;

/* Computes the cost of a program of the text; calls jx_check with default options if the module was not checked. For a
 * program with errors, the cost is that of the parsed part; past the last, all is zero. Free *costs with jx_cost_free;
 * it is NULL unless JX_OK is returned. */
JX_API JX_CHECKED enum jx_status jx_cost(jx_module *module, uint32_t program, enum jx_cost_by by,
                                         jx_program_costs **costs);

/* Frees what jx_cost made, before or after its module; NULL is allowed. Texts of amounts and names live as long as the
 * module. */
JX_API void jx_cost_free(jx_program_costs *costs);

/* The costs of the whole program; false if memory runs out, and for NULL. */
JX_API bool jx_cost_total(jx_program_costs *costs, struct jx_costs *total, size_t size);

/* The i-th row, most expensive first; false past the last. */
JX_API bool jx_cost_row(jx_program_costs *costs, uint32_t i, struct jx_cost *row, size_t size);

/* The i-th program whose cost was computed: the outermost one first, and each before those nested in it; false past the
 * last. */
JX_API bool jx_cost_program(jx_program_costs *costs, uint32_t i, struct jx_cost_program *answer, size_t size);

/* What an equation costs in one run, nested programs included, and the bytes that are live while it runs: arguments of
 * the outermost program, live values of the equation's own program, and the peak of programs nested in it. */
struct jx_equation_cost {
    struct jx_cost cost;
    struct jx_amount live;
    bool known; /* false: the program does not run the equation, or has no such equation */
};

/* Computes what an equation of a program of the text, or of one nested in it, costs; otherwise like jx_cost. The first
 * call for a program takes as long as jx_cost; the module keeps the costs of all its equations until a call for another
 * program. */
JX_API JX_CHECKED enum jx_status jx_equation_cost(jx_module *module, uint32_t program, uint32_t equation,
                                                  struct jx_equation_cost *answer, size_t size);

/* ---- primitives ---- */

/* A primitive whose rules are known; strings are static. */
struct jx_primitive {
    const char *name;                       /* as the newest JAX prints it */
    const char *meaning;                    /* its result in a few words, for people; may be empty */
    uint32_t least_operands, most_operands; /* JX_NONE: any number */
};

/* The primitive of a name of n bytes, of any version; false if there is none. */
JX_API bool jx_primitive_find(const char *name, size_t n, struct jx_primitive *answer, size_t size);

/* What a parameter of a primitive (of any name of it) means, in a few words for people; static, may be empty. */
JX_API const char *jx_parameter_meaning(const char *primitive, const char *key, size_t n);

/* ---- graphs ---- */

struct jx_graph_options {
    size_t size;
    uint32_t depth;    /* how many levels of nested programs to draw; 0: all */
    const char *focus; /* draw what is near variables of this name only; NULL: everything */
    uint32_t radius;   /* with focus: at most this many arrows away; 0: 2 */
    jx_module *other;  /* mark differences from its programs, compared in order; NULL: none */
    uint32_t nodes;    /* fold larger programs to about this many nodes, unless focus is set; 0: do not fold */
};

/* Writes a graph of each program for Graphviz: a `digraph` whose nodes are equations, arguments and results, whose
 * arrows are uses of variables, and whose clusters are nested programs; with a focus, only of programs that bind it,
 * and *found becomes whether one does. Folded equations are one node: those of one scope, function or line, or
 * consecutive ones. Both modules must belong to one thread. */
JX_API JX_CHECKED enum jx_status jx_write_graph(jx_module *module, const struct jx_graph_options *options, bool *found,
                                                jx_write_fn write, void *user);

/* ---- programs in other text ---- */

/* A search for programs in a log, a notebook or a source file. */
typedef struct jx_extract jx_extract;

/* A program that was found, or what looks like one. */
struct jx_found {
    struct jx_string text; /* its own text, as it was printed: without prefixes of lines, colours and escapes */
    uint64_t offset;       /* of its first byte in the file, from 0 */
    struct jx_place place; /* from its first to its last character */
};

/* Begins a search of a text that `read` supplies; `name` is its name in diagnostics. The strings of a Jupyter notebook
 * are searched one after another. The search lives until jx_extract_end, or until the context is freed. */
JX_API JX_CHECKED enum jx_status jx_extract_begin(jx_context *context, const char *name, jx_read_fn read, void *user,
                                                  jx_extract **extract);

/* Finds the next program and reads it into a module of its own, whose places are those of the file; *module is NULL at
 * the end. What cannot be read as a program has syntax errors in its diagnostics. Memory does not grow with the
 * text. */
JX_API JX_CHECKED enum jx_status jx_extract_next(jx_extract *extract, jx_module **module, struct jx_found *found);

/* Frees what jx_extract_begin made; the modules remain valid. NULL is allowed. */
JX_API void jx_extract_end(jx_extract *extract);

/* ---- texts that are edited ---- */

/* A text that is edited and read again, as in an editor. */
typedef struct jx_document jx_document;

/* Begins a document with a copy of n bytes; it lives until jx_document_free, or until the context is freed. */
JX_API JX_CHECKED enum jx_status jx_document_new(jx_context *context, const char *name, const char *bytes, size_t n,
                                                 jx_document **document);

/* Replaces the bytes from `from` up to `to` (exclusive) by n bytes. JX_MISUSE if these are not in the text; the text is
 * then unchanged, as it is if memory runs out. Linear in the text after `from`. */
JX_API JX_CHECKED enum jx_status jx_edit(jx_document *document, size_t from, size_t to, const char *bytes, size_t n);

/* The current text; valid until the next edit. */
JX_API struct jx_string jx_document_text(const jx_document *document);

/* A module of the current text: the same one until the next edit, which frees it. Reads the whole text after an edit;
 * reads it again, and frees the old module, if a call on that returned JX_OUT_OF_MEMORY or JX_CANCELLED. Returns what
 * jx_read would. The module belongs to the document. */
JX_API JX_CHECKED enum jx_status jx_document_module(jx_document *document, jx_module **module);

/* A part of a document that is read on its own: some programs of a text that contains only programs, or one program
 * that was found in other text. No version adds fields. */
struct jx_document_part {
    uint64_t id; /* a new one whenever the part is read again */
    jx_module *module;
    uint64_t from, to;     /* in bytes of the document */
    struct jx_place place; /* of its first byte, and of its last one */
};

/* Reads a document in parts, and after edits only the parts that they changed; *n becomes the number of parts. `found`:
 * the document is other text, in which programs are found (jx_extract_begin), else a text of programs (jx_read); a text
 * that is wrapped or lost its indentation is one part. Places are those of the document. Modules of parts that were
 * edited, or on which a call ended early, are freed. */
JX_API JX_CHECKED enum jx_status jx_document_read(jx_document *document, bool found, uint32_t *n);

/* The i-th part; false if there is none. Its module belongs to the document. */
JX_API bool jx_document_part_at(const jx_document *document, uint32_t i, struct jx_document_part *part);

/* Reads the i-th part again, into a module that belongs to the caller; places are those of the document. */
JX_API JX_CHECKED enum jx_status jx_document_part_copy(jx_document *document, uint32_t i, jx_module **module);

/* Writes the bytes that must replace those of the i-th part so that its text (jx_module_text) becomes `text`, with the
 * prefixes and escapes that the document has around its lines: unchanged lines keep every byte. JX_UNSUPPORTED if the
 * document cannot have that text there; *why is the reason, a static sentence. The document does not change. */
JX_API JX_CHECKED enum jx_status jx_document_embed(jx_document *document, uint32_t i, struct jx_string text,
                                                   jx_write_fn write, void *user, const char **why);

/* Frees the modules of all parts, which the next jx_document_read reads again. */
JX_API void jx_document_forget(jx_document *document);

/* Frees the document and its module; NULL is allowed. */
JX_API void jx_document_free(jx_document *document);

/* ---- pages for the browser ---- */

/* Begins a page of HTML, which contains everything it needs and fetches nothing. */
JX_API JX_CHECKED enum jx_status jx_page_begin(const char *title, jx_write_fn write, void *user);

/* Adds the programs of a module: what each is, what was found in it (jx_check is called if that was not done), what it
 * costs and where, and its text beside pictures of it; names link to where they are bound, and nested programs can be
 * folded. `number` distinguishes the modules of a page. */
JX_API JX_CHECKED enum jx_status jx_page_add(jx_module *module, uint32_t number, jx_write_fn write, void *user);

/* The parts that jx_page_add_parts writes, joined by |. */
enum jx_page_part {
    JX_PAGE_FINDINGS = 1 << 0,
    JX_PAGE_COSTS = 1 << 1,
    JX_PAGE_PICTURES = 1 << 2,
    JX_PAGE_LISTING = 1 << 3, /* with the findings beside their equations */
    JX_PAGE_SUMMARY = 1 << 4, /* what the program is, and what costs most */
    JX_PAGE_ALL = (1 << 5) - 1,
};

/* Like jx_page_add, but writes only some parts: the same HTML, for pages that are assembled elsewhere. */
JX_API JX_CHECKED enum jx_status jx_page_add_parts(jx_module *module, uint32_t number, unsigned parts,
                                                   jx_write_fn write, void *user);

/* Like jx_page_add_parts, but also compares the programs, in order, with those of another module: writes what both cost
 * (jx_check is called on `other`, too) and a table of changes by line and scope, and marks what differs in text and
 * pictures. */
JX_API JX_CHECKED enum jx_status jx_page_add_changes(jx_module *module, jx_module *other, uint32_t number,
                                                     unsigned parts, jx_write_fn write, void *user);

/* Ends the page. */
JX_API JX_CHECKED enum jx_status jx_page_end(jx_write_fn write, void *user);

/* ---- two texts by lines ---- */

/* Writes a unified diff of two texts after `header`, such as "--- a\n+++ b\n". If they are equal, nothing is written
 * and *differ is false. Nearly linear: in long ranges that differ, a few equal lines may be reported as different. */
JX_API JX_CHECKED enum jx_status jx_write_line_diff(const char *header, struct jx_string from, struct jx_string to,
                                                    bool *differ, jx_write_fn write, void *user);

#define jx_lint_step_at(result, i, step) jx_lint_step_at(result, i, step, sizeof *(step))
#define jx_rule_at(i, rule) jx_rule_at(i, rule, sizeof *(rule))
#define jx_setting_at(i, setting) jx_setting_at(i, setting, sizeof *(setting))
#define jx_refresh_change_at(refresh, i, change) jx_refresh_change_at(refresh, i, change, sizeof *(change))
#define jx_cost_total(costs, total) jx_cost_total(costs, total, sizeof *(total))
#define jx_cost_row(costs, i, row) jx_cost_row(costs, i, row, sizeof *(row))
#define jx_equation_cost(module, program, equation, answer) \
    jx_equation_cost(module, program, equation, answer, sizeof *(answer))
#define jx_primitive_find(name, n, answer) jx_primitive_find(name, n, answer, sizeof *(answer))
#define jx_cost_program(costs, i, answer) jx_cost_program(costs, i, answer, sizeof *(answer))

#ifdef __cplusplus
}
#endif
#endif
