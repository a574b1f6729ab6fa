/* SPDX-License-Identifier: Apache-2.0
 *
 * Abstract values. An aval points into the module's type table. Linear in what is read. */
#include "types/aval.h"
#include "base/chars.h"
#include "base/lexical.h"
#include "base/near.h"
#include "base/value.h"

struct aval
aval_of_kind(enum aval_kind kind)
{
    return (struct aval){.kind = (u8)kind, .dtype = NONE, .type = NONE, .placed = NONE, .classes = IN_ANY};
}

struct aval
aval_unknown(void)
{
    return aval_of_kind(AVAL_UNKNOWN);
}

void
aval_set_dtype(struct aval *a, dtype_t dtype)
{
    a->dtype = dtype;
    a->classes = dtype == NONE ? IN_ANY : (u8)(1u << dtype_class(dtype));
    a->bounded = dtype != NONE && dtype >= DT_EXTENDED;
    a->type = NONE;
}

struct aval
aval_array(dtype_t dtype, u32 rank, const struct dim *dims)
{
    struct aval a = {.kind = AVAL_ARRAY, .ranked = true, .rank = rank, .dims = dims, .placed = NONE};
    aval_set_dtype(&a, dtype);
    return a;
}

struct aval
aval_scalar(dtype_t dtype)
{
    return aval_array(dtype, 0, NULL);
}

struct aval
aval_reshaped(const struct aval *a, u32 rank, const struct dim *dims)
{
    struct aval out = *a;
    if (out.kind == AVAL_UNKNOWN)
        out.kind = AVAL_ARRAY;
    out.ranked = true;
    out.rank = rank;
    out.dims = dims;
    out.type = NONE;
    return out;
}

/* whether an opaque type is an object of some class (`Log`, `QArrayTy(shape=(3, 4))`), neither an array of an extended
 * element type that prints as its whole repr, nor a typo such as `i32` */
static bool
is_class_name(struct slice text)
{
    return text.n && text.at[0] >= 'A' && text.at[0] <= 'Z' && text.at[text.n - 1] != ']';
}

/* whether a type has a long spelling (`float32[8]`, `int32[]`), used by people and the oldest printers: its second and
 * third letters decide */
static bool
spelled_long(struct slice text)
{
    if (text.n < 6)
        return false;
    char second = text.at[1], third = text.at[2];
    return (second == 'l' && third == 'o') || (second == 'n' && third == 't') || (second == 'i' && third == 'n') ||
           (second == 'o' && third == 'm') || (second == 'f' && third == 'l');
}

/* true for `f32`, and for `f3`, a truncated one */
static bool
is_dtype_word(struct slice word)
{
    size_t i = 1;
    while (i < word.n && is_digit(word.at[i]))
        i++;
    return dtype_find(word) != NONE || (i > 1 && i == word.n && strchr("fiuc", word.at[0]));
}

/* outside brackets: characters that types do not have, and those that may follow brackets */
static inline bool
separates(char c)
{
    return c == ':' || c == ';' || c == ',' || c == '=' || c == 0;
}

static inline bool
continues(char c)
{
    return c == '[' || c == '(' || c == '{' || c == '<' || c == '.' || c == '@' || c == ']';
}

/* extra commas and characters after a closing bracket: `f32[8,]`, `f32[8]7`, `f32[8]:` are not types, whatever their
 * names; quoted text is skipped. NULL if there are none */
static const char *
stray_sign(struct slice text)
{
    static const char after[] = "unexpected text after its closing bracket";
    u32 depth = 0;
    char before = 0, outer = 0; /* the previous byte outside strings; the outermost open bracket */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        size_t word = i;
        while (word < text.n && is_word_char(text.at[word]))
            word++;
        if (word > i) {
            if (depth == 0 && bracket_step(before) < 0)
                return after;
            before = text.at[word - 1];
            outer = depth ? outer : before;
            i = word - 1;
            continue;
        }
        bool empty = before == ',' || before == '[';
        if ((c == '\'' || c == '"') && is_digit(before)) /* `f32[1'024]` */
            return "its sizes must be separated by commas";
        if (c == '\'' || c == '"')
            i = (size_t)(quoted_end(text.at + i, text.at + text.n) - text.at) - 1;
        else if (c == ']' && before == ',')
            return "remove the `,` before `]`";
        else if (c == ',' && empty)
            return "a size is missing before a comma";
        else if (depth == 0 && bracket_step(before) < 0 && !continues(c))
            return after;
        else if (depth == 0 && separates(c))
            return "`,`, `:`, `;` and `=` are not allowed outside its brackets";
        bool parts = c == ' ' && outer == '[' && is_word_char(before) && i + 1 < text.n && is_word_char(text.at[i + 1]);
        if (parts) /* `f32[1 024]` */
            return "its sizes must be separated by commas";
        outer = depth ? outer : c;
        depth = bracket_depth(depth, c);
        before = c;
    }
    return NULL;
}

