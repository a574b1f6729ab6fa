/* SPDX-License-Identifier: Apache-2.0
 *
 * From the beginning of a program to its end, by its braces. The prefixes of lines, colours and escapes are removed.
 * Linear; strings are not parsed, so a brace in one can mislead: then the text does not parse, and collection
 * continues. */
#include "extract/collect.h"
#include "base/chars.h"

#include "extract/unescape.h"

/* how many bytes are available when a character is read, and when a line begins */
enum { AHEAD = 64, LINE_AHEAD = 1024 };

/* at most this many lines are read to find the prefix of a program's lines */
enum { PREFIX_LINES = 16 };

/* a program is abandoned after this many consecutive lines of other output */
enum { MOST_SKIPPED = 100 };

size_t
invisible_length(const char *p, size_t n, bool escaped)
{
    static const char *const written[] = {"\x1b", "\\x1b", "\\u001b", "\\033", "\\e"};
    if (p[0] != '\\' && p[0] != '\r' && p[0] != '\x1b')
        return 0;
    if (n > 1 && p[0] == '\r' && p[1] == '\n')
        return 1;
    for (u32 i = 0; i < (escaped ? countof(written) : 1); i++) {
        size_t k = strlen(written[i]);
        if (n < k + 2 || memcmp(p, written[i], k) != 0 || p[k] != '[')
            continue;
        for (k++; k < n && (is_digit(p[k]) || p[k] == ';'); k++)
            ;
        if (k < n && (p[k] == 'm' || p[k] == 'K'))
            return k + 1;
    }
    return 0;
}

/* ---- characters ---- */

