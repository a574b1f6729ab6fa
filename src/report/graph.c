/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT. Two walks: the first finds the programs that are drawn, who makes each variable, and what is near the focus;
 * scopes are closed, so distances are worked out within one program, forwards along the arrows and backwards. The
 * second writes: a nested program stands as a cluster inside that of its holder, a shared one at the top, once, and a
 * dashed arrow leads there. What is half written waits on a stack; there is no indentation. Linear. */
#include "report/graph.h"

#include "base/memo.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "ir/reach.h"
#include "prims/prims.h"

enum { LABEL = 60, RESULTS = 6, PARAMETERS = 4, VALUE = 24, TOOLTIP = 200 };

/* A cluster being written. */
struct frame {
    jaxpr_t jaxpr;
    eqn_t eqn; /* the next one */
    struct nested held;
    eqn_t holding; /* whose programs `held` steps through */
};

struct graph {
    struct sink *out;
    struct module *m;
    const struct graph_options *how;
    VEC(jaxpr_t) list;  /* what is drawn, holders first */
    struct memo drawn;  /* by jaxpr: its depth, 1 outermost */
    struct memo maker;  /* by variable: eqn_t + 1 */
    struct memo holder; /* by jaxpr: the parameter that holds it first + 1 */
    struct memo near;   /* by variable of a binder, by eqn_t + eqn_base: 1 where it is near the focus */
    struct memo ghosts; /* by jaxpr: its first ghost + 1; they stand together */
    VEC(struct frame) stack;
    VEC(eqn_t) eqns; /* of the jaxpr at work */
    VEC(u32) shared; /* jaxprs of lets that wait to be drawn at the top, and the parameters that name them */
    VEC(u32) held;   /* equations and the jaxprs they hold: arrows to be drawn when all clusters are */
    struct prims prims;
    bool found;
};

/* ---- what is drawn ---- */

static bool
is_shared(const struct graph *g, jaxpr_t j)
{
    return g->m->jaxprs.at[j].parent == NONE;
}

static void
add_drawn(struct graph *g, jaxpr_t j, u32 depth)
{
    if (memo_get(&g->drawn, j) || (g->how->depth && depth > g->how->depth))
        return;
    memo_set(g->m->mem, &g->drawn, j, depth);
    *vec_push(g->m->mem, &g->list) = j;
}

static void
find_drawn(struct graph *g, jaxpr_t main)
{
    const struct module *m = g->m;
    add_drawn(g, main, 1);
    for (u32 i = 0; i < g->list.n; i++) {
        u32 depth = (u32)memo_get(&g->drawn, g->list.at[i]);
        for (eqn_t e = m->jaxprs.at[g->list.at[i]].eqns; e != NONE; e = m->eqns.at[e].next) {
            for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
                memo_set(m->mem, &g->maker, m->eqns.at[e].vars + k, e + 1);
            struct nested h = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;) {
                if (!memo_get(&g->drawn, j))
                    memo_set(m->mem, &g->holder, j, h.param + 1);
                add_drawn(g, j, depth + 1);
            }
        }
    }
}

/* ---- the focus ---- */

/* the variable an atom reads, NONE for a literal and what is not bound */
static var_t
atom_var(const struct module *m, atom_t a)
{
    if (atom_kind(a) == ATOM_REF)
        a = m->refs.at[atom_id(a)].ref;
    return atom_kind(a) == ATOM_VAR ? atom_id(a) : NONE;
}

/* the id of what makes a variable among those of `near` and of distances: equations behind all variables */
static u32
maker_id(const struct graph *g, var_t v)
{
    u64 e = memo_get(&g->maker, v);
    return e ? g->m->vars.n + (u32)e - 1 : v;
}

static bool
is_focus(const struct graph *g, u32 first, u32 n)
{
    struct name_buffer buffer;
    for (u32 v = first; v < first + n; v++)
        if (slice_eq(module_name(g->m, g->m->vars.at[v].name, &buffer), g->how->focus))
            return true;
    return false;
}

/* distances are kept plus one, 0 being far away */
static void
closer(struct graph *g, struct memo *distance, u32 id, u64 from)
{
    u64 known = memo_get(distance, id);
    if (from && from <= g->how->radius && (!known || from + 1 < known))
        memo_set(g->m->mem, distance, id, from + 1);
}

