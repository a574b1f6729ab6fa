/* SPDX-License-Identifier: Apache-2.0
 *
 * Flat lengths: how many columns a group takes on one line. A jaxpr is measured at its first use, at most to the
 * widest line, and the result is stored; a group that is too long makes every group around it too long. So each
 * equation is measured at most once, at any depth. */
#include "print/printer.h"

#include "base/utf8.h"
#include "base/value.h"

size_t
text_width(const struct printer *p, struct slice s)
{
    if (!p->codepoints)
        return s.n;
    size_t width = 0;
    for (size_t i = 0; i < s.n; i++)
        width += begins_point(s.at[i]);
    return width;
}

/* the end of the run of whitespace at i; *line becomes whether it contains a line end */
static size_t
blank_run(struct slice s, size_t i, bool *line)
{
    *line = false;
    for (; i < s.n && (s.at[i] == ' ' || s.at[i] == '\t' || s.at[i] == '\n' || s.at[i] == '\r'); i++)
        *line |= s.at[i] == '\n';
    return i;
}

struct slice
text_joined(const struct printer *p, struct slice s)
{
    if (s.n == 0 || !memchr(s.at, '\n', s.n))
        return s;
    char *to = arena_alloc(p->m->mem, s.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n;) {
        bool line;
        size_t end = blank_run(s, i, &line);
        if (end == i) {
            to[n++] = s.at[i++];
        } else if (line) { /* the width before the line was wrapped by hand: there were no spaces inside brackets */
            if (!(n > 0 && strchr("[({", to[n - 1])) && !(end < s.n && strchr("])}", s.at[end])))
                to[n++] = ' ';
        } else {
            memcpy(to + n, s.at + i, end - i);
            n += end - i;
        }
        i = end > i ? end : i;
    }
    return (struct slice){to, n};
}

static void
add(struct printer *p, u32 *flat, size_t n)
{
    if (n > p->widest || (*flat & (FLAT_NOTE - 1)) + n > p->widest)
        *flat = FLAT_BROKEN;
    else
        *flat += (u32)n;
}

/* adds the flat length of a nested group, including its comments */
static void
add_flat(struct printer *p, u32 *flat, u32 inner)
{
    if (inner >= 2u * FLAT_NOTE || (*flat >= FLAT_NOTE && inner >= FLAT_NOTE)) {
        *flat = FLAT_BROKEN;
        return;
    }
    add(p, flat, inner & (FLAT_NOTE - 1));
    if (inner >= FLAT_NOTE && *flat != FLAT_BROKEN)
        *flat += FLAT_NOTE;
}

static size_t
name_width(const struct printer *p, name_t name)
{
    struct name_buffer buffer;
    return text_width(p, print_name(p, name, &buffer));
}

static size_t
type_width(const struct printer *p, type_t type)
{
    return type == NONE ? 0 : 1 + text_width(p, type_get(&p->m->types, type)->text);
}

static void
add_binders(struct printer *p, u32 *flat, u32 vars, u32 n)
{
    for (u32 i = 0; i < n && *flat < FLAT_BROKEN; i++) {
        const struct var *v = &p->m->vars.at[vars + i];
        add(p, flat, (i > 0) + name_width(p, v->name) + type_width(p, v->type));
    }
}

static size_t
atom_width(struct printer *p, atom_t a)
{
    struct module *m = p->m;
    if (atom_kind(a) == ATOM_LIT) {
        const struct literal *l = &m->literals.at[atom_id(a)];
        return text_width(p, module_bytes(m, l->value)) + type_width(p, l->type);
    }
    if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *r = &m->refs.at[atom_id(a)];
        return name_width(p, atom_name(m, r->ref)) + text_width(p, text_joined(p, module_bytes(m, r->index)));
    }
    return name_width(p, atom_name(m, a));
}

