/* SPDX-License-Identifier: Apache-2.0
 *
 * One walk over the module writes JSON, without indentation. Unfinished objects are on an explicit stack, so that
 * nesting needs no recursion. Places are found by a cursor that only moves forward, because the walk follows the
 * text. Linear in the module and its text. */
#include "report/json.h"

enum frame_kind { FRAME_PROGRAM, FRAME_JAXPR, FRAME_EQN, FRAME_SEGMENTS };

struct frame {
    u8 kind;    /* enum frame_kind */
    u8 phase;   /* which of its parts is being written */
    bool begun; /* the list has an element already */
    u32 id;     /* program_t, jaxpr_t, eqn_t; SEGMENTS: 1 for pieces, 0 for a tuple */
    u32 next;   /* PROGRAM: lets written; JAXPR: eqn_t; EQN: param_t; SEGMENTS: index into segments */
};

struct json {
    struct sink *out;
    struct module *m;
    VEC(struct frame) stack;
    u32 program; /* programs of the stream written so far */
};

static void
put(struct json *j, const char *literal)
{
    sink_write(j->out, literal, strlen(literal));
}

static void
write_number(struct json *j, u64 number)
{
    char digits[20];
    size_t n = 0;
    do
        digits[sizeof digits - ++n] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    sink_write(j->out, digits + sizeof digits - n, n);
}

static void
write_string(struct json *j, struct slice text)
{
    sink_json_string(j->out, text);
}

static void
write_name(struct json *j, name_t name)
{
    struct name_buffer buffer;
    write_string(j, module_name(j->m, name, &buffer));
}

/* writes `"line":3,"column":5` for an offset, nulls if it is not in the text */
static void
write_place(struct json *j, u32 offset)
{
    struct text *t = &j->m->text;
    if (offset == NONE || offset > t->n) {
        put(j, "\"line\":null,\"column\":null");
        return;
    }
    struct position at = text_position(j->m->mem, t, offset);
    put(j, "\"line\":");
    write_number(j, at.line);
    put(j, ",\"column\":");
    write_number(j, at.column);
}

static void
write_dim(struct json *j, const struct dim *d)
{
    if (d->kind == DIM_INT)
        sink_printf(j->out, "%lld", (long long)d->value);
    else
        write_string(j, d->text);
}

/* The fields of a type: its text, and for arrays and refs of them its parts. */
static void
write_type(struct json *j, type_t id)
{
    if (id == NONE) {
        put(j, "\"type\":null");
        return;
    }
    const struct types *types = &j->m->types;
    const struct type *t = type_get(types, id);
    bool spaced = false; /* a ref's own memory space takes precedence over that of its element type */
    put(j, "\"type\":");
    write_string(j, t->text);
    if (t->kind == TYPE_REF) {
        put(j, ",\"ref\":true");
        if (t->space.n > 0) {
            put(j, ",\"space\":");
            write_string(j, t->space);
        }
        spaced = t->space.n > 0;
        if (t->inner == NONE)
            return;
        t = type_get(types, t->inner);
    }
    if (t->kind != TYPE_ARRAY)
        return;
    put(j, ",\"dtype\":");
    write_string(j, dtype_long(&j->m->names, t->dtype));
    put(j, ",\"shape\":[");
    const struct dim *dims = type_dims(types, t);
    bool sharded = false;
    for (u32 i = 0; i < t->rank; i++) {
        if (i > 0)
            put(j, ",");
        write_dim(j, &dims[i]);
        sharded |= dims[i].sharding.n > 0;
    }
    put(j, "]");
    if (sharded) {
        put(j, ",\"sharding\":[");
        for (u32 i = 0; i < t->rank; i++) {
            put(j, i > 0 ? "," : "");
            if (dims[i].sharding.n > 0)
                write_string(j, dims[i].sharding);
            else
                put(j, "null");
        }
        put(j, "]");
    }
    if (t->space.n > 0 && !spaced) {
        put(j, ",\"space\":");
        write_string(j, t->space);
    }
    if (t->vary.n > 0) {
        put(j, ",\"vary\":");
        write_string(j, t->vary);
    }
}

static void
write_binders(struct json *j, const char *key, var_t first, u32 n)
{
    put(j, key);
    for (u32 i = 0; i < n; i++) {
        const struct var *v = &j->m->vars.at[first + i];
        put(j, i > 0 ? ",{\"name\":" : "{\"name\":");
        write_name(j, v->name);
        put(j, ",");
        write_type(j, v->type);
        put(j, "}");
    }
    put(j, "]");
}

static void
write_atom(struct json *j, atom_t a)
{
    const struct module *m = j->m;
    if (atom_kind(a) == ATOM_LIT) {
        const struct literal *l = &m->literals.at[atom_id(a)];
        put(j, "{\"literal\":");
        write_string(j, module_bytes(m, l->value));
        put(j, ",");
        write_type(j, l->type);
    } else if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *r = &m->refs.at[atom_id(a)];
        put(j, "{\"name\":");
        write_name(j, atom_name(m, r->ref));
        put(j, ",\"index\":");
        write_string(j, module_bytes(m, r->index));
    } else {
        put(j, "{\"name\":");
        write_name(j, atom_name(m, a));
    }
    put(j, "}");
}

