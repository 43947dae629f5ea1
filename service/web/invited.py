"""The page behind an invitation: what is played, who sits there, and one button to sit down. Nobody signs in first.

Whoever has the link may look at the seats of a private table, and at nothing else of it.
"""

from __future__ import annotations

from flask import Blueprint, Response, request, url_for

from events.errors import NoSuchGame
from events.table.game import OPEN, Game
from rules.catalogue import game_named, rules_named
from rules.errors import Refused
from rules.texts import Text, Value, say, say_many
from service.games import pictures
from service.games.access import seat_of
from service.games.bot_names import bot_names
from service.games.game_summary import summary
from service.http.authentication import count_image, limit
from service.http.context import services
from service.http.responses import conditional
from service.language import rendered
from service.web.addresses import table_address
from service.web.cards import game_line
from service.web.forms import form_of, go_to
from service.web.pages import page
from service.web.times import pace
from service.web.visitors import visitor
from service.web.waiting import chairs, sit, title

invited = Blueprint("invited", __name__, template_folder="templates")

PNG = "image/png"
SECONDS_TO_KEEP = 60


@invited.after_request
def keep_private(response: Response) -> Response:
    """The link is a secret: no other site is told where it was."""
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def invited_to(game: str, word: str) -> Game:
    """The table, if the word opens it. Without it a private table does not exist."""
    limit("reads_from_an_address")
    loaded, account = services().games.load(game), known.account if (known := visitor()) else ""
    if not services().game_service.is_invited(loaded, word, account):
        raise NoSuchGame(say("there is no such invitation"))
    return loaded


@invited.get("/join/<game>/<word>")
def invitation(game: str, word: str, refusal: Refused | None = None) -> Response:
    loaded = invited_to(game, word)
    account = known.account if (known := visitor()) else ""
    if seat_of(loaded, account):
        return go_to(table_address(game))
    return page(
        "invited.html",
        refusal=refusal,
        game=loaded,
        title=title(loaded),
        line=game_line(summary(loaded)),
        pace=pace(loaded.time),
        chairs=chairs(loaded, account),
        is_open=loaded.status == OPEN,
        is_full=loaded.is_full,
        may_watch=loaded.is_visible_to(account),
        table=table_address(game),
        about=about(loaded),
        address=url_for("invited.invitation", game=game, word=word, _external=True),
        picture=url_for("invited.picture", game=game, word=word, _external=True),
        sit=url_for("invited.sit_down", game=game, word=word),
    )


def about(game: Game) -> Text:
    """In a sentence, for the preview that other programs show."""
    if game.status != OPEN:
        return say("The game has begun without you.")
    free = len(game.players) - len(game.seats)
    if not free:
        return say("All seats are taken.")
    return say_many(
        "{count} seat is free. No account is needed.", "{count} seats are free. No account is needed.", free
    )


def shown_again(refusal: Refused) -> Response:
    named = request.view_args or {}
    return invitation(named["game"], named["word"], refusal)


@invited.post("/join/<game>/<word>")
@form_of(shown_again)
def sit_down(game: str, word: str) -> Response:
    """The visitor takes a free seat, or the one that the invitation is for."""
    invited_to(game, word)
    return sit(game, invitation=word)


@invited.get("/join/<game>/<word>/picture.png")
def picture(game: str, word: str) -> Response:
    """The image that other programs show beside the link: the map, and the seats."""
    loaded = invited_to(game, word)
    response = conditional(f"invited.{loaded.version}", lambda: drawn(loaded))
    response.headers["Cache-Control"] = f"private, max-age={SECONDS_TO_KEEP}"
    return response


def drawn(game: Game) -> Response:
    count_image(None, pictures.CARD[0])
    profiles, bots = services().accounts.profiles(game.seats.values()), bot_names(game.seats)

    def name(seat: str) -> str:
        profile = profiles.get(game.seats.get(seat, ""))
        return bots.get(seat) or (profile.handle if profile else rendered(say("a former player")))

    free = rendered(say("free"))
    seats = [
        pictures.Player(seat, name(seat)) if seat in game.seats else pictures.Player(seat, free, is_free=True)
        for seat in game.players
    ]
    ground = game_named(game.rules).picture.ground(rules_named(game.rules))
    caption = rendered(say("{game}, {pace}", game=game_line(summary(game)), pace=pace(game.time)))
    return Response(pictures.card(ground, (), "light", plain(title(game)), caption, seats), content_type=PNG)


def plain(words: Value) -> str:
    return rendered(words) if isinstance(words, Text) else str(words)
