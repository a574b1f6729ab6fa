/* SPDX-License-Identifier: Apache-2.0
 *
 * Which programs of a stream have errors of syntax or scope, and which findings are taken back once a pass has cured
 * what they report. `programs` holds the n programs of the stream throughout. */
#ifndef JX_BROKEN_H
#define JX_BROKEN_H

#include "diag/diag.h"
#include "ir/module.h"

/* What is known of a program's errors, joined by |. */
enum program_verdict {
    VERDICT_ILL_TYPED = 1, /* it has some of sizes or types */
    VERDICT_KEPT = 2,      /* they remain, because the passes do not fix them */
    VERDICT_BOUND = 4,     /* what was unbound is bound */
};

/* whether a finding is of a name that nothing binds, or an outer program: closing a program may cure it */
bool reports_unbound(const struct diag *d);

/* a byte for each program: not 0 for those with errors of syntax or scope, and for those that could not be read at all.
 * `unbound` forgives names that nothing binds. Call mem_free */
u8 *broken_programs(const struct module *m, const program_t *programs, u32 n, const struct diags *ds, bool unbound);

/* takes findings back: of the first `judged`, unbound names, of programs that are VERDICT_BOUND now, and what
 * check_types and check_dims said of programs that are not VERDICT_KEPT. verdicts holds one for each program; the
 * list stays in its order. Linear */
void forget_cured(struct diags *ds, const u8 *verdicts, u32 judged);

/* takes back the findings about names that nothing binds, of those of n programs of which `closed`, the findings of the
 * same text in another form, has none */
void forget_bound(struct diags *ds, u32 n, const struct diags *closed);

#endif
