/* SPDX-License-Identifier: Apache-2.0
 *
 * A module: every program read from one text, as dense arrays of 32-bit ids. There are no pointers; everything is
 * reached by index from the module, so that programs of a million equations stay small.
 *
 *     module -> programs -> jaxprs -> equations -> params -> (nested jaxprs)
 *                                  \-> vars        \-> atoms -> vars | literals | refs
 *
 * The parser fills the arrays, resolve/scope.c resolves names in place, passes edit links and append. */
#ifndef JX_MODULE_H
#define JX_MODULE_H

#include "base/memo.h"
#include "base/text.h"
#include "ir/type.h"
#include "ir/version.h"

typedef u32 var_t;     /* index into vars: a binder */
typedef u32 eqn_t;     /* index into eqns */
typedef u32 jaxpr_t;   /* index into jaxprs */
typedef u32 param_t;   /* index into params */
typedef u32 program_t; /* index into programs */

/* An operand, result or index: a tag in the two top bits and an id in the others. */
typedef u32 atom_t;

enum atom_kind {
    ATOM_NAME, /* a name that is not resolved yet, or unbound: id is its name_t */
    ATOM_VAR,  /* a resolved variable: id is its var_t */
    ATOM_LIT,  /* id is an index into literals */
    ATOM_REF,  /* a ref with indexers, `a[0,:]`: id is an index into refs */
};

static inline atom_t
atom_make(enum atom_kind kind, u32 id)
{
    return (u32)kind << 30 | id;
}

static inline enum atom_kind
atom_kind(atom_t a)
{
    return (enum atom_kind)(a >> 30);
}

static inline u32
atom_id(atom_t a)
{
    return a & ((1u << 30) - 1);
}

/* A binder: its name (`_` included) and its type, NONE when none was printed. */
struct var {
    name_t name;
    type_t type;
};

/* A run of bytes of the module: the text that was read, or bytes added later (module_add_bytes). */
struct span {
    u32 at, n;
};

enum literal_kind { LIT_INT, LIT_FLOAT, LIT_BOOL, LIT_COMPLEX, LIT_ARRAY, LIT_FLOAT0, LIT_UNIT, LIT_OTHER };

/* A literal, `2.0:f32[]`: value covers `2.0`; the type is NONE when none was printed (up to 0.6.0). */
struct literal {
    struct span value;
    type_t type;
    u32 kind; /* enum literal_kind */
};

/* A ref with its chain of indexers and transforms, `a[b,:]{bitcast(int32)}`. */
struct refexpr {
    atom_t ref;        /* the variable */
    struct span index; /* from the first bracket to the last */
    u32 uses, n_uses;  /* the variables mentioned inside index, in order: module.uses */
};

/* A piece of the text of an equation with special syntax, and the operand printed after it; NONE for the last. */
struct piece {
    struct span text;
    u32 operand;
};

/* The form in which an equation was printed. */
enum eqn_form {
    EQN_CALL,      /* b:f32[] = prim[k=v] a */
    EQN_CALL_BARE, /* ` = prim[k=v] a`: no results, up to 0.4.21 */
    EQN_GET,       /* b:f32[] <- r[..]                        prim get  */
    EQN_STORE,     /* r[..] <- v                              prim swap */
    EQN_SWAP,      /* b:f32[], r[..] <- r[..], v              prim swap */
    EQN_ADDUPDATE, /* r[..] += v                              prim addupdate */
    EQN_RAW,       /* dma_start(p0) a[..] -> b[..] c[..] and similar ones */
    EQN_ELLIPSIS,  /* the `...` of an excerpt */
    EQN_DAMAGED,   /* had a syntax error: its results are bound, and nothing else is known */
};

/* What the parser knows of an equation's parameters. */
enum eqn_list {
    LIST_ANY,
    LIST_TEXTS,    /* they are texts, without programs or names of programs */
    LIST_REPEATED, /* the same, and equal byte for byte to those of an earlier equation of the same primitive */
};

enum { MOST_ATOMS = (1 << 26) - 1 };

