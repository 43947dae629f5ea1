"""El Caballero at the table: one person with a mouse, one with a telephone, each at a page that the service serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from events.table.commands import Join, Start
from tests.browser.hands import SPOT
from tests.browser.playing import TablePlayer, agree, play_on
from tests.browser.replaying import behind
from tests.browser.studying import guests, seated, until

TELEPHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class TilePlayer(TablePlayer):
    """Picks a tile before its cell, and does not take every action that there is."""

    def chosen(self, offered: dict[str, Any]) -> str:
        if offered["radios"] and not offered["checked"]:
            return str(offered["radios"][self.pick(len(offered["radios"]))])
        if offered["commit"] and self.pick(4):
            return "commit"
        if "way:end_turn" in offered["ways"] and self.pick(2):
            return "way:end_turn"
        choices = offered["targets"] or offered["ways"]
        return str(choices[self.pick(len(choices))]) if choices else "commit"


class TouchPlayer(TilePlayer):
    """Has a telephone."""

    def press(self, id: str) -> None:
        if spot := self.page.evaluate(SPOT, id):
            self.page.touchscreen.tap(*spot)


@contextmanager
def gathered(service, chromium, mode: str = "basic") -> Iterator[tuple[str, Sequence[TablePlayer]]]:
    people = guests(service, 2)
    with behind(service) as wired:
        game = str(wired.games.create("el_caballero", 2, {"mode": mode}, owner=people[0].account).id)
        for person in people:
            wired.games.submit(game, Join(person.account))
        loaded = wired.games.submit(game, Start(people[0].account)).after
    with ExitStack() as ending:
        desk = ending.enter_context(seated(chromium, service, people[0]))
        telephone = ending.enter_context(seated(chromium, service, people[1], **TELEPHONE))
        yield (
            game,
            (
                TilePlayer(service, desk.page, people[0], loaded.seat_of(people[0].account)).sit(game),
                TouchPlayer(service, telephone.page, people[1], loaded.seat_of(people[1].account)).sit(game),
            ),
        )


def complaints(players: Sequence[TablePlayer]) -> list[str]:
    """A preview of a draft that was sent meanwhile comes too late: its browser says so, and nothing else."""
    return [each for player in players for each in player.complaints if "409" not in each]


def test_two_people_begin_a_game_by_mouse_and_by_touch(service, chromium):
    with gathered(service, chromium) as (_, players):
        play_on(players, lambda: players[0].version < 16)
        agree(players)
        assert complaints(players) == []


def test_nothing_that_can_be_chosen_lies_under_the_question(service, chromium):
    with gathered(service, chromium) as (_, players):
        play_on(players, lambda: not any(player.offered["targets"] for player in players))
        [asked] = [player for player in players if player.offered["targets"]]
        for width, height in ((1280, 800), (390, 844), (1024, 700)):
            asked.page.set_viewport_size({"width": width, "height": height})
            until(lambda: not [each for each in asked.offered["targets"] if not asked.page.evaluate(SPOT, each)])
            assert asked.offered["targets"]


@pytest.mark.long
@pytest.mark.parametrize("mode", ["basic", "advanced"])
def test_two_people_play_a_whole_game_by_mouse_and_by_touch(service, chromium, mode):
    with gathered(service, chromium, mode) as (game, players):
        play_on(players)
        agree(players)
        with behind(service) as wired:
            over = wired.games.load(game)
        assert over.status == "over"
        until(lambda: all(player.panel_scores() == dict(over.state.board.scores) for player in players))
        assert complaints(players) == []
