-- SPDX-License-Identifier: Apache-2.0
-- Jaxprs in Neovim 0.7 and later: colours and folds by tree-sitter, the language server, and commands. Optional:
--
--     require('jaxpr').setup({ cmd = { '/path/to/jaxpr' }, settings = {}, filetypes = { 'log' } })
local M = {}

local options = { settings = vim.empty_dict() }

--- Sets options: `cmd`, the command of the program as a list, which is otherwise searched for; `settings` of the
--- language server; `on_attach(client, buffer)`; `filetypes` of other files that contain programs, such as `log`.
function M.setup(given)
  options = vim.tbl_extend('force', options, given or {})
  local group = vim.api.nvim_create_augroup('jaxpr', {})
  if options.filetypes and #options.filetypes > 0 then
    vim.api.nvim_create_autocmd('FileType', {
      group = group,
      pattern = options.filetypes,
      callback = function(event)
        if M.command() then
          M.start_server(event.buf)
        end
      end,
    })
  end
end

--- The command of the program as a list: that of setup, `jaxpr` in the virtual environment or on the PATH, or Python's
--- package; nil if there is none.
function M.command()
  if options.cmd then
    return options.cmd
  end
  local environment = vim.env.VIRTUAL_ENV or vim.env.CONDA_PREFIX
  for _, path in ipairs({ environment and environment .. '/bin/jaxpr' or '', 'jaxpr' }) do
    if path ~= '' and vim.fn.executable(path) == 1 then
      return { path }
    end
  end
  local python = vim.fn.exepath('python3')
  if python ~= '' then
    vim.fn.system({ python, '-c', 'import importlib.util as u, sys; sys.exit(u.find_spec("jaxpr") is None)' })
    if vim.v.shell_error == 0 then
      return { python, '-m', 'jaxpr' }
    end
  end
  return nil
end

local function complain(message)
  vim.notify('jaxpr: ' .. message, vim.log.levels.WARN)
end

--- The command of the program with arguments, as a list; if there is no program, shows a message and returns nil.
local function command_with(arguments)
  local command = M.command()
  if not command then
    complain('the program `jaxpr` was not found; install it with pip, or set cmd')
    return nil
  end
  return vim.list_extend(vim.list_extend({}, command), arguments)
end

--- Colours and folds a buffer by tree-sitter; returns false if the parser is not built.
function M.start_tree_sitter(buffer)
  local ok, parser = pcall(vim.treesitter.get_parser, buffer, 'jaxpr')
  if not ok or not parser then
    return false
  end
  if vim.treesitter.start then
    vim.treesitter.start(buffer, 'jaxpr')
  else
    vim.treesitter.highlighter.new(parser, {})
  end
  vim.api.nvim_buf_call(buffer, function()
    vim.opt_local.foldmethod = 'expr'
    vim.opt_local.foldexpr = "v:lua.require'jaxpr.folds'.level(v:lnum)"
  end)
  return true
end

