"""The replay page: any game, step by step. It works without a script, one request a step; with one it is alive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Any

from flask import Blueprint, Response, request
from markupsafe import Markup
from msgspec import to_builtins

from events.table.game import OVER, PUBLIC, Game
from replay import svg
from replay.story import with_players
from replay.summary import Summary
from replay.timeline import Frame, Step
from rules.catalogue import game_named, rules_named
from rules.kernel import EVERYTHING, SPECTATOR, Player, Viewer
from rules.picture import Ground
from rules.texts import Text, say
from service.games import pictures, replay_representations
from service.games.game_summary import GameSummary
from service.games.timelines import viewers
from service.http.authentication import limit
from service.http.context import services
from service.language import catalogue, rendered
from service.web.game_titles import game_title
from service.web.pages import page
from service.web.replay_texts import texts
from service.web.visitors import visitor
from service.web.waiting import may_rematch

replay = Blueprint("replay_page", __name__, template_folder="templates")

LINES = 12
"""So many steps of the story are on the page before a script adds the rest."""

WHOLE_WINDOW = "whole-window"
"""The class of a page that fills the window, and does not scroll."""

SEEN_BY: dict[Viewer, Text] = {EVERYTHING: say("All open"), SPECTATOR: say("Public")}


@replay.get("/games/<game>/replay")
def viewer(game: str) -> Response:
    """A game at one step, as one viewer may see it."""
    account = known.account if (known := visitor()) else None
    if not account:
        limit("reads_from_an_address")
    loaded, chosen = services().game_service.look_back(game, account, None, request.args.get("as"))
    told = services().timelines.summary(loaded)
    step = asked_step(loaded, told)
    names = replay_representations.player_names(loaded, services().accounts.profiles)
    return page(
        "replay.html",
        **shown(loaded, told, step, chosen, names, account),
        choices=choices(loaded, account, names),
        may_rematch=may_rematch(loaded, account),
    )


def asked_step(game: Game, told: Summary) -> int:
    """The step in the address, if it is one; else the first of a game that is over, and the last of one that is not."""
    first = told.first or told.last
    asked = request.args.get("step", "")
    if not asked.isascii() or not asked.isdigit() or len(asked) > 9:
        return first if game.status == OVER else told.last
    return min(max(int(asked), first), told.last)


def choices(game: Game, account: str | None, names: Mapping[Player, str]) -> list[dict[str, Any]]:
    """Through whose eyes the visitor may look."""
    called = rules_named(game.rules).names
    return [
        {"viewer": eyes, "label": SEEN_BY.get(eyes) or names.get(eyes) or called[eyes], "is_seat": eyes in game.players}
        for eyes in viewers(game, account)
    ]


def shown(
    game: Game,
    told: Summary,
    step: int,
    chosen: Viewer,
    names: Mapping[Player, str],
    account: str | None,
    seen: Frame | None = None,
    address: Callable[[int], str] | None = None,
) -> dict[str, Any]:
    """A step of a game; in a study another position may be seen, and steps have other addresses."""
    seen = seen or services().timelines.frame(game, chosen, step)
    to = address or (lambda version: f"?step={version}&as={chosen}")
    called = rules_named(game.rules).names
    return {
        "game": game,
        "title": game_title(game),
        "told": told,
        "first": told.first or told.last,
        "step": step,
        "viewer": chosen,
        "handles": {seat: name for seat, name in names.items() if seat not in game.bots},
        "players": {seat: names.get(seat) or called[seat] for seat in game.players},
        "scores": seen.moment.game.state.board.scores,
        "final": game.state.board.scores if game.status == OVER else {},
        "board": drawn(game, seen),
        "words": replay_representations.words(seen, with_players(game.rules, names)),
        "story": story(game, chosen, step, names),
        "controls": controls(step, told, to),
        "texts": texts(),
        "is_public": game.visibility == PUBLIC,
        "given": given(game, told, names, account),
        "body_class": WHOLE_WINDOW,
    }


def given(game: Game, told: Summary, names: Mapping[Player, str], account: str | None) -> dict[str, Any]:
    """What the scripts need before they ask for anything: the game at a glance, its symbols and its spaces."""
    ground = ground_of(game)
    outline = replay_representations.outline(game, told, viewers(game, account), names)
    return to_builtins({"outline": outline, "ground": {"symbols": ground.symbols, "spaces": ground.spaces}})


def ground_of(game: Game | GameSummary) -> Ground:
    return game_named(game.rules).picture.ground(rules_named(game.rules))


def controls(step: int, told: Summary, address: Callable[[int], str]) -> list[dict[str, Any]]:
    """The buttons below the board; without a script, those with a step of their own are links."""
    first = told.first or told.last
    return [
        control("first", "first", say("First step"), address(first)),
        control("previous-turn", "undo", say("Back to the start of the turn")),
        control("previous", "prev", say("Previous step"), address(max(step - 1, first))),
        control("play", "play", say("Play")),
        control("next", "next", say("Next step"), address(min(step + 1, told.last))),
        control("next-turn", "arrow-right", say("Next turn")),
        control("last", "last", say("Last step"), address(told.last)),
    ]


def control(name: str, icon: str, label: Text, address: str = "") -> dict[str, Any]:
    return {"name": name, "icon": icon, "label": label, "address": address, "is_play": name == "play"}


def drawn(game: Game, seen: Frame) -> Markup:
    """The board, from the first byte of the page."""
    label = rendered(say("The board after step {version}", version=seen.moment.game.version))
    return Markup(svg.layered(*pictures.parts(seen), label=label))


def story(game: Game, chosen: Viewer, step: int, names: Mapping[Player, str]) -> list[Step]:
    """The last steps up to this one."""
    steps = services().timelines.steps(game, chosen, max(0, step - LINES), names, catalogue())
    return list(takewhile(lambda told: told.version <= step, steps))
