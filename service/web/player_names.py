"""Players as pages name them: by their handles; bots of the service by their own names."""

from __future__ import annotations

from typing import NamedTuple

from events.table.facts import BOT_PREFIX
from rules.bots import BOTS
from rules.texts import Value, say
from service.accounts.handles import SHAPE
from service.games.bot_names import bot_title
from service.games.representations import Profile, player_resource
from service.http.authentication import accounts


class PlayerName(NamedTuple):
    name: Value
    page: str = ""
    """The last part of the address of their page; empty if they have none."""
    is_bot: bool = False


def player_name(account: str, profile: Profile | None, *, is_bot: bool = False) -> PlayerName:
    found = player_resource(account, profile, is_bot=is_bot)
    handle = found["handle"]
    if handle is None:
        return PlayerName(say("a former player"), is_bot=found["bot"])
    if account.startswith(BOT_PREFIX):
        return PlayerName(bot_title(account), account, is_bot=True)
    return PlayerName(handle, handle, found["bot"])


def player_called(name: str) -> tuple[str, PlayerName] | None:
    """The account that is called so. A handle comes before a bot, which has its whole id (`bot:greedy`) besides."""
    if SHAPE.fullmatch(name) and (found := accounts().account_named(name)):
        return found.id, player_name(found.id, found)
    bot = name.lower().removeprefix(BOT_PREFIX)
    return (BOT_PREFIX + bot, player_name(BOT_PREFIX + bot, None)) if bot in BOTS else None
