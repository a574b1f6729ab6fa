/* SPDX-License-Identifier: Apache-2.0
 *
 * textDocument/semanticTokens: the words of each line, in the classes that `fmt --color` uses. Lines are not parsed,
 * so that incomplete ones have tokens, too. Linear in the requested lines. */
#include "lsp/features.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* the tokenTypes of the legend; tokens have the index of their type */
static const char *const legend[] = {
    "comment", "keyword",  "namespace", "variable",   "type",   "function",
    "macro",   "property", "number",    "enumMember", "string", "operator",
};

enum { LEGEND = sizeof legend / sizeof *legend };

enum { KNOWN = 24 };

struct known {
    const char *token;
    uint32_t type;
};

/* Tokens being written, with positions relative to the previous token. */
struct tokens {
    struct known known[KNOWN];
    uint32_t n_known;
    struct output *out;
    struct document *document;
    uint32_t line, character; /* of the previous token */
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

/* the length of n bytes in units of the position encoding */
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

static char *
put_number(char *at, uint32_t number)
{
    char digits[12];
    size_t n = sizeof digits;
    do
        digits[--n] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    memcpy(at, digits + n, sizeof digits - n);
    return at + (sizeof digits - n);
}

static void
write_token(struct tokens *t, uint32_t line, uint32_t character, uint32_t length, uint32_t type, bool binds)
{
    const uint32_t numbers[] = {line - t->line, line == t->line ? character - t->character : character, length, type,
                                binds};
    char text[80], *at = text;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (t->written++ > 0)
            *at++ = ',';
        at = put_number(at, numbers[i]);
    }
    output_write(t->out, text, (size_t)(at - text));
    t->line = line;
    t->character = character;
}

/* the index of a token type in the legend, LEGEND if it is not there; cached by address: token types are a few
 * static strings */
static uint32_t
type_of(struct tokens *t, const char *token)
{
    for (uint32_t i = 0; i < t->n_known; i++)
        if (t->known[i].token == token)
            return t->known[i].type;
    uint32_t type = 0;
    while (type < LEGEND && strcmp(legend[type], token) != 0)
        type++;
    if (t->n_known < KNOWN)
        t->known[t->n_known++] = (struct known){token, type};
    return type;
}

/* writes at most `most` tokens of a line, and returns their number */
static uint32_t
write_line(struct tokens *t, size_t line, uint32_t most)
{
    struct document *d = t->document;
    struct jx_string all = jx_document_text(d->text), text;
    struct jx_word word;
    uint32_t character = 0, n = 0;
    size_t from = d->lines.at[line], to = line + 1 < d->lines.n ? d->lines.at[line + 1] : all.n;
    while (to > from && (all.at[to - 1] == '\n' || all.at[to - 1] == '\r'))
        to--;
    text = (struct jx_string){all.at + from, to - from};
    for (size_t at = 0; n < most && jx_word_next(text, &at, &word);) {
        uint32_t length = units(d, word.text.at, word.text.n), type = type_of(t, word.token);
        if (type < LEGEND) {
            write_token(t, (uint32_t)line, character, length, type, strcmp(word.kind, "binder") == 0);
            n++;
        }
        character += length;
    }
    return n;
}

/* writes the tokens of lines `first` to `last`, inclusive */
static void
write_lines(struct tokens *t, uint32_t first, uint32_t last)
{
    document_index(t->document);
    for (size_t line = first; line <= last && line < t->document->lines.n; line++)
        write_line(t, line, UINT32_MAX);
}

/* writes the result for the lines from `first` to `last`; in other text, for those that contain programs */
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
        uint32_t from = place_position(d, p->line, 1).line, to = place_position(d, p->end_line, 1).line;
        if (from <= last && to >= first)
            write_lines(&t, from > first ? from : first, to < last ? to : last);
    }
    output_puts(&r->out, "]}");
    return true;
}

bool
on_tokens_range(struct request *r)
{
    struct position from, to;
    if (!position_read(json_get(r->params, "range.start"), &from) ||
        !position_read(json_get(r->params, "range.end"), &to))
        return request_fail(r, RPC_PARAMS, "`range` needs `start` and `end`");
    return answer(r, from.line, to.line);
}

