/* SPDX-License-Identifier: Apache-2.0
 *
 * Interning and parsing of types. A type is parsed once, left to right, when its text is new; another use is one
 * hash and one comparison. */
#include "ir/type.h"

#include "base/chars.h"
#include "base/near.h"
#include "base/value.h"

static const struct {
    struct slice short_text, long_text;
    u8 class;
    u16 bits;
} dtypes[DT_COUNT] = {
#define DTYPE(short_name, long_name, class_name, bits) \
    {SLICE(#short_name), SLICE(#long_name), CLASS_##class_name, bits},
#include "dtypes.def"
#undef DTYPE
};

dtype_t
dtype_find(struct slice text)
{
    for (dtype_t d = 0; d < DT_COUNT; d++)
        if (slice_eq(text, dtypes[d].short_text) || slice_eq(text, dtypes[d].long_text))
            return d;
    return NONE;
}

struct slice
dtype_of_short(struct slice text)
{
    dtype_t d = dtype_find(text);
    return d != NONE && !slice_eq(text, dtypes[d].long_text) ? dtypes[d].long_text : SLICE("");
}

struct slice
dtype_meant(struct slice text)
{
    for (dtype_t d = 0; d < DT_COUNT; d++)
        if (!slice_eq(text, dtypes[d].short_text) &&
            (word_is_capital(text, dtypes[d].short_text) || word_is_capital(text, dtypes[d].long_text)))
            return dtypes[d].short_text;
    for (dtype_t d = 0; d < DT_COUNT && text.n > 2; d++)
        for (u32 i = 0; i < 2; i++) {
            struct slice known = i ? dtypes[d].long_text : dtypes[d].short_text;
            bool misspelled = text.at[text.n - 1] == known.at[known.n - 1] && word_is_misspelled(text, known);
            bool cut = i && text.n > 3 && text.n < known.n && slice_starts(known, SLICE("float")) &&
                       memcmp(known.at + known.n - text.n, text.at, text.n) == 0;
            bool garbled = (i || (u8)text.at[0] >= 0x80 || (u8)text.at[1] >= 0x80) && word_is_garbled(text, known);
            bool twice = word_is_doubled(text, known) || word_is_overstruck(text, known);
            if (misspelled || cut || garbled || twice)
                return dtypes[d].short_text;
        }
    return SLICE("");
}

bool
dtype_class_named(struct slice letters)
{
    for (dtype_t d = 0; d < DT_COUNT; d++)
        for (u32 i = 0; i < 2; i++) {
            struct slice known = i ? dtypes[d].long_text : dtypes[d].short_text;
            if (known.at[0] == letters.at[0] && known.n > letters.n && slice_starts(known, letters) &&
                is_digit(known.at[letters.n]))
                return true;
        }
    return false;
}

/* like dtype_find, but an unknown name is an extended dtype, interned in names */
static dtype_t
dtype_intern(struct mem *m, struct names *names, struct slice text)
{
    dtype_t d = dtype_find(text);
    return d != NONE ? d : DT_EXTENDED + names_intern_other(m, names, text);
}

struct slice
dtype_text(const struct names *names, dtype_t dtype)
{
    struct name_buffer unused;
    return dtype < DT_COUNT ? dtypes[dtype].short_text : name_text(names, dtype - DT_EXTENDED, &unused);
}

struct slice
dtype_long(const struct names *names, dtype_t dtype)
{
    struct name_buffer unused;
    return dtype < DT_COUNT ? dtypes[dtype].long_text : name_text(names, dtype - DT_EXTENDED, &unused);
}

enum dtype_class
dtype_class(dtype_t dtype)
{
    return dtype < DT_COUNT ? (enum dtype_class)dtypes[dtype].class : CLASS_EXTENDED;
}

u32
dtype_bits(dtype_t dtype)
{
    return dtype < DT_COUNT ? dtypes[dtype].bits : 0;
}

bool
dtype_overflows(dtype_t dtype, struct slice text)
{
    u32 bits = dtype_bits(dtype);
    bool is_signed = dtype_class(dtype) == CLASS_SIGNED;
    if (bits == 0 || bits > 64 || text.n == 0 || !(is_signed || dtype_class(dtype) == CLASS_UNSIGNED))
        return false;
    bool minus = text.at[0] == '-', over = false;
    u64 limit = is_signed ? (1ull << (bits - 1)) - !minus : bits == 64 ? UINT64_MAX : (1ull << bits) - 1, value = 0;
    for (size_t i = minus; i < text.n; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        over |= __builtin_mul_overflow(value, 10ull, &value) ||
                __builtin_add_overflow(value, (u64)(text.at[i] - '0'), &value);
    }
    return over || value > limit || (minus && !is_signed && value);
}

struct slice
dtype_key(const struct names *names, dtype_t dtype)
{
    struct slice text = dtype < DT_EXTENDED || dtype == NONE ? SLICE("") : dtype_text(names, dtype);
    if (!slice_starts(text, SLICE("key<")) || text.at[text.n - 1] != '>')
        return SLICE("");
    return (struct slice){text.at + 4, text.n - 5};
}

u32
key_words(struct slice algorithm)
{
    static const struct {
        const char *name;
        u32 words;
    } known[] = {{"fry", 2}, {"rbg", 4}, {"urbg", 4}, {"fry4", 4}};
    for (u32 i = 0; i < countof(known); i++)
        if (slice_eq(algorithm, slice_of(known[i].name)))
            return known[i].words;
    return 0;
}

void
types_init(struct types *t, struct mem *m, struct names *names)
{
    *t = (struct types){.mem = m, .names = names, .slot_mask = 63};
    t->slots = mem_zeroed(m, 64 * sizeof *t->slots);
}

/* reads `PREFIX(val=3)` or `PREFIX(3)` */
static bool
read_reference(struct slice text, struct slice prefix, i64 *value)
{
    if (!slice_starts(text, prefix) || text.n < prefix.n + 3 || text.at[prefix.n] != '(' || text.at[text.n - 1] != ')')
        return false;
    const char *p = text.at + prefix.n + 1, *end = text.at + text.n - 1;
    if (end - p > 4 && memcmp(p, "val=", 4) == 0)
        p += 4;
    i64 sign = 1, v = 0;
    if (p < end && *p == '-') {
        sign = -1;
        p++;
    }
    if (p == end || end - p > 9)
        return false;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        v = v * 10 + (*p - '0');
    }
    *value = sign * v;
    return true;
}

static void
read_dim(struct types *t, struct dim *d, struct slice text)
{
    while (text.n && text.at[0] == ' ')
        text.at++, text.n--;
    *d = (struct dim){.kind = DIM_EXPR, .name = NONE, .text = text};
    size_t i = (size_t)(value_find(text.at, text.at + text.n, "@") - text.at);
    if (i < text.n) {
        d->sharding = (struct slice){text.at + i + 1, text.n - i - 1};
        d->text.n = text.n = i;
    }
    i = 0;
    if (text.n && is_digit(text.at[0])) {
        bool over = false;
        for (; i < text.n && is_digit(text.at[i]); i++)
            over |= __builtin_mul_overflow(d->value, 10, &d->value) ||
                    __builtin_add_overflow(d->value, text.at[i] - '0', &d->value);
        if (i == text.n && !over && !is_padded(text.at, text.at + i))
            d->kind = DIM_INT;
        else if (i < text.n && text.at[i] == '{')
            d->kind = DIM_BOUNDED;
        return;
    }
    i = word_until(text, i);
    if (i == text.n && text.n) {
        d->kind = DIM_NAME;
        d->name = names_intern(t->mem, t->names, text);
    } else if (read_reference(text, SLICE("DBIdx"), &d->value)) {
        d->kind = DIM_DBIDX;
    } else if (read_reference(text, SLICE("InDBIdx"), &d->value)) {
        d->kind = DIM_INDBIDX;
    } else if (read_reference(text, SLICE("OutDBIdx"), &d->value)) {
        d->kind = DIM_OUTDBIDX;
    }
}

/* splits `8@x,n` (and `;i:4` after it) into dims */
static void
read_shape(struct types *t, struct type *type, struct slice text)
{
    type->dims = t->dims.n;
    const char *end = text.at + text.n;
    for (const char *p = text.at, *stop; p < end; p = stop + 1) {
        stop = value_find(p, end, ",;");
        if (stop > p) {
            struct dim d;
            read_dim(t, &d, (struct slice){p, (size_t)(stop - p)});
            type->dynamic |= d.kind != DIM_INT;
            *vec_push(t->mem, &t->dims) = d;
        }
        if (stop < end && *stop == ';') {
            type->vary = (struct slice){stop, (size_t)(end - stop)};
            break;
        }
    }
    type->rank = t->dims.n - type->dims;
}

size_t
type_shape_offset(struct slice text)
{
    size_t depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        if (c == '[' && depth == 0)
            return i;
        depth += c == '(' || c == '{' || c == '<';
        depth -= (c == ')' || c == '}' || c == '>') && depth;
        if (c == '(' || (c == ' ' && depth == 0))
            return text.n;
    }
    return text.n;
}

