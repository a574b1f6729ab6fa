/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of one call of check_types. Private to verifier.c and the files that report for it. */
#ifndef JX_CHECKER_H
#define JX_CHECKER_H

#include "base/memo.h"
#include "regions/region_map.h"
#include "verify/mesh.h"
#include "verify/rule.h"

#include <stdarg.h>

/* Scratch memory of one equation; its blocks are reused. */
struct scratch {
    struct mem *mem;
    VEC(struct slice) blocks;
    u32 block;   /* the current block */
    size_t used; /* bytes used of it */
};

enum { DEF_SITE_JAXPR = 1u << 31 };

/* Where a variable is bound: result i of an equation, or binder i of a jaxpr. */
struct def_site {
    u32 owner; /* eqn_t, or jaxpr_t with the bit DEF_SITE_JAXPR; NONE unknown */
    u32 i;
};

/* A correct equation whose verdict depends only on its primitive and the types of its operands and result. In an empty
 * slot, all bits are set. */
struct simple {
    const struct dim *view; /* types.view of the scope that it was checked in */
    name_t prim;
    type_t result, types[3];
    u32 literals; /* a byte for each operand: the kind of literal it is, plus one; 0: a variable */
};

/* A correct equation; see verify_cache.c. */
struct verified {
    u64 hash; /* 0: an empty slot */
    const struct dim *view;
    eqn_t e;
};

/* the tables of both have about as many slots as there are equations, at most 1 << these */
enum { MEMO_BITS = 10, VERIFIED_BITS = 12 };

/* The type that a reported call passes to a binder. */
struct passed {
    var_t binder;
    struct aval have;
};

/* digests of values, and of words in values, that were found valid: real programs repeat them */
struct sound_values {
    u64 digests[256], words[256];
};

/* Whether some type of a program has a property. */
struct type_shown {
    u32 program; /* the program_t, plus one; 0: none */
    bool is;     /* the answer for it */
};

/* The finding of the current equation that notes may follow (rule_diag.c). */
struct open_finding {
    eqn_t e;         /* the equation of the record, until end_finding; else NONE */
    bool noted;      /* the last rule_error made a record that notes may follow */
    bool hinted;     /* and a hint already follows it */
    u32 unconverted; /* the operand that a hint suggests to convert, if there is no better hint; else NONE */
    var_t vars[4];   /* the variables whose types its notes show */
    u32 n_vars;
};

/* Types that are likely wrong where they are printed, to find the culprit of a finding (provenance.c). */
struct likely_wrong {
    VEC(struct passed) passed; /* binders of nested programs whose calls were reported */
    VEC(struct aval) computed; /* types computed for results that are bound as another type, */
    struct memo computed_of;   /* and by var_t the index of its type, plus one */
    struct memo asked_of;      /* by var_t: 1 for arguments that argument_culprit.c has examined, */
    u32 asked;                 /* and how many equations were checked again for them */
};

