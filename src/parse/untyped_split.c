/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a word begins the next equation without a delimiter: line ends became spaces, or indentation is lost. If
 * equations have no types either, `b = sin a c d = eig b`, only scopes distinguish operands from the binders after
 * them: an operand was bound before, a binder was not. The names of each open body are collected from the first such
 * word on, so that the total cost is linear in the text. */
#include "parse/text_part.h"

enum {
    LONGEST = 1024, /* how far to search words */
    SHORT_NAME = 4, /* the maximum length of variables */
};

static const char *
name_end(const char *p)
{
    while (is_word_char(*p) || *p == '*')
        p++;
    return p;
}

static void
add_names(struct token_source *f, struct scope *s, u32 vars, u32 n)
{
    for (u32 v = vars; v < vars + n; v++)
        memo_set(f->m->mem, &s->names, f->m->vars.at[v].name, 1);
}

/* the names of the innermost body, up to the equation that began last */
static const struct scope *
open_scope(struct token_source *f)
{
    struct module *m = f->m;
    jaxpr_t top = f->build.open.at[f->build.open.n - 1];
    while (f->untyped.scopes.n && (f->untyped.scopes.at[f->untyped.scopes.n - 1].depth > f->build.open.n ||
                                   (f->untyped.scopes.at[f->untyped.scopes.n - 1].depth == f->build.open.n &&
                                    f->untyped.scopes.at[f->untyped.scopes.n - 1].jaxpr != top)))
        memo_free(m->mem, &f->untyped.scopes.at[--f->untyped.scopes.n].names);
    const struct jaxpr *j = &m->jaxprs.at[top];
    if (f->untyped.scopes.n == 0 || f->untyped.scopes.at[f->untyped.scopes.n - 1].jaxpr != top) {
        *vec_push(m->mem, &f->untyped.scopes) = (struct scope){.jaxpr = top, .depth = f->build.open.n, .last = NONE};
        add_names(f, &f->untyped.scopes.at[f->untyped.scopes.n - 1], j->vars, jaxpr_binders(j));
        part_needs_names(f);
    }
    struct scope *s = &f->untyped.scopes.at[f->untyped.scopes.n - 1];
    while (s->last != j->last) {
        s->last = s->last == NONE ? j->eqns : m->eqns.at[s->last].next;
        add_names(f, s, m->eqns.at[s->last].vars, m->eqns.at[s->last].n_vars);
    }
    return s;
}

/* true for a word that must be an operand; not for `_` and `*`, which may be bound repeatedly */
static bool
is_bound(struct token_source *f, const struct scope *s, struct slice word)
{
    if (word.n == 1 && (*word.at == '_' || *word.at == '*'))
        return false;
    if (is_literal_name(word))
        return true;
    name_t name = names_find(&f->m->names, word);
    return name != NONE && memo_get(&s->names, name);
}

/* true if a write to a ref follows a binder: `, d[0] <-` at p */
static bool
swap_follows(const char *p, const char *end)
{
    const char *word = skip_blanks(p + 1), *open = name_end(word);
    return open > word && *open == '[' && memcmp(skip_blanks(type_scan(open, end)), "<-", 2) == 0;
}

/* true if a line of the body begins at p, in the column of its equations. A space and `=` begin an equation without
 * results, as old versions print it; one that is indented less does not belong there */
static bool
line_begins(struct token_source *f, const char *p)
{
    u32 column = 0, bare = *p == '=';
    while (p > f->begin && p[-1] == ' ') {
        column++;
        p--;
    }
    bool begins = column == top_frame(f)->column + bare || (bare && column <= top_frame(f)->column);
    return column > bare && p > f->begin && p[-1] == '\n' && begins;
}

/* computes untyped_split; f->untyped.split_to becomes the end of the inspected text */
static const char *
find_split(struct token_source *f, const char *p)
{
    const struct scope *s = open_scope(f);
    const char *binders = p, *last = NULL, *from = p;
    while (is_word_start(*p) && p - from < LONGEST) {
        const char *end = name_end(p);
        struct slice word = {p, (size_t)(end - p)};
        if (is_bound(f, s, word))
            binders = NULL;
        else if (is_primitive(word))
            return p;
        else if (!binders)
            binders = p;
        last = p;
        p = f->untyped.split_to = skip_blanks(end);
        if (p == end)
            break;
        bool line = memchr(end, '\n', (size_t)(p - end)) != NULL;
        if (line && (line_begins(f, p) || (*p == '=' && !binders)))
            return NULL;
    }
    if (!last)
        return NULL;
    if (*p == '=' && p[1] != '=' && is_blank(p[-1]))
        return binders ? binders : last;
    return (*p == '<' && p[1] == '-') || (*p == ',' && swap_follows(p, f->end)) ? last : NULL;
}

