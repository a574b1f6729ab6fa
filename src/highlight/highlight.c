/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules in the order of editors/generate: the first that matches wins. A rule can read the whole line, and looks
 * at most a space or a name ahead. */
#include "highlight/highlight.h"

#include "base/chars.h"
#include "highlight/words.h"

#include <stdlib.h>

static const char *const styles[] = {
#define CLASS(id, style, ...) style,
#include "classes.def"
#undef CLASS
    "",
};

const char *class_style(enum word_class class)
{
    return styles[class];
}

static int
compare_word(const void *key, const void *element)
{
    const struct slice *word = key;
    struct slice other = slice_of(*(const char *const *)element);
    int order = memcmp(word->at, other.at, word->n < other.n ? word->n : other.n);
    return order != 0 ? order : (word->n > other.n) - (word->n < other.n);
}

/* whether a sorted list of words contains this one */
#define HAS(list, word) (bsearch(&(word), list, countof(list), sizeof *(list), compare_word) != NULL)

static enum word_class
primitive_class(struct slice name)
{
    return HAS(control, name) ? WORD_control : HAS(primitives, name) ? WORD_primitive : WORD_function;
}

/* whether the text before `end` ends with the key of a parameter whose value is a program */
static bool
is_program_key(const char *start, const char *end)
{
    for (size_t i = 0; i < countof(program_keys); i++) {
        size_t n = strlen(program_keys[i]);
        if ((size_t)(end - start) >= n && memcmp(end - n, program_keys[i], n) == 0)
            return true;
    }
    return false;
}

/* true for the ASCII characters of names: the rules know no others */
static bool
is_name_char(char c)
{
    return (u8)c < 0x80 && is_word_char(c);
}

static bool
is_space(char c)
{
    return is_blank(c) || c == '\f' || c == '\v';
}

