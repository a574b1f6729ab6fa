/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of typing rules. A rule is a function of operand types and parameters; it either computes the result
 * types, which are then compared with the printed binders, or reports one finding. It keeps no state. Every
 * `rule_error` names a place by role (an operand, a result, a parameter); spans and texts are made only then. */
#ifndef JX_RULE_H
#define JX_RULE_H

#include "ir/reach.h"
#include "resolve/check.h"
#include "types/aval.h"
#include "prims/prims.h"
#include "base/decimal.h"
#include "base/value.h"

struct checker;
struct probe;

/* Parts of an equation: bit i is operand i, the element type or the shape of operand i, result i or parameter i. */
struct parts {
    u64 operands, dtypes, shapes, results, params;
};

struct rule {
    struct checker *c;
    struct module *m;
    const struct check_options *options;
    const struct prim *prim;
    eqn_t e;
    const struct eqn *eqn; /* valid until something is added to the module; the checker adds nothing */
    const struct aval *in; /* the types of the operands */
    u32 n;
    u32 n_results;
    u32 n_reported;           /* results reported */
    bool shape_from_binder;   /* the rule took the shape of a result from its binder */
    const struct aval *given; /* the type that the rule computed for the reported result, or NULL */
    struct probe *probe;      /* not NULL: a trial run that reports nothing (verify/provenance.h) */
    bool failed;
    bool several;          /* what the rule finds after a finding does not follow from it: it is reported, too */
    struct parts unread;   /* parts that are not read: parameters with bad values; in another run, what was reported */
    struct parts reported; /* what findings are about */
    struct parts doubted;  /* what the last finding of the row's rule is about: another part may be wrong instead */
    bool again;            /* this run is for what else is wrong in an equation with a finding */
    bool at_binder;        /* the last finding is reported at the binder of an operand */
    bool elsewhere;        /* a finding is about no single part of the equation, or is one that JAX does not report */
    u32 passed_before;     /* how many types were recorded by rule_passed before the equation's first finding */
    u64 reported_operands; /* bit i: a finding is about operand i, which is passed to a program */
    bool names_reported;   /* a finding says that names of parameters are not the row's */
    u32 computed;          /* results whose types were computed and compared with the printed ones */
    bool trusted;          /* something had to be trusted: rule_trust */
    bool one_dtype;        /* all operands, or the last two of three, were found to have one element type */
    bool wide;             /* the rule warned or trusted, or read more than the equation's own types and parameters */
};

/* whether the equation has a finding from which others may follow */
static inline bool
after_finding(const struct rule *r)
{
    return r->failed || r->again;
}

/* ---- places and reports ---- */

enum where_kind { AT_PRIM, AT_OPERAND, AT_RESULT, AT_PARAM, AT_BINDER, AT_OUT, AT_TEXT };
struct where {
    enum where_kind kind;
    u32 i;     /* which operand, result, binder or out; the param_t of AT_PARAM; the first byte of AT_TEXT */
    jaxpr_t j; /* the nested program of AT_BINDER and AT_OUT; how many bytes for AT_TEXT */
    bool sure; /* see surely() */
};

static inline struct where
at_prim(void)
{
    return (struct where){.kind = AT_PRIM, .j = NONE};
}
static inline struct where
at_operand(u32 i)
{
    return (struct where){.kind = AT_OPERAND, .i = i, .j = NONE};
}
static inline struct where
at_result(u32 i)
{
    return (struct where){.kind = AT_RESULT, .i = i, .j = NONE};
}
/* the i-th invar, or the i-th result, of a program among the equation's parameters */
static inline struct where
at_binder(const struct rule *r, jaxpr_t j, u32 i)
{
    return (struct where){.kind = AT_BINDER, .i = r->m->jaxprs.at[j].n_consts + i, .j = j};
}
static inline struct where
at_out(jaxpr_t j, u32 i)
{
    return (struct where){.kind = AT_OUT, .i = i, .j = j};
}
static inline struct where
at_text(u32 at, u32 n)
{
    return (struct where){.kind = AT_TEXT, .i = at, .j = n};
}
/* a place that is the cause for sure: the finding is not moved to the binder of an operand */
static inline struct where
surely(struct where where)
{
    where.sure = true;
    return where;
}

/* the value of a parameter, or the primitive's name when the equation has no such parameter */
struct where at_param(const struct rule *r, const char *key);

/* a part of a parameter's value, with the quotes around it; the whole value if the part is not in the text */
struct where at_slice(const struct rule *r, const char *key, struct slice part);

