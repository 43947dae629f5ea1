"""Who may see what: views, facts and decisions, and the proof that an outsider learns nothing else."""

import pytest
from msgspec.structs import replace

from rules.codec import encode
from rules.el_grande.commands import SetDisk, Several, Special
from rules.el_grande.facts import CaballerosPlaced, PowerCardRecovered, SpaceScored, StacksShuffled
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.notation import parse_move
from rules.el_grande.setup import start
from rules.errors import NotYourDecision
from rules.kernel import (
    EVERYTHING,
    SPECTATOR,
    Answer,
    AnswerSealed,
    AnswersOpened,
    State,
    decision_id,
    dry_run,
    options,
    play,
    waiting,
)
from tests.rules.el_grande.opening import let_time_run, opening
from tests.rules.el_grande.table import table, turn_with

view = EL_GRANDE.view

EVERYBODY = ("red", "blue", "yellow", "green", SPECTATOR)
OUTSIDERS = ("blue", "yellow", "green", SPECTATOR)
FLAGS = {"rules": EL_GRANDE.rules(("anniversary",))}

everybody = pytest.mark.parametrize("viewer", EVERYBODY)
outsiders = pytest.mark.parametrize("viewer", OUTSIDERS)

HOMES = "grandes: red galicia, blue sevilla, yellow aragon, green valencia"
RECOVERY = f"king granada; pile red: 3 7; hand red: 1 2; history red: 3 7; power: red 7; {HOMES}; court: red 1"
STEPS = "king granada; aragon: red 2; sevilla: blue 2; galicia: yellow 1"
FLAGGED = "king granada; galicia: red+flag; sevilla: blue 1, blue+flag; aragon: blue 1, red 2; valencia: blue 1"


def general_scoring(position, **options):
    return table(position, *(step() for step in EL_GRANDE.rules().general_scoring), **options)


# The table of section "hidden information", row by row


@everybody
def test_all_viewers_see_the_things_that_lie_open_on_the_table(viewer):
    position = f"king granada; aragon: red 2; court: red 3; province: red 4; scores: red 5; {HOMES}"
    seen = view(turn_with("s1_place_two", f"{position}; scoreboards: board_840 aragon").state, viewer)
    assert seen["regions"]["aragon"] == {"red": 2}
    assert (seen["courts"], seen["provinces"]) == ({"red": 3}, {"red": 4})
    assert (seen["king"], seen["grandes"]["blue"]) == ("granada", "sevilla")
    assert (seen["scoreboards"], seen["scores"]["red"]) == ({"board_840": "aragon"}, 5)


@everybody
def test_all_viewers_see_action_cards_their_takers_and_how_many_are_left(viewer):
    game = let_time_run(opening(), rounds=1).play("red power 13", "blue power 12", "yellow power 11", "green power 10")
    seen = view(game.play("red card 1").state, viewer)
    assert seen["stacks"] == [9, 9, 9, 9]
    assert [(card["stack"], card["taken_by"]) for card in seen["face_up"]][:2] == [(1, "red"), (2, None)]
    assert len(seen["discards"]) == 4


@everybody
def test_no_viewer_sees_the_order_of_the_stacks(viewer):
    facts, state = start(EL_GRANDE.rules(), 4, b"a seed")
    shown = encode([view(state, viewer), [fact.seen_by(viewer) for fact in facts]])
    assert not any(f'"{card}"'.encode() in shown for stack in state.board.stacks for card in stack)


@everybody
def test_all_viewers_see_vetoes_and_how_long_they_are_valid(viewer):
    game = turn_with("s1_place_two", "king granada; court: red 2; veto blue: s2_veto-1 2")
    assert view(game.state, viewer)["vetoes"] == [{"player": "blue", "card": "s2_veto-1", "until": 2}]


@everybody
def test_all_viewers_see_the_power_cards_of_this_round_and_of_earlier_ones(viewer):
    seen = view(let_time_run(opening(), rounds=1).play("red power 13").state, viewer)
    assert seen["power"] == {"red": 13}
    assert seen["history"] == {"red": (1, 13), "blue": (2,), "yellow": (3,), "green": (4,)}


