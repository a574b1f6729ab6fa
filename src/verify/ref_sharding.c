/* SPDX-License-Identifier: Apache-2.0
 *
 * What an access to a sharded ref covers: slices along axes that are not sharded, so that the part is sharded as the
 * ref is. Programs without shardings cost nothing. */
#include "verify/ref_sharding.h"

#include "verify/checker.h"
#include "verify/sharding_rules.h"

/* an indexer of operand 0 */
static struct where
at_index(const struct rule *r, struct slice part)
{
    return at_text((u32)(part.at - r->m->text.at), (u32)part.n);
}

/* whether a slice is all of an axis: `:`, or `0:8` of size 8 */
static bool
is_whole(struct slice text, const struct dim *axis)
{
    const char *colon = memchr(text.at, ':', text.n);
    struct cursor low = cursor_of((struct slice){text.at, (size_t)(colon - text.at)});
    struct cursor high = cursor_of((struct slice){colon + 1, (size_t)(text.at + text.n - colon - 1)});
    i64 bound;
    if (!value_done(&low) && !(value_int(&low, &bound) && bound == 0 && value_done(&low)))
        return false;
    return value_done(&high) || (value_int(&high, &bound) && value_done(&high) && dim_is(*axis, bound));
}

/* one group of indexers, `[:,2:4]` */
static bool
group_allowed(struct rule *r, struct slice group, const struct aval *ref)
{
    struct slice inner = value_trim((struct slice){group.at + 1, group.n - 2}), element;
    struct cursor c = cursor_of(inner);
    if (inner.n == 0 || slice_eq(inner, SLICE("...")))
        return true;
    for (u32 d = 0; d < ref->rank && value_element(&c, &element); d++) {
        struct slice over = axis_sharding(ref, d);
        if (!memchr(element.at, ':', element.n))
            return bind_error(r, AS_NEWER_JAX, DIAG_T029, at_index(r, element),
                              format_text(r, "a sharded ref can be indexed only by slices: `%s` is %s",
                                          format_operand(r, 0), format_aval(r, ref))) ||
                   rule_note_operand(r, 0);
        if (over.n && !is_whole(element, &ref->dims[d]))
            return bind_error(r, AS_NEWER_JAX, DIAG_T029, at_index(r, element),
                              format_text(r,
                                          "a sharded ref can be sliced only along axes that are not sharded: axis %u "
                                          "of `%s` is %s",
                                          d, format_operand(r, 0), format_sharding(r, over))) ||
                   rule_note_operand(r, 0);
    }
    return true;
}

bool
ref_index_allowed(struct rule *r, struct slice index, const struct aval *ref)
{
    if (!r->c->placed || !ref->ranked || is_unsharded(ref))
        return true;
    while (index.n) {
        const char *close = memchr(index.at, *index.at == '{' ? '}' : ']', index.n);
        if (!close || (*index.at != '[' && *index.at != '{'))
            return true;
        struct slice group = {index.at, (size_t)(close + 1 - index.at)};
        if (*index.at == '{')
            return bind_error(r, AS_NEWER_JAX, DIAG_T029, at_index(r, group),
                              format_text(r, "a sharded ref cannot be transformed: `%s` is %s", format_operand(r, 0),
                                          format_aval(r, ref))) ||
                   rule_note_operand(r, 0);
        if (!group_allowed(r, group, ref))
            return false;
        index = value_trim((struct slice){close + 1, index.n - group.n});
    }
    return true;
}

void
ref_shard_part(struct rule *r, const struct aval *ref, struct aval *part)
{
    if (!r->c->placed || !ref->ranked || is_unsharded(ref) || !part->ranked || part->rank != ref->rank)
        return;
    struct dim *dims = rule_alloc(r, (part->rank + 1u) * sizeof *dims);
    for (u32 d = 0; d < part->rank; d++) {
        dims[d] = part->dims[d];
        dims[d].sharding = axis_sharding(ref, d);
    }
    part->dims = dims;
}

bool
ref_value_sharded(struct rule *r, const struct aval *part)
{
    const struct aval *value = &r->in[1];
    if (!r->c->placed || placings_equal(part, value))
        return true;
    u32 d = 0;
    while (value_alike(axis_sharding(part, d), axis_sharding(value, d)))
        d++;
    bool fine = bind_error(
        r, AS_NEWER_JAX, DIAG_T008, at_operand(1),
        format_text(r, "`%s` requires a value with the sharding of the ref: axis %u of `%s` is %s, that of `%s` is %s",
                    format_prim(r), d, format_operand(r, 0), format_sharding(r, axis_sharding(part, d)),
                    format_operand(r, 1), format_sharding(r, axis_sharding(value, d))));
    rule_note_operand(r, 0);
    rule_note_operand(r, 1);
    return fine;
}
