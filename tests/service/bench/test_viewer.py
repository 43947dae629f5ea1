"""`hidalgo bench viewer`: its games, and what it says where there is no browser."""

from random import Random

from click.testing import CliRunner

from replay.study.study import Chapter
from replay.study.variations import decisions, position
from service.bench import studio, viewer
from tests.events.played import tables


def test_the_long_game_has_as_many_commits_as_asked_for_and_is_over():
    games = tables()
    game = viewer.played(games, 2, commits=160)
    assert games.load(game).state.is_over
    assert games.load(game).version >= 160


def test_the_large_study_has_as_many_moves_as_asked_for_and_each_by_the_rules():
    games = tables()
    game = viewer.played(games, 2)
    found = studio.lines(games, "a_bench", game, 30, Random(1))
    chapter = Chapter("k1", "All", game, "everything", found).numbered()
    assert len(chapter.moves) == 30
    for line in map(chapter.line, chapter.moves):
        position(games.load(game, int(line[0].parent)), line)


def test_a_move_is_tried_where_one_thing_is_to_be_picked():
    games = tables()
    game = viewer.played(games, 2)
    steps = studio.choices(games, game)
    assert len(steps) > 10
    assert all(decisions(games.load(game, step).state)[0].kind == studio.CHOICE for step in steps)


def test_without_a_browser_it_says_what_it_needs(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: None)
    result = CliRunner().invoke(viewer.bench_viewer, [])
    assert result.exit_code == 1
    assert "needs playwright" in result.output
