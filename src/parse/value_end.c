/* SPDX-License-Identifier: Apache-2.0
 *
 * JAX does not mark the ends of values, so an end is found by what must follow it: the next `key=` or the `]`. In a
 * list broken over lines (a newline after `[`) keys are alone at the head of a line, in one column; in a flat list
 * spaces separate, and keys ascend (jax/_src/core.py, pp_kv_pairs, 0.2.22 to 0.12). Brackets and columns decide
 * together, because either alone can be wrong inside strings. One pass; text that is read twice in search of an end is
 * bounded by token_source.lookahead. */
#include "parse/value_end.h"

#include "base/value.h"

/* true if the next equation or the results of the body follow the operands of a flat list, which end at p: the list
 * ended there, even if a string in it left brackets open */
static bool
body_continues(const struct token_source *f, const char *p)
{
    const char *q = p + (*p == '\n' || *p == ';');
    q = skip_indent(q);
    if (word_at(q, SLICE("in")))
        return *skip_blanks(q + 2) == '(';
    if (*p == ';')
        return equation_begins(q, f->end);
    u32 column = f->frames.at[f->frames.n - 1].column;
    return *p == '\n' && (u32)(q - p - 1) == column && is_word_start(*q) && !key_end(q);
}

/* true if operands are at p, with another equation or the results after them: the `]` of a broken list was moved after
 * its last value */
static bool
equations_follow(const struct token_source *f, const char *p)
{
    const char *after = operands_end(p, f->end), *q = after ? skip_blanks(after) : NULL;
    if (!after || *after == '}')
        return false;
    if (*after == ';')
        return equation_begins(skip_blanks(after + 1), f->end);
    return word_at(q, SLICE("in")) ? *skip_blanks(q + 2) == '('
                                   : body_continues(f, after) && equation_begins(q, f->end);
}

/* true if keys may be in this order: JAX prints them in ascending order, except for a leading `name` */
static bool
key_ascends(const struct token_source *f, const struct frame *frame, const char *p, const char *end)
{
    if (frame->unsorted || frame->key == 0)
        return true;
    const char *before = f->begin + frame->key;
    for (; p < end && *p == *before; p++)
        before++;
    return p < end && (!is_word_char(*before) || (u8)*p > (u8)*before);
}

bool
line_stops(const struct token_source *f, const struct frame *frame, const char *line, bool exact,
           struct value_end *found)
{
    const char *p = skip_indent(line);
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
    if (*p == '\n' && column == frame->keys && key_end(p + 1)) { /* the line was broken by hand after its indentation */
        *found = (struct value_end){STOP_KEY, line - 1, p + 1};
        return true;
    }
    return false;
}

/* true if a program follows the key from p to `end`: then it is not part of a string, whatever keys precede it */
static bool
key_begins_program(const struct token_source *f, const char *p, const char *end)
{
    return end[1] == '{' && key_holds_programs((struct slice){p, (size_t)(end - p)}) && lambda_begins(f, end + 1);
}

/* whether the next key or a spaced ` ]` follows the space at p inside a flat list. `whole`: nothing else is possible,
 * and keys may be in any order */
static bool
blank_stops(struct token_source *f, const struct frame *frame, const char *from, const char *p, bool whole,
            struct value_end *found)
{
    const char *q = skip_blanks(p), *key = key_end(q);
    bool newline = memchr(p, '\n', (size_t)(q - p)) != NULL;
    if (key && (whole || key_ascends(f, frame, q, key) || value_is_whole(from, p) || key_begins_program(f, q, key) ||
                (newline && frame->spaced && column_at(f, q) == frame->keys))) {
        /* a value of several lines may end with a newline, followed by one space */
        const char *last = q - (newline && q[-1] == ' ' && q[-2] == '\n');
        bool own = last < q && memchr(from, '\n', (size_t)(p - from));
        if (last == q && newline && memchr(p, '\n', (size_t)(q - p)) != (last = memrchr(p, '\n', (size_t)(q - p))))
            own = true;
        *found = (struct value_end){STOP_KEY, own ? last : p, q};
        return true;
    }
    if (frame->spaced && *q == '#' && q > p && memchr(q, '\n', (size_t)(f->end - q))) { /* a comment after the first
                                                                                         * parameter */
        *found = (struct value_end){STOP_KEY, p, q};
        return true;
    }
    if (*q == ']' && (frame->spaced || newline || q - p >= INDENTED) && operands_end(q + 1, f->end)) {
        *found = (struct value_end){STOP_CLOSE, p, q};
        return true;
    }
    return false;
}