/* An equation. Its operands are adjacent in atoms, its results in vars; equations of one jaxpr are linked by next
 * (equations of nested programs are between them). Forms other than CALL keep the text after the results in their only
 * param, whose key is NONE; renaming regenerates it from the operands (ir/ref_text.h). For GET, STORE, SWAP and
 * ADDUPDATE atoms are the ref and then the value. */
struct eqn {
    u32 offset; /* of its first byte in the text; NONE for an equation a pass made */
    name_t prim;
    eqn_t next;
    u32 vars, n_vars; /* results */
    u32 atoms;        /* the first operand */
    u32 n_atoms : 26;
    u32 list : 2;   /* enum eqn_list, of params */
    u32 form : 4;   /* enum eqn_form */
    param_t params; /* first, linked by next; NONE when there are none */
};

enum param_kind {
    PARAM_TEXT,   /* bytes printed verbatim: span; a is an index into joined if its lines were wrapped, else NONE */
    PARAM_JAXPR,  /* { lambda .. }: a is the jaxpr_t */
    PARAM_SHARED, /* jaxpr=f: a is the index into lets (NONE: no such let), span the name */
    PARAM_TUPLE,  /* ({ lambda .. } f): a tuple of programs, which JAX prints with a layout of its own; a is the first
                     segment */
    PARAM_MIXED,  /* text with programs inside, `[{ lambda .. }, None]`: a is the first segment */
};

struct param {
    name_t key;
    u32 kind; /* enum param_kind */
    u32 a;
    struct span span; /* the whole value as printed */
    param_t next;
};

/* What the names in the shapes of a jaxpr are: symbols; variables, of which different ones are different sizes; or
 * variables that may be equal sizes, because one operand is passed for several. */
enum dim_names { NAMES_SYMBOLS, NAMES_VARIABLES, NAMES_SAME_VARIABLES };

enum segment_kind {
    SEGMENT_TEXT,    /* bytes: span; a as with PARAM_TEXT */
    SEGMENT_JAXPR,   /* TUPLE: a is the jaxpr_t */
    SEGMENT_SHARED,  /* TUPLE: a is the index into lets (NONE: no such let), span the name */
    SEGMENT_PROGRAM, /* MIXED: a is the program_t of a whole printed program, with its lets */
};

struct segment {
    u32 kind; /* enum segment_kind */
    u32 a;
    struct span span;
    u32 next; /* NONE at the end */
};

/* One `{ lambda consts ; invars . let eqns in outs }`. Constvars and invars are adjacent in vars. */
struct jaxpr {
    u32 offset, end; /* bytes it was read from: offset of `{`, and just past `}` */
    u32 vars;        /* first constvar; invars follow */
    u32 n_consts, n_ins;
    eqn_t eqns, last; /* first and last equation, NONE when empty */
    u32 n_eqns;
    u32 outs, n_outs; /* atoms */
    eqn_t parent;     /* the equation it is a parameter of, NONE for a program's own or a let's */
};

/* let NAME = jaxpr in */
struct let {
    struct span name;
    jaxpr_t jaxpr;
    u32 references; /* how many parameters name it */
    u32 offset;     /* of `let` */
};

/* One program of the stream, or one pasted into a parameter. */
struct program {
    u32 offset, end;               /* bytes it was read from */
    u32 lets, n_lets;              /* in printed order */
    u32 opened;                    /* the number of lets before rewrite/inline_lets.c removed them */
    jaxpr_t main;                  /* NONE if no jaxpr could be read */
    bool pasted;                   /* inside a parameter (SEGMENT_PROGRAM); not one of the stream's own */
    bool excerpt;                  /* has `...` equations */
    bool broken;                   /* had syntax errors */
    bool unusual;                  /* check_params found an unknown parameter of a known primitive, or one missing that
                                    * JAX always prints */
    bool dated;                    /* its versions are inferred */
    struct version_range versions; /* those that may have printed it; ALL_VERSIONS until program_versions is called */
};

