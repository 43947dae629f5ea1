"""Decisions of expansions with boards of their own, answered by a person: by mouse, by touch, and by keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rules.catalogue import GAMES, rules
from tests.browser.asking import Table, ask, ready
from tests.browser.further_ways import BROUGHT, COLONIES, GRANDISSIMO, Brought, found_of
from tests.browser.hands import SPOT, Hand, Keys, Mouse, Touch
from tests.browser.situations import WAYS, Way, sampled
from tests.browser.test_caballero_ways import KINDS as OF_CABALLERO
from tests.browser.test_prompt import BARRED, sent, whole

HANDS = {"mouse": Mouse, "touch": Touch, "keys": Keys}
EXPANSIONS = {"colonies": COLONIES, "grandissimo": GRANDISSIMO}


@pytest.fixture(scope="module")
def desk(service, chromium):
    """One page for all games, high enough for the largest map."""
    context = chromium.new_context(viewport={"width": 1280, "height": 1300}, reduced_motion="reduce", has_touch=True)
    context.set_default_timeout(20_000)
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield ready(page, Table(service, 2, GRANDISSIMO.rules[0], "desk"))
    context.close()
    assert complaints == []


def by_hand() -> Iterator[Any]:
    """Every way by every hand; in a short run by one of them."""
    for name, brought in EXPANSIONS.items():
        for number, way in enumerate(brought.ways):
            for turn, (called, hand) in enumerate(HANDS.items()):
                is_short = turn == number % len(HANDS)
                yield pytest.param(
                    brought, way, hand, id=f"{name}-{way}-{called}", marks=() if is_short else pytest.mark.long
                )


@pytest.mark.parametrize(("brought", "way", "hand"), list(by_hand()))
def test_every_way_to_answer_can_be_taken(service, desk, brought: Brought, way: Way, hand: type[Hand]):
    here = found_of(brought)[way]
    table = here.table(service)
    ask(desk, table, here.seat)
    decision, answer = table.decision(here.seat), sampled(here.form)
    by = hand(desk, here.rules)
    desk.evaluate("asking.prompt.focus()")
    by.give(decision, here.form, answer)
    assert desk.evaluate("asking.moves") == [], "nothing is sent until it is said"
    by.send(here.form, answer)
    assert sent(desk) == [whole(answer)]


SHORT = {
    Way("landing", "land", (("tile", "ship"), ("to", "placement"))),
    Way("place_foreign", "place_foreign", (("owner", "seat"), ("to", "placement"))),
    Way("menu", "special", (("regions", "space"),)),
    Way("menu", "special", (("pardon", "destination"),)),
    Way("menu", "special", (("when", "when"), ("stack", "action_card"))),
    Way("menu", "special", (("to", "space"),)),
}
"""Ways whose nearest illegal thing is tried in every run."""


def where_something_is_barred() -> Iterator[Any]:
    for name, brought in EXPANSIONS.items():
        for way in brought.ways:
            yield pytest.param(brought, way, id=f"{name}-{way}", marks=() if way in SHORT else pytest.mark.long)


@pytest.mark.parametrize(("brought", "way"), list(where_something_is_barred()))
def test_the_nearest_illegal_thing_says_why_it_cannot_be_done(service, desk, brought: Brought, way: Way):
    here = found_of(brought)[way]
    ask(desk, here.table(service), here.seat)
    hand = Mouse(desk, here.rules)
    hand.turn_to(here.form)
    barred = [id for id in desk.evaluate(BARRED) if desk.evaluate(SPOT, id)]
    if not barred:  # All that is shown can be chosen: then it is what must not be sent yet, or what is sent at once.
        assert way not in SHORT
        return
    hand.press(barred[0])
    told = desk.locator("#prompt .hint[role=alert]")
    told.wait_for()
    hand.settle()
    print(way, barred[0], "→", told.inner_text())
    assert len(told.inner_text().split()) >= 4
    assert desk.evaluate("asking.moves") == []


# No decision without a way


PAIRS = {(way.decision, way.answer) for ways in (WAYS, *(brought.ways for brought in BROUGHT)) for way in ways}
AT_ONCE = {("step", "several")}
"""Steps that are sent together: `test_prompt_manners.py`."""


def known_to_rules() -> Iterator[tuple[str, str, str]]:
    """Every answer to every decision of every combination in the catalogue."""
    for game in GAMES.values():
        for chosen in game.combinations(tuple(game.expansions)):
            for decision, commands in rules(game.name, chosen).decisions.items():
                yield from ((game.name, decision, str(command.__struct_config__.tag)) for command in commands)


def test_every_answer_that_the_catalogue_knows_has_a_way():
    of_caballero = {("el_caballero", decision, kind) for decision in ("power", "turn") for kind in OF_CABALLERO}
    answered = of_caballero | {("el_grande", *pair) for pair in PAIRS | AT_ONCE}
    assert set(known_to_rules()) - answered == set()


@pytest.mark.parametrize("name", EXPANSIONS)
def test_games_ask_nothing_that_has_no_way(name: str):
    asked = {(way.decision, way.answer) for way in found_of(EXPANSIONS[name])}
    assert asked - PAIRS == set()
