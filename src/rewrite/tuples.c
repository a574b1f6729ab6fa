/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads tuples and slices element by element, and writes them again. */
#include "rewrite/tuples.h"

#include "base/sink.h"
#include "base/value.h"
#include "rewrite/copy.h"
#include "rewrite/values.h"

/* The element that a tuple has for an operand without special properties. */
struct plain {
    struct slice key, element;
};

static const struct plain plains[] = {
    {SLICE("linear"), SLICE("False")},         {SLICE("which_linear"), SLICE("False")},
    {SLICE("donated_invars"), SLICE("False")}, {SLICE("in_shardings"), SLICE("UnspecifiedValue")},
    {SLICE("in_layouts"), SLICE("None")},      {SLICE("in_axes"), SLICE("None")},
    {SLICE("in_names"), SLICE("{}")},          {SLICE("in_specs"), SLICE("PartitionSpec()")},
};

/* rewrites a tuple with n more elements before element `at` */
static void
tuple_insert(struct module *m, param_t p, struct slices *elements, struct slice element, u32 at, u32 n)
{
    char open = value_trim(param_bytes(m, &m->params.at[p])).at[0];
    u32 old = elements->n;
    vec_reserve(m->mem, elements, n);
    elements->n += n;
    memmove(elements->at + at + n, elements->at + at, (old - at) * sizeof *elements->at);
    for (u32 i = 0; i < n; i++)
        elements->at[at + i] = element;
    param_set_text(m, p, list_join(m->mem, open, elements->at, elements->n));
}

void
tuples_insert(struct module *m, eqn_t e, u32 n_before, u32 at, u32 n)
{
    struct slices elements = {0};
    for (size_t k = 0; k < countof(plains); k++) {
        param_t p = eqn_param(m, e, plains[k].key);
        if (p == NONE || (m->params.at[p].kind != PARAM_TEXT && m->params.at[p].kind != PARAM_TUPLE) ||
            !tuple_split(m->mem, value_trim(param_bytes(m, &m->params.at[p])), &elements))
            continue;
        if (elements.n == n_before)
            tuple_insert(m, p, &elements, plains[k].element, at, n);
        else if (elements.n + 1 == n_before && at > 0) /* the operand that selects a branch has no element */
            tuple_insert(m, p, &elements, plains[k].element, at - 1, n);
    }
    vec_free(m->mem, &elements);
}

/* ---- slices ---- */

/* reads `0, 1, None)`, the rest of a slice; *to becomes -1 if the slice ends with the last operand */
static bool
read_bounds(struct cursor *c, i64 *from, i64 *to)
{
    struct cursor at = *c;
    *from = 0;
    *to = -1;
    if (!value_word(&at, "None") && !value_int(&at, from))
        return false;
    value_comma(&at);
    if (!value_word(&at, "None") && !value_int(&at, to))
        return false;
    value_comma(&at);
    if (!value_word(&at, "None") || !value_close(&at))
        return false;
    *c = at;
    return true;
}

/* rewrites the slices of one parameter; `grown` is NONE if none of them grows */
static void
slices_move(struct module *m, param_t p, u32 grown, u32 at, u32 n)
{
    struct cursor c = cursor_of(param_bytes(m, &m->params.at[p]));
    struct sink out;
    i64 from, to;
    sink_init_memory(&out, m->mem);
    for (u32 k = 0; c.p < c.end;) {
        char byte = *c.p++;
        sink_char(&out, byte);
        if (byte != '(' || !read_bounds(&c, &from, &to))
            continue;
        bool grows = k++ == grown, moves = !grows && from >= (i64)at;
        from += moves ? n : 0;
        sink_printf(&out, "%lld, ", (long long)from);
        if (to < 0)
            sink_printf(&out, "None, None)");
        else
            sink_printf(&out, "%lld, None)", (long long)(to + (grows || moves ? n : 0)));
    }
    param_set_text(m, p, sink_take(&out));
}

void
slices_insert(struct module *m, eqn_t e, struct slice grows, u32 grown, u32 at, u32 n)
{
    static const struct slice keys[] = {SLICE("consts_slice"), SLICE("consts_slices"), SLICE("abstract_shapes_slice"),
                                        SLICE("args_slice"),   SLICE("body_slice"),    SLICE("cond_slice"),
                                        SLICE("targs_slice")};
    for (size_t k = 0; k < countof(keys); k++) {
        param_t p = eqn_param(m, e, keys[k]);
        if (p != NONE)
            slices_move(m, p, slice_eq(keys[k], grows) ? grown : NONE, at, n);
    }
}
