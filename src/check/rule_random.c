/* SPDX-License-Identifier: Apache-2.0
 *
 * Random keys and bits (jax/_src/prng.py, random.py, lax/lax.py rng_*). A key's element type carries the tag of its
 * generator, `key<fry>`, which the parameter `impl` names. Linear in ranks. */
#include "check/bind.h"

/* how many 32-bit words a key of this generator has; 0: not known */
static i64
key_words(struct slice tag)
{
    static const struct {
        const char *tag;
        i64 words;
    } known[] = {{"fry", 2}, {"rbg", 4}, {"urbg", 4}, {"fry4", 4}, {"phx2", 1}, {"phx4", 2}};
    for (u32 i = 0; i < countof(known); i++)
        if (slice_eq(tag, slice_of(known[i].tag)))
            return known[i].words;
    return 0;
}

/* the tag of `key<fry>`, empty for other types */
static struct slice
key_tag(const struct rule *r, dtype_t dtype)
{
    struct slice text = dtype == NONE || dtype < DT_EXTENDED ? (struct slice){"", 0} : dtype_text(&r->m->names, dtype);
    if (!slice_starts(text, SLICE("key<")) || text.n < 5)
        return (struct slice){"", 0};
    return (struct slice){text.at + 4, text.n - 5};
}

/* the element type of keys of generator `impl`; NONE when the program has none such. Then any binder is wrong, but
 * nobody can say what would be right */
static dtype_t
impl_dtype(struct rule *r)
{
    struct slice impl;
    if (!param_text(r, "impl", &impl))
        return NONE;
    name_t name = names_find(&r->m->names, slice_of(say(r, "key<%.*s>", (int)(impl.n < 200 ? impl.n : 200), impl.at)));
    return name == NONE ? NONE : DT_EXTENDED + name;
}

/* keys of this shape, of the generator the parameter names */
static bool
gives_keys(struct rule *r, u32 rank, const struct dim *dims, bool ranked)
{
    struct aval keys = aval_array(impl_dtype(r), rank, dims);
    if (keys.dtype == NONE)
        keys.classes = IN_KEY;
    keys.ranked = ranked;
    return rule_results(r, 1) && rule_result(r, 0, &keys);
}

bool
shape_random_seed(struct rule *r, struct aval *out)
{
    *out = aval_unknown();
    return gives_keys(r, r->in[0].rank, r->in[0].dims, r->in[0].ranked);
}

bool
shape_random_wrap(struct rule *r, struct aval *out)
{
    const struct aval *a = &r->in[0];
    struct slice impl;
    *out = aval_unknown();
    i64 words = param_text(r, "impl", &impl) ? key_words(impl) : 0;
    if (!a->ranked || words == 0)
        return gives_keys(r, 0, NULL, false);
    if (a->rank == 0 || (a->dims[a->rank - 1].kind == DIM_INT && a->dims[a->rank - 1].value != words)) {
        bind_error(r, a->rank == 0 ? AS_JAX : STRICTER, DIAG_T008, at_operand(0),
                   say(r, "`%s` makes keys of rows of %lld words: `%s` is %s", say_prim(r), (long long)words,
                       say_operand(r, 0), say_aval(r, a)));
        rule_note_operand(r, 0);
        return false;
    }
    return gives_keys(r, a->rank - 1, a->dims, true);
}

/* a's dims with more behind them */
static struct aval
with_more(struct rule *r, const struct aval *a, dtype_t dtype, const struct dim *more, u32 n)
{
    struct dim *dims = rule_alloc(r, ((size_t)a->rank + n + 1) * sizeof *dims);
    if (a->rank)
        memcpy(dims, a->dims, a->rank * sizeof *dims);
    if (n)
        memcpy(dims + a->rank, more, n * sizeof *dims);
    struct aval out = aval_array(dtype, a->rank + n, dims);
    out.ranked = a->ranked;
    return out;
}

