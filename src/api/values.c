/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of parameters, of jaxpr_walk.h: what JAX printed, parsed one level at a time. A value is its text and the
 * places of its programs; nothing is kept between calls, so that memory does not grow with use. */
#include "api/api.h"

#include "base/chars.h"
#include "base/decimal.h"
#include "base/value.h"
#include "ir/identity.h"

/* A value being parsed. */
struct reader {
    jx_module *module;
    struct slice text;
    struct jx_value *v;
};

static const struct jx_value no_value = {
    .kind = JX_VALUE_TEXT,
    .text = {"", 0},
    .key = {"", 0},
    .word = {"", 0},
    .jaxpr = NONE,
    .type_id = NONE,
    .reason = "",
    .parameter = NONE,
    .segment = NONE,
};

static bool
is_kind(struct jx_value *v, enum jx_value_kind kind)
{
    v->kind = kind;
    return true;
}

static void
not_understood(struct jx_value *v, const char *reason)
{
    v->kind = JX_VALUE_TEXT;
    v->reason = reason;
}

/* ---- one level ---- */

/* `3`, `-1`, `1e-05`, `inf`, `np.float32(2.0)` */
static bool
read_number(struct reader *r)
{
    struct cursor c = cursor_of(r->text);
    struct slice t = r->text;
    if (value_int(&c, &r->v->integer) && value_done(&c)) {
        r->v->exact = true;
        r->v->number = (double)r->v->integer;
        return is_kind(r->v, JX_VALUE_INTEGER);
    }
    r->v->integer = 0;
    bool whole = t.n > 1;
    for (size_t i = t.n > 0 && t.at[0] == '-'; i < t.n; i++) {
        whole &= is_digit(t.at[i]);
        if (!is_digit(t.at[i]) && !memchr("+-.einfa", t.at[i], 8))
            return false;
    }
    if (!decimal_read(t, &r->v->number) && !whole)
        return false;
    return is_kind(r->v, whole ? JX_VALUE_INTEGER : JX_VALUE_FLOAT);
}

static bool
read_string(struct reader *r)
{
    struct slice t = r->text;
    size_t quote = t.n > 1 && strchr("bru", t.at[0]) != NULL;
    if (t.n < 2 + quote || (t.at[quote] != '\'' && t.at[quote] != '"') ||
        quoted_end(t.at + quote, t.at + t.n) != t.at + t.n || t.at[t.n - 1] != t.at[quote])
        return false;
    r->v->word = (struct jx_string){t.at + quote + 1, t.n - 2 - quote};
    return is_kind(r->v, JX_VALUE_STRING);
}

/* whether the bracket at `open` is closed by the last byte of the text */
static bool
is_bracketed(struct slice t, size_t open)
{
    struct slice inside = {t.at + open + 1, t.n - open - 1};
    return t.n > open + 1 && value_find(inside.at, t.at + t.n, ")]}") == t.at + t.n - 1;
}

/* how many items are inside brackets that open at `open` and close at the end */
static u32
count_items(struct slice t, size_t open)
{
    u32 n = 0;
    const char *p = t.at + open + 1, *end = t.at + t.n - 1;
    while (p < end) {
        const char *stop = value_find(p, end, ",");
        n += value_trim((struct slice){p, (size_t)(stop - p)}).n > 0;
        p = stop + 1;
    }
    return n;
}

static bool
read_brackets(struct reader *r)
{
    struct slice t = r->text;
    if (t.n == 0 || !memchr("([{", t.at[0], 3))
        return false;
    if (!is_bracketed(t, 0)) {
        not_understood(r->v, "its brackets do not balance");
        return true;
    }
    r->v->items = count_items(t, 0);
    if (t.at[0] != '{')
        return is_kind(r->v, t.at[0] == '(' ? JX_VALUE_TUPLE : JX_VALUE_LIST);
    const char *end = t.at + t.n - 1;
    return is_kind(r->v, r->v->items == 0 || value_find(t.at + 1, end, ":,") < value_find(t.at + 1, end, ",")
                             ? JX_VALUE_DICT
                             : JX_VALUE_SET);
}

/* the length of the word at the start of the text, including dots */
static size_t
word_length(struct slice t)
{
    size_t n = 0;
    while (n < t.n && (is_word_char(t.at[n]) || (t.at[n] == '.' && n > 0)))
        n++;
    return n;
}

