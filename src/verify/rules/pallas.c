/* SPDX-License-Identifier: Apache-2.0
 *
 * pallas_call: operands, results and the blocks of each that the grid mapping passes to the refs of the kernel
 * (jax/_src/pallas: pallas_call.py, core.py BlockSpec.to_block_mapping, hlo_interpreter.py). JAX makes the grid mapping
 * from the types, and does not compare them again before it compiles. Linear in operands, results and blocks. */
#include "verify/call_check.h"

/* How the arrays of an equation become refs of its kernel: the operands are `*refs, *bounds of the grid, *scalars,
 * *inputs`, the refs `*scalars, *inputs, *outputs, *scratch`; there is a block mapping for each input and output. */
struct blocks {
    struct slice mappings; /* the text of `block_mappings` */
    u32 n;                 /* how many there are */
    u32 first;             /* the operands before the scalars */
    u32 scalars, inputs;
    jaxpr_t kernel; /* NONE: unknown */
};

/* reads the grid mapping, which up to 0.4.38 contains programs */
static bool
read_mapping(const struct rule *r, struct slice *out)
{
    param_t p = rule_param(r, "grid_mapping");
    if (p == NONE || r->m->params.at[p].kind != PARAM_MIXED)
        return param_text(r, "grid_mapping", out);
    *out = value_trim(param_bytes(r->m, &r->m->params.at[p]));
    return true;
}

/* how many operands are bounds of the grid: the mapping prints `DynamicGridDim` for each or, up to 0.6, their number */
static u32
dynamic_bounds(struct slice mapping)
{
    struct slice text, size;
    i64 bounds = 0;
    if (value_field(mapping, "num_dynamic_grid_bounds", &text)) {
        struct cursor c = cursor_of(text);
        return value_int(&c, &bounds) && bounds > 0 && bounds < ANY_COUNT ? (u32)bounds : 0;
    }
    if (value_field(mapping, "grid", &text))
        for (struct cursor c = cursor_inside(text); value_element(&c, &size);)
            bounds += slice_eq(size, SLICE("DynamicGridDim"));
    return (u32)bounds;
}

/* a size: an integer, or the name or expression of one */
static bool
read_size(const struct rule *r, struct slice text, struct dim *out)
{
    bool constant = (text.n && *text.at == '\'') || slice_eq(text, SLICE("None")) || slice_eq(text, SLICE("True")) ||
                    slice_eq(text, SLICE("False"));
    return !constant && read_dim(r, text, out) && (out->kind == DIM_INT || !text.n || !is_digit(*text.at));
}

/* checks that the extents of the grid are sizes, and that block mappings are objects or None */
static bool
grid_fits(struct rule *r, struct slice mapping)
{
    struct slice grid, size, entries;
    struct dim dim;
    if (value_field(mapping, "block_mappings", &entries) && *entries.at == '(')
        for (struct cursor c = cursor_inside(entries); value_element(&c, &size);)
            if (!memchr(size.at, '(', size.n) && !slice_eq(size, SLICE("None")) && !slice_starts(size, SLICE("...")))
                return rule_error(r, DIAG_T010, at_slice(r, "grid_mapping", size),
                                  "`block_mappings` of `%s` must contain `BlockMapping(..)` or None, got `%s`",
                                  format_prim(r), format_slice(r, size));
    if (!value_field(mapping, "grid", &grid))
        return true;
    for (struct cursor c = cursor_inside(grid); value_element(&c, &size);)
        if (!read_size(r, size, &dim) && value_is_object(size))
            return rule_error(r, DIAG_T010, at_slice(r, "grid_mapping", size),
                              "`grid` of `%s` must contain sizes, got `%s`", format_prim(r), format_slice(r, size));
    return true;
}

/* checks that refs of the kernel after those of operands and results are scratch memory, whose space is printed; the
 * space of blocks is `default` */
