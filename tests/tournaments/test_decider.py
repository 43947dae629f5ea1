"""A tournament in its log: who may do what, what follows, and that everything recomputes."""

import msgspec
import pytest
from msgspec.structs import replace

from events.errors import NoSuchGame, NothingDue, NotNow, NotPermitted
from events.history import fold
from rules.errors import Unreadable
from tests.tournaments.hall import Hall, in_order, swiss
from tournaments.commands import (
    SERVICE,
    AcceptSeat,
    Adjudicate,
    AdjustPoints,
    Announce,
    AttachGame,
    CancelTournament,
    ChangeOptions,
    CheckIn,
    CloseRound,
    FinishTournament,
    ForbidPair,
    PauseTournament,
    Penalise,
    PinTables,
    ProposeRound,
    PublishRound,
    RecordResult,
    Register,
    RemindPlayers,
    ReplayGame,
    RequestBye,
    ResumeTournament,
    Return,
    ReverseRuling,
    RewindGame,
    SetStaff,
    StartRound,
    StartTournament,
    Substitute,
    Withdraw,
)
from tournaments.decider import TOURNAMENT
from tournaments.due import due
from tournaments.history import canonical
from tournaments.options import Entry, Options, Schedule, Stage, check_options
from tournaments.pairing.draw import Request, draw
from tournaments.points import UNIT, PointScheme
from tournaments.results import Result
from tournaments.standings import drawn_lots, standings
from tournaments.tally import tally
from tournaments.verification import verify

MINUTE = 60_000


@pytest.fixture
def hall():
    return Hall(8, stages=swiss(3))


def test_a_whole_tournament_runs_without_anybody_there():
    hall = Hall(
        9,
        sizes=(3,),
        stages=(Stage(rounds=2), Stage("final", 1, players=4)),
        schedule=Schedule(starts_at=2_000_000, interval_ms=MINUTE, notice_ms=MINUTE, review_ms=MINUTE),
    )
    over = hall.serve(3_500_000)
    assert over.status == "finished"
    assert [paired.stage for paired in over.rounds] == [0, 0, 1]
    assert len(over.places) == 9
    assert set(over.places[:4]) == set(over.qualified[0])
    assert [row.place for row in over.standings()][:4] == [1, 2, 3, 4]


def test_the_log_folds_to_the_same_tournament():
    hall = Hall(13, sizes=(3,), stages=swiss(3))
    hall.start()
    hall.play(2, hall.by_chance)
    hall.do(Adjudicate("olga", "misread", 1, 0, in_order(hall.tournament.rounds[0].round.tables[0])))
    hall.draw()
    folded = fold(TOURNAMENT, hall.log.read("t1"))
    assert folded
    assert replace(folded, counted=None) == replace(hall.tournament, counted=None)
    assert folded.tally == hall.tournament.tally
    assert folded.standings() == hall.tournament.standings()


def test_every_published_certificate_is_true_for_the_history_it_was_drawn_from():
    hall = Hall(13, sizes=(3,), stages=swiss(3))
    hall.start()
    over = hall.play(3, hall.by_chance)
    history = over.history(0)
    assert [verify(paired.certificate, history) for paired in over.rounds] == [()] * 3


def test_the_same_commands_give_the_same_log():
    def played():
        hall = Hall(9, sizes=(3,), stages=swiss(2))
        hall.start()
        hall.play(2, hall.by_chance)
        return list(hall.log.read("t1"))

    assert [strip(entry) for entry in played()] == [strip(entry) for entry in played()]


def strip(entry):
    """Without what differs by design: names of commands, hashes."""
    commit = TOURNAMENT.read(entry, None)
    return commit.header.by, commit.header.at, commit.facts


SMALL_AND_LARGE = [(40, 5), pytest.param(256, 7, marks=(pytest.mark.long, pytest.mark.timeout(600)))]


