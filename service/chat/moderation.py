"""What administrators do about complaints: remove the message, silence its author, or dismiss the complaint.

Every act is told in the audit log, with its author and reason, before it is done. The people who complained get a
notice that it was dealt with, and not how: that concerns its author alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.errors import Unreadable
from rules.texts import say
from service.accounts.audit_log import DISMISS_COMPLAINT, LIFT_SILENCE, REMOVE_MESSAGE, SILENCE, AuditEntry, AuditLog
from service.accounts.silences import Silences
from service.chat.complaints import DISMISSED, REMOVED, SILENCED, Complaint, Complaints
from service.chat.rooms import Chat, Message, topic_of
from service.games.representations import Profiles, player_resource

REMOVE, DISMISS = "remove_message", "dismiss"
ACTS = (REMOVE, SILENCE, DISMISS, LIFT_SILENCE)
AROUND = 3
"""So many messages before and after the one that is complained of are shown."""


class Staff(NamedTuple):
    """The author of an act."""

    account: str
    handle: str = ""


class Act(NamedTuple):
    """What is done about a complaint, and why. `days` is for how long an author is silenced; none: for good."""

    acts: Sequence[str]
    reason: str = ""
    days: int | None = None


@dataclass(frozen=True)
class Moderation:
    complaints: Complaints
    chat: Chat
    silences: Silences
    profiles: Profiles
    audit_log: AuditLog
    now: Callable[[], int]
    tell: Callable[[Sequence[Complaint]], None]
    """Tells the people who complained that it was dealt with."""

    def act(self, complaint: str, act: Act, staff: Staff) -> Complaint:
        """All that is asked for, or nothing, if that makes no sense; then the complaints of the message are closed."""
        about = self.complaints.one(complaint)
        check_sense(act.acts)
        for each in ACTS:
            if each in act.acts:
                self._done(each, about, act, staff)
        outcome = outcome_of(act.acts)
        if outcome:
            self.tell(self.complaints.decide(about, outcome, self.now()))
        return self.complaints.one(complaint)

    def silence(self, account: str, act: Act, staff: Staff) -> None:
        """Also without a complaint."""
        with self._audited(SILENCE, account, account, act, staff):
            self.silences.silence(account, act.days, self.now())

    def lift(self, account: str, act: Act, staff: Staff) -> None:
        with self._audited(LIFT_SILENCE, account, account, act, staff):
            self.silences.lift(account)

    def _done(self, kind: str, about: Complaint, act: Act, staff: Staff) -> None:
        topic = topic_of(about.game, about.room)
        match kind:
            case "remove_message":
                with self._audited(REMOVE_MESSAGE, f"{topic}/{about.message}", about.author, act, staff):
                    self.chat.remove(topic, about.message, staff.account)
            case "silence":
                self.silence(about.author, act, staff)
            case "lift_silence":
                self.lift(about.author, act, staff)
            case "dismiss":
                with self._audited(DISMISS_COMPLAINT, f"{topic}/{about.message}", "", act, staff):
                    pass

    def _audited(self, action: str, about: str, concerned: str, act: Act, staff: Staff) -> AbstractContextManager[None]:
        profile = self.profiles([concerned]).get(concerned) if concerned else None
        handle = profile.handle if profile else ""
        return self.audit_log.recording(
            AuditEntry(action, staff.account, about, act.reason, staff.handle, handle if about == concerned else "")
        )

    # Reading

    def shown(self, found: Sequence[Complaint]) -> list[dict[str, Any]]:
        """Complaints with the people in them, and how often their message and its author were complained of."""
        kept = self.complaints.all()
        profiles = self.profiles({account for each in found for account in (each.author, each.by) if account})
        return [
            {
                "id": each.id,
                "game": each.game,
                "room": each.room,
                "message": each.message,
                "author": each.author,
                "author_handle": handle_of(profiles, each.author),
                "text": each.text,
                "by": each.by,
                "by_handle": handle_of(profiles, each.by),
                "reason": each.reason,
                "at": each.at,
                "outcome": each.outcome,
                "decided_at": each.decided_at or None,
                "about_message": sum(other.place == each.place for other in kept),
                "about_author": len({other.place for other in kept if other.author == each.author}),
                "silenced_until": self.silences.until(each.author, self.now()) or None,
            }
            for each in found
        ]

    def around(self, complaint: Complaint) -> list[dict[str, Any]]:
        """The words before and after the message, as they are read in the room now."""
        topic, number = topic_of(complaint.game, complaint.room), complaint.message
        found = [each for each in self._near(topic, number) if not each.removes]
        before = [each for each in found if each.id < number][-AROUND:]
        after = [each for each in found if each.id >= number][: AROUND + 1]
        profiles = self.profiles({each.by for each in found})
        return [
            {
                "id": each.id,
                "at": each.at,
                "player": player_resource(each.by, profiles.get(each.by)),
                "text": each.text,
                "removed": each.removed,
            }
            for each in (*before, *after)
        ]

    def _near(self, topic: str, number: int) -> list[Message]:
        """Removals, which are told by messages of their own, may lie between."""
        return self.chat.read(topic, max(0, number - 3 * AROUND - 1), 6 * AROUND + 1)


def check_sense(acts: Sequence[str]) -> None:
    alone = {DISMISS, LIFT_SILENCE} & set(acts)
    if not acts or (alone and len(acts) > 1):
        raise Unreadable(say("remove the message, silence its author, or both; or else dismiss the complaint"))


def outcome_of(acts: Sequence[str]) -> str:
    outcomes = {REMOVE: REMOVED, SILENCE: SILENCED, DISMISS: DISMISSED}
    return next((outcome for act, outcome in outcomes.items() if act in acts), "")


def handle_of(profiles: Any, account: str) -> str:
    profile = profiles.get(account)
    return profile.handle if profile else ""
