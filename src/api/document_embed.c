/* SPDX-License-Identifier: Apache-2.0
 *
 * The inverse of extraction: replaces a program in other text, with the prefixes and escapes around its lines.
 * Unchanged lines keep every byte; a new line gets the prefix and escapes of the one that it replaces. The result is
 * extracted again, and returned only if that finds the new program. Nearly linear. */
#include "api/document.h"

#include "base/utf8.h"
#include "diff/lines.h"
#include "extract/unescape.h"

/* A line of a program, and where its bytes are in the document; an empty line has no bytes, only the offset of its
 * end. */
struct line {
    struct slice text;
    u64 from, to;
};

struct embedding {
    jx_document *document;
    const struct document_part *part;
    u32 index;           /* of the part */
    struct slice text;   /* the new text of the program */
    const char *refused; /* why the program cannot be replaced, a static string; NULL: it can */
    u32 level;           /* the levels of string escapes, without that of a notebook */
    char quote;          /* of the string */
    VEC(struct line) lines;
    VEC(struct slice) fresh; /* the lines of the new text */
    VEC(char) separator;     /* the bytes to write between lines, for a program on one line */
    VEC(char) out;           /* the bytes that replace the part */
    u64 at;                  /* the document is copied or skipped up to here */
};

static const char nothing[] = "its new text is empty";
static const char joined[] = "its text was repaired when it was read";
static const char numbered[] = "its lines are numbered, and there would be more or fewer";
static const char of_diff[] = "it is part of a diff";
static const char mixed[] = "other lines are between its lines";
static const char one_line[] = "it is written on one line, and the text around it does not show how to add lines";
static const char unsure[] = "the edited text would not be extracted as this program";

/* ---- where lines are ---- */

/* the number of bytes of the character at `at` in the document, with its escapes */
static u64
source_length(const struct embedding *e, u64 at)
{
    const jx_document *d = e->document;
    u32 level = e->level + e->part->around.notebook;
    char near[64] = {0};
    struct unescaped c;
    if (level == 0 || d->at[at] != '\\')
        return 1;
    memcpy(near, d->at + at, d->n - at < 48 ? d->n - at : 48);
    unescape(near, level, &c);
    return c.length;
}

/* A walk over the bytes of a program and their offsets in the document. */
struct source_walk {
    const struct text *text;
    u32 at, origin;
    u64 source, line_start; /* the offsets of the byte and of its line in the document */
    u32 line;               /* the number of that line, from 1 */
};

/* moves to the place of the next origin, if it begins at this byte */
static void
enter_range(const jx_document *d, struct source_walk *w)
{
    const struct text *t = w->text;
    if (w->origin == t->n_origins || t->origins[w->origin].at != w->at)
        return;
    const struct origin *o = &t->origins[w->origin++];
    for (; w->line < o->line; w->line++) {
        const char *end = memchr(d->at + w->line_start, '\n', d->n - w->line_start);
        w->line_start = end ? (u64)(end + 1 - d->at) : d->n;
    }
    u64 at = w->line_start;
    for (u32 column = 1; column < o->column && at < d->n; column++)
        for (at++; at < d->n && !begins_point(d->at[at]); at++)
            ;
    w->source = at;
}

static void
find_lines(struct embedding *e)
{
    const jx_document *d = e->document;
    const struct text *t = &e->part->module->ir.text;
    struct source_walk w = {.text = t, .line = e->part->place.line, .line_start = e->part->from};
    while (w.line_start > 0 && d->at[w.line_start - 1] != '\n')
        w.line_start--;
    struct line line = {.text = {t->at, 0}};
    u64 last = 0;
    for (; w.at < t->n; w.at++, w.source++) {
        enter_range(d, &w);
        bool ends = t->at[w.at] == '\n';
        if (line.text.n == 0)
            line.from = line.to = w.source;
        if (!ends) {
            last = begins_point(t->at[w.at]) ? w.source : last;
            line.to = last < d->n && d->at[last] == '\\' ? last + source_length(e, last) : w.source + 1;
            line.text.n++;
        }
        if (ends || w.at + 1 == t->n) {
            *vec_push(&e->document->mem, &e->lines) = line;
            line.text = (struct slice){t->at + w.at + 1, 0};
        }
    }
}

