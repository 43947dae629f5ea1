"""Answers that players have given ahead: kept beside the game, and given as ordinary moves when the question comes.

They are no facts of the game. Nobody but the player can read them, and the log tells a move that was given so from no
other: it is the player's own, at the time when it is made. The notifier writes into an index that one is due, and a job
of the scheduler gives it, after a pause of a length that tells nothing; the game itself decides whether it stands.

| key | what |
|---|---|
| `hidalgo:{07}:ahead:GAME` | hash; seat and kind of the decision to what was answered ahead, and by which account |
| `hidalgo:{07}:ahead_due` | sorted set; game, seat and decision by the time at which the answer is given |
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, json

from events.buckets import bucket_key
from events.errors import Declined, NoSuchGame, StoreError
from events.games import Games
from events.repository import Accepted
from events.store import Store, store_errors
from events.submission import Submission
from events.table import clock
from events.table.commands import Move, TableCommand
from events.table.game import Game
from rules.ahead import offer_for
from rules.catalogue import game_named
from rules.codec import codec_for
from rules.errors import Refused, RuleBroken, Unreadable
from rules.kernel import Player

logger = logging.getLogger(__name__)

DUE_ANSWERS = "ahead_due"
SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS = 1_500, 6_000
"""A player who is there takes about as long: an answer at once would tell that it was given ahead."""
GIVEN_AT_ONCE = 100
KEPT_FOR_S = 200 * 86_400
"""After so long without a change it is forgotten."""

Submit = Callable[[str, TableCommand, Submission], Accepted[Game]]
Pause = Callable[[int], int]


class KeptAnswer(Struct, frozen=True):
    account: str
    decision: str
    """The kind of the decision."""
    answer: dict[str, Any]
    every: bool


class Due(Struct, frozen=True):
    game: str
    seat: Player
    decision: str
    """The decision itself."""

    @property
    def member(self) -> str:
        return f"{self.game} {self.seat} {self.decision}"


def usual_pause(most_ms: int) -> int:
    """A pause of any length that people take, and never a large part of the time that is left."""
    pause = SHORTEST_PAUSE_MS + secrets.randbelow(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS)
    return max(0, min(pause, most_ms // 4))


class AnswersAhead:
    """Safe between threads and processes."""

    def __init__(self, store: Store, games: Games, submit: Submit, pause: Pause = usual_pause) -> None:
        self._store = store
        self._redis: Any = store.commands
        self._games, self._submit, self._pause = games, submit, pause

    # For the player

    def kept(self, game: Game, seat: Player) -> list[KeptAnswer]:
        """What this seat has answered ahead; of the account that sits there now."""
        with store_errors():
            fields = self._redis.hgetall(self._key(game.id))
        return [each for each in _of_seat(fields, seat) if each.account == game.seats.get(seat)]

    def keep(self, game: Game, seat: Player, decision: str, answer: Mapping[str, Any], *, every: bool) -> None:
        """From now on; a question that is asked already is answered, too."""
        offer = offer_for(game_named(game.rules).ahead, decision)
        offer.check(answer, every=every)
        codec_for(game.rules).answer(seat, {"decision": game.asked.get(seat, f"0-{seat}"), **answer})
        kept = KeptAnswer(game.seats[seat], decision, dict(answer), every)
        with store_errors(), self._redis.pipeline(transaction=True) as pipe:
            pipe.hset(self._key(game.id), _field(seat, decision), json.encode(kept))
            pipe.expire(self._key(game.id), KEPT_FOR_S)
            pipe.execute()
        self.note([game])

    def forget(self, game: Game, seat: Player, decision: str) -> None:
        with store_errors():
            self._redis.hdel(self._key(game.id), _field(seat, decision))

    def _key(self, game: str) -> str:
        return self._store.buckets.key_of(game, f"ahead:{game}")

    # For the notifier

    def note(self, games: Iterable[Game]) -> None:
        """These games have changed: whatever was answered ahead is due soon. In two round trips."""
        games = list(games)
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.hgetall(self._key(game.id)) if game.is_running else pipe.delete(self._key(game.id))
            found = pipe.execute()
        due = {
            each: at
            for game, fields in zip(games, found, strict=True)
            if game.is_running and fields
            for each, at in self._due(game, fields)
        }
        if due:
            with store_errors(), self._redis.pipeline(transaction=False) as pipe:
                for each, at in due.items():
                    pipe.zadd(self._store.buckets.key_of(each.game, DUE_ANSWERS), {each.member: at}, nx=True)
                pipe.execute()

    def _due(self, game: Game, fields: Mapping[bytes, bytes]) -> Iterable[tuple[Due, int]]:
        now = self._games.now()
        for seat, decision in game.asked.items():
            if seat not in game.unattended and _answer(game, seat, _of_seat(fields, seat)):
                left = clock.remaining(game.clock, seat, now) if game.clock else 4 * LONGEST_PAUSE_MS
                yield Due(game.id, seat, decision), now + self._pause(left)

    # For the scheduler

    def attend(self, buckets: Collection[int]) -> int:
        """Give the answers that are due in these buckets; says how many stand."""
        if not buckets:
            return 0
        now = self._games.now()
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for bucket in buckets:
                pipe.zrange(bucket_key(bucket, DUE_ANSWERS), "-inf", now, byscore=True, offset=0, num=GIVEN_AT_ONCE)
            found = [member.decode() for members in pipe.execute() for member in members]
        return sum(self._attend(Due(*member.split(" "))) for member in found)

    def _attend(self, due: Due) -> bool:
        try:
            return self._give(due)
        except StoreError:
            raise
        except Exception:
            logger.exception("the answer that was given ahead for %s cannot be given", due.member)
            return False
        finally:
            with store_errors():
                self._redis.zrem(self._store.buckets.key_of(due.game, DUE_ANSWERS), due.member)

    def _give(self, due: Due) -> bool:
        try:
            game = self._games.load(due.game)
        except NoSuchGame:
            return False
        if game.asked.get(due.seat) != due.decision or due.seat in game.unattended:
            return False
        kept = _answer(game, due.seat, self.kept(game, due.seat))
        if not kept:
            return False
        try:
            self._submit(due.game, _move(due, kept), Submission(kept.account, f"ahead {due.decision}"))
        except (RuleBroken, Unreadable):
            self._forget_once(game, due.seat, kept)  # It cannot be had: the player is asked as usual.
            return False
        except (Declined, Refused):
            return False  # The player was faster.
        self._forget_once(game, due.seat, kept)
        return True

    def _forget_once(self, game: Game, seat: Player, kept: KeptAnswer) -> None:
        if not kept.every:
            self.forget(game, seat, kept.decision)


def _move(due: Due, kept: KeptAnswer) -> Move:
    return Move(kept.account, {"decision": due.decision, **kept.answer})


def _answer(game: Game, seat: Player, kept: Iterable[KeptAnswer]) -> KeptAnswer | None:
    """What the seat has answered ahead to the question that is asked now."""
    kind = game.state.agenda[0].asks(game.state)
    return next((each for each in kept if each.decision == kind and each.account == game.seats.get(seat)), None)


def _of_seat(fields: Mapping[bytes, bytes], seat: Player) -> list[KeptAnswer]:
    mine = f"{seat} ".encode()
    return [json.decode(kept, type=KeptAnswer) for field, kept in sorted(fields.items()) if field.startswith(mine)]


def _field(seat: Player, decision: str) -> str:
    return f"{seat} {decision}"
