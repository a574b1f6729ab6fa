/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs rewritten, digested and compared. Each call leaves its modules unchanged and returns a result, which has the
 * findings and must be freed; with the option `in_place` the call changes the module instead of a copy. jaxpr.h
 * includes this header and describes calls in general. */
#ifndef JAXPR_CHANGE_H
#define JAXPR_CHANGE_H

#include "jaxpr.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rewriting ---- */

/* The passes of jx_normalize; several run in this order. */
enum jx_pass {
    JX_PASS_REPAIR = 1 << 0,           /* correct wrong sizes, such as leaked de Bruijn references */
    JX_PASS_CAPTURES = 1 << 1,         /* pass the variables of outer programs that nested ones use */
    JX_PASS_PAD_BRANCHES = 1 << 2,     /* make every branch take the constants of all branches */
    JX_PASS_ANNOTATE = 1 << 3,         /* add inferred types to binders without a printed type */
    JX_PASS_COLLAPSE = 1 << 4,         /* remove implicit arguments and results */
    JX_PASS_EXPAND = 1 << 5,           /* turn unbound sizes into implicit arguments and results */
    JX_PASS_LIFT = 1 << 6,             /* turn constants of nested programs into constants of the outermost one */
    JX_PASS_NESTED_CONSTANTS = 1 << 7, /* turn constants that are passed to nested programs into arguments */
    JX_PASS_CONSTANTS = 1 << 8,        /* turn constants of the outermost program into its first arguments */
    JX_PASS_ARGS_TO_CONSTS = 1 << 9,   /* turn the first arguments into constants */
    JX_PASS_INLINE = 1 << 10,          /* replace calls by the equations of the called programs */
    JX_PASS_DCE = 1 << 11,             /* remove unused equations, as JAX's own dead code elimination does */
    JX_PASS_SPELL = 1 << 12,           /* spell as the JAX version in the options does */
};

/* The pass of a name (`constants`, `dce`), or 0. */
JX_API unsigned jx_pass_find(const char *name, size_t n);

/* The name of the i-th pass, NULL past the last; static. */
JX_API const char *jx_pass_at(uint32_t i);

/* Which nested programs the canonical form prints once, as `let`: repeated ones, none, or all that can be named. */
enum jx_share { JX_SHARE_AUTO, JX_SHARE_NEVER, JX_SHARE_ALWAYS };

struct jx_normal_options {
    size_t size;
    unsigned passes; /* enum jx_pass, joined by |; 0: those of the canonical form */
    uint32_t count;  /* of JX_PASS_ARGS_TO_CONSTS: how many arguments */
    uint32_t jax;    /* spell as this JAX, 428 for 0.4.28; 0: keep the text's spelling, or use the canonical form's */
    enum jx_share share; /* the nested programs that the canonical form prints first, as `let` */
    bool splice;         /* with passes: write the whole text, with the programs that passes changed in their places */
    bool in_place;       /* the module's own programs may be changed, which saves a copy: afterwards it has diagnostics
                          * and can be freed, other calls are JX_MISUSE */
    uint64_t max_output; /* the most equations of a printed program, if this JAX prints shared programs in full at each
                          * call; 0: a million, or sixteen times those of the text if that is more */
    /* the system whose loops JX_PASS_EXPAND writes. JX_DIALECT_AUTO: where dimensions are preserved, sizes become
     * implicit arguments, as those that JX_PASS_COLLAPSE removed */
    enum jx_dialect dialect;
};

/* Writes every program after passes, as JAX would print it, each followed by a newline. A program with errors of syntax
 * or scope is not written. Passes that use types (repair, annotate, collapse, expand) do not change a program whose
 * type errors they do not fix. `write` may be NULL. Free *rewrite, which describes the result for each program, with
 * jx_rewrite_free; it is NULL unless JX_OK is returned, and `rewrite` may be NULL. The module does not change, except
 * with `in_place`. */
JX_API JX_CHECKED enum jx_status jx_normalize(jx_module *module, const struct jx_normal_options *options,
                                              jx_write_fn write, void *user, jx_rewrite **rewrite);

/* A module with the diagnostics of a rewrite, including the errors of programs that were not rewritten; it has no
 * programs. The rewrite owns it; with `in_place` it is the module that was passed. */
JX_API jx_module *jx_rewrite_module(jx_rewrite *rewrite);

/* How many programs a rewrite changed. */
JX_API uint32_t jx_rewrite_changed(const jx_rewrite *rewrite);

/* The result for one program. */
struct jx_rewritten {
    bool written; /* false: it has errors; with `splice`, its text was written unchanged */
    bool changed;
    uint32_t constants, inputs, outputs; /* of the rewritten program */
    bool refused; /* it has no errors, but would have the one that is reported for it: its text was written unchanged */
};

