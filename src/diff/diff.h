/* SPDX-License-Identifier: Apache-2.0
 *
 * The difference of two programs, in three steps: each side's equations get hashes from canonical bytes (hash.c),
 * equations of two jaxprs are matched by dataflow and, where that does not decide, by their order (match.c), and
 * differences become items, with names of the left side, which the writers print (pair.c). */
#ifndef JX_DIFF_H
#define JX_DIFF_H

#include "canon/canon.h"
#include "print/printer.h"
#include "print/renaming.h"

/* A cache from the hash of bytes to the hash of their canonical form. */
struct diff_cache {
    struct diff_cached {
        u64 raw, known;
    } * at;
    u32 n, mask;
};

/* A use of a variable as operand i of an equation. */
struct diff_use {
    eqn_t e;
    u32 i, next;
};

/* A pair of positions, one on each side. */
struct diff_place {
    u32 a, b;
};

/* Unmatched equations between two matched pairs that are in order: indices into each side's eqns. */
struct diff_unmatched_range {
    u32 first_a, first_b; /* the first equation after the preceding pair */
    VEC(u32) a, b;
};

/* An operand that was a name before diff_show_captured. */
struct diff_shown {
    u32 at; /* among the module's atoms */
    atom_t name;
};

/* What hash.c has computed of one side. */
struct diff_known {
    struct memo prims; /* by name of a primitive: its hash */
    u64 *types;        /* of a type: its hash, 0 until it is computed */
    u32 n_types;
    struct diff_literal *literals; /* of a literal: its hash as the operand for which it was last computed */
    u32 n_literals;
    struct diff_cache values; /* of parameter lists */
    u8 *flags;                /* of an equation: its effects */
    u8 *hashed;               /* of a program: HASHED, if it was hashed, and HASHED_SYMMETRIC */
};

/* One side: hashes and matches. Arrays are indexed by the module's ids. */
struct diff_side {
    struct module *m;
    struct canon c;
    u64 seed; /* of all hashes, the same on both sides; it is secret, so that no text can be made to collide */
    struct canon exact; /* for digests; initialized when the first is needed */
    struct diff_known known;
    bool symmetric; /* some nested program may have the hash of another */
    bool by_digest; /* nested programs that have a digest are hashed by it, because their hashes were too coarse */
    u64 *kind;      /* of an equation: primitive, parameters, nested programs included, and how many results */
    u64 *whole;     /* of an equation: its kind and operands, and how those are computed */
    u64 *value;     /* of a variable: how it is computed */
    u64 *program;   /* of a jaxpr: equal if the jaxprs are the same */
    u32 *producer;  /* of a variable: its equation, NONE for arguments */
    u32 *rank;      /* of an equation: its index in its jaxpr */
    u32 *match;     /* of an equation: the one it is matched with, or NONE */
    u32 *partner;   /* of a variable: the one it is matched with, or NONE */
    u64 *key;       /* of an unmatched equation: a hash of it and its neighbours */
    u32 *users;     /* of a variable: the first of its uses (diff_find_users), or NONE */
    VEC(struct diff_use) uses;
    VEC(eqn_t) eqns;              /* of the current jaxpr, in order */
    VEC(u32) unmatched;           /* indices of those that were unmatched at the last diff_keep_unmatched */
    struct memo around;           /* by name that some jaxpr uses but does not bind: the outer variable, plus one */
    VEC(struct diff_shown) shown; /* see diff_show_captured */
    bool dynamic;                 /* some type has a size that is not a number */
    bool reads_unnamed;           /* the current jaxpr uses variables called `_` */
    struct binders scopes[2];     /* to look up such sizes, if there are any */
    u8 *dead;                     /* of an equation: whether it is ignored because its results are unused */
    jaxpr_t main;                 /* of the current program */
    struct printer printer;
    bool printing;
    struct sink out;
};

/* The hash of a literal as operand i of an equation. */
struct diff_literal {
    u64 hash; /* 0 until it is computed */
    eqn_t e;
    u32 i;
};

