/* SPDX-License-Identifier: Apache-2.0
 *
 * The trees that describe, since 0.11, the operands and results of scan: `((None,), (None, None), ())`
 * (jax/_src/flattree.py, FlatTree.__repr__). Only values are counted: `None` is one, `Left(..)` and `Static(..)` are
 * none, and a `Pytree(vals=[..], tree=PyTreeDef(..))` has those of its entries, each of which is a `*` in its tree. One
 * pass over the bytes; depth is counted by the value readers, not descended. */
#include "prims/trees.h"

#include "base/chars.h"
#include "base/value.h"

/* skips the inside of brackets, after the opening one */
static void
skip_inside(struct cursor *c)
{
    struct slice element;
    while (value_element(c, &element) || value_comma(c))
        ;
    value_close(c);
}

/* the number of entries of the list `[None, None]` at c, or NONE if they have brackets of their own */
static u32
plain_entries(struct cursor c)
{
    const char *p = c.p + 1;
    u32 n = 1;
    while (p < c.end && !memchr("()[]{}", *p, 6))
        n += *p++ == ',';
    if (p >= c.end || *c.p != '[' || *p != ']')
        return NONE;
    return p == c.p + 1 ? 0 : n;
}

/* counts the values in a tree; returns where reading stopped: the end of the text, or text that is not part of a
 * tree */
static const char *
read_leaves(struct slice text, u32 *out)
{
    struct cursor c = cursor_of(text);
    struct slice tree;
    u32 entries = NONE; /* of the `vals=` that was read last; its `tree=` follows and has a leaf for each */
    *out = 0;
    while (c.p < c.end) {
        char ch = *c.p;
        if (ch == '\'' || ch == '"')
            c.p = quoted_end(c.p, c.end);
        else if (memchr("()[]{},: \n", ch, 10))
            c.p++;
        else if (value_word(&c, "None"))
            ++*out;
        else if (value_word(&c, "Left(") || value_word(&c, "Static("))
            skip_inside(&c); /* a value may follow without a comma */
        else if (value_word(&c, "tree=") && value_element(&c, &tree)) {
            if (entries != NONE && entries != tree_leaves(tree))
                return c.p - 1;
            entries = NONE;
        } else if (value_word(&c, "vals="))
            entries = plain_entries(c);
        else if (!value_word(&c, "RightsOnly(") && !value_word(&c, "Right(") && !value_word(&c, "Pytree("))
            break;
    }
    return c.p;
}

static bool
count_leaves(struct slice text, u32 *out)
{
    return read_leaves(text, out) == text.at + text.n;
}

/* whether a bracket at i is that of a `Left(..)`, `Right(..)` or `RightsOnly(..)`, which holds one value */
static bool
holds_one(struct slice text, size_t i)
{
    struct slice before = {text.at, i};
    if (i == 0 || (text.at[i - 1] != 't' && text.at[i - 1] != 'y'))
        return false;
    return slice_ends(before, SLICE("Left")) || slice_ends(before, SLICE("Right")) ||
           slice_ends(before, SLICE("RightsOnly"));
}

/* whether a tuple of one element lacks its comma, `(None)`, or what holds one value holds none or several, `Left()`:
 * Python never prints these. Brackets deeper than 64 are not checked */
static bool
is_miscounted(struct slice text)
{
    u64 tuples = 0, ones = 0; /* a bit for each open bracket, the innermost lowest: of a tuple without a comma so far,
                               * and of what holds one value */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        if (c == '\'' || c == '"') {
            i = (size_t)(quoted_end(text.at + i, text.at + text.n) - text.at) - 1;
        } else if (bracket_step(c) > 0) {
            bool empty = i + 1 < text.n && text.at[i + 1] == ')', one = holds_one(text, i);
            if (empty && one)
                return true;
            tuples = tuples << 1 | (c == '(' && !empty && (i == 0 || !is_word_char(text.at[i - 1])));
            ones = ones << 1 | one;
        } else if (bracket_step(c) < 0) {
            if (tuples & 1)
                return true;
            tuples >>= 1;
            ones >>= 1;
        } else if (c == ',') {
            if (ones & 1)
                return true;
            tuples &= ~1ull;
        }
    }
    return false;
}

bool
flat_tree_fits(struct slice text)
{
    u32 leaves;
    const char *open = memchr(text.at, '(', text.n);
    struct slice name = {text.at, open ? (size_t)(open - text.at) : 0};
    if (text.n == 0 || text.at[text.n - 1] != ')')
        return false;
    bool tree = slice_contains(name, SLICE("tree")) || slice_contains(name, SLICE("Tree"));
    if (name.n && !tree && !slice_eq(name, SLICE("RightsOnly")) && !slice_eq(name, SLICE("Left")) &&
        !slice_eq(name, SLICE("Right")) && !slice_eq(name, SLICE("Static")))
        return false;
    const char *stop = read_leaves(text, &leaves), *word = stop;
    while (word < text.at + text.n && is_word_char(*word))
        word++;
    bool class = word > stop && is_word_start(*stop) && !strchr(",)]}", *word); /* that of a node, not a leaf */
    return (stop == text.at + text.n || class) && !is_miscounted(text);
}

u32
tree_leaves(struct slice text)
{
    struct cursor c = cursor_of(text);
    u32 stars = 0;
    while (c.p < c.end) {
        bool data = *c.p == '[' && c.p > text.at && is_word_char(c.p[-1]); /* `NDIndexer[(PyTreeDef(*), ..)]` */
        if (*c.p == '\'' || *c.p == '"')
            c.p = quoted_end(c.p, c.end);
        else if (data)
            c.p = text.at + bracket_end(text, (size_t)(c.p - text.at));
        else
            stars += *c.p++ == '*';
    }
    return stars;
}

/* counts the values in each of n parts of `Pytree(vals=[..], tree=PyTreeDef((..)))`: one entry for each `*`; static
 * entries are not counted */
static bool
pytree_counts(struct slice text, u32 *counts, u32 n)
{
    const struct slice head = SLICE("PyTreeDef(");
    struct slice tree, values, element;
    u32 elements;
    if (!value_field(text, "tree", &tree) || !value_field(text, "vals", &values) || !slice_starts(tree, head))
        return false;
    tree = (struct slice){tree.at + head.n, tree.n - head.n - (tree.at[tree.n - 1] == ')')};
    struct cursor c = cursor_of(tree), v = cursor_of(values);
    if (!value_count(tree, &elements) || elements != n || !value_open(&c) || !value_open(&v))
        return false;
    for (u32 i = 0; i < n; i++) {
        if (!value_element(&c, &element))
            return false;
        u32 stars = tree_leaves(element), leaves;
        for (counts[i] = 0; stars > 0; stars--) {
            if (!value_element(&v, &element) || !count_leaves(element, &leaves))
                return false;
            counts[i] += leaves;
        }
    }
    return true;
}

bool
flat_tree_counts(struct slice text, u32 *counts, u32 n)
{
    const struct slice filter = SLICE("RightsOnly(");
    struct slice element;
    u32 elements;
    while (slice_starts(text, filter) && text.at[text.n - 1] == ')')
        text = (struct slice){text.at + filter.n, text.n - filter.n - 1};
    if (slice_starts(text, SLICE("Pytree(")))
        return pytree_counts(text, counts, n);
    struct cursor c = cursor_of(text);
    if (!value_count(text, &elements) || elements != n || !value_open(&c))
        return false;
    for (u32 i = 0; i < n; i++)
        if (!value_element(&c, &element) || !count_leaves(element, &counts[i]))
            return false;
    return true;
}
