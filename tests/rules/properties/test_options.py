"""What is offered is accepted, and what is accepted was offered."""

from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec import json

from rules.codec import codec_for, encode
from rules.kernel import TimeUp, decide, waiting
from tests.rules.properties.situations import (
    COMBINATIONS,
    KINDS,
    answers,
    decisions,
    fits,
    fits_in_other_words,
    is_accepted,
    played,
)


@given(answers())
def test_every_offered_answer_is_accepted(offer):
    state, decision, said = offer
    event(decision.kind)
    assert is_accepted(state, decision.player, said)


@given(answers())
def test_every_offered_answer_fits_its_schema(offer):
    _, decision, said = offer
    assert fits(decision, said)


@given(decisions())
def test_the_schema_of_a_decision_is_a_json_schema(asked):
    _, decision = asked
    Draft202012Validator.check_schema(decision.schema())
    assert fits(decision, decision.example())


@given(decisions())
def test_a_decision_leaves_a_choice(asked):
    """The only legal answer is given automatically."""
    _, decision = asked
    assert decision.size() > 1


@given(decisions())
def test_the_answer_when_time_is_up_is_legal_and_was_offered(asked):
    state, decision = asked
    said = {"decision": decision.id, **json.decode(encode(decision.default))}
    assert decide(state, TimeUp(decision.player, decision.id))
    assert is_accepted(state, decision.player, said)
    assert fits_in_other_words(state, decision, said)


@given(decisions())
def test_every_player_who_is_asked_has_a_decision_and_no_other(asked):
    state, decision = asked
    assert decision.player in waiting(state)
    assert decision.kind == state.agenda[0].asks(state)


# Both ways: variations of an answer are accepted just when the schema says so

SPACES = (
    "ship",
    "francia:ambassador",
    "ship:captain",
    "america",
    "granada",
    "aragon",
    "galicia",
    "castilla_la_nueva",
    "castillo",
    "court",
    "province",
    "nowhere",
    "",
)
KEYS = st.one_of(st.sampled_from(SPACES), st.sampled_from(SPACES).map("{}+flag".format))
NAMES = st.one_of(KEYS, st.sampled_from(("red", "blue", "nobody", "place_two", "move_all_own", "board_840", "veto")))
NUMBERS = st.one_of(st.integers(-1, 8), st.sampled_from((13, 14, 99)))
FIELDS = {
    "from_province": NUMBERS,
    "from_court": NUMBERS,
    "from_regions": st.dictionaries(KEYS, NUMBERS, max_size=3),
    "to": NAMES,
    "from": NAMES,
    "owner": NAMES,
    "source": NAMES,
    "space": NAMES,
    "board": NAMES,
    "region": NAMES,
    "mode": NAMES,
    "use": st.sampled_from(("king", "intrigue", "own", "none")),
    "values": st.lists(st.integers(0, 19).map(lambda number: 10 * number), max_size=14),
    "value": NUMBERS,
    "stack": NUMBERS,
    "answer": st.sampled_from(("allow", "allow_rest", "veto", "no", "use", "pass", "pass_turn")),
    "piece": NAMES,
    "pieces": st.dictionaries(KEYS.map("red/{}".format), NUMBERS, max_size=3),
    "card": st.sampled_from(
        ("s5_king_any", "gi_execute_action", "gi_plagiarist", "gi_transport", "s2_veto-1", "s1_place_two", "gr_coup")
    ),
    "target": st.sampled_from(("s5_king_any", "gi_holy_inquisition", "gi_transport")),
    "player": NAMES,
    "who": st.sampled_from(("grand_inquisitor", "queen", "jester", "inquisitor")),
    "do": st.sampled_from(("draw", "place", "send", "move", "no")),
    "choice": st.sampled_from(("own", "stack6", "stack7", "no")),
    "to_player": NAMES,
    "escort": st.one_of(NAMES, NAMES.map("red/{}".format)),
    "tile": st.sampled_from(("ship_1", "ship_2", "ship_3")),
    "agree": st.booleans(),
    "character": st.sampled_from(("queen", "jester", "inquisitor", "king")),
    "pardon": NAMES,
    "when": st.sampled_from(("now", "keep", "never")),
    "regions": st.lists(NAMES, max_size=3),
    "own": st.dictionaries(KEYS.map("red/{}".format), NUMBERS, max_size=3),
    "others": st.dictionaries(KEYS.map("blue/{}".format), NUMBERS, max_size=3),
}


