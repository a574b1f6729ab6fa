/* SPDX-License-Identifier: Apache-2.0
 *
 * A part of a text that begins or ends inside a program: the tokens that it lacks, and what only the whole program can
 * decide. */
#ifndef JX_TEXT_PART_H
#define JX_TEXT_PART_H

#include "ir/module_append.h"
#include "parse/token_source.h"

/* Which of `inf` and `nan` are names of variables bound before some place of a program: token_source.bound_inf. */
enum bound_numbers { BOUND_INF = 1, BOUND_NAN = 2 };

/* The size of a module when some place of a part was read. */
struct part_length {
    bool known;
    u32 atoms, uses;
};

struct cut_part {
    enum cut begins, ends;                   /* how it is cut at both ends, which determines how it is read */
    bool continues;                          /* the program that is cut before it is still being read */
    bool closed;                             /* that program ends in this part */
    bool ended;                              /* the part ends where a cut of the kind `ends` is possible */
    bool guessed;                            /* reading it needed something that may be outside it, such as bound
                                              * names */
    u32 assumed, bound;                      /* enum bound_numbers at the cut before it, and at the one after it */
    u32 column;                              /* the column of the equations at its beginning .. */
    u32 last_column;                         /* .. and at its end */
    VEC(struct shared_word) shared;          /* words of programs that are cut .. */
    u32 n_closed;                            /* .. of which this many, the first, belong to one that ends in this
                                              * part */
    struct part_length binds_inf, binds_nan; /* where the program cut before it first binds `inf`, or `nan`, or ends */
};

/* stores the current size of the module, unless one is stored already */
void part_keep_length(const struct token_source *f, struct part_length *first);

/* when the first program begins: gives the parser the tokens that the cut before it removed */
void part_begins(struct token_source *f);

/* after that program was read, up to its end or that of the part */
void part_continued(struct token_source *f);

/* at the end of the text: gives the parser the tokens that the cut after it removed; false if such a cut was not
 * expected here */
bool part_ends(struct token_source *f);

/* keeps the shared words of a program that has ended for the parser until all of the program is known; false if all is
 * known */
bool part_keeps_words(struct token_source *f);

static inline bool
part_keeps_shared(struct token_source *f)
{
    return f->part && part_keeps_words(f);
}

/* notes that reading needs to know the names bound in the innermost jaxpr */
static inline void
part_needs_names(struct token_source *f)
{
    if (f->part && f->part->continues && f->build.open.n == 1)
        f->part->guessed = true;
}

#endif
