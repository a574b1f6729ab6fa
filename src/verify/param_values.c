/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the values of parameters against the roles in their row: whether a text is an integer, a tuple of axes, a
 * spec. Linear in the bytes of the parameters. */
#include "verify/checker.h"
#include "verify/value_kinds.h"

#include "base/chars.h"
#include "base/decimal.h"
#include "base/lexical.h"
#include "base/near.h"
#include "base/object_words.h"
#include "prims/trees.h"
#include "resolve/dim_resolve.h"
#include "types/type_fault.h"

/* whether a text is the name of a size or an expression: `b`, `2*b - 1`, `max(0, floordiv(b, 3))` */
static bool
is_size_text(struct slice s)
{
    size_t i = 0;
    while (i < s.n && (is_word_char(s.at[i]) || (u8)s.at[i] >= 0x80 || s.at[i] == '?'))
        i++;
    return (i > 0 && i == s.n && !is_digit(s.at[0])) || dim_expression(s);
}

bool
is_int(struct slice s)
{
    struct cursor c = cursor_of(s);
    i64 value;
    bool truth;
    if (value_bool(&c, &truth))
        return false;
    return value_int(&c, &value) && value_done(&c);
}

bool
is_bool(struct slice s)
{
    struct cursor c = cursor_of(s);
    bool truth;
    return value_bool(&c, &truth) && value_done(&c);
}

bool
is_flag(struct slice s)
{
    return is_bool(s) || slice_eq(s, SLICE("0")) || slice_eq(s, SLICE("1"));
}

bool
is_none(struct slice s)
{
    return slice_eq(s, SLICE("None"));
}

/* a size: an integer, or the name or expression of one */
static bool
is_dim(struct slice s)
{
    if (slice_starts(s, SLICE("Traced<"))) /* PennyLane prints traced sizes this way */
        return true;
    if (s.n == 0 || is_bool(s) || is_none(s) ||
        (s.at[0] == '(' && bracket_end(s, 0) + 1 == s.n)) /* `(n)`, which becomes a tuple */
        return false;
    return is_int(s) || is_size_text(s);
}

static bool
is_dim_or_none(struct slice s)
{
    return is_none(s) || is_dim(s);
}

bool
all_elements(struct slice s, bool (*is)(struct slice))
{
    struct cursor c = cursor_of(s);
    struct slice element;
    u32 n;
    if (!value_count(s, &n) || !value_open(&c) || (n == 1 && value_lacks_comma(s)))
        return false;
    while (value_element(&c, &element))
        if (!slice_eq(element, SLICE("...")) && !is(element))
            return false;
    return true;
}

bool
is_dims(struct slice s)
{
    return all_elements(s, is_dim);
}

bool
is_pair(struct slice s)
{
    u32 n;
    return all_elements(s, is_int) && value_count(s, &n) && n == 2;
}

/* a tuple of axes, or a range of axes */
static bool
is_axes(struct slice s)
{
    return all_elements(s, is_int) || (slice_starts(s, SLICE("range(")) && s.at[s.n - 1] == ')');
}

static bool
is_axes_list(struct slice s)
{
    return all_elements(s, is_axes);
}

/* the lists of a product, `(([1], [0]), ([], []))`, or a record whose fields are lists of axes or the lists of a
 * product */
static bool
is_dimension_numbers(struct slice s)
{
    if (s.n && (s.at[0] == '(' || s.at[0] == '['))
        return all_elements(s, is_axes_list);
    const char *open = memchr(s.at, '(', s.n), *equals;
    if (!open || s.at[s.n - 1] != ')' || !slice_contains((struct slice){s.at, (size_t)(open - s.at)}, SLICE("Dim")))
        return false;
    struct cursor c = {open + 1, s.at + s.n - 1};
    struct slice element;
    while (value_element(&c, &element))
        if (!slice_eq(element, SLICE("..."))) {
            equals = memchr(element.at, '=', element.n);
            struct slice value =
                equals ? (struct slice){equals + 1, (size_t)(element.at + element.n - equals - 1)} : element;
            bool lists = !equals || slice_starts(element, SLICE("dot_dimension_numbers="));
            if (!is_axes(value) && !(lists && all_elements(value, is_axes_list)))
                return false;
        }
    return true;
}

