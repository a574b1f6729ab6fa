/* SPDX-License-Identifier: Apache-2.0
 *
 * Which programs of a stream have errors of syntax or scope, and which findings are removed after a pass has fixed
 * the error. `programs` are always the n programs of the stream. */
#ifndef JX_BROKEN_H
#define JX_BROKEN_H

#include "diag/diag.h"
#include "ir/module.h"

/* The errors of a program, joined by |. */
enum program_verdict {
    VERDICT_ILL_TYPED = 1, /* it has errors of sizes or types */
    VERDICT_KEPT = 2,      /* its errors remain, because the passes do not fix them */
    VERDICT_BOUND = 4,     /* its unbound names are bound now */
};

/* whether a finding is about an unbound name, or one bound by an outer program: closing the program may fix it */
bool reports_unbound(const struct diag *d);

/* a byte for each program, to be freed by mem_free: not 0 for those with errors of syntax or scope; with `unbound`,
 * unbound names are not errors */
u8 *broken_programs(const struct module *m, const program_t *programs, u32 n, const struct diags *ds, bool unbound);

/* removes findings: among the first `n_checked`, those of unbound names of VERDICT_BOUND programs, and those of
 * check_types and check_dims of programs that are not VERDICT_KEPT. verdicts has one for each program. The list keeps
 * its order. Linear */
void drop_fixed_findings(struct diags *ds, const u8 *verdicts, u32 n_checked);

/* What passes did to a program whose result has errors. */
struct refusal {
    u32 program;
    u32 n_checked; /* the first findings are those of the program as it was */
    bool expanded; /* expand changed it */
    bool renamed;  /* the messages of the errors have names that the text does not have */
};

/* reports the error that keeps a program from being rewritten: the first in `found`, the findings of the result, of a
 * kind that it did not have. Linear */
void report_refusal(struct diags *ds, const struct refusal *refusal, const struct diags *found);

/* removes the findings of unbound names in those of n programs that have none in `closed`, the findings of the closed
 * programs */
void forget_bound(struct diags *ds, u32 n, const struct diags *closed);

#endif
