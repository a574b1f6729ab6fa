/* SPDX-License-Identifier: Apache-2.0
 *
 * Each function turns a text into another one, and is linear in it. */
#include "rewrite/values.h"

#include "base/sink.h"
#include "base/value.h"

bool
tuple_split(struct mem *m, struct slice text, struct slices *elements)
{
    elements->n = 0;
    return text.n > 0 && text.at[0] != '{' && items_split(m, text, elements);
}

bool
items_split(struct mem *m, struct slice text, struct slices *elements)
{
    elements->n = 0;
    if (text.n < 2 || bracket_step(text.at[0]) != 1)
        return false;
    struct cursor c = {text.at + 1, text.at + text.n};
    for (struct slice one; value_element(&c, &one);)
        *vec_push(m, elements) = one;
    return c.p + 1 == c.end && bracket_step(*c.p) == -1;
}

struct slice
tuple_join(struct mem *m, const struct slice *elements, u32 n)
{
    return list_join(m, '(', elements, n);
}

struct slice
list_join(struct mem *m, char open, const struct slice *elements, u32 n)
{
    struct sink out;
    sink_init_memory(&out, m);
    sink_char(&out, open);
    sink_list(&out, elements, n);
    if (n == 1 && open == '(')
        sink_char(&out, ',');
    sink_char(&out, open == '(' ? ')' : open + 2);
    return sink_take(&out);
}

struct slice
tuple_filter(struct mem *m, struct slice text, const u8 *keep, u32 n)
{
    struct slices elements = {0};
    bool read = tuple_split(m, text, &elements) && elements.n == n;
    u32 kept = 0;
    for (u32 i = 0; read && i < n; i++)
        if (keep[i])
            elements.at[kept++] = elements.at[i];
    if (read)
        text = tuple_join(m, elements.at, kept);
    vec_free(m, &elements);
    return text;
}

i64
text_int(struct slice text)
{
    i64 v = 0;
    if (text.n == 0 || text.n > 18)
        return -1;
    for (size_t i = 0; i < text.n; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return -1;
        v = v * 10 + (text.at[i] - '0');
    }
    return v;
}

/* ---- trees of scan ---- */

static bool
starts(const char *p, const char *end, struct slice word)
{
    return (size_t)(end - p) >= word.n && memcmp(p, word.at, word.n) == 0;
}

/* the end of the node at p: a tuple, a call such as `RightsOnly(..)`, or a word */
static const char *
node_end(const char *p, const char *end)
{
    while (p < end && *p != ',' && bracket_step(*p) == 0)
        p++;
    if (p == end || bracket_step(*p) <= 0)
        return p;
    struct slice rest = {p, (size_t)(end - p)};
    size_t close = bracket_end(rest, 0);
    return p + close + (close < rest.n);
}

/* How a leaf is wrapped: it counts if each RightsOnly around it contains a Right. */
struct leaf {
    u32 filters; /* RightsOnly( around */
    u32 rights;  /* Right( around */
    bool left;   /* Left( around */
};

/* the next `None` in p .. end that is a leaf; NULL if there is none. The text of a PyTreeDef contains no leaf. *leaf is
 * the wrapping at p, and becomes that of the result */
static const char *
next_leaf(const char *p, const char *end, struct leaf *leaf)
{
    struct slice tree = SLICE("tree=");
    while (p < end) {
        if (starts(p, end, tree)) {
            p = value_find(p, end, ")"); /* the end of Pytree(..) */
        } else if (starts(p, end, SLICE("RightsOnly("))) {
            leaf->filters++;
            p += strlen("RightsOnly(");
        } else if (starts(p, end, SLICE("Right("))) {
            leaf->rights++;
            p += strlen("Right(");
        } else if (starts(p, end, SLICE("Left("))) {
            leaf->left = true;
            p += strlen("Left(");
        } else if (starts(p, end, SLICE("None"))) {
            return p;
        } else {
            p++;
        }
    }
    return NULL;
}

/* passes what closes the wrapping after a leaf: as many `)` as Right( and Left( preceded it */
static const char *
leave_leaf(const char *p, const char *end, struct leaf *leaf)
{
    u32 depth = leaf->rights + leaf->left;
    for (; p < end && *p == ')' && depth > 0; p++)
        depth--;
    leaf->rights = 0;
    leaf->left = false;
    return p;
}

