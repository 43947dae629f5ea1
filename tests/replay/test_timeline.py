"""The timeline: what happened, as one viewer may know it."""

import random
from itertools import pairwise

import pytest
from msgspec.structs import replace

from events.history import replay
from events.table.commands import Start
from events.table.decider import GAME
from replay.changes import EMPTY
from replay.timeline import Moment, moment_after, steps
from rules.catalogue import game_named
from rules.codec import encode
from rules.el_grande.commands import SetDisk
from rules.el_grande.facts import RoundBegan, StacksShuffled
from rules.kernel import EVERYTHING, SPECTATOR, AnswerSealed, AnswersOpened
from rules.landmarks import END, ROUND, SCORED, SCORING, TURN
from rules.picture import Scene
from tests.events.played import finished, play_on, running, tables


def kinds(step):
    return [mark.kind for mark in step.marks]


def applied(scene: Scene, change) -> Scene:
    """The scene after a change, as a browser has it."""
    sprites = {sprite.key: sprite for sprite in scene.sprites if sprite.key not in change.gone}
    sprites |= {sprite.key: sprite for sprite in change.put}
    return Scene(tuple(sprites.values()))


def test_a_game_has_a_step_for_every_commit():
    games, game = finished(3)
    assert [step.version for step in steps(games.commits(game), EVERYTHING)] == list(
        range(1, games.load(game).version + 1)
    )


def test_the_changes_add_up_to_the_scene_of_every_position():
    games, game = finished(4, rules="el_grande+anniversary")
    scene = EMPTY
    picture = game_named("el_grande+anniversary").picture
    told = steps(games.commits(game), "blue")
    for step, transition in zip(told, replay(GAME, games.commits(game)), strict=True):
        scene = applied(scene, step.change)
        if transition.after.started:
            seen = game_named(transition.after.rules).view(transition.after.state, "blue")
            assert {sprite.key: sprite for sprite in scene.sprites} == {
                sprite.key: sprite for sprite in picture.scene(seen).sprites
            }


def test_a_timeline_can_begin_anywhere():
    games, game = finished(3)
    commits = games.commits(game)
    moment: Moment | None = None
    for transition in replay(GAME, commits[:40]):
        moment = moment_after(moment, transition)
    later = list(steps(commits[40:], "red", start=moment))
    assert later == list(steps(commits, "red"))[40:]


def test_rounds_turns_scorings_and_the_end_are_marked():
    games, game = finished(2, length="full")
    told = list(steps(games.commits(game), EVERYTHING))
    assert [step.round for step in told if ROUND in kinds(step)] == list(range(1, 10))
    assert sum(kinds(step).count(SCORING) for step in told) == 3
    assert sum(kinds(step).count(TURN) for step in told) == 18
    assert END in kinds(told[-1])


def test_scores_grow_with_the_points_of_the_marks():
    games, game = finished(3)
    told = list(steps(games.commits(game), SPECTATOR))
    for before, after in pairwise(told):
        gained = dict(before.scores)
        for mark in after.marks:
            for seat, points in mark.points.items():
                gained[seat] += points
        if before.scores:
            assert gained == after.scores


def test_scored_spaces_have_names():
    """The regions of El Caballero grow, and no list made once could know them all."""
    games = tables(1)
    game = games.create("el_caballero", 2, game="islands").id
    games.submit(game, Start())
    play_on(games, game, random.Random("islands").randrange)
    marks = [mark for step in steps(games.commits(game), EVERYTHING) for mark in step.marks]
    named = {mark.name for mark in marks if mark.kind == SCORED}
    assert named
    assert named <= {f"{kind} at {mark.space}" for mark in marks for kind in ("Land", "Sea")}


def test_a_step_tells_how_long_its_player_thought():
    games, game = finished(3)  # a clock that ticks once a command
    for step in steps(games.commits(game), SPECTATOR):
        assert (step.thought_ms is not None) == (bool(step.decision) and step.by in ("red", "blue", "yellow"))
        assert step.thought_ms is None or step.thought_ms >= 1


def test_players_go_by_the_names_they_have_at_the_table():
    games, game = finished(2)
    told = list(steps(games.commits(game), SPECTATOR, {"red": "blue", "blue": "{odd} name"}))
    played = [line for step in told for line in step.story if line.fact == "power_card_played"]
    assert {(line.seat, line.text.split(" plays")[0]) for line in played} == {("red", "blue"), ("blue", "{odd} name")}


def test_a_game_that_has_not_begun_has_a_story_and_no_scene():
    games = tables()
    game = games.create("el_grande", 2).id
    [created] = steps(games.commits(game), SPECTATOR)
    assert (created.change.put, created.scores) == ((), {})
    games.submit(game, Start())
    *_, started = steps(games.commits(game), SPECTATOR)
    assert started.change.put


# Secrets


def seals_a_disk(fact):
    return isinstance(fact, AnswerSealed) and isinstance(fact.answer, SetDisk)


def with_another_disk(fact):
    if not seals_a_disk(fact):
        return fact
    return replace(fact, answer=SetDisk("sevilla" if fact.answer.region == "granada" else "granada"))


def until_a_disk_is_sealed(commits):
    """The commits up to the first secret choice of a region that stays secret for now."""
    for index, commit in enumerate(commits):
        opened = any(isinstance(fact, AnswersOpened) for fact in commit.facts)
        if not opened and any(map(seals_a_disk, commit.facts)):
            return commits[: index + 1]
    raise AssertionError("no disk was set in this game")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_viewer_but_its_author_learns_of_a_sealed_answer(seed):
    games, game = finished(3, seed=seed)
    commits = until_a_disk_is_sealed(games.commits(game))
    author = next(fact.player for fact in commits[-1].facts if seals_a_disk(fact))
    last = replace(commits[-1], facts=tuple(map(with_another_disk, commits[-1].facts)))
    for viewer in ("red", "blue", "yellow", SPECTATOR):
        same = encoded(commits, viewer) == encoded([*commits[:-1], last], viewer)
        assert same == (viewer != author)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_viewer_learns_of_the_order_of_the_stacks(seed):
    games, game = running(3, 6, seed=seed)
    commits = games.commits(game)
    assert sum(isinstance(fact, RoundBegan) for commit in commits for fact in commit.facts) == 1

    def otherwise(fact):
        """The cards that no viewer has seen lie the other way round."""
        if not isinstance(fact, StacksShuffled):
            return fact
        return replace(fact, stacks=tuple((*stack[:1], *stack[:0:-1]) for stack in fact.stacks))

    twin = [replace(commit, facts=tuple(map(otherwise, commit.facts))) for commit in commits]
    assert twin != commits
    for viewer in ("red", SPECTATOR):
        assert encoded(commits, viewer) == encoded(twin, viewer)


def encoded(commits, viewer) -> bytes:
    return encode(list(steps(commits, viewer)))
