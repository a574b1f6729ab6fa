// SPDX-License-Identifier: Apache-2.0
//
// The shape of Jaxpr text for editors: programs, equations, binders, parameters. What a word means is left to queries;
// values of parameters are balanced tokens, for JAX prints any Python object there. src/scanner.c finds where an equation
// ends, which only indentation shows.
//
//     tree-sitter generate --abi 14        (0.24.7) writes src/parser.c

module.exports = grammar({
  name: 'jaxpr',

  // newlines between equations, `let` before a body, the end of one, `{` before `lambda`, `key` before `=`, comments,
  // nothing before results without types, brackets that nothing closes
  externals: $ => [$._newline, $._let, $._end, $._open, $.key, $.comment, $._untyped, $._stray, $._never],
  extras: $ => [/\s/, $.comment],
  word: $ => $._word,

  rules: {
    source: $ => repeat(choice($.shared, $.program)),

    shared: $ => seq('let', field('name', alias($._word, $.program_name)), '=', $.program, $._end, 'in'),

    program: $ => seq(
      alias($._open, '{'), 'lambda', repeat(choice($.binder, ';')), '.',
      alias($._let, 'let'), optional($.body), $._end, 'in', $.results, optional($.effects), '}'),

    binder: $ => seq(
      field('name', alias($._word, $.variable)),
      optional(seq(token.immediate(':'), field('type', $.type)))),
    _typed: $ => seq(field('name', alias($._word, $.variable)), token.immediate(':'), field('type', $.type)),

    // the element type, then layout, shape, memory space in any order, without blanks between
    type: $ => prec.right(seq(
      alias($._type_word, $.dtype),
      repeat(choice(
        alias($._type_brackets, $.shape), $._type_braces, $._type_angles, $._type_parentheses,
        seq(token.immediate('@'), alias($._type_word, $.memory_space)))))),
    _type_word: _ => token.immediate(/[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_.\u0080-\u{10ffff}]*[A-Za-z0-9_\u0080-\u{10ffff}]|[A-Za-z_]/u),
    _type_brackets: $ => seq(token.immediate('['), repeat($._item), ']'),
    _type_braces: $ => seq(token.immediate('{'), repeat($._item), '}'),
    _type_angles: $ => token.immediate(/<[^<>\s]*>/),
    _type_parentheses: $ => seq(token.immediate('('), repeat($._item), ')'),

    body: $ => choice(
      seq($._statement, repeat(seq($._separator, optional($._statement)))),
      repeat1(seq($._separator, optional($._statement)))),
    _separator: $ => choice($._newline, ';'),
    _statement: $ => choice($.equation, $.access, $.elided),
    elided: _ => '...',

    // results `=` primitive[parameters] operands; up to JAX 0.1.62 the programs of a call come last
    equation: $ => seq(
      optional(seq(
        field('result', choice(alias($._typed, $.binder), seq($._untyped, $.binder))),
        repeat(field('result', $.binder)), '=')),
      field('primitive', alias(choice($._word, $._dotted_word), $.primitive)),
      optional(field('parameters', $.parameters)),
      repeat(choice(field('operand', choice($._atom, $.element)), '->', $.program))),

    // reads, writes and additions to references: `a:f32[] <- r[i]`, `r[i] <- a`, `b:f32[], r[i] <- r[i], a`, `r[i] += a`
    access: $ => seq(
      field('result', choice(alias($._typed, $.binder), seq($._untyped, $.binder), $.element)),
      repeat(seq(',', field('result', choice($.binder, $.element)))),
      choice('<-', '+='),
      field('operand', choice($._atom, $.element)),
      repeat(seq(',', field('operand', choice($._atom, $.element)))),
      repeat(alias($._argument, $.parameter))),
    _argument: $ => seq(field('key', $.key), token.immediate('='), field('value', $._atom)),
    element: $ => seq(alias($._word, $.variable), repeat1(choice($.transform, $.index))),
    index: $ => $._bare,
    _bare: $ => seq(token.immediate('['), repeat($._token), ']'),
    transform: $ => seq(token.immediate('{'), repeat($._item), '}'),

    results: $ => seq('(', repeat(choice($._atom, ',')), ')'),
    effects: $ => seq(':', '{', repeat($._item), '}'),

    _atom: $ => choice(alias($._word, $.variable), $.literal),
    literal: $ => prec.right(seq(
      choice($.number, $.constant, $.sequence, seq(alias($._word, $.constant), token.immediate(':'), field('type', $.type))),
      optional(seq(token.immediate(':'), field('type', $.type))))),
    sequence: $ => choice(seq('[', repeat($._item), ']'), seq('(', repeat($._item), ')')),

    // `key=value`, or what a primitive prints in its own way: `semaphore_wait[dec]`, `dma_start(p0)`
    parameters: $ => choice(
      seq(token.immediate('['), repeat1($.parameter), ']'), $._bare, seq(token.immediate('('), repeat($._token), ')')),
    parameter: $ => seq(field('key', $.key), token.immediate('='), optional(field('value', $.value))),
    value: $ => repeat1(choice($._value_item, ')', '}')),
    _value_item: $ => choice($._token, $.program),

    // inside brackets a key is an argument's, and brackets that do not match are text
    _item: $ => choice($._value_item, seq(alias($.key, $.argument), token.immediate('=')), '='),
    _token: $ => choice(
      $.string, $.number, $.constant, alias($._word, $.word), alias($._dotted_word, $.word),
      $.brackets, $.parentheses, $.braces, $._punctuation, $._stray),
    brackets: $ => seq('[', repeat(choice($._item, ')')), ']'),
    parentheses: $ => seq('(', repeat(choice($._item, ']')), ')'),
    braces: $ => seq('{', repeat(choice($._item, ']', ')')), '}'),

    constant: _ => choice('True', 'False', 'None'),
    number: _ => /-?[0-9][0-9A-Za-z_.]*([eE][+-][0-9A-Za-z.]*)?|-(inf|nan)/,
    string: _ => token(/[bBuUrR]{0,2}('([^'\\\n]|\\[^\n])*'|"([^"\\\n]|\\[^\n])*")/),
    _punctuation: _ => token(prec(-1, /[^\s\[\](){}]/)),

    _word: _ => /[A-Za-z_*\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*/u,
    _dotted_word: _ => /[A-Za-z_\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*([.-][A-Za-z0-9_\u0080-\u{10ffff}]+)+/u,
  },
});
