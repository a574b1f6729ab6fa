/* SPDX-License-Identifier: Apache-2.0
 *
 * What makes a signature valid, and what is made from a valid one: binders, results, implicit arguments. Linear. */
#include "resolve/dim_resolve.h"
#include "signature/read.h"

#include "base/value.h"

static bool
is_reference(const struct dim *d)
{
    return d->kind == DIM_DBIDX || d->kind == DIM_INDBIDX || d->kind == DIM_OUTDBIDX;
}

static const struct type *
entry_type(const struct module *m, const struct signature_text *sig, u32 i)
{
    return type_get(&m->types, sig->entries.at[i].type);
}

/* ---- validity ---- */

struct validating {
    struct module *m;
    struct diags *ds;
    struct signature_text *sig;
    const struct signature_text *in; /* what an out_type refers to, or NULL */
    u8 *counted;                     /* by entry: a later one refers to it */
    u32 unresolved; /* how many references have a wrong target: each may be meant for an entry that seems unused */
};

/* the place of a size in the type of entry i; the whole type if the text spells it differently */
static struct span
reference_span(const struct module *m, const struct signature_text *sig, u32 i, const struct dim *d)
{
    static const char word[] = "DBIdx(";
    const struct type *t = entry_type(m, sig, i);
    struct span s = sig->spans.at[i];
    const char *p = m->text.at + s.at, *end = p + s.n, *close = NULL;
    u32 left = 1;
    if (!is_reference(d) && slice_eq((struct slice){p, s.n}, t->text) && d->text.at >= t->text.at &&
        d->text.at + d->text.n <= t->text.at + t->text.n)
        return (struct span){s.at + (u32)(d->text.at - t->text.at), (u32)d->text.n};
    for (const struct dim *other = type_dims(&m->types, t); other < d; other++)
        left += is_reference(other);
    for (; is_reference(d) && left > 0 && (p = memmem(p, (size_t)(end - p), word, sizeof word - 1)); left--)
        p += sizeof word - 1;
    if (!is_reference(d) || !p || !(close = memchr(p, ')', (size_t)(end - p))))
        return s;
    p -= sizeof word - 1 + (d->kind == DIM_INDBIDX ? 2 : d->kind == DIM_OUTDBIDX ? 3 : 0);
    return (struct span){(u32)(p - m->text.at), (u32)(close + 1 - p)};
}

static void
wrong(struct validating *v, enum diag_code code, u32 entry, const char *message, const struct dim *d)
{
    struct span s = d ? reference_span(v->m, v->sig, entry, d) : v->sig->flags.at[entry];
    const char *text = d ? diag_quote(v->ds, d->text) : "";
    diag_add(v->ds, code, s.at, s.n, message, text, entry);
    v->sig->broken = true;
}

static void
report_target(struct validating *v, u32 i, const struct dim *d, bool own, type_t target)
{
    struct span s = reference_span(v->m, v->sig, i, d), there = (own ? v->sig : v->in)->spans.at[d->value];
    diag_add(v->ds, DIAG_D123, s.at, s.n, "`%s` of entry %u refers to %s %lld, `%s`, which is not an integer scalar",
             diag_quote(v->ds, d->text), i, own ? "entry" : "input", (long long)d->value,
             diag_quote(v->ds, type_get(&v->m->types, target)->text));
    diag_note(v->ds, there.at, there.n, "this is %s %lld", own ? "entry" : "input", (long long)d->value);
    v->sig->broken = true;
}

static void
validate_reference(struct validating *v, u32 i, const struct dim *d)
{
    bool own = v->sig->out ? d->kind == DIM_OUTDBIDX : d->kind == DIM_DBIDX;
    if (v->sig->out ? d->kind == DIM_DBIDX : d->kind != DIM_DBIDX) {
        wrong(v, DIAG_D124, i,
              v->sig->out
                  ? "`%s` of entry %u is allowed only in an in_type; an out_type must use `InDBIdx` or `OutDBIdx`"
                  : "`%s` of entry %u is allowed only in an out_type; an in_type must use `DBIdx`",
              d);
        v->unresolved++;
        return;
    }
    if (own && (d->value < 0 || d->value >= i)) {
        wrong(v, DIAG_D121, i, "`%s` of entry %u must refer to an earlier entry", d);
        v->unresolved++;
        return;
    }
    if (!own && (d->value < 0 || (v->in && d->value >= v->in->entries.n))) {
        struct span s = reference_span(v->m, v->sig, i, d);
        u32 n = v->in ? v->in->entries.n : 0;
        diag_add(v->ds, DIAG_D125, s.at, s.n, "`%s` of entry %u is out of range: the in_type has %u %s",
                 diag_quote(v->ds, d->text), i, n, n == 1 ? "entry" : "entries");
        if (v->in)
            diag_note(v->ds, v->in->at, 1, "the in_type is here");
        v->sig->broken = true;
        return;
    }
    type_t target = own ? v->sig->entries.at[d->value].type : v->in ? v->in->entries.at[d->value].type : NONE;
    bool unknown = target == NONE || slice_eq(type_get(&v->m->types, target)->text, SLICE("?"));
    if (!unknown && !type_is_dim(v->m, target))
        report_target(v, i, d, own, target);
    if (own)
        v->counted[d->value] = 1;
}

