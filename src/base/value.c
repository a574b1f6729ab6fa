/* SPDX-License-Identifier: Apache-2.0
 *
 * A hand-written reader of Python's printed values: numbers, tuples, named tuples. It counts the depth and does not
 * recurse, so a value nested a million deep costs only its length. */
#include "base/value.h"

#include "base/chars.h"
#include "base/decimal.h"
#include "base/lexical.h"

struct cursor
cursor_inside(struct slice s)
{
    struct cursor c = cursor_of(s);
    value_open(&c);
    return c;
}

size_t
bracket_end(struct slice s, size_t i)
{
    for (int depth = 0; i < s.n; i++) {
        int step = bracket_step(s.at[i]);
        depth += depth || step > 0 ? step : 0;
        if (depth == 0)
            return i;
    }
    return s.n;
}

/* the first of the n bytes `stops` outside brackets and strings; inline, so that known bytes cost a comparison each */
static inline const char *
find(const char *p, const char *end, const char *stops, size_t n)
{
    for (size_t depth = 0; p < end; p++) {
        char c = *p;
        if (is_word_char(c))
            continue;
        for (size_t i = 0; depth == 0 && i < n; i++)
            if (c == stops[i])
                return p;
        int step = bracket_step(c);
        if (c == '\'' || c == '"')
            p = quoted_end(p, end) - 1;
        else if (step > 0 || depth)
            depth += (size_t)step;
    }
    return p;
}

const char *
value_find(const char *p, const char *end, const char *stops)
{
    return find(p, end, stops, strlen(stops));
}

void
value_blanks(struct cursor *c)
{
    while (c->p < c->end && is_blank(*c->p))
        c->p++;
}

bool
value_word(struct cursor *c, const char *word)
{
    size_t n = strlen(word);
    struct cursor at = *c;
    value_blanks(&at);
    if ((size_t)(at.end - at.p) < n || memcmp(at.p, word, n) != 0)
        return false;
    c->p = at.p + n;
    return true;
}

bool
value_open(struct cursor *c)
{
    return value_word(c, "(") || value_word(c, "[");
}

bool
value_close(struct cursor *c)
{
    return value_word(c, ")") || value_word(c, "]");
}

bool
value_comma(struct cursor *c)
{
    return value_word(c, ",");
}

bool
value_done(struct cursor *c)
{
    value_blanks(c);
    return c->p == c->end;
}

/* reads digits with an optional minus sign; false on overflow or leading zeros */
static bool
digits(struct cursor *c, i64 *out)
{
    const char *p = c->p;
    bool minus = p < c->end && *p == '-';
    p += minus;
    if (p == c->end || *p < '0' || *p > '9' || is_padded(p, c->end))
        return false;
    i64 value = 0;
    for (; p < c->end && is_digit(*p); p++)
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value))
            return false;
    c->p = p;
    *out = minus ? -value : value;
    return true;
}

/* true if an identifier cannot continue here */
static bool
word_ends(const struct cursor *c)
{
    if (c->p == c->end)
        return true;
    return !is_word_char(*c->p) && *c->p != '.';
}

bool
value_bool(struct cursor *c, bool *out)
{
    struct cursor at = *c;
    value_word(&at, "np.");
    bool yes = value_word(&at, "True");
    if (!yes && !value_word(&at, "False"))
        return false;
    if (at.p < at.end && *at.p == '_')
        at.p++;
    if (!word_ends(&at))
        return false;
    *out = yes;
    *c = at;
    return true;
}

bool
value_truth(struct slice text, bool *out)
{
    struct cursor c = cursor_of(text);
    if (value_bool(&c, out))
        return value_done(&c);
    double number = 0;
    bool read = decimal_read(text, &number) || slice_eq(text, SLICE("None"));
    *out = number != 0;
    return read;
}

const char numpy_integers[] = "int8 int16 int32 int64 intp uint8 uint16 uint32 uint64";
const char numpy_floats[] = "float16 float32 float64";

/* reads a member of an enumeration of integers, `<Axis.ROW: 1>` */
static bool
enum_member(struct cursor *c, i64 *out)
{
    struct cursor at = *c;
    if (!value_word(&at, "<"))
        return false;
    while (at.p < at.end && (is_word_char(*at.p) || *at.p == '.'))
        at.p++;
    if (!value_word(&at, ": ") || !digits(&at, out) || !value_word(&at, ">"))
        return false;
    *c = at;
    return true;
}

bool
value_int(struct cursor *c, i64 *out)
{
    struct cursor at = *c;
    value_blanks(&at);
    bool yes;
    if (at.p < at.end && (*at.p == '-' || is_digit(*at.p))) {
        if (!digits(&at, out) || !word_ends(&at))
            return false;
        *c = at;
        return true;
    }
    if (value_bool(&at, &yes)) {
        *out = yes;
        *c = at;
        return true;
    }
    if (!value_word(&at, "np."))
        return enum_member(c, out);
    struct slice type = {at.p, 0};
    while (at.p < at.end && is_word_char(*at.p))
        at.p++;
    type.n = (size_t)(at.p - type.at);
    if (!words_have(numpy_integers, type) || !value_word(&at, "(") || !digits(&at, out) || !value_word(&at, ")"))
        return false;
    *c = at;
    return true;
}

bool
value_ints(struct slice value, i64 *at, u32 most, u32 *n)
{
    struct cursor c = cursor_of(value);
    *n = 0;
    if (!value_open(&c))
        return false;
    while (!value_close(&c)) {
        if (*n == most || !value_int(&c, &at[*n]))
            return false;
        ++*n;
        value_comma(&c);
    }
    return value_done(&c);
}

