/* SPDX-License-Identifier: Apache-2.0
 *
 * What a rule sees and may do: the dense program with where each variable is bound and how often it is read, and the
 * words to report a finding, its other sides and its cure. A rule walks what it is called for, reports, and keeps
 * nothing. Private to lint. */
#ifndef JX_FACTS_H
#define JX_FACTS_H

#include "base/memo.h"
#include "resolve/check.h"
#include "regions/dead.h"
#include "regions/region_map.h"
#include "resolve/dim_resolve.h"
#include "base/value.h"
#include "lint/lint.h"

/* A primitive met before. */
struct lint_prim {
    name_t name;            /* NONE: nothing here */
    u64 rules;              /* that want its equations */
    const struct prim *row; /* or NULL */
};

enum { LOOP_BODY = 1, LOOP_GONE = 2, LOOP_KERNEL = 4, LOOP_PASTED = 8 };
enum { LINT_SLOT_BITS = 7, LINT_SLOTS = 1 << LINT_SLOT_BITS };

/* Characters without which some rules find nothing in a value of a parameter, by bits. */
enum lint_mark {
    MARK_X = 1,     /* `x`, of an address */
    MARK_BRACE = 2, /* `{`, of a set */
    MARK_SLASH = 4, /* `/`, of a path */
    MARK_REPR = 8,  /* `<`, or the W of `Wrapped function:` */
};

/* A comment ` # jaxpr: ignore[P304,N]`. */
struct ignore {
    u32 line, end; /* from the first byte of its line to the comment's last */
    u64 rules;     /* those it names, bit by bit */
};

/* The key of the findings of a rule about an equation, or (NONE) about its jaxpr: there may be one a binder. */
struct known_key {
    u64 key;
    enum lint_rule rule;
    jaxpr_t jaxpr;
    eqn_t e;
    bool known;
};

/* A variable that a fix reads instead of another, in all of their jaxpr. */
struct replacement {
    var_t var, by;
};

/* What became of a key. */
enum key_event { KEY_AGAIN, KEY_CONSTANT, KEY_IN_LOOP };

struct key_use {
    enum key_event what;
    eqn_t eqn, before; /* what consumes it; what did before, or inside */
    var_t key;
    jaxpr_t home;
    program_t program;
};

/* Random keys, followed through all programs (randomness.c). */
struct keys {
    var_t *holder; /* by variable: the first that held the same key */
    u32 *consumer; /* by holder: the equation that consumes it first, plus one */
    VEC(struct key_use) events;
};

/* An edit with the finding it cures: what belongs together is made together or not at all. */
struct grouped_edit {
    struct lint_edit edit;
    u32 group;
};

