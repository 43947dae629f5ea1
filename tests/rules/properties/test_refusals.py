"""Bad answers are refused for the right reason, and change nothing."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import to_builtins

from rules.codec import codec_for, encode
from rules.el_grande.board import king_region
from rules.el_grande.commands import (
    COMMANDS,
    ChooseActionCard,
    Draw,
    EndTurn,
    Place,
    PlayPowerCard,
    Return,
    SetDisk,
    Several,
    Special,
    Stop,
    TakeStep,
    VetoResponse,
)
from rules.el_grande.expansions.anniversary import HandOverFlag
from rules.el_grande.expansions.grandissimo.characters import Consent, UseCharacter
from rules.el_grande.expansions.grandissimo.expansion import COMMANDS as OF_GRANDISSIMO
from rules.el_grande.expansions.grandissimo.incognito import React
from rules.el_grande.expansions.grandissimo.opening import Land, OpeningDone, PlaceForeign
from rules.el_grande.expansions.grandissimo.symbols import UseSymbol
from rules.el_grande.expansions.grandissimo.turn import EndCard, UseHeld
from rules.el_grande.expansions.king_and_intrigue.opening import KeptCards
from rules.errors import NotYourDecision, Refused, RuleBroken, Unreadable
from rules.kernel import SPECTATOR, TimeUp, dry_run, play
from tests.rules.properties.situations import answers, decisions, situations

STRANGERS = ("", "brown", "purple", SPECTATOR, "everything")


def refused(state, player, said) -> type[Refused]:
    """How the rules refuse this; fails if they accept it, or if anything changes."""
    before = encode(state)
    with pytest.raises(Refused) as refusal:
        play(state, codec_for(state.board.variant).answer(player, said))
    assert encode(state) == before
    assert refusal.value.sentence
    return refusal.type


@given(answers(), st.data())
def test_an_answer_from_another_seat_is_not_theirs_to_give(offer, data):
    state, decision, said = offer
    others = [player for player in (*state.board.players, *STRANGERS) if player != decision.player]
    assert refused(state, data.draw(st.sampled_from(others)), said) is NotYourDecision


@given(answers(), st.data())
def test_an_answer_to_another_decision_is_refused(offer, data):
    state, decision, said = offer
    stale = [f"{serial}-{decision.player}" for serial in (state.serial - 1, state.serial + 1, 0, -1)]
    other = data.draw(st.sampled_from([*stale, "", decision.player, decision.id + " ", decision.id.upper()]))
    assume(other != decision.id)
    assert refused(state, decision.player, {**said, "decision": other}) is NotYourDecision


@given(answers())
def test_time_runs_out_only_for_players_who_are_asked(offer):
    state, decision, _ = offer
    for answer in (TimeUp("nobody", decision.id), TimeUp(decision.player, f"{state.serial + 1}-{decision.player}")):
        with pytest.raises(NotYourDecision):
            play(state, answer)


@given(answers())
def test_an_answer_cannot_be_given_twice(offer):
    state, decision, said = offer
    _, after = play(state, codec_for(state.board.variant).answer(decision.player, said))
    assert refused(after, decision.player, said) is NotYourDecision


@given(answers(), st.sampled_from(("speed", "Kind", "by", "player", "TO", "")), st.sampled_from((1, None, "x", {})))
def test_an_unknown_field_is_unreadable(offer, field, value):
    state, decision, said = offer
    assert refused(state, decision.player, {**said, field: value}) is Unreadable


@given(answers(), st.sampled_from(("fly", "", "PLACE", "step_taken", "use_card", None, 3, True, [], {}, ["place"])))
def test_an_unknown_kind_is_unreadable(offer, kind):
    state, decision, said = offer
    assert refused(state, decision.player, {**said, "kind": kind}) is Unreadable


@given(answers(), st.sampled_from(("kind", "decision")))
def test_an_answer_without_kind_or_decision_is_unreadable(offer, missing):
    state, decision, said = offer
    assert refused(state, decision.player, {k: v for k, v in said.items() if k != missing}) is Unreadable


def places(value: Any, path: tuple[str, ...] = ()) -> Any:
    """Where the texts and numbers are in an answer."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from places(item, (*path, name))
        if path:
            yield path
    elif path not in (("decision",), ("kind",)):
        yield path