/* whether the search may stop and use *candidate, at a line end at p while brackets are open: if the column of the next
 * line shows that the list ends here, this is stored in *candidate */
static bool
candidate_holds(struct token_source *f, const struct frame *frame, const char *p, struct value_end *candidate)
{
    struct value_end here;
    if (!line_stops(f, frame, p + 1, true, &here))
        return candidate->stop != STOP_TEXT_END && f->lookahead == 0;
    if (candidate->stop == STOP_TEXT_END) {
        *candidate = here;
        candidate->open = true;
    }
    return here.stop == STOP_CLOSE || f->lookahead == 0;
}

/* whether the `]` at p in a flat list, `depth` brackets deep, ends the value that continues at `from`. If a string left
 * brackets open, the value may have ended at an earlier key */
static struct value_end
flat_close(struct token_source *f, const struct frame *frame, const char *from, const char *p, i64 depth)
{
    struct value_end found = {STOP_TEXT_END, f->end, f->end};
    const char *after = depth <= 0 || f->lookahead ? operands_end(p + 1, f->end) : NULL;
    if (!after || (depth > 0 && !body_continues(f, after)))
        return found;
    if (depth > 0 && f->lookahead > (u64)(p - from))
        for (const char *q = from; q < p; q++) {
            f->lookahead--;
            if (*q == ' ' && blank_stops(f, frame, from, q, false, &found))
                return found;
        }
    return (struct value_end){STOP_CLOSE, p, p};
}

/* The search for the end of a value. */
struct search {
    const char *from, *p;       /* the value continues at `from`; the search is at p */
    u64 kinds;                  /* of the innermost brackets, two bits each, see bracket_opens */
    bool odd;                   /* some bracket closed one of another kind, or none was open */
    bool lines;                 /* it may have passed a line end */
    bool gap;                   /* it may have passed spaces outside brackets */
    bool inside;                /* brackets were open at `from`, after a program in the value */
    i64 depth;                  /* open brackets; negative after a `]` inside a string, as in `fmt=a]b[` */
    struct value_end candidate; /* an end found by its column, while brackets are open */
    struct value_end refused;   /* the first `]` that later text contradicts: part of a string, or before an error */
};

/* kinds are 1 `(`, 2 `[`, 3 `{`. Levels deeper than 32 count as mismatched, and are examined closely */
static inline void
bracket_opens(struct search *s, u64 kind)
{
    s->depth++;
    s->kinds = s->kinds << 2 | kind;
}

static inline void
bracket_closes(struct search *s, u64 kind)
{
    s->odd |= (s->kinds & 3) != kind;
    s->kinds >>= 2;
}

/* adds a note with what the text at p, `{ lambda`, lacks to be a program */
static void
note_no_program(struct token_source *f, const char *p)
{
    const char *dot = p + 1;
    while (dot < f->end && *dot != '=' && !(*dot == '.' && is_blank(dot[1])))
        dot++;
    if (lambda_begins(f, p))
        diag_note(f->diags, NONE, 0, "expected results at its end, such as `in (b,) }`");
    else if (dot == f->end || *dot == '=')
        diag_note(f->diags, NONE, 0, "expected `. let` after its inputs");
    else if (word_at(skip_blanks(dot + 1), SLICE("let")))
        diag_note(f->diags, NONE, 0, "expected results in parentheses after `in`");
    else
        diag_note(f->diags, offset_of(f, dot), 1, "`let` is missing after this `.`");
}