/* `<GatherScatterMode.CLIP: 1>`, or another object */
static bool
read_object(struct reader *r)
{
    struct slice t = r->text;
    if (t.n < 2 || t.at[0] != '<' || t.at[t.n - 1] != '>')
        return false;
    struct slice word = {t.at + 1, word_length((struct slice){t.at + 1, t.n - 2})};
    if (memchr(word.at, '.', word.n) != NULL && word.at[word.n] == ':') {
        r->v->word = api_string(word);
        return is_kind(r->v, JX_VALUE_ENUM);
    }
    not_understood(r->v, "it is the repr of a Python object");
    return true;
}

static void
work_intern(void *arg)
{
    struct reader *r = arg;
    r->v->type_id = types_intern(&r->module->ir.types, r->text);
}

/* a value that begins with a word: a dtype, an enumerator, a record, a type, a name */
static bool
read_word(struct reader *r)
{
    struct slice t = r->text, word = {t.at, word_length(t)};
    if (t.at == NULL)
        return false;
    dtype_t dtype = dtype_find(word);
    bool named = word.n > 0 && !is_digit(word.at[0]);
    if (word.n == t.n && named) {
        r->v->word = api_string(dtype != NONE ? dtype_text(&r->module->ir.names, dtype) : word);
        return is_kind(r->v, dtype != NONE                          ? JX_VALUE_DTYPE
                             : memchr(word.at, '.', word.n) != NULL ? JX_VALUE_ENUM
                                                                    : JX_VALUE_NAME);
    }
    if (dtype != NONE && (t.at[word.n] == '[' || t.at[word.n] == '<') && api_run(r->module, work_intern, r) == JX_OK &&
        type_get(&r->module->ir.types, r->v->type_id)->kind == TYPE_ARRAY)
        return is_kind(r->v, JX_VALUE_TYPE);
    r->v->type_id = NONE;
    if (!named || t.at[word.n] != '(' || !is_bracketed(t, word.n))
        return false;
    r->v->word = api_string(word);
    r->v->items = count_items(t, word.n);
    return is_kind(r->v, JX_VALUE_RECORD);
}

static void
read_level(struct reader *r)
{
    struct slice t = r->text;
    bool yes;
    struct cursor c = cursor_of(t);
    if (slice_eq(t, SLICE("None"))) {
        is_kind(r->v, JX_VALUE_NONE);
    } else if (value_bool(&c, &yes) && value_done(&c)) {
        r->v->integer = yes;
        is_kind(r->v, JX_VALUE_BOOL);
    } else if (!read_object(r) && !read_number(r) && !read_string(r) && !read_brackets(r) && !read_word(r)) {
        not_understood(r->v, t.n == 0                          ? "it is empty"
                             : slice_contains(t, SLICE("...")) ? "a part of it was not printed"
                             : memchr(t.at, '\n', t.n) != NULL ? "it is a text of several lines"
                                                               : "it is not a Python literal or call");
    }
}

/* ---- programs inside ---- */

static void
be_program(struct jx_value *v, const struct module *m, const struct segment *part)
{
    v->kind = JX_VALUE_PROGRAM;
    v->jaxpr = segment_jaxpr(m, part);
    if (part->kind == SEGMENT_SHARED)
        v->word = api_string(module_bytes(m, part->span));
}

/* whether a program begins at p; *segment moves on to it, or to the first one after p */
static bool
program_begins(const struct module *m, u32 *segment, const char *p)
{
    const char *at = NULL;
    for (; *segment != NONE; *segment = m->segments.at[*segment].next) {
        at = module_bytes(m, m->segments.at[*segment].span).at;
        if (m->segments.at[*segment].kind != SEGMENT_TEXT && at >= p)
            break;
    }
    return *segment != NONE && at == p;
}

static struct jx_value
read_value(jx_module *module, struct slice text, u32 parameter, u32 segment)
{
    struct jx_value v = no_value;
    const struct module *m = &module->ir;
    text = value_trim(text);
    v.text = api_string(text);
    v.parameter = parameter;
    bool program = program_begins(m, &segment, text.at);
    v.segment = segment;
    if (program)
        be_program(&v, m, &m->segments.at[segment]);
    else
        read_level(&(struct reader){module, text, &v});
    return v;
}