/* the value of a field in the type of result i, or the result if it has no such field */
struct where at_result_field(const struct rule *r, u32 i, const char *key);

struct ints;

/* entry i of a list that was read from a parameter, or the whole list if it has no such entry; the parameter itself if
 * neither is in the text. Linear in the list: for findings only */
struct where at_entry(const struct rule *r, const char *key, const struct ints *list, u32 i);
struct where at_item(const struct rule *r, const char *key, u32 i);             /* of the parameter's own value */
struct where at_item_part(const struct rule *r, const char *key, u32 i, u32 k); /* entry k of that, a tuple */
struct where at_list(const struct rule *r, const char *key, const struct ints *list);

/* reports a finding at a place of the equation. Only the first of an equation is kept, apart from those about results,
 * and none that repeats a finding about an operand, a call or a nested program. Always false, so that a rule can return
 * it */
bool rule_error(struct rule *r, enum diag_code code, struct where where, const char *format, ...) printf_like(4, 5);

/* the type of rule_error and similar functions */
typedef bool report_fn(struct rule *r, enum diag_code code, struct where where, const char *format, ...)
    printf_like(4, 5);

/* the same at operand i, whose type is added to the message, "`sqrt` takes floats: `a` is i32", with a note at its def
 * site */
bool rule_error_operand(struct rule *r, enum diag_code code, u32 i, const char *format, ...) printf_like(4, 5);

/* the same for operand i that does not fit operand `other`: both types (for T007, element types) are added to the
 * message, with notes at both def sites; for T007, a hint suggests the other's element type for a literal */
bool rule_error_pair(struct rule *r, enum diag_code code, u32 other, u32 i, const char *format, ...) printf_like(5, 6);

/* like rule_error, where JAX's checker would accept the program: a warning under --as-jax */
bool rule_stricter(struct rule *r, enum diag_code code, struct where where, const char *format, ...) printf_like(4, 5);

/* for a mismatch that follows from an earlier finding: notes and hints after it are not added to that. Always false */
bool rule_repeats(struct rule *r);

/* reports a parameter that the rule does not read, as its row does not list it: a warning of this code, under
 * --strict an error of T026. Always true */
bool rule_unread(struct rule *r, enum diag_code code, struct where where, const char *format, ...) printf_like(4, 5);

/* reports as a warning what JAX, or some version of it that may have printed the program, accepts; the equation does
 * not count as reported. Does nothing if something that it reads was reported. Always true */
bool rule_warning(struct rule *r, enum diag_code code, struct where where, const char *format, ...) printf_like(4, 5);

/* reports T025 for operand i, which is not an array, with advice to read it if it is a ref; as stricter than JAX unless
 * `jax`. Always false */
bool rule_needs_array(struct rule *r, u32 i, bool jax);

/* adds to the last finding: the def site of an operand or another atom, a note with a place, and a hint without one.
 * Always false, as rule_error is; so are those that follow */
bool rule_note_operand(struct rule *r, u32 i);
bool rule_note_atom(struct rule *r, atom_t a);
bool rule_note_result(struct rule *r, u32 i);
bool rule_note(struct rule *r, struct where where, const char *format, ...) printf_like(3, 4);
#define DETERMINED_BY "%s is determined by `%s`" /* a note at a parameter about a part of a result's type */
/* adds notes at the parameters that determine what differs between the computed type of a result and its binder */
void rule_note_params(struct rule *r, const struct aval *type, const struct aval *binder);
bool rule_hint(struct rule *r, const char *format, ...) printf_like(2, 3);
/* the hint that a conversion of operand i may be missing, if swapping operands would not correct the equation */
bool rule_hint_convert(struct rule *r, u32 i);
/* the hint that operand i, a literal, may be meant to have the element type of `wanted` */
bool rule_hint_literal(struct rule *r, u32 i, const struct aval *wanted);
/* the hint to read operand i, a ref, by an equation of its own */
bool rule_hint_read(struct rule *r, u32 i);
/* adds a note with a place in a program of the equation: its k-th binder (constvars first) or its k-th result */
bool rule_note_binder(struct rule *r, jaxpr_t j, u32 k);
bool rule_note_out(struct rule *r, jaxpr_t j, u32 k);

/* records for the last finding that a variable of a nested program has the type `have` elsewhere, so that an equation
 * inside that would be correct with it is not reported */
void rule_passed(struct rule *r, var_t v, const struct aval *have);

