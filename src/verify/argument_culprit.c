/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds arguments that are bound as a wrong type. Only the binder determines an argument's type, so most equations that
 * read the argument have errors. These equations are checked again with similar types; a type with which all of them
 * are correct is taken as the intended one. At most MOST_PROBES equations of a module are checked for this. */
#include "verify/provenance.h"
#include "verify/checker.h"

enum {
    MOST_PROBES = 1 << 16,
    ARGUMENTS_ASKED = 4, /* arguments examined for each equation */
    READERS_ASKED = 12,
    READERS_AHEAD = 1024, /* equations searched for readers */
    LARGEST_RANK = 8,
};

/* The equations that read an argument. */
struct readers {
    struct rule *r;
    u32 operand; /* which operand of r is the argument */
    var_t v;
    u32 n, wrong;
    struct reader {
        eqn_t e;
        const struct prim *prim;
        bool wrong; /* has an error with the printed type of the argument */
    } at[READERS_ASKED];
};

static bool
is_wrong(struct readers *s, const struct reader *reader, const struct aval *assumed)
{
    struct probe p = {.result = NONE, .assumed = assumed, .assumed_of = s->v};
    probe_equation(s->r->c, reader->e, reader->prim, &p);
    s->r->c->wrong.asked++;
    return p.wrong;
}

/* finds the equations that read the argument, r->e and later ones; false unless at least two, and more than half, are
 * wrong */
static bool
find_readers(struct readers *s)
{
    const struct module *m = s->r->m;
    u32 ahead = 0;
    for (eqn_t e = s->r->e; e != NONE && s->n < READERS_ASKED && ahead < READERS_AHEAD; ahead++) {
        const struct eqn *eqn = &m->eqns.at[e];
        bool reads = false;
        for (u32 i = 0; i < eqn->n_atoms && i < LARGEST_ASKED; i++)
            reads |= m->atoms.at[eqn->atoms + i] == atom_make(ATOM_VAR, s->v);
        const struct prim *prim = reads ? prims_find(&s->r->c->prims, s->r->m, eqn->prim) : NULL;
        if (prim && !prim->is.trusted && eqn->n_atoms <= LARGEST_ASKED) {
            struct reader *reader = &s->at[s->n++];
            *reader = (struct reader){e, prim, false};
            reader->wrong = is_wrong(s, reader, NULL);
            s->wrong += reader->wrong;
        }
        e = eqn->next;
    }
    return s->wrong > 1 && s->wrong * 2 > s->n;
}

/* whether `type` differs from the printed type and all equations that read the argument accept it; then stores it in
 * *found */
static bool
fits(struct readers *s, struct aval *type, struct culprit *found)
{
    const struct aval *printed = &s->r->in[s->operand];
    type->type = NONE;
    if (avals_agree(type, printed) != NO)
        return false;
    for (u32 i = 0; i < s->n; i++)
        if (is_wrong(s, &s->at[i], type))
            return false;
    *found = (struct culprit){s->operand, s->wrong, *type, dtypes_agree(type, printed) == NO};
    return true;
}

/* tries the shape of `like`, its element type, and both */
static bool
fits_like(struct readers *s, const struct aval *like, struct culprit *found)
{
    const struct aval *printed = &s->r->in[s->operand];
    struct aval shape = *like, dtype = *printed, both = *like;
    if (like->kind != AVAL_ARRAY || like->type == NONE || !like->ranked)
        return false;
    shape.dtype = printed->dtype;
    shape.classes = printed->classes;
    dtype.dtype = like->dtype;
    dtype.classes = like->classes;
    return fits(s, &shape, found) || fits(s, &dtype, found) || fits(s, &both, found);
}

/* tries the printed type with an axis added, resized or removed; new sizes are those of the printed type and of
 * `like` */
static bool
fits_near(struct readers *s, const struct aval *like, struct culprit *found)
{
    const struct aval *a = &s->r->in[s->operand];
    struct dim *dims = rule_alloc(s->r, (LARGEST_RANK + 1) * sizeof *dims);
    struct aval other = *a;
    other.dims = dims;
    for (u32 d = 0; d <= a->rank; d++)
        for (u32 k = 0; k < a->rank + (like->ranked ? like->rank : 0); k++) {
            struct dim size = k < a->rank ? a->dims[k] : like->dims[k - a->rank];
            if (size.kind != DIM_INT && size.kind != DIM_NAME)
                continue;
            memcpy(dims, a->dims, d * sizeof *dims);
            memcpy(dims + d + 1, a->dims + d, (a->rank - d) * sizeof *dims);
            dims[d] = size;
            other.rank = a->rank + 1;
            if (fits(s, &other, found))
                return true;
            memcpy(dims, a->dims, a->rank * sizeof *dims);
            dims[d] = size;
            other.rank = a->rank;
            if (d < a->rank && fits(s, &other, found))
                return true;
        }
    for (u32 d = 0; d < a->rank; d++) {
        memcpy(dims, a->dims, d * sizeof *dims);
        memcpy(dims + d, a->dims + d + 1, (a->rank - d - 1) * sizeof *dims);
        other.rank = a->rank - 1;
        if (fits(s, &other, found))
            return true;
    }
    return false;
}

/* tries the types of the nested program's binder, of the equation's result and of its other operands, then similar
 * types */
static bool
find_meant(struct readers *s, struct culprit *found)
{
    struct rule *r = s->r;
    struct region_map *map = &r->c->map;
    var_t binder = region_map_read(r->m, r->e, map) ? region_map_binder(r->m, map, s->operand) : NONE;
    struct aval result = r->n_results ? rule_binder(r, 0) : aval_unknown();
    struct aval inner = binder == NONE ? aval_unknown() : aval_elsewhere(r, atom_make(ATOM_VAR, binder));
    if (fits_like(s, &inner, found) || fits_like(s, &result, found))
        return true;
    for (u32 k = 0; k < r->n && k < ARGUMENTS_ASKED; k++)
        if (k != s->operand && fits_like(s, &r->in[k], found))
            return true;
    const struct aval *a = &r->in[s->operand];
    return a->ranked && a->rank < LARGEST_RANK && (!result.ranked || result.rank < LARGEST_RANK) &&
           fits_near(s, &result, found);
}

bool
find_culprit_argument(struct rule *r, struct culprit *found)
{
    struct checker *c = r->c;
    for (u32 i = 0; i < r->n && i < ARGUMENTS_ASKED && c->wrong.asked < MOST_PROBES; i++) {
        atom_t a = r->m->atoms.at[r->eqn->atoms + i];
        if (atom_kind(a) != ATOM_VAR || r->in[i].kind != AVAL_ARRAY || var_reported(c, atom_id(a)))
            continue;
        struct def_site b = c->def_sites[atom_id(a)];
        bool argument = b.owner != NONE && b.owner & DEF_SITE_JAXPR;
        if (!argument || r->m->vars.at[atom_id(a)].type == NONE || memo_get(&c->wrong.asked_of, atom_id(a)))
            continue;
        memo_set(r->m->mem, &c->wrong.asked_of, atom_id(a), 1);
        struct readers s = {.r = r, .operand = i, .v = atom_id(a)};
        if (find_readers(&s) && find_meant(&s, found))
            return true;
    }
    return false;
}
