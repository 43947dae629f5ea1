"""What the index of games asks of the store: a part of a list."""

# It looks at some entries at a time, until enough of them fit, or enough were looked at. Answers those that fit, and
# the last one looked at, if there are more. An entry ends with its traits: the code of its rules, the number of its
# players, and whether it has clocks.
PAGE = """
local start, wanted, most, players, clock = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local rules, any_rules = {}, #ARGV == 5
for i = 6, #ARGV do rules[ARGV[i]] = true end

local function fits(traits)
  return (any_rules or rules[string.sub(traits, 1, 4)]) and (players == '' or string.sub(traits, 5, 5) == players)
    and (clock == '' or string.sub(traits, 6) == clock)
end

local found, looked_at, last = {}, 0, ''
repeat
  local step = math.min(100, most - looked_at)
  local entries = redis.call('ZRANGE', KEYS[1], start, '-', 'BYLEX', 'REV', 'LIMIT', 0, step)
  for _, entry in ipairs(entries) do
    looked_at, last = looked_at + 1, entry
    if fits(string.sub(entry, -6)) then
      found[#found + 1] = entry
      if #found == wanted then break end
    end
  end
  start = '(' .. last
  if #entries < step and #found < wanted then last = '' end
until last == '' or #found == wanted or looked_at >= most
return {last, found}
"""
