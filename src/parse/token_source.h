/* SPDX-License-Identifier: Apache-2.0
 *
 * Between flex and bison: knows where in a program the scanner is, and so what a token means. It reads by hand
 * what has no delimiters: parameter values (value.c), uncommon types, ref forms (ref_syntax.c). */
#ifndef JX_TOKEN_SOURCE_H
#define JX_TOKEN_SOURCE_H

#include "base/chars.h"
#include "base/lexical.h"
#include "diag/diag.h"
#include "ir/module.h"
#include "parse/scan.h"
#include "preprocess/preprocess.h"

/* blanks that were the indentation of a line: where so many are inside one, its end became a blank */
enum { INDENTED = 4 };

/* instead of a token: it was dealt with and says nothing to the parser */
enum { NO_TOKEN = -1 };

/* What a token carries. */
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

/* An open construct: a program, or a jaxpr with the parameter list that is open in it. Programs nest as deep as a text
 * says, and each level waits here: what is only wanted for a message is not kept. */
struct frame {
    u8 state;          /* enum source_state */
    bool old_outs : 1; /* JAXPR: results without parentheses (0.1.60) */
    bool broken : 1;   /* PARAMS: a newline follows `[` */
    bool unsorted : 1; /* PARAMS: keys come in any order (primitives of classes, 0.12) */
    bool spaced : 1;   /* PARAMS: a blank follows `[` (up to 0.2.21) */
    bool pasted : 1;   /* program inside a value */
    bool typed : 1;    /* JAXPR: the first binder of the equation that is beginning has a type */
    bool comma : 1;    /* JAXPR: a result was read, so a `,` or `)` comes next */
    bool let : 1;      /* program: a `let`'s comes next, not the main one */
    u16 depth;         /* PARAMS: brackets open in the value so far; more than DEEPEST count as so many */
    u32 column;        /* JAXPR: of its equations, 0-based, NONE when not known */
    u32 keys;          /* PARAMS: column of the keys, NONE in a flat list */
    u32 key;           /* PARAMS: where the key met last begins, but for a leading `name`; 0 when there is none */
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
    u32 depth;         /* how many programs were open with it */
    eqn_t last;        /* the last equation whose binders are among them */
    struct memo names; /* by name_t */
};

/* a word of at most sixteen bytes and what it is */
struct known_word {
    u64 low, high; /* the bytes, zeros after them */
    u32 id;
    bool plain; /* fast_equation.c may read it so */
};

enum { KNOWN_WORDS = 64 };

struct param_list;

/* param_lists.c: parameter lists that may be met again, and what there was before the list read last */
struct param_lists {
    struct param_list *slots; /* NULL: none yet */
    u32 shift;                /* 64 less the bits of a slot's number */
    VEC(struct param) params;
};

struct list_begun {
    u64 hash;
    u32 at;
    name_t prim;
    u32 params, segments, jaxprs, comments, findings, shared, errors;
};

struct token_source {
    struct module *m;
    struct diags *diags;
    struct scan scan;
    const char *begin, *end; /* the text */
    VEC(struct frame) frames;
    struct token queue[4]; /* tokens ready to go, first in first out */
    u32 queue_at, queue_n;
    const char *lines_seen; /* newlines before this place are accounted for in scan.line */
    const char *at;         /* PARAMS: where reading by hand goes on */
    u32 token_at, token_n;  /* the token handed to the parser last, for messages */
    u32 equation_at;        /* where the equation that is beginning begins */
    struct {
        name_t prim;
        enum eqn_form form;
        u32 atoms;          /* the first of its atoms; they end at the end of m->atoms */
        u32 pieces;         /* the first of its pieces of text */
        const char *pieced; /* up to here the text is in pieces */
        struct span text;
    } ref_form;             /* what ref_syntax.c read last */
    eqn_t split;            /* the last equation that a program followed after operands, NONE */
    struct memo structural; /* value_errors.c: a key: 2 where it holds no text, 1 where it may */
    VEC(u32) brackets;      /* value_errors.c: where those of a value begin that are open */
    VEC(atom_t) operands;   /* of the tail being read, or a run of operands */
    u32 result;             /* var_t of the first binder of the equation that is beginning, NONE: there is none yet */
    u32 results, consts; /* the first of the binders fast_equation.c read last, which end at the end of m->vars, and how
                          * many of those of a header are constants */
    u32 atoms;           /* the first of the operands it read last, which end at the end of m->atoms */
    const char *resume;  /* fast_equation.c may go on here: nothing has been scanned after it; NULL where it may not */
    int pending;         /* the scanner's token that ended a run of operands, or -1 */
    int last;            /* the token handed to the parser last */
    bool typed;          /* the last binder before this text, if it is a part, has a type */
    bool starting;       /* a `;` or `let` said that the next token begins an equation */
    bool bound_inf, bound_nan; /* a variable of that name exists */
    bool recover;              /* the parser met an error: go on at the next equation */
    bool hashes;               /* the text may have comments that JAX did not print */
    struct span no_hash;       /* bytes known to have no `#` */
    bool lines;                /* line ends may occur in the value read last */
    bool unbalanced;           /* brackets that opened after an error never closed */
    bool unpaired;             /* a bracket outside of programs had no other of its pair */
    bool truncated;            /* the end of the text was reported */
    const char *failed;        /* where the parser met the last error */
    bool excerpt;              /* `...` equations were met */
    const char *opaque;        /* the `lambda` seen last that begins no program: said once */
    const char *no_let;        /* there is no `=` between the `let` asked about last and this place */
    const char *recovered;     /* where the parser went on after the last error in a body */
    u64 lookahead;             /* bytes that may still be read twice in search of an end */

