"""Hostile and mistaken commands are refused with the rule in a sentence, and change nothing."""

import pytest

from rules.el_caballero.commands import (
    BuildCastle,
    BuyShip,
    DeployShip,
    IncreaseCaballero,
    MoveCastle,
    MoveGrande,
    MoveShip,
    PlaceCaballero,
    PlaceGovernor,
    PlaceGrande,
    PlaceTile,
    PlayPowerCard,
    ReturnCaballero,
    ReturnShip,
    TakeSupply,
)
from tests.rules.el_caballero.table import turn

POSITION = (
    "tiles: 0,0=4 1,0=5; cards red: 0,1=low0+ship0 0,-1=low2; cards blue: 2,0=low0+ship3+castle; "
    "court red: 9; visible: 6 46"
)
NO_CELLS = ("", "a", "1", "1,", ",", "1,1,1", "01,1", "1.0,1", "+1,0", "-0,0", " 0,2", "٣,٣", "9" * 40 + ",0", "0,1000")


@pytest.fixture
def table():
    return turn(POSITION, power=1, mode="advanced")


@pytest.mark.parametrize("at", NO_CELLS)
@pytest.mark.parametrize(
    "make",
    [
        lambda at: PlaceTile(6, at, 0),
        lambda at: PlaceCaballero(at, "low", 0),
        lambda at: IncreaseCaballero(at, 5),
        lambda at: BuyShip(at, 0),
        lambda at: ReturnShip(at, 0),
        lambda at: MoveShip("0,1", 0, at, 0),
        lambda at: MoveShip(at, 0, "0,1", 0),
        lambda at: BuildCastle(at),
        lambda at: MoveCastle("0,1", at),
        lambda at: ReturnCaballero(at),
        lambda at: PlaceGovernor(at, 0),
        lambda at: PlaceGrande(at),
    ],
)
def test_what_is_no_cell_is_refused_and_not_repeated(table, make, at):
    refusal = table.refusal("red", make(at))
    assert refusal.rule in ("cell", "castles")
    assert len(refusal.sentence) < 120


