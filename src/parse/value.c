/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameter lists. JAX prints values with no mark where they end, so the end is found by what must follow: the next
 * `key=` or the `]`. In a list broken over lines (a newline behind `[`) keys stand alone at the head of a line, in one
 * column; in a flat list blanks separate, and keys ascend (jax/_src/core.py, pp_kv_pairs, 0.2.22 to 0.12). Brackets
 * and columns decide together, because either alone can be wrong inside strings. `{ lambda` inside a value begins a
 * program of its own. One pass; what is read twice in search of an end is bounded by feed.lookahead. */
#include "parse/feed.h"

#include "grammar.tab.h"

enum stop { STOP_KEY, STOP_CLOSE, STOP_LAMBDA, STOP_LET, STOP_TEXT_END };

/* Where a value ends, and what comes behind it. */
struct value_end {
    enum stop stop;
    const char *end;  /* the value's last byte is before this */
    const char *next; /* the key, the `]`, the `{` or the `let` */
};

/* the end of the key at p, before its `=`; NULL where no key stands */
static const char *
key_end(const char *p)
{
    if (!is_word_start(*p) || *p == '*')
        return NULL;
    while (is_word_char(*p))
        p++;
    return *p == '=' && p[1] != '=' ? p : NULL;
}

/* true where the next equation or the results of the body follow the operands of a flat list, which end at p: the list
 * ended there, whatever brackets a string in it left open */
static bool
body_goes_on(const struct feed *f, const char *p)
{
    const char *q = p + (*p == '\n' || *p == ';');
    while (*q == ' ' || *q == '\t')
        q++;
    if (word_at(q, SLICE("in")))
        return *skip_blanks(q + 2) == '(';
    if (*p == ';')
        return equation_begins(q, f->end);
    u32 column = f->frames.at[f->frames.n - 1].column;
    return *p == '\n' && (u32)(q - p - 1) == column && is_word_start(*q) && !key_end(q);
}

/* true where operands stand at p and another equation, or the results, behind them: hands put the `]` of a broken list
 * behind its last value */
static bool
equations_follow(const struct feed *f, const char *p)
{
    const char *behind = operands_end(p, f->end), *q = behind ? skip_blanks(behind) : NULL;
    if (!behind || *behind == '}')
        return false;
    if (*behind == ';')
        return equation_begins(skip_blanks(behind + 1), f->end);
    return word_at(q, SLICE("in")) ? *skip_blanks(q + 2) == '('
                                   : body_goes_on(f, behind) && equation_begins(q, f->end);
}

/* true where keys may follow each other so: JAX prints them in ascending order, but for a `name` in front */
static bool
key_ascends(const struct feed *f, const struct frame *frame, const char *p, const char *end)
{
    if (frame->unsorted || frame->key == 0)
        return true;
    const char *before = f->begin + frame->key;
    for (; p < end && *p == *before; p++)
        before++;
    return p < end && (!is_word_char(*before) || (u8)*p > (u8)*before);
}

/* what a line that begins at p inside a value of a broken list is */
static bool
line_stops(const struct feed *f, const struct frame *frame, const char *line, bool exact, struct value_end *found)
{
    const char *p = line;
    while (*p == ' ' || *p == '\t')
        p++;
    u32 column = (u32)(p - line);
    const char *key = key_end(p);
    if (key && (column == frame->keys || (!exact && column > 0 && key_ascends(f, frame, p, key)))) {
        *found = (struct value_end){STOP_KEY, line - 1, p};
        return true;
    }
    if (*p == ']' && (!exact || column + 2 == frame->keys)) {
        *found = (struct value_end){STOP_CLOSE, line - 1, p};
        return true;
    }
    return false;
}

/* true where from .. p is a number, a constant or a bracketed group: nothing can follow it but a key, in whatever order
 * hands have put them */
static bool
value_is_whole(const char *from, const char *p)
{
    struct slice text = {from, (size_t)(p - from)};
    if (text.n == 0)
        return false;
    if (*from == '(' || *from == '[' || *from == '{')
        return p[-1] == (*from == '(' ? ')' : *from == '[' ? ']' : '}');
    if (slice_eq(text, SLICE("None")) || slice_eq(text, SLICE("True")) || slice_eq(text, SLICE("False")))
        return true;
    for (size_t i = 0; i < text.n; i++)
        if (!(text.at[i] >= '0' && text.at[i] <= '9') && text.at[i] != '.' &&
            !(i == 0 && text.at[i] == '-' && text.n > 1))
            return false;
    return true;
}