def test_a_player_sees_the_own_hand_and_played_pile():
    seen = view(turn_with("s4_recover_power", RECOVERY).state, "red")
    assert seen["hands"]["red"] == {"size": 2, "cards": [1, 2]}
    assert seen["piles"]["red"] == {"size": 2, "cards": [3, 7]}


@outsiders
def test_others_see_only_the_size_of_a_hand_and_of_a_played_pile(viewer):
    seen = view(turn_with("s4_recover_power", RECOVERY).state, viewer)
    assert seen["hands"]["red"] == {"size": 2, "cards": None}
    assert seen["piles"]["red"] == {"size": 2, "cards": None}


@outsiders
def test_others_learn_that_a_power_card_was_taken_back_but_not_which(viewer):
    game = turn_with("s4_recover_power", RECOVERY).play("red special value=7")
    [recovered] = game.happened(PowerCardRecovered)
    assert recovered.seen_by("red") == PowerCardRecovered("red", 7)
    assert recovered.seen_by(viewer) == PowerCardRecovered("red", None)
    assert (game.board.hands["red"], game.board.piles["red"]) == ((1, 2, 7), (3,))


@outsiders
def test_the_history_of_power_cards_does_not_change_when_one_is_taken_back(viewer):
    game = turn_with("s4_recover_power", RECOVERY)
    before = view(game.state, viewer)["history"]
    assert view(game.play("red special value=7").state, viewer)["history"] == before


def test_the_card_of_this_very_turn_may_be_taken_back_and_the_turn_order_stays():
    cards = " ".join(map(str, range(1, 13)))
    position = f"king granada; hand red: {cards}; pile red: 13; history red: 13; power: red 13, blue 2; queue: blue"
    seen = view(turn_with("s4_recover_power", position).play("red special value=13").state, "blue")
    assert (seen["hands"]["red"]["size"], seen["piles"]["red"]["size"]) == (13, 0)
    assert (seen["history"]["red"], seen["queue"], seen["power"]["red"]) == ((13,), ("blue",), 13)


@outsiders
def test_others_see_only_that_a_disk_is_set(viewer):
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}").play("red disk aragon")
    [sealed] = game.happened(AnswerSealed)
    assert sealed.seen_by(viewer) == AnswerSealed("red", None)
    assert view(game.state, viewer)["sealed"] == {"red": None}


def test_a_player_sees_the_own_disk():
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}").play("red disk aragon")
    [sealed] = game.happened(AnswerSealed)
    assert sealed.seen_by("red") == sealed
    assert view(game.state, "red")["sealed"] == {"red": SetDisk("aragon")}


@everybody
def test_disks_become_visible_to_all_in_one_event(viewer):
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}")
    game.play("red disk aragon", "blue disk galicia", "yellow time_up", "green time_up")
    [opened] = game.happened(AnswersOpened)
    assert opened.seen_by(viewer).answers["red"] == SetDisk("aragon")
    assert set(opened.seen_by(viewer).answers) == {"red", "blue", "yellow", "green"}


def test_a_disk_is_locked_once_set():
    game = general_scoring(f"king granada; castillo: red 2; {HOMES}")
    decision = decision_id(game.state, "red")
    game.play("red disk aragon")
    with pytest.raises(NotYourDecision):
        play(game.state, Answer("red", decision, SetDisk("sevilla")))


@outsiders
def test_others_do_not_see_steps_that_are_queued(viewer):
    game = turn_with("s1_move_four_any", f"{STEPS}; veto blue: s2_veto-1 2").play(
        "red special", "red several step red aragon > galicia / step blue sevilla > castillo"
    )
    assert view(game.state, "red")["sealed"]["red"].steps[0].owner == "blue"
    assert view(game.state, viewer)["sealed"] == {"red": None}
    assert [fact.seen_by(viewer) for fact in game.happened(AnswerSealed)] == [AnswerSealed("red", None)]


@everybody
def test_all_viewers_hear_of_every_throw_into_the_castillo(viewer):
    game = turn_with("s5_king_any", "king granada; court: red 5").play("red place castillo 2")
    [placed] = game.happened(CaballerosPlaced)
    assert placed.seen_by(viewer) == CaballerosPlaced("red", "castillo", 2)


@pytest.mark.parametrize("asked", EVERYBODY[:4])
@everybody
def test_legal_answers_are_shown_only_to_the_player_who_is_asked(viewer, asked):
    state = opening(first=asked).state
    assert bool(options(state, viewer)) == (viewer == asked)


