/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds where equations begin: at or before the column of the first equation of their body, as JAX indents continued
 * lines. So the scanner keeps a stack of the columns of enclosing bodies. It also looks ahead, to distinguish tokens
 * that the grammar cannot. */
#include "tree_sitter/parser.h"

#include <stdlib.h>
#include <string.h>

enum token { NEWLINE, LET, END, OPEN, KEY, COMMENT, UNTYPED, STRAY, NEVER };

/* the most columns that tree-sitter can store for a place in the text; if bodies nest deeper, the outermost columns are
 * dropped */
enum { MOST = TREE_SITTER_SERIALIZATION_BUFFER_SIZE / sizeof(uint16_t) };

struct scanner {
    unsigned n;
    uint16_t columns[MOST]; /* ON_ONE_LINE for a body that begins after its `let` */
};
enum { ON_ONE_LINE = UINT16_MAX };

/* the most words and other characters of a line that are searched for the end of a bracket */
enum { FAR = 1024 };

void *
tree_sitter_jaxpr_external_scanner_create(void)
{
    return calloc(1, sizeof(struct scanner));
}

void
tree_sitter_jaxpr_external_scanner_destroy(void *payload)
{
    free(payload);
}

unsigned
tree_sitter_jaxpr_external_scanner_serialize(void *payload, char *buffer)
{
    struct scanner *s = payload;
    memcpy(buffer, s->columns, s->n * sizeof *s->columns);
    return s->n * (unsigned)sizeof *s->columns;
}

void
tree_sitter_jaxpr_external_scanner_deserialize(void *payload, const char *buffer, unsigned length)
{
    struct scanner *s = payload;
    s->n = length / (unsigned)sizeof *s->columns;
    if (length > 0)
        memcpy(s->columns, buffer, length);
}

