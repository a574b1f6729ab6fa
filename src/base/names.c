/* SPDX-License-Identifier: Apache-2.0
 *
 * Numerals need no table at all; the rest is one open-addressing table, load at most a half. A lookup is O(length). */
#include "base/names.h"

#define PAIRS(a) \
    {a, 'a'}, {a, 'b'}, {a, 'c'}, {a, 'd'}, {a, 'e'}, {a, 'f'}, {a, 'g'}, {a, 'h'}, {a, 'i'}, {a, 'j'}, {a, 'k'}, \
        {a, 'l'}, {a, 'm'}, {a, 'n'}, {a, 'o'}, {a, 'p'}, {a, 'q'}, {a, 'r'}, {a, 's'}, {a, 't'}, {a, 'u'}, {a, 'v'}, \
        {a, 'w'}, {a, 'x'}, {a, 'y'}, \
    { \
        a, 'z' \
    }

const char names_pairs[26 * 26][2] = {
    PAIRS('a'), PAIRS('b'), PAIRS('c'), PAIRS('d'), PAIRS('e'), PAIRS('f'), PAIRS('g'), PAIRS('h'), PAIRS('i'),
    PAIRS('j'), PAIRS('k'), PAIRS('l'), PAIRS('m'), PAIRS('n'), PAIRS('o'), PAIRS('p'), PAIRS('q'), PAIRS('r'),
    PAIRS('s'), PAIRS('t'), PAIRS('u'), PAIRS('v'), PAIRS('w'), PAIRS('x'), PAIRS('y'), PAIRS('z')};

/* the last n bytes, fewer than eight, as one little-endian number; overlapping reads agree */
static u64
last_bytes(const char *p, size_t n)
{
    u32 low, high;
    if (n < 4)
        return n == 0 ? 0 : (u64)(u8)p[0] | (u64)(u8)p[n / 2] << 8 * (n / 2) | (u64)(u8)p[n - 1] << 8 * (n - 1);
    memcpy(&low, p, 4);
    memcpy(&high, p + n - 4, 4);
    return low | (u64)high << 8 * (n - 4);
}

u64
hash_bytes(u64 seed, const char *p, size_t n)
{
    const u64 k0 = 0xa0761d6478bd642fu, k1 = 0xe7037ed1a0b428dbu;
    u64 h = seed ^ hash_mix(n ^ k0, k1), word;
    for (; n >= 8; p += 8, n -= 8) {
        memcpy(&word, p, 8);
        h = hash_mix(h ^ word, k1);
    }
    return hash_mix(h ^ last_bytes(p, n), k0 ^ seed);
}

void
names_init(struct mem *m, struct names *t, u32 numeral_limit)
{
    *t = (struct names){.numeral_limit = numeral_limit < NAME_OTHER ? numeral_limit : NAME_OTHER, .seed = m->secret};
    t->slot_mask = 255;
    t->slots = mem_zeroed(m, 256 * sizeof *t->slots);
}

static void
grow_slots(struct mem *m, struct names *t)
{
    u32 count = (t->slot_mask + 1) * 2;
    mem_free(m, t->slots);
    t->slots = NULL;
    t->slots = mem_zeroed(m, count * sizeof *t->slots);
    t->slot_mask = count - 1;
    for (u32 i = 0; i < t->others.n; i++) {
        u32 at = (u32)hash_slice(t->seed, t->others.at[i]) & t->slot_mask;
        while (t->slots[at])
            at = (at + 1) & t->slot_mask;
        t->slots[at] = i + 1;
    }
}

/* the slot that holds the name, or the empty one where it would go */
static u32
find_slot(const struct names *t, struct slice name)
{
    u32 at = (u32)hash_slice(t->seed, name) & t->slot_mask;
    while (t->slots[at] && !slice_eq(t->others.at[t->slots[at] - 1], name))
        at = (at + 1) & t->slot_mask;
    return at;
}

name_t
names_intern_other(struct mem *m, struct names *t, struct slice name)
{
    u32 at = find_slot(t, name);
    if (t->slots[at])
        return NAME_OTHER + t->slots[at] - 1;
    if (t->others.n >= NAME_OTHER - 1)
        longjmp(*m->oom, 1);
    *vec_push(m, &t->others) = name;
    t->slots[at] = t->others.n;
    u32 id = NAME_OTHER + t->others.n - 1;
    if (t->others.n * 2 > t->slot_mask)
        grow_slots(m, t);
    return id;
}

name_t
names_find(const struct names *t, struct slice name)
{
    u32 v = name_numeral(name.at, name.n);
    if (v < t->numeral_limit)
        return v;
    u32 at = find_slot(t, name);
    return t->slots[at] ? NAME_OTHER + t->slots[at] - 1 : NONE;
}

struct slice
name_text(const struct names *t, name_t id, struct name_buffer *buffer)
{
    if (id >= NAME_OTHER)
        return t->others.at[id - NAME_OTHER];
    return (struct slice){buffer->at, (size_t)(numeral_write(buffer->at, id) - buffer->at)};
}