/* The kind of an item. */
enum diff_kind {
    DIFF_INPUTS,  /* the binders differ */
    DIFF_OUTPUTS, /* the results differ */
    DIFF_CHANGED, /* one equation, changed in part */
    DIFF_INSIDE,  /* an equation that differs only inside its nested programs */
    DIFF_ADDED,
    DIFF_REMOVED,
    DIFF_MOVED,   /* the same equation elsewhere */
    DIFF_RETYPED, /* the same equation with types that follow from another change */
    DIFF_SAME,    /* context */
};

enum diff_what { WHAT_PRIMITIVE, WHAT_PARAMETER, WHAT_OPERAND, WHAT_TYPE, WHAT_BINDER, WHAT_OUTPUT, WHAT_PROGRAM };

/* One change; a side without a value is empty. */
struct diff_change {
    enum diff_what what;
    u32 index;        /* of the operand, result, binder or output; or of the program among those of the parameter */
    struct slice key; /* of a parameter */
    struct slice from, to;
    u32 literals[2]; /* ids of operands that are literals, plus one; 0: not a literal */
};

/* Why a writer does not print an item: it is part of a moved block, or repeats what was printed before. */
enum diff_fold { FOLD_NONE, FOLD_BLOCK, FOLD_LIKE };

/* true if a change is a program that only one side has, not a new order of a parameter's programs */
static inline bool
diff_reports_program(const struct diff_change *c)
{
    return c->what == WHAT_PROGRAM && (c->from.n == 0 || c->to.n == 0);
}

/* Two equations that may match. */
struct diff_candidate {
    u32 score, distance;
    eqn_t a, b;
};

/* A nested program of both sides that differs. */
struct diff_inner {
    struct slice key;
    u32 index; /* its index among the parameter's programs */
    u32 pair;
};

struct diff_item {
    enum diff_kind kind;
    eqn_t a, b;
    u32 at_a, at_b; /* indices among the equations of each side; NONE if there is none */
    u32 line_a, line_b;
    bool elsewhere; /* it also moved, and is changed or differs in its nested programs */
    u32 changes, n_changes;
    u32 n_echoes; /* echoes after the changes: what is printed differently because types differ, such as a literal's
                   * type */
    u32 inners, n_inners;
    bool retyped; /* its results differ only because of another change */
    bool named;   /* a result called `_` on one side has a name on the other */
    bool quiet;   /* need not be printed: its types follow from another change, or it is context of such an item */
    enum diff_fold fold;
    u32 block; /* how many equations moved together, this one included; 0: it moved alone */
    u32 more;  /* how many folded copies of the items that end with this one follow */
    /* the whole text; empty for DIFF_INSIDE and for changed ones whose nested programs differ, too */
    struct slice from, to;
    struct slice results; /* the results on the right as JSON, if they may differ; names change from pair to pair */
    struct slice head;    /* on one line, without parameters; of the left equation if there is one */
};

/* An unmatched equation, or two matched ones; odd is an index into diff.odd, NONE if nothing differs. */
struct diff_step {
    eqn_t a, b;
    u32 odd;
};

/* Which operands of two equations correspond, if one has more than the other: a run of d->aligned. */
struct diff_alignment {
    u32 first, n;
    u32 n_a, n_b; /* the numbers of operands; 0 if they are equal */
};

/* Two jaxprs that differ. */
struct diff_pair {
    jaxpr_t a, b;
    u32 items, n_items;
    u32 retyped;      /* how many equations are quiet and not context */
    u32 lets, n_lets; /* of an outermost pair: the shared programs that new equations use */
    struct diff_alignment aligned;
    bool main;
    bool shown;   /* it was written */
    bool quiet;   /* its only differences are types that follow from another change */
    bool follows; /* operands of the equation that contains them differ in type */
};

struct diff_counts {
    u64 changed, added, removed, moved, interface;
};