/* whether anything but blanks precedes a byte on its line */
static bool
is_inside(const struct flow *flow, u64 at)
{
    const char *p = window_at(flow, at);
    while (p > flow->at && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p > flow->at ? p[-1] != '\n' : flow->base > 0;
}

/* appends n bytes, which are bytes [from, to) of the stream: one character, or bytes that are adjacent in the file */
static void
put_run(struct collector *g, const char *bytes, u32 n, u64 from, u64 to)
{
    if (from != g->next || g->line_begins) {
        bool near = g->origins.n && !window_is_notebook(g->flow);
        struct file_place place = window_place(g->flow, from, near ? &g->last : NULL);
        *vec_push(g->mem, &g->origins) =
            (struct origin){g->text.n, place.line, place.column, g->line_begins && is_inside(g->flow, from)};
        *vec_push(g->mem, &g->places) = from;
        if (g->origins.n == 1)
            g->begin = place;
        g->last = place;
        g->line_begins = false;
    }
    vec_append(g->mem, &g->text, bytes, n);
    g->next = to;
    g->line_begins = to - from != n; /* after an escape, the next byte is not adjacent in the file */
}

/* put_run for bytes that JSON escapes may separate in the file */
static void
put(struct collector *g, const char *bytes, u32 n, u64 from, u64 to)
{
    bool plain = to - from == n;
    u32 run = plain ? window_run(g->flow, from, n) : n;
    while (run < n) {
        put_run(g, bytes, run, from, from + run);
        g->line_begins = true;
        bytes += run;
        from += run;
        n -= run;
        run = window_run(g->flow, from, n);
    }
    put_run(g, bytes, n, from, to);
    if (plain && window_is_notebook(g->flow))
        g->line_begins |= window_run(g->flow, to - 1, 2) == 1;
}

/* updates the state of brackets for a character; false if the program ends after it */
static bool
follow(struct collector *g, char c)
{
    if (c == '"' || c == '\'')
        g->quoted = true;
    if (c == '{')
        g->depth++;
    if (c != '}' || --g->depth > g->floor)
        return true;
    if (g->part == IN_PROGRAM)
        return false;
    g->part = AFTER_LET;
    g->let_end = g->text.n;
    return true;
}

/* Whether the text after the `}` of a let may still become ` in`, spaces (JAX pads lines up to source comments) and
 * `let` or `{`. */
static bool
let_continues(struct collector *g)
{
    const char *p = g->text.at + g->let_end, *end = g->text.at + g->text.n;
    while (p < end && *p == ' ')
        p++;
    static const char in[] = "in", let[] = "let ";
    for (u32 i = 0; i < 2; i++, p++)
        if (p == end || *p != in[i])
            return p == end;
    if (p < end && !strchr(" \t\n", *p))
        return false;
    while (p < end && (strchr(" \t\n", *p) || (*p == '#' && p[-1] == ' '))) {
        const char *newline = *p == '#' ? memchr(p, '\n', (size_t)(end - p)) : p;
        if (!newline)
            return true;
        p = newline + 1;
    }
    if (p < end && *p == '{') {
        g->part = IN_PROGRAM;
        return true;
    }
    for (u32 i = 0; i < 4; i++, p++)
        if (p == end || *p != let[i])
            return p == end;
    g->part = IN_LET;
    return true;
}

/* Whether the text so far ends with the beginning of a source comment: JAX prints at least two spaces before `#`. */
static bool
begins_comment(const struct collector *g)
{
    return g->text.n > 3 && memcmp(g->text.at + g->text.n - 3, "  #", 3) == 0;
}

/* processes a character of n bytes, which is [from, to) in the stream */
static void
consume(struct collector *g, const char *bytes, u32 n, u64 from, u64 to)
{
    put(g, bytes, n, from, to);
    if (g->comment && *bytes != '\n')
        return;
    g->comment = begins_comment(g);
    if (!follow(g, *bytes)) {
        g->state = COLLECTOR_CLOSED;
    } else if (g->part == AFTER_LET && g->text.n > g->let_end && *bytes != ' ' && !let_continues(g)) {
        collector_cut(g, g->let_end);
        g->state = COLLECTOR_CLOSED;
    }
}

/* ---- lines ---- */

/* The beginning of a line, at most LINE_AHEAD bytes, without colours. */
struct head {
    const char *at;
    u32 n;
    bool coloured; /* `at` is `plain`, whose i-th byte ends at ends[i] in the stream; if not, `at` is in the
                    *                       stream itself */
    char plain[LINE_AHEAD];
    u32 ends[LINE_AHEAD];
};

/* reads the beginning of the line at `from` of the stream, valid until more is read */
static void
line_head(const struct collector *g, u64 from, struct head *head)
{
    const char *p = window_at(g->flow, from), *end = window_at(g->flow, window_limit(g->flow)), *begin = p;
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    u32 most = (u32)((newline ? newline : end) - p < LINE_AHEAD ? (newline ? newline : end) - p : LINE_AHEAD);
    head->coloured = memchr(p, '\x1b', most) || memchr(p, '\r', most);
    head->at = head->coloured ? head->plain : p;
    head->n = head->coloured ? 0 : most;
    while (head->coloured && p < end && *p != '\n' && head->n < LINE_AHEAD) {
        size_t color = *p == '\x1b' || *p == '\r' ? invisible_length(p, (size_t)(end - p), false) : 0;
        p += color;
        if (color)
            continue;
        head->plain[head->n] = *p++;
        head->ends[head->n++] = (u32)(p - begin);
    }
}

/* where the first n bytes of the head end, relative to the beginning of the line in the stream */
static u32
head_width(const struct head *head, u32 n)
{
    return n == 0 || !head->coloured ? n : head->ends[n - 1];
}

static bool
starts(const char *p, u32 n, const char *word)
{
    return n >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

/* Whether the last complete line of the text ends with ` } in`, ignoring spaces and a source comment. */
static bool
ends_let(const struct collector *g)
{
    const char *p = g->text.at + g->line, *end = g->text.at + g->text.n;
    const char *hash = memmem(p, (size_t)(end - p), "  # ", 4);
    if (hash)
        end = hash;
    while (end > p && is_blank(end[-1]))
        end--;
    return end - p >= 5 && memcmp(end - 5, " } in", 5) == 0;
}

/* true if the line, given without its prefix, begins another program: a nested one does not begin a line, unless it
 * follows a `let` pasted into a parameter */
static bool
begins_program(const struct collector *g, const char *line, u32 n)
{
    if (g->part == AFTER_LET || ends_let(g))
        return false;
    return starts(line, n, "{ lambda ") || (starts(line, n, "let ") && memmem(line, n, " = { lambda ", 12));
}

/* learns the prefix from the line at g->at, or from the first later line with JAX's indentation: other processes may
 * print between the lines of a program */
static void
learn_prefix(struct collector *g)
{
    struct head head;
    struct prefix first = g->prefix;
    u64 at = g->at;
    window_fill(g->flow, at + PREFIX_LINES * LINE_AHEAD);
    for (u32 i = 0; i < PREFIX_LINES; i++) {
        struct prefix p = g->prefix;
        line_head(g, at, &head);
        bool fits = prefix_learn(&p, head.at, head.n, g->part == AFTER_LET);
        u32 skip = prefix_skip(&p, head.at, head.n);
        if (fits && g->part == AFTER_LET)
            fits = starts(head.at + skip, head.n - skip, "let ") || starts(head.at + skip, head.n - skip, "{ ");
        if (i == 0 || fits)
            first = p;
        if (fits)
            break;
        const char *newline = memchr(window_at(g->flow, at), '\n', (size_t)(window_limit(g->flow) - at));
        if (!newline)
            break;
        at = g->flow->base + (u64)(newline + 1 - g->flow->at);
    }
    g->prefix = first;
}

/* skips the prefix of the line at g->at, and lines that do not belong to the program */
static void
begin_line(struct collector *g)
{
    struct head head;
    g->claims.at[g->claims.n - 1].to = g->at;
    while (g->state == COLLECTOR_OPEN) {
        window_fill(g->flow, g->at + 2 * LINE_AHEAD);
        if (!g->prefix.known)
            learn_prefix(g);
        line_head(g, g->at, &head);
        u32 skip = prefix_skip(&g->prefix, head.at, head.n);
        if (skip != NONE) {
            if (begins_program(g, head.at + skip, head.n - skip))
                g->state = COLLECTOR_STOPPED;
            else
                g->at += head_width(&head, skip);
            break;
        }
        /* a line of another process or thread */
        u64 at = g->at;
        const char *newline;
        while (!(newline = memchr(window_at(g->flow, at), '\n', (size_t)(window_limit(g->flow) - at)))) {
            at = window_limit(g->flow);
            if (!window_fill(g->flow, at + 1))
                break;
        }
        if (!newline || ++g->skipped > MOST_SKIPPED) {
            g->state = COLLECTOR_STOPPED;
            return;
        }
        g->at = g->flow->base + (u64)(newline + 1 - g->flow->at);
        if (g->skipped == 1)
            vec_push(g->mem, &g->claims);
        g->claims.at[g->claims.n - 1] = (struct found_program){g->at, g->at};
    }
    g->skipped = 0;
    g->line = g->text.n;
    g->line_begins = true;
}

/* ---- strings ---- */

/* the level of the escaped newline at p: 1 for `\n`, 2 for `\\n`; 0 if there is none */
static u32
escape_level(const char *p)
{
    u32 n = 0;
    while (p[n] == '\\')
        n++;
    return p[n] != 'n' ? 0 : n == 1 ? 1 : n == 2 ? 2 : 0;
}

/* after the closing quote of a string: the start of the next piece of the same text, as in `'..'` newline `'..'` or in
 * an array of strings; 0 if there is none */
static u64
next_piece(const struct collector *g, u64 at)
{
    window_fill(g->flow, at + LINE_AHEAD);
    const char *p = window_at(g->flow, at), *end = window_at(g->flow, window_limit(g->flow));
    p += p < end && *p == ',';
    if (p < end && *p == '\r')
        p++;
    if (p == end || *p != '\n')
        return 0;
    p++;
    u32 skip = prefix_skip(&g->prefix, p, (u32)(end - p < LINE_AHEAD ? end - p : LINE_AHEAD));
    if (g->prefix.known && skip != NONE)
        p += skip;
    while (p < end && (*p == ' ' || *p == '\t' || *p == 'E')) /* pytest prefixes lines with E */
        p++;
    return p < end && *p == g->quote ? at + (u64)(p + 1 - window_at(g->flow, at)) : 0;
}

/* processes the character at g->at inside a string */
static void
consume_escaped(struct collector *g)
{
    const char *p = window_at(g->flow, g->at);
    struct unescaped c;
    if (*p == '\n' || *p == g->quote) {
        u64 next = *p == '\n' ? 0 : next_piece(g, g->at + 1);
        if (next)
            g->at = next;
        else
            g->state = COLLECTOR_STOPPED;
        return;
    }
    unescape(p, g->level, &c);
    u64 from = g->at;
    g->at += c.length;
    if (c.n == 1 && c.bytes[0] == '\r')
        return;
    consume(g, c.bytes, c.n, from, g->at);
    if (c.bytes[0] == '\n') {
        g->line_begins = true;
        g->line = g->text.n;
    }
}

/* ---- the whole ---- */

void
collector_start(struct collector *g, struct flow *flow, u64 start, const char *before, size_t n)
{
    struct mem *m = flow->mem;
    *g = (struct collector){.flow = flow, .mem = m, .at = start, .next = start, .line_begins = true};
    g->part = *window_at(flow, start) == 'l' ? IN_LET : IN_PROGRAM;
    g->quote = '"';
    *vec_push(m, &g->claims) = (struct found_program){start, start};
    for (size_t i = 0; i < n; i++) {
        size_t color = invisible_length(before + i, n - i, false);
        if (color) {
            i += color - 1;
            continue;
        }
        if (before[i] == '"' || before[i] == '\'')
            g->quote = before[i];
        if (g->prefix.n < PREFIX_MOST)
            g->prefix.at[g->prefix.n++] = before[i];
    }
    if (g->prefix.n == PREFIX_MOST)
        g->prefix.n = 0;
}

/* The number of bytes from p on that need no processing: before a line end, brace, quote, `#`, colour or escape; in
 * a source comment, before a line end, colour or escape. */
static u32
plain_length(const struct collector *g, const char *p, const char *end)
{
    static const bool special[256] = {['\n'] = true, ['\r'] = true, ['\x1b'] = true, ['\\'] = true, ['{'] = true,
                                      ['}'] = true,  ['"'] = true,  ['\''] = true,   ['#'] = true};
    const char *q = p;
    while (q < end && (!special[(unsigned char)*q] || (g->comment && strchr("{}\"'#", *q))))
        q++;
    return (u32)(q - p);
}

/* processes the character at g->at; false at the end of the stream */
static bool
step(struct collector *g)
{
    struct flow *f = g->flow;
    if (window_limit(f) < g->at + AHEAD)
        window_fill(f, g->at + AHEAD);
    if (g->at >= window_limit(f))
        return false;
    const char *p = window_at(f, g->at);
    bool escape = *p == '\\' && (g->level || !g->quoted);
    if (unlikely(*p == '\x1b' || *p == '\r' || escape)) {
        size_t invisible = invisible_length(p, (size_t)(window_limit(f) - g->at), escape);
        g->at += invisible;
        if (invisible)
            return true;
    }
    if (unlikely(escape && !g->level))
        g->level = escape_level(p);
    if (g->level) {
        consume_escaped(g);
        return true;
    }
    u32 plain = g->part == AFTER_LET ? 0 : plain_length(g, p, window_at(f, window_limit(f)));
    if (plain) {
        put(g, p, plain, g->at, g->at + plain);
        g->at += plain;
        return true;
    }
    consume(g, p, 1, g->at, g->at + 1);
    g->at++;
    if (*p == '\n' && g->state == COLLECTOR_OPEN)
        begin_line(g);
    return true;
}

/* appends the source comment on the program's last line, ` # file.py:3:6 (f)`, which is part of it */
static void
read_note(struct collector *g)
{
    u64 at = g->at;
    if (g->level)
        return;
    window_fill(g->flow, at + LINE_AHEAD);
    const char *p = window_at(g->flow, at), *end = window_at(g->flow, window_limit(g->flow));
    while (p < end && *p == ' ')
        p++;
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    if (p == window_at(g->flow, at) || p + 1 >= end || p[0] != '#' || p[1] != ' ' || (!newline && !g->flow->ended))
        return;
    u64 stop = at + (u64)((newline ? newline : end) - window_at(g->flow, at));
    while (g->at < stop) {
        size_t invisible = invisible_length(window_at(g->flow, g->at), (size_t)(window_limit(g->flow) - g->at), false);
        if (!invisible)
            put(g, window_at(g->flow, g->at), 1, g->at, g->at + 1);
        g->at += invisible ? invisible : 1;
    }
}

bool
collector_continue(struct collector *g, u32 most)
{
    bool more = true;
    while (more && g->state == COLLECTOR_OPEN && g->text.n < most)
        more = step(g);
    if (g->state == COLLECTOR_CLOSED)
        read_note(g);
    g->claims.at[g->claims.n - 1].to = g->at;
    return more;
}

void
collector_cut(struct collector *g, u32 n)
{
    g->text.n = n;
    while (g->origins.n > 1 && g->origins.at[g->origins.n - 1].at >= n)
        g->origins.n--;
    g->places.n = g->origins.n;
    const struct origin *o = &g->origins.at[g->origins.n - 1];
    g->last = (struct file_place){g->places.at[g->places.n - 1], o->line, o->column};
    g->at = g->next = g->last.offset + (n - o->at);
    while (g->claims.n > 1 && g->claims.at[g->claims.n - 1].from >= g->at)
        g->claims.n--;
    if (g->claims.at[g->claims.n - 1].to > g->at)
        g->claims.at[g->claims.n - 1].to = g->at;
}

void
collector_end(struct collector *g)
{
    mem_free_all(g->mem, g->text.at, g->origins.at, g->places.at, g->claims.at);
}
