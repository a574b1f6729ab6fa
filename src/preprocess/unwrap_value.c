/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds line ends that were added inside a value by wrapping at spaces. Python prints objects on one line; line ends
 * belong to a value only in arrays (numpy indents below the bracket), in text laid out on purpose (a line end after
 * the opening bracket), and in plain strings. One pass. */
#include "preprocess/preprocess.h"

#include "base/chars.h"
#include "base/lexical.h"

#include <string.h>

enum bracket { ROUND, SQUARE, CURLY, ANGLE };

/* An open bracket. */
struct open {
    u8 kind;    /* enum bracket */
    u8 square;  /* the number of consecutive open square brackets, this one included */
    bool laid;  /* followed by a line end: laid out by hand up to its closing bracket */
    bool array; /* `array(..)` of numpy, or inside one */
    bool group; /* parameters of a primitive inside a value; JAX lays them out like those of equations */
};

enum { DEEPEST_OPEN = 64 };

struct unwrap {
    struct slice text;
    struct open open[DEEPEST_OPEN];
    u32 depth;
    bool inside; /* the text continues in brackets that were opened before it */
    enum value_part part;
    char quote; /* of the current string, or 0 */
};

/* A run of whitespace with a line end. */
struct gap {
    size_t at, line, end; /* its first byte, the line end, and the position after its last byte */
};

static bool
open_bracket(struct unwrap *u, size_t i, enum bracket kind)
{
    static const struct open outermost = {0};
    const struct open *outer = u->depth ? &u->open[u->depth - 1] : &outermost;
    struct slice s = u->text;
    if (u->depth == DEEPEST_OPEN)
        return false;
    bool array = kind == ROUND && i >= 5 && memcmp(s.at + i - 4, "rray", 4) == 0;
    bool row = kind == SQUARE && u->depth && outer->kind == SQUARE;
    bool laid = i + 2 < s.n && s.at[i + 1] == '\n' && strchr(" \n)]}", s.at[i + 2]);
    bool group = kind == SQUARE && u->part == VALUE_OF_CLASS && i > 0 && is_word_char(s.at[i - 1]) &&
                 (u->depth == 0 || outer->group) && key_end(skip_blanks(s.at + i + 1));
    u->open[u->depth++] = (struct open){.kind = (u8)kind,
                                        .square = (u8)(kind == SQUARE ? 1 + (row ? outer->square : 0) : 0),
                                        .group = group,
                                        .laid = (laid && !group) || outer->laid,
                                        .array = array || (kind == SQUARE && outer->array)};
    return true;
}

/* true if the `<` at i begins an object's text, `<function f at 0x..>` */
static bool
angle_opens(const struct unwrap *u, size_t i)
{
    const char *p = u->text.at + i;
    if (u->depth && u->open[u->depth - 1].kind == ANGLE)
        return true;
    if (i + 1 >= u->text.n || !is_word_start(p[1]))
        return false;
    return i == 0 || strchr("([{=,:", p[-1]) || (u->depth && p[-1] == ' ');
}

/* the end of the string whose quote is at i; i if it does not end as Python prints it */
static size_t
string_end(struct slice s, size_t i)
{
    for (size_t q = i + 1; q < s.n; q++) {
        if (s.at[q] == '\\')
            q++;
        else if (s.at[q] == s.at[i])
            return q + 1 == s.n || strchr(",)]}:> \n", s.at[q + 1]) ? q : i;
    }
    return i;
}

/* processes the byte at i; false if brackets do not match */
static bool
consume(struct unwrap *u, size_t i)
{
    const char *p = u->text.at + i;
    static const char kinds[] = "([{", closing[] = ")]}";
    const char *kind = strchr(kinds, *p), *close = strchr(closing, *p);
    if (u->quote) {
        u->quote = *p == u->quote && p[-1] != '\\' ? 0 : u->quote;
        return true;
    }
    if ((*p == '\'' || *p == '"') && u->depth && quote_opens(p, u->text.at)) {
        u->quote = string_end(u->text, i) > i ? *p : 0;
        return true;
    }
    if (kind)
        return open_bracket(u, i, (enum bracket)(kind - kinds));
    if (*p == '<' && angle_opens(u, i))
        return open_bracket(u, i, ANGLE);
    if (*p == '>' && u->depth && u->open[u->depth - 1].kind == ANGLE && p[-1] != '-' && p[-1] != '=')
        u->depth--;
    if (!close)
        return true;
    while (u->depth && u->open[u->depth - 1].kind == ANGLE)
        u->depth--; /* it was not an object */
    if (u->depth == 0)
        return u->inside;
    return u->open[--u->depth].kind == close - closing;
}

