/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands, results and arguments on a line of their own that is not indented as JAX indents them: text was filled,
 * lost its indentation, or contains a stray line. The search stays within two lines. */
#include "parse/token_source.h"

#include "parse/build.h"

enum { NARROWEST = 40 }; /* filled lines are at least this long */

/* the width of the line before that of p, plus that of the first word of p's line, with a space */
static size_t
joined_width(const struct token_source *f, const char *p)
{
    while (p > f->begin && p[-1] != '\n')
        p--;
    const char *line = p > f->begin ? p - 1 : p;
    while (line > f->begin && line[-1] != '\n')
        line--;
    const char *word = skip_indent(p), *end = word;
    while (end < f->end && !is_blank(*end))
        end++;
    return (size_t)(p - line) + (size_t)(end - word);
}

void
take_low_operand(struct token_source *f)
{
    struct name_buffer buffer;
    eqn_t e = last_eqn(f);
    struct slice prim = e == NONE ? SLICE("") : module_name(f->m, f->m->eqns.at[e].prim, &buffer);
    bool known = e == NONE || f->m->eqns.at[e].form > EQN_CALL_BARE || names_primitive(prim);
    if (known || joined_width(f, f->begin + f->token.at) > NARROWEST) {
        text_repaired(&f->m->text, REPAIR_LAYOUT, f->token.at);
        return;
    }
    struct slice operand = {f->begin + f->token.at, f->token.n};
    const char *above = f->begin + f->m->eqns.at[e].offset, *end = above;
    while (end < f->end && !is_blank(*end))
        end++;
    diag_add(f->diags, DIAG_S024, f->token.at, f->token.n, "`%s` is either another operand of `%s` or stray text",
             diag_quote(f->diags, operand), diag_quote(f->diags, prim));
    diag_note(f->diags, f->m->eqns.at[e].offset, (u32)(end - above),
              "if it is an operand, move it to the end of this equation; if not, delete it");
    f->errors++;
}

/* reports the binder from p to end, which is on a line without its equation or other binders */
static void
report_binder(struct token_source *f, const char *p, const char *end, const char *what, const char *hint)
{
    diag_add(f->diags, DIAG_S024, offset_of(f, p), (u32)(end - p), "`%s` is either %s or stray text",
             diag_quote(f->diags, (struct slice){p, (size_t)(end - p)}), what);
    diag_note(f->diags, NONE, 0, "%s; if not, delete it", hint);
    f->errors++;
}

/* whether the type of a binder ends before p as JAX prints types: in brackets, except for a token */
static bool
type_ends(const char *p)
{
    return memchr("])}>", p[-1], 4) || slice_eq((struct slice){p - 3, 3}, SLICE("Tok"));
}

/* the end of the text before p, without whitespace and comments */
static const char *
before_comments(const struct token_source *f, const char *p)
{
    for (u32 i = comment_at(f->m, offset_of(f, p));; i--) {
        while (is_blank(p[-1]))
            p--;
        const char *hash = i > 0 ? f->begin + f->m->comments.at[i - 1].offset : p;
        if (hash >= p || memchr(hash, '\n', (size_t)(p - hash)))
            return p;
        p = hash;
    }
}

void
take_low_binder(struct token_source *f, const char *p)
{
    const char *end = before_comments(f, p), *name;
    for (name = end; !is_blank(name[-1]);)
        name--;
    if (end[-1] == ':')
        return; /* its type is missing, which is reported */
    if (type_ends(end)) {
        text_repaired(&f->m->text, REPAIR_LAYOUT, offset_of(f, p));
        return;
    }
    if (!memchr(name, ':', (size_t)(end - name))) { /* `loss: 0.1` */
        while (is_blank(name[-1]))
            name--;
        while (!is_blank(name[-1]))
            name--;
    }
    report_binder(f, name, end, "a result of the equation on the next line",
                  "if it is a result, move it to the line of its equation");
}

void
check_argument_line(struct token_source *f, const char *p, const char *end)
{
    const char *line = p, *colon = memchr(p, ':', (size_t)(end - p));
    while (line > f->begin && line[-1] == ' ')
        line--;
    bool alone = line > f->begin && line[-1] == '\n' && *skip_spaces(end) == '\n';
    if (alone && colon != NULL && colon[1] == ' ' && !type_ends(end))
        report_binder(f, p, end, "an argument", "if it is an argument, write it without a space");
}
