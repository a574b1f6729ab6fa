/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends modules that were read from consecutive parts of one text: the result has the arrays, ids and tables of
 * the whole text. Names and types are looked up again, once each; ids are moved by what there was before. Linear in
 * the arrays, near the speed of memcpy; the arrays of several modules may be filled at once. */
#include "ir/module_append.h"

/* the bytes of the separately read text if the whole text contains them; others are copied */
static struct slice
moved_bytes(struct module_append *a, struct slice s)
{
    const struct text *text = &a->from->text;
    if (s.at >= text->at && s.at < text->at + text->n)
        return (struct slice){a->to->text.at + a->moved + (s.at - text->at), s.n};
    return arena_copy(a->to->mem, s);
}

static void
map_names(struct module_append *a)
{
    struct module *to = a->to;
    const struct names *names = &a->from->names;
    a->names = mem_alloc(to->mem, (names->others.n + 1) * sizeof *a->names);
    for (u32 i = 0; i < names->others.n; i++) {
        name_t found = names_find(&to->names, names->others.at[i]);
        a->names[i] =
            found != NONE ? found : names_intern_other(to->mem, &to->names, moved_bytes(a, names->others.at[i]));
    }
}

static void
map_types(struct module_append *a)
{
    struct module *to = a->to;
    const struct types *types = &a->from->types;
    a->types = mem_alloc(to->mem, (types->list.n + 1) * sizeof *a->types);
    for (type_t i = 0; i < types->list.n; i++)
        a->types[i] = types_intern(&to->types, moved_bytes(a, types->list.at[i].text));
}

/* arrays that are copied unchanged */
#define MAKE_ROOM(a, array) \
    ((a)->first.array = (a)->to->array.n, \
     (void)((a)->from->array.n ? vec_push_n((a)->to->mem, &(a)->to->array, (a)->from->array.n) : NULL))

void
module_append_begin(struct module_append *a, struct module *to, const struct module *from, u32 at)
{
    *a = (struct module_append){.to = to, .from = from, .moved = at};
    map_names(a);
    map_types(a);
    MAKE_ROOM(a, vars);
    MAKE_ROOM(a, atoms);
    MAKE_ROOM(a, uses);
    MAKE_ROOM(a, pieces);
    MAKE_ROOM(a, literals);
    MAKE_ROOM(a, refs);
    MAKE_ROOM(a, eqns);
    MAKE_ROOM(a, params);
    MAKE_ROOM(a, segments);
    MAKE_ROOM(a, joined);
    MAKE_ROOM(a, jaxprs);
    MAKE_ROOM(a, lets);
    MAKE_ROOM(a, programs);
    MAKE_ROOM(a, comments);
}

/* ---- ids ---- */

static inline name_t
moved_name(const struct module_append *a, name_t name)
{
    return likely(name < NAME_OTHER) || name == NONE ? name : a->names[name - NAME_OTHER];
}

static inline type_t
moved_type(const struct module_append *a, type_t type)
{
    return type == NONE ? NONE : a->types[type];
}

static inline u32
moved_id(u32 id, u32 by)
{
    return id == NONE ? NONE : id + by;
}

static inline struct span
moved_span(const struct module_append *a, struct span s)
{
    return (struct span){s.at + a->moved, s.n};
}

static inline atom_t
moved_atom(const struct module_append *a, atom_t atom)
{
    switch (atom_kind(atom)) {
    case ATOM_NAME:
        return atom_make(ATOM_NAME, moved_name(a, atom_id(atom)));
    case ATOM_VAR:
        return atom + a->first.vars;
    case ATOM_LIT:
        return atom + a->first.literals;
    case ATOM_REF:
        return atom + a->first.refs;
    }
    return atom;
}

/* references of parameters and segments, except to shared programs and joined texts, begin at `programs` */
static inline u32
moved_reference(const struct module_append *a, u32 id, bool text, bool shared, u32 programs)
{
    return moved_id(id, text ? a->first.joined : shared ? a->first.lets : programs);
}

/* ---- arrays ---- */

static void
fill_atoms(const struct module_append *a)
{
    const struct module *from = a->from;
    atom_t *atoms = &a->to->atoms.at[a->first.atoms], *uses = &a->to->uses.at[a->first.uses];
    for (u32 i = 0; i < from->atoms.n; i++)
        atoms[i] = moved_atom(a, from->atoms.at[i]);
    for (u32 i = 0; i < from->uses.n; i++)
        uses[i] = moved_atom(a, from->uses.at[i]);
}

static void
fill_vars(const struct module_append *a)
{
    const struct module *from = a->from;
    struct var *vars = &a->to->vars.at[a->first.vars];
    struct literal *literals = &a->to->literals.at[a->first.literals];
    struct refexpr *refs = &a->to->refs.at[a->first.refs];
    struct piece *pieces = &a->to->pieces.at[a->first.pieces];
    for (u32 i = 0; i < from->vars.n; i++) {
        const struct var v = from->vars.at[i];
        vars[i] = (struct var){moved_name(a, v.name), moved_type(a, v.type)};
    }
    for (u32 i = 0; i < from->literals.n; i++) {
        literals[i] = from->literals.at[i];
        literals[i].value.at += a->moved;
        literals[i].type = moved_type(a, literals[i].type);
    }
    for (u32 i = 0; i < from->refs.n; i++) {
        refs[i] = from->refs.at[i];
        refs[i].ref = moved_atom(a, refs[i].ref);
        refs[i].index.at += a->moved;
        refs[i].uses += a->first.uses;
    }
    for (u32 i = 0; i < from->pieces.n; i++)
        pieces[i] = (struct piece){moved_span(a, from->pieces.at[i].text), from->pieces.at[i].operand};
}

