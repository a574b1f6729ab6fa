/* SPDX-License-Identifier: Apache-2.0
 *
 * What rules of lint use: the program, where each variable is bound and how often it is read, and functions that
 * report a finding, its notes and its fix. A rule examines what it is called for, reports findings, and keeps no
 * state. Private to src/lint. */
#ifndef JX_FACTS_H
#define JX_FACTS_H

#include "base/memo.h"
#include "regions/dead.h"
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "base/value.h"
#include "lint/lint.h"

/* A primitive of the module. */
struct lint_prim {
    name_t name;            /* NONE: an empty slot */
    u64 rules;              /* the rules that its equations are passed to */
    const struct prim *row; /* or NULL */
};

enum { LOOP_GONE = 1, LOOP_KERNEL = 2, LOOP_PASTED = 4 };
enum { LINT_SLOT_BITS = 7, LINT_SLOTS = 1 << LINT_SLOT_BITS };

/* A comment ` # jaxpr: ignore[P304,N]`. */
struct ignore {
    u32 end, line; /* the offset of its `#` plus the length of its text; that of the first byte of its line */
    u64 rules;     /* a bit for each rule it names */
};

/* The baseline key of the findings of a rule about an equation or, if that is NONE, about a jaxpr. */
struct known_key {
    u64 key;
    enum lint_rule rule;
    jaxpr_t jaxpr;
    eqn_t e;
    bool known;
};

/* What happened to a random key. */
enum key_event { KEY_AGAIN, KEY_CONSTANT, KEY_IN_LOOP };

struct key_use {
    program_t program;
    enum key_event what;
    eqn_t eqn;    /* the equation that consumes it */
    eqn_t before; /* the equation that consumed it before, or the nested one that does */
    var_t key;
    jaxpr_t home;
};

/* Random keys, followed through all programs (randomness.c). */
struct keys {
    var_t *holder; /* by variable: the first variable with the same key */
    u32 *consumer; /* by holder: the equation that consumes it first, plus one */
    VEC(struct key_use) events;
};

/* An edit and the number of the finding that it fixes: edits of one finding are applied together or not at all. */
struct grouped_edit {
    struct lint_edit edit;
    u32 group;
};

/* The primitives of the module, and the rules that their equations are passed to. */
struct lint_prims {
    struct prims table;
    struct lint_prim slots[LINT_SLOTS]; /* a cache of the last primitives, by a hash of the name */
    VEC(struct lint_prim) all;          /* so far .. */
    struct memo index;                  /* .. and by name: index into `all`, plus one */
    u64 wanted;                         /* the enabled rules of AT_EQN */
    u32 letters[RULE_COUNT]; /* by rule: a bit for each first letter of its primitives; all bits: any primitive */
};

/* Facts about the programs of the module that are linted. */
struct lint_facts {
    struct jaxprs order; /* nested ones before those that contain them */
    u32 *uses;           /* by variable: how often it is read, as an operand, a result or a size */
    u32 *readers;        /* a copy of uses, for the rule that counts them down */
    eqn_t *producer;     /* by variable: the equation that binds it, or NONE */
    bool dynamic;        /* some type has a size that is not a number */
    u8 *sizes;           /* by variable: nonzero if a type or an index contains it */
    u8 *holds;           /* by equation: nonzero if a parameter is more than text */
    u8 *loops;      /* by jaxpr: LOOP_GONE if a fix removes it, LOOP_KERNEL in a kernel, LOOP_PASTED in a program pasted
                       into a value */
    eqn_t *repeats; /* by jaxpr: the innermost loop that runs it, plus one; 0: it runs once */
    u64 *paths;     /* by jaxpr: a hash of the equations around it */
    program_t *programs; /* by index in `order`: the program of the jaxpr */
};

/* Which values are equal (value_numbering.c); NULL before lint_number_values. */
struct value_numbers {
    var_t *leaders;         /* by variable: the first of its jaxpr with the same value */
    u64 *shapes;            /* by jaxpr: a hash of what it computes, independent of names */
    jaxpr_t *jaxpr_leaders; /* by jaxpr: the first that is equal except for names, NONE: it has constants */
    u32 *places; /* by variable: its position among the binders and results of its jaxpr, or a number of one rule */
};

