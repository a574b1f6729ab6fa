/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of grammar/spellings.def: what versions of JAX merely spell differently. What they say of a key is looked up
 * once and remembered; values are compared with the rows of their key. */
#include "diff/spelling.h"

struct silent {
    struct slice prim, key, value;
};

static const struct silent silents[] = {
#define SILENT(prim, key, value) {SLICE(prim), SLICE(key), SLICE(value)},
#include "spellings.def"
#undef SILENT
};

static const struct {
    struct slice prim, key;
} left_out[] = {
#define LEFT_OUT(prim, key) {SLICE(prim), SLICE(key)},
#include "spellings.def"
#undef LEFT_OUT
};

static const struct {
    struct slice prim, key, from, to;
} spelled[] = {
#define SPELLED(prim, key, from, to) {SLICE(prim), SLICE(key), SLICE(from), SLICE(to)},
#include "spellings.def"
#undef SPELLED
};

static const struct {
    struct slice prim, from, to;
} keyed[] = {
#define KEYED(prim, from, to) {SLICE(prim), SLICE(from), SLICE(to)},
#include "spellings.def"
#undef KEYED
};

static const struct {
    struct slice prim, key;
} listed[] = {
#define LISTED(prim, key) {SLICE(prim), SLICE(key)},
#include "spellings.def"
#undef LISTED
};

struct slice
canon_prim(struct canon *c, name_t prim, struct name_buffer *buffer)
{
    const struct prim *row = prims_find(&c->prims, c->m, prim);
    return row != NULL ? slice_of(row->name) : module_name(c->m, prim, buffer);
}

static inline bool
row_is(struct slice prim, struct slice key, struct slice the_prim, struct slice the_key)
{
    return key.n == the_key.n && memcmp(key.at, the_key.at, key.n) == 0 &&
           (prim.at[0] == '*' || slice_eq(prim, the_prim));
}

static bool
is_listed(struct slice list, struct slice key)
{
    for (size_t i = 0; i < list.n;) {
        size_t n = 0;
        while (i + n < list.n && list.at[i + n] != ',')
            n++;
        if (slice_eq((struct slice){list.at + i, n}, key))
            return true;
        i += n + 1;
    }
    return false;
}

/* a shape that was a number once, under another name */
static bool
is_count(struct slice prim, struct slice key)
{
    return slice_eq(key, SLICE("shape")) && slice_eq(prim, SLICE("random_split"));
}

/* what types may say, see canon_params.c */
static bool
is_typed(struct slice prim, struct slice key)
{
    return slice_eq(key, SLICE("preferred_element_type")) ||
           (slice_eq(prim, SLICE("broadcast_in_dim")) && slice_eq(key, SLICE("shape"))) ||
           (slice_eq(prim, SLICE("tridiagonal_solve")) && key.n <= 3) ||
           (slice_eq(prim, SLICE("top_k")) && slice_eq(key, SLICE("axis")));
}

/* the newest name of a key, and what the tables say of it */
static struct canon_key
look_up(const struct canon *c, struct slice prim, struct slice key)
{
    struct canon_key k = {.newest = key};
    for (u32 i = 0; i < countof(keyed) && !k.renamed; i++)
        if (row_is(keyed[i].prim, keyed[i].from, prim, key)) {
            k.newest = keyed[i].to;
            k.renamed = true;
        }
    for (u32 i = 0; i < countof(left_out); i++)
        k.says |= row_is(left_out[i].prim, left_out[i].key, prim, key) ? KEY_LEFT_OUT : 0;
    for (u32 i = 0; i < countof(silents); i++)
        k.says |= row_is(silents[i].prim, silents[i].key, prim, k.newest) ? KEY_SILENT : 0;
    for (u32 i = 0; i < countof(spelled); i++)
        k.says |= row_is(spelled[i].prim, spelled[i].key, prim, k.newest) ? KEY_SPELLED : 0;
    for (u32 i = 0; i < countof(listed); i++)
        k.says |= row_is(listed[i].prim, listed[i].key, prim, k.newest) ? KEY_LISTED : 0;
    k.says |= is_count(prim, k.newest) ? KEY_SPELLED : 0;
    k.says |= is_typed(prim, k.newest) ? KEY_TYPED : 0;
    k.says |= is_listed(c->without, key) ? KEY_LEFT_OUT : 0;
    return k;
}

