/* SPDX-License-Identifier: Apache-2.0
 *
 * libjaxpr: reads the text of Jaxprs (the intermediate programs of JAX, as `print` shows them), judges it, prints it
 * back, and lets you walk through it.
 *
 *     jx_context *context = jx_context_new(NULL);
 *     jx_module *module;
 *     if (jx_read(context, "step.jaxpr", text, size, &module) == JX_OK) {
 *         jx_check(module, NULL);
 *         jx_render(context, &module, 1, NULL, write_to_stdout, NULL);
 *     }
 *     jx_context_free(context);
 *
 * Everything a context made lives until jx_module_free or jx_context_free. The library never prints, exits, reads the
 * environment or keeps globals; contexts are independent, so each thread may use one of its own. Strings handed out
 * are runs of bytes without a NUL behind them and live as long as their module.
 *
 * A call that can fail answers an enum jx_status: JX_OK, or why there is no answer. What is wrong with a text is no
 * failure but a diagnostic of its module. Functions of the caller's get the `user` that was passed with them. Texts
 * passed in (names, words of options) end with a NUL unless their size is asked for, and need not outlive the call. */
#ifndef JAXPR_H
#define JAXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* the version of this header; jx_version is that of the library that runs */
#define JX_VERSION_MAJOR 0
#define JX_VERSION_MINOR 2
#define JX_VERSION_PATCH 0
#define JX_VERSION_NUMBER (JX_VERSION_MAJOR * 10000 + JX_VERSION_MINOR * 100 + JX_VERSION_PATCH)

#if defined(__GNUC__)
#define JX_API __attribute__((visibility("default")))
#define JX_CHECKED __attribute__((warn_unused_result))
#else
#define JX_API
#define JX_CHECKED
#endif

/* "no such id", and the end of every chain of ids */
#define JX_NONE UINT32_MAX

typedef struct jx_context jx_context;
typedef struct jx_module jx_module;         /* programs that were read */
typedef struct jx_config jx_config;         /* a configuration, jaxpr.yaml(5) */
typedef struct jx_signatures jx_signatures; /* signatures that were read */

enum jx_status {
    JX_OK,
    JX_OUT_OF_MEMORY, /* the module concerned can only be freed from now on */
    JX_READ_FAILED,   /* the caller's jx_read_fn returned less than 0 */
    JX_WRITE_FAILED,  /* the caller's jx_write_fn returned non-zero */
    JX_MISUSE,        /* the caller's mistake, see jx_misuse_text; nothing was done, nothing changed */
    JX_UNSUPPORTED,   /* built without what this needs: libyaml for configurations, yajl for notebooks */
};

/* A run of bytes; at is not NULL even when n is 0. */
struct jx_string {
    const char *at;
    size_t n;
};

/* Puts at most `room` bytes of input at `into`; how many, 0 at the end, less than 0 on failure. */
typedef ptrdiff_t (*jx_read_fn)(void *user, char *into, size_t room);

/* Takes n bytes of output; 0 on success, anything else stops the output. */
typedef int (*jx_write_fn)(void *user, const char *bytes, size_t n);

/* The version of the library that runs, `0.2.0`, and as JX_VERSION_NUMBER. */
JX_API const char *jx_version(void);
JX_API uint32_t jx_version_number(void);

/* A word about a status, in English; static. */
JX_API const char *jx_status_text(enum jx_status status);

/* What was wrong with the last call on this context, or on a module of it, that returned JX_MISUSE: a sentence, static;
 * empty where there was none. Calls with a NULL handle belong to no context: NULL returns the sentence about them. */
JX_API const char *jx_misuse_text(const jx_context *context);

/* ---- context and modules ---- */

/* What allocates: like realloc, and size 0 frees; NULL when there is no memory. */
struct jx_allocator {
    void *(*resize)(void *user, void *old, size_t size);
    void *user;
};

/* Makes a context over an allocator of the caller's (NULL: libc); NULL when there is no memory. */
JX_API jx_context *jx_context_new(const struct jx_allocator *allocator);

/* How a context reads its texts; of the form of the options below. */
struct jx_parse_options {
    size_t size;
    bool no_fast_path; /* for tests: use the general code where a faster path must give the same result */
    bool force;        /* format, rewrite and compare programs with S023: values that the repair of the text may have
                        * damaged */
};

