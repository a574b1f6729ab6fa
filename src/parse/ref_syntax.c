/* SPDX-License-Identifier: Apache-2.0
 *
 * Equations with special syntax: reads and writes of refs, DMA, semaphores and similar (jax/_src/state/primitives.py,
 * jax/_src/pallas/, 0.3.14 to 0.12). Their text is kept; the primitive, the refs with their indexers, and the variables
 * and literals are extracted, so that scopes and types can be checked. One pass over the equation. */
#include "base/value.h"
#include "ir/ref_text.h"
#include "parse/token_source.h"

/* true if the word between p and q is the primitive, result or ref of an equation rather than an extra operand */
static bool
word_begins_equation(const char *p, const char *q, const char *end)
{
    if (!is_word_start(*p))
        return false;
    if (bracket_step(*q) > 0) {
        if (bracket_opens_params(q))
            return true;
        q = type_scan(q, end);
    }
    bool more = q[0] == ' ' && (is_word_start(q[1]) || is_digit(q[1]) || q[1] == '-') && !word_at(q + 1, SLICE("in"));
    return *q == ',' || more || memcmp(q, " <-", 3) == 0 || memcmp(q, " +=", 3) == 0 || memcmp(q, " = ", 3) == 0;
}

/* true if the space at p ends an equation whose line end became a space: indentation follows, the binders of the next
 * one, or, after a complete read or write (`assigned`), any word but `mask=` */
static bool
blank_ends_form(struct token_source *f, const char *p, char last, bool assigned)
{
    const char *end = f->end;
    if (last == 0 || last == ',' || last == '-' || last == '=' || last == '@' || last == '>')
        return false;
    if (p[1] == ' ')
        return true;
    const char *q = word_end(p + 1);
    if (assigned && word_begins_equation(p + 1, q, end))
        return true;
    if ((!is_typed(f) || q - p > LONG_NAME) && untyped_split(f, p + 1) == p + 1)
        return true;
    return *q == ':' && equation_begins(p + 1, end);
}

/* true if the line end at p ends the equation: the line was not broken by hand, and the next line is not indented
 * more */
static bool
line_ends_form(struct token_source *f, const char *p, char last)
{
    u32 column = top_frame(f)->column;
    const char *q = skip_indent(p + 1);
    bool open = last == ',' || last == '-' || last == '=' || last == '>' || memcmp(q, "<-", 2) == 0 ||
                memcmp(q, "->", 2) == 0 || memcmp(q, "+=", 2) == 0;
    u32 indent = (u32)(q - p - 1);
    if (!open && (column == NONE || indent <= column))
        return true;
    /* the next equation begins, after a `<-` with nothing after it */
    return indent == column && last != ',' && equation_begins(q, f->end);
}

/* the end of the equation that continues at p: a `;`, the results, a comment, or a line that is not indented more than
 * the equation */
static const char *
ref_form_end(struct token_source *f, const char *p)
{
    u32 round = 0, square = 0, curly = 0; /* counted separately: 0.6 prints `{bitcast(float32[8, 128]])}` */
    char last = 0;                        /* the last byte that was not a space */
    bool assigned = false;                /* after `<-` or `+=` */
    p = word_end(p);
    p = raw_params_end(p, f->end);
    for (; p < f->end; last = is_blank(*p) ? last : *p, p++) {
        switch (*p) {
        case '(':
            round++;
            break;
        case '[':
            square++;
            break;
        case '{':
            curly++;
            break;
        case ')':
            round -= round > 0;
            break;
        case ']':
            square -= square > 0;
            break;
        case '}':
            if (curly == 0)
                return p;
            curly--;
            break;
        case ';':
            if (round + square + curly == 0)
                return p;
            break;
        case '\n':
            if (line_ends_form(f, p, last))
                return p;
            break;
        case ' ':
            if (round + square + curly == 0 &&
                (p[1] == '#' || (word_at(p + 1, SLICE("in")) && *skip_blanks(p + 3) == '(') ||
                 blank_ends_form(f, p, last, assigned)))
                return p;
            break;
        case '<':
        case '+':
            assigned |= p[1] == (*p == '<' ? '-' : '=') && round + square + curly == 0;
            break;
        default:
            break;
        }
    }
    return p;
}

