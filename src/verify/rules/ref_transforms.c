/* SPDX-License-Identifier: Apache-2.0
 *
 * See ref_transforms.h. A transform is one name and what it is called with: dims, axes, an element type or a type. */
#include "verify/ref_transforms.h"

#include "base/value.h"

/* the first transform, `reshape` and `[4, 256]`, which is then dropped from *text; false if there is none */
static bool
next_transform(struct slice *text, struct slice *name, struct slice *of)
{
    bool brace = text->n && *text->at == '{';
    size_t open = text->n ? word_until(*text, 1) : 0;
    if (open < 2 || open >= text->n || text->at[open] != '(' || !(brace || *text->at == '['))
        return false;
    const char *end = text->at + text->n, *close = memmem(text->at, text->n, brace ? ")}" : ")]", 2);
    if (!close)
        return false;
    *name = (struct slice){text->at + 1, open - 1};
    *of = (struct slice){text->at + open + 1, (size_t)(close - text->at) - open - 1};
    if (slice_ends(*of, SLICE("]]"))) /* 0.6 to 0.9 print `{bitcast(int32[8, 128]])}` */
        of->n--;
    *text = value_trim((struct slice){close + 2, (size_t)(end - close) - 2});
    return true;
}

/* gives *type the element type that begins `int32` or `int32[8, 128]`, and the dims that follow, if there are any; a
 * bitcast to another width changes a size, which only the dims show */
static bool
retype(struct rule *r, struct slice of, struct aval *type)
{
    const char *open = memchr(of.at, '[', of.n);
    struct slice word = {of.at, open ? (size_t)(open - of.at) : of.n};
    struct dims dims = {type->dims, type->rank};
    dtype_t to = word.n ? dtype_find(word) : type->dtype;
    if (to == NONE || type->dtype == NONE || (open && !read_dims(r, (struct slice){open, of.n - word.n}, &dims)) ||
        (!open && dtype_bits(to) != dtype_bits(type->dtype)))
        return false;
    *type = aval_reshaped(type, dims.n, dims.at);
    aval_set_dtype(type, to);
    return true;
}

static bool
transpose(struct rule *r, struct slice of, struct aval *type)
{
    struct dims axes;
    struct dim *dims = rule_alloc(r, (type->rank + 1u) * sizeof *dims);
    if (!read_dims(r, of, &axes) || axes.n != type->rank)
        return false;
    for (u32 i = 0; i < axes.n; i++) {
        if (axes.at[i].kind != DIM_INT || axes.at[i].value < 0 || axes.at[i].value >= type->rank)
            return false;
        dims[i] = type->dims[axes.at[i].value];
    }
    *type = aval_reshaped(type, axes.n, dims);
    return true;
}

bool
ref_transformed(struct rule *r, struct slice *text, struct aval *type)
{
    for (struct slice name, of; next_transform(text, &name, &of);) {
        bool sized = slice_eq(name, SLICE("reshape")) || slice_eq(name, SLICE("bitcast"));
        if (!(sized ? retype(r, of, type) : slice_eq(name, SLICE("transpose")) && transpose(r, of, type)))
            return false;
    }
    return true;
}

bool
ref_tree_transforms(const struct rule *r)
{
    static const struct slice node = {"CustomNode(", 11};
    struct slice tree;
    if (!eqn_value(r->m, r->e, SLICE("tree"), &tree))
        return false;
    for (const char *p = tree.at, *end = p + tree.n; (p = memmem(p, (size_t)(end - p), node.at, node.n)) != NULL;) {
        p += node.n;
        struct slice rest = {p, (size_t)(end - p)};
        if (!slice_starts(rest, SLICE("NDIndexer[")) && !slice_starts(rest, SLICE("Slice[")))
            return true;
    }
    return false;
}