/* Sets the options of all later reads of a context. */
JX_API JX_CHECKED enum jx_status jx_set_parse_options(jx_context *context, const struct jx_parse_options *options);

/* Frees the context and every module read with it; NULL is fine. */
JX_API void jx_context_free(jx_context *context);

/* Reads every program in n bytes of text into a new module; the bytes are copied. `name` is what diagnostics call the
 * text. Syntax errors do not fail the call: they become diagnostics, and what could be read is in the module; so does
 * a text of 2 GiB or more, of which nothing is read. *module is NULL unless the answer is JX_OK. */
JX_API JX_CHECKED enum jx_status jx_read(jx_context *context, const char *name, const char *bytes, size_t n,
                                         jx_module **module);

/* Like jx_read, but fetches the text itself, which saves a copy of it. `expected` is about how many bytes there will
 * be, 0 when that is not known. */
JX_API JX_CHECKED enum jx_status jx_read_from(jx_context *context, const char *name, jx_read_fn read, void *user,
                                              size_t expected, jx_module **module);

/* Like jx_read_from, but the text holds signatures, `((i64[],False),(f64[DBIdx(0)],True))`, one after another, with or
 * without `in_type` or `out_type` before each. */
JX_API JX_CHECKED enum jx_status jx_read_signatures(jx_context *context, const char *name, jx_read_fn read, void *user,
                                                    size_t expected, jx_signatures **signatures);

/* Like jx_read_from, but the text is a configuration, jaxpr.yaml(5). It must outlive the modules that are checked
 * against it, for their diagnostics point into it; meanwhile any number of threads may use it, except by the calls that
 * say otherwise. */
JX_API JX_CHECKED enum jx_status jx_read_config(jx_context *context, const char *name, jx_read_fn read, void *user,
                                                size_t expected, jx_config **config);

/* A module without programs that holds the text of a configuration or of signatures, for its diagnostics and for
 * reports. It belongs to its owner: jx_module_free leaves it alone. */
JX_API jx_module *jx_config_module(jx_config *config);
JX_API jx_module *jx_signatures_module(jx_signatures *signatures);

/* Frees a configuration or signatures before their context; NULL is fine. */
JX_API void jx_config_free(jx_config *config);
JX_API void jx_signatures_free(jx_signatures *signatures);

/* Frees one module before its context; NULL is fine. */
JX_API void jx_module_free(jx_module *module);

/* ---- options: structs begin with their own size, zero is the default of every field, NULL means all defaults. A size
 * of 0, an enumerator that does not exist and fields that this library does not know are JX_MISUSE ---- */

/* Who printed a program decides what the text leaves open about dynamic shapes. */
enum jx_dialect {
    JX_DIALECT_AUTO,
    JX_DIALECT_JAX,
    JX_DIALECT_CATALYST,
    JX_DIALECT_CATALYST_G1,
    JX_DIALECT_CATALYST_G0,
    JX_DIALECT_PENNYLANE,
};

/* What `n` is in `f32[n]`: a variable of the program, or a symbol of jax.export. */
enum jx_dims { JX_DIMS_AUTO, JX_DIMS_VARIABLES, JX_DIMS_SYMBOLIC };

struct jx_check_options {
    size_t size;
    bool strict; /* an equation that cannot be verified, such as one of an unknown primitive, is an error */
    bool as_jax; /* what JAX accepts is at most a warning */
    enum jx_dialect dialect;
    enum jx_dims dims;
    bool explain; /* a note says what JX_DIALECT_AUTO and JX_DIMS_AUTO took a program for */
};

struct jx_format_options {
    size_t size;
    uint32_t width;      /* columns; 0: 80, as JAX */
    bool strip_comments; /* leave out ` # file.py:3:6 (f)` */
    uint32_t only;       /* the one program to write, counted from 1; 0: all */
};

