"""What all pages of one tournament share: title, the reader's table, the rounds, the tabs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from flask import request, url_for

from rules.texts import Text, say
from service.http.context import services
from service.tournaments.tournament_representations import is_staff
from service.web.addresses import table_address
from service.web.live_games import count_reading
from service.web.tournaments import words
from service.web.tournaments.people import Names
from service.web.visitors import visitor
from tournaments.options import DATES
from tournaments.tournament import CANCELLED, FINISHED, OPEN, RUNNING, PairedRound, Tournament

FEW_TABLES = 24
"""So many tables stand on one page."""
ROWS = 100
"""So many players stand on one page of a list."""


class Leg(NamedTuple):
    """A round, as the way through the tournament shows it."""

    number: int
    state: str
    """`done`, `now` or nothing."""
    done: int
    all: int
    note: Text | None
    at: int
    """A moment, if that is what is told; 0: none."""
    address: str


class Tab(NamedTuple):
    name: str
    label: Text
    address: str
    amount: int = 0


class Frame(NamedTuple):
    tournament: Tournament
    account: str | None
    names: Names
    """Of the owner and the staff."""

    @property
    def is_staff(self) -> bool:
        return is_staff(self.tournament, self.account)

    @property
    def mine(self) -> str:
        return self.tournament.player_of(self.account) if self.account else ""

    @property
    def is_invited(self) -> bool:
        """Whether the reader can still say yes."""
        return self.account in self.tournament.invited and is_open_for(self)

    @property
    def asked_for(self) -> str:
        """The player for whom the reader is asked to play; empty: none."""
        is_on = self.tournament.status in (RUNNING, FINISHED)
        return self.tournament.asked_for(self.account) if self.account and is_on else ""

    @property
    def shows_standings(self) -> bool:
        hidden = self.tournament.options.hides_standings and self.tournament.status != FINISHED
        return bool(self.tournament.rounds) and (not hidden or self.is_staff)

    def address(self, endpoint: str = "event", **more: Any) -> str:
        return url_for(f"tournaments_page.{endpoint}", tournament=self.tournament.id, **more)


def look(tournament: str) -> Frame:
    """The tournament, as the visitor may see it."""
    count_reading()
    account = known.account if (known := visitor()) else None
    found = services().tournament_service.look(tournament, account)
    return framed(found, account)


def framed(tournament: Tournament, account: str | None) -> Frame:
    return Frame(tournament, account, Names(tournament, (), [tournament.owner, *tournament.staff]))


def page_number() -> int:
    """The page of a long list that the address names, from 1."""
    asked = request.args.get("page", "1")
    return max(1, int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 6 else 1


def frame_values(frame: Frame, tab: str) -> dict[str, Any]:
    """For the template of the frame."""
    tournament = frame.tournament
    return {
        "frame": frame,
        "tournament": tournament,
        "tab": tab,
        "tabs": list(tabs(frame)),
        "legs": list(legs(frame)),
        "owner": frame.names.account(tournament.owner),
        "agreed": agreed(tournament),
        "words": words,
        "act": act_of(frame),
        "replaced": Names(tournament, [player]).player(player) if (player := frame.asked_for) else None,
    }


def agreed(tournament: Tournament) -> list[Text | str]:
    """What was agreed, in a line."""
    options = tournament.options
    return [words.game_title(options), words.stages(options), words.time(options)]


def tabs(frame: Frame) -> Iterator[Tab]:
    tournament = frame.tournament
    if tournament.rounds:
        yield Tab("event", say("Round {number}", number=len(tournament.rounds)), frame.address())
    else:
        yield Tab("event", say("Overview"), frame.address())
    if frame.shows_standings:
        yield Tab("standings", say("Standings"), frame.address("standings"))
        yield Tab("crosstable", say("Crosstable"), frame.address("crosstable"))
    yield Tab("players", say("Players"), frame.address("players"), len(tournament.participants))
    yield Tab("log", say("Announcements and log"), frame.address("log"))
    if frame.is_staff:
        yield Tab("desk", say("Organiser's desk"), frame.address("desk"))


def legs(frame: Frame) -> Iterator[Leg]:
    tournament = frame.tournament
    if tournament.status == CANCELLED:
        return
    for number in range(1, max(words.rounds(tournament.options), len(tournament.rounds)) + 1):
        if number <= len(tournament.rounds):
            yield _leg(frame, tournament.rounds[number - 1])
        else:
            dates = tournament.options.schedule.dates if tournament.options.schedule.rule == DATES else ()
            at = dates[number - 1] if number <= len(dates) else 0
            yield Leg(number, "", 0, 1, None, at, "")


def _leg(frame: Frame, paired: PairedRound) -> Leg:
    number, tables = paired.number, len(paired.round.tables)
    address = frame.address(round=number)
    if paired.closed_at:
        return Leg(number, "done", 1, 1, None, paired.started_at, address)
    if not paired.started_at:
        return Leg(number, "now", 0, 1, None, paired.starts_at, address)
    done = tables - len(paired.open_tables)
    return Leg(number, "now", done, tables, say("{done} of {all} done", done=done, all=tables), 0, address)


class Act(NamedTuple):
    """What the reader can do now: a link, or a button of a form."""

    label: Text
    address: str = ""
    act: str = ""
    """Of a form; empty: it is a link."""
    colour: str = ""


def act_of(frame: Frame) -> Act | None:
    tournament = frame.tournament
    if frame.mine and tournament.status in (OPEN, RUNNING):
        return _act_of_player(frame)
    if is_open_for(frame):
        if frame.is_invited:
            return Act(say("Accept the invitation"), act="register")
        if not frame.account:
            return Act(say("Sign in to take part"), url_for("sign_in.sign_in", next=frame.address()))
        if frame.is_staff:
            return None
        late = tournament.status == RUNNING
        return Act(say("Enter late") if late else say("Register"), act="register")
    return None


def is_open_for(frame: Frame) -> bool:
    """Whether a player can enter now."""
    tournament = frame.tournament
    entry = tournament.options.entry
    if len(tournament.participants) >= entry.most:
        return False
    is_late = tournament.status == RUNNING and not tournament.stage and len(tournament.rounds) < entry.late_until
    return tournament.status == OPEN or is_late


def _act_of_player(frame: Frame) -> Act | None:
    tournament, player = frame.tournament, frame.tournament.participants[frame.mine]
    if tournament.status == OPEN:
        needs = tournament.options.schedule.check_in_ms and not player.is_checked_in
        return Act(say("Check in"), act="check_in") if needs else None
    if player.is_withdrawn:
        return Act(say("Come back"), act="return")
    return _table_of(frame)


def _table_of(frame: Frame) -> Act | None:
    if not (current := frame.tournament.current):
        return None
    for number, table in enumerate(current.round.tables):
        if frame.mine in table.players and (game := current.games.get(number)) and not table.result:
            seated = services().games.load(game)
            is_asked = frame.account in map(seated.seats.get, seated.asked)
            colour = next((seat for seat, account in seated.seats.items() if account == frame.account), "")
            label = say("Your turn at table {number}", number=number + 1)
            if not is_asked:
                label = say("Your table: table {number}", number=number + 1)
            return Act(label, table_address(game), colour=colour)
    return None
