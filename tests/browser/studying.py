"""A game with a veto window by construction, studies of it, and people who have the studio open."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from events.games import Games
from events.table.commands import Join, Play, Start
from rules.el_grande.commands import ChooseActionCard, Special
from rules.errors import RuleBroken
from rules.kernel import Answer, Decision, State, TimeUp, options, play, waiting
from rules.simulation import random_answer, random_decision
from tests.browser.replaying import behind
from tests.events.played import play_on
from tests.running import Service

VETO = "s2_veto"
MOST_DEALS = 500
SECONDS = 60
ASKED = """async ([path, body]) => {
    const headers = { "Content-Type": "application/json" };
    if (body) headers["X-CSRF-Token"] = (await (await fetch("/api/v1/me")).json()).csrf;
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await fetch(`/api/v1/${path}`, { headers, ...sent });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.headers.get("Content-Type").includes("json") ? answer.json() : answer.text();
}"""


# A game


class Guest(NamedTuple):
    account: str
    handle: str
    session: str


class Played(NamedTuple):
    game: str
    veto: int
    """The step after which the holder of the veto is asked."""
    players: list[Guest]


def guests(service: Service, count: int) -> list[Guest]:
    with behind(service) as wired:
        found = [wired.accounts.make_guest() for _ in range(count)]
        return [Guest(each.id, each.handle, wired.accounts.sessions.open(each.id).secret) for each in found]


def with_a_veto(service: Service) -> Played:
    """A game of four guests to its end."""
    players = guests(service, 4)
    with behind(service) as wired:
        chance = random.Random(5)  # of all seeds one that deals the veto early
        game = dealt(Games(wired.games.log, draw=chance.randbytes), [player.account for player in players])
        asked = play_to_a_veto(wired.games, game, random.Random(7).randrange)
        play_on(wired.games, game, random.Random(8).randrange)
    return Played(game, asked, players)


def dealt(games: Games, accounts: list[str]) -> str:
    """Tables are set until the veto lies open in the first round."""
    for _ in range(MOST_DEALS):
        game = str(games.create("el_grande", len(accounts), {"game_length": "short"}, owner=accounts[0]).id)
        for account in accounts:
            games.submit(game, Join(account))
        games.submit(game, Start(accounts[0]))
        board: Any = games.load(game).state.board
        if any(card.startswith(VETO) for card in board.face_up):
            return game
    raise AssertionError(f"the veto is never turned up first in {MOST_DEALS} deals")


def play_to_a_veto(games: Games, game: str, pick) -> int:
    """The first player takes the veto, and the next one performs a special action, so that the holder is asked."""
    while True:
        loaded = games.load(game)
        state = loaded.state
        assert not state.is_over, "nobody performs a special action"
        if any(decision.kind == "veto" for seat in waiting(state) for decision in options(state, seat)):
            return loaded.version
        games.submit(game, Play(answer(state, random_decision(state, pick), pick)))


def answer(state: State, decision: Decision, pick) -> Answer | TimeUp:
    """The card with the veto, a special action, or anything else."""
    for command in (ChooseActionCard(stack=2), Special()):
        wanted = Answer(decision.player, decision.id, command)
        with suppress(RuleBroken):
            play(state, wanted)
            return wanted
    return random_answer(state, decision, pick)


# People


class Desk:
    """A browser with the studio open, and all that it complains of."""

    def __init__(self, service: Service, page: Page) -> None:
        self.service, self.page, self.complaints = service, page, list[str]()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog {dialog.message}"))

    def asked(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """The answer of the interface to this person."""
        return self.page.evaluate(ASKED, [path, body])

    def begin(self, game: str, title: str = "Vetoes") -> str:
        self.page.goto(f"{self.service.url}/studies")
        return str(self.asked("studies", {"title": title, "game": game})["id"])

    def edit(self, study: str, **edit: Any) -> dict[str, Any]:
        sent = {name: value for name, value in ({"chapter": "k1"} | edit).items() if value is not None}
        found: dict[str, Any] = self.asked(f"studies/{study}/edits", sent)
        return found

    def open(self, study: str, query: str = "") -> Desk:
        self.page.goto(f"{self.service.url}/studies/{study}?{query}")
        self.page.wait_for_selector("[data-ready]")
        return self

    @property
    def node(self) -> str:
        return str(self.page.locator("[data-replay]").get_attribute("data-node-now"))

    def chapter(self, study: str, viewer: str = "everything") -> dict[str, Any]:
        found: dict[str, Any] = self.asked(f"studies/{study}/chapters/k1?viewer={viewer}")
        return found

    def notes(self, study: str, node: str | int) -> dict[str, Any]:
        nothing: dict[str, Any] = {"comments": [], "glyphs": [], "marks": []}
        return dict(self.chapter(study)["notes"].get(str(node), nothing))

    def part(self, name: str):
        return self.page.locator(f'[data-part="{name}"]')

    def at(self, space: str) -> tuple[float, float]:
        """Where a space of the map is on the screen."""
        x, y = self.page.evaluate(
            """(space) => {
                const { ground } = JSON.parse(document.getElementById("game").textContent);
                const matrix = document.querySelector("svg[data-board]").getScreenCTM();
                const { x, y } = new DOMPoint(...ground.spaces[space]).matrixTransform(matrix);
                return [x, y];
            }""",
            space,
        )
        return x, y


@contextmanager
def seated(chromium: Browser, service: Service, guest: Guest | None = None, **options: Any) -> Iterator[Desk]:
    """A browser of its own, signed in as a guest."""
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"} | options)
    context.set_default_timeout(SECONDS * 1000)
    if guest:
        context.add_cookies([{"name": "hidalgo_session", "value": guest.session, "url": service.url}])
    yield Desk(service, context.new_page())
    context.close()


def until(holds: Callable[[], object]) -> None:
    """Waits; our policy forbids a browser to make a function of a text, which would wait inside of it."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never came so"
        time.sleep(0.05)


def answer_by_keys(page: Page) -> None:
    """Whatever can be answered without picking anything; else the first thing that can be picked."""
    ready = page.locator(".prompt .acts button:not(.ghost):not(:disabled)")
    if not ready.count():
        page.locator('.prompt [role="radio"], .prompt .tray button, .target.legal').first.press("Enter")
    ready.last.press("Enter")


def tree(desk: Desk, study: str) -> dict[str, Any]:
    """All that is in the chapter, by the places of its moves; a file names authors, but gives nobody their account."""
    chapter = desk.chapter(study)
    places, children = dict[str, str](), Counter[str]()
    for node in chapter["nodes"]:
        parent = places.get(node["parent"], node["parent"])
        places[node["id"]] = f"{parent}/{children[parent]}"
        children[parent] += 1
    nodes = {
        places[node["id"]]: {key: node[key] for key in ("label", "seat", "move", "story")} for node in chapter["nodes"]
    }
    notes = {places.get(node, node): written(note) for node, note in chapter["notes"].items()}
    return {"nodes": nodes, "notes": notes}


def written(note: dict[str, Any]) -> dict[str, Any]:
    """Without ids and authors."""
    kept = {key: [dict(each) for each in note[key]] for key in ("comments", "marks")}
    for each in (*kept["comments"], *kept["marks"]):
        each.pop("by")
        each.pop("id")
    return {**kept, "glyphs": note["glyphs"]}
