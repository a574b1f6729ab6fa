/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces notebook.c in a library without yajl: no notebook can be read. */
#include "extract/window.h"

bool
notebook_supported(void)
{
    return false;
}

bool
notebook_read(struct flow *f)
{
    (void)f;
    return false;
}