struct jx_signature_options {
    size_t size;
    enum jx_dims dims;
    enum jx_dialect dialect;
    /* number results as JAX 10000 * major + 100 * minor + patch does; 0: the first of a result's places */
    uint32_t jax;
    bool nested; /* the programs inside programs, too */
    /* positions such as `0,2` of the arguments and results that the user's program mentions; the others are implicit.
     * NULL: told by the types. Of the programs themselves only, not of those inside */
    const char *inputs, *outputs;
    bool json; /* objects with a comma and a newline between them, instead of lines */
    /* expand arguments and results as Catalyst does: for, for-resizing, while, while-resizing, cond, or words of
     * unshare, inputs, index, ready with commas between; NULL: not. dialect tells the generation */
    const char *expand;
    /* `(f32[8]) -> f32[8]` where every size is a number, instead of in_type and out_type */
    bool arrow;
};

/* What to write in the place of signatures that were read; the operands are words such as `a:f64[n]`. */
struct jx_read_signature_options {
    size_t size;
    bool binders;         /* the binders each in_type stands for */
    const char *results;  /* the results that each out_type gives an equation with these operands, or NULL */
    const char *implicit; /* the arguments of each in_type, implicit ones in front, for these explicit ones, or NULL */
    bool json;            /* objects with a comma and a newline between them, instead of lines */
    bool arrow;           /* `(f32[8]) -> f32[8]` where it was read, instead of in_type and out_type */
};

/* The forms of findings; jaxpr(1) tells what each is for. */
enum jx_render_format {
    JX_RENDER_TEXT,
    JX_RENDER_GCC,
    JX_RENDER_JSON,
    JX_RENDER_SARIF,
    JX_RENDER_GITHUB,
    JX_RENDER_GITLAB,
    JX_RENDER_JUNIT,
    JX_RENDER_JSONL,
};

struct jx_render_options {
    size_t size;
    enum jx_render_format format;
    bool color;            /* JX_RENDER_TEXT only */
    uint32_t max_findings; /* 0: all */
    bool rules_fail;       /* JX_RENDER_JUNIT: what jx_lint finds fails a test, of whatever level; else errors alone */
    /* JX_RENDER_TEXT: of a rule with more findings than this in a module the first three are written, and a line with
     * the number of the others; 0: all are written */
    uint32_t fold;
};

/* ---- the verbs ---- */

/* Checks scopes and types, and adds what it finds to the module's diagnostics. A later call with the same options does
 * nothing; one with other options is JX_MISUSE. */
JX_API JX_CHECKED enum jx_status jx_check(jx_module *module, const struct jx_check_options *options);

/* Writes every program as JAX would have laid it out, each with a newline behind it. A program with syntax errors is
 * written as it stood. */
JX_API JX_CHECKED enum jx_status jx_format(jx_module *module, const struct jx_format_options *options,
                                           jx_write_fn write, void *user);

/* Writes each program as a JSON object on a line of its own (jaxpr-json(5)), with `,` and a newline between two of
 * them, and before the first unless `first` is set: brackets around the output of any number of modules make an array.
 * *first is cleared when something was written. */
JX_API JX_CHECKED enum jx_status jx_write_json(jx_module *module, bool *first, jx_write_fn write, void *user);

/* Writes the in_type and out_type of each program that has valid ones; what is wrong with the others is among the
 * module's diagnostics. `name` is what to call the text; `first` is as for jx_write_json. */
JX_API JX_CHECKED enum jx_status jx_write_signatures(jx_module *module, const struct jx_signature_options *options,
                                                     const char *name, bool *first, jx_write_fn write, void *user);

/* The same for signatures that were read, whose diagnostics are those of jx_signatures_module. */
JX_API JX_CHECKED enum jx_status jx_write_read_signatures(jx_signatures *signatures,
                                                          const struct jx_read_signature_options *options,
                                                          const char *name, bool *first, jx_write_fn write, void *user);

/* Writes n bytes as one JSON string, quotes and all; what is not UTF-8 becomes U+FFFD. */
JX_API JX_CHECKED enum jx_status jx_write_json_string(const char *bytes, size_t n, jx_write_fn write, void *user);

/* Writes n bytes of any text so that they are safe to show: characters that act on a terminal, hide or reorder what is
 * around them, and what is not UTF-8, become `\x1b` or `\u{202e}`. With `lines`, line ends and tabs stay. */
JX_API enum jx_status jx_write_visible(const char *bytes, size_t n, bool lines, jx_write_fn write, void *user);

/* Writes n bytes of programs in the colours of a terminal, and what would act on it made visible. */
JX_API JX_CHECKED enum jx_status jx_write_colored(const char *bytes, size_t n, jx_write_fn write, void *user);

