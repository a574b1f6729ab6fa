/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a document, each read on its own, so that the cost of an edit depends on the parts it changes: a
 * text of programs is divided where a program certainly ends, and other text is searched again from shortly before
 * an edit to where the old search has the same state. The result is the same as reading the whole again, which a
 * test of random edits checks. */
#include "api/document.h"

#include "extract/divide.h"

enum { WINDOW = 16 << 10 }; /* bytes that a search reads at once: few, so that little beyond its last find matters */

/* New parts of a document in the making. */
struct dividing {
    jx_document *document;
    VEC(struct document_part) parts;
    u32 before, after; /* how many of the old parts are kept, at the beginning and at the end */
    struct document_part part;
    enum jx_status status;
};

/* ---- edits ---- */

static i64
count_lines(const char *p, size_t n)
{
    i64 lines = 0;
    for (const char *end = p + n; n > 0 && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        lines++;
    return lines;
}

void
document_note_edit(jx_document *d, size_t from, size_t to, const char *bytes, size_t n)
{
    struct document_edit *e = &d->edit;
    if (!d->divided)
        return;
    if (!e->any)
        *e = (struct document_edit){.any = true, .from = from, .to = from, .now = from};
    u64 end = to > e->now ? to : e->now; /* in the text now; what follows it was not touched before */
    e->to += end - e->now;
    e->now = end - (to - from) + n;
    e->from = from < e->from ? from : e->from;
    e->lines += count_lines(bytes, n) - count_lines(d->at + from, to - from);
}

/* whether a part must be read again although no edit touched it: a call was cancelled in the middle, or formatting
 * added errors about values of a repaired text, which check does not report */
static bool
is_stale(const struct document_part *p)
{
    return p->module->lost || p->module->values_checked == VALUES_REFUSED;
}

/* treats stale parts as edited, so that they are read again */
static void
note_stale(jx_document *d)
{
    for (u32 i = 0; i < d->parts.n; i++) {
        const struct document_part *p = &d->parts.at[i];
        struct document_edit *e = &d->edit;
        if (!is_stale(p))
            continue;
        if (!e->any)
            *e = (struct document_edit){.any = true, .from = p->from, .to = p->to, .now = p->to};
        e->now += p->to > e->to ? p->to - e->to : 0;
        e->to = p->to > e->to ? p->to : e->to;
        e->from = p->from < e->from ? p->from : e->from;
    }
}

void
document_forget_parts(jx_document *d)
{
    for (u32 i = 0; i < d->parts.n; i++)
        api_free_module(d->parts.at[i].module);
    d->parts.n = 0;
    d->divided = false;
    d->edit = (struct document_edit){.any = false};
}

/* ---- a text of programs ---- */

/* whether an old part is unchanged in the new text, `more` bytes later */
static bool
is_same(const struct document_part *old, u64 from, u64 to, i64 more)
{
    return (i64)old->from + more == (i64)from && (i64)old->to + more == (i64)to;
}

static void
work_divide(void *arg)
{
    struct dividing *g = arg;
    jx_document *d = g->document;
    const struct document_edit *e = &d->edit;
    const struct document_part *old = d->parts.at;
    struct divisions all = {0};
    divide_programs(&d->mem, (struct slice){d->at, d->n}, &all);
    i64 more = (i64)e->now - (i64)e->to;
    u32 n = all.n - 1; /* the last one is the end of the text */
    while (g->before < n && g->before < d->parts.n && (!e->any || old[g->before].to <= e->from) &&
           is_same(&old[g->before], all.at[g->before].at, all.at[g->before + 1].at, 0))
        g->before++;
    while (g->after < n - g->before && g->after < d->parts.n - g->before &&
           old[d->parts.n - 1 - g->after].from >= e->to &&
           is_same(&old[d->parts.n - 1 - g->after], all.at[n - 1 - g->after].at, all.at[n - g->after].at, more))
        g->after++;
    for (u32 i = g->before; i < n - g->after; i++)
        *vec_push(&d->mem, &g->parts) = (struct document_part){
            .from = all.at[i].at,
            .to = all.at[i + 1].at,
            .place = {all.at[i].line, 1, all.at[i + 1].line - (i + 1 < n), UINT32_MAX},
        };
    vec_free(&d->mem, &all);
}

static enum jx_status
read_divided(struct dividing *g)
{
    jx_document *d = g->document;
    if (!api_guard(&d->mem, work_divide, g))
        return api_left(&d->mem);
    for (u32 i = 0; i < g->parts.n; i++) {
        struct document_part *p = &g->parts.at[i];
        enum jx_status status = api_read_range(d->context, d->name.at, d->at + p->from, (size_t)(p->to - p->from),
                                               p->place.line - 1, &p->module);
        if (status != JX_OK) {
            g->parts.n = i;
            return status;
        }
    }
    return JX_OK;
}

/* ---- other text ---- */

/* A text read from memory, starting at a byte. */
struct reading {
    const jx_document *document;
    size_t at;
};

static ptrdiff_t
read_text(void *user, char *into, size_t room)
{
    struct reading *r = user;
    size_t left = r->document->n - r->at, n = left < room ? left : room;
    n = n < WINDOW ? n : WINDOW;
    if (n > 0)
        memcpy(into, r->document->at + r->at, n);
    r->at += n;
    return (ptrdiff_t)n;
}

/* the beginning of a line from which a search can continue after the given find */
static struct file_place
resume_place(const jx_document *d, const struct document_part *after)
{
    u64 at = extract_back(after->after.at);
    while (at > 0 && d->at[at - 1] != '\n')
        at--;
    i64 lines = at < after->from ? -count_lines(d->at + at, (size_t)(after->from - at))
                                 : count_lines(d->at + after->from, (size_t)(at - after->from));
    return (struct file_place){at, (u32)(after->place.line + lines), 1};
}

enum jx_status
document_search(const jx_document *d, u32 *before, jx_read_fn read, void *user, size_t *at, jx_extract **x)
{
    const struct document_part *parts = d->parts.at;
    struct extract_source source = {d->name, read, user};
    while (*before > 0 && !parts[*before - 1].after.free)
        --*before;
    if (*before > 0) {
        source.state = &parts[*before - 1].after;
        source.from = resume_place(d, &parts[*before - 1]);
        *at = source.from.offset;
    }
    return api_extract_begin(d->context, &source, x);
}

static void
work_keep_found(void *arg)
{
    struct dividing *g = arg;
    *vec_push(&g->document->mem, &g->parts) = g->part;
}

/* finds the old part at which the search was in the same state, so that the parts after it are kept; searches from
 * *next on; false if there is none */
static bool
meets_old(struct dividing *g, const struct extract_state *state, u32 *next)
{
    const jx_document *d = g->document;
    const struct document_edit *e = &d->edit;
    u64 now = e->now, then = e->to;
    if (!d->divided || !state->free || extract_back(state->at) < now)
        return false;
    u64 line = extract_back(state->at);
    while (line > now && d->at[line - 1] != '\n')
        line--;
    if (line <= now)
        return false;
    u64 at = state->at - now + then;
    while (*next < d->parts.n && d->parts.at[*next].after.at < at)
        ++*next;
    return *next < d->parts.n && d->parts.at[*next].after.at == at && d->parts.at[*next].after.free;
}

static enum jx_status
find_rest(struct dividing *g, jx_extract *x)
{
    jx_document *d = g->document;
    u32 next = g->before;
    for (;;) {
        struct jx_found found;
        struct document_part part = {.module = NULL};
        enum jx_status status = jx_extract_next(x, &part.module, &found);
        if (status != JX_OK || part.module == NULL)
            return status;
        part.from = found.offset;
        part.place = found.place;
        part.after = api_extract_state(x);
        part.around = api_extract_surroundings(x);
        part.to = part.around.end;
        g->part = part;
        if (!api_guard(&d->mem, work_keep_found, g)) {
            api_free_module(part.module);
            return api_left(&d->mem);
        }
        if (meets_old(g, &part.after, &next)) {
            g->after = d->parts.n - next - 1;
            return JX_OK;
        }
    }
}

static enum jx_status
read_found(struct dividing *g)
{
    jx_document *d = g->document;
    struct reading r = {d, 0};
    jx_extract *x = NULL;
    while (d->divided && g->before < d->parts.n && d->parts.at[g->before].after.seen <= d->edit.from)
        g->before++;
    enum jx_status status = document_search(d, &g->before, read_text, &r, &r.at, &x);
    if (status == JX_OK)
        status = find_rest(g, x);
    jx_extract_end(x);
    return status;
}

/* ---- both ---- */

/* moves an old part that is kept, and that follows the edited bytes */
static void
move_part(struct document_part *p, const struct document_edit *e)
{
    i64 more = (i64)e->now - (i64)e->to;
    p->from = (u64)((i64)p->from + more);
    p->to = (u64)((i64)p->to + more);
    p->after.at = (u64)((i64)p->after.at + more);
    p->around.end = p->to;
    if (p->after.seen != UINT64_MAX)
        p->after.seen = (u64)((i64)p->after.seen + more);
    if (e->lines == 0)
        return;
    text_move_lines(&p->module->ir.text, e->lines);
    p->place.line = (u32)(p->place.line + e->lines);
    p->place.end_line = (u32)(p->place.end_line + e->lines);
}

static void
work_join(void *arg)
{
    struct dividing *g = arg;
    vec_reserve(&g->document->mem, &g->document->parts, g->before + g->parts.n + g->after);
}

/* replaces the old parts, except for those that are kept, by the new ones */
static void
join_parts(struct dividing *g)
{
    jx_document *d = g->document;
    u32 n = d->parts.n - g->after;
    for (u32 i = g->before; i < n; i++)
        api_free_module(d->parts.at[i].module);
    for (u32 i = n; i < d->parts.n; i++)
        move_part(&d->parts.at[i], &d->edit);
    if (g->after > 0)
        memmove(d->parts.at + g->before + g->parts.n, d->parts.at + n, g->after * sizeof *d->parts.at);
    for (u32 i = 0; i < g->parts.n; i++) {
        g->parts.at[i].id = ++d->last_id;
        g->parts.at[i].module->owned_elsewhere = true;
        d->parts.at[g->before + i] = g->parts.at[i];
    }
    d->parts.n = g->before + g->parts.n + g->after;
    d->divided = true;
    d->edit = (struct document_edit){.any = false};
}

enum jx_status
jx_document_read(jx_document *d, bool found, uint32_t *n)
{
    if (d == NULL || n == NULL)
        return api_misuse(d == NULL ? NULL : d->context, "`n` is NULL");
    struct dividing g = {.document = d};
    if (d->divided && d->found != found)
        document_forget_parts(d);
    d->found = found;
    note_stale(d);
    enum jx_status status = JX_OK;
    if (!d->divided || d->edit.any) {
        status = found ? read_found(&g) : read_divided(&g);
        if (status == JX_OK && !api_guard(&d->mem, work_join, &g))
            status = api_left(&d->mem);
        if (status == JX_OK)
            join_parts(&g);
        else
            for (u32 i = 0; i < g.parts.n; i++)
                api_free_module(g.parts.at[i].module);
        vec_free(&d->mem, &g.parts);
    }
    *n = status == JX_OK ? d->parts.n : 0;
    return status;
}

bool
jx_document_part_at(const jx_document *d, uint32_t i, struct jx_document_part *part)
{
    if (d == NULL || part == NULL || i >= d->parts.n)
        return false;
    const struct document_part *p = &d->parts.at[i];
    *part = (struct jx_document_part){p->id, p->module, p->from, p->to, p->place};
    return true;
}

void
jx_document_forget(jx_document *d)
{
    if (d != NULL)
        document_forget_parts(d);
}

enum jx_status
jx_document_part_copy(jx_document *d, uint32_t i, jx_module **module)
{
    if (d == NULL || module == NULL || !d->divided || d->edit.any || i >= d->parts.n)
        return api_misuse(d == NULL ? NULL : d->context, "`module` is NULL, or the part has not been read");
    const struct document_part *p = &d->parts.at[i];
    *module = NULL;
    return d->found ? api_read_found(p->module, module)
                    : api_read_range(d->context, d->name.at, d->at + p->from, (size_t)(p->to - p->from),
                                     p->place.line - 1, module);
}
