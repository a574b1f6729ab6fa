/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of src/print share: the state of a printer. The layout algebra of JAX has texts, breaks and groups;
 * a group is flat when its own text, without what follows it, ends within the width. Only jaxprs, parameter lists
 * and tuples of programs need groups, so no document is built: the module is used instead. */
#ifndef JX_PRINTER_H
#define JX_PRINTER_H

#include "base/chars.h"
#include "base/memo.h"
#include "print/print.h"

/* An unfinished construct with nested programs, and where to continue in it. */
struct print_frame {
    u8 kind; /* enum frame_kind */
    bool flat;
    bool begun; /* the first element was printed */
    bool tight; /* PARAMS: brackets that never break (jaxpr_call) */
    bool class; /* PARAMS: of a primitive that is a class, whose parameters may be such primitives (0.12) */
    u32 indent; /* the column of the jaxpr or of the equation */
    u32 id;     /* jaxpr_t, eqn_t or program_t */
    u32 next;   /* the equation, parameter, segment or let that comes next */
    u32 width;  /* PROGRAM: the width outside it */
    size_t k;   /* PROGRAM: the column after it */
};

enum frame_kind { FRAME_JAXPR, FRAME_PARAMS, FRAME_TUPLE, FRAME_MIXED, FRAME_PROGRAM };

/* A jaxpr that is being measured, and the position in it. */
struct measuring {
    jaxpr_t jaxpr;
    eqn_t eqn;
    param_t param;
    u32 segment;
    u32 flat;
    eqn_t of; /* the equation of param */
};

/* A flat length is a number of columns below FLAT_NOTE, plus FLAT_NOTE for each comment inside if comments keep
 * groups from being flat (`sparse`); FLAT_BROKEN is that of a group that does not fit on any line. */
enum { FLAT_UNKNOWN = 0, FLAT_NOTE = 1 << 28, FLAT_BROKEN = 1 << 30 };

/* Indentation up to so many columns is never limited. */
enum { SHALLOWEST = 120 };

struct notes;

struct printer {
    struct sink *out;
    struct module *m;
    size_t k; /* columns before the next byte; a newline inside a value counts as one */
    u32 width;
    u32 widest;                    /* the longest width in use: lengths are exact up to it */
    program_t program;             /* the one being printed */
    struct version_range versions; /* whose layout is used */
    u32 deepest;                   /* the most columns of indentation (deepest_column), 0 before that is called */
    bool codepoints;               /* columns are code points, not bytes */
    bool sparse;                   /* a group with two comments inside is never flat (the Python engine, up to 0.6.1) */
    bool sizing;                   /* a pasted program is being measured: programs inside it are counted, not printed */
    u32 pasted;                    /* how many pasted programs are open */
    size_t skipped;                /* columns counted but not printed while sizing */
    struct memo flat;              /* a jaxpr: its flat length */
    struct memo lengths;           /* a pasted program: columns of its print */
    VEC(program_t) programs;       /* the programs pasted into parameters, outer before inner */
    struct notes *notes;           /* comments and the lines they are printed on; NULL when there are none */
    VEC(struct print_frame) stack;
    VEC(struct measuring) measuring;
};

/* columns of a run of bytes */
size_t text_width(const struct printer *p, struct slice s);

/* the text of a ref form or an index, with each run of whitespace that contains a line end replaced by one space:
 * the same bytes if there is none, else a copy in the arena */
struct slice text_joined(const struct printer *p, struct slice s);

/* the text of a name; see name_text */
static inline struct slice
print_name(const struct printer *p, name_t name, struct name_buffer *buffer)
{
    return name_text(&p->m->names, name, buffer);
}

/* whether a primitive is a class: its parameters may contain such primitives, and their keys are in any order */
static inline bool
is_class(const struct printer *p, eqn_t e)
{
    struct name_buffer buffer;
    struct slice prim = print_name(p, p->m->eqns.at[e].prim, &buffer);
    return prim.n && prim_is_class(prim.at);
}

/* the text after the binders of an equation that is not a call, on one line */
static inline struct slice
tail_text(const struct printer *p, const struct eqn *e)
{
    if (e->params == NONE)
        return (struct slice){"", 0};
    return text_joined(p, module_bytes(p->m, p->m->params.at[e->params].span));
}

/* flat length of a jaxpr, or FLAT_BROKEN when it is longer than the widest line. Each jaxpr is measured once */
u32 measure_jaxpr(struct printer *p, jaxpr_t j);

/* flat length of the bracketed parameters of an equation, or FLAT_BROKEN */
u32 measure_params(struct printer *p, eqn_t e);

/* flat length of a tuple of programs, from its first segment, or FLAT_BROKEN */
u32 measure_tuple(struct printer *p, u32 segment);

/* true if a group of this flat length is laid out flat from the current column */
static inline bool
group_fits(const struct printer *p, u32 flat)
{
    return flat < 2u * FLAT_NOTE && p->k + (flat & (FLAT_NOTE - 1)) <= p->width;
}

/* the maximum indentation of the program's lines in columns: more than JAX can nest, but bounded */
u32 deepest_column(struct printer *p);

/* lays out one program from column 0, without a newline at the end */
void layout_program(struct printer *p, program_t program);

/* lays out one equation from column 0 */
void layout_equation(struct printer *p, eqn_t e);

/* prints a shared program from column 0, beginning with `let f = `, without the `in` after it */
void layout_let(struct printer *p, const struct let *l);

/* initializes a printer for single equations of a program, without comments; printer_end frees it */
void printer_begin(struct printer *p, struct sink *out, struct module *m, program_t program);
void printer_end(struct printer *p);

/* prints a simple equation (see fast_eqn.c) on a line of its own; false, with nothing printed, if it is not simple */
bool print_fast_eqn(struct printer *p, const struct eqn *e, u32 indent);

/* collects the comments of a program; NULL if there are none. notes_free frees the result */
struct notes *notes_collect(struct printer *p, program_t program, enum print_comments kept);

/* print comments on lines of their own: those before a program, each followed by a newline, and those after the last
 * program of the text, each preceded by one */
void notes_above(struct sink *out, const struct module *m, program_t program, enum print_comments kept);
void notes_below(struct sink *out, const struct module *m, program_t program, enum print_comments kept);

/* frees the memory */
void notes_free(struct printer *p);

/* how many comments belong to an equation */
u32 notes_count(const struct printer *p, eqn_t e);

/* whether an equation has a comment that suppresses its findings, and so needs a line of its own: on a line with
 * others, the comment would apply to them, too. JAX prints no such comments. `first`: no equation of its program
 * precedes it */
bool notes_suppress(const struct printer *p, eqn_t e, bool first);

/* puts the comments of an equation on the line being printed */
void notes_mark(struct printer *p, eqn_t e);

/* puts the comments about the head of a jaxpr of the program, and of those printed before it, on the line being
 * printed; NONE: all that are left */
void notes_head(struct printer *p, jaxpr_t j);

/* ends the line being printed, which is p->k columns wide */
void notes_line(struct printer *p);

/* writes the finished lines with their comments; p->out has the text without them */
void notes_merge(struct printer *p, struct sink *out);

#endif