/* ` # file.py:3:6 (f)`: a source comment; comments_anchor sets its equation. */
struct comment {
    u32 offset;
    struct span text; /* after `# `, without the line end */
    eqn_t eqn;        /* NONE: it belongs to the head of a program, or to none */
    u32 next;         /* the next comment of that equation, plus one; 0 at the end */
};

struct module {
    struct mem *mem;
    struct text text;
    struct names names;
    struct types types;
    VEC(char) extra; /* bytes added after the text: offset text.n + TEXT_PADDING is extra.at[0] */
    VEC(struct var) vars;
    VEC(atom_t) atoms;
    VEC(atom_t) uses;         /* variables inside indexers of refs */
    VEC(struct piece) pieces; /* of texts of equations: see `statements` */
    VEC(struct literal) literals;
    VEC(struct refexpr) refs;
    VEC(struct eqn) eqns;
    VEC(struct param) params;
    VEC(struct segment) segments;
    VEC(struct slice) joined; /* texts of values without the line breaks of wrapping */
    VEC(struct jaxpr) jaxprs;
    VEC(struct let) lets;
    VEC(struct program) programs;
    VEC(struct comment) comments;
    /* by param_t: the first piece of the text of an equation with special syntax, plus one */
    struct memo statements;
    struct memo comment_of; /* by eqn_t: its first comment, plus one; see comments_anchor */
    /* properties that few jaxprs have, by jaxpr_t: */
    struct memo effects;   /* see jaxpr_effects */
    struct memo copied;    /* see jaxpr_origin */
    struct memo unprinted; /* 1: its only unbound names are results that are not printed; see check_scopes */
    struct memo damaged;   /* 1: its arguments or results had a syntax error, so that their number is unknown */
    struct memo dim_names; /* what names in its shapes are: enum dim_names, as found by check_dims */
    struct memo likes;     /* by var_t: the variable that a new one replaces, plus one; see var_read */
    VEC(var_t) origins;    /* by var_t: the variable that it is a copy of; see var_origin */
    const struct evidence_names *evidence; /* for version.c; NULL until it is computed */
    struct shown_key *shown_keys;          /* for version_shown.c; likewise */
    var_t counted;                         /* variables below this one are counted in top_numeral; see vars_numerals */
    u32 top_numeral;
    bool stray_texts;  /* some parameter or segment names a let that does not exist */
    bool anchored;     /* comments have their equations */
    bool no_fast_path; /* for tests: fast paths are disabled */
};

/* makes an empty module over a text (text_init, text_adopt), which it then owns */
void module_init(struct module *m, struct mem *mem, struct text text);

/* empties a module except for its text, and frees the memory of its arrays */
void module_reset(struct module *m);

/* copies a module, before its dims are resolved, into pool mem. Both share the text and everything in the pool of the
 * first, which must outlive the copy. Linear */
void module_copy(struct module *to, struct mem *mem, const struct module *from);

/* makes a view of a module for one of several threads that only read it, in a pool of the thread's own, which holds all
 * names, types and text positions that the thread adds. The module must outlive the view, unchanged. Linear in names
 * and types */
void module_view(struct module *view, struct mem *mem, const struct module *of);

/* how many programs the text has; those within values are not counted. Linear in the programs */
u32 module_count_programs(const struct module *m);

/* the bytes of a span; they never move */
static inline struct slice
module_bytes(const struct module *m, struct span s)
{
    u32 base = m->text.n + TEXT_PADDING;
    return (struct slice){s.at < base ? m->text.at + s.at : m->extra.at + (s.at - base), s.n};
}

/* the text of a parameter that contains no program, without the line breaks of wrapping */
static inline struct slice
param_bytes(const struct module *m, const struct param *p)
{
    return likely(p->kind != PARAM_TEXT || p->a == NONE) ? module_bytes(m, p->span) : m->joined.at[p->a];
}

/* the same for the text of a segment that is not a program */
static inline struct slice
segment_bytes(const struct module *m, const struct segment *s)
{
    return likely(s->kind != SEGMENT_TEXT || s->a == NONE) ? module_bytes(m, s->span) : m->joined.at[s->a];
}

