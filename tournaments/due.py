"""What is due in a tournament at some moment: commands for the service, and questions to games. Data, and pure.

A command that was given already follows from nothing any more: asking twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from tournaments.commands import (
    SERVICE,
    CancelTournament,
    CloseRound,
    EndSeatRequest,
    FinishTournament,
    ProposeRound,
    PublishRound,
    RemindPlayers,
    StartRound,
    StartTournament,
    TournamentCommand,
)
from tournaments.options import BY_HAND, DATES, INTERVAL, WHEN_DONE
from tournaments.tournament import FINISHED, OPEN, RUNNING, PairedRound, Tournament

CREATE_GAME, NO_SHOW, ROUND_LIMIT = "create_game", "no_show", "round_limit"
"""Of a table: it needs its game; did everybody come? The time of the round is over."""

PATIENCE_MS = 3600 * 1000
"""So long a tournament waits for enough players, at its start and between its rounds, before it ends."""
TOO_FEW = "too few players"


class Due(Struct, frozen=True):
    """Something that should happen from some moment on."""

    at: int
    command: TournamentCommand | None = None
    question: str = ""
    """To be put to the game of a table, if there is no command yet."""
    round: int = 0
    table: int = -1


def due(tournament: Tournament, now: int) -> tuple[Due, ...]:
    """All that is due now, the earliest first."""
    return tuple(sorted((each for each in coming(tournament) if each.at <= now), key=lambda each: each.at))


def next_at(tournament: Tournament) -> int:
    """When something is due next; 0: nothing is by itself."""
    return min((each.at for each in coming(tournament)), default=0)


def coming(tournament: Tournament) -> Iterator[Due]:
    """Everything that will be due, if nothing else happens."""
    if tournament.status == OPEN:
        yield from _start(tournament)
    elif tournament.status == RUNNING and not tournament.is_paused:
        if current := tournament.current:
            yield from _round(tournament, current)
        elif tournament.proposal:
            if tournament.options.schedule.rule != BY_HAND:
                at = tournament.proposal.proposed_at + tournament.options.schedule.review_ms
                yield Due(at, PublishRound(SERVICE))
        else:
            yield from _next_round(tournament)
        yield from _reopened(tournament)
        yield from _unanswered(tournament)
    elif tournament.status == FINISHED:
        yield from _reopened(tournament)
        yield from _unanswered(tournament)


def _start(tournament: Tournament) -> Iterator[Due]:
    schedule = tournament.options.schedule
    if not schedule.starts_at:
        return
    there = [p for p in tournament.participants.values() if p.is_checked_in or not schedule.check_in_ms]
    if len(there) >= tournament.options.fewest:
        yield Due(schedule.starts_at, StartTournament(SERVICE))
    else:
        yield Due(schedule.starts_at + PATIENCE_MS, CancelTournament(SERVICE, TOO_FEW))


def _next_round(tournament: Tournament) -> Iterator[Due]:
    schedule, last = tournament.options.schedule, tournament.rounds[-1] if tournament.rounds else None
    closed_at = last.closed_at if last else tournament.at
    if tournament.reopened and (tournament.is_over or schedule.rule == WHEN_DONE):
        return
    if tournament.is_over:
        yield Due(closed_at, FinishTournament(SERVICE))
        return
    if schedule.rule == BY_HAND:
        return
    if tournament.is_too_small:
        # The staff hears that no round can be drawn, and has some time to bring players back.
        ended = FinishTournament(SERVICE) if last else CancelTournament(SERVICE, TOO_FEW)
        yield Due(tournament.at + PATIENCE_MS, ended)
    if schedule.rule == WHEN_DONE:
        yield Due(closed_at + (schedule.interval_ms if last else 0), ProposeRound(SERVICE))
    elif schedule.rule == INTERVAL:
        yield Due(
            max(closed_at, _lead(tournament, last.started_at + schedule.interval_ms)) if last else closed_at,
            ProposeRound(SERVICE),
        )
    elif schedule.rule == DATES and len(tournament.rounds) < len(schedule.dates):
        yield Due(max(closed_at, _lead(tournament, schedule.dates[len(tournament.rounds)])), ProposeRound(SERVICE))


def _lead(tournament: Tournament, starts_at: int) -> int:
    """When a round is drawn that is to start at this moment."""
    return starts_at - tournament.options.schedule.notice_ms - tournament.options.schedule.review_ms


def _reopened(tournament: Tournament) -> Iterator[Due]:
    """Tables of closed rounds that play again by a ruling need their games, too."""
    for paired, table in tournament.reopened:
        if table not in paired.games:
            yield Due(paired.closed_at, question=CREATE_GAME, round=paired.number, table=table)


def _unanswered(tournament: Tournament) -> Iterator[Due]:
    for player, request in tournament.asked.items():
        yield Due(request.until, EndSeatRequest(SERVICE, player))


def _round(tournament: Tournament, current: PairedRound) -> Iterator[Due]:
    schedule, number = tournament.options.schedule, current.number
    if not current.started_at:
        if schedule.rule != BY_HAND:
            yield Due(current.starts_at, StartRound(SERVICE))
        return
    if not current.open_tables:
        yield Due(tournament.at, CloseRound(SERVICE))
        return
    for table in current.open_tables:
        if table not in current.games:
            yield Due(current.started_at, question=CREATE_GAME, round=number, table=table)
        else:
            if schedule.no_show_ms:
                yield Due(current.started_at + schedule.no_show_ms, question=NO_SHOW, round=number, table=table)
            if schedule.limit_ms:
                yield Due(current.started_at + schedule.limit_ms, question=ROUND_LIMIT, round=number, table=table)
    if schedule.limit_ms and schedule.remind_ms and not current.is_reminded:
        yield Due(current.started_at + schedule.limit_ms - schedule.remind_ms, RemindPlayers(SERVICE))
