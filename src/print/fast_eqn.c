/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path for most equations of long programs: an equation without parameters that fits on a line of its own.
 * Its pieces are copied directly into the sink's buffer; at a piece that is not small, or that would have to go to
 * the next line, the general path (layout.c) is used instead, before anything was printed. */
#include "print/printer.h"

enum { PIECE = 64, PIECES = 24, INDENT = 64 };

/* copies n bytes, at most PIECE; returns the end of the copy. No byte after n is read or written */
static inline char *
copy_piece(char *to, const char *from, size_t n)
{
    if (n >= 16) {
        for (size_t i = 0; i + 16 <= n; i += 16)
            memcpy(to + i, from + i, 16);
        memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, from, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, from, 4);
        memcpy(to + n - 4, from + n - 4, 4);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    }
    return to + n;
}

/* writes a name; returns its end, or NULL if it is too long */
static inline char *
copy_name(const struct names *names, char *to, name_t id)
{
    if (id < NAME_OTHER)
        return numeral_write(to, id);
    struct slice s = names->others.at[id - NAME_OTHER];
    return s.n <= PIECE ? copy_piece(to, s.at, s.n) : NULL;
}

static inline char *
copy_type(const struct types *types, char *to, type_t type)
{
    if (type == NONE)
        return to;
    struct slice s = type_get(types, type)->text;
    if (s.n > PIECE)
        return NULL;
    *to++ = ':';
    return copy_piece(to, s.at, s.n);
}

static inline char *
copy_atom(const struct module *m, char *to, atom_t a)
{
    if (atom_kind(a) == ATOM_REF)
        return NULL;
    if (atom_kind(a) != ATOM_LIT)
        return copy_name(&m->names, to, atom_name(m, a));
    const struct literal *l = &m->literals.at[atom_id(a)];
    struct slice s = module_bytes(m, l->value);
    return s.n <= PIECE ? copy_type(&m->types, copy_piece(to, s.at, s.n), l->type) : NULL;
}

bool
print_fast_eqn(struct printer *p, const struct eqn *e, u32 indent)
{
    const struct module *m = p->m;
    if (e->form != EQN_CALL || e->params != NONE || e->n_vars + e->n_atoms > PIECES / 2 - 1 || e->n_vars == 0 ||
        indent > INDENT || p->codepoints)
        return false;
    char *start = sink_reserve(p->out, PIECE * PIECES + INDENT), *to = start;
    *to++ = '\n';
    memset(to, ' ', INDENT);
    const char *line = to;
    to += indent;
    for (u32 i = 0; i < e->n_vars; i++) {
        const struct var *v = &m->vars.at[e->vars + i];
        if (i > 0) {
            if ((size_t)(to - line) >= p->width)
                return false;
            *to++ = ' ';
        }
        if (!(to = copy_name(&m->names, to, v->name)) || !(to = copy_type(&m->types, to, v->type)))
            return false;
    }
    memcpy(to, " = ", 3);
    if (!(to = copy_name(&m->names, to + 3, e->prim)))
        return false;
    *to++ = ' ';
    for (u32 i = 0; i < e->n_atoms; i++) {
        if (i > 0) {
            if ((size_t)(to - line) >= p->width)
                return false;
            *to++ = ' ';
        }
        if (!(to = copy_atom(m, to, m->atoms.at[e->atoms + i])))
            return false;
    }
    p->out->n += (size_t)(to - start);
    p->k = (size_t)(to - line);
    return true;
}
