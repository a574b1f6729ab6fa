/* SPDX-License-Identifier: Apache-2.0
 *
 * A new text as edits of the old one: the hunks of their difference by lines, so that cursors and folds elsewhere stay.
 * Nearly linear. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a difference being read. */
struct patching {
    struct output *out;
    struct document *document;
    size_t first;          /* the line of the document that the old text begins with, from 0 */
    size_t line;           /* of the old text, from 0: what comes next */
    size_t from;           /* where lines that change begin */
    struct output changed; /* their new text */
    bool open;
    uint32_t written;
};

static void
write_position(struct output *o, struct document *d, size_t line)
{
    struct jx_string text = jx_document_text(d->text);
    document_index(d);
    const struct lines *l = d->returns ? &d->newlines : &d->lines;
    struct spot spot = offset_spot(d, line < l->n ? l->at[line] : text.n);
    output_printf(o, "{\"line\":%" PRIu32 ",\"character\":%" PRIu32 "}", spot.line, spot.character);
}

/* ends a run of lines that change */
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

/* one line of a unified difference */
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
    if (n == 0 || line[0] == '\\') { /* the line before has no end */
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

/* Writes the edits that make the text of a part, NULL: of all of a document, into another one, a list of TextEdit; how
 * many. */
static uint32_t
write_text_edits(struct output *o, struct document *d, const struct part *part, struct jx_string text)
{
    struct output difference = {.fd = -1};
    struct patching p = {.out = o, .document = d, .changed = {.fd = -1}};
    struct jx_string old = part != NULL ? part_text(d, part) : jx_document_text(d->text);
    p.first = part != NULL ? part->is.place.line - 1 : 0;
    bool differ = false;
    output_puts(o, "[");
    if (jx_write_line_diff("", old, text, &differ, output_write, &difference) == JX_OK && differ) {
        const char *at = difference.at, *end = at + difference.n;
        while (at < end) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            stop = stop != NULL ? stop + 1 : end;
            take_line(&p, at, (size_t)(stop - at));
            at = stop;
        }
        close_edit(&p);
    }
    output_puts(o, "]");
    output_free(&difference);
    return p.written;
}

uint32_t
write_workspace_edit(struct output *o, struct document *d, const struct part *part, struct jx_string text)
{
    output_puts(o, "{\"changes\":{");
    output_json(o, d->uri, strlen(d->uri));
    output_puts(o, ":");
    uint32_t n = write_text_edits(o, d, part, text);
    output_puts(o, "}}");
    return n;
}

bool
on_formatting(struct request *r)
{
    struct output text = {.fd = -1};
    struct document *d = r->document;
    if (d->kind != DOCUMENT_JAXPR)
        return true;
    jx_module *all;
    if (jx_document_module(d->text, &all) != JX_OK || jx_format(all, NULL, output_write, &text) != JX_OK) {
        output_free(&text);
        return request_fail(r, RPC_INTERNAL, "%s", jx_status_text(JX_OUT_OF_MEMORY));
    }
    write_text_edits(&r->out, d, NULL, (struct jx_string){text.at != NULL ? text.at : "", text.n});
    output_free(&text);
    return true;
}
