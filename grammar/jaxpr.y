/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of Jaxpr text, LALR(1) without conflicts. Lists are left-recursive and nothing is buffered, so that
 * nesting needs only the parser's own stack, and length no memory. parse/token_source.c decides what a token is;
 * every action is one call of parse/build.h. An operand belongs to the equation that began last: only the beginning
 * of the next equation ends an equation. */
%define api.pure full
%define api.token.raw
%define api.prefix {grammar_}
%define api.token.prefix {TOK_}
%define parse.error custom
%define parse.lac none
%expect 0
%param {struct token_source *source}

%code requires {
#include "parse/token_source.h"
}

%code {
#include "parse/build.h"
#include "parse/param_lists.h"

#define YYMALLOC(size) mem_alloc(source->m->mem, (size))
#define YYFREE(block) mem_free(source->m->mem, (block))
#define YYMAXDEPTH (1 << 28)

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* The error has been reported and the source continues at the next equation, so the next error can be reported
 * without delay. A token that begins that equation is kept, and so is the end of the text, at which the parser must
 * stop. */
#define RECOVER \
    do { \
        if (source->last != 0) \
            yyerrok; \
        if (source->last != 0 && !token_begins_equation(source->last)) \
            yyclearin; \
    } while (0)

static int
grammar_lex(GRAMMAR_STYPE *value, struct token_source *source)
{
    return source_next(source, value);
}

/* parse.error custom requires it; bison calls it only if memory runs out, and then our allocator does not return */
static void
grammar_error(struct token_source *source, const char *message)
{
    (void)source;
    (void)message;
}
}

%define api.value.type {union token_value}

/* descriptions of tokens must differ: messages omit the `|` and what follows it */
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
%token <id>   PRIM           "`=` and a primitive"
%token <id>   PRIM_OPEN      "`=` and a primitive|2"
%token <id>   PRIM1          "an equation|2"
%token <id>   PRIM1_OPEN     "an equation|3"
%token <id>   REF_FORM       "`=` and a primitive|3"
%token <id>   REF_FORM1      "an equation|4"
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
/* `listed`, `keyed`, `trail`: the last parameter, or NONE; `compound`: the last segment of its value */
%type <id> listed keyed trail compound

%%

program: lets jaxpr                     { build_program(source, $2); } ;

lets: %empty                            { $$ = 0; }
    | lets LET_NAME jaxpr IN_LET        { build_let(source, $2, $3); $$ = 0; }
    ;

jaxpr: body ENDS                        { $$ = build_ends(source, $2); }
     | body IN outs RPAREN effects CLOSE { $$ = build_jaxpr_close(source, $6); }
     | body IN error CLOSE              { build_outs_error(source); $$ = build_jaxpr_close(source, $4); yyerrok; }
     ;

open: LAMBDA                            { build_jaxpr_open(source, $1); } ;

/* up to 0.1.58, a section of free variables is between the two; some later, handwritten texts have only one section */
header: open binders SEMI ins LET
      | open binders SEMI ins SEMI ins LET
      | open binders LET                { build_no_consts(source); }
      | open error LET                  { build_header_error(source); yyerrok; }
      ;

binders: %empty
       | binders BINDER                 { build_const(source, $2); }
       ;

ins: %empty
   | ins BINDER                         { build_in(source, $2); }
   ;

body: header                            {}
    | HEADER                            { build_header(source, $1); }
    | body lhs PRIM                     { build_eqn(source, $3, EQN_CALL); }
    | body PRIM1                        { build_eqn_alone(source, $2); }
    | listed PARAMS_CLOSE               { param_list_close(source); }
    | body lhs REF_FORM                 { build_ref_form(source, $3); }
    | body REF_FORM1                    { build_ref_form_alone(source, $2); }
    | body EQUATION                     { build_equation(source, $2); }
    | body ELLIPSIS                     { build_ellipsis(source); }
    | body OPERANDS                     { build_operands(source); }
    | body trail jaxpr                  { build_value_jaxpr(source, $2, $3); }
    | body error                        { build_eqn_error(source); RECOVER; }
    | listed error                      { build_eqn_error(source); RECOVER; }
    | keyed error                       { build_eqn_error(source); RECOVER; }
    ;

/* up to 0.1.62, the program of a call follows its equation */
trail: TRAIL                            { $$ = build_trail(source); } ;

lhs: BINDER1                            { build_result1(source, $1); }
   | lhs BINDER                         { build_result(source, $2); }
   ;

/* `listed` is a body whose last equation has open parameters, `keyed` one whose last key still has no value: each is
 * one symbol, as they are on the stack once for each level of nesting */
listed: body lhs PRIM_OPEN              { build_eqn(source, $3, EQN_CALL); $$ = NONE; }
      | body PRIM1_OPEN                 { build_eqn_alone(source, $2); $$ = NONE; }
      | body EQUATION_OPEN              { build_eqn_fast(source, $2); $$ = NONE; }
      | keyed value                     { $$ = $1; }
      ;

keyed: listed KEY                       { $$ = build_key(source, $1, $2); } ;

/* $0 is the `keyed` before the value */
value: VALUE                            { build_value(source, $<id>0, $1); }
     | jaxpr                            { build_value_jaxpr(source, $<id>0, $1); }
     | compound VALUE_CLOSE             { build_value_close(source, $<id>0, $1); }
     ;

compound: VALUE_OPEN                    { $$ = build_value_open(source, $<id>0); }
        | compound VALUE                { $$ = build_segment_text(source, $<id>0, $1, $2); }
        | compound paste lets jaxpr     { $$ = build_segment_program(source, $<id>0, $1, $4); }
        ;

paste: PASTE                            { build_paste(source); } ;

outs: %empty
    | outs ATOM                         { build_out(source, $2); }
    ;

effects: %empty
       | EFFECTS                        { build_effects(source, $1); }
       ;

%%

static int
yyreport_syntax_error(const yypcontext_t *context, struct token_source *source)
{
    enum { MOST = 32 };
    yysymbol_kind_t expected[MOST];
    const char *names[MOST];
    int n = yypcontext_expected_tokens(context, expected, MOST);
    for (int i = 0; i < n; i++)
        names[i] = yysymbol_name(expected[i]);
    report_unexpected(source, names, n < 0 ? 0 : (u32)n);
    return 0;
}
