; SPDX-License-Identifier: Apache-2.0
; editors with a grammar for comments use it, for words such as TODO
((comment) @injection.content
  (#set! injection.language "comment"))