static void
write_atoms(struct json *j, const char *key, u32 first, u32 n)
{
    put(j, key);
    for (u32 i = 0; i < n; i++) {
        if (i > 0)
            put(j, ",");
        write_atom(j, j->m->atoms.at[first + i]);
    }
    put(j, "]");
}

static void
push(struct json *j, enum frame_kind kind, u32 id, u32 next)
{
    *vec_push(j->m->mem, &j->stack) = (struct frame){.kind = (u8)kind, .id = id, .next = next};
}

/* Writes `{"constvars":..,"invars":..,"equations":[` and pushes the frame that writes the rest; `null` for NONE. */
static void
open_jaxpr(struct json *j, jaxpr_t id)
{
    if (id == NONE) {
        put(j, "null");
        return;
    }
    const struct jaxpr *x = &j->m->jaxprs.at[id];
    put(j, "{");
    write_place(j, x->offset);
    write_binders(j, ",\"constvars\":[", x->vars, x->n_consts);
    write_binders(j, ",\"invars\":[", x->vars + x->n_consts, x->n_ins);
    put(j, ",\"equations\":[");
    push(j, FRAME_JAXPR, id, x->eqns);
}

static void
close_jaxpr(struct json *j, jaxpr_t id)
{
    const struct jaxpr *x = &j->m->jaxprs.at[id];
    write_atoms(j, "],\"outvars\":[", x->outs, x->n_outs);
    struct span effects = jaxpr_effects(j->m, id);
    if (effects.at != NONE) {
        put(j, ",\"effects\":");
        write_string(j, module_bytes(j->m, effects));
    }
    put(j, "}");
}

static void
write_comment(struct json *j, bool *begun, u32 i)
{
    put(j, *begun ? "," : ",\"comments\":[");
    write_string(j, module_bytes(j->m, j->m->comments.at[i].text));
    *begun = true;
}

/* The comments of an equation. */
static void
write_comments(struct json *j, eqn_t e)
{
    bool begun = false;
    for (u32 i = comment_of(j->m, e); i > 0; i = j->m->comments.at[i - 1].next)
        write_comment(j, &begun, i - 1);
    put(j, begun ? "]" : "");
}

/* The comments of a program's head. */
static void
write_head_comments(struct json *j, const struct program *p)
{
    const struct module *m = j->m;
    bool begun = false;
    for (u32 i = comment_at(m, p->offset); i < m->comments.n && m->comments.at[i].offset < p->end; i++)
        if (m->comments.at[i].eqn == NONE)
            write_comment(j, &begun, i);
    put(j, begun ? "]" : "");
}

static void
open_program(struct json *j, program_t id)
{
    const struct program *p = &j->m->programs.at[id];
    put(j, "{");
    if (!p->pasted) {
        put(j, "\"file\":");
        write_string(j, j->m->text.name);
        put(j, ",\"program\":");
        write_number(j, j->program++);
        put(j, ",");
    }
    write_place(j, p->offset);
    put(j, p->broken ? ",\"broken\":true" : "");
    put(j, p->excerpt ? ",\"excerpt\":true" : "");
    if (!p->pasted)
        write_head_comments(j, p);
    put(j, ",\"shared\":[");
    push(j, FRAME_PROGRAM, id, 0);
}

/* true for `()` as the value of a parameter whose key does not hold programs: it is text, not a list of them */
static bool
is_empty_tuple(const struct module *m, const struct param *p)
{
    struct name_buffer buffer;
    return p->kind == PARAM_TUPLE && p->a == NONE &&
           !(p->key != NONE && key_holds_programs(module_name(m, p->key, &buffer)));
}

/* A parameter's value: text is a string, a program an object, a tuple of programs an array. */
static void
open_value(struct json *j, const struct param *p)
{
    switch (is_empty_tuple(j->m, p) ? PARAM_TEXT : (enum param_kind)p->kind) {
    case PARAM_TEXT:
        write_string(j, param_bytes(j->m, p));
        break;
    case PARAM_JAXPR:
        open_jaxpr(j, p->a);
        break;
    case PARAM_SHARED:
        put(j, "{\"shared\":");
        write_string(j, param_bytes(j->m, p));
        put(j, "}");
        break;
    case PARAM_TUPLE:
        put(j, "[");
        push(j, FRAME_SEGMENTS, 0, p->a);
        break;
    case PARAM_MIXED:
        put(j, "{\"pieces\":[");
        push(j, FRAME_SEGMENTS, 1, p->a);
        break;
    }
}

