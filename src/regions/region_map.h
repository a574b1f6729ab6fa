/* SPDX-License-Identifier: Apache-2.0
 *
 * How equations that hold programs hand their operands on: which operand each binder of a nested program receives, for
 * the calls, loops and branches of JAX, of three generations of Catalyst and of PennyLane. The parameters tell them
 * apart; what they leave open is counted back from the results. */
#ifndef JX_LAYOUT_H
#define JX_LAYOUT_H

#include "ir/module.h"

enum layout_kind {
    LAYOUT_NONE,   /* holds no program, or one whose binders nobody can place */
    LAYOUT_CALL,   /* operands in order, results in order */
    LAYOUT_LOOP,   /* a counted loop: its body also takes an index no operand stands for */
    LAYOUT_WHILE,  /* programs: the body, then the condition */
    LAYOUT_BRANCH, /* one program a branch, behind what selects it */
};

enum layout_system { SYSTEM_JAX, SYSTEM_CATALYST, SYSTEM_CATALYST_G0, SYSTEM_PENNYLANE };

/* A run of binders that receive a run of operands. */
struct binding {
    u32 binder, n, operand; /* operand NONE: bound by the loop itself */
};

/* One nested program: its binders (constvars first), run by run. */
struct inner {
    jaxpr_t jaxpr; /* NONE: a branch that is missing */
    struct binding runs[4];
    u32 n_runs;
    u32 consts, n_consts; /* PennyLane: the operands that are its constants, first and how many */
};

struct layout {
    u8 kind;   /* enum layout_kind */
    u8 system; /* enum layout_system */
    VEC(struct inner) inners;
    u32 operands;   /* how many operands the layout asks for; NONE when it cannot be told */
    u32 selectors;  /* BRANCH: operands in front that select */
    u32 carry;      /* LOOP, WHILE: first operand that is carried (implicit ones first) .. */
    u32 body_carry; /* .. and the binder of the body it goes to */
    u32 n_carry;    /* how many are carried, implicit ones included */
    u32 implicit;   /* how many of them are implicit */
    u32 index;      /* LOOP: the body's binder for the index; NONE elsewhere */
    u32 of;         /* the equation it was read for, plus one; 0: for none */
};

/* finds out how equation e binds its programs; l is emptied first, its vectors kept. False for LAYOUT_NONE. Linear in
 * the parameters and programs of the equation */
bool layout_read(const struct module *m, eqn_t e, struct layout *l);

/* layout_read, but that what was read last stands where it was for the same equation, for callers that have changed
 * nothing since: an equation may hold many programs, and each is asked about */
static inline bool
layout_again(const struct module *m, eqn_t e, struct layout *l)
{
    return l->of == e + 1 ? l->kind != LAYOUT_NONE : layout_read(m, e, l);
}

/* false where a primitive does not merely call; else the parameter that holds its program, and whether the equations of
 * the program may stand in its place */
bool call_find(const struct module *m, eqn_t e, struct slice *key, bool *inlined);

/* the operand a binder of a nested program receives, or NONE */
u32 layout_operand(const struct inner *in, u32 binder);

/* gives the vectors back */
void layout_drop(const struct module *m, struct layout *l);

/* the program of a parameter, followed through a `let`; NONE where there is none */
jaxpr_t eqn_jaxpr(const struct module *m, eqn_t e, struct slice key);

/* the integer of a parameter, `missing` where there is none */
i64 eqn_int(const struct module *m, eqn_t e, struct slice key, i64 missing);

#endif
