"""Moves that are tried in a finished game: checked by the rules, and kept with what followed."""

import pytest

from events.errors import NotNow
from events.games import Games
from events.log.memory import MemoryLog
from events.table.commands import Play, Start
from replay.studies import Studies
from replay.study.commands import AddChapter
from replay.study.variations import check_open, decisions, position, tried
from rules.codec import codec_for
from rules.errors import NotYourDecision, RuleBroken, Unreadable
from rules.kernel import Answer, options, play, waiting

STEP = 20


@pytest.fixture(scope="module")
def played():
    """A short game of two that is over, and the same while it ran."""
    games = Games(MemoryLog())
    game = games.create("el_grande", 2, {"game_length": "short"}).id
    running = games.submit(game, Start()).after
    while not games.load(game).state.is_over:
        state = games.load(game).state
        seat = waiting(state)[0]
        [decision] = options(state, seat)
        games.submit(game, Play(codec_for("el_grande").answer(seat, decision.example())))
    return games, game, running


@pytest.fixture
def studies():
    studies = Studies(MemoryLog())
    studies.create("ana", "What if", study="s1")
    studies.submit("s1", AddChapter("ana", "One", "g1", "everything"))
    return studies


def chapter(studies):
    return studies.load("s1").chapters[0]


def try_examples(studies, before, count):
    """So many moves, one after the other, from a step of the game; gives the node and the state after the last one."""
    node, state = str(before.version), before.state
    for _ in range(count):
        decision = decisions(state)[-1]
        command, state = tried("ana", "k1", node, before.rules, state, decision.player, decision.example())
        node = f"m{studies.submit('s1', command).after.chapters[0].made}"
    return node, state


def test_a_line_that_is_stored_leads_to_the_state_that_was_played(played, studies):
    games, game, _ = played
    before = games.load(game, STEP)
    node, state = try_examples(studies, before, 12)
    assert position(before, chapter(studies).line(node)) == state


def test_a_line_goes_on_where_it_branched(played, studies):
    games, game, _ = played
    before = games.load(game, STEP)
    node, _ = try_examples(studies, before, 3)
    middle = chapter(studies).line(node)[1].id
    state = position(before, chapter(studies).line(middle))
    command, after = tried("ana", "k1", middle, before.rules, state, waiting(state)[0], decisions(state)[0].example())
    studies.submit("s1", command)
    assert position(before, chapter(studies).line(f"m{chapter(studies).made}")) == after


def test_the_rules_refuse_a_move_that_is_tried(played):
    games, game, _ = played
    state = games.load(game, STEP).state
    decision = decisions(state)[0]
    other = next(seat for seat in ("red", "blue") if seat not in waiting(state))
    with pytest.raises(NotYourDecision):
        tried("ana", "k1", str(STEP), "el_grande", state, other, {**decision.example(), "decision": f"9-{other}"})
    with pytest.raises((RuleBroken, Unreadable)):
        tried("ana", "k1", str(STEP), "el_grande", state, decision.player, {"decision": decision.id, "kind": "none"})


def test_nothing_is_tried_while_a_game_runs(played):
    games, game, running = played
    check_open(games.load(game))
    with pytest.raises(NotNow, match="when the game is over"):
        check_open(running)


def test_what_is_tried_follows_the_same_rules_as_what_is_played(played):
    games, game, _ = played
    state = games.load(game, STEP).state
    decision = decisions(state)[0]
    _, after = tried("ana", "k1", str(STEP), "el_grande", state, decision.player, decision.example())
    answer = codec_for("el_grande").answer(decision.player, decision.example())
    assert isinstance(answer, Answer)
    assert after == play(state, answer)[1]