@pytest.mark.parametrize(("players", "rounds"), SMALL_AND_LARGE)
def test_the_log_rebuilds_standings_pairings_and_certificates_bit_by_bit(players, rounds):
    hall = Hall(players, stages=swiss(rounds))
    hall.start()
    over = hall.play(rounds, hall.by_chance)
    folded = fold(TOURNAMENT, hall.log.read("t1"))
    assert folded
    assert msgspec.json.encode(folded.rounds) == msgspec.json.encode(over.rounds)
    assert canonical(folded.standings()) == canonical(over.standings())
    history = folded.history(0)
    assert [verify(paired.certificate, history) for paired in folded.rounds] == [()] * rounds
    for paired in folded.rounds:
        again = drawn_again(history, paired.certificate)
        assert canonical(again.certificate) == canonical(paired.certificate)
        assert [table.players for table in again.round.tables] == [table.players for table in paired.round.tables]


def drawn_again(history, certificate):
    """A round, from what was known before it and the seed alone."""
    before = history.before(certificate.round)
    present = tuple(player.id for player in before.players)
    return draw(Request(before, present, 4, bytes.fromhex(certificate.seed), wishes=certificate.wishes))


@pytest.mark.parametrize(("players", "rounds"), SMALL_AND_LARGE)
def test_a_corrected_result_of_round_3_flags_later_rounds_and_equals_a_fresh_computation(players, rounds):
    hall = Hall(players, stages=swiss(rounds))
    hall.start()
    hall.play(rounds - 1, hall.by_chance)
    hall.do(ProposeRound("olga"))
    now = hall.tournament.rounds[2].round.tables[0].result
    assert now
    turned = replace(now, places=tuple(5 - place for place in now.places))
    after = hall.do(Adjudicate("olga", "scores were swapped", 3, 0, turned))
    assert [paired.number for paired in after.rounds if after.is_outdated(paired)] == list(range(4, rounds))
    assert after.proposal is None
    drawn = hall.do(ProposeRound("olga")).proposal
    assert drawn
    assert drawn.certificate.history == tally(after.history(0)).digest
    lots = drawn_lots(after.participants, bytes.fromhex(after.lots))
    fresh = standings(after.history(0), after.options.standings_list, lots)
    assert canonical(after.standings()) == canonical(fresh)


def test_thousands_can_register():
    hall = Hall(600, entry=Entry(most=600))
    assert len(hall.start().participants) == 600


# Rights


