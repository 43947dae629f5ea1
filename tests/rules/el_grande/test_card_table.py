"""The census of the cards."""

import pytest

from rules.el_grande.base import BASE
from rules.el_grande.cards import CARDS, POWER_CARDS
from rules.el_grande.deck import copies
from rules.el_grande.names import power_card
from rules.el_grande.setup import face_down_stacks
from rules.el_grande.steps.intrigue import Either, Stepwise
from rules.kernel import SecretStep, Total
from tests.rules.el_grande.table import turn_with

# Stack, copies, and how the special action goes: in steps, as a whole, player by player, or by secret disks.
CENSUS = {
    "s1_move_all_own": (1, 1, "steps"),
    "s1_place_two": (1, 1, "steps"),
    "s1_place_two_or_move_all": (1, 1, "steps"),
    "s1_move_five_one_region": (1, 2, "steps"),
    "s1_move_three_foreign": (1, 1, "steps"),
    "s1_move_three_any": (1, 1, "steps"),
    "s1_move_two_own_two_foreign": (1, 2, "steps"),
    "s1_move_four_own": (1, 1, "steps"),
    "s1_move_four_any": (1, 1, "steps"),
    "s2_veto": (2, 2, "whole"),
    "s2_rebellion_all": (2, 1, "whole"),
    "s2_rebellion_three": (2, 1, "whole"),
    "s2_king_angry": (2, 1, "whole"),
    "s2_return_one_each": (2, 1, "steps"),
    "s2_secret_remove_two": (2, 1, "disks"),
    "s2_secret_remove_all": (2, 1, "disks"),
    "s2_score_chosen": (2, 3, "whole"),
    "s3_score_fours": (3, 2, "whole"),
    "s3_score_fives": (3, 2, "whole"),
    "s3_score_six_sevens": (3, 1, "whole"),
    "s3_score_castillo": (3, 2, "whole"),
    "s3_score_firsts": (3, 1, "whole"),
    "s3_score_most": (3, 1, "whole"),
    "s3_score_least": (3, 1, "whole"),
    "s3_score_chosen": (3, 1, "whole"),
    "s4_scoreboard": (4, 3, "whole"),
    "s4_king_step": (4, 1, "whole"),
    "s4_expulsion": (4, 1, "disks"),
    "s4_move_grande": (4, 2, "whole"),
    "s4_recover_power": (4, 2, "whole"),
    "s4_court_two": (4, 1, "whole"),
    "s4_secret_scoring": (4, 1, "disks"),
    "s5_king_any": (5, 1, "whole"),
}


def test_the_designs_are_those_of_the_census_in_their_order():
    assert list(CARDS) == list(CENSUS)


@pytest.mark.parametrize(("name", "stack", "number"), [(name, *row[:2]) for name, row in CENSUS.items()], ids=CENSUS)
def test_each_card_is_in_its_stack_as_often_as_it_should(name, stack, number):
    assert (CARDS[name].stack, CARDS[name].copies) == (stack, number)


@pytest.mark.parametrize(("name", "shape"), [(name, row[2]) for name, row in CENSUS.items()], ids=CENSUS)
def test_each_special_action_goes_in_steps_by_disks_or_as_a_whole(name, shape):
    special = CARDS[name].special
    assert isinstance(special, (Stepwise, Either)) == (shape == "steps")
    assert isinstance(special, SecretStep) == (shape == "disks")


@pytest.mark.parametrize(("name", "allowance"), [(name, row[0]) for name, row in CENSUS.items()], ids=CENSUS)
def test_each_card_lets_its_stack_number_of_caballeros_be_placed(name, allowance):
    game = turn_with(name, "king granada; court: red 7; grandes: red aragon")
    [place] = [form for form in game.decision("red").forms if form.kind == "place"]
    assert place.total == Total(("to",), 1, allowance)


def test_there_are_45_cards_in_stacks_of_eleven_and_the_kings_card():
    sizes = dict.fromkeys(range(1, 6), 0)
    for card in CARDS.values():
        sizes[card.stack] += card.copies
    assert sizes == {1: 11, 2: 11, 3: 11, 4: 11, 5: 1}
    assert sum(sizes.values()) == 45


def test_the_four_face_down_stacks_hold_all_cards_but_the_kings():
    stacks = face_down_stacks(BASE)
    cards = [card for stack in stacks for card in stack]
    assert [len(stack) for stack in stacks] == [11, 11, 11, 11]
    assert len(set(cards)) == 44
    assert not any(card.startswith("s5") for card in cards)


def test_only_the_kings_card_comes_back_every_round():
    assert [name for name, card in CARDS.items() if card.returns] == ["s5_king_any"]


def test_copies_of_a_card_are_told_apart_by_a_number():
    assert copies("s3_score_fours", CARDS["s3_score_fours"]) == ("s3_score_fours-1", "s3_score_fours-2")
    assert copies("s4_king_step", CARDS["s4_king_step"]) == ("s4_king_step",)


@pytest.mark.parametrize("name", CARDS)
def test_a_card_says_in_a_short_sentence_what_it_does(name):
    text = str(CARDS[name].text)
    assert text[0].isupper()
    assert text.endswith(".")
    assert len(text) <= 110
    assert str(CARDS[name].label) == f"“{CARDS[name].title}”: {text}"


NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


@pytest.mark.parametrize(("name", "card"), CARDS.items(), ids=CARDS)
def test_the_numbers_in_the_sentence_are_those_of_the_step(name, card):
    fields = {field: getattr(card.special, field) for field in card.special.__struct_fields__}
    numbers = {value for value in fields.values() if isinstance(value, int) and value in NUMBERS}
    assert {word for word in NUMBERS.values() if word in str(card.text).split()} >= {NUMBERS[n] for n in numbers}
    for value in fields.get("values", ()):
        assert str(value) in str(card.text)


def test_no_two_cards_say_the_same_but_the_two_scorings_of_ones_choice():
    texts = {name: str(card.text) for name, card in CARDS.items() if name != "s3_score_chosen"}
    assert len(set(texts.values())) == len(texts)
    assert CARDS["s3_score_chosen"].text == CARDS["s2_score_chosen"].text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "Bring up to 6 caballeros to court."),
        (11, "Bring 1 caballero to court, or none."),
        (13, "Bring no caballeros to court."),
    ],
)
def test_a_power_card_says_what_it_does(value, text):
    assert str(power_card(POWER_CARDS[value])) == text


def test_no_two_cards_have_the_same_title_but_the_two_scorings_of_ones_choice():
    titles = {name: str(card.title) for name, card in CARDS.items() if name != "s3_score_chosen"}
    assert len(set(titles.values())) == len(titles)
    assert all(titles.values())


@pytest.mark.parametrize(
    ("value", "caballeros"),
    [(1, 6), (2, 5), (3, 5), (4, 4), (5, 4), (6, 3), (7, 3), (8, 2), (9, 2), (10, 1), (11, 1), (12, 0), (13, 0)],
)
def test_the_lower_a_power_card_the_more_caballeros_it_brings(value, caballeros):
    assert POWER_CARDS[value] == caballeros


def test_there_are_thirteen_power_cards():
    assert list(POWER_CARDS) == list(range(1, 14))