    struct known_word prims[KNOWN_WORDS], types[KNOWN_WORDS]; /* met before: a program has few */

    VEC(struct scope) scopes;  /* of some of those in `open`, in order */
    const char *split_to;      /* untyped_split.c looked along words up to here, */
    const char *next_equation; /* and another equation begins there, or NULL */
    const char *binders_to;    /* after words in a row, whatever lines they are on */
    VEC(jaxpr_t) open;         /* the jaxprs being read, innermost last */
    bool lost;                 /* the equation that began last in the innermost had an error: nothing belongs to it */
    VEC(struct open_program) programs;
    VEC(struct let) let_stack;
    VEC(struct {
        param_t param;
        u32 segment; /* NONE: the parameter itself */
    })
    shared;
    struct param_lists lists;
    struct list_begun list_begun;
    const struct param_list *list; /* the list that the equation read last has again, NULL; it begins at .. */
    u32 list_at;
    program_t program;    /* the program read last, NONE */
    u32 errors;           /* syntax errors of the program being read */
    const char *reported; /* the unexpected token that begins here was reported already */
};

/* the next token for bison; 0 at the end of a program */
int source_next(struct token_source *f, union token_value *value);

/* bison met the last token where those named in `expected` would fit: reports it and makes the source go on at the next
 * equation */
void report_unexpected(struct token_source *f, const char *const *expected, u32 n);

/* true for tokens that begin an equation or end a body: the parser can go on at them after an error */
bool token_begins_equation(int token);

/* puts a token after those that are ready */
void queue_token(struct token_source *f, int kind, union token_value value);

/* the open construct */
static inline struct frame *
top_frame(struct token_source *f)
{
    return &f->frames.at[f->frames.n - 1];
}

/* opens a construct */
struct frame *push_frame(struct token_source *f, enum source_state state);

/* the equation that began last in the innermost jaxpr; NONE where none did, or it had an error */
static inline eqn_t
last_eqn(const struct token_source *f)
{
    return f->open.n && !f->lost ? f->m->jaxprs.at[f->open.at[f->open.n - 1]].last : NONE;
}

/* 0-based column of p, in bytes, and f->scan.line for it. Asking for ever later places costs O(text) in all */
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

/* interns the name of a variable that is bound. One called `inf` or `nan`, which JAX comes to among many thousands, is
 * what these words mean from then on in the program */
name_t intern_bound(struct token_source *f, struct slice name);

/* reads the binder `name:type` or `name` whose name ends at colon; type_end gets the end. The name is interned */
struct var parse_binder(struct token_source *f, const char *name, const char *colon, const char **type_end);

/* makes a literal of the bytes from p to end, and of the type after a `:` at end; *past gets the end of all */
atom_t parse_literal(struct token_source *f, const char *p, const char *end, const char **past);

/* true where `let NAME = { lambda` is at p */
bool let_begins(struct token_source *f, const char *p);

/* remembers the comment after the `#` at p; returns the end of its line */
const char *record_comment(struct token_source *f, const char *p);

/* 0-based column of the scanner's token */
u32 token_column(const struct token_source *f);

/* opens the program whose `{` is at brace; answers its token */
int open_lambda(struct token_source *f, const char *brace, union token_value *value);

/* body.c: whether the results of a body follow the `in` at p; where a complex literal does, `in` is the 222nd variable
 */
bool in_begins_results(const char *p);

/* body.c: the token that the scanner's `kind` is in a body, or after `in (` */
int body_token(struct token_source *f, int kind, union token_value *value);
int outs_token(struct token_source *f, int kind, union token_value *value);

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
void report_truncated(struct token_source *f, const char *open, const char *what);

