/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of signatures: brackets, types and flags, each with its place. Linear. */
#include "signature/read.h"

struct reader {
    struct module *m;
    struct diags *ds;
    const char *p, *end;
    struct signature_text *sig;
};

static void
blanks(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\t' || *r->p == '\r'))
        r->p++;
}

static bool
pass(struct reader *r, struct slice word)
{
    blanks(r);
    if ((size_t)(r->end - r->p) < word.n || memcmp(r->p, word.at, word.n) != 0)
        return false;
    r->p += word.n;
    return true;
}

static u32
here(const struct reader *r)
{
    return (u32)(r->p - r->m->text.at);
}

static bool
fail(struct reader *r, const char *wanted)
{
    blanks(r);
    diag_add(r->ds, DIAG_D120, here(r), r->p < r->end, "%s was expected here", wanted);
    r->sig->broken = true;
    return false;
}

/* ---- types ---- */

/* a type spelled as programs spell it: short element type, `DBIdx(0)`, brackets where they were left out */
static type_t
canonical(struct module *m, struct slice text)
{
    static const char *const references[] = {
        [DIM_DBIDX] = "DBIdx", [DIM_INDBIDX] = "InDBIdx", [DIM_OUTDBIDX] = "OutDBIdx"};
    struct slice dtype = {text.at, type_shape_offset(text)};
    dtype_t known = dtype_find(dtype);
    if (dtype.n == text.n && known != NONE)
        text = arena_printf(m->mem, "%.*s[]", (int)text.n, text.at);
    const struct type *t = type_get(&m->types, types_intern(&m->types, text));
    if (t->kind != TYPE_ARRAY)
        return types_intern(&m->types, text);
    struct sink out;
    sink_init_memory(&out, m->mem);
    sink_slice(&out, known == NONE ? dtype : dtype_text(&m->names, known));
    sink_char(&out, '[');
    const char *behind = t->text.at + dtype.n + 1;
    for (u32 i = 0; i < t->rank; i++) {
        const struct dim *d = &type_dims(&m->types, t)[i];
        if (i)
            sink_char(&out, ',');
        if (d->kind == DIM_DBIDX || d->kind == DIM_INDBIDX || d->kind == DIM_OUTDBIDX)
            sink_printf(&out, "%s(%lld)", references[d->kind], (long long)d->value);
        else
            sink_slice(&out, d->text);
        behind = d->text.at + d->text.n;
        if (d->sharding.n) {
            sink_char(&out, '@');
            sink_slice(&out, d->sharding);
            behind = d->sharding.at + d->sharding.n;
        }
    }
    sink_put(&out, behind, (size_t)(t->text.at + t->text.n - behind));
    struct slice copy = arena_copy(m->mem, (struct slice){out.at, out.n});
    mem_free(m->mem, out.at);
    return types_intern(&m->types, copy);
}

/* the text up to a comma or closing bracket at depth 0 */
static struct slice
element(struct reader *r)
{
    blanks(r);
    const char *start = r->p;
    u32 depth = 0;
    for (; r->p < r->end; r->p++) {
        char c = *r->p;
        if (c == '(' || c == '[' || c == '{')
            depth++;
        if (c == ')' || c == ']' || c == '}') {
            if (depth == 0)
                break;
            depth--;
        }
        if (c == ',' && depth == 0)
            break;
    }
    const char *end = r->p;
    while (end > start && (end[-1] == ' ' || end[-1] == '\n'))
        end--;
    return (struct slice){start, (size_t)(end - start)};
}

/* an element behind the marks of weak types, `~`, which signatures do not carry, and without the quotes in which
 * Python prints a type that is a string */
static struct slice
unmarked_element(struct reader *r)
{
    while (pass(r, SLICE("~")))
        ;
    struct slice text = element(r);
    if (text.n >= 2 && (*text.at == '\'' || *text.at == '"') && text.at[text.n - 1] == *text.at)
        text = (struct slice){text.at + 1, text.n - 2};
    return text;
}

