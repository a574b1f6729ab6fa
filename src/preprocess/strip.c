/* SPDX-License-Identifier: Apache-2.0
 *
 * Drops a byte order mark, carriage returns at line ends and colour codes, in place. One pass, made only where one of
 * them is in the text. */
#include "preprocess/preprocess.h"

#include <string.h>

/* the length of the colour code at p (`ESC [ 1 ; 34 m`), or of one that lost its ESC, or 0 */
static size_t
color_length(const char *p, const char *end, bool lost)
{
    const char *q = p;
    if (*q == '\x1b')
        q++;
    else if (!lost)
        return 0;
    if (q >= end || *q != '[')
        return 0;
    for (q++; q < end && ((*q >= '0' && *q <= '9') || *q == ';'); q++)
        ;
    return q < end && *q == 'm' && (*p == '\x1b' || q > p + 1) ? (size_t)(q + 1 - p) : 0;
}

void
strip_colors(struct text *t)
{
    char *text = t->at;
    u32 n = t->n;
    bool bom = n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    /* lost ESCs show at the first `lambda` already; the rest of a large text is not searched for them */
    bool lost = memmem(text, n < 4096 ? n : 4096, "[1mlambda", 9) != NULL && !memchr(text, '\x1b', n);
    if (!bom && !lost && !memchr(text, '\r', n) && !memchr(text, '\x1b', n))
        return;
    const char *p = text + (bom ? 3 : 0), *end = text + n;
    char *to = text;
    while (p < end) {
        size_t color = color_length(p, end, lost);
        if (color) {
            p += color;
            t->colored = true;
        } else if (*p == '\r' && (p + 1 == end || p[1] == '\n'))
            p++;
        else
            *to++ = *p++;
    }
    memset(to, 0, (size_t)(end - to));
    t->n = (u32)(to - text);
}
