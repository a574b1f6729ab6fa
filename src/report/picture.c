/* SPDX-License-Identifier: Apache-2.0
 *
 * A drawing in layers, made without any other program: an equation stands one layer below the last of its operands, and
 * in its layer where the middle of them is; lines are curves from bottom to top, and what passes a layer has a place of
 * its own in it. Only small programs are drawn, so what is quadratic in their boxes is small. */
#include "report/page.h"

#include <stdlib.h>

enum { CELL = 8, PAD = 8, HEIGHT = 36, ROW = 64, GAP = 14, WIDEST = 26, BENDS = 1500 };

/* An argument, an equation, the results, or a place where a line passes a layer. */
struct box {
    var_t var; /* an argument; NONE for others */
    eqn_t eqn; /* NONE for others */
    bool bend; /* a line passes */
    u32 layer;
    i64 x, width; /* left edge */
    i64 wish;     /* where its middle would like to be */
};

struct line {
    u32 from, to;
};

struct picture {
    struct page *p;
    VEC(struct box) boxes;
    VEC(struct line) lines;
    struct memo made; /* by variable: box + 1 */
    u32 layers;
};

/* the characters a text takes, cut at WIDEST */
static u32
cells(struct slice text)
{
    u32 n = 0;
    for (size_t i = 0; i < text.n && n < WIDEST; i++)
        n += ((u8)text.at[i] & 0xc0) != 0x80;
    return n + (n == WIDEST);
}

static struct slice
type_text(const struct picture *g, var_t v)
{
    type_t t = g->p->m->vars.at[v].type;
    return t == NONE ? (struct slice){"", 0} : type_get(&g->p->m->types, t)->text;
}

/* the variable whose name and type a box shows, NONE for none */
static var_t
shown_var(const struct picture *g, const struct box *b)
{
    if (b->eqn == NONE)
        return b->var;
    return g->p->m->eqns.at[b->eqn].n_vars ? g->p->m->eqns.at[b->eqn].vars : NONE;
}

static void
measure(struct picture *g, struct box *b)
{
    struct name_buffer buffer;
    u32 widest = b->eqn == NONE && b->var == NONE ? 7 : 1;
    if (b->eqn != NONE)
        widest = cells(module_name(g->p->m, g->p->m->eqns.at[b->eqn].prim, &buffer));
    var_t v = shown_var(g, b);
    if (v != NONE) {
        u32 name = cells(module_name(g->p->m, g->p->m->vars.at[v].name, &buffer)) + 1 + cells(type_text(g, v));
        widest = name > widest ? name : widest;
    }
    b->width = (i64)widest * CELL + 2 * PAD;
}

static u32
add_box(struct picture *g, var_t v, eqn_t e)
{
    *vec_push(g->p->m->mem, &g->boxes) = (struct box){.var = v, .eqn = e};
    measure(g, &g->boxes.at[g->boxes.n - 1]);
    return g->boxes.n - 1;
}

/* a line from the maker of a variable, and the layer below it */
static void
use(struct picture *g, atom_t a, u32 to)
{
    if (atom_kind(a) == ATOM_REF)
        a = g->p->m->refs.at[atom_id(a)].ref;
    u64 from = atom_kind(a) == ATOM_VAR ? memo_get(&g->made, atom_id(a)) : 0;
    if (!from)
        return;
    *vec_push(g->p->m->mem, &g->lines) = (struct line){(u32)from - 1, to};
    if (g->boxes.at[to].layer <= g->boxes.at[from - 1].layer)
        g->boxes.at[to].layer = g->boxes.at[from - 1].layer + 1;
}

/* lets the lines that leave a box pass the layers between it and who reads it together: a line to layer n leaves from
 * the place in layer n - 1 */
static void
bend_lines(struct picture *g, u32 box)
{
    struct mem *mem = g->p->m->mem;
    u32 own = g->boxes.at[box].layer, deepest = own, first = g->boxes.n;
    for (u32 k = 0; k < g->lines.n; k++)
        if (g->lines.at[k].from == box && g->boxes.at[g->lines.at[k].to].layer > deepest)
            deepest = g->boxes.at[g->lines.at[k].to].layer;
    if (deepest <= own + 1 || g->boxes.n + deepest - own > PICTURE_NODES + BENDS)
        return;
    for (u32 k = 0; k < g->lines.n; k++)
        if (g->lines.at[k].from == box && g->boxes.at[g->lines.at[k].to].layer > own + 1)
            g->lines.at[k].from = first + g->boxes.at[g->lines.at[k].to].layer - own - 2;
    for (u32 layer = own + 1; layer < deepest; layer++) {
        *vec_push(mem, &g->boxes) = (struct box){.var = NONE, .eqn = NONE, .bend = true, .layer = layer, .width = 2};
        *vec_push(mem, &g->lines) = (struct line){layer == own + 1 ? box : g->boxes.n - 2, g->boxes.n - 1};
    }
}