/* the blank at p inside a flat list: does the next key or a spaced ` ]` follow it? `whole`: nothing else can, and keys
 * may come in any order */
static bool
blank_stops(struct feed *f, const struct frame *frame, const char *from, const char *p, bool whole,
            struct value_end *found)
{
    const char *q = skip_blanks(p), *key = key_end(q);
    bool newline = memchr(p, '\n', (size_t)(q - p)) != NULL;
    if (key && (whole || key_ascends(f, frame, q, key) || value_is_whole(from, p) ||
                (newline && frame->spaced && feed_column(f, q) == frame->keys))) {
        /* a value of several lines may end in a newline of its own, and then one blank separates */
        const char *last = q - (newline && q[-1] == ' ' && q[-2] == '\n');
        bool own = last < q && memchr(from, '\n', (size_t)(p - from));
        if (last == q && newline && memchr(p, '\n', (size_t)(q - p)) != (last = memrchr(p, '\n', (size_t)(q - p))))
            own = true;
        *found = (struct value_end){STOP_KEY, own ? last : p, q};
        return true;
    }
    if (*q == ']' && (frame->spaced || newline || q - p >= INDENTED) && operands_end(q + 1, f->end)) {
        *found = (struct value_end){STOP_CLOSE, p, q};
        return true;
    }
    return false;
}

/* a line ends at p while brackets are open: is this, by its column, the end all the same? Remembered in *candidate;
 * answers true when the search may stop and the candidate hold */
static bool
candidate_holds(struct feed *f, const struct frame *frame, const char *p, struct value_end *candidate)
{
    struct value_end here;
    if (!line_stops(f, frame, p + 1, true, &here))
        return candidate->stop != STOP_TEXT_END && f->lookahead == 0;
    if (candidate->stop == STOP_TEXT_END)
        *candidate = here;
    return here.stop == STOP_CLOSE || f->lookahead == 0;
}

/* the `]` at p in a flat list, `depth` brackets deep: does the value that goes on at `from` end with it? Where brackets
 * of a string were left open, it may have ended at a key before */
static struct value_end
flat_close(struct feed *f, const struct frame *frame, const char *from, const char *p, i64 depth)
{
    struct value_end found = {STOP_TEXT_END, f->end, f->end};
    const char *behind = depth <= 0 || f->lookahead ? operands_end(p + 1, f->end) : NULL;
    if (!behind || (depth > 0 && !body_goes_on(f, behind)))
        return found;
    if (depth > 0 && f->lookahead > (u64)(p - from))
        for (const char *q = from; q < p; q++) {
            f->lookahead--;
            if (*q == ' ' && blank_stops(f, frame, from, q, false, &found))
                return found;
        }
    return (struct value_end){STOP_CLOSE, p, p};
}

/* the search for the end of a value */
struct search {
    const char *from, *p;       /* the value goes on at `from`; the search stands at p */
    bool inside;                /* brackets were open at `from`, behind a program in the value */
    i64 depth;                  /* brackets open; below 0 behind a `]` that belongs to a string, as in `fmt=a]b[` */
    struct value_end candidate; /* an end by its column, while brackets are open */
    struct value_end
        refused; /* the first `]` that what follows speaks against: part of a string, or an error behind it */
};

/* does a program, or a `let` in front of one, begin at the search's place? */
static bool
program_stops(struct feed *f, struct frame *frame, const struct search *s, struct value_end *found)
{
    const char *p = s->p;
    if (*p == '{') {
        if (!lambda_begins(f, p)) {
            if (p > f->opaque && memcmp(skip_blanks(p + 1), "lambda ", 7) == 0)
                diag_add(f->diags, DIAG_S017, feed_offset(f, p), 8,
                         "this looks like a program but is none; kept as text");
            f->opaque = p > f->opaque ? p : f->opaque;
            return false;
        }
        /* where brackets of a string were left open, the value ended before, by its column */
        *found = s->candidate.stop != STOP_TEXT_END ? s->candidate : (struct value_end){STOP_LAMBDA, p, p};
    } else {
        bool first = p == s->from || p[-1] == '=' || p[-1] == '[' || p[-1] == '(' || is_blank(p[-1]);
        if (!first || !let_begins(f, p))
            return false;
        *found = (struct value_end){STOP_LET, p, p};
    }
    frame->depth = s->depth > DEEPEST ? DEEPEST : s->depth > 0 ? (u16)s->depth : 0;
    return true;
}

