"""What may be done in a tournament: frozen values. `permit` refuses an account, `decide` says which facts follow.

What the log of a game must tell comes in as a field: its id, its result, its version.
"""

from tournaments.commands.base import SERVICE, TournamentCommand
from tournaments.commands.calls import AnswerCall, CallArbiter, HoldTable, ReleaseTable
from tournaments.commands.organisation import (
    Announce,
    CancelTournament,
    ChangeOptions,
    FinishTournament,
    PauseTournament,
    ResumeTournament,
    SetStaff,
    StartTournament,
)
from tournaments.commands.registration import (
    AllowPair,
    CheckIn,
    ForbidPair,
    Register,
    RequestBye,
    Return,
    Withdraw,
)
from tournaments.commands.rounds import (
    AttachGame,
    CloseRound,
    PinTables,
    ProposeRound,
    PublishRound,
    RecordResult,
    RemindPlayers,
    RetractRound,
    StartRound,
)
from tournaments.commands.rulings import (
    Adjudicate,
    AdjustPoints,
    Penalise,
    ReplayGame,
    ReverseRuling,
    RewindGame,
    Substitute,
)
from tournaments.commands.substitution import AcceptSeat, DeclineSeat, EndSeatRequest

__all__ = [
    "SERVICE",
    "AcceptSeat",
    "Adjudicate",
    "AdjustPoints",
    "AllowPair",
    "Announce",
    "AnswerCall",
    "AttachGame",
    "CallArbiter",
    "CancelTournament",
    "ChangeOptions",
    "CheckIn",
    "CloseRound",
    "DeclineSeat",
    "EndSeatRequest",
    "FinishTournament",
    "ForbidPair",
    "HoldTable",
    "PauseTournament",
    "Penalise",
    "PinTables",
    "ProposeRound",
    "PublishRound",
    "RecordResult",
    "Register",
    "ReleaseTable",
    "RemindPlayers",
    "ReplayGame",
    "RequestBye",
    "ResumeTournament",
    "RetractRound",
    "Return",
    "ReverseRuling",
    "RewindGame",
    "SetStaff",
    "StartRound",
    "StartTournament",
    "Substitute",
    "TournamentCommand",
    "Withdraw",
]