/* reports an implicit entry to which no entry refers, unless a reference that was reported may be meant for it */
static void
report_unused(struct validating *v, u32 i)
{
    if (v->unresolved > 0)
        v->unresolved--;
    else
        wrong(v, DIAG_D122, i, "%sentry %u is implicit, but it is not a size of a later entry", NULL);
}

/* true if exchanging True and False makes every implicit entry referenced */
static bool
inverted(const struct validating *v)
{
    bool any = false;
    for (u32 i = 0; i < v->sig->entries.n; i++) {
        if (v->sig->entries.at[i].flag == SIG_EXPLICIT && !v->counted[i])
            return false;
        any |= v->sig->entries.at[i].flag == SIG_EXPLICIT;
    }
    return any;
}

/* checks that implicit entries are referenced and come first. Loops of Catalyst return sizes that only InDBIdx refers
 * to */
static void
validate_implicit(struct validating *v)
{
    bool explained = false, in_names = false;
    u32 first = NONE; /* explicit entry */
    for (u32 i = 0; i < v->sig->entries.n; i++) {
        const struct type *t = entry_type(v->m, v->sig, i);
        for (u32 k = 0; k < t->rank; k++)
            in_names |= type_dims(&v->m->types, t)[k].kind == DIM_INDBIDX;
    }
    for (u32 i = 0; i < v->sig->entries.n; i++) {
        u8 flag = v->sig->entries.at[i].flag;
        if (flag == SIG_IMPLICIT && !v->counted[i] &&
            !(v->sig->out && in_names && type_is_dim(v->m, v->sig->entries.at[i].type))) {
            report_unused(v, i);
            if (!explained && inverted(v))
                diag_note(v->ds, NONE, 0, "True means explicit: the flags seem to be inverted");
            explained = true;
        } else if (flag == SIG_IMPLICIT && first != NONE) {
            struct span s = v->sig->flags.at[i], there = v->sig->flags.at[first];
            diag_add(v->ds, DIAG_D126, s.at, s.n, "entry %u is implicit, but comes after entry %u, which is explicit",
                     i, first);
            diag_note(v->ds, there.at, there.n, "entry %u is explicit", first);
        }
        if (flag == SIG_EXPLICIT && first == NONE)
            first = i;
    }
}

void
signature_validate(struct module *m, struct diags *ds, struct signature_text *sig, const struct signature_text *in)
{
    struct validating v = {m, ds, sig, in, mem_alloc(m->mem, sig->entries.n + 1)};
    memset(v.counted, 0, sig->entries.n + 1);
    for (u32 i = 0; i < sig->entries.n; i++) {
        const struct type *t = entry_type(m, sig, i);
        for (u32 k = 0; k < t->rank; k++) {
            const struct dim *d = &type_dims(&m->types, t)[k];
            if (is_reference(d))
                validate_reference(&v, i, d);
            else if (d->kind != DIM_INT)
                wrong(&v, DIAG_D124, i,
                      sig->out ? "the size `%s` of entry %u must be a number or a reference such as `InDBIdx(0)`"
                               : "the size `%s` of entry %u must be a number or a reference such as `DBIdx(0)`",
                      d);
        }
    }
    if (!sig->broken)
        validate_implicit(&v);
    else
        for (u32 i = 0; i < sig->entries.n; i++)
            if (sig->entries.at[i].flag == SIG_IMPLICIT && !v.counted[i] && !sig->out)
                report_unused(&v, i);
    mem_free(m->mem, v.counted);
}

/* ---- operands ---- */