/* records that something could not be verified; reported only with --strict. Always true */
bool rule_trust(struct rule *r, struct where where, const char *format, ...) printf_like(3, 4);

/* trusts an equation whose parameter is missing or cannot be read, or whose parameters do not group its operands */
bool rule_trust_param(struct rule *r, struct where where, const char *key);
bool rule_trust_layout(struct rule *r);

/* trusts an equation whose program is missing, or whose rule does not infer the types of its results */
bool rule_trust_program(struct rule *r);
bool rule_trust_results(struct rule *r);

/* trusts an equation whose parameters are not those of its row: it may be another primitive of the same name. Warns,
 * unless a key was reported or other systems have such an equation; with --strict, reports that it is trusted */
void rule_unlike(struct rule *r);

/* rule_trust for a result without a printed type; report_left_open reports the number of these once per program */
bool rule_left_open(struct rule *r, struct where where);

/* texts for messages; they live until the next equation */
const char *format_text(struct rule *r, const char *format, ...) printf_like(2, 3);
const char *format_atom(struct rule *r, atom_t a); /* `a`, or `2.0` of a literal */
const char *format_operand(struct rule *r, u32 i);
const char *format_result(struct rule *r, u32 i);       /* `b` */
const char *format_which_result(struct rule *r, u32 i); /* "the result of `sin`", "the second result of `top_k`" */
const char *format_var(struct rule *r, var_t v);
const char *format_aval(struct rule *r, const struct aval *a); /* f32[8,4] */
/* the same, with the mesh axes of `other` if `a` is `moved`: its own are compared elsewhere */
const char *format_compared(struct rule *r, const struct aval *a, const struct aval *other);
const char *format_dtype(struct rule *r, const struct aval *a);                     /* f32 */
const char *format_dims(struct rule *r, const struct dim *dims, u32 n);             /* (8, 4) */
const char *format_dim(struct rule *r, struct dim d);                               /* 8, or n */
const char *format_slice(struct rule *r, struct slice s);                           /* cut when it is long */
const char *format_param(struct rule *r, const char *key);                          /* the value, as it is printed */
const char *format_count(struct rule *r, u64 n, const char *one, const char *many); /* `1 entry`, `2 entries` */
const char *format_prim(struct rule *r);                                            /* the name, or arrow, as printed */

/* the program that contains the equation. O(1), but linear in the module the first time */
jaxpr_t rule_jaxpr_of_eqn(struct rule *r);

/* operand i as a dim: the name of a variable, the number of a literal, else unknown */
struct dim operand_dim(struct rule *r, u32 i);

/* the type of an atom of a nested program. Named sizes in it are not compared with those of this scope, because
 * check_dims compares sizes across scopes */
struct aval aval_elsewhere(const struct rule *r, atom_t atom);

/* the type of an atom of this scope: printed, or else inferred; unknown if neither */
struct aval aval_here(const struct rule *r, atom_t atom);

/* ---- results ---- */

/* checks that the equation binds n results; reports T006 */
bool rule_results(struct rule *r, u64 n);

/* checks that result i is bound with this type; reports T003. False only after an error */
bool rule_result(struct rule *r, u32 i, const struct aval *type);

/* avals_agree for a result, for rules with messages of their own: if YES, the result counts as verified */
enum truth result_agrees(struct rule *r, const struct aval *type, const struct aval *binder);

/* checks that result i has the type of operand i, one for each; reports T006, T003 */
bool results_like_operands(struct rule *r);

/* the type printed for result i; unknown where the equation binds no such result */
struct aval rule_binder(const struct rule *r, u32 i);

/* whether some value of the program is an object of another system, such as a qubit (checker.c) */
bool rule_objects(struct rule *r);

/* if *out has a 64-bit element type from a parameter, and the binder the 32-bit one or none, takes that of the binder:
 * some programs print the type that was requested, and JAX narrows it if 64-bit types are off (dtypes.py,
 * canonicalize_dtype). True if the binder has the narrower type */
bool forget_width(struct rule *r, struct aval *out);

/* -- parameters ---------------------------------------------------------------------------------------------------
 * Each returns false if there is no value: the parameter is missing, elided or cannot be read, and the rule then trusts
 * the equation. Readers in rules that also check what they read return false in these cases and after a finding, which
 * sets r->failed: `return unranked(r, out)` is right for both. */

