/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of Jaxpr text, LALR(1) without conflicts. Lists are left-recursive and nothing is buffered, so depth and
 * length cost only the parser's own stack. parse/token_source.c decides what a token is; every action is one call of
 * parse/build.h. An operand belongs to the equation that began last: equations have no end of their own in the text,
 * only the beginning of the next. */
%define api.pure full
%define api.token.raw
%define api.prefix {grammar_}
%define api.token.prefix {TOK_}
%define parse.error custom
%define parse.lac none
%expect 0
%param {struct feed *feed}

%code requires {
#include "parse/token_source.h"
}

%code {
#include "parse/build.h"

#define YYMALLOC(size) mem_alloc(feed->m->mem, (size))
#define YYFREE(block) mem_free(feed->m->mem, (block))
#define YYMAXDEPTH (1 << 28)

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* The error has been reported and the feed goes on at the next equation, so what comes may be reported again at once.
 * A token that begins that equation is kept; the end of the text must stay, for the parser to stop at. */
#define RECOVER \
    do { \
        if (feed->last != 0) \
            yyerrok; \
        if (feed->last != 0 && !feed_begins_equation(feed->last)) \
            yyclearin; \
    } while (0)

static int
grammar_lex(GRAMMAR_STYPE *value, struct feed *feed)
{
    return feed_next(feed, value);
}

/* parse.error custom asks for it; bison itself only calls it when memory runs out, which our allocator rules out */
static void
grammar_error(struct feed *feed, const char *message)
{
    (void)feed;
    (void)message;
}
}

%define api.value.type {union token_value}

/* what several tokens are to a reader is told apart behind a `|`, which messages cut off */
%token <id>   LAMBDA         "`{ lambda`"
%token <id>   HEADER         "`{ lambda`|2"
%token        SEMI           "`;`"
%token        LET            "`. let`"
%token        IN             "`in (`"
%token <id>   ENDS           "`in (`|2"
%token        RPAREN         "`)`"
%token <span> EFFECTS        "an effects suffix"
%token <id>   CLOSE          "`}`"
%token <span> LET_NAME       "`let NAME =`"
%token        IN_LET         "`in`"
%token <var>  BINDER         "a binder"
%token <var>  BINDER1        "an equation"
%token <id>   PRIM           "` = ` and a primitive"
%token <id>   PRIM_OPEN      "` = ` and a primitive|2"
%token <id>   PRIM1          "an equation|2"
%token <id>   PRIM1_OPEN     "an equation|3"
%token <id>   TAIL           "` = ` and a primitive|3"
%token <id>   TAIL1          "an equation|4"
%token        TRAIL        "an equation|5"
%token        ELLIPSIS       "an equation|6"
%token <id>   EQUATION       "an equation|7"
%token <id>   EQUATION_OPEN  "an equation|8"
%token <id>   ATOM         "a result"
%token        OPERANDS     "an operand"
%token <id>   KEY            "a parameter"
%token <span> VALUE          "a parameter's value"
%token        VALUE_OPEN     "a value with programs inside"
%token        VALUE_CLOSE    "the end of a value"
%token        PASTE          "a program inside a value"
%token        PARAMS_CLOSE   "`]`"
%token        BAD            "this"

%type <id> jaxpr lets
/* the parameter met last, NONE where none was; the segment met last of its value */
%type <id> listed keyed trail compound

%%

program: lets jaxpr                     { build_program(feed, $2); } ;

lets: %empty                            { $$ = 0; }
    | lets LET_NAME jaxpr IN_LET        { build_let(feed, $2, $3); $$ = 0; }
    ;

jaxpr: body ENDS                        { $$ = build_ends(feed, $2); }
     | body IN outs RPAREN effects CLOSE { $$ = build_jaxpr_close(feed, $6); }
     | body IN error CLOSE              { build_outs_error(feed); $$ = build_jaxpr_close(feed, $4); yyerrok; }
     ;

open: LAMBDA                            { build_jaxpr_open(feed, $1); } ;

/* texts up to 0.1.58 have a section of free variables between the two; some later ones by hand have one section */
header: open binders SEMI ins LET
      | open binders SEMI ins SEMI ins LET
      | open binders LET                { build_no_consts(feed); }
      | open error LET                  { build_header_error(feed); yyerrok; }
      ;

binders: %empty
       | binders BINDER                 { build_const(feed, $2); }
       ;

ins: %empty
   | ins BINDER                         { build_in(feed, $2); }
   ;

body: header                            {}
    | HEADER                            { build_header(feed, $1); }
    | body lhs PRIM                     { build_eqn(feed, $3, EQN_CALL); }
    | body PRIM1                        { build_eqn_alone(feed, $2); }
    | listed PARAMS_CLOSE               {}
    | body lhs TAIL                     { build_tail(feed, $3); }
    | body TAIL1                        { build_tail_alone(feed, $2); }
    | body EQUATION                     { build_eqn_plain(feed, $2); build_operands(feed); }
    | body ELLIPSIS                     { build_ellipsis(feed); }
    | body OPERANDS                     { build_operands(feed); }
    | body trail jaxpr                  { build_value_jaxpr(feed, $2, $3); }
    | body error                        { build_eqn_error(feed); RECOVER; }
    | listed error                      { build_eqn_error(feed); RECOVER; }
    | keyed error                       { build_eqn_error(feed); RECOVER; }
    ;

/* up to 0.1.62 the program of a call stands behind its equation */
trail: TRAIL                            { $$ = build_trail(feed); } ;

lhs: BINDER1                            { build_result1(feed, $1); }
   | lhs BINDER                         { build_result(feed, $2); }
   ;

/* a body whose last equation has open parameters, and one with a key that waits for its value: one symbol each, for
 * they wait as long as programs nest */
listed: body lhs PRIM_OPEN              { build_eqn(feed, $3, EQN_CALL); $$ = NONE; }
      | body PRIM1_OPEN                 { build_eqn_alone(feed, $2); $$ = NONE; }
      | body EQUATION_OPEN              { build_eqn_plain(feed, $2); $$ = NONE; }
      | keyed value                     { $$ = $1; }
      ;

keyed: listed KEY                       { $$ = build_key(feed, $1, $2); } ;

/* $0 is the `keyed` that a value always stands behind */
value: VALUE                            { build_value(feed, $<id>0, $1); }
     | jaxpr                            { build_value_jaxpr(feed, $<id>0, $1); }
     | compound VALUE_CLOSE             { build_value_close(feed, $<id>0, $1); }
     ;

compound: VALUE_OPEN                    { $$ = build_value_open(feed, $<id>0); }
        | compound VALUE                { $$ = build_segment_text(feed, $<id>0, $1, $2); }
        | compound paste lets jaxpr     { $$ = build_segment_program(feed, $<id>0, $1, $4); }
        ;

paste: PASTE                            { build_paste(feed); } ;

outs: %empty
    | outs ATOM                         { build_out(feed, $2); }
    ;

effects: %empty
       | EFFECTS                        { build_effects(feed, $1); }
       ;

%%

static int
yyreport_syntax_error(const yypcontext_t *context, struct feed *feed)
{
    enum { MOST = 32 };
    yysymbol_kind_t expected[MOST];
    const char *names[MOST];
    int n = yypcontext_expected_tokens(context, expected, MOST);
    for (int i = 0; i < n; i++)
        names[i] = yysymbol_name(expected[i]);
    feed_syntax_error(feed, names, n < 0 ? 0 : (u32)n);
    return 0;
}
