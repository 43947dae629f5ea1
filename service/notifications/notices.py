"""Notices: the messages of a commit to the accounts that it concerns, and their texts.

An account gets notices about the tables where it has a seat, and about those that it owns. They tell no more than the
whole table knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from events.table.facts import (
    GameAborted,
    GameStarted,
    PauseWanted,
    PlayerRemoved,
    SeatAutomated,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SecretRevealed,
    TakeBackWanted,
    TimeRanOut,
)
from events.table.game import Game
from rules.kernel import SPECTATOR, Player, Viewer
from rules.texts import Text, clauses, say, say_many
from service.games.access import seat_of
from service.language import rendered
from service.notifications.transitions import Transition

YOUR_TURN, WEBHOOK_DISABLED = "your_turn", "webhook_disabled"
ABOUT_GAMES = (
    YOUR_TURN,
    "game_started",
    "game_over",
    "game_aborted",
    "seat_taken",
    "seat_left",
    "player_removed",
    "seat_forfeited",
    "seat_automated",
    "time_ran_out",
    "pause_wanted",
    "take_back_wanted",
)
KINDS = (*ABOUT_GAMES, WEBHOOK_DISABLED)

FAILING = say("nothing has arrived for too long")
TOO_MANY = say("too many deliveries wait for it")
BY_OWNER = say("by its owner")
"""Why a webhook is disabled."""

Value = str | int | bool | Text


class Notice(Struct, frozen=True, omit_defaults=True):
    """A message to one account. It is stored as its kind and its values, and put into words when it is read."""

    kind: str
    at: int
    """Milliseconds since 1970."""
    values: Mapping[str, Value] = {}
    """The values that its text needs, beside the fields below."""
    game: str | None = None
    version: int | None = None
    seat: Player | None = None
    """The seat that it is about: that of the account, unless another player took or left one."""
    webhook: str | None = None
    id: int = 0
    """Counts the notices of the account."""
    stored_text: str = field(default="", name="text")
    """Of a notice from before values were stored."""

    @property
    def text(self) -> str:
        return self.stored_text or rendered(sentence(self))


def concerned(transition: Transition) -> list[str]:
    """The accounts that a commit concerns: the owner of the table, and every player before or after it."""
    before, after = transition.before, transition.after
    seated = (*(before.seats.values() if before else ()), *after.seats.values())
    return sorted({account for account in (after.owner, *seated) if account})


def viewer_of(transition: Transition, account: str) -> Viewer:
    """The viewer that an account sees the commit as, as in a stream: its seat, or the seat that it has just left."""
    before, after = transition.before, transition.after
    return seat_of(after, account) or (seat_of(before, account) if before else None) or SPECTATOR


def notices(transition: Transition, account: str) -> list[Notice]:
    """The notices of a commit for an account that it concerns, in order."""
    header = transition.commit.header
    return [
        Notice(kind, header.at, values, game=header.game, version=header.version, seat=seat)
        for kind, seat, values in _from_transition(transition, account)
    ]


def webhook_disabled(hook: str, reason: Text, now: int) -> Notice:
    return Notice(WEBHOOK_DISABLED, now, {"reason": str(reason)}, webhook=hook)


def representation(notice: Notice) -> dict[str, Any]:
    """The notice for a client."""
    return {
        "kind": notice.kind,
        "text": notice.text,
        "at": notice.at,
        "game": notice.game,
        "version": notice.version,
        "seat": notice.seat,
        "webhook": notice.webhook,
        "id": notice.id,
    }


def is_asked_anew(before: Game | None, after: Game, player: Player) -> bool:
    """Whether a decision waits for this player that did not wait before; not if the seat is played automatically."""
    if player not in after.asked or player in after.unattended:
        return False
    return before is None or before.asked.get(player) != after.asked[player] or player in before.unattended


def _from_transition(transition: Transition, account: str) -> Iterator[tuple[str, Player | None, dict[str, Value]]]:
    """The kind, seat and values of each notice."""
    after, own = transition.after, seat_of(transition.after, account)
    for fact in transition.commit.facts:
        match fact:
            case SeatTaken(seat, player):
                yield "seat_taken", seat, {"yours": player == account, "free": _free_seats(after)}
            case PlayerRemoved(seat, player):
                yield "player_removed", seat, {"yours": player == account, "free": _free_seats(after)}
            case SeatLeft(seat, player):
                yield "seat_left", seat, {"yours": player == account, "free": _free_seats(after)}
            case GameStarted():
                yield "game_started", own, {}
            case GameAborted():
                yield "game_aborted", own, {}
            case SeatForfeited(seat):
                yield "seat_forfeited", seat, {}
            case SeatAutomated(seat) if seat == own:
                yield "seat_automated", seat, {}
            case TimeRanOut(seat) if seat == own:
                yield "time_ran_out", seat, {}
            case PauseWanted(seat) if seat != own:
                yield "pause_wanted", seat, {}
            case TakeBackWanted(seat, of) if seat == of != own:
                yield "take_back_wanted", seat, {}
            case SecretRevealed():
                yield "game_over", own, _result(after, own)
    if own and is_asked_anew(transition.before, after, own):
        yield YOUR_TURN, own, {"question": after.state.agenda[0].question(after.state, own)}


def _free_seats(game: Game) -> int:
    return len(game.players) - len(game.seats)


def _result(game: Game, own: Player | None) -> dict[str, Value]:
    if own is None:
        return {}
    return {"points": game.state.board.scores[own], "place": game.places[own], "players": len(game.players)}


# Texts


def sentence(notice: Notice) -> Text:
    """The notice in words."""
    seat, values = notice.seat or "", notice.values
    match notice.kind:
        case "seat_taken" if values["yours"]:
            return clauses([say("you have taken the seat {seat}", seat=seat), _free(values["free"])])
        case "seat_taken":
            return clauses([say("a player has taken the seat {seat}", seat=seat), _free(values["free"])])
        case "seat_left" if values["yours"]:
            return clauses([say("you have left the seat {seat}", seat=seat), _free(values["free"])])
        case "seat_left":
            return clauses([say("a player has left the seat {seat}", seat=seat), _free(values["free"])])
        case "player_removed" if values["yours"]:
            return clauses([say("the owner has removed you from the seat {seat}", seat=seat), _free(values["free"])])
        case "player_removed":
            return clauses([say("the owner has removed the player {seat}", seat=seat), _free(values["free"])])
        case "game_started" if seat:
            return say("the game has begun; you are {seat}", seat=seat)
        case "game_started":
            return say("the game has begun")
        case "game_aborted":
            return say("the table was cleared before the game began")
        case "seat_forfeited":
            return say("the seat {seat} is out of the running", seat=seat)
        case "seat_automated":
            return say("your seat {seat} is played automatically until you come back", seat=seat)
        case "time_ran_out":
            return say("you had no time left for a decision as {seat}", seat=seat)
        case "pause_wanted":
            return say("{seat} would like a pause; the clocks stop when all players agree", seat=seat)
        case "take_back_wanted":
            return say("{seat} would like to take the last move back; all players must agree", seat=seat)
        case "game_over" if seat:
            return clauses([say("the game is over"), _place(values)])
        case "game_over":
            return say("the game is over")
        case "your_turn":
            return say("it is your turn as {seat}: {question}", seat=seat, question=values["question"])
        case "webhook_disabled":
            return say(
                "the webhook {webhook} is disabled: {reason}",
                webhook=notice.webhook or "",
                reason=disabled_because(values["reason"]),
            )
    raise ValueError(f"there are no notices of the kind {notice.kind}")


def _free(seats: Value) -> Text:
    match seats:
        case 0:
            return say("all seats are taken")
        case 1:
            return say("one seat is free")
    assert isinstance(seats, int), f"{seats} is no number"
    return say_many("{count} seat is free", "{count} seats are free", seats)


def _place(values: Mapping[str, Value]) -> Text:
    points = values["points"]
    assert isinstance(points, int), f"{points} is no number"
    return say_many(
        "you have {count} point, which is place {place} of {players}",
        "you have {count} points, which is place {place} of {players}",
        points,
        place=values["place"],
        players=values["players"],
    )


def disabled_because(stored: Value) -> Value:
    """The reason for which a webhook is disabled. Reasons are stored in English."""
    return next((text for text in (FAILING, TOO_MANY, BY_OWNER) if str(text) == stored), stored)
