/* SPDX-License-Identifier: Apache-2.0
 *
 * The trees by which scan says, since 0.11, how its operands and results are laid out: `((None,), (None, None), ())`
 * (jax/_src/flattree.py, FlatTree.__repr__). Only their leaves are counted: `None` stands for a value, `Left(..)` and
 * `Static(..)` for none, and a `Pytree(vals=[..], tree=PyTreeDef(..))` holds as many as its values, `*` in its tree.
 * One pass over the bytes; depth is counted by the value readers, not descended. */
#include "check/trees.h"

#include "check/value.h"

/* passes what is balanced up to the comma or bracket behind it */
static void
skip_element(struct cursor *c)
{
    struct slice element;
    value_element(c, &element);
}

/* passes what stands in brackets, behind the one that opens them */
static void
skip_inside(struct cursor *c)
{
    struct slice element;
    while (value_element(c, &element) || value_comma(c))
        ;
    value_close(c);
}

/* passes a quoted run */
static void
skip_quote(struct cursor *c)
{
    char quote = *c->p++;
    while (c->p < c->end && *c->p != quote)
        c->p += *c->p == '\\' && c->p + 1 < c->end ? 2 : 1;
    if (c->p < c->end)
        c->p++;
}

/* how many values a tree holds; false where the text is no such tree */
static bool
count_leaves(struct slice text, u32 *out)
{
    struct cursor c = cursor_of(text);
    *out = 0;
    while (c.p < c.end) {
        char ch = *c.p;
        if (ch == '\'' || ch == '"')
            skip_quote(&c);
        else if (memchr("()[]{},: \n", ch, 10))
            c.p++;
        else if (value_word(&c, "None"))
            ++*out;
        else if (value_word(&c, "Left(") || value_word(&c, "Static("))
            skip_inside(&c); /* a value may follow without a comma */
        else if (value_word(&c, "tree="))
            skip_element(&c);
        else if (!value_word(&c, "RightsOnly(") && !value_word(&c, "Right(") && !value_word(&c, "Pytree(") &&
                 !value_word(&c, "vals="))
            return false;
    }
    return true;
}

/* how many `*` a PyTreeDef holds */
static u32
count_stars(struct slice text)
{
    struct cursor c = cursor_of(text);
    u32 stars = 0;
    while (c.p < c.end) {
        if (*c.p == '\'' || *c.p == '"')
            skip_quote(&c);
        else
            stars += *c.p++ == '*';
    }
    return stars;
}

bool
flat_tree_counts(struct slice text, u32 *counts, u32 n)
{
    struct slice tree, element;
    u32 elements;
    bool stars = slice_starts(text, SLICE("Pytree("));
    if (stars) {
        if (!value_field(text, "tree", &tree) || !slice_starts(tree, SLICE("PyTreeDef(")) || tree.n < 11)
            return false;
        text = (struct slice){tree.at + 10, tree.n - 11};
    }
    struct cursor c = cursor_of(text);
    if (!value_count(text, &elements) || elements != n || !value_open(&c))
        return false;
    for (u32 i = 0; i < n; i++) {
        if (!value_element(&c, &element))
            return false;
        if (stars)
            counts[i] = count_stars(element);
        else if (!count_leaves(element, &counts[i]))
            return false;
        value_comma(&c);
    }
    return true;
}