/* Widening conversions, of N202 (numerics.c). */
struct widenings {
    VEC(eqn_t) all;
    var_t *origins; /* by variable: the result of the conversion that made it wide */
    u32 *n_widened; /* by widening: how many variables it made wide */
    var_t *joined;  /* by widening: an earlier one that shares a result with it, or itself */
    u8 *states;     /* by widening: whether it is reported */
};

/* Findings that are not reported: by comments and by the baseline (emit.c). */
struct suppressed {
    VEC(struct ignore) ignores;
    struct memo eqns;          /* an equation: its first entry in ignores, plus one */
    u64 file;                  /* the rules that `ignore-file` comments name */
    VEC(u64) baseline;         /* sorted keys */
    VEC(u8) matched;           /* .. how many of the equal keys were matched, at the first of them */
    struct known_key last_key; /* the last result, as a cache */
};

/* The fixes of the findings (edits.c). */
struct fixes {
    VEC(struct grouped_edit) edits;
    u32 groups;
    bool unresolved;         /* the current jaxpr reads an unresolved name */
    VEC(var_t) replacements; /* the variables by which fixes of the current jaxpr replace others */
    struct memo replaced;    /* by variable: its index in replacements, plus one */
    VEC(eqn_t) dropped; /* equations that fixes of the current jaxpr remove, because their results are replaced .. */
    VEC(eqn_t) dead;    /* .. and because their results are unused */
};

struct lint {
    struct module *m;
    const struct lint_run *run;
    const struct lint_plan *plan;
    struct diags *ds;
    struct lint_result *result;
    struct lint_prims known;
    struct {
        u64 rules[256];     /* by byte: the rules that it is a mark of */
        u64 all;            /* the rules that have marks */
    } marks;                /* MARKS of lint.def */
    struct effects effects; /* of every jaxpr in the order of the facts */
    struct region_map map;  /* a buffer for functions that read a region map */
    struct lint_facts facts;
    struct value_numbers numbers;
    struct suppressed suppressed;
    struct fixes fix;
    /* the tables of single rules */
    struct widenings wide;
    u8 *small;     /* by type: nonzero if P303 reports nothing about it */
    double *bytes; /* by type: the bytes of a value, as P315 counts them; negative: not computed yet */
    u8 *read;      /* by variable: for P309: nonzero for binders that are needed */
    struct keys keys;
    struct memo wrapped; /* variables that R503 reported */
    /* the state of the run */
    program_t program;
    u32 first, n;  /* its jaxprs in the order of the facts */
    jaxpr_t jaxpr; /* of AT_JAXPR and AT_EQN rules */
    enum lint_rule rule;
    const struct prim *row; /* AT_EQN: of the equation, or NULL */
    struct {
        bool reported;    /* it was not suppressed: notes and edits may follow */
        const char *hint; /* its hint, still to be added, or NULL .. */
        bool offers_fix;  /* .. which ends in LINT_FIX_HINT or LINT_FIX_HINT_OF */
    } last;               /* the last finding */
    struct {
        program_t program; /* NONE until it is reported .. */
        eqn_t eqn;         /* .. its equation .. */
        var_t var;         /* .. or the binder it is about */
    } why;                 /* the finding to explain */
};

/* The function of a rule: `id` is a program_t, jaxpr_t or eqn_t, depending on `at` of its row; unused for AT_TEXT. */
typedef void lint_function(struct lint *l, u32 id);

#define LINT(code, name, level, at, prims, fix, title, hint, explain) lint_function lint_##code;
#include "lint.def"
#undef LINT

/* ---- reporting ---- */

/* reports a finding of the current rule about an equation (NONE: about its jaxpr or program) at a place of the text.
 * False if a comment or the baseline suppresses it: notes and edits after it are then ignored, too */
bool lint_report(struct lint *l, eqn_t e, struct span at, const char *format, ...) printf_like(4, 5);

/* lint_note_why records a finding if it is the one to explain; lint_explain finds its causes (slice.c) */
void lint_note_why(struct lint *l, eqn_t e, struct span at);
void lint_explain(struct lint *l);

/* reads `ignore` comments and the baseline; called by the engine */
void lint_read_ignores(struct lint *l);

/* adds a note to the last finding, with a place, or without one if at.at is NONE */
void lint_note(struct lint *l, struct span at, const char *format, ...) printf_like(3, 4);

