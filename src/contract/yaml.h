/* SPDX-License-Identifier: Apache-2.0
 *
 * A YAML document as a tree of nodes with places. libyaml parses the text; the tree contains what a configuration
 * needs: words, lists and maps. */
#ifndef JX_YAML_H
#define JX_YAML_H

#include "diag/diag.h"

#ifndef JX_WITHOUT_LIBYAML
#include <yaml.h>
#endif

enum tree_kind { TREE_WORD, TREE_LIST, TREE_MAP };

/* A node. An alias is the node of its anchor, which is not copied; no node contains itself. */
struct tree_node {
    u8 kind;           /* enum tree_kind */
    bool quoted;       /* WORD: in quotes, or a block */
    u32 at, n;         /* its bytes in the text, including quotes and brackets; n may be 0 */
    struct slice word; /* WORD: the value; that of `~` and `null` is empty */
    u32 first, count;  /* LIST, MAP: its children in tree.children: in a map, keys and values in turn; count is the
                          number of children */
};

struct tree {
    VEC(struct tree_node) nodes;
    VEC(u32) children;
    u32 root; /* NONE: the document is empty */
};

/* A libyaml parser. It allocates memory that no pool owns, so it must be closed even after memory ran out. */
struct tree_source {
#ifndef JX_WITHOUT_LIBYAML
    yaml_parser_t parser;
    yaml_event_t event;
#endif
    bool open, held; /* parser and event need deleting */
};

/* false if the library was built without libyaml (no_yaml.c) and can read no document */
bool tree_supported(void);

/* reads the one document of a text into *t, all in pool m; false if something was reported (K820, K821 for a key
 * that occurs twice). Linear; nothing recurses, and deep nesting is an error */
bool tree_read(struct tree *t, struct mem *m, const struct text *text, struct tree_source *source, struct diags *ds);

/* frees libyaml's memory */
void tree_source_close(struct tree_source *source);

/* the i-th child of a list, or the i-th key or value of a map */
static inline u32
tree_item(const struct tree *t, u32 node, u32 i)
{
    return t->children.at[t->nodes.at[node].first + i];
}

static inline u32
tree_key(const struct tree *t, u32 node, u32 i)
{
    return tree_item(t, node, 2 * i);
}

static inline u32
tree_value(const struct tree *t, u32 node, u32 i)
{
    return tree_item(t, node, 2 * i + 1);
}

#endif
