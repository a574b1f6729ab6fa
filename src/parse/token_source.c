/* SPDX-License-Identifier: Apache-2.0
 *
 * One token at a time, by the state of the innermost open construct: programs, headers, ends and recovery here, bodies
 * in body.c, atoms in atom.c, parameters in value.c. Linear: text that is read by hand is read once, except for
 * lookahead within one line. */
#include "parse/token_source.h"

#include "grammar.tab.h"
#include "parse/build.h"
#include "parse/comment.h"
#include "parse/text_part.h"

struct frame *
push_frame(struct token_source *f, enum source_state state)
{
    struct frame *frame = vec_push(f->m->mem, &f->frames);
    *frame = (struct frame){.state = (u8)state, .column = NONE, .keys = NONE};
    return frame;
}

void
queue_token(struct token_source *f, int kind, union token_value value)
{
    u32 at = (f->queue.first + f->queue.n++) % countof(f->queue.at);
    f->queue.at[at] = (struct token){kind, value};
}

u32
column_at(struct token_source *f, const char *p)
{
    const char *from = f->lines_seen;
    if (p < f->scan.line) {
        /* searches backwards, within one line, as during recovery */
        const char *line = memrchr(f->begin, '\n', (size_t)(p - f->begin));
        return (u32)(p - (line ? line + 1 : f->begin));
    }
    if (p > from) {
        const char *newline = memrchr(from, '\n', (size_t)(p - from));
        if (newline)
            f->scan.line = newline + 1;
        f->lines_seen = p;
    }
    return (u32)(p - f->scan.line);
}

u32
token_column(const struct token_source *f)
{
    return (u32)(f->scan.at - f->scan.line);
}

/* ---- programs, headers ---- */

int
open_header(struct token_source *f, const char *p, const char *binders, union token_value *value)
{
    value->id = offset_of(f, p);
    push_frame(f, STATE_CONSTS);
    scan_seek(&f->scan, binders);
    f->scan.line = p - column_at(f, p);
    return TOK_LAMBDA;
}

int
open_lambda(struct token_source *f, const char *brace, union token_value *value)
{
    int token = fast_header(f, brace, value);
    if (token != NO_TOKEN)
        return token;
    return open_header(f, brace, skip_blanks(brace + 1) + strlen("lambda"), value);
}

int
open_damaged(struct token_source *f, const char *p, const char *binders, union token_value *value)
{
    bool intact = *p == '{' && word_at(skip_blanks(p + 1), SLICE("lambda"));
    const char *end = is_word_char(*p) ? word_end(p) : p + 1;
    if (!intact && !report_lambda(f, p, binders + 1))
        diag_add(f->diags, DIAG_S001, offset_of(f, p), (u32)(end - p), "unexpected `%s`; expected `{ lambda`",
                 diag_quote(f->diags, (struct slice){p, (size_t)(end - p)}));
    f->errors += !intact;
    return open_header(f, p, binders, value);
}

/* the `let` after the `.` at p that ends a header, possibly with a comment between them; NULL if there is none */
static const char *
header_let(const struct token_source *f, const char *p)
{
    const char *q = skip_blanks(p + 1);
    if (*q == '#' && is_blank(q[-1])) {
        q = memchr(q, '\n', (size_t)(f->end - q));
        q = q ? skip_blanks(q) : f->end;
    }
    return is_blank(p[1]) && word_at(q, SLICE("let")) ? q : NULL;
}

bool
lambda_begins(const struct token_source *f, const char *p)
{
    return header_begins(f, skip_blanks(p + 1));
}

