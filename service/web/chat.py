"""The chat of a table: a part of its page, and a page of its own. It works without a script, one form a message.

`chat_of` gives a page what the part `chat.html` needs; the part brings its script along (`table/chat.js`).
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request, url_for

from events.table.game import OVER, Game
from rules.errors import Refused, Unreadable
from rules.texts import Text, say
from service.chat.chat_service import ChatService, own_room
from service.chat.rooms import LONGEST_MESSAGE, MOST_MESSAGES, PLAYERS, ROOMS, SPECTATORS, topic_of
from service.games.game_summary import summary
from service.http.authentication import limit, limit_account
from service.http.context import services
from service.http.forms import field
from service.http.responses import no_store
from service.text_patterns import is_blank, is_written
from service.web.addresses import table_address
from service.web.cards import game_line
from service.web.forms import form_of, go_to, own_path
from service.web.pages import page
from service.web.visitors import member, visitor
from service.web.waiting import title

chat = Blueprint("chat_page", __name__, template_folder="templates")
chat.after_request(no_store)

TITLES: dict[str, Text] = {PLAYERS: say("Players"), SPECTATORS: say("Spectators")}
ABOUT: dict[str, Text] = {
    PLAYERS: say("Only the players of this table read this."),
    SPECTATORS: say("Only spectators read this, until the game is over."),
}
SHOWN = 100
"""So many messages are on a page."""


def service() -> ChatService:
    return services().chat


@chat.get("/games/<game>/chat")
def look(game: str, refusal: Refused | None = None) -> Response:
    """Both rooms after the end; before it, the reader's own."""
    account = known.account if (known := visitor()) else None
    if not account:
        limit("reads_from_an_address")
    loaded = services().game_service.look(game, account)
    rooms = ROOMS if loaded.status == OVER else (own_room(loaded, account),)
    return page(
        "chat-page.html",
        game=loaded,
        title=title(loaded),
        line=game_line(summary(loaded)),
        table=table_address(game),
        chats=[shown(loaded, account, room) for room in rooms],
        refusal=refusal,
    )


def chat_of(game: Game, account: str | None) -> dict[str, Any] | None:
    """The reader's own room, for the page of a table; nothing where nobody writes."""
    if game.tournament and not game.tournament.chat:
        return None
    return shown(game, account, own_room(game, account))


def shown(game: Game, account: str | None, name: str) -> dict[str, Any]:
    room = service().room(game.id, account, name)
    newest = service().chat.newest(topic_of(game.id, name))
    found = service().messages(room, max(0, newest - SHOWN), MOST_MESSAGES)
    return {
        "room": name,
        "title": TITLES[name],
        "about": say("The game is over: everybody reads this.") if game.status == OVER else ABOUT[name],
        "messages": [each for each in found if not each["removes"] and not each["removed"]],
        "newest": newest,
        "may_write": name == own_room(game, account) and service().may_write(game, account),
        "may_remove": account is not None and account == game.owner,
        "me": account or "",
        "api": f"/api/v1/games/{game.id}/chat",
        "act": url_for("chat_page.act", game=game.id),
        "longest": LONGEST_MESSAGE,
        "sign_in": url_for("sign_in.sign_in", next=table_address(game.id)),
    }


def shown_again(refusal: Refused) -> Response:
    return look((request.view_args or {})["game"], refusal)


@chat.post("/games/<game>/chat")
@form_of(shown_again)
def act(game: str) -> Response:
    """Write, mute, complain or remove: one of the buttons."""
    account = member().account
    kind, _, value = field("act").partition(":")
    match kind:
        case "mute":
            limit_account("changes", account)
            service().mutes.mute(account, value)
        case "unmute":
            limit_account("changes", account)
            service().mutes.unmute(account, value)
        case "complain":
            limit_account("complaints", account)
            service().complain(game, account, *message(value), "")
        case "remove":
            limit_account("messages", account)
            service().remove(game, account, *message(value))
        case _:
            write(game, account)
    return go_to(own_path(field("next"), url_for("chat_page.look", game=game)))


def write(game: str, account: str) -> None:
    limit_account("messages", account)
    services().reserve.check()
    text = " ".join(field("text").split())
    if is_blank(text) or len(text) > LONGEST_MESSAGE or not is_written(text):
        raise Unreadable(say("a message is a line of 1 to {longest} characters", longest=LONGEST_MESSAGE))
    service().write(game, account, text)


def message(value: str) -> tuple[str, int]:
    """The room and the number of a message.

    >>> message("players/17")
    ('players', 17)
    """
    room, _, number = value.partition("/")
    if room not in ROOMS or not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Unreadable(say("there is no such message"))
    return room, int(number)