static void
fill_eqns(const struct module_append *a)
{
    struct eqn *eqns = &a->to->eqns.at[a->first.eqns];
    for (u32 i = 0; i < a->from->eqns.n; i++) {
        struct eqn e = a->from->eqns.at[i];
        e.prim = moved_name(a, e.prim);
        e.offset += a->moved;
        e.next = moved_id(e.next, a->first.eqns);
        e.vars += a->first.vars;
        e.atoms += a->first.atoms;
        e.params = moved_id(e.params, a->first.params);
        eqns[i] = e;
    }
}

static void
fill_params(const struct module_append *a)
{
    const struct module *from = a->from;
    struct param *params = &a->to->params.at[a->first.params];
    struct segment *segments = &a->to->segments.at[a->first.segments];
    for (u32 i = 0; i < from->params.n; i++) {
        struct param p = from->params.at[i];
        p.key = moved_name(a, p.key);
        p.a = moved_reference(a, p.a, p.kind == PARAM_TEXT, p.kind == PARAM_SHARED,
                              p.kind == PARAM_JAXPR ? a->first.jaxprs : a->first.segments);
        p.span.at += a->moved;
        p.next = moved_id(p.next, a->first.params);
        params[i] = p;
    }
    for (u32 i = 0; i < from->segments.n; i++) {
        struct segment s = from->segments.at[i];
        s.a = moved_reference(a, s.a, s.kind == SEGMENT_TEXT, s.kind == SEGMENT_SHARED,
                              s.kind == SEGMENT_JAXPR ? a->first.jaxprs : a->first.programs);
        s.span.at += a->moved;
        s.next = moved_id(s.next, a->first.segments);
        segments[i] = s;
    }
}

static void
fill_jaxprs(const struct module_append *a)
{
    const struct module *from = a->from;
    struct jaxpr *jaxprs = &a->to->jaxprs.at[a->first.jaxprs];
    struct let *lets = &a->to->lets.at[a->first.lets];
    struct program *programs = &a->to->programs.at[a->first.programs];
    struct comment *comments = &a->to->comments.at[a->first.comments];
    for (u32 i = 0; i < from->jaxprs.n; i++) {
        struct jaxpr j = from->jaxprs.at[i];
        j.offset += a->moved;
        j.end += a->moved;
        j.vars += a->first.vars;
        j.eqns = moved_id(j.eqns, a->first.eqns);
        j.last = moved_id(j.last, a->first.eqns);
        j.outs += a->first.atoms;
        j.parent = moved_id(j.parent, a->first.eqns);
        jaxprs[i] = j;
    }
    for (u32 i = 0; i < from->lets.n; i++) {
        lets[i] = from->lets.at[i];
        lets[i].name.at += a->moved;
        lets[i].jaxpr = moved_id(lets[i].jaxpr, a->first.jaxprs);
        lets[i].offset += a->moved;
    }
    for (u32 i = 0; i < from->programs.n; i++) {
        programs[i] = from->programs.at[i];
        programs[i].offset += a->moved;
        programs[i].end += a->moved;
        programs[i].lets += a->first.lets;
        programs[i].main = moved_id(programs[i].main, a->first.jaxprs);
    }
    for (u32 i = 0; i < from->comments.n; i++) {
        comments[i] = from->comments.at[i];
        comments[i].offset += a->moved;
        comments[i].text.at += a->moved;
        comments[i].eqn = moved_id(comments[i].eqn, a->first.eqns);
    }
}

void
module_append_share(void *appended, u32 i)
{
    static void (*const fill[APPEND_SHARES])(const struct module_append *) = {fill_eqns, fill_params, fill_vars,
                                                                              fill_atoms, fill_jaxprs};
    fill[i % APPEND_SHARES]((const struct module_append *)appended + i / APPEND_SHARES);
}

void
module_append_end(struct module_append *a)
{
    struct module *to = a->to;
    const struct module *from = a->from;
    for (u32 i = 0; i < from->joined.n; i++)
        to->joined.at[a->first.joined + i] = moved_bytes(a, from->joined.at[i]);
    for (u32 i = 0; i < from->statements.room; i++) {
        const struct memo_slot *s = &from->statements.slots[i];
        if (s->id)
            memo_set(to->mem, &to->statements, s->id - 1 + a->first.params, s->value + a->first.pieces);
    }
    for (u32 i = 0; i < from->effects.room; i++) {
        const struct memo_slot *s = &from->effects.slots[i];
        if (s->id)
            jaxpr_set_effects(to, s->id - 1 + a->first.jaxprs, moved_span(a, jaxpr_effects(from, s->id - 1)));
    }
    to->stray_texts |= from->stray_texts;
    if (from->text.repairs)
        text_repaired(&to->text, (enum repair)from->text.repairs, from->text.repaired_at + a->moved);
    mem_free(to->mem, a->names);
    mem_free(to->mem, a->types);
}
