/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of signatures: brackets, types and flags, each with its place. Linear. */
#include "signature/read.h"

#include "base/chars.h"
#include "base/lexical.h"
#include "base/value.h"
#include "types/type_fault.h"

struct reader {
    struct module *m;
    struct diags *ds;
    struct cursor c;
    struct signature_text *sig;
};

static u32
here(const struct reader *r)
{
    return (u32)(r->c.p - r->m->text.at);
}

/* reports that `wanted` was expected where the text has s; always false */
static bool
refuse(struct reader *r, struct span s, const char *wanted)
{
    diag_add(r->ds, DIAG_D120, s.at, s.n, "expected %s, got `%s`", wanted, diag_quote(r->ds, module_bytes(r->m, s)));
    r->sig->broken = true;
    return false;
}

/* the same at the reader's place, or at the end of the text */
static bool
fail(struct reader *r, const char *wanted)
{
    value_blanks(&r->c);
    if (r->c.p < r->c.end) {
        struct slice rest = {r->c.p, (size_t)(r->c.end - r->c.p)};
        size_t word = slice_starts(rest, SLICE("->")) ? 2 : word_until(rest, 0);
        return refuse(r, (struct span){here(r), word ? (u32)word : 1}, wanted);
    }
    struct slice text = value_trim((struct slice){r->m->text.at, here(r)});
    u32 at = (u32)(text.at + text.n - r->m->text.at);
    diag_add(r->ds, DIAG_D120, at, 0, "expected %s, but the text ends", wanted);
    r->sig->broken = true;
    return false;
}

/* ---- types ---- */

/* a type in the spelling of programs: short element type, `DBIdx(0)`, added brackets */
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
    const char *rest = t->text.at + dtype.n + 1;
    for (u32 i = 0; i < t->rank; i++) {
        const struct dim *d = &type_dims(&m->types, t)[i];
        if (i)
            sink_char(&out, ',');
        if (d->kind == DIM_DBIDX || d->kind == DIM_INDBIDX || d->kind == DIM_OUTDBIDX)
            sink_printf(&out, "%s(%lld)", references[d->kind], (long long)d->value);
        else
            sink_slice(&out, d->text);
        rest = d->text.at + d->text.n;
        if (d->sharding.n) {
            sink_char(&out, '@');
            sink_slice(&out, d->sharding);
            rest = d->sharding.at + d->sharding.n;
        }
    }
    sink_write(&out, rest, (size_t)(t->text.at + t->text.n - rest));
    return types_intern(&m->types, sink_take(&out));
}

/* the text up to a comma, a closing bracket or an arrow at depth 0 */
static struct slice
element(struct cursor *c)
{
    value_blanks(c);
    const char *start = c->p;
    c->p = value_find(start, c->end, ",)]}-");
    while (c->end - c->p > 1 && *c->p == '-' && c->p[1] != '>')
        c->p = value_find(c->p + 1, c->end, ",)]}-");
    u32 depth = 0;
    for (const char *p = start; p + 1 < c->p; p++) {
        depth = bracket_depth(depth, *p);
        if (depth == 0 && bracket_step(*p) < 0 && is_blank(p[1])) /* a type and another one, `f32[8] f32[3]` */
            c->p = p + 1;
    }
    return value_trim((struct slice){start, (size_t)(c->p - start)});
}

/* an element without marks of weak types, `~`, which signatures omit, and without the quotes around a type that is a
 * string */
static struct slice
unmarked_element(struct cursor *c)
{
    struct slice text = element(c);
    while (text.n && *text.at == '~')
        text = value_trim((struct slice){text.at + 1, text.n - 1});
    if (text.n >= 2 && (*text.at == '\'' || *text.at == '"') && text.at[text.n - 1] == *text.at)
        text = (struct slice){text.at + 1, text.n - 2};
    while (text.n && *text.at == '~')
        text = (struct slice){text.at + 1, text.n - 1};
    return text;
}

/* the type of `shape=[3, InDBIdx(0)], dtype=float`, in the spelling of programs; NULL if the text has no such fields.
 * Python's own element types have 64 bits, as in Catalyst */
