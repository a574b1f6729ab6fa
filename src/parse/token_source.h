/* SPDX-License-Identifier: Apache-2.0
 *
 * Between flex and bison: tracks where in a program the scanner is, which decides what a token means. Text without
 * delimiters is read by hand: parameter values (value.c), uncommon types, ref forms (ref_syntax.c). */
#ifndef JX_TOKEN_SOURCE_H
#define JX_TOKEN_SOURCE_H

#include "base/chars.h"
#include "base/lexical.h"
#include "diag/diag.h"
#include "ir/module.h"
#include "parse/scan.h"
#include "preprocess/preprocess.h"

/* this many spaces inside a line were the indentation of the next line, before the line end between became a space */
enum { INDENTED = 4 };

/* no token was produced; call again */
enum { NO_TOKEN = -1 };

/* The value of a token. */
union token_value {
    u32 id;
    struct var var;
    struct span span;
};

/* Where in a `{ lambda .. }` the next token is. */
enum source_state {
    STATE_TOP,    /* outside: `let`, `{ lambda` or the end */
    STATE_TOP_IN, /* after a let's program: `in` */
    STATE_CONSTS, /* between `lambda` and `;` */
    STATE_INS,    /* between `;` and `. let` */
    STATE_BODY,   /* where an equation may begin */
    STATE_LHS,    /* after an equation's first binder */
    STATE_PRIM,   /* after a `=` that ended its line */
    STATE_RHS,    /* among operands */
    STATE_OUTS,   /* after `in (` */
    STATE_CLOSE,  /* after the results: effects or `}` */
    STATE_PARAMS, /* in a parameter list: a key is next */
    STATE_VALUE,  /* after `key=` */
    STATE_MIXED,  /* in a value with programs inside */
    STATE_DONE,   /* after the program: the parser sees the end of the text */
};

/* An open construct: a program, or a jaxpr with the parameter list that is open in it. There is one for each level of
 * nesting, of which there may be millions: it is small. */
struct frame {
    u8 state;          /* enum source_state */
    bool old_outs : 1; /* JAXPR: results without parentheses (0.1.60) */
    bool broken : 1;   /* PARAMS: a newline follows `[` */
    bool unsorted : 1; /* PARAMS: keys come in any order (primitives of classes, 0.12) */
    bool spaced : 1;   /* PARAMS: a space follows `[` (up to 0.2.21) */
    bool pasted : 1;   /* a program inside a value */
    bool typed : 1;    /* JAXPR: the first binder of the current equation has a type */
    bool comma : 1;    /* JAXPR: a result was read, so a `,` or `)` comes next */
    bool let : 1;      /* program: the program of a `let` comes next, not the main one */
    u16 depth;         /* PARAMS: brackets open in the value so far; saturates at DEEPEST */
    u32 column;        /* JAXPR: the column of its equations, 0-based, NONE if unknown */
    u32 keys;          /* PARAMS: column of the keys, NONE in a flat list */
    u32 key;           /* PARAMS: where the last key begins, except for a leading `name`; 0 if there is none */
};

enum { DEEPEST = UINT16_MAX };

/* A token that is ready. */
struct token {
    int kind;
    union token_value value;
};

/* An open program as the builder sees it: the stream's own, or one pasted into a value. */
struct open_program {
    u32 first_let;    /* lets of this program begin here in `let_stack` */
    u32 first_shared; /* parameters that may name a let begin here in `shared` */
    u32 offset;
};

/* untyped_split.c: the names bound so far in an open body */
struct scope {
    jaxpr_t jaxpr;
    u32 depth;         /* how many programs were open, this one included */
    eqn_t last;        /* the last equation whose binders are in names */
    struct memo names; /* by name_t */
};

/* a cached word of at most sixteen bytes and its id */
struct known_word {
    u64 low, high; /* the bytes, zeros after them */
    u32 id;
    bool plain; /* fast_equation.c may use it */
};

enum { KNOWN_WORDS = 64 };

/* A parameter that may name a shared program, or a segment of its value (NONE: the whole value). */
struct shared_word {
    param_t param;
    u32 segment;
};

struct cut_part;

struct param_list;