enum jx_origin_kind {
    JX_ORIGIN_CONSTANT, /* the index-th constant of the program that was read */
    JX_ORIGIN_INPUT,    /* its index-th input */
    JX_ORIGIN_OUTPUT,   /* its index-th output */
    JX_ORIGIN_NESTED,   /* a constant of a program inside it */
    JX_ORIGIN_NEW,      /* nothing: a pass made it, such as an implicit argument */
};

/* Where a binder or output of a rewritten program comes from. No version adds fields. */
struct jx_origin {
    enum jx_origin_kind kind;
    uint32_t index;    /* JX_NONE for nested and new ones */
    uint32_t variable; /* of binders: the variable of the module that was read, for jx_definition; else JX_NONE */
};

/* The result for a program of the text; false past the last. */
JX_API bool jx_rewritten_at(const jx_rewrite *rewrite, uint32_t program, struct jx_rewritten *answer, size_t size);

/* Where the i-th binder, constants first, and the i-th output of a rewritten program come from; false past the last. */
JX_API bool jx_rewritten_binder(const jx_rewrite *rewrite, uint32_t program, uint32_t i, struct jx_origin *origin);
JX_API bool jx_rewritten_output(const jx_rewrite *rewrite, uint32_t program, uint32_t i, struct jx_origin *origin);

/* Frees a rewrite; NULL is allowed. */
JX_API void jx_rewrite_free(jx_rewrite *rewrite);

/* ---- digests ---- */

struct jx_compare_options {
    size_t size;
    bool dce;            /* ignore equations that no result depends on */
    bool commute;        /* ignore the order of operands of commutative primitives */
    const char *without; /* keys of parameters to ignore, separated by commas; NULL: none */
    bool functions;      /* prepare jx_function_at */
    bool in_place;       /* as in jx_normal_options */
};

/* Computes a digest of every program of the module: equal programs have equal digests, whatever their names, layout,
 * sharing, order of independent equations, and the version of JAX that printed them. Programs with errors of syntax
 * have none; an unbound variable is identified by its name. Free *list with jx_digest_list_free; it is NULL unless
 * JX_OK is returned. The module does not change, except with `in_place`. */
JX_API JX_CHECKED enum jx_status jx_digests(jx_module *module, const struct jx_compare_options *options,
                                            jx_digest_list **list);

/* A module for the diagnostics of digests, like jx_rewrite_module. */
JX_API jx_module *jx_digest_list_module(jx_digest_list *list);

/* Frees digests; NULL is allowed. */
JX_API void jx_digest_list_free(jx_digest_list *list);

/* The digest of a program of the text, `jx2:` and 64 hexadecimal digits (jx2 is the version of the canonical form);
 * empty if there is none. */
JX_API struct jx_string jx_digest_at(const jx_digest_list *list, uint32_t program);

/* A program of the text, or one in an equation, once per occurrence in the text. */
struct jx_function {
    struct jx_string name; /* of its `let`, or the `name` of its equation; may be empty */
    struct jx_string digest;
    uint32_t program, line; /* where it is written */
    uint64_t equations;     /* nested ones included, those of a shared program once per use */
    bool whole;             /* a whole program, not a nested one */
};

/* The i-th of all programs, in the order of the text and outer before inner, if `functions` was set; false past
 * the last. */
JX_API bool jx_function_at(jx_digest_list *list, uint32_t i, struct jx_function *answer, size_t size);

/* ---- differences ---- */

enum jx_diff_form {
    JX_DIFF_TEXT,
    JX_DIFF_JSON,    /* {"changed": N, "added": N, "removed": N, "moved": N, .., "hunks": [..]}; see jaxpr-diff(1) */
    JX_DIFF_STAT,    /* the counts alone */
    JX_DIFF_SUMMARY, /* the counts, and how many equations differ per source line or function */
};

struct jx_diff_options {
    size_t size;
    enum jx_diff_form format;
    bool color;          /* JX_DIFF_TEXT only */
    bool first;          /* print only the first difference */
    bool signature;      /* compare only arguments and results */
    uint32_t columns;    /* JX_DIFF_TEXT: both sides next to each other in this many columns; 0: one below the other */
    uint32_t context;    /* equations to show around a difference, plus one; 0: three */
    const char *without; /* as in jx_compare_options */
    bool dce, commute;   /* as in jx_compare_options; with dce, JSON counts only the remaining equations */
    bool all;            /* JX_DIFF_TEXT: print similar hunks, and each equation of a moved block */
    unsigned passes;     /* enum jx_pass, joined by |, to run on both modules first */
    bool in_place;       /* as in jx_normal_options, of both modules */
};

