"""Whatever is hidden in a game could be otherwise, and nobody but its owner would notice."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules.assumptions import assumed, offered
from rules.catalogue import game_named
from rules.codec import codec_for, encode
from rules.el_caballero.view import view as view_of_caballero
from rules.el_grande.commands import SetDisk, Several
from rules.el_grande.deck import copies
from rules.el_grande.view import view
from rules.errors import RuleBroken
from rules.kernel import SPECTATOR, Answer, Choice, Preview, State, decide, dry_run, options, play, waiting
from tests.rules.el_caballero.games import turns as turns_of_caballero
from tests.rules.properties.situations import games, played, situations

DISKS = ("disk_remove_two", "disk_remove_all", "disk_expulsion", "disk_scoring", "disk_general")


def seen(state: State, viewer: str) -> bytes:
    return encode([view(state, viewer), options(state, viewer), waiting(state)])


def viewers(state: State, *but: str) -> list[str]:
    return [viewer for viewer in (*state.board.players, SPECTATOR) if viewer not in but]


def with_other_stacks(state: State) -> State:
    stacks = tuple(stack[::-1] for stack in state.board.stacks)
    return replace(state, board=replace(state.board, stacks=stacks))


def with_another_deck(state: State) -> State:
    """As if other cards of the box had been dealt, where only some of them are."""
    board = state.board
    lying = {*board.face_up, *board.discards, *(card for stack in board.stacks for card in stack)}
    never = [copy for name, card in board.rules.cards.items() for copy in copies(name, card) if copy not in lying]
    box = [card for card in never if card.startswith(LEFT_IN_BOX) and "grandissimo" in board.variant]
    stacks = tuple(
        (*box, *stack)[: len(stack)] if stack and stack[0].startswith(LEFT_IN_BOX) else stack for stack in board.stacks
    )
    return replace(state, board=replace(board, stacks=stacks))


LEFT_IN_BOX = "gr_"
"""Before the cards of which some are not dealt."""


def with_another_disk(state, player, pick):
    """As if the player had set the disk on another region that was legal too."""
    before = replace(state, sealed={other: disk for other, disk in state.sealed.items() if other != player})
    asked = options(before, player)
    assume(asked)
    [decision] = asked
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
    assert what_follows(with_other_stacks(state)) == what_follows(state)


@given(situations())
def test_no_viewer_notices_another_deck(state):
    for viewer in viewers(state):
        assert seen(with_another_deck(state), viewer) == seen(state, viewer)


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
    for viewer in viewers(state, player, *spies(state)):
        assert seen(twin, viewer) == seen(state, viewer)
    assert what_follows(twin) == what_follows(state)


def spies(state: State) -> tuple[str, ...]:
    """Who sets the own disk after seeing those of the others."""
    table = getattr(state.board, "grandissimo", None)
    return (table.spy,) if table and waiting(state) == (table.spy,) else ()


def test_no_viewer_notices_which_region_card_another_holds():
    checked = 0
    for seed in (RICH, 7, 21):
        for turn in played(3, seed, ("grandissimo",), game_length="short").turns:
            checked += sum(is_kept(turn.before, use) for use in turn.before.board.grandissimo.hidden)
    assert checked


RICH = 15
"""In this game the king comes incognito, which is seldom."""


def is_kept(state: State, use: str) -> bool:
    """Whether the region card that is held for this stays secret; true if there was anything to compare."""
    table: Any = state.board.grandissimo
    free = [region for region in state.board.rules.region_order if region not in {*table.alliance, *regions(table)}]
    if not free or state.agenda[0].asks(state) in ("menu", "second_menu"):
        return False  # Who may choose a region card sees which are gone.
    [(holder, _)] = table.hidden[use].items()
    hidden = {**table.hidden, use: {holder: free[0]}}
    twin = replace(state, board=replace(state.board, grandissimo=replace(table, hidden=hidden)))
    for viewer in viewers(state, holder):
        assert seen(twin, viewer) == seen(state, viewer)
    return True


@given(games(), st.data())
def test_no_viewer_notices_which_cards_another_has_left_out_of_the_game(game, data):
    kept = [turn.before for turn in game.turns if turn.before.board.rules.hand_cards and turn.before.board.round]
    assume(kept)
    state = data.draw(st.sampled_from(kept))
    player = data.draw(st.sampled_from(state.board.players))
    board, hand = state.board, state.board.hands[player]
    gone = [value for value in board.rules.power_cards if value not in (*hand, *board.history[player])]
    assume(hand and gone and waiting(state) != (player,))
    twin = replace(state, board=replace(board, hands={**board.hands, player: (*hand[1:], gone[0])}))
    assert seen(twin, player) != seen(state, player)
    for viewer in viewers(state, player):
        assert seen(twin, viewer) == seen(state, viewer)
        assert what_follows(twin) == what_follows(state)


# What is assumed, where people ask "what if"


def what_follows(state: State) -> list[Any]:
    """Everything that can be assumed, and the facts that follow from some of it."""
    game, read = game_named(state.board.variant), codec_for(state.board.variant).command
    found = offered(game.assumptions, state)
    values = [(each.id, one.value) for each in found for one in each.alternatives[1:3]]
    return [found, *(assumed(game.assumptions, state, id, value, read) for id, value in values)]


def test_an_assumption_does_not_depend_on_the_cards_that_were_dealt():
    """Or else an assumed order would tell which cards of the box are in the game."""
    checked = 0
    for expansions in (("grandissimo",), ("anniversary", "grandissimo")):
        for turn in played(2, RICH, expansions, game_length="short").turns[::5]:
            twin = with_another_deck(turn.before)
            checked += twin != turn.before
            assert what_follows(twin) == what_follows(turn.before)
    assert checked


def test_the_stack_of_el_caballero_could_lie_otherwise_and_nobody_would_notice():
    for players, mode in ((2, "basic"), (4, "advanced")):
        for state, _ in turns_of_caballero(players, mode, 1)[::3]:
            twin = replace(state, board=replace(state.board, stack=state.board.stack[::-1]))
            assert what_follows(twin) == what_follows(state)
            for viewer in viewers(state):
                notes = [encode([view_of_caballero(one, viewer), options(one, viewer)]) for one in (state, twin)]
                assert notes[0] == notes[1]


def regions(table: Any) -> set[str]:
    return {region for cards in table.hidden.values() for region in cards.values()}


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
