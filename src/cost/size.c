/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes as amounts: a dim is a number, a polynomial in symbols, or a variable, whose value is the operand passed to
 * its program. Numbers of elements of static types are cached. O(rank) each. */
#include "types/poly.h"
#include "base/value.h"
#include "cost/costing.h"

u32
cost_place_symbol(struct costing *c, struct slice what, u32 offset, u32 owner)
{
    struct position p = text_position(c->m->mem, &c->m->text, offset == NONE ? 0 : offset);
    struct slice text = arena_printf(c->m->mem, "%.*s@%u", (int)what.n, what.at, p.line);
    if (!amounts_taken(c->t, text, owner))
        return amounts_symbol(c->t, text, owner, text);
    return amounts_symbol(c->t, arena_printf(c->m->mem, "%.*s@%u:%u", (int)what.n, what.at, p.line, p.column), owner,
                          text);
}

void
cost_variable(struct costing *c, jaxpr_t j, var_t v, struct amount *out)
{
    u64 known = memo_get(&c->values, v);
    if (known) {
        amount_load(c->t, out, &c->env.at[known - 1]);
        return;
    }
    struct name_buffer buffer;
    struct slice name = module_name(c->m, c->m->vars.at[v].name, &buffer);
    u32 symbol;
    if (amounts_taken(c->t, name, v))
        symbol = cost_place_symbol(c, name, c->m->jaxprs.at[j].offset, v);
    else
        symbol = amounts_symbol(c->t, arena_copy(c->m->mem, name), v, name);
    amount_symbol(c->t, out, symbol);
    *vec_push(c->m->mem, &c->env) = (struct amount_kept){0};
    amount_keep(c->t, &c->env.at[c->env.n - 1], out);
    memo_set(c->m->mem, &c->values, v, c->env.n);
}

/* opens the scope of one program, so that names in its shapes can be looked up */
static void
open_scope(struct costing *c, jaxpr_t j)
{
    if (!c->scope_made)
        binders_init(&c->scope, c->m);
    if (c->scope_made && c->scope_of == j)
        return;
    c->scope_made = true;
    c->scope_of = j;
    binders_open(&c->scope);
    const struct jaxpr *program = &c->m->jaxprs.at[j];
    for (u32 i = 0; i < jaxpr_binders(program); i++)
        binders_bind(&c->scope, program->vars + i);
    for (eqn_t e = program->eqns; e != NONE; e = c->m->eqns.at[e].next)
        for (u32 i = 0; i < c->m->eqns.at[e].n_vars; i++)
            binders_bind(&c->scope, c->m->eqns.at[e].vars + i);
}

static bool
symbol_of(struct costing *c, struct slice text, struct amount *out)
{
    if (text.n == 0)
        return false;
    amount_symbol(c->t, out, amounts_symbol(c->t, text, NONE, text));
    return true;
}

/* the polynomial of a symbolic dim; false if its text is not a polynomial */
static bool
polynomial_of(struct costing *c, struct slice text, struct amount *out)
{
    struct poly p;
    struct amount term, factor;
    amount_set(out, 0);
    bool read = poly_read(&p, text);
    for (u32 i = 0; read && i < p.n; i++) {
        amount_set(&term, (double)p.terms[i].coefficient);
        for (u32 k = 0; k < p.terms[i].n; k++) {
            symbol_of(c, p.terms[i].factors[k], &factor);
            amount_multiply(c->t, &term, &factor);
        }
        amount_add(out, &term);
    }
    return read;
}

/* longer texts and more axes give an unknown size: many short equations may refer to the same one */
enum { LONGEST = 4096, MOST_AXES = 1024 };

bool
cost_dim(struct costing *c, jaxpr_t j, const struct dim *d, struct amount *out)
{
    amount_set(out, (double)d->value);
    if (d->kind == DIM_INT)
        return d->value >= 0;
    if (d->text.n > LONGEST)
        return false;
    if (d->kind == DIM_BOUNDED && d->value > 0)
        return true;
    if (d->kind == DIM_NAME && memo_get(&c->m->dim_names, j) == NAMES_VARIABLES) {
        open_scope(c, j);
        var_t v = binders_find(&c->scope, d->name);
        if (v != NONE) {
            cost_variable(c, j, v, out);
            return true;
        }
    }
    if (d->kind == DIM_EXPR && polynomial_of(c, d->text, out))
        return true;
    return symbol_of(c, d->text, out);
}

