/* SPDX-License-Identifier: Apache-2.0
 *
 * Semantic tokens: the words of each line, by the classes that `fmt --color` shows. Half-typed lines have colours, too,
 * for no line is parsed. Linear in the lines that are asked for. */
#include "lsp/features.h"

#include <string.h>

/* the tokens of the protocol that classes are; the index is what clients get */
static const char *const legend[] = {
    "comment", "keyword",  "namespace", "variable",   "type",   "function",
    "macro",   "property", "number",    "enumMember", "string", "operator",
};

enum { LEGEND = sizeof legend / sizeof *legend };

/* Tokens being written, each by its distance from the one before. */
struct tokens {
    struct output *out;
    struct document *document;
    uint32_t line, character; /* of the last one */
    uint32_t written;
};

void
write_legend(struct output *o)
{
    output_puts(o, "{\"tokenTypes\":[");
    for (size_t i = 0; i < LEGEND; i++)
        output_printf(o, "%s\"%s\"", i > 0 ? "," : "", legend[i]);
    output_puts(o, "],\"tokenModifiers\":[\"declaration\"]}");
}

/* how many units of the encoding bytes have */
static uint32_t
units(const struct document *d, const char *p, size_t n)
{
    uint32_t sum = 0;
    if (d->ascii || d->utf8)
        return (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        sum += ((unsigned char)p[i] & 0xC0) == 0x80 ? 0u : (unsigned char)p[i] >= 0xF0 ? 2u : 1u;
    return sum;
}

static void
put_number(struct output *o, uint32_t number)
{
    char digits[12];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    output_write(o, digits + n, sizeof digits - n);
}

static void
write_token(struct tokens *t, uint32_t line, uint32_t character, uint32_t length, uint32_t type, bool binds)
{
    const uint32_t numbers[] = {line - t->line, line == t->line ? character - t->character : character, length, type,
                                binds};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (t->written++ > 0)
            output_write(t->out, ",", 1);
        put_number(t->out, numbers[i]);
    }
    t->line = line;
    t->character = character;
}

static void
write_line(struct tokens *t, uint32_t line, struct jx_string text)
{
    struct jx_word word;
    uint32_t character = 0;
    for (size_t at = 0; jx_word_next(text, &at, &word);) {
        uint32_t length = units(t->document, word.text.at, word.text.n), type = 0;
        while (type < LEGEND && strcmp(legend[type], word.token) != 0)
            type++;
        if (type < LEGEND)
            write_token(t, line, character, length, type, strcmp(word.kind, "binder") == 0);
        character += length;
    }
}

/* the lines from `first` to `last` that hold programs */
static void
write_lines(struct tokens *t, uint32_t first, uint32_t last)
{
    struct document *d = t->document;
    struct jx_string text = jx_document_text(d->text);
    document_index(d);
    for (size_t line = first; line <= last && line < d->lines.n; line++) {
        size_t from = d->lines.at[line], to = line + 1 < d->lines.n ? d->lines.at[line + 1] : text.n;
        while (to > from && (text.at[to - 1] == '\n' || text.at[to - 1] == '\r'))
            to--;
        write_line(t, (uint32_t)line, (struct jx_string){text.at + from, to - from});
    }
}

static bool
answer(struct request *r, uint32_t first, uint32_t last)
{
    struct document *d = r->document;
    struct tokens t = {.out = &r->out, .document = d};
    output_puts(&r->out, "{\"data\":[");
    if (d->kind == DOCUMENT_JAXPR)
        write_lines(&t, first, last);
    for (size_t i = 0; d->kind != DOCUMENT_JAXPR && document_read(d) && i < d->n_parts; i++) {
        const struct jx_place *p = &d->parts[i].is.place;
        uint32_t from = place_spot(d, p->line, 1).line, to = place_spot(d, p->end_line, 1).line;
        if (from <= last && to >= first)
            write_lines(&t, from > first ? from : first, to < last ? to : last);
    }
    output_puts(&r->out, "]}");
    return true;
}

bool
on_tokens(struct request *r)
{
    return answer(r, 0, UINT32_MAX - 1);
}

bool
on_tokens_range(struct request *r)
{
    struct spot from, to;
    if (!spot_read(json_get(r->params, "range.start"), &from) || !spot_read(json_get(r->params, "range.end"), &to))
        return request_fail(r, RPC_PARAMS, "`range` needs `start` and `end`");
    return answer(r, from.line, to.line);
}
