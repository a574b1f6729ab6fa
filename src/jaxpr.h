/* SPDX-License-Identifier: Apache-2.0
 *
 * libjaxpr: reads the text of Jaxprs (the intermediate programs of JAX, as `print` prints them), checks, rewrites,
 * compares and prints it, and gives access to its programs.
 *
 *     jx_context *context = jx_context_new(NULL);
 *     jx_module *module;
 *     if (jx_read(context, "step.jaxpr", text, size, &module) == JX_OK) {
 *         jx_check(module, NULL);
 *         jx_render(context, &module, 1, NULL, write_to_stdout, NULL);
 *     }
 *     jx_context_free(context);
 *
 * Everything that a context creates is valid until jx_module_free or jx_context_free. The library never prints, exits,
 * reads the environment or keeps global state; contexts are independent, so each thread may use its own. Returned
 * strings are not terminated by a NUL and are valid as long as their module.
 *
 * A call that can fail returns an enum jx_status: JX_OK, or the reason. An error in a text is not a failure but a
 * diagnostic of its module. Callbacks get the `user` that was passed with them. Strings passed in (names, words of
 * options) end with a NUL unless their size is passed, too, and need not outlive the call. */
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

/* Results. Each is returned by one call, read by others, and freed by its own function or with the context; it remains
 * valid when the modules from which it was made are freed. */
typedef struct jx_rewrite jx_rewrite;             /* of jx_normalize */
typedef struct jx_digest_list jx_digest_list;     /* of jx_digests */
typedef struct jx_program_stats jx_program_stats; /* of jx_stats */
typedef struct jx_differences jx_differences;     /* of jx_diff */

enum jx_status {
    JX_OK,
    JX_OUT_OF_MEMORY, /* afterwards the module can only be freed; a document reads its text again */
    JX_READ_FAILED,   /* the caller's jx_read_fn returned less than 0 */
    JX_WRITE_FAILED,  /* the caller's jx_write_fn returned non-zero */
    JX_MISUSE,        /* the call was wrong and had no effect; see jx_misuse_text */
    JX_UNSUPPORTED,   /* not supported, or the library was built without libyaml (configurations) or yajl (notebooks) */
    JX_CANCELLED,     /* the caller's jx_progress_fn cancelled the call; then as for JX_OUT_OF_MEMORY */
};

/* A run of bytes; at is not NULL even when n is 0. */
struct jx_string {
    const char *at;
    size_t n;
};

/* Writes at most `room` bytes of input to `into` and returns how many: 0 at the end, less than 0 on failure. */
typedef ptrdiff_t (*jx_read_fn)(void *user, char *into, size_t room);

/* Takes n bytes of output; 0 on success, anything else stops the output. */
typedef int (*jx_write_fn)(void *user, const char *bytes, size_t n);

/* The version of the library that runs, `0.2.0`, and as JX_VERSION_NUMBER. */
JX_API const char *jx_version(void);
JX_API uint32_t jx_version_number(void);

/* A description of a status, in English; static. */
JX_API const char *jx_status_text(enum jx_status status);

/* The reason why the last call on this context, or on a module of it, returned JX_MISUSE: static; empty if none did.
 * Calls with a NULL handle belong to no context: pass NULL to get the reason of those. */
JX_API const char *jx_misuse_text(const jx_context *context);

/* ---- context and modules ---- */

/* An allocator: like realloc, and size 0 frees; returns NULL if there is no memory. */
struct jx_allocator {
    void *(*resize)(void *user, void *old, size_t size);
    void *user;
};

/* Makes a context that uses the caller's allocator (NULL: libc); returns NULL if there is no memory. */
JX_API jx_context *jx_context_new(const struct jx_allocator *allocator);

/* How a context reads texts. */
struct jx_parse_options {
    size_t size;
    bool no_fast_path; /* for tests: use the general code instead of faster paths, which must give the same result */
    bool force;        /* format, rewrite and compare programs with S023: values that the repair of the text may have
                        * damaged */
};

/* Sets the options of all later reads of a context. */
JX_API JX_CHECKED enum jx_status jx_set_parse_options(jx_context *context, const struct jx_parse_options *options);

/* Called repeatedly during a long call; a result other than 0 ends that call with JX_CANCELLED. `steps` increases from
 * call to call: it counts visits of equations and other work. The callback must not use the same context. */
typedef int (*jx_progress_fn)(void *user, uint64_t steps);

/* Sets the progress callback of later calls on a context, its modules and its results; NULL: none. Calls that read or
 * create something invoke it when they begin, and all calls invoke it after every few hundred equations or
 * allocations. */
JX_API JX_CHECKED enum jx_status jx_set_progress(jx_context *context, jx_progress_fn progress, void *user);