/* the product of the dims of an array */
static bool
product(struct costing *c, jaxpr_t j, const struct type *array, struct amount *out)
{
    const struct dim *dims = type_dims(&c->m->types, array);
    struct amount dim;
    amount_set(out, 1);
    if (array->rank > MOST_AXES)
        return false;
    for (u32 i = 0; i < array->rank; i++) {
        if (!cost_dim(c, j, &dims[i], &dim))
            return false;
        amount_multiply(c->t, out, &dim);
    }
    return true;
}

/* the bits of an element; an extended element type, as in `key<fry>[2]`, has those of its key */
static u32
element_bits(const struct costing *c, dtype_t dtype)
{
    u32 bits = dtype_bits(dtype);
    if (bits || dtype < DT_EXTENDED)
        return bits;
    u32 words = key_words(dtype_key(&c->m->names, dtype));
    return words ? 32 * words : NONE;
}

static bool
cost_elements(struct costing *c, jaxpr_t j, type_t type, struct amount *out)
{
    const struct type *t = type_array(c->m, type);
    amount_set(out, 0);
    if (!t)
        return false;
    if (t->dynamic)
        return product(c, j, t, out);
    u64 known = memo_get(&c->elements, type);
    if (known) {
        double value;
        known--;
        memcpy(&value, &known, sizeof value);
        amount_set(out, value);
        return true;
    }
    if (!product(c, j, t, out))
        return false;
    memcpy(&known, &out->constant, sizeof known);
    memo_set(c->m->mem, &c->elements, type, known + 1);
    return true;
}

bool
cost_bytes(struct costing *c, jaxpr_t j, type_t type, struct amount *out)
{
    const struct type *t = type_array(c->m, type);
    amount_set(out, 0);
    if (!t) /* tokens, quantum registers etc. have no known size */
        return type != NONE && type_get(&c->m->types, type)->kind != TYPE_REF;
    u32 bits = element_bits(c, t->dtype);
    if (bits == NONE || !cost_elements(c, j, type, out))
        return false;
    amount_scale(out, bits / 8.0);
    return true;
}

/* the type of an operand, NONE if it has none */
static type_t
cost_operand_type(const struct op_view *q, u32 i)
{
    const struct module *m = q->c->m;
    if (i >= q->eqn->n_atoms)
        return NONE;
    return atom_type(m, atom_without_index(m, m->atoms.at[q->eqn->atoms + i]));
}

bool
cost_operand_bytes(const struct op_view *q, u32 i, struct amount *out)
{
    const struct module *m = q->c->m;
    amount_set(out, 0);
    if (i >= q->eqn->n_atoms)
        return true;
    type_t type = cost_operand_type(q, i);
    if (atom_kind(m->atoms.at[q->eqn->atoms + i]) == ATOM_LIT) {
        const struct type *t = type_array(m, type);
        if (!t || t->rank == 0)
            return true;
    }
    return cost_bytes(q->c, q->j, type, out);
}

const struct dim *
cost_operand_dims(const struct op_view *q, u32 i, u32 *rank)
{
    const struct type *t = type_array(q->c->m, cost_operand_type(q, i));
    if (!t || t->rank > COST_RANK)
        return NULL;
    *rank = t->rank;
    return type_dims(&q->c->m->types, t);
}

bool
cost_operand_elements(const struct op_view *q, u32 i, struct amount *out)
{
    if (i < q->eqn->n_atoms && atom_kind(q->c->m->atoms.at[q->eqn->atoms + i]) == ATOM_LIT &&
        cost_operand_type(q, i) == NONE) { /* literals without a type are scalars */
        amount_set(out, 1);
        return true;
    }
    return cost_elements(q->c, q->j, cost_operand_type(q, i), out);
}

bool
cost_result_elements(const struct op_view *q, u32 i, struct amount *out)
{
    amount_set(out, 0);
    return i < q->eqn->n_vars && cost_elements(q->c, q->j, q->c->m->vars.at[q->eqn->vars + i].type, out);
}

bool
cost_stored_bytes(const struct op_view *q, u32 i, struct amount *out)
{
    const struct module *m = q->c->m;
    if (i >= q->eqn->n_atoms || atom_kind(m->atoms.at[q->eqn->atoms + i]) != ATOM_LIT)
        return cost_operand_bytes(q, i, out);
    const struct type *stored = type_array(m, cost_operand_type(q, 0));
    u32 bits = stored ? element_bits(q->c, stored->dtype) : NONE;
    if (!cost_operand_elements(q, i, out) || bits == NONE)
        return false;
    amount_scale(out, bits / 8.0);
    return true;
}

bool
cost_literal(const struct module *m, u32 literal, i64 *out)
{
    struct cursor c = cursor_of(module_bytes(m, m->literals.at[literal].value));
    return value_int(&c, out) && value_done(&c);
}
