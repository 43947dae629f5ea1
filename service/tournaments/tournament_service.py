"""The tournament service: what views call with the account that asks and what it wants.

Rights are decided on the very tournament that a command is appended to, in `tournaments.commands`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NoSuchGame as NoSuchTournament
from events.errors import NotNow, NotPermitted
from events.games import Games
from events.log.codec import Commit
from events.log.service_secret import ServiceSecret
from events.repository import Accepted
from events.submission import Submission
from events.table.commands.rulings import undone_answers
from events.table.time_control import check_control
from rules import catalogue
from rules.texts import say
from service.accounts import Accounts
from service.accounts.audit_log import PAUSE, RESUME, AuditEntry, AuditLog
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import NoSuchAccount
from service.accounts.mutes import Mutes
from service.tournaments.figures import Figures
from service.tournaments.rating_ledger import RatingLedger
from service.tournaments.rating_worker import family_of
from service.tournaments.tournament_index import TournamentIndex, own_key, public_key
from tournaments.commands import (
    Adjudicate,
    AdjustPoints,
    CallArbiter,
    PauseTournament,
    Penalise,
    Register,
    ReplayGame,
    ResumeTournament,
    ReverseRuling,
    RewindGame,
    Substitute,
    TournamentCommand,
)
from tournaments.commands.calls import table_of
from tournaments.options import Options
from tournaments.repository import Tournaments
from tournaments.tournament import CANCELLED, FINISHED, OPEN, RUNNING, Tournament

TOURNAMENT_ID_BYTES = 12
MOST_TOURNAMENTS = 100
"""Open and running ones of one owner."""
MOST_LOOKED_AT = 1000
"""So many of those in which an account plays, works or is invited are looked at, for its own among them."""
STATUSES = (RUNNING, OPEN, FINISHED, CANCELLED)
COMMITS_AT_ONCE = 200
AUDITED: Mapping[type[TournamentCommand], str] = {
    PauseTournament: PAUSE,
    ResumeTournament: RESUME,
    Adjudicate: "adjudicate",
    ReplayGame: "replay",
    RewindGame: "rewind",
    AdjustPoints: "adjust",
    Penalise: "penalise",
    Substitute: "substitute",
    ReverseRuling: "reverse",
}
"""Commands of staff that are told in the audit log, too, for administrators."""


class TournamentFilter(Struct, frozen=True):
    """Which tournaments a page shows."""

    statuses: tuple[str, ...] = (RUNNING, OPEN, FINISHED)
    account: str = ""
    """Those in which this account plays or works; empty: all public ones."""
    limit: int = 20
    cursor: str = ""


class TournamentPage(Struct, frozen=True):
    tournaments: tuple[Tournament, ...]
    next: str
    """The cursor of the next page; empty: there is none."""


@dataclass(frozen=True)
class TournamentService:
    tournaments: Tournaments
    games: Games
    accounts: Accounts
    secret: ServiceSecret
    index: TournamentIndex
    ratings: RatingLedger
    audit_log: AuditLog
    mutes: Mutes
    shortest_decision_ms: int = 0
    figures: Figures = field(default_factory=Figures)

    # Writing

    def create(self, account: str, options: Options, submission: Submission) -> Tournament:
        """A tournament that is open for players. The same submission makes the same one, once."""
        self.check_playable(options)
        id = self.secret.id("tournament", submission.id, TOURNAMENT_ID_BYTES) if submission.key else ""
        if not (id and self.tournaments.log.version(id)):
            self._check_room(account)
        tournament = self.tournaments.create(account, options, tournament=id, submission=submission)
        self.index.put(tournament)
        return tournament

    def check_playable(self, options: Options) -> None:
        """Refuses what no table could play: other rules, sizes and options than the game has, too little time."""
        rules = catalogue.rules_named(options.game)
        sizes = {options.size, *options.sizes, *(stage.size for stage in options.stages if stage.size)}
        for size in sorted(sizes):
            catalogue.game_named(options.game).empty_table(rules, size, **options.game_options)
        if options.time:
            check_control(options.time, self.shortest_decision_ms)

    def _check_room(self, account: str) -> None:
        """Only what an account has made itself counts: nobody else can fill its lists."""
        keys = [own_key(account, status) for status in (OPEN, RUNNING)]
        if sum(map(self.index.count, keys)) < MOST_TOURNAMENTS:
            return
        ids = [entry.partition("/")[2] for entry in self.index.page(keys, "", MOST_LOOKED_AT)]
        found = self.tournaments.load_newer(dict.fromkeys(ids, 0))
        if sum(each.owner == account for each in found.values() if each) >= MOST_TOURNAMENTS:
            raise NotNow(say("you run {most} tournaments already", most=MOST_TOURNAMENTS))

    def submit(self, tournament: str, command: TournamentCommand, submission: Submission) -> Accepted[Tournament]:
        """Decide a command and store what follows."""
        if isinstance(command, RewindGame):
            self._check_rewind(tournament, command)
        if isinstance(command, Register) and not command.rating:
            command = self._with_rating(tournament, command)
        if isinstance(command, Register | Substitute | ReverseRuling):
            self.check_welcome(command, self.tournaments.load(tournament))
        if isinstance(command, CallArbiter):
            command = self._with_step(tournament, command)
        with self._audited(tournament, command):
            accepted = self.tournaments.submit(tournament, command, submission)
        self.index.put(accepted.after)
        return accepted

    @contextmanager
    def _audited(self, tournament: str, command: TournamentCommand) -> Iterator[None]:
        """Around a command: it is told in the audit log if it is one of those, and the account may give it at all."""
        action = AUDITED.get(type(command))
        if not action:
            yield
            return
        command.permit(self.tournaments.load(tournament))
        reason = getattr(command, "reason", "")
        handle = self.accounts.handle_of([command.account])[command.account] or ""
        with self.audit_log.recording(AuditEntry(action, command.account, tournament, reason, handle)):
            yield

    def _with_rating(self, tournament: str, command: Register) -> Register:
        """The service knows how strong its accounts are. Bots have no rating."""
        account = command.player or command.account
        if not ACCOUNT.fullmatch(account):
            return command
        family = family_of(self.tournaments.load(tournament))
        return replace(command, rating=self.ratings.strength(account, family))

    def check_welcome(self, command: TournamentCommand, tournament: Tournament) -> None:
        """Accounts that a player has muted neither invite them nor ask them to play for another."""
        command.permit(tournament)
        self.check_not_muted(command.account, command.asks(tournament))

    def check_not_muted(self, author: str, asked: Iterable[str]) -> None:
        for account in asked:
            if ACCOUNT.fullmatch(account) and author in self.mutes.of(account):
                raise NotPermitted(say("this player enters by themselves, if they want to"))

    def _with_step(self, tournament: str, command: CallArbiter) -> CallArbiter:
        """How far the game of the player's table has come."""
        found = self.tournaments.load(tournament)
        command.permit(found)
        round, table = table_of(found, command.who(found))
        game = found.round(round).games.get(table)
        return replace(command, step=self.games.load(game).version if game else 0)

    def _check_rewind(self, tournament: str, command: RewindGame) -> None:
        found = self.tournaments.load(tournament)
        command.permit(found)
        game = found.round(command.round).games.get(command.table)
        if not game:
            raise NotNow(say("the table has no game yet"))
        undone_answers(self.games.load(game), command.version)

    def account_of(self, handle: str) -> str:
        if found := self.accounts.account_named(handle):
            return found.id
        raise NoSuchAccount(say("there is no account with the handle {handle}", handle=handle))

    # Reading

    def look(self, tournament: str, account: str | None) -> Tournament:
        """The tournament now, if this account may see it."""
        found = self.tournaments.load(tournament)
        if not found.is_visible_to(account):
            raise NoSuchTournament(self.tournaments.not_found(tournament))
        return found

    def find(self, wanted: TournamentFilter, account: str | None) -> TournamentPage:
        """A page of tournaments that this account may see, the newest first."""
        keys = [own_key(wanted.account, status) if wanted.account else public_key(status) for status in wanted.statuses]
        entries = self.index.page(keys, wanted.cursor, wanted.limit + 1)
        ids = [entry.partition("/")[2] for entry in entries[: wanted.limit]]
        found = self.tournaments.load_newer(dict.fromkeys(ids, 0))
        shown = (each for id in ids if (each := found.get(id)) and each.is_visible_to(account))
        kept = tuple(each for each in shown if each.status in wanted.statuses)
        return TournamentPage(kept, entries[wanted.limit - 1] if len(entries) > wanted.limit else "")

    def history(self, tournament: Tournament, before: int | None, limit: int) -> list[Commit]:
        """Commits before a version, newest first."""
        last = tournament.version if before is None else min(before - 1, tournament.version)
        first = max(0, last - min(limit, COMMITS_AT_ONCE))
        return self.tournaments.commits(tournament.id, first, last)[::-1] if last > first else []

    def before_ruling(self, tournament: Tournament, ruling: str) -> Tournament:
        """The tournament as it was just before a ruling, whose id has the version of its commit."""
        return self.tournaments.load(tournament.id, int(ruling.removeprefix("r")) - 1)

    def foreseen(self, tournament: str, command: TournamentCommand) -> tuple[Tournament, Tournament]:
        """The tournament now, and as it would be after a command. Nothing is stored."""
        if isinstance(command, RewindGame):
            self._check_rewind(tournament, command)
        now = self.tournaments.load(tournament)
        return now, self.tournaments.foreseen(now, command)
