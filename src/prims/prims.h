/* SPDX-License-Identifier: Apache-2.0
 *
 * The primitive table: grammar/primitives.def as data, one row for each primitive, and the look-up from a name of a
 * module to its row. */
#ifndef JX_PRIMS_H
#define JX_PRIMS_H

#include "prims/columns.h"
#include "prims/names/prim_names.h"
#include "types/aval.h"

enum { ANY_COUNT = 255, MOST_LISTED = 64 };

/* What the values of a parameter are, and what messages call them. */
/* In this order: OBJECT and TEXT, whose values are not judged (TEXT: text of users); the roles that rules read; from
 * SWITCH on, those that only verify/unread_values.c reads; and from PRECISION on, those whose parameters may be
 * missing, as may those of OBJECT. */
#define PARAM_ROLES(ROLE) \
    ROLE(OBJECT, "the repr of a Python value") \
    ROLE(TEXT, "text") \
    ROLE(DTYPE, "an element type") \
    ROLE(NUMBERS, "a numeric element type") \
    ROLE(SHAPE, "a tuple of sizes") \
    ROLE(AXES, "a tuple of axes") \
    ROLE(AXIS, "an axis") \
    ROLE(INT, "an integer") \
    ROLE(DIM, "a size as JAX prints it, such as `2*b` or `floordiv(b, 2)`") \
    ROLE(INTS, "a tuple of integers") \
    ROLE(PAIRS, "a tuple of tuples of integers") \
    ROLE(PERM, "a tuple of pairs of integers") \
    ROLE(BOOL, "True or False") \
    ROLE(DIMNUMS, "dimension numbers") \
    ROLE(JAXPR, "a program") \
    ROLE(JAXPRS, "a tuple of programs") \
    ROLE(AVALS, "a tuple of types such as `ShapedArray(float32[3])`") \
    ROLE(SPECS, "a tuple of specs") \
    ROLE(NAMES, "a mesh axis or a tuple of them") \
    ROLE(NAMEDAXES, "a tuple of mesh axes") \
    ROLE(COUNTS, "a tuple of non-negative integers") \
    ROLE(FLAGS, "a tuple of booleans") \
    ROLE(RECORD, "an object printed as `Name(..)`") \
    ROLE(SET, "a set of mesh axes") \
    ROLE(TREE, "a tree of `None`") \
    ROLE(WORD, "a name") \
    ROLE(GROUPS, "a tuple of groups in which each index occurs once") \
    ROLE(TYPE, "a type") \
    ROLE(SWITCH, "True or False") \
    ROLE(MEMBER, "an enum member printed as `Name.MEMBER`") \
    ROLE(SPACE, "a memory space such as `MemorySpace.Host`") \
    ROLE(SPACES, "a tuple of memory spaces") \
    ROLE(DEVICES, "a tuple whose entries are devices, shardings, memory spaces or None") \
    ROLE(VALUES, "a tuple of values") \
    ROLE(COMPARISON, "a comparison such as `ge`") \
    ROLE(PLATFORMS, "a tuple whose entries are None or tuples of platforms") \
    ROLE(TREEDEF, "a tree printed as `PyTreeDef(..)`") \
    ROLE(ATTRIBUTES, "a tuple of (name, value) pairs") \
    ROLE(ITEMS, "a dict or a tuple of (name, value) pairs") \
    ROLE(NUMBER, "a number") \
    ROLE(SWITCHES, "True, False or a tuple of them") \
    ROLE(LAYOUT, "a layout or None") \
    ROLE(CHOICE, "a word of a list") \
    ROLE(COPIES, "a tuple of copy semantics such as `ArrayCopySemantics.REUSE_INPUT`") \
    ROLE(INTEGER, "an integer") \
    ROLE(REPR, "a Python object printed as `<..>` or `Name(..)`") \
    ROLE(DEVICE, "a device, a sharding or None") \
    ROLE(SLICE, "a slice such as `(0, 2, None)`") \
    ROLE(SLICES, "a tuple of slices such as `(0, 2, None)`") \
    ROLE(MAPPED, "a tuple whose entries are axes or None") \
    ROLE(MAPPING, "a dict or an object printed as `Name(..)`") \
    ROLE(MODE, "True, False or an object printed as `Name(..)`") \
    ROLE(MEMBERS, "an enum member or a tuple of them") \
    ROLE(ALIASES, "a dict or a tuple of pairs of indices") \
    ROLE(AXISNAMES, "the name of an axis or a tuple of names") \
    ROLE(PRECISION, "None, a precision, a pair of precisions or an algorithm") \
    ROLE(ACCURACY, "None, a mode or a tolerance") \
    ROLE(LAYOUTS, "a tuple whose entries are layouts or None") \
    ROLE(SHARDINGS, "a tuple whose entries are shardings or UnspecifiedValue") \
    ROLE(FILL, "a number or None") \
    ROLE(NOTHING, "None")

