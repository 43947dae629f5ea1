"""`hidalgo bench bots`: how strong the bots of the service are, by games against each other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import click

from rules.bots import BOTS, Bot, answer
from rules.catalogue import DEFAULT, GAMES
from rules.fairness import Chance
from rules.kernel import Answer, Player, decision_id, play, waiting
from service.bench.figures import Figure, report

SEATS = 4
FAIR_SHARE = 0.5


@click.command("bots")
@click.option("--games", type=click.IntRange(1), default=40, show_default=True, help="Games of each two bots.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same games.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_bots(ctx: click.Context, games: int, seed: int, no_limits: bool, as_json: bool) -> None:
    """Let each bot play against the next stronger one, two on each side, full games of four.

    Fails with exit code 1 if a bot that is said to be stronger does not win more than half of the games.
    """
    ctx.exit(report(list(measure(games, seed)), as_json=as_json, limits=not no_limits))


def measure(games: int, seed: int) -> Iterator[Figure]:
    for weaker, stronger in pairwise(sorted(BOTS.values(), key=lambda bot: bot.strength)):
        match = Match(weaker, stronger)
        for number in range(games):
            match.play(f"{seed} {number}".encode(), turned=number % 2 == 1)
        both = f"{stronger.title} ({stronger.name}) against {weaker.title} ({weaker.name})"
        yield Figure(f"{both}: games won", match.won / games, "of 1", at_least=FAIR_SHARE)
        yield Figure(f"{both}: points more", match.ahead / games, "points")
        yield Figure(f"{stronger.name}, an answer", match.milliseconds(stronger), "ms")


@dataclass
class Match:
    """Games of two against two, on alternating seats."""

    weaker: Bot
    stronger: Bot
    won: float = 0
    ahead: float = 0
    seconds: dict[str, float] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)

    def play(self, seed: bytes, *, turned: bool) -> None:
        game, chance = GAMES[DEFAULT], Chance(seed)
        _, state = game.start(game.rules(), SEATS, seed)
        sides = (self.stronger, self.weaker) if turned else (self.weaker, self.stronger)
        seated = {player: sides[number % 2] for number, player in enumerate(state.board.players)}
        while not state.is_over:
            player = waiting(state)[0]
            began = time.process_time()
            command = answer(seated[player], state, player, chance)
            self._note(seated[player], time.process_time() - began)
            _, state = play(state, Answer(player, decision_id(state, player), command))
        strong = [player for player, bot in seated.items() if bot is self.stronger]
        self._count(state.board.places, state.board.scores, strong)

    def _note(self, bot: Bot, seconds: float) -> None:
        self.seconds[bot.name] = self.seconds.get(bot.name, 0) + seconds
        self.answers[bot.name] = self.answers.get(bot.name, 0) + 1

    def _count(self, places: dict[Player, int], scores: dict[Player, int], strong: list[Player]) -> None:
        firsts = [player for player, place in places.items() if place == 1]
        self.won += sum(player in strong for player in firsts) / len(firsts)
        weak = [player for player in scores if player not in strong]
        self.ahead += sum(scores[player] for player in strong) / len(strong)
        self.ahead -= sum(scores[player] for player in weak) / len(weak)

    def milliseconds(self, bot: Bot) -> float:
        return 1000 * self.seconds[bot.name] / self.answers[bot.name]