/* a `]` at the search's place: true when the value ends there */
static bool
bracket_stops(struct feed *f, const struct frame *frame, struct search *s, struct value_end *found)
{
    if (!frame->broken) {
        *found = flat_close(f, frame, s->from, s->p, s->depth);
        if (found->stop != STOP_TEXT_END)
            return true;
        if (s->depth <= 0 && s->refused.stop == STOP_TEXT_END)
            s->refused = (struct value_end){STOP_CLOSE, s->p, s->p};
        /* no string begins so: what follows is an error of its own */
        if (s->depth <= 0 && *s->from != '[' && *s->from != '{' && value_is_whole(s->from, s->p)) {
            *found = s->refused;
            return true;
        }
    } else if (s->depth <= 0 && equations_follow(f, s->p + 1)) {
        *found = (struct value_end){STOP_CLOSE, s->p, s->p};
        return true;
    }
    s->depth -= s->depth > 0 || !frame->broken;
    return false;
}

/* a blank or the end of a line at the search's place: true when the value ends there; else the search goes on behind
 * the blanks it has looked at */
static bool
space_stops(struct feed *f, const struct frame *frame, struct search *s, struct value_end *found)
{
    if (!frame->broken) {
        if (s->depth > 0)
            return false;
        bool closed = s->inside && (s->p[-1] == ')' || s->p[-1] == ']' || s->p[-1] == '}');
        if (blank_stops(f, frame, s->from, s->p, closed, found))
            return true;
        s->p = skip_blanks(s->p) - 1;
        return false;
    }
    if (*s->p != '\n')
        return false;
    if (s->depth <= 0)
        return line_stops(f, frame, s->p + 1, false, found);
    if (!candidate_holds(f, frame, s->p, &s->candidate))
        return false;
    *found = s->candidate;
    return true;
}

/* pays for what is read behind a possible end; false when there is nothing left to pay with */
static bool
may_look_on(struct feed *f, const struct search *s)
{
    if (s->candidate.stop == STOP_TEXT_END && s->refused.stop == STOP_TEXT_END)
        return true;
    if (f->lookahead)
        f->lookahead--;
    return f->lookahead || s->refused.stop == STOP_TEXT_END;
}

/* finds the end of the value text that goes on at `from`, frame->depth brackets deep */
static struct value_end
find_end(struct feed *f, struct frame *frame, const char *from)
{
    struct value_end found = {STOP_TEXT_END, f->end, f->end};
    struct search s = {from, from, frame->depth > 0, frame->depth, found, found};
    if (*from == '<' && s.depth == 0)
        s.p = skip_angles(from, f->end);
    for (; s.p < f->end && may_look_on(f, &s); s.p++) {
        switch (*s.p) {
        case '{':
        case 'l':
            if (program_stops(f, frame, &s, &found))
                return found;
            s.depth += *s.p == '{';
            break;
        case '(':
        case '[':
            s.depth++;
            break;
        case ']':
            if (bracket_stops(f, frame, &s, &found))
                return found;
            break;
        case ')':
        case '}':
            s.depth -= s.depth > 0;
            break;
        case '\'':
        case '"':
            if (s.depth > 0 && quote_opens(s.p, from))
                s.p = skip_string(s.p, f->end) - 1;
            break;
        case '\n':
        case ' ':
            if (space_stops(f, frame, &s, &found))
                return found;
            break;
        default:
            break;
        }
    }
    return s.candidate.stop != STOP_TEXT_END ? s.candidate : s.refused;
}

/* where the list on top begins: at its equation's first `[` that opens one */
static const char *
list_begin(const struct feed *f)
{
    eqn_t e = feed_eqn(f);
    const char *p = e == NONE ? f->at : f->begin + f->m->eqns.at[e].offset;
    while (p < f->at && !(*p == '[' && bracket_opens_params(p)))
        p++;
    return p;
}

