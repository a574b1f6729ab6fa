/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with the text of a type that cannot be one, in words for a message: letters, brackets or sizes were
 * lost or added. Linear in the text. */
#include "types/type_fault.h"
#include "types/type_names.h"
#include "base/chars.h"
#include "base/lexical.h"
#include "base/near.h"
#include "base/utf8.h"
#include "base/value.h"

/* true for `f32`, and for `f3`, a truncated one */
static bool
is_dtype_word(struct slice word)
{
    size_t i = 1;
    while (i < word.n && is_digit(word.at[i]))
        i++;
    return dtype_find(word) != NONE || (i > 1 && i == word.n && strchr("fiuc", word.at[0]));
}

/* a fault that names a part of the text; where there is no memory, its first words */
static const char *
naming(struct mem *mem, const char *before, struct slice part, const char *after)
{
    return mem ? arena_printf(mem, "%s`%.*s`%s", before, (int)part.n, part.at, after).at : before;
}

/* the character at byte i, or the byte if it is malformed */
static struct slice
character(struct slice text, size_t i)
{
    size_t n = utf8_length(text.at + i, text.n - i);
    return (struct slice){text.at + i, n ? n : 1};
}

/* outside brackets: characters that types do not contain, and those that may follow a closing bracket */
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

/* whether byte i of a shape is part of the name of a mesh axis: `f32[8@my axis]` */
static bool
is_in_axis(struct slice text, size_t i)
{
    while (i > 0 && !strchr(",[@", text.at[i - 1]))
        i--;
    return i > 0 && text.at[i - 1] == '@';
}

/* extra commas and characters after a closing bracket: `f32[8,]`, `f32[8]7`, `f32[8]:` are not types, whatever their
 * names; quoted text is skipped. NULL if there are none */
static const char *
stray_character(struct mem *mem, struct slice text)
{
    u32 depth = 0;
    char before = 0, outer = 0; /* the previous byte outside strings; the outermost open bracket */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.at[i];
        size_t word = word_until(text, i);
        if (word > i) {
            if (depth == 0 && bracket_step(before) < 0)
                return naming(mem, "unexpected ", (struct slice){text.at + i, word - i}, " after its closing bracket");
            before = text.at[word - 1];
            outer = depth ? outer : before;
            i = word - 1;
            continue;
        }
        bool empty = before == ',' || before == '[';
        if (c == '\\' || (depth == 0 && c == '.' && before == '.')) /* `{U\_min:x}`, `f..T()` */
            return naming(mem, "unexpected ", character(text, i), "");
        if ((c == '\'' || c == '"') && is_digit(before)) /* `f32[1'024]` */
            return "its sizes must be separated by commas";
        if (depth == 0 && (((c == '\'' || c == '"') && bracket_step(before) < 0) || (c == '.' && before == ']')))
            return naming(mem, "unexpected ", character(text, i), " after its closing bracket");
        if (c == '\'' || c == '"')
            i = (size_t)(quoted_end(text.at + i, text.at + text.n) - text.at) - 1;
        else if (c == ']' && before == ',')
            return "remove the `,` before `]`";
        else if (c == ',' && empty)
            return outer == '[' ? "a size is missing before a comma" : "a value is missing before a comma";
        else if (depth == 0 && bracket_step(before) < 0 && !continues(c))
            return naming(mem, "unexpected ", character(text, i), " after its closing bracket");
        else if (depth == 0 && separates(c))
            return c == ','   ? "a `,` is allowed only in its brackets, as in f64[8,16]"
                   : c == '=' ? "`=` is allowed only in parentheses"
                              : naming(mem, "a ", (struct slice){text.at + i, 1},
                                       " is allowed only in parentheses and braces");
        bool parts = c == ' ' && outer == '[' && is_word_char(before) && i + 1 < text.n && is_word_char(text.at[i + 1]);
        if (parts && !(is_word_start(text.at[i + 1]) && is_in_axis(text, i))) /* `f32[1 024]` */
            return "its sizes must be separated by commas";
        if (depth == 0 && bracket_step(c) < 0) /* `AbstractQbit)` */
            return "a bracket is missing";
        outer = depth ? outer : c;
        depth = bracket_depth(depth, c);
        before = c;
    }
    return NULL;
}

