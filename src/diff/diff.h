/* SPDX-License-Identifier: Apache-2.0
 *
 * The difference of two programs, in three steps: each side's equations get hashes from canonical bytes (hash.c),
 * equations of two jaxprs are paired by dataflow and, where that is silent, by their order (match.c), and what is
 * left differing becomes items in the left side's names (pair.c), which the writers print. */
#ifndef JX_COMPARE_H
#define JX_COMPARE_H

#include "canon/canon.h"
#include "print/printer.h"
#include "print/renaming.h"

/* What is known by a hash, as what runs of bytes hash to once they are understood. */
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

/* A place on either side. */
struct diff_place {
    u32 a, b;
};

/* Equations without partners between two pairs that keep their order: places in each side's eqns. */
struct diff_unmatched_range {
    VEC(u32) a, b;
};

/* An operand that was a name. */
struct diff_shown {
    u32 at; /* among the module's atoms */
    atom_t name;
};

/* One side: hashes of everything, and whom it is paired with. Arrays are indexed by the module's ids. */
struct diff_side {
    struct module *m;
    struct canon c;
    u64 seed;           /* of all hashes, the same on both sides; it is secret, so no text can be made for a hash */
    struct canon exact; /* of digests; without a module until somebody asks for one */
    bool symmetric;     /* some nested program may have the hash of another */
    bool by_digest;     /* nested programs that have a digest are hashed by it: their hashes were too coarse */
    u64 *kind;          /* of an equation: primitive, parameters, nested programs included, and how many results */
    u64 *whole;         /* of an equation: kind, operands, and whatever those were made of */
    u64 *value;         /* of a variable: where it comes from */
    u64 *program;       /* of a jaxpr: equal where the jaxprs are the same */
    u32 *producer;      /* of a variable: its equation, NONE for arguments */
    u32 *rank;          /* of an equation: its place in its jaxpr */
    u32 *match;         /* of an equation: its partner, NONE while it has none */
    u32 *twin;          /* of a variable: its partner */
    u64 *key;           /* of an equation without a partner: what it is in a small neighbourhood */
    u32 *users;         /* of a variable: the first of its uses (find_users), NONE when it has none */
    VEC(struct diff_use) uses;
    VEC(eqn_t) eqns; /* of the jaxpr at work, in order */
    VEC(u32) left;   /* places of those that had no partner when somebody looked (keep_left) */
    struct memo prims;
    struct memo around; /* of a name that some jaxpr mentions and does not bind: the variable outside, plus one */
    VEC(struct diff_shown) shown; /* see diff_show_captured */
    u64 *types;                   /* of a type: its hash, 0 before it has one */
    u32 n_types;
    bool dynamic;             /* some type has a size that is not a number */
    bool reads_unnamed;       /* the jaxpr at work uses variables called `_` */
    struct binders scopes[2]; /* to look such sizes up in, where there are any */
    struct diff_cache values; /* of parameter lists */
    u8 *flags;                /* of an equation: its effects */
    u8 *dead;                 /* of an equation: ignored, since its results are unused */
    u8 *hashed;               /* of a program: whether its hashes are there, and symmetric (hash.c) */
    jaxpr_t main;             /* of the program at work */
    struct printer printer;
    bool printing;
    struct sink out;
};

/* What an item says of a place. */
enum diff_kind {
    DIFF_INPUTS,  /* the binders differ */
    DIFF_OUTPUTS, /* the results differ */
    DIFF_CHANGED, /* one equation, partly other */
    DIFF_INSIDE,  /* an equation that differs inside its nested programs only */
    DIFF_ADDED,
    DIFF_REMOVED,
    DIFF_MOVED,   /* the same equation elsewhere */
    DIFF_RETYPED, /* the same equation, whose types follow from another change */
    DIFF_SAME,    /* context */
};

enum diff_what { WHAT_PRIMITIVE, WHAT_PARAMETER, WHAT_OPERAND, WHAT_TYPE, WHAT_BINDER, WHAT_OUTPUT, WHAT_PROGRAM };

/* One thing that changed; an empty side was not there. */
struct diff_change {
    enum diff_what what;
    u32 index;        /* of the operand, result, binder or output; of the program among those of the parameter */
    struct slice key; /* of a parameter */
    struct slice from, to;
    u32 literals[2]; /* operands that are literals, plus one; 0: not one */
};

/* Whether a writer prints an item: not where it is part of a moved block, or like what was printed before. */
enum diff_fold { FOLD_NONE, FOLD_BLOCK, FOLD_LIKE };

/* true where a change is one program that only one side has, not the order of all of a parameter */
static inline bool
diff_reports_program(const struct diff_change *c)
{
    return c->what == WHAT_PROGRAM && (c->from.n == 0 || c->to.n == 0);
}