static struct slice
read_fields(struct module *m, struct slice text)
{
    struct cursor c = cursor_of(text);
    struct slice shape = {NULL, 0}, dtype = {NULL, 0};
    for (value_blanks(&c); c.p < c.end; value_blanks(&c)) {
        struct slice *field = value_word(&c, "shape=") ? &shape : value_word(&c, "dtype=") ? &dtype : NULL;
        const char *start = c.p;
        bool list = field == &shape && value_open(&c);
        c.p = value_find(list ? start + 1 : start, c.end, list ? ")]" : ",");
        if (field)
            *field = value_trim((struct slice){start + list, (size_t)(c.p - start) - list});
        c.p += list && c.p < c.end;
        if (!value_comma(&c))
            break;
    }
    shape.n -= shape.n && shape.at[shape.n - 1] == ',';
    if (!shape.at || !dtype.at)
        return (struct slice){NULL, 0};
    bool own = slice_eq(dtype, SLICE("int")) || slice_eq(dtype, SLICE("float"));
    const char *wide = own ? "64" : slice_eq(dtype, SLICE("complex")) ? "128" : "";
    return arena_printf(m->mem, "%.*s%s[%.*s]", (int)dtype.n, dtype.at, wide, (int)shape.n, shape.at);
}

/* whether a type prints as it was read: one element, balanced brackets, and nothing that Python would escape */
static bool
type_fits(struct slice text)
{
    i64 depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        depth += bracket_step(c);
        if ((u8)c < ' ' || c == 0x7f || c == '\'' || c == '"' || c == '\\' || depth < 0)
            return false;
    }
    struct cursor c = cursor_of(text);
    return text.n > 0 && depth == 0 && !strchr("([~", *text.at) && element(&c).n == text.n;
}

/* the element type of an array that is neither a number nor one of the extended types, which have a parameter or are
 * semaphores; empty if there is none */
static struct slice
unknown_element(const struct module *m, const struct type *t)
{
    struct slice name = t->kind == TYPE_ARRAY && t->dtype >= DT_EXTENDED ? dtype_text(&m->names, t->dtype) : SLICE("");
    bool extended = name.n && (memchr(name.at, '<', name.n) || memchr(name.at, '{', name.n));
    return extended || slice_ends(name, SLICE("sem")) || slice_ends(name, SLICE("semaphore")) ? SLICE("") : name;
}

static bool
read_type(struct reader *r)
{
    static const char wanted[] = "a type such as `f32[2,3]` or `ShapedArray(float32[2,3])`";
    struct slice text = unmarked_element(&r->c);
    struct span span = {(u32)(text.at - r->m->text.at), (u32)text.n};
    bool array = false;
    for (;;) {
        size_t name = slice_starts(text, SLICE("DShapedArray(")) ? 13 : 12;
        if ((name == 12 && !slice_starts(text, SLICE("ShapedArray("))) || text.at[text.n - 1] != ')')
            break;
        text = value_trim((struct slice){text.at + name, text.n - name - 1});
        array = true;
    }
    if (array) {
        struct cursor inside = cursor_of(text);
        struct slice fields = read_fields(r->m, text);
        text = fields.at ? fields : unmarked_element(&inside);
    }
    type_t type = type_fits(text) ? canonical(r->m, text) : NONE;
    if (type == NONE || (array && (!type_array(r->m, type) || memchr(text.at, '=', type_shape_offset(text))))) {
        bool quoted = span.n == 0 && span.at > 0 && (text.at[-1] == '\'' || text.at[-1] == '"');
        if (span.n || quoted)
            return refuse(r, quoted ? (struct span){span.at - 1, 2} : span, wanted);
        r->c.p = r->m->text.at + span.at;
        return fail(r, wanted);
    }
    const struct type *t = type_get(&r->m->types, type);
    struct slice unknown = unknown_element(r->m, t);
    const char *fault = unknown.n                       ? "its element type is unknown"
                        : slice_eq(t->text, SLICE("?")) ? NULL /* `sig` prints it for a variable without a type */
                                                        : type_fault(r->m->mem, t);
    if (fault) {
        diag_add(r->ds, DIAG_D120, span.at, span.n, "`%s` is not a type: %s",
                 diag_quote(r->ds, module_bytes(r->m, span)), fault);
        struct slice meant = dtype_meant(unknown);
        if (meant.n)
            diag_note(r->ds, NONE, 0, "did you mean `%.*s`?", (int)meant.n, meant.at);
        r->sig->broken = true;
        return false;
    }
    *vec_push(r->m->mem, &r->sig->entries) = (struct sig_entry){type, SIG_EXPLICIT};
    *vec_push(r->m->mem, &r->sig->spans) = span;
    *vec_push(r->m->mem, &r->sig->flags) = span;
    return true;
}

