"""The rules of El Caballero, put together."""

from rules.el_caballero import commands
from rules.el_caballero.board import ADVANCED, BASIC
from rules.el_caballero.commands import COMMANDS
from rules.el_caballero.extension import Mode, PowerCard, Rules, register
from rules.el_caballero.facts import FACTS
from rules.el_caballero.invariants import INVARIANTS, every_turn_is_taken_and_everything_scored
from rules.el_caballero.names import NAMES
from rules.el_caballero.steps import caballeros, castles, lords, rounds, sectors, ships, supply, turns
from rules.el_caballero.story import SENTENCES
from rules.el_caballero.tiles import TILES
from rules.kernel import Command

STEPS = (
    rounds.BeginRound,
    rounds.Bid,
    rounds.OrderTurns,
    rounds.NextTurn,
    rounds.EndRound,
    rounds.ScoreRegions,
    rounds.EndGame,
    turns.TakeTurn,
)

ACTIONS = (
    supply.Supply(),
    sectors.PlaceSector(),
    caballeros.Placement(),
    caballeros.Increase(),
    ships.Buy(),
    ships.Deploy(),
    ships.Move(),
    castles.Build(),
    castles.Move(),
    lords.Govern(),
    lords.Ennoble(),
    lords.MoveLord(),
    ships.TakeBack(),
    caballeros.Return(),
)

DECISIONS: dict[str, tuple[type[Command], ...]] = {
    "power": (commands.PlayPowerCard,),
    "turn": tuple(command for command in COMMANDS if command is not commands.PlayPowerCard),
}

HEADS = (7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 0)
"""On the power cards 1 to 13."""

TWO_TILES = 9

BASE = Rules(
    name="el_caballero",
    tiles=TILES,
    power_cards={value: PowerCard(heads, 2 if value == TWO_TILES else 1) for value, heads in enumerate(HEADS, start=1)},
    modes={
        BASIC: Mode(rounds=7, scoring_rounds=(4, 7), cards=8, ships=12, castles=12),
        ADVANCED: Mode(rounds=10, scoring_rounds=(4, 7, 10), cards=10, ships=16, castles=16, governors=5, grandes=1),
    },
    court=5,
    visible=5,
    costs={
        "buy_ship": 2,
        "deploy_ship": 1,
        "move_ship": 1,
        "build_castle": 1,
        "move_castle": 1,
        "place_governor": 1,
        "place_grande": 2,
        "move_grande": 1,
    },
    limits={"supply": 1, "caballeros": 2, "ships": 2, "castles": 2, "grande": 1},
    actions={action.kind: action for action in ACTIONS},
    decisions=DECISIONS,
    interruptions=(),
    always_asked=(),
    nothing_sealed=("power", "turn"),
    finishing=("end_turn",),
    rare=("return_caballero", "return_ship"),
    facts=FACTS,
    steps=STEPS,
    commands=COMMANDS,
    upcasters={},
    sentences=SENTENCES,
    untold=("table_laid", "stack_shuffled", "turn_ended"),
    names=NAMES,
    invariants=INVARIANTS,
    course=every_turn_is_taken_and_everything_scored,
)

register(BASE)