/* the list never ends: report it where it begins, and take it to end with its line, so that what follows is read;
 * unless the whole text is cut off there */
static struct value_end
unclosed(struct feed *f, const char *from)
{
    const char *last = f->end;
    while (last > from && is_blank(last[-1]))
        last--;
    if (last == from || last[-1] != '}') {
        feed_truncated(f, list_begin(f), "this list of parameters is not finished");
        return (struct value_end){STOP_CLOSE, last, NULL};
    }
    diag_add(f->diags, DIAG_S002, feed_offset(f, list_begin(f)), 1,
             "the parameter list that begins here is never closed");
    diag_note(f->diags, NONE, 0, "a list of parameters ends with `]` and the operands behind it");
    f->errors++;
    if (feed_eqn(f) != NONE)
        f->m->eqns.at[feed_eqn(f)].form = EQN_DAMAGED;
    const char *end = memchr(from, '\n', (size_t)(f->end - from));
    end = end ? end : f->end;
    f->truncated |= skip_blanks(end) >= f->end; /* the program's own end was swallowed with it */
    return (struct value_end){STOP_CLOSE, end, NULL};
}

void
params_open(struct feed *f, const char *p, bool unsorted)
{
    struct frame *frame = feed_frame(f);
    frame->state = FEED_PARAMS;
    frame->unsorted = unsorted;
    frame->keys = NONE;
    frame->key = 0;
    frame->spaced = *p == ' ';
    while (*p == ' ' || *p == '\t')
        p++;
    if (*p == '#')
        p = feed_comment(f, p);
    frame->broken = *p == '\n' || *p == '\r';
    frame->spaced &= !frame->broken;
    f->at = p = skip_blanks(p);
    if (frame->broken || frame->spaced)
        frame->keys = feed_column(f, p);
    /* keys no deeper than the equation: its indentation is lost, and columns say nothing */
    if (frame->broken && frame->column != NONE && frame->keys <= frame->column) {
        frame->broken = false;
        frame->spaced = true;
    }
}

/* closes the list whose `]` stands at p */
static int
params_close(struct feed *f, const char *p)
{
    feed_frame(f)->state = FEED_RHS;
    scan_seek(&f->scan, p);
    f->scan.line = p - feed_column(f, p);
    f->scan.first = false;
    f->resume = p;
    return TOK_PARAMS_CLOSE;
}

static int
list_token(struct feed *f, struct frame *frame, union token_value *value)
{
    const char *p = skip_blanks(f->at), *end;
    while (*p == '#' && p > f->begin && is_blank(p[-1]))
        p = skip_blanks(feed_comment(f, p));
    if (*p == ']')
        return params_close(f, p + 1);
    if (p >= f->end) {
        feed_truncated(f, list_begin(f), "this list of parameters is not finished");
        f->token_at = feed_offset(f, f->end);
        return 0;
    }
    end = key_end(p);
    if (!end) {
        f->token_at = feed_offset(f, p);
        frame->depth = 0;
        struct value_end found = find_end(f, frame, p);
        diag_add(f->diags, DIAG_S007, f->token_at, 1,
                 "expected a parameter, `key=value`, or the `]` that ends the list");
        f->errors++;
        if (found.stop == STOP_KEY || found.stop == STOP_CLOSE) {
            f->at = found.next;
            return found.stop == STOP_CLOSE ? params_close(f, found.next + 1) : FEED_AGAIN;
        }
        found = unclosed(f, p);
        return params_close(f, found.end);
    }
    struct slice key = {p, (size_t)(end - p)};
    value->id = names_intern(f->m->mem, &f->m->names, key);
    if (frame->key || !slice_eq(key, SLICE("name")))
        frame->key = feed_offset(f, p);
    frame->state = FEED_VALUE;
    frame->depth = 0;
    f->at = end + 1;
    return TOK_KEY;
}

/* behind a value: the list goes on at found.next */
static void
value_ended(struct feed *f, struct frame *frame, const struct value_end *found)
{
    frame->state = FEED_PARAMS;
    f->at = found->next;
    if (!found->next) {
        union token_value none = {0};
        params_close(f, found->end);
        feed_queue(f, TOK_PARAMS_CLOSE, none);
    }
}