/* A word of a line of programs, or a run of blanks. */
struct jx_word {
    struct jx_string text;
    const char *kind;  /* `keyword`, `primitive`, as the classes of jx_write_colored are called; empty for blanks */
    const char *token; /* the same for the Language Server Protocol; empty for blanks */
};

/* Takes the next word of a line, which begins at byte *at, and moves *at behind it; false at the end. Whether the line
 * can be parsed does not matter. */
JX_API bool jx_word_next(struct jx_string line, size_t *at, struct jx_word *word, size_t size);

/* What a program amounts to. Nested programs count, a shared one as often as it is referred to; numbers that do not
 * fit stop at UINT64_MAX. */
struct jx_stats {
    uint64_t equations;
    uint32_t primitives;     /* how many different ones; see jx_stats_primitive */
    uint32_t depth;          /* 1: nothing nested */
    uint64_t constants;      /* constvars, those of a shared program once */
    uint64_t constant_bytes; /* of those whose size is known */
};

/* Counts one program of the stream; all zero past the last. */
JX_API JX_CHECKED enum jx_status jx_stats(jx_module *module, uint32_t program, struct jx_stats *stats, size_t size);

/* The name of the i-th primitive of a program, and its count; most frequent first, then by name. Empty and 0 past the
 * last. The program is counted again where another one was asked about in between. */
JX_API struct jx_string jx_stats_primitive(jx_module *module, uint32_t program, uint32_t i, uint64_t *count);

/* What jx_normalize does to a program; several run in the order of this list. */
enum jx_pass {
    JX_PASS_REPAIR = 1 << 0,           /* wrong sizes, such as de Bruijn references that leaked, are corrected */
    JX_PASS_CAPTURES = 1 << 1,         /* what nested programs mention of outer ones is passed to them */
    JX_PASS_PAD_BRANCHES = 1 << 2,     /* every branch takes the constants of all branches */
    JX_PASS_ANNOTATE = 1 << 3,         /* binders that print no type get the one that can be worked out */
    JX_PASS_COLLAPSE = 1 << 4,         /* implicit arguments and results go; sizes stand in the shapes alone */
    JX_PASS_EXPAND = 1 << 5,           /* sizes that nobody binds become implicit arguments and results */
    JX_PASS_LIFT = 1 << 6,             /* constants of nested programs become constants of the outermost one */
    JX_PASS_NESTED_CONSTANTS = 1 << 7, /* constants of nested programs that are passed to them become arguments */
    JX_PASS_CONSTANTS = 1 << 8,        /* constants of the outermost program become its first arguments */
    JX_PASS_ARGS_TO_CONSTS = 1 << 9,   /* the first arguments become constants */
    JX_PASS_INLINE = 1 << 10,          /* calls become the equations of the programs they call */
    JX_PASS_DCE = 1 << 11,             /* what nobody needs goes, as in JAX's own dead code elimination */
    JX_PASS_SPELL = 1 << 12,           /* spelled as the JAX of the options' version would */
};

/* The pass of a name (`constants`, `dce`), or 0. */
JX_API unsigned jx_pass_find(const char *name, size_t n);

/* The name of the i-th pass, NULL past the last; it lives for ever. */
JX_API const char *jx_pass_at(uint32_t i);

/* Which nested programs of a canonical form stand in front: those held twice, none, or all that a name can stand
 * for. */
enum jx_share { JX_SHARE_AUTO, JX_SHARE_NEVER, JX_SHARE_ALWAYS };

struct jx_normal_options {
    size_t size;
    unsigned passes;     /* enum jx_pass, joined by |; 0: all that the canonical form takes */
    uint32_t count;      /* of JX_PASS_ARGS_TO_CONSTS: how many arguments */
    uint32_t jax;        /* print as this JAX would, 428 for 0.4.28; 0: as the one that printed the text */
    enum jx_share share; /* of the canonical form: which nested programs stand in front as `let` */
    bool splice; /* with passes: the whole text again, programs that passes change in the place of what they were */
    uint32_t *changed;   /* receives how many programs passes changed; NULL: nobody asks */
    uint64_t max_output; /* equations a program may have where this JAX prints every shared one in full, as often as it
                          * is called; 0: a million, or sixteen times those of the text where that is more */
};

