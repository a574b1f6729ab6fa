/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver: repairs the bytes for the scanner, then reads program after program; if one cannot be finished, it
 * continues at the next. Linear in the text. */
#include "parse/parse.h"

#include "base/near.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "parse/build.h"
#include "parse/comment.h"
#include "parse/other_text.h"
#include "parse/param_lists.h"
#include "parse/parts.h"

#include "grammar.tab.h"

/* ---- preflight ---- */

/* reports invalid bytes in a text; NULs become spaces for the scanner */
static void
check_bytes(struct text *t, struct diags *ds)
{
    u32 nuls = 0, bad = 0, bad_at = 0;
    const char *other = text_encoding((struct slice){t->at, t->n});
    if (other) {
        diag_add(ds, DIAG_S005, 0, 2, "this text is %s", other);
        diag_note(ds, NONE, 0, "convert it first: `iconv -f %s -t UTF-8`", other);
        t->n = 0;
        t->original = NULL;
        memset(t->at, 0, TEXT_PADDING);
        return;
    }
    for (u32 at = 0; (at += (u32)utf8_first_bad(t->at + at, t->n - at)) < t->n; at++) {
        if (t->at[at]) {
            if (bad++ == 0)
                bad_at = at;
            continue;
        }
        if (nuls++ == 0)
            diag_add(ds, DIAG_S004, at, 1, "NUL byte in the text; it is read as a space");
        text_keep_original(ds->mem, t);
        t->at[at] = ' ';
    }
    if (nuls > 1)
        diag_note(ds, NONE, 0, "this is the first of %u NUL bytes", nuls);
    if (bad)
        diag_add(ds, DIAG_S005, bad_at, 1, "byte 0x%02x is not valid UTF-8", (u8)t->at[bad_at]);
    if (bad > 1)
        diag_note(ds, NONE, 0, "this is the first of %u such bytes", bad);
}

/* ---- errors ---- */

/* the token as messages print it: its text, cut if it is long */
static struct slice
token_text(const struct token_source *f)
{
    u32 n = f->token.n;
    const char *p = f->begin + f->token.at;
    for (u32 i = 0; i < n; i++)
        if (i == 40 || p[i] == '\n')
            n = i;
    while (n && n < f->token.n && !begins_point(p[n]))
        n--;
    if (n == 1 && strchr("<=>", *p) && memcmp(p, p + 1, 6) == 0)
        n = 7; /* a merge conflict marker */
    if (n == 1 && memcmp(p, "```", 3) == 0)
        n = 3; /* a code fence */
    if (n == 1 && ((p[1] == '>' && (*p == '-' || *p == '=')) || (p[1] == '=' && strchr(":=!<>", *p))))
        n = 2; /* `->`, `=>`, `==`, `:=`: one operator to the author */
    if (n > 2 && p[0] == '=' && p[1] == ' ')
        n = 1; /* the primitive after it is not what is wrong */
    return (struct slice){p, n};
}

/* `a, b or c`, without duplicates: several tokens of the grammar may have one name (`an equation|2`). `first`: no
 * equation that could take an operand was read */
static void
list_expected(struct sink *out, const char *const *expected, u32 n, bool first)
{
    struct slice once[32];
    u32 count = 0;
    for (u32 i = 0; i < n; i++) {
        struct slice name = {expected[i], strcspn(expected[i], "|")};
        bool seen = first && slice_eq(name, SLICE("an operand"));
        for (u32 j = 0; j < count; j++)
            seen |= slice_eq(once[j], name);
        if (!seen && count < countof(once))
            once[count++] = name;
    }
    for (u32 i = 0; i < count; i++)
        sink_printf(out, "%s%.*s", i == 0 ? "" : i + 1 == count ? " or " : ", ", (int)once[i].n, once[i].at);
}

void
report_truncated(struct token_source *f, const char *open, const char *where, const char *note)
{
    const char *last = f->end;
    while (last > f->begin && is_blank(last[-1]))
        last--;
    f->errors++;
    if (f->once.truncated)
        return;
    f->once.truncated = true;
    diag_add(f->diags, DIAG_S003, offset_of(f, last), 0, "the text ends %s", where);
    diag_note(f->diags, offset_of(f, open), 1, "%s", note);
}

enum { FAR = 4096 }; /* how far to search for hints */