static void
collector(struct picture *g, jaxpr_t id)
{
    struct module *m = g->p->m;
    const struct jaxpr *j = &m->jaxprs.at[id];
    for (u32 v = j->vars; v < j->vars + j->n_consts + j->n_ins; v++)
        memo_set(m->mem, &g->made, v, add_box(g, v, NONE) + 1ull);
    for (eqn_t e = j->eqns; e != NONE; e = m->eqns.at[e].next) {
        u32 box = add_box(g, NONE, e);
        for (u32 i = 0; i < m->eqns.at[e].n_vars; i++)
            memo_set(m->mem, &g->made, m->eqns.at[e].vars + i, box + 1ull);
        for (u32 i = 0; i < m->eqns.at[e].n_atoms; i++)
            use(g, m->atoms.at[m->eqns.at[e].atoms + i], box);
    }
    u32 results = add_box(g, NONE, NONE);
    for (u32 i = 0; i < j->n_outs; i++)
        use(g, m->atoms.at[j->outs + i], results);
    for (u32 i = 0; i < g->boxes.n; i++)
        g->layers = g->boxes.at[i].layer + 1 > g->layers ? g->boxes.at[i].layer + 1 : g->layers;
    for (u32 i = 0; i < g->boxes.n; i++) { /* an argument stands right above who reads it first */
        u32 first = g->layers;
        for (u32 k = 0; k < g->lines.n && g->boxes.at[i].var != NONE; k++)
            if (g->lines.at[k].from == i && g->boxes.at[g->lines.at[k].to].layer < first)
                first = g->boxes.at[g->lines.at[k].to].layer;
        if (first < g->layers && first > 0)
            g->boxes.at[i].layer = first - 1;
    }
    for (u32 i = 0, n = g->boxes.n; i < n; i++)
        bend_lines(g, i);
}

