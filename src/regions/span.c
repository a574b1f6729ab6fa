/* SPDX-License-Identifier: Apache-2.0
 *
 * The places of the parts of an equation. Only its offset is kept, so that a diagnostic reads the equation again:
 * binders, primitive, operands after the skipped parameters. Linear in the equation without its parameters; if parts
 * are asked for in order, each is found from the one before. */
#include "regions/span.h"

#include "base/chars.h"
#include "base/lexical.h"

static bool
is_word(char c)
{
    return is_word_char(c) || c == '*';
}

/* skips whitespace, commas and comments */
static const char *
skip(const char *p, const char *end)
{
    while (p < end) {
        if (*p == '#') {
            const char *line = memchr(p, '\n', (size_t)(end - p));
            p = line ? line : end;
        } else if (*p == ' ' || *p == '\n' || *p == '\t' || *p == ',') {
            p++;
        } else {
            break;
        }
    }
    return p;
}

/* the end of the atom or binder at p: a name, a literal or an indexed ref, including the type after its `:` */
static const char *
atom_end(const char *p, const char *end)
{
    const char *q = p;
    if (*q == '-')
        q++;
    while (q < end && (is_word(*q) || *q == '.' || ((*q == '-' || *q == '+') && q > p && q[-1] == 'e')))
        q++;
    if (q > p + 1 && q[-1] == '.' && is_word_start(*p)) /* a name before the end of a header, `a. let` */
        q--;
    if (q == p || bracket_step(*q) > 0) {
        const char *close = type_scan(q, end);
        for (const char *r = q; r < close; r++)
            if (*r == ':' && (r[-1] == ')' || r[-1] == ']')) {
                close = r;
                break;
            }
        q = close > q ? close : q;
    }
    if (q < end && *q == ':') {
        for (q++; q < end && *q == ' '; q++) /* with spaces added by hand */
            ;
        q = type_scan(q, end);
    }
    return q > p ? q : p + (p < end);
}

static struct span
make_span(const struct module *m, const char *p, const char *q)
{
    return (struct span){(u32)(p - m->text.at), (u32)(q - p)};
}

/* ---- what was found before ---- */

enum part_table { PART_RESULT, PART_PRIM, PART_OPERAND, PART_BINDER, PART_OUT };
_Static_assert(PART_OUT == PART_TABLES - 1, "room for all tables");

static struct text_part *
part_slot(const struct module *m, enum part_table table, u32 of)
{
    return &m->text.parts[table * PART_SLOTS + (of * 0x9e3779b1u >> 28)];
}

/* sets *p to the last part that was found of the owner at `of`, and *i to the number of parts from it to part *i; false
 * if none is known, or it is after part *i */
static bool
resume(const struct module *m, enum part_table table, u32 of, u32 *i, const char **p)
{
    const struct text_part *last = part_slot(m, table, of);
    if (last->of != of + 1 || last->i > *i)
        return false;
    *i -= last->i;
    *p = m->text.at + last->at;
    return true;
}

/* records that part i is at p */
static const char *
found(const struct module *m, enum part_table table, u32 of, u32 i, const char *p)
{
    *part_slot(m, table, of) = (struct text_part){of + 1, i, (u32)(p - m->text.at)};
    return p;
}

/* the n-th part after the one at p */
static const char *
skip_parts(const char *p, const char *end, u32 n)
{
    while (n-- > 0 && p < end) {
        p = skip(atom_end(p, end), end);
        while (*p == ';') /* between constvars and invars */
            p = skip(p + 1, end);
    }
    return p;
}

/* result i of the equation at `of`, or the position after its results */
static const char *
find_result(const struct module *m, enum part_table table, u32 of, u32 i)
{
    u32 n = i;
    const char *end = m->text.at + m->text.n, *p;
    if (!resume(m, table, of, &n, &p))
        p = skip(m->text.at + of, end);
    return found(m, table, of, i, skip_parts(p, end, n));
}

