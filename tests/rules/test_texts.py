"""Sentences as data: templates, values, numbers, lists and names."""

import gettext
import tomllib

import msgspec
import pytest

from events.errors import NotNow, StoreFull
from rules.errors import NotYourDecision, RuleBroken, Unreadable
from rules.forms import Form
from rules.texts import ENGLISH, Text, all_of, any_of, clauses, one_by_one, say, say_many
from tests.repository.checkout import ROOT


class French:
    """A catalogue of a few words, in which nought is singular."""

    words = {
        "{player} takes {count} card": "{player} prend {count} carte",
        "{player} takes {count} cards": "{player} prend {count} cartes",
        "{most} and {last}": "{most} et {last}",
        "the king": "le roi",
        "{who} goes to {place}": "c'est à {place} que va {who}",
    }

    def gettext(self, message: str) -> str:
        return self.words.get(message, message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        return self.gettext(one if count < 2 else many)


def cards(count: int) -> Text:
    return say_many("{player} takes {count} card", "{player} takes {count} cards", count, player="red")


def test_values_travel_apart_from_the_template():
    text = say("only {left} left, not {wanted}", left=2, wanted=3)
    assert (text.template, text.values) == ("only {left} left, not {wanted}", {"left": 2, "wanted": 3})
    assert str(text) == "only 2 left, not 3"


@pytest.mark.parametrize(
    ("count", "english", "french"), [(0, "cards", "carte"), (1, "card", "carte"), (2, "cards", "cartes")]
)
def test_a_language_has_its_own_singular(count, english, french):
    assert str(cards(count)) == f"red takes {count} {english}"
    assert cards(count).rendered(French()) == f"red prend {count} {french}"


def test_a_translation_may_change_the_order_of_the_values():
    assert say("{who} goes to {place}", who=say("the king"), place="Granada").rendered(French()) == (
        "c'est à Granada que va le roi"
    )


def test_lists_are_translated_too():
    assert say("{players}", players=all_of(["red", "blue", "green"])).rendered(French()) == "red, blue et green"


@pytest.mark.parametrize(
    ("joined", "one", "three"),
    [
        (all_of, "red", "red, blue and green"),
        (any_of, "red", "red, blue or green"),
        (one_by_one, "red", "red, blue, green"),
    ],
)
def test_lists_of_none_one_and_three(joined, one, three):
    assert str(joined([])) == "none"
    assert str(joined(["red"])) == one
    assert str(joined(iter(["red", "blue", "green"]))) == three


def test_clauses_are_sentences_in_a_row():
    assert str(clauses([cards(1), cards(2)])) == "red takes 1 card; red takes 2 cards"


def test_ids_are_called_by_their_names_where_they_have_one():
    text = say("{players} in {region}", players=all_of(["red", "blue"]), region="granada")
    names = {"granada": say("Granada"), "red": say("Anna ({seat})", seat=say("red"))}
    assert text.rendered(ENGLISH, names.get) == "Anna (red) and blue in Granada"
    assert str(text) == "red and blue in granada"


def test_braces_in_a_value_are_just_braces():
    assert str(say("not a move: {text}", text="{0.__class__} {player}")) == "not a move: {0.__class__} {player}"


def test_catalogues_of_the_standard_library_fit():
    assert cards(1).rendered(gettext.NullTranslations()) == "red takes 1 card"


def test_a_text_can_be_sent_to_a_program_that_renders_it_itself():
    sent = msgspec.json.encode(all_of(["red", say("the king")]))
    assert msgspec.json.decode(sent) == {
        "template": "{most} and {last}",
        "values": {"most": "red", "last": {"template": "the king"}},
    }


# Refusals


def test_a_refusal_is_not_formatted_before_it_is_read():
    class Untouched:
        def __str__(self) -> str:
            raise AssertionError("nobody has asked yet")

    refusal = RuleBroken(say("not {this}", this=Untouched()), "example")  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="nobody has asked yet"):
        str(refusal)


@pytest.mark.parametrize(
    "refusal",
    [RuleBroken(say("no {what}", what="way"), "example"), NotYourDecision(say("no way")), Unreadable(say("no way"))],
    ids=lambda refusal: type(refusal).__name__,
)
def test_a_refusal_has_its_text_and_says_it_in_english(refusal):
    assert refusal.text.rendered(ENGLISH) == refusal.sentence == str(refusal) == "no way"


def test_the_type_checker_refuses_a_plain_string_where_a_text_is_needed():
    """If it did not, it would call the comments below superfluous, and the checks would fail."""
    RuleBroken("a sentence", "example")  # type: ignore[arg-type]
    NotYourDecision("a sentence")  # type: ignore[arg-type]
    Unreadable("a sentence")  # type: ignore[arg-type]
    NotNow("a sentence")  # type: ignore[arg-type]
    StoreFull("a sentence")  # type: ignore[arg-type]
    Form("stop", "stop here")  # type: ignore[arg-type]
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["warn_unused_ignores"]