/* param_lists.c: the list being read, and the state before it */
struct list_begun {
    u64 hash;
    u32 at;
    name_t prim;
    u32 params, segments, jaxprs, comments, findings, shared, errors;
};

/* param_lists.c: the cache of parameter lists */
struct param_lists {
    struct param_list *slots; /* NULL until the first list */
    u32 shift;                /* 64 minus the bits of a slot index */
    VEC(struct param) params;
    struct list_begun begun;
    const struct param_list *found; /* the cached list that equals the last equation's, or NULL */
    u32 found_at;                   /* the offset of the last equation's own list */
};

/* untyped_split.c: where equations that consist of words end */
struct untyped {
    VEC(struct scope) scopes;  /* of some of the jaxprs being read, in order */
    const char *split_to;      /* words are inspected up to here .. */
    const char *next_equation; /* .. and the next equation begins here, or NULL */
    const char *binders_to;    /* the end of a run of words, on any lines */
};

/* A word without a type at the edge of a line of a header: a binder, or other text that came between. */
struct edge_word {
    var_t var;
    struct span at;
};

/* build.c: the programs and jaxprs being read */
struct building {
    VEC(jaxpr_t) open; /* the jaxprs, innermost last */
    bool lost;         /* the last equation of the innermost had an error: nothing is added to it */
    u32 result;        /* var_t of the first binder of the current equation, NONE: it has none yet */
    eqn_t split;       /* the last equation with a program after its operands, or NONE */
    VEC(struct open_program) programs;
    VEC(struct let) let_stack;
    VEC(struct shared_word) shared;
    program_t program; /* the last program that was read, or NONE */
};

/* The form that ref_syntax.c read last. */
struct ref_form {
    name_t prim;
    enum eqn_form form;
    u32 atoms;          /* the first of its atoms; they end at the end of m->atoms */
    u32 pieces;         /* the first of its pieces of text */
    u32 errors;         /* f->errors before it */
    const char *pieced; /* the end of the text that is in pieces */
    struct span text;
};

struct token_source {
    struct module *m;
    struct diags *diags;
    struct scan scan;
    const char *begin, *end; /* the text */
    VEC(struct frame) frames;
    struct {
        struct token at[4];
        u32 first, n;
    } queue;                /* tokens that are ready, first in first out */
    const char *lines_seen; /* newlines before this place are taken into account in scan.line */
    const char *at;         /* PARAMS: where reading by hand continues */
    struct span token;      /* the last token given to the parser, for messages */
    u32 equation_at;        /* where the current equation begins */
    struct ref_form ref_form;
    VEC(atom_t) operands; /* of the ref form being read, or a run of operands */
    struct {
        u32 results, consts; /* the first of the binders, which end with m->vars, and how many binders of a header are
                              * constants */
        u32 atoms;           /* the first of the operands, which end with m->atoms */
    } read;                  /* what fast_equation.c read last */
    /* fast_equation.c may continue here: nothing after it has been scanned; NULL if it may not */
    const char *resume;
    int pending;               /* the scanner's token that ended a run of operands, or -1 */
    int last;                  /* the last token given to the parser */
    bool typed;                /* for a part of a text: the last binder before it has a type */
    bool starting;             /* the next token begins an equation, after a `;` or `let` */
    bool bound_inf, bound_nan; /* a variable with that name exists */
    bool lines;                /* the value read last may contain line ends */
    bool excerpt;              /* there were `...` equations */
    struct {
        bool any;         /* the text may have comments that JAX did not print */
        struct span none; /* bytes known to have no `#` */
    } comments;
    struct {
        bool wanted;           /* the parser had an error: continue at the next equation */
        const char *failed;    /* where the last syntax error was */
        const char *continued; /* where the parser continued after the last error in a body */
    } recovery;
    struct {
        bool unbalanced;        /* brackets that opened after an error never closed */
        bool unpaired;          /* a bracket outside of programs had no partner */
        bool truncated;         /* the end of the text */
        bool lacks_equals;      /* the last text outside of programs is a `let` without `=`, whose `in` may follow */
        const char *opaque;     /* the last `lambda` that begins no program */
        const char *unexpected; /* the unexpected token that begins here */
    } once;                     /* what is reported only once */
    u32 errors;                 /* syntax errors of the program being read */
    var_t first_var;            /* the first variable of the program being read */
    eqn_t first_eqn;            /* the first equation of the program being read */
    VEC(struct edge_word) edge; /* words of that program about which build_edge_words decides */
    const char *no_let;         /* there is no `=` between the last `let` and this place */
    u64 lookahead;              /* bytes that may still be read twice in search of an end */
    struct {
        struct known_word prims[KNOWN_WORDS], types[KNOWN_WORDS];
    } words; /* caches: a program has few different ones */
    struct {
        struct memo structural; /* by key: 2 if its value is not text, 1 if it may be */
        VEC(u32) brackets;      /* the offsets of a value's open brackets */
    } checks;                   /* for value_errors.c */
    struct untyped untyped;
    struct building build;
    struct param_lists lists;
    struct cut_part *part; /* describes the text if it is a part of a longer one; else NULL */
};

