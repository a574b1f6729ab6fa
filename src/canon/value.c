/* SPDX-License-Identifier: Apache-2.0
 *
 * One spelling for the values of parameters. The following are known to mean the same: spaces and line ends; lists and
 * tuples; numpy scalars and numbers; `dtype('float32')`, `<class 'jax.numpy.float32'>` and float32; PartitionSpec and
 * P; an enum with and without its number; sets in any order; addresses and ids of objects. Fields with defaults
 * (spellings.def) are removed. Never changed: order and sign of axes, strings, the name of float0, other text in
 * `<..>`, and what cannot be read. One pass over the bytes, and one more for fields. */
#include "canon/spelling.h"

#include "base/lexical.h"
#include "base/value.h"
#include "rewrite/values.h"

#include <stdlib.h>

enum {
    LEAST_ID = 8,      /* a number of at least this many digits is an object's id, not one that somebody chose */
    DEEPEST_SORT = 32, /* sets inside sets are sorted to this depth, so that time stays linear */
};

/* An open bracket: where its elements begin in the output, and after which of the stored commas. */
struct opened {
    char bracket;
    bool gone;  /* removed with a wrapper: np.int64( */
    bool index; /* it follows a word and is not a list: float32[4] */
    bool dict;  /* it contains a `:` at its own level; the order of a mesh's axes matters */
    size_t at;
    u32 commas;
};

struct spelling {
    struct mem *mem;
    struct sink *out;
    const char *start, *p, *end;
    bool container; /* a tuple or list: written with round brackets */
    bool uneven;    /* unbalanced brackets or a stray comma: the text is not a Python value */
    bool unclosed;  /* a `<` is not closed, and later ones are not either: the search is not repeated */
    VEC(struct opened) opened;
    VEC(size_t) commas;     /* of the open braces */
    struct slices elements; /* of the set being sorted */
};

static bool
is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == 'X';
}

static bool
at_word(const struct spelling *s, struct slice word)
{
    return (size_t)(s->end - s->p) >= word.n && memcmp(s->p, word.at, word.n) == 0;
}

/* removes the wrapper of a value: `np.int64(`, `dtype('`, `<class 'jax.numpy.`; true if one was removed */
static bool
unwrap(struct spelling *s)
{
    const char *q = s->p;
    if (at_word(s, SLICE("np."))) {
        for (q += 3; q < s->end && is_word_char(*q); q++)
            ;
        if (s->end - q > 1 && *q == '(' && q[1] != '[' && q[1] != '(') { /* a scalar, not an array */
            *vec_push(s->mem, &s->opened) = (struct opened){.bracket = '(', .gone = true, .at = s->out->n};
            s->p = q + 1;
            return true;
        }
        if (q[-1] == '_') { /* np.True_ */
            sink_write(s->out, s->p + 3, (size_t)(q - s->p) - 4);
            s->p = q;
            return true;
        }
        return false;
    }
    static const struct slice quoted[] = {SLICE("dtype('"), SLICE("<class 'jax.numpy."), SLICE("<class 'numpy."),
                                          SLICE("<class 'ml_dtypes.")};
    for (u32 i = 0; i < countof(quoted); i++) {
        if (!at_word(s, quoted[i]))
            continue;
        for (q += quoted[i].n; q < s->end && is_word_char(*q); q++)
            ;
        if (s->end - q < 2 || *q != '\'' || q[1] != (i == 0 ? ')' : '>'))
            return false;
        sink_write(s->out, s->p + quoted[i].n, (size_t)(q - s->p) - quoted[i].n);
        s->p = q + 2;
        return true;
    }
    if (at_word(s, SLICE("dtype("))) {
        for (q += 6; q < s->end && is_word_char(*q); q++)
            ;
        if (q >= s->end || *q != ')')
            return false;
        sink_write(s->out, s->p + 6, (size_t)(q - s->p) - 6);
        s->p = q + 1;
        return true;
    }
    return false;
}

