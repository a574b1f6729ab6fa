/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout: where lines break and how far they are indented. One pass over the module, with a stack of unfinished
 * constructs; the flat length of a group (measure.c) is needed when it begins. Linear; no recursion. */
#include "print/printer.h"

#include "base/value.h"

static void
put(struct printer *p, struct slice s)
{
    sink_slice(p->out, s);
    p->k += text_width(p, s);
}

#define write_literal(p, text) (sink_write((p)->out, text, sizeof(text) - 1), (void)((p)->k += sizeof(text) - 1))

/* begins a new line, indented by `indent`, up to the deepest column, plus `beyond` */
static void
write_line(struct printer *p, u32 indent, u32 beyond)
{
    if (p->notes && !p->pasted)
        notes_line(p);
    if (indent > SHALLOWEST && p->deepest == 0)
        p->deepest = deepest_column(p);
    if (indent > SHALLOWEST && indent > p->deepest)
        indent = p->deepest;
    indent += beyond;
    char *to = sink_reserve(p->out, indent + 1);
    to[0] = '\n';
    memset(to + 1, ' ', indent);
    p->out->n += indent + 1;
    p->k = indent;
}

static inline void
write_newline(struct printer *p, u32 indent)
{
    write_line(p, indent, 0);
}

/* the break of a group: `text` if the group is flat, else a line end */
static void
write_break(struct printer *p, bool flat, const char *text, u32 indent)
{
    if (flat) {
        size_t n = strlen(text);
        sink_write(p->out, text, n);
        p->k += n;
    } else {
        write_newline(p, indent);
    }
}

/* the break between two items of a list, in a group of its own. At any depth, items are indented more than the
 * equation: in its column, an operand would be read as the next equation. */
static inline void
write_item_break(struct printer *p, u32 indent)
{
    if (p->k + 1 > p->width)
        write_line(p, indent - 2, 2);
    else
        write_literal(p, " ");
}

static inline void
write_name(struct printer *p, name_t name)
{
    struct name_buffer buffer;
    put(p, print_name(p, name, &buffer));
}

static inline void
write_type(struct printer *p, type_t type)
{
    if (type == NONE)
        return;
    write_literal(p, ":");
    put(p, type_get(&p->m->types, type)->text);
}

static void
write_binders(struct printer *p, u32 vars, u32 n, u32 indent)
{
    for (u32 i = 0; i < n; i++) {
        const struct var *v = &p->m->vars.at[vars + i];
        if (i > 0)
            write_item_break(p, indent);
        write_name(p, v->name);
        write_type(p, v->type);
    }
}

static void
write_atom(struct printer *p, atom_t a)
{
    struct module *m = p->m;
    if (atom_kind(a) == ATOM_LIT) {
        const struct literal *l = &m->literals.at[atom_id(a)];
        put(p, module_bytes(m, l->value));
        write_type(p, l->type);
    } else if (atom_kind(a) == ATOM_REF) {
        const struct refexpr *r = &m->refs.at[atom_id(a)];
        write_name(p, atom_name(m, r->ref));
        put(p, text_joined(p, module_bytes(m, r->index)));
    } else {
        write_name(p, atom_name(m, a));
    }
}

static void
write_operands(struct printer *p, const struct eqn *e, u32 indent, bool tight)
{
    write_literal(p, " ");
    for (u32 i = 0; i < e->n_atoms; i++) {
        if (i > 0 && tight)
            write_literal(p, " ");
        else if (i > 0)
            write_item_break(p, indent + 2);
        write_atom(p, p->m->atoms.at[e->atoms + i]);
    }
}

static struct print_frame *
push_frame(struct printer *p, struct print_frame f)
{
    struct print_frame *top = vec_push(p->m->mem, &p->stack);
    *top = f;
    return top;
}

/* prints `{ lambda .. let`, and pushes the frame that prints the rest */
static void
begin_jaxpr(struct printer *p, jaxpr_t id, u32 indent, bool flat)
{
    const struct jaxpr *j = &p->m->jaxprs.at[id];
    flat = flat || group_fits(p, measure_jaxpr(p, id));
    write_literal(p, "{ lambda ");
    write_binders(p, j->vars, j->n_consts, indent + 4);
    write_literal(p, "; ");
    write_binders(p, j->vars + j->n_consts, j->n_ins, indent + 4);
    write_literal(p, ". let");
    push_frame(p, (struct print_frame){.kind = FRAME_JAXPR, .flat = flat, .indent = indent, .id = id, .next = j->eqns});
}