/* lookahead.c: where what follows a `]` ends, if it reads as operands up to the end of the equation; else NULL.
 * Where line ends became blanks, the end is where the next equation begins */
const char *operands_end(const char *p, const char *end);

/* lookahead.c: the end of the string whose quote is at p, or p + 1 when it does not end on its line */
const char *skip_string(const char *p, const char *end);

/* lookahead.c: the end of the object's text `<QNode: device='<..>', shots=3>` that begins at p, or p when its `>` is
 * not there */
const char *skip_angles(const char *p, const char *end);

/* untyped_split.c: where, from the word at p on, operands end and the next equation begins without a sign of it; NULL
 * where it does not, as far as words go on */
const char *untyped_split(struct token_source *f, const char *p);

/* untyped_split.c: after the words, blanks and closing parentheses from p on, where `word` before them begins an
 * equation. They end with the line, or one after it that goes on; where only untyped_split found the equation, at no
 * line end */
const char *binders_end(struct token_source *f, const char *word, const char *p);

/* true where the binder read last has a type: JAX types all or none */
static inline bool
is_typed(const struct token_source *f)
{
    return f->m->vars.n ? f->m->vars.at[f->m->vars.n - 1].type != NONE : f->typed;
}

/* untyped_split.c: true where only the bound names decide whether the scanner's word is an operand */
bool may_split(const struct token_source *f);

/* untyped_split.c: true where the line goes on with `=` or `<-` after words: an untyped equation */
bool line_binds(const char *p);

/* untyped_split.c: true where the scanner's word, met among operands and released, begins the next equation */
bool word_starts_equation(struct token_source *f);

/* untyped_split.c: true for a variable of the open body, where types decide, whose name is not a primitive's */
bool word_is_variable(struct token_source *f, struct slice word);

/* untyped_split.c: true for the name of a primitive that no variable of the open body has */
bool word_is_primitive(struct token_source *f, struct slice word);

/* value_end.c: true where from .. p is a number, a constant or a bracketed group: nothing can follow it but a key, in
 * whatever order hands have put them */
bool value_is_whole(const char *from, const char *p);

/* value_errors.c: reports what is wrong with the text of a value between from and end, once; true where something is,
 * and then its equation is damaged */
bool value_check(struct token_source *f, const char *from, const char *end);

/* value_errors.c: the equation with the list on top had an error and cannot be judged */
void mark_damaged(struct token_source *f);

/* value_errors.c: true where the key before the value at p says that a program follows; a text somebody wrote
 */
bool value_is_program(const struct token_source *f, const char *p);

/* value_errors.c: true where the `{` at p begins a program in the value at `from`, as its header shows, and, under a
 * key that may hold somebody's text, its end */
bool value_begins_program(struct token_source *f, const char *from, const char *p);

/* value_errors.c: true where the key before the value at p is that of a text */
bool value_is_string(const struct token_source *f, const char *p);

/* value_errors.c: true where the key before the value at p holds no text in JAX's own primitives */
bool value_is_structural(struct token_source *f, const char *p);

/* value.c: begins the parameter list whose `[` is before p */
void params_open(struct token_source *f, const char *p, bool unsorted);

/* value.c: the next token of the parameter list on top */
int params_next(struct token_source *f, union token_value *value);

/* token_source.c: true where the `{` at p begins a program, as far as its header shows; where `lambda` at p begins a
 * header */
bool lambda_begins(const struct token_source *f, const char *p);
bool header_begins(const struct token_source *f, const char *p);

/* fast_equation.c: reads the equation whose first binder is at p, in its body's column, if it is a plain one:
 * answers EQUATION or EQUATION_OPEN and its primitive, and f->resume is where it ends; NO_TOKEN, and nothing is
 * changed, where it is not */
int fast_equation(struct token_source *f, const char *p, union token_value *value);

/* fast_equation.c: reads the header whose `{` is at p, up to `. let`: HEADER, and the frame of its body is open; or
 * NO_TOKEN */
int fast_header(struct token_source *f, const char *p, union token_value *value);

/* fast_equation.c: reads `in (a, b) }` at p, where it ends a body: ENDS or NO_TOKEN */
int fast_ends(struct token_source *f, const char *p, union token_value *value);

/* fast_equation.c: the same for the text at f->resume: operands, or the next equations. Those that end with their
 * line are built at once: to the parser they are nothing new */
int fast_next(struct token_source *f, union token_value *value);

/* the slot of a word among those known */
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

/* ref_syntax.c: reads the ref with indexers at p, `a[b,:]`, as an operand; returns its end */
const char *ref_read(struct token_source *f, const char *p, atom_t *atom);

#endif
