"""The search for chapters that have all words, among the studies of some lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from events.log.script import Script
from events.store import Store, store_errors
from events.store.direct import direct
from service.studies.indexed_study import word_key

FOUND_AT_ONCE = 100
LOOKED_AT_ONCE = 2000
MOST_LOOKED_AT = 20_000
"""So many chapters that have the rarest word are looked at, the newest ones. The rest is not found."""

# Goes through the chapters of the rarest word, newest first, and looks each up under the others and in the lists.
SEARCH = """
local words, limit, left, last = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local rarest, count = 1, nil
for i = 1, words do
  local size = redis.call('ZCARD', KEYS[i])
  if not count or size < count then rarest, count = i, size end
end
local function has_all(member)
  for i = 1, words do
    if i ~= rarest and not redis.call('ZSCORE', KEYS[i], member) then return false end
  end
  return true
end
local function is_listed(member)
  local entry = string.match(member, '^[^/]*/[^/]*')
  for i = words + 1, #KEYS do
    if redis.call('ZSCORE', KEYS[i], entry) then return true end
  end
  return false
end
local found, looked_at = {}, 0
while looked_at < left do
  local some = redis.call('ZRANGE', KEYS[rarest], last, '-', 'BYLEX', 'REV', 'LIMIT', 0, 200)
  for _, member in ipairs(some) do
    looked_at, last = looked_at + 1, '(' .. member
    if has_all(member) and is_listed(member) then found[#found + 1] = member end
    if #found >= limit then return {found, looked_at, last} end
  end
  if #some < 200 then return {found, looked_at, ''} end
end
return {found, looked_at, last}
"""


class StudySearch:
    def __init__(self, store: Store) -> None:
        self._search = Script(direct(store.commands), SEARCH)

    def found(self, terms: Sequence[str], lists: Sequence[str], after: str) -> Iterator[tuple[str, frozenset[str]]]:
        """The entries of studies in these lists, and the chapters of each that have all terms, newest first."""
        if not lists:
            return
        for entry, members in groupby(self._members(terms, lists, after), lambda member: member.rpartition("/")[0]):
            yield entry, frozenset(member.rpartition("/")[2] for member in members)

    def _members(self, terms: Sequence[str], lists: Sequence[str], after: str) -> Iterator[str]:
        keys, last, left = [*map(word_key, terms), *lists], f"({after}" if after else "+", MOST_LOOKED_AT
        while last and left > 0:
            with store_errors():
                found, looked_at, last = self._search(keys, len(terms), FOUND_AT_ONCE, LOOKED_AT_ONCE, last)
            left -= looked_at
            yield from (member.decode() for member in found)
