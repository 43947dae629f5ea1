"""The studio in a browser, for `hidalgo bench viewer`: how fast a move is tried, and how fast a large study opens."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec

from events.games import Games
from events.submission import Submission
from replay.study.commands import AddChapter
from replay.study.study import TriedMove
from replay.study.variations import decisions, tried
from rules.catalogue import DEFAULT
from rules.codec import encode
from rules.kernel import EVERYTHING
from rules.simulation import random_command, random_decision
from service.services import Services

CHAPTERS, NODES = 64, 3000
LONGEST_LINE = 12
MOST_LOOKS, BETWEEN_LOOKS_MS = 600, 50
WINDOW = {"width": 1280, "height": 800}
SESSION = "hidalgo_session"
CHOICE = "choose_card"
"""A decision that is answered by picking one thing."""
ASKED = ".prompt:not([hidden]):not([aria-busy=true])"
PICKED = ".prompt [role=radio]:not([aria-disabled=true]), .prompt .tray button:not(:disabled)"

OPENED = """() => {
  new MutationObserver((_, observer) => {
    if (!document.querySelector("[data-study][data-ready]")) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => (window.opened = performance.now());
      channel.port2.postMessage(0);
    });
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
}"""
"""From the beginning of the navigation to the frame that shows the study and answers keys."""

TRIED = """() => {
  const page = document.querySelector("[data-study]"), from = page.dataset.nodeNow;
  let began = 0;
  document.addEventListener("keydown", ({ timeStamp }) => (began = timeStamp), true);
  new MutationObserver((_, observer) => {
    if (page.dataset.nodeNow === from) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => (window.tried = performance.now() - began);
      channel.port2.postMessage(0);
    });
  }).observe(page, { attributes: true, attributeFilter: ["data-node-now"] });
}"""
"""From the key that sends a move to the frame that shows the position after it."""


class Shelf(NamedTuple):
    """Studies to be measured, and the session of their owner."""

    session: str
    small: str
    large: str
    steps: list[int]
    """At which a choice is asked for."""


def shelf(wired: Services, game: str) -> Shelf:
    """A study with one chapter, and one with 64 and 3,000 tried moves, nearly all of them in the chapter that opens."""
    account = wired.accounts.make_guest().id
    session = wired.accounts.sessions.open(account).secret
    small, large = (wired.study_service.create(account, title, "private", Submission()).id for title in ("One", "All"))
    add(wired, small, AddChapter(account, "One", game, EVERYTHING))
    first = NODES - CHAPTERS + 1
    for number in range(CHAPTERS):
        variations = lines(wired.games, account, game, 1 if number else first, random.Random(number))
        add(wired, large, AddChapter(account, f"Chapter {number + 1}", game, EVERYTHING, variations))
    return Shelf(session, small, large, choices(wired.games, game))


def choices(games: Games, game: str) -> list[int]:
    """The steps after which one thing is to be picked."""
    last = games.load(game).version
    states = ((version, games.load(game, version).state) for version in range(2, last))
    return [version for version, state in states if any(each.kind == CHOICE for each in decisions(state))]


def add(wired: Services, study: str, chapter: AddChapter) -> None:
    service = wired.study_service
    service.submit(service.look(study, chapter.account), chapter, Submission())


def lines(games: Games, account: str, game: str, count: int, chance: random.Random) -> dict[str, tuple[TriedMove, ...]]:
    """So many moves by the rules, in lines that branch off random steps."""
    found, made, last = defaultdict[str, tuple[TriedMove, ...]](tuple), 0, games.load(game).version
    while made < count:
        parent = str(chance.randrange(last // 4, last - 1))
        state = games.load(game, int(parent)).state
        for _ in range(min(LONGEST_LINE, count - made)):
            if state.is_over:
                break
            decision = random_decision(state, chance.randrange)
            command = msgspec.json.decode(encode(random_command(state, decision, chance.randrange)))
            sent = {"decision": decision.id, **command}
            trying, state = tried(account, "", parent, DEFAULT, state, decision.player, sent)
            made += 1
            move = TriedMove(f"m{made}", parent, account, trying.seat, trying.move, trying.facts, trying.schema)
            found[parent] = (*found[parent], move)
            parent = move.id
    return dict(found)


class Studio:
    """The studio pages of a service, in a browser, for the owner of the studies."""

    def __init__(self, browser: Any, url: str, shelf: Shelf) -> None:
        self.browser, self.url, self.shelf = browser, url, shelf

    @contextmanager
    def page(self) -> Iterator[Any]:
        """A page of a browser that knows nothing yet but who its owner is."""
        context = self.browser.new_context(viewport=WINDOW)
        context.add_cookies([{"name": SESSION, "value": self.shelf.session, "url": self.url}])
        yield context.new_page()
        context.close()

    def open(self) -> float:
        """Milliseconds until the large study can be used."""
        with self.page() as page:
            page.add_init_script(f"({OPENED})()")
            page.goto(f"{self.url}/studies/{self.shelf.large}")
            return taken(page, "opened")

    def branch(self, step: int) -> float:
        """Milliseconds of a move that is tried after a step."""
        with self.page() as page:
            page.goto(f"{self.url}/studies/{self.shelf.small}?node={step}&try=1")
            page.wait_for_selector(ASKED)
            page.locator(PICKED).first.press("Enter")
            page.evaluate(TRIED)
            page.keyboard.press("c")
            return taken(page, "tried")


def taken(page: Any, name: str) -> float:
    """The milliseconds that the page has noted. Our policy forbids it to wait for an expression by itself."""
    for _ in range(MOST_LOOKS):
        if found := page.evaluate(f"window.{name}"):
            return float(found)
        page.wait_for_timeout(BETWEEN_LOOKS_MS)
    raise AssertionError(f"the page is never {name}")
