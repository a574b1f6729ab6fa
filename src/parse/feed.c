/* SPDX-License-Identifier: Apache-2.0
 *
 * One token at a time, by the state of the innermost open construct. Equations end where the next begins: at a `;`, at
 * a line that starts in the column of the body's equations, or at a typed binder wherever it stands. Linear: what is
 * read by hand is read once, but for lookahead within one line. */
#include "parse/feed.h"

#include "grammar.tab.h"
#include "parse/build.h"

struct frame *
feed_push(struct feed *f, enum feed_state state, const char *p)
{
    struct frame *frame = vec_push(f->m->mem, &f->frames);
    *frame = (struct frame){.state = (u8)state, .column = NONE, .offset = feed_offset(f, p)};
    return frame;
}

void
feed_queue(struct feed *f, int kind, union token_value value)
{
    u32 at = (f->queue_at + f->queue_n++) % countof(f->queue);
    f->queue[at] = (struct token){kind, value};
}

u32
feed_column(struct feed *f, const char *p)
{
    const char *from = f->lines_seen;
    if (p < f->scan.line) {
        /* looking back, as recovery does: within one line */
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

static u32
token_column(const struct feed *f)
{
    return (u32)(f->scan.at - f->scan.line);
}

const char *
feed_comment(struct feed *f, const char *p)
{
    const char *end = memchr(p, '\n', (size_t)(f->end - p));
    if (!end)
        end = f->end;
    const char *text = p + 1 + (p + 1 < end && p[1] == ' ');
    struct comment c = {feed_offset(f, p), feed_span(f, text, end), NONE};
    if (f->open.n)
        c.eqn = f->open.at[f->open.n - 1].eqn;
    else if (f->m->eqns.n)
        c.eqn = f->m->eqns.n - 1;
    *vec_push(f->m->mem, &f->m->comments) = c;
    return end;
}

/* the end of a type whose brackets balance, or, reported, of what there is of it */
static const char *
check_type(struct feed *f, const char *start, const char *end)
{
    const char *open[8], *p;
    u32 depth = 0;
    if (end < f->end && *end != '\n')
        return end;
    for (p = start; p < end; p++) {
        if (*p == '[' || *p == '(' || *p == '{') {
            if (depth < countof(open))
                open[depth] = p;
            depth++;
        } else if ((*p == ']' || *p == ')' || *p == '}') && depth) {
            depth--;
        }
    }
    if (depth == 0 || depth > countof(open))
        return end;
    diag_add(f->diags, DIAG_S002, feed_offset(f, open[depth - 1]), 1, "this bracket of a type is never closed");
    f->errors++;
    for (p = start; p < end && !is_blank(*p) && !(*p == '.' && is_blank(p[1])); p++)
        ;
    return p;
}

struct var
feed_binder(struct feed *f, const char *name, const char *colon, const char **type_end)
{
    struct var v = {names_intern(f->m->mem, &f->m->names, (struct slice){name, (size_t)(colon - name)}), NONE};
    if (*colon != ':') {
        *type_end = colon;
        return v;
    }
    const char *start = colon + 1 + (colon[1] == ' '); /* hands write a blank where JAX does not */
    const char *end = check_type(f, start, type_scan(start, f->end));
    *type_end = end;
    if (end > start) {
        v.type = types_intern(&f->m->types, (struct slice){start, (size_t)(end - start)});
        return v;
    }
    diag_add(f->diags, DIAG_S001, feed_offset(f, colon), 1, "expected a type behind `%s:`",
             diag_quote(f->diags, (struct slice){name, (size_t)(colon - name)}));
    f->errors++;
    return v;
}

/* true for `1`, `-1.5e+03`, `2j`, `inf`: the texts Python prints for numbers */
static enum literal_kind
number_kind(const char *p, const char *end)
{
    enum literal_kind kind = LIT_INT;
    p += p < end && (*p == '-' || *p == '+');
    struct slice word = {p, (size_t)(end - p)};
    if (slice_eq(word, SLICE("inf")) || slice_eq(word, SLICE("nan")))
        return LIT_FLOAT;
    u32 digits = 0;
    for (; p < end; p++) {
        if (*p >= '0' && *p <= '9')
            digits++;
        else if (*p == '.' && kind == LIT_INT)
            kind = LIT_FLOAT;
        else if (*p == 'e' && digits && p + 1 < end && (p[1] == '+' || p[1] == '-' || (p[1] >= '0' && p[1] <= '9')))
            kind = LIT_FLOAT, p++;
        else if (*p == 'j' && p + 1 == end)
            kind = LIT_COMPLEX;
        else
            return LIT_OTHER;
    }
    return digits ? kind : LIT_OTHER;
}

static enum literal_kind
literal_kind(const char *p, const char *end)
{
    struct slice text = {p, (size_t)(end - p)};
    if (slice_eq(text, SLICE("True")) || slice_eq(text, SLICE("False")))
        return LIT_BOOL;
    if (slice_eq(text, SLICE("*")))
        return LIT_UNIT;
    if (slice_eq(text, SLICE("[...]")))
        return LIT_ARRAY;
    if (slice_eq(text, SLICE("(b'',)")))
        return LIT_FLOAT0;
    if (*p != '(')
        return number_kind(p, end);
    for (size_t i = 1; i + 1 < text.n; i++)
        if (!strchr("0123456789.+-einfaj", p[i]))
            return LIT_OTHER;
    return text.n > 3 && end[-2] == 'j' ? LIT_COMPLEX : LIT_OTHER;
}

atom_t
feed_literal(struct feed *f, const char *p, const char *end, const char **past)
{
    struct literal lit = {.value = feed_span(f, p, end), .type = NONE, .kind = literal_kind(p, end)};
    *past = end;
    if (*end == ':') {
        *past = type_scan(end + 1, f->end);
        if (*past > end + 1)
            lit.type = types_intern(&f->m->types, (struct slice){end + 1, (size_t)(*past - end - 1)});
    }
    if (lit.kind == LIT_OTHER && (is_word_char(*p) || *p == '-' || *p == '(') && *end != '(' && end[-1] != '.' &&
        !(is_word_start(*p) && end[-1] == ')')) {
        diag_add(f->diags, DIAG_S008, lit.value.at, lit.value.n, "`%s` is not a number",
                 diag_quote(f->diags, (struct slice){p, (size_t)(end - p)}));
        f->errors++;
    }
    *vec_push(f->m->mem, &f->m->literals) = lit;
    return atom_make(ATOM_LIT, f->m->literals.n - 1);
}

/* ---- programs, headers ------------------------------------------------------------------------------------- */

static int
open_lambda(struct feed *f, const char *brace, union token_value *value)
{
    const char *p = skip_blanks(brace + 1) + strlen("lambda");
    feed_push(f, FEED_CONSTS, brace);
    scan_seek(&f->scan, p);
    value->id = feed_offset(f, brace);
    return TOK_LAMBDA;
}

static bool
word_at(const char *p, struct slice word)
{
    return memcmp(p, word.at, word.n) == 0 && !is_word_char(p[word.n]);
}

bool
lambda_begins(const struct feed *f, const char *p)
{
    u32 depth = 0;
    p = skip_blanks(p + 1);
    if (!word_at(p, SLICE("lambda")))
        return false;
    for (p += 6; p < f->end; p++) {
        if (*p == '(' || *p == '[' || *p == '{')
            depth++;
        if (*p == ')' || *p == ']' || *p == '}') {
            if (depth == 0)
                return false;
            depth--;
        }
        if (depth)
            continue;
        if (*p == '=')
            return false;
        if (*p == '.' && is_blank(p[1]) && word_at(skip_blanks(p + 1), SLICE("let")))
            break;
    }
    if (p >= f->end)
        return true;
    p = skip_blanks(skip_blanks(p + 1) + 3);
    if (!word_at(p, SLICE("in")))
        return true;
    /* `in` is a keyword or a variable here; anything else is text that only looks like a program */
    p = skip_blanks(p + 2);
    if (!is_word_start(*p))
        return p >= f->end || *p == '(' || *p == '[' || *p == ':' || *p == '=' || *p == '-' || (*p >= '0' && *p <= '9');
    while (is_word_char(*p))
        p++;
    return *skip_blanks(p) == '}';
}

bool
let_begins(struct feed *f, const char *p)
{
    if (memcmp(p, "let ", 4) != 0 || p < f->no_let)
        return false;
    const char *q = p + 4;
    while (q < f->end && *q != '\n' && *q != '=')
        q++;
    if (q >= f->end || *q != '=') {
        f->no_let = q;
        return false;
    }
    q = skip_blanks(q + 1);
    return *q == '{' && word_at(skip_blanks(q + 1), SLICE("lambda"));
}

/* `let NAME =` of a shared program: NAME is any text up to ` = {` */
static int
open_let(struct feed *f, const char *p, union token_value *value)
{
    const char *name = skip_blanks(p + 3), *end = name;
    while (end < f->end && *end != '\n' && !(*end == '=' && *skip_blanks(end + 1) == '{'))
        end++;
    if (end >= f->end || *end != '=')
        return TOK_BAD;
    const char *stop = end;
    while (stop > name && is_blank(stop[-1]))
        stop--;
    scan_seek(&f->scan, end + 1);
    value->span = feed_span(f, name, stop);
    return TOK_LET_NAME;
}

static int
top_token(struct feed *f, int kind, union token_value *value)
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
            feed_frame(f)->key = (struct slice){p, 3}; /* a let's program comes next, not the main one */
        return token;
    }
    return TOK_BAD;
}

