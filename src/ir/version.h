/* SPDX-License-Identifier: Apache-2.0
 *
 * Versions of JAX. Which version changed what is in grammar/versions.def alone, and other code names the change. A
 * version is a struct, so that it cannot be compared with a number. */
#ifndef JX_VERSION_H
#define JX_VERSION_H

#include "base/base.h"

struct mem;

/* 10000 * major + 100 * minor + patch, as in the public headers: 0.4.28 is 428, 0.12.0 is 1200; 0 is none */
struct jax_version {
    u32 encoded;
};

/* the versions from first to last, both included: those that may have printed a text, or the one as which to print */
struct version_range {
    struct jax_version first, last;
};

/* every version; also the range of a text before program_versions is called */
#define ALL_VERSIONS ((struct version_range){{0}, {INT32_MAX}})
#define NO_VERSION ((struct version_range){{0}, {0}})

/* Releases and changes. Other code names only changes. */
enum jax_change {
    JAX_ALWAYS,
#define RELEASE(major, minor, patch) JAX_##major##_##minor##_##patch = major * 10000 + minor * 100 + patch,
#define CHANGE(name, release, what) JAX_##name = JAX_##release,
#include "versions.def"
};

/* the most equations that a program may have before JAX_LONG_JAXPRS_HOISTED hoists it */
enum { LONG_JAXPR = 10 };

/* true for every range except NO_VERSION */
static inline bool
range_given(struct version_range range)
{
    return range.last.encoded != 0;
}

/* true if all versions of a range have a change */
static inline bool
range_has(struct version_range range, enum jax_change change)
{
    return range.first.encoded >= change;
}

/* true if no version of a range has a change */
static inline bool
range_lacks(struct version_range range, enum jax_change change)
{
    return range.last.encoded < change;
}

/* true if `part` lies within `range` */
static inline bool
range_within(struct version_range part, struct version_range range)
{
    return part.first.encoded >= range.first.encoded && part.last.encoded <= range.last.encoded;
}

static inline struct version_range
range_since(enum jax_change change)
{
    return (struct version_range){{change}, ALL_VERSIONS.last};
}

static inline struct version_range
range_before(enum jax_change change)
{
    return (struct version_range){{0}, {change - 1u}};
}

/* the versions up to that of a change, inclusive */
static inline struct version_range
range_until(enum jax_change change)
{
    return (struct version_range){{0}, {change}};
}

/* range_lost_first: whether `left`, a part of `all`, lacks its first versions; range_lost_last: its last versions */
static inline bool
range_lost_first(struct version_range all, struct version_range left)
{
    return left.first.encoded > all.first.encoded;
}

static inline bool
range_lost_last(struct version_range all, struct version_range left)
{
    return left.last.encoded < all.last.encoded;
}

/* the versions in both ranges; NO_VERSION if there are none */
static inline struct version_range
range_meet(struct version_range a, struct version_range b)
{
    if (b.first.encoded > a.first.encoded)
        a.first = b.first;
    if (b.last.encoded < a.last.encoded)
        a.last = b.last;
    return a.first.encoded <= a.last.encoded ? a : NO_VERSION;
}

/* Which versions print a key of a primitive. */
struct key_printing {
    struct version_range always; /* they print it whatever its value is; NO_VERSION: none is known to */
    struct version_range beside; /* they print it if they print one of these keys, which are separated by spaces: */
    const char *others;
    bool canonical; /* the canonical form prints it under the same conditions */
};

/* the first row at or after `row` in the table of versions that is about a primitive, named as in primitives.def; NONE
 * if there is none */
u32 versions_row(struct slice primitive, u32 row);

/* adds what such a row says about a key */
void versions_add(u32 row, struct slice key, struct key_printing *out);

/* The name that the newest versions give to a parameter of a primitive, named as in primitives.def: `devices` for
 * `device` of `device_put`; `key` itself if none rename or replace it. Linear in the rows */
struct slice versions_key(struct slice primitive, struct slice key);

/* whether other versions, and the canonical form, always print a parameter by another name. Linear in the rows */
bool versions_rename_key(struct slice primitive, struct slice key);

/* The row-th pair of names of one parameter, counted from 0: versions_key gives `to` for `from` of some primitive.
 * False after the last */
enum {
    RENAMED_KEYS = 0
#define KEYED(primitive, from, to, range) +1
#define TUPLED(primitive, from, to, quote, range) +1
#define REPLACED(primitive, from, to) +1
#include "versions.def"
};
bool versions_renamed_key(u32 row, struct slice *from, struct slice *to);

/* Whether the versions print a primitive of this name; the parameter `key` of a primitive called `name` in them and
 * `primitive` in the newest ones; this value of `key` (if not, *part becomes the part of it that they do not print).
 * True unless a row of grammar/versions.def says that they do not. Linear in its rows */
bool versions_print_word(struct version_range v, struct slice word);
bool versions_print_key(struct version_range v, struct slice name, struct slice primitive, struct slice key);
bool versions_print_value(struct version_range v, struct slice key, struct slice value, struct slice *part);

/* a version as JAX writes it, `0.4.28`, in pool mem */
struct slice version_text(struct mem *mem, struct jax_version v);

/* versions for messages: `0.6.1`, `0.6.1 or later`, `before 0.11.0`, `0.6.1 or later but before 0.11.0` */
struct slice range_text(struct mem *mem, struct version_range range);

/* the version of a change */
static inline struct version_range
range_at(enum jax_change change)
{
    return (struct version_range){{change}, {change}};
}

/* the versions of one range that are not in another; NO_VERSION where they are not one range */
static inline struct version_range
range_without(struct version_range a, struct version_range b)
{
    if (!range_given(b) || !range_given(range_meet(a, b)))
        return a;
    bool head = b.first.encoded > a.first.encoded, tail = b.last.encoded < a.last.encoded;
    if (head == tail)
        return NO_VERSION;
    return head ? (struct version_range){a.first, {b.first.encoded - 1}}
                : (struct version_range){{b.last.encoded + 1}, a.last};
}

/* adds versions to a range if the result is one range; otherwise *all becomes the later of both */
static inline void
range_join(struct version_range *all, struct version_range range)
{
    if (!range_given(range))
        return;
    if (!range_given(*all) || range.first.encoded > all->last.encoded + 1)
        *all = range;
    else if (all->first.encoded <= range.last.encoded + 1) {
        all->first.encoded = range.first.encoded < all->first.encoded ? range.first.encoded : all->first.encoded;
        all->last.encoded = range.last.encoded > all->last.encoded ? range.last.encoded : all->last.encoded;
    }
}

#endif
