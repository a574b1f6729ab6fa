/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads parameters as values: each reader returns false if the text is something else; the rule then trusts the
 * equation. Results are in the scratch memory of the equation. Linear in what is read. */

#include "verify/checker.h"

#include "base/chars.h"
#include "regions/region_map.h"

param_t
rule_param(const struct rule *r, const char *key)
{
    size_t n = strlen(key);
    struct name_buffer buffer;
    for (param_t p = r->eqn->params; p != NONE; p = r->m->params.at[p].next) {
        const struct param *param = &r->m->params.at[p];
        if (param->key == NONE)
            continue;
        struct slice name = module_name(r->m, param->key, &buffer);
        if (name.n == n && memcmp(name.at, key, n) == 0)
            return p;
    }
    return NONE;
}

bool
param_text(const struct rule *r, const char *key, struct slice *out)
{
    param_t p = rule_param(r, key);
    if (p == NONE)
        return false;
    /* `()` is read as a tuple of no programs */
    const struct param *param = &r->m->params.at[p];
    if (unlikely(r->unread.params != 0) && p - r->eqn->params < 64 && r->unread.params >> (p - r->eqn->params) & 1)
        return false;
    if (param->kind != PARAM_TEXT && !(param->kind == PARAM_TUPLE && param->a == NONE))
        return false;
    *out = value_trim(param_bytes(r->m, param));
    return !slice_eq(*out, SLICE("..."));
}

bool
param_is_none(const struct rule *r, const char *key)
{
    struct slice text;
    return param_text(r, key, &text) && slice_eq(text, SLICE("None"));
}

bool
param_is_unread(const struct rule *r, const char *key)
{
    return rule_param(r, key) != NONE && !param_is_none(r, key);
}

bool
param_int(const struct rule *r, const char *key, i64 *out)
{
    struct slice text;
    if (!param_text(r, key, &text))
        return false;
    struct cursor c = cursor_of(text);
    return value_int(&c, out) && value_done(&c);
}

bool
param_bool(const struct rule *r, const char *key, bool *out)
{
    struct slice text;
    return param_text(r, key, &text) && value_truth(text, out);
}

/* reads the element of a list at the cursor */
typedef bool element_reader(const struct rule *r, struct cursor *c, void *out);

/* the elements of a list or tuple, each of `size` bytes, and their number; NULL if the text is not a list */
static void *
read_list(struct rule *r, struct slice text, element_reader *read, size_t size, u32 *n)
{
    struct cursor c = cursor_of(text);
    if (!value_count(text, n) || !value_open(&c))
        return NULL;
    char *at = rule_alloc(r, *n * size);
    for (u32 i = 0; i < *n; i++) {
        if (!read(r, &c, at + i * size))
            return NULL;
        value_comma(&c);
    }
    return value_close(&c) && value_done(&c) ? at : NULL;
}

static bool
int_element(const struct rule *r, struct cursor *c, void *out)
{
    (void)r;
    return value_int(c, out);
}

bool
read_ints(struct rule *r, struct slice text, struct ints *out)
{
    u32 n;
    i64 *at = read_list(r, text, int_element, sizeof *at, &n);
    if (at)
        *out = (struct ints){at, n, text};
    return at != NULL;
}

bool
param_ints(struct rule *r, const char *key, struct ints *out)
{
    struct slice text;
    return param_text(r, key, &text) && read_ints(r, text, out);
}

bool
read_numbers(struct rule *r, struct slice text, const char *field, bool optional, struct ints *out)
{
    static const char *const key = "dimension_numbers";
    struct slice value;
    *out = (struct ints){0};
    if (value_field(text, field, &value))
        return read_ints(r, value, out);
    if (!optional && !slice_contains(text, SLICE("...")))
        rule_error(r, DIAG_T010, at_param(r, key), "`%s` of `%s` lacks `%s`", key, format_prim(r), field);
    return optional;
}