/* the last opening bracket in p .. end of a kind with more openings than closings, or NULL */
static const char *
unclosed_bracket(const char *p, const char *end)
{
    static const char kinds[] = "([{";
    for (const char *kind = kinds; *kind; kind++) {
        char close = *kind == '(' ? ')' : (char)(*kind + 2);
        const char *open = NULL;
        u32 depth = 0;
        for (const char *q = p; q < end; q++) {
            if (*q == *kind && depth++ == 0)
                open = q;
            depth -= *q == close && depth > 0;
        }
        if (depth > 0)
            return open;
    }
    return NULL;
}

const char *
ref_read(struct token_source *f, const char *p, atom_t *atom)
{
    const char *word = p;
    while (is_word_char(*p) || *p == '*')
        p++;
    name_t name = names_intern(f->m->mem, &f->m->names, (struct slice){word, (size_t)(p - word)});
    struct refexpr ref = {.ref = atom_make(ATOM_NAME, name)};
    p = ref_indexers(f, p, ref_form_end(f, p), &ref);
    *vec_push(f->m->mem, &f->m->refs) = ref;
    *atom = atom_make(ATOM_REF, f->m->refs.n - 1);
    return p;
}

static name_t
intern(struct token_source *f, struct slice name)
{
    return names_intern(f->m->mem, &f->m->names, name);
}

/* the first position in p .. end at which `what` occurs outside brackets, or end */
static const char *
find_outside(const char *p, const char *end, struct slice what)
{
    for (u32 depth = 0; p < end; p++) {
        if (depth == 0 && (size_t)(end - p) >= what.n && memcmp(p, what.at, what.n) == 0)
            return p;
        depth = bracket_depth(depth, *p);
    }
    return end;
}

/* whether p .. end is a modifier: `user_predicate=b`, the single word of `semaphore_wait[dec] a`, which has no results
 * and is not alone, or `...` in place of omitted parameters */
static bool
is_modifier(const char *p, const char *end, bool assigned, bool alone)
{
    struct slice text = {p, (size_t)(end - p)};
    const char *key = skip_blanks(p), *sign = word_end(key);
    if (p >= end || (sign > key && *sign == '=') || slice_eq(text, SLICE("...")))
        return true;
    while (!assigned && !alone && p < end && (is_word_char(*p) || *p == '.'))
        p++;
    return p >= end;
}

/* reports `[key = value]` at p: JAX prints no spaces there, and the text cannot be read as parameters */
static bool
report_spaced_key(struct token_source *f, const char *p)
{
    const char *word = skip_blanks(p + (*p == '[')), *end = word_end(word);
    if (*p != '[' || end == word || !is_word_start(*word) || !is_blank(*end) || *skip_blanks(end) != '=')
        return false;
    diag_add(f->diags, DIAG_S007, offset_of(f, end), (u32)(skip_blanks(end) - end),
             "unexpected space before the `=` of `%s`",
             diag_quote(f->diags, (struct slice){word, (size_t)(end - word)}));
    f->errors++;
    return true;
}

/* reports binders that begin with a type, `f32[3] b`, whose element type has n characters */
static bool
report_early_type(struct token_source *f, struct slice binders, size_t n)
{
    size_t end = bracket_end(binders, n) + 1;
    bool ref = binders.at[n] == '{'; /* `Ref{f32[3]} b` */
    if (end >= binders.n || (!ref && dtype_find((struct slice){binders.at, n}) == NONE))
        return false;
    struct slice type = {binders.at, end};
    diag_add(f->diags, DIAG_S001, offset_of(f, type.at), (u32)type.n,
             "a type must follow the name of its variable, as in `b:%s`", diag_quote(f->diags, type));
    return true;
}