bool
header_begins(const struct token_source *f, const char *p)
{
    u32 depth = 0;
    if (!word_at(p, SLICE("lambda")))
        return false;
    for (p += 6; p < f->end; p++) {
        if (bracket_step(*p) > 0)
            depth++;
        if (bracket_step(*p) < 0) {
            if (depth == 0)
                return false;
            depth--;
        }
        if (depth)
            continue;
        if (*p == '=' && is_blank(p[-1])) /* that of an equation: it cannot be part of a type */
            return false;
        if (*p == '.' && header_let(f, p))
            break;
    }
    if (p >= f->end)
        return true;
    p = skip_blanks(header_let(f, p) + 3);
    if (!word_at(p, SLICE("in")))
        return true;
    /* `in` is a keyword or a variable here; other text only resembles a program */
    p = skip_blanks(p + 2);
    if (!is_word_start(*p))
        return p >= f->end || *p == '(' || *p == '[' || *p == ':' || *p == '=' || *p == '-' || is_digit(*p);
    p = word_end(p);
    return *skip_blanks(p) == '}';
}

bool
let_begins(struct token_source *f, const char *p)
{
    if (memcmp(p, "let", 3) != 0 || !is_blank(p[3]) || p < f->no_let)
        return false;
    const char *q = skip_blanks(p + 4);
    while (q < f->end && *q != '=' && (*q != '\n' || *skip_blanks(q) == '='))
        q++;
    if (q >= f->end || *q != '=') {
        f->no_let = q;
        return false;
    }
    bool key = !is_blank(q[-1]); /* `name=let` before `jaxpr={ lambda` */
    q = skip_blanks(q + 1);
    bool whole = *q == '{' && word_at(skip_blanks(q + 1), SLICE("lambda"));
    return !key && (whole || damaged_lambda(f, q));
}

/* `let NAME =` of a shared program: NAME is any text up to ` = {` */
static int
open_let(struct token_source *f, const char *p, union token_value *value)
{
    const char *name = skip_blanks(p + 3), *end = name;
    while (end < f->end && (*end != '\n' || *skip_blanks(end) == '=') && !(*end == '=' && *skip_blanks(end + 1) == '{'))
        end++;
    if (end >= f->end || *end != '=')
        end = memchr(name, '=', (size_t)(f->end - name));
    if (!end || !(*skip_blanks(end + 1) == '{' || damaged_lambda(f, skip_blanks(end + 1))))
        return TOK_BAD;
    const char *stop = end;
    while (stop > name && is_blank(stop[-1]))
        stop--;
    scan_seek(&f->scan, end + 1);
    value->span = span_of(f, name, stop);
    return TOK_LET_NAME;
}

static int
top_token(struct token_source *f, int kind, union token_value *value)
{
    const char *p = f->scan.at;
    if (kind == SCAN_LBRACE) {
        scan_release(&f->scan);
        if (word_at(skip_blanks(p + 1), SLICE("lambda")))
            return open_lambda(f, p, value);
    }
    if (kind == SCAN_WORD && f->scan.n == 3 && memcmp(p, "let", 3) == 0) {
        scan_release(&f->scan);
        int token = open_let(f, p, value);
        if (token == TOK_LET_NAME)
            top_frame(f)->let = true;
        return token;
    }
    scan_release(&f->scan);
    const char *binders = damaged_lambda(f, p);
    if (!binders)
        return TOK_BAD;
    int token = open_damaged(f, p, binders, value);
    diag_note(f->diags, NONE, 0, "a program begins with `{ lambda` or `let NAME = { lambda`");
    return token;
}

int
begin_body(struct token_source *f, const char *p)
{
    scan_seek(&f->scan, p);
    f->scan.line = p - column_at(f, p);
    top_frame(f)->state = STATE_BODY;
    f->starting = true;
    return TOK_LET;
}

static void
report_header(struct token_source *f, const char *p, u32 n, const char *what)
{
    diag_add(f->diags, DIAG_S001, offset_of(f, p), n, "%s", what);
    diag_note(f->diags, NONE, 0, "a header has the form `{ lambda a:f32[]; b:f32[]. let`");
    f->errors++;
}

