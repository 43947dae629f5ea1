"""The people of a tournament as its pages name them. All of a page are looked up at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flask import url_for

from replay.story import Name
from rules.texts import Text, Value, say
from service.http.context import services
from service.tournaments.tournament_representations import people
from tournaments.tournament import Tournament


class Person(NamedTuple):
    name: Value
    is_bot: bool = False
    player: str = ""
    """Their id in the tournament; empty: they do not play."""
    card: str = ""
    """The address of their card there."""


FORMER = say("a former player")


class Names:
    """Of some players, and of other accounts."""

    def __init__(self, tournament: Tournament, players: Iterable[str], accounts: Iterable[str] = ()) -> None:
        self._tournament = tournament
        # A player who left before the start, or has not agreed to come, is known by the account alone.
        self._accounts = {player: _account(tournament, player) for player in players}
        self._known = people({*self._accounts.values(), *accounts}, services().accounts.profiles)

    def player(self, player: str) -> Person:
        if player not in self._tournament.participants:
            return self._person(self._accounts[player])._replace(player=player)
        card = url_for("tournaments_page.player_card", tournament=self._tournament.id, player=player)
        return self._person(self._accounts[player])._replace(player=player, card=card)

    def name(self, player: str) -> Value:
        """Where no link to the card is needed."""
        return self._person(self._accounts[player]).name

    def account(self, account: str) -> Person:
        """An account that may not play; the service itself has none."""
        return self._person(account) if account else Person(say("the service"))

    def _person(self, account: str) -> Person:
        found = self._known(account)
        return Person(FORMER if found["handle"] is None else found["handle"], found["bot"])

    def called(self, id: str) -> Text | None:
        """For texts: what an id of a player is called."""
        if id not in self._accounts:
            return None
        name = self.player(id).name
        return name if isinstance(name, Text) else Name(str(name))


def _account(tournament: Tournament, player: str) -> str:
    found = tournament.participants.get(player)
    return found.account if found else player
