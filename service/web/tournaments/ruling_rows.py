"""Rulings in words: what each is about, who made it and why, and whether it holds."""

from __future__ import annotations

from typing import NamedTuple

from rules.texts import Text, Value, say
from service.web.tournaments.event_frame import Frame
from service.web.tournaments.people import Names, Person
from tournaments.tournament import Ruling, Tournament

KINDS = {
    "adjudicate": say("adjudicated"),
    "replay": say("to be played again"),
    "rewind": say("rewound"),
    "adjust": say("points adjusted"),
    "penalise": say("penalised"),
    "substitute": say("a substitute is asked"),
}
"""What was decided."""


class RulingRow(NamedTuple):
    id: str
    title: Text
    kind: Text
    reason: str
    by: Person
    reversed_by: Person | None
    can_reverse: bool
    """Whether no later ruling is about the same."""


def ruling_rows(frame: Frame, limit: int = 0) -> list[RulingRow]:
    """The latest first."""
    made = list(frame.tournament.rulings.values())[::-1]
    shown = made[:limit] if limit else made
    about = {each.id: player_of(each) for each in shown}
    accounts = {account for each in shown for account in (each.by, each.reversed_by) if account}
    names = Names(frame.tournament, [player for player in about.values() if player], accounts)
    return [
        RulingRow(
            each.id,
            title_of(frame.tournament, each, names, about[each.id]),
            KINDS[each.kind],
            each.reason,
            names.account(each.by),
            names.account(each.reversed_by) if each.reversed_by else None,
            not each.reversed_by and is_last_about(made, each),
        )
        for each in shown
    ]


def is_last_about(newest_first: list[Ruling], ruling: Ruling) -> bool:
    later = newest_first[: newest_first.index(ruling)]
    return not any(other.place == ruling.place and not other.reversed_by for other in later)


def player_of(ruling: Ruling) -> str:
    """The player whom a ruling is about; empty: it is about a table."""
    if ruling.place[0] == "account":
        return ruling.place[1]
    return next((player for fact in ruling.inverse if (player := getattr(fact, "player", ""))), "")


def title_of(tournament: Tournament, ruling: Ruling, names: Names, player: str) -> Text:
    match ruling.place:
        case ("table", round, table):
            return say("Round {round}, table {table}", round=int(round), table=int(table) + 1)
    name: Value = names.player(player).name if player in tournament.participants else say("A player")
    return say("{name}", name=name)