enum param_role {
#define ROLE(name, what) ROLE_##name,
    PARAM_ROLES(ROLE)
#undef ROLE
};

/* whether values of a role are judged */
static inline bool
role_is_checked(u8 kind)
{
    return kind > ROLE_TEXT;
}

/* whether no rule reads values of a role */
static inline bool
role_is_unread(u8 kind)
{
    return kind == ROLE_OBJECT || kind >= ROLE_SWITCH;
}

/* whether a parameter of a role may be missing, as the canonical form omits None, which each of these may be */
static inline bool
role_may_lack(u8 kind)
{
    return kind == ROLE_OBJECT || kind >= ROLE_PRECISION;
}

/* whether `:` after a role is followed by a range of its numbers */
static inline bool
role_has_range(u8 kind)
{
    return kind == ROLE_INT || kind == ROLE_AXIS || kind == ROLE_INTEGER || kind == ROLE_INTS || kind == ROLE_DIM ||
           kind == ROLE_NUMBER;
}

/* A range of numbers, `0..`, `0..1`, or of multiples, `8..%8`. */
struct param_range {
    i64 low, high; /* inclusive */
    i64 step;
};

/* A parameter in a row's string. */
struct prim_param {
    struct slice key, role;
    struct slice of;   /* what follows `:`, such as the enumeration of `MEMBER:Name`, the range of `INT:0..` */
    struct slice word; /* another value that it may have: `|same` after the role */
    name_t name;       /* the key in the module, or NONE */
    u8 kind;           /* enum param_role; this and name are only set in prim.listed */
    bool optional;     /* `?`: it may not be printed */
    bool identifying;  /* `!`: an equation without any of these is another primitive of the same name */
    bool nullable;     /* `|None` after the role */
    bool more;         /* `/`: the next one may be printed instead */
    struct key_printing printed; /* only set in prim.listed, as is the next: */
    u64 beside;                  /* bit i: listed[i] is one of printed.others */
};

/* One row. Parameters are one string: `name=ROLE name?=ROLE name! ..`; prim_param_next reads it. Effects are one string
 * of the words JAX prints. */
struct prim {
    const char *name;
    const char *also; /* its names in other versions, separated by blanks */
    const char *params;
    const char *effects;
    u32 in;      /* a byte of IN_ classes for operands 0, 1, 2, 3 and on; 0 repeats the byte before */
    u8 min, max; /* operands; ANY_COUNT: no upper bound */
    u8 dtype;    /* enum result_dtype */
    u16 row;     /* its index in the table, by which verify/rules finds its shape rule */
    u8 n_listed;
    const struct prim_param *listed; /* its parameters, parsed; only set in results of prims_find */
    u64 needed;                      /* bit i: listed[i] must be printed, or one of those that `/` joins to it */
    u64 always_printed;              /* bit i: known versions always print listed[i], and so does the canonical form */
    u64 dropped;                     /* bit i: the canonical form prints listed[i] only if its value is not trivial */
    u64 flags;    /* bit i: listed[i] is a truth or numbers: one equation prints it if another does */
    u64 expected; /* bit i: if listed[i] is missing, a line may be lost */
    struct prim_columns is;
};

