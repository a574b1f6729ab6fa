/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends modules that were read from consecutive parts of one text: the result has the arrays, ids and tables of the
 * whole text. Names and types are looked up again, once each; ids are increased by the number of earlier elements.
 * Linear in the arrays, near the speed of memcpy; the arrays of several modules may be filled at once. */
#include "ir/module_append.h"

/* the same bytes in the whole text, if they are in the text of the part; a copy of other bytes */
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

/* how many elements of `from` only complete it: the first jaxpr and let after a cut; the last program and jaxpr before
 * one */
static u32
jaxprs_before(enum cut begins)
{
    return cut_in_body(begins);
}

static u32
lets_before(enum cut begins)
{
    return begins == CUT_SHARED;
}

static u32
programs_after(enum cut ends)
{
    return ends != CUT_BETWEEN;
}

static u32
jaxprs_after(enum cut ends)
{
    return ends == CUT_TOP || ends == CUT_SHARED;
}

static jaxpr_t
cut_jaxpr(const struct module *m, enum cut ends)
{
    return ends == CUT_MAIN     ? m->programs.at[m->programs.n - 1].main
           : ends == CUT_SHARED ? m->lets.at[m->lets.n - 1].jaxpr
                                : NONE;
}

void
module_open_end(struct module *m, enum cut ends, struct module_open *open)
{
    *open = (struct module_open){.cut = ends, .jaxpr = cut_jaxpr(m, ends)};
    if (ends != CUT_BETWEEN)
        open->program = m->programs.at[m->programs.n - 1];
    m->programs.n -= programs_after(ends);
    m->jaxprs.n -= jaxprs_after(ends);
}

/* makes room for an array of `from`, except for elements that are left out at its ends, whose ids are outside the
 * room */
#define MAKE_ROOM_FOR(a, array, before, after) \
    ((a)->first.array = (a)->to->array.n - (before), \
     (void)((a)->from->array.n > (before) + (after) \
                ? vec_push_n((a)->to->mem, &(a)->to->array, (a)->from->array.n - (before) - (after)) \
                : NULL))
#define MAKE_ROOM(a, array) MAKE_ROOM_FOR(a, array, 0, 0)

static inline jaxpr_t moved_jaxpr(const struct module_append *a, jaxpr_t jaxpr);