/* whether lower-case letters from byte i on were added within the width of an element type: `f3gg2` */
static bool
has_letters_inside(struct slice name, size_t i)
{
    enum { LONGEST = 8 };
    char without[LONGEST];
    size_t end = i;
    while (end < name.n && name.at[end] >= 'a' && name.at[end] <= 'z')
        end++;
    size_t n = name.n - (end - i);
    if (end == i || end == name.n || n > LONGEST)
        return false;
    memcpy(without, name.at, i);
    memcpy(without + i, name.at + end, name.n - end);
    return dtype_find((struct slice){without, n}) != NONE;
}

bool
dtype_is_misspelled(struct slice name)
{
    size_t letters = 0, digits = 0, i = 0;
    char last = name.n > 3 ? name.at[name.n - 1] : '_';
    if (!is_digit(last) && last != '_' && (u8)last < 0x80 && dtype_find((struct slice){name.at, name.n - 1}) != NONE)
        return dtype_find(name) == NONE; /* `f32x`, `f8_e3m4x` */
    while (letters < name.n && !is_digit(name.at[letters]))
        letters++;
    while (letters + digits < name.n && is_digit(name.at[letters + digits]))
        digits++;
    i = word_until(name, i);
    if (i < name.n || letters == 0)
        return false;
    if (has_letters_inside(name, letters + digits))
        return true;
    if (digits == 0)
        return letters > 2 &&
               (word_is_misspelled(name, SLICE("bool")) || (name.n < 7 && slice_starts(name, SLICE("bool"))) ||
                word_is_doubled(name, SLICE("bool")) || word_is_overstruck(name, SLICE("bool")));
    u32 width = 0;
    for (i = 0; i < digits && width < 1000; i++)
        width = width * 10 + (u32)(name.at[letters + i] - '0');
    struct slice class = {name.at, letters};
    if (letters + digits + 1 == name.n && digits == 1 && name.n > 2 && dtype_class_named(class)) /* `f3Z`, `int1b` */
        return true;
    if (letters + digits == name.n && dtype_class_named(class))
        return (width > 8 && width != 16 && width != 128) || (width < 8 && !strchr("iu", name.at[0]));
    return dtype_meant(name).n > 0;
}

/* whether an opaque type is an array whose brackets were damaged or lost: `f32laJ`, `bool4`, `key<fry>`, `f32<host>8`,
 * `f328@x`, `dma_sem` */
static bool
is_shapeless(struct slice text, size_t word)
{
    bool axis = word < text.n && text.at[word] == '@';
    for (size_t n = word; (word == text.n || axis) && n > 1 && is_digit(text.at[n - 1]); n--)
        if (dtype_find((struct slice){text.at, n - 1}) != NONE)
            return true;
    if (word == text.n && (slice_eq(text, SLICE("dma_sem")) || slice_eq(text, SLICE("barrier_sem"))))
        return true;
    size_t digits = 1;
    while (digits < word && is_digit(text.at[digits]))
        digits++;
    if (word == text.n && dtype_is_misspelled(text))
        return true;
    bool letters = word == text.n && digits > 1 && digits < word && dtype_find((struct slice){text.at, digits}) != NONE;
    bool axes = word < text.n && (slice_starts((struct slice){text.at + word, text.n - word}, SLICE("{V:")) ||
                                  slice_starts((struct slice){text.at + word, text.n - word}, SLICE("{U:")));
    bool angle = word < text.n && text.at[word] == '<' && text.at[text.n - 1] != ']' &&
                 (dtype_find((struct slice){text.at, word}) != NONE || slice_starts(text, SLICE("key<")));
    return letters || angle || axes;
}

/* whether a type is a key whose name has a wrong letter, or more letters: `kye<fry>[2]`, `kejjy<fry>[2]` */
static bool
is_damaged_key(struct slice text, struct slice name)
{
    struct slice key = SLICE("key");
    bool form = name.n > 2 && name.n < text.n && text.at[name.n] == '<' && text.at[text.n - 1] == ']';
    return form && !slice_eq(name, key) && !word_is_extended(name, key) &&
           (name.n == key.n ? word_is_misspelled(name, key) : word_lost_part(key, name, true));
}

