/* SPDX-License-Identifier: Apache-2.0
 *
 * In place of notebook.c in a library without yajl: no notebook is read. */
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
