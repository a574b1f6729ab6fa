/* SPDX-License-Identifier: Apache-2.0
 *
 * Inferring types of results without a printed type, equation by equation. */
#ifndef JX_INFER_H
#define JX_INFER_H

#include "ir/module.h"

struct aval;
struct check_options;
struct checker;
struct diags;
struct inferrer;
struct resolution;

/* stores the type that a rule computed for a result without a printed type; false if some of it is unknown. In a probe
 * (provenance.h), this and the next two functions store nothing, and return true */
bool infer_result(struct checker *c, var_t v, const struct aval *type);

/* the same for a type of another program: sizes that are variables there are unknown here */
bool infer_across(struct checker *c, var_t v, const struct aval *type);

/* stores the type of an operand passed to the k-th binder of a program, if that prints no type. If calls of a shared
 * program without types disagree, it remains unknown: the canonical form prints programs once that differ only in types
 * that are not printed */
void infer_binder(struct checker *c, jaxpr_t j, u32 k, const struct aval *type);

/* makes a checker of a module, to be freed with checker_free. Variables in found->unsized count as reported, and types
 * that nested programs do not print are inferred: from operands inwards and from results outwards, one level per pass.
 * Linear in the module, as the number of passes is bounded */
struct checker *check_begin(struct module *m, const struct check_options *options, const struct resolution *found,
                            struct diags *ds);

/* makes an inferrer, which runs the rules for equations of a resolved module without reporting. One is enough for all
 * programs: its tables are as large as the module, made for the first equation and extended as passes append to it.
 * Free it with inferrer_free */
struct inferrer *inferrer_new(struct module *m);
void inferrer_free(struct inferrer *x);

/* the equations whose types are inferred next are of this program */
void inferrer_enter(struct inferrer *x, program_t program);

/* forgets what was inferred for n variables from `first` on: other types may have become known */
void infer_again(struct inferrer *x, var_t first, u32 n);

/* infers the results of an equation from the current types of its operands */
void infer_equation(struct inferrer *x, eqn_t e);

/* after infer_equation: whether some type of the module has a sharding; infer_equation computes no shardings of
 * results */
bool inferrer_shards(const struct inferrer *x);

/* the interned type of a result after infer_equation; NONE if it is printed or not completely known. `fallback`: the
 * element type for results of untyped literals, or NONE */
type_t inferred_type(struct inferrer *x, var_t v, dtype_t fallback);

#endif
