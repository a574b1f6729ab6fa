/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the cost of a program is: a flame graph, whose bars are as wide as their cost. A bar is a scope, function,
 * line, call or primitive, and its parts are below it; parts of the same name are one bar. Linear. */
#include "base/decimal.h"
#include "report/page.h"
#include "report/source_path.h"

enum { WIDTH = 640, BAR = 18, DEEPEST = 18, LETTER = 7 };

enum bar_kind { BAR_SCOPE = PATH_SCOPE, BAR_FUNCTION, BAR_LINE, BAR_CALL, BAR_PRIMITIVE };

/* Equations with the same path from the root. */
struct bar {
    u32 parent, depth;
    u8 kind;
    struct slice name;
    eqn_t first; /* the first of its equations */
    u32 n;       /* equations */
    double value[2];
    double x, used; /* its left end, and the width already used by its children */
};

struct flame {
    struct page *p;
    VEC(struct bar) bars;
    struct names index; /* parent and name; the n-th entry is the n-th bar */
    VEC(char) key;
    struct memo root_of; /* by index into costs.jaxprs: the bar of the program + 1 */
};

static u32
bar_of(struct flame *f, u32 parent, enum bar_kind kind, struct slice name, eqn_t e)
{
    struct mem *mem = f->p->m->mem;
    f->key.n = 0;
    vec_append(mem, &f->key, &parent, sizeof parent);
    *vec_push(mem, &f->key) = (char)kind;
    vec_append(mem, &f->key, name.at, name.n);
    struct slice key = {f->key.at, f->key.n};
    name_t found = names_find(&f->index, key);
    if (found != NONE)
        return found - NAME_OTHER;
    found = names_intern(mem, &f->index, arena_copy(mem, key));
    *vec_push(mem, &f->bars) = (struct bar){.parent = parent,
                                            .depth = parent == NONE ? 0 : f->bars.at[parent].depth + 1,
                                            .kind = (u8)kind,
                                            .name = arena_copy(mem, name),
                                            .first = e};
    return found - NAME_OTHER;
}

/* the bar of an equation's path */
static u32
bar_of_place(struct flame *f, u32 bar, eqn_t e)
{
    struct source_path place;
    source_path_read(f->p->m, e, &place);
    for (u32 i = 0; i < place.n && f->bars.at[bar].depth < DEEPEST - 2; i++)
        bar = bar_of(f, bar, place.kind[i], place.part[i], e);
    return bar;
}

static void
find_roots(struct flame *f)
{
    struct page *p = f->p;
    for (u32 i = 0; i < p->costs.jaxprs.n; i++) {
        const struct cost_jaxpr *c = &p->costs.jaxprs.at[i];
        u32 bar = 0;
        if (i == 0) {
            bar = bar_of(f, NONE, BAR_CALL, SLICE("program"), NONE);
        } else {
            struct name_buffer buffer;
            u64 holder = memo_get(&f->root_of, (u32)memo_get(&p->holder_program, c->holder) - 1);
            bar = bar_of_place(f, holder ? (u32)holder - 1 : 0, c->holder);
            if (f->bars.at[bar].depth < DEEPEST - 2)
                bar = bar_of(f, bar, BAR_CALL, called_name(p->m, c->holder, &buffer), c->holder);
        }
        memo_set(p->m->mem, &f->root_of, i, bar + 1ull);
    }
}

static void
add_charges(struct flame *f)
{
    struct page *p = f->p;
    for (u32 i = 0; i < p->detail.charges.n; i++) {
        const struct cost_charge *c = &p->detail.charges.at[i];
        struct name_buffer buffer;
        u32 bar = (u32)memo_get(&f->root_of, c->program) - 1;
        bar = bar_of_place(f, bar, c->eqn);
        bar = bar_of(f, bar, BAR_PRIMITIVE, module_name(p->m, p->m->eqns.at[c->eqn].prim, &buffer), c->eqn);
        f->bars.at[bar].value[0] += c->flops;
        f->bars.at[bar].value[1] += c->bytes;
        f->bars.at[bar].n++;
    }
    for (u32 i = f->bars.n; i-- > 1;) {
        struct bar *to = &f->bars.at[f->bars.at[i].parent];
        to->value[0] += f->bars.at[i].value[0];
        to->value[1] += f->bars.at[i].value[1];
        to->n += f->bars.at[i].n;
    }
}

/* writes a number of bytes if `what` is 1, else of operations */
static void
write_value(struct page *p, u32 what, double value)
{
    char text[32];
    if (what == 1) {
        page_bytes(p, value);
        return;
    }
    decimal_write_short(value, text);
    sink_printf(p->out, "%s operation%s", text, value == 1 ? "" : "s");
}

static void
write_bar(struct flame *f, const struct bar *b, double width, double share, u32 what)
{
    static const char *const classes[] = {"s", "f", "l", "c", "o"};
    struct page *p = f->p;
    u32 y = b->depth * BAR, room = (u32)((width - 4) / LETTER);
    if (b->first != NONE)
        sink_printf(p->out, "<a href=\"#m%ue%u\">", p->number, b->first);
    sink_printf(p->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\"><title>", classes[b->kind],
                b->x, y, width, BAR - 1);
    html_text_cut(p->out, b->name, 200);
    sink_printf(p->out, ": ");
    write_value(p, what, b->value[what]);
    sink_printf(p->out, ", %.3g %%, %u equation%s</title></rect>", 100 * share, b->n, b->n == 1 ? "" : "s");
    if (room > 2) {
        sink_printf(p->out, "<text x=\"%.1f\" y=\"%u\">", b->x + 3, y + 13);
        html_text_cut(p->out, b->name, room > b->name.n ? b->name.n : room - 1);
        sink_printf(p->out, "</text>");
    }
    sink_printf(p->out, "%s\n", b->first != NONE ? "</a>" : "");
}

static void
write_flame(struct flame *f, u32 what, const char *title, const char *unit)
{
    struct page *p = f->p;
    double all = f->bars.at[0].value[what];
    u32 depth = 0;
    if (!(all > 0))
        return;
    for (u32 i = 0; i < f->bars.n; i++) {
        struct bar *b = &f->bars.at[i];
        b->used = 0;
        b->x = 0;
        if (i > 0) {
            struct bar *parent = &f->bars.at[b->parent];
            b->x = parent->x + parent->used;
            parent->used += b->value[what] / all * WIDTH;
        }
        if (b->value[what] / all * WIDTH >= 1 && b->depth > depth)
            depth = b->depth;
    }
    sink_printf(p->out, "<figure class=\"flame\"><figcaption>%s: ", title);
    write_value(p, what, all);
    sink_printf(p->out, "</figcaption><svg role=\"img\" aria-label=\"%s by place\" viewBox=\"0 0 %d %u\">\n", unit,
                WIDTH, (depth + 1) * BAR);
    for (u32 i = 0; i < f->bars.n; i++) {
        double share = f->bars.at[i].value[what] / all;
        if (share * WIDTH >= 1)
            write_bar(f, &f->bars.at[i], share * WIDTH, share, what);
    }
    sink_printf(p->out, "</svg></figure>\n");
}

void
page_flames(struct page *p)
{
    struct flame f = {.p = p};
    struct mem *mem = p->m->mem;
    if (p->costs.jaxprs.n == 0)
        return;
    names_init(mem, &f.index, 0);
    find_roots(&f);
    add_charges(&f);
    write_flame(&f, 0, "Operations by place", "operations");
    write_flame(&f, 1, "Bytes moved by place", "bytes");
    mem_free_all(mem, f.bars.at, f.key.at, f.root_of.slots);
}
