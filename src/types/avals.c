/* SPDX-License-Identifier: Apache-2.0
 *
 * Types as values, and the scratch memory of the equation at hand. Avals point into the module's type table. Linear in
 * what is read. */
#include "verify/checker.h"
#include "resolve/dim_check.h"

/* ---- scratch ---- */

void *
scratch_alloc(struct checker *c, size_t size)
{
    enum { BLOCK = 1 << 14 };
    struct scratch *s = &c->scratch;
    size = (size + 15) & ~(size_t)15;
    while (s->block < s->blocks.n && s->blocks.at[s->block].n - s->used < size) {
        s->block++;
        s->used = 0;
    }
    if (s->block == s->blocks.n) {
        size_t room = size > BLOCK ? size : BLOCK;
        char *block = mem_alloc(s->mem, room);
        *vec_push(s->mem, &s->blocks) = (struct slice){block, room};
        s->used = 0;
    }
    char *at = (char *)(uintptr_t)s->blocks.at[s->block].at + s->used;
    s->used += size;
    return at;
}

void
scratch_reset(struct checker *c)
{
    c->scratch.block = 0;
    c->scratch.used = 0;
}

void *
rule_alloc(struct rule *r, size_t size)
{
    return scratch_alloc(r->c, size);
}

/* ---- avals ---- */

struct aval
aval_unknown(void)
{
    return (struct aval){.kind = AVAL_UNKNOWN, .dtype = NONE, .type = NONE, .classes = IN_ANY};
}

void
aval_set_dtype(struct aval *a, dtype_t dtype)
{
    a->dtype = dtype;
    a->classes = dtype == NONE ? IN_ANY : (u8)(1u << dtype_class(dtype));
    a->bounded = dtype != NONE && dtype >= DT_EXTENDED;
    a->type = NONE;
}

struct aval
aval_array(dtype_t dtype, u32 rank, const struct dim *dims)
{
    struct aval a = {.kind = AVAL_ARRAY, .ranked = true, .rank = rank, .dims = dims};
    aval_set_dtype(&a, dtype);
    return a;
}

struct aval
aval_scalar(dtype_t dtype)
{
    return aval_array(dtype, 0, NULL);
}

struct aval
aval_reshaped(const struct aval *a, u32 rank, const struct dim *dims)
{
    struct aval out = *a;
    if (out.kind == AVAL_UNKNOWN)
        out.kind = AVAL_ARRAY;
    out.ranked = true;
    out.rank = rank;
    out.dims = dims;
    out.type = NONE;
    return out;
}

/* whether an opaque type is an object of some class (`Log`, `QArrayTy(shape=(3, 4))`), not an array of an extended
 * element type that prints as its whole repr, nor a slip like `i32` */
static bool
is_class_name(struct slice text)
{
    return text.n && text.at[0] >= 'A' && text.at[0] <= 'Z' && text.at[text.n - 1] != ']';
}

/* whether a type is spelled long (`float32[8]`, `int32[]`), as only people and the oldest printers do: its second and
 * third letters tell */
static bool
spelled_long(struct slice text)
{
    if (text.n < 6)
        return false;
    char second = text.at[1], third = text.at[2];
    return (second == 'l' && third == 'o') || (second == 'n' && third == 't') || (second == 'i' && third == 'n') ||
           (second == 'o' && third == 'm') || (second == 'f' && third == 'l');
}

/* of an array with more nothing is compared but the element type: any number of short equations may name it */
enum { MOST_AXES = 1024 };

/* what is known of a type */
static struct aval
aval_of_type(const struct module *m, type_t type)
{
    if (type == NONE)
        return aval_unknown();
    const struct type *t = type_get(&m->types, type), *array = t;
    struct aval a = {.kind = AVAL_ARRAY, .classes = IN_ANY, .dtype = NONE, .type = type};
    switch (t->kind) {
    case TYPE_REF:
        a.kind = AVAL_REF;
        if (t->inner == NONE)
            return a;
        array = type_get(&m->types, t->inner);
        if (array->kind != TYPE_ARRAY)
            return a;
        break;
    case TYPE_TOKEN:
        a.kind = AVAL_TOKEN;
        return a;
    case TYPE_ARRAY:
        break;
    default:
        a.kind = is_class_name(t->text) ? AVAL_OTHER : AVAL_UNKNOWN;
        return a;
    }
    if (array->dtype != NONE && array->dtype >= DT_EXTENDED && type_slips(array))
        return aval_unknown(); /* which check_dims reports */
    a.dtype = array->dtype;
    a.classes = a.dtype == NONE ? IN_ANY : (u8)(1u << dtype_class(a.dtype));
    a.ranked = array->rank <= MOST_AXES;
    a.bounded = a.dtype != NONE && a.dtype >= DT_EXTENDED && slice_starts(array->text, SLICE("bint"));
    a.longhand = array == t && spelled_long(t->text);
    if (a.ranked) {
        a.rank = array->rank;
        a.dims = type_dims(&m->types, array);
    }
    return a;
}

