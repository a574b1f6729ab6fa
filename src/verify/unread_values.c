/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks values of parameters that no rule reads: JAX reads them when it compiles a program, if at all. Linear in the
 * bytes of the text. */
#include "verify/checker.h"
#include "verify/value_kinds.h"

#include "base/chars.h"
#include "base/decimal.h"
#include "base/lexical.h"
#include "base/near.h"
#include "base/object_records.h"

/* a Python name, or names joined by dots, that is neither a constant nor a number: `MemorySpace.Host`, `CLIP` */
static bool
is_word(struct slice s)
{
    static const char *const others[] = {"None", "True",  "False", "nan",  "inf", "TRUE", "FALSE",
                                         "true", "false", "null",  "NULL", "NaN", "NONE"};
    size_t i = dotted_until(s, 0);
    for (u32 k = 0; k < countof(others); k++)
        if (slice_eq(s, slice_of(others[k])))
            return false;
    return s.n && i == s.n && is_word_start(s.at[0]);
}

/* `<FftType.FFT: 0>`; `<jax.X object at 0x7f01>` for an object that shows no member */
static bool
is_angled_member(struct slice s)
{
    size_t name = 1;
    if (s.n < 3 || *s.at != '<' || s.at[s.n - 1] != '>')
        return false;
    if (slice_contains(s, SLICE(" at 0x")))
        return true;
    name = dotted_until(s, name);
    return name + 2 < s.n && memchr(s.at, '.', name) && s.at[name] == ':' && s.at[name + 1] == ' ';
}

/* `MemorySpace.Host`, `<FftType.FFT: 0>`, the number of a member */
static bool
is_member(struct slice s)
{
    if (slice_ends(s, SLICE(".value")) || slice_contains(s, SLICE(".value:")))
        return false;
    return (is_word(s) && !member_is_cut(s) && dtype_find(s) == NONE) || is_angled_member(s) ||
           (s.n && is_digit(s.at[0]) && is_int(s));
}

static bool
is_named_space(struct slice s)
{
    return is_member(s) && !is_digit(s.at[0]);
}

static bool
is_space(struct slice s)
{
    return is_none(s) ||
           (is_named_space(s) && (is_member_of(SLICE("MemorySpace"), s) || is_member_of(SLICE("Space"), s)));
}

/* a space of JAX; or of a package, which prints its class, or a word in small letters: `vmem` */
static bool
is_any_space(struct slice s)
{
    bool bare = *s.at >= 'A' && *s.at <= 'Z' && !memchr(s.at, '.', s.n);
    return bare ? is_space(s) && !is_none(s) : is_named_space(s);
}

/* `None`, `MemorySpace.Host`, `CpuDevice(id=0)`, `NamedSharding(..)`, `cuda:0`, `TFRT_CPU_0`, `{devices=[2,1]0,1}` */
static bool
is_device(struct slice s)
{
    const char *mesh = memmem(s.at, s.n, "Mesh(", 5), *axis = mesh ? word_end(mesh + 5) : NULL;
    if (axis && axis > mesh + 5 && *axis == ':') /* an axis without its quotes */
        return false;
    bool numbered = s.n && is_digit(s.at[s.n - 1]) && is_named_space(s), space = numbered || is_space(s);
    return (space && !value_is_cut(s)) || (is_record(s) && !is_other_object(s)) ||
           (s.n && (s.at[0] == '{' || (is_word_start(s.at[0]) && memchr(s.at, ':', s.n))));
}

/* the last name in the text of a member, `HIGH` in `<Precision.HIGH: 1>` */
static struct slice
member_name(struct slice s)
{
    const char *end = value_find(s.at + (*s.at == '<'), s.at + s.n, ":>"), *from = end;
    while (from > s.at && is_word_char(from[-1]))
        from--;
    return (struct slice){from, (size_t)(end - from)};
}

/* `Precision.HIGH`, `HIGH`, `<Precision.HIGH: 1>` */
static bool
is_named_member(struct slice s)
{
    return is_member(s) && (*s.at == '<' || (*s.at >= 'A' && *s.at <= 'Z'));
}

static bool
has_small_letter(struct slice s)
{
    size_t i = 0;
    while (i < s.n && (s.at[i] < 'a' || s.at[i] > 'z'))
        i++;
    return i < s.n;
}

/* the same, or the widths of an algorithm: `BF16_BF16_F32`, `ANY_F8_ANY_F8_ANY` */
static bool
is_precision_member(struct slice s)
{
    struct slice name = member_name(s);
    bool widths = slice_contains(name, SLICE("F8_")) ||
                  (memchr(name.at, '_', name.n) && is_digit(name.at[name.n - 1]) && !has_small_letter(name));
    return is_named_member(s) && (widths || value_has(SLICE("DEFAULT,HIGH,HIGHEST"), name));
}