bool
is_class(struct slice s)
{
    return slice_starts(s, SLICE("<class '"));
}

bool
is_record(struct slice s)
{
    size_t i = dotted_until(s, 0);
    return s.n && ((s.at[0] == '<' && s.at[s.n - 1] == '>' && !is_class(s)) ||
                   (is_word_start(s.at[0]) && i < s.n && s.at[i] == '(' && s.at[s.n - 1] == ')' &&
                    !slice_starts(s, SLICE("dtype("))));
}

/* whether an object has the given class, whose objects are printed as calls of it, never as `<..>` */
static bool
is_named(struct slice s, struct slice class)
{
    return slice_starts(s, class) && s.at[class.n] == '(';
}

/* a mesh axis, which may be any object, or the position of an axis */
static bool
is_name(struct slice s)
{
    return s.n > 0 && *s.at != '{' && !is_bool(s) && !is_none(s) && !slice_eq(s, SLICE("''")) &&
           !(*s.at == '\'' && is_odd_axis(s, 0));
}

/* whether an entry of a spec is a mesh axis: a string, or the repr of an object that is not only a word, nor words with
 * a sign between them: `N/A` */
static bool
is_axis_entry(struct slice s)
{
    size_t end = is_name(s) && is_word_start(*s.at) ? dotted_until(s, 0) : 0;
    return is_name(s) && (!end || (end < s.n && s.at[end] != '/') || slice_ends(s, SLICE("UNCONSTRAINED")));
}

static bool
is_single_name(struct slice s)
{
    return is_axis_entry(s) && *s.at != '(';
}

static bool
is_spec_record(struct slice s)
{
    const char *open = memchr(s.at, '(', s.n);
    struct slice name = {s.at, open ? (size_t)(open - s.at) : 0};
    return is_record(s) && !slice_contains(s, SLICE("''")) &&
           (slice_eq(name, SLICE("P")) || slice_contains(name, SLICE("Spec")));
}

struct slice
value_odd_spec_entry(struct slice s)
{
    struct slice entry;
    if (is_spec_record(s))
        for (struct cursor c = {(char *)memchr(s.at, '(', s.n) + 1, s.at + s.n - 1}; value_element(&c, &entry);)
            if (!memchr(entry.at, '=', entry.n) && !is_none(entry) && !slice_eq(entry, SLICE("...")) &&
                !(*entry.at == '(' ? all_elements(entry, is_single_name) : is_axis_entry(entry)))
                return entry;
    return SLICE("");
}

/* whether a text is an item of a dict that is a spec, `0: ('x',)` */
static bool
is_spec_item(struct slice s)
{
    const char *colon = memchr(s.at, ':', s.n);
    return slice_eq(s, SLICE("...")) ||
           (is_digit(*s.at) && colon && colon + 2 < s.at + s.n && colon[2] == '(' &&
            all_elements((struct slice){colon + 2, (size_t)(s.at + s.n - colon - 2)}, is_single_name));
}

/* `P('x', None)`, or, up to 0.6, the dict `{0: ('x',)}` */
static bool
is_spec(struct slice s)
{
    struct slice item;
    if (slice_starts(s, SLICE("{"))) {
        for (struct cursor c = {s.at + 1, s.at + s.n - 1}; value_element(&c, &item);)
            if (!is_spec_item(item))
                return false;
        return true;
    }
    return is_spec_record(s) && !value_odd_spec_entry(s).n;
}

bool
is_other_object(struct slice s)
{
    return dtype_find(s) != NONE || slice_starts(s, SLICE("dtype(")) || slice_starts(s, SLICE("frozenset(")) ||
           slice_starts(s, SLICE("P(")) || slice_starts(s, SLICE("PartitionSpec("));
}

