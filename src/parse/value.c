/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameter lists: keys, values and the programs in them, one token after another. Where a value ends is found by
 * parse/value_end.c; `{ lambda` inside a value begins a nested program. Linear. */
#include "parse/value_end.h"

#include "base/value.h"
#include "grammar.tab.h"
#include "parse/comment.h"

/* where the list on top begins: at its equation's first `[` that opens one */
static const char *
list_begin(const struct token_source *f)
{
    eqn_t e = last_eqn(f);
    const char *p = e == NONE ? f->at : f->begin + f->m->eqns.at[e].offset;
    while (p < f->at && !(*p == '[' && bracket_opens_params(p)))
        p++;
    return p;
}

/* the list never ends: reports it where it begins, or its invalid last value, and ends it at the end of its line, so
 * that the rest is read, unless the text is truncated there. Consequences of an error inside it are not reported */
static struct value_end
unclosed(struct token_source *f, const char *from, const struct value_end *found)
{
    const char *last = f->end, *begin = list_begin(f), *end = found->end;
    bool swallowed = f->recovery.failed > begin;
    while (last > from && is_blank(last[-1]))
        last--;
    if (!swallowed && end >= f->end && (last == from || last[-1] != '}')) {
        report_truncated(f, begin, "inside a parameter list", "the list begins here");
        return (struct value_end){STOP_CLOSE, last, NULL};
    }
    if (end >= f->end && (end = memchr(from, '\n', (size_t)(f->end - from))) == NULL)
        end = f->end;
    f->once.truncated |= skip_blanks(end) >= f->end; /* the end of the program was skipped with it */
    if (!swallowed && !value_check(f, from, end)) {
        diag_add(f->diags, DIAG_S002, offset_of(f, begin), 1, "the parameter list that begins here is never closed");
        diag_note(f->diags, NONE, 0, "a parameter list ends with `]`, followed by the operands");
        f->errors++;
    }
    if (last_eqn(f) != NONE)
        f->m->eqns.at[last_eqn(f)].form = EQN_DAMAGED;
    return (struct value_end){STOP_CLOSE, end, NULL};
}

/* the column of the first key; if its line was broken by hand after the indentation, that of the line before */
static u32
key_column(struct token_source *f, const char *p)
{
    const char *blank = p - 1;
    while (blank > f->begin && blank[-1] == ' ')
        blank--;
    bool cut = blank < p - 1 && p[-1] == '\n' && blank > f->begin && blank[-1] == '\n';
    return cut ? (u32)(p - 1 - blank) : column_at(f, p);
}

void
params_open(struct token_source *f, const char *p, bool unsorted)
{
    struct frame *frame = top_frame(f);
    frame->state = STATE_PARAMS;
    frame->unsorted = unsorted;
    frame->keys = NONE;
    frame->key = 0;
    frame->spaced = *p == ' ';
    p = skip_indent(p);
    if (*p == '#')
        p = record_comment(f, p);
    frame->broken = *p == '\n' || *p == '\r';
    frame->spaced &= !frame->broken;
    f->at = p = skip_blanks(p);
    if (frame->broken || frame->spaced)
        frame->keys = key_column(f, p);
    /* keys are not indented more than the equation: indentation was lost, and columns mean nothing */
    if (frame->broken && frame->column != NONE && frame->keys <= frame->column) {
        frame->broken = false;
        frame->spaced = true;
    }
}

/* closes the list whose `]` is at p */
static int
params_close(struct token_source *f, const char *p)
{
    top_frame(f)->state = STATE_RHS;
    scan_seek(&f->scan, p);
    f->scan.line = p - column_at(f, p);
    f->scan.first = false;
    f->resume = p;
    return TOK_PARAMS_CLOSE;
}

/* true if the text ends within the key at p, or before it */
static bool
within_key(const struct token_source *f, const char *p)
{
    p = word_end(p);
    return p >= f->end;
}

/* reports the list closed by the `]` at p if it contains only whitespace: JAX prints no empty lists, so its parameters
 * are missing */
static void
report_empty(struct token_source *f, const char *p)
{
    const char *open = p;
    while (open > f->begin && is_blank(open[-1]))
        open--;
    if (open == f->begin || open[-1] != '[' || f->errors)
        return;
    diag_add(f->diags, DIAG_S007, offset_of(f, open - 1), 1, "JAX never prints an empty parameter list");
    diag_relevel(f->diags, LEVEL_WARNING);
}