/* what is made from the focus, and what it is made from, inside one program */
static void
spread(struct graph *g, jaxpr_t j, struct memo *down, struct memo *up)
{
    const struct module *m = g->m;
    const struct jaxpr *program = &m->jaxprs.at[j];
    for (u32 v = program->vars; v < program->vars + program->n_consts + program->n_ins; v++)
        if (is_focus(g, v, 1)) {
            memo_set(m->mem, down, v, 1);
            g->found = true;
        }
    g->eqns.n = 0;
    for (eqn_t e = program->eqns; e != NONE; e = m->eqns.at[e].next) {
        const struct eqn *eqn = &m->eqns.at[e];
        *vec_push(m->mem, &g->eqns) = e;
        if (is_focus(g, eqn->vars, eqn->n_vars)) {
            memo_set(m->mem, down, m->vars.n + e, 1);
            memo_set(m->mem, up, m->vars.n + e, 1);
            g->found = true;
        }
        for (u32 i = 0; i < eqn->n_atoms; i++) {
            var_t v = atom_var(m, m->atoms.at[eqn->atoms + i]);
            if (v != NONE)
                closer(g, down, m->vars.n + e, memo_get(down, maker_id(g, v)));
        }
    }
    for (u32 k = g->eqns.n; k-- > 0;) {
        const struct eqn *eqn = &m->eqns.at[g->eqns.at[k]];
        u64 from = memo_get(up, m->vars.n + g->eqns.at[k]);
        for (u32 i = 0; from && i < eqn->n_atoms; i++) {
            var_t v = atom_var(m, m->atoms.at[eqn->atoms + i]);
            if (v != NONE)
                closer(g, up, maker_id(g, v), from);
        }
    }
}

/* marks what is near, and the equations around programs in which something is */
static void
find_near(struct graph *g)
{
    struct mem *mem = g->m->mem;
    struct memo down = {0}, up = {0};
    for (u32 i = g->list.n; i-- > 0;) {
        jaxpr_t j = g->list.at[i];
        const struct jaxpr *program = &g->m->jaxprs.at[j];
        bool any = false;
        spread(g, j, &down, &up);
        for (u32 v = program->vars; v < program->vars + program->n_consts + program->n_ins; v++)
            if (memo_get(&down, v) || memo_get(&up, v)) {
                memo_set(mem, &g->near, v, 1);
                any = true;
            }
        for (u32 k = 0; k < g->eqns.n; k++) {
            u32 id = g->m->vars.n + g->eqns.at[k];
            if (memo_get(&down, id) || memo_get(&up, id))
                memo_set(mem, &g->near, id, 1);
            any |= memo_get(&g->near, id) != 0;
        }
        if (any && program->parent != NONE)
            memo_set(mem, &g->near, g->m->vars.n + program->parent, 1);
        if (any && program->parent == NONE && i > 0) { /* drawn even where what holds it is far away */
            *vec_push(mem, &g->shared) = j;
            *vec_push(mem, &g->shared) = (u32)memo_get(&g->holder, j) - 1;
        }
    }
    memo_free(mem, &down);
    memo_free(mem, &up);
}

/* whether a node is drawn */
static bool
shown(const struct graph *g, u32 id)
{
    return g->how->focus.n == 0 || memo_get(&g->near, id);
}

/* ---- nodes ---- */

/* appends at most `most` bytes of a text, whole characters, with an ellipsis where it is cut, as a part of a label */
static void
graph_label(struct sink *out, struct slice text, u32 most)
{
    size_t n = text.n <= most ? text.n : 0;
    for (size_t length; n < text.n && n < most; n += length)
        if ((length = utf8_length(text.at + n, text.n - n)) == 0 || n + length > most)
            break;
    struct glyph g;
    for (size_t i = 0; i < n;) {
        i += glyph_read(&g, text.at + i, n - i);
        if (*g.at == '"' || (*g.at == '\\' && !g.escaped))
            sink_char(out, '\\');
        sink_slice(out, g.escaped ? SLICE(" ") : (struct slice){g.at, g.n});
    }
    if (n < text.n)
        sink_printf(out, "\xe2\x80\xa6");
}