struct checker {
    struct module *m;
    const struct check_options *options;
    const struct resolution *found;
    struct diags *ds;
    struct prims prims;
    struct scratch scratch;
    struct scratch aside; /* of equations that are checked again while another is reported */
    /* by variable and equation */
    u64 *reported;              /* bit v: the type printed for variable v may be wrong */
    bool any_reported;          /* some bit is set */
    struct def_site *def_sites; /* by var_t; made for the first message that needs it */
    jaxpr_t *eqn_jaxprs;        /* by eqn_t: its jaxpr; made for the first rule or message that needs it */
    struct aval *inferred;   /* by var_t: types inferred for variables without a printed type; NULL before the first */
    struct memo conflicting; /* by var_t: 1 if calls of a shared program disagree about its type: none is inferred */
    bool probing;            /* a probe runs, which infers nothing */
    bool learned;            /* some type was inferred since this was cleared */
    bool disagreed;          /* two calls of a shared program disagreed about a type since this was cleared */
    u64 *replicated;         /* by var_t: sets of replication.c; made for the first shard_map */
    u64 followed;            /* how many equations replication.c has visited */
    u32 room;                /* the number of variables that `reported` and `inferred` have room for */
    u32 known;               /* the number of variables and equations when tables were last extended */
    /* of the module */
    struct dim *symbols; /* the dims of all types, names marked as symbols of jax.export; NULL if no dim is a name */
    bool placed;         /* some type has a sharding */
    bool infers;         /* only types are wanted, whichever version printed the program */
    struct {
        program_t program;     /* in this program .. */
        struct slice text;     /* .. this is the first explicit mesh */
    } explicit_mesh;           /* of mesh.c */
    bool spaced;               /* some type has a memory space to verify: spaces_shown() */
    bool omitted;              /* elided parameters were reported */
    struct region_map map;     /* of the last equation whose rule used it */
    struct memo effects;       /* by jaxpr_t: the set of effects that it prints (effect_check.c) */
    struct memo ref_effects;   /* by hash of a program and an effect on a ref: 1 if the program prints the effect */
    struct memo ended;         /* by var_t of a ref: the equation that ends it, plus one (ref_alias.c) */
    struct memo unknown_prims; /* by primitive without a rule: 1 after its first equation (unknown_primitive.h) */
    struct memo unlisted; /* by hash of a primitive and a key its row lacks: the program it was reported in, plus one */
    struct {
        struct memo by_eqn; /* the index in `bound`, plus one, of the axes that the equation binds */
        VEC(struct bound) bound;
        VEC(struct mesh_axis) all;
    } mesh_axes; /* of mesh.c */
    struct {
        struct memo by_jaxpr; /* by shared program: the index in `all`, plus one, of its last call */
        VEC(struct call) all;
        struct memo around; /* by shared program: the equation that contains it, plus one; NO_CALL if it is unclear */
        eqn_t known;        /* the number of equations inspected */
    } calls;                /* of mesh.c */
    struct {
        struct memo words; /* by hash of each word in sizes of types: 1; .. */
        bool read;         /* .. filled for the first parameter that names one */
    } size_names;          /* of param_names.c */
    struct {
        u32 program;                    /* the program, plus one, that .. */
        struct versions_shown versions; /* .. these versions may have printed, */
        bool print;                     /* that prints something that the canonical form drops, */
        bool none;                      /* and a `None` that every version prints */
        u64 *keys;                      /* by row: bit i: some equation prints listed[i]; .. */
        u32 keys_of;                    /* .. of this program, plus one */
    } shown;                            /* of lost_params.c */
    /* of the program that is being checked */
    program_t program;
    bool own_program; /* the verdict of the current equation depends on what else its program prints */
    /* whether some variable of the program shows varying axes, explicit axes, or is an object of another system */
    struct type_shown varying, explicit_axes, objects;
    /* caches of correct equations and values */
    struct simple *simple;
    struct verified *verified;
    u32 simple_shift, verified_shift; /* 64 less the bits of a slot's number */
    struct sound_values sound;
    /* findings */
    bool already_reported; /* something that the current equation reads or binds was reported: do not report trust, */
    bool doubtful;         /* and the printed type of an operand may be wrong */
    struct open_finding finding;
    struct likely_wrong wrong;
    struct {
        u32 n;             /* how many results of the program have a type that is neither printed nor inferred, */
        struct span first; /* and the place of the first, in the text, */
        eqn_t e;           /* and the equation that binds it */
    } untyped;             /* under --strict */
};

/* the argument of rules for an equation, without the types of operands (rule.in) */
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

/* the versions that may have printed the program of an equation. After this call, the verdict of the current equation
 * is not reused in other programs */
static inline struct version_range
checker_versions(struct checker *c)
{
    c->own_program = true;
    return program_versions(c->m, c->program);
}

/* whether `is` holds for the type of some variable of the program that is being checked; computed once per program, and
 * stored in *shown */
bool program_shows(struct checker *c, struct type_shown *shown, bool (*is)(const struct type *));

