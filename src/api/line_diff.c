/* SPDX-License-Identifier: Apache-2.0
 *
 * The line diff of jaxpr_tools.h: differences of any two texts, line by line. */
#include "api/api.h"

#include "diff/lines.h"

/* What is compared, and the answer. */
struct line_diff {
    struct slice header, from, to;
    struct sink out;
    bool *differ;
};

static void
work_lines(void *arg)
{
    struct line_diff *w = arg;
    *w->differ = lines_diff(w->out.mem, &w->out, w->header, w->from, w->to);
}

enum jx_status
jx_write_line_diff(const char *header, struct jx_string from, struct jx_string to, bool *differ, jx_write_fn write,
                   void *user)
{
    if (header == NULL || differ == NULL)
        return JX_MISUSE;
    struct line_diff w = {.header = slice_of(header), .from = {from.at, from.n}, .to = {to.at, to.n}, .differ = differ};
    *differ = false;
    return api_write_alone(&w.out, write, user, work_lines, &w);
}