/* whether the name of a key type contains its algorithm, `keyfry[]`: the `<` and `>` were lost */
static bool
lost_angles(struct slice text, struct slice name)
{
    return name.n < text.n && text.at[name.n] == '[' && slice_starts(name, SLICE("key")) &&
           key_words((struct slice){name.at + 3, name.n - 3}) > 0;
}

/* a size, of an array within a type, that is larger than 2^63-1: `;x:9223372036854775808`, `BCOO{f32[..]}`; empty if
 * there is none. The sizes of the type itself are checked as sizes */
static struct slice
large_size(const struct type *t)
{
    struct slice text = t->kind == TYPE_ARRAY ? t->vary : t->kind == TYPE_OPAQUE ? t->text : SLICE("");
    struct slice large = t->kind == TYPE_ARRAY ? large_integer(t->vary) : SLICE("");
    for (size_t i = 0, word = 0; i < text.n && !large.n; i++) {
        if (is_word_char(text.at[i]))
            continue;
        size_t close = text.at[i] == '[' ? bracket_end(text, i) : text.n;
        if (close < text.n && dtype_find((struct slice){text.at + word, i - word}) != NONE)
            large = large_integer((struct slice){text.at + i, close - i});
        word = i + 1;
    }
    struct slice bounded = SLICE("bint{≤");
    return large.n || !slice_starts(t->text, bounded)
               ? large
               : large_integer((struct slice){t->text.at + bounded.n, t->text.n - bounded.n});
}

/* The axes of a mesh that a type names, the first ones. */
struct seen_axes {
    struct slice names[16];
    u32 n;
};

/* whether an axis was seen before; else records it */
static bool
was_seen(struct seen_axes *seen, struct slice name)
{
    for (u32 i = 0; i < seen->n; i++)
        if (slice_eq(seen->names[i], name))
            return true;
    if (seen->n < countof(seen->names))
        seen->names[seen->n++] = name;
    return false;
}

/* whether a text may be the name of a mesh axis: users may choose any, but not with a sign at its ends, nor with the
 * beginning of other axes, `x U:y` */
static bool
is_axis_name(struct slice s)
{
    return s.n && (is_word_char(*s.at) || strchr("'\"<", *s.at)) &&
           (is_word_char(s.at[s.n - 1]) || strchr("'\"", s.at[s.n - 1]) || (*s.at == '<' && s.at[s.n - 1] == '>')) &&
           !slice_contains(s, SLICE(" V:")) && !slice_contains(s, SLICE(" U:")) && !slice_contains(s, SLICE(" R:"));
}

/* takes the name of an axis, which ends before one of the stops */
static struct slice
take_axis(const char **p, const char *end, const char *stops)
{
    const char *name = *p;
    while (*p < end && !strchr(stops, **p))
        ++*p;
    return (struct slice){name, (size_t)(*p - name)};
}

/* what is wrong with the text after an `@`, which must be names, each at most once in a type; NULL if nothing is */
static const char *
sharding_fault(struct mem *mem, const struct type *t)
{
    const char *end = t->text.at + t->text.n;
    struct seen_axes seen = {.n = 0};
    for (const char *p = t->text.at; p < end && (p = memchr(p, '@', (size_t)(end - p))) != NULL; p++) {
        bool several = p + 1 < end && p[1] == '(', more = true;
        for (p += 1 + several; more; p += more) {
            struct slice axis = take_axis(&p, end, ",)]");
            if (!is_axis_name(axis))
                return "mesh axes are names, as in f32[8@x,4@(y,z)]";
            if (was_seen(&seen, axis))
                return naming(mem, "it names the mesh axis ", axis, " twice");
            more = several && p < end && *p == ',';
        }
        p--;
    }
    return NULL;
}

/* what is wrong with the named axes after the `;` of a shape, which JAX 0.2 to 0.4 print: `f32[8;i:4,j:2]`; NULL if
 * nothing is */