void
module_append_begin(struct module_append *a, struct module *to, const struct module *from, u32 at, enum cut ends,
                    struct module_open *open)
{
    *a = (struct module_append){
        .to = to, .from = from, .begins = open->cut, .ends = ends, .open = open->jaxpr, .moved = at};
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
    MAKE_ROOM_FOR(a, jaxprs, jaxprs_before(a->begins), jaxprs_after(ends));
    MAKE_ROOM_FOR(a, lets, lets_before(a->begins), 0);
    MAKE_ROOM_FOR(a, programs, 0, programs_after(ends));
    MAKE_ROOM(a, comments);
    *open = (struct module_open){.cut = ends, .jaxpr = moved_jaxpr(a, cut_jaxpr(from, ends))};
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

/* the first jaxpr after a cut in a body is the one that is cut */
static inline jaxpr_t
moved_jaxpr(const struct module_append *a, jaxpr_t jaxpr)
{
    return jaxpr == 0 && cut_in_body(a->begins) ? a->open : moved_id(jaxpr, a->first.jaxprs);
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

/* references of parameters and segments are to joined texts, to shared programs, or to elements that begin at
 * `programs` */
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

static struct jaxpr
moved_body(const struct module_append *a, struct jaxpr j)
{
    j.offset += a->moved;
    j.end += a->moved;
    j.vars += a->first.vars;
    j.eqns = moved_id(j.eqns, a->first.eqns);
    j.last = moved_id(j.last, a->first.eqns);
    j.outs += a->first.atoms;
    j.parent = moved_id(j.parent, a->first.eqns);
    return j;
}

static struct program
moved_program(const struct module_append *a, struct program p)
{
    p.offset += a->moved;
    p.end += a->moved;
    p.lets += a->first.lets;
    p.main = moved_jaxpr(a, p.main);
    return p;
}

static void
fill_jaxprs(const struct module_append *a)
{
    const struct module *from = a->from;
    struct module *to = a->to;
    for (u32 i = jaxprs_before(a->begins); i + jaxprs_after(a->ends) < from->jaxprs.n; i++)
        to->jaxprs.at[a->first.jaxprs + i] = moved_body(a, from->jaxprs.at[i]);
    for (u32 i = lets_before(a->begins); i < from->lets.n; i++) {
        struct let *let = &to->lets.at[a->first.lets + i];
        *let = from->lets.at[i];
        let->name.at += a->moved;
        let->jaxpr = moved_jaxpr(a, let->jaxpr);
        let->offset += a->moved;
    }
    for (u32 i = 0; i + programs_after(a->ends) < from->programs.n; i++)
        to->programs.at[a->first.programs + i] = moved_program(a, from->programs.at[i]);
    for (u32 i = 0; i < from->comments.n; i++) {
        struct comment *comment = &to->comments.at[a->first.comments + i];
        *comment = from->comments.at[i];
        comment->offset += a->moved;
        comment->text.at += a->moved;
        comment->eqn = moved_id(comment->eqn, a->first.eqns);
    }
}

void
module_append_share(void *appended, u32 i)
{
    static void (*const fill[APPEND_SHARES])(const struct module_append *) = {fill_eqns, fill_params, fill_vars,
                                                                              fill_atoms, fill_jaxprs};
    fill[i % APPEND_SHARES]((const struct module_append *)appended + i / APPEND_SHARES);
}

/* appends what was read of the cut jaxpr to what was read before */
static void
continue_jaxpr(struct module_append *a)
{
    struct jaxpr *j = &a->to->jaxprs.at[a->open];
    const struct jaxpr rest = moved_body(a, a->from->jaxprs.at[0]);
    if (rest.eqns != NONE && j->last == NONE)
        j->eqns = rest.eqns;
    else if (rest.eqns != NONE)
        a->to->eqns.at[j->last].next = rest.eqns;
    if (rest.eqns != NONE)
        j->last = rest.last;
    j->n_eqns += rest.n_eqns;
    j->end = rest.end;
    j->outs = rest.outs;
    j->n_outs = rest.n_outs;
}

/* the same for programs; *open is the one that is cut at the beginning of the part, and becomes the one that is cut at
 * its end */
static program_t
continue_program(const struct module_append *a, struct program *open)
{
    const struct module *from = a->from;
    const u32 last = from->programs.n - 1;
    program_t p = 0;
    struct program after = {0};
    if (a->ends != CUT_BETWEEN)
        after = moved_program(a, from->programs.at[last]);
    if (a->begins == CUT_BETWEEN) {
        *open = after;
        return NONE;
    }
    while (from->programs.at[p].pasted)
        p++;
    bool ends = p < last || a->ends == CUT_BETWEEN;
    struct program *program = ends ? &a->to->programs.at[a->first.programs + p] : &after;
    program->offset = open->offset;
    program->lets = open->lets;
    program->n_lets += open->n_lets - lets_before(a->begins);
    program->excerpt |= open->excerpt;
    *open = after;
    return ends ? a->first.programs + p : NONE;
}

program_t
module_append_end(struct module_append *a, struct program *open)
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
            jaxpr_set_effects(to, moved_jaxpr(a, (jaxpr_t)s->id - 1), moved_span(a, jaxpr_effects(from, s->id - 1)));
    }
    to->stray_texts |= from->stray_texts;
    for (u32 i = 0; i < REPAIR_KINDS; i++)
        if (from->text.repairs & 1u << i)
            text_repaired(&to->text, (enum repair)(1u << i), from->text.repaired_at[i] + a->moved);
    if (cut_in_body(a->begins))
        continue_jaxpr(a);
    mem_free(to->mem, a->names);
    mem_free(to->mem, a->types);
    return continue_program(a, open);
}
