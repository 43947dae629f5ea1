"""Whatever is hidden in a game could be otherwise, and nobody but its owner would notice."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.codec import encode
from rules.el_grande.commands import SetDisk, Several
from rules.el_grande.view import view
from rules.errors import RuleBroken
from rules.kernel import SPECTATOR, Answer, Choice, Preview, State, decide, dry_run, options, play, waiting
from tests.rules.properties.situations import games, situations

DISKS = ("disk_remove_two", "disk_remove_all", "disk_expulsion", "disk_scoring", "disk_general")


def seen(state: State, viewer: str) -> bytes:
    return encode([view(state, viewer), options(state, viewer), waiting(state)])


def viewers(state: State, *but: str) -> list[str]:
    return [viewer for viewer in (*state.board.players, SPECTATOR) if viewer not in but]


def with_other_stacks(state: State) -> State:
    stacks = tuple(stack[::-1] for stack in state.board.stacks)
    return replace(state, board=replace(state.board, stacks=stacks))


def with_another_disk(state, player, pick):
    """As if the player had set the disk on another region that was legal too."""
    before = replace(state, sealed={other: disk for other, disk in state.sealed.items() if other != player})
    [decision] = options(before, player)
    choice = decision.forms[0].fields["region"]
    assert isinstance(choice, Choice)
    regions = [region for region in choice.values if region != state.sealed[player].region]
    assume(regions)
    disk = replace(state.sealed[player], region=regions[pick % len(regions)])
    return replace(state, sealed={**state.sealed, player: disk})


@given(situations())
def test_no_viewer_notices_other_stacks(state):
    for viewer in viewers(state):
        assert seen(with_other_stacks(state), viewer) == seen(state, viewer)


@given(situations(), st.data())
def test_no_viewer_notices_which_power_cards_another_holds(state, data):
    player = data.draw(st.sampled_from(state.board.players))
    hand, pile = state.board.hands[player], state.board.piles[player]
    assume(hand and pile)
    hands = {**state.board.hands, player: (*hand[1:], pile[0])}
    piles = {**state.board.piles, player: (*pile[1:], hand[0])}
    twin = replace(state, board=replace(state.board, hands=hands, piles=piles))
    assert seen(twin, player) != seen(state, player)
    for viewer in viewers(state, player):
        assert seen(twin, viewer) == seen(state, viewer)


@given(situations(DISKS), st.data())
def test_no_viewer_notices_another_disk(state, data):
    assume(state.sealed)
    player = data.draw(st.sampled_from(sorted(state.sealed)))
    assume(isinstance(state.sealed[player], SetDisk))
    twin = with_another_disk(state, player, data.draw(st.integers(0, 7)))
    assert seen(twin, player) != seen(state, player)
    for viewer in viewers(state, player):
        assert seen(twin, viewer) == seen(state, viewer)


@given(situations(DISKS), st.data())
def test_a_preview_does_not_depend_on_the_disks_of_others(state, data):
    assume(state.sealed)
    player = data.draw(st.sampled_from(sorted(state.sealed)))
    assume(isinstance(state.sealed[player], SetDisk))
    twin = with_another_disk(state, player, data.draw(st.integers(0, 7)))
    [decision] = options(state, waiting(state)[0])
    answer = Answer(decision.player, decision.id, decision.default)
    assert dry_run(twin, answer) == dry_run(state, answer)


@given(games())
def test_a_preview_does_not_depend_on_the_stacks(game):
    for turn in game.turns[::5]:
        if isinstance(turn.answer, Answer):
            assert dry_run(with_other_stacks(turn.before), turn.answer) == dry_run(turn.before, turn.answer)


@given(games())
def test_a_preview_is_what_the_player_would_see_as_far_as_it_goes(game):
    for turn in game.turns[::3]:
        if isinstance(turn.answer, Answer):
            preview = dry_run(turn.before, turn.answer)
            known = tuple(fact.seen_by(turn.answer.player) for fact in turn.facts)
            assert preview.accepted
            assert preview.facts == known[: len(preview.facts)]
            assert not any(fact.turns_up for fact in preview.facts)


@given(situations())
def test_a_preview_tells_why_an_answer_would_be_refused(state):
    player = waiting(state)[0]
    [decision] = options(state, player)
    nothing = Answer(player, decision.id, Several(()))
    with pytest.raises(RuleBroken) as refusal:
        decide(state, nothing)
    assert dry_run(state, nothing) == Preview(False, (), refusal.value.text, refusal.value.rule)


@given(games())
def test_spectators_are_told_the_same_whatever_is_in_the_stacks_until_it_is_turned_up(game):
    for turn in game.turns[::10]:
        twin = with_other_stacks(turn.before)
        assume(twin != turn.before)
        facts, _ = play(twin, turn.answer)
        for alike, fact in zip(facts, turn.facts, strict=False):
            if fact.turns_up:
                break
            assert alike.seen_by(SPECTATOR) == fact.seen_by(SPECTATOR)