@pytest.mark.parametrize(
    "command",
    [
        StartTournament("p001"),
        SetStaff("p001", "p001", "organiser"),
        ProposeRound("p001"),
        ForbidPair("p001", "p001", "p002"),
        Announce("p001", "hello"),
        CancelTournament("p001", "no"),
        AdjustPoints("p001", "please", "p001", 60),
        Withdraw("p001", "p002"),
        CheckIn("p001", "p002"),
        RecordResult("p001", 1, 0, Result((1, 2, 3, 4))),
        AttachGame("p001", 1, 0, "g"),
        Register("p001", "p009"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_player_may_not(hall, command):
    with pytest.raises(NotPermitted):
        hall.do(command)


def test_an_arbiter_rules_but_does_not_end_the_tournament(hall):
    hall.do(SetStaff("olga", "arne", "arbiter"))
    hall.do(ForbidPair("arne", "p001", "p002"))
    with pytest.raises(NotPermitted):
        hall.do(CancelTournament("arne", "tired"))


def test_a_private_tournament_does_not_exist_for_strangers():
    hall = Hall(visibility="private")
    for command in (Register("eve"), Withdraw("eve"), StartTournament("eve")):
        with pytest.raises(NoSuchGame):
            hall.do(command)
    assert hall.do(Register("olga", "eve")).role("eve") == ""
    assert hall.do(Register("eve")).role("eve") == "player"


def test_the_owner_stays_the_owner(hall):
    with pytest.raises(NotNow):
        hall.do(SetStaff("olga", "olga", ""))


# Coming and going


def test_a_player_whom_staff_enters_plays_only_after_agreeing(hall):
    invited = hall.do(Register("olga", "eve", rating=2500, team="Club"))
    assert "eve" in invited.invited
    assert "eve" not in hall.start().participants
    late = Hall(8, stages=swiss(4), entry=Entry(late_until=2))
    late.start()
    late.do(Register("olga", "eve", rating=2500, team="Club"))
    drawn = late.do(ProposeRound("olga")).proposal
    assert drawn
    assert "eve" not in drawn.round.unpaired
    assert len(late.standings) == 8
    entered = late.do(Register("eve"))
    assert (entered.participants["eve"].team, entered.participants["eve"].rating) == ("Club", 2500)
    assert not entered.invited
    assert not entered.proposal, "a round is drawn with them"


def test_bots_need_not_be_asked_and_the_operator_need_not_ask(hall):
    hall.do(Register("olga", "bot:greedy:1"))
    assert {"bot:greedy:1", "eve"} <= hall.do(Register(SERVICE, "eve")).participants.keys()


def test_who_declines_is_not_asked_again_but_can_still_come(hall):
    hall.do(Register("olga", "eve"))
    with pytest.raises(NotNow, match="invited already"):
        hall.do(Register("olga", "eve"))
    with pytest.raises(NotPermitted):
        hall.do(Withdraw("p001", "eve"))
    assert not hall.do(Withdraw("eve")).invited
    with pytest.raises(NotNow, match="declined"):
        hall.do(Register("olga", "eve"))
    assert "eve" in hall.do(Register("eve")).participants


def test_staff_takes_an_invitation_back_and_may_ask_again(hall):
    for _ in range(2):
        hall.do(Register("olga", "eve"))
        assert not hall.do(Withdraw("olga", "eve")).invited


def test_a_private_tournament_is_open_to_those_it_invites():
    hall = Hall(visibility="private")
    assert hall.do(Register("olga", "eve")).is_visible_to("eve")
    assert not hall.do(Withdraw("eve")).is_visible_to("eve")


def test_whoever_was_given_a_role_may_lay_it_down(hall):
    hall.do(SetStaff("olga", "arne", "arbiter"))
    with pytest.raises(NotPermitted):
        hall.do(SetStaff("arne", "arne", "organiser"))
    assert not hall.do(SetStaff("arne", "arne", "")).staff


@pytest.mark.parametrize("method", ["fast", "dutch"])
def test_a_pair_is_kept_apart_also_if_one_of_them_leaves_before_the_start(method):
    hall = Hall(8, size=2, method=method)
    hall.do(ForbidPair("olga", "p001", "p002"))
    hall.do(Withdraw("p001"))
    hall.start()
    hall.draw()
    assert len(hall.current.round.tables) == 3


def test_only_those_who_checked_in_are_there_at_the_start():
    hall = Hall(6, schedule=Schedule(check_in_ms=MINUTE))
    for player in ("p001", "p002", "p003", "p004"):
        hall.do(CheckIn(player))
    assert sorted(hall.start().participants) == ["p001", "p002", "p003", "p004"]


def test_starting_numbers_follow_the_ratings(hall):
    started = hall.start()
    assert [player.number for player in started.participants.values()] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_full_tournament_takes_nobody_more():
    hall = Hall(2, entry=Entry(most=2))
    with pytest.raises(NotNow, match="full"):
        hall.do(Register("p003"))


def test_nobody_enters_twice(hall):
    with pytest.raises(NotNow, match="already"):
        hall.do(Register("p001"))


def test_a_late_player_enters_with_nothing_or_half_of_a_win():
    hall = Hall(8, stages=swiss(4), entry=Entry(late_until=2, late_half_bye=True))
    hall.start()
    hall.play(1)
    late = hall.do(Register("zoe"))
    assert late.participants["zoe"].number == 9
    assert dict(hall.standings)["zoe"] == "12"
    hall.play(1)
    with pytest.raises(NotNow, match="too late"):
        hall.do(Register("yan"))


def test_a_withdrawn_player_is_not_paired_and_keeps_the_points(hall):
    hall.start()
    hall.play(1)
    before = dict(hall.standings)["p001"]
    hall.do(Withdraw("p001"))
    hall.draw()
    assert "p001" not in [player for table in hall.current.round.tables for player in table.players]
    assert dict(hall.standings)["p001"] == before


def test_byes_that_players_ask_for_are_limited():
    hall = Hall(8, stages=swiss(4), entry=Entry(half_byes=1, half_byes_until=2))
    hall.start()
    hall.do(RequestBye("p001", round=1, kind="half_bye"))
    for round, kind in ((2, "half_bye"), (2, "full_bye")):
        with pytest.raises((NotNow, NotPermitted)):
            hall.do(RequestBye("p001", round=round, kind=kind))
    hall.do(RequestBye("p002", round=2, kind="zero_bye"))
    assert hall.play(1).rounds[0].round.unpaired["p001"] == "half_bye"
    assert dict(hall.standings)["p001"] == "12"


def test_players_who_are_absent_twice_in_a_row_are_withdrawn():
    hall = Hall(8, size=4, stages=swiss(3))
    hall.start()

    def without_first(table):
        away = tuple(seat for seat, player in enumerate(table.players) if player == "p001")
        return replace(in_order(table), absent=away)

    hall.play(2, without_first)
    assert hall.tournament.participants["p001"].is_withdrawn
    assert dict(hall.standings)["p001"] == "0"


# Rounds


def test_a_proposed_round_can_be_drawn_again_and_the_log_tells(hall):
    hall.start()
    first = hall.do(ProposeRound("olga")).proposal
    second = hall.do(ProposeRound("olga")).proposal
    assert (first.attempt, second.attempt) == (1, 2)
    assert first.certificate.seed != second.certificate.seed


def test_the_service_draws_a_round_once(hall):
    hall.start()
    hall.do(ProposeRound(SERVICE))
    with pytest.raises(NothingDue):
        hall.do(ProposeRound(SERVICE))


def test_a_round_is_published_before_it_starts(hall):
    hall.start()
    hall.do(ProposeRound("olga"))
    with pytest.raises(NothingDue):
        hall.do(StartRound("olga"))
    hall.do(PublishRound("olga"))
    with pytest.raises(NotNow, match="not over"):
        hall.do(ProposeRound("olga"))


def test_tables_by_hand_are_kept(hall):
    hall.start()
    hall.do(PinTables("olga", (("p001", "p002", "p003", "p008"),)))
    proposal = hall.do(ProposeRound("olga")).proposal
    assert proposal.round.tables[0].players == ("p001", "p002", "p003", "p008")


def test_a_whole_round_by_hand_has_a_certificate_too(hall):
    hall.start()
    tables = (("p001", "p002", "p003", "p004"), ("p005", "p006", "p007"))
    proposal = hall.do(ProposeRound("olga", tables)).proposal
    assert proposal.round.unpaired == {"p008": "bye"}
    assert proposal.certificate.method == "by-hand"


@pytest.mark.parametrize(
    "tables",
    [
        (("p001", "p002"), ("p002", "p003")),
        (("p001", "nobody"),),
        (("p001",),),
        (tuple(f"p00{n}" for n in range(1, 9)),),
    ],
)
def test_tables_that_are_none_are_refused(hall, tables):
    hall.start()
    with pytest.raises((NotNow, Unreadable)):
        hall.do(ProposeRound("olga", tables))


@pytest.mark.parametrize(
    "result",
    [
        Result((1, 2, 3)),
        Result((1, 1, 2, 3)),
        Result((0, 1, 2, 3)),
        Result((1, 2, 3, 4), (1, 2)),
        Result((1, 2, 3, 4), absent=(4,)),
        Result((1, 2, 3, 4), absent=(1,), abandoned=(1,)),
        Result((1, 2, 3, 4), (10**9, 0, 0, 0)),
    ],
    ids=str,
)
def test_results_that_are_none_are_refused(hall, result):
    hall.start()
    hall.draw()
    with pytest.raises(Unreadable):
        hall.do(RecordResult("olga", 1, 0, result))


def test_a_paused_tournament_draws_no_round(hall):
    hall.start()
    hall.do(PauseTournament("olga", "fire alarm"))
    assert due(hall.tournament, hall.now) == ()
    with pytest.raises(NotNow, match="paused"):
        hall.do(ProposeRound("olga"))
    hall.do(ResumeTournament("olga"))
    hall.do(ProposeRound("olga"))


def test_players_are_reminded_once():
    hall = Hall(4, schedule=Schedule(limit_ms=10 * MINUTE, remind_ms=MINUTE))
    hall.start()
    hall.draw()
    hall.now += 9 * MINUTE
    assert [type(each.command) for each in due(hall.tournament, hall.now) if each.command] == [RemindPlayers]
    hall.do(RemindPlayers(SERVICE))
    with pytest.raises(NothingDue):
        hall.do(RemindPlayers(SERVICE))


def test_the_questions_to_games_are_due_at_their_time():
    hall = Hall(4, schedule=Schedule(no_show_ms=5 * MINUTE, limit_ms=60 * MINUTE))
    hall.start()
    hall.draw()
    assert [each.question for each in due(hall.tournament, hall.now)] == ["create_game"]
    hall.do(AttachGame(SERVICE, 1, 0, "g1"))
    assert due(hall.tournament, hall.now) == ()
    assert [each.question for each in due(hall.tournament, hall.now + 5 * MINUTE)] == ["no_show"]
    assert [each.question for each in due(hall.tournament, hall.now + 61 * MINUTE)] == ["no_show", "round_limit"]


def test_rounds_at_an_interval_start_from_the_start_of_the_one_before():
    hall = Hall(4, stages=swiss(2), schedule=Schedule(rule="interval", interval_ms=60 * MINUTE))
    hall.start()
    hall.serve(hall.now + 10 * MINUTE, MINUTE)
    first = hall.tournament.rounds[0]
    hall.serve(hall.now + 120 * MINUTE, MINUTE)
    assert hall.tournament.rounds[1].started_at - first.started_at == 60 * MINUTE


def test_too_few_players_cancel_a_tournament_an_hour_after_its_start():
    hall = Hall(1, schedule=Schedule(starts_at=2_000_000))
    assert hall.serve(2_000_000 + 61 * MINUTE, MINUTE).status == "cancelled"


def test_heats_are_drawn_by_lot_and_the_best_meet_in_the_final():
    hall = Hall(16, stages=(Stage("heats", 3), Stage("final", 1, players=4, size=4)))
    hall.start()
    heats = hall.play(3)
    assert all(paired.certificate.wishes.by_lot for paired in heats.rounds)
    assert [verify(paired.certificate, heats.history(0)) for paired in heats.rounds] == [()] * 3
    best = [row.player for row in heats.standings()][:4]
    hall.draw()
    assert sorted(hall.current.round.tables[0].players) == sorted(best)


# Rulings


def test_a_corrected_result_recomputes_flags_and_draws_anew(hall):
    hall.start()
    hall.play(2)
    hall.do(ProposeRound("olga"))
    before = hall.standings
    table = hall.tournament.rounds[0].round.tables[0]
    turned = Result(tuple(5 - place for place in table.result.places))
    after = hall.do(Adjudicate("olga", "scores were swapped", 1, 0, turned))
    assert after.proposal is None, "it was drawn from other standings"
    assert [after.is_outdated(paired) for paired in after.rounds] == [False, True]
    assert hall.standings != before
    [ruling] = after.rulings
    back = hall.do(ReverseRuling("olga", ruling, "they were not"))
    assert hall.standings == before
    assert not any(back.is_outdated(paired) for paired in back.rounds)


def test_rulings_about_the_same_are_reversed_last_first(hall):
    hall.start()
    hall.play(1)
    results = [Result((1, 2, 3, 4)), Result((4, 3, 2, 1)), Result((2, 1, 3, 4)), Result((1, 2, 4, 3))]
    now = hall.tournament.rounds[0].round.tables[0].result
    first, second = [result for result in results if result != now][:2]
    one = hall.do(Adjudicate("olga", "first", 1, 0, first)).version
    two = hall.do(Adjudicate("olga", "second", 1, 0, second)).version
    with pytest.raises(NotNow, match="later ruling"):
        hall.do(ReverseRuling("olga", f"r{one}", "no"))
    hall.do(ReverseRuling("olga", f"r{two}", "no"))
    hall.do(ReverseRuling("olga", f"r{one}", "no"))
    assert hall.tournament.rounds[0].round.tables[0].result == now
    with pytest.raises(NotNow, match="holds"):
        hall.do(ReverseRuling("olga", f"r{one}", "again"))


def test_points_are_adjusted_and_given_back(hall):
    hall.start()
    hall.play(1)
    before = dict(hall.standings)["p008"]
    after = hall.do(AdjustPoints("olga", "a prize", "p008", 3 * UNIT))
    assert dict(hall.standings)["p008"] == str(int(before) + 3)
    hall.do(ReverseRuling("olga", f"r{after.version}", "no prize"))
    assert dict(hall.standings)["p008"] == before


def test_a_game_is_played_again(hall):
    hall.start()
    hall.draw()
    hall.finish_tables()
    again = hall.do(ReplayGame("olga", "the board fell over", 1, 0))
    assert again.current.open_tables == (0,)
    assert 0 not in again.current.games
    hall.finish_tables()
    hall.do(CloseRound("olga"))


def test_a_game_is_rewound_and_its_result_does_not_count(hall):
    hall.start()
    hall.draw()
    hall.finish_tables()
    rewound = hall.do(RewindGame("olga", "a wrong move was let through", 1, 0, 17))
    assert rewound.current.open_tables == (0,)
    assert rewound.current.games[0]
    restored = hall.do(ReverseRuling("olga", f"r{rewound.version}", "it was right"))
    assert restored.current.open_tables == ()


def test_a_substitute_plays_on_with_the_points(hall):
    hall.start()
    hall.play(1)
    before = hall.standings
    hall.do(Substitute("olga", "ill", "p001", "sub"))
    after = hall.do(AcceptSeat("sub"))
    assert after.player_of("sub") == "p001"
    assert after.role("p001") == ""
    assert hall.standings == before
    assert hall.do(Withdraw("sub")).participants["p001"].is_withdrawn


def test_penalties_warn_cost_points_and_exclude(hall):
    hall.start()
    hall.play(1)
    assert hall.do(Penalise("olga", "late", "p001", "warning")).participants["p001"].warnings == 1
    hall.do(Penalise("olga", "late again", "p001", "points", 12 * UNIT))
    out = hall.do(Penalise("olga", "and again", "p001", "exclusion"))
    assert out.participants["p001"].is_withdrawn
    with pytest.raises(NotNow, match="excluded"):
        hall.do(Return("p001"))
    hall.do(ReverseRuling("olga", f"r{out.version}", "mercy"))
    assert not hall.tournament.participants["p001"].is_withdrawn


@pytest.mark.parametrize("reason", ["", "  ", "x" * 5000, "a\x00b"])
def test_a_ruling_needs_a_reason(hall, reason):
    hall.start()
    hall.play(1)
    with pytest.raises(Unreadable):
        hall.do(AdjustPoints("olga", reason, "p001", UNIT))


def test_rulings_are_possible_after_the_end(hall):
    hall.start()
    hall.play(3)
    hall.do(FinishTournament(SERVICE))
    hall.do(AdjustPoints("olga", "cheating", "p001", -50 * UNIT))
    assert hall.tournament.standings()[0].player != "p001"


def test_a_table_of_a_closed_round_that_plays_again_gets_its_game_before_the_tournament_goes_on(hall):
    hall.start()
    hall.play(2)
    hall.do(ReplayGame("olga", "the board fell over", 1, 0))
    [created] = due(hall.tournament, hall.now)
    assert (created.question, created.round, created.table) == ("create_game", 1, 0)
    hall.do(AttachGame(SERVICE, 1, 0, "again"))
    assert due(hall.tournament, hall.now) == (), "the next round waits for the table"
    hall.do(RecordResult(SERVICE, 1, 0, Result((4, 3, 2, 1)), "again"))
    assert [type(each.command) for each in due(hall.tournament, hall.now)] == [ProposeRound]


def test_a_tournament_does_not_end_while_a_table_plays_again(hall):
    hall.start()
    hall.play(3)
    ruling = f"r{hall.do(ReplayGame('olga', 'disputed', 2, 1)).version}"
    assert [each.question for each in due(hall.tournament, hall.now)] == ["create_game"]
    with pytest.raises(NotNow, match="table 2 of round 2 plays again"):
        hall.do(FinishTournament(SERVICE))
    hall.do(ReverseRuling("olga", ruling, "settled"))
    assert hall.do(FinishTournament(SERVICE)).status == "finished"
    hall.do(ReplayGame("olga", "found out later", 1, 0))
    assert [each.question for each in due(hall.tournament, hall.now)] == ["create_game"]
    hall.do(AttachGame(SERVICE, 1, 0, "again"))
    hall.do(RecordResult(SERVICE, 1, 0, Result((4, 3, 2, 1)), "again"))
    assert due(hall.tournament, hall.now) == ()


# Options


@pytest.mark.parametrize(
    "changes",
    [
        {"title": ""},
        {"title": "a\nb"},
        {"size": 1},
        {"size": 9},
        {"sizes": (7,)},
        {"method": "chance"},
        {"stages": ()},
        {"stages": (Stage("final", 1, players=4),)},
        {"stages": (Stage(), Stage("swiss", 3))},
        {"stages": (Stage(), Stage("final", 1))},
        {"stages": (Stage(rounds=0),)},
        {"schedule": Schedule(rule="interval")},
        {"schedule": Schedule(rule="dates")},
        {"schedule": Schedule(rule="dates", dates=(2, 1))},
        {"schedule": Schedule(rule="sometimes")},
        {"schedule": Schedule(limit_ms=-1)},
        {"entry": Entry(fewest=1)},
        {"entry": Entry(fewest=9, most=8)},
        {"points": PointScheme("golf")},
        {"tiebreaks": ("luck",)},
        {"bye": "double"},
        {"game_options": {"x": "y" * 300}},
        {"absences": -1},
    ],
    ids=str,
)
def test_options_by_which_nobody_can_play_are_refused(changes):
    with pytest.raises(Unreadable):
        check_options(Options(**{"title": "Weekend", "game": "el_grande", **changes}))


def test_title_and_rounds_can_change_after_the_start_with_a_reason(hall):
    hall.start()
    hall.play(1)
    more = replace(hall.tournament.options, stages=swiss(4))
    with pytest.raises(Unreadable):
        hall.do(ChangeOptions("olga", more))
    assert hall.do(ChangeOptions("olga", more, "all agreed")).options.stages[0].rounds == 4
    hall.play(1)
    with pytest.raises(NotNow, match="more rounds"):
        hall.do(ChangeOptions("olga", replace(more, stages=swiss(1)), "tired"))
