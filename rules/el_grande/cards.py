"""The 45 action cards and 13 power cards. A card is a row; what it does is a step, and a sentence for players.

The sentences leave out what holds for every card: nothing enters or leaves the king's region, and nothing leaves the
castillo.

The number of copies and the caballeros on the power cards are not printed in every edition's rules; they are kept here,
in one place, so that they are easy to correct (`docs/rulings.md`).
"""

from rules.el_grande.deck import ActionCard
from rules.el_grande.steps.hostile import AngerTheKing, EmptyCourts, Expel, WithdrawSecretly
from rules.el_grande.steps.intrigue import Either, MoveCaballeros, PlaceExtra, SendHomeOneEach
from rules.el_grande.steps.royal import (
    DrawToCourt,
    MoveGrande,
    MoveKing,
    MoveScoreboard,
    RecoverPowerCard,
    TakeVeto,
)
from rules.el_grande.steps.scorings import (
    ScoreChosen,
    ScoreFirstPlaces,
    ScoreLeastCrowded,
    ScoreMostCrowded,
    ScoreOpenCastillo,
    ScoreSecretly,
    ScoreWorth,
)
from rules.texts import say

POWER_CARDS = {1: 6, 2: 5, 3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 2, 9: 2, 10: 1, 11: 1, 12: 0, 13: 0}

