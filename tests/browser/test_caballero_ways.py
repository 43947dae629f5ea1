"""Every action of El Caballero by mouse, by touch and by keyboard alone; and the nearest thing that cannot be done."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from events.games import Games
from events.log.memory import MemoryLog
from rules.forms import Form
from rules.kernel import Answer, State, TimeUp, options, play, waiting
from rules.simulation import random_answer, random_decision
from tests.browser.asking import Table, ask, chance, ready, set_up
from tests.browser.hands import SPOT, Hand, Keys, Mouse, Touch

RULES, ADVANCED = "el_caballero", {"mode": "advanced"}
SEEDS = (13, *range(12))
"""Of random games: in the first one every action comes early, until the rules ask otherwise."""

KINDS = (
    "play_power_card", "take_supply", "place_tile", "place_caballero", "increase_caballero", "buy_ship", "deploy_ship",
    "move_ship", "return_ship", "build_castle", "move_castle", "return_caballero", "place_governor", "place_grande",
    "move_grande", "end_turn",
)  # fmt: skip
HANDS = {"mouse": Mouse, "touch": Touch, "keys": Keys}

OFFERED = """() => {
  const root = document.getElementById("prompt");
  const ids = (selector, from = root) => [...from.querySelectorAll(selector)].map((each) => each.dataset.focus);
  return {
    isReady: Boolean(root.querySelector(".commit:enabled")),
    radios: ids('[role="radiogroup"]:not(:has([aria-checked="true"])) [role="radio"]:not([aria-disabled])'),
    targets: ids('.prompt-targets [role="button"].legal', document),
  };
}"""

BARRED = """() => [...document.querySelectorAll('.prompt-targets [role="button"][aria-disabled="true"]'),
  ...document.querySelectorAll('#prompt [role="radio"][aria-disabled]')].map((each) => each.dataset.focus)"""


BESIDE = """() => asking.prompt.stage.shown.filter(({ isQuiet, isLegal }) => isQuiet && !isLegal).map(({ id }) => id)"""
"""Places where pieces could stand, and none does."""


class Found(NamedTuple):
    """Where an action can be taken."""

    seed: int
    before: tuple[Answer | TimeUp, ...]
    seat: str

    def table(self, service) -> Table:
        table = Table(service, 2, RULES, self.seed, **ADVANCED)
        table.play(self.before)
        return table


@cache
def found() -> dict[str, Found]:
    known: dict[str, Found] = {}
    for seed in SEEDS:
        for here, forms in looked_at(seed):
            for form in forms:
                known.setdefault(form.kind, here)
        if set(known) >= set(KINDS):
            break
    return known


def looked_at(seed: int) -> Iterator[tuple[Found, Sequence[Form]]]:
    """All questions of a random game, and how they may be answered."""
    state: State[Any] = set_up(Games(MemoryLog(), draw=chance(seed)), 2, RULES, ADVANCED, ("a_0", "a_1")).state
    pick = random.Random(seed).randrange
    before: tuple[Answer | TimeUp, ...] = ()
    while not state.is_over:
        for seat in waiting(state):
            [decision] = options(state, seat)
            yield Found(seed, before, seat), decision.forms
        answer = random_answer(state, random_decision(state, pick), pick)
        state, before = play(state, answer)[1], (*before, answer)


@pytest.fixture(scope="module")
def desk(service, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(20_000)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield ready(page, Table(service, 2, RULES, "desk", **ADVANCED))
    context.close()
    assert [each for each in complaints if "422" not in each] == []


def by_hand() -> Iterator[Any]:
    """Every action by one hand; by the others where there is time."""
    for number, kind in enumerate(KINDS):
        for turn, (name, hand) in enumerate(HANDS.items()):
            is_short = turn == number % len(HANDS)
            yield pytest.param(kind, hand, id=f"{kind}-{name}", marks=() if is_short else pytest.mark.long)


def test_games_come_to_every_action():
    assert set(found()) == set(KINDS)


@pytest.mark.parametrize(("kind", "hand"), list(by_hand()))
def test_every_action_can_be_taken(service, desk, kind: str, hand: type[Hand]):
    here = found()[kind]
    table = here.table(service)
    ask(desk, table, here.seat)
    by = hand(desk, RULES)
    desk.evaluate("asking.prompt.focus()")
    form = next(form for form in table.decision(here.seat).forms if form.kind == kind)
    by.turn_to(form)
    if form.fields:
        fill(desk, by)
    assert desk.evaluate("asking.moves") == [], "nothing is sent until it is said"
    by.send(form, {})
    desk.wait_for_selector("#prompt", state="hidden")
    assert desk.evaluate("asking.refusals") == []
    [sent] = desk.evaluate("asking.moves")
    assert sent["kind"] == kind


def fill(page, by: Hand) -> None:
    """Takes the last of what is offered, until the answer is whole."""
    for _ in range(6):
        by.settle()
        offered = page.evaluate(OFFERED)
        if offered["isReady"]:
            return
        if offered["radios"]:
            label, _, value = offered["radios"][-1].rpartition(":")
            by.choose(value, label)
        elif offered["targets"]:
            by.tap(seen(page, offered["targets"]))
        else:
            return


def seen(page, targets: list[str]) -> str:
    """The last one that is not hidden by another."""
    return next(target for target in reversed(targets) if page.evaluate(SPOT, target))


SHORT = ("place_caballero", "build_castle", "buy_ship")


@pytest.mark.parametrize(
    "kind", [kind if kind in SHORT else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]
)
def test_the_nearest_thing_that_cannot_be_done_says_why(service, desk, kind: str):
    here = found()[kind]
    table = here.table(service)
    ask(desk, table, here.seat)
    hand = Mouse(desk, RULES)
    hand.turn_to(next(form for form in table.decision(here.seat).forms if form.kind == kind))
    barred = [each for each in desk.evaluate(BARRED) if desk.evaluate(SPOT, each)]
    if not barred:  # All that is shown can be chosen: then it is what must not be sent yet.
        return
    hand.press(barred[0])
    told = desk.locator("#prompt .hint[role=alert]")
    told.wait_for()
    hand.settle()
    print(kind, "→", told.inner_text())
    assert len(told.inner_text().split()) >= 4
    assert desk.evaluate("asking.moves") == []


@pytest.mark.parametrize(("kind", "field"), [("return_ship", "at"), ("move_ship", "from")])
def test_a_press_beside_the_ships_says_that_none_is_there_and_asks_the_rules_nothing(service, desk, kind, field):
    """A ship is named by its place and its direction, and a place is no direction."""
    here = next(here for seed in SEEDS for here, forms in looked_at(seed) if choices(forms, kind, field) > 1)
    table = here.table(service)
    ask(desk, table, here.seat)
    hand = Mouse(desk, RULES)
    hand.turn_to(next(form for form in table.decision(here.seat).forms if form.kind == kind))
    desk.locator(".prompt-targets .piece").first.wait_for()
    beside = next(each for each in desk.evaluate(BESIDE) if desk.evaluate(SPOT, each))
    asked: list[str] = []
    desk.on("request", lambda request: asked.append(request.url))
    hand.press(beside)
    desk.locator("#prompt .hint[role=alert]", has_text="cannot be chosen now").wait_for()
    hand.settle()
    assert asked == []
    assert desk.evaluate("asking.moves") == []


def choices(forms, kind, field) -> int:
    """Among how many values of a field an answer of this kind has to choose."""
    fields: list[Any] = [form.fields[field] for form in forms if form.kind == kind]
    return sum(len(field.values) for field in fields)
