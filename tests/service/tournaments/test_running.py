"""Tournaments run themselves: rounds follow each other, games are created once, results come from the games."""

from dataclasses import replace

import pytest

from events.errors import NotNow
from events.submission import Submission
from events.table.commands import AnswerOverdue, Play, Resign
from events.table.facts import ABSENT
from events.table.game import RUNNING
from events.table.time_control import TimeControl
from rules.codec import codec_for
from rules.kernel import options
from service.tournaments.table_games import result
from service.tournaments.tournament_index import public_key
from service.tournaments.tournament_service import TournamentFilter
from tests.service.tournaments.hall import ALL, ORGANISER, bots, by_hand
from tournaments.commands import (
    SERVICE,
    AcceptSeat,
    CallArbiter,
    HoldTable,
    PauseTournament,
    ProposeRound,
    PublishRound,
    RecordResult,
    ReleaseTable,
    ReplayGame,
    ResumeTournament,
    ReverseRuling,
    RewindGame,
    StartRound,
    Substitute,
)
from tournaments.options import Options, Schedule, Stage
from tournaments.results import Result


def test_an_event_of_bots_runs_to_its_end(hall):
    id = hall.started(*bots(4))
    over = hall.run(id)
    assert over.status == "finished"
    assert [len(paired.games) for paired in over.rounds] == [2, 2]
    assert all(table.result for paired in over.rounds for table in paired.round.tables)
    assert len(over.places) == 4


def test_results_are_those_of_the_games(hall):
    over = hall.run(hall.started(*bots(4)))
    for paired in over.rounds:
        for number, game in paired.games.items():
            played, result = hall.games.load(game), paired.round.tables[number].result
            assert result.places == tuple(played.places[seat] for seat in played.players)
            assert result.victory_points == tuple(played.state.board.scores[seat] for seat in played.players)


def test_a_table_has_one_game_however_often_workers_look(hall):
    id = hall.started(*bots(4))
    other = hall.another_worker()
    for _ in range(4):
        hall.rounds.attend(ALL)
        other.attend(ALL)
        hall.wait(1000)
    [paired] = hall.look(id).rounds
    stored = [game for bucket in ALL for game in hall.games.log.games(bucket)]
    assert sorted(paired.games.values()) == sorted(stored)
    assert len(stored) == 2


def test_bots_wait_for_people_at_their_table_and_not_for_each_other(hall):
    hall.tables = replace(hall.tables, bot_pace_ms=700, self_play_pace_ms=1)
    hall.rounds = hall.another_worker()
    id = hall.started(*bots(3), "ana")
    for _ in range(4):
        hall.rounds.attend(ALL)
        hall.wait(1000)
    [paired] = hall.look(id).rounds
    paces = {}
    for game in map(hall.games.load, paired.games.values()):
        paces["ana" in game.seats.values()] = {bot.pace_ms for bot in game.bots.values()}
    assert paces == {True: {700}, False: {1}}


def test_a_worker_that_died_between_game_and_tournament_is_followed_by_another(hall):
    id = hall.started(*bots(2), schedule=by_hand(), stages=(Stage(rounds=1),))
    for command in (ProposeRound(ORGANISER), PublishRound(ORGANISER), StartRound(ORGANISER)):
        hall.do(id, command)
    made = hall.tables.create(hall.look(id), hall.look(id).rounds[0], 0)
    hall.rounds.attend(ALL)
    assert hall.look(id).rounds[0].games == {0: made.id}


def test_a_result_is_noted_once(hall):
    id = hall.started(*bots(2))
    hall.attend()
    hall.play(id)
    hall.play(id)
    hall.rounds.note_results(ALL)
    version = hall.look(id).version
    ended = hall.games.load(hall.look(id).rounds[0].games[0])
    hall.ended.note({ended.id: ended})
    hall.rounds.note_results(ALL)
    assert hall.look(id).version == version
    assert hall.ended.waiting(ALL, 10) == []


def test_a_player_who_never_comes_is_absent_and_the_other_wins(hall):
    id = hall.started("ana", "ben", schedule=Schedule(no_show_ms=60_000), stages=(Stage(rounds=1),))
    hall.attend()
    [game] = hall.games_of(id).values()
    [asked] = game.asked
    hall.wait(59_000)
    hall.attend()
    assert hall.games.load(game.id).is_running
    hall.wait(2_000)
    hall.attend()
    after = hall.games.load(game.id)
    assert after.forfeited == {asked: ABSENT}
    hall.ended.note({after.id: after})
    hall.attend()
    [table] = hall.look(id).rounds[0].round.tables
    assert table.result.absent == (after.players.index(asked),)
    assert table.result.places[after.players.index(asked)] == 2