/* whether the array of `ShapedArray(..)` is printed as JAX does, or s is another type: its element type is not that of
 * a binder, `f32`, nor of Python, `float`, and is not a string or an object */
static bool
lists_known_type(struct slice s)
{
    struct slice class = SLICE("ShapedArray(");
    if (!slice_starts(s, class))
        return true;
    struct slice array = {s.at + class.n, s.n - class.n}, name = {array.at, word_until(array, 0)};
    return name.n && name.n < array.n && array.at[name.n] != '.' && !is_digit(*name.at) && !dtype_of_short(name).n &&
           !dtype_class_named(name);
}

/* `ShapedArray(float32[3])`, `float32[3]`, or a user's type */
static bool
is_type(struct slice s)
{
    return s.n && is_word_start(s.at[0]) && !is_bool(s) && !is_none(s) && !is_other_object(s) && integers_fit(s) &&
           lists_known_type(s);
}

static bool
is_set(struct slice s)
{
    return s.n && (s.at[0] == '{' || slice_starts(s, SLICE("frozenset({")) || slice_eq(s, SLICE("frozenset()")) ||
                   slice_starts(s, SLICE("set(")));
}

/* whether a text is an element type after a module, `np.float32`, as programs write it and none prints it */
static bool
has_module(struct slice s)
{
    const char *dot = memrchr(s.at, '.', s.n);
    return dot && dtype_find((struct slice){dot + 1, (size_t)(s.at + s.n - dot - 1)}) != NONE;
}

/* whether the last name in `<class 'numpy.int32'>` is a misspelled element type */
static bool
class_is_misspelled(struct slice s)
{
    size_t end = s.n - strlen("'>"), from = end;
    while (is_word_char(s.at[from - 1]))
        from--;
    struct slice name = {s.at + from, end - from};
    return dtype_find(name) == NONE && dtype_is_misspelled(name);
}

/* `float32`, `dtype('float32')`, `<class 'jax.numpy.float32'>`, `key<fry>`, also types that only later releases have */
static bool
is_dtype(struct slice s)
{
    size_t i = word_until(s, 0);
    if (s.n == 0 || !is_word_start(s.at[0]))
        return slice_eq(s, FLOAT0_PARAM) || (is_class(s) && value_is_object(s) && !class_is_misspelled(s));
    return !is_bool(s) && !is_none(s) && !has_module(s) && s.at[s.n - 1] != ']' &&
           (i == s.n || ((s.at[i] != '(' || slice_starts(s, SLICE("dtype("))) &&
                         value_find(s.at, s.at + s.n, " ") == s.at + s.n && value_is_object(s)));
}

bool
is_count(struct slice s)
{
    return is_int(s) && *value_trim(s).at != '-';
}

/* `(1, 0)`, or a record, `_LinearSolveTuple(matvec=1, solve=0)` */
static bool
is_counts(struct slice s)
{
    struct slice element;
    size_t open = word_until(s, 0);
    if (open == 0)
        return all_elements(s, is_count);
    if (open + 1 >= s.n || s.at[open] != '(' || s.at[s.n - 1] != ')')
        return false;
    for (struct cursor c = {s.at + open + 1, s.at + s.n - 1}; value_element(&c, &element);) {
        const char *equals = memchr(element.at, '=', element.n);
        if (!equals || !is_count((struct slice){equals + 1, (size_t)(element.at + element.n - equals - 1)}))
            return slice_eq(element, SLICE("..."));
    }
    return true;
}

/* `((0, 1), (2, 3))`, groups of the devices of an axis: each index from 0 on occurs once in them (jax/_src/lax/
 * parallel.py, _canonicalize_axis_index_groups); indices from MOST on are only counted */