void
operands_read(struct module *m, struct slice text, void *out)
{
    VEC(struct sig_operand) *operands = out;
    struct cursor c = cursor_of(text);
    for (struct slice word; value_item(&c, &word);) {
        const char *colon = memchr(word.at, ':', word.n);
        struct sig_operand operand = {.text = word, .type = NONE};
        if (colon) {
            operand.text.n = (size_t)(colon++ - word.at);
            while (colon < c.p && *colon == '~') /* weak types are not part of signatures */
                colon++;
            struct slice type = {colon, (size_t)(c.p - colon)};
            operand.type = type.n ? types_intern(&m->types, arena_copy(m->mem, type)) : NONE;
        }
        *vec_push(m->mem, operands) = operand;
    }
}

/* ---- binders and results ---- */

/* the n-th name of JAX: a .. z, ba .. */
static struct slice
numeral(struct module *m, u32 n)
{
    char letters[8];
    return arena_copy(m->mem, (struct slice){letters, (size_t)(numeral_write(letters, n) - letters)});
}

/* appends a type with references replaced: own[k] is the name of entry k, in[k] of operand k. Returns the first
 * reference that is out of range, or NULL */
static const struct dim *
write_type(struct module *m, struct sink *out, const struct type *t, const struct slice *own,
           const struct sig_operand *in, u32 n_in)
{
    const char *at = t->text.at;
    const struct dim *beyond = NULL;
    for (u32 k = 0; k < t->rank; k++) {
        const struct dim *d = &type_dims(&m->types, t)[k];
        sink_write(out, at, (size_t)(d->text.at - at));
        if (d->kind == DIM_INDBIDX && in && d->value < n_in)
            sink_slice(out, in[d->value].text);
        else if (d->kind == DIM_DBIDX || d->kind == DIM_OUTDBIDX)
            sink_slice(out, own[d->value]);
        else
            sink_slice(out, d->text);
        beyond = !beyond && d->kind == DIM_INDBIDX && d->value >= n_in ? d : beyond;
        at = d->text.at + d->text.n;
    }
    sink_write(out, at, (size_t)(t->text.at + t->text.n - at));
    return beyond;
}

void
signature_binders(struct module *m, const struct signature_text *sig, struct sink *out)
{
    struct slice *names = mem_alloc(m->mem, (sig->entries.n + 1) * sizeof *names);
    for (u32 i = 0; i < sig->entries.n; i++) {
        names[i] = numeral(m, i);
        if (i)
            sink_char(out, ' ');
        sink_slice(out, names[i]);
        sink_char(out, ':');
        write_type(m, out, entry_type(m, sig, i), names, NULL, 0);
    }
    sink_char(out, '\n');
    mem_free(m->mem, names);
}

static bool
taken(const struct sig_operand *operands, u32 n, struct slice name)
{
    for (u32 i = 0; i < n; i++)
        if (slice_eq(operands[i].text, name))
            return true;
    return false;
}

/* the first numeral from *next on that is not the name of an operand. At most n steps for all results together, since n
 * operands have at most n names; each step inspects the operands once */
static struct slice
free_numeral(struct module *m, const struct sig_operand *operands, u32 n, u32 *next)
{
    struct slice name;
    do
        name = numeral(m, (*next)++);
    while (taken(operands, n, name));
    return name;
}

bool
signature_results(struct module *m, struct diags *ds, const struct signature_text *sig,
                  const struct sig_operand *operands, u32 n, struct sink *out)
{
    u32 count = sig->entries.n, next = 0;
    struct slice *names = mem_alloc(m->mem, (count + 1) * sizeof *names);
    u8 *counted = mem_alloc(m->mem, count + 1);
    bool fine = true;
    memset(counted, 0, count + 1);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < entry_type(m, sig, i)->rank; k++) {
            const struct dim *d = &type_dims(&m->types, entry_type(m, sig, i))[k];
            if (d->kind == DIM_OUTDBIDX)
                counted[d->value] = 1;
        }
    for (u32 i = 0; i < count; i++) {
        bool unused = sig->entries.at[i].flag == SIG_IMPLICIT && !counted[i];
        names[i] = unused ? SLICE("_") : free_numeral(m, operands, n, &next);
        if (i)
            sink_char(out, ' ');
        sink_slice(out, names[i]);
        sink_char(out, ':');
        const struct dim *beyond = write_type(m, out, entry_type(m, sig, i), names, operands, n);
        if (beyond) {
            struct span s = reference_span(m, sig, i, beyond);
            diag_add(ds, DIAG_D125, s.at, s.n, "`%s` of entry %u is out of range: --results has %u operand%s",
                     diag_quote(ds, beyond->text), i, n, n == 1 ? "" : "s");
            fine = false;
        }
    }
    sink_char(out, '\n');
    mem_free(m->mem, counted);
    mem_free(m->mem, names);
    return fine;
}

/* ---- implicit arguments ---- */