/* memory that lives until the next equation; scratch_reset frees all of it */
void *scratch_alloc(struct checker *c, size_t size);
void scratch_reset(struct checker *c);

/* rewords a finding about operand i for a place at the operand's binder: the operand's type, with which the text may
 * end, is moved to its beginning */
const char *format_of_binder(struct rule *r, const char *text, u32 i);

/* the span of a place of an equation */
struct span where_span(const struct module *m, eqn_t e, struct where where);

/* true if the type printed for v may be wrong, which was reported */
static inline bool
var_reported(const struct checker *c, var_t v)
{
    return c->reported[v >> 6] >> (v & 63) & 1;
}

/* records that the type printed for v may be wrong */
static inline void
var_report(struct checker *c, var_t v)
{
    c->any_reported = true;
    c->reported[v >> 6] |= 1ull << (v & 63);
}

/* whether the equation prints every parameter that its row needs */
bool row_complete(struct rule *r);

/* whether the parameters of the equation are those of its row. If not, as it has other parameters and lacks some that
 * the row needs, it is an unknown primitive of the same name */
bool row_fits(struct rule *r);

/* whether a nested program of the equation is unreadable in a part that must be compared */
bool holds_damaged(const struct rule *r);

/* the key of a parameter if the row of the equation does not list it, else an empty slice */
struct slice unlisted_key(const struct rule *r, param_t p, struct name_buffer *buffer);

/* the end of a message about a value that does not fit: "got `..`", for a `whole` value followed by a flaw that is
 * easily overlooked, such as a number that begins with 0; "but contains `..`" if only its entry `odd` does not fit; or
 * "but is empty". It lives as long as the diagnostics */
const char *value_got(struct diags *ds, struct slice text, struct slice odd, bool whole);

/* how many more brackets a text opens than it closes, strings aside; below 0 if it closes more */
i64 brackets_open(struct slice text);

/* describes, for a message, the part of a value from which on it is not Python, "`id=O`: `id` must be a number", and
 * stores the part in *at. NULL if the value is Python, if no part is to blame, or if the part is `entry`
 * (value_odd_entry) and no reason is known. `angled`: values of this kind may begin with `<` */
const char *value_malformed(struct diags *ds, struct slice text, struct slice entry, bool angled, struct slice *at);

/* the first entry of a spec, `P('x', None, ('x', 'y'), unreduced={'z'})`, that is neither None nor an axis nor a flat
 * tuple of axes; empty if there is none */
struct slice value_odd_spec_entry(struct slice s);

/* whether a parameter may have the value `<X object at 0x7f01>` */
bool value_may_be_angled(const struct prim_param *param);

/* the span of a part of a parameter's value, a name with its quotes; of all of it if the part is not in the text */
struct span value_span(const struct module *m, const struct param *p, struct slice part);

/* what messages call the values of a parameter: "an integer" (param_nouns.c). It lives as long as the diagnostics */
const char *param_noun(struct diags *ds, const struct prim_param *param);

/* a misspelled word, as value_has_misspelling finds it, and what was probably meant, for messages: another word, a
 * class and its member, or two words; an empty `meant` is that of an unknown element type */
const char *format_misspelling(struct diags *ds, struct slice word, struct slice meant);

/* messages about a value, whose first arguments are its key and primitive: it is of another kind, with `None or ` and
 * the noun of the right one; it is not Python; a word of it is misspelled (format_misspelling) */
#define VALUE_OF_OTHER_KIND "`%s` of `%s` must be %s%s, %s"
#define VALUE_IS_MALFORMED "`%s` of `%s` is malformed at %s"
#define VALUE_HAS_MISSPELLING "`%s` of `%s` contains %s"
#define LINE_IN_VALUE "this line is indented like a parameter, but is not `KEY=VALUE`: it is read as part of `%s`"

/* messages about keys, whose first argument is the primitive: a key is missing; a key is a misspelling of another,
 * which may be required; the brackets are empty */
