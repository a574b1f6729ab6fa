/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats the parts of an equation for messages: operands, types, dims, counts. Texts are in the scratch memory of the
 * equation, and are made only for findings. */
#include "verify/checker.h"
#include "verify/memory_space.h"
#include "types/poly.h"

#include <stdio.h>

enum { SAY_LONGEST = 160 };

const char *
format_args(struct rule *r, const char *format, va_list args)
{
    char small[512]; /* nearly all types fit and are formatted once */
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, format, args);
    size_t size = (size_t)(n < 0 ? 0 : n) + 1;
    char *text = scratch_alloc(r->c, size);
    if (size <= sizeof small)
        memcpy(text, small, size);
    else
        vsnprintf(text, size, format, again);
    text[size - 1] = 0;
    va_end(again);
    return text;
}

const char *
format_text(struct rule *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = format_args(r, format, args);
    va_end(args);
    return text;
}

const char *
format_param(struct rule *r, const char *key)
{
    struct slice text;
    return param_text(r, key, &text) ? format_slice(r, text) : "..";
}

const char *
format_slice(struct rule *r, struct slice s)
{
    if (s.n <= SAY_LONGEST)
        return format_text(r, "%.*s", (int)s.n, s.at);
    return format_text(r, "%.*s...", SAY_LONGEST - 3, s.at);
}

const char *
format_count(struct rule *r, u64 n, const char *one, const char *many)
{
    return format_text(r, "%llu %s", (unsigned long long)n, n == 1 ? one : many);
}

const char *
format_prim(struct rule *r)
{
    struct name_buffer buffer;
    if (r->eqn->form == EQN_GET || r->eqn->form == EQN_STORE || r->eqn->form == EQN_SWAP)
        return "<-";
    if (r->eqn->form == EQN_ADDUPDATE)
        return "+=";
    return format_slice(r, module_name(r->m, r->eqn->prim, &buffer));
}

const char *
format_var(struct rule *r, var_t v)
{
    struct name_buffer buffer;
    return format_slice(r, module_name(r->m, r->m->vars.at[v].name, &buffer));
}

const char *
format_atom(struct rule *r, atom_t a)
{
    struct name_buffer buffer;
    switch (atom_kind(a)) {
    case ATOM_VAR:
        return format_var(r, atom_id(a));
    case ATOM_NAME:
        return format_slice(r, module_name(r->m, atom_id(a), &buffer));
    case ATOM_LIT:
        return format_slice(r, module_bytes(r->m, r->m->literals.at[atom_id(a)].value));
    default:
        break;
    }
    atom_t ref = r->m->refs.at[atom_id(a)].ref;
    return atom_kind(ref) == ATOM_VAR ? format_var(r, atom_id(ref)) : "the ref";
}

const char *
format_operand(struct rule *r, u32 i)
{
    return format_atom(r, r->m->atoms.at[r->eqn->atoms + i]);
}

const char *
format_which_result(struct rule *r, u32 i)
{
    return r->n_results == 1 ? format_text(r, "the result of `%s`", format_prim(r))
                             : format_text(r, "the %s result of `%s`", ordinal_of(i).text, format_prim(r));
}

const char *
format_result(struct rule *r, u32 i)
{
    return format_var(r, r->eqn->vars + i);
}

/* a sum as jax.export would print it */
static const char *
format_alternatives(struct rule *r, struct dim d)
{
    enum { LONGEST = 255 };
    struct sink out;
    sink_init_memory(&out, r->m->mem);
    bool fits = poly_write(&out, &d) && out.n <= LONGEST;
    const char *text = fits ? format_text(r, "%.*s", (int)out.n, out.at) : "?";
    mem_free(r->m->mem, out.at);
    return text;
}

const char *
format_dim(struct rule *r, struct dim d)
{
    struct name_buffer buffer;
    switch (d.kind) {
    case DIM_INT:
        return format_text(r, "%lld", (long long)d.value);
    case DIM_NAME:
        return format_slice(r, module_name(r->m, d.name, &buffer));
    case DIM_UNKNOWN:
        return "?";
    case DIM_HUGE:
        return "2^63 or more";
    case DIM_SUM:
    case DIM_WINDOWS:
        return format_alternatives(r, d);
    default:
        return format_slice(r, d.text);
    }
}

/* the dims joined by a separator, at most 12 of them; if `sharded`, with their shardings, as types print them */
static const char *
join_dims(struct rule *r, const struct dim *dims, u32 n, const char *separator, bool sharded)
{
    const char *text = "";
    for (u32 i = 0; i < n && i < 12; i++) {
        text = format_text(r, "%s%s%s", text, i ? separator : "", format_dim(r, dims[i]));
        if (sharded && dims[i].kind < DIM_WINDOWS && dims[i].sharding.n)
            text = format_text(r, "%s@%s", text, format_slice(r, dims[i].sharding));
    }
    return n > 12 ? format_text(r, "%s%s...", text, separator) : text;
}

const char *
format_dims(struct rule *r, const struct dim *dims, u32 n)
{
    return format_text(r, n == 1 ? "(%s,)" : "(%s)", join_dims(r, dims, n, ", ", false));
}

