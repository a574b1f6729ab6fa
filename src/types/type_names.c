/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of types that are known by their text alone: those of Catalyst and PennyLane, and element types without a
 * row in dtypes.def. */
#include "types/type_names.h"
#include "base/chars.h"
#include "base/lexical.h"
#include "base/near.h"

/* frontend/catalyst/jax_primitives.py (0.8.1), pennylane/capture */
static const char *const names[] = {"AbstractFuture",   "AbstractMeasurement", "AbstractObs",
                                    "AbstractOperator", "AbstractQbit",        "AbstractQreg"};

/* extended dtypes: jax/_src/core.py, dtypes.py, prng.py and pallas (core.py, mosaic/core.py, mosaic_gpu/core.py), 0.12
 */
static const char *const elements[] = {"PrimalTangentDType{",
                                       "barrier",
                                       "barrier_sem",
                                       "barrier_semaphore",
                                       "bint{",
                                       "cluster_barrier",
                                       "dma_sem",
                                       "key<",
                                       "sem",
                                       "semaphore"};

/* whether a word is another with a letter doubled, `AbstracctQbit` */
static bool
doubles_letter(struct slice a, struct slice b)
{
    size_t i = 0;
    while (i < b.n && i < a.n && a.at[i] == b.at[i])
        i++;
    return a.n == b.n + 1 && i && a.at[i] == a.at[i - 1] && memcmp(a.at + i + 1, b.at + i, b.n - i) == 0;
}

/* whether two words of one length differ only in their beginning, the `Abstract` of a type of Catalyst */
static bool
ends_alike(struct slice a, struct slice b)
{
    size_t n = strlen("Abstract");
    return a.n == b.n && a.n > n && memcmp(a.at + n, b.at + n, a.n - n) == 0;
}

struct slice
type_name_meant(struct slice text)
{
    struct slice name = {text.at, 0};
    while (name.n < text.n && !memchr("({[ ", name.at[name.n], 4))
        name.n++;
    for (u32 i = 0; name.n > 3 && i < countof(names); i++) { /* most types are `key<..>` and the like */
        struct slice known = slice_of(names[i]);
        bool same = slice_eq(name, known);
        if (same && name.n < text.n)
            return SLICE("");
        bool damaged = name.n < known.n || word_until(name, 0) < name.n || doubles_letter(name, known) ||
                       (name.n == known.n && (word_swaps_letters(name, known) || ends_alike(name, known)));
        bool near = word_is_misspelled(name, known) || word_lost_part(name, known, true) ||
                    word_lost_part(known, name, true); /* `AbstractQreg/x()` */
        if (same || word_is_recased(name, known) || word_is_garbled(name, known) || (damaged && near))
            return known;
    }
    return SLICE("");
}

bool
element_is_misspelled(struct slice name)
{
    bool near = false;
    for (u32 i = 0; i < countof(elements); i++) {
        struct slice known = slice_of(elements[i]);
        known.n -= strchr("{<", known.at[known.n - 1]) != NULL;
        if (slice_eq(name, known))
            return false;
        /* users may name a type `sea` */
        near |= known.n > 6 && (word_is_misspelled(name, known) || word_is_garbled(name, known));
    }
    return near;
}

bool
type_is_known(const struct names *table, const struct type *t)
{
    struct slice name = {t->text.at, word_until(t->text, 0)};
    if (t->kind == TYPE_OPAQUE) {
        for (u32 i = 0; i < countof(names); i++)
            if (slice_eq(name, slice_of(names[i])))
                return true;
        return false;
    }
    if (t->kind != TYPE_ARRAY || t->dtype == NONE || t->dtype < DT_EXTENDED)
        return true;
    struct slice element = dtype_text(table, t->dtype);
    for (u32 i = 0; i < countof(elements); i++) {
        struct slice known = slice_of(elements[i]);
        bool open = !is_word_char(known.at[known.n - 1]); /* fields follow */
        if (open ? slice_starts(element, known) : slice_eq(element, known))
            return true;
    }
    return false;
}
