/* SPDX-License-Identifier: Apache-2.0
 *
 * A report for the browser on the programs of a module: findings, cost, the text, with links from names to their
 * binders and folds for programs, and pictures. The page needs no other files. */
#ifndef JX_PAGE_H
#define JX_PAGE_H

#include "base/memo.h"
#include "cost/cost.h"
#include "diag/diag.h"
#include "report/clusters.h"
#include "report/graph.h"
#include "report/html.h"

/* The result of a comparison with another module. */
struct page_changes {
    const u8 *marks; /* by eqn_t: enum graph_mark */
    const struct graph_removed *removed;
    u32 n_removed;
    struct slice summary;    /* empty: nothing differs */
    struct module *other;    /* the compared module, checked .. */
    const program_t *stream; /* .. and its programs */
    u32 n_stream;
};

/* What the files of src/report share: the state of a page. */
struct page {
    struct sink *out;
    struct module *m;
    const struct diags *diags; /* sorted by place */
    u32 number;                /* the number of the module in the page: ids begin with it */
    program_t program;         /* the current one .. */
    u32 parts;                 /* enum page_part, joined by | */
    u32 ordinal;               /* .. and its number in the stream, from 1 */
    struct costs costs;        /* the costs of the current program */
    struct cost_detail detail;
    struct memo cost_of;        /* by jaxpr: index into costs.jaxprs + 1 */
    struct memo holder_program; /* by equation with parameters: index into costs.jaxprs of its program + 1 */
    struct memo weight_of;      /* by equation: index into weights + 1 */
    VEC(double) weights;        /* the cost of all runs of an equation, nested programs included */
    double all_weight;
    const char *weight_unit; /* the unit of weights: `operations`, or `bytes` where there are no operations */
    const struct page_changes *changes; /* NULL: none */
    const u8 *marks;                    /* by eqn_t: enum graph_mark; NULL: none */
    u32 boxes;                          /* how many boxes are drawn so far */
    u32 pictures;                       /* how many pictures of clusters have an id */
    struct memo found;      /* by equation, and then by jaxpr for its results: the first diagnostic there + 1 */
    struct memo next_found; /* by diagnostic: the next one of the same place + 1 */
    struct memo of_program; /* by number in the stream from 1, 0 for the text as a whole: its first diagnostic + 1 */
    struct memo next_of;    /* by diagnostic: the next one of the same program + 1 */
};

/* the sections of a program */
enum page_part {
    PAGE_FINDINGS = 1,
    PAGE_COSTS = 2,
    PAGE_PICTURES = 4,
    PAGE_LISTING = 8,
    PAGE_SUMMARY = 16,
    PAGE_ALL = 31
};

/* writes the sections of one module, whose n programs were checked; out, m, diags, number, parts and changes of p
 * must be set. n log n */
void page_module(struct page *p, const program_t *stream, u32 n);

/* the CSS class of a marked equation, NULL for an unchanged one or without a comparison */
const char *page_mark(const struct page *p, eqn_t e);

/* listing.c: the text of a program and its lets */
void page_listing(struct page *p);

/* picture.c: draws a jaxpr, and below that, in folds, each of its clusters */
void page_picture(struct page *p, jaxpr_t j);

/* summary.c: two sentences about the program; a table of the Python lines, or primitives, that cost most */
void page_summary(struct page *p);
void page_places(struct page *p);

/* steps.c: what the outermost program computes, in order, by scope and function */
void page_steps(struct page *p);

/* flame.c: operations and bytes by place */
void page_flames(struct page *p);

/* live.c: page_live writes a chart of the live bytes of the outermost program, with the peak; page_bytes a number of
 * bytes with its unit */
void page_live(struct page *p);
void page_bytes(struct page *p, double bytes);

/* the message of a diagnostic with its code and, with `link`, a link to its place */
void page_finding(struct page *p, u32 diag, bool link);

/* write an amount, with three digits if it is a number, else in full; the second one an amount of bytes, and `what`
 * happens to them */
void page_amount(struct page *p, const struct amount_kept *a, const char *unit);
void page_amount_bytes(struct page *p, const struct amount_kept *a, const char *what);

#endif