static bool
starts(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

/* whether `word` directly precedes p */
static bool
after(const struct highlight *h, const char *p, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(p - h->line) >= n && memcmp(p - n, word, n) == 0;
}

static bool
after_blank(const struct highlight *h, const char *p)
{
    return p == h->line || is_space(p[-1]);
}

static bool
alone(const struct highlight *h, const char *p)
{
    return p == h->line || !(is_name_char(p[-1]) || p[-1] == '.');
}

static const char *
name_end(const char *p, const char *end)
{
    while (p < end && is_name_char(*p))
        p++;
    return p;
}

static const char *
full_word_end(const char *p, const char *end)
{
    if (p < end && is_word_start(*p))
        for (p++; p < end && is_word_char(*p);)
            p++;
    return p;
}

static const char *
primitive_end(const char *p, const char *end)
{
    if (p < end && is_word_start(*p) && *p != '*')
        for (p++; p < end && (is_word_char(*p) || *p == '.' || *p == '-');)
            p++;
    return p;
}

static const char *
skip_on_line(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* the end of the string at p, or p if there is none */
static const char *
string_end(const char *p, const char *end)
{
    char quote = p < end ? *p : 0;
    if (quote != '\'' && quote != '"')
        return p;
    for (const char *q = p + 1; q < end; q++) {
        if (*q == quote)
            return q + 1;
        q += *q == '\\';
    }
    return p;
}

/* the end of a Python string, possibly with a prefix such as `b` */
static const char *
any_string_end(const struct highlight *h, const char *p)
{
    if (p == h->line || !is_name_char(p[-1]))
        for (int letters = 1; letters <= 2; letters++) {
            if (h->end - p <= letters || strchr("bBuUrR", p[letters - 1]) == NULL)
                break;
            const char *q = string_end(p + letters, h->end);
            if (q > p + letters)
                return q;
        }
    return string_end(p, h->end);
}

/* the end of the type name at p, or p */
static const char *
type_end(const char *p, const char *end)
{
    const char *q = name_end(p, end);
    struct slice name = {p, (size_t)(q - p)};
    if (q > p && HAS(dtypes, name))
        return q;
    const char *w = full_word_end(p, end);
    if (w > p && w < end && strchr("[{<(", *w))
        return w;
    return p < end && *p >= 'A' && *p <= 'Z' ? q : p;
}

/* the end of the keyword at p, or p if there is none */
static const char *
keyword_end(const struct highlight *h, const char *p)
{
    const char *end = h->end, *q = full_word_end(p, end);
    bool ends = q == end || is_space(*q);
    size_t n = (size_t)(q - p);
    if (n == 6 && starts(p, end, "lambda") && after(h, p, "{ ") && ends)
        return q;
    if (n == 3 && starts(p, end, "let") && (p == h->line || after(h, p, ". ")) && ends)
        return q;
    if (n != 2 || !starts(p, end, "in") || !after_blank(h, p))
        return p;
    const char *next = skip_on_line(q, end);
    bool fits = next == end || (next > q && (*next == '(' || *next == '{' ||
                                             (starts(next, end, "let") && next + 3 < end && is_space(next[3]))));
    return fits ? q : p;
}

/* the end of the name at p that `let NAME = {` binds to a shared program, or p */
static const char *
bound_program_end(const struct highlight *h, const char *p)
{
    bool let = after(h, p, "let ") && (p - 4 == h->line || is_space(p[-5]));
    const char *q = full_word_end(p, h->end);
    return let && starts(q, h->end, " = {") ? q : p;
}

static const char *
meant_program_end(const struct highlight *h, const char *p)
{
    const char *q = full_word_end(p, h->end);
    if (q == p || p == h->line || p[-1] != '=' || !(q == h->end || is_space(*q) || *q == ']'))
        return p;
    return is_program_key(h->line, p - 1) ? q : p;
}

static const char *
constant_end(const struct highlight *h, const char *p)
{
    static const char *const words[] = {"True", "False", "None", "inf", "nan", "-inf", "-nan"};
    for (size_t i = 0; alone(h, p) && i < countof(words); i++) {
        const char *q = p + strlen(words[i]);
        if (starts(p, h->end, words[i]) && !(q < h->end && (is_name_char(*q) || *q == '(' || *q == '=')))
            return q;
    }
    return p;
}

/* the end of the element type at p if it is a value, as in `new_dtype=float32`, or p */
static const char *
dtype_end(const struct highlight *h, const char *p)
{
    const char *q = name_end(p, h->end);
    bool number = false;
    for (const char *c = p; c < q; c++)
        number |= is_digit(*c);
    bool ends = q == h->end || is_space(*q) || strchr("[,)]", *q);
    struct slice name = {p, (size_t)(q - p)};
    return number && ends && alone(h, p) && HAS(dtypes, name) ? q : p;
}

/* the end of the name at p directly before its parameters, or p */
static const char *
opened_end(const struct highlight *h, const char *p)
{
    const char *q = primitive_end(p, h->end);
    if (q == p || q == h->end || *q != '[' || !after_blank(h, p))
        return p;
    const char *key = full_word_end(q + 1, h->end);
    bool opens = skip_on_line(q + 1, h->end) == h->end || (key > q + 1 && key < h->end && *key == '=');
    return opens ? q : p;
}

static const char *
key_end(const struct highlight *h, const char *p)
{
    const char *q = full_word_end(p, h->end);
    bool key = q > p && q < h->end && *q == '=' && alone(h, p) && (q + 1 == h->end || !(q[1] == '=' || is_space(q[1])));
    return key ? q : p;
}

static const char *
number_end(const struct highlight *h, const char *p)
{
    const char *end = h->end, *q = p + (*p == '-');
    if (!alone(h, p) || q == end || !is_digit(*q))
        return p;
    for (q++; q < end;) {
        if ((*q == 'e' || *q == 'E') && end - q > 2 && (q[1] == '+' || q[1] == '-') && is_digit(q[2]))
            q += 3;
        else if (is_name_char(*q) || *q == '.')
            q++;
        else
            break;
    }
    return q;
}

static const char *
operator_end(const struct highlight *h, const char *p)
{
    if (starts(p, h->end, "<-") || starts(p, h->end, "->") || starts(p, h->end, "+="))
        return p + 2;
    return p + (*p == '=');
}

/* the rules that precede those for words: returns the end of the match at p and sets *class, or returns p */
static const char *
find_marked(const struct highlight *h, const char *p, enum word_class *class)
{
    const char *q;
    *class = WORD_comment;
    if (*p == '#' && after_blank(h, p))
        return h->end;
    *class = WORD_string;
    if ((q = any_string_end(h, p)) > p)
        return q;
    *class = WORD_constant;
    return *p == '-' ? constant_end(h, p) : p;
}

/* the rules for words, in the same way */
static const char *
find_word(const struct highlight *h, const char *p, enum word_class *class)
{
    static const struct {
        enum word_class class;
        const char *(*end)(const struct highlight *, const char *);
    } rules[] = {
        {WORD_keyword, keyword_end},
        {WORD_program, bound_program_end},
        {WORD_constant, constant_end},
        {WORD_program, meant_program_end},
    };
    const char *q = p;
    for (size_t i = 0; i < countof(rules) && q == p; i++) {
        *class = rules[i].class;
        q = rules[i].end(h, p);
    }
    if (q > p)
        return q;
    const char *word = full_word_end(p, h->end);
    *class = WORD_binder;
    if (alone(h, p) && word < h->end && *word == ':' && type_end(word + 1, h->end) > word + 1)
        return word;
    *class = WORD_type;
    bool typed = p - h->line > 1 && p[-1] == ':' && (is_name_char(p[-2]) || strchr(".*)]", p[-2]));
    if (typed && (q = type_end(p, h->end)) > p)
        return q;
    if ((q = dtype_end(h, p)) > p)
        return q;
    q = after(h, p, " = ") ? primitive_end(p, h->end) : opened_end(h, p);
    if (q > p) {
        *class = primitive_class((struct slice){p, (size_t)(q - p)});
        return q;
    }
    *class = WORD_key;
    if ((q = key_end(h, p)) > p)
        return q;
    *class = WORD_variable;
    return word;
}

bool
highlight_next(struct highlight *h, struct slice *word, enum word_class *class)
{
    const char *p = h->at, *q = p;
    if (p >= h->end)
        return false;
    while (q < h->end && is_space(*q))
        q++;
    *class = WORD_none;
    if (q == p)
        q = find_marked(h, p, class);
    if (q == p && is_word_start(*p))
        q = find_word(h, p, class);
    if (q == p) {
        *class = WORD_number;
        q = number_end(h, p);
    }
    if (q == p) {
        *class = WORD_operator;
        q = operator_end(h, p);
    }
    if (q == p) {
        *class = WORD_punctuation;
        q = p + 1;
    }
    *word = (struct slice){p, (size_t)(q - p)};
    h->at = q;
    return true;
}