/* the variable that a variable is a copy of, or itself: in JAX they are one object, so they have the same name */
static inline var_t
var_origin(const struct module *m, var_t v)
{
    return v < m->origins.n ? m->origins.at[v] : v;
}

/* the variable that v is or replaces among the first `known` variables, those that were read; NONE if a pass created
 * v */
var_t var_read(const struct module *m, var_t v, u32 known);

/* the text of a jaxpr's effects, `Debug` of `in (a,) : { Debug } }`; at is NONE if they were not printed */
static inline struct span
jaxpr_effects(const struct module *m, jaxpr_t j)
{
    u64 packed = memo_get(&m->effects, j);
    return packed ? (struct span){(u32)(packed >> 32), (u32)packed} : (struct span){NONE, 0};
}

/* sets the text of a jaxpr's effects */
static inline void
jaxpr_set_effects(struct module *m, jaxpr_t j, struct span effects)
{
    memo_set(m->mem, &m->effects, j, (u64)effects.at << 32 | effects.n);
}

/* the jaxpr of the let that a parameter or segment names; NONE if it names none */
static inline jaxpr_t
let_jaxpr(const struct module *m, u32 let)
{
    return let < m->lets.n ? m->lets.at[let].jaxpr : NONE;
}

/* the program that is the value of a parameter; NONE if it is another value, or names a let that does not exist */
static inline jaxpr_t
jaxpr_in_param(const struct module *m, const struct param *p)
{
    return p->kind == PARAM_JAXPR ? p->a : p->kind == PARAM_SHARED ? let_jaxpr(m, p->a) : NONE;
}

/* the same for a segment, including programs pasted into values */
static inline jaxpr_t
segment_jaxpr(const struct module *m, const struct segment *s)
{
    return s->kind == SEGMENT_PROGRAM  ? (s->a == NONE ? NONE : m->programs.at[s->a].main)
           : s->kind == SEGMENT_JAXPR  ? s->a
           : s->kind == SEGMENT_SHARED ? let_jaxpr(m, s->a)
                                       : NONE;
}

/* the jaxpr of the text that a pass copied this one from; NONE if a pass did not make it */
static inline jaxpr_t
jaxpr_origin(const struct module *m, jaxpr_t j)
{
    return (jaxpr_t)memo_get(&m->copied, j) - 1;
}

/* records that a jaxpr is a copy of another, and copies properties that are not in struct jaxpr */
void jaxpr_copied_from(struct module *m, jaxpr_t copy, jaxpr_t from);

/* true for keys of parameters that are programs in JAX (`jaxpr`, `branches` and what contains one of these, `call` of
 * custom_vmap_call, `callee` of linear_call): a word as the value of such a key names a shared program */
static inline bool
key_holds_programs(struct slice key)
{
    return slice_contains(key, SLICE("jaxpr")) || slice_contains(key, SLICE("branches")) ||
           slice_eq(key, SLICE("call")) || slice_eq(key, SLICE("callee"));
}

/* copies bytes, which may be those of a span, to the end of the text, and returns their span */
struct span module_add_bytes(struct module *m, struct slice bytes);

/* the versions of JAX that may have printed a program, inferred from what it prints alone. The first call for a program
 * is linear in its equations with parameters */
struct version_range program_versions(struct module *m, program_t program);

/* infers the versions of all programs for which this was not done; call it before a module is edited */
void module_date(struct module *m);

/* What shows that earlier, or later, versions did not print a program: a parameter of an equation, its value, a
 * literal, or the name of the equation's primitive. */
struct version_evidence {
    eqn_t e;           /* NONE: nothing does */
    param_t param;     /* or NONE */
    u32 literal;       /* the index of the operand, or NONE */
    struct slice part; /* the part of the parameter's value that shows it; empty: its key does */
};

struct versions_shown {
    struct version_range all; /* those that may print everything there; NO_VERSION where no single one does */
    struct version_evidence since, until; /* what shows that earlier versions do not, and that later versions do not */
};

/* which versions the text between two offsets shows. Linear in that text */
struct versions_shown versions_shown(struct module *m, u32 begin, u32 end);

