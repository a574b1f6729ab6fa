/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures as text: reading, validation, and what they are for. */
#ifndef JX_SIGNATURE_READ_H
#define JX_SIGNATURE_READ_H

#include "diag/diag.h"
#include "ir/module.h"
#include "ir/signature.h"

/* One signature that was read. */
struct signature_text {
    bool out;     /* an out_type */
    bool labeled; /* the text said which */
    bool arrow;   /* before or after the arrow of `(f32[8]) -> f32[8]` */
    bool broken;  /* something was reported */
    u32 at;       /* first byte */
    VEC(struct sig_entry) entries;
    VEC(struct span) spans; /* of the entries' types */
};

/* reads the next signature at or after *at, in Python's tuples or lists, types spelled as programs or as JAX's repr
 * spells them, with `in_type` or `out_type` before or not: without, it is an in_type unless InDBIdx or OutDBIdx occur.
 * Or one side of `(f32[8], f32[4]) -> f32[8]`. Moves *at past it; false at the end of the text. Reports what is
 * malformed (D120). Linear */
bool signature_read(struct module *m, struct diags *ds, u32 *at, struct signature_text *out);

/* holds a signature to the rules of jax/_src/linear_util.py, _check_input_type, and to those its consumers rely on: an
 * in_type holds DBIdx alone, an out_type InDBIdx and OutDBIdx; references point left, at integer scalars; implicit
 * entries are pointed at. n_in is how many inputs there are, constants first; NONE where it is not known. Reports D121
 * to D126 and sets out->broken. Linear */
void signature_validate(struct module *m, struct diags *ds, struct signature_text *sig, const struct sig_entry *in,
                        u32 n_in);

/* One operand: a name or a number, and its type where it was given. */
struct sig_operand {
    struct slice text;
    type_t type; /* NONE where it was not given */
    bool literal;
};

/* splits `a b:f64[a] 3`; out is a VEC(struct sig_operand). The bytes must outlive the module */
void operands_read(struct module *m, struct slice text, void *out);

/* appends to the sink the binders that an in_type describes: `a:i64[] b:f64[a]` (jax/_src/interpreters/partial_eval.py,
 * _input_type_to_tracers). The signature must be valid */
void signature_binders(struct module *m, const struct signature_text *sig, struct sink *out);

/* appends the results an equation with these operands binds, named as the first unused letters; implicit results
 * that no type names are `_` (jax/_src/core.py, substitute_vars_in_output_ty). Reports D125 at a reference that is out
 * of range and returns false */
bool signature_results(struct module *m, struct diags *ds, const struct signature_text *sig,
                       const struct sig_operand *operands, u32 n, struct sink *out);

/* appends the implicit arguments that explicit ones imply, and then these: `d a b` of `a:f64[d] b:f64[d]`
 * (jax/_src/interpreters/partial_eval.py, _extract_implicit_args). Reports D127 where two sizes the in_type says are
 * one differ, or the arguments do not fit, and returns false */
bool signature_implicit(struct module *m, struct diags *ds, const struct signature_text *sig,
                        const struct sig_operand *operands, u32 n, struct sink *out);

#endif