struct lint {
    struct module *m;
    const struct lint_run *run;
    const struct lint_plan *plan;
    struct diags *ds;
    struct lint_result *result;
    struct prims prims;
    struct lint_prim slots[LINT_SLOTS]; /* what was met last, by a hash of its name */
    VEC(struct lint_prim) known;        /* all that was met .. */
    struct memo known_at;               /* .. a name: its place there, plus one */
    u64 marked[4];                      /* of each bit of enum lint_mark: the rules that want it */
    u64 marking;                        /* all of those */
    u64 wanted;                         /* the rules of AT_EQN that are on */
    u32 letters[RULE_COUNT]; /* of each: a bit for what the names of its primitives begin with, all for any */
    struct effects effects;  /* of every jaxpr in `order` */
    struct region_map map;   /* of whoever reads one */
    /* facts: of the whole module, for programs that are linted */
    struct jaxprs order; /* inner ones before those that hold them */
    u32 *uses;           /* by variable: how often it is read, as an operand, a result or a size */
    u32 *readers;        /* a copy of uses, for the rule that counts them down */
    eqn_t *maker;        /* by variable: the equation that binds it, or NONE */
    bool dynamic;        /* some type has a size that is not a number */
    u8 *sizes;           /* by variable: nonzero where a type or an index mentions it */
    u8 *holds;           /* by equation: nonzero where a parameter is more than text */
    u8 *loops;  /* by jaxpr: LOOP_BODY where it is run more than once, LOOP_GONE where a cure takes it out, LOOP_KERNEL
                 * in a kernel, LOOP_PASTED inside a print that was pasted into a value */
    u64 *paths; /* by jaxpr: a hash of what holds it */
    program_t *programs; /* by place in `order`: whose jaxpr it is */
    var_t *leaders;      /* by variable: the first of its jaxpr with the same value; NULL until lint_number_values */
    u64 *shapes;         /* by jaxpr: a hash of what it computes, whatever its names; likewise */
    jaxpr_t *twins;      /* by jaxpr: the first that is the same but for names, NONE: it has constants; likewise */
    u32 *places;    /* by variable: which binder or result of its jaxpr it is, or what a rule makes of it; likewise */
    var_t *origins; /* by variable: the widening it is wide by; of N202 */
    u32 *infected;  /* by widening: how many are */
    var_t *joined;  /* by widening: an earlier one that something is computed from as well, or itself */
    u8 *fates;      /* by widening: what became of it */
    VEC(eqn_t) widenings;
    u8 *small;     /* by type: nonzero where P303 has nothing to say of it */
    double *bytes; /* by type: of one value of it, as P315 counts; less than 0: not known yet */
    u8 *read;      /* by variable: nonzero for binders that something needs; of P309 */
    struct keys keys;
    struct memo wrapped; /* variables that R503 reported */
    /* where the run is */
    program_t program;
    u32 first, n;  /* its jaxprs in `order` */
    jaxpr_t jaxpr; /* of AT_JAXPR and AT_EQN rules */
    enum lint_rule rule;
    const struct prim *row; /* AT_EQN: of the equation, or NULL */
    program_t why_program;  /* of the finding to be explained, NONE until it is reported .. */
    eqn_t why_eqn;          /* .. its equation .. */
    var_t why_var;          /* .. or the binder it is about */
    bool reported;          /* the last finding was reported: notes and edits may follow */
    const char *hint;       /* what is still to be said of it, or NULL .. */
    bool cures;             /* .. which ends in LINT_CURE */
    VEC(struct ignore) ignores;
    struct memo ignored_eqns;  /* an equation: its first entry in ignores, plus one */
    u64 ignored;               /* the rules that each `ignore-file` names */
    VEC(u64) baseline;         /* sorted keys */
    VEC(u8) matched;           /* .. those that a finding met already */
    struct known_key last_key; /* what was asked for last */
    VEC(struct grouped_edit) edits;
    u32 groups;
    VEC(struct replacement) replacements; /* of the jaxpr at hand */
    bool unresolved;                      /* the jaxpr at hand reads a name that is not resolved */
    VEC(eqn_t) dropped;   /* equations that fixes of the jaxpr at hand take out, because of replacements .. */
    VEC(eqn_t) dead;      /* .. and because their results are unused */
    struct memo replaced; /* a variable of replacements: its place, plus one */
};

/* What a rule is: `id` is a program_t, jaxpr_t or eqn_t, as the row says; nothing for AT_TEXT. */
typedef void lint_function(struct lint *l, u32 id);

#define LINT(code, name, level, at, prims, fix, title, hint, explain) lint_function lint_##code;
#include "lint.def"
#undef LINT

/* ---- reporting ---- */

/* reports a finding of the rule at hand about an equation (NONE: about its jaxpr or program) at a place of the text.
 * False where a comment or the baseline suppresses it: notes and edits that follow are then left out, too */
bool lint_report(struct lint *l, eqn_t e, struct span at, const char *format, ...) printf_like(4, 5);

/* remembers a finding that is to be explained; finds its causes (slice.c) */
void lint_note_why(struct lint *l, eqn_t e, struct span at);
void lint_explain(struct lint *l);

/* finds the comments that ask for silence, and takes the baseline apart; called by the engine */
void lint_read_ignores(struct lint *l);