/* a set of element type classes in words: `integer, float or complex` */
static const char *
format_classes(struct rule *r, u32 classes)
{
    static const char *const words[] = {"bool", "signed integer", "unsigned integer", "float", "complex", "float0",
                                        "key"};
    const char *text = "";
    bool integers = (classes & IN_INT) == IN_INT;
    if (integers)
        classes &= ~(u32)IN_UNSIGNED;
    for (u32 i = 0; i < countof(words); i++) {
        bool last = classes >> i == 1;
        if (classes >> i & 1)
            text = format_text(r, "%s%s%s", text,
                               !*text ? ""
                               : last ? " or "
                                      : ", ",
                               integers && 1u << i == IN_SIGNED ? "integer" : words[i]);
    }
    return text;
}

/* the type of an untyped literal, or of an array made of one: `an integer`, followed by `noun` */
static const char *
format_untyped(struct rule *r, const struct aval *a, const char *noun)
{
    const char *kind = format_classes(r, a->classes);
    if (!*noun && a->classes == IN_COMPLEX)
        noun = " number";
    return format_text(r, "%s %s%s", *kind == 'i' ? "an" : "a", kind, noun);
}

static bool
is_untyped(const struct aval *a)
{
    return a->literal && a->dtype == NONE && a->classes;
}

const char *
format_dtype(struct rule *r, const struct aval *a)
{
    if (is_untyped(a))
        return format_untyped(r, a, "");
    if (a->dtype == NONE)
        return a->classes ? format_classes(r, a->classes) : "?";
    return format_slice(r, dtype_text(&r->m->names, a->dtype));
}

/* an array whose element type is only known as classes */
static const char *
format_shaped(struct rule *r, const struct aval *a)
{
    bool one = a->classes == IN_INT || (a->classes && !(a->classes & (a->classes - 1)));
    const char *kind = one ? format_text(r, "%s ", format_classes(r, a->classes)) : "";
    return format_text(r, "%s %sarray of shape %s", !one || *kind == 'i' ? "an" : "a", kind,
                       format_dims(r, a->dims, a->rank));
}

/* an array or a ref whose sizes are not known: `an f32 array with 2 axes` */
static const char *
format_sizeless(struct rule *r, const struct aval *a, const char *element)
{
    const char *axes = a->ranked ? format_text(r, " with %s", format_count(r, a->rank, "axis", "axes")) : "";
    return a->kind == AVAL_REF ? format_text(r, "a ref of %s%s", element, axes)
                               : format_text(r, "a%s %s array%s", strchr("fi", *element) ? "n" : "", element, axes);
}

/* the text of a type; `of` is the printed type whose varying, unreduced and reduced axes it has, or NONE */
static const char *
format_over(struct rule *r, const struct aval *a, type_t of)
{
    if (a->type != NONE)
        return format_slice(r, type_get(&r->m->types, a->type)->text);
    switch (a->kind) {
    case AVAL_UNKNOWN:
    case AVAL_OTHER:
        return "of unknown type";
    case AVAL_TOKEN:
        return "Tok";
    default:
        break;
    }
    if (is_untyped(a))
        return format_untyped(r, a,
                              !a->ranked ? " array"
                              : !a->rank ? " scalar"
                                         : format_text(r, " array of shape %s", format_dims(r, a->dims, a->rank)));
    if (a->kind == AVAL_ARRAY && a->dtype == NONE && a->ranked)
        return format_shaped(r, a);
    const char *element = format_text(r, "%s%s", format_dtype(r, a), format_slice(r, shown_space(r->m, a)));
    if (!a->ranked || aval_lacks_size(a))
        return format_sizeless(r, a, element);
    struct slice axes = of == NONE ? (struct slice){"", 0} : type_get(&r->m->types, of)->vary;
    bool named = axes.n && *axes.at == ';'; /* a named shape, within the brackets */
    const char *shape = format_text(r, named ? "%s[%s%s]" : "%s[%s]%s", element,
                                    join_dims(r, a->dims, a->rank, ",", true), format_slice(r, axes));
    return a->kind == AVAL_REF ? format_text(r, "Ref{%s}", shape) : shape;
}

const char *
format_aval(struct rule *r, const struct aval *a)
{
    return format_over(r, a, aval_axes(a));
}

const char *
format_compared(struct rule *r, const struct aval *a, const struct aval *other)
{
    return format_over(r, a, aval_axes(a->moved ? other : a));
}

const char *
format_of_binder(struct rule *r, const char *text, u32 i)
{
    const char *name = format_operand(r, i), *type = format_aval(r, &r->in[i]), *element = format_dtype(r, &r->in[i]);
    const char *ends[] = {format_text(r, ": `%s` is %s", name, type), format_text(r, ", `%s` is %s", name, type),
                          format_text(r, ", `%s` is %s", name, element)};
    size_t n = strlen(text);
    for (u32 k = 0; k < countof(ends); k++)
        if (n > strlen(ends[k]) && strcmp(text + n - strlen(ends[k]), ends[k]) == 0)
            return format_text(r, "`%s` is bound as %s, but %.*s", name, type, (int)(n - strlen(ends[k])), text);
    return text;
}