/* true if the gap in an object's text precedes the lines of a wrapped function, as printed up to 0.5.0: `<bound
 * method WrappedFun.call_wrapped of Wrapped function:`, a line for each transformation, and `Core: f` */
static bool
wrapped_function_begins(const struct unwrap *u, struct gap g)
{
    static const struct slice words = {WRAPPED_FUNCTION, sizeof WRAPPED_FUNCTION - 1};
    return u->depth && u->open[u->depth - 1].kind == ANGLE && g.line == g.at && g.at >= words.n &&
           memcmp(u->text.at + g.at - words.n, words.at, words.n) == 0;
}

/* true if a line end inside brackets may separate the rows or elements of a numpy array */
static bool
is_row(const struct open *o, char before, size_t indent)
{
    if (o->array)
        return indent > 4;
    return o->kind == SQUARE && before != ',' && indent > 0 && (before == ']' || indent == o->square);
}

/* true if the gap ends a row of a numpy array; an empty line separates the matrices of one */
static bool
ends_row(const struct unwrap *u, struct gap g)
{
    size_t indent = 0;
    while (u->text.at[g.end - 1 - indent] != '\n')
        indent++;
    return u->depth && g.at && is_row(&u->open[u->depth - 1], u->text.at[g.at - 1], indent);
}

/* a word of this many characters may have been cut because it did not fit */
enum { LONG_WORD = 30 };

/* true if the gap splits the address of an object, `0x7f0|01c`, or the first word of its text */
static bool
cuts_object(const char *p, struct gap g)
{
    size_t n = 0;
    while (n < g.at && (is_word_char(p[g.at - 1 - n])))
        n++;
    const char *word = p + g.at - n, *end = word_end(p + g.end);
    if (n == 0 && (p[g.at - 1] == '<' || p[g.at - 1] == '.'))
        return true;
    if (n >= 2 && word[0] == '0' && word[1] == 'x')
        return is_word_char(p[g.end]);
    static const char *const first[] = {"function", "class", "bound", "built"};
    size_t more = (size_t)(end - (p + g.end));
    for (u32 i = 0; n && more && n < g.at && word[-1] == '<' && i < countof(first); i++)
        if (strlen(first[i]) == n + more && memcmp(first[i], word, n) == 0 &&
            memcmp(first[i] + n, p + g.end, more) == 0)
            return true;
    return false;
}

/* true if a gap outside brackets splits the name of a record, `GatherDimension|Numbers(..`, or follows it */
static bool
cuts_record(struct slice s, struct gap g)
{
    for (size_t i = 0; i < g.at; i++)
        if (!is_word_char(s.at[i]) && s.at[i] != '.')
            return false;
    return *word_end(s.at + g.end) == '(' && g.end - g.at == 1;
}

/* true if the gap splits a word or a field, where Python prints no space */
static bool
is_cut(const struct unwrap *u, struct gap g)
{
    const char *p = u->text.at;
    if (u->part == VALUE_TYPE || u->quote || g.line != g.at || g.end == u->text.n || g.at == 0)
        return false;
    if (u->depth == 0)
        return !u->inside && cuts_record(u->text, g);
    if (u->open[u->depth - 1].kind == ANGLE && cuts_object(p, g))
        return true;
    const struct open *o = &u->open[u->depth - 1];
    char before = p[g.at - 1], after = p[g.end];
    if (g.end - g.at != 1) /* indented: a formatter of Python does not break a line at the `=` of a field */
        return (before == '=') != (after == '=') && o->kind == ROUND && !o->array && !o->laid;
    if (o->kind == ANGLE) { /* `<function f.<locals>.g at 0x..>` */
        size_t n = 0;
        while (n < g.at && !strchr(" \n=(,", p[g.at - 1 - n]))
            n++;
        return n >= LONG_WORD && !word_at(p + g.end, SLICE("at")) && !word_at(p + g.end, SLICE("object")) &&
               !word_at(p + g.end, SLICE("of"));
    }
    if (o->kind == SQUARE && key_end(p + g.end)) /* `SearchSorted[side=left dimension=0]` */
        return false;
    return !o->laid && !o->array && before != ',' && before != ':' &&
           (is_word_char(before) || before == '=' || before == '(' || before == '.') &&
           (is_word_char(after) || strchr("=([{,.'", after)) && !(is_digit(before) && is_digit(after));
}

