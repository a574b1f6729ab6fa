/* SPDX-License-Identifier: Apache-2.0
 *
 * One spelling for the values of parameters. Known to mean the same: blanks and line ends; lists and tuples; numpy
 * scalars and numbers; `dtype('float32')`, `<class 'jax.numpy.float32'>` and float32; PartitionSpec and P; an enum with
 * and without its number; sets in any order; addresses. Fields that say nothing (spellings.def) go. Never touched:
 * order and sign of axes, strings, whatever is not understood. One pass over the bytes, and one more for fields. */
#include "diff/spelling.h"

#include "base/chars.h"

#include <stdlib.h>

struct spelling {
    struct mem *mem;
    struct sink *out;
    const char *p, *end;
    bool container;   /* a tuple or list: brackets are round */
    u32 depth;
    VEC(u32) dropped; /* depths whose closing bracket goes with a wrapper: np.int64( */
};

static bool
is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == 'X';
}

static bool
at_word(const struct spelling *s, struct slice word)
{
    return (size_t)(s->end - s->p) >= word.n && memcmp(s->p, word.at, word.n) == 0;
}

/* takes off what stands around a value: `np.int64(`, `dtype('`, `<class 'jax.numpy.`; true when something went */
static bool
unwrap(struct spelling *s)
{
    const char *q = s->p;
    if (at_word(s, SLICE("np."))) {
        for (q += 3; q < s->end && is_word_char(*q); q++)
            ;
        if (q < s->end && *q == '(') {
            *vec_push(s->mem, &s->dropped) = ++s->depth;
            s->p = q + 1;
            return true;
        }
        if (q[-1] == '_') { /* np.True_ */
            sink_put(s->out, s->p + 3, (size_t)(q - s->p) - 4);
            s->p = q;
            return true;
        }
        return false;
    }
    struct slice quoted[] = {SLICE("dtype('"), SLICE("<class 'jax.numpy."), SLICE("<class 'numpy.")};
    for (u32 i = 0; i < countof(quoted); i++) {
        if (!at_word(s, quoted[i]))
            continue;
        for (q += quoted[i].n; q < s->end && is_word_char(*q); q++)
            ;
        if (s->end - q < 2 || *q != '\'' || q[1] != (i == 0 ? ')' : '>'))
            return false;
        sink_put(s->out, s->p + quoted[i].n, (size_t)(q - s->p) - quoted[i].n);
        s->p = q + 2;
        return true;
    }
    if (at_word(s, SLICE("dtype("))) {
        for (q += 6; q < s->end && is_word_char(*q); q++)
            ;
        if (q >= s->end || *q != ')')
            return false;
        sink_put(s->out, s->p + 6, (size_t)(q - s->p) - 6);
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
    while (d < s->end && *d >= '0' && *d <= '9')
        d++;
    if (d == digits || d >= s->end || *d != '>')
        return false;
    sink_put(s->out, name, (size_t)(q - name));
    s->p = d + 1;
    return true;
}

/* what else a set or dict is called */
static bool
plain_set(struct spelling *s)
{
    static const struct slice called[] = {SLICE("frozenset("), SLICE("FrozenDict("), SLICE("set(")};
    for (u32 i = 0; i < countof(called); i++) {
        if (!at_word(s, called[i]))
            continue;
        const char *q = s->p + called[i].n;
        if (q < s->end && *q == ')') { /* set() */
            sink_put(s->out, "{}", 2);
            s->p = q + 1;
            return true;
        }
        if (q < s->end && *q == '{') {
            *vec_push(s->mem, &s->dropped) = ++s->depth;
            s->p = q;
            return true;
        }
        return false;
    }
    return false;
}

static void
put_word(struct spelling *s)
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
    } else if (slice_eq(text, SLICE("PartitionSpec")) && s->p < s->end && *s->p == '(') {
        text = SLICE("P");
    }
    sink_slice(s->out, text);
}

static void
put_string(struct spelling *s)
{
    char quote = *s->p;
    const char *from = s->p++;
    while (s->p < s->end && *s->p != quote)
        s->p += *s->p == '\\' && s->p + 1 < s->end ? 2 : 1;
    s->p += s->p < s->end;
    sink_put(s->out, from, (size_t)(s->p - from));
}

/* a closing bracket: without the comma and blanks in front of it, and not at all when its wrapper has gone */
static void
put_close(struct spelling *s)
{
    while (s->out->n > 0 && (s->out->at[s->out->n - 1] == ' ' || s->out->at[s->out->n - 1] == ','))
        s->out->n--;
    if (s->dropped.n && s->dropped.at[s->dropped.n - 1] == s->depth)
        s->dropped.n--;
    else
        sink_char(s->out, s->container && *s->p == ']' ? ')' : *s->p);
    s->depth -= s->depth > 0;
    s->p++;
}

