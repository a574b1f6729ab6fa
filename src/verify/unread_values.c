/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of parameters that no rule reads: JAX reads them when it compiles a program, if at all. Linear in the bytes of
 * the text. */
#include "verify/checker.h"
#include "verify/value_kinds.h"

#include "base/chars.h"
#include "base/decimal.h"
#include "base/lexical.h"

/* a Python name, or names joined by dots, that is neither a constant nor a number: `MemorySpace.Host`, `CLIP` */
static bool
is_word(struct slice s)
{
    static const char *const others[] = {"None",  "True", "False", "nan",  "inf", "TRUE",
                                         "FALSE", "true", "false", "null", "NULL"};
    size_t i = dotted_until(s, 0);
    for (u32 k = 0; k < countof(others); k++)
        if (slice_eq(s, slice_of(others[k])))
            return false;
    return s.n && i == s.n && is_word_start(s.at[0]);
}

/* `MemorySpace.Host`, `<FftType.FFT: 0>`, the number of a member */
static bool
is_member(struct slice s)
{
    return (is_word(s) && !member_is_cut(s) && dtype_find(s) == NONE) ||
           (s.n && s.at[0] == '<' && s.at[s.n - 1] == '>') || (s.n && is_digit(s.at[0]) && is_int(s));
}

static bool
is_space(struct slice s)
{
    return is_none(s) || (is_member(s) && !is_digit(s.at[0]));
}

/* `None`, `MemorySpace.Host`, `CpuDevice(id=0)`, `NamedSharding(..)`, `cuda:0`, `{devices=[2,1]0,1}` */
static bool
is_device(struct slice s)
{
    const char *mesh = memmem(s.at, s.n, "Mesh(", 5), *axis = mesh ? word_end(mesh + 5) : NULL;
    if (axis && axis > mesh + 5 && *axis == ':') /* an axis without its quotes */
        return false;
    return is_space(s) || (is_record(s) && !is_other_object(s)) ||
           (s.n && (s.at[0] == '{' || (is_word_start(s.at[0]) && memchr(s.at, ':', s.n))));
}

/* `Precision.HIGH`, `HIGH`, `<Precision.HIGH: 1>` */
static bool
is_named_member(struct slice s)
{
    return is_member(s) && (*s.at == '<' || (*s.at >= 'A' && *s.at <= 'Z'));
}

/* the same, or an algorithm: `BF16_BF16_F32`, `DotAlgorithm(..)` */
static bool
is_precision(struct slice s)
{
    return is_none(s) || is_named_member(s) || (is_record(s) && slice_starts(s, SLICE("DotAlgorithm")));
}

/* `('scale', 2.0)`; `('scale', (2.0,), PyTreeDef(*))` */
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

/* `None`, `Layout(..)`, `AUTO` */
static bool
is_layout(struct slice s)
{
    return is_none(s) || (is_record(s) && !is_other_object(s)) || *s.at == '{' || is_named_member(s);
}

/* `NamedSharding(..)`, `UnspecifiedValue` */
static bool
is_sharding(struct slice s)
{
    return (is_record(s) && !is_other_object(s)) || (is_named_member(s) && dtype_find(s) == NONE);
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
    bool complex = s.n > 1 && (s.at[s.n - 1] == 'j' || (s.at[s.n - 1] == ')' && s.at[s.n - 2] == 'j'));
    return decimal_read(s, &value) || is_bool(s) || ((complex || is_record(s)) && value_is_object(s));
}

/* `('tpu',)`, or `None` for all others */
static bool
is_platforms(struct slice s)
{
    u32 n;
    return is_none(s) || (value_count(s, &n) && n);
}

/* `PyTreeDef((*, None))`, or `None` for no tree; the object that one is in */
static bool
is_treedef(struct slice s)
{
    return is_none(s) || slice_starts(s, SLICE("PyTreeDef(")) || (s.n && *s.at == '<');
}

bool
unread_fits(const struct prim_param *param, struct slice s)
{
    u32 n;
    switch ((enum param_role)param->kind) {
    case ROLE_SWITCH:
        return is_flag(s);
    case ROLE_MEMBER:
        return is_member(s) && (param->of.n == 0 || is_member_of(param->of, s)) && value_is_object(s);
    case ROLE_SPACES:
        return all_elements(s, is_space);
    case ROLE_DEVICES:
        return all_elements(s, is_device) && value_is_object(s);
    case ROLE_ATTRIBUTES:
        return all_elements(s, is_attribute) && value_is_object(s);
    case ROLE_ITEMS:
        return all_elements(s, is_item) && value_is_object(s);
    case ROLE_TREEDEF:
        return (is_treedef(s) || all_elements(s, is_treedef)) && value_is_object(s);
    case ROLE_PRECISION:
        return is_precision(s) || (value_count(s, &n) && n == 2 && all_elements(s, is_named_member));
    case ROLE_ACCURACY:
        return is_none(s) || is_named_member(s) || (is_record(s) && slice_contains(s, SLICE("Tolerance")));
    case ROLE_LAYOUTS:
        return all_elements(s, is_layout) && value_is_object(s);
    case ROLE_LAYOUT:
        return is_layout(s) && value_is_object(s);
    case ROLE_CHOICE:
        return value_has(param->of, s);
    case ROLE_MEMBERS:
        return all_elements(s, is_named_member) && value_is_object(s);
    case ROLE_SHARDINGS:
        return all_elements(s, is_sharding) && value_is_object(s);
    case ROLE_NUMBER:
        return is_number(s);
    case ROLE_FILL:
        return is_none(s) || is_number(s);
    case ROLE_SWITCHES:
        return is_flag(s) || all_elements(s, is_flag);
    case ROLE_VALUES:
        return value_count(s, &n) && value_is_object(s);
    case ROLE_NOTHING:
        return is_none(s);
    case ROLE_COMPARISON:
        return value_has(SLICE("ge,le,gt,lt,eq,ne"), s);
    case ROLE_PLATFORMS:
        return value_count(s, &n) && n && all_elements(s, is_platforms) && value_is_object(s);
    default:
        return true;
    }
}
