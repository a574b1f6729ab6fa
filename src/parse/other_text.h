/* SPDX-License-Identifier: Apache-2.0
 *
 * What a text is that is not a program. */
#ifndef JX_OTHER_TEXT_H
#define JX_OTHER_TEXT_H

#include "base/base.h"

struct other_text {
    const char *name, *advice;
};

/* what a text begins as, and what to give instead; NULLs where it is not known. Linear in its first 16 KiB */
struct other_text other_text_of(struct slice text);

#endif
