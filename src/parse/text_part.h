/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a text that begins or ends inside a program: the tokens that it lacks, and what only the whole program
 * decides. */
#ifndef JX_TEXT_PART_H
#define JX_TEXT_PART_H

#include "ir/module_append.h"
#include "parse/token_source.h"

/* Numbers that are names of variables bound before some place of a program: token_source.bound_inf. */
enum bound_numbers { BOUND_INF = 1, BOUND_NAN = 2 };

/* how much of a module there was at some place of a part */
struct part_length {
    bool known;
    u32 atoms, uses;
};

struct cut_part {
    enum cut begins, ends;                   /* where it was cut; it is read as that */
    bool continues;                          /* the program that was cut before it is being read */
    bool closed;                             /* it ends in this part */
    bool ended;                              /* the part ended as it was cut */
    bool guessed;                            /* what was needed may be outside of it, such as bound names */
    u32 assumed, bound;                      /* enum bound_numbers at the cut before it and at the one after it */
    u32 column;                              /* of the equations it begins with, and .. */
    u32 last_column;                         /* .. ends among */
    VEC(struct shared_word) shared;          /* of the programs that are cut: */
    u32 n_closed;                            /* the first belong to one that ends in this part */
    struct part_length binds_inf, binds_nan; /* where that first binds the name of a number, or ends */
};

/* stores how much of the module there is, unless that is known */
void part_keep_length(const struct token_source *f, struct part_length *first);

/* the first program has begun: gives the parser what was before the cut */
void part_begins(struct token_source *f);

/* it was read, up to its end or that of the part */
void part_continued(struct token_source *f);

/* the text is over: gives the parser what comes after the cut; false where it was not expected here */
bool part_ends(struct token_source *f);

/* keeps the words of a program, which has ended for the parser, for where all of it is known; false where it is */
bool part_keeps_words(struct token_source *f);

static inline bool
part_keeps_shared(struct token_source *f)
{
    return f->part && part_keeps_words(f);
}

/* the names bound in the innermost jaxpr are needed */
static inline void
part_needs_names(struct token_source *f)
{
    if (f->part && f->part->continues && f->build.open.n == 1)
        f->part->guessed = true;
}

#endif
