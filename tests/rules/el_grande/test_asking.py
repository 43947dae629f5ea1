"""Decisions say what people need: the kind of thing that is picked, how it is shown, and the words on the buttons."""

import re

from hypothesis import given

from rules.catalogue import GAMES
from rules.codec import codec_for
from rules.el_grande.board import slot_of
from rules.el_grande.steps.general import SetScoringDisks
from rules.forms import Choice, Counts
from rules.kernel import Answer, Preview, dry_run, options, waiting
from rules.picture import CONTROLS
from tests.rules.el_grande.table import Table, table, turn_with
from tests.rules.properties.situations import situations

GAME = GAMES["el_grande"]


def tried(game: Table, player: str, **payload) -> Preview:
    decision = game.decision(player).id
    answer: Answer = codec_for("el_grande").answer(player, {"decision": decision, **payload})
    return dry_run(game.state, answer)


def step(owner: str, source: str, target: str) -> dict:
    return {"kind": "step", "owner": owner, "from": source, "to": target}


def movable(preview: Preview) -> set:
    """Whose caballeros may be moved with the next step, and where they stand."""
    assert preview.further
    return {
        (owner, source)
        for form in preview.further.forms
        for owner in form.fields["owner"].values  # type: ignore[union-attr]
        for source in form.fields["from"].values  # type: ignore[union-attr]
    }


# What may follow a step


def two_and_two() -> Table:
    game = turn_with("s1_move_two_own_two_foreign", "king granada; aragon: red 1, blue 1; sevilla: red 2, blue 1")
    return game.play("red special")


def test_a_preview_tells_which_steps_may_follow():
    preview = tried(two_and_two(), "red", **step("red", "aragon", "galicia"))
    assert movable(preview) == {
        ("blue", "aragon"),
        ("red", "galicia"),
        ("red", "sevilla"),
        ("blue", "sevilla"),
    }
    assert preview.further
    assert preview.further.at_once == 3


def test_what_is_used_up_is_not_offered_any_more():
    steps = [step("red", "aragon", "galicia"), step("red", "sevilla", "galicia")]
    assert {owner for owner, _ in movable(tried(two_and_two(), "red", kind="several", steps=steps))} == {"blue"}


def test_after_the_last_step_nothing_follows():
    steps = [
        step("red", "aragon", "galicia"),
        step("red", "sevilla", "galicia"),
        step("blue", "aragon", "galicia"),
        step("blue", "sevilla", "galicia"),
    ]
    assert tried(two_and_two(), "red", kind="several", steps=steps).further is None


def test_nothing_is_sent_along_with_an_answer_that_stands_alone():
    assert tried(two_and_two(), "red", kind="stop").further is None
    assert tried(turn_with("s5_king_any", "king granada"), "red", kind="special", to="galicia").further is None


def test_every_step_that_is_said_to_follow_is_accepted():
    game = two_and_two()
    first = step("red", "aragon", "galicia")
    further = tried(game, "red", **first).further
    assert further
    for form in further.forms:
        assert tried(game, "red", kind="several", steps=[first, form.example()]).accepted


# What everything is, and what it is called


@given(situations())
def test_everything_that_is_asked_for_has_a_control_a_thing_and_words(situation):
    rules = situation.board.rules
    ground, names = GAME.picture.ground(rules), rules.names
    places = {place.key for place in ground.places}
    for player in waiting(situation):
        [decision] = options(situation, player)
        for form in decision.forms:
            answers = [ground.controls[field.of] for field in form.fields.values() if field.of == "veto"]
            assert form.words.button or answers, f"{decision.kind}: {form.kind} has no button"
            asked = set(re.findall(r"{(\w+)}", str(form.words.button or "")))
            assert asked <= {"count", *form.fields}
            for name, field in form.fields.items():
                if name not in ("mode", "use", "when"):
                    assert field.of in ground.controls, f"{decision.kind}: {name}"
                control = ground.controls.get(field.of)
                if control and control.kind in ("place", "dial"):
                    assert set(values_of(field)) <= set(names), "what no place of the map shows is picked by its name"
                    assert {value for value in values_of(field) if not is_unseen(rules, value)} <= places


@given(situations())
def test_every_piece_that_can_be_picked_is_seen_on_the_map(situation):
    ground = GAME.picture.ground(situation.board.rules)
    for player in waiting(situation):
        seen = {
            name
            for sprite in GAME.picture.scene(GAME.view(situation, player)).sprites
            for name in (sprite.key, sprite.stands_for)
        }
        [decision] = options(situation, player)
        for form in decision.forms:
            for things in pieces(form, ground.controls, player):
                assert things in seen or things.startswith("court/"), "a court lies before its player, not on the map"


@given(situations())
def test_every_card_that_can_be_taken_lies_on_the_table(situation):
    for player in waiting(situation):
        dealt = {card.stack for card in GAME.picture.scene(GAME.view(situation, player)).cards}
        [decision] = options(situation, player)
        for form in decision.forms:
            for field in form.fields.values():
                if field.of == "action_card":
                    assert set(values_of(field)) <= dealt


def pieces(form, controls, player):
    """The names of all sprites that stand for values of this form."""
    for field in form.fields.values():
        control = controls.get(field.of)
        if not control or control.kind != "piece":
            continue
        for value in values_of(field):
            for owner in form.fields["owner"].values if "owner" in form.fields else ("",):
                for source in form.fields["from"].values if "from" in form.fields else ("",):
                    yield control.thing.format_map({"value": value, "seat": player, "owner": owner, "from": source})


def is_unseen(rules, value):
    """Whether it is a place within a region that the map does not show: on the limit board, or beside it."""
    return slot_of(value) in ("limit", "beside") and slot_of(value) in rules.slots


def values_of(field):
    return field.limits if isinstance(field, Counts) else field.values


def test_the_controls_are_of_kinds_that_a_page_knows():
    for chosen in GAME.combinations(tuple(GAME.expansions)):
        rules = GAME.rules(chosen)
        assert {control.kind for control in GAME.picture.ground(rules).controls.values()} <= set(CONTROLS)


def test_the_keys_of_a_keyboard_lead_to_every_space():
    places = GAME.picture.ground(GAME.rules()).places
    assert [place.shortcut for place in places] == list("1234567890")
    assert [place.key for place in places] == [*GAME.rules().regions, "castillo"]


# Second thoughts


def test_ending_a_turn_with_nothing_done_is_asked_about():
    game = turn_with("s5_king_any", "king granada; court: red 2")
    assert game.decision("red").forms[-1].words.confirm
    game.play("red special to=galicia")
    assert not game.decision("red").forms[-1].words.confirm


def test_a_disk_on_the_king_is_asked_about_where_it_costs_something():
    [form] = table("king granada; grandes: red galicia", SetScoringDisks()).decision("red").forms
    region = form.fields["region"]
    assert isinstance(region, Choice)
    assert [value for value, _ in region.confirm] == ["granada"]