static bool
is_groups(struct slice s)
{
    enum { MOST = 4096 };
    u64 seen[MOST / 64] = {0}, total = 0, most = 0;
    struct cursor groups = cursor_of(s);
    struct slice group;
    u32 n;
    if (!value_count(s, &n) || n == 0 || !value_open(&groups))
        return false;
    while (value_element(&groups, &group)) {
        struct cursor c = cursor_of(group);
        if (!value_count(group, &n) || !value_open(&c))
            return false;
        for (i64 index; n-- > 0; value_comma(&c), total++) {
            bool truth;
            if (value_bool(&c, &truth) || !value_int(&c, &index) || index < 0 ||
                (index < MOST && seen[index / 64] >> (index % 64) & 1))
                return false;
            if (index < MOST)
                seen[index / 64] |= 1ull << (index % 64);
            most = (u64)index >= most ? (u64)index + 1 : most;
        }
    }
    return most == total;
}

bool
value_is_plain(enum param_role role, struct slice s)
{
    enum { DIGITS = 18 };
    const char *p = s.at, *end = p + s.n;
    switch (role) {
    case ROLE_INT:
    case ROLE_AXIS:
        return s.n == 1 && is_digit(*p);
    case ROLE_OBJECT:
    case ROLE_DTYPE:
    case ROLE_NUMBERS:
        if (is_python_constant(s))
            return role == ROLE_OBJECT;
        while (p < end && is_word_char(*p))
            p++;
        return p == end && (role == ROLE_OBJECT ? s.n == 1 : is_word_start(*s.at));
    case ROLE_BOOL:
    case ROLE_SWITCH:
        return slice_eq(s, SLICE("False")) || slice_eq(s, SLICE("True"));
    case ROLE_SHAPE:
    case ROLE_AXES:
    case ROLE_INTS:
        if (*p++ != '(' || end[-1] != ')' || !(s.n == 2 || memchr(p, ',', s.n - 1)))
            return false;
        while (p < end && is_digit(*p)) {
            const char *from = p;
            while (is_digit(*p))
                p++;
            if (p - from > DIGITS || is_padded(from, p))
                return false;
            p += *p == ',';
            p += *p == ' ' && p[-1] == ',';
        }
        return p == end - 1;
    case ROLE_FLAGS:
        if (*p++ != '(' || end[-1] != ')' || !(s.n == 2 || memchr(p, ',', s.n - 1)))
            return false;
        while (p + 4 < end && (*p == 'F' || *p == 'T')) {
            size_t n = *p == 'F' ? 5 : 4;
            if (p + n >= end || memcmp(p, *p == 'F' ? "False" : "True", n) != 0)
                return false;
            p += n;
            if (*p != ',')
                break;
            p += 1 + (p[1] == ' ');
        }
        return p == end - 1 && p[-1] != ' ';
    default:
        return false;
    }
}

/* whether a textual value is of the kind that a role names */
static bool
text_fits(const struct prim_param *param, struct slice s)
{
    switch ((enum param_role)param->kind) {
    case ROLE_OBJECT:
        return value_is_object(s);
    case ROLE_TEXT:
    case ROLE_JAXPR: /* values without programs */
    case ROLE_JAXPRS:
        return true;
    case ROLE_DTYPE:
        return is_dtype(s);
    case ROLE_NUMBERS:
        return is_dtype(s) && !slice_starts(s, SLICE("key<"));
    case ROLE_SHAPE:
        return all_elements(s, is_dim_or_none);
    case ROLE_AXES:
        return is_axes(s);
    case ROLE_AXIS:
    case ROLE_INT:
        return is_int(s);
    case ROLE_DIM:
        return is_dim(s);
    case ROLE_INTS:
        return is_dims(s);
    case ROLE_PAIRS:
        return all_elements(s, is_dims);
    case ROLE_PERM:
        return all_elements(s, is_pair);
    case ROLE_BOOL:
        return is_flag(s);
    case ROLE_GROUPS:
        return is_groups(s);
    case ROLE_TYPE:
        return is_type(s) && value_is_object(s);
    case ROLE_DIMNUMS:
        return is_dimension_numbers(s) && value_is_object(s);
    case ROLE_AVALS:
        return (all_elements(s, is_type) || slice_starts(s, SLICE("Shape"))) && value_is_object(s);
    case ROLE_SPECS:
        return (all_elements(s, is_spec) || is_spec(s)) && value_is_object(s);
    case ROLE_NAMES:
        return is_name(s) && *s.at != '\'' && (*s.at != '(' || all_elements(s, is_name)) && value_is_object(s);
    case ROLE_NAMEDAXES:
        return all_elements(s, is_name) && value_is_object(s);
    case ROLE_COUNTS:
        return is_counts(s) && value_is_object(s);
    case ROLE_FLAGS:
        return all_elements(s, is_flag);
    case ROLE_RECORD:
        return is_record(s) && !is_set(s) && value_is_object(s) && (param->of.n == 0 || is_named(s, param->of));
    case ROLE_SET:
        return is_set(s) && value_is_object(s);
    case ROLE_TREE:
        return flat_tree_fits(s) && value_is_object(s);
    case ROLE_WORD:
        return is_type(s) && value_find(s.at, s.at + s.n, " =;") == s.at + s.n;
    default:
        return unread_fits(param, s);
    }
}