/* the first variable of a program that was printed without types, as old versions and print_shapes=False do; NONE if it
 * has types, no variables, or was not read to its end */
var_t program_untyped(const struct module *m, const struct program *p);

/* which of n programs, in the order of the text, contains an offset of it; NONE if none does */
u32 program_around(const struct module *m, const program_t *programs, u32 n, u32 offset);

/* the first equation at or after an offset of the text (equations are in the order of the text); the number of
 * equations if there is none */
eqn_t module_first_eqn(const struct module *m, u32 offset);

/* the type of a variable or literal as printed; NONE if none was, for unbound names and for refs with indexers */
static inline type_t
atom_type(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_VAR   ? m->vars.at[atom_id(a)].type
           : atom_kind(a) == ATOM_LIT ? m->literals.at[atom_id(a)].type
                                      : NONE;
}

/* the operand without its indexers: the ref of `a[0,:]`; any other operand unchanged */
static inline atom_t
atom_without_index(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_REF ? m->refs.at[atom_id(a)].ref : a;
}

/* types_array for a type of a module */
static inline const struct type *
type_array(const struct module *m, type_t type)
{
    return types_array(&m->types, type);
}

/* true if the result of a swap may have this type: that of the stored value; if the value is an untyped literal, a
 * scalar of the ref's element type; or NONE */
bool swap_has_type(const struct module *m, const struct eqn *e, type_t type);

/* the span of the key of a parameter, or of its value if the text has no such key before it */
struct span param_key_span(const struct module *m, param_t p);

/* the name of a variable, or an unbound name; literals and refs have none */
static inline name_t
atom_name(const struct module *m, atom_t a)
{
    return atom_kind(a) == ATOM_VAR ? m->vars.at[atom_id(a)].name : atom_id(a);
}

/* one more than the largest numeral that is, or was at the last call, the name of a variable. O(1) amortised */
u32 vars_numerals(struct module *m);

/* whether the types of n variables, from `first` on, have sizes that are not numbers */
bool vars_dynamic(const struct module *m, var_t first, u32 n);

/* whether an operand of an equation is an indexed ref, `a[..]` */
static inline bool
eqn_indexes(const struct module *m, const struct eqn *e)
{
    bool indexes = false;
    for (u32 i = 0; i < e->n_atoms && m->refs.n > 0; i++)
        indexes |= atom_kind(m->atoms.at[e->atoms + i]) == ATOM_REF;
    return indexes;
}

/* the index of the first comment at or after an offset of the text; comments.n if there is none. Logarithmic */
u32 comment_at(const struct module *m, u32 offset);

/* assigns comments to equations, if that was not done yet. Call it before passes change the module */
void comments_anchor(struct module *m);

/* the index of an equation's first comment, plus one, after comments_anchor; 0 if it has none. `next` links the
 * others */
static inline u32
comment_of(const struct module *m, eqn_t e)
{
    return (u32)memo_get(&m->comment_of, e);
}

/* the offset just past a comment */
u32 comment_end(const struct comment *c);

/* whether the text between two offsets is only whitespace */
bool module_blank(const struct module *m, u32 from, u32 to);

/* whether a comment begins in the first column of its line, where JAX prints none */
bool comment_is_alone(const struct module *m, const struct comment *c);

/* whether only whitespace separates a comment from the previous one */
bool comment_is_stacked(const struct module *m, u32 comment);

/* the index after the last comment of a program, including those after it on its last line and directly below, unless
 * they begin in the first column */
u32 comments_end(const struct module *m, const struct program *g);

/* the i-th of the jaxprs of a program: those of its `let`s, then the main one; NONE for one that is missing, or past
 * them */
static inline jaxpr_t
program_jaxpr(const struct module *m, const struct program *g, u32 i)
{
    return i < g->n_lets ? m->lets.at[g->lets + i].jaxpr : i == g->n_lets ? g->main : NONE;
}

/* where the head of a jaxpr ends: at its first equation, or at its end; a shared program without equations includes the
 * comments that end its line */