/* operand classes by position */
#define IN2(a, b) ((u32)(a) | (u32)(b) << 8)
#define IN3(a, b, c) ((u32)(a) | (u32)(b) << 8 | (u32)(c) << 16)
#define IN4(a, b, c, d) (IN3(a, b, c) | (u32)(d) << 24)

/* the classes that a column has for operand i; 0 if it has none */
static inline u32
prim_classes(u32 in, u32 i)
{
    for (u32 at = i > 3 ? 3 : i; at > 0; at--)
        if (in >> (8 * at) & 255)
            return in >> (8 * at) & 255;
    return in & 255;
}

/* whether a primitive only computes its results, apart from its nested programs; reading a mesh axis is not an effect
 * here */
static inline bool
prim_is_pure(const struct prim *p)
{
    return (!p->effects[0] || !strcmp(p->effects, "NamedAxis")) && !p->is.trusted && !p->is.impure;
}

enum { PRIMS_SHIFT = 23, PRIMS_CACHED = 1 << (32 - PRIMS_SHIFT) };

/* a cache of rows by a module's names, misses included */
struct prims {
    struct mem *mem;
    const struct prim **made; /* of each row, NULL before its first use */
    name_t cached[PRIMS_CACHED];
    const struct prim *rows[PRIMS_CACHED]; /* NULL: unknown primitive */
    bool other[PRIMS_CACHED];              /* the name is not the first of its row */
};

/* initializes the cache in pool mem */
void prims_init(struct mem *mem, struct prims *p);

/* frees the cache; rows that were found live as long as mem */
void prims_free(struct prims *p);

/* looks up a name and stores its row in the cache at place `at` */
void prims_remember(struct prims *p, const struct module *m, name_t name, u32 at);

/* the place of a name's row in the cache, which is filled if necessary */
static inline u32
prims_place(struct prims *p, const struct module *m, name_t name)
{
    u32 at = (name * 0x9e3779b1u) >> PRIMS_SHIFT;
    if (unlikely(p->cached[at] != name))
        prims_remember(p, m, name, at);
    return at;
}

/* the row of a primitive's name, or NULL. O(1) */
static inline const struct prim *
prims_find(struct prims *p, const struct module *m, name_t name)
{
    return p->rows[prims_place(p, m, name)];
}

/* the newest name of a primitive if `name` is an older one, else NULL. O(1) */
static inline const char *
prims_newest(struct prims *p, const struct module *m, name_t name)
{
    u32 at = prims_place(p, m, name);
    return p->other[at] ? p->rows[at]->name : NULL;
}

/* the number of rows, and one of them; its strings are static */
u32 prims_count(void);
struct prim prims_row(u32 row);

/* copies the row of any name; false if there is none. O(1) */
bool prim_named(struct slice name, struct prim *row);

/* the columns of an equation's primitive, and of a name; all 0 if there is no row. O(1) */
const struct prim_columns *eqn_columns(const struct module *m, eqn_t e);
const struct prim_columns *prim_columns(struct slice name);

/* the known name nearest to an unknown one (edit distance at most 2), or NULL. O(table) */
const char *prims_suggest(struct slice name);

/* reads the next parameter of a row's string and advances *at, which begins at `params`; false at the end */
bool prim_param_next(const char **at, struct prim_param *param);

/* reads the range after a role; one that is empty contains all numbers */
struct param_range param_range(struct slice of);

/* whether the parameter of this key is a program; fast */
bool prim_holds(const struct prim *p, struct slice key);

/* the index in `listed` of the parameter of this key; NONE if the row does not have it. Linear in the parameters */
u32 prim_listed(const struct prim *p, struct slice key);

/* the role of the parameter of this key, empty if the row does not have it */
struct slice prim_role(const struct prim *p, struct slice key);

/* one-line descriptions of a primitive, by its row's name, and of a parameter; "" if there is none. p may be NULL.
 * O(table) */
const char *prim_meaning(const char *name);
const char *prim_param_meaning(const struct prim *p, struct slice key);

#endif
