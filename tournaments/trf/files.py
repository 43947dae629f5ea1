"""A file of a history with two players a table, and a history of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rules.errors import Unreadable
from rules.texts import say
from tournaments.history import BYE_HALF, BYE_WIN, BYE_ZERO, Adjustment, History, Player, is_first_player_white
from tournaments.points import CHESS, UNIT, PointScheme
from tournaments.results import ABSENT, BYE, FULL_BYE, HALF_BYE, ZERO_BYE, Result, Round, Table
from tournaments.scorecards import FORFEIT_LOSS, FORFEIT_WIN, PENDING, Entry, Scorecard, scorecards
from tournaments.standings import standings
from tournaments.trf.records import Game, Line, PlayerLine, Report
from tournaments.wishes import Pair

UNPAIRED = {BYE: "U", HALF_BYE: "H", FULL_BYE: "F", ZERO_BYE: "Z", ABSENT: "Z"}
BYES = {"U": BYE, "H": HALF_BYE, "F": FULL_BYE, "Z": ZERO_BYE, "+": FULL_BYE, "-": ABSENT, " ": ABSENT}
WON, DRAWN, LOST = "1W", "=D", "0L"
FIDE_TYPE = "FIDE_DUTCH_2026"
LAST_ROUND = 999


class Event(Struct, frozen=True):
    """What a file tells beside players and results."""

    title: str = ""
    rounds: int = 0
    names: Mapping[str, str] = {}
    """What players are called; their ids, if nothing else is known."""
    tiebreaks: Sequence[str] = ()
    forbidden: tuple[Pair, ...] = ()
    is_white_first: bool = True
    """The initial colour, as long as no round tells it."""
    absent: tuple[str, ...] = ()
    """Players who are not to be paired in the next round."""


def report_of(history: History, event: Event) -> Report:
    """The file. Points are those of chess, as the results say: a win, a draw, a loss."""
    chess = _as_chess(history)
    cards, numbers = scorecards(chess), {player.id: player.number for player in history.players}
    ranks = {row.player: row.place for row in standings(chess, ("PTS",))}
    ordered = sorted(history.players, key=lambda player: player.number)
    head = [
        _tag("012", event.title),
        _tag("062", str(len(ordered))),
        _tag("092", "Individual: Swiss-System (Dutch)"),
        _tag("142", str(event.rounds or len(history.rounds))),
        _tag("152", "W" if _is_white_first(history, event) else "B"),
        _tag("192", FIDE_TYPE),
        *([_tag("162", _points(history.bye))] if history.bye != BYE_WIN else []),
        *([_tag("202", ",".join(event.tiebreaks))] if event.tiebreaks else []),
    ]
    lines = [_player(player, cards[player.id], numbers, ranks, event) for player in ordered]
    tail = [*_forbidden(event, numbers), *_adjustments(chess, numbers)]
    return Report((*head, *lines, *tail))


def _is_white_first(history: History, event: Event) -> bool:
    return is_first_player_white(history) if history.rounds else event.is_white_first


def _as_chess(history: History) -> History:
    """Rulings about points of another kind stay out of the file."""
    adjustments = history.adjustments if history.points.preset == CHESS else ()
    return replace(history, points=PointScheme(CHESS), adjustments=adjustments)


def _player(
    player: Player, card: Scorecard, numbers: Mapping[str, int], ranks: Mapping[str, int], event: Event
) -> PlayerLine:
    colours = _colours(card, player.id)
    games = [_game(entry, numbers, colour) for entry, colour in zip(card.entries, colours, strict=True)]
    if player.id in event.absent:
        games.append(Game(0, "-", "Z"))
    name, points = event.names.get(player.id, player.id), _decimal(card.total)
    return PlayerLine(player.number, name, player.rating, points, ranks[player.id], games=tuple(games))


def _colours(card: Scorecard, player: str) -> Iterator[str]:
    for entry in card.entries:
        yield ("b" if entry.is_last_seat else "w") if entry.opponents else "-"


def _game(entry: Entry, numbers: Mapping[str, int], colour: str) -> Game:
    if not entry.opponents:
        return Game(0, "-", UNPAIRED.get(entry.kind, " "))
    [opponent] = entry.opponents
    if entry.kind in (FORFEIT_WIN, FORFEIT_LOSS):
        return Game(numbers[opponent], colour, "+" if entry.kind == FORFEIT_WIN else "-")
    if entry.kind == PENDING:
        return Game(numbers[opponent], colour, " ")
    return Game(numbers[opponent], colour, "1" if entry.beaten else "=" if entry.tied else "0")


def _tag(code: str, value: str) -> Line:
    return Line(code, f" {value}")


def _points(bye: str) -> str:
    worth = {BYE_HALF: " 0.5", BYE_ZERO: " 0.0"}[bye]
    return f" P{worth}"


def _decimal(units: int) -> str:
    """
    >>> _decimal(150), _decimal(-30)
    ('2.5', '-0.5')
    """
    halves = units * 2 // UNIT
    sign = "-" if halves < 0 else ""
    return f"{sign}{abs(halves) // 2}.{abs(halves) % 2 * 5}"


def _forbidden(event: Event, numbers: Mapping[str, int]) -> Iterator[Line]:
    for one, other in event.forbidden:
        yield _tag("260", f"001 {max(1, event.rounds):03} {numbers[one]:4} {numbers[other]:4}")


def _adjustments(history: History, numbers: Mapping[str, int]) -> Iterator[Line]:
    for made in history.adjustments:
        yield _tag("299", f"         {_decimal(made.units):>4}  {made.round:03} {numbers[made.player]:4}")


# Reading


def history_of(report: Report) -> tuple[History, Event]:
    """The history that a file tells. Players are known by their starting numbers."""
    lines = report.players
    numbers = {line.number: str(line.number) for line in lines}
    if len(numbers) != len(lines):
        raise Unreadable(say("two players of the file have the same number"))
    if any(game.opponent and game.opponent not in numbers for line in lines for game in line.games):
        raise Unreadable(say("a player of the file has an opponent who is none"))
    played = max((len(line.games) for line in lines), default=0)
    rounds = tuple(_round(lines, index) for index in range(played))
    players = tuple(Player(numbers[line.number], line.number, line.rating) for line in lines)
    history = History(players, rounds, PointScheme(CHESS), _bye(report), tuple(_read_adjustments(report)))
    rounds_in_all = report.tag("142", "XXR")
    event = Event(
        report.tag("012"),
        int(rounds_in_all) if rounds_in_all.isdigit() else played,
        {numbers[line.number]: line.name for line in lines},
        tuple(code for code in report.tag("202").split(",") if code),
        tuple(_read_forbidden(report)),
        not (report.tag("152").upper() == "B" or "black1" in report.tag("XXC").split()),
    )
    return history, event


def _round(lines: Sequence[PlayerLine], index: int) -> Round:
    games = {line.number: line.games[index] for line in lines if index < len(line.games)}
    tables, unpaired = [], {}
    for number, game in games.items():
        if not game.opponent:
            unpaired[str(number)] = BYES.get(game.result, ABSENT)
            continue
        answer = games.get(game.opponent)
        if answer is None or answer.opponent != number or {game.colour, answer.colour} not in ({"w", "b"}, {"-"}):
            raise Unreadable(say("players {one} and {other} tell different games", one=number, other=game.opponent))
        if game.colour == "w" or (game.colour == "-" and number < game.opponent):
            tables.append(Table((str(number), str(game.opponent)), _result(game.result, answer.result)))
    return Round(2, tuple(tables), unpaired)


def _result(white: str, black: str) -> Result | None:
    if white == black == " ":
        return None
    if white in "+-" and black in "+-":
        places = (1, 2) if white == "+" else (2, 1) if black == "+" else (1, 1)
        return Result(places, absent=tuple(seat for seat, sign in enumerate((white, black)) if sign == "-"))
    for mine, theirs, places in ((WON, LOST, (1, 2)), (DRAWN, DRAWN, (1, 1)), (LOST, WON, (2, 1))):
        if white in mine and black in theirs:
            return Result(places)
    raise Unreadable(say("{one} and {other} are no results of one game", one=white, other=black))


def _bye(report: Report) -> str:
    values = {"0.5": BYE_HALF, "0.0": BYE_ZERO}
    for line in report.tags("162"):
        if "P" in line:
            return values.get(line.partition("P")[2].strip().split(" ")[0], BYE_WIN)
    return BYE_WIN


def _read_forbidden(report: Report) -> Iterator[Pair]:
    for line in report.tags("260"):
        yield from _pairs(line.split()[2:])
    for line in report.tags("XXP"):
        yield from _pairs(line.split())


def _pairs(numbers: Sequence[str]) -> Iterator[Pair]:
    named = [str(int(number)) for number in numbers if number.isdigit()]
    for index, one in enumerate(named):
        for other in named[index + 1 :]:
            yield (one, other) if one < other else (other, one)


def _read_adjustments(report: Report) -> Iterator[Adjustment]:
    """Penalties and bonuses; other abnormal points are kept in the file, and not counted."""
    for line in report.tags("299"):
        if line[:1].strip():
            continue
        points, round, *players = line[9:].split()
        whole, _, half = points.lstrip("-").partition(".")
        units = int(whole or 0) * UNIT + (UNIT // 2 if half.startswith("5") else 0)
        for player in players:
            yield Adjustment(str(int(player)), -units if points.startswith("-") else units, int(round))