static void
open_program(struct feed *f, const char *p)
{
    struct frame *top = feed_push(f, FEED_TOP);
    top->pasted = true;
    scan_seek(&f->scan, p);
    f->scan.line = p - feed_column(f, p);
    f->scan.first = true;
}

static int
value_token(struct feed *f, struct frame *frame, union token_value *value)
{
    const char *p = f->at;
    int token = FEED_AGAIN;
    if (*p == '{' && ((token = plain_header(f, p, value)) != FEED_AGAIN || lambda_begins(f, p))) {
        f->frames.at[f->frames.n - (token == FEED_AGAIN ? 1 : 2)].state = FEED_PARAMS;
        if (token != FEED_AGAIN)
            return token;
        const char *q = skip_blanks(p + 1) + strlen("lambda");
        value->id = feed_offset(f, p);
        feed_push(f, FEED_CONSTS);
        scan_seek(&f->scan, q);
        f->scan.line = p - feed_column(f, p);
        return TOK_LAMBDA;
    }
    struct value_end found = find_end(f, frame, p);
    if (found.stop == STOP_TEXT_END)
        found = unclosed(f, p);
    value->span = feed_span(f, p, found.end > p ? found.end : p);
    if (found.stop == STOP_KEY || found.stop == STOP_CLOSE) {
        f->wrapped = !frame->broken && value_wraps(p, found.end);
        value_ended(f, frame, &found);
        return TOK_VALUE;
    }
    union token_value none = {0};
    frame->state = FEED_MIXED;
    f->at = found.next;
    feed_queue(f, TOK_VALUE, *value);
    feed_queue(f, TOK_PASTE, none);
    open_program(f, found.next);
    return TOK_VALUE_OPEN;
}

/* remembers the comment behind the blanks at p and those that pile up below it; returns the end of the last line, or p
 * where no comment stands */
static const char *
skip_comments(struct feed *f, const char *p)
{
    for (const char *q = p;;) {
        while (*q == ' ')
            q++;
        if (*q != '#' || q == p)
            return p;
        p = feed_comment(f, q);
        if (*p != '\n')
            return p;
        q = p + 1;
    }
}

/* behind the last program of a tuple, `jaxpr) # file.py:3:4`: where names and brackets end and the comment of the line
 * that they end begins, or NULL */
static const char *
tuple_comment(const struct feed *f, const struct frame *frame, const char *p)
{
    u32 depth = frame->depth;
    const char *end = p;
    for (; p < f->end && (is_word_char(*p) || *p == ' ' || *p == ')' || *p == '.' || *p == '<' || *p == '>'); p++) {
        if (*p != ' ')
            end = p + 1;
        depth -= *p == ')' && depth > 0;
    }
    return frame->broken && depth == 0 && p > end && *p == '#' ? end : NULL;
}

/* behind a program inside a value: more text, more programs, or the end */
static int
mixed_token(struct feed *f, struct frame *frame, union token_value *value)
{
    union token_value none = {0};
    const char *p = skip_comments(f, f->at), *end = tuple_comment(f, frame, p); /* of the line the program ended on */
    struct value_end found;
    if (!end || !line_stops(f, frame, skip_comments(f, end) + 1, false, &found)) {
        found = find_end(f, frame, p);
        if (found.stop == STOP_TEXT_END)
            found = unclosed(f, p);
        end = found.end;
    }
    value->span = feed_span(f, p, end);
    if (found.stop == STOP_KEY || found.stop == STOP_CLOSE) {
        feed_queue(f, TOK_VALUE_CLOSE, none);
        value_ended(f, frame, &found);
        return TOK_VALUE;
    }
    feed_queue(f, TOK_PASTE, none);
    open_program(f, found.next);
    return TOK_VALUE;
}

int
params_next(struct feed *f, union token_value *value)
{
    struct frame *frame = feed_frame(f);
    if (frame->state == FEED_PARAMS)
        return list_token(f, frame, value);
    return frame->state == FEED_VALUE ? value_token(f, frame, value) : mixed_token(f, frame, value);
}