static bool
read_flag(struct reader *r, u8 *flag)
{
    static const struct {
        const char *word;
        u8 flag;
    } flags[] = {{"True", SIG_EXPLICIT}, {"False", SIG_IMPLICIT}, {"const", SIG_CONSTANT},
                 {"T", SIG_EXPLICIT},    {"F", SIG_IMPLICIT},     {"c", SIG_CONSTANT}};
    for (size_t i = 0; i < countof(flags); i++)
        if (value_word(&r->c, flags[i].word)) {
            *flag = flags[i].flag;
            return true;
        }
    return fail(r, "`True` or `False`");
}

/* reads an opening bracket; returns the one that closes it, NULL if there is none */
static const char *
opened(struct reader *r)
{
    return value_word(&r->c, "(") ? ")" : value_word(&r->c, "[") ? "]" : NULL;
}

static bool
read_entry(struct reader *r)
{
    const char *close = opened(r);
    if (!close) /* `(f32[8], f32[4])`: types alone are explicit entries */
        return read_type(r);
    if (!read_type(r))
        return false;
    if (!value_comma(&r->c))
        return fail(r, "`,True` or `,False`");
    value_blanks(&r->c);
    struct span span = {here(r), 0};
    u8 flag = SIG_EXPLICIT;
    if (!read_flag(r, &flag))
        return false;
    span.n = here(r) - span.at;
    r->sig->flags.at[r->sig->flags.n - 1] = span;
    r->sig->entries.at[r->sig->entries.n - 1].flag = flag;
    value_comma(&r->c);
    return value_word(&r->c, close) || fail(r, *close == ')' ? "`)`" : "`]`");
}

static bool
read_entries(struct reader *r)
{
    const char *close = opened(r);
    if (!close)
        return fail(r, "a tuple of entries such as `((f32[3],True),)`");
    for (;;) {
        if (value_word(&r->c, close))
            return true;
        if (!read_entry(r))
            return false;
        bool comma = value_comma(&r->c);
        value_blanks(&r->c);
        if (r->c.p >= r->c.end || (!comma && *r->c.p != *close))
            return fail(r, *close == ')' ? "`,` or `)`" : "`,` or `]`");
    }
}

/* results after an arrow: a tuple, or one type, which ends with its line */
static bool
read_results(struct reader *r)
{
    value_blanks(&r->c);
    if (r->c.p < r->c.end && *r->c.p == '(')
        return read_entries(r);
    const char *end = r->c.end, *line = memchr(r->c.p, '\n', (size_t)(end - r->c.p));
    r->c.end = line ? line : end;
    bool read = read_type(r);
    r->c.end = end;
    return read;
}

/* whether some type refers to inputs or results */
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
    struct reader r = {.m = m, .ds = ds, .c = {m->text.at + *at, m->text.at + m->text.n}, .sig = out};
    out->entries.n = out->spans.n = out->flags.n = 0;
    out->out = out->labeled = out->broken = out->arrow = false;
    value_blanks(&r.c);
    if (r.c.p >= r.c.end)
        return false;
    out->at = here(&r);
    if (value_word(&r.c, "in_type") || (out->out = value_word(&r.c, "out_type"))) {
        out->labeled = true;
        if (!value_word(&r.c, ":"))
            value_word(&r.c, "=");
    }
    if (!out->labeled && value_word(&r.c, "->"))
        out->out = out->arrow = true;
    bool stray = r.c.p < r.c.end && strchr(",)]", *r.c.p);
    if (!(stray        ? fail(&r, *at ? "another signature or the end of the text" : "a signature")
          : out->arrow ? read_results(&r)
                       : read_entries(&r))) {
        r.c.p = r.c.end; /* the rest is ambiguous */
    } else if (!out->labeled && !out->arrow) {
        struct cursor ahead = r.c;
        out->arrow = value_word(&ahead, "->");
        out->out = !out->arrow && counts_results(m, out);
    }
    *at = here(&r);
    return true;
}
