"""The table: where a game is played, and watched as it goes on. Its first position is on the page without a script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response
from msgspec import to_builtins

from events.table.game import OVER, PUBLIC, Game
from replay.summary import Summary
from rules.catalogue import rules_named
from rules.texts import Text, say
from service.games import replay_representations, table_representations
from service.games.access import seat_of
from service.games.broadcast import broadcast_delay
from service.games.game_lists import GameFilter
from service.games.game_summary import summary
from service.games.representations import Moment
from service.http.authentication import accounts, limit
from service.http.context import services
from service.language import rendered
from service.web.cards import game_line
from service.web.chat import chat_of
from service.web.pages import page
from service.web.replay import WHOLE_WINDOW, drawn, ground_of, story
from service.web.table_texts import table_texts
from service.web.times import pace, span
from service.web.visitors import visitor
from service.web.waiting import can_follow, has_begun, title, waiting_page

table = Blueprint("table_page", __name__, template_folder="templates")

FORGOTTEN = ("markup", "layers", "view")
"""Of the ground: what the drawing on the page has already."""


@table.get("/games/<game>")
def look(game: str) -> Response:
    """A table: the room where players gather, and the board from the first move on."""
    account = known.account if (known := visitor()) else None
    if not account:
        limit("reads_from_an_address")
    loaded = services().game_service.look(game, account)
    return page("table.html", **played(loaded, account)) if has_begun(loaded) else waiting_page(loaded)


def played(game: Game, account: str | None) -> dict[str, Any]:
    viewer = table_representations.own_eyes(game, account)
    names = replay_representations.player_names(game, accounts().profiles)
    seen, told = services().timelines.frame(game, viewer), services().timelines.summary(game)
    scene = replay_representations.scene(seen, viewer, names)
    now = Moment(services().games.now(), tuple(services().games.outages()))
    own = services().ahead.kept(game, viewer) if viewer in game.players and game.is_running else ()
    shown = table_representations.table(seen, viewer, names, now, own)
    guide = table_representations.guide(game.rules)
    return {
        **about(game, account),
        "chat": chat_of(game, account),
        "can_follow": can_follow(game, account),
        "viewer": viewer,
        "own": seat_of(game, account),
        "told": told,
        "round": told_round(scene),
        "scene": scene,
        "table": shown,
        "guide": guide,
        "sentence": sentence(game, shown, guide),
        "names": {each["seat"]: each["name"] for each in shown["seats"]},
        "board": drawn(game, seen),
        "story": story(game, viewer, game.version, names),
        "texts": table_texts(),
        "given": given(game, told, scene, shown, guide) | notice_choices(account),
        "is_newcomer": is_newcomer(account),
        "body_class": WHOLE_WINDOW,
    }


def about(game: Game, account: str | None) -> dict[str, Any]:
    delay_ms = broadcast_delay(game, account)
    return {
        "game": game,
        "title": title(game),
        "line": game_line(summary(game)),
        "pace": pace(game.time),
        "delay": span(delay_ms) if delay_ms else None,
        "is_private": game.visibility != PUBLIC,
    }


def told_round(scene: Mapping[str, Any]) -> dict[str, int]:
    numbers = [each.number for each in scene["rounds"]]
    return {"number": scene["round"], "all": max(numbers, default=0)}


def sentence(game: Game, shown: Mapping[str, Any], guide: Mapping[str, Mapping[str, str]]) -> str | Text:
    """What goes on, in a line: for pages without a script, and until it runs."""
    if game.status == OVER:
        return say("The game is over")
    lesson = guide.get(shown["asked"]["kind"], guide[""])
    names = {each["seat"]: each["name"] for each in shown["seats"]}
    asked = ", ".join(names[seat] for seat in shown["asked"]["seats"])
    return lesson["others"].replace("{player}", asked)


def given(
    game: Game, told: Summary, scene: Mapping[str, Any], shown: Mapping[str, Any], guide: Mapping[str, Any]
) -> dict[str, Any]:
    """What the scripts need before they ask for anything."""
    ground = {
        name: part
        for name, part in replay_representations.ground(rules_named(game.rules)).items()
        if name not in FORGOTTEN
    }
    spaces = {space: rendered(rules_named(game.rules).names[space]) for space in ground_of(game).spaces}
    return dict(
        to_builtins(
            {
                "ground": ground,
                "scene": scene,
                "table": {**shown, "steps": [], "next": None},
                "guide": guide,
                "ahead": table_representations.offers(game.rules) if shown["viewer"] in game.players else [],
                "first": told.first,
                "spaces": spaces,
                "title": rendered(named) if isinstance(named := title(game), Text) else str(named),
            }
        )
    )


def notice_choices(account: str | None) -> dict[str, Any]:
    """How the visitor wants to be told of the own turn, as on the account page."""
    return {"notices": to_builtins(services().notice_choices.read(account))} if account else {}


def is_newcomer(account: str | None) -> bool:
    """Whether the visitor has not finished a game yet."""
    if not account:
        return False
    return not services().lobby.games_of(account, account, GameFilter(OVER, limit=1)).games