static int
header_token(struct token_source *f, int kind, union token_value *value)
{
    struct frame *frame = top_frame(f);
    const char *p = f->scan.at, *end;
    switch (kind) {
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
    case SCAN_WORD:
        scan_release(&f->scan);
        end = p;
        while (is_word_start(*end) || is_word_char(*end))
            end++;
        if (end - p == 6 && memcmp(p, "lambda", 6) == 0 && *end != ':')
            return TOK_BAD;
        if (unlikely(column_at(f, p) == (u32)strspn(f->scan.line, " ")) && equation_line(f, p)) {
            for (end = p - 1; is_blank(*end); end--)
                ;
            build_header_error(f);
            report_header(f, end, 1, "`. let` is missing after the inputs of this program");
            return begin_body(f, p);
        }
        if (end - p == 3 && memcmp(p, "let", 3) == 0 && *end != ':' && is_typed(f)) { /* not a binder */
            report_header(f, p, 3, "`.` is missing before `let`");
            return begin_body(f, end);
        }
        value->var = parse_binder(f, p, end, &end);
        if (unlikely(end > p && is_word_char(end[-1])))
            check_argument_line(f, p, end);
        scan_seek(&f->scan, end);
        return TOK_BINDER;
    case SCAN_COMMA: /* some handwritten texts have one between two binders */
        scan_release(&f->scan);
        if (f->last != TOK_BINDER || !is_word_start(*skip_blanks(p + 1)))
            return TOK_BAD;
        scan_seek(&f->scan, p + 1);
        return NO_TOKEN;
    case SCAN_SEMICOLON:
        scan_release(&f->scan);
        if (frame->state == STATE_INS && (is_typed(f) || memchr(p, ':', (size_t)(header_end(f, p) - p))))
            report_header(f, p, 1, "unexpected second `;`");
        scan_seek(&f->scan, p + 1);
        frame->state = STATE_INS;
        return TOK_SEMI;
    case SCAN_DOT:
        scan_release(&f->scan);
        end = header_let(f, p);
        if (end && skip_blanks(p + 1) < end)
            record_comment(f, skip_blanks(p + 1));
        if (end)
            return begin_body(f, end + 3);
        end = skip_blanks(p + 1);
        if (!(skip_spaces(p + 1) < end ? equation_line(f, end) : equation_begins(end, f->end)))
            return TOK_BAD;
        report_header(f, p, 1, "`let` is missing after this `.`");
        return begin_body(f, p + 1);
    default:
        return TOK_BAD;
    }
}

/* ---- ends of programs ---- */

/* the jaxpr on top is closed: the one below continues */
static void
close_jaxpr(struct token_source *f, const char *end)
{
    f->frames.n--;
    f->starting = false;
    f->scan.first = false;
    struct frame *below = top_frame(f);
    f->at = end;
    if (below->state != STATE_TOP)
        return;
    if (below->let)
        below->state = STATE_TOP_IN;
    else if (below->pasted)
        f->frames.n--;
    else
        below->state = STATE_DONE;
}

/* how far to search other lines for what JAX prints on one line */
enum { LONGEST_WRAPPED = 4096 };

static int
close_token(struct token_source *f, int kind, union token_value *value)
{
    const char *p = f->scan.at;
    if (kind == SCAN_RBRACE) {
        value->id = offset_of(f, p) + 1;
        return TOK_CLOSE;
    }
    if (kind != SCAN_COLON)
        return TOK_BAD;
    scan_release(&f->scan);
    const char *open = skip_blanks(p + 1);
    if (*open != '{')
        return TOK_BAD;
    /* the text of an effect may contain brackets; the set ends at ` }` at depth 0. Further lines are wrapped ones */
    const char *q = open + 1, *far = q + LONGEST_WRAPPED;
    for (u32 depth = 0; q < f->end && (*q != '\n' || q < far) && !(*q == '}' && depth == 0); q++) {
        depth = bracket_depth(depth, *q);
    }
    if (*q != '}')
        return TOK_BAD;
    const char *from = open + 1, *to = q;
    while (from < to && is_blank(*from))
        from++;
    while (from < to && is_blank(to[-1]))
        to--;
    value->span = span_of(f, from, to);
    scan_seek(&f->scan, q + 1);
    return TOK_EFFECTS;
}

