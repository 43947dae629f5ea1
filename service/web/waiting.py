"""A table before its game begins: who sits there, which seats are free, and how others come.

`waiting_page` is the page of a table whose game has not begun; a form on it sits, stands up, seats a bot, removes a
player, starts or clears the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from events.submission import Submission
from events.table.commands import Abort, Leave, Start, check_open, free_seat
from events.table.game import ABORTED, OPEN, OVER, PRIVATE, Game
from replay import svg
from rules.bots import BOTS, STRENGTHS, USUAL
from rules.catalogue import game_named, rules_named
from rules.errors import Refused
from rules.kernel import Player
from rules.texts import Value
from service.games.access import seat_of
from service.games.bot_names import bot_names
from service.games.game_summary import summary
from service.http.authentication import limit_account
from service.http.context import services
from service.http.forms import field
from service.http.responses import conditional
from service.web.addresses import table_address
from service.web.arrivals import arrive
from service.web.cards import game_line
from service.web.forms import form_of, go_to
from service.web.game_titles import table_title
from service.web.pages import page
from service.web.player_names import PlayerName, player_name
from service.web.times import pace
from service.web.visitors import member, visitor

waiting = Blueprint("waiting", __name__, template_folder="templates")


class Chair(NamedTuple):
    """A seat of the table."""

    seat: Player
    colour: Value
    player: PlayerName | None = None
    account: str = ""
    is_mine: bool = False
    is_owner: bool = False
    may_remove: bool = False


def has_begun(game: Game) -> bool:
    return game.status not in (OPEN, ABORTED)


@waiting.get("/games/<game>/waiting")
def part(game: str) -> Response:
    """The seats alone, for the page's script; once the game has begun, the page itself is wanted."""
    loaded = services().game_service.look(game, known.account if (known := visitor()) else None)
    if has_begun(loaded):
        return go_to(table_address(game))
    account = known.account if known else ""
    return conditional(f"{loaded.version}.{account}", lambda: page("waiting-part.html", **shown(loaded)))


def waiting_page(game: Game, refusal: Refused | None = None) -> Response:
    """The page of a table whose game has not begun, for a visitor who may see it."""
    return page("waiting.html", refusal=refusal, **shown(game))


def shown(game: Game) -> dict[str, Any]:
    account = known.account if (known := visitor()) else ""
    is_owner, own = account == game.owner, seat_of(game, account)
    is_open = game.status == OPEN
    return {
        "game": game,
        "title": title(game),
        "line": game_line(summary(game)),
        "pace": pace(game.time),
        "is_private": game.visibility == PRIVATE,
        "is_cleared": game.status == ABORTED,
        "is_owner": is_owner,
        "own": own,
        "chairs": chairs(game, account),
        "free": len(game.players) - len(game.seats),
        "link": link(game, account) if is_open and (is_owner or own) and not game.tournament else "",
        "bots": BOTS.values() if is_owner and is_open else (),
        "usual_bot": USUAL,
        "strengths": STRENGTHS,
        "act": url_for("waiting.act", game=game.id),
        "board": Markup(svg.board(game_named(game.rules).picture.ground(rules_named(game.rules)), ())),
    }


def title(game: Game) -> Value:
    """What the table is called, with the names of its people."""
    return titles([game])[game.id]


def titles(games: Sequence[Game]) -> dict[str, Value]:
    """What each table is called, with one query for the names of all people."""
    profiles = services().accounts.profiles(
        {account for game in games for account in (*game.seats.values(), game.owner)}
    )

    def called(game: Game) -> Value:
        players = [player_name(account, profiles.get(account)).name for account in game.seats.values()]
        owner = profiles.get(game.owner)
        return table_title(game, players, owner.handle if owner else None)

    return {game.id: called(game) for game in games}


