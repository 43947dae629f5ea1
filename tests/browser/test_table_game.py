"""Whole games at the table: four people with mice; one person with nothing but a keyboard, against three bots."""

import random
import re
import time

import pytest
from playwright.sync_api import expect

from events.table.commands import Join, Play, SeatBot, Start
from events.table.facts import TimeRanOut
from events.table.game import Game
from events.table.time_control import TimeControl
from rules.el_grande.facts import GeneralScoringBegan, SpecialActionVetoed
from rules.kernel import AnswerSealed, options, waiting
from rules.simulation import random_answer
from tests.browser.conftest import SECONDS
from tests.browser.playing import KeyPlayer, TablePlayer, agree, gathered, play_on
from tests.browser.replaying import behind
from tests.browser.studying import guests, seated, until

LIMIT = 8_000
"""Milliseconds for each decision: enough for people who press at once, and short enough to wait for."""


EXPECTED = "ERR_INTERNET_DISCONNECTED|409"
"""A browser complains of a line that is cut, and of an answer that came too late."""


@pytest.fixture
def games(service):
    """The games of the service, as the log has them."""
    with behind(service) as wired:
        yield wired.games


def facts(games, game):
    return [fact for commit in games.commits(game) for fact in commit.facts]


def away_until_late(games, game, player: TablePlayer, others: list[TablePlayer]) -> None:
    """The laptop is closed until the time has run out; the others play on as far as they can."""
    player.page.context.set_offline(True)
    player.page.wait_for_selector("[data-cut]")
    play_on(others, lambda: not any(isinstance(fact, TimeRanOut) for fact in facts(games, game)))
    player.page.context.set_offline(False)
    player.page.wait_for_selector("[data-table]:not([data-cut])")


@pytest.mark.long
def test_four_people_play_a_whole_game_by_clicking(service, chromium, games):
    time = TimeControl(limit_ms=LIMIT, strikes=0)
    with gathered(service, chromium, 4, time=time, deal=random.Random(5)) as (game, players):
        marks = [player.page.evaluate("window.mark = Math.random()") for player in players]
        play_on(players, lambda: players[0].version < 25)
        asked = next(player for player in players if player.seat in games.load(game).asked)
        away_until_late(games, game, asked, [player for player in players if player is not asked])
        agree(players)
        play_on(players)
        over = games.load(game)
        agree(players)
        kinds = {type(fact) for fact in facts(games, game)}
        assert {SpecialActionVetoed, AnswerSealed, GeneralScoringBegan, TimeRanOut} <= kinds
        for player, mark in zip(players, marks, strict=True):
            shows_final_scores(player, over)
            assert player.page.evaluate("window.mark") == mark, "no page was loaded again"
            assert [each for each in player.complaints if not re.search(EXPECTED, each)] == []


def shows_final_scores(player: TablePlayer, over: Game) -> None:
    until(lambda: player.panel_scores() == dict(over.state.board.scores))
    assert player.version == over.version


LAST_ROUND = 9
"""Also of a short game, which leaves out others."""


def test_one_person_ends_a_game_against_three_bots_with_nothing_but_a_keyboard(service, chromium, games):
    play_against_bots(service, chromium, games, LAST_ROUND)


@pytest.mark.long
def test_one_person_plays_a_whole_game_against_three_bots_with_nothing_but_a_keyboard(service, chromium, games):
    play_against_bots(service, chromium, games, 1)


def play_against_bots(service, chromium, games, first_round: int) -> None:
    """From the beginning of a round to the end."""
    [person] = guests(service, 1)
    game = str(games.create("el_grande", 4, {"game_length": "short"}, owner=person.account).id)
    games.submit(game, Join(person.account))
    for _ in range(3):
        games.submit(game, SeatBot(person.account, "greedy"))
    seat = games.submit(game, Start(person.account)).after.seat_of(person.account)
    answer_until(games, game, seat, first_round)
    with seated(chromium, service, person) as desk:
        player = KeyPlayer(service, desk.page, person, seat).sit(game)
        play_on([player])
        shows_final_scores(player, games.load(game))
        expect(player.part("waiting")).to_contain_text("with")
        assert [each for each in player.complaints if not re.search(EXPECTED, each)] == []


def answer_until(games, game, seat: str, round: int) -> None:
    """A player answers at random until a round begins; the others are bots of the service."""
    pick = random.Random(11).randrange
    deadline = time.monotonic() + SECONDS
    while (state := games.load(game).state).board.round < round:
        if seat in waiting(state):
            [decision] = options(state, seat)
            games.submit(game, Play(random_answer(state, decision, pick)))
        else:
            assert time.monotonic() < deadline, "the bots do not answer"
            time.sleep(0.01)
