/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk over the tree of programs of a module, without recursion. The programs nested in an equation are found
 * through the parent of each jaxpr, so that no parameter is read. */
#include "lsp/features.h"

#include <stdlib.h>
#include <string.h>

struct outline_frame {
    struct visit visit;
    uint32_t equation, child; /* the next ones to visit; child is nested in equation, or JX_NONE */
};

static uint32_t *
grow(uint32_t *list, uint32_t *n, uint32_t room)
{
    list = must_resize(list, room * sizeof *list);
    for (uint32_t i = *n; i < room; i++)
        list[i] = JX_NONE;
    return list;
}

void
outline_begin(struct outline *o, jx_module *module)
{
    struct jx_jaxpr j;
    *o = (struct outline){.module = module};
    while (jx_jaxpr_at(module, o->n_jaxprs, &j))
        o->n_jaxprs++;
    uint32_t none = 0;
    o->next = grow(NULL, &none, o->n_jaxprs + 1);
    for (uint32_t id = 0; id < o->n_jaxprs; id++) {
        if (!jx_jaxpr_at(module, id, &j) || j.parent == JX_NONE)
            continue;
        if (j.parent >= o->n_equations) {
            uint32_t room = j.parent * 2 + 64, before = o->n_equations;
            o->first = grow(o->first, &before, room);
            o->last = grow(o->last, &before, room);
            o->n_equations = room;
        }
        if (o->first[j.parent] == JX_NONE)
            o->first[j.parent] = id;
        else
            o->next[o->last[j.parent]] = id;
        o->last[j.parent] = id;
    }
}

static void
push(struct outline *o, struct visit v)
{
    struct jx_jaxpr j;
    if (o->depth == o->cap) {
        o->cap = o->cap > 0 ? o->cap * 2 : 16;
        o->stack = must_resize(o->stack, o->cap * sizeof *o->stack);
    }
    bool known = jx_jaxpr_at(o->module, v.jaxpr, &j);
    o->stack[o->depth++] = (struct outline_frame){v, known ? j.first_equation : JX_NONE, JX_NONE};
}

/* enters the next whole or shared program; false if there is none */
static bool
enter_root(struct outline *o, struct visit *v)
{
    struct jx_program p;
    for (; jx_program_at(o->module, o->program, &p); o->program++, o->root = 0) {
        while (o->root <= p.shared) {
            uint32_t i = o->root++;
            *v = (struct visit){.jaxpr = p.jaxpr, .program = o->program, .equation = JX_NONE, .let = {"", 0}};
            if (i < p.shared && !jx_shared_at(o->module, p.first_shared + i, &v->let, &v->jaxpr))
                continue;
            if (v->jaxpr == JX_NONE)
                continue;
            push(o, *v);
            return true;
        }
    }
    return false;
}

bool
outline_next(struct outline *o, struct visit *v)
{
    struct jx_equation e;
    if (o->depth == 0)
        return enter_root(o, v);
    struct outline_frame *f = &o->stack[o->depth - 1];
    while (f->child == JX_NONE && jx_equation_at(o->module, f->equation, &e)) {
        f->child = f->equation < o->n_equations ? o->first[f->equation] : JX_NONE;
        if (f->child == JX_NONE)
            f->equation = e.next;
    }
    if (f->child == JX_NONE) {
        *v = f->visit;
        v->leave = true;
        o->depth--;
        return true;
    }
    *v = (struct visit){f->child, f->visit.program, f->equation, {"", 0}, f->visit.depth + 1, false};
    f->child = o->next[f->child];
    if (f->child == JX_NONE && jx_equation_at(o->module, f->equation, &e))
        f->equation = e.next;
    push(o, *v);
    return true;
}

void
outline_end(struct outline *o)
{
    free(o->first);
    free(o->last);
    free(o->next);
    free(o->stack);
}

/* the key of the parameter that contains a program, or empty; only the first 64 parameters and 16 programs of
 * each are searched */
static struct jx_string
holding_key(jx_module *module, uint32_t first, uint32_t jaxpr)
{
    struct jx_parameter p;
    for (uint32_t id = first, left = 64; left > 0 && jx_parameter_at(module, id, &p); id = p.next, left--)
        for (uint32_t k = 0; k < p.jaxprs && k < 16; k++)
            if (jx_parameter_jaxpr(module, id, k) == jaxpr)
                return p.key;
    return (struct jx_string){"", 0};
}

/* the value of the parameter `name`, or empty */
static struct jx_string
named(jx_module *module, uint32_t first)
{
    struct jx_parameter p;
    for (uint32_t id = first, left = 64; left > 0 && jx_parameter_at(module, id, &p); id = p.next, left--)
        if (p.key.n == 4 && memcmp(p.key.at, "name", 4) == 0)
            return p.value;
    return (struct jx_string){"", 0};
}

char *
visit_name(jx_module *module, const struct visit *v)
{
    struct jx_equation e;
    struct output name = {.fd = -1};
    if (v->let.n > 0) {
        output_write(&name, v->let.at, v->let.n);
    } else if (!jx_equation_at(module, v->equation, &e)) {
        output_printf(&name, "program %u", v->program + 1);
    } else {
        struct jx_string called = named(module, e.first_parameter),
                         key = holding_key(module, e.first_parameter, v->jaxpr);
        output_write(&name, e.primitive.at, e.primitive.n);
        bool plain = key.n == 0 || (key.n == 5 && memcmp(key.at, "jaxpr", 5) == 0);
        output_puts(&name, called.n > 0 || !plain ? " " : "");
        if (called.n > 0)
            output_write(&name, called.at, called.n);
        else if (!plain)
            output_write(&name, key.at, key.n);
    }
    output_write(&name, "", 1);
    return name.at;
}
