; SPDX-License-Identifier: Apache-2.0
; what people wrote into a comment, as TODO, is the comment grammar's where an editor has one
((comment) @injection.content
  (#set! injection.language "comment"))