static bool
has_text(const struct module *m, eqn_t e)
{
    return e < m->eqns.n && m->eqns.at[e].offset < m->text.n;
}

/* whether the operands of an equation follow its primitive and its parameters; an error is often after these */
static bool
is_call(const struct module *m, const struct eqn *eqn)
{
    return eqn->form == EQN_CALL || eqn->form == EQN_CALL_BARE ||
           (eqn->form == EQN_DAMAGED && eqn->n_atoms && (eqn->params == NONE || m->params.at[eqn->params].key != NONE));
}

struct span
eqn_result_span(const struct module *m, eqn_t e, u32 i)
{
    if (!has_text(m, e))
        return (struct span){NONE, 0};
    const char *p = find_result(m, PART_RESULT, m->eqns.at[e].offset, i);
    return make_span(m, p, atom_end(p, m->text.at + m->text.n));
}

struct span
eqn_prim_span(const struct module *m, eqn_t e)
{
    if (!has_text(m, e))
        return (struct span){NONE, 0};
    const struct eqn *eqn = &m->eqns.at[e];
    const char *end = m->text.at + m->text.n, *p = find_result(m, PART_PRIM, eqn->offset, eqn->n_vars);
    if (eqn->form == EQN_ELLIPSIS)
        return make_span(m, p, p + 3 < end ? p + 3 : end);
    if (!is_call(m, eqn) && eqn->form != EQN_RAW)
        return eqn->params == NONE ? make_span(m, p, p + 1) : m->params.at[eqn->params].span;
    while (p < end && (*p == '=' || *p == ' ' || *p == '\n'))
        p++;
    const char *q = p;
    while (q < end && (is_word(*q) || *q == '.' || *q == '-'))
        q++;
    return make_span(m, p, q);
}

/* the first byte after the primitive and its parameters */
static const char *
after_params(const struct module *m, eqn_t e)
{
    struct span prim = eqn_prim_span(m, e);
    const char *end = m->text.at + m->text.n, *p = m->text.at + prim.at + prim.n;
    const struct eqn *eqn = &m->eqns.at[e];
    const char *spaced = eqn->params != NONE && m->params.at[eqn->params].span.at < m->text.n ? skip(p, end) : p;
    p = *spaced == '[' ? spaced : p; /* in old text, `reshape [ shape=2,3 ] a` */
    if (*p != '[' || !is_call(m, eqn))
        return p;
    p++;
    for (param_t i = eqn->params; i != NONE; i = m->params.at[i].next)
        if (m->params.at[i].span.at < m->text.n)
            p = m->text.at + m->params.at[i].span.at + m->params.at[i].span.n;
    p = skip(p, end);
    return p + (*p == ']');
}

/* operand i of an equation with special syntax, `b <- a[..]`, `a[..] += v`: the text between its pieces */
static struct span
ref_form_span(const struct module *m, const struct eqn *eqn, u32 i)
{
    u64 first = memo_get(&m->statements, eqn->params);
    if (first > 0)
        for (const struct piece *p = &m->pieces.at[first - 1]; p->operand != NONE; p++)
            if (p->operand == i)
                return (struct span){p->text.at + p->text.n, p[1].text.at - p->text.at - p->text.n};
    return m->params.at[eqn->params].span;
}

struct span
eqn_operand_span(const struct module *m, eqn_t e, u32 i)
{
    if (!has_text(m, e))
        return (struct span){NONE, 0};
    const struct eqn *eqn = &m->eqns.at[e];
    if (!is_call(m, eqn))
        return eqn->params == NONE ? eqn_prim_span(m, e)
               : i >= eqn->n_atoms ? m->params.at[eqn->params].span
                                   : ref_form_span(m, eqn, i);
    u32 n = i;
    const char *end = m->text.at + m->text.n, *p;
    if (!resume(m, PART_OPERAND, eqn->offset, &n, &p))
        p = skip(after_params(m, e), end);
    p = skip_parts(p, end, n);
    return make_span(m, found(m, PART_OPERAND, eqn->offset, i, p), atom_end(p, end));
}