/* Calls work(arg, i) for each i below n, each once, on any threads and in any order, and returns when all have
 * returned. */
typedef void (*jx_run_fn)(void *user, void (*work)(void *arg, uint32_t i), void *arg, uint32_t n);

/* Lets later calls on a context use up to `threads` threads of `run`; 1: only the caller's. jx_read, jx_read_from,
 * jx_check, jx_format, jx_digests and jx_normalize then process parts of a long text of several programs in parallel,
 * with identical results; any of the threads may call a jx_write_fn, but only one at a time. With a progress callback
 * or the caller's allocator, only one thread is used. */
JX_API JX_CHECKED enum jx_status jx_set_threads(jx_context *context, jx_run_fn run, void *user, uint32_t threads);

/* Frees the context and every module read with it; NULL is allowed. */
JX_API void jx_context_free(jx_context *context);

/* Reads every program in n bytes of text into a new module; the bytes are copied. `name` is the name of the text in
 * diagnostics. Syntax errors do not fail the call: they become diagnostics, and the module contains what could be
 * parsed. A text of 2 GiB or more is a diagnostic, too, and is not read. *module is NULL unless JX_OK is returned. */
JX_API JX_CHECKED enum jx_status jx_read(jx_context *context, const char *name, const char *bytes, size_t n,
                                         jx_module **module);

/* Like jx_read, but reads the text through a callback, which saves a copy. `expected` is the approximate size of the
 * text in bytes, 0 if unknown. */
JX_API JX_CHECKED enum jx_status jx_read_from(jx_context *context, const char *name, jx_read_fn read, void *user,
                                              size_t expected, jx_module **module);

/* Like jx_read_from, but the text contains signatures, `((i64[],False),(f64[DBIdx(0)],True))`, one after another, with
 * or without `in_type` or `out_type` before each. */
JX_API JX_CHECKED enum jx_status jx_read_signatures(jx_context *context, const char *name, jx_read_fn read, void *user,
                                                    size_t expected, jx_signatures **signatures);

/* Like jx_read_from, but the text is a configuration, jaxpr.yaml(5). It must outlive the modules that are checked
 * against it, because their diagnostics refer to it. Any number of threads may use it at the same time, except in calls
 * whose comments forbid that. */
JX_API JX_CHECKED enum jx_status jx_read_config(jx_context *context, const char *name, jx_read_fn read, void *user,
                                                size_t expected, jx_config **config);

/* A module without programs that contains the text of a configuration or of signatures, for its diagnostics and for
 * reports. The configuration or the signatures own it: jx_module_free ignores it. */
JX_API jx_module *jx_config_module(jx_config *config);
JX_API jx_module *jx_signatures_module(jx_signatures *signatures);

/* Frees a configuration or signatures before their context; NULL is allowed. */
JX_API void jx_config_free(jx_config *config);
JX_API void jx_signatures_free(jx_signatures *signatures);

/* Frees one module before its context; NULL is allowed. */
JX_API void jx_module_free(jx_module *module);

/* ---- options: structs begin with their own size, zero is the default of every field, NULL means all defaults. A size
 * of 0, an enumerator that does not exist and fields that this library does not know are JX_MISUSE ---- */

/* The system that printed a program; it determines the rules for dynamic shapes where the text does not. */
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
    bool explain; /* add a note with what JX_DIALECT_AUTO and JX_DIMS_AUTO selected for each program */
};

struct jx_format_options {
    size_t size;
    uint32_t width;      /* columns; 0: 80, as JAX */
    bool strip_comments; /* omit comments, except `# jaxpr: ignore` */
    uint32_t only;       /* the one program to write, counted from 1; 0: all */
};

struct jx_signature_options {
    size_t size;
    enum jx_dims dims;
    enum jx_dialect dialect;
    /* the types of this JAX, as with `--jax` of jaxpr-sig(1): 428 (100 * 4 + 28) for 0.4.28; 0: without that option */
    uint32_t jax;
    bool nested; /* nested programs, too */
    /* positions such as `0,2` of the arguments and results that the user's program mentions; the others are implicit.
     * NULL: decided by the types. Nested programs are not affected */
    const char *inputs, *outputs;
    bool json; /* objects with a comma and a newline between them, instead of lines */
    /* expand arguments and results as Catalyst does: for, for-resizing, while, while-resizing, cond, or some of the
     * words unshare, inputs, index, ready, separated by commas; NULL: do not expand. `dialect` selects the version of
     * Catalyst */
    const char *expand;
    /* `(f32[8]) -> f32[8]` where every size is a number, instead of in_type and out_type */
    bool arrow;
};

