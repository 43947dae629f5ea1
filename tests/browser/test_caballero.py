"""El Caballero in a browser: tiles and cards that are turned in their place, and whole games by pressing what glows."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from events.table.commands import Play
from rules.kernel import TimeUp, decision_id, waiting
from tests.browser.asking import Table, ask, ready

RULES = "el_caballero"
AT_THE_THUMB = "#prompt { position: fixed; inset: auto 0 0; z-index: 9; }"
"""On a telephone the prompt is a sheet at the bottom."""

STILL = "a game in which nothing happens"
TURNED = "asking.prompt.draft.turned"
SEEN = """() => {
  const seen = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("[data-focus]") === node;
  };
  const legal = [...document.querySelectorAll(".prompt-targets .legal[role=button]")];
  return legal.filter(seen).map((node) => node.dataset.focus);
}"""
"""What glows on the map and is not covered."""

MIDDLE = """(id) => {
  const { left, top, width, height } = document.querySelector(`[data-focus="${id}"]`).getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


@pytest.fixture
def desk(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", bypass_csp=True)
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def telephone(chromium):
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce", bypass_csp=True
    )
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def asked(table: Table) -> tuple[str, str] | None:
    """Who is asked, and for what; nothing once the game is over."""
    with table._games() as (_, games):
        state = games.load(table.game).state
        return None if state.is_over else (waiting(state)[0], state.agenda[0].asks(state))


def by_default(table: Table, kind: str) -> None:
    """Everybody runs out of time while this is asked."""
    while (now := asked(table)) and now[1] == kind:
        with table._games() as (_, games):
            games.submit(table.game, Play(TimeUp(now[0], decision_id(games.load(table.game).state, now[0]))))


class Player:
    """A person at a page who knows no rules: presses what is offered."""

    def __init__(self, page: Page, table: Table, seat: str, is_touching: bool = False) -> None:
        self.page, self.table, self.seat, self.is_touching = page, table, seat, is_touching
        ready(page, Table(table.service, 2, RULES, STILL, mode="basic"))
        if is_touching:
            page.add_style_tag(content=AT_THE_THUMB)
        page.evaluate("([game, tokens]) => asking.open(game, tokens)", [table.game, {seat: table.tokens[seat]}])

    def press(self, what: Locator) -> None:
        if self.is_touching:
            what.tap()
        else:
            what.click()

    def button(self, name: str) -> Locator:
        return self.page.locator("#prompt .acts").get_by_role("button", name=name, exact=True)

    def look(self) -> None:
        self.page.evaluate("seat => asking.next(seat)", self.seat)

    def cell(self) -> str:
        """A cell that glows; the map is as large as its frame, so that some of it is always seen."""
        return str(self.page.evaluate(SEEN)[0])

    def on_map(self, id: str) -> None:
        x, y = self.page.evaluate(MIDDLE, id)
        if self.is_touching:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def commit(self) -> None:
        self.press(self.page.locator("#prompt .commit:enabled"))
        self.page.wait_for_function("document.getElementById('prompt').hidden")
        assert self.page.evaluate("asking.refusals") == []

    def play_power_card(self) -> None:
        self.look()
        self.press(self.page.locator("#prompt .pc:not(.gone)").first)
        self.commit()

    def take_turn(self) -> None:
        self.look()
        if self.page.locator("#prompt .stepper").count():
            self.commit()
            self.look()
        while self.way("Sector tile") or self.page.locator("#prompt .pictured").count():
            self.press(self.page.locator("#prompt .pictured:not([aria-disabled])").first)
            self.on_map(self.cell())
            self.commit()
            if asked(self.table) != (self.seat, "turn"):
                return
            self.look()
        if self.way("Caballero card"):
            self.on_map(self.cell())
            self.commit()
            if asked(self.table) != (self.seat, "turn"):
                return
            self.look()
        self.press(self.button("End turn"))
        self.page.wait_for_function("document.getElementById('prompt').hidden")

    def way(self, name: str) -> bool:
        """Turns to another kind of answer, if it is offered."""
        button = self.page.locator("#prompt .acts button:not(.commit)").get_by_text(name, exact=True)
        if not button.count():
            return False
        self.press(button)
        return True


def test_a_tile_is_turned_in_its_place_by_key_wheel_button_and_tap(service, desk):
    table = Table(service, 2, RULES, "turning", mode="basic")
    by_default(table, "power")
    now = asked(table)
    assert now
    player = Player(desk, table, now[0])
    player.look()
    player.way("Sector tile")
    desk.locator("#prompt .pictured:not([aria-disabled])").first.click()
    for id in desk.evaluate(SEEN):
        player.on_map(id)
        if desk.evaluate("asking.prompt.draft.canTurn"):
            break
    turns = desk.evaluate("asking.prompt.draft.turns")
    assert len(turns) > 1
    assert desk.evaluate(TURNED) == turns[0]
    assert desk.locator(".prompt-marks .placed").count() == 1
    desk.keyboard.press("r")
    assert desk.evaluate(TURNED) == turns[1]
    desk.keyboard.press("Shift+R")
    assert desk.evaluate(TURNED) == turns[0]
    desk.locator("#prompt .turn").click()
    assert desk.evaluate(TURNED) == turns[1]
    player.on_map(id)  # a tap on what was picked
    assert desk.evaluate(TURNED) == turns[2 % len(turns)]
    desk.mouse.wheel(0, -100)
    desk.wait_for_function(f"{TURNED}.rotation === {turns[1]['rotation']}")
    desk.keyboard.press("z")
    assert desk.evaluate(TURNED) == turns[2 % len(turns)]
    player.commit()
    move = desk.evaluate("asking.moves.at(-1)")
    assert (move["kind"], move["rotation"], f"place:{move['at']}") == (
        "place_tile",
        turns[2 % len(turns)]["rotation"],
        id,
    )


def test_the_map_is_looked_at_as_a_whole_when_it_grows(service, desk):
    table = Table(service, 2, RULES, "growing", mode="basic")
    ready(desk, table)
    before = desk.locator("svg[data-board]").get_attribute("viewBox")
    for _ in range(5):
        by_default(table, "power")
        by_default(table, "turn")
    now = asked(table)
    assert now
    ask(desk, table, now[0])
    after = desk.locator("svg[data-board]").get_attribute("viewBox")
    assert before != after == desk.locator("svg.board.ground").get_attribute("viewBox")
    state = desk.evaluate("fetch(`/api/v1/games/${asking.game}/state`).then((answer) => answer.json())")["state"]
    assert tiles(desk) == len(state["tiles"])


def test_one_can_look_closer_and_move_the_map(service, desk):
    table = Table(service, 2, RULES, "closer", mode="basic")
    ready(desk, table)
    by_default(table, "power")
    now = asked(table)
    assert now
    ask(desk, table, now[0])
    whole = box(desk)
    desk.keyboard.press("+")
    assert box(desk)[2] < whole[2]
    desk.keyboard.press("0")
    assert box(desk) == whole
    board = desk.locator("svg[data-board]").bounding_box()
    assert board
    x, y = board["x"] + board["width"] / 2, board["y"] + board["height"] / 3
    desk.mouse.move(x, y)
    for _ in range(4):
        desk.mouse.wheel(0, -100)
    desk.wait_for_function(f"document.querySelector('svg[data-board]').viewBox.baseVal.width < {whole[2] / 2}")
    close = box(desk)
    assert close == box(desk, "svg.board.ground")
    desk.mouse.down()
    desk.mouse.move(x - 60, y, steps=4)
    desk.mouse.up()
    assert box(desk)[0] > close[0]
    assert desk.evaluate("asking.prompt.draft.now.values") == {
        "amount": desk.evaluate("asking.prompt.draft.range('amount')[1]")
    }


def box(page: Page, what: str = "svg[data-board]") -> list[float]:
    return [float(value) for value in str(page.locator(what).get_attribute("viewBox")).split()]


@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_whoever_presses_only_what_glows_is_never_refused(service, desk, mode):
    play_by_what_glows(service, desk, mode, 20)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_whole_games_can_be_played_by_what_glows(service, desk, mode):
    assert play_by_what_glows(service, desk, mode, 10_000)


def play_by_what_glows(service, page, mode, moves) -> bool:
    table = Table(service, 2, RULES, f"glow {mode}", mode=mode)
    ready(page, Table(service, 2, RULES, STILL, mode="basic"))
    page.evaluate("([game, tokens]) => asking.open(game, tokens)", [table.game, table.tokens])
    made = page.evaluate("([seed, most]) => asking.play(seed, most)", [11, moves])
    assert page.evaluate("asking.refusals") == []
    assert made >= min(moves, 40)
    return asked(table) is None


def play_together(service, desk, telephone, rounds: int) -> Table:
    """One sits at a desk with a mouse, the other has a telephone."""
    table = Table(service, 2, RULES, "together", mode="basic")
    people = {"red": Player(desk, table, "red"), "blue": Player(telephone, table, "blue", is_touching=True)}
    while now := asked(table):
        seat, kind = now
        if kind == "power":
            people[seat].play_power_card()
        else:
            people[seat].take_turn()
        with table._games() as (_, games):
            board: Any = games.load(table.game).state.board
            if board.round > rounds:
                break
    return table


def test_two_people_play_by_clicking_and_by_touch(service, desk, telephone):
    table = play_together(service, desk, telephone, 1)
    assert asked(table)


@pytest.mark.long
def test_two_people_play_a_whole_game_by_clicking_and_by_touch_and_look_back(service, desk, telephone):
    table = play_together(service, desk, telephone, 99)
    assert asked(table) is None
    for page in (desk, telephone):
        page.goto(f"{table.service.url}/games/{table.game}/replay")
        page.wait_for_selector("[data-ready]")
        page.wait_for_selector("[data-part=badge][data-state=verified]")
        assert tiles(page) == 1  # one looks back from the beginning
        page.keyboard.press("End")
        page.wait_for_function("document.querySelectorAll('[data-layer=tiles] > g').length > 14")
        page.keyboard.press("Home")
        page.wait_for_function("document.querySelectorAll('[data-layer=tiles] > g').length === 1")


def tiles(page: Page) -> int:
    return page.locator("[data-layer=tiles] > g").count()