def chairs(game: Game, account: str) -> list[Chair]:
    profiles = services().accounts.profiles(game.seats.values())
    called, colours = bot_names(game.seats), rules_named(game.rules).names

    def chair(seat: Player) -> Chair:
        if not (seated := game.seats.get(seat)):
            return Chair(seat, colours[seat])
        player = player_name(seated, profiles.get(seated), is_bot=game.is_bot(seat))
        is_owner = seated == game.owner
        return Chair(
            seat,
            colours[seat],
            player._replace(name=called.get(seat, player.name)),
            seated,
            is_mine=seated == account,
            is_owner=is_owner,
            may_remove=account == game.owner and not is_owner and game.status == OPEN,
        )

    return [chair(seat) for seat in game.players]


def link(game: Game, account: str) -> str:
    """The address for people who are to come."""
    word = services().game_service.link(game.id, account).word
    return url_for("invited.invitation", game=game.id, word=word, _external=True)


# What people do here


def shown_again(refusal: Refused) -> Response:
    account = known.account if (known := visitor()) else None
    game: str = (request.view_args or {})["game"]
    return waiting_page(services().game_service.look(game, account), refusal)


@waiting.post("/games/<game>/waiting")
@form_of(shown_again)
def act(game: str) -> Response:
    """One of the buttons. The last part of its value is a seat, an account or a bot."""
    kind, _, value = field("act").partition(":")
    if kind == "sit":
        return sit(game, value)
    account = member().account
    limit_account("bots" if kind == "bot" else "seats", account)
    if done := ACTS.get(kind):
        done(game, account, value)
    return go_to(url_for("home.front_page") if kind in ("leave", "clear") else table_address(game))


def sit(game: str, seat: str = "", invitation: str = "") -> Response:
    """A visitor sits down, and becomes a guest on the way if they have no account."""
    known = visitor()
    if not invitation:
        services().game_service.look(game, known.account if known else None)
    loaded = services().games.load(game)
    check_open(loaded)
    free_seat(loaded, seat)  # Nobody becomes a guest in vain.
    coming = arrive()
    limit_account("seats", coming.account)
    wanted = {"seat": seat, "nonce": "", "invitation": invitation}
    services().game_service.join(game, coming.account, wanted, Submission(), is_bot=coming.is_bot)
    return coming.welcomed(go_to(table_address(game)))


def leave(game: str, account: str, _: str) -> None:
    services().game_service.submit(game, Leave(account), Submission())


def seat_bot(game: str, account: str, _: str) -> None:
    services().reserve.check()
    wanted = {"bot": field("bot") or USUAL, "seat": "", "pace_ms": None}
    services().game_service.seat_bot(game, account, wanted, Submission())


def remove(game: str, account: str, player: str) -> None:
    services().game_service.remove(game, account, player, Submission())


def begin(game: str, account: str, _: str) -> None:
    services().game_service.submit(game, Start(account), Submission())


def clear(game: str, account: str, _: str) -> None:
    services().game_service.submit(game, Abort(account), Submission())


@waiting.post("/games/<game>/rematch")
@form_of(lambda refusal: raised(refusal))
def rematch(game: str) -> Response:
    """The same people once more, at a new table."""
    known = member()
    limit_account("tables", known.account)
    services().reserve.check()
    return go_to(table_address(services().rematches.ask(game, known.account, is_bot=known.bot).id))


def raised(refusal: Refused) -> NoReturn:
    """There is no page with this form alone: the page for errors tells the reason."""
    raise refusal


def may_rematch(game: Game, account: str | None) -> bool:
    """Whether the visitor can ask for another game of the same people."""
    return game.status == OVER and can_follow(game, account)


def can_follow(game: Game, account: str | None) -> bool:
    """Whether the visitor can do so once the game is over."""
    return not game.tournament and seat_of(game, account) is not None


ACTS: Mapping[str, Callable[[str, str, str], None]] = {
    "leave": leave,
    "bot": seat_bot,
    "remove": remove,
    "start": begin,
    "clear": clear,
}
