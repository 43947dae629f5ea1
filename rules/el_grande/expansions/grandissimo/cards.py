"""The cards of stacks 6 and 7, and the king's card, which may pardon prisoners.

How many caballeros most cards of stack 6 place, and which of them have a symbol, is printed in no source that we know;
both are kept here and in `symbols.py`, so that they are easy to correct (ruling 110).
"""

from rules.el_grande.cards import CARDS as BASE_CARDS
from rules.el_grande.deck import ActionCard
from rules.el_grande.expansions.grandissimo.actions import (
    Ally,
    CallConscripts,
    Confederate,
    EmptyCastillo,
    HideRegionCard,
    HireSpy,
    KeepFreeWill,
    Postpone,
    ScoreCoast,
    ScoreCourts,
    ScoreInterior,
    SendToCastillo,
    StopActions,
    TakeCharacter,
    TakeInquisitor,
    TakeSecondCard,
)
from rules.el_grande.expansions.grandissimo.facts import BOYCOTT, INCOGNITO
from rules.el_grande.expansions.grandissimo.kings import LockUpGrande, MoveKingAndPardon, Revolt
from rules.el_grande.extension import Face
from rules.texts import say

KINGS_CARD = "s5_king_any"

STACK_SIX = {
    "gr_boycott": ActionCard(
        6,
        HideRegionCard(use=BOYCOTT),
        say("Boycott"),
        say("Choose a region in secret: it is not scored in the next general scoring."),
        number=3,
    ),
    "gr_confederation": ActionCard(
        6,
        Confederate(),
        say("Confederation"),
        say("Put up to both movable scoreboards on regions or on the castillo, or move them."),
        number=4,
    ),
    "gr_double_turn": ActionCard(
        6,
        TakeSecondCard(),
        say("Double turn"),
        say(
            "After placing and imprisoning: take another card that lies face up, and use it now or, but for those of "
            "stacks 5 and 7, in a later turn. Symbol: prison."
        ),
        number=2,
    ),
    "gr_free_will": ActionCard(
        6,
        KeepFreeWill(),
        say("Free will"),
        say(
            "In the next general scoring move up to two of your caballeros before the regions are scored. Symbol: ship."
        ),
        number=3,
    ),
    "gr_king_incognito": ActionCard(
        6,
        HideRegionCard(use=INCOGNITO),
        say("King incognito"),
        say("Choose a region in secret: once, between two parts of an opponent's turn, the king goes there."),
        number=3,
    ),
    "gr_expulsion_order": ActionCard(
        6,
        EmptyCastillo(),
        say("Expulsion order"),
        say("All players secretly choose where their caballeros in the castillo go; nothing is scored."),
        number=2,
    ),
    "gr_scoring_coastal": ActionCard(
        6,
        ScoreCoast(),
        say("Scoring of the coast"),
        say("Score the seven regions at the sea, Portugal among them. Symbol: ship."),
        number=3,
    ),
    "gr_espionage": ActionCard(
        6,
        HireSpy(),
        say("Espionage"),
        say("In the next general scoring look at the disks of the others before you set yours. Symbol: prison."),
        number=3,
    ),
    "gr_court_scoring": ActionCard(
        6,
        ScoreCourts(),
        say("Scoring of the courts"),
        say("The courts are scored like a region: 7, 5 and 1 points for most caballeros in the own court."),
        number=3,
    ),
    "gr_action_stop": ActionCard(
        6,
        StopActions(),
        say("Action stop"),
        say("The players whose turns are to come in this round place caballeros, but perform no special actions."),
        number=2,
    ),
    "gr_revolution": ActionCard(
        6,
        Revolt(),
        say("Revolution"),
        say("The king goes into the castillo, and a Grande acts for him until after the next general scoring."),
        number=3,
    ),
    "gr_conscription": ActionCard(
        6,
        CallConscripts(),
        say("Conscription"),
        say("Place up to three caballeros from your province instead of your court. Symbol: ship."),
        number=3,
    ),
    "gr_scoring_interior": ActionCard(
        6,
        ScoreInterior(),
        say("Scoring of the interior"),
        say("Score Old Castile, New Castile and Aragon."),
        number=3,
    ),
    "gr_spanish_inquisition": ActionCard(
        6,
        TakeInquisitor(),
        say("Spanish Inquisition"),
        say(
            "Take the General Inquisitor: until the next general scoring the mercenaries are yours, and each moves "
            "once a round."
        ),
        number=3,
    ),
    "gr_coup": ActionCard(
        6,
        LockUpGrande(),
        say("Coup d'état"),
        say("Send a Grande into the castillo: he is at home there until the next general scoring."),
        number=3,
    ),
    "gr_to_the_castillo": ActionCard(
        6,
        SendToCastillo(),
        say("To the Castillo!"),
        say(
            "Send any number of your caballeros from regions into the castillo, and, with two of yours or more, up to "
            "two of every opponent."
        ),
        number=2,
    ),
    "gr_alliance": ActionCard(
        6,
        Ally(),
        say("Alliance"),
        say("Choose two regions: in the next general scoring they are scored as one."),
        number=3,
    ),
    "gr_last_word": ActionCard(
        6,
        Postpone(),
        say("The last word"),
        say("Place your caballeros after the turns of all others. Symbol: ship."),
        number=4,
    ),
    "gr_excessive_force": ActionCard(
        6,
        None,
        say("Excessive force"),
        say("Place up to six caballeros; no special action. Symbol: prison."),
        number=6,
    ),
}
"""In the order of the rules: a deck names them by their numbers, from 1."""

