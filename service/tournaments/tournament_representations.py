"""Tournaments as clients see them: everything about a tournament that leaves the service is made here.

Players see what is published; a proposed round, and standings that are hidden until the end, are for staff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from msgspec import to_builtins

from events.log.codec import Commit
from events.table.facts import BOT_PREFIX
from replay.story import Name
from rules.texts import Names, Text
from service.accounts.credentials import ACCOUNT
from service.games.representations import Profiles, time_control
from service.language import rendered
from tournaments.certificate import Certificate
from tournaments.crosstable import Line, crosstable
from tournaments.decider import tournament_facts
from tournaments.facts import ProposalDropped, RoundProposed, RulingMade, TablesPinned, TournamentFact
from tournaments.history import points_at
from tournaments.options import Options
from tournaments.points import shown_points
from tournaments.reasons import reasons
from tournaments.results import Table
from tournaments.standings import Row
from tournaments.tally import tally
from tournaments.tiebreaks import TIEBREAKS
from tournaments.tournament import ARBITER, FINISHED, ORGANISER, PairedRound, Participant, Ruling, Tournament

STAFF = (ORGANISER, ARBITER)
FOR_STAFF = (RoundProposed, ProposalDropped, TablesPinned)
"""Facts about a round that is not published."""

Person = dict[str, Any]
People = Callable[[str], Person]
"""An account as everybody sees it."""


def people(accounts: Iterable[str], profiles: Profiles) -> People:
    """The names of these accounts, looked up at once. A bot of the service has no account."""
    known = profiles({account for account in accounts if not account.startswith(BOT_PREFIX)})

    def person(account: str) -> Person:
        if account.startswith(BOT_PREFIX):
            return {"account": account, "handle": account.removeprefix(BOT_PREFIX).replace(":", " "), "bot": True}
        profile = known.get(account)
        return {"account": account, "handle": profile.handle if profile else None, "bot": bool(profile and profile.bot)}

    return person


def is_staff(tournament: Tournament, account: str | None) -> bool:
    return account is not None and tournament.role(account) in STAFF


def may_know_standings(tournament: Tournament, account: str | None) -> bool:
    hidden = tournament.options.hides_standings and tournament.status != FINISHED
    return not hidden or is_staff(tournament, account)


# The tournament


def listed(tournament: Tournament, profiles: Profiles) -> dict[str, Any]:
    """A tournament in a list."""
    person = people([tournament.owner], profiles)
    return {
        "id": tournament.id,
        "title": tournament.options.title,
        "game": tournament.options.game,
        "status": tournament.status,
        "is_paused": tournament.is_paused,
        "owner": person(tournament.owner),
        "visibility": tournament.options.visibility,
        "size": tournament.options.size,
        "players": len(tournament.participants),
        "round": len(tournament.rounds),
        "rounds": sum(stage.rounds for stage in tournament.options.stages),
        "starts_at": tournament.options.schedule.starts_at or None,
        "created_at": tournament.created_at,
        "version": tournament.version,
    }


def resource(tournament: Tournament, account: str | None, profiles: Profiles) -> dict[str, Any]:
    """A tournament, without its players and rounds."""
    role = tournament.role(account) if account else ""
    invited = list(tournament.invited) if role in STAFF else []
    asking = tournament.asked if role in STAFF else {}
    mine = tournament.asked_for(account) if account else ""
    person = people([tournament.owner, *tournament.staff, *invited, *asked_people(tournament)], profiles)
    return listed(tournament, profiles) | {
        "options": options(tournament.options),
        "staff": [person(member) | {"role": held} for member, held in tournament.staff.items()],
        "role": role or None,
        "you": _you(tournament, account),
        "is_invited": account in tournament.invited,
        "invited": [person(account) for account in invited],
        "asks_you": seat_request(tournament, mine, person) if mine else None,
        "asked": [seat_request(tournament, player, person) for player in asking],
        "stage": tournament.stage,
        "current": tournament.current.number if tournament.current else None,
        "has_proposal": bool(tournament.proposal) and role in STAFF,
        "announcements": list(tournament.announcements),
        "commitment": tournament.commitment,
        "lots": tournament.lots or None,
    }


def asked_people(tournament: Tournament) -> Iterable[str]:
    for player, request in tournament.asked.items():
        yield from (request.account, tournament.participants[player].account)


def seat_request(tournament: Tournament, player: str, person: People) -> dict[str, Any]:
    request = tournament.asked[player]
    return {
        "substitute": person(request.account),
        "player": person(tournament.participants[player].account),
        "until": request.until,
        "stops_clocks": bool(request.round),
    }


def options(agreed: Options) -> dict[str, Any]:
    """The agreement with every default in it."""
    shown: dict[str, Any] = {name: to_builtins(getattr(agreed, name)) for name in agreed.__struct_fields__}
    for name in ("schedule", "entry", "points"):
        part = getattr(agreed, name)
        shown[name] = {field: to_builtins(getattr(part, field)) for field in part.__struct_fields__}
    shown["stages"] = [
        {field: to_builtins(getattr(stage, field)) for field in stage.__struct_fields__} for stage in agreed.stages
    ]
    time = time_control(agreed.time) if agreed.time else None
    return shown | {"time": time, "tiebreaks": list(agreed.standings_list)}


def _you(tournament: Tournament, account: str | None) -> dict[str, Any] | None:
    """The reader as a player: where they sit now."""
    player = tournament.player_of(account) if account else ""
    if not player:
        return None
    participant, current = tournament.participants[player], tournament.current
    seat = _place_at_table(current, player) if current else None
    return {
        "player": player,
        "is_checked_in": participant.is_checked_in,
        "is_withdrawn": participant.is_withdrawn,
        "table": seat,
        "game": current.games.get(seat) if current and seat is not None else None,
    }


def _place_at_table(paired: PairedRound, player: str) -> int | None:
    found = (number for number, table in enumerate(paired.round.tables) if player in table.players)
    return next(found, None)


# Players


def players(
    tournament: Tournament, profiles: Profiles, some: Sequence[Participant] | None = None
) -> list[dict[str, Any]]:
    """All players, or some of them."""
    shown = list(tournament.participants.values()) if some is None else some
    person = people([each.account for each in shown], profiles)
    return [participant(each, person) for each in shown]


def participant(player: Participant, person: People) -> dict[str, Any]:
    return {
        "id": player.id,
        **person(player.account),
        "number": player.number or None,
        "rating": player.rating or None,
        "team": player.team or None,
        "entered": player.entered,
        "is_checked_in": player.is_checked_in,
        "is_withdrawn": player.is_withdrawn,
        "absences": player.absences,
        "warnings": player.warnings,
        "byes": {str(round): kind for round, kind in player.byes.items()},
    }


# Rounds


def round_of(
    tournament: Tournament,
    paired: PairedRound,
    profiles: Profiles,
    some: Sequence[int] | None = None,
    *,
    is_outdated: bool | None = None,
) -> dict[str, Any]:
    """A round with its tables, or some of them, who sits out, and how good it is."""
    numbers = range(len(paired.round.tables)) if some is None else some
    shown = shown_at(tournament, paired, numbers, profiles)
    if is_outdated is None:
        is_outdated = bool(paired.starts_at) and tournament.is_outdated(paired)
    return {
        "number": paired.number,
        "stage": paired.stage,
        "state": state_of(paired),
        "attempt": paired.attempt,
        "starts_at": paired.starts_at or None,
        "started_at": paired.started_at or None,
        "closed_at": paired.closed_at or None,
        "is_outdated": is_outdated,
        "total": len(paired.round.tables),
        "done": len(paired.round.tables) - len(paired.open_tables),
        "tables": [table_of(tournament, paired, number, paired.round.tables[number], shown) for number in numbers],
        "unpaired": [{"player": player, **shown[player], "why": why} for player, why in paired.round.unpaired.items()],
        "certificate": certificate(paired.certificate),
    }


def shown_at(
    tournament: Tournament, paired: PairedRound, tables: Iterable[int], profiles: Profiles
) -> Mapping[str, Person]:
    """Everybody at these tables, and those who sit at none."""
    seated = [player for number in tables for player in paired.round.tables[number].players]
    accounts = {player: tournament.participants[player].account for player in (*seated, *paired.round.unpaired)}
    person = people(accounts.values(), profiles)
    return {player: person(account) for player, account in accounts.items()}


def state_of(paired: PairedRound) -> str:
    if paired.closed_at:
        return "closed"
    if paired.started_at:
        return "running"
    return "published" if paired.starts_at else "proposed"


def table_of(
    tournament: Tournament, paired: PairedRound, number: int, table: Table, shown: Mapping[str, Person]
) -> dict[str, Any]:
    result = table.result
    points = points_at(tournament.options.points, table, result) if result else ()
    return {
        "table": number,
        "game": paired.games.get(number),
        "players": [
            {
                "player": player,
                **shown[player],
                "place": result.places[seat] if result else None,
                "victory_points": result.victory_points[seat] if result and result.victory_points else None,
                "points": shown_points(points[seat]) if result else None,
                "is_absent": bool(result and seat in result.absent),
                "has_abandoned": bool(result and seat in result.abandoned),
            }
            for seat, player in enumerate(table.players)
        ],
        "is_done": result is not None,
        "claims": [
            {
                "player": claim.player,
                **shown[claim.player],
                "text": claim.text,
                "at": claim.at,
                "step": claim.step or None,
            }
            for claim in paired.claims.get(number, ())
        ],
        "held_at": paired.held.get(number),
    }


def certificate(claims: Certificate) -> dict[str, Any]:
    """Its figures; the order of all players and the wishes are in the export."""
    figures = {name: getattr(claims, name) for name in claims.__struct_fields__ if name not in ("wishes", "order")}
    return figures | {"is_proven": claims.is_proven}


def why(tournament: Tournament, paired: PairedRound, table: int) -> list[str]:
    """Why these players sit at one table, in words."""
    stage = tournament.rounds_of(paired.stage)
    history = tournament.history(paired.stage).before(1 + sum(each.number < paired.number for each in stage))
    return [rendered(text) for text in reasons(paired.certificate, paired.round, history, tally(history), table)]


# Standings


def standings(tournament: Tournament, rows: Sequence[Row], profiles: Profiles) -> dict[str, Any]:
    """Some rows, or all of them."""
    person = people([tournament.participants[row.player].account for row in rows], profiles)
    names = tournament.options.standings_list
    return {
        "tiebreaks": [
            {"name": name, "definition": rendered(TIEBREAKS[name].definition)} for name in names if name in TIEBREAKS
        ],
        "rows": [
            {
                "place": row.place,
                "player": row.player,
                **person(tournament.participants[row.player].account),
                "points": shown_points(row.points),
                "values": list(row.shown),
                "decided_by": row.decided_by or None,
                "is_withdrawn": tournament.participants[row.player].is_withdrawn,
            }
            for row in rows
        ],
    }


def crosstable_of(tournament: Tournament, stage: int, rows: Sequence[Row], profiles: Profiles) -> list[dict[str, Any]]:
    return crosstable_lines(tournament, crosstable(tournament.history(stage, closed_only=False), rows), profiles)


def crosstable_lines(tournament: Tournament, lines: Sequence[Line], profiles: Profiles) -> list[dict[str, Any]]:
    person = people([tournament.participants[line.player].account for line in lines], profiles)
    return [to_builtins(line) | person(tournament.participants[line.player].account) for line in lines]


# Rulings and history


def ruling(tournament: Tournament, made: Ruling, person: People) -> dict[str, Any]:
    return {
        "id": made.id,
        "kind": made.kind,
        "by": person(made.by),
        "reason": made.reason,
        "place": list(made.place),
        "reversed_by": person(made.reversed_by) if made.reversed_by else None,
    }


def rulings(tournament: Tournament, profiles: Profiles) -> list[dict[str, Any]]:
    made = list(tournament.rulings.values())
    person = people({account for each in made for account in (each.by, each.reversed_by) if account}, profiles)
    return [ruling(tournament, each, person) for each in made]


def commits(
    tournament: Tournament, found: Sequence[Commit], profiles: Profiles, *, for_staff: bool
) -> list[dict[str, Any]]:
    """What happened, commit by commit. Rounds that are not published are for staff alone."""
    told = {commit.header.version: told_facts(commit, for_staff=for_staff) for commit in found}
    shown = [commit for commit in found if told[commit.header.version]]
    named = {account for facts in told.values() for fact in facts for account in accounts_in(tournament, fact)}
    person = people({*named, *(commit.header.by for commit in shown)}, profiles)
    names = names_in(tournament, named, person)
    return [commit_of(commit, told[commit.header.version], person, names) for commit in shown]


def acted(tournament: Tournament, commit: Commit, profiles: Profiles, *, for_staff: bool) -> dict[str, Any]:
    """What an action has brought about."""
    facts = told_facts(commit, for_staff=for_staff)
    named = {account for fact in facts for account in accounts_in(tournament, fact)}
    person = people({*named, commit.header.by}, profiles)
    ruling = next((fact.ruling for fact in facts if isinstance(fact, RulingMade)), None)
    return commit_of(commit, facts, person, names_in(tournament, named, person)) | {"ruling": ruling}


def commit_of(commit: Commit, facts: Sequence[TournamentFact], person: People, names: Names) -> dict[str, Any]:
    return {
        "version": commit.header.version,
        "at": commit.header.at,
        "by": person(commit.header.by),
        "facts": [
            {"fact": fact.__struct_config__.tag, "text": rendered(fact.sentence, names) if fact.sentence else None}
            for fact in facts
        ],
        "hash": commit.hash,
    }


def names_in(tournament: Tournament, named: Set[str], person: People) -> Names:
    """Players and accounts by their handles."""

    def called(id: str) -> Text | None:
        account = tournament.participants[id].account if id in tournament.participants else id
        handle = person(account)["handle"] if account in named else None
        return Name(handle) if handle else None

    return called


def told_facts(commit: Commit, *, for_staff: bool) -> tuple[TournamentFact, ...]:
    """The facts of a commit that may be known."""
    return tuple(fact for fact in tournament_facts(commit) if for_staff or not isinstance(fact, FOR_STAFF))


def accounts_in(tournament: Tournament, fact: TournamentFact) -> set[str]:
    """The accounts that its sentence names."""
    values = fact.sentence.values.values() if fact.sentence else ()
    players = {id for id in values if isinstance(id, str) and id in tournament.participants}
    others = {id for id in values if isinstance(id, str) and (ACCOUNT.fullmatch(id) or id.startswith(BOT_PREFIX))}
    return others | {tournament.participants[id].account for id in players}