static int
header_token(struct feed *f, int kind, union token_value *value)
{
    struct frame *frame = feed_frame(f);
    const char *p = f->scan.at, *end;
    switch (kind) {
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
    case SCAN_WORD:
        scan_release(&f->scan);
        end = p;
        while (is_word_start(*end) || is_word_char(*end))
            end++;
        value->var = feed_binder(f, p, end, &end);
        scan_seek(&f->scan, end);
        return TOK_BINDER;
    case SCAN_COMMA:
        return FEED_AGAIN;
    case SCAN_SEMICOLON:
        frame->state = FEED_INS;
        return TOK_SEMI;
    case SCAN_DOT:
        scan_release(&f->scan);
        if (!word_at(skip_blanks(p + 1), SLICE("let")))
            return TOK_BAD;
        p = skip_blanks(p + 1) + 3;
        scan_seek(&f->scan, p);
        f->scan.line = p - feed_column(f, p);
        frame->state = FEED_BODY;
        f->starting = true;
        return TOK_LET;
    default:
        return TOK_BAD;
    }
}

/* ---- bodies ------------------------------------------------------------------------------------------------ */

/* `in` ends a body when `(` follows, unless that is a complex literal and `in` the 222nd variable, or when the results
 * stand without parentheses (0.1.60) or in brackets (up to 0.1.58) */
