"""Notices to the people who complained of a message: that it was dealt with, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from events.games import Games
from service.chat.complaints import Complaint
from service.notifications.notices import complaint_decided
from service.notifications.postings import Posting, Postings


@dataclass(frozen=True)
class ComplaintNotices:
    games: Games
    postings: Postings

    def tell(self, closed: Sequence[Complaint]) -> None:
        people = [each for each in closed if each.by]
        if people:
            game = people[0].game
            notice = complaint_decided(game, self.games.log.version(game), self.games.now())
            self.postings.post_all({each.by: Posting(notice, f"complaint {each.id}") for each in people})