static bool
read_type(struct reader *r)
{
    struct slice text = unmarked_element(r);
    struct span span = {(u32)(text.at - r->m->text.at), (u32)text.n};
    while (slice_starts(text, SLICE("ShapedArray(")) && text.at[text.n - 1] == ')') {
        struct reader inside = {.m = r->m, .p = text.at + 12, .end = text.at + text.n - 1};
        text = unmarked_element(&inside);
    }
    if (text.n == 0)
        return fail(r, "a type");
    type_t type = canonical(r->m, text);
    *vec_push(r->m->mem, &r->sig->entries) = (struct sig_entry){type, SIG_EXPLICIT};
    *vec_push(r->m->mem, &r->sig->spans) = span;
    return true;
}

static bool
read_flag(struct reader *r, u8 *flag)
{
    static const struct {
        struct slice word;
        u8 flag;
    } flags[] = {{SLICE("True"), SIG_EXPLICIT}, {SLICE("False"), SIG_IMPLICIT}, {SLICE("const"), SIG_CONSTANT},
                 {SLICE("T"), SIG_EXPLICIT},    {SLICE("F"), SIG_IMPLICIT},     {SLICE("c"), SIG_CONSTANT}};
    for (size_t i = 0; i < countof(flags); i++)
        if (pass(r, flags[i].word)) {
            *flag = flags[i].flag;
            return true;
        }
    return fail(r, "True or False");
}

static bool
read_entry(struct reader *r)
{
    if (!pass(r, SLICE("(")) && !pass(r, SLICE("[")))
        return fail(r, "`(type, True)` or `(type, False)`");
    if (!read_type(r))
        return false;
    if (!pass(r, SLICE(",")))
        return fail(r, "a comma and True or False");
    u8 flag = SIG_EXPLICIT;
    if (!read_flag(r, &flag))
        return false;
    r->sig->entries.at[r->sig->entries.n - 1].flag = flag;
    pass(r, SLICE(","));
    return pass(r, SLICE(")")) || pass(r, SLICE("]")) || fail(r, "`)`");
}

static bool
read_entries(struct reader *r)
{
    if (!pass(r, SLICE("(")) && !pass(r, SLICE("[")))
        return fail(r, "a tuple of entries, `((type, True), ..)`,");
    for (;;) {
        if (pass(r, SLICE(")")) || pass(r, SLICE("]")))
            return true;
        if (!read_entry(r))
            return false;
        if (!pass(r, SLICE(",")) && r->p < r->end && *r->p != ')' && *r->p != ']')
            return fail(r, "a comma or `)`");
        if (r->p >= r->end)
            return fail(r, "`)`");
    }
}

/* whether some type counts inputs or results */
static bool
counts_results(const struct module *m, const struct signature_text *sig)
{
    for (u32 i = 0; i < sig->entries.n; i++) {
        const struct type *t = type_get(&m->types, sig->entries.at[i].type);
        for (u32 k = 0; k < t->rank; k++)
            if (type_dims(&m->types, t)[k].kind == DIM_INDBIDX || type_dims(&m->types, t)[k].kind == DIM_OUTDBIDX)
                return true;
    }
    return false;
}

bool
signature_read(struct module *m, struct diags *ds, u32 *at, struct signature_text *out)
{
    struct reader r = {.m = m, .ds = ds, .p = m->text.at + *at, .end = m->text.at + m->text.n, .sig = out};
    out->entries.n = out->spans.n = 0;
    out->out = out->labeled = out->broken = false;
    blanks(&r);
    if (r.p >= r.end)
        return false;
    out->at = here(&r);
    if (pass(&r, SLICE("in_type")) || (out->out = pass(&r, SLICE("out_type")))) {
        out->labeled = true;
        if (!pass(&r, SLICE(":")))
            pass(&r, SLICE("="));
    }
    if (!read_entries(&r)) {
        r.p = r.end; /* what follows is anyone's guess */
    } else if (!out->labeled) {
        out->out = counts_results(m, out);
    }
    *at = here(&r);
    return true;
}
