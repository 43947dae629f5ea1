"""Tournaments: create, submit, load. The one way into their log.

>>> from events.log.memory import MemoryLog
>>> from tournaments.commands import Register
>>> from tournaments.options import Options
>>> tournaments = Tournaments(MemoryLog())
>>> tournament = tournaments.create("ana", Options("Club evening", "el_grande")).id
>>> list(tournaments.submit(tournament, Register("ben")).after.participants)
['ben']
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from events.decider import Context, Outage
from events.log import GameLog, chain
from events.repository import Repository, SecretOf, now_ms
from events.submission import Naming, Submission, new_id, plain_name
from rules.texts import Text, say
from tournaments.commands import TournamentCommand
from tournaments.decider import TOURNAMENT, VERSION
from tournaments.facts import TournamentCreated
from tournaments.options import Options, check_options
from tournaments.tournament import Tournament

PLAYERS_CACHED, PLAYERS_KEPT_ASIDE = 200_000, 20_000
"""So many entries of players, each in so many rounds, a process keeps folded."""


def weigh(tournament: Tournament) -> int:
    return (1 + len(tournament.participants)) * (1 + len(tournament.rounds))


class Tournaments(Repository[Tournament, TournamentCommand]):
    """All tournaments of a log."""

    def __init__(
        self,
        log: GameLog,
        now: Callable[[], int] = now_ms,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        naming: Naming = plain_name,
        outages: Callable[[], Iterable[Outage]] = tuple,
        secret_of: SecretOf | None = None,
    ) -> None:
        """`draw` gives the secrets of new tournaments, or `secret_of` by their ids, in a run that can be repeated."""
        cached = PLAYERS_CACHED, PLAYERS_KEPT_ASIDE
        super().__init__(log, TOURNAMENT, now, outages, naming, cached=cached, weigh=weigh)
        self.log: GameLog = log
        self._secret_of: SecretOf = secret_of or (lambda id: draw(chain.SECRET_BYTES))

    def not_found(self, id: str) -> Text:
        return say("there is no tournament {tournament}", tournament=id)

    def no_such_version(self, id: str, version: int) -> Text:
        return say("there is no version {version} of tournament {tournament}", version=version, tournament=id)

    def too_fast(self, id: str) -> Text:
        return say("tournament {tournament} changes too fast", tournament=id)

    def create(
        self, owner: str, options: Options, *, tournament: str = "", submission: Submission | None = None
    ) -> Tournament:
        """A new tournament, open for players. Its secret is drawn now and fixed by the first commit."""
        check_options(options)
        id = tournament or new_id()
        secret = self._secret_of(id)
        fact = TournamentCreated(id, owner, options, chain.commitment(secret))
        return self._create(id, fact, owner, VERSION, secret, submission or Submission(key="create")).after

    def foreseen(self, tournament: Tournament, command: TournamentCommand) -> Tournament:
        """The tournament after a command that is given now, or a refusal. Nothing is stored."""
        TOURNAMENT.permit(tournament, command)
        _, secret = self._known(tournament.id)
        context = Context(max(self.now(), tournament.at), secret, ())
        return TOURNAMENT.decide(tournament, command, context).after