def test_a_player_who_leaves_comes_last(hall):
    id = hall.started("ana", "ben", stages=(Stage(rounds=1),))
    hall.attend()
    [game] = hall.games_of(id).values()
    left = hall.games.submit(game.id, Resign("ana")).after
    hall.ended.note({left.id: left})
    hall.attend()
    [table] = hall.look(id).rounds[0].round.tables
    assert [table.players[seat] for seat in table.result.abandoned] == ["ana"]


def test_the_limit_of_a_round_ends_games_by_their_present_scores(hall):
    id = hall.started("ana", "ben", schedule=Schedule(limit_ms=3_600_000), stages=(Stage(rounds=1),))
    hall.attend()
    [game] = hall.games_of(id).values()
    hall.wait(3_600_000)
    hall.attend()
    stopped = hall.games.load(game.id)
    assert stopped.status == "over"
    scores = stopped.state.board.scores
    assert stopped.places == {player: 1 + sum(s > scores[player] for s in scores.values()) for player in scores}


def test_a_pause_stops_the_clocks_of_all_games(hall):
    id = hall.started("ana", "ben", "cid", "dan", time=TimeControl(bank_ms=600_000))
    hall.attend()
    hall.do(id, PauseTournament(ORGANISER))
    hall.attend()
    assert all(game.clock.paused for game in hall.games_of(id).values())
    hall.do(id, ResumeTournament(ORGANISER))
    hall.attend()
    assert not any(game.clock.paused for game in hall.games_of(id).values())


def test_an_arbiter_stops_the_clocks_of_one_table_and_a_pause_of_all_leaves_them_stopped(hall):
    id = hall.started("ana", "ben", "cid", "dan", time=TimeControl(bank_ms=600_000))
    hall.attend()

    def stopped(*commands):
        for command in commands:
            hall.do(id, command)
        hall.attend()
        return [bool(game.clock.paused) for game in hall.games_of(id).values()]

    assert stopped(HoldTable(ORGANISER, 1, 0)) == [True, False]
    assert stopped(PauseTournament(ORGANISER)) == [True, True]
    assert stopped(ResumeTournament(ORGANISER)) == [True, False]
    assert stopped(PauseTournament(ORGANISER), ReleaseTable(ORGANISER, 1, 0)) == [True, True]
    assert stopped(ResumeTournament(ORGANISER)) == [False, False]


def test_a_call_tells_how_far_the_game_had_come(hall):
    id = hall.started("ana", "ben")
    hall.attend()
    [game] = hall.games_of(id).values()
    hall.do(id, CallArbiter("ana", text="The page was stale"))
    [claim] = hall.look(id).round(1).claims[0]
    assert (claim.player, claim.step) == ("ana", game.version)


def seats_at(hall, id):
    hall.attend()
    [game] = hall.games_of(id).values()
    return sorted(game.seats.values()), bool(game.clock and game.clock.paused)


@pytest.mark.parametrize("stops_clocks", [False, True])
def test_a_substitute_takes_the_seat_after_agreeing_and_clocks_wait_if_the_arbiter_says_so(hall, stops_clocks):
    id = hall.started("ana", "ben", time=TimeControl(bank_ms=600_000))
    hall.attend()
    hall.do(id, Substitute(ORGANISER, "ana is ill", "ana", "eve", stops_clocks))
    assert seats_at(hall, id) == (["ana", "ben"], stops_clocks)
    hall.do(id, AcceptSeat("eve"))
    assert seats_at(hall, id) == (["ben", "eve"], False)


def test_a_former_player_takes_the_seat_back_when_they_agree(hall):
    id = hall.started("ana", "ben")
    hall.attend()
    [*_, ruling] = hall.do(id, Substitute(ORGANISER, "ana is ill", "ana", "eve")).rulings
    hall.do(id, AcceptSeat("eve"))
    hall.do(id, ReverseRuling(ORGANISER, ruling, "ana is well again"))
    assert seats_at(hall, id)[0] == ["ben", "eve"]
    hall.do(id, AcceptSeat("ana"))
    assert seats_at(hall, id)[0] == ["ana", "ben"]


def test_the_staff_hears_when_a_substitute_does_not_answer(hall):
    ana, ben, eve = hall.people(3)
    id = hall.started(ana, ben)
    hall.attend()
    hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve, answer_ms=60_000))
    hall.wait(59_999)
    hall.attend()
    assert hall.look(id).asked
    hall.wait(1)
    hall.attend()
    assert not hall.look(id).asked
    assert hall.look(id).player_of(ana) == ana


def test_a_game_that_is_played_again_is_another_one(hall):
    id = hall.started(*bots(2), stages=(Stage(rounds=1),))
    hall.attend()
    [first] = hall.games_of(id).values()
    hall.do(id, ReplayGame(ORGANISER, "a wrong board", 1, 0))
    hall.attend()
    [second] = hall.games_of(id).values()
    assert first.id != second.id


