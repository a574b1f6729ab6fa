/* SPDX-License-Identifier: Apache-2.0
 *
 * The actions of the grammar: each adds to the module. They fail only if memory runs out. */
#ifndef JX_BUILD_H
#define JX_BUILD_H

#include "parse/token_source.h"

/* bits in the value of a PRIM1 token: the equation was printed with a leading ` = `; its binders are damaged */
enum { PRIM_BARE = 1u << 30, PRIM_DAMAGED = 1u << 31 };

/* the end of a program, and of a `let` before one */
void build_program(struct token_source *f, jaxpr_t main);
void build_let(struct token_source *f, struct span name, jaxpr_t jaxpr);

/* binds n words that may name shared programs to the lets of their program; linear */
void bind_shared(struct module *m, const struct shared_word *shared, u32 n, u32 lets, u32 n_lets);

/* `{ lambda` at offset begins a jaxpr, which takes binders of constants and inputs */
void build_jaxpr_open(struct token_source *f, u32 offset);
void build_const(struct token_source *f, struct var binder);
void build_in(struct token_source *f, struct var binder);
/* after a program was read: reports words at the edges of header lines that are not binders, because all other
 * variables have types */
void build_edge_words(struct token_source *f);
/* after a program was read: reports parameters that are given twice */
void build_check_keys(struct token_source *f);
/* the header had an error: its binders are not compared with the equation around it */
void build_header_error(struct token_source *f);
/* the results had an error: their number is unknown */
void build_outs_error(struct token_source *f);
/* the header had one section: its binders are inputs */
void build_no_consts(struct token_source *f);
/* a header, and the end of a body, that fast_equation.c read */
void build_header(struct token_source *f, u32 offset);
jaxpr_t build_ends(struct token_source *f, u32 end);
/* a result after `in (`; the effects after the results; the `}` before `end` */
void build_out(struct token_source *f, atom_t out);
void build_effects(struct token_source *f, struct span effects);
jaxpr_t build_jaxpr_close(struct token_source *f, u32 end);

/* the first binder of an equation, and those that follow it */
void build_result1(struct token_source *f, struct var binder);
void build_result(struct token_source *f, struct var binder);
/* an equation of a primitive with results, or without any (a PRIM1 token, which may have such a bit) */
void build_eqn(struct token_source *f, name_t prim, enum eqn_form form);
void build_eqn_alone(struct token_source *f, u32 prim);
/* an equation of a primitive: fast_equation.c read its results, or its results and operands */
void build_eqn_fast(struct token_source *f, name_t prim);
void build_equation(struct token_source *f, name_t prim);
/* sets the operands of the last equation to those that fast_equation.c read; false if the equation cannot take any */
bool build_atoms(struct token_source *f);
/* the operands in f->operands */
void build_operands(struct token_source *f);
/* `...` instead of equations; an equation that could not be read */
void build_ellipsis(struct token_source *f);
void build_eqn_error(struct token_source *f);
/* the equation with special syntax in f->ref_form, with results or without any */
void build_ref_form(struct token_source *f, u32 unused);
void build_ref_form_alone(struct token_source *f, u32 unused);

/* `key=` in the last equation, after its parameter `last` (NONE: there is none); returns the new parameter */
param_t build_key(struct token_source *f, param_t last, name_t key);
/* a program after its equation becomes the equation's parameter call_jaxpr, which is returned */
param_t build_trail(struct token_source *f);
/* the value after the key: text, a program, or the segments of text with programs inside, each added after the segment
 * `last` (NONE: there is none), returning the new last segment */
void build_value(struct token_source *f, param_t param, struct span value);
void build_value_jaxpr(struct token_source *f, param_t param, jaxpr_t jaxpr);
u32 build_value_open(struct token_source *f, param_t param);
u32 build_segment_text(struct token_source *f, param_t param, u32 last, struct span text);
void build_paste(struct token_source *f);
/* records that the value of a parameter, or a segment of it (NONE: the whole value), may be the name of a shared
 * program */
void remember_shared(struct token_source *f, param_t param, u32 segment);
u32 build_segment_program(struct token_source *f, param_t param, u32 last, jaxpr_t main);
void build_value_close(struct token_source *f, param_t param, u32 last);

#endif
