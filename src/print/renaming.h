/* SPDX-License-Identifier: Apache-2.0
 *
 * What naming.c and rename_text.c share while the variables of one program get new names. */
#ifndef JX_RENAMING_H
#define JX_RENAMING_H

#include "ir/module.h"
#include "base/memo.h"

/* bits above a name_t, in var.name */
#define VAR_NAMED (1u << 31)
#define VAR_USED (1u << 30)

/* A variable of a jaxpr whose kept text mentions names, and what it was called. */
struct old_name {
    var_t var;
    name_t name;
};

/* A jaxpr whose kept text mentions names: its variables are olds[first .. first + n). */
struct rename_text {
    jaxpr_t jaxpr;
    u32 first, n;
};

/* How far the document of a jaxpr is built. */
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
    jaxpr_t main;             /* of the program itself; it has no twin */
    u32 counter;              /* the next numeral */
    u32 round;                /* of alias_names */
    struct memo rounds;       /* a variable: the last round that passed its name on */
    struct memo read;         /* variables of the current program that must not be called `_` */
    struct memo taken;        /* numerals that are names of shared jaxprs */
    struct memo symbols;      /* numerals that are symbols among sizes, where those are not to be names */
    struct memo captured;     /* names that sizes of nested programs use without binding them */
    struct memo prints;       /* a nested jaxpr: its fingerprint; empty if none can have a twin */
    struct memo firsts;       /* the upper half of a fingerprint: the first jaxpr with it that was named, plus one */
    VEC(jaxpr_t) all, nested; /* of the program; those that may have twins */
    VEC(struct build) stack;
    VEC(program_t) pasted;
    VEC(struct old_name) olds;
    VEC(struct rename_text) retexts;
};

/* records the names of a jaxpr's variables, if its text names any */
void rename_text_remember(struct naming *n, jaxpr_t j);

/* marks variables as used that sizes and text of a jaxpr name, and reserves other names in them: symbols, or unbound
 * names. Called right after rename_text_remember */
void rename_text_collect_names(struct naming *n, jaxpr_t j);

/* lets variables keep their names that sizes of nested programs use without binding them. After rename_text_remember of
 * all */
void rename_text_keep_captured(struct naming *n);

/* makes a swap whose old value is unused a store */
void rename_text_swap(struct naming *n, eqn_t e);

/* updates the text of every recorded jaxpr: ref forms, effects, dims */
void rename_text_apply(struct naming *n);

/* computes fingerprints of jaxprs, which are listed outer before inner */
void alias_names_prepare(struct naming *n, const jaxpr_t *jaxprs, u32 count);

/* an equal jaxpr that was named before, or NONE */
jaxpr_t alias_find(const struct naming *n, jaxpr_t j);

/* makes j a result of alias_find */
void alias_record(struct naming *n, jaxpr_t j);

/* gives the variables of one jaxpr the names of another's */
void alias_copy(struct naming *n, jaxpr_t to, jaxpr_t from);

#endif