static void
spell(struct spelling *s)
{
    while (s->p < s->end) {
        char c = *s->p;
        bool fresh = s->p == s->end || s->out->n == 0 || !is_word_char(s->out->at[s->out->n - 1]);
        if ((c == '\'' || c == '"') && s->depth > 0) {
            put_string(s);
        } else if (fresh && (c == 'n' || c == 'd' || c == '<') && unwrap(s)) {
            continue;
        } else if (c == '<' && unwrap_enum(s)) {
            continue;
        } else if (fresh && (c == 'f' || c == 'F' || c == 's') && plain_set(s)) {
            continue;
        } else if (is_word_char(c)) {
            put_word(s);
        } else if (c == ' ' || c == '\n' || c == '\t') {
            while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\t'))
                s->p++;
            if (s->out->n > 0 && s->out->at[s->out->n - 1] != '(')
                sink_char(s->out, ' ');
        } else if (c == '(' || c == '[' || c == '{') {
            s->depth++;
            sink_char(s->out, s->container && c == '[' ? '(' : c);
            s->p++;
        } else if (c == ')' || c == ']' || c == '}') {
            put_close(s);
        } else {
            sink_char(s->out, c);
            s->p++;
        }
    }
}

static int
compare_slices(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->n < y->n ? x->n : y->n);
    return order != 0 ? order : x->n < y->n ? -1 : x->n > y->n;
}

/* sorts the elements of a set that stands in out from `from` on, after its brace */
static void
sort_set(struct mem *mem, struct sink *out, size_t from)
{
    VEC(struct slice) elements = {0};
    u32 depth = 0;
    size_t start = from, end = out->n;
    while (end > from && out->at[end - 1] != '}')
        end--;
    if (end == from)
        return;
    end--;
    for (size_t i = from; i <= end; i++) {
        char c = out->at[i];
        if (c == ':' && depth == 0) { /* a dict */
            vec_free(mem, &elements);
            return;
        }
        if (i == end || (c == ',' && depth == 0)) {
            while (start < i && out->at[start] == ' ')
                start++;
            *vec_push(mem, &elements) = (struct slice){out->at + start, i - start};
            start = i + 1;
        }
        depth += c == '(' || c == '{' || c == '[';
        depth -= depth > 0 && (c == ')' || c == '}' || c == ']');
    }
    if (elements.n > 1) {
        struct sink sorted;
        sink_init_memory(&sorted, mem);
        qsort(elements.at, elements.n, sizeof *elements.at, compare_slices);
        for (u32 i = 0; i < elements.n; i++) {
            if (i > 0)
                sink_put(&sorted, ", ", 2);
            sink_slice(&sorted, elements.at[i]);
        }
        if (sorted.n == end - from)
            memcpy(out->at + from, sorted.at, sorted.n);
        mem_free(mem, sorted.at);
    }
    vec_free(mem, &elements);
}

static const struct {
    struct slice name, value;
} fields[] = {
#define FIELD(name, value) {SLICE(name), SLICE(value)},
#include "spellings.def"
#undef FIELD
};

/* the end of the field whose value begins at `at` */
static size_t
field_end(const struct sink *out, size_t at)
{
    u32 depth = 0;
    for (; at < out->n; at++) {
        char c = out->at[at];
        if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}'))
            break;
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
    }
    return at;
}

/* true where a field, its `name=value` from `at` to `end`, says nothing */
static bool
field_is_silent(const struct sink *out, size_t at, size_t end)
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

/* takes fields out that say nothing */
static void
drop_fields(struct sink *out, size_t from)
{
    size_t to = from;
    for (size_t k = from; k < out->n;) {
        if (out->at[k] == ',' && k + 2 < out->n && field_begins(out, k + 2)) {
            size_t end = field_end(out, k + 2);
            if (field_is_silent(out, k + 2, end)) {
                k = end;
                continue;
            }
        }
        out->at[to++] = out->at[k++];
    }
    out->n = to;
}

void
canon_value(struct mem *mem, struct sink *out, struct slice value)
{
    struct spelling s = {.mem = mem, .out = out, .p = value.at, .end = value.at + value.n};
    size_t from = out->n;
    s.container = value.n > 0 && (value.at[0] == '(' || value.at[0] == '[');
    sink_reserve(out, value.n + 1);
    /* a bracket of the text before this value is none of ours */
    sink_char(out, '\x01');
    spell(&s);
    memmove(out->at + from, out->at + from + 1, out->n - from - 1);
    out->n--;
    vec_free(mem, &s.dropped);
    struct slice spelled = {out->at + from, out->n - from};
    if (slice_starts(spelled, SLICE("{")))
        sort_set(mem, out, from + 1);
    if (memchr(out->at + from, '=', out->n - from) != NULL)
        drop_fields(out, from);
}

void
canon_value_again(struct canon *c, struct sink *out, struct slice value)
{
    enum { LONGEST = 256 };
    if (value.n > LONGEST) {
        canon_value(c->m->mem, out, value);
        return;
    }
    u64 hash = hash_bytes(c->m->names.seed, value.at, value.n) | 1;
    struct canon_spelled *slot = &c->spelled[hash >> c->spelled_shift];
    if (slot->hash == hash && slice_eq(slot->raw, value)) {
        sink_slice(out, slot->spelled);
        return;
    }
    size_t from = out->n;
    canon_value(c->m->mem, out, value);
    if (slot->hash == 0) {
        struct slice spelled = {out->at + from, out->n - from};
        *slot = (struct canon_spelled){hash, arena_copy(c->m->mem, value), arena_copy(c->m->mem, spelled)};
    }
}