# The castillo


@everybody
def test_a_hidden_castillo_shows_no_counts_to_any_viewer(viewer):
    game = turn_with("s5_king_any", "king granada; court: red 5; castillo: red 2, blue 1")
    assert view(game.state, viewer)["castillo"] is None
    assert "castillo" not in view(game.state, viewer)["regions"]


@everybody
def test_an_open_castillo_shows_its_counts_to_all_viewers(viewer):
    game = turn_with("s5_king_any", "king granada; court: red 5; castillo: red 2, blue 1", castillo_display="open")
    assert view(game.state, viewer)["castillo"] == {"red": 2, "blue": 1}


@everybody
def test_a_scoring_of_a_hidden_castillo_tells_its_counts_but_does_not_keep_them_on_display(viewer):
    game = turn_with("s3_score_castillo", "king granada; court: red 5; castillo: red 2, blue 1").play("red special")
    [scored] = game.happened(SpaceScored)
    assert scored.seen_by(viewer) == scored
    assert scored.counts == {"red": 2, "blue": 1}
    assert view(game.state, viewer)["castillo"] is None


# After the end


@everybody
def test_after_the_end_everything_is_open_to_all_viewers(viewer):
    state = let_time_run(opening(castillo_display="hidden")).state
    seen = view(state, viewer)
    assert seen["stacks"] == state.board.stacks
    assert seen["hands"]["blue"]["cards"] == sorted(state.board.hands["blue"])
    assert seen["piles"]["blue"]["cards"] == sorted(state.board.piles["blue"])
    assert (seen["castillo"], seen["over"], seen["places"]) == ({}, True, state.board.places)


