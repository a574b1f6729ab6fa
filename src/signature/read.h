/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures as text: reading, validation, and use. */
#ifndef JX_SIGNATURE_READ_H
#define JX_SIGNATURE_READ_H

#include "diag/diag.h"
#include "ir/module.h"
#include "ir/signature.h"

/* One signature that was read. */
struct signature_text {
    bool out;     /* an out_type */
    bool labeled; /* the text has a label */
    bool arrow;   /* it is one side of `(f32[8]) -> f32[8]` */
    bool broken;  /* it has an error, which was reported */
    u32 at;       /* first byte */
    VEC(struct sig_entry) entries;
    VEC(struct span) spans; /* the places of the entries' types */
    VEC(struct span) flags; /* the places of their flags, or of their types if they have none */
};

/* reads the next signature at or after *at: a Python tuple or list with types spelled as in programs or in JAX's repr,
 * or one side of `(f32[8], f32[4]) -> f32[8]`. The label `in_type` or `out_type` may precede it; without a label it is
 * an in_type, unless InDBIdx or OutDBIdx occur. Advances *at; false at the end of the text. Reports D120. Linear */
bool signature_read(struct module *m, struct diags *ds, u32 *at, struct signature_text *out);

/* checks a signature by the rules of jax/_src/linear_util.py, _check_input_type, and those that its users rely on: an
 * in_type contains only DBIdx, an out_type InDBIdx and OutDBIdx; references are to earlier integer scalars; implicit
 * entries are referenced. `in` is the in_type of an out_type, constants first; NULL if it is unknown. Reports D121 to
 * D126 and sets out->broken. Linear */
void signature_validate(struct module *m, struct diags *ds, struct signature_text *sig,
                        const struct signature_text *in);

/* One operand: a name or a number, and its type, if given. */
struct sig_operand {
    struct slice text;
    type_t type; /* NONE if it was not given */
};

/* splits `a b:f64[a] 3`, and appends the operands to out, a VEC(struct sig_operand). The bytes must outlive the
 * module */
void operands_read(struct module *m, struct slice text, void *out);

/* appends to the sink the binders that an in_type describes: `a:i64[] b:f64[a]` (jax/_src/interpreters/partial_eval.py,
 * _input_type_to_tracers). The signature must be valid */
void signature_binders(struct module *m, const struct signature_text *sig, struct sink *out);

/* appends the results of an equation with these operands, named by the first unused letters; implicit results that are
 * in no type are `_` (jax/_src/core.py, substitute_vars_in_output_ty). Reports D125 at a reference that is out of range
 * and returns false */
bool signature_results(struct module *m, struct diags *ds, const struct signature_text *sig,
                       const struct sig_operand *operands, u32 n, struct sink *out);

/* appends the implicit arguments that the explicit ones imply, and then the explicit ones: `d a b` of `a:f64[d]
 * b:f64[d]` (jax/_src/interpreters/partial_eval.py, _extract_implicit_args). Reports D127 and returns false if two
 * sizes differ that are equal in the in_type, or the arguments do not fit */
bool signature_implicit(struct module *m, struct diags *ds, const struct signature_text *sig,
                        const struct sig_operand *operands, u32 n, struct sink *out);

#endif
