/* SPDX-License-Identifier: Apache-2.0
 *
 * What lives as long as one check_types: private to the engine and to the files that report for it. */
#ifndef JX_CHECKER_H
#define JX_CHECKER_H

#include "base/memo.h"
#include "regions/region_map.h"
#include "verify/mesh.h"
#include "verify/rule.h"

#include <stdarg.h>

/* Scratch memory of one equation: blocks are kept and used again. */
struct scratch {
    struct mem *mem;
    VEC(struct slice) blocks;
    u32 block;   /* which block is open */
    size_t used; /* bytes used of it */
};

enum { DEF_SITE_JAXPR = 1u << 31 };

/* Where a variable is bound: result i of an equation, or binder i of a jaxpr. */
struct def_site {
    u32 owner; /* eqn_t, or jaxpr_t with the bit DEF_SITE_JAXPR; NONE unknown */
    u32 i;
};

/* Equations that types alone decide about, met before and found right: primitive and types of operands and result; all
 * bits are set where there is none yet. */
struct simple {
    const struct dim *view; /* types.view of the scope it was judged in */
    name_t prim;
    type_t result, types[3];
    u32 literals; /* a byte for each operand: the kind of literal it is, plus one; 0: a variable */
};

/* Any equation met before and found right; see verify_cache.c. */
struct verified {
    u64 hash; /* 0: nothing here */
    const struct dim *view;
    eqn_t e;
};

/* the tables of both have as many slots as there are equations, up to these powers of two */
enum { MEMO_BITS = 10, VERIFIED_BITS = 12 };

/* What a call that was reported passes to a binder. */
struct passed {
    var_t binder;
    struct aval have;
};

struct checker {
    struct module *m;
    const struct check_options *options;
    const struct resolution *found;
    struct diags *ds;
    struct prims prims;
    struct scratch scratch;
    struct scratch aside;       /* of the equations that are judged again while another is reported */
    u64 *reported;              /* bit v: variable v may be of another type than its binder prints */
    bool any_reported;          /* some bit is set */
    struct def_site *def_sites; /* by var_t; made when the first message asks */
    jaxpr_t *eqn_jaxprs;        /* by eqn_t: the jaxpr it belongs to; made when a rule or a message asks */
    struct dim *symbols;   /* the dims of all types, names marked as symbols of jax.export; NULL where they are not */
    u32 room;              /* how many variables `reported` and `inferred` are for */
    u32 known;             /* how many variables and equations there were when tables were last made */
    bool placed;           /* some type says where its axes lie on a mesh */
    bool spaced;           /* some type is of an array in the host's memory */
    struct aval *inferred; /* by var_t: what rules found out where no type is printed; NULL until one did */
    bool learned;          /* something was found out that was not known before */
    u64 *replicated;       /* by var_t: sets of replication.c; made when the first shard_map asks */
    u64 followed;          /* how many equations it has looked at */
    struct region_map map; /* of the equation whose rule asked last */
    struct memo effects;   /* by jaxpr_t: those it prints, as a set (effect_check.c) */
    struct memo bound_by;  /* by eqn_t: the place in `bound` plus one, of those that were asked (mesh.c) */
    VEC(struct bound) bound;
    VEC(struct mesh_axis) axes; /* of all of them */
    u32 left_open;          /* under --strict: results of the program whose types are neither printed nor worked out, */
    struct span first_open; /* and the place of the first, in the text, */
    eqn_t first_open_eqn;   /* with the equation that binds it */
    struct memo sizes;      /* a digest of each word in the sizes of all types: 1, .. */
    bool sizes_read;        /* .. once a parameter named one */
    bool omitted;           /* parameters were left out, which is reported */
    struct memo unknown_prims; /* a primitive without a rule: 1 once it was met (unknown_primitive.h) */
    struct simple *memos;
    struct verified *verified;
    u32 memo_shift, verified_shift; /* 64 less the bits of a slot's number */
    bool already_reported; /* something the equation at hand reads or binds was reported: nothing is trusted, */
    bool doubtful;         /* and an operand may be of another type than is printed */
    bool noted;            /* the last rule_error made a record that notes may follow */
    bool hinted;           /* and a hint already follows it */
    u32 unconverted; /* the operand a conversion of which may be missing, if nothing better is hinted; else NONE */
    eqn_t open;      /* whose record that is, until end_finding; else NONE */
    VEC(struct passed) passed;  /* binders of nested programs whose calls were reported */
    VEC(struct aval) computed;  /* what rules computed for results that are bound as another type, */
    struct memo computed_of;    /* and which of them, plus one, by var_t */
    struct memo asked_of;       /* arguments that were asked about (argument_culprit.c): 1, by var_t, */
    u32 asked;                  /* and how many equations were judged again for them */
    u32 shown_of;               /* the end of the program that .. */
    struct version_range shown; /* .. may be of these versions, as what it prints shows; 0: of none yet */
    bool shows_none;            /* .. prints a `None` that the canonical form drops */
    var_t noted_vars[4];        /* whose types its notes have shown */
    u32 n_noted;
};

