/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields of records, by the table of grammar/records.def: which class has which, and of which kind their values
 * are. Each function is linear in the text that it is given, times the fields of one record. */
#include "base/object_records.h"

#include "base/lexical.h"
#include "base/near.h"
#include "base/object_words.h"
#include "base/value.h"

/* records: the class, the fields that every print has, and all fields */
static const struct {
    struct slice class, fields, all;
    bool compact; /* its commas are not followed by spaces */
} records[] = {
#define RECORD(class, fields, more) {SLICE(#class), SLICE(fields), SLICE(fields " " more), false},
#define COMPACT(class, fields, more) {SLICE(#class), SLICE(fields), SLICE(fields " " more), true},
#include "records.def"
#undef RECORD
#undef COMPACT
};

u8
record_before(struct slice s, size_t i)
{
    size_t from = i;
    while (from && is_word_char(s.at[from - 1]))
        from--;
    struct slice name = {s.at + from, i - from};
    for (u32 k = 0; name.n && k < countof(records); k++)
        if (slice_eq(name, records[k].class))
            return (u8)(k + 1);
    return name.n || (i && (s.at[i - 1] == '>' || s.at[i - 1] == ']')) ? 0 : ELEMENTS;
}

/* takes the next field of a record's list; *mark becomes what its value is, as in records.def, or 0; false at the end
 */
static bool
next_field(struct slice *rest, struct slice *field, char *mark)
{
    size_t n = 0;
    if (rest->n && *rest->at == ' ')
        *rest = (struct slice){rest->at + 1, rest->n - 1};
    while (n < rest->n && rest->at[n] != ' ')
        n++;
    *mark = n && strchr("'#?():@*%", rest->at[n - 1]) ? rest->at[n - 1] : 0;
    *field = (struct slice){rest->at, n - (*mark != 0)};
    *rest = (struct slice){rest->at + n, rest->n - n};
    return field->n > 0;
}

bool
field_fits(struct slice field, struct slice value, char mark)
{
    const char *close = mark == '\'' && value.n > 1 ? memchr(value.at + 1, '\'', value.n - 1) : NULL;
    if (close && *value.at == '\'' && !option_fits(field, (struct slice){value.at + 1, (size_t)(close - value.at - 1)}))
        return false;
    if (!mark)
        return true;
    char c = value.n ? *value.at : '(';
    if (c == '.' && slice_starts(value, SLICE("...")))
        return true;
    switch (mark) {
    case FIELD_TRUTH:
        return is_truth(value);
    case FIELD_NUMBERS:
        return has_numbers(value);
    case FIELD_TUPLE:
        return c == '(';
    case FIELD_TUPLE_OR_NONE:
        return c == '(' || slice_starts(value, SLICE("None"));
    case FIELD_SPEC:
        return slice_starts(value, SLICE("P(")) || slice_starts(value, SLICE("PartitionSpec(")) || c == '.';
    case FIELD_DTYPE:
        return is_word_start(c) && !slice_starts(value, SLICE("None"));
    case FIELD_TREE:
        return slice_starts(value, SLICE("PyTreeDef("));
    case FIELD_OBJECT:
        return c == '<' || !value.n ||
               (is_word_start(c) && !slice_starts(value, SLICE("True")) && !slice_starts(value, SLICE("False")));
    default:
        return slice_starts(value, SLICE("None")) || (value.n > 1 && (c == '\'' || c == '"') && value.at[1] != c);
    }
}

/* whether a field is none of a record, but nearly one of its list, or words of one: `axis_type`, `axisTypes`, `axis` */
static bool
is_near_field(struct slice word, struct slice all)
{
    struct slice field;
    for (char mark; next_field(&all, &field, &mark) && !slice_eq(field, SLICE(".."));)
        if (word_resembles(word, field) || word_is_part(word, field))
            return true;
    return false;
}