/* the next token for bison; 0 at the end of a program */
int source_next(struct token_source *f, union token_value *value);

/* reports that the last token is none of those named in `expected`, and continues at the next equation */
void report_unexpected(struct token_source *f, const char *const *expected, u32 n);

/* true for tokens that begin an equation or end a body: the parser can continue at them after an error */
bool token_begins_equation(int token);

/* appends a token to the queue */
void queue_token(struct token_source *f, int kind, union token_value value);

/* the open construct */
static inline struct frame *
top_frame(struct token_source *f)
{
    return &f->frames.at[f->frames.n - 1];
}

/* opens a construct */
struct frame *push_frame(struct token_source *f, enum source_state state);

/* the last equation of the innermost jaxpr; NONE if it has none, or that had an error */
static inline eqn_t
last_eqn(const struct token_source *f)
{
    return f->build.open.n && !f->build.lost ? f->m->jaxprs.at[f->build.open.at[f->build.open.n - 1]].last : NONE;
}

/* the 0-based column of p, in bytes; updates f->scan.line. O(text) in all for ascending places */
u32 column_at(struct token_source *f, const char *p);

/* the offset of a byte of the text */
static inline u32
offset_of(const struct token_source *f, const char *p)
{
    return (u32)(p - f->begin);
}

/* the span from p to end */
static inline struct span
span_of(const struct token_source *f, const char *p, const char *end)
{
    return (struct span){offset_of(f, p), (u32)(end - p)};
}

/* interns the name of a variable that is bound. Once a variable is called `inf` or `nan`, as happens in programs with
 * thousands of variables, these words mean the variable */
name_t intern_bound(struct token_source *f, struct slice name);

/* whether a word is `True`, `False`, or `inf` or `nan` where no variable has that name */
static inline bool
is_literal_word(const struct token_source *f, struct slice word)
{
    return word.n <= 5 && is_literal_name(word) && !(*word.at == 'i' && f->bound_inf) &&
           !(*word.at == 'n' && f->bound_nan);
}

/* reads the binder `name:type` or `name` whose name ends at colon, and interns the name; *type_end is the end of the
 * binder */
struct var parse_binder(struct token_source *f, const char *name, const char *colon, const char **type_end);

/* makes a literal of the bytes from p to end and, after a `:` at end, its type; *past is the end of both */
atom_t parse_literal(struct token_source *f, const char *p, const char *end, const char **past);

/* true if `let NAME = { lambda` is at p */
bool let_begins(struct token_source *f, const char *p);

/* 0-based column of the scanner's token */
u32 token_column(const struct token_source *f);

/* open_header: opens the program at p, whose binders follow; open_damaged: so, and reports that its `{ lambda` is
 * damaged; open_lambda: opens the one whose `{` is at brace. Return its token */
int open_header(struct token_source *f, const char *p, const char *binders, union token_value *value);
int open_damaged(struct token_source *f, const char *p, const char *binders, union token_value *value);
int open_lambda(struct token_source *f, const char *brace, union token_value *value);

/* body.c: whether the results of a body follow the `in` at p; before a complex literal `in` is the name of a
 * variable */
bool in_begins_results(const char *p);

/* recovery.c: skips to where the parser can continue after an error: the end of a header, the next equation or results
 * of the innermost body, a primitive whose parameters follow, or the brace after its results */