/* whether the lines cover the part in the order of the document; false if the text was repaired when it was read */
static bool
are_in_order(const struct embedding *e)
{
    u64 at = e->part->from;
    for (u32 i = 0; i < e->lines.n; i++) {
        const struct line *l = &e->lines.at[i];
        if (l->from < at || l->to < l->from)
            return false;
        at = l->to;
    }
    return e->lines.n > 0 && e->lines.at[0].from == e->part->from && at == e->part->to;
}

/* ---- between lines ---- */

static u32
count_newlines(const jx_document *d, u64 from, u64 to)
{
    u32 n = 0;
    for (; from < to; from++)
        n += d->at[from] == '\n';
    return n;
}

/* whether line i and the next one are consecutive lines of the document, or on the same line */
static bool
is_clean(const struct embedding *e, u32 i)
{
    return count_newlines(e->document, e->lines.at[i].to, e->lines.at[i + 1].from) <= 1;
}

static void
put(struct embedding *e, const char *bytes, size_t n)
{
    vec_append(&e->document->mem, &e->out, bytes, n);
}

/* the character written after a backslash for c in a string; 0: c is not escaped */
static char
escape_of(char c, char quote)
{
    return c == '\\' || c == quote ? c : c == '\n' ? 'n' : c == '\t' ? 't' : (char)0;
}

/* writes a byte with the escapes of the string and of the strings around it, such as those of a notebook */
static void
put_escaped(struct embedding *e, char byte)
{
    u32 levels = e->level + e->part->around.notebook, n = 1;
    char now[16] = {byte};
    for (u32 level = 0; level < levels; level++) {
        char quote = level == 0 && e->level > 0 ? e->quote : '"', next[16];
        u32 more = 0;
        for (u32 i = 0; i < n; i++) {
            char escape = escape_of(now[i], quote);
            if (escape != 0)
                next[more++] = '\\';
            next[more++] = escape != 0 ? escape : now[i];
        }
        n = more;
        memcpy(now, next, n);
    }
    put(e, now, n);
}

static void
put_line(struct embedding *e, struct slice line)
{
    for (size_t i = 0; i < line.n; i++)
        put_escaped(e, line.at[i]);
}

/* the bytes to write between lines that are added near line i: those between the nearest consecutive lines; sets
 * refused if there are none */
static struct slice
separator_near(struct embedding *e, u32 i)
{
    u32 n = e->lines.n - 1;
    if (n == 0)
        return (struct slice){e->separator.at, e->separator.n};
    i = i < n ? i : n - 1;
    for (u32 far = 0; far < n; far++) {
        u32 k = i >= far && is_clean(e, i - far) ? i - far : i + far < n && is_clean(e, i + far) ? i + far : n;
        if (k < n)
            return (struct slice){e->document->at + e->lines.at[k].to,
                                  (size_t)(e->lines.at[k + 1].from - e->lines.at[k].to)};
    }
    e->refused = mixed;
    return (struct slice){"", 0};
}

/* copies the document up to an offset */
static void
copy_up_to(struct embedding *e, u64 to)
{
    put(e, e->document->at + e->at, (size_t)(to - e->at));
    e->at = to;
}

/* skips the document up to an offset; sets refused if the document has other lines between two consecutive lines of the
 * program, among its lines from x to y */
static void
leave_out(struct embedding *e, u32 x, u32 y, u64 to)
{
    for (; x < y; x++)
        if (!is_clean(e, x))
            e->refused = mixed;
    e->at = to;
}