static bool
scratch_placed(struct rule *r, jaxpr_t kernel, u32 first, const char *needed)
{
    for (u32 k = first; kernel != NONE && k < jaxpr_ins(r, kernel); k++) {
        struct aval ref = jaxpr_in_aval(r, kernel, k);
        if (ref.kind == AVAL_REF && ref.type != NONE &&
            slice_eq(type_get(&r->m->types, ref.type)->space, SLICE("default")))
            return rule_stricter(r, DIAG_T012, at_binder(r, kernel, k),
                                 "the kernel of `%s` takes `%s`, which is %s, but %s only %s", format_prim(r),
                                 format_binder(r, kernel, jaxpr_consts(r, kernel) + k), format_aval(r, &ref), needed,
                                 format_count(r, first, "ref", "refs"));
    }
    return true;
}

/* adds notes at the operands and results that a finding counts */
static bool
note_counted(struct rule *r, u32 first, u32 operands, u32 results)
{
    if (operands)
        rule_note(r, at_operand(first), operands == 1 ? "the operand is `%s`" : "the operands begin with `%s`",
                  format_operand(r, first));
    return results && r->n_results == results &&
           rule_note(r, at_result(0), results == 1 ? "the result is `%s`" : "the results begin with `%s`",
                     format_result(r, 0));
}

/* checks that there is a mapping for each result and for some operands, and a ref for each mapping and each other
 * operand; false after a report, or if they cannot be read */
static bool
count_blocks(struct rule *r, u32 refs, u32 results, struct blocks *b)
{
    struct slice mapping;
    if (refs || !read_mapping(r, &mapping) || !value_field(mapping, "block_mappings", &b->mappings) ||
        !value_count(b->mappings, &b->n))
        return false;
    for (u32 i = 0; i < r->n; i++)
        if (r->in[i].kind != AVAL_ARRAY && r->in[i].kind != AVAL_UNKNOWN)
            return false; /* a value of another type may be several refs */
    b->kernel = rule_jaxpr(r, "jaxpr");
    b->first = dynamic_bounds(mapping);
    u32 operands = r->n > b->first ? r->n - b->first : 0, wanted = operands + results;
    if (b->n < results || b->n > wanted)
        return rule_stricter(r, DIAG_T009, at_entry(r, "grid_mapping", &(struct ints){.text = b->mappings}, wanted),
                             "`block_mappings` of `%s` has %s for %s and %s", format_prim(r),
                             format_count(r, b->n, "entry", "entries"),
                             format_count(r, operands, "operand", "operands"),
                             format_count(r, results, "result", "results")) ||
               note_counted(r, b->first, operands, results);
    b->inputs = b->n - results;
    b->scalars = operands - b->inputs;
    const char *needed = format_text(r, "%s and %s need", format_count(r, operands, "operand", "operands"),
                                     format_count(r, results, "result", "results"));
    if (b->kernel != NONE && jaxpr_ins(r, b->kernel) < wanted)
        return rule_stricter(r, DIAG_T012, at_param(r, "jaxpr"), "the kernel of `%s` takes %s, but %s %u",
                             format_prim(r), format_count(r, jaxpr_ins(r, b->kernel), "ref", "refs"), needed, wanted) ||
               note_counted(r, b->first, operands, results);
    if (b->kernel != NONE && jaxpr_outs(r, b->kernel))
        return rule_stricter(r, DIAG_T012, at_out(b->kernel, 0),
                             "the kernel of `%s` must return nothing: results are written to refs", format_prim(r));
    return scratch_placed(r, b->kernel, wanted, needed) || note_counted(r, b->first, operands, results);
}

/* the array that is passed to the kernel block by block: an operand or a result */
static const char *
format_whole(struct rule *r, const struct blocks *b, u32 i)
{
    return i < b->inputs                  ? format_operand(r, b->first + b->scalars + i)
           : i - b->inputs < r->n_results ? format_result(r, i - b->inputs)
                                          : "a result";
}

/* adds a note where such an array is bound */
static bool
note_whole(struct rule *r, const struct blocks *b, u32 i)
{
    if (i < b->inputs)
        return rule_note_operand(r, b->first + b->scalars + i);
    return i - b->inputs < r->n_results && rule_note_result(r, i - b->inputs);
}