bool
dtype_is_slip(struct slice name)
{
    size_t letters = 0, digits = 0, i = 0;
    while (letters < name.n && !is_digit(name.at[letters]))
        letters++;
    while (letters + digits < name.n && is_digit(name.at[letters + digits]))
        digits++;
    while (i < name.n && is_word_char(name.at[i]))
        i++;
    if (i < name.n || letters == 0)
        return false;
    if (digits == 0)
        return letters > 2 && (word_is_misspelled(name, SLICE("bool")) || word_is_doubled(name, SLICE("bool")));
    u32 width = 0;
    for (i = 0; i < digits && width < 1000; i++)
        width = width * 10 + (u32)(name.at[letters + i] - '0');
    if (letters + digits == name.n && dtype_class_named((struct slice){name.at, letters}))
        return (width > 8 && width != 16 && width != 128) || (width < 8 && !strchr("iu", name.at[0]));
    return dtype_meant(name).n > 0;
}

/* whether an opaque type is an array whose brackets were damaged or lost: `f32laJ`, `bool4`, `key<fry>`, `f32<host>8`
 */
static bool
is_shapeless(struct slice text, size_t word)
{
    for (size_t n = word; word == text.n && n > 1 && is_digit(text.at[n - 1]); n--)
        if (dtype_find((struct slice){text.at, n - 1}) != NONE)
            return true;
    size_t digits = 1;
    while (digits < word && is_digit(text.at[digits]))
        digits++;
    if (word == text.n && dtype_is_slip(text))
        return true;
    bool letters = word == text.n && digits > 1 && digits < word && dtype_find((struct slice){text.at, digits}) != NONE;
    bool angle = word < text.n && text.at[word] == '<' && text.at[text.n - 1] != ']' &&
                 (dtype_find((struct slice){text.at, word}) != NONE || slice_starts(text, SLICE("key<")));
    return letters || angle;
}

/* whether a size of an array within a type is too large for any: `;x:9223372036854775808`, `BCOO{f32[..]}`. The sizes
 * of the type itself are checked as sizes */
static bool
has_large_size(const struct type *t)
{
    struct slice text = t->kind == TYPE_ARRAY ? t->vary : t->kind == TYPE_OPAQUE ? t->text : SLICE("");
    if (t->kind == TYPE_ARRAY && !integers_fit(t->vary))
        return true;
    for (size_t i = 0, word = 0; i < text.n; i++) {
        if (is_word_char(text.at[i]))
            continue;
        size_t close = text.at[i] == '[' ? bracket_end(text, i) : text.n;
        if (close < text.n && dtype_find((struct slice){text.at + word, i - word}) != NONE &&
            !integers_fit((struct slice){text.at + i, close - i}))
            return true;
        word = i + 1;
    }
    struct slice bounded = SLICE("bint{≤");
    return slice_starts(t->text, bounded) &&
           !integers_fit((struct slice){t->text.at + bounded.n, t->text.n - bounded.n});
}

