"""What a player can say in El Grande."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, UnsetType, field

from rules.kernel import Command
from rules.texts import Value

SpaceCounts = dict[str, int]


class SecretCommand(Command, frozen=True):
    """A command of an expansion that can be sealed: it says itself in words."""

    def in_words(self) -> Value:
        raise AssertionError(f"{type(self).__name__} does not say itself in words")


class PlayPowerCard(Command, frozen=True, tag="play_power_card"):
    value: int


class Draw(Command, frozen=True, tag="draw"):
    from_province: int = 0
    from_regions: SpaceCounts = {}


class ChooseActionCard(Command, frozen=True, tag="choose_action_card"):
    stack: int


class Place(Command, frozen=True, tag="place"):
    to: SpaceCounts


class Special(Command, frozen=True, tag="special"):
    """Begin the special action of the card taken; which fields it needs depends on the card."""

    use: str | UnsetType = UNSET
    mode: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    space: str | UnsetType = UNSET
    board: str | UnsetType = UNSET
    to: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    value: int | UnsetType = UNSET
    from_regions: SpaceCounts | UnsetType = UNSET
    player: str | UnsetType = UNSET
    character: str | UnsetType = UNSET
    pardon: str | UnsetType = UNSET
    stack: int | UnsetType = UNSET
    when: str | UnsetType = UNSET
    regions: tuple[str, ...] | UnsetType = UNSET
    own: SpaceCounts | UnsetType = UNSET
    others: SpaceCounts | UnsetType = UNSET
    card: str | UnsetType = UNSET
    pieces: SpaceCounts | UnsetType = UNSET

    def choices(self) -> Mapping[str, Any]:
        """The fields that were given."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not UNSET}


class EndTurn(Command, frozen=True, tag="end_turn"):
    """Leave the rest of the card undone."""


class TakeStep(Command, frozen=True, tag="step"):
    """One piece of a stepwise special action."""

    owner: str | UnsetType = UNSET
    source: str | UnsetType = field(name="from", default=UNSET)
    target: str | UnsetType = field(name="to", default=UNSET)


class Stop(Command, frozen=True, tag="stop"):
    """No more steps of this special action."""


class Several(Command, frozen=True, tag="several"):
    """Steps sent together: checked as a whole, announced one by one."""

    steps: tuple[TakeStep, ...]


class VetoResponse(Command, frozen=True, tag="veto_response"):
    answer: str


class Return(Command, frozen=True, tag="return"):
    from_court: int = 0
    from_regions: SpaceCounts = {}


class SetDisk(Command, frozen=True, tag="set_disk"):
    region: str


COMMANDS = (
    PlayPowerCard,
    Draw,
    ChooseActionCard,
    Place,
    Special,
    EndTurn,
    TakeStep,
    Stop,
    Several,
    VetoResponse,
    Return,
    SetDisk,
)