static void
end_jaxpr(struct printer *p, struct print_frame f)
{
    const struct jaxpr *j = &p->m->jaxprs.at[f.id];
    if (!f.begun)
        write_break(p, f.flat, " ", f.indent + 4);
    write_break(p, f.flat, " ", f.indent + 2);
    write_literal(p, "in (");
    for (u32 i = 0; i < j->n_outs; i++) {
        if (i > 0) {
            write_literal(p, ",");
            write_item_break(p, f.indent + 4);
        }
        write_atom(p, p->m->atoms.at[j->outs + i]);
    }
    if (j->n_outs == 1)
        write_literal(p, ",)");
    else
        write_literal(p, ")");
    struct span effects = jaxpr_effects(p->m, f.id);
    if (effects.at != NONE) {
        write_literal(p, " : { ");
        put(p, text_joined(p, module_bytes(p->m, effects)));
        write_literal(p, " }");
    }
    write_literal(p, " }");
}

/* prints the text after the binders of an equation that is not a call; the parameters of Pallas copies are a group
 * (jax/_src/pallas/mosaic_gpu/primitives.py, 0.5.3) */
static void
write_tail(struct printer *p, struct slice s, u32 indent, bool flat)
{
    size_t open = word_until(s, 0);
    size_t end = flat ? open : (size_t)(raw_params_end(s.at + open, s.at + s.n) - s.at);
    if (end == open || p->k + text_width(p, (struct slice){s.at, end}) <= p->width) {
        put(p, s);
        return;
    }
    put(p, (struct slice){s.at, open + 1});
    const char *close = s.at + end - 1, *stop;
    for (const char *from = s.at + open + 1;; from = stop + 1) {
        write_break(p, false, "", indent + 2);
        stop = value_find(from, close, " ");
        put(p, (struct slice){from, (size_t)(stop - from)});
        if (stop == close)
            break;
    }
    write_break(p, false, "", indent);
    put(p, (struct slice){close, s.n - end + 1});
}

/* prints binders, equals sign and primitive, or the whole equation if it has no parameters; true if brackets follow */
static bool
begin_equation(struct printer *p, eqn_t id, u32 indent, bool flat)
{
    const struct eqn *e = &p->m->eqns.at[id];
    mem_poll(p->m->mem);
    write_binders(p, e->vars, e->n_vars, indent + 2);
    if (p->notes)
        notes_mark(p, id);
    if (e->form == EQN_ELLIPSIS) {
        write_literal(p, "...");
        return false;
    }
    if (e->form > EQN_CALL_BARE) {
        write_tail(p, tail_text(p, e), indent, flat);
        return false;
    }
    if (e->n_vars > 0 || e->form == EQN_CALL_BARE)
        write_literal(p, " = ");
    write_name(p, e->prim);
    if (e->params != NONE)
        return true;
    write_operands(p, e, indent, false);
    return false;
}

/* true for a call that Pallas prints by a rule of its own, of a jaxpr with refs: one text around the jaxpr, without
 * groups */
static bool
is_tight(const struct printer *p, const struct eqn *e)
{
    struct name_buffer buffer;
    return slice_eq(print_name(p, e->prim, &buffer), SLICE("jaxpr_call"));
}

/* prints the opening bracket of parameters, and pushes the frame that prints the rest */
static void
begin_params(struct printer *p, eqn_t e, u32 indent, bool flat)
{
    bool tight = !flat && is_tight(p, &p->m->eqns.at[e]);
    flat = flat || tight || group_fits(p, measure_params(p, e));
    write_literal(p, "[");
    push_frame(p, (struct print_frame){.kind = FRAME_PARAMS,
                                       .flat = flat,
                                       .tight = tight,
                                       .class = is_class(p, e),
                                       .indent = indent,
                                       .id = e,
                                       .next = p->m->eqns.at[e].params});
}

/* prints equations until brackets are open or the jaxpr ends */
static void
step_jaxpr(struct printer *p)
{
    struct print_frame *f = &p->stack.at[p->stack.n - 1];
    u32 indent = f->indent + 4;
    while (f->next != NONE) {
        eqn_t e = f->next;
        f->next = p->m->eqns.at[e].next;
        if (!f->flat && !p->notes && !p->m->no_fast_path && print_fast_eqn(p, &p->m->eqns.at[e], indent)) {
            f->begun = true;
            continue;
        }
        write_break(p, f->flat, f->begun ? "; " : " ", indent);
        f->begun = true;
        if (!begin_equation(p, e, indent, f->flat))
            continue;
        begin_params(p, e, indent, f->flat);
        return;
    }
    end_jaxpr(p, p->stack.at[--p->stack.n]);
}

