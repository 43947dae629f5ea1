"""The base of all facts of a tournament: what it changes, how it is undone, how it reads."""

from __future__ import annotations

from typing import Any

from rules.kernel import Fact
from rules.texts import Text
from tournaments.tournament import Tournament


class TournamentFact(Fact[Any], frozen=True, omit_defaults=True):
    """Something that happened in a tournament."""

    def change(self, tournament: Tournament) -> Tournament:
        """The tournament after this fact."""
        raise AssertionError(f"{type(self).__name__} does not say how it changes the tournament")

    def inverse(self, tournament: Tournament) -> TournamentFact | None:
        """The fact that brings back the tournament before this one."""
        raise AssertionError(f"{type(self).__name__} cannot be reversed")

    @property
    def sentence(self) -> Text | None:
        """This fact in words; nothing if people see it without words."""
        return None