@st.composite
def variations(draw: st.DrawFn) -> Any:
    """An answer that was offered, with something changed in it."""
    state, decision, said = draw(answers())
    for _ in range(draw(st.integers(0, 3))):
        said = draw(changed(said, state))
    return state, decision, said


@st.composite
def changed(draw: st.DrawFn, said: dict[str, Any], state: Any) -> dict[str, Any]:
    name = draw(st.sampled_from([name for name in said if name not in ("decision", "kind")] or [*FIELDS]))
    value = said.get(name)
    if isinstance(value, dict):
        keys = st.one_of(KEYS, st.sampled_from([*value, state.board.king]))
        return {**said, name: {**value, draw(keys): draw(NUMBERS)}}
    match draw(st.integers(0, 3)):
        case 0:
            return {key: kept for key, kept in said.items() if key != name}
        case 1:
            more = draw(st.sampled_from([*FIELDS]))
            return {**said, more: draw(FIELDS[more])}
        case _:
            return {**said, name: draw(FIELDS[name])}


@given(variations())
def test_what_fits_the_schema_is_accepted(variation):
    state, decision, said = variation
    assume(fits(decision, said))
    assert is_accepted(state, decision.player, said)


@given(variations())
def test_what_is_accepted_fits_the_schema_once_it_is_written_out(variation):
    """Missing numbers and maps are empty; a bare region covers the bearer."""
    state, decision, said = variation
    accepted = is_accepted(state, decision.player, said)
    event(f"accepted: {accepted}")
    assert accepted == fits_in_other_words(state, decision, said)


@given(answers())
def test_a_number_may_be_written_as_a_float(offer):
    """As JSON Schema has it, 2.0 is an integer."""
    state, decision, said = offer
    floating = with_floats(said)
    assert fits(decision, floating)
    assert is_accepted(state, decision.player, floating)


def with_floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: with_floats(item) for name, item in value.items()}
    return float(value) if type(value) is int else value


@given(answers("step"))
def test_several_steps_are_accepted_as_far_as_at_once_allows(offer):
    state, decision, said = offer
    step = {name: value for name, value in said.items() if name != "decision"}
    sent = {"decision": decision.id, "kind": "several", "steps": [step]}
    assert is_accepted(state, decision.player, sent) == (decision.at_once > 1)
    too_many = {**sent, "steps": [step] * (decision.at_once + 1)}
    assert not is_accepted(state, decision.player, too_many)


RICH = 15
"""In this game the king comes incognito, which is seldom."""


def test_every_kind_of_decision_comes_up():
    asked = {
        turn.before.agenda[0].asks(turn.before)
        for players, length, expansions in COMBINATIONS
        for seed in (0, 1, 2, RICH)
        if seed != RICH or expansions == ("grandissimo",)
        for turn in played(players, seed, expansions, game_length=length).turns
    }
    assert asked == set(KINDS)


@pytest.mark.parametrize(("players", "length", "expansions"), COMBINATIONS)
def test_every_decision_of_a_game_offers_only_what_is_accepted(players, length, expansions):
    for turn in played(players, 7, expansions, game_length=length).turns[::10]:
        [player, *_] = waiting(turn.before)
        decision = turn.before.agenda[0].forms(turn.before, player)
        for form in decision:
            command = codec_for(turn.before.board.variant).command(form.example())
            assert turn.before.agenda[0].answer(turn.before, player, command)