/* ---- deltas ---- */

void
tokens_note_edit(struct document *d, size_t from, size_t to, struct jx_string bytes)
{
    struct token_lines *l = &d->tokens;
    if (l->id == 0)
        return;
    if (!d->indexed || d->returns || memchr(bytes.at, '\r', bytes.n) != NULL) {
        l->id = 0; /* the next result is a full one */
        return;
    }
    size_t first = offset_line(d, from), end = offset_line(d, to) + 1, more = 0;
    for (const char *p = bytes.at, *stop = p + bytes.n; (p = memchr(p, '\n', (size_t)(stop - p))) != NULL; p++)
        more++;
    bool any = l->now > l->from || l->then > l->from;
    size_t now = !any || end > l->now ? end : l->now;
    l->then = any ? l->then + (now - l->now) : now;
    l->from = any && l->from < first ? l->from : first;
    l->now = now + more - (end - 1 - first);
}

/* resizes l->counts so that the lines from l->from up to l->then become those up to l->now; does not set their
 * counts */
static void
move_counts(struct token_lines *l)
{
    size_t n = l->n - l->then + l->now;
    if (n > l->cap) {
        l->cap = n + n / 2;
        l->counts = must_resize(l->counts, l->cap * sizeof *l->counts);
    }
    if (l->n > l->then)
        memmove(l->counts + l->now, l->counts + l->then, (l->n - l->then) * sizeof *l->counts);
    l->n = n;
}

/* writes a SemanticTokensEdit of the touched lines and the next token after them, whose relative position may change */
static void
write_touched(struct tokens *t, struct token_lines *l)
{
    uint64_t before = 0, gone = 0;
    for (size_t i = 0; i < l->from; i++) {
        before += l->counts[i];
        t->line = l->counts[i] > 0 ? (uint32_t)i : t->line;
    }
    for (size_t i = l->from; i < l->then; i++)
        gone += l->counts[i];
    size_t next = l->then;
    while (next < l->n && l->counts[next] == 0)
        next++;
    gone += next < l->n;
    output_printf(t->out, "{\"start\":%" PRIu64 ",\"deleteCount\":%" PRIu64 ",\"data\":[", before * 5, gone * 5);
    move_counts(l);
    for (size_t i = l->from; i < l->now; i++)
        l->counts[i] = write_line(t, i, UINT32_MAX);
    for (size_t i = l->now; i < l->n && write_line(t, i, 1) == 0; i++)
        ;
    output_puts(t->out, "]}");
}

bool
on_tokens(struct request *r)
{
    struct document *d = r->document;
    struct token_lines *l = &d->tokens;
    if (d->kind != DOCUMENT_JAXPR)
        return answer(r, 0, UINT32_MAX - 1);
    struct tokens t = {.out = &r->out, .document = d};
    document_index(d);
    *l = (struct token_lines){.counts = l->counts, .cap = l->cap, .id = ++r->server->token_answers, .now = d->lines.n};
    move_counts(l);
    output_printf(&r->out, "{\"resultId\":\"%u\",\"data\":[", l->id);
    for (size_t i = 0; i < l->n; i++)
        l->counts[i] = write_line(&t, i, UINT32_MAX);
    output_puts(&r->out, "]}");
    l->now = 0;
    return true;
}

bool
on_tokens_delta(struct request *r)
{
    struct document *d = r->document;
    struct token_lines *l = &d->tokens;
    const char *known = json_string(r->params, "previousResultId");
    char id[20];
    snprintf(id, sizeof id, "%u", l->id);
    if (l->id == 0 || known == NULL || strcmp(known, id) != 0)
        return on_tokens(r);
    struct tokens t = {.out = &r->out, .document = d};
    l->id = ++r->server->token_answers;
    output_printf(&r->out, "{\"resultId\":\"%u\",\"edits\":[", l->id);
    if (l->now > l->from || l->then > l->from)
        write_touched(&t, l);
    output_puts(&r->out, "]}");
    l->from = l->then = l->now = 0;
    return true;
}
