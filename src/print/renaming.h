/* SPDX-License-Identifier: Apache-2.0
 *
 * What naming.c, rename_text.c and alias_names.c share while the variables of one program get new names. */
#ifndef JX_RENAMING_H
#define JX_RENAMING_H

#include "ir/module.h"
#include "base/memo.h"

/* bits above a name_t, in var.name */
#define VAR_NAMED (1u << 31)
#define VAR_USED (1u << 30)

/* A variable of a jaxpr whose text contains names, and its old name. */
struct old_name {
    var_t var;
    name_t name;
};

/* A jaxpr whose text contains names: its variables are old_names[first .. first + n). */
struct rename_text {
    jaxpr_t jaxpr;
    u32 first, n;
};

/* The position in a jaxpr up to which its document is built. */
struct build {
    eqn_t eqn;
    param_t param;
    u32 segment;
};

struct naming {
    struct module *m;
    struct version_range versions;
    name_t underscore;
    unsigned how;             /* enum naming_how */
    jaxpr_t main;             /* of the program itself; it has no duplicate */
    u32 counter;              /* the next numeral */
    u32 round;                /* of alias_names */
    struct memo rounds;       /* a variable: the last round that passed its name on */
    struct memo read;         /* variables of the current program that must not be called `_` */
    struct memo types;        /* types that variables called `_` in it have, except for those that are only returned */
    struct memo taken;        /* numerals that are names of shared jaxprs */
    struct memo symbols;      /* names that are symbols in sizes, if variables must not get them */
    struct memo captured;     /* names that sizes of nested programs use without binding them */
    struct memo sized;        /* variables that sizes and texts name, which must not be called `_` */
    struct memo prints;       /* a nested jaxpr: its fingerprint; empty if none can have a duplicate */
    struct memo firsts;       /* the upper half of a fingerprint: the first jaxpr with it that was named, plus one */
    VEC(jaxpr_t) all, nested; /* of the program; those that may have duplicates */
    VEC(struct build) stack;
    VEC(program_t) pasted;
    VEC(struct old_name) old_names;
    VEC(struct rename_text) rename_texts;
};

/* records the names of a jaxpr's variables, if its text contains names */
void rename_text_remember(struct naming *n, jaxpr_t j);

/* marks the variables that sizes and text of a jaxpr name as used, and reserves other names in them, symbols and
 * unbound names. Called directly after rename_text_remember */
void rename_text_collect_names(struct naming *n, jaxpr_t j);

/* lets variables whose names are used in sizes of nested programs that do not bind them keep these names; with
 * NAMING_SYMBOLS, those whose names are symbols in sizes of their own program. Called after rename_text_remember for
 * all jaxprs */
void rename_text_keep_captured(struct naming *n);

/* turns a swap whose old value is unused into a store */
void rename_text_swap(struct naming *n, eqn_t e);

/* updates the text of every recorded jaxpr: ref forms, effects, sizes */
void rename_text_apply(struct naming *n);

/* computes fingerprints of jaxprs, which are listed outer before inner */
void alias_names_prepare(struct naming *n, const jaxpr_t *jaxprs, u32 count);

/* an earlier duplicate of j, or NONE */
jaxpr_t alias_find(const struct naming *n, jaxpr_t j);

/* records that j was named, so that alias_find can return it */
void alias_record(struct naming *n, jaxpr_t j);

/* gives the variables of jaxpr `to` the names of those of `from` */
void alias_copy(struct naming *n, jaxpr_t to, jaxpr_t from);

#endif