/* `<Precision.HIGH: 1>` is Precision.HIGH */
static bool
unwrap_enum(struct spelling *s)
{
    const char *q = s->p + 1, *name = q;
    while (q < s->end && (is_word_char(*q) || *q == '.'))
        q++;
    if (q == name || s->end - q < 4 || q[0] != ':' || q[1] != ' ')
        return false;
    const char *digits = q + 2, *d = digits;
    while (d < s->end && is_digit(*d))
        d++;
    if (d == digits || d >= s->end || *d != '>')
        return false;
    sink_write(s->out, name, (size_t)(q - name));
    s->p = d + 1;
    return true;
}

/* the length of the type name of a set or dict, with its bracket, at q; 0 if there is none */
static size_t
set_word(const char *q, const char *end)
{
    static const struct slice called[] = {SLICE("frozenset("), SLICE("FrozenDict("), SLICE("set(")};
    for (u32 i = 0; i < countof(called); i++)
        if ((size_t)(end - q) > called[i].n && memcmp(q, called[i].at, called[i].n) == 0)
            return called[i].n;
    return 0;
}

/* removes the type name of a set or dict; true if one was removed */
static bool
plain_set(struct spelling *s)
{
    size_t n = set_word(s->p, s->end);
    const char *q = s->p + n;
    while (n && q < s->end && is_blank(*q))
        q++;
    if (n && q < s->end && *q == ')') { /* set() */
        sink_write(s->out, "{}", 2);
        s->p = q + 1;
        return true;
    }
    if (n == 0 || q == s->end || (*q != '{' && set_word(q, s->end) == 0))
        return false;
    *vec_push(s->mem, &s->opened) = (struct opened){.bracket = '(', .gone = true, .at = s->out->n};
    s->p = q;
    return true;
}

/* the word at p, cut after `0x` if it is an address, whose digits people replace: `0xXXXX`, `0x***` */
static struct slice
take_word(struct spelling *s)
{
    const char *word = s->p;
    while (s->p < s->end && is_word_char(*s->p))
        s->p++;
    struct slice text = {word, (size_t)(s->p - word)};
    if (text.n > 6 && text.at[0] == '0' && text.at[1] == 'x') {
        size_t i = 2;
        while (i < text.n && is_hex(text.at[i]))
            i++;
        if (i == text.n)
            text.n = 2;
    }
    while (slice_eq(text, SLICE("0x")) && s->p < s->end && *s->p == '*')
        s->p++;
    return text;
}

static void
write_word(struct spelling *s)
{
    struct slice text = take_word(s);
    if (slice_eq(text, SLICE("PartitionSpec")) && s->p < s->end && *s->p == '(') {
        text = SLICE("P");
    }
    sink_slice(s->out, text);
    if (slice_eq(text, SLICE("id")) && s->p < s->end && *s->p == '=') { /* Var(id=140512345678912) */
        const char *q = s->p + 1;
        while (q < s->end && is_digit(*q))
            q++;
        if (q - s->p > LEAST_ID) {
            sink_write(s->out, "=0", 2);
            s->p = q;
        }
    }
}

/* true if a value is a single string on one line, whose spaces are significant */
static bool
is_string(struct slice value)
{
    return value.n > 1 && (*value.at == '\'' || *value.at == '"') && value.at[value.n - 1] == *value.at &&
           quoted_end(value.at, value.at + value.n - 1) == value.at + value.n - 1 &&
           memchr(value.at, '\n', value.n) == NULL;
}

static void
write_string(struct spelling *s)
{
    const char *from = s->p;
    s->p = quoted_end(s->p, s->end);
    sink_write(s->out, from, (size_t)(s->p - from));
}

/* the text of an object, `<Foo(1, 2)[0]>`, whose class may print anything, without addresses; false if `<` begins none
 */