/* whether a program, or a `let` before one, begins at the search position */
static bool
program_stops(struct token_source *f, struct frame *frame, const struct search *s, struct value_end *found)
{
    const char *p = s->p;
    if (*p == '{') {
        if (p <= f->once.opaque || !(s->inside ? lambda_begins(f, p) : value_begins_program(f, s->from, p))) {
            if (p > f->once.opaque && memcmp(skip_blanks(p + 1), "lambda ", 7) == 0 &&
                !(p == s->from && value_is_program(f, p))) {
                diag_add(f->diags, DIAG_S017, offset_of(f, p), 8,
                         "this looks like a program but cannot be parsed as one, so it is not checked");
                note_no_program(f, p);
            }
            f->once.opaque = p > f->once.opaque ? skip_blanks(p + 1) : f->once.opaque;
            return false;
        }
        /* a string left brackets open: the value ended earlier, by its column */
        *found = s->candidate.stop != STOP_TEXT_END ? s->candidate : (struct value_end){STOP_LAMBDA, p, p};
    } else {
        bool first = p == s->from || p[-1] == '=' || p[-1] == '[' || p[-1] == '(' || is_blank(p[-1]);
        if (first && s->depth > 0 && p > f->once.opaque && header_begins(f, p) && !value_is_program(f, s->from)) {
            diag_add(f->diags, DIAG_S001, offset_of(f, p), 6, "`{` is missing before `lambda`");
            mark_damaged(f);
            f->once.opaque = p;
        }
        if (!first || !let_begins(f, p))
            return false;
        *found = (struct value_end){STOP_LET, p, p};
    }
    frame->depth = s->depth > DEEPEST ? DEEPEST : s->depth > 0 ? (u16)s->depth : 0;
    return true;
}

/* whether the value ends at the `]` at the search position */
static bool
bracket_stops(struct token_source *f, const struct frame *frame, struct search *s, struct value_end *found)
{
    if (!frame->broken) {
        *found = flat_close(f, frame, s->from, s->p, s->depth);
        if (found->stop != STOP_TEXT_END)
            return true;
        if (s->depth <= 0 && s->refused.stop == STOP_TEXT_END)
            s->refused = (struct value_end){STOP_CLOSE, s->p, s->p};
        /* no string begins like this: the following text has an error of its own */
        if (s->depth <= 0 && *s->from != '[' && *s->from != '{' && value_is_whole(s->from, s->p)) {
            *found = s->refused;
            return true;
        }
    } else if (s->depth <= 0 && equations_follow(f, s->p + 1)) {
        *found = (struct value_end){STOP_CLOSE, s->p, s->p};
        return true;
    }
    s->depth -= s->depth > 0 || !frame->broken;
    bracket_closes(s, 2);
    return false;
}

/* true if the next equation or the results of the body begin after the line end at p, in their column: no value
 * contains that */
static bool
body_line_follows(const struct token_source *f, const struct frame *frame, const char *p)
{
    const char *q = skip_spaces(p + 1);
    u32 column = (u32)(q - p - 1);
    if (column == frame->column)
        return equation_begins(q, f->end) && !key_end(q);
    return column < frame->column && frame->column != NONE && word_at(q, SLICE("in")) && *skip_blanks(q + 2) == '(';
}

/* true if the key after the spaces at the search position is one of the list, which was filled: the value before it is
 * complete, or an elided word */
never_inline static bool
filled_list_continues(const struct token_source *f, const struct frame *frame, const struct search *s, const char *key)
{
    if (s->inside || value_is_string(f, s->from))
        return false;
    if (value_is_whole(s->from, s->p))
        return true;
    for (const char *q = s->from; q < s->p; q++)
        if (is_blank(*q))
            return false;
    return key_ascends(f, frame, key, key_end(key));
}

/* whether the value ends at the space or line end at the search position; otherwise the search continues after the
 * inspected spaces */