/* the same, or an algorithm: `DotAlgorithm(..)` */
static bool
is_precision(struct slice s)
{
    return is_none(s) || is_precision_member(s) || (is_record(s) && slice_starts(s, SLICE("DotAlgorithm")));
}

/* `('scale', 2.0)`; `('scale', (2.0,), PyTreeDef(*))`: the names are those of keywords, which may be any strings */
static bool
is_attribute(struct slice s)
{
    u32 n;
    struct cursor c = cursor_inside(s);
    value_blanks(&c);
    return value_count(s, &n) && (n == 2 || n == 3) && c.p < c.end && (*c.p == '\'' || *c.p == '"');
}

/* `('eps', 0.001)` */
static bool
is_item(struct slice s)
{
    u32 n;
    return is_attribute(s) && value_count(s, &n) && n == 2;
}

/* whether a value is of the kind that the mark after its key in a list says, as in records.def; false if the key is not
 * among those of the list, which are separated by commas */
static bool
is_of_key(struct slice keys, struct slice key, struct slice value)
{
    for (size_t i = 0, end; i < keys.n; i = end + 1) {
        const char *comma = memchr(keys.at + i, ',', keys.n - i);
        end = comma ? (size_t)(comma - keys.at) : keys.n;
        struct slice known = {keys.at + i, end - i};
        char mark = strchr("#'?", known.at[known.n - 1]) ? known.at[known.n - 1] : 0;
        if (slice_eq(key, (struct slice){known.at, known.n - (mark != 0)}))
            return field_fits(key, value, mark);
    }
    return false;
}

/* whether the keys and values of items are those of a list */
static bool
has_keys_of(struct slice keys, struct slice s)
{
    struct cursor c = cursor_inside(s);
    struct slice item, key, value;
    while (value_element(&c, &item)) {
        struct cursor inside = cursor_inside(item);
        if (value_element(&inside, &key) && key.n > 1 && value_element(&inside, &value) &&
            !is_of_key(keys, (struct slice){key.at + 1, key.n - 2}, value))
            return false;
    }
    return true;
}

/* whether the keys of a dict are names of arguments, none of which nearly is one of some, separated by commas */
static bool
has_keys_near(struct slice keys, struct slice s)
{
    struct slice item, known;
    for (struct cursor c = {s.at + 1, s.at + s.n - 1}; value_element(&c, &item);) {
        const char *close = quoted_end(item.at, item.at + item.n);
        struct slice key = {item.at + 1, (size_t)(close - item.at) - 2};
        if (close < item.at + 2 || key.n == 0 || word_until(key, 0) < key.n || !is_word_start(*key.at))
            return false;
        for (struct cursor k = cursor_of(keys); !value_has(keys, key) && value_element(&k, &known);)
            if (word_resembles(key, known))
                return false;
    }
    return true;
}

/* `None`, `Layout(..)`, `AUTO` */
static bool
is_layout(struct slice s)
{
    return is_none(s) || (is_record(s) && !is_other_object(s)) || *s.at == '{' ||
           (is_named_member(s) && !value_is_cut(s) && (memchr(s.at, '.', s.n) || slice_eq(s, SLICE("AUTO"))));
}

/* `NamedSharding(..)`, `UnspecifiedValue`, `AUTO` */
static bool
is_sharding(struct slice s)
{
    return value_has(SLICE("UnspecifiedValue,UNSPECIFIED,AUTO"), s) || (is_record(s) && !is_other_object(s)) ||
           (memchr(s.at, '.', s.n) && is_named_member(s));
}

/* `0.95`, `-inf`, `True`, `(1+2j)`, `np.float32(0.5)` */
static bool
is_number(struct slice s)
{
    static const char *const others[] = {"nan", "inf", "-inf"};
    double value;
    for (u32 k = 0; k < countof(others); k++)
        if (slice_eq(s, slice_of(others[k])))
            return true;
    if (s.n > 1 && is_padded(s.at + (*s.at == '-'), s.at + s.n)) /* `095` was `0.95` */
        return false;
    bool complex = s.n > 1 && (s.at[s.n - 1] == 'j' || (s.at[s.n - 1] == ')' && s.at[s.n - 2] == 'j'));
    return is_bool(s) || ((decimal_read(s, &value) || complex || is_record(s)) && value_is_object(s));
}

/* whether a quoted word is the name of a platform: it has no spaces, and is not nearly one that JAX knows. The names of
 * others are as long as the short ones and near them: `npu` */
