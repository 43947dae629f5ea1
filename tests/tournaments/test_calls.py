"""A player calls an arbiter to the table; the arbiter stops its clocks, and answers in words or by a ruling."""

import pytest

from events.errors import NotNow, NotPermitted
from rules.errors import Unreadable
from tests.tournaments.hall import Hall, in_order, swiss
from tournaments.commands import (
    SERVICE,
    Adjudicate,
    AnswerCall,
    AttachGame,
    CallArbiter,
    CloseRound,
    HoldTable,
    ReleaseTable,
    ReplayGame,
    ReverseRuling,
    SetStaff,
)
from tournaments.results import Result


@pytest.fixture
def hall():
    hall = Hall(8, stages=swiss(2))
    hall.do(SetStaff("olga", "ari", "arbiter"))
    hall.start()
    hall.draw()
    return hall


def table_of(hall, player="p001"):
    tables = hall.current.round.tables
    return next(number for number, table in enumerate(tables) if player in table.players)


def attach(hall):
    """Every table has its game, and none its result."""
    for table in hall.current.open_tables:
        hall.do(AttachGame(SERVICE, 1, table, f"game {table}"))


def claims(hall, round=1):
    return {
        table: [(claim.player, claim.text) for claim in made]
        for table, made in hall.tournament.round(round).claims.items()
    }


def test_a_player_calls_and_the_others_of_the_table_say_something_to_it(hall):
    table = table_of(hall)
    mate = next(player for player in hall.current.round.tables[table].players if player != "p001")
    hall.do(CallArbiter("p001", text="The page was stale", step=186))
    hall.do(CallArbiter(mate, text="It was not"))
    assert claims(hall) == {table: [("p001", "The page was stale"), (mate, "It was not")]}
    assert hall.tournament.round(1).claims[table][0].step == 186
    hall.do(CallArbiter("p001", text="Then let us go on"))
    assert claims(hall)[table] == [(mate, "It was not"), ("p001", "Then let us go on")]


def test_nobody_calls_without_end(hall):
    for _ in range(5):
        hall.do(CallArbiter("p001", text="Again"))
    with pytest.raises(NotNow, match="called already"):
        hall.do(CallArbiter("p001", text="And again"))
    hall.do(AnswerCall("ari", 1, table_of(hall), "All is well"))
    hall.do(CallArbiter("p001", text="Once more"))


def test_a_call_needs_words_and_a_table(hall):
    for text in ("", " ", "x" * 1001, "a\x00b"):
        with pytest.raises(Unreadable):
            hall.do(CallArbiter("p001", text=text))
    with pytest.raises(NotPermitted):
        hall.do(CallArbiter("nobody", text="Hear me"))
    early = Hall(8)
    early.start()
    with pytest.raises(NotNow, match="no table"):
        early.do(CallArbiter("p001", text="Where do I sit?"))


def test_players_answer_no_calls_and_stop_no_clocks(hall):
    attach(hall)
    for command in (HoldTable, ReleaseTable):
        with pytest.raises(NotPermitted):
            hall.do(command("p001", 1, 0))
    with pytest.raises(NotPermitted):
        hall.do(AnswerCall("p001", 1, 0, "I am right"))


def test_an_answer_ends_the_call_and_lets_the_clocks_go_on(hall):
    attach(hall)
    table = table_of(hall)
    with pytest.raises(NotNow, match="no arbiter was called"):
        hall.do(AnswerCall("ari", 1, table, "All is well"))
    hall.do(CallArbiter("p001", text="My clock jumped"))
    hall.now = 2_000_000
    hall.do(HoldTable("ari", 1, table))
    assert hall.current.held == {table: 2_000_000}
    with pytest.raises(NotNow, match="stand still already"):
        hall.do(HoldTable("ari", 1, table))
    hall.do(AnswerCall("ari", 1, table, "It did not"))
    assert (hall.current.held, claims(hall)) == ({}, {})
    with pytest.raises(NotNow, match="do not stand still"):
        hall.do(ReleaseTable("ari", 1, table))


def test_only_a_table_that_is_played_is_stopped(hall):
    with pytest.raises(NotNow, match="not played"):
        hall.do(HoldTable("ari", 1, 0))
    hall.finish_tables()
    with pytest.raises(NotNow, match="not played"):
        hall.do(HoldTable("ari", 1, 0))


@pytest.mark.parametrize("ruling", ["adjudicate", "replay"])
def test_a_ruling_about_the_table_answers_its_call(hall, ruling):
    attach(hall)
    table = table_of(hall)
    hall.do(CallArbiter("p001", text="The board fell"))
    hall.do(HoldTable("ari", 1, table))
    made = {
        "adjudicate": Adjudicate("ari", "It fell", 1, table, Result((1, 2, 3, 4))),
        "replay": ReplayGame("ari", "It fell", 1, table),
    }[ruling]
    [ruled] = hall.do(made).rulings
    assert (hall.current.held, claims(hall)) == ({}, {})
    hall.do(ReverseRuling("ari", ruled, "It did not"))
    assert (hall.current.held, claims(hall)) == ({}, {}), "a player whose ruling is taken back can call again"


def test_a_result_can_be_disputed_until_the_next_round_has_begun(hall):
    hall.finish_tables()
    hall.do(CloseRound("olga"))
    table = next(n for n, seated in enumerate(hall.tournament.round(1).round.tables) if "p001" in seated.players)
    hall.do(CallArbiter("p001", text="The score was read wrongly"))
    assert list(claims(hall)) == [table]
    hall.draw()
    hall.finish_tables(in_order)
    assert list(claims(hall)) == [table], "it stays until it is answered"
    hall.do(AnswerCall("ari", 1, table, "It was read rightly"))
    assert claims(hall) == {}