struct diff {
    struct mem *mem;
    struct diff_side a, b;
    bool following;   /* operands of the current equations differ in type */
    bool interface;   /* binders and results only */
    bool first;       /* only the first difference is printed */
    u32 context;      /* how many equations to print around a difference */
    VEC(eqn_t) fresh; /* left sides of matches whose neighbours were not visited yet */
    VEC(struct diff_candidate) candidates;
    VEC(struct diff_pair) pairs;
    VEC(struct diff_item) items;
    VEC(struct diff_step) steps; /* of the current pair: equations of both sides in one order */
    VEC(struct diff_item) odd;   /* the items of steps that are not the same */
    VEC(struct diff_change) changes;
    VEC(struct diff_inner) inners;
    VEC(struct diff_place) aligned;
    struct diff_alignment operands; /* of the current equation, for its nested programs */
    VEC(struct slice) lets;         /* the texts of shared programs that only new equations use */
    struct memo sizes;              /* the ids, in the table of the right, of names in shapes of the left */
    bool sizes_known;
    struct memo known; /* by hash of a pair of jaxprs: its index, plus one */
    struct diff_counts counts;
};

/* initializes it for two resolved modules; mem is the pool for what belongs to neither; `ignored` and `without` as for
 * canon_init */
void diff_init(struct diff *d, struct mem *mem, struct module *a, struct module *b, unsigned ignored,
               struct slice without);
void diff_end(struct diff *d);

/* whether two programs have the same digest without being changed first. Each program is digested once */
bool diff_same(struct diff *d, program_t a, program_t b);

/* compares two programs: returns the index of the pair of their jaxprs, or NONE if they are the same (diff_same); with
 * `differ`, the caller knows that they differ. Nearly linear */
u32 diff_programs(struct diff *d, program_t a, program_t b, bool differ);

/* -- streams (pair_programs.c) -- */

/* The keys of the programs of a stream: nonzero numbers that are equal if contents are; and numbers of names, 0 if
 * there is none. */
struct diff_stream {
    u64 *content, *name;
    u32 n;
    const u32 *same; /* for each program: the one of the other stream that it is known to equal, or NONE; may be NULL */
};

/* Two programs to compare: indices in their streams, NONE if only the other side has it. */
struct diff_partner {
    u32 a, b;
    bool equal; /* nothing to compare: their contents are the same */
    bool moved; /* not in the same order as the others */
};

struct diff_partners {
    struct diff_partner *at;
    u32 n, cap;
};

/* matches programs by name, then by content, then by their neighbours; adds to out in the order of the left stream. n
 * log n */
void diff_streams(struct mem *mem, const struct diff_stream *a, const struct diff_stream *b, struct diff_partners *out);

/* -- sides -- */

/* initializes it for a resolved module; `ignored` and `without` as for canon_init, `seed` the same on both sides.
 * Linear */
void diff_side_init(struct diff_side *s, struct module *m, unsigned ignored, struct slice without, u64 seed);

/* frees the memory */
void diff_side_end(struct diff_side *s);

/* hashes a program and its nested programs. Linear, except for sorting sets in values */
void diff_side_program(struct diff_side *s, program_t program);

/* the digest of a program; the program is not changed */
struct digest diff_side_digest(struct diff_side *s, program_t program);

/* the variable of an outer jaxpr that a name refers to, NONE if the atom is not a name or is unbound */
var_t diff_captured(const struct diff_side *s, atom_t a);

/* hashes one jaxpr whose nested ones have hashes; `inputs` are the values of its binders (NULL: they are hashed by
 * position) */
void diff_side_jaxpr(struct diff_side *s, jaxpr_t j, const u64 *inputs);

/* initializes the printer for a program's equations */
void diff_side_print(struct diff_side *s, program_t program);

/* the hash of a type's canonical form */
u64 diff_type(struct diff_side *s, type_t t);

/* the hash of an operand that is not a variable: a literal, a ref with its index, an unbound name; e and i as for
 * canon_atom */
u64 diff_other_atom(struct diff_side *s, atom_t a, eqn_t e, u32 i);

/* -- matching -- */

/* matches the equations and variables of two jaxprs, and their binders like the operands of the equations that contain
 * the jaxprs: fills match, partner and eqns of both sides */
void diff_match(struct diff *d, jaxpr_t a, jaxpr_t b, const struct diff_alignment *operands);

/* One of two sequences to compare: a key for each element. */
struct diff_keys {
    const u64 *at;
    u32 n;
};

