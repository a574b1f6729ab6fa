-- SPDX-License-Identifier: Apache-2.0
-- Tests inside Neovim, run by tests/editors/nvim. Each prints a line that begins with `ok`, `not ok` or `skip`.
local folder = vim.env.TEST_FOLDER
local failed = 0

local function say(line)
  io.stdout:write('\n' .. line .. '\n') -- messages of Neovim do not end with a newline
end

local function test(name, body)
  local ok, problem = pcall(body)
  if not ok and tostring(problem):match('SKIP') then
    say('skip ' .. name .. ': ' .. tostring(problem):match('SKIP(.*)'))
  else
    failed = failed + (ok and 0 or 1)
    say((ok and 'ok ' or 'not ok ') .. name .. (ok and '' or ': ' .. tostring(problem)))
  end
end

local function equal(got, expected)
  if not vim.deep_equal(got, expected) then
    error('got ' .. vim.inspect(got) .. ', expected ' .. vim.inspect(expected), 2)
  end
end

local function lines_of(buffer)
  return vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)
end

-- line and column (from 1) of a word in the nth line that contains it
local function find(word, nth)
  for number, line in ipairs(lines_of()) do
    local from = line:find(word, 1, true)
    if from then
      nth = (nth or 1) - 1
      if nth == 0 then
        return number, from
      end
    end
  end
  error('no ' .. word)
end

-- ---- Vim syntax ----

local function syntax_at(word, nth)
  local line, column = find(word, nth)
  return vim.fn.synIDattr(vim.fn.synID(line, column, 1), 'name')
end

vim.g.jaxpr = false
vim.cmd('runtime! plugin/jaxpr.lua')
vim.cmd('syntax on')
vim.cmd('edit ' .. folder .. '/words.jaxpr')

test('file type', function()
  equal(vim.bo.filetype, 'jaxpr')
  equal(vim.bo.commentstring, '# %s')
end)

test('syntax of Vim', function()
  equal(vim.b.current_syntax, 'jaxpr')
  for word, group in pairs({
    ['lambda'] = 'jaxprKeyword', ['let'] = 'jaxprKeyword', ['in ('] = 'jaxprKeyword', ['f32'] = 'jaxprType',
    ['b:f32'] = 'jaxprBinder', ['scan'] = 'jaxprControl', ['sin'] = 'jaxprPrimitive', ['mine'] = 'jaxprFunction',
    ['length'] = 'jaxprKey', ['1.5'] = 'jaxprNumber', ['False'] = 'jaxprConstant', ['# words.py'] = 'jaxprComment',
    ['<-'] = 'jaxprOperator', ["'text'"] = 'jaxprString', ['scatter-add'] = 'jaxprControl',
  }) do
    local got = syntax_at(word)
    if got ~= group then
      error(word .. ' is ' .. got .. ', expected ' .. group)
    end
  end
end)

-- ---- tree-sitter ----

local jaxpr = require('jaxpr')

test('colours of tree-sitter', function()
  if not jaxpr.start_tree_sitter(0) then
    error('no parser')
  end
  local query = (vim.treesitter.query.get or vim.treesitter.query.get_query)('jaxpr', 'highlights')
  local root = vim.treesitter.get_parser(0, 'jaxpr'):parse()[1]:root()
  equal(root:has_error(), false)
  local got = {}
  for id, node in query:iter_captures(root, 0, 0, -1) do
    local row, column, _, last = node:range()
    local text = lines_of()[row + 1]:sub(column + 1, last)
    got[text] = query.captures[id] -- the last pattern that matches
  end
  for word, capture in pairs({
    lambda = 'keyword', let = 'keyword', ['in'] = 'keyword', f32 = 'type.builtin', scan = 'function.macro', sin = 'function.builtin', mine = 'function',
    length = 'property', bfloat16 = 'type.builtin', ['1.5'] = 'number', ['False'] = 'constant.builtin', ["'text'"] = 'string',
  }) do
    if got[word] ~= capture then
      error(word .. ' is ' .. tostring(got[word]) .. ', expected ' .. capture)
    end
  end
end)

test('folds', function()
  local first = find('scan')
  vim.cmd('normal! zx')
  vim.cmd('normal! zM')
  equal(vim.fn.foldclosed(1), 1)
  vim.cmd('normal! zR')
  vim.api.nvim_win_set_cursor(0, { first, 5 })
  vim.cmd('normal! zc')
  equal(vim.fn.foldclosed(first), first)
  equal(vim.fn.foldclosedend(first), (find('] a')))
  vim.cmd('normal! zR')
end)

-- ---- the language server ----