static bool
write_object(struct spelling *s)
{
    const char *end = s->unclosed ? s->p : skip_angles(s->p, s->end);
    s->unclosed |= end == s->p;
    if (end == s->p)
        return false;
    while (s->p < end)
        if (is_word_char(*s->p))
            sink_slice(s->out, take_word(s));
        else
            sink_char(s->out, *s->p++);
    return true;
}

/* sorts the elements of a set at the end of out */
static void
sort_set(struct spelling *s, const struct opened *set)
{
    struct sink *out = s->out;
    size_t start = set->at;
    bool sorted = true;
    s->elements.n = 0;
    for (u32 i = set->commas; i <= s->commas.n; i++) {
        size_t end = i < s->commas.n ? s->commas.at[i] : out->n;
        while (start < end && out->at[start] == ' ')
            start++;
        *vec_push(s->mem, &s->elements) = (struct slice){out->at + start, end - start};
        start = end + 1;
        sorted = sorted && (s->elements.n == 1 ||
                            slice_order(&s->elements.at[s->elements.n - 2], &s->elements.at[s->elements.n - 1]) <= 0);
    }
    if (sorted)
        return;
    struct sink text;
    sink_init_memory(&text, s->mem);
    qsort(s->elements.at, s->elements.n, sizeof *s->elements.at, slice_order);
    sink_list(&text, s->elements.at, s->elements.n);
    out->n = set->at;
    sink_write(out, text.at, text.n);
    mem_free(s->mem, text.at);
}

static void
write_open(struct spelling *s)
{
    bool index = s->p > s->start && is_word_char(s->p[-1]);
    char c = *s->p++;
    sink_char(s->out, s->container && c == '[' && !index ? '(' : c);
    *vec_push(s->mem, &s->opened) =
        (struct opened){.bracket = c, .index = index, .at = s->out->n, .commas = s->commas.n};
}

/* a closing bracket: drops the comma and spaces before it, and the bracket itself if its wrapper was removed */
static void
write_close(struct spelling *s)
{
    char c = *s->p++;
    char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (s->opened.n == 0 || s->opened.at[s->opened.n - 1].bracket != opening) {
        s->uneven = true;
        return;
    }
    const struct opened *o = &s->opened.at[--s->opened.n];
    size_t n = s->out->n;
    while (s->out->n > o->at && (s->out->at[s->out->n - 1] == ' ' || s->out->at[s->out->n - 1] == ','))
        s->out->n--;
    s->uneven |= s->out->n == o->at && memchr(s->out->at + o->at, ',', n - o->at) != NULL; /* `(,)` */
    if (o->gone)
        return;
    if (c == '}') {
        while (s->commas.n > o->commas && s->commas.at[s->commas.n - 1] >= s->out->n)
            s->commas.n--;
        if (s->commas.n > o->commas && !o->dict && s->opened.n < DEEPEST_SORT)
            sort_set(s, o);
        s->commas.n = o->commas;
    }
    sink_char(s->out, s->container && c == ']' && !o->index ? ')' : c);
}

/* collapses spaces to one; none after an opening bracket, before a comma or before a closing bracket */
static void
write_blank(struct spelling *s, size_t from)
{
    const struct opened *o = s->opened.n ? &s->opened.at[s->opened.n - 1] : NULL;
    while (s->p < s->end && is_blank(*s->p))
        s->p++;
    if (s->out->n == from || s->out->at[s->out->n - 1] == ' ' || s->p == s->end)
        return;
    if (o && o->index && o->bracket == '[' && s->out->at[s->out->n - 1] == ',') /* `float32[8, 4]` is float32[8,4] */
        return;
    if (o && s->out->at[s->out->n - 1] == '=') /* a field, whose default is removed */
        return;
    if (o == NULL || (s->out->n > o->at && memchr(",)]}", *s->p, 4) == NULL))
        sink_char(s->out, ' ');
}

