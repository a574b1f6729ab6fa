/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of findings. Adding one is O(length of its message); beyond the limit it is O(1), for callers that only
 * need to know whether there are any. Sorting is a stable merge of the runs that passes reported in order, which
 * moves nothing if one run ends before the next begins. */
#include "diag/diag.h"

#include "base/utf8.h"
#include "base/visible.h"

/* all strings of the table, concatenated: pointers would need relocation at startup */
static const struct strings {
#define DIAG(code, name, level, title, explain) \
    char code_##code[sizeof(#code)], name_##code[sizeof(name)], title_##code[sizeof(title)], \
        explain_##code[sizeof(explain)];
#include "diagnostics.def"
#undef DIAG
} strings = {
#define DIAG(code, name, level, title, explain) #code, name, title, explain,
#include "diagnostics.def"
#undef DIAG
};

/* offsets into strings */
static const struct packed {
    u32 code, name, title, explain;
    enum diag_level level;
} table[DIAG_COUNT] = {
#define DIAG(code, name, level, title, explain) \
    {offsetof(struct strings, code_##code), offsetof(struct strings, name_##code), \
     offsetof(struct strings, title_##code), offsetof(struct strings, explain_##code), level},
#include "diagnostics.def"
#undef DIAG
};

struct diag_info
diag_info(enum diag_code code)
{
    const struct packed *row = &table[code];
    const char *base = (const char *)&strings;
    return (struct diag_info){base + row->code, base + row->name, row->level, base + row->title, base + row->explain};
}

/* diag_quote shows at most QUOTE_BYTES bytes, the last QUOTE_TAIL of them from the end */
enum { QUOTE_BYTES = 100, QUOTE_TAIL = 30 };

/* like slice_eq, ignoring the case of ASCII letters: people type `s012` */
static bool
same_word(struct slice a, const char *b)
{
    size_t i = 0;
    for (; i < a.n && b[i]; i++) {
        char c = a.at[i], d = b[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (d >= 'A' && d <= 'Z')
            d = (char)(d - 'A' + 'a');
        if (c != d)
            return false;
    }
    return i == a.n && b[i] == 0;
}

enum diag_code
diag_find(struct slice code_or_name)
{
    static const struct {
        enum diag_code code;
        const char *name;
    } old_names[] = {
#define OLD_NAME(code, name) {DIAG_##code, name},
#include "diagnostics.def"
#undef OLD_NAME
    };
    for (u32 i = 0; i < DIAG_COUNT; i++) {
        struct diag_info row = diag_info((enum diag_code)i);
        if (same_word(code_or_name, row.code) || same_word(code_or_name, row.name))
            return (enum diag_code)i;
    }
    for (u32 i = 0; i < sizeof(old_names) / sizeof(*old_names); i++)
        if (same_word(code_or_name, old_names[i].name))
            return old_names[i].code;
    return DIAG_COUNT;
}

void
diags_init(struct diags *ds, struct mem *m)
{
    *ds = (struct diags){.mem = m, .program = NONE};
}

static void
count_level(struct diags *ds, enum diag_level level, u32 by)
{
    if (level == LEVEL_ERROR)
        ds->errors += by;
    else if (level == LEVEL_WARNING)
        ds->warnings += by;
}

/* true if the last diagnostic was counted but not stored */
static bool
last_dropped(const struct diags *ds)
{
    return ds->total != ds->list.n;
}

/* Replaces `1 operands` in a message by `1 operand`, but not in `n + 1 operands`, so that callers need not do so.
 * Text in backticks belongs to the program and is unchanged. Linear. */
static struct slice
singular(struct slice message)
{
    static const struct {
        struct slice many, one;
    } nouns[] = {
        {SLICE("arguments"), SLICE("argument")}, {SLICE("axes"), SLICE("axis")},
        {SLICE("binders"), SLICE("binder")},     {SLICE("blocks"), SLICE("block")},
        {SLICE("branches"), SLICE("branch")},    {SLICE("constants"), SLICE("constant")},
        {SLICE("devices"), SLICE("device")},     {SLICE("elements"), SLICE("element")},
        {SLICE("entries"), SLICE("entry")},      {SLICE("equations"), SLICE("equation")},
        {SLICE("keys"), SLICE("key")},           {SLICE("operands"), SLICE("operand")},
        {SLICE("programs"), SLICE("program")},   {SLICE("qubits"), SLICE("qubit")},
        {SLICE("results"), SLICE("result")},     {SLICE("shapes"), SLICE("shape")},
        {SLICE("sizes"), SLICE("size")},         {SLICE("types"), SLICE("type")},
        {SLICE("values"), SLICE("value")},       {SLICE("wires"), SLICE("wire")},
    };
    char *text = (char *)message.at;
    bool quoted = false;
    for (size_t i = 0; i + 2 < message.n; i++) {
        quoted ^= text[i] == '`';
        if (quoted || text[i] != '1' || text[i + 1] != ' ' || (i > 0 && text[i - 1] != ' ' && text[i - 1] != '(') ||
            (i > 1 && strchr("+-", text[i - 2])))
            continue;
        struct slice rest = {text + i + 2, message.n - i - 2};
        for (size_t k = 0; k < countof(nouns); k++) {
            size_t many = nouns[k].many.n, one = nouns[k].one.n;
            if (!slice_starts(rest, nouns[k].many) || (rest.n > many && rest.at[many] >= 'a' && rest.at[many] <= 'z'))
                continue;
            memcpy(text + i + 2, nouns[k].one.at, one);
            memmove(text + i + 2 + one, rest.at + many, rest.n - many);
            message.n -= many - one;
            break;
        }
    }
    return message;
}

void
diag_add_args(struct diags *ds, enum diag_code code, u32 at, u32 n, const char *format, va_list args)
{
    ds->last_level = table[code].level;
    ds->total++;
    count_level(ds, ds->last_level, 1);
    if (ds->limit && ds->list.n >= ds->limit)
        return;
    struct slice message = singular(arena_vprintf(ds->mem, format, args));
    *vec_push(ds->mem, &ds->list) = (struct diag){
        .code = code,
        .level = ds->last_level,
        .at = at,
        .n = n,
        .program = ds->program,
        .stage = ds->stage,
        .message = message,
        .notes = NONE,
        .last_note = NONE,
    };
}

void
diag_add(struct diags *ds, enum diag_code code, u32 at, u32 n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_add_args(ds, code, at, n, format, args);
    va_end(args);
}

static void
append_note(struct diags *ds, u32 record, struct diag_note note)
{
    u32 id = ds->notes.n;
    note.next = NONE;
    note.stage = ds->stage;
    *vec_push(ds->mem, &ds->notes) = note;
    struct diag *d = &ds->list.at[record];
    if (d->notes == NONE)
        d->notes = id;
    else
        ds->notes.at[d->last_note].next = id;
    d->last_note = id;
}

/* appends a note to the last diagnostic, if it was stored */
static void
add_note(struct diags *ds, struct diag_note note, const char *format, va_list args)
{
    if (ds->list.n == 0 || last_dropped(ds))
        return;
    note.message = singular(arena_vprintf(ds->mem, format, args));
    append_note(ds, ds->list.n - 1, note);
}

void
diag_note(struct diags *ds, u32 at, u32 n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(ds, (struct diag_note){.at = at, .n = n}, format, args);
    va_end(args);
}

void
diag_note_args(struct diags *ds, u32 at, u32 n, const char *format, va_list args)
{
    add_note(ds, (struct diag_note){.at = at, .n = n}, format, args);
}

void
diag_note_fixed(struct diags *ds, struct slice message)
{
    if (ds->list.n > 0 && !last_dropped(ds))
        append_note(ds, ds->list.n - 1, (struct diag_note){.at = NONE, .message = message});
}

void
diag_note_to(struct diags *ds, u32 record, u32 at, u32 n, struct slice message)
{
    append_note(ds, record, (struct diag_note){.at = at, .n = n, .message = arena_copy(ds->mem, message)});
}

void
diag_note_in(struct diags *ds, struct text *text, u32 at, u32 n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_note(ds, (struct diag_note){.at = at, .n = n, .text = text}, format, args);
    va_end(args);
}

/* the largest length of at most n bytes, n < s.n, at which s can be cut between characters */
static size_t
cut_at_character(struct slice s, size_t n)
{
    size_t start = n;
    while (start > 0 && n - start < 3 && !begins_point(s.at[start]))
        start--;
    return utf8_length(s.at + start, s.n - start) > n - start ? start : n;
}

const char *
diag_quote(struct diags *ds, struct slice bytes)
{
    if (bytes.n <= QUOTE_BYTES)
        return arena_copy(ds->mem, bytes).at;
    size_t head = cut_at_character(bytes, QUOTE_BYTES - QUOTE_TAIL - 3);
    size_t tail = cut_at_character(bytes, bytes.n - QUOTE_TAIL);
    char *p = arena_alloc(ds->mem, head + 3 + (bytes.n - tail) + 1);
    memcpy(p, bytes.at, head);
    memcpy(p + head, "...", 3);
    memcpy(p + head + 3, bytes.at + tail, bytes.n - tail);
    p[head + 3 + (bytes.n - tail)] = 0;
    return p;
}

void
diag_relevel(struct diags *ds, enum diag_level level)
{
    if (ds->total == 0)
        return;
    count_level(ds, ds->last_level, (u32)-1);
    count_level(ds, level, 1);
    ds->last_level = level;
    if (!last_dropped(ds))
        ds->list.at[ds->list.n - 1].level = level;
}

void
diags_relevel(struct diags *ds, enum diag_code code, enum diag_level level)
{
    for (u32 i = 0; i < ds->list.n; i++) {
        struct diag *d = &ds->list.at[i];
        if (d->code != code)
            continue;
        count_level(ds, d->level, (u32)-1);
        count_level(ds, level, 1);
        d->level = level;
    }
}

void
diags_drop(struct diags *ds, bool (*drops)(const struct diag *d, u32 i, const void *user), const void *user)
{
    u32 n = 0;
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        if (drops(d, i, user))
            count_level(ds, d->level, (u32)-1);
        else
            ds->list.at[n++] = *d;
    }
    ds->total -= ds->list.n - n;
    ds->list.n = n;
}

static void
count_unverified(struct diags *ds, struct unverified *of, struct slice name)
{
    of->total++;
    for (u32 i = 0; i < of->n; i++)
        if (slice_eq(of->names[i], name))
            return;
    if (of->n < MOST_UNVERIFIED)
        of->names[of->n++] = arena_copy(ds->mem, name);
}

void
diags_unverified(struct diags *ds, struct slice primitive)
{
    count_unverified(ds, &ds->equations, primitive);
}

void
diags_unknown_type(struct diags *ds, struct slice type)
{
    count_unverified(ds, &ds->types, type);
}

void
diags_copy_read(struct diags *to, struct mem *m, const struct diags *from)
{
    diags_init(to, m);
    for (u32 i = 0; i < from->list.n; i++) {
        const struct diag *d = &from->list.at[i];
        if (d->stage > STAGE_NAMES)
            continue;
        struct diag *copy = vec_push(m, &to->list);
        *copy = *d;
        copy->notes = copy->last_note = NONE;
        copy->sourced = false; /* that note is of a later stage */
        to->total++;
        count_level(to, d->level, 1);
        for (u32 k = d->notes; k != NONE; k = from->notes.at[k].next)
            if (from->notes.at[k].stage <= STAGE_NAMES)
                append_note(to, to->list.n - 1, from->notes.at[k]);
    }
}

/* the sort key: no location (NONE) comes first */
static u32
sort_key(const struct diag *d)
{
    return d->at + 1;
}

/* merges two adjacent runs, list[lo .. mid) and list[mid .. hi), stably. Nothing moves if they are already in order, as
 * findings of consecutive programs are */
static void
merge_runs(struct diag *list, struct diag *buffer, u32 lo, u32 mid, u32 hi)
{
    if (sort_key(&list[mid - 1]) <= sort_key(&list[mid]))
        return;
    memcpy(buffer, list + lo, (mid - lo) * sizeof *list);
    u32 left = 0, n = mid - lo, right = mid, to = lo;
    while (left < n && right < hi)
        list[to++] = sort_key(&buffer[left]) <= sort_key(&list[right]) ? buffer[left++] : list[right++];
    memcpy(list + to, buffer + left, (n - left) * sizeof *list);
}

void
diags_sort(struct diags *ds)
{
    u32 n = ds->list.n;
    struct diag *list = ds->list.at;
    VEC(u32) ends = {0}; /* of sorted runs */
    for (u32 i = 1; i < n; i++)
        if (sort_key(&list[i - 1]) > sort_key(&list[i]))
            *vec_push(ds->mem, &ends) = i;
    if (ends.n == 0)
        return;
    *vec_push(ds->mem, &ends) = n;
    struct diag *buffer = mem_alloc(ds->mem, n * sizeof *buffer);
    while (ends.n > 1) {
        u32 kept = 0;
        for (u32 i = 0; i < ends.n; i += 2) {
            u32 lo = kept ? ends.at[kept - 1] : 0, last = i + 1 < ends.n ? i + 1 : i;
            if (last > i)
                merge_runs(list, buffer, lo, ends.at[i], ends.at[last]);
            ends.at[kept++] = ends.at[last];
        }
        ends.n = kept;
    }
    mem_free(ds->mem, buffer);
    vec_free(ds->mem, &ends);
}
