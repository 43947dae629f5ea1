"""A game in two clicks: the start form makes a table, seats its bots, and leads to it."""

from __future__ import annotations

from flask import Blueprint, Response

from events.submission import Submission, new_id
from events.table.commands import Abort
from events.table.game import OPEN
from rules.errors import Refused
from service.http.authentication import limit_account
from service.http.context import services
from service.http.forms import field, form
from service.web.addresses import table_address
from service.web.arrivals import arrive
from service.web.forms import form_of, go_to
from service.web.home import shown_again
from service.web.start_form import WITH_BOTS, Start, read_start

start = Blueprint("start", __name__)


def home_again(refusal: Refused) -> Response:
    """With what was filled in."""
    return shown_again(read_start(form()), refusal)


@start.post("/start")
@form_of(home_again)
def begin() -> Response:
    wanted = read_start(form())
    coming = arrive()
    return coming.welcomed(go_to(table_address(opened(wanted, coming.account, field("key")[:64]))))


def opened(wanted: Start, account: str, key: str) -> str:
    """A table as the form wants it. A form that is sent twice makes it once."""
    limit_account("tables", account)
    services().reserve.check()
    service, submission = services().game_service, Submission(account, key or new_id())
    game = service.create(account, wanted.request(), submission)
    if wanted.company == WITH_BOTS:
        seat_bots(wanted, account, game.id)
    return game.id


def seat_bots(wanted: Start, account: str, game: str) -> None:
    """On all free seats. If that is refused, the table that nobody would find is cleared."""
    service = services().game_service
    try:
        while (known := service.look(game, account)).status == OPEN and not known.is_full:
            limit_account("bots", account)
            service.seat_bot(game, account, wanted.seat_bot(), Submission())
    except Refused:
        service.submit(game, Abort(account), Submission())
        raise