static int
list_token(struct token_source *f, struct frame *frame, union token_value *value)
{
    const char *p = skip_blanks(f->at), *end;
    while (*p == '#' && p > f->begin && is_blank(p[-1]))
        p = skip_blanks(record_comment(f, p));
    if (*p == ']') {
        report_empty(f, p);
        return params_close(f, p + 1);
    }
    end = word_end(p);
    end = end > p && is_word_start(*p) && *end == '=' ? end : NULL;
    if (!end && within_key(f, p)) {
        f->once.truncated |= f->recovery.failed > list_begin(f); /* an invalid value extends to the end */
        report_truncated(f, list_begin(f), "inside a parameter list", "the list begins here");
        f->token.at = offset_of(f, f->end);
        return 0;
    }
    if (!end) {
        f->token.at = offset_of(f, p);
        frame->depth = 0;
        struct value_end found = find_end(f, frame, p);
        diag_add(f->diags, DIAG_S007, f->token.at, 1, "expected a parameter (`key=value`) or `]`");
        f->errors++;
        if (found.stop == STOP_KEY || found.stop == STOP_CLOSE) {
            f->at = found.next;
            return found.stop == STOP_CLOSE ? params_close(f, found.next + 1) : NO_TOKEN;
        }
        found = unclosed(f, p, &found);
        return params_close(f, found.end);
    }
    struct slice key = {p, (size_t)(end - p)};
    value->id = names_intern(f->m->mem, &f->m->names, key);
    if (frame->key || !key_leads(key))
        frame->key = offset_of(f, p);
    frame->state = STATE_VALUE;
    frame->depth = 0;
    f->at = end + 1;
    return TOK_KEY;
}

/* after a value: the list continues at found.next */
static void
value_ended(struct token_source *f, struct frame *frame, const struct value_end *found)
{
    frame->state = STATE_PARAMS;
    f->at = found->next;
    if (!found->next) {
        union token_value none = {0};
        params_close(f, found->end);
        queue_token(f, TOK_PARAMS_CLOSE, none);
    }
}

static void
open_program(struct token_source *f, const char *p)
{
    struct frame *top = push_frame(f, STATE_TOP);
    top->pasted = true;
    scan_seek(&f->scan, p);
    f->scan.line = p - column_at(f, p);
    f->scan.first = true;
}

/* the first `#` after a space and outside brackets, strings and texts of objects, `<MyObj #3>`; NULL if there is none
 */
static const char *
first_hash(const char *p, const char *end)
{
    bool angles = true; /* each `<` is closed as far as known: a failed search is not repeated */
    i64 depth = 0;
    for (const char *q = p, *past; q < end; q = past) {
        past = q + 1;
        if (*q == '#' && depth <= 0 && q > p && is_blank(q[-1]))
            return q;
        if ((*q == '\'' || *q == '"') && quote_opens(q, p))
            past = skip_string(q, end);
        else if (*q == '<' && angles && (q == p || !is_word_char(q[-1]))) {
            angles = (past = skip_angles(q, end)) > q;
            past += !angles;
        }
        depth += bracket_step(*q);
    }
    return NULL;
}

/* the beginning of a comment that was added after or below the value from p to end; NULL if there is none. It follows a
 * complete value, or one word, and extends to the end */
static const char *
value_comment(struct token_source *f, const char *p, const char *end)
{
    const char *hash = first_hash(p, end);
    if (!hash)
        return NULL;
    const char *last = hash;
    while (last > p && is_blank(last[-1]))
        last--;
    for (const char *q = hash; q < end && (q = memchr(q, '\n', (size_t)(end - q))) != NULL;)
        if ((q = skip_blanks(q)) < end && *q != '#')
            return NULL;
    bool word = true;
    for (const char *q = p; q < last; q++)
        word &= !is_blank(*q);
    bool whole =
        word || value_is_whole(p, last) || value_is_structural(f, p) || (*p == '<' && skip_angles(p, last) == last);
    return last > p && whole ? hash : NULL;
}

/* the first space outside brackets in the value from p to end, or end */
static const char *
first_gap(const char *p, const char *end)
{
    i64 depth = 0;
    for (; p < end && !(depth == 0 && is_blank(*p)); p++)
        depth += bracket_step(*p);
    return p;
}

