"""A game at a glance."""

from replay.summary import summary
from rules.landmarks import END, ROUND, SCORING
from tests.events.played import finished, running, tables


def test_the_scores_of_every_round_end_with_the_final_ones():
    games, game = finished(3, length="full")
    told = summary(games.commits(game))
    assert [row.round for row in told.scores] == list(range(1, 10))
    assert told.scores[-1].scores == games.load(game).state.board.scores


def test_a_round_is_over_with_the_scoring_after_it():
    games, game = finished(3, length="full")
    told = summary(games.commits(game))
    scoring = next(mark.version for mark in told.marks if mark.kind == SCORING)
    [third] = [row for row in told.scores if row.round == 3]
    assert third.version > scoring


def test_marks_stand_at_their_versions():
    games, game = finished(2)
    told = summary(games.commits(game))
    assert [mark.number for mark in told.marks if mark.kind == ROUND] == [2, 3, 5, 6, 8, 9]
    assert told.marks[-1].kind == END
    assert told.marks[-1].version == told.last == games.load(game).version
    assert told.first == 3  # created, a nonce, started


def test_thinking_times_add_up():
    games, game = finished(2)
    assert set(summary(games.commits(game)).thought_ms) == {"red", "blue"}


def test_a_running_game_has_no_end_yet():
    games, game = running(3, 10)
    assert END not in [mark.kind for mark in summary(games.commits(game)).marks]


def test_a_game_that_has_not_begun_has_no_marks():
    games = tables()
    told = summary(games.commits(games.create("el_grande", 2).id))
    assert (told.first, told.last, told.marks, told.scores) == (0, 1, (), ())