/* what a printed array contains, `[1, 2]` of `array([1, 2])` and `1` of `Array(1, dtype=int32)`; other texts as they
 * are. JAX before 0.5 prints arrays that users pass in place of tuples of integers */
static struct slice
without_array(struct slice s)
{
    size_t n = strlen("array(");
    if (s.n <= n || (memcmp(s.at, "array(", n) != 0 && memcmp(s.at, "Array(", n) != 0) || s.at[s.n - 1] != ')')
        return s;
    const char *end = find(s.at + n, s.at + s.n, ",)", 2);
    return (struct slice){s.at + n, (size_t)(end - s.at - (ptrdiff_t)n)};
}

bool
value_element(struct cursor *c, struct slice *out)
{
    value_blanks(c);
    const char *start = c->p;
    c->p = find(start, c->end, ",)]}", 4);
    if (c->p == start)
        return false;
    *out = without_array(value_trim((struct slice){start, (size_t)(c->p - start)}));
    value_comma(c);
    return true;
}

bool
value_item(struct cursor *c, struct slice *out)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == ','))
        c->p++;
    const char *start = c->p;
    c->p = value_find(start, c->end, ", ");
    *out = (struct slice){start, (size_t)(c->p - start)};
    return out->n > 0;
}

bool
value_field(struct slice value, const char *field, struct slice *out)
{
    const char *open = memchr(value.at, '(', value.n);
    if (!open)
        return false;
    struct cursor c = {open + 1, value.at + value.n};
    size_t n = strlen(field);
    struct slice element;
    while (value_element(&c, &element)) {
        if (element.n > n && element.at[n] == '=' && memcmp(element.at, field, n) == 0) {
            *out = (struct slice){element.at + n + 1, element.n - n - 1};
            return true;
        }
    }
    return false;
}

bool
value_count(struct slice value, u32 *out)
{
    struct cursor c = cursor_of(value);
    struct slice element;
    u32 count = 0;
    if (!value_open(&c))
        return false;
    while (value_element(&c, &element))
        count++;
    if (!value_close(&c) || !value_done(&c))
        return false;
    *out = count;
    return true;
}

bool
value_lacks_comma(struct slice value)
{
    const char *last = value.at + value.n - 2;
    while (is_blank(*last))
        last--;
    return *value.at == '(' && *last != ',';
}

bool
value_has(struct slice elements, struct slice element)
{
    struct cursor c = cursor_of(elements);
    struct slice one;
    while (value_element(&c, &one))
        if (slice_eq(one, element))
            return true;
    return false;
}

bool
value_alike(struct slice a, struct slice b)
{
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a.n && a.at[i] == ' ')
            i++;
        while (k < b.n && b.at[k] == ' ')
            k++;
        if (i == a.n || k == b.n || a.at[i] != b.at[k])
            return i == a.n && k == b.n;
    }
}

struct slice
value_trim(struct slice s)
{
    while (s.n && (s.at[0] == ' ' || s.at[0] == '\n'))
        s.at++, s.n--;
    while (s.n && (s.at[s.n - 1] == ' ' || s.at[s.n - 1] == '\n'))
        s.n--;
    return s;
}

/* passes the digits of a number; *large is set if it is 2^64 or more */
static bool
read_digits(struct cursor *c, u64 *out, bool *large)
{
    value_blanks(c);
    const char *start = c->p;
    u64 n = 0;
    for (; c->p < c->end && (is_digit(*c->p) || (*c->p == '_' && c->p > start)); c->p++)
        if (*c->p != '_' && !*large)
            *large = __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, (u64)(*c->p - '0'), &n);
    *out = n;
    return c->p > start;
}

bool
value_number(struct cursor *c, u64 *out)
{
    bool large = false;
    return read_digits(c, out, &large) && !large;
}

/* the same for a size with an exponent or a unit; false if the text is not one */
static bool
read_size(struct slice text, u64 *out, bool *large)
{
    static const char units[] = "KMGT";
    struct cursor c = {text.at, text.at + text.n};
    u64 zeros = 0;
    if (!read_digits(&c, out, large) || (value_word(&c, "e") && !read_digits(&c, &zeros, large)))
        return false;
    for (; zeros > 0 && *out > 0 && !*large; zeros--)
        *large = __builtin_mul_overflow(*out, 10, out);
    value_blanks(&c);
    const char *unit = c.p < c.end ? memchr(units, *c.p & ~32, 4) : NULL;
    if (unit) {
        u32 shift = 10 * (u32)(unit - units + 1);
        *large |= *out > UINT64_MAX >> shift;
        *out <<= shift;
        c.p++;
        value_word(&c, "iB");
    }
    return value_done(&c);
}

bool
value_size(struct slice text, u64 *out)
{
    bool large = false;
    return read_size(text, out, &large) && !large;
}

bool
value_size_too_large(struct slice text)
{
    bool large = false;
    u64 n;
    return read_size(text, &n, &large) && large;
}

bool
value_is_whole(const char *from, const char *p)
{
    struct slice text = {from, (size_t)(p - from)};
    if (text.n == 0)
        return false;
    if (bracket_step(*from) > 0)
        return p[-1] == (*from == '(' ? ')' : *from == '[' ? ']' : '}');
    if (is_python_constant(text))
        return true;
    for (size_t i = 0; i < text.n; i++)
        if (!is_digit(text.at[i]) && text.at[i] != '.' && !(i == 0 && text.at[i] == '-' && text.n > 1))
            return false;
    return true;
}

bool
key_leads(struct slice key)
{
    return slice_eq(key, SLICE("name"));
}
