"""What a player can say in El Caballero. A cell is `x,y`; a place for a ship is a cell and a direction."""

from msgspec import UNSET, UnsetType, field

from rules.kernel import Command


class PlayPowerCard(Command, frozen=True, tag="play_power_card"):
    value: int


class TakeSupply(Command, frozen=True, tag="take_supply"):
    """Bring Caballeros to court."""

    amount: int


class PlaceTile(Command, frozen=True, tag="place_tile"):
    tile: int
    at: str
    rotation: int


class PlaceCaballero(Command, frozen=True, tag="place_caballero"):
    """Lay a Caballero card; on several land sides only with the Grande: `place` it from the court, or `move` it."""

    at: str
    face: str
    rotation: int
    grande: str | UnsetType = UNSET


class IncreaseCaballero(Command, frozen=True, tag="increase_caballero"):
    """Turn or flip a card so that it shows more Caballeros to its land."""

    at: str
    value: int


class BuyShip(Command, frozen=True, tag="buy_ship"):
    at: str
    direction: int = field(name="dir")


class DeployShip(Command, frozen=True, tag="deploy_ship"):
    """Put a ship of the court on the map."""

    at: str
    direction: int = field(name="dir")


class MoveShip(Command, frozen=True, tag="move_ship"):
    source: str = field(name="from")
    source_direction: int = field(name="from_dir")
    at: str
    direction: int = field(name="dir")


class ReturnShip(Command, frozen=True, tag="return_ship"):
    """Take a ship back into the court."""

    at: str
    direction: int = field(name="dir")


class BuildCastle(Command, frozen=True, tag="build_castle"):
    at: str


class MoveCastle(Command, frozen=True, tag="move_castle"):
    source: str = field(name="from")
    at: str


class ReturnCaballero(Command, frozen=True, tag="return_caballero"):
    """Take a card off the map."""

    at: str


class PlaceGovernor(Command, frozen=True, tag="place_governor"):
    """Any side of the closed region names it."""

    at: str
    direction: int = field(name="dir")


class PlaceGrande(Command, frozen=True, tag="place_grande"):
    at: str


class MoveGrande(Command, frozen=True, tag="move_grande"):
    at: str


class EndTurn(Command, frozen=True, tag="end_turn"):
    """Nothing more in this turn."""


COMMANDS = (
    PlayPowerCard,
    TakeSupply,
    PlaceTile,
    PlaceCaballero,
    IncreaseCaballero,
    BuyShip,
    DeployShip,
    MoveShip,
    ReturnShip,
    BuildCastle,
    MoveCastle,
    ReturnCaballero,
    PlaceGovernor,
    PlaceGrande,
    MoveGrande,
    EndTurn,
)
