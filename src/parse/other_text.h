/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognizes texts that are not Jaxpr. */
#ifndef JX_OTHER_TEXT_H
#define JX_OTHER_TEXT_H

#include "base/base.h"

struct other_text {
    const char *name, *advice;
};

/* the kind of a text, by its beginning, and advice on what to use instead; NULLs if it is unknown. Linear in its first
 * 16 KiB */
struct other_text other_text_of(struct slice text);

#endif
