/* SPDX-License-Identifier: Apache-2.0
 *
 * What a syntax error may have made unreadable. A damaged left-hand side or header binds names that it contains as
 * words, or parts of words where a `:` is lost, unless the name itself is lost: then what precedes a type is not a
 * name, and the name is one that JAX gives between those of the binders around it, or any later one. Linear in the
 * lines that have errors. */
#include "resolve/broken_lines.h"

#include "base/chars.h"

#include <stdlib.h>

static int
by_offset(const void *a, const void *b)
{
    const struct syntax_error *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void
read_errors(struct mem *mem, struct broken_lines *lines, const struct diags *ds, struct slice text)
{
    u32 from = 0, line = 0;
    for (u32 i = 0; i < ds->list.n; i++) {
        const struct diag *d = &ds->list.at[i];
        if (d->stage == STAGE_READ && d->level == LEVEL_ERROR)
            *vec_push(mem, &lines->errors) = (struct syntax_error){.at = d->at};
    }
    if (lines->errors.n)
        qsort(lines->errors.at, lines->errors.n, sizeof *lines->errors.at, by_offset);
    for (u32 i = 0; i < lines->errors.n; i++) {
        struct syntax_error *e = &lines->errors.at[i];
        u32 to = e->at < text.n ? e->at : (u32)text.n;
        const char *newline = to > from ? memrchr(text.at + from, '\n', to - from) : NULL;
        e->line = line = newline ? (u32)(newline + 1 - text.at) : line;
        from = to;
    }
    lines->read = true;
}

static bool
has_at(struct slice text, size_t i, struct slice what)
{
    return slice_starts((struct slice){text.at + i, text.n - i}, what);
}

/* whether a whole word begins at byte i */
static bool
has_word_at(struct slice text, size_t i, struct slice word)
{
    return has_at(text, i, word) && word_until(text, i) == i + word.n && (i == 0 || !is_word_char(text.at[i - 1]));
}

/* whether a statement begins at byte i: on a new line, or after a `;`, a `let` or the brace of a program */
static bool
begins_statement(struct slice text, size_t i)
{
    char before = text.at[i - 1];
    if (before == '\n')
        return true;
    if (before == ';')
        return i == text.n || is_blank(text.at[i]);
    if (before == '{')
        return has_word_at(text, i + (i < text.n && text.at[i] == ' '), SLICE("lambda"));
    return before == ' ' && i >= 4 && has_word_at(text, i - 4, SLICE("let"));
}

/* the length of the `=` or `<-` of an equation at byte i, or 0; parameters have no space beside their `=` */
static size_t
equals_at(struct slice text, size_t i)
{
    return has_at(text, i, SLICE(" =")) || has_at(text, i, SLICE("= ")) ? 2 : has_at(text, i, SLICE(" <-")) ? 3 : 0;
}

/* whether a line continues an equation, or contains results: it has no binder */
static bool
is_continuation(struct slice line)
{
    size_t i = 0;
    while (i < line.n && is_blank(line.at[i]))
        i++;
    size_t end = word_until(line, i);
    return i == line.n || bracket_step(line.at[i]) != 0 || has_word_at(line, i, SLICE("in")) ||
           (end > i && end + 1 < line.n && line.at[end] == '=' && !is_blank(line.at[end + 1]));
}

/* whether a line is a parameter that has lost its key, `=(0,)`, or follows a `=` that does not belong there */
static bool
is_parameter(struct slice line)
{
    size_t i = 0;
    while (i < line.n && is_blank(line.at[i]))
        i++;
    if (i == line.n || line.at[i++] != '=')
        return false;
    size_t from = i;
    while (i < line.n && is_blank(line.at[i]))
        i++;
    size_t end = word_until(line, i);
    bool key = end > i && end + 1 < line.n && line.at[end] == '=' && !is_blank(line.at[end + 1]);
    bool binder = (end < line.n && line.at[end] == ':') || memmem(line.at + i, line.n - i, " = ", 3) ||
                  memmem(line.at + i, line.n - i, " <- ", 4);
    return key || (i == from && i < line.n && !binder);
}

/* What was found so far in the left-hand side of an equation, or in a header. */
struct left {
    struct slice text;
    bool whole;        /* it ends at a `=` or `let` */
    bool typed, named; /* it has a type; a name without one */
    bool bare;         /* the last word after a space is a name that no type follows directly */
    bool other;        /* it has a character that belongs neither to a name nor to a type */
    bool lost;         /* a type has no name */
};

/* reads the word [i, end), which is outside brackets; `first`: a space, or the end of a type, precedes it */
static void
read_word(struct left *l, size_t i, size_t end, bool first)
{
    struct slice word = {l->text.at + i, end - i};
    char next = end < l->text.n ? l->text.at[end] : 0, after = end + 1 < l->text.n ? l->text.at[end + 1] : 0;
    bool keyword = slice_eq(word, SLICE("let")) || slice_eq(word, SLICE("in")) || slice_eq(word, SLICE("lambda"));
    bool name = is_word_start(word.at[0]) && !keyword, type = next == '[' && dtype_find(word) != NONE;
    if (next == ':') {
        bool literal = is_digit(word.at[0]) && !l->whole && (l->typed || l->named);
        l->typed = true;
        l->lost |= !(name && first) && !literal && is_word_start(after);
    } else if (type && (!first || l->bare))
        l->typed = true;
    else if (type)
        l->lost = true;
    else if (name)
        l->named = true;
    else
        l->other |= !keyword;
    l->bare = first ? name && !type && (next != ':' || !is_word_start(after)) : l->bare;
}

/* whether a left-hand side begins with a ref, `z[0:4]`, which it does not bind */
static bool
begins_with_ref(struct slice text)
{
    size_t i = 0, end;
    while (i < text.n && is_blank(text.at[i]))
        i++;
    end = word_until(text, i);
    struct slice word = {text.at + i, end - i};
    return word.n && is_word_start(*word.at) && end < text.n && text.at[end] == '[' && dtype_find(word) == NONE;
}

/* whether a binder of a left-hand side or header has lost its name; `whole`: its end was found */
static bool
lacks_name(struct slice text, bool whole)
{
    struct left l = {.text = text, .whole = whole};
    u32 depth = 0;
    bool closed = true;
    for (size_t i = 0, end; i < text.n; i = end) {
        char c = text.at[i], before = i ? text.at[i - 1] : ' ', after = i + 1 < text.n ? text.at[i + 1] : ' ';
        end = word_until(text, i);
        if (end > i) {
            if (depth == 0)
                read_word(&l, i, end, is_blank(before) || closed);
            closed = false;
            continue;
        }
        end = i + 1;
        closed = depth && bracket_step(c) < 0;
        if (depth == 0 && bracket_step(c) > 0 && is_blank(before))
            continue; /* no type begins with a bracket */
        bool apart = i > 1 && before == ' ' && is_word_char(text.at[i - 2]) && l.bare; /* `b :f32[3]` */
        if (depth == 0 && c == ':')
            l.lost |= !is_word_char(before) && !apart && before != ':' && (is_word_start(after) || after == ':');
        else if (depth == 0 && bracket_step(c) <= 0 && !is_blank(c))
            l.other |= !strchr(".;,", c) || !is_blank(after);
        depth = bracket_depth(depth, c);
    }
    return l.lost || (whole && !l.typed && (l.other || !l.named) && !begins_with_ref(text));
}

/* the begin of the statement that contains byte `at`; it does not begin before `floor` */
static size_t
statement_from(struct slice text, size_t floor, size_t at)
{
    while (at > floor && !begins_statement(text, at))
        at--;
    return at;
}

/* finds the ends of the statement that begins at `from` and contains `at`. Its binders are in [from, *equals), which is
 * NONE if that end was not found */
static struct broken_line
statement_end(struct slice text, size_t from, size_t at, u32 *equals)
{
    size_t end, right = from;
    bool header = false;
    *equals = NONE;
    for (end = from; end < text.n && text.at[end] != '\n' && (header || text.at[end] != ';' || end <= at); end++) {
        size_t n = equals_at(text, end);
        bool let = n == 0 && has_word_at(text, end, SLICE("let"));
        header |= has_word_at(text, end, SLICE("lambda"));
        if (n || let) {
            *equals = *equals == NONE ? (u32)end : *equals;
            right = end + n;
        }
        if (let)
            break;
    }
    return (struct broken_line){(u32)from, (u32)right, (u32)end};
}

/* the name of the last binder of a left-hand side or header, or of the first one, if JAX has chosen it; else NONE */
static name_t
binder_numeral(struct slice left, bool last)
{
    name_t found = NONE;
    u32 depth = 0;
    for (size_t i = 0, end; i < left.n; i = end + (end == i)) {
        end = word_until(left, i);
        bool begins = end > i && depth == 0 && (i == 0 || is_blank(left.at[i - 1])) && is_word_start(left.at[i]);
        depth = end > i ? depth : bracket_depth(depth, left.at[i]);
        if (!begins || has_word_at(left, i, SLICE("let")) || has_word_at(left, i, SLICE("lambda")))
            continue;
        found = name_numeral(left.at + i, end - i);
        if (!last)
            break;
    }
    return found;
}

/* the left-hand side of the statement that contains byte `at`, or its header after the brace; empty if it has none */
static struct slice
left_at(struct slice text, size_t floor, size_t at, size_t *from, size_t *end)
{
    u32 equals;
    *from = statement_from(text, floor, at);
    struct broken_line line = statement_end(text, *from, at, &equals);
    *end = line.end;
    struct slice left = {text.at + *from, equals == NONE ? 0 : equals - *from};
    const char *head = left.n ? memmem(left.at, left.n, "lambda ", 7) : NULL;
    return head ? (struct slice){head, (size_t)(left.at + left.n - head)} : left;
}

/* finds the names that JAX gives to binders between those before and after a line: the lost one is among them. False if
 * these do not follow one another closely */
static bool
find_between(struct slice text, size_t floor, const struct broken_line *line, struct lost_name *name)
{
    enum { LINES = 12, CLOSE = 5 };
    name_t low = NONE, high = NONE;
    struct slice before = {text.at, line->from};
    size_t from = line->from, end = line->end, ignored;
    for (u32 n = 0; n < LINES && low == NONE && from > floor; n++)
        low = binder_numeral(left_at(before, floor, from - 1, &from, &ignored), true);
    for (u32 n = 0; n < LINES && high == NONE && end + 1 < text.n; n++)
        high = binder_numeral(left_at(text, end + 1, end + 1, &ignored, &end), false);
    *name = (struct lost_name){line->from, low == NONE ? 0 : low + 1, high};
    return high != NONE && (low != NONE || from <= floor) && high >= name->low && high - name->low < CLOSE;
}

/* whether the line before a statement, which may have the first of its binders, lacks the name of one */
static bool
line_before_lacks_name(struct slice text, size_t floor, size_t from)
{
    if (from <= floor || text.at[from - 1] != '\n')
        return false;
    size_t before = statement_from(text, floor, from - 1);
    struct slice line = {text.at + before, from - before};
    for (size_t i = 0; i < line.n; i++)
        if (equals_at(line, i) || has_word_at(line, i, SLICE("let")))
            return false;
    return !is_continuation(line) && lacks_name(line, false);
}

/* finds the statement that contains byte `at` of a text and begins at or after byte `floor`. Sets *lost if a binder
 * before `at` has lost its name */
static struct broken_line
find_line(struct slice text, size_t floor, size_t at, bool *lost)
{
    u32 equals;
    size_t from = statement_from(text, floor, at);
    struct broken_line line = statement_end(text, from, at, &equals);
    struct slice left = {text.at + from, (equals == NONE ? line.end : equals) - from};
    bool binds = equals != NONE || !is_continuation(left);
    if (equals == NONE && binds)
        line.right = line.end;
    if (is_parameter((struct slice){text.at + from, line.end - from})) {
        line.right = line.from;
        binds = false;
    }
    *lost = binds && (at <= from + left.n || is_continuation(left)) &&
            (lacks_name(left, equals != NONE) || line_before_lacks_name(text, floor, from));
    return line;
}

void
broken_lines_read(struct mem *mem, struct broken_lines *lines, const struct diags *ds, struct slice module,
                  struct span program)
{
    if (!lines->read)
        read_errors(mem, lines, ds, module);
    struct slice text = {module.at, program.at + program.n};
    u32 floor = program.at;
    lines->list.n = 0;
    lines->lost = NONE;
    lines->n_names = 0;
    for (u32 i = vec_before(&lines->errors, program.at); i < lines->errors.n && lines->errors.at[i].at < text.n; i++) {
        u32 at = lines->errors.at[i].at;
        bool lost;
        if (lines->list.n && at < floor)
            continue;
        struct broken_line line = find_line(text, floor, at, &lost);
        *vec_push(mem, &lines->list) = line;
        floor = line.end;
        if (lost && lines->n_names < MOST_LOST &&
            find_between(text, program.at, &line, &lines->names[lines->n_names])) {
            lines->n_names++;
            lost = false;
        }
        if (lost && lines->lost == NONE)
            lines->lost = line.from;
    }
}

const struct broken_line *
broken_line_at(const struct broken_lines *lines, u32 at)
{
    u32 i = vec_before(&lines->list, at + 1);
    return i && at < lines->list.at[i - 1].end ? &lines->list.at[i - 1] : NULL;
}

bool
broken_may_bind(const struct broken_lines *lines, name_t name, u32 at)
{
    bool may = at >= lines->lost;
    for (u32 i = 0; i < lines->n_names && lines->names[i].from < at && !may; i++)
        may = name >= lines->names[i].low && name < lines->names[i].high;
    return may;
}

bool
broken_near(const struct broken_lines *lines, u32 from, u32 at, u32 end)
{
    u32 before = vec_before(&lines->errors, from), after = vec_before(&lines->errors, at);
    const struct syntax_error *next = after < lines->errors.n ? &lines->errors.at[after] : NULL;
    return before < after || (next && next->at < end && next->line <= at);
}