bool(jx_parameter_value)(jx_module *module, uint32_t parameter, struct jx_value *answer, size_t size)
{
    const struct module *m = api_ir(module);
    if (m == NULL || module->lost || parameter >= m->params.n)
        return false;
    const struct param *p = &m->params.at[parameter];
    struct slice text = param_bytes(m, p);
    struct jx_value v;
    if (p->kind == PARAM_JAXPR || p->kind == PARAM_SHARED) {
        v = no_value;
        v.text = api_string(text);
        struct segment only = param_part(p);
        be_program(&v, m, &only);
    } else if (p->kind == PARAM_TUPLE) { /* no commas between programs */
        v = no_value;
        v.kind = JX_VALUE_TUPLE;
        v.text = api_string(text);
        v.parameter = parameter;
        v.segment = p->a;
        for (u32 s = p->a; s != NONE; s = m->segments.at[s].next)
            v.items++;
    } else {
        v = read_value(module, text, parameter, p->kind == PARAM_MIXED ? p->a : NONE);
    }
    return !module->lost && api_answer(answer, size, &v, sizeof v);
}

bool(jx_value_of)(jx_module *module, struct jx_string text, struct jx_value *answer, size_t size)
{
    if (api_ir(module) == NULL || module->lost || text.at == NULL)
        return false;
    struct jx_value v = read_value(module, (struct slice){text.at, text.n}, NONE, NONE);
    return !module->lost && api_answer(answer, size, &v, sizeof v);
}

/* ---- items ---- */

/* the next item of a tuple of programs: one of its segments */
static bool
next_program(const struct module *m, const struct jx_value *value, const char *after, struct jx_value *item)
{
    u32 s = value->segment;
    while (s != NONE && after != NULL && module_bytes(m, m->segments.at[s].span).at < after)
        s = m->segments.at[s].next;
    if (s == NONE)
        return false;
    *item = no_value;
    item->text = api_string(module_bytes(m, m->segments.at[s].span));
    item->segment = s;
    be_program(item, m, &m->segments.at[s]);
    return true;
}

/* reads the key before the value of an item: `axes=` of a record, `'x': ` of a dict; *p is then at the value */
static struct slice
read_key(enum jx_value_kind kind, const char **p, const char *end)
{
    struct slice none = {"", 0}, whole = {*p, (size_t)(end - *p)};
    const char *stop = kind == JX_VALUE_DICT ? value_find(*p, end, ":") : *p + word_length(whole);
    if (stop >= end || *stop != (kind == JX_VALUE_DICT ? ':' : '=') ||
        (kind != JX_VALUE_DICT && kind != JX_VALUE_RECORD))
        return none;
    struct slice key = value_trim((struct slice){*p, (size_t)(stop - *p)});
    *p = stop + 1;
    return key;
}

static bool
next_item(jx_module *module, const struct jx_value *value, const struct jx_value *before, struct jx_value *item)
{
    struct slice t = {value->text.at, value->text.n};
    if (value->kind < JX_VALUE_TUPLE || value->kind > JX_VALUE_RECORD || t.at == NULL || t.n < 2)
        return false;
    const char *end = t.at + t.n - 1, *after = before == NULL ? NULL : before->text.at + before->text.n, *p = after;
    if (value->kind == JX_VALUE_TUPLE && value->parameter != NONE &&
        module->ir.params.at[value->parameter].kind == PARAM_TUPLE)
        return next_program(&module->ir, value, after, item);
    if (before == NULL)
        p = t.at + 1 + (value->kind == JX_VALUE_RECORD ? value->word.n : 0);
    else if (p == NULL || p < t.at || p > end)
        return false;
    while (p < end && (is_blank(*p) || *p == ','))
        p++;
    if (p == end)
        return false;
    const char *stop = value_find(p, end, ",");
    struct slice key = read_key(value->kind, &p, stop);
    u32 segment = before != NULL ? before->segment : value->segment;
    *item = read_value(module, (struct slice){p, (size_t)(stop - p)}, value->parameter, segment);
    item->key = api_string(key);
    return !module->lost;
}

uint32_t(jx_value_items)(jx_module *module, const struct jx_value *value, const struct jx_value *before,
                         struct jx_value *into, uint32_t room, size_t size)
{
    struct jx_value outer, last, item;
    u32 n = 0;
    if (api_ir(module) == NULL || module->lost || value == NULL || into == NULL || size < sizeof *value ||
        (value->parameter != NONE && value->parameter >= module->ir.params.n))
        return 0;
    outer = *value;
    if (before != NULL)
        last = *before;
    for (bool first = before == NULL; n < room && next_item(module, &outer, first ? NULL : &last, &item);
         first = false) {
        api_answer((char *)into + n++ * size, size, &item, sizeof item);
        last = item;
    }
    return n;
}
