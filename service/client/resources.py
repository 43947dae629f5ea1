"""The resources of the service, as values. Fields that a newer service adds are ignored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

Fact = Mapping[str, Any]
"""Something that happened: its name under `fact`, and the numbers."""

OVER, ABORTED = "over", "aborted"


class Resource:
    """A value that is read from JSON by the names of its fields."""

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Self:
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        return cls(**{name: payload[name] for name in names if name in payload})


@dataclass(frozen=True)
class Account(Resource):
    id: str
    handle: str
    role: str = "player"
    bot: bool = False


@dataclass(frozen=True)
class Seat(Resource):
    seat: str
    player: Mapping[str, Any] | None = None
    """Its id, handle, and whether it is a `bot`."""
    nonce: bool = False
    forfeited: str | None = None


@dataclass(frozen=True)
class Game(Resource):
    id: str
    rules: str
    players: int
    status: str
    version: int
    seats: Sequence[Seat]
    mine: str | None = None
    """Your seat."""
    waiting: Sequence[str] = ()
    """The seats that are asked now."""
    owner: str | None = None
    game: str = ""
    expansions: Sequence[str] = ()
    options: Mapping[str, Any] | None = None
    visibility: str = "public"
    commitment: str = ""
    head: str = ""
    scores: Mapping[str, int] | None = None
    places: Mapping[str, int] | None = None
    created_at: Any = None
    time: Mapping[str, Any] | None = None
    """The time control that was agreed on."""
    clock: Any = None
    """The time of every seat, while clocks run."""
    may_resign: bool = True
    may_take_back: bool = True
    take_back: Sequence[str] = ()
    """The seats that want the last move of the first of them to be taken back."""
    tournament: Mapping[str, Any] | None = None
    """The `tournament` that the table belongs to, with its `round` and `table` there."""

    @property
    def is_over(self) -> bool:
        return self.status in (OVER, ABORTED)

    @property
    def free_seats(self) -> list[str]:
        return [seat.seat for seat in self.seats if not seat.player]

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Self:
        return super().from_json({**payload, "seats": [Seat.from_json(seat) for seat in payload["seats"]]})


@dataclass(frozen=True)
class Decision(Resource):
    """A question that waits for you. `schema` tells every answer it accepts, `example` is one of them."""

    id: str
    kind: str
    seat: str
    text: str
    schema: Mapping[str, Any]
    example: Mapping[str, Any]
    default: Mapping[str, Any] | None = None
    at_once: int = 1


@dataclass(frozen=True)
class Decisions(Resource, Sequence[Decision]):
    """The questions that wait for you, as a sequence, and the seats that are asked."""

    version: int
    waiting: Sequence[str]
    decisions: Sequence[Decision]

    def __len__(self) -> int:
        return len(self.decisions)

    def __getitem__(self, index: Any) -> Any:
        return self.decisions[index]

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Self:
        return super().from_json(
            {**payload, "decisions": [Decision.from_json(decision) for decision in payload["decisions"]]}
        )


@dataclass(frozen=True)
class Accepted(Resource):
    """Your answer was accepted: the facts that followed, and the seats that are asked next."""

    version: int
    facts: Sequence[Fact]
    story: Sequence[str] = ()
    waiting: Sequence[str] = ()
    status: str = ""
    hash: str = ""


@dataclass(frozen=True)
class Preview(Resource):
    """The facts that an answer would bring, as far as nothing hidden decides them; or the reason why it is refused."""

    accepted: bool
    facts: Sequence[Fact] = ()
    story: Sequence[str] = ()
    refusal: str | None = None
    rule: str | None = None


@dataclass(frozen=True)
class Position(Resource):
    """The position as a viewer may see it."""

    version: int
    viewer: str
    state: Mapping[str, Any] | None
    """Nothing before the game begins."""
    waiting: Sequence[str] = ()
    status: str = ""


@dataclass(frozen=True)
class GameWithPosition(Resource):
    """A table, and its position as you may see it."""

    game: Game
    position: Position

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Self:
        return cls(Game.from_json(payload["game"]), Position.from_json(payload["position"]))


@dataclass(frozen=True)
class Commit(Resource):
    """One accepted command, as you may see it."""

    version: int
    facts: Sequence[Fact]
    at: Any = None
    by: Any = None
    decision: str | None = None
    story: Sequence[str] = ()
    hash: str = ""


@dataclass(frozen=True)
class Notice(Resource):
    """Something that has happened in a game of yours, or to a webhook of yours."""

    id: int
    kind: str
    text: str
    at: Any = None
    game: str | None = None
    version: int | None = None
    seat: str | None = None
    bot: bool = False
    webhook: str | None = None


@dataclass(frozen=True)
class Letter(Resource):
    """A letter that has not arrived, and why."""

    number: int
    about: str
    notices: Sequence[int] = ()
    created_at: Any = None
    attempts: int = 0
    next_at: Any = None
    status: int | None = None
    error: str | None = None


@dataclass(frozen=True)
class Mail(Resource):
    """Your mail address and choices, which nobody else sees."""

    available: bool
    """Whether the service sends mail at all."""
    address: str | None = None
    """The confirmed address."""
    pending: str | None = None
    """An address that is not confirmed yet."""
    choices: Sequence[str] = ()
    digest: str = "soon"
    language: str = "en"
    waiting: Sequence[Letter] = ()
    parked: Sequence[Letter] = ()
    """Letters that the mail server has not taken: `retry_mail` writes them anew."""

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Self:
        letters = {name: [Letter.from_json(letter) for letter in payload[name]] for name in ("waiting", "parked")}
        return super().from_json({**payload, **letters})
