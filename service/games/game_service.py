"""The application service of games: load, authorise, decide, append. Views call it with who asks and what they want.

Everything that must hold for a write is checked on the very game that it is decided on, inside `Games`: in a process
that knows the game, a move is one round trip to the store.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from msgspec import convert
from werkzeug.exceptions import Forbidden

from events.audit.export import export
from events.errors import AnotherRequest, NotNow
from events.games import OVER, Accepted, Check, Game, Games
from events.log.codec import Commit
from events.table.clock_ledger import Row, ledger
from events.table.facts import SeatLeft
from events.table.time_control import TimeControl
from rules import catalogue
from rules.codec import codec_for
from rules.errors import Unreadable
from rules.kernel import Preview, Viewer, dry_run
from service.accounts import Identity
from service.games.game_index import Listing
from service.games.invitations import MOST, Invitation, Invitations, invitation_word
from service.games.representations import check_visible, seat_of, viewer_for
from service.http.preconditions import Once
from service.http.problems import NotInvited, NotSeated

EVENTS_AT_ONCE = 200


@dataclass(frozen=True)
class Play:
    games: Games
    listing: Listing
    invitations: Invitations

    # Tables

    def create(self, who: str, wish: Mapping[str, Any], once: Once) -> Game:
        """A table, and a seat at it unless that is not wished. The same key makes the same table, once."""
        named = once.by(who)
        agreed = wished_rules(wish["rules"], wish["expansions"]), wish["players"], wish["options"]
        about = {"owner": who, "visibility": wish["visibility"], "game": game_id(named["command"])}
        about |= {"time": wished_time(wish["time"]), "may_resign": wish["may_resign"]}
        game = self.games.create(*agreed, **about | named)
        if wish["join"]:
            named["command"] += " join"
            game = self.games.join(game.id, who, nonce=wish["nonce"], **named).game
        self.listing.put(game)
        return game

    def join(self, game: str, who: str, wish: Mapping[str, Any], once: Once, check: Check) -> Game:
        """Sit down. An invitation opens the door of a private table, and may name the seat."""
        seat, allowed = wish["seat"], all_of(visible_to(who), check)
        if wish["invitation"]:
            seat, allowed = self._invited_seat(game, who, wish["invitation"]) or seat, check
        taken = self.games.join(game, who, player=seat, nonce=wish["nonce"], **once.by(who), check=allowed)
        return self._listed(taken)

    def _invited_seat(self, game: str, who: str, word: str) -> str:
        known = self.games.load(game)
        if seat_of(known, who):
            return ""  # Somebody tries the door from inside: the invitation stays good.
        seat = self.invitations.claim(game, word, who)
        if seat is None:
            check_visible(known, who)
            raise NotInvited("there is no such invitation to this table, or it was used already")
        return seat

    def leave(self, game: str, who: str, once: Once, check: Check) -> Game:
        allowed = all_of(visible_to(who), seated(who), check)
        return self._listed(self.games.leave(game, who, **once.by(who), check=allowed))

    def start(self, game: str, who: str, once: Once, check: Check) -> Game:
        allowed = all_of(visible_to(who), owned_by(who), everybody_is_there, check)
        return self._listed(self.games.start(game, **once.by(who), check=allowed))

    def abort(self, game: str, who: str, once: Once, check: Check) -> Game:
        allowed = all_of(visible_to(who), owned_by(who), check)
        return self._listed(self.games.abort(game, who, **once.by(who), check=allowed))

    def invite(self, game: str, who: str, seat: str, once: Once) -> Invitation:
        known = self.look(game, who)
        if who != known.owner and not seat_of(known, who):
            raise Forbidden("only the owner and those who sit at the table may invite")
        if seat and seat not in known.players:
            raise Unreadable(f"this table has no seat {seat}: choose from {', '.join(known.players)}")
        if self.invitations.count(game) >= MOST:
            raise NotNow(f"there are {MOST} invitations to this table already")
        word = invitation_word(self.games.log.secret(game), once.by(who)["command"])
        written = self.invitations.write(game, word, seat)
        if written.seat != seat:
            raise AnotherRequest("this name was given to another invitation before")
        return written

    def _listed(self, taken: Accepted) -> Game:
        """The game after a change that the index must know of."""
        self.listing.put(taken.game, [fact.who for fact in taken.commit.facts if isinstance(fact, SeatLeft)])
        return taken.game

    # Moves

    def move(self, game: str, who: str, said: Mapping[str, Any], once: Once, check: Check) -> Accepted:
        """Decide what a player says, and store what follows."""
        allowed = all_of(visible_to(who), seated(who), check)
        taken = self.games.play_as(game, who, said, **once.by(who), check=allowed)
        if taken.game.status == OVER:
            self.listing.put(taken.game)
        return taken

    def preview(self, game: str, who: str, said: Mapping[str, Any]) -> tuple[Game, Preview]:
        """What a move would do, as far as its player may know."""
        known, seat = self.at_the_table(game, who)
        if not known.started:
            raise NotNow("the game has not begun")
        return known, dry_run(known.state, codec_for(known.rules).answer(seat, said))

    # Leaving, and time

    def resign(self, game: str, who: str, once: Once, check: Check) -> Game:
        return self._listed(self.games.resign(game, who, **once.by(who), check=self._at_it(who, check)))

    def take_back(self, game: str, who: str, once: Once, check: Check) -> Game:
        return self.games.take_back(game, who, **once.by(who), check=self._at_it(who, check)).game

    def take_vacation(self, game: str, who: str, days: int, once: Once, check: Check) -> Game:
        return self.games.take_vacation(game, who, days, **once.by(who), check=self._at_it(who, check)).game

    def pause(self, game: str, identity: Identity, once: Once, check: Check) -> Game:
        return self._stopped(self.games.pause, game, identity, once, check)

    def resume(self, game: str, identity: Identity, once: Once, check: Check) -> Game:
        return self._stopped(self.games.resume, game, identity, once, check)

    def _stopped(self, how: Any, game: str, identity: Identity, once: Once, check: Check) -> Game:
        """An organiser is who runs a table without sitting at it, and any administrator."""
        who, known = identity.account, self.games.load(game)
        organiser = not seat_of(known, who) and (who == known.owner or "admin" in identity.scopes)
        allowed = check if organiser else self._at_it(who, check)
        taken: Accepted = how(game, who, organiser=organiser, **once.by(who), check=allowed)
        return taken.game

    @staticmethod
    def _at_it(who: str, check: Check) -> Check:
        return all_of(visible_to(who), seated(who), check)

    def ledger(self, game: str, who: str | None) -> tuple[Game, list[Row]]:
        """The game now, and everything that ever happened to its clocks: no secret to those who see the game."""
        known = self.look(game, who)
        return known, ledger(self.games.commits(game, until=known.version))

    # Looking

    def look(self, game: str, who: str | None) -> Game:
        """The game now, if this person may see it."""
        known = self.games.load(game)
        check_visible(known, who)
        return known

    def at_the_table(self, game: str, who: str) -> tuple[Game, str]:
        """The game now, and this person's seat."""
        known = self.look(game, who)
        seated(who)(known)
        return known, known.seat_of(who)

    def look_back(self, game: str, who: str | None, version: int | None, viewer: str | None) -> tuple[Game, Viewer]:
        """The game now or as it was, and through whose eyes this person sees it."""
        known = self.look(game, who)
        eyes = viewer_for(known, who, viewer)
        return known if version in (None, known.version) else self.games.load(game, version), eyes

    def commits(self, game: Game, after: int, limit: int) -> list[Commit]:
        """Some commits after a version."""
        return self.games.commits(game.id, after, min(after + limit, game.version)) if after < game.version else []

    def all_commits(self, game: Game, after: int) -> Iterator[Commit]:
        """All commits after a version, read some at a time."""
        for first in range(after, game.version, EVENTS_AT_ONCE):
            yield from self.commits(game, first, EVENTS_AT_ONCE)

    def exported(self, game: str, who: str | None, viewer: str | None) -> bytes:
        """A file that anybody can verify."""
        return export(self.games, game, viewer_for(self.look(game, who), who, viewer))


