/* SPDX-License-Identifier: Apache-2.0
 *
 * The identity of programs. Each jaxpr has a digest: SHA-256 over its canonical bytes, in which variables are numbered
 * by dataflow, equations are in canonical order, values are spelled one way whatever version printed them, and a nested
 * program is its own digest. Sharing, names, layout and comments do not affect it, and a jaxpr used by a million
 * equations is digested once. */
#ifndef JX_CANON_H
#define JX_CANON_H

#include "base/digest.h"
#include "base/memo.h"
#include "base/sink.h"
#include "ir/reach.h"
#include "resolve/dim_resolve.h"
#include "regions/effect_analysis.h"

/* what a comparison ignores */
enum canon_ignored {
    CANON_DCE = 1,     /* equations that no result depends on */
    CANON_COMMUTE = 2, /* the order of the operands of commutative primitives */
};

/* The state of a jaxpr, and its digest, once it is known. */
struct canon_jaxpr {
    bool entered, known;
    bool digesting; /* canon_digest_lacking has visited it */
    bool linked;    /* its equations are linked in canonical order */
    struct digest digest;
};

/* What grammar/spellings.def says about a key of a primitive's parameters; see canon/spelling.h. */
struct canon_key {
    name_t primitive, key;
    struct slice newest; /* the newest name of the key */
    u8 spelling_of_key;  /* KEY_LEFT_OUT .. */
    u8 typed;            /* enum typed */
    bool renamed;        /* another version prints it under another name */
};

enum { CANON_KEYS = 512, CANON_KEYS_SHIFT = 32 - 9 };

/* A parameter, and the newest name of its key, by which it is sorted. */
struct canon_param {
    struct canon_key key;
    param_t param;
};

/* A value of a parameter, and its canonical spelling, in a cache. */
struct canon_spelled {
    u64 hash; /* of raw; 0: an empty slot */
    struct slice raw, spelled;
    bool nothing; /* under any key, it means the same as no parameter */
    bool shown;   /* canonical text prints raw for it (normalize.c) .. */
    u32 at;       /* .. from this offset in the module */
};

/* An equation waiting for its operands; `use` runs through the indexers of a ref operand. */
struct canon_pending {
    eqn_t e;
    u32 operand, use;
};

/* How a program is read. */
struct canon_mode {
    bool variables;  /* names of dims are variables of the program, not symbols */
    bool old_shards; /* shard_map stays as it was printed: see shard_map.c */
};

/* A jaxpr in canonical order. */
struct canon_position {
    jaxpr_t jaxpr;
    bool reads; /* one of its equations reads a ref */
    VEC(eqn_t) order;
};

struct canon {
    struct module *m;
    unsigned ignored;
    struct slice without; /* keys of parameters to ignore, separated by commas */
    struct prims prims;
    struct effects effects;
    VEC(struct canon_jaxpr) jaxprs;
    u32 *producer;       /* of each variable: its equation, NONE for arguments */
    u32 *number;         /* of each variable: its number in the current jaxpr, NONE before it has one */
    u8 *done;            /* of each equation: whether it is in the order */
    struct memo writes;  /* of each ref of the current jaxpr: how many equations wrote to it so far */
    struct memo swapped; /* with CANON_COMMUTE: nonzero for equations of the current jaxpr whose two operands are
                          * swapped */
    struct memo seen;    /* of each equation with refs: how many writes precede it, summed over its operands */
    VEC(struct canon_pending) pending; /* while an order is being made */
    struct jaxprs lacking;             /* those to digest next: canon_digest_lacking */
    program_t program;                 /* the current program .. */
    struct canon_mode mode;            /* .. and how it is read: canon_enter */
    struct canon_position at;          /* the current jaxpr */
    bool sparing;                      /* of canon_inside: only jaxprs in lacking are digested */
    bool keep_reads;                   /* of canon_relink: reads of refs keep their place among the writes */
    bool own_program;                  /* what canon_operation wrote last depends on the versions of the program */
    name_t underscore;
    bool wide_known;                    /* whether `wide` was found */
    bool wide;                          /* no variable prints its type, and some equation has only 64-bit numbers */
    struct memo dims;                   /* the variables of the current jaxpr by name, plus one; empty until a dim needs
                                         * one */
    VEC(struct canon_param) params;     /* of the current equation */
    struct canon_key *keys;             /* a cache of CANON_KEYS keys, by primitive and key */
    VEC(struct slice) types;            /* text of the types written before, by type_t; empty for others */
    struct canon_spelled *spelled;      /* a table: value.c */
    u32 spelled_shift;                  /* 64 minus the bits of a slot index */
    struct canon_operation *operations; /* seen before: operation.c */
    u32 operations_shift;               /* 64 minus the bits of a slot index */
    struct sink bytes;
    struct sink scratch; /* see canon_cut */
};