/* pairs equal keys of two sequences, in order: calls `consume` with ascending indices into both. Linear; misses pairs
 * where the sequences have little in common */
void diff_anchor(struct mem *mem, struct diff_keys a, struct diff_keys b, void (*consume)(void *, u32, u32), void *arg);

/* marks the longest ascending subsequence: keep[i] becomes 1 for its numbers, 0 for the others. n log n */
void diff_ascending(struct mem *mem, const u32 *at, u32 n, u8 *keep);

/* the address of the value of a nonzero hash in the table; the value is 0 if it is new. Valid until the next call; the
 * caller frees t->at */
u64 *diff_cache_find(struct mem *mem, struct diff_cache *t, u64 raw);

/* matches the results of two equations of which one has more: by what computes and uses them, by their names and types,
 * and last by their order. Matches keep the order. Linear in the results and their uses */
void diff_pair_results(struct diff *d, eqn_t a, eqn_t b);

/* matches the binders of two jaxprs: by position if their numbers are equal, and returns true; else as the operands
 * that are passed to them, or by name and type, hashes their equations again with these arguments, and returns false */
bool diff_pair_inputs(struct diff *d, jaxpr_t a, jaxpr_t b, const struct diff_alignment *operands);

/* matches two equations and their results */
void diff_match_eqns(struct diff *d, eqn_t a, eqn_t b);

/* for each equation of the left, in order: 1 if it belongs to the longest series of matched equations that are in the
 * same order on both sides, else 0. The caller frees the result; n log n */
u8 *diff_in_line(struct diff *d);

/* calls work for each range of unmatched equations that both sides have. n log n */
void diff_match_unmatched(struct diff *d, void (*work)(struct diff *, const struct diff_unmatched_range *));

/* matches unmatched equations by how much they have in common; false if none were matched. n log n in their number */
bool diff_similar(struct diff *d);

/* the name of the function that an equation calls, `relu`; empty if it has none */
struct slice diff_call_name(const struct diff_side *s, eqn_t e);

/* the equation that binds an operand, NONE for arguments, literals and unbound names */
eqn_t diff_producer(const struct diff_side *s, atom_t a);

/* updates s->unmatched to the equations that are still unmatched */
void diff_keep_unmatched(struct diff_side *s);

/* fills s->users for values with a user or producer that is unmatched */
void diff_find_users(struct diff_side *s);

/* matches equations around new matches, and those that compute the results of two jaxprs: with `strict` only equal
 * computations, and only upstream */
void diff_propagate(struct diff *d, jaxpr_t a, jaxpr_t b, bool strict);

/* visits again all matches that have an unmatched neighbour. Call it after diff_find_users */
void diff_look_again(struct diff *d);

/* -- what differs -- */

/* true if two types are the same, apart from names of dims */
bool diff_same_type(struct diff *d, type_t a, type_t b);

/* The operands of an equation, or the results of a jaxpr: atoms [first, first + n). */
struct diff_operands {
    eqn_t e; /* NONE for results */
    u32 first, n;
};

/* adds the differences of operands, or results, to the changes */
void diff_atoms(struct diff *d, enum diff_what what, const struct diff_operands *a, const struct diff_operands *b);

/* adds the differences of two matched equations to changes and inners; true if types of results differ only because
 * those of operands or nested programs do, or if only the text differs */
bool diff_changes(struct diff *d, eqn_t a, eqn_t b, struct diff_item *item);

/* adds a change to those of the current item */
void diff_add_change(struct diff *d, enum diff_what what, u32 index, struct slice key, struct slice from,
                     struct slice to);

/* adds the differences of the parameters of two matched equations to changes and inners; `replaced` if their primitives
 * differ. Linear in them */
void diff_params(struct diff *d, eqn_t a, eqn_t b, bool replaced);

/* adds echoes: parameters that are printed differently but do not differ, such as those that follow from types; or all,
 * if a change from `first` on calls a parameter by another name than is printed. Linear in the parameters and those
 * changes */
void diff_echo_params(struct diff *d, eqn_t a, eqn_t b, u32 first);

