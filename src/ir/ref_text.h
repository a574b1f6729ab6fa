/* SPDX-License-Identifier: Apache-2.0
 *
 * Text that contains names of variables: the index of a ref, and the text of an equation with a form of its own. The
 * operands are authoritative: after a pass, the text is regenerated from them. Linear in the text. */
#ifndef JX_REF_TEXT_H
#define JX_REF_TEXT_H

#include "ir/module.h"

/* A position inside a chain of indexers, `[b,:]{bitcast(int32)}`. */
struct index_words {
    const char *p, *end;
    u32 depth, braces, round;
};

static inline struct index_words
index_words(const char *p, const char *end)
{
    return (struct index_words){p, end, 0, 0, 0};
}

/* the next word that is the name of a variable, not a slice, literal, keyword or transform; false, with p at the end of
 * the chain, if there is none */
bool index_next(struct index_words *w, struct slice *word);

/* the `]` that closes the group of indices at p, in which a literal array is printed as `[...]`; NULL if there is none
 */
const char *index_close(const char *p, const char *end);

/* updates the names of operands in the text of an equation with special syntax */
void statement_respell(struct module *m, eqn_t e);

#endif
