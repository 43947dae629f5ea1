"""The draw of a round: who sits out, which tables there are, who sits at them and where, and the certificate. Pure.

>>> from tournaments.history import Player
>>> history = History(tuple(Player(name, number) for number, name in enumerate("abcdefgh", start=1)))
>>> drawn = draw(Request(history, tuple("abcdefg"), size=4, allowed=(3,), seed=b"1"))
>>> [len(table.players) for table in drawn.round.tables], drawn.certificate.repeats
([4, 3], 0)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from rules.fairness import Chance
from tournaments.certificate import DUTCH, FAST, TABLES, Certificate, certified
from tournaments.history import History, is_first_player_white
from tournaments.pairing.byes import sitting_out, without
from tournaments.pairing.dutch import dutch
from tournaments.pairing.entrants import Entrant, Field, pairing_order
from tournaments.pairing.pairs import matched
from tournaments.pairing.search import NEIGHBOURS
from tournaments.pairing.seats import seat
from tournaments.pairing.sizes import plan
from tournaments.pairing.tables import ANNEALED_UP_TO, leaders, seated
from tournaments.results import BYE, Round, Table
from tournaments.tally import Tally, tally
from tournaments.wishes import Wishes


class Request(Struct, frozen=True):
    """What is to be drawn."""

    history: History
    present: tuple[str, ...]
    """The players who want to play, without those who asked for a bye."""
    size: int
    seed: bytes
    allowed: tuple[int, ...] = ()
    """Other sizes of tables, where the numbers do not fit."""
    wishes: Wishes = Wishes()
    unpaired: Mapping[str, str] = {}
    """Players who are not paired, and why."""
    given: tuple[tuple[str, ...], ...] = ()
    """Tables by hand, in the order of seats."""
    method: str = TABLES
    rounds: int = 0
    """How many there will be, if that is known: the last one is special in FIDE pairings."""
    tally: Tally | None = None
    """Of the history, if it is known already."""


class Drawn(Struct, frozen=True):
    round: Round
    certificate: Certificate


def draw(request: Request) -> Drawn:
    """The round, by the method that was asked for."""
    counted = request.tally or tally(request.history)
    field = field_of(request, counted)
    tables, out, window = ENGINES[request.method](request, field)
    unpaired = {**request.unpaired, **dict.fromkeys(out, BYE)}
    round = Round(request.size, tuple(Table(players) for players in tables), unpaired)
    fixed = len(request.given) + bool(request.method == TABLES and request.wishes.leaders_together)
    order = [entrant.id for entrant in field.entrants]
    return Drawn(
        round,
        certified(request.history, counted, round, request.method, request.seed, request.wishes, order, fixed, window),
    )


def field_of(request: Request, tally: Tally) -> Field:
    """The players who are to be paired, in pairing order."""
    given = {player for table in request.given for player in table}
    points, players = tally.scores, {player.id: player for player in request.history.players}
    entrants = [
        Entrant(id, 0 if request.wishes.by_lot else points[id], player.rating, player.number, player.team)
        for id in request.present
        if id not in given and (player := players[id])
    ]
    ordered = pairing_order(entrants, request.wishes.seeding, request.seed, request.size)
    return Field(ordered, tally.encounters, request.wishes)


Found = tuple[tuple[tuple[str, ...], ...], tuple[str, ...], int]
"""Tables by seat, players who sit out, and within how many tables no exchange betters the round."""


def _tables(request: Request, field: Field) -> Found:
    planned, fixed, size = plan(len(field.entrants), request.size, request.allowed), request.given, request.size
    out, sizes = sitting_out(field, planned.byes), planned.sizes
    rest = without(field, out)
    chance = Chance(b"seats" + request.seed)
    if request.wishes.leaders_together and sizes:
        first = leaders(rest, sizes[0])
        rest, sizes = without(rest, first), sizes[1:]
        fixed = (*fixed, seat([entrant.id for entrant in first], field.encounters, chance))
    tables = seated(rest, sizes, size, request.seed)
    found = tuple(seat(table, field.encounters, chance) for table in tables)
    window = len(found) if len(rest.entrants) <= ANNEALED_UP_TO else NEIGHBOURS
    return (*fixed, *found), tuple(entrant.id for entrant in out), window


def _pairs(request: Request, field: Field) -> Found:
    tables, out = matched(field)
    return (*request.given, *tables), out, 0


def _dutch(request: Request, field: Field) -> Found:
    drawn = Chance(b"colour" + request.seed).below(2) == 0
    white_first = drawn if not request.history.rounds else is_first_player_white(request.history)
    tables, out = dutch(field, request.history, request.rounds, white_first=white_first)
    return (*request.given, *tables), out, 0


ENGINES: Mapping[str, Callable[[Request, Field], Found]] = {TABLES: _tables, FAST: _pairs, DUTCH: _dutch}