/* Cuts what was appended to c->scratch since it had `from` bytes, and returns it: valid until the next text is appended
 * there. Any function may use c->scratch, also inside another one, as each cuts what it appended. */
static inline struct slice
canon_cut(struct canon *c, size_t from)
{
    struct slice text = {c->scratch.at + from, c->scratch.n - from};
    c->scratch.n = from;
    return text;
}

/* prefetches data needed shortly after the i-th equation of the order, which is not the order in memory. gcc removes
 * calls of a function that only prefetches, unless it is inlined early */
__attribute__((always_inline)) static inline void
canon_fetch(const struct canon *c, u32 i)
{
    enum { EQUATIONS = 16, OPERANDS = 8 };
    const struct module *m = c->m;
    if (i + EQUATIONS >= c->at.order.n)
        return;
    prefetch(&m->eqns.at[c->at.order.at[i + EQUATIONS]]);
    const struct eqn *e = &m->eqns.at[c->at.order.at[i + OPERANDS]];
    prefetch(&m->vars.at[e->vars]);
    prefetch(&m->atoms.at[e->atoms]);
    if (e->params != NONE)
        prefetch(&m->params.at[e->params]);
}

/* the versions that may have printed the current program. What depends on them is not reused in other programs */
static inline struct version_range
canon_versions(struct canon *c)
{
    c->own_program = true;
    return program_versions(c->m, c->program);
}

/* initializes it for a resolved module; canon_end frees the memory */
void canon_init(struct canon *c, struct module *m, unsigned ignored, struct slice without);
void canon_end(struct canon *c);

/* makes a program the current one. canon_open and canon_inside do so; callers of the functions under "parts" must */
static inline void
canon_enter(struct canon *c, program_t program, struct canon_mode mode)
{
    c->program = program;
    c->mode = mode;
}

/* digests a program, which may be open (rewrite/rewrite.h), and everything in it; the program must have no scope
 * errors. Linear, except for sorting dead equations */
struct digest canon_open(struct canon *c, program_t program, struct canon_mode mode);

/* orders the equations of a program and everything in it, and digests only what an order depends on; a later canon_open
 * of the same program would not digest the rest. Jaxprs whose order is final are relinked, except for large ones and
 * those in pasted prints */
void canon_inside(struct canon *c, program_t program, struct canon_mode mode);

/* digests the jaxprs listed in c->lacking that have no digest, and what they contain; empties the list and keeps the
 * current jaxpr with its numbers, but not c->writes. Linear in their size */
void canon_digest_lacking(struct canon *c);

/* whether a jaxpr has more equations than fit into a processor's cache */
static inline bool
canon_is_large(const struct canon *c, jaxpr_t j)
{
    enum { CACHED = 4 << 10 };
    return c->m->jaxprs.at[j].n_eqns >= CACHED;
}

/* whether a jaxpr has a digest */
static inline bool
canon_known(const struct canon *c, jaxpr_t j)
{
    return c->jaxprs.at[j].known;
}

/* links the equations of a jaxpr in canonical order; it must not have changed since it was digested. With `finish`, a
 * large one may also be moved in memory: canon_relayout */
void canon_relink(struct canon *c, jaxpr_t j, bool finish);

/* gives the equations of a large jaxpr, its results, operands and parameters new ids in canonical order, which
 * canon_order has just computed; false if the jaxpr is not large. Its texts, refs and sizes must name no variable.
 * Digests remain valid; everything else that c stores by variable or equation does not */
bool canon_relayout(struct canon *c, jaxpr_t j);

/* the digest of a jaxpr in a program that was digested */
const struct digest *canon_digest(const struct canon *c, jaxpr_t j);

/* the type of a variable; NULL if none is printed */
static inline const struct type *
canon_var_type(const struct canon *c, var_t v)
{
    type_t t = c->m->vars.at[v].type;
    return t == NONE ? NULL : type_get(&c->m->types, t);
}

/* the type of an equation's first result; NULL if none is printed */
static inline const struct type *
canon_result_type(const struct canon *c, const struct eqn *e)
{
    return e->n_vars ? canon_var_type(c, e->vars) : NULL;
}

/* -- parts -- */

/* returns how many writes to its refs precede equation e, and counts those that e makes; called for the equations of a
 * jaxpr in printed order. flags is the result of effects_eqn */
u32 canon_count_writes(struct canon *c, eqn_t e, u8 flags);