/* adds to the finding just reported: a place of the other side, or more of it (at.at NONE) */
void lint_note(struct lint *l, struct span at, const char *format, ...) printf_like(3, 4);

/* what to do about the finding just reported, instead of what the row of its rule says; the string is static, and ends
 * in LINT_CURE if `cures` */
void lint_hint(struct lint *l, const char *text, bool cures);

/* adds the hint of the last finding after its notes; the engine calls it after each rule, too */
void lint_end_finding(struct lint *l);

/* words for messages; they live as long as the module */
const char *lint_slice(struct lint *l, struct slice text);
const char *lint_var(struct lint *l, var_t v);
const char *lint_type(struct lint *l, type_t type);
const char *lint_prim(struct lint *l, eqn_t e);
const char *lint_key(struct lint *l, param_t p);
const char *lint_bytes(struct lint *l, u64 bytes); /* `1.5 MiB` */

/* no place, for lint_note */
static inline struct span
lint_nowhere(void)
{
    return (struct span){NONE, 0};
}

/* where a variable is bound: a result of its equation, or binder of the jaxpr at hand */
struct span lint_binder(struct lint *l, jaxpr_t home, var_t v);

/* ---- cures ---- */

/* the cure of the finding just reported: text[at .. at + n) becomes `text`, which must live as long as the module */
void lint_edit(struct lint *l, u32 at, u32 n, struct slice text);

/* the cure of the finding just reported: `by` is read wherever `var`, a result of equation e of the same jaxpr, was,
 * and e goes. Nothing is done where that cannot be said in the text */
void lint_replace(struct lint *l, eqn_t e, var_t var, var_t by);

/* the cure of the finding just reported: equation e goes */
void lint_drop(struct lint *l, eqn_t e);

/* turns lint_replace and lint_drop of one jaxpr into edits; called by the engine after each jaxpr */
void lint_find_fates(struct lint *l, jaxpr_t j);

/* keeps the edits that do not overlap, first come first served; called by the engine at the end */
void lint_edits_choose(struct lint *l);

/* ---- asking ---- */

/* the primitive of an equation. O(1), O(rules) when it is met first; good until the next call */
const struct lint_prim *lint_prim_of(struct lint *l, eqn_t e);

/* true where JAX has no more what is printed under this name, or prints it under another (hygiene.c) */
bool lint_is_old(const struct lint *l, const struct prim *row, name_t name);

/* true where the equation also gives the same again when it is repeated, and a rule knows its primitive */
bool lint_is_repeatable(struct lint *l, eqn_t e);

/* the variable of an operand, or NONE for everything else */
static inline var_t
lint_operand(const struct lint *l, eqn_t e, u32 i)
{
    const struct eqn *eqn = &l->m->eqns.at[e];
    atom_t a = i < eqn->n_atoms ? l->m->atoms.at[eqn->atoms + i] : atom_make(ATOM_LIT, 0);
    return atom_kind(a) == ATOM_VAR ? atom_id(a) : NONE;
}

/* the type of a variable or literal, or NONE */
type_t lint_atom_type(const struct lint *l, atom_t a);

/* the element type of a type, of a ref's too; NONE where it has none */
dtype_t lint_dtype(const struct lint *l, type_t type);

/* bits of a real number of a variable's element type, 0 where it is not a float */
u32 lint_float_bits(const struct lint *l, var_t v);

/* the name of the equation's primitive as its row has it, or as printed where there is no row */
struct slice lint_name(const struct lint *l, eqn_t e);

/* the bytes of one value of a type, at most; UINT64_MAX where they are too many; *known is false where a dim is not a
 * number (each counts as 1 then) */
u64 lint_type_bytes(const struct lint *l, type_t type, bool *known);
u64 lint_type_elements(const struct lint *l, type_t type, bool *known);

/* ---- values (value_numbering.c) ---- */

/* works out l->leaders, l->shapes and l->twins. Linear; done once */
void lint_number_values(struct lint *l);

#endif