static bool
in_ends_body(const struct feed *f, const char *p)
{
    const char *q = skip_blanks(p + 2);
    if (*q == '(') {
        for (q++; *q == '-' || *q == '+' || *q == '.' || is_word_char(*q); q++)
            if (*q == 'j' && q[1] == ')')
                return q[2] != ':' && q[2] != ' ' && q[2] != '\n';
        return true;
    }
    if (!f->scan.first && !f->starting)
        return false;
    if (*q == '[')
        return p[2] != '[';
    if (!is_word_start(*q) && *q != '-' && !(*q >= '0' && *q <= '9'))
        return false;
    while (is_word_char(*q) || *q == '.' || *q == '-' || *q == '*')
        q++;
    return *skip_blanks(q) == '}';
}

static int
open_outs(struct feed *f, const char *p)
{
    struct frame *frame = feed_frame(f);
    const char *q = skip_blanks(p + 2);
    frame->state = FEED_OUTS;
    frame->old_outs = *q != '(';
    scan_seek(&f->scan, *q == '(' || *q == '[' ? q + 1 : q);
    f->starting = false;
    return TOK_IN;
}

/* true where `[` at p opens parameters: `key=` or a line end follows */
static bool
bracket_opens_params(const char *p)
{
    const char *q = p + 1;
    while (*q == ' ' || *q == '\t')
        q++;
    if (*q == '\n' || *q == '\r' || *q == '#')
        return true;
    if (!is_word_start(*q))
        return false;
    while (is_word_char(*q))
        q++;
    return *q == '=' && q[1] != '=';
}

static bool
prim_is_class(const char *p)
{
    return (*p >= 'A' && *p <= 'Z');
}

/* over brackets that belong to the primitive's name, as in `vjp_node[jit][a=1]` (0.12) */
static const char *
skip_name_brackets(const char *p)
{
    while (*p == '[') {
        const char *q = p + 1;
        while (is_word_char(*q) || *q == '.' || *q == '-')
            q++;
        if (q == p + 1 || *q != ']' || q[1] != '[')
            break;
        p = q + 1;
    }
    return p;
}