static const char *
named_shape_fault(struct slice text)
{
    size_t open = type_shape_offset(text), close = open < text.n ? bracket_end(text, open) : open;
    const char *end = text.at + close, *p = close < text.n ? memchr(text.at + open, ';', close - open) : NULL;
    while (p && p < end) {
        const char *stop = value_find(p + 1, end, ","), *size = stop;
        while (is_digit(size[-1]))
            size--;
        if (size == stop || size[-1] != ':' || !is_axis_name((struct slice){p + 1, (size_t)(size - 2 - p)}))
            return "sizes are separated by commas, and axes after `;` have names, as in f32[8,16;i:4]";
        p = stop;
    }
    return NULL;
}

/* what is wrong with the braces after a shape, `{V:x, U:(y,z)}` or, in JAX 0.5 and 0.6, `{x,y}`, in JAX 0.3 and 0.4
 * also `{x: 0}`; NULL if nothing is */
static const char *
braces_fault(const struct type *t)
{
    if (t->vary.n < 3 || *t->vary.at != '{')
        return NULL;
    const char *p = t->vary.at + 1, *end = t->vary.at + t->vary.n - 1;
    while (p <= end) {
        const char *label = p;
        while (is_word_char(*p))
            p++;
        bool labelled = *p == ':' && p > label && p[1] != ' ';
        if (labelled && (!memchr("VUR", *label, 3) || (p - label > 1 && label[1] != '_')))
            return "the letter in braces is V, U or R, as in f32[8]{V:x}";
        if (labelled && (p + 1 == end || p[1] == ','))
            return "a letter in braces must be followed by mesh axes, as in f32[8]{V:x}";
        p = labelled ? p + 1 : label;
        bool several = *p == '(', more = true;
        for (p += several; more; p += more) {
            if (!is_axis_name(take_axis(&p, end, ",)")))
                return "expected the names of mesh axes in braces, as in f32[8]{V:x}";
            more = several && *p == ',';
        }
        p += several && *p == ')';
        if (p != end && *p != ',')
            return "expected the names of mesh axes in braces, as in f32[8]{V:(x,y)}";
        p += p + 1 < end && p[1] == ' ' ? 2 : 1;
    }
    return NULL;
}

/* whether the braces after a shape contain each of its axes, as a layout of XLA does: `f32[8,16]{1,0}` */
static bool
has_layout(const struct type *t)
{
    struct slice axis;
    u32 n = 0, most = 0;
    if (t->kind != TYPE_ARRAY || t->vary.n < 3 || *t->vary.at != '{' || !is_digit(t->vary.at[1]))
        return false;
    for (struct cursor c = {t->vary.at + 1, t->vary.at + t->vary.n - 1}; value_element(&c, &axis); n++) {
        if (axis.n != 1 || !is_digit(*axis.at))
            return false;
        u32 number = (u32)(*axis.at - '0');
        most = number > most ? number : most;
    }
    return n == t->rank && most + 1 == n;
}

/* whether a type is one of MLIR: `tensor<3xf32>`, `memref<f32>` */
static bool
is_of_mlir(struct slice text)
{
    struct slice tensor = SLICE("tensor<");
    const char *close = memchr(text.at, '>', text.n);
    if (!(slice_starts(text, tensor) || slice_starts(text, SLICE("memref<"))) || !close)
        return false;
    const char *x = memrchr(text.at, 'x', (size_t)(close - text.at)), *element = x ? x + 1 : text.at + tensor.n;
    return dtype_find((struct slice){element, (size_t)(close - element)}) != NONE;
}

/* the error of a value that varies over a mesh axis over which it is also unreduced or reduced; NULL if there is none
 * (jax/_src/core.py, 0.12, _check_mat) */
static const char *
shared_axis(struct mem *mem, const struct type *t)
{
    struct slice varying = type_axes(t, 'V'), axis;
    struct cursor lists[] = {cursor_of(type_axes(t, 'U')), cursor_of(type_axes(t, 'R'))};
    for (u32 i = 0; varying.n && i < 2; i++)
        for (u32 n = 0; n < MESH_AXES && value_element(&lists[i], &axis); n++)
            if (value_has(varying, axis))
                return naming(mem,
                              i == 0 ? "it is both varying (V) and unreduced (U) over the mesh axis "
                                     : "it is both varying (V) and reduced (R) over the mesh axis ",
                              axis, "");
    return NULL;
}

