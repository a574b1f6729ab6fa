/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures as text: `(f32[8]) -> f32[8]`, or Python tuples, like JAX's repr of an InputType, but with types
 * spelled as in programs. */
#ifndef JX_PRINT_SIGNATURE_H
#define JX_PRINT_SIGNATURE_H

#include "base/sink.h"
#include "ir/module.h"
#include "ir/signature.h"

/* writes `((i64[],False),(f64[DBIdx(0)],True))`; a constant has the flag `const`, an unknown type is `?` */
void signature_write(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n);

/* whether signature_write_types loses nothing: every entry is explicit and every size is a number */
bool signature_is_plain(const struct module *m, const struct sig_entry *entries, u32 n);

/* writes one side of `(f32[8,16], f32[16,16]) -> f32[8,16]`, the arguments or, with `results`, the results */
void signature_write_types(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n,
                           bool results);

/* writes `[["i64[]", false], ["f64[DBIdx(0)]", true]]`; a constant has the flag "const", an unknown type is null */
void signature_write_json(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n);

#endif