static void
label_name(struct graph *g, name_t name)
{
    struct name_buffer buffer;
    graph_label(g->out, module_name(g->m, name, &buffer), LABEL);
}

static void
label_binder(struct graph *g, var_t v)
{
    label_name(g, g->m->vars.at[v].name);
    if (g->m->vars.at[v].type == NONE)
        return;
    sink_char(g->out, ':');
    graph_label(g->out, type_get(&g->m->types, g->m->vars.at[v].type)->text, LABEL);
}

static void
write_id(struct graph *g, u32 id)
{
    bool eqn = id >= g->m->vars.n;
    sink_printf(g->out, "%c%u", eqn ? 'e' : 'v', eqn ? id - g->m->vars.n : id);
}

static void
write_binder(struct graph *g, var_t v, bool constant)
{
    if (!shown(g, v))
        return;
    write_id(g, v);
    sink_printf(g->out, " [shape=%s, label=\"", constant ? "hexagon" : "ellipse");
    label_binder(g, v);
    sink_printf(g->out, "\"];\n");
}

/* whether a value says nothing but that a parameter is not used */
static bool
is_unused(struct slice value)
{
    return slice_eq(value, SLICE("None")) || slice_eq(value, SLICE("False")) || slice_eq(value, SLICE("()"));
}

/* the parameters that are used, short ones of them in full, without programs and the name */
static void
label_parameters(struct graph *g, const struct eqn *eqn, param_t name)
{
    const struct module *m = g->m;
    u32 written = 0;
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        struct slice value = module_bytes(m, param->span);
        struct name_buffer buffer;
        if (p == name || param->kind != PARAM_TEXT || param->key == NONE || is_unused(value))
            continue;
        sink_printf(g->out, "\\n");
        if (written++ == PARAMETERS) {
            sink_printf(g->out, "..");
            return;
        }
        graph_label(g->out, module_name(m, param->key, &buffer), VALUE);
        sink_char(g->out, '=');
        graph_label(g->out, value, VALUE);
    }
}

/* the equation as it stands in the text, up to the end of its line */
static void
write_tooltip(struct graph *g, const struct eqn *eqn)
{
    const struct module *m = g->m;
    if (eqn->offset == NONE)
        return;
    const char *at = m->text.at + eqn->offset, *end = memchr(at, '\n', m->text.n - eqn->offset);
    sink_printf(g->out, ", tooltip=\"");
    graph_label(g->out, (struct slice){at, end ? (size_t)(end - at) : m->text.n - eqn->offset}, TOOLTIP);
    sink_char(g->out, '"');
}

/* primitive, what stands in the equation besides variables, and its results */
static void
write_equation(struct graph *g, eqn_t e, bool folded)
{
    static const char *const colors[] = {"", "orange", "khaki", "tomato", "lightblue", "lightgrey"};
    const struct module *m = g->m;
    const struct eqn *eqn = &m->eqns.at[e];
    write_id(g, m->vars.n + e);
    sink_printf(g->out, " [label=\"");
    label_name(g, eqn->prim);
    param_t name = eqn_param(m, e, SLICE("name"));
    if (name != NONE) {
        sink_char(g->out, ' ');
        graph_label(g->out, module_bytes(m, m->params.at[name].span), LABEL);
    }
    for (u32 i = 0, noted_vars = 0; i < eqn->n_atoms && noted_vars < RESULTS; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_VAR)
            continue;
        noted_vars++;
        sink_char(g->out, ' ');
        if (atom_kind(a) == ATOM_LIT)
            graph_label(g->out, module_bytes(m, m->literals.at[atom_id(a)].value), LABEL);
        else if (atom_kind(a) == ATOM_NAME)
            label_name(g, atom_id(a));
        else
            graph_label(g->out, module_bytes(m, m->refs.at[atom_id(a)].index), LABEL);
    }
    label_parameters(g, eqn, name);
    for (u32 i = 0; i < eqn->n_vars && i < RESULTS; i++) {
        sink_printf(g->out, "\\n");
        label_binder(g, eqn->vars + i);
    }
    sink_printf(g->out, "%s\"", eqn->n_vars > RESULTS ? "\\n.." : "");
    write_tooltip(g, eqn);
    if (folded)
        sink_printf(g->out, ", peripheries=2");
    if (g->how->marks && g->how->marks[e])
        sink_printf(g->out, ", style=filled, fillcolor=%s", colors[g->how->marks[e]]);
    sink_printf(g->out, "];\n");
}

