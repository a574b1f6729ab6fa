/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes DOT in two walks: the first finds what is drawn and what is folded, which node binds each variable, and
 * what is near the focus (graph_focus.c). The second writes: a nested program is a cluster inside that of its
 * equation's program; a shared one is drawn once, at the top level, with a dashed arrow to it. Unfinished clusters
 * are on a stack. Linear. */
#include "report/graphing.h"

#include "base/utf8.h"
#include "base/visible.h"

enum { LABEL = 60, RESULTS = 6, PARAMETERS = 4, VALUE = 24, TOOLTIP = 200 };

/* ---- what is drawn ---- */

static bool
is_shared(const struct graph *g, jaxpr_t j)
{
    return g->m->jaxprs.at[j].parent == NONE;
}

static void
find_drawn(struct graph *g, jaxpr_t main)
{
    const struct module *m = g->m;
    folding_read(g->m, main, g->how->depth, g->how->focus.n ? 0 : g->how->nodes, &g->fold);
    for (u32 i = 0; i < g->fold.jaxprs.n; i++)
        for (eqn_t e = m->jaxprs.at[g->fold.jaxprs.at[i].jaxpr].eqns; e != NONE; e = m->eqns.at[e].next) {
            for (u32 k = 0; k < m->eqns.at[e].n_vars; k++)
                memo_set(m->mem, &g->producer, m->eqns.at[e].vars + k, e + 1);
            struct nested h = nested_start(m, e);
            for (jaxpr_t j; (j = nested_next(m, &h)) != NONE;)
                if (!memo_get(&g->holder, j))
                    memo_set(m->mem, &g->holder, j, h.param + 1);
        }
}

/* ---- nodes ---- */

/* whether the node that defines a variable represents several values */
static bool
is_folded_producer(const struct graph *g, var_t v)
{
    return graph_producer(g, v) >= cluster_id(g, 0) || memo_get(&g->fold.arguments, v);
}

/* whether the node of an id is drawn: with a focus, only nodes near it are */
static bool
shown(const struct graph *g, u32 id)
{
    return g->how->focus.n == 0 || memo_get(&g->near, id);
}

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
        i += glyph_read(&g, (struct slice){text.at, n}, i);
        if (*g.at == '"' || (*g.at == '\\' && !g.escaped))
            sink_char(out, '\\');
        sink_slice(out, g.escaped ? SLICE(" ") : (struct slice){g.at, g.n});
    }
    if (n < text.n)
        sink_printf(out, "\xe2\x80\xa6");
}

static void
label_name(struct graph *g, struct sink *out, name_t name)
{
    struct name_buffer buffer;
    graph_label(out, module_name(g->m, name, &buffer), LABEL);
}

static void
label_binder(struct graph *g, var_t v)
{
    label_name(g, g->out, g->m->vars.at[v].name);
    if (g->m->vars.at[v].type == NONE)
        return;
    sink_char(g->out, ':');
    graph_label(g->out, type_get(&g->m->types, g->m->vars.at[v].type)->text, LABEL);
}

static void
write_id(struct graph *g, struct sink *out, u32 id)
{
    bool eqn = id >= g->m->vars.n, cluster = id >= cluster_id(g, 0);
    sink_printf(out, "%c%u",
                cluster ? 'k'
                : eqn   ? 'e'
                        : 'v',
                cluster ? id - cluster_id(g, 0)
                : eqn   ? id - g->m->vars.n
                        : id);
}

static void
write_binder(struct graph *g, var_t v, bool constant)
{
    if (!shown(g, v))
        return;
    write_id(g, g->out, v);
    sink_printf(g->out, " [shape=%s, label=\"", constant ? "hexagon" : "ellipse");
    label_binder(g, v);
    sink_printf(g->out, "\"];\n");
}

/* whether a parameter with this value is unused */
static bool
is_unused(struct slice value)
{
    return slice_eq(value, SLICE("None")) || slice_eq(value, SLICE("False")) || slice_eq(value, SLICE("()"));
}