struct slice
type_reduces(const struct type *t, char letter)
{
    const char *p = t->vary.at, *end = p + t->vary.n;
    if (t->vary.n < 3 || *p != '{')
        return SLICE("");
    while (++p < end && !(*p == letter && (p[-1] == '{' || p[-1] == ' ') && (p[1] == ':' || p[1] == '_')))
        ;
    const char *stop = p < end ? memchr(p, ':', (size_t)(end - p)) : NULL;
    if (!stop)
        return SLICE("");
    if (stop + 1 < end && stop[1] == '(')
        stop = memchr(stop, ')', (size_t)(end - stop));
    while (stop && stop < end && *stop != ',' && *stop != '}')
        stop++;
    return stop ? (struct slice){p, (size_t)(stop - p)} : SLICE("");
}

struct slice
type_axes(const struct type *t, char letter)
{
    struct slice s = type_reduces(t, letter);
    const char *at = s.n ? memchr(s.at, ':', s.n) : NULL, *end = s.at + s.n;
    if (!at)
        return SLICE("");
    bool several = at + 1 < end && at[1] == '(';
    at += 1 + several;
    return (struct slice){at, (size_t)(end - at) - several};
}

static void
read_array(struct types *t, struct type *type)
{
    struct slice text = type->text;
    size_t open = type_shape_offset(text), close = open < text.n ? bracket_end(text, open) : text.n;
    if (open == 0 || close >= text.n)
        return;
    struct slice dtype = {text.at, open};
    if (dtype.at[open - 1] == '>') {
        size_t angle = open - 1; /* finds the last `<`: a key type has another one, `key<fry><host>[2]` */
        while (angle && dtype.at[angle] != '<')
            angle--;
        if (angle && (dtype.at[angle - 1] == '>' || dtype_find((struct slice){dtype.at, angle}) != NONE)) {
            type->space = (struct slice){dtype.at + angle + 1, open - angle - 2};
            dtype.n = angle;
        }
    }
    type->kind = TYPE_ARRAY;
    type->dtype = dtype_intern(t->mem, t->names, dtype);
    read_shape(t, type, (struct slice){text.at + open + 1, close - open - 1});
    if (close + 1 < text.n)
        type->vary = (struct slice){text.at + close + 1, text.n - close - 1};
    t->varying |= slice_starts(type->vary, SLICE("{V:"));
    t->reducing |= type_reduces(type, 'U').n || type_reduces(type, 'R').n;
}