/* An arrow from what makes a variable: at its tail the name where several results leave one equation, at its head which
 * operand it is, from 1 on, or nothing for 0. */
static void
write_use(struct graph *g, atom_t a, char kind, u32 to, u32 place)
{
    var_t v = atom_var(g->m, a);
    if (v == NONE || !shown(g, maker_id(g, v)))
        return;
    write_id(g, maker_id(g, v));
    sink_printf(g->out, " -> %c%u", kind, to);
    u64 e = memo_get(&g->maker, v);
    bool named = e && g->m->eqns.at[e - 1].n_vars > 1;
    if (named) {
        sink_printf(g->out, " [label=\"");
        label_name(g, g->m->vars.at[v].name);
        sink_char(g->out, '"');
    }
    if (place > 0)
        sink_printf(g->out, "%sheadlabel=\"%u\"", named ? ", " : " [", place);
    sink_printf(g->out, "%s;\n", named || place > 0 ? "]" : "");
}

/* arrows to an equation, numbered where the order of its operands matters */
static void
write_uses(struct graph *g, eqn_t e)
{
    const struct module *m = g->m;
    const struct eqn *eqn = &m->eqns.at[e];
    const struct prim *row = eqn->n_atoms > 1 ? prims_find(&g->prims, m, eqn->prim) : NULL;
    bool ordered = eqn->n_atoms > 1 && !(row && row->is.commutes);
    for (u32 i = 0; i < eqn->n_atoms; i++)
        write_use(g, m->atoms.at[eqn->atoms + i], 'e', e, ordered ? i + 1 : 0);
}

/* ---- clusters ---- */

static void
write_ghosts(struct graph *g, jaxpr_t j)
{
    for (u64 i = memo_get(&g->ghosts, j); i && i <= g->how->n_ghosts && g->how->ghosts[i - 1].jaxpr == j; i++) {
        sink_printf(g->out, "g%u [style=\"filled,dashed\", fillcolor=palegreen, label=\"", (u32)i - 1);
        graph_label(g->out, g->how->ghosts[i - 1].text, LABEL);
        sink_printf(g->out, "\"];\n");
    }
}

/* opens the cluster of a program; `key` is the parameter it stands in, NONE for others */
static void
open_cluster(struct graph *g, jaxpr_t j, param_t key)
{
    const struct module *m = g->m;
    const struct jaxpr *program = &m->jaxprs.at[j];
    struct name_buffer buffer;
    sink_printf(g->out, "subgraph cluster_j%u {\nlabel=\"", j);
    if (key != NONE && m->params.at[key].kind == PARAM_SHARED)
        graph_label(g->out, module_bytes(m, m->params.at[key].span), LABEL);
    else if (key != NONE && m->params.at[key].key != NONE)
        graph_label(g->out, module_name(m, m->params.at[key].key, &buffer), LABEL);
    sink_printf(g->out, "\";\nj%u [shape=point, style=invis];\n", j); /* what dashed arrows end at */
    for (u32 i = 0; i < program->n_consts + program->n_ins; i++)
        write_binder(g, program->vars + i, i < program->n_consts);
    write_ghosts(g, j);
    *vec_push(m->mem, &g->stack) = (struct frame){j, program->eqns, {NONE, NONE, NONE}, NONE};
}

static void
close_cluster(struct graph *g, jaxpr_t j)
{
    const struct jaxpr *program = &g->m->jaxprs.at[j];
    if (g->how->focus.n == 0) {
        sink_printf(g->out, "r%u [shape=plaintext, label=\"results\"];\n", j);
        for (u32 i = 0; i < program->n_outs; i++)
            write_use(g, g->m->atoms.at[program->outs + i], 'r', j, program->n_outs > 1 ? i + 1 : 0);
    }
    sink_printf(g->out, "}\n");
}