#define PARAM_IS_MISSING "`%s` lacks the required parameter %s"
#define PARAM_IS_MISSPELLED "`%s` has no parameter `%s`; did you mean `%s`%s?"
#define LIST_IS_EMPTY "`%s` has an empty parameter list, which JAX never prints; are its parameters missing?"

/* listed_place for a key that may have been added by a rewrite, after the row was looked up (param_check.c) */
u32 listed_param(const struct module *m, const struct prim *prim, name_t key, u32 guess);

/* the index of the parameter of a row with a key, or NONE. `guess` is the likely index: the search begins there, since
 * keys are printed in the order of the row */
static inline u32
listed_place(const struct prim *prim, name_t key, u32 guess)
{
    for (u32 i = guess; i < prim->n_listed; i++)
        if (prim->listed[i].name == key)
            return i;
    for (u32 i = 0; i < guess; i++)
        if (prim->listed[i].name == key)
            return i;
    return NONE;
}

/* the index of the first required parameter of which no spelling is in the set `seen`, or NONE. *abridged: several are
 * missing, and only programs are printed (param_check.c) */
u32 missing_param(const struct prim *prim, u64 seen, bool *abridged);

/* the spellings of parameter i of a row, in backticks and joined by `or`, that are always printed by versions in
 * `shown`, which may have printed the program; without such a spelling, that of entry i (param_check.c) */
const char *missing_keys(struct diags *ds, const struct prim *prim, u32 i, struct version_range shown);

/* the versions that print all that a program contains, whatever it lacks; no version if it has no types. Linear in its
 * text (lost_params.c) */
struct versions_shown program_shown(struct module *m, program_t g);
/* the same for the program that is being checked; computed once for each program (lost_params.c) */
struct version_range checker_shown(struct checker *c);

/* the index of the first parameter not in the set `seen` of which `key` is a misspelling, or NONE (param_check.c) */
u32 misspelled_param(const struct prim *prim, struct slice key, u64 seen);

/* checks the parameters of an equation in the notation of kernels, and the signs between its operands: `rest` is its
 * text after the primitive, a part of the module's text (notation.c) */
void check_notation(struct rule *r, struct slice rest);

/* the text after the primitive of an equation whose parameters and operands were not read, as in `= scan[...] a`, or
 * `debug_callback[...] a`, which binds no results (warn_params.c) */
struct slice after_primitive(const struct module *m, eqn_t e);

/* whether this text begins with an empty list of parameters; false if the primitive is an element type, as in `f32[]`
 * (warn_params.c) */
bool list_is_empty(const struct module *m, eqn_t e, struct slice rest);

/* cut_values.c: true for a truncated name of a known enumeration, or its name followed by something other than a
 * member */
bool member_is_cut(struct slice s);

/* cut_values.c: whether a value is a member of an enumeration or the number of one; true if the enumeration is
 * unknown */
bool is_member_of(struct slice class, struct slice s);

/* cut_values.c: true for a truncated constant or repr */
bool value_is_cut(struct slice s);

/* cut_values.c: true for text that ends with the `>` with which a screen marks a cut line */
bool text_is_cut(struct slice s);

/* cut_values.c: whether a value begins with a sign with which neither a Python value, a path nor a symbol begins */
bool begins_with_sign(struct slice s);

/* cut_values.c: the first closing bracket before any quote that has no opening bracket, or NULL */
const char *stray_close(struct slice s);

/* whether a value is of the kind that its role requires; true for an elided value, `...` */
bool value_fits(const struct module *m, const struct param *p, const struct prim_param *param);

/* the entry of a value, or the argument of a record, that does not fit its role, if exactly one does not; else empty.
 * Linear: for findings only */
struct slice value_odd_entry(struct mem *mem, const struct prim_param *param, struct slice text);

/* whether a value has the simplest form of its role, as most have: a few digits, a tuple of these, a word */
bool value_is_plain(enum param_role role, struct slice s);

/* value_words.c: whether a value fits and has no misspelling. `before` caches values that were found valid */
bool value_is_sound(struct sound_values *before, const struct module *m, const struct param *p,
                    const struct prim_param *param);