/* puts the equations of a jaxpr into canonical order, in c->at, and numbers its variables; its nested programs must
 * have digests */
void canon_order(struct canon *c, jaxpr_t j);

/* writes the canonical bytes of an equation whose operands and results have numbers, without its results' names */
void canon_eqn(struct canon *c, struct sink *out, eqn_t e);

/* writes an equation without its operands: primitive, parameters, types of results */
void canon_operation(struct canon *c, struct sink *out, eqn_t e);

/* a hash of what canon_operation writes */
u64 canon_operation_hash(struct canon *c, eqn_t e);

/* canon_recall_normal gives an equation the parameter list that canon_record_normal recorded as the normal form of an
 * equal list: equal lists share one text, which stays in the cache. False if none was recorded in this round, during
 * which such lists do not change; *slot is then to be passed to canon_record_normal, before another equation is
 * queried. A round is not 0 */
bool canon_recall_normal(struct canon *c, eqn_t e, u32 round, struct canon_operation **slot);
void canon_record_normal(const struct canon *c, struct canon_operation *slot, u32 round, param_t normal);

/* makes an empty table of operations for as many equations as the module has; canon_operations_end frees it */
void canon_operations_init(struct canon *c);
void canon_operations_end(struct canon *c);

/* writes the parameters that are part of a program's identity, sorted by key, each after a space */
void canon_params(struct canon *c, struct sink *out, eqn_t e);

/* writes an operand; i is its position, NONE for a result of the jaxpr, whose literals have no context */
void canon_atom(struct canon *c, struct sink *out, atom_t a, eqn_t e, u32 i);

/* the `]` of the index of a ref that begins at s.at[at] and is that of the whole array, `[:,:]`; else NULL */
const char *canon_whole_close(struct slice s, size_t at);

/* whether the order of an equation's two operands is ignored */
bool canon_commutes(struct canon *c, eqn_t e);

/* the variable of the current jaxpr that a size names; NONE for a number, a symbol, or one of an enclosing jaxpr */
var_t canon_size(struct canon *c, const struct dim *d);

/* writes a type; dims that are variables become numbers */
void canon_type(struct canon *c, struct sink *out, type_t t);

/* whether canon_type writes the same text for a type in every scope; false for NONE. canon_writes_alike is the general
 * form */
bool canon_writes_alike(struct canon *c, type_t t);

static inline bool
canon_is_constant(struct canon *c, type_t t)
{
    return (t < c->types.n && c->types.at[t].n > 0) || canon_writes_alike(c, t);
}

/* writes a literal; expected is the element type that its place alone would give it, or NONE */
void canon_literal(struct canon *c, struct sink *out, u32 literal, dtype_t expected);

/* reads a literal: *dtype is its element type, NONE if the text does not determine it; true if it is a number to be
 * spelled as a float: then *value is the number, rounded to that type. i as for canon_atom, but not NONE for results of
 * the outermost program */
bool canon_literal_value(struct canon *c, u32 literal, eqn_t e, u32 i, dtype_t *dtype, double *value);

/* the number with the fewest digits that rounds to `value` in the element type: 0.3 for 0.30000001192092896 of f32 */
double canon_fewest_digits(double value, dtype_t dtype);

/* the element type that a literal's place gives it (*decided is then true), or else what Python's numbers become; i as
 * for canon_atom */
dtype_t canon_expected(struct canon *c, eqn_t e, u32 i, const struct literal *l, bool *decided);

/* writes the value of one parameter of an equation as canon_params would */
void canon_spell(struct canon *c, struct sink *out, eqn_t e, param_t p);

/* whether a parameter means the same as none */
bool canon_is_default(struct canon *c, eqn_t e, param_t p);

/* makes the canonical list of an equation's parameters: without those that mean the same as none, under their newest
 * names, `name` before the sorted others; unless `all`, also without those that are not part of its identity. Returns
 * the first, or NONE; the equation's own list if that is canonical */
param_t canon_sorted(struct canon *c, eqn_t e, bool all);

/* writes the canonical spelling of a parameter's value: see value.c. Linear, except for sorting sets */
void canon_value(struct mem *mem, struct sink *out, struct slice value);

/* canon_value with a cache, as values repeat */
void canon_value_again(struct canon *c, struct sink *out, struct slice value);

/* the cached spelling of a value; NULL if it is not cached */
struct canon_spelled *canon_remembered(const struct canon *c, struct slice value);

/* the name of a primitive in the table, or its own if it has none there */
struct slice canon_prim(struct canon *c, name_t prim, struct name_buffer *buffer);

#endif
