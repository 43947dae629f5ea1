"""Tournaments from report files: the players that a file names are registered for a new one, with their ratings.

Results in a file are not believed: here they come from games. All is checked before anything is done; a request that
was cut off and comes again under the same key goes on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from events.submission import Submission
from rules.errors import Unreadable
from rules.texts import say
from service.accounts.errors import NoSuchAccount
from service.tournaments.actions import named_entrant
from service.tournaments.presets import agreed
from service.tournaments.tournament_service import TournamentService
from tournaments.commands import ForbidPair, Register, TournamentCommand
from tournaments.commands.registration import MOST_PAIRS
from tournaments.options import Options
from tournaments.tournament import Tournament
from tournaments.trf.entrants import Entrant, entrants, kept_apart, planned_rounds
from tournaments.trf.records import Report, parse_trf
from tournaments.wishes import pair_of

Handles = Mapping[str, str]
"""By the number of a player in the file: the handle here, if the file has another name."""


@dataclass(frozen=True)
class TournamentImport:
    """What a file asks for."""

    options: Options
    entrants: tuple[tuple[str, int], ...]
    """Accounts with their ratings."""
    apart: tuple[tuple[str, str], ...]


def read(
    service: TournamentService, document: str, given: Mapping[str, Any], preset: str, handles: Handles
) -> TournamentImport:
    """A file as an import, or a refusal that names the line."""
    report = parse_trf(document)
    players = entrants(report)
    if not players:
        raise Unreadable(say("the file has no record of a player"))
    options = agreed({**from_file(report), **given}, preset)
    if len(players) > (most := options.entry.most):
        raise Unreadable(
            say("the file has {players} players, and {most} may take part", players=len(players), most=most)
        )
    accounts = accounts_of(service, players, handles)
    pairs = {pair_of(accounts[apart.one], accounts[apart.other]) for apart in kept_apart(report)}
    if len(pairs) > MOST_PAIRS:
        raise Unreadable(say("{most} pairs at most are kept apart", most=MOST_PAIRS))
    rated = tuple((accounts[player.number], player.rating) for player in players)
    return TournamentImport(options, rated, tuple(sorted(pairs)))


def from_file(report: Report) -> dict[str, Any]:
    """What the file itself agrees upon."""
    title, rounds = report.tag("012"), planned_rounds(report)
    return ({"title": title} if title else {}) | ({"stages": [{"rounds": rounds}]} if rounds else {})


def accounts_of(service: TournamentService, players: tuple[Entrant, ...], handles: Handles) -> dict[int, str]:
    """The account of each number of the file; each of them once."""
    if unknown := set(handles) - {str(player.number) for player in players}:
        raise Unreadable(say("the file has no player with number {number}", number=min(unknown)))
    found: dict[str, Entrant] = {}
    for player in players:
        name = handles.get(str(player.number), player.name)
        try:
            account = named_entrant(service, name)
        except NoSuchAccount as refusal:
            raise Unreadable(say("line {line} of the file: {reason}", line=player.line, reason=refusal.text)) from None
        if account in found:
            first = found[account].line
            raise Unreadable(
                say(
                    "lines {first} and {line} of the file name one player, {name}",
                    first=first,
                    line=player.line,
                    name=name,
                )
            )
        found[account] = player
    return {player.number: account for account, player in found.items()}


def imported(service: TournamentService, account: str, wanted: TournamentImport, submission: Submission) -> Tournament:
    """A new tournament of this account with all players in it."""
    service.check_not_muted(account, [player for player, _ in wanted.entrants])
    made = service.create(account, wanted.options, submission)
    commands: list[TournamentCommand] = [Register(account, player, rating) for player, rating in wanted.entrants]
    commands += [ForbidPair(account, one, other) for one, other in wanted.apart]
    for number, command in enumerate(commands):
        key = f"{submission.key} line {number}" if submission.key else ""
        made = service.tournaments.submit(made.id, command, replace(submission, key=key, expected=None)).after
    service.index.put(made)
    return made
