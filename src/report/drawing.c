/* SPDX-License-Identifier: Apache-2.0
 *
 * A drawing in layers, made without any other program: a box is one layer below the last of those it has lines
 * from, and in its layer at their middle; lines are curves from bottom to top, and a line that crosses a layer has
 * a place of its own in it. Only small drawings are made, so what is quadratic in their boxes is small. */
#include "report/drawing.h"

#include "report/html.h"

#include <stdlib.h>

enum {
    CELL = 8,
    PAD = 8,
    HEIGHT = 36,
    ROW = 64,
    GAP = 14,
    WIDEST = 30,
    BENDS = 1500,
    SMALLEST = 65 /* percent, of what is shrunk to fit */
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

u32
drawing_add(struct drawing *d, const struct box *like)
{
    struct box *b = vec_push(d->mem, &d->boxes);
    *b = *like;
    u32 first = cells(b->text[0]), second = cells(b->text[1]);
    b->width = (i64)(first > second ? first : second) * CELL + 2 * PAD;
    return d->boxes.n - 1;
}

void
drawing_line(struct drawing *d, u32 from, u32 to)
{
    if (from == to || memo_get(&d->known, from * DRAWING_MOST + to))
        return;
    memo_set(d->mem, &d->known, from * DRAWING_MOST + to, 1);
    *vec_push(d->mem, &d->lines) = (struct line){from, to};
    if (d->boxes.at[to].layer <= d->boxes.at[from].layer)
        d->boxes.at[to].layer = d->boxes.at[from].layer + 1;
}

/* lets the lines that leave a box pass the layers between it and who reads it together: a line to layer n leaves from
 * the place in layer n - 1 */
static void
bend_lines(struct drawing *d, u32 box)
{
    struct mem *mem = d->mem;
    u32 own = d->boxes.at[box].layer, deepest = own, first = d->boxes.n;
    for (u32 k = 0; k < d->lines.n; k++)
        if (d->lines.at[k].from == box && d->boxes.at[d->lines.at[k].to].layer > deepest)
            deepest = d->boxes.at[d->lines.at[k].to].layer;
    if (deepest <= own + 1 || d->boxes.n + deepest - own > BENDS)
        return;
    for (u32 k = 0; k < d->lines.n; k++)
        if (d->lines.at[k].from == box && d->boxes.at[d->lines.at[k].to].layer > own + 1)
            d->lines.at[k].from = first + d->boxes.at[d->lines.at[k].to].layer - own - 2;
    for (u32 layer = own + 1; layer < deepest; layer++) {
        *vec_push(mem, &d->boxes) = (struct box){.bend = true, .layer = layer, .width = 2};
        *vec_push(mem, &d->lines) = (struct line){layer == own + 1 ? box : d->boxes.n - 2, d->boxes.n - 1};
    }
}

/* which layer everything is in, and the bends of lines */
static void
find_layers(struct drawing *d)
{
    for (u32 i = 0; i < d->boxes.n; i++)
        d->layers = d->boxes.at[i].layer + 1 > d->layers ? d->boxes.at[i].layer + 1 : d->layers;
    for (u32 i = 0; i < d->boxes.n; i++) { /* an argument is right above its first use */
        u32 first = d->layers;
        for (u32 k = 0; k < d->lines.n && d->boxes.at[i].source; k++)
            if (d->lines.at[k].from == i && d->boxes.at[d->lines.at[k].to].layer < first)
                first = d->boxes.at[d->lines.at[k].to].layer;
        if (first < d->layers && first > 0)
            d->boxes.at[i].layer = first - 1;
    }
    for (u32 i = 0, n = d->boxes.n; i < n; i++)
        bend_lines(d, i);
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
place_layer(struct drawing *d, u32 layer, struct box **row)
{
    u32 n = 0;
    for (u32 i = 0; i < d->boxes.n; i++) {
        struct box *b = &d->boxes.at[i];
        if (b->layer != layer)
            continue;
        i64 sum = 0, count = 0;
        for (u32 k = 0; k < d->lines.n; k++)
            if (d->lines.at[k].to == i) {
                const struct box *from = &d->boxes.at[d->lines.at[k].from];
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
place(struct drawing *d)
{
    struct box **row = mem_alloc(d->mem, d->boxes.n * sizeof *row);
    i64 left = INT32_MAX, right = 0;
    for (u32 layer = 0; layer < d->layers; layer++)
        place_layer(d, layer, row);
    mem_free(d->mem, row);
    for (u32 i = 0; i < d->boxes.n; i++)
        left = d->boxes.at[i].x < left ? d->boxes.at[i].x : left;
    for (u32 i = 0; i < d->boxes.n; i++) {
        struct box *b = &d->boxes.at[i];
        b->x += PAD - left;
        right = b->x + b->width > right ? b->x + b->width : right;
    }
    return right + PAD;
}

static void
write_text(struct sink *out, const struct box *b, i64 y, struct slice text)
{
    sink_printf(out, "<text x=\"%lld\" y=\"%lld\">", (long long)(b->x + b->width / 2), (long long)y);
    html_text_cut(out, text, WIDEST);
    sink_printf(out, "</text>");
}

static void
write_box(struct sink *out, const struct box *b, u32 number)
{
    i64 y = PAD + (i64)b->layer * ROW;
    if (b->bend) {
        sink_printf(out, "<path d=\"M%lld %lldv%d\"/>\n", (long long)(b->x + b->width / 2), (long long)y, HEIGHT);
        return;
    }
    if (b->kind)
        sink_printf(out, "<a href=\"#m%u%c%u\"", number, b->kind, b->id);
    else
        sink_printf(out, "<g");
    if (b->class)
        sink_printf(out, " class=\"%s\"", b->class);
    sink_printf(out, "><rect x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%d\"></rect>", (long long)b->x, (long long)y,
                (long long)b->width, HEIGHT);
    if (b->tooltip.n) {
        sink_printf(out, "<title>");
        html_text_cut(out, b->tooltip, 300);
        sink_printf(out, "</title>");
    }
    bool both = b->text[1].n > 0;
    write_text(out, b, y + (both ? 15 : 22), b->text[0]);
    if (both)
        write_text(out, b, y + 30, b->text[1]);
    sink_printf(out, "</%s>\n", b->kind ? "a" : "g");
}

static void
write_line(const struct drawing *d, struct sink *out, const struct line *l)
{
    const struct box *a = &d->boxes.at[l->from], *b = &d->boxes.at[l->to];
    long long x = a->x + a->width / 2, y = PAD + (i64)a->layer * ROW + HEIGHT;
    long long to_x = b->x + b->width / 2, to_y = PAD + (i64)b->layer * ROW, middle = (y + to_y) / 2;
    sink_printf(out, "<path d=\"M%lld %lldC%lld %lld %lld %lld %lld %lld\"/>\n", x, y, x, middle, to_x, middle, to_x,
                to_y);
}

void
drawing_write(struct drawing *d, struct sink *out, u32 number)
{
    find_layers(d);
    long long width = place(d), height = 2 * PAD + (i64)(d->layers - 1) * ROW + HEIGHT;
    sink_printf(out,
                "<div class=\"wide\"><svg role=\"img\" aria-label=\"dataflow\" width=\"%lld\" height=\"%lld\" "
                "viewBox=\"0 0 %lld %lld\" style=\"min-width:%lldpx\">\n",
                width, height, width, height, width * SMALLEST / 100);
    for (u32 i = 0; i < d->lines.n; i++)
        write_line(d, out, &d->lines.at[i]);
    for (u32 i = 0; i < d->boxes.n; i++)
        write_box(out, &d->boxes.at[i], number);
    sink_printf(out, "</svg></div>\n");
    memo_free(d->mem, &d->known);
    vec_free(d->mem, &d->boxes);
    vec_free(d->mem, &d->lines);
}