def wished_rules(name: str, expansions: list[str]) -> str:
    """The name that stored games have for these rules.

    >>> wished_rules("el_grande", ["anniversary"])
    'el_grande+anniversary'
    """
    game, *more = name.split("+")
    return catalogue.rules(game, (*more, *expansions)).name


def wished_time(wish: Mapping[str, Any] | None) -> TimeControl | None:
    return convert(wish, TimeControl) if wish else None


def game_id(command: str) -> str:
    """The game that a command creates: the same for the same command, and nothing can be read from it."""
    return urlsafe_b64encode(sha256(f"hidalgo game\0{command}".encode()).digest()[:12]).decode()


# What must hold for a write


def all_of(*checks: Check) -> Check:
    def check(game: Game) -> None:
        for each in checks:
            each(game)

    return check


def visible_to(who: str) -> Check:
    return lambda game: check_visible(game, who)


def seated(who: str) -> Check:
    def check(game: Game) -> None:
        if who not in game.seats.values():
            raise NotSeated("you do not sit at this table")

    return check


def everybody_is_there(game: Game) -> None:
    if missing := len(game.players) - len(game.seats):
        raise NotNow(f"{missing} of {len(game.players)} seats are still free")


def owned_by(who: str) -> Check:
    def check(game: Game) -> None:
        if who != game.owner:
            raise Forbidden("only the owner of the table may do this")

    return check
