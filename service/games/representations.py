"""Games as clients see them: everything about a game that leaves the service is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Raw, Struct, json, to_builtins
from msgspec.structs import asdict, replace

from events.decider import Outage
from events.log.codec import Commit
from events.repository import Accepted
from events.table import clock
from events.table.facts import BOT_PREFIX
from events.table.game import OVER, RUNNING, Game, redact
from events.table.narration import tell
from events.table.time_control import TimeControl
from replay.story import parts, plain, sentences, with_players
from rules.catalogue import game_named, rules_named
from rules.kernel import EVERYTHING, SPECTATOR, Decision, Player, Preview, Viewer, options
from rules.picture import Beat
from rules.schemas import ShownDecision
from service.games.access import seat_of
from service.games.broadcast import broadcast_delay
from service.games.game_summary import GameSummary, summary
from service.language import catalogue, rendered


class Profile(Protocol):
    """The part of an account that everybody sees."""

    @property
    def handle(self) -> str: ...

    @property
    def bot(self) -> bool: ...


class Moment(Struct, frozen=True):
    """Now: what clocks show depends on the time, and on the outages that the next commit will give back."""

    at: int
    outages: tuple[Outage, ...] = ()


_in_order = json.Encoder(order="deterministic").encode

Profiles = Callable[[Iterable[str]], Mapping[str, Profile | None]]
"""Accounts to their profiles; nothing for accounts that are gone."""


def etag(game: Game, viewer: Viewer | None) -> str:
    """Another for each viewer of the same version, so that no cache can mistake one representation for another."""
    return f"{game.version}.{viewer or SPECTATOR}"


# Tables


def game_resource(game: Game, account: str | None, profiles: Profiles, now: Moment) -> dict[str, Any]:
    """The game as a resource, for this account."""
    return _game_resource(summary(game), account, profiles(game.seats.values()), now)


def game_resources(
    games: Sequence[GameSummary], account: str | None, profiles: Profiles, now: Moment
) -> list[dict[str, Any]]:
    """Many games, with one query for the profiles of all players in them."""
    found = profiles({seated for game in games for seated in game.seats.values()})
    return [_game_resource(game, account, found, now) for game in games]


def _game_resource(
    game: GameSummary, account: str | None, profiles: Mapping[str, Profile | None], now: Moment
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
        "seats": [_seat(game, player, profiles) for player in game.players],
        "mine": seat_of(game, account),
        "owner": game.owner,
        "waiting": game.asked,
        "time": time_control(game.time) if game.time else None,
        "may_resign": game.may_resign,
        "may_take_back": game.may_take_back,
        "take_back": game.take_back,
        "clock": clocks(game, now, broadcast_delay(game, account)),
        "scores": game.scores,
        "places": game.places,
        "created_at": game.created_at,
        "title": game.title,
        "starts_when_full": game.starts_when_full,
        "tournament": to_builtins(game.tournament),
    }


def _seat(game: GameSummary, player: Player, profiles: Mapping[str, Profile | None]) -> dict[str, Any]:
    account = game.seats.get(player)
    seated = player_resource(account, profiles.get(account), is_bot=player in game.bots) if account else None
    forfeited = game.forfeited.get(player)
    return {"seat": player, "player": seated, "nonce": player in game.own_nonces, "forfeited": forfeited}


def player_resource(account: str, profile: Profile | None, *, is_bot: bool = False) -> dict[str, Any]:
    """A player, for everybody. A bot of the service has its name instead of a handle."""
    if account.startswith(BOT_PREFIX):
        return {"id": account, "handle": account.removeprefix(BOT_PREFIX), "bot": True}
    handle, declared = (profile.handle, profile.bot) if profile else (None, False)
    return {"id": account, "handle": handle, "bot": is_bot or declared}


def _waiting(game: Game) -> tuple[Player, ...]:
    """The seats that are asked: none before the game begins."""
    return tuple(game.asked)


def time_control(control: TimeControl) -> dict[str, Any]:
    """All fields, also those that were not agreed on."""
    return asdict(control) | {"calendar": asdict(control.calendar)}


def clocks(game: Game | GameSummary, now: Moment, delay_ms: int = 0) -> dict[str, Any] | None:
    """The time of every seat at this moment, or some time ago in a broadcast. It is no secret: nor is who is asked."""
    if not game.clock:
        return None
    now = replace(now, at=now.at - delay_ms)
    known = clock.with_credits(game.clock, now.outages, now.at) if game.status == RUNNING else game.clock
    return {
        "server_time": now.at,
        "paused": known.paused or None,
        "want_pause": known.want_pause,
        "seats": {player: clock.seat(known, player, now.at) for player in game.players},
    }


# Play


def position(game: Game, viewer: Viewer, now: Moment) -> dict[str, Any]:
    """The position as this viewer may see it; nothing before the table is set."""
    seen = game_named(game.rules).view(game.state, viewer, catalogue()) if game.started else None
    about = {"version": game.version, "viewer": viewer, "status": game.status}
    shown = clocks(game, now, broadcast_delay(game, game.seats.get(viewer)))
    return about | {"waiting": _waiting(game), "clock": shown, "state": seen}


def decisions(game: Game, player: Player) -> dict[str, Any]:
    """The questions to this player. Only the player may see the legal answers: they tell what is in the hand."""
    pending = options(game.state, player) if game.status == RUNNING else ()
    about = {"version": game.version, "waiting": _waiting(game)}
    return about | {"decisions": [decision(each, game.rules) for each in pending]}


def decision(decision: Decision, rules: str) -> ShownDecision:
    names = rules_named(rules).names
    seats = {seat: rendered(names[seat]) for seat in game_named(rules).seats}
    text = decision.text.rendered(catalogue(), with_players(rules, seats))
    return {
        "id": decision.id,
        "kind": decision.kind,
        "seat": decision.player,
        "text": plain(text),
        "parts": [to_builtins(part) for part in parts(text)],
        "schema": decision.schema(catalogue(), names.get),
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
        # Maps in the order of the log, so that a repeated move is answered byte by byte alike.
        "facts": Raw(_in_order(facts)),
        "story": tell(game.rules, facts, catalogue()),
        "waiting": _waiting(game),
        "status": game.status,
    }


def move_preview(
    game: Game, preview: Preview, beats: Sequence[Beat] = (), players: Mapping[Player, str] | None = None
) -> dict[str, Any]:
    """The facts that would follow from a move, or the rule that forbids it; told with the players' names, if given."""
    names = rules_named(game.rules).names.get
    return {
        "accepted": preview.accepted,
        "facts": preview.facts,
        "story": tell(game.rules, preview.facts, catalogue()),
        "refusal": rendered(preview.refusal, names) if preview.refusal else None,
        "rule": preview.rule or None,
        "further": preview.further.schema(catalogue(), names) if preview.further else None,
        "beats": beats,
        "told": list(_told(game, preview, players)) if players else [],
    }


def _told(game: Game, preview: Preview, players: Mapping[Player, str]) -> Iterator[str]:
    """Sentence by sentence; the player who would move is not named in every one."""
    for sentence in sentences(game.rules, preview.facts, players, catalogue()):
        first, *more = sentence.parts
        is_own = not isinstance(first, str) and first.seat == sentence.seat in game.asked and more
        yield (
            "".join(each if isinstance(each, str) else each.name for each in more).strip() if is_own else sentence.text
        )