const struct canon_key *
spelling_key(struct canon *c, name_t primitive, struct slice prim, name_t key)
{
    struct canon_key *k = &c->keys[(primitive * 0x9e3779b1u + key) * 0x85ebca6bu >> CANON_KEYS_SHIFT];
    if (k->primitive != primitive || k->key != key) {
        struct name_buffer buffer;
        struct slice text = module_name(c->m, key, &buffer);
        *k = look_up(c, prim, key < NAME_OTHER ? arena_copy(c->m->mem, text) : text); /* short ones are in the buffer */
        k->primitive = primitive;
        k->key = key;
    }
    return k;
}

u32
tuple_repeats(struct slice value, struct slice pattern)
{
    struct slice one = {pattern.at + 1, pattern.n - 2};
    u32 count = 0;
    if (pattern.n < 3 || pattern.at[0] != '(' || value.n < pattern.n || value.at[0] != '(')
        return 0;
    for (size_t i = 1; i + one.n < value.n; i += one.n + 2) {
        if (memcmp(value.at + i, one.at, one.n) != 0)
            return 0;
        count++;
        if (i + one.n + 1 == value.n)
            return value.at[i + one.n] == ')' ? count : 0;
        if (value.at[i + one.n] != ',' || value.at[i + one.n + 1] != ' ')
            return 0;
    }
    return 0;
}

/* true where a tuple of n has one element for each operand or result; the index of a cond has none */
static bool
is_for_each(const struct eqn *e, struct slice prim, u32 n)
{
    return n == e->n_atoms || n == e->n_vars || (n + 1 == e->n_atoms && slice_eq(prim, SLICE("cond")));
}

bool
spelling_nothing(struct slice value)
{
    return slice_eq(value, SLICE("None")) ||
           slice_starts(value, SLICE("NamedSharding(mesh=AbstractMesh(()), spec=P(None"));
}

bool
spelling_silent(const struct eqn *e, struct slice prim, const struct canon_key *key, struct slice value)
{
    if (spelling_nothing(value))
        return true;
    for (u32 i = 0; i < countof(silents) && key->says & KEY_SILENT; i++) {
        const struct silent *row = &silents[i];
        if (!row_is(row->prim, row->key, prim, key->newest))
            continue;
        u32 n = tuple_repeats(value, row->value);
        bool each = n > 0 || (row->value.n > 2 && row->value.at[0] == '(' && slice_eq(value, SLICE("()")));
        if (each ? is_for_each(e, prim, n) : slice_eq(row->value, value))
            return true;
    }
    return false;
}

bool
spelling_default(struct slice prim, struct slice key, struct slice *value)
{
    for (u32 i = 0; i < countof(silents); i++)
        if (row_is(silents[i].prim, silents[i].key, prim, key)) {
            *value = silents[i].value;
            return true;
        }
    return false;
}

void
spelling_respell(struct canon *c, struct sink *out, size_t at, struct slice prim, const struct canon_key *key)
{
    struct slice value = {out->at + at, out->n - at};
    for (u32 i = 0; i < countof(spelled) && key->says & KEY_SPELLED; i++)
        if (row_is(spelled[i].prim, spelled[i].key, prim, key->newest) && slice_eq(spelled[i].from, value)) {
            out->n = at;
            sink_slice(out, spelled[i].to);
            return;
        }
    if (is_count(prim, key->newest) && value.n && value.at[0] != '(') {
        struct slice count = arena_copy(c->m->mem, value); /* count=3 */
        out->n = at;
        sink_printf(out, "(%.*s)", (int)count.n, count.at);
    }
}
