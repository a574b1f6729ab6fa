/* SPDX-License-Identifier: Apache-2.0
 *
 * A layered drawing, made without any other program: a box is one layer below the lowest box that has a line to it.
 * Alternating sweeps move it within its layer towards the middle of its neighbours above and below. A line is a
 * curve from the bottom of a box to the top of another, with a bend in each layer that it crosses. Drawings are
 * small: steps that are quadratic in the boxes are cheap. */
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
    SMALLEST = 65 /* the minimum width after shrinking to fit, in percent */
};

/* the width of a text in characters; it is cut at WIDEST, and an ellipsis added */
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

/* adds a bend in each layer between a box and the lowest box it has a line to; its lines share them: a line to layer
 * n then starts at the bend in layer n - 1 */
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

/* counts the layers, moves arguments down to their readers, and adds the bends of lines */
static void
find_layers(struct drawing *d)
{
    for (u32 i = 0; i < d->boxes.n; i++)
        d->layers = d->boxes.at[i].layer + 1 > d->layers ? d->boxes.at[i].layer + 1 : d->layers;
    for (u32 i = 0; i < d->boxes.n; i++) { /* an argument is one layer above its first use */
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

/* A box in the list of its layer. */
struct layer_entry {
    i64 preferred; /* the preferred x of its middle */
    u32 box;
};

/* The boxes of each layer, and the neighbours of each box; a list ends where the next one begins. */
struct plan {
    struct drawing *d;
    struct layer_entry *entries; /* by layer */
    u32 *rows;                   /* the index in entries of each layer */
    u32 *other, *others;         /* the neighbours of all boxes; by box and direction, where its list begins */
    i64 *middle;                 /* by box: the x of its middle */
    struct run *runs;            /* the runs of the layer that is being placed */
};

/* Consecutive boxes of a layer at the minimum distance: the weighted sum of their preferred middles, each minus its
 * minimum distance from the first box of the layer, and the sum of the weights. */
struct run {
    i64 sum, weight;
    u32 n;
};

enum { ABOVE, BELOW, SWEEPS = 7 };

static i64
mean(i64 sum, i64 weight)
{
    return sum >= 0 ? (sum + weight / 2) / weight : -((weight / 2 - sum) / weight);
}

/* fills the lists of neighbours: the first round counts them, the second one stores them */
static void
list_ends(const struct drawing *d, u32 *others, u32 *other)
{
    for (u32 fill = 0; fill < 2; fill++) {
        for (u32 i = 0; i < d->lines.n; i++) {
            const u32 end[] = {d->lines.at[i].to, d->lines.at[i].from}; /* the boxes with this line ABOVE, BELOW */
            for (u32 way = ABOVE; way <= BELOW; way++)
                if (fill)
                    other[others[2 * end[way] + way]++] = end[!way];
                else
                    others[2 * end[way] + way + 1]++;
        }
        for (u32 k = 2 * d->boxes.n; k > 0; k--)
            if (fill) /* each index is now the end of its list: moves them by one list */
                others[k] = others[k - 1];
        for (u32 k = 0; k < 2 * d->boxes.n && !fill; k++)
            others[k + 1] += others[k];
    }
    others[0] = 0;
}

static void
list_rows(const struct drawing *d, u32 *rows, struct layer_entry *entries)
{
    for (u32 i = 0; i < d->boxes.n; i++)
        rows[d->boxes.at[i].layer + 1]++;
    for (u32 k = 0; k < d->layers; k++)
        rows[k + 1] += rows[k];
    for (u32 i = 0; i < d->boxes.n; i++)
        entries[rows[d->boxes.at[i].layer]++] = (struct layer_entry){0, i};
    for (u32 k = d->layers; k > 0; k--)
        rows[k] = rows[k - 1];
    rows[0] = 0;
}

/* the weight of a line: greater between two boxes or two bends, so that such lines are straight */
static i64
line_weight(const struct box *a, const struct box *b)
{
    return a->bend == b->bend ? 4 : 1;
}

/* the preferred middle of a box: the mean of its neighbours' in one direction, or its own if it has none */
static i64
preferred_middle(const struct plan *p, u32 box, u32 way)
{
    const struct box *b = p->d->boxes.at;
    i64 sum = 0, weight = 0;
    for (u32 k = p->others[2 * box + way]; k < p->others[2 * box + way + 1]; k++) {
        i64 force = line_weight(&b[box], &b[p->other[k]]);
        sum += force * p->middle[p->other[k]];
        weight += force;
    }
    return weight ? mean(sum, weight) : p->middle[box];
}

static i64
between(const struct box *a, const struct box *b)
{
    return (a->width + b->width) / 2 + GAP;
}

/* places the boxes of a layer, in this order, near their preferred middles: boxes that would overlap are merged into
 * a run, which is placed at the mean of their preferences */
static void
place_row(struct plan *p, const struct layer_entry *row, u32 n)
{
    const struct box *b = p->d->boxes.at;
    u32 runs = 0;
    i64 at = 0;
    for (u32 i = 0; i < n; i++) {
        i64 weight = b[row[i].box].bend ? 1 : 4;
        at += i > 0 ? between(&b[row[i - 1].box], &b[row[i].box]) : 0;
        struct run one = {weight * (row[i].preferred - at), weight, 1};
        while (runs > 0 && mean(p->runs[runs - 1].sum, p->runs[runs - 1].weight) >= mean(one.sum, one.weight)) {
            runs--;
            one = (struct run){one.sum + p->runs[runs].sum, one.weight + p->runs[runs].weight, one.n + p->runs[runs].n};
        }
        p->runs[runs++] = one;
    }
    at = 0;
    for (u32 k = 0, i = 0; k < runs; k++)
        for (u32 end = i + p->runs[k].n; i < end; i++) {
            at += i > 0 ? between(&b[row[i - 1].box], &b[row[i].box]) : 0;
            p->middle[row[i].box] = at + mean(p->runs[k].sum, p->runs[k].weight);
        }
}

static int
by_preferred(const void *a, const void *b)
{
    const struct layer_entry *x = a, *y = b;
    if (x->preferred != y->preferred)
        return x->preferred < y->preferred ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

/* places all layers, downwards (ABOVE) or upwards (BELOW), each box near its neighbours in the previous layer */
static void
sweep(struct plan *p, u32 way, bool first)
{
    for (u32 i = 0; i < p->d->layers; i++) {
        u32 layer = way == ABOVE ? i : p->d->layers - 1 - i, n = p->rows[layer + 1] - p->rows[layer];
        struct layer_entry *row = p->entries + p->rows[layer];
        bool sorted = true;
        for (u32 k = 0; k < n; k++) {
            bool free = first && p->others[2 * row[k].box] == p->others[2 * row[k].box + 1];
            row[k].preferred = !free ? preferred_middle(p, row[k].box, way) : k > 0 ? row[k - 1].preferred + 1 : 0;
            sorted = sorted && (k == 0 || by_preferred(&row[k - 1], &row[k]) < 0);
        }
        if (!sorted)
            qsort(row, n, sizeof *row, by_preferred);
        place_row(p, row, n);
    }
}

/* places all boxes at x >= 0 and returns the total width. n log n in boxes and lines */
static i64
place(struct drawing *d)
{
    struct mem *mem = d->mem;
    struct plan p = {.d = d};
    i64 left = INT32_MAX, right = 0;
    p.entries = mem_alloc(mem, d->boxes.n * sizeof *p.entries);
    p.rows = mem_zeroed(mem, (d->layers + 1ull) * sizeof *p.rows);
    p.other = mem_alloc(mem, (2ull * d->lines.n + 1) * sizeof *p.other);
    p.others = mem_zeroed(mem, (2ull * d->boxes.n + 1) * sizeof *p.others);
    p.middle = mem_zeroed(mem, d->boxes.n * sizeof *p.middle);
    p.runs = mem_alloc(mem, d->boxes.n * sizeof *p.runs);
    list_rows(d, p.rows, p.entries);
    list_ends(d, p.others, p.other);
    for (u32 i = 0; i < SWEEPS; i++)
        sweep(&p, i % 2 ? BELOW : ABOVE, i == 0);
    for (u32 i = 0; i < d->boxes.n; i++) {
        struct box *b = &d->boxes.at[i];
        b->x = p.middle[i] - b->width / 2;
        left = b->x < left ? b->x : left;
    }
    for (u32 i = 0; i < d->boxes.n; i++) {
        struct box *b = &d->boxes.at[i];
        b->x += PAD - left;
        right = b->x + b->width > right ? b->x + b->width : right;
    }
    mem_free_all(mem, p.entries, p.rows, p.other, p.others, p.middle, p.runs);
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