/* the end of the value from p to end, which `stop` follows, without added spaces and comments */
never_inline static const char *
trim_value(struct token_source *f, const char *p, const char *end, enum stop stop)
{
    const char *hash = f->comments.any && end > p && top_frame(f)->broken ? memchr(p, '#', (size_t)(end - p)) : NULL;
    bool ends = stop == STOP_KEY || stop == STOP_CLOSE;
    if (end <= p || (!hash && !(ends && is_blank(end[-1]))) || value_is_string(f, p))
        return end;
    if (hash && (hash = value_comment(f, p, end)) != NULL) {
        text_repaired(&f->m->text, REPAIR_COMMENTS, offset_of(f, hash));
        record_comment(f, hash);
        end = hash;
    }
    const char *last = end;
    while (last > p && is_blank(last[-1]))
        last--;
    bool all = hash || (ends && first_gap(p, last) == last); /* an object's text may end with a line end */
    while (ends && !all && end > p && end[-1] == ' ')
        end--;
    return all ? last : end;
}

/* reports that the text from p to end cannot be part of a parameter's value */
static void
report_part(struct token_source *f, const char *p, const char *end, const char *what)
{
    const char *last = memchr(p, '\n', (size_t)(end - p));
    diag_add(f->diags, DIAG_S007, offset_of(f, p), (u32)((last ? last : end) - p), "%s", what);
    mark_damaged(f);
}

/* reports text that is not part of the value from p to end: the value is complete before its first gap */
never_inline static void
check_parts(struct token_source *f, const char *p, const char *end, const struct value_end *found)
{
    if (!found->open && (!*p || !strchr("([{NTF-0123456789", *p)))
        return; /* it is not a complete value */
    const char *gap = first_gap(p, end), *rest = skip_blanks(gap);
    if (value_is_string(f, p))
        return;
    bool line = rest < end && memchr(gap, '\n', (size_t)(rest - gap));
    if (rest < end && value_is_whole(p, gap) && (line || value_is_structural(f, p)))
        report_part(f, rest, end,
                    line ? "this line is neither a parameter nor part of the value above"
                         : "this is neither a parameter nor part of the value before it");
    else if (found->open) {
        const char *bracket = open_bracket(p, end), *at = bracket ? bracket : p;
        if (value_is_structural(f, p))
            report_part(f, at, bracket ? at + 1 : end, "a bracket of this value is never closed");
        else
            text_repaired(&f->m->text, REPAIR_BRACKETS, offset_of(f, at));
    }
}

/* whether there may be a `#` from p to end. Linear in total if values are queried in order */
static bool
has_hash(struct token_source *f, const char *p, const char *end)
{
    u32 from = offset_of(f, p), to = offset_of(f, end);
    if (from < f->comments.none.at || to > f->comments.none.at + f->comments.none.n) {
        const char *hash = memchr(p, '#', (size_t)(f->end - p));
        f->comments.none = (struct span){from, offset_of(f, hash ? hash : f->end) - from};
    }
    return to > f->comments.none.at + f->comments.none.n;
}

/* how far a `lambda` may be from the beginning of a damaged program */
enum { NEAR = 16 };

static int
value_token(struct token_source *f, struct frame *frame, union token_value *value)
{
    const char *p = f->at;
    int token = NO_TOKEN;
    if (*p == '{' && (value_is_program(f, p) || value_begins_program(f, p, p)) &&
        ((token = fast_header(f, p, value)) != NO_TOKEN || lambda_begins(f, p))) {
        f->frames.at[f->frames.n - (token == NO_TOKEN ? 1 : 2)].state = STATE_PARAMS;
        if (token != NO_TOKEN)
            return token;
        return open_header(f, p, skip_blanks(p + 1) + strlen("lambda"), value);
    }
    bool program = value_is_program(f, p) && (*p == '{' || memmem(p, NEAR, "lambda", 6));
    const char *binders = program ? damaged_lambda(f, skip_blanks(p)) : NULL;
    if (unlikely(binders)) {
        u32 before = f->errors;
        frame->state = STATE_PARAMS;
        token = open_damaged(f, skip_blanks(p), binders, value);
        if (f->errors > before)
            mark_damaged(f);
        return token;
    }
    u32 errors = f->errors;
    struct value_end found = find_end(f, frame, p);
    if (found.stop == STOP_TEXT_END)
        found = unclosed(f, p, &found);
    const char *end = found.end > p ? found.end : p;
    bool text = found.stop == STOP_KEY || found.stop == STOP_CLOSE; /* no program follows */
    if (unlikely((f->comments.any && has_hash(f, p, end)) || (text && is_blank(end[-1]))))
        end = trim_value(f, p, end, found.stop);
    value->span = span_of(f, p, end);
    f->lines = found.lines;
    if (found.stop == STOP_KEY || found.stop == STOP_CLOSE) {
        if (f->errors == errors && (found.odd || *p == '{' || *p == 'l' || *p == ' ' || end[-1] == ','))
            value_check(f, p, end);
        if (unlikely(found.lines || found.gap || found.open) && frame->broken && f->errors == errors)
            check_parts(f, p, end, &found);
        value_ended(f, frame, &found);
        return TOK_VALUE;
    }
    union token_value none = {0};
    frame->state = STATE_MIXED;
    f->at = found.next;
    queue_token(f, TOK_VALUE, *value);
    queue_token(f, TOK_PASTE, none);
    open_program(f, found.next);
    return TOK_VALUE_OPEN;
}