--- Attaches a buffer to the language server, which starts if it is not running.
function M.start_server(buffer)
  local command = command_with({ 'lsp' })
  if not command then
    return
  end
  local file = vim.api.nvim_buf_get_name(buffer)
  -- most versions do not show related locations, so the server puts the other side of a finding into its message
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.textDocument.publishDiagnostics.relatedInformation = false
  local config = {
    name = 'jaxpr',
    cmd = command,
    root_dir = file ~= '' and vim.fn.fnamemodify(file, ':p:h') or vim.loop.cwd(),
    init_options = options.settings,
    capabilities = capabilities,
    on_attach = function(client, attached)
      M.map_keys(attached)
      if options.on_attach then
        options.on_attach(client, attached)
      end
    end,
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == 'jaxpr' then
      vim.lsp.buf_attach_client(buffer, client.id)
      return
    end
  end
  vim.lsp.buf_attach_client(buffer, vim.lsp.start_client(config))
end

--- Maps keys that newer versions of Neovim map by default.
function M.map_keys(buffer)
  local keys = {
    K = vim.lsp.buf.hover,
    gd = vim.lsp.buf.definition,
    grr = vim.lsp.buf.references,
    grn = vim.lsp.buf.rename,
    gO = vim.lsp.buf.document_symbol,
    [']d'] = vim.diagnostic.goto_next,
    ['[d'] = vim.diagnostic.goto_prev,
  }
  for key, action in pairs(keys) do
    vim.keymap.set('n', key, action, { buffer = buffer })
  end
end

--- Shows lines in a new buffer, in a window below; returns the buffer.
local function show(name, lines, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = filetype
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.wo.wrap = false
  return buffer
end

--- Runs the program; returns its output as lines. If it fails, shows a message and returns nil.
local function run(arguments, input)
  local command = command_with(arguments)
  if not command then
    return nil
  end
  local lines = vim.fn.systemlist(command, input)
  if vim.v.shell_error > 1 then
    complain(table.concat(lines, ' '))
    return nil
  end
  return lines
end

local function text_of(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

--- The tables of `stats --cost` with names moved to the first column, as amounts that depend on loops are wide; and a
--- table from the number of a line to the place that it names, `{ line = }` or `{ primitive = }`.
function M.names_first(lines)
  local shown, leads, from = {}, {}, 1
  while from <= #lines do
    local title = lines[from]:match('^%s+flops%s.*%s%s(%S.*)$')
    local column = title and #lines[from] - #title + 1
    local to = from
    while column and to < #lines and not lines[to + 1]:match('^%s+flops%s') and lines[to + 1]:sub(column - 2, column - 1) == '  ' do
      to = to + 1
    end
    local width, blanks = 0, math.huge
    for number = from, column and to or 0 do
      width = math.max(width, #lines[number] - column + 1)
      blanks = math.min(blanks, #lines[number]:match('^ *'))
    end
    for number = from, to do
      local row, name = lines[number], column and lines[number]:sub(column)
      if name then
        row = name .. (' '):rep(width - #name) .. '  ' .. row:sub(blanks + 1, column - 1):gsub('%s+$', '')
      end
      table.insert(shown, row)
      if name and number > from then
        leads[#shown] = { line = tonumber(name:match('line (%d+)')), primitive = name:match('^[%w_.-]+') }
      end
    end
    from = to + 1
  end
  return shown, leads
end

--- `:JaxprCost` shows the costs of the buffer's programs. Enter goes to the nested program of a row, or to the first
--- equation of its primitive, from which `n` goes to the next.
function M.cost()
  local window, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  local lines = run({ 'stats', '--cost', '--color=never', '--stdin-filename=' .. vim.fn.expand('%:t'), '-' }, text_of(buffer))
  if not lines then
    return
  end
  local rows, leads = M.names_first(lines)
  local shown = show('jaxpr://cost', rows, '')
  local first = next(leads) and math.huge
  for number in pairs(leads) do
    first = math.min(first, number)
  end
  if first then
    vim.api.nvim_win_set_cursor(0, { first, 0 })
  end
  vim.keymap.set('n', '<CR>', function()
    local lead = leads[vim.api.nvim_win_get_cursor(0)[1]]
    if not vim.api.nvim_win_is_valid(window) or not lead then
      return
    end
    vim.api.nvim_set_current_win(window)
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(window, { lead.line or 1, 0 })
    if not lead.line then
      vim.fn.setreg('/', '\\V= \\zs' .. lead.primitive .. '\\>')
      vim.fn.search(vim.fn.getreg('/'), 'c')
    end
  end, { buffer = shown })
end

--- `:JaxprDiff FILE` shows the differences between FILE and the buffer.
function M.diff(file)
  local lines = run({ 'diff', '--color=never', vim.fn.fnamemodify(file, ':p'), '-' }, text_of(0))
  if lines and #lines == 0 then
    vim.notify('jaxpr: no differences')
  elseif lines then
    show('jaxpr://diff', lines, 'diff')
  end
end

--- `:JaxprReport [FILE]` writes an HTML report about the buffer to FILE, or to a temporary file, which it opens.
function M.report(file)
  local page = file ~= '' and file or vim.fn.tempname() .. '.html'
  local lines = run({ 'report', '-' }, text_of(0))
  if not lines or vim.fn.writefile(lines, page) ~= 0 then
    return
  end
  vim.notify('jaxpr: wrote ' .. page)
  if file == '' then
    local open = vim.fn.has('mac') == 1 and 'open' or 'xdg-open'
    if vim.fn.executable(open) == 1 then
      vim.fn.jobstart({ open, page }, { detach = true })
    end
  end
end

--- Builds the parser for tree-sitter with the C compiler of the machine; returns its path.
function M.build_parser()
  local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h')
  local source = vim.fn.fnamemodify(here, ':h') .. '/tree-sitter-jaxpr/src'
  local folder = vim.fn.stdpath('data') .. '/site/parser'
  vim.fn.mkdir(folder, 'p')
  local message = vim.fn.system({
    vim.env.CC or 'cc', '-shared', '-fPIC', '-O2', '-I' .. source, '-o', folder .. '/jaxpr.so',
    source .. '/parser.c', source .. '/scanner.c',
  })
  if vim.v.shell_error ~= 0 then
    error('jaxpr: the parser could not be built: ' .. message)
  end
  return folder .. '/jaxpr.so'
end

--- Adds the commands, colours and the language server to a buffer.
function M.attach(buffer)
  local commands = {
    JaxprCost = { function() M.cost() end, { desc = 'show costs' } },
    JaxprDiff = {
      function(given) M.diff(given.args) end,
      { nargs = 1, complete = 'file', desc = 'show differences from FILE' },
    },
    JaxprReport = {
      function(given) M.report(given.args) end,
      { nargs = '?', complete = 'file', desc = 'write an HTML report' },
    },
  }
  for name, command in pairs(commands) do
    vim.api.nvim_buf_create_user_command(buffer, name, command[1], command[2])
  end
  M.start_tree_sitter(buffer)
  if M.command() then
    M.start_server(buffer)
  end
end

return M