@pytest.mark.parametrize(
    "fact",
    [
        StacksShuffled((("s1_place_two",),)),
        PowerCardRecovered("red", 7),
        AnswerSealed("red", SetDisk("aragon")),
        AnswerSealed("red", SetDisk("aragon"), "time_up"),
        AnswerSealed("red", Several(())),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_every_masked_fact_is_open_when_everything_is(fact):
    assert fact.seen_by(EVERYTHING) == fact
    assert fact.seen_by("blue") != fact


# Non-interference: two games that differ only in something hidden are the same for an outsider


def seen_by(game, viewer):
    """Everything that reaches a viewer, as canonical JSON."""
    facts = [fact.seen_by(viewer) for fact in game.history]
    state: State = game.state
    return encode([view(state, viewer), facts, options(state, viewer), waiting(state), state.serial])


def recovered(value, veto="", *more):
    return turn_with("s4_recover_power", f"{RECOVERY}{veto}").play(f"red special value={value}", *more)


def disk(card, position, *lines):
    return turn_with(card, f"{position}; {HOMES}").play(*lines)


def queued(*steps, position=STEPS, **options):
    sent = f"several {' / '.join(steps)}" if len(steps) > 1 else steps[0]
    return turn_with("s1_move_four_any", position, **options).play("red special", f"red {sent}")


VETO = "; veto blue: s2_veto-1 2"
FIRST = "step red aragon > galicia"
TWINS = {
    "which power card was taken back": lambda: (recovered(3), recovered(7)),
    "which power card is being taken back": lambda: (recovered(3, VETO), recovered(7, VETO)),
    "which power card could not be taken back": lambda: (
        recovered(3, VETO, "blue veto"),
        recovered(7, VETO, "blue veto"),
    ),
    "which power card was taken back in spite of a veto": lambda: (
        recovered(3, VETO, "blue allow"),
        recovered(7, VETO, "blue allow"),
    ),
    "a disk of a general scoring": lambda: tuple(
        general_scoring(f"king granada; castillo: red 2; {HOMES}").play(f"red disk {region}")
        for region in ("aragon", "granada")
    ),
    "a disk of a secret scoring": lambda: tuple(
        disk("s4_secret_scoring", "king granada; aragon: red 1", "red special", f"red disk {region}")
        for region in ("aragon", "granada")
    ),
    "whether a disk of a general scoring was set in time": lambda: tuple(
        general_scoring(f"king granada; castillo: red 2; {HOMES}").play(line)
        for line in ("red disk galicia", "red disk aragon", "red time_up")
    ),
    "whether a disk of a secret scoring was set in time": lambda: tuple(
        disk("s4_secret_scoring", "king granada; aragon: red 1", "red special", line)
        for line in ("red disk galicia", "red disk aragon", "red time_up")
    ),
    "more steps in the queue": lambda: tuple(
        queued(*steps, position=STEPS + VETO)
        for steps in ((FIRST,), (FIRST, "step red galicia > aragon"), (FIRST, "step blue sevilla > castillo") * 2)
    ),
    "more steps in the queue while a flag is passed": lambda: tuple(
        queued(*steps, position=FLAGGED, **FLAGS)
        for steps in (("step blue sevilla+flag > castillo",), ("step blue sevilla+flag > castillo", FIRST))
    ),
    "the order of the stacks": lambda: tuple(
        turn_with("s5_king_any", f"king granada; court: red 1; stack 1: {order}")
        for order in ("s1_place_two s1_move_four_own", "s1_move_four_own s1_place_two", "s1_move_four_any s1_place_two")
    ),
}
"""Games that differ in what red knows (or nobody knows), told apart by what differs."""


@outsiders
@pytest.mark.parametrize("twins", TWINS.values(), ids=TWINS)
def test_an_outsider_cannot_tell(twins, viewer):
    first, *others = twins()
    assert {seen_by(game, viewer) for game in others} == {seen_by(first, viewer)}


@pytest.mark.parametrize("viewer", ["red", "yellow", "green", SPECTATOR])
@pytest.mark.parametrize(
    ("card", "opening_line"),
    [
        ("s2_secret_remove_two", "special"),
        ("s2_secret_remove_all", "special"),
        ("s4_expulsion", "special region=aragon"),
    ],
)
def test_no_viewer_can_tell_the_disk_of_a_victim(card, opening_line, viewer):
    position = "king granada; aragon: blue 2, yellow 2, green 2; galicia: blue 2, yellow 2; valencia: blue 2, green 2"
    lines = ("blue disk galicia", "blue disk valencia", "blue time_up")
    first, second, late = (disk(card, position, f"red {opening_line}", line) for line in lines)
    assert seen_by(first, viewer) == seen_by(second, viewer) == seen_by(late, viewer)
    assert len({seen_by(game, "blue") for game in (first, second, late)}) == 3


@pytest.mark.parametrize("name", [name for name in TWINS if "stacks" not in name])
def test_the_player_concerned_can_tell(name):
    first, *others = TWINS[name]()
    assert seen_by(first, "red") not in {seen_by(game, "red") for game in others}


# Previews


def test_a_preview_of_letting_a_step_pass_does_not_show_the_steps_queued_behind_it():
    games = (queued(*steps, position=STEPS + VETO) for steps in ((FIRST,), (FIRST, "step blue sevilla > castillo")))
    previews = {encode(preview(game, "blue", "allow")) for game in games}
    assert len(previews) == 1


def test_a_preview_of_the_last_disk_does_not_show_the_other_disks():
    game = disk("s4_secret_scoring", "king granada", "red special", "red disk aragon", "blue disk aragon")
    game.play("yellow disk galicia")
    assert preview(game, "green", "disk sevilla").facts == (AnswerSealed("green", SetDisk("sevilla")),)


def test_a_preview_of_the_last_turn_does_not_turn_up_the_next_cards():
    game = opening(2).play("red power 13", "blue power 12", "red card 1", "red end", "blue card 5")
    assert not any(hasattr(fact, "cards") for fact in preview(game, "blue", "end").facts)
    assert preview(game, "blue", "end").accepted


def preview(game, player, text):
    return dry_run(game.state, Answer(player, decision_id(game.state, player), parse_move(text, game.board.rules)))


def test_steps_on_the_agenda_hold_no_secret():
    first, second = recovered(3, VETO), recovered(7, VETO)
    assert encode(first.state.agenda) == encode(second.state.agenda)
    assert first.state.sealed == {"red": Special(value=3)}


def test_hidden_things_may_be_swapped_under_a_state_without_notice_to_any_viewer():
    game = opening()
    swapped = replace(game.board, stacks=tuple(stack[::-1] for stack in game.board.stacks))
    twin = replace(game.state, board=swapped)
    for viewer in EVERYBODY:
        assert encode(view(twin, viewer)) == encode(view(game.state, viewer))