/* true for `_`: several variables of one program may be called so, and then nobody can tell which is meant */
static bool
is_dropped(const struct module *m, var_t v)
{
    name_t name = m->vars.at[v].name;
    struct name_buffer buffer;
    return name >= m->names.numeral_limit && slice_eq(module_name(m, name, &buffer), SLICE("_"));
}

struct aval
aval_of_atom(const struct module *m, atom_t atom)
{
    if (atom_kind(atom) == ATOM_VAR)
        return is_dropped(m, atom_id(atom)) ? aval_unknown() : aval_of_type(m, m->vars.at[atom_id(atom)].type);
    if (atom_kind(atom) != ATOM_LIT)
        return aval_unknown();
    const struct literal *l = &m->literals.at[atom_id(atom)];
    struct aval a;
    if (l->type != NONE) {
        a = aval_of_type(m, l->type);
        a.literal = true;
        return a;
    }
    static const u8 classes[] = {[LIT_INT] = IN_INT,
                                 [LIT_FLOAT] = IN_FLOAT,
                                 [LIT_BOOL] = IN_BOOL,
                                 [LIT_COMPLEX] = IN_COMPLEX,
                                 [LIT_FLOAT0] = IN_FLOAT0};
    if (l->kind >= countof(classes) || !classes[l->kind])
        return aval_unknown();
    a = aval_array(NONE, 0, NULL);
    a.classes = classes[l->kind];
    a.literal = true;
    return a;
}

/* true for the float types whose numbers old prints show without a point: `1` (ml_dtypes) */
static bool
prints_like_int(dtype_t dtype)
{
    return dtype_class(dtype) == CLASS_FLOAT && dtype != DT_f16 && dtype_bits(dtype) <= 16;
}

enum truth
dtypes_agree(const struct aval *a, const struct aval *b)
{
    if (a->dtype != NONE && b->dtype != NONE) {
        if (a->dtype == b->dtype)
            return YES;
        /* `bint{..}` is an i32 to JAX's own rules */
        const struct aval *bounded = a->bounded ? a : b, *other = a->bounded ? b : a;
        return bounded->bounded && other->classes & (IN_INT | IN_KEY) ? MAYBE : NO;
    }
    if (a->classes & b->classes)
        return MAYBE;
    const struct aval *known = a->dtype != NONE ? a : b, *literal = a->dtype != NONE ? b : a;
    if (a->literal && b->literal && a->dtype == b->dtype) /* `0` and `inf` of bf16 */
        return (a->classes | b->classes) == (IN_INT | IN_FLOAT) ? MAYBE : NO;
    if (known->dtype != NONE && literal->classes == IN_INT && literal->literal &&
        (prints_like_int(known->dtype) || (known->longhand && known->classes & IN_FLOAT)))
        return MAYBE;
    return NO;
}

enum truth
shapes_agree(const struct aval *a, const struct aval *b)
{
    if (!a->ranked || !b->ranked)
        return MAYBE;
    if (a->rank != b->rank)
        return NO;
    return a->dims == b->dims ? YES : dims_equal(a->dims, b->dims, a->rank);
}