local function client_of(buffer)
  for _, client in pairs(vim.lsp.get_active_clients()) do
    if client.name == 'jaxpr' and (not buffer or vim.lsp.buf_is_attached(buffer, client.id)) then
      return client
    end
  end
end

local function wait_for(what, condition)
  if not vim.wait(8000, condition, 20) then
    error('timeout: waited for ' .. what, 2)
  end
end

jaxpr.setup({ cmd = { vim.env.JAXPR } })
vim.cmd('edit ' .. folder .. '/wrong.jaxpr')
local wrong = vim.api.nvim_get_current_buf()
jaxpr.attach(wrong)

test('server starts', function()
  wait_for('the server', function()
    local client = client_of(wrong)
    return client and client.initialized
  end)
end)

test('diagnostics', function()
  wait_for('a diagnostic', function()
    return #vim.diagnostic.get(wrong) > 0
  end)
  local found = vim.diagnostic.get(wrong)[1]
  local line, column = find('qq')
  equal({ found.lnum + 1, found.col + 1, found.code }, { line, column, 'S012' })
end)

test('diagnostics after an edit', function()
  local line = find('qq')
  local text = lines_of()[line]:gsub('qq', 'a')
  vim.api.nvim_buf_set_lines(wrong, line - 1, line, false, { text })
  wait_for('no diagnostic', function()
    return #vim.diagnostic.get(wrong) == 0
  end)
end)

test('the other side of a finding', function()
  vim.api.nvim_buf_set_lines(wrong, 1, 2, false, { '    b:f32[3] = sin a', '    b:f32[3] = cos a' })
  wait_for('a diagnostic', function()
    return #vim.diagnostic.get(wrong) > 0
  end)
  local message = vim.diagnostic.get(wrong)[1].message
  if not message:find('\n2:5: ', 1, true) then
    error(message)
  end
end)

test('programs in files of another type', function()
  jaxpr.setup({ filetypes = { 'markdown', 'log' } })
  vim.cmd('enew')
  local log = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_name(log, folder .. '/run.log')
  vim.api.nvim_buf_set_lines(log, 0, -1, false, {
    'I 7] { lambda ; a:f32[3]. let', 'I 7]     b:f32[3]   =   sin qq', 'I 7]   in (b,) }',
  })
  vim.bo[log].filetype = 'log'
  wait_for('a diagnostic', function()
    return #vim.diagnostic.get(log) > 0
  end)
  equal(vim.diagnostic.get(log)[1].code, 'S012')
  local format = vim.lsp.buf.formatting_sync or function(_, timeout)
    vim.lsp.buf.format({ timeout_ms = timeout })
  end
  vim.api.nvim_buf_set_lines(log, 1, 2, false, { 'I 7]     b:f32[3]   =   sin a', 'I 7]     c:f32[3] = cos b' })
  format(nil, 8000)
  equal(lines_of(log), { 'I 7] { lambda ; a:f32[3]. let b:f32[3] = sin a; c:f32[3] = cos b in (b,) }' })
  vim.cmd('bwipeout! ' .. log)
end)

vim.cmd('edit! ' .. folder .. '/words.jaxpr')
local words = vim.api.nvim_get_current_buf()
jaxpr.attach(words)
wait_for('the server', function()
  local client = client_of(words)
  return client and client.initialized
end)

-- the result of a request at `word` in the nth line that contains it
local function ask(method, word, nth, more)
  local client = client_of(words)
  local capability = ({
    ['textDocument/hover'] = 'hoverProvider', ['textDocument/definition'] = 'definitionProvider',
    ['textDocument/references'] = 'referencesProvider', ['textDocument/rename'] = 'renameProvider',
    ['textDocument/documentSymbol'] = 'documentSymbolProvider', ['textDocument/foldingRange'] = 'foldingRangeProvider',
    ['textDocument/formatting'] = 'documentFormattingProvider',
  })[method]
  if not client.server_capabilities[capability] then
    error('SKIP the server does not offer ' .. method)
  end
  local parameters = { textDocument = { uri = vim.uri_from_bufnr(words) } }
  if word then
    local line, column = find(word, nth)
    parameters.position = { line = line - 1, character = column - 1 }
  end
  local answer = client.request_sync(method, vim.tbl_extend('force', parameters, more or {}), 8000, words)
  if not answer or answer.err then
    error(method .. ': ' .. vim.inspect(answer))
  end
  return answer.result
end

test('hover', function()
  local answer = ask('textDocument/hover', 'sin d')
  local text = vim.inspect(answer.contents)
  if not text:find('sin', 1, true) then
    error(text)
  end
end)

