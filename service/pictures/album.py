"""The album: which pages are pictured, by whom they are looked at, and in which sizes and colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from service.pictures.event import CLUB, EVENT
from service.pictures.stage import APP_ADDRESS, FINISHED, HOST, NEWCOMER, VIEWER_OF_BOARDS, WAITING

Scheme = Literal["light", "dark"]

SIZES = {1280: 800, 390: 844}
"""Widths, and the height of the window."""
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


class Guest(NamedTuple):
    """Somebody who has a page open meanwhile."""

    visitor: str
    path: str
    keys: Sequence[str] = ()


class Picture(NamedTuple):
    """A page to be pictured."""

    name: str
    path: str
    """What stands in braces is filled in by the stage."""
    visitor: str = ""
    """The account that looks at it; empty: nobody who is signed in."""
    until: str = "document.readyState === 'complete'"
    """What is true in the page when it is ready."""
    filled: Sequence[tuple[str, str]] = ()
    """Fields, and what is typed into them."""
    keys: Sequence[str] = ()
    """Pressed when it is ready."""
    then: str = "true"
    """What is true after that."""
    company: Sequence[Guest] = ()
    part: str = ""
    """What is pictured of the page; empty: the whole window."""
    widths: Sequence[int] = tuple(SIZES)
    is_without_store: bool = False
    """Whether the store has been stopped."""


class Shot(NamedTuple):
    picture: Picture
    width: int
    scheme: Scheme

    @property
    def file(self) -> str:
        return f"{self.picture.name}-{self.width}-{self.scheme}.png"


VIEWER = "document.querySelector('[data-part=badge]:not([hidden])')?.dataset.state === 'verified'"
GAME = "/games/picture-final/replay?as=everything"
"""Its rounds begin after steps 26, 48, 73…; the second general scoring ends with step 148."""

ISLANDS = "/games/picture-islands/replay?as=everything"

BOARDS = {"intrigue": 150, "colonies": 150, "grandissimo": 158}
"""Games with one expansion each, and a step in the middle of them."""
BOARD = "svg[data-board]"

TABLE = "document.querySelector('[data-table][data-ready][data-history]')"
SEATED = "document.querySelector('.prompt:not([hidden])')"

STUDIO = "document.querySelector('[data-ready]') && document.querySelectorAll('.people .on').length >= 2"
STUDY = "/studies/picture-veto?chapter=k3"
FRIENDS = (Guest("Bruno", f"{STUDY}&node=99"), Guest("Chiara", f"{STUDY}&node=m3", ("n", "W", "h", "y", "?")))
CONSENT = {
    "response_type": "code",
    "redirect_uri": APP_ADDRESS,
    "scope": "read play",
    "state": "s",
    "code_challenge": "c" * 43,
    "code_challenge_method": "S256",
}

PICTURES = (
    Picture("home", "/", HOST),
    Picture("home-stranger", "/"),
    Picture("waiting", f"/games/picture-{WAITING}", HOST),
    Picture("invited", f"/join/picture-{WAITING}/{{link}}"),
    Picture("chat", f"/games/picture-{FINISHED}/chat", HOST),
    Picture("watch", "/watch", HOST),
    Picture("table", "/games/picture-placing", HOST, TABLE, keys=("5", "Enter", "Enter", "8", "Enter"), then=SEATED),
    Picture("table-veto", "/games/picture-veto", HOST, TABLE, then=SEATED),
    Picture("table-disk", "/games/picture-disk", HOST, TABLE, then=SEATED),
    Picture("table-scoring", "/games/picture-scoring", HOST, TABLE),
    Picture("replay-beginning", f"{GAME}&step=26", until=VIEWER),
    Picture("replay-middle", f"{GAME}&step=110", until=VIEWER),
    Picture("replay-scoring", f"{GAME}&step=148", until=VIEWER),
    Picture("caballero-middle", f"{ISLANDS}&step=150", until=VIEWER),
    Picture("caballero-end", f"{ISLANDS}&step=9999", until=VIEWER),
    *(
        Picture(
            f"board-{name}",
            f"/games/picture-{name}/replay?as=everything&step={step}",
            VIEWER_OF_BOARDS,
            "document.querySelector('[data-ready]')",
            part=BOARD,
            widths=(1280,),
        )
        for name, step in BOARDS.items()
    ),
    Picture("tournaments", "/tournaments", HOST),
    Picture("tournament", f"/tournaments/{EVENT}", HOST),
    Picture("create-tournament", "/tournaments/new", CLUB),
    Picture("desk", f"/tournaments/{EVENT}/desk?kind=rewind", CLUB),
    Picture("standings", f"/tournaments/{EVENT}/standings", HOST),
    Picture("crosstable", f"/tournaments/{EVENT}/crosstable", HOST),
    Picture("wall", f"/tournaments/{EVENT}/wall"),
    Picture("studio", f"{STUDY}&node=99", HOST, STUDIO, company=FRIENDS),
    Picture(
        "studio-edit",
        f"{STUDY}&node=m8",
        HOST,
        STUDIO,
        keys=("t",),
        then="document.querySelector('.prompt:not([hidden])')",
        company=FRIENDS,
    ),
    Picture("studies", "/studies", HOST, company=FRIENDS),
    Picture("empty", "/studies", NEWCOMER),
    Picture("sign-in", "/sign-in"),
    Picture(
        "sign-up",
        "/sign-up",
        filled=[("[name=password]", "tizona y colada"), ("[name=handle]", "Teresa")],
        then="document.querySelector('[data-state=free]')",
    ),
    Picture("consent", f"/oauth/authorize?client_id={{app}}&{urlencode(CONSENT)}", HOST),
    Picture("account", "/account", HOST),
    Picture("not-found", "/wacth"),
    Picture("docs", "/docs"),
    Picture("store-away", "/", HOST, is_without_store=True),
)


def shots(names: Callable[[str], bool] = lambda name: True) -> Iterator[Shot]:
    """Every picture in each of its sizes, in every colour scheme."""
    for picture in PICTURES:
        if names(picture.name):
            yield from (Shot(picture, width, scheme) for width in picture.widths for scheme in SCHEMES)