/* What to write for signatures that were read; operands are words such as `a:f64[n]`. */
struct jx_read_signature_options {
    size_t size;
    bool binders;         /* the binders that each in_type describes */
    const char *results;  /* the results that each out_type gives an equation with these operands, or NULL */
    const char *implicit; /* the arguments of each in_type, implicit ones first, for these explicit ones, or NULL */
    bool json;            /* objects with a comma and a newline between them, instead of lines */
    bool arrow;           /* keep the form `(f32[8]) -> f32[8]` if a signature has it */
};

/* The forms of findings; jaxpr(1) describes them. */
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
    bool rules_fail; /* JX_RENDER_JUNIT: findings of rules and contracts fail a test whatever their level; otherwise
                      * only errors do
                      */
    /* JX_RENDER_TEXT: if a rule has more findings than this in a module, write the first three and the number of the
     * others, and of all modules with K812, the first and one line for the others; 0: write all */
    uint32_t fold;
    /* JX_RENDER_TEXT: the URL of a playground. The findings of a module of at most 48 KiB are followed by a link that
     * opens its text there; NULL: no link */
    const char *link;
};

/* ---- the verbs ---- */

/* Checks scopes and types, and adds what it finds to the module's diagnostics. A later call with the same options does
 * nothing; one with other options is JX_MISUSE. */
JX_API JX_CHECKED enum jx_status jx_check(jx_module *module, const struct jx_check_options *options);

/* Writes every program in JAX's layout, each followed by a newline. A program with syntax errors is written
 * unchanged. */
JX_API JX_CHECKED enum jx_status jx_format(jx_module *module, const struct jx_format_options *options,
                                           jx_write_fn write, void *user);

/* Writes each program as a JSON object on its own line (jaxpr-json(5)), with `,` and a newline between two of them, and
 * before the first one unless *first is set: brackets around the output of any number of modules make an array. *first
 * is cleared when something was written. */
JX_API JX_CHECKED enum jx_status jx_write_json(jx_module *module, bool *first, jx_write_fn write, void *user);

/* Writes the in_type and out_type of each program that has valid ones; errors in the others become diagnostics of the
 * module. `name` is the name of the text in the output; `first` is as for jx_write_json. */
JX_API JX_CHECKED enum jx_status jx_write_signatures(jx_module *module, const struct jx_signature_options *options,
                                                     const char *name, bool *first, jx_write_fn write, void *user);

/* The same for signatures that were read, whose diagnostics are those of jx_signatures_module. */
JX_API JX_CHECKED enum jx_status jx_write_read_signatures(jx_signatures *signatures,
                                                          const struct jx_read_signature_options *options,
                                                          const char *name, bool *first, jx_write_fn write, void *user);

/* Writes n bytes as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
JX_API JX_CHECKED enum jx_status jx_write_json_string(const char *bytes, size_t n, jx_write_fn write, void *user);

/* Writes n bytes of any text so that they are safe to display: control characters, characters that hide or reorder
 * text, and invalid UTF-8 become `\x1b` or `\u{202e}`. With `lines`, line ends and tabs are kept. */
JX_API JX_CHECKED enum jx_status jx_write_visible(const char *bytes, size_t n, bool lines, jx_write_fn write,
                                                  void *user);

/* Writes n bytes of programs with terminal colours; other control characters are escaped. */
JX_API JX_CHECKED enum jx_status jx_write_colored(const char *bytes, size_t n, jx_write_fn write, void *user);

/* A word of a line of programs, or a run of spaces. */
struct jx_word {
    struct jx_string text;
    const char *kind;  /* a class of jx_write_colored, such as `keyword`; empty for spaces */
    const char *token; /* the same for the Language Server Protocol; empty for spaces */
};

/* Takes the next word of a line, which begins at byte *at, and moves *at past it; false at the end. The line need not
 * be valid. */
JX_API bool jx_word_next(struct jx_string line, size_t *at, struct jx_word *word, size_t size);

/* The counts of a program. Nested programs are included, a shared one once per use; counts saturate at
 * UINT64_MAX. */
struct jx_stats {
    uint64_t equations;
    uint32_t primitives;     /* how many different primitives; see jx_stats_primitive */
    uint32_t depth;          /* 1: nothing nested */
    uint64_t constants;      /* constants; those of a shared program count once */
    uint64_t constant_bytes; /* of those whose size is known */
};

/* Counts one program of the text; past the last, all counts are zero. Free *stats with jx_stats_free; it is NULL unless
 * JX_OK is returned. */
JX_API JX_CHECKED enum jx_status jx_stats(jx_module *module, uint32_t program, jx_program_stats **stats);

/* Frees what jx_stats made, before or after its module; NULL is allowed. */
JX_API void jx_stats_free(jx_program_stats *stats);

/* The counts of a program; false for NULL. */
JX_API bool jx_stats_counts(const jx_program_stats *stats, struct jx_stats *counts, size_t size);