const char *
untyped_split(struct token_source *f, const char *p)
{
    if (f->build.open.n && (p >= f->untyped.split_to || (f->untyped.next_equation && p > f->untyped.next_equation))) {
        f->untyped.split_to = p + 1;
        f->untyped.next_equation = find_split(f, p);
    }
    return f->untyped.next_equation;
}

/* true for a line end inside an equation: many untyped results take several lines */
static bool
continues_line(struct token_source *f, const char *p)
{
    const char *q = skip_spaces(p + 1);
    if ((*q == '=' && is_blank(q[1])) || (*q == '<' && q[1] == '-'))
        return true;
    return is_word_start(*q) && top_frame(f)->column != NONE && (u32)(q - p - 1) > top_frame(f)->column;
}

const char *
binders_end(struct token_source *f, const char *word, const char *p)
{
    bool anywhere = word == f->untyped.next_equation;
    if (anywhere && p < f->untyped.binders_to)
        return f->untyped.binders_to;
    while (is_word_start(*p) || *p == ' ' || *p == ')' || (*p == '\n' && (anywhere || continues_line(f, p))))
        p = is_word_start(*p) ? name_end(p) : p + 1;
    if (*p != '\n')
        f->untyped.binders_to = p;
    return p;
}

bool
word_is_primitive(struct token_source *f, struct slice word)
{
    return is_primitive(word) && f->build.open.n && !is_bound(f, open_scope(f), word);
}

bool
word_is_variable(struct token_source *f, struct slice word)
{
    return is_typed(f) && word.n <= SHORT_NAME && f->build.open.n && is_bound(f, open_scope(f), word) &&
           !names_primitive(word);
}

/* true if `=` or `<-` follows words on the line: an untyped equation */
bool
line_binds(const char *p)
{
    for (const char *from = p; p - from < LONGEST; p++)
        if (!(is_word_start(*p) || is_word_char(*p) || *p == ' ' || *p == '(' || *p == ')'))
            break;
    return (*p == '=' && p[1] != '=') || (*p == '<' && p[1] == '-');
}

/* true if an indentation precedes p in the middle of a line: line ends became spaces, or moved */
static bool
gap_before(const struct token_source *f, const char *p)
{
    p -= p > f->begin && p[-1] == '\n';
    return p - f->begin > INDENTED && memcmp(p - INDENTED, "    ", INDENTED) == 0;
}

/* true if the word between p and end, whose indentation was lost or belongs to another line, is an operand: the space
 * before it is at the end of the previous line, as when text is filled; otherwise it is a short variable name that
 * binds nothing */
static bool
is_operand_line(const struct token_source *f, const char *p, const char *end)
{
    if (*end == '[' || *end == '(' || line_binds(end))
        return false;
    if (is_literal_name((struct slice){p, (size_t)(end - p)}))
        return true;
    bool short_name = end - p <= 3;
    for (const char *q = p; q < end; q++)
        short_name &= *q >= 'a' && *q <= 'z';
    return short_name || (p - f->begin > 1 && p[-1] == '\n' && p[-2] == ' ' && !gap_before(f, p));
}

/* true if only the bound names decide whether the scanner's word is an operand: binders have no types, or it is too
 * long for a variable and may be a primitive without results */
bool
may_split(const struct token_source *f)
{
    return !is_typed(f) || f->scan.n >= LONG_NAME;
}

bool
word_starts_equation(struct token_source *f)
{
    const struct scan *s = &f->scan;
    const char *p = s->at, *end = p + s->n, *next;
    u32 column = token_column(f), body = top_frame(f)->column;
    if (s->after == '[' && equation_begins(p, f->end)) /* operands do not have parameters */
        return true;
    if (s->after == '-' || s->after == '.' || s->after == '(') /* operands do not look like this */
        return true;
    if ((!s->first || column == 0) && may_split(f) && (next = untyped_split(f, p)) != NULL)
        return next == p;
    if (gap_before(f, s->first ? s->line : p) || (s->first && column == 0))
        return !is_operand_line(f, p, end);
    if (!s->first)
        return false;
    struct slice word = {p, s->n};
    if (column == body && word_is_variable(f, word)) /* text was filled in the middle of operands */
        return false;
    if (column == body)
        return s->after != '\n' || !is_literal_name(word);
    return word_is_primitive(f, word) || (column < body && line_binds(end));
}
