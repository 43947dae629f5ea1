"""The prompt on the page of a real game: the seats are accounts, and every answer goes over the interface."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from playwright.sync_api import Page

from events.games import Games
from events.table.commands import Join, Play, Start
from events.table.game import Game
from rules.kernel import Answer, Decision, TimeUp, options
from service.web.prompt_texts import prompt_texts
from tests.browser.replaying import behind
from tests.repository.checkout import ROOT
from tests.running import Service

SCRIPT = (ROOT / "tests/browser/asking.js").read_text()
NUMBERS = count(1)
SHORT = {"game_length": "short"}


class Table:
    """A game in the store of a running service, with a guest on every seat. Its chance is the same every time."""

    def __init__(self, service: Service, players: int, rules: str, seed: object, **agreed: str) -> None:
        self.service, self.seed = service, seed
        with self._games() as (wired, games):
            guests = [wired.accounts.make_guest_once(f"prompt {next(NUMBERS)}") for _ in range(players)]
            tokens = {account.id: token.secret for account, token in guests}
            self.game = set_up(games, players, rules, agreed or SHORT, tuple(tokens)).id
            self.tokens = {seat: tokens[account] for seat, account in games.load(self.game).seats.items()}

    @contextmanager
    def _games(self) -> Iterator[tuple[Any, Games]]:
        with behind(self.service) as wired:
            yield wired, Games(wired.games.log, draw=chance(self.seed))

    def play(self, answers: Sequence[Answer | TimeUp]) -> None:
        with self._games() as (_, games):
            for answer in answers:
                games.submit(self.game, Play(answer))

    def decision(self, seat: str) -> Decision:
        with self._games() as (_, games):
            [decision] = options(games.load(self.game).state, seat)
            return decision


def chance(seed: object):
    """Secrets of games that are no secret."""
    return random.Random(f"prompt {seed}").randbytes


def set_up(games: Games, players: int, rules: str, agreed: dict[str, str], accounts: Sequence[str]) -> Game:
    game = games.create(rules, players, agreed, owner=accounts[0]).id
    for account in accounts:
        games.submit(game, Join(account))
    games.submit(game, Start(accounts[0]))
    return games.load(game)


def ready(page: Page, table: Table, *, previews: bool = True) -> Page:
    """The page of a game, with the prompt on it."""
    page.goto(f"{table.service.url}/games/{table.game}/replay")
    page.wait_for_selector("[data-ready]")
    page.evaluate(SCRIPT, {"texts": prompt_texts(), "previews": previews})
    return page


def ask(page: Page, table: Table, seat: str) -> None:
    """Asks this seat of a game; the page may be that of another."""
    page.evaluate("([game, tokens]) => asking.open(game, tokens)", [table.game, table.tokens])
    page.evaluate("seat => asking.next(seat)", seat)