/* replaces the lines from x up to x1 by the lines from y up to y1 of the new text */
static void
replace_lines(void *arg, u32 x, u32 x1, u32 y, u32 y1)
{
    struct embedding *e = arg;
    const struct line *lines = e->lines.at;
    if (x1 - x != y1 - y && e->part->around.numbered)
        e->refused = numbered;
    if (e->refused)
        return;
    for (; x < x1 && y < y1; x++, y++) {
        copy_up_to(e, lines[x].from);
        put_line(e, e->fresh.at[y]);
        e->at = lines[x].to;
    }
    if (x < x1 && x > 0) {
        copy_up_to(e, lines[x - 1].to);
        leave_out(e, x - 1, x1 - 1, lines[x1 - 1].to);
    } else if (x < x1) {
        copy_up_to(e, lines[x].from);
        leave_out(e, x, x1, lines[x1].from);
    }
    if (y == y1)
        return;
    copy_up_to(e, x > 0 ? lines[x - 1].to : lines[0].from);
    struct slice separator = separator_near(e, x > 0 ? x - 1 : 0);
    for (; y < y1; y++) {
        put(e, separator.at, x > 0 ? separator.n : 0);
        put_line(e, e->fresh.at[y]);
        put(e, separator.at, x > 0 ? 0 : separator.n);
    }
}

/* ---- a program on one line ---- */

/* Finds the bytes between lines for a program that is on one line: an escaped newline in a string, else a newline and
 * the same prefix; sets refused where neither fits. */
static void
find_joint(struct embedding *e)
{
    const jx_document *d = e->document;
    u64 from = e->part->from, to = e->part->to, begin = from, end = to;
    while (begin > 0 && d->at[begin - 1] != '\n')
        begin--;
    while (end < d->n && d->at[end] != '\n')
        end++;
    struct slice before = {d->at + begin, (size_t)(from - begin)}, after = {d->at + to, (size_t)(end - to)};
    char quote = before.n > 0 ? before.at[before.n - 1] : (char)0;
    bool within = (quote == '"' || quote == '\'') && after.n > 0 && *after.at == quote;
    bool several = within && after.n > 1 && after.at[1] == quote;
    bool raw = before.n > 1 && strchr("\\rR", before.at[before.n - 2]);
    if (e->level > 0 || (within && !several && !raw)) {
        e->level = e->level > 0 || e->part->around.notebook ? e->level : 1;
        e->quote = e->level > 0 ? e->quote : quote;
        put_escaped(e, '\n');
    } else if (!e->part->around.notebook && after.n == strspn(after.at, " \t\r")) {
        const char *visible = before.at;
        for (size_t i = 0; i < before.n; i++, visible++)
            if (strchr("\"'=(`{", *visible))
                e->refused = one_line;
        put(e, after.at + after.n - (after.n > 0 && after.at[after.n - 1] == '\r'), after.n > 0);
        put(e, "\n", 1);
        put(e, before.at, before.n);
    } else {
        e->refused = one_line;
    }
    vec_append(&e->document->mem, &e->separator, e->out.at, e->out.n);
    e->out.n = 0;
}

/* ---- the whole ---- */

static void
split_fresh(struct embedding *e)
{
    const char *at = e->text.at, *end = at + e->text.n;
    for (const char *next; at <= end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next : end;
        *vec_push(&e->document->mem, &e->fresh) = (struct slice){at, (size_t)(next - at)};
    }
}

static void
work_embed(void *arg)
{
    struct embedding *e = arg;
    const struct text *old = &e->part->module->ir.text;
    e->level = e->part->around.level;
    e->quote = e->part->around.quote;
    e->at = e->part->from;
    e->refused = old->joins.n > 0 || old->n_origins == 0 ? joined : e->part->around.signs ? of_diff : NULL;
    if (e->refused)
        return;
    find_lines(e);
    e->refused = e->text.n == 0 ? nothing : are_in_order(e) ? NULL : joined;
    if (e->refused)
        return;
    split_fresh(e);
    if (e->lines.n == 1 && e->fresh.n > 1)
        find_joint(e);
    lines_match(&e->document->mem, (struct slice){old->at, old->n}, e->text, replace_lines, e);
    copy_up_to(e, e->part->to);
}

