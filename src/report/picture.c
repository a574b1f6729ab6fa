/* SPDX-License-Identifier: Apache-2.0
 *
 * The pictures of a jaxpr: its equations, or its clusters if it is large, and below them a fold for each cluster
 * with a picture of its own. Values that a cluster reads from outside are boxes at its top; those that are read
 * outside have lines to a box at its bottom. Linear in the equations and in how deep clusters are; drawings are
 * small. */
#include "report/drawing.h"
#include "report/page.h"

enum {
    PICTURE_EQUATIONS = 60, /* up to this number, a program is drawn as a whole */
    SOURCES = 16,           /* the most values from outside that have boxes of their own */
    DRAWN = 120,            /* the most clusters drawn for one program */
    MOST_BOXES = 5000       /* the same for one module */
};

struct picture {
    struct page *p;
    struct module *m;
    jaxpr_t jaxpr;
    struct clusters clusters;
    u32 drawn;        /* how many clusters have been drawn */
    struct memo made; /* by variable: the box that computes it + 1, in the current picture */
    struct memo last; /* by variable: the index of its last reader in the list of equations + 1; NONE: a result */
    struct drawing d;
    VEC(var_t) outside; /* values from outside that a cluster reads */
};

static struct slice
finish(struct sink *text, struct mem *mem)
{
    struct slice copy = arena_copy(mem, (struct slice){text->at, text->n});
    mem_free(mem, text->at);
    return copy;
}

static struct slice
binder_text(const struct picture *g, var_t v)
{
    struct sink text;
    struct name_buffer buffer;
    const struct var *var = &g->m->vars.at[v];
    sink_init_memory(&text, g->m->mem);
    sink_slice(&text, module_name(g->m, var->name, &buffer));
    if (var->type != NONE) {
        sink_char(&text, ':');
        sink_slice(&text, type_get(&g->m->types, var->type)->text);
    }
    return finish(&text, g->m->mem);
}

static const char *
class_of(const struct picture *g, eqn_t e)
{
    const char *mark = page_mark(g->p, e);
    if (mark)
        return mark;
    return memo_get(&g->p->found, e) ? "bad" : NULL;
}

/* appends the share of some equations in the total cost; nothing if it is unknown */
static void
write_share(const struct picture *g, struct sink *text, double weight, bool unit)
{
    if (g->p->all_weight <= 0 || weight <= 0)
        return;
    double percent = 100 * weight / g->p->all_weight;
    if (percent < 0.1)
        sink_printf(text, ", under 0.1 %%");
    else
        sink_printf(text, ", %.3g %%", percent);
    if (unit)
        sink_printf(text, " of %s", g->p->weight_unit);
}

static double
weight_of(const struct picture *g, eqn_t e)
{
    u64 known = memo_get(&g->p->weight_of, e);
    return known ? g->p->weights.at[known - 1] : 0;
}

static u32
add_equation(struct picture *g, eqn_t e)
{
    const struct module *m = g->m;
    const struct eqn *eqn = &m->eqns.at[e];
    struct name_buffer buffer;
    struct box box = {.kind = 'e', .id = e, .class = class_of(g, e)};
    struct source_path place;
    struct sink text;
    sink_init_memory(&text, m->mem);
    sink_slice(&text, module_name(m, eqn->prim, &buffer));
    struct slice call = called_name(m, e, &buffer);
    if (!slice_eq(call, (struct slice){text.at, text.n})) {
        sink_char(&text, ' ');
        sink_slice(&text, call);
    }
    box.text[0] = finish(&text, m->mem);
    if (eqn->n_vars)
        box.text[1] = binder_text(g, eqn->vars);
    source_path_read(m, e, &place);
    sink_init_memory(&text, m->mem);
    if (eqn->offset != NONE) {
        const char *at = m->text.at + eqn->offset, *end = memchr(at, '\n', m->text.n - eqn->offset);
        const char *hash = memmem(at, end ? (size_t)(end - at) : 0, "  # ", 4);
        end = hash ? hash : end ? end : m->text.at + m->text.n;
        sink_slice(&text, (struct slice){at, end - at < 200 ? (size_t)(end - at) : 200});
    }
    for (u32 i = 0; i < place.n; i++) {
        sink_printf(&text, i ? " / " : "\n");
        sink_slice(&text, place.part[i]);
    }
    write_share(g, &text, weight_of(g, e), true);
    box.tooltip = finish(&text, m->mem);
    return drawing_add(&g->d, &box);
}

