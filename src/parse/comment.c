/* SPDX-License-Identifier: Apache-2.0
 *
 * Comments: those that read like lines of a program, and those that replace lines. Linear in the text. */
#include "parse/comment.h"

#include "base/chars.h"
#include "base/value.h"

/* whether a comment reads like the beginning or end of a program */
static bool
comments_bracket(const char *p, const char *end)
{
    struct slice text = {p, (size_t)(end - p)};
    return p < end &&
           (*p == ']' || *p == '}' || slice_starts(text, SLICE("{ lambda")) || slice_starts(text, SLICE("in (")));
}

/* whether a comment reads like an equation or, in a list of them, a parameter */
static bool
comments_out(const char *p, const char *end, bool in_list)
{
    const char *word = word_end(p);
    struct slice text = {p, (size_t)(end - p)};
    if (word == p || word + 1 >= end)
        return false;
    if (*word == '=')
        return in_list && !is_blank(word[1]) && value_find(word + 1, end, " ") == end;
    bool stores = slice_contains(text, SLICE(" <- ")) || slice_contains(text, SLICE(" += "));
    if (*word == '[')
        return stores ||
               (is_word_start(word[1]) && *word_end(word + 1) == '=' && memchr(word, ']', (size_t)(end - word)));
    return *word == ':' && is_word_start(word[1]) && (stores || slice_contains(text, SLICE(" = ")));
}

/* whether a comment begins without a space and with a literal, which was an operand: `add a #2.0:f32[]` */
static bool
comments_operand(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && (is_digit(*q) || *q == '.'))
        q++;
    return q > p && q + 1 < end && *q == ':' && is_word_start(q[1]) && memchr(q, '[', (size_t)(end - q));
}

static const char *
line_begin(const char *begin, const char *p)
{
    const char *newline = memrchr(begin, '\n', (size_t)(p - begin));
    return newline ? newline + 1 : begin;
}

/* whether nothing but blanks precedes p on its line */
static bool
begins_line(const char *begin, const char *p)
{
    while (p > begin && is_blank(p[-1]) && p[-1] != '\n')
        p--;
    return p == begin || p[-1] == '\n';
}

/* whether the comment at p, which begins its line, is below one that follows text on its line, in its column: printers
 * put further comments of a line there. Searches a few lines, as few comments are about one line */
static bool
is_beside(const struct module *m, const char *p)
{
    enum { MOST = 16 };
    const char *text = m->text.at;
    const ptrdiff_t column = p - line_begin(text, p);
    const u32 n = m->comments.n;
    for (u32 i = n; i > 0 && n - i < MOST; i--) {
        const struct comment *above = &m->comments.at[i - 1];
        const char *end = text + above->text.at + above->text.n, *at = text + above->offset;
        if (*end != '\n' || skip_spaces(end + 1) != p || at - line_begin(text, at) != column)
            return false;
        if (!begins_line(text, at))
            return true;
        p = at;
    }
    return false;
}

const char *
record_comment(struct token_source *f, const char *p)
{
    const char *end = memchr(p, '\n', (size_t)(f->end - p));
    if (!end)
        end = f->end;
    const char *text = p + 1 + (p + 1 < end && p[1] == ' ');
    bool whole = begins_line(f->begin, p);
    bool in_list = f->frames.n && top_frame(f)->state >= STATE_PARAMS && top_frame(f)->state <= STATE_MIXED;
    const char *line = skip_spaces(text);
    if (whole ? comments_out(line, end, in_list) || (comments_bracket(line, end) && !is_beside(f->m, p))
              : comments_operand(p + 1, end))
        text_repaired(&f->m->text, REPAIR_COMMENTED, offset_of(f, p));
    *vec_push(f->m->mem, &f->m->comments) = (struct comment){offset_of(f, p), span_of(f, text, end), NONE, 0};
    return end;
}

/* whether a comment begins with dots, `# ... (rest unchanged)`, or says that equations or lines were omitted */
static bool
replaces_lines(struct slice text)
{
    struct slice dots = text;
    if (dots.n && strchr("([<", *dots.at))
        dots = (struct slice){dots.at + 1, dots.n - 1};
    return slice_starts(dots, SLICE("...")) || slice_starts(dots, SLICE("\xE2\x80\xA6")) ||
           slice_contains(text, SLICE("equations omitted")) || slice_contains(text, SLICE("lines omitted"));
}

/* whether an offset is inside of the first program that ends after it, from *g on, which becomes that program */
static bool
in_program(const struct module *m, u32 at, program_t *g)
{
    while (*g < m->programs.n && (m->programs.at[*g].pasted || m->programs.at[*g].end <= at))
        ++*g;
    return *g < m->programs.n && m->programs.at[*g].offset < at;
}

bool
comments_hide(const struct module *m)
{
    program_t g = 0;
    u32 kind = (u32)__builtin_ctz(REPAIR_COMMENTED);
    return (m->text.repairs & REPAIR_COMMENTED) && in_program(m, m->text.repaired_at[kind], &g);
}

void
report_comments(const struct module *m, struct diags *ds)
{
    program_t g = 0;
    for (u32 i = 0; i < m->comments.n; i++) {
        const struct comment *c = &m->comments.at[i];
        struct slice text = module_bytes(m, c->text);
        if (replaces_lines(text) && begins_line(m->text.at, m->text.at + c->offset) && in_program(m, c->offset, &g))
            diag_add(ds, DIAG_S018, c->offset, (u32)(c->text.at + c->text.n - c->offset),
                     "this comment replaces lines of the program, which are unknown");
    }
}