/* true for `copy_smem_to_gmem[commit_group=False] a[..] -> b[..]`: parameters on one line, then refs */
static bool
refs_follow_params(const struct feed *f, const char *open)
{
    const char *p = type_scan(open, f->end);
    if (*p != ' ' || p[-1] != ']' || !is_word_start(p[1]))
        return false;
    for (p++; is_word_char(*p); p++)
        ;
    if (*p != '[')
        return false;
    const char *line = memchr(p, '\n', (size_t)(f->end - p));
    return memmem(p, (size_t)((line ? line : f->end) - p), " -> ", 4) != NULL;
}

/* the primitive between p and end, and the `[` behind it if there is one */
static int
prim_token(struct feed *f, const char *p, const char *end, bool alone, bool bare, union token_value *value)
{
    struct frame *frame = feed_frame(f);
    end = skip_name_brackets(end);
    value->id = names_intern(f->m->mem, &f->m->names, (struct slice){p, (size_t)(end - p)}) | (bare ? PRIM_BARE : 0);
    frame->state = FEED_RHS;
    f->starting = false;
    const char *open = end + (*end == ' ');
    if (*open != '[' || !(open == end || bracket_opens_params(open)))
        return alone ? TOK_PRIM1 : TOK_PRIM;
    params_open(f, open + 1, prim_is_class(p));
    return alone ? TOK_PRIM1_OPEN : TOK_PRIM_OPEN;
}

/* a ref read, a ref write or another form of its own, from p on */
static int
tail_token(struct feed *f, const char *p, bool has_results)
{
    const char *end = tail_read(f, p, has_results);
    scan_seek(&f->scan, end);
    feed_frame(f)->state = FEED_BODY;
    f->starting = false;
    return has_results ? TOK_TAIL : TOK_TAIL1;
}

/* true for the `(p0, add)` of `dma_start(p0, add) a[..] -> b[..]`: a ref stands behind it */
static bool
modifier_follows(const char *p, const char *end)
{
    p = type_scan(p, end);
    if (p[-1] != ')' || *p != ' ' || !is_word_start(p[1]))
        return false;
    for (p++; is_word_char(*p); p++)
        ;
    return *p == '[' || *p == '{';
}

/* what an untyped word that begins an equation is: looks along its line */
static int
start_word(struct feed *f, const char *p, union token_value *value)
{
    const char *end = p, *q;
    while (is_word_char(*end) || *end == '*')
        end++;
    while (*end == '.' || *end == '-')
        for (end++; is_word_char(*end); end++)
            ;
    if (*end == '(' && modifier_follows(end, f->end))
        return tail_token(f, p, false);
    end = skip_name_brackets(end);
    if (*end == '[' && (!bracket_opens_params(end) || refs_follow_params(f, end)))
        return tail_token(f, p, false);
    if (*end == '[')
        return prim_token(f, p, end, true, false, value);
    for (q = end; is_word_start(*q) || *q == ' ' || *q == ')'; )
        if (*q == ' ' || *q == ')')
            q++;
        else
            while (is_word_char(*q) || *q == '*')
                q++;
    if ((*q == '=' && q[1] != '=') || (*q == '<' && q[1] == '-') || (*q == ',' && q == end)) {
        value->var = (struct var){names_intern(f->m->mem, &f->m->names, (struct slice){p, (size_t)(end - p)}), NONE};
        scan_seek(&f->scan, end);
        feed_frame(f)->state = FEED_LHS;
        feed_frame(f)->typed = false;
        f->starting = false;
        return TOK_BINDER1;
    }
    if (*q == '[' && q[-1] != ' ' && !bracket_opens_params(q))
        return tail_token(f, p, false);
    scan_seek(&f->scan, end);
    return prim_token(f, p, end, true, false, value);
}

static struct slice
token_name(const struct scan *s)
{
    const char *colon = memchr(s->at, ':', s->n);
    return (struct slice){s->at, colon ? (size_t)(colon - s->at) : s->n};
}

/* a typed token that is a literal although it is spelled like a binder */
static bool
is_literal_name(struct slice name)
{
    return slice_eq(name, SLICE("inf")) || slice_eq(name, SLICE("nan")) || slice_eq(name, SLICE("True")) ||
           slice_eq(name, SLICE("False"));
}

