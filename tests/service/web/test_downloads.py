"""Downloads cost as much as many reads, and count so."""

import random
from dataclasses import replace

import pytest

from events.table.commands import Join, Start
from rules.landmarks import ROUND
from service.games import moving_pictures
from service.settings import Limit, Settings
from tests.events.played import play_on

FEW = {
    "bulk_reads_of_an_account": Limit(2, 3600),
    "bulk_reads_from_an_address": Limit(4, 3600),
    "images_of_an_account": Limit(8, 3600),
    "images_from_an_address": Limit(14, 3600),
    "animations_of_an_account": Limit(2, 3600),
    "animations_from_an_address": Limit(3, 3600),
}


@pytest.fixture
def settings() -> Settings:
    return replace(Settings(), limits=dict(Settings().limits) | FEW)


@pytest.fixture
def game(app) -> str:
    games = app.services.games
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="a_1").id
    for account in ("a_1", "a_2"):
        games.submit(game, Join(account))
    games.submit(game, Start("a_1"))
    return game


@pytest.fixture
def played(app, game) -> str:
    play_on(app.services.games, game, random.Random(3).randrange)
    return game


def statuses(visitor, path: str, count: int) -> list[int]:
    return [visitor.get(path).status_code for _ in range(count)]


def test_a_whole_story_counts_as_a_page_of_positions(cid, browser, game):
    path = f"/games/{game}/story.txt"
    assert statuses(cid, path, 3) == [200, 200, 429]
    assert statuses(browser(), path, 3) == [200, 200, 429]


def test_a_long_part_of_a_timeline_counts_as_well_and_the_next_steps_do_not(app, cid, browser, played):
    path = f"/api/v1/games/{played}/timeline"
    last = app.services.games.load(played).version
    assert statuses(cid, f"{path}?after={last - 50}", 5) == [200] * 5
    assert statuses(cid, f"{path}?limit=50", 5) == [200] * 5
    assert statuses(cid, path, 3) == [200, 200, 429]
    lines = {"Accept": "application/x-ndjson"}
    assert [browser().get(f"{path}?limit=1", **lines).status_code for _ in range(3)] == [200, 200, 429]


def test_a_picture_counts_by_its_pixels(cid, browser, game):
    """One of 1,200 pixels as four of 600."""
    path = f"/api/v1/games/{game}/board.png"
    assert statuses(cid, f"{path}?width=1200", 3) == [200, 200, 429]
    assert statuses(browser(), f"{path}?width=600", 3) == [200] * 3
    assert statuses(browser(), f"/games/{game}/card.png", 1) == [429]


def test_a_moving_picture_is_drawn_once_for_all_and_counts_for_the_first(app, cid, browser, monkeypatch, played):
    drawn: list[int] = []

    def draw(frames) -> bytes:
        drawn.append(len(frames))
        return b"GIF89a"

    monkeypatch.setattr(moving_pictures, "gif", draw)
    first, second, third, last = (f"/games/{played}/round.gif?step={step}" for step in rounds(app, played))
    assert statuses(cid, first, 3) == statuses(cid, second, 3) == [200] * 3
    assert len(drawn) == 2
    assert statuses(cid, third, 1) == [429]
    assert [*statuses(browser(), first, 3), *statuses(browser(), third, 3)] == [200] * 6
    assert statuses(browser(), last, 1) == [429]
    assert len(drawn) == 3


def rounds(app, game: str) -> list[int]:
    """The first steps of four rounds."""
    told = app.services.timelines.summary(app.services.games.load(game))
    return [mark.version for mark in told.marks if mark.kind == ROUND][:4]