/* Two equations that may be partners. */
struct diff_candidate {
    u32 score, distance;
    eqn_t a, b;
};

/* A nested program of both sides that differs. */
struct diff_inner {
    struct slice key;
    u32 index; /* among the parameter's programs */
    u32 pair;
};

struct diff_item {
    enum diff_kind kind;
    eqn_t a, b;
    u32 at_a, at_b; /* places among the equations; NONE where there is none */
    u32 line_a, line_b;
    bool elsewhere; /* changed or differing inside, and moved as well */
    u32 changes, n_changes;
    u32 n_echoes; /* after them: what is printed otherwise because types are, such as a literal's own */
    u32 inners, n_inners;
    bool retyped; /* its results are other, but for another reason than itself */
    bool named;   /* a result called `_` on one side has a name on the other */
    bool quiet;   /* need not be shown: types that follow, or context of such */
    enum diff_fold fold;
    u32 block;             /* moved equations that move together with this one, and itself; 0: it moves alone */
    u32 more;              /* copies of what ends with this item that are folded */
    struct slice from, to; /* whole text; empty for those of DIFF_INSIDE and for changed ones that differ inside, too */
    struct slice results;  /* those of the right as JSON, where they may be other; names change from pair to pair */
    struct slice head;     /* on one line, parameters left out; the left one where there is one */
};

/* An equation of one side, or two that are partners; odd is NONE where nothing differs. */
struct diff_step {
    eqn_t a, b;
    u32 odd;
};

/* Which operands of two equations correspond to each other, where one has more than the other: a run of d->lined. */
struct diff_lined {
    u32 first, n;
    u32 n_a, n_b; /* operands; 0 where there are as many */
};

/* Two jaxprs that differ. */
struct diff_pair {
    jaxpr_t a, b;
    u32 items, n_items;
    u32 retyped;      /* equations that are quiet, and no context */
    u32 lets, n_lets; /* of outermost ones: what new equations share */
    struct diff_lined lined;
    bool main;
    bool shown;   /* written already */
    bool quiet;   /* nothing in it but types that follow */
    bool follows; /* operands of the equation that holds them differ in type */
};

struct diff_counts {
    u64 changed, added, removed, moved, interface;
};

struct diff {
    struct mem *mem;
    struct diff_side a, b;
    bool following;   /* the equation at work has operands of other types */
    bool interface;   /* binders and results only */
    bool first;       /* nothing but the first difference will be shown */
    u32 context;      /* equations to show around a difference */
    VEC(eqn_t) fresh; /* left halves of pairs whose neighbours have not been looked at */
    VEC(struct diff_candidate) candidates;
    VEC(struct diff_pair) pairs;
    VEC(struct diff_item) items;
    VEC(struct diff_step) steps; /* of the pair at work: equations of both sides in one order */
    VEC(struct diff_item) odd;   /* those of the steps that are not simply the same */
    VEC(struct diff_change) changes;
    VEC(struct diff_inner) inners;
    VEC(struct diff_place) lined;
    struct diff_lined operands; /* of the equation at work, which programs it holds follow */
    VEC(struct slice) lets;     /* shared programs that only new equations name, as text */
    struct memo sizes;          /* names in shapes of the left, as the right's table has them */
    bool sizes_known;
    struct memo known; /* a pair of jaxprs by its hash: its number plus one */
    struct diff_counts counts;
};

/* makes ready for two modules, resolved both; mem pays for what is neither's; what is left aside as for canon_init */
void diff_init(struct diff *d, struct mem *mem, struct module *a, struct module *b, unsigned aside,
               struct slice without);
void diff_end(struct diff *d);

/* whether two programs have one digest, as they are: what eq calls equal, where it need not change them first. Each
 * program is digested once */
bool diff_same(struct diff *d, program_t a, program_t b);

/* compares two programs: the number of the pair of their jaxprs, or NONE where they are the same (diff_same); with
 * `differ` they are known not to be. Near-linear */
u32 diff_programs(struct diff *d, program_t a, program_t b, bool differ);

/* -- streams (pair_programs.c) -- */

/* What the programs of a stream are known by: equal content is one number, never 0 and never that of another; a name
 * is one number, and 0 none. */
struct diff_stream {
    u64 *content, *name;
    u32 n;
};

/* Two programs to compare: places in their streams, NONE for one that only one side has. */
struct diff_partner {
    u32 a, b;
    bool equal; /* nothing to compare: their contents are the same */
    bool moved; /* out of line with the others */
};

struct diff_partners {
    struct diff_partner *at;
    u32 n, cap;
};

/* matches programs: by name, then by content, then by their neighbours; adds to out in the order of the
 * left stream. n log n */