static u32
add_cluster(struct picture *g, u32 id)
{
    const struct cluster *k = &g->clusters.list.at[id];
    bool drawn = id < g->drawn;
    struct box box = {.kind = drawn ? 'g' : 'e',
                      .id = drawn ? g->p->pictures + id : g->clusters.eqns.at[k->first],
                      .class = "cluster"};
    double weight = 0;
    for (u32 i = k->first; i < k->first + k->n; i++) {
        eqn_t e = g->clusters.eqns.at[i];
        weight += weight_of(g, e);
        if (g->p->marks && g->p->marks[e])
            box.class = "cluster changed";
    }
    struct sink text;
    box.text[0] = cluster_title(g->m, &g->clusters, id);
    sink_init_memory(&text, g->m->mem);
    sink_printf(&text, "%u equations", k->n);
    write_share(g, &text, weight, false);
    box.text[1] = finish(&text, g->m->mem);
    sink_init_memory(&text, g->m->mem);
    sink_slice(&text, box.text[0]);
    sink_printf(&text, ": %u equations", k->n);
    write_share(g, &text, weight, true);
    box.tooltip = finish(&text, g->m->mem);
    return drawing_add(&g->d, &box);
}

static void
make(struct picture *g, eqn_t e, u32 box)
{
    const struct eqn *eqn = &g->m->eqns.at[e];
    for (u32 i = 0; i < eqn->n_vars; i++)
        memo_set(g->m->mem, &g->made, eqn->vars + i, box + 1ull);
}

/* adds lines to an equation's box from those of its operands */
static void
read_operands(struct picture *g, eqn_t e, u32 box)
{
    const struct eqn *eqn = &g->m->eqns.at[e];
    for (u32 i = 0; i < eqn->n_atoms; i++) {
        atom_t a = atom_without_index(g->m, g->m->atoms.at[eqn->atoms + i]);
        u64 from = atom_kind(a) == ATOM_VAR ? memo_get(&g->made, atom_id(a)) : 0;
        if (from)
            drawing_line(&g->d, (u32)from - 1, box);
    }
}

/* ---- values that enter and leave a cluster ---- */

static void
find_last(struct picture *g)
{
    const struct module *m = g->m;
    const struct jaxpr *j = &m->jaxprs.at[g->jaxpr];
    for (u32 k = 0; k < g->clusters.eqns.n; k++) {
        const struct eqn *eqn = &m->eqns.at[g->clusters.eqns.at[k]];
        for (u32 i = 0; i < eqn->n_atoms; i++) {
            atom_t a = atom_without_index(m, m->atoms.at[eqn->atoms + i]);
            if (atom_kind(a) == ATOM_VAR)
                memo_set(m->mem, &g->last, atom_id(a), k + 1ull);
        }
    }
    for (u32 i = 0; i < j->n_outs; i++) {
        atom_t a = atom_without_index(m, m->atoms.at[j->outs + i]);
        if (atom_kind(a) == ATOM_VAR)
            memo_set(m->mem, &g->last, atom_id(a), NONE);
    }
}

static void
find_outside(struct picture *g, const struct cluster *k)
{
    const struct module *m = g->m;
    const struct jaxpr *j = &m->jaxprs.at[g->jaxpr];
    enum { MADE = 1, READ };
    struct memo seen = {0};
    g->outside.n = 0;
    for (u32 v = j->vars; k->parent == NONE && v < j->vars + jaxpr_binders(j); v++)
        *vec_push(m->mem, &g->outside) = v;
    for (u32 i = k->first; k->parent != NONE && i < k->first + k->n; i++) {
        const struct eqn *eqn = &m->eqns.at[g->clusters.eqns.at[i]];
        for (u32 n = 0; n < eqn->n_vars; n++)
            memo_set(m->mem, &seen, eqn->vars + n, MADE);
        for (u32 n = 0; n < eqn->n_atoms; n++) {
            atom_t a = atom_without_index(m, m->atoms.at[eqn->atoms + n]);
            if (atom_kind(a) != ATOM_VAR || memo_get(&seen, atom_id(a)))
                continue;
            memo_set(m->mem, &seen, atom_id(a), READ);
            *vec_push(m->mem, &g->outside) = atom_id(a);
        }
    }
    memo_free(m->mem, &seen);
}

static void
add_outside(struct picture *g, const struct cluster *k)
{
    struct mem *mem = g->m->mem;
    bool many = g->outside.n > SOURCES;
    u32 box = 0;
    if (many)
        box = drawing_add(&g->d, &(struct box){.text = {arena_printf(mem, "%u %s", g->outside.n,
                                                                     k->parent == NONE ? "arguments" : "values")},
                                               .class = "arg",
                                               .source = true});
    for (u32 i = 0; i < g->outside.n; i++) {
        var_t v = g->outside.at[i];
        if (!many)
            box = drawing_add(
                &g->d,
                &(struct box){.text = {binder_text(g, v)}, .class = "arg", .kind = 'v', .id = v, .source = true});
        memo_set(mem, &g->made, v, box + 1ull);
    }
}