/* reads `prim(p0) a[..] -> b[..]`, `prim[dec] a[..]` or `= prim[..] a`: everything except the operands is text */
static void
read_raw(struct token_source *f, const char *p, const char *end)
{
    bool assigned = false;
    for (; p < end && (*p == '=' || *p == ' '); p++)
        assigned |= *p == '=';
    const char *name = p;
    while (p < end && (is_word_char(*p) || *p == '.' || *p == '-'))
        p++;
    if (p == name && !assigned) {
        diag_add(f->diags, DIAG_S001, offset_of(f, p), 1, "`=` and a primitive are missing here");
        f->errors++;
    }
    f->ref_form.form = EQN_RAW;
    f->ref_form.prim = intern(f, (struct slice){name, (size_t)(p - name)});
    const char *sign = assigned ? end : find_outside(p, end, SLICE(" = "));
    if (sign < end && !report_early_type(f, (struct slice){name, (size_t)(sign - name)}, (size_t)(p - name))) {
        diag_add(f->diags, DIAG_S001, offset_of(f, sign + 1), 1,
                 "unexpected `=`; expected binders such as `b:f32[3]` before it");
    }
    f->errors += sign < end;
    bool spaced = report_spaced_key(f, p);
    if (*p == '(' || *p == '[') {
        const char *modifier = p;
        u32 depth = 0;
        for (; p < end; p++) {
            depth = bracket_depth(depth, *p);
            if (depth == 0)
                break;
        }
        p += p < end;
        if (!spaced && *modifier == '[' && p[-1] == ']' && !is_modifier(modifier + 1, p - 1, assigned, p >= end)) {
            const char *odd = skip_spaces(modifier + 1);
            diag_add(f->diags, DIAG_S007, offset_of(f, odd), (u32)(p - odd - 1),
                     "expected a parameter (`key=value`) or `]`");
            f->errors++;
        }
        for (const char *q = modifier + 1; *modifier == '(' && q < p - 1; q++)
            if (!is_word_char(*q) && !memchr(", -", *q, 3)) {
                diag_add(f->diags, DIAG_S007, offset_of(f, q), 1,
                         "unexpected `%s`; expected only words such as `p0` and `add` in these parentheses",
                         diag_quote(f->diags, (struct slice){q, 1}));
                f->errors++;
                break;
            }
        if (*modifier == '[' && p > modifier + 1) {
            /* `user_predicate=b` names a variable */
            const char *key = find_outside(modifier + 1, p - 1, SLICE("user_predicate=")),
                       *predicate = key + strlen("user_predicate=");
            if (key < p - 1)
                ref_operands(f, predicate, word_end(predicate));
        }
    }
    ref_operands(f, p, end);
}

/* true if a mask follows a read: then it is a load or swap of Pallas, not a get or swap of a ref */
static bool
has_mask(const char *p, const char *end)
{
    return find_outside(p, end, SLICE(" mask=")) < end;
}

/* reports a `mask=` or `other=` in p .. end that is not followed by a single variable or literal */
static void
check_named(struct token_source *f, const char *p, const char *end, struct slice key)
{
    const char *at = find_outside(p, end, key), *value = at + key.n, *q = value + (value < end && *value == '-');
    if (at >= end || !is_blank(at[-1]))
        return;
    while (q < end && (is_word_char(*q) || memchr(".+-", *q, 3)))
        q++;
    if (q < end && *q == ':')
        q = type_scan(q + 1, end);
    struct slice found = {value, (size_t)(q - value)};
    if (found.n && !slice_eq(found, SLICE("None")) && (q == end || is_blank(*q)))
        return;
    diag_add(f->diags, DIAG_S001, offset_of(f, at), (u32)key.n, "a variable or a literal must follow `%s`",
             diag_quote(f->diags, key));
    f->errors++;
}