/* true if a list of results and the end of the program are at p: `(b, c) }` */
static bool
results_follow(const struct token_source *f, const char *p)
{
    const char *end = type_scan(p, f->end - p < FAR ? f->end : p + FAR);
    return end[-1] == ')' && *skip_blanks(end) == '}';
}

static const char one_equals[] = "the results of an equation are followed by one `=`: `c:f32[] = add a b`";
static const char directly[] = "parameters follow the primitive directly: `reduce_sum[axes=(0,)] a`";
static const char spaces[] = "operands are separated by spaces: `add a b`";
static const char bare[] = "operands follow the primitive, separated by spaces, without parentheses: `add a b`";
static const char infix[] = "there are no infix operators: `c:f32[] = add a b`";
static const char brackets[] = "parameters are in brackets: `reduce_sum[axes=(0,)] a`";
static const char results[] = "results come after `in`, in parentheses: `in (b, c) }`";

/* what is being read in the innermost program or list */
static enum source_state
innermost_state(const struct token_source *f)
{
    return f->frames.n ? (enum source_state)f->frames.at[f->frames.n - 1].state : STATE_DONE;
}

/* a hint for an unexpected token; NULL if there is none */
static const char *
hint_about(const struct token_source *f, struct slice text)
{
    const char *line = text.at, *p = text.at;
    enum source_state state = innermost_state(f);
    char c = text.n ? *p : 0;
    while (line > f->begin && line[-1] != '\n' && p - line < FAR)
        line--;
    line = skip_blanks(line);
    if ((state == STATE_CONSTS || state == STATE_INS) && strchr("[(,", c) && c)
        return c == ',' ? "binders are separated by spaces: `a:f32[] b:f32[]`" : "a type follows `:`, as in `a:f32[8]`";
    if (state == STATE_TOP_IN && c == '{')
        return "a shared program ends with `in`: `let f = { lambda .. } in`";
    if (state == STATE_CONSTS && c == ':')
        return "a header has the form `{ lambda a:f32[]; b:f32[]. let`";
    if (c == '\\' && p[1] == 'n')
        return "newlines are printed as `\\n`: print the program, not the `repr` of its text";
    if (p == line && c && strchr("<=>", c) && memcmp(p, p + 1, 6) == 0)
        return "this is a merge conflict marker";
    if (c == '`' && text.n == 3)
        return "this is a code fence: remove it, or complete the program before it";
    if (p == line && (c == '+' || c == '-' || c == '>'))
        return "remove the prefixes that a diff or an email adds to lines";
    if (state == STATE_OUTS || state == STATE_CLOSE || state < STATE_BODY)
        return NULL;
    if (state == STATE_BODY && slice_eq(text, SLICE("let")))
        return "`let` is written once, before the first equation";
    if (c == ',' && word_at(line, SLICE("in")))
        return results;
    if (c == ',' && state == STATE_LHS)
        return "binders are separated by spaces: `b:f32[] c:f32[] = ..`";
    if (c == '[' || (c == ',' && *skip_blanks(p + 1) == '['))
        return directly;
    if (c == ',')
        return spaces;
    if (c == '(' && results_follow(f, p))
        return results;
    if (c == '(' && p > f->begin && is_word_char(p[-1]))
        return bare;
    if (c == '}')
        return results;
    bool sign = c == '=' || (text.n == 2 && (c == '-' || c == ':'));
    if (sign && text.n == 2 && results_follow(f, skip_blanks(p + 2)))
        return results;
    if (sign)
        return state == STATE_RHS && text.n == 1 && is_word_char(p[-1]) && !is_blank(p[1]) ? brackets : one_equals;
    if (c == '<' && state == STATE_LHS)
        return "a ref is read or written with `<-`: `b:f32[] <- a[...]`";
    if (c == '+' || c == '/' || (c == '-' && p[1] == ' '))
        return infix;
    if (c == ']')
        return "no `[` is open here";
    if (c == ')' && state == STATE_LHS && is_word_char(p[-1]))
        return "the type before it lacks its `(`, as in `AbstractQreg()`";
    if (c == ')')
        return "no `(` is open here";
    if (state == STATE_RHS && is_word_start(c) && memchr(p, ':', text.n))
        return "only binders and literals have a type; other operands are names: `add a b`";
    if (state == STATE_LHS && is_word_start(c))
        return "is `=` missing before the primitive?";
    return NULL;
}

