"""The 45 action cards and 13 power cards. A card is a row; what it does is a step.

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
    "s1_move_all_own": ActionCard(1, MoveCaballeros(foreign=0, one_region=True), say("All own from one region")),
    "s1_place_two": ActionCard(1, PlaceExtra(left=2), say("Two more from court")),
    "s1_place_two_or_move_all": ActionCard(1, Either(), say("Two more from court, or all own from one region")),
    "s1_move_five_one_region": ActionCard(1, MoveCaballeros(total=5, one_region=True), say("Five from one region"), 2),
    "s1_move_three_foreign": ActionCard(1, MoveCaballeros(total=3, own=0), say("Three of others")),
    "s1_move_three_any": ActionCard(1, MoveCaballeros(total=3), say("Any three")),
    "s1_move_two_own_two_foreign": ActionCard(1, MoveCaballeros(own=2, foreign=2), say("Two own and two of others"), 2),
    "s1_move_four_own": ActionCard(1, MoveCaballeros(total=4, foreign=0), say("Four own")),
    "s1_move_four_any": ActionCard(1, MoveCaballeros(total=4), say("Any four")),
    # Stack 2
    "s2_veto": ActionCard(2, TakeVeto(), say("Veto"), 2),
    "s2_rebellion_all": ActionCard(2, EmptyCourts(), say("Rebellion: courts are emptied")),
    "s2_rebellion_three": ActionCard(2, EmptyCourts(most=3), say("Rebellion: three leave each court")),
    "s2_king_angry": ActionCard(2, AngerTheKing(each=3), say("The king is angry")),
    "s2_return_one_each": ActionCard(2, SendHomeOneEach(), say("One of each opponent goes home")),
    "s2_secret_remove_two": ActionCard(2, WithdrawSecretly(amount=2), say("Secret withdrawal of two")),
    "s2_secret_remove_all": ActionCard(2, WithdrawSecretly(), say("Secret withdrawal from a region")),
    "s2_score_chosen": ActionCard(2, ScoreChosen(), say("Scoring of a space of your choice"), 3),
    # Stack 3: special scorings
    "s3_score_fours": ActionCard(3, ScoreWorth(values=(4,)), say("Scoring of the 4-regions"), 2),
    "s3_score_fives": ActionCard(3, ScoreWorth(values=(5,)), say("Scoring of the 5-regions"), 2),
    "s3_score_six_sevens": ActionCard(3, ScoreWorth(values=(6, 7)), say("Scoring of the 6- and 7-regions")),
    "s3_score_castillo": ActionCard(3, ScoreOpenCastillo(), say("Scoring of the castillo"), 2),
    "s3_score_firsts": ActionCard(3, ScoreFirstPlaces(), say("Scoring of first places")),
    "s3_score_most": ActionCard(3, ScoreMostCrowded(), say("Scoring where most caballeros are")),
    "s3_score_least": ActionCard(3, ScoreLeastCrowded(), say("Scoring where fewest caballeros are")),
    "s3_score_chosen": ActionCard(3, ScoreChosen(), say("Scoring of a space of your choice")),
    # Stack 4
    "s4_scoreboard": ActionCard(4, MoveScoreboard(), say("Movable scoreboard"), 3),
    "s4_king_step": ActionCard(4, MoveKing(), say("The king moves one step")),
    "s4_expulsion": ActionCard(4, Expel(), say("Expulsion")),
    "s4_move_grande": ActionCard(4, MoveGrande(), say("Your Grande moves"), 2),
    "s4_recover_power": ActionCard(4, RecoverPowerCard(), say("A power card comes back"), 2),
    "s4_court_two": ActionCard(4, DrawToCourt(amount=2), say("Two caballeros come to court")),
    "s4_secret_scoring": ActionCard(4, ScoreSecretly(), say("Secret scoring")),
    # Stack 5
    "s5_king_any": ActionCard(5, MoveKing(anywhere=True), say("The king's card"), returns=True),
}
