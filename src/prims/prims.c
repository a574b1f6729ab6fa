/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of grammar/primitives.def, found by their names, and a small cache keyed by a module's name ids, so that an
 * equation finds its row with one comparison. The table has no pointers, which a loader would have to relocate in every
 * process: strings are offsets into one block. A row becomes a struct prim when a module first names it. */
#include "prims/prims.h"

#include "base/near.h"

/* the lists of all rows, concatenated */
#define PRIM(name, also, min, max, in, shape, dtype, params, effects, ...) \
    char AT_LINE(params_, __LINE__)[sizeof(params)], AT_LINE(effects_, __LINE__)[sizeof(effects)];
static const struct strings {
#include "primitives.def"
} strings = {
#undef PRIM
#define PRIM(name, also, min, max, in, shape, dtype, params, effects, ...) params, effects,
#include "primitives.def"
};
#undef PRIM

_Static_assert(sizeof strings <= UINT16_MAX, "offsets have 16 bits");

struct packed {
    u16 params, effects; /* offsets into strings */
    u32 in;
    u8 min, max, dtype;
    struct prim_columns is;
};

#define PRIM(name, also, min, max, in, shape, dtype, params, effects, ...) \
    {offsetof(struct strings, AT_LINE(params_, __LINE__)), \
     offsetof(struct strings, AT_LINE(effects_, __LINE__)), \
     in, \
     min, \
     max, \
     DTYPE_##dtype, \
     {__VA_ARGS__}},
static const struct packed table[] = {
#include "primitives.def"
};
#undef PRIM

enum { ROWS = countof(table) };

static inline const char *
string_at(u16 offset)
{
    return (const char *)&strings + offset;
}

void
prims_init(struct mem *mem, struct prims *p)
{
    *p = (struct prims){.mem = mem};
    p->made = mem_zeroed(mem, ROWS * sizeof *p->made);
    memset(p->cached, 0xff, sizeof p->cached);
}

u32
prims_count(void)
{
    return ROWS;
}

struct prim
prims_row(u32 row)
{
    const struct packed *t = &table[row];
    return (struct prim){.name = prim_newest_name(row),
                         .also = prim_older_names(row),
                         .params = string_at(t->params),
                         .effects = string_at(t->effects),
                         .in = t->in,
                         .min = t->min,
                         .max = t->max,
                         .dtype = t->dtype,
                         .row = (u16)row,
                         .is = t->is};
}

static u8
role_of(struct slice word)
{
    static const struct slice roles[] = {
#define ROLE(name, what) {#name, sizeof #name - 1},
        PARAM_ROLES(ROLE)
#undef ROLE
    };
    u8 i = 0;
    while (i + 1u < countof(roles) && !slice_eq(word, roles[i]))
        i++;
    return i;
}

/* whether a parameter is a truth or numbers that only some versions print, but then whatever the value is */
static bool
is_flag(const struct prim_param *param)
{
    bool flag = param->kind == ROLE_BOOL || param->kind == ROLE_SWITCH || param->kind == ROLE_SWITCHES ||
                param->kind == ROLE_INT || param->kind == ROLE_INTEGER || param->kind == ROLE_INTS;
    return flag && param->optional && !param->nullable && !param->identifying;
}

/* records which versions print the n-th parameter of a row, which is not another spelling of the one before. The
 * canonical form omits None, which the value of a parameter of unknown role or of a spelling of it may be */
static void
list_printing(struct prim *p, struct prim_param *param, u32 n)
{
    bool printed = !param->optional && !param->identifying, nullable = param->nullable;
    for (const struct prim_param *other = param; other->more; other++)
        nullable |= other[1].nullable;
    bool lacks = role_may_lack(param->kind), none = nullable || lacks;
    if (printed && !nullable && (param->more || (!lacks && param->kind != ROLE_TEXT))) {
        p->needed |= 1ull << n;
    } else if (param->printed.canonical) {
        p->always_printed |= 1ull << n;
    } else if (!param->identifying) {
        if (printed && none && !param->more)
            param->printed.always = range_since(JAX_JAXPRS_SHARED);
        if (range_given(param->printed.always) || param->printed.others)
            p->dropped |= 1ull << n;
    }
}

/* reads the parameters of a row, for callers that inspect every equation of it */
static void
list_params(struct mem *mem, const struct module *m, struct prim *p)
{
    struct prim_param param, *listed;
    for (const char *at = p->params; prim_param_next(&at, &param);)
        p->n_listed++;
    p->listed = listed = arena_alloc(mem, (p->n_listed + 1u) * sizeof *listed);
    u32 n = 0;
    for (const char *at = p->params; prim_param_next(&at, &param);) {
        param.kind = role_of(param.role);
        param.name = names_find(&m->names, param.key);
        param.printed = (struct key_printing){.always = NO_VERSION, .beside = NO_VERSION};
        listed[n++] = param;
    }
    struct slice name = slice_of(p->name);
    for (u32 row = n ? versions_row(name, 0) : NONE; row != NONE; row = versions_row(name, row + 1))
        for (u32 i = 0; i < n; i++)
            versions_add(row, listed[i].key, &listed[i].printed);
    for (u32 i = 0; i < n && i < MOST_LISTED; i++) {
        listed[i].beside = 0;
        for (u32 k = 0; k < n && k < MOST_LISTED && listed[i].printed.others; k++)
            listed[i].beside |= (u64)words_have(listed[i].printed.others, listed[k].key) << k;
        if (i == 0 || !listed[i - 1].more) {
            list_printing(p, &listed[i], i);
            p->flags |= (u64)(is_flag(&listed[i]) && !((p->always_printed | p->dropped) >> i & 1)) << i;
        }
        p->expected |= (p->always_printed | p->dropped | p->flags) & 1ull << i;
    }
    for (u32 i = 0; i < n && i < MOST_LISTED && p->needed == 0; i++) /* such as a name or a message */
        if (listed[i].kind == ROLE_TEXT && !listed[i].optional && !listed[i].identifying)
            p->needed = 1ull << i;
    p->expected &= ~p->needed;
}