void diff_streams(struct mem *mem, const struct diff_stream *a, const struct diff_stream *b, struct diff_partners *out);

/* -- sides -- */

/* makes ready for a resolved module; what is left aside as for canon_init, seed that of both sides. Linear in it */
void diff_side_init(struct diff_side *s, struct module *m, unsigned aside, struct slice without, u64 seed);

/* gives the memory back */
void diff_side_end(struct diff_side *s);

/* hashes a program and all it holds. Linear, but that sets inside values are sorted */
void diff_side_program(struct diff_side *s, program_t program);

/* the digest of a program as it is */
struct digest diff_side_digest(struct diff_side *s, program_t program);

/* the variable of an outer jaxpr that a name refers to, NONE where the atom is not a name or is unbound */
var_t diff_captured(const struct diff_side *s, atom_t a);

/* hashes one jaxpr whose nested ones have hashes; `inputs` are the values of its binders (NULL: their positions) */
void diff_side_jaxpr(struct diff_side *s, jaxpr_t j, const u64 *inputs);

/* makes the printer ready for a program's equations */
void diff_side_print(struct diff_side *s, program_t program);

/* the hash of a type's canonical form */
u64 diff_type(struct diff_side *s, type_t t);

/* the hash of an operand that is not a variable: a literal, a ref with its index, an unbound name; e and i as for
 * canon_atom */
u64 diff_other_atom(struct diff_side *s, atom_t a, eqn_t e, u32 i);

/* -- matching -- */

/* pairs the equations and variables of two jaxprs, their binders as the operands of the equations that hold them: fills
 * match and twin of both sides, and their eqns */
void diff_match(struct diff *d, jaxpr_t a, jaxpr_t b, const struct diff_lined *operands);

/* pairs equal keys of two sequences, in order: `take` is called with indices into both, ascending. Linear space; work
 * is bounded by length times a constant, at the price of missing pairs where hardly anything is alike */
void diff_anchor(struct mem *mem, const u64 *a, u32 n_a, const u64 *b, u32 n_b, void (*consume)(void *, u32, u32),
                 void *arg);

/* marks the longest run of numbers that ascend: keep[i] becomes 1 for them, 0 for the others. n log n */
void diff_ascending(struct mem *mem, const u32 *at, u32 n, u8 *keep);

/* what is known by a hash, which is not 0: its place, new ones hold 0; until the next call. The caller frees t->at */
u64 *diff_cache_find(struct mem *mem, struct diff_cache *t, u64 raw);

/* pairs the results of two equations where one has more: by what makes them, what uses them, their names and types, and
 * in the end by their order, which pairs keep. Linear in them and their uses */
void diff_pair_results(struct diff *d, eqn_t a, eqn_t b);

/* pairs the binders of two jaxprs by position where there are as many, else as the operands they are given to, or by
 * name and type; true for positions, otherwise their equations are hashed again with these pairs for arguments */
bool diff_pair_inputs(struct diff *d, jaxpr_t a, jaxpr_t b, const struct diff_lined *operands);

/* makes two equations partners, and their results */
void diff_match_eqns(struct diff *d, eqn_t a, eqn_t b);

/* of each equation of the left, in order: 1 where it has a partner in the same order as the others.
 * The caller gives it back; n log n */
u8 *diff_in_line(struct diff *d);

/* calls work for each gap that has equations on both sides. n log n */
void diff_match_unmatched(struct diff *d, void (*work)(struct diff *, const struct diff_unmatched_range *));

/* pairs equations that are left by how much they have in common; false where no pair was found. n log n in those */
bool diff_similar(struct diff *d);

/* what an equation calls, `relu`; empty where it names nothing */
struct slice diff_call_name(const struct diff_side *s, eqn_t e);

/* the equation that makes an operand, NONE for arguments, literals and what is not bound */
eqn_t diff_producer(const struct diff_side *s, atom_t a);

/* leaves in the list of equations without a partner those that still have none */
void diff_keep_left(struct diff_side *s);

/* who uses a value, where the user or the producer has no partner: others are never needed */
void diff_find_users(struct diff_side *s);

/* pairs equations around new pairs, and those that make the results of two jaxprs: with `strict` only what computes the
 * same, and upstream alone */
void diff_propagate(struct diff *d, jaxpr_t a, jaxpr_t b, bool strict);

/* looks again at all pairs that have a neighbour without a partner. After diff_find_users */
void diff_look_again(struct diff *d);

/* -- what differs -- */

/* true where two types are the same, names of dims aside */
bool diff_same_type(struct diff *d, type_t a, type_t b);

/* reports which operands or outputs differ; the equations are NONE for outputs */
void diff_atoms(struct diff *d, enum diff_what what, u32 first_a, u32 n_a, eqn_t ea, u32 first_b, u32 n_b, eqn_t eb);

