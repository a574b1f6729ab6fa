/* SPDX-License-Identifier: Apache-2.0
 *
 * shard_map as 0.6.1 and later print it: `in_names=({0: ('x',)},)` of 0.6.0 and earlier becomes `in_specs=(P('x',),)`,
 * and `auto=frozenset()` becomes a `manual_axes` of the whole mesh (jax/experimental/shard_map.py 0.5.3,
 * jax/_src/shard_map.py 0.6.2). Only if `check_rep=False`: with True, the check and its equations differ. Axes that a
 * dict leaves out are `None`. Linear in the values. */
#include "canon/spelling.h"

#include "verify/mesh.h"
#include "rewrite/values.h"

static const struct {
    struct slice old, now;
} names[] = {
#define REPLACED(prim, from, to) {SLICE(from), SLICE(to)},
#include "versions.def"
};

/* writes `P(None, 'x')` for `{1: ('x')}`, spelled canonically; false for other texts */
static bool
write_spec(struct sink *out, struct slice dict)
{
    size_t at = 1, end = dict.n - 1;
    u32 n = 0;
    if (dict.n < 2 || dict.at[0] != '{' || dict.at[end] != '}')
        return false;
    sink_write(out, "P(", 2);
    while (at < end) {
        u32 axis = 0;
        for (size_t digits = 0; at < end && is_digit(dict.at[at]); at++)
            if (++digits > 3) /* more digits than the number of any axis has */
                return false;
            else
                axis = axis * 10 + (u32)(dict.at[at] - '0');
        struct slice rest = {dict.at + at, end - at};
        const char *close = memchr(rest.at, ')', rest.n);
        if (!slice_starts(rest, SLICE(": ('")) || close == NULL || axis < n)
            return false;
        for (; n <= axis; n++)
            sink_printf(out, "%s%s", n ? ", " : "", n < axis ? "None" : "");
        struct slice axes = {rest.at + 2, (size_t)(close + 1 - rest.at) - 2};
        bool one = memchr(axes.at, ',', axes.n) == NULL;
        sink_write(out, axes.at + one, axes.n - 2 * one);
        at += 2 + axes.n;
        if (at < end && !slice_starts((struct slice){dict.at + at, end - at}, SLICE(", ")))
            return false;
        at += at < end ? 2 : 0;
    }
    sink_char(out, ')');
    return true;
}

/* rewrites `({0: ('x')}, {})` as `(P('x'), P())`; false if it cannot be read */
static bool
write_specs(struct canon *c, struct sink *out, struct slice dicts)
{
    struct slices elements = {0};
    bool good = tuple_split(c->m->mem, dicts, &elements);
    sink_char(out, '(');
    for (u32 i = 0; i < elements.n && good; i++) {
        sink_printf(out, "%s", i ? ", " : "");
        good = write_spec(out, elements.at[i]);
    }
    sink_char(out, ')');
    vec_free(c->m->mem, &elements);
    return good;
}

/* writes the axes of a mesh that are not left to the compiler, which are all by default; false if they are unknown */
static bool
write_manual(struct canon *c, struct sink *out, eqn_t e, struct slice automatic)
{
    param_t mesh = eqn_param(c->m, e, SLICE("mesh"));
    struct mesh around;
    if (!slice_eq(automatic, SLICE("{}")) || mesh == NONE ||
        !mesh_read(param_bytes(c->m, &c->m->params.at[mesh]), &around))
        return false;
    struct sink set;
    sink_init_memory(&set, c->m->mem);
    for (u32 i = 0; i < around.n; i++)
        sink_printf(&set, "%s'%.*s'", i ? ", " : "{", (int)around.axes[i].name.n, around.axes[i].name.at);
    sink_char(&set, '}');
    canon_value(c->m->mem, out, (struct slice){set.at, set.n});
    mem_free(c->m->mem, set.at);
    return true;
}

/* writes the current form of the value of an old parameter, spelled canonically; false if it has none */
static bool
write_new_form(struct canon *c, struct sink *out, eqn_t e, u32 which, struct slice value)
{
    if (which == 0) /* auto */
        return write_manual(c, out, e, value);
    if (which > 1)
        return write_specs(c, out, value);
    sink_slice(out, value);
    return slice_eq(value, SLICE("False"));
}

static bool
modernize_old(struct canon *c, struct sink *out, eqn_t e, u32 which)
{
    param_t p = eqn_param(c->m, e, names[which].old);
    size_t from = out->n;
    if (p == NONE)
        return false;
    canon_value_again(c, out, param_bytes(c->m, &c->m->params.at[p]));
    struct slice value = arena_copy(c->m->mem, (struct slice){out->at + from, out->n - from});
    out->n = from;
    return write_new_form(c, out, e, which, value);
}

bool
shard_is_old(struct canon *c, eqn_t e, struct slice prim)
{
    if (!slice_eq(prim, SLICE("shard_map")) || c->mode.old_shards)
        return false;
    param_t rewrite = eqn_param(c->m, e, SLICE("rewrite"));
    bool old = rewrite != NONE && slice_eq(param_bytes(c->m, &c->m->params.at[rewrite]), SLICE("False"));
    struct sink scratch;
    sink_init_memory(&scratch, c->m->mem);
    for (u32 i = 0; i < countof(names) && old; i++)
        old = modernize_old(c, &scratch, e, i);
    mem_free(c->m->mem, scratch.at);
    return old;
}

struct slice
shard_key(struct slice key)
{
    for (u32 i = 0; i < countof(names); i++)
        if (slice_eq(names[i].old, key))
            return names[i].now;
    return key;
}

/* rewrites `(P('x', None), P(None))` as `(P('x'), P())` */
static void
drop_nones(struct sink *out, size_t at)
{
    static const struct slice none = SLICE("None"), more = SLICE(", None");
    size_t to = at;
    for (size_t i = at; i < out->n; i++) {
        if (out->at[i] == ')')
            while (to - at > more.n && memcmp(out->at + to - more.n, more.at, more.n) == 0)
                to -= more.n;
        if (out->at[i] == ')' && to - at > none.n + 1 && memcmp(out->at + to - none.n - 2, "P(None", none.n + 2) == 0)
            to -= none.n;
        out->at[to++] = out->at[i];
    }
    out->n = to;
}

void
shard_modernize(struct canon *c, struct sink *out, size_t at, eqn_t e, const struct canon_param *cp)
{
    struct name_buffer buffer;
    struct slice key = module_name(c->m, c->m->params.at[cp->param].key, &buffer);
    if (c->mode.old_shards)
        return;
    for (u32 i = 0; i < countof(names); i++)
        if (slice_eq(names[i].old, key) && slice_eq(names[i].now, cp->key.newest)) {
            struct slice value = arena_copy(c->m->mem, (struct slice){out->at + at, out->n - at});
            out->n = at;
            write_new_form(c, out, e, i, value);
        }
    if (slice_eq(cp->key.newest, SLICE("in_specs")) || slice_eq(cp->key.newest, SLICE("out_specs")))
        drop_nones(out, at);
}
