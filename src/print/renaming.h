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

/* A jaxpr whose document is being built, and how far. */
struct build {
    jaxpr_t jaxpr;
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
    struct memo read;         /* variables of the program at hand that must not be called `_` */
    struct memo taken;        /* numerals that are names of shared jaxprs */
    struct memo symbols;      /* numerals that are symbols among sizes, where those are not to be names */
    struct memo prints;       /* a nested jaxpr: its fingerprint; empty where none can have a twin */
    struct memo firsts;       /* the upper half of a fingerprint: the first jaxpr with it that was named, plus one */
    VEC(jaxpr_t) all, nested; /* of the program; those that may have twins */
    VEC(struct build) stack;
    VEC(program_t) pasted;
    VEC(struct old_name) olds;
    VEC(struct rename_text) retexts;
};

/* remembers the names of a jaxpr's variables where its kept text will have to follow them */
void rename_text_remember(struct naming *n, jaxpr_t j);

/* has variables of a jaxpr pass for used that its sizes and kept text name, and keeps others from being called like
 * what is named there and is none of them: symbols, or names in error. rename_text_remember was called for it just
 * before */
void rename_text_collect_names(struct naming *n, jaxpr_t j);

/* a swap whose old value is unused prints as a store */
void rename_text_swap(struct naming *n, eqn_t e);

/* rewrites the kept text of every jaxpr remembered: ref statements, effects, dims */
void rename_text_apply(struct naming *n);

/* fingerprints jaxprs, given outer before inner */
void alias_names_prepare(struct naming *n, const jaxpr_t *jaxprs, u32 count);

/* the jaxpr with the same names and text that was named before, or NONE */
jaxpr_t alias_find(const struct naming *n, jaxpr_t j);

/* from now on j is found by its twins */
void alias_record(struct naming *n, jaxpr_t j);

/* gives the variables of one jaxpr the names of its twin's */
void alias_copy(struct naming *n, jaxpr_t to, jaxpr_t from);

#endif