/* reports how a pair of equations differs: adds to changes and inners; true where its types differ because those of
 * its operands do and nothing else does, or where its text does */
bool diff_changes(struct diff *d, eqn_t a, eqn_t b, struct diff_item *item);

/* adds one thing that changed to those of the item at work */
void diff_add_change(struct diff *d, enum diff_what what, u32 index, struct slice key, struct slice from,
                     struct slice to);

/* reports how the parameters of a pair of equations, of another primitive where one was replaced, differ: adds to
 * changes and inners. Linear in them */
void diff_params(struct diff *d, eqn_t a, eqn_t b, bool replaced);

/* reports parameters that are printed otherwise without being a difference of their own, such as those that follow from
 * types, or all where the changes from `first` on call one otherwise than it is printed. Linear in the parameters and
 * in those changes */
void diff_echo_params(struct diff *d, eqn_t a, eqn_t b, u32 first);

/* whether equations of two primitives have other parameters as well, and no program to compare inside: such are two
 * equations, not one that changed. Linear in the parameters */
bool diff_is_replaced(struct diff *d, eqn_t a, eqn_t b);

/* the number of the pair of two jaxprs, made where there is none yet */
u32 diff_add_pair(struct diff *d, jaxpr_t a, jaxpr_t b);

/* gives the variables of the right the names of their partners on the left, and others names that are free there */
void diff_rename(struct diff *d, jaxpr_t a, jaxpr_t b);

/* resolves names in the current equations that refer to outer variables to these variables, whatever they are called by
 * now, and takes it back: for texts alone, since nothing else looks for variables of another jaxpr */
void diff_show_captured(struct diff_side *s);
void diff_hide_captured(struct diff_side *s);

/* the text of an equation: laid out as JAX would from column 0, or its head on one line, `b:f32[] = scan[..] a` */
struct slice diff_text(struct diff_side *s, eqn_t e);
struct slice diff_head(struct diff_side *s, eqn_t e);

/* the text of a shared program, `let f = { lambda .. }` */
struct slice diff_let_text(struct diff_side *s, u32 let);

/* the text of an operand, a type, a binder, the results of a jaxpr */
struct slice diff_atom_text(struct diff_side *s, atom_t a);
struct slice diff_type_text(struct diff_side *s, type_t t);
struct slice diff_binder_text(struct diff_side *s, var_t v);
struct slice diff_binders_text(struct diff_side *s, jaxpr_t j);
struct slice diff_outputs_text(struct diff_side *s, jaxpr_t j);

/* -- shared programs (shared.c) -- */

/* gives the outermost pair of two programs the lets of the right that equations only the right has name, but for those
 * that the left has under the same name: of the items from `first` on, or of the only one that is shown. Linear in
 * those equations and what they hold */
void diff_shared(struct diff *d, program_t a, program_t b, u32 pair, u32 first);

/* -- writers -- */

/* the results of an equation of the right as a JSON array of texts */
struct slice diff_json_results(struct diff *d, eqn_t e);

/* whether an item of equations follows the one before it without a gap */
bool diff_goes_on(const struct diff *d, const struct diff_pair *pair, u32 item);

/* finds moved blocks and, unless `moves_only`, what is like something before it (fold.c). Linear in the items */
void diff_fold(struct diff *d, bool moves_only);

/* prints two values that differ, or one, on several lines (values.c) */
void diff_break_change(struct sink *out, struct mem *mem, struct slice from, struct slice to, bool color);
void diff_break_value(struct sink *out, struct slice text);

/* prints what changed by source line and scope, the most frequent first (summary.c). n log n in the items */
void diff_write_summary(struct sink *out, struct diff *d);

/* prints what a change is of, `operand 2`, and on one line from what to what, a literal with its shortest spelling */
void diff_write_what(struct sink *out, const struct diff_change *c);
void diff_write_values(struct sink *out, struct diff *d, const struct diff_change *c);

/* How to print. */
struct diff_style {
    bool color;
    bool first; /* the first difference only */
    bool all;   /* every argument and result that only one side has */
    u32 width;  /* side by side: columns; else 0 */
};

/* prints one pair as text, nested ones below it; side by side where the style has a width */
void diff_write_text(struct sink *out, struct diff *d, u32 pair, const struct diff_style *style);

/* prints two texts beside each other, `mark` between them, in the colour of a terminal's sequence (NULL: none) */
void diff_write_columns(struct sink *out, const struct diff_style *style, u32 indent, char mark, const char *color,
                        struct slice left, struct slice right);

/* prints the items of one pair as JSON objects, with commas between; `program` is what to number them by */
void diff_write_json(struct sink *out, struct diff *d, u32 pair, u32 program, bool *first_hunk, bool first_only);

#endif