static int
binder_token(struct feed *f, bool first, union token_value *value)
{
    struct scan *s = &f->scan;
    struct slice name = token_name(s);
    const char *end = s->at + s->n;
    if (s->after == ' ' && end[-1] == ']') {
        /* the common case: the scanner saw all of it */
        value->var.name = names_intern(f->m->mem, &f->m->names, name);
        value->var.type =
            types_intern(&f->m->types, (struct slice){name.at + name.n + 1, (size_t)(end - name.at) - name.n - 1});
    } else {
        scan_release(s);
        value->var = feed_binder(f, name.at, name.at + name.n, &end);
        scan_seek(s, end);
    }
    if (name.n == 3) {
        f->bound_inf |= memcmp(name.at, "inf", 3) == 0;
        f->bound_nan |= memcmp(name.at, "nan", 3) == 0;
    }
    feed_frame(f)->state = FEED_LHS;
    feed_frame(f)->typed = true;
    f->starting = false;
    return first ? TOK_BINDER1 : TOK_BINDER;
}

/* true where the line goes on with `=` or `<-` behind words: an untyped equation */
static bool
line_binds(const char *p)
{
    while (is_word_start(*p) || is_word_char(*p) || *p == ' ' || *p == '(' || *p == ')')
        p++;
    return (*p == '=' && p[1] != '=') || (*p == '<' && p[1] == '-');
}

/* the token begins an equation */
static int
start_token(struct feed *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    const char *p = s->at;
    struct frame *frame = feed_frame(f);
    f->equation_at = feed_offset(f, p);
    if (frame->column == NONE)
        frame->column = token_column(f) - (kind == SCAN_EQUALS_PRIM || kind == SCAN_EQUALS);
    s->first = false;
    switch (kind) {
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
        return binder_token(f, true, value);
    case SCAN_WORD:
        scan_release(s);
        return start_word(f, p, value);
    case SCAN_EQUALS_PRIM:
        scan_seek(s, scan_release(s));
        return prim_token(f, skip_blanks(p + 1), p + s->n, true, true, value);
    case SCAN_LPAREN:
        scan_release(s);
        if (line_binds(p)) { /* `(c d) = id b` of the oldest texts */
            scan_seek(s, p + 1);
            f->starting = true;
            return FEED_AGAIN;
        }
        return tail_token(f, p, false);
    case SCAN_DOT:
        scan_release(s);
        if (memcmp(p, "...", 3) != 0)
            return TOK_BAD;
        scan_seek(s, p + 3);
        frame->state = FEED_BODY;
        f->starting = false;
        f->excerpt = true;
        return TOK_ELLIPSIS;
    default:
        return TOK_BAD;
    }
}

static int
lhs_token(struct feed *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    const char *p = s->at;
    s->first = false;
    switch (kind) {
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
        return binder_token(f, false, value);
    case SCAN_WORD:
        if (feed_frame(f)->typed)
            return TOK_BAD;
        value->var = (struct var){names_intern(f->m->mem, &f->m->names, (struct slice){p, s->n}), NONE};
        return TOK_BINDER;
    case SCAN_EQUALS_PRIM: {
        const char *name = p + 1;
        while (*name == ' ')
            name++;
        if (likely(s->after != '[' && !(s->after == ' ' && p[s->n + 1] == '['))) {
            value->id = names_intern(f->m->mem, &f->m->names, (struct slice){name, (size_t)(p + s->n - name)});
            feed_frame(f)->state = FEED_RHS;
            return TOK_PRIM;
        }
        const char *end = skip_name_brackets(scan_release(s)), *open = end + (*end == ' ');
        if (bracket_opens_params(open))
            return prim_token(f, name, end, false, false, value);
        if (open == end)
            return tail_token(f, p, true);
        scan_seek(s, end);
        return prim_token(f, name, end, false, false, value);
    }
    case SCAN_EQUALS:
        feed_frame(f)->state = FEED_PRIM;
        return FEED_AGAIN;
    case SCAN_RPAREN:
        return FEED_AGAIN;
    case SCAN_ARROW:
    case SCAN_COMMA:
        scan_release(s);
        return tail_token(f, p, true);
    default:
        return TOK_BAD;
    }
}

static bool
has_digit(const char *p, const char *end)
{
    for (; p < end; p++)
        if (*p >= '0' && *p <= '9')
            return true;
    return false;
}

