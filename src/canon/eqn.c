/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical bytes of equations: primitive, parameters, types of results, operands as numbers. Equations with a form
 * of their own say the words their text has besides names. Linear in the equation. */
#include "canon/canon.h"

#include "base/chars.h"
#include "ir/ref_text.h"

#include <stdlib.h>

/* ---- operands --------------------------------------------------------------------------------------------------- */

static void
write_var(struct canon *c, struct sink *out, atom_t a)
{
    struct name_buffer buffer;
    if (atom_kind(a) == ATOM_VAR && c->number[atom_id(a)] != NONE) {
        sink_char(out, '#');
        sink_number(out, c->number[atom_id(a)]);
    } else {
        sink_char(out, '?');
        sink_slice(out, module_name(c->m, atom_name(c->m, a), &buffer));
    }
}

bool
canon_is_whole(struct slice index)
{
    for (size_t i = 0; i < index.n; i++)
        if (index.at[i] != '[' && index.at[i] != ']' && index.at[i] != '.' && index.at[i] != ':' &&
            index.at[i] != ',' && index.at[i] != ' ')
            return false;
    return true;
}

/* text between variables of an index: Literal(3) is 3, and a colon has no blanks beside it; in a plain index, without
 * brackets inside, neither `[` nor a comma has one after it */
static void
write_between(struct sink *out, const char *p, const char *end, bool plain)
{
    const struct slice literal = SLICE("Literal(");
    const char *begin = p;
    while (p < end) {
        struct slice rest = {p, (size_t)(end - p)};
        const char *close = slice_starts(rest, literal) ? memchr(p, ')', rest.n) : NULL;
        if (close) {
            sink_write(out, p + literal.n, (size_t)(close - p) - literal.n);
            p = close + 1;
        } else {
            bool colon = (p > begin && p[-1] == ':') || (p + 1 < end && p[1] == ':');
            bool after = plain && p > begin && (p[-1] == '[' || p[-1] == ',');
            if (*p != ' ' || !(colon || after))
                sink_char(out, *p);
            p++;
        }
    }
}

/* an index with numbers for the variables it mentions, in their order */
static void
write_index(struct canon *c, struct sink *out, const struct refexpr *ref)
{
    struct slice s = module_bytes(c->m, ref->index), word;
    struct index_words w = index_words(s.at, s.at + s.n);
    const char *from = s.at;
    bool plain = !memchr(s.at, '(', s.n) && !memchr(s.at, '{', s.n);
    if (canon_is_whole(s))
        return;
    for (u32 i = 0; i < ref->n_uses && index_next(&w, &word); i++) {
        write_between(out, from, word.at, plain);
        write_var(c, out, c->m->uses.at[ref->uses + i]);
        from = word.at + word.n;
    }
    write_between(out, from, s.at + s.n, plain);
}

void
canon_atom(struct canon *c, struct sink *out, atom_t a, eqn_t e, u32 i)
{
    bool decided;
    if (atom_kind(a) == ATOM_LIT) {
        canon_literal(c, out, atom_id(a), canon_expected(c, e, i, &c->m->literals.at[atom_id(a)], &decided));
    } else if (atom_kind(a) == ATOM_REF) {
        write_var(c, out, c->m->refs.at[atom_id(a)].ref);
        write_index(c, out, &c->m->refs.at[atom_id(a)]);
    } else {
        write_var(c, out, a);
    }
}

/* ---- equations -------------------------------------------------------------------------------------------------- */

/* what the text of an equation with its own form contains besides names: `mask=`, `(p0)`, `->` */
static void
write_skeleton(struct canon *c, struct sink *out, const struct eqn *e)
{
    struct slice s = module_bytes(c->m, c->m->params.at[e->params].span);
    bool raw = e->form == EQN_RAW, operands = false; /* variables are named after the primitive's own brackets */
    u32 depth = 0, words = 0;
    for (size_t i = 0; i < s.n;) {
        operands |= depth == 0 && s.at[i] == ' ' && words > 0;
        depth += s.at[i] == '[' || s.at[i] == '(' || s.at[i] == '{';
        depth -= depth > 0 && (s.at[i] == ']' || s.at[i] == ')' || s.at[i] == '}');
        if (!is_word_char(s.at[i])) {
            if (raw && (s.at[i] == '>' || s.at[i] == '@' || (depth && s.at[i] == '=')))
                sink_char(out, s.at[i]);
            i++;
            continue;
        }
        size_t word = i;
        while (i < s.n && is_word_char(s.at[i]))
            i++;
        bool keyword = i < s.n && s.at[i] == '=', opening = i < s.n && s.at[i] == '(';
        words++;
        if (keyword || (raw && (opening || (depth && !operands))))
            sink_printf(out, " %.*s", (int)(i - word), s.at + word);
    }
}

static bool
is_swap(const struct eqn *e)
{
    return e->form == EQN_STORE || e->form == EQN_SWAP;
}

void
canon_operation(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn e = c->m->eqns.at[id];
    struct name_buffer buffer;
    sink_slice(out, canon_prim(c, e.prim, &buffer));
    if (e.form > EQN_CALL_BARE && e.params != NONE)
        write_skeleton(c, out, &e);
    else
        canon_params(c, out, id);
    for (u32 i = 0; i < e.n_vars; i++) {
        if (is_swap(&e) && swap_has_type(c->m, &e, c->m->vars.at[e.vars + i].type))
            continue;
        sink_char(out, ' ');
        canon_type(c, out, c->m->vars.at[e.vars + i].type);
    }
    u32 seen = (u32)memo_get(&c->seen, id);
    if (seen > 0)
        sink_printf(out, " after %u", seen);
}

bool
canon_commutes(struct canon *c, eqn_t e)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    const struct prim *row =
        c->aside & CANON_COMMUTE && eqn->n_atoms == 2 ? prims_find(&c->prims, c->m, eqn->prim) : NULL;
    return row && row->is.commutes;
}

void
canon_eqn(struct canon *c, struct sink *out, eqn_t id)
{
    const struct eqn e = c->m->eqns.at[id];
    mem_poll(c->m->mem);
    canon_operation(c, out, id);
    if (canon_commutes(c, id)) {
        struct slice texts[2];
        for (u32 i = 0; i < 2; i++) {
            c->key.n = 0;
            canon_atom(c, &c->key, c->m->atoms.at[e.atoms + i], id, i);
            texts[i] = arena_copy(c->m->mem, (struct slice){c->key.at, c->key.n});
        }
        qsort(texts, 2, sizeof *texts, slice_order);
        sink_printf(out, " %.*s %.*s", (int)texts[0].n, texts[0].at, (int)texts[1].n, texts[1].at);
        return;
    }
    for (u32 i = 0; i < e.n_atoms; i++) {
        sink_char(out, ' ');
        canon_atom(c, out, c->m->atoms.at[e.atoms + i], id, i);
    }
}