/* adds a note that says how the last finding counts sizes that are not numbers, unless all are `known` */
void lint_note_sizes(struct lint *l, bool known);

/* replaces the hint of the rule's row for the last finding; the string is static, and ends in LINT_FIX_HINT or
 * LINT_FIX_HINT_OF if `offers_fix` */
void lint_hint(struct lint *l, const char *text, bool offers_fix);

/* adds the hint of the last finding after its notes; the engine calls it after each rule, too */
void lint_end_finding(struct lint *l);

/* text for messages, which lives as long as the module: of a text, a variable's name, a type, a primitive, a
 * parameter's key */
const char *lint_slice(struct lint *l, struct slice text);
const char *lint_var(struct lint *l, var_t v);
const char *lint_type(struct lint *l, type_t type);
const char *lint_prim(struct lint *l, eqn_t e);
const char *lint_key(struct lint *l, param_t p);
const char *lint_bytes(struct lint *l, u64 bytes); /* `1.5 MiB` */

/* the span of a lint_note without a place */
static inline struct span
lint_nowhere(void)
{
    return (struct span){NONE, 0};
}

/* the span of the binder of a variable of jaxpr `home` */
struct span lint_binder(struct lint *l, jaxpr_t home, var_t v);

/* ---- fixes ---- */

/* adds a fix to the last finding: text[at .. at + n) becomes `text`, which must live as long as the module */
void lint_edit(struct lint *l, u32 at, u32 n, struct slice text);

/* adds a fix to the last finding: replaces `var`, a result of equation e, by `by` in their jaxpr, and removes e.
 * Does nothing if the text cannot express that */
void lint_replace(struct lint *l, eqn_t e, var_t var, var_t by);

/* adds a fix to the last finding: removes equation e */
void lint_drop(struct lint *l, eqn_t e);

/* turns lint_replace and lint_drop of one jaxpr into edits; called by the engine after each jaxpr */
void lint_make_edits(struct lint *l, jaxpr_t j);

/* keeps the edits that do not overlap earlier ones; called by the engine at the end */
void lint_edits_choose(struct lint *l);

/* ---- queries ---- */

/* the primitive of an equation; valid until the next call. O(1), but O(rules) for a new one */
const struct lint_prim *lint_prim_of(struct lint *l, eqn_t e);

/* true if the newest JAX does not print this name: the primitive was removed or renamed (hygiene.c) */
bool lint_is_old(const struct lint *l, const struct prim *row, name_t name);

/* true if the equation's primitive is known and repeating the equation gives the same results */
bool lint_is_repeatable(struct lint *l, eqn_t e);

/* the variable of operand i; NONE if it is not a variable */
static inline var_t
lint_operand(const struct lint *l, eqn_t e, u32 i)
{
    const struct eqn *eqn = &l->m->eqns.at[e];
    atom_t a = i < eqn->n_atoms ? l->m->atoms.at[eqn->atoms + i] : atom_make(ATOM_LIT, 0);
    return atom_kind(a) == ATOM_VAR ? atom_id(a) : NONE;
}

/* the equation that binds operand 0 of e, if e may undo it: the result of e has the type of operand 0 of that
 * equation, which *start becomes; else NONE */
eqn_t lint_undone(const struct lint *l, eqn_t e, var_t *start);

/* the type of a variable or literal, or NONE */
type_t lint_atom_type(const struct lint *l, atom_t a);

/* the element type of an array, or of the elements of a ref; NONE if there is none */
dtype_t lint_dtype(const struct lint *l, type_t type);

/* the bits of a variable's element type, of the real part for complex; 0 if it is not a float */
u32 lint_float_bits(const struct lint *l, var_t v);

/* the name of the equation's primitive in its row, or as printed if it has no row */
struct slice lint_name(const struct lint *l, eqn_t e);

/* the bytes and elements of a type; see type_bytes and type_elements */
u64 lint_type_bytes(const struct lint *l, type_t type, bool *known);
u64 lint_type_elements(const struct lint *l, type_t type, bool *known);

/* ---- values (value_numbering.c) ---- */

/* computes l->numbers.leaders, l->numbers.shapes and l->numbers.jaxpr_leaders, once. Linear */
void lint_number_values(struct lint *l);

#endif
