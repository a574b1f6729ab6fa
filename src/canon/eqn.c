/* SPDX-License-Identifier: Apache-2.0
 *
 * The canonical bytes of equations: primitive, parameters, types of results, operands as numbers. Equations with
 * special syntax also have the words of their text, except names. Linear in the equation. */
#include "base/chars.h"
#include "canon/canon.h"

#include "ir/ref_text.h"

#include <stdlib.h>

/* ---- operands --------------------------------------------------------------------------------------------------- */

static void
write_var(struct canon *c, struct sink *out, atom_t a)
{
    struct name_buffer buffer;
    if (likely(atom_kind(a) == ATOM_VAR && c->number[atom_id(a)] != NONE)) {
        char *to = sink_reserve_small(out);
        *to = '#';
        out->n += (size_t)(number_write(to + 1, c->number[atom_id(a)]) - to);
    } else {
        sink_char(out, '?');
        sink_slice(out, module_name(c->m, atom_name(c->m, a), &buffer));
    }
}

/* true for an index, with or without its brackets, that takes a whole ref: `[]`, `[...]`, `[:,:]` */
static bool
is_whole(struct slice index)
{
    for (size_t i = 0; i < index.n; i++)
        if (index.at[i] != '[' && index.at[i] != ']' && index.at[i] != '.' && index.at[i] != ':' &&
            index.at[i] != ',' && index.at[i] != ' ')
            return false;
        else if (index.at[i] == '[' && i > 0 && index.at[i - 1] != ']')
            return false; /* an index that is a literal array, `[[...],:]` */
    return true;
}

/* true if a bracket of a text opens the index of a ref, not the shape of a literal's type */
static bool
opens_index(struct slice s, size_t at)
{
    size_t word = at;
    while (word > 0 && is_word_char(s.at[word - 1]))
        word--;
    return word < at ? word == 0 || s.at[word - 1] != ':' : at == 0 || s.at[at - 1] == '}';
}

const char *
canon_whole_close(struct slice s, size_t at)
{
    const char *close = s.at[at] == '[' ? index_close(s.at + at, s.at + s.n) : NULL;
    return close && opens_index(s, at) && is_whole((struct slice){s.at + at, (size_t)(close - s.at) - at}) ? close
                                                                                                           : NULL;
}

/* writes the text between variables of an index s in normal form: a whole index is `[...]`, Literal(3) is 3, and a
 * colon has no spaces around it; in a plain index, `[` and commas have none after them */
static void
write_between(struct sink *out, struct slice s, const char *p, const char *end, bool plain)
{
    const struct slice literal = SLICE("Literal(");
    const char *begin = p;
    while (p < end) {
        struct slice rest = {p, (size_t)(end - p)};
        const char *close = slice_starts(rest, literal) ? memchr(p, ')', rest.n) : NULL,
                   *whole = canon_whole_close(s, (size_t)(p - s.at));
        if (whole) {
            sink_write(out, "[...]", 5);
            p = whole + 1;
        } else if (close) {
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

/* writes an index with its variables replaced by numbers, in their order */
static void
write_index(struct canon *c, struct sink *out, const struct refexpr *ref)
{
    struct slice s = module_bytes(c->m, ref->index), word;
    struct index_words w = index_words(s.at, s.at + s.n);
    const char *from = s.at;
    bool plain = !memchr(s.at, '(', s.n) && !memchr(s.at, '{', s.n);
    if (is_whole(s))
        return;
    for (u32 i = 0; i < ref->n_uses && index_next(&w, &word); i++) {
        write_between(out, s, from, word.at, plain);
        write_var(c, out, c->m->uses.at[ref->uses + i]);
        from = word.at + word.n;
    }
    write_between(out, s, from, s.at + s.n, plain);
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

bool
canon_commutes(struct canon *c, eqn_t e)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    if (!(c->ignored & CANON_COMMUTE) || eqn->n_atoms != 2)
        return false;
    const struct prim *row = prims_find(&c->prims, c->m, eqn->prim);
    if (!row || !row->is.commutes)
        return false;
    const struct type *t = eqn->n_vars ? type_array(c->m, c->m->vars.at[eqn->vars].type) : NULL;
    bool complex = t && t->dtype < DT_COUNT && dtype_class(t->dtype) == CLASS_COMPLEX;
    return !(complex && row->is.linear == LINEAR_PRODUCT);
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
            size_t from = c->scratch.n;
            canon_atom(c, &c->scratch, c->m->atoms.at[e.atoms + i], id, i);
            texts[i] = arena_copy(c->m->mem, canon_cut(c, from));
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