void skip_to_recovery(struct token_source *f);

/* recovery.c: the `. let` of the header that contains p, or the end of its line if an equation follows on the next */
const char *header_end(const struct token_source *f, const char *p);

/* recovery.c: whether an equation begins at p, the first character of a line */
bool equation_line(const struct token_source *f, const char *p);

/* recovery.c: where the binders begin of the program at p, before an equation on the next line, whose `{ lambda` or
 * `. let` is damaged; NULL if none begins there. Linear in its line */
const char *damaged_lambda(const struct token_source *f, const char *p);

/* recovery.c: whether such a program begins at p, the first character of a line outside programs, and no other one
 * begins on its line */
bool damaged_program(const struct token_source *f, const char *p);

/* value_errors.c: reports the damaged `{ lambda` from p on; false if nothing is wrong */
bool report_lambda(struct token_source *f, const char *p, const char *end);

/* the header ends at p: equations follow. Returns LET */
int begin_body(struct token_source *f, const char *p);

/* body.c: reads the primitive between p and end, and the `[` after it if there is one; `alone`: it has no results,
 * `bare`: but a ` = ` */
int prim_token(struct token_source *f, const char *p, const char *end, bool alone, bool bare, union token_value *value);

/* body.c: the token for the scanner's `kind` in a body, or after `in (` */
int body_token(struct token_source *f, int kind, union token_value *value);
int outs_token(struct token_source *f, int kind, union token_value *value);

/* body.c: after `in (`: true after the comma of a second result or a later one, where no `)` may come */
bool lacks_result(struct token_source *f);

/* atom.c: the operand or result that the scanner's token is, or TOK_BAD */
int atom_token(struct token_source *f, int kind, union token_value *value);

/* the scanner's token up to its `:` */
static inline struct slice
token_name(const struct scan *s)
{
    u32 n = 0;
    while (n < s->n && s->at[n] != ':')
        n++;
    return (struct slice){s->at, n};
}

/* reports that the text ends inside the construct that begins at `open`, once */
void report_truncated(struct token_source *f, const char *open, const char *where, const char *note);

/* lookahead.c: the end of the operands after a `]`, if only operands follow up to the end of the equation; else NULL.
 * Where line ends became spaces, the next equation begins there */
const char *operands_end(const char *p, const char *end);

/* low_line.c: handles a last operand, the token, on its own line that is not indented more than its equation: either
 * text was filled, or it is not an operand. Filled text has no short lines; if the number of operands is unknown, both
 * readings are programs */
void take_low_operand(struct token_source *f);

/* low_line.c: handles a binder at p on its own line that is not indented as JAX indents it, by 2: the line above it is
 * either part of the same equation, or stray text such as `loss: 0.1`. The types of results have brackets */
void take_low_binder(struct token_source *f, const char *p);

/* low_line.c: reports an argument from p to end that looks like a line of a log, `loss: 0.1` */
void check_argument_line(struct token_source *f, const char *p, const char *end);

/* untyped_split.c: where in the run of words at p the operands end and the next equation begins without a delimiter;
 * NULL if none begins */
const char *untyped_split(struct token_source *f, const char *p);

/* untyped_split.c: the end of the words, spaces and closing parentheses from p on, after `word`, which begins an
 * equation: the end of the line, or of a later one that continues it; not a line end where only untyped_split found the
 * equation */
const char *binders_end(struct token_source *f, const char *word, const char *p);

/* true if the last binder has a type: JAX prints types of all or none */
static inline bool
is_typed(const struct token_source *f)
{
    return f->m->vars.n ? f->m->vars.at[f->m->vars.n - 1].type != NONE : f->typed;
}

/* untyped_split.c: true if only the bound names decide whether the scanner's word is an operand */
bool may_split(const struct token_source *f);

/* untyped_split.c: true if the line continues with words and `=` or `<-`: an untyped equation */
bool line_binds(const char *p);

/* untyped_split.c: true if the scanner's word, after operands and scan_release, begins the next equation */
bool word_starts_equation(struct token_source *f);

/* untyped_split.c: true for a variable of the open body, where types decide, whose name is not a primitive's */
bool word_is_variable(struct token_source *f, struct slice word);

