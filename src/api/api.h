/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that implement jaxpr.h share: the library's record of a module, and the guard in which every call that
 * allocates runs. */
#ifndef JX_API_H
#define JX_API_H

#include "base/executor.h"
#include "base/digest.h"
#include "cost/cost.h"
#include "diag/diag.h"
#include "ir/module.h"
#include "ir/stats.h"
#include "jaxpr.h"
#include "contract/contract.h"
#include "lint/lint.h"
#include "resolve/check.h"

struct jx_context {
    struct mem mem; /* contains the records of modules, reports and extracts; each of these has its own pools */
    struct api_owned *owned;
    struct jx_parse_options parse_options;
    struct mem_watch watch;   /* of jx_set_progress */
    struct executor executor; /* of jx_set_threads */
    const char *misuse;       /* why the last call returned JX_MISUSE; NULL if none did */
};

/* A pool that is freed with its context, unless api_disown was called before. */
struct api_owned {
    struct api_owned *next, *previous;
    struct mem *mem;
};

/* A program of the text, or one nested in it, with its digest. */
struct api_function {
    struct slice name, digest;
    u32 program, at;
    u64 equations;
    bool whole;
};

/* What was reported about the values of a module's parameters. */
enum api_values {
    VALUES_UNREAD,
    VALUES_WARNED,  /* warnings for those that cannot be read */
    VALUES_REFUSED, /* and errors for those of damaged programs */
};

struct jx_module {
    jx_context *context;
    struct api_owned owned;
    struct mem mem;
    struct module ir;
    struct diags diags;
    struct resolution found;
    VEC(program_t) stream; /* the programs of the text, in order, without pasted ones */
    u32 first_program;     /* the number of its first program among those of its file */
    bool linted;
    bool laid_out;                         /* the whole text is as fmt prints it */
    bool checked, owned_elsewhere;         /* `owned_elsewhere`: by a configuration or signatures, which free it */
    struct jx_check_options check_options; /* of the jx_check that ran */
    u8 values_checked;                     /* enum api_values */
    bool values_fit;                       /* and none was reported, so that copies need not judge them again */
    jx_module *original; /* of a copy: the module it was made of, which lives at least as long; else NULL */
    u32 held;            /* how many copies and results use it; it is freed with the last of them .. */
    bool freed;          /* .. once the caller has freed it */
    bool spent;          /* a call changed its programs in place */
    bool lost;           /* memory ran out in a call: it can only be freed */
    char (*numerals)[8]; /* spellings of the numerals up to the largest name; NULL before the first walk */
    u32 n_numerals;
    struct api_uses *uses;           /* of jx_resolve; NULL before it */
    struct api_equations *equations; /* of the last jx_equation_cost; NULL before it */
    struct name_buffer numeral;      /* a primitive's name that happens to be a numeral */
};

struct jx_config {
    jx_module *module; /* with the text and its diagnostics; all memory is the module's */
    struct config parsed;
};

struct jx_signatures {
    jx_module *module;
};

/* records what the caller did wrong, a static sentence, and returns JX_MISUSE. context may be NULL */
enum jx_status api_misuse(jx_context *context, const char *sentence);

/* copies an options struct, which begins with its size, into `options` of `size` bytes: members that it lacks become
 * zero. JX_MISUSE if its size is 0, or if members are set that the library does not have */
enum jx_status api_options(jx_context *context, void *options, size_t size, const void *given);

/* JX_MISUSE, with this sentence, if an enumerator is beyond the last one */
enum jx_status api_enum(jx_context *context, unsigned value, unsigned last, const char *sentence);

/* JX_MISUSE if a module is NULL, or its programs were changed in place by an earlier call */
enum jx_status api_intact(jx_module *module);

/* the threads of a context that a call may use; NULL if the context has a progress callback or an allocator of its
 * own */
const struct executor *api_executor(const jx_context *context);

/* copies a module, which must not be lost; the copy is freed by api_free_module */
enum jx_status api_copy(jx_module *module, jx_module **copy);

