/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of refs, made from operands. The variables in an index are its uses, in order; the text of a statement is
 * kept in pieces, each with the operand that follows it. */
#include "ir/ref_text.h"

#include "base/chars.h"
#include "base/lexical.h"
#include "base/sink.h"

/* passes one bracket; inside a transform, `{bitcast(float32[8, 128]])}`, a `}` also closes brackets that are left open,
 * and nothing else closes the brace */
static void
pass_bracket(struct index_words *w, char bracket)
{
    if (bracket_step(bracket) > 0) {
        w->depth++;
        w->braces += bracket == '{';
        w->round += bracket == '(';
        return;
    }
    if (bracket == '}' && w->braces) {
        w->braces--;
        w->depth = 1;
        w->round = 0;
    }
    w->depth -= !w->braces || w->depth > w->braces;
    w->round -= bracket == ')' && w->round;
}

bool
index_next(struct index_words *w, struct slice *word)
{
    while (w->p < w->end) {
        char c = *w->p;
        if (w->depth == 0 && c != '[' && c != '{')
            break;
        if (is_word_char(c) && !is_digit(c)) {
            const char *from = w->p;
            while (w->p < w->end && is_word_char(*w->p))
                w->p++;
            *word = (struct slice){from, (size_t)(w->p - from)};
            bool called = w->p < w->end && (*w->p == '(' || *w->p == '=');
            if (!w->braces && !w->round && !called && !is_python_constant(*word))
                return true;
            continue;
        }
        if (is_digit(c)) {
            while (w->p < w->end && is_word_char(*w->p))
                w->p++;
            continue;
        }
        if (bracket_step(c))
            pass_bracket(w, c);
        w->p++;
    }
    return false;
}

const char *
index_close(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && *q != ']')
        q += end - q > 5 && memcmp(q, "[...]", 5) == 0 ? 5 : 1;
    return q < end ? q : NULL;
}

/* writes an operand that is not an indexed ref */
static void
put_plain(const struct module *m, struct sink *out, atom_t a, bool typed)
{
    struct name_buffer buffer;
    if (atom_kind(a) != ATOM_LIT) {
        sink_slice(out, module_name(m, atom_name(m, a), &buffer));
        return;
    }
    const struct literal *l = &m->literals.at[atom_id(a)];
    sink_slice(out, module_bytes(m, l->value));
    if (typed && l->type != NONE) {
        sink_char(out, ':');
        sink_slice(out, type_get(&m->types, l->type)->text);
    }
}

/* updates the names of variables in the index of a ref; literals become part of the text */
static void
index_respell(struct module *m, struct refexpr *ref)
{
    struct slice old = module_bytes(m, ref->index), word;
    struct index_words w = index_words(old.at, old.at + old.n);
    const char *from = old.at;
    struct sink out;
    u32 kept = 0;
    if (ref->n_uses == 0)
        return;
    sink_init_memory(&out, m->mem);
    for (u32 i = 0; i < ref->n_uses && index_next(&w, &word); i++) {
        atom_t a = m->uses.at[ref->uses + i];
        sink_write(&out, from, (size_t)(word.at - from));
        put_plain(m, &out, a, false);
        from = word.at + word.n;
        if (atom_kind(a) != ATOM_LIT)
            m->uses.at[ref->uses + kept++] = a;
    }
    ref->n_uses = kept;
    sink_write(&out, from, (size_t)(old.at + old.n - from));
    if (!slice_eq((struct slice){out.at, out.n}, old))
        ref->index = module_add_bytes(m, (struct slice){out.at, out.n});
    mem_free(m->mem, out.at);
}

void
statement_respell(struct module *m, eqn_t e)
{
    const struct eqn *eqn = &m->eqns.at[e];
    struct sink out;
    for (u32 i = 0; i < eqn->n_atoms; i++)
        if (atom_kind(m->atoms.at[eqn->atoms + i]) == ATOM_REF)
            index_respell(m, &m->refs.at[atom_id(m->atoms.at[eqn->atoms + i])]);
    u64 first = eqn->params == NONE ? 0 : memo_get(&m->statements, eqn->params);
    if (first == 0)
        return;
    sink_init_memory(&out, m->mem);
    for (const struct piece *p = &m->pieces.at[first - 1];; p++) {
        sink_slice(&out, module_bytes(m, p->text));
        if (p->operand == NONE)
            break;
        if (p->operand >= eqn->n_atoms)
            continue;
        atom_t a = m->atoms.at[eqn->atoms + p->operand];
        put_plain(m, &out, atom_without_index(m, a), true);
        if (atom_kind(a) == ATOM_REF)
            sink_slice(&out, module_bytes(m, m->refs.at[atom_id(a)].index));
    }
    struct span *span = &m->params.at[eqn->params].span;
    if (!slice_eq((struct slice){out.at, out.n}, module_bytes(m, *span)))
        *span = module_add_bytes(m, (struct slice){out.at, out.n});
    mem_free(m->mem, out.at);
}
