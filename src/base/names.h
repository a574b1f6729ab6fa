/* SPDX-License-Identifier: Apache-2.0
 *
 * Names as 30-bit ids. JAX's variable names are base-26 numerals (`a`..`z`, `ba`, `bb`..; jax/_src/core.py,
 * JaxprPpContext), so a small numeral is its own id and costs no memory; every other name is interned in a hash
 * table whose seed is the pool's secret. Equal bytes have equal ids within one table. */
#ifndef JX_NAMES_H
#define JX_NAMES_H

#include "base/vec.h"

typedef u32 name_t;

enum { NAME_OTHER = 1u << 29, NAME_MASK = (1u << 30) - 1 };

struct names {
    u32 numeral_limit; /* numerals below this are their own ids; at most NAME_OTHER */
    u64 seed;
    VEC(struct slice) others; /* id NAME_OTHER + i; bytes live as long as the pool or the text they were read from */
    u32 *slots;               /* open addressing: index into others + 1, 0 empty */
    u32 slot_mask;
};

/* makes an empty table; numeral_limit bounds arrays that are indexed by numeral ids (the size of the text is a good
 * bound) */
void names_init(struct mem *m, struct names *t, u32 numeral_limit);

/* whether a numeral is the name `inf` or `nan`, which is read as a number if no variable has this name */
static inline bool
numeral_is_number(u32 numeral)
{
    enum { NUMERAL_INF = (8 * 26 + 13) * 26 + 5, NUMERAL_NAN = 13 * 26 * 26 + 13 };
    return numeral == NUMERAL_INF || numeral == NUMERAL_NAN;
}

/* the numeral that a name spells, or NONE when it is not one below 2^29 (upper case, leading `a`, too long, empty) */
static inline u32
name_numeral(const char *p, size_t n)
{
    if (n == 0 || n > 6 || (p[0] == 'a' && n > 1))
        return NONE;
    u32 v = 0;
    for (size_t i = 0; i < n; i++) {
        u32 digit = (u32)(u8)p[i] - 'a';
        if (digit >= 26)
            return NONE;
        v = v * 26 + digit;
    }
    return v;
}

/* the id of a name that is not a small numeral; keeps the pointer, so the bytes must outlive the table */
name_t names_intern_other(struct mem *m, struct names *t, struct slice name);

/* the id of a name; keeps the pointer, so the bytes must outlive the table */
static inline name_t
names_intern(struct mem *m, struct names *t, struct slice name)
{
    u32 v = name_numeral(name.at, name.n);
    if (likely(v < t->numeral_limit))
        return v;
    return names_intern_other(m, t, name);
}

/* the id of a name if the table has it, else NONE; allocates nothing */
name_t names_find(const struct names *t, struct slice name);

/* room for the text of a numeral in name_text */
struct name_buffer {
    char at[8];
};

/* the two letters of each number below 26 * 26 */
extern const char names_pairs[26 * 26][2];

/* the four letters of two pairs, as a word that holds them in this order in memory */
static inline u32
numeral_pairs(u32 high, u32 low)
{
    u16 first, second;
    memcpy(&first, names_pairs[high], sizeof first);
    memcpy(&second, names_pairs[low], sizeof second);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? (u32)first << 16 | second : first | (u32)second << 16;
}

/* writes the letters of a numeral, and perhaps more, to a buffer of eight bytes; returns their end. Leading letters of
 * value zero are shifted out: a branch for each length would often be mispredicted */
static inline char *
numeral_write(char *to, u32 numeral)
{
    enum { PAIR = 26 * 26, FOUR = PAIR * PAIR };
    const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    u32 high = numeral / PAIR, n = 1u + (numeral >= 26) + (numeral >= PAIR) + (numeral >= PAIR * 26);
    if (numeral < FOUR) {
        u32 word = numeral_pairs(high, numeral % PAIR);
        word = big ? word << 8 * (4 - n) : word >> 8 * (4 - n);
        memcpy(to, &word, sizeof word);
        return to + n;
    }
    u32 top = high / PAIR, first = numeral_pairs(top / PAIR, top % PAIR),
        last = numeral_pairs(high % PAIR, numeral % PAIR);
    u64 both = big ? (u64)first << 32 | last : first | (u64)last << 32;
    n = 5u + (numeral >= FOUR * 26) + (numeral >= FOUR * PAIR);
    both = big ? both << 8 * (8 - n) : both >> 8 * (8 - n);
    memcpy(to, &both, sizeof both);
    return to + n;
}

/* the bytes of a name: inside buffer for a numeral, else the bytes that were interned */
struct slice name_text(const struct names *t, name_t id, struct name_buffer *buffer);

/* the exclusive or of both halves of a product, which reveals neither factor while one is secret */
static inline u64
hash_mix(u64 a, u64 b)
{
    __uint128_t product = (__uint128_t)a * b;
    return (u64)product ^ (u64)(product >> 64);
}

/* seeded 64-bit hash of bytes; the seed keeps hostile names from choosing their slots */
u64 hash_bytes(u64 seed, const char *p, size_t n);

/* hash_slice extends the hash h by a slice, hash_number by a number, which is quicker but unseeded: not for tables
 * whose keys an attacker chooses */
static inline u64
hash_slice(u64 h, struct slice s)
{
    return hash_bytes(h, s.at, s.n);
}

static inline u64
hash_number(u64 h, u64 x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

/* extends a hash that began with a seed by a number, which an attacker may choose */
static inline u64
hash_seeded(u64 h, u64 x)
{
    return hash_mix(h ^ 0x9e3779b97f4a7c15u, x ^ 0xd1b54a32d192ed03u);
}

#endif