/* the inner type of a ref, with a short dtype */
static type_t
intern_inner(struct types *t, struct slice text)
{
    size_t open = type_shape_offset(text);
    dtype_t d = dtype_find((struct slice){text.at, open});
    if (d != NONE && !slice_eq(dtype_text(t->names, d), (struct slice){text.at, open}))
        text = arena_printf(t->mem, "%s%.*s", dtypes[d].short_text.at, (int)(text.n - open), text.at + open);
    return types_intern(t, text);
}

/* `Ref{f32[8]}`, `Ref<vmem>{f32[8]}`, `MemRef<None>{float32[8]}` */
static bool
read_ref(struct types *t, struct type *type)
{
    struct slice text = type->text;
    size_t at = slice_starts(text, SLICE("MemRef")) ? 6 : slice_starts(text, SLICE("Ref")) ? 3 : 0;
    if (at == 0 || text.n < at + 2 || text.at[text.n - 1] != '}')
        return false;
    if (text.at[at] == '<') {
        size_t close = at;
        while (close < text.n && text.at[close] != '>')
            close++;
        type->space = (struct slice){text.at + at + 1, close - at - 1};
        at = close + 1;
    }
    if (at >= text.n || text.at[at] != '{')
        return false;
    type->kind = TYPE_REF;
    type->inner = intern_inner(t, (struct slice){text.at + at + 1, text.n - at - 2});
    type->dynamic = type_get(t, type->inner)->dynamic;
    return true;
}

