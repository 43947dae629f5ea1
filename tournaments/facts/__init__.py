"""What happened in a tournament. Each fact says how it changes the tournament, and how it reads.

Players are named by ids of accounts, which mean nothing by themselves: the accounts are kept elsewhere.
"""

from __future__ import annotations

from msgspec.structs import replace

from tournaments.facts.base import TournamentFact
from tournaments.facts.calls import ArbiterCalled, CallAnswered, TableHeld, TableReleased
from tournaments.facts.organisation import (
    AnnouncementMade,
    OptionsChanged,
    StaffSet,
    TournamentCancelled,
    TournamentCreated,
    TournamentFinished,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from tournaments.facts.registration import (
    ByeRequested,
    InvitationEnded,
    PairAllowed,
    PairForbidden,
    PlayerCheckedIn,
    PlayerInvited,
    PlayerRegistered,
    PlayerReturned,
    PlayerUnregistered,
    PlayerWithdrawn,
)
from tournaments.facts.rounds import (
    ProposalDropped,
    RemindersSent,
    ResultRecorded,
    RoundClosed,
    RoundProposed,
    RoundPublished,
    RoundRetracted,
    RoundStarted,
    StageBegun,
    TableGameCreated,
    TablesPinned,
)
from tournaments.facts.rulings import (
    GameRewound,
    PlayerSubstituted,
    PlayerWarned,
    PointsAdjusted,
    ResultChanged,
    RulingMade,
    RulingReversed,
    SubstituteAsked,
    SubstituteRequestEnded,
    TableGameChanged,
)
from tournaments.tournament import Tournament

__all__ = [
    "TOURNAMENT_FACTS",
    "AnnouncementMade",
    "ArbiterCalled",
    "ByeRequested",
    "CallAnswered",
    "GameRewound",
    "InvitationEnded",
    "OptionsChanged",
    "PairAllowed",
    "PairForbidden",
    "PlayerCheckedIn",
    "PlayerInvited",
    "PlayerRegistered",
    "PlayerReturned",
    "PlayerSubstituted",
    "PlayerUnregistered",
    "PlayerWarned",
    "PlayerWithdrawn",
    "PointsAdjusted",
    "ProposalDropped",
    "RemindersSent",
    "ResultChanged",
    "ResultRecorded",
    "RoundClosed",
    "RoundProposed",
    "RoundPublished",
    "RoundRetracted",
    "RoundStarted",
    "RulingMade",
    "RulingReversed",
    "StaffSet",
    "StageBegun",
    "SubstituteAsked",
    "SubstituteRequestEnded",
    "TableGameChanged",
    "TableGameCreated",
    "TableHeld",
    "TableReleased",
    "TablesPinned",
    "TournamentCancelled",
    "TournamentCreated",
    "TournamentFact",
    "TournamentFinished",
    "TournamentPaused",
    "TournamentResumed",
    "TournamentStarted",
    "after_facts",
]

TOURNAMENT_FACTS: tuple[type[TournamentFact], ...] = (
    TournamentCreated,
    OptionsChanged,
    StaffSet,
    AnnouncementMade,
    TournamentStarted,
    TournamentPaused,
    TournamentResumed,
    TournamentFinished,
    TournamentCancelled,
    PlayerRegistered,
    PlayerInvited,
    InvitationEnded,
    PlayerUnregistered,
    PlayerCheckedIn,
    PlayerWithdrawn,
    PlayerReturned,
    ByeRequested,
    PairForbidden,
    PairAllowed,
    TablesPinned,
    StageBegun,
    RoundProposed,
    ProposalDropped,
    RoundPublished,
    RoundRetracted,
    RoundStarted,
    TableGameCreated,
    ResultRecorded,
    RemindersSent,
    RoundClosed,
    ArbiterCalled,
    CallAnswered,
    TableHeld,
    TableReleased,
    RulingMade,
    RulingReversed,
    ResultChanged,
    TableGameChanged,
    GameRewound,
    PointsAdjusted,
    SubstituteAsked,
    SubstituteRequestEnded,
    PlayerSubstituted,
    PlayerWarned,
)
"""By the names in their tags, which never change: stored tournaments hold them."""


def after_facts(tournament: Tournament, facts: tuple[TournamentFact, ...]) -> Tournament:
    """The tournament after these facts of one commit. A ruling remembers how to undo what follows it."""
    ruling, inverse = "", list[TournamentFact]()
    for fact in facts:
        if isinstance(fact, RulingMade):
            ruling = fact.ruling
        elif ruling and not isinstance(fact, ProposalDropped):
            undone = fact.inverse(tournament)
            inverse = [undone, *inverse] if undone else inverse
        tournament = fact.change(tournament)
    if ruling:
        made = replace(tournament.rulings[ruling], inverse=tuple(inverse))
        tournament = replace(tournament, rulings={**tournament.rulings, ruling: made})
    return tournament
