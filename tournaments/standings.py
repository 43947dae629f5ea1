"""Standings: players by points, then by tie-break after tie-break. Ranked by whole numbers alone. Pure.

>>> from tournaments.history import History, Player
>>> from tournaments.results import Result, Round, Table
>>> history = History((Player("ana", 1), Player("ben", 2)), (Round(2, (Table(("ana", "ben"), Result((2, 1))),)),))
>>> [(row.place, row.player, row.shown) for row in standings(history, ("PTS", "WIN"))]
[(1, 'ben', ('24', '1')), (2, 'ana', ('0', '0'))]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from rules.errors import Unreadable
from rules.texts import one_by_one, say
from tournaments.direct_encounter import direct_encounter
from tournaments.history import History
from tournaments.points import UNIT, shown_points
from tournaments.scorecards import scorecards
from tournaments.tiebreaks import TIEBREAKS, Sheet

LOT = "LOT"
DIRECT = {"DE": True, "DEm": False}
"""Whether a player can come first who has not met all others."""


class Row(Struct, frozen=True):
    """A player in the standings."""

    place: int
    """Players who are tied to the end have the same."""
    player: str
    points: int
    values: tuple[int, ...]
    """Of each tie-break: more is better. A direct encounter is the order among the tied, the first highest."""
    shown: tuple[str, ...]
    decided_by: str = ""
    """The tie-break that put the player behind the one before; empty if none did."""


def check_tiebreaks(names: Sequence[str]) -> None:
    """Refuses a list that is not one."""
    if unknown := [name for name in names if name not in TIEBREAKS]:
        raise Unreadable(
            say("there is no tie-break {name}: choose from {names}", name=unknown[0], names=one_by_one(TIEBREAKS))
        )
    if not names or names[0] not in ("PTS", "TP") or len(set(names)) != len(names):
        raise Unreadable(say("tie-breaks begin with the points, and each stands there once"))


def standings(history: History, tiebreaks: Sequence[str], lots: Mapping[str, int] | None = None) -> tuple[Row, ...]:
    """All players from the first to the last. Without lots, players who are tied to the end share a place."""
    cards = scorecards(history)
    sheet = Sheet(cards, {p.id: p.rating for p in history.players}, {p.id: p.number for p in history.players})
    groups: list[list[str]] = [list(cards)]
    columns: list[Mapping[str, int]] = []
    decided: dict[str, str] = {}
    for name in tiebreaks:
        if name in DIRECT:
            parts = [direct_encounter(group, cards, may_lead=DIRECT[name]) for group in groups]
            columns.append(_encounter_values(parts))
        else:
            compute = TIEBREAKS[name].values
            values = compute(sheet) if compute else {player: -lot for player, lot in (lots or {}).items()}
            columns.append(values)
            parts = [_split(group, values) for group in groups]
        for split in parts:
            decided |= {player: name for group in split[1:] for player in group}
        groups = [group for split in parts for group in split]
    return _rows(groups, tiebreaks, columns, sheet.totals, decided)


def _split(group: list[str], values: Mapping[str, int]) -> list[list[str]]:
    if len(group) == 1:
        return [group]
    found: dict[int, list[str]] = {}
    for player in group:
        found.setdefault(values.get(player, 0), []).append(player)
    return [found[value] for value in sorted(found, reverse=True)]


def _encounter_values(parts: Iterable[list[list[str]]]) -> dict[str, int]:
    return {p: len(split) - index for split in parts for index, group in enumerate(split) for p in group}


def _rows(
    groups: Iterable[list[str]],
    names: Sequence[str],
    columns: Sequence[Mapping[str, int]],
    totals: Mapping[str, int],
    decided: Mapping[str, str],
) -> tuple[Row, ...]:
    rows: list[Row] = []
    for group in groups:
        place = len(rows) + 1
        for index, player in enumerate(group):
            values = tuple([column.get(player, 0) for column in columns])
            shown = tuple([shown_value(name, value) for name, value in zip(names, values, strict=True)])
            by = decided.get(player, "") if index == 0 else ""
            rows.append(Row(place, player, totals[player], values, shown, by))
    return tuple(rows)


def shown_value(name: str, value: int) -> str:
    """
    >>> shown_value("PTS", 750), shown_value("VPS", 1_045_999), shown_value("WIN", 3)
    ('12½', '1.05', '3')
    """
    scale = TIEBREAKS[name].scale
    if scale == UNIT:
        return shown_points(value)
    if name == LOT:
        return str(-value)
    if scale == 1 or not value % scale:
        return str(value // scale)
    hundredths = (2 * abs(value) * 100 + scale) // (2 * scale)
    return f"{'-' if value < 0 else ''}{hundredths // 100}.{hundredths % 100:02}"


def drawn_lots(players: Iterable[str], seed: bytes) -> dict[str, int]:
    """A lot for everybody: 1 is the best. A player who enters later changes the order of no others.

    >>> drawn_lots(["ana", "ben", "cid"], b"seed"), drawn_lots(["ana", "ben"], b"seed")
    ({'cid': 1, 'ana': 2, 'ben': 3}, {'ana': 1, 'ben': 2})
    """
    drawn = sorted(players, key=lambda player: sha256(b"lot" + seed + player.encode()).digest())
    return {player: number for number, player in enumerate(drawn, start=1)}
