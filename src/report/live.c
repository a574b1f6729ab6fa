/* SPDX-License-Identifier: Apache-2.0
 *
 * A chart of the bytes that are live during the outermost program, and the variables that are live at the peak. */
#include "base/decimal.h"
#include "ir/reach.h"
#include "report/page.h"
#include "report/source_path.h"

enum { WIDTH = 640, HEIGHT = 120, FOOT = 18, SHOWN = 6, DEEPEST = 8 };

void
page_bytes(struct page *p, double bytes)
{
    char text[32];
    u32 n = decimal_write_short(bytes, text);
    sink_printf(p->out, "%s%s", text, memchr(text, ' ', n) ? "B" : bytes == 1 ? " byte" : " bytes");
}

/* writes an equation as a link: its primitive, its line and its source location */
static void
write_equation(struct page *p, eqn_t e)
{
    struct name_buffer buffer;
    struct source_path place;
    sink_printf(p->out, "<a href=\"#m%ue%u\"><code>", p->number, e);
    html_text(p->out, called_name(p->m, e, &buffer));
    sink_printf(p->out, "</code></a>");
    if (p->m->eqns.at[e].offset != NONE)
        sink_printf(p->out, " on line %u", text_position(p->m->mem, &p->m->text, p->m->eqns.at[e].offset).line);
    source_path_read(p->m, e, &place);
    if (place.n == 0)
        return;
    sink_printf(p->out, " (");
    html_text_cut(p->out, place.part[place.n - 1], 80);
    sink_printf(p->out, ")");
}

/* the program nested in an equation that has the largest peak of its own; NULL if none has equations */
static const struct cost_jaxpr *
held_peak(const struct page *p, eqn_t e)
{
    struct nested h = nested_start(p->m, e);
    const struct cost_jaxpr *most = NULL;
    struct amount a;
    double largest = -1;
    for (jaxpr_t j; (j = nested_next(p->m, &h)) != NONE;) {
        u64 known = memo_get(&p->cost_of, j);
        if (!known)
            continue;
        amount_load(&p->costs.amounts, &a, &p->costs.jaxprs.at[known - 1].peak);
        double guess = amount_guess(&p->costs.amounts, &a);
        if (guess > largest && p->costs.jaxprs.at[known - 1].peak_at != NONE) {
            largest = guess;
            most = &p->costs.jaxprs.at[known - 1];
        }
    }
    return most;
}

/* writes a sentence that says where the most bytes are live, and which values they are */
static void
write_peak(struct page *p, double most)
{
    const struct cost_jaxpr *c = &p->costs.jaxprs.at[0];
    sink_printf(p->out, "<p>Memory peaks ");
    if (c->peak_at == NONE) {
        sink_printf(p->out, "before the first equation: ");
    } else {
        sink_printf(p->out, "while ");
        write_equation(p, c->peak_at);
        sink_printf(p->out, " runs");
        for (u32 depth = 0; c->peak_at != NONE && depth < DEEPEST; depth++) {
            c = held_peak(p, c->peak_at);
            if (c == NULL)
                break;
            sink_printf(p->out, ", inside it ");
            write_equation(p, c->peak_at);
        }
        sink_printf(p->out, ": ");
    }
    page_bytes(p, most);
    double rest = 0;
    u32 n = p->detail.held.n, shown = n <= SHOWN + 1 ? n : SHOWN;
    for (u32 i = 0; i < n; i++) {
        const struct cost_held *held = &p->detail.held.at[i];
        const struct var *v = &p->m->vars.at[held->var];
        struct name_buffer buffer;
        if (i >= shown) {
            rest += held->bytes;
            continue;
        }
        sink_printf(p->out, "%s<a href=\"#m%uv%u\"><code>", i ? ", " : ", including ", p->number, held->var);
        html_text(p->out, module_name(p->m, v->name, &buffer));
        sink_printf(p->out, ":");
        if (v->type != NONE)
            html_text_cut(p->out, type_get(&p->m->types, v->type)->text, 60);
        sink_printf(p->out, "</code></a> ");
        page_bytes(p, held->bytes);
    }
    if (n > shown) {
        sink_printf(p->out, ", and %u others ", n - shown);
        page_bytes(p, rest);
    }
    sink_printf(p->out, "</p>\n");
}

static void
write_curve(struct page *p, double most)
{
    u32 n = p->detail.moments.n, peak = 0;
    sink_printf(p->out, "<path class=\"area\" d=\"M0 %d", HEIGHT);
    /* a step for each equation or, if there are more than columns, for each column with the largest of its equations */
    for (u32 i = 0, column = 0; i < n; column++) {
        u32 end = n <= WIDTH ? i + 1 : (u32)((u64)n * (column + 1) / WIDTH);
        double x = (double)i / n * WIDTH, bytes = 0;
        for (; i < end; i++) {
            if (p->detail.moments.at[i].bytes > bytes)
                bytes = p->detail.moments.at[i].bytes;
            if (p->detail.moments.at[i].bytes > p->detail.moments.at[peak].bytes)
                peak = i;
        }
        sink_printf(p->out, "L%.1f %.1fH%.1f", x, HEIGHT - bytes / most * (HEIGHT - 16), (double)end / n * WIDTH);
    }
    sink_printf(p->out, "V%dZ\"/>\n", HEIGHT);
    eqn_t e = p->detail.moments.at[peak].eqn;
    double x = (peak + 0.5) / n * WIDTH;
    bool right = 2 * x > WIDTH;
    struct name_buffer buffer;
    if (e != NONE)
        sink_printf(p->out, "<a href=\"#m%ue%u\">", p->number, e);
    sink_printf(p->out, "<path class=\"peak\" d=\"M%.1f 4V%d\"/><text x=\"%.1f\" y=\"12\"%s>peak: ", x, HEIGHT,
                right ? x - 5 : x + 5, right ? " class=\"end\"" : "");
    page_bytes(p, most);
    if (e != NONE) {
        sink_printf(p->out, " at ");
        html_text_cut(p->out, called_name(p->m, e, &buffer), 40);
        sink_printf(p->out, ", line %u", text_position(p->m->mem, &p->m->text, p->m->eqns.at[e].offset).line);
    }
    sink_printf(p->out, "</text>%s\n", e != NONE ? "</a>" : "");
}

void
page_live(struct page *p)
{
    double most = 0;
    for (u32 i = 0; i < p->detail.moments.n; i++)
        most = p->detail.moments.at[i].bytes > most ? p->detail.moments.at[i].bytes : most;
    if (!(most > 0))
        return;
    sink_printf(p->out,
                "<figure class=\"flame\"><figcaption>Bytes live at each equation</figcaption><svg role=\"img\" "
                "aria-label=\"bytes live\" viewBox=\"0 0 %d %d\">\n",
                WIDTH, HEIGHT + FOOT);
    write_curve(p, most);
    sink_printf(p->out,
                "<text x=\"0\" y=\"%d\">first equation</text><text class=\"end\" x=\"%d\" y=\"%d\">last "
                "equation</text></svg></figure>\n",
                HEIGHT + FOOT - 4, WIDTH, HEIGHT + FOOT - 4);
    write_peak(p, most);
}
