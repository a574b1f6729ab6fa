/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with the text of a ref, `Ref<vmem>{f32[8]}` or, up to JAX 0.5, `MemRef<vmem>{float32[8]}`. Linear in
 * the text. */
#include "types/ref_fault.h"

#include "base/chars.h"
#include "base/near.h"
#include "base/text.h"
#include "base/value.h"

static const char *const spaces[] = {"any",  "default", "device", "error", "gmem",          "hbm",
                                     "host", "None",    "smem",   "tmem",  "semaphore_mem", "vmem"};

/* whether a name with one letter of `Ref` replaced may be that of another class: a capital and lower-case letters */
static bool
may_be_class(struct slice name)
{
    size_t lower = 0;
    for (size_t i = 1; i < name.n; i++)
        lower += name.at[i] >= 'a' && name.at[i] <= 'z';
    return name.n == 3 && name.at[0] >= 'A' && name.at[0] <= 'Z' && lower + 1 == name.n &&
           !word_swaps_letters(name, SLICE("Ref"));
}

/* whether a known memory space in angle brackets follows a name */
static bool
has_space(struct slice text, struct slice name)
{
    for (u32 i = 0; i < countof(spaces); i++) {
        size_t n = strlen(spaces[i]), end = name.n + 1 + n;
        if (text.at[name.n] == '<' && end < text.n && text.at[end] == '>' &&
            memcmp(text.at + name.n + 1, spaces[i], n) == 0)
            return true;
    }
    return false;
}

/* whether a name is nearly that of refs */
static bool
is_near_ref(struct slice text, struct slice name)
{
    static const char *const names[] = {"Ref", "MemRef"};
    bool class = may_be_class(name) && !has_space(text, name);
    for (u32 i = 0; i < countof(names); i++) {
        struct slice known = slice_of(names[i]);
        if ((word_is_misspelled(name, known) && !class) || word_is_garbled(name, known) || word_is_recased(name, known))
            return true;
    }
    return false;
}

static bool
ref_is_named(struct slice name)
{
    return slice_eq(name, SLICE("Ref")) || slice_eq(name, SLICE("MemRef"));
}

static bool
is_damaged(struct slice text, struct slice name)
{
    size_t letters = slice_starts(text, SLICE("MemRef")) ? 6 : 3;
    if (letters == name.n && slice_contains(text, SLICE("></"))) /* `Ref<default></default>{f32[8]}` */
        return true;
    if (slice_contains(text, SLICE("Ref>{")) || slice_contains(text, SLICE(">>{"))) /* `vmem<Ref>{f32[8]}` */
        return true;
    if (ref_is_named(name) && text.at[name.n] == '<') { /* `Ref<tpu.vmem>{f32[8]}`, `Ref<vmem>d{f32[8]}` */
        size_t close = word_until(text, name.n + 1);
        return close + 1 >= text.n || text.at[close] != '>' || text.at[close + 1] != '{' ||
               is_digit(text.at[name.n + 1]);
    }
    if (slice_starts(text, SLICE("Ref")) || letters == 6)
        return letters < name.n && ((u8)text.at[letters] >= 0x80 || text.at[name.n] == '{'); /* `Refvmem{f32[8]}` */
    return strchr("<{", text.at[name.n]) && is_near_ref(text, name);
}

const char *
ref_fault(struct slice text, struct slice name)
{
    if (!is_damaged(text, name))
        return NULL;
    if (slice_contains(text, SLICE("MemRef")) || word_is_misspelled(name, SLICE("MemRef")) ||
        word_is_recased(name, SLICE("MemRef")))
        return "refs are printed like MemRef<None>{float32[8]}";
    return text.at[name.n] == '{' && !slice_starts(text, SLICE("Ref")) ? "refs are printed like Ref{f32[8]}"
                                                                       : "refs are printed like Ref<vmem>{f32[8]}";
}

struct slice
space_meant(struct slice space)
{
    enum { LONG = 7 }; /* no other space is near the names of this length */
    struct slice found = words_have("N null NULL NaN nil", space) ? SLICE("None") : SLICE("");
    bool foreign = !slice_is_ascii(space);
    for (u32 i = 0; i < countof(spaces); i++) {
        struct slice known = slice_of(spaces[i]);
        if (slice_eq(space, known))
            return SLICE("");
        bool alike = space.n == known.n && !word_swaps_letters(space, known) && /* in all but one letter, as a new */
                     slice_ends(known, SLICE("mem"));                           /* space may be, `smem` and `vmem` */
        bool other =
            word_is_recased(space, known) || ((alike || foreign) && word_is_garbled(space, known)); /* `N0ne` */
        if (other || ((!alike || known.n >= LONG) && word_is_misspelled(space, known)))
            found = known;
    }
    return found;
}

bool
ref_is_cut(struct slice text)
{
    return text.n > 1 && slice_starts(SLICE("MemRef"), text);
}

bool
ref_is_bare(struct slice text)
{
    size_t word = word_until(text, 0);
    struct slice name = {text.at, word};
    return ref_is_named(name) && (word == text.n || (text.at[word] == '<' && text.at[text.n - 1] == '>'));
}
