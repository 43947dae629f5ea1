"""Nobody plays against their will: no command that staff can give about any account seats anybody who did not agree."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from events.decider import Context
from rules.errors import Refused
from tests.tournaments.hall import SECRET, Hall, in_order, swiss
from tournaments import commands
from tournaments.commands import (
    SERVICE,
    AcceptSeat,
    Adjudicate,
    AttachGame,
    CheckIn,
    CloseRound,
    DeclineSeat,
    ForbidPair,
    Penalise,
    ProposeRound,
    RecordResult,
    Register,
    RequestBye,
    ReverseRuling,
    SetStaff,
    StartTournament,
    Substitute,
    TournamentCommand,
    Withdraw,
)
from tournaments.decider import TOURNAMENT
from tournaments.options import Entry
from tournaments.results import HALF_BYE, Result
from tournaments.tournament import Tournament

ORGANISER, ARBITER = "olga", "ari"
STRANGER, INVITED, DECLINED, LEFT, RESTING, ASKED, REPLACED = "zoe", "ivo", "dora", "p001", "p002", "sue", "p003"
RELUCTANT = (STRANGER, INVITED, DECLINED, LEFT, RESTING, ASKED, REPLACED)
"""Somebody who never came near, was invited, has declined, has left, sits this round out, is asked to play for another
player, or is played for by another account."""
PLAYING, REPLACEMENT = "p004", "rex"
EVERYBODY = (*RELUCTANT, PLAYING, REPLACEMENT)
ALL = tuple(getattr(commands, name) for name in commands.__all__ if name not in ("SERVICE", "TournamentCommand"))

VALUES: dict[str, tuple[Any, ...]] = {
    "player": ("", *EVERYBODY),
    "member": EVERYBODY,
    "one": EVERYBODY,
    "other": (PLAYING, LEFT),
    "substitute": EVERYBODY,
    "role": ("", "arbiter"),
    "kind": ("", HALF_BYE),
    "round": (1, 2, 3),
    "table": (0, 1),
    "tables": ((), *(((account, PLAYING),) for account in EVERYBODY), (tuple(EVERYBODY[:4]), tuple(EVERYBODY[4:8]))),
    "version": (1,),
    "result": (Result((2, 1)), Result((2, 1), absent=(1,)), Result((4, 3, 2, 1)), Result((3, 2, 1))),
    "game": ("", "another"),
    "penalty": ("warning", "points", "exclusion"),
    "units": (60,),
    "rating": (0, 1500),
    "team": ("",),
    "ruling": ("r1",),
    "reason": ("so it is",),
    "text": ("hear, hear",),
    "step": (0,),
    "stops_clocks": (False, True),
    "answer_ms": (0,),
}
"""What is put into each field of a command, but for its options: a new field needs a row."""


def every(kind: type[TournamentCommand], tournament: Tournament) -> Iterator[TournamentCommand]:
    """The command by each member of the staff with all values; also about every ruling."""
    values = {
        **VALUES,
        "options": (replace(tournament.options, title="Another", entry=Entry(late_until=9)),),
        "ruling": tuple(tournament.rulings) or ("r1",),
    }
    fields = [name for name in kind.__struct_fields__ if name != "account"]
    for author in (ORGANISER, ARBITER):
        for chosen in product(*(values[name] for name in fields)):
            yield kind(author, **dict(zip(fields, chosen, strict=True)))


def after(tournament: Tournament, command: TournamentCommand) -> Tournament:
    TOURNAMENT.permit(tournament, command)
    decided = TOURNAMENT.decide(tournament, command, Context(2_000_000, SECRET))
    return replace(decided.after, version=tournament.version + 1)


def attempted(tournament: Tournament, command: TournamentCommand) -> Tournament:
    try:
        return after(tournament, command)
    except Refused:
        return tournament


def seated(tournament: Tournament) -> set[str]:
    """The accounts at tables that are open, and those that the next round would seat, if the service went on."""
    tables = [(paired, table) for paired in tournament.rounds for table in paired.open_tables]
    now = {player for paired, table in tables for player in paired.round.tables[table].players}
    for command in (StartTournament(ORGANISER), ProposeRound(SERVICE), ProposeRound(ORGANISER)):
        tournament = attempted(tournament, command)
    if drawn := tournament.proposal:
        now |= {player for table in drawn.round.tables for player in table.players}
    return {tournament.participants[player].account for player in now}


def before_the_start() -> Hall:
    hall = Hall(12, size=2, stages=swiss(4), entry=Entry(late_until=9))
    hall.do(SetStaff(ORGANISER, ARBITER, "arbiter"))
    hall.do(Register(ORGANISER, INVITED))
    hall.do(Register(ORGANISER, DECLINED))
    hall.do(Withdraw(DECLINED))
    return hall


def between_rounds() -> Hall:
    hall = before_the_start()
    hall.start()
    hall.draw()
    left_at = table_of(hall, LEFT)
    hall.do(AttachGame(SERVICE, 1, left_at, "a game that goes on"))
    hall.do(Adjudicate(ORGANISER, "a quarrel", 1, left_at, Result((2, 1))))
    hall.finish_tables()
    hall.do(CloseRound(ORGANISER))
    hall.do(Substitute(ORGANISER, "ill", REPLACED, REPLACEMENT))
    hall.do(AcceptSeat(REPLACEMENT))
    hall.do(Substitute(ORGANISER, "ill", PLAYING, ASKED))
    hall.do(Withdraw(LEFT))
    hall.do(RequestBye(RESTING, round=2))
    return hall


def in_a_round() -> Hall:
    hall = between_rounds()
    hall.draw()
    return hall


def at_the_end() -> Hall:
    hall = between_rounds()
    hall.play(3)
    hall.do(commands.FinishTournament(SERVICE))
    return hall


MOMENTS = {
    "between rounds": between_rounds,
    "in a round": in_a_round,
    "at the end": at_the_end,
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", ALL, ids=[kind.__name__ for kind in ALL])
def test_no_command_of_staff_seats_anybody_who_has_not_agreed(kind, moment, moments):
    """Also not when it is a ruling that is reversed afterwards."""
    tournament = moments[moment]
    free = set(RELUCTANT) - seated(tournament)
    assert {STRANGER, INVITED, DECLINED, LEFT, ASKED, REPLACED} <= free
    for command in every(kind, tournament):
        then = attempted(tournament, command)
        if then is tournament:
            continue
        assert not seated(then) & free, command
        for ruling in set(then.rulings) - set(tournament.rulings):
            assert not seated(attempted(then, ReverseRuling(ARBITER, ruling, "no"))) & free, command


@pytest.fixture(scope="module")
def moments():
    return {name: moment().tournament for name, moment in MOMENTS.items()}


@pytest.mark.parametrize("kind", [Register, CheckIn, StartTournament, ForbidPair, SetStaff, Withdraw])
def test_nobody_is_entered_unasked_before_the_start(kind):
    tournament = before_the_start().tournament
    for command in every(kind, tournament):
        assert not seated(attempted(tournament, command)) & {STRANGER, INVITED, DECLINED}, command


def test_the_same_walk_finds_a_command_that_seats_somebody(moments):
    """The account itself may do what staff may not."""
    tournament = moments["between rounds"]
    assert ASKED in seated(after(tournament, AcceptSeat(ASKED)))
    assert LEFT in seated(after(tournament, commands.Return(LEFT)))
    assert RESTING in seated(after(tournament, RequestBye(RESTING, round=2, kind="")))
    assert INVITED in seated(after(tournament, Register(INVITED)))


# Substitutes


@pytest.fixture
def hall():
    hall = Hall(8, stages=swiss(3))
    hall.start()
    hall.draw()
    current = hall.current
    for number in current.open_tables:
        hall.do(AttachGame(SERVICE, 1, number, f"game {number}"))
    return hall


def held(hall):
    return set(hall.current.held)


def finish(hall):
    for number in hall.current.open_tables:
        result = in_order(hall.current.round.tables[number])
        hall.do(RecordResult(SERVICE, 1, number, result, f"game {number}"))
    hall.do(CloseRound("olga"))


def table_of(hall, player):
    tables = hall.current.round.tables
    return next(number for number, table in enumerate(tables) if player in table.players)


def test_an_account_that_is_asked_plays_after_accepting(hall):
    asked = hall.do(Substitute("olga", "ill", "p001", "sub"))
    assert (asked.player_of("sub"), asked.asked_for("sub"), asked.player_of("p001")) == ("", "p001", "p001")
    accepted = hall.do(AcceptSeat("sub"))
    assert (accepted.player_of("sub"), accepted.asked_for("sub"), accepted.player_of("p001")) == ("p001", "", "")


def test_whoever_declines_is_not_asked_again(hall):
    hall.do(Substitute("olga", "ill", "p001", "sub"))
    declined = hall.do(DeclineSeat("sub"))
    assert not declined.asked
    assert declined.player_of("p001") == "p001"
    for player in ("p001", "p002"):
        with pytest.raises(Refused, match="declined"):
            hall.do(Substitute("olga", "ill", player, "sub"))


@pytest.mark.parametrize("answer", [AcceptSeat, DeclineSeat])
def test_only_the_account_that_is_asked_answers(hall, answer):
    hall.do(Substitute("olga", "ill", "p001", "sub"))
    for account in ("olga", "p001", "zoe"):
        with pytest.raises(Refused, match="nobody asks you"):
            hall.do(answer(account))


def test_the_clocks_of_the_table_stand_still_until_the_answer_if_the_arbiter_says_so(hall):
    hall.do(Substitute("olga", "ill", "p001", "sub", stops_clocks=True))
    assert held(hall) == {table_of(hall, "p001")}
    hall.do(AcceptSeat("sub"))
    assert held(hall) == set()
    hall.do(Substitute("olga", "ill", "p002", "eve"))
    assert held(hall) == set()


def test_clocks_that_stand_still_wait_for_an_arbiter_when_nobody_comes(hall):
    hall.do(Substitute("olga", "ill", "p001", "sub", stops_clocks=True))
    hall.do(DeclineSeat("sub"))
    assert held(hall) == {table_of(hall, "p001")}
    hall.do(Substitute("olga", "ill", "p001", "eve", stops_clocks=True))
    hall.do(AcceptSeat("eve"))
    assert held(hall) == {table_of(hall, "p001")}, "who stopped them lets them go on"


def test_another_account_is_asked_in_place_of_the_first(hall):
    hall.do(Substitute("olga", "ill", "p001", "sub", stops_clocks=True))
    hall.do(Substitute("olga", "sub is away", "p001", "eve"))
    assert (hall.tournament.asked_for("sub"), hall.tournament.asked_for("eve")) == ("", "p001")
    assert held(hall) == set()


def test_a_ruling_is_taken_back_while_it_waits(hall):
    ruling = f"r{hall.do(Substitute('olga', 'ill', 'p001', 'sub', stops_clocks=True)).version}"
    hall.do(ReverseRuling("olga", ruling, "well again"))
    assert not hall.tournament.asked
    assert held(hall) == set()
    assert hall.do(Substitute("olga", "ill again", "p001", "sub")).asked_for("sub") == "p001"


def test_a_ruling_that_is_reversed_asks_the_player_from_before(hall):
    ruling = f"r{hall.do(Substitute('olga', 'ill', 'p001', 'sub')).version}"
    hall.do(AcceptSeat("sub"))
    reversed = hall.do(ReverseRuling("olga", ruling, "well again"))
    assert (reversed.player_of("sub"), reversed.asked_for("p001")) == ("p001", "p001")
    assert hall.do(AcceptSeat("p001")).player_of("p001") == "p001"
    assert hall.tournament.player_of("sub") == ""


def test_a_ruling_whose_substitute_declined_has_nothing_to_take_back(hall):
    ruling = f"r{hall.do(Substitute('olga', 'ill', 'p001', 'sub')).version}"
    hall.do(DeclineSeat("sub"))
    before = hall.tournament
    assert hall.do(ReverseRuling("olga", ruling, "no need")).participants == before.participants
    assert not hall.tournament.asked


def test_a_bot_and_the_arbiter_themselves_play_at_once(hall):
    assert hall.do(Substitute("olga", "ill", "p001", "bot:greedy:1")).player_of("bot:greedy:1") == "p001"
    assert hall.do(Substitute("olga", "ill", "p002", "olga")).player_of("olga") == "p002"


def test_an_account_without_an_answer_is_asked_no_more(hall):
    hall.do(Substitute("olga", "ill", "p001", "sub", answer_ms=60_000))
    early = commands.EndSeatRequest(SERVICE, "p001")
    with pytest.raises(Refused):
        hall.do(early)
    hall.now += 60_000
    assert not hall.do(early).asked
    assert hall.do(Substitute("olga", "please", "p001", "sub")).asked


# Who comes back


def test_staff_brings_back_whom_staff_has_withdrawn_and_nobody_who_has_left(hall):
    hall.do(Withdraw("olga", player="p001"))
    assert not hall.do(commands.Return("olga", player="p001")).participants["p001"].is_withdrawn
    hall.do(Withdraw("olga", player="p001"))
    hall.do(Withdraw("p001"))
    with pytest.raises(Refused, match="comes back alone"):
        hall.do(commands.Return("olga", player="p001"))
    assert not hall.do(commands.Return("p001")).participants["p001"].is_withdrawn


def test_a_pardon_brings_nobody_back_who_has_left_meanwhile(hall):
    finish(hall)
    ruling = f"r{hall.do(Penalise('olga', 'rude', 'p001', 'exclusion')).version}"
    hall.do(Withdraw("p001"))
    assert hall.do(ReverseRuling("olga", ruling, "mercy")).participants["p001"].is_withdrawn


def test_staff_takes_back_the_byes_that_it_gave_and_no_others(hall):
    hall.do(RequestBye("olga", player="p001", round=2))
    assert not hall.do(RequestBye("olga", player="p001", round=2, kind="")).participants["p001"].byes
    hall.do(RequestBye("p001", round=2))
    hall.do(RequestBye("olga", player="p001", round=2, kind=HALF_BYE))
    with pytest.raises(Refused, match="alone can say otherwise"):
        hall.do(RequestBye("olga", player="p001", round=2, kind=""))
    assert not hall.do(RequestBye("p001", round=2, kind="")).participants["p001"].byes


def test_a_table_does_not_play_again_without_a_player_who_has_left(hall):
    finish(hall)
    hall.do(Withdraw("p001"))
    tables = hall.tournament.round(1).round.tables
    table = next(number for number, each in enumerate(tables) if "p001" in each.players)
    with pytest.raises(Refused, match="plays no game again"):
        hall.do(commands.ReplayGame("olga", "disputed", 1, table))