CARDS = {
    KINGS_CARD: ActionCard(
        5,
        MoveKingAndPardon(anywhere=True),
        BASE_CARDS[KINGS_CARD].title,
        say("Move the king to any other region, pardon all prisoners to one place, or both."),
        returns=True,
    ),
    **STACK_SIX,
    "gr_queen_and_jester": ActionCard(
        7,
        TakeCharacter(),
        say("Queen and Jester"),
        say("Take the Queen or the Jester, from the table or from another player."),
        returns=True,
        number=3,
    ),
}

FACES = {
    KINGS_CARD: Face("king-any", say("The King's card"), say("Move the King; pardon prisoners")),
    "gr_boycott": Face("disk-remove", say("Boycott"), say("A secret region is not scored")),
    "gr_confederation": Face("scoreboard", say("Confederation"), say("Lay both scoreboards")),
    "gr_double_turn": Face("cards", say("Double turn"), say("Take a second card. Prison")),
    "gr_free_will": Face("move-own", say("Free will"), say("Move two while scoring. Ship")),
    "gr_king_incognito": Face("mask", say("King incognito"), say("The King comes in another's turn")),
    "gr_expulsion_order": Face("expulsion", say("Expulsion order"), say("All leave the castillo")),
    "gr_scoring_coastal": Face("score-value", say("The coast"), say("Score all coasts. Ship")),
    "gr_espionage": Face("eye", say("Espionage"), say("See the others' disks. Prison")),
    "gr_court_scoring": Face("court", say("The courts"), say("Score the courts: 7, 5, 1")),
    "gr_action_stop": Face("veto", say("Action stop"), say("No more special actions")),
    "gr_revolution": Face("crown", say("Revolution"), say("A Grande acts for the King")),
    "gr_conscription": Face("place", say("Conscription"), say("Place from the province. Ship")),
    "gr_scoring_interior": Face("score-value", say("The interior"), say("Score the three inland regions")),
    "gr_spanish_inquisition": Face("gavel", say("Inquisition"), say("Take the General Inquisitor")),
    "gr_coup": Face("grande", say("Coup d'état"), say("A Grande goes into the castillo")),
    "gr_to_the_castillo": Face("castillo", say("To the Castillo!"), say("Send caballeros inside")),
    "gr_alliance": Face("scales", say("Alliance"), say("Two regions score as one")),
    "gr_last_word": Face("clock", say("The last word"), say("Place after all others. Ship")),
    "gr_excessive_force": Face("place", say("Excessive force"), say("Place six. Prison")),
    "gr_queen_and_jester": Face("queen", say("Queen and Jester"), say("Take one of them")),
}