/* what a rule is given to look at an equation; types of operands are read apart (rule.in) */
static inline struct rule
rule_of(struct checker *c, eqn_t e, const struct prim *prim)
{
    const struct eqn *eqn = &c->m->eqns.at[e];
    return (struct rule){.c = c,
                         .m = c->m,
                         .options = c->options,
                         .prim = prim,
                         .e = e,
                         .eqn = eqn,
                         .n = eqn->n_atoms,
                         .n_results = eqn->n_vars};
}

/* memory that lives until the next equation; scratch_reset takes all of it back */
void *scratch_alloc(struct checker *c, size_t size);
void scratch_reset(struct checker *c);

/* the span of a place of an equation */
struct span where_span(const struct module *m, eqn_t e, struct where where);

/* true where v may be of another type than its binder prints: that was reported */
static inline bool
var_reported(const struct checker *c, var_t v)
{
    return c->reported[v >> 6] >> (v & 63) & 1;
}

/* says that v may be of another type than its binder prints */
static inline void
var_report(struct checker *c, var_t v)
{
    c->any_reported = true;
    c->reported[v >> 6] |= 1ull << (v & 63);
}

/* whether the equation prints every parameter that its row needs */
bool row_complete(struct rule *r);

/* whether the equation prints the parameters of its row. Where it prints others and lacks those the row needs, it is
 * somebody's primitive of the same name, of which nothing is known */
bool row_fits(struct rule *r);

/* what messages call the values of a role, by enum param_role (param_values.c) */
extern const char *const param_nouns[];

/* cut_values.c: true where a word is a known enumeration's name cut short, or is followed by something other than one
 * of its members */
bool member_is_cut(struct slice s);

/* cut_values.c: true for the beginning of a constant or of an object's text */
bool value_is_cut(struct slice s);

/* whether a value can be read as its role says; what somebody left out, `...`, is not asked */
bool value_fits(const struct module *m, const struct param *p, const struct prim_param *param);

/* whether a value has a line that begins where the parameter's own line does. Further lines of an object begin where
 * the object puts them; what a line was wrapped at, or a stray word, begins there (param_check.c) */
bool has_aligned_line(const struct module *m, const struct param *p);

/* reports what a value of the right kind names and is not there: an element type, a size (param_names.c) */
bool rule_param_names(struct rule *r, const struct param *p, const struct prim_param *param);

/* compares the sharding that a parameter asks for with the result's type (spec_check.c) */
bool rule_spec(struct rule *r, const struct param *p, const struct prim_param *param);

/* compares the equation's parameters with the columns of its row; false when it reported one (param_check.c) */
bool rule_params(struct rule *r);

/* says once of a text that people left parameters out */
void report_omitted(struct checker *c, struct span s);

/* like say, for those who were given their words as a va_list */
const char *format_args(struct rule *r, const char *format, va_list args);

/* ends the record that notes were added to, if one is open: says which programs it lies inside */
void end_finding(struct checker *c);

struct probe;

/* judges an equation again, in silence, to learn how much of a result's type its rule works out */
void probe_equation(struct checker *c, eqn_t e, const struct prim *prim, struct probe *p);

/* makes what checks equations of m one by one; the others must outlive it. checker_free gives the memory back */
struct checker *checker_new(struct module *m, const struct check_options *options, const struct resolution *found,
                            struct diags *ds);

/* makes room for variables and equations that were appended since; O(1) where there are none */
void checker_extend(struct checker *c);
void checker_free(struct checker *c);

/* judges all programs of the module */
void check_programs(struct checker *c);

/* judges one equation; for results that print no type, c->inferred is then what its rule infers */
void check_equation(struct checker *c, eqn_t e);

/* checks a typed literal's text against its type; true when it is right */
bool check_literal(struct checker *c, const struct literal *l);

#endif