static bool
is_platform(struct slice s)
{
    static const char *const known[] = {"cuda", "mosaic", "rocm", "cpu", "gpu", "tpu"};
    enum { SHORT = 3 };
    struct slice name = {s.at + 1, s.n > 2 ? s.n - 2 : 0};
    bool quoted = name.n && strchr("'\"", *s.at) && !memchr(name.at, ' ', name.n);
    for (u32 i = 0; quoted && i < countof(known); i++) {
        struct slice other = slice_of(known[i]);
        bool near = word_is_misspelled(name, other) && (other.n > SHORT || name.n < SHORT);
        if (!slice_eq(name, other) && (near || word_is_garbled(name, other) || word_is_recased(name, other)))
            return false;
    }
    return quoted;
}

/* `('tpu',)`, or `None` for all others */
static bool
is_platforms(struct slice s)
{
    u32 n;
    return is_none(s) || (value_count(s, &n) && n && all_elements(s, is_platform));
}

/* `PyTreeDef((*, None))`, `None` for no tree, or an object that contains one, `<..>` */
static bool
is_treedef(struct slice s)
{
    return is_none(s) || slice_starts(s, SLICE("PyTreeDef(")) || (s.n && *s.at == '<' && !is_class(s));
}

/* a value that JAX traces, as PennyLane and Catalyst print it: `JitTracer<bool[]>`,
 * `Traced<ShapedArray(int64[])>with<..>` */
static bool
is_traced(struct slice s)
{
    size_t i = word_until(s, 0);
    return i && i < s.n && s.at[i] == '<' && s.at[s.n - 1] == '>' &&
           slice_contains((struct slice){s.at, i}, SLICE("Trace"));
}

/* what Python reads as a value by itself: `3`, `None`, `'text'`, `(1, 2)`, `[]`, `{}` */
static bool
is_literal(struct slice s)
{
    double value;
    return is_bool(s) || is_none(s) || strchr("'\"([{", *s.at) || decimal_read(s, &value);
}

/* the path of a function alone, `f.<locals>.g` or `<f.<locals>.g>`: Python also prints what it is, and its address */
static bool
is_local_path(struct slice s)
{
    return slice_contains(s, SLICE(".<locals>.")) && !memchr(s.at, ' ', s.n);
}

static bool
is_repr(struct slice s)
{
    return s.n && !is_literal(s) && !is_local_path(s);
}

static bool
is_int_or_none(struct slice s)
{
    return is_none(s) || is_int(s);
}

/* `(0, 2, None)`, or `slice(0, 2, None)`, as Python prints it */
static bool
is_slice(struct slice s)
{
    u32 n;
    size_t word = slice_starts(s, SLICE("slice(")) ? strlen("slice") : 0;
    s = (struct slice){s.at + word, s.n - word};
    return all_elements(s, is_int_or_none) && value_count(s, &n) && n == 3;
}

static bool
is_switch(struct slice s)
{
    return is_flag(s) || is_traced(s);
}

/* the same of a class that is printed, or in capitals: `ArrayCopySemantics.REUSE_INPUT`, `ALIAS` */
static bool
is_copy(struct slice s)
{
    bool capitals = *s.at != '<' && !has_small_letter(s);
    return is_named_member(s) && (capitals || slice_contains(s, SLICE("CopySemantics.")));
}

static bool
is_pair_of_members(struct slice s)
{
    u32 n;
    return all_elements(s, is_precision_member) && value_count(s, &n) && n == 2;
}

static bool
is_precisions(struct slice s)
{
    return is_precision(s) || is_pair_of_members(s);
}

static bool
is_accuracy(struct slice s)
{
    bool tolerance = (is_record(s) || is_angled_member(s)) && slice_contains(s, SLICE("Tolerance"));
    return is_none(s) || tolerance || (is_named_member(s) && is_member_of(SLICE("AccuracyMode"), s));
}

static bool
is_int_or_traced(struct slice s)
{
    return is_int(s) || is_traced(s);
}

static bool
is_number_or_traced(struct slice s)
{
    return is_number(s) || is_traced(s);
}

static bool
is_fill(struct slice s)
{
    return is_none(s) || is_number(s);
}

static bool
is_comparison(struct slice s)
{
    return value_has(SLICE("ge,le,gt,lt,eq,ne"), s);
}

static bool
is_dict(struct slice s)
{
    return *s.at == '{' && bracket_end(s, 0) + 1 == s.n;
}

static bool
is_mapping(struct slice s)
{
    return is_dict(s) || is_record(s);
}

static bool
is_mode(struct slice s)
{
    return is_flag(s) || is_record(s);
}

/* `x`, or the position of an axis; any object names an axis */
static bool
is_axis_name(struct slice s)
{
    return is_word(s) || is_record(s) || is_count(s);
}

static bool
is_axis_name_in_tuple(struct slice s)
{
    return is_axis_name(s) || (s.n > 2 && (*s.at == '\'' || *s.at == '"'));
}

