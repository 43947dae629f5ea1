"""What is published of a tournament: its players, rounds and points, and the certificate of every round, as JSON.

`docs/verify_rounds.py` checks such a file without any code of ours, and derives the seed of every round from the
secret, once the tournament is over.
"""

from __future__ import annotations

from msgspec import Struct

from tournaments.certificate import Certificate
from tournaments.history import History, canonical
from tournaments.tournament import Tournament

FORMAT = 1


class PublishedRound(Struct, frozen=True):
    """What a file tells of a round beside its tables."""

    number: int
    """In the whole tournament."""
    attempt: int
    """How often the round was drawn: the seed depends on it."""
    certificate: Certificate
    is_outdated: bool
    """Whether a ruling has changed what the round was drawn from, so that its certificate is about other results."""


class PublishedStage(Struct, frozen=True):
    history: History
    rounds: tuple[PublishedRound, ...]


class Publication(Struct, frozen=True):
    id: str
    title: str
    commitment: str
    stages: tuple[PublishedStage, ...]
    secret: str = ""
    """In hexadecimal digits, once the tournament is over."""
    format: int = FORMAT


def publication(tournament: Tournament, secret: bytes = b"") -> bytes:
    """The file. The secret is told by the last fact of a tournament that is over."""
    stages = tuple(_stage(tournament, stage) for stage in range(tournament.stage + 1))
    title = tournament.options.title
    return canonical(Publication(tournament.id, title, tournament.commitment, stages, secret.hex()))


def _stage(tournament: Tournament, stage: int) -> PublishedStage:
    rounds = tuple(
        PublishedRound(paired.number, paired.attempt, paired.certificate, tournament.is_outdated(paired))
        for paired in tournament.rounds_of(stage)
    )
    return PublishedStage(tournament.history(stage, closed_only=False), rounds)