/* a module whose programs a call may change: a copy, or with `in_place` the module itself, which is then spent. Copies
 * have the findings of reading and of names. *changed is NULL unless JX_OK is returned; call api_release */
enum jx_status api_changeable(jx_module *module, bool in_place, jx_module **changed);

/* makes a zeroed result of `n` bytes that lives as long as the module; JX_OUT_OF_MEMORY if that fails */
enum jx_status api_result(jx_module *module, size_t n, void **result);

/* makes a result that keeps its module alive: a copy of the `n` bytes at `first`, on which `work` runs. *result is NULL
 * unless JX_OK is returned; call api_let_go when the result is freed */
enum jx_status api_make(jx_module *module, const void *first, size_t n, void (*work)(void *), void **result);

/* releases a module that api_make or `held++` keeps alive */
void api_let_go(jx_module *module);

/* releases what api_changeable returned: frees a copy, or ends its hold on the module. NULL is fine */
void api_release(jx_module *changed);

/* runs jx_check with default options, unless it has run */
enum jx_status api_checked(jx_module *module);

/* initializes a pool that the context owns, by a record that lives as long as the pool; api_disown ends the
 * ownership */
void api_own(jx_context *context, struct api_owned *owned, struct mem *mem);
void api_disown(jx_context *context, struct api_owned *owned);

/* jx_module_free, also for a module that is owned elsewhere; a module in use is freed with its last copy or result */
void api_free_module(jx_module *module);

/* makes an empty module of a context; NULL if memory ran out */
jx_module *api_new_module(jx_context *context);

/* sorts the diagnostics of a module that was just read, and makes the list of its programs */
void api_list_programs(jx_module *module);

/* true if the i-th program of the stream exists and has no syntax errors */
bool api_is_readable(const jx_module *module, u32 i);

/* runs work(arg), which a failed allocation of the pool or a cancellation ends; false if one did, see api_left */
bool api_guard(struct mem *mem, void (*work)(void *), void *arg);

/* why work on a pool was ended: JX_OUT_OF_MEMORY or JX_CANCELLED */
static inline enum jx_status
api_left(const struct mem *mem)
{
    return mem->cancelled ? JX_CANCELLED : JX_OUT_OF_MEMORY;
}

/* runs work(arg) on a module, which is lost when memory runs out */
enum jx_status api_run(jx_module *module, void (*work)(void *), void *arg);

/* the same for work that writes to a sink, which is opened before and closed after it */
enum jx_status api_write(jx_module *module, struct sink *out, jx_write_fn write, void *user, void (*work)(void *),
                         void *arg);

/* the same with a pool of its own, for what belongs to no module */
enum jx_status api_write_alone(struct sink *out, jx_write_fn write, void *user, void (*work)(void *), void *arg);

/* a jx_write_fn that discards the text */
int api_discard(void *user, const char *bytes, size_t n);

/* the text of a digest, in the module's arena */
struct slice api_digest_text(jx_module *module, const struct digest *d);

struct print_options;

/* rewrites the programs of a module, which may be changed, as jx_normalize does; result may be NULL */
enum jx_status api_normalize(jx_module *changed, const struct jx_normal_options *options, jx_write_fn write, void *user,
                             jx_rewrite *result);

/* reads and checks what a rewrite made of the number-th program of a module. If that has errors, apart from unbound
 * sizes if `unbound` is set, and the program has none, it reports the first, sets *text to the program as it was read,
 * in JAX's layout, and returns true. Linear in both texts; call it inside api_run */
bool api_refuses(jx_module *module, u32 number, struct slice *text, bool unbound);

/* the versions that a program is printed as by jx_normalize */
struct version_range api_printed_as(jx_module *module, const struct jx_normal_options *options, program_t program);

/* for JAX versions without shared programs, which print one copy for each call: reports programs that would exceed the
 * allowed length, and suppresses all output: `broken` has a byte for each program, nonzero if it is not printed */
void api_refuse_long(jx_module *module, const struct jx_normal_options *options, u8 *broken);

