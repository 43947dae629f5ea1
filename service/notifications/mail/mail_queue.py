"""Letters of all accounts: written from notices, claimed, and settled; one change of a mailbox at a time.

The inbox is the queue of notices: the mailbox remembers the number of the last one that a letter was written about
(`mailed`). A letter is stored before it is sent (`letter:notices`, `letter:confirmation`), so that it is the same at
every try, whichever process makes it. One that has failed too often, or will never be taken, is parked (`letters`):
listed, and out of the way of the next one. `posted_letters` counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.games import Games
from events.store import Store
from service.accounts.records import key
from service.language import IN_ENGLISH, Language, speaking
from service.notifications.inbox import Inboxes
from service.notifications.mail.letters import PARKED, Letter, about_notices, confirmation
from service.notifications.mail.preferences import DAILY, MailPreferences, Preferences
from service.notifications.mail.smtp import MailOutcome
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes, StoreCommand
from service.notifications.notice_names import NamesOf, no_names
from service.notifications.notices import PAIRING, REMINDER, YOUR_TURN, Notice
from service.notifications.retry_policy import RetryPolicy
from service.notifications.tournament_texts import ROUND_ENDING, ROUND_PUBLISHED

CLAIMED_FOR = 120_000
"""Milliseconds after which a try counts as lost: longer than any server is waited for."""

DAILY_AT = 7
"""The hour (UTC) of the daily letter."""

MOST_NOTICES = 50
"""So many are in one letter: the newest. The others are in the inbox."""
MOST_PARKED = 20

NOTICES, CONFIRMATION = "notices", "confirmation"

REMINDERS = (REMINDER, ROUND_ENDING)


class Claimed(Struct, frozen=True):
    letter: Letter
    to: str


Claim = Claimed | int | None
"""A letter to be sent now, the time to look again, or nothing."""


class MailQueue:
    """Safe between threads and processes."""

    def __init__(
        self,
        store: Store,
        games: Games,
        preferences: MailPreferences,
        *,
        window_ms: int,
        site: str,
        languages: dict[str, Language] | None = None,
        names_of: NamesOf = no_names,
        retry_policy: RetryPolicy | None = None,
        claimed_for: int = CLAIMED_FOR,
    ) -> None:
        self._mailboxes, self._inboxes = Mailboxes(store), Inboxes(store)
        self._games, self._preferences, self._names_of = games, preferences, names_of
        self._window_ms, self._site, self._languages = window_ms, site, languages or {}
        self._retry_policy = retry_policy or RetryPolicy()
        self._claimed_for = claimed_for

    # Writing

    def ask(self, account: str, handle: str, preferences: Preferences, now: int) -> None:
        """A letter to the pending address: its owner must answer it. One before that was parked counts no more."""
        code = self._preferences.code(account, preferences)
        link = f"{self._site}/mail/confirm/{account}.{code}"

        def decide(mailbox: Mailbox) -> Decision[None]:
            written = confirmation(handle, code, letter_number(mailbox) + 1, now, link)
            others = [parked for parked in parked_letters(mailbox) if parked.name == NOTICES]
            return [saved(account, written), counted(account, written), parked_now(account, others)], None

        self._mailboxes.change(account, decide)

    def begin(self, account: str) -> None:
        """Letters tell of notices from now on."""
        self._mailboxes.change(account, lambda mailbox: ([_set(account, "mailed", mailbox.last_notice)], None))

    def forget(self, account: str) -> None:
        """Nothing waits to be sent to the account any more."""

        def decide(mailbox: Mailbox) -> Decision[None]:
            names = [name for name in mailbox.fields if name.startswith("letter:") or name == "letters"]
            return [("HDEL", key(account, "book"), *names)] if names else [], None

        self._mailboxes.change(account, decide)

    def retry_parked(self, account: str, now: int) -> int:
        """The parked letters wait again; gives how many. One waits at a time: their notices come together."""

        def decide(mailbox: Mailbox) -> Decision[int]:
            parked = parked_letters(mailbox)
            notices = [notice for letter in parked for notice in letter.notices]
            if not notices:
                return [], 0
            earlier = min(notice.id for notice in notices) - 1
            commands = [_set(account, "mailed", min(earlier, mailed(mailbox))), _unset(account, "letters")]
            return commands, len(parked)

        return self._mailboxes.change(account, decide)

    # Claiming

    def claim(self, account: str, now: int) -> Claim:
        """The next letter of the account, if one is due; its try counts as lost after a while."""
        preferences = self._preferences.read(account)

        def decide(mailbox: Mailbox) -> Decision[Claim]:
            asked, about = letter(mailbox, CONFIRMATION), letter(mailbox, NOTICES)
            if asked and preferences.pending and asked.next_at <= now:
                return self._claimed(account, asked, preferences.pending, now)
            later = [asked.next_at] if asked and preferences.pending else []
            if not preferences.kinds:
                return [_unset(account, f"letter:{NOTICES}")] if about else [], min(later, default=None)
            if about and about.next_at > now:
                return [], min([*later, about.next_at])
            return self._next(mailbox, preferences, about, now, later)

        return self._mailboxes.change(account, decide)

    def _next(
        self, mailbox: Mailbox, preferences: Preferences, tried: Letter | None, now: int, later: Sequence[int]
    ) -> Decision[Claim]:
        """A letter that was tried before, if it still tells of something, or a new one."""
        account = mailbox.account
        if tried:
            if self._waiting(account, tried.notices):
                return self._claimed(account, tried, preferences.address, now)
            return [_unset(account, f"letter:{NOTICES}")], now
        found = self._inboxes.read(account, mailed(mailbox))
        chosen = self._waiting(account, [notice for notice in found if notice.kind in preferences.kinds])
        if not chosen:
            read = [_set(account, "mailed", found[-1].id)] if found else []
            return read, min(later, default=None)
        due = self._due(chosen, preferences)
        if due > now:
            return [], min([*later, due])
        written = self._written(mailbox, preferences, chosen, now)
        commands, claim = self._claimed(account, written, preferences.address, now)
        return [_set(account, "mailed", found[-1].id), counted(account, written), *commands], claim

    def _claimed(self, account: str, letter: Letter, to: str, now: int) -> Decision[Claim]:
        under_way = replace(letter, next_at=now + self._claimed_for)
        return [saved(account, under_way)], Claimed(under_way, to)

    def _due(self, chosen: Sequence[Notice], preferences: Preferences) -> int:
        """A reminder that came with the daily letter would mostly come too late."""
        soon = [notice.at for notice in chosen if preferences.digest != DAILY or notice.kind in REMINDERS]
        return min([at + self._window_ms for at in soon] or [_next_morning(notice.at) for notice in chosen])

    def _written(self, mailbox: Mailbox, preferences: Preferences, chosen: Sequence[Notice], now: int) -> Letter:
        token = self._preferences.unsubscribe_token(mailbox.account, preferences)
        with speaking(self._languages.get(preferences.language.lower(), IN_ENGLISH)):
            number, newest = letter_number(mailbox) + 1, chosen[-MOST_NOTICES:]
            names, unsubscribe = self._names_of(newest), f"{self._site}/mail/unsubscribe/{token}"
            return about_notices(newest, names, number, now, f"{self._site}/", unsubscribe)

    def _waiting(self, account: str, notices: Sequence[Notice]) -> list[Notice]:
        """Without those that were answered meanwhile: a turn, or a reminder of one, of which only the last counts.

        That a round was drawn is old when its table waits.
        """
        tables = {(notice.tournament, notice.values.get("round")) for notice in notices if notice.kind == PAIRING}
        notices = [
            notice
            for notice in notices
            if notice.kind != ROUND_PUBLISHED or (notice.tournament, notice.values.get("round")) not in tables
        ]
        turns = {notice.game: notice for notice in notices if notice.kind in (YOUR_TURN, REMINDER)}
        games = self._games.load_newer(dict.fromkeys((name for name in turns if name), 0))
        last = {
            (notice.game, notice.id)
            for name, notice in turns.items()
            if name and (game := games.get(name)) and _is_asked(game.asked, notice)
        }
        return [
            notice for notice in notices if notice.kind not in (YOUR_TURN, REMINDER) or (notice.game, notice.id) in last
        ]

    # Settling

    def settle(self, account: str, tried: Letter, outcome: MailOutcome, now: int) -> str:
        """Record the outcome of a try; gives what became of the letter."""

        def decide(mailbox: Mailbox) -> Decision[str]:
            known = letter(mailbox, tried.name)
            if known is None or known.number != tried.number:
                return [], "gone"
            name = f"letter:{tried.name}"
            if outcome.has_arrived:
                return [_unset(account, name)], "sent"
            attempts = known.attempts + 1
            failed = replace(known, attempts=attempts, status=outcome.status, why=outcome.why or "")
            if outcome.is_final or attempts >= self._retry_policy.attempts:
                parked = [*parked_letters(mailbox), replace(failed, state=PARKED)][-MOST_PARKED:]
                return [_unset(account, name), parked_now(account, parked)], PARKED
            again = replace(failed, next_at=now + self._retry_policy.pause(attempts))
            return [saved(account, again)], "failed"

        return self._mailboxes.change(account, decide)

    def state(self, account: str) -> tuple[list[Letter], list[Letter]]:
        """The letters that wait, and those that are parked."""
        mailbox = self._mailboxes.read(account)
        waiting = [found for name in (CONFIRMATION, NOTICES) if (found := letter(mailbox, name))]
        return waiting, parked_letters(mailbox)


def _is_asked(asked: Any, notice: Notice) -> bool:
    decision = notice.values.get("decision")
    return notice.seat in asked and decision in (None, asked[notice.seat])


def _next_morning(at: int) -> int:
    """
    >>> morning = datetime(2027, 3, 1, DAILY_AT, tzinfo=UTC).timestamp() * 1000
    >>> _next_morning(round(morning) + 1) - morning, _next_morning(round(morning) - 1) - morning
    (86400000.0, 0.0)
    """
    moment = datetime.fromtimestamp(at / 1000, UTC)
    morning = moment.replace(hour=DAILY_AT, minute=0, second=0, microsecond=0)
    return round((morning if morning > moment else morning + timedelta(days=1)).timestamp() * 1000)


# What a mailbox holds


def letter(mailbox: Mailbox, name: str) -> Letter | None:
    found = mailbox.fields.get(f"letter:{name}")
    return msgspec.json.decode(found, type=Letter) if found else None


def parked_letters(mailbox: Mailbox) -> list[Letter]:
    return msgspec.json.decode(mailbox.fields.get("letters", "[]"), type=list[Letter])


def mailed(mailbox: Mailbox) -> int:
    """The number of the last notice that needs no letter."""
    return int(mailbox.fields.get("mailed", "0"))


def letter_number(mailbox: Mailbox) -> int:
    return int(mailbox.fields.get("posted_letters", "0"))


def saved(account: str, letter: Letter) -> StoreCommand:
    return _set(account, f"letter:{letter.name}", msgspec.json.encode(letter))


def parked_now(account: str, letters: Sequence[Letter]) -> StoreCommand:
    return _set(account, "letters", msgspec.json.encode(letters)) if letters else _unset(account, "letters")


def counted(account: str, letter: Letter) -> StoreCommand:
    """No other letter has this number."""
    return _set(account, "posted_letters", letter.number)


def _set(account: str, name: str, value: str | int | bytes) -> StoreCommand:
    return "HSET", key(account, "book"), name, value


def _unset(account: str, name: str) -> StoreCommand:
    return "HDEL", key(account, "book"), name