static void
add_atoms(struct printer *p, u32 *flat, u32 atoms, u32 n, size_t separator)
{
    for (u32 i = 0; i < n && *flat < FLAT_BROKEN; i++)
        add(p, flat, (i > 0 ? separator : 0) + atom_width(p, p->m->atoms.at[atoms + i]));
}

/* adds the flat length of an equation without its parameters */
static void
add_equation(struct printer *p, u32 *flat, const struct eqn *e)
{
    add_binders(p, flat, e->vars, e->n_vars);
    if (e->form == EQN_ELLIPSIS) {
        add(p, flat, 3);
    } else if (e->form > EQN_CALL_BARE) {
        add(p, flat, text_width(p, tail_text(p, e)));
    } else {
        bool equals = e->n_vars > 0 || e->form == EQN_CALL_BARE;
        add(p, flat, (equals ? 3u : 0u) + name_width(p, e->prim) + (e->params != NONE ? 2u : 0u) + 1);
        add_atoms(p, flat, e->atoms, e->n_atoms, 1);
    }
}

static u32
frame_width(struct printer *p, jaxpr_t id)
{
    const struct jaxpr *j = &p->m->jaxprs.at[id];
    u32 flat = 0;
    add(p, &flat, strlen("{ lambda ; . let  in () }"));
    add_binders(p, &flat, j->vars, j->n_consts);
    add_binders(p, &flat, j->vars + j->n_consts, j->n_ins);
    add_atoms(p, &flat, j->outs, j->n_outs, 2);
    if (j->n_outs == 1)
        add(p, &flat, 1);
    struct span effects = jaxpr_effects(p->m, id);
    if (effects.at != NONE)
        add(p, &flat, strlen(" : {  }") + text_width(p, text_joined(p, module_bytes(p->m, effects))));
    return flat;
}

static struct measuring
measuring_jaxpr(struct printer *p, jaxpr_t j)
{
    return (struct measuring){j, p->m->jaxprs.at[j].eqns, NONE, NONE, frame_width(p, j), NONE};
}

/* adds the flat length of a nested jaxpr; returns the jaxpr if it is not known yet, else NONE */
static jaxpr_t
add_inner(struct printer *p, struct measuring *g, jaxpr_t j)
{
    u32 flat = (u32)memo_get(&p->flat, j);
    if (flat == FLAT_UNKNOWN)
        return j;
    add_flat(p, &g->flat, flat);
    return NONE;
}

/* adds the next segment of a tuple or of a value with programs; returns a jaxpr that must be measured first, or NONE */
static jaxpr_t
add_segment(struct printer *p, struct measuring *g)
{
    const struct segment *s = &p->m->segments.at[g->segment];
    g->segment = s->next;
    if ((s->kind == SEGMENT_JAXPR || s->kind == SEGMENT_SHARED) && s->next != NONE)
        add(p, &g->flat, 1);
    if (s->kind == SEGMENT_PROGRAM)
        add(p, &g->flat, memo_get(&p->lengths, s->a));
    else if (s->kind != SEGMENT_JAXPR)
        add(p, &g->flat, text_width(p, segment_bytes(p->m, s)));
    else
        return add_inner(p, g, s->a);
    return NONE;
}

/* whether the parameter after v would be read as part of v in a flat list: there, keys ascend, except after a leading
 * `name` and in primitives of classes, and a value may be any text (parse/value_end.c) */
static bool
hides_next(const struct printer *p, const struct measuring *g, const struct param *v)
{
    const struct module *m = p->m;
    const struct param *next = v->next == NONE ? NULL : &m->params.at[v->next];
    if (!next || v->kind != PARAM_TEXT || next->kind == PARAM_JAXPR || v->key == NONE || next->key == NONE)
        return false;
    struct name_buffer one, other;
    struct slice key = print_name(p, v->key, &one), after = print_name(p, next->key, &other);
    if (slice_order(&key, &after) < 0)
        return false;
    struct slice value = param_bytes(m, v);
    bool leads = key_leads(key) && v == &m->params.at[m->eqns.at[g->of].params];
    return !leads && !value_is_whole(value.at, value.at + value.n) && !is_class(p, g->of);
}

