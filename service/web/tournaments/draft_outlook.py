"""What follows from a draft: tables for so many players, repeated meetings, rounds, points, time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from events.table.time_control import BOT, FORFEIT, TimeControl
from rules.catalogue import game_named
from rules.texts import Text, say, say_many
from service.web.times import span
from service.web.tournaments.draft import Draft
from tournaments.bounds import recommended_rounds, repeat_free_rounds, repeats_of_plan, warnings
from tournaments.history import BYE_WIN
from tournaments.options import Options
from tournaments.pairing.sizes import Plan, explained, plan
from tournaments.points import place_points, shown_points

MOST_DRAWN = 9
"""So many tables are drawn."""


class Way(NamedTuple):
    """A way to split the players into tables."""

    value: str
    title: Text
    about: Text
    is_chosen: bool
    drawn: tuple[int, ...]
    size: int
    more: int
    byes: int


def outlook(draft: Draft, options: Options) -> dict[str, Any]:
    sizes = [options.size, *sorted(set(options.sizes) - {options.size})]
    return {
        "ways": list(ways(draft, options)),
        "bound": bound(draft),
        "warnings": warnings(draft.players, draft.size, draft.rounds),
        "round_choices": round_choices(draft),
        "recommended": recommended_rounds(draft.players, draft.size),
        "time_words": time_words(options.time),
        "place_points": [(size, [shown_points(each) for each in place_points(options.points, size)]) for size in sizes],
        "most_places": range(1, max(sizes) + 1),
        "late": late(options),
    }


def ways(draft: Draft, options: Options) -> Iterator[Way]:
    """Different ones, each once; the chosen one where two come to the same."""
    below, above = draft.size - 1, draft.size + 1
    legal = game_named(options.game).players
    candidates: tuple[tuple[int, ...], ...] = ((below,), (above,), (below, above), ())
    found: dict[Plan, tuple[int, ...]] = {}
    for others in candidates:
        if all(each in legal and each > 1 for each in others) and (draft.size > 2 or not others):
            planned = plan(draft.players, draft.size, others)
            if planned not in found or others == draft.others:
                found[planned] = others
    chosen = plan(draft.players, draft.size, draft.others)
    for planned, others in found.items():
        yield Way(
            "-".join(map(str, others)),
            explained(planned),
            about(planned, options),
            planned == chosen,
            planned.sizes[-MOST_DRAWN:],
            draft.size,
            max(0, len(planned.sizes) - MOST_DRAWN),
            planned.byes,
        )


def about(planned: Plan, options: Options) -> Text:
    if planned.byes:
        return say("a bye counts as a win, and comes to each once") if options.bye == BYE_WIN else say("by turns")
    if set(planned.sizes) <= {options.size}:
        return say("nobody sits out")
    return say("nobody sits out; other tables come to each by turns")


def bound(draft: Draft) -> tuple[Text, Text]:
    """How many pairs must meet again, and how many rounds could be without."""
    free = repeat_free_rounds(draft.players, draft.size)
    repeats = repeats_of_plan(draft.players, draft.size, draft.rounds)
    told = say_many("{count} round could be free of them", "{count} rounds could be free of them", free)
    rest = say("{rounds}; you play {played}. Every draw comes with its certificate.", rounds=told, played=draft.rounds)
    if not repeats:
        return say("Nobody has to meet twice."), rest
    return say_many("At least {count} pair meets twice.", "At least {count} pairs meet twice.", repeats), rest


def round_choices(draft: Draft) -> list[int]:
    """Four, around what was chosen."""
    first = max(1, draft.rounds - 1)
    return list(range(first, first + 4))


def time_words(control: TimeControl | None) -> list[Text]:
    if control is None:
        return [say("Nobody's time runs out.")]
    told = []
    if control.has_bank:
        told.append(say("Each player has {time} for the game.", time=span(control.bank_ms)))
    if control.increment_ms:
        told.append(say("Every decision brings {time} back.", time=span(control.increment_ms)))
    if control.limit_ms:
        told.append(say("A decision takes {time} at most.", time=span(control.limit_ms)))
    told.append(say("A player whose time is up is played by defaults for that decision."))
    if control.strikes:
        told.append(FATES.get(control.policy, FATES[""]))
    return told


FATES = {
    BOT: say("After several times in a row a bot plays the seat."),
    FORFEIT: say("After several times in a row the seat is given up."),
    "": say("After several times in a row defaults are taken at once."),
}


def late(options: Options) -> Text:
    if not options.entry.late_until:
        return say("Nobody enters after the start.")
    return say("Players may enter late, up to round {round}.", round=options.entry.late_until)