/* whether a brace or `@` precedes the `lambda` of a text, `{ .. } } lambda`, rather than nothing; unlike a missing
 * brace, it is not reported, and nor is a brace after it */
static bool
follows_sign(struct slice text, const char *lambda)
{
    while (lambda > text.at && is_blank(lambda[-1]))
        lambda--;
    return lambda > text.at && memchr("}])@", lambda[-1], 4) != NULL;
}

/* whether a value that contains programs, `GridMapping(index_map_jaxpr={ lambda .. })`, is a Python value; a tuple of
 * programs contains nothing else */
static bool
mixed_fits(const struct module *m, const struct param *p, const struct prim_param *param)
{
    struct object_scan o = {0};
    bool tuple = param->kind == ROLE_JAXPR || param->kind == ROLE_JAXPRS;
    bool record = tuple && (param->of.n || *param_bytes(m, p).at == '['); /* `_LinearSolveTuple(matvec={ .. },
                                                                             vecmat=None)`, `[{ .. }, None]` */
    u32 opened = 0;
    for (u32 i = p->a; i != NONE; i = m->segments.at[i].next) {
        const struct segment *s = &m->segments.at[i];
        struct slice text = s->kind == SEGMENT_TEXT ? segment_bytes(m, s) : SLICE("");
        const char *lambda = tuple ? memmem(text.at, text.n, "lambda", 6) : NULL;
        if (lambda)
            return !is_word_char(lambda[6]) && *skip_spaces(lambda + 6) != '{' && !follows_sign(text, lambda);
        if (s->kind == SEGMENT_TEXT ? object_read(&o, text) < text.n : !object_program(&o))
            return false;
        for (size_t k = 0; tuple && k < text.n; k++)
            if (strchr(":+-*/'\"0123456789^~%&$!?|;`\\", text.at[k]) ||
                (!record && (is_word_char(text.at[k]) || ((text.at[k] == '(' || text.at[k] == '[') && opened++))))
                return false;
    }
    return object_ends(&o);
}

/* whether every integer of a value is in a range, `0..`, `0..1`, `8..%8`; values without integers are */
static bool
in_range(struct slice range, struct slice s)
{
    struct param_range limits = param_range(range);
    struct slice element = s;
    struct cursor c = cursor_of(s);
    double number;
    bool list = value_open(&c);
    while (!list || value_element(&c, &element)) {
        if (decimal_read(element, &number) && (!(number >= (double)limits.low && number <= (double)limits.high) ||
                                               (limits.step > 1 && (i64)number % limits.step != 0)))
            return false;
        if (!list)
            break;
    }
    return true;
}

/* whether values of a role are objects that may contain programs */
static bool
is_any_object(enum param_role role)
{
    return role == ROLE_OBJECT || role == ROLE_RECORD || role == ROLE_VALUES || role == ROLE_REPR ||
           role == ROLE_MAPPING;
}

