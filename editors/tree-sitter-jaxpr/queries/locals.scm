; SPDX-License-Identifier: Apache-2.0
; a program sees the variables around it only where it is shared by name: each is a scope of its own
(program) @local.scope
(binder name: (variable) @local.definition)
(equation operand: (variable) @local.reference)
(access operand: (variable) @local.reference)
(element (variable) @local.reference)
(results (variable) @local.reference)
