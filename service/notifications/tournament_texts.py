"""The kinds of notices about tournaments, and their texts.

A notice keeps the accounts of the people that it names, and not their names: those are looked up whenever it is put
into words, so that the name of a deleted account is gone everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from events.table.calendar import duration
from rules.texts import Text, clauses, one_by_one, say, say_many

ROUND_PUBLISHED, ROUND_ENDING, STAFF_NEEDED = "round_published", "round_ending", "staff_needed"
ANNOUNCEMENT, RULING, RULING_REVERSED, WITHDRAWN = "announcement", "ruling", "ruling_reversed", "withdrawn"
STARTED, CANCELLED, FINISHED = "tournament_started", "tournament_cancelled", "tournament_finished"
INVITED, SUBSTITUTE_ASKED, SUBSTITUTED = "tournament_invited", "substitute_asked", "substituted"

ABOUT_TOURNAMENTS = (
    ROUND_PUBLISHED,
    ROUND_ENDING,
    ANNOUNCEMENT,
    RULING,
    RULING_REVERSED,
    INVITED,
    SUBSTITUTE_ASKED,
    SUBSTITUTED,
    STARTED,
    CANCELLED,
    FINISHED,
    WITHDRAWN,
    STAFF_NEEDED,
)

NO_SHOW, SLOW, NO_ROUND, CALLED, NO_SUBSTITUTE = "no_show", "slow", "no_round", "called", "no_substitute"
"""Why the staff of a tournament is needed: a player did not come, tables are not done, a round cannot be drawn, a
player asks for a ruling, an account that was asked does not play for a player."""

Value = str | int | bool | Text
Names = Mapping[str, str]
"""From accounts to names; an account that is not there has none any more."""

UNNAMED = say("a player without an account")
OUR_REASONS = (say("too few players"), say("its organiser has left"))
"""Why the service cancels a tournament by itself. Reasons are stored in English."""


def tournament_sentence(kind: str, values: Mapping[str, Value], people: Sequence[str], names: Names) -> Text:
    """A notice about a tournament in words. Tables are counted from 1 where people read."""
    title, round = values["title"], values.get("round", 0)
    match kind:
        case "round_published":
            return clauses(
                [
                    say("round {round} of {tournament} is drawn", round=round, tournament=title),
                    *_seat(values, people, names),
                ]
            )
        case "round_ending":
            return say(
                "{time} left in round {round} of {tournament}: table {table} is not done",
                time=duration(_number(values["left_ms"])),
                round=round,
                tournament=title,
                table=_table(values),
            )
        case "announcement":
            return say("{tournament}: {text}", tournament=title, text=values["text"])
        case "ruling" | "ruling_reversed":
            return _ruling(kind == RULING, values)
        case "tournament_invited":
            [host] = _named(people, names, 1)
            return say("{player} invites you to {tournament}", player=host, tournament=title)
        case "substitute_asked":
            host, player = _named(people, names, 2)
            return say(
                "{host} asks you to play for {player} in {tournament} from now on",
                host=host,
                player=player,
                tournament=title,
            )
        case "substituted":
            [substitute] = _named(people, names, 1)
            return say("{player} plays for you in {tournament} from now on", player=substitute, tournament=title)
        case "tournament_started":
            return say_many(
                "{tournament} begins with {count} player",
                "{tournament} begins with {count} players",
                _number(values["players"]),
                tournament=title,
            )
        case "tournament_cancelled":
            return say("{tournament} is cancelled: {reason}", tournament=title, reason=_in_words(values["reason"]))
        case "tournament_finished" if values.get("place"):
            return say(
                "{tournament} is over: you have place {place} of {players}",
                tournament=title,
                place=values["place"],
                players=values["players"],
            )
        case "tournament_finished":
            return say("{tournament} is over", tournament=title)
        case "withdrawn" if values.get("absences"):
            return say_many(
                "you are withdrawn from {tournament}: you did not come to {count} round in a row",
                "you are withdrawn from {tournament}: you did not come to {count} rounds in a row",
                _number(values["absences"]),
                tournament=title,
            )
        case "withdrawn":
            return say("you are withdrawn from {tournament} by its staff", tournament=title)
        case "staff_needed" if values["about"] == NO_SUBSTITUTE:
            return _no_substitute(values, people, names)
        case "staff_needed":
            return _staff_needed(values)
    raise ValueError(f"there are no notices of the kind {kind}")


def _seat(values: Mapping[str, Value], people: Sequence[str], names: Names) -> list[Text]:
    """Where a player sits in a round, with whom and when."""
    begins = say("it begins at {moment}", moment=moment(_number(values["starts_at"])))
    if "table" not in values:
        return [say("you sit out"), begins]
    others = one_by_one(names.get(account, UNNAMED) for account in people)
    return [say("you play at table {table} with {players}", table=_table(values), players=others), begins]


def _named(people: Sequence[str], names: Names, count: int) -> list[Text | str]:
    """So many people; those that are not there have no names."""
    named: list[Text | str] = [names.get(account, UNNAMED) for account in people]
    return [*named, *[UNNAMED] * count][:count]


def _no_substitute(values: Mapping[str, Value], people: Sequence[str], names: Names) -> Text:
    title, (account, player) = values["title"], _named(people, names, 2)
    if values["is_declined"]:
        return say(
            "{tournament}: {account} does not want to play for {player}",
            tournament=title,
            account=account,
            player=player,
        )
    return say(
        "{tournament}: {account} has not said whether they play for {player}",
        tournament=title,
        account=account,
        player=player,
    )


def _ruling(is_made: bool, values: Mapping[str, Value]) -> Text:
    about, reason = _concern(values), values["reason"]
    if is_made:
        return say("ruling about {concern}: {reason}", concern=about, reason=reason)
    return say("a ruling about {concern} holds no more: {reason}", concern=about, reason=reason)


def _concern(values: Mapping[str, Value]) -> Text:
    title = values["title"]
    if "table" not in values:
        return say("you in {tournament}", tournament=title)
    return say(
        "table {table} in round {round} of {tournament}", table=_table(values), round=values["round"], tournament=title
    )


def _staff_needed(values: Mapping[str, Value]) -> Text:
    title, round = values["title"], values["round"]
    match values["about"]:
        case "no_show":
            return say(
                "{tournament}, round {round}, table {table}: a player did not come",
                tournament=title,
                round=round,
                table=_table(values),
            )
        case "called":
            return say(
                "{tournament}, round {round}, table {table}: a player asks for a ruling",
                tournament=title,
                round=round,
                table=_table(values),
            )
        case "slow":
            return say_many(
                "{tournament}, round {round}: {count} table is not done, and {time} is left",
                "{tournament}, round {round}: {count} tables are not done, and {time} is left",
                _number(values["tables"]),
                tournament=title,
                round=round,
                time=duration(_number(values["left_ms"])),
            )
        case "no_round":
            return say(
                "{tournament}: round {round} cannot be drawn: {reason}",
                tournament=title,
                round=round,
                reason=values["reason"],
            )
    raise ValueError(f"staff is not needed for {values['about']}")


def moment(at: int) -> Text:
    """The service does not know where a reader lives.

    >>> str(moment(1794835212480))
    '2026-11-16 13:20 UTC'
    """
    return say("{moment} UTC", moment=f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M}")


def _in_words(stored: Value) -> Value:
    return next((text for text in OUR_REASONS if str(text) == stored), stored)


def _table(values: Mapping[str, Value]) -> int:
    return _number(values["table"]) + 1


def _number(value: Value) -> int:
    assert isinstance(value, int), f"{value} is no number"
    return value
