/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside a body. An equation ends where the next one begins: at a `;`, at a line that starts in the column of the
 * body's equations, or at any typed binder. Linear: lookahead stays within one line. */
#include "parse/token_source.h"

#include "grammar.tab.h"
#include "parse/build.h"

bool
in_begins_results(const char *p)
{
    const char *q = skip_blanks(p + 2);
    if (*q != '(')
        return false;
    for (q++; *q == '-' || *q == '+' || *q == '.' || is_word_char(*q); q++)
        if (*q == 'j' && q[1] == ')')
            return q[2] != ':' && q[2] != ';' && !is_blank(q[2]);
    return true;
}

/* whether the `in` at p ends a body: results follow, which have no parentheses in 0.1.60 and square brackets up to
 * 0.1.58 */
static bool
in_ends_body(const struct token_source *f, const char *p)
{
    const char *q = skip_blanks(p + 2);
    if (*q == '(')
        return in_begins_results(p);
    if (!f->scan.first && !f->starting)
        return false;
    if (*q == '[')
        return p[2] != '[';
    if (!is_word_start(*q) && *q != '-' && !is_digit(*q))
        return false;
    while (is_word_char(*q) || *q == '.' || *q == '-' || *q == '*')
        q++;
    return *skip_blanks(q) == '}';
}

static int
open_outs(struct token_source *f, const char *p)
{
    struct frame *frame = top_frame(f);
    const char *q = skip_blanks(p + 2);
    frame->state = STATE_OUTS;
    frame->old_outs = *q != '(';
    scan_seek(&f->scan, *q == '(' || *q == '[' ? q + 1 : q);
    f->starting = false;
    return TOK_IN;
}

/* how far to search for the `=` of an equation, so that other text costs linear time */
enum { LONGEST = 1024 };

/* skips brackets that belong to the primitive's name, as in `vjp_node[jit][a=1]` (0.12) */
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

/* true for `copy_smem_to_gmem[commit_group=False] a{..} -> b[..]` and `async_prefetch[user_predicate=b] a[..]`:
 * parameters without programs, then a ref, and an arrow or the end of the equation */
static bool
refs_follow_params(const struct token_source *f, const char *open)
{
    const char *p = raw_params_end(open, f->end);
    if (p == open || *p != ' ' || !is_word_start(p[1]))
        return false;
    size_t n = (size_t)(p - open);
    p = word_end(p + 1);
    if (*p != '[' && *p != '{')
        return false;
    p = type_scan(p, f->end);
    if (memcmp(p, " -> ", 4) == 0)
        return true;
    return (*p == ';' || *p == '\n' || memcmp(p, " in (", 5) == 0) && memchr(open, '{', n) == NULL;
}

int
prim_token(struct token_source *f, const char *p, const char *end, bool alone, bool bare, union token_value *value)
{
    struct frame *frame = top_frame(f);
    end = skip_name_brackets(end);
    value->id = names_intern(f->m->mem, &f->m->names, (struct slice){p, (size_t)(end - p)}) | (bare ? PRIM_BARE : 0);
    frame->state = STATE_RHS;
    f->starting = false;
    const char *open = end + (*end == ' ');
    if (*open != '[' || !(open == end || bracket_opens_params(open)))
        return alone ? TOK_PRIM1 : TOK_PRIM;
    params_open(f, open + 1, prim_is_class(p));
    return alone ? TOK_PRIM1_OPEN : TOK_PRIM_OPEN;
}

/* reads special syntax from p on: a read or write of a ref, or another one */
static int
ref_form_token(struct token_source *f, const char *p, bool has_results)
{
    const char *end = ref_form_read(f, p, has_results);
    scan_seek(&f->scan, end);
    top_frame(f)->state = STATE_BODY;
    f->starting = *end == ' '; /* in a text whose line ends became spaces */
    return has_results ? TOK_REF_FORM : TOK_REF_FORM1;
}

/* true for the `(p0, add)` of `dma_start(p0, add) a[..] -> b[..]`: a ref follows */
static bool
modifier_follows(const char *p, const char *end)
{
    p = type_scan(p, end);
    if (p[-1] != ')' || *p != ' ' || !is_word_start(p[1]))
        return false;
    p = word_end(p + 1);
    return *p == '[' || *p == '{';
}

