"""Whom a commit concerns, and what they are told of it. Tells no more than what the whole table knows.

A notice is for one account: what has happened at a table where they sit, or which they own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from events.table.facts import (
    GameAborted,
    GameStarted,
    PauseWanted,
    SeatAutomated,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SecretRevealed,
    TimeRanOut,
)
from events.table.game import Game
from rules.kernel import SPECTATOR, Player, Viewer
from service.games.representations import seat_of
from service.notifications.transitions import Transition

YOUR_TURN, WEBHOOK_DISABLED = "your_turn", "webhook_disabled"
ABOUT_GAMES = (
    YOUR_TURN,
    "game_started",
    "game_over",
    "game_aborted",
    "seat_taken",
    "seat_left",
    "seat_forfeited",
    "seat_automated",
    "time_ran_out",
    "pause_wanted",
)
KINDS = (*ABOUT_GAMES, WEBHOOK_DISABLED)


class Notice(Struct, frozen=True):
    """Something that one account is told; `id` counts the notices of that account."""

    kind: str
    text: str
    at: int
    """Milliseconds since 1970."""
    game: str | None = None
    version: int | None = None
    seat: Player | None = None
    """The seat that it is about; theirs, unless somebody else sat down or stood up."""
    webhook: str | None = None
    id: int = 0


def concerned(transition: Transition) -> list[str]:
    """The owner, and everybody who sits at the table, or did until now."""
    seats = (*(transition.before.seats.values() if transition.before else ()), *transition.after.seats.values())
    return sorted({who for who in (transition.after.owner, *seats) if who})


def viewer_of(transition: Transition, account: str) -> Viewer:
    """The viewer that an account sees the commit as, as in a stream: its seat, or the seat that it has just left."""
    before, after = transition.before, transition.after
    return seat_of(after, account) or (seat_of(before, account) if before else None) or SPECTATOR


def notices(transition: Transition, who: str) -> list[Notice]:
    """What somebody who is concerned is told of a commit, in order."""
    about: Any = {
        "at": transition.commit.header.at,
        "game": transition.after.id,
        "version": transition.commit.header.version,
    }
    return [Notice(kind, text, seat=seat, **about) for kind, seat, text in _told(transition, who)]


def disabled(hook: str, why: str, now: int) -> Notice:
    return Notice(WEBHOOK_DISABLED, f"the webhook {hook} is disabled: {why}", at=now, webhook=hook)


def _told(transition: Transition, who: str) -> Iterator[tuple[str, Player | None, str]]:
    after, own = transition.after, seat_of(transition.after, who)
    for fact in transition.commit.facts:
        match fact:
            case SeatTaken(seat, sitting):
                yield "seat_taken", seat, f"{_whoever(sitting, who)} taken the seat {seat}; {_free(after)}"
            case SeatLeft(seat, sitting):
                yield "seat_left", seat, f"{_whoever(sitting, who)} left the seat {seat}; {_free(after)}"
            case GameStarted():
                yield "game_started", own, "the game has begun" + (f"; you are {own}" if own else "")
            case GameAborted():
                yield "game_aborted", own, "the table was cleared before the game began"
            case SeatForfeited(seat):
                yield "seat_forfeited", seat, f"the seat {seat} is out of the running"
            case SeatAutomated(seat) if seat == own:
                yield "seat_automated", seat, f"nobody waits for you as {seat} any more, until you come back"
            case TimeRanOut(seat) if seat == own:
                yield "time_ran_out", seat, f"you had no time left for a decision as {seat}"
            case PauseWanted(seat) if seat != own:
                yield "pause_wanted", seat, f"{seat} would like a pause; there is one when everybody would"
            case SecretRevealed():
                yield "game_over", own, f"the game is over{_result(after, own)}"
    if own and is_asked_anew(transition.before, after, own):
        yield YOUR_TURN, own, f"it is your turn as {own}: {after.state.agenda[0].question(after.state, own)}"


def is_asked_anew(before: Game | None, after: Game, player: Player) -> bool:
    """Whether a decision waits for this player that did not wait before; not if somebody else answers for them."""
    if player not in after.asked or player in after.unattended:
        return False
    return before is None or before.asked.get(player) != after.asked[player] or player in before.unattended


def _whoever(sitting: str, who: str) -> str:
    return "you have" if sitting == who else "somebody has"


def _free(game: Game) -> str:
    match len(game.players) - len(game.seats):
        case 0:
            return "all seats are taken"
        case 1:
            return "one seat is free"
        case free:
            return f"{free} seats are free"


def _result(game: Game, own: Player | None) -> str:
    if own is None:
        return ""
    points, place = game.state.board.scores[own], game.places[own]
    return f"; you have {points} points, which is place {place} of {len(game.players)}"