def test_a_table_of_a_finished_tournament_plays_again_and_its_new_result_counts(hall):
    id = hall.started(*bots(2), stages=(Stage(rounds=1),))
    first = hall.run(id).rounds[0].games[0]
    hall.do(id, ReplayGame(ORGANISER, "a wrong board", 1, 0))
    for _ in range(2):
        hall.attend()
    second = hall.look(id).rounds[0].games[0]
    assert second != first
    game = hall.games.load(second)
    while game.status == RUNNING:
        game = hall.games.submit(game.id, AnswerOverdue()).after
    hall.ended.note({game.id: game})
    hall.attend()
    paired = hall.look(id).rounds[0]
    assert paired.round.tables[0].result == result(game)
    assert paired.games == {0: second}


def test_a_pause_and_a_substitute_reach_a_table_that_plays_again(hall):
    id = hall.started("ana", "ben", stages=(Stage(rounds=2),), time=TimeControl(bank_ms=600_000))
    hall.attend()
    hall.do(id, RecordResult(SERVICE, 1, 0, Result((1, 2)), hall.games_of(id)[0].id))
    hall.attend()
    hall.do(id, ReplayGame(ORGANISER, "a wrong board", 1, 0))
    hall.attend()
    again = hall.look(id).rounds[0].games[0]
    hall.do(id, Substitute(ORGANISER, "ana is ill", "ana", "eve"))
    hall.do(id, AcceptSeat("eve"))
    hall.do(id, PauseTournament(ORGANISER))
    hall.attend()
    game = hall.games.load(again)
    assert sorted(game.seats.values()) == ["ben", "eve"]
    assert game.clock.paused


def test_a_ruling_rewinds_the_game_itself(hall):
    id = hall.started("ana", "ben", stages=(Stage(rounds=1),))
    hall.attend()
    [game] = hall.games_of(id).values()
    [seat] = game.asked
    decision = options(game.state, seat)[0]
    hall.games.submit(game.id, Play(codec_for(game.rules).answer(seat, decision.example())))
    hall.do(id, RewindGame(ORGANISER, "a wrong click", 1, 0, game.version))
    for _ in range(2):
        hall.attend()
    after = hall.games.load(game.id)
    assert (after.state.board, after.version) == (game.state.board, game.version + 2)


def test_a_rewind_that_is_reversed_leaves_the_game_to_its_players(hall):
    id = hall.started("ana", "ben", stages=(Stage(rounds=1),))
    hall.attend()
    game = moved(hall, hall.games_of(id)[0])
    ruling = f"r{hall.do(id, RewindGame(ORGANISER, 'a wrong click', 1, 0, game.version - 1)).version}"
    hall.attend()
    after = moved(hall, hall.games.load(game.id))
    hall.do(id, ReverseRuling(ORGANISER, ruling, "no wrong click"))
    hall.attend()
    assert hall.games.load(game.id) == after
    assert hall.look(id).rulings[ruling].reversed_by == ORGANISER


def moved(hall, game):
    [seat] = game.asked
    answer = codec_for(game.rules).answer(seat, options(game.state, seat)[0].example())
    return hall.games.submit(game.id, Play(answer)).after


def test_a_step_that_no_game_remembers_is_refused(hall):
    id = hall.started("ana", "ben", stages=(Stage(rounds=1),))
    hall.attend()
    with pytest.raises(NotNow):
        hall.do(id, RewindGame(ORGANISER, "a wrong click", 1, 0, 1))


def test_the_same_request_creates_one_tournament(hall):
    options = Options("Club evening", "el_grande")
    first, again = (hall.service.create(ORGANISER, options, Submission(by=ORGANISER, key="k")) for _ in range(2))
    assert first.id == again.id


def test_what_no_table_can_play_is_refused(hall):
    with pytest.raises(Exception, match="players"):
        hall.open(size=6)


def test_lists_show_public_tournaments_and_to_their_people_private_ones(hall):
    shown = hall.open("ana")
    hidden = hall.open("ben", visibility="private")
    everybody = hall.service.find(TournamentFilter(), None).tournaments
    assert [each.id for each in everybody] == [shown]
    mine = hall.service.find(TournamentFilter(account="ben"), "ben").tournaments
    assert [each.id for each in mine] == [hidden]
    assert hall.service.find(TournamentFilter(account="ben"), "ana").tournaments == ()


def test_a_lost_index_is_made_anew(hall):
    id = hall.open("ana")
    hall.store.commands.delete(public_key("open"), "hidalgo:{tournaments}:about:" + id)
    assert not hall.index.complete
    assert hall.service.find(TournamentFilter(), None).tournaments == ()
    while not hall.feed.rebuild():
        pass
    assert hall.index.complete
    assert [each.id for each in hall.service.find(TournamentFilter(), None).tournaments] == [id]


def test_a_round_under_way_cannot_be_drawn_again(hall):
    id = hall.started(*bots(4))
    hall.attend()
    with pytest.raises(NotNow):
        hall.do(id, ProposeRound(ORGANISER))
