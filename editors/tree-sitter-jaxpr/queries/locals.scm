; SPDX-License-Identifier: Apache-2.0
; a program does not use variables of the enclosing one: each is a scope
(program) @local.scope
(binder name: (variable) @local.definition)
(equation operand: (variable) @local.reference)
(access operand: (variable) @local.reference)
(element (variable) @local.reference)
(results (variable) @local.reference)