struct ints {
    const i64 *at;
    u32 n;
    struct slice text; /* what it was read from */
};
struct dims {
    const struct dim *at;
    u32 n;
};
struct avals {
    const struct aval *at;
    u32 n;
};

/* the dims of a binder that no parameter determines; unknown in a trial run */
struct dims rule_stated_dims(struct rule *r, const struct aval *binder);

/* memory that lives until the next equation */
void *rule_alloc(struct rule *r, size_t size);

/* the parameter's id, or NONE */
param_t rule_param(const struct rule *r, const char *key);

/* the value of a parameter as text or as a kind of value; false if it is absent or of another kind */
bool param_text(const struct rule *r, const char *key, struct slice *out);
bool param_int(const struct rule *r, const char *key, i64 *out);
bool param_bool(const struct rule *r, const char *key, bool *out);
bool param_ints(struct rule *r, const char *key, struct ints *out);    /* `(0, 1)`, `[0]`; not a bare integer */
bool param_dims(struct rule *r, const char *key, struct dims *out);    /* `(8, b - 1, None)` */
bool param_dtype(const struct rule *r, const char *key, dtype_t *out); /* `float32`; false for None */
bool param_is_none(const struct rule *r, const char *key);

/* whether a parameter is printed, but not None: if it cannot be read, its default does not hold */
bool param_is_unread(const struct rule *r, const char *key);

/* the same from bytes: a field of a named tuple, an element of a list */
bool read_ints(struct rule *r, struct slice text, struct ints *out);
bool read_dims(struct rule *r, struct slice text, struct dims *out);
bool read_dim(const struct rule *r, struct slice text, struct dim *out);
bool read_aval(struct rule *r, struct slice text, struct aval *out);

/* the mesh axes of such a type, `{V:x}` of `ShapedArray(float32[4]{V:x})`, with their braces; empty if it has none */
struct slice listed_axes(struct slice text);

/* reads a field of the text of `dimension_numbers`; an optional field, which older versions do not print, is empty if
 * it is missing; a missing required field is reported as T010 */
bool read_numbers(struct rule *r, struct slice text, const char *field, bool optional, struct ints *out);

/* the nested program of a parameter (followed through a shared let), or NONE */
jaxpr_t rule_jaxpr(const struct rule *r, const char *key);

/* the programs of a tuple or list parameter; false if there is no such parameter, or it is of another kind */
struct jaxpr_list {
    const jaxpr_t *at;
    u32 n;
};
bool rule_jaxprs(struct rule *r, const char *key, struct jaxpr_list *out);

/* types of a nested program's binders (i counts invars) and results */
struct aval jaxpr_in_aval(const struct rule *r, jaxpr_t j, u32 i);
struct aval jaxpr_out_aval(const struct rule *r, jaxpr_t j, u32 i);

/* the text from the equation to the next one of its program */
struct span rule_text(struct rule *r);

/* whether that text has a syntax error, so that parts of the equation may be missing; true if there are many findings
 */
bool rule_text_is_broken(struct rule *r);

/* the versions that may have printed the program of the equation */
struct version_range rule_versions(struct rule *r);

/* whether arrays of two types have different numbers of elements */
bool element_counts_differ(const struct module *m, const struct type *from, const struct type *to);

/* whether a reshape may change the number of elements in some version that may have printed it (lax.py,
 * _reshape_shape_rule: from 0.8.2 on); in canonical text `sharding=None` shows that it may */
bool reshape_is_free(const struct module *m, eqn_t e, struct version_range versions);

/* whether `unroll` of a scan must be at least 1, as in versions up to 0.8.1, in all versions that may have printed it;
 * in canonical text, `linear` without `_split_transpose` shows that it must */
bool scan_limits_unroll(const struct module *m, eqn_t e, struct version_range versions);

/* ---- the rules of rows ---- */

/* A rule checks one equation: false if it reported something (or would have, but an operand had failed). A shape rule
 * also fills *out, with the element type of an operand, usually the first, which the dtype rule may replace; rules of
 * rows whose dtype is `own` check their results themselves. */
typedef bool shape_rule(struct rule *r, struct aval *out);
typedef bool dtype_rule(struct rule *r, struct aval *out);

#define PRIM(name, also, min, max, in, shape, dtype, ...) \
    shape_rule shape_##shape; \
    dtype_rule dtype_##dtype;
#include "primitives.def"
#undef PRIM

/* run the rules of the row of the equation's primitive: verify/rules/dispatch.c */
shape_rule prim_shape;
dtype_rule prim_dtype;

#endif