def put(said: Any, path: tuple[str, ...], value: Any) -> Any:
    if not path:
        return value
    return {**said, path[0]: put(said[path[0]], path[1:], value)}


def found(said: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        said = said[name]
    return said


WRONG_FOR_ALL: tuple[Any, ...] = (None, True, False, 1.5, float("nan"), float("inf"), [], [1], [[]], 10**30, -(10**30))
WRONG_TYPES: dict[type, tuple[Any, ...]] = {
    int: (*WRONG_FOR_ALL, "1", "", {}),
    str: (*WRONG_FOR_ALL, 1, {}),
    dict: (*WRONG_FOR_ALL, 1, "x"),
    list: (None, True, 1.5, 10**30, "x", {}),
    bool: (*(wrong for wrong in WRONG_FOR_ALL if not isinstance(wrong, bool)), 1, "x", {}),
}


@given(answers(), st.data())
def test_a_value_of_another_type_is_unreadable(offer, data):
    state, decision, said = offer
    paths = list(places(said))
    assume(paths)
    path = data.draw(st.sampled_from(paths))
    wrong = data.draw(st.sampled_from(WRONG_TYPES[type(found(said, path))]))
    assert refused(state, decision.player, put(said, path, wrong)) is Unreadable


@given(answers(), st.data())
def test_a_place_or_player_that_does_not_exist_breaks_a_rule(offer, data):
    state, decision, said = offer
    paths = [path for path in places(said) if isinstance(found(said, path), str)]
    assume(paths)
    name = data.draw(st.sampled_from(("nowhere", "", "Granada", "granada ", "court", "granada+", "granada+hat", "\0")))
    assert refused(state, decision.player, put(said, data.draw(st.sampled_from(paths)), name)) is RuleBroken


@given(answers(), st.data())
def test_a_number_out_of_range_breaks_a_rule(offer, data):
    state, decision, said = offer
    paths = [path for path in places(said) if type(found(said, path)) is int]
    assume(paths)
    number = data.draw(st.sampled_from((-1, -99, 31, 99, 10**9, 2**62)))
    assert refused(state, decision.player, put(said, data.draw(st.sampled_from(paths)), number)) is RuleBroken


MAPS = {"place": "to", "draw": "from_regions", "return": "from_regions"}


@given(answers(*MAPS), st.data())
def test_a_named_count_of_zero_or_less_breaks_a_rule(offer, data):
    state, decision, said = offer
    name = MAPS[said["kind"]]
    counts = said.get(name, {})
    region = data.draw(st.sampled_from([*counts, "aragon", "castillo", "nowhere"]))
    wrong = {**said, name: {**counts, region: data.draw(st.integers(-3, 0))}}
    assert refused(state, decision.player, wrong) is RuleBroken


@given(answers(*MAPS))
def test_nothing_is_placed_in_or_taken_from_the_kings_region(offer):
    state, decision, said = offer
    name = MAPS[said["kind"]]
    wrong = {**said, name: {**said.get(name, {}), king_region(state.board): 1}}
    assert refused(state, decision.player, wrong) is RuleBroken


@given(answers("step"), st.sampled_from(("from", "to")))
def test_nothing_is_moved_into_or_out_of_the_kings_region(offer, end):
    state, decision, said = offer
    assert refused(state, decision.player, {**said, end: king_region(state.board)}) is RuleBroken


@given(answers("place"))
def test_an_empty_placement_breaks_a_rule(offer):
    state, decision, said = offer
    assert refused(state, decision.player, {**said, "to": {}}) is RuleBroken


@given(answers(*MAPS, with_expansions=False), st.sampled_from(("aragon", "granada", "castillo")))
def test_without_the_expansion_no_piece_has_a_mark(offer, space):
    state, decision, said = offer
    name = MAPS[said["kind"]]
    marked = {f"{key}+flag": number for key, number in (said.get(name) or {space: 1}).items()}
    assert refused(state, decision.player, {**said, name: marked}) is RuleBroken


@given(answers("step", with_expansions=False), st.sampled_from(("from", "to")))
def test_without_the_expansion_no_marked_piece_is_moved(offer, end):
    state, decision, said = offer
    assert refused(state, decision.player, {**said, end: f"{said.get(end, 'aragon')}+flag"}) is RuleBroken


@given(decisions(with_expansions=False))
def test_without_the_expansion_there_is_no_such_command(asked):
    state, decision = asked
    said = {"decision": decision.id, "kind": "pass_flag", "to": "aragon"}
    assert refused(state, decision.player, said) is Unreadable


ONE_OF_EACH = (
    PlayPowerCard(3),
    Draw(),
    ChooseActionCard(1),
    Place({"castillo": 1}),
    Special(),
    EndTurn(),
    TakeStep(target="castillo"),
    Stop(),
    Several((TakeStep(target="castillo"),)),
    VetoResponse("allow"),
    Return(),
    SetDisk("aragon"),
    HandOverFlag("aragon"),
    KeptCards(tuple(range(10, 140, 10))),
    UseSymbol(tile="ship_1"),
    UseCharacter("jester", "send", to_player="red"),
    Consent(True),
    PlaceForeign("red", "castillo"),
    Land("ship_1", {"galicia": 1}),
    OpeningDone(),
    React("pass"),
    UseHeld("s1_place_two"),
    EndCard(),
)


def test_there_is_one_of_each_command():
    assert {type(command) for command in ONE_OF_EACH} == {*COMMANDS, HandOverFlag, KeptCards, *OF_GRANDISSIMO}


@given(decisions(), st.sampled_from(ONE_OF_EACH))
def test_a_command_for_another_decision_breaks_a_rule(asked, command):
    state, decision = asked
    kind = command.__struct_config__.tag
    assume(kind not in {form.kind for form in decision.forms})
    assume(not (kind == "several" and decision.at_once > 1))
    assume(type(command) in state.board.rules.commands)
    assert refused(state, decision.player, {"decision": decision.id, **to_builtins(command)}) is RuleBroken


# Anything at all

TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
ATOMS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT, st.sampled_from((10**30, 1e308, "\0")))
JSON = st.recursive(
    ATOMS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXT, inner, max_size=4)),
    max_leaves=12,
)
FIELD_NAMES = st.one_of(
    st.sampled_from(
        ("kind", "to", "from", "owner", "value", "steps", "region", "from_regions", "stack", "answer", "values", "use")
    ),
    TEXT,
)
KIND_NAMES = st.sampled_from([str(command.__struct_config__.tag) for command in COMMANDS])


