/* SPDX-License-Identifier: Apache-2.0
 *
 * Clauses about types: each type of a program is checked once, however many values have it. Element types are
 * checked for all values; shapes and sizes only for values that the program computes, since the caller chooses the
 * arguments. Sizes that are not numbers count as 1, so that every finding is certain. */
#include "contract/contract.h"

#include "base/value.h"

#include "contract/bounds.h"

static void
note_places(const struct contract_check *b, const struct type_place *first, u32 places)
{
    for (u32 i = 1; i < places && i < SHOWN; i++) {
        struct span span = type_place_span(b->in->m, &first[i]);
        diag_note(b->in->ds, span.at, span.n, "another such value is here");
    }
    if (places > SHOWN)
        diag_note(b->in->ds, NONE, 0, "and in %u more place%s", places - SHOWN, places > SHOWN + 1 ? "s" : "");
}

static const char *
type_words(const struct contract_check *b, const struct used_type *t)
{
    return diag_quote(b->in->ds, type_get(&b->in->m->types, t->type)->text);
}

static bool
dtype_matches(struct slice pattern, const struct types *types, const struct type *array)
{
    return glob_match(pattern, dtype_text(types->names, array->dtype), false) ||
           glob_match(pattern, dtype_long(types->names, array->dtype), false);
}

/* checks one of the two clauses that forbid types by patterns */
static void
check_patterns(const struct contract_check *b, const struct used_type *t, enum config_key key, enum diag_code code)
{
    bool shapes = code == DIAG_K806;
    u32 forbid = contract_value(b, key), places = shapes ? t->made : t->places;
    const struct type_place *first = shapes ? t->first_made : t->first;
    const struct types *types = &b->in->m->types;
    const struct type *array = types_array(types, t->type);
    for (u32 i = 0; array && places > 0 && contract_reports(b, code) && i < config_count(b->c, forbid); i++) {
        u32 word = config_word(b->c, forbid, i);
        struct slice pattern = config_node(b->c, word)->word;
        if (!(shapes ? shape_matches : dtype_matches)(pattern, types, array))
            continue;
        struct span span = type_place_span(b->in->m, first);
        diag_add(b->in->ds, code, span.at, span.n,
                 shapes                     ? "%s matches the forbidden pattern `%s`"
                 : glob_is_pattern(pattern) ? "the element type of %s matches the forbidden pattern `%s`"
                                            : "%s has the forbidden element type `%s`",
                 type_words(b, t), diag_quote(b->in->ds, pattern));
        note_places(b, first, places);
        contract_note(b, code, word, "it is forbidden here");
        return;
    }
}

static void
check_limit(const struct contract_check *b, const struct used_type *t, enum config_key key, enum diag_code code)
{
    u32 value = contract_value(b, key);
    u64 most;
    bool known;
    if (value == NONE || t->made == 0 || !contract_reports(b, code) ||
        !value_size(config_node(b->c, value)->word, &most))
        return;
    bool bytes = key == KEY_contract_max_bytes;
    u64 n = (bytes ? type_bytes : type_elements)(&b->in->m->types, t->type, &known);
    if (n <= most)
        return;
    struct span span = type_place_span(b->in->m, &t->first_made[0]);
    diag_add(b->in->ds, code, span.at, span.n, "%s %s %s%llu %s; the contract allows at most %llu", type_words(b, t),
             bytes ? "takes" : "has", known ? "" : "at least ", (unsigned long long)n, bytes ? "bytes" : "elements",
             (unsigned long long)most);
    note_places(b, t->first_made, t->made);
    contract_note(b, code, value, "the limit is set here");
    if (!known)
        diag_note(b->in->ds, NONE, 0, "a size that is not a number counts as 1");
}

void
contract_types(const struct contract_check *b)
{
    for (u32 i = 0; i < b->inventory->types.n; i++) {
        const struct used_type *t = &b->inventory->types.at[i];
        check_patterns(b, t, KEY_shapes_forbid, DIAG_K806);
        check_patterns(b, t, KEY_dtypes_forbid, DIAG_K807);
        check_limit(b, t, KEY_contract_max_elements, DIAG_K808);
        check_limit(b, t, KEY_contract_max_bytes, DIAG_K809);
    }
}