/* whether equations of two primitives have different parameters, too, and no nested programs to compare: these are two
 * equations, not a changed one. Linear in the parameters */
bool diff_is_replaced(struct diff *d, eqn_t a, eqn_t b);

/* the index of the pair of two jaxprs, which is added if it is new */
u32 diff_add_pair(struct diff *d, jaxpr_t a, jaxpr_t b);

/* renames the variables of the right to the names of their matches on the left, and others to names that are free
 * there */
void diff_rename(struct diff *d, jaxpr_t a, jaxpr_t b);

/* diff_show_captured resolves names in the current equations to the outer variables that they refer to, which may have
 * new names; diff_hide_captured undoes that. Only for text: no other code expects variables of another jaxpr */
void diff_show_captured(struct diff_side *s);
void diff_hide_captured(struct diff_side *s);

/* the text of an equation in JAX's layout from column 0; diff_head: its head on one line, `b:f32[] = scan[..] a` */
struct slice diff_text(struct diff_side *s, eqn_t e);
struct slice diff_head(struct diff_side *s, eqn_t e);

/* the text of a shared program, `let f = { lambda .. }` */
struct slice diff_let_text(struct diff_side *s, u32 let);

/* the printed text of a part, in the pool of the side's module: */
struct slice diff_atom_text(struct diff_side *s, atom_t a);     /* of an operand */
struct slice diff_type_text(struct diff_side *s, type_t t);     /* of a type */
struct slice diff_binder_text(struct diff_side *s, var_t v);    /* of a binder, with its type */
struct slice diff_binders_text(struct diff_side *s, jaxpr_t j); /* of all binders of a jaxpr */
struct slice diff_outputs_text(struct diff_side *s, jaxpr_t j); /* of its results */

/* -- shared programs (shared.c) -- */

/* adds to the outermost pair of two programs the lets that only equations of the right use and that the left does not
 * have under the same name: for the items from `first` on, or the only one printed. Linear in those equations and their
 * nested programs */
void diff_shared(struct diff *d, program_t a, program_t b, u32 pair, u32 first);

/* -- writers -- */

/* the results of an equation on the right as a JSON array of texts */
struct slice diff_json_results(struct diff *d, eqn_t e);

/* whether an item directly follows the one before it */
bool diff_goes_on(const struct diff *d, const struct diff_pair *pair, u32 item);

/* finds moved blocks and, unless `moves_only`, repetitions (fold.c). Linear in the items */
void diff_fold(struct diff *d, bool moves_only);

/* diff_break_change prints two different values, diff_break_value one value, on several lines (values.c) */
void diff_break_change(struct sink *out, struct mem *mem, struct slice from, struct slice to, bool color);
void diff_break_value(struct sink *out, struct slice text);

/* prints the numbers of changes by source line and scope, the most frequent first (summary.c). n log n in the items */
void diff_write_summary(struct sink *out, struct diff *d);

/* diff_write_what prints what changed, `operand 2`; diff_write_values both values on one line, with the shortest
 * spelling of literals */
void diff_write_what(struct sink *out, const struct diff_change *c);
void diff_write_values(struct sink *out, struct diff *d, const struct diff_change *c);

/* How writers print. */
struct diff_style {
    bool color;
    bool first; /* the first difference only */
    bool all;   /* every argument and result that only one side has */
    u32 width;  /* side by side: columns; else 0 */
};

/* prints one pair as text, with nested ones below it; side by side if the style has a width */
void diff_write_text(struct sink *out, struct diff *d, u32 pair, const struct diff_style *style);

/* Two texts beside each other, with `mark` between them; color is a terminal escape sequence (NULL: none). */
struct diff_row {
    struct slice left, right;
    u32 indent;
    char mark;
    const char *color;
};

/* prints a row, wrapped to half of the style's width on each side */
void diff_write_columns(struct sink *out, const struct diff_style *style, struct diff_row row);

/* prints the items of one pair as JSON objects, separated by commas; `program` is the number of the program */
void diff_write_json(struct sink *out, struct diff *d, u32 pair, u32 program, bool *first_hunk, bool first_only);

#endif
