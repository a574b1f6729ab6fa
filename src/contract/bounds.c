/* SPDX-License-Identifier: Apache-2.0
 *
 * Readers of a few words each, over slices; nothing is allocated. Linear, except that a shape pattern compares all
 * sizes of one name with the first. */
#include "contract/bounds.h"

#include "base/value.h"
#include "contract/config.h"

enum { MOST_SIZES = 16 };

enum relation { LESS, AT_MOST, MORE, AT_LEAST, EQUAL, NO_RELATION };

static enum relation
read_relation(struct cursor *w)
{
    return value_word(w, "<=")   ? AT_MOST
           : value_word(w, "<")  ? LESS
           : value_word(w, ">=") ? AT_LEAST
           : value_word(w, ">")  ? MORE
           : value_word(w, "==") ? EQUAL
                                 : NO_RELATION;
}

/* narrows bounds; false if nothing is left within them */
static bool
bounds_narrow(struct bounds *b, enum relation relation, u64 n)
{
    if ((relation == LESS && n == 0) || (relation == MORE && n == UINT64_MAX))
        return false;
    u64 least = relation == MORE ? n + 1 : relation == AT_LEAST || relation == EQUAL ? n : 0;
    u64 most = relation == LESS ? n - 1 : relation == AT_MOST || relation == EQUAL ? n : UINT64_MAX;
    b->least = least > b->least ? least : b->least;
    b->most = most < b->most ? most : b->most;
    return b->least <= b->most;
}

const char *
bounds_read(struct slice text, struct bounds *out)
{
    static const char odd[] = "expected a whole number, or bounds such as `<= 18` or `>= 2, < 10`";
    struct cursor w = cursor_of(text);
    u64 n;
    *out = (struct bounds){0, UINT64_MAX, false};
    if (value_number(&w, &n) && value_done(&w)) {
        *out = (struct bounds){n, n, true};
        return NULL;
    }
    if (value_size_too_large(text))
        return "a number must be below 2^64";
    w.p = text.at;
    do {
        enum relation relation = read_relation(&w);
        if (relation == NO_RELATION || !value_number(&w, &n))
            return odd;
        if (!bounds_narrow(out, relation, n))
            return "no count is within these bounds";
    } while (value_word(&w, ","));
    return value_done(&w) ? NULL : odd;
}

/* ---- shapes ---- */

/* One size of a pattern. */
struct size_pattern {
    struct slice name; /* empty: none */
    struct bounds bounds;
    bool rest; /* `...` */
};

struct shape_pattern {
    struct slice dtype; /* empty: any */
    struct size_pattern sizes[MOST_SIZES];
    u32 n, rest; /* rest: the index of `...`, or NONE */
};

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* reads `...`, a number, or a name and a bound, one of which may be missing; returns what is wrong, or NULL */
static const char *
size_pattern_read(struct cursor *w, struct size_pattern *s)
{
    static const char *const no_number[] = {
        [LESS] = "expected a number after `<`",   [AT_MOST] = "expected a number after `<=`",
        [MORE] = "expected a number after `>`",   [AT_LEAST] = "expected a number after `>=`",
        [EQUAL] = "expected a number after `==`",
    };
    u64 n;
    *s = (struct size_pattern){.bounds = {0, UINT64_MAX, false}};
    s->rest = value_word(w, "...");
    if (s->rest)
        return NULL;
    if (value_number(w, &n)) {
        s->bounds = (struct bounds){n, n, true};
        return NULL;
    }
    const char *start = w->p;
    while (w->p < w->end && (is_letter(*w->p) || (w->p > start && is_digit(*w->p))))
        w->p++;
    s->name = (struct slice){start, (size_t)(w->p - start)};
    value_blanks(w);
    const char *bound = w->p;
    enum relation relation = read_relation(w);
    if (relation == NO_RELATION)
        return s->name.n ? NULL : "expected a number, a name, `_`, `...` or a bound such as `>=64`";
    if (!value_number(w, &n))
        return no_number[relation];
    if (bounds_narrow(&s->bounds, relation, n))
        return NULL;
    w->p = bound;
    return "no size is within this bound";
}

/* reads the pattern at the cursor; returns what is wrong at the new position of the cursor, or NULL */
static const char *
shape_pattern_read(struct cursor *w, struct shape_pattern *out)
{
    value_blanks(w);
    const char *bracket = memchr(w->p, '[', (size_t)(w->end - w->p));
    if (!bracket)
        return "expected a shape in brackets, such as \"[n,n]\"";
    out->dtype = (struct slice){w->p, (size_t)(bracket - w->p)};
    out->n = 0;
    out->rest = NONE;
    w->p = bracket + 1;
    if (value_word(w, "]"))
        return value_done(w) ? NULL : "unexpected text after the shape";
    do {
        value_blanks(w);
        const char *size = w->p;
        if (out->n == MOST_SIZES)
            return "a pattern has at most 16 sizes";
        const char *fault = size_pattern_read(w, &out->sizes[out->n]);
        if (fault)
            return fault;
        if (out->sizes[out->n].rest && out->rest != NONE) {
            w->p = size;
            return "`...` may occur only once";
        }
        if (out->sizes[out->n].rest)
            out->rest = out->n;
        out->n++;
    } while (value_word(w, ","));
    if (!value_word(w, "]"))
        return "expected `,` or `]`";
    return value_done(w) ? NULL : "unexpected text after the shape";
}

const char *
shape_pattern_fault(struct slice pattern, size_t *place)
{
    struct shape_pattern read;
    struct cursor w = cursor_of(pattern);
    const char *fault = shape_pattern_read(&w, &read);
    value_blanks(&w);
    *place = (size_t)(w.p - pattern.at);
    return fault;
}

static bool
same_size(const struct dim *a, const struct dim *b)
{
    return a->kind == b->kind && (a->kind == DIM_INT ? a->value == b->value : slice_eq(a->text, b->text));
}

static bool
size_matches(const struct size_pattern *s, const struct dim *dim)
{
    bool bounded = s->bounds.least > 0 || s->bounds.most < UINT64_MAX;
    if (dim->kind != DIM_INT)
        return !bounded;
    if (s->name.n && !slice_eq(s->name, SLICE("_")) && dim->value == 1)
        return false;
    return dim->value >= 0 && bounds_hold(&s->bounds, (u64)dim->value);
}

bool
shape_matches(struct slice pattern, const struct types *types, const struct type *type)
{
    struct shape_pattern p;
    const struct dim *seen[MOST_SIZES];
    struct cursor w = cursor_of(pattern);
    if (type->kind != TYPE_ARRAY || shape_pattern_read(&w, &p))
        return false;
    u32 fixed = p.n - (p.rest != NONE);
    if (p.rest != NONE ? type->rank < fixed : type->rank != fixed)
        return false;
    if (p.dtype.n && !glob_match(p.dtype, dtype_text(types->names, type->dtype), false))
        return false;
    for (u32 i = 0; i < p.n; i++) {
        const struct size_pattern *s = &p.sizes[i];
        seen[i] = NULL;
        if (s->rest)
            continue;
        u32 axis = p.rest != NONE && i > p.rest ? type->rank - (p.n - i) : i;
        const struct dim *dim = &type_dims(types, type)[axis];
        if (!size_matches(s, dim))
            return false;
        for (u32 k = 0; k < i && s->name.n && !slice_eq(s->name, SLICE("_")); k++)
            if (seen[k] && slice_eq(p.sizes[k].name, s->name) && !same_size(seen[k], dim))
                return false;
        seen[i] = dim;
    }
    return true;
}