/* the first symbol in the name before brackets, from ASCII, Latin-1 or U+2000 to U+2FFF: `bool**[3]`, `key¡fry¿[2]`, as
 * LaTeX prints angle brackets; empty if there is none */
static struct slice
symbol_in_name(struct slice text)
{
    for (size_t i = 0; i + 1 < text.n && text.at[i] != '[' && text.at[i] != '{'; i++) {
        u8 byte = (u8)text.at[i], next = (u8)text.at[i + 1];
        if (strchr("*!?|`;$%^&#\"+=/\\", text.at[i]) || byte == 0xE2 ||
            (byte == 0xC2 && next != 0xAA && next != 0xB5 && next != 0xBA) || (byte == 0xEF && next == 0xBF))
            return character(text, i);
    }
    return SLICE("");
}

/* whether a word is another one with letters that look alike */
static bool
is_misread(struct slice word, struct slice known)
{
    return word.n == known.n && !slice_eq(word, known) && word_is_garbled(word, known);
}

/* whether a memory space is a word, or a member of the enumeration of JAX's core, which prints no other: `vmem`,
 * `MemorySpace.Host` */
static bool
is_space_name(struct slice space)
{
    struct slice class = SLICE("MemorySpace.");
    bool member = slice_starts(space, class) && space.n > class.n + 1 && space.at[class.n + 1] >= 'a';
    size_t from = member ? class.n : 0;
    return !is_digit(space.at[from]) && word_until(space, from) == space.n;
}

/* what is wrong with the name of a type, or of its memory space */
static const char *
name_fault(struct mem *mem, const struct type *t, struct slice name)
{
    struct slice text = t->text, space = t->space.n ? space_meant(t->space) : SLICE("");
    bool extended = t->kind == TYPE_ARRAY && t->dtype >= DT_EXTENDED;
    struct slice symbol = !extended                ? SLICE("")
                          : text.at[name.n] == '-' ? (struct slice){text.at + name.n, 1}
                                                   : symbol_in_name(text);
    if (symbol.n)
        return naming(mem, "its name must not contain ", symbol, "");
    bool letter = name.n > 3 && name.at[name.n - 1] >= 'a' && name.at[name.n - 1] <= 'z'; /* users may name `f32x` */
    if (extended && strchr("fiubc", text.at[0]) && is_digit(text.at[1]) && !slice_is_ascii(name)) /* `f3é[2]` */
        return "its element type is unknown";
    if (extended && ((dtype_is_misspelled(name) && !(letter && is_dtype_word((struct slice){name.at, name.n - 1}))) ||
                     type_name_meant(name).n || element_is_misspelled(name)))
        return "its element type is unknown";
    if (space.n)
        return naming(mem, "its memory space is unknown; did you mean ", space, "?");
    if (t->space.n && !is_space_name(t->space))
        return "its memory space is not a name";
    if (name.n < text.n && text.at[name.n] == '>')
        return "a `<` is missing";
    struct slice tok = SLICE("Tok");
    bool token = word_is_recased(text, tok) || word_is_doubled(text, tok) || is_misread(text, tok);
    return token ? "a token is printed as `Tok`" : NULL;
}

/* whether no `>` follows the first `<` of a type or, of a key, only after another `<`: `key<fryey<fry>[1]` */
static bool
lost_close(struct slice text, bool key)
{
    const char *end = text.at + text.n, *angle = memchr(text.at, '<', text.n),
               *close = angle ? memchr(angle, '>', (size_t)(end - angle)) : NULL;
    return angle && (!close || (key && memchr(angle + 1, '<', (size_t)(close - angle - 1))));
}

/* what is wrong with a type that is written as by MLIR, or has its memory space inside; NULL if it is neither */
static const char *
other_notation(struct slice text)
{
    if (is_of_mlir(text))
        return "a tensor type of MLIR; JAX prints it as f32[8,16]";
    if (slice_starts(text, SLICE("MemRef{")))
        return "the memory space comes before the type, as in MemRef<any>{float32[8]}";
    if (slice_starts(text, SLICE("Ref{dma_sem[")) || slice_starts(text, SLICE("Ref{semaphore[")))
        return "the memory space comes before the type, as in Ref<semaphore_mem>{dma_sem[]}";
    return NULL;
}

