"""Games as clients see them: everything about a game that leaves the service is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

from events.log.codec import Commit
from events.repository import Accepted
from events.table import clock
from events.table.game import OVER, RUNNING, Game, redact
from events.table.narration import tell
from events.table.time_control import TimeControl
from rules.catalogue import game_named
from rules.kernel import EVERYTHING, SPECTATOR, Decision, Player, Preview, Viewer, options
from service.games.access import seat_of
from service.games.game_summary import GameSummary, summary
from service.language import catalogue, rendered

Handles = Callable[[Iterable[str]], Mapping[str, str | None]]
"""Accounts to their handles; nothing for accounts that are gone."""


def etag(game: Game, viewer: Viewer | None) -> str:
    """Another for each viewer of the same version, so that no cache can mistake one representation for another."""
    return f"{game.version}.{viewer or SPECTATOR}"


# Tables


def game_resource(game: Game, account: str | None, handles: Handles, now: int) -> dict[str, Any]:
    """The game as a resource, for this account."""
    return _game_resource(summary(game), account, handles(game.seats.values()), now)


def game_resources(
    games: Sequence[GameSummary], account: str | None, handles: Handles, now: int
) -> list[dict[str, Any]]:
    """Many games, with one query for the handles of all players in them."""
    found = handles({seated for game in games for seated in game.seats.values()})
    return [_game_resource(game, account, found, now) for game in games]


def _game_resource(
    game: GameSummary, account: str | None, handles: Mapping[str, str | None], now: int
) -> dict[str, Any]:
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
        "mine": seat_of(game, account),
        "owner": game.owner,
        "waiting": game.asked,
        "time": _time_control(game.time) if game.time else None,
        "may_resign": game.may_resign,
        "may_take_back": game.may_take_back,
        "take_back": game.take_back,
        "clock": clocks(game, now),
        "scores": game.scores,
        "places": game.places,
        "created_at": game.created_at,
    }


def _seat(game: GameSummary, player: Player, handles: Mapping[str, str | None]) -> dict[str, Any]:
    account = game.seats.get(player)
    seated = {"id": account, "handle": handles.get(account)} if account else None
    forfeited = game.forfeited.get(player)
    return {"seat": player, "player": seated, "nonce": player in game.nonces, "forfeited": forfeited}


def _waiting(game: Game) -> tuple[Player, ...]:
    """The seats that are asked: none before the game begins."""
    return tuple(game.asked)


def _time_control(control: TimeControl) -> dict[str, Any]:
    """All fields, also those that were not agreed on."""
    return asdict(control) | {"calendar": asdict(control.calendar)}


def clocks(game: Game | GameSummary, at: int) -> dict[str, Any] | None:
    """The time of every seat at this moment. It is no secret, because the seats that are asked are none."""
    if not game.clock:
        return None
    return {
        "server_time": at,
        "paused": game.clock.paused or None,
        "want_pause": game.clock.want_pause,
        "seats": {player: clock.seat(game.clock, player, at) for player in game.players},
    }


# Play


def position(game: Game, viewer: Viewer, at: int) -> dict[str, Any]:
    """The position as this viewer may see it; nothing before the table is set."""
    seen = game_named(game.rules).view(game.state, viewer, catalogue()) if game.started else None
    about = {"version": game.version, "viewer": viewer, "status": game.status}
    return about | {"waiting": _waiting(game), "clock": clocks(game, at), "state": seen}


def decisions(game: Game, player: Player) -> dict[str, Any]:
    """The questions to this player. Only the player may see the legal answers: they tell what is in the hand."""
    pending = options(game.state, player) if game.status == RUNNING else ()
    about = {"version": game.version, "waiting": _waiting(game)}
    return about | {"decisions": [_decision(decision) for decision in pending]}


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "id": decision.id,
        "kind": decision.kind,
        "seat": decision.player,
        "text": rendered(decision.text),
        "schema": decision.schema(catalogue()),
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
        "story": tell(rules, facts, catalogue()),
        "hash": commit.hash,
    }


def move_result(taken: Accepted[Game]) -> dict[str, Any]:
    """The facts that followed from a move, for the player who made it."""
    game, header = taken.after, taken.commit.header
    facts = redact(taken.commit, EVERYTHING if game.status == OVER else header.by)
    return {
        "version": header.version,
        "hash": taken.commit.hash,
        "facts": facts,
        "story": tell(game.rules, facts, catalogue()),
        "waiting": _waiting(game),
        "status": game.status,
    }


def move_preview(game: Game, preview: Preview) -> dict[str, Any]:
    """The facts that would follow from a move, or the rule that forbids it."""
    return {
        "accepted": preview.accepted,
        "facts": preview.facts,
        "story": tell(game.rules, preview.facts, catalogue()),
        "refusal": rendered(preview.refusal) if preview.refusal else None,
        "rule": preview.rule or None,
    }
