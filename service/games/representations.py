"""Who may see what of a game, and how it is told to them. Everything that leaves the service is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

from events.errors import NoSuchGame, NotNow, NotPermitted
from events.log.codec import Commit
from events.repository import Accepted
from events.table import clock
from events.table.game import OVER, PUBLIC, RUNNING, Game, redact
from events.table.narration import tell
from events.table.time_control import TimeControl
from rules.catalogue import game_named
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, Decision, Player, Preview, Viewer, options

Handles = Callable[[Iterable[str]], Mapping[str, str | None]]
"""People's ids to the names they go by; nothing for who is gone."""


# Who may see it


def check_visible(game: Game, who: str | None) -> None:
    """A private game does not exist for strangers."""
    if game.visibility != PUBLIC and who not in (game.owner, *game.seats.values()):
        raise NoSuchGame(f"there is no game {game.id}")


def seat_of(game: Game, who: str | None) -> Player | None:
    return next((player for player, sitting in game.seats.items() if sitting == who), None)


def viewer_for(game: Game, who: str | None, asked: str | None = None) -> Viewer:
    """Through whose eyes: one's own by default; after the end through anybody's, and everything is open."""
    own = seat_of(game, who) or SPECTATOR
    if asked is None:
        return EVERYTHING if game.status == OVER else own
    if asked not in (*game.players, SPECTATOR, EVERYTHING):
        raise Unreadable(f"viewer is spectator, everything or one of {', '.join(game.players)}")
    if game.status == OVER or asked in (own, SPECTATOR):
        return asked
    if asked == EVERYTHING:
        raise NotNow("the game is not over: not everything can be shown")
    raise NotPermitted(f"you do not sit on the seat {asked}")


def asked(game: Game) -> tuple[Player, ...]:
    """Whom the game waits for: nobody before it begins."""
    return tuple(game.asked)


# How it is told


def etag(game: Game, viewer: Viewer | None) -> str:
    """Others see something else at the same version, so it has another name: no cache can mistake one for the other."""
    return f"{game.version}.{viewer or SPECTATOR}"


def described(game: Game, who: str | None, handles: Handles, now: int) -> dict[str, Any]:
    """The game as a resource."""
    return _described(game, who, handles(game.seats.values()), now)


def all_described(games: Iterable[Game], who: str | None, handles: Handles, now: int) -> list[dict[str, Any]]:
    """Many games, and one question for the names of everybody in them."""
    games = list(games)
    known = handles({sitting for game in games for sitting in game.seats.values()})
    return [_described(game, who, known, now) for game in games]


def _described(game: Game, who: str | None, handles: Mapping[str, str | None], now: int) -> dict[str, Any]:
    name, *expansions = game.rules.split("+")
    return {
        "id": game.id,
        "rules": game.rules,
        "game": name,
        "expansions": expansions,
        "players": len(game.players),
        "options": game.options,
        "visibility": game.visibility,
        "status": game.status,
        "version": game.version,
        "head": game.head,
        "commitment": game.commitment,
        "seats": [_seat(game, player, handles) for player in game.players],
        "mine": seat_of(game, who),
        "owner": game.owner,
        "waiting": asked(game),
        "time": agreed(game.time) if game.time else None,
        "may_resign": game.may_resign,
        "clock": clocks(game, now),
        "scores": game.state.board.scores,
        "places": game.places,
        "created_at": game.created_at,
    }


def _seat(game: Game, player: Player, handles: Mapping[str, str | None]) -> dict[str, Any]:
    who = game.seats.get(player)
    sitting = {"id": who, "handle": handles.get(who)} if who else None
    forfeited = game.forfeited.get(player)
    return {"seat": player, "player": sitting, "nonce": player in game.nonces, "forfeited": forfeited}


def agreed(control: TimeControl) -> dict[str, Any]:
    """All of it, also what nobody has asked for."""
    return asdict(control) | {"calendar": asdict(control.calendar)}


def clocks(game: Game, at: int) -> dict[str, Any] | None:
    """Everybody's time at this moment. It is no secret: who is asked is not."""
    if not game.clock:
        return None
    return {
        "server_time": at,
        "paused": game.clock.paused or None,
        "want_pause": game.clock.want_pause,
        "seats": {player: clock.seat(game.clock, player, at) for player in game.players},
    }


def position(game: Game, viewer: Viewer, at: int) -> dict[str, Any]:
    """The position as this viewer may see it; nothing before the table is set."""
    seen = game_named(game.rules).view(game.state, viewer) if game.started else None
    about = {"version": game.version, "viewer": viewer, "status": game.status}
    return about | {"waiting": asked(game), "clock": clocks(game, at), "state": seen}


def decisions(game: Game, player: Player) -> dict[str, Any]:
    """What waits for this player: nobody else may see the legal answers, they would tell what is in the hand."""
    pending = options(game.state, player) if game.status == RUNNING else ()
    about = {"version": game.version, "waiting": asked(game)}
    return about | {"decisions": [_decision(decision) for decision in pending]}


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "id": decision.id,
        "kind": decision.kind,
        "seat": decision.player,
        "text": str(decision.text),
        "schema": decision.schema(),
        "example": decision.example(),
        "default": {"decision": decision.id, **to_builtins(decision.default)},
        "at_once": decision.at_once,
    }


def event(rules: str, commit: Commit, viewer: Viewer) -> dict[str, Any]:
    """A commit as this viewer may know it: in lists, in streams."""
    facts = redact(commit, viewer)
    header = commit.header
    return {
        "version": header.version,
        "at": header.at,
        "by": header.by,
        "decision": header.decision,
        "facts": facts,
        "story": tell(rules, facts),
        "hash": commit.hash,
    }


def accepted(taken: Accepted[Game]) -> dict[str, Any]:
    """What came of a move, for the player who made it."""
    game, header = taken.after, taken.commit.header
    facts = redact(taken.commit, EVERYTHING if game.status == OVER else header.by)
    return {
        "version": header.version,
        "hash": taken.commit.hash,
        "facts": facts,
        "story": tell(game.rules, facts),
        "waiting": asked(game),
        "status": game.status,
    }


def previewed(game: Game, preview: Preview) -> dict[str, Any]:
    return {
        "accepted": preview.accepted,
        "facts": preview.facts,
        "story": tell(game.rules, preview.facts),
        "refusal": str(preview.refusal) if preview.refusal else None,
        "rule": preview.rule or None,
    }
