/* SPDX-License-Identifier: Apache-2.0
 *
 * Inferring types of results without a printed type, equation by equation. */
#ifndef JX_INFER_H
#define JX_INFER_H

#include "ir/module.h"

struct aval;
struct checker;
struct inferrer;

/* keeps what a rule worked out about a result that prints no type, for the equations that read it; false where some of
 * it is unknown */
bool infer_result(struct checker *c, var_t v, const struct aval *type);

/* keeps the type of the first operand that goes to a binder of a nested program, where it prints none */
void infer_binder(struct checker *c, var_t v, const struct aval *type);

/* works out, for c, the types of nested programs that print none: operands' flow in and results' out, a level a pass.
 * Linear in the module, as passes are bounded */
void infer_nested(struct checker *c);

/* makes an inferrer, which runs the rules for equations of a resolved module without reporting. One is enough for all
 * programs: its tables are as large as the module, made for the first equation and extended as passes append to it.
 * Free it with inferrer_free */
struct inferrer *inferrer_new(struct module *m);
void inferrer_free(struct inferrer *x);

/* works out the results of an equation from the types that its operands have now */
void infer_equation(struct inferrer *x, eqn_t e);

/* the type of a result of an equation that was asked, interned, or NONE where it is printed or some of it is not
 * known. `fallback`: the element type where the operands, literals without a type, determine none; or NONE */
type_t inferred_type(struct inferrer *x, var_t v, dtype_t fallback);

#endif