/* the indentation of p if it begins its line; else NONE */
static u32
indent_before(const struct token_source *f, const char *p)
{
    const char *q = p;
    while (q > f->begin && q[-1] == ' ')
        q--;
    return q > f->begin && q[-1] == '\n' ? (u32)(p - q) : NONE;
}

/* true if the word from p to end, which binds nothing, is not part of a program: it precedes a typed binder on its
 * line; or is alone on its line, as JAX prints a space after a primitive without operands; or is indented less than the
 * next equation, or differently from the body */
static bool
line_is_stray(const struct token_source *f, const char *p, const char *end)
{
    struct slice word = {p, (size_t)(end - p)};
    const char *line = memchr(end, '\n', (size_t)(f->end - end));
    u32 column = f->frames.at[f->frames.n - 1].column, indent = indent_before(f, p);
    if (!is_typed(f) || names_primitive(word) || slice_eq(word, SLICE("in")))
        return false;
    const char *operand = skip_spaces(end);
    if (is_word_start(*operand) && *word_end(operand) == ':')
        return true;
    if (!line)
        return false;
    const char *next = skip_indent(line + 1);
    u32 below = (u32)(next - line - 1);
    bool equation = equation_begins(next, f->end);
    if (line == end)
        return below <= column || equation; /* otherwise operands are below it */
    return indent != NONE && (indent < column || (indent == column && equation && indent < below));
}

/* classifies an untyped word that begins an equation, by the rest of its line */
static int
start_word(struct token_source *f, const char *p, union token_value *value)
{
    const char *end = p, *q;
    while (is_word_char(*end) || *end == '*')
        end++;
    while (*end == '.' || *end == '-')
        end = word_end(end + 1);
    if (*end == '(' && modifier_follows(end, f->end))
        return ref_form_token(f, p, false);
    end = skip_name_brackets(end);
    if (*end == '[' && (!bracket_opens_params(end) || refs_follow_params(f, end)))
        return ref_form_token(f, p, false);
    if (*end == '[')
        return prim_token(f, p, end, true, false, value);
    q = binders_end(f, p, end);
    bool binds = (*q == '=' && q[1] != '=') || (*q == '<' && q[1] == '-') || (*q == ',' && q == end);
    if (binds && *end == '=' && is_typed(f) && !is_blank(end[1])) {
        diag_add(f->diags, DIAG_S001, offset_of(f, p), (u32)(end + 1 - p),
                 "unexpected parameter `%s`: no parameter list is open here",
                 diag_quote(f->diags, (struct slice){p, (size_t)(end - p)}));
        f->errors++;
    }
    if (binds && !word_is_primitive(f, (struct slice){p, (size_t)(end - p)})) {
        value->var = (struct var){intern_bound(f, (struct slice){p, (size_t)(end - p)}), NONE};
        scan_seek(&f->scan, end);
        top_frame(f)->state = STATE_LHS;
        top_frame(f)->typed = false;
        f->starting = false;
        return TOK_BINDER1;
    }
    if (q[-1] != ' ' && (*q == '{' || (*q == '[' && !bracket_opens_params(q))))
        return ref_form_token(f, p, false);
    scan_seek(&f->scan, end);
    if (line_is_stray(f, p, end) || word_is_variable(f, (struct slice){p, (size_t)(end - p)}))
        return TOK_BAD;
    return prim_token(f, p, end, true, false, value);
}

static int
binder_token(struct token_source *f, bool first, union token_value *value)
{
    struct scan *s = &f->scan;
    struct slice name = token_name(s);
    const char *end;
    scan_release(s);
    value->var = parse_binder(f, name.at, name.at + name.n, &end);
    scan_seek(s, end);
    top_frame(f)->state = STATE_LHS;
    top_frame(f)->typed = true;
    f->starting = false;
    return first ? TOK_BINDER1 : TOK_BINDER;
}

/* true for `(a[...], b[...]){select(self.idx=0)} <- c` */
static bool
refs_begin(const char *p, const char *end)
{
    const char *q = type_scan(p, end);
    q = skip_spaces(q);
    return q > p && (q[-1] == '}' || q[-1] == ']' || (*q == '<' && q[1] == '-') || (*q == '+' && q[1] == '='));
}

