"""Tables of people with handles, played as far as a test needs it."""

from random import Random

from events.submission import Submission
from events.table.commands import Join, Resign, SeatBot, Start, TableCommand
from service.services import Services
from tests.events.played import play_on


def people(wired: Services, *handles: str) -> list[str]:
    """Their accounts, new ones."""
    return [wired.accounts.register(handle, "tizona y colada").id for handle in handles]


def table(wired: Services, accounts, *, seats=None, rules="el_grande", bots=(), length="short", **about) -> str:
    """It has begun, if every seat is taken."""
    seats = seats or len(accounts) + len(bots)
    game = wired.games.create(rules, seats, {"game_length": length}, owner=accounts[0], **about)
    commands: list[TableCommand] = [Join(account, invited=True) for account in accounts]
    commands += [SeatBot(accounts[0], bot) for bot in bots]
    if len(commands) == seats:
        commands.append(Start(accounts[0]))
    for command in commands:
        wired.game_service.submit(game.id, command, Submission())
    wired.index.put(wired.games.load(game.id))
    return game.id


def played(wired: Services, accounts, moves: int, **about) -> str:
    game = table(wired, accounts, **about)
    play_on(wired.games, game, Random(7).randrange, moves)
    return game


def ended(wired: Services, accounts, **about) -> str:
    """All but the first resign."""
    game = table(wired, accounts, **about)
    for account in accounts[1:]:
        wired.game_service.submit(game, Resign(account), Submission())
    return game
