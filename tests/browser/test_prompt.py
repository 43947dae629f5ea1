"""Every decision is answered by a person: on the map and under it, by mouse, by touch, and by keyboard alone."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.asking import Table, ask, ready
from tests.browser.hands import SPOT, Hand, Keys, Mouse, Touch
from tests.browser.situations import BASE, WAYS, Way, found, sampled


@pytest.fixture(scope="module")
def desk(service, chromium):
    """One page for all games, and what it complains of."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(20_000)
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield ready(page, Table(service, 2, BASE, "desk"))
    context.close()
    assert complaints == []


def whole(move: dict) -> dict:
    """A move without the fields that hold nothing, which may be left out."""
    return {name: value for name, value in move.items() if name != "decision" and value != {}}


def sent(page) -> list[dict]:
    """What was sent, once the prompt is gone."""
    page.wait_for_selector("#prompt", state="hidden")
    assert page.evaluate("asking.refusals") == []
    return [whole(move) for move in page.evaluate("asking.moves")]


def test_games_ask_what_is_answered_here_and_nothing_else():
    assert set(found()) == set(WAYS)


HANDS = {"mouse": Mouse, "touch": Touch, "keys": Keys}


def by_hand() -> Iterator[Any]:
    """Every way by every hand; of those that share what is drawn, every other one only where there is time."""
    for number, way in enumerate(WAYS):
        for name, hand in HANDS.items():
            is_short = hand is Mouse or hand is (Touch, Keys)[number % 2]
            yield pytest.param(way, hand, id=f"{way}-{name}", marks=() if is_short else pytest.mark.long)


@pytest.mark.parametrize(("way", "hand"), list(by_hand()))
def test_every_way_to_answer_can_be_taken(service, desk, way: Way, hand: type[Hand]):
    here = found()[way]
    table = here.table(service)
    ask(desk, table, here.seat)
    decision, answer = table.decision(here.seat), sampled(here.form)
    by = hand(desk, here.rules)
    desk.evaluate("asking.prompt.focus()")
    by.give(decision, here.form, answer)
    assert desk.evaluate("asking.moves") == [], "nothing is sent until it is said"
    by.send(here.form, answer)
    assert sent(desk) == [whole(answer)]


NOTHING_ILLEGAL = {
    Way("draw", "draw", (("from_province", "province"),)),
    Way("draw", "draw", (("from_province", "province"), ("from_regions", "own_piece"))),
    Way("menu", "end_turn"),
    Way("menu", "special"),
    Way("menu", "special", (("from_regions", "own_piece"),)),
    Way("step", "stop"),
    Way("veto", "veto_response", (("answer", "veto"),)),
}
"""Ways with nothing beside them that could be meant by mistake: numbers end where they must."""

BARRED = """() => [...document.querySelectorAll('.prompt-targets [aria-disabled="true"]'),
  ...document.querySelectorAll('#prompt [role="radio"][aria-disabled]')].map((each) => each.dataset.focus)"""


@pytest.mark.parametrize("way", [way for way in WAYS if way not in NOTHING_ILLEGAL], ids=str)
def test_the_nearest_illegal_thing_says_why_it_cannot_be_done(service, desk, way: Way):
    here = found()[way]
    ask(desk, here.table(service), here.seat)
    hand = Mouse(desk, here.rules)
    hand.turn_to(here.form)
    barred = desk.evaluate(BARRED)
    if not barred:  # All that is shown can be chosen: then it is what must not be sent yet.
        assert desk.locator("#prompt .commit").is_disabled() or desk.locator("#prompt .commit").count() == 0
        return
    if desk.evaluate(SPOT, barred[0]):
        hand.press(barred[0])
    else:  # It lies under the dial, which mirrors the map.
        desk.evaluate("id => asking.prompt.stage.focus(id)", barred[0])
        desk.keyboard.press("Enter")
    told = desk.locator("#prompt .hint[role=alert]")
    told.wait_for()
    hand.settle()
    assert len(told.inner_text().split()) >= 4
    assert desk.evaluate("asking.moves") == []