/* a literal that is an operand or a result; p is the scanner's token */
static int
literal_token(struct feed *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    const char *p = s->at, *end = p + s->n, *past;
    if (kind == SCAN_LITERAL && (s->after == ' ' || s->after == '\n' || s->after == ',')) {
        const char *colon = memchr(p, ':', s->n);
        struct literal lit = {feed_span(f, p, colon), NONE, literal_kind(p, colon)};
        if (likely(lit.kind != LIT_OTHER)) {
            lit.type = types_intern(&f->m->types, (struct slice){colon + 1, (size_t)(end - colon - 1)});
            *vec_push(f->m->mem, &f->m->literals) = lit;
            value->id = atom_make(ATOM_LIT, f->m->literals.n - 1);
            return TOK_ATOM;
        }
    }
    scan_release(s);
    if (kind == SCAN_LPAREN || kind == SCAN_LBRACKET) {
        const char *close = type_scan(p, f->end);
        if (close == p)
            return TOK_BAD;
        end = close;
        for (const char *q = p; q < close; q++)
            if ((*q == ')' || *q == ']') && (q[1] == ':' || q + 1 == close)) {
                end = q + 1;
                break;
            }
        if (literal_kind(p, end) == LIT_OTHER && !has_digit(p, end))
            return TOK_BAD;
    } else if (kind == SCAN_WORD && *end == '(') {
        end = type_scan(end, f->end);
    } else {
        const char *colon = memchr(p, ':', s->n);
        end = colon ? colon : end;
    }
    value->id = feed_literal(f, p, end, &past);
    scan_seek(s, past);
    return TOK_ATOM;
}

static int
atom_token(struct feed *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    switch (kind) {
    case SCAN_WORD:
        if (unlikely(s->after == '[')) {
            const char *p = s->at;
            scan_release(s);
            scan_seek(s, ref_read(f, p, &value->id));
            return TOK_ATOM;
        }
        if ((s->n <= 5 && is_literal_name((struct slice){s->at, s->n}) &&
             !(s->at[0] == 'i' && f->bound_inf) && !(s->at[0] == 'n' && f->bound_nan)) ||
            s->after == '(' || (s->n == 1 && s->at[0] == '*'))
            return literal_token(f, kind, value);
        value->id = atom_make(ATOM_NAME, names_intern(f->m->mem, &f->m->names, (struct slice){s->at, s->n}));
        return TOK_ATOM;
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
        return is_literal_name(token_name(s)) ? literal_token(f, kind, value) : TOK_BAD;
    case SCAN_LITERAL:
    case SCAN_NUMBER:
    case SCAN_LPAREN:
    case SCAN_LBRACKET:
        return literal_token(f, kind, value);
    default:
        return TOK_BAD;
    }
}

/* whether the token, met among operands, begins the next equation */
static bool
starts_equation(struct feed *f, int kind)
{
    struct scan *s = &f->scan;
    if (kind == SCAN_BINDER || kind == SCAN_BINDER_HEAD)
        return !is_literal_name(token_name(s)) || (s->first && token_column(f) == feed_frame(f)->column && s->after == ' ');
    if (kind == SCAN_EQUALS_PRIM || kind == SCAN_EQUALS)
        return s->first;
    if (kind == SCAN_DOT)
        return true;
    if (!s->first && !(kind == SCAN_WORD && s->after == '['))
        return false;
    if (!s->first) {
        const char *end = scan_release(s);
        bool params = bracket_opens_params(end);
        scan_seek(s, end);
        return params;
    }
    u32 column = token_column(f);
    if (column == feed_frame(f)->column)
        return kind == SCAN_WORD || kind == SCAN_LPAREN;
    if (kind != SCAN_WORD || column > feed_frame(f)->column)
        return false;
    const char *end = scan_release(s);
    bool binds = line_binds(end);
    scan_seek(s, end);
    return binds;
}