/* true if a value of a type may match an entry: its sizes are equal numbers, or references */
static bool
may_be(const struct module *m, const struct type *have, const struct type *want)
{
    bool fits = have->kind == want->kind && have->dtype == want->dtype && have->rank == want->rank;
    for (u32 k = 0; k < want->rank && fits; k++) {
        const struct dim *a = &type_dims(&m->types, have)[k], *b = &type_dims(&m->types, want)[k];
        fits = a->kind != DIM_INT || b->kind != DIM_INT || a->value == b->value;
    }
    return fits;
}

/* checks that an argument with a type has that of its entry, and that the entry of one without a type has no
 * references, as it provides no sizes; reports D127 */
static bool
argument_fits(const struct module *m, struct diags *ds, const struct signature_text *sig, u32 i,
              const struct sig_operand *argument)
{
    const struct type *want = entry_type(m, sig, i);
    bool typed = argument->type != NONE;
    if (typed ? may_be(m, type_get(&m->types, argument->type), want) : !want->dynamic)
        return true;
    struct span s = sig->spans.at[i];
    struct slice have = typed ? type_get(&m->types, argument->type)->text : SLICE("without a type");
    diag_add(ds, DIAG_D127, s.at, s.n, "the argument `%s` of --implicit is %s, but entry %u requires %s",
             diag_quote(ds, argument->text), diag_quote(ds, have), i, diag_quote(ds, want->text));
    return false;
}

/* the axis of an operand that gave a size its value; operand is NULL if the size is an operand itself */
struct size_origin {
    const struct sig_operand *operand;
    u32 axis;
};

static void
report_size(struct module *m, struct diags *ds, struct span s, const struct size_origin *first,
            const struct size_origin *here, struct slice size)
{
    const char *as = ", an explicit operand";
    if (first->operand)
        as = arena_printf(m->mem, ", the size of axis %u of `%s`, which is %s", first->axis,
                          diag_quote(ds, first->operand->text),
                          diag_quote(ds, type_get(&m->types, first->operand->type)->text))
                 .at;
    diag_add(ds, DIAG_D127, s.at, s.n, "--implicit: `%s` is %s, but its axis %u must have size `%s`%s",
             diag_quote(ds, here->operand->text), diag_quote(ds, type_get(&m->types, here->operand->type)->text),
             here->axis, diag_quote(ds, size), as);
}

bool
signature_implicit(struct module *m, struct diags *ds, const struct signature_text *sig,
                   const struct sig_operand *operands, u32 n, struct sink *out)
{
    u32 count = sig->entries.n, next = 0;
    struct slice *values = mem_alloc(m->mem, (count + 1) * sizeof *values);
    struct size_origin *origins = mem_alloc(m->mem, (count + 1) * sizeof *origins);
    bool fine = true;
    memset(values, 0, (count + 1) * sizeof *values);
    memset(origins, 0, (count + 1) * sizeof *origins);
    for (u32 i = 0; i < count; i++)
        if (sig->entries.at[i].flag != SIG_IMPLICIT)
            values[i] = next < n ? operands[next].text : SLICE("?"), next++;
    if (next != n) {
        diag_add(ds, DIAG_D127, sig->at, 1, "the signature has %u explicit %s, but --implicit has %u argument%s", next,
                 next == 1 ? "entry" : "entries", n, n == 1 ? "" : "s");
        mem_free_all(m->mem, values, origins);
        return false;
    }
    next = 0;
    for (u32 i = 0; i < count && fine; i++) {
        if (sig->entries.at[i].flag == SIG_IMPLICIT)
            continue;
        const struct sig_operand *operand = &operands[next++];
        const struct type *want = entry_type(m, sig, i);
        fine = argument_fits(m, ds, sig, i, operand);
        for (u32 k = 0; k < want->rank && fine; k++) {
            const struct dim *d = &type_dims(&m->types, want)[k];
            if (d->kind != DIM_DBIDX)
                continue;
            struct slice size = type_dims(&m->types, type_get(&m->types, operand->type))[k].text;
            if (!values[d->value].at) {
                values[d->value] = size;
                origins[d->value] = (struct size_origin){operand, k};
            }
            if (slice_eq(values[d->value], size))
                continue;
            report_size(m, ds, sig->spans.at[i], &origins[d->value], &(struct size_origin){operand, k},
                        values[d->value]);
            fine = false;
        }
    }
    for (u32 i = 0; i < count && fine; i++) {
        if (i)
            sink_char(out, ' ');
        sink_slice(out, values[i]);
    }
    if (fine)
        sink_char(out, '\n');
    mem_free_all(m->mem, values, origins);
    return fine;
}
