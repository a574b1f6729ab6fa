/* SPDX-License-Identifier: Apache-2.0
 *
 * Two texts side by side: lines are wrapped to half of the width, with a mark between the halves if they differ.
 * Linear. */
#include "diff/diff.h"

#include "base/visible.h"

enum { NARROWEST = 16 };

/* takes the next piece of a text: up to the end of its line, or what fits into `room` terminal cells; *cells becomes
 * its width */
static struct slice
next_piece(struct slice *rest, u32 room, u32 *cells)
{
    size_t n = 0;
    struct glyph g;
    *cells = 0;
    while (n < rest->n && rest->at[n] != '\n') {
        size_t length = glyph_read(&g, *rest, n);
        if (n > 0 && *cells + g.cells > room)
            break;
        *cells += g.cells;
        n += length;
    }
    struct slice piece = {rest->at, n};
    bool line_end = n < rest->n && rest->at[n] == '\n';
    rest->at += n + line_end;
    rest->n -= n + line_end;
    return piece;
}

void
diff_write_columns(struct sink *out, const struct diff_style *style, struct diff_row row)
{
    u32 half = style->width > 2 * NARROWEST + 3 ? (style->width - 3) / 2 : NARROWEST;
    u32 indent = row.indent + NARROWEST > half ? half - NARROWEST : row.indent;
    bool colored = style->color && row.color != NULL;
    do {
        u32 cells, ignored;
        struct slice piece = next_piece(&row.left, half - indent, &cells),
                     other = next_piece(&row.right, half - indent, &ignored);
        if (colored)
            sink_slice(out, slice_of(row.color));
        sink_blanks(out, indent);
        write_visible(out, piece);
        sink_blanks(out, half - indent > cells ? half - indent - cells : 0);
        if (row.mark != ' ' || other.n > 0)
            sink_printf(out, " %c", row.mark);
        if (other.n > 0) {
            sink_blanks(out, indent + 1);
            write_visible(out, other);
        }
        sink_slice(out, colored ? SLICE("\033[m\n") : SLICE("\n"));
    } while (row.left.n > 0 || row.right.n > 0);
}