/* `<_PositionalSemantics.GLOBAL: 1>`, `_PositionalSemantics.GLOBAL` */
static bool
is_positional(struct slice s)
{
    return is_member(s) && slice_contains(s, SLICE("PositionalSemantics."));
}

static bool
is_anything(struct slice s)
{
    return s.n > 0;
}

/* what values of a role are: `whole` holds of a value, or `entry` of each entry of a tuple or list; and with `object`,
 * the value is the repr of a Python object */
static const struct {
    bool (*whole)(struct slice), (*entry)(struct slice);
    bool object;
} kinds[] = {
    [ROLE_SWITCH] = {is_switch},
    [ROLE_SPACE] = {is_any_space, .object = true},
    [ROLE_SPACES] = {.entry = is_space},
    [ROLE_DEVICES] = {.entry = is_device, .object = true},
    [ROLE_VALUES] = {.entry = is_anything, .object = true},
    [ROLE_COMPARISON] = {is_comparison},
    [ROLE_PLATFORMS] = {.entry = is_platforms, .object = true},
    [ROLE_TREEDEF] = {is_treedef, is_treedef, true},
    [ROLE_ATTRIBUTES] = {.entry = is_attribute, .object = true},
    [ROLE_ITEMS] = {is_dict, is_item, true},
    [ROLE_NUMBER] = {is_number_or_traced},
    [ROLE_SWITCHES] = {is_flag, is_flag},
    [ROLE_LAYOUT] = {is_layout, .object = true},
    [ROLE_COPIES] = {.entry = is_copy, .object = true},
    [ROLE_INTEGER] = {is_int_or_traced},
    [ROLE_REPR] = {is_repr, .object = true},
    [ROLE_DEVICE] = {is_device, .object = true},
    [ROLE_SLICE] = {is_slice},
    [ROLE_SLICES] = {.entry = is_slice},
    [ROLE_MAPPED] = {.entry = is_int_or_none},
    [ROLE_MAPPING] = {is_mapping, .object = true},
    [ROLE_MODE] = {is_mode, .object = true},
    [ROLE_MEMBERS] = {is_positional, is_positional, true},
    [ROLE_ALIASES] = {is_mapping, is_pair, true},
    [ROLE_AXISNAMES] = {is_axis_name, is_axis_name_in_tuple, true},
    [ROLE_PRECISION] = {is_precisions},
    [ROLE_ACCURACY] = {is_accuracy},
    [ROLE_LAYOUTS] = {.entry = is_layout, .object = true},
    [ROLE_SHARDINGS] = {.entry = is_sharding, .object = true},
    [ROLE_FILL] = {is_fill},
    [ROLE_NOTHING] = {is_none},
};

bool
unread_fits(const struct prim_param *param, struct slice s)
{
    u32 role = param->kind;
    if (role == ROLE_CHOICE)
        return value_has(param->of, s);
    if (role == ROLE_MEMBER)
        return is_member(s) && (param->of.n == 0 || is_member_of(param->of, s)) && value_is_object(s);
    if (role == ROLE_PLATFORMS && s.n == strlen("()"))
        return false; /* no platform */
    if (!(kinds[role].whole && kinds[role].whole(s)) && !(kinds[role].entry && all_elements(s, kinds[role].entry)))
        return false;
    if (role == ROLE_SPACE && param->of.n && !is_space(s))
        return false;
    if (role == ROLE_MAPPING && param->of.n && is_dict(s) && !has_keys_near(param->of, s))
        return false;
    if (role == ROLE_ITEMS && param->of.n && !has_keys_of(param->of, s))
        return false;
    return !kinds[role].object || slice_starts(s, SLICE(WRAPPED_FUNCTION)) || value_is_object(s);
}

bool
role_has_words(enum param_role role)
{
    switch (role) {
    case ROLE_OBJECT:
    case ROLE_DIMNUMS:
    case ROLE_AVALS:
    case ROLE_SPECS:
    case ROLE_COUNTS:
    case ROLE_RECORD:
    case ROLE_SET:
    case ROLE_TREE:
    case ROLE_TYPE:
    case ROLE_MEMBER:
    case ROLE_SPACE:
    case ROLE_SPACES:
    case ROLE_DEVICES:
    case ROLE_VALUES:
    case ROLE_COMPARISON:
    case ROLE_PLATFORMS:
    case ROLE_ATTRIBUTES:
    case ROLE_ITEMS:
    case ROLE_TREEDEF:
    case ROLE_PRECISION:
    case ROLE_ACCURACY:
    case ROLE_LAYOUTS:
    case ROLE_LAYOUT:
    case ROLE_COPIES:
    case ROLE_REPR:
    case ROLE_DEVICE:
    case ROLE_MAPPING:
    case ROLE_MODE:
    case ROLE_SHARDINGS:
        return true;
    default:
        return false;
    }
}