/* checks `block_shape=(Blocked(block_size=4), Squeezed())` against the array and the ref. The ref has as many elements
 * as the block; on GPUs it may order them differently, which is not printed */
static bool
block_fits(struct rule *r, const struct blocks *b, u32 i, const struct aval *whole, struct slice shape)
{
    struct slice axis, size;
    u32 n, k = 0;
    if (!value_count(shape, &n) || !whole->ranked)
        return true;
    if (n != whole->rank)
        return rule_stricter(r, DIAG_T009, at_slice(r, "grid_mapping", shape),
                             "`block_shape` of `%s` has %s, but `%s`, which is %s, has %s", format_prim(r),
                             format_count(r, n, "entry", "entries"), format_whole(r, b, i), format_aval(r, whole),
                             format_count(r, whole->rank, "axis", "axes")) ||
               note_whole(r, b, i);
    struct dim *dims = rule_alloc(r, (n + 1u) * sizeof *dims);
    u32 at = 0;
    for (struct cursor c = cursor_inside(shape); value_element(&c, &axis); at++) {
        if (!value_field(axis, "block_size", &size))
            size = axis;
        if (i < b->inputs && dim_is(whole->dims[at], 0) && !slice_eq(size, SLICE("0")))
            return rule_stricter(r, DIAG_T009, at_slice(r, "grid_mapping", axis),
                                 "`%s` cannot read blocks of `%s`, whose axis %u is empty: `%s` is %s", format_prim(r),
                                 format_whole(r, b, i), at, format_whole(r, b, i), format_aval(r, whole)) ||
                   note_whole(r, b, i);
        if (slice_starts(axis, SLICE("Squeezed")) || slice_eq(axis, SLICE("Mapped")) || slice_eq(axis, SLICE("None")) ||
            slice_starts(axis, SLICE("<")))
            continue;
        if (!read_size(r, size, &dims[k++]))
            return rule_stricter(r, DIAG_T010, at_slice(r, "grid_mapping", size),
                                 "`block_shape` of `%s` for `%s` contains `%s`, which is not a size", format_prim(r),
                                 format_whole(r, b, i), format_slice(r, size));
    }
    if (b->kernel == NONE)
        return true;
    struct aval ref = jaxpr_in_aval(r, b->kernel, b->scalars + i);
    struct dim elements = dims_product(dims, k), wanted;
    if (ref.kind != AVAL_REF || !ref.ranked)
        return true;
    wanted = dims_product(ref.dims, ref.rank);
    if (dim_equal(&elements, &wanted) != NO)
        return true;
    rule_stricter(r, DIAG_T012, at_slice(r, "grid_mapping", shape),
                  "`%s` passes blocks of shape %s of `%s` to `%s`, which is %s", format_prim(r),
                  format_dims(r, dims, k), format_whole(r, b, i),
                  format_binder(r, b->kernel, jaxpr_consts(r, b->kernel) + b->scalars + i), format_aval(r, &ref));
    rule_note(r, at_binder(r, b->kernel, b->scalars + i), "the kernel takes the block here");
    return note_whole(r, b, i);
}

/* checks that the k-th array of scalars, inputs and results has the element type of its ref and, as a scalar, its
 * shape */