/* Writes every program after passes, as JAX would print it, each with a newline behind it; one with errors of syntax or
 * scope is not written, and its findings are among the module's diagnostics. Passes that go by types (repair, annotate,
 * collapse, expand) leave a program as it was whose errors of type they do not cure; these are among the diagnostics,
 * too. The module is changed by it: only other jx_normalize, which look for no such errors, and diagnostics may follow;
 * other calls are JX_MISUSE, as after the calls below that say so. */
JX_API JX_CHECKED enum jx_status jx_normalize(jx_module *module, const struct jx_normal_options *options,
                                              jx_write_fn write, void *user);

struct jx_compare_options {
    size_t size;
    bool dce;            /* leave equations aside that nobody needs */
    bool commute;        /* leave the order of the operands of commutative primitives aside */
    const char *without; /* keys of parameters to leave aside, with commas between; NULL: none */
    bool functions;      /* prepare jx_function_at */
};

/* Works out the identity of every program of the module: equal programs have equal digests, whatever their names,
 * layout, sharing, order of independent equations, and the version of JAX that printed them. Programs with errors of
 * syntax have none; an unbound variable is its name. Findings are among the module's diagnostics. The module is
 * changed: only other jx_digests and diagnostics may follow. */
JX_API JX_CHECKED enum jx_status jx_digests(jx_module *module, const struct jx_compare_options *options);

/* The digest of a program of the stream after jx_digests, `jx2:` and 64 hexadecimal digits (jx2 is the version of the
 * canonical form); empty where there is none. */
JX_API struct jx_string jx_digest_at(const jx_module *module, uint32_t program);

/* A program of the text, or one that an equation holds, as often as it is written down. */
struct jx_function {
    struct jx_string name; /* of its `let`, or the `name` of the equation that holds it; may be empty */
    struct jx_string digest;
    uint32_t program, line; /* where it is written */
    uint64_t equations;     /* those of programs inside included, shared ones as often as they are held */
    bool whole;             /* a program of the stream itself */
};

/* The i-th of all programs, outer before inner, after jx_digests with `functions`; false past the last. */
JX_API bool jx_function_at(jx_module *module, uint32_t i, struct jx_function *answer, size_t size);

enum jx_diff_form {
    JX_DIFF_TEXT,
    JX_DIFF_JSON,    /* {"changed": N, "added": N, "removed": N, "moved": N, .., "hunks": [..]}; see jaxpr-diff(1) */
    JX_DIFF_STAT,    /* the counts alone */
    JX_DIFF_SUMMARY, /* the counts, and how many equations of which source line or function differ */
};

struct jx_diff_options {
    size_t size;
    enum jx_diff_form format;
    bool color;          /* JX_DIFF_TEXT only */
    bool first;          /* stop behind the first difference */
    bool signature;      /* compare arguments and results alone */
    uint32_t columns;    /* JX_DIFF_TEXT: both sides beside each other in this many columns; 0: one below the other */
    uint32_t context;    /* equations to show around a difference, plus one; 0: three */
    const char *without; /* as in jx_compare_options */
    bool dce, commute;   /* the same; with dce, places of JSON count the equations that are left */
    bool all;            /* JX_DIFF_TEXT: print what is like something before it, and each equation of a moved block */
    unsigned passes;     /* of enum jx_pass, done on both modules before they are compared */
};

/* How many equations changed, are only in the second module, only in the first, or stand elsewhere; how many arguments
 * and results differ; how many programs only one module has, or has out of line; how many have a partner that is not
 * equal. */
struct jx_diff_counts {
    uint64_t changed, added, removed, moved, signature, programs, unequal;
};

/* Writes what changed from the programs of one module to those of another, in the names of the first. Programs are
 * compared with equal ones, else with those of their name, else with those that stand between the same others. Programs
 * that are equal have no differences; programs with errors of syntax are left out. Both modules change by it: only
 * freeing and diagnostics may follow. They must be of one thread. */
JX_API JX_CHECKED enum jx_status jx_diff(jx_module *a, jx_module *b, const struct jx_diff_options *options,
                                         struct jx_diff_counts *counts, jx_write_fn write, void *user, size_t size);

/* ---- diagnostics ---- */

