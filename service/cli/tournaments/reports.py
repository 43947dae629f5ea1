"""Tournaments at the terminal: standings, rounds and figures as text, and as data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from events.table.facts import BOT_PREFIX
from rules.codec import encode
from tournaments.points import shown_points
from tournaments.standings import Row
from tournaments.tournament import Tournament


def standings_text(tournament: Tournament, rows: Sequence[Row] | None = None) -> Iterator[str]:
    """A line for the tie-breaks, and one for each player."""
    ranked = tournament.standings() if rows is None else rows
    names = [name for name in tournament.options.standings_list if name != "LOT"]
    table = [["", "player", *names]]
    for row in ranked:
        table.append([f"{row.place}.", shown_player(tournament, row.player), *row.shown[: len(names)]])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        place, player, *values = (text.rjust(width) for text, width in zip(line, widths, strict=True))
        yield "  ".join([place, player.strip().ljust(widths[1]), *values]).rstrip()


def shown_player(tournament: Tournament, player: str) -> str:
    """A bot of the service by its name and number; an account by its id."""
    return tournament.participants[player].account.removeprefix(BOT_PREFIX).replace(":", " ")


def summary(tournament: Tournament) -> dict[str, Any]:
    """What a program may want to know. The same seed of a simulation gives the same."""
    return {
        "tournament": tournament.id,
        "title": tournament.options.title,
        "status": tournament.status,
        "is_paused": tournament.is_paused,
        "players": len(tournament.participants),
        "version": tournament.version,
        "rounds": [_round(tournament, number) for number in range(1, len(tournament.rounds) + 1)],
        "standings": [
            {"place": row.place, "player": row.player, "points": shown_points(row.points), "values": list(row.shown)}
            for row in tournament.standings()
        ],
        "digest": digest(tournament),
    }


def _round(tournament: Tournament, number: int) -> dict[str, Any]:
    paired = tournament.round(number)
    certificate = paired.certificate
    return {
        "round": number,
        "is_closed": bool(paired.closed_at),
        "repeats": certificate.repeats,
        "least_repeats": certificate.least_repeats,
        "tables": [
            {
                "players": list(table.players),
                "game": paired.games.get(index),
                "places": list(table.result.places) if table.result else None,
                "victory_points": list(table.result.victory_points) if table.result else None,
            }
            for index, table in enumerate(paired.round.tables)
        ],
        "unpaired": dict(paired.round.unpaired),
    }


def digest(tournament: Tournament) -> str:
    """Of all pairings, results and standings: two runs of a simulation are the same if it is."""
    rounds = [paired.round for paired in tournament.rounds]
    return sha256(encode([rounds, [(row.place, row.player, row.points) for row in tournament.standings()]])).hexdigest()


def figures(tournament: Tournament) -> Iterator[str]:
    """How far it is, in some lines."""
    options = tournament.options
    planned = sum(stage.rounds for stage in options.stages)
    paused = ", paused" if tournament.is_paused else ""
    yield f"{options.title} ({tournament.id}): {tournament.status}{paused}"
    count, published = len(tournament.participants), len(tournament.rounds)
    yield f"{count} players at tables of {options.size}; {published} of {planned} rounds"
    if current := tournament.current:
        tables = len(current.round.tables)
        state = "is under way" if current.started_at else "is published"
        yield f"round {current.number} {state}: {tables - len(current.open_tables)} of {tables} tables are done"
    elif tournament.proposal:
        yield f"round {tournament.proposal.number} is proposed"
    if tournament.rulings:
        yield f"{len(tournament.rulings)} rulings"