static bool
element_fits(struct rule *r, const struct blocks *b, u32 k, const struct aval *whole)
{
    if (b->kernel == NONE)
        return true;
    struct aval ref = jaxpr_in_aval(r, b->kernel, k);
    bool scalars = k < b->scalars, operand = k < b->scalars + b->inputs;
    u32 result = k - b->scalars - b->inputs;
    if (ref.kind != AVAL_REF || whole->kind != AVAL_ARRAY || whole->bounded ||
        (dtypes_agree(&ref, whole) != NO && (!scalars || shapes_agree(&ref, whole) != NO)))
        return true;
    const char *name = operand                 ? format_operand(r, b->first + k)
                       : result < r->n_results ? format_result(r, result)
                                               : "a result",
               *inside = format_binder(r, b->kernel, jaxpr_consts(r, b->kernel) + k);
    if (scalars)
        rule_stricter(r, DIAG_T012, at_operand(b->first + k),
                      "`%s` passes all of `%s`, which has no block mapping and is %s, to `%s`, which is %s",
                      format_prim(r), name, format_aval(r, whole), inside, format_aval(r, &ref));
    else
        rule_stricter(r, DIAG_T012, operand ? at_operand(b->first + k) : at_result(result),
                      "`%s` passes blocks of `%s`, whose elements are %s, to `%s`, which is %s", format_prim(r), name,
                      format_dtype(r, whole), inside, format_aval(r, &ref));
    rule_note(r, at_binder(r, b->kernel, k), "the kernel takes %s here", scalars ? "it" : "the block");
    return operand && rule_note_operand(r, b->first + k);
}

static bool
blocks_fit(struct rule *r, u32 refs, const struct avals *types)
{
    struct blocks b = {0};
    struct slice mapping, shape;
    if (!count_blocks(r, refs, types->n, &b))
        return !r->failed;
    struct cursor c = cursor_inside(b.mappings);
    for (u32 i = 0; i < b.scalars; i++)
        if (!element_fits(r, &b, i, &r->in[b.first + i]))
            return false;
    for (u32 i = 0; i < b.n && value_element(&c, &mapping); i++) {
        const struct aval *whole = i < b.inputs ? &r->in[b.first + b.scalars + i] : &types->at[i - b.inputs];
        if (!element_fits(r, &b, b.scalars + i, whole) ||
            (value_field(mapping, "block_shape", &shape) && !block_fits(r, &b, i, whole, shape)))
            return false;
    }
    return true;
}

/* reads `(0, 1)`, an operand and the result in its memory; false after a report */
static bool
read_alias(struct rule *r, struct slice pair, struct alias *out)
{
    struct cursor p = cursor_of(pair);
    if (value_open(&p) && value_int(&p, &out->from) && value_comma(&p) && value_int(&p, &out->to) && value_close(&p))
        return true;
    return rule_error(r, DIAG_T010, at_slice(r, "input_output_aliases", pair),
                      "`input_output_aliases` of `%s` must contain pairs of an operand and a result, got `%s`",
                      format_prim(r), format_slice(r, pair));
}

/* results have the types in out_avals, except that results paired with an operand by input_output_aliases have the
 * operand's type; operands are counted after closed-over refs and dynamic grid bounds */
bool
shape_pallas_call(struct rule *r, struct aval *out)
{
    struct avals types;
    struct slice aliases, pair, mapping = {"", 0};
    u32 refs = 0;
    *out = aval_unknown();
    const char *key = listed_types(r, &types);
    if (!key)
        return rule_trust(r, at_prim(), "`%s` does not list the types of its results, so they are not verified",
                          format_prim(r));
    if (!param_text(r, "input_output_aliases", &aliases))
        return results_listed(r, key, &types);
    for (u32 i = 0; i < r->n; i++)
        refs += r->in[i].kind == AVAL_REF;
    if (read_mapping(r, &mapping) && !grid_fits(r, mapping))
        return false;
    struct aval *at = rule_alloc(r, ((size_t)types.n + 1) * sizeof *at);
    memcpy(at, types.at, types.n * sizeof *at);
    u32 before = dynamic_bounds(mapping) + refs;
    struct cursor c = cursor_inside(aliases);
    for (struct alias alias = {0}; value_element(&c, &pair); alias.i++) {
        if (!read_alias(r, pair, &alias) || !alias_fits(r, &alias, before, key, &types))
            return false;
        /* up to 0.7 the results still have the types in out_avals, from 0.8 on those of the operands */
        at[alias.to] = r->in[alias.from + before];
    }
    types.at = at;
    return results_listed(r, key, &types) && blocks_fit(r, refs, &types);
}
