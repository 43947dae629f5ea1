"""The rules of the base game, put together."""

from rules.el_grande.board import holders_of_vetoes, where_the_king_stands
from rules.el_grande.cards import CARDS, POWER_CARDS
from rules.el_grande.commands import COMMANDS
from rules.el_grande.extension import Rules, register
from rules.el_grande.facts import FACTS, KingMoved
from rules.el_grande.invariants import INVARIANTS, every_turn_is_taken_and_everything_scored
from rules.el_grande.names import names
from rules.el_grande.regions import CASTILLO_POINTS, REGIONS, SCOREBOARDS
from rules.el_grande.scoring import grande_bonus, king_bonus
from rules.el_grande.steps import general, hostile, intrigue, rounds, royal, scorings, special, turns
from rules.el_grande.story import SENTENCES

STEPS = (
    rounds.BeginRound,
    rounds.Bid,
    rounds.OrderTurns,
    rounds.NextTurn,
    rounds.EndRound,
    rounds.EndGame,
    turns.DrawCaballeros,
    turns.TakeActionCard,
    turns.UseCard,
    turns.LayCardAside,
    special.SpecialAction,
    intrigue.MoveCaballeros,
    intrigue.PlaceExtra,
    intrigue.SendHomeOneEach,
    hostile.EmptyCourts,
    hostile.PayTheKing,
    hostile.WithdrawSecretly,
    hostile.Expel,
    royal.MoveKing,
    royal.MoveGrande,
    royal.MoveScoreboard,
    royal.RecoverPowerCard,
    royal.DrawToCourt,
    royal.TakeVeto,
    scorings.ScoreWorth,
    scorings.ScoreMostCrowded,
    scorings.ScoreLeastCrowded,
    scorings.ScoreOpenCastillo,
    scorings.ScoreFirstPlaces,
    scorings.ScoreChosen,
    scorings.ScoreSecretly,
    general.SetScoringDisks,
    general.ScoreCastillo,
    general.ReleaseCastillo,
    general.ScoreRegions,
)

DECISIONS = (
    "power",
    "draw",
    "choose_card",
    "menu",
    "step",
    "veto",
    "return",
    "disk_remove_two",
    "disk_remove_all",
    "disk_expulsion",
    "disk_scoring",
    "disk_general",
)

BASE = Rules(
    name="el_grande",
    regions=REGIONS,
    castillo_points=CASTILLO_POINTS,
    scoreboards=SCOREBOARDS,
    cards=CARDS,
    power_cards=POWER_CARDS,
    rounds={"full": (1, 2, 3, 4, 5, 6, 7, 8, 9), "short": (2, 3, 5, 6, 8, 9)},
    scoring_rounds=(3, 6, 9),
    ranks={2: 1, 3: 2, 4: 3, 5: 3},
    pieces={"home": 2, "court": 7, "province": 21},
    setup=(),
    turn=(turns.DrawCaballeros, turns.TakeActionCard),
    parts={"place": turns.Placement(), "special": turns.SpecialPart()},
    general_scoring=(
        general.SetScoringDisks,
        general.ScoreCastillo,
        general.ReleaseCastillo,
        general.ScoreRegions,
    ),
    consequences=(),
    decisions=DECISIONS,
    interruptions=("veto",),
    always_asked=("disk_general", "veto"),
    nothing_sealed=("power", "draw", "choose_card", "menu"),
    finishing=("end_turn", "stop"),
    king_region=where_the_king_stands,
    move_king=lambda board, region: KingMoved(region),
    veto_holders=holders_of_vetoes,
    arrival=lambda board, key, target: target,
    strength=(),
    bonuses=(king_bonus, grande_bonus),
    facts=FACTS,
    steps=STEPS,
    commands=COMMANDS,
    upcasters={},
    sentences=SENTENCES,
    untold=("power_card_piled", "power_cards_dealt", "stacks_shuffled", "turn_ended", "seal_dropped"),
    names=names(CARDS, SCOREBOARDS),
    signs={},
    invariants=INVARIANTS,
    course=every_turn_is_taken_and_everything_scored,
)

register(BASE)
