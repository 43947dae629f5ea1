"""Bots on seats: they play when it is their turn, at their pace, and every answer of theirs can be decided again."""

import pytest
from msgspec.structs import replace

from events.audit.export import export
from events.audit.verify import NotGenuine, verify, verify_stored
from events.errors import NothingDue, NotNow, NotPermitted, NotSeated
from events.games import Games
from events.log import NO_CHANGE, NO_DEADLINE, priorities
from events.log.memory import MemoryLog
from events.table.clock_ledger import ledger
from events.table.commands import AnswerOverdue, Join, Leave, Move, RemovePlayer, Return, SeatBot, Start, TakeBack
from events.table.facts import BotAnswered, BotDeclared, BotSeated, SeatTaken
from events.table.game import ABSENT, PEOPLE, SELF_PLAYING
from events.table.narration import tell
from rules.errors import Unreadable
from rules.kernel import SPECTATOR
from tests.events.bots import CONTROL, PACE, START, BotTable, finished_with_bots
from tests.events.forging import rewritten


@pytest.mark.parametrize("time", [None, CONTROL], ids=["untimed", "timed"])
def test_a_game_with_bots_comes_to_its_end_and_is_verified(time):
    table = BotTable(time=time).finish()
    verified = verify(export(table.games, table.id, SPECTATOR))
    assert (verified.finished, verified.scores) == (True, table.game.state.board.scores)
    verify_stored(table.games, table.id)


def test_a_table_of_bots_alone_plays_to_its_end():
    table = BotTable(bots=("greedy", "greedy", "random"), people=())
    assert table.deadline.priority == SELF_PLAYING
    assert table.finish().game.status == "over"
    assert verify(export(table.games, table.id, SPECTATOR)).finished


def test_an_answer_that_the_bot_would_not_have_given_is_found_out():
    """The answer of another seat's decision, put into the bot's mouth."""
    table = BotTable(bots=("greedy",)).finish()

    def another_bot(pages):
        return [
            (header, [replace(fact, bot="random") if isinstance(fact, BotSeated) else fact for fact in facts])
            for header, facts in pages
        ]

    with pytest.raises(NotGenuine):
        verify(rewritten(table.games, table.id, another_bot))


@pytest.mark.parametrize("time", [None, CONTROL], ids=["untimed", "timed"])
def test_a_bot_lets_players_look_at_the_table_before_it_answers(time):
    table = BotTable(bots=("greedy",), time=time)
    if "ana" not in [table.game.seats[seat] for seat in table.game.asked]:
        assert table.deadline.at == table.game.at + PACE
    for answer in table.bots_answer():
        assert isinstance(answer.commit.facts[0], BotAnswered)
        assert answer.commit.header.by == "clock"
    table.now += 7000
    table.move()
    if set(table.game.asked) <= set(table.game.bots):
        assert table.deadline == priorities.due(table.id, priorities.deferred(table.now + PACE, ABSENT))


def test_a_bot_costs_a_timed_table_no_time_and_has_no_clock():
    table = finished_with_bots()
    bots = [row for row in ledger(table.games.commits(table.id)) if row.player in table.game.bots]
    assert {row.what for row in bots} == {"asked", "stood_in"}
    assert {(row.paid_ms, row.earned_ms, row.bank_after_ms) for row in bots} == {(0, 0, CONTROL.bank_ms)}


def test_the_deadline_of_a_person_counts_beside_bots():
    table = BotTable(time=CONTROL)
    table.bots_answer()
    [seat] = [seat for seat in table.game.asked if seat not in table.game.bots]
    assert table.deadline.priority == PEOPLE
    assert table.game.clock
    assert table.deadline.at == table.game.clock.hands[seat].deadline


def test_a_table_without_clocks_needs_attention_only_while_a_bot_is_asked():
    table = BotTable(bots=("greedy",))
    table.bots_answer()
    assert table.game.attention_at == NO_DEADLINE
    with pytest.raises(NothingDue):
        table.games.submit(table.id, AnswerOverdue())
    plain = table.games.create("el_grande", 2, owner="ana")
    assert plain.attention_at == NO_CHANGE


def test_a_move_is_taken_back_without_the_agreement_of_bots():
    table = BotTable(bots=("greedy",))
    table.bots_answer()
    table.move()
    assert table.bots_answer()
    taken = table.games.submit(table.id, TakeBack("ana")).after
    assert taken.asked[taken.seat_of("ana")]


# Who seats them


def opened():
    games = Games(MemoryLog(), now=lambda: START, draw=bytes)
    game = games.create("el_grande", 3, owner="ana").id
    games.submit(game, Join("ben", seat="blue"))
    return games, game


def test_only_the_owner_seats_a_bot():
    games, game = opened()
    with pytest.raises(NotPermitted):
        games.submit(game, SeatBot("ben", "greedy"))
    accepted = games.submit(game, SeatBot("ana", "greedy", "yellow", PACE))
    assert accepted.commit.facts == (BotSeated("yellow", "greedy", PACE),)
    assert accepted.after.seats == {"blue": "ben", "yellow": "bot:greedy"}
    assert tell("el_grande", accepted.commit.facts) == ["the bot greedy plays yellow"]


def test_a_bot_is_refused_that_there_is_not_or_has_no_seat():
    games, game = opened()
    with pytest.raises(Unreadable, match="there is no bot deep_blue: choose from random, greedy"):
        games.submit(game, SeatBot("ana", "deep_blue"))
    with pytest.raises(NotNow, match="the seat blue is taken"):
        games.submit(game, SeatBot("ana", "greedy", "blue"))


def test_the_same_bot_may_sit_on_several_seats_and_is_removed_from_one_at_a_time():
    games, game = opened()
    for _ in range(2):
        games.submit(game, SeatBot("ana", "greedy"))
    left = games.submit(game, RemovePlayer("ana", "bot:greedy")).after
    assert (left.seats, set(left.bots)) == ({"blue": "ben", "yellow": "bot:greedy"}, {"yellow"})


def test_a_bot_of_the_service_is_no_account():
    """An account cannot have such an id; a forged log does not make it one."""
    table = BotTable()
    for command in (Return("bot:greedy"), Move("bot:greedy", {"decision": "1-red"})):
        with pytest.raises(NotSeated):
            table.games.submit(table.id, command)


# Programs of others


def test_an_account_that_declares_itself_a_bot_is_marked_on_its_seat():
    games, game = opened()
    accepted = games.submit(game, Join("robot", nonce="a word", is_bot=True))
    assert accepted.commit.facts[:2] == (SeatTaken("red", "robot"), BotDeclared("red"))
    assert (accepted.after.is_bot("red"), accepted.after.is_bot("blue")) == (True, False)
    assert accepted.after.unattended == {}
    assert not games.submit(game, Leave("robot")).after.is_bot("red")
    games.submit(game, Join("robot", is_bot=True))
    games.submit(game, Join("cleo"))
    games.submit(game, Start("ana"))
    verify(export(games, game, SPECTATOR))
