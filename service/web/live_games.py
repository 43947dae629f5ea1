"""Lists of games on a page, which a script keeps up to date.

It asks for the page's address again every few seconds, with `part=games`: a client that has the games as they are gets
304, and nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from flask import Response, request

from rules.texts import Text
from service.games.gallery import PicturedPage
from service.http.authentication import limit, limit_account
from service.http.responses import conditional
from service.web.cards import Card
from service.web.pages import page
from service.web.study_shelf import StudyShelf
from service.web.visitors import visitor

A_FEW, A_PAGE = 6, 24


class Empty(NamedTuple):
    """What stands in place of games: a sentence, and a way on."""

    title: Text
    text: Text | None = None
    link: str = ""
    label: Text | None = None


class Section(NamedTuple):
    """A list of games on the page."""

    name: str
    title: Text
    cards: list[Card]
    empty: Empty
    whole: str = ""
    """The address of the whole list, if this is only its beginning."""
    newest: str = ""
    """The address of its first page, if this is another."""
    next: str = ""
    """The address of the next page, if there is one."""


def count_reading() -> None:
    """A page of games costs more than one game."""
    if known := visitor():
        limit_account("lists", known.account)
    else:
        limit("lists_from_an_address")


def tag(pages: Mapping[str, PicturedPage], *more: object) -> str:
    """Another, if anything has changed; clocks aside, which the script counts down."""
    account = known.account if (known := visitor()) else ""
    games = [
        f"{name}/{each.game.id}/{each.game.version}/{each.is_verified}"
        for name, page in pages.items()
        for each in page.games
    ]
    words = [account, *games, *map(str, more), str(is_partial(pages))]
    return sha256("\0".join(words).encode()).hexdigest()[:24]


def is_partial(pages: Mapping[str, PicturedPage]) -> bool:
    """Whether there are more games than the lists have yet."""
    return not all(page.is_complete for page in pages.values())


def live_page(
    template: str,
    part: str,
    tag: str,
    shown: Callable[[], Mapping[str, Any]],
    studies: Callable[[], StudyShelf | None],
    more: Callable[[], Mapping[str, Any]] = dict,
) -> Response:
    """The page with some studies and more, or the part of it that its script asks for."""
    if request.args.get("part") == "games":
        return conditional(tag, lambda: page(part, tag=tag, **shown()))
    return page(template, tag=tag, studies=studies(), **more(), **shown())
