" SPDX-License-Identifier: Apache-2.0
" Settings of buffers with Jaxprs, for Vim and Neovim.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s
setlocal expandtab shiftwidth=2 nowrap
" without tree-sitter, indentation gives the folds, as JAX indents nested text
setlocal foldmethod=indent foldlevel=99
let b:undo_ftplugin = 'setlocal commentstring< expandtab< shiftwidth< wrap< foldmethod< foldlevel< foldexpr<'

if executable('jaxpr')
  setlocal makeprg=jaxpr\ check\ --format=gcc\ %:S
  setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
  setlocal formatprg=jaxpr\ fmt\ --color=never
  let b:undo_ftplugin .= ' | setlocal makeprg< errorformat< formatprg<'
endif