static int
by_wish(const void *a, const void *b)
{
    const struct box *x = *(const struct box *const *)a, *y = *(const struct box *const *)b;
    if (x->wish != y->wish)
        return x->wish < y->wish ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* puts the boxes of one layer beside each other, near the middle of what they are made from */
static void
place_layer(struct picture *g, u32 layer, struct box **row)
{
    u32 n = 0;
    for (u32 i = 0; i < g->boxes.n; i++) {
        struct box *b = &g->boxes.at[i];
        if (b->layer != layer)
            continue;
        i64 sum = 0, count = 0;
        for (u32 k = 0; k < g->lines.n; k++)
            if (g->lines.at[k].to == i) {
                const struct box *from = &g->boxes.at[g->lines.at[k].from];
                sum += from->x + from->width / 2;
                count++;
            }
        b->wish = count ? sum / count : n ? row[n - 1]->wish + 1 : 0;
        row[n++] = b;
    }
    qsort(row, n, sizeof *row, by_wish);
    i64 end = INT32_MIN, shift = 0;
    for (u32 i = 0; i < n; i++) {
        i64 x = row[i]->wish - row[i]->width / 2;
        row[i]->x = x > end ? x : end;
        end = row[i]->x + row[i]->width + GAP;
        shift += row[i]->x - x;
    }
    for (u32 i = 0; i < n; i++) /* what pushed them aside is shared by all */
        row[i]->x -= shift / (i64)n;
}

/* moves everything to x >= 0; the width of it all */
static i64
place(struct picture *g)
{
    struct box **row = mem_alloc(g->p->m->mem, g->boxes.n * sizeof *row);
    i64 left = INT32_MAX, right = 0;
    for (u32 layer = 0; layer < g->layers; layer++)
        place_layer(g, layer, row);
    mem_free(g->p->m->mem, row);
    for (u32 i = 0; i < g->boxes.n; i++)
        left = g->boxes.at[i].x < left ? g->boxes.at[i].x : left;
    for (u32 i = 0; i < g->boxes.n; i++) {
        struct box *b = &g->boxes.at[i];
        b->x += PAD - left;
        right = b->x + b->width > right ? b->x + b->width : right;
    }
    return right + PAD;
}

static void
write_text(struct picture *g, const struct box *b, i64 y, struct slice first, const char *between, struct slice second)
{
    struct sink *out = g->p->out;
    sink_printf(out, "<text x=\"%lld\" y=\"%lld\">", (long long)(b->x + b->width / 2), (long long)y);
    html_text_cut(out, first, WIDEST);
    sink_printf(out, "%s", between);
    html_text_cut(out, second, WIDEST);
    sink_printf(out, "</text>");
}

static void
write_box(struct picture *g, const struct box *b)
{
    struct page *p = g->p;
    struct name_buffer buffer;
    i64 y = PAD + (i64)b->layer * ROW;
    if (b->bend) {
        sink_printf(p->out, "<path d=\"M%lld %lldv%d\"/>\n", (long long)(b->x + b->width / 2), (long long)y, HEIGHT);
        return;
    }
    var_t v = shown_var(g, b);
    bool link = b->eqn != NONE || b->var != NONE;
    if (link)
        sink_printf(p->out, "<a href=\"#m%u%c%u\"%s>", p->number, b->eqn != NONE ? 'e' : 'v',
                    b->eqn != NONE ? b->eqn : b->var,
                    b->eqn == NONE                ? " class=\"arg\""
                    : memo_get(&p->found, b->eqn) ? " class=\"bad\""
                                                  : "");
    sink_printf(p->out, "<rect x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%d\"/>", (long long)b->x, (long long)y,
                (long long)b->width, HEIGHT);
    if (b->eqn != NONE)
        write_text(g, b, y + 15, module_name(p->m, p->m->eqns.at[b->eqn].prim, &buffer), "", (struct slice){"", 0});
    if (!link)
        write_text(g, b, y + 22, SLICE("results"), "", (struct slice){"", 0});
    if (v != NONE)
        write_text(g, b, y + (b->eqn != NONE ? 30 : 22), module_name(p->m, p->m->vars.at[v].name, &buffer), ":",
                   type_text(g, v));
    sink_printf(p->out, "%s\n", link ? "</a>" : "");
}

static void
write_line(struct picture *g, const struct line *l)
{
    const struct box *a = &g->boxes.at[l->from], *b = &g->boxes.at[l->to];
    long long x = a->x + a->width / 2, y = PAD + (i64)a->layer * ROW + HEIGHT;
    long long to_x = b->x + b->width / 2, to_y = PAD + (i64)b->layer * ROW, middle = (y + to_y) / 2;
    sink_printf(g->p->out, "<path d=\"M%lld %lldC%lld %lld %lld %lld %lld %lld\"/>\n", x, y, x, middle, to_x, middle,
                to_x, to_y);
}

void
page_picture(struct page *p, jaxpr_t j)
{
    const struct jaxpr *program = &p->m->jaxprs.at[j];
    struct picture g = {.p = p};
    u64 size = (u64)program->n_eqns + program->n_ins + program->n_consts;
    u64 uses = program->n_outs;
    for (eqn_t e = program->eqns; e != NONE && size <= PICTURE_NODES; e = p->m->eqns.at[e].next)
        uses += p->m->eqns.at[e].n_atoms;
    if (size == 0 || size > PICTURE_NODES || uses > 16 * PICTURE_NODES)
        return;
    collector(&g, j);
    long long width = place(&g), height = 2 * PAD + (i64)(g.layers - 1) * ROW + HEIGHT;
    sink_printf(p->out,
                "<div class=\"wide\"><svg role=\"img\" aria-label=\"dataflow\" width=\"%lld\" height=\"%lld\" "
                "viewBox=\"0 0 %lld %lld\">\n",
                width, height, width, height);
    for (u32 i = 0; i < g.lines.n; i++)
        write_line(&g, &g.lines.at[i]);
    for (u32 i = 0; i < g.boxes.n; i++)
        write_box(&g, &g.boxes.at[i]);
    sink_printf(p->out, "</svg></div>\n");
    memo_free(p->m->mem, &g.made);
    vec_free(p->m->mem, &g.boxes);
    vec_free(p->m->mem, &g.lines);
}