/* a row as rules see it, made at its first use */
static const struct prim *
make_row(struct prims *p, const struct module *m, u32 row)
{
    if (p->made[row] == NULL) {
        struct prim *made = arena_alloc(p->mem, sizeof *made);
        *made = prims_row(row);
        list_params(p->mem, m, made);
        p->made[row] = made;
    }
    return p->made[row];
}

bool
prim_named(struct slice name, struct prim *out)
{
    u32 row = prim_row_named(name);
    if (row != NO_ROW)
        *out = prims_row(row);
    return row != NO_ROW;
}

const struct prim_columns *
prim_columns(struct slice name)
{
    static const struct prim_columns none = {0};
    u32 row = prim_row_named(name);
    return row == NO_ROW ? &none : &table[row].is;
}

const struct prim_columns *
eqn_columns(const struct module *m, eqn_t e)
{
    struct name_buffer buffer;
    return prim_columns(module_name(m, m->eqns.at[e].prim, &buffer));
}

void
prims_remember(struct prims *p, const struct module *m, name_t name, u32 at)
{
    struct name_buffer buffer;
    struct slice text = module_name(m, name, &buffer);
    u32 row = prim_row_named(text);
    p->cached[at] = name;
    p->rows[at] = row == NO_ROW ? NULL : make_row(p, m, row);
    p->other[at] = row != NO_ROW && !slice_eq(slice_of(p->rows[at]->name), text);
}

void
prims_free(struct prims *p)
{
    mem_free(p->mem, p->made);
    p->made = NULL;
}

const char *
prims_suggest(struct slice name)
{
    const char *nearest = NULL;
    u32 least = 0;
    for (u32 i = 0; i < ROWS; i++)
        if (word_nearer(name, slice_of(prim_newest_name(i)), &least))
            nearest = prim_newest_name(i);
    return nearest;
}

bool
prim_param_next(const char **at, struct prim_param *param)
{
    struct slice word = words_next(at);
    if (word.n == 0)
        return false;
    const char *slash = memchr(word.at, '/', word.n);
    if (slash) {
        *at = slash + 1;
        word.n = (size_t)(slash - word.at);
    }
    const char *equals = memchr(word.at, '=', word.n);
    size_t n = equals ? (size_t)(equals - word.at) : word.n;
    struct slice role = equals ? (struct slice){equals + 1, word.n - n - 1} : SLICE("OBJECT");
    const char *bar = memchr(role.at, '|', role.n), *end = bar ? bar : role.at + role.n,
               *colon = memchr(role.at, ':', (size_t)(end - role.at));
    param->more = slash != NULL;
    param->nullable = bar && slice_eq(slice_of("|None"), (struct slice){bar, (size_t)(role.at + role.n - bar)});
    param->word = bar && !param->nullable ? (struct slice){bar + 1, (size_t)(role.at + role.n - bar) - 1} : SLICE("");
    param->role = (struct slice){role.at, (size_t)((colon ? colon : end) - role.at)};
    param->of = colon ? (struct slice){colon + 1, (size_t)(end - colon - 1)} : SLICE("");
    param->optional = n && word.at[n - 1] == '?';
    param->identifying = n && word.at[n - 1] == '!';
    param->key = (struct slice){word.at, n - (param->optional || param->identifying)};
    param->kind = ROLE_OBJECT;
    return true;
}

/* reads the number at *at, if there is one, and advances *at */
static i64
read_limit(const char **at, const char *end, i64 none)
{
    i64 value = 0, sign = *at < end && **at == '-' ? -1 : 1;
    *at += sign < 0;
    const char *start = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        value = value * 10 + (**at - '0');
    return *at > start ? sign * value : none;
}

struct param_range
param_range(struct slice of)
{
    const char *at = of.at, *end = of.at + of.n;
    struct param_range range = {.low = read_limit(&at, end, INT64_MIN), .step = 1};
    at += at < end ? strlen("..") : 0;
    range.high = read_limit(&at, end, INT64_MAX);
    if (at < end && *at++ == '%')
        range.step = read_limit(&at, end, 1);
    return range;
}

bool
prim_holds(const struct prim *p, struct slice key)
{
    for (const char *at = p->params; (at = strchr(at, '=')) != NULL; at++) {
        size_t n = (size_t)(at - p->params);
        n -= n && (at[-1] == '?' || at[-1] == '!');
        if (slice_starts(slice_of(at), SLICE("=JAXPR")) && at[6] != 'S' && n >= key.n &&
            memcmp(p->params + n - key.n, key.at, key.n) == 0 && (n == key.n || p->params[n - key.n - 1] == ' '))
            return true;
    }
    return false;
}

u32
prim_listed(const struct prim *p, struct slice key)
{
    for (u32 i = 0; i < p->n_listed; i++)
        if (slice_eq(p->listed[i].key, key))
            return i;
    return NONE;
}

struct slice
prim_role(const struct prim *p, struct slice key)
{
    struct prim_param param;
    u32 i = prim_listed(p, key);
    if (i != NONE)
        return p->listed[i].role;
    for (const char *at = p->params; !p->listed && prim_param_next(&at, &param);)
        if (slice_eq(param.key, key))
            return param.role;
    return (struct slice){"", 0};
}