/* A reader of the edited document, in three pieces. */
struct proof {
    struct slice pieces[3];
    size_t at;
};

static ptrdiff_t
read_proof(void *user, char *into, size_t room)
{
    struct proof *p = user;
    size_t at = p->at, n = 0;
    for (u32 i = 0; i < countof(p->pieces) && n == 0; i++) {
        if (at >= p->pieces[i].n) {
            at -= p->pieces[i].n;
            continue;
        }
        n = p->pieces[i].n - at < room ? p->pieces[i].n - at : room;
        memcpy(into, p->pieces[i].at + at, n);
    }
    p->at += n;
    return (ptrdiff_t)n;
}

/* whether an extracted program has the new text, and the search continues as after the old one */
static bool
is_proved(const struct embedding *e, const jx_extract *x, const jx_module *module)
{
    const struct text *t = &module->ir.text;
    const struct extract_state now = api_extract_state(x), *then = &e->part->after;
    struct surroundings around = api_extract_surroundings(x);
    u64 end = e->part->from + e->out.n;
    bool ends = around.end == end && (around.notebook || now.at - end == then->at - e->part->to);
    return ends && around.notebook == e->part->around.notebook && slice_eq((struct slice){t->at, t->n}, e->text);
}

static enum jx_status
prove(struct embedding *e)
{
    jx_document *d = e->document;
    struct proof p = {.pieces = {{d->at, (size_t)e->part->from},
                                 {e->out.at, e->out.n},
                                 {d->at + e->part->to, (size_t)(d->n - e->part->to)}}};
    u32 before = e->index;
    jx_extract *x = NULL;
    enum jx_status status = document_search(d, &before, read_proof, &p, &p.at, &x);
    e->refused = unsure;
    for (bool found = true; status == JX_OK && found;) {
        struct jx_found at;
        jx_module *module;
        status = jx_extract_next(x, &module, &at);
        found = status == JX_OK && module != NULL && at.offset < e->part->from;
        if (status == JX_OK && module != NULL && at.offset == e->part->from && is_proved(e, x, module))
            e->refused = NULL;
        jx_module_free(status == JX_OK ? module : NULL);
    }
    jx_extract_end(x);
    return status;
}

enum jx_status
jx_document_embed(jx_document *d, uint32_t i, struct jx_string text, jx_write_fn write, void *user, const char **why)
{
    if (d == NULL || write == NULL || why == NULL || !d->divided || d->edit.any || i >= d->parts.n)
        return api_misuse(d == NULL ? NULL : d->context, "`write` or `why` is NULL, or the part has not been read");
    while (text.n > 0 && text.at[text.n - 1] == '\n')
        text.n--;
    *why = NULL;
    if (!d->found)
        return write(user, text.at, text.n) != 0 || write(user, "\n", 1) != 0 ? JX_WRITE_FAILED : JX_OK;
    struct embedding e = {.document = d, .part = &d->parts.at[i], .index = i, .text = {text.at, text.n}};
    enum jx_status status = api_guard(&d->mem, work_embed, &e) ? JX_OK : api_left(&d->mem);
    if (status == JX_OK && e.refused == NULL)
        status = prove(&e);
    if (status == JX_OK && e.refused != NULL)
        status = JX_UNSUPPORTED;
    *why = e.refused;
    if (status == JX_OK && write(user, e.out.at, e.out.n) != 0)
        status = JX_WRITE_FAILED;
    mem_free_all(&d->mem, e.lines.at, e.fresh.at, e.separator.at, e.out.at);
    return status;
}