static bool
is_blank(int32_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
is_word_start(int32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static bool
is_word(int32_t c)
{
    return is_word_start(c) || (c >= '0' && c <= '9');
}

static bool
opens(int32_t c)
{
    return c == '[' || c == '(' || c == '{';
}

static void
push(struct scanner *s, uint32_t column)
{
    if (s->n == MOST)
        memmove(s->columns, s->columns + 1, --s->n * sizeof *s->columns);
    s->columns[s->n++] = (uint16_t)(column < ON_ONE_LINE ? column : ON_ONE_LINE - 1);
}

/* Advances over blanks before a token, or, with `after`, over blanks and comments after it. Returns whether a line
 * ended. Only text before a token may be skipped. */
static bool
skip_space(TSLexer *lexer, bool after)
{
    bool line = false;
    for (;; lexer->advance(lexer, !after)) {
        if (after && lexer->lookahead == '#')
            while (lexer->lookahead != '\n' && !lexer->eof(lexer))
                lexer->advance(lexer, false);
        if (!is_blank(lexer->lookahead))
            return line;
        line |= lexer->lookahead == '\n';
    }
}

/* Advances over the current word; returns whether it is `word`. */
static bool
take_word(TSLexer *lexer, const char *word)
{
    bool same = true;
    for (; is_word(lexer->lookahead); lexer->advance(lexer, false))
        same = same && *word != 0 && lexer->lookahead == *word++;
    return same && *word == 0;
}

/* Advances over blanks within a token, or in text looked ahead at; returns whether a line ended. */
static bool
take_blanks(TSLexer *lexer)
{
    bool line = false;
    for (; is_blank(lexer->lookahead); lexer->advance(lexer, false))
        line |= lexer->lookahead == '\n';
    return line;
}

/* Scans `let`, and pushes the column at which lines of its body begin. Returns false if the word is another. */
static bool
scan_let(struct scanner *s, TSLexer *lexer)
{
    if (!take_word(lexer, "let"))
        return false;
    lexer->mark_end(lexer);
    bool line = skip_space(lexer, true);
    push(s, line ? lexer->get_column(lexer) : ON_ONE_LINE - 1);
    if (!line)
        s->columns[s->n - 1] = ON_ONE_LINE;
    return true;
}

/* Whether the previous word is the first of results without types: more words, then ` =`, ` <` or `,`, follow. */
static bool
scan_untyped(TSLexer *lexer)
{
    for (;;) {
        if (lexer->lookahead == ',')
            return true;
        if (lexer->lookahead != ' ')
            return false;
        while (lexer->lookahead == ' ')
            lexer->advance(lexer, false);
        if (!is_word_start(lexer->lookahead))
            return lexer->lookahead == '=' || lexer->lookahead == '<';
        while (is_word(lexer->lookahead))
            lexer->advance(lexer, false);
    }
}

/* Whether `let NAME =` of a shared program follows; `let` may also be a variable, as in `sub in let`. */
static bool
shared_begins(TSLexer *lexer)
{
    if (!take_word(lexer, "let") || lexer->lookahead != ' ')
        return false;
    lexer->advance(lexer, false);
    take_word(lexer, "");
    while (lexer->lookahead == ' ')
        lexer->advance(lexer, false);
    return lexer->lookahead == '=';
}

/* Scans a key, an empty token before `in` that ends a body or a shared program, or an empty token before results
 * without types. Returns false if there is none of them. */
static bool
scan_word(struct scanner *s, TSLexer *lexer, const bool *valid)
{
    if (take_word(lexer, "in") && valid[END] && (lexer->lookahead == '(' || is_blank(lexer->lookahead))) {
        bool line = skip_space(lexer, true);
        if (lexer->lookahead == '(' && s->n > 0)
            s->n--;
        lexer->result_symbol = END;
        if (lexer->lookahead == '(' || lexer->lookahead == '{' || (lexer->lookahead == 'l' && shared_begins(lexer)))
            return true;
        lexer->result_symbol = UNTYPED;
        return valid[UNTYPED] && !line && (lexer->lookahead == '=' || lexer->lookahead == '<');
    }
    if (valid[KEY] && lexer->lookahead == '=') {
        lexer->mark_end(lexer);
        lexer->advance(lexer, false);
        lexer->result_symbol = KEY;
        return lexer->lookahead != '=';
    }
    lexer->result_symbol = UNTYPED;
    return valid[UNTYPED] && !valid[NEVER] && scan_untyped(lexer);
}

/* Whether `let` follows the `.` of a header. */
static bool
header_ends(TSLexer *lexer)
{
    skip_space(lexer, true);
    return take_word(lexer, "let");
}

/* Whether open brackets in a line that ends with `last` are text, as the next line begins with `]` or another
 * parameter. JAX breaks lines after brackets and around programs, a `repr` only within brackets. */
static bool
parameter_ends(TSLexer *lexer, int32_t last)
{
    if (opens(last) || last == ',')
        return false;
    take_blanks(lexer);
    if (lexer->lookahead == ']')
        return true;
    take_word(lexer, "");
    return lexer->lookahead == '=';
}

/* Scans `{` before a header, `{ lambda ; a:f32[]. let`, or, with `text`, a bracket that is not closed: its line does
 * not close it, as in `fmt=a bracket [ and {}`, or the enclosing list ends first, as in `fmt={ lambda kind=2]`. If the
 * text ends within what may be a header, it is one that is being typed. Returns false for other brackets. */
static bool
scan_bracket(TSLexer *lexer, bool text)
{
    int open['{' + 1] = {0};
    int32_t c = lexer->lookahead, end = c == '(' ? ')' : c + 2;
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    lexer->result_symbol = OPEN;
    bool line = take_blanks(lexer), lines = false;
    c = lexer->lookahead;
    bool header = end == '}' && take_word(lexer, "lambda");
    if (!text || (line && !header))
        return header;
    lexer->result_symbol = STRAY;
    for (int i = 0; (header || i < FAR) && !lexer->eof(lexer); i++) {
        line = take_blanks(lexer);
        lines |= line;
        if (line && !header)
            return parameter_ends(lexer, c);
        c = lexer->lookahead;
        bool outside = open['{'] + open['['] + open['('] == 0, word = is_word_start(c);
        if (word)
            take_word(lexer, "");
        else
            lexer->advance(lexer, false);
        if (header && outside && (word ? lexer->lookahead == '=' : c == '=')) {
            if (lines)
                return line; /* a key that begins a line */
            header = false;
        }
        int32_t opened = c == ')' ? '(' : c == ']' || c == '}' ? c - 2 : 0;
        if (opens(c))
            open[c]++;
        else if (opened != 0 && open[opened] > 0)
            open[opened]--;
        else if (c == end)
            return false;
        else if (c == ']' && (is_blank(lexer->lookahead) || lexer->eof(lexer)))
            return true;
        else if (c == '.' && header && outside && header_ends(lexer))
            break;
    }
    lexer->result_symbol = OPEN;
    return header;
}

/* Scans `]` that is text, as in `name=a]b c]`: a word follows it, and the list ends later on the line. Returns false
 * for other brackets. */
static bool
scan_close(TSLexer *lexer)
{
    int depth = 0;
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    lexer->result_symbol = STRAY;
    if (!is_word(lexer->lookahead))
        return false;
    for (int i = 0; i < FAR && lexer->lookahead != '\n' && !lexer->eof(lexer); i++) {
        int32_t c = lexer->lookahead;
        if (c == ']' && depth == 0)
            return true;
        depth += opens(c) - (c == ']' || c == ')' || c == '}');
        if (depth < 0)
            return false;
        lexer->advance(lexer, false);
    }
    return false;
}

bool
tree_sitter_jaxpr_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid)
{
    struct scanner *s = payload;
    bool blank = is_blank(lexer->lookahead) || (lexer->lookahead == '#' && lexer->get_column(lexer) == 0);
    bool line = skip_space(lexer, false);
    lexer->mark_end(lexer);
    if (blank && lexer->lookahead == '#') {
        while (lexer->lookahead != '\n' && !lexer->eof(lexer))
            lexer->advance(lexer, false);
        lexer->mark_end(lexer);
        lexer->result_symbol = COMMENT;
        return true;
    }
    /* NEVER is valid only while the parser recovers from an error, when all tokens are */
    if (line && valid[NEWLINE] && !valid[NEVER] && s->n > 0 && !lexer->eof(lexer) &&
        lexer->get_column(lexer) <= s->columns[s->n - 1]) {
        lexer->result_symbol = NEWLINE;
        return true;
    }
    bool text = valid[STRAY] && !valid[NEVER];
    if (lexer->lookahead == '{' ? valid[OPEN] : text && (lexer->lookahead == '[' || lexer->lookahead == '('))
        return scan_bracket(lexer, text);
    if (text && lexer->lookahead == ']')
        return scan_close(lexer);
    if (valid[LET] && lexer->lookahead == 'l') {
        lexer->result_symbol = LET;
        return scan_let(s, lexer);
    }
    return is_word_start(lexer->lookahead) && scan_word(s, lexer, valid);
}
