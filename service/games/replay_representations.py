"""Timelines and positions as clients see them: steps, outlines, scenes, grounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import UNSET, to_builtins
from msgspec.structs import asdict, replace

from events.table.game import Game
from replay.changes import EMPTY, change
from replay.story import plain, with_players
from replay.summary import Summary
from replay.timeline import Frame, Told
from rules.catalogue import game_named, rules_named
from rules.kernel import Player, RuleSet, Viewer
from rules.picture import Control
from rules.texts import Names
from service.games.bot_names import bot_names
from service.games.representations import Profiles
from service.language import catalogue, rendered


def player_names(game: Game, profiles: Profiles) -> dict[Player, str]:
    """The players of a table by their handles, bots by their names; a seat without one goes by its own name."""
    found = profiles(game.seats.values())
    handles = {seat: profile.handle for seat, account in game.seats.items() if (profile := found.get(account))}
    return handles | bot_names(game.seats)


def told(rules: str, told: Told) -> dict[str, Any]:
    """What happened between two positions: a step of a timeline, or of a line."""
    changed = told.change.rendered(catalogue(), rules_named(rules).names.get)
    fields = asdict(told) | {"leads": {lead.space: lead.players for lead in told.leads}}
    fields["change"], fields["changed"] = to_builtins(changed), told.change.keys
    return fields


def outline(game: Game, told: Summary, viewers: Iterable[Viewer], names: Mapping[Player, str]) -> dict[str, Any]:
    """All that a reader wants to know before the first step."""
    called = rules_named(game.rules).names
    return {
        "version": game.version,
        "status": game.status,
        "rules": game.rules,
        "title": game_named(game.rules).title,
        "viewers": list(viewers),
        "seats": [{"seat": seat, "name": names.get(seat) or rendered(called[seat])} for seat in game.players],
        "spaces": _spaces(game),
        "places": game.places,
        **asdict(told),
    }


def _spaces(game: Game) -> list[dict[str, str]]:
    """What leads are told of, in the order of the map."""
    if not game.started:
        return []
    played, called = game_named(game.rules), rules_named(game.rules).names
    leads = played.landmarks.leads(game.state, played.view(game.state, "spectator"))
    return [
        {"space": lead.space, "short": lead.short, "name": rendered(lead.name or called[lead.space])} for lead in leads
    ]


def scene(seen: Frame, viewer: Viewer, names: Mapping[Player, str]) -> dict[str, Any]:
    """A whole position: everything on the board, beside it, and the same in words."""
    game = seen.moment.game
    called = rules_named(game.rules).names.get
    whole = change(EMPTY, seen.scene).rendered(catalogue(), called)
    parts = {part: [] if (value := getattr(whole, part)) is UNSET else value for part in ("panels", "cards", "rounds")}
    return {
        "version": game.version,
        "viewer": viewer,
        "status": game.status,
        "round": seen.moment.round,
        "sprites": whole.put,
        **parts,
        **({} if seen.scene.view is None else {"view": seen.scene.view, "places": seen.scene.places}),
        "words": words(seen, with_players(game.rules, names)),
        "spaces": spaces(seen, with_players(game.rules, names)),
    }


def words(seen: Frame, names: Names) -> list[str]:
    """The position in sentences."""
    if seen.seen is None:
        return []
    told = game_named(seen.moment.game.rules).picture.words(seen.seen)
    return [plain(text.rendered(catalogue(), names)) for text in told]


def spaces(seen: Frame, names: Names) -> dict[str, str]:
    """Every space in a sentence."""
    if seen.seen is None:
        return {}
    told = game_named(seen.moment.game.rules).picture.spaces(seen.seen)
    return {space: plain(text.rendered(catalogue(), names)) for space, text in told.items()}


def ground(rules: RuleSet) -> dict[str, Any]:
    """Also the names of everything that decisions may speak of."""
    drawn = game_named(rules.name).picture.ground(rules)
    controls = {kind: to_builtins(rendered_parts(control)) for kind, control in drawn.controls.items()}
    names = {id: rendered(name) for id, name in rules.names.items()}
    return asdict(drawn) | {"controls": controls, "names": names}


def rendered_parts(control: Control) -> Control:
    return replace(control, names={value: rendered(name) for value, name in control.names.items()})