enum truth
avals_agree(const struct aval *a, const struct aval *b)
{
    if (a->type != NONE && a->type == b->type)
        return YES;
    if (a->kind == AVAL_UNKNOWN || b->kind == AVAL_UNKNOWN)
        return MAYBE;
    if (a->kind == AVAL_OTHER || b->kind == AVAL_OTHER) {
        /* an object is no array, where that is one for sure and not the inside of a ref that nobody understood */
        const struct aval *other = a->kind == AVAL_OTHER ? b : a;
        return other->kind == AVAL_ARRAY && other->ranked && other->dtype != NONE ? NO : MAYBE;
    }
    if (a->kind != b->kind)
        return NO;
    if (a->kind == AVAL_TOKEN)
        return YES;
    enum truth dtype = dtypes_agree(a, b), shape = shapes_agree(a, b);
    if (dtype == NO || shape == NO)
        return NO;
    return dtype == YES && shape == YES ? YES : MAYBE;
}

struct aval
rule_binder(const struct rule *r, u32 i)
{
    return i < r->eqn->n_vars ? aval_of_type(r->m, r->m->vars.at[r->eqn->vars + i].type) : aval_unknown();
}

/* ---- operands, and other programs' types ---- */

struct dim
operand_dim(struct rule *r, u32 i)
{
    r->wide = true;
    atom_t a = r->m->atoms.at[r->eqn->atoms + i];
    struct dim d = dim_unknown();
    if (atom_kind(a) == ATOM_VAR)
        d = (struct dim){.kind = DIM_NAME, .name = r->m->vars.at[atom_id(a)].name, .value = DIM_VARIABLE};
    else if (atom_kind(a) == ATOM_LIT)
        read_dim(r, module_bytes(r->m, r->m->literals.at[atom_id(a)].value), &d);
    return d;
}

/* a type of another scope: its names are not told apart from those of this one (check_dims compares across scopes) */
struct aval
aval_elsewhere(const struct rule *r, atom_t atom)
{
    const struct dim *view = r->m->types.view;
    if (view == r->m->types.variables)
        r->m->types.view = NULL;
    struct aval a = aval_of_atom(r->m, atom);
    r->m->types.view = view;
    if (r->c->inferred && a.kind == AVAL_UNKNOWN && atom_kind(atom) == ATOM_VAR)
        return r->c->inferred[atom_id(atom)];
    return a;
}

struct aval
jaxpr_in_aval(const struct rule *r, jaxpr_t j, u32 i)
{
    return aval_elsewhere(r, atom_make(ATOM_VAR, jaxpr_in(&r->m->jaxprs.at[j], i)));
}

/* Which types the variables of a jaxpr have that are called `_`: its result i may be any of them. */
struct dropped {
    bool alike; /* they are all of one type */
    bool fits;  /* some have the type that the equation around gives the result */
};

/* not looked for in long programs with many results */
static struct dropped
find_dropped(const struct module *m, const struct jaxpr *j, u32 i)
{
    enum { WORTH = 4096 };
    var_t v = atom_id(m->atoms.at[j->outs + i]);
    name_t name = m->vars.at[v].name;
    type_t type = m->vars.at[v].type, given = NONE;
    struct dropped d = {true, true};
    if ((u64)j->n_eqns * j->n_outs > WORTH)
        return (struct dropped){false, true};
    if (j->parent != NONE && m->eqns.at[j->parent].n_vars == j->n_outs) {
        given = m->vars.at[m->eqns.at[j->parent].vars + i].type;
        d.fits = given == NONE;
    }
    for (u32 k = 0; k < j->n_consts + j->n_ins; k++)
        if (m->vars.at[j->vars + k].name == name) {
            d.alike &= m->vars.at[j->vars + k].type == type;
            d.fits |= m->vars.at[j->vars + k].type == given;
        }
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next)
        for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
            if (m->vars.at[m->eqns.at[e].vars + k].name == name) {
                d.alike &= m->vars.at[m->eqns.at[e].vars + k].type == type;
                d.fits |= m->vars.at[m->eqns.at[e].vars + k].type == given;
            }
    return d;
}

struct aval
jaxpr_out_aval(const struct rule *r, jaxpr_t j, u32 i)
{
    atom_t out = r->m->atoms.at[r->m->jaxprs.at[j].outs + i];
    if (atom_kind(out) == ATOM_VAR && is_dropped(r->m, atom_id(out))) {
        struct dropped d = find_dropped(r->m, &r->m->jaxprs.at[j], i);
        if (d.alike || !d.fits)
            return aval_of_type(r->m, r->m->vars.at[atom_id(out)].type);
    }
    return aval_elsewhere(r, out);
}