const char *
type_fault(const struct type *t)
{
    static const char unshaped[] = "a shape is written in brackets, as in f64[8,16]";
    struct slice text = t->text;
    size_t word = 0;
    while (word < text.n && is_word_char(text.at[word]))
        word++;
    struct slice name = {text.at, word};
    if (slice_starts(text, SLICE("MemRef{")))
        return "the memory space comes before the type, as in MemRef<any>{float32[8]}";
    if (slice_starts(text, SLICE("Ref{dma_sem[")) || slice_starts(text, SLICE("Ref{semaphore[")))
        return "the memory space comes before the type, as in Ref<semaphore_mem>{dma_sem[]}";
    if (slice_starts(text, SLICE("key[")) ||
        (word == 3 && text.n > 4 && text.at[3] == '<' && text.at[text.n - 1] == ']' &&
         !slice_starts(text, SLICE("key")) && word_is_misspelled(name, SLICE("key"))))
        return "a key type is written with its algorithm, as in key<fry>[8]";
    if (word == 0 && text.n && strchr("[({", text.at[0]))
        return "a type begins with a name, as in f64[8,16]";
    const char *stray = stray_sign(text);
    if (stray)
        return stray;
    if (unlikely(text.n > 18) && has_large_size(t))
        return "it contains a number larger than 2^63-1";
    if (t->kind == TYPE_ARRAY && t->dtype >= DT_EXTENDED && dtype_is_slip(name))
        return "its element type is unknown, but similar to one that JAX prints";
    if (t->kind == TYPE_OPAQUE && word < text.n && text.at[text.n - 1] == '}' && strchr("<{", text.at[word]) &&
        (word_is_misspelled(name, SLICE("Ref")) || word_is_misspelled(name, SLICE("MemRef"))))
        return "a ref is printed as Ref{f32[8]}";
    if (t->kind == TYPE_OPAQUE && is_shapeless(text, word))
        return unshaped;
    if (t->kind == TYPE_OPAQUE) /* `f32(8,16)`, `f32` */
        return word && (word == text.n || text.at[word] == '(' || text.at[word] == '{') && is_dtype_word(name)
                   ? unshaped
                   : NULL;
    if (text.n < 2 || text.at[text.n - 1] != ']')
        return NULL;
    size_t digits = 0;
    while (is_digit(text.at[digits]))
        digits++;
    if (digits > 0 && text.at[digits] == '[')
        return "the element type needs a letter, as in f64";
    return digits == 0 && text.at[1] == '[' && strchr("fiuc", text.at[0]) ? "the element type needs a width, as in f64"
                                                                          : NULL;
}

bool
type_is_damaged(const struct type *t)
{
    struct slice text = t->text;
    const char *blank = memchr(text.at, ' ', text.n);
    if (t->kind != TYPE_OPAQUE || text.n < 2)
        return false;
    if (blank && blank > text.at && value_find(text.at, blank, "[({<") == blank)
        return true;
    if (text.at[text.n - 1] != ')')
        return false;
    return slice_contains(text, SLICE("=,")) || slice_contains(text, SLICE("=)")) ||
           (slice_starts(text, SLICE("Abstract")) && text.at[text.n - 2] != '(' && !value_is_object(text));
}

/* of an array with more axes only the element type is compared: any number of short equations may mention it */
enum { MOST_AXES = 1024 };

struct aval
aval_of_type(const struct module *m, type_t type)
{
    if (type == NONE)
        return aval_unknown();
    const struct type *t = type_get(&m->types, type), *array = t;
    struct aval a = {.kind = AVAL_ARRAY, .classes = IN_ANY, .dtype = NONE, .type = type, .placed = type};
    switch (t->kind) {
    case TYPE_REF:
        a.kind = AVAL_REF;
        if (t->inner == NONE)
            return a;
        array = type_get(&m->types, t->inner);
        if (array->kind != TYPE_ARRAY)
            return a;
        break;
    case TYPE_TOKEN:
        a.kind = AVAL_TOKEN;
        return a;
    case TYPE_ARRAY:
        break;
    default:
        a.kind = is_class_name(t->text) ? AVAL_OTHER : AVAL_UNKNOWN;
        return a;
    }
    if (array->dtype != NONE && array->dtype >= DT_EXTENDED && type_fault(array))
        return aval_unknown(); /* reported by check_dims */
    a.dtype = array->dtype;
    a.classes = a.dtype == NONE ? IN_ANY : (u8)(1u << dtype_class(a.dtype));
    a.ranked = array->rank <= MOST_AXES;
    a.bounded = a.dtype != NONE && a.dtype >= DT_EXTENDED && slice_starts(array->text, SLICE("bint"));
    a.long_spelling = array == t && spelled_long(t->text);
    if (a.ranked) {
        a.rank = array->rank;
        a.dims = type_dims(&m->types, array);
    }
    return a;
}

