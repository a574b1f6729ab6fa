/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts in which equations name refs: the index of a ref, and what an equation with a form of its own was printed
 * as. The operands are the truth; the text is made from them again after a pass. Linear in the text. */
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

/* the next word that names a variable: no slice, literal, keyword or transform; false at the end of the chain, where p
 * then is */
bool index_next(struct index_words *w, struct slice *word);

/* makes the text of an equation with a form of its own name its operands as they are called now */
void statement_respell(struct module *m, eqn_t e);

#endif