/* appends the parameters in use to a label, short ones in full, without programs and the parameter `name` */
static void
label_parameters(struct graph *g, const struct eqn *eqn, param_t name)
{
    const struct module *m = g->m;
    u32 written = 0;
    for (param_t p = eqn->params; p != NONE; p = m->params.at[p].next) {
        const struct param *param = &m->params.at[p];
        struct slice value = param_bytes(m, param);
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

/* writes the text of an equation, up to the end of its line */
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

/* writes the node of an equation: its primitive, its operands that are not variables, its parameters and its results */
static void
write_equation(struct graph *g, eqn_t e, bool folded)
{
    static const char *const colors[] = {"", "orange", "khaki", "tomato", "lightblue", "lightgrey"};
    const struct module *m = g->m;
    const struct eqn *eqn = &m->eqns.at[e];
    write_id(g, g->out, m->vars.n + e);
    sink_printf(g->out, " [label=\"");
    label_name(g, g->out, eqn->prim);
    param_t name = eqn_param(m, e, SLICE("name"));
    if (name != NONE) {
        sink_char(g->out, ' ');
        graph_label(g->out, param_bytes(m, &m->params.at[name]), LABEL);
    }
    for (u32 i = 0, shown = 0; i < eqn->n_atoms && shown < RESULTS; i++) {
        atom_t a = m->atoms.at[eqn->atoms + i];
        if (atom_kind(a) == ATOM_VAR)
            continue;
        shown++;
        sink_char(g->out, ' ');
        if (atom_kind(a) == ATOM_LIT)
            graph_label(g->out, module_bytes(m, m->literals.at[atom_id(a)].value), LABEL);
        else if (atom_kind(a) == ATOM_NAME)
            label_name(g, g->out, atom_id(a));
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

/* An arrow from the definition of a variable: at its tail the variable's name if the equation has several results,
 * at its head the number of the operand from 1 on, if `place` is not 0. */
static void
write_use(struct graph *g, atom_t a, char kind, u32 to, u32 place)
{
    var_t v = graph_atom_var(g->m, a);
    if (v == NONE || !shown(g, graph_producer(g, v)))
        return;
    bool folded = is_folded_producer(g, v);
    if (folded && memo_get(&g->from, graph_producer(g, v)))
        return;
    if (folded)
        memo_set(g->m->mem, &g->from, graph_producer(g, v), 1);
    write_id(g, g->arrows, graph_producer(g, v));
    sink_printf(g->arrows, " -> %c%u", kind, to);
    if (folded) {
        sink_printf(g->arrows, ";\n");
        return;
    }
    u64 e = memo_get(&g->producer, v);
    bool named = e && g->m->eqns.at[e - 1].n_vars > 1;
    if (named) {
        sink_printf(g->arrows, " [label=\"");
        label_name(g, g->arrows, g->m->vars.at[v].name);
        sink_char(g->arrows, '"');
    }
    if (place > 0)
        sink_printf(g->arrows, "%sheadlabel=\"%u\"", named ? ", " : " [", place);
    sink_printf(g->arrows, "%s;\n", named || place > 0 ? "]" : "");
}

/* writes the arrows to an equation, numbered if the order of its operands matters */
static void
write_uses(struct graph *g, eqn_t e)
{
    const struct module *m = g->m;
    const struct eqn *eqn = &m->eqns.at[e];
    const struct prim *row = eqn->n_atoms > 1 ? prims_find(&g->prims, m, eqn->prim) : NULL;
    bool ordered = eqn->n_atoms > 1 && !(row && row->is.commutes);
    for (u32 i = 0; i < eqn->n_atoms; i++)
        write_use(g, m->atoms.at[eqn->atoms + i], 'e', e, ordered ? i + 1 : 0);
    memo_free(m->mem, &g->from);
}

/* ---- clusters ---- */

static void
write_removed(struct graph *g, jaxpr_t j)
{
    for (u64 i = memo_get(&g->removed, j); i && i <= g->how->n_removed && g->how->removed[i - 1].jaxpr == j; i++) {
        sink_printf(g->out, "g%u [style=\"filled,dashed\", fillcolor=palegreen, label=\"", (u32)i - 1);
        graph_label(g->out, g->how->removed[i - 1].text, LABEL);
        sink_printf(g->out, "\"];\n");
    }
}

/* writes one node for all binders of a program that has many */
static void
write_arguments(struct graph *g, const struct jaxpr *program)
{
    write_id(g, g->out, program->vars);
    sink_printf(g->out, " [shape=ellipse, style=filled, fillcolor=lavender, label=\"%u arguments\"];\n",
                jaxpr_binders(program));
}

/* writes one node for a cluster, coloured by its changes, with arrows from the values that its equations read */
static void
write_folded(struct graph *g, const struct folded_jaxpr *one, u32 cluster)
{
    const struct module *m = g->m;
    const struct cluster *k = &one->clusters.list.at[cluster];
    u32 id = one->base + cluster;
    const char *color = "lavender";
    for (u32 i = k->first; g->how->marks && i < k->first + k->n; i++)
        color = g->how->marks[one->clusters.eqns.at[i]] ? "orange" : color;
    sink_printf(g->out, "k%u [shape=box3d, style=filled, fillcolor=%s, label=\"", id, color);
    graph_label(g->out, cluster_title(g->m, &one->clusters, cluster), LABEL);
    sink_printf(g->out, "\\n%u equations\", tooltip=\"from ", k->n);
    const struct eqn *first = &m->eqns.at[one->clusters.eqns.at[k->first]];
    if (first->offset != NONE)
        sink_printf(g->out, "line %u", text_position(m->mem, &g->m->text, first->offset).line);
    sink_printf(g->out, "\"];\n");
    memo_set(m->mem, &g->from, cluster_id(g, id), 1); /* so that it has no arrow to itself */
    for (u32 i = k->first; i < k->first + k->n; i++) {
        const struct eqn *eqn = &m->eqns.at[one->clusters.eqns.at[i]];
        for (u32 n = 0; n < eqn->n_atoms; n++) {
            var_t v = graph_atom_var(m, m->atoms.at[eqn->atoms + n]);
            u32 producer = v == NONE ? NONE : graph_producer(g, v);
            if (producer == NONE || memo_get(&g->from, producer))
                continue;
            memo_set(m->mem, &g->from, producer, 1);
            write_id(g, g->arrows, producer);
            sink_printf(g->arrows, " -> k%u;\n", id);
        }
    }
    memo_free(m->mem, &g->from);
}

static void
push_cluster(struct graph *g, u32 jaxpr, u32 cluster)
{
    const struct cluster *k = &g->fold.jaxprs.at[jaxpr].clusters.list.at[cluster];
    *vec_push(g->m->mem, &g->stack) = (struct graph_frame){.jaxpr = jaxpr,
                                                           .cluster = cluster,
                                                           .next = k->first,
                                                           .last = k->first + k->n,
                                                           .child = k->child,
                                                           .holding = NONE};
}

/* opens the cluster of a program; `key` is the parameter that contains it, NONE for others */
static void
open_cluster(struct graph *g, jaxpr_t j, param_t key)
{
    const struct module *m = g->m;
    const struct jaxpr *program = &m->jaxprs.at[j];
    struct name_buffer buffer;
    sink_printf(g->out, "subgraph cluster_j%u {\nlabel=\"", j);
    if (key != NONE && m->params.at[key].kind == PARAM_SHARED)
        graph_label(g->out, param_bytes(m, &m->params.at[key]), LABEL);
    else if (key != NONE && m->params.at[key].key != NONE)
        graph_label(g->out, module_name(m, m->params.at[key].key, &buffer), LABEL);
    sink_printf(g->out, "\";\nj%u [shape=point, style=invis];\n", j); /* the targets of dashed arrows */
    bool many = memo_get(&g->fold.arguments, program->vars);
    if (many)
        write_arguments(g, program);
    for (u32 i = 0; !many && i < jaxpr_binders(program); i++)
        write_binder(g, program->vars + i, i < program->n_consts);
    write_removed(g, j);
    push_cluster(g, (u32)memo_get(&g->fold.drawn, j) - 1, 0);
}

/* begins a cluster of equations of the current program: a frame around them, or one node if it is folded */
static void
write_inner(struct graph *g, u32 jaxpr, u32 cluster)
{
    const struct folded_jaxpr *one = &g->fold.jaxprs.at[jaxpr];
    if (!g->fold.open.at[one->base + cluster]) {
        write_folded(g, one, cluster);
        return;
    }
    sink_printf(g->out, "subgraph cluster_k%u {\nstyle=dotted;\nlabel=\"", one->base + cluster);
    graph_label(g->out, cluster_title(g->m, &one->clusters, cluster), LABEL);
    sink_printf(g->out, "\";\n");
    push_cluster(g, jaxpr, cluster);
}

static void
close_cluster(struct graph *g, jaxpr_t j)
{
    const struct jaxpr *program = &g->m->jaxprs.at[j];
    if (g->how->focus.n == 0) {
        sink_printf(g->out, "r%u [shape=plaintext, label=\"results\"];\n", j);
        for (u32 i = 0; i < program->n_outs; i++)
            write_use(g, g->m->atoms.at[program->outs + i], 'r', j, program->n_outs > 1 ? i + 1 : 0);
        memo_free(g->m->mem, &g->from);
    }
    sink_printf(g->out, "}\n");
}

/* begins a program nested in an equation: it is drawn here or, if shared, queued to be drawn at the top level */
static void
write_held(struct graph *g, struct graph_frame *f, jaxpr_t j)
{
    if (!memo_get(&g->fold.drawn, j) || !shown(g, g->m->vars.n + f->holding))
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

/* whether an equation contains programs that are not drawn */
static bool
is_folded(const struct graph *g, eqn_t e)
{
    struct nested h = nested_start(g->m, e);
    for (jaxpr_t j; (j = nested_next(g->m, &h)) != NONE;)
        if (!memo_get(&g->fold.drawn, j))
            return true;
    return false;
}

static void
step(struct graph *g)
{
    const struct module *m = g->m;
    struct graph_frame *f = &g->stack.at[g->stack.n - 1];
    jaxpr_t inner = f->holding == NONE ? NONE : nested_next(m, &f->held);
    if (inner != NONE) {
        write_held(g, f, inner);
        return;
    }
    struct graph_frame at = *f;
    const struct folded_jaxpr *one = &g->fold.jaxprs.at[at.jaxpr];
    f->holding = NONE;
    if (at.next == at.last) {
        if (at.cluster == 0)
            close_cluster(g, one->jaxpr);
        else
            sink_printf(g->out, "}\n");
        g->stack.n--;
        return;
    }
    const struct cluster *child = at.child == NONE ? NULL : &one->clusters.list.at[at.child];
    if (child && child->first == at.next) {
        f->next += child->n;
        f->child = child->next;
        write_inner(g, at.jaxpr, at.child);
        return;
    }
    eqn_t e = one->clusters.eqns.at[f->next++];
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
    folding_drop(g->m, &g->fold);
    mem_free_all(mem, g->producer.slots, g->near.slots, g->holder.slots, g->removed.slots, g->stack.at, g->eqns.at,
                 g->shared.at, g->held.at);
    prims_free(&g->prims);
}

bool
graph_program(struct sink *out, struct module *m, program_t program, const struct graph_options *options, u32 number)
{
    struct graph g = {.out = out, .arrows = out, .m = m, .how = options};
    struct sink later;
    struct memo done = {0};
    prims_init(m->mem, &g.prims);
    jaxpr_t main = m->programs.at[program].main;
    for (u32 i = options->n_removed; i-- > 0;)
        memo_set(m->mem, &g.removed, options->removed[i].jaxpr, i + 1);
    if (main != NONE)
        find_drawn(&g, main);
    if (main != NONE && options->focus.n)
        graph_find_near(&g);
    if (options->focus.n && !g.found) {
        graph_end(&g);
        return false;
    }
    sink_printf(out,
                "digraph jaxpr%u {\ncompound=true;\nfontname=\"monospace\";\n"
                "node [shape=box, fontname=\"monospace\", fontsize=10];\nedge [fontname=\"monospace\", fontsize=9, "
                "labeldistance=1.7, labelangle=35];\n",
                number);
    sink_init_memory(&later, m->mem);
    g.arrows = g.fold.active ? &later : out;
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
    sink_slice(out, (struct slice){later.at, later.n});
    sink_printf(out, "}\n");
    mem_free(m->mem, later.at);
    memo_free(m->mem, &done);
    graph_end(&g);
    return g.found;
}