struct aval
aval_of_atom(const struct module *m, atom_t atom)
{
    if (atom_kind(atom) == ATOM_VAR)
        return aval_of_type(m, m->vars.at[atom_id(atom)].type);
    if (atom_kind(atom) != ATOM_LIT)
        return aval_unknown();
    const struct literal *l = &m->literals.at[atom_id(atom)];
    struct aval a;
    if (l->type != NONE) {
        a = aval_of_type(m, l->type);
        a.literal = true;
        return a;
    }
    static const u8 classes[] = {[LIT_INT] = IN_INT,
                                 [LIT_FLOAT] = IN_FLOAT,
                                 [LIT_BOOL] = IN_BOOL,
                                 [LIT_COMPLEX] = IN_COMPLEX,
                                 [LIT_FLOAT0] = IN_FLOAT0};
    if (l->kind >= countof(classes) || !classes[l->kind])
        return aval_unknown();
    a = aval_array(NONE, 0, NULL);
    a.classes = classes[l->kind];
    a.literal = true;
    return a;
}

/* true for the float types that old versions print without a point: `1` (ml_dtypes) */
static bool
prints_like_int(dtype_t dtype)
{
    return dtype_class(dtype) == CLASS_FLOAT && dtype != DT_f16 && dtype_bits(dtype) <= 16;
}

enum truth
dtypes_agree(const struct aval *a, const struct aval *b)
{
    if (a->dtype != NONE && b->dtype != NONE) {
        if (a->dtype == b->dtype)
            return YES;
        /* `bint{..}` is an i32 in JAX's own rules */
        const struct aval *bounded = a->bounded ? a : b, *other = a->bounded ? b : a;
        return bounded->bounded && other->classes & (IN_INT | IN_KEY) ? MAYBE : NO;
    }
    if (a->classes & b->classes)
        return MAYBE;
    const struct aval *known = a->dtype != NONE ? a : b, *literal = a->dtype != NONE ? b : a;
    if (a->literal && b->literal && a->dtype == b->dtype) /* `0` and `inf` of bf16 */
        return (a->classes | b->classes) == (IN_INT | IN_FLOAT) ? MAYBE : NO;
    if (known->dtype != NONE && literal->classes == IN_INT && literal->literal &&
        (prints_like_int(known->dtype) || (known->long_spelling && known->classes & IN_FLOAT)))
        return MAYBE;
    return NO;
}

enum truth
shapes_agree(const struct aval *a, const struct aval *b)
{
    if (!a->ranked || !b->ranked)
        return MAYBE;
    if (a->rank != b->rank)
        return NO;
    return a->dims == b->dims ? YES : dims_equal(a->dims, b->dims, a->rank);
}

enum truth
avals_agree(const struct aval *a, const struct aval *b)
{
    if (a->type != NONE && a->type == b->type)
        return YES;
    if (a->kind == AVAL_UNKNOWN || b->kind == AVAL_UNKNOWN)
        return MAYBE;
    if (a->kind == AVAL_OTHER || b->kind == AVAL_OTHER) {
        /* an object is not an array, if it certainly is an object, and not the inside of an unreadable ref */
        const struct aval *other = a->kind == AVAL_OTHER ? b : a;
        return other->kind == AVAL_ARRAY && other->ranked && other->dtype != NONE ? NO : MAYBE;
    }
    if (a->kind != b->kind)
        return NO;
    if (a->kind == AVAL_TOKEN)
        return YES;
    enum truth dtype = dtypes_agree(a, b), shape = shapes_agree(a, b);
    if (dtype == NO || shape == NO)
        return NO;
    return dtype == YES && shape == YES ? YES : MAYBE;
}

struct slice
vary_list(const struct module *m, type_t type)
{
    static const struct slice none = {"", 0};
    if (type == NONE)
        return none;
    struct slice text = type_get(&m->types, type)->vary;
    const char *end = text.at + text.n, *p = text.at;
    if (text.n < 3 || *p != '{')
        return none;
    while (p + 1 < end && !(p[0] == 'V' && p[1] == ':' && (p[-1] == '{' || p[-1] == ' ')))
        p++;
    if (p + 1 < end) {
        p += 2;
        const char *stop = memchr(p, *p == '(' ? ')' : ',', (size_t)(end - p));
        p += *p == '(';
        if (!stop)
            stop = end - 1;
        return (struct slice){p, (size_t)(stop - p)};
    }
    while (p > text.at && *p != '{')
        p--;
    if (memchr(p, ':', (size_t)(end - p)))
        return none;
    return (struct slice){p + 1, (size_t)(end - p - 2)};
}