static int
body_token(struct feed *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    struct frame *frame = feed_frame(f);
    if (kind == SCAN_SEMICOLON && frame->state != FEED_LHS) {
        f->starting = true;
        frame->state = FEED_BODY;
        return FEED_AGAIN;
    }
    if (kind == SCAN_WORD && s->n == 2 && s->at[0] == 'i' && s->at[1] == 'n') {
        const char *p = s->at, *end = scan_release(s);
        bool ends = in_ends_body(f, p);
        scan_seek(s, end);
        s->at = p;
        if (ends)
            return scan_release(s), open_outs(f, p);
    }
    if (f->starting || (frame->state == FEED_BODY && s->first) || (frame->state != FEED_LHS && frame->state != FEED_PRIM &&
                                                                    starts_equation(f, kind)))
        return start_token(f, kind, value);
    switch (frame->state) {
    case FEED_LHS:
        return lhs_token(f, kind, value);
    case FEED_PRIM: {
        s->first = false;
        if (kind != SCAN_WORD)
            return TOK_BAD;
        const char *p = s->at, *end = scan_release(s);
        while (*end == '.' || *end == '-' || is_word_char(*end))
            end++;
        scan_seek(s, end);
        return prim_token(f, p, end, false, false, value);
    }
    case FEED_RHS:
        s->first = false;
        if (kind == SCAN_LBRACE) {
            const char *p = s->at;
            scan_release(s);
            if (!lambda_begins(f, p))
                return TOK_BAD;
            union token_value lambda;
            feed_queue(f, open_lambda(f, p, &lambda), lambda);
            return TOK_TRAIL;
        }
        return atom_token(f, kind, value);
    default:
        return TOK_BAD;
    }
}

/* behind `in (`: results, then `)` */
static int
outs_token(struct feed *f, int kind, union token_value *value)
{
    struct frame *frame = feed_frame(f);
    switch (kind) {
    case SCAN_COMMA:
        frame->comma = false;
        return FEED_AGAIN;
    case SCAN_RPAREN:
        frame->state = FEED_CLOSE;
        return TOK_RPAREN;
    case SCAN_OTHER: /* results in brackets (up to 0.1.58) */
        if (!frame->old_outs || *f->scan.at != ']')
            return TOK_BAD;
        frame->state = FEED_CLOSE;
        return TOK_RPAREN;
    case SCAN_RBRACE: /* results without parentheses */
        if (!frame->old_outs)
            return TOK_BAD;
        value->id = feed_offset(f, f->scan.at) + 1;
        feed_queue(f, TOK_CLOSE, *value);
        return TOK_RPAREN;
    default:
        if (frame->comma)
            return TOK_BAD;
        frame->comma = !frame->old_outs;
        return atom_token(f, kind, value);
    }
}

/* the jaxpr on top is closed: what is below goes on */
static void
close_jaxpr(struct feed *f, const char *end)
{
    f->frames.n--;
    f->starting = false;
    f->scan.first = false;
    struct frame *below = feed_frame(f);
    f->at = end;
    if (below->state != FEED_TOP)
        return;
    if (below->key.n)
        below->state = FEED_TOP_IN;
    else if (below->pasted)
        f->frames.n--;
    else
        below->state = FEED_DONE;
}

static int
close_token(struct feed *f, int kind, union token_value *value)
{
    const char *p = f->scan.at;
    if (kind == SCAN_RBRACE) {
        value->id = feed_offset(f, p) + 1;
        return TOK_CLOSE;
    }
    if (kind == SCAN_COMMA || kind != SCAN_COLON)
        return TOK_BAD;
    scan_release(&f->scan);
    const char *open = skip_blanks(p + 1);
    if (*open != '{')
        return TOK_BAD;
    /* an effect's text may hold brackets of its own; the set ends at ` }` at depth 0 */
    const char *q = open + 1;
    for (u32 depth = 0; q < f->end && *q != '\n' && !(*q == '}' && depth == 0); q++) {
        depth += *q == '{' || *q == '(' || *q == '[';
        depth -= (*q == '}' || *q == ')' || *q == ']') && depth;
    }
    if (*q != '}')
        return TOK_BAD;
    const char *from = open + 1, *to = q;
    if (from < to && *from == ' ')
        from++;
    if (from < to && to[-1] == ' ')
        to--;
    value->span = feed_span(f, from, to);
    scan_seek(&f->scan, q + 1);
    return TOK_EFFECTS;
}

/* ---- recovery ---------------------------------------------------------------------------------------------- */

/* skips to where the parser can go on: the end of a header, the next equation or results of the innermost body, or the
 * brace behind its results */