/* what is expected instead of a token that begins with c and has a hint; `list` is what the grammar expects */
static const char *
wanted_by(const char *hint, char c, const char *list)
{
    if (hint == one_equals)
        return "`=` and a primitive";
    if (hint == directly && c == ',')
        return "`[`";
    if (hint == results)
        return c == ',' || c == '}' ? "`in (`" : "`in`";
    return hint == spaces || hint == bare || hint == infix || hint == brackets ? "an operand" : list;
}

/* the offset at which the last jaxpr outside other jaxprs begins */
static u32
outermost_offset(const struct module *m)
{
    u32 j = m->jaxprs.n;
    while (j-- > 1 && m->jaxprs.at[j].parent != NONE)
        ;
    return m->jaxprs.at[j].offset;
}

/* the last character before the token that is not blank, if it is `sign`; else NULL */
static const char *
find_before(const struct token_source *f, char sign)
{
    const char *p = f->begin + f->token.at;
    while (p > f->begin && is_blank(p[-1]))
        p--;
    return p > f->begin && p[-1] == sign ? p - 1 : NULL;
}

/* the `=` directly before the token, if it is that of an equation; else NULL */
static const char *
equals_before(const struct token_source *f)
{
    enum source_state state = innermost_state(f);
    return state == STATE_LHS || state == STATE_PRIM || state == STATE_OUTS ? find_before(f, '=') : NULL;
}

void
report_unexpected(struct token_source *f, const char *const *expected, u32 n)
{
    struct sink list;
    sink_init_memory(&list, f->m->mem);
    scan_release(&f->scan); /* the text after the token is inspected */
    if (f->frames.n && top_frame(f)->state == STATE_OUTS && top_frame(f)->comma)
        list_expected(&list, (const char *const[]){"`,`", "`)`"}, 2, false);
    else if (f->frames.n && top_frame(f)->state == STATE_OUTS && lacks_result(f))
        list_expected(&list, (const char *const[]){"a result"}, 1, false);
    else
        list_expected(&list, expected, n, f->frames.n && top_frame(f)->state == STATE_BODY && last_eqn(f) == NONE);
    sink_char(&list, 0);
    bool first = f->errors++ == 0;
    f->recovery.failed = f->begin + f->token.at;
    f->recovery.wanted = !token_begins_equation(f->last);
    if (f->token.n == 0 || f->once.truncated || skip_blanks(f->begin + f->token.at) >= f->end) {
        f->once.truncated |= !first; /* a program with an error often lacks its end */
        bool alone = f->frames.n && top_frame(f)->state == STATE_TOP_IN; /* the program of a let, without `in` */
        bool lets = f->build.open.n == 0 && (f->build.let_stack.n || alone);
        u32 inner = f->build.open.n        ? f->m->jaxprs.at[f->build.open.at[f->build.open.n - 1]].offset
                    : f->build.let_stack.n ? f->build.let_stack.at[0].offset
                    : alone                ? outermost_offset(f->m)
                                           : f->token.at;
        report_truncated(f, f->begin + inner, lets ? "before the main program" : "inside a program",
                         lets ? "`let NAME = .. in` must be followed by the main program, `{ lambda .. }`"
                              : "the program begins here");
    } else if (f->begin + f->token.at != f->once.unexpected) {
        struct slice text = token_text(f);
        const char *hint = hint_about(f, text);
        bool second = hint == one_equals && slice_eq(text, SLICE("="));
        const char *equals = second ? NULL : equals_before(f);
        const char *wanted = equals ? "a primitive after `=`" : wanted_by(hint, *text.at, list.at);
        n = second ? 0 : n;
        bool brace = n && strcmp(wanted, "`}`") == 0;
        const char *results_end = brace ? find_before(f, ')') : NULL;
        if (results_end && memchr(results_end, '\n', (size_t)(text.at - results_end)))
            diag_add(f->diags, DIAG_S001, offset_of(f, results_end), 1, "`}` is missing after this `)`");
        else if (equals && memchr(equals, '\n', (size_t)(text.at - equals))) /* the next line is right */
            diag_add(f->diags, DIAG_S001, offset_of(f, equals), 1, "a primitive is missing after `=`");
        else {
            struct slice shown = text_written(&f->m->text, offset_of(f, text.at), (u32)text.n);
            diag_add(f->diags, DIAG_S001, f->token.at, text.n < 3 || text.n > f->token.n ? (u32)text.n : f->token.n,
                     *text.at == '`' ? "unexpected %s\"%.*s\"%s%s" : "unexpected %s`%.*s`%s%s", second ? "second " : "",
                     (int)shown.n, shown.at, n ? "; expected " : "", n ? wanted : "");
        }
        if (hint && !equals)
            diag_note(f->diags, NONE, 0, "%s", hint);
        else if (brace && f->build.open.n)
            diag_note(f->diags, f->m->jaxprs.at[f->build.open.at[f->build.open.n - 1]].offset, 1,
                      "the program begins here");
    }
    mem_free(f->m->mem, list.at);
}

