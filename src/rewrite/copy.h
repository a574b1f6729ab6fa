/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of jaxprs: variables, operands and equations are appended to the module, with the same names. */
#ifndef JX_COPY_H
#define JX_COPY_H

#include "base/memo.h"
#include "ir/module.h"

/* The state of a copy: by which copy each variable is replaced. */
struct copier {
    struct module *m;
    struct memo to; /* a variable: its copy plus one */
    VEC(atom_t) atoms;
};

/* initializes a copier of programs of m; copier_end frees its memory */
void copier_init(struct copier *c, struct module *m);
void copier_end(struct copier *c);

/* begins a jaxpr with copies of another's constvars, of its arguments that `keep` marks (NULL: all) and of its effects,
 * without equations. Returns its id; add equations and results before beginning another */
jaxpr_t copy_begin(struct copier *c, jaxpr_t from, const u8 *keep);

/* appends a copy of an equation, with those results and operands that are marked (NULL: all) and the given
 * parameters */
eqn_t copy_eqn(struct copier *c, jaxpr_t to, eqn_t from, const u8 *results, const u8 *operands, param_t params);

/* sets the results of `to` to those of `from` that are marked (NULL: all) */
void copy_outs(struct copier *c, jaxpr_t to, jaxpr_t from, const u8 *keep);

/* appends a parameter after *last (NONE: it is the first), and makes it *last; returns its id */
param_t param_append(struct module *m, struct param p, param_t *last);

/* appends a copy of a parameter after *last (NONE: it is the first), and makes it *last; returns its id */
param_t copy_param(struct module *m, param_t from, param_t *last);

/* replaces each jaxpr of a parameter by the result of `change`. Segments are copied, so that other parameters that
 * share them are not changed */
void param_change(struct module *m, param_t p, jaxpr_t (*change)(void *user, jaxpr_t j), void *user);

/* sets the value of a parameter to a text, as the parser reads it: `()` is a tuple of no programs */
void param_set_text(struct module *m, param_t p, struct slice text);

#endif