/* a program that an equation holds: it is drawn here, or waits to be drawn at the top */
static void
write_held(struct graph *g, struct frame *f, jaxpr_t j)
{
    if (!memo_get(&g->drawn, j) || !shown(g, g->m->vars.n + f->holding))
        return;
    *vec_push(g->m->mem, &g->held) = f->holding;
    *vec_push(g->m->mem, &g->held) = j;
    param_t key = f->held.param;
    if (is_shared(g, j)) {
        *vec_push(g->m->mem, &g->shared) = j;
        *vec_push(g->m->mem, &g->shared) = key;
        return;
    }
    open_cluster(g, j, key);
}

/* whether an equation holds programs that are not drawn */
static bool
is_folded(const struct graph *g, eqn_t e)
{
    struct nested h = nested_start(g->m, e);
    for (jaxpr_t j; (j = nested_next(g->m, &h)) != NONE;)
        if (!memo_get(&g->drawn, j))
            return true;
    return false;
}

static void
step(struct graph *g)
{
    const struct module *m = g->m;
    struct frame *f = &g->stack.at[g->stack.n - 1];
    jaxpr_t inner = f->holding == NONE ? NONE : nested_next(m, &f->held);
    if (inner != NONE) {
        write_held(g, f, inner);
        return;
    }
    if (f->eqn == NONE) {
        close_cluster(g, f->jaxpr);
        g->stack.n--;
        return;
    }
    eqn_t e = f->eqn;
    f->eqn = m->eqns.at[e].next;
    f->holding = e;
    f->held = nested_start(m, e);
    if (!shown(g, m->vars.n + e))
        return;
    write_equation(g, e, is_folded(g, e));
    write_uses(g, e);
}

static void
write_cluster(struct graph *g, jaxpr_t j, param_t key)
{
    open_cluster(g, j, key);
    while (g->stack.n)
        step(g);
}

static void
graph_end(struct graph *g)
{
    struct mem *mem = g->m->mem;
    memo_free(mem, &g->drawn);
    memo_free(mem, &g->maker);
    memo_free(mem, &g->near);
    memo_free(mem, &g->holder);
    memo_free(mem, &g->ghosts);
    vec_free(mem, &g->list);
    vec_free(mem, &g->stack);
    vec_free(mem, &g->eqns);
    vec_free(mem, &g->shared);
    vec_free(mem, &g->held);
    prims_free(&g->prims);
}

bool
graph_program(struct sink *out, struct module *m, program_t program, const struct graph_options *options, u32 number)
{
    struct graph g = {.out = out, .m = m, .how = options};
    struct memo done = {0};
    prims_init(m->mem, &g.prims);
    jaxpr_t main = m->programs.at[program].main;
    for (u32 i = options->n_ghosts; i-- > 0;)
        memo_set(m->mem, &g.ghosts, options->ghosts[i].jaxpr, i + 1);
    if (main != NONE)
        find_drawn(&g, main);
    if (main != NONE && options->focus.n)
        find_near(&g);
    if (options->focus.n && !g.found) {
        graph_end(&g);
        return false;
    }
    sink_printf(out,
                "digraph jaxpr%u {\ncompound=true;\nfontname=\"monospace\";\n"
                "node [shape=box, fontname=\"monospace\", fontsize=10];\nedge [fontname=\"monospace\", fontsize=9, "
                "labeldistance=1.7, labelangle=35];\n",
                number);
    if (main != NONE) {
        write_cluster(&g, main, NONE);
        for (u32 i = 0; i < g.shared.n; i += 2) {
            if (memo_get(&done, g.shared.at[i]))
                continue;
            memo_set(m->mem, &done, g.shared.at[i], 1);
            write_cluster(&g, g.shared.at[i], g.shared.at[i + 1]);
        }
        for (u32 i = 0; i < g.held.n; i += 2)
            sink_printf(out, "e%u -> j%u [style=dashed, lhead=cluster_j%u];\n", g.held.at[i], g.held.at[i + 1],
                        g.held.at[i + 1]);
    }
    sink_printf(out, "}\n");
    memo_free(m->mem, &done);
    graph_end(&g);
    return g.found;
}
