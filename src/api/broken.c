/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs with errors behind jaxpr.h: which of them are left alone, and which findings are taken back because binding
 * names, or a pass over types, cured what they tell. Linear in programs and findings. */
#include "api/api.h"

#include "canon/prepare.h"

/* whether a finding is of a name that nothing binds, or an outer program: closing a program may cure it */
static bool
is_unbound(const struct diag *d)
{
    return d->code == DIAG_S016 || d->code == DIAG_S012;
}

bool
lib_is_readable(const jx_module *module, u32 i)
{
    const struct program *p = i < module->stream.n ? &module->ir.programs.at[module->stream.at[i]] : NULL;
    return p && !p->broken && p->main != NONE;
}

u8 *
lib_broken(jx_module *module, bool unbound)
{
    u32 n = module->stream.n;
    u8 *broken = mem_zeroed(&module->mem, n + 1);
    for (u32 i = 0; i < module->diags.list.n; i++) {
        const struct diag *d = &module->diags.list.at[i];
        /* what rules and contracts find breaks no program, nor does text beside it */
        bool stands = diag_info(d->code).code[0] == 'S' && d->code != DIAG_S009;
        if (stands && d->level == LEVEL_ERROR && d->program < n && !(unbound && is_unbound(d)))
            broken[d->program] = 1;
    }
    for (u32 i = 0; i < n; i++)
        broken[i] |= module->ir.programs.at[module->stream.at[i]].main == NONE;
    return broken;
}

void
lib_forget_cured(struct diags *ds, const u8 *verdicts, u32 judged)
{
    u32 kept = 0;
    for (u32 i = 0; i < ds->list.n; i++) {
        struct diag d = ds->list.at[i];
        u8 verdict = d.program == NONE ? VERDICT_STANDS : verdicts[d.program];
        bool unbound = is_unbound(&d), scopes = diag_info(d.code).code[0] == 'S';
        bool cured = i < judged && (unbound ? verdict & VERDICT_BOUND : !scopes && !(verdict & VERDICT_STANDS));
        if (!cured) {
            ds->list.at[kept++] = d;
            continue;
        }
        ds->errors -= d.level == LEVEL_ERROR;
        ds->warnings -= d.level == LEVEL_WARNING;
        ds->total--;
    }
    ds->list.n = kept;
}

u8 *
lib_prepare(jx_module *module)
{
    u32 n = module->stream.n;
    u8 *states = lib_broken(module, true), *strict = lib_broken(module, false);
    for (u32 i = 0; i < n; i++)
        states[i] = states[i] ? PREPARED_SKIP : strict[i] ? PREPARED_UNBOUND : 0;
    prepare_programs(&module->ir, module->stream.at, n, states);
    u8 *verdicts = strict; /* what was unbound has been bound where the state says so no more */
    for (u32 i = 0; i < n; i++) {
        bool bound = strict[i] && !(states[i] & (PREPARED_SKIP | PREPARED_UNBOUND));
        verdicts[i] = VERDICT_STANDS | (bound ? VERDICT_BOUND : 0);
    }
    lib_forget_cured(&module->diags, verdicts, module->diags.list.n);
    mem_free(&module->mem, verdicts);
    return states;
}

bool
lib_prepare_due(jx_module *module)
{
    for (u32 i = 0; i < module->diags.list.n; i++)
        if (is_unbound(&module->diags.list.at[i]))
            return true;
    return prepare_due(&module->ir, module->stream.at, module->stream.n);
}

void
lib_forget_bound(jx_module *module, const jx_module *closed)
{
    u32 n = module->stream.n;
    u8 *verdicts = mem_alloc(&module->mem, n + 1);
    memset(verdicts, VERDICT_STANDS | VERDICT_BOUND, n + 1);
    for (u32 i = 0; i < closed->diags.list.n; i++) {
        const struct diag *d = &closed->diags.list.at[i];
        if (is_unbound(d) && d->program < n)
            verdicts[d->program] = VERDICT_STANDS;
    }
    lib_forget_cured(&module->diags, verdicts, module->diags.list.n);
    mem_free(&module->mem, verdicts);
}
