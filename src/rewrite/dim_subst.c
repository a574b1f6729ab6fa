/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes replaced in the text of a type, which is then interned like any other. Linear in the text. */
#include "rewrite/dim_subst.h"

#include "base/sink.h"

type_t
type_with_sizes(struct module *m, type_t id, const struct slice *sizes)
{
    const struct type *t = id == NONE ? NULL : type_get(&m->types, id), *array = t;
    if (t && t->kind == TYPE_REF && t->inner != NONE)
        array = type_get(&m->types, t->inner);
    if (!array || array->kind != TYPE_ARRAY)
        return id;
    struct sink text;
    sink_init_memory(&text, m->mem);
    if (t != array)
        sink_write(&text, t->text.at, (size_t)((const char *)memchr(t->text.at, '{', t->text.n) + 1 - t->text.at));
    const char *at = array->text.at;
    for (u32 i = 0; i < array->rank; i++) {
        struct slice old = type_dims(&m->types, array)[i].text;
        sink_write(&text, at, (size_t)(old.at - at));
        sink_slice(&text, sizes[i].at ? sizes[i] : old);
        at = old.at + old.n;
    }
    sink_write(&text, at, (size_t)(array->text.at + array->text.n - at));
    if (t != array)
        sink_char(&text, '}');
    return types_intern(&m->types, sink_take(&text));
}

struct slice
var_text(struct module *m, var_t v)
{
    struct name_buffer buffer;
    return arena_copy(m->mem, module_name(m, m->vars.at[v].name, &buffer));
}

name_t
fresh_name(struct module *m, u32 *next)
{
    if (*next == 0 && vars_numerals(m) > 0)
        *next = vars_numerals(m) - 1;
    for (;;) {
        char letters[8];
        *next += numeral_is_number(*next + 1) ? 2 : 1;
        struct slice text =
            arena_copy(m->mem, (struct slice){letters, (size_t)(numeral_write(letters, *next) - letters)});
        name_t name = module_intern(m, text);
        if (name >= NAME_OTHER || *next < m->names.numeral_limit)
            return name;
    }
}

var_t
var_append(struct module *m, var_t like, name_t name)
{
    struct var var = m->vars.at[like];
    var_t origin = var_origin(m, like);
    for (var_t self = m->origins.n; self < m->vars.n; self++)
        *vec_push(m->mem, &m->origins) = self;
    *vec_push(m->mem, &m->origins) = name == NONE ? origin : m->vars.n;
    if (name != NONE) {
        var.name = name;
        memo_set(m->mem, &m->likes, m->vars.n, (u64)like + 1);
    }
    *vec_push(m->mem, &m->vars) = var;
    return m->vars.n - 1;
}
