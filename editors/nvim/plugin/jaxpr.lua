-- SPDX-License-Identifier: Apache-2.0
-- Attaches this plugin to buffers with Jaxprs; setting `vim.g.jaxpr = false` before it is loaded disables it.
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