/* handles the scanner's token, which begins an equation */
static int
start_token(struct token_source *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    const char *p = s->at;
    struct frame *frame = top_frame(f);
    f->equation_at = offset_of(f, p);
    u32 column = token_column(f) - (kind == SCAN_EQUALS_PRIM || kind == SCAN_EQUALS);
    if (frame->column == NONE)
        frame->column = column;
    else if (s->first && column != frame->column)
        text_repaired(&f->m->text, REPAIR_LAYOUT, f->equation_at);
    s->first = false;
    switch (kind) {
    case SCAN_BINDER: {
        const char *end = scan_release(s);
        int token = fast_equation(f, p, value);
        if (token != NO_TOKEN)
            return token;
        scan_seek(s, end);
        return binder_token(f, true, value);
    }
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
            return NO_TOKEN;
        }
        if (!refs_begin(p, f->end))
            return TOK_BAD;
        return ref_form_token(f, p, false);
    case SCAN_DOT:
        scan_release(s);
        if (memcmp(p, "...", 3) != 0)
            return TOK_BAD;
        scan_seek(s, p + 3);
        frame->state = STATE_BODY;
        f->starting = false;
        f->excerpt = true;
        return TOK_ELLIPSIS;
    default:
        return TOK_BAD;
    }
}

/* a name is interned once, and then compared by its bytes */
name_t
prim_name(struct token_source *f, const char *p, u32 n)
{
    struct slice name = {p, n};
    if (n > 16)
        return names_intern(f->m->mem, &f->m->names, name);
    u64 low = load_word(p), high = load_word(p + 8); /* the text is padded */
    low &= n < 8 ? ~(~(u64)0 << 8 * n) : ~(u64)0;
    high &= n <= 8 ? 0 : ~(u64)0 >> (128 - 8 * n);
    struct known_word *known = known_word(f->words.prims, low, high);
    if (unlikely(known->low != low || known->high != high))
        *known = (struct known_word){low, high, names_intern(f->m->mem, &f->m->names, name), false};
    return known->id;
}

/* whether the binders of the current equation are in parentheses, as in the oldest texts */
static bool
in_parentheses(const struct token_source *f)
{
    const char *p = f->m->text.at + f->equation_at;
    while (is_blank(p[-1]))
        p--;
    return p[-1] == '(';
}

static int
lhs_token(struct token_source *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    const char *p = s->at;
    bool first = s->first;
    s->first = false;
    switch (kind) {
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
        if (unlikely(first) && token_column(f) != top_frame(f)->column + 2)
            take_low_binder(f, p);
        return binder_token(f, false, value);
    case SCAN_WORD:
        if (top_frame(f)->typed)
            return TOK_BAD;
        value->var = (struct var){intern_bound(f, (struct slice){p, s->n}), NONE};
        return TOK_BINDER;
    case SCAN_EQUALS_PRIM: {
        const char *name = skip_spaces(p + 1);
        if (likely(s->after != '[' && !(s->after == ' ' && s->second == '['))) {
            value->id = prim_name(f, name, (u32)(p + s->n - name));
            top_frame(f)->state = STATE_RHS;
            return TOK_PRIM;
        }
        const char *end = skip_name_brackets(scan_release(s)), *open = end + (*end == ' ');
        if (bracket_opens_params(open))
            return prim_token(f, name, end, false, false, value);
        if (open == end)
            return ref_form_token(f, p, true);
        scan_seek(s, end);
        return prim_token(f, name, end, false, false, value);
    }
    case SCAN_EQUALS:
        top_frame(f)->state = STATE_PRIM;
        return NO_TOKEN;
    case SCAN_RPAREN:
        return in_parentheses(f) ? NO_TOKEN : TOK_BAD;
    case SCAN_ARROW:
    case SCAN_COMMA: {
        scan_release(s);
        const char *next = skip_blanks(p + 1), *end = word_end(next);
        bool binder = end > next && *end == ':'; /* a swap has a ref there: `b, a[:] <- ..` */
        if (kind == SCAN_ARROW ? !(p[0] == '<' && p[1] == '-') : binder)
            return TOK_BAD;
        return ref_form_token(f, p, true);
    }
    default:
        return TOK_BAD;
    }
}

/* where the next equation begins, from the scanner's word on; see untyped_split */
static const char *
next_equation(struct token_source *f)
{
    const char *p = f->scan.at, *end = scan_release(&f->scan), *next = untyped_split(f, p);
    scan_seek(&f->scan, end);
    f->scan.at = p;
    return next;
}

/* whether `inf:f32[3]` at the beginning of a line is a binder: more follows it in the line, and the line before it was
 * not broken at a space */
