"""The story in few words."""

import pytest

from replay.story import Mention, sentences
from rules.el_grande.commands import SetDisk
from rules.el_grande.facts import (
    ActionCardTaken,
    CaballerosDrawn,
    CaballerosMoved,
    CaballerosPlaced,
    CaballerosReleased,
    CaballerosReturned,
    GrandeMoved,
    KingMoved,
    PowerCardPlayed,
    PowerCardRecovered,
    RoundBegan,
    RoundEnded,
    ScoreboardMoved,
    SpecialActionBegan,
    SpecialActionVetoed,
    TurnOrderSet,
)
from rules.kernel import AnswerSealed, AnswersOpened

NAMES = {"red": "Inés", "blue": "Bruno", "yellow": "Chiara"}


def said(parts) -> str:
    return "".join(part.name if isinstance(part, Mention) else part for part in parts)


def lines(*facts) -> list[str]:
    """As a list shows them: facts of one group that follow each other are one line."""
    shown, group = [], ""
    for told in sentences("el_grande", facts, NAMES):
        if told.brief is None:
            shown.append(told.text)
        elif told.brief.group and told.brief.group == group and told.brief.more:
            shown[-1] += f", {said(told.brief.more)}"
        elif told.brief.parts:
            shown.append(said(told.brief.parts))
        group = told.brief.group if told.brief else ""
    return shown


@pytest.mark.parametrize(
    ("facts", "line"),
    [
        ([PowerCardPlayed("yellow", 12), PowerCardPlayed("red", 10)], "Chiara plays 12, Inés 10"),
        (
            [CaballerosDrawn("red", "province", 3), ActionCardTaken("red", "s2_veto")],
            "Inés brings 3 to court, takes Veto",
        ),
        (
            [CaballerosPlaced("red", "aragon", 2), CaballerosPlaced("red", "valencia", 1)],
            "Inés places 2 in Aragon, 1 in Valencia",
        ),
        (
            [
                CaballerosMoved("red", "galicia", "aragon", 1, "red"),
                CaballerosMoved("blue", "sevilla", "aragon", 2, "red"),
            ],
            "Inés moves 1 from Galicia to Aragon, 2 of Bruno from Seville to Aragon",
        ),
        (
            [CaballerosReturned("red", "galicia", 2), CaballerosReturned("blue", "court", 1)],
            "Inés loses 2 from Galicia, Bruno 1 from the court",
        ),
        (
            [CaballerosReleased("red", "court", 3), CaballerosReleased("blue", "aragon", 1)],
            "Inés leads 3 out of the castillo to the court, Bruno 1 to Aragon",
        ),
        ([AnswerSealed("red", None), AnswerSealed("blue", None)], "Inés decides secretly, Bruno too"),
        (
            [AnswerSealed("red", SetDisk("aragon")), AnswerSealed("blue", SetDisk("sevilla"))],
            "Inés sets Aragon, Bruno Seville",
        ),
        (
            [AnswersOpened({"red": SetDisk("aragon"), "blue": SetDisk("sevilla")})],
            "opened: Inés Aragon and Bruno Seville",
        ),
        (
            [SpecialActionBegan("red", "s4_scoreboard", {"board": "scoreboard_400", "to": "castilla_la_vieja"})],
            "Inés announces scoreboard_400 to Old Castile",
        ),
        ([SpecialActionBegan("red", "s1_move_four_own", {})], "Inés performs Four of yours"),
        ([SpecialActionVetoed("blue", "red", "s5_king_any", "s2_veto")], "Bruno vetoes The King"),
        ([GrandeMoved("red", "sevilla")], "Inés moves the Grande to Seville"),
        ([PowerCardRecovered("red", 7)], "Inés takes 7 back"),
        ([PowerCardRecovered("red", None)], "Inés takes a card back"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_belongs_together_is_one_line(facts, line):
    assert lines(*facts) == [line]


def test_an_action_that_is_seen_at_once_is_not_announced():
    began = SpecialActionBegan("red", "s5_king_any", {"to": "sevilla"})
    assert lines(began, KingMoved("sevilla")) == ["the king moves to Seville"]
    assert lines(SpecialActionBegan("red", "s4_scoreboard", {}), ScoreboardMoved("scoreboard_400", "aragon")) != []


def test_what_the_cards_and_the_head_of_a_round_show_is_not_said():
    facts = (RoundEnded(1, (), (), "red"), RoundBegan(2, ("s5_king_any",)), TurnOrderSet(("red", "blue")))
    assert lines(*facts) == []


def test_a_sealed_answer_is_told_to_none_but_its_player():
    told = [line.brief for line in sentences("el_grande", [AnswerSealed("red", None)], NAMES)]
    assert all("aragon" not in str(brief).lower() for brief in told)