/* The numbers of equations that changed, that only the second or only the first module has, or that moved; of lists of
 * arguments or results that differ; of programs that only one module has or that moved; and of matched programs that
 * are not equal. */
struct jx_diff_counts {
    uint64_t changed, added, removed, moved, signature, programs, unequal;
};

/* Writes what changed from the programs of one module to those of another, in the names of the first. Programs are
 * matched by name and content, then by name, then by content, and the others by position. Equal programs have no
 * differences; programs with syntax errors are left out. `write` may be NULL. Free *differences with
 * jx_differences_free; it is NULL unless JX_OK is returned. The modules do not change, except with `in_place`, and must
 * belong to one thread. */
JX_API JX_CHECKED enum jx_status jx_diff(jx_module *a, jx_module *b, const struct jx_diff_options *options,
                                         jx_write_fn write, void *user, jx_differences **differences);

/* The counts of a comparison; false for NULL. */
JX_API bool jx_differences_counts(const jx_differences *differences, struct jx_diff_counts *counts, size_t size);

enum jx_difference_kind {
    JX_DIFFERENCE_PROGRAM_ADDED,   /* only the second module has the program */
    JX_DIFFERENCE_PROGRAM_REMOVED, /* only the first */
    JX_DIFFERENCE_PROGRAM_MOVED,   /* its position among the others changed */
    JX_DIFFERENCE_INPUTS,          /* the binders of a jaxpr differ */
    JX_DIFFERENCE_OUTPUTS,         /* its outputs */
    JX_DIFFERENCE_CHANGED,         /* parts of an equation differ */
    JX_DIFFERENCE_INSIDE,          /* only nested programs of an equation differ */
    JX_DIFFERENCE_ADDED,
    JX_DIFFERENCE_REMOVED,
    JX_DIFFERENCE_MOVED,   /* the same equation elsewhere */
    JX_DIFFERENCE_RETYPED, /* the same equation, whose types follow from another change */
};

/* One difference. Arrays have an id in the first of the compared modules, then one in the second, or JX_NONE. Texts use
 * the names of variables of the first module. */
struct jx_difference {
    enum jx_difference_kind kind;
    uint32_t program[2];       /* of programs that were added, removed or moved */
    uint32_t jaxpr[2];         /* the jaxprs that differ, which may be nested; a pair in several equations is listed
                                * once */
    uint32_t equation[2];      /* JX_NONE for inputs and outputs */
    bool moved;                /* its position changed, too */
    struct jx_string head;     /* the equation in short; may be empty */
    struct jx_string from, to; /* as written, if a side is shown as a whole; else empty */
    uint32_t changes;          /* how many jx_change_at has */
    uint32_t first;            /* internal */
};

enum jx_change_part {
    JX_CHANGE_PRIMITIVE,
    JX_CHANGE_PARAMETER, /* `key` */
    JX_CHANGE_OPERAND,   /* the index-th operand; the next three also use `index` */
    JX_CHANGE_TYPE,      /* of a result */
    JX_CHANGE_BINDER,
    JX_CHANGE_OUTPUT,
    JX_CHANGE_PROGRAM, /* the index-th program of the parameter `key`, only on one side */
};

/* A part of a difference; a side that did not have it is empty. */
struct jx_change {
    enum jx_change_part part;
    uint32_t index;
    struct jx_string key;
    struct jx_string from, to;
};

/* The i-th difference, and the k-th part of it that changed; false past the last. */
JX_API bool jx_difference_at(const jx_differences *differences, uint32_t i, struct jx_difference *answer, size_t size);
JX_API bool jx_change_at(const jx_differences *differences, uint32_t i, uint32_t k, struct jx_change *answer,
                         size_t size);

/* A module for the diagnostics of one side, like jx_rewrite_module. */
JX_API jx_module *jx_differences_module(jx_differences *differences, bool second);

/* Frees a comparison; NULL is allowed. */
JX_API void jx_differences_free(jx_differences *differences);

#define jx_rewritten_at(rewrite, program, answer) jx_rewritten_at(rewrite, program, answer, sizeof *(answer))
#define jx_function_at(list, i, answer) jx_function_at(list, i, answer, sizeof *(answer))
#define jx_differences_counts(differences, counts) jx_differences_counts(differences, counts, sizeof *(counts))
#define jx_difference_at(differences, i, answer) jx_difference_at(differences, i, answer, sizeof *(answer))
#define jx_change_at(differences, i, k, answer) jx_change_at(differences, i, k, answer, sizeof *(answer))

#ifdef __cplusplus
}
#endif
#endif
