/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages in the C library's words. */
#ifndef JX_FORMAT_H
#define JX_FORMAT_H

#include "base/base.h"

#include <stdarg.h>

/* vsnprintf(to, room, format, args), of which messages are made: what is written, what is returned and what formats
 * mean are the C library's. `args` is used up */
int format_args(char *to, size_t room, const char *format, va_list args);

#endif