const char *
type_fault(struct mem *mem, const struct type *t)
{
    struct slice text = t->text;
    bool key = slice_starts(text, SLICE("key<"));
    const char *unshaped = key ? "it does not end with a shape in square brackets, as key<fry>[8] and key<fry>[] do"
                               : "it does not end with a shape in square brackets, as f64[8,16] and f64[] do";
    size_t word = word_until(text, 0);
    struct slice name = {text.at, word};
    const char *other = other_notation(text);
    if (other)
        return other;
    if (slice_starts(text, SLICE("key[")) || slice_eq(text, SLICE("key")) || lost_angles(text, name))
        return "a key type is written with its algorithm, as in key<fry>[8]";
    if (is_damaged_key(text, name))
        return "its name is unknown; did you mean `key`, as in key<fry>[8]?";
    bool nameless = word == 0 && text.n && (u8)text.at[0] < 0x80 && !slice_eq(text, SLICE("*")); /* JAX 0.2's units */
    if (nameless || (t->kind == TYPE_OPAQUE && text.n && is_digit(text.at[0])))
        return "a type begins with a name, as in f64[8,16]";
    const char *stray = stray_character(mem, text);
    if (stray)
        return stray;
    struct slice large = unlikely(text.n > 18) ? large_size(t) : SLICE("");
    if (large.n)
        return naming(mem, "", large, " is larger than 2^63-1");
    if (word < text.n && lost_close(text, key))
        return "a `>` is missing";
    const char *fault = name_fault(mem, t, name);
    if (fault)
        return fault;
    if (t->kind == TYPE_OPAQUE && word < text.n && text.at[text.n - 1] == '}' &&
        (fault = ref_fault(text, name)) != NULL)
        return fault;
    if (t->kind == TYPE_OPAQUE && is_shapeless(text, word))
        return unshaped;
    if (t->kind == TYPE_OPAQUE) /* `f32(8,16)`, `f32` */
        return word && (word == text.n || text.at[word] == '(' || text.at[word] == '{') && is_dtype_word(name)
                   ? unshaped
                   : NULL;
    if (t->kind == TYPE_ARRAY && t->vary.n && *t->vary.at == '[')
        return "it has two shapes";
    if ((stray = sharding_fault(mem, t)) != NULL ||
        (t->kind == TYPE_ARRAY && (stray = named_shape_fault(text)) != NULL))
        return stray;
    if (has_layout(t))
        return "expected the names of mesh axes in braces, as in f32[8]{V:x}";
    if ((stray = braces_fault(t)) != NULL)
        return stray;
    if (t->vary.n && (stray = shared_axis(mem, t)) != NULL)
        return stray;
    if (text.n < 2 || text.at[text.n - 1] != ']')
        return NULL;
    size_t digits = 0;
    while (is_digit(text.at[digits]))
        digits++;
    if (digits > 0)
        return text.at[digits] == '[' ? "the element type needs a letter, as in f64"
                                      : "a type begins with a name, as in f64[8,16]";
    bool bare = !key && t->kind == TYPE_ARRAY && t->dtype >= DT_EXTENDED && strchr("[<", text.at[word]) &&
                !is_digit(text.at[word - 1]) && dtype_class_named(name);
    return bare ? "the element type needs a width, as in f64" : NULL; /* `f[2]`, `float[2]`, `f<N>[2]` */
}

bool
type_is_damaged(const struct type *t)
{
    struct slice text = t->text;
    const char *blank = memchr(text.at, ' ', text.n);
    if (t->kind != TYPE_OPAQUE || text.n < 2)
        return false;
    if (ref_is_cut(text) || ref_is_bare(text) || type_name_meant(text).n)
        return true;
    if (blank && blank > text.at && value_find(text.at, blank, "[({<") == blank)
        return true;
    if (text.at[text.n - 1] != ')')
        return false;
    return slice_contains(text, SLICE("=,")) || slice_contains(text, SLICE("=)")) ||
           (slice_starts(text, SLICE("Abstract")) && text.at[text.n - 2] != '(' && !value_is_object(text));
}