/* how many nested `Ref{` a type may have before it is opaque: bounds read_ref's recursion */
enum { REF_DEPTH = 8 };

static u32
ref_depth(struct slice text)
{
    u32 depth = 0;
    for (size_t i = 0; i + 3 < text.n && depth <= REF_DEPTH; i++)
        depth += memcmp(text.at + i, "Ref", 3) == 0;
    return depth;
}

static type_t
type_read(struct types *t, struct slice text)
{
    struct type type = {.text = text, .kind = TYPE_OPAQUE, .dtype = NONE, .inner = NONE};
    if (slice_eq(text, SLICE("*")))
        type.kind = TYPE_UNIT;
    else if (slice_eq(text, SLICE("Tok")))
        type.kind = TYPE_TOKEN;
    else if (ref_depth(text) > REF_DEPTH || !read_ref(t, &type))
        read_array(t, &type);
    t->dynamic |= type.dynamic;
    t->wide |= type.kind == TYPE_ARRAY && (type.dtype == DT_i64 || type.dtype == DT_f64);
    *vec_push(t->mem, &t->list) = type;
    return t->list.n - 1;
}

static void
grow_slots(struct types *t)
{
    u32 count = (t->slot_mask + 1) * 4;
    mem_free(t->mem, t->slots);
    t->slots = NULL;
    t->slots = mem_zeroed(t->mem, count * sizeof *t->slots);
    t->slot_mask = count - 1;
    for (u32 i = 0; i < t->list.n; i++) {
        struct slice text = t->list.at[i].text;
        u32 at = (u32)hash_slice(t->names->seed, text) & t->slot_mask;
        while (t->slots[at])
            at = (at + 1) & t->slot_mask;
        t->slots[at] = i + 1;
    }
}

type_t
types_intern(struct types *t, struct slice text)
{
    u32 hash = (u32)hash_slice(t->names->seed, text), at = hash & t->slot_mask;
    for (; t->slots[at]; at = (at + 1) & t->slot_mask)
        if (slice_eq(t->list.at[t->slots[at] - 1].text, text))
            return t->slots[at] - 1;
    type_t id = type_read(t, text);
    for (at = hash & t->slot_mask; t->slots[at]; at = (at + 1) & t->slot_mask)
        ; /* type_read may have interned an inner type in the slot */
    t->slots[at] = id + 1;
    if (t->list.n * 2 > t->slot_mask)
        grow_slots(t);
    return id;
}

type_t
types_size_type(struct types *t)
{
    return types_intern(t, t->wide ? SLICE("i64[]") : SLICE("i32[]"));
}

static u64
multiply_saturated(u64 a, u64 b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

u64
type_elements(const struct types *t, type_t id, bool *known)
{
    const struct type *type = types_array(t, id);
    u64 elements = 1;
    *known = type != NULL;
    for (u32 i = 0; type && i < type->rank; i++) {
        const struct dim *dim = &type_dims(t, type)[i];
        if (dim->kind == DIM_INT && dim->value >= 0)
            elements = multiply_saturated(elements, (u64)dim->value);
        else
            *known = false;
    }
    return elements;
}

u64
type_bytes(const struct types *t, type_t id, bool *known)
{
    const struct type *type = types_array(t, id);
    u64 elements = type_elements(t, id, known);
    u32 bits = type ? dtype_bits(type->dtype) : 0;
    if (bits == 0)
        return 0;
    return bits < 8 ? elements / 8 * bits + (elements % 8 * bits + 7) / 8 : multiply_saturated(elements, bits / 8);
}