/* adds the next parameter, or its beginning; returns a jaxpr that must be measured first, or NONE */
static jaxpr_t
add_param(struct printer *p, struct measuring *g)
{
    const struct param *v = &p->m->params.at[g->param];
    g->param = v->next;
    add(p, &g->flat, name_width(p, v->key) + 1 + (v->next != NONE));
    if (v->kind == PARAM_TEXT || v->kind == PARAM_SHARED) {
        if (hides_next(p, g, v))
            g->flat = FLAT_BROKEN;
        else
            add(p, &g->flat, text_width(p, param_bytes(p->m, v)));
    } else if (v->kind == PARAM_JAXPR) {
        return add_inner(p, g, v->a);
    } else {
        g->segment = v->a;
        add(p, &g->flat, v->kind == PARAM_TUPLE ? 2 : 0);
    }
    return NONE;
}

/* continues measuring; returns a jaxpr that must be measured first, or NONE at the end */
static jaxpr_t
measuring_step(struct printer *p, struct measuring *g)
{
    jaxpr_t missing = NONE;
    while (g->flat < FLAT_BROKEN && missing == NONE) {
        if (g->segment != NONE) {
            missing = add_segment(p, g);
        } else if (g->param != NONE) {
            missing = add_param(p, g);
        } else if (g->eqn != NONE) {
            const struct eqn *e = &p->m->eqns.at[g->eqn];
            add_equation(p, &g->flat, e);
            add(p, &g->flat, e->next != NONE ? 2 : 0);
            g->param = e->form <= EQN_CALL_BARE ? e->params : NONE;
            g->of = g->eqn;
            bool begins = p->m->jaxprs.at[g->jaxpr].eqns == g->eqn;
            if (p->notes && !(begins && e->next == NONE) && notes_suppress(p, g->eqn, begins))
                g->flat = FLAT_BROKEN;
            if (p->notes && p->sparse)
                for (u32 n = notes_count(p, g->eqn); n > 0; n--)
                    add_flat(p, &g->flat, FLAT_NOTE);
            g->eqn = e->next;
        } else {
            break;
        }
    }
    return missing;
}

static u32
measure(struct printer *p, struct measuring first)
{
    *vec_push(p->m->mem, &p->measuring) = first;
    for (;;) {
        struct measuring *g = &p->measuring.at[p->measuring.n - 1];
        jaxpr_t missing = measuring_step(p, g);
        if (g->flat >= FLAT_BROKEN)
            break;
        if (missing != NONE) {
            struct measuring inner = measuring_jaxpr(p, missing);
            *vec_push(p->m->mem, &p->measuring) = inner;
            continue;
        }
        u32 flat = g->flat;
        if (g->jaxpr != NONE)
            memo_set(p->m->mem, &p->flat, g->jaxpr, flat);
        if (--p->measuring.n == 0)
            return flat;
        add_flat(p, &p->measuring.at[p->measuring.n - 1].flat, flat);
    }
    for (; p->measuring.n > 0; p->measuring.n--)
        if (p->measuring.at[p->measuring.n - 1].jaxpr != NONE)
            memo_set(p->m->mem, &p->flat, p->measuring.at[p->measuring.n - 1].jaxpr, FLAT_BROKEN);
    return FLAT_BROKEN;
}

u32
measure_jaxpr(struct printer *p, jaxpr_t j)
{
    u32 flat = (u32)memo_get(&p->flat, j);
    return flat != FLAT_UNKNOWN ? flat : measure(p, measuring_jaxpr(p, j));
}

u32
measure_params(struct printer *p, eqn_t e)
{
    return measure(p, (struct measuring){NONE, NONE, p->m->eqns.at[e].params, NONE, 2, e});
}

u32
measure_tuple(struct printer *p, u32 segment)
{
    return measure(p, (struct measuring){NONE, NONE, NONE, segment, 2, NONE});
}
