"""Players who sit out because tables do not seat everybody: nobody twice while another has not, the lowest first."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tournaments.pairing.entrants import Entrant, Field


def sitting_out(field: Field, count: int) -> tuple[Entrant, ...]:
    """So many players of a field that is in pairing order. A win without a game counts as a bye."""
    byes, odd = field.encounters.byes, field.encounters.odd

    def claim(numbered: tuple[int, Entrant]) -> tuple[int, int, int, int]:
        number, entrant = numbered
        return byes.get(entrant.id, 0), entrant.score, odd.get(entrant.id, 0), -number

    chosen = sorted(enumerate(field.entrants), key=claim)[:count]
    return tuple(entrant for _, entrant in chosen)


def without(field: Field, others: Iterable[Entrant]) -> Field:
    gone = {entrant.id for entrant in others}
    return replace(field, entrants=tuple(entrant for entrant in field.entrants if entrant.id not in gone))