/* up to this depth, nested primitives are laid out; deeper ones stay on one line */
enum { GROUPS = 16 };

/* true if `key=` is at i */
static bool
key_is_printed(struct slice s, size_t i)
{
    size_t from = i;
    i = word_until(s, i);
    return i > from && i < s.n && s.at[i] == '=';
}

/* writes a value. If it is a primitive that is a class, `Two[q=1 r=2]`, its parameters are a group like those of
 * equations, and so are those of primitives in it (jax/_src/hijax.py, 0.12). Other text is written unchanged */
static void
write_value(struct printer *p, struct slice s, u32 indent)
{
    size_t ends[GROUPS + 1] = {0}, from = 0, n = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (n > 0 && i + 1 == ends[n]) {
            put(p, (struct slice){s.at + from, i - from});
            write_newline(p, indent + 2 * (u32)--n);
            from = i;
        } else if (n > 0 && s.at[i] == ' ' && key_is_printed(s, i + 1)) {
            put(p, (struct slice){s.at + from, i - from});
            write_newline(p, indent + 2 * (u32)n);
            from = i + 1;
        } else if (i > 0 && s.at[i] == '[' && is_word_char(s.at[i - 1]) && key_is_printed(s, i + 1)) {
            size_t end = bracket_end(s, i);
            end += end < s.n;
            if (n == GROUPS || p->k + text_width(p, (struct slice){s.at + from, end - from}) <= p->width) {
                i = end - 1;
                continue;
            }
            put(p, (struct slice){s.at + from, i + 1 - from});
            write_newline(p, indent + 2 * (u32)(n + 1));
            ends[++n] = end;
            from = i + 1;
        } else if (bracket_step(s.at[i]) > 0) {
            i = bracket_end(s, i);
        } else if (s.at[i] == '\n') {
            break;
        }
    }
    put(p, (struct slice){s.at + from, s.n - from});
}

/* prints parameters until one with programs, or until the brackets close */
static void
step_params(struct printer *p)
{
    struct print_frame *f = &p->stack.at[p->stack.n - 1];
    u32 indent = f->indent;
    while (f->next != NONE) {
        const struct param *v = &p->m->params.at[f->next];
        write_break(p, f->flat, f->begun ? " " : "", indent + 2);
        f->begun = true;
        f->next = v->next;
        bool flat = f->flat && !f->tight;
        u32 base = f->tight ? indent : indent + 2;
        write_name(p, v->key);
        write_literal(p, "=");
        if (v->kind == PARAM_TEXT || v->kind == PARAM_SHARED) {
            if (f->class && !flat)
                write_value(p, param_bytes(p->m, v), base);
            else
                put(p, param_bytes(p->m, v));
            continue;
        }
        if (v->kind == PARAM_JAXPR) {
            begin_jaxpr(p, v->a, base, flat);
        } else if (v->kind == PARAM_TUPLE) {
            flat = flat || group_fits(p, measure_tuple(p, v->a));
            write_literal(p, "(");
            push_frame(p, (struct print_frame){.kind = FRAME_TUPLE, .flat = flat, .indent = indent, .next = v->a});
        } else {
            push_frame(p, (struct print_frame){.kind = FRAME_MIXED, .next = v->a});
        }
        return;
    }
    struct print_frame done = p->stack.at[--p->stack.n];
    write_break(p, done.flat, "", indent);
    write_literal(p, "]");
    write_operands(p, &p->m->eqns.at[done.id], indent, done.tight);
}

static void
step_tuple(struct printer *p)
{
    struct print_frame *f = &p->stack.at[p->stack.n - 1];
    u32 indent = f->indent;
    bool flat = f->flat;
    if (f->next == NONE) {
        if (!f->begun)
            write_break(p, flat, "", indent + 4);
        p->stack.n--;
        write_break(p, flat, "", indent + 2);
        write_literal(p, ")");
        return;
    }
    const struct segment *s = &p->m->segments.at[f->next];
    write_break(p, flat, f->begun ? " " : "", indent + 4);
    f->begun = true;
    f->next = s->next;
    if (s->kind == SEGMENT_JAXPR)
        begin_jaxpr(p, s->a, indent + 4, flat);
    else
        put(p, module_bytes(p->m, s->span));
}