bool
read_dim(const struct rule *r, struct slice text, struct dim *out)
{
    struct cursor c = cursor_of(text);
    i64 value;
    if (text.n == 0 || slice_eq(text, SLICE("..."))) /* sizes that were omitted */
        return false;
    if (value_int(&c, &value) && value_done(&c)) {
        *out = dim_of(value);
        return true;
    }
    *out = dim_unknown();
    if (slice_eq(text, SLICE("None")) || text.at[0] == '\'' || text.at[0] == '"')
        return true;
    name_t name = names_find(&r->m->names, text);
    bool plain = true;
    for (size_t i = 0; i < text.n; i++)
        plain &= is_word_char(text.at[i]);
    if (plain && name != NONE)
        *out = (struct dim){.kind = DIM_NAME,
                            .name = name,
                            .text = text,
                            .value = r->c->symbols && r->m->types.view == r->c->symbols ? DIM_SYMBOL : DIM_ANY_NAME};
    else if (!plain)
        *out = (struct dim){.kind = DIM_EXPR, .text = text};
    return true;
}

static bool
dim_element(const struct rule *r, struct cursor *c, void *out)
{
    struct slice element;
    return value_element(c, &element) && read_dim(r, element, out);
}

bool
read_dims(struct rule *r, struct slice text, struct dims *out)
{
    u32 n;
    struct dim *at = read_list(r, text, dim_element, sizeof *at, &n);
    if (at)
        *out = (struct dims){at, n};
    return at != NULL;
}

bool
param_dims(struct rule *r, const char *key, struct dims *out)
{
    struct slice text;
    return param_text(r, key, &text) && read_dims(r, text, out);
}

/* the dtype of `float32`, `dtype('float32')`, `<class 'jax.numpy.float32'>`, `key<fry>` */
static bool
read_dtype(const struct rule *r, struct slice text, dtype_t *out)
{
    struct cursor c = cursor_of(text);
    if (value_word(&c, "<class '") || value_word(&c, "dtype('") || value_word(&c, "dtype(")) {
        const char *start = c.p, *dot = start;
        while (c.p < c.end && *c.p != '\'' && *c.p != ')' && *c.p != '>') {
            if (*c.p == '.')
                dot = c.p + 1;
            c.p++;
        }
        text = (struct slice){dot, (size_t)(c.p - dot)};
    }
    if (text.n && text.at[text.n - 1] == '_') /* numpy.bool_ */
        text.n--;
    *out = slice_eq(text, FLOAT0_PARAM) ? DT_float0 : dtype_find(text);
    if (*out != NONE)
        return true;
    const char *angle = memchr(text.at, '<', text.n);
    if (!angle || dtype_find((struct slice){text.at, (size_t)(angle - text.at)}) != NONE) /* `float32<host>` */
        return false;
    *out = DT_EXTENDED + module_intern(r->m, text); /* including a key type that no variable has */
    return true;
}

bool
param_dtype(const struct rule *r, const char *key, dtype_t *out)
{
    struct slice text;
    return param_text(r, key, &text) && read_dtype(r, text, out);
}

struct slice
listed_axes(struct slice text)
{
    struct cursor c = cursor_of(text);
    if ((value_word(&c, "ShapedArray(") || value_word(&c, "ShapeDtypeStruct(")) && !value_element(&c, &text))
        return SLICE("");
    const char *brace = text.n ? memrchr(text.at, '{', text.n) : NULL;
    bool axes = brace && brace > text.at && brace[-1] == ']' && text.at[text.n - 1] == '}';
    return axes ? (struct slice){brace, (size_t)(text.at + text.n - brace)} : SLICE("");
}

bool
read_aval(struct rule *r, struct slice text, struct aval *out)
{
    const char *brace = slice_starts(text, SLICE("Ref")) ? memchr(text.at, '{', text.n) : NULL;
    bool ref = brace && text.at[text.n - 1] == '}';
    if (ref)
        text = (struct slice){brace + 1, (size_t)(text.at + text.n - brace) - 2};
    struct cursor c = cursor_of(text);
    if (value_word(&c, "ShapedArray(") || value_word(&c, "ShapeDtypeStruct(")) {
        if (!value_element(&c, &text))
            return false;
    } else {
        value_word(&c, "~");
        text = (struct slice){c.p, (size_t)(c.end - c.p)};
    }
    text.n -= ref ? 0 : listed_axes(text).n;
    const char *open = memchr(text.at, '[', text.n);
    if (!open || text.at[text.n - 1] != ']')
        return false;
    struct slice dtype = {text.at, (size_t)(open - text.at)};
    const char *space = memchr(dtype.at, '<', dtype.n);
    dtype_t found;
    if (!read_dtype(r, dtype, &found) &&
        !(space && read_dtype(r, (struct slice){dtype.at, (size_t)(space - dtype.at)}, &found)))
        return false;
    struct dims dims;
    if (!read_dims(r, (struct slice){open, (size_t)(text.at + text.n - open)}, &dims))
        return false;
    for (u32 i = 0; i < dims.n; i++) {
        struct dim *d = (struct dim *)(uintptr_t)&dims.at[i];
        const char *at = d->kind == DIM_EXPR ? memchr(d->text.at, '@', d->text.n) : NULL;
        if (at && !read_dim(r, (struct slice){d->text.at, (size_t)(at - d->text.at)}, d))
            return false;
    }
    *out = aval_array(found, dims.n, dims.at);
    out->kind = ref ? AVAL_REF : out->kind;
    return true;
}

