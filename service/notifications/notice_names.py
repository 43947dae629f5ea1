"""The names of people that notices are about, looked up when a notice is put into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from events.table.facts import BOT_PREFIX
from service.games.representations import Profiles
from service.notifications.notices import NO_NAMES, Notice
from service.notifications.tournament_texts import Names

NamesOf = Callable[[Sequence[Notice]], Names]


def no_names(notices: Sequence[Notice]) -> Names:
    return NO_NAMES


def names_of(profiles: Profiles, notices: Sequence[Notice]) -> Names:
    """At once for all of these notices. A bot of the service goes by its name and number."""
    people = {account for notice in notices for account in notice.people}
    if not people:
        return NO_NAMES
    bots = {account: bot_name(account) for account in people if account.startswith(BOT_PREFIX)}
    known = profiles(people - set(bots))
    return bots | {account: profile.handle for account, profile in known.items() if profile}


def bot_name(account: str) -> str:
    """
    >>> bot_name("bot:greedy:7")
    'greedy 7'
    """
    return account.removeprefix(BOT_PREFIX).replace(":", " ")
