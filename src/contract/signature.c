/* SPDX-License-Identifier: Apache-2.0
 *
 * The signature of a contract, compared entry by entry with that of the program. Both are lists of a type and a
 * flag, `((f32[3],True),(f32[],True))`; spaces are ignored. Linear. */
#include "contract/contract.h"

#include "base/decimal.h"
#include "base/value.h"
#include "resolve/dim_resolve.h"

/* One entry of a written signature. */
struct written {
    struct slice type, flag;
};

/* reads the next entry; false at the end */
static bool
written_next(struct cursor *c, struct written *out)
{
    struct slice entry;
    *out = (struct written){{"", 0}, {"", 0}};
    if (!value_element(c, &entry))
        return false;
    struct cursor inside = cursor_inside(entry);
    if (value_element(&inside, &out->type))
        value_element(&inside, &out->flag);
    return true;
}

static struct slice
flag_words(u8 flag)
{
    return flag == SIG_CONSTANT ? SLICE("const") : flag == SIG_EXPLICIT ? SLICE("True") : SLICE("False");
}

/* the location of entry i of n in the program, or the program's first byte if the entry is implicit */
static struct span
entry_span(const struct contract_check *b, bool out, u32 i, u32 n)
{
    const struct module *m = b->in->m;
    jaxpr_t root = b->inventory->root;
    const struct jaxpr *j = &m->jaxprs.at[root];
    u32 has = out ? j->n_outs : jaxpr_binders(j);
    if (has == 0 || i + has < n)
        return (struct span){contract_check_start(b), 1};
    i = i + has - n; /* if there are more entries than binders, the first entries are implicit */
    return out ? jaxpr_out_span(m, root, i) : jaxpr_binder_span(m, root, i);
}

static struct slice
entry_text(const struct contract_check *b, const struct sig_entry *e)
{
    return e->type == NONE ? SLICE("?") : type_get(&b->in->m->types, e->type)->text;
}

/* The contract's value for the types of the arguments or, with `out`, of the results, and the actual types. */
struct sig_side {
    u32 value;
    bool out;
    const struct sig_entry *entries;
    u32 n;
};

static void
check_entry(const struct contract_check *b, const struct sig_side *s, u32 i, struct written want)
{
    struct diags *ds = b->in->ds;
    const struct sig_entry *e = &s->entries[i];
    struct slice type = entry_text(b, e);
    bool same = value_alike(type, want.type);
    if (same && value_alike(flag_words(e->flag), want.flag))
        return;
    struct span span = entry_span(b, s->out, i, s->n);
    const char *side = s->out ? "result" : "argument";
    if (!same)
        diag_add(ds, DIAG_K804, span.at, span.n, "the %s %s is %s; the contract requires %s", ordinal_of(i).text, side,
                 diag_quote(ds, type), diag_quote(ds, want.type));
    else
        diag_add(ds, DIAG_K804, span.at, span.n, "the %s %s is %s; the contract requires it to be %s",
                 ordinal_of(i).text, side,
                 e->flag == SIG_CONSTANT   ? "a constant"
                 : e->flag == SIG_EXPLICIT ? "explicit"
                                           : "implicit",
                 value_alike(want.flag, SLICE("True"))    ? "explicit"
                 : value_alike(want.flag, SLICE("const")) ? "a constant"
                                                          : "implicit");
    contract_note_part(b, DIAG_K804, s->value, same ? want.flag : want.type,
                       same ? "the required flag" : "the required type");
}

static void
check_side(const struct contract_check *b, const struct sig_side *s)
{
    u32 n = s->n;
    if (s->value == NONE)
        return;
    if (b->in->edits) {
        contract_edit(b->in->edits, s->value, s->out ? SLICE("out_type") : SLICE("in_type"),
                      b->in->spell(b->in->user, s->entries, n));
        return;
    }
    if (!contract_reports(b, DIAG_K804))
        return;
    struct slice text = config_node(b->c, s->value)->word;
    struct cursor inside = cursor_inside(text);
    struct written want;
    u32 count = 0;
    for (; written_next(&inside, &want); count++)
        if (count < n)
            check_entry(b, s, count, want);
    if (count == n)
        return;
    struct span span = n > 0 ? entry_span(b, s->out, n - 1, n) : (struct span){contract_check_start(b), 1};
    diag_add(b->in->ds, DIAG_K804, span.at, span.n, "the program has %u %s%s; the contract requires %u", n,
             s->out ? "result" : "argument", n == 1 ? "" : "s", count);
    contract_note(b, DIAG_K804, s->value, "this signature is required here");
}

void
contract_signature(const struct contract_check *b)
{
    u32 in = contract_value(b, KEY_signature_in_type), out = contract_value(b, KEY_signature_out_type);
    if (in == NONE && out == NONE)
        return;
    struct module *m = b->in->m;
    struct signature sig = {0};
    const struct program *p = &m->programs.at[b->in->stream[b->number]];
    signature_derive(b->signer, b->inventory->root, dims_are_variables(m, p, b->signer->binders), &sig);
    check_side(b, &(struct sig_side){in, false, sig.in.at, sig.in.n});
    check_side(b, &(struct sig_side){out, true, sig.out.at, sig.out.n});
    vec_free(m->mem, &sig.in);
    vec_free(m->mem, &sig.out);
}