CARDS = {
    # Stack 1: intrigue
    "s1_move_all_own": ActionCard(
        1,
        MoveCaballeros(foreign=0, one_region=True),
        say("All own from one region"),
        say("Move any number of your caballeros out of one region, to other regions or into the castillo."),
    ),
    "s1_place_two": ActionCard(
        1,
        PlaceExtra(left=2),
        say("Two more from court"),
        say("Place up to two more caballeros from your court, in any regions or in the castillo."),
    ),
    "s1_place_two_or_move_all": ActionCard(
        1,
        Either(),
        say("Two more from court, or all own from one region"),
        say("Place up to two more caballeros from your court anywhere, or move any number of yours out of one region."),
    ),
    "s1_move_five_one_region": ActionCard(
        1,
        MoveCaballeros(total=5, one_region=True),
        say("Five from one region"),
        say("Move up to five caballeros of any players out of one region, to other regions or into the castillo."),
        copies=2,
    ),
    "s1_move_three_foreign": ActionCard(
        1,
        MoveCaballeros(total=3, own=0),
        say("Three of others"),
        say("Move up to three caballeros of your opponents to other regions or into the castillo."),
    ),
    "s1_move_three_any": ActionCard(
        1,
        MoveCaballeros(total=3),
        say("Any three"),
        say("Move up to three caballeros of any players to other regions or into the castillo."),
    ),
    "s1_move_two_own_two_foreign": ActionCard(
        1,
        MoveCaballeros(own=2, foreign=2),
        say("Two own and two of others"),
        say(
            "Move up to two caballeros of yours and up to two of your opponents to other regions or into the castillo."
        ),
        copies=2,
    ),
    "s1_move_four_own": ActionCard(
        1,
        MoveCaballeros(total=4, foreign=0),
        say("Four own"),
        say("Move up to four of your caballeros to other regions or into the castillo."),
    ),
    "s1_move_four_any": ActionCard(
        1,
        MoveCaballeros(total=4),
        say("Any four"),
        say("Move up to four caballeros of any players to other regions or into the castillo."),
    ),
    # Stack 2
    "s2_veto": ActionCard(
        2,
        TakeVeto(),
        say("Veto"),
        say("Keep it until the end of the next round, to stop one special action of an opponent, or the rest of one."),
        copies=2,
    ),
    "s2_rebellion_all": ActionCard(
        2,
        EmptyCourts(),
        say("Rebellion: courts are emptied"),
        say("All caballeros in the courts of your opponents go back to their provinces."),
    ),
    "s2_rebellion_three": ActionCard(
        2,
        EmptyCourts(most=3),
        say("Rebellion: three leave each court"),
        say("Every opponent returns three caballeros from court to the province, or all if there are fewer."),
    ),
    "s2_king_angry": ActionCard(
        2,
        AngerTheKing(each=3),
        say("The king is angry"),
        say("In turn, every opponent returns three caballeros from court or from regions to the province."),
    ),
    "s2_return_one_each": ActionCard(
        2,
        SendHomeOneEach(),
        say("One of each opponent goes home"),
        say("Return one caballero of each opponent, from regions of your choice, to the province."),
    ),
    "s2_secret_remove_two": ActionCard(
        2,
        WithdrawSecretly(amount=2),
        say("Secret withdrawal of two"),
        say("Every opponent secretly chooses a region and returns two caballeros from it to the province."),
    ),
    "s2_secret_remove_all": ActionCard(
        2,
        WithdrawSecretly(),
        say("Secret withdrawal from a region"),
        say("Every opponent secretly chooses a region and returns all own caballeros from it to the province."),
    ),
    "s2_score_chosen": ActionCard(
        2,
        ScoreChosen(),
        say("Scoring of a space of your choice"),
        say("Score one region of your choice, or the castillo."),
        copies=3,
    ),
    # Stack 3: special scorings
    "s3_score_fours": ActionCard(
        3,
        ScoreWorth(values=(4,)),
        say("Scoring of the 4-regions"),
        say("Score every region whose first place is worth 4 points."),
        copies=2,
    ),
    "s3_score_fives": ActionCard(
        3,
        ScoreWorth(values=(5,)),
        say("Scoring of the 5-regions"),
        say("Score every region whose first place is worth 5 points."),
        copies=2,
    ),
    "s3_score_six_sevens": ActionCard(
        3,
        ScoreWorth(values=(6, 7)),
        say("Scoring of the 6- and 7-regions"),
        say("Score every region whose first place is worth 6 or 7 points."),
    ),
    "s3_score_castillo": ActionCard(
        3,
        ScoreOpenCastillo(),
        say("Scoring of the castillo"),
        say("Open the castillo and score it; its caballeros go back inside."),
        copies=2,
    ),
    "s3_score_firsts": ActionCard(
        3,
        ScoreFirstPlaces(),
        say("Scoring of first places"),
        say("Score the first place of every region: only a sole leader gets points."),
    ),
    "s3_score_most": ActionCard(
        3,
        ScoreMostCrowded(),
        say("Scoring where most caballeros are"),
        say("Score the region with the most caballeros; if several tie, all of them."),
    ),
    "s3_score_least": ActionCard(
        3,
        ScoreLeastCrowded(),
        say("Scoring where fewest caballeros are"),
        say("Score the region with the fewest caballeros, but at least one; if several tie, all of them."),
    ),
    "s3_score_chosen": ActionCard(
        3,
        ScoreChosen(),
        say("Scoring of a space of your choice"),
        say("Score one region of your choice, or the castillo."),
    ),
    # Stack 4
    "s4_scoreboard": ActionCard(
        4,
        MoveScoreboard(),
        say("Movable scoreboard"),
        say("Put a movable scoreboard on a region or on the castillo; it counts in place of the printed one."),
        copies=3,
    ),
    "s4_king_step": ActionCard(
        4, MoveKing(), say("The king moves one step"), say("Move the king to a neighbouring region.")
    ),
    "s4_expulsion": ActionCard(
        4,
        Expel(),
        say("Expulsion"),
        say("Name a region: every opponent there secretly chooses another one, to which all own caballeros go."),
    ),
    "s4_move_grande": ActionCard(
        4,
        MoveGrande(),
        say("Your Grande moves"),
        say("Move your Grande to another region, which is your home from now on."),
        copies=2,
    ),
    "s4_recover_power": ActionCard(
        4,
        RecoverPowerCard(),
        say("A power card comes back"),
        say("Take one of your played power cards back into your hand; the other players do not learn which."),
        copies=2,
    ),
    "s4_court_two": ActionCard(
        4,
        DrawToCourt(amount=2),
        say("Two caballeros come to court"),
        say(
            "Bring two caballeros from your province to court; if there are fewer, you may take the rest from regions."
        ),
    ),
    "s4_secret_scoring": ActionCard(
        4,
        ScoreSecretly(),
        say("Secret scoring"),
        say("All players secretly choose a region; every region that only one of them chose is scored."),
    ),
    # Stack 5
    "s5_king_any": ActionCard(
        5, MoveKing(anywhere=True), say("The king's card"), say("Move the king to any other region."), returns=True
    ),
}
