/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs with errors: which of them are not rewritten, and which findings are removed because binding names, or a
 * pass over types, fixed the error. Linear in programs and findings. */
#include "resolve/broken.h"

bool
reports_unbound(const struct diag *d)
{
    return d->code == DIAG_S016 || d->code == DIAG_S012;
}

u8 *
broken_programs(const struct module *m, const program_t *programs, u32 n, const struct diags *ds, bool unbound)
{
    u8 *broken = mem_zeroed(m->mem, n + 1);
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        /* findings of rules and contracts do not make a program invalid, nor does text outside it */
        bool scope = diag_info(d->code).code[0] == 'S' && d->code != DIAG_S009;
        if (scope && d->level == LEVEL_ERROR && d->program < n && !(unbound && reports_unbound(d)))
            broken[d->program] = 1;
    }
    for (u32 i = 0; i < n; i++)
        broken[i] |= m->programs.at[programs[i]].main == NONE;
    return broken;
}

/* What is_fixed asks. */
struct fixes {
    const u8 *verdicts;
    u32 n_checked;
};

/* whether a pass fixed what the i-th finding reports */
static bool
is_fixed(const struct diag *d, u32 i, const void *user)
{
    const struct fixes *fixes = user;
    u8 verdict = d->program == NONE ? VERDICT_KEPT : fixes->verdicts[d->program];
    bool scopes = diag_info(d->code).code[0] == 'S', kept_as_text = d->code == DIAG_T010 && d->level == LEVEL_WARNING;
    if (i >= fixes->n_checked || kept_as_text)
        return false;
    return reports_unbound(d) ? verdict & VERDICT_BOUND : !scopes && !(verdict & VERDICT_KEPT);
}

void
drop_fixed_findings(struct diags *ds, const u8 *verdicts, u32 n_checked)
{
    diags_drop(ds, is_fixed, &(struct fixes){verdicts, n_checked});
}

void
report_refusal(struct diags *ds, const struct refusal *refusal, const struct diags *found)
{
    bool had[DIAG_COUNT] = {false};
    const struct diag *d = NULL;
    for (u32 i = 0; i < refusal->n_checked; i++)
        had[ds->list.at[i].code] |= ds->list.at[i].program == refusal->program && ds->list.at[i].level == LEVEL_ERROR;
    for (u32 i = 0; i < found->list.n && d == NULL; i++) {
        const struct diag *next = &found->list.at[i];
        d = next->program == refusal->program && next->level == LEVEL_ERROR && !had[next->code] ? next : NULL;
    }
    if (d == NULL)
        return;
    enum diag_code code = refusal->expanded ? DIAG_D132 : d->code;
    const char *what = refusal->expanded ? "expanded" : "rewritten";
    ds->program = refusal->program;
    if (refusal->renamed)
        diag_add(ds, code, d->at, d->n, "the program cannot be %s: it would have an error here, %s %s", what,
                 diag_info(d->code).code, diag_info(d->code).name);
    else
        diag_add(ds, code, d->at, d->n, "the program cannot be %s: %.*s", what, (int)d->message.n, d->message.at);
    if (refusal->expanded)
        diag_note_fixed(ds,
                        SLICE("each size of each array that a loop with preserve_dimensions=False carries is separate, "
                              "even where the arrays have equal sizes before the loop"));
    else
        diag_note_fixed(ds, SLICE("the types and sizes that the text lacks do not fit together"));
    ds->program = NONE;
}

void
forget_bound(struct diags *ds, u32 n, const struct diags *closed)
{
    u8 *verdicts = mem_alloc(ds->mem, n + 1);
    memset(verdicts, VERDICT_KEPT | VERDICT_BOUND, n + 1);
    for (u32 i = 0; i < closed->list.n; i++) {
        const struct diag *d = &closed->list.at[i];
        if (reports_unbound(d) && d->program < n)
            verdicts[d->program] = VERDICT_KEPT;
    }
    drop_fixed_findings(ds, verdicts, ds->list.n);
    mem_free(ds->mem, verdicts);
}
