"""The 18 action cards of every player, the King card and the Intrigue card.

How many caballeros a card brings to court is printed in no source that we know; only that low cards bring more, and the
highest none. They are kept here, in one place (ruling 61).
"""

from rules.el_grande.deck import ActionCard
from rules.el_grande.expansions.king_and_intrigue.actions import (
    FreePlacement,
    Intrigue,
    LayScoreboard,
    ScoreTogether,
    SendOneOfEachHome,
    TravelWithGrande,
    TwoEachToCastillo,
)
from rules.el_grande.expansions.king_and_intrigue.ranks import INTRIGUE, KING
from rules.el_grande.expansions.king_and_intrigue.region_cards import TakeRegionCard
from rules.el_grande.extension import Face
from rules.el_grande.steps.hostile import AngerTheKing, EmptyCourts
from rules.el_grande.steps.royal import MoveKing
from rules.el_grande.steps.scorings import ScoreChosen, ScoreOpenCastillo, ScoreWorth
from rules.texts import say

MUSTERS = {
    10: 6, 20: 5, 30: 5, 40: 5, 50: 4, 60: 4, 70: 4, 80: 3, 90: 3,
    100: 3, 110: 2, 120: 2, 130: 2, 140: 1, 150: 1, 160: 1, 170: 0, 180: 0,
}  # fmt: skip
"""Value of a card to the caballeros that it brings to court."""

HAND_CARDS = {value: f"ki_{value:03}" for value in MUSTERS}

CARDS = {
    KING: ActionCard(
        0,
        MoveKing(anywhere=True),
        say("The King card"),
        say("Move the king to any other region."),
        returns=True,
    ),
    INTRIGUE: ActionCard(
        0,
        Intrigue(),
        say("The Intrigue card"),
        say("Move one caballero of an opponent out of a region, or any number of yours out of one region."),
        returns=True,
    ),
    "ki_010": ActionCard(
        0, None, say("Intriguer"), say("No action of its own: the lowest card always brings the Intrigue card.")
    ),
    "ki_020": ActionCard(
        0,
        FreePlacement(),
        say("Free placement"),
        say("Before you place: your placement of this turn may go to any regions, or into the castillo."),
    ),
    "ki_030": ActionCard(
        0,
        EmptyCourts(),
        say("Empty courts"),
        say("All caballeros in the courts of your opponents go back to their provinces."),
        compulsory=True,
    ),
    "ki_040": ActionCard(
        0,
        None,
        say("Veto of the round"),
        say("In this round you may stop one special action of an opponent, or the rest of one."),
    ),
    "ki_050": ActionCard(
        0,
        AngerTheKing(each=3),
        say("The king is angry"),
        say("In turn, every opponent returns three caballeros from court or from regions to the province."),
        compulsory=True,
    ),
    "ki_060": ActionCard(
        0,
        ScoreWorth(values=(6, 7)),
        say("Scoring of the 6- and 7-regions"),
        say("Score every region whose first place is worth 6 or 7 points."),
        compulsory=True,
    ),
    "ki_070": ActionCard(
        0,
        SendOneOfEachHome(),
        say("One of each opponent goes home"),
        say("Return one caballero of each opponent, from regions of your choice, to the province."),
        compulsory=True,
    ),
    "ki_080": ActionCard(
        0,
        TravelWithGrande(),
        say("The Grande travels"),
        say("Move your Grande to another region, and up to three of your caballeros from any regions with him."),
    ),
    "ki_090": ActionCard(
        0,
        LayScoreboard(),
        say("Movable scoreboard"),
        say("Put a movable scoreboard on a region or on the castillo; it counts in place of the printed one."),
        compulsory=True,
    ),
    "ki_100": ActionCard(
        0,
        ScoreWorth(values=(4,)),
        say("Scoring of the 4-regions"),
        say("Score every region whose first place is worth 4 points."),
        compulsory=True,
    ),
    "ki_110": ActionCard(
        0,
        ScoreOpenCastillo(),
        say("Scoring of the castillo"),
        say("Open the castillo and score it; its caballeros go back inside."),
        compulsory=True,
    ),
    "ki_120": ActionCard(
        0,
        ScoreWorth(values=(5,)),
        say("Scoring of the 5-regions"),
        say("Score every region whose first place is worth 5 points."),
        compulsory=True,
    ),
    "ki_130": ActionCard(
        0,
        TakeRegionCard(),
        say("A region counts double"),
        say("Take a region card in secret: in the next general scoring all points of that region count twice."),
        compulsory=True,
    ),
    "ki_140": ActionCard(
        0,
        TwoEachToCastillo(),
        say("Two of each into the castillo"),
        say("Put two caballeros of each opponent from regions into the castillo, then two of yours, also from court."),
        compulsory=True,
    ),
    "ki_150": ActionCard(
        0,
        ScoreChosen(),
        say("Scoring of a space of your choice"),
        say("Score one region of your choice, or the castillo."),
        compulsory=True,
    ),
    "ki_160": ActionCard(
        0,
        MoveKing(),
        say("The king moves one step"),
        say("Move the king to a neighbouring region."),
        compulsory=True,
    ),
    "ki_170": ActionCard(
        0,
        ScoreTogether(),
        say("Vote for scorings"),
        say("All players secretly choose a region; every region that at least two of them chose is scored."),
        compulsory=True,
    ),
    "ki_180": ActionCard(
        0, None, say("To be king"), say("No action of its own: the highest card always brings the King card.")
    ),
}

FACES = {
    KING: Face("king-any", say("King card"), say("Move the King anywhere")),
    INTRIGUE: Face("move-mixed", say("Intrigue card"), say("One of others, or yours out of one")),
    "ki_010": Face("cards", say("Intriguer"), say("Brings the Intrigue card")),
    "ki_020": Face("place", say("Place anywhere"), say("Place in any regions this turn")),
    "ki_030": Face("rebellion", say("Empty courts"), say("The others empty their courts")),
    "ki_040": Face("veto", say("Veto"), say("Stop a special action this round")),
    "ki_050": Face("king-angry", say("The King is angry"), say("The others give up three each")),
    "ki_060": Face("score-value", say("Six and seven"), say("Score every region worth 6 or 7")),
    "ki_070": Face("return-one", say("One of each"), say("One of each other player leaves")),
    "ki_080": Face("grande", say("The Grande travels"), say("Your Grande moves, with up to 3")),
    "ki_090": Face("scoreboard", say("Scoreboard"), say("Lay or move a scoreboard")),
    "ki_100": Face("score-value", say("The fours"), say("Score every region worth 4")),
    "ki_110": Face("score-castillo", say("The castillo"), say("Open and score the castillo")),
    "ki_120": Face("score-value", say("The fives"), say("Score every region worth 5")),
    "ki_130": Face("secret-score", say("Counts double"), say("A secret region counts twice")),
    "ki_140": Face("court", say("Two each inside"), say("Two of each into the castillo")),
    "ki_150": Face("score-one", say("One region"), say("Score one space of your choice")),
    "ki_160": Face("king-step", say("One step"), say("Move the King to a neighbour")),
    "ki_170": Face("secret-score", say("Vote"), say("Score regions chosen twice")),
    "ki_180": Face("cards", say("To be king"), say("Brings the King card")),
}