def survives(state, player, said):
    """Whatever is sent: accepted, or refused by the rules; never an error."""
    before = encode(state)
    try:
        answer = codec_for(state.board.variant).answer(player, said)
        preview = dry_run(state, answer)
        facts, _ = play(state, answer)
    except Refused as refusal:
        encode(refusal.sentence)
        assert encode(state) == before
    else:
        assert preview.accepted
        assert facts
    assert encode(state) == before


@given(situations(), JSON)
def test_anything_that_is_sent_is_accepted_or_refused(state, junk):
    survives(state, state.agenda[0].waits_for(state)[0], junk)


@given(decisions(), KIND_NAMES, st.dictionaries(FIELD_NAMES, JSON, max_size=4))
def test_any_fields_are_accepted_or_refused(asked, kind, junk):
    state, decision = asked
    survives(state, decision.player, {"kind": kind, **junk, "decision": decision.id})


@given(answers(), st.data())
def test_any_value_in_a_legal_answer_is_accepted_or_refused(offer, data):
    state, decision, said = offer
    paths = list(places(said)) or [("kind",)]
    survives(state, decision.player, put(said, data.draw(st.sampled_from(paths)), data.draw(JSON)))


@pytest.mark.parametrize("field", ["kind", "to", "value", "speed"])
def test_an_endless_number_is_only_unreadable(field):
    with pytest.raises(Unreadable):
        codec_for("el_grande").answer("red", {"decision": "0-red", "kind": "special", field: 10**5000})


@pytest.mark.parametrize("depth", [10, 500, 100_000])
@pytest.mark.parametrize("field", ["kind", "to", "steps", "speed", "decision"])
def test_however_deep_it_is_nested_it_is_only_unreadable(field, depth):
    nested: Any = 1
    for level in range(depth):
        nested = [nested] if level % 2 else {"to": nested}
    said = {"decision": "0-red", "kind": "place", "to": {}, field: nested}
    with pytest.raises(Unreadable):
        codec_for("el_grande").answer("red", said)
