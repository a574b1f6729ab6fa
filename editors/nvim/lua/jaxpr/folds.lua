-- SPDX-License-Identifier: Apache-2.0
-- Fold levels by the query `folds`, computed once after each change of a buffer.
local M = {}

local known = {} -- buffer: { tick, levels }

local function find_levels(buffer)
  local language = vim.treesitter.query
  local query = (language.get or language.get_query)('jaxpr', 'folds')
  local change = {}
  local root = vim.treesitter.get_parser(buffer, 'jaxpr'):parse()[1]:root()
  for _, node in query:iter_captures(root, buffer, 0, -1) do
    local first, _, last = node:range()
    if last > first and not (change[first] and change[first].last == last) then
      local mark = change[first] or { count = 0 }
      mark.count, mark.last = mark.count + 1, last
      change[first] = mark
      change[last + 1] = change[last + 1] or { count = 0 }
      change[last + 1].count = change[last + 1].count - 1
    end
  end
  local levels, level = {}, 0
  for line = 0, vim.api.nvim_buf_line_count(buffer) do
    level = level + (change[line] and change[line].count or 0)
    levels[line + 1] = level
  end
  return levels
end

--- The fold level of a line of the current buffer, counted from 1; for 'foldexpr'.
function M.level(line)
  local buffer = vim.api.nvim_get_current_buf()
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  if not known[buffer] or known[buffer].tick ~= tick then
    known[buffer] = { tick = tick, levels = find_levels(buffer) }
  end
  return known[buffer].levels[line] or 0
end

return M
