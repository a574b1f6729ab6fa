/* SPDX-License-Identifier: Apache-2.0
 *
 * A report for the browser on the programs of a module: what was found, what they cost, the text with names that lead
 * to their binders and programs that fold, and a picture. Everything stands in the page itself. */
#ifndef JX_PAGE_H
#define JX_PAGE_H

#include "base/memo.h"
#include "cost/cost.h"
#include "diag/diag.h"
#include "report/html.h"

/* What the files of this room share: a page being written. */
struct page {
    struct sink *out;
    struct module *m;
    const struct diags *diags; /* sorted by place */
    u32 number;                /* of the module among those of the page: ids begin with it */
    program_t program;         /* at work .. */
    u32 parts;                 /* enum page_part, joined by | */
    u32 ordinal;               /* .. its place in the stream, from 1 */
    struct costs costs;        /* of it */
    struct memo program_of;    /* by jaxpr: index into costs.programs + 1 */
    struct memo found;      /* by equation, and by jaxpr behind them for its results: the first diagnostic there + 1 */
    struct memo next_found; /* by diagnostic: the next one of the same place + 1 */
    struct memo of_program; /* by place in the stream + 1, 0 for the text as a whole: its first diagnostic + 1 */
    struct memo next_of;    /* by diagnostic: the next one of the same program + 1 */
};

/* what of a program is written */
enum page_part { PAGE_FINDINGS = 1, PAGE_COSTS = 2, PAGE_PICTURES = 4, PAGE_LISTING = 8, PAGE_ALL = 15 };

/* writes the sections of one module, whose programs were judged; stream are its n programs. Linear, but for the
 * pictures, which are drawn of small programs only. `parts` are of enum page_part */
void page_module(struct sink *out, struct module *m, const struct diags *diags, const program_t *stream, u32 n,
                 u32 number, u32 parts);

/* listing.c: the text of a program and its lets */
void page_listing(struct page *p);

/* the arguments and equations of the largest program that is drawn */
enum { PICTURE_NODES = 150 };

/* picture.c: a drawing of one jaxpr; nothing where it is too large for one */
void page_picture(struct page *p, jaxpr_t j);

/* the message of a diagnostic with its code; `link` leads to where it is */
void page_finding(struct page *p, u32 diag, bool link);

/* an amount as text */
void page_amount(struct page *p, const struct amount_kept *a);

#endif
