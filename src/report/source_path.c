/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the comments that JAX prints: `# [transpose(jvp(Model))/Dense_0]`, and `# flax/linen/linear.py:287:8
 * (Dense.__call__)`. */
#include "report/source_path.h"

#include "base/chars.h"

static void
add_part(struct source_path *place, enum source_kind kind, struct slice text)
{
    if (text.n == 0 || place->n == PATH_PARTS)
        return;
    place->kind[place->n] = (u8)kind;
    place->part[place->n++] = text;
}

/* adds the scopes between `[` and `]`, which are separated by slashes outside parentheses */
static void
add_scopes(struct source_path *place, struct slice text)
{
    u32 depth = 0, begun = 1;
    for (u32 i = 1; i < text.n && place->n < PATH_PARTS - 2; i++) {
        char c = text.at[i];
        if (i + 1 == text.n || (c == '/' && depth == 0)) {
            add_part(place, PATH_SCOPE, (struct slice){text.at + begun, i - begun});
            begun = i + 1;
        }
        depth += c == '(';
        depth -= c == ')' && depth > 0;
    }
}

/* adds the parts of `FILE:LINE:COLUMN (FUNCTION)`: the function with its file, and the line without the column */
static void
add_source(struct source_path *place, struct slice text)
{
    const char *open = text.n ? memmem(text.at, text.n, " (", 2) : NULL;
    if (open == NULL)
        return;
    struct slice function = {open + 2, (size_t)(text.at + text.n - open) - 3};
    u32 file = 0, end = (u32)(open - text.at), colons = 0;
    for (u32 i = 0; i < end; i++) {
        file = text.at[i] == '/' ? i + 1 : file;
        if (text.at[i] == ':' && i + 1 < end && is_digit(text.at[i + 1]) && ++colons == 2)
            end = i;
    }
    add_part(place, PATH_FUNCTION, function);
    add_part(place, PATH_LINE, (struct slice){text.at + file, end > file ? end - file : 0});
}

void
source_path_read(const struct module *m, eqn_t e, struct source_path *place)
{
    place->n = 0;
    for (u32 i = comment_of(m, e); i > 0; i = m->comments.at[i - 1].next) {
        struct slice text = module_bytes(m, m->comments.at[i - 1].text);
        while (text.n > 0 && (text.at[text.n - 1] == ' ' || text.at[text.n - 1] == '\r'))
            text.n--;
        if (text.n > 2 && text.at[0] == '[' && text.at[text.n - 1] == ']' && place->n == 0)
            add_scopes(place, text);
    }
    add_source(place, equation_source(m, e));
}

struct slice
called_name(const struct module *m, eqn_t e, struct name_buffer *buffer)
{
    struct slice name;
    if (eqn_value(m, e, SLICE("name"), &name) && name.n > 0 && !slice_eq(name, SLICE("None")))
        return name;
    return module_name(m, m->eqns.at[e].prim, buffer);
}