/* a comma, followed by a space in a tuple or list (not in `f32[3,4]`) */
static void
write_comma(struct spelling *s)
{
    const struct opened *o = s->opened.n ? &s->opened.at[s->opened.n - 1] : NULL;
    if (o && o->bracket == '{')
        *vec_push(s->mem, &s->commas) = s->out->n;
    sink_char(s->out, ',');
    s->p++;
    if (o && s->container && !(o->index && o->bracket == '['))
        sink_char(s->out, ' ');
}

/* true for the lines of numpy's arrays, `[[0 1]\n [2 3]]`, which are neither lists nor tuples: numbers with spaces
 * between them; `[2*b - 1]` is a size */
static bool
is_array(struct slice value)
{
    bool apart = false;
    char last = 0; /* before the spaces */
    for (size_t i = 0; i < value.n && value.at[0] == '['; i++) {
        char c = value.at[i], next = i + 1 < value.n ? value.at[i + 1] : ']';
        if (memchr(",<({'=*", c, 7) != NULL || ((c == '-' || c == '+') && is_blank(next)))
            return false;
        apart |= is_blank(c) && last != '[' && !is_blank(next) && next != ']';
        last = is_blank(c) ? last : c;
    }
    return apart;
}

static void
spell(struct spelling *s, size_t from)
{
    while (s->p < s->end && !s->uneven) {
        char c = *s->p;
        bool fresh = s->out->n == from || !is_word_char(s->out->at[s->out->n - 1]);
        if ((c == '\'' || c == '"') && s->opened.n > 0) {
            write_string(s);
        } else if (fresh && (c == 'n' || c == 'd' || c == '<') && unwrap(s)) {
            continue;
        } else if (c == '<' && unwrap_enum(s)) {
            continue;
        } else if (c == '<' && fresh && write_object(s)) {
            continue;
        } else if (fresh && (c == 'f' || c == 'F' || c == 's') && plain_set(s)) {
            continue;
        } else if (is_word_char(c)) {
            write_word(s);
        } else if (is_blank(c)) {
            write_blank(s, from);
        } else if (c == ',') {
            write_comma(s);
        } else if (bracket_step(c) > 0) {
            write_open(s);
        } else if (bracket_step(c) < 0) {
            write_close(s);
        } else {
            if (c == ':' && s->opened.n)
                s->opened.at[s->opened.n - 1].dict = true;
            sink_char(s->out, c);
            s->p++;
        }
    }
    while (s->out->n > from && s->out->at[s->out->n - 1] == ' ')
        s->out->n--;
}

/* a text that is not a Python value: its words, separated by single spaces */
static void
write_words(struct spelling *s, struct slice value, size_t from)
{
    s->out->n = from;
    s->opened.n = 0;
    for (s->p = value.at; s->p < s->end;) {
        if (is_word_char(*s->p))
            write_word(s);
        else if (is_blank(*s->p))
            write_blank(s, from);
        else
            sink_char(s->out, *s->p++);
    }
}

static const struct {
    struct slice name, value;
} fields[] = {
#define FIELD(name, value) {SLICE(name), SLICE(value)},
#include "spellings.def"
#undef FIELD
};

/* true if a field, its `name=value` from `at` to `end`, is trivial */
static bool
field_is_default(const struct sink *out, size_t at, size_t end)
{
    for (u32 i = 0; i < countof(fields); i++) {
        size_t n = fields[i].name.n;
        if (end - at <= n || out->at[at + n] != '=' || memcmp(out->at + at, fields[i].name.at, n) != 0)
            continue;
        struct slice value = {out->at + at + n + 1, end - at - n - 1};
        if (slice_eq(value, fields[i].value) || tuple_repeats(value, fields[i].value))
            return true;
    }
    return false;
}

static bool
field_begins(const struct sink *out, size_t at)
{
    for (u32 i = 0; i < countof(fields); i++)
        if (out->at[at] == fields[i].name.at[0] && out->n - at > fields[i].name.n &&
            out->at[at + fields[i].name.n] == '=')
            return true;
    return false;
}