/* value_words.c: whether a value contains a misspelling of a word that JAX prints in such values: *word is the first
 * one, and *meant the intended word, or the first part of *word if it is two joined words */
bool value_has_misspelling(struct sound_values *before, const struct module *m, const struct param *p,
                           const struct prim_param *param, struct slice *word, struct slice *meant);

/* a later line of a value that is indented like the line on which the value begins, as a wrapped line or a stray word
 * is, and the lines of a multi-line repr are not; empty if there is none (param_check.c) */
struct span aligned_line(const struct module *m, const struct param *p);

/* reports names in a valid value that do not exist: an element type, a size (param_names.c) */
bool rule_param_names(struct rule *r, const struct param *p, const struct prim_param *param);

/* compares the sharding in a parameter with the result's type (spec_check.c) */
bool rule_spec(struct rule *r, const struct param *p, const struct prim_param *param);

/* the same for a sharding that a parameter gives to result i; true for values that are not shardings,
 * `MemorySpace.Host` */
bool rule_put(struct rule *r, u32 i, const char *key, struct slice sharding);

/* checks the equation's parameters by the columns of its row; false if it reported one (param_check.c) */
bool rule_params(struct rule *r);

/* results.c: compares the type that a row's rule computed for the only result with its binder */
bool compare_result(struct rule *r, struct aval *out);

/* runs the row's rule for the operands, shapes and element types, without the checks of parameters and places
 * (verifier.c) */
void check_operand_types(struct rule *r);

/* reports the parameters in the set `lacking` that every version that may have printed the program prints; those in
 * `seen` are printed. Reports T010; false after an error (lost_params.c) */
bool rule_lost_params(struct rule *r, u64 seen, u64 lacking);

/* reports, once per text, that parameters were elided */
void report_omitted(struct checker *c, struct span s);

/* the span of the first `...` in a part of an equation's text, or of its primitive if there is none */
struct span dots_span(const struct module *m, eqn_t e, struct slice part);

/* format_text with the arguments as a va_list */
const char *format_args(struct rule *r, const char *format, va_list args);

/* ends the open finding, if there is one: adds notes about the programs around it */
void end_finding(struct checker *c);

struct probe;

/* checks an equation again without reporting, as *p asks, and stores in it what was found */
void probe_equation(struct checker *c, eqn_t e, const struct prim *prim, struct probe *p);

/* makes a checker of the equations of m; the arguments must outlive it. checker_free frees it */
struct checker *checker_new(struct module *m, const struct check_options *options, const struct resolution *found,
                            struct diags *ds);

/* extends the tables for variables and equations that were appended; O(1) where there are none */
void checker_extend(struct checker *c);
void checker_free(struct checker *c);

/* checks all programs of the module */
void check_programs(struct checker *c);

/* enter_jaxpr is called before the equations of a jaxpr are checked; leave_jaxpr, after them, checks what is not an
 * equation */
void enter_jaxpr(struct checker *c, jaxpr_t j);
void leave_jaxpr(struct checker *c, jaxpr_t j);

/* reports, under --strict, how many results of the program have a type that nothing determines */
void report_left_open(struct checker *c);

/* checks one equation, and stores inferred types of results without a printed type in c->inferred */
void check_equation(struct checker *c, eqn_t e);

/* literal_check.c: true if the text of a literal is of the kind of its type, such as `1.0` for a float, or if it has no
 * type */
bool literal_fits(const struct module *m, const struct literal *l);

/* literal_check.c: whether a float has digits enough to be out of the range of its type */
bool float_may_be_out_of_range(const struct module *m, const struct literal *l);

/* literal_check.c: checks that integer literals without a type are in the range of the element type of the other
 * operands; false after a warning */
bool check_untyped(struct checker *c, const struct eqn *eqn);

/* literal_check.c: checks the text of a literal against its type, if it has one; false after an error */
bool check_literal(struct checker *c, const struct literal *l);

#endif