/* untyped_split.c: true for the name of a primitive that no variable of the open body has */
bool word_is_primitive(struct token_source *f, struct slice word);

/* value_errors.c: reports the first error in the text of a value between from and end, and marks its equation as
 * damaged; false if there is none */
bool value_check(struct token_source *f, const char *from, const char *end);

/* atom.c: the innermost unclosed bracket, or one that another kind would close; NULL if all are balanced */
const char *open_bracket(const char *start, const char *end);

/* value_errors.c: marks the equation of the innermost list as damaged: it cannot be checked */
void mark_damaged(struct token_source *f);

/* value_errors.c: true if the value at p must be a program, by its key, `jaxpr` */
bool value_is_program(const struct token_source *f, const char *p);

/* value_errors.c: true if the `{` at p begins a program in the value at `from`, by its header and, under a key whose
 * value may be text, its end */
bool value_begins_program(struct token_source *f, const char *from, const char *p);

/* value_errors.c: true if the value at p is a text by its key */
bool value_is_string(const struct token_source *f, const char *p);

/* value_errors.c: true if the value at p is not text, by its key in JAX's own primitives */
bool value_is_structural(struct token_source *f, const char *p);

/* value.c: begins the parameter list whose `[` is before p */
void params_open(struct token_source *f, const char *p, bool unsorted);

/* value.c: the next token of the innermost parameter list */
int params_next(struct token_source *f, union token_value *value);

/* token_source.c: lambda_begins: true if the `{` at p begins a program, by its header; header_begins: true if the
 * `lambda` at p begins a header */
bool lambda_begins(const struct token_source *f, const char *p);
bool header_begins(const struct token_source *f, const char *p);

/* fast_equation.c: reads the equation whose first binder is at p, in its body's column, if it is a plain one: returns
 * EQUATION or EQUATION_OPEN, with its primitive, and sets f->resume to its end; NO_TOKEN, with nothing changed, if it
 * is not */
int fast_equation(struct token_source *f, const char *p, union token_value *value);

/* fast_equation.c: reads the header whose `{` is at p, up to `. let`: returns HEADER and opens the frame of its body;
 * or NO_TOKEN */
int fast_header(struct token_source *f, const char *p, union token_value *value);

/* fast_equation.c: reads `in (a, b) }` at p, if it ends a body: ENDS or NO_TOKEN */
int fast_ends(struct token_source *f, const char *p, union token_value *value);

/* fast_equation.c: fast_equation for the text at f->resume: operands, or the next equations. Equations that end with
 * their line are built without a token for the parser */
int fast_next(struct token_source *f, union token_value *value);

/* the slot of a word in a cache */
static inline struct known_word *
known_word(struct known_word *words, u64 low, u64 high)
{
    return &words[((low ^ high << 7) * 0x9E3779B97F4A7C15u) >> 58];
}

/* body.c: the id of a primitive's name */
name_t prim_name(struct token_source *f, const char *p, u32 n);

/* atom.c: what kind of literal the bytes are */
enum literal_kind literal_kind(const char *p, const char *end);

/* ref_syntax.c: reads the rest of an equation that is not `prim[params] operands` into f->ref_form: from p, the first
 * byte after its binders (or the first of all), to its end, which is returned */
const char *ref_form_read(struct token_source *f, const char *p, bool has_results);

/* ref_operands.c: appends the variables, refs and literals in p .. end, in order, to f->operands, and the text before
 * each to the pieces; reports what is neither an operand nor a sign between two */
void ref_operands(struct token_source *f, const char *p, const char *end);

/* ref_operands.c: adds a piece with the text before the operand of this number, which p .. end shows */
void ref_mention(struct token_source *f, const char *p, const char *end, u32 operand);

/* ref_operands.c: reads the variables in the brackets of an indexer at p; returns the end of `[..]{..}[..]` */
const char *ref_indexers(struct token_source *f, const char *p, const char *end, struct refexpr *ref);

/* ref_syntax.c: reads the ref with indexers at p, `a[b,:]`, as an operand; returns its end */
const char *ref_read(struct token_source *f, const char *p, atom_t *atom);

#endif
