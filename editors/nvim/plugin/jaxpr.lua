-- SPDX-License-Identifier: Apache-2.0
-- Starts what Neovim has for a buffer with Jaxprs; `vim.g.jaxpr = false` before it leaves everything to the user.
if vim.g.loaded_jaxpr or vim.g.jaxpr == false then
  return
end
vim.g.loaded_jaxpr = true

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'jaxpr',
  callback = function(event)
    require('jaxpr').attach(event.buf)
  end,
})
