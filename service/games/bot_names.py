"""The bots at a table as people call them. Several of one name are numbered like kings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from events.table.facts import BOT_PREFIX
from rules.bots import BOTS
from rules.kernel import Player

NUMBERS = ("", " II", " III", " IV", " V", " VI", " VII", " VIII")


def bot_names(seats: Mapping[Player, str]) -> dict[Player, str]:
    """
    >>> bot_names({"red": "ana", "blue": "bot:greedy", "green": "bot:random", "brown": "bot:greedy"})
    {'blue': 'Alonso', 'green': 'Sancho', 'brown': 'Alonso II'}
    """
    seen: Counter[str] = Counter()
    names = {}
    for seat, account in seats.items():
        if account.startswith(BOT_PREFIX):
            names[seat] = bot_title(account) + NUMBERS[min(seen[account], len(NUMBERS) - 1)]
            seen[account] += 1
    return names


def bot_title(account: str) -> str:
    """
    >>> bot_title("bot:greedy"), bot_title("bot:of_another_version")
    ('Alonso', 'of_another_version')
    """
    name = account.removeprefix(BOT_PREFIX)
    return BOTS[name].title if name in BOTS else name
