"""People at the table: each has a browser, looks at nothing but the page, and presses what it offers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from events.games import Games
from events.table.commands import Join, Play, Start
from events.table.time_control import TimeControl
from rules.el_grande.game import EL_GRANDE
from rules.kernel import Answer, TimeUp
from tests.browser.hands import FOCUS, GROUPED, click
from tests.browser.replaying import behind
from tests.browser.studying import Desk, Guest, guests, seated, until
from tests.running import Service

OFFERED = """() => {
  const root = document.querySelector("#prompt"), page = document.querySelector("[data-table]");
  const ids = (selector, from = root) => [...from.querySelectorAll(selector)].map((each) => each.dataset.focus);
  return {
    version: Number(page.dataset.version), status: page.dataset.status, asked: !root.hidden, kind: root.dataset.kind,
    question: root.querySelector("h2")?.textContent ?? "",
    busy: root.getAttribute("aria-busy") === "true", armed: root.hasAttribute("data-armed"),
    commit: Boolean(root.querySelector(".commit:enabled")),
    answers: ids(".answer:enabled"),
    radios: ids('[role="radiogroup"]:not(:has([aria-checked="true"])) [role="radio"]:not([aria-disabled])'),
    checked: ids('[role="radio"][aria-checked="true"]'),
    veto: ids('[role="radio"]:not([aria-disabled]):has(use[href$="#veto"])'),
    more: ids('.stepper [data-focus$=":more"]:enabled'),
    targets: ids('.prompt-targets [role="button"].legal', document),
    ways: ids('.acts [data-focus^="way:"]:enabled'),
  };
}"""
"""What the page offers to a player, as far as it is seen."""

MOST_PRESSES = 4000


class TablePlayer(Desk):
    """A player with a mouse."""

    def __init__(self, service: Service, page: Page, guest: Guest | None = None, seat: str = "") -> None:
        super().__init__(service, page)
        self.guest, self.seat = guest, seat
        self.pick = random.Random(seat).randrange
        self.vetoed = 0

    def sit(self, game: str) -> TablePlayer:
        self.page.goto(f"{self.service.url}/games/{game}")
        self.page.wait_for_selector("[data-table][data-ready]")
        return self

    @property
    def offered(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(OFFERED)
        return found

    @property
    def version(self) -> int:
        return int(self.page.locator("[data-table]").get_attribute("data-version") or 0)

    def press(self, id: str) -> None:
        """Where the thing is seen, and nothing else; it may be gone by now."""
        click(self.page, id)

    def act(self) -> bool:
        """Press one thing, if the page asks this player; says whether it did."""
        offered = self.offered
        if not offered["asked"] or offered["busy"]:
            return False
        self.press(self.chosen(offered))
        return True

    def chosen(self, offered: dict[str, Any]) -> str:
        if offered["answers"]:
            return self.answer(offered)
        if offered["commit"] and (offered["checked"] or not offered["targets"] or self.pick(3)):
            return "commit"
        if offered["kind"] == "choose_card" and offered["veto"]:
            return str(offered["veto"][0])
        choices = [*offered["targets"], *offered["more"], *offered["radios"]]
        if "way:special" in offered["ways"] and (not choices or self.pick(2)):
            return "way:special"
        choices = choices or offered["ways"]
        assert choices or offered["commit"], f"nothing can be pressed: {offered}"
        if "place:castillo" in choices and self.pick(3) == 0:
            return "place:castillo"
        return str(choices[self.pick(len(choices))]) if choices else "commit"

    def answer(self, offered: dict[str, Any]) -> str:
        """The first veto is spent, however often that must be said; then everything is allowed."""
        self.vetoed = self.vetoed or offered["version"]
        if self.vetoed == offered["version"]:
            return "answer:veto"
        return str(offered["answers"][0])

    def panel_scores(self) -> dict[str, int]:
        found = self.page.locator("[data-part=players] > li").evaluate_all(
            "items => items.map((each) => [each.dataset.panel, Number(each.querySelector('.points').firstChild.data)])"
        )
        return {seat: int(score) for seat, score in found}


SHORTCUTS = {place.key: place.shortcut for place in EL_GRANDE.picture.ground(EL_GRANDE.rules()).places}
ANSWERS = {"answer:allow": "a", "answer:allow_rest": "r", "answer:veto": "v"}
MOST_TABS, MOST_ARROWS = 20, 20


class KeyPlayer(TablePlayer):
    """A player with nothing but a keyboard."""

    def press(self, id: str) -> None:
        keyboard = self.page.keyboard
        if id == "commit":
            keyboard.press("c")
        elif id in ANSWERS:
            keyboard.press(ANSWERS[id])
        elif id.startswith("place:"):
            keyboard.press(SHORTCUTS[id.removeprefix("place:")])
            keyboard.press("Enter")
        else:
            self.go_to(id)
            keyboard.press("Enter")

    def go_to(self, id: str) -> None:
        """From the question on, or back: tabs lead to a group of buttons, arrows through it; of pieces, the nearest."""
        for key in ("Tab", "Shift+Tab"):
            self.page.keyboard.press("p")
            for _ in range(MOST_TABS):
                if self.is_at(id):
                    return
                self.page.keyboard.press(key)
        raise AssertionError(f"the keyboard does not lead to {id}")

    def is_at(self, id: str) -> bool:
        for _ in range(MOST_ARROWS):
            focus = self.page.evaluate(FOCUS)
            if focus == id or (focus.startswith("piece:") and id.startswith("piece:")):
                return True
            if not self.page.evaluate(GROUPED, ["radio", id]):
                return False
            self.page.keyboard.press("ArrowRight")
        return False


@contextmanager
def gathered(
    service: Service,
    chromium: Browser,
    count: int,
    *,
    time: TimeControl | None = None,
    length: str = "short",
    before: Sequence[Answer | TimeUp] = (),
    deal: random.Random | None = None,
    **options: Any,
) -> Iterator[tuple[str, list[TablePlayer]]]:
    """A game that has begun, and a browser on each of its seats."""
    people = guests(service, count)
    with behind(service) as wired:
        games = Games(wired.games.log, draw=deal.randbytes) if deal else wired.games
        game = str(games.create("el_grande", count, {"game_length": length}, owner=people[0].account, time=time).id)
        for person in people:
            games.submit(game, Join(person.account))
        games.submit(game, Start(people[0].account))
        for answer in before:
            games.submit(game, Play(answer))
        loaded = games.load(game)
        wired.index.put(loaded)
    seats = {account: seat for seat, account in loaded.seats.items()}
    with ExitStack() as ending:
        players = []
        for person in people:
            desk = ending.enter_context(seated(chromium, service, person, **options))
            players.append(TablePlayer(service, desk.page, person, seats[person.account]).sit(game))
        yield game, players


def play_on(players: Sequence[TablePlayer], while_true: Any = lambda: True) -> int:
    """All of them press what is offered, until the game is over or something holds no more. Gives the presses."""
    for presses in range(MOST_PRESSES):
        if not while_true():
            return presses
        if not any(player.act() for player in players):
            if all(player.offered["status"] != "running" for player in players):
                return presses
            players[0].page.wait_for_timeout(30)
    raise AssertionError("no end")


def agree(players: Sequence[TablePlayer]) -> None:
    """All browsers come to show the same version."""
    until(lambda: len({player.version for player in players}) == 1)