/* whether a text is `None` in another case, with letters inside, `Nojjne`, or as other programs write it */
static bool
is_damaged_none(struct slice s)
{
    enum { LONGEST = 8 };
    struct slice none = SLICE("None");
    if (s.n == none.n + 2 && *s.at == '<' && s.at[s.n - 1] == '>') /* `<none>` */
        s = (struct slice){s.at + 1, none.n};
    return word_is_recased(s, none) || slice_eq(s, SLICE("null")) ||
           (s.n > none.n && s.n <= LONGEST && word_is_within(s, none));
}

bool
value_fits(const struct module *m, const struct param *p, const struct prim_param *param)
{
    bool program = p->kind == PARAM_JAXPR || p->kind == PARAM_SHARED, wanted = param->kind == ROLE_JAXPR,
         several = param->kind == ROLE_JAXPRS;
    if (wanted || several)
        if (program || (p->kind != PARAM_TEXT && p->a != NONE))
            return program == wanted &&
                   (program || p->kind != PARAM_MIXED ||
                    (mixed_fits(m, p, param) && (!param->of.n || is_named(param_bytes(m, p), param->of))));
    if (p->kind == PARAM_MIXED && p->a != NONE && is_any_object(param->kind))
        return mixed_fits(m, p, param) &&
               (param->kind != ROLE_RECORD || !param->of.n || is_named(param_bytes(m, p), param->of));
    if (param->kind == ROLE_OBJECT && p->kind != PARAM_TEXT)
        return true;
    if (p->kind != PARAM_TEXT && !(p->kind == PARAM_TUPLE && p->a == NONE))
        return false;
    struct slice text = value_trim(param_bytes(m, p));
    if (!param->nullable && !role_may_lack(param->kind) && !param->optional && !param->identifying && is_none(text))
        return false; /* nor is it printed as None, which the canonical form omits */
    if (likely(text.n && param->of.n == 0 && value_is_plain(param->kind, text)))
        return true;
    if ((param->kind != ROLE_TEXT && (param->kind != ROLE_WORD || param->nullable) && value_is_cut(text)) ||
        (param->nullable && is_damaged_none(text)))
        return false;
    if (slice_eq(text, SLICE("...")) || (text.n > 4 && memcmp(text.at + text.n - 4, " ...", 4) == 0) ||
        (param->nullable && is_none(text)) || (param->word.n && slice_eq(text, param->word)))
        return true;
    if (wanted || several)
        return (several && slice_eq(text, SLICE("()"))) || p->span.at == 0; /* its program was not read to its end */
    bool lost = param->kind != ROLE_TEXT && slice_ends(text, SLICE(", )")); /* an entry */
    return !lost && text_fits(param, text) && (!role_has_range(param->kind) || in_range(param->of, text));
}

bool
value_may_be_angled(const struct prim_param *param)
{
    return text_fits(param, SLICE("<X object at 0x7f01>"));
}

struct slice
value_odd_entry(struct mem *mem, const struct prim_param *param, struct slice text)
{
    struct slice entry, odd = SLICE("");
    size_t open = word_until(text, 0);
    u32 fit = 0, others = 0;
    if (open + 1 >= text.n || !strchr("([", text.at[open]))
        return odd;
    for (struct cursor c = {text.at + open + 1, text.at + text.n - 1}; others < 2 && value_element(&c, &entry);) {
        const char *value = value_find(entry.at, entry.at + entry.n, "=");
        value = open && value < entry.at + entry.n ? value + 1 : entry.at;
        struct slice whole = arena_printf(mem, "(%.*s,)", (int)(entry.at + entry.n - value), value);
        bool fits = param->kind == ROLE_RECORD ? value_is_object(whole) : text_fits(param, whole);
        fit += fits;
        others += !fits;
        odd = fits ? odd : entry;
    }
    bool listed = fit || (open == 0 && text_fits(param, SLICE("()"))); /* values of this role have entries */
    return listed && others == 1 ? odd : SLICE("");
}
