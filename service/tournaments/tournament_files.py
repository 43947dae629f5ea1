"""Tournaments as files that others read: standings for spreadsheets, and reports as arbiters exchange them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from io import StringIO

from msgspec.structs import replace

from events.errors import NotNow
from events.table.facts import BOT_PREFIX
from rules.texts import say
from service.games.representations import Profiles
from service.tournaments.tournament_representations import people
from tournaments.history import History
from tournaments.points import shown_points
from tournaments.standings import Row
from tournaments.tournament import Tournament
from tournaments.trf.files import Event, report_of
from tournaments.trf.records import trf

CSV, TRF = "text/csv", "text/plain"
ROWS_AT_ONCE = 200
FORMULA = ("=", "+", "-", "@")
"""With one of these before it, a spreadsheet takes a text for a formula."""

Called = Callable[[str], str]
"""What a player is called."""


def as_accounts(tournament: Tournament) -> Called:
    """Players by their accounts."""
    return lambda player: tournament.participants[player].account


def as_handles(tournament: Tournament, profiles: Profiles) -> Called:
    """Players by their handles, and bots as they are registered; an account that is gone by its id."""
    accounts = {player.id: player.account for player in tournament.participants.values()}
    person = people(accounts.values(), profiles)

    def called(player: str) -> str:
        account = accounts[player]
        return account if account.startswith(BOT_PREFIX) else str(person(account)["handle"] or account)

    return called


# Spreadsheets


def standings_csv(tournament: Tournament, rows: Sequence[Row], called: Called) -> Iterator[bytes]:
    """Comma-separated values: a line with names, and one for each player."""
    names = [name for name in tournament.options.standings_list if name != "LOT"]
    yield _lines([["place", "player", "points", *names, "decided_by", "withdrawn"]])
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        yield _lines([_cells(tournament, row, called, len(names)) for row in rows[begin : begin + ROWS_AT_ONCE]])


def _cells(tournament: Tournament, row: Row, called: Called, shown: int) -> list[str]:
    withdrawn = "yes" if tournament.participants[row.player].is_withdrawn else ""
    values = [*row.shown[:shown], *[""] * (shown - len(row.shown))]
    return [str(row.place), _plain(called(row.player)), shown_points(row.points), *values, row.decided_by, withdrawn]


def _plain(text: str) -> str:
    """
    >>> _plain("=1+1"), _plain("ana")
    ("'=1+1", 'ana')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def _lines(rows: Sequence[Sequence[str]]) -> bytes:
    written = StringIO(newline="")
    csv.writer(written).writerows(rows)
    return written.getvalue().encode()


# Reports


def report_file(tournament: Tournament, called: Called, *, for_staff: bool = False) -> str:
    """A tournament report file (TRF-2026) of its first stage. Pairs that are kept apart are for staff."""
    options = tournament.options
    if options.table_size(0) != 2:
        raise NotNow(say("report files are for two players at a table"))
    entered = tournament.participants.keys()
    apart = tuple(pair for pair in tournament.forbidden if set(pair) <= entered)
    event = Event(
        options.title,
        sum(stage.rounds for stage in options.stages),
        {player: called(player) for player in tournament.participants},
        options.standings_list,
        apart if for_staff else (),
    )
    return trf(report_of(numbered(tournament.history(0)), event))


def numbered(history: History) -> History:
    """With starting numbers, also before they are drawn: then in the order of the registrations."""
    if all(player.number for player in history.players):
        return history
    players = tuple(replace(player, number=number) for number, player in enumerate(history.players, start=1))
    return replace(history, players=players)