/* the indentation of a program inside a value: 0, unless it follows a key in a list of parameters that was laid out
 * by itself, `\n call_jaxpr={ lambda ..`, as 0.12 prints primitives that are classes if all parameters are
 * requested. *column becomes the column where it begins */
static u32
pasted_indent(const struct module *m, const struct program *g, size_t *column)
{
    const char *text = m->text.at, *begin = text + g->offset, *p = begin;
    *column = 0;
    if (!g->pasted || g->offset == 0 || p[-1] != '=')
        return 0;
    for (p--; p > text && is_word_char(p[-1]); p--)
        ;
    const char *key = p;
    while (p > text && p[-1] == ' ')
        p--;
    if (p == key || p == text || p[-1] != '\n' || key[0] == '=')
        return 0;
    *column = (size_t)(begin - p);
    return (u32)(key - p);
}

/* prints the next part of a value that contains whole programs: they were printed for 80 columns, usually from column
 * 0, and count as one text
 */
static void
step_mixed(struct printer *p)
{
    struct print_frame *f = &p->stack.at[p->stack.n - 1];
    if (f->next == NONE) {
        p->stack.n--;
        return;
    }
    const struct segment *s = &p->m->segments.at[f->next];
    f->next = s->next;
    if (s->kind != SEGMENT_PROGRAM) {
        put(p, segment_bytes(p->m, s));
        return;
    }
    size_t length = (size_t)memo_get(&p->lengths, s->a), after = p->k + length;
    if (p->sizing) {
        p->skipped += length;
        p->k = after;
        return;
    }
    push_frame(p, (struct print_frame){.kind = FRAME_PROGRAM, .id = s->a, .width = p->width, .k = after});
    p->width = PRINT_WIDTH;
    pasted_indent(p->m, &p->m->programs.at[s->a], &p->k);
    p->pasted++;
}

/* prints `let f = ` and begins its jaxpr */
static void
begin_let(struct printer *p, const struct let *l, u32 indent)
{
    write_literal(p, "let ");
    put(p, module_bytes(p->m, l->name));
    write_literal(p, " = ");
    begin_jaxpr(p, l->jaxpr, indent, false);
}

/* begins the next shared jaxpr of a program or, after the last, the main one */
static void
step_program(struct printer *p)
{
    struct print_frame *f = &p->stack.at[p->stack.n - 1];
    const struct program *g = &p->m->programs.at[f->id];
    size_t column;
    u32 indent = pasted_indent(p->m, g, &column);
    if (f->begun && f->next <= g->n_lets) {
        write_literal(p, " in");
        write_newline(p, indent);
    }
    f->begun = false;
    while (f->next < g->n_lets && p->m->lets.at[g->lets + f->next].jaxpr == NONE)
        f->next++;
    u32 i = f->next++;
    if (p->notes && !p->pasted)
        notes_head(p, program_jaxpr(p->m, g, i));
    if (i < g->n_lets) {
        f->begun = true;
        begin_let(p, &p->m->lets.at[g->lets + i], indent);
    } else if (i == g->n_lets && g->main != NONE) {
        begin_jaxpr(p, g->main, indent, false);
    } else if (--p->stack.n > 0) {
        p->width = p->stack.at[p->stack.n].width;
        p->k = p->stack.at[p->stack.n].k;
        p->pasted--;
    }
}

static void
run(struct printer *p)
{
    static void (*const steps[])(struct printer *) = {
        [FRAME_JAXPR] = step_jaxpr, [FRAME_PARAMS] = step_params,   [FRAME_TUPLE] = step_tuple,
        [FRAME_MIXED] = step_mixed, [FRAME_PROGRAM] = step_program,
    };
    while (p->stack.n > 0)
        steps[p->stack.at[p->stack.n - 1].kind](p);
}

void
layout_program(struct printer *p, program_t program)
{
    pasted_indent(p->m, &p->m->programs.at[program], &p->k);
    push_frame(p, (struct print_frame){.kind = FRAME_PROGRAM, .id = program});
    run(p);
}

void
layout_let(struct printer *p, const struct let *l)
{
    p->k = 0;
    begin_let(p, l, 0);
    run(p);
}

void
layout_equation(struct printer *p, eqn_t e)
{
    p->k = 0;
    if (!begin_equation(p, e, 0, true))
        return;
    begin_params(p, e, 0, false);
    run(p);
}