/* stores the comment after the spaces at p and those on the lines below it; returns the end of the last line, or p if
 * there is no comment */
static const char *
skip_comments(struct token_source *f, const char *p)
{
    for (const char *q = p;;) {
        q = skip_spaces(q);
        if (*q != '#' || q == p)
            return p;
        p = record_comment(f, q);
        if (*p != '\n')
            return p;
        q = p + 1;
    }
}

/* after the last program of a value, `jaxpr) # file.py:3:4` or `n=2] # ..`: the end of the names and brackets, if a
 * comment follows them within MOST_NAMES bytes; else NULL */
static const char *
tuple_comment(const struct token_source *f, const struct frame *frame, const char *p)
{
    enum { MOST_NAMES = 512 };
    u32 depth = frame->depth;
    const char *end = p, *limit = f->end - p > MOST_NAMES ? p + MOST_NAMES : f->end;
    if (!frame->broken)
        return NULL;
    for (; p < limit && (is_word_char(*p) || memchr(" ()[]}.<>,='", *p, 12)); p++) {
        if (*p != ' ')
            end = p + 1;
        depth = bracket_depth(depth, *p);
    }
    return depth == 0 && p > end && *p == '#' ? end : NULL;
}

/* reports a bracket that is open although the column of a line ended the value with nested programs: an error in a
 * container; the text of an object may contain any path or name */
static void
report_open_bracket(struct token_source *f, const struct frame *frame)
{
    const char *key = f->begin + frame->key, *end = key_end(key);
    if (!end || !strchr("([{", end[1]))
        return;
    diag_add(f->diags, DIAG_S002, offset_of(f, end + 1), 1, "this bracket is never closed");
    mark_damaged(f);
}

/* after a program inside a value: more text, more programs, or the end */
static int
mixed_token(struct token_source *f, struct frame *frame, union token_value *value)
{
    union token_value none = {0};
    const char *p = skip_comments(f, f->at), *end = tuple_comment(f, frame, p); /* comments on the program's last
                                                                                 * line */
    struct value_end found;
    if (!end || !line_stops(f, frame, skip_comments(f, end) + 1, false, &found)) {
        found = find_end(f, frame, p);
        if (found.stop == STOP_TEXT_END)
            found = unclosed(f, p, &found);
        else if (found.open)
            report_open_bracket(f, frame);
        end = found.end;
    }
    const char *last = end;
    while (last > p && is_blank(last[-1]))
        last--;
    if (last > p && strchr(")]}", last[-1])) /* blank lines follow */
        end = last;
    value->span = span_of(f, p, end);
    f->lines = true;
    if (found.stop == STOP_KEY || found.stop == STOP_CLOSE) {
        queue_token(f, TOK_VALUE_CLOSE, none);
        value_ended(f, frame, &found);
        return TOK_VALUE;
    }
    queue_token(f, TOK_PASTE, none);
    open_program(f, found.next);
    return TOK_VALUE;
}

int
params_next(struct token_source *f, union token_value *value)
{
    struct frame *frame = top_frame(f);
    if (frame->state == STATE_PARAMS)
        return list_token(f, frame, value);
    return frame->state == STATE_VALUE ? value_token(f, frame, value) : mixed_token(f, frame, value);
}