/* ---- the next token ---- */

bool
token_begins_equation(int token)
{
    return token == TOK_BINDER1 || token == TOK_PRIM1 || token == TOK_PRIM1_OPEN || token == TOK_REF_FORM1 ||
           token == TOK_ELLIPSIS || token == TOK_EQUATION || token == TOK_EQUATION_OPEN || token == TOK_IN ||
           token == TOK_ENDS;
}

/* the `in` after the program of a let. If another program follows, the missing `in` is the only error */
static int
let_in_token(struct token_source *f, int kind)
{
    const char *p = f->scan.at;
    if (kind != SCAN_WORD || f->scan.n != 2 || memcmp(p, "in", 2) != 0) {
        if (kind != SCAN_LBRACE && !let_begins(f, p))
            return TOK_BAD;
        report_unexpected(f, (const char *const[]){"`in`"}, 1);
        f->recovery.wanted = false;
        scan_seek(&f->scan, p);
    }
    top_frame(f)->state = STATE_TOP;
    top_frame(f)->let = false;
    return TOK_IN_LET;
}

/* one token of the scanner, for the current state */
static int
scanned_token(struct token_source *f, enum source_state state, union token_value *value)
{
    int kind = f->pending;
    if (f->resume) {
        int token = fast_next(f, value);
        if (token != NO_TOKEN)
            return token;
    }
    if (kind < 0)
        kind = scan_next(&f->scan);
    f->pending = -1;
    f->token.at = offset_of(f, f->scan.at);
    f->token.n = f->scan.n;
    if (unlikely(kind == SCAN_HASH)) {
        scan_release(&f->scan);
        if (f->scan.at > f->begin && !is_blank(f->scan.at[-1])) {
            diag_add(f->diags, DIAG_S001, offset_of(f, f->scan.at), 1,
                     "unexpected `#`; a comment begins after a space");
            f->errors++;
        }
        scan_seek(&f->scan, record_comment(f, f->scan.at));
        return NO_TOKEN;
    }
    if (unlikely(kind == SCAN_END)) {
        const char *last = f->end;
        while (last > f->begin && is_blank(last[-1]))
            last--;
        f->token.at = offset_of(f, last);
        f->token.n = 0;
        return f->part && part_ends(f) ? NO_TOKEN : 0;
    }
    switch (state) {
    case STATE_TOP:
        return top_token(f, kind, value);
    case STATE_TOP_IN:
        return let_in_token(f, kind);
    case STATE_CONSTS:
    case STATE_INS:
        return header_token(f, kind, value);
    case STATE_OUTS:
        return outs_token(f, kind, value);
    case STATE_CLOSE:
        return close_token(f, kind, value);
    default:
        return body_token(f, kind, value);
    }
}

/* the next token: one from the queue, or one that is read for the innermost construct */
static int
next_token(struct token_source *f, union token_value *value)
{
    if (unlikely(f->recovery.wanted && f->queue.n == 0))
        skip_to_recovery(f);
    if (unlikely(f->queue.n)) {
        struct token t = f->queue.at[f->queue.first];
        f->queue.first = (f->queue.first + 1) % countof(f->queue.at);
        f->queue.n--;
        *value = t.value;
        return t.kind;
    }
    enum source_state state = (enum source_state)top_frame(f)->state;
    if (state == STATE_DONE)
        return 0;
    if (state < STATE_PARAMS)
        return scanned_token(f, state, value);
    f->token.at = offset_of(f, f->at);
    f->token.n = 1;
    return params_next(f, value);
}

int
source_next(struct token_source *f, union token_value *value)
{
    int token;
    do
        token = next_token(f, value);
    while (token == NO_TOKEN);
    f->last = token;
    if (token == TOK_CLOSE || token == TOK_ENDS) {
        if (f->scan.flex)
            scan_release(&f->scan);
        close_jaxpr(f, f->begin + value->id);
    }
    return token;
}