u32 jaxpr_head_end(const struct module *m, jaxpr_t j);

/* the part of a comment that suppresses findings, `jaxpr: ignore[P304]`; empty if there is none */
struct slice comment_ignore(const struct module *m, const struct comment *c);

/* source_comment: the index, plus one, of the comment that names the Python source of an equation; 0 if there is none,
 * or before comments_anchor. equation_source: its text without the path of the packages,
 * `flax/linen/normalization.py:203:9 (_normalize)`, or empty */
u32 source_comment(const struct module *m, eqn_t e);
struct slice equation_source(const struct module *m, eqn_t e);

/* finds the equation of a program that contains each of n offsets of the text; NONE for offsets outside equations */
void module_equations_at(struct module *m, program_t program, const u32 *offsets, u32 n, eqn_t *found);

/* the text of a name; see name_text */
static inline struct slice
module_name(const struct module *m, name_t name, struct name_buffer *buffer)
{
    return name_text(&m->names, name, buffer);
}

/* the id of a name, which is copied into the arena if it is new */
name_t module_intern(struct module *m, struct slice name);

/* the end of the parameters `[k=v k=v]` that an EQN_RAW has at p, after its primitive: a few words and no programs, as
 * copies between memories print them (jax/_src/pallas/mosaic_gpu/primitives.py, 0.5.3); p where there are none */
const char *raw_params_end(const char *p, const char *end);

/* the parameters of an equation, NONE if they are known to contain no program */
static inline param_t
eqn_holding(const struct module *m, eqn_t e)
{
    param_t first = m->eqns.at[e].params;
    return likely(first == NONE) || m->eqns.at[e].list != LIST_ANY ? NONE : first;
}

/* the first equation, from e on, whose parameters may contain a program, NONE if there is none */
static inline eqn_t
eqn_with_params(const struct module *m, eqn_t e)
{
    while (e != NONE && eqn_holding(m, e) == NONE)
        e = m->eqns.at[e].next;
    return e;
}

/* more parameters than any primitive of JAX has: later ones are not searched for a key */
enum { MOST_KEYS = 256 };

/* the first parameter of the equation whose key is `key`, or NONE; linear in the parameters */
param_t eqn_param(const struct module *m, eqn_t e, struct slice key);

/* finds the value of the parameter with a key, without spaces around it; false if there is none */
bool eqn_value(const struct module *m, eqn_t e, struct slice key, struct slice *value);

/* the var_t of a jaxpr's i-th constvar or invar */
static inline var_t
jaxpr_const(const struct jaxpr *j, u32 i)
{
    return j->vars + i;
}

static inline var_t
jaxpr_in(const struct jaxpr *j, u32 i)
{
    return j->vars + j->n_consts + i;
}

/* how many binders a jaxpr has: constvars, then invars */
static inline u32
jaxpr_binders(const struct jaxpr *j)
{
    return j->n_consts + j->n_ins;
}

/* whether a variable is a binder of a jaxpr */
static inline bool
jaxpr_binds(const struct jaxpr *j, var_t v)
{
    return v - j->vars < jaxpr_binders(j);
}

/* Steps through every jaxpr under one jaxpr, outer before inner, in printed order, with no recursion. Shared lets are
 * not entered (PARAM_SHARED, SEGMENT_SHARED name them). Usage:
 *
 *     struct walk w; jaxpr_t j;
 *     for (walk_start(&w, m, root); (j = walk_next(&w)) != NONE; ) ..
 *     walk_end(&w); */
struct walk {
    const struct module *m;
    struct mem *mem;
    VEC(jaxpr_t) stack;
};

/* walk_start begins at root, walk_start_program at the shared lets of a program, in printed order, followed by its
 * main. walk_next returns the next jaxpr, NONE after the last; walk_end frees the memory */
void walk_start(struct walk *w, const struct module *m, jaxpr_t root);
void walk_start_program(struct walk *w, const struct module *m, const struct program *p);
jaxpr_t walk_next(struct walk *w);
void walk_end(struct walk *w);

#endif
