/* SPDX-License-Identifier: Apache-2.0
 *
 * The identity of programs. Each jaxpr has a digest: SHA-256 over its canonical bytes, in which variables are numbered
 * by dataflow, equations are in canonical order, values are spelled one way whatever version printed them, and a
 * nested program is its own digest. Sharing, names, layout and comments play no part, and a jaxpr that is held by a
 * million equations is digested once. */
#ifndef JX_CANON_H
#define JX_CANON_H

#include "base/digest.h"
#include "base/memo.h"
#include "base/sink.h"
#include "ir/reach.h"
#include "resolve/dim_resolve.h"
#include "regions/effect_analysis.h"

/* what to leave aside in a comparison */
enum canon_aside {
    CANON_DCE = 1,     /* equations whose results are unused */
    CANON_COMMUTE = 2, /* the order of the operands of commutative primitives */
};

/* A jaxpr that was entered, and its digest, once that is known. */
struct canon_jaxpr {
    bool entered, known;
    bool digesting; /* canon_digest_lacking has met it */
    bool linked;    /* its equations stay in canonical order */
    struct digest digest;
};

/* What grammar/spellings.def says of a key of a primitive's parameters; see canon/spelling.h. */
struct canon_key {
    name_t primitive, key;
    struct slice newest; /* the newest name of the key */
    u8 spelling_of_key;  /* KEY_LEFT_OUT .. */
    bool renamed;        /* it is printed under another name */
};

enum { CANON_KEYS = 512, CANON_KEYS_SHIFT = 32 - 9 };

/* A parameter and what it is sorted by, the newest name of its key. */
struct canon_param {
    struct canon_key key;
    param_t param;
};

/* A value of a parameter spelled before. */
struct canon_spelled {
    u64 hash; /* of raw; 0: nothing here */
    struct slice raw, spelled;
    bool nothing; /* it says nothing under any key */
    bool shown;   /* what people are shown for it is raw (normalize.c) .. */
    u32 at;       /* .. which is here in the module */
};

/* An equation waiting for its operands; `use` runs through the indexers of a ref operand. */
struct canon_pending {
    eqn_t e;
    u32 operand, use;
};

struct canon {
    struct module *m;
    unsigned aside;
    struct slice without; /* keys of parameters to leave aside, with commas between */
    struct prims prims;
    struct effects effects;
    VEC(struct canon_jaxpr) jaxprs;
    u32 *producer;      /* of each variable: its equation, NONE for arguments */
    u32 *number;        /* of each variable: its number in the jaxpr at work, NONE before it has one */
    u8 *done;           /* of each equation: whether it has its place */
    struct memo writes; /* of each ref of the jaxpr at work: how many equations wrote to it so far */
    struct memo seen;   /* of each equation with refs: how many writes it sees, added up over its operands */
    VEC(eqn_t) order;
    VEC(struct canon_pending) pending; /* while an order is made */
    struct jaxprs lacking;             /* those to digest next: canon_digest_lacking */
    jaxpr_t at;                        /* the jaxpr at work */
    bool reads;                        /* one of its equations reads a ref */
    bool sparing;                      /* only those in lacking are digested */
    bool keep_reads;                   /* reads of refs keep their place among writes */
    bool variables;                    /* names of dims are variables of the program, not symbols */
    bool old_shards;                   /* shard_map stays as it was printed: see shard_map.c */
    name_t underscore;
    enum { MIXED_UNKNOWN, MIXED_NO, MIXED_YES } mixed; /* some variables print types and others do not */
    struct memo dims;                                  /* its variables by name, plus one; empty until a dim asks */
    VEC(struct canon_param) params;                    /* of the equation at work */
    struct canon_key *keys;  /* CANON_KEYS met before, by primitive and key; a later one takes the place of another */
    VEC(struct slice) types; /* types written before, by type_t; those without text were not */
    struct canon_spelled *spelled;      /* a table without collisions: who comes second is spelled anew each time */
    u32 spelled_shift;                  /* 64 less the bits of a slot's number */
    struct canon_operation *operations; /* met before: operation.c */
    u32 operations_shift;               /* 64 less the bits of a slot's number */
    struct sink bytes;
    struct sink value; /* one value being spelled */
    struct sink key;   /* one row to compare with */
};

/* has the processor fetch what comes a little after the i-th equation of the order, which is not that of addresses. gcc
 * takes calls of a function that only fetches for calls without effect, unless it is inlined early */
__attribute__((always_inline)) static inline void
canon_fetch(const struct canon *c, u32 i)
{
    enum { EQUATIONS = 16, OPERANDS = 8 };
    const struct module *m = c->m;
    if (i + EQUATIONS >= c->order.n)
        return;
    prefetch(&m->eqns.at[c->order.at[i + EQUATIONS]]);
    const struct eqn *e = &m->eqns.at[c->order.at[i + OPERANDS]];
    prefetch(&m->vars.at[e->vars]);
    prefetch(&m->atoms.at[e->atoms]);
    if (e->params != NONE)
        prefetch(&m->params.at[e->params]);
}

/* makes ready for a resolved module */
void canon_init(struct canon *c, struct module *m, unsigned aside, struct slice without);
void canon_end(struct canon *c);

/* digests a program, which may be open (rewrite/rewrite.h), and everything in it; the program must be free of errors
 * of scope, and c->variables has been set. Linear, but that dead equations are sorted */