/* removes trivial fields, except inside strings and texts of objects */
static void
drop_fields(struct sink *out, size_t from)
{
    size_t to = from;
    bool angles = true; /* each `<` is closed as far as known: a failed search is not repeated */
    for (size_t k = from; k < out->n;) {
        if (out->at[k] == ',' && k + 2 < out->n && out->at[k + 1] == ' ' && field_begins(out, k + 2)) {
            size_t end = (size_t)(value_find(out->at + k + 2, out->at + out->n, ",)]}") - out->at);
            if (field_is_default(out, k + 2, end)) {
                k = end;
                continue;
            }
        }
        bool quoted = out->at[k] == '\'' || out->at[k] == '"';
        bool object = out->at[k] == '<' && angles && (k == from || !is_word_char(out->at[k - 1]));
        const char *at = out->at + k, *end = out->at + out->n;
        const char *past = quoted ? quoted_end(at, end) : object ? skip_angles(at, end) : at;
        angles &= !object || past > at;
        size_t stop = k + (past > at ? (size_t)(past - at) : 1);
        while (k < stop)
            out->at[to++] = out->at[k++];
    }
    out->n = to;
}

void
canon_value(struct mem *mem, struct sink *out, struct slice value)
{
    size_t from = out->n;
    value = value_trim(value);
    if (value.n && *value.at == '=') /* damaged; `key==` begins no parameter */
        sink_char(out, ' ');
    struct spelling s = {.mem = mem, .out = out, .start = value.at, .p = value.at, .end = value.at + value.n};
    if (is_string(value) || slice_eq(value, FLOAT0_PARAM)) {
        sink_slice(out, value);
        return;
    }
    s.container = value.n > 0 && (value.at[0] == '(' || (value.at[0] == '[' && !is_array(value)));
    sink_reserve(out, value.n + 1);
    spell(&s, from);
    if (s.uneven || s.opened.n)
        write_words(&s, value, from);
    mem_free_all(mem, s.opened.at, s.commas.at, s.elements.at);
    if (memchr(out->at + from, '=', out->n - from) != NULL)
        drop_fields(out, from);
}

/* longer values are not cached */
enum { LONGEST_REMEMBERED = 256 };

/* the cache slot of a value that is short enough, and its hash: one of four slots, because the first one may be
 * taken */
static inline struct canon_spelled *
slot_of(const struct canon *c, struct slice value, u64 *hash)
{
    enum { BESIDE = 4 };
    *hash = hash_slice(c->m->names.seed, value) | 1;
    u64 at = *hash >> c->spelled_shift, i = 0;
    while (c->spelled[at ^ i].hash != 0 && c->spelled[at ^ i].hash != *hash && i + 1 < BESIDE)
        i++;
    return &c->spelled[at ^ i];
}

static inline bool
holds(const struct canon_spelled *slot, u64 hash, struct slice value)
{
    return slot->hash == hash && slice_eq(slot->raw, value);
}

struct canon_spelled *
canon_remembered(const struct canon *c, struct slice value)
{
    u64 hash;
    if (value.n > LONGEST_REMEMBERED)
        return NULL;
    struct canon_spelled *slot = slot_of(c, value, &hash);
    return holds(slot, hash, value) ? slot : NULL;
}

void
canon_value_again(struct canon *c, struct sink *out, struct slice value)
{
    u64 hash;
    if (value.n > LONGEST_REMEMBERED) {
        canon_value(c->m->mem, out, value);
        return;
    }
    struct canon_spelled *slot = slot_of(c, value, &hash);
    if (holds(slot, hash, value)) {
        sink_slice(out, slot->spelled);
        return;
    }
    size_t from = out->n;
    canon_value(c->m->mem, out, value);
    struct slice spelled = {out->at + from, out->n - from};
    if (slot->hash == 0)
        *slot = (struct canon_spelled){.hash = hash,
                                       .raw = arena_copy(c->m->mem, value),
                                       .spelled = arena_copy(c->m->mem, spelled),
                                       .nothing = spelling_nothing(spelled)};
}