/* ---- nested programs ---- */

jaxpr_t
rule_jaxpr(const struct rule *r, const char *key)
{
    return eqn_jaxpr(r->m, r->e, slice_of(key));
}

bool
rule_jaxprs(struct rule *r, const char *key, struct jaxpr_list *out)
{
    param_t p = rule_param(r, key);
    if (p == NONE)
        return false;
    const struct param *param = &r->m->params.at[p];
    if (param->kind != PARAM_TUPLE && param->kind != PARAM_MIXED) {
        if (param->kind == PARAM_TEXT && slice_eq(value_trim(param_bytes(r->m, param)), SLICE("()"))) {
            *out = (struct jaxpr_list){NULL, 0};
            return true;
        }
        return false;
    }
    u32 count = 0;
    for (u32 s = param->a; s != NONE; s = r->m->segments.at[s].next)
        count += r->m->segments.at[s].kind != SEGMENT_TEXT;
    jaxpr_t *at = rule_alloc(r, (size_t)count * sizeof *at);
    count = 0;
    for (u32 s = param->a; s != NONE; s = r->m->segments.at[s].next)
        if (r->m->segments.at[s].kind != SEGMENT_TEXT)
            at[count++] = segment_jaxpr(r->m, &r->m->segments.at[s]);
    *out = (struct jaxpr_list){at, count};
    return true;
}

struct span
rule_text(struct rule *r)
{
    jaxpr_t j = rule_jaxpr_of_eqn(r);
    u32 from = r->eqn->offset, end = r->eqn->next != NONE ? r->m->eqns.at[r->eqn->next].offset : r->m->jaxprs.at[j].end;
    return (struct span){from, from < end && end <= r->m->text.n ? end - from : 0};
}

bool
rule_text_is_broken(struct rule *r)
{
    enum { ASKED = 64 };
    const struct diags *ds = r->c->ds;
    if (!r->m->programs.at[r->c->program].broken)
        return false;
    struct span text = rule_text(r);
    for (u32 i = 0; i < ds->list.n && i < ASKED; i++) {
        const struct diag *d = &ds->list.at[i];
        if (d->stage == STAGE_READ && d->level == LEVEL_ERROR && d->at - text.at < text.n)
            return true;
    }
    return ds->list.n > ASKED;
}

struct version_range
rule_versions(struct rule *r)
{
    return checker_versions(r->c);
}

bool
element_counts_differ(const struct module *m, const struct type *from, const struct type *to)
{
    return from->kind == TYPE_ARRAY && to->kind == TYPE_ARRAY &&
           dims_products_equal(type_dims(&m->types, from), from->rank, type_dims(&m->types, to), to->rank) == NO;
}

bool
reshape_is_free(const struct module *m, eqn_t e, struct version_range versions)
{
    /* sharding is printed since 0.5, dimensions in all versions */
    return eqn_param(m, e, SLICE("sharding")) != NONE &&
           (eqn_param(m, e, SLICE("dimensions")) == NONE || !range_lacks(versions, JAX_RESHAPES_TAKEN_AS_FREE));
}

bool
scan_limits_unroll(const struct module *m, eqn_t e, struct version_range versions)
{
    if (eqn_param(m, e, SLICE("linear")) == NONE)
        return false;
    return eqn_param(m, e, SLICE("_split_transpose")) == NONE || range_lacks(versions, JAX_SCAN_UNROLL_UNCHECKED);
}
