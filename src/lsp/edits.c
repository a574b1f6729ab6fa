/* SPDX-License-Identifier: Apache-2.0
 *
 * A new text as TextEdits of the old one: the hunks of their line diff, so that clients keep cursors and folds in
 * unchanged lines. Nearly linear. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The state of reading a unified diff. */
struct patching {
    struct output *out;
    struct document *document;
    size_t first;          /* the document line, from 0, at which the old text begins */
    size_t line;           /* the next line of the old text, from 0 */
    size_t from;           /* the first line of the open edit */
    struct output changed; /* its new text */
    bool open;
    uint32_t written;
};

static void
write_position(struct output *o, struct document *d, size_t line)
{
    struct jx_string text = jx_document_text(d->text);
    document_index(d);
    const struct lines *l = d->returns ? &d->newlines : &d->lines;
    struct position position = offset_position(d, line < l->n ? l->at[line] : text.n);
    output_printf(o, "{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "}", position.line, position.character);
}

/* writes the open edit, if there is one */
static void
close_edit(struct patching *p)
{
    if (!p->open)
        return;
    output_puts(p->out, p->written++ > 0 ? ",{\"range\":{\"start\":" : "{\"range\":{\"start\":");
    write_position(p->out, p->document, p->first + p->from);
    output_puts(p->out, ",\"end\":");
    write_position(p->out, p->document, p->first + p->line);
    output_puts(p->out, "},\"newText\":");
    output_json(p->out, p->changed.at != NULL ? p->changed.at : "", p->changed.n);
    output_puts(p->out, "}");
    output_free(&p->changed);
    p->open = false;
}

/* reads one line of a unified diff */
static void
take_line(struct patching *p, const char *line, size_t n)
{
    if (n > 3 && line[0] == '@') {
        close_edit(p);
        const char *comma = memchr(line, ',', n), *space = memchr(line + 3, ' ', n - 3);
        unsigned long first = strtoul(line + 4, NULL, 10);
        bool none = comma != NULL && space != NULL && comma < space && comma[1] == '0';
        p->line = first - (first > 0 && !none);
        return;
    }
    if (n == 0 || line[0] == '\\') { /* no newline after the previous line */
        if (n > 0 && p->changed.n > 0 && p->changed.at[p->changed.n - 1] == '\n')
            p->changed.n--;
        return;
    }
    if (line[0] == ' ') {
        close_edit(p);
        p->line++;
        return;
    }
    if (!p->open)
        p->from = p->line;
    p->open = true;
    if (line[0] == '-')
        p->line++;
    else
        output_write(&p->changed, line + 1, n - 1);
}

/* the lines of the document that contain a part; *first becomes the number of the first one, from 0 */
static struct jx_string
part_lines(struct document *d, const struct part *part, size_t *first)
{
    struct jx_string text = jx_document_text(d->text);
    size_t from = part->is.from, to = part->is.to;
    while (from > 0 && text.at[from - 1] != '\n')
        from--;
    while (to < text.n && to > from && text.at[to - 1] != '\n' && text.at[to++] != '\n')
        ;
    *first = part->is.place.line - 1;
    return (struct jx_string){text.at + from, to - from};
}

/* writes one edit of the bytes that differ: for a program on one line, which may contain other programs */
static void
add_bytes(struct edits *e, size_t from, struct jx_string old, struct jx_string now)
{
    size_t same = 0, end = 0, least = old.n < now.n ? old.n : now.n;
    while (same < least && old.at[same] == now.at[same])
        same++;
    while (same > 0 && same < old.n && ((unsigned char)old.at[same] & 0xC0) == 0x80)
        same--;
    while (end < least - same && old.at[old.n - 1 - end] == now.at[now.n - 1 - end])
        end++;
    while (end > 0 && ((unsigned char)old.at[old.n - end] & 0xC0) == 0x80)
        end--;
    if (same + end == old.n && old.n == now.n)
        return;
    output_puts(e->out, e->written++ > 0 ? ",{" : "{");
    write_byte_range(e->out, e->document, from + same, from + old.n - end);
    output_puts(e->out, ",\"newText\":");
    output_json(e->out, now.at + same, now.n - end - same);
    output_puts(e->out, "}");
}

/* writes the lines `old`, which contain a part, with another text for the part; false, with e->why set, if the text
 * around it does not allow that */