/* bytes of a jx_rewrite, for api_result */
size_t api_rewrite_size(void);

/* What is done with each program of a stream. Threads other than the caller's have a module of their own, with the same
 * ids: a view, or, with `change`, a copy. */
struct program_work {
    void *(*begin)(void *arg, struct module *m); /* makes what a thread needs, in the pool of its module */
    void (*one)(void *arg, void *own, u32 number, struct sink *out); /* own: what begin made */
    void (*end)(void *own);
    void *arg;
    bool change;
};

/* does the work for all programs, with several threads if the module is large. What is written to `out`, which may be
 * NULL, is passed on in the order of the stream; after a failed write it may stop. executor may be NULL */
void api_each_program(jx_module *module, const struct executor *executor, const struct program_work *work,
                      struct sink *out);

/* the digests of the programs of a module; see api_digest */
struct api_digests {
    VEC(struct slice) programs;         /* empty for programs without a digest */
    VEC(struct api_function) functions; /* where the options asked for them */
};

/* resolves and prepares the programs of a module that may be changed, inside api_guard of its pool; returns an enum
 * prepared for each, to be freed by mem_free. due: the result of prepare_due; NULL: all are prepared */
u8 *api_prepare(jx_module *changed, const u8 *due);

/* digests the programs of a prepared module, inside api_guard of its pool, which owns the answer. leave_out has a byte
 * for each program, not 0 for those that get no digest; it may be NULL */
void api_digest(jx_module *prepared, const struct jx_compare_options *options, const u8 *states, const u8 *leave_out,
                struct api_digests *answer);

/* writes every program of a module in JAX's layout, and text that could not be read as it is */
void api_format(struct sink *out, jx_module *module, const struct print_options *options);

/* resolves names, and reports at `level` those that the text does not determine; does nothing if that was done */
void api_resolve(jx_module *module, enum diag_level level);

/* sorts the findings by place, and records the source locations that JAX printed for their equations; call it before
 * passes */
void api_sort_diagnostics(jx_module *module);

/* jx_read of a part of a text that begins after `lines` lines */
enum jx_status api_read_range(jx_context *context, const char *name, const char *bytes, size_t n, u32 lines,
                              jx_module **module);

struct extract_source;
struct extract_state;
struct surroundings;

/* the position of an extraction */
struct extract_state api_extract_state(const jx_extract *x);

/* what surrounds the last find of an extraction */
struct surroundings api_extract_surroundings(const jx_extract *x);

/* starts an extraction, which may continue one in the middle of a text: see struct extract_source */
enum jx_status api_extract_begin(jx_context *context, const struct extract_source *source, jx_extract **extract);

/* reads the text of an extracted program again, with the same origins */
enum jx_status api_read_found(const jx_module *like, jx_module **module);

/* the place of n bytes of the text at an offset; call it inside api_run, as it may build the table of lines */
struct jx_place api_place(jx_module *module, u32 at, u32 n);

/* the same outside api_run: JX_OK or JX_OUT_OF_MEMORY */
enum jx_status api_find_place(jx_module *module, u32 at, u32 n, struct jx_place *place);

/* copies a structure of n bytes into the caller's, of `size` bytes, which may have fewer or more members; false if that
 * is NULL */
static inline bool
api_answer(void *answer, size_t size, const void *all, size_t n)
{
    if (answer == NULL)
        return false;
    memcpy(answer, all, size < n ? size : n);
    if (size > n)
        memset((char *)answer + n, 0, size - n);
    return true;
}

/* the span of a site in the text; `at` is NONE if the module has no such site */
struct span api_site_span(const jx_module *module, const struct jx_site *site);

/* the programs of a module as they were read; NULL if there are none */
static inline const struct module *
api_ir(const jx_module *module)
{
    return module != NULL && !module->spent ? &module->ir : NULL;
}

/* a slice as a string of the library */
static inline struct jx_string
api_string(struct slice s)
{
    return (struct jx_string){s.at != NULL ? s.at : "", s.n};
}

#endif
