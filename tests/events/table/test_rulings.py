"""What a tournament decides about a game of its own: substitutes, players who have not come, a game that is stopped."""

import pytest

from events.audit.export import export
from events.audit.verify import NotGenuine, verify, verify_stored
from events.errors import NotNow, NotPermitted, NotSeated
from events.games import Games
from events.log.memory import MemoryLog
from events.table.answers import MOST_REWOUND
from events.table.commands import ForfeitAbsent, Join, Move, Pause, Resume, Rewind, Start, StopGame, SubstitutePlayer
from events.table.facts import ABSENT, AnswersUndone, GameStopped
from events.table.time_control import TimeControl
from rules.errors import Unreadable
from rules.kernel import SPECTATOR
from tests.events.forging import rewritten
from tests.events.rulings import answered, begun, ruled

RULINGS = (SubstitutePlayer("blue", "dan"), Rewind(2), ForfeitAbsent("blue"), StopGame())


def clocks(table):
    return table.game.clock


def test_an_arbiter_can_be_followed_offline():
    table = ruled()
    verify_stored(table.games, table.id)
    verify(export(table.games, table.id, SPECTATOR))


@pytest.mark.parametrize("command", RULINGS, ids=lambda command: type(command).__name__)
def test_other_tables_have_no_arbiter(command):
    games = Games(MemoryLog())
    game = games.create("el_grande", 2, owner="ana").id
    for account in ("ana", "ben"):
        games.submit(game, Join(account))
    games.submit(game, Start("ana"))
    with pytest.raises(NotPermitted):
        games.submit(game, command)


@pytest.mark.parametrize("command", RULINGS, ids=lambda command: type(command).__name__)
def test_a_game_that_is_over_takes_no_ruling(command):
    table = ruled()
    with pytest.raises(NotNow):
        table.games.submit(table.id, command)


def test_a_substitute_plays_on_and_the_former_player_does_not():
    table = begun()
    table.games.submit(table.id, SubstitutePlayer("red", "dan"))
    assert table.game.seats["red"] == "dan"
    assert table.game.seat_of("dan") == "red"
    with pytest.raises(NotSeated):
        table.games.submit(table.id, Move("ana", {"decision": "1-red", "kind": "pass"}))


@pytest.mark.parametrize("account", ["", "bot:greedy"])
def test_a_substitute_is_an_account(account):
    table = begun()
    with pytest.raises(Unreadable):
        table.games.submit(table.id, SubstitutePlayer("red", account))


def test_a_player_who_has_not_come_is_out_and_comes_last():
    table = begun()
    table.games.submit(table.id, ForfeitAbsent("yellow"))
    assert table.game.forfeited == {"yellow": ABSENT}
    table.games.submit(table.id, StopGame())
    assert table.game.places["yellow"] == 3


def test_a_player_who_has_answered_has_come():
    table = begun()
    seat = answered(table)
    assert table.game.came == Games(table.games.log).load(table.id).came == (seat,)
    with pytest.raises(NotNow):
        table.games.submit(table.id, ForfeitAbsent(seat))


def test_with_one_player_left_the_game_is_decided():
    table = begun()
    for seat in ("yellow", "blue"):
        table.games.submit(table.id, ForfeitAbsent(seat))
    assert (table.game.status, table.game.places["red"]) == ("over", 1)


def test_a_stopped_game_is_over_by_its_present_scores():
    table = begun()
    table.games.submit(table.id, StopGame())
    scores = table.game.state.board.scores
    assert table.game.status == "over"
    assert table.game.places == {seat: 1 + sum(s > scores[seat] for s in scores.values()) for seat in scores}
    verify_stored(table.games, table.id)


def test_forged_places_of_a_stopped_game_are_found():
    table = begun()
    table.games.submit(table.id, StopGame())

    def forged(pages):
        header, facts = pages[-1]
        return [*pages[:-1], (header, [GameStopped({"red": 3, "blue": 1, "yellow": 2}), *facts[1:]])]

    with pytest.raises(NotGenuine):
        verify(rewritten(table.games, table.id, forged))


def test_the_service_stops_all_clocks_and_starts_them_again():
    table = begun(TimeControl(bank_ms=600_000))
    table.games.submit(table.id, Pause())
    assert clocks(table).paused
    table.games.submit(table.id, Resume())
    assert not clocks(table).paused
    verify_stored(table.games, table.id)


# Going back


def test_a_game_goes_on_from_an_earlier_step():
    table = begun()
    positions = {}
    for _ in range(5):
        positions[table.game.version] = table.game.state.board
        answered(table)
    table.games.submit(table.id, Rewind(4))
    assert table.game.state.board == positions[4]
    for _ in range(3):
        answered(table)
    verify_stored(table.games, table.id)
    verify(export(table.games, table.id, SPECTATOR))
    assert Games(table.games.log).load(table.id) == table.game


def test_an_answer_from_before_cannot_come_again():
    table = begun()
    before = table.game.asked
    answered(table)
    table.games.submit(table.id, Rewind(2))
    assert set(table.game.asked) == set(before)
    assert not set(table.game.asked.values()) & set(before.values())


def test_going_back_gives_players_the_clocks_that_they_had():
    table = begun(TimeControl(bank_ms=600_000))
    seat = answered(table)
    for _ in range(3):
        answered(table)
    table.games.submit(table.id, Rewind(2))
    hand = clocks(table).hands[seat]
    assert hand.bank_ms == 600_000
    assert hand.deadline, "it runs again"
    verify_stored(table.games, table.id)


@pytest.mark.parametrize("version", [0, 1, 3, 4, 99])
def test_there_must_be_an_answer_to_undo(version):
    table = begun()
    answered(table)
    with pytest.raises(NotNow):
        table.games.submit(table.id, Rewind(version))


def test_only_so_many_answers_are_remembered():
    table = begun()
    for _ in range(MOST_REWOUND + 5):
        answered(table)
    assert len(table.game.answers) == MOST_REWOUND
    with pytest.raises(NotNow):
        table.games.submit(table.id, Rewind(table.game.answers[0].version - 2))
    table.games.submit(table.id, Rewind(table.game.answers[0].version - 1))


def test_a_forged_step_to_go_back_to_is_found():
    table = begun()
    for _ in range(4):
        answered(table)
    table.games.submit(table.id, Rewind(4))
    table.games.submit(table.id, StopGame())

    def forged(pages):
        at = next(number for number, (_, facts) in enumerate(pages) if isinstance(facts[0], AnswersUndone))
        header, facts = pages[at]
        return [*pages[:at], (header, [AnswersUndone(1), *facts[1:]]), *pages[at + 1 :]]

    with pytest.raises(NotGenuine):
        verify(rewritten(table.games, table.id, forged))