/* checks that the ref that a swap reads is the one that it writes, printed again */
static void
read_again(struct token_source *f, const char *p, const char *end, const char *again, const char *again_end)
{
    while (end > p && is_blank(end[-1]))
        end--;
    if (again > again_end)
        again = again_end;
    if (slice_eq((struct slice){p, (size_t)(end - p)}, (struct slice){again, (size_t)(again_end - again)})) {
        ref_mention(f, again, again + (f->ref_form.pieced - p), 0); /* as much as was read of the first */
        return;
    }
    diag_add(f->diags, DIAG_S001, offset_of(f, again), (u32)(again_end - again),
             "a swap must read and write the same ref");
    f->errors++;
}

static void
read_form(struct token_source *f, const char *p, const char *end, bool has_results)
{
    const char *arrow = find_outside(p, end, SLICE("<-")), *plus = find_outside(p, end, SLICE("+=")),
               *q = skip_blanks(p);
    bool masked = has_mask(p, end);
    struct slice swap = masked ? SLICE("masked_swap") : SLICE("swap");
    const char *sign = arrow < plus ? arrow : plus;
    if (sign < end && skip_blanks(sign + 2) >= end) {
        diag_add(f->diags, DIAG_S001, offset_of(f, sign), 2, "nothing follows `%.2s`; expected %s", sign,
                 has_results && *q == '<' ? "a ref" : "a value");
        f->errors++;
    }
    check_named(f, p, end, SLICE("mask="));
    check_named(f, p, end, SLICE("other="));
    if (has_results && *q == '<') {
        f->ref_form.form = EQN_GET;
        f->ref_form.prim = intern(f, masked ? SLICE("masked_load") : SLICE("get"));
        ref_operands(f, arrow + 2, end);
    } else if (has_results && *q == ',') {
        f->ref_form.form = EQN_SWAP;
        f->ref_form.prim = intern(f, swap);
        ref_operands(f, q + 1, arrow);
        const char *comma = find_outside(arrow, end, SLICE(","));
        if (f->operands.n == 1 && arrow + 2 < comma)
            read_again(f, skip_blanks(q + 1), arrow, skip_blanks(arrow + 2), comma);
        ref_operands(f, comma < end ? comma + 1 : end, end);
    } else if (!has_results && (arrow < end || plus < end)) {
        const char *word = word_end(q);
        if (*word == ' ' && word[1] != '<' && word[1] != '+') { /* wgmma_ref a[...] <- b[...] @ c[...] */
            read_raw(f, p, end);
            return;
        }
        f->ref_form.form = arrow < plus ? EQN_STORE : EQN_ADDUPDATE;
        f->ref_form.prim = intern(f, arrow < plus ? swap : SLICE("addupdate"));
        ref_operands(f, p, sign);
        ref_operands(f, sign + 2, end);
    } else {
        read_raw(f, p, end);
    }
}

const char *
ref_form_read(struct token_source *f, const char *p, bool has_results)
{
    struct module *m = f->m;
    const char *end = ref_form_end(f, p);
    while (end > p && is_blank(end[-1]))
        end--;
    const char *open = unclosed_bracket(p, end);
    if (open) {
        diag_add(f->diags, DIAG_S002, offset_of(f, open), 1, "this bracket is never closed in its equation");
        f->errors++;
    }
    f->ref_form.errors = f->errors - (open != NULL);
    f->operands.n = 0;
    if (has_results)
        while (p > f->begin && is_blank(p[-1]))
            p--; /* the space before ` <- ` is part of the syntax */
    f->ref_form.pieced = p;
    f->ref_form.pieces = m->pieces.n;
    read_form(f, p, end, has_results);
    ref_mention(f, end, end, NONE);
    f->ref_form.atoms = m->atoms.n;
    f->ref_form.text = span_of(f, p, end);
    if (f->errors > f->ref_form.errors)
        f->ref_form.form = EQN_DAMAGED;
    vec_append(m->mem, &m->atoms, f->operands.at, f->operands.n);
    return end;
}