u32
eqn_end(const struct module *m, eqn_t e)
{
    const struct eqn *eqn = &m->eqns.at[e];
    if (!has_text(m, e))
        return NONE;
    if (eqn->n_atoms == 0 && (eqn->form == EQN_CALL || eqn->form == EQN_CALL_BARE))
        return (u32)(after_params(m, e) - m->text.at);
    struct span last = eqn->n_atoms ? eqn_operand_span(m, e, eqn->n_atoms - 1) : eqn_prim_span(m, e);
    if (!is_call(m, eqn) && eqn->params != NONE)
        last = m->params.at[eqn->params].span; /* unbalanced brackets that JAX prints end an index early */
    return last.at + last.n;
}

/* the first byte after `{ lambda` */
static const char *
header_start(const struct module *m, const struct jaxpr *j)
{
    const char *end = m->text.at + m->text.n, *p = skip(m->text.at + j->offset + 1, end);
    return p + strlen("lambda");
}

struct span
jaxpr_binder_span(const struct module *m, jaxpr_t id, u32 i)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    if (j->offset >= m->text.n)
        return (struct span){NONE, 0};
    u32 n = i;
    const char *end = m->text.at + m->text.n, *p;
    if (!resume(m, PART_BINDER, j->offset, &n, &p))
        for (p = skip(header_start(m, j), end); *p == ';';)
            p = skip(p + 1, end);
    p = skip_parts(p, end, n);
    return make_span(m, found(m, PART_BINDER, j->offset, i, p), atom_end(p, end));
}

/* the first result of a jaxpr, after `in (`; *missing: there is no `in` */
static const char *
first_out(const struct module *m, jaxpr_t id, bool *missing)
{
    const struct jaxpr *j = &m->jaxprs.at[id];
    const char *end = m->text.at + m->text.n, *p;
    if (j->last != NONE && has_text(m, j->last)) {
        const struct eqn *last = &m->eqns.at[j->last];
        struct span s = last->n_atoms ? eqn_operand_span(m, j->last, last->n_atoms - 1) : eqn_prim_span(m, j->last);
        p = m->text.at + s.at + s.n;
        if (last->n_atoms == 0)
            p = after_params(m, j->last);
    } else {
        u32 n = jaxpr_binders(j);
        struct span s = n ? jaxpr_binder_span(m, id, n - 1) : (struct span){j->offset, 8};
        p = m->text.at + s.at + s.n;
        while (p < end && memcmp(p, "let", 3) != 0)
            p++;
        p += 3;
    }
    p = skip(p, end);
    *missing = memcmp(p, "in", 2) != 0;
    if (*missing)
        return p;
    p = skip(p + 2, end);
    return skip(p + (*p == '(' || *p == '['), end);
}

struct span
jaxpr_out_span(const struct module *m, jaxpr_t id, u32 i)
{
    u32 of = m->jaxprs.at[id].offset, n = i;
    bool missing = false;
    if (of >= m->text.n)
        return (struct span){NONE, 0};
    const char *end = m->text.at + m->text.n, *p;
    if (!resume(m, PART_OUT, of, &n, &p))
        p = first_out(m, id, &missing);
    if (missing)
        return make_span(m, p, p);
    if (m->jaxprs.at[id].n_outs == 0 && (*p == ')' || *p == ']')) { /* the empty list */
        const char *open = p - 1;
        while (*open == ' ' || *open == '\n')
            open--;
        return make_span(m, open, p + 1);
    }
    p = skip_parts(p, end, n);
    return make_span(m, found(m, PART_OUT, of, i, p), atom_end(p, end));
}

struct span
typed_part(const struct module *m, struct span s)
{
    struct slice text = module_bytes(m, s);
    const char *colon = text.n ? memchr(text.at, ':', text.n) : NULL;
    u32 before = colon ? (u32)(colon + 1 - text.at) : 0;
    return (struct span){s.at + before, s.n - before};
}
