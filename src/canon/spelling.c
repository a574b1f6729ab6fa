/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of grammar/spellings.def: what versions of JAX merely spell differently. The rows of a key are looked up
 * once and cached; values are compared with the rows of their key. */
#include "canon/spelling.h"

#include "base/chars.h"

struct default_value {
    struct slice prim, key, value;
};

static const struct default_value silents[] = {
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

static const struct renamed_key renamed[] = {
#define KEYED(prim, from, to, range) {SLICE(prim), SLICE(from), SLICE(to), {NULL, 0}, range},
#define TUPLED(prim, from, to, quote, range) {SLICE(prim), SLICE(from), SLICE(to), SLICE(quote), range},
#include "versions.def"
};

const struct renamed_key *
spelling_renamed(u32 row)
{
    return row < countof(renamed) ? &renamed[row] : NULL;
}

bool
spelling_has_one_value(struct slice prim, struct slice key, struct version_range version)
{
    for (u32 i = 0; i < countof(renamed); i++)
        if (renamed[i].quote.at != NULL && !slice_eq(renamed[i].from, renamed[i].to) &&
            slice_eq(renamed[i].prim, prim) &&
            (key.n == 0 || slice_eq(renamed[i].from, key) || slice_eq(renamed[i].to, key)))
            return !range_within(version, renamed[i].range);
    return false;
}

static const struct {
    struct slice prim, key;
} listed[] = {
#define LISTED(prim, key) {SLICE(prim), SLICE(key)},
#include "spellings.def"
#undef LISTED
};

static const struct {
    struct slice prim, key;
    enum typed what;
} typed[] = {
#define TYPED(prim, key, what) {SLICE(prim), SLICE(key), TYPED_##what},
#include "spellings.def"
#undef TYPED
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

enum typed
spelling_typed(struct slice prim, struct slice key)
{
    for (u32 i = 0; i < countof(typed); i++)
        if (row_is(typed[i].prim, typed[i].key, prim, key))
            return typed[i].what;
    return TYPED_NOT;
}

bool
spelling_left_out(struct slice without, struct slice prim, struct slice key)
{
    for (u32 i = 0; i < countof(left_out); i++)
        if (row_is(left_out[i].prim, left_out[i].key, prim, key))
            return true;
    return is_listed(without, key);
}

/* whether check requires a parameter, or another spelling of it, so that the canonical form prints it even as None */
static bool
is_needed(struct canon *c, name_t primitive, struct slice key)
{
    const struct prim *row = prims_find(&c->prims, c->m, primitive);
    for (u32 i = 0, first = 0; row && i < row->n_listed && i < MOST_LISTED; i++) {
        const struct prim_param *param = &row->listed[i];
        u64 needed = row->needed | (param->nullable || !param->optional ? row->always_printed : 0);
        if (slice_eq(param->key, key))
            return needed >> first & 1;
        first = param->more ? first : i + 1;
    }
    return false;
}

/* the newest name of a key, and its properties in the tables */
static struct canon_key
look_up(struct canon *c, name_t primitive, struct slice prim, struct slice key)
{
    struct canon_key k = {.newest = key};
    for (u32 i = 0; i < countof(renamed); i++) {
        bool tuple = renamed[i].quote.at != NULL;
        if (row_is(renamed[i].prim, renamed[i].from, prim, key) ||
            (tuple && row_is(renamed[i].prim, renamed[i].to, prim, key))) {
            k.renamed = !slice_eq(renamed[i].to, key);
            k.newest = renamed[i].to;
            k.spelling_of_key |= tuple ? KEY_TUPLED : 0;
        }
    }
    k.spelling_of_key |= spelling_left_out(c->without, prim, key) ? KEY_LEFT_OUT : 0;
    for (u32 i = 0; i < countof(silents); i++)
        k.spelling_of_key |= row_is(silents[i].prim, silents[i].key, prim, k.newest) ? KEY_SILENT : 0;
    for (u32 i = 0; i < countof(spelled); i++)
        k.spelling_of_key |= row_is(spelled[i].prim, spelled[i].key, prim, k.newest) ? KEY_SPELLED : 0;
    for (u32 i = 0; i < countof(listed); i++)
        k.spelling_of_key |= row_is(listed[i].prim, listed[i].key, prim, k.newest) ? KEY_LISTED : 0;
    k.spelling_of_key |= is_needed(c, primitive, key) ? KEY_NEEDED : 0;
    k.typed = (u8)spelling_typed(prim, k.newest);
    return k;
}

const struct canon_key *
spelling_key(struct canon *c, name_t primitive, struct slice prim, name_t key)
{
    enum { BESIDE = 4 };
    u32 at = (primitive * 0x9e3779b1u + key) * 0x85ebca6bu >> CANON_KEYS_SHIFT, i = 0;
    struct canon_key *k = &c->keys[at];
    while (k->primitive != primitive || k->key != key) {
        if (k->primitive != NONE && ++i < BESIDE) {
            k = &c->keys[at ^ i];
            continue;
        }
        struct name_buffer buffer;
        struct slice text = module_name(c->m, key, &buffer);
        *k = look_up(c, primitive, prim,
                     key < NAME_OTHER ? arena_copy(c->m->mem, text) : text); /* short ones use the buffer */
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

/* the offset of a text in a value, from an offset on; the length of the value if it does not occur */
static size_t
find_text(struct slice value, size_t from, struct slice text)
{
    const char *found = value.n > from ? memmem(value.at + from, value.n - from, text.at, text.n) : NULL;
    return found != NULL ? (size_t)(found - value.at) : value.n;
}

/* true if a tuple of n has one element for each operand or result; the index of a cond has none */
static bool
is_for_each(const struct eqn *e, struct slice prim, u32 n)
{
    return n == e->n_atoms || n == e->n_vars || (n + 1 == e->n_atoms && prim_columns(prim)->control == CONTROL_COND);
}

/* true for a sharding that shards nothing: `NamedSharding(mesh=AbstractMesh('x': 4), spec=P(None, None))`, with no mesh
 * axis that types use */
static bool
is_unplaced(struct slice value)
{
    static const struct slice head = SLICE("NamedSharding(mesh=AbstractMesh("), spec = SLICE("), spec=P(None");
    size_t at = slice_starts(value, head) ? find_text(value, head.n, spec) : value.n;
    if (at == value.n || find_text(value, head.n, SLICE("Explicit")) < at)
        return false;
    for (at += spec.n; slice_starts((struct slice){value.at + at, value.n - at}, SLICE(", None")); at += 6)
        ;
    return at < value.n && value.at[at] == ')';
}

bool
spelling_nothing(struct slice value)
{
    return slice_eq(value, SLICE("None")) || is_unplaced(value);
}

bool
spelling_is_default(const struct eqn *e, struct slice prim, const struct canon_key *key, struct slice value)
{
    bool constrains = slice_eq(prim, SLICE("sharding_constraint")); /* without a sharding, every device has the whole
                                                                     * value */
    if (!(key->spelling_of_key & KEY_NEEDED) && spelling_nothing(value) &&
        !(constrains && slice_eq(key->newest, SLICE("sharding"))))
        return true;
    for (u32 i = 0; i < countof(silents) && key->spelling_of_key & KEY_SILENT; i++) {
        const struct default_value *row = &silents[i];
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

bool
spelling_is_word(struct slice value)
{
    size_t i = word_until(value, 0);
    return i > 0 && i == value.n;
}

/* turns the value in out from `at` on into a tuple, unless it is one */
static void
modernize_tuple(struct canon *c, struct sink *out, size_t at, struct slice prim, const struct canon_key *key)
{
    u32 row = 0;
    while (!renamed[row].quote.at || !slice_eq(renamed[row].to, key->newest) || !slice_eq(renamed[row].prim, prim))
        row++;
    struct slice value = {out->at + at, out->n - at}, quote = renamed[row].quote;
    if (value.n == 0 || value.at[0] == '(' || (quote.n && !spelling_is_word(value)))
        return; /* a quoted string was a word */
    value = arena_printf(c->m->mem, "(%.*s%.*s%.*s)", (int)quote.n, quote.at, (int)value.n, value.at, (int)quote.n,
                         quote.at);
    out->n = at;
    canon_value(c->m->mem, out, value); /* lists inside of a tuple are tuples */
}

size_t
spelling_find(struct slice value, size_t from, struct slice word)
{
    bool closed = is_word_char(word.at[word.n - 1]);
    for (size_t i; (i = find_text(value, from, word)) < value.n; from = i + 1) {
        bool begins = i == 0 || !(is_word_char(value.at[i - 1]) || memchr(".<", value.at[i - 1], 2));
        bool ends = !closed || i + word.n == value.n || !is_word_char(value.at[i + word.n]);
        if (begins && ends)
            return i;
    }
    return value.n;
}

struct slice
spelling_replace(struct mem *mem, struct slice value, struct slice from, struct slice to)
{
    size_t found = spelling_find(value, 0, from), end = 0;
    if (found == value.n)
        return value;
    struct sink out;
    sink_init_memory(&out, mem);
    for (; found < value.n; found = spelling_find(value, end, from)) {
        sink_write(&out, value.at + end, found - end);
        sink_slice(&out, to);
        end = found + from.n;
    }
    sink_write(&out, value.at + end, value.n - end);
    return sink_take(&out);
}

/* applies one row of the table to the value in out from `at` on */
static void
modernize_words(struct canon *c, struct sink *out, size_t at, struct slice from, struct slice to)
{
    struct slice value = {out->at + at, out->n - at}, now = spelling_replace(c->m->mem, value, from, to);
    if (now.at == value.at)
        return;
    out->n = at;
    sink_slice(out, now);
}

void
spelling_modernize(struct canon *c, struct sink *out, size_t at, struct slice prim, const struct canon_key *key)
{
    if (key->spelling_of_key & KEY_TUPLED)
        modernize_tuple(c, out, at, prim, key);
    for (u32 i = 0; i < countof(spelled) && key->spelling_of_key & KEY_SPELLED; i++)
        if (row_is(spelled[i].prim, spelled[i].key, prim, key->newest))
            modernize_words(c, out, at, spelled[i].from, spelled[i].to);
}