static bool
names_result(struct token_source *f)
{
    struct scan *s = &f->scan;
    struct slice name = token_name(s);
    const char *after = type_scan(name.at + name.n + 1, f->end);
    bool broken = s->at == s->line && s->line - f->begin > 1 && s->line[-2] == ' ';
    return name.at[0] >= 'a' && (*after == ' ' || *after == ',') && !broken;
}

/* whether the token, found among operands, begins the next equation */
static bool
starts_equation(struct token_source *f, int kind)
{
    struct scan *s = &f->scan;
    bool literal, aligned = s->first && token_column(f) == top_frame(f)->column;
    switch (kind) {
    case SCAN_BINDER:
    case SCAN_BINDER_HEAD:
        literal = is_literal_name(token_name(s));
        if (!s->first) /* the line ends of this text became spaces */
            return !literal && equation_begins(s->at, f->end);
        return !literal || (aligned && names_result(f));
    case SCAN_EQUALS_PRIM:
    case SCAN_EQUALS:
        return s->first;
    case SCAN_DOT:
        return true;
    case SCAN_LPAREN:
        return aligned;
    case SCAN_WORD:
        return word_starts_equation(f);
    default:
        return false;
    }
}

/* a run of operands on one line is one token: the parser has no choice inside it */
static int
operand_tokens(struct token_source *f, int kind)
{
    struct scan *s = &f->scan;
    bool odd = s->first && token_column(f) <= top_frame(f)->column; /* JAX indents operands on continuation lines */
    f->operands.n = 0;
    for (;;) {
        union token_value value;
        s->first = false;
        if (atom_token(f, kind, &value) != TOK_ATOM) {
            if (f->operands.n)
                f->pending = kind;
            return f->operands.n ? TOK_OPERANDS : TOK_BAD;
        }
        if (unlikely(odd) && f->operands.n == 0 && kind != SCAN_LPAREN)
            take_low_operand(f);
        *vec_push(f->m->mem, &f->operands) = value.id;
        kind = scan_next(s);
        bool plain = kind == SCAN_LITERAL ||
                     (kind == SCAN_WORD && s->after != '[' && s->after != '(' && (s->n != 2 || s->at[0] != 'i') &&
                      (s->first || !may_split(f) || next_equation(f) != s->at));
        if (!plain || s->first || s->at[-2] == ' ') {
            f->pending = kind;
            return TOK_OPERANDS;
        }
    }
}

/* reports a `;` at p, before an equation may begin, that follows another or `let` */
static void
check_no_equation(struct token_source *f, const char *p)
{
    const char *q = p;
    while (q > f->begin && (is_blank(q[-1]) || q[-1] == '\n'))
        q--;
    if (q - f->begin < 4 || (q[-1] != ';' && !(memcmp(q - 3, "let", 3) == 0 && is_blank(q[-4]))))
        return;
    diag_add(f->diags, DIAG_S001, offset_of(f, p), 1, "an equation is missing before this `;`");
    f->errors++;
}

int
body_token(struct token_source *f, int kind, union token_value *value)
{
    struct scan *s = &f->scan;
    struct frame *frame = top_frame(f);
    if (kind == SCAN_SEMICOLON && frame->state != STATE_LHS && frame->state != STATE_PRIM) {
        if (unlikely(f->starting))
            check_no_equation(f, s->at);
        f->starting = true;
        frame->state = STATE_BODY;
        return NO_TOKEN;
    }
    if (kind == SCAN_WORD && s->n == 2 && s->at[0] == 'i' && s->at[1] == 'n') {
        const char *p = s->at, *end = scan_release(s);
        bool ends = in_ends_body(f, p);
        scan_seek(s, end);
        s->at = p;
        if (ends) {
            scan_release(s);
            int token = frame->state == STATE_RHS || frame->state == STATE_BODY ? fast_ends(f, p, value) : NO_TOKEN;
            return token != NO_TOKEN ? token : open_outs(f, p);
        }
    }
    bool starts = f->starting || (frame->state == STATE_BODY && s->first);
    if (!starts && frame->state != STATE_LHS && frame->state != STATE_PRIM) {
        const char *end = scan_release(s);
        starts = starts_equation(f, kind);
        scan_seek(s, end);
    }
    if (starts)
        return start_token(f, kind, value);
    switch (frame->state) {
    case STATE_LHS:
        return lhs_token(f, kind, value);
    case STATE_PRIM: {
        s->first = false;
        if (kind != SCAN_WORD)
            return TOK_BAD;
        const char *p = s->at, *end = scan_release(s);
        while (*end == '.' || *end == '-' || is_word_char(*end))
            end++;
        scan_seek(s, end);
        return prim_token(f, p, end, false, false, value);
    }
    case STATE_RHS:
        if (kind == SCAN_LBRACE) {
            const char *p = s->at;
            scan_release(s);
            if (!lambda_begins(f, p))
                return TOK_BAD;
            union token_value lambda;
            queue_token(f, open_lambda(f, p, &lambda), lambda);
            return TOK_TRAIL;
        }
        return operand_tokens(f, kind);
    default:
        return TOK_BAD;
    }
}

