"""Actions as clients send them, made into commands: people go by their handles there, and by their ids in the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from events.errors import NotPermitted
from events.table.facts import BOT_PREFIX
from rules.bots import BOTS
from rules.texts import say
from service.accounts.errors import NoSuchAccount
from service.tournaments.presets import changed
from service.tournaments.tournament_representations import is_staff
from service.tournaments.tournament_service import TournamentService
from tournaments.commands import (
    AcceptSeat,
    Adjudicate,
    AdjustPoints,
    AllowPair,
    Announce,
    AnswerCall,
    CallArbiter,
    CancelTournament,
    ChangeOptions,
    CheckIn,
    CloseRound,
    DeclineSeat,
    FinishTournament,
    ForbidPair,
    HoldTable,
    PauseTournament,
    Penalise,
    PinTables,
    ProposeRound,
    PublishRound,
    RecordResult,
    Register,
    ReleaseTable,
    ReplayGame,
    RequestBye,
    ResumeTournament,
    RetractRound,
    Return,
    ReverseRuling,
    RewindGame,
    SetStaff,
    StartRound,
    StartTournament,
    Substitute,
    TournamentCommand,
    Withdraw,
)
from tournaments.results import Result
from tournaments.tournament import Tournament

Fields = Mapping[str, Any]
BOT = re.compile(r"bot:([a-z_]{1,40}):([1-9][0-9]{0,3})")

COMMANDS: Mapping[str, type[TournamentCommand]] = {
    "register": Register,
    "check_in": CheckIn,
    "withdraw": Withdraw,
    "return": Return,
    "accept_seat": AcceptSeat,
    "decline_seat": DeclineSeat,
    "request_bye": RequestBye,
    "forbid_pair": ForbidPair,
    "allow_pair": AllowPair,
    "change_options": ChangeOptions,
    "set_staff": SetStaff,
    "announce": Announce,
    "pause": PauseTournament,
    "resume": ResumeTournament,
    "cancel": CancelTournament,
    "start": StartTournament,
    "finish": FinishTournament,
    "pin_tables": PinTables,
    "propose_round": ProposeRound,
    "publish_round": PublishRound,
    "retract_round": RetractRound,
    "start_round": StartRound,
    "record_result": RecordResult,
    "close_round": CloseRound,
    "call_arbiter": CallArbiter,
    "answer_call": AnswerCall,
    "hold_table": HoldTable,
    "release_table": ReleaseTable,
    "adjudicate": Adjudicate,
    "replay": ReplayGame,
    "rewind": RewindGame,
    "adjust": AdjustPoints,
    "penalise": Penalise,
    "substitute": Substitute,
    "reverse": ReverseRuling,
}
"""By the kind of the action."""

RULINGS = ("adjudicate", "replay", "rewind", "adjust", "penalise", "substitute", "reverse")
"""Those that can be looked at before they are made."""

SPELLED = {"bye": "kind", "handle": "member"}
"""Fields that a command has under another name."""


def command(
    service: TournamentService, tournament: Tournament, account: str, kind: str, fields: Fields
) -> TournamentCommand:
    """The command of an account that may see the tournament."""
    if kind == "register" and fields.get("rating") and not is_staff(tournament, account):
        raise NotPermitted(say("only the organisers and arbiters of this tournament give ratings"))
    if kind == "change_options":
        options = changed(tournament.options, fields["options"])
        service.check_playable(options)
        return ChangeOptions(account, options, fields["reason"])
    read = readers(service, tournament, kind)
    values = {name: read[name](value) if name in read else value for name, value in fields.items()}
    return COMMANDS[kind](account, **{SPELLED.get(name, name): value for name, value in values.items()})


def readers(service: TournamentService, tournament: Tournament, kind: str) -> dict[str, Callable[[Any], Any]]:
    """How the fields of an action are read that are not taken as they are."""

    def player(handle: str) -> str:
        return named_player(service, tournament, handle) if handle else ""

    def entrant(handle: str) -> str:
        return named_entrant(service, handle) if handle else ""

    def tables(given: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(player(handle) for handle in table) for table in given)

    return {
        "player": entrant if kind == "register" else player,
        "one": player,
        "other": player,
        "substitute": entrant,
        "handle": service.account_of,
        "tables": tables,
        "result": lambda given: msgspec.convert(given, Result),
    }


def named_player(service: TournamentService, tournament: Tournament, name: str) -> str:
    """A player by the handle of the account that plays for them, or by their id."""
    if name in tournament.participants or name in tournament.invited or any(name in p for p in tournament.forbidden):
        return name
    account = service.account_of(name)
    if player := tournament.player_of(account) or (account if account in tournament.invited else ""):
        return player
    raise NoSuchAccount(say("{handle} is no player of this tournament", handle=name))


def named_entrant(service: TournamentService, name: str) -> str:
    """An account by its handle, or a bot of the service by its name and a number."""
    if not name.startswith(BOT_PREFIX):
        return service.account_of(name)
    found = BOT.fullmatch(name)
    if not found or found[1] not in BOTS:
        raise NoSuchAccount(say("there is no bot {bot}: such as bot:greedy:7", bot=name))
    return name
