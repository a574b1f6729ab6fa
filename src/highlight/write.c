/* SPDX-License-Identifier: Apache-2.0
 *
 * A text in the colours of a terminal, line by line. Linear in the text. */
#include "base/visible.h"
#include "highlight/highlight.h"

static void
write_line(struct sink *out, const char *from, const char *to)
{
    struct highlight h = {from, from, to};
    struct slice word;
    enum word_class class;
    while (highlight_next(&h, &word, &class)) {
        const char *style = class_style(class);
        if (*style == 0) {
            write_visible(out, word);
            continue;
        }
        sink_printf(out, "\033[%sm", style);
        write_visible(out, word);
        sink_slice(out, SLICE("\033[m"));
    }
}

void
write_highlighted(struct sink *out, struct slice text)
{
    for (const char *p = text.at, *end = text.at + text.n; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        write_line(out, p, stop ? stop : end);
        if (stop)
            sink_char(out, '\n');
        p = stop ? stop + 1 : end;
    }
}