/* ---- programs ---- */

/* the next position at or after p where a program may begin: `{ lambda`, or `let NAME = {` at the start of a line */
static const char *
find_program(struct token_source *f, const char *p)
{
    for (; p < f->end; p++) {
        if (*p == '{' && memcmp(skip_blanks(p + 1), "lambda", 6) == 0)
            return p;
        if (*p == 'l' && (p == f->begin || is_blank(p[-1])) && let_begins(f, p))
            return p;
        if (damaged_program(f, p))
            return p;
    }
    return f->end;
}

/* the position after the bracket that closes the one at p; NULL if it is not closed, and need not be searched again */
static const char *
closing_end(struct token_source *f, const char *p)
{
    u32 depth = 0;
    for (; p < f->end && !f->once.unpaired; p++) {
        depth += bracket_step(*p) > 0;
        if (bracket_step(*p) < 0 && --depth == 0)
            return p + 1;
    }
    f->once.unpaired = true;
    return NULL;
}

/* whether the text at p begins like a `let` whose `=` is missing: `let f {` */
static bool
stray_let(const char *p)
{
    const char *name = skip_blanks(p + 3);
    return word_at(p, SLICE("let")) && is_word_start(*name) && *skip_blanks(word_end(name)) == '{';
}

/* a hint for a line that is not part of a program, whether or not another program follows */
static const char *
hint_for_stray(const struct token_source *f, const char *p, const char *end, bool follows)
{
    const char *digits = p;
    while (digits < end && is_digit(*digits))
        digits++;
    if (stray_let(p))
        return "; is `=` missing after the name?";
    if (*p == '{' && *skip_blanks(p + 1) == '<')
        return "; remove the HTML tags";
    if ((*p == '{' && *skip_blanks(p + 1) != '"') || word_at(p, SLICE("let")) || word_at(p, SLICE("in")))
        return "";
    if (digits > p && (digits == end || (digits + 1 == end && strchr(":|.)", *digits))))
        return "; remove the line numbers";
    return follows || f->m->programs.n ? "; `jaxpr extract` finds programs in other text" : "";
}

/* reports text between programs, up to `end`; returns where to continue. A program that lacks only its `lambda` is
 * skipped as a whole */
static const char *
report_stray(struct token_source *f, const char *p, const char *end)
{
    const char *next = end, *word = skip_blanks(p + 1), *close;
    u32 n = 0, code;
    while (n < 40 && is_word_char(word[n]))
        n++;
    bool misspelled = *p == '{' && n && word_is_misspelled((struct slice){word, n}, SLICE("lambda"));
    while (end > p && is_blank(end[-1]))
        end--;
    bool lacks_equals = stray_let(p), let_ends = f->once.lacks_equals && end == p + 2 && word_at(p, SLICE("in"));
    f->once.lacks_equals = lacks_equals;
    if (let_ends)
        return next;
    const char *line = memchr(p, '\n', (size_t)(end - p));
    struct other_text other = {NULL, NULL};
    if (f->m->programs.n == 0 && f->diags->list.n == 0 && (next == f->end || *word == '"'))
        other = other_text_of((struct slice){p, (size_t)((*word == '"' ? f->end : end) - p)});
    bool brace = *p == '}';
    diag_add(f->diags, DIAG_S009, offset_of(f, p), brace ? 1 : (u32)((line ? line : end) - p),
             brace        ? "unexpected `}`; no `{` is open here"
             : other.name ? "this is %s, not a Jaxpr"
                          : "this is not a program",
             other.name);
    end = line ? line : end;
    if (other.name)
        diag_note(f->diags, NONE, 0, "%s", next < f->end ? "`jaxpr extract` finds programs in it" : other.advice);
    else if (!brace)
        diag_note(f->diags, NONE, 0, "a program begins with `{ lambda` or `let NAME = { lambda`%s",
                  misspelled ? "; is `lambda` misspelled?" : hint_for_stray(f, p, end, next < f->end));
    size_t at, length = find_hidden((struct slice){p, (size_t)(end - p)}, &at, &code);
    if (length > 1)
        diag_note(f->diags, offset_of(f, p + at), (u32)length, "U+%04X is not whitespace here; use a space", code);
    if ((misspelled || (*p == '{' && *word == ';')) && (close = closing_end(f, p)) != NULL)
        next = close > next ? close : next;
    return next;
}