bool
lacks_result(struct token_source *f)
{
    const struct frame *frame = top_frame(f);
    return !frame->comma && !frame->old_outs && f->m->jaxprs.at[f->build.open.at[f->build.open.n - 1]].n_outs > 1;
}

/* ---- after `in (`: results, then `)` ---- */
/* reports the access `a[0]` at p among results */
static void
report_access(struct token_source *f, const char *p, const struct refexpr *access)
{
    struct slice text = {p, access->index.at + access->index.n - offset_of(f, p)};
    diag_add(f->diags, DIAG_S001, offset_of(f, p), (u32)text.n,
             "`%s` is not a result; a result is a variable or a literal", diag_quote(f->diags, text));
    f->errors++;
}

/* warns if a result seems to be lost at the comma or `)` that was read: JAX prints `(c,)`, not `(c, )` or `(c)`, and a
 * space after other commas, so that the comma of `(0,5)` may be in a number */
static void
check_list_spacing(struct token_source *f, const char *p, bool comma)
{
    const char *before = p, *what = NULL;
    while (before > f->begin && before[-1] == ' ')
        before--;
    if (unlikely(comma && is_digit(p[-1]))) {
        scan_release(&f->scan);
        if (p + 1 < f->end && is_digit(p[1]))
            what = "JAX prints a space after the comma between results; is this one number?";
    } else if (!comma && before < p && before[-1] == ',') {
        what = "JAX prints no space between `,` and `)`; is a result missing?";
    } else if (!comma && before == p && is_typed(f) &&
               f->m->jaxprs.at[f->build.open.at[f->build.open.n - 1]].n_outs == 1 && before[-1] != ',') {
        what = "JAX prints a comma after a single result, as in `(c,)`; is a result missing?";
    }
    if (likely(what == NULL))
        return;
    diag_add(f->diags, DIAG_S001, offset_of(f, before - 1), (u32)(p + 1 + (comma && what) - before + 1), "%s", what);
    diag_relevel(f->diags, LEVEL_WARNING);
}

int
outs_token(struct token_source *f, int kind, union token_value *value)
{
    struct frame *frame = top_frame(f);
    const char *start;
    switch (kind) {
    case SCAN_COMMA:
        if (!frame->comma && !frame->old_outs)
            return TOK_BAD;
        frame->comma = false;
        check_list_spacing(f, f->scan.at, true);
        return NO_TOKEN;
    case SCAN_RPAREN:
        if (frame->old_outs) {
            diag_add(f->diags, DIAG_S001, offset_of(f, f->scan.at), 1, "this `)` closes a `[`; expected `]`");
            f->errors++;
        } else if (lacks_result(f)) /* JAX writes a comma before `)` for a single result */
            return TOK_BAD;
        check_list_spacing(f, f->scan.at, false);
        frame->state = STATE_CLOSE;
        return TOK_RPAREN;
    case SCAN_OTHER: /* results in brackets (up to 0.1.58) */
        if (!frame->old_outs || *f->scan.at != ']')
            return TOK_BAD;
        frame->state = STATE_CLOSE;
        return TOK_RPAREN;
    case SCAN_RBRACE: /* results without parentheses */
        if (!frame->old_outs)
            return TOK_BAD;
        value->id = offset_of(f, f->scan.at) + 1;
        queue_token(f, TOK_CLOSE, *value);
        return TOK_RPAREN;
    default:
        if (frame->comma)
            return TOK_BAD;
        frame->comma = !frame->old_outs;
        start = f->scan.at;
        int token = atom_token(f, kind, value);
        if (token == TOK_ATOM && atom_kind(value->id) == ATOM_REF)
            report_access(f, start, &f->m->refs.at[atom_id(value->id)]);
        return token;
    }
}