static bool
contributes(const struct leaf *leaf)
{
    return !leaf->left && leaf->rights == leaf->filters;
}

/* writes one node that is not a tuple, with its wrapping, as filter_with_mask does */
static bool
filter_node(struct sink *out, const char *p, const char *end, const u8 **keep, const u8 *keep_end)
{
    struct leaf leaf = {0};
    sink_write(out, "RightsOnly(", strlen("RightsOnly("));
    for (;;) {
        const char *value = next_leaf(p, end, &leaf);
        if (value == NULL)
            break;
        sink_write(out, p, (size_t)(value - p));
        p = value + strlen("None");
        if (!contributes(&leaf)) {
            sink_write(out, "None", 4);
        } else {
            if (*keep == keep_end)
                return false;
            sink_printf(out, "%s(None)", *(*keep)++ ? "Right" : "Left");
        }
        const char *after = leave_leaf(p, end, &leaf);
        sink_write(out, p, (size_t)(after - p));
        p = after;
    }
    sink_write(out, p, (size_t)(end - p));
    sink_char(out, ')');
    return true;
}

struct slice
flat_filter(struct mem *m, struct slice text, const u8 *keep, u32 n)
{
    struct sink out;
    const u8 *next = keep;
    bool fine = true;
    sink_init_memory(&out, m);
    for (const char *p = text.at, *end = text.at + text.n; p < end && fine;) {
        if (*p == '(' || *p == ')' || *p == ',' || *p == ' ') { /* tuples keep their shape */
            sink_char(&out, *p++);
            continue;
        }
        const char *past = node_end(p, end);
        fine = filter_node(&out, p, past, &next, keep + n);
        p = past > p ? past : p + 1;
    }
    if (fine && next == keep + n)
        text = sink_take(&out);
    mem_free(m, out.at);
    return text;
}

bool
flat_filtered(struct slice text)
{
    const char *p = text.at, *end = text.at + text.n;
    while (p < end)
        if (*p == '(' || *p == ')' || *p == ',' || *p == ' ')
            p++;
        else if (starts(p, end, SLICE("RightsOnly(")))
            p = node_end(p, end);
        else
            return false;
    return true;
}

/* a part of a tree with n more leaves before its own; a part that is a single leaf becomes a tuple */
static struct slice
part_grow(struct mem *m, struct slice part, struct slice leaf, u32 n)
{
    struct slices all = {0}, own = {0};
    bool listed = tuple_split(m, part, &own);
    for (u32 i = 0; i < n; i++)
        *vec_push(m, &all) = leaf;
    for (u32 i = 0; i < (listed ? own.n : 1); i++)
        *vec_push(m, &all) = listed ? own.at[i] : part;
    struct slice grown = list_join(m, listed ? part.at[0] : '(', all.at, all.n);
    vec_free(m, &all);
    vec_free(m, &own);
    return grown;
}

struct slice
flat_grow(struct mem *m, struct slice text, u32 n)
{
    const struct slice filter = SLICE("RightsOnly("), def = SLICE("PyTreeDef(");
    struct slice inner = text, part, values = {text.at, 0};
    const char *leaf = "None";
    for (; slice_starts(inner, filter); leaf = arena_printf(m, "Right(%s)", leaf).at)
        inner = (struct slice){inner.at + filter.n, inner.n - filter.n - 1};
    struct slice tree = inner;
    bool pytree = slice_starts(inner, SLICE("Pytree("));
    if (pytree && (!value_field(inner, "tree", &tree) || !value_field(inner, "vals", &values)))
        return text;
    if (slice_starts(tree, def))
        tree = (struct slice){tree.at + def.n, tree.n - def.n - 1};
    struct cursor c = cursor_of(tree);
    if (!value_open(&c) || !value_element(&c, &part) || values.at > part.at)
        return text;
    struct sink out;
    sink_init_memory(&out, m);
    sink_write(&out, text.at, (size_t)(values.at - text.at));
    if (pytree)
        sink_slice(&out, part_grow(m, values, slice_of(leaf), n));
    const char *after = values.at + values.n;
    sink_write(&out, after, (size_t)(part.at - after));
    sink_slice(&out, part_grow(m, part, pytree ? SLICE("*") : slice_of(leaf), n));
    after = part.at + part.n;
    sink_write(&out, after, (size_t)(text.at + text.n - after));
    text = arena_copy(m, (struct slice){out.at, out.n});
    mem_free(m, out.at);
    return text;
}
