/* SPDX-License-Identifier: Apache-2.0
 *
 * Varying axes: `{V:x}` after a type means that the value differs between devices along the mesh axis x. JAX prints it
 * inside shard_map with check_vma (since 0.6) and compares it as part of the type. */
#ifndef JX_VARYING_AXES_H
#define JX_VARYING_AXES_H

#include "verify/mesh.h"

/* whether every axis of one list is in the other or in a third, up to the most axes of a mesh */
bool vary_within(struct slice list, struct slice other, struct slice third);

/* the type printed for an operand; NONE if there is none, or if it is not that of an array */
type_t vary_type(const struct rule *r, u32 i);

/* whether some type of the equation has varying axes */
bool vary_shown(const struct rule *r);

/* the axes of a list: "`x`, `y` and `z`" */
const char *vary_names(struct rule *r, struct slice list);

/* whether two types vary, are unreduced and are reduced over the same axes; true if those of one are unknown */
bool vary_alike(const struct rule *r, const struct aval *a, const struct aval *b);

/* whether an array varies, is unreduced and is reduced over the axes in a text, `{V:x}`; true if its type is unknown */
bool vary_as_listed(const struct rule *r, const struct aval *a, struct slice axes);

/* the same as vary_alike, but if the axes are not shown to be manual, a type without a mesh agrees with one that is
 * unreduced or reduced, as with one that is sharded (jax/_src/core.py, cmp_shape_shd_mat_memsp) */
bool vary_agree(struct rule *r, const struct aval *a, const struct aval *b);

/* the kind of the mesh axes of a list; AXIS_UNSHOWN if one is not shown, or if they differ */
enum axis_kind axes_kind(struct rule *r, struct slice axes);

/* checks that a value that is read from a ref, written to it or put into a new one varies over the axes of what the ref
 * holds (jax/_src/state/primitives.py: a value that is written, since JAX_WRITES_VARY). `value` and `ref` are their
 * types, NONE if unknown; `is` says what the value is. Reports T030 at `where`: at an operand for writes, else at a
 * result */
bool rule_ref_varies(struct rule *r, type_t value, type_t ref, struct where where, const char *is);

/* the same of result 0, which is read from a ref of a type */
bool rule_read_varies(struct rule *r, type_t ref);

/* checks that operands and results vary over the axes that the row's column `varying` requires; does nothing if no type
 * of the equation has varying axes. Reports T030 */
bool rule_varies(struct rule *r);

/* checks that only linear operations have unreduced operands, `{U:x}`, and that their results are unreduced over the
 * same axes; similarly for reduced ones, `{R:x}`. Reports T030 */
bool rule_reduces(struct rule *r);

/* what completes an array, as its type prints it, `{U_max:x}`; BY_ANY if it is not unreduced, or if its axes may be
 * manual, unless they are `certain` to be explicit */
enum completion vary_completion(struct rule *r, const struct aval *a, bool certain);

/* the same of a spec, `P(unreduced={'x'}, unreduced_kind=max)`; BY_ANY if it has no kind, or an unknown one */
enum completion spec_completion(struct slice spec);

/* the kind that completes an array, in backticks, such as "`max`" */
const char *completion_kind(enum completion by);

/* checks that the operands and results of a collective vary, and are unreduced and reduced, over the axes that its row
 * requires (jax/_src/lax/parallel.py 0.12, functions named _.._abstract_eval). Reports T030 */
bool rule_moves(struct rule *r);

/* whether some variable of the program that is being checked prints its varying axes. Linear in the program where the
 * text prints some, once per program */
bool varying_shown(struct checker *c);

#endif