static bool
space_stops(struct token_source *f, const struct frame *frame, struct search *s, struct value_end *found)
{
    if (!frame->broken) {
        if (*s->p == '\n' && body_line_follows(f, frame, s->p)) {
            *found = (struct value_end){STOP_TEXT_END, s->p, NULL};
            return true;
        }
        if (s->depth > 0)
            return false;
        bool closed = s->inside && bracket_step(s->p[-1]) < 0;
        if (blank_stops(f, frame, s->from, s->p, closed, found))
            return true;
        const char *after = skip_blanks(s->p);
        s->gap = true;
        s->lines |= after - s->p > 1;
        s->p = after - 1;
        return false;
    }
    if (*s->p == ' ' && s->depth <= 0) {
        const char *key = skip_spaces(s->p);
        if (key_end(key) && filled_list_continues(f, frame, s, key)) {
            text_repaired(&f->m->text, REPAIR_LAYOUT, offset_of(f, s->p));
            *found = (struct value_end){STOP_KEY, s->p, key};
            return true;
        }
        s->gap = true;
        s->p = key - 1;
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

/* whether no possible end was passed */
static bool
is_free(const struct search *s)
{
    return s->candidate.stop == STOP_TEXT_END && s->refused.stop == STOP_TEXT_END;
}

/* counts text that is read after a possible end; false if the budget is used up */
static bool
may_look_on(struct token_source *f, const struct search *s)
{
    if (is_free(s))
        return true;
    if (f->lookahead)
        f->lookahead--;
    return f->lookahead || s->refused.stop == STOP_TEXT_END;
}

/* the first byte from p on that search_end inspects */
static const char *
skip_others(const char *p, const char *end)
{
    static const bool looked_at[256] = {
        ['{'] = true, ['l'] = true,  ['('] = true, ['['] = true,  [']'] = true, [')'] = true,
        ['}'] = true, ['\''] = true, ['"'] = true, ['\n'] = true, [' '] = true};
    while (p < end && !looked_at[(u8)*p])
        p++;
    return p;
}

static struct value_end
search_end(struct token_source *f, struct frame *frame, struct search *s)
{
    struct value_end found = {STOP_TEXT_END, f->end, f->end};
    for (; s->p < f->end && may_look_on(f, s); s->p++) {
        if (is_free(s) && (s->p = skip_others(s->p, f->end)) == f->end)
            break;
        switch (*s->p) {
        case '{':
        case 'l':
            if (program_stops(f, frame, s, &found))
                return found;
            if (*s->p == '{')
                bracket_opens(s, 3);
            break;
        case '(':
            bracket_opens(s, 1);
            break;
        case '[':
            bracket_opens(s, 2);
            break;
        case ']':
            if (bracket_stops(f, frame, s, &found))
                return found;
            break;
        case ')':
        case '}':
            bracket_closes(s, *s->p == ')' ? 1 : 3);
            s->depth -= s->depth > 0;
            break;
        case '\'':
        case '"':
            if (s->depth > 0 && quote_opens(s->p, s->from))
                s->p = skip_string(s->p, f->end) - 1;
            break;
        case '\n':
        case ' ':
            if (space_stops(f, frame, s, &found))
                return found;
            s->lines |= *s->p == '\n';
            break;
        default:
            break;
        }
    }
    return s->candidate.stop != STOP_TEXT_END ? s->candidate : s->refused;
}

struct value_end
find_end(struct token_source *f, struct frame *frame, const char *from)
{
    struct value_end none = {STOP_TEXT_END, f->end, f->end}, found;
    struct search s = {
        .from = from, .p = from, .inside = frame->depth > 0, .depth = frame->depth, .candidate = none, .refused = none};
    if (*from == '<' && s.depth == 0)
        s.p = skip_angles(from, f->end);
    found = search_end(f, frame, &s);
    found.odd = s.odd || s.kinds != 0;
    found.lines = s.lines;
    found.gap = s.gap;
    return found;
}