enum jx_level { JX_NOTE, JX_WARNING, JX_ERROR };

/* A code of a diagnostic, such as S012 unbound-variable; strings are static. */
struct jx_code {
    const char *code, *name;
    enum jx_level level;
    const char *title;   /* the fact in a few words */
    const char *explain; /* a page: why, a failing example, its cure */
};

/* The i-th code there is, false past the last. */
JX_API bool jx_code_at(uint32_t i, struct jx_code *code);

/* The code written `S012` or `unbound-variable`; false when there is none. */
JX_API bool jx_code_find(const char *code_or_name, struct jx_code *code);

/* The one of n words that somebody may have meant who wrote `word`, for `did you mean`; NULL when none is near. */
JX_API const char *jx_nearest(const char *word, const char *const *words, size_t n);

/* A stretch of the text: 1-based lines, 1-based columns in code points, the end exclusive. line is 0 for no place. */
struct jx_place {
    uint32_t line, column, end_line, end_column;
};

struct jx_diagnostic {
    struct jx_code code;
    enum jx_level level;
    struct jx_string message;
    struct jx_place place;
    uint32_t program; /* which program of the stream; JX_NONE for the text as a whole */
    uint32_t notes;   /* how many jx_diagnostic_note has */
};

/* How many diagnostics of at least this level the module has so far. */
JX_API uint32_t jx_diagnostic_count(const jx_module *module, enum jx_level least);

/* How many equations jx_check could not verify: their result types were taken as printed. */
JX_API uint32_t jx_unverified_count(const jx_module *module);

/* The name of the i-th primitive of such equations, in the order of the text; empty past the ninth. */
JX_API struct jx_string jx_unverified_primitive(const jx_module *module, uint32_t i);

/* The i-th diagnostic, in the order of the text; false past the last. */
JX_API bool jx_diagnostic_at(jx_module *module, uint32_t i, struct jx_diagnostic *diagnostic, size_t size);

/* The k-th note of the i-th diagnostic; false past the last. */
JX_API bool jx_diagnostic_note(jx_module *module, uint32_t i, uint32_t k, struct jx_string *message,
                               struct jx_place *place);

/* The name of the text that the place of this note is in, where that is not the text of the diagnostic; else empty. */
JX_API struct jx_string jx_diagnostic_note_file(const jx_module *module, uint32_t i, uint32_t k);

/* Writes the diagnostics of n modules as one document. context pays for the memory needed meanwhile. */
JX_API JX_CHECKED enum jx_status jx_render(jx_context *context, jx_module *const *modules, size_t n,
                                           const struct jx_render_options *options, jx_write_fn write, void *user);

/* A document of diagnostics to which modules are added one after another. */
typedef struct jx_report jx_report;

/* Begins a document, which lives until jx_report_end, or until the context is freed. */
JX_API JX_CHECKED enum jx_status jx_report_begin(jx_context *context, const struct jx_render_options *options,
                                                 jx_write_fn write, void *user, jx_report **report);

/* Writes the diagnostics of a module, of any context of this thread's; the module may be freed afterwards. */
JX_API JX_CHECKED enum jx_status jx_report_add(jx_report *report, jx_module *module);

/* Closes the document and frees the report, whatever the answer. */
JX_API JX_CHECKED enum jx_status jx_report_end(jx_report *report);

/* Functions that fill a structure take its size last, so that structures may grow; these pass it for callers in C and
 * C++. struct jx_string, jx_place, jx_code and jx_found never grow. */
#define jx_word_next(line, at, word) jx_word_next(line, at, word, sizeof *(word))
#define jx_stats(module, program, stats) jx_stats(module, program, stats, sizeof *(stats))
#define jx_function_at(module, i, answer) jx_function_at(module, i, answer, sizeof *(answer))
#define jx_diff(a, b, options, counts, write, user) jx_diff(a, b, options, counts, write, user, sizeof *(counts))
#define jx_diagnostic_at(module, i, diagnostic) jx_diagnostic_at(module, i, diagnostic, sizeof *(diagnostic))

#ifdef __cplusplus
}
#endif

#include "jaxpr_tools.h" /* lint, contracts, costs, graphs, programs in logs, pages */
#include "jaxpr_walk.h"  /* programs, equations, types and values one by one */
#endif