@pytest.mark.parametrize(
    ("command", "rule", "sentence"),
    [
        (PlaceTile(5, "0,2", 0), "tile", "tile 5 does not lie face up"),
        (PlaceTile(-1, "0,2", 0), "tile", "tile -1 does not lie face up"),
        (PlaceTile(10**18, "0,2", 0), "tile", "tile 1000000000000000000 does not lie face up"),
        (PlaceTile(6, "1,-1", 4), "rotation", "a rotation is a number of quarter turns from 0 to 3"),
        (PlaceTile(6, "1,-1", -1), "rotation", "a rotation is a number of quarter turns from 0 to 3"),
        (PlaceTile(6, "0,0", 0), "cell", "something lies at 0,0 already: choose an empty cell"),
        (PlaceTile(6, "2,0", 0), "cell", "something lies at 2,0 already: choose an empty cell"),
        (PlaceTile(6, "1,-1", 0), "match", "land meets land, and sea meets sea: the tile does not fit so at 1,-1"),
        (PlaceTile(6, "999,-999", 0), "tiers", "999,-999 is beside no sector tile, and a tile fits beside one"),
        (PlaceCaballero("1,-1", "middle", 0), "face", "a card lies with its low or its high face up"),
        (PlaceCaballero("1,-1", "low", 7), "rotation", "a rotation is a number of quarter turns from 0 to 3"),
        (PlaceCaballero("0,0", "low", 0), "cell", "something lies at 0,0 already: choose an empty cell"),
        (PlaceCaballero("9,9", "low", 0), "cell", "9,9 is beside no sector tile"),
        (PlaceCaballero("1,1", "high", 0), "only_sea", "a card that borders only sea shows its low face"),
        (
            PlaceCaballero("1,-1", "low", 0, "place"),
            "grande",
            "the Grande comes with a card only where it meets land on several sides",
        ),
        (PlaceCaballero("1,-1", "low", 0, "steal"), "grande", "the Grande comes by place or by move"),
        (IncreaseCaballero("2,0", 8), "own_card", "the card at 2,0 belongs to blue"),
        (IncreaseCaballero("5,5", 8), "own_card", "no Caballero card lies at 5,5"),
        (IncreaseCaballero("0,-1", 1), "increase", "the card shows 1: increase it to a higher number, at most 8"),
        (IncreaseCaballero("0,-1", 9), "increase", "the card shows 1: increase it to a higher number, at most 8"),
        (BuyShip("2,0", 0), "own_card", "the card at 2,0 belongs to blue"),
        (BuyShip("0,1", 9), "direction", "a direction is 0 (north), 1 (east), 2 (south) or 3 (west)"),
        (BuyShip("0,1", 0), "slot", "a ship lies there already"),
        (BuyShip("0,1", 2), "slot", "the card at 0,1 meets no sea on that side"),
        (BuyShip("0,-1", 2), "slot", "the card at 0,-1 meets no sea on that side"),
        (BuyShip("0,0", 1), "slot", "no governor of yours stands there"),
        (DeployShip("0,1", 1), "ships", "there is no ship in your court"),
        (ReturnShip("2,0", 3), "own_card", "the card at 2,0 belongs to blue"),
        (ReturnShip("0,1", 1), "slot", "no ship of yours lies there"),
        (MoveShip("2,0", 3, "0,1", 1), "own_card", "the card at 2,0 belongs to blue"),
        (BuildCastle("2,0"), "own_card", "the card at 2,0 belongs to blue"),
        (MoveCastle("2,0", "0,1"), "own_card", "the card at 2,0 belongs to blue"),
        (MoveCastle("0,1", "0,-1"), "castles", "no castle stands at 0,1"),
        (ReturnCaballero("2,0"), "own_card", "the card at 2,0 belongs to blue"),
        (PlaceGovernor("0,0", 0), "governor", "that region is not closed: one of its sides meets no tile"),
        (PlaceGovernor("7,7", 0), "governor", "no sector tile lies at 7,7"),
        (PlaceGrande("2,0"), "own_card", "the card at 2,0 belongs to blue"),
        (MoveGrande("0,1"), "grande", "your Grande is in court: place it"),
        (TakeSupply(0), "supply", "take at least one Caballero, or leave it out"),
        (TakeSupply(-5), "supply", "take at least one Caballero, or leave it out"),
        (TakeSupply(8), "supply", "your power card brings at most 7 Caballeros"),
        (PlayPowerCard(1), "decision", "take an action of your turn, or end it"),
    ],
)
def test_a_mistake_is_refused_with_its_rule(table, command, rule, sentence):
    refusal = table.refusal("red", command)
    assert (refusal.rule, refusal.sentence) == (rule, sentence)


@pytest.mark.parametrize("line", ["governor 0,0 E", "grande 0,1", "move_grande 0,1"])
def test_governors_and_grandes_belong_to_the_advanced_game(line):
    game = turn(POSITION.replace("+grande", ""), power=1)
    assert game.refuses(f"red {line}") == "advanced"
    assert game.refuses("red card 1,-1 low r0 place") == "grande"


def test_what_cannot_be_paid_is_refused():
    game = turn("tiles: 0,0=4; cards red: 1,0=low0; court red: 1; visible: 5")
    refusal = game.refusal("red", BuyShip("1,0", 3))
    assert (refusal.rule, refusal.sentence) == ("cost", "that costs 2, and there is 1 caballero in your court")


def test_an_empty_supply_sells_nothing():
    game = turn("tiles: 0,0=4; cards red: 1,0=low0; court red: 9; visible: 5; ships 0; castles 0")
    assert game.refuses("red ship 1,0 W") == "ships"
    assert game.refuses("red castle 1,0") == "castles"
    assert not {"buy_ship", "build_castle"} & game.offered()