/* records comments and skips whitespace before the next program */
static const char *
skip_between(struct token_source *f, const char *p)
{
    for (p = skip_blanks(p); *p == '#' && p < f->end; p = skip_blanks(p))
        p = record_comment(f, p);
    return p;
}

/* closes an unterminated program, so that the part that was read remains usable */
static void
finish_broken(struct token_source *f)
{
    if (f->build.open.n == 0 && f->build.programs.n == 0)
        return;
    jaxpr_t main = f->build.open.n ? f->build.open.at[0] : NONE;
    if (main != NONE && f->m->jaxprs.at[main].end == f->m->jaxprs.at[main].offset)
        f->m->jaxprs.at[main].end = f->token.at;
    f->build.open.n = 0;
    f->build.programs.n = 1;
    build_program(f, main);
    f->m->programs.at[f->build.program].broken = true;
}

/* prepares to read the program at p */
static inline void
begin_program(struct token_source *f, const char *p)
{
    f->frames.n = f->build.open.n = f->queue.n = f->build.programs.n = f->build.let_stack.n = f->build.shared.n = 0;
    f->recovery.wanted = f->starting = f->excerpt = f->bound_inf = f->bound_nan = f->once.truncated =
        f->once.unbalanced = false;
    f->errors = 0;
    f->first_var = f->m->vars.n;
    f->first_eqn = f->m->eqns.n;
    f->pending = -1;
    f->resume = NULL;
    f->build.result = NONE;
    f->build.program = NONE;
    push_frame(f, STATE_TOP);
    *vec_push(f->m->mem, &f->build.programs) = (struct open_program){0, 0, offset_of(f, p)};
    scan_seek(&f->scan, p);
    f->scan.line = p - column_at(f, p);
    f->scan.first = true;
}

/* reads the program for which begin_program was called; returns where to continue */
static inline const char *
finish_program(struct token_source *f, const char *p)
{
#if GRAMMAR_DEBUG
    grammar_debug = 1; /* bison prints tokens and reductions */
#endif
    int failed = grammar_parse(f);
    scan_release(&f->scan);
    build_edge_words(f);
    build_check_keys(f);
    if (!failed && f->build.open.n == 0 && f->build.program != NONE) {
        struct program *program = &f->m->programs.at[f->build.program];
        program->broken = f->errors > 0;
        program->offset = offset_of(f, p);
        return f->begin + program->end;
    }
    finish_broken(f);
    const char *reached = f->begin + f->token.at;
    return reached > p ? reached : p + 1;
}

/* reads the program at p; returns where to continue */
static const char *
read_program(struct token_source *f, const char *p)
{
    begin_program(f, p);
    return finish_program(f, p);
}

void
read_part(struct token_source *f, struct cut_part *part)
{
    const char *p = f->begin;
    f->part = part;
    if (part->begins != CUT_BETWEEN) {
        begin_program(f, p);
        part_begins(f);
        p = finish_program(f, p);
        part_continued(f);
        f->diags->program++;
    }
    read_programs(f, p);
}

void
read_programs(struct token_source *f, const char *p)
{
    for (p = skip_between(f, p); p < f->end;) {
        const char *start = find_program(f, p);
        if (start > p) {
            p = skip_between(f, report_stray(f, p, start));
            continue;
        }
        p = skip_between(f, read_program(f, start));
        if (f->m->programs.at[f->build.program].broken)
            p = find_program(f, p); /* the rest of it was reported */
        f->diags->program++;
    }
}