/* The name of the i-th primitive, and its count; most frequent first, then by name. Empty and 0 past the last. The name
 * lives as long as the module. */
JX_API struct jx_string jx_stats_primitive(const jx_program_stats *stats, uint32_t i, uint64_t *count);

/* ---- diagnostics ---- */

enum jx_level { JX_NOTE, JX_WARNING, JX_ERROR };

/* A code of a diagnostic, such as S012 unbound-variable; strings are static. */
struct jx_code {
    const char *code, *name;
    enum jx_level level;
    const char *title;   /* the fact in a few words */
    const char *explain; /* a page: the reason, a failing example, its fix */
};

/* The i-th code; false past the last. */
JX_API bool jx_code_at(uint32_t i, struct jx_code *code);

/* Finds a code by its text, `S012` or `unbound-variable`; false if there is none. */
JX_API bool jx_code_find(const char *code_or_name, struct jx_code *code);

/* The one of n words that is closest to `word`, for `did you mean`; NULL if none is close. */
JX_API const char *jx_nearest(const char *word, const char *const *words, size_t n);

/* A range of the text: 1-based lines, 1-based columns in code points, the end exclusive. line is 0 for no place. */
struct jx_place {
    uint32_t line, column, end_line, end_column;
};

struct jx_diagnostic {
    struct jx_code code;
    enum jx_level level;
    struct jx_string message;
    struct jx_place place;
    uint32_t program; /* the number of the program, from 0; JX_NONE for the text as a whole */
    uint32_t notes;   /* how many jx_diagnostic_note has */
};

/* How many diagnostics of at least this level the module has so far. */
JX_API uint32_t jx_diagnostic_count(const jx_module *module, enum jx_level least);

/* How many equations jx_check could not verify: their result types were taken as printed. */
JX_API uint32_t jx_unverified_count(const jx_module *module);

/* The name of the i-th primitive of such equations, in the order of the text; empty past the ninth. */
JX_API struct jx_string jx_unverified_primitive(const jx_module *module, uint32_t i);

/* How many types of binders jx_check found that JAX, PennyLane and Catalyst are not known to print: only their texts
 * are compared. */
JX_API uint32_t jx_unknown_type_count(const jx_module *module);

/* The text of the i-th such type, in the order of the text; empty past the ninth. */
JX_API struct jx_string jx_unknown_type(const jx_module *module, uint32_t i);

/* The i-th diagnostic, in the order of the text; false past the last. */
JX_API bool jx_diagnostic_at(jx_module *module, uint32_t i, struct jx_diagnostic *diagnostic, size_t size);

/* The k-th note of the i-th diagnostic; false past the last. */
JX_API bool jx_diagnostic_note(jx_module *module, uint32_t i, uint32_t k, struct jx_string *message,
                               struct jx_place *place);

/* The name of the text that contains the place of this note, if it is not the text of the diagnostic; else empty. */
JX_API struct jx_string jx_diagnostic_note_file(const jx_module *module, uint32_t i, uint32_t k);

/* Writes the diagnostics of n modules as one document. Temporary memory is allocated from `context`. */
JX_API JX_CHECKED enum jx_status jx_render(jx_context *context, jx_module *const *modules, size_t n,
                                           const struct jx_render_options *options, jx_write_fn write, void *user);

/* A document of diagnostics to which modules are added one after another. */
typedef struct jx_report jx_report;

/* Begins a document, which lives until jx_report_end, or until the context is freed. */
JX_API JX_CHECKED enum jx_status jx_report_begin(jx_context *context, const struct jx_render_options *options,
                                                 jx_write_fn write, void *user, jx_report **report);

/* Writes the diagnostics of a module of any context of this thread; the module may be freed afterwards. */
JX_API JX_CHECKED enum jx_status jx_report_add(jx_report *report, jx_module *module);

/* Closes the document and frees the report, whatever the status. */
JX_API JX_CHECKED enum jx_status jx_report_end(jx_report *report);

/* Functions that fill a structure take its size last, so that structures may grow; these macros pass it in C and C++.
 * struct jx_string, jx_place, jx_code and jx_found never grow. */
#define jx_word_next(line, at, word) jx_word_next(line, at, word, sizeof *(word))
#define jx_stats_counts(stats, counts) jx_stats_counts(stats, counts, sizeof *(counts))
#define jx_diagnostic_at(module, i, diagnostic) jx_diagnostic_at(module, i, diagnostic, sizeof *(diagnostic))

#ifdef __cplusplus
}
#endif

#include "jaxpr_change.h" /* programs rewritten, digested, compared */
#include "jaxpr_tools.h"  /* lint, contracts, costs, graphs, programs in logs, pages */
#include "jaxpr_walk.h"   /* programs, equations, types and values one by one */
#endif