static void
add_results(struct picture *g, const struct cluster *k)
{
    const struct module *m = g->m;
    const struct jaxpr *j = &m->jaxprs.at[g->jaxpr];
    u32 box = NONE;
    bool root = k->parent == NONE;
    if (root)
        box = drawing_add(&g->d, &(struct box){.text = {SLICE("results")}});
    for (u32 i = 0; root && i < j->n_outs; i++) {
        atom_t a = atom_without_index(m, m->atoms.at[j->outs + i]);
        u64 from = atom_kind(a) == ATOM_VAR ? memo_get(&g->made, atom_id(a)) : 0;
        if (from)
            drawing_line(&g->d, (u32)from - 1, box);
    }
    for (u32 i = k->first; !root && i < k->first + k->n; i++) {
        const struct eqn *eqn = &m->eqns.at[g->clusters.eqns.at[i]];
        for (u32 v = eqn->vars; v < eqn->vars + eqn->n_vars; v++) {
            if (memo_get(&g->last, v) <= (u64)k->first + k->n)
                continue;
            if (box == NONE)
                box = drawing_add(&g->d, &(struct box){.text = {SLICE("used later")}});
            drawing_line(&g->d, (u32)memo_get(&g->made, v) - 1, box);
        }
    }
}

/* ---- one picture, and those below it ---- */

static void
draw(struct picture *g, u32 id)
{
    const struct cluster *k = &g->clusters.list.at[id];
    g->d = (struct drawing){.mem = g->m->mem};
    find_outside(g, k);
    add_outside(g, k);
    u32 child = k->child;
    for (u32 i = k->first; i < k->first + k->n;) {
        const struct cluster *inner = child == NONE ? NULL : &g->clusters.list.at[child];
        bool folded = inner && inner->first == i;
        u32 end = folded ? i + inner->n : i + 1;
        u32 box = folded ? add_cluster(g, child) : add_equation(g, g->clusters.eqns.at[i]);
        for (u32 n = i; n < end; n++) {
            make(g, g->clusters.eqns.at[n], box);
            read_operands(g, g->clusters.eqns.at[n], box);
        }
        i = end;
        child = folded ? inner->next : child;
    }
    add_results(g, k);
    g->p->boxes += g->d.boxes.n;
    drawing_write(&g->d, g->p->out, g->p->number);
    memo_free(g->m->mem, &g->made);
}

static void
open_cluster(struct picture *g, u32 id)
{
    struct page *p = g->p;
    const struct cluster *k = &g->clusters.list.at[id];
    struct slice title = cluster_title(g->m, &g->clusters, id);
    sink_printf(p->out, "<details id=\"m%ug%u\"><summary>", p->number, p->pictures + id);
    html_text_cut(p->out, title, 80);
    sink_printf(p->out, " <span class=\"n\">%u equations from line %u</span></summary>", k->n,
                text_position(g->m->mem, &g->m->text, g->m->eqns.at[g->clusters.eqns.at[k->first]].offset).line);
    draw(g, id);
}

void
page_picture(struct page *p, jaxpr_t j)
{
    struct picture g = {.p = p, .m = p->m, .jaxpr = j};
    struct mem *mem = p->m->mem;
    clusters_read(p->m, j, PICTURE_EQUATIONS, &g.clusters);
    g.drawn = p->boxes < MOST_BOXES ? DRAWN : 1;
    find_last(&g);
    draw(&g, 0);
    u32 id = g.clusters.list.at[0].child;
    while (id != NONE) { /* the first child, else the next cluster of the same parent, else of an outer one */
        const struct cluster *k = &g.clusters.list.at[id];
        bool drawn = id < g.drawn;
        if (drawn)
            open_cluster(&g, id);
        if (drawn && k->child != NONE) {
            id = k->child;
            continue;
        }
        if (drawn)
            sink_printf(p->out, "</details>\n");
        for (; id != NONE && g.clusters.list.at[id].next == NONE; id = g.clusters.list.at[id].parent)
            if (g.clusters.list.at[id].parent != 0 && g.clusters.list.at[id].parent != NONE)
                sink_printf(p->out, "</details>\n");
        id = id == NONE ? NONE : g.clusters.list.at[id].next;
    }
    p->pictures += g.clusters.list.n;
    memo_free(mem, &g.last);
    vec_free(mem, &g.outside);
    clusters_drop(p->m, &g.clusters);
}
