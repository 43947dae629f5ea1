"""The card of stack 6, and the eleven of stack 7."""

from __future__ import annotations

from rules.el_grande.deck import ActionCard
from rules.el_grande.expansions.grand_inquisitor_and_colonies.conspiracy import Conspire
from rules.el_grande.expansions.grand_inquisitor_and_colonies.held import (
    EXECUTE,
    FREE_WILL,
    PLAGIARIST,
    ExecuteLater,
    HoldCard,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.inquisitor import HolyInquisition
from rules.el_grande.expansions.grand_inquisitor_and_colonies.limit_board import MoveLimitBoard
from rules.el_grande.expansions.grand_inquisitor_and_colonies.scorings import MarkSpace, ScoreBlack, ScoreNewRegions
from rules.el_grande.extension import Face
from rules.el_grande.steps.intrigue import MoveCaballeros
from rules.texts import say

PLACES = 2
"""So many caballeros the cards of stack 7 place; printed in our sources for one of them only (ruling 96)."""

TRANSPORTED = 3

LIMIT_BOARD = (say("Limit board"), say("The limit board goes to another region, but not to France."))

CARDS = {
    "gi_holy_inquisition": ActionCard(
        6,
        HolyInquisition(),
        say("Holy Inquisition"),
        say("Take the Grand Inquisitor. Then move up to two black caballeros to other regions or into the castillo."),
        returns=True,
        number=3,
    ),
    EXECUTE: ActionCard(
        7,
        ExecuteLater(card=EXECUTE),
        say("Execute an action"),
        say(
            "Now or in a later turn: perform the special action of a card that lies face up and that nobody has taken."
        ),
        number=PLACES,
    ),
    PLAGIARIST: ActionCard(
        7,
        HoldCard(card=PLAGIARIST),
        say("Plagiarist"),
        say("Keep this card. After an opponent's turn, perform the special action again that was performed in it."),
        number=PLACES,
    ),
    FREE_WILL: ActionCard(
        7,
        HoldCard(card=FREE_WILL),
        say("Free will"),
        say(
            "Keep this card. In the next general scoring, move up to two of your caballeros before the regions are "
            "scored."
        ),
        number=PLACES,
    ),
    "gi_scoring_new_regions": ActionCard(
        7,
        ScoreNewRegions(),
        say("New regions"),
        say("France, the ship, America and Africa are scored."),
        number=PLACES,
    ),
    "gi_scoring_black": ActionCard(
        7,
        ScoreBlack(),
        say("Black caballeros"),
        say("Take the Grand Inquisitor. Then every region with black caballeros is scored."),
        number=PLACES,
    ),
    "gi_transport": ActionCard(
        7,
        MoveCaballeros(total=TRANSPORTED, foreign=0),
        say("Transport"),
        say("Move up to three of your caballeros to other regions or into the castillo."),
        number=PLACES,
    ),
    "gi_limit_board_a": ActionCard(7, MoveLimitBoard(), *LIMIT_BOARD, number=PLACES),
    "gi_limit_board_b": ActionCard(7, MoveLimitBoard(), *LIMIT_BOARD, number=PLACES),
    "gi_limit_board_c": ActionCard(7, MoveLimitBoard(), *LIMIT_BOARD, number=PLACES),
    "gi_scoring_delayed": ActionCard(
        7,
        MarkSpace(),
        say("Delayed scoring"),
        say("Mark a region, or the castillo: it is scored at the end of the next round."),
        number=PLACES,
    ),
    "gi_conspiracy": ActionCard(
        7,
        Conspire(),
        say("Conspiracy"),
        say("One Grande goes into the castillo. In the next general scoring his player's disk tells where he goes."),
        number=PLACES,
    ),
}

_BOARD = Face("scoreboard", say("Limit board"), say("Move the limit board"))

FACES = {
    "gi_holy_inquisition": Face("king-any", say("Holy Inquisition"), say("The Grand Inquisitor, two black moves")),
    EXECUTE: Face("cards", say("Execute an action"), say("A card that nobody has taken")),
    PLAGIARIST: Face("recover", say("Plagiarist"), say("Keep: repeat an opponent's action")),
    FREE_WILL: Face("move-own", say("Free will"), say("Keep: move two before regions score")),
    "gi_scoring_new_regions": Face("score-value", say("New regions"), say("Score the four new regions")),
    "gi_scoring_black": Face("score-firsts", say("Black caballeros"), say("The Grand Inquisitor, score the black")),
    "gi_transport": Face("move-own", say("Transport"), say("Move up to 3 of your caballeros")),
    "gi_limit_board_a": _BOARD,
    "gi_limit_board_b": _BOARD,
    "gi_limit_board_c": _BOARD,
    "gi_scoring_delayed": Face("score-one", say("Delayed scoring"), say("Mark a region for the next round")),
    "gi_conspiracy": Face("grande", say("Conspiracy"), say("A Grande into the castillo")),
}
