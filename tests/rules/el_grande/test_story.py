"""Every fact as a sentence, with and without what it hides."""

from functools import cache

import pytest

from rules import narration
from rules.codec import KERNEL_FACTS
from rules.el_grande.commands import SetDisk, Several, Special, TakeStep
from rules.el_grande.expansions.anniversary import FlagPassed
from rules.el_grande.facts import (
    CaballerosMoved,
    CaballerosReturned,
    PowerCardRecovered,
    SpaceScored,
    StacksShuffled,
    VetoTaken,
)
from rules.el_grande.game import EL_GRANDE
from rules.el_grande.story import CHOICES, said
from rules.kernel import SPECTATOR, AnsweredForPlayer, AnswerSealed, AnswersOpened, StepTaken
from rules.texts import ENGLISH, say
from tests.rules.random_games import random_game

RULES = EL_GRANDE.rules(("anniversary",))
TOLD = [fact for fact in (*KERNEL_FACTS, *RULES.facts) if fact is not StepTaken]
VIEWERS = ("red", "blue", SPECTATOR)


def tag(fact):
    return str(fact.__struct_config__.tag)


def sentence(fact):
    return rendered_text(narration.sentence(RULES, fact))


def rendered_text(words):
    """A text, or the id of something, as people read it."""
    return say("{words}", words=words).rendered(ENGLISH, RULES.names.get)


@cache
def happened():
    """Facts of all kinds, from a handful of games."""
    games = (random_game(players, seed, expansions=("anniversary",)) for players in (2, 4, 5) for seed in range(4))
    return tuple(fact for game in games for fact in game.facts if not isinstance(fact, StepTaken))


@pytest.mark.parametrize("fact", TOLD, ids=tag)
def test_there_is_a_sentence_for_every_fact(fact):
    assert tag(fact) in RULES.sentences


def test_there_is_no_sentence_without_a_fact():
    assert set(RULES.sentences) == {tag(fact) for fact in TOLD}


@pytest.mark.parametrize("kind", TOLD, ids=tag)
def test_every_fact_is_told_in_one_line(kind):
    facts = [fact for fact in happened() if isinstance(fact, kind)]
    assert facts, "this never happens in our games: add some"
    for fact in facts:
        line = sentence(fact)
        assert line == line.strip()
        assert "\n" not in line
        assert not any(token in line for token in ("UNSET", "None", "Struct", "{", "_la_"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_masked_facts_are_told_too(viewer):
    assert all(sentence(fact.seen_by(viewer)) for fact in happened())


SECRETS = {
    "a power card taken back": (PowerCardRecovered("red", 7), "7"),
    "a disk": (AnswerSealed("red", SetDisk("aragon")), "Aragon"),
    "the card to be taken back": (AnswerSealed("red", Special(value=7)), "7"),
    "queued steps": (AnswerSealed("red", Several((TakeStep("blue", "aragon", "castillo"),))), "Castillo"),
    "the stacks": (StacksShuffled((("s1_place_two",),)), "s1_place_two"),
}


@pytest.mark.parametrize(("fact", "secret"), SECRETS.values(), ids=SECRETS)
def test_a_masked_fact_tells_no_secret(fact, secret):
    assert secret not in sentence(fact.seen_by("blue"))
    assert sentence(fact.seen_by("blue")) == sentence(fact.seen_by(SPECTATOR))


@pytest.mark.parametrize(("fact", "secret"), list(SECRETS.values())[:4], ids=list(SECRETS)[:4])
def test_the_owner_of_a_secret_is_told(fact, secret):
    assert secret in sentence(fact.seen_by("red"))


def test_different_secrets_are_masked_by_the_same_sentence():
    answers = (SetDisk("aragon"), SetDisk("galicia"), Special(value=3), Several(()))
    assert len({sentence(AnswerSealed("red", answer).seen_by("blue")) for answer in answers}) == 1


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        (CaballerosMoved("red", "aragon", "castillo", 1, "red"), "red moves 1 caballero from Aragon to Castillo"),
        (
            CaballerosMoved("blue", "aragon", "court", 2, "red"),
            "red moves 2 caballeros of blue from Aragon to the court",
        ),
        (CaballerosReturned("blue", "court", 1), "1 caballero of blue goes from the court to the province"),
        (CaballerosReturned("blue", "granada+flag", 1), "1 caballero of blue goes from Granada (flag) to the province"),
        (FlagPassed("red", "castilla_la_nueva"), "red's flag is carried by a caballero in New Castile"),
        (SpaceScored("aragon", {}, ()), "Aragon is scored: no player gets points"),
        (VetoTaken("red", "s2_veto-1", 5), "red holds a veto until the end of round 5"),
        (AnswersOpened({"red": SetDisk("aragon"), "blue": SetDisk("galicia")}), "red: Aragon; blue: Galicia"),
        (AnswerSealed("red", SetDisk("aragon"), "time_up"), "red does not decide in time: Aragon"),
        (
            AnswersOpened({"red": SetDisk("aragon"), "blue": SetDisk("galicia")}, ("blue",)),
            "red: Aragon; blue (not in time): Galicia",
        ),
        (AnsweredForPlayer("red", "menu", "only_option"), "red does not answer (menu): only one way to go"),
        (AnsweredForPlayer("red", "menu", "time_up"), "red does not answer in time"),
    ],
)
def test_sentences_speak_as_players_do(fact, line):
    assert sentence(fact) == line


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (SetDisk("pais_vasco"), "Basque Country"),
        (TakeStep("blue", "aragon", "castillo"), "blue from Aragon to Castillo"),
        (TakeStep(target="castillo"), "to Castillo"),
        (Several(()), "no more steps"),
        (Special(value=3), "value 3"),
        (Special(source="aragon"), "source Aragon"),
        (Special(mode="place_two"), "two more from court"),
        (Special(board="board_840", to="aragon"), "scoreboard 8/4/0, to Aragon"),
        (Special(from_regions={"aragon": 2, "granada": 1}), "2 from Aragon and 1 from Granada"),
        (Special(own={"red/aragon": 2}), "2 of red from Aragon"),
        (Special(regions=("aragon", "granada")), "Aragon and Granada"),
        (Special(stack=4, when="now"), "stack 4, now"),
        (Special(player="red"), "the Grande of red"),
        (Special(pardon="granada"), "prisoners to Granada"),
    ],
)
def test_commands_in_words(command, words):
    assert rendered_text(said(command)) == words


def test_everything_that_can_be_chosen_for_a_special_action_has_words():
    assert set(CHOICES) == set(Special.__struct_fields__)