/* true if the line end was added by hand: the whitespace around it was one space */
static bool
is_wrapped(const struct unwrap *u, struct gap g)
{
    struct slice s = u->text;
    bool trails = g.line > g.at, again = memchr(s.at + g.line + 1, '\n', g.end - g.line - 1) != NULL;
    char before = g.at > 0 ? s.at[g.at - 1] : 0, after = g.end < s.n ? s.at[g.end] : 0;
    size_t indent = g.end - g.line - 1;
    if (u->quote || u->part == VALUE_TYPE)
        return true;
    if (again || (u->depth == 0 && !u->inside))
        return !again && trails && after;
    if (trails)
        return true;
    if (u->depth == 0)
        return indent == 0 && before == ',';
    const struct open *o = &u->open[u->depth - 1];
    if (o->group)
        return true;
    if (o->laid || strchr("([{", before) || (after && strchr(")]}+", after)) || is_row(o, before, indent))
        return false;
    if (o->kind == ANGLE || before == ',' || (o->kind == SQUARE && key_end(s.at + g.end)))
        return true;
    bool item = before == ':' && (o->kind == CURLY || (g.at > 1 && s.at[g.at - 2] == '\''));
    return item || (indent == 0 && o->kind == SQUARE && is_digit(after));
}

static struct gap
find_gap(struct slice s, size_t i)
{
    struct gap g = {i, s.n, i};
    while (g.end < s.n && is_blank(s.at[g.end])) {
        if (s.at[g.end] == '\n' && g.line == s.n)
            g.line = g.end;
        g.end++;
    }
    return g;
}

struct slice
value_unread(struct slice s, struct line_ends *ends)
{
    const char *line = memchr(s.at, '\n', s.n);
    *ends = (struct line_ends){.kept = line ? (size_t)(line - s.at) : 0};
    return s;
}

struct slice
value_unwrap(struct mem *mem, struct slice s, enum value_part part, struct line_ends *ends)
{
    struct unwrap u = {.text = s, .inside = part == VALUE_AFTER, .part = part};
    char *to = NULL;
    size_t n = 0, copied = 0;
    for (size_t i = 0; i < s.n;) {
        struct gap g = find_gap(s, i);
        if (g.end == i) {
            if (!consume(&u, i++))
                return value_unread(s, ends);
            continue;
        }
        i = g.end;
        if (wrapped_function_begins(&u, g))
            u.open[u.depth - 1].laid = true;
        bool edge = g.at > 0 && g.end < s.n && (s.at[g.at - 1] == '[' || s.at[g.end] == ']');
        bool group = u.depth && u.open[u.depth - 1].group, cut = g.line < s.n && is_cut(&u, g);
        if (g.line == s.n ? !group || (!edge && g.end - g.at == 1) : !cut && !is_wrapped(&u, g)) {
            if (g.line < s.n && ends->kept == 0 && !ends_row(&u, g))
                ends->kept = g.line;
            continue;
        }
        if (u.quote && g.line == g.at && g.at > 0 && part != VALUE_TYPE && ends->ambiguous == 0)
            ends->ambiguous = g.at;
        to = to ? to : arena_alloc(mem, s.n + 1);
        memcpy(to + n, s.at + copied, g.at - copied);
        n += g.at - copied;
        to[n] = ' ';
        n += !cut && !edge;
        copied = g.end;
    }
    if (copied == 0)
        return s;
    if (u.depth && part == VALUE_WHOLE)
        return value_unread(s, ends);
    memcpy(to + n, s.at + copied, s.n - copied);
    return (struct slice){to, n + s.n - copied};
}
