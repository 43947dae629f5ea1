"""Notices: the messages of a commit to the accounts that it concerns, and their texts.

An account gets notices about the tables where it has a seat, and about those that it owns. They tell no more than the
whole table knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from events.table.calendar import duration
from events.table.facts import (
    BotSeated,
    GameAborted,
    GameStarted,
    PauseWanted,
    PlayerRemoved,
    SeatAutomated,
    SeatForfeited,
    SeatLeft,
    SeatTaken,
    SecretRevealed,
    TableFact,
    TakeBackWanted,
    TimeRanOut,
)
from events.table.game import Game
from rules.kernel import SPECTATOR, Player, Viewer
from rules.texts import Text, clauses, say, say_many
from service.games.access import seat_of
from service.language import rendered
from service.notifications.tournament_texts import ABOUT_TOURNAMENTS, Names, Value, tournament_sentence
from service.notifications.transitions import Transition

YOUR_TURN, REMINDER, PAIRING, WEBHOOK_DISABLED = "your_turn", "reminder", "pairing", "webhook_disabled"
REMATCH, COMPLAINT_DECIDED = "rematch", "complaint_decided"
ABOUT_GAMES = (
    YOUR_TURN,
    REMINDER,
    PAIRING,
    REMATCH,
    COMPLAINT_DECIDED,
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
KINDS = (*ABOUT_GAMES, *ABOUT_TOURNAMENTS, WEBHOOK_DISABLED)

FAILING = say("nothing has arrived for too long")
TOO_MANY = say("too many deliveries wait for it")
BY_OWNER = say("by its owner")
"""Why a webhook is disabled."""

NO_NAMES: Names = {}


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
    tournament: str | None = None
    people: tuple[str, ...] = ()
    """Accounts that its text names."""
    id: int = 0
    """Counts the notices of the account."""
    stored_text: str = field(default="", name="text")
    """Of a notice from before values were stored."""

    @property
    def text(self) -> str:
        return self.text_with(NO_NAMES)

    def text_with(self, names: Names) -> str:
        """Its text, with the names of the people that it is about."""
        return self.stored_text or rendered(sentence(self, names))


def concerned(transition: Transition) -> list[str]:
    """The accounts that a commit concerns: the owner of the table, and every player before or after it."""
    before, after = transition.before, transition.after
    seated = (*(before.seats.values() if before else ()), *after.seats.values())
    return sorted({account for account in (after.owner, *seated) if account})


TOLD = frozenset(
    {
        SeatTaken,
        BotSeated,
        PlayerRemoved,
        SeatLeft,
        GameStarted,
        GameAborted,
        SeatForfeited,
        SeatAutomated,
        TimeRanOut,
        PauseWanted,
        TakeBackWanted,
        SecretRevealed,
    }
)
"""Facts of which notices tell."""


def may_have_notices(transition: Transition, account: str) -> bool:
    """Whether a commit may have notices for an account. Most commits ask one player, and tell the others nothing."""
    seats = transition.after.seats
    for player in transition.after.asked:
        if seats.get(player) == account:
            return True
    return not TOLD.isdisjoint(map(type, transition.commit.facts))


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


def reminder(game: Game, player: Player, left_ms: int, now: int) -> Notice:
    """The time of a player who is asked runs out soon."""
    values: dict[str, Value] = {"left_ms": left_ms // 1000 * 1000, **_question(game, player)}
    return Notice(REMINDER, now, values, game=game.id, version=game.version, seat=player)


def pairing(game: Game, player: Player, title: str, round: int, now: int, tournament: str | None = None) -> Notice:
    """A table of a tournament waits for a player."""
    values: dict[str, Value] = {"tournament": title, "round": round}
    return Notice(PAIRING, now, values, game=game.id, version=game.version, seat=player, tournament=tournament)


def rematch_notice(game: Game, seat: Player, invitation: str, by: str, now: int) -> Notice:
    """A player of the last game would like to play again: a seat is kept."""
    values: dict[str, Value] = {"invitation": invitation}
    return Notice(REMATCH, now, values, game=game.id, version=game.version, seat=seat, people=(by,))


def complaint_decided(game: str, version: int, now: int) -> Notice:
    """Administrators have dealt with a complaint of the account. What they did concerns another one."""
    return Notice(COMPLAINT_DECIDED, now, game=game, version=version)


def webhook_disabled(hook: str, reason: Text, now: int) -> Notice:
    return Notice(WEBHOOK_DISABLED, now, {"reason": str(reason)}, webhook=hook)


def representation(notice: Notice, names: Names = NO_NAMES) -> dict[str, Any]:
    """The notice for a client."""
    return {
        "kind": notice.kind,
        "text": notice.text_with(names),
        "at": notice.at,
        "game": notice.game,
        "version": notice.version,
        "seat": notice.seat,
        "bot": bool(notice.values.get("bot")),
        "webhook": notice.webhook,
        "tournament": notice.tournament,
        **_in_tournament(notice),
        **({"invitation": notice.values.get("invitation")} if notice.kind == REMATCH else {}),
        "id": notice.id,
    }


def _in_tournament(notice: Notice) -> dict[str, Any]:
    """Which round and table of a tournament a notice is about, if it is about no game."""
    if notice.kind not in ABOUT_TOURNAMENTS:
        return {}
    return {name: notice.values.get(name) for name in ("round", "table", "starts_at")}


def is_asked_anew(before: Game | None, after: Game, player: Player) -> bool:
    """Whether a decision waits for this player that did not wait before; not if the seat is played automatically."""
    if player not in after.asked or player in after.unattended:
        return False
    return before is None or before.asked.get(player) != after.asked[player] or player in before.unattended


def _from_transition(transition: Transition, account: str) -> Iterator[tuple[str, Player | None, dict[str, Value]]]:
    """The kind, seat and values of each notice."""
    after, own = transition.after, seat_of(transition.after, account)
    for fact in transition.commit.facts:
        if not isinstance(fact, TableFact):
            continue
        match fact:
            case SeatTaken(seat, player):
                yield "seat_taken", seat, _arrival(after, seat) | {"yours": player == account}
            case BotSeated(seat):
                yield "seat_taken", seat, _arrival(after, seat) | {"yours": False}
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
        yield YOUR_TURN, own, _question(after, own)


def _question(game: Game, player: Player) -> dict[str, Value]:
    return {"question": game.state.agenda[0].question(game.state, player), "decision": game.asked[player]}


def _arrival(game: Game, seat: Player) -> dict[str, Value]:
    free: dict[str, Value] = {"free": _free_seats(game)}
    return free | {"bot": True} if game.is_bot(seat) else free


def _free_seats(game: Game) -> int:
    return len(game.players) - len(game.seats)


def _result(game: Game, own: Player | None) -> dict[str, Value]:
    if own is None:
        return {}
    return {"points": game.state.board.scores[own], "place": game.places[own], "players": len(game.players)}


# Texts


def sentence(notice: Notice, names: Names = NO_NAMES) -> Text:
    """The notice in words."""
    seat, values = notice.seat or "", notice.values
    if notice.kind in ABOUT_TOURNAMENTS:
        return tournament_sentence(notice.kind, values, notice.people, names)
    match notice.kind:
        case "seat_taken" if values["yours"]:
            return clauses([say("you have taken the seat {seat}", seat=seat), _free(values["free"])])
        case "seat_taken" if values.get("bot"):
            return clauses([say("a bot has taken the seat {seat}", seat=seat), _free(values["free"])])
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
        case "reminder":
            left = values["left_ms"]
            assert isinstance(left, int), f"{left} is no time"
            return say(
                "{time} left for your answer as {seat}: {question}",
                time=duration(left),
                seat=seat,
                question=values["question"],
            )
        case "pairing":
            return say(
                "round {round} of {tournament} is paired: you play {seat}",
                round=values["round"],
                tournament=values["tournament"],
                seat=seat,
            )
        case "rematch":
            return say(
                "{player} would like a rematch: the seat {seat} is kept for you",
                player=next(filter(None, map(names.get, notice.people)), None) or say("a former player"),
                seat=seat,
            )
        case "complaint_decided":
            return say("the administrators have dealt with a message that you reported; thank you")
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
