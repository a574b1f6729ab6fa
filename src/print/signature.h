/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures as text: Python's tuples, as JAX's own repr of an InputType, but types spelled as programs spell them. */
#ifndef JX_PRINT_SIGNATURE_H
#define JX_PRINT_SIGNATURE_H

#include "base/sink.h"
#include "ir/module.h"
#include "ir/signature.h"

/* writes `((i64[],False),(f64[DBIdx(0)],True))`; a constant has `const` for its flag, a type not known is `?` */
void signature_write(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n);

/* writes `[["i64[]", false], ["f64[DBIdx(0)]", true]]`; a constant has "const" for its flag, a type not known is
 * null */
void signature_write_json(struct sink *out, const struct module *m, const struct sig_entry *entries, u32 n);

#endif