static bool
embed(struct edits *e, const struct part *part, struct jx_string text, struct jx_string old, struct output *now)
{
    struct document *d = e->document;
    struct jx_string all = jx_document_text(d->text);
    const char *end = old.at + old.n, *why = NULL;
    output_write(now, old.at, (size_t)(all.at + part->is.from - old.at));
    enum jx_status status = jx_document_embed(d->text, (uint32_t)(part - d->parts), text, output_write, now, &why);
    output_write(now, all.at + part->is.to, (size_t)(end - all.at) - part->is.to);
    if (status != JX_OK)
        e->why = why != NULL ? why : jx_status_text(status);
    return status == JX_OK;
}

static void
add_difference(struct edits *e, size_t first, struct jx_string old, struct jx_string now)
{
    struct output difference = {.fd = -1};
    struct patching p = {.out = e->out, .document = e->document, .changed = {.fd = -1}};
    bool differ = false;
    p.first = first;
    p.written = e->written;
    if (jx_write_line_diff("", old, now, &differ, output_write, &difference) == JX_OK && differ) {
        const char *at = difference.at, *end = at + difference.n;
        while (at < end) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            stop = stop != NULL ? stop + 1 : end;
            take_line(&p, at, (size_t)(stop - at));
            at = stop;
        }
        close_edit(&p);
    }
    e->written = p.written;
    output_free(&difference);
}

bool
edits_add(struct edits *e, const struct part *part, struct jx_string text)
{
    size_t first = 0;
    struct document *d = e->document;
    if (part == NULL || d->kind == DOCUMENT_JAXPR) {
        add_difference(e, part != NULL ? part->is.place.line - 1 : 0,
                       part != NULL ? part_text(d, part) : jx_document_text(d->text), text);
        return true;
    }
    struct output now = {.fd = -1};
    struct jx_string old = part_lines(d, part, &first);
    bool alone = part->is.place.line == part->is.place.end_line || part->is.place.line > e->past;
    if (!alone)
        e->why = "another changed program is on the same lines";
    bool fine = alone && embed(e, part, text, old, &now);
    if (fine && part->is.place.line == part->is.place.end_line)
        add_bytes(e, (size_t)(old.at - jx_document_text(d->text).at), old, output_string(&now));
    else if (fine)
        add_difference(e, first, old, output_string(&now));
    e->past = fine ? part->is.place.end_line : e->past;
    output_free(&now);
    return fine;
}

void
edits_begin(struct edits *e, struct output *o, struct document *d)
{
    *e = (struct edits){.out = o, .document = d};
    output_puts(o, "{\"changes\":{");
    output_json(o, d->uri, strlen(d->uri));
    output_puts(o, ":[");
}

uint32_t
edits_end(struct edits *e)
{
    output_puts(e->out, "]}}");
    return e->written;
}

/* formats the programs in other text, and shows the client how many were not formatted and why */
static void
format_found(struct edits *e, struct server *s)
{
    struct document *d = e->document;
    uint32_t left = 0;
    for (size_t i = 0; document_read(d) && i < d->n_parts; i++) {
        struct output text = {.fd = -1};
        if (jx_format(d->parts[i].module, NULL, output_write, &text) != JX_OK ||
            !edits_add(e, &d->parts[i], output_string(&text)))
            left++;
        output_free(&text);
    }
    if (left > 0)
        server_show(s, "%" PRIu32 " %s not formatted: %s", left, left == 1 ? "program was" : "programs were",
                    e->why != NULL ? e->why : jx_status_text(JX_OUT_OF_MEMORY));
}

bool
on_formatting(struct request *r)
{
    struct output text = {.fd = -1};
    struct document *d = r->document;
    struct edits e = {.out = &r->out, .document = d};
    jx_module *all;
    bool fine = true;
    output_puts(&r->out, "[");
    if (d->kind != DOCUMENT_JAXPR)
        format_found(&e, r->server);
    else if (jx_document_module(d->text, &all) == JX_OK && jx_format(all, NULL, output_write, &text) == JX_OK)
        edits_add(&e, NULL, output_string(&text));
    else
        fine = request_fail(r, RPC_INTERNAL, "%s", jx_status_text(JX_OUT_OF_MEMORY));
    output_puts(&r->out, "]");
    output_free(&text);
    return fine;
}
