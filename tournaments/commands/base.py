"""The base of all commands of a tournament: an author with a role, and the facts that follow."""

from __future__ import annotations

from hashlib import sha256
from typing import ClassVar

from msgspec import Struct

from events.decider import Context
from events.errors import NoSuchGame, NotNow, NotPermitted
from events.table.facts import BOT_PREFIX
from rules.texts import Text, say
from tournaments.facts import ProposalDropped, TournamentFact
from tournaments.options import LONGEST_TEXT, check_text
from tournaments.tournament import ARBITER, FINISHED, OPEN, ORGANISER, PLAYER, RUNNING, Tournament

SERVICE = ""
"""The account of the service itself: rounds start, and games report, without anybody there. No client has it."""

Facts = tuple[TournamentFact, ...]


class TournamentCommand(Struct, frozen=True):
    """A command. The service may give any."""

    account: str

    roles: ClassVar[tuple[str, ...]] = (ORGANISER,)
    refusal: ClassVar[Text] = say("only the organisers of this tournament may do that")

    def permit(self, tournament: Tournament) -> None:
        """Refuses an account that may not give this command, however far the tournament has come."""
        if self.account == SERVICE:
            return
        if not tournament.is_visible_to(self.account):
            raise NoSuchGame(say("there is no tournament {tournament}", tournament=tournament.id))
        if tournament.role(self.account) not in self.roles:
            raise NotPermitted(self.refusal)

    def asks(self, tournament: Tournament) -> tuple[str, ...]:
        """Accounts that are asked to agree to something; they may have muted the one who asks."""
        return ()

    def decide(self, tournament: Tournament, context: Context) -> Facts:
        """The facts that follow from it, or a refusal."""
        raise AssertionError(f"{type(self).__name__} does not say what follows")


class ArbiterCommand(TournamentCommand, frozen=True):
    roles = (ORGANISER, ARBITER)
    refusal = say("only the organisers and arbiters of this tournament may do that")


class PlayerCommand(TournamentCommand, frozen=True):
    """A command of a player for themselves, or of staff for any."""

    player: str = ""
    """Empty: the own one."""

    roles = (ORGANISER, ARBITER, PLAYER)
    refusal = say("you do not play in this tournament")

    def permit(self, tournament: Tournament) -> None:
        super().permit(tournament)
        is_staff = self.account == SERVICE or tournament.role(self.account) in (ORGANISER, ARBITER)
        if self.player and not is_staff and self.player != tournament.player_of(self.account):
            raise NotPermitted(say("you may do that for yourself alone"))

    def who(self, tournament: Tournament) -> str:
        """The player whom it is about."""
        player = self.player or tournament.player_of(self.account)
        return tournament.participant(player or self.account).id


def agrees(author: str, account: str) -> bool:
    """Whether nobody has to be asked: an account speaks for itself, and bots have no will."""
    return author == account or account.startswith(BOT_PREFIX)


def check_status(tournament: Tournament, *statuses: str) -> None:
    if tournament.status in statuses:
        return
    sentences = {
        OPEN: say("the tournament has not started"),
        RUNNING: say("the tournament has started"),
        FINISHED: say("the tournament is over"),
    }
    raise NotNow(sentences.get(tournament.status, say("the tournament is cancelled")))


def check_reason(reason: str) -> None:
    check_text(reason, LONGEST_TEXT, lines=True)


def dropped(tournament: Tournament) -> Facts:
    """A proposed round is drawn anew when something changes that it was drawn from."""
    return (ProposalDropped(tournament.proposal.number),) if tournament.proposal else ()


def seed(tournament: Tournament, context: Context, purpose: str) -> bytes:
    """A seed that nobody can choose: it follows from the secret that was fixed at the creation."""
    return sha256(
        b"\0".join([b"hidalgo tournament", context.secret, tournament.id.encode(), purpose.encode()])
    ).digest()