static void
open_equation(struct json *j, eqn_t id)
{
    static const char *const forms[] = {
        [EQN_GET] = "get", [EQN_STORE] = "store",       [EQN_SWAP] = "swap", [EQN_ADDUPDATE] = "addupdate",
        [EQN_RAW] = "raw", [EQN_ELLIPSIS] = "ellipsis",
    };
    const struct eqn *e = &j->m->eqns.at[id];
    put(j, "{\"primitive\":");
    write_name(j, e->prim);
    put(j, ",");
    write_place(j, e->offset);
    if (e->form < countof(forms) && forms[e->form] != NULL) {
        put(j, ",\"form\":");
        write_string(j, slice_of(forms[e->form]));
    }
    write_binders(j, ",\"outvars\":[", e->vars, e->n_vars);
    write_atoms(j, ",\"invars\":[", e->atoms, e->n_atoms);
    write_comments(j, id);
    put(j, ",\"params\":{");
    push(j, FRAME_EQN, id, e->params);
}

/* Each step writes the next part of the innermost open object, or closes it. */
static void
step_equation(struct json *j, struct frame *f)
{
    const struct module *m = j->m;
    param_t p = f->next;
    if (f->phase == 0 && p != NONE) {
        f->next = m->params.at[p].next;
        if (m->params.at[p].key == NONE)
            return; /* a parameter without a key is written after the others */
        put(j, f->begun ? "," : "");
        f->begun = true;
        write_name(j, m->params.at[p].key);
        put(j, ":");
        open_value(j, &m->params.at[p]);
        return;
    }
    if (f->phase == 0) {
        put(j, "}");
        f->phase = 1;
        for (p = m->eqns.at[f->id].params; p != NONE; p = m->params.at[p].next) {
            if (m->params.at[p].key == NONE) {
                put(j, ",\"text\":");
                open_value(j, &m->params.at[p]);
                return;
            }
        }
    }
    put(j, "}");
    j->stack.n--;
}

static void
step_jaxpr(struct json *j, struct frame *f)
{
    eqn_t e = f->next;
    if (e == NONE) {
        close_jaxpr(j, f->id);
        j->stack.n--;
        return;
    }
    put(j, f->begun ? "," : "");
    f->begun = true;
    f->next = j->m->eqns.at[e].next;
    open_equation(j, e);
}

static void
step_segments(struct json *j, struct frame *f)
{
    if (f->next == NONE) {
        put(j, f->id == 1 ? "]}" : "]");
        j->stack.n--;
        return;
    }
    const struct segment *s = &j->m->segments.at[f->next];
    bool pieces = f->id == 1;
    f->next = s->next;
    if (!pieces && s->kind == SEGMENT_TEXT)
        return; /* the spaces between the programs of a tuple are not written */
    put(j, f->begun ? "," : "");
    f->begun = true;
    if (s->kind == SEGMENT_JAXPR) {
        open_jaxpr(j, s->a);
    } else if (s->kind == SEGMENT_PROGRAM) {
        open_program(j, s->a);
    } else if (s->kind == SEGMENT_SHARED) {
        put(j, "{\"shared\":");
        write_string(j, module_bytes(j->m, s->span));
        put(j, "}");
    } else {
        write_string(j, segment_bytes(j->m, s));
    }
}

static void
step_program(struct json *j, struct frame *f)
{
    const struct program *p = &j->m->programs.at[f->id];
    u32 let = f->next;
    while (let < p->n_lets && j->m->lets.at[p->lets + let].jaxpr == NONE)
        let++; /* skips lets that are used, but never bound */
    if (f->phase == 0 && f->begun)
        put(j, "}"); /* of the previous let */
    if (let < p->n_lets) {
        put(j, f->begun ? ",{\"name\":" : "{\"name\":");
        write_string(j, module_bytes(j->m, j->m->lets.at[p->lets + let].name));
        put(j, ",\"jaxpr\":");
        f->begun = true;
        f->next = let + 1;
        open_jaxpr(j, j->m->lets.at[p->lets + let].jaxpr);
    } else if (f->phase == 0) {
        f->phase = 1;
        put(j, "],\"jaxpr\":");
        open_jaxpr(j, p->main);
    } else {
        put(j, "}");
        j->stack.n--;
    }
}

static void
write_program(struct json *j, program_t id)
{
    open_program(j, id);
    while (j->stack.n > 0) {
        vec_reserve(j->m->mem, &j->stack, 1); /* a step opens at most one object, and must not move its frame */
        struct frame *f = &j->stack.at[j->stack.n - 1];
        switch ((enum frame_kind)f->kind) {
        case FRAME_PROGRAM:
            step_program(j, f);
            break;
        case FRAME_JAXPR:
            step_jaxpr(j, f);
            break;
        case FRAME_EQN:
            step_equation(j, f);
            break;
        case FRAME_SEGMENTS:
            step_segments(j, f);
            break;
        }
    }
}

u32
json_module(struct sink *out, struct module *m, bool first)
{
    struct json j = {.out = out, .m = m};
    comments_anchor(m);
    for (program_t i = 0; i < m->programs.n; i++) {
        if (m->programs.at[i].pasted)
            continue;
        if (j.program > 0 || !first)
            put(&j, ",\n");
        write_program(&j, i);
    }
    vec_free(m->mem, &j.stack);
    return j.program;
}