bool
shape_random_unwrap(struct rule *r, struct aval *out)
{
    i64 words = key_words(key_tag(r, r->in[0].dtype));
    struct dim last = dim_of(words);
    *out = with_more(r, &r->in[0], DT_u32, &last, 1);
    out->ranked &= words != 0; /* the words of other generators may lie in several axes */
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* keys, and for each of them as many as `shape` says (`count` in the oldest) */
bool
shape_random_split(struct rule *r, struct aval *out)
{
    struct dims shape;
    i64 count;
    struct dim one;
    *out = r->in[0];
    if (param_dims(r, "shape", &shape)) {
        *out = with_more(r, &r->in[0], r->in[0].dtype, shape.at, shape.n);
    } else if (param_int(r, "count", &count)) {
        one = dim_of(count);
        *out = with_more(r, &r->in[0], r->in[0].dtype, &one, 1);
    } else {
        out->ranked = false;
        out->type = NONE;
    }
    return rule_results(r, 1) && rule_result(r, 0, out);
}

bool
shape_random_bits(struct rule *r, struct aval *out)
{
    static const dtype_t types[] = {[0] = DT_u8, [1] = DT_u16, [2] = DT_u32, [3] = DT_u64};
    struct dims shape = {NULL, 0};
    i64 width;
    dtype_t dtype = NONE;
    if (param_int(r, "bit_width", &width)) {
        for (u32 i = 0; i < countof(types); i++)
            if (width == 8 << i)
                dtype = types[i];
        if (dtype == NONE)
            return rule_error(r, DIAG_T010, at_param(r, "bit_width"), "`%s` gives words of 8, 16, 32 or 64 bits, not of "
                              "%lld", say_prim(r), (long long)width);
    }
    bool known = param_dims(r, "shape", &shape);
    *out = with_more(r, &r->in[0], dtype, shape.at, shape.n);
    out->ranked &= known;
    if (dtype == NONE)
        out->classes = IN_UNSIGNED;
    return rule_results(r, 1) && rule_result(r, 0, out);
}

/* -- generators ------------------------------------------------------------------------------------------------------ */

/* threefry2x32 and its like: words of 32 bits go in, as many arrays of them come out as the name says, of one shape */
bool
shape_cipher(struct rule *r, struct aval *out)
{
    struct name_buffer buffer;
    struct slice name = module_name(r->m, r->eqn->prim, &buffer);
    u32 words = name.n > 4 && name.at[name.n - 4] == '4' ? 4 : 2;
    struct aval u32s = aval_scalar(DT_u32);
    for (u32 i = 0; i < r->n; i++)
        if (r->in[i].kind == AVAL_ARRAY && dtypes_agree(&u32s, &r->in[i]) == NO) {
            rule_error(r, DIAG_T007, at_operand(i), "`%s` takes u32: `%s` is %s", say_prim(r), say_operand(r, i),
                       say_aval(r, &r->in[i]));
            rule_note_operand(r, i);
            return false;
        }
    if (!shape_mixed(r, out) || !rule_results(r, words))
        return false;
    aval_set_dtype(out, DT_u32);
    out->literal = false;
    bool right = true;
    for (u32 i = 0; i < words; i++)
        right &= rule_result(r, i, out);
    return right;
}

/* the pair of words of a counter of this shape */
bool
shape_iota_pair(struct rule *r, struct aval *out)
{
    struct dims shape = {NULL, 0};
    bool known = param_dims(r, "shape", &shape);
    *out = aval_array(DT_u32, shape.n, shape.at);
    out->ranked = known;
    return rule_results(r, 2) && rule_result(r, 0, out) && rule_result(r, 1, out);
}

/* the key as it goes on, and the bits */
bool
shape_rng_bit_generator(struct rule *r, struct aval *out)
{
    struct dims shape = {NULL, 0};
    dtype_t dtype = NONE;
    bool known = param_dims(r, "shape", &shape);
    if (!rule_results(r, 2) || !rule_result(r, 0, &r->in[0]))
        return false;
    param_dtype(r, "dtype", &dtype);
    *out = aval_array(dtype, shape.n, shape.at);
    out->ranked = known;
    return rule_result(r, 1, out);
}

/* numbers between two scalars */
bool
shape_rng_uniform(struct rule *r, struct aval *out)
{
    struct dims shape = {NULL, 0};
    bool known = param_dims(r, "shape", &shape);
    for (u32 i = 0; i < 2; i++)
        if ((r->in[i].ranked && r->in[i].rank) || dtypes_agree(&r->in[0], &r->in[i]) == NO) {
            rule_error(r, r->in[i].rank ? DIAG_T008 : DIAG_T007, at_operand(i), "`%s` lies between two scalars of one "
                       "type: `%s` is %s, `%s` is %s", say_prim(r), say_operand(r, 0), say_aval(r, &r->in[0]),
                       say_operand(r, 1), say_aval(r, &r->in[1]));
            rule_note_operand(r, i);
            return false;
        }
    *out = aval_reshaped(&r->in[0], shape.n, shape.at);
    out->ranked = known;
    return rule_results(r, 1) && rule_result(r, 0, out);
}
