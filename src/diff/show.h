/* SPDX-License-Identifier: Apache-2.0
 *
 * How hunks are written: text for people, JSON for programs; always in the names of the first program, with a prime
 * behind what only the second one has. */
#ifndef JX_SHOW_H
#define JX_SHOW_H

#include "diff/diff.h"

/* One thing that is different about an equation. */
struct detail {
    const char *what;     /* primitive, parameter, operand, result */
    struct slice which;   /* a key, or a number from 1 on */
    struct slice from, to; /* empty: not there */
};

struct change {
    struct detail *at;
    u32 n, cap;
};

/* notes that `which` of a kind of thing went from one text to another; change_end gives the memory back */
void change_add(struct differ *d, struct change *c, const char *what, struct slice which, struct slice from, struct slice to);
void change_end(struct differ *d, struct change *c);

/* operands as they are written in hunks; in the arena */
struct slice show_atom_a(struct differ *d, atom_t a);
struct slice show_atom_b(struct differ *d, atom_t a);
struct slice show_type(const struct module *m, type_t t);

/* true where two indexers read the same but for the variables in them */
bool show_index_same(struct differ *d, const struct refexpr *x, const struct refexpr *y);

/* write one hunk each */
void show_change(struct differ *d, eqn_t a, eqn_t b, struct slice path, const struct change *c);
void show_removed(struct differ *d, eqn_t a, struct slice path);
void show_added(struct differ *d, eqn_t b, struct slice path);
void show_moved(struct differ *d, eqn_t a, eqn_t b, struct slice path);
void show_interface(struct differ *d, struct slice path, const char *what, struct slice number, struct slice from,
                    struct slice to);

#endif