struct digest canon_open(struct canon *c, program_t program);

/* puts a program and everything in it in order, but digests only what an order asks for. Those are relinked whose order
 * is final by then, but for large ones and those in pasted prints */
void canon_inside(struct canon *c, program_t program);

/* digests the jaxprs listed in c->lacking that have no digest, and what they hold; the list is empty then, and the
 * jaxpr at work the same. Linear in these */
void canon_digest_lacking(struct canon *c);

/* whether a jaxpr has more equations than fit into a cache with all they hold */
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

/* puts the equations of a jaxpr into canonical order for good; nothing has changed since it was digested. With `settle`
 * a large one may be settled */
void canon_relink(struct canon *c, jaxpr_t j, bool finish);

/* gives the equations of a large jaxpr, its results, operands and parameters new ids in canonical order, which was just
 * made; false where it is none. No text, no ref and no size of it may say a variable. The digests stay, what else c has
 * by variable and equation does not */
bool canon_relayout(struct canon *c, jaxpr_t j);

/* the digest of a jaxpr of a program digested before */
const struct digest *canon_digest(const struct canon *c, jaxpr_t j);

/* the type of a variable, of the first result; NULL where none is printed */
static inline const struct type *
canon_var_type(const struct canon *c, var_t v)
{
    type_t t = c->m->vars.at[v].type;
    return t == NONE ? NULL : type_get(&c->m->types, t);
}

static inline const struct type *
canon_result_type(const struct canon *c, const struct eqn *e)
{
    return e->n_vars ? canon_var_type(c, e->vars) : NULL;
}

/* -- parts -- */

/* how many writes of its refs equation e sees, where the equations of a jaxpr are asked in printed order; counts those
 * it makes. flags are effects_eqn's answer, just given */
u32 canon_count_writes(struct canon *c, eqn_t e, u8 flags);

/* puts the equations of a jaxpr into canonical order, in c->order, and numbers its variables; what it holds must have
 * digests */
void canon_order(struct canon *c, jaxpr_t j);

/* writes the canonical bytes of an equation whose operands and results have numbers, without its results' names */
void canon_eqn(struct canon *c, struct sink *out, eqn_t e);

/* writes what an equation does apart from its operands: primitive, parameters, types of results */
void canon_operation(struct canon *c, struct sink *out, eqn_t e);

/* a hash of what canon_operation writes, which overwrites c->value */
u64 canon_operation_hash(struct canon *c, eqn_t e);

/* makes an empty table of operations for as many equations as the module has; gives its memory back */
void canon_operations_init(struct canon *c);
void canon_operations_end(struct canon *c);

/* writes the parameters that are part of the program, sorted by key, each with a blank in front */
void canon_params(struct canon *c, struct sink *out, eqn_t e);

/* writes an operand; i is its position, NONE for a result of the jaxpr, whose literals have no context */
void canon_atom(struct canon *c, struct sink *out, atom_t a, eqn_t e, u32 i);

/* true for an index, with or without its brackets, that takes a whole ref: `[]`, `[...]`, `[:,:]` */
bool canon_is_whole(struct slice index);

/* whether the order of an equation's two operands is left aside */
bool canon_commutes(struct canon *c, eqn_t e);

/* writes a type; dims that are variables become numbers */
void canon_type(struct canon *c, struct sink *out, type_t t);

/* writes a literal; expected is the element type that its place alone would give it, or NONE */
void canon_literal(struct canon *c, struct sink *out, u32 literal, dtype_t expected);

/* what a literal amounts to: its element type, NONE when the text leaves it open or others may follow it, and whether
 * it is a number to be spelled as a float, which is rounded to that type. Results of the outermost program have an i */
bool canon_literal_value(struct canon *c, u32 literal, eqn_t e, u32 i, dtype_t *dtype, double *value);

/* the number of the fewest digits that is `value` where it is rounded to the element type: 0.3 for 0.30000001192092896
 * of f32 */
double canon_fewest_digits(double value, dtype_t dtype);

/* the element type that a literal's place gives it (*decided is then true), or else what Python's numbers become; i as
 * for canon_atom */
dtype_t canon_expected(struct canon *c, eqn_t e, u32 i, const struct literal *l, bool *decided);

/* writes the value of one parameter of an equation as canon_params would */
void canon_spell(struct canon *c, struct sink *out, eqn_t e, param_t p);

/* whether a parameter says nothing */
bool canon_is_default(struct canon *c, eqn_t e, param_t p);

/* makes a list of an equation's parameters: those that say something, under their newest names, `name` before the
 * sorted others; with `all` those that are no part of its identity, too. It is a new one only where the equation's own
 * is another. Returns the first, or NONE */
param_t canon_sorted(struct canon *c, eqn_t e, bool all);

/* spells the value of a parameter in one way: see value.c. Linear, but that sets are sorted */
void canon_value(struct mem *mem, struct sink *out, struct slice value);

/* the same, remembered: programs say the same things again and again */
void canon_value_again(struct canon *c, struct sink *out, struct slice value);

/* where a value spelled before is remembered; NULL where it is not */
struct canon_spelled *canon_remembered(const struct canon *c, struct slice value);

/* the name a primitive has in the table, or its own */
struct slice canon_prim(struct canon *c, name_t prim, struct name_buffer *buffer);

#endif
