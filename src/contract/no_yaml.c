/* SPDX-License-Identifier: Apache-2.0
 *
 * Replaces yaml.c in a library without libyaml: no document can be read. */
#include "contract/yaml.h"

bool
tree_supported(void)
{
    return false;
}

bool
tree_read(struct tree *t, struct mem *m, const struct text *text, struct tree_source *source, struct diags *ds)
{
    (void)m, (void)text, (void)source, (void)ds;
    *t = (struct tree){.root = NONE};
    return false;
}

void
tree_source_close(struct tree_source *source)
{
    (void)source;
}
