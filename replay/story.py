"""The story: every fact as a sentence, in which the players go by the names that they have at this table.

>>> from rules.catalogue import rules_named
>>> from rules.el_grande.facts import CaballerosPlaced
>>> [told] = sentences("el_grande", [CaballerosPlaced("red", "aragon", 2)], {"red": "Inés"})
>>> told.text, told.seat
('Inés places 2 caballeros in Aragon', 'red')
>>> told.parts
(Mention(seat='red', name='Inés'), ' places 2 caballeros in Aragon')
>>> told.brief.parts, told.brief.more
((Mention(seat='red', name='Inés'), ' places 2 in Aragon'), ('2 in Aragon',))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from events.table.facts import TableFact
from events.table.narration import told
from rules.catalogue import game_named, rules_named
from rules.kernel import Fact, Player
from rules.texts import ENGLISH, Catalogue, Names, Text

BEGIN, BETWEEN, END = "\ue000", "\ue001", "\ue002"
"""Around a player's name while a sentence is put together: no name and no translation holds them."""

MENTION = re.compile(f"{BEGIN}([^{BETWEEN}]*){BETWEEN}([^{END}]*){END}")


class Mention(Struct, frozen=True):
    """A player in a sentence; without a seat, the title of a card."""

    seat: Player
    name: str


Parts = tuple[str | Mention, ...]


class BriefLine(Struct, frozen=True, omit_defaults=True):
    """A fact in few words."""

    parts: Parts = ()
    """Nothing if the fact is not said at all."""
    more: Parts = ()
    """How it goes on after another fact of its group."""
    group: str = ""
    seat: Player = ""


class Sentence(Struct, frozen=True):
    fact: str
    """The stored name of the fact that it tells."""
    mark: str
    """The kind of landmark that the fact is, if it is one."""
    seat: Player
    """The player whom it is about: the first one it mentions."""
    text: str
    parts: Parts
    """The same, with the players set apart."""
    brief: BriefLine | None = None
    """The same in few words, if there are fewer."""


class Name(Text, frozen=True):
    """The name of a player: no language translates it, and nothing in it is filled in."""

    def rendered(self, catalogue: Catalogue, names: Names = lambda _: None) -> str:
        return self.template


class Title(Text, frozen=True):
    """The title of a card, set apart."""

    def rendered(self, catalogue: Catalogue, names: Names = lambda _: None) -> str:
        return f"{BEGIN}{BETWEEN}{cleared(super().rendered(catalogue, names))}{END}"


def sentences(
    rules: str, facts: Sequence[Fact], players: Mapping[Player, str], catalogue: Catalogue = ENGLISH
) -> Iterator[Sentence]:
    """Sentence after sentence. Tells no more than the facts do: give it those that the reader may know."""
    names = with_players(rules, players)
    of_game = [fact for fact in facts if not isinstance(fact, TableFact)]
    short = _Brief(rules, of_game, names, catalogue)
    for fact, text in told(rules, facts):
        yield _sentence(_tag(fact), _mark(rules, fact), text.rendered(catalogue, names), short.line(fact))


def single(
    rules: str, fact: str, text: Text, players: Mapping[Player, str], catalogue: Catalogue = ENGLISH
) -> Sentence:
    """A sentence that no fact tells, under a name of its own."""
    return _sentence(fact, "", text.rendered(catalogue, with_players(rules, players)), None)


class _Brief:
    """Facts of one commit in few words, which call cards by their titles."""

    def __init__(self, rules: str, facts: Sequence[Fact], names: Names, catalogue: Catalogue) -> None:
        self.facts, self.names, self.catalogue = facts, names, catalogue
        self.rules, self.landmarks = rules_named(rules), game_named(rules).landmarks

    def line(self, fact: Fact) -> BriefLine | None:
        brief = None if isinstance(fact, TableFact) else self.landmarks.brief(fact, self.facts)
        if not brief:
            return None
        return BriefLine(self._parts(brief.text), self._parts(brief.more), brief.group, brief.seat)

    def _parts(self, text: Text | None) -> Parts:
        return tuple(parts(text.rendered(self.catalogue, self._named))) if text else ()

    def _named(self, id: str) -> Text | None:
        title = self.landmarks.title(self.rules, id)
        return Title(title.template, title.values, title.many) if title else self.names(id)


def with_players(rules: str, players: Mapping[Player, str]) -> Names:
    """The names of a game's things, and those of the players at one table, set apart."""
    names = rules_named(rules).names
    called = {seat: Name(f"{BEGIN}{seat}{BETWEEN}{cleared(name)}{END}") for seat, name in players.items()}
    return lambda id: called.get(id) or names.get(id)


def cleared(text: str) -> str:
    """A text without the signs that set names apart."""
    return re.sub(f"[{BEGIN}{BETWEEN}{END}]", "", text)


def plain(text: str) -> str:
    """A text in which players are mentioned, without the signs around them."""
    return MENTION.sub(r"\2", text)


def _mark(rules: str, fact: Fact) -> str:
    if isinstance(fact, TableFact):
        return ""
    landmark = game_named(rules).landmarks.of(fact)
    return landmark.kind if landmark else ""


def _tag(fact: Fact) -> str:
    return str(fact.__struct_config__.tag)


def _sentence(fact: str, mark: str, marked: str, brief: BriefLine | None) -> Sentence:
    told = tuple(parts(marked))
    seat = next((part.seat for part in told if isinstance(part, Mention)), "")
    return Sentence(fact, mark, seat, plain(marked), told, brief)


def parts(marked: str) -> Iterator[str | Mention]:
    """A text in which players are mentioned, in parts."""
    end = 0
    for found in MENTION.finditer(marked):
        if found.start() > end:
            yield marked[end : found.start()]
        yield Mention(found[1], found[2])
        end = found.end()
    if end < len(marked):
        yield marked[end:]