/* reports all repairs in one finding, at the first, with notes at the first of each other kind */
static void
report_repairs(struct module *m, struct diags *ds)
{
    const u32 *at = m->text.repaired_at;
    struct sink words;
    u32 kinds[REPAIR_KINDS], n = repairs_in_order(&m->text, kinds);
    sink_init_memory(&words, m->mem);
    for (u32 i = 0; i < n; i++) {
        sink_write(&words, "; ", i ? 2 : 0);
        put_repair(&words, &m->text, kinds[i]);
    }
    sink_char(&words, 0);
    diag_add(ds, DIAG_S021, at[kinds[0]], 0, "repaired: %s", words.at);
    if (comments_hide(m))
        diag_relevel(ds, LEVEL_WARNING);
    for (u32 i = 1; i < n; i++) {
        words.n = 0;
        put_repair(&words, &m->text, kinds[i]);
        sink_char(&words, 0);
        diag_note(ds, at[kinds[i]], 0, "from here on, %s", words.at);
    }
    mem_free(m->mem, words.at);
}

/* the first character of each program that is not seen, or that makes text look different from what it is */
static void
report_hidden(struct module *m, struct diags *ds)
{
    u32 number = 0, code;
    for (u32 i = 0; i < m->programs.n; i++) {
        const struct program *program = &m->programs.at[i];
        if (program->pasted)
            continue;
        ds->program = number++;
        u32 from = program->offset, end = program->end;
        size_t at, n = find_hidden((struct slice){m->text.at + from, end > from ? end - from : 0}, &at, &code);
        if (n == 0)
            continue;
        diag_add(ds, DIAG_S025, from + (u32)at, (u32)n, "the character U+%04X %s", code, hidden_kind(code));
        diag_note(ds, NONE, 0, "remove it, unless a name or a string of your own code contains it");
    }
    ds->program = NONE;
}

void
token_source_open(struct token_source *f, struct module *m, struct diags *ds, bool hashes, u64 lookahead)
{
    *f = (struct token_source){
        .m = m, .diags = ds, .build = {.split = NONE, .program = NONE}, .comments.any = hashes, .lookahead = lookahead};
    f->begin = m->text.at;
    f->end = m->text.at + m->text.n;
    f->lines_seen = f->untyped.split_to = f->untyped.binders_to = f->no_let = f->once.opaque = f->recovery.failed =
        f->recovery.continued = f->begin;
    scan_start(&f->scan, m->mem, m->text.at, m->text.n);
}

void
token_source_close(struct token_source *f)
{
    struct mem *mem = f->m->mem;
    scan_end(&f->scan);
    vec_free(mem, &f->frames);
    vec_free(mem, &f->build.open);
    while (f->untyped.scopes.n)
        memo_free(mem, &f->untyped.scopes.at[--f->untyped.scopes.n].names);
    mem_free_all(mem, f->untyped.scopes.at, f->build.programs.at, f->build.let_stack.at, f->build.shared.at,
                 f->checks.brackets.at, f->checks.structural.slots, f->edge.at, f->operands.at);
    param_lists_free(f);
}

void
parse_module(struct module *m, struct mem *mem, struct text text, const struct parse_how *how, struct diags *ds)
{
    module_init(m, mem, text);
    m->no_fast_path = how->no_fast_path;
    u32 look = look_at_characters(mem, &m->text, how->executor);
    bool whole = clean_characters(mem, &m->text, look);
    unwrap_lines(mem, &m->text);
    if (!whole)
        check_bytes(&m->text, ds);
    bool hashes = restore_comment_ends(mem, &m->text, look);
    u64 lookahead = (u64)m->text.n * 4 + 65536;
    bool splits = executor_is_parallel(how->executor) && whole && m->text.repairs == 0;
    const char *rest = splits ? read_parts(m, how->executor, hashes, &lookahead) : m->text.at;
    struct token_source f;
    token_source_open(&f, m, ds, hashes, lookahead);
    ds->program = module_count_programs(m);
    read_programs(&f, rest);
    ds->program = NONE;
    if (m->programs.n == 0 && ds->errors == 0)
        diag_add(ds, DIAG_S006, 0, 0,
                 skip_blanks(f.begin) < f.end ? "the input contains no program" : "the input is empty");
    if (m->programs.n == 0 && ds->list.n && ds->list.at[ds->list.n - 1].code == DIAG_S006)
        diag_note(ds, NONE, 0, "a program begins with `{ lambda` or `let NAME = { lambda`");
    if (unlikely(m->text.may_hide))
        report_hidden(m, ds);
    report_comments(m, ds);
    if (m->text.repairs)
        report_repairs(m, ds);
    token_source_close(&f);
}