char
record_field(u8 of, struct slice word, struct slice value, u32 *read)
{
    struct slice rest = records[of - 1].all, field;
    char mark;
    for (u32 bit = 1; next_field(&rest, &field, &mark) && !slice_eq(field, SLICE("..")); bit <<= 1)
        if (slice_eq(word, field)) {
            bool again = *read & bit;
            *read |= bit;
            return (char)(again ? FIELD_TWICE : field_fits(field, value, mark) ? 0 : mark);
        }
    bool open = slice_eq(field, SLICE("..")) && !is_near_field(word, records[of - 1].all);
    return open ? 0 : FIELD_UNKNOWN;
}

bool
record_is_whole(u8 of, u32 read)
{
    if (of == 0 || of == ELEMENTS || (read & ABRIDGED))
        return true;
    struct slice rest = records[of - 1].all, field;
    const char *optional = rest.at + records[of - 1].fields.n;
    u32 required = 0, group = 0;
    bool grouped = false;
    char mark;
    for (u32 bit = 1; next_field(&rest, &field, &mark); bit <<= 1) {
        bool begins = slice_eq(field, SLICE("&"));
        if (begins && (read & group) && (read & group) != group)
            return false;
        group = begins ? 0 : group | (grouped ? bit : 0);
        grouped |= begins;
        required |= field.at < optional ? bit : 0;
    }
    return (read & required) == required && ((read & group) == 0 || (read & group) == group);
}

struct slice
record_meant(struct slice word)
{
    for (u32 k = 0; k < countof(records); k++)
        if (word_is_recased(word, records[k].class))
            return records[k].class;
    return SLICE("");
}

bool
record_is_compact(u8 of)
{
    return records[of - 1].compact;
}

/* whether a word is the class of a record with a wrong letter: `Qnode` */
static bool
is_near_record(struct slice word)
{
    for (u32 k = 0; k < countof(records); k++)
        if (word_is_misspelled(word, records[k].class))
            return true;
    return false;
}

bool
angle_is_record(struct slice s, struct slice *flaw)
{
    size_t n = word_until(s, 0), quotes = 0;
    u8 of = n ? record_before(s, n) : 0;
    *flaw = (struct slice){s.at, n};
    if (!of || of == ELEMENTS)
        return !(n && n < s.n && s.at[n] == ':' && is_near_record(*flaw));
    for (size_t i = n, word = n; i < s.n; i++) {
        word = is_word_char(s.at[i - 1]) ? word : i;
        if (s.at[i] == '\'' && quotes % 2 == 0 && i > word) { /* `shots'Shots(total=None)'` */
            *flaw = (struct slice){s.at + word, i + 1 - word};
            return false;
        }
        quotes += s.at[i] == '\'';
    }
    if (s.n < n + 3 || s.at[n] != ':' || s.at[n + 1] != ' ' || quotes % 2)
        return false;
    struct slice rest = records[of - 1].all;
    const char *end = s.at + s.n, *optional = rest.at + records[of - 1].fields.n,
               *after = s.at + n + 1; /* `shots` also occurs in the text of a device */
    for (char mark; next_field(&rest, flaw, &mark) && !slice_eq(*flaw, SLICE(".."));) {
        struct slice field = *flaw;
        const char *p = memmem(after, (size_t)(end - after), field.at, field.n);
        if (!p && field.at >= optional)
            continue;
        if (!p)
            return false;
        *flaw = (struct slice){p, field.n};
        if (p[-1] != ' ' || p + field.n + 3 >= end || p[field.n] != '=')
            return false;
        p += field.n + 1;
        const char *close = memchr(p + 1, '\'', (size_t)(end - p - 1));
        struct slice text = {p + 1, close ? (size_t)(close - p - 1) : 0};
        if (text.n > 1 && *text.at == '<' && close[-1] == '>' && slice_contains(text, SLICE(" at ")) &&
            !(slice_contains(text, SLICE(" at 0x")) && angle_fits((struct slice){text.at + 1, text.n - 2})))
            return false;
        if (mark == '\'' && (*p != '\'' || !close || close == p + 1 || (close + 1 < end && close[1] != ',')))
            return false;
        after = close ? close : p;
        if (mark == '\'' && !option_fits(field, text)) {
            *flaw = (struct slice){p, text.n + 2};
            return false;
        }
    }
    return true;
}