static void
skip_to_recovery(struct feed *f)
{
    f->recover = false;
    scan_release(&f->scan);
    const char *p = f->scan.at;
    while (feed_frame(f)->state >= FEED_PARAMS && feed_frame(f)->state <= FEED_MIXED) {
        p = f->at > p ? f->at : p;
        f->frames.n--;
    }
    struct frame *frame = feed_frame(f);
    if (frame->state == FEED_TOP || frame->state == FEED_TOP_IN || frame->state == FEED_DONE) {
        frame->state = FEED_DONE;
        scan_seek(&f->scan, p);
        return;
    }
    if (frame->state == FEED_OUTS || frame->state == FEED_CLOSE) {
        while (p < f->end && *p != '}')
            p++;
        frame->state = FEED_CLOSE;
    } else if (frame->state == FEED_CONSTS || frame->state == FEED_INS) {
        while (p < f->end && !(*p == '.' && is_blank(p[1]) && word_at(skip_blanks(p + 1), SLICE("let"))))
            p++;
        frame->state = FEED_INS;
    } else {
        for (; p < f->end; p++) {
            if (*p == ';')
                break;
            if (word_at(p, SLICE("in")) && is_blank(p[-1]) && *skip_blanks(p + 2) == '(')
                break;
            if (*p != '\n')
                continue;
            const char *q = p + 1;
            while (*q == ' ')
                q++;
            if ((u32)(q - p - 1) == frame->column && is_word_start(*q)) {
                p = q;
                break;
            }
        }
        p += *p == ';';
        frame->state = FEED_BODY;
        f->starting = true;
    }
    scan_seek(&f->scan, p);
    f->scan.line = p - feed_column(f, p);
}

bool
feed_begins_equation(int token)
{
    return token == TOK_BINDER1 || token == TOK_PRIM1 || token == TOK_PRIM1_OPEN || token == TOK_TAIL1 ||
           token == TOK_ELLIPSIS || token == TOK_IN;
}

/* ---- the door ---------------------------------------------------------------------------------------------- */

static int
let_in_token(struct feed *f, int kind)
{
    if (kind != SCAN_WORD || f->scan.n != 2 || memcmp(f->scan.at, "in", 2) != 0)
        return TOK_BAD;
    feed_frame(f)->state = FEED_TOP;
    feed_frame(f)->key.n = 0;
    return TOK_IN_LET;
}

/* one token of the scanner, by the state it stands in */
static int
scanned_token(struct feed *f, enum feed_state state, union token_value *value)
{
    int kind = scan_next(&f->scan);
    f->token_at = feed_offset(f, f->scan.at);
    f->token_n = f->scan.n;
    if (unlikely(kind == SCAN_HASH)) {
        scan_release(&f->scan);
        scan_seek(&f->scan, feed_comment(f, f->scan.at));
        return FEED_AGAIN;
    }
    if (unlikely(kind == SCAN_END)) {
        const char *last = f->end;
        while (last > f->begin && is_blank(last[-1]))
            last--;
        f->token_at = feed_offset(f, last);
        f->token_n = 0;
        return 0;
    }
    switch (state) {
    case FEED_TOP:
        return top_token(f, kind, value);
    case FEED_TOP_IN:
        return let_in_token(f, kind);
    case FEED_CONSTS:
    case FEED_INS:
        return header_token(f, kind, value);
    case FEED_OUTS:
        return outs_token(f, kind, value);
    case FEED_CLOSE:
        return close_token(f, kind, value);
    default:
        return body_token(f, kind, value);
    }
}

/* the token is ready, or the innermost construct makes it */
static int
next_token(struct feed *f, union token_value *value)
{
    if (unlikely(f->queue_n)) {
        struct token t = f->queue[f->queue_at];
        f->queue_at = (f->queue_at + 1) % countof(f->queue);
        f->queue_n--;
        *value = t.value;
        return t.kind;
    }
    if (unlikely(f->recover))
        skip_to_recovery(f);
    enum feed_state state = (enum feed_state)feed_frame(f)->state;
    if (state == FEED_DONE)
        return 0;
    if (state < FEED_PARAMS)
        return scanned_token(f, state, value);
    f->token_at = feed_offset(f, f->at);
    f->token_n = 1;
    return params_next(f, value);
}

int
feed_next(struct feed *f, union token_value *value)
{
    int token;
    do
        token = next_token(f, value);
    while (token == FEED_AGAIN);
    f->last = token;
    if (token == TOK_CLOSE) {
        if (f->scan.flex)
            scan_release(&f->scan);
        close_jaxpr(f, f->begin + value->id);
    }
    return token;
}