test('definition', function()
  local line = find('d:f32[3] = add')
  local answer = ask('textDocument/definition', 'd', 1, { position = (function()
    local number, column = find('sin d')
    return { line = number - 1, character = column - 1 + #'sin ' }
  end)() })
  local place = answer.range or answer[1].range or answer[1].targetSelectionRange
  equal(place.start.line + 1, line)
end)

test('definition by a key', function()
  ask('textDocument/definition', 'sin d')
  local line, column = find('sin d')
  vim.api.nvim_win_set_cursor(0, { line, column - 1 + #'sin ' })
  vim.cmd('normal gd')
  local goal = find('d:f32[3] = add')
  wait_for('the cursor at line ' .. goal, function()
    return vim.api.nvim_win_get_cursor(0)[1] == goal
  end)
end)

test('references', function()
  local answer = ask('textDocument/references', 'd:f32[3] = add', 1, { context = { includeDeclaration = true } })
  if #answer < 2 then
    error(vim.inspect(answer))
  end
end)

test('symbols', function()
  local answer = ask('textDocument/documentSymbol')
  if #answer == 0 then
    error('none')
  end
end)

test('rename', function()
  ask('textDocument/rename', 'd:f32[3] = add', 1, { newName = 'fresh' })
  local line, column = find('d:f32[3] = add')
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  vim.lsp.buf.rename('fresh')
  wait_for('both places renamed', function()
    local text = table.concat(lines_of(words), '\n')
    return text:find('fresh:f32', 1, true) and text:find('sin fresh', 1, true)
  end)
  vim.cmd('undo')
end)

-- ---- commands ----

test('JaxprCost', function()
  vim.cmd('JaxprCost')
  local text = table.concat(lines_of(), '\n')
  if not text:find('flops', 1, true) then
    error(text)
  end
  local shown = vim.api.nvim_get_current_buf()
  local primitive, name = text:match('\n(primitive) [^\n]*flops[^\n]*\n(%S+) +%d')
  equal({ primitive, name and vim.api.nvim_get_current_line():match('^%S+') }, { 'primitive', name })
  vim.fn.search('^sin ')
  vim.cmd('execute "normal \\<CR>"')
  equal(vim.api.nvim_get_current_line():match('= (%w+)'), 'sin')
  vim.cmd('bwipeout ' .. shown)
end)

test('names before amounts', function()
  local shown, leads = jaxpr.names_first({
    'f: 7*while@2 flops', '  model: one by one',
    '            flops  times  primitive', '  7*while@2*n + 1      1  add', '                0      2  pure_callback  (2 unknown)',
    '            flops  times  one run of', '                7      1  _where (line 12)',
  })
  equal(shown[1], 'f: 7*while@2 flops')
  equal((shown[4]:gsub(' +', ' ')), 'add 7*while@2*n + 1 1')
  equal(leads, { [4] = { primitive = 'add' }, [5] = { primitive = 'pure_callback' }, [7] = { line = 12, primitive = '_where' } })
  equal(jaxpr.names_first({}), {})
end)

test('JaxprDiff', function()
  vim.cmd('JaxprDiff ' .. folder .. '/before.jaxpr')
  local text = table.concat(lines_of(), '\n')
  if not (text:find('cos', 1, true) and text:find('sin', 1, true)) then
    error(text)
  end
  equal(vim.bo.filetype, 'diff')
  vim.cmd('bwipeout')
end)

test('JaxprReport', function()
  vim.cmd('JaxprReport ' .. folder .. '/page.html')
  local page = table.concat(vim.fn.readfile(folder .. '/page.html'), '\n')
  if not page:find('<!doctype html>', 1, true) and not page:find('<html', 1, true) then
    error(page:sub(1, 100))
  end
end)

local function stop_servers()
  for _, client in pairs(vim.lsp.get_active_clients()) do
    client.stop(true)
  end
end

test('settings', function()
  stop_servers()
  wait_for('the server to end', function()
    return client_of() == nil
  end)
  jaxpr.setup({ settings = { lint = false } })
  vim.cmd('edit ' .. folder .. '/key.jaxpr')
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, {
    '{ lambda ; k:key<fry>[] d:f32[3]. let', '    a:u32[3] = random_bits[bit_width=32 shape=(3,)] k',
    '    b:u32[3] = random_bits[bit_width=32 shape=(3,)] k', '    c:f32[4] = sin d', '  in (a, b, c) }',
  })
  jaxpr.attach(buffer)
  wait_for('a diagnostic', function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  local codes = vim.tbl_map(function(found)
    return found.code
  end, vim.diagnostic.get(buffer))
  equal(codes, { 'T003' }) -- not R501, a rule of lint
end)

stop_servers()
vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
