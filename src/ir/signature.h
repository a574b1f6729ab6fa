/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures: the in_type and out_type of a program (jax/_src/core.py, InputType and OutputType, 0.2.28 to 0.8.1). An
 * entry is a type whose dims are numbers or references, and whether the user's program mentions the value. References
 * are 0-based: DBIdx counts the in_type, InDBIdx the in_type after the constants that precede it, OutDBIdx the
 * out_type. */
#ifndef JX_IR_SIGNATURE_H
#define JX_IR_SIGNATURE_H

#include "ir/type.h"

enum sig_flag {
    SIG_IMPLICIT, /* passed only because it is a dimension */
    SIG_EXPLICIT, /* mentioned by the user's program */
    SIG_CONSTANT, /* a constant that became an argument; printed without a flag */
};

struct sig_entry {
    type_t type; /* dims spelled `DBIdx(0)`, `InDBIdx(0)`, `OutDBIdx(0)` */
    u8 flag;     /* enum sig_flag */
};

struct signature {
    VEC(struct sig_entry) in, out;
};

#endif
