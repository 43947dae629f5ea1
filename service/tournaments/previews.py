"""What a ruling would change, before it is made: points and places, rounds drawn from others, steps taken back."""

from __future__ import annotations

from typing import Any

from rules.kernel import SPECTATOR
from service.games.representations import Profiles
from service.games.representations import event as commit_as_seen
from service.tournaments.tournament_representations import people
from service.tournaments.tournament_service import TournamentService
from tournaments.commands import RewindGame, TournamentCommand
from tournaments.points import shown_points
from tournaments.tournament import Tournament

MOST_SEEN = 200
"""So many sentences of a game that would be taken back are told."""


def previewed(
    service: TournamentService, tournament: str, command: TournamentCommand, profiles: Profiles
) -> dict[str, Any]:
    now, then = service.foreseen(tournament, command)
    return {
        "version": now.version,
        "changes": changes(service, now, then, profiles),
        "outdated": [paired.number for paired in then.rounds if then.is_outdated(paired)],
        "rewound": rewound(service, now, command) if isinstance(command, RewindGame) else None,
    }


def changes(service: TournamentService, now: Tournament, then: Tournament, profiles: Profiles) -> list[dict[str, Any]]:
    """Everybody whose place or points would be others."""
    before = {row.player: row for row in service.figures.standings(now)}
    changed = [
        (before[row.player], row)
        for row in then.standings()
        if (row.place, row.points) != (before[row.player].place, before[row.player].points)
    ]
    person = people([now.participants[row.player].account for _, row in changed], profiles)
    return [
        {
            "player": row.player,
            **person(now.participants[row.player].account),
            "place": was.place,
            "place_after": row.place,
            "points": shown_points(was.points),
            "points_after": shown_points(row.points),
        }
        for was, row in changed
    ]


def rewound(service: TournamentService, tournament: Tournament, command: RewindGame) -> dict[str, Any]:
    """What was to be seen in the game since the step that it would go on from."""
    game = service.games.load(tournament.round(command.round).games[command.table])
    last = min(game.version, command.version + MOST_SEEN)
    commits = service.games.commits(game.id, command.version, last)
    seen = [line for commit in commits for line in commit_as_seen(game.rules, commit, SPECTATOR)["story"]]
    return {"game": game.id, "version": command.version, "newest": game.version, "seen": seen[:MOST_SEEN]}
